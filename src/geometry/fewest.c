/* The fewest convex pieces of a simple polygon without new vertices: dynamic programming over the diagonals between
 * vertices that see each other. Source: Keil 1985, "Decomposing a polygon into simpler components"; Keil, Snoeyink
 * 2002, "On the time bound for convex decomposition of simple polygons". Proofs: docs/theory/decompose.md, "Fewest". */
#include "core/memory.h"
#include "geometry/polygon.h"

/* ---- Visibility. */

/* The visibility graph. Vertices are numbered counter-clockwise around the polygon. Those visible from i are
 * visible[start[i]] … visible[start[i + 1] - 1], ascending. The last entry of the array is `count`, a sentinel. Two
 * vertices are visible from each other if an edge joins them. They also are if one of them is a reflex corner, and the
 * segment between them, without its ends, is strictly inside. */
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

/* ---- Dynamic programming. A pair i < j of visible vertices cuts off the part of the polygon with the vertices
 * i … j. A pair is identified by its place in the list of i. */

/* For one i: the best convex chain i … k, l with a given last edge k -> l. Best: the fewest pieces beyond its edges; of
 * those the greatest first vertex after i. */
typedef struct fewest_chain {
  int32_t pieces; /* -1: no chain */
  int32_t first;
  size_t before; /* the edge before the last one */
} fewest_chain;

/* For one i and a vertex k: the chains that end at k, in the order of their last edge. Those that turn left toward l
 * are the first ones; their number grows with l. */
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

bool grz_split_fewest(grz_split *split) {
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
