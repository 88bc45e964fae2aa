/* Checks a decomposition of a polygon into convex pieces: graze_verify_pieces(). Exact predicates decide that convex
 * pieces tile a polygon with holes, and that all internal edges are listed. Proofs: docs/theory/certificates.md,
 * "Pieces". */
#include "core/memory.h"
#include "exact/exact.h"
#include "shape/shape.h"

#include <graze/build.h>

#define PIECES_NONE UINT32_MAX

/* A directed edge of a piece or a ring. The interior is to its left. */
typedef struct pieces_edge {
  const graze_vec *from, *to;
  int32_t piece;  /* -1: an edge of a ring */
  uint32_t other; /* the reverse edge of another piece, or PIECES_NONE */
} pieces_edge;

typedef struct pieces_bounds {
  double left, right, low, high;
} pieces_bounds;

typedef struct pieces_work {
  const graze_decomposition *made;
  const graze_ring *rings; /* holes */
  graze_ring outline;
  size_t hole_count;
  pieces_edge *edges;      /* the edges of pieces first; edge k begins at vertex k */
  size_t count, of_pieces; /* all edges; edges of pieces */
  pieces_bounds *bounds;   /* of the pieces */
  uint32_t *order, *spare; /* capacity: all ends of edges and all internal edges */
} pieces_work;

/* Lexicographic order: x, then y. */
static inline int compare_points(const graze_vec *p, const graze_vec *q) {
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

static inline const graze_vec *edge_low(const pieces_edge *e) {
  return compare_points(e->from, e->to) < 0 ? e->from : e->to;
}

static inline const graze_vec *edge_high(const pieces_edge *e) {
  return compare_points(e->from, e->to) < 0 ? e->to : e->from;
}

/* ---- Merge sort of order[0 … count). */

typedef int pieces_compare(const pieces_work *w, uint32_t a, uint32_t b);

static void pieces_sort(const pieces_work *w, size_t count, pieces_compare *compare) {
  uint32_t *from = w->order, *to = w->spare;
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t low = 0; low < count; low += 2 * run) {
      size_t middle = count - low > run ? low + run : count, high = count - low > 2 * run ? low + 2 * run : count;
      for (size_t i = low, j = middle, k = low; k < high; k++) {
        bool right = i == middle || (j < high && compare(w, from[j], from[i]) < 0);
        to[k] = from[right ? j++ : i++];
      }
    }
    uint32_t *swap = from;
    from = to, to = swap;
  }
  if (from == w->order) return;
  for (size_t k = 0; k < count; k++) w->order[k] = from[k];
}

/* ---- Input. */

/* In units of 2^-2148 a product is below 2^2415, and the sum of all is below 2^2447: 40 limbs. */
enum { PIECES_AREA_LIMBS = 128 };

/* The sign of the signed area. */
static int ring_orientation(graze_ring ring) {
  uint64_t limbs[PIECES_AREA_LIMBS];
  grz_arena arena = {limbs, 0, PIECES_AREA_LIMBS, false};
  grz_big sum = grz_big_zero();
  for (size_t i = 0; i < ring.count; i++) {
    graze_vec p = ring.vertices[i], q = ring.vertices[i + 1 < ring.count ? i + 1 : 0];
    grz_big left = grz_big_mul(&arena, grz_big_of(&arena, p.x), grz_big_of(&arena, q.y));
    sum = grz_big_keep(&arena, 0, grz_big_add(&arena, sum, left));
    grz_big right = grz_big_mul(&arena, grz_big_of(&arena, q.x), grz_big_of(&arena, p.y));
    sum = grz_big_keep(&arena, 0, grz_big_sub(&arena, sum, right));
  }
  return sum.sign;
}

static graze_ring pieces_ring(const pieces_work *w, size_t ring) { return ring == 0 ? w->outline : w->rings[ring - 1]; }

static graze_status rings_validate(const pieces_work *w) {
  if (w->hole_count > 0 && w->rings == NULL) return GRAZE_BAD_SHAPE;
  for (size_t r = 0; r <= w->hole_count; r++) {
    graze_ring ring = pieces_ring(w, r);
    graze_error error = grz_check_vertices(ring.vertices, ring.count, 1, 2);
    if (error.status != GRAZE_OK) return error.status;
  }
  return GRAZE_OK;
}

