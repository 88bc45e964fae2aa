/* Times the broad phase: sorting, pairs, steps and queries.
 *
 *   broad [COUNT …]           default: 100 1000 10000 100000 1000000
 *
 * The worlds are boxes of one size with 1.17 pairs per box, boxes of sizes from 1 to 1000 with as many pairs, and a
 * world of which 100 boxes move by a small step. A step is new boxes for all moving items, a rebuild, and all pairs.
 * Times are nanoseconds of processor time per item (in steps: per moving item), medians of several passes. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

#include "bvh/scene_tree.h"

enum { PASSES = 15, MOVING = 100 };

static uint64_t state;
static size_t capacity = 1 << 16;
static grz_bvh_pair *pairs;

static size_t find_pairs(const grz_bvh *bvh) {
  size_t found = 0;
  for (size_t chunk = 0; chunk < grz_bvh_chunk_count(bvh); chunk++) {
    size_t count = grz_bvh_pairs(bvh, chunk, pairs, capacity);
    if (count > capacity) {
      capacity = 2 * count;
      free(pairs);
      pairs = probe_allocate(capacity, sizeof *pairs);
      grz_bvh_pairs(bvh, chunk, pairs, capacity);
    }
    found += count;
  }
  return found;
}

/* Makes boxes with half edges from `least` to `most`, evenly over the octaves. */
static void fill(graze_aabb *box, size_t count, double spread, double least, double most) {
  for (size_t i = 0; i < count; i++) {
    double half = least * pow(most / least, 0.5 + 0.5 * probe_uniform(&state));
    graze_vec at = {spread * probe_uniform(&state), spread * probe_uniform(&state), spread * probe_uniform(&state)};
    box[i] = (graze_aabb){{at.x - half, at.y - half, at.z - half}, {at.x + half, at.y + half, at.z + half}};
  }
}

static void insert_all(grz_bvh *bvh, const graze_aabb *box, size_t count, size_t moving) {
  for (size_t i = 0; i < count; i++) grz_bvh_insert(bvh, i, &box[i], i < moving);
}

static void shift(graze_aabb *box, double most) {
  graze_vec by = {most * probe_uniform(&state), most * probe_uniform(&state), most * probe_uniform(&state)};
  box->min.x += by.x, box->min.y += by.y, box->min.z += by.z;
  box->max.x += by.x, box->max.y += by.y, box->max.z += by.z;
}

static void measure(const char *name, size_t count, size_t moving, double spread, double least, double most) {
  grz_bvh bvh;
  graze_aabb *box = probe_allocate(count, sizeof *box);
  double sort[PASSES], search[PASSES], insert[PASSES], rebuild[PASSES], pairs_again[PASSES];
  int repeat = (int)(100000 / (moving < count ? 5000 + count / 10 : count)) + 1;
  size_t found = 0;
  state = 0x9e3779b97f4a7c15u;
  fill(box, count, spread, least, most);
  grz_bvh_make(&bvh, 3, NULL);
  if (!grz_bvh_reserve(&bvh, count)) exit(1);
  insert_all(&bvh, box, count, moving);
  for (int i = 0; i < PASSES; i++) {
    double start = probe_seconds();
    for (int k = 0; k < repeat; k++) grz_bvh_sort(&bvh, 0);
    sort[i] = (probe_seconds() - start) / repeat;
    start = probe_seconds();
    for (int k = 0; k < repeat; k++) found = find_pairs(&bvh);
    search[i] = (probe_seconds() - start) / repeat;
  }
  for (int i = 0; i < PASSES; i++) {
    insert[i] = rebuild[i] = pairs_again[i] = 0;
    for (int k = 0; k < repeat; k++) {
      for (size_t j = 0; j < moving; j++) shift(&box[j], 0.05 * least);
      double start = probe_seconds();
      insert_all(&bvh, box, moving, moving);
      double inserted = probe_seconds();
      grz_bvh_rebuild(&bvh);
      double rebuilt = probe_seconds();
      find_pairs(&bvh);
      insert[i] += (inserted - start) / repeat, rebuild[i] += (rebuilt - inserted) / repeat;
      pairs_again[i] += (probe_seconds() - rebuilt) / repeat;
    }
  }
  double unit = 1e9 / (double)count, each = 1e9 / (double)moving, s = probe_median(sort, PASSES),
         p = probe_median(search, PASSES);
  printf("%-12s %8zu  sort %6.1f  pairs %6.1f  sum %6.1f ns; %.2f pairs;  step: insert %6.1f  rebuild %6.1f  pairs "
         "%6.1f ns\n",
         name, count, s * unit, p * unit, (s + p) * unit, (double)found / (double)count,
         probe_median(insert, PASSES) * each, probe_median(rebuild, PASSES) * each,
         probe_median(pairs_again, PASSES) * each);
  fflush(stdout);
  grz_bvh_free(&bvh);
  free(box);
}

