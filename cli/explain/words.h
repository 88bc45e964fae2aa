/* The sentences that text, pictures and pages share, as plain UTF-8, and the number of digits that a reader needs.
 * Numbers for readers are rounded; intervals and proved bounds have all digits. */
#ifndef GRAZE_CLI_WORDS_H
#define GRAZE_CLI_WORDS_H

#include "explain/story.h"

/* "a circle of radius 0.5 with margin 0.25" */
void sentence_shape(cli_text *out, const graze_shape *shape);
/* A separating axis: "axis x of A", "edge 2 of A", "edge 3 of A × y of B" */
void sentence_axis(cli_text *out, const story *s, const graze_axis *axis);
/* "distance in 2D: A is a polygon of 5 vertices, B is a circle of radius 0.5" */
sentence sentence_query;
/* "separated, distance 2.5, guaranteed interval [2.4999, 2.5001]" */
sentence sentence_answer;
/* The k-th sentence about the certificate; false past the last one. */
bool sentence_certificate(cli_text *out, const story *s, size_t k);

/* ---- certificate.c */

/* The sentences about a certificate; the lists end with NULL. */
extern sentence *const certificate_sentences[], *const cast_certificate_sentences[];
/* The proof of the relation. */
sentence certificate_relation;
/* True if the weights of the certificate's points prove something: for points around the origin, if there are dim + 1
 * and every weight is positive. */
bool certificate_has_weights(const story *s);

/* ---- Casts (cast.c) */

/* "; A has velocity (2, 0), B is at rest, for 0 ≤ t ≤ 1"; for a ray its origin and direction instead of B */
sentence sentence_cast_query;
/* "hit: the time of first contact is in [0.25, 0.2500001]" */
sentence sentence_cast_answer;
/* The relative path, and the condition of contact. */
sentence sentence_cast_path;
/* The limits of the drawing. */
sentence sentence_cast_drawn;
/* The result of discrete sampling. */
sentence sentence_cast_samples;
step_sentence sentence_cast_moment;
/* "separated"; "no relation" if graze_intersect() failed */
const char *cast_relation_text(graze_relation relation);

/* ---- The phases of a run (phase.c) */

typedef struct phase_info {
  const char *title;       /* a heading */
  const char *name;        /* within a sentence */
  const char *columns;     /* of the text table, one letter each: see COLUMNS in text.c */
  const char *simplex;     /* the heading of the simplex */
  const char *explanation; /* what each step does */
} phase_info;

const phase_info *phase_of(graze_phase phase);
/* True if step k is the first of a phase. */
bool phase_begins(const story *s, size_t k);
/* The explanation of a phase, as a paragraph. */
void phase_explain(cli_text *out, const story *s, graze_phase phase);
/* Step k: its direction, its support point, and what these show. */
step_sentence phase_step;
/* Why the phase ended at step k, and the next phase; nothing if it continues. */
step_sentence phase_stop;

/* ---- Digits */

/* The digits, DIGITS to ALL_DIGITS, that show a difference of `wanted` between numbers of this size to four digits;
 * DIGITS if the doubles themselves cannot show it. */
int digits_for(double size, double wanted);
/* The same for the coordinates of a point of A - B, which must show the signed distance. */
int digits_of_point(const story *s, graze_vec point);
/* A direction needs as many digits as its point, if d·w is otherwise lost in rounding. */
int digits_of_direction(const story *s, graze_vec direction, int digits_of_point);
/* A bound of the core distance must show its difference from r. */
int digits_of_bound(const story *s, double bound);
/* World points must show the distance, and their place on the shapes. */
int digits_of_witness(const story *s, graze_vec a, graze_vec b);

#endif
