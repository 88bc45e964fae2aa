/* The steps of a search in words. */
#include "explain/words.h"

#include <math.h>

bool words_begins(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  return k == 0 || step[-1].stop != GRAZE_TRACE_GOES_ON || step[-1].phase != step->phase;
}

/* "A2 − B0 = (−1, −3)", of curved cores without parents. */
static void put_point(cli_text *out, const graze_pair *pair, graze_vec at, int dim) {
  size_t before = out->size;
  words_pair(out, pair);
  if (out->size > before) cli_text_put(out, " = ");
  words_vec(out, at, dim);
}

/* By its parents, or where it is. */
static void put_name(cli_text *out, const graze_pair *pair, graze_vec at, int dim) {
  size_t before = out->size;
  words_pair(out, pair);
  if (out->size == before) words_vec(out, at, dim);
}

static void put_simplex(cli_text *out, const graze_trace_step *step, int dim) {
  for (int i = 0; i < step->simplex_count; i++) {
    if (i > 0) cli_text_put(out, i + 1 < step->simplex_count ? ", " : " and ");
    put_name(out, &step->simplex[i], step->simplex_point[i], dim);
  }
}

/* ", the farthest point of A − B is w = A2 − B0 = (−1, −3)" */
static void put_farthest(cli_text *out, const graze_trace_step *step, int dim) {
  words_vec(out, step->direction, dim);
  cli_text_put(out, ", the farthest point of A − B is w = ");
  put_point(out, &step->pair, step->point, dim);
}

static void put_origin_check(cli_text *out, const graze_trace_step *step) {
  double check = step->origin_check;
  cli_text_put(out, "; d·w = ");
  words_number(out, check);
  if (check > 0)
    cli_text_put(out, " > 0: it passes the origin");
  else if (check == 0)
    cli_text_put(out, ": it comes as far as the origin and no farther");
  else
    cli_text_put(out, " < 0: it does not pass the origin, which is outside of A − B");
}

static bool same_parents(const graze_pair *p, const graze_pair *q) {
  bool same_a =
      p->a == q->a &&
      (p->a >= 0 || (p->point_a.x == q->point_a.x && p->point_a.y == q->point_a.y && p->point_a.z == q->point_a.z));
  bool same_b =
      p->b == q->b &&
      (p->b >= 0 || (p->point_b.x == q->point_b.x && p->point_b.y == q->point_b.y && p->point_b.z == q->point_b.z));
  return same_a && same_b;
}

static bool is_in_simplex(const graze_trace_step *step) {
  for (int i = 0; i < step->simplex_count; i++)
    if (same_parents(&step->simplex[i], &step->pair)) return true;
  return false;
}

static void put_bounds(cli_text *out, const story *s, const graze_trace_step *step) {
  bool low = step->lower > 0, high = isfinite(step->upper) && step->upper > 0;
  if (!low && !high) return;
  cli_text_put(out, s->radius > 0 ? ". The cores are " : ". A and B are ");
  cli_text_put(out, low && high ? "from " : low ? "at least " : "at most ");
  if (low) words_number(out, step->lower);
  if (low && high) cli_text_put(out, " to ");
  if (high) words_number(out, step->upper);
  cli_text_put(out, " apart");
}

static void put_gjk(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  const char *begin = k > 0 ? "Along another first direction, d = " : "Along the first direction, d = ";
  cli_text_put(out, words_begins(s, k) ? begin : "From the simplex's nearest point towards the origin, along d = ");
  put_farthest(out, step, s->dim);
  put_origin_check(out, step);
  if (step->simplex_count > 0 && is_in_simplex(step)) {
    static const char *const shapes[] = {"", "this point", "the segment ", "the triangle ", "the tetrahedron "};
    cli_text_put(out, ". The simplex is now ");
    cli_text_put(out, shapes[step->simplex_count]);
    if (step->simplex_count > 1) put_simplex(out, step, s->dim);
    bool holds = step->stop == GRAZE_TRACE_HOLDS_ORIGIN, full = step->simplex_count > s->dim;
    if (holds) cli_text_put(out, full ? ", which holds the origin" : ", and the origin lies on it, or nearly");
  }
  put_bounds(out, s, step);
}

static void put_portal(cli_text *out, const story *s, const graze_trace_step *step) {
  cli_text_put(out, "Along d = ");
  put_farthest(out, step, s->dim);
  put_origin_check(out, step);
  put_bounds(out, s, step);
}

static void put_exact(cli_text *out, const story *s, const graze_trace_step *step) {
  if (step->direction.x == 0 && step->direction.y == 0 && step->direction.z == 0) {
    cli_text_put(out, "The points that doubles left decide, taken exactly: ");
    put_simplex(out, step, s->dim);
  } else {
    cli_text_put(out, "Exactly: along d = ");
    put_farthest(out, step, s->dim);
    put_origin_check(out, step);
  }
  put_bounds(out, s, step);
}

static void put_polytope(cli_text *out, const graze_surface *polytope, int dim) {
  if (polytope == NULL) return;
  cli_text_put(out, " (");
  words_count(out, polytope->pair_count, "point", "points");
  if (dim == 3) {
    cli_text_put(out, ", ");
    words_count(out, polytope->face_count, "face", "faces");
  }
  cli_text_put(out, ")");
}

