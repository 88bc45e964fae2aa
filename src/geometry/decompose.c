/* Decomposition of polygons into convex pieces without new vertices.
 *
 * The steps are validation, a constrained Delaunay triangulation (triangulate.c), and removal of internal edges. Few
 * pieces: Hertel, Mehlhorn 1983, "Fast triangulation of simple polygons". The fewest pieces: Keil 1985, "Decomposing a
 * polygon into simpler components"; Keil, Snoeyink 2002, "On the time bound for convex decomposition of simple
 * polygons". Proofs: docs/theory/decompose.md. */
#include "core/memory.h"
#include "core/sort.h"
#include "geometry/polygon.h"
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
    return grz_error_rule(GRAZE_BAD_OPTION, "splitting", (double)splitting, "must be a graze_splitting");
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

/* A lower bound of the number of pieces of any decomposition without new vertices. It follows from a decomposition into
 * `pieces`, Euler's formula and the number of reflex corners. */
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

/* ---- The fewest pieces of a simple polygon: dynamic programming over the diagonals between vertices that see each
 * other. First their visibility graph. */

/* The visibility graph. Vertices are numbered counter-clockwise around the polygon. Those visible from i are
 * visible[start[i]] … visible[start[i + 1] - 1], ascending. The last entry of the array is `count`, a sentinel. Two
 * vertices are visible from each other if an edge joins them. They are also visible from each other if one of them is a
 * reflex corner and the segment between them, without its ends, is strictly inside. */
typedef struct visibility {
  int32_t count;
  int32_t *vertex; /* in the mesh */
  size_t *start;
  int32_t *visible;
  size_t *mirror; /* for a pair listed at its greater vertex: where it is listed at the lesser vertex */
  void *memory[2];
} visibility;

/* Pushes a part of the view: through the edge of a dart, between the directions of the vertices `right` and `left`. The
 * stack of the mesh stores it as three numbers. */
static void view_push(const grz_mesh *mesh, int32_t *depth, int32_t edge, int32_t right, int32_t left) {
  if (mesh->dart[edge].multiplicity != 0) return; /* the boundary */
  int32_t *top = mesh->stack + 3 * (*depth)++;
  top[0] = edge, top[1] = right, top[2] = left;
}

/* Lists the mesh vertices visible from one, by depth-first search through the triangles. Each triangle is reached once,
 * because the polygon has no holes. Returns their number. */
static int32_t view_from(const grz_mesh *mesh, int32_t from, int32_t *seen) {
  const int32_t first = mesh->first[from];
  int32_t e = first, depth = 0, count = 0;
  do {
    const int32_t next = mesh->dart[e].ccw;
    if (mesh->dart[e].winding == 1 || mesh->dart[e ^ 1].winding == 1) seen[count++] = mesh_to(mesh, e);
    if (mesh->dart[e].winding == 1) view_push(mesh, &depth, mesh_next(mesh, e), mesh_to(mesh, e), mesh_to(mesh, next));
    e = next;
  } while (e != first);
  while (depth > 0) {
    const int32_t *top = mesh->stack + 3 * --depth, edge = top[0], right_end = top[1], left_end = top[2];
    const int32_t right = mesh_next(mesh, edge ^ 1), left = mesh_next(mesh, right), apex = mesh_to(mesh, right);
    const bool after_right = grz_mesh_orient(mesh, from, right_end, apex) > 0;
    const bool before_left = grz_mesh_orient(mesh, from, left_end, apex) < 0;
    if (after_right && before_left) seen[count++] = apex;
    if (after_right) view_push(mesh, &depth, right, right_end, before_left ? apex : left_end);
    if (before_left) view_push(mesh, &depth, left, after_right ? apex : right_end, left_end);
  }
  return count;
}

/* Adds each vertex to the lists of those that it sees. Visibility is symmetric, so lists become ascending. While
 * `visible` is NULL, next[j] only counts. `number` are the numbers of mesh vertices. */
static void visibility_survey(const grz_split *split, visibility *v, const int32_t *number, const bool *reflex,
                              int32_t *seen, size_t *next) {
  for (int32_t i = 0; i < v->count; i++) {
    const int32_t seen_count = view_from(&split->mesh, v->vertex[i], seen);
    for (int32_t k = 0; k < seen_count; k++) {
      const int32_t j = number[seen[k]], distance = i < j ? j - i : i - j;
      if (!reflex[i] && !reflex[j] && distance != 1 && distance != v->count - 1) continue;
      if (v->visible != NULL) v->visible[next[j]] = i;
      next[j]++;
    }
  }
}

static void visibility_release(const grz_split *split, visibility *v) {
  grz_release(&split->allocator, v->memory[1]);
  grz_release(&split->allocator, v->memory[0]);
}

