/* Shared by the small programs: a clock, reproducible random numbers, command lines. */
#ifndef BENCH_PROBE_H
#define BENCH_PROBE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <graze/graze.h>

/* Processor time. */
static inline double probe_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline int probe_ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the times. */
static inline double probe_median(double *times, size_t count) {
  qsort(times, count, sizeof *times, probe_ascending);
  return times[count / 2];
}

/* xorshift64*, in [-1, 1). */
static inline double probe_uniform(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return (double)(*state * 0x2545f4914f6cdd1du >> 11) * 0x1p-52 - 1;
}

static inline graze_vec probe_sphere(uint64_t *state) {
  graze_vec v;
  double square;
  do {
    v = (graze_vec){probe_uniform(state), probe_uniform(state), probe_uniform(state)};
    square = v.x * v.x + v.y * v.y + v.z * v.z;
  } while (square > 1 || square < 0.01);
  double length = sqrt(square);
  return (graze_vec){v.x / length, v.y / length, v.z / length};
}

static inline void *probe_allocate(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) exit(1);
  return memory;
}

/* Exits with a message unless the status is GRAZE_OK. */
static inline void probe_expect(graze_status status, const char *what) {
  if (status == GRAZE_OK) return;
  fprintf(stderr, "%s: %s\n", what, graze_status_text(status));
  exit(1);
}

/* Measures each family at each size of the command line, or at the usual sizes, a list that ends with 0. Sizes below
 * `least` are skipped. */
static inline void probe_families(int argc, char **argv, const size_t *usual, size_t families, size_t least,
                                  void (*measure)(size_t family, size_t n)) {
  for (size_t family = 0; family < families; family++) {
    for (int i = 0; argc > 1 ? i + 1 < argc : usual[i] > 0; i++) {
      size_t n = argc > 1 ? (size_t)strtoul(argv[i + 1], NULL, 10) : usual[i];
      if (n >= least) measure(family, n);
    }
  }
}

#endif
