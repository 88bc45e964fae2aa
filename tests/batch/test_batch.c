/* Batches against the same questions asked one by one, on every family of pairs there is, by every set of registers
 * that the machine has: relations are equal, intervals are true (the oracle's exact distance is in them) and as narrow
 * as promised, and all registers, and threads, give the same bits. The seed of a family is that of its name.
 *
 * GRAZE_TIER: test, ci, soak: 256, 512, 16384 pairs of each family. */
#define _POSIX_C_SOURCE 200112L /* setenv */

#include "support/test.h"
#include "batch/kernels.h"
#include "support/families_run.h"
#include "support/nasty.h"

#include <graze/batch.h>

static const char *const registers[] = {"portable", "sse2", "avx2", "avx512", "neon"};
enum { REGISTERS = sizeof registers / sizeof *registers };

/* All there is to know of the pairs of a batch. */
typedef struct book {
  int count, room;
  shape_pair *pairs;
  graze_shape *shapes; /* of pair i: 2i and 2i + 1 */
  graze_pose *poses;
  uint32_t *index[2];
  void *table_room;
  const graze_table *table;
  graze_batch batch;
} book;

/* What came of it. */
typedef struct results {
  uint8_t *relation;
  double *distance, *lower, *upper;
  graze_vec *normal, *point_a, *point_b;
} results;

static void *room_for(size_t count, size_t size) {
  void *room = calloc(count ? count : 1, size);
  assert_non_null(room);
  return room;
}

static void book_open(book *b, int room) {
  const size_t n = (size_t)room;
  memset(b, 0, sizeof *b);
  b->room = room;
  b->pairs = room_for(n, sizeof *b->pairs);
  b->shapes = room_for(2 * n, sizeof *b->shapes);
  b->poses = room_for(2 * n, sizeof *b->poses);
  for (int k = 0; k < 2; k++) b->index[k] = room_for(n, sizeof *b->index[k]);
}

/* Its pairs are all there. */
static void book_finish(book *b) {
  const size_t n = (size_t)b->count;
  for (uint32_t i = 0; i < n; i++) {
    b->shapes[2 * i] = b->pairs[i].a, b->shapes[2 * i + 1] = b->pairs[i].b;
    b->poses[2 * i] = b->pairs[i].pose_a, b->poses[2 * i + 1] = b->pairs[i].pose_b;
    b->index[0][i] = 2 * i, b->index[1][i] = 2 * i + 1;
  }
  const size_t size = graze_table_size(b->shapes, 2 * n);
  graze_error error;
  b->table_room = room_for(size, 1);
  assert_int_equal(graze_table_make(b->shapes, 2 * n, b->table_room, size, &b->table, &error), GRAZE_OK);
  b->batch = graze_default_batch();
  b->batch.count = n;
  b->batch.a = (graze_batch_side){.table = b->table, .poses = b->poses, .pose_count = 2 * n};
  b->batch.b = b->batch.a;
  b->batch.a.shape_index = b->batch.a.pose_index = b->index[0];
  b->batch.b.shape_index = b->batch.b.pose_index = b->index[1];
}

static void book_close(book *b) {
  free(b->pairs), free(b->shapes), free(b->poses), free(b->index[0]), free(b->index[1]), free(b->table_room);
}

static void results_open(results *r, size_t n) {
  *r = (results){room_for(n, 1),
                 room_for(n, sizeof(double)),
                 room_for(n, sizeof(double)),
                 room_for(n, sizeof(double)),
                 room_for(n, sizeof(graze_vec)),
                 room_for(n, sizeof(graze_vec)),
                 room_for(n, sizeof(graze_vec))};
}

static void results_close(results *r) {
  free(r->relation), free(r->distance), free(r->lower), free(r->upper);
  free(r->normal), free(r->point_a), free(r->point_b);
}

static graze_batch_answers results_all(const results *r) {
  return (graze_batch_answers){.relation = r->relation,
                               .distance = r->distance,
                               .lower = r->lower,
                               .upper = r->upper,
                               .normal = r->normal,
                               .point_a = r->point_a,
                               .point_b = r->point_b};
}