/* Builds the graph from the triangulation of a simple polygon. False: out of memory, and nothing to release. */
static bool visibility_build(grz_split *split, visibility *v) {
  const grz_mesh *mesh = &split->mesh;
  const size_t n = (size_t)mesh->count;
  size_t *next = grz_allocate(&split->allocator, (2 * n + 1) * sizeof *next + n * (3 * sizeof(int32_t) + 1), 1);
  *v = (visibility){.memory = {next, NULL}};
  if (next == NULL) return false;
  v->start = next + n;
  v->vertex = (int32_t *)(v->start + n + 1);
  int32_t *number = v->vertex + n, *seen = number + n;
  bool *reflex = (bool *)(seen + n);

  /* Number the vertices around the polygon, without repeated neighbours. */
  const int32_t total = split->start[1];
  for (int32_t k = 0; k < total; k++) {
    const int32_t vertex = split->vertex[split->orientation[0] > 0 ? k : total - 1 - k];
    if (v->count == 0 || (vertex != v->vertex[v->count - 1] && vertex != v->vertex[0])) v->vertex[v->count++] = vertex;
  }
  for (int32_t i = 0; i < v->count; i++) {
    const int32_t before = i > 0 ? i - 1 : v->count - 1, after = i + 1 < v->count ? i + 1 : 0;
    number[v->vertex[i]] = i;
    reflex[i] = grz_mesh_orient(mesh, v->vertex[before], v->vertex[i], v->vertex[after]) < 0;
  }

  /* Count, then fill the lists. */
  for (size_t i = 0; i < n; i++) next[i] = 0;
  visibility_survey(split, v, number, reflex, seen, next);
  v->start[0] = 0;
  for (int32_t i = 0; i < v->count; i++) {
    v->start[i + 1] = v->start[i] + next[i];
    next[i] = v->start[i];
  }
  const size_t pairs = v->start[v->count];
  v->mirror = v->memory[1] = grz_allocate(&split->allocator, pairs + 1, sizeof(size_t) + sizeof(int32_t));
  if (v->mirror == NULL) {
    visibility_release(split, v);
    return false;
  }
  v->visible = (int32_t *)(v->mirror + pairs + 1);
  v->visible[pairs] = v->count;
  visibility_survey(split, v, number, reflex, seen, next);
  for (int32_t i = 0; i < v->count; i++) next[i] = v->start[i];
  for (int32_t i = 0; i < v->count; i++) {
    for (size_t at = v->start[i]; at < v->start[i + 1]; at++) {
      if (v->visible[at] > i) v->mirror[next[v->visible[at]]++] = at;
    }
  }
  return true;
}

/* ---- Dynamic programming (Keil). A pair i < j of visible vertices cuts off the part of the polygon with the vertices
 * i … j. A pair is identified by its place in the list of i. */

/* For one i: the best convex chain i … k, l with a given last edge k -> l. The best chain has the fewest pieces beyond
 * its edges; among equals, the greatest first vertex after i. */
typedef struct fewest_chain {
  int32_t pieces; /* -1: no chain */
  int32_t first;
  size_t before; /* the edge before the last one */
} fewest_chain;

/* For one i and a vertex k: the chains that end at k, in the order of their last edge. The chains that turn left toward
 * l come first; their number grows with l. */
typedef struct fewest_corner {
  size_t low;  /* the first list entry of k that is at least i */
  size_t next; /* the first chain that does not turn left toward the current l */
  size_t best; /* the best chain before that; fewest_none: no chain */
} fewest_corner;

typedef struct fewest_work {
  grz_split *split;
  visibility sight;
  int32_t *fewest; /* for each pair: the fewest pieces of the part that it cuts off */
  fewest_chain *chain;
  fewest_corner *corner;
  size_t *closing; /* for one i: the last edge of the best chain from i to j, by j */
} fewest_work;

static const size_t fewest_none = SIZE_MAX;

static int fewest_orient(const fewest_work *work, int32_t i, int32_t j, int32_t k) {
  const int32_t *vertex = work->sight.vertex;
  return grz_mesh_orient(&work->split->mesh, vertex[i], vertex[j], vertex[k]);
}

static bool fewest_is_better(const fewest_work *work, size_t a, size_t b) {
  if (work->chain[a].pieces < 0 || b == fewest_none) return work->chain[a].pieces >= 0;
  const fewest_chain *x = &work->chain[a], *y = &work->chain[b];
  return x->pieces < y->pieces || (x->pieces == y->pieces && x->first > y->first);
}

/* The best chain from i with the last edge k -> l, i < k < l. The closing side l -> i must leave the corner at i
 * convex. The chain continues the best chain to k or, if that makes the corner at i reflex, the edge i -> k. */
static fewest_chain fewest_extend(fewest_work *work, int32_t i, int32_t k, int32_t l, size_t edge) {
  const visibility *sight = &work->sight;
  const fewest_chain none = {.pieces = -1};
  fewest_corner *corner = &work->corner[k];

  /* Advance over the chains to k that turn left, or go straight on, toward l. */
  for (; sight->visible[corner->next] < k && fewest_orient(work, sight->visible[corner->next], k, l) >= 0;
       corner->next++) {
    const size_t to_k = sight->mirror[corner->next];
    if (fewest_is_better(work, to_k, corner->best)) corner->best = to_k;
  }
  size_t before = corner->best;
  if (before == fewest_none || fewest_orient(work, i, k, l) < 0) return none;
  if (fewest_orient(work, l, i, work->chain[before].first) < 0) {
    if (sight->visible[corner->low] != i) return none;
    before = sight->mirror[corner->low];
  }
  return (fewest_chain){work->chain[before].pieces + work->fewest[edge], work->chain[before].first, before};
}

