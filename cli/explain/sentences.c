/* The query and its answer in words, and the number of digits that a reader needs. */
#include "explain/story.h"

#include <math.h>

/* ---- Digits */

int digits_for(double size, double wanted) {
  enum { DIGITS_OF_DIFFERENCE = 4 };
  if (!(wanted > 1e-15 * size) || !isfinite(size)) return DIGITS;
  int digits = DIGITS_OF_DIFFERENCE;
  for (double unit = wanted; unit <= size && digits < ALL_DIGITS; unit *= 10) digits++;
  return digits > DIGITS ? digits : DIGITS;
}

/* The magnitude of the signed distance, 0 if unknown. */
static double magnitude_of_distance(const story *s) {
  const double distance = story_answer(s)->distance;
  if (isfinite(distance)) return fabs(distance);
  return s->evidence.lower > 0 ? s->evidence.lower : s->evidence.upper < 0 ? -s->evidence.upper : 0;
}

int digits_of_point(const story *s, graze_vec point) {
  return digits_for(vec_norm_inf(point), magnitude_of_distance(s));
}

int digits_of_direction(const story *s, graze_vec direction, int digits_of_its_point) {
  int own = digits_of_point(s, direction);
  if (digits_of_its_point <= 9) return DIGITS;
  return own < digits_of_its_point ? own : digits_of_its_point;
}

int digits_of_bound(const story *s, double bound) {
  if (!(s->radius > 0) || !isfinite(bound)) return DIGITS;
  return digits_for(fmax(fabs(bound), s->radius), magnitude_of_distance(s));
}

int digits_of_witness(const story *s, graze_vec a, graze_vec b) {
  bounds of_a = {0}, of_b = {0};
  bounds_add_mesh(&of_a, &s->a.mesh);
  bounds_add_mesh(&of_b, &s->b.mesh);
  const double size = fmax(vec_norm_inf(a), vec_norm_inf(b)),
               wanted[] = {magnitude_of_distance(s), bounds_size(&of_a), bounds_size(&of_b)};
  int most = DIGITS;
  for (int i = 0; i < 3; i++)
    if (digits_for(size, wanted[i]) > most) most = digits_for(size, wanted[i]);
  return most;
}

/* ---- Sentences */

static void emit_shape(cli_text *out, const graze_shape *shape) {
  const int dim = shape->dim;
  switch (shape->kind) {
  case GRAZE_POINT: emit(out, "a point"); break;
  case GRAZE_SEGMENT: emit(out, "a segment"); break;
  case GRAZE_TRIANGLE: emit(out, "a triangle"); break;
  case GRAZE_BOX: emit(out, "a box of half extents %v", shape->as.box.half_extents, dim); break;
  case GRAZE_POLYGON: emit(out, "a polygon of %c", shape->as.polygon.count, "vertex", "vertices"); break;
  case GRAZE_HULL: emit(out, "the convex hull of %c", shape->as.hull.count, "point", "points"); break;
  case GRAZE_SPHERE:
    emit(out, dim == 2 ? "a circle of radius %n" : "a sphere of radius %n", shape->as.sphere.radius);
    break;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: /* equal parameters */
    emit(out, "a %s of radius %n and half length %n",
         shape->kind == GRAZE_CAPSULE    ? "capsule"
         : shape->kind == GRAZE_CYLINDER ? "cylinder"
                                         : "cone",
         shape->as.capsule.radius, shape->as.capsule.half_length);
    break;
  case GRAZE_ELLIPSOID:
    emit(out, dim == 2 ? "an ellipse of radii %v" : "an ellipsoid of radii %v", shape->as.ellipsoid.radii, dim);
    break;
  case GRAZE_HALFSPACE:
    emit(out, dim == 2 ? "a half-plane of normal %v and offset %n" : "a half-space of normal %v and offset %n",
         shape->as.halfspace.normal, dim, shape->as.halfspace.offset);
    break;
  case GRAZE_MESH: emit(out, "a mesh"); break;
  case GRAZE_COMPOUND: emit(out, "a compound"); break;
  case GRAZE_USER: emit(out, "a shape given by its support function"); break; /* only in Python */
  }
  if (shape->margin > 0) emit(out, " with margin %n", shape->margin);
}

void sentence_shape(cli_text *out, const story *s, size_t k) {
  emit_shape(out, k == 0 ? &s->a.placed.shape : &s->b.placed.shape);
}

void sentence_pair(cli_text *out, const story *s) {
  emit(out, "%B and %B", s->a.part, s->a.part_word, "A", s->b.part, s->b.part_word, "B");
}

