/* Casts of convex shapes and compounds. Theory: docs/theory/compounds.md, "Motion".
 *
 * The first contact of two compounds is the earliest of all pairs of parts. Without contact, the minimum distance is
 * the least of all pairs. The bounds of the swept parts exclude pairs. With rotation, a compound is swept in slices of
 * time, and the rotation extends the bounds. */
#include "compound/compound.h"

#include "bvh/bvh.h"
#include "ccd/ccd.h"
#include "narrow/stages.h"
#include "core/vec.h"
#include "shape/shape.h"
#include "shape/motion.h"

/* ---- Linear motion */

typedef struct compound_cast {
  grz_contact_parts pair;
  graze_vec velocity_a, velocity_b;
  double t_max; /* no later contact can be the first */
  bool ray, any;
  graze_cast_options options; /* of a pair of parts */
  grz_search search;
  grz_query_shape shape;
  grz_cast_result *best;
  int iterations;
  graze_status status;
} compound_cast;

/* Restricts the search to pairs that can collide no later than the best pair, or come nearer. */
static void cast_limit(compound_cast *w) {
  const grz_cast_result *best = w->best;
  if (best->cast.outcome == GRAZE_HIT) {
    w->t_max = best->cast.t_upper;
    w->search.limit = 0;
  } else if (best->cast.outcome == GRAZE_POSSIBLE) {
    w->search.limit = 0;
  } else {
    const bool nearest = w->options.min_distance; /* false: only pairs that may collide matter */
    const double limit = best->cast.min_upper == best->cast.min_upper ? best->cast.min_upper : __builtin_inf();
    w->search.limit = nearest ? limit : 0;
  }
}

/* Gives the search the direction between two parts at the time of their least distance. */
static void cast_set_axis(compound_cast *w, const graze_placed *part_a, const graze_placed *part_b, double time) {
  grz_moved a, b;
  grz_result result;
  if (!(time >= 0)) return;
  grz_moved_make(&a, part_a);
  grz_moved_make(&b, part_b);
  moved_set_position(&a, moving_position(part_a, w->velocity_a, time));
  moved_set_position(&b, moving_position(part_b, w->velocity_b, time));
  const graze_options options = grz_still_options(&w->options);
  if (grz_distance_pair(&a.placed, &b.placed, &options, &result) == GRAZE_OK)
    w->search.axis = grz_search_axis(w->pair.a, w->pair.b, result.answer.normal);
}

static bool cast_visit(compound_cast *w, int32_t a, int32_t b) {
  grz_cast_result r;
  graze_frame frame_a, frame_b;
  const graze_placed part_a = graze_part(w->pair.a, (size_t)a, &frame_a),
                     part_b = graze_part(w->pair.b, (size_t)b, &frame_b);
  w->status = grz_cast_pair(&part_a, w->velocity_a, &part_b, w->velocity_b, w->t_max, w->ray, &w->options, NULL, &r);
  if (w->status != GRAZE_OK) return false;
  w->iterations += r.cast.iterations;
  r.cast.part_a = a, r.cast.part_b = b;
  if (w->any) grz_motion_join(&r, w->best);
  const bool better = !w->any || grz_motion_is_better(&r, w->best);
  if (better) *w->best = r;
  w->any = true;
  if (better && r.cast.outcome == GRAZE_CLEAR) cast_set_axis(w, &part_a, &part_b, r.cast.t_min);
  cast_limit(w);
  return !(w->best->cast.outcome == GRAZE_HIT && w->best->cast.t_upper == 0);
}

static bool cast_visit_from_a(void *compound, int32_t a, int32_t b) { return cast_visit(compound, a, b); }
static bool cast_visit_from_b(void *compound, int32_t b, int32_t a) { return cast_visit(compound, a, b); }

/* Returns the time up to which other parts can collide earlier. */
static double cast_visit_tree(void *context, uint32_t part, double end) {
  compound_cast *w = context;
  const bool from_a = grz_has_parts(&w->pair.a->shape);
  if (!cast_visit(w, from_a ? (int32_t)part : 0, from_a ? 0 : (int32_t)part)) return -1;
  return w->best->cast.outcome == GRAZE_HIT ? real_min(end, w->best->cast.t_upper) : end;
}

