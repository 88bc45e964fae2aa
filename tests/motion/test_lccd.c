/* LCCD against FCCD: the same result, each verified. Random pairs, every family of casts, grazes that are decided
 * exactly, and thin walls. Seeds are those of the names of the families. */

#include "support/test.h"
#include "support/cast_families.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

static const graze_vec still = {0, 0, 0};

static bool has_facets(const graze_shape *s) {
  if (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE) return !(s->margin > 0 || s->radius > 0);
  return s->kind >= GRAZE_POINT && s->kind <= GRAZE_HULL && !(s->margin > 0);
}

static graze_status cast_by(const cast_case *c, graze_method method, graze_impact *impact) {
  const graze_placed a = place(&c->pair.a, c->pair.pose_a), b = place(&c->pair.b, c->pair.pose_b);
  graze_options options = graze_default_options();
  options.clearance = c->clearance, options.method = method;
  const graze_status status = c->ray ? graze_raycast(&a, b.pose.position, c->velocity_b, c->t_max, &options, impact)
                                     : graze_cast(&a, c->velocity_a, &b, c->velocity_b, c->t_max, &options, impact);
  if (status != GRAZE_OK) return status;
  return graze_verify_cast(&a, c->velocity_a, &b, c->velocity_b, c->t_max, &options, impact);
}

typedef struct tally {
  long casts, hits, exact, failed;
} tally;

static const char *check(const cast_case *c, tally *count) {
  graze_impact x, y;
  const graze_status status = cast_by(c, GRAZE_METHOD_LCCD, &x);
  if (!has_facets(&c->pair.a) || !has_facets(&c->pair.b) || c->clearance > 0)
    return status == GRAZE_UNSUPPORTED ? NULL : "not unsupported";
  if (status != GRAZE_OK) return graze_status_text(status);
  if (x.path != GRAZE_PATH_LCCD) return "another path";
  if (cast_by(c, GRAZE_METHOD_FCCD, &y) != GRAZE_OK || y.path != GRAZE_PATH_FCCD) return "FCCD fails";
  count->casts++, count->hits += x.result == GRAZE_HIT, count->exact += x.exact;
  if (x.result != y.result || x.starts != y.starts) return "another result";
  if (x.result == GRAZE_CLEAR)
    return x.min_lower > y.min_upper || y.min_lower > x.min_upper ? "another least distance" : NULL;
  return x.t_lower > y.t_upper || y.t_lower > x.t_upper ? "another time" : NULL;
}

/* Every second case without margins. */
static tally run(const char *name, void (*make)(rng *, cast_case *), int casts) {
  static cast_case c;
  rng random = {family_seed(name) + 7};
  tally count = {0, 0, 0, 0};
  for (int i = 0; i < casts && family_wanted(name); i++) {
    memset(&c, 0, sizeof c);
    make(&random, &c);
    if (i & 1) c.pair.a.margin = c.pair.b.margin = c.clearance = 0;
    const char *why = check(&c, &count);
    if (why && count.failed++ < 3) printf("FAILED %s: %s\n", name, why), cast_print_json(stdout, name, &c);
  }
  assert_int_equal(count.failed, 0);
  return count;
}

/* ---- random pairs */

/* B moves to near where the family placed it. */
static void approach(rng *random, cast_case *c, int which) {
  families_random[which].make(random, &c->pair);
  const int dim = c->pair.a.dim;
  const graze_vec v = rng_vec(random, dim, 3), aside = rng_vec(random, dim, 1.5);
  const double t = rng_uniform(random, 0.5, 3);
  c->pair.pose_b.position = add(add_scaled(c->pair.pose_b.position, -t, v), aside);
  c->velocity_a = rng_vec(random, dim, 3);
  c->velocity_b = add(c->velocity_a, v);
  c->t_max = rng_below(random, 10) ? rng_uniform(random, 0.5, 6) : (double)INFINITY;
}

