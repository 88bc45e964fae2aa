/* Upper bounds of the signed distance, and the depth proofs behind the negative ones. */
#ifndef GRAZE_VERIFY_DEPTH_H
#define GRAZE_VERIFY_DEPTH_H

#include "verify/polytope.h"

/* A surface with more faces is not checked, because the search for reversed edges takes quadratic time. */
enum { GRZ_DEPTH_FACES = 4096 };

/* Checks that the points or the depth proof give `upper` for shapes with this relation. Returns GRAZE_UNPROVEN if the
 * depth proof is BY_PAIRS, which proves no depth, or if it is too large. */
graze_status grz_check_upper(grz_check *check, graze_relation relation, double upper);

#endif
