/* All against all and one clearance for all pairs: the same bits as batches that list the same pairs. Invalid options.
 */
#include "batch/results.h"
#include "support/families.h"

enum { BODIES = 60, MAX_PAIRS = BODIES * BODIES };

static const graze_vec corners[4] = {{0, 0, 0}, {1, 0, 0.25}, {0, 1, 0}, {0.25, 0.5, 1}};

/* Bodies of every kind, 2D or 3D, with velocities. */
typedef struct bodies {
  graze_shape shape[BODIES];
  uint32_t shape_index[BODIES];
  graze_pose pose[BODIES];
  graze_vec velocity[BODIES];
  const graze_table *table;
  void *memory;
} bodies;

static void make_bodies(bodies *s, int dim, size_t shapes, uint64_t seed) {
  const graze_shape solid[] = {graze_box(0.5, 0.25, 1), graze_hull_points(corners, 4), graze_sphere(0.5),
                               graze_with_margin(graze_box(0.25, 0.25, 0.25), 0.25), graze_cylinder(0.5, 0.5)};
  const graze_shape flat[] = {graze_box2(0.5, 0.25), graze_circle(0.5), graze_capsule2(0.25, 0.5),
                              graze_with_margin(graze_box2(0.25, 0.25), 0.25), graze_ellipse(0.5, 0.25)};
  rng random = {seed};
  for (size_t i = 0; i < shapes; i++) s->shape[i] = dim == 2 ? flat[i % 5] : solid[i % 5];
  for (int i = 0; i < BODIES; i++) {
    s->shape_index[i] = (uint32_t)rng_below(&random, (int)shapes);
    s->pose[i] = random_pose(&random, dim, 2);
    s->velocity[i] = rng_vec(&random, dim, 2);
    if (dim == 2) s->velocity[i].z = 0;
  }
  const size_t size = graze_table_size(s->shape, shapes);
  s->memory = malloc(size);
  assert_non_null(s->memory);
  assert_int_equal(graze_table_make(s->shape, shapes, s->memory, size, &s->table, NULL), GRAZE_OK);
}

/* The bodies from `first` on. Without indices body i has shape i, or the only one. */
static graze_batch_side side_of(const bodies *s, size_t first, size_t count, bool indices) {
  graze_batch_side side = {.table = s->table, .poses = s->pose + first, .pose_count = count};
  side.velocities = s->velocity + first;
  if (indices) side.shape_index = s->shape_index + first;
  return side;
}

/* Runs all three queries; casts after distances, into the second half of `r`. */
static void run_all(const graze_batch *batch, result *r) {
  const graze_batch_answers distances = into(r), casts = into(r + MAX_PAIRS);
  static uint8_t relation[MAX_PAIRS];
  const graze_batch_answers relations = {.relation = relation};
  memset(r, 0, 2 * MAX_PAIRS * sizeof *r);
  assert_int_equal(graze_batch_distance(batch, &distances, NULL, NULL), GRAZE_OK);
  assert_int_equal(graze_batch_cast(batch, &casts, NULL, NULL), GRAZE_OK);
  assert_int_equal(graze_batch_intersect(batch, &relations, NULL, NULL), GRAZE_OK);
  for (size_t i = 0; i < batch->count; i++) assert_int_equal(relation[i], r[i].relation);
}

/* Checks the order of the pairs, and the results against a batch that lists them. */
static void expect_as_listed(const graze_batch *batch) {
  static result all[2 * MAX_PAIRS], listed[2 * MAX_PAIRS];
  static uint32_t pose[2][MAX_PAIRS], shape[2][MAX_PAIRS];
  const bool within = batch->pairing == GRAZE_PAIRS_WITHIN;
  graze_batch list = *batch;
  list.pairing = GRAZE_PAIRS_LISTED;
  if (within) list.b = batch->a;
  size_t count = 0;
  for (size_t i = 0; i < list.a.pose_count; i++) {
    for (size_t j = within ? i + 1 : 0; j < list.b.pose_count; j++, count++) {
      size_t a = 77, b = 77;
      graze_batch_pair(batch, count, &a, &b);
      assert_true(a == i && b == j);
      pose[0][count] = (uint32_t)i, pose[1][count] = (uint32_t)j;
      shape[0][count] = list.a.shape_index ? list.a.shape_index[i] : (uint32_t)i;
      shape[1][count] = list.b.shape_index ? list.b.shape_index[j] : (uint32_t)j;
    }
  }
  assert_int_equal(graze_batch_pair_count(batch), count);
  assert_int_equal(batch->count, count);
  list.a.pose_index = pose[0], list.b.pose_index = pose[1];
  list.a.shape_index = shape[0], list.b.shape_index = shape[1];
  run_all(batch, all);
  run_all(&list, listed);
  assert_memory_equal(all, listed, sizeof all);
}