/* A piece has at least three vertices, is convex, counter-clockwise and not flat, and has no equal neighbours. */
static bool piece_is_convex(const graze_vec *v, size_t count) {
  bool flat;
  int turn = 0;
  if (grz_check_vertices(v, count, 3, 2).status != GRAZE_OK) return false;
  if (grz_convex_fault(v, count, &flat) >= 0) return false;
  for (size_t i = 0; i < count; i++) {
    const graze_vec *a = &v[i], *b = &v[(i + 1) % count], *c = &v[(i + 2) % count];
    if (compare_points(a, b) == 0) return false;
    if (turn == 0) turn = grz_orient2(*a, *b, *c);
  }
  return turn > 0;
}

static bool pieces_validate(const graze_decomposition *made) {
  if (made->piece_count == 0 || made->piece_count > INT32_MAX) return false;
  if (made->vertices == NULL || made->piece_start == NULL || made->piece_start[0] != 0) return false;
  if (made->internal_edge_count > 0 && made->internal_edges == NULL) return false;
  for (size_t i = 0; i < made->piece_count; i++) {
    size_t from = made->piece_start[i], to = made->piece_start[i + 1];
    if (to < from || !piece_is_convex(made->vertices + from, to - from)) return false;
  }
  return made->internal_edge_count <= made->piece_start[made->piece_count] / 2; /* each has two edges */
}

/* ---- Edges. */

/* Returns the number of edges, or 0 if an index cannot hold it. */
static size_t pieces_edge_count(const pieces_work *w) {
  const size_t most = UINT32_MAX / 4;
  size_t count = w->of_pieces;
  for (size_t r = 0; r <= w->hole_count && count <= most; r++) count += pieces_ring(w, r).count;
  return count > most ? 0 : count;
}

static void pieces_add_edges(pieces_work *w, const graze_vec *v, size_t count, bool reversed, int32_t piece) {
  for (size_t i = 0; i < count; i++) {
    const graze_vec *from = &v[i], *to = &v[i + 1 < count ? i + 1 : 0];
    if (compare_points(from, to) == 0) continue;
    w->edges[w->count++] = (pieces_edge){reversed ? to : from, reversed ? from : to, piece, PIECES_NONE};
  }
}

/* Collects the edges, outline counter-clockwise and holes clockwise. Returns false if a ring has no area. */
static bool pieces_collect_edges(pieces_work *w) {
  const graze_decomposition *made = w->made;
  w->count = 0;
  for (size_t i = 0; i < made->piece_count; i++)
    pieces_add_edges(w, made->vertices + made->piece_start[i], made->piece_start[i + 1] - made->piece_start[i], false,
                     (int32_t)i);
  for (size_t r = 0; r <= w->hole_count; r++) {
    graze_ring ring = pieces_ring(w, r);
    int orientation = ring_orientation(ring);
    if (orientation == 0) return false;
    pieces_add_edges(w, ring.vertices, ring.count, (orientation > 0) != (r == 0), -1);
  }
  return true;
}

/* ---- Internal edges: pairs of edges of pieces that are reverses of each other. */

static int compare_edges(const pieces_work *w, uint32_t a, uint32_t b) {
  const pieces_edge *e = &w->edges[a], *g = &w->edges[b];
  int low = compare_points(edge_low(e), edge_low(g));
  return low ? low : compare_points(edge_high(e), edge_high(g));
}

/* Finds these pairs and writes one edge of each to order[0 … *count). */
static bool pieces_pair_edges(pieces_work *w, size_t *count) {
  *count = 0;
  for (size_t k = 0; k < w->of_pieces; k++) w->order[k] = (uint32_t)k;
  pieces_sort(w, w->of_pieces, compare_edges);
  for (size_t k = 0; k + 1 < w->of_pieces; k++) {
    uint32_t a = w->order[k], b = w->order[k + 1];
    if (compare_edges(w, a, b) != 0) continue;
    pieces_edge *e = &w->edges[a], *g = &w->edges[b];
    if (e->other != PIECES_NONE || compare_points(e->from, g->to) != 0)
      return false; /* a third edge there, or two with the same direction */
    e->other = b, g->other = a;
    w->order[(*count)++] = a;
  }
  return true;
}

static const graze_vec *internal_edge_low(const graze_internal_edge *s) {
  return compare_points(&s->from, &s->to) < 0 ? &s->from : &s->to;
}