static void put_epa(cli_text *out, const story *s, const graze_trace_step *step) {
  cli_text_put(out, "Of the polytope");
  put_polytope(out, step->polytope, s->dim);
  cli_text_put(out, s->dim == 2 ? " the edge " : " the face ");
  put_simplex(out, step, s->dim);
  cli_text_put(out,
               step->upper > 0 ? " is the one that the origin is farthest beyond, by " : " is nearest the origin, ");
  words_number(out, fabs(step->upper));
  if (!(step->upper > 0)) cli_text_put(out, " from it");
  cli_text_put(out, ". Along its outward normal, d = ");
  put_farthest(out, step, s->dim);
  cli_text_put(out, "; d·w = ");
  words_number(out, step->origin_check);
  if (!isfinite(step->lower)) return;
  if (step->lower == step->upper) {
    cli_text_put(out, ". So that is the depth of the cores");
    return;
  }
  cli_text_put(out, ". The depth of the cores is at most ");
  words_number(out, -step->lower);
  if (step->upper > 0) return;
  cli_text_put(out, " and at least ");
  words_number(out, -step->upper);
}

void words_step(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  switch (step->phase) {
  case GRAZE_PHASE_GJK: put_gjk(out, s, k); break;
  case GRAZE_PHASE_PORTAL: put_portal(out, s, step); break;
  case GRAZE_PHASE_EXACT: put_exact(out, s, step); break;
  case GRAZE_PHASE_EPA: put_epa(out, s, step); break;
  }
  cli_text_put(out, ".");
}

/* ---- why it stopped */

static const char *not_passed_text(const story *s, const graze_trace_step *step) {
  if (step->origin_check == 0) return "w does not pass the origin (d·w = 0), so no point of A − B lies beyond it";
  if (isfinite(s->question->options.max_distance) && cli_asks_distance(s->question->query))
    return "w does not pass the origin by so much that the shapes are as far apart as was asked";
  if (s->radius > 0 && step->lower > s->radius)
    return "w does not pass the origin (d·w < 0) by so much that the cores are farther apart than r";
  return "w does not pass the origin (d·w < 0), so no point of A − B reaches it: d separates A and B";
}

/* Full simplexes are taken at their word unless another search looks again. */
static const char *holds_text(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  bool last = k + 1 == s->finding.trace.count || step[1].phase == GRAZE_PHASE_EPA;
  if (step->phase == GRAZE_PHASE_PORTAL) return "the portal and the point inside hold the origin, so A − B does";
  if (step->phase == GRAZE_PHASE_EXACT) return "the points hold the origin in their inside, so A − B does";
  if (step->simplex_count > s->dim && last) return "the simplex holds the origin, so A − B does: A and B meet";
  return step->simplex_count > s->dim ? "the simplex holds the origin, as far as doubles can tell"
                                      : "the origin lies on the simplex, as far as doubles can tell";
}

static const char *met_text(const story *s, const graze_trace_step *step) {
  if (step->phase == GRAZE_PHASE_EPA)
    return step->pair.a >= 0 && step->pair.b >= 0
               ? "no point of A − B lies farther along d: the polytope reaches the border of A − B there, and the "
                 "bounds meet"
               : "no point of A − B lies farther along d than need be known: the bounds meet";
  if (step->phase == GRAZE_PHASE_EXACT) return "nothing of A − B is nearer the origin, exactly";
  if (step->phase == GRAZE_PHASE_PORTAL) return "the bounds decide";
  if (s->radius > 0 && step->upper < s->radius && step->upper - step->lower > 1e-9 * s->radius)
    return "the cores are nearer than r, which is all that was asked";
  return "lower and upper bound have met, as far as was asked";
}

static const char *stop_text(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  switch (step->stop) {
  case GRAZE_TRACE_ORIGIN_NOT_PASSED: return not_passed_text(s, step);
  case GRAZE_TRACE_HOLDS_ORIGIN: return holds_text(s, k);
  case GRAZE_TRACE_VERTEX_REPEATED:
    return step->phase == GRAZE_PHASE_EPA
               ? "w is a corner of the polytope already, which reaches the border of A − B there"
               : "w is in the simplex already: nothing of A − B is nearer the origin than the simplex";
  case GRAZE_TRACE_BOUNDS_MET: return met_text(s, step);
  case GRAZE_TRACE_BUDGET:
    return step->phase == GRAZE_PHASE_EPA ? "the workspace is full" : "the iterations allowed are used up";
  case GRAZE_TRACE_NO_PROGRESS: return "no progress: rounding stopped it";
  case GRAZE_TRACE_GOES_ON: break;
  }
  return "";
}

static const char *next_text(graze_phase now, graze_phase next) {
  if (now == next) return "; it begins again from another direction";
  switch (next) {
  case GRAZE_PHASE_PORTAL: return "; portal refinement takes over";
  case GRAZE_PHASE_EXACT: return "; the exact search takes over";
  case GRAZE_PHASE_EPA: return "; the expanding polytope (EPA) looks for the depth";
  case GRAZE_PHASE_GJK: break;
  }
  return "";
}

/* What took over without steps of its own. */
static const char *after_text(const story *s, graze_phase phase) {
  graze_path path = s->finding.answer.path;
  if (path == GRAZE_PATH_SAT) return "; the depth is then measured along the separating axes";
  if (path == GRAZE_PATH_EXACT && phase == GRAZE_PHASE_GJK)
    return "; exact arithmetic then decides, without further steps";
  return "";
}

void words_stop(cli_text *out, const story *s, size_t k) {
  const cli_trace *trace = &s->finding.trace;
  const graze_trace_step *step = &trace->steps[k];
  if (step->stop == GRAZE_TRACE_GOES_ON) return;
  cli_text_put(out, stop_text(s, k));
  if (k + 1 < trace->count)
    cli_text_put(out, next_text(step->phase, step[1].phase));
  else if (trace->count == trace->total)
    cli_text_put(out, after_text(s, step->phase));
  cli_text_put(out, ".");
}
