/* What holds of every manifold, and a few tools to make and read them. */
#ifndef TESTS_CONTACT_CHECK_H
#define TESTS_CONTACT_CHECK_H

#include <graze/graze.h>

#include "support/random.h"

enum { CHECK_ROOM = 200 };

typedef struct check_manifold {
  graze_placed a, b;
  graze_answer answer;
  graze_contact contact[CHECK_ROOM];
  size_t count;
} check_manifold;

graze_vec check_vec(double x, double y, double z);
double check_dot(graze_vec u, graze_vec v);
graze_vec check_along(graze_vec from, double step, graze_vec direction);
double check_far(graze_vec u, graze_vec v);

/* The larger of the shapes, or their distance. */
double check_scale(const check_manifold *m);

/* Places `local` in the frame of `outer`. */
graze_pose check_compose(graze_pose outer, graze_pose local);

/* A random unit quaternion at a random place. */
graze_pose random_unit_pose(uint64_t *state, double spread);

/* Asks, and asserts what the header promises of any manifold: the answer is that of graze_distance(); no more points
 * than allowed; point_b - point_a = -depth·normal; every point in both shapes or on them, within 1e-9 of the scale; the
 * deepest as deep as the answer, within 1e-9 of it where the polygon is whole and the shapes polytopes, else 1e-6;
 * features all different; the same again when asked again. */
void check_ask(check_manifold *m, const graze_options *options, size_t capacity);

/* Asserts that the point_a are the given points, in any order, within 1e-9. */
void check_points(const check_manifold *m, const graze_vec *points, size_t count);

#endif