/* Searches the first contact of a convex shape and the parts of the other body, in the order of its path. */
static void cast_search_path(compound_cast *w, const graze_placed *target, graze_vec speed) {
  const double out = w->shape.less + w->shape.error;
  const graze_vec grow = vec_make(out, out, target->shape.dim == 2 ? 0 : out);
  const graze_aabb box = {vec_sub(w->shape.box.min, grow), vec_add(w->shape.box.max, grow)};
  const graze_vec velocity = vec_unrotate(target->hidden.rotation, speed, target->shape.dim);
  grz_tree_cast(grz_tree_of(&target->shape), &box, velocity, w->t_max, cast_visit_tree, w);
}

/* Restricts the motion to the times at which the bodies can be nearest. At the time `at`, a point of the query shape is
 * at most h + R from the target, where h is its distance from the centre of the target's bounds and R their radius. At
 * any other time it is farther than that if its distance from the centre exceeds h + 2R, plus the size of the query
 * shape. */
static void cast_near_interval(const grz_query_shape *g, const graze_placed *target, graze_vec speed, double *from,
                               double *to) {
  const graze_aabb *bounds = grz_bounds_of_parts(&target->shape);
  const graze_vec v = vec_unrotate(target->hidden.rotation, speed, g->dim);
  const graze_vec offset = vec_scale(vec_sub(vec_add(g->box.min, g->box.max), vec_add(bounds->min, bounds->max)), 0.5);
  const double size = vec_length_up(vec_sub(g->box.max, g->box.min)) + vec_length_up(vec_sub(bounds->max, bounds->min));
  const double fast = vec_length(v);
  if (!(fast > 0x1p-400 && fast < 0x1p400)) return;
  const double at = real_min(real_max(-vec_dot(offset, vec_scale(v, 1 / (fast * fast))), *from), *to);
  const double nearest = vec_length_up(vec_add(offset, vec_scale(v, at)));
  const double beyond = 2 * size + 2 * (g->less + g->error); /* in addition to the nearest distance */
  const double path = real_sqrt(beyond * (beyond + 2 * nearest)) * (1 + 0x1p-20) / fast;
  if (path == path) *from = real_max(*from, at - path), *to = real_min(*to, at + path);
}

static void cast_search(compound_cast *w) {
  bool from_a = grz_has_parts(&w->pair.a->shape);
  const graze_placed *target = from_a ? w->pair.a : w->pair.b, *shape = from_a ? w->pair.b : w->pair.a;
  graze_vec speed = from_a ? vec_sub(w->velocity_b, w->velocity_a) : vec_sub(w->velocity_a, w->velocity_b);
  grz_query_shape_make(&w->shape, target, shape, w->options.clearance);
  if (!grz_has_parts(&shape->shape) && shape->shape.kind != GRAZE_HALFSPACE) {
    cast_search_path(w, target, speed);
    if (w->status != GRAZE_OK || (w->any && w->best->cast.outcome != GRAZE_CLEAR) || !w->options.min_distance) return;
  }
  double from = 0, to = w->t_max;
  if (shape->shape.kind != GRAZE_HALFSPACE) cast_near_interval(&w->shape, target, speed, &from, &to);
  grz_query_shape_move(&w->shape, target, vec_scale(speed, from));
  grz_query_shape_sweep(&w->shape, target, vec_scale(speed, to - from));
  w->search.target = &target->shape;
  w->search.query = &w->shape;
  w->search.visit = from_a ? cast_visit_from_a : cast_visit_from_b;
  w->search.context = w;
  w->search.limit = w->options.min_distance ? __builtin_inf() : 0;
  grz_search_run(&w->search);
}

/* Limits t_max to the time that matters, so that bounds stay finite. */
static double motion_horizon(const graze_placed *a, const graze_placed *b, graze_vec speed, double clearance,
                             double t_max) {
  const bool plane = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  const double fast = vec_length_up(speed);
  const double size = grz_query_shape_size(a) + grz_query_shape_size(b) + clearance + vec_norm1(placed_offset(a, b));
  t_max = motion_last_time(t_max);
  if (!(fast > 0)) return t_max;
  const double late = 0x1p20 * size / fast;
  return !plane && late < t_max ? real_next_up(late) : t_max; /* the approach to a half-space can be arbitrarily slow */
}

