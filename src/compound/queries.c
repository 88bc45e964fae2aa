/* The public queries of two shapes, and of one shape against a list. Convex shapes are queried directly, compounds by
 * their parts. */
#include "compound/compound.h"
#include "core/status.h"
#include "narrow/stages.h"
#include "narrow/query.h"
#include "shape/shape.h"
#include "shape/placed.h"

static bool queries_are_convex(const graze_placed *a, const graze_placed *b, const graze_options *options) {
  return !grz_has_parts(&a->shape) && !grz_has_parts(&b->shape) && !(options && (options->parts || options->frontier));
}

__attribute__((cold, noinline)) graze_status grz_query_reject(const graze_placed *a, const graze_placed *b,
                                                              const graze_options *options, graze_status status) {
  if (options == NULL || options->error == NULL) return status;
  graze_error error = grz_pair_error(a, b);
  if (error.status == GRAZE_OK) error = grz_options_error(options, a->shape.dim);
  if (error.status == GRAZE_OK && status == GRAZE_NO_SPACE)
    error = options->frontier != NULL && options->frontier->node_count > options->frontier->node_capacity
                ? grz_error_rule(status, "frontier.node_capacity", (double)options->frontier->node_capacity,
                                 "must hold all nodes")
                : grz_error_rule(status, "part_capacity", (double)options->part_capacity,
                                 "must hold the certificates of all pairs");
  const char *rule = options->method != GRAZE_METHOD_AUTO ? grz_query_method_rule(a, b, options->method) : NULL;
  if (error.status == GRAZE_OK)
    error = rule != NULL ? grz_error_rule(status, "method", options->method, rule)
                         : grz_error_rule(status, "shapes", 0, "two half-spaces are not supported");
  error.status = status;
  return grz_reject(options->error, error);
}

static void queries_return(const grz_result *from, const graze_options *options, graze_answer *answer) {
  *answer = from->answer;
  if (options && options->certificate) grz_proof_write(&from->proof, options->certificate);
}

/* Not inlined, because the state of a compound query is large. */
__attribute__((noinline)) static graze_status queries_compound(const graze_placed *a, const graze_placed *b,
                                                               const graze_options *options, bool measure,
                                                               graze_answer *answer) {
  grz_compound_query compound;
  graze_status status = grz_compound_query_run(&compound, a, b, options, measure);
  if (status == GRAZE_OK && compound.options.frontier != NULL)
    status = grz_frontier_make(&compound, compound.options.frontier);
  if (status == GRAZE_OK) queries_return(&compound.best, options, answer);
  if (options != NULL && options->certificate != NULL) {
    graze_certificate *c = options->certificate;
    const bool frontier = options->frontier != NULL && options->frontier->node_count > 0;
    c->frontier = frontier ? options->frontier : NULL;
    c->parts = compound.all_pairs || frontier ? options->parts : NULL;
    c->part_count = compound.all_pairs ? compound.tested : compound.frontier_pairs;
  }
  return status == GRAZE_OK ? GRAZE_OK : grz_query_reject(a, b, options, status);
}

/* `measure`: the distance, not only the relation. */
GRZ_TEMPLATE graze_status queries_run(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                      const bool measure, graze_answer *answer) {
  if (!queries_are_convex(a, b, options)) return queries_compound(a, b, options, measure, answer);
  grz_result result;
  const graze_status status =
      measure ? grz_distance_pair(a, b, options, &result) : grz_intersect_pair(a, b, options, &result);
  if (status != GRAZE_OK) return grz_query_reject(a, b, options, status);
  queries_return(&result, options, answer);
  return GRAZE_OK;
}

graze_status graze_intersect(const graze_placed *a, const graze_placed *b, const graze_options *options,
                             graze_answer *answer) {
  return queries_run(a, b, options, false, answer);
}

graze_status graze_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                            graze_answer *answer) {
  return queries_run(a, b, options, true, answer);
}

