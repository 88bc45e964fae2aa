/* The certificate in words: the proof of the relation, the proof of each bound, and the verdict of the verifier. The
 * proved bounds are those that the verifier accepts. Theory: docs/theory/certificates.md. */
#include "explain/story.h"

#include <math.h>

/* ---- Points of A - B and their convex combinations */

static void emit_point(cli_text *out, const story *s, int32_t index) {
  const story_point *point = &s->points[index];
  emit(out, "%p", &point->w, s->dim, digits_of_point(s, point->w.point));
}

static const char *separator(int i, int count) { return i == 0 ? "" : i + 1 < count ? ", " : " and "; }

/* Rounding leaves tiny weights at points that do not contribute. */
static bool contributes(const story *s, int i) {
  return s->evidence.weights[i] > (story_certificate(s)->kind == GRAZE_CERTIFICATE_INSIDE ? 0 : 1e-15);
}

static int contributing(const story *s) {
  int terms = 0;
  for (int i = 0; i < s->evidence.count; i++) terms += contributes(s, i);
  return terms;
}

bool certificate_has_weights(const story *s) {
  if (story_certificate(s)->kind != GRAZE_CERTIFICATE_INSIDE) return true;
  return s->evidence.count == s->dim + 1 && contributing(s) == s->evidence.count;
}

/* "0.5·(A3 − B0) + 0.5·(A2 − B0)" */
static void emit_combination(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const bool several = contributing(s) > 1;
  for (int i = 0, k = 0; i < e->count; i++) {
    if (!contributes(s, i)) continue;
    bool named = several && cso_point_has_vertices(&s->points[e->points[i]].w);
    if (k++ > 0) emit(out, " + ");
    if (several) emit(out, named ? "%n·(" : "%n·", e->weights[i]);
    emit_point(out, s, e->points[i]);
    if (named) emit(out, ")");
  }
}

/* True if v is so near the origin that rounding has destroyed its coordinates. */
static bool nearest_is_lost(const story *s) {
  double length = s->evidence.upper + s->radius;
  if (story_answer(s)->relation != GRAZE_SEPARATED || !isfinite(length)) return false;
  return fabs(vec_norm(s->evidence.nearest) - length) > 1e-5 * length;
}

/* "v = 0.4·(A1 − B0) + 0.6·(A2 − B0) = (2, 1)"; the coordinates of a single unnamed point are not repeated. */
static void emit_nearest(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  bool unnamed = contributing(s) == 1;
  for (int i = 0; i < e->count; i++)
    if (contributes(s, i) && cso_point_has_vertices(&s->points[e->points[i]].w)) unnamed = false;
  emit(out, "v = %S", emit_combination, s);
  if (nearest_is_lost(s) || unnamed) return;
  emit(out, " = %w", e->nearest, s->dim, s->radius > 0 ? digits_of_point(s, e->nearest) : DIGITS);
}

/* ---- The projections on d */

/* False if the rounded direction shows another gap than the exact one. */
static bool has_projections(const story *s) {
  const story_evidence *e = &s->evidence;
  double error = fabs(e->min_b - e->max_a - e->lower), size = fmax(fabs(e->max_a), fabs(e->min_b));
  return isfinite(e->max_a) && isfinite(e->min_b) && !(error > 1e-9 * (size + s->radius));
}

/* "projected on d = (0.8, 0.6), A ends at 4 and B begins at 6.5" */
static void emit_projections(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  double size = fmax(fabs(e->max_a), fabs(e->min_b)), gap = fabs(e->min_b - e->max_a);
  int digits = gap > 0 && gap <= 1e-15 * size ? ALL_DIGITS : digits_for(size, gap);
  emit(out, "projected on d = %v, %B ends at %r and %B begins at %r", e->direction, s->dim, s->a.part, s->a.part_word,
       "A", e->max_a, digits, s->b.part, s->b.part_word, "B", e->min_b, digits);
  if (s->radius > 0) emit(out, " (r = %r included)", s->radius, digits_of_bound(s, s->radius));
}

/* ---- The relation */

