/* Contact responses in the order of time.
 *
 * At the start of a step all candidate pairs are queried, in parallel. Pairs in contact respond in rounds until no pair
 * approaches. So a pile comes to rest without casts.
 *
 * Then the earliest event is removed from the queue. Its two bodies move to the contact and respond, and all pairs
 * of them are queried again. A body that responds too often stands still until the step ends, so every step ends. */
#include "core/vec.h"
#include "scene/queries.h"
#include "scene/collisions.h"

/* ---- Collisions of the step, for its events */

static bool event_collision_is_before(const void *p, const void *q) {
  const step_collision *of_p = p, *of_q = q;
  if (of_p->low != of_q->low) return of_p->low < of_q->low;
  if (of_p->high != of_q->high) return of_p->high < of_q->high;
  return of_p->t_lower < of_q->t_lower;
}

const step_collision *grz_step_first_collision(const scene_step *step, uint32_t low, uint32_t high) {
  const step_collision *all = step->scene->buffer[BUFFER_COLLISIONS].memory;
  size_t from = 0, to = step->collision_count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (all[middle].low < low || (all[middle].low == low && all[middle].high < high))
      from = middle + 1;
    else
      to = middle;
  }
  return from < step->collision_count && all[from].low == low && all[from].high == high ? &all[from] : NULL;
}

static void event_record_collision(scene_step *step, const step_collision *c) {
  scene_buffer *buffer = &step->scene->buffer[BUFFER_COLLISIONS];
  if (!grz_scene_grow(step->scene, buffer, step->collision_count + 1, sizeof *c)) {
    step_fail(step, GRAZE_OUT_OF_MEMORY, c->low);
    return;
  }
  step_collision *all = buffer->memory;
  all[step->collision_count++] = *c;
}

/* ---- Response */

/* Returns whether a contact blocks the body in about this direction. A blocked body counts as immovable in that
 * direction. So a body that falls on a stack stops at once, instead of pressing the stack into the floor repeatedly. */
static bool event_is_blocked(const scene_step *step, uint32_t slot, graze_vec direction) {
  const double against = 0.7; /* the cosine of the largest angle */
  const step_trajectory *t = &step->trajectory[slot];
  for (int i = 0; i < t->blocks; i++)
    if (vec_dot(t->block[i], direction) > against) return true;
  return false;
}

static void event_add_block(const scene_step *step, uint32_t slot, graze_vec direction) {
  step_trajectory *t = &step->trajectory[slot];
  const bool slides = step_body(step, slot)->response == GRAZE_RESPONSE_SLIDE;
  if (slides && t->blocks < STEP_BLOCKS && !event_is_blocked(step, slot, direction)) t->block[t->blocks++] = direction;
}

/* Changes the motions of both bodies; the caller writes them to the trajectories. If both are blocked, both respond
 * according to their masses. */
static bool event_respond(const scene_step *step, const step_collision *c, contact_body *a, contact_body *b) {
  const bool a_stays = a->inverse_mass == 0 || event_is_blocked(step, c->low, vec_neg(c->normal));
  const bool b_stays = b->inverse_mass == 0 || event_is_blocked(step, c->high, c->normal);
  if (a_stays && !b_stays) a->inverse_mass = 0;
  if (b_stays && !a_stays) b->inverse_mass = 0;
  if (a_stays) event_add_block(step, c->high, vec_neg(c->normal));
  if (b_stays) event_add_block(step, c->low, c->normal);
  const bool stopped = grz_respond_stop(a, b, c->point, c->normal);
  return grz_respond(a, b, c->point, c->normal, grz_event_minimum_separation(step, c, a, b)) || stopped;
}

/* Counts a response. Returns false if the body responded too often, or is jammed: its last responses all occurred
 * within a small fraction of the step. */
