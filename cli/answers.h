/* The answers of `graze query`. `graze explain` uses the results of queries about two shapes, too. */
#ifndef GRAZE_CLI_ANSWERS_H
#define GRAZE_CLI_ANSWERS_H

#include "queries.h"

/* ---- answer_writer.c: the first and last members of answers, certificates, and error lines */

/* `{"id":…`, with the text of the id; and `{"id":…,"query":…`, the beginning of every answer. */
void cli_print_id(cli_text *out, cli_span id);
void cli_print_begin(cli_text *out, const cli_request *r);
void cli_print_path(cli_text *out, const char *path, int iterations);
/* The half-angle pairs of rotations that were given as angles. */
void cli_print_rotations(cli_text *out, const cli_request *r);

/* The key of a part of A (side 0) or B (side 1): part_a, or triangle_a for the faces of meshes, in 2D, too. */
const char *cli_part_key(const cli_body *body, int side);

/* The words of answers for graze_certificate_kind and graze_direction_form (answer_parser.c). */
extern const char *const cli_kinds[], *const cli_forms[], *const cli_frontier_kinds[];

/* {"pairs":[…],"faces":[…]}; in 2D without faces. */
void cli_print_surface(cli_text *out, const graze_surface *surface, int dim);
/* The member `certificate`; `bounds`: with the proofs of lower and upper. */
void cli_print_certificate(cli_text *out, const cli_request *r, const graze_answer *answer,
                           const graze_certificate *certificate, bool bounds);
/* The same of a cast: it proves the relation at t = 0, the times or clearness, and the least distance. */
void cli_print_cast_certificate(cli_text *out, const cli_request *r, const graze_cast_result *result,
                                const graze_certificate *certificate);
/* {"id":…,"line":…,"error":{…}} and a line break. */
void cli_print_error(cli_text *out, cli_span id, size_t line, const cli_error *error);

/* ---- trace.c: the steps of a search, and the axes that were tested */

/* Owns the polytopes of its steps. Steps above a fixed number are only counted; large polytopes are not recorded. */
typedef struct cli_trace {
  graze_trace_step *steps;
  size_t count, capacity, total;
  graze_axis *axes; /* the first ones in the order of the tests; then the best one, if it came later */
  size_t axis_count, axis_capacity, axis_total;
  size_t best_axis; /* its number among all; the first of equal ones */
  bool failed;      /* out of memory */
} cli_trace;

/* Discards what was recorded. */
void cli_trace_begin(cli_trace *trace);
void cli_trace_free(cli_trace *trace);
/* A graze_trace_function and a graze_axis_function; the context is a cli_trace. */
void cli_trace_step(void *context, const graze_trace_step *step);
bool cli_trace_axis(void *context, const graze_axis *axis);
/* Returns the index of the best axis in trace->axes, which must not be empty. */
size_t cli_trace_best(const cli_trace *trace);
/* Appends `,"trace":[…],"stop":…`, and `,"trace_after":[…]`: the steps that refine the result, if any. */
void cli_print_trace(cli_text *out, const cli_trace *trace, int dim);

/* ---- pair.c */

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
  graze_part_proof *parts; /* owned; with proof, for compounds and meshes */
  graze_frontier frontier; /* its nodes are owned; with proof, for meshes */
  graze_tracer tracer;
  cli_trace trace; /* with trace */
} cli_pair_result;

/* Reports the status of a query; always returns false. */
bool cli_reject_status(const cli_request *r, graze_status status, cli_error *error);
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

/* The caller frees both lists with free(), whatever is returned. */
bool cli_solve_minkowski(cli_request *r, cli_buffer *buffer, cli_cso *cso, cli_error *error);
/* shapecast, toi, raycast. The steps of the certificate are stored in the options of the request, which frees them. */
bool cli_solve_cast(cli_request *r, cli_buffer *buffer, graze_cast_result *result, graze_certificate *certificate,
                    cli_error *error);
/* Write the answers without their closing brace. */
void cli_print_pair_result(cli_text *out, const cli_request *r, const cli_pair_result *result);
void cli_print_minkowski(cli_text *out, const cli_request *r, const cli_cso *cso);
void cli_print_cast_result(cli_text *out, const cli_request *r, const graze_cast_result *result,
                           const graze_certificate *certificate);

/* ---- answer.c */

/* Appends the answer to a query line, or its error line. False: an error line. */
bool cli_answer(const cli_line *line, cli_buffer *buffer, cli_text *out);

/* ---- solid.c */

/* Rejects a mesh that must be solid but is not closed or not consistently oriented. */
bool cli_check_solid(const cli_body *body, const char *name, cli_error *error);

/* ---- polygon.c: concave polygons */

/* Replaces a polygon that is to be decomposed by the compound of its pieces, and checks a mesh that must be solid. */
bool cli_prepare_body(cli_body *body, const char *name, cli_error *error);
bool cli_prepare_bodies(cli_request *r, cli_error *error); /* both */

/* The queries convexity and decompose. */
bool cli_answer_convexity(const cli_request *r, cli_text *out, cli_error *error);
bool cli_answer_decompose(const cli_request *r, cli_text *out, cli_error *error);

#endif
