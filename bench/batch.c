/* Times batches, the same queries one by one, and a lower limit for boxes.
 *
 *   batch [PAIRS]             default: 4096, which fit into the cache
 *
 * The shapes are boxes, and hulls of 8 and of 32 points on a sphere. Every pair has its own shapes and poses. About
 * half of the pairs are separated; their distances are timed, and the depths of the others, and casts of B at A. The
 * limit is a loop over the 15 axes in doubles, eight pairs at a time in ideal memory order, without any bound of
 * rounding errors (AVX-512 only). Times are nanoseconds of processor time per pair, medians of alternating passes. */
#define _POSIX_C_SOURCE 200112L
#include "probe.h"

#include <graze/batch.h>

enum { PASSES = 25, POINTS = 32 };

typedef enum query_kind { INTERSECT, DISTANCE, CAST } query_kind;

static uint64_t state = 1;
static size_t pairs = 4096;

typedef struct work {
  graze_shape *shape; /* pair i has 2i and 2i + 1 */
  graze_vec (*points)[POINTS];
  graze_pose *pose_a, *pose_b;
  graze_vec *velocity_b;
  graze_placed *a, *b;
  uint32_t *index_a, *index_b, *pose_index_a, *pose_index_b;
  uint8_t *relation;
  double *distance, *lower, *upper; /* casts: times in `lower` and `upper` */
  graze_vec *normal, *point_a, *point_b;
  void *memory;
  graze_batch batch;
} work;

static graze_pose turned(graze_vec at) {
  double q[4];
  for (int i = 0; i < 4; i++) q[i] = probe_uniform(&state);
  return graze_pose3(at, q[0], q[1], q[2], q[3]);
}

static void allocate_work(work *w) {
  w->shape = probe_allocate(2 * pairs, sizeof *w->shape);
  w->points = probe_allocate(2 * pairs, sizeof *w->points);
  w->pose_a = probe_allocate(pairs, sizeof(graze_pose)), w->pose_b = probe_allocate(pairs, sizeof(graze_pose));
  w->velocity_b = probe_allocate(pairs, sizeof(graze_vec));
  w->a = probe_allocate(pairs, sizeof(graze_placed)), w->b = probe_allocate(pairs, sizeof(graze_placed));
  w->index_a = probe_allocate(pairs, sizeof(uint32_t)), w->index_b = probe_allocate(pairs, sizeof(uint32_t));
  w->pose_index_a = probe_allocate(pairs, sizeof(uint32_t)), w->pose_index_b = probe_allocate(pairs, sizeof(uint32_t));
  w->relation = probe_allocate(pairs, 1);
  w->distance = probe_allocate(pairs, sizeof(double));
  w->lower = probe_allocate(pairs, sizeof(double)), w->upper = probe_allocate(pairs, sizeof(double));
  w->normal = probe_allocate(pairs, sizeof(graze_vec));
  w->point_a = probe_allocate(pairs, sizeof(graze_vec)), w->point_b = probe_allocate(pairs, sizeof(graze_vec));
}

/* Makes boxes (0 points) or hulls. The offset from A to B is between `nearest` and `farthest`. */
static void make(work *w, size_t points, double nearest, double farthest) {
  for (size_t i = 0; i < 2 * pairs; i++) {
    for (size_t k = 0; k < points; k++) w->points[i][k] = probe_sphere(&state);
    const double x = 0.5 + 0.4 * probe_uniform(&state), y = 0.5 + 0.4 * probe_uniform(&state);
    w->shape[i] = points ? graze_hull_points(w->points[i], points) : graze_box(x, y, 0.5 + 0.4 * probe_uniform(&state));
  }
  const size_t size = graze_table_size(w->shape, 2 * pairs);
  const graze_table *table;
  free(w->memory);
  w->memory = probe_allocate(size, 1);
  probe_expect(graze_table_make(w->shape, 2 * pairs, w->memory, size, &table, NULL), "table");
  for (size_t i = 0; i < pairs; i++) {
    const double offset = nearest + (farthest - nearest) * (0.5 + 0.5 * probe_uniform(&state));
    const graze_vec d = probe_sphere(&state), at = {10 * probe_uniform(&state), 10 * probe_uniform(&state), 0};
    w->pose_a[i] = turned(at);
    w->velocity_b[i] = (graze_vec){-offset * d.x, -offset * d.y, -offset * d.z + 0.5};
    w->pose_b[i] = turned((graze_vec){at.x + offset * d.x, at.y + offset * d.y, at.z + offset * d.z});
    w->a[i] = graze_place(&w->shape[2 * i], w->pose_a[i]), w->b[i] = graze_place(&w->shape[2 * i + 1], w->pose_b[i]);
    w->index_a[i] = (uint32_t)(2 * i), w->index_b[i] = (uint32_t)(2 * i + 1);
  }
  w->batch = graze_default_batch();
  w->batch.count = pairs;
  w->batch.a = (graze_batch_side){.table = table, .shape_index = w->index_a, .poses = w->pose_a, .pose_count = pairs};
  w->batch.b = (graze_batch_side){.table = table, .shape_index = w->index_b, .poses = w->pose_b, .pose_count = pairs};
  w->batch.b.velocities = w->velocity_b;
}