static bool any(void *context, size_t item) {
  (void)item;
  ++*(size_t *)context;
  return true;
}

static double first(void *context, size_t item, double bound) {
  (void)item;
  ++*(size_t *)context;
  return bound;
}

/* Queries from random positions: items in a box of edge 2, the first item hit by a ray, the nearest item. */
static void query(size_t count, double spread) {
  enum { QUERIES = 20000 };
  grz_bvh bvh;
  graze_aabb *box = probe_allocate(count, sizeof *box), *query_box = probe_allocate(QUERIES, sizeof *query_box);
  size_t seen[3] = {0};
  double time[4];
  fill(box, count, spread, 0.5, 0.5), fill(query_box, QUERIES, spread, 1, 1);
  grz_bvh_make(&bvh, 3, NULL);
  if (!grz_bvh_reserve(&bvh, count)) exit(1);
  insert_all(&bvh, box, count, 0);
  grz_bvh_sort(&bvh, 0);
  time[0] = probe_seconds();
  for (int i = 0; i < QUERIES; i++) grz_bvh_overlap(&bvh, &query_box[i], any, &seen[0]);
  time[1] = probe_seconds();
  for (int i = 0; i < QUERIES; i++) {
    query_box[i].max = query_box[i].min;
    grz_bvh_cast(&bvh, &query_box[i], probe_sphere(&state), 2 * spread, first, &seen[1]);
  }
  time[2] = probe_seconds();
  for (int i = 0; i < QUERIES; i++) grz_bvh_nearest(&bvh, &query_box[i], 2 * spread, first, &seen[2]);
  time[3] = probe_seconds();
  printf("queries      %8zu ", count);
  for (int k = 0; k < 3; k++) {
    static const char *const names[] = {"overlap", "ray", "nearest"};
    printf(" %s %6.0f ns, %.2f items;", names[k], (time[k + 1] - time[k]) * 1e9 / QUERIES, (double)seen[k] / QUERIES);
  }
  printf("\n");
  grz_bvh_free(&bvh);
  free(box), free(query_box);
}

/* Cubes of edge 1 have 1.17 pairs each if a cube of edge 2 contains 0.2925 centres. */
static double spread_for(size_t count) { return 0.5 * cbrt((double)count * 4 / 1.17); }

int main(int argc, char **argv) {
  static const char *const usual[] = {"100", "1000", "10000", "100000", "1000000"};
  int counts = argc > 1 ? argc - 1 : 5;
  pairs = probe_allocate(capacity, sizeof *pairs);
  for (int i = 0; i < counts; i++) {
    size_t count = (size_t)strtoul(argc > 1 ? argv[i + 1] : usual[i], NULL, 10);
    if (count < MOVING) return 2;
    measure("uniform", count, count, spread_for(count), 0.5, 0.5);
    measure("mixed", count, count, 245 * spread_for(count), 0.5, 500);
    measure("few move", count, MOVING, spread_for(count), 0.5, 0.5);
    query(count, spread_for(count));
  }
  free(pairs);
  return 0;
}