static void emit_separated(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  double shown = e->min_b - e->max_a, gap = isfinite(e->lower) ? e->lower : shown;
  if (!has_projections(s))
    emit(out, "separated: the gap between the projections of A and B on d is %n > 0, so A and B are disjoint.", gap);
  else if (!(shown > 0) && gap > 0)
    emit(out,
         "separated: %S; in exact arithmetic the gap is at least %n > 0, which is less than the rounding of these "
         "projections.",
         emit_projections, s, gap);
  else
    emit(out, "separated: %S; the gap %n is > 0, so d is a separating axis%s.", emit_projections, s, gap,
         fabs(shown - gap) > 1e-5 * gap ? " (the projections are rounded, the gap is a proved lower bound)" : "");
}

static void emit_touch(cli_text *out, const story *s) {
  if (s->radius > 0) {
    emit(out,
         "touching: %S is a point of the Minkowski difference of the cores, and |v| = r = %n exactly, so A and B have "
         "a common point. No point of that difference is nearer the origin, so the interiors are disjoint.",
         emit_nearest, s, s->radius);
    return;
  }
  emit(out, "touching: ");
  if (has_projections(s))
    emit(out, s->evidence.min_b == s->evidence.max_a ? "%S. " : "%S (both rounded). ", emit_projections, s);
  emit(out,
       "No point of A − B lies beyond the origin along d, so the interiors are disjoint; the origin = %S is a point of "
       "A − B.",
       emit_combination, s);
}

static void emit_inside(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  emit(out, "overlapping: the origin is strictly inside the convex hull of ");
  for (int i = 0; i < e->count; i++) {
    emit(out, "%s", separator(i, e->count));
    emit_point(out, s, e->points[i]);
  }
  emit(out,
       certificate_has_weights(s) ? ": it is %S, with all weights > 0."
                                  : ": in every direction, one of these points of A − B lies beyond the origin.",
       emit_combination, s);
}

static void emit_near(cli_text *out, const story *s) {
  double length = vec_norm(s->evidence.nearest);
  bool tight = fabs(s->radius - length) < 1e-5 * s->radius;
  int digits = tight ? ALL_DIGITS : digits_of_bound(s, length);
  emit(out,
       "overlapping: %S is a point of the Minkowski difference of the cores, and |v| = %r%s < r = %r: the distance of "
       "the cores is less than the sum of the radii.",
       emit_nearest, s, length, digits, length < s->radius ? "" : " (rounded)", s->radius, digits);
}

/* The deciding vertex of the body that is not the half-space. */
static void emit_vertex(cli_text *out, const story *s) {
  const graze_certificate *c = story_certificate(s);
  const char *owner = s->a.placed.shape.kind == GRAZE_HALFSPACE ? "B" : "A";
  if (c->vertex >= 0)
    emit(out, "%s%i", owner, (int)c->vertex);
  else
    emit(out, "the point %v (in the frame of %s)", c->points[-1 - c->vertex], s->dim, owner);
}

static void emit_halfspace(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  graze_relation relation = story_answer(s)->relation;
  bool a_is_plane = s->a.placed.shape.kind == GRAZE_HALFSPACE, core = s->radius > 0;
  const char *plane = a_is_plane ? "A" : "B", *other = a_is_plane ? "B" : "A";
  double height = isfinite(e->lower) ? e->lower : story_answer(s)->distance;
  emit(out, "%s: ", graze_relation_text(relation));
  if (story_certificate(s)->vertex < 0 && isfinite(e->lower) && isfinite(e->upper)) {
    /* A curved body: one of its points is known, and a height below which it has none. */
    emit(out, "above the boundary of %s, every point of %s has a height of at least %x, and %S%s has at most %x.",
         plane, other, e->lower, emit_vertex, s, core ? " of its core, less r," : "", e->upper);
    return;
  }
  emit(out, "the lowest %spoint of %s above the boundary of %s is %S", core ? "core " : "", other, plane, emit_vertex,
       s);
  if (relation == GRAZE_TOUCHING)
    emit(out, ", and its height%s is 0, exactly.", core ? " less r" : "");
  else if (isfinite(height))
    emit(out, ", and its height%s is %n%s.", core ? " less r" : "", height,
         relation == GRAZE_SEPARATED     ? " > 0"
         : relation == GRAZE_OVERLAPPING ? " < 0"
                                         : "");
  else
    emit(out, ", which decides.");
}