/* Computes all chains from i. For each l that i sees, the best chain is closed. Every list that is searched ends with
 * an entry that is greater than its own vertex. */
static void fewest_from(fewest_work *work, int32_t i) {
  const visibility *sight = &work->sight;
  for (int32_t l = i + 1; l < sight->count; l++) {
    fewest_corner *corner = &work->corner[l];
    for (corner->low = sight->start[l]; sight->visible[corner->low] < i;) corner->low++;
    corner->next = corner->low;
    corner->best = fewest_none;
    size_t at = corner->low, closing = fewest_none, direct = fewest_none;
    if (sight->visible[at] == i) direct = sight->mirror[at++];
    for (; sight->visible[at] < l; at++) {
      const size_t edge = sight->mirror[at];
      work->chain[edge] = fewest_extend(work, i, sight->visible[at], l, edge);
      if (fewest_is_better(work, edge, closing)) closing = edge;
    }
    work->closing[l] = closing;
    if (direct == fewest_none) continue;
    work->fewest[direct] = l > i + 1 ? 1 + work->chain[closing].pieces : 0;
    work->chain[direct] = (fewest_chain){work->fewest[direct], l, fewest_none};
  }
}

/* Fills the table, finds the pairs of an optimal decomposition, and makes them the internal edges of the mesh.
 * `selected` marks pairs whose part is still to be divided. */
static void fewest_solve(fewest_work *work, bool *selected) {
  const visibility *sight = &work->sight;
  grz_mesh *mesh = &work->split->mesh;
  const size_t pairs = sight->start[sight->count], whole = sight->start[1] - 1; /* the pair of the first and the last */
  for (size_t at = 0; at < pairs; at++) {
    work->chain[at].pieces = -1;
    selected[at] = at == whole;
  }
  for (int32_t i = sight->count - 1; i-- > 0;) fewest_from(work, i);

  /* The chains of selected pairs, computed once more, select further pairs. */
  for (int32_t i = 0; i < sight->count; i++) {
    bool any = false;
    for (size_t at = sight->start[i]; at < sight->start[i + 1]; at++) any |= selected[at];
    if (!any) continue;
    fewest_from(work, i);
    for (size_t at = sight->start[i + 1]; at-- > sight->start[i];) {
      if (!selected[at]) continue;
      for (size_t edge = work->closing[sight->visible[at]]; edge != fewest_none; edge = work->chain[edge].before)
        selected[edge] = work->fewest[edge] > 0;
    }
  }

  /* Insert the selected diagonals, and remove all other internal edges. */
  for (int32_t i = 0; i < sight->count; i++) {
    for (size_t at = sight->start[i]; at < sight->start[i + 1]; at++) {
      if (selected[at]) grz_mesh_insert_constraint(mesh, sight->vertex[i], sight->vertex[sight->visible[at]], 0);
    }
  }
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (mesh_is_internal(mesh, e) && mesh->dart[e].constraint < 0) grz_mesh_remove_edge(mesh, e);
  }
}

/* Computes the fewest pieces from the triangulation of a simple polygon. False: out of memory. */
static bool split_fewest(grz_split *split) {
  fewest_work work = {.split = split};
  if (!visibility_build(split, &work.sight)) return false;
  const size_t pairs = work.sight.start[work.sight.count], count = (size_t)work.sight.count;
  const size_t pair_size = sizeof(fewest_chain) + sizeof(int32_t) + 1;
  const size_t count_size = sizeof(fewest_corner) + sizeof(size_t);
  unsigned char *memory = NULL;
  if (pairs + count <= SIZE_MAX / (pair_size + count_size))
    memory = grz_allocate(&split->allocator, pairs * pair_size + count * count_size, 1);
  if (memory != NULL) {
    work.chain = (fewest_chain *)(void *)memory;
    work.corner = (fewest_corner *)(void *)(work.chain + pairs);
    work.closing = (size_t *)(work.corner + count);
    work.fewest = (int32_t *)(work.closing + count);
    fewest_solve(&work, (bool *)(work.fewest + pairs));
  }
  grz_release(&split->allocator, memory);
  visibility_release(split, &work.sight);
  return memory != NULL;
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
  if (!split_fewest(split)) return GRAZE_OUT_OF_MEMORY;
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
  if (status == GRAZE_UNSUPPORTED)
    return grz_error_rule(status, "splitting", GRAZE_SPLIT_FEWEST,
                          "must not be GRAZE_SPLIT_FEWEST for holes or a ring that touches itself");
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
