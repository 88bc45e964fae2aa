/* Queries about pairs of which one is a mesh: each answer is validated by the exact oracle and the verifier, and
 * counted. The first failures are printed with their query. */
#ifndef TESTS_SUPPORT_MESH_CHECKS_H
#define TESTS_SUPPORT_MESH_CHECKS_H

#include "support/meshes.h"

typedef struct mesh_tally {
  const char *name;
  int queries, relation[5], hits, failed;
  int by_closed_form;         /* rays */
  int proved[5], unproved[5]; /* answers with a frontier, by relation */
} mesh_tally;

/* graze_intersect() and graze_distance(), in both orders. Returns the relation. */
graze_relation mesh_check(const mesh_oracle *m, const mesh_query *q, rng *random, mesh_tally *sum);

/* mesh_check() of random pairs of kinds from two ranges, in all placements; asserts the least shares of relations in
 * per cent. `rounded`: rotated bodies with margins and clearances. */
typedef struct mesh_plan {
  const char *name;
  uint64_t seed;
  int dim;
  const int *kinds_a, *kinds_b;
  bool rounded;
  int count, separated, touching, overlapping;
} mesh_plan;
void mesh_run(const mesh_plan *plan);

/* graze_contains(); B is a point. */
void mesh_check_point(const mesh_oracle *m, const mesh_query *q, mesh_tally *sum);

/* graze_cast(), in both orders, or graze_raycast(). */
void mesh_check_cast(const mesh_oracle *m, const mesh_cast *c, rng *random, mesh_tally *sum);

/* Prints the counts. Asserts that nothing failed, and that each relation has this share, in per cent, or more. */
void mesh_expect(const mesh_tally *sum, int separated, int touching, int overlapping);

#endif
