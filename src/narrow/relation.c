/* The relation of two shapes at rest without a search, and without the CSO: nearest points of simple cores,
 * bounding spheres, separating axes, the line of centres and its reflections. Each test fills a blank answer with its
 * certificate, or returns false and leaves it blank. */
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

/* The number of directions after the line of centres. Further ones are tried only if the shapes overlap along the last
 * one by at most this share of their heights: deeper pairs rarely are disjoint. */
enum { CENTRES_STEPS = 2 };
#define CENTRES_SHARE 0x1p-3

graze_vec grz_reflected_direction(const graze_placed *a, const graze_placed *b, double radius, graze_vec d) {
  double none = 0;
  const int dim = a->shape.dim;
  const double *ra = a->hidden.rotation, *rb = b->hidden.rotation;
  const grz_core_point on_a = grz_support_local(&a->shape, vec_unrotate(ra, d, dim), &none),
                       on_b = grz_support_local(&b->shape, vec_unrotate(rb, vec_neg(d), dim), &none);
  const graze_vec cores =
      vec_add(vec_sub(vec_rotate(ra, on_a.local, dim), vec_rotate(rb, on_b.local, dim)), placed_offset(a, b));
  const graze_vec r = vec_add(cores, vec_scale(d, radius / vec_length(d)));
  return vec_sub(d, vec_scale(r, 2 * vec_dot(r, d) / vec_dot(r, r)));
}

/* The line of centres and its reflections, for shapes without a vertex array: they separate most disjoint pairs. For
 * vertex arrays, GJK starts with that line. docs/theory/rounding.md, "Line of centres". */
static bool relation_by_centres(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result) {
  const bool simple = options->method == GRAZE_METHOD_AUTO && !result->answer.conditional;
  if (!simple || !placed_are_plain(a, b)) return false;
  if (grz_is_point_set(&a->shape) || grz_is_point_set(&b->shape)) return false;
  const bool triangle = (a->shape.kind == GRAZE_TRIANGLE) != (b->shape.kind == GRAZE_TRIANGLE);
  if (!triangle && grz_closed_form_applies(a->shape.kind, b->shape.kind, a->shape.dim, false)) return false;
  const graze_vec centres = vec_neg(placed_offset(a, b));
  const double radii = (a->hidden.radius + b->hidden.radius) + options->clearance;
  const double radius = radii * (1 + CENTRES_ROUNDING);
  const double bounds = a->hidden.bounding_radius + b->hidden.bounding_radius, distance = vec_length(centres);
  const double error = CENTRES_ERROR * (bounds + distance);
  if (!(distance > CENTRES_SMALLEST && bounds + distance < CENTRES_LARGEST)) return false;
  /* GJK of a point and a core is short. */
  const int steps = grz_core_is_point(&a->shape) || grz_core_is_point(&b->shape) ? 0 : CENTRES_STEPS;
  graze_vec d = centres;
  for (int step = 0;; step++) {
    double none = 0;
    const double length = vec_length(d);
    if (!(length > 0.5 * distance && length < 2 * distance)) return false; /* no reflection: r is 0 or underflows */
    const double heights =
        grz_support_value(&a->shape, vec_unrotate(a->hidden.rotation, d, a->shape.dim), &none) +
        grz_support_value(&b->shape, vec_unrotate(b->hidden.rotation, vec_neg(d), a->shape.dim), &none);
    const double gap = vec_dot(d, centres) - heights;
    if (gap > (radius + error) * length) {
      grz_certify_separated(d, result);
      result->answer.iterations = 1 + step;
      if (options->cache) options->cache->direction = d; /* its simplex stays, for a later distance query */
      return true;
    }
    const double overlap = radius * length - gap;
    if (step == steps || step + 1 == options->max_iterations ||
        !(overlap < CENTRES_SHARE * (heights + radius * length)))
      return false;
    d = grz_reflected_direction(a, b, radii, d);
  }
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
