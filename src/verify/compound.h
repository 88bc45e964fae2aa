/* Answers about compounds. */
#ifndef GRAZE_VERIFY_COMPOUND_H
#define GRAZE_VERIFY_COMPOUND_H

#include <graze/graze.h>

/* graze_verify() where at least one of the shapes is a compound; both were accepted, and `conditional` is looked at. */
graze_status grz_verify_compound(const graze_placed *a, const graze_placed *b, double clearance,
                                 const graze_answer *answer, const graze_certificate *certificate);

#endif
