/* A half-space against anything: one support point decides. */
#ifndef GRAZE_NARROW_HALFSPACE_H
#define GRAZE_NARROW_HALFSPACE_H

#include "narrow/query.h"

/* Fills a blank answer. Exactly one of the shapes is a half-space. Polytopal cores: in doubles
 * where these suffice, else exactly, as GRAZE_METHOD_EXACT does at once. Curved ones: enclosed, and
 * touching where a PLANE certificate proves it. */
void grz_halfspace_answer(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

/* The bodies move: do they come nearer to each other, exactly? -1: nobody knows. */
int grz_halfspace_approaches(const grz_obstacle *obstacle);

#endif
