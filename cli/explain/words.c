/* Numbers, shapes, questions and answers in words. */
#include "explain/words.h"

#include "explain/geometry.h"
#include "explain/words_motion.h"

#include <math.h>
#include <stdio.h>

enum { DIFFERENCE_DIGITS = 4 }; /* of a difference that has to be seen */

/* What printf made of a finite number, with a true minus sign and a short exponent: 1e-05 is 1e−5, 1e+40 is 1e40. */
static void put_digits(cli_text *out, const char *digits) {
  for (const char *c = digits; *c; c++) {
    if (*c == '-')
      cli_text_str(out, "−"); /* U+2212 */
    else if (*c != '+')
      cli_text_bytes(out, c, 1);
    if ((*c == '-' || *c == '+') && c > digits)
      while (c[1] == '0' && c[2]) c++;
  }
}

static bool put_unless_finite(cli_text *out, double value) {
  if (isfinite(value)) return false;
  cli_text_str(out, isnan(value) ? "?" : value > 0 ? "∞" : "−∞");
  return true;
}

void words_rounded(cli_text *out, double value, int digits) {
  char buffer[CLI_NUMBER_SIZE];
  if (put_unless_finite(out, value)) return;
  if (digits >= WORDS_ALL_DIGITS) {
    words_exactly(out, value);
    return;
  }
  if (value == 0) value = 0; /* -0 */
  int whole = 1;
  for (double ten = 10; ten <= fabs(value) && whole < 10; ten *= 10) whole++;
  if (whole > digits && whole < 10) digits = whole;
  snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  put_digits(out, buffer);
}

void words_number(cli_text *out, double value) { words_rounded(out, value, WORDS_DIGITS); }

int words_digits(double size, double wanted) {
  if (!(wanted > 1e-15 * size) || !isfinite(size)) return WORDS_DIGITS;
  int digits = DIFFERENCE_DIGITS;
  for (double unit = wanted; unit <= size && digits < WORDS_ALL_DIGITS; unit *= 10) digits++;
  return digits > WORDS_DIGITS ? digits : WORDS_DIGITS;
}

int words_vec_digits(graze_vec v, double wanted) { return words_digits(geometry_largest(v), wanted); }

double words_gap(const story *s) {
  const double distance = s->finding.answer.distance;
  if (isfinite(distance)) return fabs(distance);
  return s->evidence.lower > 0 ? s->evidence.lower : s->evidence.upper < 0 ? -s->evidence.upper : 0;
}

int words_direction_digits(const story *s, graze_vec d, int digits_of_points) {
  int own = words_vec_digits(d, words_gap(s));
  if (digits_of_points <= 9) return WORDS_DIGITS;
  return own < digits_of_points ? own : digits_of_points;
}

int words_bound_digits(const story *s, double bound) {
  if (!(s->radius > 0) || !isfinite(bound)) return WORDS_DIGITS;
  return words_digits(fmax(fabs(bound), s->radius), words_gap(s));
}

void words_bound(cli_text *out, const story *s, double bound) {
  words_rounded(out, bound, words_bound_digits(s, bound));
}

