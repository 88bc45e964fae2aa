/* What the reference methods share. */
#ifndef GRAZE_COMPARE_COMPARE_H
#define GRAZE_COMPARE_COMPARE_H

#include "narrow/query.h"

#include <graze/compare.h>

/* Validates a query about two polytopes and makes their obstacle; GRAZE_UNSUPPORTED for other shapes and methods. */
graze_status grz_compare_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                               const graze_options *options, grz_result *result);

#endif
