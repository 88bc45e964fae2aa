/* Hulls that know their edges give the answers of hulls that do not: climbing proposes, and all vertices are looked at
 * before anything is claimed. Even edges that lead nowhere cost time only. */

#include "support/test.h"

#include <graze/build.h>

#include "support/families_run.h"
#include "shape/climb.h"

enum { MOST = 2400, KINDS = 4 };

static const char *const kind_name[KINDS] = {"sphere", "flat", "lattice", "needle"};

static graze_vec on_sphere(rng *random) {
  graze_vec v;
  double length;
  do {
    v = rng_vec(random, 3, 1);
    length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  } while (length > 1 || length < 0.1);
  return (graze_vec){v.x / length, v.y / length, v.z / length};
}

/* Round ones, and such as have large flat places, on which a climb may end too early. */
static graze_vec any_point(rng *random, int kind) {
  graze_vec v = on_sphere(random);
  switch (kind) {
  case 1: v.z *= 1e-9; break;
  case 2: v = (graze_vec){floor(v.x * 90 + 0.5) / 90, floor(v.y * 90 + 0.5) / 90, floor(v.z * 90 + 0.5) / 90}; break;
  case 3: v.x *= 1e-7, v.y *= 1e-7; break;
  default: break;
  }
  return v;
}

/* Large enough to be climbed. */
static void any_hull(rng *random, int kind, graze_convex_hull *hull) {
  static graze_vec points[MOST];
  int count = kind == 2 ? MOST : rng_between(random, 1200, MOST);
  for (int i = 0; i < count; i++) points[i] = any_point(random, kind);
  assert_int_equal(graze_hull_create(points, (size_t)count, 3, NULL, hull, NULL), GRAZE_OK);
  assert_true(hull->vertex_count >= GRZ_CLIMB_LEAST);
}

TEST(test_top) {
  for (int kind = 0; kind < KINDS; kind++) {
    rng random = {family_seed(kind_name[kind])};
    graze_convex_hull hull;
    long climbs = 0, tops = 0;
    for (int i = 0; i < 20; i++, graze_hull_destroy(&hull)) {
      any_hull(&random, kind, &hull);
      graze_shape climbing = graze_hull_shape(&hull), plain = climbing;
      plain.adjacency.seed = NULL;
      assert_true(grz_climbs(&climbing));
      for (int k = 0; k < 200; k++, climbs++) {
        graze_vec d = on_sphere(&random);
        double slack = 0;
        grz_core_point top = grz_support_local(&plain, d, &slack);
        grz_core_point found = grz_climb(&climbing, d);
        tops += found.index == top.index;
      }
    }
    printf("  %-8s %ld climbs, %ld to the top\n", kind_name[kind], climbs, tops);
    assert_true(tops >= climbs - climbs / 100);
  }
}

/* Vertices of very many edges, at which every climb looks at all of them: no seeds, or making them would take the
 * square of the vertices. */
TEST(test_spindles_are_not_climbed) {
  static graze_vec points[MOST];
  rng random = {family_seed("spindle")};
  graze_convex_hull hull;
  for (int i = 0; i < MOST; i++) {
    graze_vec v = on_sphere(&random);
    double length = sqrt(v.x * v.x + v.y * v.y);
    points[i] = i < 2 ? (graze_vec){0, 0, 2 * i - 1} : (graze_vec){v.x / length, v.y / length, 0};
  }
  assert_int_equal(graze_hull_create(points, MOST, 3, NULL, &hull, NULL), GRAZE_OK);
  assert_true(hull.vertex_count > GRZ_CLIMB_LEAST);
  assert_null(hull.adjacency.seed);
  graze_shape shape = graze_hull_shape(&hull);
  assert_false(grz_climbs(&shape));
  graze_hull_destroy(&hull);
}

