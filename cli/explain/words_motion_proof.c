/* Why the answer about a motion holds, in words. */
#include "explain/words.h"
#include "explain/words_motion.h"
#include "explain/words_proof.h"

#include <math.h>

static const graze_cast_result *impact_of(const story *s) { return &s->motion->impact; }

/* Shown by one direction from the start on? */
static bool has_direction(const story *s) {
  return impact_of(s)->starts == GRAZE_SEPARATED && !isnan(s->motion->evidence.gap) && !s->motion->sweep;
}

static bool is_plane(const story *s) { return impact_of(s)->certificate.kind == GRAZE_CERTIFICATE_HALFSPACE; }

static void put_closing(cli_text *out, const story *s) {
  double closing = s->motion->evidence.closing;
  if (!isfinite(closing)) {
    cli_text_str(out, "It is told by points of A − B, and too near to them to be shown in rounded numbers");
    return;
  }
  cli_text_str(out, is_plane(s) ? "Along the normal of the border the gap " : "Along d the gap ");
  cli_text_str(out, closing > 0 ? "closes by " : closing < 0 ? "grows by " : "stays as it is");
  if (closing == 0) return;
  words_number(out, fabs(closing));
  cli_text_str(out, " in each unit of time");
}

static void start_sentence(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  if (m->impact.certificate.kind == GRAZE_CERTIFICATE_NONE && m->impact.starts != GRAZE_UNDECIDED) return;
  cli_text_str(out, "At t = 0 A and B are ");
  proof_relation(out, s);
}

/* The gap along one direction is a linear function of t: two ends are enough. */
static void free_sentence(cli_text *out, const story *s) {
  const motion_evidence *e = &s->motion->evidence;
  const graze_cast_result *impact = impact_of(s);
  bool clear = impact->result == GRAZE_CLEAR;
  if (!has_direction(s)) return;
  put_closing(out, s);
  cli_text_str(out, clear ? ", and at no time of the motion the gap is less than " : ", and at t = ");
  if (!clear) words_exactly(out, impact->t_lower);
  if (!clear) cli_text_str(out, " the gap still is ");
  words_number(out, e->gap);
  cli_text_str(out, clear ? " > 0: they never meet." : " > 0 or more: they do not meet before.");
  if (clear || isnan(e->free_until) || !(e->free_until > impact->t_lower)) return;
  cli_text_str(out, " The verifier confirms this direction until t = ");
  words_exactly(out, e->free_until);
  cli_text_str(out, ", and not for the next double.");
}

static void steps_sentence(cli_text *out, const story *s) {
  const graze_cast_result *impact = impact_of(s);
  if (impact->step_count == 0) return;
  words_count(out, impact->step_count, "step shows", "steps show");
  cli_text_str(out, " without a gap that nothing is met until t = ");
  words_exactly(out, impact->steps[impact->step_count - 1].to);
  cli_text_str(out, ": in each, along one direction, A and B are farther apart at both ends than their points can "
                    "leave their chords by in between.");
}

/* A pair may come at both ends of the interval: its point of A - B is one. */
static bool is_first(const motion_evidence *e, int i) {
  for (int k = 0; k < i; k++)
    if (e->points[k] == e->points[i]) return false;
  return true;
}

static int distinct(const motion_evidence *e) {
  int count = 0;
  for (int i = 0; i < e->count; i++) count += is_first(e, i);
  return count;
}

static void put_points(cli_text *out, const story *s) {
  const motion_evidence *e = &s->motion->evidence;
  for (int i = 0, told = 0; i < e->count; i++) {
    if (!is_first(e, i)) continue;
    const story_point *point = &s->points[e->points[i]];
    cli_text_str(out, told++ > 0 ? ", " : "");
    size_t before = out->size;
    words_pair(out, &point->pair);
    if (out->size == before) words_vec(out, point->at, s->dim);
  }
}

