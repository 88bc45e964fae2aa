/* Random compounds, and queries of every pair of their parts. */
#ifndef TESTS_SUPPORT_COMPOUNDS_H
#define TESTS_SUPPORT_COMPOUNDS_H

#include <graze/build.h>

#include "support/random.h"

/* Any rotation and a position within `spread` of the origin; no rotation and a position of whole numbers in one case of
 * four. */
graze_pose random_grid_pose(rng *random, int dim, double spread);

/* A convex shape of size about 1, curved ones among them if wanted. `vertices` must outlive it. */
graze_shape random_convex(rng *random, int dim, bool curved, graze_vec vertices[8]);

/* By support functions: a ball, whose stated error exceeds its rounding, and a box, without error. */
graze_shape user_ball(int dim, double *radius);
graze_shape user_box(int dim, graze_vec *half_extents);

/* graze_compound_create() of parts that must be valid; the decomposition of an outline, which must be simple. */
graze_compound *compound_of(const graze_placed *parts, size_t count);
graze_compound *compound_of_outline(const graze_vec *outline, size_t count);

/* A compound of `count` random convex shapes, at most COMPOUND_PARTS. */
enum { COMPOUND_PARTS = 64 };
typedef struct compound_fixture {
  graze_vec vertices[COMPOUND_PARTS][8];
  graze_compound *compound;
} compound_fixture;
void random_compound(rng *random, int dim, int count, bool curved, compound_fixture *made);

/* A strip of `count` quadrangles side by side, concave above and below; coordinates are multiples of 1/64. Internal
 * edge i, from its lower end to its upper one, has piece i on its left and piece i + 1 on its right. */
typedef struct polygon_strip {
  int count;
  graze_vec below[COMPOUND_PARTS + 1], above[COMPOUND_PARTS + 1];
  graze_vec corners[4 * COMPOUND_PARTS];
  size_t start[COMPOUND_PARTS + 1];
  graze_internal_edge internal_edges[COMPOUND_PARTS];
  graze_decomposition decomposition; /* points into the strip */
} polygon_strip;
void random_strip(rng *random, int count, polygon_strip *strip);

/* The relation of a point to rings: GRAZE_OVERLAPPING inside, GRAZE_TOUCHING on a ring, GRAZE_SEPARATED outside or in a
 * hole. Exact for multiples of 1/512 up to 1000. */
graze_relation locate_point(const graze_ring *rings, int count, graze_vec at);

/* The strongest relation of all pairs of parts by graze_distance(), and the least of each bound. Ignores internal
 * edges. */
typedef struct parts_truth {
  graze_relation relation;
  double lower, upper;
  size_t pairs;
} parts_truth;
parts_truth query_all_parts(const graze_placed *a, const graze_placed *b, double clearance);

/* An allocator that fails from call `fail_at` on (from 0), or, with `once`, for that call alone. `out` counts blocks in
 * use, `bytes` their sizes, `most` the largest sum of these, `failed` the calls that failed. New blocks and freed ones
 * are overwritten. */
typedef struct failing_memory {
  long calls, fail_at, out, failed;
  size_t bytes, most;
  bool once;
} failing_memory;
graze_allocator failing_allocator(failing_memory *memory);

#endif
