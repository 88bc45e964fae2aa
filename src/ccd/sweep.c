/* Continuous collision detection of two convex bodies that move and rotate.
 * Sources: Mirtich 1996 (conservative advancement); chord and sagitta bounds: docs/theory/sweep.md. Time advances over
 * intervals without contact, each proved by one direction. No core point deviates from its chord by more than the
 * sagitta, so the gaps at both ends bound the gap between them. No gap closes faster than the fastest points move. If
 * neither bound advances, the sweep searches for a later time with an overlap that exceeds all rounding errors of the
 * poses. No contact is missed. */
#include "ccd/ccd.h"

#include "verify/verify.h"
#include "narrow/stages.h"
#include "core/vec.h"

/* The maximum numbers of bisections or growths of a bracket. */
enum { SWEEP_TRIES = 4, SWEEP_PROBES = 600, SWEEP_HALVINGS = 48, SWEEP_DEEPER = 24 };

/* A step must exceed this multiple of the rounding errors. The first bracket is wide enough for doubles to decide. */
#define SWEEP_WORTH 32
#define SWEEP_BRACKET 1024

/* A bracket wider than this share of the time scale is reported as imprecise. */
#define SWEEP_NARROW 0x1p-20

/* The factor by which an interval shrinks if numbers leave the range of doubles. */
#define SWEEP_SHORT 0x1p-240

/* The maximum length of an interval: twice that is still a double. */
#define SWEEP_LONG 0x1p1022

/* A rotation by more radians than this counts as many turns. */
#define SWEEP_OFTEN 16

/* Bodies near each other rotate by at most some 4 radians in a step. Above 2^20 radians, stop after 1,024 steps. */
#define SWEEP_LONG_TURN 0x1p20
enum { SWEEP_FIRST_STEPS = 1 << 10 };

/* The normal is evaluated this share of the time scale before the contact. */
#define SWEEP_BEFORE 0x1p-24

/* A difference of core points shorter than this share of the size has no reliable direction. */
#define SWEEP_THIN 0x1p-20

/* If the gap is below this share of the size, a direction that rotates with a face advances faster than a fixed one. */
#define SWEEP_NEAR 0.05

typedef struct sweep_run {
  grz_sweep s;
  const graze_cast_options *options;
  bool advances_only;
  double t_requested;
  graze_cast_step *steps; /* NULL: not required, or the first interval cannot be a step */
  size_t capacity, count;
} sweep_run;

/* ---- Advancing time */

/* The largest share of an interval that is certainly without contact, given the gaps at both ends and the sagitta S. At
 * the share x, the gap is at least (1 - x)·now + x·then - 4·S·x·(1 - x). In a step of the certificate, this bound and
 * the gap `now` must also exceed S·x². */
static double sweep_share(double now, double then, double sagitta, bool step) {
  const double unit = real_max(real_max(now, real_abs(then)), sagitta); /* keeps squares within the range of doubles */
  now /= unit, then /= unit, sagitta /= unit;
  const double lost = 16 * GRZ_U * ((now + real_abs(then)) + 4 * sagitta);
  const double b = ((then - now) - 4 * sagitta) - lost, c = (step ? 3 : 4) * sagitta * (1 - 8 * GRZ_U);
  const double under = b * b * (1 + 16 * GRZ_U) - 4 * c * now;
  const double most = step && now < 4 * sagitta ? real_sqrt(now / sagitta) * (1 - 0x1p-30) : 1;
  const double share = b >= 0 || under < 0 ? 1 : 2 * now / (real_sqrt(under) - b) * (1 - 16 * GRZ_U);
  if (!(share > 0)) return 0; /* numbers left the range of doubles */
  return real_min(share, real_min(most, 1));
}

/* The end of the given share of the interval after `now`, rounded downward. */
static double sweep_until(double now, double time, double share) {
  return share >= 1 ? now + time : (now + share * time * (1 - 4 * GRZ_U)) * (1 - 2 * GRZ_U);
}

/* The time during which the sagitta stays below the gap; `bend` is the sagitta for the time 1. */
static double sweep_span(const grz_sweep *s, double bend) {
  const double span = bend > 0 ? real_sqrt(s->gap / bend) : __builtin_inf();
  return real_min(real_min(span, SWEEP_LONG), s->end - s->free);
}