static bool event_count_contact(const scene_step *step, uint32_t slot, double time) {
  enum { CONTACTS = 32, JAMMED = 8 };
  const double at_once = 0x1p-6;
  step_trajectory *t = &step->trajectory[slot];
  t->jammed = t->contacts > 0 && time - t->last_contact <= at_once * step->dt ? t->jammed + 1 : 1;
  t->last_contact = time;
  t->contacts++;
  return t->contacts < CONTACTS && t->jammed < JAMMED;
}

/* Writes the motion after a response to the trajectory. Returns whether it changed. */
static bool event_apply_response(scene_step *step, uint32_t slot, double time, const contact_body *body) {
  step_trajectory *t = &step->trajectory[slot];
  const graze_motion before = grz_trajectory_motion(t);
  if (t->stopped || grz_trajectory_keeps_motion(t, body)) return false;
  t->motion = body->motion;
  grz_trajectory_change(step, slot, time, before);
  if (!event_count_contact(step, slot, time)) grz_trajectory_stop(step, slot, time);
  return true;
}

/* Ends the push of a body that collides. */
static void event_end_push(scene_step *step, uint32_t slot, double time) {
  step_trajectory *t = &step->trajectory[slot];
  const graze_motion before = grz_trajectory_motion(t);
  if (t->stopped || vec_norm_inf(t->push) == 0) return;
  t->push = vec_make(0, 0, 0);
  grz_trajectory_change(step, slot, time, before);
}

/* Handles an event whose response changed no motion. Both bodies stop if they still approach or responded too often.
 * Otherwise both continue and are queried again, now with a smaller gap. */
static void event_continue(scene_step *step, const step_event *event, bool closing) {
  const uint32_t slot[] = {event->collision.low, event->collision.high};
  const bool low_continues = event_count_contact(step, slot[0], event->time);
  const bool high_continues = event_count_contact(step, slot[1], event->time);
  const bool stop = closing || event->stops || !low_continues || !high_continues;
  for (int i = 0; i < 2; i++) {
    const graze_motion motion = grz_trajectory_motion(&step->trajectory[slot[i]]);
    if (stop)
      grz_trajectory_stop(step, slot[i], event->time);
    else if (scene_filters(step->scene)[slot[i]].type != GRAZE_STATIC)
      grz_trajectory_change(step, slot[i], event->time, motion);
  }
}

static void event_handle(scene_step *step, const step_event *event) {
  const step_collision *c = &event->collision;
  const uint32_t low = c->low, high = c->high;
  const double time = event->time;
  if (event->requery) {
    event_continue(step, event, false);
  } else {
    event_end_push(step, low, time);
    event_end_push(step, high, time);
    contact_body a = grz_trajectory_contact_body(step, low, grz_trajectory_pose(&step->trajectory[low], time).position);
    contact_body b =
        grz_trajectory_contact_body(step, high, grz_trajectory_pose(&step->trajectory[high], time).position);
    const bool closing = grz_separation_speed(&a, &b, c->point, c->normal) < 0;
    step->result.responses += !event->stops && event_respond(step, c, &a, &b);
    event_record_collision(step, c);
    const bool low_changed = event_apply_response(step, low, time, &a);
    const bool high_changed = event_apply_response(step, high, time, &b);
    if (!low_changed && !high_changed) event_continue(step, event, closing);
  }
  if (step->status == GRAZE_OK) grz_event_query_neighbors(step, low, SCENE_NONE, false);
  if (step->status == GRAZE_OK) grz_event_query_neighbors(step, high, low, false);
}

/* ---- First queries */

/* The first query of a candidate pair. */
typedef struct event_first {
  graze_status status;
  bool in_contact;        /* the gap is at most two skins */
  bool approaches;        /* in contact, and may approach: event.collision contains the point and normal */
  bool queried_again;     /* after one of the bodies changed its motion */
  double gap;             /* beyond the margins */
  step_collision contact; /* in contact: the collision at the nearest points; event.collision may be at other parts */
  step_event event;
} event_first;

static event_first *event_first_queries(const scene_step *step) {
  return step->scene->buffer[BUFFER_FIRST_QUERIES].memory;
}

