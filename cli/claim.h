/* An answer line, read back: what it claims, and the three parts of its certificate. */
#ifndef GRAZE_CLI_CLAIM_H
#define GRAZE_CLI_CLAIM_H

#include "json.h"

/* What one part of a certificate says. */
typedef struct cli_proof {
  bool given;
  graze_certificate_kind kind;
  graze_direction direction;
  bool pairs_given;
  int pair_count;
  graze_pair pairs[6];
  int32_t vertex;
  graze_vec vertex_point;
  graze_depth_proof depth_proof;
  graze_surface surface;             /* BY_SURFACE; its lists are the claim's */
  graze_internal_edge_touch seam[2]; /* SEAM */
} cli_proof;

typedef struct cli_claim {
  graze_relation relation;
  double distance, lower, upper; /* NaN where the line has none */
  bool cutoff;                   /* stopped beyond max_distance */
  bool certificate;
  cli_proof relation_proof, lower_proof, upper_proof;
  graze_pair *surface_pairs; /* owned, NULL where there is none */
  int32_t (*surface_faces)[3];
  int32_t part_a, part_b;  /* compounds: the pair that decides */
  graze_part_proof *parts; /* owned; the certificates of all pairs, where the line has them */
  size_t part_count;
  const json_t *pieces_a, *pieces_b; /* within the line: the pieces of a decomposed polygon */
} cli_claim;

/* What an answer about motion claims. */
typedef struct cli_cast_claim {
  graze_cast_outcome result;
  graze_relation starts;             /* 0 where the line does not say: raycast */
  double t, t_lower, t_upper, t_min; /* NaN where the line has none */
  bool passing;                      /* min_distance is there */
  double min_lower, min_upper;       /* NaN where the line has none */
  bool certificate;
  cli_proof relation, free, meets, lower, upper; /* free: t_lower; meets: t_upper */
  graze_cast_step *steps;                        /* owned; NULL: the line has no steps. A list may be empty */
  size_t step_count;
  int32_t part_a, part_b;
  const json_t *pieces_a, *pieces_b;
} cli_cast_claim;

/* Reads the claims of an answer to shapecast or toi, or of one to raycast; end with cli_cast_claim_free(), whatever
 * comes. False as below. */
bool cli_cast_claim_read(const json_t *root, int dim, bool ray, cli_cast_claim *claim, cli_error *complaint);
void cli_cast_claim_free(cli_cast_claim *claim);

/* Reads the claims of an answer about two shapes; end with cli_claim_free(), whatever comes. False: it is malformed, or
 * memory ran out, and the complaint says which and how. */
bool cli_claim_read(const json_t *root, int dim, cli_claim *claim, cli_error *complaint);
void cli_claim_free(cli_claim *claim);

#endif
