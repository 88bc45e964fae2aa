/* Times batches beside the same questions one by one, and beside the least that boxes could take.
 *
 *   batch [PAIRS]             4096, unless said otherwise: as many as a cache holds
 *
 * Boxes, and hulls of 8 and of 32 points on a sphere, about half of them apart, every pair with shapes and poses of its
 * own; distances of those that are apart, depths of those that overlap, and casts of B at A. The least: 15 axes in
 * doubles, rotations included, eight pairs side by side that lie in memory as the loop wants them, with no bound of any
 * error (AVX-512 only). Nanoseconds of processor time for a pair, medians of passes that take turns. */
#define _POSIX_C_SOURCE 200112L
#include "probe.h"

#include <graze/batch.h>

enum { PASSES = 25, POINTS = 32 };

typedef enum question { INTERSECT, DISTANCE, CAST } question;

static uint64_t state = 1;
static size_t pairs = 4096;

typedef struct work {
  graze_shape *shape; /* of pair i: 2i and 2i + 1 */
  graze_vec (*points)[POINTS];
  graze_pose *pose_a, *pose_b;
  graze_vec *velocity_b;
  graze_placed *a, *b;
  uint32_t *index_a, *index_b, *who_a, *who_b;
  uint8_t *relation;
  double *distance, *lower, *upper; /* of casts, the last two are of the time */
  graze_vec *normal, *point_a, *point_b;
  void *room;
  graze_batch batch;
} work;

static graze_pose turned(graze_vec at) {
  double q[4];
  for (int i = 0; i < 4; i++) q[i] = probe_uniform(&state);
  return graze_pose3(at, q[0], q[1], q[2], q[3]);
}

static void make_room(work *w) {
  w->shape = probe_allocate(2 * pairs, sizeof *w->shape);
  w->points = probe_allocate(2 * pairs, sizeof *w->points);
  w->pose_a = probe_allocate(pairs, sizeof(graze_pose)), w->pose_b = probe_allocate(pairs, sizeof(graze_pose));
  w->velocity_b = probe_allocate(pairs, sizeof(graze_vec));
  w->a = probe_allocate(pairs, sizeof(graze_placed)), w->b = probe_allocate(pairs, sizeof(graze_placed));
  w->index_a = probe_allocate(pairs, sizeof(uint32_t)), w->index_b = probe_allocate(pairs, sizeof(uint32_t));
  w->who_a = probe_allocate(pairs, sizeof(uint32_t)), w->who_b = probe_allocate(pairs, sizeof(uint32_t));
  w->relation = probe_allocate(pairs, 1);
  w->distance = probe_allocate(pairs, sizeof(double));
  w->lower = probe_allocate(pairs, sizeof(double)), w->upper = probe_allocate(pairs, sizeof(double));
  w->normal = probe_allocate(pairs, sizeof(graze_vec));
  w->point_a = probe_allocate(pairs, sizeof(graze_vec)), w->point_b = probe_allocate(pairs, sizeof(graze_vec));
}

/* Boxes: 0 points. `near` and `far`: between which B's distance from A lies. */
static void make(work *w, size_t points, double near, double far) {
  for (size_t i = 0; i < 2 * pairs; i++) {
    for (size_t k = 0; k < points; k++) w->points[i][k] = probe_sphere(&state);
    const double x = 0.5 + 0.4 * probe_uniform(&state), y = 0.5 + 0.4 * probe_uniform(&state);
    w->shape[i] = points ? graze_hull_points(w->points[i], points) : graze_box(x, y, 0.5 + 0.4 * probe_uniform(&state));
  }
  const size_t size = graze_table_size(w->shape, 2 * pairs);
  const graze_table *table;
  free(w->room);
  w->room = probe_allocate(size, 1);
  probe_expect(graze_table_make(w->shape, 2 * pairs, w->room, size, &table, NULL), "table");
  for (size_t i = 0; i < pairs; i++) {
    const double away = near + (far - near) * (0.5 + 0.5 * probe_uniform(&state));
    const graze_vec d = probe_sphere(&state), at = {10 * probe_uniform(&state), 10 * probe_uniform(&state), 0};
    w->pose_a[i] = turned(at);
    w->velocity_b[i] = (graze_vec){-away * d.x, -away * d.y, -away * d.z + 0.5};
    w->pose_b[i] = turned((graze_vec){at.x + away * d.x, at.y + away * d.y, at.z + away * d.z});
    w->a[i] = graze_place(&w->shape[2 * i], w->pose_a[i]), w->b[i] = graze_place(&w->shape[2 * i + 1], w->pose_b[i]);
    w->index_a[i] = (uint32_t)(2 * i), w->index_b[i] = (uint32_t)(2 * i + 1);
  }
  w->batch = graze_default_batch();
  w->batch.count = pairs;
  w->batch.a = (graze_batch_side){.table = table, .shape_index = w->index_a, .poses = w->pose_a, .pose_count = pairs};
  w->batch.b = (graze_batch_side){.table = table, .shape_index = w->index_b, .poses = w->pose_b, .pose_count = pairs};
  w->batch.b.velocities = w->velocity_b;
}

