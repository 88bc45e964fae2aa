/* A half-space against anything: one support point decides. */
#ifndef GRAZE_CSO_PLANE_H
#define GRAZE_CSO_PLANE_H

#include "cso/query.h"
#include "shape/core.h"

/* Fills a blank answer. Exactly one of the shapes is a half-space. Polytopal cores: in doubles
 * where these suffice, else exactly, as GRAZE_METHOD_EXACT does at once. Curved ones: enclosed, and
 * touching where a PLANE certificate proves it. */
void grz_plane_answer(const grz_query *query, const grz_obstacle *obstacle, graze_answer *answer);

/* The bodies move: do they come nearer to each other, exactly? -1: nobody knows. */
int grz_plane_approaches(const grz_obstacle *obstacle);

/* How motions ask about a half-space and a polytope, since times are told as well as heights over it are known; about
 * curved shapes nobody can ask so. */
static inline void grz_plane_narrow(const graze_placed *a, const graze_placed *b, graze_options *options) {
  const bool plane = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  if (plane && !grz_is_curved(&a->shape) && !grz_is_curved(&b->shape)) options->method = GRAZE_METHOD_EXACT;
}

#endif
