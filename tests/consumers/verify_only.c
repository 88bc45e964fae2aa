/* Checks a certificate written by hand, with the verifier alone: two unit balls, 3 apart, along x. */
#include <graze/certificate.h>
#include <graze/graze.h>
#include <string.h>

int main(void) {
  graze_shape ball = graze_sphere(1.0);
  graze_placed a = graze_place(&ball, graze_pose_at(0, 0, 0));
  graze_placed b = graze_place(&ball, graze_pose_at(3, 0, 0));

  graze_answer answer;
  memset(&answer, 0, sizeof answer);
  answer.relation = GRAZE_SEPARATED;
  answer.distance = answer.lower = answer.upper = 1;

  graze_certificate certificate;
  memset(&certificate, 0, sizeof certificate);
  certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  certificate.direction.form = GRAZE_DIRECTION_VECTOR;
  certificate.direction.vector.x = 1;
  certificate.pair_count = 1; /* pairs[0] is (0, 0): the two centres, each the only vertex of its core */
  if (graze_verify(&a, &b, NULL, &answer, &certificate) != GRAZE_OK) return 1;

  answer.lower = 1.5; /* too good to be true */
  return graze_verify(&a, &b, NULL, &answer, &certificate) == GRAZE_REFUTED ? 0 : 2;
}
