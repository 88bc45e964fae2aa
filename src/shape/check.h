/* Judging lists of vertices, for whoever takes them without a shape around them. */
#ifndef GRAZE_SHAPE_CHECK_H
#define GRAZE_SHAPE_CHECK_H

#include <graze/graze.h>

/* From `least` to INT32_MAX vertices, all of them legal numbers, z = 0 in 2D. */
graze_error grz_check_vertices(const graze_vec *vertices, size_t count, size_t least, int dim);

/* The vertex that keeps an outline from being convex, -1 for none. Points on one line (*flat) are convex. */
ptrdiff_t grz_convex_fault(const graze_vec *vertices, size_t count, bool *flat);

#endif
