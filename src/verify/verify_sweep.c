/* The verifier of bodies that turn. At a moment such a body is a placed shape with a rounded rotation, whose error is
 * known; so a step is shown by two gaps larger than that error and the sagitta, and a contact by pairs whose hull holds
 * a ball of that size. docs/theory/sweep.md. */
#include "verify/motion.h"

#include "core/vec.h"
#include "shape/core.h"

#include <string.h>

typedef struct verify_sweep {
  grz_moving_body a, b;
  graze_placed at_a, at_b;
  double error; /* of at_a and at_b together */
  double clearance, t_max;
  graze_vec direction; /* the gap along it must exceed `apart` */
  double apart;
  const grz_proof *meets;
  const graze_cast_result *impact;
  const grz_proof *proof;
  const graze_cast_step *steps;
  size_t step_count;
} verify_sweep;

/* ---- At a moment */

static double turned_up(double x, double y) { return real_next_up(x + y); }

static void turned_at(verify_sweep *q, double t) {
  const double error = grz_moving_body_at(&q->a, t, &q->at_a);
  q->error = turned_up(error, grz_moving_body_at(&q->b, t, &q->at_b));
}

static bool turned_is_plane(const graze_placed *placed) { return placed->shape.kind == GRAZE_HALFSPACE; }

/* The direction in which the gap counts: that of the step, or the normal of a half-space. */
static bool turned_direction(const verify_sweep *q, grz_parser *reading, grz_bvec *d) {
  const bool plane = turned_is_plane(&q->at_a) || turned_is_plane(&q->at_b);
  const grz_direction given = {.form = GRAZE_DIRECTION_VECTOR, .vector = q->direction};
  const graze_placed *other = turned_is_plane(&q->at_a) ? &q->at_b : &q->at_a;
  const grz_proof any = {.vertex = grz_is_curved(&other->shape) ? -1 : 0}; /* the centre of a curved core */
  grz_bvec w;
  if (!grz_read_direction(reading, &given, d)) return false;
  return !plane || grz_read_plane(reading, &any, d, &w);
}

static graze_status turned_separates(grz_arena *arena, void *context) {
  const verify_sweep *q = context;
  grz_bvec d;
  grz_gap gap;
  arena->used = 0;
  grz_parser reading = grz_read_shapes(arena, &q->at_a, &q->at_b, q->clearance);
  if (!turned_direction(q, &reading, &d)) return GRAZE_REFUTED;
  if (!grz_read_gap(&reading, d, &gap)) return GRAZE_UNPROVEN;
  const grz_big apart = grz_big_add(arena, reading.radius, grz_big_of(arena, q->apart));
  return grz_gap_sign(&reading, &gap, apart) > 0 ? GRAZE_OK : GRAZE_REFUTED;
}

/* The hull of the pairs comes within r - error; where r is no larger than that, it holds a ball of the difference. */
static graze_status turned_meets(grz_arena *arena, void *context) {
  const verify_sweep *q = context;
  grz_check claim;
  grz_proof certificate = *q->meets;
  if (certificate.kind != GRAZE_CERTIFICATE_HALFSPACE) certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  certificate.direction = (grz_direction){.form = GRAZE_DIRECTION_NONE};
  arena->used = 0;
  graze_status status = grz_check_parse(&claim, arena, &q->at_a, &q->at_b, q->clearance, &certificate);
  if (status != GRAZE_OK) return status;
  if (claim.count == 0) return GRAZE_UNPROVEN;
  status = grz_check_upper(&claim, GRAZE_TOUCHING, -q->error);
  if (status == GRAZE_OK || claim.plane) return status;
  const grz_parser *r = &claim.reading;
  const grz_big ball = grz_big_sub(arena, grz_big_of(arena, q->error), r->radius);
  const bool holds = grz_contains_ball(arena, claim.w, claim.count, r->dim, grz_big_mul(arena, ball, r->placing.scale));
  if (holds && !arena->full) return GRAZE_OK;
  return grz_check_upper(&claim, GRAZE_TOUCHING, q->error) == GRAZE_OK ? GRAZE_UNPROVEN : GRAZE_REFUTED;
}

graze_status grz_verify_contact(const graze_placed *a, const graze_placed *b, double clearance, double error,
                              const grz_proof *certificate) {
  verify_sweep q = {.at_a = *a, .at_b = *b, .error = error, .clearance = clearance, .meets = certificate};
  return grz_check_in_arena(turned_meets, &q);
}

/* ---- Steps */

