/* Checks casts of bodies in linear and rotating motion: graze_verify_cast().
 *
 * Linear motion: over an interval, C is the CSO swept by the relative motion, and a pair of core points states at which
 * end of the interval it is taken. So one certificate check of the swept pair proves every statement.
 * Proofs: docs/theory/cast.md, "Checks of the verifier".
 *
 * Rotating motion: at an instant, a body is a placed shape whose rounded rotation has a known error. A step is proved
 * by gaps at both of its ends that exceed this error and the sagitta of the paths. A contact is proved by points whose
 * hull contains a ball of the size of the error. Proofs: docs/theory/sweep.md. */
#include "verify/verify.h"

#include "core/status.h"

#include <string.h>

static bool motion_is_nan(double x) { return x != x; }

/* ---- Linear motion. */

typedef struct linear_check {
  grz_moved a, b;
  graze_vec velocity_a, velocity_b;
  double clearance, t_max;
  const graze_cast_result *result;
  const grz_proof *proof;
} linear_check;

/* Parses the certificate for the swept pair over the interval. */
static graze_status linear_parse(linear_check *q, grz_check *check, grz_arena *arena, const grz_proof *certificate,
                                 double from, double to) {
  moving_between(&q->a, q->velocity_a, from, to);
  moving_between(&q->b, q->velocity_b, from, to);
  arena->used = 0;
  return grz_check_parse(check, arena, &q->a.placed, &q->b.placed, q->clearance, certificate);
}

static graze_status linear_check_hit(linear_check *q, grz_arena *arena) {
  const graze_cast_result *result = q->result;
  grz_check check;
  const bool ordered = result->t_lower >= 0 && result->t_lower <= result->t_upper && result->t_upper <= q->t_max;
  if (!ordered || result->t != result->t_lower) return GRAZE_REFUTED;
  const bool open = result->start_relation == GRAZE_UNDECIDED || result->outcome == GRAZE_POSSIBLE;
  if (open && result->start_relation != GRAZE_SEPARATED) return GRAZE_UNPROVEN;
  if (result->start_relation != GRAZE_SEPARATED) { /* a contact at t = 0 */
    if (result->t_upper != 0) return GRAZE_REFUTED;
    const graze_status status = linear_parse(q, &check, arena, q->proof, 0, 0);
    return status == GRAZE_OK ? grz_check_relation(&check, result->start_relation) : status;
  }

  /* No contact before t_lower: the direction separates over [0, t_lower]. */
  grz_proof certificate = *q->proof;
  certificate.pair_count = 0;
  graze_status status = linear_parse(q, &check, arena, &certificate, 0, result->t_lower);
  if (status == GRAZE_OK) status = grz_check_relation(&check, GRAZE_SEPARATED);
  if (result->outcome == GRAZE_POSSIBLE) return grz_check_weaker(status, GRAZE_UNPROVEN);

  /* A contact in [t_lower, t_upper]: the hull of the pairs, each at its end, comes within r of the origin. */
  certificate = *q->proof;
  if (certificate.kind != GRAZE_CERTIFICATE_HALFSPACE) certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  certificate.direction = (grz_direction){.form = GRAZE_DIRECTION_NONE};
  const graze_status parsed = linear_parse(q, &check, arena, &certificate, result->t_lower, result->t_upper);
  if (parsed != GRAZE_OK) return grz_check_weaker(status, parsed);
  return grz_check_weaker(status, check.count > 0 ? grz_check_upper(&check, GRAZE_TOUCHING, 0) : GRAZE_UNPROVEN);
}

/* A clear motion after a touch at t = 0. The points whose hull contains the origin are taken at the start. The
 * direction shows that no point of the swept C passes the origin. */
static graze_status linear_check_start_touch(linear_check *q, grz_arena *arena, grz_check *check) {
  const graze_cast_result *result = q->result;
  const grz_proof *c = q->proof;
  const bool rounded = check->exact.radius.sign > 0; /* then the direction has the points */
  const grz_pair *pairs = rounded ? c->direction.pairs : c->pairs;
  if (!(result->min_lower == 0 && result->min_upper == 0)) return GRAZE_REFUTED;
  graze_status status = grz_check_relation(check, GRAZE_TOUCHING);
  if (status != GRAZE_OK) return status;
  if (check->is_halfspace) {
    status = linear_parse(q, check, arena, c, 0, 0);
    return status == GRAZE_OK ? grz_check_relation(check, GRAZE_TOUCHING) : status;
  }
  for (int i = 0; i < check->count; i++)
    if (pairs[i].end != 0) return GRAZE_REFUTED;
  return GRAZE_OK;
}

