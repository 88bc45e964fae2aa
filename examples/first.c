/* The first program: the distance between a box and a ball, and its verification.
 * Prints: gap 1.5 in [1.4999999999999578, 1.5000000000000422], separated */
#include <graze/graze.h>
#include <stdio.h>

int main(void) {
  graze_shape box = graze_box(0.5, 0.5, 0.5), ball = graze_sphere(1.0);
  graze_placed a = graze_place(&box, graze_pose_at(0, 0, 0));
  graze_placed b = graze_place(&ball, graze_pose_at(3, 0, 0));

  graze_answer answer;
  graze_certificate certificate; /* why the answer is right */
  graze_options options = graze_default_options();
  options.certificate = &certificate;
  graze_status status = graze_distance(&a, &b, &options, &answer);
  if (status != GRAZE_OK) {
    fprintf(stderr, "%s\n", graze_status_text(status));
    return 1;
  }

  printf("gap %.17g in [%.17g, %.17g], %s\n", answer.distance, answer.lower, answer.upper,
         graze_relation_text(answer.relation));
  return graze_verify(&a, &b, &options, &answer, &certificate) == GRAZE_OK ? 0 : 1;
}
