/* Ellipse, ellipsoid, cylinder and cone against every kind, and half-spaces against these: relation and interval
 * against an independent enclosure of the truth (tests/oracle/curved.h), which first has to prove itself on closed
 * forms.
 *
 * GRAZE_TIER, GRAZE_FAMILY and GRAZE_SEED: see test_families.c. */

#include "support/test.h"
#include "support/families_run.h"
#include "support/oracle/curved.h"

enum { SHOWN = 2 }; /* failures printed for each family and reason */

static shape_pair pair;

/* Room for a depth surface. */
static uint64_t workspace[1 << 16];
static graze_surface surface;

/* ---- families */

static double any_size(rng *random) { return rng_uniform(random, 0.1, 1); }

static graze_shape curved_shape(rng *random, int dim) {
  graze_shape shape;
  if (dim == 2)
    shape = graze_ellipse(any_size(random), any_size(random));
  else
    switch (rng_below(random, 3)) {
    case 0: shape = graze_ellipsoid(any_size(random), any_size(random), any_size(random)); break;
    case 1: shape = graze_cylinder(any_size(random), any_size(random)); break;
    default: shape = graze_cone(any_size(random), any_size(random));
    }
  return rng_below(random, 4) == 0 ? graze_with_margin(shape, rng_uniform(random, 0, 0.5)) : shape;
}

static void place(rng *random, shape_pair *p, double reach) { place_near(random, p, 3, reach); }

static void swap_sometimes(rng *random, shape_pair *p) {
  if (rng_coin(random)) return;
  graze_shape s = p->a;
  graze_pose q = p->pose_a;
  p->a = p->b, p->pose_a = p->pose_b;
  p->b = s, p->pose_b = q;
}

static void curved_and_any(rng *random, shape_pair *p, int dim, double reach) {
  p->a = curved_shape(random, dim);
  p->b = rng_coin(random) ? curved_shape(random, dim) : random_shape(random, dim, p->vertices_b);
  place(random, p, reach);
}

static void near_3d(rng *random, shape_pair *p) { curved_and_any(random, p, 3, 1.2); }
static void near_2d(rng *random, shape_pair *p) { curved_and_any(random, p, 2, 1.4); }

static void far_3d(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1.2);
  p->pose_b.position.x += ldexp(4, rng_between(random, 0, 20));
}

/* One of the radii much smaller or larger than the others. */
static void thin(rng *random, shape_pair *p) {
  curved_and_any(random, p, rng_coin(random) ? 2 : 3, 1);
  double f = ldexp(1, -rng_between(random, 3, 12));
  if (p->a.kind == GRAZE_ELLIPSOID)
    p->a.extents.x *= f;
  else if (rng_coin(random))
    p->a.radius *= f;
  else
    p->a.half_length *= f;
  p->a.margin = 0;
}

static void needles(rng *random, shape_pair *p) {
  curved_and_any(random, p, rng_coin(random) ? 2 : 3, 1);
  double f = ldexp(1, -rng_between(random, 12, 40));
  if (p->a.kind == GRAZE_ELLIPSOID) {
    p->a.extents.x *= f;
    if (rng_coin(random)) p->a.extents.y *= f;
  } else if (rng_coin(random))
    p->a.radius *= f;
  else
    p->a.half_length *= f;
  p->a.margin = 0;
}

static void unequal(rng *random, shape_pair *p) {
  curved_and_any(random, p, rng_coin(random) ? 2 : 3, 0.5);
  double f = ldexp(1, rng_between(random, 8, 30));
  p->a.extents.x *= f, p->a.extents.y *= f, p->a.extents.z *= f, p->a.radius *= f, p->a.half_length *= f;
  p->a.margin *= f;
  p->pose_b.position.x += (p->pose_b.position.x - p->pose_a.position.x) * f;
  p->pose_b.position.y += (p->pose_b.position.y - p->pose_a.position.y) * f;
  p->pose_b.position.z += (p->pose_b.position.z - p->pose_a.position.z) * f;
}

static void flat(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1);
  if (p->a.kind == GRAZE_ELLIPSOID) {
    p->a.extents.z = 0;
    if (rng_below(random, 4) == 0) p->a.extents.x = 0;
  } else if (rng_below(random, 3))
    p->a.half_length = 0;
  else
    p->a.radius = 0;
}

