/* Certificates about curved shapes, half-spaces and user shapes: true ones are accepted, false by one ulp refuted. */

#include "verify/attacks.h"
#include "support/families.h"
#include "support/random.h"

static double up(double x) { return nextafter(x, INFINITY); }

/* x, or the double next to it. */
static double beside(double x, int ulp) { return ulp == 0 ? x : nextafter(x, ulp < 0 ? 0 : 2 * x); }

/* A pair names a point of a curved shape: accepted exactly when the point lies in the core. */
TEST(named_points_must_lie_in_the_core) {
  const graze_shape ellipsoid = graze_ellipsoid(5, 10, 2.5), flat = graze_ellipsoid(5, 0, 10);
  const graze_shape cylinder = graze_cylinder(5, 2), disk = graze_cone(5, 0);
  const graze_shape cone = graze_cone(10, 2); /* at height z its radius is 10 (2 - z)/4 */
  const struct {
    graze_shape shape;
    graze_vec point;
    bool inside;
  } cases[] = {{ellipsoid, {3, 8, 0}, true}, /* 0.36 + 0.64 = 1 */
               {ellipsoid, {up(3), 8, 0}, false},
               {ellipsoid, {-3, up(8), 0}, false},
               {ellipsoid, {3, 8, 0x1p-1074}, false},
               {ellipsoid, {-3, 0, -2}, true},
               {ellipsoid, {0, 0, up(2.5)}, false},
               {flat, {3, 0, -8}, true},
               {flat, {3, 0x1p-1074, 0}, false},
               {flat, {3, 0, -up(8)}, false},
               {graze_ellipsoid(0, 0, 0), {0, 0, 0}, true},
               {cylinder, {3, -4, 2}, true},
               {cylinder, {3, -4, -2}, true},
               {cylinder, {3, up(4), 0}, false},
               {cylinder, {0, 0, up(2)}, false},
               {cylinder, {0, 0, -up(2)}, false},
               {cone, {0, 0, 2}, true},
               {cone, {0x1p-1074, 0, 2}, false},
               {cone, {3, 4, 0}, true},
               {cone, {3, up(4), 0}, false},
               {cone, {-6, 8, -2}, true},
               {cone, {-6, 8, up(-2)}, false},
               {cone, {0, 0, -up(2)}, false},
               {cone, {0, 0, up(2)}, false},
               {disk, {3, 4, 0}, true},
               {disk, {3, up(4), 0}, false},
               {disk, {0, 0, 0x1p-1074}, false}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    verify_case c = separated(cases[i].shape, identity, graze_point(), graze_pose_at(100, 0, 0));
    c = with_pairs(with_vector(c, 1, 0, 0), PAIRS(points(-1, cases[i].point, 0, vec(0, 0, 0))));
    if ((case_status(&c) == GRAZE_OK) != cases[i].inside) fail_msg("case %zu", i);
    if (!cases[i].inside) expect(c, GRAZE_REFUTED);
  }
}