/* A clear motion: the certificate proves the gap and the nearest point of the whole swept C. Without an upper bound,
 * the pairs are ignored. */
static graze_status linear_check_clear(linear_check *q, grz_arena *arena) {
  grz_check check;
  const graze_cast_result *result = q->result;
  const double lower = result->min_lower, upper = result->min_upper;
  grz_proof certificate = *q->proof;
  if (motion_is_nan(upper)) certificate.pair_count = 0;
  const double end = result->start_relation == GRAZE_TOUCHING ? MOVING_TOUCH_END : q->t_max;
  graze_status status = linear_parse(q, &check, arena, &certificate, 0, end);
  if (status != GRAZE_OK) return status;
  if (result->start_relation == GRAZE_TOUCHING) return linear_check_start_touch(q, arena, &check);
  if (result->start_relation != GRAZE_SEPARATED || lower < 0 || lower > GRZ_DISTANCE_MAX || upper <= 0)
    return GRAZE_REFUTED;
  status = grz_check_weaker(grz_check_relation(&check, GRAZE_SEPARATED), grz_check_lower(&check, lower));
  if (upper == upper) status = grz_check_weaker(status, grz_check_upper(&check, GRAZE_SEPARATED, upper));
  return grz_check_weaker(status, lower == lower ? GRAZE_OK : GRAZE_UNPROVEN);
}

/* Numbers that do not apply to the outcome must be NaN, and times must lie in the motion. */
static bool linear_is_consistent(const linear_check *q) {
  const graze_cast_result *result = q->result;
  const bool no_time = motion_is_nan(result->t) && motion_is_nan(result->t_lower) && motion_is_nan(result->t_upper);
  const bool no_minimum =
      motion_is_nan(result->min_lower) && motion_is_nan(result->min_upper) && motion_is_nan(result->t_min);
  if (result->outcome != GRAZE_CLEAR) return no_minimum;
  return no_time && !(result->t_min < 0 || result->t_min > q->t_max || result->min_lower > result->min_upper);
}

static graze_status linear_check_result(grz_arena *arena, void *context) {
  linear_check *q = context;
  if (!linear_is_consistent(q)) return GRAZE_REFUTED;
  switch ((int)q->result->outcome) {
  case GRAZE_HIT:
  case GRAZE_POSSIBLE: return linear_check_hit(q, arena);
  case GRAZE_CLEAR: return linear_check_clear(q, arena);
  default: return GRAZE_REFUTED;
  }
}

graze_status grz_verify_linear_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                    graze_vec velocity_b, double t_max, double clearance,
                                    const graze_cast_result *result, const grz_proof *proof) {
  linear_check q = {.velocity_a = velocity_a,
                    .velocity_b = velocity_b,
                    .clearance = clearance,
                    .t_max = motion_last_time(t_max),
                    .result = result,
                    .proof = proof};
  grz_moved_make(&q.a, a);
  grz_moved_make(&q.b, b);
  return grz_check_in_arena(linear_check_result, &q);
}

/* ---- Rotating motion. */

typedef struct rotating_check {
  grz_moving_body a, b;
  grz_moved now_a, now_b; /* both bodies at one instant */
  double error;           /* of now_a and now_b together */
  double clearance, t_max;
  graze_vec direction; /* the gap along it must exceed `min_gap` */
  double min_gap;
  const grz_proof *contact;
  const graze_cast_result *result;
  const grz_proof *proof;
  const graze_cast_step *steps;
  size_t step_count;
} rotating_check;

static double rotating_sum_up(double x, double y) { return real_next_up(x + y); }

static void rotating_move_to(rotating_check *q, double t) {
  const double error = grz_moving_body_at(&q->a, t, &q->now_a);
  q->error = rotating_sum_up(error, grz_moving_body_at(&q->b, t, &q->now_b));
}

static bool rotating_is_halfspace(const graze_placed *placed) { return placed->shape.kind == GRAZE_HALFSPACE; }

