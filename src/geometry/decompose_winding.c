/* Winding numbers, by walking the rings and flooding from outside. */
#include "geometry/decompose.h"

static const int32_t wind_unknown = INT32_MIN;

/* Edges of rings along the mesh, a part at a time: takes one from either end of what is left of *from -> *to, and
 * returns its dart in that direction. */
static int32_t wind_part(const grz_mesh *mesh, int32_t *from, int32_t *to) {
  bool along;
  int32_t e = grz_mesh_toward(mesh, *from, *to, &along);
  if (mesh->dart[e].from == *from) {
    *from = mesh_to(mesh, e);
    return e;
  }
  *to = mesh_to(mesh, e);
  return e ^ 1;
}

static void wind_walk(grz_split *split, size_t ring) {
  grz_mesh *mesh = &split->mesh;
  for (int32_t i = split->start[ring]; i < split->start[ring + 1]; i++) {
    int32_t from = split->vertex[i], to = split->vertex[split_after(split, ring, i)];
    while (from != to) {
      int32_t e = wind_part(mesh, &from, &to);
      mesh->dart[e].walks += split->sense[ring];
      mesh->dart[e ^ 1].walks -= split->sense[ring];
    }
  }
}

static void wind_face(grz_mesh *mesh, int32_t first, int32_t winding, int32_t *depth) {
  int32_t e = first;
  do {
    mesh->dart[e].winding = winding;
    mesh->stack[(*depth)++] = e;
    e = mesh_next(mesh, e);
  } while (e != first);
}

/* The winding numbers of all faces. Do they lie from low to high? */
static bool wind_flood(grz_split *split, int32_t low, int32_t high) {
  grz_mesh *mesh = &split->mesh;
  int32_t depth = 0;
  bool good = true;
  for (int32_t e = 0; e < mesh->dart_count; e++) mesh->dart[e].winding = wind_unknown;
  wind_face(mesh, split->outside, 0, &depth);
  while (depth > 0) {
    int32_t e = mesh->stack[--depth], winding = mesh->dart[e].winding - mesh->dart[e].walks;
    if (mesh->dart[e ^ 1].winding != wind_unknown) continue;
    good = good && winding >= low && winding <= high;
    wind_face(mesh, e ^ 1, winding, &depth);
  }
  return good;
}

/* By the rings from `first` to before `last` alone. */
static bool wind_by(grz_split *split, size_t first, size_t last, int32_t low, int32_t high) {
  for (int32_t e = 0; e < split->mesh.dart_count; e++) split->mesh.dart[e].walks = 0;
  for (size_t r = first; r < last; r++) wind_walk(split, r);
  return wind_flood(split, low, high);
}

/* A vertex that the ring comes to twice, by edges `index` and `other`. */
static graze_outline_error wind_touch(grz_split *split, size_t ring) {
  grz_mesh *mesh = &split->mesh;
  int32_t *by = mesh->stack, start = split->start[ring];
  for (int32_t v = 0; v < mesh->count; v++) by[v] = -1;
  for (int32_t i = start; i < split->start[ring + 1]; i++) {
    int32_t from = split->vertex[i], to = split->vertex[split_after(split, ring, i)];
    while (from != to) {
      int32_t at = mesh_to(mesh, wind_part(mesh, &from, &to));
      if (by[at] >= 0)
        return (graze_outline_error){GRAZE_OUTLINE_EDGES_TOUCH, ring, (size_t)(by[at] - start), ring,
                                     (size_t)(i - start)};
      by[at] = i;
    }
  }
  return (graze_outline_error){GRAZE_OUTLINE_EDGES_TOUCH, ring, 0, ring, 0};
}

static bool wind_is_wrong(const grz_mesh *mesh, int32_t e) {
  return mesh->dart[e].winding < 0 || mesh->dart[e].winding > 1;
}

/* The first edge of the ring that has a face beside it with another winding number than 0 and 1; -1: none. */
static int32_t wind_break(const grz_split *split, size_t ring) {
  const grz_mesh *mesh = &split->mesh;
  for (int32_t i = split->start[ring]; i < split->start[ring + 1]; i++) {
    int32_t from = split->vertex[i], to = split->vertex[split_after(split, ring, i)];
    while (from != to) {
      int32_t e = wind_part(mesh, &from, &to);
      if (wind_is_wrong(mesh, e) || wind_is_wrong(mesh, e ^ 1)) return i - split->start[ring];
    }
  }
  return -1;
}

/* The hole takes away what is not there, by the winding numbers of the rings up to it: beside one of its edges, or
 * inside it, beside one of another ring. */
static graze_outline_error wind_outside(const grz_split *split, size_t hole) {
  size_t other = hole;
  int32_t edge = wind_break(split, hole), index = edge >= 0 ? edge : 0;
  while (edge < 0 && other-- > 0) edge = wind_break(split, other);
  return (graze_outline_error){GRAZE_OUTLINE_HOLE_OUTSIDE, hole, (size_t)index, other, (size_t)edge};
}

/* The outline may be at fault by itself. Otherwise the rings up to some hole are, while those before it are not: by
 * halving. */
static graze_outline_error wind_flaw(grz_split *split) {
  if (!wind_by(split, 0, 1, 0, 1)) return wind_touch(split, 0);
  size_t good = 1, bad = split->ring_count;
  while (bad - good > 1) {
    size_t middle = good + (bad - good) / 2;
    if (wind_by(split, 0, middle, 0, 1))
      good = middle;
    else
      bad = middle;
  }
  if (!wind_by(split, good, good + 1, -1, 0)) return wind_touch(split, good);
  (void)wind_by(split, 0, good + 1, 0, 1);
  return wind_outside(split, good);
}

graze_status grz_split_wind(grz_split *split) {
  if (wind_by(split, 0, split->ring_count, 0, 1)) return GRAZE_OK;
  split->flaw = wind_flaw(split);
  return GRAZE_NOT_SIMPLE;
}