/* Advances by chord and sagitta. */
static double sweep_advance_by_chord(sweep_run *r, const grz_rotating_direction *direction, double best) {
  grz_sweep *s = &r->s;
  const bool step = r->steps != NULL;
  double time = sweep_span(s, grz_sweep_bend(s, direction, 1));
  if (!(s->free + time > best)) return best;
  for (int i = 0; i < SWEEP_TRIES; i++) {
    const double then_at = s->free + time, span = (then_at - s->free) * (1 + 4 * GRZ_U), size = s->size;
    if (!(then_at > s->free)) break;
    grz_sweep_place(s, then_at);
    const double then = grz_sweep_gap_rotating(s, direction, then_at);
    s->size = real_max(s->size, size);
    const double sagitta = grz_sweep_bend(s, direction, span);
    const double share = sweep_share(s->gap, then, sagitta, step);
    const double until = share >= 1 ? then_at : sweep_until(s->free, span * (1 - 8 * GRZ_U), share);
    const bool better = until > best;
    if (better) best = until;
    if (share > 0.5 || (share > 0 && !better)) break;
    time *= share > 0 ? 1.5 * share : SWEEP_SHORT;
  }
  return best;
}

/* Advances by the bound of the closing speed (conservative advancement). */
static double sweep_advance_by_speed(const grz_sweep *s) {
  const double rate = grz_sweep_rate(s, s->by);
  if (rate <= 0) return s->end;
  return (s->free + s->gap / rate * (1 - 8 * GRZ_U)) * (1 - 2 * GRZ_U) - 0x1p-1072;
}

/* True if the verifier accepts [free, until] as a step. */
static bool sweep_is_step(sweep_run *r, double until) {
  grz_sweep *s = &r->s;
  const grz_rotating_direction fixed = grz_sweep_rotating_direction(s, NULL);
  const double sagitta = grz_sweep_bend(s, &fixed, (until - s->free) * (1 + 4 * GRZ_U)) * (1 + 0x1p-40);
  if (!(s->gap > sagitta)) return false;
  grz_sweep_place(s, until);
  return grz_sweep_gap(s, s->by) > sagitta;
}

/* ---- Results */

static void sweep_positions(const sweep_run *r, double t) {
  t = motion_last_time(t);
  r->s.result->cast.position_a = moving_position(&r->s.a.placed, r->s.a.velocity, t);
  r->s.result->cast.position_b = moving_position(&r->s.b.placed, r->s.b.velocity, t);
}

/* The contact normal at the current poses, from the core points that are nearest just before the contact. For rounded
 * bodies, these points are separated and define the normal. Otherwise the normal is that of the facet that the points
 * span. The normal is oriented like `like`. */
static graze_vec sweep_normal_of(const grz_sweep *s, const grz_proof *nearest, graze_vec like) {
  grz_obstacle o;
  grz_simplex points = {.count = 0};
  grz_obstacle_make(&o, &s->at_a.placed, &s->at_b.placed, 0);
  const int count = nearest->pair_count;
  if (o.curved || count == 0 || count > o.dim) return like;
  for (int i = 0; i < count; i++) points.point[i] = grz_obstacle_of_pair(&o, &nearest->pairs[i], o.dim);
  const graze_vec *w[3] = {&points.point[0].w, &points.point[1].w, &points.point[2].w};
  const graze_vec up = {0, 0, 1}, edge = count > 1 ? vec_sub(*w[1], *w[0]) : up;
  graze_vec normal = vec_cross(edge, count > 2 ? vec_sub(*w[2], *w[0]) : up);
  const bool spans = count == o.dim && vec_length(normal) > SWEEP_THIN * (count > 2 ? o.size * o.size : o.size);
  points.count = count;
  const bool held = grz_simplex_reduce(&points, o.dim);
  if (!held && vec_length(points.v) > SWEEP_THIN * o.size)
    normal = vec_neg(points.v);
  else if (!spans)
    return like;
  return vec_scale(vec_unit(normal), vec_dot(normal, like) < 0 ? -1 : 1);
}

/* The normal at time `free`, from a slightly earlier time, when the gap is accurate enough to find the nearest
 * points. */
