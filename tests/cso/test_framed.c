/* Parts of compounds as any placed shape: the errors of the obstacle's points and support values against rational
 * arithmetic (GMP), answers that the verifier proves, and the same answers as for a shape in the same place where that
 * is representable. */

#include "support/test.h"
#include "cso/obstacle.h"
#include "shape/placed.h"
#include "support/rational.h"
#include "support/tier.h"

static const uint64_t seed_of = 0x6c24cf5c7a325381u;
static uint64_t state;

static graze_placed framed(graze_shape shape, graze_pose own, graze_pose frame, double margin) {
  graze_shape point = graze_with_margin(shape.dim == 2 ? graze_point2() : graze_point(), margin);
  graze_placed part = graze_place(&shape, own), whole = graze_place(&point, frame);
  assert_true(part.status == GRAZE_OK && whole.status == GRAZE_OK);
  grz_place_part(&part, &whole);
  return part;
}

/* ---- Errors. */

typedef struct numbers {
  mpq_t a[3], b[3], w[3], t, most, along;
} numbers;

static void numbers_make(numbers *n) {
  for (int i = 0; i < 3; i++) mpq_inits(n->a[i], n->b[i], n->w[i], NULL);
  mpq_inits(n->t, n->most, n->along, NULL);
}

static void numbers_free(numbers *n) {
  for (int i = 0; i < 3; i++) mpq_clears(n->a[i], n->b[i], n->w[i], NULL);
  mpq_clears(n->t, n->most, n->along, NULL);
}

static void true_point(numbers *n, const grz_obstacle *c, graze_vec a, graze_vec b) {
  rational_world(n->a, c->a, a);
  rational_world(n->b, c->b, b);
  mpq_set_d(n->t, c->unit);
  for (int i = 0; i < 3; i++) {
    mpq_sub(n->w[i], n->a[i], n->b[i]);
    mpq_mul(n->w[i], n->w[i], n->t);
  }
}

/* |w' - w| in units of u·size. */
static double point_off(numbers *n, const grz_obstacle *c, const grz_cso_point *p) {
  const double at[3] = {p->w.x, p->w.y, p->w.z};
  double off[3];
  true_point(n, c, p->a.local, p->b.local);
  for (int i = 0; i < 3; i++) {
    mpq_set_d(n->t, at[i]);
    mpq_sub(n->t, n->t, n->w[i]);
    off[i] = mpq_get_d(n->t) / (GRZ_U * c->size);
  }
  return sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]);
}

enum { VERTICES = 5 };

/* By how much, in units of u·size, the farthest true point of C lies beyond the support value as doubles see it. */
static double support_off(numbers *n, const grz_obstacle *c, const graze_vec *va, const graze_vec *vb, graze_vec d) {
  grz_cso_point p;
  const double along[3] = {d.x, d.y, d.z};
  double gap = grz_obstacle_gap(c, d, &p, c->dim), length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  for (int k = 0; k < VERTICES * VERTICES; k++) {
    true_point(n, c, va[k / VERTICES], vb[k % VERTICES]);
    mpq_set_ui(n->along, 0, 1);
    for (int i = 0; i < 3; i++) {
      mpq_set_d(n->t, along[i] / length); /* off by 2u, of 14u to spare */
      mpq_mul(n->t, n->t, n->w[i]);
      mpq_add(n->along, n->along, n->t);
    }
    if (k == 0 || mpq_cmp(n->along, n->most) > 0) mpq_set(n->most, n->along);
  }
  mpq_set_d(n->t, gap);
  mpq_add(n->t, n->t, n->most);
  return mpq_get_d(n->t) / (GRZ_U * c->size);
}

