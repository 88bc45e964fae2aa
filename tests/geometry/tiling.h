/* Checks decompositions in whole numbers (GMP). Shares no code with src/. */
#ifndef TESTS_GEOMETRY_TILING_H
#define TESTS_GEOMETRY_TILING_H

#include <graze/build.h>

/* NULL, or what is wrong. That the pieces tile the polygon follows from three facts: each is convex, counter-clockwise
 * and turns once; their directed edges, split at all points that lie on them, add up to those of the rings (the outline
 * counter-clockwise, holes clockwise); so every point has as many pieces around it as its winding number says, which
 * the caller knows to be 0 or 1. Besides: vertices are points of the rings, `area` is rounded to nearest, the
 * internal_edges are the edges that two pieces share. */
const char *tiling_fault(graze_ring outline, const graze_ring *holes, size_t hole_count,
                         const graze_decomposition *decomposition);

/* 1 left, -1 right, 0 straight on or back. */
int tiling_turn(graze_vec a, graze_vec b, graze_vec c);

/* Do a-b and c-d cross in an inner point of both? */
bool tiling_cross(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* > 0: d lies in the circle through a, b, c, which turn left. */
int tiling_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* The area of any outline, rounded to nearest, and the sign of the signed one. */
double tiling_area(const graze_vec *vertices, size_t count, int *sign);

/* Reflex corners of a simple outline, either winding, repeated neighbours left out. */
size_t tiling_reflex(graze_ring outline);

#endif
