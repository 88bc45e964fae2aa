/* Ten kinds of 3D pairs on which other libraries fail, in the spirit of a published comparison of peers: nearly
 * parallel faces, contact within 1e-12, hulls of aspect 1e6, offsets of 1e6, repeated vertices, flat hulls, coincident
 * boxes, exact face contact, needles. Pairs alternate: separated, overlapping. */
#ifndef TESTS_SUPPORT_NASTY_H
#define TESTS_SUPPORT_NASTY_H

#include "support/families.h"
#include "support/oracle/oracle.h"

enum { NASTY_KINDS = 10 };

extern const char *const nasty_name[NASTY_KINDS];

/* The i-th pair of a kind. The oracle finds where B touches A; it is left solved for some other pair. */
void nasty_make(rng *random, int kind, int i, oracle *o, shape_pair *pair);

#endif
