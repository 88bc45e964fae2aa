/* Times casts of boxes: a first contact, or how near they come.
 *
 *   cast [PAIRS]        20000 pairs, unless said otherwise
 *
 * Boxes of half extents 0.1 to 2 in any rotation stand 0.1 to 2 apart and fly towards each other, 0.5 to 4 in a step,
 * so much aside that two in three hit. Best of several passes, processor time of a cast, and of the distance of
 * the same boxes at the beginning. Every answer is verified. */
#define _POSIX_C_SOURCE 199309L
#include "probe.h"

enum { PASSES = 15 };

typedef struct pair {
  graze_placed a, b;
  graze_vec velocity;
} pair;

static uint64_t state = 0x9e3779b97f4a7c15u;

static double between(double low, double high) { return low + (high - low) * 0.5 * (probe_uniform(&state) + 1); }

static graze_placed any_box(graze_vec at) {
  graze_shape box = graze_box(between(0.1, 2), between(0.1, 2), between(0.1, 2));
  return graze_place(&box, graze_pose3(at, probe_uniform(&state), probe_uniform(&state), probe_uniform(&state),
                                       probe_uniform(&state)));
}

/* B stands along d, `gap` away, and flies back along it and aside. */
static void make_pair(pair *p) {
  graze_vec d = probe_sphere(&state), aside = probe_sphere(&state);
  graze_interval from_a, from_b;
  double gap = between(0.1, 2), speed = between(0.5, 4);
  p->a = any_box((graze_vec){0, 0, 0});
  p->b = any_box((graze_vec){0, 0, 0});
  probe_expect(graze_project(&p->a, d, &from_a), "project");
  probe_expect(graze_project(&p->b, d, &from_b), "project");
  double way = from_a.max - from_b.min + gap;
  graze_pose pose = p->b.pose;
  pose.position = (graze_vec){way * d.x, way * d.y, way * d.z};
  probe_expect(graze_set_pose(&p->b, pose), "pose");
  p->velocity =
      (graze_vec){speed * (0.35 * aside.x - d.x), speed * (0.35 * aside.y - d.y), speed * (0.35 * aside.z - d.z)};
}

static void judge(const pair *pairs, size_t count) {
  const graze_vec still = {0, 0, 0};
  size_t hits = 0;
  double width = 0;
  for (size_t i = 0; i < count; i++) {
    graze_impact impact;
    probe_expect(graze_cast(&pairs[i].a, still, &pairs[i].b, pairs[i].velocity, 1, NULL, &impact), "cast");
    probe_expect(graze_verify_cast(&pairs[i].a, still, &pairs[i].b, pairs[i].velocity, 1, NULL, &impact), "verify");
    if (impact.result != GRAZE_HIT) continue;
    hits++;
    width = fmax(width, impact.t_upper - impact.t_lower);
  }
  printf("%zu pairs, %zu hits, all verified; widest bracket %.1e\n", count, hits, width);
}

int main(int count, char **arguments) {
  const graze_vec still = {0, 0, 0};
  size_t n = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 20000;
  pair *pairs = probe_room(n, sizeof *pairs);
  double cast = INFINITY, distance = INFINITY;
  for (size_t i = 0; i < n; i++) make_pair(&pairs[i]);
  judge(pairs, n);
  for (int pass = 0; pass < PASSES; pass++) {
    graze_impact impact;
    graze_answer answer;
    double start = probe_seconds();
    for (size_t i = 0; i < n; i++)
      probe_expect(graze_cast(&pairs[i].a, still, &pairs[i].b, pairs[i].velocity, 1, NULL, &impact), "cast");
    cast = fmin(cast, (probe_seconds() - start) / (double)n);
    start = probe_seconds();
    for (size_t i = 0; i < n; i++) probe_expect(graze_distance(&pairs[i].a, &pairs[i].b, NULL, &answer), "distance");
    distance = fmin(distance, (probe_seconds() - start) / (double)n);
  }
  printf("a cast %.0f ns, a distance %.0f ns\n", cast * 1e9, distance * 1e9);
  free(pairs);
  return 0;
}
