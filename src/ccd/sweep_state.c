/* The evaluation of two moving bodies at one time, with bounds that hold for the exact motion. */
#include "ccd/ccd.h"

#include "narrow/stages.h"
#include "core/vec.h"

/* One unit is an iteration in doubles on small shapes: about 0.1 to 0.2 us. Placing two bodies and computing a gap
 * cost two units. Scanning 256 vertices costs one unit, in exact arithmetic one unit for each vertex. */
enum { SWEEP_COST_EXACT = 128, SWEEP_COST_PLACE = 2, SWEEP_COST_VERTICES = 256 };

/* An upper bound of |v|. */
static double sweep_length_up(graze_vec v) { return real_next_up(vec_length_up(v) * (1 + 8 * GRZ_U)); }

/* The latest time that matters: later the bodies only move apart. */
static double sweep_end(const grz_sweep *s, double to) {
  const double extent = cast_extent(&s->a.placed, &s->b.placed, s->options.clearance);
  to = motion_last_time(to);
  if (s->plane || vec_norm_inf(s->speed) == 0) return to;
  const double late = extent / vec_length(s->speed);
  return late < to ? real_next_up(late) : to;
}

/* The number of vertices scanned for a support point. A hull with seeds uses hill climbing. */
static int64_t sweep_scanned(const graze_shape *shape) {
  if (!grz_is_point_set(shape)) return 0;
  return shape->kind == GRAZE_HULL && shape->as.hull.adjacency.seed ? 0 : (int64_t)shape->as.hull.count;
}

void grz_sweep_charge(grz_sweep *s, const grz_result *inner) {
  s->result->cast.iterations += inner->answer.iterations;
  s->budget->cost -= inner->answer.iterations * s->cost[inner->answer.exact];
}

void grz_sweep_make(grz_sweep *s, const grz_cast_query *query, const graze_cast_options *options) {
  s->budget = query->budget;
  const int64_t scanned = sweep_scanned(&query->a->shape) + sweep_scanned(&query->b->shape);
  s->cost[0] = 1 + scanned / SWEEP_COST_VERTICES, s->cost[1] = SWEEP_COST_EXACT + scanned;
  grz_moving_body_make(&s->a, query->a, query->motion_a);
  grz_moving_body_make(&s->b, query->b, query->motion_b);
  grz_moved_make(&s->at_a, query->a);
  grz_moved_make(&s->at_b, query->b);
  s->options = grz_still_options(options);
  s->cache = (graze_cache){.count = 0};
  s->options.cache = &s->cache;
  s->plane = query->a->shape.kind == GRAZE_HALFSPACE || query->b->shape.kind == GRAZE_HALFSPACE;
  s->speed = vec_sub(query->motion_a->velocity, query->motion_b->velocity);
  s->fast = vec_norm_inf(s->speed) > 0 ? sweep_length_up(s->speed) : 0;
  s->fastest =
      ((s->a.spin * query->a->hidden.bounding_radius + s->b.spin * query->b->hidden.bounding_radius) + s->fast) *
      (1 + 8 * GRZ_U);
  s->last = sweep_end(s, query->last);
  s->end = real_min(query->to, s->last);
  s->free = query->from;
  s->evaluations = 0;
  s->noise = s->size = s->doubt = 0;
}

void grz_sweep_place(grz_sweep *s, double t) {
  s->error = grz_moving_body_at(&s->a, t, &s->at_a) + grz_moving_body_at(&s->b, t, &s->at_b);
  s->error *= 1 + 2 * GRZ_U;
  s->evaluations++;
  s->budget->cost -= SWEEP_COST_PLACE * s->cost[0];
}