static void scaled(rng *random, shape_pair *p) {
  static const double factor[] = {1e-30, 1e30, 1e-150, 1e-300};
  curved_and_any(random, p, 3, 1.3);
  scale_pair(p, factor[rng_below(random, 4)]);
}

static void far_out(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1.3);
  graze_vec far = rng_vec(random, 3, 1e9);
  p->pose_a.position.x += far.x, p->pose_a.position.y += far.y, p->pose_a.position.z += far.z;
  p->pose_b.position.x += far.x, p->pose_b.position.y += far.y, p->pose_b.position.z += far.z;
}

/* Balls in disguise, of which the exact relation is known as well. */
static void balls(rng *random, shape_pair *p) {
  double r = any_size(random), s = any_size(random);
  p->a = graze_ellipsoid(r, r, r);
  p->b = rng_coin(random) ? graze_ellipsoid(s, s, s) : graze_sphere(s);
  place(random, p, 1);
}

static void planes(rng *random, shape_pair *p) {
  int dim = rng_coin(random) ? 2 : 3;
  graze_vec n = rng_vec(random, dim, 1);
  double offset = rng_uniform(random, -1, 1);
  p->a = dim == 2 ? graze_halfspace2(n, offset) : graze_halfspace(n, offset);
  p->b = curved_shape(random, dim);
  place(random, p, 1.5);
  swap_sometimes(random, p);
}

/* Exact contacts on the quarter lattice: poles on faces, caps on faces, apexes, sides along faces, pole on pole. */
static void lattice_contact(rng *random, shape_pair *p) {
  double r = 0.25 * rng_between(random, 1, 4), h = 0.25 * rng_between(random, 1, 4), e = 0.5, up = h;
  p->pose_a = p->pose_b = identity_pose();
  switch (rng_below(random, 6)) {
  case 0: p->a = graze_ellipsoid(r, 0.5, h); break;
  case 1: p->a = graze_cylinder(r, h); break;
  case 2: p->a = graze_cone(r, h); break;
  case 3: /* a cylinder lying: axis along x */
    p->a = graze_cylinder(r, h);
    p->pose_a.w = p->pose_a.y = 1;
    up = r;
    break;
  case 4:
    p->a = graze_ellipsoid(r, 0.5, h);
    p->pose_a.w = p->pose_a.y = 3; /* its x is along z now */
    up = r;
    break;
  default: p->a = graze_with_margin(graze_cylinder(r, h), 0.25); up = h + 0.25;
  }
  switch (rng_below(random, 4)) {
  case 0: p->b = graze_box(1, 1, e); break;
  case 1: p->b = graze_ellipsoid(1, 2, e); break;
  case 2: p->b = graze_cylinder(1, e); break;
  default: p->b = graze_sphere(e);
  }
  p->pose_b.position = (graze_vec){0, 0, up + e};
  if (p->b.kind == GRAZE_BOX || p->b.kind == GRAZE_CYLINDER) p->pose_b.position.x = 0.25 * rng_between(random, -1, 1);
  if (rng_below(random, 4) == 0) p->pose_b.position.z = nextafter(up + e, rng_coin(random) ? 0 : 9);
}

/* Standing on a floor: must be `touching`, not `undecided`. */
static void standing(rng *random, shape_pair *p) {
  double h = 0.25 * rng_between(random, 1, 4);
  p->a = rng_coin(random) ? graze_cylinder(any_size(random), h) : graze_cone(any_size(random), h);
  p->b = rng_coin(random) ? graze_box(4, 4, 0.5) : graze_halfspace((graze_vec){0, 0, 2}, 0.5);
  p->pose_a = p->pose_b = identity_pose();
  p->pose_b.position = (graze_vec){rng_uniform(random, -1, 1), rng_uniform(random, -1, 1), -h - 0.5};
}

/* Slid along the line of centres until the gap is about 1e-12 … 1e-16 of the size, either way. */
static void nearly_touching(rng *random, shape_pair *p) {
  curved_and_any(random, p, rng_coin(random) ? 2 : 3, 1.2);
  p->a.margin = p->b.margin = 0;
  for (int i = 0; i < 60; i++) {
    curved_truth t = curved_solve(&p->a, &p->pose_a, &p->b, &p->pose_b, 0);
    double x = p->pose_b.position.x - p->pose_a.position.x, step = t.lower > 0 ? t.lower : fmin(t.upper, t.lower);
    if (!(t.lower > 0)) step = -0.05;
    if (fabs(step) < 1e-15) break;
    p->pose_b.position.x -= x > 0 ? step : -step;
  }
  double off = ldexp(1, -rng_between(random, 38, 54));
  p->pose_b.position.x += rng_coin(random) ? off : -off;
}

