/* Memory and derived data of scenes and bodies, vertex lists that bodies share, and adding, removing, reading and
 * changing bodies. */
#include "scene/store.h"

#include "core/status.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/vec.h"
#include "shape/shape.h"
#include "shape/placed.h"
#include "shape/motion.h"
#include "shape/support.h"

#include <string.h>

/* A step is short. Registers of eight doubles would slow it down, because a processor first raises their voltage; long
 * batches do use them. docs/decisions/speed.md. */
enum { BODIES_WIDTH = 4 };

/* ---- Memory */

static const size_t store_element[SCENE_ARRAYS] = {
    [SCENE_RECORDS] = sizeof(scene_record), [SCENE_FILTERS] = sizeof(scene_filter), [SCENE_FLAGS] = sizeof(scene_flags),
    [SCENE_GENERATIONS] = sizeof(uint32_t), [SCENE_BOXES] = sizeof(grz_oriented),
};

bool grz_store_reserve(graze_scene *scene, size_t count) {
  for (int i = 0; i < SCENE_ARRAYS; i++) {
    scene_array *array = &scene->store.array[i];
    const size_t size = store_element[i], kept = array->capacity * size;
    if (count <= array->capacity) continue;
    char *block = grz_allocate(&scene->allocator, count + GRZ_CACHE_LINE / size + 1, size);
    if (block == NULL) return false;
    char *first = block + (-(uintptr_t)block & (GRZ_CACHE_LINE - 1));
    if (kept > 0) memcpy(first, array->first, kept);
    memset(first + kept, 0, count * size - kept); /* zeros: no body */
    grz_release(&scene->allocator, array->block);
    *array = (scene_array){block, first, count};
  }
  return grz_bvh_reserve(&scene->store.tree, count);
}

/* Decrements the number of users of the vertex list, and frees the list after the last user. */
static void vertices_release(graze_scene *scene, const graze_shape *shape);

void grz_store_free(graze_scene *scene) {
  scene_store *store = &scene->store;
  for (size_t i = 0; i < store->slots; i++)
    if (scene_flags_of(scene)[i].used) vertices_release(scene, &scene_placed(scene, i)->shape);
  for (int i = 0; i < SCENE_ARRAYS; i++) grz_release(&scene->allocator, store->array[i].block);
  grz_bvh_free(&store->tree);
  grz_release(&scene->allocator, store->contact.memory);
}

/* The capacity of an array that must grow to `count` elements. */
static size_t store_grown(size_t count) { return count + count / 4 + 16; }

bool grz_scene_grow(graze_scene *scene, scene_buffer *buffer, size_t count, size_t size) {
  return count <= buffer->capacity || grz_scene_reserve(scene, buffer, store_grown(count), size);
}

bool grz_scene_reserve(graze_scene *scene, scene_buffer *buffer, size_t wanted, size_t size) {
  if (wanted <= buffer->capacity) return true;
  void *memory = grz_allocate(&scene->allocator, wanted, size);
  if (memory == NULL) return false;
  if (buffer->memory != NULL) memcpy(memory, buffer->memory, buffer->capacity * size);
  grz_release(&scene->allocator, buffer->memory);
  *buffer = (scene_buffer){memory, wanted};
  return true;
}

void grz_scene_run(const graze_scene *scene, size_t count, void (*task)(void *data, size_t index), void *data) {
  grz_parallel_run(&scene->parallel, count, task, data);
}

/* ---- Vertex lists: bodies with equal vertices have one copy */

/* STORE_CHAIN limits the number of lists of a bucket that are compared. Only forged snapshots have longer chains.
 * They may store equal lists twice. */
enum { STORE_BUCKETS = 16, STORE_CHAIN = 16 };

static bool store_has_vertices(const graze_shape *shape) {
  return shape->kind == GRAZE_POLYGON || shape->kind == GRAZE_HULL;
}

static graze_vec *store_vertices_of(scene_vertices *list) { return (graze_vec *)(void *)(list + 1); }

/* The lengths of the arrays of an adjacency. */
typedef struct store_indices {
  size_t start, neighbor, seed; /* 0: the array is missing */
} store_indices;