/* True if the other body can slide into an internal edge while touching. The cast does not test that case. */
static bool cast_may_slide_into_internal_edge(const graze_placed *compound, const graze_placed *other) {
  if (compound->shape.kind != GRAZE_COMPOUND || compound->shape.as.compound->internal_edge_count == 0) return false;
  for (size_t i = 0; i < graze_part_count(other); i++) {
    graze_frame frame;
    const graze_placed part = graze_part(other, i, &frame);
    if (grz_internal_edge_may_hold(&part)) return true;
  }
  return false;
}

/* Handles compounds that touch at the start if no pair of parts hits immediately. */
static void cast_settle_touch(const compound_cast *w, grz_cast_result *result) {
  const double nan = __builtin_nan("");
  const bool slides = cast_may_slide_into_internal_edge(w->pair.a, w->pair.b) ||
                      cast_may_slide_into_internal_edge(w->pair.b, w->pair.a);
  if (!slides || w->options.clearance > 0 || w->ray || (result->cast.outcome == GRAZE_HIT && result->cast.t_upper == 0))
    return;
  cast_result_times(result, GRAZE_POSSIBLE, 0, result->cast.outcome == GRAZE_CLEAR ? w->t_max : result->cast.t_upper);
  result->cast.min_lower = result->cast.min_upper = result->cast.t_min = nan;
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
  result->cast.position_a = placed_reference_point(w->pair.a),
  result->cast.position_b = placed_reference_point(w->pair.b);
}

/* Not inlined, because its stack frame is large. */
__attribute__((noinline)) static graze_status cast_compound(const graze_placed *a, graze_vec velocity_a,
                                                            const graze_placed *b, graze_vec velocity_b, double t_max,
                                                            bool ray, const graze_cast_options *options,
                                                            grz_cast_result *result) {
  grz_compound_query start;
  const graze_options first = grz_still_options(options);
  graze_status status = moving_validate(velocity_a, velocity_b, t_max, a->shape.dim);
  if (status == GRAZE_OK) status = grz_compound_query_run(&start, a, b, &first, false);
  if (status != GRAZE_OK) return status;
  const bool conditional = start.best.answer.conditional;
  cast_result_clear(result, GRAZE_ALGORITHM_FCCD, conditional);
  if (start.best.answer.relation == GRAZE_OVERLAPPING) {
    status = grz_compound_query_run(&start, a, b, &first, true);
    if (status != GRAZE_OK) return status;
    cast_result_start(a, b, &start.best, result);
    result->cast.iterations = start.best.answer.iterations;
    return GRAZE_OK;
  }
  compound_cast w = {.pair = {.a = a, .b = b}, .velocity_a = velocity_a, .velocity_b = velocity_b, .ray = ray};
  w.options = *options;
  w.best = result;
  const graze_vec speed = vec_sub(velocity_a, velocity_b);
  w.t_max = vec_norm_inf(speed) > 0 ? motion_horizon(a, b, speed, w.options.clearance, t_max) : 0;
  cast_search(&w);
  result->cast.start_relation = start.best.answer.relation;
  result->cast.iterations = w.iterations + start.iterations;
  result->cast.conditional = conditional;
  if (!w.any) result->cast.outcome = GRAZE_CLEAR, result->cast.min_lower = 0; /* no part is near the path */
  if (result->cast.outcome == GRAZE_CLEAR) {
    result->cast.position_a = moving_position(a, velocity_a, motion_last_time(t_max));
    result->cast.position_b = moving_position(b, velocity_b, motion_last_time(t_max));
  }
  if (start.best.answer.relation == GRAZE_TOUCHING) cast_settle_touch(&w, result);
  return w.status;
}

/* Computes graze_cast() without rotation. If `ray` is true, B is a point that moves along a ray. */
static graze_status cast_linear(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                graze_vec velocity_b, double t_max, bool ray, const graze_cast_options *options,
                                grz_cast_result *result) {
  bool compound = grz_has_parts(&a->shape) || grz_has_parts(&b->shape);
  if (compound && a->status == GRAZE_OK && b->status == GRAZE_OK)
    return cast_compound(a, velocity_a, b, velocity_b, t_max, ray, options, result);
  return grz_cast_pair(a, velocity_a, b, velocity_b, t_max, ray, options, NULL, result);
}

