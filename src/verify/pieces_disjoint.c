/* Convex pieces side by side: two of them lie on either side of a line along an edge of one of them. */
#include "verify/pieces.h"

#include "exact/predicates.h"

static size_t apart_size(const grz_pieces *w, size_t piece) {
  return w->made->piece_start[piece + 1] - w->made->piece_start[piece];
}

/* Edge k of a piece, counted around it. */
static const pieces_edge *apart_edge(const grz_pieces *w, size_t piece, size_t k) {
  return &w->edges[w->made->piece_start[piece] + k % apart_size(w, piece)];
}

static bool apart_on_line(const pieces_edge *e, const pieces_edge *g) {
  return grz_orient2(*e->from, *e->to, *g->from) == 0 && grz_orient2(*e->from, *e->to, *g->to) == 0;
}

/* How far the edges of a piece reach on the line of its edge k. */
static void apart_reach(const grz_pieces *w, size_t piece, size_t k, const graze_vec **low, const graze_vec **high) {
  const pieces_edge *e = apart_edge(w, piece, k);
  size_t size = apart_size(w, piece), first = k, last = k;
  while (apart_on_line(e, apart_edge(w, piece, first + size - 1))) first = (first + size - 1) % size;
  while (apart_on_line(e, apart_edge(w, piece, last + 1))) last++;
  bool rising = pieces_points(e->from, e->to) < 0;
  const graze_vec *from = apart_edge(w, piece, first)->from, *to = apart_edge(w, piece, last)->to;
  *low = rising ? from : to;
  *high = rising ? to : from;
}

/* Two pieces without a seam, on either side of the line of edge k of i, and edge m of j on that line too: have they
 * more than a point in common? */
static bool apart_meet(const grz_pieces *w, size_t i, size_t k, size_t j, size_t m) {
  const graze_vec *low[2], *high[2];
  apart_reach(w, i, k, &low[0], &high[0]);
  apart_reach(w, j, m, &low[1], &high[1]);
  return pieces_points(low[pieces_points(low[0], low[1]) < 0], high[pieces_points(high[0], high[1]) > 0]) < 0;
}

/* Does piece j lie to the right of the edge, or on its line? *along: an edge of it on the line, or its size. */
static bool apart_beyond(const grz_pieces *w, const pieces_edge *e, size_t j, size_t *along) {
  size_t size = apart_size(w, j), last = size; /* the last vertex on the line */
  bool first = false;
  *along = size;
  for (size_t m = 0; m < size; m++) {
    int turn = grz_orient2(*e->from, *e->to, *apart_edge(w, j, m)->from);
    if (turn > 0) return false;
    if (turn < 0) continue;
    if (last + 1 == m) *along = last;
    first |= m == 0;
    last = m;
  }
  if (first && last + 1 == size) *along = last;
  return true;
}

/* Is there such a line along an edge of i? *meet: on it they have more than a point in common. */
static bool apart_by_edge(const grz_pieces *w, size_t i, size_t j, bool *meet) {
  for (size_t k = 0; k < apart_size(w, i); k++) {
    size_t along;
    if (!apart_beyond(w, apart_edge(w, i, k), j, &along)) continue;
    *meet = along < apart_size(w, j) && apart_meet(w, i, k, j, along);
    return true;
  }
  return false;
}

/* From a seam between two pieces on along its line, forwards on i and backwards on j: as long as both have edges there,
 * these are internal_edges too. */
static bool apart_follow(const grz_pieces *w, size_t i, size_t k, size_t j, size_t m, bool forwards) {
  const pieces_edge *seam = apart_edge(w, i, k);
  for (;;) {
    k += forwards ? 1 : apart_size(w, i) - 1;
    m += forwards ? apart_size(w, j) - 1 : 1;
    const pieces_edge *e = apart_edge(w, i, k), *g = apart_edge(w, j, m);
    if (!apart_on_line(seam, e) || !apart_on_line(seam, g)) return true;
    if (e->other == PIECES_NONE || &w->edges[e->other] != g) return false;
  }
}

/* A seam of both is such a line: each piece lies to the left of its own edge. *fit: they have no more in common than
 * internal_edges. */
static bool apart_by_seam(const grz_pieces *w, size_t i, size_t j, bool *fit) {
  for (size_t k = 0; k < apart_size(w, i); k++) {
    uint32_t other = apart_edge(w, i, k)->other;
    if (other == PIECES_NONE || w->edges[other].piece != (int32_t)j) continue;
    size_t m = other - w->made->piece_start[j];
    *fit = apart_follow(w, i, k, j, m, true) && apart_follow(w, i, k, j, m, false);
    return true;
  }
  return false;
}

static bool apart_two(const grz_pieces *w, size_t i, size_t j) {
  size_t small = apart_size(w, i) <= apart_size(w, j) ? i : j, large = small == i ? j : i;
  bool fit, meet;
  if (apart_by_seam(w, small, large, &fit)) return fit;
  return (apart_by_edge(w, small, large, &meet) || apart_by_edge(w, large, small, &meet)) && !meet;
}

/* ---- All pairs whose bounds meet, from left to right. */

static pieces_bounds apart_bounds(const grz_pieces *w, size_t piece) {
  const graze_vec *v = w->made->vertices + w->made->piece_start[piece];
  pieces_bounds b = {v[0].x, v[0].x, v[0].y, v[0].y};
  for (size_t k = 1; k < apart_size(w, piece); k++) {
    if (v[k].x < b.left) b.left = v[k].x;
    if (v[k].x > b.right) b.right = v[k].x;
    if (v[k].y < b.low) b.low = v[k].y;
    if (v[k].y > b.high) b.high = v[k].y;
  }
  return b;
}

static int apart_by_left(const grz_pieces *w, uint32_t a, uint32_t b) {
  double left = w->bounds[a].left, other = w->bounds[b].left;
  return (left > other) - (left < other);
}

bool grz_pieces_apart(grz_pieces *w) {
  size_t count = w->made->piece_count;
  for (size_t k = 0; k < count; k++) {
    w->bounds[k] = apart_bounds(w, k);
    w->order[k] = (uint32_t)k;
  }
  grz_pieces_sort(w, count, apart_by_left);
  for (size_t k = 0; k < count; k++) {
    const pieces_bounds *b = &w->bounds[w->order[k]];
    for (size_t m = k + 1; m < count && w->bounds[w->order[m]].left <= b->right; m++) {
      const pieces_bounds *c = &w->bounds[w->order[m]];
      if (c->low <= b->high && b->low <= c->high && !apart_two(w, w->order[k], w->order[m])) return false;
    }
  }
  return true;
}
