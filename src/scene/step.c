/* A step of a scene, from the bounds of the motions to the events. Phases:
 *
 *   1. bounds of all motions, and the tree                          step_update_tree()
 *   2. candidate pairs                                              grz_scene_collect_pairs()
 *   3. contact responses in the order of time                       grz_step_run_events()
 *   4. poses at the end                                             step_place()
 *   5. contacts of all pairs along their trajectories               step_find_contacts()
 *   6. events                                                       step_write_events()
 *   7. commit: the state changes, and nothing can fail              step_commit()
 *
 * Phase 3 records the collisions of pairs that respond. Phase 5 casts all other pairs along their trajectories, in
 * parallel tasks. Why no contact is missed: docs/theory/scene.md. */
#include "scene/collisions.h"

#include "core/memory.h"
#include "core/status.h"
#include "core/vec.h"
#include "shape/motion.h"

#include <string.h>

enum { STEP_BODIES = 64, STEP_PAIRS = 64 }; /* of a task */

static size_t step_tasks(size_t count, size_t of_task) { return (count + of_task - 1) / of_task; }

/* ---- Bounds and the tree */

/* Bodies that did not move keep their bounds from the previous step. */
static void step_bound(void *data, size_t index) {
  const scene_step *step = data;
  const graze_scene *scene = step->scene;
  for (size_t i = index * STEP_BODIES; i < scene->store.slots && i < (index + 1) * STEP_BODIES; i++) {
    scene_flags *flags = &scene_flags_of(scene)[i];
    const bool moves = flags->moves && step->dt > 0;
    if (!flags->used || !(moves || flags->swept)) continue;
    grz_store_bound(step->scene, i, moves ? step->dt : 0);
    flags->swept = moves;
    flags->stale = true;
  }
}

static void step_update_tree(scene_step *step) {
  graze_scene *scene = step->scene;
  grz_scene_run(scene, step_tasks(scene->store.slots, STEP_BODIES), step_bound, step);
  for (size_t i = 0; i < scene->store.slots; i++) {
    scene_flags *flags = &scene_flags_of(scene)[i];
    flags->changed = false;
    if (!flags->used) continue;
    flags->awake = flags->fresh || (step->dt > 0 && flags->moves);
    if (!flags->stale && flags->tree_moves == flags->awake) continue;
    grz_bvh_insert(&scene->store.tree, i, &scene_bounds(scene)[i], flags->awake);
    flags->tree_moves = flags->awake;
    flags->stale = false;
  }
  grz_bvh_rebuild(&scene->store.tree);
}

/* ---- The end of the step */

static bool step_moves(const scene_step *step, size_t slot) {
  const scene_flags *flags = &scene_flags_of(step->scene)[slot];
  if (step->dt == 0 || !flags->used) return false;
  return flags->moves || step_changed(step, slot);
}

/* The body of a slot at the end of the step. */
static const graze_placed *step_placed_at_end(const scene_step *step, size_t slot) {
  const graze_placed *placed = step->scene->buffer[BUFFER_PLACED_AT_END].memory;
  return step_moves(step, slot) ? &placed[slot] : scene_placed(step->scene, slot);
}

static void step_place(void *data, size_t index) {
  const scene_step *step = data;
  const graze_scene *scene = step->scene;
  graze_placed *placed = scene->buffer[BUFFER_PLACED_AT_END].memory;
  for (size_t i = index * STEP_BODIES; i < scene->store.slots && i < (index + 1) * STEP_BODIES; i++) {
    if (!step_moves(step, i)) continue;
    placed[i] = *scene_placed(scene, i);
    placed[i].status = graze_set_pose(&placed[i], grz_trajectory_end_pose(step, i));
  }
}

/* Fails if a body leaves the range of coordinates. */
static graze_status step_validate_end(scene_step *step) {
  for (size_t i = 0; step->dt > 0 && i < step->scene->store.slots; i++) {
    if (!step_moves(step, i)) continue;
    const graze_placed *end = step_placed_at_end(step, i);
    graze_status status = end->status;
    if (status == GRAZE_OK && step->trajectory != NULL) status = grz_motion_validate(end, &step->trajectory[i].motion);
    step_fail(step, status, i);
    if (status != GRAZE_OK) return status;
  }
  return GRAZE_OK;
}