/* How far a body extends; 0 where that has no end, or no length. */
static double extent(const story_body *body) {
  const story_mesh *mesh = &body->mesh;
  if (mesh->kind != STORY_MESH_SOLID) return 0;
  graze_vec low = mesh->points[0], high = low;
  for (size_t i = 1; i < mesh->point_count; i++) {
    graze_vec p = mesh->points[i];
    low = (graze_vec){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
    high = (graze_vec){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
  }
  return geometry_largest(vec_sub(high, low));
}

int words_place_digits(const story *s, graze_vec a, graze_vec b) {
  const double size = fmax(geometry_largest(a), geometry_largest(b)),
               wanted[] = {words_gap(s), extent(&s->a), extent(&s->b)};
  int most = WORDS_DIGITS;
  for (int i = 0; i < 3; i++) {
    int digits = words_digits(size, wanted[i]);
    if (digits > most) most = digits;
  }
  return most;
}

void words_exactly(cli_text *out, double value) {
  char buffer[CLI_NUMBER_SIZE];
  if (put_unless_finite(out, value)) return;
  cli_number_text(value, buffer);
  put_digits(out, buffer);
}

void words_vec_rounded(cli_text *out, graze_vec v, int dim, int digits) {
  cli_text_str(out, "(");
  words_rounded(out, v.x, digits);
  cli_text_str(out, ", ");
  words_rounded(out, v.y, digits);
  if (dim == 3) {
    cli_text_str(out, ", ");
    words_rounded(out, v.z, digits);
  }
  cli_text_str(out, ")");
}

void words_vec(cli_text *out, graze_vec v, int dim) { words_vec_rounded(out, v, dim, WORDS_DIGITS); }

bool words_has_parents(const graze_pair *pair) { return pair->a >= 0 && pair->b >= 0; }

void words_between(cli_text *out, int i, int count) {
  if (i > 0) cli_text_str(out, i + 1 < count ? ", " : " and ");
}

void words_pair(cli_text *out, const graze_pair *pair) {
  if (!words_has_parents(pair)) return;
  cli_text_str(out, "A");
  cli_text_int(out, pair->a);
  cli_text_str(out, " − B");
  cli_text_int(out, pair->b);
}

void words_count(cli_text *out, size_t count, const char *one, const char *many) {
  cli_text_int(out, (long long)count);
  cli_text_str(out, " ");
  cli_text_str(out, count == 1 ? one : many);
}

static void put_measure(cli_text *out, const char *name, double value) {
  cli_text_str(out, name);
  words_number(out, value);
}

/* "a box of half extents (1, 2)". */
static void put_sizes(cli_text *out, const char *name, const graze_shape *shape) {
  cli_text_str(out, name);
  words_vec(out, shape->extents, shape->dim);
}

static void put_long(cli_text *out, const char *name, const graze_shape *shape) {
  put_measure(out, name, shape->radius);
  put_measure(out, " and half length ", shape->half_length);
}

static void put_core(cli_text *out, const graze_shape *shape) {
  bool flat = shape->dim == 2;
  switch (shape->kind) {
  case GRAZE_POINT: cli_text_str(out, "a point"); return;
  case GRAZE_SEGMENT: cli_text_str(out, "a segment"); return;
  case GRAZE_TRIANGLE: cli_text_str(out, "a triangle"); return;
  case GRAZE_BOX: put_sizes(out, "a box of half extents ", shape); return;
  case GRAZE_POLYGON:
    cli_text_str(out, "a polygon of ");
    words_count(out, shape->vertex_count, "vertex", "vertices");
    return;
  case GRAZE_HULL:
    cli_text_str(out, "the hull of ");
    words_count(out, shape->vertex_count, "point", "points");
    return;
  case GRAZE_SPHERE: put_measure(out, flat ? "a circle of radius " : "a sphere of radius ", shape->radius); return;
  case GRAZE_CAPSULE: put_long(out, "a capsule of radius ", shape); return;
  case GRAZE_ELLIPSOID: put_sizes(out, flat ? "an ellipse of radii " : "an ellipsoid of radii ", shape); return;
  case GRAZE_CYLINDER: put_long(out, "a cylinder of radius ", shape); return;
  case GRAZE_CONE: put_long(out, "a cone of radius ", shape); return;
  case GRAZE_HALFSPACE:
    put_sizes(out, flat ? "a half-plane of normal " : "a half-space of normal ", shape);
    put_measure(out, " and offset ", shape->offset);
    return;
  case GRAZE_USER: cli_text_str(out, "a shape by its support function"); return;
  case GRAZE_COMPOUND: cli_text_str(out, "a compound"); return;
  }
}

void words_shape(cli_text *out, const graze_shape *shape) {
  put_core(out, shape);
  if (shape->margin > 0) put_measure(out, " with margin ", shape->margin);
}

static void put_asked_body(cli_text *out, const cli_body *body) {
  const graze_placed *placed = &body->placed;
  if (body->compound == NULL) {
    words_shape(out, &placed->shape);
    return;
  }
  bool split = body->part_count == 0;
  cli_text_str(out, split ? "a polygon, decomposed into " : "a compound of ");
  words_count(out, graze_part_count(placed), split ? "convex piece" : "part", split ? "convex pieces" : "parts");
  if (graze_part_count(placed) > STORY_MOST_PARTS) cli_text_str(out, ", of which one is drawn,");
  if (placed->shape.margin > 0) put_measure(out, " with margin ", placed->shape.margin);
}

void words_body(cli_text *out, const story_body *body, const char *name) {
  if (body->is_part) {
    cli_text_str(out, "part ");
    cli_text_int(out, body->part);
    cli_text_str(out, " of ");
  }
  cli_text_str(out, name);
}

void words_vertex(cli_text *out, const story *s, size_t k) {
  cli_text_str(out, "A");
  cli_text_int(out, s->pairs[k].a);
  cli_text_str(out, s->question->of == GRAZE_MINKOWSKI_SUM ? " + B" : " − B");
  cli_text_int(out, s->pairs[k].b);
}

/* `feature` is that of what is no box, `axis` that of a box. */
static void put_feature(cli_text *out, const story_body *body, const char *name, const char *axis, const char *feature,
                        int index) {
  static const char *const axes[] = {"x", "y", "z"};
  bool box = body->placed.shape.kind == GRAZE_BOX && index >= 0 && index < 3;
  cli_text_str(out, box ? axis : feature);
  if (box)
    cli_text_str(out, axes[index]);
  else
    cli_text_int(out, index);
  cli_text_str(out, " of ");
  cli_text_str(out, name);
}

void words_axis(cli_text *out, const story *s, const graze_axis *axis) {
  const char *face = s->dim == 2 ? "edge " : "face ";
  switch (axis->kind) {
  case GRAZE_AXIS_FACE_A: put_feature(out, &s->a, "A", "axis ", face, axis->feature_a); return;
  case GRAZE_AXIS_FACE_B: put_feature(out, &s->b, "B", "axis ", face, axis->feature_b); return;
  case GRAZE_AXIS_EDGES:
    put_feature(out, &s->a, "A", "", "edge ", axis->feature_a);
    cli_text_str(out, " × ");
    put_feature(out, &s->b, "B", "", "edge ", axis->feature_b);
    return;
  }
}

static void put_options(cli_text *out, const cli_request *q) {
  const graze_options *options = &q->options;
  if (options->method != GRAZE_METHOD_AUTO) {
    cli_text_str(out, "; by method ");
    cli_text_str(out, cli_method_text(options->method));
  }
  graze_vec d = options->start;
  if (options->method == GRAZE_METHOD_GJK && (d.x != 0 || d.y != 0 || d.z != 0)) {
    cli_text_str(out, " from the direction ");
    words_vec(out, d, q->dim);
  }
  if (options->clearance > 0) put_measure(out, "; with clearance ", options->clearance);
  if (isfinite(options->max_distance)) put_measure(out, "; nothing more beyond the distance ", options->max_distance);
  if (options->tolerance > 0) put_measure(out, "; within the tolerance ", options->tolerance);
}

static const char *question_text(const cli_request *q) {
  if (q->query == CLI_MINKOWSKI) return q->of == GRAZE_MINKOWSKI_SUM ? "Minkowski sum" : "Minkowski difference";
  if (q->query == CLI_TOI) return "time of impact";
  if (q->query == CLI_OBB) return "distance of boxes by separating axes";
  return q->query == CLI_MANIFOLD ? "contact manifold" : cli_query_text(q->query);
}

void words_question(cli_text *out, const story *s) {
  const cli_request *q = s->question;
  cli_text_str(out, question_text(q));
  cli_text_str(out, q->dim == 2 ? " in 2D: A is " : " in 3D: A is ");
  put_asked_body(out, &q->a);
  if (s->motion == NULL || !s->motion->ray) {
    cli_text_str(out, ", B is ");
    put_asked_body(out, &q->b);
  }
  if (s->motion) words_motion(out, s);
  put_options(out, q);
}

static void put_minkowski(cli_text *out, const story *s) {
  bool sum = s->question->of == GRAZE_MINKOWSKI_SUM;
  cli_text_str(out, sum ? "the set of all a + b has " : "the set of all a − b has ");
  words_count(out, s->vertex_count, "vertex", "vertices");
  cli_text_str(out, s->holds_origin ? " and holds the origin" : " and does not hold the origin");
  if (!sum) cli_text_str(out, s->holds_origin ? ": A and B meet" : ": A and B are apart");
}

static void put_interval(cli_text *out, const graze_answer *answer) {
  cli_text_str(out, ", surely in [");
  words_exactly(out, answer->lower);
  cli_text_str(out, ", ");
  words_exactly(out, answer->upper);
  cli_text_str(out, "]");
}

static void put_distance(cli_text *out, const graze_answer *answer) {
  if (answer->relation == GRAZE_OVERLAPPING && isfinite(answer->distance)) {
    put_measure(out, ", penetration depth ", -answer->distance);
    put_measure(out, " (distance ", answer->distance);
    cli_text_str(out, ")");
  } else if (isfinite(answer->distance)) {
    put_measure(out, ", distance ", answer->distance);
  }
  if (answer->lower == answer->upper)
    cli_text_str(out, ", exactly");
  else
    put_interval(out, answer);
}

static const char *stopped_text(graze_stop stop) {
  if (stop == GRAZE_STOP_BUDGET) return "; iterations or workspace ended before the interval was as narrow as asked";
  return stop == GRAZE_STOP_PRECISION ? "; rounding ended the search before the interval was as narrow as asked" : "";
}

void words_answer(cli_text *out, const story *s) {
  const graze_answer *answer = &s->finding.answer;
  if (s->question->query == CLI_MINKOWSKI) {
    put_minkowski(out, s);
    return;
  }
  if (s->motion) {
    words_motion_answer(out, s);
    return;
  }
  cli_text_str(out, graze_relation_text(answer->relation));
  if (answer->stopped == GRAZE_STOP_CUTOFF) {
    cli_text_str(out, ", at least ");
    words_exactly(out, answer->lower);
    cli_text_str(out, " apart: no more was asked");
    return;
  }
  if (cli_query_has_distance(s->question->query))
    put_distance(out, answer);
  else if (answer->relation == GRAZE_UNDECIDED)
    put_interval(out, answer);
  cli_text_str(out, stopped_text(answer->stopped));
}
