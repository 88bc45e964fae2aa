/* Scaling of costs with the input size: prints a JSON object per curve and size, which tools/bench.py reads.
 *
 *   growth [PASSES]           default 7
 *
 * Hulls of 4 to 65,536 vertices on a sphere, as point sets and with edges (hill climbing from 1024 vertices on):
 * support points, distances of separated pairs, depths of overlapping pairs, half-spaces; hull construction, also of
 * points in a cube. Curves are interleaved. A time is processor time per query, the median of passes over the same
 * random queries. Scenes follow at the end. */
#define _POSIX_C_SOURCE 199309L
#include "growth.h"

#include <graze/build.h>

#include <string.h>

#include "shape/support.h" /* no public function climbs without a query */

enum { HULLS = 8, QUERIES = 1024, DIRECTIONS = 8192, LEAST = 4, SIZES = 15, MAX_PASSES = 99, COUNTED = 16 };

/* Scenes run in every third pass. */
enum { SCENES = 3 };

/* The approximate nanoseconds of a pass, which determine its number of queries; shorter passes are repeated. */
#define PASS_NS 3e8
#define MIN_SECONDS 0.01

typedef struct stock {
  size_t n;
  graze_vec *on_sphere, *in_cube, *copies; /* n points per hull; copies: point sets that share no memory with hulls */
  graze_hull hull[HULLS];
  graze_shape built[HULLS];
  graze_placed list[HULLS], ground; /* the shapes of the curves */
  graze_placed *separated_lists, *separated_hulls, *overlapping_lists, *overlapping_hulls; /* two per query */
  graze_vec direction[DIRECTIONS];
} stock;

/* Counts of the queries. */
typedef struct tally {
  double steps;   /* iterations; for support points, tested vertices; for construction, hull vertices */
  size_t stopped; /* queries that ended at the iteration limit */
  double bytes;   /* of hulls */
  growth_memory memory;
} tally;

static uint64_t state;

/* ---- Memory */

static void *counted_allocate(void *context, size_t size) {
  growth_memory *memory = context;
  char *memory_block = malloc(size + COUNTED);
  if (!memory_block) return NULL;
  memcpy(memory_block, &size, sizeof size);
  memory->live += size;
  if (memory->live > memory->peak) memory->peak = memory->live;
  return memory_block + COUNTED;
}

static void counted_release(void *context, void *given) {
  char *memory_block = (char *)given - COUNTED;
  size_t size;
  memcpy(&size, memory_block, sizeof size);
  ((growth_memory *)context)->live -= size;
  free(memory_block);
}

graze_allocator growth_counted(growth_memory *memory) {
  return (graze_allocator){counted_allocate, counted_release, memory};
}

/* ---- Hulls and queries */

static graze_pose random_pose(double distance) {
  const graze_vec at = probe_sphere(&state);
  return graze_pose3((graze_vec){distance * at.x, distance * at.y, distance * at.z}, probe_uniform(&state),
                     probe_uniform(&state), probe_uniform(&state), probe_uniform(&state));
}

/* Pairs of random hulls at random poses, `least` to `most` from each other, until enough have the relation. Placing
 * validates all vertices; changing a pose does not. */
static void place_pairs(const stock *s, graze_placed *lists, graze_placed *hulls, double least, double most,
                        graze_relation wanted) {
  graze_placed hull[HULLS];
  for (size_t i = 0; i < HULLS; i++) hull[i] = graze_place(&s->built[i], graze_pose_at(0, 0, 0));
  for (size_t i = 0; i < 2 * QUERIES;) {
    for (size_t k = i; k < i + 2; k++) {
      const size_t which = (size_t)((probe_uniform(&state) + 1) / 2 * HULLS) % HULLS;
      const graze_pose pose = random_pose(k == i ? 0 : least + (most - least) * (probe_uniform(&state) + 1) / 2);
      lists[k] = s->list[which], hulls[k] = hull[which];
      probe_expect(graze_set_pose(&lists[k], pose), "list");
      probe_expect(graze_set_pose(&hulls[k], pose), "hull");
    }
    graze_answer answer;
    probe_expect(graze_intersect(&hulls[i], &hulls[i + 1], NULL, &answer), "intersect");
    if (answer.relation == wanted) i += 2;
  }
}