static void emit_body(cli_text *out, const cli_body *body) {
  const graze_placed *placed = &body->placed;
  if (!cli_has_parts(body)) {
    emit_shape(out, &placed->shape);
    return;
  }
  size_t count = graze_part_count(placed);
  const bool flat = placed->shape.dim == 2;
  if (body->mesh)
    emit(out, "a mesh of %c, %s", count, flat ? "edge" : "triangle", flat ? "edges" : "triangles",
         graze_mesh_is_solid(body->mesh) ? "solid" : "not solid");
  else if (body->part_count == 0)
    emit(out, "a polygon, decomposed into %c", count, "convex piece", "convex pieces");
  else
    emit(out, "a compound of %c", count, "part", "parts");
  if (!body->mesh && count > STORY_MAX_PARTS) emit(out, " (only the deciding one is drawn)");
  if (placed->shape.margin > 0) emit(out, " with margin %n", placed->shape.margin);
}

static void emit_motion(cli_text *out, const char *name, const graze_motion *m, int dim) {
  bool moves = !vec_is_zero(m->velocity), turns = !vec_is_zero(m->angular);
  emit(out, moves || turns ? "%s has " : "%s is at rest", name);
  if (moves) emit(out, turns ? "velocity %v and " : "velocity %v", m->velocity, dim);
  if (turns && dim == 2) emit(out, "angular velocity %n", m->angular.z);
  if (turns && dim == 3) emit(out, "angular velocity %v", m->angular, dim);
}

/* "; A has velocity (2, 0), B is at rest, for 0 ≤ t ≤ 1"; for a ray its origin and direction instead of B */
static void emit_motions(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  if (m->ray) {
    emit(out, ", B is the point of a ray with origin %v and direction %v", s->b.whole->pose.position, s->dim,
         m->b.velocity, s->dim);
  } else {
    emit(out, "; ");
    emit_motion(out, "A", &m->a, s->dim);
    emit(out, ", ");
    emit_motion(out, "B", &m->b, s->dim);
  }
  emit(out, isfinite(m->t_max) ? ", for 0 ≤ t ≤ %n" : ", for t ≥ 0", m->t_max);
}

void sentence_query(cli_text *out, const story *s) {
  const cli_request *q = s->request;
  const graze_options *options = &q->options;
  const char *name = q->query == CLI_MINKOWSKI ? q->of == GRAZE_MINKOWSKI_SUM ? "Minkowski sum" : "Minkowski difference"
                     : q->query == CLI_TOI     ? "time of impact"
                     : q->query == CLI_OBB     ? "distance of boxes by separating axes"
                     : q->query == CLI_MANIFOLD ? "contact manifold"
                                                : cli_query_text(q->query);
  emit(out, "%s in %iD: A is ", name, q->dim);
  emit_body(out, &q->a);
  if (s->motion == NULL || !s->motion->ray) {
    emit(out, ", B is ");
    emit_body(out, &q->b);
  }
  if (s->motion) emit_motions(out, s);
  if (q->method != CLI_METHOD_AUTO) emit(out, "; method %s", cli_method_text(q->method));
  if (options->method == GRAZE_METHOD_GJK && !vec_is_zero(options->start))
    emit(out, ", first direction %v", options->start, q->dim);
  if (options->clearance > 0) emit(out, "; clearance %n", options->clearance);
  if (isfinite(options->max_distance)) emit(out, "; max_distance %n", options->max_distance);
  if (options->tolerance > 0) emit(out, "; tolerance %n", options->tolerance);
}

static void emit_feature(cli_text *out, const story_body *body, const char *name, const char *axis, const char *feature,
                         int index) {
  static const char *const axes[] = {"x", "y", "z"};
  if (body->placed.shape.kind == GRAZE_BOX && index >= 0 && index < 3)
    emit(out, "%s%s of %s", axis, axes[index], name);
  else
    emit(out, "%s%i of %s", feature, index, name);
}

void sentence_axis(cli_text *out, const story *s, size_t k) {
  const graze_axis *axis = &s->finding.trace.axes[k];
  const char *face = s->dim == 2 ? "edge " : "face ";
  switch (axis->kind) {
  case GRAZE_AXIS_FACE_A: emit_feature(out, &s->a, "A", "axis ", face, axis->feature_a); return;
  case GRAZE_AXIS_FACE_B: emit_feature(out, &s->b, "B", "axis ", face, axis->feature_b); return;
  case GRAZE_AXIS_EDGES:
    emit_feature(out, &s->a, "A", "", "edge ", axis->feature_a);
    emit(out, " × ");
    emit_feature(out, &s->b, "B", "", "edge ", axis->feature_b);
    return;
  }
}

