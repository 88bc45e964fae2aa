/* Queries about two shapes: solved first, then written as an answer, so that `graze explain` can use the results. */
#ifndef GRAZE_CLI_PAIR_H
#define GRAZE_CLI_PAIR_H

#include "answer_writer.h"
#include "trace.h"

/* Memory that a thread reuses as the workspace of its queries. Initialise with zeros. */
typedef struct cli_buffer {
  void *data;
  size_t size;
} cli_buffer;

void cli_buffer_free(cli_buffer *buffer);

/* The maximum number of corners of a contact polygon. */
enum { CLI_MAX_CONTACTS = 145 };

/* The result of intersect, distance, penetration, obb or manifold. Initialise with zeros. */
typedef struct cli_pair_result {
  graze_answer answer;
  graze_certificate certificate;
  bool has_axis; /* obb, and distances by method sat */
  graze_axis axis;
  graze_contact contacts[CLI_MAX_CONTACTS]; /* manifold */
  size_t capacity, count;
  graze_surface surface;   /* with proof; it lies in the buffer */
  graze_part_proof *parts; /* owned; with proof, for compounds */
  graze_tracer tracer;
  cli_trace trace; /* with trace */
} cli_pair_result;

/* The caller frees the result, whatever is returned. */
bool cli_solve_pair(cli_request *r, cli_buffer *buffer, cli_pair_result *result, cli_error *error);
void cli_pair_result_free(cli_pair_result *result);

/* The result of minkowski: the vertices of the difference or sum of two polytopes. */
typedef struct cli_cso {
  graze_vec *points;
  graze_pair *pairs;
  size_t count;
  bool holds;
} cli_cso;

/* On success the caller frees both lists with free(). */
bool cli_solve_minkowski(cli_request *r, cli_buffer *buffer, cli_cso *cso, cli_error *error);

/* shapecast, toi, raycast. The steps of the certificate are stored in the options of the request until
 * cli_cast_free_steps(), which the caller calls whatever is returned. */
bool cli_solve_cast(cli_request *r, cli_buffer *buffer, graze_cast_result *result, graze_certificate *certificate,
                    cli_error *error);
void cli_cast_free_steps(cli_request *r);

/* Write the answers without their closing brace. */
void cli_print_pair_result(cli_text *out, const cli_request *r, const cli_pair_result *result);
void cli_print_minkowski(cli_text *out, const cli_request *r, const cli_cso *cso);
void cli_print_cast_result(cli_text *out, const cli_request *r, const graze_cast_result *result,
                           const graze_certificate *certificate);

#endif
