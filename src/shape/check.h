/* Judging lists of vertices, for whoever takes them without a shape around them. */
#ifndef GRAZE_SHAPE_CHECK_H
#define GRAZE_SHAPE_CHECK_H

#include "core/error.h"

/* From `least` to INT32_MAX vertices, all of them legal numbers, z = 0 in 2D. */
graze_error grz_check_vertices(const graze_vec *vertices, size_t count, size_t least, int dim);

/* The vertex that keeps an outline from being convex, -1 for none. Points on one line (*flat) are convex. */
ptrdiff_t grz_convex_fault(const graze_vec *vertices, size_t count, bool *flat);

/* Why two placed shapes are no valid pair: the error of A, of B, or of their dimensions. */
graze_error grz_pair_error(const graze_placed *a, const graze_placed *b);

/* Why a motion of a body was rejected with this status. */
graze_error grz_motion_error(graze_status status, const char *owner, const graze_placed *placed,
                             const graze_motion *motion);

#endif
