/* Shared by all queries of a pair: prefetching, validation, the blank answer, the promised width, warm starts. */
#ifndef GRAZE_NARROW_QUERY_H
#define GRAZE_NARROW_QUERY_H

#include "core/memory.h"
#include "narrow/trace.h"
#include "shape/shape.h"

typedef struct grz_query {
  const graze_options *options; /* the caller's or the defaults */
  bool plane;                   /* one of the shapes is a half-space */
  bool compound;                /* one of the shapes is a compound */
  grz_tracer tracer;            /* set only if the options have a tracer */
} grz_query;

/* ---- Prefetching: docs/decisions/speed.md, "Shapes that are not cached" */

/* Starts to load the first vertices of a polygon or hull. */
GRZ_TEMPLATE void query_prefetch_vertices(const graze_shape *shape) {
  if (!grz_is_point_set(shape)) return;
  const graze_vec *vertices = shape->as.hull.vertices;
  if (shape->as.hull.count * sizeof *vertices <= 2 * GRZ_CACHE_LINE)
    grz_prefetch(vertices, 2 * GRZ_CACHE_LINE);
  else
    grz_prefetch(vertices, 4 * GRZ_CACHE_LINE);
}

/* Starts to load the private data, the status and the position of both, and their first vertices. The shapes need not
 * be valid. */
GRZ_TEMPLATE void grz_query_prefetch(const graze_placed *a, const graze_placed *b) {
  grz_prefetch(a, 2 * GRZ_CACHE_LINE), grz_prefetch(b, 2 * GRZ_CACHE_LINE);
  const int vertices = (int)grz_is_point_set(&a->shape) | (int)grz_is_point_set(&b->shape); /* one branch */
  if (vertices) query_prefetch_vertices(&a->shape), query_prefetch_vertices(&b->shape);
}

/* ---- Validation */

/* Validates the options of a query of shapes of dimension `dim`. */
graze_error grz_options_error(const graze_options *options, int dim);

/* Validates the query. Compounds are allowed. */
graze_status grz_query_validate(grz_query *query, const graze_placed *a, const graze_placed *b,
                                const graze_options *options);

/* The rule that a method other than AUTO breaks if it does not accept these shapes; otherwise NULL. */
const char *grz_query_method_rule(const graze_placed *a, const graze_placed *b, graze_method method);

/* Validates a query of convex shapes; compounds are GRAZE_UNSUPPORTED. On success, makes the obstacle and a blank
 * answer. Otherwise the answer is unchanged. */
graze_status grz_query_start(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b,
                             const graze_options *options, grz_result *result);

/* The same in two steps, for queries that may be decided without an obstacle. */
graze_status grz_query_begin(grz_query *query, const graze_placed *a, const graze_placed *b,
                             const graze_options *options, grz_result *result);
void grz_query_place(grz_query *query, grz_obstacle *obstacle, const graze_placed *a, const graze_placed *b);

/* Sets the relation to undecided and all numbers to NaN, and clears the certificate. */
void grz_query_blank(grz_result *result, const graze_placed *a, const graze_placed *b);

/* Sets distance, interval, normal and witness points to NaN. */
void grz_query_clear_numbers(grz_result *result);

/* True if the numbers are NaN. */
static inline bool grz_query_is_unknown(const grz_result *result) {
  return result->answer.distance != result->answer.distance;
}

/* True if the interval is as narrow as promised for these shapes, or no wider than the tolerance of the options. */
bool grz_query_is_narrow(const grz_query *query, const grz_obstacle *obstacle, const grz_result *result);

/* Promised widths, relative to max(|distance|, scale). */
#define GRZ_QUERY_WIDTH 1e-12
#define GRZ_QUERY_WIDTH_CURVED 1e-9

/* Near contact a distance in doubles has few significant digits. The distance is refined if its interval is wider than
 * this fraction of the distance. */
#define GRZ_QUERY_DIGITS 0x1p-24

/* The width of a few subnormal steps. */
#define GRZ_QUERY_STEPS 0x1p-1070

/* The same without an obstacle: placed_scale() of the shapes, and whether one of their cores is curved. */
static inline bool grz_query_is_narrow_for(const graze_options *options, bool curved, double scale,
                                           const grz_result *result) {
  if (grz_query_is_unknown(result)) return false;
  const double promised = curved ? GRZ_QUERY_WIDTH_CURVED : GRZ_QUERY_WIDTH,
               width = result->answer.upper - result->answer.lower;
  const double distance = real_abs(result->answer.distance);
  if (width <= options->tolerance || width <= GRZ_QUERY_STEPS) return true;
  return width <= promised * real_max(distance, scale) && (curved || width <= GRZ_QUERY_DIGITS * distance);
}

/* Sets `stopped` if the interval is not narrow: to GRAZE_STOP_BUDGET if the budget ended the search, otherwise to
 * GRAZE_STOP_PRECISION. */
void grz_query_check_width(const grz_query *query, const grz_obstacle *obstacle, bool budget, grz_result *result);

/* The direction from the position of A to that of B; `offset` is p_a - p_b. Never zero. */
graze_vec grz_query_towards(graze_vec offset);

/* The first direction: `start` of the options, or from A to B. Never zero. */
graze_vec grz_query_direction(const grz_query *query, const grz_obstacle *obstacle);

/* Writes the valid points of the simplex in the caller's cache to `simplex`, and returns it; NULL without a cache. */
const grz_simplex *grz_query_warm(const grz_query *query, const grz_obstacle *obstacle, grz_simplex *simplex);

/* Writes the direction of the answer and the last simplex to the caller's cache. */
void grz_query_update_cache(const grz_query *query, const grz_obstacle *obstacle, const grz_simplex *simplex,
                            graze_vec direction);

#endif
