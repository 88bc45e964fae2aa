/* The relation of two shapes at rest without a search, and without the CSO: nearest points of simple cores,
 * bounding spheres, separating axes and the line of centres. Each test fills a blank answer with its certificate, or
 * returns false and leaves it blank. */
#include "narrow/stages.h"

#include "narrow/axes.h"
#include "narrow/search.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Relative: covers the rounding of lengths, sums and the offset. */
#define SPHERES_ROUNDING (1 - 32 * GRZ_U)

/* Below this squared distance, squares of lengths may lose significant digits. */
#define SPHERES_LEAST_SQUARE 0x1p-270

/* The bounding spheres about the local origins. docs/theory/rounding.md, "Spheres". */
static bool relation_by_spheres(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result) {
  if (options->method != GRAZE_METHOD_AUTO || result->answer.conditional) return false;
  if (!placed_are_plain(a, b)) return false;
  const graze_vec offset = placed_offset(a, b);
  const double square = vec_dot(offset, offset), radii = a->hidden.bounding_radius + b->hidden.bounding_radius;
  const double limit = (radii + (a->hidden.radius + b->hidden.radius)) + options->clearance;
  if (!(square > SPHERES_LEAST_SQUARE && square * SPHERES_ROUNDING > limit * limit)) return false;
  grz_certify_separated(grz_query_towards(offset), result);
  result->answer.algorithm = GRAZE_ALGORITHM_BOUNDING_SPHERES;
  result->answer.iterations = 1;
  return true;
}

/* Two boxes, or two outlines in 2D, at rest: the axes decide, except near touching. */
static bool relation_by_axes(const graze_placed *a, const graze_placed *b, const graze_options *options,
                             grz_result *result) {
  const bool boxes = grz_are_boxes(&a->shape, &b->shape);
  if (options->method != GRAZE_METHOD_AUTO || placed_is_moving(a)) return false;
  if (!boxes && (a->shape.dim == 3 || grz_closed_form_applies(a->shape.kind, b->shape.kind, 2, false))) return false;
  const double clearance = options->clearance;
  const grz_axis_relation axes = boxes ? grz_box_relation(a, b, clearance) : grz_polygon_relation(a, b, clearance);
  if (axes.relation == GRAZE_UNDECIDED) return false;
  if (axes.relation == GRAZE_SEPARATED) {
    grz_certify_separated(axes.direction, result);
    if (options->cache) options->cache->direction = axes.direction;
  } else {
    result->answer.relation = GRAZE_OVERLAPPING;
    result->proof.kind = GRAZE_CERTIFICATE_AXES;
  }
  result->answer.algorithm = GRAZE_ALGORITHM_SAT;
  result->answer.iterations = axes.axes;
  return true;
}

/* Relative to the size: the error of the gap. Relative to r: the rounding of r times the length. */
#define CENTRES_ERROR (64 * GRZ_U)
#define CENTRES_ROUNDING (12 * GRZ_U)

/* Between these sizes, grz_query_towards() does not scale. */
#define CENTRES_SMALLEST 0x1p-60
#define CENTRES_LARGEST 0x1p60

/* The line of centres of shapes without a vertex array, which separates most disjoint pairs. For vertex arrays, GJK
 * starts with that line. docs/theory/rounding.md, "Line of centres". */
static bool relation_by_centres(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result) {
  const bool simple = options->method == GRAZE_METHOD_AUTO && !result->answer.conditional;
  if (!simple || !placed_are_plain(a, b)) return false;
  if (grz_is_point_set(&a->shape) || grz_is_point_set(&b->shape)) return false;
  const bool triangle = (a->shape.kind == GRAZE_TRIANGLE) != (b->shape.kind == GRAZE_TRIANGLE);
  if (!triangle && grz_closed_form_applies(a->shape.kind, b->shape.kind, a->shape.dim, false)) return false;
  const graze_vec offset = placed_offset(a, b), d = vec_neg(offset);
  const double square = vec_dot(d, d), length = real_sqrt(square);
  const double size = (a->hidden.bounding_radius + b->hidden.bounding_radius) + length;
  const double radius = ((a->hidden.radius + b->hidden.radius) + options->clearance) * (1 + CENTRES_ROUNDING);
  if (!(length > CENTRES_SMALLEST && size < CENTRES_LARGEST)) return false;
  double none = 0;
  const double value_a = grz_support_value(&a->shape, vec_unrotate(a->hidden.rotation, d, a->shape.dim), &none);
  const double value_b = grz_support_value(&b->shape, vec_unrotate(b->hidden.rotation, offset, a->shape.dim), &none);
  if (!(square - (value_a + value_b) > (radius + CENTRES_ERROR * size) * length)) return false;
  grz_certify_separated(d, result);
  result->answer.iterations = 1;
  if (options->cache) options->cache->direction = d; /* its simplex stays, for a later distance query */
  return true;
}

/* Not inlined, so that the other branch keeps its short code. */
__attribute__((noinline)) static bool relation_by_tests(const graze_placed *a, const graze_placed *b,
                                                        const graze_options *options, grz_result *result) {
  if (relation_by_spheres(a, b, options, result) || relation_by_axes(a, b, options, result)) return true;
  if (grz_are_triangles(&a->shape, &b->shape)) return grz_triangle_relation(a, b, options, result);
  return relation_by_centres(a, b, options, result);
}

/* The other tests decide some pairs nearer to touching than the nearest points. */
bool grz_relation_without_search(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 grz_result *result) {
  if (options->method != GRAZE_METHOD_AUTO) return false;
  if (grz_nearest_applies(a, b, options) && grz_nearest_relation(a, b, options, result)) return true;
  return relation_by_tests(a, b, options, result);
}
