/* Bugs that were found at the edges of the range of doubles, each with its story. */
#include "support/test.h"

#include <graze/graze.h>

/* Asks with a surface, so that depths are shown; the defaults must agree. */
static graze_answer distance(const graze_placed *a, const graze_placed *b, graze_options options) {
  static double room[1 << 18];
  static graze_surface surface;
  graze_answer answer, plain;
  assert_int_equal(graze_distance(a, b, &options, &plain), GRAZE_OK);
  options.workspace = room, options.workspace_size = sizeof room;
  options.surface = &surface;
  assert_int_equal(graze_distance(a, b, &options, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, plain.relation);
  assert_false(plain.lower > answer.upper || answer.lower > plain.upper);
  assert_int_equal(graze_verify(a, b, NULL, &answer), GRAZE_OK);
  return answer;
}

static graze_answer ask(const graze_placed *a, const graze_placed *b) {
  graze_answer answer = distance(a, b, graze_default_options()), relation;
  assert_int_equal(graze_intersect(a, b, NULL, &relation), GRAZE_OK);
  assert_int_equal(answer.relation, relation.relation);
  assert_int_equal(graze_verify(a, b, NULL, &relation), GRAZE_OK);
  return answer;
}

static uint64_t state;

/* A number of any accepted magnitude: xorshift64 (Marsaglia 2003). */
static double wild(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  double x = ldexp(1 + (double)(state >> 12) * 0x1p-52, (int)(state % 1200) - 1070);
  return state >> 60 & 1 ? x : -x;
}

static graze_vec wild_vec(void) {
  graze_vec v = {wild(), wild(), wild()};
  return v;
}

/* The reciprocal of a subnormal is infinite: a half-space with normal (5e-324, 0) against an ellipse gave NaN. Cause:
 * the normal was scaled by a product instead of a quotient. */
TEST(test_subnormal_normal) {
  graze_shape wall = graze_halfspace2((graze_vec){0x1p-1074, 0, 0}, 0), ellipse = graze_ellipse(1, 2);
  graze_placed a = graze_place(&wall, graze_pose2(0, 0, 0)), b = graze_place(&ellipse, graze_pose2(3, 0, 0));
  graze_answer answer = ask(&a, &b);
  assert_int_equal(answer.relation, GRAZE_SEPARATED);
  assert_true(answer.lower <= 2 && answer.upper >= 2 && answer.upper - answer.lower < 1e-12);
}

/* 1e-258 from the plane: the square of that underflowed, the length of the offset came out as 0, and with it the error.
 */
TEST(test_subnormal_square) {
  double n = 0x1.9090909090909p-879;
  graze_shape floor = graze_halfspace((graze_vec){n, n, n}, n), dot = graze_ellipsoid(1e-280, 1e-280, 1e-280);
  graze_placed a = graze_place(&floor, graze_pose_at(0, 0, 0));
  for (int i = 1; i < 100; i++) {
    graze_placed b = graze_place(&dot, graze_pose_at(0x1.03009p-857 * i, 0x1p-1050, 0));
    graze_answer answer = ask(&a, &b);
    assert_int_equal(answer.relation, GRAZE_SEPARATED);
    assert_true(answer.lower < answer.upper);
  }
}

/* Quaternions with one subnormal component, so that the small arena is full at the last product: its zero was divided
 * by before anybody looked, and a loop that halves a number until it is at most 1 met infinity. */
TEST(test_no_endless_halving) {
  for (int i = 0; i <= 64; i++) {
    double tiny = ldexp(1, -1074 + i);
    graze_shape plate = graze_box(3, 0, 2.5), floor = graze_halfspace((graze_vec){0.75, 3, 0}, 0);
    graze_placed a = graze_place(&plate, graze_pose3((graze_vec){2, 0, -2.25}, 0x1.bffffffffffffp+1, 0.75, tiny, 3.5));
    graze_placed b = graze_place(&floor, graze_pose3((graze_vec){0, 0, -2.25}, 0.75, tiny, 0, -1.5));
    assert_int_equal(ask(&a, &b).relation, GRAZE_OVERLAPPING);
    assert_int_equal(ask(&b, &a).relation, GRAZE_OVERLAPPING);
  }
}

/* A ball of radius 1e20 by its support function: the verifier asks it in a direction of its own rounding, and gets
 * another point of the same worth. A lower bound with no room for that was refused. */
static double ball_support(void *context, graze_vec d, graze_vec *point) {
  double r = *(const double *)context, f = r * (1 - 0x1p-48) / sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  *point = (graze_vec){d.x * f, d.y * f, d.z * f};
  return r * 0x1p-47;
}

TEST(test_verifier_asks_anew) {
  double radius = 1e20;
  graze_shape ball = graze_with_margin(graze_user(3, ball_support, &radius), 0x1p-1018), point = graze_point();
  for (int i = 1, step = tiered(8, 4, 1); i < 200; i += step) {
    graze_placed a = graze_place(&ball, graze_pose_at(-1e-100 * i, 3e-320, 7.0 / i));
    graze_placed b = graze_place(&point, graze_pose_at(0, 0, 0));
    assert_int_equal(ask(&a, &b).relation, GRAZE_OVERLAPPING);
  }
}

/* Positions 1e-101 apart, sizes 1e35: the first direction was scaled up until its square overflowed, the support width
 * along it came out as 0, and the depth bound was 14 orders of magnitude too small. */
TEST(test_tiny_offset_of_huge_shapes) {
  graze_shape disk = graze_with_margin(graze_ellipsoid(0x1.7p117, 0x1p-1060, 0x1p-766), 0x1p-767),
              point = graze_point();
  graze_placed a = graze_place(&disk, graze_pose_at(0x1.ep-335, 0x1p-1050, 0));
  graze_placed b = graze_place(&point, graze_pose_at(0, 0, 0));
  assert_int_equal(ask(&a, &b).relation, GRAZE_OVERLAPPING);
}

/* A cylinder as thin as a number can be: the portal's normal was so short that its length underflowed to 0, and the
 * bound to infinity. */
TEST(test_thinnest_cylinder) {
  graze_vec v[2] = {{-0x1p-1074, -0.25, -0.25}, {-0.25, -0.25, -0.25}};
  graze_shape rod = graze_with_margin(graze_hull(v, 2), 0.25), wire = graze_cylinder(0x1p-1074, 3.25);
  graze_pose pose = graze_pose3((graze_vec){-0.25, -0.25, -0.25}, -0.25, -0.25, -0.25, -0.25);
  graze_placed a = graze_place(&rod, pose), b = graze_place(&wire, pose);
  graze_answer answer = ask(&a, &b);
  assert_true(answer.lower <= 0.125 && isfinite(answer.lower));
}

/* Rim points of a disk of radius 5e-324 at 45°: 0.7·5e-324 rounds to 5e-324, and the points left the disk. */
TEST(test_thinnest_disk) {
  graze_shape wire = graze_cone(0x1p-1074, 5), cone = graze_cone(5, 5);
  graze_placed a = graze_place(&cone, graze_pose3((graze_vec){0, 0, 0}, 1, 0, 0, 0.25));
  graze_placed b = graze_place(&wire, graze_pose_at(0, 0, 1e-5));
  assert_int_equal(ask(&a, &b).relation, GRAZE_OVERLAPPING);
}

/* Boxes of 7e-310 in touch: the exponent of an exact normal was subtracted from a zero coordinate, whose power of two
 * then overflowed, and the normal became NaN. */
TEST(test_subnormal_touch) {
  double h = 6.9533558078350043e-310;
  graze_shape line = graze_box2(h, 0), box = graze_box2(h, h);
  graze_placed a = graze_place(&line, graze_pose2(0, 0, 0)), b = graze_place(&box, graze_pose2(h, -h, 0));
  graze_answer answer = ask(&a, &b);
  assert_int_equal(answer.relation, GRAZE_TOUCHING);
  assert_true(fabs(hypot(answer.normal.x, answer.normal.y) - 1) < 1e-12);
}

/* Two copies of a hull whose coordinates span hundreds of orders of magnitude: the small arena was full halfway through
 * a touch, and the second run, which found an overlap, kept distance 0 from the first. Seed 5. */
TEST(test_second_run_is_fresh) {
  state = 5;
  for (int i = 0; i < 40; i++) {
    graze_vec v[8];
    for (int k = 0; k < 8; k++) v[k] = wild_vec();
    graze_shape hull = graze_hull(v, 8);
    graze_vec at = wild_vec(), axis = wild_vec();
    graze_placed a = graze_place(&hull, graze_pose3(at, wild(), axis.x, axis.y, axis.z)), b = a;
    graze_answer answer = ask(&a, &b);
    assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
    assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper && answer.distance < 0);
  }
}