/* Checks that the gap exceeds min_gap + r, along the direction of the step or the normal of a half-space. */
static graze_status rotating_check_gap(grz_arena *arena, void *context) {
  const rotating_check *q = context;
  const bool halfspace = rotating_is_halfspace(&q->now_a.placed) || rotating_is_halfspace(&q->now_b.placed);
  const grz_direction given = {.form = GRAZE_DIRECTION_VECTOR, .vector = q->direction};
  grz_bvec d, unused;
  grz_gap gap;
  arena->used = 0;
  grz_exact_cso exact = grz_exact_cso_make(arena, &q->now_a.placed, &q->now_b.placed, q->clearance);
  if (!grz_parse_direction(&exact, &given, &d)) return GRAZE_REFUTED;
  if (halfspace) { /* any core point suffices: vertex 0, or the centre of a curved core */
    const graze_placed *other = rotating_is_halfspace(&q->now_a.placed) ? &q->now_b.placed : &q->now_a.placed;
    const grz_proof any = {.vertex = grz_is_curved(&other->shape) ? -1 : 0};
    if (!grz_parse_halfspace(&exact, &any, &d, &unused)) return GRAZE_REFUTED;
  }
  if (!grz_gap_make(&exact, d, &gap)) return GRAZE_UNPROVEN;
  const grz_big min_gap = grz_big_add(arena, exact.radius, grz_big_of(arena, q->min_gap));
  return grz_check_result(grz_gap_sign(&exact, &gap, min_gap) > 0);
}

/* Checks that the hull of the pairs comes within r - error of the origin. If r is not larger than the error, the hull
 * must contain a ball of radius error - r. */
static graze_status rotating_check_contact(grz_arena *arena, void *context) {
  const rotating_check *q = context;
  grz_check check;
  grz_proof certificate = *q->contact;
  if (certificate.kind != GRAZE_CERTIFICATE_HALFSPACE) certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  certificate.direction = (grz_direction){.form = GRAZE_DIRECTION_NONE};
  arena->used = 0;
  graze_status status = grz_check_parse(&check, arena, &q->now_a.placed, &q->now_b.placed, q->clearance, &certificate);
  if (status != GRAZE_OK) return status;
  const bool by_axes = check.count == 0 && certificate.depth_proof == GRAZE_DEPTH_BY_AXES;
  if (by_axes) return grz_check_axes(&check.exact, grz_big_of(arena, q->error), false);
  if (check.count == 0) return GRAZE_UNPROVEN;
  status = grz_check_upper(&check, GRAZE_TOUCHING, -q->error);
  if (status == GRAZE_OK || check.is_halfspace) return status;
  const grz_exact_cso *exact = &check.exact;
  const grz_big ball = grz_big_sub(arena, grz_big_of(arena, q->error), exact->radius);
  const grz_big scaled = grz_big_mul(arena, ball, exact->placement.scale);
  if (grz_contains_ball(arena, check.w, check.count, exact->dim, scaled) && !arena->full) return GRAZE_OK;
  return grz_check_upper(&check, GRAZE_TOUCHING, q->error) == GRAZE_OK ? GRAZE_UNPROVEN : GRAZE_REFUTED;
}

graze_status grz_verify_contact(const graze_placed *a, const graze_placed *b, double clearance, double error,
                                const grz_proof *certificate) {
  rotating_check q = {.error = error, .clearance = clearance, .contact = certificate};
  grz_moved_make(&q.now_a, a);
  grz_moved_make(&q.now_b, b);
  return grz_check_in_arena(rotating_check_contact, &q);
}

/* Checks that there is no contact before `to`: the steps cover [0, to] without a gap, and each separates at both ends.
 */
static graze_status rotating_check_steps(rotating_check *q, double to) {
  graze_status status = GRAZE_OK;
  double t = 0;
  for (size_t i = 0; i < q->step_count; i++) {
    if (!(q->steps[i].from == t && q->steps[i].to > t)) return GRAZE_REFUTED;
    t = q->steps[i].to;
  }
  if (t != to) return GRAZE_REFUTED;
  for (size_t i = 0; i < q->step_count && status == GRAZE_OK; i++) {
    const graze_cast_step *step = &q->steps[i];
    const double time = real_next_up(step->to - step->from);
    const double sagitta = rotating_sum_up(grz_moving_body_sagitta(&q->a, time), grz_moving_body_sagitta(&q->b, time));
    q->direction = step->direction;
    for (int end = 0; end < 2; end++) {
      rotating_move_to(q, end == 0 ? step->from : step->to);
      q->min_gap = rotating_sum_up(q->error, sagitta);
      status = grz_check_weaker(status, grz_check_in_arena(rotating_check_gap, q));
    }
  }
  return status;
}

