/* Linear continuous collision detection (FCCD): the time of first contact of two convex bodies.
 * Source: van den Bergen, "Ray Casting against General Convex Objects", 2004. Theory: docs/theory/cast.md.
 * Along a fixed direction the gap of two bodies is affine in time. A separating direction therefore proves that the
 * bodies stay disjoint up to a later time. The cast advances from supporting plane to supporting plane (ray_cast.c)
 * and never passes a contact. Near the contact, an exact query decides whether the CSO, swept over a short bracket,
 * contains the origin. */
#include "ccd/ccd.h"

#include "narrow/stages.h"
#include "narrow/query.h"
#include "core/vec.h"
#include "shape/shape.h"
#include "core/status.h"

/* Brackets grow by a factor of 8, from this share of the time scale up to the largest double. */
#define CAST_LEAST 0x1p-60
enum { CAST_BRACKETS = 700 };

/* The normal of curved bodies is evaluated this share of the time scale before the contact. */
#define CAST_BEFORE 0x1p-26

/* A bracket wider than this share of the time scale is narrowed by bisection. */
#define CAST_NARROW 0x1p-26

static bool cast_is_rounded(const grz_linear_cast *c) {
  return c->at_a->hidden.radius > 0 || c->at_b->hidden.radius > 0 || c->options.clearance > 0;
}

/* ---- Advancing to the last separated time */

/* Runs the GJK ray cast. `normal`: the direction of the distance at time 0, or NULL if it is unknown. Overlapping
 * polygons are common, so a run without a normal stops early if the line of centres does not separate them. */
static grz_ray_cast_end cast_advance_cores(grz_linear_cast *c, const graze_vec *normal) {
  grz_obstacle o;
  grz_obstacle_make_for(&o, c->at_a, c->at_b, c->options.clearance, c->speed, c->end);
  c->gjk.speed = vec_scale(c->speed, o.unit);
  c->gjk.fast = c->fast * o.unit;
  c->gjk.end = c->end;
  c->min_reliable = 0x1p-26 * o.size;
  grz_ray_cast_end end = GRZ_RAY_CAST_UNKNOWN;
  c->stops_early = false;
  if (c->planes) c->status = c->planes(&c->gjk, &o, &c->options, &end);
  if (c->status == GRAZE_UNSUPPORTED) {
    c->planes = NULL, c->status = GRAZE_OK;
    c->result->cast.algorithm = GRAZE_ALGORITHM_FCCD;
  }
  if (!c->planes) {
    c->stops_early = !normal && grz_boundary_walk_applies(c->at_a, c->at_b);
    end = grz_ray_cast_run(&c->gjk, &o, normal ? *normal : vec_neg(o.offset), c->stops_early);
  }
  c->result->cast.iterations += c->gjk.iterations;
  c->free = c->gjk.free;
  c->doubt = c->gjk.doubt;
  c->shown = c->gjk.shown;
  if (c->gjk.known) c->by = cast_vector(c->gjk.direction);
  return end;
}

/* True if the bodies do not approach each other. Along the normal of a half-space the distance is affine in time, and
 * the sign of its rate is exact. */
static bool cast_plane_parts(grz_linear_cast *c) {
  grz_obstacle o;
  cast_between(c, 0, 1);
  grz_obstacle_make(&o, &c->a.placed, &c->b.placed, c->options.clearance);
  return grz_halfspace_approaches(&o) == 0;
}

/* Computes a lower bound of the time of contact with a half-space. */
static grz_ray_cast_end cast_advance_halfspace(grz_linear_cast *c) {
  grz_result inner;
  cast_between(c, 0, 0);
  if (grz_distance_pair(&c->a.placed, &c->b.placed, &c->options, &inner) != GRAZE_OK) return GRZ_RAY_CAST_UNKNOWN;
  double rate = c->fast > 0 ? (vec_dot(inner.answer.normal, c->speed) + 80 * GRZ_U * c->fast) + 0x1p-1072 : 0;
  c->result->cast.iterations++;
  if (rate > 0) c->doubt = (inner.answer.upper - inner.answer.lower) / rate;
  if (!(inner.answer.lower > 0)) return GRZ_RAY_CAST_UNKNOWN;
  c->by = cast_vector(inner.answer.normal);
  c->shown = true;
  c->never_closer = rate <= 0 || cast_plane_parts(c);
  if (c->never_closer) return GRZ_RAY_CAST_MISS;
  c->free = real_max(inner.answer.lower / rate * (1 - 8 * GRZ_U) - 0x1p-1072, 0);
  return c->free >= c->end ? GRZ_RAY_CAST_MISS : GRZ_RAY_CAST_UNKNOWN;
}

