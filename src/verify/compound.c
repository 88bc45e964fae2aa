/* Checks complete answers about convex shapes and compounds: graze_verify().
 *
 * One certificate proves every statement about two convex shapes. A compound is the union of its parts. For a compound,
 * one pair of parts proves that the shapes are near: the relation `overlapping` or `touching`, and `upper`. The
 * certificates of all pairs prove that they are not nearer: `separated`, `touching` and `lower`.
 * Proofs: docs/theory/certificates.md, "Compounds". */
#include "verify/verify.h"

#include "core/status.h"

#include <string.h>

enum { COMPOUND_WORDS = 4096 }; /* of the bit set: a pass over the certificates covers 64 pairs per word */

typedef struct compound_check {
  const graze_placed *a, *b;
  double clearance;
  const graze_answer *answer;
  const graze_certificate *whole; /* of the compounds */
  int32_t part_a, part_b;         /* the pair to check */
  const grz_proof *proof;         /* of this pair */
} compound_check;

/* ---- Convex shapes. */

static graze_status convex_check(grz_arena *arena, void *context) {
  const compound_check *q = context;
  const graze_answer *answer = q->answer;
  grz_check c;
  const graze_status parsed = grz_check_parse(&c, arena, q->a, q->b, q->clearance, q->proof);
  if (parsed != GRAZE_OK) return parsed;
  const graze_status relation = grz_check_relation(&c, answer->relation);
  if (!grz_check_is_consistent(answer, c.certificate->kind)) return GRAZE_REFUTED;
  if (answer->relation == GRAZE_TOUCHING) return relation; /* the relation implies that all three numbers are 0 */
  const graze_status lower = grz_check_lower(&c, answer->lower);
  const graze_status bounds = grz_check_weaker(lower, grz_check_upper(&c, answer->relation, answer->upper));
  const graze_status complete = grz_check_is_complete(answer) ? GRAZE_OK : GRAZE_UNPROVEN;
  return grz_check_weaker(relation, grz_check_weaker(bounds, complete));
}

graze_status grz_verify_pair(const graze_placed *a, const graze_placed *b, double clearance, const graze_answer *answer,
                             const grz_proof *proof) {
  compound_check q = {.a = a, .b = b, .clearance = clearance, .answer = answer, .proof = proof};
  return grz_check_in_arena(convex_check, &q);
}

/* ---- Compounds. */

/* Whether the certificate states that one body is inside the other. */
static bool compound_is_inside(const compound_check *q) {
  return q->proof->kind == GRAZE_CERTIFICATE_IN_A || q->proof->kind == GRAZE_CERTIFICATE_IN_B;
}

/* The named pair must prove the relation and `upper`. Its direction bounds only this pair, so it need not prove
 * `lower`; but it must not contradict `lower`. */
static graze_status compound_check_named_pair(grz_arena *arena, void *context) {
  const compound_check *q = context;
  const graze_answer *answer = q->answer;
  if (q->proof->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) { /* proves an overlap, and no depth */
    if (answer->relation != GRAZE_OVERLAPPING) return GRAZE_REFUTED;
    const graze_status status = grz_verify_internal_edge(arena, q->a, q->b, q->clearance, q->proof);
    return grz_check_weaker(status, answer->upper < 0 ? GRAZE_UNPROVEN : GRAZE_OK);
  }
  if (compound_is_inside(q)) { /* the frontier proves `upper` */
    if (answer->relation != GRAZE_OVERLAPPING) return GRAZE_REFUTED;
    return grz_verify_containment(arena, q->a, q->part_a, q->b, q->part_b, q->proof);
  }
  grz_check c;
  graze_frame frame_a, frame_b;
  const graze_placed a = graze_part(q->a, (size_t)q->part_a, &frame_a),
                     b = graze_part(q->b, (size_t)q->part_b, &frame_b);
  const graze_status parsed = grz_check_parse(&c, arena, &a, &b, q->clearance, q->proof);
  if (parsed != GRAZE_OK) return parsed;
  const graze_status relation = grz_check_relation(&c, answer->relation);
  if (answer->relation == GRAZE_TOUCHING) return relation;
  const graze_status lower = grz_check_lower(&c, answer->lower);
  const graze_status upper = grz_check_upper(&c, answer->relation, answer->upper);
  return grz_check_weaker(grz_check_weaker(relation, upper), lower == GRAZE_REFUTED ? lower : GRAZE_OK);
}

