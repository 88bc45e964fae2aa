/* Rounded rotation matrices of poses. */
#ifndef GRAZE_SHAPE_POSE_H
#define GRAZE_SHAPE_POSE_H

#include <graze/graze.h>

/* Computes R(q), rounded. */
void grz_rotation_of(const graze_pose *pose, double rotation[9]);

/* Computes the product of both rotations, for a part placed in the frame of the compound. Not in place. */
void grz_rotation_of_part(const graze_placed *compound, const graze_placed *part, double rotation[9]);

/* Returns whether the exact rotation maps a local axis to world axis i or its opposite. Then row i of the rounded
 * rotation is exact. Returns false if the test is inconclusive. */
bool grz_row_is_exact(const graze_placed *placed, int i);

#endif
