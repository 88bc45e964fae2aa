/* Conditions that the result of a rotating cast must satisfy. */
#include "support/oracle/validate_sweep.h"

#include <float.h>

#include "support/geometry.h"

enum { REFINEMENTS = 12 };

/* The bounding radius of the core. */
static double extent(const graze_shape *s) {
  double most = 0;
  for (int i = 0; i < oracle_core_count(s); i++) most = fmax(most, vector_length(oracle_core_vertex(s, i)));
  return most;
}

/* A ball about the position, or a point there, does not turn. */
static bool turns(const turning_query *m) {
  return (vector_length(m->motion_a.angular) > 0 && extent(m->a) > 0) ||
         (vector_length(m->motion_b.angular) > 0 && extent(m->b) > 0);
}

static bool has_plane(const turning_query *m) { return m->a->kind == GRAZE_HALFSPACE || m->b->kind == GRAZE_HALFSPACE; }

double turning_query_size(const turning_query *m) {
  return pair_scale(m->a, m->b, 0) + vector_length(sub(m->pose_a.position, m->pose_b.position)) + m->clearance;
}

double turning_query_speed(const turning_query *m) {
  double turning = vector_length(m->motion_a.angular) * pair_scale(m->a, m->a, 0);
  turning += vector_length(m->motion_b.angular) * pair_scale(m->b, m->b, 0);
  return turning + vector_length(sub(m->motion_a.velocity, m->motion_b.velocity));
}

double turning_query_end(const turning_query *m) {
  double turning = vector_length(m->motion_a.angular) + vector_length(m->motion_b.angular);
  double speed = vector_length(sub(m->motion_a.velocity, m->motion_b.velocity));
  if (isfinite(m->t_max)) return m->t_max;
  if (speed > 0) return fmin((has_plane(m) ? 64 : 8) * turning_query_size(m) / speed, 1e300);
  return turning > 0 ? fmin(64 / turning, 1e300) : 1;
}

graze_pose rounded_pose_after(const graze_pose *pose, const graze_motion *m, double t) {
  graze_vec w = m->angular;
  double rate = vector_length(w), half = rate * t / 2, c = cos(half), s = rate > 0 ? sin(half) / rate : 0;
  double x = s * w.x, y = s * w.y, z = s * w.z;
  graze_pose out = *pose;
  out.position = add_scaled(pose->position, t, m->velocity);
  if (!(rate > 0)) return out;
  out.w = c * pose->w - x * pose->x - y * pose->y - z * pose->z;
  out.x = c * pose->x + x * pose->w + y * pose->z - z * pose->y;
  out.y = c * pose->y + y * pose->w + z * pose->x - x * pose->z;
  out.z = c * pose->z + z * pose->w + x * pose->y - y * pose->x;
  return out;
}

bool turning_query_solve(oracle *o, const turning_query *m, double t) {
  const oracle_turning motion = {m->motion_a, m->motion_b, t};
  return oracle_solve_turning(o, m->a, &m->pose_a, m->b, &m->pose_b, m->clearance, &motion);
}

/* ---- moments */

/* As graze_distance() finds it, in the frame of A's position, so that a pair far from the origin loses nothing. */
static int sign_in_doubles(const turning_query *m, double t, double *distance) {
  const double end = turning_query_end(m);
  const double angle = (vector_length(m->motion_a.angular) + vector_length(m->motion_b.angular)) * end;
  const double path = vector_length(sub(m->motion_a.velocity, m->motion_b.velocity)) * end;
  const double blur = 2e-13 * turning_query_size(m) + 1e-15 * (path + angle * pair_scale(m->a, m->b, 0)) + 1e-320;
  const graze_motion turn = {{0, 0, 0}, m->motion_a.angular};
  const graze_motion move = {sub(m->motion_b.velocity, m->motion_a.velocity), m->motion_b.angular};
  graze_pose pose_a = m->pose_a, pose_b = m->pose_b;
  graze_options options = graze_default_options();
  proved_answer x;
  pose_b.position = sub(pose_b.position, pose_a.position);
  pose_a.position = turn.velocity;
  options.clearance = m->clearance;
  const graze_placed a = graze_place(m->a, rounded_pose_after(&pose_a, &turn, t));
  const graze_placed b = graze_place(m->b, rounded_pose_after(&pose_b, &move, t));
  *distance = INFINITY;
  if (query_distance(&a, &b, &options, &x) != GRAZE_OK) return 1;
  *distance = x.distance;
  return (x.lower > blur) - (x.upper < -blur);
}

int turning_query_sign(oracle *o, const turning_query *m, double t, double *distance) {
  if (!o) return sign_in_doubles(m, t, distance);
  (void)turning_query_solve(o, m, t);
  *distance = oracle_distance(o);
  return oracle_surely(o, 0);
}

