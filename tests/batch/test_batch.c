/* Batches of every family of pairs, with every instruction set: the same bits, the relations of single queries, and
 * intervals that contain the exact distance of the oracle. */
#include "batch/results.h"
#include "support/families_run.h"
#include "support/geometry.h"
#include "support/nasty.h"
#include "support/query.h"

typedef struct pair_list {
  int count, capacity;
  shape_pair *pairs;
  void *memory[2];
  graze_batch batch;
} pair_list;

static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  assert_non_null(memory);
  return memory;
}

static pair_list list_new(int capacity) {
  return (pair_list){.capacity = capacity, .pairs = allocate((size_t)capacity, sizeof(shape_pair))};
}

static void list_free(pair_list *l) { free(l->pairs), free(l->memory[0]), free(l->memory[1]); }

static void list_make_batch(pair_list *l) {
  const size_t n = (size_t)l->count;
  graze_shape *shapes = allocate(n, sizeof *shapes);
  l->batch = graze_default_batch();
  l->batch.count = n;
  for (int k = 0; k < 2; k++) {
    graze_batch_side *side = k ? &l->batch.b : &l->batch.a;
    for (size_t i = 0; i < n; i++) shapes[i] = k ? l->pairs[i].b : l->pairs[i].a;
    const size_t size = graze_table_size(shapes, n);
    l->memory[k] = allocate(size, 1);
    side->poses = k ? &l->pairs[0].pose_b : &l->pairs[0].pose_a;
    side->pose_count = n, side->pose_stride = sizeof(shape_pair);
    assert_int_equal(graze_table_make(shapes, n, l->memory[k], size, &side->table, NULL), GRAZE_OK);
  }
  free(shapes);
}

/* ---- One pair */

static double largest(graze_vec v) { return fmax(fmax(fabs(v.x), fabs(v.y)), fabs(v.z)); }

static void check_numbers(const graze_placed *p, const graze_placed *q, const result *r, const graze_answer *one) {
  const double size = fmax(fabs(r->distance), fmax(p->hidden.bounding_radius + p->hidden.radius,
                                                   q->hidden.bounding_radius + q->hidden.radius));
  const double slack = 1e-9 * (size + largest(p->pose.position) + largest(q->pose.position)) + 0x1p-1060;
  const double width = r->upper - r->lower;
  if (one->stopped != GRAZE_STOP_NONE) return;
  assert_true(r->lower <= r->distance && r->distance <= r->upper);
  assert_true(r->lower <= one->upper && one->lower <= r->upper);
  assert_true(width <= 1e-12 * size || width <= 0x1p-1070 || width <= one->upper - one->lower);
  if (r->relation == GRAZE_TOUCHING) return;
  assert_true(fabs(norm(r->normal) - 1) < 1e-12);
  assert_true(largest(sub(add_scaled(r->point_a, r->distance, r->normal), r->point_b)) <= slack);
}

static void check_truth(const shape_pair *p, const result *r, oracle *o) {
  assert_true(oracle_solve(o, &p->a, &p->pose_a, &p->b, &p->pose_b, 0));
  assert_int_equal(oracle_relation(o), r->relation);
  if (isfinite(r->lower)) assert_true(oracle_surely(o, r->lower) >= 0);
  assert_true(oracle_surely(o, r->upper) <= 0);
}

/* ---- A batch */

typedef struct tally {
  long relation[5], all, by_simd, measured; /* by SIMD in graze_batch_intersect() and graze_batch_distance() */
} tally;

static void check_list(pair_list *l, tally *t) {
  oracle *o = oracle_new();
  list_make_batch(l);
  const size_t n = (size_t)l->count;
  result *first = allocate(n, sizeof *first);
  graze_batch_counts measured, counts;
  query_by_all(&l->batch, first, &measured, &counts);
  for (size_t i = 0; i < n; i++) {
    const shape_pair *pair = &l->pairs[i];
    const graze_placed p = place(&pair->a, pair->pose_a), q = place(&pair->b, pair->pose_b);
    graze_answer one;
    assert_int_equal(graze_distance(&p, &q, NULL, &one), GRAZE_OK);
    assert_int_equal(first[i].relation, one.relation);
    check_numbers(&p, &q, &first[i], &one);
    if (i % 16 == 0) check_truth(pair, &first[i], o);
    t->relation[one.relation]++;
  }
  t->by_simd += (long)counts.by_simd, t->measured += (long)measured.by_simd, t->all += (long)n;
  free(first);
  oracle_free(o);
}