/* Each certificate of the list must prove the relation of its pair, and that the pair is not nearer than the answer. */
static graze_status compound_check_pair(grz_arena *arena, void *context) {
  const compound_check *q = context;
  const graze_answer *answer = q->answer;
  grz_check c;
  graze_frame frame_a, frame_b;
  const graze_placed a = graze_part(q->a, (size_t)q->part_a, &frame_a),
                     b = graze_part(q->b, (size_t)q->part_b, &frame_b);
  graze_status status = grz_check_parse(&c, arena, &a, &b, q->clearance, q->proof);
  if (status != GRAZE_OK) return status;
  const int kind = grz_check_kind(&c);
  if (kind == 0) return GRAZE_REFUTED;
  const graze_relation relation = (graze_relation)kind;
  status = grz_check_relation(&c, relation);
  if (status != GRAZE_OK) return status;

  if (answer->relation == GRAZE_SEPARATED && relation != GRAZE_SEPARATED)
    return relation == GRAZE_UNDECIDED ? GRAZE_UNPROVEN : GRAZE_REFUTED;
  if (answer->relation == GRAZE_TOUCHING) {
    if (relation == GRAZE_UNDECIDED) return GRAZE_UNPROVEN;
    if (relation == GRAZE_OVERLAPPING) return GRAZE_REFUTED;
    if (relation == GRAZE_TOUCHING && c.exact.radius.sign == 0)
      return grz_verify_off_internal_edges(arena, q->a, q->b, q->part_a, q->part_b);
  }
  const bool implied = (relation == GRAZE_SEPARATED || relation == GRAZE_TOUCHING) && answer->lower <= 0;
  return implied ? GRAZE_OK : grz_check_lower(&c, answer->lower);
}

/* Returns whether every pair of parts occurs exactly once. Precondition: the number of pairs is right. */
static bool compound_is_complete(const graze_certificate *whole, uint64_t count_a, uint64_t count_b) {
  uint64_t seen[COMPOUND_WORDS];
  const uint64_t block = 64 * COMPOUND_WORDS, all = count_a * count_b;

  /* Solvers write the pairs row by row. For this order one pass without the bit set suffices. */
  bool in_order = true;
  for (size_t i = 0; i < whole->part_count && in_order; i++) {
    const int32_t a = whole->parts[i].part_a, b = whole->parts[i].part_b;
    in_order = a >= 0 && b >= 0 && (uint64_t)a == i / count_b && (uint64_t)b == i % count_b;
  }
  if (in_order) return true;

  for (uint64_t from = 0; from < all; from += block) {
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < whole->part_count; i++) {
      const int32_t a = whole->parts[i].part_a, b = whole->parts[i].part_b;
      if (a < 0 || (uint64_t)a >= count_a || b < 0 || (uint64_t)b >= count_b) return false;
      const uint64_t at = (uint64_t)a * count_b + (uint64_t)b - from; /* wraps around for pairs before `from` */
      if (at >= block) continue;
      const uint64_t bit = UINT64_C(1) << at % 64;
      if (seen[at / 64] & bit) return false;
      seen[at / 64] |= bit;
    }
  }
  return true;
}

static graze_status compound_check_all_pairs(compound_check *q) {
  const graze_certificate *whole = q->whole;
  const uint64_t count_a = graze_part_count(q->a), count_b = graze_part_count(q->b);
  if (whole->part_count != count_a * count_b || !compound_is_complete(whole, count_a, count_b)) return GRAZE_REFUTED;
  graze_status status = GRAZE_OK;
  for (size_t i = 0; i < whole->part_count && status != GRAZE_REFUTED; i++) {
    grz_proof proof;
    if (!grz_proof_read(&whole->parts[i].certificate, &proof)) return GRAZE_REFUTED;
    q->part_a = whole->parts[i].part_a, q->part_b = whole->parts[i].part_b;
    q->proof = &proof;
    status = grz_check_weaker(status, grz_check_in_arena(compound_check_pair, q));
  }
  return status;
}

/* One direction that separates the convex hulls of the bodies proves that no pair of parts is nearer, and that no body
 * is inside the other. It also proves `lower` of an overlap: moving B along it ends the overlap. If the certificate has
 * no vector, it is the normal of the answer. */
