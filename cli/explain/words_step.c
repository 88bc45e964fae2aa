/* The steps of a search in words. */
#include "explain/words.h"

#include <math.h>

bool words_begins(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  return k == 0 || step[-1].stop != GRAZE_TRACE_CONTINUE || step[-1].phase != step->phase;
}

const char *words_start(const story *s) {
  const graze_options *options = &s->question->options;
  graze_vec d = options->start, a = s->a.placed.pose.position, b = s->b.placed.pose.position;
  if (options->method == GRAZE_METHOD_GJK && (d.x != 0 || d.y != 0 || d.z != 0)) return "is the question's \"start\"";
  bool same = a.x == b.x && a.y == b.y && (s->dim == 2 || a.z == b.z);
  return same ? "is the x axis, as A and B have the same position" : "goes from A's place to B's";
}

const char *words_first_points(const story *s) {
  if (s->question->options.method == GRAZE_METHOD_BRUTE)
    return "The polytope begins as the hull of all differences of vertices.";
  return s->dim == 2 ? "The polytope begins with the points of the search before; support points are added where these "
                       "do not span a polygon."
                     : "The polytope begins with the points of the search before; support points are added where these "
                       "do not span a solid.";
}

/* "A2 − B0 = (−1, −3)", of curved cores without parents. */
static void put_point(cli_text *out, const story *s, const graze_pair *pair, graze_vec at) {
  words_pair(out, pair);
  if (words_has_parents(pair)) cli_text_str(out, " = ");
  words_vec_rounded(out, at, s->dim, words_vec_digits(at, words_gap(s)));
}

/* By its parents, or where it is. */
static void put_name(cli_text *out, const graze_pair *pair, graze_vec at, int dim) {
  if (words_has_parents(pair))
    words_pair(out, pair);
  else
    words_vec(out, at, dim);
}

static void put_simplex(cli_text *out, const graze_trace_step *step, int dim) {
  for (int i = 0; i < step->simplex_count; i++) {
    words_between(out, i, step->simplex_count);
    put_name(out, &step->simplex[i], step->simplex_point[i], dim);
  }
}

/* ", the farthest point of A − B is w = A2 − B0 = (−1, −3)" */
static void put_farthest(cli_text *out, const story *s, const graze_trace_step *step) {
  const int digits = words_vec_digits(step->point, words_gap(s));
  words_vec_rounded(out, step->direction, s->dim, words_direction_digits(s, step->direction, digits));
  cli_text_str(out, ", the farthest point of A − B is w = ");
  put_point(out, s, &step->pair, step->point);
}

/* Signs of the exact search are right; others where the answer agrees with them. */
static bool is_sure(const story *s, const graze_trace_step *step) {
  return step->phase == GRAZE_PHASE_EXACT || s->finding.answer.relation == GRAZE_SEPARATED;
}

static void put_origin_check(cli_text *out, const story *s, const graze_trace_step *step) {
  double check = step->origin_check;
  cli_text_str(out, "; d·w = ");
  words_bound(out, s, check);
  if (check > 0)
    cli_text_str(out, " > 0: it passes the origin");
  else if (check == 0)
    cli_text_str(out, ": it comes as far as the origin and no farther");
  else
    cli_text_str(out, " < 0: it does not pass the origin, which is outside of A − B");
  if (check < 0 && !is_sure(s, step)) cli_text_str(out, ", as far as doubles can tell");
}

static bool is_in_simplex(const graze_trace_step *step) {
  for (int i = 0; i < step->simplex_count; i++)
    if (cli_same_pair(&step->simplex[i], &step->pair)) return true;
  return false;
}

static void put_bounds(cli_text *out, const story *s, const graze_trace_step *step) {
  bool low = step->lower > 0, high = isfinite(step->upper) && step->upper > 0;
  if (!low && !high) return;
  cli_text_str(out, s->radius > 0 ? ". The cores are " : ". A and B are ");
  cli_text_str(out, low && high ? "from " : low ? "at least " : "at most ");
  if (low) words_bound(out, s, step->lower);
  if (low && high) cli_text_str(out, " to ");
  if (high) words_bound(out, s, step->upper);
  cli_text_str(out, " apart");
}

