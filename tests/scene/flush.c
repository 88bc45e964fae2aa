#include "scene/flush.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the box of walls: half its inner width, and half the thickness of its walls. */
#define INNER 3.0
#define WALL 0.0625

static double between(flush_scene *f, double low, double high) { return rng_uniform(&f->dice, low, high); }

static int below(flush_scene *f, int count) { return rng_below(&f->dice, count); }

/* A multiple of 1/16, so that sums are exact. */
static double sixteenth(flush_scene *f, int low, int high) { return (low + below(f, high - low + 1)) / 16.0; }

static graze_shape any_box(flush_scene *f) {
  const double x = sixteenth(f, 2, 20), y = sixteenth(f, 2, 20), z = sixteenth(f, 2, 20);
  return f->dim == 2 ? graze_box2(x, y) : graze_box(x, y, z);
}

/* A box of walls, each a part. */
static graze_shape make_walls(flush_scene *f) {
  graze_placed wall[6];
  const double width = INNER + 2 * WALL, at = INNER + WALL;
  f->inner = INNER;
  for (int i = 0; i < 2 * f->dim; i++) {
    double h[3] = {width, width, width}, p[3] = {0, 0, 0};
    h[i / 2] = WALL, p[i / 2] = i % 2 ? at : -at;
    const graze_shape shape = f->dim == 2 ? graze_box2(h[0], h[1]) : graze_box(h[0], h[1], h[2]);
    wall[i] = graze_place(&shape, graze_pose_at(p[0], p[1], p[2]));
  }
  if (graze_compound_create(wall, (size_t)(2 * f->dim), NULL, &f->walls, NULL) != GRAZE_OK) abort();
  return graze_compound_shape(f->walls);
}

static graze_shape any_shape(flush_scene *f, int index, bool parts) {
  const int kind = below(f, 6);
  if (parts) {
    random_compound(&f->dice, f->dim, 2 + below(f, 4), false, &f->parts[index]);
    return graze_compound_shape(f->parts[index].compound);
  }
  if (kind < 3) return any_box(f);
  if (kind == 3) return f->dim == 2 ? graze_circle(sixteenth(f, 2, 16)) : graze_sphere(sixteenth(f, 2, 16));
  return random_convex(&f->dice, f->dim, kind == 4, f->vertices[index]);
}

static graze_vec any_vec(flush_scene *f, double size) {
  const graze_vec v = {between(f, -size, size), between(f, -size, size), f->dim == 3 ? between(f, -size, size) : 0};
  return v;
}

static graze_motion any_motion(flush_scene *f) {
  static const double speeds[] = {0, 1, 4, 30}, spins[] = {0, 0, 1, 6};
  graze_motion motion = {any_vec(f, speeds[below(f, 4)]), {0, 0, 0}};
  const double spin = spins[below(f, 4)];
  motion.angular = (graze_vec){between(f, -spin, spin), between(f, -spin, spin), between(f, -spin, spin)};
  if (f->dim == 2) motion.angular.x = motion.angular.y = 0;
  if (below(f, 3) == 0) motion.angular.x = motion.angular.y = 0; /* about the vertical */
  return motion;
}

/* A quarter of the poses have any rotation, the others a multiple of a right angle, or that of the base. */
static graze_pose any_pose(flush_scene *f, const graze_pose *base) {
  graze_pose pose = random_grid_pose(&f->dice, f->dim, 1);
  static const graze_pose right[] = {{{0, 0, 0}, 1, 0, 0, 0}, {{0, 0, 0}, 1, 0, 0, 1}, {{0, 0, 0}, 0, 0, 0, 1}};
  const int kind = below(f, 4);
  graze_pose rotation = pose;
  if (kind == 1) rotation = right[below(f, 3)];
  if (kind > 1) rotation = *base;
  pose.w = rotation.w, pose.x = rotation.x, pose.y = rotation.y, pose.z = rotation.z;
  return pose;
}

static void add(flush_scene *f, const graze_body_def *def) {
  if (graze_scene_add(f->scene, def, &f->body[f->count], NULL) != GRAZE_OK) abort();
  f->count++;
}

static graze_body_def make_base(flush_scene *f) {
  static const graze_body_type types[] = {GRAZE_STATIC, GRAZE_STATIC, GRAZE_KINEMATIC, GRAZE_DYNAMIC};
  const graze_pose none = {{0, 0, 0}, 1, 0, 0, 0};
  graze_body_def def = graze_default_body();
  def.type = types[below(f, 4)];
  f->base = (flush_base)below(f, FLUSH_BASES);
  def.pose = any_pose(f, &none);
  switch (f->base) {
  case FLUSH_CONVEX: def.shape = any_shape(f, 0, false); break;
  case FLUSH_COMPOUND: def.shape = any_shape(f, 0, true); break;
  case FLUSH_WALLS: def.shape = make_walls(f), def.type = GRAZE_STATIC; break;
  case FLUSH_HALFSPACE: {
    const graze_vec up = {0, f->dim == 2, f->dim == 3};
    def.shape = f->dim == 2 ? graze_halfspace2(up, 0) : graze_halfspace(up, 0);
    def.type = GRAZE_STATIC;
    break;
  }
  }
  if (f->base == FLUSH_WALLS || f->base == FLUSH_HALFSPACE) def.pose = none;
  if (def.type != GRAZE_STATIC && below(f, 2) == 0) def.motion = any_motion(f);
  def.response = def.type == GRAZE_DYNAMIC ? (graze_response)below(f, 4) : GRAZE_RESPONSE_NONE;
  return def;
}

