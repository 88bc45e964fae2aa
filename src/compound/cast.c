/* Casts of convex shapes and bodies with parts: the public functions, and motion with rotation. A body with parts is
 * swept in slices of time, and the rotation extends the bounds. Theory: docs/theory/compounds.md, "Motion". */
#include "compound/compound.h"

#include "ccd/ccd.h"
#include "compound/ray_face.h"
#include "core/vec.h"
#include "shape/motion.h"
#include "shape/shape.h"

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
  size_t tested;
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
  w->tested++;
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
  w->search.target = &target->shape, w->search.in_any_order = false;
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
    result->cast.pairs_tested = start.best.answer.pairs_tested;
    return GRAZE_OK;
  }
  graze_cast_options slide = *options;
  slide.method = GRAZE_CAST_AUTO;
  if (start.best.answer.relation == GRAZE_TOUCHING && !motion_rotates(a, motion_a) && !motion_rotates(b, motion_b))
    return grz_cast_linear(a, motion_a->velocity, b, motion_b->velocity, t_max, false, &slide, result);
  w.options = *options;
  w.options.steps = NULL;
  w.last = grz_motion_horizon(a, b, vec_sub(motion_a->velocity, motion_b->velocity), options->clearance, t_max);
  grz_moved_make(&w.at_a, a);
  grz_moved_make(&w.at_b, b);
  grz_moving_body_make(&w.turning_a, a, motion_a);
  grz_moving_body_make(&w.turning_b, b, motion_b);
  result->cast.outcome = GRAZE_CLEAR;
  sweep_slices(&w);
  result->cast.start_relation = start.best.answer.relation;
  result->cast.iterations = w.iterations + start.iterations;
  result->cast.pairs_tested = w.tested;
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
    return grz_cast_linear(a, motion_a->velocity, b, motion_b->velocity, t_max, false, options, result);
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
    status = grz_cast_linear(a, motion_a->velocity, b, motion_b->velocity, t_max, false, options, &cast);
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

/* The origin of a ray as a placed point, and the ray as its motion. */
typedef struct ray {
  graze_placed point;
  graze_motion motion;
} ray;

static graze_status ray_make(ray *r, const graze_placed *placed, graze_vec origin, graze_vec direction, double t_max,
                             const graze_cast_options *options) {
  const graze_shape shape = grz_point_shape(placed->shape.dim);
  r->point = graze_place(&shape, graze_pose_at(origin.x, origin.y, origin.z));
  r->motion = (graze_motion){direction, {0, 0, 0}};
  return motion_validate(placed, &grz_motion_at_rest, &r->point, &r->motion, t_max, options);
}

static graze_status ray_reject(const ray *r, const graze_placed *placed, double t_max,
                               const graze_cast_options *options, graze_status status) {
  (void)motion_reject(placed, &grz_motion_at_rest, &r->point, &r->motion, t_max, options, status);
  raycast_name(options->error);
  return status;
}

graze_status graze_raycast(const graze_placed *placed, graze_vec origin, graze_vec direction, double t_max,
                           const graze_cast_options *options, graze_cast_result *result) {
  ray r;
  grz_cast_result cast;
  if (options == NULL) options = &motion_default;
  graze_status status = ray_make(&r, placed, origin, direction, t_max, options);
  if (status == GRAZE_OK) status = grz_raycast(placed, &r.point, direction, t_max, options, &cast);
  if (status != GRAZE_OK) return ray_reject(&r, placed, t_max, options, status);
  motion_return(&cast, options, result);
  return GRAZE_OK;
}

typedef struct ray_search {
  const graze_placed *placed;
  const ray *ray;
  grz_mesh_ray line;
  double t_max;
  graze_cast_options options;
  graze_raycast_function report;
  void *context;
  graze_status status;
} ray_search;

static double ray_visit(void *context, uint32_t part, double end) {
  ray_search *s = context;
  graze_frame frame;
  grz_cast_result cast;
  grz_ray_face hit;
  const grz_ray_cast_end known = grz_ray_meets_face(&s->line, part, s->t_max, &hit);
  if (known == GRZ_RAY_CAST_MISS) return end;
  if (known == GRZ_RAY_CAST_HIT) {
    grz_ray_face_result(&s->line, &s->ray->point, s->ray->motion.velocity, part, &hit, &cast);
  } else {
    const graze_placed placed = graze_part(s->placed, part, &frame);
    s->status = grz_raycast(&placed, &s->ray->point, s->ray->motion.velocity, s->t_max, &s->options, &cast);
  }
  if (s->status != GRAZE_OK) return -1;
  if (cast.cast.outcome == GRAZE_CLEAR) return end;
  cast.cast.part_a = (int32_t)part;
  graze_cast_result result;
  motion_return(&cast, &s->options, &result);
  return s->report(s->context, &result) ? end : -1;
}

graze_status graze_raycast_parts(const graze_placed *placed, graze_vec origin, graze_vec direction, double t_max,
                                 const graze_cast_options *options, graze_raycast_function report, void *context) {
  ray r;
  if (options == NULL) options = &motion_default;
  const graze_status status = ray_make(&r, placed, origin, direction, t_max, options);
  if (status != GRAZE_OK) return ray_reject(&r, placed, t_max, options, status);
  ray_search s = {placed, &r, {.placed = NULL}, t_max, *options, report, context, GRAZE_OK};
  s.options.min_distance = false;
  if (grz_has_parts(&placed->shape)) {
    grz_query_shape query;
    grz_query_shape_make(&query, placed, &r.point, options->clearance);
    grz_mesh_ray_make(&s.line, placed, &query, direction, options->clearance);
    const double last = grz_motion_horizon(placed, &r.point, direction, options->clearance, t_max);
    grz_tree_cast_path(&query, placed, direction, last, ray_visit, &s);
  } else {
    (void)ray_visit(&s, 0, t_max);
  }
  return s.status == GRAZE_OK ? GRAZE_OK : ray_reject(&r, placed, t_max, options, s.status);
}
