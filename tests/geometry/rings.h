/* Families of polygons with holes, valid by construction, for the tests and timings of decomposition. */
#ifndef TESTS_GEOMETRY_RINGS_H
#define TESTS_GEOMETRY_RINGS_H

#include <stdint.h>

#include <graze/build.h>

#include "support/random.h"

/* Ring r is points[start[r]] … points[start[r + 1] - 1]. Ring 0 is the outline, the others are holes. */
typedef struct rings {
  graze_vec *points;
  size_t point_count, point_capacity;
  size_t *start;
  size_t ring_count, ring_capacity;
} rings;

typedef struct rings_family {
  const char *name;
  void (*make)(rings *out, size_t count, uint64_t seed); /* about `count` vertices; count >= 12 */
  bool simple;                                           /* one outline that does not touch itself */
  bool lattice;                                          /* small integer coordinates */
} rings_family;

extern const rings_family rings_families[];
extern const size_t rings_family_count;

void rings_clear(rings *all);
void rings_add_point(rings *all, double x, double y);
/* Ends a ring: the points added since the last call. */
void rings_end(rings *all);
graze_ring rings_outline(const rings *all);
/* Writes ring_count - 1 holes. holes_of() allocates the array; release it with free(). */
void rings_holes(const rings *all, graze_ring *holes);
graze_ring *holes_of(const rings *all);
/* Multiplies every coordinate by a power of two: exact unless the result is subnormal. */
void rings_scale(rings *all, double factor);

/* Parses "x y, x y, …; …": the outline, then its holes. */
rings rings_parse(const char *text);

#endif
