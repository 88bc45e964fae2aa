/* Decomposition of polygons into convex pieces without new vertices: validation, a constrained Delaunay triangulation
 * (triangulate.c), and removal of internal edges (Hertel, Mehlhorn 1983, "Fast triangulation of simple polygons"). The
 * fewest pieces: fewest.c. Proofs: docs/theory/decompose.md. */
#include "core/status.h"
#include "core/memory.h"
#include "core/vec.h"
#include "geometry/polygon.h"
#include "core/sort.h"
#include "shape/shape.h"

#include <string.h>

/* GRAZE_SPLIT_AUTO computes the fewest pieces up to this number of vertices. */
enum { SPLIT_AUTO_MAX = 100 };

static graze_error split_check(const grz_split *split, graze_splitting splitting) {
  graze_error error = grz_check_vertices(split->outline.vertices, split->outline.count, 1, 2);
  if (error.status != GRAZE_OK) return error;
  const size_t holes = split->ring_count - 1;
  if (holes > 0 && split->holes == NULL) return grz_error(GRAZE_BAD_SHAPE, "holes", -1, (double)holes);
  for (size_t i = 0; i < holes; i++) {
    error = grz_check_vertices(split->holes[i].vertices, split->holes[i].count, 1, 2);
    if (error.status != GRAZE_OK) return grz_error(error.status, "holes", error.index, (double)(i + 1));
  }
  if (splitting != GRAZE_SPLIT_AUTO && splitting != GRAZE_SPLIT_FEW && splitting != GRAZE_SPLIT_FEWEST)
    return grz_error(GRAZE_BAD_OPTION, "splitting", -1, (double)splitting);
  return error;
}

/* ---- Few pieces. */

/* Without the edge, is the corner at the origin of the dart at most 180 degrees? */
static bool few_is_removable_at(const grz_mesh *mesh, int32_t e) {
  const int32_t left = mesh_to(mesh, mesh->dart[e].ccw), right = mesh_to(mesh, mesh->dart[e].cw);
  return grz_mesh_orient(mesh, left, mesh->dart[e].from, right) >= 0;
}

/* Hertel and Mehlhorn: removes internal edges, the longest first, while all corners stay convex. False: out of
 * memory. */
static bool few_remove_edges(grz_split *split) {
  grz_mesh *mesh = &split->mesh;
  grz_key *keys = grz_allocate(&split->allocator, (size_t)mesh->dart_count, sizeof *keys);
  size_t count = 0;
  if (keys == NULL) return false;
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (!mesh_is_internal(mesh, e)) continue;
    const graze_vec edge = vec_sub(mesh->point[mesh_to(mesh, e)], mesh->point[mesh->dart[e].from]);
    keys[count++] = (grz_key){-vec_dot(edge, edge), 0, (uint32_t)e};
  }
  grz_sort(keys, count, keys + count);
  for (size_t i = 0; i < count; i++) {
    const int32_t e = (int32_t)keys[i].index;
    if (few_is_removable_at(mesh, e) && few_is_removable_at(mesh, e ^ 1)) grz_mesh_remove_edge(mesh, e);
  }
  grz_release(&split->allocator, keys);
  return true;
}

/* A lower bound of the number of pieces of any decomposition without new vertices, from one that has `pieces`: Euler's
 * formula and the number of reflex corners. */
static size_t few_lower_bound(const grz_split *split, size_t pieces) {
  const grz_mesh *mesh = &split->mesh;
  size_t internal_edges = 0, reflex = 0;
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    const grz_dart *dart = &mesh->dart[e];
    if (dart->from < 0 || dart->winding != 1) continue;
    if (dart->multiplicity == 0) {
      internal_edges += (e & 1) == 0;
      continue;
    }
    int32_t last = dart->ccw; /* the other boundary edge of the corner on the left of the dart */
    while (mesh->dart[last].multiplicity == 0) last = mesh->dart[last].ccw;
    reflex += grz_mesh_orient(mesh, mesh_to(mesh, last), dart->from, mesh_to(mesh, e)) < 0;
  }
  return (reflex + 1) / 2 + pieces - internal_edges;
}

/* ---- The result. */

/* Counts and numbers the pieces: mesh.stack[e] becomes the number of the face on the left of dart e, -1 outside. */
static size_t split_number_pieces(grz_split *split) {
  const grz_mesh *mesh = &split->mesh;
  int32_t pieces = 0;
  for (int32_t e = 0; e < mesh->dart_count; e++) mesh->stack[e] = -1;
  for (int32_t first = 0; first < mesh->dart_count; first++) {
    const grz_dart *dart = &mesh->dart[first];
    if (dart->from < 0 || dart->winding != 1 || mesh->stack[first] >= 0) continue;
    for (int32_t e = first; mesh->stack[e] < 0; e = mesh_next(mesh, e)) mesh->stack[e] = pieces;
    pieces++;
  }
  return (size_t)pieces;
}