/* Ternary search for the time of the least distance. */
static bool overlaps_about(oracle *o, const turning_query *m, double low, double high) {
  double left, right;
  for (int i = 0; i < REFINEMENTS; i++) {
    const double s = low + (high - low) / 3, t = high - (high - low) / 3;
    if (turning_query_sign(o, m, s, &left) < 0 || turning_query_sign(o, m, t, &right) < 0) return true;
    if (left < right)
      high = t;
    else
      low = s;
  }
  return false;
}

/* Whether the bodies certainly overlap at a tested time in [0, end]: `moments` equal steps, then a search about the
 * nearest time (in doubles, about the two nearest). */
static bool overlaps_until(oracle *o, const turning_query *m, double end, int moments) {
  double best[2] = {INFINITY, INFINITY}, at[2] = {0, 0}, step = end / moments, distance;
  for (int i = 0; i <= moments; i++) {
    const double t = i < moments ? i * step : end;
    if (turning_query_sign(o, m, t, &distance) < 0) return true;
    const int k = distance < best[0] ? 0 : 1;
    if (k == 0 && fabs(t - at[0]) > 2 * step) best[1] = best[0], at[1] = at[0];
    if (distance < best[k]) best[k] = distance, at[k] = t;
  }
  for (int k = 0; k < (o ? 1 : 2) && end > 0; k++)
    if (overlaps_about(o, m, fmax(at[k] - step, 0), fmin(at[k] + step, end))) return true;
  return false;
}

/* The bodies certainly overlap at the end of the bracket. For a linear cast, which may pass a corner, and in doubles,
 * it suffices that they possibly touch at some time of the bracket. */
static bool meets_between(oracle *o, const turning_query *m, double from, double to, graze_algorithm path) {
  double distance;
  if (o && (path == GRAZE_ALGORITHM_SWEEP || path == GRAZE_ALGORITHM_CA))
    return turning_query_sign(o, m, to, &distance) < 0;
  for (int i = 4; i >= 0; i--)
    if (turning_query_sign(o, m, i == 4 ? to : from + (to - from) * i / 4, &distance) <= 0) return true;
  return false;
}

/* ---- steps */

/* Separated at t by more than the error of the chords. Only its normal can separate a half-space. */
static bool separated_at(oracle *o, const turning_query *m, double t, graze_vec direction, double sagitta) {
  (void)turning_query_solve(o, m, t);
  return has_plane(m) ? oracle_surely(o, sagitta) > 0 : oracle_surely_separates(o, direction, sagitta);
}

static const char *validate_step(oracle *o, const turning_query *m, const double lever[2], const graze_cast_step *s) {
  graze_vec d = s->direction;
  if (!isfinite(s->from) || !isfinite(s->to) || !(s->from < s->to)) return "a step that is no interval";
  if (!isfinite(d.x) || !isfinite(d.y) || !isfinite(d.z)) return "a step with a direction that is not finite";
  if (m->a->dim == 2 && d.z != 0) return "a step with a direction out of the plane";
  double sagitta = oracle_sagitta(lever[0], m->motion_a.angular, s->from, s->to);
  sagitta += oracle_sagitta(lever[1], m->motion_b.angular, s->from, s->to);
  if (!separated_at(o, m, s->from, d, sagitta)) return "STEP: not free from its beginning";
  return separated_at(o, m, s->to, d, sagitta) ? NULL : "STEP: not free to its end";
}

/* The bounding spheres are separated at t, by much more than the rounding errors, and move away from each other. */
static bool only_part(const turning_query *m, double t) {
  graze_vec v = sub(m->motion_b.velocity, m->motion_a.velocity);
  graze_vec p = add_scaled(sub(m->pose_b.position, m->pose_a.position), t, v);
  double radii = pair_scale(m->a, m->a, 0) + pair_scale(m->b, m->b, 0) + m->clearance;
  double center_distance = vector_length(p), speed = vector_length(v);
  double lost = 1e-15 * (vector_length(m->pose_a.position) + vector_length(m->pose_b.position) + speed * t);
  if (has_plane(m) || !(center_distance > 1.1 * radii + 10 * lost) || !(speed > 0)) return false;
  return p.x / center_distance * (v.x / speed) + p.y / center_distance * (v.y / speed) +
             p.z / center_distance * (v.z / speed) >
         0.1;
}

static const char *validate_steps(oracle *o, const turning_query *m, const graze_cast_step *steps, size_t count,
                                  double end) {
  const double lever[2] = {oracle_lever(m->a, &m->pose_a, m->motion_a.angular),
                           oracle_lever(m->b, &m->pose_b, m->motion_b.angular)};
  double until = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == 0 ? steps[i].from != 0 : !(steps[i].from >= steps[i - 1].from)) return "STEP: not in order";
    if (!(steps[i].from <= until)) return "STEP: a gap";
    const char *why = validate_step(o, m, lever, &steps[i]);
    if (why) return why;
    until = steps[i].to;
  }
  return until >= end || only_part(m, until) ? NULL : "STEP: they end too early";
}

