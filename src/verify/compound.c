/* A compound is its parts: what one certificate shows about one pair of them counts for the whole where it says that
 * they are near; what they are not is shown by all pairs together. docs/theory/certificates.md, "Compounds". */
#include "verify/compound.h"

#include "verify/compound.h"
#include "verify/internal_edges.h"
#include "shape/placed.h"

#include <string.h>

typedef struct many_question {
  const graze_placed *a, *b;
  double clearance;
  const graze_answer *answer;
  const graze_certificate *whole;
  int32_t part_a, part_b; /* the pair in question … */
  const grz_proof *certificate;
} many_question;

/* The named pair on a seam: overlapping, and nothing is said about how deep. */
static graze_status many_seam(grz_arena *arena, const many_question *q) {
  const graze_answer *answer = q->answer;
  if (answer->relation != GRAZE_OVERLAPPING) return GRAZE_REFUTED;
  graze_status status = grz_verify_internal_edge(arena, q->a, q->b, q->clearance, q->certificate);
  return grz_check_weaker(status, answer->upper < 0 ? GRAZE_UNPROVEN : GRAZE_OK);
}

/* The relation and `upper` follow from the named pair; where it has a direction, that must not fall short of `lower`.
 */
static graze_status many_named(grz_arena *arena, void *context) {
  const many_question *q = context;
  const graze_answer *answer = q->answer;
  if (q->certificate->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) return many_seam(arena, q);
  grz_check c;
  graze_placed a = graze_part(q->a, (size_t)q->part_a), b = graze_part(q->b, (size_t)q->part_b);
  graze_status read = grz_check_parse(&c, arena, &a, &b, q->clearance, q->certificate);
  if (read != GRAZE_OK) return read;
  graze_status relation = grz_check_relation(&c, answer->relation);
  if (answer->relation == GRAZE_TOUCHING) return relation;
  graze_status lower = grz_check_lower(&c, answer->lower), upper = grz_check_upper(&c, answer->relation, answer->upper);
  return grz_check_weaker(grz_check_weaker(relation, upper), lower == GRAZE_REFUTED ? lower : GRAZE_OK);
}

/* Is a pair of parts no nearer than the answer says? `shown` is its own relation. */
static graze_status many_agrees(grz_check *c, const many_question *q, graze_relation shown) {
  const graze_answer *answer = q->answer;
  switch (answer->relation) {
  case GRAZE_SEPARATED:
    if (shown != GRAZE_SEPARATED) return shown == GRAZE_UNDECIDED ? GRAZE_UNPROVEN : GRAZE_REFUTED;
    break;
  case GRAZE_TOUCHING:
    if (shown == GRAZE_UNDECIDED) return GRAZE_UNPROVEN;
    if (shown == GRAZE_OVERLAPPING) return GRAZE_REFUTED;
    break;
  default: break;
  }
  if (answer->relation == GRAZE_TOUCHING && shown == GRAZE_TOUCHING && c->reading.radius.sign == 0)
    return grz_verify_off_internal_edges(c->reading.arena, q->a, q->b, q->part_a, q->part_b);
  bool implied = (shown == GRAZE_SEPARATED || shown == GRAZE_TOUCHING) && answer->lower <= 0;
  return implied ? GRAZE_OK : grz_check_lower(c, answer->lower);
}

/* One of the proofs of all pairs: it holds, as what it is, and the answer claims no more. */
static graze_status many_pair(grz_arena *arena, void *context) {
  const many_question *q = context;
  grz_check c;
  graze_placed a = graze_part(q->a, (size_t)q->part_a), b = graze_part(q->b, (size_t)q->part_b);
  graze_status status = grz_check_parse(&c, arena, &a, &b, q->clearance, q->certificate);
  if (status != GRAZE_OK) return status;
  int shown = grz_check_kind(&c);
  if (shown == 0) return GRAZE_REFUTED;
  status = grz_check_relation(&c, (graze_relation)shown);
  return status != GRAZE_OK ? status : many_agrees(&c, q, (graze_relation)shown);
}

/* As many at a time as bits are looked at; over and over for more. */
enum { MANY_WORDS = 4096 };