static void boxes_3d(rng *random, cast_case *c) { approach(random, c, 0); }
static void hulls_3d(rng *random, cast_case *c) { approach(random, c, 1); }
static void kinds_3d(rng *random, cast_case *c) { approach(random, c, 2); }
static void boxes_2d(rng *random, cast_case *c) { approach(random, c, 3); }
static void polygons(rng *random, cast_case *c) { approach(random, c, 4); }
static void kinds_2d(rng *random, cast_case *c) { approach(random, c, 5); }

/* Boxes with almost the same rotation: almost parallel edges span almost flush facets. */
static void nearly_alike(rng *random, cast_case *c) {
  approach(random, c, 0);
  const double angle = ldexp(rng_uniform(random, -1, 1), -rng_below(random, 56));
  const int about = rng_below(random, 3);
  graze_pose *p = &c->pair.pose_b;
  const graze_vec at = p->position;
  *p = c->pair.pose_a, p->position = at;
  *(about == 0 ? &p->x : about == 1 ? &p->y : &p->z) += angle;
}

TEST(test_random) {
  static const struct {
    const char *name;
    void (*make)(rng *, cast_case *);
    int casts, exact_most; /* per cent */
  } row[] = {{"boxes 3D", boxes_3d, 4000, 1},         {"hulls 3D", hulls_3d, 400, 1},  {"kinds 3D", kinds_3d, 1000, 20},
             {"nearly alike", nearly_alike, 4000, 1}, {"boxes 2D", boxes_2d, 4000, 1}, {"polygons", polygons, 2000, 1},
             {"kinds 2D", kinds_2d, 1000, 20}};
  for (size_t i = 0; i < COUNT(row); i++) {
    const tally count = run(row[i].name, row[i].make, row[i].casts * tiered(1, 2, 50));
    if (count.casts == 0) continue; /* GRAZE_FAMILY */
    assert_in_range(100 * count.hits / count.casts, 25, 75);
    assert_true(100 * count.exact <= row[i].exact_most * count.casts);
  }
}

TEST(test_families) {
  for (int i = 0; i < cast_families_count; i++)
    run(cast_families[i].name, cast_families[i].make, tiered(200, 400, 10000));
}

/* ---- closed forms */

static graze_impact cast(graze_shape a, graze_shape b, graze_vec from, graze_vec velocity, double t_max) {
  const cast_case c = {.pair = {.a = a, .b = b, .pose_a = identity, .pose_b = graze_pose_at(from.x, from.y, from.z)},
                       .velocity_b = velocity,
                       .t_max = t_max};
  graze_impact impact;
  assert_int_equal(cast_by(&c, GRAZE_METHOD_LCCD, &impact), GRAZE_OK);
  return impact;
}

static void assert_hit(graze_impact x, double t) {
  assert_int_equal(x.result, GRAZE_HIT);
  assert_true(x.t_lower <= t && t <= x.t_upper && x.t_upper - x.t_lower <= 1e-9 * fmax(t, 1));
}

/* Faces, edges and corners that touch in passing are hits; one bit further away they are not. */
TEST(test_grazes) {
  const double out = nextafter(2, 3);
  static const struct {
    int dim;
    graze_vec touch, velocity;
    double t_max;
    int axis; /* along which `out` misses; -1: the end of the time */
  } row[] = {{3, {-8, 2, 0.5}, {3, 0, 0}, 4, 1},
             {3, {-8, 2, 2}, {3, 0, 0}, 4, 2},
             {2, {-4, 0, 0}, {1, 1, 0}, 9, 0},
             {3, {-8, 0, 0}, {3, 0, 0}, 2, -1}};
  for (size_t i = 0; i < COUNT(row); i++) {
    const graze_shape shape = box_of(row[i].dim, 1, 1, 1);
    graze_vec miss = row[i].touch;
    if (row[i].axis == 0) miss.y = nextafter(0, 1);
    if (row[i].axis == 1) miss.y = out;
    if (row[i].axis == 2) miss.z = out;
    const double end = row[i].axis < 0 ? nextafter(2, 1) : row[i].t_max;
    assert_hit(cast(shape, shape, row[i].touch, row[i].velocity, row[i].t_max), 2);
    assert_int_equal(cast(shape, shape, miss, row[i].velocity, end).result, GRAZE_CLEAR);
  }
}

