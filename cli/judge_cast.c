/* The judgement of answers about motion. */
#include "judge.h"

#include <math.h>
#include <string.h>

static const char compounds[] = "what proves the motion of compounds is not read in this version";

/* May the answer be other than that of a cast? */
static bool asks_sweep(const cli_request *q) {
  graze_method method = q->options.method;
  return cli_turns(&q->motion) || method == GRAZE_METHOD_SWEEP || method == GRAZE_METHOD_CA ||
         method == GRAZE_METHOD_DISCRETE;
}

/* Then no direction holds from the beginning to t_lower, and none is there: steps do, or nothing. */
static bool is_sweep(const cli_request *q, const cli_cast_claim *c) {
  bool sampled = q->options.method == GRAZE_METHOD_DISCRETE && c->starts == GRAZE_TOUCHING;
  return c->steps || (asks_sweep(q) && !c->free.given && (sampled || c->starts == GRAZE_SEPARATED));
}

/* What the numbers must be to one another, whatever is proved. */
static const char *inconsistency(const cli_request *q, const cli_cast_claim *c) {
  bool curved = cli_judge_curved(q) || cli_is_compound(&q->a) || cli_is_compound(&q->b);
  bool clear = c->result == GRAZE_CLEAR;
  if (c->result == GRAZE_POSSIBLE && !curved && !asks_sweep(q))
    return "possible, but neither shape is curved or a compound";
  if (c->starts == GRAZE_UNDECIDED && !curved)
    return "undecided at the start, but neither shape is curved or a compound";
  if (clear && (!isnan(c->t) || !isnan(c->t_lower) || !isnan(c->t_upper))) return "clear, but with a time of contact";
  if (!clear && (c->passing || !isnan(c->t_min))) return "not clear, but with a least distance";
  if (c->steps && c->starts != GRAZE_SEPARATED) return "steps, but not apart at the start";
  if (c->t < c->t_lower || c->t > c->t_upper) return "t is outside [t_lower, t_upper]";
  if (c->t_min < 0 || c->t_min > q->motion.t_max) return "t_min is outside the motion";
  return c->min_lower > c->min_upper ? "the least distance is an empty interval" : NULL;
}

/* The answer to a ray does not say how it starts: what hits later, or does not, starts outside. */
static graze_relation start_of(const cli_cast_claim *c) {
  if (c->starts) return c->starts;
  if (c->result == GRAZE_CLEAR || c->t_upper > 0) return GRAZE_SEPARATED;
  switch (c->relation.kind) {
  case GRAZE_CERTIFICATE_SEPARATED: return GRAZE_SEPARATED;
  case GRAZE_CERTIFICATE_TOUCH: return GRAZE_TOUCHING;
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_NEAR:
  case GRAZE_CERTIFICATE_INTERNAL_EDGE:
  case GRAZE_CERTIFICATE_HALFSPACE: return GRAZE_OVERLAPPING;
  default: return GRAZE_UNDECIDED;
  }
}

/* By which pairs of the line: those of the bracket, of the least distance, or of the contact at the start. */
static const cli_proof *pairs_of(const cli_cast_claim *c, graze_relation starts) {
  if (starts != GRAZE_SEPARATED) return &c->relation;
  return c->result == GRAZE_CLEAR ? &c->upper : &c->meets;
}

static graze_certificate certificate_of(const cli_cast_claim *c, const graze_direction *direction,
                                        const cli_proof *pairs) {
  graze_certificate certificate = {.kind = c->relation.kind, .direction = *direction};
  certificate.pair_count = pairs->pair_count;
  memcpy(certificate.pairs, pairs->pairs, sizeof certificate.pairs);
  certificate.vertex = c->relation.vertex;
  certificate.vertex_point = c->relation.vertex_point;
  memcpy(certificate.seam, c->relation.seam, sizeof certificate.seam);
  return certificate;
}

static graze_status verify_impact(const cli_request *q, const cli_cast_claim *c, const graze_cast_result *impact) {
  const cli_motion *m = &q->motion;
  const graze_placed *a = &q->a.placed, *b = &q->b.placed;
  if (c->steps || cli_turns(m)) return graze_verify_sweep(a, &m->a, b, &m->b, m->t_max, &q->options, impact);
  return graze_verify_cast(a, m->a.velocity, b, m->b.velocity, m->t_max, &q->options, impact);
}

