/* Answers made by hand, and attacks on them: what the verifier accepts must be true, and it must refuse every change
 * that makes an answer false or malformed. */
#ifndef TESTS_CERT_CLAIMS_H
#define TESTS_CERT_CLAIMS_H

#include <graze/graze.h>

/* Where most of it happens. */
static const graze_pose home = {{0, 0, 0}, 1, 0, 0, 0};
static const graze_vec zero = {0, 0, 0};

static inline graze_vec vec(double x, double y, double z) { return (graze_vec){x, y, z}; }

/* A question, and an answer to it. */
typedef struct claim {
  graze_placed a, b;
  graze_options options;
  graze_answer answer;
} claim;

/* A claim with neither direction nor pairs nor numbers (for touching: all numbers 0). */
claim claim_make(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_relation relation,
                 graze_certificate_kind kind);

/* A pair of vertices, or (the index -1) of points in the shapes' own frames. */
graze_pair claim_vertices(int a, int b);
graze_pair claim_points(int a, graze_vec point_a, int b, graze_vec point_b);

/* The direction, in one of its forms; the pairs are given as the rest of the arguments. */
void claim_vector(claim *c, double x, double y, double z);
void claim_from_pairs(claim *c, graze_direction_form form, int sign, int axis, int count, const graze_pair *pairs);
void claim_pairs(claim *c, int count, const graze_pair *pairs);
void claim_interval(claim *c, double lower, double distance, double upper);

graze_status claim_judge(const claim *c);

/* Asserts that the claim is accepted and that every attack on it is refused. */
void claim_check(const claim *c);

/* Also: the interval is the narrowest possible, lower and upper cannot be moved inward by one ulp. */
void claim_check_tight(const claim *c);

#endif
