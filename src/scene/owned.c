#include "scene/owned.h"

#include "core/memory.h"

/* OWNED_LOOKS: a head of a table that is not overfull hardly ever has more lists. */
enum { OWNED_FIRST = 16, OWNED_LOOKS = 16 };

graze_shape grz_owned_shape(scene_list *list) {
  graze_shape shape = {.kind = list->kind, .dim = list->dim};
  shape.as.hull.vertices = scene_list_vertices(list);
  shape.as.hull.count = list->count;
  shape.as.hull.adjacency = list->adjacency;
  return shape;
}

static scene_list **owned_head(const scene_owned *owned, uint64_t sum) {
  return &owned->head[(size_t)sum & (owned->heads - 1)];
}

scene_owned_walk grz_owned_walk(const scene_owned *owned, uint64_t sum) {
  return (scene_owned_walk){owned->heads > 0 ? *owned_head(owned, sum) : NULL, OWNED_LOOKS};
}

scene_list *grz_owned_next(scene_owned_walk *walk, uint64_t sum) {
  while (walk->at != NULL && walk->left-- > 0) {
    scene_list *list = walk->at;
    walk->at = list->next;
    if (list->sum == sum) return list;
  }
  return NULL;
}

void grz_owned_put(scene_owned *owned, scene_list *list) {
  scene_list **head = owned_head(owned, list->sum);
  list->next = *head;
  *head = list;
  owned->count++;
}

/* The oldest ones first, so that the newest come first again. */
static void owned_move(scene_owned *owned, scene_owned *from) {
  for (size_t i = 0; i < from->heads; i++) {
    scene_list *back = NULL;
    for (scene_list *list = from->head[i], *next; list != NULL; list = next)
      next = list->next, list->next = back, back = list;
    for (scene_list *list = back, *next; list != NULL; list = next) next = list->next, grz_owned_put(owned, list);
  }
}

bool grz_owned_reserve(scene_owned *owned, size_t count, const graze_allocator *allocator) {
  scene_owned grown = {.heads = owned->heads > 0 ? owned->heads : OWNED_FIRST};
  if (count <= owned->heads) return true;
  while (grown.heads < count) grown.heads *= 2;
  grown.head = grz_allocate(allocator, grown.heads, sizeof *grown.head);
  if (grown.head == NULL) return false;
  for (size_t i = 0; i < grown.heads; i++) grown.head[i] = NULL;
  owned_move(&grown, owned);
  grz_release(allocator, owned->head);
  *owned = grown;
  return true;
}

void grz_owned_take(scene_owned *owned, scene_owned *from, const graze_allocator *allocator) {
  owned_move(owned, from);
  grz_release(allocator, from->head);
  *from = (scene_owned){NULL, 0, 0};
}

void grz_owned_free(scene_owned *owned, const graze_allocator *allocator) {
  for (size_t i = 0; i < owned->heads; i++)
    for (scene_list *list = owned->head[i], *next; list != NULL; list = next) {
      next = list->next;
      grz_release(allocator, list);
    }
  grz_release(allocator, owned->head);
  *owned = (scene_owned){NULL, 0, 0};
}