/* Reduces the number of pieces. If it reaches the lower bound, the search for the fewest is not needed. */
static graze_status split_reduce(grz_split *split, graze_splitting splitting, size_t *fewest) {
  const bool simple = split->simple;
  if (splitting == GRAZE_SPLIT_FEWEST && !simple) return GRAZE_UNSUPPORTED;
  if (splitting == GRAZE_SPLIT_AUTO)
    splitting = simple && split->mesh.count <= SPLIT_AUTO_MAX ? GRAZE_SPLIT_FEWEST : GRAZE_SPLIT_FEW;
  if (!few_remove_edges(split)) return GRAZE_OUT_OF_MEMORY;
  const size_t pieces = split_number_pieces(split);
  *fewest = few_lower_bound(split, pieces);
  if (splitting == GRAZE_SPLIT_FEW || pieces == *fewest) return GRAZE_OK;
  const graze_status status = grz_split_triangulate(split);
  if (status != GRAZE_OK) return status;
  if (!grz_split_fewest(split)) return GRAZE_OUT_OF_MEMORY;
  *fewest = split_number_pieces(split);
  return GRAZE_OK;
}

/* Writes the result to one block of memory. False: out of memory. */
static bool split_write(grz_split *split, graze_decomposition *made) {
  const grz_mesh *mesh = &split->mesh;
  size_t corners = 0;
  made->piece_count = split_number_pieces(split);
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    corners += mesh->dart[e].from >= 0 && mesh->dart[e].winding == 1;
    made->internal_edge_count += (e & 1) == 0 && mesh_is_internal(mesh, e);
  }
  const size_t vertex_size = corners * sizeof(graze_vec);
  const size_t edge_size = made->internal_edge_count * sizeof(graze_internal_edge);
  const size_t start_size = (made->piece_count + 1) * sizeof(size_t);
  unsigned char *at = grz_allocate(&split->allocator, vertex_size + edge_size + start_size, 1);
  if (at == NULL) return false;
  graze_vec *vertex = (graze_vec *)(void *)at;
  graze_internal_edge *edge = (graze_internal_edge *)(void *)(at + vertex_size);
  size_t *piece_start = (size_t *)(void *)(at + vertex_size + edge_size);
  made->vertices = vertex, made->internal_edges = edge, made->piece_start = piece_start;
  made->memory = at;
  made->allocator = split->allocator;
  made->area = split->area;

  /* The pieces in the order of their numbers, which is the order of their first darts. */
  int32_t piece = 0;
  size_t written = 0;
  piece_start[0] = 0;
  for (int32_t first = 0; first < mesh->dart_count; first++) {
    if (mesh->stack[first] != piece) continue;
    int32_t e = first;
    do {
      vertex[written++] = mesh->point[mesh->dart[e].from];
      e = mesh_next(mesh, e);
    } while (e != first);
    piece_start[++piece] = written;
  }
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (!mesh_is_internal(mesh, e)) continue;
    *edge++ = (graze_internal_edge){mesh->stack[e], mesh->stack[e + 1], mesh->point[mesh->dart[e].from],
                                    mesh->point[mesh->dart[e + 1].from]};
  }
  return true;
}

/* ---- Public functions. */

static graze_error split_run(grz_split *split, graze_splitting splitting, graze_decomposition *made) {
  const graze_error begun = grz_split_begin(split);
  if (begun.status != GRAZE_OK) return begun;
  graze_status status = grz_split_measure(split);
  if (status == GRAZE_OK) status = grz_split_triangulate(split);
  if (status == GRAZE_OK) status = split_reduce(split, splitting, &made->fewest);
  if (status == GRAZE_OK && !split_write(split, made)) status = GRAZE_OUT_OF_MEMORY;
  const graze_outline_error *reason = &split->error;
  if (status == GRAZE_OK) return begun;
  if (status == GRAZE_UNSUPPORTED) return grz_error(status, "splitting", -1, GRAZE_SPLIT_FEWEST);
  if (status != GRAZE_NOT_SIMPLE) return grz_error(status, "vertices", -1, (double)split->outline.count);
  if (reason->ring == 0) return grz_error(status, "vertices", (ptrdiff_t)reason->index, 0);
  return grz_error(status, "holes", (ptrdiff_t)reason->index, (double)reason->ring);
}

graze_status graze_decompose(graze_ring outline, const graze_ring *holes, size_t hole_count, graze_splitting splitting,
                             const graze_allocator *allocator, graze_decomposition *decomposition,
                             graze_outline_error *outline_error, graze_error *error) {
  grz_split split = {.outline = outline, .holes = holes, .ring_count = hole_count + 1};
  split.allocator = grz_allocator(allocator);
  graze_decomposition made = {0};
  graze_error result = split_check(&split, splitting);
  if (result.status == GRAZE_OK) {
    result = split_run(&split, splitting, &made);
    grz_release(&split.allocator, split.memory);
  }
  if (result.status == GRAZE_OK) *decomposition = made;
  if (result.status == GRAZE_NOT_SIMPLE && outline_error != NULL) *outline_error = split.error;
  if (error != NULL) *error = result;
  return result.status;
}

void graze_decomposition_destroy(graze_decomposition *decomposition) {
  grz_release(&decomposition->allocator, decomposition->memory);
  memset(decomposition, 0, sizeof *decomposition);
}
