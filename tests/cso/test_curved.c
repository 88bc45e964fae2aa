/* Ellipses, ellipsoids, cylinders and cones against every kind, and half-spaces against these: relation and interval
 * against an independent enclosure of the truth (support/oracle/curved.h), which is first tested on closed forms.
 *
 * GRAZE_TIER, GRAZE_FAMILY and GRAZE_SEED: see test_families.c. */
#include "support/families_run.h"
#include "support/oracle/curved.h"
#include "support/query.h"

static shape_pair pair;

/* ---- families */

static double any_size(rng *random) { return rng_uniform(random, 0.1, 1); }

static graze_shape curved_shape(rng *random, int dim) {
  const graze_shape shape = random_curved(random, dim, 0.1);
  return rng_below(random, 4) == 0 ? graze_with_margin(shape, rng_uniform(random, 0, 0.5)) : shape;
}

static void curved_and_any(rng *random, shape_pair *p, int dim, double reach) {
  p->a = curved_shape(random, dim);
  p->b = rng_coin(random) ? curved_shape(random, dim) : random_shape(random, dim, p->vertices_b);
  place_near(random, p, 3, reach);
}

static void near_3d(rng *random, shape_pair *p) { curved_and_any(random, p, 3, 1.2); }
static void near_2d(rng *random, shape_pair *p) { curved_and_any(random, p, 2, 1.4); }

static void far_3d(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1.2);
  p->pose_b.position.x += ldexp(4, rng_between(random, 0, 20));
}

/* One of the sizes times f. */
static void squeeze(rng *random, shape_pair *p, double f) {
  curved_and_any(random, p, rng_between(random, 2, 3), 1);
  const bool coin = rng_coin(random);
  if (p->a.kind == GRAZE_ELLIPSOID)
    p->a.extents.x *= f, p->a.extents.y *= coin ? f : 1;
  else
    *(coin ? &p->a.radius : &p->a.half_length) *= f;
  p->a.margin = 0;
}

static void thin(rng *random, shape_pair *p) { squeeze(random, p, ldexp(1, -rng_between(random, 3, 12))); }
static void needles(rng *random, shape_pair *p) { squeeze(random, p, ldexp(1, -rng_between(random, 12, 40))); }

static void unequal(rng *random, shape_pair *p) {
  curved_and_any(random, p, rng_between(random, 2, 3), 0.5);
  const double f = ldexp(1, rng_between(random, 8, 30));
  p->a.extents = scaled(f, p->a.extents), p->a.radius *= f, p->a.half_length *= f, p->a.margin *= f;
  p->pose_b.position = add_scaled(p->pose_b.position, f, sub(p->pose_b.position, p->pose_a.position));
}

static void flat(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1);
  if (p->a.kind == GRAZE_ELLIPSOID) {
    p->a.extents.z = 0;
    if (rng_below(random, 4) == 0) p->a.extents.x = 0;
  } else {
    *(rng_below(random, 3) ? &p->a.half_length : &p->a.radius) = 0;
  }
}

static void any_scale(rng *random, shape_pair *p) {
  static const double factor[] = {1e-30, 1e30, 1e-150, 1e-300};
  curved_and_any(random, p, 3, 1.3);
  scale_pair(p, factor[rng_below(random, 4)]);
}

static void far_out(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1.3);
  const graze_vec far = rng_vec(random, 3, 1e9);
  p->pose_a.position = add(p->pose_a.position, far), p->pose_b.position = add(p->pose_b.position, far);
}

/* Ellipsoids that are balls. */
static void balls(rng *random, shape_pair *p) {
  const double r = any_size(random), s = any_size(random);
  p->a = graze_ellipsoid(r, r, r);
  p->b = rng_coin(random) ? graze_ellipsoid(s, s, s) : graze_sphere(s);
  place_near(random, p, 3, 1);
}

static void planes(rng *random, shape_pair *p) {
  const int dim = rng_between(random, 2, 3);
  const graze_vec n = rng_vec(random, dim, 1);
  const double offset = rng_uniform(random, -1, 1);
  const graze_shape half = dim == 2 ? graze_halfspace2(n, offset) : graze_halfspace(n, offset);
  const graze_shape body = curved_shape(random, dim);
  const bool first = rng_coin(random);
  p->a = first ? half : body, p->b = first ? body : half;
  place_near(random, p, 3, 1.5);
}

