/* LCCD against FCCD: two ways to the same answers, each of them verified. Random boxes, polygons and hulls; every
 * family of motions that breaks continuous collision code; grazes, decided exactly; walls that are hardly there.
 *
 * GRAZE_TIER, GRAZE_FAMILY, GRAZE_SEED: as test_families.c. */

#include "support/test.h"
#include "support/cast_families.h"

static const graze_vec still = {0, 0, 0};

typedef struct tally {
  long casts, hits, exact, failed;
} tally;

static bool has_facets(const graze_shape *s) {
  switch (s->kind) {
  case GRAZE_POINT:
  case GRAZE_SEGMENT:
  case GRAZE_TRIANGLE:
  case GRAZE_BOX:
  case GRAZE_POLYGON:
  case GRAZE_HULL: return !(s->margin > 0);
  case GRAZE_SPHERE:
  case GRAZE_CAPSULE: return !(s->margin > 0 || s->radius > 0);
  default: return false;
  }
}

static graze_status ask(const cast_case *c, graze_method method, graze_impact *impact) {
  graze_placed a = graze_place(&c->pair.a, c->pair.pose_a), b = graze_place(&c->pair.b, c->pair.pose_b);
  graze_options options = graze_default_options();
  options.clearance = c->clearance;
  options.method = method;
  graze_status status = c->ray ? graze_raycast(&a, b.pose.position, c->velocity_b, c->t_max, &options, impact)
                               : graze_cast(&a, c->velocity_a, &b, c->velocity_b, c->t_max, &options, impact);
  if (status != GRAZE_OK) return status;
  return graze_verify_cast(&a, c->velocity_a, &b, c->velocity_b, c->t_max, &options, impact);
}

static const char *contradict(const graze_impact *x, const graze_impact *y) {
  if (x->result != y->result || x->starts != y->starts) return "another result";
  if (x->result == GRAZE_CLEAR)
    return x->min_lower > y->min_upper || y->min_lower > x->min_upper ? "another least distance" : NULL;
  return x->t_lower > y->t_upper || y->t_lower > x->t_upper ? "another time" : NULL;
}

static const char *judge(const cast_case *c, tally *count) {
  graze_impact fccd, lccd;
  const bool facets = has_facets(&c->pair.a) && has_facets(&c->pair.b) && !(c->clearance > 0);
  const graze_status status = ask(c, GRAZE_METHOD_LCCD, &lccd);
  if (!facets) return status == GRAZE_UNSUPPORTED ? NULL : "it must be unsupported";
  if (status != GRAZE_OK) return graze_status_text(status);
  if (lccd.path != GRAZE_PATH_LCCD) return "another path";
  if (ask(c, GRAZE_METHOD_FCCD, &fccd) != GRAZE_OK || fccd.path != GRAZE_PATH_FCCD) return "FCCD fails";
  count->casts++;
  count->hits += lccd.result == GRAZE_HIT;
  count->exact += lccd.exact;
  return contradict(&lccd, &fccd);
}

/* Every other one is not rounded. */
static void run(const char *name, void (*make)(rng *, cast_case *), int casts, tally *count) {
  static cast_case c;
  rng random = {family_seed(name) + 7};
  memset(count, 0, sizeof *count);
  for (int i = 0; i < casts && family_wanted(name); i++) {
    memset(&c, 0, sizeof c);
    make(&random, &c);
    if (i & 1) c.pair.a.margin = c.pair.b.margin = c.clearance = 0;
    const char *why = judge(&c, count);
    if (why == NULL) continue;
    if (count->failed++ < 3) printf("FAILED %s: %s\n", name, why), cast_print_json(stdout, name, &c);
  }
  const double part = 100.0 / fmax(1, (double)count->casts);
  printf("%-32s %7ld casts %6.1f %% hit %6.2f %% exact\n", name, count->casts, (double)count->hits * part,
         (double)count->exact * part);
}

/* ---- at random */

/* B comes from somewhere to near where the family placed it. */
static void approach(rng *random, cast_case *c, int which) {
  families_random[which].make(random, &c->pair);
  const int dim = c->pair.a.dim;
  const graze_vec v = rng_vec(random, dim, 3), aside = rng_vec(random, dim, 1.5);
  const double t = rng_uniform(random, 0.5, 3);
  c->pair.pose_b.position = cast_plus(cast_plus(c->pair.pose_b.position, v, -t), aside, 1);
  c->velocity_a = rng_vec(random, dim, 3);
  c->velocity_b = cast_plus(c->velocity_a, v, 1);
  c->t_max = rng_below(random, 10) ? rng_uniform(random, 0.5, 6) : (double)INFINITY;
}

