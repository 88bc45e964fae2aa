/* Convex hulls of points of C, with exact predicates: which side of a face a point lies on is never guessed. Doubles
 * only save the exact arithmetic where they are sure. The points are those of a polytope, by their parents. */
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

/* A positive multiple of the outward normal of a face by its vertices; *on: scale·w of the first of them. */
grz_bvec grz_hull_normal(const grz_exact_hull *hull, const int32_t *vertex, grz_bvec *on);

/* The sign of N·(w - face): 1 beyond the plane, 0 on it. */
int grz_hull_side(const grz_exact_hull *hull, const int32_t *vertex, int point);

/* The sign of N·w for a face: 1 where the origin lies on its inner side, 0 on its plane. */
int grz_hull_height_sign(const grz_exact_hull *hull, int face);

/* How many of the points are affinely independent, up to dim + 1; the first such in `basis`. */
int grz_hull_basis(const grz_exact_hull *hull, int basis[4]);

/* The hull of all the polytope's points, of which the dim + 1 in `basis` are affinely independent. False: the arena is
 * full. */
bool grz_hull_build(grz_exact_hull *hull, const int basis[4]);

/* The point joins; it lies beyond `face`. False: no room. */
bool grz_hull_add(grz_exact_hull *hull, int face, int point);

#endif