static graze_status compound_check_hulls(const compound_check *q) {
  const graze_answer *answer = q->answer;
  const bool given = q->proof->direction.form == GRAZE_DIRECTION_VECTOR;
  graze_frontier_node node = {GRAZE_FRONTIER_DIRECTION, given ? q->proof->direction.vector : answer->normal};
  const graze_frontier hulls = {.nodes = &node, .node_count = 1};
  const double lower = answer->relation == GRAZE_TOUCHING ? 0 : answer->lower;
  const grz_frontier_check check = {.a = q->a,
                                    .b = q->b,
                                    .clearance = q->clearance,
                                    .relation = answer->relation,
                                    .lower = lower,
                                    .frontier = &hulls};
  if (q->a->shape.kind == GRAZE_COMPOUND || q->b->shape.kind == GRAZE_COMPOUND) return GRAZE_UNPROVEN;
  return grz_verify_frontier(&check) == GRAZE_OK ? GRAZE_OK : GRAZE_UNPROVEN;
}

/* ---- Frontiers. */

static graze_status compound_check_frontier_pair(void *context, size_t index, int32_t part_a, int32_t part_b) {
  compound_check q = *(const compound_check *)context;
  const graze_part_proof *part = &q.whole->parts[index];
  grz_proof proof;
  if (q.whole->parts == NULL || index >= q.whole->part_count || part->part_a != part_a || part->part_b != part_b ||
      !grz_proof_read(&part->certificate, &proof))
    return GRAZE_REFUTED;
  q.part_a = part_a, q.part_b = part_b, q.proof = &proof;
  return grz_check_in_arena(compound_check_pair, &q);
}

/* Two bodies whose parts are separated, or touch: neither is inside the other. */
static graze_status compound_check_outside(grz_arena *arena, void *context) {
  const compound_check *q = context;
  const bool solid_a = grz_is_solid_mesh(&q->a->shape), solid_b = grz_is_solid_mesh(&q->b->shape);
  const bool touches = q->answer->relation == GRAZE_TOUCHING;
  const graze_status of_b = solid_a ? grz_verify_outside(arena, q->a, q->b, touches) : GRAZE_OK;
  const graze_status of_a = solid_b ? grz_verify_outside(arena, q->b, q->a, touches) : GRAZE_OK;
  return grz_check_weaker(of_a, of_b);
}

static bool compound_has_solid(const compound_check *q) {
  return grz_is_solid_mesh(&q->a->shape) || grz_is_solid_mesh(&q->b->shape);
}

/* Checks whether bounds of all pairs of parts suffice for solids. The depth of a solid is not that of its parts, and
 * touching surfaces can enter each other. */
static graze_status compound_check_solids(compound_check *q) {
  if (!compound_has_solid(q)) return GRAZE_OK;
  const bool decided = q->answer->relation == GRAZE_SEPARATED || q->answer->relation == GRAZE_TOUCHING;
  return decided ? grz_check_in_arena(compound_check_outside, q) : GRAZE_UNPROVEN;
}

/* Checks a frontier, which states that the parts are as distant as the answer states. If a body is inside a solid, it
 * states that the parts are separated by at least -upper. */
static graze_status compound_check_frontier(compound_check *q) {
  const bool inside = compound_is_inside(q);
  const graze_answer *answer = q->answer;
  graze_answer parts = *answer;
  if (inside) parts.relation = GRAZE_SEPARATED, parts.lower = -answer->upper;
  if (answer->relation == GRAZE_TOUCHING) parts.lower = 0;
  compound_check of_pairs = *q;
  of_pairs.answer = &parts;
  const grz_frontier_check check = {.a = q->a,
                                    .b = q->b,
                                    .clearance = q->clearance,
                                    .relation = parts.relation,
                                    .lower = parts.lower,
                                    .frontier = q->whole->frontier,
                                    .check_pair = compound_check_frontier_pair,
                                    .context = &of_pairs};
  const graze_status status = grz_verify_frontier(&check);
  return status != GRAZE_OK || inside ? status : compound_check_solids(q);
}