/* Of a contact after the start: by pairs, or of a half-space by its vertex. */
static void contact_sentence(cli_text *out, const story *s) {
  const motion_evidence *e = &s->motion->evidence;
  const graze_cast_result *impact = impact_of(s);
  if (impact->result != GRAZE_HIT || !(impact->t_upper > 0) || (e->count == 0 && !is_plane(s))) return;
  if (is_plane(s)) {
    cli_text_str(out, "By t = ");
    words_exactly(out, impact->t_upper);
    cli_text_str(out, " that point has come to the border.");
    return;
  }
  if (s->motion->sweep) {
    cli_text_str(out, "At t_upper points of A − B as it is then show the contact, whatever rounding did to it: ");
    put_points(out, s);
    cli_text_str(out, ".");
    return;
  }
  cli_text_str(out, "Between t_lower and t_upper the path ");
  cli_text_str(out, s->radius > 0 ? "comes within r of" : "meets");
  cli_text_str(out, distinct(e) > 1 ? " the hull of points of A − B: " : " a point of A − B: ");
  put_points(out, s);
  cli_text_str(out, ". So the first contact is not later than t = ");
  words_exactly(out, impact->t_upper);
  cli_text_str(out, ".");
}

static void near_sentence(cli_text *out, const story *s) {
  const motion_evidence *e = &s->motion->evidence;
  if (isnan(e->near_upper) || e->count == 0) return;
  cli_text_str(out, distinct(e) > 1 ? "The hull of points of A − B, " : "A point of A − B, ");
  put_points(out, s);
  cli_text_str(out, ", comes as near to the path as ");
  words_exactly(out, e->near_upper + 0);
  cli_text_str(out, s->radius > 0 ? ", less r: so near they come." : ": so near they come.");
}

static void touch_sentence(cli_text *out, const story *s) {
  const graze_cast_result *impact = impact_of(s);
  if (impact->starts == GRAZE_SEPARATED || impact->starts == GRAZE_UNDECIDED) return;
  if (impact->result != GRAZE_CLEAR) {
    if (!(impact->t_upper > 0)) cli_text_str(out, "So they hit at t = 0.");
    return;
  }
  if (s->motion->sweep) return;
  cli_text_str(out, "Along that d they do not approach");
  if (isfinite(s->motion->evidence.closing)) {
    cli_text_str(out, ", d·u = ");
    words_number(out, -s->motion->evidence.closing);
    cli_text_str(out, " ≥ 0");
  }
  cli_text_str(out, ": they never overlap.");
}

static void parts_sentence(cli_text *out, const story *s) {
  if (!s->a.is_part && !s->b.is_part) return;
  cli_text_str(out, "This is shown of ");
  words_body(out, &s->a, "A");
  cli_text_str(out, " and ");
  words_body(out, &s->b, "B");
  cli_text_str(out, impact_of(s)->result == GRAZE_CLEAR
                        ? ", which come nearest; of the other pairs of parts nothing is shown."
                        : ", which meet first; that no other pair of parts meets before is not shown.");
}

static const char *unproven_text(const story *s) {
  if (impact_of(s)->algorithm == GRAZE_ALGORITHM_SAMPLING) return "samples show nothing about the time between them";
  if (s->motion->sweep && (impact_of(s)->steps == NULL || impact_of(s)->starts != GRAZE_SEPARATED))
    return "there are no steps, which would show it";
  return "the certificate does not show all that the answer says";
}

static void verdict_sentence(cli_text *out, const story *s) {
  graze_status verdict = s->motion->evidence.verdict;
  cli_text_str(out, "checked exactly by the verifier: ");
  cli_text_str(out, verdict == GRAZE_OK         ? "verified"
                    : verdict == GRAZE_UNPROVEN ? "unproven: "
                    : verdict == GRAZE_REFUTED  ? "refuted"
                                                : graze_status_text(verdict));
  if (verdict == GRAZE_UNPROVEN) cli_text_str(out, unproven_text(s));
  cli_text_str(out, ".");
}

bool words_motion_certificate(cli_text *out, const story *s, size_t k) {
  static words_sentence *const sentences[] = {start_sentence, free_sentence,  steps_sentence, contact_sentence,
                                              near_sentence,  touch_sentence, parts_sentence, verdict_sentence};
  return words_choose(out, s, sentences, sizeof sentences / sizeof *sentences, k);
}
