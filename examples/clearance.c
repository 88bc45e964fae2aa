/* Assembly check: do the parts of a drawing keep 2 mm from each other? Lengths are millimetres.
 *
 * A clearance is added to the shapes exactly, so "exactly 2 mm apart" has an answer of its own: touching. The bolt here
 * stands exactly 2 mm from the bracket. Prints:
 *
 *   bracket - bolt: gap in [1.99999999999907, 2.00000000000046], 2 mm: touching
 *   bracket - cover: gap in [1.89999999999915, 1.90000000000043], 2 mm: overlapping
 *   bolt - cover: gap at least 10, 2 mm: separated
 */
#include <graze/graze.h>
#include <stdio.h>

typedef struct part {
  const char *name;
  graze_placed placed;
} part;

/* 0, or 1 when a question was refused or an answer does not stand up to the verifier. */
static int compare(const part *a, const part *b) {
  graze_options near = graze_default_options(), strict = graze_default_options();
  graze_answer gap, kept;
  near.max_distance = 10; /* beyond 10 mm nobody wants to know how far */
  strict.clearance = 2;
  if (graze_distance(&a->placed, &b->placed, &near, &gap) != GRAZE_OK) return 1;
  if (graze_intersect(&a->placed, &b->placed, &strict, &kept) != GRAZE_OK) return 1;

  printf("%s - %s: ", a->name, b->name);
  if (gap.stopped == GRAZE_STOP_CUTOFF)
    printf("gap at least %g", near.max_distance);
  else
    printf("gap in [%.15g, %.15g]", gap.lower, gap.upper);
  printf(", 2 mm: %s\n", graze_relation_text(kept.relation));
  return graze_verify(&a->placed, &b->placed, &near, &gap) != GRAZE_OK ||
         graze_verify(&a->placed, &b->placed, &strict, &kept) != GRAZE_OK;
}

int main(void) {
  graze_shape plate = graze_box(20, 10, 2), shaft = graze_capsule(3, 12), lid = graze_box(15, 15, 1);
  part bracket = {"bracket", graze_place(&plate, graze_pose_at(0, 0, 0))};
  part bolt = {"bolt", graze_place(&shaft, graze_pose_at(25, 0, 0))};
  part cover = {"cover", graze_place(&lid, graze_pose_at(-10, 0, -4.9))};
  return compare(&bracket, &bolt) + compare(&bracket, &cover) + compare(&bolt, &cover);
}
