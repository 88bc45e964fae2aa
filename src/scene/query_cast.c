/* Casts and rays through a scene: the first body, any body, or all bodies.
 *
 * The tree visits bodies roughly in the order in which the motion meets their boxes. It skips boxes behind the first
 * contact so far. All others are cast for the whole motion, so results do not depend on the order. */
#include "compound/compound.h"
#include "core/vec.h"
#include "scene/queries.h"
#include "shape/motion.h"

static const graze_motion query_cast_rest = {{0, 0, 0}, {0, 0, 0}};

typedef enum query_cast_mode { QUERY_FIRST, QUERY_ANY, QUERY_ALL } query_cast_mode;

typedef struct query_cast {
  const graze_scene *scene;
  const graze_filter *filter;
  const graze_placed *placed; /* of a ray: a point */
  bool ray;
  query_cast_mode mode;
  graze_motion motion;
  double t_max;
  double slack; /* an upper bound of the rounding of contact times */
  graze_body_hit first;
  result_list hits; /* QUERY_ALL */
  graze_status status;
} query_cast;

/* The earliest t_lower wins. On ties, GRAZE_HIT wins over GRAZE_POSSIBLE, then the lower slot. */
static bool query_cast_is_first(const graze_body_hit *p, const graze_body_hit *q) {
  if (p->result.t_lower != q->result.t_lower) return p->result.t_lower < q->result.t_lower;
  if (p->result.outcome != q->result.outcome) return p->result.outcome == GRAZE_HIT;
  return p->body.slot < q->body.slot;
}

static bool query_hit_before(const void *p, const void *q) {
  const graze_body_hit *of_p = p, *of_q = q;
  if (of_p->result.t_lower != of_q->result.t_lower) return of_p->result.t_lower < of_q->result.t_lower;
  return of_p->body.slot < of_q->body.slot;
}

/* The time up to which bodies are wanted. */
static double query_cast_limit(const query_cast *s) {
  if (s->mode == QUERY_ALL || s->first.body.generation == 0) return s->t_max;
  return real_min(s->t_max, s->first.result.t_lower * (1 + 0x1p-20) + s->slack);
}

static double query_visit_cast(void *context, size_t slot, double t) {
  query_cast *s = context;
  const graze_placed *body = scene_placed(s->scene, slot);
  const bool halfspaces = s->placed->shape.kind == GRAZE_HALFSPACE && body->shape.kind == GRAZE_HALFSPACE;
  graze_body_hit hit;
  (void)t;
  if (halfspaces || !grz_query_accepts(s->scene, s->filter, slot)) return query_cast_limit(s);
  hit.body = scene_id(s->scene, slot);
  graze_cast_options options = graze_default_cast_options();
  options.min_distance = false;
  if (s->ray) {
    grz_cast_result cast;
    s->status = grz_raycast(body, s->placed, s->motion.velocity, s->t_max, &options, &cast);
    hit.result = cast.cast;
  } else {
    s->status = graze_cast(s->placed, &s->motion, body, &query_cast_rest, s->t_max, &options, &hit.result);
  }
  if (s->status != GRAZE_OK) return -1; /* ends the search */
  if (hit.result.outcome == GRAZE_CLEAR) return query_cast_limit(s);
  if (s->mode == QUERY_ALL)
    grz_results_add(&s->hits, &hit);
  else if (s->first.body.generation == 0 || query_cast_is_first(&hit, &s->first))
    s->first = hit;
  return s->mode == QUERY_ANY ? -1 : query_cast_limit(s);
}

/* Sets the box of the shape where it starts, whatever its rotation, and searches the tree. */
static graze_status query_cast_shape(query_cast *s) {
  s->status = grz_query_check_shape(s->scene, s->placed);
  if (s->status == GRAZE_OK) s->status = grz_motion_validate(s->placed, &s->motion);
  if (s->status == GRAZE_OK)
    s->status = moving_validate(s->motion.velocity, s->motion.velocity, s->t_max, s->scene->def.dim);
  if (s->status != GRAZE_OK) return s->status;
  const graze_motion turn = {query_cast_rest.velocity, s->motion.angular};
  const graze_aabb box = grz_swept_bounds(s->placed, &turn, motion_last_time(s->t_max), 0);
  const double speed = vec_length(s->motion.velocity);
  if (speed > 0) s->slack = 0x1p-24 * ((s->placed->hidden.bounding_radius + s->placed->hidden.radius) / speed);
  grz_bvh_cast(&s->scene->store.tree, &box, s->motion.velocity, s->t_max, query_visit_cast, s);
  return s->status;
}

