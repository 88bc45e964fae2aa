/* Smallest boxes: the hull, a rotation, and the box with that rotation, exactly. The vertices of the hull stand for all
 * points: a linear function is greatest at one of them, and a box is six bounds on linear functions. */
#include "geometry/fit_box.h"

#include "core/memory.h"

typedef struct fit_task {
  const graze_hull *hull;
  const graze_allocator *allocator;
  fit_box best;
  bool any;
} fit_task;

/* The box with this rotation, if it is smaller than the best so far. */
static void task_try(fit_task *task, fit_turn turn) {
  const graze_hull *hull = task->hull;
  fit_box box;
  double sum = (real_abs(turn.w) + real_abs(turn.x)) + (real_abs(turn.y) + real_abs(turn.z));
  if (!(sum > 0 && sum <= GRAZE_LARGEST)) return; /* no rotation, and not a number */
  if (!grz_fit_seat(hull->vertices, hull->vertex_count, hull->dim, turn, &box)) return;
  if (task->any && !scaled_is_less(box.measure, task->best.measure)) return;
  task->best = box;
  task->any = true;
}

static void task_try_frame(fit_task *task, fit_frame frame) {
  fit_turn turn = grz_fit_turn(frame), whole;
  if (grz_fit_turn_whole(turn, &whole)) task_try(task, whole);
  task_try(task, turn);
}

/* The rotation of the smallest rectangle around a polygon or segment, counter-clockwise in the plane. */
static fit_turn fit_flat_turn(const graze_hull *flat) {
  if (flat->affine_dim == 0) return fit_turn_of(1, 0, 0, 0);
  const graze_vec *v = flat->vertices;
  size_t edge = flat->affine_dim == 1 ? 0 : grz_fit_edge(v, flat->vertex_count);
  return grz_fit_angle(v[edge], v[(edge + 1) % flat->vertex_count]);
}

/* ---- Flat hulls in 3D */

/* The coordinate plane in which all vertices lie: the coordinate that stays the same, or -1. */
static int fit_level(const graze_hull *hull) {
  bool same[3] = {true, true, true};
  for (size_t i = 1; i < hull->vertex_count; i++) {
    for (int k = 0; k < 3; k++) same[k] = same[k] && fit_part(hull->vertices[i], k) == fit_part(hull->vertices[0], k);
  }
  return same[2] ? 2 : same[1] ? 1 : same[0] ? 0 : -1;
}

/* In a coordinate plane: as in 2D, about the axis across it. */
static graze_status fit_in_level(fit_task *task, int across) {
  const graze_hull *hull = task->hull;
  graze_hull flat;
  graze_vec *points = grz_allocate(task->allocator, hull->vertex_count, sizeof *points);
  if (points == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < hull->vertex_count; i++) {
    graze_vec v = hull->vertices[i];
    points[i] = vec_make(fit_part(v, (across + 1) % 3), fit_part(v, (across + 2) % 3), 0);
  }
  graze_status status = graze_hull_create(points, hull->vertex_count, 2, task->allocator, &flat, NULL);
  if (status == GRAZE_OK) {
    fit_turn turn = fit_flat_turn(&flat);
    if (across == 0) turn = fit_turn_of(turn.w, turn.z, 0, 0);
    if (across == 1) turn = fit_turn_of(turn.w, 0, turn.z, 0);
    task_try(task, turn);
    graze_hull_destroy(&flat);
  }
  grz_release(task->allocator, points);
  return status;
}

/* A segment: its direction, and any two across. */
static void fit_along(fit_task *task) {
  const graze_vec *v = task->hull->vertices;
  graze_vec d = vec_unit_inf(fit_scale(vec_sub(v[1], v[0]), grz_fit_unit(v, 2)));
  d = vec_scale(d, 1 / vec_length(d));
  double x = real_abs(d.x), y = real_abs(d.y), z = real_abs(d.z);
  graze_vec least = x <= y && x <= z ? vec_make(1, 0, 0) : y <= z ? vec_make(0, 1, 0) : vec_make(0, 0, 1);
  graze_vec across = vec_cross(d, least);
  across = vec_scale(across, 1 / vec_length(across));
  task_try_frame(task, (fit_frame){{d, across, vec_cross(d, across)}});
}

/* ---- Clouds */

typedef struct fit_memory {
  graze_vec *points, *room;
  grz_key *keys;
} fit_memory;

static void fit_release(fit_task *task, fit_memory *memory) {
  grz_release(task->allocator, memory->keys);
  grz_release(task->allocator, memory->points);
}

