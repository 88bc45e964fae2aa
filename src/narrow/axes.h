/* Two boxes (boxes.c), two triangles (triangles.c), two cores with few faces (depth_by_axes.c) and two convex polygons
 * (polygon.c): searches that use their axes and edges. Theory:
 * docs/theory/axes.md. */
#ifndef GRAZE_NARROW_AXES_H
#define GRAZE_NARROW_AXES_H

#include "narrow/search.h"
#include "simd/isa.h"

/* ---- Depth of two boxes by separating axes (Gottschalk, Lin, Manocha 1996) */

/* In u·size: the overlap of an axis must be this much smaller than those of earlier axes, so that rounding does not
 * choose between tied axes. */
#define GRZ_AXIS_TIE 16

/* All lengths are the caller's times `unit` (narrow/obstacle.h). */
typedef struct grz_axis_depth {
  double low, high;         /* proved bounds of the depth of the cores; high: the rounded overlap plus its error */
  double best;              /* the rounded overlap itself */
  graze_vec direction;      /* unit, rounded, from A to B: the direction of least overlap */
  graze_vec core_a, core_b; /* witness points in world axes, without positions: (core_a + p_a) - (core_b + p_b) is
                             * direction times the depth, rounded */
  int axes;                 /* number of axes tested */
} grz_axis_depth;

/* Computes the depth of two overlapping box cores; high - low <= 2^-44·size. With `certain` their relation may be
 * unknown: returns false, without a result, unless they certainly overlap. */
bool grz_box_depth(const grz_obstacle *obstacle, bool certain, grz_axis_depth *out);

/* The unit directions, from A to B, of the axes that grz_box_depth() tests, for traces. Returns their number. */
int grz_box_axes(const grz_obstacle *obstacle, graze_vec axis[15]);

/* Two boxes in the frame of A. In 2D the third extents are 0. */
typedef struct box_pair {
  double a[3], b[3]; /* half extents */
  double m[3][3];    /* m[j]: axis j of B */
  double t[3];       /* the centre of B */
} box_pair;

/* offset: p_a - p_b, rounded, times `unit`. */
void grz_box_pair_make(const graze_placed *a, const graze_placed *b, graze_vec offset, double unit, box_pair *pair);

/* The same pair in the frame of B, with A and B exchanged. */
void grz_box_pair_swap(const box_pair *pair, box_pair *swapped);

/* Finds the edges of two boxes in 3D on the axis e_i × m_j with the largest gap: their vertices, bit k set on the
 * positive side of axis k. Returns false if none of these axes has a gap. */
bool grz_box_nearest_edges(const box_pair *pair, int32_t edge_a[2], int32_t edge_b[2]);

/* ---- The relation by axes */

typedef struct grz_axis_relation {
  graze_relation relation; /* undecided near touching, and of rounded shapes whose cores have a distance below r */
  graze_vec direction;     /* of separated shapes: unit, separates them */
  int axes;                /* number of axes tested */
} grz_axis_relation;

/* Tests the axes of two boxes that do not move. Without an axis that separates, all axes together prove an overlap. */
grz_axis_relation grz_box_relation(const graze_placed *a, const graze_placed *b, double clearance);

/* Tests the edge normals of two outlines in 2D that do not move and have at most 32 corners together. Undecided for
 * other shapes. */
grz_axis_relation grz_polygon_relation(const graze_placed *a, const graze_placed *b, double clearance);

/* ---- Two triangles in 3D (triangles.c) */

static inline bool grz_are_triangles(const graze_shape *a, const graze_shape *b) {
  return a->kind == GRAZE_TRIANGLE && b->kind == GRAZE_TRIANGLE && a->dim == 3;
}

/* Fills a blank answer about two triangles in 3D: the relation, its certificate and, if they touch, the numbers.
 * Returns false, with a blank answer, if they move or the relation stays open. */
bool grz_triangle_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                           grz_result *result);

/* The unit normals of two triangles, for traces. Returns their number. */
int grz_triangle_axes(const grz_obstacle *obstacle, graze_vec axis[2]);

/* ---- Depth of two cores with few faces in 3D (depth_by_axes.c) */

/* Computes the depth of two segments, triangles or boxes in 3D. Returns false for two boxes, for other shapes, if
 * the axes do not prove an overlap, and if the witness points are inconsistent. */
bool grz_depth_by_axes(const grz_obstacle *obstacle, grz_axis_depth *out);

/* ---- Two convex polygons in 2D by the normals of all edges */

/* The largest number of vertices. */
enum { GRZ_OUTLINE_VERTICES = 64 };

/* Edges with a smaller squared length, and their heights, lose significant digits. */
#define GRZ_OUTLINE_LEAST 0x1p-600

