/* Two boxes (boxes.c) and two convex polygons (polygon.c): searches that use their axes and edges. Theory:
 * docs/theory/axes.md. */
#ifndef GRAZE_NARROW_AXES_H
#define GRAZE_NARROW_AXES_H

#include "narrow/search.h"

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

/* ---- The relation of two boxes */

typedef struct grz_box_relation {
  graze_relation relation; /* undecided near touching, and of rounded boxes whose cores have a distance below r */
  graze_vec direction;     /* of separated boxes: unit, separates them */
  int axes;                /* number of axes tested */
} grz_box_relation;

/* Tests the axes of two boxes that do not move. Without an axis that separates, all axes together prove an overlap. */
grz_box_relation grz_box_relation_test(const graze_placed *a, const graze_placed *b, double clearance);

/* ---- Two convex polygons in 2D: overlap test and penetration depth by the normals of all edges */

/* The largest number of vertices. */
enum { GRZ_OUTLINE_VERTICES = 64 };

/* Computes the depth of overlapping cores. Returns false for other shapes, or if the witness points are
 * inconsistent. */
bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out);

/* The same for boxes, triangles and polygons whose relation is not known: returns false, too, unless they certainly
 * overlap. */
bool grz_polygon_overlap(const grz_obstacle *c, grz_axis_depth *out);

/* The outward unit normals of the edges of the CSO, which are the axes that grz_polygon_depth() tests, for traces.
 * Returns their number; 0 for other shapes. */
int grz_polygon_axes(const grz_obstacle *c, graze_vec axis[2 * GRZ_OUTLINE_VERTICES]);

/* ---- The nearest point of the CSO of two separated polygons in 2D, by a walk on its boundary (boundary_walk.c) */

/* True if grz_boundary_walk() applies: the vertices of both cores are in convex order. */
bool grz_boundary_walk_applies(const grz_obstacle *obstacle);

/* Continues after the first step of GJK, whose direction separates. Returns true if the simplex of `gjk` is the nearest
 * vertex or edge, as the support point along its normal verifies. Otherwise `gjk` is unchanged. */
bool grz_boundary_walk(const grz_obstacle *obstacle, const grz_goal *goal, grz_gjk *gjk);

#endif
