/* Graze: making shapes. Convex hulls, smallest boxes, judging and decomposing polygons.
 *
 * Every decision is exact: which points are extreme, which faces are coplanar, where an outline crosses itself. Input
 * coordinates are finite, up to GRAZE_LARGEST in magnitude, and never moved; results name the caller's own points.
 *
 * What is made here owns memory. It comes from an allocator (NULL: malloc() and free()), which is copied and must
 * remain usable until the result is destroyed. When an allocation fails, a function returns GRAZE_OUT_OF_MEMORY,
 * nothing is leaked, and the result stays as it was. `error` may be NULL everywhere. In 2D all z are 0.
 */
#ifndef GRAZE_BUILD_H
#define GRAZE_BUILD_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup hulls Convex hulls
 * @{ */

/** The convex hull of a set of points. Read everything but `memory` and `allocator`. */
typedef struct graze_hull {
  int dim;        /**< of the points: 2 or 3 */
  int affine_dim; /**< 0: one point, 1: a segment, 2: a polygon, 3: a solid */
  /** The extreme points, each once, unrounded. A polygon: in order around it, in 2D counter-clockwise from the one with
   * the least x (then y). Otherwise in the order of the input. */
  const graze_vec *vertices;
  size_t vertex_count;
  const size_t *indices; /**< where each vertex stands in the input: the first of equal points */
  /** The faces of a solid, coplanar ones merged; a polygon in 3D has two, one for either side; otherwise none. Face f
   * has the vertices face_vertices[face_start[f]] … face_vertices[face_start[f + 1] - 1], counter-clockwise from
   * outside. */
  const int32_t *face_start, *face_vertices;
  size_t face_count;
  graze_adjacency adjacency; /**< which vertices are joined by an edge of the hull */
  double area;               /**< of a polygon; the surface of a solid; otherwise 0. Within 1e-12, relatively,
                                  and half a step among the subnormals */
  double volume;             /**< of a solid; otherwise 0. As near */
  graze_allocator allocator;
  void *memory;
} graze_hull;

/** Makes the convex hull of `count` >= 1 points (at most INT32_MAX), in O(n log n) steps expected. Flat, collinear and
 * repeated points give a lower affine_dim, no error. The same points in the same order give the same bits.
 * GRAZE_BAD_NUMBER: a coordinate is NaN, infinite or too large; GRAZE_DIM_MISMATCH: z is not 0 in 2D; GRAZE_BAD_SHAPE:
 * no points, too many, a dim that is neither 2 nor 3, or a hull with more than INT32_MAX sides of edges (error->value
 * says how many); GRAZE_OUT_OF_MEMORY. error->index is the point, or -1.
 * Source: 2D: Andrew 1979 (monotone chain). 3D: Clarkson, Shor 1989 (conflict lists), in an order after Amenta, Choi,
 * Rote 2003, with exact predicates. */
GRAZE_API graze_status graze_hull_create(const graze_vec *points, size_t count, int dim,
                                         const graze_allocator *allocator, graze_hull *hull, graze_error *error);

/** Gives the memory back and zeroes *hull. A zeroed hull may be destroyed too. */
GRAZE_API void graze_hull_destroy(graze_hull *hull);

/** The hull as a shape, with its edges: see graze_adjacency. It points into `hull`, which must outlive it. */
GRAZE_API graze_shape graze_hull_shape(const graze_hull *hull);
/** @} */

/** @defgroup boxes Smallest boxes
 * @{ */

typedef enum graze_effort {
  GRAZE_FAST = 1, /**< 3D: a good box, from a few directions and a local search */
  GRAZE_BEST /**< 3D: the smallest of all, but for rounding; of hulls of more than some 600 vertices the smallest that a
                  bounded search finds, never larger than FAST's */
} graze_effort;

/** A box around points: `box` placed at `pose` contains every one of them, exactly. */
typedef struct graze_fitted_box {
  graze_shape box;
  graze_pose pose;
  double measure; /**< its area (2D) or volume (3D), rounded */
} graze_fitted_box;

/** Fits a small box around `count` >= 1 points. 2D: the smallest rectangle; its area is within 1e-12 of the minimum,
 * relatively, plus what rounding its centre and its rotation to doubles costs for outlines that are very thin or far
 * from the origin (docs/theory/boxes.md). `effort` matters in 3D only. Status as graze_hull_create(); GRAZE_BAD_OPTION
 * for an unknown effort. Where a turned box would need numbers beyond GRAZE_LARGEST, it is the one along the axes.
 * Source: 2D: Toussaint 1983 (rotating calipers). 3D: Larsson, Källberg 2011 (DiTO); O'Rourke 1985 (two faces of the
 * smallest box lie flush with edges). */
GRAZE_API graze_status graze_fit_box(const graze_vec *points, size_t count, int dim, graze_effort effort,
                                     const graze_allocator *allocator, graze_fitted_box *fitted, graze_error *error);
/** @} */

/** @defgroup polygons Polygons: judging and decomposing
 * @{ */

typedef enum graze_winding { GRAZE_WINDING_NONE = 0, GRAZE_WINDING_CCW, GRAZE_WINDING_CW } graze_winding;

GRAZE_API const char *graze_winding_text(graze_winding winding);

/** What may be wrong with an outline. Edge i runs from vertex i to the next one. */
typedef enum graze_outline_error_kind {
  GRAZE_OUTLINE_FEW_POINTS = 1,     /**< fewer than 3 distinct points; index 0 */
  GRAZE_OUTLINE_ZERO_AREA,          /**< the signed area is 0; decompose: or the holes take all of the outline (ring 0);
                                        index 0 */
  GRAZE_OUTLINE_REPEATED_NEIGHBOUR, /**< vertex `index` equals `other`, the one before it (the last before the first) */
  GRAZE_OUTLINE_REPEATED_POINT,     /**< vertex `index` equals vertex `other` < index, the first there, and not the one
                                      before it */
  GRAZE_OUTLINE_EDGES_TOUCH, /**< edges `index` < `other` share points, but neither crosses the other in an inner point
                               of both */
  GRAZE_OUTLINE_EDGES_CROSS, /**< edges `index` < `other` cross in an inner point of both */
  GRAZE_OUTLINE_HOLE_OUTSIDE /**< decompose: hole `ring` cuts out what is not there: it lies outside the outline, in
                               another hole, or around what they leave out. Its edge `index` lies beside such points,
                               and other_ring, other are the same; where none of its edges does, index is 0 and
                               other_ring, other an edge of another ring that does */
} graze_outline_error_kind;

/** As in the text form of answers: "edges_cross", "repeated_consecutive_point" …; never NULL. */
GRAZE_API const char *graze_outline_error_text(graze_outline_error_kind kind);

typedef struct graze_outline_error {
  graze_outline_error_kind kind;
  size_t ring, index;       /**< ring 0 is the outline, 1 the first hole … */
  size_t other_ring, other; /**< the other vertex or edge, where there are two */
} graze_outline_error;

/** What is to be known about an outline. */
typedef struct graze_outline {
  bool convex;                      /**< as graze_check() judges a polygon; false where all points are collinear */
  bool simple;                      /**< no errors */
  graze_winding winding;            /**< by the sign of the signed area */
  double area;                      /**< its absolute value, rounded to nearest */
  const graze_outline_error *errors; /**< all of them, by kind, index, other */
  size_t error_count;
  graze_allocator allocator;
  void *memory;
} graze_outline;

/** Judges an outline, exactly: convexity, winding, area, and every flaw. Status as graze_hull_create() with dim 2;
 * GRAZE_BAD_SHAPE for no vertices. An outline with errors is GRAZE_OK: it has been judged.
 * Takes O(n log n) steps plus the number of pairs of edges whose bounds meet. */
GRAZE_API graze_status graze_validate_outline(const graze_vec *vertices, size_t count, const graze_allocator *allocator,
                                              graze_outline *outline, graze_error *error);
GRAZE_API void graze_outline_destroy(graze_outline *outline);

/** A closed chain of vertices, either winding. */
typedef struct graze_ring {
  const graze_vec *vertices;
  size_t count;
} graze_ring;

typedef enum graze_splitting {
  GRAZE_SPLIT_AUTO = 0, /**< FEWEST up to 100 vertices without holes, FEW beyond */
  GRAZE_SPLIT_FEW,      /**< without holes at most 4 times as many pieces as needed (Hertel, Mehlhorn 1983) */
  /** As few as can be without new vertices (Keil 1985; Keil, Snoeyink 2002); no holes. O(n·p) steps for p pairs of
   * vertices that see each other: O(n³) where most do, as in a star, which takes seconds at 1000 vertices and most of a
   * minute at 2000, thousands of times as long as FEW. */
  GRAZE_SPLIT_FEWEST
} graze_splitting;

/** An inner edge of a decomposition: the pieces on both sides of it, and its ends. */
typedef struct graze_internal_edge {
  int32_t left, right; /**< pieces; `left` lies left of from -> to */
  graze_vec from, to;
} graze_internal_edge;

/** A polygon in convex pieces. */
typedef struct graze_decomposition {
  /** Piece i is vertices[piece_start[i]] … vertices[piece_start[i + 1] - 1], counter-clockwise, convex; corners of 180
   * degrees may occur. */
  const graze_vec *vertices;
  const size_t *piece_start;
  size_t piece_count;
  const graze_internal_edge *internal_edges;
  size_t internal_edge_count;
  size_t fewest; /**< no decomposition without new vertices has fewer pieces than this */
  double area;   /**< rounded to nearest */
  graze_allocator allocator;
  void *memory;
} graze_decomposition;

/** Splits a polygon with holes into convex pieces that tile it exactly: no new vertices, no overlap, no gap. Rings may
 * wind either way; repeated neighbours are left out, and rings may touch themselves and each other as long as no edges
 * cross and every point is inside once or not at all. GRAZE_NOT_SIMPLE: *flaw (may be NULL) says why and where
 * (of several errors one of the kind that comes first, but edges that cross before a ring without area, unless that lies
 * on one line);
 * error->index is the vertex. Whatever is wrong, error->what is "vertices" for the outline and "holes" for a hole,
 * error->value the number of the ring, from 1 for the first hole. GRAZE_UNSUPPORTED for FEWEST with holes or rings that
 * touch themselves, GRAZE_BAD_OPTION for an unknown splitting: error->what is "splitting". Otherwise as
 * graze_validate_outline().
 * Source: constrained Delaunay triangulation (Lawson 1977; Sloan 1993) and Hertel, Mehlhorn 1983. */
GRAZE_API graze_status graze_decompose(graze_ring outline, const graze_ring *holes, size_t hole_count,
                                       graze_splitting splitting, const graze_allocator *allocator,
                                       graze_decomposition *decomposition, graze_outline_error *flaw,
                                       graze_error *error);
GRAZE_API void graze_decomposition_destroy(graze_decomposition *decomposition);

/** Checks, exactly and without any solver, that the pieces tile the polygon, and that `internal_edges` are all the
 * edges that two pieces share. GRAZE_OK; GRAZE_REFUTED: they do not, or they have a vertex that no ring has, or one
 * inside the polygon; GRAZE_NOT_SIMPLE: a ring has no area. Rings that wind about points more than once have no pieces;
 * edges that run to and fro, as bridges do, bound nothing, and where they lie is not looked at. `fewest` and `area` are
 * not read. GRAZE_OUT_OF_MEMORY, or more than 2^30 vertices in all; the rings: as graze_validate_outline(). `allocator`
 * is for the time of the call. Takes O(n log n) steps, plus the pairs of pieces whose x ranges meet. Why this suffices:
 * docs/theory/certificates.md. */
GRAZE_API graze_status graze_verify_pieces(graze_ring outline, const graze_ring *holes, size_t hole_count,
                                           const graze_decomposition *decomposition, const graze_allocator *allocator);

/** The pieces as one shape, a compound whose internal_edges are interior. It keeps copies: the decomposition may be
 * destroyed. GRAZE_OUT_OF_MEMORY; GRAZE_BAD_SHAPE or GRAZE_NOT_CONVEX: a piece is not convex, not counter-clockwise or
 * without area, or a seam is not an edge of `left` and, reversed, of `right`. That the pieces tile a polygon is not
 * looked at: graze_verify_pieces(). */
GRAZE_API graze_status graze_decomposition_compound(const graze_decomposition *decomposition,
                                                    const graze_allocator *allocator, graze_compound **compound);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
