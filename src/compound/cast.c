/* Linear motion: of convex shapes directly, of compounds by their parts. The first contact of the
 * wholes is the earliest of all pairs of parts, and where they are clear of each other the least distance is the least
 * of all pairs. Pairs are left out by their bounds along the way: docs/theory/compounds.md, "Motion". */
#include "compound/cast.h"
#include "compound/distance.h"
#include "ccd/cast.h"
#include "ccd/cast.h"
#include "core/vec.h"
#include "shape/motion.h"

typedef struct whole_cast {
  grz_contact_parts pair;
  graze_vec velocity_a, velocity_b;
  double t_max; /* nothing later than this can be the first contact */
  bool ray, any;
  graze_cast_options options; /* of a pair of parts */
  grz_search search;
  grz_query_shape guest;
  grz_cast_result *best;
  int iterations;
  graze_status status;
} whole_cast;

static bool cast_is_compound(const graze_placed *placed) { return placed->shape.kind == GRAZE_COMPOUND; }

/* What remains of interest: what meets no later, or comes nearer. */
static void cast_limit(whole_cast *w) {
  const grz_cast_result *best = w->best;
  if (best->cast.outcome == GRAZE_HIT) {
    w->t_max = best->cast.t_upper;
    w->search.limit = 0;
  } else if (best->cast.outcome == GRAZE_POSSIBLE) {
    w->search.limit = 0;
  } else {
    const bool nearest = w->options.min_distance; /* otherwise only what may meet */
    const double limit = best->cast.min_upper == best->cast.min_upper ? best->cast.min_upper : __builtin_inf();
    w->search.limit = nearest ? limit : 0;
  }
}

static bool cast_look(whole_cast *w, int32_t a, int32_t b) {
  grz_cast_result r;
  const graze_placed part_a = graze_part(w->pair.a, (size_t)a), part_b = graze_part(w->pair.b, (size_t)b);
  w->status = grz_cast_pair(&part_a, w->velocity_a, &part_b, w->velocity_b, w->t_max, w->ray, &w->options, NULL, &r);
  if (w->status != GRAZE_OK) return false;
  w->iterations += r.cast.iterations;
  r.cast.part_a = a, r.cast.part_b = b;
  if (w->any) grz_motion_join(&r, w->best);
  if (!w->any || grz_motion_is_better(&r, w->best)) *w->best = r;
  w->any = true;
  cast_limit(w);
  return !(w->best->cast.outcome == GRAZE_HIT && w->best->cast.t_upper == 0);
}

static bool cast_look_from_a(void *whole, int32_t a, int32_t b) { return cast_look(whole, a, b); }
static bool cast_look_from_b(void *whole, int32_t b, int32_t a) { return cast_look(whole, a, b); }

static void cast_search(whole_cast *w) {
  bool from_a = cast_is_compound(w->pair.a);
  const graze_placed *host = from_a ? w->pair.a : w->pair.b, *guest = from_a ? w->pair.b : w->pair.a;
  graze_vec speed = from_a ? vec_sub(w->velocity_b, w->velocity_a) : vec_sub(w->velocity_a, w->velocity_b);
  grz_query_shape_make(&w->guest, host, guest, w->options.clearance);
  grz_query_shape_sweep(&w->guest, host, vec_scale(speed, w->t_max));
  w->search.host = host->shape.as.compound->tree->node;
  w->search.guest = &w->guest;
  w->search.ask = from_a ? cast_look_from_a : cast_look_from_b;
  w->search.context = w;
  w->search.limit = w->options.min_distance ? __builtin_inf() : 0;
  grz_search_run(&w->search);
}

bool grz_is_conditional(const graze_placed *placed) {
  return cast_is_compound(placed) ? placed->shape.as.compound->conditional : placed->shape.kind == GRAZE_USER;
}

double grz_motion_horizon(const graze_placed *a, const graze_placed *b, graze_vec speed, double clearance,
                          double t_max) {
  const bool plane = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  const double fast = vec_length_up(speed);
  const double size = grz_query_shape_size(a) + grz_query_shape_size(b) + clearance + vec_norm1(placed_offset(a, b));
  t_max = motion_last_time(t_max);
  if (!(fast > 0)) return t_max;
  const double late = 0x1p20 * size / fast;
  return !plane && late < t_max ? real_next_up(late)
                                : t_max; /* towards a half-space they may be as slow as they like */
}

