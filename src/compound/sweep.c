/* The public questions about motion, and bodies that move and turn: of convex shapes directly, of compounds by their
 * parts, a slice of time after the other. In a slice, pairs of parts are left out by their bounds along the way,
 * widened by what turning does to them: docs/theory/compounds.md, "Motion". */
#include "ccd/sweep.h"

#include "compound/cast.h"
#include "compound/distance.h"
#include "ccd/cast_result.h"
#include "narrow/query.h"
#include "core/vec.h"
#include "shape/turning.h"

/* A slice is so long, in radians that both turn together; no more than so many of them. */
#define SWEEP_SLICE 0.25
enum { SWEEP_SLICES = 1024 };

typedef struct whole_sweep {
  const graze_placed *a, *b;
  const graze_motion *motion_a, *motion_b;
  grz_turning turning_a, turning_b;
  graze_placed at_a, at_b; /* at the beginning of the slice */
  double from, to, last;
  graze_options options; /* of a pair of parts */
  grz_search search;
  grz_query_shape guest;
  graze_cast_result *best;
  int iterations;
  grz_sweep_budget budget;
  graze_status status;
} whole_sweep;

/* The work is used up: a pair whose bounds meet may meet from the beginning of the slice on. */
static void motion_leave_open(const whole_sweep *w, graze_cast_result *r) {
  impact_blank(r, w->best->algorithm, false);
  r->stopped = GRAZE_STOP_BUDGET;
  impact_times(r, GRAZE_POSSIBLE, w->from, w->last);
  r->position_a = moving_position(w->a, w->motion_a->velocity, w->from);
  r->position_b = moving_position(w->b, w->motion_b->velocity, w->from);
}

static bool motion_look(whole_sweep *w, int32_t a, int32_t b) {
  graze_cast_result r;
  const bool open = w->budget.cost <= 0;
  const graze_placed part_a = graze_part(w->a, (size_t)a), part_b = graze_part(w->b, (size_t)b);
  const grz_cast_query course = {&part_a, &part_b, w->motion_a, w->motion_b, w->from, w->to, w->last, &w->budget};
  if (open)
    motion_leave_open(w, &r);
  else
    w->status = grz_sweep_pair(&course, &w->options, &r);
  if (w->status != GRAZE_OK) return false;
  w->iterations += r.iterations;
  r.part_a = a, r.part_b = b;
  grz_motion_join(&r, w->best);
  if (grz_motion_is_better(&r, w->best)) *w->best = r;
  return !open;
}

static bool motion_look_from_a(void *whole, int32_t a, int32_t b) { return motion_look(whole, a, b); }
static bool motion_look_from_b(void *whole, int32_t b, int32_t a) { return motion_look(whole, a, b); }

/* How far a point of the body, with its ball, can come from where it would be without turning on. */
static double motion_strays(const grz_turning *turning, double time) {
  return real_min(turning->spin * time, 2) * (turning->placed.reach * (1 + 8 * GRZ_U));
}

/* The bodies at the beginning of the slice, at rounded positions. Returns by how much at most that is wrong. */
static double motion_place(whole_sweep *w) {
  const graze_vec p = moving_position(w->a, w->motion_a->velocity, w->from);
  const graze_vec q = moving_position(w->b, w->motion_b->velocity, w->from);
  const double error =
      grz_turning_at(&w->turning_a, w->from, &w->at_a) + grz_turning_at(&w->turning_b, w->from, &w->at_b);
  w->at_a.moving = w->at_b.moving = false;
  w->at_a.pose.position = p, w->at_b.pose.position = q;
  return error + 8 * GRZ_U *
                     (vec_norm1(p) + vec_norm1(q) + vec_norm1(placed_reference_point(w->a)) +
                      vec_norm1(placed_reference_point(w->b)));
}

static void motion_slice(whole_sweep *w) {
  const bool from_a = w->a->shape.kind == GRAZE_COMPOUND;
  const double time = w->to - w->from, error = motion_place(w);
  const graze_placed *host = from_a ? &w->at_a : &w->at_b, *guest = from_a ? &w->at_b : &w->at_a;
  const graze_vec v = vec_sub(w->motion_b->velocity, w->motion_a->velocity);
  const double strays = motion_strays(&w->turning_a, time) + motion_strays(&w->turning_b, time);
  grz_query_shape_make(&w->guest, host, guest, w->options.clearance + (strays + error) * (1 + 8 * GRZ_U));
  grz_query_shape_sweep(&w->guest, host, vec_scale(from_a ? v : vec_neg(v), time));
  w->search.host = host->shape.compound->tree->node;
  w->search.guest = &w->guest;
  w->search.ask = from_a ? motion_look_from_a : motion_look_from_b;
  w->search.context = w;
  w->search.limit = 0;
  grz_search_run(&w->search);
}

/* Slice after slice, until one has a contact. */
static void motion_slices(whole_sweep *w) {
  const double angle = (w->turning_a.spin + w->turning_b.spin) * w->last;
  const int count = angle < SWEEP_SLICE * SWEEP_SLICES ? 1 + (int)(angle / SWEEP_SLICE) : SWEEP_SLICES;
  for (int i = 0; i < count && w->best->result == GRAZE_CLEAR && w->status == GRAZE_OK; i++) {
    w->to = i + 1 == count ? w->last : w->last * ((double)(i + 1) / count);
    motion_slice(w);
    w->from = w->to;
  }
}