/* Every two poses of one side, in 2D and 3D, up to several chunks. Seed 1. */
TEST(within) {
  static const size_t counts[] = {2, 3, 22, 23, 24, 33, BODIES};
  for (int dim = 2; dim <= 3; dim++) {
    for (int indices = 0; indices < 2; indices++) {
      static bodies s;
      make_bodies(&s, dim, BODIES, 1);
      for (size_t i = 0; i < COUNT(counts); i++) {
        graze_batch batch = graze_default_batch();
        batch.a = side_of(&s, 0, counts[i], indices);
        batch.pairing = GRAZE_PAIRS_WITHIN, batch.count = graze_batch_pair_count(&batch);
        expect_as_listed(&batch);
      }
      free(s.memory);
    }
  }
}

/* Every pose of one side with every pose of the other. Seed 2. */
TEST(between) {
  static const size_t counts[][2] = {{1, 1}, {1, 40}, {40, 1}, {16, 16}, {17, 31}, {30, 30}};
  for (int dim = 2; dim <= 3; dim++) {
    static bodies s;
    make_bodies(&s, dim, BODIES, 2);
    for (size_t i = 0; i < COUNT(counts); i++) {
      graze_batch batch = graze_default_batch();
      batch.a = side_of(&s, 0, counts[i][0], i % 2), batch.b = side_of(&s, BODIES - counts[i][1], counts[i][1], true);
      batch.pairing = GRAZE_PAIRS_BETWEEN, batch.count = graze_batch_pair_count(&batch);
      expect_as_listed(&batch);
    }
    free(s.memory);
  }
}

/* Strided poses and indices, one shape for all, per-pair clearances, and threads. Seed 3. */
TEST(within_with_strides_and_threads) {
  static bodies s;
  static result first[2 * MAX_PAIRS], second[2 * MAX_PAIRS];
  static double clearances[MAX_PAIRS][2];
  static struct {
    char name;
    uint32_t shape;
    graze_pose pose;
  } record[BODIES];
  graze_pool *pool;
  rng random = {3};
  make_bodies(&s, 3, 5, 3);
  graze_batch batch = graze_default_batch();
  batch.a = side_of(&s, 0, BODIES, true), batch.pairing = GRAZE_PAIRS_WITHIN;
  batch.count = graze_batch_pair_count(&batch);
  for (size_t i = 0; i < batch.count; i++) clearances[i][1] = rng_coin(&random) ? 0 : rng_uniform(&random, 0, 1);
  batch.clearances = &clearances[0][1], batch.clearances_stride = sizeof clearances[0];
  run_all(&batch, first);
  for (int i = 0; i < BODIES; i++) record[i].shape = s.shape_index[i], record[i].pose = s.pose[i];
  batch.a.poses = &record[0].pose, batch.a.pose_stride = sizeof record[0];
  batch.a.shape_index = &record[0].shape, batch.a.shape_index_stride = sizeof record[0];
  assert_int_equal(graze_pool_create(3, NULL, &pool), GRAZE_OK);
  const graze_parallel loop = graze_pool_parallel(pool);
  batch.scratch_size = graze_batch_scratch_size(batch.count), batch.scratch = malloc(batch.scratch_size);
  batch.parallel = &loop;
  run_all(&batch, second);
  assert_memory_equal(first, second, sizeof first);
  graze_pool_destroy(pool);
  free(batch.scratch), free(s.memory);
}

TEST(pair_counts) {
  static const graze_pose pose;
  graze_batch batch = graze_default_batch();
  batch.count = 9;
  assert_int_equal(graze_batch_pair_count(&batch), 9);
  batch.pairing = GRAZE_PAIRS_WITHIN;
  static const size_t within[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 3}, {100, 4950}, {92682, 4294930221u}};
  for (size_t i = 0; i < COUNT(within); i++) {
    batch.a.poses = &pose, batch.a.pose_count = within[i][0];
    assert_true(graze_batch_pair_count(&batch) == within[i][1]);
  }
  size_t a, b;
  batch.a.pose_count = 92682;
  graze_batch_pair(&batch, 4294930220u, &a, &b);
  assert_true(a == 92680 && b == 92681);
  graze_batch_pair(&batch, 92681, &a, &b);
  assert_true(a == 1 && b == 2);
  batch.a.pose_count = SIZE_MAX;
  assert_true(graze_batch_pair_count(&batch) == SIZE_MAX);
  batch.pairing = GRAZE_PAIRS_BETWEEN, batch.b.pose_count = 2;
  assert_true(graze_batch_pair_count(&batch) == SIZE_MAX);
  batch.a.pose_count = 7, batch.b.pose_count = 6;
  assert_int_equal(graze_batch_pair_count(&batch), 42);
}

