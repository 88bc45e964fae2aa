/* Graze: sets the poses of bodies; a step with dt = 0 reports the contacts. */
#define _POSIX_C_SOURCE 199309L
#include "cubes_graze.h"

typedef struct finder {
  graze_scene *scene;
  graze_pool *pool;
  graze_body *body;
} finder;

static void *make(const bench_cubes *cubes, int threads) {
  finder *self = probe_allocate(1, sizeof *self);
  graze_scene_def world = graze_default_scene();
  self->body = probe_allocate(cubes->count, sizeof *self->body);
  probe_expect(graze_pool_create(threads, NULL, &self->pool), "pool");
  const graze_parallel parallel = graze_pool_parallel(self->pool);
  if (threads > 1) world.parallel = &parallel;
  probe_expect(graze_scene_create(&world, NULL, &self->scene, NULL), "scene");
  cubes_graze_add(self->scene, cubes, self->body);
  return self;
}

static void update(void *context, const bench_cubes *cubes) {
  finder *self = context;
  cubes_graze_update(self->scene, cubes, self->body);
}

static size_t find(void *context) {
  finder *self = context;
  graze_step step;
  size_t count = 0;
  probe_expect(graze_scene_step(self->scene, 0, &step, NULL), "step");
  for (size_t i = 0; i < step.event_count; i++) count += step.events[i].kind != GRAZE_EVENT_END;
  return count;
}

static void release(void *context) {
  finder *self = context;
  graze_scene_destroy(self->scene);
  graze_pool_destroy(self->pool);
  free(self->body);
  free(self);
}

/* As in graze_pairs.c. */
#ifndef BENCH_BUILD
#define BENCH_BUILD ""
#endif

const bench_finder bench_find_graze = {"graze" BENCH_BUILD, (size_t)-1, make, update, find, release};
