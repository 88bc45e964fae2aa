/* Use of batches: indices, strides, pairings, clearances, cut-offs, casts, threads, and invalid input. */

#include "batch/results.h"
#include "support/families.h"
#include "support/query.h"

enum { SHAPES = 12, POSES = 40, PAIRS = 1500 };

static const graze_vec corners[5] = {{0, 0, 0}, {1, 0, 0.25}, {0, 1, 0}, {0.25, 0.5, 1}, {1, 1, 1}};

/* Shapes of every kind: boxes, point sets, rounded and curved shapes, a half-space. */
static void make_shapes(graze_shape shape[SHAPES]) {
  shape[0] = graze_box(0.5, 0.25, 1), shape[1] = graze_box(1, 1, 1), shape[2] = graze_hull_points(corners, 5);
  shape[3] = graze_sphere(0.5), shape[4] = graze_capsule(0.25, 0.5), shape[5] = graze_point();
  shape[6] = graze_with_margin(graze_box(0.25, 0.25, 0.25), 0.25), shape[7] = graze_cylinder(0.5, 0.5);
  shape[8] = graze_ellipsoid(0.5, 1, 0.25), shape[9] = graze_segment(corners[0], corners[4]);
  shape[10] = graze_triangle(corners[1], corners[2], corners[3]), shape[11] = graze_halfspace(corners[4], -1);
}

/* A pose as a member of a larger struct. */
typedef struct record {
  int id;
  graze_pose pose;
  graze_vec velocity;
} record;

typedef struct pair_link {
  char name;
  uint32_t shape, pose;
} pair_link;

typedef struct setup {
  graze_shape shape[SHAPES];
  record body[POSES];
  pair_link a[PAIRS], b[PAIRS];
  double clearance[PAIRS];
  void *memory;
  const graze_table *table;
  graze_batch batch;
} setup;

static void make_setup(setup *s, uint64_t seed) {
  rng random = {seed};
  make_shapes(s->shape);
  const size_t size = graze_table_size(s->shape, SHAPES);
  s->memory = malloc(size);
  assert_non_null(s->memory);
  assert_int_equal(graze_table_make(s->shape, SHAPES, s->memory, size, &s->table, NULL), GRAZE_OK);
  for (int i = 0; i < POSES; i++) {
    s->body[i].pose = random_pose(&random, 3, 1.25);
    s->body[i].velocity = rng_vec(&random, 3, 2);
  }
  for (int i = 0; i < PAIRS; i++) {
    s->a[i] = (pair_link){'a', (uint32_t)rng_below(&random, SHAPES), (uint32_t)rng_below(&random, POSES)};
    s->b[i] = (pair_link){'b', (uint32_t)rng_below(&random, SHAPES - 1), (uint32_t)rng_below(&random, POSES)};
    s->clearance[i] = rng_coin(&random) ? 0 : rng_uniform(&random, 0, 1);
  }
  const graze_batch_side side = {.table = s->table,
                                 .poses = &s->body[0].pose,
                                 .pose_count = POSES,
                                 .pose_stride = sizeof(record),
                                 .velocities = &s->body[0].velocity,
                                 .velocity_stride = sizeof(record)};
  s->batch = graze_default_batch();
  s->batch.a = s->batch.b = side, s->batch.count = PAIRS;
  s->batch.a.shape_index = &s->a[0].shape, s->batch.a.pose_index = &s->a[0].pose;
  s->batch.b.shape_index = &s->b[0].shape, s->batch.b.pose_index = &s->b[0].pose;
  s->batch.a.shape_index_stride = s->batch.a.pose_index_stride = sizeof(pair_link);
  s->batch.b.shape_index_stride = s->batch.b.pose_index_stride = sizeof(pair_link);
}

static graze_placed placed_of(const setup *s, const pair_link *l) {
  return graze_place(&s->shape[l->shape], s->body[l->pose].pose);
}

static void end_setup(setup *s) { free(s->memory); }

/* ---- Against single queries, with strides */

