/* Casts in words. Theory: docs/theory/cast.md, docs/theory/sweep.md. */
#include "explain/story.h"

#include <math.h>

static const graze_cast_result *cast_of(const story *s) { return &s->motion->cast; }

/* ---- The relative path */

void sentence_cast_path(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  if (!m->turns) {
    emit(out, m->ray ? "B moves with velocity u = %v. " : "Relative to A, B moves with velocity u = v_B − v_A = %v. ",
         m->u, s->dim);
    emit(out, "The Minkowski difference A − B, the set of all a − b at t = 0, is held fixed, and the point t·u moves "
              "from the origin: A and B are in contact while t·u is in A − B");
  } else {
    emit(out, "Each body turns about its own position, so the Minkowski difference A − B, the set of all a − b at time "
              "t, turns and changes its shape. ");
    if (vec_is_zero(m->u))
      emit(out, "The positions have equal velocities, so the path is the origin alone: A and B are in contact while A "
                "− B contains it");
    else
      emit(out,
           "The path is that of the position of B relative to that of A: t·u with u = v_B − v_A = %v. A and B are in "
           "contact while t·u is in A − B at time t",
           m->u, s->dim);
  }
  if (s->radius > 0) emit(out, " (A − B of the shapes, which is that of the cores rounded by r = %n)", s->radius);
  emit(out, ".");
  if (s->of_parts) emit(out, " A − B is that of %S.", sentence_pair, s);
}

/* ---- Samples and moments */

const struct motion_words motion_states[] = {{"", "", "", ' '},
                                             {"free", "free", "proved free", '='},
                                             {"undecided", "open", "undecided", '~'},
                                             {"met", "met", "after the first contact", '#'}};

const char *cast_relation_text(graze_relation relation) {
  return relation ? graze_relation_text(relation) : "no relation";
}

void sentence_cast_samples(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  int first = -1; /* the first sample in contact */
  for (int k = m->moment_count; k-- > 0;) {
    graze_relation relation = m->moments[k].sampled ? m->moments[k].relation : 0;
    if (relation == GRAZE_OVERLAPPING || relation == GRAZE_TOUCHING) first = k;
  }
  if (!(m->t_end > 0)) return;
  emit(out, "Discrete sampling at 16 times, at intervals of %n: ", m->t_end / (MOTION_SAMPLES - 1));
  if (first >= 0 && m->cast.outcome != GRAZE_CLEAR) {
    double late = m->moments[first].t - m->t_key;
    emit(out, "A and B are in contact first at t = %n", m->moments[first].t);
    if (late > 1e-9 * m->t_end && !story_is_sampled(s)) emit(out, ", %n after the contact", late);
    emit(out, ".");
  } else {
    emit(out, m->cast.outcome == GRAZE_HIT ? "A and B are separated in every sample, so sampling misses the hit."
              : first < 0 ? "A and B are separated in every sample, which proves nothing about the times between."
                          : "A and B touch, and never overlap.");
  }
}

void sentence_cast_moment(cli_text *out, const story *s, size_t k) {
  const story_motion *m = s->motion;
  const graze_cast_result *cast = cast_of(s);
  const motion_moment *moment = &m->moments[k];
  if ((int)k == m->key && cast->outcome == GRAZE_CLEAR && isfinite(cast->t_min)) emit(out, "The minimum distance. ");
  if ((int)k == m->key && cast->outcome != GRAZE_CLEAR && cast->t_upper > 0)
    emit(out,
         cast->outcome == GRAZE_HIT ? "The first contact is not later than t = %x. "
                                    : "The first contact, if there is any, is not later than t = %x. ",
         cast->t_upper);
  if (moment->sampled)
    emit(out, "In this sample the relation of A and B is: %s", cast_relation_text(moment->relation));
  else
    emit(out, "This moment is not a sample");
  if (!vec_is_zero(m->u)) emit(out, ". The path is at t·u = %v", moment->at, s->dim);
  emit(out, ".");
  motion_state state = m->span_count > 0 ? m->spans[m->span_count - 1].state : MOTION_FREE;
  for (int i = m->span_count; i-- > 0;)
    if (moment->t <= m->spans[i].to) state = m->spans[i].state;
  if (state == MOTION_MET)
    emit(out, moment->t > cast->t_upper ? " This is after the first contact." : " This is the first contact.");
  else if (state == MOTION_UNDECIDED)
    emit(out, story_is_sampled(s) ? " Nothing is proved between samples." : " Nothing is proved from here on.");
  else if (cast->outcome != GRAZE_CLEAR)
    emit(out, " No contact until here: proved.");
  else
    emit(out, cast->start_relation == GRAZE_TOUCHING ? " No overlap at any time: proved."
                                                     : " No contact at any time: proved.");
}

/* ---- The certificate */

static bool is_halfspace(const story *s) { return s->motion->certificate.kind == GRAZE_CERTIFICATE_HALFSPACE; }

static void start_sentence(cli_text *out, const story *s) {
  const graze_cast_result *cast = cast_of(s);
  if (s->motion->certificate.kind != GRAZE_CERTIFICATE_NONE || cast->start_relation == GRAZE_UNDECIDED)
    emit(out, "At t = 0 A and B are %S", certificate_relation, s);
}

