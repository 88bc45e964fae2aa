/* The sentences that text, picture and page have in common. Plain UTF-8, no markup; a sentence may be long. Numbers for
 * reading have up to 6 digits, intervals and what is proved all digits. */
#ifndef GRAZE_CLI_WORDS_H
#define GRAZE_CLI_WORDS_H

#include "explain/story.h"

/* A number for reading: up to 6 digits, or 9 before the point; a true minus sign, "∞", "?" where not known. */
void words_number(cli_text *out, double value);
/* The same with up to `digits` <= 17 digits. */
void words_rounded(cli_text *out, double value, int digits);
/* The same with all digits. */
void words_exactly(cli_text *out, double value);
/* (x, y) or (x, y, z), for reading. */
void words_vec(cli_text *out, graze_vec v, int dim);
void words_vec_rounded(cli_text *out, graze_vec v, int dim, int digits);
/* A difference by its parents: "A2 − B0"; of curved cores only where both are vertices, else nothing. */
void words_pair(cli_text *out, const graze_pair *pair);
/* "1 step", "7 steps". */
void words_count(cli_text *out, size_t count, const char *one, const char *many);
/* "a circle of radius 0.5 with margin 0.25". */
void words_shape(cli_text *out, const graze_shape *shape);
/* A or B of the answer: "part 3 of A", or "A". */
void words_body(cli_text *out, const story_body *body, const char *name);

/* What was asked: "distance in 2D: A is a polygon of 5 vertices, B is a circle of radius 0.5". */
void words_question(cli_text *out, const story *s);
/* What came out: "separated, distance 2.5, surely in [2.4999, 2.5001]". */
void words_answer(cli_text *out, const story *s);
/* Step k: what it looked for, what it found, what that means. */
void words_step(cli_text *out, const story *s, size_t k);
/* Why the search that step k ends stopped, and what came then; nothing where it goes on. */
void words_stop(cli_text *out, const story *s, size_t k);
/* The k-th sentence about the certificate, its inequality evaluated; false past the last one. */
bool words_certificate(cli_text *out, const story *s, size_t k);

/* Does a search begin with step k? */
bool words_begins(const story *s, size_t k);

#endif