static void boxes_3d(rng *random, cast_case *c) { approach(random, c, 0); }
static void hulls_3d(rng *random, cast_case *c) { approach(random, c, 1); }
static void kinds_3d(rng *random, cast_case *c) { approach(random, c, 2); }
static void boxes_2d(rng *random, cast_case *c) { approach(random, c, 3); }
static void polygons(rng *random, cast_case *c) { approach(random, c, 4); }
static void kinds_2d(rng *random, cast_case *c) { approach(random, c, 5); }

/* Boxes turned alike, up to a little: edges all but parallel span facets all but flush. */
static void nearly_alike(rng *random, cast_case *c) {
  approach(random, c, 0);
  const double angle = ldexp(rng_uniform(random, -1, 1), -rng_below(random, 56));
  const int about = rng_below(random, 3);
  graze_pose *p = &c->pair.pose_b;
  const graze_vec at = p->position;
  *p = c->pair.pose_a, p->position = at;
  p->x += about == 0 ? angle : 0, p->y += about == 1 ? angle : 0, p->z += about == 2 ? angle : 0;
}

TEST(test_random) {
  static const struct {
    const char *name;
    void (*make)(rng *, cast_case *);
    int casts, exact_most;
  } list[] = {{"boxes 3D", boxes_3d, 4000, 1},  {"hulls 3D", hulls_3d, 400, 1},
              {"kinds 3D", kinds_3d, 1000, 20}, {"nearly alike", nearly_alike, 4000, 1},
              {"boxes 2D", boxes_2d, 4000, 1},  {"polygons", polygons, 2000, 1},
              {"kinds 2D", kinds_2d, 1000, 20}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    tally count;
    run(list[i].name, list[i].make, list[i].casts * tiered(1, 2, 50), &count);
    assert_int_equal(count.failed, 0);
    if (count.casts == 0) continue;
    assert_in_range(100 * count.hits / count.casts, 25, 75);
    assert_true(100 * count.exact <= list[i].exact_most * count.casts);
  }
}

TEST(test_families) {
  long failed = 0;
  for (int i = 0; i < cast_families_count; i++) {
    tally count;
    run(cast_families[i].name, cast_families[i].make, tiered(200, 400, 10000), &count);
    failed += count.failed;
  }
  assert_int_equal(failed, 0);
}

/* ---- by hand */

static graze_impact cast(graze_shape a, graze_shape b, graze_vec from, graze_vec velocity, double t_max) {
  cast_case c = {.velocity_b = velocity, .t_max = t_max};
  graze_impact impact;
  c.pair.a = a, c.pair.b = b;
  c.pair.pose_a = graze_pose_at(0, 0, 0), c.pair.pose_b = graze_pose_at(from.x, from.y, from.z);
  assert_int_equal(ask(&c, GRAZE_METHOD_LCCD, &impact), GRAZE_OK);
  return impact;
}

static void hits(const graze_impact *x, double t) {
  assert_int_equal(x->result, GRAZE_HIT);
  assert_true(x->t_lower <= t && t <= x->t_upper && x->t_upper - x->t_lower <= 1e-9 * fmax(t, 1));
}

/* Faces, edges and corners that touch in passing are hits; by one bit less they are not. */
TEST(test_grazes) {
  const graze_shape cube = graze_box(1, 1, 1), square = graze_box2(1, 1);
  const double out = nextafter(2, 3);
  graze_impact x = cast(cube, cube, (graze_vec){-8, 2, 0.5}, (graze_vec){3, 0, 0}, 4);
  hits(&x, 2);
  x = cast(cube, cube, (graze_vec){-8, out, 0.5}, (graze_vec){3, 0, 0}, 4);
  assert_int_equal(x.result, GRAZE_CLEAR);
  x = cast(cube, cube, (graze_vec){-8, 2, 2}, (graze_vec){3, 0, 0}, 4);
  hits(&x, 2);
  x = cast(cube, cube, (graze_vec){-8, 2, out}, (graze_vec){3, 0, 0}, 4);
  assert_int_equal(x.result, GRAZE_CLEAR);
  x = cast(square, square, (graze_vec){-4, 0, 0}, (graze_vec){1, 1, 0}, 9);
  hits(&x, 2);
  x = cast(square, square, (graze_vec){-4, nextafter(0, 1), 0}, (graze_vec){1, 1, 0}, 9);
  assert_int_equal(x.result, GRAZE_CLEAR);
  x = cast(cube, cube, (graze_vec){-8, 0, 0}, (graze_vec){3, 0, 0}, 2);
  hits(&x, 2);
  x = cast(cube, cube, (graze_vec){-8, 0, 0}, (graze_vec){3, 0, 0}, nextafter(2, 1));
  assert_int_equal(x.result, GRAZE_CLEAR);
}

