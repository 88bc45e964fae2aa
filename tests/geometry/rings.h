/* Families of polygons with holes, valid by construction, for the tests and timings of decomposition. */
#ifndef TESTS_GEOMETRY_RINGS_H
#define TESTS_GEOMETRY_RINGS_H

#include <stdint.h>

#include <graze/build.h>

#include "support/random.h"

/* Rings one after the other; ring r is points[start[r]] … points[start[r + 1] - 1], ring 0 the outline. */
typedef struct rings {
  graze_vec *points;
  size_t point_count, point_capacity;
  size_t *start;
  size_t ring_count, ring_room;
} rings;

typedef struct rings_family {
  const char *name;
  void (*make)(rings *out, size_t count, uint64_t seed); /* about `count` vertices, at least 12 */
  bool simple;                                           /* one outline that does not touch itself */
  bool lattice;                                          /* small whole coordinates */
} rings_family;

extern const rings_family rings_families[];
extern const size_t rings_family_count;

void rings_clear(rings *all);
void rings_add_point(rings *all, double x, double y);
/* What was added since the last call is a ring. */
void rings_end(rings *all);
graze_ring rings_outline(const rings *all);
/* Writes ring_count - 1 holes; holes_of() allocates them, for free(). */
void rings_holes(const rings *all, graze_ring *holes);
graze_ring *holes_of(const rings *all);
/* Every coordinate times a power of two, which is exact unless it gets too small. */
void rings_scale(rings *all, double factor);

/* "x y, x y, …; …": the outline, then its holes. */
rings rings_parse(const char *text);

#endif