/* The relation of the bodies, swept over the interval. */
static graze_relation cast_meet(grz_linear_cast *c, double from, double to, grz_result *inner) {
  cast_between(c, from, to);
  inner->answer.relation = GRAZE_UNDECIDED;
  if (grz_intersect_pair(&c->a.placed, &c->b.placed, &c->options, inner) != GRAZE_OK) return GRAZE_UNDECIDED;
  c->result->cast.iterations += inner->answer.iterations;
  c->result->cast.exact = c->result->cast.exact || inner->answer.exact;
  return inner->answer.relation;
}

/* Records that there is no contact in [0, to], with a separating direction if one is known. */
static void cast_free_until(grz_linear_cast *c, double to) {
  grz_result inner;
  c->free = to;
  c->shown = cast_meet(c, 0, to, &inner) == GRAZE_SEPARATED;
  c->by = inner.proof.direction;
  if (!c->shown) c->by.form = GRAZE_DIRECTION_NONE;
}

static bool cast_is_contact(graze_relation relation) {
  return relation == GRAZE_TOUCHING || relation == GRAZE_OVERLAPPING;
}

/* Bisects a bracket that ends long after c->free. The certificate covers both ends of the bracket, so each new left end
 * needs a new proof. Without a new proof, the previous bracket remains. */
static void cast_narrow(grz_linear_cast *c, double *late, grz_result *inner) {
  const double enough = real_max(real_max(0x1p-40 * *late, 0x1p-36 * c->scale), c->options.tolerance / c->fast);
  for (int i = 0; *late - c->free > enough && i < CAST_HALVINGS; i++) {
    grz_result half;
    const grz_direction by = c->by;
    const double before = c->free, middle = before + (*late - before) / 2;
    const graze_relation relation = cast_meet(c, before, middle, &half);
    if (cast_is_contact(relation)) {
      *late = middle, *inner = half;
      continue;
    }
    if (relation != GRAZE_SEPARATED) return;
    cast_free_until(c, middle);
    if (!cast_is_contact(cast_meet(c, c->free, *late, &half))) {
      c->free = before, c->by = by;
      return;
    }
    *inner = half;
  }
}

/* Finds the shortest bracket after c->free that certainly contains a contact; *late is its end. Returns false if there
 * is no such bracket before the end. */
static bool cast_bracket(grz_linear_cast *c, double *late, grz_result *inner) {
  double width = real_max(real_min(64 * c->doubt, 0x1p-24 * c->end), 32 * GRZ_U * c->free);
  width = real_max(width, real_max(CAST_LEAST * c->scale, 0x1p-1060));
  if (c->options.tolerance > 0) width = real_max(width, c->options.tolerance / c->fast);
  for (int i = 0; i < CAST_BRACKETS; i++, width *= 8) {
    double to = real_min(c->free + width, c->end);
    graze_relation relation = cast_meet(c, c->free, to, inner);
    *late = to;
    if (cast_is_contact(relation)) {
      cast_narrow(c, late, inner);
      return true;
    }
    if (relation == GRAZE_SEPARATED) cast_free_until(c, to);
    if (to >= c->end) return false;
  }
  return false;
}

/* ---- Results */

/* For rounded bodies, the nearest point of the cores defines the normal. If that point is within rounding errors of the
 * origin, the last separating direction defines the normal. */
static graze_vec cast_touch_normal(const grz_linear_cast *c) {
  const grz_simplex *s = &c->gjk.simplex;
  bool clear = s->vv > c->min_reliable * c->min_reliable;
  return vec_unit(vec_unit_inf(clear ? vec_neg(s->v) : c->by.vector));
}