static graze_status turned_verify_step(verify_sweep *q, const graze_cast_step *step) {
  const double time = real_next_up(step->to - step->from);
  const double sagitta = turned_up(grz_moving_body_sagitta(&q->a, time), grz_moving_body_sagitta(&q->b, time));
  graze_status status = GRAZE_OK;
  q->direction = step->direction;
  for (int end = 0; end < 2; end++) {
    turned_at(q, end == 0 ? step->from : step->to);
    q->apart = turned_up(q->error, sagitta);
    status = grz_check_weaker(status, grz_check_in_arena(turned_separates, q));
  }
  return status;
}

/* The steps leave no gap, and end at `to`. */
static bool turned_is_chain(const verify_sweep *q, double to) {
  double at = 0;
  for (size_t i = 0; i < q->step_count; i++) {
    const graze_cast_step *step = &q->steps[i];
    if (!(step->from == at && step->to > at)) return false;
    at = step->to;
  }
  return at == to;
}

/* Nothing is met until `to`. */
static graze_status turned_verify_free(verify_sweep *q, double to) {
  graze_status status = GRAZE_OK;
  if (!turned_is_chain(q, to)) return GRAZE_REFUTED;
  for (size_t i = 0; i < q->step_count && status == GRAZE_OK; i++)
    status = turned_verify_step(q, &q->steps[i]);
  return status;
}

/* After this time balls about both bodies are apart, and they part. All slacks are wider than what rounding takes, also
 * of a start and a way that cancel. */
static bool turned_parts(const verify_sweep *q, double t) {
  const graze_placed *a = &q->a.placed, *b = &q->b.placed;
  if (turned_is_plane(a) || turned_is_plane(b)) return false;
  const graze_vec v = vec_sub(q->a.velocity, q->b.velocity), apart = vec_add(placed_offset(a, b), vec_scale(v, t));
  const double size = ((a->hidden.bounding_radius + b->hidden.bounding_radius) + (a->hidden.radius + b->hidden.radius)) + q->clearance;
  const double largest = vec_norm_inf(apart);
  const double lost = 64 * GRZ_U * (vec_norm1(placed_offset(a, b)) + vec_norm1(vec_scale(v, t)));
  if (!(largest > 2 * (size + lost) && largest < 0x1p400 && vec_norm_inf(v) > 0)) return false;
  return vec_dot(vec_unit_inf(apart), vec_unit_inf(v)) > 0.25;
}

/* ---- Answers */

/* The relation at t = 0, by the certificate. */
static graze_status turned_starts(grz_arena *arena, void *context) {
  const verify_sweep *q = context;
  grz_check claim;
  arena->used = 0;
  graze_status status =
      grz_check_parse(&claim, arena, &q->a.placed, &q->b.placed, q->clearance, q->proof);
  return status == GRAZE_OK ? grz_check_relation(&claim, q->impact->start_relation) : status;
}

/* Without a step, the bodies must be apart at t = 0. The vertex of a certificate with a half-space is that of the
 * contact later, so there the gap along the normal decides. */
static graze_status turned_verify_start(verify_sweep *q) {
  if (!turned_is_plane(&q->a.placed) && !turned_is_plane(&q->b.placed)) return grz_check_in_arena(turned_starts, q);
  turned_at(q, 0);
  q->direction = vec_make(1, 0, 0);
  q->apart = 0;
  return grz_check_in_arena(turned_separates, q);
}

static graze_status turned_verify_hit(verify_sweep *q) {
  const graze_cast_result *impact = q->impact;
  const bool ordered = impact->t_lower >= 0 && impact->t_lower <= impact->t_upper && impact->t_upper <= q->t_max;
  if (!ordered || impact->t != impact->t_lower) return GRAZE_REFUTED;
  if (impact->outcome == GRAZE_HIT && impact->start_relation == GRAZE_OVERLAPPING)
    return impact->t_upper == 0 ? grz_check_in_arena(turned_starts, q) : GRAZE_REFUTED;
  if (impact->start_relation != GRAZE_SEPARATED || q->steps == NULL) return GRAZE_UNPROVEN;
  graze_status status = turned_verify_free(q, impact->t_lower);
  if (q->step_count == 0) status = grz_check_weaker(status, turned_verify_start(q));
  if (impact->outcome == GRAZE_POSSIBLE) return grz_check_weaker(status, GRAZE_UNPROVEN);
  turned_at(q, impact->t_upper);
  q->meets = q->proof;
  return grz_check_weaker(status, grz_check_in_arena(turned_meets, q));
}

