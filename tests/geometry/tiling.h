/* Checks decompositions in exact integers (GMP). Shares no code with src/. */
#ifndef TESTS_GEOMETRY_TILING_H
#define TESTS_GEOMETRY_TILING_H

#include <graze/build.h>

/* Returns NULL, or a description of the error. Two checks prove that the pieces tile the polygon:
 *   1. Each piece is convex, counter-clockwise, and winds once.
 *   2. The directed edges of the pieces, split at all points on them, add up to those of the rings (the outline
 * counter- clockwise, holes clockwise). So the number of pieces around a point is its winding number, which is 0 or 1
 * by construction of the input. Further checks: vertices are ring points, `area` is rounded to nearest, internal_edges
 * are the shared edges. */
const char *tiling_fault(graze_ring outline, const graze_ring *holes, size_t hole_count,
                         const graze_decomposition *decomposition);

/* The orientation of three points: 1 left, -1 right, 0 collinear. */
int tiling_turn(graze_vec a, graze_vec b, graze_vec c);

/* Do a-b and c-d cross in an inner point of both? */
bool tiling_cross(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* > 0: d is inside the circle through a, b, c, which are counter-clockwise. */
int tiling_in_circle(graze_vec a, graze_vec b, graze_vec c, graze_vec d);

/* The absolute area of an outline, rounded to nearest, and the sign of the signed area. */
double tiling_area(const graze_vec *vertices, size_t count, int *sign);

/* The number of reflex corners of a simple outline in either winding. Repeated neighbours count once. */
size_t tiling_reflex(graze_ring outline);

#endif
