/* Answers as JSON. Each function adds one value or one `,"key":value`. */
#ifndef GRAZE_CLI_PRINT_H
#define GRAZE_CLI_PRINT_H

#include "complaint.h"
#include "question.h"
#include "text.h"

void cli_print_key(cli_text *out, const char *key);
void cli_print_word(cli_text *out, const char *key, const char *word);
void cli_print_real(cli_text *out, const char *key, double value);
void cli_print_int(cli_text *out, const char *key, long long value);
void cli_print_bool(cli_text *out, const char *key, bool value);

/* A list of `dim` numbers, or null where one is not finite. */
void cli_print_vec(cli_text *out, graze_vec v, int dim);
void cli_print_points(cli_text *out, const graze_vec *points, size_t count, int dim);
void cli_print_quaternion(cli_text *out, const graze_pose *pose);
/* [i, j], with a point in the place of the index where the core is curved; of motions, [i, j, 1] at the end of the
 * interval. */
void cli_print_pair(cli_text *out, const graze_pair *pair, int dim);
void cli_print_pairs(cli_text *out, const graze_pair *pairs, int count, int dim);
/* Do both name one point: by the same vertices, or where there is none, the same places? */
bool cli_same_pair(const graze_pair *p, const graze_pair *q);
/* {"pairs":[…],"faces":[…]}; in 2D without faces. */
void cli_print_surface(cli_text *out, const graze_surface *surface, int dim);

/* `"certificate"`; `bounds`: with what proves lower and upper. */
void cli_print_certificate(cli_text *out, const cli_request *q, const graze_answer *answer, bool bounds);

/* The same of a motion: what proves how it starts, both times or that it is clear, and the least distance, or the steps
 * of a sweep. */
void cli_print_cast_certificate(cli_text *out, const cli_request *q, const graze_cast_result *impact);

/* {"id":…,"line":…,"error":{…}} and a line break. */
void cli_print_error(cli_text *out, cli_span id, size_t line, const cli_error *complaint);

#endif