static graze_status query_one(const work *w, query_kind kind, size_t i) {
  static const graze_vec still = {0, 0, 0};
  const graze_options options = graze_default_options();
  graze_answer answer;
  graze_cast_result cast;
  if (kind == INTERSECT) return graze_intersect(&w->a[i], &w->b[i], &options, &answer);
  if (kind == DISTANCE) return graze_distance(&w->a[i], &w->b[i], &options, &answer);
  return graze_cast(&w->a[i], still, &w->b[i], w->velocity_b[i], 1, &options, &cast);
}

static double run_single(const work *w, query_kind kind, size_t count) {
  const uint32_t *pose_index = w->batch.a.pose_index;
  double start = probe_seconds();
  for (size_t i = 0; i < count; i++) probe_expect(query_one(w, kind, pose_index ? pose_index[i] : i), "query");
  return probe_seconds() - start;
}

static double run_batch(const work *w, query_kind kind, graze_batch_counts *counts) {
  const graze_batch_answers answers = {.relation = w->relation,
                                       .distance = w->distance,
                                       .lower = w->lower,
                                       .upper = w->upper,
                                       .normal = w->normal,
                                       .point_a = w->point_a,
                                       .point_b = w->point_b};
  const graze_batch_answers times = {.t_lower = w->lower, .t_upper = w->upper};
  double start = probe_seconds();
  if (kind == CAST)
    probe_expect(graze_batch_cast(&w->batch, &times, counts, NULL), "batch");
  else
    probe_expect((kind == DISTANCE ? graze_batch_distance : graze_batch_intersect)(&w->batch, &answers, counts, NULL),
                 "batch");
  return probe_seconds() - start;
}

#ifdef __AVX512F__
#include <immintrin.h>

typedef __m512d eight;

/* 20 columns with one number of every pair: quaternion, position and half extents of A, then of B. The stride avoids
 * cache conflicts. */
static double *column;
static size_t column_stride;

static inline eight limit_read(size_t number, size_t i) { return _mm512_loadu_pd(column + number * column_stride + i); }

static inline void limit_rotation(size_t from, size_t i, eight r[9]) {
  const eight one = _mm512_set1_pd(1), w = limit_read(from, i), x = limit_read(from + 1, i),
              y = limit_read(from + 2, i), z = limit_read(from + 3, i), x2 = x + x, y2 = y + y, z2 = z + z;
  r[0] = one - (y * y2 + z * z2), r[1] = x * y2 - w * z2, r[2] = x * z2 + w * y2;
  r[3] = x * y2 + w * z2, r[4] = one - (x * x2 + z * z2), r[5] = y * z2 - w * x2;
  r[6] = x * z2 - w * y2, r[7] = y * z2 + w * x2, r[8] = one - (x * x2 + y * y2);
}

static inline eight limit_pairs(size_t i) {
  eight p[9], q[9], t[3], m[3][3], s[3][3], a[3], b[3], d[3], gap = _mm512_set1_pd(-1e300);
  limit_rotation(0, i, p);
  limit_rotation(10, i, q);
#pragma GCC unroll 3
  for (size_t k = 0; k < 3; k++) {
    d[k] = limit_read(14 + k, i) - limit_read(4 + k, i);
    a[k] = limit_read(7 + k, i), b[k] = limit_read(17 + k, i);
  }
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    t[k] = p[k] * d[0] + p[3 + k] * d[1] + p[6 + k] * d[2];
#pragma GCC unroll 3
    for (int j = 0; j < 3; j++) {
      m[k][j] = p[k] * q[j] + p[3 + k] * q[3 + j] + p[6 + k] * q[6 + j];
      s[k][j] = _mm512_abs_pd(m[k][j]) + _mm512_set1_pd(1e-12);
    }
  }
#pragma GCC unroll 3
  for (int k = 0; k < 3; k++) {
    const eight extent = a[k] + b[0] * s[k][0] + b[1] * s[k][1] + b[2] * s[k][2];
    gap = _mm512_max_pd(gap, _mm512_abs_pd(t[k]) - extent);
    const eight projection = t[0] * m[0][k] + t[1] * m[1][k] + t[2] * m[2][k];
    gap = _mm512_max_pd(gap, _mm512_abs_pd(projection) - (b[k] + a[0] * s[0][k] + a[1] * s[1][k] + a[2] * s[2][k]));
  }
