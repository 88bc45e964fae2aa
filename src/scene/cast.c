/* What comes first on a way. Bodies that are met later than the first one so far are left out by their boxes; all
 * others are asked about the whole way, so that the answer does not depend on their order. */
#include "compound/cast.h"
#include "core/vec.h"
#include "scene/query.h"
#include "shape/turning.h"

static const graze_motion ahead_still = {{0, 0, 0}, {0, 0, 0}};

typedef struct ahead_search {
  const graze_scene *scene;
  const graze_filter *filter;
  const graze_placed *placed; /* of a ray: a point */
  bool ray;
  graze_motion motion;
  double t_max;
  double slack; /* what rounding may do to the time of a contact */
  graze_body first;
  graze_cast_result impact; /* with it */
  graze_status status;
} ahead_search;

/* By then nothing overlaps what moves; of equals a contact is more than a possible one. */
static bool ahead_is_first(const ahead_search *s, const graze_cast_result *r, graze_body body) {
  const graze_cast_result *first = &s->impact;
  if (r->outcome == GRAZE_CLEAR || s->first.generation == 0) return r->outcome != GRAZE_CLEAR;
  if (r->t_lower != first->t_lower) return r->t_lower < first->t_lower;
  if (r->outcome != first->outcome) return r->outcome == GRAZE_HIT;
  return body.slot < s->first.slot;
}

static double ahead_end(const ahead_search *s) {
  if (s->first.generation == 0) return s->t_max;
  return real_min(s->t_max, s->impact.t_lower * (1 + 0x1p-20) + s->slack);
}

static graze_status ahead_ask(const ahead_search *s, const graze_placed *body, graze_cast_result *impact) {
  graze_cast_options options = graze_default_cast_options();
  options.min_distance = false;
  if (s->ray) {
    grz_cast_result result;
    const graze_status status = grz_raycast(body, s->placed, s->motion.velocity, s->t_max, &options, &result);
    *impact = result.cast;
    return status;
  }
  return graze_cast(s->placed, &s->motion, body, &ahead_still, s->t_max, &options, impact);
}

static double ahead_visit(void *context, size_t slot, double t) {
  ahead_search *s = context;
  const graze_placed *body = &s->scene->body[slot].placed;
  const graze_body id = scene_id(s->scene, slot);
  const bool plane = s->placed->shape.kind == GRAZE_HALFSPACE;
  graze_cast_result impact;
  (void)t;
  if ((plane && body->shape.kind == GRAZE_HALFSPACE) || !grz_scene_counts(s->scene, s->filter, slot))
    return ahead_end(s);
  s->status = ahead_ask(s, body, &impact);
  if (s->status != GRAZE_OK) return -1; /* no more */
  if (ahead_is_first(s, &impact, id)) s->first = id, s->impact = impact;
  return ahead_end(s);
}

/* `box` holds what moves, however it turns, where it starts. */
static graze_status ahead_run(ahead_search *s, const graze_aabb *box, graze_body *body, graze_cast_result *impact) {
  grz_bvh_cast(&s->scene->broad, box, s->motion.velocity, s->t_max, ahead_visit, s);
  if (s->status != GRAZE_OK) return s->status;
  *body = s->first;
  if (s->first.generation != 0) *impact = s->impact;
  return GRAZE_OK;
}

graze_status graze_scene_cast(const graze_scene *scene, const graze_placed *placed, const graze_motion *motion,
                              double t_max, const graze_filter *filter, graze_body *body, graze_cast_result *impact) {
  ahead_search s = {.scene = scene, .filter = filter, .placed = placed, .motion = *motion, .t_max = t_max};
  s.status = grz_scene_may_ask(scene, placed);
  if (s.status == GRAZE_OK) s.status = grz_turning_validate(placed, motion);
  if (s.status == GRAZE_OK) s.status = moving_judge(motion->velocity, motion->velocity, t_max, scene->def.dim);
  if (s.status != GRAZE_OK) return s.status;
  const graze_motion turn = {ahead_still.velocity, motion->angular};
  const graze_aabb box = grz_swept_bounds(placed, &turn, moving_last(t_max), 0);
  const double fast = vec_length(motion->velocity);
  if (fast > 0) s.slack = 0x1p-24 * ((placed->hidden.bounding_radius + placed->hidden.radius) / fast);
  return ahead_run(&s, &box, body, impact);
}

graze_status graze_scene_raycast(const graze_scene *scene, graze_vec origin, graze_vec direction, double t_max,
                                 const graze_filter *filter, graze_body *body, graze_cast_result *impact) {
  const graze_shape shape = scene->def.dim == 2 ? graze_point2() : graze_point();
  const graze_placed point = graze_place(&shape, graze_pose_at(origin.x, origin.y, origin.z));
  ahead_search s = {.scene = scene,
                    .filter = filter,
                    .placed = &point,
                    .ray = true,
                    .t_max = t_max,
                    .motion = {.velocity = direction}};
  s.status = grz_scene_may_ask(scene, &point);
  if (s.status == GRAZE_OK) s.status = moving_judge(direction, direction, t_max, scene->def.dim);
  if (s.status != GRAZE_OK) return s.status;
  const graze_aabb box = {origin, origin};
  return ahead_run(&s, &box, body, impact);
}
