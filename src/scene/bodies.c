/* Scenes and their bodies: making, adding, changing, asking. */
#include "scene/world.h"

#include "core/memory.h"
#include "core/vec.h"
#include "shape/check.h"
#include "shape/placed.h"
#include "shape/turning.h"

#include <string.h>

enum { BODY_AHEAD = 6 };

/* A skin is this share of the reach. */
#define BODY_SKIN 0x1p-16

graze_body_def graze_default_body(void) {
  graze_body_def def = {.shape = graze_point(), .pose = graze_pose_at(0, 0, 0), .type = GRAZE_DYNAMIC};
  def.category = 1, def.mask = UINT64_MAX;
  def.mass = def.bounce = 1;
  return def;
}

/* ---- Judging */

static graze_status body_fault(graze_error *error, graze_status status, const char *what, double value) {
  if (error != NULL) *error = (graze_error){status, what, -1, value};
  return status;
}

static bool body_same_word(const char *p, const char *q) {
  while (*p != 0 && *p == *q) p++, q++;
  return *p == *q;
}

/* What graze_check() found, in the words of a body: it has a margin and a type of its own. */
static const char *body_word(const char *what) {
  static const char *const words[][2] = {
      {"position", "pose.position"},
      {"rotation", "pose.rotation"},
      {"type", "shape.type"},
      {"dim", "shape.dim"},
      {"margin", "shape.margin"},
      {"radius", "shape.radius"},
      {"half_length", "shape.half_length"},
      {"half_extents", "shape.half_extents"},
      {"radii", "shape.radii"},
      {"vertices", "shape.vertices"},
      {"normal", "shape.normal"},
      {"offset", "shape.offset"},
      {"support", "shape.support"},
      {"parts", "shape.parts"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (body_same_word(words[i][0], what)) return words[i][1];
  return "shape";
}

/* The first coordinate that is why a motion is refused. */
static graze_status body_motion_fault(graze_error *error, graze_status status, const graze_motion *motion) {
  const graze_vec v = motion->velocity, w = motion->angular;
  const double number[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  static const bool flat[6] = {[0] = true, [1] = true, [5] = true};
  for (int i = status == GRAZE_UNSUPPORTED ? 3 : 0; error != NULL && i < 6; i++) {
    const bool bad = status == GRAZE_BAD_NUMBER ? !(real_abs(number[i]) <= GRAZE_LARGEST)
                                                : number[i] != 0 && !(status == GRAZE_DIM_MISMATCH && flat[i]);
    if (!bad) continue;
    *error = (graze_error){status, i < 3 ? "motion.velocity" : "motion.angular", i % 3, number[i]};
    break;
  }
  return status;
}

static bool body_is_size(double x) { return x >= 0 && x <= GRAZE_LARGEST; }

static graze_status body_judge_numbers(const graze_body_def *def, graze_error *error) {
  if (!body_is_size(def->margin)) return body_fault(error, GRAZE_BAD_OPTION, "margin", def->margin);
  if (!(def->mass > 0 && def->mass <= GRAZE_LARGEST)) return body_fault(error, GRAZE_BAD_OPTION, "mass", def->mass);
  if (!(def->bounce >= 0 && def->bounce <= 1)) return body_fault(error, GRAZE_BAD_OPTION, "bounce", def->bounce);
  if ((unsigned)def->response > GRAZE_RESPONSE_BOUNCE)
    return body_fault(error, GRAZE_BAD_OPTION, "response", (double)def->response);
  if (def->type < GRAZE_STATIC || def->type > GRAZE_DYNAMIC)
    return body_fault(error, GRAZE_BAD_OPTION, "type", (double)def->type);
  return GRAZE_OK;
}

static bool body_is_still(const graze_motion *motion) {
  return vec_norm_inf(motion->velocity) == 0 && vec_norm_inf(motion->angular) == 0;
}

static graze_status body_judge_motion(const graze_placed *placed, graze_body_type type, const graze_motion *motion,
                                      graze_error *error) {
  graze_status status = grz_turning_validate(placed, motion);
  if (status == GRAZE_OK && type == GRAZE_STATIC && !body_is_still(motion)) status = GRAZE_BAD_OPTION;
  return status == GRAZE_OK ? status : body_motion_fault(error, status, motion);
}

graze_status grz_scene_validate(int dim, const graze_body_def *def, graze_placed *placed, graze_error *error) {
  graze_status status = graze_check(&def->shape, &def->pose, error);
  if (status != GRAZE_OK && error != NULL) error->what = body_word(error->what);
  if (status != GRAZE_OK) return status;
  if (def->shape.dim != dim) return body_fault(error, GRAZE_DIM_MISMATCH, "shape.dim", (double)def->shape.dim);
  if (def->shape.kind == GRAZE_HALFSPACE && def->type == GRAZE_DYNAMIC)
    return body_fault(error, GRAZE_UNSUPPORTED, "type", (double)def->type);
  status = body_judge_numbers(def, error);
  if (status != GRAZE_OK) return status;
  *placed = graze_place(&def->shape, def->pose);
  if (placed->status != GRAZE_OK) return body_fault(error, placed->status, "shape", 0);
  status = body_judge_motion(placed, def->type, &def->motion, error);
  if (status == GRAZE_OK && error != NULL) *error = (graze_error){GRAZE_OK, "", -1, 0};
  return status;
}

/* ---- Scenes */

graze_scene_def graze_default_scene(void) { return (graze_scene_def){.dim = 3, .samples = 2, .push_speed = 1e30}; }

bool grz_scene_def_is_good(const graze_scene_def *def) {
  const bool method =
      def->method == GRAZE_METHOD_AUTO || (def->method >= GRAZE_METHOD_FCCD && def->method <= GRAZE_METHOD_DISCRETE);
  return (def->dim == 2 || def->dim == 3) && method && def->samples >= 2 && body_is_size(def->skin) &&
         body_is_size(def->push_speed);
}

graze_status graze_scene_create(const graze_scene_def *def, const graze_allocator *allocator, graze_scene **scene) {
  const graze_scene_def standard = graze_default_scene(), *given = def != NULL ? def : &standard;
  const graze_allocator from = grz_allocator(allocator);
  if (!grz_scene_def_is_good(given)) return GRAZE_BAD_OPTION;
  graze_scene *made = grz_allocate(&from, 1, sizeof *made);
  if (made == NULL) return GRAZE_OUT_OF_MEMORY;
  *made = (graze_scene){.allocator = from, .def = *given};
  if (given->parallel != NULL) made->parallel = *given->parallel;
  made->def.parallel = NULL;
  made->kernels = grz_batch_select();
  grz_bvh_make(&made->broad, given->dim, &from);
  *scene = made;
  return GRAZE_OK;
}

void graze_scene_destroy(graze_scene *scene) {
  if (scene == NULL) return;
  const graze_allocator allocator = scene->allocator;
  const scene_room *rooms[] = {&scene->next,     &scene->found,    &scene->chunks,   &scene->halves,  &scene->pairs,
                               &scene->starts,   &scene->events,   &scene->contacts, &scene->lines,   &scene->pieces,
                               &scene->outcomes, &scene->meetings, &scene->meets,    &scene->waiting, &scene->asked,
                               &scene->notes,    &scene->sums};
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) grz_release(&allocator, rooms[i]->memory);
  grz_scene_brief_free(scene);
  grz_owned_free(&scene->owned, &allocator);
  grz_bvh_free(&scene->broad);
  grz_release(&allocator, scene->contact);
  grz_release(&allocator, scene->body);
  grz_release(&allocator, scene);
}

bool grz_scene_grow(graze_scene *scene, scene_room *room, size_t count, size_t size) {
  if (count <= room->capacity) return true;
  const size_t wanted = count + count / 2 + 16;
  void *memory = grz_allocate(&scene->allocator, wanted, size);
  if (memory == NULL) return false;
  if (room->memory != NULL) memcpy(memory, room->memory, room->capacity * size);
  grz_release(&scene->allocator, room->memory);
  *room = (scene_room){memory, wanted};
  return true;
}

void grz_scene_run(const graze_scene *scene, size_t count, void (*task)(void *data, size_t index), void *data) {
  if (scene->parallel.run != NULL && count > 1) {
    scene->parallel.run(scene->parallel.context, count, task, data);
    return;
  }
  for (size_t i = 0; i < count; i++) task(data, i);
}

/* ---- Slots */

scene_body *grz_scene_find(const graze_scene *scene, graze_body body) {
  if (body.slot >= scene->slots) return NULL;
  if (!scene_states(scene)[body.slot].used || scene_generations(scene)[body.slot] != body.generation) return NULL;
  return &scene->body[body.slot];
}

/* Room for one more slot, everywhere. */
static bool scene_reserve(graze_scene *scene) {
  if (scene->free_slot < scene->slots || scene->slots < scene->broad.capacity) return true;
  if (scene->slots >= INT32_MAX / 2) return false;
  scene_room room = {scene->body, scene->capacity};
  if (!grz_scene_grow(scene, &room, scene->slots + 1, sizeof *scene->body)) return false;
  scene->body = room.memory, scene->capacity = room.capacity;
  return grz_scene_brief_reserve(scene, scene->capacity) && grz_bvh_reserve(&scene->broad, scene->capacity);
}

void grz_scene_take(graze_scene *scene, size_t slot, const graze_body_def *def, const graze_placed *placed) {
  scene_body *b = &scene->body[slot];
  const double reach = placed->reach + placed->radius, own = scene->def.skin > 0 ? scene->def.skin : BODY_SKIN * reach;
  b->placed = *placed;
  b->motion = def->motion;
  b->category = def->category, b->mask = def->mask;
  b->margin = def->margin, b->mass = def->mass, b->bounce = def->bounce;
  b->skin = placed->shape.kind == GRAZE_HALFSPACE ? __builtin_inf() : own;
  b->user = def->user;
  b->type = def->type, b->response = def->response, b->sensor = def->sensor;
  grz_scene_brief_take(scene, slot);
}

graze_status graze_scene_add(graze_scene *scene, const graze_body_def *def, graze_body *body, graze_error *error) {
  graze_placed placed;
  graze_status status = grz_scene_validate(scene->def.dim, def, &placed, error);
  if (status != GRAZE_OK) return status;
  if (!scene_reserve(scene)) return body_fault(error, GRAZE_OUT_OF_MEMORY, "bodies", (double)scene->broad.count);
  const size_t slot = scene->free_slot;
  const bool unused = slot == scene->slots;
  const uint32_t generation = unused ? 0 : scene->body[slot].generation;
  scene->free_slot = unused ? (uint32_t)(slot + 1) : scene->body[slot].next;
  if (unused) scene->slots++;
  scene->body[slot] = (scene_body){.generation = generation + 1};
  grz_scene_take(scene, slot, def, &placed);
  *body = scene_id(scene, slot);
  return GRAZE_OK;
}

void grz_scene_forget(graze_scene *scene) {
  size_t kept = 0;
  if (!scene->forgets) return;
  for (size_t i = 0; i < scene->contact_count; i++)
    if (scene_is_contact(scene, scene->contact[i])) scene->contact[kept++] = scene->contact[i];
  scene->contact_count = kept;
  for (size_t i = 0; i < scene->slots; i++) scene_states(scene)[i].left = false;
  scene->forgets = false;
}

graze_status graze_scene_remove(graze_scene *scene, graze_body body) {
  scene_body *b = grz_scene_find(scene, body);
  if (b == NULL) return GRAZE_NO_BODY;
  grz_scene_brief_drop(scene, body.slot);
  scene_states(scene)[body.slot].left = scene->forgets = true;
  *b = (scene_body){.generation = b->generation, .next = scene->free_slot};
  scene->free_slot = body.slot;
  if (b->generation == UINT32_MAX) /* a slot that has given all its ids is not used again */
    scene->free_slot = b->next;
  return GRAZE_OK;
}

/* ---- What a body is */

graze_status graze_scene_get(const graze_scene *scene, graze_body body, graze_body_def *def) {
  const scene_body *b = grz_scene_find(scene, body);
  if (b == NULL) return GRAZE_NO_BODY;
  *def = (graze_body_def){.shape = b->placed.shape, .pose = b->placed.pose, .motion = b->motion, .type = b->type};
  def->category = b->category, def->mask = b->mask, def->sensor = b->sensor;
  def->margin = b->margin, def->response = b->response, def->mass = b->mass, def->bounce = b->bounce;
  def->user = b->user;
  return GRAZE_OK;
}

graze_status graze_scene_set(graze_scene *scene, graze_body body, const graze_body_def *def, graze_error *error) {
  graze_placed placed;
  scene_body *b = grz_scene_find(scene, body);
  if (b == NULL) return body_fault(error, GRAZE_NO_BODY, "body", (double)body.slot);
  graze_status status = grz_scene_validate(scene->def.dim, def, &placed, error);
  if (status != GRAZE_OK) return status;
  grz_scene_take(scene, body.slot, def, &placed);
  return GRAZE_OK;
}

/* Who puts many bodies goes from slot to slot: those that come next are fetched meanwhile. */
static void scene_fetch(const graze_scene *scene, uint32_t slot) {
  if (slot + BODY_AHEAD >= scene->slots) return;
  const graze_placed *next = &scene->body[slot + BODY_AHEAD].placed;
  __builtin_prefetch(&next->pose, 1);
  __builtin_prefetch(&next->rotation[0], 1);
  __builtin_prefetch(&next->rotation[8], 1);
  grz_bvh_prefetch(&scene->broad, slot + BODY_AHEAD / 2);
}

graze_status graze_scene_set_pose(graze_scene *scene, graze_body body, graze_pose pose) {
  scene_body *b = grz_scene_find(scene, body);
  scene_fetch(scene, body.slot);
  if (b == NULL) return GRAZE_NO_BODY;
  graze_status status = grz_check_pose(&pose, scene->def.dim);
  if (status != GRAZE_OK) return status;
  b->placed.pose = pose; /* as graze_set_pose() does, which would read more of a body that is good */
  grz_rotation_of(&pose, b->placed.rotation);
  grz_scene_brief_put(scene, body.slot);
  return GRAZE_OK;
}

graze_status graze_scene_set_motion(graze_scene *scene, graze_body body, const graze_motion *motion) {
  scene_body *b = grz_scene_find(scene, body);
  if (b == NULL) return GRAZE_NO_BODY;
  graze_status status = body_judge_motion(&b->placed, b->type, motion, NULL);
  if (status != GRAZE_OK) return status;
  b->motion = *motion;
  grz_scene_brief_move(scene, body.slot);
  return GRAZE_OK;
}

const graze_placed *graze_scene_placed(const graze_scene *scene, graze_body body) {
  const scene_body *b = grz_scene_find(scene, body);
  return b == NULL ? NULL : &b->placed;
}

size_t graze_scene_count(const graze_scene *scene) { return scene->broad.count; }

graze_body graze_scene_next(const graze_scene *scene, graze_body after) {
  const size_t from = after.generation == 0 ? 0 : (size_t)after.slot + 1;
  for (size_t i = from; i < scene->slots; i++)
    if (scene->body[i].type != 0) return scene_id(scene, i);
  return (graze_body){0, 0};
}
