/* The connectivity of a mesh: validation, welding of equal vertices, and the test for closed meshes.
 *
 * The faces are a chain, the sum of oriented simplices. A mesh is closed and consistently oriented if the boundary of
 * the chain is zero: opposite edges (in 2D: ends and starts) cancel. Welding maps the boundary of the chain to the
 * boundary of the welded chain. So opposite edges of equal indices are cancelled first, and only the ends of the
 * remaining edges are welded. Source: Munkres, "Elements of Algebraic Topology", 1984, chapter 1 (chains). */
#include "shape/mesh_edges.h"

#include "core/memory.h"
#include "core/vec.h"
#include "shape/shape.h"

#include <string.h>

/* ---- Validation. */

static graze_error mesh_check_indices(const graze_mesh_def *def) {
  const size_t corner_count = (size_t)def->dim * def->face_count;
  for (size_t i = 0; i < corner_count; i++) {
    if (def->faces[i] >= 0 && (size_t)def->faces[i] < def->vertex_count) continue;
    graze_error error = grz_error_rule(GRAZE_BAD_SHAPE, "faces", def->faces[i], "must be the index of a vertex");
    error.index = (ptrdiff_t)i;
    return error;
  }
  return grz_no_error();
}

graze_status grz_mesh_check_def(const graze_mesh_def *def, bool indices, graze_error *error) {
  if (def->dim != 2 && def->dim != 3) return grz_reject(error, grz_error(GRAZE_BAD_SHAPE, "dim", -1, def->dim));
  graze_error result = grz_check_vertices(def->vertices, def->vertex_count, 1, def->dim);
  if (result.status == GRAZE_OK && (def->faces == NULL || def->face_count < 1 || def->face_count > INT32_MAX))
    result = grz_error_rule(GRAZE_BAD_SHAPE, "faces", (double)def->face_count, "must be 1 to 2147483647 faces");
  if (result.status == GRAZE_OK && indices) result = mesh_check_indices(def);
  return grz_reject(error, result);
}

/* ---- Welding: a hash table with linear probing. */

/* The finalizer of splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t weld_mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* Equal vertices have equal hashes, because -0 + 0 = 0. */
static inline uint64_t weld_hash(graze_vec v) {
  const uint64_t x = real_bits(v.x + 0.0), y = real_bits(v.y + 0.0), z = real_bits(v.z + 0.0);
  return weld_mix(x + 0x9e3779b97f4a7c15u * weld_mix(y + 0x9e3779b97f4a7c15u * weld_mix(z)));
}

bool grz_mesh_weld(const graze_vec *vertices, int32_t *index, size_t count, const graze_allocator *allocator) {
  size_t capacity = 16;
  while (capacity < 2 * count) capacity *= 2;
  int32_t *table = grz_allocate(allocator, capacity, sizeof *table);
  if (table == NULL) return false;
  memset(table, 0xff, capacity * sizeof *table); /* -1: an empty slot */
  for (size_t i = 0; i < count; i++) {
    const graze_vec v = vertices[index[i]];
    size_t slot = (size_t)weld_hash(v) & (capacity - 1);
    while (table[slot] >= 0 && !vec_equal(vertices[table[slot]], v)) slot = (slot + 1) & (capacity - 1);
    if (table[slot] < 0) table[slot] = index[i];
    index[i] = table[slot];
  }
  grz_release(allocator, table);
  return true;
}

/* ---- Closed meshes in 2D. */

/* Sets *closed to whether the balances of all vertices are zero after welding. Returns false if memory is exhausted. */
static bool mesh_balance_welded(const graze_mesh_def *def, const graze_allocator *allocator, int32_t *balance,
                                bool *closed) {
  size_t open = 0;
  for (size_t v = 0; v < def->vertex_count; v++) open += balance[v] != 0;
  *closed = open == 0;
  if (*closed) return true;
  int32_t *list = grz_allocate(allocator, open, 2 * sizeof *list);
  if (list == NULL) return false;
  int32_t *welded = list + open;
  for (size_t v = 0, i = 0; v < def->vertex_count; v++) {
    if (balance[v] != 0) list[i++] = (int32_t)v;
  }
  memcpy(welded, list, open * sizeof *list);
  const bool done = grz_mesh_weld(def->vertices, welded, open, allocator);
  if (done) {
    for (size_t i = 0; i < open; i++) {
      if (welded[i] == list[i]) continue;
      balance[welded[i]] += balance[list[i]];
      balance[list[i]] = 0;
    }
    *closed = true;
    for (size_t i = 0; i < open; i++) *closed = *closed && balance[list[i]] == 0;
  }
  grz_release(allocator, list);
  return done;
}

/* The balance of a vertex is the number of faces that end there, minus the number of those that start there. It is at
 * most INT32_MAX, as the number of faces is. Returns false if memory is exhausted. */
static bool mesh_is_closed_2d(const graze_mesh_def *def, const graze_allocator *allocator, bool *closed) {
  int32_t *balance = grz_allocate(allocator, def->vertex_count, sizeof *balance);
  if (balance == NULL) return false;
  memset(balance, 0, def->vertex_count * sizeof *balance);
  for (size_t f = 0; f < def->face_count; f++) {
    balance[def->faces[2 * f]]--;
    balance[def->faces[2 * f + 1]]++;
  }
  const bool done = mesh_balance_welded(def, allocator, balance, closed);
  grz_release(allocator, balance);
  return done;
}

/* ---- Closed meshes in 3D. */

/* Lists of edges by their lesser vertex v: end[start[v]] … end[start[v + 1] - 1]. An edge from v to w is w, and an edge
 * from w to v is ~w. */
typedef struct edge_lists {
  size_t vertex_count;
  size_t *start;    /* vertex_count + 2 numbers */
  int32_t *end;     /* space for all edges */
  int32_t *balance; /* one number for each vertex; 0 between uses */
} edge_lists;