static void step_commit(scene_step *step) {
  graze_scene *scene = step->scene;
  for (size_t i = 0; i < scene->store.slots; i++) {
    scene_record *b = &scene_records(scene)[i];
    if (step_moves(step, i)) {
      b->placed = *step_placed_at_end(step, i);
      grz_store_stepped(scene, i);
    }
    if (step_changed(step, i)) {
      b->motion = step->trajectory[i].motion;
      grz_store_motion_changed(scene, i);
    }
    scene_flags_of(scene)[i].fresh = step->trajectory != NULL && step->trajectory[i].disturbed;
  }
  const scene_buffer before = scene->store.contact;
  scene->store.contact = scene->buffer[BUFFER_CONTACTS];
  scene->buffer[BUFFER_CONTACTS] = before;
  scene->store.contact_count = step->contact_count;
}

/* ---- Contacts */

typedef struct step_outcome {
  bool before : 1; /* in contact at the start of the step */
  bool during : 1; /* a contact began in the step */
  bool after : 1;  /* in contact at the end */
} step_outcome;

/* The sums of one task, and the place of its events. */
typedef struct step_task {
  size_t not_in_contact; /* pairs at the start of the step */
  size_t first, began;   /* events of contacts that began: the index of the first one, and their number */
  graze_status status;   /* the first failure */
  size_t failed;         /* the slot of its body */
  size_t casts, events;  /* events: of pairs with a contact that began */
} step_task;

/* The state of a pair during its queries. */
typedef struct step_case {
  bool before, during, after;
  step_collision *collision; /* if one began */
  step_task *task;
} step_case;

typedef struct step_work {
  const scene_step *step;
  step_outcome *outcome; /* by pair */
  graze_event *event;    /* of contacts that began, by task */
  step_task *task;
} step_work;

/* Records a contact at the given poses, without a cast. */
static graze_status step_contact_at(const graze_placed *a, const graze_placed *b, double t_lower, double t_upper,
                                    step_case *out) {
  graze_answer answer;
  graze_status status = graze_distance(a, b, NULL, &answer);
  if (status != GRAZE_OK) return status;
  out->during = true;
  out->collision->result = GRAZE_HIT;
  out->collision->t_lower = t_lower, out->collision->t_upper = t_upper;
  step_collision_from_answer(out->collision, &answer);
  return GRAZE_OK;
}

/* Casts two bodies in an interval with constant motions. */
static graze_status step_cast(const scene_step *step, pair_body a, pair_body b, double margin, double from, double to,
                              step_case *out) {
  graze_cast_result result;
  graze_status status = grz_pair_cast(step->scene, a, b, to - from, margin, 0, &result);
  out->task->casts++;
  if (status != GRAZE_OK || (result.outcome == GRAZE_CLEAR && result.start_relation == GRAZE_SEPARATED)) return status;
  if (result.outcome == GRAZE_CLEAR) return step_contact_at(a.placed, b.placed, from, from, out); /* they separate */
  out->during = true;
  out->collision->result = result.outcome;
  out->collision->t_lower = from + result.t_lower;
  out->collision->t_upper = real_min(from + result.t_upper, to);
  step_collision_from_cast(out->collision, &result);
  return GRAZE_OK;
}

static double step_segment_end(const scene_step *step, const step_segment *segment) {
  return segment->next == SCENE_NONE ? step->dt : step_segments(step)[segment->next].from;
}

static graze_status step_place_on_segment(graze_placed *placed, const step_segment *segment, double t) {
  return graze_set_pose(placed, t > segment->from
                                    ? graze_pose_after(&segment->pose, &segment->motion, t - segment->from)
                                    : segment->pose);
}

