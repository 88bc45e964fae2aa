/* The public queries about two shapes: convex shapes directly, compounds by their parts. */
#include "compound/distance.h"
#include "core/options.h"
#include "narrow/manifold.h"
#include "narrow/distance.h"
#include "narrow/query.h"
#include "shape/check.h"

static bool queries_are_convex(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  return a->shape.kind != GRAZE_COMPOUND && b->shape.kind != GRAZE_COMPOUND && !(options && options->parts);
}

/* Stores the reason of a rejected query. */
__attribute__((cold, noinline)) static graze_status queries_reject(const graze_placed *a, const graze_placed *b,
                                                                   const graze_options *options, graze_status status) {
  if (options == NULL || options->error == NULL) return status;
  graze_error error = grz_pair_error(a, b);
  if (error.status == GRAZE_OK) error = grz_options_error(options, a->shape.dim);
  if (error.status == GRAZE_OK && status == GRAZE_NO_SPACE)
    error = grz_error_rule(status, "part_capacity", (double)options->part_capacity, "must hold all pairs of parts");
  if (error.status == GRAZE_OK)
    error = options->method != GRAZE_METHOD_AUTO
                ? grz_error_rule(status, "method", options->method, "does not accept these shapes")
                : grz_error_rule(status, "shapes", 0, "two half-spaces are not supported");
  error.status = status;
  return grz_reject(options->error, error);
}

static void queries_return(const grz_result *from, const graze_options *options, graze_answer *answer) {
  *answer = from->answer;
  if (options && options->certificate) grz_proof_write(&from->proof, options->certificate);
}

/* In a frame of its own: the state of a compound query is large. */
__attribute__((noinline)) static graze_status queries_compound(const graze_placed *a, const graze_placed *b,
                                                               const graze_options *options, bool measure,
                                                               graze_answer *answer) {
  grz_whole whole;
  graze_status status = grz_whole_ask(&whole, a, b, options, measure);
  if (status != GRAZE_OK) return queries_reject(a, b, options, status);
  queries_return(&whole.best, options, answer);
  if (options == NULL || options->certificate == NULL) return GRAZE_OK;
  options->certificate->parts = options->parts;
  options->certificate->part_count = options->parts != NULL ? whole.tested : 0;
  return GRAZE_OK;
}

graze_status graze_intersect(const graze_placed *a, const graze_placed *b, const graze_options *options,
                             graze_answer *answer) {
  if (!queries_are_convex(a, b, options)) return queries_compound(a, b, options, false, answer);
  grz_result result;
  const graze_status status = grz_intersect_pair(a, b, options, &result);
  if (status != GRAZE_OK) return queries_reject(a, b, options, status);
  queries_return(&result, options, answer);
  return GRAZE_OK;
}

graze_status graze_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                            graze_answer *answer) {
  if (!queries_are_convex(a, b, options)) return queries_compound(a, b, options, true, answer);
  grz_result result;
  const graze_status status = grz_distance_pair(a, b, options, &result);
  if (status != GRAZE_OK) return queries_reject(a, b, options, status);
  queries_return(&result, options, answer);
  return GRAZE_OK;
}

graze_status graze_contains(const graze_placed *placed, graze_vec point, graze_relation *relation) {
  graze_shape shape = placed->shape.dim == 2 ? graze_point2() : graze_point();
  graze_placed at = graze_place(&shape, graze_pose_at(point.x, point.y, point.z));
  graze_answer answer;
  graze_status status = graze_intersect(placed, &at, NULL, &answer);
  if (status == GRAZE_OK) *relation = answer.relation;
  return status;
}

/* ---- Contact manifolds */

graze_manifold_options graze_default_manifold_options(void) {
  return (graze_manifold_options){.max_iterations = grz_default_options.max_iterations};
}

__attribute__((noinline)) static graze_status queries_compound_manifold(const graze_placed *a, const graze_placed *b,
                                                                        const graze_options *options,
                                                                        double speculative, graze_answer *answer,
                                                                        graze_contact *contacts, size_t capacity,
                                                                        size_t *count) {
  grz_whole whole;
  grz_result pair;
  graze_status status = grz_whole_ask(&whole, a, b, options, true);
  if (status != GRAZE_OK) return status;
  graze_options inner = whole.options;
  inner.cache = NULL;
  grz_whole_decider(&whole);
  status = grz_manifold_pair(&whole.pair.part_a, &whole.pair.part_b, &inner, speculative, &pair, contacts, capacity,
                             count);
  if (status != GRAZE_OK) return status;
  grz_whole_settle(&whole, &pair);
  *answer = whole.best.answer;
  return GRAZE_OK;
}

graze_status graze_manifold(const graze_placed *a, const graze_placed *b, const graze_manifold_options *options,
                            graze_answer *answer, graze_contact *contacts, size_t capacity, size_t *count) {
  const graze_manifold_options in_force = options ? *options : graze_default_manifold_options();
  graze_options inner = grz_default_options;
  inner.clearance = in_force.clearance, inner.tolerance = in_force.tolerance;
  inner.max_iterations = in_force.max_iterations, inner.cache = in_force.cache;
  inner.workspace = in_force.workspace, inner.workspace_size = in_force.workspace_size;
  inner.error = in_force.error;
  const double speculative = in_force.speculative_distance;
  if (!(speculative >= 0))
    return grz_reject(in_force.error, grz_error_rule(GRAZE_BAD_OPTION, "speculative_distance", speculative,
                                                     "must be >= 0"));
  if (capacity == 0) return grz_reject(in_force.error, grz_error(GRAZE_NO_SPACE, "capacity", -1, 0));
  if (!queries_are_convex(a, b, NULL)) {
    const graze_status status =
        queries_compound_manifold(a, b, &inner, speculative, answer, contacts, capacity, count);
    return status == GRAZE_OK ? status : queries_reject(a, b, &inner, status);
  }
  grz_result result;
  const graze_status status = grz_manifold_pair(a, b, &inner, speculative, &result, contacts, capacity, count);
  if (status != GRAZE_OK) return queries_reject(a, b, &inner, status);
  *answer = result.answer;
  return GRAZE_OK;
}