/* A point against the farthest point of a curved shape, at a support value with an exact root. */
TEST(support_values_are_exact) {
  const graze_shape cylinder = graze_cylinder(5, 2), cone = graze_cone(5, 3), steep = graze_cone(5, 6);
  const struct {
    graze_shape shape;
    graze_vec direction, farthest, point;
    double distance;
  } cases[] = {{graze_ellipsoid(5, 5, 5), {3, 0, 4}, {3, 0, 4}, {6, 0, 8}, 5},
               {graze_ellipsoid(1, 2, 3), {0, 0, -1}, {0, 0, -3}, {0, 0, -4.5}, 1.5},
               {cylinder, {3, 4, 0}, {3, 4, 1}, {6, 8, 1}, 5},
               {cylinder, {0, 0, -2}, {1, 1, -2}, {1, 1, -2.5}, 0.5},
               {graze_cylinder(5, 12), {3, 4, 12}, {3, 4, 12}, {6, 8, 24}, 13},
               {cone, {0, 0, 1}, {0, 0, 3}, {0, 0, 4}, 1},
               {cone, {3, 4, 0}, {3, 4, -3}, {6, 8, -3}, 5},
               {cone, {0, 0, -1}, {0, 1, -3}, {0, 1, -10}, 7},
               {steep, {3, 4, -12}, {3, 4, -6}, {6, 8, -18}, 13},
               {steep, {3, 4, 12}, {0, 0, 6}, {3, 4, 18}, 13}}; /* the apex, beyond the rim of the base */
  for (size_t i = 0; i < COUNT(cases); i++) {
    const graze_vec d = cases[i].direction, p = cases[i].point;
    verify_case c = separated(cases[i].shape, identity, graze_point(), graze_pose_at(p.x, p.y, p.z));
    c = with_pairs(with_vector(c, d.x, d.y, d.z), PAIRS(points(-1, cases[i].farthest, 0, vec(0, 0, 0))));
    check_tight(with_interval(c, cases[i].distance, cases[i].distance, cases[i].distance));
  }
}

/* A cylinder on top of a box: they share a disk, and r = 0. */
TEST(standing_cylinder_touches) {
  const graze_vec base = {0, 0, -0.7};
  verify_case c = touching(graze_box(1, 1, 0.5), graze_pose_at(0, 0, -0.5), graze_cylinder(0.5, 0.7),
                           graze_pose3(vec(0, 0, 0.7), 3, 0, 0, 1));
  c = with_pairs(with_vector(c, 0, 0, 1), PAIRS(points(4, base, -1, base), points(7, base, -1, base)));
  check(c);
  c.b.pose.position.z = up(0.7);
  expect(c, GRAZE_REFUTED);
  check(with_interval(with_relation(c, GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED), 0, 0x1p-53, 0x1p-53));
}

/* Balls given as ellipsoids, centres 15 or 25 apart along (3, 4, 0): the sum of two or three roots is exactly zero. */
TEST(touch_of_ellipsoids_is_exact) {
  const pair_list nearest = PAIRS(points(-1, vec(3, 4, 0), -1, vec(-6, -8, 0)));
  for (int ulp = -1; ulp <= 1; ulp++) {
    verify_case c =
        touching(graze_ellipsoid(beside(5, ulp), 5, 5), identity, graze_ellipsoid(10, 10, 10), graze_pose_at(9, 12, 0));
    verify_case d = touching(graze_with_margin(graze_ellipsoid(5, 5, 5), 4), identity,
                             graze_with_margin(graze_ellipsoid(beside(10, ulp), 10, 10), 4), graze_pose_at(15, 20, 0));
    c = with_vector(with_pairs(c, nearest), 3, 4, 0);
    d = with_nearest(with_clearance(d, 2), nearest);
    if (ulp == 0) {
      check(c);
      check(d);
    } else {
      expect(c, GRAZE_REFUTED);
      expect(d, GRAZE_REFUTED);
    }
    d = with_vector(with_relation(d, GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED), 3, 4, 0);
    expect(with_clearance(d, nextafter(2, 0)), ulp <= 0 ? GRAZE_OK : GRAZE_REFUTED);
  }
}

TEST(overlap_of_cone_and_ellipsoid) {
  verify_case c = overlapping(graze_cone(1, 1), identity, graze_ellipsoid(1, 1, 0.5), graze_pose_at(0, 0, 1.4),
                              GRAZE_CERTIFICATE_INSIDE);
  const graze_vec centre = {0, 0, 0};
  c = with_pairs(c, PAIRS(points(-1, vec(0, 0, 1), -1, vec(0, 0, -0.5)), points(-1, vec(0.5, 0, 0), -1, centre),
                          points(-1, vec(-0.25, 0.375, 0), -1, centre), points(-1, vec(-0.25, -0.375, 0), -1, centre)));
  check(c);
  REFUTE_EACH(&c, double, c.b.pose.position.z, 1.5);                      /* a touch at the apex */
  REFUTE_EACH(&c, double, c.answer.certificate.pairs[1].point_a.x, 0.51); /* outside the cone */
}