static void emit_internal_edge(cli_text *out, const story *s) {
  const graze_internal_edge_touch *t = story_certificate(s)->internal_edge;
  bool of_a = t[0].part_a != t[1].part_a;
  emit(out,
       "overlapping at an internal edge: %s touches the pieces %i and %i of %s from both sides of their common edge, "
       "between its end points. Such a point is interior to the polygon.",
       of_a ? "B" : "A", (int)(of_a ? t[0].part_a : t[0].part_b), (int)(of_a ? t[1].part_a : t[1].part_b),
       of_a ? "A" : "B");
}

static void emit_axes(cli_text *out, const story *s) {
  emit(out, "overlapping: A − B has an interior, and along each %s its two ends lie on both sides of the origin.",
       s->dim == 2 ? "edge normal of A and B" : "face normal, and each product of two edge directions,");
}

void certificate_relation(cli_text *out, const story *s) {
  static sentence *const proofs[] = {[GRAZE_CERTIFICATE_SEPARATED] = emit_separated,
                                     [GRAZE_CERTIFICATE_TOUCH] = emit_touch,
                                     [GRAZE_CERTIFICATE_INSIDE] = emit_inside,
                                     [GRAZE_CERTIFICATE_NEAR] = emit_near,
                                     [GRAZE_CERTIFICATE_HALFSPACE] = emit_halfspace,
                                     [GRAZE_CERTIFICATE_INTERNAL_EDGE] = emit_internal_edge,
                                     [GRAZE_CERTIFICATE_AXES] = emit_axes,
                                     [GRAZE_CERTIFICATE_IN_A] = certificate_contained,
                                     [GRAZE_CERTIFICATE_IN_B] = certificate_contained};
  graze_certificate_kind kind = story_certificate(s)->kind;
  if (kind != GRAZE_CERTIFICATE_NONE)
    proofs[kind](out, s);
  else if (story_answer(s)->algorithm == GRAZE_ALGORITHM_CONTAINMENT)
    emit(out, "overlapping: the bodies touch, and a ray finds common points of their interiors beside a contact. No "
              "certificate proves this.");
  else
    emit(out, story_answer(s)->relation == GRAZE_UNDECIDED
                  ? "undecided: 0 lies between the two bounds, and neither separation nor contact is proved."
                  : "no certificate proves the relation.");
}

/* ---- The bounds */

/* True if the bounds have proofs of their own, beyond the relation and the deciding vertex. */
static bool has_bounds(const story *s) {
  graze_certificate_kind kind = story_certificate(s)->kind;
  graze_relation relation = story_answer(s)->relation;
  if (kind == GRAZE_CERTIFICATE_HALFSPACE || kind == GRAZE_CERTIFICATE_INTERNAL_EDGE ||
      kind == GRAZE_CERTIFICATE_IN_A || kind == GRAZE_CERTIFICATE_IN_B)
    return false;
  if (!cli_query_has_distance(s->request->query) && relation != GRAZE_UNDECIDED) return false;
  return relation != GRAZE_TOUCHING;
}

/* "the distance is at least 2.4999999999999996, which is ≥ the answer's 2.4999999999999982." */
static void emit_proved(cli_text *out, bool lower, double proved, double stated) {
  emit(out, "the distance is at %s %x", lower ? "least" : "most", proved);
  if (proved == stated)
    emit(out, ", as in the answer.");
  else if (lower ? proved >= stated : proved <= stated)
    emit(out, ", which is %s the answer's %x.", lower ? "≥" : "≤", stated);
  else
    emit(out, "; the answer's %x is not proved.", stated);
}