/* The least distance of an impact, which sweeps do not tell. Where a cast does not say how near they come, any distance
 * will do; in touch there is but one. */
static void set_passing(const cli_request *q, const cli_cast_claim *c, double min_lower, graze_cast_result *impact) {
  impact->min_lower = impact->min_upper = impact->t_min = NAN;
  if (c->result != GRAZE_CLEAR || (asks_sweep(q) && !c->passing && isnan(c->t_min))) return;
  impact->min_lower = isnan(min_lower) ? 0 : min_lower;
  impact->min_upper = impact->starts == GRAZE_TOUCHING && !c->passing ? 0 : c->min_upper;
  impact->t_min = c->t_min;
}

static cli_verdict verify_by(const cli_request *q, const cli_cast_claim *c, graze_relation starts,
                             const graze_certificate *certificate, double min_lower, cli_error *reason) {
  graze_cast_result impact = {
      .result = c->result, .starts = starts, .t = c->t, .part_a = c->part_a, .part_b = c->part_b};
  impact.t_lower = c->t_lower;
  impact.t_upper = c->t_upper;
  set_passing(q, c, min_lower, &impact);
  impact.algorithm = is_sweep(q, c) ? GRAZE_ALGORITHM_SWEEP : GRAZE_ALGORITHM_FCCD;
  impact.certificate = *certificate;
  impact.steps = c->steps;
  impact.step_count = c->step_count;
  graze_status status = verify_impact(q, c, &impact);
  if (status == GRAZE_UNSUPPORTED && (cli_is_compound(&q->a) || cli_is_compound(&q->b)))
    return cli_judge_unproven(reason, compounds);
  return cli_judge_status(status, CLI_UNPROVEN, reason);
}

/* How they start, by a direction of its own. */
static cli_verdict verify_start(const cli_request *q, const cli_cast_claim *c, graze_relation starts,
                                cli_error *reason) {
  graze_answer answer = {.relation = starts, .distance = NAN, .lower = NAN, .upper = NAN};
  if (starts == GRAZE_TOUCHING) answer.distance = answer.lower = answer.upper = 0;
  answer.certificate = certificate_of(c, &c->relation.direction, &c->relation);
  answer.part_a = c->part_a;
  answer.part_b = c->part_b;
  return cli_judge_status(graze_verify(&q->a.placed, &q->b.placed, &q->options, &answer), CLI_REFUSED, reason);
}

/* The contact with a half-space shows its vertex by itself. The steps show how they start; where the line does, too, it
 * must be right. */
static cli_verdict verify_steps(const cli_request *q, const cli_cast_claim *c, cli_error *reason) {
  if (c->result == GRAZE_HIT && !c->meets.given) return cli_judge_unproven(reason, "nothing shows the contact");
  cli_verdict start = c->relation.given ? verify_start(q, c, c->starts, reason) : CLI_VERIFIED;
  graze_certificate certificate = certificate_of(c, &c->relation.direction, &c->meets);
  if (c->meets.kind == GRAZE_CERTIFICATE_HALFSPACE) {
    certificate.kind = GRAZE_CERTIFICATE_HALFSPACE;
    certificate.vertex = c->meets.vertex;
    certificate.vertex_point = c->meets.vertex_point;
  }
  return cli_judge_worse(start, verify_by(q, c, c->starts, &certificate, NAN, reason));
}

/* Without steps there is only how they start. */
static cli_verdict verify_sweep(const cli_request *q, const cli_cast_claim *c, cli_error *reason) {
  if (c->steps) return verify_steps(q, c, reason);
  if (verify_start(q, c, c->starts, reason) == CLI_REFUSED) return CLI_REFUSED;
  if (q->options.method == GRAZE_METHOD_DISCRETE)
    return cli_judge_unproven(reason, "samples show nothing about the time between them");
  if (cli_is_compound(&q->a) || cli_is_compound(&q->b)) return cli_judge_unproven(reason, compounds);
  return cli_judge_unproven(reason, "no steps, which prove a sweep: ask by auto or sweep, with \"proof\":true");
}

