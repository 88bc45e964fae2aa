/* Motions in words. */
#include "explain/words_motion.h"

#include "explain/geometry.h"
#include "explain/words.h"

#include <math.h>

static bool is_zero(graze_vec v) { return v.x == 0 && v.y == 0 && v.z == 0; }

static void put_measure(cli_text *out, const char *name, double value) {
  cli_text_str(out, name);
  words_number(out, value);
}

static void put_vec(cli_text *out, const char *name, graze_vec v, int dim) {
  cli_text_str(out, name);
  words_vec(out, v, dim);
}

/* ---- What was asked */

static void put_rate(cli_text *out, graze_vec angular, int dim) {
  if (is_zero(angular)) return;
  cli_text_str(out, " and turns at ");
  if (dim == 2)
    words_number(out, angular.z);
  else
    words_vec(out, angular, dim);
}

static void put_mover(cli_text *out, const char *name, const graze_motion *m, int dim) {
  cli_text_str(out, name);
  cli_text_str(out, is_zero(m->velocity) ? " stays" : " moves at ");
  if (!is_zero(m->velocity)) words_vec(out, m->velocity, dim);
  put_rate(out, m->angular, dim);
}

static void put_times(cli_text *out, double t_max) {
  if (isfinite(t_max))
    put_measure(out, ", for 0 ≤ t ≤ ", t_max);
  else
    cli_text_str(out, ", without end");
}

void words_motion(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  if (m->ray) {
    put_vec(out, ", B is the point of a ray that begins at ", s->b.whole->pose.position, s->dim);
    put_vec(out, " and goes along ", m->b.velocity, s->dim);
  } else {
    cli_text_str(out, "; ");
    put_mover(out, "A", &m->a, s->dim);
    cli_text_str(out, ", ");
    put_mover(out, "B", &m->b, s->dim);
  }
  put_times(out, m->t_max);
}

/* ---- What came out */

static void put_between(cli_text *out, double lower, double upper) {
  cli_text_str(out, "[");
  words_exactly(out, lower);
  cli_text_str(out, ", ");
  words_exactly(out, upper);
  cli_text_str(out, "]");
}

static void put_where(cli_text *out, const story *s) {
  const graze_cast_result *impact = &s->motion->impact;
  if (isfinite(impact->point.x)) put_vec(out, ", at the point ", impact->point, s->dim);
  if (isfinite(impact->normal.x)) put_vec(out, ", with the normal ", impact->normal, s->dim);
}

static void put_passing(cli_text *out, const graze_cast_result *impact) {
  if (!isfinite(impact->min_lower)) return;
  if (isfinite(impact->min_upper)) {
    cli_text_str(out, "; their least distance is surely in ");
    put_between(out, impact->min_lower, impact->min_upper);
  } else {
    cli_text_str(out, "; they are never nearer than ");
    words_exactly(out, impact->min_lower);
  }
  if (isfinite(impact->t_min)) put_measure(out, ", at t = ", impact->t_min);
}

void words_motion_answer(cli_text *out, const story *s) {
  const graze_cast_result *impact = &s->motion->impact;
  cli_text_str(out, graze_cast_outcome_text(impact->result));
  if (impact->result == GRAZE_CLEAR) {
    bool sampled = impact->algorithm == GRAZE_ALGORITHM_SAMPLING;
    cli_text_str(out, sampled                            ? ": no sample sees them meet, which proves nothing"
                      : impact->starts == GRAZE_TOUCHING ? ": they touch at first, and never overlap"
                                                         : ": they never meet");
    if (impact->starts != GRAZE_TOUCHING) put_passing(out, impact);
    return;
  }
  if (impact->algorithm == GRAZE_ALGORITHM_SAMPLING && impact->t_upper > 0) {
    put_measure(out, ": the sample at t = ", impact->t_lower);
    put_measure(out, " sees nothing, that at t = ", impact->t_upper);
    cli_text_str(out, " sees them meet");
  } else if (impact->t_upper == 0)
    cli_text_str(out, impact->starts == GRAZE_TOUCHING ? " at t = 0: they touch at first, and approach"
                                                       : " at t = 0: they overlap at first");
  else {
    cli_text_str(out, impact->result == GRAZE_HIT ? ": the first contact is surely at a t in "
                                                  : ": if there is a contact, the first may be at a t in ");
    put_between(out, impact->t_lower, impact->t_upper);
  }
  put_where(out, s);
}

/* ---- The path */

static void put_straight(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  cli_text_str(out, m->ray ? "B moves by u = " : "Seen from A, B moves by u = v_B − v_A = ");
  words_vec(out, m->u, s->dim);
  cli_text_str(out, " in each unit of time. So A − B, the set of all a − b at t = 0, is held still, and the point t·u "
                    "goes from the origin: A and B meet while it is in A − B");
}

static void put_turning(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  cli_text_str(out, "Each body turns about its own position, and so A − B, the set of all a − b with both as turned by "
                    "then, turns and changes its form");
  if (is_zero(m->u)) {
    cli_text_str(out,
                 ". Their positions move alike, so the path is the origin alone: A and B meet while A − B holds it");
    return;
  }
  put_vec(out, ". The path is that of the position of B, seen from that of A: t·u with u = v_B − v_A = ", m->u, s->dim);
  cli_text_str(out, ". A and B meet while t·u is in A − B as it is then");
}