graze_status grz_raycast(const graze_placed *placed, const graze_placed *point, graze_vec direction, double t_max,
                         const graze_cast_options *options, grz_cast_result *result) {
  const graze_vec still = {0, 0, 0};
  graze_status status = cast_linear(placed, still, point, direction, t_max, true, options, result);
  if (status != GRAZE_OK || result->cast.outcome == GRAZE_CLEAR) return status;
  result->cast.point = result->cast.position_b; /* on the ray */
  const double nan = __builtin_nan("");
  if (result->cast.start_relation == GRAZE_OVERLAPPING) result->cast.normal = vec_make(nan, nan, nan);
  return status;
}

/* ---- Motion with rotation */

/* The length of a slice, in radians of both rotations together, and the maximum number of slices. */
#define SWEEP_SLICE 0.25
enum { SWEEP_SLICES = 1024 };

typedef struct compound_sweep {
  const graze_placed *a, *b;
  const graze_motion *motion_a, *motion_b;
  grz_moving_body turning_a, turning_b;
  grz_moved at_a, at_b; /* at the start of the slice */
  double from, to, last;
  graze_cast_options options; /* of a pair of parts */
  grz_search search;
  grz_query_shape shape;
  grz_cast_result *best;
  int iterations;
  grz_sweep_budget budget;
  graze_status status;
} compound_sweep;

/* If the budget is exhausted, a pair with overlapping bounds is a possible contact from the start of the slice. */
static void sweep_leave_open(const compound_sweep *w, grz_cast_result *r) {
  cast_result_clear(r, w->best->cast.algorithm, false);
  r->cast.stopped = GRAZE_STOP_BUDGET;
  cast_result_times(r, GRAZE_POSSIBLE, w->from, w->last);
  r->cast.position_a = moving_position(w->a, w->motion_a->velocity, w->from);
  r->cast.position_b = moving_position(w->b, w->motion_b->velocity, w->from);
}

static bool sweep_visit(compound_sweep *w, int32_t a, int32_t b) {
  grz_cast_result r;
  const bool open = w->budget.cost <= 0;
  graze_frame frame_a, frame_b;
  const graze_placed part_a = graze_part(w->a, (size_t)a, &frame_a), part_b = graze_part(w->b, (size_t)b, &frame_b);
  const grz_cast_query query = {&part_a, &part_b, w->motion_a, w->motion_b, w->from, w->to, w->last, &w->budget};
  if (open)
    sweep_leave_open(w, &r);
  else
    w->status = grz_sweep_pair(&query, &w->options, &r);
  if (w->status != GRAZE_OK) return false;
  w->iterations += r.cast.iterations;
  r.cast.part_a = a, r.cast.part_b = b;
  grz_motion_join(&r, w->best);
  if (grz_motion_is_better(&r, w->best)) *w->best = r;
  return !open;
}

static bool sweep_visit_from_a(void *compound, int32_t a, int32_t b) { return sweep_visit(compound, a, b); }
static bool sweep_visit_from_b(void *compound, int32_t b, int32_t a) { return sweep_visit(compound, a, b); }

/* An upper bound of the displacement of a point of the body by rotation. */
static double sweep_rotation_bound(const grz_moving_body *turning, double time) {
  return real_min(turning->spin * time, 2) * (turning->placed.hidden.bounding_radius * (1 + 8 * GRZ_U));
}

/* Places the bodies at the start of the slice, at rounded positions. Returns the error bound. */
static double sweep_place(compound_sweep *w) {
  const graze_vec p = moving_position(w->a, w->motion_a->velocity, w->from);
  const graze_vec q = moving_position(w->b, w->motion_b->velocity, w->from);
  const double error =
      grz_moving_body_at(&w->turning_a, w->from, &w->at_a) + grz_moving_body_at(&w->turning_b, w->from, &w->at_b);
  w->at_a.frame.hidden.is_moving = w->at_b.frame.hidden.is_moving = false;
  moved_set_position(&w->at_a, p);
  moved_set_position(&w->at_b, q);
  return error + 8 * GRZ_U *
                     (vec_norm1(p) + vec_norm1(q) + vec_norm1(placed_reference_point(w->a)) +
                      vec_norm1(placed_reference_point(w->b)));
}

