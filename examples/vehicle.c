/* Driving: a car, a box of 4.6 m by 1.9 m, goes around a parked van and back into its lane. At every pose of the plan
 * it must keep 0.4 m from the van, from a pedestrian and from the kerb. Bounding boxes sort out what is a metre away;
 * the rest is decided exactly, with a cache for each pair, since the next pose is near the last. Prints:
 *
 *   at  0 m: kerb 0.85 m
 *   at 2.5 m: kerb 0.41 m
 *   at  5 m: van 0.79 m
 *   at  8 m: van 0.44 m
 *   at 11 m: van 0.47 m
 *   at 14 m: van 0.58 m, pedestrian 0.59 m
 *   at 16.5 m: pedestrian 0.27 m TOO CLOSE, kerb 0.82 m
 */
#include <graze/graze.h>
#include <stdio.h>

enum { OBSTACLES = 3, POSES = 7 };

#define KEEP 0.4 /* metres */
#define LOOK 1.0

typedef struct obstacle {
  const char *name;
  graze_placed placed;
  graze_aabb bounds;
  graze_cache cache;
} obstacle;

static bool far_apart(const graze_aabb *a, const graze_aabb *b) {
  return a->max.x + LOOK < b->min.x || b->max.x + LOOK < a->min.x || a->max.y + LOOK < b->min.y ||
         b->max.y + LOOK < a->min.y;
}

/* Prints the gap if the obstacle is near, and whether it is enough. False when a question was refused. */
static bool look(const graze_placed *car, const graze_aabb *bounds, obstacle *other, int *near) {
  graze_options options = graze_default_options();
  graze_answer keep, gap;
  if (far_apart(bounds, &other->bounds)) return true;
  options.cache = &other->cache;
  if (graze_distance(car, &other->placed, &options, &gap) != GRAZE_OK) return false;
  options.clearance = KEEP;
  if (graze_intersect(car, &other->placed, &options, &keep) != GRAZE_OK) return false;
  printf("%s %s ", (*near)++ > 0 ? "," : "", other->name);
  if (gap.relation == GRAZE_SEPARATED)
    printf("%.2f m", gap.distance);
  else
    printf("%s", graze_relation_text(gap.relation));
  if (keep.relation != GRAZE_SEPARATED) printf(" TOO CLOSE"); /* exactly KEEP is not enough */
  return true;
}

int main(void) {
  /* x, y, heading in radians */
  static const double plan[POSES][3] = {{0, 0.2, 0},      {2.5, 0.3, 0.25}, {5, 1.5, 0.35},    {8, 2.2, 0.1},
                                        {11, 2.3, -0.05}, {14, 2.0, -0.25}, {16.5, 0.9, -0.35}};
  static const graze_vec van[5] = {{8, -1.1, 0}, {13, -1.1, 0}, {13, 0.6, 0}, {12.5, 0.8, 0}, {8, 0.8, 0}};
  static const graze_vec kerb[4] = {{-10, -1.8, 0}, {40, -1.8, 0}, {40, -1.6, 0}, {-10, -1.6, 0}};
  graze_shape box = graze_box2(2.3, 0.95),
              shapes[OBSTACLES] = {graze_polygon(van, 5), graze_circle(0.3), graze_polygon(kerb, 4)};
  obstacle others[OBSTACLES] = {{.name = "van"}, {.name = "pedestrian"}, {.name = "kerb"}};
  for (int i = 0; i < OBSTACLES; i++) {
    others[i].placed = graze_place(&shapes[i], i == 1 ? graze_pose_at(14.8, -0.1, 0) : graze_pose_at(0, 0, 0));
    if (graze_bounds(&others[i].placed, &others[i].bounds) != GRAZE_OK) return 1;
  }

  for (int i = 0; i < POSES; i++) {
    graze_placed car = graze_place(&box, graze_pose2(plan[i][0], plan[i][1], plan[i][2]));
    graze_aabb bounds;
    if (graze_bounds(&car, &bounds) != GRAZE_OK) return 1;
    int near = 0;
    printf("at %2g m:", plan[i][0]);
    for (int k = 0; k < OBSTACLES; k++)
      if (!look(&car, &bounds, &others[k], &near)) return 1;
    printf("%s\n", near > 0 ? "" : " clear");
  }
  return 0;
}
