/* The internal form of a certificate. It differs from graze_certificate in its pairs: they hold the local points
 * besides the indices. */
#ifndef GRAZE_SHAPE_PROOF_H
#define GRAZE_SHAPE_PROOF_H

#include "core/vec.h"

/* A point of the CSO by its parents: core vertices, or index -1 and a local point of a curved shape. */
typedef struct grz_pair {
  int32_t a, b;
  graze_vec point_a, point_b;
  int32_t end; /* in motion: 1 at the end of the interval, 0 at its start */
} grz_pair;

typedef struct grz_direction {
  graze_direction_form form;
  graze_vec vector;
  int sign, axis;
  int count;
  grz_pair pairs[4];
} grz_direction;

typedef struct grz_edge_touch {
  int32_t part_a, part_b;
  int sign;
  int pair_count;
  grz_pair pairs[4];
} grz_edge_touch;

typedef struct grz_proof {
  graze_certificate_kind kind;
  grz_direction direction;
  int pair_count;
  grz_pair pairs[6];
  int32_t vertex; /* for HALFSPACE: a core vertex, or -1 for vertex_point */
  graze_vec vertex_point;
  graze_depth_proof depth_proof;
  const graze_surface *surface;
  grz_edge_touch internal_edge[2];
} grz_proof;

/* Clears a proof: it has no direction and no pairs, and proves nothing. */
static inline void grz_proof_clear(grz_proof *proof) {
  proof->kind = GRAZE_CERTIFICATE_NONE;
  proof->direction.form = GRAZE_DIRECTION_NONE;
  proof->direction.count = 0;
  proof->pair_count = 0;
  proof->vertex = -1;
  proof->depth_proof = GRAZE_DEPTH_BY_PAIRS;
  proof->surface = NULL;
}

/* Writes the public form, without parts and steps. */
void grz_proof_write(const grz_proof *proof, graze_certificate *certificate);

/* Reads the public form, which is untrusted. Returns false if a count or an index is out of range. */
bool grz_proof_read(const graze_certificate *certificate, grz_proof *proof);

/* Reads one pair with the points of its certificate or surface. */
bool grz_pair_read(const graze_pair *pair, const graze_vec *points, size_t point_count, grz_pair *read);

/* The answer of a query while it is computed, with its proof. The public functions copy the answer, and write the
 * certificate if the caller wants it. */
typedef struct grz_result {
  graze_answer answer;
  grz_proof proof;
} grz_result;

/* The result of a cast while it is computed. */
typedef struct grz_cast_result {
  graze_cast_result cast;
  grz_proof proof;
  const graze_cast_step *steps;
  size_t step_count;
} grz_cast_result;

#endif