/* "hit: the time of first contact is in [0.25, 0.2500001]" */
static void emit_cast_answer(cli_text *out, const story *s) {
  const graze_cast_result *cast = &s->motion->cast;
  bool touching = cast->start_relation == GRAZE_TOUCHING;
  emit(out, "%s", graze_cast_outcome_text(cast->outcome));
  if (cast->outcome == GRAZE_CLEAR) {
    emit(out, story_is_sampled(s) ? ": no sample is in contact, which proves nothing"
              : touching          ? ": touching at t = 0, never overlapping"
                                  : ": no contact");
    if (touching || !isfinite(cast->min_lower)) return;
    if (isfinite(cast->min_upper))
      emit(out, "; the minimum distance is in [%x, %x]", cast->min_lower, cast->min_upper);
    else
      emit(out, "; the minimum distance is at least %x", cast->min_lower);
    if (isfinite(cast->t_min)) emit(out, ", at t = %n", cast->t_min);
    return;
  }
  if (story_is_sampled(s) && cast->t_upper > 0)
    emit(out, ": no contact in the sample at t = %n, contact in that at t = %n", cast->t_lower, cast->t_upper);
  else if (cast->t_upper == 0)
    emit(out, touching ? " at t = 0: touching and approaching" : " at t = 0: overlapping");
  else
    emit(out,
         cast->outcome == GRAZE_HIT ? ": the time of first contact is in [%x, %x]"
                                    : ": the time of first contact, if there is any, is in [%x, %x]",
         cast->t_lower, cast->t_upper);
  if (isfinite(cast->point.x)) emit(out, ", contact point %v", cast->point, s->dim);
  if (isfinite(cast->normal.x)) emit(out, ", normal %v", cast->normal, s->dim);
}

void sentence_answer(cli_text *out, const story *s) {
  const graze_answer *answer = story_answer(s);
  if (s->request->query == CLI_MINKOWSKI) {
    bool sum = s->request->of == GRAZE_MINKOWSKI_SUM;
    emit(out, "the Minkowski %s has %c and %s the origin", sum ? "sum A + B" : "difference A − B", s->set.count,
         "vertex", "vertices", s->set.holds ? "contains" : "does not contain");
    if (!sum) emit(out, s->set.holds ? ": A and B overlap or touch" : ": A and B are disjoint");
    return;
  }
  if (s->motion) {
    emit_cast_answer(out, s);
    return;
  }
  emit(out, "%s", graze_relation_text(answer->relation));
  if (answer->stopped == GRAZE_STOP_CUTOFF) {
    emit(out, ", distance at least %x: max_distance ended the search", answer->lower);
    return;
  }
  const bool distance = cli_query_has_distance(s->request->query);
  if (distance) {
    if (story_is_nonconvex(s) && answer->relation == GRAZE_OVERLAPPING)
      emit(out, ", penetration depth at least %n and at most %n (distance %n)", -answer->upper, -answer->lower,
           answer->distance);
    else if (answer->relation == GRAZE_OVERLAPPING && isfinite(answer->distance))
      emit(out, ", penetration depth %n (distance %n)", -answer->distance, answer->distance);
    else if (isfinite(answer->distance))
      emit(out, ", distance %n", answer->distance);
    if (answer->lower == answer->upper) emit(out, ", exactly");
  }
  if (distance ? answer->lower != answer->upper : answer->relation == GRAZE_UNDECIDED)
    emit(out, ", guaranteed interval [%x, %x]", answer->lower, answer->upper);
  if (answer->stopped == GRAZE_STOP_BUDGET)
    emit(out, "; the limit of iterations or workspace ended the search before the interval had the requested width");
  if (answer->stopped == GRAZE_STOP_PRECISION)
    emit(out, "; rounding ended the search before the interval had the requested width");
}

bool sentence_certificate(cli_text *out, const story *s, size_t k) {
  sentence *const *sentences = s->motion ? cast_certificate_sentences : certificate_sentences;
  for (size_t i = 0; s->request->query != CLI_MINKOWSKI && sentences[i]; i++) {
    const size_t before = out->size;
    sentences[i](out, s);
    if (out->size <= before) continue; /* it does not apply */
    if (k-- == 0) return true;
    out->size = before;
  }
  return false;
}