static void direction_sentence(cli_text *out, const story *s) {
  const graze_direction *d = &story_certificate(s)->direction;
  static const char *const axes[] = {"x", "y", "z"};
  graze_certificate_kind kind = story_certificate(s)->kind;
  bool used = kind == GRAZE_CERTIFICATE_SEPARATED || kind == GRAZE_CERTIFICATE_TOUCH || has_bounds(s);
  if (!used || d->form == GRAZE_DIRECTION_NONE || d->form == GRAZE_DIRECTION_VECTOR) return;
  emit(out, "the direction d is stored exactly, by points of A − B: it ");
  emit(out, d->form == GRAZE_DIRECTION_NEAREST ? "points to the origin from the nearest point of the convex hull of "
            : d->form == GRAZE_DIRECTION_EDGE  ? "is perpendicular to the edge between "
            : s->dim == 2                      ? "is the normal of the edge between "
                                               : "is the normal of the face through ");
  for (int i = 0; i < d->count; i++) {
    const graze_cso_point w = cso_point_of(s, &d->pairs[i], story_certificate(s)->points);
    emit(out, "%s", separator(i, d->count));
    w.a >= 0 ? emit(out, "A%i", (int)w.a) : emit(out, "a at %v", w.point_a, s->dim);
    w.b >= 0 ? emit(out, " − B%i", (int)w.b) : emit(out, " − b at %v", w.point_b, s->dim);
  }
  if (d->form == GRAZE_DIRECTION_EDGE) emit(out, " and to the %s axis", axes[d->axis % 3]);
  emit(out, ".");
}

static void lower_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  double stated = story_answer(s)->lower;
  if (story_is_nonconvex(s)) {
    certificate_nonconvex_lower(out, s);
    return;
  }
  if (!has_bounds(s) || isnan(stated)) return;
  if (!isfinite(e->lower)) {
    emit(out, isfinite(stated) ? "lower: not proved." : "lower: none.");
    return;
  }
  emit(out, "lower: ");
  if (e->lower < 0 && has_projections(s)) emit(out, "%S, so ", emit_projections, s);
  emit(out,
       e->lower < 0 ? "moving B by %n along d separates them: "
                    : "no two points of A and B are nearer than the gap along d: ",
       -e->lower);
  emit_proved(out, true, e->lower, stated);
}

/* True if the answer states a greater depth than the certificate proves. */
static bool is_deeper_than_proved(const story *s) {
  return story_answer(s)->relation == GRAZE_OVERLAPPING && !(story_answer(s)->upper >= s->evidence.upper);
}

/* The method sat gives the least overlap of the axes, without a depth surface. */
static bool is_without_surface(const story *s) {
  return story_answer(s)->algorithm == GRAZE_ALGORITHM_SAT && is_deeper_than_proved(s);
}

static void upper_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const graze_answer *answer = story_answer(s);
  const graze_certificate *c = story_certificate(s);
  bool depth = e->upper < 0;
  if (story_is_nonconvex(s)) {
    certificate_nonconvex_upper(out, s);
    return;
  }
  if (!has_bounds(s) || isnan(answer->upper) || answer->stopped == GRAZE_STOP_CUTOFF) return;
  if (!isfinite(e->upper)) {
    bool zero = answer->relation == GRAZE_OVERLAPPING && answer->upper == 0;
    emit(out,
         zero ? "upper: 0, because they overlap."
         : is_without_surface(s)
             ? "upper: not proved: the method sat has no surface that proves the depth; \"method\":\"auto\" proves it."
         : isfinite(answer->upper) ? "upper: not proved."
                                   : "upper: none.");
    return;
  }
  emit(out, "upper: ");
  if (c->depth_proof == GRAZE_DEPTH_BY_AXES && depth) {
    emit(out, "none of the candidate axes has less overlap: ");
  } else if (c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface && depth) {
    emit(out, s->dim == 2 ? "a closed polygon of " : "a closed surface of ");
    if (s->dim == 3) emit(out, "%c over ", c->surface->face_count, "triangle", "triangles");
    emit(out, "%c of A − B encloses the origin, and none of its %s is nearer the origin than the depth: ",
         c->surface->pair_count, "point", "points", s->dim == 2 ? "edges" : "faces");
  } else if (contributing(s) > 0 && c->kind != GRAZE_CERTIFICATE_INSIDE) {
    double length = vec_norm(e->nearest);
    int digits = digits_of_bound(s, length);
    emit(out, "%S is a point of %s, and |v|%s", emit_nearest, s,
         s->radius > 0 ? "the Minkowski difference of the cores" : "A − B", s->radius > 0 ? " − r" : "");
    if (s->radius > 0 && !nearest_is_lost(s)) emit(out, " = %r − %r", length, digits, s->radius, digits);
    emit(out, " bounds the distance: ");
  } else {
    emit(out, "the overlap alone proves no depth: ");
  }
  emit_proved(out, false, e->upper, answer->upper);
}

