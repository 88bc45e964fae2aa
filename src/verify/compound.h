/* Checks of complete answers, below graze_verify(). */
#ifndef GRAZE_VERIFY_COMPOUND_H
#define GRAZE_VERIFY_COMPOUND_H

#include "shape/proof.h"

/* Does what graze_verify() does, for two valid convex shapes. */
graze_status grz_verify_pair(const graze_placed *a, const graze_placed *b, double clearance, const graze_answer *answer,
                             const grz_proof *proof);

#endif
