/* The certificate in words: what proves the relation, what proves each bound, and what the verifier says of them. Its
 * inequalities are evaluated by numbers that the verifier confirmed. */
#include "explain/words.h"
#include "explain/words_motion.h"
#include "explain/words_proof.h"

#include <math.h>

/* ---- the bounds */

/* Are bounds told, and are they more than the relation and the deciding vertex say? */
static bool tells_bounds(const story *s) {
  const graze_answer *answer = proof_answer(s);
  if (proof_certificate(s)->kind == GRAZE_CERTIFICATE_HALFSPACE ||
      proof_certificate(s)->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE)
    return false;
  if (!cli_query_has_distance(s->question->query) && answer->relation != GRAZE_UNDECIDED) return false;
  return answer->relation != GRAZE_TOUCHING;
}

/* "the distance is at least 2.4999999999999996, which is ≥ the answer's 2.4999999999999982." */
static void put_proved(cli_text *out, bool lower, double proved, double claimed) {
  bool enough = lower ? proved >= claimed : proved <= claimed;
  cli_text_str(out, lower ? "the distance is at least " : "the distance is at most ");
  words_exactly(out, proved);
  if (proved == claimed)
    cli_text_str(out, ", as the answer says.");
  else if (enough) {
    cli_text_str(out, lower ? ", which is ≥ the answer's " : ", which is ≤ the answer's ");
    words_exactly(out, claimed);
    cli_text_str(out, ".");
  } else {
    cli_text_str(out, "; the answer's ");
    words_exactly(out, claimed);
    cli_text_str(out, " is not shown.");
  }
}

static void lower_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  double claimed = proof_answer(s)->lower;
  if (!tells_bounds(s) || isnan(claimed)) return;
  if (!isfinite(e->lower)) {
    cli_text_str(out, isfinite(claimed) ? "lower: not shown." : "lower: none.");
    return;
  }
  cli_text_str(out, "lower: ");
  if (e->lower < 0) {
    if (proof_has_sides(s)) {
      proof_sides(out, s);
      cli_text_str(out, ", so ");
    }
    cli_text_str(out, "moving B by ");
    words_number(out, -e->lower);
    cli_text_str(out, " along d parts them: ");
  } else {
    cli_text_str(out, "two points of A and B are at least as far apart as the gap along d: ");
  }
  put_proved(out, true, e->lower, claimed);
}

/* How the direction is kept, so that the verifier has it exactly; where the sentences before speak of it. */
static void direction_sentence(cli_text *out, const story *s) {
  const graze_direction *d = &proof_certificate(s)->direction;
  static const char *const axes[] = {"x", "y", "z"};
  graze_certificate_kind kind = proof_certificate(s)->kind;
  bool spoken = kind == GRAZE_CERTIFICATE_SEPARATED || kind == GRAZE_CERTIFICATE_TOUCH || tells_bounds(s);
  if (!spoken) return;
  switch (d->form) {
  case GRAZE_DIRECTION_NONE:
  case GRAZE_DIRECTION_VECTOR: return;
  case GRAZE_DIRECTION_NEAREST:
    cli_text_str(out, "the direction d is kept exactly: it points from the nearest point of the hull of ");
    proof_pairs(out, d, s->dim);
    cli_text_str(out, " to the origin.");
    return;
  case GRAZE_DIRECTION_FACET:
    cli_text_str(out, s->dim == 2 ? "the direction d is kept exactly: it is across the edge from "
                                  : "the direction d is kept exactly: it is the normal of the face of A − B through ");
    proof_pairs(out, d, s->dim);
    cli_text_str(out, ".");
    return;
  case GRAZE_DIRECTION_EDGE:
    cli_text_str(out, "the direction d is kept exactly: it is across the edge from ");
    proof_pairs(out, d, s->dim);
    cli_text_str(out, " and the ");
    cli_text_str(out, axes[d->axis % 3]);
    cli_text_str(out, " axis.");
    return;
  }
}

static void put_surface(cli_text *out, const story *s) {
  const graze_surface *surface = proof_certificate(s)->surface;
  cli_text_str(out, s->dim == 2 ? "a closed polygon of " : "a closed surface of ");
  if (s->dim == 3) {
    words_count(out, surface->face_count, "triangle", "triangles");
    cli_text_str(out, " over ");
  }
  words_count(out, surface->pair_count, "point", "points");
  cli_text_str(out, " of A − B goes around the origin, and none of its ");
  cli_text_str(out, s->dim == 2 ? "edges" : "faces");
  cli_text_str(out, " is nearer than the depth: ");
}

static void put_upper_proof(cli_text *out, const story *s) {
  const graze_certificate *c = proof_certificate(s);
  bool apart = !(s->evidence.upper < 0);
  if (c->depth_proof == GRAZE_DEPTH_BY_BOX_AXES && !apart)
    cli_text_str(out, s->dim == 2 ? "none of the 4 axes of the boxes shows less overlap: "
                                  : "none of the 15 axes of the boxes shows less overlap: ");
  else if (c->depth_proof == GRAZE_DEPTH_BY_SURFACE && c->surface && !apart)
    put_surface(out, s);
  else if (proof_weighed(s) > 0 && c->kind != GRAZE_CERTIFICATE_INSIDE) {
    proof_nearest(out, s);
    cli_text_str(out, " is a point of ");
    cli_text_str(out, s->radius > 0 ? "the difference of the cores, and " : "A − B, and ");
    proof_length(out, s);
    cli_text_str(out, " bounds the distance: ");
  } else
    cli_text_str(out, "they overlap, which by itself shows no depth: ");
}

