#include "narrow/check.h"

#include "support/query.h"
#include "support/shapes.h"

graze_pose check_compose(graze_pose p, graze_pose q) {
  const graze_vec u = vec(p.x, p.y, p.z), v = q.position, t = cross(u, v);
  const double square = p.w * p.w + dot(u, u);
  const graze_vec at = add_scaled(add_scaled(v, 2 * p.w / square, t), 2 / square, cross(u, t));
  return graze_pose3(add(p.position, at), p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                     p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                     p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w);
}

graze_pose check_turned(double x, double y, double z, double angle) {
  double w, s;
  graze_half_angle(angle, &w, &s);
  return graze_pose3(vec(x, y, z), w, 0, 0, s);
}

graze_pose random_unit_pose(uint64_t *state, double spread) {
  double q[4], square;
  do {
    square = 0;
    for (int i = 0; i < 4; i++) q[i] = rng_uniform(state, -1, 1), square += q[i] * q[i];
  } while (square > 1 || square < 0.01);
  return graze_pose3(rng_vec(state, 3, spread), q[0], q[1], q[2], q[3]);
}

static double size_of(const graze_placed *p) {
  return p->shape.kind == GRAZE_HALFSPACE ? 0 : p->hidden.bounding_radius + p->hidden.radius;
}

static double scale_of(const check_manifold *m) {
  const double scale = fmax(size_of(&m->a), size_of(&m->b));
  return isnan(m->answer.distance) ? scale : fmax(scale, fabs(m->answer.distance));
}

/* How far the point lies outside. */
static double outside(const graze_placed *placed, graze_vec point, double clearance) {
  const graze_placed at = placed_at(ball_of(placed->shape.dim, clearance), point.x, point.y, point.z);
  proved_answer answer;
  assert_int_equal(query_distance(&at, placed, NULL, &answer), GRAZE_OK);
  return answer.lower;
}

static double largest_coordinate(const check_manifold *m) {
  double largest = scale_of(m);
  for (size_t i = 0; i < m->count; i++) {
    const graze_vec p = m->contact[i].point_a;
    largest = fmax(largest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
  }
  return largest;
}

/* The error of the answer's own points, for curved shapes. */
static double answer_error(const check_manifold *m, double clearance) {
  const proved_answer *x = &m->answer;
  const double off = norm(sub(add_scaled(x->point_a, x->distance, x->normal), x->point_b));
  return fmax(off, fmax(outside(&m->a, x->point_a, clearance), outside(&m->b, x->point_b, 0)));
}

static void check_contact(const check_manifold *m, const graze_contact *c, double clearance) {
  const double large = largest_coordinate(m);
  const double off = norm(sub(add_scaled(c->point_a, -c->depth, m->answer.normal), c->point_b));
  const double out = fmax(outside(&m->a, c->point_a, clearance), outside(&m->b, c->point_b, 0));
  const double allowed = 1e-9 * scale_of(m) + 4e-16 * large + answer_error(m, clearance) + 1e-322;
  if (off > 4e-15 * large) fail_msg("point_b - point_a is off by %g", off);
  if (out > allowed) fail_msg("outside by %g, allowed %g", out, allowed);
}

static void check_same_again(const check_manifold *m, const graze_manifold_options *options, size_t capacity) {
  graze_contact again[CHECK_CAPACITY];
  proved_answer answer;
  size_t count;
  assert_int_equal(query_manifold(&m->a, &m->b, options, &answer, again, capacity, &count), GRAZE_OK);
  assert_int_equal(count, m->count);
  if (count > 0) assert_memory_equal(again, m->contact, count * sizeof again[0]);
  graze_options same = graze_default_options();
  if (options) same.clearance = options->clearance;
  assert_int_equal(query_distance(&m->a, &m->b, &same, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, m->answer.relation);
  if (isnan(answer.distance)) return;
  assert_true(answer.distance == m->answer.distance && same_vec(answer.normal, m->answer.normal));
}

static bool is_curved(const graze_placed *p) {
  return p->shape.kind == GRAZE_ELLIPSOID || p->shape.kind == GRAZE_CYLINDER || p->shape.kind == GRAZE_CONE;
}

void check_query(check_manifold *m, const graze_manifold_options *options, size_t capacity) {
  const double clearance = options ? options->clearance : 0;
  assert_true(capacity <= CHECK_CAPACITY);
  m->count = 777;
  assert_int_equal(query_manifold(&m->a, &m->b, options, &m->answer, m->contact, capacity, &m->count), GRAZE_OK);
  assert_true(m->count <= capacity);
  check_same_again(m, options, capacity);
  assert_int_equal(m->count == 0, m->answer.lower > (options ? options->speculative_distance : 0));
  double deepest = -INFINITY;
  for (size_t i = 0; i < m->count; i++) {
    check_contact(m, &m->contact[i], clearance);
    deepest = fmax(deepest, m->contact[i].depth);
    for (size_t k = 0; k < i; k++) assert_true(m->contact[i].feature != m->contact[k].feature);
  }
  const bool curved = is_curved(&m->a) || is_curved(&m->b);
  double allowed = (curved || capacity < CHECK_CAPACITY ? 1.01e-6 : 1.01e-9) * scale_of(m);
  if (m->answer.stopped != GRAZE_STOP_NONE) allowed += m->answer.upper - m->answer.lower;
  if (m->count > 0 && fabs(deepest + m->answer.distance) > allowed)
    fail_msg("deepest %g, distance %g, allowed %g", deepest, m->answer.distance, allowed);
}

void check_nearest(check_manifold *m, size_t capacity) {
  graze_manifold_options options = graze_default_manifold_options();
  assert_int_equal(query_distance(&m->a, &m->b, NULL, &m->answer), GRAZE_OK);
  if (m->answer.upper > 0) /* rounding may tilt faces that meet */
    options.speculative_distance = m->answer.upper + (m->answer.upper - m->answer.lower) + 2e-10 * scale_of(m);
  check_query(m, &options, capacity);
}

void check_place(check_manifold *m, graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  m->a = graze_place(&a, pose_a), m->b = graze_place(&b, pose_b);
}

void check_pair(check_manifold *m, graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  check_place(m, a, pose_a, b, pose_b);
  check_query(m, NULL, CHECK_CAPACITY);
  check_nearest(m, CHECK_CAPACITY);
}

void check_points(const check_manifold *m, const graze_vec *points, size_t count) {
  assert_int_equal(m->count, count);
  for (size_t i = 0; i < count; i++) {
    double nearest = INFINITY;
    for (size_t k = 0; k < m->count; k++) nearest = fmin(nearest, norm(sub(points[i], m->contact[k].point_a)));
    if (nearest > 1e-9) fail_msg("no contact at (%g, %g, %g)", points[i].x, points[i].y, points[i].z);
  }
}