/* Every instruction set. Seed 1. */
TEST(relations_and_distances) {
  static setup s;
  static result first[PAIRS];
  int relations[5] = {0}, cut = 0;
  graze_batch_counts measured, counts;
  make_setup(&s, 1);
  s.batch.max_distance = 0.75, s.batch.clearances = s.clearance;
  query_by_all(&s.batch, first, &measured, &counts);
  assert_true(measured.by_simd * 5 > PAIRS && measured.one_by_one * 5 > PAIRS);
  assert_true(counts.by_simd * 2 > PAIRS && counts.one_by_one * 5 > PAIRS);
  for (int i = 0; i < PAIRS; i++) {
    const graze_placed a = placed_of(&s, &s.a[i]), b = placed_of(&s, &s.b[i]);
    graze_options options = graze_default_options();
    options.clearance = s.clearance[i];
    const proved_answer one = distance(&a, &b, &options);
    const result *x = &first[i];
    assert_int_equal(one.relation, x->relation);
    relations[one.relation]++;
    if (isnan(x->distance)) {
      assert_true(one.upper >= 0.75 && x->lower >= 0.75 && x->lower <= one.upper && isnan(x->upper));
      assert_true(isnan(x->normal.x) && isnan(x->point_b.z));
      cut++;
    } else {
      assert_true(x->lower < 0.75 && x->lower <= one.upper && one.lower <= x->upper);
      assert_true(fabs(x->distance - one.distance) <= 1e-8);
    }
  }
  assert_true(relations[GRAZE_SEPARATED] * 5 > PAIRS && relations[GRAZE_OVERLAPPING] * 5 > PAIRS);
  assert_in_range(cut, PAIRS / 5, PAIRS * 4 / 5);
  end_setup(&s);
}

TEST(casts) { /* seed 3 */
  static setup s;
  static result r[PAIRS];
  int counted[4] = {0};
  make_setup(&s, 3);
  s.batch.t_max = 2;
  const graze_batch_answers answers = into(r);
  assert_int_equal(graze_batch_cast(&s.batch, &answers, NULL, NULL), GRAZE_OK);
  for (int i = 0; i < PAIRS; i++) {
    const graze_placed a = placed_of(&s, &s.a[i]), b = placed_of(&s, &s.b[i]);
    const graze_motion motion_a = {s.body[s.a[i].pose].velocity, {0, 0, 0}};
    const graze_motion motion_b = {s.body[s.b[i].pose].velocity, {0, 0, 0}};
    graze_cast_options options = graze_default_cast_options();
    graze_cast_result one;
    options.min_distance = false;
    assert_int_equal(graze_cast(&a, &motion_a, &b, &motion_b, 2, &options, &one), GRAZE_OK);
    assert_true(one.outcome == r[i].outcome && one.start_relation == r[i].relation);
    assert_true(same_bits(one.t_lower, r[i].t_lower) && same_bits(one.t_upper, r[i].t_upper));
    assert_true(same_vec(one.normal, r[i].normal) && same_vec(one.point, r[i].point_a));
    counted[one.outcome]++;
  }
  assert_true(counted[GRAZE_HIT] * 5 > PAIRS && counted[GRAZE_CLEAR] * 5 > PAIRS);
  end_setup(&s);
}

/* Without indices: one shape against several, and several poses of one pair of shapes. Seed 4. */
TEST(one_with_several) {
  enum { SEVERAL = 333 };
  static graze_pose pose[SEVERAL];
  static graze_shape shape[SEVERAL];
  static uint8_t relation[SEVERAL];
  rng random = {4};
  char memory[4096];
  const graze_shape self = graze_box(1, 0.5, 0.25);
  const graze_pose at = random_pose(&random, 3, 1);
  const graze_table *one, *several;
  assert_int_equal(graze_table_make(&self, 1, memory, sizeof memory, &one, NULL), GRAZE_OK);
  for (int i = 0; i < SEVERAL; i++) {
    shape[i] = i % 3 ? graze_sphere(0.5 + 0.001 * i) : graze_box(0.5, 0.001 * i, 0.5);
    pose[i] = random_pose(&random, 3, 1.25);
  }
  const size_t size = graze_table_size(shape, SEVERAL);
  void *large = malloc(size);
  assert_int_equal(graze_table_make(shape, SEVERAL, large, size, &several, NULL), GRAZE_OK);
  graze_batch batch = graze_default_batch();
  batch.count = SEVERAL;
  batch.a = (graze_batch_side){.table = one, .poses = &at, .pose_count = 1};
  batch.b = (graze_batch_side){.table = several, .poses = pose, .pose_count = SEVERAL};
  const graze_batch_answers answers = {.relation = relation}, nothing = {.relation = NULL};
  for (int k = 0; k < 2; k++) {
    batch.b.table = k ? one : several;
    assert_int_equal(graze_batch_intersect(&batch, &answers, NULL, NULL), GRAZE_OK);
    for (int i = 0; i < SEVERAL; i++) {
      const graze_placed p = place(&self, at), q = place(k ? &self : &shape[i], pose[i]);
      assert_int_equal(relation[i], intersect(&p, &q, NULL).relation);
    }
  }
  assert_int_equal(graze_batch_intersect(&batch, &nothing, NULL, NULL), GRAZE_OK);
  batch.count = 0, batch.a.poses = NULL;
  assert_int_equal(graze_batch_distance(&batch, &nothing, NULL, NULL), GRAZE_OK);
  free(large);
}