/* Of what can lie in a seam, nobody looks along the way whether it comes to, once it touches. */
static bool cast_may_slide_into_a_seam(const graze_placed *whole, const graze_placed *other) {
  const graze_compound *parts = other->shape.as.compound;
  if (!cast_is_compound(whole) || whole->shape.as.compound->internal_edge_count == 0) return false;
  if (!cast_is_compound(other)) return grz_internal_edge_may_hold(other);
  for (size_t i = 0; i < parts->count; i++) {
    const graze_placed part = graze_part(other, i);
    if (grz_internal_edge_may_hold(&part)) return true;
  }
  return false;
}

/* They touch at first, and no pair of parts hits at once. */
static void cast_settle_touch(const whole_cast *w, grz_cast_result *result) {
  const double nan = __builtin_nan("");
  const bool slides =
      cast_may_slide_into_a_seam(w->pair.a, w->pair.b) || cast_may_slide_into_a_seam(w->pair.b, w->pair.a);
  if (!slides || w->options.clearance > 0 || w->ray || (result->cast.outcome == GRAZE_HIT && result->cast.t_upper == 0)) return;
  cast_result_times(result, GRAZE_POSSIBLE, 0, result->cast.outcome == GRAZE_CLEAR ? w->t_max : result->cast.t_upper);
  result->cast.min_lower = result->cast.min_upper = result->cast.t_min = nan;
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
  result->cast.position_a = placed_reference_point(w->pair.a), result->cast.position_b = placed_reference_point(w->pair.b);
}

/* In a frame of its own: it is large. */
__attribute__((noinline)) static graze_status cast_whole(const graze_placed *a, graze_vec velocity_a,
                                                         const graze_placed *b, graze_vec velocity_b, double t_max,
                                                         bool ray, const graze_cast_options *options,
                                                         grz_cast_result *result) {
  grz_whole start;
  const graze_options first = grz_still_options(options);
  graze_status status = moving_validate(velocity_a, velocity_b, t_max, a->shape.dim);
  if (status == GRAZE_OK) status = grz_whole_ask(&start, a, b, &first, true);
  if (status != GRAZE_OK) return status;
  if (start.best.answer.relation == GRAZE_OVERLAPPING) {
    cast_result_clear(result, GRAZE_ALGORITHM_FCCD, start.best.answer.conditional);
    cast_result_start(a, b, &start.best, result);
    result->cast.iterations = start.best.answer.iterations;
    return GRAZE_OK;
  }
  whole_cast w = {.pair = {.a = a, .b = b}, .velocity_a = velocity_a, .velocity_b = velocity_b, .ray = ray};
  w.options = *options;
  w.best = result;
  const graze_vec speed = vec_sub(velocity_a, velocity_b);
  w.t_max = vec_norm_inf(speed) > 0 ? grz_motion_horizon(a, b, speed, w.options.clearance, t_max) : 0;
  cast_search(&w);
  result->cast.start_relation = start.best.answer.relation;
  result->cast.iterations = w.iterations + start.iterations;
  result->cast.conditional = grz_is_conditional(a) || grz_is_conditional(b);
  if (result->cast.outcome == GRAZE_CLEAR) {
    result->cast.position_a = moving_position(a, velocity_a, motion_last_time(t_max));
    result->cast.position_b = moving_position(b, velocity_b, motion_last_time(t_max));
  }
  if (start.best.answer.relation == GRAZE_TOUCHING) cast_settle_touch(&w, result);
  return w.status;
}

graze_status grz_cast_ask(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                          double t_max, bool ray, const graze_cast_options *options, grz_cast_result *result) {
  bool compound = cast_is_compound(a) || cast_is_compound(b);
  if (compound && a->status == GRAZE_OK && b->status == GRAZE_OK)
    return cast_whole(a, velocity_a, b, velocity_b, t_max, ray, options, result);
  return grz_cast_pair(a, velocity_a, b, velocity_b, t_max, ray, options, NULL, result);
}

graze_status grz_raycast(const graze_placed *placed, const graze_placed *point, graze_vec direction, double t_max,
                         const graze_cast_options *options, grz_cast_result *result) {
  const graze_vec still = {0, 0, 0};
  graze_status status = grz_cast_ask(placed, still, point, direction, t_max, true, options, result);
  if (status != GRAZE_OK || result->cast.outcome == GRAZE_CLEAR) return status;
  result->cast.point = result->cast.position_b; /* on the ray */
  const double nan = __builtin_nan("");
  if (result->cast.start_relation == GRAZE_OVERLAPPING) result->cast.normal = vec_make(nan, nan, nan);
  return status;
}
