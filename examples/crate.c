/* Contacts with every part of a compound: a crate of 1 m stands across the joint of a floor of two slabs, 5 mm deep.
 * graze_manifold() answers for the pair of parts that decides, so about one slab. A body rests on both: ask about each
 * part by itself. Prints:
 *
 *   the floor as a whole: 4 points, on slab 1
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

/* The contacts of two shapes, each a compound or not, pair by pair. 0, or 1 when a question was refused. */
static int meet(const graze_placed *ground, const graze_placed *body) {
  graze_options options = graze_default_options();
  options.max_distance = 0.01; /* contacts that are about to come, too: what rests must not lose points */
  for (size_t i = 0; i < graze_part_count(ground); i++) {
    for (size_t k = 0; k < graze_part_count(body); k++) {
      graze_placed a = graze_part(ground, i), b = graze_part(body, k);
      graze_answer answer;
      graze_contact contacts[4];
      size_t count;
      if (graze_manifold(&a, &b, &options, &answer, contacts, 4, &count) != GRAZE_OK) return 1;
      if (count == 0) continue; /* farther apart than max_distance */
      printf("slab %zu: %.4f m deep, normal (%g, %g, %g)\n", i, -answer.distance, answer.normal.x, answer.normal.y,
             answer.normal.z);
      for (size_t n = 0; n < count; n++) /* contacts[n].feature is one of this pair: remember it with i and k */
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
  if (!wrong) printf("the floor as a whole: %zu points, on slab %d\n", count, (int)answer.part_a);
  if (!wrong) wrong = meet(&ground, &crate);
  graze_compound_destroy(compound);
  return wrong;
}