TEST(test_walls) {
  for (int i = 0; i < 64; i++) {
    const double speed = ldexp(1, i), y = 0.04 * i;
    const graze_vec v = {speed, 0, 0};
    assert_hit(cast(graze_box(5e-7, 3, 3), graze_point(), vec(-1, y, 0.3), v, 4), (1 - 5e-7) / speed);
    assert_hit(cast(graze_box(0, 3, 3), graze_box(1e-3, 1e-3, 1e-3), vec(-1, 0.3, y), v, 4), (1 - 1e-3) / speed);
    assert_hit(cast(graze_box2(5e-7, 3), graze_box2(1e-3, 1e-3), vec(-1, y, 0), v, 4), (1 - 5e-7 - 1e-3) / speed);
  }
}

/* Face to face, doubles decide. */
TEST(test_upright) {
  rng random = {family_seed("upright")};
  for (int i = 0; i < 1000; i++) {
    const double high = rng_uniform(&random, 0.2, 1), low = rng_uniform(&random, 0.2, 1);
    graze_vec from = rng_vec(&random, 2, 1);
    from.z = high + low + 1;
    const graze_impact x = cast(graze_box(1, 1, low), graze_box(0.5, 0.7, high), from, vec(0.1, 0.1, -1), 4);
    assert_hit(x, 1);
    assert_false(x.exact);
    assert_true(x.normal.z > 1 - 1e-12 && fabs(x.point.z - low) < 1e-9);
  }
}

TEST(test_rejected) {
  const graze_placed a = placed_at(graze_box(1, 1, 1), 0, 0, 0), b = placed_at(graze_box(1, 1, 1), 4, 0, 0);
  const graze_placed ball = placed_at(graze_sphere(1), 4, 0, 0);
  const struct {
    const graze_placed *b;
    double t_max, clearance;
    int method;
    graze_status status;
  } row[] = {{&ball, 9, 0, GRAZE_METHOD_LCCD, GRAZE_UNSUPPORTED},
             {&b, -1, 0, GRAZE_METHOD_LCCD, GRAZE_BAD_OPTION},
             {&b, 9, 0.1, GRAZE_METHOD_LCCD, GRAZE_UNSUPPORTED},
             {&b, 9, 0, GRAZE_METHOD_DISCRETE + 1, GRAZE_BAD_OPTION},
             {&b, 9, 0, GRAZE_METHOD_GJK, GRAZE_UNSUPPORTED}};
  graze_impact x;
  for (size_t i = 0; i < COUNT(row); i++) {
    graze_options options = graze_default_options();
    options.clearance = row[i].clearance, options.method = (graze_method)row[i].method;
    assert_int_equal(graze_cast(&a, still, row[i].b, vec(-1, 0, 0), row[i].t_max, &options, &x), row[i].status);
  }
}

/* Hulls need a workspace for their faces and edges. */
TEST(test_workspace) {
  graze_vec vertices[PAIR_VERTICES];
  long long small[8];
  rng random = {family_seed("room")};
  const graze_shape hull = random_hull(&random, 3, 20, vertices);
  const graze_placed a = place(&hull, identity), b = place(&hull, graze_pose_at(4, 0, 0));
  graze_options options = graze_default_options();
  graze_impact x;
  options.method = GRAZE_METHOD_LCCD;
  options.workspace = small, options.workspace_size = sizeof small;
  assert_int_equal(graze_cast(&a, still, &b, vec(-1, 0, 0), 9, &options, &x), GRAZE_NO_ROOM);
  options.workspace = NULL;
  assert_int_equal(graze_cast(&a, still, &b, vec(-1, 0, 0), 9, &options, &x), GRAZE_OK);
}