/* Returns whether the bounding spheres are disjoint at time t and recede from each other. The slacks exceed all
 * rounding errors, also if offset and displacement cancel. */
static bool rotating_recede(const rotating_check *q, double t) {
  const graze_placed *a = &q->a.placed, *b = &q->b.placed;
  if (rotating_is_halfspace(a) || rotating_is_halfspace(b)) return false;
  const graze_vec v = vec_sub(q->a.velocity, q->b.velocity), offset = placed_offset(a, b);
  const graze_vec now = vec_add(offset, vec_scale(v, t));
  const double size =
      ((a->hidden.bounding_radius + b->hidden.bounding_radius) + (a->hidden.radius + b->hidden.radius)) + q->clearance;
  const double largest = vec_norm_inf(now);
  const double error = 64 * GRZ_U * (vec_norm1(offset) + vec_norm1(vec_scale(v, t)));
  if (!(largest > 2 * (size + error) && largest < 0x1p400 && vec_norm_inf(v) > 0)) return false;
  return vec_dot(vec_unit_inf(now), vec_unit_inf(v)) > 0.25;
}

/* Checks the relation at t = 0 by the certificate. */
static graze_status rotating_check_start(grz_arena *arena, void *context) {
  const rotating_check *q = context;
  grz_check check;
  arena->used = 0;
  const graze_status status = grz_check_parse(&check, arena, &q->a.placed, &q->b.placed, q->clearance, q->proof);
  return status == GRAZE_OK ? grz_check_relation(&check, q->result->start_relation) : status;
}

/* Without a step, the bodies must be separated at t = 0. The certificate of a half-space names the vertex of the later
 * contact, so for a half-space the gap along the normal decides. */
static graze_status rotating_check_start_gap(rotating_check *q) {
  if (!rotating_is_halfspace(&q->a.placed) && !rotating_is_halfspace(&q->b.placed))
    return grz_check_in_arena(rotating_check_start, q);
  rotating_move_to(q, 0);
  q->direction = vec_make(1, 0, 0);
  q->min_gap = 0;
  return grz_check_in_arena(rotating_check_gap, q);
}

static graze_status rotating_check_hit(rotating_check *q) {
  const graze_cast_result *result = q->result;
  const bool ordered = result->t_lower >= 0 && result->t_lower <= result->t_upper && result->t_upper <= q->t_max;
  if (!ordered || result->t != result->t_lower) return GRAZE_REFUTED;
  if (result->outcome == GRAZE_HIT && result->start_relation == GRAZE_OVERLAPPING)
    return result->t_upper == 0 ? grz_check_in_arena(rotating_check_start, q) : GRAZE_REFUTED;
  if (result->start_relation != GRAZE_SEPARATED || q->steps == NULL) return GRAZE_UNPROVEN;
  graze_status status = rotating_check_steps(q, result->t_lower);
  if (q->step_count == 0) status = grz_check_weaker(status, rotating_check_start_gap(q));
  if (result->outcome == GRAZE_POSSIBLE) return grz_check_weaker(status, GRAZE_UNPROVEN);
  rotating_move_to(q, result->t_upper);
  q->contact = q->proof;
  return grz_check_weaker(status, grz_check_in_arena(rotating_check_contact, q));
}

static graze_status rotating_check_clear(rotating_check *q) {
  const graze_relation start = q->result->start_relation;
  if (start != GRAZE_SEPARATED) return start == GRAZE_OVERLAPPING ? GRAZE_REFUTED : GRAZE_UNPROVEN;
  if (q->steps == NULL) return GRAZE_UNPROVEN;
  const double to = q->step_count > 0 ? q->steps[q->step_count - 1].to : 0;
  if (!(to == q->t_max || (to < q->t_max && rotating_recede(q, to)))) return GRAZE_REFUTED;
  return q->step_count > 0 ? rotating_check_steps(q, to) : rotating_check_start_gap(q);
}