TEST(undecided_ellipses) {
  verify_case c = case_make(graze_ellipse(1, 2), identity, graze_ellipse(2, 1), graze_pose_at(3, 0, 0), GRAZE_UNDECIDED,
                            GRAZE_CERTIFICATE_NONE);
  c = with_pairs(with_vector(c, 1, 0x1p-30, 0), PAIRS(points(-1, vec(1, 0, 0), -1, vec(-2, 0, 0))));
  check(with_interval(c, -0x1p-40, 0, 0));
  expect(with_interval(c, -0x1p-80, 0, 0), GRAZE_REFUTED);
}

/* ---- half-spaces */

/* Against the points with z >= 0, given as a half-space upside down. */
static verify_case plane(graze_shape shape, graze_pose pose, graze_relation relation, int vertex, graze_vec point) {
  verify_case c = case_make(graze_halfspace(vec(0, 0, 2), 1), graze_pose3(vec(5, 5, 1), 0, 1, 0, 0), shape, pose,
                            relation, GRAZE_CERTIFICATE_HALFSPACE);
  c.answer.certificate.vertex = vertex, c.answer.certificate.vertex_point = point;
  return c;
}

/* In both orders; only one vertex is the deepest. */
static void check_plane(verify_case c, bool tight) {
  for (int order = 0; order < 2; order++, c = exchanged(c)) {
    check_at(c, tight, __FILE__, __LINE__);
    REFUTE_EACH(&c, int, c.answer.certificate.vertex, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, INT32_MAX, INT32_MIN);
  }
}

TEST(plate_over_plane) {
  const graze_vec corners[4] = {{-2, 0, -1}, {2, 0, -1}, {-2, 0, 1}, {2, 0, 1}};
  const graze_pose pose = graze_pose3(vec(0, 0, -5), 3, 0, 1, 0); /* z' = 0.8 z - 0.6 x: the top is at 2 - 5 */
  verify_case c = plane(graze_hull_points(corners, 4), pose, GRAZE_SEPARATED, 2, vec(0, 0, 0));
  check_plane(with_interval(c, 3, 3, 3), true);
  check_plane(c, false);
  c.b.pose.position.z = -2;
  c = with_relation(c, GRAZE_TOUCHING, GRAZE_CERTIFICATE_HALFSPACE);
  check_plane(c, false);
  REFUTE_EACH(&c, double, c.b.pose.position.z, nextafter(-2, 0), nextafter(-2, -3));
  c.b.pose.position.z = 0.5;
  c = with_interval(with_relation(c, GRAZE_OVERLAPPING, GRAZE_CERTIFICATE_HALFSPACE), -2.5, -2.5, -2.5);
  check_plane(c, true);
  c.answer.certificate.kind = GRAZE_CERTIFICATE_NONE;
  expect(c, GRAZE_UNPROVEN);
  REFUTE_EACH(&c, int, c.answer.certificate.kind, GRAZE_CERTIFICATE_NEAR);
}

TEST(rounded_shapes_over_plane) {
  verify_case c =
      plane(graze_with_margin(graze_sphere(0.5), 0.25), graze_pose_at(3, 4, -1), GRAZE_TOUCHING, 0, vec(0, 0, 0));
  check_plane(with_clearance(c, 0.25), false);
  c = with_clearance(c, nextafter(0.25, 0));
  expect(c, GRAZE_REFUTED);
  c = with_relation(c, GRAZE_SEPARATED, GRAZE_CERTIFICATE_HALFSPACE);
  check_plane(with_interval(c, 0x1p-55, 0x1p-55, 0x1p-55), true);
  /* In 2D, with a normal whose length is a root. */
  verify_case d = case_make(graze_halfspace2(vec(1, 1, 0), 0), identity, graze_box2(1, 1), graze_pose_at(2, 2, 0),
                            GRAZE_SEPARATED, GRAZE_CERTIFICATE_HALFSPACE);
  d.answer.certificate.vertex = 0;
  check_plane(with_interval(d, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bcdp+0), true);
}

