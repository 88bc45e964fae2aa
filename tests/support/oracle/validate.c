/* Conditions that every answer must satisfy. */
#include "support/oracle/validate.h"

#include "support/geometry.h"

/* Below this, widths and residues are a few steps of the subnormal grid. */
static const double tiny = 1e-320;

double vector_length(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

bool all_nan(graze_vec v) { return isnan(v.x) && isnan(v.y) && isnan(v.z); }

const char *validate_position(graze_vec p, graze_vec start, graze_vec velocity, double t) {
  const double most = 1e-15 * (vector_length(start) + vector_length(velocity) * t) + 1e-320;
  if (isinf(most)) return NULL; /* of a motion without end */
  return vector_length(sub(p, add_scaled(start, t, velocity))) <= most ? NULL : "a position is not that at t";
}

static double bounding_radius(const graze_shape *s) {
  double rho = 0;
  if (s->kind == GRAZE_HALFSPACE) return 0;
  for (int i = 0; i < oracle_core_count(s); i++) rho = fmax(rho, vector_length(oracle_core_vertex(s, i)));
  if (s->kind == GRAZE_ELLIPSOID)
    rho = fmax(s->as.ellipsoid.radii.x, fmax(s->as.ellipsoid.radii.y, s->as.ellipsoid.radii.z));
  if (s->kind == GRAZE_CYLINDER || s->kind == GRAZE_CONE) rho = hypot(s->as.capsule.radius, s->as.capsule.half_length);
  if (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE) rho += s->as.sphere.radius;
  return rho + s->margin;
}

double pair_scale(const graze_shape *a, const graze_shape *b, double distance) {
  double scale = fmax(bounding_radius(a), bounding_radius(b));
  return isnan(distance) ? scale : fmax(scale, fabs(distance));
}

static const char *validate_signs(const proved_answer *x) {
  if (!(x->lower <= x->upper)) return "lower and upper are not in order";
  if (!(x->lower <= x->distance && x->distance <= x->upper)) return "distance outside interval";
  switch (x->relation) {
  case GRAZE_SEPARATED: return x->distance > 0 && x->lower >= 0 ? NULL : "separated, but distance or lower is not > 0";
  case GRAZE_TOUCHING:
    return x->distance == 0 && x->lower == 0 && x->upper == 0 ? NULL : "touching, but a number is not 0";
  case GRAZE_OVERLAPPING:
    return x->distance < 0 && x->upper <= 0 ? NULL : "overlapping, but distance is not < 0, or upper > 0";
  case GRAZE_UNDECIDED: return x->lower <= 0 && x->upper >= 0 ? NULL : "undecided, but the interval is not about 0";
  }
  return "no relation";
}

static double largest(graze_vec v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

static const char *validate_witnesses(const proved_answer *x, double scale, double share) {
  const double magnitude = fmax(scale, fmax(largest(x->point_a), largest(x->point_b)));
  const graze_vec step = add_scaled(sub(x->point_b, x->point_a), -x->distance, x->normal);
  const bool good = !isnan(size1(step)) && largest(step) <= fmax(fmax(4e-12, share) * magnitude, tiny);
  return good ? NULL : "point_b - point_a is not distance * normal";
}

const char *validate_form(const graze_shape *a, const graze_shape *b, const proved_answer *x, double share) {
  double scale = pair_scale(a, b, x->distance);
  if (isnan(x->distance)) return "no distance";
  const char *why = validate_signs(x);
  if (why) return why;
  if (!(fabs(vector_length(x->normal) - 1) <= 1e-12)) return "the normal is not a unit vector";
  if (!(x->upper - x->lower <= fmax(share * scale, tiny))) return "the interval is wider than promised";
  return validate_witnesses(x, scale, share);
}

static const char *validate_normal(const oracle *o, const graze_shape *a, const graze_shape *b,
                                   const proved_answer *x) {
  double scale = pair_scale(a, b, x->distance);
  if (!oracle_cores_meet(o)) {
    graze_vec off = sub(oracle_normal(o), x->normal);
    double gap = oracle_core_distance(o);
    /* |v|^2 - |v*|^2 <= 2·gap·width for the nearest points found, so their direction is off by the root of 2·width/gap.
     */
    double wide = sqrt(2.2 * (x->upper - x->lower) / fmax(gap, 0x1p-1074));
    if (gap < 0x1p-1070) return NULL; /* a few steps of the least double: no digits of direction */
    return vector_length(off) <= 1e-9 + 1e-12 * scale / gap + wide ? NULL
                                                                   : "the normal is not that of the nearest points";
  }
  double off = fmax(1e-9 * fabs(x->distance) + 1e-12 * scale, tiny);
  return oracle_ends_overlap(o, x->normal, off - x->distance) ? NULL : "the normal does not end the overlap";
}

const char *validate_distance(const oracle *o, const graze_shape *a, const graze_shape *b, const proved_answer *x) {
  if (x->relation != oracle_relation(o)) return "WRONG RELATION";
  if (isnan(x->lower) || isnan(x->upper)) return "no interval";
  if (oracle_compare(o, x->lower) < 0) return "INTERVAL MISSES: the truth is below lower";
  if (oracle_compare(o, x->upper) > 0) return "INTERVAL MISSES: the truth is above upper";
  const char *why = validate_form(a, b, x, 1e-12);
  if (why) return why;
  return a->kind == GRAZE_HALFSPACE || b->kind == GRAZE_HALFSPACE ? NULL : validate_normal(o, a, b, x);
}

const char *validate_near(oracle *o, const graze_shape *s, const graze_pose *pose, graze_motion motion, double t,
                          graze_vec p, double tolerance) {
  const graze_shape point = s->dim == 2 ? graze_point2() : graze_point();
  const graze_pose at = graze_pose_at(p.x, p.y, p.z);
  const oracle_turning moment = {motion, {{0, 0, 0}, {0, 0, 0}}, t};
  if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) return "a point is not finite";
  if (!oracle_solve_turning(o, s, pose, &point, &at, 0, &moment)) return "the oracle does not support this shape";
  return oracle_surely(o, tolerance) > 0 ? "a point is not near its body" : NULL;
}

static const char *validate_point(oracle *o, const graze_shape *s, const graze_pose *pose, graze_vec p, double more,
                                  double scale) {
  const double magnitude = largest(p);
  const graze_motion still = {{0, 0, 0}, {0, 0, 0}};
  return validate_near(o, s, pose, still, 0, p, more + fmax(1e-9 * scale + 1e-15 * magnitude, tiny));
}

const char *validate_points(oracle *o, const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                            const graze_pose *pose_b, double clearance, const proved_answer *x) {
  double scale = pair_scale(a, b, x->distance);
  const char *why = validate_point(o, a, pose_a, x->point_a, clearance, scale);
  return why ? why : validate_point(o, b, pose_b, x->point_b, 0, scale);
}

const char *validate_intersect(const oracle *o, const proved_answer *x) {
  if (x->relation != oracle_relation(o)) return "WRONG RELATION";
  if (x->relation == GRAZE_TOUCHING && x->distance != 0) return "touching, but distance is not 0";
  if (!isnan(x->lower) && oracle_compare(o, x->lower) < 0) return "INTERVAL MISSES: the truth is below lower";
  if (!isnan(x->upper) && oracle_compare(o, x->upper) > 0) return "INTERVAL MISSES: the truth is above upper";
  if (x->relation != GRAZE_TOUCHING && !isnan(x->distance)) return "a distance that was not requested";
  return NULL;
}

void print_answer(FILE *out, const proved_answer *x) {
  static const char *const relation[] = {"none", "separated", "touching", "overlapping", "undecided"};
  fprintf(out, "  answer: %s, distance %.17g in [%.17g, %.17g], normal (%.17g, %.17g, %.17g)\n",
          (unsigned)x->relation < 5 ? relation[x->relation] : "?", x->distance, x->lower, x->upper, x->normal.x,
          x->normal.y, x->normal.z);
  fprintf(out,
          "  point_a (%.17g, %.17g, %.17g), point_b (%.17g, %.17g, %.17g), algorithm %d, %d iterations, exact %d\n",
          x->point_a.x, x->point_a.y, x->point_a.z, x->point_b.x, x->point_b.y, x->point_b.z, (int)x->algorithm,
          x->iterations, x->exact);
}