/* A convex polygon, counter-clockwise. The arrays of numbers are filled to a multiple of the SIMD width. */
typedef struct grz_outline {
  const graze_vec *corner; /* corner k is corner[first + step·k], in the local frame */
  int count, first, step;
  const double *rotation;                                  /* times `unit` */
  double least;                                            /* height; infinite without edges */
  int edge;                                                /* of least height */
  graze_vec storage[4];                                    /* corners of cores without an array of vertices */
  double x[GRZ_OUTLINE_VERTICES], y[GRZ_OUTLINE_VERTICES]; /* corners in world axes, without position */
  double normal_x[GRZ_OUTLINE_VERTICES], normal_y[GRZ_OUTLINE_VERTICES]; /* outward, of the edge that begins there, as
                                                                          * long as the edge, which may be 0 */
  double height[GRZ_OUTLINE_VERTICES]; /* of that edge line of the CSO over the origin, as height·|height|; a lower
                                        * bound if it is not near the least */
} grz_outline;

/* The relation of two outlines from the heights of all edges. */
typedef struct grz_outline_decision {
  double outside, inside; /* limits: an edge whose height is below -outside separates; the origin is inside if all
                           * heights are above `inside` */
  int separating;         /* the edge that separates, or -1 */
  bool of_a;
  unsigned edges, low_edges; /* not 0: there are edges, and edges that are not above `inside` */
} grz_outline_decision;

/* The path of the origin through the edge lines of the CSO. */
typedef struct grz_outline_path {
  double enter, leave; /* the times at which it passes the last line inward, and the first line outward; infinite if
                        * there is no such time */
  int in, out;         /* the edges of these lines, or -1 */
  int in_own, out_own; /* they are edges of: 0 A, 1 B */
} grz_outline_path;

/* Functions for one instruction set; all give the same bits. They place both outlines, and return false if an edge is
 * too short. `offset`: p_a - p_b. `heights` sets the least height of each outline, the last edge within `tie` of it,
 * and the heights of these edges; those of others are beyond `tie`. `decide` compares the heights with the limits of a
 * decision. `clip` finds the path if A moves by speed·t (Cyrus and Beck 1978). */
typedef struct grz_outline_kernels {
  bool (*heights)(grz_outline *a, grz_outline *b, graze_vec offset, double tie);
  bool (*decide)(grz_outline *a, grz_outline *b, graze_vec offset, grz_outline_decision *decision);
  bool (*clip)(grz_outline *a, grz_outline *b, graze_vec offset, graze_vec speed, grz_outline_path *path);
} grz_outline_kernels;

extern const grz_outline_kernels grz_outline_portable;
#ifdef GRZ_SIMD_X86
extern const grz_outline_kernels grz_outline_sse2, grz_outline_avx2;
#endif
#ifdef GRZ_SIMD_NEON
extern const grz_outline_kernels grz_outline_neon;
#endif

/* The fastest kernels of this machine. */
const grz_outline_kernels *grz_outline_select(void);

/* Computes the depth of overlapping cores. Returns false for other shapes, or if the witness points are
 * inconsistent. */
bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out);

/* The path of the origin through the facet planes of the CSO, in 2D its edge lines, if A moves (ccd/facets.c). Rounded:
 * a proposal. Lengths are the caller's times `unit` (narrow/obstacle.h). */
typedef struct grz_facet_path {
  graze_vec offset, speed; /* p_a - p_b at time 0, and its rate */
  /* Results: */
  double enter, leave; /* the times at which the last plane is passed inward, and the first one outward */
  graze_vec in, out;   /* the unit normals of these planes, from A to B. Without such a time: zero, or of any plane */
  double gap;          /* of the cores along `in` at time 0, within support_error of the exact gap; NaN: not known */
  int planes;
  int corners; /* the number of pairs of vertices in the entered plane that surround the path; 0: none */
  int32_t a[3], b[3];
  double weight[3];
} grz_facet_path;

/* Returns whether both are boxes, triangles or polygons in 2D with at most 32 corners together. */
bool grz_polygon_clip_applies(const graze_placed *a, const graze_placed *b);

/* Fills the results of the path; the corners if it enters within [0, end]. `gap` is within 53u·size, NaN for a miss.
 * Returns false if the corners of a core lie on one line, if an edge is too short, and if no line is passed inward
 * although it is no miss. Precondition: it applies. */
bool grz_polygon_clip(const grz_obstacle *obstacle, double end, grz_facet_path *path);

/* The outward unit normals of the edges of the CSO, which are the axes that grz_polygon_depth() tests, for traces.
 * Returns their number; 0 for other shapes. */
int grz_polygon_axes(const grz_obstacle *c, graze_vec axis[2 * GRZ_OUTLINE_VERTICES]);

#endif
