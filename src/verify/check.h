/* What one certificate shows about one pair of convex shapes: a direction, which bounds the signed distance from below,
 * and a point of A - B (the nearest in the hull of some pairs), which bounds it from above. Why that proves a claim:
 * docs/theory/certificates.md. */
#ifndef GRAZE_VERIFY_CHECK_H
#define GRAZE_VERIFY_CHECK_H

#include "verify/parse.h"

/* No signed distance of accepted shapes is larger: the lengths in it add up to less than 20·GRAZE_LARGEST. */
#define GRZ_FARTHEST (100 * GRAZE_LARGEST)

typedef struct grz_check {
  const grz_proof *certificate;
  grz_parser reading;
  bool plane;   /* a half-space: w[0] is the point, and its height along the direction counts */
  bool has_gap; /* a direction is given, and something is known along it */
  grz_gap gap;
  int count; /* of w, the points of the pairs */
  grz_bvec w[6];
  grz_nearest nearest; /* of their hull; count 0: not computed yet */
} grz_check;

/* Two placed convex shapes. Not OK: GRAZE_REFUTED for a malformed certificate, GRAZE_UNPROVEN where there is none. */
graze_status grz_check_parse(grz_check *claim, grz_arena *arena, const graze_placed *a, const graze_placed *b,
                             double clearance, const grz_proof *certificate);

/* What the certificate's kind claims; of PLANE the strongest that holds. 0: nothing that two convex shapes can claim.
 */
int grz_check_kind(grz_check *claim);

/* Does it show this relation? Undecided shows itself. */
graze_status grz_check_relation(grz_check *claim, graze_relation relation);

/* Does `lower` follow, from the direction? Numbers that are always true, and NaN, do. */
graze_status grz_check_lower(grz_check *claim, double lower);

/* Does `upper` follow, for shapes with this relation, from the point or the proof of the depth? */
graze_status grz_check_upper(grz_check *claim, graze_relation relation, double upper);

/* Are the three numbers of an answer, NaN where not known, in order, possible, and in agreement with the relation? */
bool grz_check_is_consistent(const graze_answer *answer, graze_certificate_kind kind);

/* Are all numbers there that the answer needs? */
bool grz_check_is_complete(const graze_answer *answer);

/* The worse of two: refuted, unproven, proved. */
static inline graze_status grz_check_weaker(graze_status x, graze_status y) {
  if (x == GRAZE_REFUTED || y == GRAZE_REFUTED) return GRAZE_REFUTED;
  return x != GRAZE_OK ? x : y;
}

/* Runs `work` in a small arena, and again in a large one if that was full: then GRAZE_UNPROVEN. */
graze_status grz_check_in_arena(graze_status (*work)(grz_arena *arena, void *context), void *context);

/* graze_verify() of two valid convex shapes. */
graze_status grz_verify_pair(const graze_placed *a, const graze_placed *b, double clearance, const graze_answer *answer,
                             const grz_proof *proof);

#endif