static void assert_same_results(const results *p, const results *q, size_t n) {
  assert_memory_equal(p->relation, q->relation, n);
  assert_memory_equal(p->distance, q->distance, n * sizeof(double));
  assert_memory_equal(p->lower, q->lower, n * sizeof(double));
  assert_memory_equal(p->upper, q->upper, n * sizeof(double));
  assert_memory_equal(p->normal, q->normal, n * sizeof(graze_vec));
  assert_memory_equal(p->point_a, q->point_a, n * sizeof(graze_vec));
  assert_memory_equal(p->point_b, q->point_b, n * sizeof(graze_vec));
}

/* ---- Against one by one, and the truth */

static double largest(graze_vec v) { return fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z)); }

static double reach_of(const graze_placed *a, const graze_placed *b) {
  return fmax(a->reach + a->radius, b->reach + b->radius);
}

/* Numbers of pair i, that was decided so. */
static void check_numbers(const book *b, const results *r, size_t i, const graze_answer *one) {
  const graze_placed p = graze_place(&b->pairs[i].a, b->pairs[i].pose_a);
  const graze_placed q = graze_place(&b->pairs[i].b, b->pairs[i].pose_b);
  const double scale = fmax(fabs(r->distance[i]), reach_of(&p, &q)), width = r->upper[i] - r->lower[i];
  const graze_vec n = r->normal[i], x = r->point_a[i], y = r->point_b[i];
  const double far = largest(b->pairs[i].pose_a.position) + largest(b->pairs[i].pose_b.position);
  const double d = r->distance[i], slack = 1e-9 * (scale + far) + 0x1p-1060;
  if (one->stopped != GRAZE_STOP_NONE) return;
  assert_true(r->lower[i] <= d && d <= r->upper[i]);
  assert_true(r->lower[i] <= one->upper && one->lower <= r->upper[i]);
  assert_true(width <= 1e-12 * scale || width <= 0x1p-1070 || width <= one->upper - one->lower);
  if (r->relation[i] == GRAZE_TOUCHING) return;
  assert_true(fabs(sqrt(n.x * n.x + n.y * n.y + n.z * n.z) - 1) < 1e-12);
  assert_true(fabs(y.x - x.x - d * n.x) <= slack && fabs(y.y - x.y - d * n.y) <= slack &&
              fabs(y.z - x.z - d * n.z) <= slack);
}

static void check_truth(const book *b, const results *r, size_t i, oracle *o) {
  const shape_pair *p = &b->pairs[i];
  assert_true(oracle_solve(o, &p->a, &p->pose_a, &p->b, &p->pose_b, 0));
  assert_int_equal(oracle_relation(o), r->relation[i]);
  if (isfinite(r->lower[i])) assert_true(oracle_surely(o, r->lower[i]) >= 0);
  assert_true(oracle_surely(o, r->upper[i]) <= 0);
}

/* How many of each relation there were, and how many the lanes decided. */
typedef struct tally {
  long relation[5], lanes, all, measured;
} tally;

static void check_answers(const book *b, const results *r, oracle *o, tally *t) {
  for (size_t i = 0; i < (size_t)b->count; i++) {
    const shape_pair *pair = &b->pairs[i];
    const graze_placed p = graze_place(&pair->a, pair->pose_a), q = graze_place(&pair->b, pair->pose_b);
    graze_answer one;
    assert_int_equal(graze_distance(&p, &q, NULL, &one), GRAZE_OK);
    assert_int_equal(r->relation[i], one.relation);
    check_numbers(b, r, i, &one);
    if (i % 16 == 0) check_truth(b, r, i, o);
    t->relation[one.relation]++;
  }
}

