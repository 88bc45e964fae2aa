/* Families of pairs: random ones, and every degenerate kind that breaks collision code. Deterministic: an integer-only
 * generator (splitmix64), no libm beyond sqrt, ldexp and nextafter. */
#ifndef TESTS_CSO_FAMILIES_H
#define TESTS_CSO_FAMILIES_H

#include <stdio.h>

#include <graze/graze.h>

enum { FAMILY_ROOM = 64 };

/* A pair owns its vertices: pass it by pointer, never copy it. */
typedef struct family_pair {
  graze_shape a, b;
  graze_pose pose_a, pose_b;
  graze_vec room_a[FAMILY_ROOM], room_b[FAMILY_ROOM];
} family_pair;

typedef struct family_random {
  uint64_t state;
} family_random;

uint64_t family_bits(family_random *random);
double family_uniform(family_random *random, double low, double high);
int family_below(family_random *random, int count); /* 0 … count-1 */
int family_between(family_random *random, int low, int high);
bool family_coin(family_random *random);
graze_vec family_cube(family_random *random, int dim, double half); /* uniform in the cube */

typedef struct family {
  const char *name;
  void (*make)(family_random *random, family_pair *pair);
  int hits_low, hits_high; /* per cent of pairs that meet must lie within */
  int exact_most;          /* per cent of answers that may need exact arithmetic */
} family;

extern const family families_random[], families_degenerate[], families_depth[];
extern const int families_random_count, families_degenerate_count, families_depth_count;

/* A shape of a random kind of the dimension, polytopal, of about unit size, rounded half of the time. */
graze_shape family_any_shape(family_random *random, int dim, graze_vec room[FAMILY_ROOM]);
graze_shape family_any_box(family_random *random, int dim);
graze_shape family_any_hull(family_random *random, int dim, int count, graze_vec room[FAMILY_ROOM]);
graze_shape family_any_polygon(family_random *random, graze_vec room[FAMILY_ROOM]);
/* An octagon as no one would list it: some corners twice, some on an edge, some a hair beside the next one, either way
 * around, from any of them. Now and then less than three corners are left. */
graze_shape family_odd_polygon(family_random *random, graze_vec room[FAMILY_ROOM]);
/* In 2D. `a`: a triangle, a box of that thickness, a segment, a point or a capsule; `b`: one of the first `most`. */
void family_few_corners(family_random *random, double thickness, int most, family_pair *pair);
graze_pose family_any_pose(family_random *random, int dim, double spread);
graze_pose family_still(void); /* the identity */

/* Generic poses: A's position `spread` at most from the origin in each coordinate, B's `reach` from A's. */
void family_place_near(family_random *random, family_pair *pair, double spread, double reach);

/* Two of any shape, so placed within 5 of the origin. */
void family_any_pair(family_random *random, int dim, double reach, family_pair *pair);
bool family_is_2d(const family_pair *pair);

/* Multiplies every length of the pair by factor (exact for powers of two that neither overflow nor lose bits). */
void family_scale(family_pair *pair, double factor);

/* One query line (see docs): what to send with a report. */
void family_print_json(FILE *out, const char *id, const char *query, const graze_shape *a, const graze_pose *pose_a,
                       const graze_shape *b, const graze_pose *pose_b);

#endif
