/* Checks of casts, also for the solvers that check their own certificates. */
#ifndef GRAZE_VERIFY_MOTION_H
#define GRAZE_VERIFY_MOTION_H

#include "shape/motion.h"
#include "shape/proof.h"

/* Checks that two bodies at one instant have a common point. Core points of both together are at most `error` from
 * their true places. The proof is the certificate's kind HALFSPACE or its pairs. */
graze_status grz_verify_contact(const graze_placed *a, const graze_placed *b, double clearance, double error,
                                const grz_proof *certificate);

/* Does what graze_verify_cast() does for bodies that do not rotate. Precondition: the arguments are valid. */
graze_status grz_verify_linear_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                    graze_vec velocity_b, double t_max, double clearance,
                                    const graze_cast_result *result, const grz_proof *proof);

#endif
