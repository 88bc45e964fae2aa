/* One shape against a list: bounds first, then the exact query. */
#include "compound/query_shape.h"
#include "core/options.h"
#include "narrow/distance.h"
#include "narrow/query.h"
#include "shape/check.h"
#include "shape/placed.h"

typedef struct list_walk {
  const graze_placed *a;
  graze_options options;
  double clearance, beyond; /* what surely lies farther than this is not wanted */
  bool bounded;             /* A has bounds: */
  double size;              /* those of a ball around it, with what lies as near as wanted; … */
  graze_placed origin;      /* … and along the world's axes, seen from a point where A is, … */
  graze_aabb box;
  double error; /* … but for rounding */
  graze_status (*ask)(const graze_placed *a, const graze_placed *b, const graze_options *options, graze_answer *answer);
  bool (*wanted)(const graze_answer *answer);
} list_walk;

static bool list_is_met(const graze_answer *answer) { return answer->relation != GRAZE_SEPARATED; }
static bool list_is_near(const graze_answer *answer) { return answer->stopped != GRAZE_STOP_CUTOFF; }

/* Bounds that are fast, not tight: they cost less than the question. */
static void list_bound(list_walk *walk) {
  grz_query_shape self;
  graze_shape point = walk->a->shape.dim == 2 ? graze_point2() : graze_point();
  graze_vec at = placed_reference_point(walk->a);
  walk->bounded = walk->a->shape.kind != GRAZE_HALFSPACE;
  if (!walk->bounded) return;
  walk->origin = graze_place(&point, graze_pose_at(at.x, at.y, at.z));
  grz_query_shape_make(&self, &walk->origin, walk->a, 0);
  walk->box = grz_query_shape_box(&self, self.node);
  walk->error = self.less + self.error;
  walk->size = (grz_query_shape_size(walk->a) + walk->clearance) + walk->beyond;
}

/* Balls, before boxes: rounding is a few ulps, of 64. */
static bool list_is_far(const list_walk *walk, const graze_placed *member) {
  graze_vec apart = vec_sub(placed_reference_point(member), placed_reference_point(walk->a));
  double near = (walk->size + grz_query_shape_size(member)) * (1 + 64 * GRZ_U), square = vec_dot(apart, apart);
  return square > near * near && square > 0x1p-900;
}

static bool list_is_apart(const list_walk *walk, const graze_placed *member) {
  grz_query_shape guest;
  if (!walk->bounded) return false;
  if (member->shape.kind != GRAZE_HALFSPACE && list_is_far(walk, member)) return true;
  grz_query_shape_make(&guest, &walk->origin, member, walk->clearance);
  graze_aabb box = grz_query_shape_box(&guest, guest.node);
  return grz_query_shape_bound(&guest, &walk->box, &box) - walk->error > walk->beyond;
}

/* False ends the walk, because of *status or the visitor. */
static bool list_step(const list_walk *walk, const graze_placed *member, size_t index, graze_list_function visit,
                      void *context, graze_list_counts *counts, graze_status *status) {
  grz_query query;
  graze_answer answer;
  *status = grz_query_validate(&query, walk->a, member, &walk->options);
  if (*status != GRAZE_OK) return false;
  counts->members++;
  if (list_is_apart(walk, member)) {
    counts->separated_by_bounds++;
    return true;
  }
  *status = walk->ask(walk->a, member, &walk->options, &answer);
  if (*status != GRAZE_OK) return false;
  counts->queried++;
  if (!walk->wanted(&answer)) return true;
  counts->reported++;
  return visit(context, index, &answer);
}

/* Validates A and the options before any member. */
static graze_status list_validate(const graze_placed *a, const graze_options *options) {
  grz_query query;
  graze_shape shape = a->shape.dim == 2 ? graze_point2() : graze_point();
  graze_placed point = graze_place(&shape, graze_pose_at(0, 0, 0));
  return grz_query_validate(&query, a, &point, options);
}

graze_list_options graze_default_list_options(void) {
  return (graze_list_options){.max_distance = __builtin_inf(),
                              .max_iterations = grz_default_options.max_iterations};
}

/* `index`: the member, or -1 if A or the options are wrong. */
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

static graze_status list_run(list_walk *walk, const graze_placed *list, size_t count,
                             const graze_list_options *options, graze_list_function visit, void *context,
                             graze_list_counts *counts) {
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
  list_walk walk = {.a = a, .beyond = 0, .ask = graze_intersect, .wanted = list_is_met};
  return list_run(&walk, list, count, options, report, context, counts);
}

graze_status graze_distance_list(const graze_placed *a, const graze_placed *list, size_t count,
                                 const graze_list_options *options, graze_list_function report, void *context,
                                 graze_list_counts *counts) {
  const double most = options != NULL ? options->max_distance : __builtin_inf();
  list_walk walk = {.a = a, .beyond = most, .ask = graze_distance, .wanted = list_is_near};
  return list_run(&walk, list, count, options, report, context, counts);
}