static graze_status turned_verify_clear(verify_sweep *q) {
  const graze_cast_result *impact = q->impact;
  if (impact->start_relation != GRAZE_SEPARATED) return impact->start_relation == GRAZE_OVERLAPPING ? GRAZE_REFUTED : GRAZE_UNPROVEN;
  if (q->steps == NULL) return GRAZE_UNPROVEN;
  const double to = q->step_count > 0 ? q->steps[q->step_count - 1].to : 0;
  if (!(to == q->t_max || (to < q->t_max && turned_parts(q, to)))) return GRAZE_REFUTED;
  return q->step_count > 0 ? turned_verify_free(q, to) : turned_verify_start(q);
}

static bool turned_is_nan(double x) { return x != x; }

/* Numbers that an impact of this result does not have are NaN. */
static bool turned_is_consistent(const graze_cast_result *impact) {
  const bool no_time = turned_is_nan(impact->t) && turned_is_nan(impact->t_lower) && turned_is_nan(impact->t_upper);
  const bool no_passing =
      turned_is_nan(impact->min_lower) && turned_is_nan(impact->min_upper) && turned_is_nan(impact->t_min);
  return no_passing && (impact->outcome != GRAZE_CLEAR || no_time);
}

static graze_status turned_verify(verify_sweep *q) {
  if (!turned_is_consistent(q->impact)) return GRAZE_REFUTED;
  switch ((int)q->impact->outcome) {
  case GRAZE_HIT:
  case GRAZE_POSSIBLE: return turned_verify_hit(q);
  case GRAZE_CLEAR: return turned_verify_clear(q);
  default: return GRAZE_REFUTED;
  }
}

/* Of such a path the certificate is that of a cast. */
static bool turned_is_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                           const graze_motion *motion_b, const graze_cast_result *impact) {
  return !motion_rotates(a, motion_a) && !motion_rotates(b, motion_b) &&
         (impact->algorithm == GRAZE_ALGORITHM_FCCD || impact->algorithm == GRAZE_ALGORITHM_LCCD);
}

static graze_status turned_validate(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                                    const graze_motion *motion_b, double t_max) {
  if (a->status != GRAZE_OK) return a->status;
  if (b->status != GRAZE_OK) return b->status;
  if (a->shape.dim != b->shape.dim) return GRAZE_DIM_MISMATCH;
  const bool compound = a->shape.kind == GRAZE_COMPOUND || b->shape.kind == GRAZE_COMPOUND;
  if (compound || (turned_is_plane(a) && turned_is_plane(b))) return GRAZE_UNSUPPORTED;
  graze_status status = grz_motion_validate(a, motion_a);
  if (status == GRAZE_OK) status = grz_motion_validate(b, motion_b);
  return status == GRAZE_OK ? moving_validate(motion_a->velocity, motion_b->velocity, t_max, a->shape.dim) : status;
}

graze_status graze_verify_cast(const graze_placed *a, const graze_motion *motion_a, const graze_placed *b,
                               const graze_motion *motion_b, double t_max, const graze_cast_options *options,
                               const graze_cast_result *result, const graze_certificate *certificate) {
  static const graze_motion rest = {{0, 0, 0}, {0, 0, 0}};
  const double clearance = options != NULL ? options->clearance : 0;
  unsigned char conditional;
  grz_proof proof;
  if (motion_a == NULL) motion_a = &rest;
  if (motion_b == NULL) motion_b = &rest;
  graze_status status = turned_validate(a, motion_a, b, motion_b, t_max);
  if (status != GRAZE_OK) return status;
  if (!(clearance >= 0 && clearance <= GRAZE_LARGEST)) return GRAZE_BAD_OPTION;
  memcpy(&conditional, &result->conditional, 1); /* a byte may hold anything, a bool may not */
  if (conditional == 0 && (a->shape.kind == GRAZE_USER || b->shape.kind == GRAZE_USER)) return GRAZE_UNPROVEN;
  if (!grz_proof_read(certificate, &proof)) return GRAZE_REFUTED;
  if (turned_is_cast(a, motion_a, b, motion_b, result))
    return grz_verify_linear_cast(a, motion_a->velocity, b, motion_b->velocity, t_max, clearance, result, &proof);
  verify_sweep q = {.at_a = *a, .at_b = *b, .clearance = clearance, .t_max = motion_last_time(t_max), .impact = result,
                    .proof = &proof, .steps = certificate->steps, .step_count = certificate->step_count};
  grz_moving_body_make(&q.a, a, motion_a);
  grz_moving_body_make(&q.b, b, motion_b);
  return turned_verify(&q);
}
