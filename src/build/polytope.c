/* Where the parts of a polytope lie in its buffer. */
#include "build/polytope.h"

/* A triangulated sphere of n points has 2n - 4 faces. The search for the horizon pushes at most 2 edges for each face
 * that goes. */
enum { POLYTOPE_FACES = 2, POLYTOPE_STACK = 2 * POLYTOPE_FACES, POLYTOPE_LEAST = 8 };

enum {
  POLYTOPE_BYTES = sizeof(graze_vec) + sizeof(graze_pair) + POLYTOPE_FACES * (sizeof(grz_face) + sizeof(double)) +
                   (POLYTOPE_STACK + POLYTOPE_FACES) * sizeof(int32_t)
};

size_t graze_workspace_size(size_t points) {
  if (points < POLYTOPE_LEAST) points = POLYTOPE_LEAST;
  return points > SIZE_MAX / 2 / POLYTOPE_BYTES ? SIZE_MAX : points * POLYTOPE_BYTES;
}

void grz_polytope_make(grz_polytope *p, void *buffer, size_t size) {
  size_t points = size / POLYTOPE_BYTES, most = INT32_MAX / 16;
  if (points > most) points = most;
  char *at = buffer;
  p->point_room = (int)points;
  p->face_room = POLYTOPE_FACES * p->point_room;
  p->point_count = 0;
  p->w = (graze_vec *)(void *)at, at += points * sizeof *p->w;
  p->pair = (graze_pair *)(void *)at, at += points * sizeof *p->pair;
  p->face = (grz_face *)(void *)at, at += (size_t)p->face_room * sizeof *p->face;
  p->height = (double *)(void *)at, at += (size_t)p->face_room * sizeof *p->height;
  p->stack = (int32_t *)(void *)at, at += POLYTOPE_STACK * points * sizeof *p->stack;
  p->horizon = (int32_t *)(void *)at;
  grz_polytope_clear(p);
}

void grz_polytope_clear(grz_polytope *p) {
  p->face_count = 0;
  p->free_face = -1;
}