static store_indices store_count_indices(const graze_shape *shape) {
  const graze_adjacency *edges = &shape->as.hull.adjacency;
  store_indices n = {0, 0, 0};
  if (shape->kind != GRAZE_HULL || edges->start == NULL || edges->neighbor == NULL) return n;
  n.start = shape->as.hull.count + 1;
  n.neighbor = (size_t)(edges->start[shape->as.hull.count] - edges->start[0]);
  if (edges->seed != NULL) n.seed = grz_climb_cells(edges->seed_rank, shape->dim);
  return n;
}

static bool store_same_indices(const int32_t *p, const int32_t *q, size_t count, int32_t less_q) {
  for (size_t i = 0; i < count; i++)
    if (p[i] != q[i] - less_q) return false;
  return true;
}

static bool store_list_equals(scene_vertices *list, const graze_shape *shape, store_indices n) {
  const graze_adjacency *p = &list->adjacency, *q = &shape->as.hull.adjacency;
  if (list->kind != shape->kind || list->dim != shape->dim || list->count != shape->as.hull.count ||
      memcmp(store_vertices_of(list), shape->as.hull.vertices, list->count * sizeof(graze_vec)) != 0)
    return false;
  if ((p->start != NULL) != (n.start > 0) || (p->seed != NULL) != (n.seed > 0)) return false;
  if (n.start == 0) return true;
  const int32_t first = q->start[0];
  if (!store_same_indices(p->start, q->start, n.start, first)) return false;
  if (!store_same_indices(p->neighbor, q->neighbor + first, n.neighbor, 0)) return false;
  return n.seed == 0 || (p->seed_rank == q->seed_rank && store_same_indices(p->seed, q->seed, n.seed, 0));
}

/* FNV-1a over words, with a shift that spreads the high bits. */
static uint64_t store_hash(const graze_shape *shape) {
  uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)shape->kind << 8 ^ (uint64_t)shape->dim;
  for (size_t i = 0; i < shape->as.hull.count; i++) {
    uint64_t word[3];
    memcpy(word, &shape->as.hull.vertices[i], sizeof word);
    for (int k = 0; k < 3; k++) hash = (hash ^ word[k]) * 0x100000001b3u, hash ^= hash >> 32;
  }
  return hash;
}

static void store_insert_list(scene_vertex_table *table, scene_vertices *list) {
  scene_vertices **bucket = &table->bucket[(size_t)list->hash & (table->buckets - 1)];
  list->next = *bucket, list->previous = NULL;
  if (*bucket != NULL) (*bucket)->previous = list;
  *bucket = list;
}

/* Makes space for one more list. */
static bool store_grow_table(graze_scene *scene) {
  scene_vertex_table *table = &scene->vertices, grown = *table;
  if (table->count < table->buckets) return true;
  grown.buckets = table->buckets > 0 ? 2 * table->buckets : STORE_BUCKETS;
  grown.bucket = grz_allocate(&scene->allocator, grown.buckets, sizeof(scene_vertices *));
  if (grown.bucket == NULL) return false;
  for (size_t i = 0; i < grown.buckets; i++) grown.bucket[i] = NULL;
  for (size_t i = 0; i < table->buckets; i++)
    for (scene_vertices *list = table->bucket[i], *next; list != NULL; list = next)
      next = list->next, store_insert_list(&grown, list);
  grz_release(&scene->allocator, table->bucket);
  *table = grown;
  return true;
}

static void store_free_empty_table(graze_scene *scene) {
  if (scene->vertices.count > 0) return;
  grz_release(&scene->allocator, scene->vertices.bucket);
  scene->vertices = (scene_vertex_table){NULL, 0, 0};
}

static void store_use_list(scene_vertices *list, graze_shape *shape) {
  list->users++;
  shape->as.hull.vertices = store_vertices_of(list);
  if (shape->kind == GRAZE_HULL) shape->as.hull.adjacency = list->adjacency;
}