/* Touching shapes and half-spaces: one sentence for both bounds. */
static void both_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const graze_certificate *c = story_certificate(s);
  if (!cli_query_has_distance(s->request->query) || has_bounds(s)) return;
  if (story_answer(s)->relation == GRAZE_TOUCHING) {
    emit(out, "lower and upper: touching means that the distance is 0.");
    return;
  }
  if (c->kind != GRAZE_CERTIFICATE_HALFSPACE || !isfinite(e->lower) || !isfinite(e->upper)) return;
  emit(out, c->vertex >= 0 ? "lower and upper: that height is the distance, "
                           : "lower and upper: the least height is the distance, from ");
  emit(out, e->lower == e->upper ? "%x exactly." : "%x to %x.", e->lower, e->upper);
}

/* ---- Compounds, and the verdict */

/* Whether there is a proof for all pairs of parts. */
static bool story_has_all_pairs(const story *s) {
  const graze_certificate *c = story_certificate(s);
  return c->parts != NULL || c->frontier != NULL;
}

static void parts_sentence(cli_text *out, const story *s) {
  const graze_answer *answer = story_answer(s);
  bool distance = cli_query_has_distance(s->request->query);
  const graze_certificate_kind kind = story_certificate(s)->kind;
  if (!s->of_parts || story_is_contained(s) || kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) return;
  if (answer->algorithm == GRAZE_ALGORITHM_CONTAINMENT && kind == GRAZE_CERTIFICATE_NONE) return;
  emit(out, "This certificate is that of %S", sentence_pair, s);
  if (story_pair_count(s) == 1) {
    emit(out, ", the only pair of parts.");
  } else if (!story_has_all_pairs(s)) {
    emit(out, ". It proves an overlap and the upper bound; it proves nothing about the other %c.",
         story_pair_count(s) - 1, "pair", "pairs");
  } else {
    const graze_frontier *frontier = story_certificate(s)->frontier;
    if (frontier != NULL)
      emit(out, "; a frontier of %c proves all pairs", frontier->node_count, "node", "nodes");
    else
      emit(out, "; the certificates of all %c are included", story_certificate(s)->part_count, "pair", "pairs");
    emit(out, answer->relation == GRAZE_SEPARATED     ? distance ? ": no pair is nearer." : ": no pair is in contact."
              : answer->relation == GRAZE_TOUCHING    ? ": no pair overlaps."
              : answer->relation != GRAZE_OVERLAPPING ? "."
              : distance ? ": no pair overlaps more deeply. Separating A and B may need a longer displacement "
                           "than separating any one pair."
                         : ", though one overlapping pair suffices.");
  }
}

static const char *other_pairs_text(const story *s) {
  const bool mesh = s->request->a.mesh != NULL || s->request->b.mesh != NULL;
  return s->request->proof && mesh ? "the certificate proves nothing about the other pairs of parts"
                                   : "the other pairs of parts are too many to be certified here";
}

void certificate_verdict(cli_text *out, const story *s) {
  const graze_status verdict = s->evidence.verdict;
  const bool other_pairs = s->of_parts && !story_is_contained(s) && !story_has_all_pairs(s) && story_pair_count(s) > 1;
  emit(out,
       verdict == GRAZE_UNPROVEN ? "checked exactly by the verifier: unproven: %s."
                                 : "checked exactly by the verifier: %s.",
       verdict == GRAZE_OK                                    ? "verified"
       : verdict == GRAZE_REFUTED                             ? "refuted"
       : verdict != GRAZE_UNPROVEN                            ? graze_status_text(verdict)
       : s->motion                                            ? cast_unproven_text(s)
       : story_is_nonconvex(s)                                ? "the depth of the deciding pair has no certificate"
       : other_pairs                                          ? other_pairs_text(s)
       : story_certificate(s)->kind == GRAZE_CERTIFICATE_NONE ? "there is no certificate of the relation"
       : is_without_surface(s)                                ? "the method sat has no surface that proves the depth"
       : is_deeper_than_proved(s) ? "the algorithm that computed the depth gives no surface that proves it"
                                  : "the certificate does not prove the whole answer");
}

sentence *const certificate_sentences[] = {
    certificate_relation, direction_sentence, lower_sentence,      upper_sentence,
    both_sentence,        parts_sentence,     certificate_verdict, NULL};
