/* The convex hull of a point cloud, and the smallest box around it. The cloud is a scanned brick, rotated towards the
 * direction (4, 3), with one edge cut off. Most points lie inside or on its faces. Prints:
 *
 *   hull of 168 points: 10 vertices, 7 faces, volume 11250
 *   hull: 16.9203 from the ball
 *   smallest box: half extents 20, 10, 7.5, volume 12000
 *   box: 10.6525 from the ball
 */
#include <graze/build.h>
#include <stdio.h>

enum { MAX_POINTS = 9 * 5 * 4 };

static size_t scan(graze_vec cloud[MAX_POINTS]) {
  size_t count = 0;
  for (int x = 0; x <= 8; x++)
    for (int y = 0; y <= 4; y++)
      for (int z = 0; z <= 3; z++)
        if (x + y <= 10) cloud[count++] = (graze_vec){4 * x - 3 * y, 3 * x + 4 * y, 5 * z};
  return count;
}

/* Prints the distance between the shape and a ball beside the missing edge. Returns 1 on failure. */
static int measure(const char *name, const graze_shape *shape, graze_pose pose) {
  graze_shape ball = graze_sphere(5);
  graze_placed a = graze_place(shape, pose), b = graze_place(&ball, graze_pose_at(27, 54, 7.5));
  graze_answer answer;
  graze_certificate certificate;
  graze_options options = graze_default_options();
  options.certificate = &certificate;
  if (graze_distance(&a, &b, &options, &answer) != GRAZE_OK) return 1;
  printf("%s: %g from the ball\n", name, answer.distance);
  return graze_verify(&a, &b, &options, &answer, &certificate) != GRAZE_OK;
}

int main(void) {
  graze_vec cloud[MAX_POINTS];
  size_t count = scan(cloud);

  graze_hull hull;
  if (graze_hull_create(cloud, count, 3, NULL, &hull, NULL) != GRAZE_OK) return 1;
  graze_shape brick = graze_hull_shape(&hull); /* points into `hull`, which must outlive it */
  printf("hull of %zu points: %zu vertices, %zu faces, volume %g\n", count, hull.vertex_count, hull.face_count,
         hull.volume);
  int wrong = measure("hull", &brick, graze_pose_at(0, 0, 0));
  graze_hull_destroy(&hull);

  graze_fitted_box fitted; /* contains every point, exactly; owns no memory */
  if (graze_fit_box(cloud, count, 3, GRAZE_BEST, NULL, &fitted, NULL) != GRAZE_OK) return 1;
  graze_vec h = fitted.box.as.box.half_extents;
  printf("smallest box: half extents %g, %g, %g, volume %g\n", h.x, h.y, h.z, fitted.measure);
  return wrong + measure("box", &fitted.box, fitted.pose);
}
