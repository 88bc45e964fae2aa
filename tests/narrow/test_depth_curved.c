/* Depths of curved shapes: closed forms at all scales, and the least width that a search from many starts finds. */
#include "support/families_run.h"
#include "support/oracle/curved.h"
#include "support/query.h"

static shape_pair pair;

static void complain(const char *why, const proved_answer *x) {
  print_answer(stdout, x);
  print_query_line(stdout, why, "distance", &pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
  fail_msg("%s", why);
}

/* Overlapping, proved, as narrow as promised; wider only if cut, which `ring` allows. */
static proved_answer deep_answer(bool ring) {
  const graze_placed a = place(&pair.a, pair.pose_a), b = place(&pair.b, pair.pose_b);
  const proved_answer x = proved_distance(&a, &b, NULL), plain = distance(&a, &b, NULL);
  const bool cut = x.stopped == GRAZE_STOP_BUDGET;
  if (x.relation != GRAZE_OVERLAPPING) complain("not overlapping", &x);
  if (x.stopped != GRAZE_STOP_NONE && !(cut && ring)) complain("something was cut", &x);
  const char *why = validate_form(&pair.a, &pair.b, &x, cut ? 1 : 1e-9);
  if (why) complain(why, &x);
  if (!ring && plain.stopped != GRAZE_STOP_NONE) complain("something was cut without a workspace", &plain);
  if (!ring && validate_form(&pair.a, &pair.b, &plain, 1e-9)) complain("another form without a workspace", &plain);
  if (plain.lower > x.upper || x.lower > plain.upper) complain("other intervals without a workspace", &plain);
  return x;
}

/* The depth is `truth`, to a few roundings, in either order. */
static void must_be(graze_shape a, graze_shape b, graze_pose at, double truth, bool ring) {
  for (int order = 0; order < 2; order++) {
    pair.a = order ? b : a, pair.b = order ? a : b;
    pair.pose_a = order ? at : identity, pair.pose_b = order ? identity : at;
    const proved_answer x = deep_answer(ring);
    const double off = 4e-15 * truth;
    if (!(x.lower <= -truth + off && -truth - off <= x.upper)) complain("INTERVAL MISSES the closed form", &x);
  }
}

TEST(isolated_minima) {
  const graze_shape rod = graze_cylinder(1, 8);
  for (int i = 0; i < 20; i++) {
    const double t = i / 32.0, s = t / 2;
    const graze_pose crossed = {{0, 1 + s, 0}, 1, 0, 1, 0};
    must_be(graze_box(2, 3, 4), graze_ellipsoid(0.5, 0.75, 1), graze_pose_at(1 - t, s, -t), 2 + 0.5 - (1 - t), false);
    must_be(graze_box(2, 3, 4), graze_cylinder(0.5, 1), graze_pose_at(0, s, 3.75 - s), 4 + 1 - (3.75 - s), false);
    must_be(graze_cone(1, 1), graze_box(8, 8, 1), graze_pose_at(s, s, -1.5), 0.5, false);
    must_be(rod, rod, crossed, 2 - (1 + s), false);
    must_be(rod, rod, graze_pose_at(0.75 + s, 1, t / 4), 2 - hypot(0.75 + s, 1), false);
    must_be(graze_cylinder(2, 0.25), graze_cylinder(2, 0.5), graze_pose_at(s / 4, s / 4, 0.25), 0.5, false);
    must_be(graze_ellipse(2, 1), graze_box2(4, 1), graze_pose_at(t, 1.5 + s / 2, 0), 2 - (1.5 + s / 2), false);
    must_be(graze_box(1, 1, 8), graze_with_margin(graze_cylinder(1, 0.5), 0.25), graze_pose_at(1.5, s, s), 0.75, false);
  }
}

TEST(rings_and_spheres_of_directions) {
  const graze_shape unit = graze_ellipsoid(1, 1, 1), half = graze_ellipsoid(0.5, 0.5, 0.5);
  const graze_shape egg = graze_ellipsoid(3, 2, 1), disk = graze_cylinder(4, 1);
  const graze_pose aside = graze_pose_at(0.25, 0, 0);
  must_be(unit, half, identity, 1.5, true);
  must_be(unit, half, aside, 1.25, true);
  must_be(egg, egg, identity, 2, true);
  must_be(graze_ellipsoid(3, 1, 1), graze_sphere(0.5), identity, 1.5, true);
  must_be(graze_cylinder(1, 4), graze_cylinder(0.5, 4), identity, 1.5, true);
  must_be(disk, disk, identity, 2, true);
  must_be(graze_sphere(1), graze_cylinder(2, 3), identity, 3, true);
  must_be(graze_sphere(0.5), graze_box(1, 2, 3), aside, 1.25, false);
  must_be(graze_ellipse(1, 1), graze_circle(0.5), identity, 1.5, true);
  must_be(graze_cone(1, 4), graze_sphere(0.25), identity, 4 / sqrt(65) + 0.25, true); /* along the slope 8:1 */
}

/* ---- random ones against a search from many starts */

TEST(never_a_local_minimum) {
  rng random = family_seed("depths of curved shapes");
  int pairs = tiered(60, 120, 800), overlaps = 0, cut = 0, as_good = 0;
  for (int i = 0; i < pairs; i++) {
    const int dim = i % 4 ? 3 : 2;
    memset(&pair, 0, sizeof pair);
    pair.a = random_curved(&random, dim, 0.2);
    pair.b = rng_coin(&random) ? random_curved(&random, dim, 0.2) : random_shape(&random, dim, pair.vertices_b);
    place_near(&random, &pair, 3, 0.3);
    if (!curved_solve(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0).cores_overlap) continue;
    const proved_answer x = deep_answer(true);
    const double most = curved_depth(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0);
    const double width = curved_width(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0, x.normal);
    const double scale = pair_scale(&pair.a, &pair.b, x.distance);
    overlaps++, cut += x.stopped == GRAZE_STOP_BUDGET, as_good += most <= -x.lower + 1e-6 * scale;
    if (x.upper < -most) complain("INTERVAL MISSES: a lesser width was found", &x);
    if (width > -x.lower + 1e-9 * scale) complain("INTERVAL MISSES: the width along the normal is larger", &x);
  }
  assert_true(overlaps * 2 > pairs && cut * 10 < overlaps && as_good * 10 > overlaps * 8);
}

/* ---- bodies on one axis, or nearly, at all scales, without a workspace, where no surface is fine enough */

static double truth, size; /* the depth, and what widths are measured by */

/* Each makes a pair of scale s, `aside` beside a common axis, and returns the position of B in A's frame. */
static graze_vec in_a_cylinder(rng *random, double s, double aside) {
  const double radius = s * rng_uniform(random, 0.5, 1), half = s * rng_uniform(random, 2, 3);
  const double rest = s * rng_uniform(random, 0.2, 0.5), z = s * rng_uniform(random, -1, 1), out = aside * radius;
  const bool ball = rng_coin(random);
  pair.a = graze_cylinder(radius, half);
  pair.b = ball ? graze_sphere(rest) : graze_cylinder(rest, s);
  truth = ball ? rest + fmin(radius - out, half - fabs(z)) : fmin(radius + rest - out, half + s - fabs(z));
  size = hypot(radius, half);
  return vec(out, 0, z);
}

static graze_vec balls(rng *random, double s, double aside) {
  const double one = s * rng_uniform(random, 0.5, 1), other = s * rng_uniform(random, 0.5, 1), out = aside * s;
  pair.a = graze_ellipsoid(one, one, one), pair.b = graze_ellipsoid(other, other, other);
  truth = one + other - out, size = fmax(one, other);
  return vec(out, 0, 0);
}

static graze_vec spheroids(rng *random, double s, double aside) {
  const double radius = s * rng_uniform(random, 0.5, 1), half = radius * rng_uniform(random, 1.5, 2);
  const double rest = s * rng_uniform(random, 0.1, 0.3);
  (void)aside;
  pair.a = graze_ellipsoid(radius, radius, half), pair.b = graze_sphere(rest);
  truth = radius + rest, size = half;
  return vec(0, 0, 0);
}

/* Returns whether the answer is whole and as narrow as promised. */
static bool revolve(rng *random, graze_vec (*make)(rng *, double, double), double scale, double aside) {
  const graze_vec offset = make(random, scale, aside);
  graze_pose pose = random_pose(random, 3, 0);
  pose.position = vec(scale, -scale, scale / 2);
  const graze_placed a = place(&pair.a, pose);
  const double *r = a.hidden.rotation;
  const graze_vec x = vec(r[0], r[3], r[6]), z = vec(r[2], r[5], r[8]);
  pose.position = add(pose.position, add(scaled(offset.x, x), scaled(offset.z, z)));
  const graze_placed b = place(&pair.b, pose);
  const proved_answer answer = distance(&a, &b, NULL);
  assert_int_equal(answer.relation, GRAZE_OVERLAPPING);
  if (!(answer.lower <= -truth + 1e-14 * size && answer.upper >= -truth - 1e-14 * size))
    fail_msg("scale %g, aside %g: depth %.17g, not in [%.17g, %.17g]", scale, aside, truth, -answer.upper,
             -answer.lower);
  return answer.stopped == GRAZE_STOP_NONE && answer.upper - answer.lower <= 1e-9 * fmax(truth, size);
}

/* Seed 41. Between 1e-9 and a tenth of the radius the workspace on the stack may be too small for a narrow interval,
 * but not for a ball, whose depth is that of the profiles. */
TEST(on_one_axis_and_beside_it) {
  const double scales[] = {1e-260, 1e-230, 1e-200, 1e-162, 1e-150, 1e-30, 1, 1e20, 1e39};
  const double asides[] = {0,    1e-16,  1e-15, 1e-13,  1e-12,  1e-11,  1e-9, 7e-9, 5e-8,
                           3e-7, 2.4e-6, 2e-5,  1.2e-4, 8.2e-4, 5.8e-3, 0.04, 0.28};
  rng random = 41;
  for (size_t i = 0; i < COUNT(scales) * COUNT(asides) * 10; i++) {
    const double scale = scales[i % COUNT(scales)], aside = asides[i / COUNT(scales) % COUNT(asides)];
    const bool narrow = revolve(&random, in_a_cylinder, scale, aside);
    const graze_shape_kind in_cylinder = pair.b.kind;
    const bool ball = revolve(&random, balls, scale, aside), spheroid = revolve(&random, spheroids, scale, aside);
    if (in_cylinder == GRAZE_SPHERE || aside < 1e-10 || aside > 0.1) assert_true(narrow);
    if (aside < 1e-10) assert_true(ball);
    assert_true(spheroid);
  }
}
