/* Scenes: the generator of moving cubes, and planned trajectories. */
#include "simulate/simulation.h"

#include "model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const sim_types[] = {"static", "kinematic", "dynamic", NULL};
const char *const sim_methods[] = {"auto", "fccd", "sweep", "lccd", "ca", "discrete", NULL};
const cli_method sim_method_values[] = {CLI_METHOD_AUTO, CLI_METHOD_FCCD, CLI_METHOD_SWEEP,
                                        CLI_METHOD_LCCD, CLI_METHOD_CA,   CLI_METHOD_DISCRETE};
const char *const sim_responses[] = {"none", "stop", "slide", "bounce", NULL};

void sim_fact_add(sim_facts *facts, const char *name, const char *format, ...) {
  if (facts->count == sizeof facts->list / sizeof *facts->list) {
    facts->failed = true;
    return;
  }
  sim_fact *fact = &facts->list[facts->count++];
  char value[sizeof fact->value + 8];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value, sizeof value, format, arguments);
  va_end(arguments);
  cli_cut(value, sizeof fact->value);
  memcpy(fact->value, value, strlen(value) + 1);
  snprintf(fact->name, sizeof fact->name, "%s", name);
}

void sim_scene_free(sim_scene *scene) {
  for (size_t i = 0; i < scene->count; i++) {
    cli_body_free(&scene->bodies[i].shape);
    free(scene->bodies[i].path);
  }
  free(scene->bodies);
  cli_models_free(&scene->models);
  *scene = (sim_scene){.count = 0};
}

static void include_bounds(graze_aabb *all, const graze_placed *placed) {
  graze_aabb one;
  if (graze_bounds(placed, &one) != GRAZE_OK) return;
  *all = (graze_aabb){vec_min(all->min, one.min), vec_max(all->max, one.max)};
}

graze_aabb sim_scene_bounds(const sim_scene *scene) {
  graze_aabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    graze_placed placed = graze_place(&body->def.shape, body->def.pose);
    include_bounds(&all, &placed);
    for (size_t k = 0; body->def.shape.kind != GRAZE_HALFSPACE && k < body->path_count; k++) {
      graze_set_pose(&placed, body->path[k].pose);
      include_bounds(&all, &placed);
    }
  }
  if (all.min.x > all.max.x) all = (graze_aabb){{-1, -1, -1}, {1, 1, 1}};
  if (scene->dim == 2) all.min.z = all.max.z = 0;
  return all;
}

bool sim_reflect(double arena, graze_vec position, graze_vec *velocity) {
  const double at[] = {position.x, position.y, position.z};
  double *v[] = {&velocity->x, &velocity->y, &velocity->z};
  bool changed = false;
  for (int k = 0; k < 3; k++) {
    bool outward = (at[k] > arena && *v[k] > 0) || (at[k] < -arena && *v[k] < 0);
    if (outward) *v[k] = -*v[k];
    changed = changed || outward;
  }
  return changed;
}

/* ---- Moving cubes: random sizes, poses and velocities in a cube of fixed density; at first none touch */

static const double MIN_HALF = 0.2, MAX_HALF = 0.6; /* half edges */
static const double MIN_SPEED = 1, MAX_SPEED = 10;  /* length per unit of time */
static const double MAX_ROTATION = 6;               /* radians per unit of time */
static const double DENSITY = 0.05;                 /* cubes per unit of volume */
enum { MAX_TRIES = 10000 };

/* SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine. */
static double next_between(uint64_t *state, double low, double high) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return low + (high - low) * ((double)(z >> 11) * 0x1p-53);
}

/* A random point of the unit ball in `dim` dimensions, by rejection, not near its centre. Returns |p|². */
static double next_in_ball(uint64_t *state, int dim, double point[4]) {
  for (;;) {
    double square = 0;
    for (int i = 0; i < dim; i++) {
      point[i] = next_between(state, -1, 1);
      square += point[i] * point[i];
    }
    if (square <= 1 && square >= 1e-4) return square;
  }
}

static graze_vec next_direction(uint64_t *state) {
  double p[4], length = sqrt(next_in_ball(state, 3, p));
  return (graze_vec){p[0] / length, p[1] / length, p[2] / length};
}

