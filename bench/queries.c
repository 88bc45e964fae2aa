/* Times scene queries of Graze and its peers on the same random bodies.
 *
 *   queries [--dim 2|3] [--queries N] [--passes N] [--only NAME,…] [--list N] [COUNT …]       default 200 1000 50000
 *
 * The bodies are boxes, balls, capsules and small hulls (2D: polygons), a quarter each, at rest. Peers are interleaved
 * over the passes. A row has the median time of a query (add, first step: of a body) in nanoseconds of processor time,
 * its ratio to Graze, the mean answer, and the share of answers that differ from Graze. Answers differ if they are more
 * than 1e-5 apart, relative to max(answer, 1); times are fractions of the motion. Moves of a character depend on its
 * distance from bodies, which every peer chooses: here an answer differs if it overlaps a body by more than 1e-5, and
 * the mean answer is the length of the path. --list prints N such answers for each row. */
#define _POSIX_C_SOURCE 199309L
#include "queries.h"

#include "probe.h"

#include <string.h>

enum { MOST_PASSES = 100, ADD_PASSES = 3, STEPS = 3 };
static const double ALLOWED = 1e-5, START_GAP[2] = {0.05, 0.2}; /* of moves, from the nearest body */

static const query_peer *const peers[] = {
    &query_graze, /* first: the reference of the others */
#ifdef BENCH_QUERIES_JOLT
    &query_jolt,
#endif
#ifdef BENCH_QUERIES_RAPIER
    &query_rapier, &query_rapier_single,
#endif
#ifdef BENCH_QUERIES_COAL
    &query_coal,
#endif
#ifdef BENCH_QUERIES_FCL
    &query_fcl,
#endif
#ifdef BENCH_QUERIES_BOX2D
    &query_box2d,
#endif
};
enum { PEERS = sizeof peers / sizeof *peers };

static const char *const kind_names[QUERY_KINDS] = {"ray",       "overlap", "any overlap", "box cast",
                                                    "ball cast", "nearest", "move",        "robot"};
static const char *only;
static size_t query_count = 1000, list;
static int passes = 7, only_dim;

/* A peer in one world. */
typedef struct run {
  const query_peer *peer;
  void *self;
  double add[ADD_PASSES], step[ADD_PASSES]; /* per body */
  double time[QUERY_KINDS][MOST_PASSES];
  double *answers[QUERY_KINDS], (*ends)[3]; /* of the last pass */
} run;

static bool is_selected(const query_peer *peer) {
  const size_t length = strlen(peer->name);
  for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, peer->name, length) == 0 && (at[length] == ',' || at[length] == 0)) return true;
  return !only || peer == &query_graze;
}

static bool has(const run *r, int kind) { return !(r->peer->missing >> kind & 1); }

static void fill(run *r, const query_world *world, int pass) {
  if (r->self) r->peer->release(r->self);
  r->self = r->peer->make(world);
  const double start = probe_seconds();
  for (size_t i = 0; i < world->count; i++) r->peer->add(r->self, i);
  const double added = probe_seconds();
  r->peer->step(r->self);
  r->step[pass] = (probe_seconds() - added) / (double)world->count;
  r->add[pass] = (added - start) / (double)world->count;
  for (int i = 1; i < STEPS; i++) r->peer->step(r->self);
}

static const scene_query *query_at(const query_world *world, query_kind kind, size_t i) {
  return &world->queries[kind][kind == QUERY_ROBOT ? i * QUERY_LINKS : i];
}

/* The seconds of `count` queries from `first` on. */
static double query_some(run *r, const query_world *world, query_kind kind, size_t first, size_t count) {
  const double start = probe_seconds();
  for (size_t i = 0; i < count; i++) {
    const size_t at = first + i;
    r->answers[kind][at] = r->peer->answer(r->self, kind, i, query_at(world, kind, at), r->ends[at]);
  }
  return probe_seconds() - start;
}

/* Only a few characters at a time: they are bodies of some peers. */
static double query_moves(run *r, const query_world *world) {
  double seconds = 0;
  for (size_t first = 0; first < world->query_count; first += QUERY_CHARACTERS) {
    const size_t left = world->query_count - first, count = left < QUERY_CHARACTERS ? left : QUERY_CHARACTERS;
    r->peer->place(r->self, &world->queries[QUERY_MOVE][first], count);
    seconds += query_some(r, world, QUERY_MOVE, first, count);
  }
  r->peer->place(r->self, NULL, 0);
  return seconds;
}

static void query(run *r, const query_world *world, query_kind kind, int pass) {
  const bool characters = kind == QUERY_MOVE && r->peer->place;
  const double seconds = characters ? query_moves(r, world) : query_some(r, world, kind, 0, world->query_count);
  r->time[kind][pass] = seconds / (double)world->query_count;
}

static double path(const scene_query *query, const double end[3]) {
  double square = 0;
  for (int i = 0; i < 3; i++) square += (end[i] - query->position[i]) * (end[i] - query->position[i]);
  return sqrt(square);
}

static bool differs(double answer, double reference) {
  if (isinf(answer) || isinf(reference)) return answer != reference;
  return !(fabs(answer - reference) <= ALLOWED * fmax(fabs(reference), 1));
}

static void print_time(const run *r, const char *what, double ns, double graze) {
  printf("  %-12s %-12s %8.0f ns  %5.2f", what, r->peer->name, ns, ns / graze);
}

