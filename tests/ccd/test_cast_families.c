/* Casts and rays of polytopes against the exact truth; every answer is verified and queried again with A and B
 * exchanged. Environment: test_families.c. */
#include "support/cast_families.h"
#include "support/geometry.h"
#include "support/shapes.h"
#include "support/test.h"

static int dim_of(const cast_case *c) { return c->pair.a.dim; }

/* B moves from a random position to near its position in the family. */
static void set_in_motion(rng *random, cast_case *c) {
  const int dim = dim_of(c);
  const graze_vec v = rng_vec(random, dim, 3), aside = rng_vec(random, dim, 1.5);
  c->pair.pose_b.position = add(add_scaled(c->pair.pose_b.position, -rng_uniform(random, 0.5, 3), v), aside);
  c->velocity_a = rng_vec(random, dim, 3);
  c->velocity_b = add(c->velocity_a, v);
  c->t_max = rng_uniform(random, 0.5, 6);
  if (rng_below(random, 4) == 0) c->clearance = rng_uniform(random, 0, 0.3);
}

static void planes(rng *random, cast_case *c) {
  const int dim = rng_between(random, 2, 3);
  shape_pair *p = &c->pair;
  random_pair(random, dim, 2, p);
  const graze_vec n = rng_vec(random, dim, 1);
  p->b = halfspace_of(dim, n, rng_uniform(random, -2, 0));
  set_in_motion(random, c);
}

/* B is a point; A is at rest. */
static void rays(rng *random, cast_case *c, int dim) {
  c->pair.a = random_shape(random, dim, c->pair.vertices_a);
  c->pair.b = point_of(dim);
  place_near(random, &c->pair, 5, 0.7);
  const graze_vec v = rng_vec(random, dim, 2), start = c->pair.pose_b.position;
  c->pair.pose_b = (graze_pose){add_scaled(start, -rng_uniform(random, -0.2, 3), v), 1, 0, 0, 0};
  c->velocity_b = rng_below(random, 20) == 0 ? vec(0, 0, 0) : v;
  c->t_max = rng_coin(random) ? (double)INFINITY : rng_uniform(random, 0, 6);
  c->ray = true;
}

static void rays_3d(rng *random, cast_case *c) { rays(random, c, 3); }
static void rays_2d(rng *random, cast_case *c) { rays(random, c, 2); }

/* In the order of families_random. */
static const cast_family pairs[] = {
    {"boxes 3D", NULL, 39, 53, 1}, {"hulls 3D", NULL, 40, 54, 1}, {"kinds 3D", NULL, 33, 47, 1},
    {"boxes 2D", NULL, 53, 67, 1}, {"polygons", NULL, 40, 54, 1}, {"kinds 2D", NULL, 48, 62, 1},
};

/* Boxes with almost the same rotation: almost parallel edges span almost flush facets. */
static void nearly_alike(rng *random, cast_case *c) {
  families_random[0].make(random, &c->pair);
  set_in_motion(random, c);
  const graze_vec at = c->pair.pose_b.position;
  graze_pose *p = &c->pair.pose_b;
  *p = c->pair.pose_a, p->position = at;
  double *turn = (double *[]){&p->x, &p->y, &p->z}[rng_below(random, 3)];
  const double off = rng_uniform(random, -1, 1);
  *turn += ldexp(off, -rng_below(random, 56));
}

static const cast_family others[] = {
    {"half-spaces", planes, 67, 81, 100}, {"rays 3D", rays_3d, 36, 50, 1}, {"rays 2D", rays_2d, 53, 67, 1}};

TEST(random_casts) {
  const int casts = tiered(400, 1200, 112000);
  const cast_plan plan = {pairs, families_random, (int)COUNT(pairs), casts, .move = set_in_motion};
  const cast_plan other = {others, NULL, (int)COUNT(others), casts, .check = NULL};
  assert_int_equal(families_random_count, COUNT(pairs));
  assert_int_equal(cast_run_plan(&plan) + cast_run_plan(&other), 0);
}

