/* What the sentences about the certificate are made of. */
#ifndef GRAZE_CLI_WORDS_PROOF_H
#define GRAZE_CLI_WORDS_PROOF_H

#include "explain/story.h"

static inline const graze_answer *proof_answer(const story *s) { return &s->finding.answer; }
static inline const graze_certificate *proof_certificate(const story *s) { return &s->finding.answer.certificate; }

/* What proves the relation, as a sentence. */
void proof_relation(cli_text *out, const story *s);

/* "along d = (0.8, 0.6) A reaches 4 and B begins at 6.5"; where its numbers are known, and right as rounded. */
bool proof_has_sides(const story *s);
void proof_sides(cli_text *out, const story *s);

/* "v = 0.4·(A1 − B0) + 0.6·(A2 − B0) = (2, 1)", of so many points. */
int proof_weighed(const story *s);
void proof_nearest(cli_text *out, const story *s);
/* "|v| − r = 2.5 − 2"; "|v|" where there are no radii, or v is lost in rounding. */
void proof_length(cli_text *out, const story *s);

/* "A1 − B0, A2 − B0 and A2 − B1" */
void proof_pairs(cli_text *out, const graze_direction *d, int dim);

#endif