TEST(test_errors) {
  state = seed_of;
  numbers n;
  numbers_make(&n);
  double worst_point = 0, worst_support = 0;
  for (int trial = 0; trial < tiered(1200, 1200, 12000); trial++) {
    const int dim = trial % 4 == 0 ? 2 : 3;
    static const int ranges[][2] = {{-2, 2}, {-2, 2}, {-20, 20}, {-1074, -1068}, {-1070, -900}, {80, 130}};
    const int *near = ranges[trial % 6], *far = ranges[trial % 6 < 3 ? (int)(rng_bits(&state) % 3) : trial % 6];
    graze_vec va[VERTICES], vb[VERTICES];
    for (int i = 0; i < VERTICES; i++)
      va[i] = rng_magnitude_vec(&state, dim, near[0], near[1]),
      vb[i] = rng_magnitude_vec(&state, dim, near[0], near[1]);
    graze_pose pose[4];
    for (int i = 0; i < 4; i++) {
      pose[i] = random_extreme_pose(&state, dim);
      if (rng_bits(&state) % 4) pose[i].position = rng_magnitude_vec(&state, dim, far[0], far[1]);
    }
    /* Near each other, far from the frames' origins: what the parts' positions cost. */
    if (trial % 3 == 0) pose[3] = pose[1], pose[2].position = pose[0].position;
    graze_shape a = dim == 2 ? graze_hull2(va, VERTICES) : graze_hull(va, VERTICES);
    graze_shape b = dim == 2 ? graze_hull2(vb, VERTICES) : graze_hull(vb, VERTICES);
    graze_placed pa = framed(a, pose[0], pose[1], 0), pb = framed(b, pose[2], pose[3], 0);
    if (trial % 5 == 0) pb = graze_place(&b, pose[2]);
    grz_obstacle c;
    grz_obstacle_make(&c, &pa, &pb, 0);
    graze_vec d = rng_vec(&state, dim, 1);
    grz_cso_point p;
    (void)grz_obstacle_gap(&c, d, &p, dim);
    double point = point_off(&n, &c, &p), support = support_off(&n, &c, va, vb, d);
    assert_true(point * GRZ_U * c.size <= 37.2 / 48 * c.point_error);
    assert_true(support * GRZ_U * c.size <= c.support_error - 12 * GRZ_U * c.size);
    worst_point = fmax(worst_point, point), worst_support = fmax(worst_support, support);
  }
  print_message("worst errors: points %.2f, support %.2f u·S\n", worst_point, worst_support);
  assert_true(worst_point > 1 && worst_support > 1);
  numbers_free(&n);
}

/* ---- Answers. */

static graze_shape random_shape(int dim, graze_vec *v) {
  for (int i = 0; i < VERTICES; i++) v[i] = rng_vec(&state, dim, 1);
  switch (rng_bits(&state) % (dim == 2 ? 5 : 8)) {
  case 0: return dim == 2 ? graze_box2(0.5, 1) : graze_box(0.5, 1, 0.75);
  case 1: return dim == 2 ? graze_hull2(v, VERTICES) : graze_hull(v, VERTICES);
  case 2: return dim == 2 ? graze_capsule2(0.25, 0.5) : graze_capsule(0.25, 0.5);
  case 3: return dim == 2 ? graze_ellipse(0.5, 1) : graze_ellipsoid(0.5, 1, 0.75);
  case 4: return dim == 2 ? graze_triangle2(v[0], v[1], v[2]) : graze_triangle(v[0], v[1], v[2]);
  case 5: return graze_cylinder(0.5, 1);
  case 6: return graze_cone(0.5, 1);
  default: return graze_sphere(0.75);
  }
}

static bool is_polytope(const graze_placed *p) { return p->shape.kind < GRAZE_ELLIPSOID; }

TEST(test_answers) {
  state = seed_of;
  int relations[5] = {0}, proved = 0, all = 0;
  enum { POINTS = 512 };
  static unsigned char room[1 << 20];
  for (int trial = 0; trial < tiered(900, 900, 9000); trial++) {
    const int dim = trial % 3 == 0 ? 2 : 3;
    graze_vec va[VERTICES], vb[VERTICES];
    graze_pose pose[4];
    for (int i = 0; i < 4; i++) {
      pose[i] = random_extreme_pose(&state, dim);
      pose[i].position = rng_vec(&state, dim, 0.75);
    }
    graze_placed a = framed(random_shape(dim, va), pose[0], pose[1], trial % 4 == 0 ? 0.1 : 0);
    graze_placed b = framed(random_shape(dim, vb), pose[2], pose[3], trial % 7 == 0 ? 0.3 : 0);
    graze_options options = graze_default_options();
    graze_surface surface;
    options.workspace = room, options.workspace_size = sizeof room, options.surface = &surface;
    graze_answer answer, other;
    assert_true(graze_workspace_size(POINTS) <= sizeof room);
    assert_int_equal(graze_distance(&a, &b, &options, &answer), GRAZE_OK);
    graze_status status = graze_verify(&a, &b, &options, &answer);
    assert_true(status == GRAZE_OK || status == GRAZE_UNPROVEN);
    relations[answer.relation]++, all++, proved += status == GRAZE_OK;
    double size = fmax(a.reach + a.radius, b.reach + b.radius);
    graze_vec step = {answer.point_b.x - answer.point_a.x, answer.point_b.y - answer.point_a.y,
                      answer.point_b.z - answer.point_a.z};
    double off = fabs(step.x - answer.distance * answer.normal.x) + fabs(step.y - answer.distance * answer.normal.y) +
                 fabs(step.z - answer.distance * answer.normal.z);
    assert_true(off <= 1e-8 * size);
    if (!is_polytope(&a) || !is_polytope(&b)) continue;
    assert_true(answer.upper - answer.lower <= 1e-12 * fmax(size, fabs(answer.distance)));
    options.surface = NULL, options.method = GRAZE_METHOD_EXACT;
    assert_int_equal(graze_distance(&a, &b, &options, &other), GRAZE_OK);
    assert_true(other.relation == answer.relation && other.lower <= answer.upper && answer.lower <= other.upper);
  }
  print_message("separated %d, overlapping %d, proved %d of %d\n", relations[GRAZE_SEPARATED],
                relations[GRAZE_OVERLAPPING], proved, all);
  assert_true(relations[GRAZE_SEPARATED] > all / 5 && relations[GRAZE_OVERLAPPING] > all / 5 && proved > all * 9 / 10);
}

