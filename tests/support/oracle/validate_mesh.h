/* Validates answers about meshes: against the exact relation of the sets, and against the exact truth about each pair
 * of parts, which are the faces of meshes and other shapes as a whole. The functions return NULL, or the first error.
 */
#ifndef ORACLE_VALIDATE_MESH_H
#define ORACLE_VALIDATE_MESH_H

#include <graze/mesh.h>

#include "support/oracle/mesh.h"
#include "support/oracle/validate_cast.h"
#include "support/random.h"

/* A mesh, or a convex shape with the same faces; `set` has the pose. The margin of a shape, and the radius of a sphere,
 * are not in `set`. A half-space has no faces; against it the pairs of parts decide. */
typedef struct mesh_member {
  mesh_body set;
  graze_shape shape;
} mesh_member;

typedef struct mesh_query {
  const mesh_member *a, *b;
  double clearance;
} mesh_query;

/* Workspaces for pairs of parts. */
typedef struct mesh_oracle {
  oracle *o, *other;
} mesh_oracle;

mesh_oracle mesh_oracle_new(void);
void mesh_oracle_free(mesh_oracle *m);

/* Whether one of the shapes is a solid mesh. */
bool mesh_query_solid(const mesh_query *q);

/* The relation; 0 if the two methods contradict each other. */
graze_relation mesh_truth(const mesh_oracle *m, const mesh_query *q);

/* The answers of graze_intersect() and graze_distance() to a query with this relation. `random` chooses directions that
 * must not end an overlap. */
const char *validate_mesh_intersect(graze_relation truth, const mesh_query *q, const proved_answer *x);
const char *validate_mesh_distance(const mesh_oracle *m, const mesh_query *q, graze_relation truth, rng *random,
                                   const proved_answer *x);

/* A linear cast, or a ray along B's velocity from the position of the point B. */
typedef struct mesh_cast {
  mesh_query query;
  graze_vec velocity_a, velocity_b;
  double t_max; /* finite */
  bool ray;
} mesh_cast;

/* The relation at the start, and whether bodies that start separated have a contact. */
typedef struct mesh_cast_truth {
  graze_relation starts;
  bool hit;
} mesh_cast_truth;

mesh_cast_truth mesh_cast_solve(const mesh_oracle *m, const mesh_cast *c);
const char *validate_mesh_cast(const mesh_oracle *m, const mesh_cast *c, const mesh_cast_truth *truth, rng *random,
                               const proved_cast *x);

/* The query as a line, for a report. */
void print_mesh_query(FILE *out, const char *query, const mesh_query *q);
void print_mesh_cast(FILE *out, const mesh_cast *c);

#endif