/* Exact contacts on the quarter lattice: poles on faces, caps on faces, apexes, sides along faces, pole on pole. */
static void lattice_contact(rng *random, shape_pair *p) {
  const double r = 0.25 * rng_between(random, 1, 4), h = 0.25 * rng_between(random, 1, 4), e = 0.5;
  const graze_shape bodies[] = {graze_ellipsoid(r, 0.5, h), graze_cylinder(r, h),       graze_cone(r, h),
                                graze_cylinder(r, h),       graze_ellipsoid(r, 0.5, h), graze_cylinder(r, h)};
  const graze_shape targets[] = {graze_box(1, 1, e), graze_cylinder(1, e), graze_ellipsoid(1, 2, e), graze_sphere(e)};
  const int body = rng_below(random, 6), target = rng_below(random, 4);
  p->a = bodies[body], p->b = targets[target];
  p->pose_a = p->pose_b = identity;
  if (body == 3 || body == 4) p->pose_a.w = p->pose_a.y = 3; /* x along z */
  if (body == 5) p->a = graze_with_margin(p->a, 0.25);
  const double up = (body == 3 || body == 4 ? r : body == 5 ? h + 0.25 : h) + e;
  p->pose_b.position.z = rng_below(random, 4) ? up : nextafter(up, rng_coin(random) ? 0 : 9);
  if (target < 2) p->pose_b.position.x = 0.25 * rng_between(random, -1, 1);
}

static void standing(rng *random, shape_pair *p) {
  const double h = 0.25 * rng_between(random, 1, 4);
  p->a = rng_coin(random) ? graze_cylinder(any_size(random), h) : graze_cone(any_size(random), h);
  p->b = rng_coin(random) ? graze_box(4, 4, 0.5) : graze_halfspace(vec(0, 0, 2), 0.5);
  p->pose_a = p->pose_b = identity;
  p->pose_b.position = vec(rng_uniform(random, -1, 1), rng_uniform(random, -1, 1), -h - 0.5);
}

static curved_truth solve(const shape_pair *p) { return curved_solve(&p->a, &p->pose_a, &p->b, &p->pose_b, 0); }

/* B slides along x until the gap is about 1e-12 … 1e-16 of the size, on either side. */
static void nearly_touching(rng *random, shape_pair *p) {
  curved_and_any(random, p, rng_between(random, 2, 3), 1.2);
  p->a.margin = p->b.margin = 0;
  for (int i = 0; i < 60; i++) {
    const curved_truth t = solve(p);
    const double x = p->pose_b.position.x - p->pose_a.position.x, step = t.lower > 0 ? t.lower : -0.05;
    if (fabs(step) < 1e-15) break;
    p->pose_b.position.x -= x > 0 ? step : -step;
  }
  const double off = ldexp(1, -rng_between(random, 38, 54));
  p->pose_b.position.x += rng_coin(random) ? off : -off;
}

typedef struct curved_family {
  family from;
  int undecided_most, touching_least; /* per cent */
  int odds;                           /* runs 1/odds of the tier's count */
} curved_family;

static const curved_family families[] = {
    {{"curved, near, 3D", near_3d, 30, 70, 100}, 0, 0, 1},
    {{"ellipses, near, 2D", near_2d, 30, 70, 100}, 0, 0, 1},
    {{"curved, far", far_3d, 0, 100, 100}, 0, 0, 2},
    {{"thin, to 1/4096", thin, 0, 100, 100}, 0, 0, 2},
    {{"needles and disks, to 2^-40", needles, 0, 100, 100}, 0, 0, 2},
    {{"sizes 1 to 2^8 and 2^30", unequal, 0, 100, 100}, 0, 0, 2},
    {{"flat", flat, 0, 100, 100}, 0, 0, 2},
    {{"scales 1e-300 to 1e30", any_scale, 0, 100, 100}, 0, 0, 2},
    {{"1e9 from the origin", far_out, 0, 100, 100}, 0, 0, 2},
    {{"balls as ellipsoids", balls, 0, 100, 100}, 0, 0, 2},
    {{"half-spaces", planes, 0, 100, 100}, 0, 0, 1},
    {{"exact contact on a lattice", lattice_contact, 0, 100, 100}, 100, 0, 2},
    {{"standing on a floor", standing, 0, 100, 100}, 0, 100, 4},
    {{"nearly touching", nearly_touching, 0, 100, 100}, 100, 0, 8},
};

