/* Compares Graze and its peers: finding the colliding pairs of many moving cubes.
 *
 *   scene [--only NAME,…] [--moving N] [--passes N] [--threads N] [--json yes] [COUNT …]
 *
 * COUNT: default 50 500 5000 50000. --json: one object per finder instead of a table.
 *
 * In each step every cube has a new pose. A finder sets the poses ("update") and counts the colliding pairs ("find").
 * Finders are interleaved over passes with the same motions: 200, 60 or 20 steps after 5 that are not timed. Prints
 * medians over all passes; processor time for 50,000 cubes on one thread, because of other load. Counts are compared
 * with those of Graze. Up to 500 cubes, every tenth step also compares Graze with all pairs by graze_intersect(). With
 * --moving all but the first N cubes are static, and two static cubes are no pair. */
#define _POSIX_C_SOURCE 200809L
#include "cubes.h"
#include "probe.h"

#include <string.h>

enum { WARM = 5, MAX_STEPS = 200, CHECKED = 500, MAX_CUBES = 10000000 };

static const bench_finder *const finders[] = {
    &bench_find_graze, /* first: the reference of the others */
    &bench_find_grid,
#ifdef BENCH_NATIVE
    &bench_find_graze_native,
#endif
#ifdef BENCH_FIND_BULLET
    &bench_find_bullet,
#endif
#ifdef BENCH_FIND_FCL
    &bench_find_fcl,          &bench_find_fcl_array,
#endif
#ifdef BENCH_FIND_ODE
    &bench_find_ode_hash,     &bench_find_ode_sap,
#endif
#ifdef BENCH_FIND_MUJOCO
    &bench_find_mujoco,
#endif
};
enum { FINDERS = sizeof finders / sizeof *finders };

static const char *only;
static size_t moving = SIZE_MAX;
static int passes = 5, threads = 1;
static bool by_processor; /* not for short times: that clock is slow */
static bool json;

/* The results of a finder for one number of cubes. */
typedef struct record {
  double *update, *find, *both; /* times of the steps */
  size_t timed;
  size_t pairs[WARM + MAX_STEPS];
} record;

static bool is_selected(const bench_finder *finder) {
  const size_t length = strlen(finder->name);
  for (const char *at = only; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, finder->name, length) == 0 && (at[length] == ',' || at[length] == 0)) return true;
  return only == NULL;
}

static double seconds(void) {
  struct timespec now;
  if (by_processor) return probe_seconds();
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *p, const void *q) {
  const double x = *(const double *)p, y = *(const double *)q;
  return (x > y) - (x < y);
}

static double median(double *times, size_t count) {
  qsort(times, count, sizeof *times, compare);
  return times[count / 2];
}

static void run(const bench_finder *finder, size_t count, int steps, record *r) {
  bench_cubes cubes = bench_cubes_make(count, moving < count ? moving : count);
  void *self = finder->make(&cubes, threads);
  for (int k = 0; k < WARM + steps; k++) {
    bench_cubes_step(&cubes);
    const double start = seconds();
    finder->update(self, &cubes);
    const double updated = seconds();
    r->pairs[k] = finder->find(self);
    const double found = seconds();
    if (k < WARM) continue;
    r->update[r->timed] = updated - start, r->find[r->timed] = found - updated;
    r->both[r->timed++] = found - start;
  }
  finder->release(self);
  bench_cubes_free(&cubes);
}

/* ---- The truth */

static graze_placed place(const bench_cube *cube) {
  const graze_shape box = graze_box(cube->half, cube->half, cube->half);
  const double *p = cube->position, *q = cube->rotation;
  return graze_place(&box, graze_pose3((graze_vec){p[0], p[1], p[2]}, q[3], q[0], q[1], q[2]));
}

static size_t query_all(const bench_cubes *cubes, graze_placed *placed) {
  size_t found = 0;
  for (size_t i = 0; i < cubes->count; i++) placed[i] = place(&cubes->cube[i]);
  for (size_t i = 0; i < cubes->moving; i++) {
    for (size_t k = i + 1; k < cubes->count; k++) {
      graze_answer answer;
      probe_expect(graze_intersect(&placed[i], &placed[k], NULL, &answer), "intersect");
      found += answer.relation != GRAZE_SEPARATED;
    }
  }
  return found;
}

static void check(size_t count, int steps, const record *graze) {
  bench_cubes cubes = bench_cubes_make(count, moving < count ? moving : count);
  graze_placed *placed = probe_allocate(count, sizeof *placed);
  int queried = 0, equal = 0;
  for (int k = 0; k < WARM + steps; k++) {
    bench_cubes_step(&cubes);
    if (k % 10 > 0) continue;
    queried++;
    equal += graze->pairs[k] == query_all(&cubes, placed);
  }
  if (json)
    printf("{\"cubes\": %zu, \"queried\": %d, \"equal\": %d}\n", count, queried, equal);
  else
    printf("  all pairs queried: equal in %d of %d steps\n", equal, queried);
  free(placed);
  bench_cubes_free(&cubes);
}