/* Numbers of 2^-1074 and 1e40 next to each other in every place: the relation is exact all the same, and proved. */
static graze_placed extreme(graze_vec *v, double margin) {
  graze_pose pose[2];
  for (int i = 0; i < 4; i++) v[i] = rng_magnitude_vec(&state, 3, -1074, 131);
  for (int i = 0; i < 2; i++) {
    graze_pose q = {rng_magnitude_vec(&state, 3, -1074, 131), rng_magnitude(&state, -1074, 131),
                    rng_magnitude(&state, -1074, 131), rng_magnitude(&state, -1074, 131),
                    rng_magnitude(&state, -1074, 131)};
    pose[i] = q;
  }
  return framed(graze_with_margin(graze_hull(v, 4), margin), pose[0], pose[1], margin);
}

TEST(test_extremes) {
  state = seed_of;
  int relations[5] = {0};
  for (int trial = 0; trial < 300; trial++) {
    graze_vec va[4], vb[4];
    double margin = trial % 2 ? fabs(rng_magnitude(&state, -1074, 131)) : 0;
    graze_placed a = extreme(va, margin), b = extreme(vb, 0);
    if (trial % 3 == 0) { /* in one place */
      graze_shape hull = graze_hull(vb, 4);
      b = framed(hull, a.pose, a.frame, 0);
    }
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_EXACT;
    graze_answer answer;
    assert_int_equal(graze_intersect(&a, &b, &options, &answer), GRAZE_OK);
    assert_int_equal(answer.stopped, GRAZE_STOP_NONE);
    assert_int_equal(graze_verify(&a, &b, &options, &answer), GRAZE_OK);
    relations[answer.relation]++;
  }
  assert_true(relations[GRAZE_SEPARATED] > 60 && relations[GRAZE_OVERLAPPING] > 60);
}

/* Quarter turns and binary fractions: the product of the poses is a pose. */
static graze_pose quarter_pose(int dim) {
  static const double turns[4][2] = {{1, 0}, {1, 1}, {0, 1}, {1, -1}};
  const double *turn = turns[rng_bits(&state) % 4];
  graze_pose pose = {{0, 0, 0}, turn[0], 0, 0, turn[1]};
  double at[3];
  for (int i = 0; i < 3; i++) at[i] = (double)(rng_bits(&state) % 17) / 4 - 2;
  pose.position = (graze_vec){at[0], at[1], dim == 2 ? 0 : at[2]};
  return pose;
}

static graze_pose quarter_product(graze_pose q, graze_pose p) {
  double ww = q.w * q.w, zz = q.z * q.z, n = ww + zz, c = (ww - zz) / n, s = 2 * q.w * q.z / n;
  graze_vec at = {c * p.position.x - s * p.position.y + q.position.x,
                  s * p.position.x + c * p.position.y + q.position.y, p.position.z + q.position.z};
  graze_pose r = {at, q.w * p.w - q.z * p.z, 0, 0, q.w * p.z + q.z * p.w};
  return r;
}