graze_status grz_sweep_whole(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                             const graze_motion *motion_b, double t_max, const graze_options *options,
                             graze_cast_result *impact) {
  grz_whole start;
  whole_sweep w = {.a = a,
                   .b = b,
                   .motion_a = motion_a,
                   .motion_b = motion_b,
                   .at_a = *a,
                   .at_b = *b,
                   .best = impact,
                   .budget = {GRZ_SWEEP_STEPS, GRZ_SWEEP_COST}};
  graze_options first = *options;
  first.method = GRAZE_METHOD_AUTO;
  graze_status status = grz_whole_ask(&start, a, b, &first, true);
  if (status != GRAZE_OK) return status;
  const graze_algorithm path = options->method == GRAZE_METHOD_CA ? GRAZE_ALGORITHM_CA : GRAZE_ALGORITHM_SWEEP;
  impact_blank(impact, path, grz_is_conditional(a) || grz_is_conditional(b));
  impact->iterations = start.iterations;
  impact->starts = start.best.relation;
  if (start.best.relation == GRAZE_OVERLAPPING) {
    impact_start(a, b, &start.best, impact);
    return GRAZE_OK;
  }
  if (start.best.relation == GRAZE_TOUCHING && !moving_turns(a, motion_a) && !moving_turns(b, motion_b))
    return grz_cast_ask(a, motion_a->velocity, b, motion_b->velocity, t_max, false, &first, impact);
  w.options = start.inner;
  w.options.method = options->method;
  w.options.steps = NULL;
  w.last = grz_motion_horizon(a, b, vec_sub(motion_a->velocity, motion_b->velocity), options->clearance, t_max);
  grz_turning_make(&w.turning_a, a, motion_a);
  grz_turning_make(&w.turning_b, b, motion_b);
  impact->result = GRAZE_CLEAR;
  motion_slices(&w);
  impact->starts = start.best.relation;
  impact->iterations = w.iterations + start.iterations;
  if (impact->result == GRAZE_CLEAR) {
    impact->position_a = moving_position(a, motion_a->velocity, moving_last(t_max));
    impact->position_b = moving_position(b, motion_b->velocity, moving_last(t_max));
  }
  return w.status;
}

/* ---- The public questions */

/* Convex and compound alike; what a cast judges by itself is judged there. */
static graze_status motion_judge(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                 const graze_motion *motion_b, double t_max, const graze_options *options) {
  grz_query query;
  graze_options still = *options;
  still.method = GRAZE_METHOD_AUTO;
  if (!grz_motion_fits(options)) return GRAZE_BAD_OPTION;
  if (options->method < GRAZE_METHOD_AUTO || options->method > GRAZE_METHOD_DISCRETE) return GRAZE_BAD_OPTION;
  graze_status status = grz_query_validate(&query, a, b, &still);
  if (status == GRAZE_OK) status = grz_turning_validate(a, motion_a);
  if (status == GRAZE_OK) status = grz_turning_validate(b, motion_b);
  if (status == GRAZE_OK) status = moving_judge(motion_a->velocity, motion_b->velocity, t_max, a->shape.dim);
  return status;
}

static graze_status motion_ask(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                               const graze_motion *motion_b, double t_max, const graze_options *options,
                               graze_cast_result *impact) {
  const bool compound = a->shape.kind == GRAZE_COMPOUND || b->shape.kind == GRAZE_COMPOUND;
  grz_sweep_budget budget = {GRZ_SWEEP_STEPS, GRZ_SWEEP_COST};
  const grz_cast_query course = {a, b, motion_a, motion_b, 0, moving_last(t_max), moving_last(t_max), &budget};
  if (compound) return grz_sweep_whole(a, motion_a, b, motion_b, t_max, options, impact);
  return grz_sweep_pair(&course, options, impact);
}

graze_status graze_sweep(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                         const graze_motion *motion_b, double t_max, const graze_options *options,
                         graze_cast_result *impact) {
  const graze_options in_force = options ? *options : graze_default_options();
  graze_status status = motion_judge(a, motion_a, b, motion_b, t_max, &in_force);
  if (status != GRAZE_OK) return status;
  const bool turns = moving_turns(a, motion_a) || moving_turns(b, motion_b);
  switch (in_force.method) {
  case GRAZE_METHOD_AUTO:
    if (turns) return motion_ask(a, motion_a, b, motion_b, t_max, &in_force, impact);
    break;
  case GRAZE_METHOD_SWEEP:
  case GRAZE_METHOD_CA: return motion_ask(a, motion_a, b, motion_b, t_max, &in_force, impact);
  case GRAZE_METHOD_DISCRETE: return grz_sample(a, motion_a, b, motion_b, t_max, &in_force, impact);
  default:
    if (turns) return GRAZE_UNSUPPORTED;
  }
  return grz_cast_ask(a, motion_a->velocity, b, motion_b->velocity, t_max, false, options, impact);
}

static bool cast_is_named(const graze_options *options) {
  return options && (options->method == GRAZE_METHOD_SWEEP || options->method == GRAZE_METHOD_CA ||
                     options->method == GRAZE_METHOD_DISCRETE);
}

graze_status graze_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                        double t_max, const graze_options *options, graze_cast_result *impact) {
  const graze_motion motion_a = {.velocity = velocity_a}, motion_b = {.velocity = velocity_b};
  if (cast_is_named(options)) return graze_sweep(a, &motion_a, b, &motion_b, t_max, options, impact);
  return grz_cast_ask(a, velocity_a, b, velocity_b, t_max, false, options, impact);
}
