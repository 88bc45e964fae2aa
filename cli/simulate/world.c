/* Worlds: see world.h. */
#include "simulate/run.h"

#include <graze/compare.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

sim_cast sim_cast_of(cli_method method) {
  static int samples = 2; /* the beginning and the end of a step */
  switch (method) {
  case CLI_METHOD_FCCD: return (sim_cast){.option = GRAZE_CAST_FCCD};
  case CLI_METHOD_SWEEP: return (sim_cast){.option = GRAZE_CAST_SWEEP};
  case CLI_METHOD_CA: return (sim_cast){.option = GRAZE_CAST_CA};
  case CLI_METHOD_LCCD: return (sim_cast){.function = graze_compare_lccd};
  case CLI_METHOD_DISCRETE: return (sim_cast){.function = graze_compare_sampling, .context = &samples};
  default: return (sim_cast){.option = GRAZE_CAST_AUTO};
  }
}

/* Reports a body that the library rejects, with the key of the scene file. */
static bool reject_body(size_t index, graze_status status, const graze_error *e, cli_error *error) {
  static const char *const keys[][2] = {{"shape", "shape"},
                                        {"pose.position", "shape.position"},
                                        {"motion.velocity", "velocity"},
                                        {"motion.angular", "angular_velocity"}};
  const char *key = e->what ? e->what : "";
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(keys[i][0], key) == 0) key = keys[i][1];
  return cli_reject(error, status == GRAZE_UNSUPPORTED ? CLI_UNSUPPORTED : CLI_BAD_SHAPE, "bodies[%zu].%s: %s", index,
                    key, graze_status_text(status));
}

static bool reserve(sim_world *world) {
  size_t count = world->scene->count;
  world->ids = calloc(count + 1, sizeof *world->ids);
  world->placed = calloc(count + 1, sizeof *world->placed);
  world->motions = calloc(count + 1, sizeof *world->motions);
  return world->ids && world->placed && world->motions;
}

static bool add_bodies(sim_world *world, cli_error *error) {
  size_t slots = 0;
  for (size_t i = 0; i < world->scene->count; i++) {
    graze_error e = {.index = -1};
    graze_status status = graze_scene_add(world->handle, &world->scene->bodies[i].def, &world->ids[i], &e);
    if (status != GRAZE_OK) return reject_body(i, status, &e, error);
    if (world->ids[i].slot >= slots) slots = world->ids[i].slot + 1;
  }
  world->index_of = calloc(slots + 1, sizeof *world->index_of);
  if (world->index_of == NULL) return cli_reject_memory(error);
  for (size_t i = 0; i < world->scene->count; i++) world->index_of[world->ids[i].slot] = i;
  return true;
}

bool sim_world_make(const sim_scene *scene, cli_method method, sim_world *world, cli_error *error) {
  graze_scene_def def = graze_default_scene();
  *world = (sim_world){.scene = scene};
  def.dim = scene->dim;
  const sim_cast cast = sim_cast_of(method);
  def.method = cast.option;
  def.cast = cast.function;
  def.cast_context = cast.context;
  bool good = reserve(world) && graze_scene_create(&def, NULL, &world->handle, NULL) == GRAZE_OK;
  good = good ? add_bodies(world, error) : cli_reject_memory(error);
  if (!good) sim_world_free(world);
  return good;
}

void sim_world_free(sim_world *world) {
  graze_scene_destroy(world->handle);
  free(world->ids);
  free(world->index_of);
  free(world->placed);
  free(world->motions);
  *world = (sim_world){.scene = NULL};
}

double sim_world_time(const sim_world *world) { return (double)world->step * world->scene->dt; }

size_t sim_world_index(const sim_world *world, graze_body body) { return world->index_of[body.slot]; }

/* Computes the motion of a body in the next step. Returns whether it changes. */
static bool update_motion(const sim_world *world, const sim_body *body, const graze_pose *pose, graze_motion *motion) {
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
    graze_status status = graze_scene_get(world->handle, world->ids[i], &now);
    world->error_body = i;
    if (status != GRAZE_OK) return status;
    if (update_motion(world, &world->scene->bodies[i], &now.pose, &now.motion))
      status = graze_scene_set_motion(world->handle, world->ids[i], &now.motion, NULL);
    if (status != GRAZE_OK) return status;
    world->placed[i] = *graze_scene_placed(world->handle, world->ids[i]);
    world->motions[i] = now.motion;
  }
  return GRAZE_OK;
}

graze_status sim_world_step(sim_world *world, graze_step *step) {
  graze_status status = graze_scene_step(world->handle, world->scene->dt, step);
  if (status == GRAZE_OK) world->step++;
  return status;
}

graze_status sim_world_finish(sim_world *world) {
  if (world->scene->arena == 0) return GRAZE_OK;
  for (size_t i = 0; i < world->scene->count; i++) {
    graze_body_def now;
    graze_status status = graze_scene_get(world->handle, world->ids[i], &now);
    if (status == GRAZE_OK && sim_reflect(world->scene->arena, now.pose.position, &now.motion.velocity))
      status = graze_scene_set_motion(world->handle, world->ids[i], &now.motion, NULL);
    if (status != GRAZE_OK) return status;
  }
  return GRAZE_OK;
}

/* A rotating body stays in the ball around its position through the farthest corner of its bounds. */
static void include_rotation(graze_aabb *box, graze_vec p) {
  double x = fmax(p.x - box->min.x, box->max.x - p.x), y = fmax(p.y - box->min.y, box->max.y - p.y);
  double z = fmax(p.z - box->min.z, box->max.z - p.z), radius = sqrt(x * x + y * y + z * z);
  *box = (graze_aabb){{p.x - radius, p.y - radius, p.z - radius}, {p.x + radius, p.y + radius, p.z + radius}};
}

/* Adds a billionth of the numbers, which is far more than the rounding errors. */
static void sweep_interval(double *low, double *high, double displacement, double margin) {
  double more = margin + 1e-9 * (fabs(*low) + fabs(*high) + fabs(displacement));
  *low += fmin(displacement, 0) - more;
  *high += fmax(displacement, 0) + more;
}

graze_aabb sim_swept_bounds(const graze_placed *placed, const graze_motion *motion, double margin, double dt) {
  graze_aabb box;
  graze_vec all = {INFINITY, INFINITY, INFINITY}, v = motion->velocity;
  if (graze_bounds(placed, &box) != GRAZE_OK) return (graze_aabb){{-all.x, -all.y, -all.z}, all};
  if (!sim_is_zero(motion->angular)) include_rotation(&box, placed->pose.position);
  sweep_interval(&box.min.x, &box.max.x, v.x * dt, margin);
  sweep_interval(&box.min.y, &box.max.y, v.y * dt, margin);
  sweep_interval(&box.min.z, &box.max.z, v.z * dt, margin);
  return box;
}