static void put_gjk(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  if (!words_begins(s, k)) {
    cli_text_str(out, "From the simplex's nearest point towards the origin, along d = ");
  } else if (k > 0) {
    cli_text_str(out, "Along another first direction, d = ");
  } else {
    cli_text_str(out, "Along the first direction, which ");
    cli_text_str(out, words_start(s));
    cli_text_str(out, ", d = ");
  }
  put_farthest(out, s, step);
  put_origin_check(out, s, step);
  if (step->simplex_count > 0 && is_in_simplex(step)) {
    static const char *const shapes[] = {"", "this point", "the segment ", "the triangle ", "the tetrahedron "};
    cli_text_str(out, ". The simplex is now ");
    cli_text_str(out, shapes[step->simplex_count]);
    if (step->simplex_count > 1) put_simplex(out, step, s->dim);
    bool holds = step->stop == GRAZE_TRACE_CONTAINS_ORIGIN, full = step->simplex_count > s->dim;
    const char *near =
        step->simplex_count == 1 ? ", which is the origin, or nearly" : ", and the origin lies on it, or nearly";
    if (holds) cli_text_str(out, full ? ", which holds the origin" : near);
  }
  put_bounds(out, s, step);
}

static void put_portal(cli_text *out, const story *s, const graze_trace_step *step) {
  cli_text_str(out, "Along d = ");
  put_farthest(out, s, step);
  put_origin_check(out, s, step);
  put_bounds(out, s, step);
}

static void put_exact(cli_text *out, const story *s, const graze_trace_step *step) {
  if (!story_has_point(step)) {
    cli_text_str(out, "The points that doubles left decide, taken exactly: ");
    put_simplex(out, step, s->dim);
  } else {
    cli_text_str(out, "Exactly: along d = ");
    put_farthest(out, s, step);
    put_origin_check(out, s, step);
  }
  put_bounds(out, s, step);
}

static void put_polytope(cli_text *out, const graze_surface *polytope, int dim) {
  if (polytope == NULL) return;
  cli_text_str(out, " (");
  words_count(out, polytope->pair_count, "point", "points");
  if (dim == 3) {
    cli_text_str(out, ", ");
    words_count(out, polytope->face_count, "face", "faces");
  }
  cli_text_str(out, ")");
}

static void put_epa(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  if (words_begins(s, k)) {
    cli_text_str(out, words_first_points(s));
    cli_text_str(out, " ");
  }
  cli_text_str(out, "Of the polytope");
  put_polytope(out, step->polytope, s->dim);
  cli_text_str(out, s->dim == 2 ? " the edge " : " the face ");
  put_simplex(out, step, s->dim);
  cli_text_str(out,
               step->upper > 0 ? " is the one that the origin is farthest beyond, by " : " is nearest the origin, ");
  words_number(out, fabs(step->upper));
  if (!(step->upper > 0)) cli_text_str(out, " from it");
  cli_text_str(out, ". Along its outward normal, d = ");
  put_farthest(out, s, step);
  cli_text_str(out, "; d·w = ");
  words_number(out, step->origin_check);
  if (!isfinite(step->lower)) return;
  if (step->lower == step->upper) {
    cli_text_str(out, ". So that is the depth of the cores");
    return;
  }
  cli_text_str(out, ". The depth of the cores is at most ");
  words_number(out, -step->lower);
  if (step->upper > 0) return;
  cli_text_str(out, " and at least ");
  words_number(out, -step->upper);
}

void words_step(cli_text *out, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  switch (step->phase) {
  case GRAZE_PHASE_GJK: put_gjk(out, s, k); break;
  case GRAZE_PHASE_PORTAL: put_portal(out, s, step); break;
  case GRAZE_PHASE_EXACT: put_exact(out, s, step); break;
  case GRAZE_PHASE_EPA: put_epa(out, s, k); break;
  }
  cli_text_str(out, ".");
}

/* ---- why it stopped */

static const char *not_passed_text(const story *s, const graze_trace_step *step) {
  if (step->origin_check == 0) return "w does not pass the origin (d·w = 0), so no point of A − B lies beyond it";
  if (isfinite(s->question->options.max_distance) && cli_query_has_distance(s->question->query))
    return "w does not pass the origin by so much that the shapes are as far apart as was asked";
  if (s->radius > 0 && step->lower > s->radius)
    return is_sure(s, step) ? "w does not pass the origin (d·w < 0) by so much that the cores are farther apart than r"
                            : "w does not pass the origin (d·w < 0) by about r, as far as doubles can tell";
  if (!is_sure(s, step)) return "w does not pass the origin (d·w < 0), as far as doubles can tell";
  return "w does not pass the origin (d·w < 0), so no point of A − B reaches it: d separates A and B";
}

/* The exact search ends with points whose hull holds the origin; without radii, in its inside. */
static const char *holds_exactly_text(const story *s, const graze_trace_step *step) {
  if (s->radius <= 0) return "the points hold the origin in their inside, so A − B does";
  graze_vec v = step->simplex_point[0], w = step->point;
  bool is_origin = step->simplex_count == 1 && v.x == 0 && v.y == 0 && v.z == 0 && w.x == 0 && w.y == 0 && w.z == 0;
  return is_origin ? "the point is the origin: the cores meet"
                   : "the hull of the points holds the origin: the cores meet";
}

