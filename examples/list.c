/* One shape against a list: a rotated plank among 1,000 balls on a lattice. Bounds exclude nearly all of them; exact
 * queries decide the rest. Prints:
 *
 *   ball 443: touching
 *   ball 444: touching
 *   ball 455: touching
 *   ball 456: touching
 *   ball 543: touching
 *   ball 544: touching
 *   ball 555: touching
 *   ball 556: touching
 *   1000 balls: 968 separated by bounds, 32 exact queries, 8 results
 */
#include <graze/graze.h>
#include <stdio.h>

enum { ACROSS = 10, BALLS = ACROSS * ACROSS * ACROSS };

/* Called for each ball that is not separated, with the answer of graze_intersect(). */
static bool visit(void *context, size_t index, const graze_answer *answer) {
  (void)context;
  printf("ball %zu: %s\n", index, graze_relation_text(answer->relation));
  return true; /* false ends the query */
}

int main(void) {
  static graze_placed lattice[BALLS];
  graze_shape ball = graze_sphere(0.25), plank = graze_box(2, 0.5, 0.25);
  for (int i = 0; i < BALLS; i++)
    lattice[i] = graze_place(&ball, graze_pose_at(i % ACROSS, i / ACROSS % ACROSS, i / (ACROSS * ACROSS)));
  graze_placed pushed = graze_place(&plank, graze_pose3((graze_vec){4.5, 4.5, 4.5}, 3, 0, 0, 1)); /* 4 : 3 in x, y */

  graze_list_counts counts;
  if (graze_intersect_list(&pushed, lattice, BALLS, NULL, visit, NULL, &counts) != GRAZE_OK) return 1;
  printf("%zu balls: %zu separated by bounds, %zu exact queries, %zu results\n", counts.members,
         counts.separated_by_bounds, counts.queried, counts.reported);
  return 0;
}
