/* The truth about curved shapes, as an enclosure: the signed distance surely lies in [lower, upper].
 *
 * Why it can be trusted, whatever the search does: with n any direction, gap(n)/|n| is never above the signed distance;
 * with v any convex combination of points a - b, |v| is never below it. Both are evaluated in 113-bit arithmetic
 * (64-bit where the compiler has no more) from the textbook support functions, and widened by far more than its
 * rounding. Shares no line with the library. All kinds but user shapes; two half-spaces make no sense. */
#ifndef ORACLE_CURVED_H
#define ORACLE_CURVED_H

#include <graze/graze.h>

typedef struct curved_truth {
  double lower, upper; /* upper = -r where the cores surely overlap: nothing better is known then */
  bool cores_overlap;  /* surely, in their interiors */
  int iterations;
} curved_truth;

/* How far B must move along the direction to leave A, all radii and the clearance included; rounded up. Surely no less
 * than the depth. */
double curved_width(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b,
                    double clearance, graze_vec direction);

/* The least such width that a search from many starts finds. It may stay above the depth; but what it finds below a
 * claimed depth refutes the claim. */
double curved_depth(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b, const graze_pose *pose_b,
                    double clearance);

curved_truth curved_solve(const graze_shape *a, const graze_pose *pose_a, const graze_shape *b,
                          const graze_pose *pose_b, double clearance);

#endif
