/* Hand-made answers, and attacks on them: changes of a correct answer that the verifier must reject. */
#ifndef TESTS_VERIFY_CLAIMS_H
#define TESTS_VERIFY_CLAIMS_H

#include "support/geometry.h"
#include "support/query.h"

/* A certificate with the local points beside the indices of each pair: index -1 is a point of a curved shape. Attacks
 * change it freely; claim_verify() converts it to the public form. */
typedef struct claim_pair {
  int32_t a, b;
  graze_vec point_a, point_b;
  int32_t end;
} claim_pair;

typedef struct claim_direction {
  graze_direction_form form;
  graze_vec vector;
  int sign, axis;
  int count;
  claim_pair pairs[4];
} claim_direction;

typedef struct claim_touch {
  int32_t part_a, part_b;
  int sign;
  int pair_count;
  claim_pair pairs[4];
} claim_touch;

typedef struct claim_surface {
  size_t pair_count, face_count;
  const claim_pair *pairs;
  const int32_t (*faces)[3];
} claim_surface;

typedef struct claim_certificate {
  graze_certificate_kind kind;
  claim_direction direction;
  int pair_count;
  claim_pair pairs[6];
  int32_t vertex;
  graze_vec vertex_point;
  graze_depth_proof depth_proof;
  const claim_surface *surface;
  claim_touch internal_edge[2];
} claim_certificate;

typedef struct claim_part_proof {
  int32_t part_a, part_b;
  claim_certificate certificate;
} claim_part_proof;

__extension__ typedef struct claim_answer {
  struct graze_answer;
  claim_certificate certificate;
  const claim_part_proof *parts;
  size_t part_count;
} claim_answer;

/* An answer of the library, without surface and parts. */
claim_answer claim_of_answer(const proved_answer *answer);

/* graze_verify() of the public form. */
graze_status claim_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          const claim_answer *answer);

/* A query and an answer to it. The functions with_… return a changed copy. */
typedef struct claim {
  graze_placed a, b;
  graze_options options;
  claim_answer answer;
} claim;

/* Without direction, pairs and numbers; the numbers of touching are 0. */
claim claim_make(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_relation relation,
                 graze_certificate_kind kind);
claim separated(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b);
claim touching(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b);
claim overlapping(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_certificate_kind kind);

/* A list of pairs as three arguments would be: PAIRS(vertices(0, 1), …). */
typedef struct pair_list {
  int count;
  const claim_pair *at;
} pair_list;
#define PAIRS(...) ((pair_list){(int)COUNT(((const claim_pair[]){__VA_ARGS__})), (const claim_pair[]){__VA_ARGS__}})

claim_pair vertices(int a, int b);
claim_pair points(int a, graze_vec point_a, int b, graze_vec point_b); /* index -1: a point in the local frame */

claim with_vector(claim c, double x, double y, double z);
claim with_direction(claim c, graze_direction_form form, int sign, int axis, pair_list pairs);
claim with_nearest(claim c, pair_list pairs);
claim with_pairs(claim c, pair_list pairs);
claim with_interval(claim c, double lower, double distance, double upper);
claim with_relation(claim c, graze_relation relation, graze_certificate_kind kind);
claim with_clearance(claim c, double clearance);
claim exchanged(claim c); /* A and B */

/* All pairs of parts by graze_distance(): relation, bounds, the deciding pair, and proofs, CLAIM_PROOFS at most. */
enum { CLAIM_PROOFS = 36 };
claim claim_of_parts(const graze_placed *a, const graze_placed *b, claim_part_proof *proofs);

graze_status claim_status(const claim *c);

/* Asserts what graze_verify() returns. */
#define expect(c, status) expect_at(c, status, __FILE__, __LINE__)
void expect_at(claim c, graze_status status, const char *file, int line);

/* The claim is accepted and every attack rejected; check_tight(): nor can lower and upper move inward by one ulp. */
#define check(c) check_at(c, false, __FILE__, __LINE__)
#define check_tight(c) check_at(c, true, __FILE__, __LINE__)
void check_at(claim c, bool tight, const char *file, int line);

/* Asserts GRAZE_REFUTED with each of the values in a field of the claim `c`, or of an array that `c` points to; then
 * restores the field. REJECT_EACH() allows GRAZE_UNPROVEN too. The field's own value is skipped. */
#define REFUTE_EACH(c, type, field, ...)                                                                               \
  reject_each(c, false, &(field), sizeof(type), COUNT(((type[]){__VA_ARGS__})), (type[]){__VA_ARGS__}, #field)
#define REJECT_EACH(c, type, field, ...)                                                                               \
  reject_each(c, true, &(field), sizeof(type), COUNT(((type[]){__VA_ARGS__})), (type[]){__VA_ARGS__}, #field)
void reject_each(const claim *c, bool or_unproven, void *field, size_t size, size_t count, const void *values,
                 const char *what);

/* A surface with its points; points[i] is vertex i of the hull A, B is one point. */
enum { SKIN_PAIRS = 40, SKIN_FACES = 72 };
typedef struct skin {
  graze_vec point[SKIN_PAIRS];
  claim_pair pair[SKIN_PAIRS];
  int32_t face[SKIN_FACES][3];
  claim_surface surface;
} skin;

/* Completes a skin with its points and faces set; a polygon (2D) has no faces. */
void skin_close(skin *s, size_t points, size_t faces);

/* The hull of the points against a point at its origin, overlapping; `inside` are the vertices that enclose it. */
claim claim_skin(const skin *s, graze_pose pose, int count, const int *inside);

/* Asserts that -depth is accepted as upper bound, and refuted one ulp deeper. */
void expect_depth(claim c, double depth);

#endif
