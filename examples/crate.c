/* Contact points with every part of a compound: a crate of 1 m overlaps a floor of two slabs by 5 mm, across their
 * joint. graze_manifold() returns the contact points of the deciding pair of parts, here of one slab. For the others,
 * query each part. Prints:
 *
 *   whole floor: 4 points, on slab 1
 *   slab 0: 0.0050 m deep, normal (0, 0, 1)
 *     (-0.250, -0.500): 0.0050 m
 *     (0.000, -0.500): 0.0050 m
 *     (0.000, 0.500): 0.0050 m
 *     (-0.250, 0.500): 0.0050 m
 *   slab 1: 0.0050 m deep, normal (0, 0, 1)
 *     (0.750, -0.500): 0.0050 m
 *     (0.750, 0.500): 0.0050 m
 *     (0.000, 0.500): 0.0050 m
 *     (0.000, -0.500): 0.0050 m
 */
#include <graze/graze.h>
#include <stdio.h>

/* Prints the contact points of each pair of parts of two shapes. Returns 1 if a query fails. */
static int print_contacts(const graze_placed *ground, const graze_placed *body) {
  graze_manifold_options options = graze_default_manifold_options();
  options.speculative_distance = 0.01; /* includes small gaps, so that a resting body keeps its points */
  for (size_t i = 0; i < graze_part_count(ground); i++) {
    for (size_t k = 0; k < graze_part_count(body); k++) {
      graze_frame frame_a, frame_b;
      graze_placed a = graze_part(ground, i, &frame_a), b = graze_part(body, k, &frame_b);
      graze_answer answer;
      graze_contact contacts[4];
      size_t count;
      if (graze_manifold(&a, &b, &options, &answer, contacts, 4, &count) != GRAZE_OK) return 1;
      if (count == 0) continue; /* the gap exceeds speculative_distance */
      printf("slab %zu: %.4f m deep, normal (%g, %g, %g)\n", i, -answer.distance, answer.normal.x, answer.normal.y,
             answer.normal.z);
      for (size_t n = 0; n < count; n++) /* to match points over time, use contacts[n].feature with i and k */
        printf("  (%.3f, %.3f): %.4f m\n", contacts[n].point_a.x, contacts[n].point_a.y, contacts[n].depth);
    }
  }
  return 0;
}

int main(void) {
  graze_shape slab = graze_box(1, 2, 0.25), cube = graze_box(0.5, 0.5, 0.5);
  graze_placed slabs[2] = {graze_place(&slab, graze_pose_at(-1, 0, -0.25)),
                           graze_place(&slab, graze_pose_at(1, 0, -0.25))};
  graze_placed crate = graze_place(&cube, graze_pose_at(0.25, 0, 0.495));
  graze_compound *compound;
  if (graze_compound_create(slabs, 2, NULL, &compound, NULL) != GRAZE_OK) return 1;
  graze_shape floor = graze_compound_shape(compound);
  graze_placed ground = graze_place(&floor, graze_pose_at(0, 0, 0));

  graze_answer answer;
  graze_contact contacts[4];
  size_t count;
  int wrong = graze_manifold(&ground, &crate, NULL, &answer, contacts, 4, &count) != GRAZE_OK;
  if (!wrong) printf("whole floor: %zu points, on slab %d\n", count, (int)answer.part_a);
  if (!wrong) wrong = print_contacts(&ground, &crate);
  graze_compound_destroy(compound);
  return wrong;
}