/* Computes the contact point from the nearest points of the simplex at time t. */
static void cast_touch_point(grz_linear_cast *c, double t) {
  grz_cast_result *result = c->result;
  const grz_simplex *s = &c->gjk.simplex;
  const graze_placed *a = c->at_a, *b = c->at_b;
  graze_vec core_a = {0, 0, 0}, core_b = {0, 0, 0};
  result->cast.normal = cast_touch_normal(c);
  for (int i = 0; i < s->count; i++) {
    core_a = vec_add(core_a, vec_scale(vec_rotate(a->hidden.rotation, s->point[i].a.local, 3), s->weight[i]));
    core_b = vec_add(core_b, vec_scale(vec_rotate(b->hidden.rotation, s->point[i].b.local, 3), s->weight[i]));
  }
  graze_vec on_a = vec_add(core_a, vec_scale(result->cast.normal, a->hidden.radius + c->options.clearance));
  graze_vec on_b = vec_sub(core_b, vec_scale(result->cast.normal, b->hidden.radius));
  graze_vec origin_a = vec_add(placed_origin(a), vec_scale(c->velocity_a, t));
  graze_vec origin_b = vec_add(placed_origin(b), vec_scale(c->velocity_b, t));
  result->cast.point = vec_scale(vec_add(vec_add(on_a, origin_a), vec_add(on_b, origin_b)), 0.5);
}

static bool cast_distance(grz_linear_cast *c, double t, grz_result *inner) {
  cast_between(c, t, t);
  return grz_distance_pair(&c->a.placed, &c->b.placed, &c->options, inner) == GRAZE_OK && !grz_query_is_unknown(inner);
}

/* Computes the contact point and the normal at time t. If the simplex is unreliable, a distance query at time t
 * replaces the simplex. For curved bodies the normal comes from a slightly earlier time, when the gap is still
 * accurate. */
static void cast_witness(grz_linear_cast *c, double t) {
  grz_result inner;
  const bool direct = !c->plane && c->gjk.simplex.count > 0 && c->by.form == GRAZE_DIRECTION_VECTOR;
  if (direct) cast_touch_point(c, t);
  if (direct && !c->result->cast.exact) return;
  if (!cast_distance(c, t, &inner) || (inner.answer.relation != GRAZE_SEPARATED && direct)) return;
  c->result->cast.normal = inner.answer.normal;
  c->result->cast.point = vec_scale(vec_add(inner.answer.point_a, inner.answer.point_b), 0.5);
  const bool curved = grz_is_curved(&c->at_a->shape) || grz_is_curved(&c->at_b->shape);
  const double before = t - CAST_BEFORE * c->scale;
  if (curved && before > 0 && cast_distance(c, before, &inner) && inner.answer.relation == GRAZE_SEPARATED)
    c->result->cast.normal = inner.answer.normal;
}

/* Reports a hit in [c->free, late]. */
static void cast_times(grz_linear_cast *c, double late) {
  cast_result_times(c->result, GRAZE_HIT, c->free, late);
  cast_result_check_width(c->result, real_max(CAST_NARROW * c->scale, c->options.tolerance / c->fast));
}

static void cast_hit(grz_linear_cast *c, double late) {
  cast_times(c, late);
  cast_positions(c, c->free);
  cast_witness(c, c->free);
  /* Without a direction there is no proof that the bodies are separated at the start. */
  c->result->proof.kind = c->plane                             ? GRAZE_CERTIFICATE_HALFSPACE
                          : c->by.form == GRAZE_DIRECTION_NONE ? GRAZE_CERTIFICATE_NONE
                                                               : GRAZE_CERTIFICATE_SEPARATED;
  c->result->proof.direction = c->by;
}

/* For cores without margins, the simplex passes the origin within the bracket: the certificate has its points at
 * both ends. For rounded cores, the simplex at the end of the bracket is within the margin. */