/* For a gap of almost 0, the direction of the nearest points decides whether two bodies approach. For larger gaps a
 * cast decides. So a body that slides over the tiles of a floor passes the corner of the next tile. */
static graze_status event_query_first_contact(const scene_step *step, const graze_placed *a, const graze_placed *b,
                                              event_first *first) {
  graze_answer answer;
  graze_cast_result result;
  step_collision *c = &first->event.collision;
  const double skin = grz_pair_skin(step->scene, c->low, c->high), margin = pair_margin(step->scene, c->low, c->high);
  graze_status status = graze_distance(a, b, NULL, &answer);
  if (status != GRAZE_OK) return status;
  first->gap = answer.lower - margin;
  first->in_contact = first->gap <= 2 * skin;
  c->result = GRAZE_HIT;
  c->t_lower = c->t_upper = 0;
  step_collision_from_answer(c, &answer);
  first->contact = *c;
  (void)grz_event_contact(step, a, b, &answer, c);
  first->approaches = first->in_contact;
  first->event.contact_time = first->in_contact ? 0 : __builtin_inf();
  if (!first->in_contact || first->gap < STEP_CLOSE * skin) return GRAZE_OK;
  status = grz_event_cast(step, c, a, b, step->dt, grz_event_clearance(step, c, first->gap), &result);
  first->approaches = status == GRAZE_OK && result.outcome != GRAZE_CLEAR;
  if (first->approaches) step_collision_from_cast(c, &result), first->event.contact_time = result.t_lower;
  return status;
}

static graze_status event_query_first(const scene_step *step, const step_pair *pair, event_first *first) {
  const graze_placed *a = &step_body(step, pair->low)->placed, *b = &step_body(step, pair->high)->placed;
  step_collision *c = &first->event.collision;
  graze_cast_result result;
  if (contact_is(step->scene, grz_scene_contact_index(step->scene, *pair), *pair)) {
    graze_status status = event_query_first_contact(step, a, b, first);
    if (status != GRAZE_OK || first->in_contact) return status;
  }
  const double clearance = grz_event_clearance(step, c, __builtin_inf());
  graze_status status = grz_event_cast(step, c, a, b, step->dt, clearance, &result);
  if (status != GRAZE_OK) return status;
  if (result.start_relation != GRAZE_SEPARATED) return event_query_first_contact(step, a, b, first);
  grz_event_from_cast(step, &first->event, &result, 0, clearance);
  return GRAZE_OK;
}

enum { EVENT_TASK = 32 }; /* pairs */

static void event_run_task(void *data, size_t index) {
  const scene_step *step = data;
  event_first *first = event_first_queries(step);
  for (size_t i = index * EVENT_TASK; i < step->pairs.kept && i < (index + 1) * EVENT_TASK; i++) {
    const step_pair *p = &step_pairs(step->scene)[i];
    first[i] = (event_first){.status = GRAZE_OK, .event = grz_event_none(step, p->low, p->high)};
    if (scene_respond(step->scene, p->low, p->high)) first[i].status = event_query_first(step, p, &first[i]);
  }
}

/* ---- Contacts at the start */

/* Pushes two bodies apart until their gap is one skin, with at most push_speed and in inverse proportion to their
 * masses. Earlier pushes that separate them are taken into account. */
static void event_push(scene_step *step, const event_first *first) {
  const step_collision *c = &first->event.collision;
  step_trajectory *low = &step->trajectory[c->low], *high = &step->trajectory[c->high];
  const double skin = grz_pair_skin(step->scene, c->low, c->high);
  const double speed = vec_dot(c->normal, vec_sub(high->push, low->push));
  const double of_low = grz_trajectory_contact_body(step, c->low, low->pose.position).inverse_mass,
               of_high = grz_trajectory_contact_body(step, c->high, high->pose.position).inverse_mass;
  if (!(first->gap + speed * step->dt < 0.5 * skin) || of_low + of_high == 0) return;
  const double wanted = real_min((skin - first->gap) / step->dt, step->scene->def.push_speed);
  const double added = real_max(wanted - speed, 0);
  low->push = vec_sub(low->push, vec_scale(c->normal, added * (of_low / (of_low + of_high))));
  high->push = vec_add(high->push, vec_scale(c->normal, added * (of_high / (of_low + of_high))));
  low->disturbed = low->disturbed || (of_low > 0 && added > 0);
  high->disturbed = high->disturbed || (of_high > 0 && added > 0);
}

