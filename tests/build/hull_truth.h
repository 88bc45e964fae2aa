/* Judges convex hulls in whole numbers (GMP), by definitions alone: it makes no hull of its own. */
#ifndef BUILD_HULL_TRUTH_H
#define BUILD_HULL_TRUTH_H

#include <graze/build.h>

/* NULL: the hull is right. Otherwise what is wrong. Tries every point against every face.
 *
 * Checked: the dimension; that vertices are input points, the first of equal ones, in order; that faces are plane and
 * strictly convex, counter-clockwise, and no point lies beyond them; that all vertices on a face's plane are its
 * corners, so that no two are coplanar; that each edge is met once by its reverse, V - E + F = 2; that each vertex is
 * the only point of some three planes of faces; adjacency; area and volume within 1e-12. */
const char *hull_fault(const graze_vec *points, size_t count, const graze_convex_hull *hull);

/* The same for millions of points that span space, in about linear time, with as much shown.
 *
 * Let c be the centre of four independent vertices. The faces are plane convex polygons that form a closed surface,
 * V - E + F = 2; c lies strictly below all of them; and a ray from c meets just one of them. Seen from c the surface
 * is therefore a covering of the sphere with one sheet: the boundary of a body that is star-shaped about c. At every
 * edge the two faces meet at less than 180 degrees, so the links of vertices are convex polygons on the sphere: the
 * body is convex locally, hence convex (Tietze, Nakajima). So the surface bounds the hull of the vertices, each of
 * which is extreme. Every other point lies in a tetrahedron of c and three corners of a face, so in the hull. */
const char *hull_large_fault(const graze_vec *points, size_t count, const graze_convex_hull *hull);

/* The extreme points and faces of up to a few dozen points that span space, by trying all planes of three of them: sets
 * extreme[i] for the first of equal points and returns the number of faces. */
size_t hull_brute(const graze_vec *points, size_t count, bool *extreme);

#endif