static cli_verdict verify_along(const cli_request *q, const cli_cast_claim *c, graze_relation starts,
                                const graze_direction *direction, double min_lower, cli_error *reason) {
  const graze_certificate certificate = certificate_of(c, direction, pairs_of(c, starts));
  return verify_by(q, c, starts, &certificate, min_lower, reason);
}

/* The parts may show different directions: for the start, until when nothing is met, and for the least distance. Each
 * is then verified by itself. */
static cli_verdict verify_with(const cli_request *q, const cli_cast_claim *c, graze_relation starts,
                               cli_error *reason) {
  const graze_direction *start = &c->relation.direction, *near = &c->lower.direction;
  if (is_sweep(q, c)) return verify_sweep(q, c, reason);
  const graze_direction *free = c->free.direction.form ? &c->free.direction : near->form ? near : start;
  if (near->form == GRAZE_DIRECTION_NONE) near = free;
  bool same_start = start->form == GRAZE_DIRECTION_NONE || memcmp(start, free, sizeof *start) == 0;
  bool same_near = memcmp(near, free, sizeof *near) == 0;
  cli_verdict verdict = verify_along(q, c, starts, free, same_near ? c->min_lower : NAN, reason);
  if (!same_start) verdict = cli_judge_worse(verdict, verify_start(q, c, starts, reason));
  if (!same_near) verdict = cli_judge_worse(verdict, verify_along(q, c, starts, near, c->min_lower, reason));
  return verdict;
}

/* A ray may start in a half-space or on it: one certificate shows both. */
static cli_verdict verify_claim(const cli_request *q, const cli_cast_claim *c, cli_error *reason) {
  graze_relation starts = start_of(c);
  if (starts == GRAZE_UNDECIDED && c->result != GRAZE_CLEAR)
    return cli_judge_unproven(reason, "nothing shows how they start");
  cli_verdict verdict = verify_with(q, c, starts, reason);
  bool on = c->starts == 0 && starts == GRAZE_OVERLAPPING && c->relation.kind == GRAZE_CERTIFICATE_HALFSPACE;
  if (verdict == CLI_REFUSED && on) verdict = verify_with(q, c, GRAZE_TOUCHING, reason);
  if (verdict == CLI_VERIFIED) *reason = (cli_error){CLI_FINE, ""};
  return verdict;
}

static cli_verdict judge_claim(cli_request *q, const json_t *root, const cli_cast_claim *c, cli_error *reason) {
  const char *fault = inconsistency(q, c);
  bool bracket = !isnan(c->t) && !isnan(c->t_lower) && !isnan(c->t_upper);
  if (fault) return cli_judge_refused(reason, fault);
  if (!cli_judge_rotations(q, root))
    return cli_judge_refused(reason, "the rotation is not the half-angle pair of the question's angle");
  if (!c->certificate) return cli_judge_unproven(reason, "no certificate");
  cli_verdict verdict = cli_judge_pieces(q, c->pieces_a, c->pieces_b, reason);
  if (verdict != CLI_VERIFIED) return verdict;
  if (c->result != GRAZE_CLEAR && !bracket) return cli_judge_unproven(reason, "no bracket of the time");
  verdict = verify_claim(q, c, reason);
  bool told = q->query != CLI_SHAPECAST || is_sweep(q, c) || !isnan(c->min_lower);
  if (verdict == CLI_VERIFIED && c->result == GRAZE_CLEAR && !told)
    return cli_judge_unproven(reason, "no least distance");
  return verdict;
}

cli_verdict cli_judge_cast(cli_request *q, const json_t *root, cli_error *reason) {
  cli_cast_claim claim;
  cli_verdict verdict = CLI_UNPROVEN;
  if (cli_cast_claim_read(root, q->dim, q->query == CLI_RAYCAST, &claim, reason))
    verdict = judge_claim(q, root, &claim, reason);
  else if (reason->code != CLI_OUT_OF_MEMORY)
    verdict = CLI_REFUSED;
  cli_cast_claim_free(&claim);
  return verdict;
}