TEST(test_walls) {
  const graze_shape wall = graze_box(5e-7, 3, 3), flat = graze_box(0, 3, 3), wall2 = graze_box2(5e-7, 3);
  for (int i = 0; i < 64; i++) {
    const double speed = ldexp(1, i), y = 0.04 * i;
    graze_impact x = cast(wall, graze_point(), (graze_vec){-1, y, 0.3}, (graze_vec){speed, 0, 0}, 4);
    hits(&x, (1 - 5e-7) / speed);
    x = cast(flat, graze_box(1e-3, 1e-3, 1e-3), (graze_vec){-1, 0.3, y}, (graze_vec){speed, 0, 0}, 4);
    hits(&x, (1 - 1e-3) / speed);
    x = cast(wall2, graze_box2(1e-3, 1e-3), (graze_vec){-1, y, 0}, (graze_vec){speed, 0, 0}, 4);
    hits(&x, (1 - 5e-7 - 1e-3) / speed);
  }
}

/* Face to face, the parallel boxes too, doubles are enough. */
TEST(test_upright) {
  rng random = {family_seed("upright")};
  for (int i = 0; i < 1000; i++) {
    const double high = rng_uniform(&random, 0.2, 1), low = rng_uniform(&random, 0.2, 1);
    const graze_vec from = {rng_uniform(&random, -1, 1), rng_uniform(&random, -1, 1), high + low + 1};
    const graze_impact x = cast(graze_box(1, 1, low), graze_box(0.5, 0.7, high), from, (graze_vec){0.1, 0.1, -1}, 4);
    hits(&x, 1);
    assert_false(x.exact);
    assert_true(x.normal.z > 1 - 1e-12 && fabs(x.point.z - low) < 1e-9);
  }
}

TEST(test_refused) {
  const graze_shape box = graze_box(1, 1, 1), ball = graze_sphere(1);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0)), b = graze_place(&box, graze_pose_at(4, 0, 0)),
               c = graze_place(&ball, graze_pose_at(4, 0, 0));
  const graze_vec v = {-1, 0, 0};
  graze_options options = graze_default_options();
  graze_impact x;
  options.method = GRAZE_METHOD_LCCD;
  assert_int_equal(graze_cast(&a, still, &c, v, 9, &options, &x), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_cast(&a, still, &b, v, -1, &options, &x), GRAZE_BAD_OPTION);
  options.clearance = 0.1;
  assert_int_equal(graze_cast(&a, still, &b, v, 9, &options, &x), GRAZE_UNSUPPORTED);
  options.clearance = 0, options.method = GRAZE_METHOD_DISCRETE + 1;
  assert_int_equal(graze_cast(&a, still, &b, v, 9, &options, &x), GRAZE_BAD_OPTION);
  options.method = GRAZE_METHOD_GJK;
  assert_int_equal(graze_cast(&a, still, &b, v, 9, &options, &x), GRAZE_UNSUPPORTED);
}

/* Hulls need room for their features, and say so. */
TEST(test_room) {
  graze_vec room[PAIR_VERTICES];
  rng random = {family_seed("room")};
  const graze_shape hull = random_hull(&random, 3, 20, room);
  graze_placed a = graze_place(&hull, graze_pose_at(0, 0, 0)), b = graze_place(&hull, graze_pose_at(4, 0, 0));
  graze_options options = graze_default_options();
  graze_impact x;
  long long little[8];
  options.method = GRAZE_METHOD_LCCD;
  options.workspace = little, options.workspace_size = sizeof little;
  assert_int_equal(graze_cast(&a, still, &b, (graze_vec){-1, 0, 0}, 9, &options, &x), GRAZE_NO_ROOM);
  options.workspace = NULL;
  assert_int_equal(graze_cast(&a, still, &b, (graze_vec){-1, 0, 0}, 9, &options, &x), GRAZE_OK);
}
