/* What proves the relation, in words. */
#include "explain/words_proof.h"

#include "explain/geometry.h"
#include "explain/words.h"

#include <math.h>

/* ---- points of A - B */

static void put_point(cli_text *out, const story *s, int32_t index) {
  const story_point *point = &s->points[index];
  if (words_has_parents(&point->pair))
    words_pair(out, &point->pair);
  else
    words_vec_rounded(out, point->at, s->dim, words_vec_digits(point->at, words_gap(s)));
}

static void put_points(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  for (int i = 0; i < e->count; i++) {
    words_between(out, i, e->count);
    put_point(out, s, e->points[i]);
  }
}

/* Weights that are not noise of rounding. */
static bool counts(const story *s, int i) {
  bool inside = proof_certificate(s)->kind == GRAZE_CERTIFICATE_INSIDE;
  return s->evidence.weights[i] > (inside ? 0 : 1e-15);
}

int proof_weighed(const story *s) {
  int terms = 0;
  for (int i = 0; i < s->evidence.count; i++) terms += counts(s, i);
  return terms;
}

bool words_has_weights(const story *s) {
  if (proof_certificate(s)->kind != GRAZE_CERTIFICATE_INSIDE) return true;
  return s->evidence.count == s->dim + 1 && proof_weighed(s) == s->evidence.count;
}

/* Is v one point that is named by where it is? */
static bool is_place(const story *s) {
  if (proof_weighed(s) != 1) return false;
  int i = 0;
  while (!counts(s, i)) i++;
  return !words_has_parents(&s->points[s->evidence.points[i]].pair);
}

/* "0.5·(A3 − B0) + 0.5·(A2 − B0)" */
static void put_combination(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const int terms = proof_weighed(s);
  for (int i = 0, k = 0; i < e->count; i++) {
    if (!counts(s, i)) continue;
    if (k++ > 0) cli_text_str(out, " + ");
    if (terms == 1) {
      put_point(out, s, e->points[i]);
      return;
    }
    words_number(out, e->weights[i]);
    bool named = words_has_parents(&s->points[e->points[i]].pair);
    cli_text_str(out, named ? "·(" : "·");
    put_point(out, s, e->points[i]);
    if (named) cli_text_str(out, ")");
  }
}

/* Is v so near the origin that its rounded coordinates say nothing? */
static bool is_lost(const story *s) {
  double length = s->evidence.upper + s->radius;
  if (proof_answer(s)->relation != GRAZE_SEPARATED || !isfinite(length)) return false;
  return fabs(vec_norm(s->evidence.nearest) - length) > 1e-5 * length;
}

/* "v = 0.4·(A1 − B0) + 0.6·(A2 − B0) = (2, 1)" */
void proof_nearest(cli_text *out, const story *s) {
  cli_text_str(out, "v = ");
  put_combination(out, s);
  if (is_lost(s) || is_place(s)) return;
  cli_text_str(out, " = ");
  const graze_vec v = s->evidence.nearest;
  words_vec_rounded(out, v, s->dim, words_vec_digits(v, s->radius > 0 ? words_gap(s) : 0));
}

void proof_length(cli_text *out, const story *s) {
  const double length = vec_norm(s->evidence.nearest);
  cli_text_str(out, s->radius > 0 ? "|v| − r" : "|v|");
  if (!(s->radius > 0) || is_lost(s)) return;
  cli_text_str(out, " = ");
  words_bound(out, s, length);
  cli_text_str(out, " − ");
  words_rounded(out, s->radius, words_bound_digits(s, length));
}

/* ---- both sides along d */

/* Not where the direction, rounded, shows another gap than the exact one. */
bool proof_has_sides(const story *s) {
  const story_evidence *e = &s->evidence;
  double error = fabs(e->begin_b - e->reach_a - e->lower), size = fmax(fabs(e->reach_a), fabs(e->begin_b));
  return isfinite(e->reach_a) && isfinite(e->begin_b) && !(error > 1e-9 * (size + s->radius));
}