/* Exactly flush, a rounding more or less, about a skin, or inside the margins. */
static double any_gap(flush_scene *f, double margin) {
  static const double gaps[] = {0, 0, 0, 1e-9, -1e-9, 1e-7, 1e-5};
  const int kind = below(f, 10);
  return kind < 7 ? gaps[kind] : margin * between(f, 0, 1);
}

static void shift(graze_vec *p, graze_vec direction, double by) {
  p->x += by * direction.x, p->y += by * direction.y, p->z += by * direction.z;
}

/* Moves a body along a direction until its distance from the base is `gap`. */
static void place_flush(flush_scene *f, const graze_body_def *base, graze_body_def *def, double gap) {
  const double start = f->base == FLUSH_WALLS ? 0 : 40;
  double d[3] = {0, 0, 0};
  graze_vec direction = any_vec(f, 1);
  graze_cast_result result;
  d[f->dim == 2 ? 1 : 2] = -1;
  if (below(f, 3) > 0) direction = (graze_vec){d[0], d[1], d[2]};
  if (below(f, 3) == 0) d[0] = -1, d[1] = d[2] = 0, direction = (graze_vec){d[0], d[1], d[2]};
  const double length = sqrt(direction.x * direction.x + direction.y * direction.y + direction.z * direction.z);
  direction = (graze_vec){direction.x / length, direction.y / length, direction.z / length};
  shift(&def->pose.position, direction, -start);
  const graze_placed of_base = graze_place(&base->shape, base->pose);
  graze_placed moved = graze_place(&def->shape, def->pose);
  const graze_motion motion = {direction, {0, 0, 0}};
  if (graze_cast(&moved, &motion, &of_base, NULL, 100, NULL, &result) != GRAZE_OK) abort();
  if (result.outcome == GRAZE_HIT) shift(&def->pose.position, direction, result.t - gap);
}

static void add_other(flush_scene *f, const graze_body_def *base) {
  graze_body_def def = graze_default_body();
  def.shape = any_shape(f, f->count, f->base != FLUSH_WALLS && below(f, 4) == 0);
  def.pose = any_pose(f, &base->pose);
  if (f->base == FLUSH_WALLS) {
    def.shape = below(f, 2) == 0 ? any_box(f) : f->dim == 2 ? graze_circle(0.25) : graze_sphere(0.25);
    def.pose.position =
        (graze_vec){sixteenth(f, -16, 16), sixteenth(f, -16, 16), f->dim == 3 ? sixteenth(f, -16, 16) : 0};
  }
  def.motion = any_motion(f);
  def.response = (graze_response)(1 + below(f, 3));
  def.margin = below(f, 3) == 0 ? 0.125 : 0;
  def.mass = between(f, 0.5, 4);
  def.bounce = between(f, 0, 1);
  place_flush(f, base, &def, any_gap(f, def.margin + base->margin));
  add(f, &def);
}

void flush_make(flush_scene *f, uint64_t seed) {
  static const double pushes[] = {0, 1, 1e30, 1e30};
  graze_scene_def def = graze_default_scene();
  memset(f, 0, sizeof *f);
  f->dice = seed * 0x9E3779B97F4A7C15u + 1;
  for (int i = 0; i < 8; i++) (void)below(f, 2);
  f->dim = 2 + below(f, 2);
  def.dim = f->dim;
  def.push_speed = pushes[below(f, 4)];
  if (graze_scene_create(&def, NULL, &f->scene, NULL) != GRAZE_OK) abort();
  graze_body_def base = make_base(f);
  base.margin = below(f, 4) == 0 ? 0.0625 : 0;
  add(f, &base);
  for (int i = 1 + below(f, 3); i > 0; i--) add_other(f, &base);
}

void flush_free(flush_scene *f) {
  graze_scene_destroy(f->scene);
  graze_compound_destroy(f->walls);
  for (int i = 0; i < FLUSH_MOST; i++) graze_compound_destroy(f->parts[i].compound);
}

graze_body_def flush_body(const flush_scene *f, int index) {
  graze_body_def def;
  if (graze_scene_get(f->scene, f->body[index], &def) != GRAZE_OK) abort();
  return def;
}

double flush_time(flush_scene *f) {
  static const double times[] = {1 / 60.0, 0.1, 0.5};
  return times[below(f, 3)];
}