static void sweep_slice(compound_sweep *w) {
  const bool from_a = grz_has_parts(&w->a->shape);
  const double time = w->to - w->from, error = sweep_place(w);
  const graze_placed *target = from_a ? &w->at_a.placed : &w->at_b.placed;
  const graze_placed *shape = from_a ? &w->at_b.placed : &w->at_a.placed;
  const graze_vec v = vec_sub(w->motion_b->velocity, w->motion_a->velocity);
  const double rotation = sweep_rotation_bound(&w->turning_a, time) + sweep_rotation_bound(&w->turning_b, time);
  grz_query_shape_make(&w->shape, target, shape, w->options.clearance + (rotation + error) * (1 + 8 * GRZ_U));
  grz_query_shape_sweep(&w->shape, target, vec_scale(from_a ? v : vec_neg(v), time));
  w->search.target = &target->shape;
  w->search.query = &w->shape;
  w->search.visit = from_a ? sweep_visit_from_a : sweep_visit_from_b;
  w->search.context = w;
  w->search.limit = 0;
  grz_search_run(&w->search);
}

/* Sweeps slice after slice until one has a contact. */
static void sweep_slices(compound_sweep *w) {
  const double angle = (w->turning_a.spin + w->turning_b.spin) * w->last;
  const int count = angle < SWEEP_SLICE * SWEEP_SLICES ? 1 + (int)(angle / SWEEP_SLICE) : SWEEP_SLICES;
  for (int i = 0; i < count && w->best->cast.outcome == GRAZE_CLEAR && w->status == GRAZE_OK; i++) {
    w->to = i + 1 == count ? w->last : w->last * ((double)(i + 1) / count);
    sweep_slice(w);
    w->from = w->to;
  }
}

/* Computes a cast with rotation if one body is a compound. The input is valid. */
static graze_status sweep_compound(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                   const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                                   grz_cast_result *result) {
  grz_compound_query start;
  compound_sweep w = {.a = a,
                      .b = b,
                      .motion_a = motion_a,
                      .motion_b = motion_b,
                      .best = result,
                      .budget = {GRZ_SWEEP_STEPS, GRZ_SWEEP_COST}};
  const graze_options first = grz_still_options(options);
  graze_status status = grz_compound_query_run(&start, a, b, &first, true);
  if (status != GRAZE_OK) return status;
  const graze_algorithm algorithm = options->method == GRAZE_CAST_CA ? GRAZE_ALGORITHM_CA : GRAZE_ALGORITHM_SWEEP;
  cast_result_clear(result, algorithm, grz_is_conditional(a) || grz_is_conditional(b));
  result->cast.iterations = start.iterations;
  result->cast.start_relation = start.best.answer.relation;
  if (start.best.answer.relation == GRAZE_OVERLAPPING) {
    cast_result_start(a, b, &start.best, result);
    return GRAZE_OK;
  }
  graze_cast_options slide = *options;
  slide.method = GRAZE_CAST_AUTO;
  if (start.best.answer.relation == GRAZE_TOUCHING && !motion_rotates(a, motion_a) && !motion_rotates(b, motion_b))
    return cast_linear(a, motion_a->velocity, b, motion_b->velocity, t_max, false, &slide, result);
  w.options = *options;
  w.options.steps = NULL;
  w.last = motion_horizon(a, b, vec_sub(motion_a->velocity, motion_b->velocity), options->clearance, t_max);
  grz_moved_make(&w.at_a, a);
  grz_moved_make(&w.at_b, b);
  grz_moving_body_make(&w.turning_a, a, motion_a);
  grz_moving_body_make(&w.turning_b, b, motion_b);
  result->cast.outcome = GRAZE_CLEAR;
  sweep_slices(&w);
  result->cast.start_relation = start.best.answer.relation;
  result->cast.iterations = w.iterations + start.iterations;
  if (result->cast.outcome == GRAZE_CLEAR) {
    result->cast.position_a = moving_position(a, motion_a->velocity, motion_last_time(t_max));
    result->cast.position_b = moving_position(b, motion_b->velocity, motion_last_time(t_max));
  }
  return w.status;
}

