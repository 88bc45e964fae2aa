/* Vertex lists that bodies share: bodies with equal vertices have one copy. */
#include "scene/store.h"

#include "core/memory.h"
#include "shape/support.h"

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

void grz_vertices_release(graze_scene *scene, const graze_shape *shape) {
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
