/* Properties of every manifold, and tools to build and compare manifolds. */
#ifndef TESTS_NARROW_CHECK_H
#define TESTS_NARROW_CHECK_H

#include "support/proved.h"
#include "support/geometry.h"
#include "support/random.h"

enum { CHECK_CAPACITY = 200 };

typedef struct check_manifold {
  graze_placed a, b;
  proved_answer answer;
  graze_contact contact[CHECK_CAPACITY];
  size_t count;
} check_manifold;

/* `local` in the frame of `outer`. */
graze_pose check_compose(graze_pose outer, graze_pose local);

/* Rotated about z. */
graze_pose check_turned(double x, double y, double z, double angle);

/* A random unit quaternion at a random position. */
graze_pose random_unit_pose(uint64_t *state, double spread);

void check_place(check_manifold *m, graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b);

/* Queries the manifold and asserts what the header states: the answer is that of graze_distance(); at most `capacity`
 * points; point_b - point_a = -depth·normal; every point within 1e-9 of the scale of both shapes; the deepest as deep
 * as the answer, within 1e-9 if the polygon is complete and the shapes are polytopes, else 1e-6; distinct features; a
 * second query returns the same bits. */
void check_query(check_manifold *m, const graze_manifold_options *options, size_t capacity);

/* check_query() of the points nearest to each other: of separated shapes with a speculative distance hardly larger than
 * the gap, else with default options. */
void check_nearest(check_manifold *m, size_t capacity);

/* check_place(), check_query() with default options, and check_nearest() of all points. */
void check_pair(check_manifold *m, graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b);

/* Asserts that the point_a are these points, in any order, within 1e-9. */
void check_points(const check_manifold *m, const graze_vec *points, size_t count);

#endif