static const graze_vec *internal_edge_high(const graze_internal_edge *s) {
  return compare_points(&s->from, &s->to) < 0 ? &s->to : &s->from;
}

static int compare_internal_edges(const pieces_work *w, uint32_t a, uint32_t b) {
  const graze_internal_edge *s = &w->made->internal_edges[a], *t = &w->made->internal_edges[b];
  int low = compare_points(internal_edge_low(s), internal_edge_low(t));
  return low ? low : compare_points(internal_edge_high(s), internal_edge_high(t));
}

/* The listed internal edges are not validated and may contain NaN. */
static bool points_are_equal(const graze_vec *p, const graze_vec *q) {
  return p->x == q->x && p->y == q->y && p->z == q->z;
}

static bool edge_is_internal_edge(const pieces_work *w, const pieces_edge *e, const graze_internal_edge *s) {
  const pieces_edge *left = points_are_equal(e->from, &s->from) ? e : &w->edges[e->other];
  return points_are_equal(left->from, &s->from) && points_are_equal(left->to, &s->to) && left->piece == s->left &&
         w->edges[left->other].piece == s->right;
}

/* Returns whether the list contains exactly these pairs. Sorts the list and the pairs by position and compares them. */
static bool pieces_match_internal_edges(pieces_work *w) {
  size_t count = w->made->internal_edge_count, found;
  if (!pieces_pair_edges(w, &found) || found != count) return false;
  pieces_work rest = *w; /* order[0 … found) still holds the pairs */
  rest.order = w->order + found;
  for (size_t k = 0; k < count; k++) rest.order[k] = (uint32_t)k;
  pieces_sort(&rest, count, compare_internal_edges);
  for (size_t k = 0; k < count; k++)
    if (!edge_is_internal_edge(w, &w->edges[w->order[k]], &w->made->internal_edges[rest.order[k]])) return false;
  return true;
}

/* ---- Boundaries. End 2k is the start of edge k, end 2k + 1 its end. */

static const graze_vec *pieces_edge_end(const pieces_work *w, uint32_t end) {
  return end % 2 ? w->edges[end / 2].to : w->edges[end / 2].from;
}

/* Orders the ends at one point by the directions of their lines, from straight down to straight up. */
static int compare_lines(const pieces_work *w, uint32_t a, uint32_t b) {
  const graze_vec *p = pieces_edge_end(w, a), *q = pieces_edge_end(w, a ^ 1), *r = pieces_edge_end(w, b ^ 1);
  int turn = grz_orient2(*p, *q, *r);
  return (compare_points(q, p) < 0) != (compare_points(r, p) < 0) ? turn : -turn;
}

static int compare_ends(const pieces_work *w, uint32_t a, uint32_t b) {
  int point = compare_points(pieces_edge_end(w, a), pieces_edge_end(w, b));
  return point ? point : compare_lines(w, a, b);
}

/* Checks the ends at one point. On each line, edges of pieces and edges of rings have the same number of starts minus
 * ends. A vertex of a piece must be a vertex of a ring, and an end of an edge that is not internal. */
static bool ends_are_balanced(const pieces_work *w, const uint32_t *end, size_t count) {
  bool has_piece = false, has_ring = false, has_boundary = false;
  int64_t sum = 0;
  for (size_t k = 0; k < count; k++) {
    const pieces_edge *e = &w->edges[end[k] / 2];
    bool of_ring = e->piece < 0;
    if (sum != 0 && compare_lines(w, end[k - 1], end[k]) != 0) return false;
    sum += of_ring == (end[k] % 2 == 0) ? -1 : 1;
    has_ring |= of_ring, has_piece |= !of_ring;
    has_boundary |= !of_ring && e->other == PIECES_NONE;
  }
  return sum == 0 && (!has_piece || (has_ring && has_boundary));
}

static bool boundaries_are_equal(pieces_work *w) {
  size_t ends = 2 * w->count;
  for (size_t k = 0; k < ends; k++) w->order[k] = (uint32_t)k;
  pieces_sort(w, ends, compare_ends);
  for (size_t from = 0, to; from < ends; from = to) {
    const graze_vec *at = pieces_edge_end(w, w->order[from]);
    for (to = from + 1; to < ends && compare_points(at, pieces_edge_end(w, w->order[to])) == 0;) to++;
    if (!ends_are_balanced(w, w->order + from, to - from)) return false;
  }
  return true;
}

/* ---- Disjoint interiors: a line along an edge of one of two convex pieces separates them. */

