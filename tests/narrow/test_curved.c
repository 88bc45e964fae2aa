/* Curved shapes against every kind, and half-spaces: queries and casts against an independent enclosure of the truth
 * (support/oracle/curved.h), which is tested on closed forms. Environment: test_families.c. */
#include "support/casts.h"
#include "support/oracle/curved.h"
#include "support/oracle/validate_sweep.h"
#include "support/query.h"
#include "support/shapes.h"

/* ---- families */

static double any_size(rng *random) { return rng_uniform(random, 0.1, 1); }

static graze_shape curved_shape(rng *random, int dim) {
  const graze_shape shape = random_curved(random, dim, 0.1);
  return rng_below(random, 4) == 0 ? graze_with_margin(shape, rng_uniform(random, 0, 0.5)) : shape;
}

static void curved_and_any(rng *random, shape_pair *p, int dim, double spread_b) {
  p->a = curved_shape(random, dim);
  p->b = rng_coin(random) ? curved_shape(random, dim) : random_shape(random, dim, p->vertices_b);
  place_near(random, p, 3, spread_b);
}

static void near_3d(rng *random, shape_pair *p) { curved_and_any(random, p, 3, 1.2); }
static void near_2d(rng *random, shape_pair *p) { curved_and_any(random, p, 2, 1.4); }

static void distant_3d(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1.2);
  p->pose_b.position.x += ldexp(4, rng_between(random, 0, 20));
}

/* One of the sizes times f. */
static void squeeze(rng *random, shape_pair *p, double f) {
  curved_and_any(random, p, rng_between(random, 2, 3), 1);
  const bool coin = rng_coin(random);
  if (p->a.kind == GRAZE_ELLIPSOID)
    p->a.as.box.half_extents.x *= f, p->a.as.box.half_extents.y *= coin ? f : 1;
  else
    *(coin ? &p->a.as.capsule.radius : &p->a.as.capsule.half_length) *= f;
  p->a.margin = 0;
}

static void thin(rng *random, shape_pair *p) { squeeze(random, p, ldexp(1, -rng_between(random, 3, 12))); }
static void needles(rng *random, shape_pair *p) { squeeze(random, p, ldexp(1, -rng_between(random, 12, 40))); }

static void unequal(rng *random, shape_pair *p) {
  curved_and_any(random, p, rng_between(random, 2, 3), 0.5);
  const double f = ldexp(1, rng_between(random, 8, 30));
  scale_parameters(&p->a, f);
  p->pose_b.position = add_scaled(p->pose_b.position, f, sub(p->pose_b.position, p->pose_a.position));
}

static void flat(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1);
  if (p->a.kind == GRAZE_ELLIPSOID) {
    p->a.as.box.half_extents.z = 0;
    if (rng_below(random, 4) == 0) p->a.as.box.half_extents.x = 0;
  } else {
    *(rng_below(random, 3) ? &p->a.as.capsule.half_length : &p->a.as.capsule.radius) = 0;
  }
}

static void any_scale(rng *random, shape_pair *p) {
  static const double factor[] = {1e-30, 1e30, 1e-150, 1e-300};
  curved_and_any(random, p, 3, 1.3);
  scale_pair(p, factor[rng_below(random, 4)]);
}

