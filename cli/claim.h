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
} cli_proof;

typedef struct cli_claim {
  graze_relation relation;
  double distance, lower, upper; /* NaN where the line has none */
  bool cutoff;                   /* stopped beyond max_distance */
  bool certificate;
  cli_proof relation_proof, lower_proof, upper_proof;
} cli_claim;

/* Reads the claims of an answer about two shapes. False: it is malformed, and complaint->message says how. */
bool cli_claim_read(const json_t *root, int dim, cli_claim *claim, cli_complaint *complaint);

#endif