/* ---- Threads give the same bits. Seed 5 */

static void backwards(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  (void)context;
  while (count > 0) task(data, --count);
}

TEST(threads) {
  static setup s;
  static result first[PAIRS], other[PAIRS];
  graze_batch_counts counts, more;
  graze_error error;
  graze_pool *pool;
  make_setup(&s, 5);
  const graze_batch_answers to_first = into(first), to_other = into(other);
  assert_int_equal(graze_batch_distance(&s.batch, &to_first, &counts, NULL), GRAZE_OK);
  const size_t size = graze_batch_scratch_size(PAIRS);
  assert_true(size > 0);
  char *scratch = malloc(size);
  assert_int_equal(graze_pool_create(3, NULL, &pool), GRAZE_OK);
  const graze_parallel loop[2] = {graze_pool_parallel(pool), {backwards, NULL}};
  s.batch.scratch = scratch;
  for (int i = 0; i < 2; i++) {
    s.batch.parallel = &loop[i], s.batch.scratch_size = size;
    assert_int_equal(graze_batch_distance(&s.batch, &to_other, &more, NULL), GRAZE_OK);
    assert_memory_equal(first, other, sizeof first);
    assert_memory_equal(&counts, &more, sizeof counts);
    s.a[77].shape = SHAPES, s.a[1400].pose = POSES; /* the first invalid pair is named in any order of threads */
    assert_int_equal(graze_batch_distance(&s.batch, &to_other, &more, &error), GRAZE_BAD_OPTION);
    assert_string_equal(error.what, "a.shape_index");
    assert_true(error.index == 77 && error.value == SHAPES);
    assert_string_equal(error.allowed, "must be less than the number of shapes");
    s.a[77].shape = 0, s.a[1400].pose = 0;
    assert_int_equal(graze_batch_distance(&s.batch, &to_first, &counts, NULL), GRAZE_OK);
    s.batch.scratch_size = size - 1;
    assert_int_equal(graze_batch_distance(&s.batch, &to_other, &more, &error), GRAZE_NO_SPACE);
    assert_string_equal(error.what, "scratch");
    assert_true(error.value == (double)size);
  }
  const graze_parallel none = {NULL, NULL}; /* a loop without `run` needs no scratch memory */
  s.batch.parallel = &none, s.batch.scratch = NULL, s.batch.scratch_size = 0;
  assert_int_equal(graze_batch_distance(&s.batch, &to_other, &more, NULL), GRAZE_OK);
  assert_memory_equal(first, other, sizeof first);
  graze_pool_destroy(pool);
  free(scratch);
  end_setup(&s);
}

/* ---- Invalid input */

typedef graze_status query(const graze_batch *batch, const graze_batch_answers *out, graze_batch_counts *counts,
                           graze_error *error);

static query *const queries[] = {graze_batch_intersect, graze_batch_distance, graze_batch_cast};

static graze_error rejected(query *run, const setup *s, result *r, graze_batch_counts *counts, graze_status status,
                            const char *what, int index) {
  graze_error error;
  const graze_batch_answers answers = into(r);
  assert_int_equal(run(&s->batch, &answers, counts, &error), status);
  assert_int_equal(error.status, status);
  assert_string_equal(error.what, what);
  assert_int_equal(error.index, index);
  return error;
}

