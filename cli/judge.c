/* The judgement of one answer line. */
#include "judge.h"

#include "pieces.h"

#include <math.h>
#include <string.h>

const char *cli_verdict_text(cli_verdict verdict) {
  static const char *const texts[] = {"verified", "unproven", "refused", "error"};
  return texts[verdict];
}

cli_verdict cli_judge_refused(cli_error *reason, const char *message) {
  cli_reject(reason, CLI_BAD_JSON, "%s", message);
  return CLI_REFUSED;
}

cli_verdict cli_judge_unproven(cli_error *reason, const char *message) {
  cli_reject(reason, CLI_BAD_JSON, "%s", message);
  return CLI_UNPROVEN;
}

cli_verdict cli_judge_status(graze_status status, cli_verdict fallback, cli_error *reason) {
  if (status == GRAZE_OK) return CLI_VERIFIED;
  cli_reject(reason, CLI_BAD_JSON, "%s", graze_status_text(status));
  return status == GRAZE_REFUTED ? CLI_REFUSED : status == GRAZE_UNPROVEN ? CLI_UNPROVEN : fallback;
}

/* Pairs that an answer echoes must be the half-angle pairs of the question's angles. */
static bool same_rotation(const json_t *pair, const cli_body *body) {
  if (!body->angle_given || pair == NULL) return true;
  return json_array_size(pair) == 2 && json_is_number(json_array_get(pair, 0)) &&
         json_is_number(json_array_get(pair, 1)) && json_number_value(json_array_get(pair, 0)) == body->placed.pose.w &&
         json_number_value(json_array_get(pair, 1)) == body->placed.pose.z;
}

static bool same_rotations(const json_t *root, const char *key, const char *part_key, const cli_body *body) {
  const json_t *list = json_object_get(root, part_key);
  if (!same_rotation(json_object_get(root, key), body)) return false;
  if (list == NULL) return true;
  if (!json_is_array(list) || json_array_size(list) != body->part_count) return false;
  for (size_t i = 0; i < body->part_count; i++)
    if (!same_rotation(json_array_get(list, i), &body->parts[i])) return false;
  return true;
}

/* Puts a certificate together from the parts of the line and has it verified. */
static cli_verdict verify_with(const cli_request *q, const cli_claim *claim, const graze_direction *direction,
                               const cli_proof *pairs, double lower, double upper, cli_error *reason) {
  graze_answer answer = {.relation = claim->relation, .distance = NAN, .lower = lower, .upper = upper};
  if (claim->relation == GRAZE_TOUCHING) answer.distance = answer.lower = answer.upper = 0; /* touching says so */
  graze_certificate *c = &answer.certificate;
  c->kind = claim->relation_proof.kind;
  c->direction = *direction;
  c->pair_count = pairs->pair_count;
  memcpy(c->pairs, pairs->pairs, sizeof c->pairs);
  c->vertex = claim->relation_proof.vertex;
  c->vertex_point = claim->relation_proof.vertex_point;
  memcpy(c->seam, claim->relation_proof.seam, sizeof c->seam);
  answer.part_a = claim->part_a;
  answer.part_b = claim->part_b;
  answer.parts = claim->parts;
  answer.part_count = claim->part_count;
  if (!isnan(upper)) c->depth_proof = claim->upper_proof.depth_proof;
  if (c->depth_proof == GRAZE_DEPTH_BY_SURFACE) c->surface = &claim->upper_proof.surface;
  graze_status status = graze_verify(&q->a.placed, &q->b.placed, &q->options, &answer);
  return cli_judge_status(status, CLI_REFUSED, reason);
}

/* The parts may show different directions and pairs for the relation and the bounds; each is then verified by itself,
 * together with the relation. */