/* Checks the 2D pairs and the 3D pairs of a family separately, since a table has one dimension. */
static void check_families(const family *families, int families_count, tally *t) {
  const int wanted = tiered(128, 256, 16384);
  for (int i = 0; i < 2 * families_count; i++) {
    const family *f = &families[i / 2];
    const int dim = 2 + i % 2;
    rng random = family_seed(f->name);
    pair_list l = list_new(wanted);
    for (int tries = 0; tries < 4 * wanted && l.count < wanted; tries++) {
      shape_pair *pair = &l.pairs[l.count];
      f->make(&random, pair);
      l.count += pair->a.dim == dim && pair->b.dim == dim;
    }
    if (l.count > 0) check_list(&l, t);
    list_free(&l);
  }
}

/* At least one pair in `part` is separated, and one in `part` overlaps. */
static void expect_both(const tally *t, int part) {
  assert_true(t->relation[GRAZE_SEPARATED] * part > t->all && t->relation[GRAZE_OVERLAPPING] * part > t->all);
}

TEST(random_families) {
  tally t = {.all = 0};
  check_families(families_random, families_random_count, &t);
  expect_both(&t, 5);
  assert_true(t.by_simd * 100 > t.all * 80 && t.measured * 100 > t.all * 45);
}

TEST(degenerate_families) {
  tally t = {.all = 0};
  check_families(families_degenerate, families_degenerate_count, &t);
  check_families(families_depth, families_depth_count, &t);
  expect_both(&t, 20);
  assert_true(t.relation[GRAZE_TOUCHING] * 20 > t.all && t.by_simd * 10 > t.all); /* SIMD never decides a touch */
}

TEST(nasty_pairs) {
  oracle *o = oracle_new();
  tally t = {.all = 0};
  for (int kind = 0; kind < NASTY_KINDS; kind++) {
    rng random = family_seed(nasty_name[kind]);
    pair_list l = list_new(tiered(32, 64, 2048));
    for (; l.count < l.capacity; l.count++) nasty_make(&random, kind, l.count, o, &l.pairs[l.count]);
    check_list(&l, &t);
    list_free(&l);
  }
  expect_both(&t, 4);
  oracle_free(o);
}

/* ---- Near a touch */

/* Makes two rotated boxes or hulls with a gap of `gap` times their size. */
static void make_close(rng *random, bool hulls, double gap, shape_pair *pair) {
  pair->a = hulls ? random_hull(random, 3, 12, pair->vertices_a) : random_box(random, 3);
  pair->b = hulls ? random_hull(random, 3, 20, pair->vertices_b) : random_box(random, 3);
  place_near(random, pair, 1, 3);
  const graze_placed a = place(&pair->a, pair->pose_a);
  for (int i = 0; i < 6; i++) { /* move along the normal, as far as rounding permits */
    const graze_placed b = place(&pair->b, pair->pose_b);
    graze_answer answer;
    assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
    if (answer.relation == GRAZE_TOUCHING) break;
    const double by = gap * (a.hidden.bounding_radius + b.hidden.bounding_radius) - answer.distance;
    pair->pose_b.position = add_scaled(pair->pose_b.position, by, answer.normal);
  }
}

/* Returns the share of pairs that SIMD decides. Seed 5. */
static double share_at(bool hulls, double gap) {
  rng random = {5};
  pair_list l = list_new(tiered(256, 512, 65536));
  tally t = {.all = 0};
  for (; l.count < l.capacity; l.count++) make_close(&random, hulls, l.count % 2 ? gap : -gap, &l.pairs[l.count]);
  check_list(&l, &t);
  expect_both(&t, 3);
  list_free(&l);
  return (double)t.by_simd / (double)t.all;
}

/* SIMD decides boxes beyond the rounding error of floats, hulls beyond that of doubles. Flat simplices leave some
 * overlaps undecided. */