static graze_vec sweep_normal(sweep_run *r) {
  grz_sweep *s = &r->s;
  grz_result before;
  grz_sweep_place(s, real_max(s->free - SWEEP_BEFORE * (s->size / s->fastest), 0));
  s->options.tolerance = 8 * s->doubt;
  if (grz_distance_pair(&s->at_a.placed, &s->at_b.placed, &s->options, &before) != GRAZE_OK)
    return s->seen.answer.normal;
  if (before.answer.relation != GRAZE_SEPARATED || grz_query_is_unknown(&before)) return s->seen.answer.normal;
  if (s->plane) return before.answer.normal;
  grz_sweep_place(s, s->free);
  return sweep_normal_of(s, &before.proof, before.answer.normal);
}

/* Stores point and normal of the last separated time. */
static void sweep_show(sweep_run *r) {
  grz_sweep *s = &r->s;
  sweep_positions(r, s->free);
  if (grz_query_is_unknown(&s->seen)) return;
  s->result->cast.point = vec_scale(vec_add(s->seen.answer.point_a, s->seen.answer.point_b), 0.5);
  s->result->cast.normal = sweep_normal(r);
}

/* Bisects toward the earliest overlap if *late is much later than `free`. */
static void sweep_narrow(sweep_run *r, double *late, grz_result *inner) {
  grz_sweep *s = &r->s;
  const double enough = real_max(2 * SWEEP_BRACKET * s->doubt / s->fastest, 0x1p-44 * *late);
  double early = s->free;
  for (int i = 0; *late - early > enough && i < SWEEP_HALVINGS && grz_sweep_can_go_on(s); i++) {
    grz_result half;
    const double middle = early + (*late - early) / 2;
    if (!grz_sweep_overlaps(s, middle, &half))
      early = middle;
    else
      *late = middle, *inner = half;
  }
}

/* The direction of the certificate belongs to the start, its pairs or axes belong to t_upper. */
static void sweep_prove_hit(grz_cast_result *result, const grz_proof *meets) {
  grz_proof *proof = &result->proof;
  for (int i = 0; i < meets->pair_count; i++) proof->pairs[i] = meets->pairs[i];
  proof->pair_count = meets->pair_count;
  if (meets->kind == GRAZE_CERTIFICATE_AXES) proof->depth_proof = GRAZE_DEPTH_BY_AXES;
  proof->vertex = meets->vertex, proof->vertex_point = meets->vertex_point;
}

/* If a certificate is required, searches for a later time at which the pairs or axes prove the overlap despite
 * rounding. */
static void sweep_deepen(sweep_run *r, double *late, grz_result *inner) {
  grz_sweep *s = &r->s;
  grz_result deeper = *inner;
  double time = *late;
  if (!r->steps) return;
  for (int i = 0; i < SWEEP_DEEPER && time <= s->last && grz_sweep_can_go_on(s); i++) {
    if (grz_sweep_overlaps(s, time, &deeper) &&
        grz_verify_contact(&s->at_a.placed, &s->at_b.placed, s->options.clearance, s->error, &deeper.proof) ==
            GRAZE_OK) {
      *late = time, *inner = deeper;
      return;
    }
    time += 3 * (time - s->free);
  }
}

/* Handles the case that rounding leaves the time just after `free` undecided: searches for a certain overlap soon
 * after. */
static void sweep_in_doubt(sweep_run *r) {
  grz_sweep *s = &r->s;
  grz_result inner;
  const double free = s->free;
  sweep_show(r);
  cast_result_times(s->result, GRAZE_POSSIBLE, free, s->last);
  const double size = s->a.placed.hidden.bounding_radius + s->b.placed.hidden.bounding_radius;
  double width = real_max(SWEEP_BRACKET * real_max(s->doubt, GRZ_U * size) / s->fastest, 16 * GRZ_U * free);
  width = real_max(width, 0x1p-1060);
  for (int i = 0; i < SWEEP_PROBES && grz_sweep_can_go_on(s); i++, width *= 4) {
    double late = real_min(free + width, s->last);
    if (grz_sweep_overlaps(s, late, &inner)) {
      sweep_narrow(r, &late, &inner);
      sweep_deepen(r, &late, &inner);
      cast_result_times(s->result, GRAZE_HIT, free, late);
      cast_result_check_width(s->result, SWEEP_NARROW * size / s->fastest);
      sweep_prove_hit(s->result, &inner.proof);
      return;
    }
    if (late >= s->last) return;
  }
  if (!grz_sweep_can_go_on(s)) s->result->cast.stopped = GRAZE_STOP_BUDGET;
}

/* ---- The sweep */

/* A weakly separating direction has the gap 0 at time 0. If a later gap exceeds four sagittas, the gap is positive
 * at all times between. */