/* index < 0: nothing is written. Otherwise only this pair has no answer. `value` is the wrong number; NAN: not checked.
 */
static void expect_rejected(const setup *s, graze_status status, const char *what, int index, double value) {
  static result r[PAIRS];
  graze_batch_counts counts;
  for (size_t k = strstr(what, "velocity") != NULL ? 2 : 0; k < COUNT(queries); k++) {
    memset(r, 99, sizeof r);
    const graze_error error = rejected(queries[k], s, r, &counts, status, what, index);
    assert_true(isnan(value) || error.value == value);
    for (size_t i = 0; index < 0 && i < sizeof r; i++) assert_int_equal(((unsigned char *)r)[i], 99);
    if (index < 0) continue;
    assert_int_equal(counts.by_simd + counts.one_by_one, PAIRS - 1);
    for (int i = 0; i < PAIRS; i++) assert_true(i == index ? r[i].relation == 0 : r[i].relation - 1 < 4);
    if (k == 1) assert_true(isnan(r[index].distance));
    if (k == 2) assert_true(r[index].outcome == 0 && isnan(r[index].t_lower));
    if (k > 0) assert_true(isnan(r[index].normal.x));
  }
}

/* One invalid number in one pair, whose body no other pair uses. Seed 6. */
TEST(pairs_rejected) {
  enum { PAIR = 600, BODY = POSES - 1 };
  static setup s;
  make_setup(&s, 6);
  for (int i = 0; i < PAIRS; i++) s.a[i].pose %= BODY, s.b[i].pose %= BODY;
  s.batch.clearances = s.clearance;
  s.a[PAIR].pose = BODY;
  const record good = s.body[BODY];
  record *bad = &s.body[BODY];
  for (uint32_t shape = 0; shape < 8; shape++) {
    const struct {
      double *number, wrong;
      const char *what;
    } row[] = {{&bad->pose.position.y, NAN, "a.position"},
               {&bad->pose.position.y, 1e300, "a.position"},
               {&bad->pose.x, INFINITY, "a.rotation"},
               {&bad->velocity.z, -1e41, "a.velocity"}};
    s.a[PAIR].shape = s.b[PAIR].shape = shape, s.b[PAIR].pose = shape % 2 ? BODY : 0; /* both invalid: the same error */
    for (size_t i = 0; i < COUNT(row); i++) {
      *bad = good, *row[i].number = row[i].wrong;
      expect_rejected(&s, GRAZE_BAD_NUMBER, row[i].what, PAIR, row[i].wrong);
    }
    *bad = good, bad->pose.w = bad->pose.x = bad->pose.y = bad->pose.z = 0;
    expect_rejected(&s, GRAZE_BAD_SHAPE, "a.rotation", PAIR, NAN);
    *bad = good;
  }
  s.b[PAIR].shape = SHAPES;
  expect_rejected(&s, GRAZE_BAD_OPTION, "b.shape_index", PAIR, NAN);
  s.b[PAIR].shape = 0, s.b[PAIR].pose = POSES;
  expect_rejected(&s, GRAZE_BAD_OPTION, "b.pose_index", PAIR, NAN);
  s.b[PAIR].pose = 0, s.clearance[PAIR] = -1;
  expect_rejected(&s, GRAZE_BAD_OPTION, "clearances", PAIR, NAN);
  s.clearance[PAIR] = 0, s.a[PAIR].shape = s.b[PAIR].shape = 11;
  expect_rejected(&s, GRAZE_UNSUPPORTED, "shapes", PAIR, NAN);
  end_setup(&s);
}

/* Issue: the error named the pair that was validated first, not the first invalid one. Indices are validated before
 * poses, boxes before point sets, point sets before all others. Seed 8. */
