/* Graze: bodies are put somewhere, and a step of no time says who is in contact. */
#define _POSIX_C_SOURCE 199309L
#include "cubes.h"
#include "probe.h"

#include <graze/scene.h>

typedef struct finder {
  graze_scene *scene;
  graze_pool *pool;
  graze_body *body;
  size_t moving;
} finder;

static graze_pose pose_of(const bench_cube *cube) {
  const double *p = cube->position, *q = cube->rotation;
  return graze_pose3((graze_vec){p[0], p[1], p[2]}, q[3], q[0], q[1], q[2]);
}

static void *make(const bench_cubes *cubes, int threads) {
  finder *self = probe_room(1, sizeof *self);
  graze_scene_def world = graze_default_scene();
  self->body = probe_room(cubes->count, sizeof *self->body);
  self->moving = cubes->moving;
  probe_expect(graze_pool_create(threads, NULL, &self->pool), "pool");
  const graze_parallel parallel = graze_pool_parallel(self->pool);
  if (threads > 1) world.parallel = &parallel;
  probe_expect(graze_scene_create(&world, NULL, &self->scene), "scene");
  for (size_t i = 0; i < cubes->count; i++) {
    graze_body_def def = graze_default_body();
    const double half = cubes->cube[i].half;
    def.shape = graze_box(half, half, half);
    def.pose = pose_of(&cubes->cube[i]);
    if (i >= cubes->moving) def.type = GRAZE_STATIC;
    probe_expect(graze_scene_add(self->scene, &def, &self->body[i], NULL), "body");
  }
  return self;
}

static void update(void *context, const bench_cubes *cubes) {
  finder *self = context;
  for (size_t i = 0; i < self->moving; i++)
    probe_expect(graze_scene_set_pose(self->scene, self->body[i], pose_of(&cubes->cube[i])), "pose");
}

static size_t find(void *context) {
  finder *self = context;
  graze_step step;
  size_t count = 0;
  probe_expect(graze_scene_step(self->scene, 0, &step), "step");
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

/* As in graze_scene.c. */
#ifndef BENCH_BUILD
#define BENCH_BUILD ""
#endif

const bench_finder bench_find_graze = {"graze" BENCH_BUILD, (size_t)-1, make, update, find, release};
