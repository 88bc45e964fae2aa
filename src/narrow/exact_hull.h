/* Convex hulls of points of the CSO with exact predicates: the side of a face on which a point lies is exact. Doubles
 * only skip exact arithmetic where their result is certain. The points are those of a polytope, by their parents. */
#ifndef GRAZE_NARROW_EXACT_HULL_H
#define GRAZE_NARROW_EXACT_HULL_H

#include "geometry/polytope.h"
#include "narrow/exact_search.h"

typedef struct grz_exact_hull {
  grz_exact *x;
  grz_polytope *polytope; /* in 2D a face is an edge */
} grz_exact_hull;

/* scale·w of a point. */
grz_bvec grz_hull_point(const grz_exact_hull *hull, int point);

/* A positive multiple of the outward normal of a face by its vertices; *on: scale·w of the first vertex. */
grz_bvec grz_hull_normal(const grz_exact_hull *hull, const int32_t *vertex, grz_bvec *on);

/* The sign of N·(w - face): 1 beyond the plane, 0 on the plane. */
int grz_hull_side(const grz_exact_hull *hull, const int32_t *vertex, int point);

/* The sign of N·w for a face: 1 if the origin lies on its inner side, 0 if on its plane. */
int grz_hull_height_sign(const grz_exact_hull *hull, int face);

/* The number of affinely independent points, up to dim + 1; `basis` receives the first such points. */
int grz_hull_basis(const grz_exact_hull *hull, int basis[4]);

/* Builds the hull of all points of the polytope, of which the dim + 1 in `basis` are affinely independent. Returns
 * false if the arena is full. */
bool grz_hull_build(grz_exact_hull *hull, const int basis[4]);

/* Inserts the point, which lies beyond `face`. Returns false if the polytope is full. */
bool grz_hull_add(grz_exact_hull *hull, int face, int point);

#endif