/* Casts a pair along both trajectories, from one change of motion to the next. */
static graze_status step_cast_segments(const scene_step *step, step_pair pair, double margin, step_case *out) {
  graze_placed a = *scene_placed(step->scene, pair.low), b = *scene_placed(step->scene, pair.high);
  step_segment of_a = grz_trajectory_first_segment(step, pair.low),
               of_b = grz_trajectory_first_segment(step, pair.high);
  graze_status status = GRAZE_OK;
  for (double t = 0; status == GRAZE_OK && !out->during && t < step->dt;) {
    const double end_a = step_segment_end(step, &of_a), end_b = step_segment_end(step, &of_b);
    const double end = real_min(end_a, end_b);
    status = step_place_on_segment(&a, &of_a, t);
    if (status == GRAZE_OK) status = step_place_on_segment(&b, &of_b, t);
    if (status == GRAZE_OK && end > t)
      status = step_cast(step, (pair_body){&a, &of_a.motion}, (pair_body){&b, &of_b.motion}, margin, t, end, out);
    if (end_a <= end && of_a.next != SCENE_NONE) of_a = step_segments(step)[of_a.next];
    if (end_b <= end && of_b.next != SCENE_NONE) of_b = step_segments(step)[of_b.next];
    t = end;
  }
  return status;
}

/* Finds the first contact of a pair in the step. The pair does not respond and was not in contact. */
static graze_status step_find_collision(const scene_step *step, step_pair pair, step_case *out) {
  const scene_record *a = &scene_records(step->scene)[pair.low], *b = &scene_records(step->scene)[pair.high];
  const double margin = pair_margin(step->scene, pair.low, pair.high);
  bool meets;
  if (!step_moves(step, pair.low) && !step_moves(step, pair.high)) {
    meets = pair.overlap;
    graze_status status = meets ? GRAZE_OK : grz_pair_meets(&a->placed, &b->placed, margin, &meets);
    return status == GRAZE_OK && meets ? step_contact_at(&a->placed, &b->placed, 0, 0, out) : status;
  }
  if (step_changed(step, pair.low) || step_changed(step, pair.high)) return step_cast_segments(step, pair, margin, out);
  graze_status status = step_cast(step, (pair_body){&a->placed, &a->motion}, (pair_body){&b->placed, &b->motion},
                                  margin, 0, step->dt, out);
  const bool turns = vec_norm_inf(a->motion.angular) > 0 || vec_norm_inf(b->motion.angular) > 0;
  const bool closing = turns || !vec_equal(a->motion.velocity, b->motion.velocity);
  if (status != GRAZE_OK || out->during || closing) return status;
  /* Their exact distance is constant, but rounded poses may touch at the end. */
  const graze_placed *end_a = step_placed_at_end(step, pair.low), *end_b = step_placed_at_end(step, pair.high);
  status = grz_pair_meets(end_a, end_b, margin, &meets);
  return status == GRAZE_OK && meets ? step_contact_at(end_a, end_b, step->dt, step->dt, out) : status;
}

static graze_status step_meets_at_end(const scene_step *step, step_pair pair, double clearance, step_case *out) {
  out->after = pair.overlap;
  if (pair.overlap) return GRAZE_OK;
  return grz_pair_meets(step_placed_at_end(step, pair.low), step_placed_at_end(step, pair.high), clearance,
                        &out->after);
}

static graze_status step_find_contact(const scene_step *step, step_pair pair, step_case *out) {
  const graze_scene *scene = step->scene;
  if (scene_respond(scene, pair.low, pair.high)) {
    /* Phase 3 recorded all collisions. Without a collision, the two may still be in contact at the end. */
    const step_collision *c = grz_step_first_collision(step, pair.low, pair.high);
    graze_status status = step_meets_at_end(step, pair, grz_pair_contact_distance(scene, pair.low, pair.high), out);
    if (c != NULL) out->during = true, *out->collision = *c;
    if (status != GRAZE_OK || out->during || out->before || !out->after) return status;
    return step_contact_at(step_placed_at_end(step, pair.low), step_placed_at_end(step, pair.high), 0, step->dt, out);
  }
  graze_status status = out->before ? GRAZE_OK : step_find_collision(step, pair, out);
  if (status != GRAZE_OK || (!out->before && !out->during)) return status;
  const bool at_rest = step->dt == 0 || (!step_moves(step, pair.low) && !step_moves(step, pair.high));
  if (at_rest && out->during) { /* the contact at the start is also that at the end */
    out->after = true;
    return GRAZE_OK;
  }
  return step_meets_at_end(step, pair, pair_margin(scene, pair.low, pair.high), out);
}

