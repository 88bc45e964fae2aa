/* The writer of text, SVG and JSON, and the number of digits that a reader needs. */
#ifndef GRAZE_CLI_FORMAT_H
#define GRAZE_CLI_FORMAT_H

#include "explain/story.h"

#include <stdarg.h>

/* Appends a sentence, or nothing if it does not apply. */
typedef void sentence(cli_text *out, const story *s);
/* The same about one of several steps, moments or bodies. */
typedef void step_sentence(cli_text *out, const story *s, size_t k);

/* Appends `format`. A directive stands for the next arguments:
 *
 *   %s  const char *                  text                  %t  const cli_text *  another text
 *   %i  int                           integer               %z  size_t            integer
 *   %n  double                        up to DIGITS digits   %x  double            all digits
 *   %r  double, int                   so many digits
 *   %v  graze_vec, int dim            "(1, 2)"              %w  graze_vec, int dim, int digits
 *   %c  size_t, const char *, const char *                  a count: "1 step", "7 steps"
 *   %P  const graze_cso_point *       "A2 − B0"
 *   %p  const graze_cso_point *, int dim, int digits        the same, or its coordinates if a core is curved
 *   %B  const story_body *, const char *name                "part 3 of A", or "A"
 *   %S  sentence *, const story *     another sentence      %K  step_sentence *, const story *, size_t
 *
 *   JSON: %q const char * quoted, %Y %Q the sentences %S %K quoted, %b bool, %j double (null if not finite), %V
 * graze_vec, int dim SVG:  %d double with one decimal, %h const char * escaped
 *
 * Numbers for readers have a true minus sign, "∞" and "?". */
void emit(cli_text *out, const char *format, ...);
void emit_list(cli_text *out, const char *format, va_list list);

enum { DIGITS = 6, ALL_DIGITS = 17 };

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

/* The text as a C string, which is valid until the text changes. Without memory `out` fails and it is "". */
const char *text_string(cli_text *out, cli_text *text);

/* Appends the k-th of the sentences that apply. False: there are at most k. */
bool sentence_choose(cli_text *out, const story *s, sentence *const *sentences, size_t count, size_t k);

#endif
