/* Parses an answer line: the relation, the numbers, and the parts of the certificate. */
#ifndef GRAZE_CLI_ANSWER_PARSER_H
#define GRAZE_CLI_ANSWER_PARSER_H

#include "json.h"

/* Points of curved cores. Pairs refer to them by negative indices: -1 - k is point k. */
typedef struct cli_points {
  size_t count;
  graze_vec list[128];
} cli_points;

/* One part of a certificate: relation, lower or upper; in a cast also t_lower or t_upper. */
typedef struct cli_proof {
  bool given;
  graze_certificate_kind kind;
  graze_direction direction;
  bool pairs_given;
  int pair_count;
  graze_pair pairs[6];
  int32_t vertex;
  graze_depth_proof depth_proof;
  graze_surface surface;                      /* depth_proof BY_SURFACE; its lists belong to the answer */
  graze_internal_edge_touch internal_edge[2]; /* kind INTERNAL_EDGE */
} cli_proof;

/* An answer about two shapes at rest. Numbers that the line does not have are NaN. */
typedef struct cli_parsed_answer {
  graze_relation relation;
  double distance, lower, upper;
  bool cutoff; /* stopped at max_distance */
  bool certificate;
  cli_proof relation_proof, lower_proof, upper_proof;
  cli_points points;
  graze_pair *surface_pairs; /* owned, as the next two */
  int32_t (*surface_faces)[3];
  graze_vec *surface_points;
  int32_t part_a, part_b;  /* compounds: the pair of parts that determines the answer */
  graze_part_proof *parts; /* owned; the certificates of all pairs of parts */
  size_t part_count;
  const json_t *pieces_a, *pieces_b; /* within the line: the pieces of a decomposed polygon */
} cli_parsed_answer;

/* An answer about motion. */
typedef struct cli_parsed_cast {
  graze_cast_outcome outcome;
  graze_relation start_relation; /* 0 if the line has none: raycast */
  double t, t_lower, t_upper, t_min;
  bool has_distance; /* the line has min_distance */
  double min_lower, min_upper;
  bool certificate;
  cli_proof relation, t_lower_proof, t_upper_proof, lower, upper;
  cli_points points;
  graze_cast_step *steps; /* owned; NULL: the line has no list of steps */
  size_t step_count;
  int32_t part_a, part_b;
  const json_t *pieces_a, *pieces_b;
} cli_parsed_cast;

/* Assembles a certificate from its parts: the relation, a direction, and pairs. */
graze_certificate cli_assemble(const cli_points *points, const cli_proof *relation, const graze_direction *direction,
                               const cli_proof *pairs);

/* The caller frees the answer whatever is returned. False: the line is malformed, or out of memory: see error. */
bool cli_parse_answer(const json_t *root, int dim, cli_parsed_answer *answer, cli_error *error);
void cli_parsed_answer_free(cli_parsed_answer *answer);

/* `ray`: an answer to raycast. */
bool cli_parse_cast(const json_t *root, int dim, bool ray, cli_parsed_cast *cast, cli_error *error);
void cli_parsed_cast_free(cli_parsed_cast *cast);

#endif