static void cast_hit_simplex(grz_linear_cast *c) {
  grz_proof *proof = &c->result->proof;
  const grz_simplex *s = &c->gjk.simplex;
  bool rounded = cast_is_rounded(c);
  for (int i = 0; i < s->count; i++) {
    proof->pairs[i] = grz_obstacle_pair(&s->point[i]);
    proof->pairs[i].end = 1;
    if (!rounded) proof->pairs[s->count + i] = grz_obstacle_pair(&s->point[i]);
  }
  proof->pair_count = rounded ? s->count : 2 * s->count;
  cast_hit(c, c->gjk.late);
}

/* Handles bodies that touch at the start. The result is clear if the bodies do not approach each other along a weakly
 * separating direction. Then the origin lies on the boundary of the swept CSO; otherwise it lies in the interior. */
static void cast_in_touch(grz_linear_cast *c) {
  grz_cast_result *result = c->result;
  grz_result inner;
  graze_relation relation = c->ray ? GRAZE_OVERLAPPING : cast_meet(c, 0, MOVING_TOUCH_END, &inner);
  if (relation == GRAZE_OVERLAPPING) {
    cast_result_times(result, GRAZE_HIT, 0, 0);
  } else if (relation == GRAZE_TOUCHING) {
    cast_result_miss(result);
    if (result->proof.direction.form != GRAZE_DIRECTION_NEAREST || !cast_is_rounded(c))
      result->proof.direction = inner.proof.direction; /* rounded bodies have only one such direction */
    result->cast.min_lower = result->cast.min_upper = result->cast.t_min = 0;
    cast_positions(c, c->t_requested);
  } else {
    cast_result_times(result, GRAZE_POSSIBLE, 0, c->end);
  }
}

/* Handles an undecided start. The pairs of the certificate can still prove a contact soon after the start. Nothing is
 * proved about the start. */
static void cast_in_doubt(grz_linear_cast *c) {
  grz_result inner;
  double late;
  const bool meets = cast_bracket(c, &late, &inner);
  if (meets) c->result->proof = inner.proof;
  c->result->proof.kind = GRAZE_CERTIFICATE_NONE;
  if (meets)
    cast_times(c, late);
  else
    cast_result_times(c->result, GRAZE_POSSIBLE, c->free, c->end);
  cast_positions(c, c->free);
}

/* ---- The cast */

static void cast_run(grz_linear_cast *c) {
  grz_result start, bracket;
  grz_cast_result *result = c->result;
  double late;

  /* Conservative advancement: the last time up to which separating directions prove that there is no contact. */
  grz_ray_cast_end end = c->plane ? cast_advance_halfspace(c) : cast_advance_cores(c, NULL);
  if (c->status != GRAZE_OK) return;

  /* No direction separates the bodies at the start: a static distance query decides, and computes another direction. */
  if (!(c->free > 0 || c->shown)) {
    if (grz_distance_pair(c->at_a, c->at_b, &c->options, &start) != GRAZE_OK) return;
    result->cast.iterations += start.answer.iterations;
    if (start.answer.relation != GRAZE_SEPARATED) {
      cast_result_start(c->at_a, c->at_b, &start, result);
      if (start.answer.relation == GRAZE_TOUCHING) cast_in_touch(c);
      if (start.answer.relation == GRAZE_UNDECIDED) cast_in_doubt(c);
      return;
    }
    end = !c->plane && c->stops_early ? cast_advance_cores(c, &start.answer.normal) : GRZ_RAY_CAST_UNKNOWN;
    if (!(c->free > 0 || c->shown)) /* the gap is below the rounding errors of doubles */
      c->by = start.proof.direction, end = GRZ_RAY_CAST_UNKNOWN;
  }

  /* Separated at the start: a miss, a proved hit, or the shortest bracket with a contact. */
  result->cast.start_relation = GRAZE_SEPARATED;
  if (end == GRZ_RAY_CAST_MISS) {
    grz_cast_clear(c);
  } else if (end == GRZ_RAY_CAST_HIT && c->gjk.late - c->free <= CAST_NARROW * c->scale) {
    cast_hit_simplex(c);
  } else if (cast_bracket(c, &late, &bracket)) {
    result->proof = bracket.proof;
    cast_hit(c, late);
  } else if (c->free >= c->end) {
    grz_cast_clear(c);
  } else {
    cast_result_times(result, GRAZE_POSSIBLE, c->free, c->end);
    cast_positions(c, c->free);
    cast_witness(c, c->free);
  }
}

