/* Queries never allocate: malloc and its kin are this program's own here, and count. Thousands of mixed queries must
 * count nothing. tests/package/symbols.py proves that the library calls no function of libm.
 * Needs glibc and no sanitizer, which has an allocator of its own; elsewhere it is skipped. */

#include "support/test.h"
#include "support/families.h"
#include "support/geometry.h"
#include "support/shapes.h"

#include <graze/batch.h>
#include <graze/build.h>
#include <graze/certificate.h>
#include <graze/compare.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INTERPOSE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) ||          \
    __has_feature(undefined_behavior_sanitizer)
#define INTERPOSE_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(INTERPOSE_SANITIZED)

static bool counting;
static long allocations;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *old);

void *malloc(size_t size) {
  allocations += counting;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations += counting;
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  allocations += counting;
  return __libc_realloc(old, size);
}

void free(void *old) {
  allocations += counting;
  __libc_free(old);
}

/* ---- Queried shapes ---- */

enum { ROUNDS = 4000, SHAPES = 64 };

static graze_vec vertices[2][SHAPES][PAIR_VERTICES];
static graze_shape shapes[2][SHAPES]; /* 2D, 3D: every kind, plain and with a margin */

/* Failures, and runs of each algorithm. While `counting` is set there are no assertions, because they may allocate. */
static struct { int failed, rejected, answers, touching, by[GRAZE_ALGORITHM_CLOSED_FORM + 1]; } seen;

static double box_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec *h = context;
  *point = (graze_vec){d.x > 0 ? h->x : -h->x, d.y > 0 ? h->y : -h->y, d.z > 0 ? h->z : -h->z};
  return 0;
}

/* May allocate. */
static void make_shapes(rng *random) {
  static graze_vec half[] = {{0.5, 0.25, 0}, {0.5, 0.25, 0.75}};
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < SHAPES; i++) {
      const int kind = i % 16;
      shapes[k][i] = kind < 11   ? random_shape(random, k + 2, vertices[k][i])
                     : kind < 13 ? random_curved(random, k + 2, 0.25)
                     : kind < 14 ? graze_with_margin(random_curved(random, k + 2, 0.25), 0.125)
                     : kind < 15 ? halfspace_of(k + 2, vec(0.3, -2, 0), -0.5)
                                 : graze_user(k + 2, box_support, &half[k]);
    }
  }
}

static void count_status(graze_status status) {
  const bool rejected = status == GRAZE_UNSUPPORTED || status == GRAZE_NO_SPACE;
  seen.rejected += rejected;
  seen.failed += status != GRAZE_OK && !rejected;
}

/* With `certified`: depths are certified by a surface in a workspace, after the same query without one. */
static graze_answer query(const graze_placed *a, const graze_placed *b, const graze_options *options, bool certified) {
  static uint64_t workspace[1 << 13];
  static graze_surface surface;
  static graze_certificate certificate;
  graze_answer answer = {.distance = 0};
  graze_options copy = options ? *options : graze_default_options();
  if (certified) {
    count_status(graze_distance(a, b, options, &answer));
    copy.workspace = workspace, copy.workspace_size = sizeof workspace;
    copy.surface = &surface;
    copy.cache = NULL;
  }
  copy.certificate = &certificate;
  const graze_status status = certified ? graze_distance(a, b, &copy, &answer) : graze_intersect(a, b, &copy, &answer);
  count_status(status);
  if (status != GRAZE_OK) return answer;
  seen.answers++;
  seen.touching += answer.relation != GRAZE_SEPARATED;
  seen.by[answer.algorithm]++;
  count_status(graze_verify(a, b, options, &answer, &certificate));
  return answer;
}

/* The queries that need no answer. */
static void query_others(const graze_placed *a, const graze_placed *b, graze_vec direction) {
  graze_aabb bounds;
  graze_interval interval;
  graze_vec points[32];
  graze_pair pairs[32];
  graze_relation relation;
  graze_axis best;
  size_t count;
  int vertex;
  bool holds;
  count_status(graze_bounds(a, &bounds));
  count_status(graze_support(a, direction, points, &vertex));
  count_status(graze_contains(a, direction, &relation));
  count_status(graze_check(&a->shape, &a->pose, NULL));
  count_status(graze_project(a, direction, &interval));
  count_status(graze_compare_axes(a, b, NULL, NULL, NULL, &best));
  count_status(graze_compare_minkowski(a, b, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, 32, &count, &holds));
}

/* B moves until both are within rounding of contact, where exact search and portals decide. */
static void query_near_contact(const graze_placed *a, graze_placed *b, const graze_answer *first) {
  graze_pose pose = b->pose;
  if (first->relation != GRAZE_SEPARATED || first->distance != first->distance) return;
  pose.position = add_scaled(pose.position, -first->distance, first->normal);
  count_status(graze_set_pose(b, pose));
  (void)query(a, b, NULL, true);
  (void)query(a, b, NULL, false);
}

