/* The check of an answer line against its query line: the parser of answers, and the verdict. */
#ifndef GRAZE_CLI_VERDICT_H
#define GRAZE_CLI_VERDICT_H

#include "answers.h"
#include "command.h"

/* ---- answer_parser.c: the relation, the numbers, and the parts of the certificate */

/* Points of curved cores. Pairs refer to them by negative indices: -1 - k is point k. */
typedef struct cli_points {
  size_t count;
  graze_vec list[128];
} cli_points;

/* One part of a certificate: relation, lower or upper; of a cast also t_lower or t_upper. */
typedef struct cli_proof {
  bool given;
  graze_certificate_kind kind;
  graze_direction direction;
  bool pairs_given;
  int pair_count;
  graze_pair pairs[6];
  int32_t vertex;
  bool box_axes; /* the axes are those of two boxes */
  graze_depth_proof depth_proof;
  graze_surface surface;                      /* depth_proof BY_SURFACE; its lists belong to the answer */
  graze_internal_edge_touch internal_edge[2]; /* kind INTERNAL_EDGE */
} cli_proof;

/* An answer. Numbers that the line does not have are NaN. */
typedef struct cli_parsed {
  graze_relation relation; /* of a cast: at t = 0; 0 if the line has none: raycast */
  bool cutoff;             /* stopped at max_distance */
  bool certificate;
  cli_proof relation_proof, lower_proof, upper_proof;
  cli_points points;
  int32_t part_a, part_b;            /* compounds: the pair of parts that determines the answer */
  const json_t *pieces_a, *pieces_b; /* within the line: the pieces of a decomposed polygon */
  /* At rest. The lists are owned. */
  double distance, lower, upper;
  graze_pair *surface_pairs;
  int32_t (*surface_faces)[3];
  graze_vec *surface_points;
  graze_part_proof *parts; /* the certificates of all pairs of parts, or of pairs in the frontier */
  size_t part_count;
  graze_frontier frontier; /* no nodes: none is given */
  uint32_t *order_a, *order_b;
  /* Casts. */
  graze_cast_outcome outcome;
  double t, t_lower, t_upper, t_min;
  bool has_distance; /* the line has min_distance */
  double min_lower, min_upper;
  cli_proof t_lower_proof, t_upper_proof;
  graze_cast_step *steps; /* owned; NULL: the line has no list of steps */
  size_t step_count;
} cli_parsed;

/* Assembles a certificate from its parts: the relation, a direction, and pairs. */
graze_certificate cli_assemble(const cli_points *points, const cli_proof *relation, const graze_direction *direction,
                               const cli_proof *pairs);
/* Parses the answer to a request. The caller frees it whatever is returned. False: see error. */
bool cli_parse_answer(const json_t *root, const cli_request *r, cli_parsed *answer, cli_error *error);
void cli_parsed_free(cli_parsed *answer);

/* ---- check.c */

enum { CLI_VERIFY_JSON }; /* the option of cli_verify_verb */

/* The verdict on an answer. A worse verdict has a larger value, except CLI_ERROR_LINE. */
typedef enum cli_verdict { CLI_VERIFIED, CLI_UNPROVEN, CLI_REJECTED, CLI_ERROR_LINE, CLI_VERDICT_COUNT } cli_verdict;

/* *id receives the text of the id of the query. reason->message states why an answer is not verified. */
cli_verdict cli_check(const cli_line *query, const cli_line *answer, cli_span *id, cli_error *reason);

#endif