TEST(first_rejected) {
  enum { BODY = POSES - 1 };
  static setup s;
  static result r[PAIRS];
  make_setup(&s, 8);
  for (int i = 0; i < PAIRS; i++) s.a[i].pose %= BODY, s.b[i].pose %= BODY;
  s.body[BODY].pose.position.y = NAN;
  s.a[3].pose = s.a[7].pose = BODY;
  for (uint32_t one = 0; one < 8; one++) {
    for (uint32_t other = 0; other < 8; other++) {
      s.a[3].shape = s.b[3].shape = one, s.a[7].shape = s.b[7].shape = other;
      rejected(graze_batch_intersect, &s, r, NULL, GRAZE_BAD_NUMBER, "a.position", 3);
    }
    s.a[10].shape = SHAPES;
    rejected(graze_batch_intersect, &s, r, NULL, GRAZE_BAD_NUMBER, "a.position", 3);
    s.a[10].shape = 0, s.a[1].shape = SHAPES;
    rejected(graze_batch_intersect, &s, r, NULL, GRAZE_BAD_OPTION, "a.shape_index", 1);
    s.a[1].shape = 0;
  }
  end_setup(&s);
}

TEST(batches_rejected) {
  static setup s;
  char memory[4096];
  const graze_shape flat = graze_box2(1, 1);
  const graze_table *table;
  make_setup(&s, 7);
  assert_int_equal(graze_table_make(&flat, 1, memory, sizeof memory, &table, NULL), GRAZE_OK);
  const graze_batch good = s.batch;
  s.batch.a.table = NULL;
  expect_rejected(&s, GRAZE_BAD_OPTION, "a.table", -1, NAN);
  s.batch = good, s.batch.b.poses = NULL;
  expect_rejected(&s, GRAZE_BAD_OPTION, "b.poses", -1, NAN);
  s.batch = good, s.batch.a.pose_count = 0;
  expect_rejected(&s, GRAZE_BAD_OPTION, "a.poses", -1, NAN);
  s.batch = good, s.batch.max_distance = NAN;
  expect_rejected(&s, GRAZE_BAD_OPTION, "max_distance", -1, NAN);
  s.batch = good, s.batch.t_max = -1;
  expect_rejected(&s, GRAZE_BAD_OPTION, "t_max", -1, NAN);
  s.batch = good, s.batch.b.table = table;
  expect_rejected(&s, GRAZE_DIM_MISMATCH, "b.table", -1, NAN);
  end_setup(&s);
}

static double no_support(void *context, graze_vec direction, graze_vec *point) {
  (void)context, (void)direction;
  *point = (graze_vec){NAN, 0, 0};
  return 0;
}

TEST(tables_rejected) {
  char memory[8192];
  graze_shape shape[3] = {graze_box(1, 1, 1), graze_sphere(1), graze_point()};
  const graze_table *table = NULL;
  graze_error error;
  const size_t size = graze_table_size(shape, 3);
  assert_true(size <= sizeof memory);
  assert_int_equal(graze_table_make(shape, 3, memory, size - 1, &table, &error), GRAZE_NO_SPACE);
  assert_true(error.value == (double)size && !strcmp(error.what, "memory"));
  assert_int_equal(graze_table_make(shape, 0, memory, size, &table, &error), GRAZE_BAD_OPTION);
  shape[1].as.sphere.radius = -1;
  assert_int_equal(graze_table_make(shape, 3, memory, size, &table, &error), GRAZE_BAD_SHAPE);
  assert_true(error.index == 1 && error.value == -1 && !strcmp(error.what, "radius"));
  shape[1] = graze_circle(1);
  assert_int_equal(graze_table_make(shape, 3, memory, size, &table, &error), GRAZE_DIM_MISMATCH);
  assert_true(error.index == 1 && !strcmp(error.what, "dim"));
  shape[1] = graze_user(3, no_support, NULL);
  assert_int_equal(graze_table_make(shape, 3, memory, size, &table, &error), GRAZE_BAD_NUMBER);
  assert_true(error.index == 1 && !strcmp(error.what, "support") && table == NULL);
  shape[1] = graze_sphere(1);
  for (size_t shift = 0; shift < 64; shift += 16) { /* every alignment of malloc() */
    assert_int_equal(graze_table_make(shape, 3, memory + shift, size, &table, &error), GRAZE_OK);
    assert_true((const char *)table >= memory + shift && error.status == GRAZE_OK);
  }
}
