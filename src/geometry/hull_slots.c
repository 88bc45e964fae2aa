/* The memory of a growing solid: lists that double, slots that are used again. */
#include "geometry/hull_solid.h"
#include "core/memory.h"

#include <string.h>

enum { SLOTS_LEAST = 64 };

bool grz_solid_reserve(grz_solid *s, solid_list *list, size_t size, int64_t more) {
  if (more <= list->room - list->used) return true;
  int64_t wanted = list->used + more, room = 2 * (int64_t)list->room;
  if (room < wanted) room = wanted;
  if (room < SLOTS_LEAST) room = SLOTS_LEAST;
  if (room > INT32_MAX) room = INT32_MAX;
  s->failure = room < wanted ? GRAZE_BAD_SHAPE : GRAZE_OUT_OF_MEMORY;
  void *at = room < wanted ? NULL : grz_allocate(&s->allocator, (size_t)room, size);
  if (!at) return false;
  if (list->used > 0) memcpy(at, list->at, (size_t)list->used * size);
  grz_release(&s->allocator, list->at);
  list->at = at;
  list->room = (int32_t)room;
  s->edge = s->edges.at;
  s->face = s->faces.at;
  return true;
}

int32_t grz_solid_take_edge(grz_solid *s) {
  int32_t edge = s->free_edge;
  if (edge == SOLID_NONE) return s->edges.used++;
  s->free_edge = s->edge[edge].twin;
  return edge;
}

int32_t grz_solid_take_face(grz_solid *s) {
  int32_t face = s->free_face;
  if (face == SOLID_NONE)
    face = s->faces.used++;
  else
    s->free_face = s->face[face].outside;
  s->face[face].outside = SOLID_NONE;
  return face;
}

void grz_solid_free_edge(grz_solid *s, int32_t edge) {
  s->edge[edge].face = SOLID_NONE;
  s->edge[edge].twin = s->free_edge;
  s->free_edge = edge;
}

void grz_solid_free_face(grz_solid *s, int32_t face) {
  s->face[face].edge = SOLID_NONE;
  s->face[face].outside = s->free_face;
  s->free_face = face;
}

void grz_solid_plane(grz_solid *s, int32_t face, int32_t a, int32_t b, int32_t c) {
  solid_face *f = &s->face[face];
  f->plane = grz_orient3_filter(s->point[a], s->point[b], s->point[c], s->reach);
  f->corner[0] = a, f->corner[1] = b, f->corner[2] = c;
  f->seen = SOLID_NONE, f->side = -1;
}