double grz_sweep_gap(grz_sweep *s, graze_vec d) {
  grz_obstacle o;
  grz_cso_point p;
  if (s->plane) { /* the only direction is the normal of the half-space */
    grz_result inner;
    s->options.tolerance = 0; /* only the lower bound matters */
    if (grz_distance_pair(&s->at_a.placed, &s->at_b.placed, &s->options, &inner) != GRAZE_OK) return -__builtin_inf();
    s->noise = s->error + (inner.answer.upper - inner.answer.lower);
    s->size = 0; /* no direction rotates */
    return ((inner.answer.lower - s->error) - 4 * GRZ_U * real_abs(inner.answer.lower)) - 0x1p-1072;
  }
  grz_obstacle_make(&o, &s->at_a.placed, &s->at_b.placed, s->options.clearance);
  const double rounding = (o.support_error + 2 * o.radius_error) + 8 * GRZ_U * (o.size + o.radius);
  s->noise = s->error + rounding / o.unit;
  s->size = o.size / o.unit;
  if (s->at_a.frame.hidden.is_part || s->at_b.frame.hidden.is_part) /* parts do not rotate about their own position */
    s->size =
        (s->size + (s->at_a.placed.hidden.bounding_radius + s->at_b.placed.hidden.bounding_radius)) * (1 + 4 * GRZ_U);
  return ((grz_obstacle_gap(&o, d, &p) - o.radius) - rounding) / o.unit - s->error * (1 + 4 * GRZ_U);
}

/* The proved separating direction if it is a vector, otherwise the normal of the answer. */
static graze_vec sweep_direction(const grz_result *inner) {
  const grz_direction *d = &inner->proof.direction;
  return d->form == GRAZE_DIRECTION_VECTOR ? vec_unit(vec_unit_inf(d->vector)) : inner->answer.normal;
}

/* True if the interval of the gap is too wide: its lower bound is below half of its upper bound. The query is then
 * repeated without a tolerance. */
static bool sweep_is_loose(const grz_sweep *s) {
  const bool near = s->seen.answer.upper - s->seen.answer.lower <= 8 * s->doubt;
  return s->seen.answer.relation == GRAZE_SEPARATED && s->options.tolerance > 0 && !near &&
         !(s->seen.answer.lower >= 0.5 * s->seen.answer.upper);
}

void grz_sweep_evaluate(grz_sweep *s, double t) {
  grz_sweep_place(s, t);
  s->gap = 0;
  s->options.tolerance = s->evaluations > 1 ? real_max(s->seen.answer.upper * 0.25, 8 * s->doubt) : 0;
  for (int tries = 0; tries < 2; tries++) {
    if (grz_distance_pair(&s->at_a.placed, &s->at_b.placed, &s->options, &s->seen) != GRAZE_OK) return;
    grz_sweep_charge(s, &s->seen);
    if (!sweep_is_loose(s)) break;
    s->options.tolerance = 0;
  }
  s->result->cast.exact = s->result->cast.exact || s->seen.answer.exact;
  const bool separated = s->seen.answer.relation == GRAZE_SEPARATED && !grz_query_is_unknown(&s->seen);
  s->by = separated ? sweep_direction(&s->seen) : vec_make(1, 0, 0);
  s->gap = grz_sweep_gap(s, s->by);
  s->doubt = s->noise;
  if (!separated) s->gap = 0;
}

bool grz_sweep_overlaps(grz_sweep *s, double t, grz_result *inner) {
  grz_sweep_place(s, t);
  s->options.tolerance = 0x1p-4 * (s->at_a.placed.hidden.bounding_radius + s->at_b.placed.hidden.bounding_radius);
  for (int tries = 0; tries < 2; tries++) {
    if (grz_distance_pair(&s->at_a.placed, &s->at_b.placed, &s->options, inner) != GRAZE_OK) return false;
    grz_sweep_charge(s, inner);
    if (inner->answer.relation != GRAZE_OVERLAPPING) return false;
    if (inner->answer.upper < -s->error * (1 + 4 * GRZ_U)) return true;
    s->options.tolerance = 0;
  }
  return false;
}

/* The number of core points of each body that define the nearest point. */
static void sweep_carriers(const grz_proof *proof, int count[2]) {
  count[0] = count[1] = 0;
  for (int i = 0; i < proof->pair_count; i++) {
    bool known_a = false, known_b = false;
    for (int k = 0; k < i; k++) {
      known_a = known_a || proof->pairs[k].a == proof->pairs[i].a;
      known_b = known_b || proof->pairs[k].b == proof->pairs[i].b;
    }
    count[0] += !known_a, count[1] += !known_b;
  }
}