/* Eight hulls of distinct points on a sphere, all of which are vertices; and as passes points in a cube. */
static void make_hulls(stock *s, size_t n) {
  for (size_t i = 0; i < HULLS * n; i++) {
    s->on_sphere[i] = probe_sphere(&state);
    s->in_cube[i] = (graze_vec){probe_uniform(&state), probe_uniform(&state), probe_uniform(&state)};
  }
  for (size_t i = 0; i < HULLS; i++) {
    probe_expect(graze_hull_create(s->on_sphere + i * n, n, 3, NULL, &s->hull[i], NULL), "hull");
    if (s->hull[i].vertex_count != n) exit(1);
    memcpy(s->copies + i * n, s->hull[i].vertices, n * sizeof *s->copies);
    const graze_shape list = graze_hull_points(s->copies + i * n, n);
    s->list[i] = graze_place(&list, graze_pose_at(0, 0, 0));
    s->built[i] = graze_hull_shape(&s->hull[i]);
  }
}

static stock *make(size_t n) {
  stock *s = probe_allocate(1, sizeof *s);
  graze_vec **points[] = {&s->on_sphere, &s->in_cube, &s->copies};
  graze_placed **placed[] = {&s->separated_lists, &s->separated_hulls, &s->overlapping_lists, &s->overlapping_hulls};
  const graze_shape ground = graze_halfspace((graze_vec){0.1, -0.2, 1}, -1);
  s->n = n;
  for (size_t i = 0; i < 3; i++) *points[i] = probe_allocate(HULLS * n, sizeof **points[i]);
  for (size_t i = 0; i < 4; i++) *placed[i] = probe_allocate((size_t)2 * QUERIES, sizeof **placed[i]);
  state = 0x9e3779b97f4a7c15u + n;
  make_hulls(s, n);
  for (size_t i = 0; i < DIRECTIONS; i++) s->direction[i] = probe_sphere(&state);
  place_pairs(s, s->separated_lists, s->separated_hulls, 2.01, 2.6, GRAZE_SEPARATED);
  place_pairs(s, s->overlapping_lists, s->overlapping_hulls, 0, 1.9, GRAZE_OVERLAPPING);
  s->ground = graze_place(&ground, graze_pose_at(0, 0, 0));
  return s;
}

static void destroy(stock *s) {
  for (size_t i = 0; i < HULLS; i++) graze_hull_destroy(&s->hull[i]);
  free(s->on_sphere), free(s->in_cube), free(s->copies);
  free(s->separated_lists), free(s->separated_hulls), free(s->overlapping_lists), free(s->overlapping_hulls);
  free(s);
}

/* ---- Curves */

static void query_scan(const stock *s, size_t i, tally *t) {
  graze_vec point;
  probe_expect(graze_support(&s->list[i % HULLS], s->direction[i], &point, NULL), "support");
  t->steps += (double)s->n;
}

/* As grz_hill_climb(), but counts the tested vertices. */
static void query_climb(const stock *s, size_t i, tally *t) {
  const graze_hull *hull = &s->hull[i % HULLS];
  size_t visited = 0;
  const int32_t from = hull->adjacency.seed[grz_climb_cell(s->direction[i], hull->adjacency.seed_rank, 3)];
  if (grz_climb_from(hull->vertices, &hull->adjacency, s->direction[i], from, &visited) < 0) exit(1);
  t->steps += (double)visited;
}

static void query_pair(const graze_placed *a, const graze_placed *b, tally *t) {
  graze_answer answer;
  probe_expect(graze_distance(a, b, NULL, &answer), "distance");
  t->steps += answer.iterations, t->stopped += answer.stopped == GRAZE_STOP_BUDGET;
}

static void query_ground(const stock *s, size_t i, tally *t) {
  query_pair(&s->ground, &s->separated_lists[2 * i + 1], t);
}

static void query_separated_lists(const stock *s, size_t i, tally *t) {
  query_pair(&s->separated_lists[2 * i], &s->separated_lists[2 * i + 1], t);
}

static void query_separated_hulls(const stock *s, size_t i, tally *t) {
  query_pair(&s->separated_hulls[2 * i], &s->separated_hulls[2 * i + 1], t);
}

static void query_overlapping_lists(const stock *s, size_t i, tally *t) {
  query_pair(&s->overlapping_lists[2 * i], &s->overlapping_lists[2 * i + 1], t);
}

static void query_overlapping_hulls(const stock *s, size_t i, tally *t) {
  query_pair(&s->overlapping_hulls[2 * i], &s->overlapping_hulls[2 * i + 1], t);
}

static void make_hull(const graze_vec *points, size_t n, tally *t) {
  graze_hull hull;
  const graze_allocator counted = growth_counted(&t->memory);
  probe_expect(graze_hull_create(points, n, 3, &counted, &hull, NULL), "hull");
  t->steps += (double)hull.vertex_count, t->bytes += (double)t->memory.live;
  graze_hull_destroy(&hull);
}