bool grz_vertices_acquire(graze_scene *scene, graze_shape *shape) {
  const scene_vertex_table *table = &scene->vertices;
  if (!store_has_vertices(shape)) return true;
  const store_indices n = store_count_indices(shape);
  const uint64_t hash = store_hash(shape);
  scene_vertices *list = table->buckets > 0 ? table->bucket[(size_t)hash & (table->buckets - 1)] : NULL;
  for (int i = 0; i < STORE_CHAIN && list != NULL; i++, list = list->next) {
    if (list->hash != hash || !store_list_equals(list, shape, n)) continue;
    store_use_list(list, shape);
    return true;
  }
  if (!store_grow_table(scene)) return false;
  const size_t bytes = shape->as.hull.count * sizeof(graze_vec);
  list = grz_allocate(&scene->allocator, 1, sizeof *list + bytes + (n.start + n.neighbor + n.seed) * sizeof(int32_t));
  if (list == NULL) {
    store_free_empty_table(scene);
    return false;
  }
  *list = (scene_vertices){.hash = hash, .kind = shape->kind, .dim = shape->dim, .count = shape->as.hull.count};
  memcpy(store_vertices_of(list), shape->as.hull.vertices, bytes);
  if (n.start > 0) {
    const graze_adjacency *from = &shape->as.hull.adjacency;
    int32_t *start = (int32_t *)(void *)(store_vertices_of(list) + list->count), *neighbor = start + n.start;
    for (size_t i = 0; i < n.start; i++) start[i] = from->start[i] - from->start[0];
    memcpy(neighbor, from->neighbor + from->start[0], n.neighbor * sizeof *neighbor);
    list->adjacency = (graze_adjacency){.start = start, .neighbor = neighbor};
    if (n.seed > 0) {
      memcpy(neighbor + n.neighbor, from->seed, n.seed * sizeof *neighbor);
      list->adjacency.seed = neighbor + n.neighbor, list->adjacency.seed_rank = from->seed_rank;
    }
  }
  store_insert_list(&scene->vertices, list);
  scene->vertices.count++;
  store_use_list(list, shape);
  return true;
}

static void vertices_release(graze_scene *scene, const graze_shape *shape) {
  if (!store_has_vertices(shape)) return;
  scene_vertices *list = (scene_vertices *)(void *)(uintptr_t)shape->as.hull.vertices - 1;
  if (--list->users > 0) return;
  if (list->previous != NULL)
    list->previous->next = list->next;
  else
    scene->vertices.bucket[(size_t)list->hash & (scene->vertices.buckets - 1)] = list->next;
  if (list->next != NULL) list->next->previous = list->previous;
  grz_release(&scene->allocator, list);
  scene->vertices.count--;
  store_free_empty_table(scene);
}

/* ---- Derived data */

void grz_store_bound(graze_scene *scene, size_t slot, double time) {
  const scene_record *b = &scene_records(scene)[slot];
  graze_aabb *bounds = &scene_bounds(scene)[slot];
  if (time == 0 && scene_flags_of(scene)[slot].is_box)
    grz_oriented_bounds(&b->placed, scene_inflation(b), bounds);
  else
    *bounds = grz_swept_bounds(&b->placed, &b->motion, time, scene_inflation(b));
}

/* Stores the bounds of the body at its present pose in the tree. */
static void store_update_tree(graze_scene *scene, size_t slot) {
  scene_flags *flags = &scene_flags_of(scene)[slot];
  const bool moves = !flags->is_static;
  grz_store_bound(scene, slot, 0);
  grz_bvh_update(&scene->store.tree, slot, &scene_bounds(scene)[slot], moves);
  flags->fresh = true;
  flags->swept = flags->stale = false;
  flags->tree_moves = moves;
}

void grz_store_motion_changed(graze_scene *scene, size_t slot) {
  const graze_motion *m = &scene_records(scene)[slot].motion;
  scene_flags *flags = &scene_flags_of(scene)[slot];
  flags->turns = vec_norm_inf(m->angular) > 0;
  flags->moves = flags->turns || vec_norm_inf(m->velocity) > 0;
}

