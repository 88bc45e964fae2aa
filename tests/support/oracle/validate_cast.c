/* Conditions that every cast result must satisfy. */
#include "support/oracle/validate_cast.h"

#include "support/geometry.h"

static graze_vec speed_of(const linear_query *m) { return sub(m->velocity_a, m->velocity_b); }

double linear_query_size(const linear_query *m) {
  return pair_scale(m->a, m->b, 0) + vector_length(sub(m->pose_a.position, m->pose_b.position)) + m->clearance;
}

/* An end of an unbounded motion: no contact begins later. Contact with a half-space can begin late, at a small angle.
 */
static double horizon(const linear_query *m) {
  bool plane = m->a->kind == GRAZE_HALFSPACE || m->b->kind == GRAZE_HALFSPACE;
  if (isinf(m->t_max) && plane) return 0x1p900;
  double speed = vector_length(speed_of(m)), end = speed > 0 ? 8 * linear_query_size(m) / speed : 1;
  return isinf(m->t_max) ? fmin(end, 1e300) : m->t_max;
}

static bool solve_between(oracle *o, const linear_query *m, double from, double to) {
  oracle_motion motion = {m->velocity_a, m->velocity_b, from, to};
  return oracle_solve_moving(o, m->a, &m->pose_a, m->b, &m->pose_b, m->clearance, &motion);
}

bool cast_truth_solve(oracle *o, const linear_query *m, cast_truth *truth) {
  truth->time_width = 0;
  if (!solve_between(o, m, 0, 0)) return false;
  truth->starts = oracle_relation(o);
  /* Whether touching bodies approach each other does not depend on t_max. */
  if (!solve_between(o, m, 0, truth->starts == GRAZE_TOUCHING && m->t_max == 0 ? 1 : horizon(m))) return false;
  graze_relation relation = oracle_relation(o);
  truth->hit = relation == GRAZE_OVERLAPPING || (relation == GRAZE_TOUCHING && truth->starts == GRAZE_SEPARATED);
  if (m->ray && truth->starts != GRAZE_SEPARATED) truth->hit = true;
  return true;
}

static const char *validate_positions(const linear_query *m, const proved_cast *x, double t) {
  if (isinf(t)) return NULL;
  const char *why = validate_position(x->position_a, m->pose_a.position, m->velocity_a, t);
  return why ? why : validate_position(x->position_b, m->pose_b.position, m->velocity_b, t);
}

/* Very long motions report only min_lower. */
static const char *validate_unbounded(const oracle *o, const linear_query *m, cast_truth *truth, const proved_cast *x) {
  double size = linear_query_size(m);
  if (!isnan(x->t_min) || !(vector_length(speed_of(m)) * m->t_max > 1e6 * size)) return "no greatest least distance";
  if (truth->starts == GRAZE_TOUCHING) return "in touch, but not at distance 0";
  if (oracle_compare(o, x->min_lower) < 0) return "MISSES: the least distance is below min_lower";
  return validate_positions(m, x, m->t_max);
}

static const char *validate_clear(const oracle *o, oracle *other, const linear_query *m, cast_truth *truth,
                                  const proved_cast *x) {
  double size = linear_query_size(m);
  if (!isnan(x->t) || !isnan(x->t_lower) || !isnan(x->t_upper)) return "clear, but with a time";
  if (!all_nan(x->point) || !all_nan(x->normal)) return "clear, but with a point";
  if (!(x->min_lower >= 0)) return "no least distance";
  if (isnan(x->min_upper)) return validate_unbounded(o, m, truth, x);
  if (!(x->min_lower <= x->min_upper)) return "the least distance is not in order";
  if (truth->starts == GRAZE_TOUCHING) return x->min_upper == 0 ? NULL : "in touch, but not at distance 0";
  if (oracle_compare(o, x->min_lower) < 0) return "MISSES: the least distance is below min_lower";
  if (oracle_compare(o, x->min_upper) > 0) return "MISSES: the least distance is above min_upper";
  if (!(x->t_min >= 0 && x->t_min <= m->t_max)) return "t_min is not in the interval";
  (void)solve_between(other, m, x->t_min, x->t_min);
  double speed_sum = vector_length(m->velocity_a) + vector_length(m->velocity_b);
  double off = 1e-9 * size + 1e-14 * (speed_sum * x->t_min) + 1e-315;
  bool coarse = size < 1e-290; /* few steps of the least double: no digits of time */
  if (!coarse && oracle_compare(other, x->min_upper + off) > 0) return "not so near at t_min";
  return validate_positions(m, x, m->t_max);
}

