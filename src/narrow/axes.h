/* The searches for two boxes (boxes.c) and for two convex polygons (polygon.c), which use their axes and edges. Theory:
 * docs/theory/axes.md, docs/theory/box-relation.md. */
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

/* Computes the depth of two overlapping box cores. offset: p_a - p_b, rounded, times `unit`. size >= bounding radii +
 * |offset|, times `unit`. Both as in grz_obstacle. high - low <= 2^-44·size. */
void grz_box_depth(const graze_placed *a, const graze_placed *b, graze_vec offset, double unit, double size,
                   grz_axis_depth *out);

/* The unit directions, from A to B, of the axes that grz_box_depth() tests, for traces. Returns their number. */
int grz_box_axes(const graze_placed *a, const graze_placed *b, graze_vec offset, graze_vec axis[15]);

/* Two boxes in the frame of A. In 2D the third extents are 0. */
typedef struct box_pair {
  double a[3], b[3]; /* half extents */
  double m[3][3];    /* m[j]: axis j of B */
  double t[3];       /* the centre of B */
} box_pair;

/* Smaller entries of the relative rotation are rounding errors. As zeros they leave no edge axis that is nearly
 * zero. */
#define BOX_NOISE 0x1p-54

static inline double box_without_noise(double x) { return real_abs(x) < BOX_NOISE ? 0 : x; }

/* offset: p_a - p_b, rounded, times `unit`. */
static inline void box_pair_make(const graze_placed *a, const graze_placed *b, graze_vec o, double unit, box_pair *p) {
  const double *r = a->hidden.rotation, *s = b->hidden.rotation;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++)
      p->m[j][i] = box_without_noise((r[i] * s[j] + r[3 + i] * s[3 + j]) + r[6 + i] * s[6 + j]);
  for (int i = 0; i < 3; i++) p->t[i] = -((r[i] * o.x + r[3 + i] * o.y) + r[6 + i] * o.z);
  p->a[0] = a->shape.as.box.half_extents.x * unit, p->a[1] = a->shape.as.box.half_extents.y * unit,
  p->a[2] = a->shape.as.box.half_extents.z * unit;
  p->b[0] = b->shape.as.box.half_extents.x * unit, p->b[1] = b->shape.as.box.half_extents.y * unit,
  p->b[2] = b->shape.as.box.half_extents.z * unit;
}

/* ---- The relation of two boxes in 3D
 *
 * Their CSO is symmetric about p_a - p_b, so every vertex has an opposite one. Three vertices and their opposites span
 * an octahedron: it contains the origin, or one of its faces gives the next direction. */
typedef struct grz_box_relation {
  graze_relation relation; /* undecided near touching, for flat boxes, and for rounded boxes whose disjoint cores are
                              nearer than r */
  graze_vec direction;     /* the last support direction; for separated boxes, it separates */
  int32_t a[3], b[3];      /* overlapping: corners of three vertices; the opposite of corner i is 7 - i */
  int supports;            /* the number of support points */
} grz_box_relation;

/* The cores must be boxes in 3D that do not move. Theory: docs/theory/box-relation.md. */
grz_box_relation grz_box_relation_test(const grz_obstacle *obstacle);

/* Fills a decided relation with its certificate. */
void grz_box_relation_fill(const grz_obstacle *obstacle, const grz_box_relation *relation, grz_result *result);

/* ---- Two convex polygons in 2D: overlap test and penetration depth by the normals of all edges */

/* The largest number of vertices. */
enum { GRZ_OUTLINE_VERTICES = 64 };

/* Computes the depth of overlapping cores. Returns false for other shapes, or if the witness points are
 * inconsistent. */
bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out);

/* Tests the cores and computes their depth. `point` receives a triangle of the CSO that surely contains the origin, as
 * the proof of the overlap. Returns false also if the cores are disjoint, or if no such triangle is found. */
bool grz_polygon_overlap(const grz_obstacle *c, grz_axis_depth *out, grz_cso_point point[3]);

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