/* Every vertex knows two neighbours or so: most climbs end at once. */
static graze_adjacency broken(const graze_convex_hull *hull, int32_t *start, int32_t *neighbor) {
  static const int32_t nowhere[MOST];
  assert_true(grz_climb_cells(hull->adjacency.seed_rank, 3) <= MOST);
  int32_t count = (int32_t)hull->vertex_count;
  for (int32_t v = 0; v <= count; v++) start[v] = v;
  for (int32_t v = 0; v < count; v++) neighbor[v] = (v * 7 + 1) % count;
  return (graze_adjacency){start, neighbor, nowhere, hull->adjacency.seed_rank};
}

typedef struct trial {
  graze_shape a, b; /* with edges, true or broken … */
  graze_placed climbing[2], plain[2];
} trial;

static void place_trial(rng *random, int kind, trial *t) {
  graze_pose pose_a = random_pose(random, 3, 10), pose_b = random_pose(random, 3, 10);
  double reach = kind == 3 ? 0.5 : 2.2;
  graze_vec apart = rng_vec(random, 3, reach);
  pose_b.position = (graze_vec){pose_a.position.x + apart.x, pose_a.position.y + apart.y, pose_a.position.z + apart.z};
  t->climbing[0] = graze_place(&t->a, pose_a), t->climbing[1] = graze_place(&t->b, pose_b);
  t->a.adjacency.seed = t->b.adjacency.seed = NULL;
  t->plain[0] = graze_place(&t->a, pose_a), t->plain[1] = graze_place(&t->b, pose_b);
}

static void compare(const trial *t, long *hits, long *same) {
  graze_answer climbed, plain;
  assert_int_equal(graze_intersect(&t->climbing[0], &t->climbing[1], NULL, &climbed), GRAZE_OK);
  assert_int_equal(graze_intersect(&t->plain[0], &t->plain[1], NULL, &plain), GRAZE_OK);
  assert_int_equal(climbed.relation, plain.relation);
  assert_int_equal(graze_verify(&t->climbing[0], &t->climbing[1], NULL, &climbed), GRAZE_OK);
  *hits += plain.relation != GRAZE_SEPARATED;
  if (plain.relation != GRAZE_SEPARATED) return;
  assert_int_equal(graze_distance(&t->climbing[0], &t->climbing[1], NULL, &climbed), GRAZE_OK);
  assert_int_equal(graze_distance(&t->plain[0], &t->plain[1], NULL, &plain), GRAZE_OK);
  assert_int_equal(graze_verify(&t->climbing[0], &t->climbing[1], NULL, &climbed), GRAZE_OK);
  assert_true(climbed.lower <= plain.upper && plain.lower <= climbed.upper);
  assert_true(climbed.upper - climbed.lower <= 1e-12 * fmax(climbed.distance, 1));
  *same += climbed.distance == plain.distance;
}

static void run_answers(bool true_edges) {
  int pairs = tiered(60, 120, 4000);
  static int32_t start[2][MOST + 1], neighbor[2][MOST];
  for (int kind = 0; kind < KINDS; kind++) {
    rng random = {family_seed(kind_name[kind])};
    long hits = 0, same = 0;
    for (int i = 0; i < pairs; i++) {
      graze_convex_hull hull[2];
      trial t;
      for (int k = 0; k < 2; k++) any_hull(&random, k == 0 ? kind : rng_below(&random, KINDS), &hull[k]);
      t.a = graze_hull_shape(&hull[0]), t.b = graze_hull_shape(&hull[1]);
      if (!true_edges) {
        t.a.adjacency = broken(&hull[0], start[0], neighbor[0]);
        t.b.adjacency = broken(&hull[1], start[1], neighbor[1]);
      }
      place_trial(&random, kind, &t);
      compare(&t, &hits, &same);
      for (int k = 0; k < 2; k++) graze_hull_destroy(&hull[k]);
    }
    printf("  %-8s %d pairs, %.0f %% meet; of the distances %.0f %% equal\n", kind_name[kind], pairs,
           100.0 * (double)hits / pairs, 100.0 * (double)same / (double)(pairs - hits));
    assert_in_range(100 * hits / pairs, 5, 90);
  }
}

TEST(test_answers) { run_answers(true); }

TEST(test_edges_that_lead_nowhere) { run_answers(false); }
