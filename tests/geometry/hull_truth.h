/* Checks convex hulls in exact integers (GMP), by definitions alone: it computes no hull. */
#ifndef BUILD_HULL_TRUTH_H
#define BUILD_HULL_TRUTH_H

#include <graze/build.h>

/* Returns NULL if the hull is right, otherwise a description of the error.
 *
 * Checks for all hulls: the dimension; vertices are input points in order, the first of equal ones; adjacency; area and
 * volume within 1e-12.
 * Checks for solids, with c the centre of four independent vertices:
 *   1. Faces are plane, strictly convex polygons. Each edge occurs once in each direction. V - E + F = 2.
 *   2. c is strictly inside all faces, and a ray from c intersects exactly one face.
 *   3. At every edge the angle between the faces is less than 180 degrees.
 *   4. No input point is outside a face.
 * From 1 and 2: seen from c, the surface covers the sphere once, so it bounds a body that is star-shaped about c. With
 * 3 this body is locally convex, hence convex (Tietze, Nakajima), no two faces are coplanar, and every vertex is
 * extreme. With 4 it is the hull. */
const char *hull_fault(const graze_vec *points, size_t count, const graze_hull *hull);

#endif