typedef struct curved_family {
  family from;
  int undecided_most; /* per cent that may be undecided */
  int touching_least; /* per cent that must be touching */
  int odds;           /* runs 1/odds of the tier's count */
} curved_family;

static const curved_family families[] = {
    {{"curved, near, 3D", near_3d, 30, 70, 100}, 0, 0, 1},
    {{"ellipses, near, 2D", near_2d, 30, 70, 100}, 0, 0, 1},
    {{"curved, far", far_3d, 0, 100, 100}, 0, 0, 2},
    {{"thin, to 1/4096", thin, 0, 100, 100}, 0, 0, 2},
    {{"needles and disks, to 2^-40", needles, 0, 100, 100}, 0, 0, 2},
    {{"sizes 1 to 2^8 and 2^30", unequal, 0, 100, 100}, 0, 0, 2},
    {{"flat", flat, 0, 100, 100}, 0, 0, 2},
    {{"scales 1e-300 to 1e30", scaled, 0, 100, 100}, 0, 0, 2},
    {{"1e9 from the origin", far_out, 0, 100, 100}, 0, 0, 2},
    {{"balls as ellipsoids", balls, 0, 100, 100}, 0, 0, 2},
    {{"half-spaces", planes, 0, 100, 100}, 0, 0, 1},
    {{"exact contact on a lattice", lattice_contact, 0, 100, 100}, 100, 0, 2},
    {{"standing on a floor", standing, 0, 100, 100}, 0, 100, 4},
    {{"nearly touching", nearly_touching, 0, 100, 100}, 100, 0, 8},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* ---- judging */

typedef struct tally {
  long pairs, relation[5], failed, open;
  double worst_width, worst_undecided, seconds, worst_enclosure;
  int worst_iterations;
  const char *reason[8];
  int shown[8];
} tally;

static const char *judge_relation(const curved_truth *t, const graze_answer *x, double scale) {
  bool apart = t->lower > 0, overlap = t->upper < 0 || t->cores_overlap;
  switch (x->relation) {
  case GRAZE_SEPARATED: return overlap || t->upper <= 0 ? "WRONG RELATION: separated" : NULL;
  case GRAZE_OVERLAPPING: return apart ? "WRONG RELATION: overlapping" : NULL;
  case GRAZE_TOUCHING: return apart || overlap ? "WRONG RELATION: touching" : NULL;
  case GRAZE_UNDECIDED: break;
  }
  return t->lower > 1e-13 * scale || t->upper < -1e-13 * scale ? "undecided, though it is clear" : NULL;
}

static const char *judge_interval(const curved_truth *t, const graze_answer *x) {
  if (!isnan(x->upper) && x->upper < t->lower) return "INTERVAL MISSES: the truth is above upper";
  if (!isnan(x->lower) && x->lower > t->upper) return "INTERVAL MISSES: the truth is below lower";
  return NULL;
}

static const char *judge_curved(const curved_truth *t, const graze_answer *x) {
  const char *why = judge_relation(t, x, judge_scale(&pair.a, &pair.b, x->distance));
  if (!why) why = judge_interval(t, x);
  if (!why && x->relation != GRAZE_UNDECIDED)
    why = judge_form(&pair.a, &pair.b, x, x->stopped == GRAZE_STOP_BUDGET ? 1 : 1e-9);
  if (!why && x->relation == GRAZE_UNDECIDED && !(x->lower <= 0 && x->upper >= 0)) why = "undecided, but not about 0";
  return why;
}

static void show(tally *count, const char *name, const char *query, const char *why, const curved_truth *t,
                 const graze_answer *x) {
  count->failed++;
  int i = 0;
  while (i < 7 && count->reason[i] && strcmp(count->reason[i], why)) i++;
  count->reason[i] = why;
  if (count->shown[i]++ >= SHOWN) return;
  printf("FAILED %s, %s: %s (truth in [%.17g, %.17g])\n", name, query, why, t->lower, t->upper);
  judge_print(stdout, x);
  print_query_line(stdout, name, query, &pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
}

/* graze_verify() must not accept an interval that surely misses. */
static const char *lie(const graze_placed *a, const graze_placed *b, const curved_truth *t, graze_answer x) {
  if (isnan(x.distance) || !(x.relation == GRAZE_SEPARATED) || t->upper - t->lower > 1e-12 * t->upper) return NULL;
  graze_answer y = x;
  y.lower = nextafter(t->upper, INFINITY), y.upper = fmax(y.upper, nextafter(y.lower, INFINITY)), y.distance = y.upper;
  if (graze_verify(a, b, NULL, &y) == GRAZE_OK) return "verify accepts a lower above the truth";
  y = x;
  y.upper = nextafter(t->lower, -INFINITY), y.lower = fmin(y.lower, nextafter(y.upper, -INFINITY)),
  y.distance = y.lower;
  return graze_verify(a, b, NULL, &y) == GRAZE_OK ? "verify accepts an upper below the truth" : NULL;
}

static void run_pair(tally *count, const char *name) {
  graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
  curved_truth t = curved_solve(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0);
  graze_answer x, y;
  memset(&x, 0, sizeof x);
  memset(&y, 0, sizeof y);
  graze_options options = graze_default_options();
  options.workspace = workspace;
  options.workspace_size = sizeof workspace;
  options.surface = &surface;
  double start = family_seconds();
  graze_status status = graze_distance(&a, &b, &options, &x);
  count->seconds += family_seconds() - start;
  const char *why = status != GRAZE_OK ? graze_status_text(status) : judge_curved(&t, &x);
  bool ring = x.stopped == GRAZE_STOP_BUDGET && x.relation == GRAZE_OVERLAPPING;
  if (!why && x.stopped != GRAZE_STOP_NONE && x.relation != GRAZE_UNDECIDED && !ring) why = "something was cut";
  if (!why && (status = graze_verify(&a, &b, NULL, &x)) != GRAZE_OK) why = graze_status_text(status);
  if (!why) why = lie(&a, &b, &t, x);
  if (why) show(count, name, "distance", why, &t, &x);
  status = graze_intersect(&a, &b, NULL, &y);
  why = status != GRAZE_OK ? graze_status_text(status) : judge_relation(&t, &y, judge_scale(&pair.a, &pair.b, 0));
  if (!why) why = judge_interval(&t, &y);
  if (!why && (status = graze_verify(&a, &b, NULL, &y)) != GRAZE_OK) why = graze_status_text(status);
  if (!why && x.relation != y.relation && x.relation != GRAZE_UNDECIDED && y.relation != GRAZE_UNDECIDED)
    why = "intersect and distance differ";
  if (why) show(count, name, "intersect", why, &t, &y);
  count->pairs++;
  count->relation[(unsigned)x.relation < 5 ? x.relation : 0]++;
  double scale = judge_scale(&pair.a, &pair.b, x.distance);
  if (t.lower <= 0 && t.upper >= 0 && !t.cores_overlap) count->open++;
  if (t.lower > 0) count->worst_enclosure = fmax(count->worst_enclosure, (t.upper - t.lower) / fmax(scale, t.upper));
  if (!isnan(x.distance) && x.relation != GRAZE_UNDECIDED && scale > 1e-290)
    count->worst_width = fmax(count->worst_width, (x.upper - x.lower) / scale);
  if (x.relation == GRAZE_UNDECIDED) count->worst_undecided = fmax(count->worst_undecided, (x.upper - x.lower) / scale);
  if (x.iterations > count->worst_iterations) count->worst_iterations = x.iterations;
}

static long print_row(const curved_family *f, const tally *t) {
  double n = (double)t->pairs / 100, undecided = (double)t->relation[GRAZE_UNDECIDED] / n;
  double touching = (double)t->relation[GRAZE_TOUCHING] / n, hits = 100 - (double)t->relation[GRAZE_SEPARATED] / n;
  printf("%-28s %6ld %6.1f %6.1f %6.1f %6.1f %9.1e %9.1e %5d %8.2f %9.1e %6ld\n", f->from.name, t->pairs,
         (double)t->relation[GRAZE_SEPARATED] / n, touching, (double)t->relation[GRAZE_OVERLAPPING] / n, undecided,
         t->worst_width, t->worst_undecided, t->worst_iterations, 1e4 * t->seconds / n, t->worst_enclosure, t->failed);
  fflush(stdout);
  long failed = t->failed;
  if (undecided > f->undecided_most) failed++, printf("FAILED %s: too many undecided\n", f->from.name);
  if (touching < f->touching_least) failed++, printf("FAILED %s: too few touching\n", f->from.name);
  if (hits < f->from.hits_low || hits > f->from.hits_high) failed++, printf("FAILED %s: hits\n", f->from.name);
  return failed;
}

TEST(every_family) {
  long failed = 0;
  printf("%-28s %6s %6s %6s %6s %6s %9s %9s %5s %8s %9s %6s\n", "family", "pairs", "apart%", "touch%", "over%",
         "undec%", "width", "undecided", "iter", "us/call", "enclosure", "failed");
  for (int f = 0; f < FAMILIES; f++) {
    if (!family_wanted(families[f].from.name)) continue;
    rng random = {family_seed(families[f].from.name)};
    tally count = {0};
    for (int i = tiered(400, 800, 20000) / families[f].odds; i > 0; i--) {
      memset(&pair, 0, sizeof pair);
      families[f].from.make(&random, &pair);
      run_pair(&count, families[f].from.name);
    }
    failed += print_row(&families[f], &count);
  }
  assert_int_equal(failed, 0);
}

/* ---- the enclosure itself */

static void must_hold(const curved_truth *t, double truth, double width) {
  if (!(t->lower <= truth && truth <= t->upper && t->upper - t->lower <= width))
    fail_msg("[%.17g, %.17g] for %.17g", t->lower, t->upper, truth);
  if (t->upper >= truth * (1 + 1e-12) || t->lower <= truth * (1 - 1e-12)) fail_msg("blind at 1e-12");
}

static curved_truth solve(void) { return curved_solve(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0); }

/* Rounded polytopes, of which the truth is known exactly. */
TEST(enclosures_of_polytopes) {
  oracle *o = oracle_new();
  for (int f = 0; f < families_random_count; f++) {
    rng random = {9};
    for (int i = 0; i < 50; i++) {
      families_random[f].make(&random, &pair);
      assert_true(oracle_solve(o, &pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0));
      curved_truth t = solve();
      assert_true(oracle_compare(o, t.lower) >= 0);
      assert_true(t.cores_overlap ? oracle_cores_meet(o) : oracle_compare(o, t.upper) <= 0);
      if (oracle_relation(o) == GRAZE_SEPARATED) must_hold(&t, oracle_distance(o), 1e-14);
    }
  }
  oracle_free(o);
}

/* The nearest point of an ellipse to (x, y), by bisection of its secular equation. */
static double point_to_ellipse(double rx, double ry, double x, double y) {
  long double low = 0, high = (long double)(rx + ry) * (fabs(x) + fabs(y)) + 1;
  for (int i = 0; i < 200; i++) {
    long double t = (low + high) / 2, u = rx * x / (t + (long double)rx * rx), v = ry * y / (t + (long double)ry * ry);
    if (u * u + v * v > 1)
      low = t;
    else
      high = t;
  }
  long double px = x * (long double)rx * rx / (low + (long double)rx * rx);
  long double py = y * (long double)ry * ry / (low + (long double)ry * ry);
  return (double)sqrtl((x - px) * (x - px) + (y - py) * (y - py));
}

TEST(enclosures_of_closed_forms) {
  rng random = {10};
  for (int i = 0; i < 200; i++) {
    double rx = any_size(&random), ry = any_size(&random), x = rng_uniform(&random, 1.1, 3), y = x / 2;
    pair.a = graze_ellipse(rx, ry);
    pair.b = graze_point2();
    pair.pose_a = pair.pose_b = identity_pose();
    pair.pose_b.position = (graze_vec){x, y, 0};
    curved_truth t = solve();
    double truth = point_to_ellipse(rx, ry, x, y);
    assert_true(fabs(t.lower - truth) < 1e-14 && fabs(t.upper - truth) < 1e-14);
    /* a lying cylinder beside a sphere at height z: sqrt(x² + …) in closed form */
    double h = any_size(&random), s = any_size(&random), side = rx + s + ry;
    pair.a = graze_cylinder(rx, h);
    pair.b = graze_sphere(s);
    pair.pose_a = pair.pose_b = identity_pose();
    pair.pose_b.position = (graze_vec){side, 0, h / 2};
    t = solve();
    assert_true(t.lower <= side - rx - s + 1e-15 && t.upper >= side - rx - s - 1e-15 && t.upper - t.lower < 1e-14);
    /* beyond the rim: 3-4-5 from its edge */
    pair.a = graze_cylinder(2, 1);
    pair.b = graze_point();
    pair.pose_b.position = (graze_vec){2 + 3 * h, 0, 1 + 4 * h};
    t = solve();
    assert_true(fabs(t.lower - 5 * h) < 1e-14 && fabs(t.upper - 5 * h) < 1e-14);
    /* the apex of a cone, and the slope: the plane through apex and rim is 3-4-5 */
    pair.a = graze_cone(3, 2);
    pair.pose_b.position = (graze_vec){0, 0, 2 + h};
    t = solve();
    assert_true(fabs(t.lower - h) < 1e-14 && fabs(t.upper - h) < 1e-14);
    pair.pose_b.position = (graze_vec){1.5 + 0.8 * h, 0, 0.6 * h};
    t = solve();
    assert_true(fabs(t.lower - h) < 1e-14 && fabs(t.upper - h) < 1e-14);
  }
}

TEST(enclosures_of_balls) {
  rng random = {11};
  oracle *o = oracle_new();
  for (int i = 0; i < 300; i++) {
    balls(&random, &pair);
    curved_truth t = solve();
    graze_shape a = graze_sphere(pair.a.extents.x), b = pair.b;
    if (b.kind == GRAZE_ELLIPSOID) b = graze_sphere(b.extents.x);
    assert_true(oracle_solve(o, &a, &pair.pose_a, &b, &pair.pose_b, 0));
    if (oracle_relation(o) == GRAZE_SEPARATED) assert_true(t.lower <= t.upper && t.upper - t.lower < 1e-13);
    assert_true(oracle_compare(o, t.lower) >= 0 && (t.cores_overlap || oracle_compare(o, t.upper) <= 0));
  }
  oracle_free(o);
}

/* ---- support functions of the caller's, with twins of which the truth is known */

static double box_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec *e = context;
  *point = (graze_vec){d.x > 0 ? e->x : -e->x, d.y > 0 ? e->y : -e->y, d.z > 0 ? e->z : -e->z};
  return 0;
}

static double ball_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec *e = context;
  double most = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
  graze_vec u = {d.x / most, d.y / most, d.z / most};
  double f = e->x * (1 - 0x1p-48) / sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
  *point = (graze_vec){u.x * f, u.y * f, u.z * f};
  return e->x * 0x1p-47;
}