/* "along d = (0.8, 0.6) A reaches 4 and B begins at 6.5"; as many digits as tell them apart. */
void proof_sides(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  double size = fmax(fabs(e->reach_a), fabs(e->begin_b));
  double gap = fabs(e->begin_b - e->reach_a);
  bool lost = gap > 0 && gap <= 1e-15 * size;
  int digits = lost ? WORDS_ALL_DIGITS : words_digits(size, gap);
  cli_text_str(out, "along d = ");
  words_vec(out, e->direction, s->dim);
  cli_text_str(out, " ");
  words_body(out, &s->a, "A");
  cli_text_str(out, " reaches ");
  words_rounded(out, e->reach_a, digits);
  cli_text_str(out, " and ");
  words_body(out, &s->b, "B");
  cli_text_str(out, " begins at ");
  words_rounded(out, e->begin_b, digits);
  if (s->radius > 0) {
    cli_text_str(out, " (r = ");
    words_bound(out, s, s->radius);
    cli_text_str(out, " counted in)");
  }
}

void proof_pairs(cli_text *out, const graze_direction *d, int dim) {
  for (int i = 0; i < d->count; i++) {
    const graze_pair *pair = &d->pairs[i];
    words_between(out, i, d->count);
    if (words_has_parents(pair)) {
      words_pair(out, pair);
      continue;
    }
    cli_text_str(out, pair->a >= 0 ? "A" : "a at ");
    pair->a >= 0 ? cli_text_int(out, pair->a) : words_vec(out, pair->point_a, dim);
    cli_text_str(out, pair->b >= 0 ? " − B" : " − b at ");
    pair->b >= 0 ? cli_text_int(out, pair->b) : words_vec(out, pair->point_b, dim);
  }
}

/* ---- the relation */

static void put_separated(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  double shown = e->begin_b - e->reach_a, gap = isfinite(e->lower) ? e->lower : shown;
  cli_text_str(out, "separated: ");
  if (!proof_has_sides(s)) {
    cli_text_str(out, "along d B begins ");
    words_number(out, gap);
    cli_text_str(out, " > 0 beyond A, so no point is in both.");
    return;
  }
  proof_sides(out, s);
  if (!(shown > 0) && gap > 0) {
    cli_text_str(out, shown == 0 ? ", the same to the last digit" : ", both rounded");
    cli_text_str(out, "; exactly, the gap is at least ");
    words_number(out, gap);
    cli_text_str(out, " > 0, too small for the digits of the two sides.");
    return;
  }
  cli_text_str(out, "; the gap ");
  words_number(out, gap);
  cli_text_str(out, " is > 0, so no point is in both");
  if (fabs(shown - gap) > 1e-5 * gap)
    cli_text_str(out, " (the two sides are rounded, the gap is what is surely there)");
  cli_text_str(out, ".");
}

static void put_touch(cli_text *out, const story *s) {
  cli_text_str(out, "touching: ");
  if (s->radius > 0) {
    proof_nearest(out, s);
    cli_text_str(out, " is a point of the difference of the cores, |v| = r = ");
    words_number(out, s->radius);
    cli_text_str(out,
                 " exactly, so A and B have a point in common; and along d = −v/|v| no core point is nearer, so any "
                 "push along d parts them.");
    return;
  }
  if (proof_has_sides(s)) {
    proof_sides(out, s);
    cli_text_str(out,
                 s->evidence.begin_b != s->evidence.reach_a ? ", both rounded; exactly, B begins no earlier: " : ": ");
  }
  cli_text_str(out, "nothing of A − B lies beyond the origin along d, and the origin = ");
  put_combination(out, s);
  cli_text_str(out, " is one of its points.");
}

static void put_inside(cli_text *out, const story *s) {
  cli_text_str(out, "overlapping: the origin is strictly inside the hull of ");
  put_points(out, s);
  if (words_has_weights(s)) {
    cli_text_str(out, ": it is ");
    put_combination(out, s);
    cli_text_str(out, ", with all weights > 0.");
  } else {
    cli_text_str(out, ": whatever the direction, one of these points of A − B lies beyond it.");
  }
}

static void put_near(cli_text *out, const story *s) {
  double length = vec_norm(s->evidence.nearest);
  bool tight = fabs(s->radius - length) < 1e-5 * s->radius;
  cli_text_str(out, "overlapping: ");
  proof_nearest(out, s);
  cli_text_str(out, " is a point of the difference of the cores, and |v| = ");
  words_rounded(out, length, tight ? WORDS_ALL_DIGITS : words_bound_digits(s, length));
  cli_text_str(out, length < s->radius ? " < r = " : " (rounded) is less than r = ");
  words_rounded(out, s->radius, tight ? WORDS_ALL_DIGITS : words_bound_digits(s, length));
  cli_text_str(out, ": the cores are nearer than their radii reach.");
}

