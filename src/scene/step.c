/* A step: bounds, pairs, who meets whom and when, what becomes of it; then, when nothing can fail any more, the scene
 * moves on. */
#include "scene/step.h"

#include "shape/turning.h"

enum { STEP_BODIES = 64 }; /* of a task */

/* ---- Bounds */

/* What stands where it stood has its bounds. */
static void step_bound(void *data, size_t index) {
  const scene_step *step = data;
  const graze_scene *scene = step->scene;
  scene_state *states = scene_states(scene);
  for (size_t i = index * STEP_BODIES; i < scene->slots && i < (index + 1) * STEP_BODIES; i++) {
    scene_state *state = &states[i];
    const bool moves = state->moves && step->dt > 0;
    if (!state->used || !(moves || state->swept)) continue;
    grz_scene_brief_bound(step->scene, i, moves ? step->dt : 0);
    state->swept = moves;
    state->stale = true;
  }
}

/* Bodies that move, or were put somewhere, are looked at; those that come to rest are put back. */
static void step_wake(scene_step *step) {
  graze_scene *scene = step->scene;
  scene_state *states = scene_states(scene);
  for (size_t i = 0; i < scene->slots; i++) {
    scene_state *state = &states[i];
    if (!state->used) continue;
    state->awake = state->fresh || (step->dt > 0 && state->moves);
    if (!state->stale && state->told == state->awake) continue;
    grz_bvh_insert(&scene->broad, i, &scene_bounds(scene)[i], state->awake);
    state->told = state->awake;
    state->stale = false;
  }
  grz_bvh_rebuild(&scene->broad);
}

static size_t step_tasks(const graze_scene *scene) { return (scene->slots + STEP_BODIES - 1) / STEP_BODIES; }

/* ---- The end */

static bool step_moves(const scene_step *step, size_t slot) {
  const scene_state *state = &scene_states(step->scene)[slot];
  if (step->dt == 0 || !state->used) return false;
  return state->moves || (step->line.any && step->line.body[slot].changed);
}

const graze_placed *grz_scene_end(const scene_step *step, size_t slot) {
  const graze_placed *next = step->scene->next.memory;
  return step_moves(step, slot) ? &next[slot] : &step->scene->body[slot].placed;
}

static void step_place(void *data, size_t index) {
  const scene_step *step = data;
  const graze_scene *scene = step->scene;
  graze_placed *next = scene->next.memory;
  for (size_t i = index * STEP_BODIES; i < scene->slots && i < (index + 1) * STEP_BODIES; i++) {
    if (!step_moves(step, i)) continue;
    next[i] = scene->body[i].placed;
    next[i].status = graze_set_pose(&next[i], grz_scene_end_pose(scene, &step->line, i, step->dt));
  }
}

/* A body that would leave the numbers that there may be. */
static graze_status step_judge(const scene_step *step) {
  for (size_t i = 0; step->dt > 0 && i < step->scene->slots; i++) {
    if (!step_moves(step, i)) continue;
    const graze_placed *end = grz_scene_end(step, i);
    graze_status status = end->status;
    if (status == GRAZE_OK && step->line.any) status = grz_turning_validate(end, &step->line.body[i].motion);
    if (status != GRAZE_OK) return status;
  }
  return GRAZE_OK;
}

static void step_commit_body(scene_step *step, size_t slot) {
  graze_scene *scene = step->scene;
  const line_body *line = step->line.any ? &step->line.body[slot] : NULL;
  if (step_moves(step, slot)) {
    scene->body[slot].placed = *grz_scene_end(step, slot);
    grz_scene_brief_place(scene, slot);
  }
  if (line != NULL && line->changed) {
    scene->body[slot].motion = line->motion;
    grz_scene_brief_move(scene, slot);
  }
  scene_states(scene)[slot].fresh = line != NULL && line->stirred;
}

static void step_commit(scene_step *step) {
  graze_scene *scene = step->scene;
  scene_state *states = scene_states(scene);
  for (size_t i = 0; i < scene->slots; i++) {
    if (step->dt > 0)
      step_commit_body(step, i);
    else
      states[i].fresh = false; /* nobody moves, and nobody responds */
  }
  const scene_room kept = {scene->contact, scene->contact_capacity};
  scene->contact = scene->contacts.memory;
  scene->contact_capacity = scene->contacts.capacity;
  scene->contact_count = step->contact_count;
  scene->contacts = kept;
}

/* ---- The whole */

/* Pairs that respond and overlap at the end. */
static graze_status step_count_overlaps(scene_step *step) {
  const graze_scene *scene = step->scene;
  const scene_contact *contact = scene->contacts.memory;
  for (size_t i = 0; i < step->contact_count; i++) {
    graze_answer answer;
    if (!scene_respond_slots(scene, contact[i].low, contact[i].high)) continue;
    graze_status status =
        graze_intersect(grz_scene_end(step, contact[i].low), grz_scene_end(step, contact[i].high), NULL, &answer);
    if (status != GRAZE_OK) return status;
    step->result.overlaps += answer.relation == GRAZE_OVERLAPPING;
  }
  return GRAZE_OK;
}

static graze_status step_run(scene_step *step) {
  graze_scene *scene = step->scene;
  if (step->dt > 0 && !grz_scene_grow(scene, &scene->next, scene->slots, sizeof(graze_placed)))
    return GRAZE_OUT_OF_MEMORY;
  grz_scene_run(scene, step_tasks(scene), step_bound, step);
  step_wake(step);
  if (!grz_scene_collect_pairs(scene, step->dt, &step->line, &step->pairs)) return GRAZE_OUT_OF_MEMORY;
  graze_status status = grz_scene_run_timeline(scene, step->dt, step->pairs.left, &step->line);
  if (status != GRAZE_OK) return status;
  if (step->line.piece_count > 0 && !grz_scene_collect_pairs(scene, step->dt, &step->line, &step->pairs))
    return GRAZE_OUT_OF_MEMORY;
  if (step->dt > 0) grz_scene_run(scene, step_tasks(scene), step_place, step);
  status = step_judge(step);
  if (status == GRAZE_OK) status = grz_scene_report(step);
  return status == GRAZE_OK ? step_count_overlaps(step) : status;
}

graze_status graze_scene_step(graze_scene *scene, double dt, graze_step *result) {
  scene_step step = {.scene = scene, .dt = dt};
  if (!(dt >= 0 && dt <= GRAZE_LARGEST)) return GRAZE_BAD_OPTION;
  grz_scene_forget(scene);
  graze_status status = step_run(&step);
  if (status != GRAZE_OK) return status;
  step.result.pairs = step.pairs.met;
  step.result.casts += step.line.casts;
  step.result.responses = step.line.responses;
  step.result.stalled = step.line.stalled;
  step_commit(&step);
  if (result != NULL) *result = step.result;
  return GRAZE_OK;
}