/* ---- LCCD and FCCD */

static bool has_facets(const graze_shape *s) {
  return s->kind <= GRAZE_CAPSULE && !(s->margin > 0 || radius_of(s) > 0);
}

/* Every second case without margins. */
static void check_methods(cast_runner *r, rng *random) {
  static const graze_algorithm paths[] = {GRAZE_ALGORITHM_LCCD, GRAZE_ALGORITHM_FCCD};
  cast_case *c = &r->given;
  const bool ray = c->ray;
  proved_cast x;
  if (rng_coin(random)) c->pair.a.margin = c->pair.b.margin = c->clearance = 0;
  for (int i = 0; i < 2; i++) {
    c->method = i ? GRAZE_CAST_FCCD : METHOD_LCCD;
    c->ray = ray && i == 1; /* LCCD casts the point */
    if (i == 0 && !(has_facets(&c->pair.a) && has_facets(&c->pair.b) && c->clearance == 0)) {
      if (cast_query(r, &x) != GRAZE_UNSUPPORTED) cast_fail(r, "not unsupported", NULL);
    } else if (cast_run(r, &x) && x.algorithm != paths[i]) {
      cast_fail(r, "another path", &x);
    }
  }
}

TEST(linear_and_other_methods) {
  static const cast_family list[] = {{"boxes 3D", NULL, 25, 75, 1},  {"hulls 3D", NULL, 25, 75, 1},
                                     {"kinds 3D", NULL, 25, 75, 20}, {"boxes 2D", NULL, 25, 75, 1},
                                     {"polygons", NULL, 25, 75, 1},  {"kinds 2D", NULL, 25, 75, 20}};
  static const cast_family alike = {"nearly alike", nearly_alike, 25, 75, 1};
  const cast_plan plans[] = {
      {list, families_random, (int)COUNT(list), tiered(250, 800, 25000), 7, set_in_motion, .check = check_methods},
      {&alike, NULL, 1, tiered(400, 1200, 50000), 7, .check = check_methods},
      {cast_families, NULL, cast_families_count, tiered(100, 300, 10000), 7, .check = check_methods,
       .any_share = true}};
  long failed = 0;
  for (size_t i = 0; i < COUNT(plans); i++) failed += cast_run_plan(&plans[i]);
  assert_int_equal(failed, 0);
}

/* Issue: without a least distance the certificate may be left out, but a direction that proved only a part of the path
 * was kept, and the verifier refuted such answers. */
static int clear, unproven;

static void check_without_least_distance(cast_runner *r, rng *random) {
  const cast_case *c = &r->given;
  graze_cast_options options = graze_default_cast_options();
  proved_cast x, sure;
  (void)random;
  r->count.casts++;
  options.clearance = c->clearance, options.min_distance = false;
  assert_int_equal(cast_query(r, &sure), GRAZE_OK);
  assert_int_equal(cast_linear(&r->a, c->velocity_a, &r->b, c->velocity_b, c->t_max, &options, &x), GRAZE_OK);
  if (x.outcome != sure.outcome) cast_fail(r, "another result without a least distance", &x);
  if (x.outcome != GRAZE_CLEAR) return;
  const bool shown = x.certificate.kind != GRAZE_CERTIFICATE_NONE;
  const graze_status status = verify_linear(&r->a, c->velocity_a, &r->b, c->velocity_b, c->t_max, &options, &x);
  if (status != (shown ? GRAZE_OK : GRAZE_UNPROVEN)) cast_fail(r, "the certificate", &x);
  clear++, unproven += !shown;
}