static graze_status query_cast_ray(query_cast *s, graze_vec origin) {
  const graze_shape shape = s->scene->def.dim == 2 ? graze_point2() : graze_point();
  const graze_placed point = graze_place(&shape, graze_pose_at(origin.x, origin.y, origin.z));
  const graze_aabb box = {origin, origin};
  s->placed = &point, s->ray = true;
  s->status = grz_query_check_shape(s->scene, &point);
  if (s->status == GRAZE_OK)
    s->status = moving_validate(s->motion.velocity, s->motion.velocity, s->t_max, s->scene->def.dim);
  if (s->status == GRAZE_OK)
    grz_bvh_cast(&s->scene->store.tree, &box, s->motion.velocity, s->t_max, query_visit_cast, s);
  return s->status;
}

/* Writes the hit of QUERY_FIRST and QUERY_ANY. */
static graze_status query_cast_finish(const query_cast *s, graze_body *body, graze_cast_result *result) {
  if (s->status != GRAZE_OK) return s->status;
  *body = s->first.body;
  if (s->first.body.generation != 0 && result != NULL) *result = s->first.result;
  return GRAZE_OK;
}

static query_cast query_cast_make(const graze_scene *scene, const graze_filter *filter, query_cast_mode mode,
                                  graze_motion motion, double t_max) {
  return (query_cast){.scene = scene, .filter = filter, .mode = mode, .motion = motion, .t_max = t_max};
}

static result_list query_hit_list(graze_body_hit *hits, size_t capacity) {
  return (result_list){.first = hits, .size = sizeof *hits, .capacity = capacity, .before = query_hit_before};
}

graze_status graze_scene_cast(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                              double t_max, const graze_filter *filter, graze_body *body, graze_cast_result *result) {
  query_cast s = query_cast_make(scene, filter, QUERY_FIRST, *motion, t_max);
  s.placed = placed;
  (void)query_cast_shape(&s);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_cast_any(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                                  double t_max, const graze_filter *filter, graze_body *body,
                                  graze_cast_result *result) {
  query_cast s = query_cast_make(scene, filter, QUERY_ANY, *motion, t_max);
  s.placed = placed;
  (void)query_cast_shape(&s);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_cast_all(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                                  double t_max, const graze_filter *filter, graze_body_hit *hits, size_t capacity,
                                  size_t *count) {
  query_cast s = query_cast_make(scene, filter, QUERY_ALL, *motion, t_max);
  s.placed = placed, s.hits = query_hit_list(hits, capacity);
  graze_status status = query_cast_shape(&s);
  return status == GRAZE_OK ? grz_results_finish(&s.hits, count) : status;
}

graze_status graze_scene_raycast(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                 const graze_filter *filter, graze_body *body, graze_cast_result *result) {
  query_cast s = query_cast_make(scene, filter, QUERY_FIRST, (graze_motion){.velocity = direction}, t_max);
  (void)query_cast_ray(&s, origin);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_raycast_any(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                     const graze_filter *filter, graze_body *body, graze_cast_result *result) {
  query_cast s = query_cast_make(scene, filter, QUERY_ANY, (graze_motion){.velocity = direction}, t_max);
  (void)query_cast_ray(&s, origin);
  return query_cast_finish(&s, body, result);
}

graze_status graze_scene_raycast_all(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                     const graze_filter *filter, graze_body_hit *hits, size_t capacity, size_t *count) {
  query_cast s = query_cast_make(scene, filter, QUERY_ALL, (graze_motion){.velocity = direction}, t_max);
  s.hits = query_hit_list(hits, capacity);
  graze_status status = query_cast_ray(&s, origin);
  return status == GRAZE_OK ? grz_results_finish(&s.hits, count) : status;
}