/* ---- The public functions */

static const graze_cast_options motion_default = {.max_iterations = GRZ_MAX_ITERATIONS, .min_distance = true};

graze_cast_options graze_default_cast_options(void) { return motion_default; }

typedef enum motion_rule {
  MOTION_NO_RULE, /* all options are valid */
  MOTION_CLEARANCE,
  MOTION_TOLERANCE,
  MOTION_MAX_ITERATIONS,
  MOTION_METHOD,
  MOTION_TIME,
  MOTION_RULES
} motion_rule;

/* Returns the first rule that the options or the time break. */
static motion_rule motion_broken_rule(const graze_cast_options *o, double t_max) {
  if (!(o->clearance >= 0 && o->clearance <= GRAZE_LARGEST)) return MOTION_CLEARANCE;
  if (!(o->tolerance >= 0)) return MOTION_TOLERANCE;
  if (o->max_iterations < 1) return MOTION_MAX_ITERATIONS;
  if (o->method < GRAZE_CAST_AUTO || o->method > GRAZE_CAST_CA) return MOTION_METHOD;
  return t_max >= 0 ? MOTION_NO_RULE : MOTION_TIME;
}

static graze_error motion_options_error(const graze_cast_options *o, double t_max) {
  const struct {
    const char *what;
    double value;
    const char *allowed;
  } rules[MOTION_RULES] = {
      [MOTION_CLEARANCE] = {"clearance", o->clearance, "must be 0 to 1e40"},
      [MOTION_TOLERANCE] = {"tolerance", o->tolerance, "must be >= 0"},
      [MOTION_MAX_ITERATIONS] = {"max_iterations", o->max_iterations, "must be >= 1"},
      [MOTION_METHOD] = {"method", o->method, "must be a graze_cast_method"},
      [MOTION_TIME] = {"t_max", t_max, t_max != t_max ? "must be a number" : "must be >= 0"},
  };
  const motion_rule rule = motion_broken_rule(o, t_max);
  if (rule == MOTION_NO_RULE) return grz_no_error();
  const bool nan = rule == MOTION_TIME && t_max != t_max;
  return grz_error_rule(nan ? GRAZE_BAD_NUMBER : GRAZE_BAD_OPTION, rules[rule].what, rules[rule].value,
                        rules[rule].allowed);
}

/* Validates a cast of convex shapes or compounds. */
static graze_status motion_validate(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                    const graze_motion *motion_b, double t_max, const graze_cast_options *options) {
  if (a->status != GRAZE_OK) return a->status;
  if (b->status != GRAZE_OK) return b->status;
  if (a->shape.dim != b->shape.dim) return GRAZE_DIM_MISMATCH;
  if (motion_broken_rule(options, t_max) != MOTION_NO_RULE) return t_max != t_max ? GRAZE_BAD_NUMBER : GRAZE_BAD_OPTION;
  if (a->shape.kind == GRAZE_HALFSPACE && b->shape.kind == GRAZE_HALFSPACE) return GRAZE_UNSUPPORTED;
  graze_status status = grz_motion_validate(a, motion_a);
  if (status == GRAZE_OK) status = grz_motion_validate(b, motion_b);
  if (status != GRAZE_OK || options->method != GRAZE_CAST_FCCD) return status;
  return motion_rotates(a, motion_a) || motion_rotates(b, motion_b) ? GRAZE_UNSUPPORTED : GRAZE_OK;
}

/* Stores the reason of a rejected cast. */
static graze_status motion_reject(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                  const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                                  graze_status status) {
  if (options->error == NULL) return status;
  graze_error error = grz_pair_error(a, b);
  if (error.status == GRAZE_OK) error = motion_options_error(options, t_max);
  if (error.status == GRAZE_OK && grz_motion_validate(a, motion_a) != GRAZE_OK)
    error = grz_motion_error(status, "a", a, motion_a);
  else if (error.status == GRAZE_OK && grz_motion_validate(b, motion_b) != GRAZE_OK)
    error = grz_motion_error(status, "b", b, motion_b);
  else if (error.status == GRAZE_OK && options->method == GRAZE_CAST_FCCD)
    error = grz_error_rule(status, "method", options->method, "does not support rotation");
  else if (error.status == GRAZE_OK)
    error = grz_error_rule(status, "shapes", 0, "two half-spaces are not supported");
  error.status = status;
  return grz_reject(options->error, error);
}

