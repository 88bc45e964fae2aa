/* Random compounds, and the truth about them: every pair of parts, asked one by one. */
#ifndef TESTS_COMPOUND_BODIES_H
#define TESTS_COMPOUND_BODIES_H

#include <graze/build.h>

#include "support/random.h"

/* Any rotation and a position within `spread` of the origin; no rotation and a position of whole numbers in one case of
 * four. */
graze_pose random_grid_pose(rng *random, int dim, double spread);

/* A convex shape of a size about 1, curved ones among them where wanted. It keeps its vertices in room, of 8. */
graze_shape random_convex(rng *random, int dim, bool curved, graze_vec room[8]);

/* A ball by a support function, which says of its own rounding more than there is. */
graze_shape user_ball(int dim, double *radius);

/* A compound of `count` convex shapes, spread out; no more than COMPOUND_PARTS. */
enum { COMPOUND_PARTS = 64 };
typedef struct compound_fixture {
  graze_vec room[COMPOUND_PARTS][8];
  graze_compound *compound;
} compound_fixture;
void random_compound(rng *random, int dim, int count, bool curved, compound_fixture *made);

/* A strip of `count` quadrangles side by side, concave above and below, as a decomposition would split it; coordinates
 * are multiples of 1/64. Seam i, from
 * its lower end to its upper one, has piece i on its left and piece i + 1 on its right. */
typedef struct polygon_strip {
  int count;
  graze_vec below[COMPOUND_PARTS + 1], above[COMPOUND_PARTS + 1];
  graze_vec corners[4 * COMPOUND_PARTS];
  size_t start[COMPOUND_PARTS + 1];
  graze_seam seams[COMPOUND_PARTS];
  graze_decomposition decomposition; /* points into the strip */
} polygon_strip;
void random_strip(rng *random, int count, polygon_strip *strip);

/* Where a point is: GRAZE_OVERLAPPING inside, GRAZE_TOUCHING on a ring, GRAZE_SEPARATED outside or in a hole. By whole
 * numbers: coordinates are multiples of 1/512 up to 1000. */
graze_relation locate_point(const graze_ring *rings, int count, graze_vec at);

/* What the pairs of parts say. */
typedef struct parts_truth {
  graze_relation relation; /* the strongest */
  double lower, upper;     /* the least of each */
  size_t pairs;
} parts_truth;

/* Asks about all pairs by graze_distance() on graze_part(). Seams are not looked at. */
parts_truth query_all_parts(const graze_placed *a, const graze_placed *b, double clearance);

/* Memory that is gone from the call number `fail_at` on (counted from 0), or, `once`, for that call alone; and counts
 * what is out. */
typedef struct failing_memory {
  long calls, fail_at, out;
  bool once;
} failing_memory;
graze_allocator failing_allocator(failing_memory *memory);

#endif
