/* Moving obstacles and the times that planes allow, against rational arithmetic (GMP), at all magnitudes.
 * docs/theory/cast.md, "Rounding". */

#include "ccd/ccd.h"
#include "core/vec.h"
#include "shape/motion.h"
#include "support/framed.h"
#include "support/query.h"
#include "support/rational.h"
#include "support/shapes.h"

static const uint64_t seed_of = 0x1d872b41ff1ac6e5u;
static uint64_t state;

/* ---- The truth */

enum { VERTICES = 5 };

/* The vertices at time 0, and the velocity of A relative to B; s and t are scratch of the helpers below. */
static struct { mpq_t a[VERTICES][3], b[VERTICES][3], speed[3], w[3], s, t, most, projection; } n;

static void each_number(void (*work)(mpq_ptr x)) {
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < VERTICES; k++) work(n.a[k][i]), work(n.b[k][i]);
    work(n.speed[i]), work(n.w[i]);
  }
  work(n.s), work(n.t), work(n.most), work(n.projection);
}

static int set_up(void **test_state) {
  (void)test_state;
  state = seed_of;
  each_number(mpq_init);
  return 0;
}

static int tear_down(void **test_state) {
  (void)test_state;
  each_number(mpq_clear);
  return 0;
}

static double part_of(graze_vec v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* x *= f; sum += f·x. */
static void times(mpq_t x, double f) {
  mpq_set_d(n.t, f);
  mpq_mul(x, x, n.t);
}

static void add_times(mpq_t sum, double f, mpq_t x) {
  mpq_set_d(n.t, f);
  mpq_mul(n.t, n.t, x);
  mpq_add(sum, sum, n.t);
}

/* n.w = unit·(a - b + time·speed). */
static void true_point(double unit, int a, int b, double time) {
  for (int i = 0; i < 3; i++) {
    mpq_sub(n.w[i], n.a[a][i], n.b[b][i]);
    add_times(n.w[i], time, n.speed[i]);
    times(n.w[i], unit);
  }
}

/* n.projection = d·v. */
static void true_dot(graze_vec d, mpq_t v[3]) {
  mpq_set_ui(n.projection, 0, 1);
  for (int i = 0; i < 3; i++) add_times(n.projection, part_of(d, i), v[i]);
}

/* n.most = max d·w over all of them at this time, in units of `unit`. */
static void true_most(graze_vec d, double unit, double time) {
  true_dot(d, n.speed);
  times(n.projection, time);
  mpq_set(n.most, n.projection);
  for (int body = 0; body < 2; body++) {
    for (int k = 0; k < VERTICES; k++) {
      true_dot(body == 0 ? d : vec_neg(d), body == 0 ? n.a[k] : n.b[k]);
      if (k == 0 || mpq_cmp(n.projection, n.s) > 0) mpq_set(n.s, n.projection);
    }
    mpq_add(n.most, n.most, n.s);
  }
  times(n.most, unit);
}

/* ---- Queries */

typedef struct query {
  int dim;
  graze_vec va[VERTICES], vb[VERTICES];
  grz_moved a, b;
  graze_vec velocity_a, velocity_b;
  double from, to; /* of a and b in motion */
} query;

/* Ranges of the binary exponents of vertices, positions, velocities and times. */
typedef struct magnitudes {
  int near[2], distance[2], speed[2], time[2];
} magnitudes;

static const magnitudes kinds[] = {
    {{-2, 2}, {-2, 2}, {-2, 2}, {-2, 2}},                         /* all about 1 */
    {{-2, 2}, {-8, -4}, {-8, -4}, {-2, 2}},                       /* the cores are large: rotation errors dominate */
    {{-2, 2}, {-20, 20}, {-20, 20}, {-20, 20}},                   /* anything */
    {{-10, -8}, {-2, 2}, {2, 3}, {-2, -1}},                       /* far away, and moving back */
    {{-30, -20}, {-40, -30}, {-2, 2}, {-2, 2}},                   /* the path is long */
    {{-1074, -1068}, {-1074, -1068}, {-540, -530}, {-540, -530}}, /* products underflow */
    {{-1070, -900}, {-1070, -900}, {-900, 130}, {-1074, -1000}},  /* tiny and fast */
    {{-1070, -900}, {-1070, -900}, {-1074, -1000}, {90, 130}},    /* tiny and slow */
    {{80, 130}, {80, 130}, {90, 130}, {90, 130}},                 /* as large as it may be */
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void query_make(query *q, const magnitudes *m, int trial) {
  q->dim = trial % 4 == 0 ? 2 : 3;
  for (int i = 0; i < VERTICES; i++) {
    q->va[i] = rng_magnitude_vec(&state, q->dim, m->near[0], m->near[1]);
    q->vb[i] = rng_magnitude_vec(&state, q->dim, m->near[0], m->near[1]);
  }
  const graze_shape a = hull_of(q->dim, q->va, VERTICES), b = hull_of(q->dim, q->vb, VERTICES);
  graze_pose pose[4];
  for (int i = 0; i < 4; i++) {
    pose[i] = random_extreme_pose(&state, q->dim);
    pose[i].position = rng_magnitude_vec(&state, q->dim, m->distance[0], m->distance[1]);
  }
  for (int body = 0; body < 2; body++) { /* parts of compounds: A, both, or none */
    graze_frame frame;
    graze_placed placed = posed(body ? b : a, pose[body]);
    assert_int_equal(placed.status, GRAZE_OK);
    if (trial % 3 == 0 && (body == 0 || trial % 5 == 0)) placed = part_in(&placed, pose[2 + body], &frame);
    grz_moved_make(body ? &q->b : &q->a, &placed);
  }
  q->velocity_a = rng_magnitude_vec(&state, q->dim, m->speed[0], m->speed[1]);
  q->velocity_b = rng_magnitude_vec(&state, q->dim, m->speed[0], m->speed[1]);
  if (trial % 5 == 0) q->velocity_b = q->velocity_a; /* nearly the same, or the same */
  if (trial % 10 == 0) q->velocity_b.x *= 1 + 0x1p-40;
}

/* The exact vertices and velocity of a query. */
static void query_truth(const query *q) {
  for (int k = 0; k < VERTICES; k++) {
    rational_world(n.a[k], &q->a.placed, q->va[k]);
    rational_world(n.b[k], &q->b.placed, q->vb[k]);
  }
  for (int i = 0; i < 3; i++) {
    mpq_set_d(n.speed[i], part_of(q->velocity_a, i));
    mpq_set_d(n.t, part_of(q->velocity_b, i));
    mpq_sub(n.speed[i], n.speed[i], n.t);
  }
}

/* ---- Errors of the obstacle */

/* |w' - w| in units of u·size. */
static double point_off(const grz_obstacle *c, graze_vec at) {
  double off[3];
  for (int i = 0; i < 3; i++) {
    mpq_set_d(n.t, part_of(at, i));
    mpq_sub(n.t, n.t, n.w[i]);
    off[i] = mpq_get_d(n.t) / (GRZ_U * c->size);
  }
  return norm(vec(off[0], off[1], off[2]));
}

/* By how much, in units of u·size, the farthest true point of the swept obstacle lies beyond the support value. */
static double support_off(const query *q, const grz_obstacle *c, graze_vec d, double gap) {
  double off[2];
  const graze_vec unit = scaled(1 / norm(d), d); /* off by 2u, of 14u to spare */
  for (int i = 0; i < 2; i++) {
    true_most(unit, c->unit, i == 0 ? q->from : q->to);
    mpq_set_d(n.t, gap);
    mpq_add(n.t, n.t, n.most);
    off[i] = mpq_get_d(n.t) / (GRZ_U * c->size);
  }
  return fmax(off[0], off[1]);
}

typedef struct errors {
  double point, passing, support;
} errors;

/* The errors of a support point at its end, of the support value, and of a moving point. All are within the bounds of
 * the theory. */
static errors measure(const query *q, graze_vec d, double share) {
  grz_obstacle c;
  grz_cso_point p;
  errors e = {0, 0, 0};
  double slack = 0, gap, time = q->to * share;
  grz_obstacle_make(&c, &q->a.placed, &q->b.placed, 0);
  gap = grz_obstacle_gap(&c, d, &p);
  true_point(c.unit, p.a.index, p.b.index, p.end ? q->to : q->from);
  e.point = point_off(&c, p.w);
  e.support = support_off(q, &c, d, gap);
  assert_true(e.point * GRZ_U * c.size <= 37.2 / 48 * c.point_error);
  assert_true(e.support * GRZ_U * c.size <= c.support_error - 12 * GRZ_U * c.size);
  graze_vec speed = vec_sub(q->velocity_a, q->velocity_b);
  grz_obstacle_make_for(&c, &q->a.placed, &q->b.placed, 0, speed, q->to);
  speed = vec_scale(speed, c.unit);
  if (!(vec_norm_inf(speed) < 0x1p1000)) return e; /* then the ray cast uses no result */
  p = grz_obstacle_support(&c, d, &slack);
  true_point(c.unit, p.a.index, p.b.index, time);
  e.passing = point_off(&c, vec_add(p.w, vec_scale(speed, time)));
  assert_true(e.passing * GRZ_U * c.size <= 37.2 / 48 * c.point_error);
  return e;
}

static void keep_worst(errors *worst, errors e) {
  worst->point = fmax(worst->point, e.point);
  worst->passing = fmax(worst->passing, e.passing);
  worst->support = fmax(worst->support, e.support);
}

/* Any direction, or one nearly perpendicular to the motion: then both ends are nearly equally far. */
static graze_vec some_direction(const query *q, bool across) {
  graze_vec d = rng_vec(&state, q->dim, 1), v = vec_sub(q->velocity_a, q->velocity_b);
  if (!across || vec_norm_inf(v) == 0) return d;
  v = vec_unit_inf(v);
  d = q->dim == 3 ? vec_cross(v, d) : vec(-v.y, v.x, 0);
  return vec_norm_inf(d) > 0x1p-20 ? d : vec(1, 0, 0);
}

static void some_times(query *q, const magnitudes *m, int trial) {
  double t[2];
  for (int i = 0; i < 2; i++) t[i] = fabs(rng_magnitude(&state, m->time[0], m->time[1]));
  q->from = fmin(t[0], t[1]), q->to = fmax(t[0], t[1]);
  if (trial % 4 == 1) q->from = 0, q->to = t[0];
  if (trial % 8 == 2) q->from = q->to = t[0];
  moving_between(&q->a, q->velocity_a, q->from, q->to);
  moving_between(&q->b, q->velocity_b, q->from, q->to);
}

/* A is long and thin, B is small, and they hardly move, so the error of the rotation is the largest. Perpendicular to
 * A, both of its ends are equally far. */
static void query_thin(query *q, int trial) {
  static const magnitudes m = {{-1, 0}, {-14, -12}, {-14, -12}, {-2, 0}};
  query_make(q, &m, trial | 1); /* 3D, and not at the same velocity everywhere */
  for (int k = 0; k < VERTICES; k++) {
    if (k > 1) q->va[k] = scaled(0x1p-8, q->va[k]);
    q->vb[k] = scaled(0x1p-8, q->vb[k]);
  }
  q->va[1] = scaled(-1, q->va[0]);
  const graze_placed a = posed(graze_hull_points(q->va, VERTICES), q->a.placed.pose),
                     b = posed(graze_hull_points(q->vb, VERTICES), q->b.placed.pose);
  grz_moved_make(&q->a, &a);
  grz_moved_make(&q->b, &b);
  some_times(q, &m, trial);
}

static void print_errors(const char *what, const errors *e) {
  print_message("%s: points %.2f at the ends, %.2f between, support %.2f u·S\n", what, e->point, e->passing,
                e->support);
}

/* Errors of random bodies, and of thin ones, whose errors are near the bounds. */
TEST_WITH(test_errors, set_up, tear_down) {
  errors any = {0, 0, 0}, thin = {0, 0, 0};
  query q;
  for (int trial = 0; trial < 300 * KINDS; trial++) {
    query_make(&q, &kinds[trial % KINDS], trial);
    some_times(&q, &kinds[trial % KINDS], trial);
    query_truth(&q);
    const graze_vec d = some_direction(&q, trial % 3 == 1);
    keep_worst(&any, measure(&q, d, rng_uniform(&state, 0, 1)));
  }
  for (int trial = 0; trial < 100 * 40; trial++) {
    if (trial % 40 == 0) query_thin(&q, trial / 40), query_truth(&q);
    const graze_vec axis = vec_rotate(q.a.placed.hidden.rotation, q.va[0], 3), other = rng_vec(&state, 3, 1);
    keep_worst(&thin, measure(&q, vec_unit_inf(vec_cross(axis, other)), 0.5));
  }
  print_errors("worst errors", &any);
  print_errors("of thin bodies", &thin);
  /* support selection and placement use the same rotation: most of its error cancels */
  assert_true(any.support > 0.01 * 136);
  assert_true(thin.point > 0.05 * 48 && thin.passing > 0.05 * 48);
}

/* ---- Times */

/* The bodies move nearly towards each other from a distance of a few sizes. */
static double query_colliding(query *q, const magnitudes *m, int trial, double *clearance) {
  query_make(q, m, trial);
  const int high = m->near[1] > m->distance[1] ? m->near[1] : m->distance[1], span = high > 100 ? 126 : high;
  graze_vec path = rng_vec(&state, q->dim, 1), aside = rng_vec(&state, q->dim, trial % 2 ? 0.25 : 0x1p-30);
  if (!(vec_norm_inf(path) > 0x1p-4)) path = vec(1, 0, 0);
  graze_vec *at = q->a.frame.hidden.is_part ? &q->a.frame.hidden.pose.position : &q->a.placed.pose.position;
  *(q->b.frame.hidden.is_part ? &q->b.frame.hidden.pose.position : &q->b.placed.pose.position) =
      vec_add(*at, vec_scale(path, ldexp(8, span)));
  *clearance = trial % 4 == 3 ? fabs(rng_magnitude(&state, m->near[0], m->near[1])) : 0;
  double speed = fabs(rng_magnitude(&state, m->speed[0], m->speed[1]));
  q->velocity_b = vec_scale(rng_vec(&state, q->dim, 1), speed);
  q->velocity_a = vec_add(vec_scale(vec_add(path, aside), speed), q->velocity_b);
  double end = ldexp(16 * rng_uniform(&state, 0.1, 1), span) / speed;
  return end < GRAZE_LARGEST ? end : GRAZE_LARGEST;
}

/* Is -most > r·|d|, in units of the obstacle? */
static bool truly_separated(const grz_obstacle *c, graze_vec d, double clearance, double time) {
  true_most(d, c->unit, time);
  if (mpq_sgn(n.most) >= 0) return false;
  mpq_mul(n.most, n.most, n.most);
  mpq_set_ui(n.s, 0, 1);
  for (int i = 0; i < 3; i++) {
    mpq_set_d(n.projection, part_of(d, i));
    add_times(n.s, part_of(d, i), n.projection);
  }
  for (int i = 0; i < 2; i++) times(n.s, clearance), times(n.s, c->unit);
  return mpq_cmp(n.most, n.s) > 0;
}

/* For each interval that the ray cast skips, its direction separates at both ends; until `end` if it reports a miss. */
TEST_WITH(test_times, set_up, tear_down) {
  int known = 0, never = 0, meets = 0, all = 0;
  for (int trial = 0; trial < 300 * KINDS; trial++) {
    query q;
    grz_obstacle c;
    double clearance, end = query_colliding(&q, &kinds[trial % KINDS], trial, &clearance);
    if (!(end > 0)) continue;
    query_truth(&q);
    graze_vec speed = vec_sub(q.velocity_a, q.velocity_b);
    grz_obstacle_make_for(&c, &q.a.placed, &q.b.placed, clearance, speed, end);
    grz_ray_cast cast = {.speed = vec_scale(speed, c.unit), .fast = vec_length(speed) * (1 + 8 * GRZ_U), .end = end};
    if (!(cast.fast > 0x1p-480)) cast.fast = vec_length_up(speed) * (1 + 8 * GRZ_U);
    cast.fast *= c.unit;
    grz_ray_cast_end result = grz_ray_cast_run(&cast, &c, vec_neg(c.offset), true);
    all++, known += cast.known, never += result == GRZ_RAY_CAST_MISS, meets += result == GRZ_RAY_CAST_HIT;
    if (!cast.known) continue;
    assert_true(cast.free >= 0 && cast.free <= end);
    assert_true(truly_separated(&c, cast.direction, clearance, 0));
    assert_true(truly_separated(&c, cast.direction, clearance, cast.free));
    if (result == GRZ_RAY_CAST_MISS && cast.shown) assert_true(truly_separated(&c, cast.direction, clearance, end));
  }
  print_message("of %d: a direction %d, never %d, surely meet %d\n", all, known, never, meets);
  assert_true(known > all * 8 / 10 && never > all / 20 && meets > all / 5);
}

/* The same pairs, cast and verified. */
TEST_WITH(test_casts, set_up, tear_down) {
  int results[4] = {0};
  for (int trial = 0; trial < 120 * KINDS; trial++) {
    query q;
    graze_cast_options options = graze_default_cast_options();
    double end = query_colliding(&q, &kinds[trial % KINDS], trial, &options.clearance);
    results[verified_cast(&q.a.placed, q.velocity_a, &q.b.placed, q.velocity_b, end, &options).outcome]++;
  }
  print_message("hit %d, clear %d, possible %d\n", results[1], results[2], results[3]);
  assert_true(results[GRAZE_HIT] > 300 && results[GRAZE_CLEAR] > 100 && results[GRAZE_POSSIBLE] == 0);
}