/* An upper bound of |v|. */
static double cast_fast(graze_vec v) {
  double fast = vec_length(v) * (1 + 8 * GRZ_U);
  return fast > 0x1p-480 ? fast : vec_length_up(v) * (1 + 8 * GRZ_U);
}

/* The latest time that matters: later the bodies only move apart. */
static double cast_end(grz_linear_cast *c, double t_max) {
  const double extent = cast_extent(c->at_a, c->at_b, c->options.clearance);
  if (!(c->fast > 0)) return 0;
  const double late = c->scale = extent / c->fast;
  return !c->plane && late < t_max ? real_next_up(late) : t_max;
}

/* The planes of two cores with few facets: testing all is faster than a GJK ray cast (bench/cast). NULL for others. */
static grz_facet_planes *cast_planes(const graze_placed *a, const graze_placed *b, const graze_cast_options *options) {
  const bool rounded = a->hidden.radius > 0 || b->hidden.radius > 0 || options->clearance > 0;
  if (options->method != GRAZE_CAST_AUTO || placed_is_part(a) || placed_is_part(b) || rounded) return NULL;
  if (a->shape.dim == 2) return grz_polygon_clip_applies(a, b) ? grz_cast_polygon_planes : NULL;
  return grz_are_boxes(&a->shape, &b->shape) ? grz_cast_box_planes : NULL;
}

graze_options grz_still_options(const graze_cast_options *options) {
  graze_options still = grz_default_options;
  still.clearance = options->clearance;
  still.tolerance = options->tolerance;
  still.max_iterations = options->max_iterations;
  still.workspace = options->workspace, still.workspace_size = options->workspace_size;
  return still;
}

graze_status grz_cast_pair(const graze_placed *a, graze_vec velocity_a, const graze_placed *b, graze_vec velocity_b,
                           double t_max, bool ray, const graze_cast_options *options, grz_facet_planes *planes,
                           grz_cast_result *result) {
  grz_query query;
  grz_linear_cast c;
  grz_query_prefetch(a, b);
  c.options = grz_still_options(options);
  graze_status status = grz_query_validate(&query, a, b, &c.options);
  if (status != GRAZE_OK) return status;
  if (query.compound) return GRAZE_UNSUPPORTED;
  status = moving_validate(velocity_a, velocity_b, t_max, a->shape.dim);
  if (status != GRAZE_OK) return status;
  c.planes = planes == NULL ? cast_planes(a, b, options) : planes;
  c.at_a = a, c.at_b = b;
  c.velocity_a = velocity_a, c.velocity_b = velocity_b;
  c.copied = false;
  /* The exact method gives the height above a half-space, and therefore the time, with full accuracy. */
  const bool curved = grz_is_curved(&a->shape) || grz_is_curved(&b->shape);
  if (query.plane && !curved) c.options.method = GRAZE_METHOD_EXACT;
  c.nearest = options->min_distance;
  c.plane = query.plane, c.ray = ray;
  c.status = GRAZE_OK;
  c.speed = vec_sub(velocity_a, velocity_b);
  c.fast = cast_fast(c.speed);
  c.t_requested = t_max;
  t_max = motion_last_time(t_max);
  c.end = cast_end(&c, t_max);
  c.t_max = c.fast > 0 ? t_max : c.end;
  if (!(c.fast > 0)) c.scale = 0;
  c.never_closer = false;
  c.free = c.doubt = 0;
  c.shown = false;
  c.by.form = GRAZE_DIRECTION_NONE;
  c.result = result;
  cast_result_clear(result, c.planes ? GRAZE_ALGORITHM_LCCD : GRAZE_ALGORITHM_FCCD,
                    a->shape.kind == GRAZE_USER || b->shape.kind == GRAZE_USER);
  cast_run(&c);
  return c.status;
}
