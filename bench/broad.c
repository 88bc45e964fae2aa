/* Times the broad phase: sorting all and finding all pairs, and steps of worlds of which all, or little, moves.
 *
 *   broad [COUNT …]           100 1000 10000 100000 1000000, unless said otherwise
 *
 * Boxes of one size, spread so that each has 1.17 pairs; sizes from 1 to 1000 with as many pairs; a world of which 100
 * move, and stay near their place. Nanoseconds of processor time for each item (each that moves), medians of
 * passes; a step is new boxes for all that move, tidying, and all pairs. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

#include "bvh/bvh.h"
#include "bvh/sort.h"

enum { PASSES = 15, MOVERS = 100 };

static uint64_t state;
static size_t room = 1 << 16;
static grz_bvh_pair *pairs;

static size_t find_pairs(const grz_bvh *broad) {
  size_t found = 0;
  for (size_t chunk = 0; chunk < grz_bvh_chunk_count(broad); chunk++) {
    size_t count = grz_bvh_pairs(broad, chunk, pairs, room);
    if (count > room) {
      room = 2 * count;
      free(pairs);
      pairs = probe_allocate(room, sizeof *pairs);
      grz_bvh_pairs(broad, chunk, pairs, room);
    }
    found += count;
  }
  return found;
}

/* Half edges from `least` to `most`, as many of each octave. */
static void fill(graze_aabb *box, size_t count, double spread, double least, double most) {
  for (size_t i = 0; i < count; i++) {
    double half = least * pow(most / least, 0.5 + 0.5 * probe_uniform(&state));
    graze_vec at = {spread * probe_uniform(&state), spread * probe_uniform(&state), spread * probe_uniform(&state)};
    box[i] = (graze_aabb){{at.x - half, at.y - half, at.z - half}, {at.x + half, at.y + half, at.z + half}};
  }
}

static void put_all(grz_bvh *broad, const graze_aabb *box, size_t count, size_t movers) {
  for (size_t i = 0; i < count; i++) grz_bvh_insert(broad, i, &box[i], i < movers);
}

static void shift(graze_aabb *box, double most) {
  graze_vec by = {most * probe_uniform(&state), most * probe_uniform(&state), most * probe_uniform(&state)};
  box->min.x += by.x, box->min.y += by.y, box->min.z += by.z;
  box->max.x += by.x, box->max.y += by.y, box->max.z += by.z;
}

static void measure(const char *name, size_t count, size_t movers, double spread, double least, double most) {
  grz_bvh broad;
  graze_aabb *box = probe_allocate(count, sizeof *box);
  double sort[PASSES], search[PASSES], put[PASSES], tidy[PASSES], again[PASSES];
  int repeat = (int)(100000 / (movers < count ? 5000 + count / 10 : count)) + 1;
  size_t found = 0;
  state = 0x9e3779b97f4a7c15u;
  fill(box, count, spread, least, most);
  grz_bvh_make(&broad, 3, NULL);
  if (!grz_bvh_reserve(&broad, count)) exit(1);
  put_all(&broad, box, count, movers);
  for (int i = 0; i < PASSES; i++) {
    double start = probe_seconds();
    for (int k = 0; k < repeat; k++) grz_bvh_sort(&broad, 0);
    sort[i] = (probe_seconds() - start) / repeat;
    start = probe_seconds();
    for (int k = 0; k < repeat; k++) found = find_pairs(&broad);
    search[i] = (probe_seconds() - start) / repeat;
  }
  for (int i = 0; i < PASSES; i++) {
    put[i] = tidy[i] = again[i] = 0;
    for (int k = 0; k < repeat; k++) {
      for (size_t j = 0; j < movers; j++) shift(&box[j], 0.05 * least);
      double start = probe_seconds();
      put_all(&broad, box, movers, movers);
      double putted = probe_seconds();
      grz_bvh_rebuild(&broad);
      double tidied = probe_seconds();
      find_pairs(&broad);
      put[i] += (putted - start) / repeat, tidy[i] += (tidied - putted) / repeat;
      again[i] += (probe_seconds() - tidied) / repeat;
    }
  }
  double unit = 1e9 / (double)count, each = 1e9 / (double)movers, s = probe_median(sort, PASSES),
         p = probe_median(search, PASSES);
  printf(
      "%-12s %8zu  sort %6.1f  pairs %6.1f  sum %6.1f ns; %.2f pairs;  step: put %6.1f  tidy %6.1f  pairs %6.1f ns\n",
      name, count, s * unit, p * unit, (s + p) * unit, (double)found / (double)count, probe_median(put, PASSES) * each,
      probe_median(tidy, PASSES) * each, probe_median(again, PASSES) * each);
  fflush(stdout);
  grz_bvh_free(&broad);
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

/* Questions from anywhere: what lies in a box of edge 2, the first on a way through the world, the nearest. */
static void walk(size_t count, double spread) {
  enum { QUESTIONS = 20000 };
  grz_bvh broad;
  graze_aabb *box = probe_allocate(count, sizeof *box), *asked = probe_allocate(QUESTIONS, sizeof *asked);
  size_t seen[3] = {0};
  double at[4];
  fill(box, count, spread, 0.5, 0.5), fill(asked, QUESTIONS, spread, 1, 1);
  grz_bvh_make(&broad, 3, NULL);
  if (!grz_bvh_reserve(&broad, count)) exit(1);
  put_all(&broad, box, count, 0);
  grz_bvh_sort(&broad, 0);
  at[0] = probe_seconds();
  for (int i = 0; i < QUESTIONS; i++) grz_bvh_overlap(&broad, &asked[i], any, &seen[0]);
  at[1] = probe_seconds();
  for (int i = 0; i < QUESTIONS; i++) {
    asked[i].max = asked[i].min;
    grz_bvh_cast(&broad, &asked[i], probe_sphere(&state), 2 * spread, first, &seen[1]);
  }
  at[2] = probe_seconds();
  for (int i = 0; i < QUESTIONS; i++) grz_bvh_nearest(&broad, &asked[i], 2 * spread, first, &seen[2]);
  at[3] = probe_seconds();
  printf("walks        %8zu ", count);
  for (int k = 0; k < 3; k++) {
    static const char *const names[] = {"in a box", "along a ray", "nearest"};
    printf(" %s %6.0f ns, %.2f items;", names[k], (at[k + 1] - at[k]) * 1e9 / QUESTIONS, (double)seen[k] / QUESTIONS);
  }
  printf("\n");
  grz_bvh_free(&broad);
  free(box), free(asked);
}

/* Cubes of edge 1 have 1.17 pairs where 0.2925 of them are in a cube of edge 2. */
static double spread_for(size_t count) { return 0.5 * cbrt((double)count * 4 / 1.17); }

int main(int argc, char **argv) {
  static const char *const usual[] = {"100", "1000", "10000", "100000", "1000000"};
  int counts = argc > 1 ? argc - 1 : 5;
  pairs = probe_allocate(room, sizeof *pairs);
  for (int i = 0; i < counts; i++) {
    size_t count = (size_t)strtoul(argc > 1 ? argv[i + 1] : usual[i], NULL, 10);
    if (count < MOVERS) return 2;
    measure("uniform", count, count, spread_for(count), 0.5, 0.5);
    measure("mixed", count, count, 245 * spread_for(count), 0.5, 500);
    measure("few move", count, MOVERS, spread_for(count), 0.5, 0.5);
    walk(count, spread_for(count));
  }
  free(pairs);
  return 0;
}
