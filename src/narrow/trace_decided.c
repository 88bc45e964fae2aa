/* Records the steps of queries that are decided without a search: separating directions, axes, closed forms,
 * boundary walks. */
#include "narrow/axes.h"
#include "narrow/search.h"
#include "narrow/stages.h"

void grz_trace_separation(const grz_obstacle *c, graze_phase phase, graze_vec direction) {
  grz_trace_direction(c, phase, direction);
  grz_trace_flush(c->tracer, GRAZE_TRACE_ORIGIN_NOT_PASSED);
}

/* Writes the axes that are tested for two boxes, triangles or polygons. Returns their number; 0 for other shapes. */
static int trace_axes(const grz_obstacle *c, graze_vec axis[2 * GRZ_OUTLINE_VERTICES]) {
  if (grz_are_triangles(&c->a->shape, &c->b->shape)) return grz_triangle_axes(c, axis);
  return grz_are_boxes(&c->a->shape, &c->b->shape) ? grz_box_axes(c, axis) : grz_polygon_axes(c, axis);
}

void grz_trace_tested_axes(const grz_obstacle *c, const graze_vec *best, graze_trace_stop stop) {
  graze_vec axis[2 * GRZ_OUTLINE_VERTICES];
  int count = trace_axes(c, axis);
  if (count == 0 && best != NULL) axis[count++] = *best;
  for (int i = 0; i < count; i++) grz_trace_direction(c, GRAZE_PHASE_AXES, axis[i]);
  grz_trace_flush(c->tracer, stop);
}

void grz_trace_axes(const grz_obstacle *c, const grz_result *result) {
  if (result->answer.relation == GRAZE_SEPARATED)
    grz_trace_separation(c, GRAZE_PHASE_AXES, result->proof.direction.vector);
  else
    grz_trace_tested_axes(c, NULL, GRAZE_TRACE_CONTAINS_ORIGIN);
}

/* Records the step of a closed form: the direction that separates, or the pairs of an overlap as simplex. */
static void trace_pairs(const grz_obstacle *c, const grz_result *result) {
  if (result->answer.relation == GRAZE_SEPARATED) {
    grz_trace_separation(c, GRAZE_PHASE_CLOSED_FORM, result->proof.direction.vector);
    return;
  }
  const bool measured = !grz_query_is_unknown(result);
  const graze_vec d = vec_unit_inf(measured ? result->proof.direction.vector : grz_query_towards(c->offset));
  const int count = result->proof.pair_count <= c->dim ? result->proof.pair_count : c->dim + 1;
  grz_cso_point w, simplex[4];
  for (int i = 0; i < count; i++) simplex[i] = grz_obstacle_of_pair(c, &result->proof.pairs[i], c->dim);
  const double gap = grz_obstacle_gap(c, d, &w) / c->unit, radius = c->radius / c->unit;
  graze_trace_step step = grz_trace_make(c, GRAZE_PHASE_CLOSED_FORM, d, &w, simplex, count);
  step.lower = gap, step.upper = measured ? real_max(result->answer.upper + radius, 0) : radius;
  step.stop = GRAZE_TRACE_BOUNDS_MET;
  grz_trace_report(c->tracer, &step);
}

void grz_trace_decided(const grz_obstacle *c, const graze_options *options, const grz_result *result) {
  const bool walked = result->answer.algorithm == GRAZE_ALGORITHM_BOUNDARY_WALK;
  const bool by_axes = result->answer.algorithm == GRAZE_ALGORITHM_SAT, measured = !grz_query_is_unknown(result);
  if (walked || (by_axes && measured && c->dim == 2)) { /* the distance of two polygons */
    grz_result again = *result;
    (void)grz_polygon_distance(c->a, c->b, options, c, &again);
    if (by_axes) grz_trace_tested_axes(c, NULL, GRAZE_TRACE_BOUNDS_MET);
    return;
  }
  if (by_axes) {
    grz_trace_axes(c, result);
    return;
  }
  if (result->answer.algorithm == GRAZE_ALGORITHM_CLOSED_FORM) {
    trace_pairs(c, result);
    return;
  }
  const bool spheres = result->answer.algorithm == GRAZE_ALGORITHM_BOUNDING_SPHERES;
  graze_vec d = vec_neg(c->offset); /* the line of centres, and its reflections before the last one */
  for (int k = 1; k < result->answer.iterations; k++) {
    grz_trace_direction(c, GRAZE_PHASE_DIRECTION, d);
    d = grz_reflected_direction(c->a, c->b, c->radius, d);
  }
  grz_trace_separation(c, spheres ? GRAZE_PHASE_BOUNDING_SPHERES : GRAZE_PHASE_DIRECTION,
                       result->proof.direction.vector);
}
