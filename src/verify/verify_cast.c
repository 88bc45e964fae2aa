/* The verifier of motions. At a moment, and over an interval, two moving bodies are a pair like any other: the obstacle
 * is A - B there, or what it sweeps. docs/theory/cast.md. */
#include "verify/motion.h"

#include "verify/compound.h"
#include "shape/motion.h"

typedef struct verify_cast {
  graze_placed a, b;
  double clearance, t_max;
  const graze_cast_result *impact;
  const grz_proof *proof;
} verify_cast;

/* The claim of the impact's certificate about the interval. */
static graze_status cast_read(verify_cast *q, grz_check *claim, grz_arena *arena, const grz_proof *certificate,
                              double from, double to) {
  moving_between(&q->a, &q->b, from, to);
  arena->used = 0;
  return grz_check_parse(claim, arena, &q->a, &q->b, q->clearance, certificate);
}

/* They meet at 0, as `starts` says. */
static graze_status cast_meets_at_once(verify_cast *q, grz_arena *arena) {
  grz_check claim;
  if (q->impact->t_upper != 0) return GRAZE_REFUTED;
  graze_status status = cast_read(q, &claim, arena, q->proof, 0, 0);
  return status == GRAZE_OK ? grz_check_relation(&claim, q->impact->start_relation) : status;
}

/* Nothing before: the direction separates at both ends. */
static graze_status cast_free(verify_cast *q, grz_arena *arena, double to) {
  grz_check claim;
  grz_proof certificate = *q->proof;
  certificate.pair_count = 0;
  graze_status status = cast_read(q, &claim, arena, &certificate, 0, to);
  return status == GRAZE_OK ? grz_check_relation(&claim, GRAZE_SEPARATED) : status;
}

/* Something in the bracket: no point of the hull of the pairs, each at its end, is farther than r. */
static graze_status cast_meets(verify_cast *q, grz_arena *arena) {
  grz_check claim;
  grz_proof certificate = *q->proof;
  if (certificate.kind != GRAZE_CERTIFICATE_HALFSPACE) certificate.kind = GRAZE_CERTIFICATE_SEPARATED;
  certificate.direction = (grz_direction){.form = GRAZE_DIRECTION_NONE};
  graze_status status = cast_read(q, &claim, arena, &certificate, q->impact->t_lower, q->impact->t_upper);
  if (status != GRAZE_OK) return status;
  return claim.count > 0 ? grz_check_upper(&claim, GRAZE_TOUCHING, 0) : GRAZE_UNPROVEN;
}

static graze_status cast_verify_hit(verify_cast *q, grz_arena *arena) {
  const graze_cast_result *impact = q->impact;
  bool ordered = impact->t_lower >= 0 && impact->t_lower <= impact->t_upper && impact->t_upper <= q->t_max;
  if (!ordered || impact->t != impact->t_lower) return GRAZE_REFUTED;
  const bool open = impact->start_relation == GRAZE_UNDECIDED || impact->outcome == GRAZE_POSSIBLE;
  if (open && impact->start_relation != GRAZE_SEPARATED) return GRAZE_UNPROVEN;
  if (impact->start_relation != GRAZE_SEPARATED) return cast_meets_at_once(q, arena);
  graze_status status = cast_free(q, arena, impact->t_lower);
  if (impact->outcome == GRAZE_POSSIBLE) return grz_check_weaker(status, GRAZE_UNPROVEN);
  return grz_check_weaker(status, cast_meets(q, arena));
}

/* Clear from a touch on: what holds the origin does so at the beginning, and along the direction nothing ever passes
 * it.
 */
static graze_status cast_stays_in_touch(verify_cast *q, grz_arena *arena, grz_check *claim) {
  const graze_cast_result *impact = q->impact;
  const grz_proof *c = q->proof;
  const bool rounded = claim->reading.radius.sign > 0; /* then the pairs of the direction hold it */
  const grz_pair *pair = rounded ? c->direction.pairs : c->pairs;
  if (!(impact->min_lower == 0 && impact->min_upper == 0)) return GRAZE_REFUTED;
  graze_status status = grz_check_relation(claim, GRAZE_TOUCHING);
  if (status != GRAZE_OK) return status;
  if (claim->plane) status = cast_read(q, claim, arena, c, 0, 0);
  if (claim->plane) return status == GRAZE_OK ? grz_check_relation(claim, GRAZE_TOUCHING) : status;
  for (int i = 0; i < claim->count; i++)
    if (pair[i].end != 0) return GRAZE_REFUTED;
  return GRAZE_OK;
}

/* The swept obstacle, whole. Where no upper bound is claimed the pairs show nothing. */
static graze_status cast_verify_clear(verify_cast *q, grz_arena *arena) {
  grz_check claim;
  const graze_cast_result *impact = q->impact;
  const double lower = impact->min_lower, upper = impact->min_upper;
  grz_proof certificate = *q->proof;
  if (upper != upper) certificate.pair_count = 0;
  const double end = impact->start_relation == GRAZE_TOUCHING ? MOVING_TOUCH_END : q->t_max;
  graze_status status = cast_read(q, &claim, arena, &certificate, 0, end);
  if (status != GRAZE_OK) return status;
  if (impact->start_relation == GRAZE_TOUCHING) return cast_stays_in_touch(q, arena, &claim);
  if (impact->start_relation != GRAZE_SEPARATED || lower < 0 || lower > GRZ_FARTHEST || upper <= 0) return GRAZE_REFUTED;
  status = grz_check_weaker(grz_check_relation(&claim, GRAZE_SEPARATED), grz_check_lower(&claim, lower));
  if (upper == upper) status = grz_check_weaker(status, grz_check_upper(&claim, GRAZE_SEPARATED, upper));
  return grz_check_weaker(status, lower == lower ? GRAZE_OK : GRAZE_UNPROVEN);
}

/* Numbers that an impact of this result does not have are NaN; times lie in the motion. */
static bool cast_is_consistent(const verify_cast *q) {
  const graze_cast_result *impact = q->impact;
  const bool no_time =
      impact->t != impact->t && impact->t_lower != impact->t_lower && impact->t_upper != impact->t_upper;
  const bool no_passing = impact->min_lower != impact->min_lower && impact->min_upper != impact->min_upper &&
                          impact->t_min != impact->t_min;
  if (impact->outcome != GRAZE_CLEAR) return no_passing;
  return no_time && !(impact->t_min < 0 || impact->t_min > q->t_max || impact->min_lower > impact->min_upper);
}

static graze_status cast_verify(grz_arena *arena, void *context) {
  verify_cast *q = context;
  if (!cast_is_consistent(q)) return GRAZE_REFUTED;
  switch ((int)q->impact->outcome) {
  case GRAZE_HIT:
  case GRAZE_POSSIBLE: return cast_verify_hit(q, arena);
  case GRAZE_CLEAR: return cast_verify_clear(q, arena);
  default: return GRAZE_REFUTED;
  }
}

graze_status grz_verify_linear_cast(const graze_placed *a, graze_vec velocity_a, const graze_placed *b,
                                    graze_vec velocity_b, double t_max, double clearance,
                                    const graze_cast_result *impact, const grz_proof *proof) {
  verify_cast q = {.a = *a, .b = *b, .clearance = clearance, .t_max = motion_last_time(t_max), .impact = impact, .proof = proof};
  q.a.hidden.velocity = velocity_a, q.b.hidden.velocity = velocity_b;
  return grz_check_in_arena(cast_verify, &q);
}
