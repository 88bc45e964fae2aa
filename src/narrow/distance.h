/* The signed distance, for whoever asks it while answering another question. */
#ifndef GRAZE_NARROW_DISTANCE_H
#define GRAZE_NARROW_DISTANCE_H

#include "narrow/query.h"

/* Fills a blank answer about two cores, neither of them a half-space. */
void grz_distance_cores(const grz_query *query, const grz_obstacle *obstacle, grz_result *result);

#endif