/* Pushes all pairs. Pairs with the smallest gap of both bodies come first. So if one tile of a floor pushes a body
 * up, the corner of the next tile does not push it sideways. */
static void event_push_all(scene_step *step) {
  const event_first *first = event_first_queries(step);
  for (int nearest = 1; nearest >= 0; nearest--)
    for (size_t i = 0; i < step->pairs.kept; i++) {
      const step_collision *c = &first[i].event.collision;
      const step_trajectory *low = &step->trajectory[c->low], *high = &step->trajectory[c->high];
      const bool is_nearest = first[i].gap <= low->nearest_gap && first[i].gap <= high->nearest_gap;
      if (first[i].in_contact && is_nearest == (nearest == 1)) event_push(step, &first[i]);
    }
}

/* Returns whether the two still collide with their current motions. For example, a body that the floor stopped no
 * longer collides with the side of the next tile. */
static bool event_still_approaches(scene_step *step, event_first *first) {
  step_collision *c = &first->event.collision;
  graze_cast_result result;
  if (first->queried_again || first->gap < STEP_CLOSE * grz_pair_skin(step->scene, c->low, c->high))
    return first->approaches;
  if (!step->trajectory[c->low].disturbed && !step->trajectory[c->high].disturbed) return true;
  first->queried_again = true;
  const graze_status status =
      grz_event_cast(step, c, &step_body(step, c->low)->placed, &step_body(step, c->high)->placed, step->dt,
                     grz_event_clearance(step, c, first->gap), &result);
  step_fail(step, status, c->low);
  step->result.casts++;
  first->approaches = status == GRAZE_OK && result.outcome != GRAZE_CLEAR;
  if (first->approaches) step_collision_from_cast(c, &result);
  return first->approaches;
}

/* Computes the response of a pair if it must respond. Returns whether a motion changed. */
static bool event_settle_pair(scene_step *step, event_first *first) {
  const step_collision *c = &first->event.collision;
  step_trajectory *low = &step->trajectory[c->low], *high = &step->trajectory[c->high];
  contact_body a = grz_trajectory_contact_body(step, c->low, low->pose.position),
               b = grz_trajectory_contact_body(step, c->high, high->pose.position);
  a.push = b.push = vec_make(0, 0, 0);
  if (!grz_event_must_respond(step, c, &a, &b, first->gap, 0)) {
    /* If they approach only because of pushes, these pushes end. */
    a.push = low->push, b.push = high->push;
    const bool pushed = vec_norm_inf(a.push) > 0 || vec_norm_inf(b.push) > 0;
    if (!pushed || !(first->gap > 0) || !grz_event_must_respond(step, c, &a, &b, first->gap, 0)) return false;
    low->push = high->push = vec_make(0, 0, 0);
    return true;
  }
  if (!event_still_approaches(step, first) || !grz_event_must_respond(step, c, &a, &b, first->gap, 0)) return false;
  step->result.responses += event_respond(step, c, &a, &b);
  const bool low_changed = !grz_trajectory_keeps_motion(low, &a), high_changed = !grz_trajectory_keeps_motion(high, &b);
  if (low_changed) low->motion = a.motion, low->disturbed = true;
  if (high_changed) high->motion = b.motion, high->disturbed = true;
  return low_changed || high_changed;
}

/* Computes the responses of pairs in contact at the start. The first round handles only pairs whose contact is the
 * first of both bodies. Later rounds handle all pairs. */