/* The normal separates weakly at t, and the bodies approach along it. */
static const char *validate_hit_normal(oracle *other, const linear_query *m, const cast_truth *truth,
                                       const proved_cast *x) {
  bool plane = m->a->kind == GRAZE_HALFSPACE || m->b->kind == GRAZE_HALFSPACE;
  graze_vec n = x->normal, v = speed_of(m);
  if (truth->starts == GRAZE_OVERLAPPING && m->ray && all_nan(n)) return NULL;
  if (!(fabs(vector_length(n) - 1) <= 1e-12)) return "the normal is not a unit vector";
  if (truth->starts == GRAZE_OVERLAPPING || plane) return NULL;
  double size = linear_query_size(m), off = 1e-9 * size + 1e-14 * (vector_length(v) * x->t);
  (void)solve_between(other, m, x->t, x->t);
  if (!oracle_ends_overlap(other, n, off + 1e-315)) return "the normal does not separate at t";
  if (truth->starts == GRAZE_TOUCHING) return NULL;
  double rate = n.x * v.x + n.y * v.y + n.z * v.z;
  return rate >= -1e-7 * vector_length(v) ? NULL : "the bodies part along the normal";
}

static const char *validate_point(oracle *other, const linear_query *m, const cast_truth *truth, const proved_cast *x) {
  double size = linear_query_size(m), late = x->t_upper - x->t_lower;
  double magnitude = size + vector_length(m->pose_a.position) + vector_length(m->pose_b.position);
  magnitude += (vector_length(m->velocity_a) + vector_length(m->velocity_b)) * x->t;
  double off = m->clearance + 1e-9 * size + 1e-14 * magnitude + vector_length(speed_of(m)) * late + 1e-315;
  if (truth->starts == GRAZE_OVERLAPPING) return NULL;
  const graze_motion a = {m->velocity_a, {0, 0, 0}}, b = {m->velocity_b, {0, 0, 0}};
  const char *why = validate_near(other, m->a, &m->pose_a, a, x->t, x->point, off);
  return why ? why : validate_near(other, m->b, &m->pose_b, b, x->t, x->point, off);
}

static const char *validate_hit(oracle *other, const linear_query *m, cast_truth *truth, const proved_cast *x) {
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= m->t_max)) return "times are not in order";
  if (x->t != x->t_lower) return "t is not t_lower";
  if (!isnan(x->min_lower) || !isnan(x->min_upper) || !isnan(x->t_min)) return "a least distance of a hit";
  if (truth->starts != GRAZE_SEPARATED && x->t_upper != 0) return "in contact at first, but later than 0";
  if (truth->starts == GRAZE_SEPARATED) {
    (void)solve_between(other, m, 0, x->t_lower);
    if (oracle_relation(other) != GRAZE_SEPARATED) return "BRACKET MISSES: a contact before t_lower";
    (void)solve_between(other, m, 0, x->t_upper);
    if (oracle_relation(other) == GRAZE_SEPARATED) return "BRACKET MISSES: no contact until t_upper";
  }
  double speed = vector_length(speed_of(m)), scale = fmax(x->t_upper, speed > 0 ? linear_query_size(m) / speed : 0);
  if (!m->rough && scale > 1e-290 && linear_query_size(m) > 1e-290)
    truth->time_width = (x->t_upper - x->t_lower) / scale;
  const char *why = validate_positions(m, x, x->t);
  if (m->rough) return why;
  if (!why) why = validate_hit_normal(other, m, truth, x);
  return why ? why : validate_point(other, m, truth, x);
}

const char *validate_cast(const oracle *o, oracle *other, const linear_query *m, cast_truth *truth,
                          const proved_cast *x) {
  if (x->start_relation != truth->starts) return "WRONG START";
  if (x->outcome == GRAZE_POSSIBLE) return "POSSIBLE, of polytopes";
  if (truth->hit && x->outcome == GRAZE_CLEAR) return "FALSE CLEAR";
  if (!truth->hit && x->outcome == GRAZE_HIT) return "FALSE HIT";
  if (x->outcome != GRAZE_HIT && x->outcome != GRAZE_CLEAR) return "no result";
  return truth->hit ? validate_hit(other, m, truth, x) : validate_clear(o, other, m, truth, x);
}

void print_cast_result(FILE *out, const proved_cast *x) {
  fprintf(out, "  cast: result %d, starts %d, t [%.17g, %.17g], least [%.17g, %.17g] at %.17g\n", (int)x->outcome,
          (int)x->start_relation, x->t_lower, x->t_upper, x->min_lower, x->min_upper, x->t_min);
  fprintf(out,
          "  point (%.17g, %.17g, %.17g), normal (%.17g, %.17g, %.17g), certificate %d %d, %d iterations, exact %d\n",
          x->point.x, x->point.y, x->point.z, x->normal.x, x->normal.y, x->normal.z, (int)x->certificate.kind,
          x->certificate.pair_count, x->iterations, x->exact);
}
