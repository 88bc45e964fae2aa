/* A half-space against any shape: one support point decides. Theory: docs/theory/rounding.md, "Half-spaces in
 * doubles". */
#ifndef GRAZE_NARROW_HALFSPACE_H
#define GRAZE_NARROW_HALFSPACE_H

#include "narrow/query.h"

/* Fills a blank answer. Exactly one shape is a half-space. Polytopes: in doubles if these suffice, else exactly;
 * GRAZE_METHOD_EXACT is always exact. Curved shapes: an interval, and TOUCHING if the certificate proves it. */
void grz_halfspace_answer(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* For moving bodies: returns 1 if the bodies approach each other, 0 if not, exactly, or -1 if the arena is full. */
int grz_halfspace_approaches(const grz_obstacle *obstacle);

#endif