static void event_settle(scene_step *step) {
  enum { ROUNDS = 48 };
  event_first *first = event_first_queries(step);
  const size_t pairs = step->pairs.kept;
  bool changed = true;
  for (size_t i = 0; i < pairs; i++) {
    const step_collision *c = &first[i].event.collision;
    step_trajectory *low = &step->trajectory[c->low], *high = &step->trajectory[c->high];
    if (!first[i].in_contact) continue;
    event_record_collision(step, &first[i].contact);
    low->nearest_gap = real_min(low->nearest_gap, first[i].gap);
    high->nearest_gap = real_min(high->nearest_gap, first[i].gap);
  }
  event_push_all(step);
  for (size_t i = 0; i < pairs; i++)
    if (first[i].approaches) grz_queue_update_first(step, &first[i].event);
  for (int round = 0; round < ROUNDS && changed; round++) {
    changed = round == 0;
    for (size_t i = 0; i < pairs && step->status == GRAZE_OK; i++) {
      const step_event *event = &first[i].event;
      const bool is_first = event->contact_time <= step->trajectory[event->collision.low].first_contact &&
                            event->contact_time <= step->trajectory[event->collision.high].first_contact;
      if (!first[i].approaches || (round == 0 && !is_first)) continue;
      if (event_settle_pair(step, &first[i])) changed = true;
    }
  }
  for (size_t i = 0; i < step->scene->store.slots; i++) step->trajectory[i].first_contact = __builtin_inf();
}

/* Queries all candidate pairs, settles those in contact, and fills the queue. */
static void event_start(scene_step *step) {
  const event_first *first = event_first_queries(step);
  const size_t pairs = step->pairs.kept, slots = step->scene->store.slots;
  grz_scene_run(step->scene, (pairs + EVENT_TASK - 1) / EVENT_TASK, event_run_task, step);
  for (size_t i = 0; i < pairs && step->status == GRAZE_OK; i++) {
    const step_collision *c = &first[i].event.collision;
    step->result.casts += scene_respond(step->scene, c->low, c->high);
    step_fail(step, first[i].status, c->low);
  }
  if (step->status == GRAZE_OK) event_settle(step);
  for (uint32_t i = 0; i < slots && step->status == GRAZE_OK; i++)
    if (step->trajectory[i].disturbed) grz_trajectory_change(step, i, 0, step_body(step, i)->motion);
  for (uint32_t i = 0; i < slots && step->status == GRAZE_OK; i++)
    if (step->trajectory[i].disturbed) grz_event_query_neighbors(step, i, SCENE_NONE, true);
  for (size_t i = 0; i < pairs && step->status == GRAZE_OK; i++) {
    const step_collision *c = &first[i].event.collision;
    if (step_changed(step, c->low) || step_changed(step, c->high)) continue; /* already queried again */
    if (first[i].in_contact)
      grz_event_query(step, c->low, c->high);
    else if (first[i].event.time < step->dt)
      grz_queue_push(step, &first[i].event);
  }
}

/* ---- The queue */

graze_status grz_step_run_events(scene_step *step) {
  graze_scene *scene = step->scene;
  bool responds = false;
  for (size_t i = 0; step->dt > 0 && !responds && i < step->pairs.kept; i++)
    responds = scene_respond(scene, step_pairs(scene)[i].low, step_pairs(scene)[i].high);
  if (!responds) return GRAZE_OK;
  if (!grz_trajectories_create(step) ||
      !grz_scene_grow(scene, &scene->buffer[BUFFER_FIRST_QUERIES], step->pairs.kept, sizeof(event_first)))
    return GRAZE_OUT_OF_MEMORY;
  event_start(step);
  while (step->event_count > 0 && step->status == GRAZE_OK) {
    const step_event event = grz_queue_pop(step);
    const step_collision *c = &event.collision;
    if (event.version_low != step->trajectory[c->low].version ||
        event.version_high != step->trajectory[c->high].version)
      continue;
    if (!grz_queue_postpone(step, &event)) event_handle(step, &event);
  }
  results_heapsort(scene->buffer[BUFFER_COLLISIONS].memory, step->collision_count, sizeof(step_collision),
                   event_collision_is_before);
  return step->status;
}
