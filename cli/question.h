/* A question: one line of the text form, read into shapes, poses and options. */
#ifndef GRAZE_CLI_QUESTION_H
#define GRAZE_CLI_QUESTION_H

#include "json.h"
#include "lines.h"

typedef enum cli_query { CLI_INTERSECT, CLI_DISTANCE, CLI_AABB } cli_query;

/* A placed shape. */
typedef struct cli_body {
  graze_placed placed;
  graze_vec *vertices; /* owned; placed.shape points to it */
  bool angle_given;    /* 2D: the rotation came as an angle, and answers echo its half-angle pair */
} cli_body;

typedef struct cli_question {
  cli_span id; /* within the line */
  cli_query query;
  int dim;
  cli_body a, b;
  graze_options options;
  bool filter; /* only the bounds are asked about */
  bool certificate, trace;
} cli_question;

/* Reads a line; what it does not say remains as in `defaults`. False: complaint says why, and only `id` is set.
 * Otherwise end with cli_question_free(). */
bool cli_question_read(const cli_line *line, const graze_options *defaults, cli_question *question,
                       cli_complaint *complaint);
void cli_question_free(cli_question *question);

const char *cli_query_text(cli_query query);

/* Reads a placed shape; `outline`: a concave polygon will do, since only its bounds are asked. */
bool cli_body_read(json_t *value, const char *owner, int dim, bool outline, cli_body *body, cli_complaint *complaint);
void cli_body_free(cli_body *body);

#endif
