/* The contact manifold of two convex shapes. */
#ifndef GRAZE_NARROW_MANIFOLD_H
#define GRAZE_NARROW_MANIFOLD_H

#include <graze/graze.h>

/* graze_manifold(); compounds are refused (GRAZE_UNSUPPORTED). */
graze_status grz_manifold_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               graze_answer *answer, graze_contact *contacts, size_t capacity, size_t *count);

#endif