/* ---- numbers for use */

static const char *validate_numbers(oracle *o, const turning_query *m, const proved_cast *x) {
  double late = turning_query_speed(m) * (x->t_upper - x->t_lower), size = turning_query_size(m);
  double magnitude = size + vector_length(m->pose_a.position) + vector_length(m->motion_a.velocity) * x->t +
                     vector_length(m->motion_b.velocity) * x->t;
  double angle = (vector_length(m->motion_a.angular) + vector_length(m->motion_b.angular)) * x->t;
  double off = 1e-9 * size + 1e-14 * (magnitude + size * angle) + late + 1e-315;
  if (!(fabs(vector_length(x->normal) - 1) <= 1e-12)) return "the normal is not a unit vector";
  (void)turning_query_solve(o, m, x->t);
  if (!has_plane(m) && !oracle_ends_overlap(o, x->normal, off)) return "the normal does not separate at t";
  const char *why = validate_near(o, m->a, &m->pose_a, m->motion_a, x->t, x->point, m->clearance + off);
  return why ? why : validate_near(o, m->b, &m->pose_b, m->motion_b, x->t, x->point, m->clearance + off);
}

/* ---- results */

static const char *validate_form_of(const turning_query *m, const proved_cast *x) {
  bool clear = x->outcome == GRAZE_CLEAR;
  if (!clear && x->outcome != GRAZE_HIT && x->outcome != GRAZE_POSSIBLE) return "no result";
  if (clear && (!isnan(x->t) || !isnan(x->t_lower) || !isnan(x->t_upper))) return "clear, but with a time";
  if (clear && (!all_nan(x->point) || !all_nan(x->normal))) return "clear, but with a point";
  if (turns(m) && !(isnan(x->min_lower) && isnan(x->min_upper) && isnan(x->t_min))) return "a least distance";
  if (!clear && !(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= m->t_max)) return "times out of order";
  if (!clear && x->t != x->t_lower) return "t is not t_lower";
  double t = clear ? fmin(m->t_max, DBL_MAX) : x->t;
  const char *why = validate_position(x->position_a, m->pose_a.position, m->motion_a.velocity, t);
  return why ? why : validate_position(x->position_b, m->pose_b.position, m->motion_b.velocity, t);
}

static const char *validate_start(oracle *o, const turning_query *m, const proved_cast *x) {
  double distance;
  if (o && !turning_query_solve(o, m, 0)) return "the oracle does not support these shapes";
  const int sign = turning_query_sign(o, m, 0, &distance);
  const graze_relation sure = sign > 0 ? GRAZE_SEPARATED : sign < 0 ? GRAZE_OVERLAPPING : GRAZE_TOUCHING;
  if (x->start_relation != sure && (o || sign != 0)) return "WRONG START";
  if (x->start_relation != GRAZE_OVERLAPPING) return NULL;
  return x->outcome == GRAZE_HIT && x->t_upper == 0 ? NULL : "overlapping at first, but no hit at 0";
}

static const char *validate_contact(oracle *o, const turning_query *m, const proved_cast *x) {
  if (!(x->t_lower >= 0 && x->t_lower <= x->t_upper && x->t_upper <= m->t_max)) return "times out of order";
  if (x->start_relation == GRAZE_SEPARATED && x->t_upper == 0) return "separated at first, but a hit at 0";
  return meets_between(o, m, x->t_lower, x->t_upper, x->algorithm) ? NULL : "BRACKET MISSES: no contact in it";
}

const char *validate_sweep_bracket(oracle *o, const turning_query *m, int moments, const proved_cast *x) {
  const char *why = validate_start(o, m, x);
  if (why || x->start_relation == GRAZE_OVERLAPPING) return why;
  double end = x->outcome == GRAZE_CLEAR ? m->t_max : x->t_lower;
  if (overlaps_until(o, m, fmin(end, turning_query_end(m)), moments))
    return x->outcome == GRAZE_CLEAR ? "FALSE CLEAR" : "OVERLAP BEFORE t_lower";
  if (x->outcome == GRAZE_HIT) why = validate_contact(o, m, x);
  if (why || x->certificate.step_count == 0 || !o) return why;
  return validate_steps(o, m, x->certificate.steps, x->certificate.step_count, end);
}

const char *validate_sweep(oracle *o, const turning_query *m, int moments, const proved_cast *x) {
  const char *why = validate_form_of(m, x);
  if (!why) why = validate_sweep_bracket(o, m, moments, x);
  if (why || x->start_relation == GRAZE_OVERLAPPING || x->outcome != GRAZE_HIT || !o) return why;
  return validate_numbers(o, m, x);
}