/* Full simplexes are taken at their word unless another search looks again. */
static const char *holds_text(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  bool last = k + 1 == s->finding.trace.count || step[1].phase == GRAZE_PHASE_EPA;
  if (step->phase == GRAZE_PHASE_PORTAL) return "the portal and the point inside hold the origin, so A − B does";
  if (step->phase == GRAZE_PHASE_EXACT) return holds_exactly_text(s, step);
  if (step->simplex_count > s->dim && last) return "the simplex holds the origin, so A − B does: A and B meet";
  if (step->simplex_count == 1) return "the point of the simplex is the origin, as far as doubles can tell";
  return step->simplex_count > s->dim ? "the simplex holds the origin, as far as doubles can tell"
                                      : "the origin lies on the simplex, as far as doubles can tell";
}

static const char *met_text(const story *s, const graze_trace_step *step) {
  if (step->phase == GRAZE_PHASE_EPA)
    return words_has_parents(&step->pair)
               ? "no point of A − B lies farther along d: the polytope reaches the border of A − B there, and the "
                 "bounds meet"
               : "no point of A − B lies farther along d than need be known: the bounds meet";
  if (step->phase == GRAZE_PHASE_EXACT) return "nothing of A − B is nearer the origin, exactly";
  if (step->phase == GRAZE_PHASE_PORTAL) return "the bounds decide";
  if (s->radius > 0 && step->upper < s->radius && step->upper - step->lower > 1e-9 * s->radius)
    return "the cores are nearer than r, which is all that was asked";
  return "lower and upper bound have met, as far as was asked";
}

/* EPA ends so only where the face nearest the origin has the origin on it or beyond, or where the hole that the new
 * point makes cannot be closed. */
static const char *no_progress_text(const graze_trace_step *step) {
  if (step->phase != GRAZE_PHASE_EPA) return "no progress: rounding stopped it";
  return step->upper < 0 ? "rounding left no closed polytope with w as one of its corners"
                         : "the origin is not inside this polytope but on its border or beyond, as far as doubles can "
                           "tell, and w is a point that was there before, or no farther out: it cannot be used";
}

static const char *stop_text(const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  switch (step->stop) {
  case GRAZE_TRACE_ORIGIN_NOT_PASSED: return not_passed_text(s, step);
  case GRAZE_TRACE_CONTAINS_ORIGIN: return holds_text(s, k);
  case GRAZE_TRACE_VERTEX_REPEATED:
    return step->phase == GRAZE_PHASE_EPA
               ? "w is a corner of the polytope already, which reaches the border of A − B there"
               : "w is in the simplex already: nothing of A − B is nearer the origin than the simplex";
  case GRAZE_TRACE_BOUNDS_MET: return met_text(s, step);
  case GRAZE_TRACE_BUDGET:
    return step->phase == GRAZE_PHASE_EPA ? "the workspace is full" : "the iterations allowed are used up";
  case GRAZE_TRACE_NO_PROGRESS: return no_progress_text(step);
  case GRAZE_TRACE_CONTINUE: break;
  }
  return "";
}

static const char *next_text(const story *s, graze_phase now, graze_phase next) {
  graze_algorithm path = s->finding.answer.algorithm;
  if (now == next && now == GRAZE_PHASE_EPA)
    return path == GRAZE_ALGORITHM_EXACT || path == GRAZE_ALGORITHM_BRUTE
               ? "; it begins again in exact arithmetic, with all points of the search before"
               : "; it begins again";
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
  graze_algorithm path = s->finding.answer.algorithm;
  if (path == GRAZE_ALGORITHM_SAT) return "; the depth is then measured along the separating axes";
  if (path == GRAZE_ALGORITHM_EXACT && phase == GRAZE_PHASE_GJK)
    return "; exact arithmetic then decides, without further steps";
  return "";
}

void words_stop(cli_text *out, const story *s, size_t k) {
  const cli_trace *trace = &s->finding.trace;
  const graze_trace_step *step = &trace->steps[k];
  if (step->stop == GRAZE_TRACE_CONTINUE) return;
  cli_text_str(out, stop_text(s, k));
  if (k + 1 < trace->count)
    cli_text_str(out, next_text(s, step->phase, step[1].phase));
  else if (trace->count == trace->total)
    cli_text_str(out, after_text(s, step->phase));
  cli_text_str(out, ".");
}
