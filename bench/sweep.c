/* Compares the cast methods on boxes with increasing rotations.
 *
 *   sweep [PAIRS]       default 5000
 *
 * Boxes with half extents 0.1 to 1 and random rotations move between two positions in a cube of side 6, and rotate
 * about random axes by up to 0, 1, 6 and 20 radians. Prints processor time of a query, the best of several interleaved
 * passes, and that of the initial distance. Wrong: results of sweep or ca that contradict each other or 1000 samples,
 * or a proof of sweep that is rejected. Missed: hits that 64 samples (`discrete`) miss. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

#include <graze/compare.h>

enum { PASSES = 7, METHODS = 5, SAMPLES = 1000, STEPS = 1 << 12 };

typedef struct pair {
  graze_placed a, b;
  graze_motion motion_a, motion_b;
} pair;

enum { SWEEP, CA, DISCRETE };

static const struct {
  const char *name;
  graze_cast_method method;
  graze_cast_function compare; /* or NULL */
} methods[METHODS] = {
    {"sweep", GRAZE_CAST_SWEEP, NULL},
    {"ca", GRAZE_CAST_CA, NULL},
    {"discrete", GRAZE_CAST_AUTO, graze_compare_sampling},
    {"fccd", GRAZE_CAST_FCCD, NULL},
    {"lccd", GRAZE_CAST_AUTO, graze_compare_lccd},
};

static uint64_t state = 0x9e3779b97f4a7c15u;

static double between(double low, double high) { return low + (high - low) * 0.5 * (probe_uniform(&state) + 1); }

static graze_vec any_place(void) {
  double x = 3 * probe_uniform(&state), y = 3 * probe_uniform(&state), z = 3 * probe_uniform(&state);
  return (graze_vec){x, y, z};
}

static void make_body(double turn, graze_placed *placed, graze_motion *motion) {
  const graze_vec from = any_place(), to = any_place(), axis = probe_sphere(&state);
  const double x = between(0.1, 1), y = between(0.1, 1), z = between(0.1, 1), rate = between(0, turn);
  const graze_vec q = probe_sphere(&state);
  graze_shape box = graze_box(x, y, z);
  *placed = graze_place(&box, graze_pose3(from, probe_uniform(&state), q.x, q.y, q.z));
  motion->velocity = (graze_vec){to.x - from.x, to.y - from.y, to.z - from.z};
  motion->angular = (graze_vec){rate * axis.x, rate * axis.y, rate * axis.z};
}

static void run_query(const pair *p, int method, graze_cast_result *cast) {
  graze_cast_options options = graze_default_cast_options();
  options.method = methods[method].method;
  graze_cast_function compare = methods[method].compare;
  probe_expect(compare ? compare(NULL, &p->a, &p->motion_a, &p->b, &p->motion_b, 1, &options, cast)
                       : graze_cast(&p->a, &p->motion_a, &p->b, &p->motion_b, 1, &options, cast),
               "cast");
}

static bool contradict(const graze_cast_result *x, const graze_cast_result *y) {
  if (x->outcome == GRAZE_POSSIBLE || y->outcome == GRAZE_POSSIBLE) return false;
  if (x->outcome != y->outcome) return true;
  return x->outcome == GRAZE_HIT && (x->t_lower > y->t_upper || y->t_lower > x->t_upper);
}

/* Whether samples overlap although the result is clear. */
static bool sampled(const pair *p, double until) {
  pair now = *p;
  graze_answer answer;
  for (int i = 0; i < SAMPLES; i++) {
    const double t = until * i / SAMPLES;
    probe_expect(graze_set_pose(&now.a, graze_pose_after(&p->a.pose, &p->motion_a, t)), "pose");
    probe_expect(graze_set_pose(&now.b, graze_pose_after(&p->b.pose, &p->motion_b, t)), "pose");
    probe_expect(graze_intersect(&now.a, &now.b, NULL, &answer), "intersect");
    if (answer.relation == GRAZE_OVERLAPPING) return true;
  }
  return false;
}

static bool proved(const pair *p) {
  static graze_cast_step steps[STEPS];
  graze_cast_result cast;
  graze_certificate certificate;
  graze_cast_options options = graze_default_cast_options();
  options.method = GRAZE_CAST_SWEEP, options.certificate = &certificate;
  options.steps = steps, options.step_capacity = STEPS;
  probe_expect(graze_cast(&p->a, &p->motion_a, &p->b, &p->motion_b, 1, &options, &cast), "cast");
  return graze_verify_cast(&p->a, &p->motion_a, &p->b, &p->motion_b, 1, NULL, &cast, &certificate) == GRAZE_OK;
}

static void compare_methods(const pair *pairs, size_t count) {
  size_t hits = 0, possible = 0, wrong = 0, missed = 0, unproved = 0;
  for (size_t i = 0; i < count; i++) {
    graze_cast_result sweep, ca, discrete;
    const pair *p = &pairs[i];
    run_query(p, SWEEP, &sweep);
    run_query(p, CA, &ca);
    run_query(p, DISCRETE, &discrete);
    const bool starts = sweep.start_relation == GRAZE_OVERLAPPING, hit = sweep.outcome == GRAZE_HIT;
    wrong += contradict(&sweep, &ca) || (!starts && sampled(p, hit ? sweep.t_lower : 1));
    unproved += !proved(p);
    hits += hit;
    possible += sweep.outcome == GRAZE_POSSIBLE;
    missed += hit && discrete.outcome != GRAZE_HIT;
  }
  printf("%zu hits, %zu possible, %zu wrong, %zu not proved; %zu missed by 64 samples\n", hits, possible, wrong,
         unproved, missed);
}

static void measure(pair *pairs, size_t n, double turn) {
  double best[METHODS] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}, distance = INFINITY;
  const int count = turn > 0 ? 3 : METHODS;
  for (size_t i = 0; i < n; i++) {
    make_body(turn, &pairs[i].a, &pairs[i].motion_a);
    make_body(turn, &pairs[i].b, &pairs[i].motion_b);
  }
  printf("up to %g radians: ", turn);
  compare_methods(pairs, n);
  for (int pass = 0; pass < PASSES; pass++) {
    for (int k = 0; k < count; k++) {
      graze_cast_result cast;
      const double start = probe_seconds();
      for (size_t i = 0; i < n; i++) run_query(&pairs[i], k, &cast);
      best[k] = fmin(best[k], (probe_seconds() - start) / (double)n);
    }
    graze_answer answer;
    const double start = probe_seconds();
    for (size_t i = 0; i < n; i++) probe_expect(graze_distance(&pairs[i].a, &pairs[i].b, NULL, &answer), "distance");
    distance = fmin(distance, (probe_seconds() - start) / (double)n);
  }
  for (int k = 0; k < count; k++) printf("  %s %.0f ns (%.1f)", methods[k].name, best[k] * 1e9, best[k] / distance);
  printf("; a distance %.0f ns (1)\n", distance * 1e9);
}

int main(int count, char **arguments) {
  static const double turns[] = {0, 1, 6, 20};
  size_t n = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 5000;
  pair *pairs = probe_allocate(n, sizeof *pairs);
  for (int i = 0; i < 4; i++) measure(pairs, n, turns[i]);
  free(pairs);
  return 0;
}