TEST(test_same_place) {
  state = seed_of;
  int touching = 0;
  for (int trial = 0; trial < tiered(4000, 4000, 40000); trial++) {
    const int dim = trial % 2 + 2;
    graze_pose pose[4];
    for (int i = 0; i < 4; i++) pose[i] = quarter_pose(dim);
    graze_shape a = dim == 2 ? graze_box2(0.5, 1) : graze_box(0.5, 1, 0.75);
    graze_shape b = dim == 2 ? graze_capsule2(0.25, 0.5) : graze_with_margin(graze_box(1, 0.25, 0.5), 0.25);
    graze_placed fa = framed(a, pose[0], pose[1], 0.25), fb = framed(b, pose[2], pose[3], 0);
    a = graze_with_margin(a, 0.25);
    graze_placed pa = graze_place(&a, quarter_product(pose[1], pose[0]));
    graze_placed pb = graze_place(&b, quarter_product(pose[3], pose[2]));
    graze_answer framed_answer, plain;
    graze_contact contacts[2][8];
    size_t count[2];
    assert_int_equal(graze_manifold(&fa, &fb, NULL, &framed_answer, contacts[0], 8, &count[0]), GRAZE_OK);
    assert_int_equal(graze_manifold(&pa, &pb, NULL, &plain, contacts[1], 8, &count[1]), GRAZE_OK);
    assert_int_equal(framed_answer.relation, plain.relation);
    assert_true(fabs(framed_answer.distance - plain.distance) <= 1e-13);
    assert_true(framed_answer.lower <= plain.upper && plain.lower <= framed_answer.upper);
    assert_int_equal(count[0], count[1]);
    for (size_t i = 0; i < count[0]; i++) {
      assert_true(fabs(contacts[0][i].point_a.x - contacts[1][i].point_a.x) <= 1e-12);
      assert_true(fabs(contacts[0][i].point_b.y - contacts[1][i].point_b.y) <= 1e-12);
      assert_true(fabs(contacts[0][i].depth - contacts[1][i].depth) <= 1e-12);
    }
    touching += plain.relation == GRAZE_TOUCHING;
  }
  assert_true(touching > 50);
}

/* A half-space below a part: exactly, for a polytope and for a cylinder. */
TEST(test_plane) {
  graze_vec up = {0, 0, 1};
  graze_shape plane = graze_halfspace(up, 0.5), box = graze_box(1, 1, 1), cylinder = graze_cylinder(1, 1);
  graze_placed floor = graze_place(&plane, graze_pose_at(0, 0, 1)); /* up to z = 1.5 */
  graze_pose turned = {{0, 0, 2}, 1, 1, 0, 0}, back = {{0, 3, 0.5}, 1, -1, 0, 0};
  /* R(back)·(0, 0, 2) = (0, 2, 0): the part stands at z = 0.5, upright. */
  const graze_shape *shapes[2] = {&box, &cylinder};
  for (int i = 0; i < 2; i++) {
    graze_placed part = framed(*shapes[i], turned, back, 0.25);
    graze_answer answer;
    assert_int_equal(graze_distance(&floor, &part, NULL, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
    assert_true(answer.lower <= -2.25 && -2.25 <= answer.upper && fabs(answer.distance + 2.25) < 1e-13);
    assert_true(fabs(answer.point_b.z + 0.75) < 1e-13 && fabs(answer.point_a.z - 1.5) < 1e-13);
    assert_int_equal(graze_verify(&floor, &part, NULL, &answer), GRAZE_OK);
    back.position.z = 2.75;
    part = framed(*shapes[i], turned, back, 0.25);
    assert_int_equal(graze_distance(&part, &floor, NULL, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, GRAZE_TOUCHING);
    assert_int_equal(graze_verify(&part, &floor, NULL, &answer), GRAZE_OK);
    back.position.z = 0.5;
  }
}

/* A + B: the sum of what is in the world. */
TEST(test_sum) {
  graze_shape box = graze_box2(1, 0.5), point = graze_point2();
  graze_pose own = {{1, 2, 0}, 1, 0, 0, 1}, frame = {{10, 20, 0}, 0, 0, 0, 1};
  graze_placed a = framed(box, own, frame, 0), b = framed(point, own, frame, 0); /* about (9, 18), 0.5 by 1 */
  graze_vec points[8];
  graze_pair pairs[8];
  size_t count;
  bool holds;
  assert_int_equal(graze_minkowski(&a, &b, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, 8, &count, &holds), GRAZE_OK);
  assert_int_equal(count, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_true(points[i].x == 17.5 || points[i].x == 18.5);
    assert_true(points[i].y == 35 || points[i].y == 37);
  }
  assert_false(holds);
}
