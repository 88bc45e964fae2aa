/* The area of rings, exactly. */
#ifndef GRAZE_GEOMETRY_AREA_H
#define GRAZE_GEOMETRY_AREA_H

#include "exact/big.h"

#include <graze/build.h>

/* Limbs in an arena that grz_area_add() is sure to get along with. */
enum { GRZ_AREA_LIMBS = 128 };

/* sum + twice the signed area of the ring (counter-clockwise: positive). Everything else in the arena is given back:
 * `sum` alone lives there, or nothing yet. */
grz_big grz_area_add(grz_arena *arena, grz_big sum, graze_ring ring);

/* |sum| / 2, rounded to nearest, among the subnormal numbers too. */
double grz_area_of(grz_arena *arena, grz_big sum);

#endif