TEST(casts_without_least_distance) {
  const cast_plan plan = {NULL,
                          families_random,
                          families_random_count,
                          tiered(400, 1200, 33000),
                          2,
                          set_in_motion,
                          .check = check_without_least_distance};
  clear = unproven = 0;
  assert_int_equal(cast_run_plan(&plan), 0);
  assert_in_range(clear * 100 / (plan.count * plan.casts), 40, 70);
  assert_in_range(unproven * 100 / clear, 20, 60);
}

/* ---- degenerate pairs that meet during the motion */

/* A power of two of about the size of one of the bodies. */
static double size_of(rng *random, const shape_pair *p) {
  const double a = pair_scale(&p->a, &p->a, 0), b = pair_scale(&p->b, &p->b, 0);
  double size = rng_coin(random) ? fmax(a, b) : fmin(a, b);
  int e = 0;
  if (!(size > 0)) size = fmax(a, b);
  (void)frexp(size > 0 ? size : 1, &e);
  return ldexp(1, e);
}

/* Nearly parallel to an edge of one of the bodies; exactly if the body is not rotated. */
static graze_vec parallel_to_edge(rng *random, const shape_pair *p) {
  const bool of_a = rng_coin(random);
  const graze_shape *s = of_a ? &p->a : &p->b;
  const int count = oracle_core_count(s);
  if (count < 2) return vec(1, 0, 0);
  const graze_vec from = oracle_core_vertex(s, rng_below(random, count));
  return cast_turned(of_a ? &p->pose_a : &p->pose_b, sub(oracle_core_vertex(s, rng_below(random, count)), from));
}

static graze_vec any_velocity(rng *random, const shape_pair *p) {
  const int dim = p->a.dim, kind = rng_below(random, 8);
  const double size = size_of(random, p), x = rng_between(random, -8, 8), y = rng_between(random, -8, 8);
  const graze_vec v = vec(x / 4, kind == 1 ? 0 : y / 4, dim == 3 && kind > 2 ? rng_between(random, -8, 8) * 0.25 : 0);
  if (kind == 0) return scaled(size, rng_vec(random, dim, 2));
  if (kind == 3) return vec(0, 0, 0);
  return kind == 4 ? parallel_to_edge(random, p) : scaled(size, v);
}

static double any_end(rng *random, double met) {
  const double before = met > 0 ? nextafter(met, 0) : 1, late = rng_coin(random) ? (double)INFINITY : 1e9;
  const double ends[] = {met, before, nextafter(met, INFINITY), met / 2, 16 * met + 1, late, 2 * met + 0.5};
  return ends[rng_below(random, 7)];
}

/* Faster and shorter, or slower and longer, by a power of two. */
static void meet_on_the_path(rng *random, cast_case *c) {
  static const double when[] = {0, 0.5, 1, 1, 3, 100};
  static const int bits[] = {0, 0, 0, 0, 3, -7, 60, -60, 100, -133};
  const double met = when[rng_below(random, 6)], pace = ldexp(1, bits[rng_below(random, 10)]);
  const graze_vec v = any_velocity(random, &c->pair);
  const bool first = rng_coin(random);
  graze_vec *p = first ? &c->pair.pose_a.position : &c->pair.pose_b.position;
  *p = add_scaled(*p, -met, v);
  *(first ? &c->velocity_a : &c->velocity_b) = scaled(pace, v);
  c->t_max = any_end(random, met) / pace;
}

static void check_degenerate(cast_runner *r, rng *random) {
  proved_cast result;
  (void)random;
  r->given.rough = strncmp(r->name, "magnitudes", 10) == 0;
  (void)cast_run(r, &result);
}

TEST(degenerate_pairs_and_motions) {
  const cast_plan pairs_that_meet = {NULL, families_degenerate, families_degenerate_count, tiered(130, 400, 10000),
                                     1,    meet_on_the_path,    .check = check_degenerate};
  const cast_plan motions = {cast_families, NULL, cast_families_count, tiered(200, 600, 20000), .check = NULL};
  assert_int_equal(cast_run_plan(&pairs_that_meet) + cast_run_plan(&motions), 0);
}
