/* Turns a polytope into a surface, in place: what stays moves towards the front of its own array. */
#include "narrow/surface.h"

#include <string.h>

static void surface_of_faces(grz_polytope *p, graze_surface *surface) {
  char *out = (char *)p->face;
  size_t count = 0;
  for (int i = 0; i < p->face_count; i++) {
    int32_t vertex[3];
    memcpy(vertex, p->face[i].vertex, sizeof vertex);
    if (vertex[0] < 0) continue;
    memcpy(out + count++ * sizeof vertex, vertex, sizeof vertex);
  }
  surface->faces = (const int32_t(*)[3])(void *)out;
  surface->face_count = count;
  surface->pair_count = (size_t)p->point_count;
}

/* The pairs in the order of the edges. where[i]: the place at which pair i is now; there[k]: which pair is at place k.
 */
static void surface_of_edges(grz_polytope *p, graze_surface *surface) {
  int32_t *where = p->stack, *there = p->horizon;
  int first = grz_first_face(p), count = 0;
  for (int i = 0; i < p->point_count; i++) where[i] = there[i] = i;
  int edge = first;
  do {
    int32_t wanted = p->face[edge].vertex[0], from = where[wanted], moved = there[count];
    graze_pair pair = p->pair[from];
    p->pair[from] = p->pair[count];
    p->pair[count] = pair;
    where[moved] = from, there[from] = moved;
    where[wanted] = count, there[count] = wanted;
    count++;
    edge = p->face[edge].neighbor[1];
  } while (edge != first);
  surface->faces = NULL;
  surface->face_count = 0;
  surface->pair_count = (size_t)count;
}

void grz_surface_of(grz_polytope *p, int dim, graze_surface *surface) {
  surface->pairs = p->pair;
  surface->points = p->local, surface->point_count = 2 * (size_t)p->point_count;
  if (dim == 2)
    surface_of_edges(p, surface);
  else
    surface_of_faces(p, surface);
}
