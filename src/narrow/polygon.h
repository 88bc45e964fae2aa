/* Two convex polygons in 2D: overlap test and penetration depth by the normals of all edges. Theory:
 * docs/theory/axes.md, "Outlines". */
#ifndef GRAZE_NARROW_POLYGON_H
#define GRAZE_NARROW_POLYGON_H

#include "narrow/boxes.h"
#include "narrow/obstacle.h"
#include "simd/f64x2.h"

#include <graze/graze.h>

/* The largest number of vertices. */
enum { GRZ_OUTLINE_VERTICES = 64 };

/* A convex polygon, counter-clockwise; the first corner is repeated after the last. */
typedef struct grz_outline {
  int count;                                /* corners without duplicates; a single corner has no edge */
  int32_t vertex[GRZ_OUTLINE_VERTICES + 1]; /* index of the core vertex */
  f64x2 at[GRZ_OUTLINE_VERTICES + 1];       /* x and y in world axes, without the position */
  f64x2
      normal[GRZ_OUTLINE_VERTICES + 1]; /* outward normal of the edge that begins at the corner, as long as the edge */
} grz_outline;

/* A single corner has no edge. */
static inline int grz_outline_edges(const grz_outline *outline) { return outline->count > 1 ? outline->count : 0; }

/* The farthest corner along d; the first of equals. */
static inline int grz_outline_farthest(const grz_outline *outline, f64x2 d) {
  double most = f64x2_sum(d * outline->at[0]);
  int farthest = 0;
  for (int k = 1; k < outline->count; k++) {
    const double distance = f64x2_sum(d * outline->at[k]);
    farthest = distance > most ? k : farthest;
    most = distance > most ? distance : most;
  }
  return farthest;
}

/* Computes the outline of a 2D core, rotated by `rotation`. Returns false if it has too many corners, or if they are
 * not in convex order. */
bool grz_outline_make(grz_outline *outline, const graze_placed *placed, const double *rotation);

/* The edge of A or of -B whose line is nearest to the origin. */
typedef struct grz_outline_axis {
  double least;     /* the least distance of an edge line, rounded; < 0: the origin is outside */
  graze_vec normal; /* outward, as long as the edge */
  bool of_a;
  int edge; /* index in A or B */
} grz_outline_axis;

/* Finds the edge of the CSO with the least distance. Among the edges of A, and among those of B, the last one within
 * `tie` of the least wins, and an edge of B must be nearer by `tie` than those of A, so that rounding does not choose.
 * `offset`: p_a - p_b. Returns false if no edge exists, or if lengths underflow. */
bool grz_outline_lowest(const grz_outline *a, const grz_outline *b, graze_vec offset, double tie,
                        grz_outline_axis *lowest);

/* Computes the depth of overlapping cores. Returns false for other shapes, or if the witness points are
 * inconsistent. */
bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out);

/* Tests the cores and computes their depth. `point` receives a triangle of the CSO that surely contains the origin, as
 * the proof of the overlap. Returns false also if the cores are disjoint, or if no such triangle is found. */
bool grz_polygon_overlap(const grz_obstacle *c, grz_axis_depth *out, grz_cso_point point[3]);

/* The outward unit normals of the edges of the CSO, which are the axes that grz_polygon_depth() tests, for traces.
 * Returns their number; 0 for other shapes. */
int grz_polygon_axes(const grz_obstacle *c, graze_vec axis[2 * GRZ_OUTLINE_VERTICES]);

#endif