/* One clearance gives the bits of an array of it, and an array replaces it. Seed 4. */
TEST(one_clearance) {
  static bodies s;
  static result one[2 * MAX_PAIRS], array[2 * MAX_PAIRS];
  static double clearances[MAX_PAIRS];
  for (int dim = 2; dim <= 3; dim++) {
    make_bodies(&s, dim, BODIES, 4);
    graze_batch batch = graze_default_batch();
    batch.a = side_of(&s, 0, BODIES, true), batch.pairing = GRAZE_PAIRS_WITHIN;
    batch.count = graze_batch_pair_count(&batch);
    for (size_t i = 0; i < batch.count; i++) clearances[i] = 0.375;
    batch.clearance = 0.375, batch.clearances = NULL;
    run_all(&batch, one);
    batch.clearance = 5, batch.clearances = clearances;
    run_all(&batch, array);
    assert_memory_equal(one, array, sizeof one);
    batch.clearance = 0, batch.clearances = NULL;
    run_all(&batch, array);
    assert_true(memcmp(one, array, sizeof one) != 0);
    free(s.memory);
  }
}

/* ---- Invalid options */

static void expect_rejected(const graze_batch *batch, graze_status status, const char *what, ptrdiff_t index,
                            double value) {
  static uint8_t relation[MAX_PAIRS];
  const graze_batch_answers answers = {.relation = relation};
  graze_error error;
  memset(relation, 99, sizeof relation);
  assert_int_equal(graze_batch_intersect(batch, &answers, NULL, &error), status);
  assert_int_equal(error.status, status);
  assert_string_equal(error.what, what);
  assert_true(error.index == index && (isnan(value) || error.value == value));
  assert_int_equal(relation[0] == 99, index < 0);
}

TEST(invalid_options) {
  static const uint32_t index[BODIES];
  bodies s;
  make_bodies(&s, 3, BODIES, 5);
  graze_batch good = graze_default_batch();
  good.a = side_of(&s, 0, BODIES, true), good.pairing = GRAZE_PAIRS_WITHIN;
  good.count = graze_batch_pair_count(&good);
  graze_batch batch = good;
  batch.pairing = (graze_pairing)7;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "pairing", -1, 7);
  batch = good, batch.count = 1769;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "count", -1, 1769);
  batch = good, batch.a.pose_index = index;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "a.pose_index", -1, 0);
  batch = good, batch.b.table = s.table;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "b.table", -1, 0);
  batch = good, batch.b.poses = s.pose, batch.b.pose_count = 3;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "b.poses", -1, 3);
  batch = good, batch.clearance = -0.5;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "clearance", -1, -0.5);
  batch = good, batch.clearance = NAN;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "clearance", -1, NAN);
  batch = good, batch.b = side_of(&s, 0, 10, true), batch.pairing = GRAZE_PAIRS_BETWEEN, batch.count = 600;
  batch.b.pose_index = index;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "b.pose_index", -1, 0);
  batch.b.pose_index = NULL, batch.b.pose_count = 0, batch.count = 0, batch.b.poses = NULL;
  const graze_batch_answers nothing = {.relation = NULL};
  assert_int_equal(graze_batch_distance(&batch, &nothing, NULL, NULL), GRAZE_OK); /* no pairs */
  free(s.memory);
}

/* An invalid body makes all its pairs invalid, and no others. GRAZE_PAIRS_WITHIN names members of side a only. */
TEST(invalid_bodies) {
  static bodies s;
  static result r[2 * MAX_PAIRS];
  enum { WRONG = 20 };
  make_bodies(&s, 3, BODIES, 6);
  graze_batch batch = graze_default_batch();
  batch.a = side_of(&s, 0, BODIES, true), batch.pairing = GRAZE_PAIRS_WITHIN;
  batch.count = graze_batch_pair_count(&batch);
  s.pose[WRONG].position.y = NAN;
  expect_rejected(&batch, GRAZE_BAD_NUMBER, "a.position", WRONG - 1, NAN); /* the pair (0, WRONG) */
  const graze_batch_answers answers = into(r);
  graze_batch_counts counts;
  graze_error error;
  assert_int_equal(graze_batch_distance(&batch, &answers, &counts, &error), GRAZE_BAD_NUMBER);
  assert_int_equal(counts.by_simd + counts.one_by_one, batch.count - (BODIES - 1));
  for (size_t i = 0; i < batch.count; i++) {
    size_t a, b;
    graze_batch_pair(&batch, i, &a, &b);
    assert_int_equal(r[i].relation == 0, a == WRONG || b == WRONG);
    assert_int_equal(isnan(r[i].distance), a == WRONG || b == WRONG);
  }
  s.pose[WRONG].position.y = 0, s.shape_index[0] = BODIES;
  expect_rejected(&batch, GRAZE_BAD_OPTION, "a.shape_index", 0, BODIES);
  s.shape_index[0] = 0, s.velocity[WRONG].x = INFINITY;
  assert_int_equal(graze_batch_cast(&batch, &answers, &counts, &error), GRAZE_BAD_NUMBER);
  assert_string_equal(error.what, "a.velocity");
  assert_int_equal(error.index, WRONG - 1);
  free(s.memory);
}
