/* Trajectories of bodies within a step, and the queue of pending events. */
#include "core/vec.h"
#include "scene/collisions.h"
#include "shape/motion.h"

bool grz_trajectories_create(scene_step *step) {
  graze_scene *scene = step->scene;
  const size_t slots = scene->store.slots;
  scene_buffer *buffer = &scene->buffer[BUFFER_TRAJECTORIES];
  if (!grz_scene_reserve(scene, buffer, scene_slot_capacity(scene), sizeof(step_trajectory))) return false;
  step->trajectory = buffer->memory;
  for (uint32_t i = 0; i < slots; i++) {
    const scene_record *b = step_body(step, i);
    step_trajectory *t = &step->trajectory[i];
    *t = (step_trajectory){.pose = b->placed.pose, .motion = b->motion};
    t->first = t->last = SCENE_NONE;
    t->first_contact = t->nearest_gap = __builtin_inf();
  }
  return true;
}

graze_motion grz_trajectory_motion(const step_trajectory *t) {
  if (t->stopped) return grz_motion_at_rest;
  return (graze_motion){vec_add(t->motion.velocity, t->push), t->motion.angular};
}

graze_pose grz_trajectory_pose(const step_trajectory *t, double time) {
  const graze_motion motion = grz_trajectory_motion(t);
  return time > t->time ? graze_pose_after(&t->pose, &motion, time - t->time) : t->pose;
}

graze_status grz_trajectory_place(const scene_step *step, uint32_t slot, double time, graze_placed *placed) {
  const step_trajectory *t = &step->trajectory[slot];
  *placed = step_body(step, slot)->placed;
  if (!step_changed(step, slot) && time == 0) return GRAZE_OK;
  return graze_set_pose(placed, grz_trajectory_pose(t, time));
}

contact_body grz_trajectory_contact_body(const scene_step *step, uint32_t slot, graze_vec position) {
  const double scale = 0x1p-60; /* so that the inverse of the smallest mass does not overflow */
  const scene_record *b = step_body(step, slot);
  const step_trajectory *t = &step->trajectory[slot];
  const bool yields = scene_filters(step->scene)[slot].yields && !t->stopped;
  contact_body body = {.position = position, .motion = t->stopped ? grz_motion_at_rest : t->motion};
  if (!t->stopped) body.push = t->push;
  body.inverse_mass = yields ? scale / b->mass : 0;
  body.radius = b->placed.hidden.bounding_radius;
  body.response = yields ? b->response : GRAZE_RESPONSE_NONE;
  body.bounce = b->bounce;
  return body;
}

bool grz_trajectory_keeps_motion(const step_trajectory *t, const contact_body *body) {
  return vec_equal(body->motion.velocity, t->motion.velocity) && vec_equal(body->motion.angular, t->motion.angular);
}

static bool trajectory_add_segment(scene_step *step, step_trajectory *t, double from, graze_motion motion) {
  scene_buffer *buffer = &step->scene->buffer[BUFFER_SEGMENTS];
  if (!grz_scene_grow(step->scene, buffer, step->segment_count + 1, sizeof(step_segment))) return false;
  const uint32_t at = (uint32_t)step->segment_count++;
  step_segment *segment = step_segments(step);
  segment[at] = (step_segment){from, t->pose, motion, SCENE_NONE};
  if (t->first == SCENE_NONE)
    t->first = at;
  else
    segment[t->last].next = at;
  t->last = at;
  return true;
}

/* Extends the bounds by those of the current motion until the step ends. Returns false if they are infinite. */
static bool trajectory_extend_bounds(scene_step *step, uint32_t slot) {
  const scene_record *b = step_body(step, slot);
  const step_trajectory *t = &step->trajectory[slot];
  graze_placed placed = b->placed;
  const graze_motion motion = grz_trajectory_motion(t);
  if (graze_set_pose(&placed, t->pose) != GRAZE_OK) return false;
  graze_aabb *all = &scene_bounds(step->scene)[slot];
  const graze_aabb box = grz_swept_bounds(&placed, &motion, step->dt - t->time, scene_inflation(b));
  const bool finite = vec_norm_inf(vec_sub(box.max, box.min)) < __builtin_inf();
  if (!finite && b->placed.shape.kind != GRAZE_HALFSPACE) return false;
  all->min = vec_min(all->min, box.min), all->max = vec_max(all->max, box.max);
  grz_bvh_insert(&step->scene->store.tree, slot, all, true);
  scene_flags *flags = &scene_flags_of(step->scene)[slot];
  flags->awake = flags->swept = flags->tree_moves = true; /* the next step updates the tree */
  return true;
}