/* Returns whether the two certainly overlap before and after the step. This covers most contacts. */
static bool step_still_overlaps(const scene_step *step, step_pair pair, bool before) {
  return before && pair.overlap && step->trajectory == NULL;
}

/* The end of the pairs of a task. */
static size_t step_task_end(const scene_step *step, size_t index) {
  const size_t end = (index + 1) * STEP_PAIRS;
  return end < step->pairs.kept ? end : step->pairs.kept;
}

/* Finds the pairs that were in contact, by merging two sorted lists. */
static void step_compare_contacts(void *data, size_t index) {
  const step_work *work = data;
  const graze_scene *scene = work->step->scene;
  const step_pair *pairs = step_pairs(scene);
  const size_t from = index * STEP_PAIRS, to = step_task_end(work->step, index);
  size_t at = grz_scene_contact_index(scene, pairs[from]), not_in_contact = 0;
  for (size_t i = from; i < to; i++) {
    while (at < scene->store.contact_count && contact_is_before(scene_contacts(scene)[at], pairs[i].low, pairs[i].high))
      at++;
    const bool before = contact_is(scene, at, pairs[i]);
    work->outcome[i] = (step_outcome){.before = before, .after = step_still_overlaps(work->step, pairs[i], before)};
    not_in_contact += !before;
  }
  work->task[index].not_in_contact = not_in_contact;
}

static void step_set_event(graze_event *e, const graze_scene *scene, graze_event_kind kind, step_pair pair) {
  const graze_vec none = {__builtin_nan(""), __builtin_nan(""), __builtin_nan("")};
  const graze_body a = scene_id(scene, pair.low), b = scene_id(scene, pair.high);
  *e = (graze_event){.kind = kind, .a = a, .b = b, .outcome = GRAZE_HIT, .point = none, .normal = none};
}

static void step_set_begin(graze_event *e, const graze_scene *scene, step_pair pair, const step_collision *c) {
  step_set_event(e, scene, GRAZE_EVENT_BEGIN, pair);
  e->outcome = c->result;
  e->t_lower = c->t_lower, e->t_upper = c->t_upper;
  e->point = c->point, e->normal = c->normal;
  e->part_a = c->part_a, e->part_b = c->part_b;
}

/* `after` is already set for the pairs that still overlap. */
static void step_find_contacts(void *data, size_t index) {
  const step_work *work = data;
  const graze_scene *scene = work->step->scene;
  const step_pair *pairs = step_pairs(scene);
  const size_t from = index * STEP_PAIRS, to = step_task_end(work->step, index);
  step_task task = work->task[index];
  for (size_t i = from; i < to; i++) {
    if (work->outcome[i].after) continue;
    grz_prefetch(scene_placed(scene, pairs[i].low), sizeof(graze_placed));
    grz_prefetch(scene_placed(scene, pairs[i].high), sizeof(graze_placed));
  }
  for (size_t i = from; i < to; i++) {
    step_outcome *outcome = &work->outcome[i];
    if (outcome->after) continue;
    step_collision collision;
    step_case out = {.before = outcome->before, .collision = &collision, .task = &task};
    const graze_status status = step_find_contact(work->step, pairs[i], &out);
    if (task.status == GRAZE_OK) task.status = status, task.failed = pairs[i].low;
    outcome->during = out.during, outcome->after = out.after;
    if (out.before || !out.during) continue;
    step_set_begin(&work->event[task.first + task.began++], scene, pairs[i], &collision);
    task.events += out.after ? 1 : 2;
  }
  work->task[index] = task;
}

/* ---- Events */

typedef struct step_writer {
  scene_step *step;
  graze_event *event;
  scene_contact *contact;
} step_writer;

static graze_event *step_next_event(const step_writer *w) { return &w->event[w->step->result.event_count++]; }

