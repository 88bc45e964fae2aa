/* Families of pairs: random ones, and every degenerate kind that breaks collision code. Deterministic: an integer-only
 * generator (splitmix64), no libm beyond sqrt, ldexp and nextafter. */
#ifndef TESTS_SUPPORT_FAMILIES_H
#define TESTS_SUPPORT_FAMILIES_H

#include <stdio.h>

#include "support/random.h"

enum { PAIR_VERTICES = 64 };

/* A pair owns its vertices: pass it by pointer, never copy it. */
typedef struct shape_pair {
  graze_shape a, b;
  graze_pose pose_a, pose_b;
  graze_vec vertices_a[PAIR_VERTICES], vertices_b[PAIR_VERTICES];
} shape_pair;

typedef struct family {
  const char *name;
  void (*make)(rng *random, shape_pair *pair);
  int hits_low, hits_high; /* per cent of pairs that meet must lie within */
  int exact_most;          /* per cent of answers that may need exact arithmetic */
} family;

extern const family families_random[], families_degenerate[], families_depth[], families_paths[], families_triangles[];
extern const int families_random_count, families_degenerate_count, families_depth_count, families_paths_count,
    families_triangles_count;

/* A shape of a random kind of the dimension, polytopal, of about unit size, rounded half of the time. */
graze_shape random_shape(rng *random, int dim, graze_vec vertices[PAIR_VERTICES]);
graze_shape random_box(rng *random, int dim);
graze_shape random_hull(rng *random, int dim, int count, graze_vec vertices[PAIR_VERTICES]);
graze_shape random_polygon(rng *random, graze_vec vertices[PAIR_VERTICES]);
/* An octagon with unusual vertices: repeated ones, ones on an edge, and ones within 2^-20 of the next. Either winding,
 * any first vertex. Sometimes fewer than three distinct vertices remain. */
graze_shape random_odd_polygon(rng *random, graze_vec vertices[PAIR_VERTICES]);
/* In 2D. `a`: a triangle, a box of that thickness, a segment, a point or a capsule; `b`: one of the first `most`. */
void random_few_corners(rng *random, double thickness, int most, shape_pair *pair);
/* An ellipse, or an ellipsoid, a cylinder or a cone; sizes from `least` to 1. */
graze_shape random_curved(rng *random, int dim, double least);
graze_pose random_pose(rng *random, int dim, double spread);

/* Random poses. In each coordinate, A's position is at most `spread` from the origin, and B's at most `spread_b` from
 * A's. */
void place_near(rng *random, shape_pair *pair, double spread, double spread_b);

/* Two random shapes, placed by place_near() with `spread` 5. */
void random_pair(rng *random, int dim, double spread_b, shape_pair *pair);

/* Rounding may spoil the convexity of a polygon, never that of a hull. */
void hulls_of_polygons(shape_pair *pair);

/* A power of ten with an exponent in this range. */
double random_power(rng *random, double low, double high);

/* A number from -half to half; on the lattice a multiple of half/4. */
double random_coordinate(rng *random, bool lattice, double half);
graze_vec random_coordinates(rng *random, bool lattice, int dim);

/* The rotation by q, then by p, at the position of p. */
graze_pose pose_times(graze_pose p, graze_pose q);

/* Moves both bodies. */
void move_pair(shape_pair *pair, graze_vec by);

/* Leaves the poses. */
void exchange_shapes(shape_pair *pair);

/* The corners of a box about `center`, as a hull. */
graze_shape box_hull(int dim, graze_vec half, graze_vec center, graze_vec vertices[8]);

/* Multiplies every length of the pair by factor (exact for powers of two that neither overflow nor lose bits). */
void scale_pair(shape_pair *pair, double factor);

/* One query line (see docs): what to send with a report. */
void print_query_line(FILE *out, const char *id, const char *query, const graze_shape *a, const graze_pose *pose_a,
                      const graze_shape *b, const graze_pose *pose_b);

/* The same with motions; they turn in a query "toi" only. */
void print_motion_line(FILE *out, const char *id, const char *query, const shape_pair *pair, double clearance,
                       const graze_motion *motion_a, const graze_motion *motion_b, double t_max);

#endif
