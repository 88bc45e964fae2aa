/* The edges of rings, and all pairs of them that meet. */
#ifndef GRAZE_GEOMETRY_EDGES_H
#define GRAZE_GEOMETRY_EDGES_H

#include <graze/build.h>

/* An edge of a ring, from vertex `index` to the next one. */
typedef struct grz_edge {
  graze_vec from, to;
  size_t ring, index;
  int32_t next; /* the edge of the ring that begins where this one ends */
} grz_edge;

/* Lists the edges of the rings, in order, without those of no length; returns how many. `edges` has room for as many
 * as there are vertices, at most INT32_MAX. */
int32_t grz_edges_of(const graze_ring *rings, size_t ring_count, grz_edge *edges);

typedef enum grz_meeting {
  GRZ_DISJOINT = 0, /* nothing in common; for successive edges: only the vertex between them */
  GRZ_TOUCH,        /* points in common, but no crossing */
  GRZ_CROSS         /* each crosses the other, in an inner point of both */
} grz_meeting;

/* How edges i and j meet, whose bounds meet. */
grz_meeting grz_edges_meeting(const grz_edge *edges, int32_t i, int32_t j);

/* What is told about a pair of edges; false: enough. */
typedef bool grz_edges_visit(void *context, int32_t i, int32_t j);

/* Visits each pair of edges whose bounds meet, once, successive edges too. The order depends on nothing but the edges.
 * O(n log n) steps plus the visits, 112 n bytes. GRAZE_OUT_OF_MEMORY before the first visit, or GRAZE_OK. */
graze_status outline_find_pairs(const grz_edge *edges, int32_t count, const graze_allocator *allocator,
                             grz_edges_visit *visit, void *context);

#endif
