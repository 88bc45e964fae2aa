/* How deep do overlapping cores overlap? */
#ifndef GRAZE_CSO_PENETRATE_H
#define GRAZE_CSO_PENETRATE_H

#include "cso/query.h"

/* The relation is overlapping, its certificate's pairs are filled, the distance is not known: fills distance, interval,
 * normal, witness points and the bounds' certificate. */
void grz_penetrate(const grz_query *query, const grz_obstacle *obstacle, graze_answer *answer);

/* The same where a budget ended the search before the cores were known to overlap: fills the numbers that are missing,
 * as well as they are known. */
void grz_penetrate_vaguely(const grz_query *query, const grz_obstacle *obstacle, graze_answer *answer);

#endif