static size_t piece_size(const pieces_work *w, size_t piece) {
  return w->made->piece_start[piece + 1] - w->made->piece_start[piece];
}

/* Edge k modulo the size of the piece. */
static const pieces_edge *piece_edge(const pieces_work *w, size_t piece, size_t k) {
  return &w->edges[w->made->piece_start[piece] + k % piece_size(w, piece)];
}

static bool edge_is_on_line(const pieces_edge *e, const pieces_edge *g) {
  return grz_orient2(*e->from, *e->to, *g->from) == 0 && grz_orient2(*e->from, *e->to, *g->to) == 0;
}

/* The interval that the edges of a piece cover on the line of its edge k. */
static void piece_span_on_line(const pieces_work *w, size_t piece, size_t k, const graze_vec **low,
                               const graze_vec **high) {
  const pieces_edge *e = piece_edge(w, piece, k);
  size_t size = piece_size(w, piece), first = k, last = k;
  while (edge_is_on_line(e, piece_edge(w, piece, first + size - 1))) first = (first + size - 1) % size;
  while (edge_is_on_line(e, piece_edge(w, piece, last + 1))) last++;
  bool rising = compare_points(e->from, e->to) < 0;
  const graze_vec *from = piece_edge(w, piece, first)->from, *to = piece_edge(w, piece, last)->to;
  *low = rising ? from : to;
  *high = rising ? to : from;
}

/* Two pieces without a common internal edge are on opposite sides of the line of edge k of i, and edge m of j is on it.
 * Returns whether they have more than one point in common. */
static bool pieces_share_segment(const pieces_work *w, size_t i, size_t k, size_t j, size_t m) {
  const graze_vec *low[2], *high[2];
  piece_span_on_line(w, i, k, &low[0], &high[0]);
  piece_span_on_line(w, j, m, &low[1], &high[1]);
  return compare_points(low[compare_points(low[0], low[1]) < 0], high[compare_points(high[0], high[1]) > 0]) < 0;
}

/* Returns whether piece j is to the right of the edge or on its line. *on_line receives an edge of j on the line, or
 * the size of j. */
static bool piece_is_beyond(const pieces_work *w, const pieces_edge *e, size_t j, size_t *on_line) {
  size_t size = piece_size(w, j), last = size; /* last: the last vertex on the line */
  bool first = false;
  *on_line = size;
  for (size_t m = 0; m < size; m++) {
    int turn = grz_orient2(*e->from, *e->to, *piece_edge(w, j, m)->from);
    if (turn > 0) return false;
    if (turn < 0) continue;
    if (last + 1 == m) *on_line = last;
    first |= m == 0;
    last = m;
  }
  if (first && last + 1 == size) *on_line = last;
  return true;
}

/* Finds an edge of i whose line separates i and j. *shared receives whether they have more than one common point on
 * it. */
static bool separate_by_edge(const pieces_work *w, size_t i, size_t j, bool *shared) {
  for (size_t k = 0; k < piece_size(w, i); k++) {
    size_t on_line;
    if (!piece_is_beyond(w, piece_edge(w, i, k), j, &on_line)) continue;
    *shared = on_line < piece_size(w, j) && pieces_share_segment(w, i, k, j, on_line);
    return true;
  }
  return false;
}

/* Follows the line of an internal edge, forwards on i and backwards on j. Returns false if both have edges there that
 * are not a pair. */
static bool follow_internal_edges(const pieces_work *w, size_t i, size_t k, size_t j, size_t m, bool forwards) {
  const pieces_edge *start = piece_edge(w, i, k);
  for (;;) {
    k += forwards ? 1 : piece_size(w, i) - 1;
    m += forwards ? piece_size(w, j) - 1 : 1;
    const pieces_edge *e = piece_edge(w, i, k), *g = piece_edge(w, j, m);
    if (!edge_is_on_line(start, e) || !edge_is_on_line(start, g)) return true;
    if (e->other == PIECES_NONE || &w->edges[e->other] != g) return false;
  }
}

/* The line of a common internal edge separates the pieces, because each is to the left of its own edge. *tiled receives
 * whether they have nothing in common but internal edges. */