/* `begin`: the event of a contact that began. */
static void step_write_pair(const step_writer *w, step_pair pair, step_outcome out, const graze_event *begin) {
  const graze_scene *scene = w->step->scene;
  if (!out.before && !out.during) return;
  if (!out.before) *step_next_event(w) = *begin;
  if (out.before && out.after) step_set_event(step_next_event(w), scene, GRAZE_EVENT_STAY, pair);
  if (!out.after) step_set_event(step_next_event(w), scene, GRAZE_EVENT_END, pair);
  if (out.after) w->contact[w->step->contact_count++] = (scene_contact){pair.low, pair.high};
}

/* Writes a contact of the last step whose bodies are not a candidate pair: their filters changed, they moved apart,
 * or neither is awake. */
static void step_write_other(const step_writer *w, scene_contact c) {
  const graze_scene *scene = w->step->scene;
  const scene_filter *filter = scene_filters(scene);
  const scene_flags *flags = scene_flags_of(scene);
  const bool stays = !flags[c.low].awake && !flags[c.high].awake && scene_are_pair(&filter[c.low], &filter[c.high]);
  step_set_event(step_next_event(w), scene, stays ? GRAZE_EVENT_STAY : GRAZE_EVENT_END,
                 (step_pair){c.low, c.high, false});
  if (stays) w->contact[w->step->contact_count++] = c;
}

/* Merges candidate pairs and contacts of the last step, both sorted. The events of contacts that began are the last
 * ones of the buffer: each is read before it is overwritten. */
static void step_write_events(const step_writer *w, const step_outcome *outcome, const graze_event *begin) {
  const graze_scene *scene = w->step->scene;
  const scene_contact *contact = scene_contacts(scene);
  size_t c = 0;
  for (size_t i = 0; i < w->step->pairs.kept; i++) {
    const step_pair pair = step_pairs(scene)[i];
    for (; c < scene->store.contact_count && contact_is_before(contact[c], pair.low, pair.high); c++)
      step_write_other(w, contact[c]);
    c += outcome[i].before;
    step_write_pair(w, pair, outcome[i], begin);
    begin += !outcome[i].before && outcome[i].during;
  }
  for (; c < scene->store.contact_count; c++) step_write_other(w, contact[c]);
}

/* Phase 5. Sets the outcomes of all pairs, and writes the events of contacts that began to BUFFER_EVENTS. `began`
 * receives their number, and `count` that of all events. */
static graze_status step_find_events(scene_step *step, size_t *began, size_t *count) {
  graze_scene *scene = step->scene;
  scene_buffer *buffer = scene->buffer;
  const size_t tasks = step_tasks(step->pairs.kept, STEP_PAIRS);
  size_t not_in_contact = 0;
  if (!grz_scene_grow(scene, &buffer[BUFFER_OUTCOMES], step->pairs.kept, sizeof(step_outcome)) ||
      !grz_scene_grow(scene, &buffer[BUFFER_TASKS], tasks, sizeof(step_task)))
    return GRAZE_OUT_OF_MEMORY;
  step_work work = {step, buffer[BUFFER_OUTCOMES].memory, NULL, buffer[BUFFER_TASKS].memory};
  grz_scene_run(scene, tasks, step_compare_contacts, &work);
  for (size_t i = 0; i < tasks; not_in_contact += work.task[i++].not_in_contact)
    work.task[i] =
        (step_task){.status = GRAZE_OK, .not_in_contact = work.task[i].not_in_contact, .first = not_in_contact};
  if (!grz_scene_grow(scene, &buffer[BUFFER_EVENTS], not_in_contact, sizeof(graze_event))) return GRAZE_OUT_OF_MEMORY;
  work.event = buffer[BUFFER_EVENTS].memory;
  grz_scene_run(scene, tasks, step_find_contacts, &work);
  *began = 0, *count = scene->store.contact_count;
  for (size_t i = 0; i < tasks; i++) {
    const step_task *task = &work.task[i];
    step_fail(step, task->status, task->failed);
    if (step->status != GRAZE_OK) return step->status;
    if (task->began > 0) memmove(&work.event[*began], &work.event[task->first], task->began * sizeof *work.event);
    *began += task->began, *count += task->events;
    step->result.casts += task->casts;
  }
  return GRAZE_OK;
}