/* Every set of registers that there is. */
static void check_book(const book *b, oracle *o, tally *t) {
  const size_t n = (size_t)b->count;
  results first, other;
  graze_batch_counts counts, meet;
  results_open(&first, n), results_open(&other, n);
  const graze_batch_answers to_first = results_all(&first), to_other = results_all(&other);
  const graze_batch_answers only = {.relation = other.relation};
  int sets = 0;
  for (int k = 0; k < REGISTERS; k++) {
    if (grz_batch_named(registers[k]) == NULL) continue;
    assert_int_equal(setenv("GRAZE_LANES", registers[k], 1), 0);
    assert_int_equal(graze_batch_distance(&b->batch, sets == 0 ? &to_first : &to_other, &counts, NULL), GRAZE_OK);
    if (sets++ > 0) assert_same_results(&first, &other, n);
    memset(other.relation, 77, n);
    assert_int_equal(graze_batch_intersect(&b->batch, &only, &meet, NULL), GRAZE_OK);
    assert_memory_equal(first.relation, other.relation, n);
  }
  assert_int_equal(unsetenv("GRAZE_LANES"), 0);
  assert_true(sets >= 1);
  check_answers(b, &first, o, t);
  assert_int_equal(counts.by_lanes + counts.one_by_one, n);
  assert_int_equal(meet.by_lanes + meet.one_by_one, n);
  t->lanes += (long)meet.by_lanes, t->measured += (long)counts.by_lanes, t->all += (long)n;
  results_close(&first), results_close(&other);
}

static uint64_t seed_of(const char *name) {
  uint64_t seed = 1;
  for (; *name; name++) seed = seed * 131 + (unsigned char)*name;
  return seed;
}

/* A family in 2D and in 3D by themselves: a table has one dimension. */
static void check_family(const family *f, oracle *o, tally *t) {
  const int wanted = tiered(256, 512, 16384);
  for (int dim = 2; dim <= 3; dim++) {
    rng random = {seed_of(f->name)};
    book b;
    book_open(&b, wanted);
    for (int tries = 0; tries < 4 * wanted && b.count < wanted; tries++) {
      shape_pair *pair = &b.pairs[b.count];
      f->make(&random, pair);
      b.count += pair->a.dim == dim && pair->b.dim == dim;
    }
    if (b.count > 0) {
      book_finish(&b);
      check_book(&b, o, t);
    }
    book_close(&b);
  }
}

static void expect_share(const char *what, long part, long whole, double least) {
  print_message("%s: %ld of %ld, %.2f %%\n", what, part, whole, 100 * (double)part / (double)whole);
  assert_true((double)part >= least * (double)whole);
}

TEST(random_families) {
  oracle *o = oracle_new();
  tally t = {{0}, 0, 0, 0};
  for (int i = 0; i < families_random_count; i++) check_family(&families_random[i], o, &t);
  print_message("%ld pairs: %ld apart, %ld touch, %ld overlap\n", t.all, t.relation[1], t.relation[2], t.relation[3]);
  assert_true(t.relation[GRAZE_SEPARATED] * 5 > t.all && t.relation[GRAZE_OVERLAPPING] * 5 > t.all);
  expect_share("met in lanes", t.lanes, t.all, 0.80);
  expect_share("measured in lanes", t.measured, t.all, 0.45); /* those that are apart, or rounded with cores apart */
  oracle_free(o);
}

TEST(degenerate_families) {
  oracle *o = oracle_new();
  tally t = {{0}, 0, 0, 0};
  for (int i = 0; i < families_degenerate_count; i++) check_family(&families_degenerate[i], o, &t);
  for (int i = 0; i < families_depth_count; i++) check_family(&families_depth[i], o, &t);
  print_message("%ld pairs: %ld apart, %ld touch, %ld overlap\n", t.all, t.relation[1], t.relation[2], t.relation[3]);
  assert_true(t.relation[GRAZE_TOUCHING] * 20 > t.all && t.relation[GRAZE_SEPARATED] * 20 > t.all);
  assert_true(t.relation[GRAZE_OVERLAPPING] * 20 > t.all);
  assert_true(t.lanes * 10 > t.all); /* of the others; they know nothing of a touch */
  oracle_free(o);
}

