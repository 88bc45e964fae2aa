/* A scene on its way: the library's scene, and what the bodies are about to do in the next step. */
#ifndef GRAZE_CLI_SIMULATE_WORLD_H
#define GRAZE_CLI_SIMULATE_WORLD_H

#include "simulate/scene.h"

typedef struct sim_world {
  const sim_scene *scene;
  graze_scene *space;
  graze_body *ids;
  size_t *index_of; /* by slot */
  /* Each body at the beginning of the step, as it is about to move. */
  graze_placed *placed;
  graze_motion *motions;
  size_t step;    /* how many are done */
  size_t culprit; /* where sim_world_prepare() fails: the body that cannot move so */
} sim_world;

/* False: the complaint says why. Otherwise end with sim_world_free(). */
bool sim_world_make(const sim_scene *scene, graze_method method, sim_world *world, cli_error *complaint);
void sim_world_free(sim_world *world);

/* Sets the bodies going for the next step: gravity, planned trajectories; and notes how they begin it. */
graze_status sim_world_prepare(sim_world *world);
/* Moves them. Nothing but this is timed. */
graze_status sim_world_step(sim_world *world, graze_step *step);
/* After it: bodies beyond the walls of the room turn round. */
graze_status sim_world_finish(sim_world *world);

/* The number in the scene of a body that an event names. */
size_t sim_world_index(const sim_world *world, graze_body body);
/* The time at which the next step begins. */
double sim_world_time(const sim_world *world);

/* How to move from `pose` to be where the trajectory is planned at the end of a step from t on. */
graze_motion sim_path_motion(const sim_body *body, const graze_pose *pose, double t, double dt);
/* Where the trajectory is planned at a time. */
graze_pose sim_path_pose(const sim_body *body, double t);
/* The motion by which one pose becomes the other in a time, turned the short way. */
graze_motion sim_motion_between(const graze_pose *from, const graze_pose *to, double time);

#endif