void grz_store_stepped(graze_scene *scene, size_t slot) {
  const scene_record *b = &scene_records(scene)[slot];
  grz_oriented *box = &scene_boxes(scene)[slot];
  scene_flags *flags = &scene_flags_of(scene)[slot];
  const bool before = flags->minimum_skin;
  flags->minimum_skin = scene_minimum_skin(b) > 0;
  if (flags->minimum_skin || before)
    (void)grz_oriented_make(box, &b->placed, scene_inflation(b));
  else
    grz_oriented_place(box, &b->placed);
}

/* Updates derived data after a change of the pose. */
static void store_placed(graze_scene *scene, size_t slot) {
  grz_store_stepped(scene, slot);
  store_update_tree(scene, slot);
}

/* The default skin, as a fraction of the bounding radius. */
#define STORE_SKIN 0x1p-16

void grz_store_set(graze_scene *scene, size_t slot, const graze_body_def *def, const graze_placed *placed) {
  scene_record *b = &scene_records(scene)[slot];
  const graze_shape_kind kind = placed->shape.kind;
  const double own =
      scene->def.skin > 0 ? scene->def.skin : STORE_SKIN * (placed->hidden.bounding_radius + placed->hidden.radius);
  b->placed = *placed;
  b->motion = def->motion;
  b->margin = def->margin, b->mass = def->mass, b->bounce = def->bounce;
  b->skin = kind == GRAZE_HALFSPACE ? __builtin_inf() : own;
  b->user = def->user;
  b->response = def->response;

  scene_filter *filter = &scene_filters(scene)[slot];
  filter->category = def->category, filter->mask = def->mask;
  filter->type = (uint8_t)def->type, filter->sensor = def->sensor;
  filter->form = kind == GRAZE_HALFSPACE ? SCENE_FORM_HALFSPACE : kind == GRAZE_BOX ? SCENE_FORM_BOX : SCENE_FORM_ANY;
  filter->yields = def->type == GRAZE_DYNAMIC && def->response != GRAZE_RESPONSE_NONE;

  scene_flags *flags = &scene_flags_of(scene)[slot];
  flags->used = true;
  flags->minimum_skin = scene_minimum_skin(b) > 0;
  flags->is_static = def->type == GRAZE_STATIC, flags->is_box = filter->form == SCENE_FORM_BOX;
  flags->yields = filter->yields, flags->sensor = filter->sensor;
  flags->default_filter = filter->form != SCENE_FORM_HALFSPACE && def->category == 1 && def->mask == UINT64_MAX;
  (void)grz_oriented_make(&scene_boxes(scene)[slot], &b->placed, scene_inflation(b));
  grz_store_motion_changed(scene, slot);
  store_update_tree(scene, slot);
}

/* Frees a slot. The caller releases the vertices. */
static void store_remove(graze_scene *scene, size_t slot) {
  scene_records(scene)[slot] = (scene_record){.next_free = SCENE_NONE};
  scene_filters(scene)[slot].type = 0;
  scene_flags_of(scene)[slot] = (scene_flags){.removed = true};
  scene->store.has_void_contacts = true;
  grz_bvh_remove(&scene->store.tree, slot);
}

bool grz_store_bounds_meet(const graze_scene *scene, double time, size_t low, size_t high) {
  const graze_aabb *bounds = scene_bounds(scene);
  const bool low_is_halfspace = scene_filters(scene)[low].form == SCENE_FORM_HALFSPACE;
  if (!low_is_halfspace && scene_filters(scene)[high].form != SCENE_FORM_HALFSPACE)
    return grz_aabb_overlap(&bounds[low], &bounds[high]);
  const scene_record *halfspace = &scene_records(scene)[low_is_halfspace ? low : high];
  return grz_halfspace_overlaps(&halfspace->placed, &halfspace->motion, time, halfspace->margin,
                                &bounds[low_is_halfspace ? high : low]);
}

void grz_store_purge_contacts(graze_scene *scene) {
  scene_store *store = &scene->store;
  scene_contact *contact = store->contact.memory;
  size_t kept = 0;
  if (!store->has_void_contacts) return;
  for (size_t i = 0; i < store->contact_count; i++)
    if (scene_is_contact(scene, contact[i])) contact[kept++] = contact[i];
  store->contact_count = kept;
  for (size_t i = 0; i < store->slots; i++) scene_flags_of(scene)[i].removed = false;
  store->has_void_contacts = false;
}

