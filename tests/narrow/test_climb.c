/* Hulls with edges, which propose a vertex, give the answers of hulls without; wrong edges cost time only. */
#include <graze/build.h>

#include "shape/support.h"
#include "support/families_run.h"
#include "support/query.h"

enum { MOST = 2400, KINDS = 4 };

/* Round hulls, and hulls with large flat places, on which a climb may end too early. */
static const char *const kind_name[KINDS] = {"sphere", "flat", "lattice", "needle"};

static graze_vec on_sphere(rng *random) {
  for (;;) {
    const graze_vec v = rng_vec(random, 3, 1);
    if (norm(v) >= 0.1 && norm(v) <= 1) return scaled(1 / norm(v), v);
  }
}

static graze_vec any_point(rng *random, int kind) {
  const graze_vec v = on_sphere(random);
  if (kind == 1) return vec(v.x, v.y, v.z * 1e-9);
  if (kind == 2) return vec(floor(v.x * 90 + 0.5) / 90, floor(v.y * 90 + 0.5) / 90, floor(v.z * 90 + 0.5) / 90);
  return kind == 3 ? vec(v.x * 1e-7, v.y * 1e-7, v.z) : v;
}

/* Large enough to be climbed. */
static void any_hull(rng *random, int kind, graze_hull *hull) {
  static graze_vec points[MOST];
  const int count = kind == 2 ? MOST : rng_between(random, 1200, MOST);
  for (int i = 0; i < count; i++) points[i] = any_point(random, kind);
  assert_int_equal(graze_hull_create(points, (size_t)count, 3, NULL, hull, NULL), GRAZE_OK);
  assert_true(hull->vertex_count >= GRZ_CLIMB_MIN_COUNT);
}

TEST(climbs_find_the_maximum) {
  for (int kind = 0; kind < KINDS; kind++) {
    rng random = family_seed(kind_name[kind]);
    graze_hull hull;
    long climbs = 0, tops = 0;
    for (int i = 0; i < tiered(10, 20, 20); i++, graze_hull_destroy(&hull)) {
      any_hull(&random, kind, &hull);
      const graze_shape climbing = graze_hull_shape(&hull);
      graze_shape plain = climbing;
      plain.as.hull.adjacency.seed = NULL;
      assert_true(grz_hill_climbs(&climbing));
      for (int k = 0; k < 200; k++, climbs++) {
        const graze_vec d = on_sphere(&random);
        double slack = 0;
        tops += grz_hill_climb(&climbing, d).index == grz_support_local(&plain, d, &slack).index;
      }
    }
    assert_true(tops >= climbs - climbs / 100);
  }
}

/* Poles with an edge to every other vertex: no seeds, which would take the square of the vertices. */
TEST(spindles_are_not_climbed) {
  static graze_vec points[MOST];
  rng random = family_seed("spindle");
  graze_hull hull;
  for (int i = 0; i < MOST; i++) {
    const graze_vec v = on_sphere(&random);
    points[i] = i < 2 ? vec(0, 0, 2 * i - 1) : scaled(1 / hypot(v.x, v.y), vec(v.x, v.y, 0));
  }
  assert_int_equal(graze_hull_create(points, MOST, 3, NULL, &hull, NULL), GRAZE_OK);
  assert_true(hull.vertex_count > GRZ_CLIMB_MIN_COUNT);
  assert_null(hull.adjacency.seed);
  const graze_shape shape = graze_hull_shape(&hull);
  assert_false(grz_hill_climbs(&shape));
  graze_hull_destroy(&hull);
}

/* Every vertex has one wrong neighbour: most climbs end at once. */
static graze_adjacency broken(const graze_hull *hull, int32_t *start, int32_t *neighbor) {
  static const int32_t nowhere[MOST];
  const int32_t count = (int32_t)hull->vertex_count;
  assert_true(grz_climb_cells(hull->adjacency.seed_rank, 3) <= MOST);
  for (int32_t v = 0; v <= count; v++) start[v] = v;
  for (int32_t v = 0; v < count; v++) neighbor[v] = (v * 7 + 1) % count;
  return (graze_adjacency){start, neighbor, nowhere, hull->adjacency.seed_rank};
}

static bool compare(const graze_placed climbing[2], const graze_placed plain[2]) {
  const proved_answer boolean = intersect(&climbing[0], &climbing[1], NULL);
  const proved_answer y = distance(&plain[0], &plain[1], NULL);
  assert_int_equal(boolean.relation, y.relation);
  assert_int_equal(verify_answer(&climbing[0], &climbing[1], NULL, &boolean), GRAZE_OK);
  if (y.relation != GRAZE_SEPARATED) return true;
  const proved_answer x = distance(&climbing[0], &climbing[1], NULL);
  assert_int_equal(verify_answer(&climbing[0], &climbing[1], NULL, &x), GRAZE_OK);
  assert_true(x.lower <= y.upper && y.lower <= x.upper && x.upper - x.lower <= 1e-12 * fmax(x.distance, 1));
  return false;
}

static void run_answers(bool true_edges) {
  static int32_t start[2][MOST + 1], neighbor[2][MOST];
  const int pairs = tiered(30, 60, 4000);
  for (int kind = 0; kind < KINDS; kind++) {
    rng random = family_seed(kind_name[kind]);
    int hits = 0;
    for (int i = 0; i < pairs; i++) {
      graze_hull hull[2];
      graze_placed climbing[2], plain[2];
      graze_pose pose[2] = {random_pose(&random, 3, 10), random_pose(&random, 3, 10)};
      pose[1].position = add(pose[0].position, rng_vec(&random, 3, kind == 3 ? 0.5 : 2.2));
      for (int k = 0; k < 2; k++) {
        any_hull(&random, k == 0 ? kind : rng_below(&random, KINDS), &hull[k]);
        graze_shape shape = graze_hull_shape(&hull[k]);
        if (!true_edges) shape.as.hull.adjacency = broken(&hull[k], start[k], neighbor[k]);
        climbing[k] = graze_place(&shape, pose[k]);
        shape.as.hull.adjacency.seed = NULL;
        plain[k] = graze_place(&shape, pose[k]);
      }
      hits += compare(climbing, plain);
      for (int k = 0; k < 2; k++) graze_hull_destroy(&hull[k]);
    }
    assert_in_range(100 * hits / pairs, 5, 90);
  }
}

TEST(answers_with_edges) { run_answers(true); }

TEST(answers_with_wrong_edges) { run_answers(false); }