TEST(close_to_a_touch) {
  static const struct {
    bool hulls;
    double gap, least, most;
  } row[] = {{false, 0x1p-30, 0, 0}, {false, 0x1p-24, 0, 0.1},  {false, 0x1p-18, 0, 1},  {false, 0x1p-14, 0, 1},
             {false, 0x1p-12, 0, 1}, {false, 0x1p-10, 0.95, 1}, {true, 0x1p-51, 0, 0.1}, {true, 0x1p-50, 0, 0.1},
             {true, 0x1p-48, 0, 1},  {true, 0x1p-44, 0, 1},     {true, 0x1p-40, 0, 1},   {true, 0x1p-36, 0.7, 1}};
  for (size_t i = 0; i < COUNT(row); i++) {
    const double share = share_at(row[i].hulls, row[i].gap);
    if (share < row[i].least || share > row[i].most) fail_msg("gap %g: %g by SIMD", row[i].gap, share);
  }
}

/* Rotations that differ by 1e-140 to 1e-165 make axes of edges whose squared lengths are subnormal or zero. The first
 * two pairs had wrong intervals, [2.32000002, 2.32] and [inf, NaN]. Seed 8. */
TEST(distances_of_nearly_parallel_boxes) {
  static const struct {
    double half[2][3], position[3], tiny, ratio;
  } wrong[2] = {{{{1, 0.1, 0.1}, {1.1, 0.4, 0.7}}, {2.7, 3.5, -0.8}, 1e-158, 0.5},
                {{{0.2, 1.1, 0.7}, {0.1, 1.4, 0.4}}, {2.7, 3.5, -3}, 1e-162, 0.5}};
  rng random = {8};
  pair_list l = list_new(tiered(4096, 8192, 524288));
  tally t = {.all = 0};
  for (; l.count < l.capacity; l.count++) {
    shape_pair *pair = &l.pairs[l.count];
    const bool known = l.count < 2;
    const double tiny = known ? wrong[l.count].tiny : pow(10, -rng_uniform(&random, 140, 165));
    const double ratio = known ? wrong[l.count].ratio : rng_uniform(&random, -2, 2);
    graze_vec at = {rng_uniform(&random, -3, 3), rng_uniform(&random, -3, 3), rng_uniform(&random, -3, 3)};
    pair->a = random_box(&random, 3), pair->b = random_box(&random, 3);
    if (known) {
      const double(*h)[3] = wrong[l.count].half, *p = wrong[l.count].position;
      pair->a = graze_box(h[0][0], h[0][1], h[0][2]), pair->b = graze_box(h[1][0], h[1][1], h[1][2]);
      at = (graze_vec){p[0], p[1], p[2]};
    }
    pair->pose_a = graze_pose3((graze_vec){0, 0, 0}, 2, tiny, tiny, 1);
    pair->pose_b = graze_pose3(at, 2, ratio * tiny, tiny, 1);
  }
  check_list(&l, &t);
  expect_both(&t, 50);
  assert_true(t.measured * 4 > t.all);
  list_free(&l);
}

/* Nearly all distances of boxes that are not close to a touch are computed by SIMD, with and without a clearance. At
 * least a tenth of the pairs has its nearest points on an edge of each box, and a tenth on a face and a vertex. Seed 6.
 */
TEST(distances_of_boxes) {
  rng random = {6};
  pair_list l = list_new(tiered(2048, 4096, 262144));
  tally t = {.all = 0};
  long on_edges = 0, on_faces = 0;
  while (l.count < l.capacity) {
    shape_pair *pair = &l.pairs[l.count];
    graze_certificate certificate;
    graze_options options = graze_default_options();
    graze_answer answer;
    make_close(&random, false, rng_uniform(&random, 0.001, 1), pair);
    const graze_placed a = place(&pair->a, pair->pose_a), b = place(&pair->b, pair->pose_b);
    options.certificate = &certificate;
    assert_int_equal(graze_distance(&a, &b, &options, &answer), GRAZE_OK);
    if (answer.relation != GRAZE_SEPARATED) continue;
    assert_int_equal(answer.algorithm, GRAZE_ALGORITHM_CLOSED_FORM);
    l.count++;
    if (certificate.pair_count != 3) continue;
    const graze_pair *p = certificate.pairs;
    const bool one_of_a = p[0].a == p[1].a && p[1].a == p[2].a, one_of_b = p[0].b == p[1].b && p[1].b == p[2].b;
    ++*(one_of_a || one_of_b ? &on_faces : &on_edges);
  }
  check_list(&l, &t);
  assert_true(t.measured * 1000 > t.all * 999);
  assert_true(on_edges * 10 > t.all && on_faces * 10 > t.all);
  list_free(&l);
}
