/* Do these convex pieces tile that polygon, and are its internal_edges all there? Borders are compared where they end,
 * pieces by lines along their edges; every decision is exact. docs/theory/certificates.md, "Pieces". */
#include "verify/pieces.h"

#include "core/memory.h"
#include "exact/big.h"
#include "exact/predicates.h"
#include "shape/check.h"

void grz_pieces_sort(const grz_pieces *w, size_t count, pieces_compare *compare) {
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

/* ---- What is given. */

/* The sign of the signed area. In units of 2^-2148 a product is below 2^2415, all of them below 2^2447: 40 limbs. */
enum { PIECES_AREA_LIMBS = 128 };

static int pieces_sense(graze_ring ring) {
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

static graze_ring pieces_ring(const grz_pieces *w, size_t ring) { return ring == 0 ? w->outline : w->rings[ring - 1]; }

static graze_status pieces_check_rings(const grz_pieces *w) {
  if (w->hole_count > 0 && w->rings == NULL) return GRAZE_BAD_SHAPE;
  for (size_t r = 0; r <= w->hole_count; r++) {
    graze_ring ring = pieces_ring(w, r);
    graze_error error = grz_check_vertices(ring.vertices, ring.count, 1, 2);
    if (error.status != GRAZE_OK) return error.status;
  }
  return GRAZE_OK;
}

/* Convex, counter-clockwise, so not flat, of at least three vertices; no two neighbours are the same. */
static bool pieces_is_piece(const graze_vec *v, size_t count) {
  bool flat;
  int turn = 0;
  if (grz_check_vertices(v, count, 3, 2).status != GRAZE_OK) return false;
  if (grz_convex_fault(v, count, &flat) >= 0) return false;
  for (size_t i = 0; i < count; i++) {
    const graze_vec *a = &v[i], *b = &v[(i + 1) % count], *c = &v[(i + 2) % count];
    if (pieces_points(a, b) == 0) return false;
    if (turn == 0) turn = grz_orient2(*a, *b, *c);
  }
  return turn > 0;
}

static bool pieces_check(const graze_decomposition *made) {
  if (made->piece_count == 0 || made->piece_count > INT32_MAX) return false;
  if (made->vertices == NULL || made->piece_start == NULL || made->piece_start[0] != 0) return false;
  if (made->internal_edge_count > 0 && made->internal_edges == NULL) return false;
  for (size_t i = 0; i < made->piece_count; i++) {
    size_t from = made->piece_start[i], to = made->piece_start[i + 1];
    if (to < from || !pieces_is_piece(made->vertices + from, to - from)) return false;
  }
  return made->internal_edge_count <= made->piece_start[made->piece_count] / 2; /* two edges each */
}

/* ---- Edges. */

/* How many there are; 0: more than can be numbered. */
static size_t pieces_count(const grz_pieces *w) {
  const size_t most = UINT32_MAX / 4;
  size_t count = w->of_pieces;
  for (size_t r = 0; r <= w->hole_count && count <= most; r++) count += pieces_ring(w, r).count;
  return count > most ? 0 : count;
}

static void pieces_add_ring(grz_pieces *w, const graze_vec *v, size_t count, bool reversed, int32_t piece) {
  for (size_t i = 0; i < count; i++) {
    const graze_vec *from = &v[i], *to = &v[i + 1 < count ? i + 1 : 0];
    if (pieces_points(from, to) == 0) continue;
    w->edges[w->count++] = (pieces_edge){reversed ? to : from, reversed ? from : to, piece, PIECES_NONE};
  }
}

/* The outline counter-clockwise, holes clockwise. False: a ring is neither. */
static bool pieces_collect(grz_pieces *w) {
  const graze_decomposition *made = w->made;
  w->count = 0;
  for (size_t i = 0; i < made->piece_count; i++)
    pieces_add_ring(w, made->vertices + made->piece_start[i], made->piece_start[i + 1] - made->piece_start[i], false,
                    (int32_t)i);
  for (size_t r = 0; r <= w->hole_count; r++) {
    graze_ring ring = pieces_ring(w, r);
    int sense = pieces_sense(ring);
    if (sense == 0) return false;
    pieces_add_ring(w, ring.vertices, ring.count, (sense > 0) != (r == 0), -1);
  }
  return true;
}

/* ---- Seams. */

static int pieces_by_place(const grz_pieces *w, uint32_t a, uint32_t b) {
  const pieces_edge *e = &w->edges[a], *g = &w->edges[b];
  int low = pieces_points(pieces_low(e), pieces_low(g));
  return low ? low : pieces_points(pieces_high(e), pieces_high(g));
}

/* Finds the edges that are reverses of one another, and leaves one of each two, in order[0 … *count). */
static bool pieces_pair(grz_pieces *w, size_t *count) {
  *count = 0;
  for (size_t k = 0; k < w->of_pieces; k++) w->order[k] = (uint32_t)k;
  grz_pieces_sort(w, w->of_pieces, pieces_by_place);
  for (size_t k = 0; k + 1 < w->of_pieces; k++) {
    uint32_t a = w->order[k], b = w->order[k + 1];
    if (pieces_by_place(w, a, b) != 0) continue;
    pieces_edge *e = &w->edges[a], *g = &w->edges[b];
    if (e->other != PIECES_NONE || pieces_points(e->from, g->to) != 0) return false; /* a third, or the same twice */
    e->other = b, g->other = a;
    w->order[(*count)++] = a;
  }
  return true;
}

static const graze_vec *pieces_seam_low(const graze_internal_edge *s) {
  return pieces_points(&s->from, &s->to) < 0 ? &s->from : &s->to;
}

static const graze_vec *pieces_seam_high(const graze_internal_edge *s) {
  return pieces_points(&s->from, &s->to) < 0 ? &s->to : &s->from;
}

static int pieces_by_seam(const grz_pieces *w, uint32_t a, uint32_t b) {
  const graze_internal_edge *s = &w->made->internal_edges[a], *t = &w->made->internal_edges[b];
  int low = pieces_points(pieces_seam_low(s), pieces_seam_low(t));
  return low ? low : pieces_points(pieces_seam_high(s), pieces_seam_high(t));
}

/* Seams may hold anything, NaN too. */
static bool pieces_same(const graze_vec *p, const graze_vec *q) { return p->x == q->x && p->y == q->y && p->z == q->z; }

static bool pieces_is_seam(const grz_pieces *w, const pieces_edge *e, const graze_internal_edge *s) {
  const pieces_edge *left = pieces_same(e->from, &s->from) ? e : &w->edges[e->other];
  return pieces_same(left->from, &s->from) && pieces_same(left->to, &s->to) && left->piece == s->left &&
         w->edges[left->other].piece == s->right;
}

/* Are the internal_edges those pairs of edges, each once? Both sorted by place, one beside the other. */
static bool pieces_match_seams(grz_pieces *w) {
  size_t count = w->made->internal_edge_count, found;
  if (!pieces_pair(w, &found) || found != count) return false;
  grz_pieces rest = *w; /* the internal_edges are sorted behind the pairs */
  rest.order = w->order + found;
  for (size_t k = 0; k < count; k++) rest.order[k] = (uint32_t)k;
  grz_pieces_sort(&rest, count, pieces_by_seam);
  for (size_t k = 0; k < count; k++)
    if (!pieces_is_seam(w, &w->edges[w->order[k]], &w->made->internal_edges[rest.order[k]])) return false;
  return true;
}

/* ---- Borders. End 2k is where edge k begins, 2k + 1 where it ends. */

static const graze_vec *pieces_end(const grz_pieces *w, uint32_t end) {
  return end % 2 ? w->edges[end / 2].to : w->edges[end / 2].from;
}

/* Of edges at one point: in the order of the directions of their lines, from straight down to straight up. */
static int pieces_by_line(const grz_pieces *w, uint32_t a, uint32_t b) {
  const graze_vec *p = pieces_end(w, a), *q = pieces_end(w, a ^ 1), *r = pieces_end(w, b ^ 1);
  int turn = grz_orient2(*p, *q, *r);
  return (pieces_points(q, p) < 0) != (pieces_points(r, p) < 0) ? turn : -turn;
}

static int pieces_by_end(const grz_pieces *w, uint32_t a, uint32_t b) {
  int point = pieces_points(pieces_end(w, a), pieces_end(w, b));
  return point ? point : pieces_by_line(w, a, b);
}

/* The ends at one point: along each line, as many edges of pieces leave it as of rings, less those that arrive. A
 * corner of a piece is one of a ring, and ends an edge that is no seam. */
static bool pieces_balance(const grz_pieces *w, const uint32_t *end, size_t count) {
  bool piece = false, ring = false, rim = false;
  int64_t sum = 0;
  for (size_t k = 0; k < count; k++) {
    const pieces_edge *e = &w->edges[end[k] / 2];
    bool of_ring = e->piece < 0;
    if (sum != 0 && pieces_by_line(w, end[k - 1], end[k]) != 0) return false;
    sum += of_ring == (end[k] % 2 == 0) ? -1 : 1;
    ring |= of_ring, piece |= !of_ring;
    rim |= !of_ring && e->other == PIECES_NONE;
  }
  return sum == 0 && (!piece || (ring && rim));
}

static bool pieces_same_border(grz_pieces *w) {
  size_t ends = 2 * w->count;
  for (size_t k = 0; k < ends; k++) w->order[k] = (uint32_t)k;
  grz_pieces_sort(w, ends, pieces_by_end);
  for (size_t from = 0, to; from < ends; from = to) {
    const graze_vec *at = pieces_end(w, w->order[from]);
    for (to = from + 1; to < ends && pieces_points(at, pieces_end(w, w->order[to])) == 0;) to++;
    if (!pieces_balance(w, w->order + from, to - from)) return false;
  }
  return true;
}

static graze_status pieces_judge(grz_pieces *w) {
  if (!pieces_collect(w)) return GRAZE_NOT_SIMPLE;
  return pieces_match_seams(w) && pieces_same_border(w) && grz_pieces_apart(w) ? GRAZE_OK : GRAZE_REFUTED;
}

/* One block. */
static void *pieces_allocate(grz_pieces *w, const graze_allocator *allocator, size_t count) {
  size_t pieces = w->made->piece_count, room = 2 * count + w->made->internal_edge_count;
  size_t each = sizeof *w->edges + 4 * sizeof *w->order;
  if (count == 0 || count > SIZE_MAX / 4 / each) return NULL;
  unsigned char *at =
      grz_allocate(allocator, pieces * sizeof *w->bounds + count * sizeof *w->edges + 2 * room * sizeof *w->order, 1);
  if (at == NULL) return NULL;
  w->bounds = (pieces_bounds *)(void *)at;
  w->edges = (pieces_edge *)(void *)(w->bounds + pieces);
  w->order = (uint32_t *)(void *)(w->edges + count);
  w->spare = w->order + room;
  return at;
}

graze_status graze_verify_pieces(graze_ring outline, const graze_ring *holes, size_t hole_count,
                                 const graze_decomposition *decomposition, const graze_allocator *allocator) {
  grz_pieces w = {.made = decomposition, .rings = holes, .outline = outline, .hole_count = hole_count};
  graze_status status = pieces_check_rings(&w);
  if (status != GRAZE_OK) return status;
  if (!pieces_check(decomposition)) return GRAZE_REFUTED;
  w.of_pieces = decomposition->piece_start[decomposition->piece_count];
  graze_allocator from = grz_allocator(allocator);
  void *memory = pieces_allocate(&w, &from, pieces_count(&w));
  if (memory == NULL) return GRAZE_OUT_OF_MEMORY;
  status = pieces_judge(&w);
  grz_release(&from, memory);
  return status;
}
