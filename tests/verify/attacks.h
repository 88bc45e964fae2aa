/* Hand-made answers, and attacks on them: changes of a correct answer that the verifier must reject. */
#ifndef TESTS_VERIFY_ATTACKS_H
#define TESTS_VERIFY_ATTACKS_H

#include "support/geometry.h"
#include "support/query.h"

/* A certificate with the local points beside the indices of each pair: index -1 is a point of a curved shape. Attacks
 * change it freely; editable_verify() converts it to the public form. */
typedef struct editable_pair {
  int32_t a, b;
  graze_vec point_a, point_b;
  int32_t end;
} editable_pair;

typedef struct editable_direction {
  graze_direction_form form;
  graze_vec vector;
  int sign, axis;
  int count;
  editable_pair pairs[4];
} editable_direction;

typedef struct editable_touch {
  int32_t part_a, part_b;
  int sign;
  int pair_count;
  editable_pair pairs[4];
} editable_touch;

typedef struct editable_surface {
  size_t pair_count, face_count;
  const editable_pair *pairs;
  const int32_t (*faces)[3];
} editable_surface;

typedef struct editable_certificate {
  graze_certificate_kind kind;
  editable_direction direction;
  int pair_count;
  editable_pair pairs[6];
  int32_t vertex;
  graze_vec vertex_point;
  graze_depth_proof depth_proof;
  const editable_surface *surface;
  editable_touch internal_edge[2];
} editable_certificate;

typedef struct editable_part_proof {
  int32_t part_a, part_b;
  editable_certificate certificate;
} editable_part_proof;

__extension__ typedef struct editable_answer {
  struct graze_answer;
  editable_certificate certificate;
  const editable_part_proof *parts;
  size_t part_count;
} editable_answer;

/* An answer of the library, without surface and parts. */
editable_answer editable_answer_of(const proved_answer *answer);

/* graze_verify() of the public form. */
graze_status editable_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                             const editable_answer *answer);

/* A query and an answer to it. The functions with_… return a changed copy. */
typedef struct verify_case {
  graze_placed a, b;
  graze_options options;
  editable_answer answer;
} verify_case;

/* Without direction, pairs and numbers; the numbers of touching are 0. */
verify_case case_make(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_relation relation,
                      graze_certificate_kind kind);
verify_case separated(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b);
verify_case touching(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b);
verify_case overlapping(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b,
                        graze_certificate_kind kind);

/* A list of pairs as one argument: PAIRS(vertices(0, 1), …). */
typedef struct pair_list {
  int count;
  const editable_pair *at;
} pair_list;
#define PAIRS(...)                                                                                                     \
  ((pair_list){(int)COUNT(((const editable_pair[]){__VA_ARGS__})), (const editable_pair[]){__VA_ARGS__}})

editable_pair vertices(int a, int b);
editable_pair points(int a, graze_vec point_a, int b, graze_vec point_b); /* index -1: a point in the local frame */

verify_case with_vector(verify_case c, double x, double y, double z);
verify_case with_direction(verify_case c, graze_direction_form form, int sign, int axis, pair_list pairs);
verify_case with_nearest(verify_case c, pair_list pairs);
verify_case with_pairs(verify_case c, pair_list pairs);
verify_case with_interval(verify_case c, double lower, double distance, double upper);
verify_case with_relation(verify_case c, graze_relation relation, graze_certificate_kind kind);
verify_case with_clearance(verify_case c, double clearance);
verify_case exchanged(verify_case c); /* A and B */

/* All pairs of parts by graze_distance(): relation, bounds, the deciding pair, and proofs, CASE_PROOFS at most. */
enum { CASE_PROOFS = 36 };
verify_case case_of_parts(const graze_placed *a, const graze_placed *b, editable_part_proof *proofs);

graze_status case_status(const verify_case *c);

/* Asserts what graze_verify() returns. */
#define expect(c, status) expect_at(c, status, __FILE__, __LINE__)
void expect_at(verify_case c, graze_status status, const char *file, int line);

/* The answer is accepted and every attack is rejected. check_tight(): also, neither bound can move inward by one ulp.
 */
#define check(c) check_at(c, false, __FILE__, __LINE__)
#define check_tight(c) check_at(c, true, __FILE__, __LINE__)
void check_at(verify_case c, bool tight, const char *file, int line);

/* Asserts GRAZE_REFUTED with each of the values in a field of the case `c`, or of an array that `c` points to;
 * then restores the field. REJECT_EACH() allows GRAZE_UNPROVEN too. The field's own value is skipped. */
#define REFUTE_EACH(c, type, field, ...)                                                                               \
  reject_each(c, false, &(field), sizeof(type), COUNT(((type[]){__VA_ARGS__})), (type[]){__VA_ARGS__}, #field)
#define REJECT_EACH(c, type, field, ...)                                                                               \
  reject_each(c, true, &(field), sizeof(type), COUNT(((type[]){__VA_ARGS__})), (type[]){__VA_ARGS__}, #field)
void reject_each(const verify_case *c, bool or_unproven, void *field, size_t size, size_t count, const void *values,
                 const char *what);

/* A surface with its points; points[i] is vertex i of the hull A, B is one point. */
enum { SURFACE_PAIRS = 40, SURFACE_FACES = 72 };
typedef struct closed_surface {
  graze_vec point[SURFACE_PAIRS];
  editable_pair pair[SURFACE_PAIRS];
  int32_t face[SURFACE_FACES][3];
  editable_surface surface;
} closed_surface;

/* Completes a surface whose points and faces are set; a polygon (2D) has no faces. */
void surface_close(closed_surface *s, size_t points, size_t faces);

/* The hull of the points against a point at its origin, overlapping; `inside` are the vertices that enclose it. */
verify_case surface_case(const closed_surface *s, graze_pose pose, int count, const int *inside);

/* Asserts that -depth is accepted as upper bound, and refuted one ulp deeper. */
void expect_depth(verify_case c, double depth);

#endif