static bool fit_gather(fit_task *task, fit_memory *memory, fit_cloud *cloud) {
  const graze_vec *v = task->hull->vertices;
  size_t n = task->hull->vertex_count;
  memory->points = grz_allocate(task->allocator, 4 * n + 2, sizeof *memory->points);
  memory->keys = memory->points ? grz_allocate(task->allocator, 2 * n, sizeof *memory->keys) : NULL;
  if (memory->keys == NULL) {
    fit_release(task, memory);
    return false;
  }
  int unit = grz_fit_unit(v, n);
  for (size_t i = 0; i < n; i++) memory->points[i] = fit_scale(vec_sub(v[i], v[0]), unit);
  *cloud = (fit_cloud){memory->points, n, memory->points + n, memory->keys};
  return true;
}

/* A polygon that lies askew: its plane, and the smallest rectangle there. */
static void fit_askew(fit_task *task, const fit_cloud *cloud) {
  const graze_vec *v = task->hull->vertices;
  size_t n = task->hull->vertex_count;
  graze_vec normal = grz_fit_normal(v[0], v[n / 3], v[2 * n / 3]);
  graze_vec along = cloud->at[0]; /* the zero vector; the farthest is 1/2 long at least */
  for (size_t i = 1; i < n; i++) {
    if (vec_norm_inf(cloud->at[i]) > vec_norm_inf(along)) along = cloud->at[i];
  }
  along = vec_cross(normal, vec_scale(along, 1 / vec_length(along)));
  along = vec_scale(along, 1 / vec_length(along));
  fit_frame frame = {{normal, along, vec_cross(normal, along)}};
  task_try_frame(task, grz_fit_about(cloud, frame, 0));
}

/* BEST tries the box of FAST too, so it is never larger. */
static graze_status fit_solid(fit_task *task, graze_effort effort) {
  fit_memory memory = {0};
  fit_cloud cloud;
  if (!fit_gather(task, &memory, &cloud)) return GRAZE_OUT_OF_MEMORY;
  bool room = true;
  task_try(task, fit_turn_of(1, 0, 0, 0));
  if (task->hull->affine_dim == 2)
    fit_askew(task, &cloud);
  else {
    fit_frame frame = grz_fit_fast(&cloud);
    task_try_frame(task, frame);
    if (effort == GRAZE_BEST) {
      room = grz_fit_best(task->hull, &cloud, task->allocator, &frame);
      if (room) task_try_frame(task, frame);
    }
  }
  fit_release(task, &memory);
  return room ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

/* ---- All of it */

static graze_status fit_all(fit_task *task, graze_effort effort) {
  const graze_hull *hull = task->hull;
  int level = hull->dim == 3 && hull->affine_dim < 3 ? fit_level(hull) : -1;
  graze_status status = GRAZE_OK;
  if (hull->dim == 2 || hull->affine_dim == 0)
    task_try(task, hull->dim == 2 ? fit_flat_turn(hull) : fit_turn_of(1, 0, 0, 0));
  else if (level >= 0)
    status = fit_in_level(task, level);
  else if (hull->affine_dim == 1)
    fit_along(task);
  else
    status = fit_solid(task, effort);
  return status;
}

/* What always works: about the origin, as far as the coordinates reach. */
static void fit_around_origin(const graze_hull *hull, fit_box *box) {
  double x = 0, y = 0, z = 0;
  for (size_t i = 0; i < hull->vertex_count; i++) {
    graze_vec v = hull->vertices[i];
    x = real_max(x, real_abs(v.x)), y = real_max(y, real_abs(v.y)), z = real_max(z, real_abs(v.z));
  }
  box->pose = graze_pose_at(0, 0, 0);
  box->half = vec_make(x, y, z);
  box->measure = scaled_normal(1, 0);
}

static void fit_give(const fit_box *box, int dim, graze_fitted_box *fitted) {
  graze_vec h = box->half;
  fitted->box = dim == 2 ? graze_box2(h.x, h.y) : graze_box(h.x, h.y, h.z);
  fitted->pose = box->pose;
  fitted->measure = scaled_to_double(box->measure);
}

graze_status graze_fit_box(const graze_vec *points, size_t count, int dim, graze_effort effort,
                           const graze_allocator *allocator, graze_fitted_box *fitted, graze_error *error) {
  graze_allocator memory = grz_allocator(allocator);
  graze_hull hull;
  graze_error fault = {GRAZE_BAD_OPTION, "effort", -1, (double)effort}, *at = error ? error : &fault;
  if (effort != GRAZE_FAST && effort != GRAZE_BEST) {
    *at = fault;
    return GRAZE_BAD_OPTION;
  }
  graze_status status = graze_hull_create(points, count, dim, &memory, &hull, at);
  if (status != GRAZE_OK) return status;
  fit_task task = {.hull = &hull, .allocator = &memory};
  status = fit_all(&task, effort);
  if (status == GRAZE_OK) {
    if (!task.any) task_try(&task, fit_turn_of(1, 0, 0, 0));
    if (!task.any) fit_around_origin(&hull, &task.best);
    fit_give(&task.best, dim, fitted);
  } else
    *at = (graze_error){status, "points", -1, 0};
  graze_hull_destroy(&hull);
  return status;
}
