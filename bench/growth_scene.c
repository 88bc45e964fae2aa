/* A step of a scene of moving cubes, those of `scene`: sets all poses, then finds the contacts. */
#define _POSIX_C_SOURCE 199309L
#include "growth.h"

#include "cubes_graze.h"

enum { WARM = 3, MIN_STEPS = 3, MAX_STEPS = 200, MAX_TIMES = 33 * MAX_STEPS };

static double step(graze_scene *scene, bench_cubes *cubes, const graze_body *body, graze_step *done) {
  bench_cubes_step(cubes);
  const double start = probe_seconds();
  cubes_graze_update(scene, cubes, body);
  probe_expect(graze_scene_step(scene, 0, done, NULL), "step");
  return probe_seconds() - start;
}

static const size_t counts[] = {100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 1000000};
enum { COUNTS = sizeof counts / sizeof *counts };

/* The results for one number of cubes, over all passes. */
typedef struct record {
  double times[MAX_TIMES], pairs, events;
  size_t timed;
  growth_memory memory; /* after one pass */
} record;

static record records[COUNTS];

static void measure(size_t count, record *r) {
  bench_cubes cubes = bench_cubes_make(count, count);
  graze_body *body = probe_allocate(count, sizeof *body);
  growth_memory memory = {0, 0};
  const graze_allocator counted = growth_counted(&memory);
  graze_scene *scene;
  probe_expect(graze_scene_create(NULL, &counted, &scene, NULL), "scene");
  cubes_graze_add(scene, &cubes, body);
  const size_t wanted = 1000000 / count;
  const size_t steps = wanted < MIN_STEPS ? MIN_STEPS : wanted > MAX_STEPS ? MAX_STEPS : wanted;
  graze_step done;
  for (int k = 0; k < WARM; k++) (void)step(scene, &cubes, body, &done);
  for (size_t k = 0; k < steps && r->timed < MAX_TIMES; k++) {
    r->times[r->timed++] = step(scene, &cubes, body, &done);
    r->pairs += (double)done.pairs, r->events += (double)done.event_count;
  }
  r->memory = memory;
  graze_scene_destroy(scene);
  bench_cubes_free(&cubes);
  free(body);
}

void growth_scenes_pass(void) {
  for (size_t i = 0; i < COUNTS; i++) measure(counts[i], &records[i]);
}

void growth_scenes_print(void) {
  for (size_t i = 0; i < COUNTS; i++) {
    record *r = &records[i];
    const double timed = (double)r->timed, median = probe_median(r->times, r->timed);
    printf("{\"curve\": \"scene\", \"n\": %zu, \"ns\": %.0f, \"least_ns\": %.0f, \"most_ns\": %.0f, \"passes\": %zu, "
           "\"pairs\": %.1f, \"events\": %.1f, \"bytes\": %zu, \"most_bytes\": %zu}\n",
           counts[i], 1e9 * median, 1e9 * r->times[0], 1e9 * r->times[r->timed - 1], r->timed, r->pairs / timed,
           r->events / timed, r->memory.live, r->memory.peak);
  }
}