static cli_verdict verify_claim(const cli_request *q, const cli_claim *claim, cli_error *reason) {
  const cli_proof *relation = &claim->relation_proof, *lower = &claim->lower_proof, *upper = &claim->upper_proof;
  bool own_lower = lower->direction.form != GRAZE_DIRECTION_NONE, own_upper = upper->pairs_given;
  const graze_direction *low_direction = own_lower ? &lower->direction : &relation->direction;
  const graze_direction *direction = relation->direction.form ? &relation->direction : low_direction;
  const cli_proof *high_pairs = own_upper ? upper : relation, *pairs = relation->pairs_given ? relation : high_pairs;
  bool same_lower = memcmp(direction, low_direction, sizeof *direction) == 0;
  bool same_upper =
      pairs->pair_count == high_pairs->pair_count && memcmp(pairs->pairs, high_pairs->pairs, sizeof pairs->pairs) == 0;
  cli_verdict verdict =
      verify_with(q, claim, direction, pairs, same_lower ? claim->lower : NAN, same_upper ? claim->upper : NAN, reason);
  if (!same_lower)
    verdict = cli_judge_worse(verdict, verify_with(q, claim, low_direction, pairs, claim->lower, NAN, reason));
  if (!same_upper)
    verdict = cli_judge_worse(verdict, verify_with(q, claim, direction, high_pairs, NAN, claim->upper, reason));
  return verdict;
}

bool cli_judge_rotations(const cli_request *q, const json_t *root) {
  return same_rotations(root, "rotation_a", "part_rotations_a", &q->a) &&
         same_rotations(root, "rotation_b", "part_rotations_b", &q->b);
}

static bool is_not_zero(double x) { return !isnan(x) && x != 0; }

static bool is_curved(const cli_body *body) {
  graze_shape_kind kind = body->placed.shape.kind;
  for (size_t i = 0; i < body->part_count; i++)
    if (is_curved(&body->parts[i])) return true; /* parts have none */
  return kind == GRAZE_ELLIPSOID || kind == GRAZE_CYLINDER || kind == GRAZE_CONE;
}

bool cli_judge_curved(const cli_request *q) { return is_curved(&q->a) || is_curved(&q->b); }

/* What the numbers must be to one another, whatever is proved. Comparisons with what is not there (NaN) are false. */
static const char *inconsistency(const cli_request *q, const cli_claim *c) {
  if (c->lower > c->upper) return "lower is above upper";
  if (c->distance < c->lower || c->distance > c->upper) return "distance is outside [lower, upper]";
  if (c->relation == GRAZE_SEPARATED && (c->distance <= 0 || c->lower < 0)) return "separated, but not by a gap";
  bool seam = c->relation_proof.kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; /* shows no depth */
  if (c->relation == GRAZE_OVERLAPPING && (c->distance > 0 || (c->distance == 0 && !seam) || c->upper > 0))
    return "overlapping, but with a gap";
  if (c->relation == GRAZE_TOUCHING && (is_not_zero(c->distance) || is_not_zero(c->lower) || is_not_zero(c->upper)))
    return "touching, but not at distance 0";
  if (c->relation == GRAZE_UNDECIDED && !q->filter && !cli_judge_curved(q))
    return "undecided, but neither shape is curved";
  if (!c->cutoff) return NULL;
  if (isinf(q->options.max_distance)) return "cut off, but no max_distance was asked";
  if (!(c->lower >= q->options.max_distance)) return "cut off before max_distance";
  if (!isnan(c->distance) || !isnan(c->upper)) return "cut off, but with a distance or an upper bound";
  return NULL;
}

cli_verdict cli_judge_pieces(cli_request *q, const json_t *pieces_a, const json_t *pieces_b, cli_error *reason) {
  cli_verdict a = q->a.concave ? cli_take_pieces(pieces_a, "pieces_a", &q->a, reason) : CLI_VERIFIED;
  if (a != CLI_VERIFIED || !q->b.concave) return a;
  return cli_take_pieces(pieces_b, "pieces_b", &q->b, reason);
}

