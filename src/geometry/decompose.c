/* Decomposing polygons: what is asked for, and what comes back. */
#include "core/error.h"
#include "core/memory.h"
#include "geometry/decompose.h"
#include "shape/check.h"

#include <string.h>

enum { SPLIT_AUTO_MOST = 100 };

static graze_error split_error(graze_status status, const char *what, ptrdiff_t index, double value) {
  return grz_error(status, what, index, value);
}

static graze_error split_check(const grz_split *split, graze_splitting splitting) {
  graze_error error = grz_check_vertices(split->outline.vertices, split->outline.count, 1, 2);
  if (error.status != GRAZE_OK) return error;
  size_t holes = split->ring_count - 1;
  if (holes > 0 && split->holes == NULL) return split_error(GRAZE_BAD_SHAPE, "holes", -1, (double)holes);
  for (size_t i = 0; i < holes; i++) {
    error = grz_check_vertices(split->holes[i].vertices, split->holes[i].count, 1, 2);
    if (error.status != GRAZE_OK) return split_error(error.status, "holes", error.index, (double)(i + 1));
  }
  if (splitting != GRAZE_SPLIT_AUTO && splitting != GRAZE_SPLIT_FEW && splitting != GRAZE_SPLIT_FEWEST)
    return split_error(GRAZE_BAD_OPTION, "splitting", -1, (double)splitting);
  return error;
}

/* ---- The pieces. */

size_t grz_split_number(grz_split *split) {
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

static size_t split_count(const grz_mesh *mesh, bool internal_edges) {
  size_t count = 0;
  for (int32_t e = 0; e < mesh->dart_count; e++) {
    if (internal_edges)
      count += (e & 1) == 0 && mesh_is_seam(mesh, e);
    else
      count += mesh->dart[e].from >= 0 && mesh->dart[e].winding == 1;
  }
  return count;
}

static void split_write_seams(const grz_mesh *mesh, graze_internal_edge *internal_edges) {
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (!mesh_is_seam(mesh, e)) continue;
    *internal_edges++ = (graze_internal_edge){mesh->stack[e], mesh->stack[e + 1], mesh->at[mesh->dart[e].from],
                                              mesh->at[mesh->dart[e + 1].from]};
  }
}

/* Pieces in the order of their numbers, which is that of their first darts. */
static void split_write_pieces(const grz_mesh *mesh, graze_vec *vertices, size_t *piece_start) {
  size_t at = 0;
  int32_t piece = 0;
  piece_start[0] = 0;
  for (int32_t first = 0; first < mesh->dart_count; first++) {
    if (mesh->stack[first] != piece) continue;
    int32_t e = first;
    do {
      vertices[at++] = mesh->at[mesh->dart[e].from];
      e = mesh_next(mesh, e);
    } while (e != first);
    piece_start[++piece] = at;
  }
}

/* One block for the result. False: no memory. */
static bool split_write(grz_split *split, graze_decomposition *made) {
  const grz_mesh *mesh = &split->mesh;
  made->piece_count = grz_split_number(split);
  made->internal_edge_count = split_count(mesh, true);
  size_t corners = split_count(mesh, false);
  size_t vertex_size = corners * sizeof(graze_vec), seam_size = made->internal_edge_count * sizeof(graze_internal_edge);
  unsigned char *at =
      grz_allocate(&split->allocator, vertex_size + seam_size + (made->piece_count + 1) * sizeof(size_t), 1);
  if (at == NULL) return false;
  graze_vec *vertices = (graze_vec *)(void *)at;
  graze_internal_edge *internal_edges = (graze_internal_edge *)(void *)(at + vertex_size);
  size_t *piece_start = (size_t *)(void *)(at + vertex_size + seam_size);
  split_write_pieces(mesh, vertices, piece_start);
  split_write_seams(mesh, internal_edges);
  made->vertices = vertices, made->internal_edges = internal_edges, made->piece_start = piece_start;
  made->memory = at;
  made->allocator = split->allocator;
  made->area = split->area;
  return true;
}

/* ---- The way there. */

/* Few pieces first: where they are as few as the bound, nothing better can be found. */
static graze_status split_reduce(grz_split *split, graze_splitting splitting, size_t *fewest) {
  bool simple = split->simple;
  if (splitting == GRAZE_SPLIT_FEWEST && !simple) return GRAZE_UNSUPPORTED;
  if (splitting == GRAZE_SPLIT_AUTO)
    splitting = simple && split->mesh.count <= SPLIT_AUTO_MOST ? GRAZE_SPLIT_FEWEST : GRAZE_SPLIT_FEW;
  if (!grz_split_few(split)) return GRAZE_OUT_OF_MEMORY;
  size_t pieces = grz_split_number(split);
  *fewest = grz_split_bound(split, pieces);
  if (splitting == GRAZE_SPLIT_FEW || pieces == *fewest) return GRAZE_OK;
  graze_status status = grz_split_triangulate(split);
  if (status != GRAZE_OK) return status;
  if (!grz_split_fewest(split)) return GRAZE_OUT_OF_MEMORY;
  *fewest = grz_split_number(split);
  return GRAZE_OK;
}

static graze_error split_refused(const grz_split *split, graze_status status) {
  const graze_outline_error *flaw = &split->flaw;
  if (status == GRAZE_UNSUPPORTED) return split_error(status, "splitting", -1, GRAZE_SPLIT_FEWEST);
  if (status != GRAZE_NOT_SIMPLE) return split_error(status, "vertices", -1, (double)split->outline.count);
  if (flaw->ring == 0) return split_error(status, "vertices", (ptrdiff_t)flaw->index, 0);
  return split_error(status, "holes", (ptrdiff_t)flaw->index, (double)flaw->ring);
}

static graze_error split_run(grz_split *split, graze_splitting splitting, graze_decomposition *made) {
  graze_error error = grz_split_begin(split);
  if (error.status != GRAZE_OK) return error;
  graze_status status = grz_split_measure(split);
  if (status == GRAZE_OK) status = grz_split_triangulate(split);
  if (status == GRAZE_OK) status = split_reduce(split, splitting, &made->fewest);
  if (status == GRAZE_OK && !split_write(split, made)) status = GRAZE_OUT_OF_MEMORY;
  return status == GRAZE_OK ? error : split_refused(split, status);
}

graze_status graze_decompose(graze_ring outline, const graze_ring *holes, size_t hole_count, graze_splitting splitting,
                             const graze_allocator *allocator, graze_decomposition *decomposition,
                             graze_outline_error *flaw, graze_error *error) {
  grz_split split = {.outline = outline, .holes = holes, .ring_count = hole_count + 1};
  split.allocator = grz_allocator(allocator);
  graze_decomposition made = {0};
  graze_error found = split_check(&split, splitting);
  if (found.status == GRAZE_OK) {
    found = split_run(&split, splitting, &made);
    grz_release(&split.allocator, split.memory);
  }
  if (found.status == GRAZE_OK) *decomposition = made;
  if (found.status == GRAZE_NOT_SIMPLE && flaw != NULL) *flaw = split.flaw;
  if (error != NULL) *error = found;
  return found.status;
}

void graze_decomposition_destroy(graze_decomposition *decomposition) {
  grz_release(&decomposition->allocator, decomposition->memory);
  memset(decomposition, 0, sizeof *decomposition);
}
