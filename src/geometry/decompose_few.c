/* Few pieces: internal_edges that can be spared go (Hertel, Mehlhorn 1983). */
#include "core/memory.h"
#include "geometry/sort.h"
#include "geometry/decompose.h"
#include "core/vec.h"

/* Would the two corners at the dart's origin become one of at most 180 degrees? */
static bool few_is_spare_at(const grz_mesh *mesh, int32_t e) {
  int32_t left = mesh_to(mesh, mesh->dart[e].ccw), right = mesh_to(mesh, mesh->dart[e].cw);
  return grz_mesh_turn(mesh, left, mesh->dart[e].from, right) >= 0;
}

/* Longest internal_edges first. */
static size_t few_list(const grz_mesh *mesh, grz_key *keys) {
  size_t count = 0;
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (!mesh_is_seam(mesh, e)) continue;
    graze_vec along = vec_sub(mesh->at[mesh_to(mesh, e)], mesh->at[mesh->dart[e].from]);
    keys[count++] = (grz_key){-vec_dot(along, along), 0, (uint32_t)e};
  }
  return count;
}

bool grz_split_few(grz_split *split) {
  grz_mesh *mesh = &split->mesh;
  grz_key *keys = grz_allocate(&split->allocator, (size_t)mesh->dart_count, sizeof *keys);
  if (keys == NULL) return false;
  size_t count = few_list(mesh, keys);
  grz_sort(keys, count, keys + count);
  for (size_t i = 0; i < count; i++) {
    int32_t e = (int32_t)keys[i].index;
    if (few_is_spare_at(mesh, e) && few_is_spare_at(mesh, e ^ 1)) grz_mesh_remove(mesh, e);
  }
  grz_release(&split->allocator, keys);
  return true;
}

/* Is the corner of the polygon left of the dart, which lies on its boundary, more than 180 degrees? */
static bool few_is_reflex(const grz_mesh *mesh, int32_t e) {
  int32_t last = mesh->dart[e].ccw;
  while (mesh->dart[last].walks == 0) last = mesh->dart[last].ccw;
  return grz_mesh_turn(mesh, mesh_to(mesh, last), mesh->dart[e].from, mesh_to(mesh, e)) < 0;
}

size_t grz_split_bound(const grz_split *split, size_t pieces) {
  const grz_mesh *mesh = &split->mesh;
  size_t internal_edges = 0, reflex = 0;
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    const grz_dart *dart = &mesh->dart[e];
    if (dart->from < 0 || dart->winding != 1) continue;
    if (dart->walks != 0)
      reflex += few_is_reflex(mesh, e);
    else
      internal_edges += (e & 1) == 0;
  }
  return (reflex + 1) / 2 + pieces - internal_edges;
}
