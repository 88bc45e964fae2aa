/* Checks convex hulls in whole numbers (GMP) by definitions alone: it builds no hull of its own. */
#ifndef BUILD_HULL_TRUTH_H
#define BUILD_HULL_TRUTH_H

#include <graze/build.h>

/* NULL if the hull is right, otherwise what is wrong.
 *
 * Checked: the dimension; vertices are input points, the first of equal ones, in order; adjacency; area and volume
 * within 1e-12. Of a solid, let c be the centre of four independent vertices. The faces are plane, strictly convex
 * polygons; each edge is met once by its reverse; V - E + F = 2; c lies strictly below all faces; and a ray from c
 * meets just one of them. Seen from c the surface is therefore a covering of the sphere with one sheet: the boundary of
 * a body that is star-shaped about c. At every edge the faces meet at less than 180 degrees, so the body is convex
 * locally, hence convex (Tietze, Nakajima), no two faces are coplanar, and every vertex is extreme. No other point lies
 * beyond a face. So it is the hull. */
const char *hull_fault(const graze_vec *points, size_t count, const graze_hull *hull);

#endif
