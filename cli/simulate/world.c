#include "simulate/world.h"

#include <stdlib.h>
#include <string.h>

/* What the library has against a body, in the words of the file. */
static const char *key_of(const char *what) {
  static const char *const KEYS[][2] = {
      {"shape", ".shape"},
      {"pose.position", ".shape.position"},
      {"motion.velocity", ".velocity"},
      {"motion.angular", ".angular_velocity"},
  };
  for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
    if (what && strcmp(KEYS[i][0], what) == 0) return KEYS[i][1];
  return NULL;
}

static bool refuse_body(size_t index, graze_status status, const graze_error *error, cli_error *complaint) {
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  const char *key = key_of(error->what), *what = error->what ? error->what : "";
  return cli_reject(complaint, status == GRAZE_UNSUPPORTED ? CLI_UNSUPPORTED : CLI_BAD_SHAPE, "bodies[%zu]%s%s: %s",
                    index, key ? key : ".", key ? "" : what, graze_status_text(status));
}

static bool reserve(sim_world *world) {
  size_t count = world->scene->count;
  world->ids = calloc(count + 1, sizeof *world->ids);
  world->placed = calloc(count + 1, sizeof *world->placed);
  world->motions = calloc(count + 1, sizeof *world->motions);
  return world->ids && world->placed && world->motions;
}

static bool add_bodies(sim_world *world, cli_error *complaint) {
  size_t slots = 0;
  for (size_t i = 0; i < world->scene->count; i++) {
    graze_error error = {GRAZE_OK, NULL, -1, 0};
    graze_status status = graze_scene_add(world->space, &world->scene->bodies[i].def, &world->ids[i], &error);
    if (status != GRAZE_OK) return refuse_body(i, status, &error, complaint);
    if (world->ids[i].slot >= slots) slots = world->ids[i].slot + 1;
  }
  world->index_of = calloc(slots + 1, sizeof *world->index_of);
  if (world->index_of == NULL) return cli_reject_memory(complaint);
  for (size_t i = 0; i < world->scene->count; i++) world->index_of[world->ids[i].slot] = i;
  return true;
}

bool sim_world_make(const sim_scene *scene, graze_method method, sim_world *world, cli_error *complaint) {
  graze_scene_def def = graze_default_scene();
  *world = (sim_world){.scene = scene};
  def.dim = scene->dim;
  def.method = method;
  bool good = reserve(world) && graze_scene_create(&def, NULL, &world->space, NULL) == GRAZE_OK;
  good = good ? add_bodies(world, complaint) : cli_reject_memory(complaint);
  if (!good) sim_world_free(world);
  return good;
}

void sim_world_free(sim_world *world) {
  graze_scene_destroy(world->space);
  free(world->ids);
  free(world->index_of);
  free(world->placed);
  free(world->motions);
  *world = (sim_world){.scene = NULL};
}

double sim_world_time(const sim_world *world) { return (double)world->step * world->scene->dt; }

size_t sim_world_index(const sim_world *world, graze_body body) { return world->index_of[body.slot]; }

/* The motion of a body in the next step; true: it is another than that which it has. */
static bool steer(const sim_world *world, const sim_body *body, const graze_pose *pose, graze_motion *motion) {
  const graze_vec *g = &world->scene->gravity;
  double dt = world->scene->dt;
  if (body->path_count > 0) {
    *motion = sim_path_motion(body, pose, sim_world_time(world), dt);
    return true;
  }
  if (body->def.type != GRAZE_DYNAMIC || sim_is_zero(*g)) return false;
  motion->velocity.x += dt * g->x;
  motion->velocity.y += dt * g->y;
  motion->velocity.z += dt * g->z;
  return true;
}

graze_status sim_world_prepare(sim_world *world) {
  for (size_t i = 0; i < world->scene->count; i++) {
    graze_body_def now;
    graze_status status = graze_scene_get(world->space, world->ids[i], &now);
    world->culprit = i;
    if (status != GRAZE_OK) return status;
    if (steer(world, &world->scene->bodies[i], &now.pose, &now.motion))
      status = graze_scene_set_motion(world->space, world->ids[i], &now.motion, NULL);
    if (status != GRAZE_OK) return status;
    world->placed[i] = *graze_scene_placed(world->space, world->ids[i]);
    world->motions[i] = now.motion;
  }
  return GRAZE_OK;
}

graze_status sim_world_step(sim_world *world, graze_step *step) {
  graze_status status = graze_scene_step(world->space, world->scene->dt, step);
  if (status == GRAZE_OK) world->step++;
  return status;
}

graze_status sim_world_finish(sim_world *world) {
  if (world->scene->room == 0) return GRAZE_OK;
  for (size_t i = 0; i < world->scene->count; i++) {
    graze_body_def now;
    graze_status status = graze_scene_get(world->space, world->ids[i], &now);
    if (status == GRAZE_OK && sim_turn_round(world->scene->room, now.pose.position, &now.motion.velocity))
      status = graze_scene_set_motion(world->space, world->ids[i], &now.motion, NULL);
    if (status != GRAZE_OK) return status;
  }
  return GRAZE_OK;
}