/* ---- Defaults */

graze_body_def graze_default_body(void) {
  graze_body_def def = {.shape = graze_point(), .pose = graze_pose_at(0, 0, 0), .type = GRAZE_DYNAMIC};
  def.category = 1, def.mask = UINT64_MAX;
  def.response = GRAZE_RESPONSE_SLIDE;
  def.mass = def.bounce = 1;
  return def;
}

graze_scene_def graze_default_scene(void) { return (graze_scene_def){.dim = 3, .push_speed = 1e30}; }

/* ---- Scenes */

graze_status graze_scene_create(const graze_scene_def *def, const graze_allocator *allocator, graze_scene **scene,
                                graze_error *error) {
  const graze_scene_def defaults = graze_default_scene(), *given = def != NULL ? def : &defaults;
  const graze_allocator from = grz_allocator(allocator);
  const graze_status status = grz_scene_check_def(given, error);
  if (status != GRAZE_OK) return status;
  graze_scene *made = grz_allocate(&from, 1, sizeof *made);
  if (made == NULL) return grz_reject(error, grz_error(GRAZE_OUT_OF_MEMORY, "scene", -1, 0));
  *made = (graze_scene){.allocator = from, .def = *given};
  if (given->parallel != NULL) made->parallel = *given->parallel;
  made->def.parallel = NULL;
  made->kernels = grz_batch_select(BODIES_WIDTH);
  grz_bvh_make(&made->store.tree, given->dim, &from);
  *scene = made;
  return grz_reject(error, grz_no_error());
}

void graze_scene_destroy(graze_scene *scene) {
  if (scene == NULL) return;
  const graze_allocator allocator = scene->allocator;
  for (int i = 0; i < BUFFERS; i++) grz_release(&allocator, scene->buffer[i].memory);
  grz_store_free(scene);
  grz_release(&allocator, scene);
}

/* ---- Adding and removing bodies */

/* Makes space for one more slot in all arrays. */
static bool body_reserve(graze_scene *scene) {
  const size_t slots = scene->store.slots;
  if (scene->store.free_slot < slots || slots < scene->store.tree.capacity) return true;
  return slots < INT32_MAX / 2 && grz_store_reserve(scene, store_grown(slots + 1));
}

/* Validates and places a body, and stores its vertices in a list of the scene. */
static graze_status body_prepare(graze_scene *scene, const graze_body_def *def, graze_placed *placed,
                                 graze_error *error) {
  graze_status status = grz_scene_validate(scene->def.dim, def, placed, error);
  if (status == GRAZE_OK && !grz_vertices_acquire(scene, &placed->shape))
    status =
        grz_reject(error, grz_error(GRAZE_OUT_OF_MEMORY, "shape.vertices", -1, (double)placed->shape.as.hull.count));
  return status;
}

graze_status graze_scene_add(graze_scene *scene, const graze_body_def *def, graze_body *body, graze_error *error) {
  graze_placed placed;
  graze_status status = body_prepare(scene, def, &placed, error);
  if (status != GRAZE_OK) return status;
  if (!body_reserve(scene)) {
    vertices_release(scene, &placed.shape);
    return grz_reject(error, grz_error(GRAZE_OUT_OF_MEMORY, "bodies", -1, (double)scene->store.tree.count));
  }
  const uint32_t slot = scene->store.free_slot;
  const bool first_use = slot == scene->store.slots;
  scene->store.free_slot = first_use ? slot + 1 : scene_records(scene)[slot].next_free;
  if (first_use) scene->store.slots++;
  scene_generations(scene)[slot]++;
  grz_store_set(scene, slot, def, &placed);
  *body = scene_id(scene, slot);
  return GRAZE_OK;
}

graze_status graze_scene_remove(graze_scene *scene, graze_body body) {
  if (!scene_has(scene, body)) return GRAZE_NO_BODY;
  vertices_release(scene, &scene_placed(scene, body.slot)->shape);
  store_remove(scene, body.slot);
  if (body.generation == UINT32_MAX) return GRAZE_OK; /* this slot is not used again */
  scene_records(scene)[body.slot].next_free = scene->store.free_slot;
  scene->store.free_slot = body.slot;
  return GRAZE_OK;
}

