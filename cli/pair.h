/* The questions about two shapes, apart from how their answers are shown. */
#ifndef GRAZE_CLI_PAIR_H
#define GRAZE_CLI_PAIR_H

#include "asked.h"
#include "trace.h"

/* No contact polygon has more corners. */
enum { CLI_MOST_CONTACTS = 145 };

/* What is found out about a pair. Zero it to begin. */
typedef struct cli_pair_result {
  graze_answer answer;
  bool has_axis; /* obb, and distances by separating axes */
  graze_axis axis;
  graze_contact contacts[CLI_MOST_CONTACTS]; /* manifold */
  size_t capacity, count;
  graze_surface surface;   /* with proof; it lies in the room */
  graze_part_proof *parts; /* owned; with proof, of compounds */
  cli_trace trace;         /* where the question asks for it */
} cli_pair_result;

/* Asks one of intersect, distance, penetration, obb, manifold. End with cli_pair_result_free(), whatever comes. */
bool cli_solve_pair(cli_request *q, cli_buffer *room, cli_pair_result *finding, cli_error *complaint);
void cli_pair_result_free(cli_pair_result *finding);

/* The Minkowski difference or sum of two polytopes. */
typedef struct cli_cso {
  graze_vec *points; /* owned by who asks: free() */
  graze_pair *pairs;
  size_t count;
  bool holds;
} cli_cso;

/* minkowski. On success the caller frees both lists. */
bool cli_solve_minkowski(cli_request *q, cli_buffer *room, cli_cso *set, cli_error *complaint);

/* The answer lines, without their last brace. */
void cli_print_pair_result(cli_text *out, const cli_request *q, const cli_pair_result *finding);
void cli_print_minkowski(cli_text *out, const cli_request *q, const cli_cso *set);

#endif
