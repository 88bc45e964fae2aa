/* The fewest pieces, by dynamic programming over diagonals. docs/theory/decompose.md, "Fewest". */
#include "core/memory.h"
#include "geometry/decompose_visibility.h"

/* For i < j that see each other: fewest[at] pieces on the side of the vertices between them, `at` where j stands among
 * those that i sees.
 *
 * For one i at a time: convex chains from i over greater vertices, by their last edge k -> l. chain[at] of that edge is
 * the best: the fewest pieces beyond all its edges, among those the greatest first vertex. */
typedef struct fewest_chain {
  int32_t pieces; /* -1: no chain */
  int32_t first;
  size_t before; /* the edge before the last one */
} fewest_chain;

/* For one i, what vertex k knows of the chains that come to it. Those which turn left toward l are the first ones of
 * the vertices that k sees, more of them the greater l is. */
typedef struct fewest_corner {
  size_t low;  /* where, among those that k sees, the vertices from i on begin */
  size_t next; /* the first one that does not turn left toward the l of the time */
  size_t best; /* of those before that; fewest_none: no chain */
} fewest_corner;

typedef struct fewest_work {
  grz_split *split;
  split_sight sight;
  int32_t *fewest;
  fewest_chain *chain;
  fewest_corner *corner;
  size_t *closing; /* the last edge of the best chain from i to j, by j */
} fewest_work;

static const size_t fewest_none = SIZE_MAX;

static int fewest_turn(const fewest_work *work, int32_t i, int32_t j, int32_t k) {
  const int32_t *vertex = work->sight.vertex;
  return grz_mesh_turn(&work->split->mesh, vertex[i], vertex[j], vertex[k]);
}

static bool fewest_is_better(const fewest_work *work, size_t a, size_t b) {
  if (work->chain[a].pieces < 0 || b == fewest_none) return work->chain[a].pieces >= 0;
  const fewest_chain *x = &work->chain[a], *y = &work->chain[b];
  return x->pieces < y->pieces || (x->pieces == y->pieces && x->first > y->first);
}

/* Looks at the chains that come to k and turn left, or go straight on, toward l. */
static void fewest_advance(fewest_work *work, int32_t k, int32_t l) {
  const split_sight *sight = &work->sight;
  fewest_corner *corner = &work->corner[k];
  for (; sight->seen[corner->next] < k && fewest_turn(work, sight->seen[corner->next], k, l) >= 0; corner->next++) {
    size_t edge = sight->mirror[corner->next];
    if (fewest_is_better(work, edge, corner->best)) corner->best = edge;
  }
}

/* The best chain from i that ends with the edge k -> l, i < k < l, such that i -> l as the last side would leave i
 * convex. Either it goes on from the best one to k, or, where that is too wide at i, from i -> k itself. */
static fewest_chain fewest_extend(fewest_work *work, int32_t i, int32_t k, int32_t l, size_t edge) {
  const split_sight *sight = &work->sight;
  const fewest_corner *corner = &work->corner[k];
  fewest_chain none = {.pieces = -1};
  fewest_advance(work, k, l);
  size_t before = corner->best;
  if (before == fewest_none || fewest_turn(work, i, k, l) < 0) return none;
  if (fewest_turn(work, l, i, work->chain[before].first) < 0) {
    if (sight->seen[corner->low] != i) return none;
    before = sight->mirror[corner->low];
  }
  return (fewest_chain){work->chain[before].pieces + work->fewest[edge], work->chain[before].first, before};
}

/* All chains from i to l, and if i sees l, the best of them closed. */
static void fewest_reach(fewest_work *work, int32_t i, int32_t l) {
  const split_sight *sight = &work->sight;
  size_t at = work->corner[l].low, closing = fewest_none, direct = fewest_none;
  if (sight->seen[at] == i) direct = sight->mirror[at++];
  for (; sight->seen[at] < l; at++) {
    size_t edge = sight->mirror[at];
    work->chain[edge] = fewest_extend(work, i, sight->seen[at], l, edge);
    if (fewest_is_better(work, edge, closing)) closing = edge;
  }
  work->closing[l] = closing;
  if (direct == fewest_none) return;
  work->fewest[direct] = l > i + 1 ? 1 + work->chain[closing].pieces : 0;
  work->chain[direct] = (fewest_chain){work->fewest[direct], l, fewest_none};
}

/* All chains from i. Every list that is searched ends with greater vertices than its own, or with the number after
 * the last one. */
static void fewest_from(fewest_work *work, int32_t i) {
  const split_sight *sight = &work->sight;
  for (int32_t l = i + 1; l < sight->count; l++) {
    fewest_corner *corner = &work->corner[l];
    for (corner->low = sight->start[l]; sight->seen[corner->low] < i;) corner->low++;
    corner->next = corner->low;
    corner->best = fewest_none;
    fewest_reach(work, i, l);
  }
}

/* The pieces: `wanted` marks pairs by where they stand, those whose side is still to be divided. */
static void fewest_collect(fewest_work *work, bool *wanted) {
  const split_sight *sight = &work->sight;
  for (int32_t i = 0; i < sight->count; i++) {
    bool any = false;
    for (size_t at = sight->start[i]; at < sight->start[i + 1]; at++) any |= wanted[at];
    if (!any) continue;
    fewest_from(work, i);
    for (size_t at = sight->start[i + 1]; at-- > sight->start[i];) {
      if (!wanted[at]) continue;
      for (size_t edge = work->closing[sight->seen[at]]; edge != fewest_none; edge = work->chain[edge].before)
        wanted[edge] = work->fewest[edge] > 0;
    }
  }
}

/* Replaces the internal_edges of the triangulation by the wanted pairs. */
static void fewest_draw(fewest_work *work, const bool *wanted) {
  const split_sight *sight = &work->sight;
  grz_mesh *mesh = &work->split->mesh;
  for (int32_t i = 0; i < sight->count; i++) {
    for (size_t at = sight->start[i]; at < sight->start[i + 1]; at++) {
      if (wanted[at]) grz_mesh_fix(mesh, sight->vertex[i], sight->vertex[sight->seen[at]], 0);
    }
  }
  for (int32_t e = 0; e < mesh->dart_count; e += 2) {
    if (mesh_is_seam(mesh, e) && mesh->dart[e].fixed < 0) grz_mesh_remove(mesh, e);
  }
}

static void fewest_solve(fewest_work *work, bool *wanted) {
  const split_sight *sight = &work->sight;
  size_t pairs = sight->start[sight->count], whole = sight->start[1] - 1; /* the edge from the first to the last */
  for (size_t at = 0; at < pairs; at++) {
    work->chain[at].pieces = -1;
    wanted[at] = at == whole;
  }
  for (int32_t i = sight->count - 1; i-- > 0;) fewest_from(work, i);
  fewest_collect(work, wanted);
  fewest_draw(work, wanted);
}

bool grz_split_fewest(grz_split *split) {
  fewest_work work = {.split = split};
  if (!grz_split_sight(split, &work.sight)) return false;
  size_t pairs = work.sight.start[work.sight.count], count = (size_t)work.sight.count;
  const size_t pair_size = sizeof(fewest_chain) + sizeof(int32_t) + 1,
               count_size = sizeof(fewest_corner) + sizeof(size_t);
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
  grz_split_sight_release(split, &work.sight);
  return memory != NULL;
}
