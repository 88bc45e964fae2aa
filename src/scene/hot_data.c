/* What steps and pairs ask of bodies, in arrays of its own: bodies are large, and there may be many. */
#include "core/memory.h"
#include "scene/world.h"

#include <string.h>

/* Zeros where nothing was: no body. */
static bool brief_fit(graze_scene *scene, scene_table *table, size_t count, size_t size) {
  if (count <= table->capacity) return true;
  char *memory = grz_allocate(&scene->allocator, count + SCENE_LINE / size + 1, size);
  if (memory == NULL) return false;
  char *at = memory + (-(uintptr_t)memory & (SCENE_LINE - 1));
  const size_t kept = table->capacity * size;
  if (kept > 0) memcpy(at, table->at, kept);
  memset(at + kept, 0, count * size - kept);
  grz_release(&scene->allocator, table->memory);
  *table = (scene_table){memory, at, count};
  return true;
}

bool grz_scene_brief_reserve(graze_scene *scene, size_t count) {
  return brief_fit(scene, &scene->briefs, count, sizeof(scene_brief)) &&
         brief_fit(scene, &scene->states, count, sizeof(scene_state)) &&
         brief_fit(scene, &scene->generations, count, sizeof(uint32_t)) &&
         brief_fit(scene, &scene->boxes, count, sizeof(grz_oriented)) &&
         brief_fit(scene, &scene->bounds, count, sizeof(graze_aabb));
}

void grz_scene_brief_free(graze_scene *scene) {
  grz_release(&scene->allocator, scene->briefs.memory);
  grz_release(&scene->allocator, scene->states.memory);
  grz_release(&scene->allocator, scene->generations.memory);
  grz_release(&scene->allocator, scene->boxes.memory);
  grz_release(&scene->allocator, scene->bounds.memory);
}

static scene_brief brief_of(const scene_body *b) {
  const graze_shape_kind kind = b->placed.shape.kind;
  scene_brief brief = {.category = b->category, .mask = b->mask};
  brief.type = (uint8_t)b->type, brief.sensor = b->sensor;
  brief.form = kind == GRAZE_HALFSPACE ? SCENE_FORM_PLANE : kind == GRAZE_BOX ? SCENE_FORM_BOX : SCENE_FORM_ANY;
  brief.yields = b->type == GRAZE_DYNAMIC && b->response != GRAZE_RESPONSE_NONE;
  return brief;
}

void grz_scene_brief_bound(graze_scene *scene, size_t slot, double time) {
  const scene_body *b = &scene->body[slot];
  graze_aabb *bounds = &scene_bounds(scene)[slot];
  if (time == 0 && scene_states(scene)[slot].boxed)
    grz_oriented_bounds(&b->placed, scene_grows(b), bounds);
  else
    *bounds = grz_swept_bounds(&b->placed, &b->motion, time, scene_grows(b));
}

static void brief_rest(graze_scene *scene, size_t slot) {
  scene_state *state = &scene_states(scene)[slot];
  const bool moves = !state->fixed;
  grz_scene_brief_bound(scene, slot, 0);
  grz_bvh_update(&scene->broad, slot, &scene_bounds(scene)[slot], moves);
  state->fresh = true;
  state->swept = state->stale = false;
  state->told = moves;
}

void grz_scene_brief_move(graze_scene *scene, size_t slot) {
  const graze_motion *m = &scene->body[slot].motion;
  scene_state *state = &scene_states(scene)[slot];
  state->turns = vec_norm_inf(m->angular) > 0;
  state->moves = state->turns || vec_norm_inf(m->velocity) > 0;
}

void grz_scene_brief_take(graze_scene *scene, size_t slot) {
  const scene_body *b = &scene->body[slot];
  const graze_body_def usual = graze_default_body();
  const scene_brief brief = brief_of(b);
  scene_state *state = &scene_states(scene)[slot];
  scene_briefs(scene)[slot] = brief;
  scene_generations(scene)[slot] = b->generation;
  state->used = true;
  state->thin = scene_thin(b) > 0;
  state->fixed = brief.type == GRAZE_STATIC, state->boxed = brief.form == SCENE_FORM_BOX;
  state->yields = brief.yields, state->sensor = brief.sensor;
  state->plain = brief.form != SCENE_FORM_PLANE && brief.category == usual.category && brief.mask == usual.mask;
  (void)grz_oriented_make(&scene_boxes(scene)[slot], &b->placed, scene_grows(b));
  grz_scene_brief_move(scene, slot);
  brief_rest(scene, slot);
}

void grz_scene_brief_place(graze_scene *scene, size_t slot) {
  const scene_body *b = &scene->body[slot];
  grz_oriented *box = &scene_boxes(scene)[slot];
  scene_state *state = &scene_states(scene)[slot];
  const bool was_thin = state->thin;
  state->thin = scene_thin(b) > 0;
  if (state->thin || was_thin)
    (void)grz_oriented_make(box, &b->placed, scene_grows(b));
  else
    grz_oriented_place(box, &b->placed);
}

void grz_scene_brief_put(graze_scene *scene, size_t slot) {
  grz_scene_brief_place(scene, slot);
  brief_rest(scene, slot);
}

void grz_scene_brief_drop(graze_scene *scene, size_t slot) {
  scene_states(scene)[slot] = (scene_state){.used = false};
  scene_briefs(scene)[slot].type = 0;
  grz_bvh_remove(&scene->broad, slot);
}

/* ---- Two bodies */

bool grz_scene_responds(const scene_body *a, const scene_body *b) {
  const scene_brief of_a = brief_of(a), of_b = brief_of(b);
  return scene_respond(&of_a, &of_b);
}

static bool brief_halfspace_meets(const scene_body *plane, double dt, const graze_aabb *box) {
  return grz_halfspace_overlaps(&plane->placed, &plane->motion, dt, plane->margin, box);
}

bool grz_scene_bounds_meet(const graze_scene *scene, double dt, size_t low, size_t high) {
  const graze_aabb *bounds = scene_bounds(scene);
  const scene_brief *briefs = scene_briefs(scene);
  if (briefs[low].form == SCENE_FORM_PLANE) return brief_halfspace_meets(&scene->body[low], dt, &bounds[high]);
  if (briefs[high].form == SCENE_FORM_PLANE) return brief_halfspace_meets(&scene->body[high], dt, &bounds[low]);
  return grz_aabb_overlap(&bounds[low], &bounds[high]);
}
