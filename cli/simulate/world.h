/* A scene in motion: the scene of the library, and the state of each body at the beginning of the step. */
#ifndef GRAZE_CLI_SIMULATE_WORLD_H
#define GRAZE_CLI_SIMULATE_WORLD_H

#include "simulate/scene.h"

typedef struct sim_world {
  const sim_scene *scene;
  graze_scene *handle;
  graze_body *ids;
  size_t *index_of; /* by slot */
  /* Each body at the beginning of the step, with its motion in the step. */
  graze_placed *placed;
  graze_motion *motions;
  size_t step;       /* the number of steps done */
  size_t error_body; /* if sim_world_prepare() fails: the body whose motion is invalid */
} sim_world;

/* False: see error. Otherwise the caller frees the world. */
bool sim_world_make(const sim_scene *scene, cli_method method, sim_world *world, cli_error *error);
void sim_world_free(sim_world *world);

/* Before a step: applies gravity and planned trajectories, and stores the states. */
graze_status sim_world_prepare(sim_world *world);
/* The step; only this is timed. */
graze_status sim_world_step(sim_world *world, graze_step *step);
/* After a step: reflects bodies at the boundary of the arena. */
graze_status sim_world_finish(sim_world *world);

/* The index in the scene of the body of an event. */
size_t sim_world_index(const sim_world *world, graze_body body);
/* The time at which the next step begins. */
double sim_world_time(const sim_world *world);

/* The cast of a method: an option of graze_cast(), or a function of compare.h with its context. */
typedef struct sim_cast {
  graze_cast_method option;
  graze_cast_function function; /* NULL: graze_cast() */
  void *context;
} sim_cast;

sim_cast sim_cast_of(cli_method method);

/* Conservative bounds of a body in motion for a time dt, grown by a margin. */
graze_aabb sim_swept_bounds(const graze_placed *placed, const graze_motion *motion, double margin, double dt);

static inline bool sim_bounds_overlap(const graze_aabb *a, const graze_aabb *b) {
  return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
         a->min.z <= b->max.z && b->min.z <= a->max.z;
}

#endif
