/* Casts of convex shapes and bodies with parts in linear motion. The first contact is the earliest of all pairs of
 * parts. Without contact, the minimum distance is the least of all pairs. A convex shape is searched along its path;
 * then, and for two bodies with parts, the bounds of the swept parts exclude pairs. Theory: docs/theory/compounds.md,
 * "Motion". */
#include "compound/compound.h"

#include "bvh/scene_tree.h"
#include "ccd/ccd.h"
#include "compound/ray_face.h"
#include "core/vec.h"
#include "narrow/stages.h"
#include "shape/motion.h"
#include "shape/shape.h"

typedef struct compound_cast {
  grz_contact_parts pair;
  graze_vec velocity_a, velocity_b;
  double t_max; /* no later contact can be the first */
  bool ray, any;
  graze_cast_options options; /* of a pair of parts */
  grz_search search;
  grz_query_shape shape;
  grz_mesh_ray line; /* of a ray */
  grz_cast_result *best;
  int iterations;
  size_t tested;
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
  w->tested++;
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

/* A hit that ends before `end`. */
static double cast_visit_face(compound_cast *w, uint32_t face, const grz_ray_face *hit) {
  graze_cast_result *best = &w->best->cast;
  w->tested++;
  if (!w->any || best->outcome == GRAZE_CLEAR || hit->lower < best->t_lower)
    grz_ray_face_result(&w->line, w->pair.b, w->velocity_b, face, hit, w->best);
  else if (best->outcome == GRAZE_POSSIBLE)
    best->t_upper = real_min(best->t_upper, hit->upper);
  w->any = true;
  cast_limit(w);
  return hit->upper;
}

/* Returns the time up to which other parts can collide earlier. */
static double cast_visit_tree(void *context, uint32_t part, double end) {
  compound_cast *w = context;
  grz_ray_face hit;
  const grz_ray_cast_end known = w->ray ? grz_ray_meets_face(&w->line, part, end, &hit) : GRZ_RAY_CAST_UNKNOWN;
  if (known == GRZ_RAY_CAST_MISS) return end;
  if (known == GRZ_RAY_CAST_HIT) return cast_visit_face(w, part, &hit);
  const bool from_a = grz_has_parts(&w->pair.a->shape);
  if (!cast_visit(w, from_a ? (int32_t)part : 0, from_a ? 0 : (int32_t)part)) return -1;
  return w->best->cast.outcome == GRAZE_HIT ? real_min(end, w->best->cast.t_upper) : end;
}

void grz_tree_cast_path(const grz_query_shape *made, const graze_placed *target, graze_vec speed, double t_max,
                        double (*visit)(void *context, uint32_t part, double end), void *context) {
  grz_query_shape query = *made;
  grz_query_shape_sweep(&query, target, vec_scale(speed, t_max));
  const double out = query.less + query.error;
  const graze_vec grow = vec_make(out, out, target->shape.dim == 2 ? 0 : out);
  const graze_aabb box = {vec_sub(query.box.min, grow), vec_add(query.box.max, grow)};
  const graze_vec velocity = vec_unrotate(target->hidden.rotation, speed, target->shape.dim);
  grz_tree_cast(grz_tree_of(&target->shape), &box, velocity, t_max, visit, context);
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
  if (!grz_has_parts(&shape->shape) && shape->shape.kind != GRAZE_HALFSPACE) {
    if (w->ray) grz_mesh_ray_make(&w->line, target, &w->shape, speed, w->options.clearance);
    grz_tree_cast_path(&w->shape, target, speed, w->t_max, cast_visit_tree, w);
    if (w->status != GRAZE_OK || (w->any && w->best->cast.outcome != GRAZE_CLEAR) || !w->options.min_distance) return;
  }
  double from = 0, to = w->t_max;
  if (shape->shape.kind != GRAZE_HALFSPACE) cast_near_interval(&w->shape, target, speed, &from, &to);
  grz_query_shape_move(&w->shape, target, vec_scale(speed, from));
  grz_query_shape_sweep(&w->shape, target, vec_scale(speed, to - from));
  w->search.target = &target->shape, w->search.in_any_order = false;
  w->search.query = &w->shape;
  w->search.visit = from_a ? cast_visit_from_a : cast_visit_from_b;
  w->search.context = w;
  w->search.limit = w->options.min_distance ? __builtin_inf() : 0;
  grz_search_run(&w->search);
}

double grz_motion_horizon(const graze_placed *a, const graze_placed *b, graze_vec speed, double clearance,
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
  if (!slides || w->options.clearance > 0 || (result->cast.outcome == GRAZE_HIT && result->cast.t_upper == 0)) return;
  cast_result_times(result, GRAZE_POSSIBLE, 0, result->cast.outcome == GRAZE_CLEAR ? w->t_max : result->cast.t_upper);
  result->cast.min_lower = result->cast.min_upper = result->cast.t_min = nan;
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
  result->cast.position_a = placed_reference_point(w->pair.a),
  result->cast.position_b = placed_reference_point(w->pair.b);
}

/* Two bodies that touch at the start overlap at once if one moves into a solid mesh. */
static void cast_enter_solid(const compound_cast *w, const grz_result *start, grz_cast_result *result) {
  const graze_placed *a = w->pair.a, *b = w->pair.b;
  const graze_vec velocity[2] = {w->velocity_a, w->velocity_b};
  const bool round = a->hidden.radius > 0 || b->hidden.radius > 0 || w->options.clearance > 0;
  const bool halfspace = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  if (round || halfspace || (!grz_is_solid_mesh(&a->shape) && !grz_is_solid_mesh(&b->shape))) return;
  if ((result->cast.outcome == GRAZE_HIT && result->cast.t_upper == 0) || !(w->t_max > 0)) return;
  const int enters = grz_solid_enters(a, b, velocity);
  if (enters == 0) return;
  const double until = result->cast.outcome == GRAZE_CLEAR ? w->t_max : result->cast.t_upper;
  cast_result_start(a, b, start, result);
  cast_result_times(result, enters > 0 ? GRAZE_HIT : GRAZE_POSSIBLE, 0, enters > 0 ? 0 : until);
  result->cast.min_lower = result->cast.min_upper = result->cast.t_min = __builtin_nan("");
}

/* A ray that starts on the surface hits there. */
static bool cast_hits_at_start(const compound_cast *w, graze_relation start) {
  return start == GRAZE_OVERLAPPING || (w->ray && start == GRAZE_TOUCHING);
}

/* Computes the relation at the start; bounds are tested first. Not inlined, because its stack frame is large. */
__attribute__((noinline)) static graze_status cast_start(compound_cast *w, grz_result *start) {
  const graze_placed *a = w->pair.a, *b = w->pair.b;
  const graze_placed *target = grz_has_parts(&a->shape) ? a : b, *shape = target == a ? b : a;
  const graze_options first = grz_still_options(&w->options);
  grz_compound_query query;
  grz_query_shape_make(&w->shape, target, shape, w->options.clearance);
  const graze_aabb box = grz_query_shape_box(&w->shape);
  start->answer.relation = GRAZE_SEPARATED, start->answer.iterations = 0;
  if (grz_query_shape_bound(&w->shape, grz_bounds_of_parts(&target->shape), &box) > 0) return GRAZE_OK;
  graze_status status = grz_compound_query_run(&query, a, b, &first, false);
  if (status == GRAZE_OK && cast_hits_at_start(w, query.best.answer.relation))
    status = grz_compound_query_run(&query, a, b, &first, true);
  *start = query.best;
  return status;
}

static graze_status cast_compound(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                  graze_vec velocity_b, double t_max, bool ray, const graze_cast_options *options,
                                  grz_cast_result *result) {
  const graze_options first = grz_still_options(options);
  const bool conditional = grz_is_conditional(a) || grz_is_conditional(b);
  grz_query query;
  grz_result start;
  compound_cast w; /* large, therefore not initialized as a whole */
  w.pair.a = a, w.pair.b = b, w.velocity_a = velocity_a, w.velocity_b = velocity_b;
  w.ray = ray, w.any = false, w.options = *options, w.best = result;
  w.iterations = 0, w.tested = 0, w.status = GRAZE_OK;
  graze_status status = moving_validate(velocity_a, velocity_b, t_max, a->shape.dim);
  if (status == GRAZE_OK) status = grz_query_validate(&query, a, b, &first);
  if (status == GRAZE_OK) status = cast_start(&w, &start);
  if (status != GRAZE_OK) return status;
  cast_result_clear(result, GRAZE_ALGORITHM_FCCD, conditional);
  if (cast_hits_at_start(&w, start.answer.relation)) {
    cast_result_start(a, b, &start, result);
    cast_result_times(result, GRAZE_HIT, 0, 0);
    result->cast.iterations = start.answer.iterations;
    result->cast.pairs_tested = start.answer.pairs_tested;
    return GRAZE_OK;
  }
  const graze_vec speed = vec_sub(velocity_a, velocity_b);
  w.t_max = vec_norm_inf(speed) > 0 ? grz_motion_horizon(a, b, speed, w.options.clearance, t_max) : 0;
  cast_search(&w);
  result->cast.start_relation = start.answer.relation;
  result->cast.iterations = w.iterations + start.answer.iterations;
  result->cast.conditional = conditional;
  if (!w.any) result->cast.outcome = GRAZE_CLEAR, result->cast.min_lower = 0; /* no part is near the path */
  if (result->cast.outcome == GRAZE_CLEAR) {
    result->cast.position_a = moving_position(a, velocity_a, motion_last_time(t_max));
    result->cast.position_b = moving_position(b, velocity_b, motion_last_time(t_max));
  }
  if (start.answer.relation == GRAZE_TOUCHING) {
    cast_settle_touch(&w, result);
    cast_enter_solid(&w, &start, result);
  }
  result->cast.pairs_tested = w.tested;
  return w.status;
}

graze_status grz_cast_linear(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                             double t_max, bool ray, const graze_cast_options *options, grz_cast_result *result) {
  bool compound = grz_has_parts(&a->shape) || grz_has_parts(&b->shape);
  if (compound && a->status == GRAZE_OK && b->status == GRAZE_OK)
    return cast_compound(a, velocity_a, b, velocity_b, t_max, ray, options, result);
  return grz_cast_pair(a, velocity_a, b, velocity_b, t_max, ray, options, NULL, result);
}

graze_status grz_raycast(const graze_placed *placed, const graze_placed *point, graze_vec direction, double t_max,
                         const graze_cast_options *options, grz_cast_result *result) {
  const graze_vec still = {0, 0, 0};
  graze_status status = grz_cast_linear(placed, still, point, direction, t_max, true, options, result);
  if (status != GRAZE_OK || result->cast.outcome == GRAZE_CLEAR) return status;
  result->cast.point = result->cast.position_b; /* on the ray */
  const double nan = __builtin_nan("");
  if (result->cast.start_relation == GRAZE_OVERLAPPING) result->cast.normal = vec_make(nan, nan, nan);
  return status;
}