/* Phases 5 and 6. Fills BUFFER_EVENTS and BUFFER_CONTACTS. */
static graze_status step_report(scene_step *step) {
  graze_scene *scene = step->scene;
  scene_buffer *buffer = scene->buffer;
  size_t began, count;
  const graze_status status = step_find_events(step, &began, &count);
  if (status != GRAZE_OK) return status;
  if (!grz_scene_grow(scene, &buffer[BUFFER_EVENTS], count, sizeof(graze_event)) ||
      !grz_scene_grow(scene, &buffer[BUFFER_CONTACTS], count, sizeof(scene_contact)))
    return GRAZE_OUT_OF_MEMORY;
  graze_event *event = buffer[BUFFER_EVENTS].memory;
  step->result.events = event;
  if (count == 0) return GRAZE_OK; /* perhaps without memory */
  graze_event *begin = event + (count - began);
  if (began > 0) memmove(begin, event, began * sizeof *event);
  const step_writer w = {step, event, buffer[BUFFER_CONTACTS].memory};
  step_write_events(&w, buffer[BUFFER_OUTCOMES].memory, begin);
  return GRAZE_OK;
}

/* ---- The step */

static graze_status step_count_overlaps(scene_step *step) {
  const scene_contact *contact = step->scene->buffer[BUFFER_CONTACTS].memory;
  for (size_t i = 0; i < step->contact_count; i++) {
    const uint32_t low = contact[i].low, high = contact[i].high;
    graze_answer answer;
    if (!scene_respond(step->scene, low, high)) continue;
    graze_status status = graze_intersect(step_placed_at_end(step, low), step_placed_at_end(step, high), NULL, &answer);
    step_fail(step, status, low);
    if (status != GRAZE_OK) return status;
    step->result.overlaps += answer.relation == GRAZE_OVERLAPPING;
  }
  return GRAZE_OK;
}

static graze_status step_run(scene_step *step) {
  graze_scene *scene = step->scene;
  const size_t slots = scene->store.slots;
  if (step->dt > 0 &&
      !grz_scene_reserve(scene, &scene->buffer[BUFFER_PLACED_AT_END], scene_slot_capacity(scene), sizeof(graze_placed)))
    return GRAZE_OUT_OF_MEMORY;
  step_update_tree(step);
  if (!grz_scene_collect_pairs(scene, step->dt, &step->pairs)) return GRAZE_OUT_OF_MEMORY;
  graze_status status = grz_step_run_events(step);
  if (status != GRAZE_OK) return status;
  /* Bodies that changed their motion may collide with other bodies than before. */
  if (step->segment_count > 0 && !grz_scene_collect_pairs(scene, step->dt, &step->pairs)) return GRAZE_OUT_OF_MEMORY;
  if (step->dt > 0) grz_scene_run(scene, step_tasks(slots, STEP_BODIES), step_place, step);
  status = step_validate_end(step);
  if (status == GRAZE_OK) status = step_report(step);
  return status == GRAZE_OK ? step_count_overlaps(step) : status;
}

graze_status graze_scene_step(graze_scene *scene, double dt, graze_step *result, graze_error *error) {
  scene_step step = {.scene = scene, .dt = dt};
  if (!(dt >= 0 && dt <= GRAZE_LARGEST))
    return grz_reject(error, grz_error_rule(GRAZE_BAD_OPTION, "dt", dt, "must be 0 to 1e40"));
  grz_store_purge_contacts(scene);
  const graze_status status = step_run(&step);
  if (status == GRAZE_OUT_OF_MEMORY) return grz_reject(error, grz_error(status, "memory", -1, 0));
  if (status != GRAZE_OK) {
    const char *allowed = status == GRAZE_BAD_NUMBER ? GRZ_SCENE_RANGE : "must be accepted by the cast of the scene";
    return grz_reject(error, grz_error_rule(status, "body", (double)step.failed, allowed));
  }
  step.result.pairs = step.pairs.tested;
  step_commit(&step);
  if (result != NULL) *result = step.result;
  return GRAZE_OK;
}