void grz_trajectory_change(scene_step *step, uint32_t slot, double time, graze_motion before) {
  step_trajectory *t = &step->trajectory[slot];
  bool good = true;
  if (t->first == SCENE_NONE && time > 0) good = trajectory_add_segment(step, t, 0, before);
  if (good && time > t->time) {
    t->pose = graze_pose_after(&t->pose, &before, time - t->time);
    t->time = time;
  }
  scene_flags_of(step->scene)[slot].changed = true;
  t->version++;
  t->first_contact = __builtin_inf();
  if (good && t->first != SCENE_NONE && step_segments(step)[t->last].from == time)
    step_segments(step)[t->last].motion = grz_trajectory_motion(t);
  else
    good = good && trajectory_add_segment(step, t, time, grz_trajectory_motion(t));
  if (!good) step_fail(step, GRAZE_OUT_OF_MEMORY, slot);
  if (good && !trajectory_extend_bounds(step, slot)) step_fail(step, GRAZE_BAD_NUMBER, slot);
}

void grz_trajectory_stop(scene_step *step, uint32_t slot, double time) {
  const double at_once = 0x1p-4; /* fraction of the step; a body that is stopped so early is wedged between others */
  step_trajectory *t = &step->trajectory[slot];
  const scene_filter *filter = &scene_filters(step->scene)[slot];
  const graze_motion before = grz_trajectory_motion(t);
  if (t->stopped || filter->type == GRAZE_STATIC) return;
  t->stopped = true;
  const graze_response response = step_body(step, slot)->response;
  const bool yields = response == GRAZE_RESPONSE_STOP || response == GRAZE_RESPONSE_SLIDE;
  if (yields && filter->type == GRAZE_DYNAMIC && time <= at_once * step->dt)
    t->motion.velocity =
        vec_make(0, 0, 0); /* otherwise a later step would continue with the velocity of the last response */
  step->result.stalled++;
  grz_trajectory_change(step, slot, time, before);
}

step_segment grz_trajectory_first_segment(const scene_step *step, size_t slot) {
  const scene_record *b = &scene_records(step->scene)[slot];
  if (step->trajectory != NULL && step->trajectory[slot].first != SCENE_NONE)
    return step_segments(step)[step->trajectory[slot].first];
  return (step_segment){0, b->placed.pose, b->motion, SCENE_NONE};
}

graze_pose grz_trajectory_end_pose(const scene_step *step, size_t slot) {
  const scene_record *b = &scene_records(step->scene)[slot];
  return step_changed(step, slot) ? grz_trajectory_pose(&step->trajectory[slot], step->dt)
                                  : graze_pose_after(&b->placed.pose, &b->motion, step->dt);
}

/* ---- The queue */

static bool queue_is_earlier(const step_event *p, const step_event *q) {
  if (p->time != q->time) return p->time < q->time;
  if (p->contact_time != q->contact_time) return p->contact_time < q->contact_time;
  if (p->collision.low != q->collision.low) return p->collision.low < q->collision.low;
  return p->collision.high < q->collision.high;
}

void grz_queue_update_first(scene_step *step, const step_event *event) {
  const uint32_t slot[] = {event->collision.low, event->collision.high};
  for (int i = 0; i < 2; i++) {
    step_trajectory *t = &step->trajectory[slot[i]];
    if (event->contact_time < t->first_contact) t->first_contact = event->contact_time, t->first_event = event->time;
  }
}

void grz_queue_push(scene_step *step, const step_event *event) {
  scene_buffer *buffer = &step->scene->buffer[BUFFER_QUEUE];
  if (!grz_scene_grow(step->scene, buffer, step->event_count + 1, sizeof *event)) {
    step_fail(step, GRAZE_OUT_OF_MEMORY, event->collision.low);
    return;
  }
  step_event *heap = buffer->memory;
  size_t at = step->event_count++;
  for (; at > 0 && queue_is_earlier(event, &heap[(at - 1) / 2]); at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
  heap[at] = *event;
  grz_queue_update_first(step, event);
}

step_event grz_queue_pop(scene_step *step) {
  step_event *heap = step->scene->buffer[BUFFER_QUEUE].memory;
  const size_t count = --step->event_count;
  const step_event first = heap[0], moved = heap[count];
  size_t at = 0;
  for (size_t child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && queue_is_earlier(&heap[child + 1], &heap[child])) child++;
    if (!queue_is_earlier(&heap[child], &moved)) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
  return first;
}

/* Bodies stop before they touch. A body that approaches slowly stops earlier in time. So a body that falls on a
 * tiled floor would stop first at the side of the next tile, although it never reaches that side. */
bool grz_queue_postpone(scene_step *step, const step_event *event) {
  const uint32_t slot[] = {event->collision.low, event->collision.high};
  step_event later = *event;
  for (int i = 0; i < 2; i++) {
    const step_trajectory *t = &step->trajectory[slot[i]];
    if (t->first_contact < event->contact_time) later.time = real_max(later.time, t->first_event);
  }
  if (later.time == event->time) return false;
  later.collision.t_lower = later.time;
  later.collision.t_upper = real_min(event->collision.t_upper + (later.time - event->time), step->dt);
  grz_queue_push(step, &later);
  return true;
}