/* A position at which the bounding ball is separated from all others, unless the arena is too small. */
static graze_vec next_position(uint64_t *state, const sim_scene *scene, double half) {
  for (int tries = 0;; tries++) {
    double x = next_between(state, -scene->arena, scene->arena), y = next_between(state, -scene->arena, scene->arena);
    graze_vec position = {x, y, next_between(state, -scene->arena, scene->arena)};
    bool separated = true;
    for (size_t i = 0; separated && i < scene->count; i++) {
      const graze_vec d = vec_sub(scene->bodies[i].def.pose.position, position);
      const double both = scene->bodies[i].half + half;
      separated = vec_dot(d, d) > 3 * both * both;
    }
    if (separated || tries == MAX_TRIES) return position;
  }
}

/* A solid of 1,000 triangles in place of a cube: a ball with bumps and hollows, inside the bounding ball of the cube.
 * Its coordinates are rounded: the same on every machine. */
static graze_mesh *make_bumpy_ball(double half) {
  enum { ROWS = 26, COLUMNS = 20, VERTICES = 2 + (ROWS - 1) * COLUMNS };
  const double pi = 3.14159265358979323846;
  static graze_vec vertices[VERTICES];
  static int32_t faces[2 * COLUMNS * (ROWS - 1)][3];
  size_t count = 0;
  vertices[0] = (graze_vec){0, 0, half}, vertices[1] = (graze_vec){0, 0, -half};
  for (int i = 1; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++) {
      const double down = pi * i / ROWS, around = 2 * pi * k / COLUMNS;
      const double r = half * (1.25 + 0.375 * sin(4 * down) * cos(5 * around));
      const graze_vec at = {r * sin(down) * cos(around), r * sin(down) * sin(around), r * cos(down)};
      vertices[2 + (i - 1) * COLUMNS + k] =
          vec_scale((graze_vec){rint(0x1p20 * at.x), rint(0x1p20 * at.y), rint(0x1p20 * at.z)}, 0x1p-20);
    }
  for (int i = 0; i < ROWS; i++)
    for (int k = 0; k < COLUMNS; k++) {
      const int next = (k + 1) % COLUMNS, above = 2 + (i - 1) * COLUMNS, below = above + COLUMNS;
      if (i == 0)
        memcpy(faces[count++], (int32_t[3]){0, below + k, below + next}, sizeof *faces);
      else if (i + 1 == ROWS)
        memcpy(faces[count++], (int32_t[3]){above + k, 1, above + next}, sizeof *faces);
      else
        memcpy(faces[count++], (int32_t[3]){above + k, below + k, above + next}, sizeof *faces),
            memcpy(faces[count++], (int32_t[3]){below + k, below + next, above + next}, sizeof *faces);
    }
  const graze_mesh_def def = {
      .dim = 3, .vertices = vertices, .vertex_count = VERTICES, .faces = faces[0], .face_count = count};
  graze_mesh *mesh;
  return graze_mesh_create(&def, NULL, &mesh, NULL) == GRAZE_OK ? mesh : NULL;
}

/* Draws all random numbers whatever the options are, so that --spin, --meshes and --respond change nothing else. */
static bool add_cube(uint64_t *state, const sim_cubes *cubes, sim_scene *scene) {
  double half = next_between(state, MIN_HALF, MAX_HALF), q[4];
  graze_body_def def = graze_default_body();
  sim_body *body = &scene->bodies[scene->count];
  if (cubes->meshes) body->shape.mesh = body->shape.own_mesh = make_bumpy_ball(half);
  if (cubes->meshes && body->shape.mesh == NULL) return false;
  def.shape = cubes->meshes ? graze_mesh_shape(body->shape.mesh) : graze_box(half, half, half);
  graze_vec position = next_position(state, scene, half);
  next_in_ball(state, 4, q);
  def.pose = graze_pose3(position, q[0], q[1], q[2], q[3]);
  graze_vec direction = next_direction(state);
  def.motion.velocity = vec_scale(direction, next_between(state, MIN_SPEED, MAX_SPEED));
  graze_vec axis = next_direction(state);
  double rate = next_between(state, 0, MAX_ROTATION);
  if (cubes->spin) def.motion.angular = vec_scale(axis, rate);
  def.mass = 8 * half * half * half;
  def.response = cubes->respond;
  body->def = def, body->half = half;
  scene->count++;
  return true;
}

