/* Graze: shapes built from points. Convex hulls, smallest boxes, validation and decomposition of polygons.
 *
 * All decisions are exact: which points are extreme, which faces are coplanar, which edges cross. Input coordinates are
 * finite, at most GRAZE_LARGEST in magnitude, and never changed. In 2D all z are 0.
 *
 * Parameters of functions that allocate:
 *   allocator  NULL: malloc() and free(). It is copied, and must remain usable until the result is destroyed.
 *   error      NULL, or receives the reason of a failure. graze_verify_pieces() and graze_decomposition_compound() do
 *              not have it.
 * A function that fails leaks nothing and leaves its result unchanged. Guide: docs/guide/building.md. */
#ifndef GRAZE_BUILD_H
#define GRAZE_BUILD_H

#include <graze/graze.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup hulls Convex hulls
 * @{ */

/** The convex hull of a set of points. `memory` and `allocator` are private. */
typedef struct graze_hull {
  int dim;                   /**< of the points: 2 or 3 */
  int affine_dim;            /**< 0: one point, 1: a segment, 2: a polygon, 3: a solid */
  const graze_vec *vertices; /**< the extreme points, each once, unrounded. Order of a polygon: around its boundary (2D:
                                counter-clockwise from the least x, then y); otherwise that of the input */
  size_t vertex_count;
  const size_t *indices;        /**< the input index of each vertex; for equal points, the first index */
  const int32_t *face_start;    /**< face f has the vertices face_vertices[face_start[f]] …
                                     face_vertices[face_start[f + 1] - 1] */
  const int32_t *face_vertices; /**< counter-clockwise from outside */
  size_t face_count;            /**< a solid: its faces, with coplanar ones merged. A polygon in 3D: 2. Otherwise 0 */
  graze_adjacency adjacency;    /**< the edges of the hull */
  double area;                  /**< of a polygon, or the surface of a solid, otherwise 0; relative error 1e-12 */
  double volume;                /**< of a solid, otherwise 0; relative error 1e-12 */
  graze_allocator allocator;
  void *memory;
} graze_hull;

/** Computes the convex hull of points in O(n log n) expected steps.
 *
 * The same points in the same order give the same bits. Coplanar, collinear and equal points give a lower affine_dim,
 * not an error.
 *
 * @param points  `count` points, 1 to INT32_MAX.
 * @param dim     2 or 3.
 * @param hull    receives the result; destroy it with graze_hull_destroy().
 * @param error   receives the index of the wrong point, or -1.
 * @return GRAZE_BAD_NUMBER: a coordinate is NaN, infinite or too large. GRAZE_DIM_MISMATCH: z is not 0 in 2D.
 *         GRAZE_BAD_SHAPE: count or dim is out of range, or the hull has more than INT32_MAX half-edges.
 *         GRAZE_OUT_OF_MEMORY.
 *
 * Source: Andrew 1979 (2D, monotone chain); Clarkson, Shor 1989 (3D, conflict lists). */
GRAZE_API graze_status graze_hull_create(const graze_vec *points, size_t count, int dim,
                                         const graze_allocator *allocator, graze_hull *hull, graze_error *error);

/** Releases the memory of a hull and sets *hull to zero. A zeroed hull is allowed. */
GRAZE_API void graze_hull_destroy(graze_hull *hull);

/** Returns the hull as a shape. The shape points into `hull`, which must outlive it.
 *
 * In 2D, a hull with an area and fewer than 1024 vertices is a GRAZE_POLYGON: most queries are faster, but placing it
 * also tests its convexity. Every other hull is a GRAZE_HULL with its adjacency. */
GRAZE_API graze_shape graze_hull_shape(const graze_hull *hull);
/** @} */

/** @defgroup boxes Smallest boxes
 * @{ */

/** How long graze_fit_box() searches in 3D. */
typedef enum graze_effort {
  GRAZE_FAST = 1, /**< a good box by local search */
  GRAZE_BEST      /**< the smallest box, up to rounding, for hulls of up to about 600 vertices; for larger hulls, the
                     smallest box that a bounded search finds. Never larger than the box of GRAZE_FAST */
} graze_effort;

/** A box that, placed at `pose`, contains all given points exactly. */
typedef struct graze_fitted_box {
  graze_shape box;
  graze_pose pose;
  double measure; /**< area (2D) or volume (3D), rounded */
} graze_fitted_box;

/** Computes a small box around points.
 *
 * 2D: the smallest rectangle. Its area is within 1e-12 of the minimum, plus the cost of rounding for very thin or
 * distant outlines. If a rotated box needs numbers beyond GRAZE_LARGEST, the box is parallel to the axes.
 *
 * @param points  `count` points, 1 to INT32_MAX.
 * @param dim     2 or 3.
 * @param effort  ignored in 2D, but must be valid.
 * @param fitted  receives the box. It owns no memory.
 * @return GRAZE_BAD_OPTION: unknown effort. Otherwise as graze_hull_create().
 *
 * Accuracy: docs/theory/boxes.md. Source: Toussaint 1983 (2D, rotating calipers); Larsson, Källberg 2011 (GRAZE_FAST,
 * DiTO); O'Rourke 1985 (GRAZE_BEST). */
GRAZE_API graze_status graze_fit_box(const graze_vec *points, size_t count, int dim, graze_effort effort,
                                     const graze_allocator *allocator, graze_fitted_box *fitted, graze_error *error);
/** @} */

/** @defgroup polygons Polygons: validation and decomposition
 * @{ */

typedef enum graze_winding { GRAZE_WINDING_NONE = 0, GRAZE_WINDING_CCW, GRAZE_WINDING_CW } graze_winding;

GRAZE_API const char *graze_winding_text(graze_winding winding);

/** The kinds of errors of an outline. Edge i is from vertex i to the next vertex. */
typedef enum graze_outline_error_kind {
  GRAZE_OUTLINE_FEW_POINTS = 1,     /**< fewer than 3 distinct points; index 0 */
  GRAZE_OUTLINE_ZERO_AREA,          /**< the signed area is 0, or the holes cover the outline (ring 0); index 0 */
  GRAZE_OUTLINE_REPEATED_NEIGHBOUR, /**< vertex `index` equals the previous vertex, `other` */
  GRAZE_OUTLINE_REPEATED_POINT,     /**< vertex `index` equals an earlier vertex, `other`, that is not a neighbour */
  GRAZE_OUTLINE_EDGES_TOUCH,        /**< edges `index` < `other` have common points, but do not cross */
  GRAZE_OUTLINE_EDGES_CROSS,        /**< edges `index` < `other` cross in an inner point of both */
  GRAZE_OUTLINE_HOLE_OUTSIDE /**< graze_decompose() only: hole `ring` encloses points outside the polygon. Edge `other`
                                of `other_ring` borders such points; `index` is the same edge if it belongs to the hole,
                                otherwise 0 */
} graze_outline_error_kind;

/** Returns the name of a kind as in the text form of answers, for example "edges_cross". Never NULL. */
GRAZE_API const char *graze_outline_error_text(graze_outline_error_kind kind);

/** An error of an outline, and where it is. */
typedef struct graze_outline_error {
  graze_outline_error_kind kind;
  size_t ring, index;       /**< ring 0 is the outline, ring 1 the first hole */
  size_t other_ring, other; /**< the second vertex or edge, if there is one */
} graze_outline_error;

/** The result of a validation. `memory` and `allocator` are private. */
typedef struct graze_outline {
  bool convex;                       /**< as graze_check() tests a polygon; false if all points are collinear */
  bool simple;                       /**< no errors */
  graze_winding winding;             /**< the sign of the signed area */
  double area;                       /**< its absolute value, rounded to nearest */
  const graze_outline_error *errors; /**< all errors, sorted by kind, index, other */
  size_t error_count;
  graze_allocator allocator;
  void *memory;
} graze_outline;

/** Validates an outline: convexity, winding, area and all errors, exactly.
 *
 * Takes O(n log n) steps plus the number of pairs of edges whose bounds overlap.
 *
 * @param vertices  `count` vertices in order, 1 to INT32_MAX, clockwise or counter-clockwise.
 * @param outline   receives the result; destroy it with graze_outline_destroy().
 * @return GRAZE_OK also for an outline with errors. Otherwise as graze_hull_create() with dim 2.
 *
 * Definitions: docs/theory/polygons.md. Source: Zomorodian, Edelsbrunner 2002 (pairs of edges). */
GRAZE_API graze_status graze_validate_outline(const graze_vec *vertices, size_t count, const graze_allocator *allocator,
                                              graze_outline *outline, graze_error *error);

/** Releases the memory of a result and sets *outline to zero. */
GRAZE_API void graze_outline_destroy(graze_outline *outline);

/** A closed chain of vertices, clockwise or counter-clockwise. */
typedef struct graze_ring {
  const graze_vec *vertices;
  size_t count;
} graze_ring;

/** The method by which graze_decompose() reduces the number of pieces. No method adds vertices. */
typedef enum graze_splitting {
  GRAZE_SPLIT_AUTO = 0, /**< GRAZE_SPLIT_FEWEST for up to 100 vertices without holes, otherwise GRAZE_SPLIT_FEW */
  GRAZE_SPLIT_FEW,      /**< without holes, at most 4 times as many pieces as the fewest */
  GRAZE_SPLIT_FEWEST    /**< the fewest pieces; not for holes. Up to O(n³): seconds for a star of 1,000 vertices */
} graze_splitting;

/** An edge that two pieces of a decomposition share. */
typedef struct graze_internal_edge {
  int32_t left, right; /**< pieces; `left` is on the left of from -> to */
  graze_vec from, to;
} graze_internal_edge;

/** A polygon as convex pieces. `memory` and `allocator` are private. */
typedef struct graze_decomposition {
  const graze_vec *vertices; /**< piece i is vertices[piece_start[i]] … vertices[piece_start[i + 1] - 1]: convex,
                                  counter-clockwise, with corners of up to 180 degrees */
  const size_t *piece_start;
  size_t piece_count;
  const graze_internal_edge *internal_edges;
  size_t internal_edge_count;
  size_t fewest; /**< a lower bound of the number of pieces without new vertices; after FEWEST the number itself */
  double area;   /**< rounded to nearest */
  graze_allocator allocator;
  void *memory;
} graze_decomposition;

/** Splits a polygon with holes into convex pieces that tile it exactly, without new vertices.
 *
 * Rings may have repeated neighbours, and may touch themselves and each other. No two edges may cross. The winding
 * number of the outline minus those of the holes must be 0 or 1 at every point.
 *
 * @param holes          `hole_count` rings; NULL if there are none.
 * @param splitting      GRAZE_SPLIT_AUTO if in doubt.
 * @param decomposition  receives the pieces; destroy it with graze_decomposition_destroy().
 * @param outline_error  NULL, or receives the reason of GRAZE_NOT_SIMPLE.
 * @param error          receives the vertex in `index`. `what` is "vertices" for the outline, "splitting", or "holes":
 *                       then `value` is the number of the ring, from 1.
 * @return GRAZE_NOT_SIMPLE: the rings do not bound a polygon. GRAZE_UNSUPPORTED: FEWEST with holes or with a ring that
 *         touches itself. GRAZE_BAD_OPTION: unknown splitting. Otherwise as graze_validate_outline().
 *
 * Which of several errors is reported: docs/guide/building.md. Source: Lawson 1977, Sloan 1993 (constrained Delaunay
 * triangulation); Hertel, Mehlhorn 1983 (FEW); Keil 1985, Keil, Snoeyink 2002 (FEWEST). */
GRAZE_API graze_status graze_decompose(graze_ring outline, const graze_ring *holes, size_t hole_count,
                                       graze_splitting splitting, const graze_allocator *allocator,
                                       graze_decomposition *decomposition, graze_outline_error *outline_error,
                                       graze_error *error);

/** Releases the memory of a decomposition and sets *decomposition to zero. */
GRAZE_API void graze_decomposition_destroy(graze_decomposition *decomposition);

/** Checks that pieces tile a polygon, exactly and without any solver.
 *
 * Also checks that `internal_edges` are all the edges that two pieces share. Does not read `fewest` and `area`. Takes
 * O(n log n) steps plus the number of pairs of pieces whose x ranges overlap.
 *
 * @param outline, holes  as in graze_decompose(); at most 2^30 vertices together with those of the pieces.
 * @param allocator       for temporary memory.
 * @return GRAZE_OK: proved. GRAZE_REFUTED: the pieces do not tile the polygon, or have a vertex that is not a ring
 *         vertex or is inside the polygon. GRAZE_NOT_SIMPLE: a ring has no area. GRAZE_OUT_OF_MEMORY: also for too
 *         many vertices. Otherwise as graze_validate_outline() for the rings.
 *
 * Proof: docs/theory/certificates.md. */
GRAZE_API graze_status graze_verify_pieces(graze_ring outline, const graze_ring *holes, size_t hole_count,
                                           const graze_decomposition *decomposition, const graze_allocator *allocator);

/** Makes a compound of the pieces; their shared edges are internal edges.
 *
 * The compound has its own copies, so the decomposition may be destroyed. It is not checked that the pieces tile a
 * polygon; graze_verify_pieces() checks this.
 *
 * @param compound  receives the compound.
 * @return GRAZE_BAD_SHAPE or GRAZE_NOT_CONVEX: a piece is not convex, not counter-clockwise or without area, or an
 *         internal edge is not an edge of `left` and, reversed, of `right`. GRAZE_OUT_OF_MEMORY. */
GRAZE_API graze_status graze_decomposition_compound(const graze_decomposition *decomposition,
                                                    const graze_allocator *allocator, graze_compound **compound);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
