/* Random compounds, and the truth about them: every pair of parts, asked one by one. */
#ifndef TESTS_COMPOUND_BODIES_H
#define TESTS_COMPOUND_BODIES_H

#include <graze/build.h>

/* Numbers from a seed (xorshift64*). */
typedef struct bodies_random {
  uint64_t state;
} bodies_random;

double bodies_between(bodies_random *random, double low, double high);
int bodies_below(bodies_random *random, int count);

/* Any rotation and a position within `spread` of the origin; no rotation and a position of whole numbers in one case of
 * four. */
graze_pose bodies_pose(bodies_random *random, int dim, double spread);

/* A convex shape of a size about 1, curved ones among them where wanted. It keeps its vertices in room, of 8. */
graze_shape bodies_convex(bodies_random *random, int dim, bool curved, graze_vec room[8]);

/* A ball by a support function, which says of its own rounding more than there is. */
graze_shape bodies_ball(int dim, double *radius);

/* A compound of `count` convex shapes, spread out; no more than BODIES_PARTS. */
enum { BODIES_PARTS = 64 };
typedef struct bodies_compound {
  graze_vec room[BODIES_PARTS][8];
  graze_compound *compound;
} bodies_compound;
void bodies_make(bodies_random *random, int dim, int count, bool curved, bodies_compound *made);

/* A strip of `count` quadrangles side by side, concave above and below, as a decomposition would split it; coordinates
 * are multiples of 1/64. Seam i, from
 * its lower end to its upper one, has piece i on its left and piece i + 1 on its right. */
typedef struct bodies_strip {
  int count;
  graze_vec below[BODIES_PARTS + 1], above[BODIES_PARTS + 1];
  graze_vec corners[4 * BODIES_PARTS];
  size_t start[BODIES_PARTS + 1];
  graze_seam seams[BODIES_PARTS];
  graze_decomposition decomposition; /* points into the strip */
} bodies_strip;
void bodies_cut(bodies_random *random, int count, bodies_strip *strip);

/* Where a point is: GRAZE_OVERLAPPING inside, GRAZE_TOUCHING on a ring, GRAZE_SEPARATED outside or in a hole. By whole
 * numbers: coordinates are multiples of 1/512 up to 1000. */
graze_relation bodies_where(const graze_ring *rings, int count, graze_vec at);

/* What the pairs of parts say. */
typedef struct bodies_truth {
  graze_relation relation; /* the strongest */
  double lower, upper;     /* the least of each */
  size_t pairs;
} bodies_truth;

/* Asks about all pairs by graze_distance() on graze_part(). Seams are not looked at. */
bodies_truth bodies_ask_all(const graze_placed *a, const graze_placed *b, double clearance);

/* Memory that is gone from the call number `fail_at` on (counted from 0), or, `once`, for that call alone; and counts
 * what is out. */
typedef struct bodies_memory {
  long calls, fail_at, out;
  bool once;
} bodies_memory;
graze_allocator bodies_allocator(bodies_memory *memory);

#endif