/* ---- validation */

static const char *check_relation(const curved_truth *t, const graze_answer *x, double scale) {
  const bool apart = t->lower > 0, overlap = t->upper < 0 || t->cores_overlap;
  if (!isnan(x->upper) && x->upper < t->lower) return "INTERVAL MISSES: the truth is above upper";
  if (!isnan(x->lower) && x->lower > t->upper) return "INTERVAL MISSES: the truth is below lower";
  switch (x->relation) {
  case GRAZE_SEPARATED: return overlap || t->upper <= 0 ? "WRONG RELATION: separated" : NULL;
  case GRAZE_OVERLAPPING: return apart ? "WRONG RELATION: overlapping" : NULL;
  case GRAZE_TOUCHING: return apart || overlap ? "WRONG RELATION: touching" : NULL;
  default: return t->lower > 1e-13 * scale || t->upper < -1e-13 * scale ? "undecided, though it is clear" : NULL;
  }
}

/* A depth that is least along a ring of directions may be cut by the workspace. */
static const char *check_distance(const curved_truth *t, const graze_answer *x) {
  const char *why = check_relation(t, x, judge_scale(&pair.a, &pair.b, x->distance));
  const bool cut = x->stopped == GRAZE_STOP_BUDGET;
  if (why) return why;
  if (x->relation == GRAZE_UNDECIDED) return x->lower <= 0 && x->upper >= 0 ? NULL : "undecided, but not about 0";
  if (x->stopped != GRAZE_STOP_NONE && !(cut && x->relation == GRAZE_OVERLAPPING)) return "something was cut";
  return judge_form(&pair.a, &pair.b, x, cut ? 1 : 1e-9);
}

/* graze_verify() must not accept an interval that surely misses. */
static const char *falsify(const graze_placed *a, const graze_placed *b, const curved_truth *t, graze_answer x) {
  if (isnan(x.distance) || x.relation != GRAZE_SEPARATED || t->upper - t->lower > 1e-12 * t->upper) return NULL;
  graze_answer y = x;
  y.lower = nextafter(t->upper, INFINITY), y.upper = fmax(y.upper, nextafter(y.lower, INFINITY)), y.distance = y.upper;
  if (graze_verify(a, b, NULL, &y) == GRAZE_OK) return "verify accepts a lower above the truth";
  y = x;
  y.upper = nextafter(t->lower, -INFINITY), y.lower = fmin(y.lower, nextafter(y.upper, -INFINITY));
  y.distance = y.lower;
  return graze_verify(a, b, NULL, &y) == GRAZE_OK ? "verify accepts an upper below the truth" : NULL;
}

typedef struct tally {
  long pairs, relation[5], failed;
  double width;
  family_shown shown;
} tally;