static void put_vertex(cli_text *out, const graze_certificate *c, const char *owner, int dim) {
  if (c->vertex >= 0) {
    cli_text_str(out, owner);
    cli_text_int(out, c->vertex);
  } else {
    cli_text_str(out, "the point ");
    words_vec(out, c->vertex_point, dim);
    cli_text_str(out, " (in the frame of ");
    cli_text_str(out, owner);
    cli_text_str(out, ")");
  }
}

/* Of a curved body a point is known, and a height below which nothing is. */
static void put_curved_over_plane(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  bool a_is_plane = s->a.placed.shape.kind == GRAZE_HALFSPACE;
  cli_text_str(out, graze_relation_text(proof_answer(s)->relation));
  cli_text_str(out, a_is_plane ? ": over the border of A, B begins at " : ": over the border of B, A begins at ");
  words_exactly(out, e->lower);
  cli_text_str(out, " or higher, and has ");
  put_vertex(out, proof_certificate(s), a_is_plane ? "B" : "A", s->dim);
  cli_text_str(out, s->radius > 0 ? " of its core, less r at " : " at ");
  words_exactly(out, e->upper);
  cli_text_str(out, " or lower.");
}

static void put_plane(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  graze_relation relation = proof_answer(s)->relation;
  bool a_is_plane = s->a.placed.shape.kind == GRAZE_HALFSPACE;
  double height = isfinite(e->lower) ? e->lower : proof_answer(s)->distance;
  if (proof_certificate(s)->vertex < 0 && isfinite(e->lower) && isfinite(e->upper)) {
    put_curved_over_plane(out, s);
    return;
  }
  cli_text_str(out, graze_relation_text(relation));
  cli_text_str(out, s->radius > 0 ? ": no point of the core of " : ": no point of ");
  cli_text_str(out, a_is_plane ? "B lies lower over the border of A than " : "A lies lower over the border of B than ");
  put_vertex(out, proof_certificate(s), a_is_plane ? "B" : "A", s->dim);
  if (!isfinite(height) && relation != GRAZE_TOUCHING) {
    cli_text_str(out, ", which decides.");
    return;
  }
  cli_text_str(out, s->radius > 0 ? ", and its height less r is " : ", and its height is ");
  words_number(out, relation == GRAZE_TOUCHING ? 0 : height);
  cli_text_str(out, relation == GRAZE_SEPARATED     ? " > 0."
                    : relation == GRAZE_OVERLAPPING ? " < 0."
                    : relation == GRAZE_TOUCHING    ? ", exactly."
                                                    : ".");
}

static void put_seam(cli_text *out, const story *s) {
  const graze_internal_edge_touch *t = proof_certificate(s)->seam;
  bool of_a = t[0].part_a != t[1].part_a;
  cli_text_str(out, "overlapping: on a seam. ");
  cli_text_str(out, of_a ? "B touches the pieces " : "A touches the pieces ");
  cli_text_int(out, of_a ? t[0].part_a : t[0].part_b);
  cli_text_str(out, " and ");
  cli_text_int(out, of_a ? t[1].part_a : t[1].part_b);
  cli_text_str(out, of_a ? " of A" : " of B");
  cli_text_str(out, " from either side of the edge they share, between its ends: that is inside of the polygon.");
}

void proof_relation(cli_text *out, const story *s) {
  switch (proof_certificate(s)->kind) {
  case GRAZE_CERTIFICATE_NONE:
    cli_text_str(out, proof_answer(s)->relation == GRAZE_UNDECIDED
                          ? "undecided: 0 lies between the two bounds, and neither side of it could be shown."
                          : "no certificate shows the relation.");
    return;
  case GRAZE_CERTIFICATE_SEPARATED: put_separated(out, s); return;
  case GRAZE_CERTIFICATE_TOUCH: put_touch(out, s); return;
  case GRAZE_CERTIFICATE_INSIDE: put_inside(out, s); return;
  case GRAZE_CERTIFICATE_NEAR: put_near(out, s); return;
  case GRAZE_CERTIFICATE_HALFSPACE: put_plane(out, s); return;
  case GRAZE_CERTIFICATE_INTERNAL_EDGE: put_seam(out, s); return;
  }
}