static graze_status ask_one(const work *w, question asked, size_t i) {
  static const graze_vec still = {0, 0, 0};
  const graze_options options = graze_default_options();
  graze_answer answer;
  graze_cast_result impact;
  if (asked == INTERSECT) return graze_intersect(&w->a[i], &w->b[i], &options, &answer);
  if (asked == DISTANCE) return graze_distance(&w->a[i], &w->b[i], &options, &answer);
  return graze_cast(&w->a[i], still, &w->b[i], w->velocity_b[i], 1, &options, &impact);
}

static double ask(const work *w, question asked, size_t count) {
  const uint32_t *who = w->batch.a.pose_index;
  double start = probe_seconds();
  for (size_t i = 0; i < count; i++) probe_expect(ask_one(w, asked, who ? who[i] : i), "question");
  return probe_seconds() - start;
}

static double ask_all(const work *w, question asked, graze_batch_counts *counts) {
  const graze_batch_answers told = {.relation = w->relation,
                                    .distance = w->distance,
                                    .lower = w->lower,
                                    .upper = w->upper,
                                    .normal = w->normal,
                                    .point_a = w->point_a,
                                    .point_b = w->point_b};
  const graze_batch_answers times = {.t_lower = w->lower, .t_upper = w->upper};
  double start = probe_seconds();
  if (asked == CAST)
    probe_expect(graze_batch_cast(&w->batch, &times, counts, NULL), "batch");
  else
    probe_expect((asked == DISTANCE ? graze_batch_distance : graze_batch_intersect)(&w->batch, &told, counts, NULL),
                 "batch");
  return probe_seconds() - start;
}

#ifdef __AVX512F__
#include <immintrin.h>

typedef __m512d eight;

/* 20 numbers of each pair, one after the other: quaternion, position, extents of A, then of B; out of step, so that
 * they do not push each other out of the cache. */
static double *lane;
static size_t lane_stride;

static inline eight limit_read(size_t number, size_t i) { return _mm512_loadu_pd(lane + number * lane_stride + i); }

static inline void limit_turn(size_t from, size_t i, eight r[9]) {
  const eight one = _mm512_set1_pd(1), w = limit_read(from, i), x = limit_read(from + 1, i),
              y = limit_read(from + 2, i), z = limit_read(from + 3, i), x2 = x + x, y2 = y + y, z2 = z + z;
  r[0] = one - (y * y2 + z * z2), r[1] = x * y2 - w * z2, r[2] = x * z2 + w * y2;
  r[3] = x * y2 + w * z2, r[4] = one - (x * x2 + z * z2), r[5] = y * z2 - w * x2;
  r[6] = x * z2 - w * y2, r[7] = y * z2 + w * x2, r[8] = one - (x * x2 + y * y2);
}

