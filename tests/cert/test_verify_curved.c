/* Certificates about ellipsoids, cylinders, cones, half-spaces and user shapes: accepted when exactly true, refused
 * when false by one unit in the last place. */

#include "support/test.h"
#include "cert/claims.h"

static claim separated(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  return claim_make(a, pose_a, b, pose_b, GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED);
}

/* A pair of a curved A and a vertex of B; c is accepted exactly when the point lies in the core. */
static void check_membership(graze_shape curved, graze_vec point, bool holds) {
  claim c = separated(curved, home, graze_point(), graze_pose_at(100, 0, 0));
  const graze_pair pair = claim_points(-1, point, 0, zero);
  claim_vector(&c, 1, 0, 0);
  claim_pairs(&c, 1, &pair);
  assert_int_equal(claim_judge(&c), holds ? GRAZE_OK : GRAZE_REFUTED);
}

static double up(double x) { return nextafter(x, INFINITY); }

TEST(test_membership) {
  graze_shape ellipsoid = graze_ellipsoid(5, 10, 2.5);
  check_membership(ellipsoid, vec(3, 8, 0), true); /* 0.36 + 0.64 = 1 */
  check_membership(ellipsoid, vec(up(3), 8, 0), false);
  check_membership(ellipsoid, vec(-3, up(8), 0), false);
  check_membership(ellipsoid, vec(3, 8, 0x1p-1074), false);
  check_membership(ellipsoid, vec(-3, 0, -2), true);
  check_membership(ellipsoid, vec(0, 0, up(2.5)), false);
  graze_shape flat = graze_ellipsoid(5, 0, 10);
  check_membership(flat, vec(3, 0, -8), true);
  check_membership(flat, vec(3, 0x1p-1074, 0), false);
  check_membership(flat, vec(3, 0, -up(8)), false);
  check_membership(graze_ellipsoid(0, 0, 0), zero, true);

  graze_shape cylinder = graze_cylinder(5, 2);
  check_membership(cylinder, vec(3, -4, 2), true);
  check_membership(cylinder, vec(3, -4, -2), true);
  check_membership(cylinder, vec(3, up(4), 0), false);
  check_membership(cylinder, vec(0, 0, up(2)), false);
  check_membership(cylinder, vec(0, 0, -up(2)), false);

  graze_shape cone = graze_cone(10, 2); /* at height z its radius is 10 (2 - z)/4 */
  check_membership(cone, vec(0, 0, 2), true);
  check_membership(cone, vec(0x1p-1074, 0, 2), false);
  check_membership(cone, vec(3, 4, 0), true);
  check_membership(cone, vec(3, up(4), 0), false);
  check_membership(cone, vec(-6, 8, -2), true);
  check_membership(cone, vec(-6, 8, up(-2)), false);
  check_membership(cone, vec(0, 0, -up(2)), false);
  check_membership(cone, vec(0, 0, up(2)), false);
  graze_shape disk = graze_cone(5, 0);
  check_membership(disk, vec(3, 4, 0), true);
  check_membership(disk, vec(3, up(4), 0), false);
  check_membership(disk, vec(0, 0, 0x1p-1074), false);
}

/* One curved shape against a point: lower bounds that are tight at a support value with an exact root. */
static void check_support(graze_shape curved, graze_vec d, graze_vec farthest, graze_vec point, double distance) {
  claim c = separated(curved, home, graze_point(), graze_pose_at(point.x, point.y, point.z));
  const graze_pair pair = claim_points(-1, farthest, 0, zero);
  claim_vector(&c, d.x, d.y, d.z);
  claim_pairs(&c, 1, &pair);
  claim_interval(&c, distance, distance, distance);
  claim_check_tight(&c);
}

TEST(test_supports) {
  /* the gradient of the ellipsoid at (3, 8, 0) is along (6, 4, 0)/50: moved out along d = (3, 4, 0) in a sphere's case
   */
  check_support(graze_ellipsoid(5, 5, 5), vec(3, 0, 4), vec(3, 0, 4), vec(6, 0, 8), 5);
  check_support(graze_ellipsoid(1, 2, 3), vec(0, 0, -1), vec(0, 0, -3), vec(0, 0, -4.5), 1.5);
  check_support(graze_cylinder(5, 2), vec(3, 4, 0), vec(3, 4, 1), vec(6, 8, 1), 5);
  check_support(graze_cylinder(5, 2), vec(0, 0, -2), vec(1, 1, -2), vec(1, 1, -2.5), 0.5);
  check_support(graze_cylinder(5, 12), vec(3, 4, 12), vec(3, 4, 12), vec(6, 8, 24), 13);
  check_support(graze_cone(5, 3), vec(0, 0, 1), vec(0, 0, 3), vec(0, 0, 4), 1);
  check_support(graze_cone(5, 3), vec(3, 4, 0), vec(3, 4, -3), vec(6, 8, -3), 5);
  check_support(graze_cone(5, 3), vec(0, 0, -1), vec(0, 1, -3), vec(0, 1, -10), 7);
  check_support(graze_cone(5, 6), vec(3, 4, -12), vec(3, 4, -6), vec(6, 8, -18), 13);
  check_support(graze_cone(5, 6), vec(3, 4, 12), vec(0, 0, 6), vec(3, 4, 18), 13); /* the apex, beyond the base's rim */
}