static void show(tally *count, const char *name, const char *why, const curved_truth *t, const graze_answer *x) {
  count->failed++;
  if (family_shown_enough(&count->shown, why)) return;
  printf("FAILED %s: %s (truth in [%.17g, %.17g])\n", name, why, t->lower, t->upper);
  judge_print(stdout, x);
  print_query_line(stdout, name, "distance", &pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
}

static void run_pair(tally *count, const char *name) {
  const graze_placed a = graze_place(&pair.a, pair.pose_a), b = graze_place(&pair.b, pair.pose_b);
  const graze_options options = proving(NULL);
  const curved_truth t = solve(&pair);
  graze_answer x, y;
  memset(&x, 0, sizeof x);
  memset(&y, 0, sizeof y);
  graze_status status = graze_distance(&a, &b, &options, &x);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : check_distance(&t, &x);
  if (!why && (status = graze_verify(&a, &b, NULL, &x)) != GRAZE_OK) why = graze_status_text(status);
  if (!why) why = falsify(&a, &b, &t, x);
  if (why) show(count, name, why, &t, &x);
  status = graze_intersect(&a, &b, NULL, &y);
  why = status != GRAZE_OK ? graze_status_text(status) : check_relation(&t, &y, judge_scale(&pair.a, &pair.b, 0));
  if (!why && (status = graze_verify(&a, &b, NULL, &y)) != GRAZE_OK) why = graze_status_text(status);
  if (!why && x.relation != y.relation && x.relation != GRAZE_UNDECIDED && y.relation != GRAZE_UNDECIDED)
    why = "intersect and distance differ";
  if (why) show(count, name, why, &t, &y);
  count->pairs++;
  count->relation[(unsigned)x.relation < 5 ? x.relation : 0]++;
  const double scale = judge_scale(&pair.a, &pair.b, x.distance);
  if (x.relation != GRAZE_UNDECIDED && scale > 1e-290) count->width = fmax(count->width, (x.upper - x.lower) / scale);
}

static long print_row(const curved_family *f, const tally *t) {
  const double n = (double)t->pairs / 100, undecided = (double)t->relation[GRAZE_UNDECIDED] / n;
  const double touching = (double)t->relation[GRAZE_TOUCHING] / n;
  const double hits = 100 - (double)t->relation[GRAZE_SEPARATED] / n;
  printf("%-28s %6ld pairs, %5.1f %% meet, %5.1f %% touch, %5.1f %% undecided, width %.1e, %ld failed\n", f->from.name,
         t->pairs, hits, touching, undecided, t->width, t->failed);
  const bool kept = undecided <= f->undecided_most && touching >= f->touching_least && hits >= f->from.hits_low &&
                    hits <= f->from.hits_high;
  if (!kept) printf("FAILED %s: shares\n", f->from.name);
  return t->failed + !kept;
}

TEST(every_family) {
  long failed = 0;
  for (size_t f = 0; f < COUNT(families); f++) {
    if (!family_wanted(families[f].from.name)) continue;
    rng random = family_seed(families[f].from.name);
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

/* The support value is irrational and the position is a double, so they never touch, but rounding hides the gap. */
TEST(within_rounding_of_a_half_space) {
  const graze_shape lines[] = {graze_halfspace2(vec(1, 1, 0), 0), graze_halfspace(vec(1, 1, 1), 0)};
  const struct {
    graze_shape body;
    double support; /* along (1, 1) or (1, 1, 1), not divided by the length */
  } cases[] = {{graze_ellipse(1, 2), sqrt(5)},
               {graze_ellipsoid(1, 2, 3), sqrt(14)},
               {graze_cylinder(1, 1), sqrt(2) + 1},
               {graze_cylinder(2, 3), sqrt(8) + 3}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const graze_placed half = place(&lines[cases[i].body.dim - 2], identity);
    for (int k = -4; k <= 4; k++) {
      const graze_placed body = place(&cases[i].body, graze_pose_at(cases[i].support * (1 + k * 0x1p-52), 0, 0));
      assert_int_equal(proved_distance(&half, &body, NULL).relation, GRAZE_UNDECIDED);
      assert_int_equal(proved_distance(&body, &half, NULL).relation, GRAZE_UNDECIDED);
      assert_int_equal(intersect(&half, &body, NULL).relation, GRAZE_UNDECIDED);
    }
  }
}

/* ---- the enclosure itself */

/* Rounded polytopes, whose truth is known exactly. Seed 9. */
TEST(enclosures_of_polytopes) {
  oracle *o = oracle_new();
  for (int f = 0; f < families_random_count; f++) {
    rng random = 9;
    for (int i = 0; i < 50; i++) {
      families_random[f].make(&random, &pair);
      assert_true(oracle_solve(o, &pair.a, &pair.pose_a, &pair.b, &pair.pose_b, 0));
      const curved_truth t = solve(&pair);
      assert_true(oracle_compare(o, t.lower) >= 0);
      assert_true(t.cores_overlap ? oracle_cores_meet(o) : oracle_compare(o, t.upper) <= 0);
      if (oracle_relation(o) != GRAZE_SEPARATED) continue;
      const double truth = oracle_distance(o); /* and narrow enough to see an error of 1e-12 */
      assert_true(t.lower <= truth && truth <= t.upper && t.upper - t.lower <= 1e-14);
      assert_true(t.upper < truth * (1 + 1e-12) && t.lower > truth * (1 - 1e-12));
    }
  }
  oracle_free(o);
}

/* The distance of (x, y) from an ellipse, by bisection of its secular equation. */
static double point_to_ellipse(double rx, double ry, double x, double y) {
  const long double a = (long double)rx * rx, b = (long double)ry * ry;
  long double low = 0, high = (long double)(rx + ry) * (fabs(x) + fabs(y)) + 1;
  for (int i = 0; i < 200; i++) {
    const long double t = (low + high) / 2, u = rx * x / (t + a), v = ry * y / (t + b);
    *(u * u + v * v > 1 ? &low : &high) = t;
  }
  const long double px = x - x * a / (low + a), py = y - y * b / (low + b);
  return (double)sqrtl(px * px + py * py);
}

static void expect_enclosed(graze_shape a, graze_shape b, graze_vec at, double truth) {
  const graze_pose there = graze_pose_at(at.x, at.y, at.z);
  const curved_truth t = curved_solve(&a, &identity, &b, &there, 0);
  assert_true(fabs(t.lower - truth) < 1e-14 && fabs(t.upper - truth) < 1e-14);
}

/* Seed 10. */
TEST(enclosures_of_closed_forms) {
  rng random = 10;
  for (int i = 0; i < 200; i++) {
    const double rx = any_size(&random), ry = any_size(&random), x = rng_uniform(&random, 1.1, 3);
    const double h = any_size(&random), s = any_size(&random);
    const graze_vec off = rng_vec(&random, 3, 2);
    expect_enclosed(graze_ellipse(rx, ry), graze_point2(), vec(x, x / 2, 0), point_to_ellipse(rx, ry, x, x / 2));
    expect_enclosed(graze_cylinder(rx, h), graze_sphere(s), vec(rx + s + ry, 0, h / 2), ry);
    expect_enclosed(graze_cylinder(2, 1), graze_point(), vec(2 + 3 * h, 0, 1 + 4 * h), 5 * h); /* beyond the rim */
    expect_enclosed(graze_cone(3, 2), graze_point(), vec(0, 0, 2 + h), h);                     /* above the apex */
    expect_enclosed(graze_cone(3, 2), graze_point(), vec(1.5 + 0.8 * h, 0, 0.6 * h), h);       /* beside the slope */
    if (norm(off) > rx + s) expect_enclosed(graze_ellipsoid(rx, rx, rx), graze_sphere(s), off, norm(off) - rx - s);
  }
}

/* Both shapes have one rational rotation, and B stands on the end face of A: no vector of doubles is normal to it. */
TEST(faces_of_rotated_curved_shapes_touch) {
  static const double turn[][4] = {{1, 2, 3, 4}, {2, -1, 1, 3}, {1, 0, 2, -5}, {3, 1, 0, 1}};
  for (int i = 0; i < 4; i++) {
    const double w = turn[i][0], x = turn[i][1], y = turn[i][2], z = turn[i][3], unit = w * w + x * x + y * y + z * z;
    const graze_vec up = vec(2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z); /* unit long */
    const graze_shape below[] = {graze_cylinder(7, unit), graze_cone(7, unit)};
    const graze_shape above[] = {graze_box(5, 6, unit), graze_cylinder(5, unit), graze_cone(5, unit)};
    for (int k = 0; k < 6; k++) {
      const graze_placed a = place(&below[k / 3], (graze_pose){{0, 0, 0}, w, x, y, z});
      const graze_placed b = place(&above[k % 3], (graze_pose){scaled(2, up), w, x, y, z});
      const graze_answer answer = distance(&a, &b, NULL);
      assert_int_equal(answer.relation, GRAZE_TOUCHING);
      assert_true(answer.lower == 0 && answer.upper == 0);
    }
  }
}
