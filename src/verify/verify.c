/* The verifier: a second opinion on an answer. It sees the two shapes, their poses and the certificate, no solver and
 * no rounded number, and decides every claim exactly. Why the certificates prove what they claim:
 * docs/theory/certificates.md. */
#include "verify/compound.h"
#include "verify/compound.h"
#include "shape/placed.h"

#include <string.h>

typedef struct verify_question {
  const graze_placed *a, *b;
  double clearance;
  const graze_answer *answer;
  const grz_proof *proof;
} verify_question;

/* Do the bounds follow? Touching is a relation and three zeros. */
static graze_status verify_bounds(grz_check *c, const graze_answer *answer) {
  if (!grz_check_is_consistent(answer, c->certificate->kind)) return GRAZE_REFUTED;
  if (answer->relation == GRAZE_TOUCHING) return GRAZE_OK;
  graze_status bounds =
      grz_check_weaker(grz_check_lower(c, answer->lower), grz_check_upper(c, answer->relation, answer->upper));
  return grz_check_weaker(bounds, grz_check_is_complete(answer) ? GRAZE_OK : GRAZE_UNPROVEN);
}

/* Convex shapes: one certificate shows everything. */
static graze_status verify_whole(grz_arena *arena, void *context) {
  const verify_question *q = context;
  grz_check c;
  graze_status read = grz_check_parse(&c, arena, q->a, q->b, q->clearance, q->proof);
  if (read != GRAZE_OK) return read;
  return grz_check_weaker(grz_check_relation(&c, q->answer->relation), verify_bounds(&c, q->answer));
}

static bool verify_is_conditional(const graze_placed *placed) {
  bool many = placed->shape.kind == GRAZE_COMPOUND;
  return many ? placed->shape.as.compound->conditional : placed->shape.kind == GRAZE_USER;
}

graze_status grz_verify_pair(const graze_placed *a, const graze_placed *b, double clearance, const graze_answer *answer,
                             const grz_proof *proof) {
  verify_question question = {a, b, clearance, answer, proof};
  return grz_check_in_arena(verify_whole, &question);
}

graze_status graze_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          const graze_answer *answer, const graze_certificate *certificate) {
  double clearance = options != NULL ? options->clearance : 0;
  if (a->status != GRAZE_OK) return a->status;
  if (b->status != GRAZE_OK) return b->status;
  if (a->shape.dim != b->shape.dim) return GRAZE_DIM_MISMATCH;
  if (!(clearance >= 0 && clearance <= GRAZE_LARGEST)) return GRAZE_BAD_OPTION;
  if (a->shape.kind == GRAZE_HALFSPACE && b->shape.kind == GRAZE_HALFSPACE) return GRAZE_UNSUPPORTED;
  unsigned char conditional;
  memcpy(&conditional, &answer->conditional, 1); /* a byte may hold anything, a bool may not */
  if (conditional == 0 && (verify_is_conditional(a) || verify_is_conditional(b))) return GRAZE_UNPROVEN;
  if (a->shape.kind == GRAZE_COMPOUND || b->shape.kind == GRAZE_COMPOUND)
    return grz_verify_compound(a, b, clearance, answer, certificate);
  grz_proof proof;
  if (!grz_proof_read(certificate, &proof)) return GRAZE_REFUTED;
  return grz_verify_pair(a, b, clearance, answer, &proof);
}