/* Fills the lists with the edges of `count` faces of 3 vertices each, or with `count` edges of 2 vertices each, by a
 * counting sort. Edges from a vertex to itself are left out. */
GRZ_TEMPLATE void edge_lists_fill(edge_lists *lists, const int32_t *faces, size_t count, const int corners) {
  size_t *start = lists->start;
  const int sides = corners == 3 ? 3 : 1;
  memset(start, 0, (lists->vertex_count + 2) * sizeof *start);
  for (size_t f = 0; f < count; f++) {
    const int32_t *corner = faces + (size_t)corners * f;
    for (int k = 0; k < sides; k++) {
      const int32_t from = corner[k], to = corner[k + 1 < corners ? k + 1 : 0];
      start[(from < to ? from : to) + 2] += from != to;
    }
  }
  /* While the lists grow, start[v + 1] is the end of list v. */
  for (size_t v = 0; v < lists->vertex_count; v++) start[v + 2] += start[v + 1];
  for (size_t f = 0; f < count; f++) {
    const int32_t *corner = faces + (size_t)corners * f;
    for (int k = 0; k < sides; k++) {
      const int32_t from = corner[k], to = corner[k + 1 < corners ? k + 1 : 0];
      if (from == to) continue;
      lists->end[start[(from < to ? from : to) + 1]++] = from < to ? to : ~from;
    }
  }
}

/* Removes pairs of opposite edges. Returns the number of remaining edges.
 *
 * The balance of an edge is the number of its occurrences in one direction minus those in the other. Each face adds at
 * most 1 to its magnitude, so it is at most INT32_MAX. */
static size_t edge_lists_cancel(edge_lists *lists) {
  int32_t *end = lists->end, *balance = lists->balance;
  size_t kept = 0, first = 0;
  for (size_t v = 0; v < lists->vertex_count; v++) {
    const size_t last = lists->start[v + 1];
    for (size_t i = first; i < last; i++) balance[end[i] < 0 ? ~end[i] : end[i]] += end[i] < 0 ? -1 : 1;
    lists->start[v] = kept;
    for (size_t i = first; i < last; i++) {
      const int32_t edge = end[i], direction = edge < 0 ? -1 : 1, w = edge < 0 ? ~edge : edge;
      if (balance[w] * direction <= 0) continue;
      balance[w] -= direction;
      end[kept++] = edge;
    }
    first = last;
  }
  lists->start[lists->vertex_count] = kept;
  return kept;
}

/* Writes the edges of the lists to `edges`, two vertices each, with welded ends. Returns false if memory is exhausted.
 */
static bool edge_lists_weld(edge_lists *lists, const graze_vec *vertices, const graze_allocator *allocator,
                            int32_t *edges) {
  const size_t count = lists->start[lists->vertex_count];
  for (size_t v = 0, i = 0; v < lists->vertex_count; v++) {
    for (; i < lists->start[v + 1]; i++) {
      const int32_t edge = lists->end[i];
      edges[2 * i] = edge < 0 ? ~edge : (int32_t)v;
      edges[2 * i + 1] = edge < 0 ? (int32_t)v : edge;
    }
  }

  /* List each end once. Its number in the list, from 1, is stored in place of its balance. */
  int32_t *number = lists->balance;
  const size_t most = 2 * count < lists->vertex_count ? 2 * count : lists->vertex_count;
  int32_t *list = grz_allocate(allocator, most, 2 * sizeof *list);
  if (list == NULL) return false;
  int32_t *welded = list + most, used = 0;
  for (size_t i = 0; i < 2 * count; i++) {
    if (number[edges[i]] > 0) continue;
    list[used] = welded[used] = edges[i];
    number[edges[i]] = ++used;
  }
  const bool done = grz_mesh_weld(vertices, welded, (size_t)used, allocator);
  if (done) {
    for (size_t i = 0; i < 2 * count; i++) edges[i] = welded[number[edges[i]] - 1];
  }
  for (int32_t i = 0; i < used; i++) number[list[i]] = 0;
  grz_release(allocator, list);
  return done;
}

/* Returns false if memory is exhausted. */
static bool mesh_is_closed_3d(const graze_mesh_def *def, const graze_allocator *allocator, bool *closed) {
  const size_t n = def->vertex_count;
  edge_lists lists = {n, grz_allocate(allocator, n + 2, sizeof(size_t)),
                      grz_allocate(allocator, def->face_count, 3 * sizeof(int32_t)),
                      grz_allocate(allocator, n, sizeof(int32_t))};
  bool done = lists.start != NULL && lists.end != NULL && lists.balance != NULL;
  if (done) {
    memset(lists.balance, 0, n * sizeof *lists.balance);
    edge_lists_fill(&lists, def->faces, def->face_count, 3);
    const size_t open = edge_lists_cancel(&lists);
    *closed = open == 0;
    if (open > 0) {
      int32_t *edges = grz_allocate(allocator, open, 2 * sizeof *edges);
      done = edges != NULL && edge_lists_weld(&lists, def->vertices, allocator, edges);
      if (done) {
        edge_lists_fill(&lists, edges, open, 2);
        *closed = edge_lists_cancel(&lists) == 0;
      }
      grz_release(allocator, edges);
    }
  }
  grz_release(allocator, lists.balance);
  grz_release(allocator, lists.end);
  grz_release(allocator, lists.start);
  return done;
}

graze_status grz_mesh_is_closed(const graze_mesh_def *def, const graze_allocator *allocator, bool *closed) {
  const bool done =
      def->dim == 2 ? mesh_is_closed_2d(def, allocator, closed) : mesh_is_closed_3d(def, allocator, closed);
  return done ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}
