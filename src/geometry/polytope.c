/* The arrays of a polytope in its buffer. */
#include "geometry/polytope.h"

size_t graze_workspace_size(size_t points) {
  if (points < GRZ_POLYTOPE_LEAST) points = GRZ_POLYTOPE_LEAST;
  return points > SIZE_MAX / 2 / GRZ_POLYTOPE_BYTES ? SIZE_MAX : points * GRZ_POLYTOPE_BYTES;
}

void grz_polytope_make(grz_polytope *p, void *buffer, size_t size) {
  size_t points = size / GRZ_POLYTOPE_BYTES;
  if (points > INT32_MAX / 16) points = INT32_MAX / 16;
  char *at = buffer;
  p->point_capacity = (int)points;
  p->face_capacity = GRZ_POLYTOPE_FACES * p->point_capacity;
  p->point_count = 0;
  p->w = (graze_vec *)(void *)at, at += points * sizeof *p->w;
  p->local = (graze_vec *)(void *)at, at += 2 * points * sizeof *p->local;
  p->height = (double *)(void *)at, at += (size_t)p->face_capacity * sizeof *p->height;
  p->face = (grz_face *)(void *)at, at += (size_t)p->face_capacity * sizeof *p->face;
  p->pair = (graze_pair *)(void *)at, at += points * sizeof *p->pair;
  p->stack = (int32_t *)(void *)at, at += POLYTOPE_STACK * points * sizeof *p->stack;
  p->horizon = (int32_t *)(void *)at;
  grz_polytope_clear(p);
}

void grz_polytope_clear(grz_polytope *p) {
  p->face_count = 0;
  p->free_face = -1;
}