TEST(nasty_pairs) {
  oracle *o = oracle_new();
  tally t = {{0}, 0, 0, 0};
  for (int kind = 0; kind < NASTY_KINDS; kind++) {
    rng random = {seed_of(nasty_name[kind])};
    book b;
    book_open(&b, tiered(64, 128, 2048));
    for (; b.count < b.room; b.count++) nasty_make(&random, kind, b.count, o, &b.pairs[b.count]);
    book_finish(&b);
    check_book(&b, o, &t);
    book_close(&b);
  }
  assert_true(t.relation[GRAZE_SEPARATED] * 4 > t.all && t.relation[GRAZE_OVERLAPPING] * 4 > t.all);
  oracle_free(o);
}

/* ---- At the edge of what lanes can tell */

/* Two boxes, or hulls, in any rotation, which touch but for a gap of `gap` times their size. Seed 5. */
static void make_close(rng *random, bool hulls, double gap, shape_pair *pair) {
  pair->a = hulls ? random_hull(random, 3, 12, pair->vertices_a) : random_box(random, 3);
  pair->b = hulls ? random_hull(random, 3, 20, pair->vertices_b) : random_box(random, 3);
  place_near(random, pair, 1, 3);
  graze_placed a = graze_place(&pair->a, pair->pose_a), b = graze_place(&pair->b, pair->pose_b);
  graze_answer answer;
  for (int i = 0; i < 6; i++) { /* towards each other, along the normal */
    assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
    const double by = gap * (a.reach + b.reach) - answer.distance;
    const graze_vec p = b.pose.position, n = answer.normal;
    if (answer.relation == GRAZE_TOUCHING) break;
    (void)graze_set_pose(&b, graze_pose3((graze_vec){p.x + by * n.x, p.y + by * n.y, p.z + by * n.z}, b.pose.w,
                                         b.pose.x, b.pose.y, b.pose.z));
  }
  pair->pose_b = b.pose;
}

/* The share that lanes decide of boxes so near to a touch, none of it wrong. */
static double share_at(bool hulls, double gap) {
  rng random = {5};
  book b;
  oracle *o = oracle_new();
  book_open(&b, tiered(512, 1024, 65536));
  for (; b.count < b.room; b.count++) make_close(&random, hulls, b.count % 2 ? gap : -gap, &b.pairs[b.count]);
  book_finish(&b);
  tally t = {{0}, 0, 0, 0};
  check_book(&b, o, &t);
  assert_true(t.relation[GRAZE_SEPARATED] * 3 > t.all && t.relation[GRAZE_OVERLAPPING] * 3 > t.all);
  book_close(&b);
  oracle_free(o);
  return (double)t.lanes / (double)t.all;
}

enum { GAPS = 6 };

static void shares_at(bool hulls, const double gap[GAPS], double share[GAPS]) {
  for (int i = 0; i < GAPS; i++) {
    share[i] = share_at(hulls, gap[i]);
    print_message("%s, gap %.1e: %.1f %% in lanes\n", hulls ? "hulls" : "boxes", gap[i], 100 * share[i]);
  }
}

/* What floats cannot know they do not say, and what they can they do. */
TEST(boxes_close_to_a_touch) {
  static const double gap[GAPS] = {0x1p-30, 0x1p-24, 0x1p-18, 0x1p-14, 0x1p-12, 0x1p-10};
  double share[GAPS];
  shares_at(false, gap, share);
  assert_true(share[0] == 0 && share[1] < 0.1 && share[GAPS - 1] > 0.95);
}

/* And doubles; flat simplices keep some of the overlaps from them. */
TEST(hulls_close_to_a_touch) {
  static const double gap[GAPS] = {0x1p-51, 0x1p-50, 0x1p-48, 0x1p-44, 0x1p-40, 0x1p-36};
  double share[GAPS];
  shares_at(true, gap, share);
  assert_true(share[0] < 0.1 && share[1] < 0.1 && share[GAPS - 1] > 0.7);
}