static void report(const run *runs, int count, const query_world *world, query_kind kind) {
  static double times[MOST_PASSES];
  double graze = 0;
  for (int k = 0; k < count; k++) {
    const run *r = &runs[k];
    if (!has(r, kind)) continue;
    size_t different = 0, listed = 0;
    double sum = 0;
    for (size_t i = 0; i < world->query_count; i++) {
      const scene_query *q = query_at(world, kind, i);
      const double answer = r->answers[kind][i], reference = runs[0].answers[kind][i];
      const double gap = kind == QUERY_MOVE ? query_graze_gap(runs[0].self, q, r->ends[i]) : 0;
      const bool differ = kind == QUERY_MOVE ? gap < -ALLOWED : differs(answer, reference);
      sum += kind == QUERY_MOVE ? path(q, r->ends[i]) : isinf(answer) ? 1 : answer;
      different += differ;
      if (differ && listed++ < list)
        fprintf(stderr, "%s, %s %zu: %.9g, Graze %.9g\n", r->peer->name, kind_names[kind], i,
                kind == QUERY_MOVE ? gap : answer, reference);
    }
    memcpy(times, r->time[kind], sizeof times);
    const double ns = 1e9 * probe_median(times, (size_t)passes);
    if (k == 0) graze = ns;
    print_time(r, kind_names[kind], ns, graze);
    printf("   mean %8.4f", sum / (double)world->query_count);
    if (k > 0 || kind == QUERY_MOVE) printf("   %6.2f %% differ", 100 * (double)different / (double)world->query_count);
    printf("\n");
  }
}

static void report_filling(run *runs, int count) {
  for (int step = 0; step < 2; step++) {
    double graze = 0;
    for (int k = 0; k < count; k++) {
      const double ns = 1e9 * probe_median(step ? runs[k].step : runs[k].add, ADD_PASSES);
      if (k == 0) graze = ns;
      print_time(&runs[k], step ? "first step" : "add", ns, graze);
      printf("\n");
    }
  }
}

static void measure(int dim, size_t count) {
  static run runs[PEERS];
  query_world world = query_world_make(dim, count, query_count);
  int selected = 0;
  for (int i = 0; i < PEERS; i++) {
    if (!(dim == 2 ? peers[i]->planar : peers[i]->spatial) || !is_selected(peers[i])) continue;
    run *r = &runs[selected++];
    *r = (run){.peer = peers[i]};
    r->ends = probe_allocate(query_count, sizeof *r->ends);
    for (int kind = 0; kind < QUERY_KINDS; kind++) r->answers[kind] = probe_allocate(query_count, sizeof(double));
  }
  for (int pass = 0; pass < ADD_PASSES; pass++)
    for (int i = 0; i < selected; i++) fill(&runs[i], &world, pass);
  query_world_choose_starts(&world, START_GAP[0], START_GAP[1], query_graze_gap, runs[0].self);
  for (int pass = 0; pass < passes; pass++)
    for (int kind = 0; kind < QUERY_KINDS; kind++)
      for (int i = 0; i < selected; i++)
        if (has(&runs[i], kind)) query(&runs[i], &world, (query_kind)kind, pass);
  printf("%dD, %zu bodies; %zu queries, %d passes\n", dim, count, query_count, passes);
  report_filling(runs, selected);
  for (int kind = 0; kind < QUERY_KINDS; kind++) report(runs, selected, &world, (query_kind)kind);
  for (int i = 0; i < selected; i++) {
    runs[i].peer->release(runs[i].self);
    free(runs[i].ends);
    for (int kind = 0; kind < QUERY_KINDS; kind++) free(runs[i].answers[kind]);
  }
  query_world_free(&world);
  fflush(stdout);
}

static size_t number(const char *text, size_t least, size_t most) {
  char *end;
  const unsigned long long n = strtoull(text, &end, 10);
  if (*text >= '0' && *text <= '9' && *end == 0 && n >= least && n <= most) return (size_t)n;
  fprintf(stderr, "queries: %s: must be a number from %zu to %zu\n", text, least, most);
  exit(2);
}

static void read_option(const char *name, const char *value) {
  if (strcmp(name, "--dim") == 0)
    only_dim = (int)number(value, 2, 3);
  else if (strcmp(name, "--queries") == 0)
    query_count = number(value, 1, 1000000);
  else if (strcmp(name, "--passes") == 0)
    passes = (int)number(value, 1, MOST_PASSES);
  else if (strcmp(name, "--only") == 0)
    only = value;
  else if (strcmp(name, "--list") == 0)
    list = number(value, 0, 1000000);
  else {
    fprintf(stderr, "queries: %s: no such option\n", name);
    exit(2);
  }
}

int main(int argc, char **argv) {
  static const char *const usual[] = {"200", "1000", "50000"};
  int at = 1;
  for (; at + 1 < argc && argv[at][0] == '-'; at += 2) read_option(argv[at], argv[at + 1]);
  const int counts = argc > at ? argc - at : 3;
  for (int dim = 2; dim <= 3; dim++) {
    if (only_dim && dim != only_dim) continue;
    for (int i = 0; i < counts; i++) measure(dim, number(argc > at ? argv[at + i] : usual[i], 1, 10000000));
  }
  fflush(stdout);
  _Exit(0); /* without destructors: FCL and Coal bring two versions of one library, which free the same objects */
}