TEST(curved_shapes_over_plane) {
  /* The top of a cylinder lies in the plane. */
  verify_case c = plane(graze_cylinder(0.5, 0.7), graze_pose_at(0, 0, -0.7), GRAZE_TOUCHING, -1, vec(0.25, 0, 0.7));
  check(c);
  c = exchanged(c);
  check(c);
  c.a.pose.position.z = nextafter(-0.7, -1);
  expect(c, GRAZE_REFUTED);
  c = with_interval(with_relation(c, GRAZE_SEPARATED, GRAZE_CERTIFICATE_HALFSPACE), 0x1p-53, 0x1p-53, 0x1p-53);
  check_tight(c);
  REFUTE_EACH(&c, double, c.answer.certificate.vertex_point.z, 0.5, up(0.7)); /* not as near; not in the cylinder */
  REFUTE_EACH(&c, int, c.answer.certificate.vertex, 0);
  verify_case d = plane(graze_ellipsoid(1, 1, 1), graze_pose_at(0, 0, -0.5), GRAZE_OVERLAPPING, -1, vec(0, 0, 0.75));
  check_tight(with_interval(d, -0.5, -0.375, -0.25));
}

/* ---- user shapes */

typedef struct ball {
  double radius, slack, fault; /* added to the first coordinate */
  int calls;
} ball;

static double ball_support(void *context, graze_vec d, graze_vec *point) {
  ball *self = context;
  self->calls++;
  assert_true(d.x != 0 || d.y != 0 || d.z != 0);
  *point = scaled(self->radius / norm(d), d);
  point->x += self->fault;
  return self->slack;
}

/* A ball against a point, conditional on its support function, with a direction and the ball's centre as pair. */
static verify_case user_case(ball *b, int dim, graze_pose pose, graze_vec point, graze_vec direction) {
  verify_case c = separated(graze_user(dim, ball_support, b), pose, dim == 3 ? graze_point() : graze_point2(),
                            graze_pose_at(point.x, point.y, point.z));
  c.answer.conditional = true;
  return with_pairs(with_vector(c, direction.x, direction.y, direction.z),
                    PAIRS(points(-1, vec(0, 0, 0), 0, vec(0, 0, 0))));
}

TEST(error_of_user_shape_counts) {
  ball five = {5, 0x1p-48, 0, 0};
  graze_pose pose = graze_pose3(vec(1, 2, 3), 1, -2, 0.3, 4);
  verify_case c = with_interval(user_case(&five, 3, pose, vec(1 + 6, 2 + 8, 3), vec(3, 4, 0)), 5 - 0x1p-47, 7, 10);
  check(c);
  REFUTE_EACH(&c, double, c.answer.lower, 5, 5 - 0x1p-49);
  c.answer.conditional = false;
  expect(c, GRAZE_UNPROVEN);
}

TEST(invalid_support_proves_nothing) {
  const double slack[] = {-0x1p-1074, NAN, INFINITY, 1e41, 0, 0, 0}, fault[] = {0, 0, 0, 0, NAN, INFINITY, 1e41};
  ball five = {5, 0, 0, 0};
  verify_case c = user_case(&five, 3, identity, vec(0, 0, 8), vec(0, 0, 1));
  for (size_t i = 0; i < COUNT(slack); i++) {
    five.slack = slack[i], five.fault = fault[i];
    expect(c, GRAZE_UNPROVEN);
  }
  five.slack = five.fault = 0;
  expect(c, GRAZE_OK);
  expect(with_nearest(c, PAIRS(vertices(0, 0))), GRAZE_REFUTED); /* a user shape has no vertices */
}

