/* What every answer must satisfy. */
#include "oracle/judge.h"

#include <math.h>

/* Below this, widths and residues are a few steps of the subnormal grid. */
static const double tiny = 1e-320;

static double length3(graze_vec v) { return hypot(hypot(v.x, v.y), v.z); }

static double reach(const graze_shape *s) {
  double rho = 0;
  if (s->kind == GRAZE_HALFSPACE) return 0;
  for (int i = 0; i < oracle_core_count(s); i++) rho = fmax(rho, length3(oracle_core_vertex(s, i)));
  if (s->kind == GRAZE_ELLIPSOID) rho = fmax(s->extents.x, fmax(s->extents.y, s->extents.z));
  if (s->kind == GRAZE_CYLINDER || s->kind == GRAZE_CONE) rho = hypot(s->radius, s->half_length);
  if (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE) rho += s->radius;
  return rho + s->margin;
}

double judge_scale(const graze_shape *a, const graze_shape *b, double distance) {
  double scale = fmax(reach(a), reach(b));
  return isnan(distance) ? scale : fmax(scale, fabs(distance));
}

static const char *judge_signs(const graze_answer *x) {
  if (!(x->lower <= x->upper)) return "lower and upper are not in order";
  if (!isnan(x->distance) && !(x->lower <= x->distance && x->distance <= x->upper)) return "distance outside interval";
  switch (x->relation) {
  case GRAZE_SEPARATED: return x->distance > 0 && x->lower >= 0 ? NULL : "separated, but distance or lower is not > 0";
  case GRAZE_TOUCHING:
    return x->distance == 0 && x->lower == 0 && x->upper == 0 ? NULL : "touching, but a number is not 0";
  case GRAZE_OVERLAPPING:
    return (isnan(x->distance) || x->distance < 0) && x->upper <= 0 ? NULL : "overlapping, but distance or upper > 0";
  case GRAZE_UNDECIDED: return x->lower <= 0 && x->upper >= 0 ? NULL : "undecided, but the interval is not about 0";
  }
  return "no relation";
}

static double coordinate(graze_vec v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

static const char *judge_witnesses(const graze_answer *x, double scale, double share) {
  double far = scale;
  for (int k = 0; k < 3; k++) far = fmax(far, fmax(fabs(coordinate(x->point_a, k)), fabs(coordinate(x->point_b, k))));
  for (int k = 0; k < 3; k++) {
    double step = coordinate(x->point_b, k) - coordinate(x->point_a, k) - x->distance * coordinate(x->normal, k);
    if (!(fabs(step) <= fmax(fmax(4e-12, share) * far, tiny))) return "point_b - point_a is not distance * normal";
  }
  return NULL;
}

/* Where no depth is computed, distance and normal may both be unknown. */
const char *judge_form(const graze_shape *a, const graze_shape *b, const graze_answer *x, double share) {
  double scale = judge_scale(a, b, x->distance);
  const char *why = judge_signs(x);
  if (why) return why;
  bool no_depth = isnan(x->distance) && isnan(x->normal.x) && isnan(x->normal.y) && isnan(x->normal.z);
  if (!no_depth && !(fabs(length3(x->normal) - 1) <= 1e-12)) return "the normal is not a unit vector";
  if (isnan(x->distance)) return x->relation == GRAZE_OVERLAPPING ? NULL : "no distance";
  if (!(x->upper - x->lower <= fmax(share * scale, tiny))) return "the interval is wider than promised";
  return judge_witnesses(x, scale, share);
}

static const char *judge_meeting(oracle *o, const graze_shape *a, const graze_shape *b, const graze_answer *x) {
  if (oracle_compare(o, x->lower) < 0) return "lower is above -r although the cores meet";
  if (oracle_compare(o, x->upper) > 0) return "upper claims a depth of the cores that nothing shows";
  if (oracle_core_count(a) > 8 || oracle_core_count(b) > 8) return NULL;
  return oracle_depth_at_most(o, -x->lower) ? NULL : "lower is above minus the depth";
}

const char *judge_distance(oracle *o, const graze_shape *a, const graze_shape *b, const graze_answer *x) {
  if (x->relation != oracle_relation(o)) return "WRONG RELATION";
  const char *why = judge_form(a, b, x, 1e-12);
  if (why) return why;
  if (oracle_cores_meet(o) && oracle_relation(o) == GRAZE_OVERLAPPING) return judge_meeting(o, a, b, x);
  if (isnan(x->distance)) return "no distance although the cores are apart";
  if (oracle_compare(o, x->lower) < 0) return "INTERVAL MISSES: the truth is below lower";
  if (oracle_compare(o, x->upper) > 0) return "INTERVAL MISSES: the truth is above upper";
  return NULL;
}

const char *judge_intersect(const oracle *o, const graze_answer *x) {
  if (x->relation != oracle_relation(o)) return "WRONG RELATION";
  if (x->relation == GRAZE_TOUCHING && x->distance != 0) return "touching, but distance is not 0";
  if (!isnan(x->lower) && oracle_compare(o, x->lower) < 0) return "INTERVAL MISSES: the truth is below lower";
  if (!isnan(x->upper) && oracle_compare(o, x->upper) > 0) return "INTERVAL MISSES: the truth is above upper";
  if (x->relation != GRAZE_TOUCHING && !isnan(x->distance)) return "a distance that was not asked for";
  return NULL;
}

void judge_print(FILE *out, const graze_answer *x) {
  static const char *const relation[] = {"none", "separated", "touching", "overlapping", "undecided"};
  fprintf(out, "  answer: %s, distance %.17g in [%.17g, %.17g], normal (%.17g, %.17g, %.17g)\n",
          (unsigned)x->relation < 5 ? relation[x->relation] : "?", x->distance, x->lower, x->upper, x->normal.x,
          x->normal.y, x->normal.z);
  fprintf(out, "  point_a (%.17g, %.17g, %.17g), point_b (%.17g, %.17g, %.17g), path %d, %d iterations, exact %d\n",
          x->point_a.x, x->point_a.y, x->point_a.z, x->point_b.x, x->point_b.y, x->point_b.z, (int)x->path,
          x->iterations, x->exact);
}
