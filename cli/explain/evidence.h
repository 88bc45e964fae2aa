/* Evaluates a certificate for display. Bounds are those that the verifier accepts; all other numbers are rounded. */
#ifndef GRAZE_CLI_EVIDENCE_H
#define GRAZE_CLI_EVIDENCE_H

#include "explain/story.h"

/* The certificate of the relation and of its bounds. The finding, the bodies and the points of `s` must be set.
 * A minkowski query has no certificate and no evidence. */
story_evidence evidence_of_answer(const story *s);
/* The certificate of a cast. */
story_evidence evidence_of_cast(const story *s);
/* Replaces the evidence of a separated start by the direction of the cast. */
void evidence_merge_start(story *s);

#endif