static void make_sphere(const stock *s, size_t i, tally *t) { make_hull(s->on_sphere + i % HULLS * s->n, s->n, t); }
static void make_cube(const stock *s, size_t i, tally *t) { make_hull(s->in_cube + i % HULLS * s->n, s->n, t); }

static const struct {
  const char *name;
  void (*query)(const stock *s, size_t query, tally *t);
  size_t vertices;    /* smallest size */
  double ns;          /* approximate time per vertex of large hulls */
  size_t least, most; /* queries per pass */
} CURVES[] = {{"support, scanned", query_scan, LEAST, 1, 1024, DIRECTIONS},
              {"support, climbed", query_climb, GRZ_CLIMB_MIN_COUNT, 0.01, DIRECTIONS, DIRECTIONS},
              {"half-space, lists", query_ground, LEAST, 8, 64, QUERIES},
              {"distance, lists", query_separated_lists, LEAST, 15, 128, QUERIES},
              {"distance, hulls", query_separated_hulls, LEAST, 3, 128, QUERIES},
              {"depth, lists", query_overlapping_lists, LEAST, 100, 64, QUERIES},
              {"depth, hulls", query_overlapping_hulls, LEAST, 100, 64, QUERIES},
              {"making, sphere", make_sphere, LEAST, 4000, 2, 8 * HULLS},
              {"making, cube", make_cube, LEAST, 300, HULLS, 8 * HULLS}};
enum { KINDS = sizeof CURVES / sizeof *CURVES };

static size_t queries(size_t curve, size_t n) {
  const size_t passes = (size_t)(PASS_NS / (CURVES[curve].ns * (double)n));
  return passes < CURVES[curve].least ? CURVES[curve].least : passes > CURVES[curve].most ? CURVES[curve].most : passes;
}

/* Returns the seconds of a pass. */
static double pass(const stock *s, size_t curve, size_t repeat, tally *t) {
  const size_t count = queries(curve, s->n);
  const double start = probe_seconds();
  for (size_t k = 0; k < repeat; k++)
    for (size_t i = 0; i < count; i++) CURVES[curve].query(s, i, t);
  return (probe_seconds() - start) / (double)repeat;
}

/* One size. */
typedef struct record {
  stock *stock;
  double times[KINDS][MAX_PASSES];
  size_t repeat[KINDS];
  tally first[KINDS];
} record;

static void begin(record *r, size_t n) {
  r->stock = make(n);
  for (size_t i = 0; i < KINDS; i++)
    if (n >= CURVES[i].vertices) r->repeat[i] = 1 + (size_t)(MIN_SECONDS / pass(r->stock, i, 1, &r->first[i]));
}

static void measure(record *r, size_t at) {
  tally again = {.stopped = 0};
  for (size_t i = 0; i < KINDS; i++)
    if (r->repeat[i] > 0) r->times[i][at] = pass(r->stock, i, r->repeat[i], &again);
}

static void print_curve(record *r, size_t curve, size_t passes) {
  const size_t n = r->stock->n;
  const tally *t = &r->first[curve];
  double *times = r->times[curve];
  const double count = (double)queries(curve, n), unit = 1e9 / count, median = probe_median(times, passes);
  printf("{\"curve\": \"%s\", \"n\": %zu, \"ns\": %.2f, \"least_ns\": %.2f, \"most_ns\": %.2f, \"passes\": %zu, "
         "\"queries\": %.0f, \"steps\": %.3f, \"stopped\": %zu, \"bytes\": %.0f, \"most_bytes\": %zu}\n",
         CURVES[curve].name, n, unit * median, unit * times[0], unit * times[passes - 1], passes, count,
         t->steps / count, t->stopped, t->bytes / count, t->memory.peak);
}

int main(int argc, char **argv) {
  const size_t passes = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 7;
  static record records[SIZES];
  if (passes < 1 || passes > MAX_PASSES) return 2;
  for (size_t i = 0; i < SIZES; i++) begin(&records[i], (size_t)LEAST << i);
  for (size_t k = 0; k < passes; k++) {
    for (size_t i = 0; i < SIZES; i++) measure(&records[i], k);
    if (k % SCENES == 0) growth_scenes_pass();
  }
  for (size_t curve = 0; curve < KINDS; curve++)
    for (size_t i = 0; i < SIZES; i++)
      if (records[i].repeat[curve] > 0) print_curve(&records[i], curve, passes);
  growth_scenes_print();
  for (size_t i = 0; i < SIZES; i++) destroy(records[i].stock);
  return 0;
}