graze_status graze_contains(const graze_placed *placed, graze_vec point, graze_relation *relation) {
  graze_shape shape = grz_point_shape(placed->shape.dim);
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

graze_options grz_manifold_query_options(const graze_manifold_options *options) {
  graze_options inner = grz_default_options;
  inner.clearance = options->clearance, inner.tolerance = options->tolerance;
  inner.max_iterations = options->max_iterations, inner.cache = options->cache;
  inner.workspace = options->workspace, inner.workspace_size = options->workspace_size;
  inner.error = options->error;
  return inner;
}

graze_error grz_speculative_error(double distance) {
  return grz_error_rule(GRAZE_BAD_OPTION, "speculative_distance", distance, "must be >= 0");
}

__attribute__((noinline)) static graze_status queries_compound_manifold(const graze_placed *a, const graze_placed *b,
                                                                        const graze_options *options,
                                                                        double speculative, graze_answer *answer,
                                                                        graze_contact *contacts, size_t capacity,
                                                                        size_t *count) {
  grz_compound_query compound;
  grz_result pair;
  graze_status status = grz_compound_query_run(&compound, a, b, options, true);
  if (status != GRAZE_OK) return status;
  graze_options inner = compound.options;
  inner.cache = NULL;
  grz_compound_query_place_best(&compound);
  status = grz_manifold_pair(&compound.pair.part_a, &compound.pair.part_b, &inner, speculative, &pair, contacts,
                             capacity, count);
  if (status != GRAZE_OK) return status;
  grz_compound_query_replace(&compound, &pair);
  *answer = compound.best.answer;
  return GRAZE_OK;
}

graze_status graze_manifold(const graze_placed *a, const graze_placed *b, const graze_manifold_options *options,
                            graze_answer *answer, graze_contact *contacts, size_t capacity, size_t *count) {
  graze_options given; /* large: set only if there are options */
  const graze_options *inner = &grz_default_options;
  if (options) given = grz_manifold_query_options(options), inner = &given;
  const double speculative = options ? options->speculative_distance : 0;
  if (!(speculative >= 0)) return grz_reject(inner->error, grz_speculative_error(speculative));
  if (capacity == 0) return grz_reject(inner->error, grz_error_rule(GRAZE_NO_SPACE, "capacity", 0, "must be >= 1"));
  if (!queries_are_convex(a, b, NULL)) {
    const graze_status status = queries_compound_manifold(a, b, inner, speculative, answer, contacts, capacity, count);
    return status == GRAZE_OK ? status : grz_query_reject(a, b, inner, status);
  }
  grz_result result;
  const graze_status status = grz_manifold_pair(a, b, inner, speculative, &result, contacts, capacity, count);
  if (status != GRAZE_OK) return grz_query_reject(a, b, inner, status);
  *answer = result.answer;
  return GRAZE_OK;
}

/* ---- Lists: bounds first, then the exact query */

typedef struct list_walk {
  const graze_placed *a;
  graze_options options;
  double clearance, beyond; /* members farther away than this are not reported */
  bool bounded;             /* false: A has no bounds */
  double size;              /* of a ball around A, extended by the distances that matter */
  graze_placed origin;      /* a point at A, with the axes of the world, and the bounds of A relative to it */
  graze_aabb box;
  double error; /* the rounding error of these bounds */
  graze_status (*query)(const graze_placed *a, const graze_placed *b, const graze_options *options,
                        graze_answer *answer);
  bool (*wanted)(const graze_answer *answer);
} list_walk;

static bool list_is_contact(const graze_answer *answer) { return answer->relation != GRAZE_SEPARATED; }
static bool list_is_within(const graze_answer *answer) { return answer->stopped != GRAZE_STOP_CUTOFF; }

/* Computes bounds that are fast, not tight: they cost less than a query. */
static void list_bound(list_walk *walk) {
  grz_query_shape self;
  graze_shape point = grz_point_shape(walk->a->shape.dim);
  graze_vec at = placed_reference_point(walk->a);
  walk->bounded = walk->a->shape.kind != GRAZE_HALFSPACE;
  if (!walk->bounded) return;
  walk->origin = graze_place(&point, graze_pose_at(at.x, at.y, at.z));
  grz_query_shape_make(&self, &walk->origin, walk->a, 0);
  walk->box = grz_query_shape_box(&self);
  walk->error = self.less + self.error;
  walk->size = (grz_query_shape_size(walk->a) + walk->clearance) + walk->beyond;
}

/* Compares balls before boxes. The factor of 64 ulps exceeds the rounding errors. */
static bool list_balls_are_disjoint(const list_walk *walk, const graze_placed *member) {
  graze_vec offset = vec_sub(placed_reference_point(member), placed_reference_point(walk->a));
  double near = (walk->size + grz_query_shape_size(member)) * (1 + 64 * GRZ_U), square = vec_dot(offset, offset);
  return square > near * near && square > 0x1p-900;
}

static bool list_boxes_are_disjoint(const list_walk *walk, const graze_placed *member) {
  grz_query_shape shape;
  if (!walk->bounded) return false;
  if (member->shape.kind != GRAZE_HALFSPACE && list_balls_are_disjoint(walk, member)) return true;
  grz_query_shape_make(&shape, &walk->origin, member, walk->clearance);
  graze_aabb box = grz_query_shape_box(&shape);
  return grz_query_shape_bound(&shape, &walk->box, &box) - walk->error > walk->beyond;
}

/* Returns false if *status or the visitor ends the loop. */
static bool list_step(const list_walk *walk, const graze_placed *member, size_t index, graze_list_function visit,
                      void *context, graze_list_counts *counts, graze_status *status) {
  grz_query query;
  graze_answer answer;
  *status = grz_query_validate(&query, walk->a, member, &walk->options);
  if (*status != GRAZE_OK) return false;
  counts->members++;
  if (list_boxes_are_disjoint(walk, member)) {
    counts->separated_by_bounds++;
    return true;
  }
  *status = walk->query(walk->a, member, &walk->options, &answer);
  if (*status != GRAZE_OK) return false;
  counts->queried++;
  if (!walk->wanted(&answer)) return true;
  counts->reported++;
  return visit(context, index, &answer);
}

/* Validates A and the options before all members. */
static graze_status list_validate(const graze_placed *a, const graze_options *options) {
  grz_query query;
  graze_shape shape = grz_point_shape(a->shape.dim);
  graze_placed point = graze_place(&shape, graze_pose_at(0, 0, 0));
  return grz_query_validate(&query, a, &point, options);
}

graze_list_options graze_default_list_options(void) {
  return (graze_list_options){.max_distance = __builtin_inf(), .max_iterations = grz_default_options.max_iterations};
}

/* `index`: the member, or -1 if A or the options are invalid. */
static graze_status list_reject(const list_walk *walk, const graze_placed *member, ptrdiff_t index,
                                graze_status status) {
  graze_error *error = walk->options.error;
  if (error == NULL) return status;
  *error = grz_pair_error(walk->a, member);
  if (error->status == GRAZE_OK) *error = grz_options_error(&walk->options, walk->a->shape.dim);
  if (error->status == GRAZE_OK) *error = grz_error_rule(status, "list", 0, "two half-spaces are not supported");
  error->status = status;
  error->index = index;
  return status;
}

static graze_status list_run(list_walk *walk, const graze_placed *list, size_t count, const graze_list_options *options,
                             graze_list_function visit, void *context, graze_list_counts *counts) {
  const graze_list_options in_force = options ? *options : graze_default_list_options();
  graze_list_counts sum = {0, 0, 0, 0};
  walk->options = grz_default_options;
  walk->options.clearance = in_force.clearance, walk->options.max_distance = in_force.max_distance;
  walk->options.tolerance = in_force.tolerance, walk->options.max_iterations = in_force.max_iterations;
  walk->options.workspace = in_force.workspace, walk->options.workspace_size = in_force.workspace_size;
  walk->options.error = in_force.error;
  graze_status status = list_validate(walk->a, &walk->options);
  if (status != GRAZE_OK) return list_reject(walk, walk->a, -1, status);
  walk->clearance = in_force.clearance;
  list_bound(walk);
  size_t i = 0;
  while (i < count && list_step(walk, &list[i], i, visit, context, &sum, &status)) i++;
  if (status != GRAZE_OK) return list_reject(walk, &list[i], (ptrdiff_t)i, status);
  if (counts != NULL) *counts = sum;
  return GRAZE_OK;
}

graze_status graze_intersect_list(const graze_placed *a, const graze_placed *list, size_t count,
                                  const graze_list_options *options, graze_list_function report, void *context,
                                  graze_list_counts *counts) {
  list_walk walk = {.a = a, .beyond = 0, .query = graze_intersect, .wanted = list_is_contact};
  return list_run(&walk, list, count, options, report, context, counts);
}

graze_status graze_distance_list(const graze_placed *a, const graze_placed *list, size_t count,
                                 const graze_list_options *options, graze_list_function report, void *context,
                                 graze_list_counts *counts) {
  const double most = options != NULL ? options->max_distance : __builtin_inf();
  list_walk walk = {.a = a, .beyond = most, .query = graze_distance, .wanted = list_is_within};
  return list_run(&walk, list, count, options, report, context, counts);
}
