/* Flips: back to Delaunay, and vertices taken out. */
#include "geometry/cdt.h"

#include "exact/predicates.h"

static void flip_push(grz_mesh *mesh, int32_t e, int32_t *depth) {
  e &= ~1;
  if (mesh->dart[e].fresh || !mesh_is_seam(mesh, e)) return;
  mesh->dart[e].fresh = true;
  mesh->stack[(*depth)++] = e;
}

void grz_mesh_legalize(grz_mesh *mesh) {
  int32_t depth = 0;
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (mesh->dart[e].fresh && mesh_is_seam(mesh, e)) mesh->stack[depth++] = e;
  }
  while (depth > 0) {
    int32_t e = mesh->stack[--depth];
    mesh->dart[e].fresh = false;
    int32_t around[4] = {mesh_next(mesh, e), mesh_before(mesh, e), mesh_next(mesh, e ^ 1), mesh_before(mesh, e ^ 1)};
    int32_t left = mesh_to(mesh, around[0]), right = mesh_to(mesh, around[2]);
    if (grz_in_circle(mesh->at[mesh->dart[e].from], mesh->at[mesh_to(mesh, e)], mesh->at[left], mesh->at[right]) <= 0)
      continue;
    mesh->dart[grz_mesh_flip(mesh, e) & ~1].fresh = false;
    for (int i = 0; i < 4; i++) flip_push(mesh, around[i], &depth);
  }
}

/* May the triangle of a spoke's end and its two neighbours be cut off? It must not hold the hub inside. */
static bool flip_is_ear(const grz_mesh *mesh, int32_t spoke) {
  int32_t hub = mesh->dart[spoke].from, at = mesh_to(mesh, spoke);
  int32_t before = mesh_to(mesh, mesh->dart[spoke].cw), after = mesh_to(mesh, mesh->dart[spoke].ccw);
  return grz_mesh_turn(mesh, before, at, after) > 0 && grz_mesh_turn(mesh, before, after, hub) >= 0;
}

void grz_mesh_remove_vertex(grz_mesh *mesh, int32_t vertex) {
  int32_t e = mesh->spoke[vertex], spokes = 1;
  for (int32_t s = mesh->dart[e].ccw; s != e; s = mesh->dart[s].ccw) spokes++;
  for (int32_t next; spokes > 3; e = next) {
    next = mesh->dart[e].ccw;
    if (!flip_is_ear(mesh, e)) continue;
    grz_mesh_flip(mesh, e);
    spokes--;
  }
  while (mesh->spoke[vertex] >= 0) grz_mesh_remove(mesh, mesh->spoke[vertex]);
}
