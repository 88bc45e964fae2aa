/* The sentences that text, picture and page have in common. Plain UTF-8, no markup; a sentence may be long. Numbers for
 * reading have up to 6 digits, intervals and what is proved all digits. */
#ifndef GRAZE_CLI_WORDS_H
#define GRAZE_CLI_WORDS_H

#include "explain/story.h"

/* Digits of numbers for reading, and all that a double has. */
enum { WORDS_DIGITS = 6, WORDS_ALL_DIGITS = 17 };

/* A number for reading: up to 6 digits, or 9 before the point; a true minus sign, "∞", "?" where not known. */
void words_number(cli_text *out, double value);
/* The same with up to `digits` digits; with 17, all that it has. */
void words_rounded(cli_text *out, double value, int digits);
/* The same with all digits. */
void words_exactly(cli_text *out, double value);
/* How many digits, 6 to 17, show differences of `wanted` between numbers of this size to 4 digits; 6 where no double
 * shows them. */
int words_digits(double size, double wanted);
/* The same of a vector's coordinates. */
int words_vec_digits(graze_vec v, double wanted);
/* What points of A - B have to show: the size of the signed distance, 0 where not known. */
double words_gap(const story *s);
/* Directions only need many digits where points have so many that d·w is lost in rounding. */
int words_direction_digits(const story *s, graze_vec d, int digits_of_points);
/* For bounds of the cores' distance, so that what they are less r can be seen. */
int words_bound_digits(const story *s, double bound);
void words_bound(cli_text *out, const story *s, double bound);
/* For points in the world, so that they tell the distance, and where on a shape they are. */
int words_place_digits(const story *s, graze_vec a, graze_vec b);
/* (x, y) or (x, y, z), for reading. */
void words_vec(cli_text *out, graze_vec v, int dim);
void words_vec_rounded(cli_text *out, graze_vec v, int dim, int digits);
/* A difference by its parents: "A2 − B0"; of curved cores only where both are vertices, else nothing. */
bool words_has_parents(const graze_pair *pair);
void words_pair(cli_text *out, const graze_pair *pair);
/* What stands before the i-th of so many: nothing, ", " or " and ". */
void words_between(cli_text *out, int i, int count);
/* "1 step", "7 steps". */
void words_count(cli_text *out, size_t count, const char *one, const char *many);
/* "a circle of radius 0.5 with margin 0.25". */
void words_shape(cli_text *out, const graze_shape *shape);
/* Vertex k of the set of minkowski: "A2 − B0", or "A2 + B0". */
void words_vertex(cli_text *out, const story *s, size_t k);
/* Where a separating axis is from: "axis x of A", "edge 2 of A", "edge 3 of A × y of B". */
void words_axis(cli_text *out, const story *s, const graze_axis *axis);
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
/* Where the first direction of GJK comes from: "goes from A's place to B's". */
const char *words_start(const story *s);
/* What EPA begins with, as a sentence. */
const char *words_first_points(const story *s);
/* Do the weights of the certificate's points show something? Those of points around the origin do where there are as
 * many as it takes, and none is 0. */
bool words_has_weights(const story *s);

/* A sentence, or nothing where it has nothing to say. */
typedef void words_sentence(cli_text *out, const story *s);
/* The k-th of those that say something. False: there are not so many. */
bool words_choose(cli_text *out, const story *s, words_sentence *const *sentences, size_t count, size_t k);

#endif