/* The gap along a fixed direction is linear in t, so its values at both ends suffice. */
static void free_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->motion->evidence;
  const graze_cast_result *cast = cast_of(s);
  if (cast->start_relation != GRAZE_SEPARATED || isnan(e->gap) || s->motion->sweep) return;
  if (!isfinite(e->closing))
    emit(out, "The direction is defined by points of A − B, too near them for rounded coordinates");
  else
    emit(out, "Along %s the gap %s", is_halfspace(s) ? "the normal of the boundary" : "d",
         e->closing > 0   ? "closes by "
         : e->closing < 0 ? "grows by "
                          : "is constant");
  if (isfinite(e->closing) && e->closing != 0) emit(out, "%n per unit of time", fabs(e->closing));
  if (cast->outcome == GRAZE_CLEAR) {
    emit(out, ", and at no time it is less than %n > 0: no contact.", e->gap);
    return;
  }
  emit(out, ", and at t = %x it is still at least %n > 0: no contact before.", cast->t_lower, e->gap);
  if (e->free_until > cast->t_lower)
    emit(out, " The verifier accepts this direction until t = %x, and not for the next double.", e->free_until);
}

static void steps_sentence(cli_text *out, const story *s) {
  const graze_certificate *c = &s->motion->certificate;
  if (c->step_count == 0) return;
  emit(out,
       "%c that there is no contact until t = %x: at both ends of each step, the gap along one direction exceeds the "
       "largest deviation of any point of A and B from its chord.",
       c->step_count, "step proves", "steps prove", c->steps[c->step_count - 1].to);
}

/* The points of A - B, each once: a pair can occur at both ends of the interval. */
static void emit_points(cli_text *out, const story *s) {
  const story_evidence *e = &s->motion->evidence;
  for (int i = 0; i < e->count; i++) {
    bool repeated = false;
    for (int k = 0; k < i; k++) repeated = repeated || e->points[k] == e->points[i];
    const story_point *point = &s->points[e->points[i]];
    if (!repeated) emit(out, i > 0 ? ", %p" : "%p", &point->w, s->dim, DIGITS);
  }
}

static bool has_one_point(const story *s) {
  const story_evidence *e = &s->motion->evidence;
  for (int i = 1; i < e->count; i++)
    if (e->points[i] != e->points[0]) return false;
  return true;
}

static void contact_sentence(cli_text *out, const story *s) {
  const graze_cast_result *cast = cast_of(s);
  if (cast->outcome != GRAZE_HIT || !(cast->t_upper > 0)) return;
  if (is_halfspace(s))
    emit(out, "At t = %x that point is on or behind the boundary.", cast->t_upper);
  else if (s->motion->certificate.depth_proof == GRAZE_DEPTH_BY_AXES)
    emit(out, "At t_upper, A and B overlap along every candidate axis by more than the rounding.");
  else if (s->motion->evidence.count > 0 && s->motion->sweep)
    emit(out, "These points of A − B at t_upper prove the contact, rounding included: %S.", emit_points, s);
  else if (s->motion->evidence.count > 0)
    emit(out, "Between t_lower and t_upper the path %s %s: %S. So the first contact is not later than t = %x.",
         s->radius > 0 ? "comes within r of" : "meets",
         has_one_point(s) ? "this point of A − B" : "the convex hull of these points of A − B", emit_points, s,
         cast->t_upper);
}

static void near_sentence(cli_text *out, const story *s) {
  const story_evidence *e = &s->motion->evidence;
  if (isnan(e->near_upper) || e->count == 0) return;
  emit(out, "The distance of the path from %s %S of A − B%s is at most %x, an upper bound of the minimum distance.",
       has_one_point(s) ? "the point" : "the convex hull of the points", emit_points, s,
       s->radius > 0 ? ", less r," : "", e->near_upper + 0);
}

static void touch_sentence(cli_text *out, const story *s) {
  const graze_cast_result *cast = cast_of(s);
  double closing = s->motion->evidence.closing;
  if (cast->start_relation == GRAZE_SEPARATED || cast->start_relation == GRAZE_UNDECIDED) return;
  if (cast->outcome != GRAZE_CLEAR) {
    if (!(cast->t_upper > 0)) emit(out, "So there is a hit at t = 0.");
    return;
  }
  if (s->motion->sweep) return;
  emit(out,
       isfinite(closing) ? "Along this d they do not approach, d·u = %n ≥ 0: they never overlap."
                         : "Along this d they do not approach: they never overlap.",
       -closing);
}

static void parts_sentence(cli_text *out, const story *s) {
  if (!s->of_parts || story_is_contained(s)) return;
  emit(out, "This certificate is that of %S, %s", sentence_pair, s,
       cast_of(s)->outcome == GRAZE_CLEAR
           ? "the nearest pair; it proves nothing about the other pairs of parts."
           : "the first pair in contact; it does not prove that no other pair is in contact before.");
}

const char *cast_unproven_text(const story *s) {
  const bool steps = s->motion->certificate.steps && cast_of(s)->start_relation == GRAZE_SEPARATED;
  if (story_is_sampled(s)) return "samples prove nothing about the time between them";
  if (story_is_of_one_pair(s)) return "the certificate proves the cast of the deciding pair, not that others are later";
  return s->motion->sweep && !steps ? "there are no steps that would prove it"
                                    : "the certificate does not prove the whole answer";
}

sentence *const cast_certificate_sentences[] = {start_sentence,   free_sentence,       steps_sentence,
                                                contact_sentence, near_sentence,       touch_sentence,
                                                parts_sentence,   certificate_verdict, NULL};