static void offset_1e6(rng *random, shape_pair *p) {
  curved_and_any(random, p, 3, 1.3);
  const graze_vec offset = rng_vec(random, 3, rng_coin(random) ? 1e6 : 1e9);
  p->pose_a.position = add(p->pose_a.position, offset), p->pose_b.position = add(p->pose_b.position, offset);
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
  const graze_shape half = halfspace_of(dim, n, rng_uniform(random, -1, 1)), body = curved_shape(random, dim);
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
  const double x = rng_uniform(random, -1, 1), y = rng_uniform(random, -1, 1);
  p->pose_b.position = vec(x, y, -h - 0.5);
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

static const family families[] = {
    {"curved, near, 3D", near_3d, 30, 70, 100},
    {"ellipses, near, 2D", near_2d, 30, 70, 100},
    {"half-spaces", planes, 30, 100, 100},
    {"thin, to 1/4096", thin, 10, 90, 100},
    {"needles and disks, to 2^-40", needles, 10, 90, 100},
    {"sizes 1 to 2^8 and 2^30", unequal, 10, 90, 100},
    {"flat", flat, 10, 90, 100},
    {"scales 1e-300 to 1e30", any_scale, 10, 90, 100},
    {"1e6 and 1e9 from the origin", offset_1e6, 10, 90, 100},
    {"balls as ellipsoids", balls, 10, 90, 100},
    {"curved, far", distant_3d, 0, 10, 100},
    {"standing on a floor", standing, 100, 100, 100}, /* all of them touch */
    {"exact contact on a lattice", lattice_contact, 10, 90, 100},
    {"nearly touching", nearly_touching, 0, 90, 100},
};

/* ---- validation */

static const char *check_relation(const curved_truth *t, const proved_answer *x, double scale) {
  const bool separated = t->lower > 0, overlap = t->upper < 0 || t->cores_overlap;
  if (!isnan(x->upper) && x->upper < t->lower) return "INTERVAL MISSES: the truth is above upper";
  if (!isnan(x->lower) && x->lower > t->upper) return "INTERVAL MISSES: the truth is below lower";
  switch (x->relation) {
  case GRAZE_SEPARATED: return overlap || t->upper <= 0 ? "WRONG RELATION: separated" : NULL;
  case GRAZE_OVERLAPPING: return separated ? "WRONG RELATION: overlapping" : NULL;
  case GRAZE_TOUCHING: return separated || overlap ? "WRONG RELATION: touching" : NULL;
  default: return t->lower > 1e-13 * scale || t->upper < -1e-13 * scale ? "undecided, though it is clear" : NULL;
  }
}

/* A depth that is least along a ring of directions may be cut by the workspace. */
static const char *check_distance(const shape_pair *p, const curved_truth *t, const proved_answer *x) {
  const char *why = check_relation(t, x, pair_scale(&p->a, &p->b, x->distance));
  const bool cut = x->stopped == GRAZE_STOP_BUDGET;
  if (why) return why;
  if (x->relation == GRAZE_UNDECIDED) return x->lower <= 0 && x->upper >= 0 ? NULL : "undecided, but not about 0";
  if (x->stopped != GRAZE_STOP_NONE && !(cut && x->relation == GRAZE_OVERLAPPING)) return "something was cut";
  return validate_form(&p->a, &p->b, x, cut ? 1 : 1e-9);
}

/* graze_verify() must not accept an interval that surely misses. */
static const char *falsify(const graze_placed *a, const graze_placed *b, const curved_truth *t, proved_answer x) {
  if (isnan(x.distance) || x.relation != GRAZE_SEPARATED || t->upper - t->lower > 1e-12 * t->upper) return NULL;
  proved_answer y = x;
  y.lower = nextafter(t->upper, INFINITY), y.upper = fmax(y.upper, nextafter(y.lower, INFINITY)), y.distance = y.upper;
  if (verify_answer(a, b, NULL, &y) == GRAZE_OK) return "verify accepts a lower above the truth";
  y = x;
  y.upper = nextafter(t->lower, -INFINITY), y.lower = fmin(y.lower, nextafter(y.upper, -INFINITY));
  y.distance = y.lower;
  return verify_answer(a, b, NULL, &y) == GRAZE_OK ? "verify accepts an upper below the truth" : NULL;
}

static void record_failure(family_runner *r, const char *why, const curved_truth *t, const proved_answer *x) {
  const shape_pair *p = &r->pair;
  r->count.failed++;
  if (family_shown_enough(&r->count.shown, why)) return;
  printf("FAILED %s: %s (truth in [%.17g, %.17g])\n", r->name, why, t->lower, t->upper);
  print_answer(stdout, x);
  print_query_line(stdout, r->name, "distance", &p->a, &p->pose_a, &p->b, &p->pose_b);
}

static void check_pair(family_runner *r, rng *random, int i) {
  (void)random, (void)i;
  const shape_pair *p = &r->pair;
  const graze_placed a = place(&p->a, p->pose_a), b = place(&p->b, p->pose_b);
  const curved_truth t = solve(p);
  const proved_answer x = proved_distance(&a, &b, NULL), y = intersect(&a, &b, NULL);
  const char *why = check_distance(p, &t, &x);
  if (!why) why = falsify(&a, &b, &t, x);
  if (why) record_failure(r, why, &t, &x);
  why = check_relation(&t, &y, pair_scale(&p->a, &p->b, 0));
  if (!why && verify_answer(&a, &b, NULL, &y) != GRAZE_OK) why = "no proof";
  if (!why && x.relation != y.relation && x.relation != GRAZE_UNDECIDED && y.relation != GRAZE_UNDECIDED)
    why = "intersect and distance differ";
  if (why) record_failure(r, why, &t, &y);
  const double scale = pair_scale(&p->a, &p->b, x.distance);
  r->count.pairs++, r->count.relation[(unsigned)x.relation < 5 ? x.relation : 0]++;
  if (x.relation != GRAZE_UNDECIDED && scale > 1e-290)
    r->count.worst_width = fmax(r->count.worst_width, (x.upper - x.lower) / scale);
}

/* Only what may touch may be undecided. */
TEST(every_family) {
  long failed = 0;
  for (size_t f = 0; f < COUNT(families); f++) {
    family_tally total = {0};
    const int pairs = tiered(400, 800, 20000) / (f < 3 ? 1 : families[f].make == nearly_touching ? 8 : 2);
    failed += family_run(&(family_plan){&families[f], 1, pairs, .check = check_pair, .total = &total});
    const bool touch = families[f].make == nearly_touching || families[f].make == lattice_contact;
    if (!touch && total.relation[GRAZE_UNDECIDED] > 0) failed++;
    if (families[f].make == standing && total.relation[GRAZE_TOUCHING] < total.pairs) failed++;
  }
  assert_int_equal(failed, 0);
}

/* ---- casts: hardly ever possible */

static curved_truth truth_at(const turning_query *m, double t) {
  const graze_pose a = rounded_pose_after(&m->pose_a, &m->motion_a, t),
                   b = rounded_pose_after(&m->pose_b, &m->motion_b, t);
  return curved_solve(m->a, &a, m->b, &b, m->clearance);
}

/* `blur`: what rounding makes of a position. */
static const char *check_clear(const turning_query *m, const proved_cast *x, double blur) {
  if (x->start_relation == GRAZE_TOUCHING) return NULL;
  if (isnan(x->min_upper)) return "no least distance";
  if (!(x->min_lower >= 0 && x->min_lower <= x->min_upper)) return "the least distance is not in order";
  if (!(x->t_min >= 0 && x->t_min <= m->t_max)) return "t_min is not in the interval";
  const curved_truth there = truth_at(m, x->t_min);
  if (there.upper < x->min_lower - blur) return "MISSES: nearer than min_lower";
  if (there.lower > x->min_upper + 1e-6 * turning_query_size(m)) return "not so near at t_min";
  for (int i = 0; i <= 4; i++)
    if (truth_at(m, m->t_max * i / 4).upper < x->min_lower - blur) return "MISSES: once nearer than min_lower";
  return NULL;
}

static const char *check_cast(const cast_case *c, const proved_cast *x, double *width) {
  enum { MOMENTS = 48 };
  const shape_pair *p = &c->pair;
  const turning_query m = {
      &p->a,    &p->b,       p->pose_a, p->pose_b, {c->velocity_a, {0, 0, 0}}, {c->velocity_b, {0, 0, 0}},
      c->t_max, c->clearance};
  const double speed = turning_query_speed(&m), late = x->t_upper - x->t_lower, size = turning_query_size(&m);
  const double magnitude = vector_length(p->pose_a.position) + vector_length(p->pose_b.position);
  const double path = (vector_length(c->velocity_a) + vector_length(c->velocity_b)) * c->t_max;
  const double blur = 1e-12 * size + 4e-16 * (magnitude + path);
  const char *why = validate_sweep(NULL, &m, MOMENTS, x);
  if (why || x->t_upper == 0) return why;
  if (x->outcome == GRAZE_CLEAR) return check_clear(&m, x, blur);
  const curved_truth early = truth_at(&m, x->t_lower);
  if (early.upper < -blur) return "BRACKET MISSES: they overlap at t_lower";
  if (x->outcome != GRAZE_HIT) return NULL;
  *width = fmax(*width, late / fmax(x->t_upper, size / speed));
  return early.lower > speed * late * 1.000001 + blur ? "FALSE HIT" : NULL;
}

static long possible;

static void check_curved(cast_runner *r, rng *random) {
  proved_cast x;
  (void)random;
  r->count.casts++;
  const graze_status status = cast_query(r, &x);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : check_cast(&r->given, &x, &r->count.worst_time);
  if (!why && cast_verify(r, &x) == GRAZE_REFUTED) why = "verify: REFUTED";
  if (why) cast_fail(r, why, &x);
  r->count.hits += x.outcome == GRAZE_HIT, r->count.exact += x.exact, possible += x.outcome == GRAZE_POSSIBLE;
}

/* B comes from somewhere, now and then from afar and fast, to where the family placed it. */
static void set_in_motion(rng *random, cast_case *c) {
  shape_pair *p = &c->pair;
  const int dim = p->a.dim;
  const double scale = fmax(pair_scale(&p->a, &p->a, 0), pair_scale(&p->b, &p->b, 0));
  const double late = rng_below(random, 4) ? 2 : 1000;
  const graze_vec v = rng_vec(random, dim, 2 * scale), shared = rng_vec(random, dim, 2 * scale);
  if (rng_below(random, 4) == 0) c->clearance = scale * rng_uniform(random, 0.02, 0.25);
  p->pose_b.position = add_scaled(p->pose_b.position, -late, v);
  c->velocity_a = shared, c->velocity_b = add(shared, v);
  c->t_max = rng_uniform(random, 0.5, 1.5) * late;
}

static void swap(rng *random, cast_case *c) {
  near_3d(random, &c->pair);
  if (points_of(&c->pair.b) == 0) {
    const graze_shape a = c->pair.a;
    c->pair.a = c->pair.b, c->pair.b = a;
  }
  set_in_motion(random, c);
}

static void rays(rng *random, cast_case *c) {
  (rng_coin(random) ? near_3d : near_2d)(random, &c->pair);
  c->pair.b = point_of(c->pair.a.dim);
  set_in_motion(random, c);
  c->velocity_b = sub(c->velocity_b, c->velocity_a), c->velocity_a = vec(0, 0, 0);
  c->pair.pose_b = (graze_pose){c->pair.pose_b.position, 1, 0, 0, 0};
  c->clearance = 0, c->ray = true;
}

/* In the order of families. */
static const cast_family moving[] = {{"near, 3D", NULL, 30, 90, 100},       {"near, 2D", NULL, 30, 90, 100},
                                     {"half-spaces", NULL, 20, 95, 100},    {"thin", NULL, 20, 90, 100},
                                     {"needles, disks", NULL, 20, 90, 100}, {"unequal", NULL, 20, 90, 100},
                                     {"flat", NULL, 20, 90, 100},           {"any scale", NULL, 20, 90, 100},
                                     {"far out", NULL, 20, 90, 100},        {"balls", NULL, 20, 90, 100}};
static const cast_family others[] = {{"exchanged", swap, 20, 90, 100}, {"rays", rays, 5, 90, 100}};

TEST(curved_casts) {
  const int casts = tiered(200, 400, 13000);
  const cast_plan plans[] = {
      {moving, families, (int)COUNT(moving), casts, .move = set_in_motion, .check = check_curved},
      {others, NULL, (int)COUNT(others), casts, .check = check_curved}};
  possible = 0;
  assert_int_equal(cast_run_plan(&plans[0]) + cast_run_plan(&plans[1]), 0);
  assert_true(possible * 1000 <= (long)(COUNT(moving) + COUNT(others)) * casts);
}

/* The support value is irrational and the position is a double, so they never touch, but rounding hides the gap. */
TEST(within_rounding_of_a_half_space) {
  const struct {
    graze_shape body;
    double support; /* along (1, 1) or (1, 1, 1), not divided by the length */
  } cases[] = {{graze_ellipse(1, 2), sqrt(5)},
               {graze_ellipsoid(1, 2, 3), sqrt(14)},
               {graze_cylinder(1, 1), sqrt(2) + 1},
               {graze_cylinder(2, 3), sqrt(8) + 3}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    const graze_placed half = posed(halfspace_of(cases[i].body.dim, vec(1, 1, 1), 0), identity);
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
  static shape_pair pair;
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
      const proved_answer answer = distance(&a, &b, NULL);
      assert_int_equal(answer.relation, GRAZE_TOUCHING);
      assert_true(answer.lower == 0 && answer.upper == 0);
    }
  }
}
