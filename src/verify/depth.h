/* What shows that overlapping cores are at least so deep. */
#ifndef GRAZE_VERIFY_DEPTH_H
#define GRAZE_VERIFY_DEPTH_H

#include "verify/parse.h"

/* No larger surface is read: looking for the reverse of every edge takes the square of this. */
enum { GRZ_DEPTH_FACES = 4096 };

/* Does the certificate's depth proof show that the cores A - B hold a ball of radius `least` >= 0 about the origin?
 * GRAZE_UNPROVEN: it is BY_PAIRS, which shows nothing of the kind, or larger than anybody checks. */
graze_status grz_verify_depth(grz_parser *reading, const grz_proof *certificate, grz_big least);

#endif
