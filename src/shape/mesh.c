/* Construction of meshes: copies, the tree over the faces, and connected components. */
#include "shape/mesh_edges.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "core/status.h"
#include "shape/placed.h"
#include "shape/shape.h"

#include <graze/mesh.h>
#include <string.h>

static graze_vec mesh_corner(const graze_mesh_def *def, size_t face, int corner) {
  return def->vertices[def->faces[(size_t)def->dim * face + (size_t)corner]];
}

/* ---- Connected components, by a union-find structure over the vertices */

static int32_t component_root(int32_t *above, int32_t vertex) {
  while (above[vertex] != vertex) vertex = above[vertex] = above[above[vertex]]; /* path halving */
  return vertex;
}

static void component_join(int32_t *above, int32_t p, int32_t q) {
  p = component_root(above, p), q = component_root(above, q);
  above[p < q ? q : p] = p < q ? p : q;
}

/* Writes a vertex of each component to `component`, and returns their number. Both arrays have space for all vertices.
 * `welded` is NULL, or has an equal vertex for each vertex: grz_mesh_weld(). */
static size_t mesh_components(const graze_mesh_def *def, const int32_t *welded, int32_t *above, int32_t *component) {
  const size_t dim = (size_t)def->dim;
  size_t count = 0;
  for (size_t i = 0; i < def->vertex_count; i++) above[i] = (int32_t)i;
  for (size_t face = 0; face < def->face_count; face++) {
    const int32_t *corner = def->faces + dim * face;
    for (size_t k = 1; k < dim; k++) component_join(above, corner[k - 1], corner[k]);
  }
  for (size_t i = 0; welded != NULL && i < def->vertex_count; i++) component_join(above, (int32_t)i, welded[i]);
  for (size_t i = 0; i < def->vertex_count; i++) above[i] = component_root(above, (int32_t)i);
  for (size_t face = 0; face < def->face_count; face++) {
    const int32_t marked = above[def->faces[dim * face]], root = marked < 0 ? ~marked : marked;
    if (above[root] < 0) continue; /* ~root marks a component that is in the list */
    above[root] = ~root;
    component[count++] = root;
  }
  return count;
}

/* ---- Construction */

static graze_aabb mesh_face_bounds(const graze_mesh_def *def, size_t face) {
  const graze_vec a = mesh_corner(def, face, 0), b = mesh_corner(def, face, 1);
  graze_aabb box = {vec_min(a, b), vec_max(a, b)};
  if (def->dim == 2) return box;
  const graze_vec c = mesh_corner(def, face, 2);
  return (graze_aabb){vec_min(box.min, c), vec_max(box.max, c)};
}

enum { ROUND_FACES = 1 << 14 }; /* of a task */

typedef struct mesh_round {
  const graze_mesh *mesh;
  grz_tree_record *record;
} mesh_round;

static void mesh_round_task(void *data, size_t k) {
  const mesh_round *round = data;
  const graze_mesh_def *def = &round->mesh->def;
  const size_t from = k * ROUND_FACES;
  const size_t to = def->face_count - from < ROUND_FACES ? def->face_count : from + ROUND_FACES;
  for (size_t i = from; i < to; i++) {
    const graze_aabb box = mesh_face_bounds(def, i);
    grz_tree_round(&round->mesh->tree, &box, round->record[i].side);
    round->record[i].item = (uint32_t)i, round->record[i].moves = 0;
  }
}

/* All vertices are used: mesh_allocate(). */
static void mesh_build_tree(graze_mesh *mesh, void *memory, grz_tree_record *record, uint64_t *key,
                            const graze_parallel *parallel) {
  const graze_mesh_def *def = &mesh->def;
  mesh_round round = {mesh, record};
  mesh->bounds = (graze_aabb){def->vertices[0], def->vertices[0]};
  for (size_t i = 1; i < def->vertex_count; i++) {
    mesh->bounds.min = vec_min(mesh->bounds.min, def->vertices[i]);
    mesh->bounds.max = vec_max(mesh->bounds.max, def->vertices[i]);
  }
  grz_tree_make(&mesh->tree, def->dim, &mesh->bounds, def->face_count, memory);
  grz_parallel_run(parallel, (def->face_count + ROUND_FACES - 1) / ROUND_FACES, mesh_round_task, &round);
  grz_tree_build(&mesh->tree, record, key, def->face_count, parallel);
}

/* Copies `size` bytes to the block and returns the copy. */
static void *mesh_copy(char **block, const void *from, size_t size) {
  void *to = *block;
  memcpy(to, from, size);
  *block += (size + 7) / 8 * 8;
  return to;
}

