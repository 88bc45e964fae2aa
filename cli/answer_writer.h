/* Writes answers as JSON: their first and last members, certificates, and error lines. */
#ifndef GRAZE_CLI_ANSWER_WRITER_H
#define GRAZE_CLI_ANSWER_WRITER_H

#include "request.h"

/* `{"id":…`, with the text of the id; and `{"id":…,"query":…`, the beginning of every answer. */
void cli_print_id(cli_text *out, cli_span id);
void cli_print_begin(cli_text *out, const cli_request *r);
void cli_print_path(cli_text *out, const char *path, int iterations);
/* The half-angle pairs of rotations that were given as angles. */
void cli_print_rotations(cli_text *out, const cli_request *r);

/* [i,j]; a curved core has a point of `points` instead of an index; [i,j,1] is at the end of a time interval. */
void cli_print_pairs(cli_text *out, const graze_pair *pairs, int count, const graze_vec *points, int dim);
/* {"pairs":[…],"faces":[…]}; in 2D without faces. */
void cli_print_surface(cli_text *out, const graze_surface *surface, int dim);

/* The member `certificate`; `bounds`: with the proofs of lower and upper. */
void cli_print_certificate(cli_text *out, const cli_request *r, const graze_answer *answer,
                           const graze_certificate *certificate, bool bounds);
/* The member `certificate` of a cast: it proves the relation at t = 0, the times or that the motion is clear, and the
 * least distance; or it contains the steps of a sweep. */
void cli_print_cast_certificate(cli_text *out, const cli_request *r, const graze_cast_result *result,
                                const graze_certificate *certificate);

/* {"id":…,"line":…,"error":{…}} and a line break. */
void cli_print_error(cli_text *out, cli_span id, size_t line, const cli_error *error);

#endif