static bool sweep_separates_in_direction(sweep_run *r, const grz_rotating_direction *direction) {
  grz_sweep *s = &r->s;
  double time = sweep_span(s, grz_sweep_bend(s, direction, 1));
  const double size = s->size;
  for (int i = 0; i < SWEEP_HALVINGS && time > 0; i++, time *= 0.25) {
    grz_sweep_place(s, time);
    const double gap = grz_sweep_gap_rotating(s, direction, time) - s->noise;
    s->size = real_max(s->size, size);
    if (!(gap > 4 * grz_sweep_bend(s, direction, time) * (1 + 8 * GRZ_U))) continue;
    s->free = time;
    r->steps = NULL;
    return true;
  }
  return false;
}

/* True if touching bodies separate along the contact normal, which is fixed or rotates with one of them. */
static bool sweep_separates(sweep_run *r) {
  grz_sweep *s = &r->s;
  s->by = s->seen.answer.normal;
  s->gap = s->a.placed.hidden.bounding_radius + s->b.placed.hidden.bounding_radius; /* an upper bound for all spans */
  const grz_rotating_direction directions[3] = {grz_sweep_rotating_direction(s, NULL),
                                                grz_sweep_rotating_direction(s, &s->a),
                                                grz_sweep_rotating_direction(s, &s->b)};
  const int count = s->plane ? 1 : 3; /* the normal of a half-space does not rotate */
  for (int i = 0; i < count; i++)
    if (sweep_separates_in_direction(r, &directions[i])) return true;
  return false;
}

/* Handles touching bodies without rotation: the linear cast decides exactly whether they approach each other. */
static void sweep_slide(sweep_run *r) {
  grz_sweep *s = &r->s;
  graze_cast_options options = *r->options;
  options.method = GRAZE_CAST_AUTO, options.min_distance = true;
  grz_cast_pair(&s->a.placed, s->a.velocity, &s->b.placed, s->b.velocity, r->t_requested, false, &options, NULL,
                s->result);
  r->steps = NULL;
}

/* Evaluates the start. Returns false if the relation at the start decides the sweep. */
static bool sweep_start(sweep_run *r) {
  grz_sweep *s = &r->s;
  graze_options first = s->options;
  first.tolerance = r->options->tolerance;
  grz_sweep_place(s, 0);
  if (grz_distance_pair(&s->at_a.placed, &s->at_b.placed, &first, &s->seen) != GRAZE_OK) return false;
  grz_sweep_charge(s, &s->seen);
  s->result->cast.exact = s->seen.answer.exact;
  s->result->proof = s->seen.proof;
  if (s->seen.answer.relation == GRAZE_SEPARATED) return true;
  cast_result_start(&s->a.placed, &s->b.placed, &s->seen, s->result);
  if (s->seen.answer.relation == GRAZE_OVERLAPPING) return false;
  if (s->seen.answer.relation == GRAZE_TOUCHING && s->a.spin == 0 && s->b.spin == 0) {
    sweep_slide(r);
    return false;
  }
  grz_sweep_gap(s, vec_make(1, 0, 0));
  s->doubt = s->noise;
  s->result->proof.kind = GRAZE_CERTIFICATE_NONE; /* the certificate covers only a later contact from here on */
  s->result->proof.direction.form = GRAZE_DIRECTION_NONE;
  s->result->proof.pair_count = 0;
  if (s->seen.answer.relation == GRAZE_TOUCHING && sweep_separates(r)) return true;
  s->free = 0;
  sweep_in_doubt(r);
  return false;
}

/* If only one body rotates, and by many turns, a linear cast of its bounding ball gives a time without contact. */
static double sweep_advance_by_ball(const sweep_run *r) {
  const grz_sweep *s = &r->s;
  const bool a = s->a.spin > 0;
  const grz_moving_body *turns = a ? &s->a : &s->b, *other = a ? &s->b : &s->a;
  if (other->spin > 0 || s->free > 0 || r->steps || !(turns->spin * s->end > SWEEP_OFTEN)) return s->free;
  const graze_placed *body = &turns->placed;
  const double radius = real_next_up(body->hidden.bounding_radius + body->hidden.radius);
  const graze_shape shape = body->shape.dim == 2 ? graze_circle(radius) : graze_sphere(radius);
  graze_pose pose = graze_pose_at(0, 0, 0);
  pose.position = placed_reference_point(body);
  const graze_placed ball = graze_place(&shape, pose);
  graze_cast_options options = *r->options;
  grz_cast_result result;
  options.method = GRAZE_CAST_AUTO, options.min_distance = false;
  graze_status status =
      a ? grz_cast_pair(&ball, turns->velocity, &other->placed, other->velocity, s->end, false, &options, NULL, &result)
        : grz_cast_pair(&other->placed, other->velocity, &ball, turns->velocity, s->end, false, &options, NULL,
                        &result);
  if (status != GRAZE_OK || result.cast.start_relation != GRAZE_SEPARATED) return s->free;
  return result.cast.outcome == GRAZE_CLEAR ? s->end : result.cast.t_lower;
}