/* One block holds the mesh, its tree and all arrays. `above` and `component` are results of mesh_components(). */
static graze_mesh *mesh_allocate(const graze_mesh_def *def, const graze_allocator *allocator, const int32_t *above,
                                 const int32_t *component, size_t component_count) {
  const size_t vertices = def->vertex_count * sizeof(graze_vec);
  const size_t faces = (size_t)def->dim * def->face_count * sizeof(int32_t);
  const size_t components = component_count * sizeof(int32_t);
  const size_t numbers = component_count > 1 ? def->vertex_count * sizeof(int32_t) : 0;
  const size_t size =
      sizeof(graze_mesh) + 64 + grz_tree_bytes(def->face_count) + vertices + faces + components + numbers + 5 * 8;
  char *block = grz_allocate(allocator, 1, size);
  if (block == NULL) return NULL;
  graze_mesh *mesh = (graze_mesh *)(void *)block;
  grz_tree_record *record = grz_allocate(allocator, def->face_count, sizeof *record + sizeof(uint64_t));
  if (record == NULL) {
    grz_release(allocator, block);
    return NULL;
  }
  block += sizeof(graze_mesh);
  block += 64 - (uintptr_t)block % 64;
  char *tree = block;
  block += (grz_tree_bytes(def->face_count) + 7) / 8 * 8;
  *mesh = (graze_mesh){.def = *def, .component_count = component_count, .allocator = *allocator};
  graze_vec *vertex = mesh_copy(&block, def->vertices, vertices);
  for (size_t i = 0; i < def->vertex_count; i++) { /* unused vertices must not enlarge the bounds */
    const int32_t root = above[i] < 0 ? ~above[i] : above[i];
    if (above[root] >= 0) vertex[i] = vertex[component[0]];
  }
  mesh->def.vertices = vertex, mesh->def.parallel = NULL;
  mesh->def.faces = mesh_copy(&block, def->faces, faces);
  mesh->component = mesh_copy(&block, component, components);
  if (numbers > 0) {
    int32_t *number = mesh_copy(&block, above, numbers);
    for (size_t i = 0; i < def->vertex_count; i++) number[i] = number[i] < 0 ? ~number[i] : number[i];
    mesh->component_of = number;
  }
  mesh->bounding_radius = grz_bounding_radius(mesh->def.vertices, def->vertex_count);
  mesh_build_tree(mesh, tree, record, (uint64_t *)(void *)(record + def->face_count), def->parallel);
  grz_release(allocator, record);
  return mesh;
}

graze_status graze_mesh_create(const graze_mesh_def *def, const graze_allocator *allocator, graze_mesh **mesh,
                               graze_error *error) {
  const graze_allocator from = grz_allocator(allocator);
  const graze_status status = grz_mesh_check_def(def, true, error);
  if (status != GRAZE_OK) return status;
  const graze_error no_memory = grz_error(GRAZE_OUT_OF_MEMORY, "faces", -1, (double)def->face_count);
  bool closed = false;
  if (!def->surface && grz_mesh_is_closed(def, &from, &closed) != GRAZE_OK) return grz_reject(error, no_memory);
  int32_t *scratch = grz_allocate(&from, def->vertex_count, 3 * sizeof *scratch);
  if (scratch == NULL) return grz_reject(error, no_memory);
  int32_t *component = scratch + def->vertex_count, *welded = component + def->vertex_count;
  size_t component_count = mesh_components(def, NULL, scratch, component);
  if (component_count > 1) { /* vertices may be equal, for instance if each face has its own */
    for (size_t i = 0; i < def->vertex_count; i++) welded[i] = (int32_t)i;
    if (!grz_mesh_weld(def->vertices, welded, def->vertex_count, &from)) {
      grz_release(&from, scratch);
      return grz_reject(error, no_memory);
    }
    component_count = mesh_components(def, welded, scratch, component);
  }
  graze_mesh *made = mesh_allocate(def, &from, scratch, component, component_count);
  grz_release(&from, scratch);
  if (made == NULL) return grz_reject(error, no_memory);
  made->solid = closed;
  *mesh = made;
  return grz_reject(error, grz_no_error());
}

void graze_mesh_destroy(graze_mesh *mesh) {
  if (mesh == NULL) return;
  const graze_allocator allocator = mesh->allocator;
  grz_release(&allocator, mesh);
}

graze_shape graze_mesh_shape(const graze_mesh *mesh) {
  return (graze_shape){.kind = GRAZE_MESH, .dim = mesh->def.dim, .as.mesh = mesh};
}

bool graze_mesh_is_solid(const graze_mesh *mesh) { return mesh->solid; }

graze_mesh_def graze_mesh_faces(const graze_mesh *mesh) { return mesh->def; }
