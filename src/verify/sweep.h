/* The verifier of turning bodies, also for the solver that wants its proof to be read. */
#ifndef GRAZE_VERIFY_SWEEP_H
#define GRAZE_VERIFY_SWEEP_H

#include "verify/compound.h"
#include "shape/motion.h"

/* Two bodies where they stand at a moment; core points of both together are at most `error` from where they truly are.
 * Does the certificate's kind PLANE, or do its pairs, show that they meet nevertheless? */
graze_status grz_verify_contact(const graze_placed *a, const graze_placed *b, double clearance, double error,
                              const grz_proof *certificate);

/* graze_verify_cast() of bodies that do not rotate, with valid arguments. */
graze_status grz_verify_linear_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                    graze_vec velocity_b, double t_max, double clearance,
                                    const graze_cast_result *impact, const grz_proof *proof);

#endif