static bool separate_by_internal_edge(const pieces_work *w, size_t i, size_t j, bool *tiled) {
  for (size_t k = 0; k < piece_size(w, i); k++) {
    uint32_t other = piece_edge(w, i, k)->other;
    if (other == PIECES_NONE || w->edges[other].piece != (int32_t)j) continue;
    size_t m = other - w->made->piece_start[j];
    *tiled = follow_internal_edges(w, i, k, j, m, true) && follow_internal_edges(w, i, k, j, m, false);
    return true;
  }
  return false;
}

static bool pieces_are_separated(const pieces_work *w, size_t i, size_t j) {
  size_t small = piece_size(w, i) <= piece_size(w, j) ? i : j, large = small == i ? j : i;
  bool tiled, shared;
  if (separate_by_internal_edge(w, small, large, &tiled)) return tiled;
  return (separate_by_edge(w, small, large, &shared) || separate_by_edge(w, large, small, &shared)) && !shared;
}

static pieces_bounds piece_bounds(const pieces_work *w, size_t piece) {
  const graze_vec *v = w->made->vertices + w->made->piece_start[piece];
  pieces_bounds b = {v[0].x, v[0].x, v[0].y, v[0].y};
  for (size_t k = 1; k < piece_size(w, piece); k++) {
    if (v[k].x < b.left) b.left = v[k].x;
    if (v[k].x > b.right) b.right = v[k].x;
    if (v[k].y < b.low) b.low = v[k].y;
    if (v[k].y > b.high) b.high = v[k].y;
  }
  return b;
}

static int compare_left(const pieces_work *w, uint32_t a, uint32_t b) {
  double left = w->bounds[a].left, other = w->bounds[b].left;
  return (left > other) - (left < other);
}

/* Sweep and prune: only pieces with overlapping bounds are compared. */
static bool pieces_are_disjoint(pieces_work *w) {
  size_t count = w->made->piece_count;
  for (size_t k = 0; k < count; k++) {
    w->bounds[k] = piece_bounds(w, k);
    w->order[k] = (uint32_t)k;
  }
  pieces_sort(w, count, compare_left);
  for (size_t k = 0; k < count; k++) {
    const pieces_bounds *b = &w->bounds[w->order[k]];
    for (size_t m = k + 1; m < count && w->bounds[w->order[m]].left <= b->right; m++) {
      const pieces_bounds *c = &w->bounds[w->order[m]];
      if (c->low <= b->high && b->low <= c->high && !pieces_are_separated(w, w->order[k], w->order[m])) return false;
    }
  }
  return true;
}

static graze_status pieces_check_all(pieces_work *w) {
  if (!pieces_collect_edges(w)) return GRAZE_NOT_SIMPLE;
  return pieces_match_internal_edges(w) && boundaries_are_equal(w) && pieces_are_disjoint(w) ? GRAZE_OK : GRAZE_REFUTED;
}

/* Allocates all arrays as one block. */
static void *pieces_allocate(pieces_work *w, const graze_allocator *allocator, size_t count) {
  size_t pieces = w->made->piece_count, capacity = 2 * count + w->made->internal_edge_count;
  size_t each = sizeof *w->edges + 4 * sizeof *w->order;
  if (count == 0 || count > SIZE_MAX / 4 / each) return NULL;
  unsigned char *at = grz_allocate(
      allocator, pieces * sizeof *w->bounds + count * sizeof *w->edges + 2 * capacity * sizeof *w->order, 1);
  if (at == NULL) return NULL;
  w->bounds = (pieces_bounds *)(void *)at;
  w->edges = (pieces_edge *)(void *)(w->bounds + pieces);
  w->order = (uint32_t *)(void *)(w->edges + count);
  w->spare = w->order + capacity;
  return at;
}

graze_status graze_verify_pieces(graze_ring outline, const graze_ring *holes, size_t hole_count,
                                 const graze_decomposition *decomposition, const graze_allocator *allocator) {
  pieces_work w = {.made = decomposition, .rings = holes, .outline = outline, .hole_count = hole_count};
  graze_status status = rings_validate(&w);
  if (status != GRAZE_OK) return status;
  if (!pieces_validate(decomposition)) return GRAZE_REFUTED;
  w.of_pieces = decomposition->piece_start[decomposition->piece_count];
  graze_allocator from = grz_allocator(allocator);
  void *memory = pieces_allocate(&w, &from, pieces_edge_count(&w));
  if (memory == NULL) return GRAZE_OUT_OF_MEMORY;
  status = pieces_check_all(&w);
  grz_release(&from, memory);
  return status;
}