static inline eight limit_pairs(size_t i) {
  eight p[9], q[9], t[3], m[3][3], s[3][3], a[3], b[3], d[3], gap = _mm512_set1_pd(-1e300);
  limit_turn(0, i, p);
  limit_turn(10, i, q);
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
    const eight far = a[k] + b[0] * s[k][0] + b[1] * s[k][1] + b[2] * s[k][2];
    gap = _mm512_max_pd(gap, _mm512_abs_pd(t[k]) - far);
    const eight along = t[0] * m[0][k] + t[1] * m[1][k] + t[2] * m[2][k];
    gap = _mm512_max_pd(gap, _mm512_abs_pd(along) - (b[k] + a[0] * s[0][k] + a[1] * s[1][k] + a[2] * s[2][k]));
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
  lane_stride = pairs + 24;
  lane = probe_allocate(20 * lane_stride, sizeof *lane);
  for (size_t i = 0; i < pairs; i++) {
    for (size_t k = 0; k < 2; k++) {
      const graze_pose p = k ? w->pose_b[i] : w->pose_a[i];
      const graze_vec e = w->shape[2 * i + k].extents;
      const double size = 1 / sqrt(p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z);
      const double number[10] = {p.w * size,   p.x * size,   p.y * size, p.z * size, p.position.x,
                                 p.position.y, p.position.z, e.x,        e.y,        e.z};
      for (size_t n = 0; n < 10; n++) lane[(10 * k + n) * lane_stride + i] = number[n];
    }
  }
}

static double limit(const work *w) {
  if (lane == NULL) limit_fill(w);
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

static void measure(work *w, const char *name, question asked, bool with_limit) {
  const size_t count = w->batch.count;
  const double unit = 1e9 / (double)count;
  double ones[PASSES], alls[PASSES], loops[PASSES];
  graze_batch_counts counts;
  for (int i = 0; i < PASSES; i++) {
    ones[i] = ask(w, asked, count);
    for (int k = 0; k < 3; k++) alls[i] = ask_all(w, asked, &counts); /* their data come back to the cache */
    for (int k = 0; k < 3; k++) loops[i] = with_limit ? limit(w) : 0;
  }
  const double one = probe_median(ones, PASSES), all = probe_median(alls, PASSES), loop = probe_median(loops, PASSES);
  printf("%-22s %6zu pairs: one by one %7.1f ns, batch %6.1f ns, ratio %4.1f; %.2f %% in lanes", name, count,
         one * unit, all * unit, one / all, 100 * (double)counts.by_simd / (double)count);
  if (loop > 0) printf("; the least %.1f ns, ratio %.2f", loop * unit, all / loop);
  printf("\n");
}

/* Those that are apart, or those that are not. */
static void keep(work *w, bool apart) {
  graze_batch_counts counts;
  size_t kept = 0;
  w->batch.count = pairs;
  w->batch.a.pose_index = w->batch.b.pose_index = NULL;
  for (uint32_t i = 0; i < pairs; i++) w->index_a[i] = 2 * i, w->index_b[i] = 2 * i + 1;
  (void)ask_all(w, INTERSECT, &counts);
  for (uint32_t i = 0; i < pairs; i++) {
    if ((w->relation[i] == GRAZE_SEPARATED) != apart) continue;
    w->index_a[kept] = 2 * i, w->index_b[kept] = 2 * i + 1;
    w->who_a[kept] = w->who_b[kept] = i;
    kept++;
  }
  w->batch.count = kept;
  w->batch.a.pose_index = w->who_a, w->batch.b.pose_index = w->who_b;
}

static void measure_all(work *w, const char *shapes, bool with_limit) {
  char name[32];
  snprintf(name, sizeof name, "%s, intersect", shapes);
  measure(w, name, INTERSECT, with_limit);
  keep(w, true);
  snprintf(name, sizeof name, "%s, distance", shapes);
  measure(w, name, DISTANCE, false);
  snprintf(name, sizeof name, "%s, cast", shapes);
  measure(w, name, CAST, false);
  keep(w, false);
  snprintf(name, sizeof name, "%s, depth", shapes);
  measure(w, name, DISTANCE, false);
}

int main(int argc, char **argv) {
  static work w;
  if (argc > 1) pairs = (size_t)strtoul(argv[1], NULL, 10);
  if (pairs < 16) return 2;
  make_room(&w);
  make(&w, 0, 0.6, 2);
  measure_all(&w, "boxes", true);
  make(&w, 8, 0.95, 2.05);
  measure_all(&w, "hulls of 8", false);
  make(&w, 32, 1.2, 2.3);
  measure_all(&w, "hulls of 32", false);
  return 0;
}
