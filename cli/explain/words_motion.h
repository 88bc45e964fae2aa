/* The sentences about motions that text, picture and page have in common. */
#ifndef GRAZE_CLI_WORDS_MOTION_H
#define GRAZE_CLI_WORDS_MOTION_H

#include "explain/motion.h"

/* "; A moves at (2, 0), B stays, for 0 ≤ t ≤ 1"; of a ray where it begins, in the place of B. */
void words_motion(cli_text *out, const story *s);
/* "hit, the first contact is surely at t in [0.25, 0.2500001]". */
void words_motion_answer(cli_text *out, const story *s);
/* The k-th sentence about the certificate; false past the last one. */
bool words_motion_certificate(cli_text *out, const story *s, size_t k);

/* What the path is, and what it means that it meets A - B. */
void words_path(cli_text *out, const story *s);
/* What is drawn besides, and not to scale. */
void words_drawn(cli_text *out, const story *s);
/* What those see who look at the samples alone. */
void words_samples(cli_text *out, const story *s);
/* What is known of a moment. */
void words_moment(cli_text *out, const story *s, int k);
/* "apart", "overlapping"; of what is not known "not told". */
const char *words_look(graze_relation relation);

#endif
