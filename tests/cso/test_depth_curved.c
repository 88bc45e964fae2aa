/* Depths of curved shapes: closed forms, and the least support width that a search from many starts finds, which no
 * depth may exceed: a solver stuck in a local minimum would.
 *
 * GRAZE_TIER and GRAZE_SEED: see test_families.c. */

#include "support/test.h"
#include "support/families_run.h"
#include "support/oracle/curved.h"

static shape_pair pair;
static uint64_t workspace[1 << 17];
static graze_surface surface;

static void complain(const char *why, const graze_answer *x) {
  judge_print(stdout, x);
  print_query_line(stdout, why, "distance", &pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
  fail_msg("%s", why);
}

/* Overlapping, proved, as narrow as promised; wider only where the answer says so and `ring` allows it. */
static graze_answer ask(bool ring) {
  graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
  graze_options options = graze_default_options();
  graze_answer x, plain;
  memset(&x, 0, sizeof x);
  options.workspace = workspace;
  options.workspace_size = sizeof workspace;
  options.surface = &surface;
  if (graze_distance(&a, &b, &options, &x) != GRAZE_OK) complain("refused", &x);
  if (x.relation != GRAZE_OVERLAPPING) complain("not overlapping", &x);
  bool cut = x.stopped == GRAZE_STOP_BUDGET;
  if (x.stopped != GRAZE_STOP_NONE && !(cut && ring)) complain("something was cut", &x);
  const char *why = judge_form(&pair.a, &pair.b, &x, cut ? 1 : 1e-9);
  if (why) complain(why, &x);
  graze_status status = graze_verify(&a, &b, NULL, &x);
  if (status != GRAZE_OK) complain(graze_status_text(status), &x);
  if (graze_distance(&a, &b, NULL, &plain) != GRAZE_OK) complain("refused without a workspace", &plain);
  if (graze_verify(&a, &b, NULL, &plain) == GRAZE_REFUTED) complain("refuted", &plain);
  if (!ring && plain.stopped != GRAZE_STOP_NONE) complain("something was cut without a workspace", &plain);
  if (!ring && judge_form(&pair.a, &pair.b, &plain, 1e-9)) complain("another form without a workspace", &plain);
  if (plain.lower > x.upper || x.lower > plain.upper) complain("other intervals without a workspace", &plain);
  return x;
}

/* The depth is `truth`, to a few roundings. */
static void must_be(double truth, bool ring) {
  graze_answer x = ask(ring);
  double off = 4e-15 * truth;
  if (!(x.lower <= -truth + off && -truth - off <= x.upper)) complain("INTERVAL MISSES the closed form", &x);
  graze_shape a = pair.a;
  graze_pose at = pair.pose_a;
  pair.a = pair.b, pair.pose_a = pair.pose_b;
  pair.b = a, pair.pose_b = at;
  x = ask(ring);
  if (!(x.lower <= -truth + off && -truth - off <= x.upper)) complain("INTERVAL MISSES, swapped", &x);
}

static void place_pair(graze_shape a, graze_shape b, double x, double y, double z) {
  pair.a = a, pair.b = b;
  pair.pose_a = pair.pose_b = identity_pose();
  pair.pose_b.position = (graze_vec){x, y, z};
}

/* All of one direction to leave by, which is the least. */
TEST(isolated_minima) {
  for (int i = 0; i < 20; i++) {
    double t = i / 32.0, s = t / 2;
    place_pair(graze_box(2, 3, 4), graze_ellipsoid(0.5, 0.75, 1), 1 - t, s, -t); /* out of the face at x = 2 */
    must_be(2 + 0.5 - (1 - t), false);
    place_pair(graze_box(2, 3, 4), graze_cylinder(0.5, 1), 0, s, 3.75 - s); /* upright: by the top */
    must_be(4 + 1 - (3.75 - s), false);
    place_pair(graze_cone(1, 1), graze_box(8, 8, 1), s, s, -1.5); /* its base in a slab below */
    must_be(1 + 1 - 1.5, false);
    place_pair(graze_cylinder(1, 8), graze_cylinder(1, 8), 0, 1 + s, 0); /* crossed: along y */
    pair.pose_b.w = pair.pose_b.y = 1;
    must_be(2 - (1 + s), false);
    place_pair(graze_cylinder(1, 8), graze_cylinder(1, 8), 0.75 + s, 1, t / 4); /* parallel: across the axes */
    must_be(2 - hypot(0.75 + s, 1), false);
    place_pair(graze_cylinder(2, 0.25), graze_cylinder(2, 0.5), s / 4, s / 4, 0.25); /* disks: along the axis */
    must_be(0.5, false);
    place_pair(graze_ellipse(2, 1), graze_box2(4, 1), t, 1.5 + s / 2, 0);
    must_be(2 - (1.5 + s / 2), false);
    place_pair(graze_box(1, 1, 8), graze_with_margin(graze_cylinder(1, 0.5), 0.25), 1.5, s, s); /* rounded */
    must_be(1 + 1 + 0.25 - 1.5, false);
  }
}

/* Balls, concentric bodies of revolution: rings and spheres of ways out. */
TEST(rings_and_spheres) {
  place_pair(graze_ellipsoid(1, 1, 1), graze_ellipsoid(0.5, 0.5, 0.5), 0, 0, 0);
  must_be(1.5, true);
  place_pair(graze_ellipsoid(1, 1, 1), graze_ellipsoid(0.5, 0.5, 0.5), 0.25, 0, 0);
  must_be(1.25, true);
  place_pair(graze_ellipsoid(3, 2, 1), graze_ellipsoid(3, 2, 1), 0, 0, 0); /* a pair of poles */
  must_be(2, true);
  place_pair(graze_ellipsoid(3, 1, 1), graze_sphere(0.5), 0, 0, 0); /* a ring */
  must_be(1.5, true);
  place_pair(graze_cylinder(1, 4), graze_cylinder(0.5, 4), 0, 0, 0); /* a ring */
  must_be(1.5, true);
  place_pair(graze_cylinder(4, 1), graze_cylinder(4, 1), 0, 0, 0); /* two disks */
  must_be(2, true);
  place_pair(graze_sphere(1), graze_cylinder(2, 3), 0, 0, 0); /* a ball at the centre: a ring */
  must_be(3, true);
  place_pair(graze_sphere(0.5), graze_box(1, 2, 3), 0.25, 0, 0);
  must_be(1.25, false);
  place_pair(graze_ellipse(1, 1), graze_circle(0.5), 0, 0, 0);
  must_be(1.5, true);
  place_pair(graze_cone(1, 4), graze_sphere(0.25), 0, 0, 0); /* on the axis: a ring along the slope 8:1 */
  must_be(4 / sqrt(65) + 0.25, true);
}

/* ---- random ones, against a search from many starts */

static graze_shape any_curved(rng *random, int dim) {
  double x = rng_uniform(random, 0.2, 1), y = rng_uniform(random, 0.2, 1), z = rng_uniform(random, 0.2, 1);
  if (dim == 2) return graze_ellipse(x, y);
  switch (rng_below(random, 3)) {
  case 0: return graze_ellipsoid(x, y, z);
  case 1: return graze_cylinder(x, y);
  default: return graze_cone(x, y);
  }
}

static void make_pair(rng *random, int dim) {
  pair.a = any_curved(random, dim);
  pair.b = rng_coin(random) ? any_curved(random, dim) : random_shape(random, dim, pair.vertices_b);
  place_near(random, &pair, 3, 0.3);
}

TEST(never_a_local_minimum) {
  rng random = {family_seed("depths of curved shapes")};
  int pairs = tiered(80, 160, 800), asked = 0, cut = 0, as_good = 0;
  for (int i = 0; i < pairs; i++) {
    memset(&pair, 0, sizeof pair);
    make_pair(&random, i % 4 ? 3 : 2);
    if (!curved_solve(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0).cores_overlap) continue;
    graze_answer x = ask(true);
    double most = curved_depth(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0);
    double along = curved_width(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0, x.normal);
    double scale = judge_scale(&pair.a, &pair.b, x.distance);
    asked++;
    cut += x.stopped == GRAZE_STOP_BUDGET;
    as_good += most <= -x.lower + 1e-6 * scale;
    if (x.upper < -most) complain("INTERVAL MISSES: a shorter way out was found", &x);
    if (along > -x.lower + 1e-9 * scale) complain("INTERVAL MISSES: the normal's way out is longer", &x);
  }
  print_message("%d overlap, %d cut; the search found a way as short in %d\n", asked, cut, as_good);
  assert_true(asked * 2 > pairs && cut * 10 < asked && as_good * 10 > asked * 8);
}
