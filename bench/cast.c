/* Times casts of boxes by two methods (FCCD, LCCD): the first contact, or the smallest distance.
 *
 *   cast [PAIRS]        default 20000
 *
 * Boxes with half extents 0.1 to 2 and gaps of 0.1 to 2 move towards each other, 0.5 to 4 per step, with lateral
 * offsets so that two of three pairs hit; once with random rotations and once axis-aligned. Prints the best of several
 * interleaved passes: processor time of a cast that hits, of one that misses, and of the initial distance. Every answer
 * is verified; wrong are those that are refuted or contradict the other method. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

#include <graze/compare.h>

enum { PASSES = 15 };

typedef struct pair {
  graze_placed a, b;
  graze_motion motion; /* of B */
} pair;

static uint64_t state = 0x9e3779b97f4a7c15u;

static double between(double low, double high) { return low + (high - low) * 0.5 * (probe_uniform(&state) + 1); }

static graze_placed any_box(graze_vec at, bool upright) {
  graze_shape box = graze_box(between(0.1, 2), between(0.1, 2), between(0.1, 2));
  if (upright) return graze_place(&box, graze_pose_at(at.x, at.y, at.z));
  return graze_place(&box, graze_pose3(at, probe_uniform(&state), probe_uniform(&state), probe_uniform(&state),
                                       probe_uniform(&state)));
}

/* B is at distance `gap` along d, and moves back along d and sideways. */
static void make_pair(pair *p, bool upright) {
  graze_vec d = probe_sphere(&state), aside = probe_sphere(&state);
  graze_interval from_a, from_b;
  double gap = between(0.1, 2), speed = between(0.5, 4);
  p->a = any_box((graze_vec){0, 0, 0}, upright);
  p->b = any_box((graze_vec){0, 0, 0}, upright);
  probe_expect(graze_project(&p->a, d, &from_a), "project");
  probe_expect(graze_project(&p->b, d, &from_b), "project");
  double distance = from_a.max - from_b.min + gap;
  graze_pose pose = p->b.pose;
  pose.position = (graze_vec){distance * d.x, distance * d.y, distance * d.z};
  probe_expect(graze_set_pose(&p->b, pose), "pose");
  p->motion.velocity =
      (graze_vec){speed * (0.35 * aside.x - d.x), speed * (0.35 * aside.y - d.y), speed * (0.35 * aside.z - d.z)};
}

/* `certificate`: NULL, or receives it. */
static void run_query(const pair *p, bool lccd, graze_cast_result *result, graze_certificate *certificate) {
  graze_cast_options options = graze_default_cast_options();
  options.certificate = certificate;
  if (!lccd) options.method = GRAZE_CAST_FCCD;
  probe_expect(lccd ? graze_compare_lccd(NULL, &p->a, NULL, &p->b, &p->motion, 1, &options, result)
                    : graze_cast(&p->a, NULL, &p->b, &p->motion, 1, &options, result),
               "cast");
}

static bool contradict(const graze_cast_result *x, const graze_cast_result *y) {
  if (x->outcome != y->outcome) return true;
  if (x->outcome == GRAZE_HIT) return x->t_lower > y->t_upper || y->t_lower > x->t_upper;
  return x->min_lower > y->min_upper || y->min_lower > x->min_upper;
}

/* Sorts the pairs that hit first; returns their number. */
static size_t sort_hits(pair *pairs, size_t count) {
  size_t hits = 0, wrong[2] = {0, 0}, exact[2] = {0, 0};
  double width[2] = {0, 0};
  for (size_t i = 0; i < count; i++) {
    graze_cast_result by[2];
    graze_certificate certificate[2];
    const pair p = pairs[i];
    for (int k = 0; k < 2; k++) run_query(&p, k == 1, &by[k], &certificate[k]);
    const bool differ = contradict(&by[0], &by[1]);
    for (int k = 0; k < 2; k++) {
      wrong[k] +=
          differ || graze_verify_cast(&p.a, NULL, &p.b, &p.motion, 1, NULL, &by[k], &certificate[k]) != GRAZE_OK;
      exact[k] += by[k].exact;
      if (by[k].outcome == GRAZE_HIT) width[k] = fmax(width[k], by[k].t_upper - by[k].t_lower);
    }
    if (by[0].outcome != GRAZE_HIT) continue;
    pairs[i] = pairs[hits];
    pairs[hits++] = p;
  }
  printf("%zu pairs, %zu hits\n", count, hits);
  for (int k = 0; k < 2; k++)
    printf("  %s %zu wrong, %zu exact, widest bracket %.1e\n", k ? "LCCD" : "FCCD", wrong[k], exact[k], width[k]);
  return hits;
}

static double time_casts(const pair *pairs, size_t count, bool lccd) {
  graze_cast_result result;
  const double start = probe_seconds();
  for (size_t i = 0; i < count; i++) run_query(&pairs[i], lccd, &result, NULL);
  return (probe_seconds() - start) / (double)count;
}

static double time_distances(const pair *pairs, size_t count) {
  graze_answer answer;
  const double start = probe_seconds();
  for (size_t i = 0; i < count; i++) probe_expect(graze_distance(&pairs[i].a, &pairs[i].b, NULL, &answer), "distance");
  return (probe_seconds() - start) / (double)count;
}

static void measure(pair *pairs, size_t n, bool upright) {
  double hit[2] = {INFINITY, INFINITY}, miss[2] = {INFINITY, INFINITY}, distance = INFINITY;
  for (size_t i = 0; i < n; i++) make_pair(&pairs[i], upright);
  printf("%s: ", upright ? "upright" : "any rotation");
  const size_t hits = sort_hits(pairs, n);
  for (int pass = 0; pass < PASSES; pass++) {
    for (int k = 0; k < 2; k++) {
      hit[k] = fmin(hit[k], time_casts(pairs, hits, k == 1));
      miss[k] = fmin(miss[k], time_casts(pairs + hits, n - hits, k == 1));
    }
    distance = fmin(distance, time_distances(pairs, n));
  }
  for (int k = 0; k < 2; k++)
    printf("  %s %.0f ns (a hit %.0f ns, a miss %.0f ns)\n", k ? "LCCD" : "FCCD",
           1e9 * (hit[k] * (double)hits + miss[k] * (double)(n - hits)) / (double)n, hit[k] * 1e9, miss[k] * 1e9);
  printf("  a distance %.0f ns\n", distance * 1e9);
}

int main(int count, char **arguments) {
  size_t n = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 20000;
  pair *pairs = probe_allocate(n, sizeof *pairs);
  measure(pairs, n, false);
  measure(pairs, n, true);
  free(pairs);
  return 0;
}