static cli_verdict judge_claim(cli_request *q, const json_t *root, const cli_claim *claim, cli_error *reason) {
  const char *fault = inconsistency(q, claim);
  if (fault) return cli_judge_refused(reason, fault);
  if (!cli_judge_rotations(q, root))
    return cli_judge_refused(reason, "the rotation is not the half-angle pair of the question's angle");
  if (!claim->certificate) return cli_judge_unproven(reason, "no certificate");
  cli_verdict verdict = cli_judge_pieces(q, claim->pieces_a, claim->pieces_b, reason);
  if (verdict != CLI_VERIFIED) return verdict;
  verdict = verify_claim(q, claim, reason);
  bool interval = !isnan(claim->lower) && (!isnan(claim->upper) || claim->cutoff);
  if (verdict == CLI_VERIFIED && cli_query_has_distance(q->query) && !q->filter && !interval)
    return cli_judge_unproven(reason, "no interval");
  if (verdict == CLI_VERIFIED && !isnan(claim->distance) && !interval && claim->relation != GRAZE_TOUCHING)
    return cli_judge_unproven(reason, "a distance without an interval");
  return verdict;
}

static cli_verdict judge_pair(cli_request *q, const json_t *root, cli_error *reason) {
  cli_claim claim;
  cli_verdict verdict = CLI_UNPROVEN;
  if (cli_claim_read(root, q->dim, &claim, reason))
    verdict = judge_claim(q, root, &claim, reason);
  else if (reason->code != CLI_OUT_OF_MEMORY)
    verdict = CLI_REFUSED;
  cli_claim_free(&claim);
  return verdict;
}

/* Where the pieces are right, nothing shows yet how many there must be, and the area. */
static cli_verdict judge_decompose(const cli_request *q, const json_t *root, cli_error *reason) {
  cli_verdict verdict = cli_check_pieces(json_object_get(root, "pieces"), "pieces", &q->a, reason);
  return verdict == CLI_VERIFIED
             ? cli_judge_unproven(reason, "the pieces are the polygon; area and fewest have no certificate")
             : verdict;
}

static cli_verdict judge_answer(const cli_line *question, const json_t *root, cli_span answer_id,
                                cli_error *reason) {
  const graze_options defaults = graze_default_options();
  cli_request q;
  cli_error complaint;
  if (!cli_request_read(question, &defaults, &q, &complaint)) {
    bool foreign = complaint.code == CLI_UNSUPPORTED;
    cli_reject(reason, CLI_BAD_JSON, "%s: %s", foreign ? "cannot be judged" : "an answer to a bad question",
               complaint.message);
    return foreign ? CLI_UNPROVEN : CLI_REFUSED;
  }
  const char *query = json_string_value(json_object_get(root, "query"));
  cli_verdict verdict;
  if (!cli_json_same_id(q.id, answer_id))
    verdict = cli_judge_refused(reason, "the answer has another id");
  else if (query == NULL)
    verdict = cli_judge_refused(reason, "the answer does not say to which query");
  else if (strcmp(query, cli_query_text(q.query)) != 0)
    verdict = cli_judge_refused(reason, "the answer to another query");
  else if (q.query == CLI_DECOMPOSE)
    verdict = judge_decompose(&q, root, reason);
  else if (cli_query_has_motion(q.query))
    verdict = cli_judge_cast(&q, root, reason);
  else if (cli_query_has_one_shape(q.query))
    verdict = cli_judge_unproven(reason, "answers about one shape have no certificate");
  else if (q.query == CLI_MINKOWSKI)
    verdict = cli_judge_unproven(reason, "a Minkowski set has no certificate");
  else
    verdict = judge_pair(&q, root, reason);
  cli_request_free(&q);
  return verdict;
}

/* An error line claims nothing, but it must say what was wrong. */
static cli_verdict judge_error(const json_t *error, cli_error *reason) {
  if (json_is_string(json_object_get(error, "code")) && json_is_string(json_object_get(error, "message")))
    return CLI_ERROR;
  return cli_judge_refused(reason, "an error without a code and a message");
}

cli_verdict cli_judge(const cli_line *question, const cli_line *answer, cli_span *id, cli_error *reason) {
  *id = cli_json_id(question->text);
  *reason = (cli_error){CLI_FINE, ""};
  json_t *root = answer->too_long ? NULL : cli_json_line(answer->text, reason);
  if (root == NULL) return answer->too_long ? cli_judge_refused(reason, "the line is longer than 64 MiB") : CLI_REFUSED;
  const json_t *error = json_object_get(root, "error");
  cli_verdict verdict =
      error ? judge_error(error, reason) : judge_answer(question, root, cli_json_id(answer->text), reason);
  json_decref(root);
  return verdict;
}
