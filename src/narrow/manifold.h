/* The contact manifold of two convex shapes. Theory: docs/theory/contact.md. */
#ifndef GRAZE_NARROW_MANIFOLD_H
#define GRAZE_NARROW_MANIFOLD_H

#include "narrow/result.h"

/* Computes graze_manifold() for valid options and `capacity` > 0. Compounds are rejected (GRAZE_UNSUPPORTED). */
graze_status grz_manifold_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               double speculative, grz_result *result, graze_contact *contacts, size_t capacity,
                               size_t *count);

#endif
