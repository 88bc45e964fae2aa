/* The questions about two convex shapes; compounds are refused (GRAZE_UNSUPPORTED). src/compound/queries.c asks them
 * for whoever asks the public ones. */
#ifndef GRAZE_NARROW_PAIRS_H
#define GRAZE_NARROW_PAIRS_H

#include "narrow/result.h"

/* graze_intersect(). */
graze_status grz_intersect_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result);

/* graze_distance(). */
graze_status grz_distance_pair(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               grz_result *result);

#endif
