/* A certificate, evaluated for showing. What is proved is asked of the verifier; the rest is rounded. */
#ifndef GRAZE_CLI_EVIDENCE_H
#define GRAZE_CLI_EVIDENCE_H

#include "explain/story.h"

/* The story has its finding, bodies and points by now. Of minkowski nothing is certified, and nothing known. */
story_evidence evidence_of(const story *s);

#endif