TEST(user_shapes) {
  rng random = {12};
  int undecided = 0, hits = 0;
  for (int i = 0; i < 2000; i++) {
    int dim = i & 1 ? 2 : 3;
    bool box = i & 2;
    graze_vec e = {any_size(&random), any_size(&random), dim == 3 ? any_size(&random) : 0};
    if (box)
      pair.a = dim == 3 ? graze_box(e.x, e.y, e.z) : graze_box2(e.x, e.y);
    else
      pair.a = dim == 3 ? graze_sphere(e.x) : graze_circle(e.x);
    pair.b = i & 4 ? curved_shape(&random, dim) : random_shape(&random, dim, pair.vertices_b);
    place(&random, &pair, 1.2);
    graze_shape user = graze_user(dim, box ? box_support : ball_support, &e);
    graze_placed a = graze_place(&user, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
    curved_truth t = solve();
    graze_answer x;
    assert_int_equal(graze_distance(&a, &b, NULL, &x), GRAZE_OK);
    const char *why = judge_relation(&t, &x, judge_scale(&pair.a, &pair.b, 0));
    if (!why) why = judge_interval(&t, &x);
    if (!why && !x.conditional) why = "not said to be conditional";
    if (!why && graze_verify(&a, &b, NULL, &x) == GRAZE_REFUTED) why = "refuted";
    if (why) {
      judge_print(stdout, &x);
      print_query_line(stdout, "twin of a user shape", "distance", &pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
      fail_msg("%s: truth in [%.17g, %.17g]", why, t.lower, t.upper);
    }
    undecided += x.relation == GRAZE_UNDECIDED;
    hits += x.relation == GRAZE_OVERLAPPING;
  }
  assert_true(undecided == 0 && hits > 600 && hits < 1400);
}