/* ---- One body */

graze_status graze_scene_get(const graze_scene *scene, graze_body body, graze_body_def *def) {
  if (!scene_has(scene, body)) return GRAZE_NO_BODY;
  const scene_record *b = &scene_records(scene)[body.slot];
  const scene_filter *filter = &scene_filters(scene)[body.slot];
  *def = (graze_body_def){.shape = b->placed.shape, .pose = b->placed.pose, .motion = b->motion};
  def->type = (graze_body_type)filter->type, def->sensor = filter->sensor;
  def->category = filter->category, def->mask = filter->mask;
  def->margin = b->margin, def->response = b->response, def->mass = b->mass, def->bounce = b->bounce;
  def->user = b->user;
  return GRAZE_OK;
}

graze_status graze_scene_set(graze_scene *scene, graze_body body, const graze_body_def *def, graze_error *error) {
  graze_placed placed;
  if (!scene_has(scene, body)) return grz_scene_no_body(error, body);
  graze_status status = body_prepare(scene, def, &placed, error);
  if (status != GRAZE_OK) return status;
  const graze_shape before = scene_placed(scene, body.slot)->shape;
  grz_store_set(scene, body.slot, def, &placed);
  vertices_release(scene, &before); /* released last, because `def` may use this list */
  return GRAZE_OK;
}

graze_status graze_scene_set_pose(graze_scene *scene, graze_body body, graze_pose pose, graze_error *error) {
  enum { PREFETCH = 6 };
  /* Callers that place many bodies often follow the order of the slots, so a later slot is prefetched. */
  if (body.slot + PREFETCH < scene->store.slots) {
    const scene_record *next = &scene_records(scene)[body.slot + PREFETCH];
    for (size_t i = 0; i < offsetof(scene_record, motion); i += GRZ_CACHE_LINE)
      __builtin_prefetch((const char *)next + i, 1);
    grz_bvh_prefetch(&scene->store.tree, body.slot + PREFETCH / 2);
  }
  if (!scene_has(scene, body)) return grz_scene_no_body(error, body);
  scene_record *b = &scene_records(scene)[body.slot];
  if (grz_check_pose(&pose, scene->def.dim) != GRAZE_OK) {
    const graze_shape point = grz_point_shape(scene->def.dim);
    return grz_scene_check_shape(&point, &pose, error);
  }
  b->placed.pose = pose; /* as graze_set_pose(), without its validation of the shape */
  grz_rotation_of(&pose, b->placed.hidden.rotation);
  store_placed(scene, body.slot);
  return grz_reject(error, grz_no_error());
}

graze_status graze_scene_set_motion(graze_scene *scene, graze_body body, const graze_motion *motion,
                                    graze_error *error) {
  if (!scene_has(scene, body)) return grz_scene_no_body(error, body);
  scene_record *b = &scene_records(scene)[body.slot];
  const graze_body_type type = (graze_body_type)scene_filters(scene)[body.slot].type;
  graze_status status = grz_scene_check_motion(&b->placed, type, motion, error);
  if (status != GRAZE_OK) return status;
  b->motion = *motion;
  grz_store_motion_changed(scene, body.slot);
  return grz_reject(error, grz_no_error());
}

const graze_placed *graze_scene_placed(const graze_scene *scene, graze_body body) {
  return scene_has(scene, body) ? scene_placed(scene, body.slot) : NULL;
}

void *graze_body_user(const graze_scene *scene, graze_body body) {
  return scene_has(scene, body) ? scene_records(scene)[body.slot].user : NULL;
}

size_t graze_scene_count(const graze_scene *scene) { return scene->store.tree.count; }

graze_body graze_scene_next(const graze_scene *scene, graze_body after) {
  for (size_t i = after.generation == 0 ? 0 : (size_t)after.slot + 1; i < scene->store.slots; i++)
    if (scene_flags_of(scene)[i].used) return scene_id(scene, i);
  return (graze_body){0, 0};
}