static void query_all(rng *random, int round) {
  const int k = round % 2, dim = k + 2;
  const double x = rng_uniform(random, -2, 2), angle = rng_uniform(random, -9, 9);
  const graze_pose pose_a = random_pose(random, dim, 1), pose_b = random_pose(random, dim, 1);
  graze_options options = graze_default_options();
  graze_cache cache = {.count = 0};
  graze_placed a = graze_place(&shapes[k][rng_below(random, SHAPES)], pose_a);
  graze_placed b =
      graze_place(&shapes[k][rng_below(random, SHAPES)], round % 5 == 0 ? graze_pose2(x, 0.5, angle) : pose_b);
  options.cache = &cache;
  options.clearance = round % 7 == 0 ? 0.0625 : 0;
  const graze_answer answer = query(&a, &b, NULL, true);
  (void)query(&a, &b, &options, false);
  (void)query(&a, &b, &options, true);
  options.method = (graze_method)(round % (GRAZE_METHOD_EPA + 1));
  options.max_iterations = 1 + round % 11;
  (void)query(&a, &b, &options, round % 4 < 2);
  query_others(&a, &b, rng_vec(random, dim, 1));
  query_near_contact(&a, &b, &answer);
}

/* Seed 30. */
TEST(queries_do_not_allocate) {
  rng random = 30;
  make_shapes(&random);
  allocations = 0;
  counting = true;
  for (int i = 0; i < ROUNDS; i++) query_all(&random, i);
  counting = false;
  print_message("%d answers: %d touching, %d exact, %d portal, %d plane, %d sat, %d epa; %d rejected\n", seen.answers,
                seen.touching, seen.by[GRAZE_ALGORITHM_EXACT], seen.by[GRAZE_ALGORITHM_PORTAL],
                seen.by[GRAZE_ALGORITHM_HALFSPACE], seen.by[GRAZE_ALGORITHM_SAT], seen.by[GRAZE_ALGORITHM_EPA],
                seen.rejected);
  assert_int_equal(seen.failed, 0);
  assert_true(seen.answers >= 4 * ROUNDS && seen.rejected < seen.answers / 2);
  assert_true(seen.touching * 10 >= seen.answers * 3 && seen.touching * 10 <= seen.answers * 6);
  assert_true(seen.by[GRAZE_ALGORITHM_EXACT] >= 1000 && seen.by[GRAZE_ALGORITHM_PORTAL] >= 1000);
  assert_true(seen.by[GRAZE_ALGORITHM_HALFSPACE] >= 1000 && seen.by[GRAZE_ALGORITHM_SAT] >= 20 &&
              seen.by[GRAZE_ALGORITHM_EPA] >= 1000);
  assert_int_equal(allocations, 0);
}

/* Arrays of pairs, with threads of the caller's. Seed 32. */
static void run_alone(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  (void)context;
  for (size_t i = 0; i < count; i++) task(data, i);
}

TEST(batches_do_not_allocate) {
  enum { PAIRS = 600 };
  static graze_pose pose[2 * PAIRS];
  static double distance[PAIRS];
  static uint8_t relation[PAIRS];
  static _Alignas(16) char workspace[16384], scratch[4096];
  const graze_shape shape[] = {graze_box(0.5, 0.5, 0.25), graze_sphere(0.5), graze_cylinder(0.25, 0.5)};
  const graze_parallel loop = {run_alone, NULL};
  const graze_table *table;
  graze_batch_counts counts;
  uint32_t index[PAIRS];
  rng random = 32;
  for (uint32_t i = 0; i < PAIRS; i++) index[i] = i % 3;
  for (int i = 0; i < 2 * PAIRS; i++) pose[i] = random_pose(&random, 3, 0.75);
  assert_true(graze_batch_scratch_size(PAIRS) <= sizeof scratch);
  allocations = 0;
  counting = true;
  graze_status status = graze_table_make(shape, 3, workspace, sizeof workspace, &table, NULL);
  graze_batch batch = graze_default_batch();
  batch.a = (graze_batch_side){.table = table, .shape_index = index, .poses = pose, .pose_count = PAIRS};
  batch.b = (graze_batch_side){.table = table, .shape_index = index, .poses = pose + PAIRS, .pose_count = PAIRS};
  batch.count = PAIRS, batch.parallel = &loop, batch.scratch = scratch, batch.scratch_size = sizeof scratch;
  const graze_batch_answers answers = {.relation = relation, .distance = distance};
  if (status == GRAZE_OK) status = graze_batch_intersect(&batch, &answers, NULL, NULL);
  if (status == GRAZE_OK) status = graze_batch_cast(&batch, &answers, NULL, NULL);
  if (status == GRAZE_OK) status = graze_batch_distance(&batch, &answers, &counts, NULL);
  counting = false;
  assert_int_equal(status, GRAZE_OK);
  assert_true(counts.by_simd > PAIRS / 10 && counts.one_by_one > PAIRS / 10);
  assert_int_equal(allocations, 0);
}

/* Through pointers that compilers cannot see through; and by a library that is linked as Graze is. */
TEST(the_counter_counts) {
  void *(*volatile allocate)(size_t) = malloc;
  void *(*volatile allocate_zeroed)(size_t, size_t) = calloc;
  void *(*volatile reallocate)(void *, size_t) = realloc;
  void (*volatile give)(void *) = free;
  allocations = 0;
  void *before = allocate(8);
  counting = true;
  void *one = reallocate(allocate(8), 64), *two = allocate_zeroed(2, 8);
  give(one);
  give(two);
  counting = false;
  give(before);
  assert_int_equal(allocations, 5);
  const graze_placed ball = placed_at(graze_sphere(1), 0, 0, 0);
  graze_compound *made;
  counting = true;
  const graze_status status = graze_compound_create(&ball, 1, NULL, &made, NULL);
  counting = false;
  assert_int_equal(status, GRAZE_OK);
  assert_true(allocations > 5);
  graze_compound_destroy(made);
}

#else

TEST(the_counter_counts) {
  print_message("Skipped: needs glibc, and no sanitizer\n");
  skip();
}

#endif