/* Overlapping, and more deeply than the certificate shows. */
static bool is_deeper_than_shown(const story *s) {
  const graze_answer *answer = proof_answer(s);
  return answer->relation == GRAZE_OVERLAPPING && !(answer->upper >= s->evidence.upper);
}

/* By method sat: the depth along an axis, which other directions might undercut. */
static bool is_without_surface(const story *s) {
  bool by_sat = s->question->options.method == GRAZE_METHOD_SAT && proof_answer(s)->algorithm == GRAZE_ALGORITHM_SAT;
  return by_sat && is_deeper_than_shown(s);
}

static void upper_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const graze_answer *answer = proof_answer(s);
  if (!tells_bounds(s) || isnan(answer->upper) || answer->stopped == GRAZE_STOP_CUTOFF) return;
  if (!isfinite(e->upper)) {
    bool zero = answer->relation == GRAZE_OVERLAPPING && answer->upper == 0;
    cli_text_str(out, zero                      ? "upper: 0, because they overlap."
                      : is_without_surface(s)   ? "upper: not shown: the method sat gives no surface that would show "
                                                  "the depth; \"method\":\"auto\" proves it."
                      : isfinite(answer->upper) ? "upper: not shown."
                                                : "upper: none.");
    return;
  }
  cli_text_str(out, "upper: ");
  put_upper_proof(out, s);
  put_proved(out, false, e->upper, answer->upper);
}

/* Touching, half-spaces and internal_edges: both bounds at once. */
static void both_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->evidence;
  const graze_answer *answer = proof_answer(s);
  if (!cli_query_has_distance(s->question->query) || tells_bounds(s)) return;
  if (answer->relation == GRAZE_TOUCHING) {
    cli_text_str(out, "lower and upper: touching is the distance 0.");
    return;
  }
  if (proof_certificate(s)->kind != GRAZE_CERTIFICATE_HALFSPACE || !isfinite(e->lower) || !isfinite(e->upper)) return;
  bool vertex = proof_certificate(s)->vertex >= 0;
  cli_text_str(out, vertex ? "lower and upper: that height is the distance, "
                           : "lower and upper: the least height is the distance, from ");
  words_exactly(out, e->lower);
  if (e->lower == e->upper) {
    cli_text_str(out, " exactly.");
    return;
  }
  cli_text_str(out, " to ");
  words_exactly(out, e->upper);
  cli_text_str(out, ".");
}

/* ---- compounds */

/* What the certificates of all pairs show together. */
static const char *of_all_text(const story *s) {
  bool distance = cli_query_has_distance(s->question->query);
  switch (proof_answer(s)->relation) {
  case GRAZE_SEPARATED: return distance ? ", so that none is nearer." : ", so that none meets.";
  case GRAZE_TOUCHING: return ", so that none overlaps.";
  case GRAZE_OVERLAPPING:
    return distance ? ", so that none overlaps more deeply; the whole may have to be moved farther than any one pair."
                    : ", though one pair that overlaps is enough.";
  default: return ".";
  }
}

static void parts_sentence(cli_text *out, const story *s) {
  const graze_answer *answer = proof_answer(s);
  if (!story_has_parts(s) || proof_certificate(s)->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE) return;
  cli_text_str(out, "This is shown of ");
  words_body(out, &s->a, "A");
  cli_text_str(out, " and ");
  words_body(out, &s->b, "B");
  if (story_pair_count(s) == 1) {
    cli_text_str(out, ", the only pair of parts.");
    return;
  }
  if (answer->parts == NULL) {
    cli_text_str(out, ". It proves that they overlap, if they do, and how far apart they are at most; of the other ");
    words_count(out, story_pair_count(s) - 1, "pair", "pairs");
    cli_text_str(out, " it shows nothing.");
  } else {
    cli_text_str(out, "; with it come the certificates of all ");
    words_count(out, answer->part_count, "pair", "pairs");
    cli_text_str(out, of_all_text(s));
  }
}

/* ---- the verdict */

static const char *unproven_text(const story *s) {
  if (story_has_parts(s) && proof_answer(s)->parts == NULL && story_pair_count(s) > 1)
    return "the other pairs of parts, too many to be certified here, are not shown";
  if (is_without_surface(s)) return "the method sat leaves no surface to show the depth";
  return is_deeper_than_shown(s) ? "the depth was found in a way that leaves no surface to show it"
                                 : "the certificate does not show all that the answer says";
}

static void verdict_sentence(cli_text *out, const story *s) {
  graze_status verdict = s->evidence.verdict;
  cli_text_str(out, "checked exactly by the verifier: ");
  if (verdict == GRAZE_OK)
    cli_text_str(out, "verified");
  else if (verdict == GRAZE_UNPROVEN) {
    cli_text_str(out, "unproven: ");
    cli_text_str(out, unproven_text(s));
  } else
    cli_text_str(out, verdict == GRAZE_REFUTED ? "refuted" : graze_status_text(verdict));
  cli_text_str(out, ".");
}

bool words_choose(cli_text *out, const story *s, words_sentence *const *sentences, size_t count, size_t k) {
  for (size_t i = 0; i < count; i++) {
    size_t before = out->size;
    sentences[i](out, s);
    if (out->size <= before) continue;
    if (k-- == 0) return true;
    out->size = before;
  }
  return false;
}

bool words_certificate(cli_text *out, const story *s, size_t k) {
  static words_sentence *const sentences[] = {proof_relation, direction_sentence, lower_sentence,  upper_sentence,
                                              both_sentence,  parts_sentence,     verdict_sentence};
  if (s->question->query == CLI_MINKOWSKI) return false;
  if (s->motion) return words_motion_certificate(out, s, k);
  return words_choose(out, s, sentences, sizeof sentences / sizeof *sentences, k);
}
