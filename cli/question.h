/* A question: one line of the text form, read into shapes, poses and options. */
#ifndef GRAZE_CLI_QUESTION_H
#define GRAZE_CLI_QUESTION_H

#include "json.h"
#include "lines.h"

typedef enum cli_query {
  CLI_INTERSECT,
  CLI_DISTANCE,
  CLI_PENETRATION,
  CLI_OBB,
  CLI_MANIFOLD,
  CLI_MINKOWSKI,
  CLI_AABB
} cli_query;

/* Only these boxes of the shapes are asked about. */
typedef enum cli_filter { CLI_FILTER_NONE, CLI_FILTER_AABB, CLI_FILTER_OBB } cli_filter;

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
  cli_filter filter;
  bool certificate, proof, trace;
  bool full;             /* manifold: the whole polygon */
  graze_minkowski_of of; /* minkowski */
} cli_question;

/* Reads a line; what it does not say remains as in `defaults`. False: complaint says why, and only `id` is set.
 * Otherwise end with cli_question_free(). */
bool cli_question_read(const cli_line *line, const graze_options *defaults, cli_question *question,
                       cli_complaint *complaint);
void cli_question_free(cli_question *question);

const char *cli_query_text(cli_query query);
/* Is the signed distance, with its interval, part of the answer? */
bool cli_asks_distance(cli_query query);
const char *cli_method_text(graze_method method);

/* Reads a placed shape; `outline`: a concave polygon will do, since only its bounds are asked. */
bool cli_body_read(json_t *value, const char *owner, int dim, bool outline, cli_body *body, cli_complaint *complaint);
void cli_body_free(cli_body *body);

#endif
