/* A certificate, evaluated for showing. What is proved is asked of the verifier; the rest is rounded. */
#ifndef GRAZE_CLI_EVIDENCE_H
#define GRAZE_CLI_EVIDENCE_H

#include "explain/story.h"

/* The story has its finding, bodies and points by now. Of minkowski nothing is certified, and nothing known. */
story_evidence evidence_of(const story *s);

/* Does the verifier say so? */
typedef bool evidence_proof(const void *context, double bound);

/* From a bound that is proved towards one that is not: the last that is. NaN where not even the first is. */
double evidence_tightest(evidence_proof *says, const void *context, double proved, double not_proved);

#endif