const grz_moving_body *grz_sweep_rotating_body(const grz_sweep *s) {
  int count[2];
  sweep_carriers(&s->seen.proof, count);
  if (s->plane || count[0] == count[1]) return NULL;
  const grz_moving_body *on = count[0] > count[1] ? &s->a : &s->b;
  return on->spin > 0 ? on : NULL;
}

grz_rotating_direction grz_sweep_rotating_direction(const grz_sweep *s, const grz_moving_body *on) {
  grz_rotating_direction direction = {.on = on, .world = s->by};
  if (on == NULL) return direction;
  direction.other = on == &s->a ? &s->b : &s->a;
  direction.now = on == &s->a ? &s->at_a.placed : &s->at_b.placed;
  direction.local = vec_unrotate(direction.now->hidden.rotation, s->by, direction.now->shape.dim);
  direction.error = grz_moving_body_error(on, direction.now->hidden.frame->hidden.from);
  return direction;
}

double grz_sweep_gap_rotating(grz_sweep *s, const grz_rotating_direction *direction, double t) {
  if (direction->on == NULL) return grz_sweep_gap(s, direction->world);
  const double gap =
      grz_sweep_gap(s, vec_rotate(direction->now->hidden.rotation, direction->local, direction->now->shape.dim));
  const double turned = (direction->error + grz_moving_body_error(direction->on, t)) + 128 * GRZ_U;
  return gap - turned * s->size * (1 + 8 * GRZ_U);
}

/* The deflection of a point of the other body, in the frame of the rotating direction: |y''| <= |r''| + 2·ω·|r'| +
 * ω²·|r|. */
double grz_sweep_bend(const grz_sweep *s, const grz_rotating_direction *direction, double time) {
  if (direction->on == NULL)
    return (grz_moving_body_sagitta(&s->a, time) + grz_moving_body_sagitta(&s->b, time)) * (1 + 2 * GRZ_U);
  const double angle = direction->on->spin * time, turned = direction->other->spin * time;
  const double turned_radius = direction->other->placed.hidden.bounding_radius * turned,
               path = s->fast * time + turned_radius;
  return ((turned_radius * turned + 2 * (path * angle)) + (s->size * angle) * angle) * (0.125 * (1 + 16 * GRZ_U)) +
         0x1p-1072;
}

double grz_sweep_rate(const grz_sweep *s, graze_vec d) {
  const double turning = grz_moving_body_speed(&s->a, d) + grz_moving_body_speed(&s->b, d);
  return ((vec_dot(d, s->speed) + turning * (1 + 4 * GRZ_U)) + 16 * GRZ_U * s->fast) + 0x1p-1072;
}

/* A lower bound of the gap of the bounding balls along d at time t. */
static double sweep_balls_gap(const grz_sweep *s, graze_vec d, double t, double radius) {
  const graze_vec start = placed_offset(&s->a.placed, &s->b.placed), path = vec_scale(s->speed, t);
  const double size = (vec_length_up(start) + vec_length_up(path)) + radius;
  return -vec_dot(d, vec_add(start, path)) - radius - 32 * GRZ_U * size;
}

bool grz_sweep_balls_miss(const grz_sweep *s) {
  const graze_placed *a = &s->a.placed, *b = &s->b.placed;
  if (s->plane || placed_is_part(a) || placed_is_part(b)) return false;
  const graze_vec start = placed_offset(a, b), v = s->speed;
  const double square = vec_dot(v, v), radius = ((a->hidden.bounding_radius + b->hidden.bounding_radius) +
                                                 (a->hidden.radius + b->hidden.radius)) +
                                                s->options.clearance;
  double nearest = square > 0 ? -vec_dot(start, v) / square : s->free;
  nearest = real_min(real_max(nearest, s->free), s->end);
  const graze_vec separated = vec_neg(vec_add(start, vec_scale(v, nearest)));
  if (!(vec_length(separated) > radius)) return false;
  const graze_vec d = vec_unit(vec_unit_inf(separated));
  return sweep_balls_gap(s, d, s->free, radius) > 0 && sweep_balls_gap(s, d, s->end, radius) > 0;
}