/* Computes graze_cast() with valid arguments. */
static graze_status cast_valid(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                               const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                               grz_cast_result *result) {
  const bool turns = motion_rotates(a, motion_a) || motion_rotates(b, motion_b);
  const bool sweeps = options->method == GRAZE_CAST_SWEEP || options->method == GRAZE_CAST_CA;
  if (!turns && !sweeps)
    return cast_linear(a, motion_a->velocity, b, motion_b->velocity, t_max, false, options, result);
  const bool compound = grz_has_parts(&a->shape) || grz_has_parts(&b->shape);
  if (compound) return sweep_compound(a, motion_a, b, motion_b, t_max, options, result);
  grz_sweep_budget budget = {GRZ_SWEEP_STEPS, GRZ_SWEEP_COST};
  const grz_cast_query query = {a, b, motion_a, motion_b, 0, motion_last_time(t_max), motion_last_time(t_max), &budget};
  return grz_sweep_pair(&query, options, result);
}

/* Copies the results that the caller requires. */
static void motion_return(const grz_cast_result *from, const graze_cast_options *options, graze_cast_result *result) {
  *result = from->cast;
  graze_certificate *certificate = options->certificate;
  if (certificate == NULL) return;
  grz_proof_write(&from->proof, certificate);
  certificate->steps = from->steps, certificate->step_count = from->step_count;
}

static bool motion_is_linear(const graze_motion *motion) {
  return motion->angular.x == 0 && motion->angular.y == 0 && motion->angular.z == 0;
}

graze_status graze_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                        const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                        graze_cast_result *result) {
  grz_cast_result cast;
  graze_status status;
  if (options == NULL) options = &motion_default;
  if (motion_a == NULL) motion_a = &grz_motion_at_rest;
  if (motion_b == NULL) motion_b = &grz_motion_at_rest;
  const bool fccd = options->method == GRAZE_CAST_AUTO || options->method == GRAZE_CAST_FCCD;
  const bool valid = motion_broken_rule(options, t_max) == MOTION_NO_RULE;
  if (fccd && motion_is_linear(motion_a) && motion_is_linear(motion_b) && valid) {
    /* The cast validates bodies and velocities itself. */
    status = cast_linear(a, motion_a->velocity, b, motion_b->velocity, t_max, false, options, &cast);
  } else {
    status = motion_validate(a, motion_a, b, motion_b, t_max, options);
    if (status == GRAZE_OK) status = cast_valid(a, motion_a, b, motion_b, t_max, options, &cast);
  }
  if (status != GRAZE_OK) return motion_reject(a, motion_a, b, motion_b, t_max, options, status);
  motion_return(&cast, options, result);
  return GRAZE_OK;
}

/* The names of the parameters of graze_raycast(), for those of graze_cast(). */
static void raycast_name(graze_error *error) {
  if (error == NULL || *error->owner == 0) return;
  if (*error->owner == 'b') error->what = strcmp(error->what, "position") == 0 ? "origin" : "direction";
  error->owner = "";
}

graze_status graze_raycast(const graze_placed *placed, graze_vec origin, graze_vec direction, double t_max,
                           const graze_cast_options *options, graze_cast_result *result) {
  const graze_shape shape = grz_point_shape(placed->shape.dim);
  const graze_placed point = graze_place(&shape, graze_pose_at(origin.x, origin.y, origin.z));
  const graze_motion motion = {direction, {0, 0, 0}};
  grz_cast_result cast;
  if (options == NULL) options = &motion_default;
  graze_status status = motion_validate(placed, &grz_motion_at_rest, &point, &motion, t_max, options);
  if (status == GRAZE_OK) status = grz_raycast(placed, &point, direction, t_max, options, &cast);
  if (status != GRAZE_OK) {
    (void)motion_reject(placed, &grz_motion_at_rest, &point, &motion, t_max, options, status);
    raycast_name(options->error);
    return status;
  }
  motion_return(&cast, options, result);
  return GRAZE_OK;
}