bool sim_cubes_make(const sim_cubes *cubes, sim_scene *scene) {
  *scene = (sim_scene){.dim = 3, .dt = 1.0 / 60, .steps = 600, .method = CLI_METHOD_AUTO};
  scene->bodies = calloc(cubes->count, sizeof *scene->bodies);
  if (scene->bodies == NULL) return false;
  scene->arena = ceil(500 * cbrt((double)cubes->count / DENSITY)) / 1000; /* rounded: the same on every machine */
  double edge = scene->arena + MAX_HALF;
  scene->view = (graze_aabb){{-edge, -edge, -edge}, {edge, edge, edge}};
  uint64_t state = cubes->seed;
  while (scene->count < cubes->count)
    if (!add_cube(&state, cubes, scene)) {
      sim_scene_free(scene);
      return false;
    }
  snprintf(scene->title, sizeof scene->title, "%zu moving %s", cubes->count, cubes->meshes ? "meshes" : "cubes");
  snprintf(scene->caption, sizeof scene->caption, "A %s is red while it is in contact, and green otherwise.",
           cubes->meshes ? "mesh" : "cube");
  sim_facts *facts = &scene->facts;
  sim_fact_add(facts, "cubes", "%zu", cubes->count);
  sim_fact_add(facts, "seed", "%llu", (unsigned long long)cubes->seed);
  sim_fact_add(facts, "half edges", "%g to %g", MIN_HALF, MAX_HALF);
  if (cubes->meshes) sim_fact_add(facts, "in place of each cube", "a solid mesh of 1000 triangles");
  sim_fact_add(facts, "speeds", "%g to %g, all directions", MIN_SPEED, MAX_SPEED);
  if (cubes->spin)
    sim_fact_add(facts, "rotation", "0 to %g radians per unit of time, all axes", MAX_ROTATION);
  else
    sim_fact_add(facts, "rotation", "none (--spin)");
  sim_fact_add(facts, "arena", "a cube of edge %.6g, %g cubes per unit of volume", 2 * scene->arena, DENSITY);
  sim_fact_add(facts, "at its boundary", "a cube whose centre is outside reverses");
  sim_fact_add(facts, "mass", "the volume; bounce 1");
  return true;
}

/* ---- Planned trajectories: constant velocity and rate of rotation between keyframes */

graze_motion sim_motion_between(const graze_pose *from, const graze_pose *to, double time) {
  const double min_rotation = 1e-12; /* a smaller rotation, in radians, is caused by rounding */
  graze_motion motion = graze_motion_between(from, to, time);
  const graze_vec w = vec_scale(motion.angular, time);
  if (!(vec_dot(w, w) > min_rotation * min_rotation)) motion.angular = (graze_vec){0, 0, 0};
  return motion;
}

/* The last keyframe not later than t, or the first one. */
static const sim_keyframe *keyframe_at(const sim_body *body, double t) {
  size_t low = 0, high = body->path_count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    *(body->path[middle].t <= t ? &low : &high) = middle;
  }
  return &body->path[low];
}

graze_pose sim_path_pose(const sim_body *body, double t) {
  const sim_keyframe *key = keyframe_at(body, t);
  return t <= key->t ? key->pose : graze_pose_after(&key->pose, &key->motion, t - key->t);
}

/* Between two keyframes the body rotates at the planned rate, however fast, plus a correction of its error. In a step
 * that contains a keyframe it takes the shortest rotation to the planned pose. */
graze_motion sim_path_motion(const sim_body *body, const graze_pose *pose, double t, double dt) {
  graze_pose target = sim_path_pose(body, t + dt);
  graze_motion motion = sim_motion_between(pose, &target, dt);
  const sim_keyframe *key = keyframe_at(body, t);
  bool inside = t >= key->t && (key + 1 == body->path + body->path_count || t + dt <= key[1].t);
  if (!inside) return motion;
  graze_pose planned = sim_path_pose(body, t);
  motion.angular = vec_add(key->motion.angular, sim_motion_between(pose, &planned, dt).angular);
  return motion;
}
