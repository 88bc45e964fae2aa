#include "scene/crowd.h"
#include "scene/make.h"

#include <limits.h>
#include <stdlib.h>

#include "support/shapes.h"

static void crowd_start(crowd *c, rng *dice, int dim) {
  graze_scene_def def = graze_default_scene();
  c->dim = def.dim = dim;
  c->dice = dice;
  c->compound_count = 0;
  c->stale = (graze_body){0, 0};
  c->memory = (failing_memory){.fail_at = LONG_MAX};
  const graze_allocator allocator = failing_allocator(&c->memory);
  if (graze_scene_create(&def, &allocator, &c->scene, NULL) != GRAZE_OK) abort();
}

static graze_shape crowd_halfspace(crowd *c) {
  graze_vec normal = rng_vec(c->dice, c->dim, 1);
  normal.x += normal.x == 0;
  const double offset = rng_uniform(c->dice, -12, -4);
  return halfspace_of(c->dim, normal, offset);
}

static graze_shape crowd_body_shape(crowd *c, graze_vec vertices[8]) {
  if (rng_below(c->dice, 10) == 0 && c->compound_count < CROWD_COMPOUNDS) {
    compound_fixture *made = &c->compounds[c->compound_count++];
    random_compound(c->dice, c->dim, 2 + rng_below(c->dice, 3), false, made);
    return graze_compound_shape(made->compound);
  }
  return rng_below(c->dice, 20) == 0 ? crowd_halfspace(c) : random_convex(c->dice, c->dim, true, vertices);
}

graze_shape crowd_any_shape(crowd *c, graze_vec vertices[8]) {
  if (rng_below(c->dice, 10) == 0 && c->compound_count > 0)
    return graze_compound_shape(c->compounds[rng_below(c->dice, c->compound_count)].compound);
  return rng_below(c->dice, 20) == 0 ? crowd_halfspace(c) : random_convex(c->dice, c->dim, true, vertices);
}

static graze_motion crowd_motion(crowd *c, const graze_body_def *def) {
  graze_motion motion = {{0, 0, 0}, {0, 0, 0}};
  if (def->type == GRAZE_STATIC || rng_below(c->dice, 3) == 0) return motion;
  motion.velocity = rng_vec(c->dice, c->dim, 3);
  if (def->shape.kind == GRAZE_HALFSPACE || rng_below(c->dice, 2)) return motion;
  motion.angular = c->dim == 2 ? (graze_vec){0, 0, rng_uniform(c->dice, -2, 2)} : rng_vec(c->dice, c->dim, 2);
  return motion;
}

static graze_body crowd_add(crowd *c, graze_shape shape, graze_pose pose) {
  graze_body body;
  graze_body_def def = passive_body();
  def.shape = shape, def.pose = pose;
  def.type = (graze_body_type)(1 + rng_below(c->dice, shape.kind == GRAZE_HALFSPACE ? 2 : 3));
  def.motion = crowd_motion(c, &def);
  def.category = 1u << rng_below(c->dice, 3);
  if (rng_below(c->dice, 3) == 0) def.mask = (uint64_t)rng_below(c->dice, 8);
  if (rng_below(c->dice, 3) == 0) def.margin = rng_uniform(c->dice, 0, 0.5);
  def.sensor = rng_below(c->dice, 6) == 0;
  if (graze_scene_add(c->scene, &def, &body, NULL) != GRAZE_OK) abort();
  return body;
}

void crowd_make(crowd *c, rng *dice, int dim, int count, double spread) {
  crowd_start(c, dice, dim);
  for (int i = 0; i < count; i++) {
    const graze_shape shape = crowd_body_shape(c, c->vertices[i]);
    const graze_body body = crowd_add(c, shape, random_grid_pose(dice, dim, spread));
    if (i % 16 == 5) c->stale = body;
  }
  if (graze_scene_step(c->scene, rng_uniform(dice, 0, 0.5), NULL, NULL) != GRAZE_OK) abort();
  if (c->stale.generation > 0) (void)graze_scene_remove(c->scene, c->stale);
}

void crowd_make_grid(crowd *c, rng *dice, int dim, int count) {
  const int side = dim == 2 ? 9 : 5;
  crowd_start(c, dice, dim);
  for (int i = 0; i < count; i++) {
    const graze_shape box = box_of(dim, 0.5, 0.5, 0.5);
    const int at = (i * 7) % (dim == 2 ? side * side : side * side * side), z = dim == 3 ? at / (side * side) : 0;
    (void)crowd_add(c, box, graze_pose_at(2 * (at % side) - side, at / side % side, z));
  }
}

void crowd_free(crowd *c) {
  graze_scene_destroy(c->scene);
  for (int i = 0; i < c->compound_count; i++) graze_compound_destroy(c->compounds[i].compound);
  if (c->memory.out != 0) abort();
}

void crowd_stir(crowd *c) {
  for (graze_body b = graze_scene_next(c->scene, (graze_body){0, 0}); b.generation; b = graze_scene_next(c->scene, b)) {
    const graze_pose pose = graze_scene_placed(c->scene, b)->pose;
    graze_pose away = pose;
    away.position = rng_vec(c->dice, c->dim, 30);
    if (rng_below(c->dice, 2)) (void)graze_scene_set_pose(c->scene, b, away, NULL);
    if (rng_below(c->dice, 2)) (void)graze_scene_step(c->scene, 0, NULL, NULL);
    if (graze_scene_set_pose(c->scene, b, pose, NULL) != GRAZE_OK) abort();
  }
  if (rng_below(c->dice, 2) && graze_scene_step(c->scene, 0, NULL, NULL) != GRAZE_OK) abort();
}