#pragma GCC unroll 9
  for (int k = 0; k < 9; k++) {
    const int x = k / 3, y = (x + 1) % 3, z = (x + 2) % 3, j = k % 3, u = (j + 1) % 3, v = (j + 2) % 3;
    const eight own = a[y] * s[z][j] + a[z] * s[y][j], other = b[u] * s[x][v] + b[v] * s[x][u];
    gap = _mm512_max_pd(gap, _mm512_abs_pd(t[z] * m[y][j] - t[y] * m[z][j]) - (own + other));
  }
  return gap;
}

static void limit_fill(const work *w) {
  column_stride = pairs + 24;
  column = probe_allocate(20 * column_stride, sizeof *column);
  for (size_t i = 0; i < pairs; i++) {
    for (size_t k = 0; k < 2; k++) {
      const graze_pose p = k ? w->pose_b[i] : w->pose_a[i];
      const graze_vec e = w->shape[2 * i + k].extents;
      const double size = 1 / sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
      const double number[10] = {p.w * size,   p.x * size,   p.y * size, p.z * size, p.position.x,
                                 p.position.y, p.position.z, e.x,        e.y,        e.z};
      for (size_t n = 0; n < 10; n++) column[(10 * k + n) * column_stride + i] = number[n];
    }
  }
}

static double limit(const work *w) {
  if (column == NULL) limit_fill(w);
  double start = probe_seconds();
  for (size_t i = 0; i + 8 <= pairs; i += 8)
    w->relation[i / 8] = _mm512_cmp_pd_mask(limit_pairs(i), _mm512_set1_pd(0), _CMP_GT_OQ);
  return probe_seconds() - start;
}
#else
static double limit(const work *w) {
  (void)w;
  return 0;
}
#endif

static void measure(work *w, const char *name, query_kind kind, bool with_limit) {
  const size_t count = w->batch.count;
  const double unit = 1e9 / (double)count;
  double single[PASSES], batched[PASSES], loops[PASSES];
  graze_batch_counts counts;
  for (int i = 0; i < PASSES; i++) {
    single[i] = run_single(w, kind, count);
    for (int k = 0; k < 3; k++) batched[i] = run_batch(w, kind, &counts); /* the first runs fill the cache */
    for (int k = 0; k < 3; k++) loops[i] = with_limit ? limit(w) : 0;
  }
  const double single_time = probe_median(single, PASSES), batch_time = probe_median(batched, PASSES),
               limit_time = probe_median(loops, PASSES);
  printf("%-22s %6zu pairs: single %7.1f ns, batch %6.1f ns, ratio %4.1f; %.2f %% by SIMD", name, count,
         single_time * unit, batch_time * unit, single_time / batch_time, 100 * (double)counts.by_simd / (double)count);
  if (limit_time > 0) printf("; limit %.1f ns, ratio %.2f", limit_time * unit, batch_time / limit_time);
  printf("\n");
}

/* Selects the separated pairs, or the others. */
static void select_pairs(work *w, bool separated) {
  graze_batch_counts counts;
  size_t count = 0;
  w->batch.count = pairs;
  w->batch.a.pose_index = w->batch.b.pose_index = NULL;
  for (uint32_t i = 0; i < pairs; i++) w->index_a[i] = 2 * i, w->index_b[i] = 2 * i + 1;
  (void)run_batch(w, INTERSECT, &counts);
  for (uint32_t i = 0; i < pairs; i++) {
    if ((w->relation[i] == GRAZE_SEPARATED) != separated) continue;
    w->index_a[count] = 2 * i, w->index_b[count] = 2 * i + 1;
    w->pose_index_a[count] = w->pose_index_b[count] = i;
    count++;
  }
  w->batch.count = count;
  w->batch.a.pose_index = w->pose_index_a, w->batch.b.pose_index = w->pose_index_b;
}

static void measure_all(work *w, const char *shapes, bool with_limit) {
  char name[32];
  snprintf(name, sizeof name, "%s, intersect", shapes);
  measure(w, name, INTERSECT, with_limit);
  select_pairs(w, true);
  snprintf(name, sizeof name, "%s, distance", shapes);
  measure(w, name, DISTANCE, false);
  snprintf(name, sizeof name, "%s, cast", shapes);
  measure(w, name, CAST, false);
  select_pairs(w, false);
  snprintf(name, sizeof name, "%s, depth", shapes);
  measure(w, name, DISTANCE, false);
}

int main(int argc, char **argv) {
  static work w;
  if (argc > 1) pairs = (size_t)strtoul(argv[1], NULL, 10);
  if (pairs < 16) return 2;
  allocate_work(&w);
  make(&w, 0, 0.6, 2);
  measure_all(&w, "boxes", true);
  make(&w, 8, 0.95, 2.05);
  measure_all(&w, "hulls of 8", false);
  make(&w, 32, 1.2, 2.3);
  measure_all(&w, "hulls of 32", false);
  return 0;
}