/* Boxes of 2^-1000 are computed with in units of 2^-900, and a direction of 1e40 from the caller's cache or start
 * overflowed on the way to the local frame: support points were picked by NaN, and overlapping boxes called separated.
 */
TEST(test_long_directions_of_tiny_shapes) {
  graze_shape box = graze_box(0x1p-1000, 0x1p-1000, 0x1p-1000);
  graze_placed a = graze_place(&box, graze_pose3((graze_vec){0, 0, 0}, 1, .3, -.5, .7));
  graze_placed b = graze_place(&box, graze_pose3((graze_vec){0x1p-1001, 0, 0}, .2, .9, .4, -.1));
  static const double size[4] = {1e40, 1e300, 1e-300, 0x1p-1074};
  for (int i = 0; i < 4 * 26; i++) {
    int k = i / 4 + (i / 4 >= 13); /* every direction to the corners of a cube but 0 */
    graze_vec d = {size[i % 4] * (k % 3 - 1), size[i % 4] * (k / 3 % 3 - 1), size[i % 4] * (k / 9 - 1)};
    graze_cache cache = {.direction = d};
    graze_options cached = graze_default_options(), started = graze_default_options();
    cached.cache = &cache;
    started.method = GRAZE_METHOD_GJK;
    if (size[i % 4] <= 1e40) started.start = d;
    graze_answer x, y;
    assert_int_equal(graze_intersect(&a, &b, &cached, &x), GRAZE_OK);
    assert_int_equal(graze_intersect(&a, &b, &started, &y), GRAZE_OK);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
    assert_int_equal(y.relation, GRAZE_OVERLAPPING);
    assert_int_equal(distance(&a, &b, started).relation, GRAZE_OVERLAPPING);
  }
}