static graze_status rotating_check_result(rotating_check *q) {
  const graze_cast_result *result = q->result;
  const bool no_time = motion_is_nan(result->t) && motion_is_nan(result->t_lower) && motion_is_nan(result->t_upper);
  const bool no_minimum =
      motion_is_nan(result->min_lower) && motion_is_nan(result->min_upper) && motion_is_nan(result->t_min);
  if (!no_minimum || (result->outcome == GRAZE_CLEAR && !no_time)) return GRAZE_REFUTED;
  switch ((int)result->outcome) {
  case GRAZE_HIT:
  case GRAZE_POSSIBLE: return rotating_check_hit(q);
  case GRAZE_CLEAR: return rotating_check_clear(q);
  default: return GRAZE_REFUTED;
  }
}

/* ---- The public function. */

/* Returns the first rule that the input breaks. */
static graze_error motion_find_error(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                     const graze_motion *motion_b, double t_max, double clearance) {
  const graze_error error = grz_pair_error(a, b);
  if (error.status != GRAZE_OK) return error;
  if (grz_has_parts(&a->shape) || grz_has_parts(&b->shape))
    return grz_error_rule(GRAZE_UNSUPPORTED, "shapes", 0, "must not be compounds");
  if (rotating_is_halfspace(a) && rotating_is_halfspace(b))
    return grz_error_rule(GRAZE_UNSUPPORTED, "shapes", 0, "two half-spaces are not supported");
  graze_status status = grz_motion_validate(a, motion_a);
  if (status != GRAZE_OK) return grz_motion_error(status, "a", a, motion_a);
  status = grz_motion_validate(b, motion_b);
  if (status != GRAZE_OK) return grz_motion_error(status, "b", b, motion_b);
  if (motion_is_nan(t_max)) return grz_error_rule(GRAZE_BAD_NUMBER, "t_max", t_max, "must be a number");
  if (t_max < 0) return grz_error_rule(GRAZE_BAD_OPTION, "t_max", t_max, "must be >= 0");
  if (!(clearance >= 0 && clearance <= GRAZE_LARGEST))
    return grz_error_rule(GRAZE_BAD_OPTION, "clearance", clearance, "must be 0 to 1e40");
  return grz_no_error();
}

graze_status graze_verify_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                               const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                               const graze_cast_result *result, const graze_certificate *certificate) {
  const double clearance = options != NULL ? options->clearance : 0;
  unsigned char conditional;
  grz_proof proof;
  if (motion_a == NULL) motion_a = &grz_motion_at_rest;
  if (motion_b == NULL) motion_b = &grz_motion_at_rest;
  const graze_error error = motion_find_error(a, motion_a, b, motion_b, t_max, clearance);
  if (error.status != GRAZE_OK) return grz_reject(options != NULL ? options->error : NULL, error);
  memcpy(&conditional, &result->conditional, 1); /* an untrusted byte may not be a valid bool */
  if (conditional == 0 && (a->shape.kind == GRAZE_USER || b->shape.kind == GRAZE_USER)) return GRAZE_UNPROVEN;
  if (!grz_proof_read(certificate, &proof)) return GRAZE_REFUTED;
  const bool rotates = motion_rotates(a, motion_a) || motion_rotates(b, motion_b);
  const bool by_ray_cast = result->algorithm == GRAZE_ALGORITHM_FCCD || result->algorithm == GRAZE_ALGORITHM_LCCD ||
                           result->algorithm == GRAZE_ALGORITHM_CLOSED_FORM;
  if (!rotates && by_ray_cast)
    return grz_verify_linear_cast(a, motion_a->velocity, b, motion_b->velocity, t_max, clearance, result, &proof);
  rotating_check q = {.clearance = clearance,
                      .t_max = motion_last_time(t_max),
                      .result = result,
                      .proof = &proof,
                      .steps = certificate->steps,
                      .step_count = certificate->step_count};
  grz_moved_make(&q.now_a, a);
  grz_moved_make(&q.now_b, b);
  grz_moving_body_make(&q.a, a, motion_a);
  grz_moving_body_make(&q.b, b, motion_b);
  return rotating_check_result(&q);
}
