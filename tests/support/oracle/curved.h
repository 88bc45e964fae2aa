/* The truth about curved shapes, as an enclosure: the signed distance certainly lies in [lower, upper].
 *
 * It holds for any result of the search. For any direction n, gap(n)/|n| is at most the signed distance. For any convex
 * combination v of points a - b, |v| is at least the signed distance. Both are evaluated from the textbook support
 * functions in 113-bit arithmetic (64-bit if the compiler has no more) and widened by much more than its rounding.
 * Shares no line with the library. All kinds except user shapes and pairs of half-spaces. */
#ifndef ORACLE_CURVED_H
#define ORACLE_CURVED_H

#include <graze/graze.h>

typedef struct curved_truth {
  double lower, upper; /* upper = -r if the cores certainly overlap */
  bool cores_overlap;  /* surely, in their interiors */
  int iterations;
} curved_truth;

/* The distance by which B must move along the direction to leave A, with all radii and the clearance; rounded up. It is
 * certainly at least the depth. */
double curved_width(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b,
                    double clearance, graze_vec direction);

/* The least such width that a search from many start directions finds. It may exceed the depth, but a width below a
 * stated depth refutes that depth. */
double curved_depth(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b,
                    double clearance);

curved_truth curved_solve(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                          const graze_pose *pose_b, double clearance);

#endif