static graze_status compound_verify(const graze_placed *a, const graze_placed *b, double clearance,
                                    const graze_answer *answer, const graze_certificate *certificate) {
  const size_t count_a = graze_part_count(a), count_b = graze_part_count(b);
  if (answer->part_a < 0 || (size_t)answer->part_a >= count_a) return GRAZE_REFUTED;
  if (answer->part_b < 0 || (size_t)answer->part_b >= count_b) return GRAZE_REFUTED;
  if (!grz_check_is_consistent(answer, certificate->kind) ||
      (certificate->parts == NULL && certificate->part_count != 0))
    return GRAZE_REFUTED;
  grz_proof proof;
  if (!grz_proof_read(certificate, &proof)) return GRAZE_REFUTED;
  compound_check q = {a, b, clearance, answer, certificate, answer->part_a, answer->part_b, &proof};
  const graze_status named = grz_check_in_arena(compound_check_named_pair, &q);
  if (named == GRAZE_REFUTED) return named;

  graze_status others;
  const bool all_pairs = certificate->parts != NULL && certificate->frontier == NULL;
  if (all_pairs && !(compound_has_solid(&q) && answer->relation == GRAZE_OVERLAPPING)) {
    others = grz_check_weaker(compound_check_all_pairs(&q), compound_check_solids(&q));
    if (others == GRAZE_UNPROVEN && compound_has_solid(&q)) others = compound_check_hulls(&q);
  } else if (count_a == 1 && count_b == 1) {
    const graze_part_proof only = {0, 0, *certificate};
    graze_certificate whole = *certificate;
    whole.parts = &only, whole.part_count = 1;
    q.whole = &whole;
    others = compound_check_all_pairs(&q);
  } else { /* one pair of several proves only an overlap and upper bounds */
    const bool near = answer->relation == GRAZE_OVERLAPPING || answer->relation == GRAZE_UNDECIDED;
    others = near && !(answer->lower >= -GRZ_DISTANCE_MAX) ? GRAZE_OK : compound_check_hulls(&q);
    if (compound_is_inside(&q)) {
      const bool bounded = answer->upper < 0; /* otherwise nothing is left to prove */
      const graze_status upper = certificate->frontier != NULL ? compound_check_frontier(&q) : GRAZE_UNPROVEN;
      others = grz_check_weaker(others, bounded ? upper : GRAZE_OK);
    } else if (others == GRAZE_UNPROVEN && certificate->frontier != NULL) {
      others = compound_check_frontier(&q);
    }
  }
  const graze_status complete = grz_check_is_complete(answer) ? GRAZE_OK : GRAZE_UNPROVEN;
  return grz_check_weaker(grz_check_weaker(named, others), complete);
}

/* ---- The public function. */

static bool verify_is_conditional(const graze_shape *shape) {
  return shape->kind == GRAZE_COMPOUND ? shape->as.compound->conditional : shape->kind == GRAZE_USER;
}

graze_status graze_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          const graze_answer *answer, const graze_certificate *certificate) {
  const double clearance = options != NULL ? options->clearance : 0;
  graze_error *error = options != NULL ? options->error : NULL;
  if (a->status != GRAZE_OK || b->status != GRAZE_OK || a->shape.dim != b->shape.dim)
    return grz_reject(error, grz_pair_error(a, b));
  if (!(clearance >= 0 && clearance <= GRAZE_LARGEST))
    return grz_reject(error, grz_error_rule(GRAZE_BAD_OPTION, "clearance", clearance, "must be 0 to 1e40"));
  if (a->shape.kind == GRAZE_HALFSPACE && b->shape.kind == GRAZE_HALFSPACE)
    return grz_reject(error, grz_error_rule(GRAZE_UNSUPPORTED, "shapes", 0, "two half-spaces are not supported"));
  unsigned char conditional;
  memcpy(&conditional, &answer->conditional, 1); /* an untrusted byte may not be a valid bool */
  if (conditional == 0 && (verify_is_conditional(&a->shape) || verify_is_conditional(&b->shape))) return GRAZE_UNPROVEN;
  if (grz_has_parts(&a->shape) || grz_has_parts(&b->shape))
    return compound_verify(a, b, clearance, answer, certificate);
  grz_proof proof;
  if (!grz_proof_read(certificate, &proof)) return GRAZE_REFUTED;
  return grz_verify_pair(a, b, clearance, answer, &proof);
}