/* The loop of the sweep. Invariant: the bodies are disjoint in [0, free]. */
static void sweep_loop(sweep_run *r) {
  grz_sweep *s = &r->s;
  const bool long_turn = r->steps == NULL && (s->a.spin + s->b.spin) * (s->end - s->free) > SWEEP_LONG_TURN;
  int steps = s->budget->steps > 0 ? s->budget->steps : 1;
  if (long_turn && steps > SWEEP_FIRST_STEPS) steps = SWEEP_FIRST_STEPS;
  for (; s->free < s->end && steps > 0; steps--, --s->budget->steps) {
    /* Distance and separating direction at time `free`. */
    grz_sweep_evaluate(s, s->free);
    if (r->steps && r->count == r->capacity) break;
    const double worth = SWEEP_WORTH * s->doubt / s->fastest + 8 * GRZ_U * s->free;
    double until = s->free;
    if (s->gap > 0) {
      /* Conservative advancement by the bound of the closing speed. */
      if (!r->steps) until = sweep_advance_by_speed(s);

      /* Chord and sagitta: along a direction that rotates with the nearest face, then along a fixed one. */
      if (!r->advances_only && until < s->end) {
        const grz_rotating_direction fixed = grz_sweep_rotating_direction(s, NULL),
                                     rotating = grz_sweep_rotating_direction(s, grz_sweep_rotating_body(s));
        const bool near = rotating.on && !r->steps && s->gap < SWEEP_NEAR * s->size;
        if (near) until = sweep_advance_by_chord(r, &rotating, until);
        until = sweep_advance_by_chord(r, &fixed, until);
      }
      until = real_min(until, s->end);

      /* A certificate needs a step that the verifier accepts: halve the interval until the step is accepted. */
      for (int i = 0; r->steps && until > s->free && !sweep_is_step(r, until); i++)
        until = i < SWEEP_HALVINGS ? s->free + 0.5 * (until - s->free) : s->free;
    }

    /* No progress beyond rounding: a contact, or doubt. */
    if (!(until >= s->end || until - s->free > worth)) {
      sweep_in_doubt(r);
      return;
    }
    if (r->steps) r->steps[r->count++] = (graze_cast_step){.from = s->free, .to = until, .direction = s->by};
    s->free = until;
    if (!grz_sweep_can_go_on(s)) break;
  }
  if (s->free >= s->end) {
    cast_result_miss(s->result);
    sweep_positions(r, r->t_requested);
    return;
  }
  sweep_show(r);
  cast_result_times(s->result, GRAZE_POSSIBLE, s->free, s->last);
  s->result->cast.stopped = GRAZE_STOP_BUDGET;
}

graze_status grz_sweep_pair(const grz_cast_query *query, const graze_cast_options *options, grz_cast_result *result) {
  sweep_run r;
  const bool user = query->a->shape.kind == GRAZE_USER || query->b->shape.kind == GRAZE_USER;
  r.options = options;
  r.advances_only = options->method == GRAZE_CAST_CA;
  r.t_requested = query->last;
  r.steps = r.advances_only ? NULL : options->steps;
  r.capacity = options->step_capacity;
  r.count = 0;
  cast_result_clear(result, r.advances_only ? GRAZE_ALGORITHM_CA : GRAZE_ALGORITHM_SWEEP, user);
  grz_sweep_make(&r.s, query, options);
  r.s.result = result;
  if (query->from > 0 || sweep_start(&r)) {
    r.s.free = r.steps || !grz_sweep_balls_miss(&r.s) ? sweep_advance_by_ball(&r) : r.s.end;
    sweep_loop(&r);
  }
  result->steps = r.steps;
  result->step_count = r.steps ? r.count : 0;
  return GRAZE_OK;
}
