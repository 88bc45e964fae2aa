/* The edges of a solid hull with the normals of the faces on both sides. */
#include "geometry/fit_box_edges.h"

#include "core/memory.h"

/* Every edge has two slots, one in the list of either end; that of the end with the shorter list is used, so that
 * looking for it takes O(1) on average whatever the degrees. */
typedef struct crease_sides {
  const graze_hull *hull;
  int32_t *left, *right; /* the faces left and right of the edge, from the owner of the slot */
} crease_sides;

static int32_t crease_degree(const crease_sides *sides, int32_t v) {
  return sides->hull->adjacency.start[v + 1] - sides->hull->adjacency.start[v];
}

static bool crease_owns(const crease_sides *sides, int32_t a, int32_t b) {
  int32_t of_a = crease_degree(sides, a), of_b = crease_degree(sides, b);
  return of_a != of_b ? of_a < of_b : a < b;
}

static int32_t crease_slot(const crease_sides *sides, int32_t a, int32_t b) {
  const graze_adjacency *adjacency = &sides->hull->adjacency;
  int32_t slot = adjacency->start[a];
  while (adjacency->neighbor[slot] != b) slot++;
  return slot;
}

static void crease_assign(crease_sides *sides) {
  const graze_hull *hull = sides->hull;
  for (size_t f = 0; f < hull->face_count; f++) {
    int32_t start = hull->face_start[f], end = hull->face_start[f + 1];
    for (int32_t i = start; i < end; i++) {
      int32_t a = hull->face_vertices[i], b = hull->face_vertices[i + 1 < end ? i + 1 : start];
      if (crease_owns(sides, a, b))
        sides->left[crease_slot(sides, a, b)] = (int32_t)f;
      else
        sides->right[crease_slot(sides, b, a)] = (int32_t)f;
    }
  }
}

/* Any three corners of a face span it: no three lie on one line. */
static graze_vec crease_normal(const graze_hull *hull, int32_t face) {
  int32_t start = hull->face_start[face], size = hull->face_start[face + 1] - start;
  const int32_t *corner = hull->face_vertices + start;
  return grz_fit_normal(hull->vertices[corner[0]], hull->vertices[corner[size / 3]],
                        hull->vertices[corner[2 * size / 3]]);
}

static graze_vec crease_unit(graze_vec v) { return vec_scale(v, 1 / vec_length(v)); }

static fit_edge crease_make(const crease_sides *sides, const fit_cloud *cloud, int32_t a, int32_t slot) {
  int32_t b = sides->hull->adjacency.neighbor[slot];
  graze_vec edge = vec_sub(cloud->at[b], cloud->at[a]);
  fit_edge e = {.vertex = a, .length = vec_length(edge)};
  e.along = crease_unit(edge);
  e.left = crease_normal(sides->hull, sides->left[slot]);
  e.right = crease_normal(sides->hull, sides->right[slot]);
  e.wing[0] = vec_cross(e.left, e.along);
  e.wing[1] = vec_cross(e.along, e.right);
  e.middle = vec_add(e.left, e.right);
  if (vec_dot(e.left, e.right) < 0) e.middle = vec_cross(vec_sub(e.right, e.left), e.along);
  e.middle = crease_unit(e.middle);
  return e;
}

size_t grz_fit_edges(const graze_hull *hull, const fit_cloud *cloud, const graze_allocator *allocator, fit_edge *edges,
                     size_t room) {
  size_t slots = (size_t)hull->adjacency.start[hull->vertex_count], count = 0;
  int32_t *faces = grz_allocate(allocator, 2 * slots, sizeof *faces);
  grz_key *keys = grz_allocate(allocator, slots, sizeof *keys); /* half of the slots are used: the rest is to spare */
  crease_sides sides = {hull, faces, faces ? faces + slots : NULL};
  if (faces && keys) {
    crease_assign(&sides);
    for (int32_t a = 0; a < (int32_t)hull->vertex_count; a++) {
      for (int32_t s = hull->adjacency.start[a]; s < hull->adjacency.start[a + 1]; s++) {
        if (!crease_owns(&sides, a, hull->adjacency.neighbor[s])) continue;
        double length = vec_length(vec_sub(cloud->at[hull->adjacency.neighbor[s]], cloud->at[a]));
        keys[count++] = (grz_key){-length, a, (uint32_t)s};
      }
    }
    grz_sort(keys, count, keys + count);
    if (count > room) count = room;
    for (size_t i = 0; i < count; i++)
      edges[i] = crease_make(&sides, cloud, (int32_t)keys[i].second, (int32_t)keys[i].index);
  }
  grz_release(allocator, keys);
  grz_release(allocator, faces);
  return count;
}
