/* What the checks of a decomposition share. Why they suffice: docs/theory/certificates.md, "Pieces". */
#ifndef GRAZE_VERIFY_PIECES_H
#define GRAZE_VERIFY_PIECES_H

#include <graze/build.h>

#define PIECES_NONE UINT32_MAX

/* A directed edge of a piece, or of a ring with the polygon to its left. */
typedef struct pieces_edge {
  const graze_vec *from, *to;
  int32_t piece;  /* -1: of a ring */
  uint32_t other; /* the edge of another piece that is its reverse, or PIECES_NONE */
} pieces_edge;

typedef struct pieces_bounds {
  double left, right, low, high;
} pieces_bounds;

typedef struct grz_pieces {
  const graze_decomposition *made;
  const graze_ring *rings; /* holes */
  graze_ring outline;
  size_t hole_count;
  pieces_edge *edges;      /* those of the pieces first: edge k begins at vertex k */
  size_t count, of_pieces; /* edges; those of pieces */
  pieces_bounds *bounds;   /* of the pieces */
  uint32_t *order, *spare; /* room for all ends of edges, and for all internal_edges */
} grz_pieces;

/* Sorts order[0 … count) by merging. */
typedef int pieces_compare(const grz_pieces *work, uint32_t a, uint32_t b);
void grz_pieces_sort(const grz_pieces *work, size_t count, pieces_compare *compare);

/* From left to right, and from below. */
static inline int pieces_points(const graze_vec *p, const graze_vec *q) {
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->y > q->y) - (p->y < q->y);
}

static inline const graze_vec *pieces_low(const pieces_edge *e) {
  return pieces_points(e->from, e->to) < 0 ? e->from : e->to;
}

static inline const graze_vec *pieces_high(const pieces_edge *e) {
  return pieces_points(e->from, e->to) < 0 ? e->to : e->from;
}

/* Have no two pieces an inner point in common, and no two of their edges more than an end, unless one is the other's
 * reverse? */
bool grz_pieces_apart(grz_pieces *work);

#endif