/* Row by row, as solvers list them? */
static bool many_in_order(const graze_certificate *whole, uint64_t count_b) {
  for (size_t i = 0; i < whole->part_count; i++) {
    const graze_part_proof *part = &whole->parts[i];
    if (part->part_a < 0 || part->part_b < 0) return false;
    if ((uint64_t)part->part_a != i / count_b || (uint64_t)part->part_b != i % count_b) return false;
  }
  return true;
}

/* Is every pair of parts there exactly once? Their number is right. */
static bool many_is_complete(const graze_certificate *whole, uint64_t count_a, uint64_t count_b) {
  uint64_t seen[MANY_WORDS];
  const uint64_t block = 64 * MANY_WORDS, all = count_a * count_b;
  if (many_in_order(whole, count_b)) return true;
  for (uint64_t from = 0; from < all; from += block) {
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < whole->part_count; i++) {
      int32_t a = whole->parts[i].part_a, b = whole->parts[i].part_b;
      if (a < 0 || (uint64_t)a >= count_a || b < 0 || (uint64_t)b >= count_b) return false;
      uint64_t at = (uint64_t)a * count_b + (uint64_t)b - from;
      if (at >= block) continue; /* of another block: below, it is a very large number */
      uint64_t bit = UINT64_C(1) << at % 64;
      if (seen[at / 64] & bit) return false;
      seen[at / 64] |= bit;
    }
  }
  return true;
}

static graze_status many_parts(many_question *q) {
  const graze_certificate *whole = q->whole;
  uint64_t count_a = graze_part_count(q->a), count_b = graze_part_count(q->b);
  if (whole->part_count != count_a * count_b || !many_is_complete(whole, count_a, count_b)) return GRAZE_REFUTED;
  graze_status status = GRAZE_OK;
  for (size_t i = 0; i < whole->part_count && status != GRAZE_REFUTED; i++) {
    grz_proof proof;
    if (!grz_proof_read(&whole->parts[i].certificate, &proof)) return GRAZE_REFUTED;
    q->part_a = whole->parts[i].part_a, q->part_b = whole->parts[i].part_b;
    q->certificate = &proof;
    status = grz_check_weaker(status, grz_check_in_arena(many_pair, q));
  }
  return status;
}

/* Without the proofs of all pairs: does the answer say anything that one pair cannot show? */
static graze_status many_alone(const graze_answer *answer) {
  bool near = answer->relation == GRAZE_OVERLAPPING || answer->relation == GRAZE_UNDECIDED;
  return near && !(answer->lower >= -GRZ_FARTHEST) ? GRAZE_OK : GRAZE_UNPROVEN;
}

graze_status grz_verify_compound(const graze_placed *a, const graze_placed *b, double clearance,
                                 const graze_answer *answer, const graze_certificate *certificate) {
  size_t count_a = graze_part_count(a), count_b = graze_part_count(b);
  if (answer->part_a < 0 || (size_t)answer->part_a >= count_a) return GRAZE_REFUTED;
  if (answer->part_b < 0 || (size_t)answer->part_b >= count_b) return GRAZE_REFUTED;
  if (!grz_check_is_consistent(answer, certificate->kind) || (certificate->parts == NULL && certificate->part_count != 0))
    return GRAZE_REFUTED;
  grz_proof proof;
  if (!grz_proof_read(certificate, &proof)) return GRAZE_REFUTED;
  many_question q = {a, b, clearance, answer, certificate, answer->part_a, answer->part_b, &proof};
  graze_status named = grz_check_in_arena(many_named, &q);
  if (named == GRAZE_REFUTED) return named;
  graze_status others;
  if (certificate->parts != NULL) {
    others = many_parts(&q);
  } else if (count_a == 1 && count_b == 1) {
    const graze_part_proof only = {0, 0, *certificate};
    graze_certificate whole = *certificate;
    whole.parts = &only, whole.part_count = 1;
    q.whole = &whole;
    others = many_parts(&q);
  } else {
    others = many_alone(answer);
  }
  return grz_check_weaker(grz_check_weaker(named, others), grz_check_is_complete(answer) ? GRAZE_OK : GRAZE_UNPROVEN);
}
