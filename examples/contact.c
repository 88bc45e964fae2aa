/* Penetration depth and contact points: a crate of 1 m overlaps a slab by 10 mm, slightly more on one side. Prints:
 *
 *   overlapping, 0.0120 m deep, normal (0, 0, 1)
 *   (1.500, -0.498): 0.0120 m
 *   (2.500, -0.498): 0.0120 m
 *   (2.500, 0.502): 0.0080 m
 *   (1.500, 0.502): 0.0080 m
 */
#include <graze/graze.h>
#include <stdio.h>

int main(void) {
  graze_shape slab = graze_box(5, 5, 0.5), cube = graze_box(0.5, 0.5, 0.5);
  graze_placed ground = graze_place(&slab, graze_pose_at(0, 0, -0.5));
  graze_placed crate = graze_place(&cube, graze_pose3((graze_vec){2, 0, 0.49}, 1, 0.002, 0, 0));

  graze_answer answer;
  graze_contact contacts[4]; /* 4 points support a body: they include the deepest one and span the largest area */
  size_t count;
  if (graze_manifold(&ground, &crate, NULL, &answer, contacts, 4, &count) != GRAZE_OK) return 1;

  printf("%s, %.4f m deep, normal (%g, %g, %g)\n", graze_relation_text(answer.relation), -answer.distance,
         answer.normal.x, answer.normal.y, answer.normal.z);
  for (size_t i = 0; i < count; i++)
    printf("(%.3f, %.3f): %.4f m\n", contacts[i].point_a.x, contacts[i].point_a.y, contacts[i].depth);

  /* The answer is that of graze_distance(), which also writes the certificate. For two boxes it proves the depth. */
  graze_options options = graze_default_options();
  graze_certificate certificate;
  options.certificate = &certificate;
  if (graze_distance(&ground, &crate, &options, &answer) != GRAZE_OK) return 1;
  return graze_verify(&ground, &crate, &options, &answer, &certificate) == GRAZE_OK ? 0 : 1;
}