/* A cylinder on the floor of a box: a touch along a whole disk, with r = 0. */
TEST(test_standing_cylinder) {
  graze_shape floor_box = graze_box(1, 1, 0.5), cylinder = graze_cylinder(0.5, 0.7);
  claim c = claim_make(floor_box, graze_pose_at(0, 0, -0.5), cylinder, graze_pose3(vec(0.1, 0, 0.7), 3, 0, 0, 1),
                       GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
  claim_vector(&c, 0, 0, 1);
  c.b.pose.position.x = 0;
  const graze_pair pairs[2] = {claim_points(4, zero, -1, vec(0, 0, -0.7)), claim_points(7, zero, -1, vec(0, 0, -0.7))};
  claim_pairs(&c, 2, pairs);
  claim_check(&c);
  c.b.pose.position.z = up(0.7);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.relation = GRAZE_SEPARATED;
  c.answer.certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  claim_interval(&c, 0, 0x1p-53, 0x1p-53);
  claim_check(&c);
}

/* Balls written as ellipsoids, centres 15 apart along (3, 4, 0)/5: the sum of two or three roots is exactly zero. */
TEST(test_exact_touch_of_ellipsoids) {
  for (int ulp = -1; ulp <= 1; ulp++) {
    double five = ulp == 0 ? 5 : nextafter(5, ulp < 0 ? 0 : 10);
    claim c = claim_make(graze_ellipsoid(five, 5, 5), home, graze_ellipsoid(10, 10, 10), graze_pose_at(9, 12, 0),
                         GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
    const graze_pair touch = claim_points(-1, vec(3, 4, 0), -1, vec(-6, -8, 0));
    claim_pairs(&c, 1, &touch);
    claim_vector(&c, 3, 4, 0);
    if (ulp == 0)
      claim_check(&c);
    else
      assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  }
}

TEST(test_exact_touch_with_margins) {
  for (int ulp = -1; ulp <= 1; ulp++) {
    double ten = ulp == 0 ? 10 : nextafter(10, ulp < 0 ? 0 : 20);
    graze_shape a = graze_with_margin(graze_ellipsoid(5, 5, 5), 4),
                b = graze_with_margin(graze_ellipsoid(ten, 10, 10), 4);
    claim c = claim_make(a, home, b, graze_pose_at(15, 20, 0), GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
    c.options.clearance = 2;
    const graze_pair nearest = claim_points(-1, vec(3, 4, 0), -1, vec(-6, -8, 0));
    claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &nearest);
    if (ulp == 0)
      claim_check(&c);
    else
      assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
    c.answer.relation = GRAZE_SEPARATED;
    c.answer.certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
    claim_interval(&c, NAN, NAN, NAN);
    claim_vector(&c, 3, 4, 0);
    c.options.clearance = nextafter(2, 0);
    assert_int_equal(claim_judge(&c), ulp <= 0 ? GRAZE_OK : GRAZE_REFUTED);
  }
}

TEST(test_curved_overlap) {
  claim c = claim_make(graze_cone(1, 1), home, graze_ellipsoid(1, 1, 0.5), graze_pose_at(0, 0, 1.4), GRAZE_OVERLAPPING,
                       GRAZE_CERTIFICATE_INSIDE);
  /* points of A about the apex and points of B about its lowest: w around the origin */
  const graze_pair pairs[4] = {claim_points(-1, vec(0, 0, 1), -1, vec(0, 0, -0.5)),
                               claim_points(-1, vec(0.5, 0, 0), -1, vec(0, 0, 0)),
                               claim_points(-1, vec(-0.25, 0.375, 0), -1, vec(0, 0, 0)),
                               claim_points(-1, vec(-0.25, -0.375, 0), -1, vec(0, 0, 0))};
  graze_pair wide[4] = {pairs[0], pairs[1], pairs[2], pairs[3]};
  claim_pairs(&c, 4, pairs);
  claim_check(&c);
  c.b.pose.position.z = 1.5; /* the touch at the apex */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.b.pose.position.z = 1.4;
  wide[1].point_a.x = 0.51; /* outside the cone */
  claim_pairs(&c, 4, wide);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
}

TEST(test_undecided) {
  claim c = claim_make(graze_ellipse(1, 2), home, graze_ellipse(2, 1), graze_pose_at(3, 0, 0), GRAZE_UNDECIDED,
                       GRAZE_CERTIFICATE_NONE);
  const graze_pair pair = claim_points(-1, vec(1, 0, 0), -1, vec(-2, 0, 0));
  claim_pairs(&c, 1, &pair);
  claim_vector(&c, 1, 0x1p-30, 0);
  claim_interval(&c, -0x1p-40, 0, 0);
  claim_check(&c);
  c.answer.lower = -0x1p-80;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
}

/* ---- half-spaces */

static claim plane(graze_shape shape, graze_pose pose, graze_relation relation, int vertex, graze_vec point) {
  claim c = claim_make(graze_halfspace(vec(0, 0, 2), 1), graze_pose3(vec(5, 5, 1), 0, 1, 0, 0), shape, pose, relation,
                       GRAZE_CERTIFICATE_PLANE); /* turned over: the points with z >= 0 */
  c.answer.certificate.vertex = vertex;
  c.answer.certificate.vertex_point = point;
  return c;
}

static void swap(claim *c) {
  graze_placed a = c->a;
  c->a = c->b;
  c->b = a;
}

static void check_plane(claim c, bool tight) {
  for (int order = 0; order < 2; order++, swap(&c)) {
    if (tight)
      claim_check_tight(&c);
    else
      claim_check(&c);
    claim wrong = c;
    for (int vertex = -2; vertex <= 8; vertex++) { /* only one is the deepest */
      wrong.answer.certificate.vertex = vertex;
      if (vertex != c.answer.certificate.vertex) assert_int_equal(claim_judge(&wrong), GRAZE_REFUTED);
    }
    wrong.answer.certificate.vertex = INT32_MAX;
    assert_int_equal(claim_judge(&wrong), GRAZE_REFUTED);
    wrong.answer.certificate.vertex = INT32_MIN;
    assert_int_equal(claim_judge(&wrong), GRAZE_REFUTED);
  }
}

TEST(test_plate_over_plane) {
  /* upside down: the half-space is above, the plate hangs below it, one vertex turned up by 3-4-5 */
  const graze_vec corners[4] = {{-2, 0, -1}, {2, 0, -1}, {-2, 0, 1}, {2, 0, 1}};
  graze_shape plate = graze_hull(corners, 4);
  graze_pose pose = graze_pose3(vec(0, 0, -5), 3, 0, 1, 0); /* z' = 0.8 z - 0.6 x: its top is at 2 - 5 */
  claim c = plane(plate, pose, GRAZE_SEPARATED, 2, zero);
  claim_interval(&c, 3, 3, 3);
  check_plane(c, true);
  claim_interval(&c, NAN, NAN, NAN);
  check_plane(c, false);
  c.b.pose.position.z = -2;
  c.answer.relation = GRAZE_TOUCHING;
  claim_interval(&c, 0, 0, 0);
  check_plane(c, false);
  c.b.pose.position.z = nextafter(-2, 0);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.b.pose.position.z = nextafter(-2, -3);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.b.pose.position.z = 0.5;
  c.answer.relation = GRAZE_OVERLAPPING;
  claim_interval(&c, -2.5, -2.5, -2.5);
  check_plane(c, true);
  c.answer.certificate.kind = GRAZE_CERTIFICATE_NONE;
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  c.answer.certificate.kind = GRAZE_CERTIFICATE_NEAR;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
}

TEST(test_rounded_over_plane) {
  claim c = plane(graze_with_margin(graze_sphere(0.5), 0.25), graze_pose_at(3, 4, -1), GRAZE_TOUCHING, 0, zero);
  c.options.clearance = 0.25;
  check_plane(c, false);
  c.options.clearance = nextafter(0.25, 0);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.relation = GRAZE_SEPARATED;
  claim_interval(&c, 0x1p-55, 0x1p-55, 0x1p-55);
  check_plane(c, true);
}

/* In 2D, with a normal whose length is a root. */
TEST(test_plane_in_2d) {
  claim c = claim_make(graze_halfspace2(vec(1, 1, 0), 0), home, graze_box2(1, 1), graze_pose_at(2, 2, 0),
                       GRAZE_SEPARATED, GRAZE_CERTIFICATE_PLANE);
  c.answer.certificate.vertex = 0;
  claim_interval(&c, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bccp+0, 0x1.6a09e667f3bcdp+0);
  check_plane(c, true);
}

TEST(test_curved_over_plane) {
  graze_vec top = vec(0.25, 0, 0.7); /* of a cylinder whose top is a facet against the plane */
  claim c = plane(graze_cylinder(0.5, 0.7), graze_pose_at(0, 0, -0.7), GRAZE_TOUCHING, -1, top);
  claim_check(&c);
  swap(&c);
  claim_check(&c);
  c.a.pose.position.z = nextafter(-0.7, -1);
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.relation = GRAZE_SEPARATED;
  claim_interval(&c, 0x1p-53, 0x1p-53, 0x1p-53);
  claim_check_tight(&c);
  c.answer.certificate.vertex_point.z = 0.5; /* in the cylinder, but not so near */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.certificate.vertex_point.z = up(0.7); /* not in the cylinder */
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.certificate.vertex = 0;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  claim d = plane(graze_ellipsoid(1, 1, 1), graze_pose_at(0, 0, -0.5), GRAZE_OVERLAPPING, -1, vec(0, 0, 0.75));
  claim_interval(&d, -0.5, -0.375, -0.25);
  claim_check_tight(&d);
}

/* ---- user shapes: a ball of radius 5, and what may go wrong with it */

typedef struct ball {
  double radius, slack, fault; /* added to the first coordinate */
  int calls;
} ball;

static double ball_support(void *context, graze_vec d, graze_vec *point) {
  ball *self = context;
  self->calls++;
  assert_true(d.x != 0 || d.y != 0 || d.z != 0);
  double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z), factor = self->radius / length;
  *point = vec(d.x * factor + self->fault, d.y * factor, d.z * factor);
  return self->slack;
}

TEST(test_user_shape) {
  ball five = {5, 0x1p-48, 0, 0};
  claim c = separated(graze_user(3, ball_support, &five), graze_pose3(vec(1, 2, 3), 1, -2, 0.3, 4), graze_point(),
                      graze_pose_at(1 + 6, 2 + 8, 3));
  c.answer.conditional = true;
  claim_vector(&c, 3, 4, 0);
  const graze_pair centre = claim_points(-1, zero, 0, zero);
  claim_pairs(&c, 1, &centre);
  claim_interval(&c, 5 - 0x1p-47, 7, 10);
  claim_check(&c);
  c.answer.lower = 5;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* the slack counts */
  c.answer.lower = 5 - 0x1p-49;
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  c.answer.lower = 5 - 0x1p-47;
  c.answer.conditional = false;
  assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
}

TEST(test_user_shape_that_fails) {
  ball five = {5, 0, 0, 0};
  claim c = separated(graze_user(3, ball_support, &five), home, graze_point(), graze_pose_at(0, 0, 8));
  c.answer.conditional = true;
  claim_vector(&c, 0, 0, 1);
  assert_int_equal(claim_judge(&c), GRAZE_OK);
  const double slack[] = {-0x1p-1074, NAN, INFINITY, 1e41};
  for (size_t i = 0; i < 4; i++) {
    five.slack = slack[i];
    assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  }
  five.slack = 0;
  const double fault[] = {NAN, INFINITY, 1e41};
  for (size_t i = 0; i < 3; i++) {
    five.fault = fault[i];
    assert_int_equal(claim_judge(&c), GRAZE_UNPROVEN);
  }
  five.fault = 0;
  assert_int_equal(claim_judge(&c), GRAZE_OK);
  claim_from_pairs(&c, GRAZE_DIRECTION_NEAREST, 0, 0, 1, &(const graze_pair){0, 0, {0, 0, 0}, {0, 0, 0}, 0});
  assert_int_equal(claim_judge(&c), GRAZE_REFUTED); /* it has no vertices */
}

TEST(test_user_points) {
  ball five = {5, 0, 0, 0};
  claim c = separated(graze_user(2, ball_support, &five), home, graze_point2(), graze_pose_at(8, 0, 0));
  c.answer.conditional = true;
  claim_vector(&c, 1, 0, 0);
  const graze_vec good[] = {{0, 0, 0}, {1e40, -1e40, 0}},
                  bad[] = {{1.1e40, 0, 0}, {0, NAN, 0}, {-INFINITY, 0, 0}, {0, 0, 1}};
  for (size_t i = 0; i < 2; i++) { /* membership is on the caller's word */
    const graze_pair pair = claim_points(-1, good[i], 0, zero);
    claim_pairs(&c, 1, &pair);
    assert_int_equal(claim_judge(&c), GRAZE_OK);
  }
  for (size_t i = 0; i < 4; i++) {
    const graze_pair pair = claim_points(-1, bad[i], 0, zero);
    claim_pairs(&c, 1, &pair);
    assert_int_equal(claim_judge(&c), GRAZE_REFUTED);
  }
}

/* The length of a quaternion scales the exact local direction by hundreds of binary orders. */
TEST(test_user_shape_at_every_scale) {
  for (int power = -300; power <= 30; power += 30) {
    ball five = {5, 0x1p-48, 0, 0};
    double q = ldexp(1.0, power);
    claim c = separated(graze_user(3, ball_support, &five), graze_pose3(zero, 3 * q, q, -q, 2 * q), graze_point(),
                        graze_pose3(vec(8, 0, 0), q, q, q, q));
    c.answer.conditional = true;
    claim_vector(&c, 1, 0, 0);
    const graze_pair centre = claim_points(-1, zero, 0, zero);
    claim_pairs(&c, 1, &centre);
    claim_interval(&c, 3 - 0x1p-40, 4, 8);
    assert_int_equal(claim_judge(&c), GRAZE_OK);
  }
}

typedef struct needle {
  graze_vec end; /* a segment from -end to end */
} needle;

static double needle_support(void *context, graze_vec d, graze_vec *point) {
  const needle *self = context;
  double along = d.x * self->end.x + d.y * self->end.y + d.z * self->end.z;
  *point = along >= 0 ? self->end : vec(-self->end.x, -self->end.y, -self->end.z);
  return 0;
}

/* A long segment and the same as a user shape: what is proved about the second must hold for the first, to the last
 * bit. The point stands as near to the end of the segment as doubles allow. */
TEST(test_user_shape_is_never_smaller) {
  uint64_t state = 0x510e527fade682d1u;
  int accepted = 0, different = 0;
  for (int round = 0; round < 6000; round++) {
    double q[4];
    for (int i = 0; i < 4; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      q[i] = (double)(int64_t)state * 0x1p-63;
    }
    needle n = {zero};
    *(round % 3 == 0 ? &n.end.x : round % 3 == 1 ? &n.end.y : &n.end.z) = 1;
    graze_pose pose = graze_pose3(zero, q[0], q[1], q[2], q[3]);
    claim exact = separated(graze_segment(vec(-n.end.x, -n.end.y, -n.end.z), n.end), pose, graze_point(), home);
    /* the rounded end, and as direction a vector in which the local axis is but one of three */
    double w = q[0], x = q[1], y = q[2], z = q[3], square = w * w + x * x + y * y + z * z;
    graze_vec end =
        vec((w * w + x * x - y * y - z * z) / square, 2 * (x * y + w * z) / square, 2 * (x * z - w * y) / square);
    if (round % 3 == 1)
      end = vec(2 * (x * y - w * z) / square, (w * w - x * x + y * y - z * z) / square, 2 * (y * z + w * x) / square);
    if (round % 3 == 2)
      end = vec(2 * (x * z + w * y) / square, 2 * (y * z - w * x) / square, (w * w - x * x - y * y + z * z) / square);
    if (end.x * q[1] + end.y * q[0] + end.z * q[3] < 0) end = vec(-end.x, -end.y, -end.z);
    exact.b.pose.position = end;
    claim_vector(&exact, q[1], q[0], q[3]);
    claim user = exact;
    user.a.shape = graze_user(3, needle_support, &n);
    user.answer.conditional = true;
    bool proved = claim_judge(&user) == GRAZE_OK, holds = claim_judge(&exact) == GRAZE_OK;
    if (proved) assert_true(holds);
    accepted += proved;
    different += holds && !proved;
  }
  assert_true(accepted > 500); /* not because everything is refused … */
  assert_true(different > 20); /* … and some were near enough for the rounding of the direction to matter */
}

/* A direction that the local frame cannot express in doubles: what its rounding hides is paid for by the extents. */
TEST(test_user_shape_under_rotation) {
  ball five = {5, 0, 0, 0};
  graze_pose turned = graze_pose3(zero, 0.3, 0.1, -0.7, 0.2);
  claim c = separated(graze_user(3, ball_support, &five), turned, graze_point(), graze_pose_at(5, 0, 0));
  c.answer.conditional = true;
  claim_vector(&c, 1, 0, 0);
  graze_status status = claim_judge(&c); /* a touch: must not pass, however the callback rounds */
  assert_int_equal(status, GRAZE_REFUTED);
  assert_true(five.calls > 1);
  c.b.pose.position.x = 5 + 0x1p-45;
  assert_int_equal(claim_judge(&c), GRAZE_OK);
}