/* Any finite point of the right dimension: membership is the caller's responsibility. */
TEST(points_of_user_shapes) {
  ball five = {5, 0, 0, 0};
  verify_case c = user_case(&five, 2, identity, vec(8, 0, 0), vec(1, 0, 0));
  expect(c, GRAZE_OK);
  REFUTE_EACH(&c, graze_vec, c.answer.certificate.pairs[0].point_a, {1.1e40, 0, 0}, {0, NAN, 0}, {-INFINITY, 0, 0},
              {0, 0, 1});
  c.answer.certificate.pairs[0].point_a = vec(1e40, -1e40, 0);
  expect(c, GRAZE_OK);
}

/* The length of a quaternion scales the exact local direction by hundreds of binary orders. */
TEST(user_shape_under_every_scale_of_quaternion) {
  for (int power = -300; power <= 30; power += 30) {
    ball five = {5, 0x1p-48, 0, 0};
    const double q = ldexp(1.0, power);
    verify_case c = user_case(&five, 3, graze_pose3(vec(0, 0, 0), 3 * q, q, -q, 2 * q), vec(8, 0, 0), vec(1, 0, 0));
    c.b.pose = graze_pose3(vec(8, 0, 0), q, q, q, q);
    expect(with_interval(c, 3 - 0x1p-40, 4, 8), GRAZE_OK);
  }
}

/* A local direction that doubles cannot express: the extents pay for its rounding, so a touch is never separated. */
TEST(rounded_direction_is_paid_for) {
  ball five = {5, 0, 0, 0};
  verify_case c = user_case(&five, 3, graze_pose3(vec(0, 0, 0), 0.3, 0.1, -0.7, 0.2), vec(5, 0, 0), vec(1, 0, 0));
  expect(c, GRAZE_REFUTED);
  assert_true(five.calls > 1);
  c.b.pose.position.x = 5 + 0x1p-45;
  expect(c, GRAZE_OK);
}

/* A segment from -end to end. */
static double needle_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec end = *(const graze_vec *)context;
  *point = dot(d, end) >= 0 ? end : scaled(-1, end);
  return 0;
}

/* A segment, and the same as a user shape: what is proved about the second holds for the first, to the last bit. The
 * point is as near to the end of the segment as doubles allow. */
TEST(user_shape_is_never_smaller) {
  rng random = 0x510e527fade682d1u;
  int accepted = 0, different = 0;
  for (int round = 0; round < 6000; round++) {
    const graze_pose pose = random_pose(&random, 3, 0);
    graze_vec local = {round % 3 == 0, round % 3 == 1, round % 3 == 2};
    /* The rounded end, and a direction in which the local axis is one of three. */
    const double w = pose.w, x = pose.x, y = pose.y, z = pose.z, square = w * w + x * x + y * y + z * z;
    const graze_vec columns[3] = {{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                                  {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
                                  {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}};
    const graze_vec direction = {x, w, z}, column = scaled(1 / square, columns[round % 3]);
    const graze_vec end = dot(column, direction) < 0 ? scaled(-1, column) : column;
    verify_case exact =
        separated(graze_segment(scaled(-1, local), local), pose, graze_point(), graze_pose_at(end.x, end.y, end.z));
    exact = with_vector(exact, x, w, z);
    verify_case user = exact;
    user.a.shape = graze_user(3, needle_support, &local);
    user.answer.conditional = true;
    const bool proved = case_status(&user) == GRAZE_OK, holds = case_status(&exact) == GRAZE_OK;
    assert_true(holds || !proved);
    accepted += proved, different += holds && !proved;
  }
  assert_true(accepted > 500); /* not because everything is rejected … */
  assert_true(different > 20); /* … and the rounding of the direction mattered */
}
