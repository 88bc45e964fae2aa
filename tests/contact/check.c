#include "contact/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

graze_vec check_vec(double x, double y, double z) {
  graze_vec v = {x, y, z};
  return v;
}

double check_dot(graze_vec u, graze_vec v) { return u.x * v.x + u.y * v.y + u.z * v.z; }

graze_vec check_along(graze_vec from, double step, graze_vec direction) {
  return check_vec(from.x + step * direction.x, from.y + step * direction.y, from.z + step * direction.z);
}

double check_far(graze_vec u, graze_vec v) {
  graze_vec d = check_along(u, -1, v);
  return sqrt(check_dot(d, d));
}

static double check_size(const graze_placed *p) { return p->shape.kind == GRAZE_HALFSPACE ? 0 : p->reach + p->radius; }

double check_scale(const check_manifold *m) {
  double scale = fmax(check_size(&m->a), check_size(&m->b));
  return isnan(m->answer.distance) ? scale : fmax(scale, fabs(m->answer.distance));
}

graze_pose check_compose(graze_pose p, graze_pose q) {
  graze_vec u = check_vec(p.x, p.y, p.z), v = q.position;
  double square = p.w * p.w + check_dot(u, u);
  graze_vec t = check_vec(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x);
  graze_vec s = check_vec(u.y * t.z - u.z * t.y, u.z * t.x - u.x * t.z, u.x * t.y - u.y * t.x);
  graze_vec at = check_along(check_along(v, 2 * p.w / square, t), 2 / square, s);
  return graze_pose3(check_along(p.position, 1, at), p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                     p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                     p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w);
}

/* splitmix64 */
graze_pose random_unit_pose(uint64_t *state, double spread) {
  double q[4], square;
  do {
    square = 0;
    for (int i = 0; i < 4; i++) q[i] = rng_uniform(state, -1, 1), square += q[i] * q[i];
  } while (square > 1 || square < 0.01);
  double x = rng_uniform(state, -spread, spread), y = rng_uniform(state, -spread, spread);
  return graze_pose3(check_vec(x, y, rng_uniform(state, -spread, spread)), q[0], q[1], q[2], q[3]);
}

/* How far the point lies outside. */
static double check_outside(const graze_placed *placed, graze_vec point, double clearance) {
  graze_shape shape = placed->shape.dim == 2 ? graze_circle(clearance) : graze_sphere(clearance);
  graze_placed at = graze_place(&shape, graze_pose_at(point.x, point.y, point.z));
  graze_answer answer;
  assert_int_equal(graze_distance(&at, placed, NULL, &answer), GRAZE_OK);
  return answer.lower;
}

static double check_largest(const check_manifold *m) {
  double largest = check_scale(m);
  for (size_t i = 0; i < m->count; i++) {
    graze_vec p = m->contact[i].point_a;
    largest = fmax(largest, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
  }
  return largest;
}

/* The answer's own points are no nearer to the truth than this: curved shapes. */
static double check_mismatch(const check_manifold *m, double clearance) {
  const graze_answer *answer = &m->answer;
  double off = check_far(check_along(answer->point_a, answer->distance, answer->normal), answer->point_b);
  off = fmax(off, check_outside(&m->a, answer->point_a, clearance));
  return fmax(off, check_outside(&m->b, answer->point_b, 0));
}

static void check_contact(const check_manifold *m, const graze_contact *c, double clearance) {
  double scale = check_scale(m), large = check_largest(m);
  graze_vec end = check_along(c->point_a, -c->depth, m->answer.normal);
  if (check_far(end, c->point_b) > 4e-15 * large)
    fail_msg("point_b - point_a is off by %g", check_far(end, c->point_b));
  double out_a = check_outside(&m->a, c->point_a, clearance), out_b = check_outside(&m->b, c->point_b, 0);
  double allowed = 1e-9 * scale + 4e-16 * large + check_mismatch(m, clearance) + 1e-322;
  if (out_a > allowed || out_b > allowed) fail_msg("outside by %g and %g of %g", out_a, out_b, scale);
}

static void check_same_again(const check_manifold *m, const graze_options *options, size_t capacity) {
  graze_contact again[CHECK_ROOM];
  graze_answer answer;
  size_t count;
  assert_int_equal(graze_manifold(&m->a, &m->b, options, &answer, again, capacity, &count), GRAZE_OK);
  assert_int_equal(count, m->count);
  if (count > 0) assert_memory_equal(again, m->contact, count * sizeof again[0]);
  assert_int_equal(graze_distance(&m->a, &m->b, options, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, m->answer.relation);
  if (!isnan(answer.distance)) assert_true(answer.distance == m->answer.distance);
  if (!isnan(answer.distance)) assert_memory_equal(&answer.normal, &m->answer.normal, sizeof answer.normal);
}

static bool check_is_curved(const graze_placed *p) {
  return p->shape.kind == GRAZE_ELLIPSOID || p->shape.kind == GRAZE_CYLINDER || p->shape.kind == GRAZE_CONE;
}

void check_ask(check_manifold *m, const graze_options *options, size_t capacity) {
  double clearance = options ? options->clearance : 0;
  assert_true(capacity <= CHECK_ROOM);
  m->count = 777;
  assert_int_equal(graze_manifold(&m->a, &m->b, options, &m->answer, m->contact, capacity, &m->count), GRAZE_OK);
  assert_true(m->count <= capacity);
  check_same_again(m, options, capacity);
  assert_int_equal(m->count == 0, m->answer.stopped == GRAZE_STOP_CUTOFF);
  double deepest = -INFINITY, scale = check_scale(m);
  for (size_t i = 0; i < m->count; i++) {
    check_contact(m, &m->contact[i], clearance);
    deepest = fmax(deepest, m->contact[i].depth);
    for (size_t k = 0; k < i; k++) assert_true(m->contact[i].feature != m->contact[k].feature);
  }
  bool curved = check_is_curved(&m->a) || check_is_curved(&m->b);
  double allowed = (curved || capacity < CHECK_ROOM ? 1.01e-6 : 1.01e-9) * scale;
  if (m->answer.stopped != GRAZE_STOP_NONE) allowed += m->answer.upper - m->answer.lower;
  if (m->count > 0 && fabs(deepest + m->answer.distance) > allowed)
    fail_msg("deepest %g, distance %g, scale %g", deepest, m->answer.distance, scale);
}

void check_points(const check_manifold *m, const graze_vec *points, size_t count) {
  assert_int_equal(m->count, count);
  for (size_t i = 0; i < count; i++) {
    double nearest = INFINITY;
    for (size_t k = 0; k < m->count; k++) nearest = fmin(nearest, check_far(points[i], m->contact[k].point_a));
    if (nearest > 1e-9) fail_msg("no contact at (%g, %g, %g)", points[i].x, points[i].y, points[i].z);
  }
}
