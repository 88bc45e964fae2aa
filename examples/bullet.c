/* A bullet and a thin wall. The bullet moves 1,000 times its length in a step, and the wall is 10,000 times thinner
 * than the bullet is long. Tests before and after the step find no overlap; the cast does not miss the wall. Then a ray
 * above the wall, and two balls that pass each other. Prints:
 *
 *   before and after the step: separated, separated
 *   cast: hit at t = 0.33283, in an interval of 3e-12, on the left side of the wall
 *   ray above the wall: clear
 *   two balls: clear, smallest distance 0.25, at t = 0.5
 */
#include <graze/graze.h>
#include <stdio.h>

static const char *relation_at(const graze_placed *a, const graze_placed *b) {
  graze_answer answer;
  return graze_intersect(a, b, NULL, &answer) == GRAZE_OK ? graze_relation_text(answer.relation) : "error";
}

int main(void) {
  graze_motion fast = {.velocity = {75, 0, 0}}, slow = {.velocity = {20, 0, 0}};
  graze_shape pellet = graze_capsule(0.025, 0.0125), panel = graze_box(0.00000375, 2, 2); /* 0.075 long; 7.5e-6 thin */
  graze_placed wall = graze_place(&panel, graze_pose_at(0, 0, 0));
  graze_placed before = graze_place(&pellet, graze_pose3((graze_vec){-25, 0.5, 0.5}, 1, 0, 1, 0)); /* along x */
  graze_placed after = graze_place(&pellet, graze_pose3((graze_vec){50, 0.5, 0.5}, 1, 0, 1, 0));
  printf("before and after the step: %s, %s\n", relation_at(&before, &wall), relation_at(&after, &wall));

  graze_cast_result result;
  if (graze_cast(&before, &fast, &wall, NULL, 1, NULL, &result) != GRAZE_OK) return 1;
  printf("cast: %s at t = %.5f, in an interval of %.0e, on the %s side of the wall\n",
         graze_cast_outcome_text(result.outcome), result.t, result.t_upper - result.t_lower,
         result.normal.x > 0 ? "left" : "right");

  if (graze_raycast(&wall, (graze_vec){-1, 0, 2.5}, (graze_vec){1, 0, 0}, 100, NULL, &result) != GRAZE_OK) return 1;
  printf("ray above the wall: %s\n", graze_cast_outcome_text(result.outcome));

  graze_shape ball = graze_sphere(0.5);
  graze_placed first = graze_place(&ball, graze_pose_at(-10, 0, 0));
  graze_placed second = graze_place(&ball, graze_pose_at(0, 1.25, 0));
  if (graze_cast(&first, &slow, &second, NULL, 1, NULL, &result) != GRAZE_OK) return 1;
  printf("two balls: %s, smallest distance %g, at t = %g\n", graze_cast_outcome_text(result.outcome), result.min_lower,
         result.t_min);
  return 0;
}