/* ---- Output */

static void print(const bench_finder *finder, size_t count, int steps, record *r, const record *first, double unit) {
  double pairs = 0;
  size_t more = 0, less = 0;
  for (int k = WARM; k < WARM + steps; k++) {
    pairs += (double)r->pairs[k] / steps;
    if (r->pairs[k] > first->pairs[k]) more += r->pairs[k] - first->pairs[k];
    if (r->pairs[k] < first->pairs[k]) less += first->pairs[k] - r->pairs[k];
  }
  const double both = median(r->both, r->timed), update = median(r->update, r->timed);
  if (json) {
    printf(
        "{\"cubes\": %zu, \"name\": \"%s\", \"ns\": %.0f, \"update_ns\": %.0f, \"least_ns\": %.0f, \"most_ns\": %.0f, "
        "\"steps\": %d, \"pairs\": %.1f, \"more\": %zu, \"less\": %zu}\n",
        count, finder->name, 1e9 * both, 1e9 * update, 1e9 * r->both[0], 1e9 * r->both[r->timed - 1], steps, pairs,
        more, less);
    return;
  }
  printf("  %-10s %9.4f ms  %6.2f   update %9.4f  find %9.4f   %9.1f pairs", finder->name, 1e3 * both, both / unit,
         1e3 * update, 1e3 * median(r->find, r->timed), pairs);
  if (more > 0 || less > 0) printf(", in %d steps %zu too many, %zu too few", steps, more, less);
  printf("\n");
}

static void measure(size_t count) {
  const int steps = count >= 50000 ? 20 : count >= 5000 ? 60 : MAX_STEPS;
  static record records[FINDERS];
  const size_t capacity = (size_t)(steps * passes);
  by_processor = threads == 1 && count >= 50000;
  for (int i = 0; i < FINDERS; i++) {
    records[i] = (record){probe_allocate(capacity, sizeof(double)),
                          probe_allocate(capacity, sizeof(double)),
                          probe_allocate(capacity, sizeof(double)),
                          0,
                          {0}};
  }
  for (int pass = 0; pass < passes; pass++) {
    for (int i = 0; i < FINDERS; i++)
      if (count <= finders[i]->max_cubes && (i == 0 || is_selected(finders[i])))
        run(finders[i], count, steps, &records[i]);
  }
  if (!json) printf("%zu cubes, %d steps, %d passes\n", count, steps, passes);
  const double unit = median(records[0].both, records[0].timed);
  for (int i = 0; i < FINDERS; i++) {
    if (records[i].timed > 0) print(finders[i], count, steps, &records[i], &records[0], unit);
    free(records[i].update), free(records[i].find), free(records[i].both);
  }
  if (count <= CHECKED) check(count, steps, &records[0]);
  fflush(stdout);
}

/* ---- The command line */

static void reject(const char *what, const char *why) {
  fprintf(stderr, "scene: %s: %s\n", what, why);
  exit(2);
}

static size_t number(const char *text, size_t least, size_t most) {
  char *end;
  const unsigned long long n = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != 0) reject(text, "is not a number");
  if (n < least || n > most) reject(text, "is out of range");
  return (size_t)n;
}

/* Each name must be that of a finder in this build; "none": Graze only. */
static void choose(const char *names) {
  only = names;
  size_t known = 0, named = 1;
  for (const char *at = names; (at = strchr(at, ',')) != NULL; at++) named++;
  for (int i = 0; i < FINDERS; i++) known += is_selected(finders[i]);
  if (known == named || strcmp(names, "none") == 0) return;
  for (int i = 0; i < FINDERS; i++) fprintf(stderr, "%s%s", i > 0 ? "," : "there are none,", finders[i]->name);
  fprintf(stderr, "\n");
  reject(names, "names what is not there, or twice");
}

static void read_option(const char *name, const char *value) {
  if (strcmp(name, "--only") == 0)
    choose(value);
  else if (strcmp(name, "--moving") == 0)
    moving = number(value, 0, MAX_CUBES);
  else if (strcmp(name, "--passes") == 0)
    passes = (int)number(value, 1, 1000);
  else if (strcmp(name, "--threads") == 0)
    threads = (int)number(value, 1, 1024);
  else if (strcmp(name, "--json") == 0)
    json = strcmp(value, "yes") == 0;
  else
    reject(name, "no such option");
}

int main(int argc, char **argv) {
  static const size_t usual[] = {50, 500, 5000, 50000};
  int at = 1;
  for (; at < argc && argv[at][0] == '-'; at += 2) {
    if (at + 1 == argc) reject(argv[at], "a value is missing");
    read_option(argv[at], argv[at + 1]);
  }
  for (int i = at; i < argc; i++) (void)number(argv[i], 1, MAX_CUBES); /* checks all before the first measurement */
  for (int i = at; i < argc; i++) measure(number(argv[i], 1, MAX_CUBES));
  for (size_t i = 0; at == argc && i < sizeof usual / sizeof *usual; i++) measure(usual[i]);
  return 0;
}