void words_path(cli_text *out, const story *s) {
  s->motion->turns ? put_turning(out, s) : put_straight(out, s);
  if (s->radius > 0) {
    cli_text_str(out, " (all of A − B, with r = ");
    words_number(out, s->radius);
    cli_text_str(out, " around the difference of the cores)");
  }
  cli_text_str(out, ".");
  if (!s->a.is_part && !s->b.is_part) return;
  cli_text_str(out, " What decides is ");
  words_body(out, &s->a, "A");
  cli_text_str(out, " and ");
  words_body(out, &s->b, "B");
  cli_text_str(out, ": it is their A − B.");
}

void words_drawn(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  if (m->turns && m->t_key > 0) {
    put_measure(out, "A − B is drawn as it is at t = 0, dashed, and at t = ", m->t_key);
    cli_text_str(out, ".");
    if (m->t_drawn < m->t_end) cli_text_str(out, " ");
  }
  if (m->t_drawn < m->t_end) {
    put_measure(out, "The path goes on beyond the picture: it is drawn until t = ", m->t_drawn);
    cli_text_str(out, ".");
  }
}

/* ---- The samples */

const char *words_look(graze_relation relation) {
  switch (relation) {
  case GRAZE_SEPARATED: return "apart";
  case GRAZE_TOUCHING: return "touching";
  case GRAZE_OVERLAPPING: return "overlapping";
  case GRAZE_UNDECIDED: return "undecided";
  }
  return "not told";
}

static void put_first_seen(cli_text *out, const story_motion *m, int first) {
  double late = m->moments[first].t - m->t_key;
  put_measure(out, "they are first seen to meet at t = ", m->moments[first].t);
  if (late > 1e-9 * m->t_end && m->impact.algorithm != GRAZE_ALGORITHM_SAMPLING) {
    put_measure(out, ", ", late);
    cli_text_str(out, " after the contact");
  }
  cli_text_str(out, ".");
}

void words_samples(cli_text *out, const story *s) {
  const story_motion *m = s->motion;
  int first, count = motion_seen(m, &first);
  bool clear = m->impact.result == GRAZE_CLEAR;
  if (!(m->t_end > 0)) return;
  put_measure(out, "Looked at only 16 times, every ", m->t_end / (MOTION_SAMPLES - 1));
  cli_text_str(out, ", ");
  if (count > 0 && !clear)
    put_first_seen(out, m, first);
  else if (m->impact.result == GRAZE_HIT)
    cli_text_str(out, "A and B are apart each time: discrete sampling would have missed the hit.");
  else if (count == 0)
    cli_text_str(out, "A and B are apart each time; that alone would not prove that they are so in between.");
  else
    cli_text_str(out, "A and B touch, and never overlap.");
}

/* ---- Moments */

static motion_state state_at(const story_motion *m, double t) {
  for (int i = 0; i < m->span_count; i++)
    if (t <= m->spans[i].to) return m->spans[i].state;
  return m->span_count > 0 ? m->spans[m->span_count - 1].state : MOTION_FREE;
}

static void put_state(cli_text *out, const story_motion *m, double t) {
  const graze_cast_result *impact = &m->impact;
  motion_state state = state_at(m, t);
  if (state == MOTION_MET)
    cli_text_str(out, t > impact->t_upper ? " The first contact is over." : " The first contact is here.");
  else if (state == MOTION_UNDECIDED)
    cli_text_str(out, impact->algorithm == GRAZE_ALGORITHM_SAMPLING ? " Of the time between samples nothing is proved."
                                                                    : " Nothing is proved from here on.");
  else if (impact->result != GRAZE_CLEAR)
    cli_text_str(out, " Until here it is proved that they do not meet.");
  else
    cli_text_str(out, impact->starts == GRAZE_TOUCHING ? " No overlap comes, ever: that is proved."
                                                       : " It is proved that they do not meet.");
}

/* Of the moment that matters. */
static void put_key(cli_text *out, const graze_cast_result *impact) {
  if (impact->result == GRAZE_CLEAR) {
    if (isfinite(impact->t_min)) cli_text_str(out, "Now they are nearest. ");
    return;
  }
  if (!(impact->t_upper > 0)) return;
  cli_text_str(out, impact->result == GRAZE_HIT ? "Here they meet: the first contact is not later than t = "
                                                : "Here they may meet, and if so by t = ");
  words_exactly(out, impact->t_upper);
  cli_text_str(out, ". ");
}

void words_moment(cli_text *out, const story *s, int k) {
  const story_motion *m = s->motion;
  const motion_moment *moment = &m->moments[k];
  if (k == m->key) put_key(out, &m->impact);
  if (moment->sampled) {
    cli_text_str(out, "Looked at now, A and B are ");
    cli_text_str(out, words_look(moment->relation));
  } else {
    cli_text_str(out, "No sample falls on this moment");
  }
  if (!is_zero(m->u)) put_vec(out, ". The path has come to t·u = ", moment->at, s->dim);
  cli_text_str(out, ".");
  put_state(out, m, moment->t);
}