/* A warm simplex whose nearest point is 2^-537 from the origin: the square of that is one subnormal bit, the length was
 * off by a third, and so was the bound of the depth. */
TEST(test_warm_start_near_the_origin) {
  for (int i = 0; i < 64; i++) {
    graze_vec v[9];
    for (int k = 0; k < 8; k++) v[k] = (graze_vec){k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
    v[8] = (graze_vec){(0.5 + i / 64.0) * 0x1p-537, 0, 0};
    graze_shape hull = graze_hull(v, 9), point = graze_point();
    graze_placed a = graze_place(&hull, graze_pose_at(0, 0, 0)), b = graze_place(&point, graze_pose_at(0, 0, 0));
    graze_cache cache = {.count = 1, .a = {8}, .b = {0}};
    graze_options options = graze_default_options();
    options.cache = &cache;
    graze_answer answer = distance(&a, &b, options);
    assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
    assert_true(answer.lower <= -1 && answer.upper >= -1 && answer.upper - answer.lower < 1e-12);
  }
}

/* A gap below the least positive number, with a tolerance that accepts doubles: it was rounded to 0, and separated
 * shapes had no distance. */
TEST(test_gap_below_every_number) {
  graze_shape ball = graze_sphere(0x1p-1074);
  graze_placed a = graze_place(&ball, graze_pose_at(0, 0, 0));
  graze_placed b = graze_place(&ball, graze_pose_at(0x1p-1074, 0x1p-1073, 0));
  graze_options options = graze_default_options();
  options.tolerance = 0x1p-1073;
  graze_answer answer;
  for (options.max_iterations = 1; options.max_iterations < 6; options.max_iterations++) {
    assert_int_equal(graze_distance(&a, &b, &options, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, GRAZE_SEPARATED);
    assert_true(answer.distance > 0);
    assert_int_equal(graze_verify(&a, &b, NULL, &answer), GRAZE_OK);
  }
}

/* A beam of aspect 1e6 and four points of a needle: the nearest point by the plane of three of them and the same by
 * their weights differed by 1e-11, and the witness points did not fit the distance. */
TEST(test_witnesses_fit_the_distance) {
  static const graze_vec v[4] = {{-8.6409042845017643e-07, 0.6025026074795139, -1.0846867106175417e-06},
                                 {-7.2133020532379504e-07, 0.57150315730370338, -1.0182060855246613e-06},
                                 {-9.0524261769925009e-07, 0.32928442079976106, 6.7129854196193192e-08},
                                 {2.348198583088253e-07, 0.52331034072974525, 2.0397281531190296e-07}};
  graze_shape beam = graze_box(1, 9.9999999999999995e-07, 9.9999999999999995e-07), needle = graze_hull(v, 4);
  graze_placed a = graze_place(
      &beam, graze_pose3((graze_vec){-0.30564037753043172, -0.19218365404499482, 0.79296578716452926},
                         -0.77932474600709711, -0.91853623243605731, -0.75128299126341358, -0.47534127074267274));
  graze_placed b = graze_place(
      &needle, graze_pose3((graze_vec){-0.30564024731179079, -0.19218202232401621, 0.79296298162740819},
                           -0.77932474600709722, -0.91853623243605731, -0.75128299126341358, -0.47534127074267274));
  graze_answer x = ask(&a, &b);
  assert_int_equal(x.relation, GRAZE_SEPARATED);
  assert_true(fabs(x.point_b.x - x.point_a.x - x.distance * x.normal.x) < 4e-12);
  assert_true(fabs(x.point_b.y - x.point_a.y - x.distance * x.normal.y) < 4e-12);
  assert_true(fabs(x.point_b.z - x.point_a.z - x.distance * x.normal.z) < 4e-12);
}
