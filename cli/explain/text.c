/* The story as plain text, from the query to the verdict. */
#include "explain/format.h"
#include "explain/geometry.h"
#include "explain/sentences.h"
#include "explain/table.h"

#include <math.h>
#include <string.h>

/* ---- The query, and the deciding parts of compounds */

static void emit_part(cli_text *out, const story_body *body, const char *name) {
  emit(out, "%B", body, name);
  if (!body->is_part) return;
  emit(out, " (");
  sentence_shape(out, &body->placed.shape);
  emit(out, ")");
}

/* Steps name the vertices of a part by their indices in the part, so these are listed. */
static void print_part_vertices(cli_text *out, const story_body *body, const char *name) {
  enum { MAX_LISTED = 12 };
  const graze_shape *shape = &body->placed.shape;
  const graze_pose *pose = &body->placed.pose;
  bool listed = shape->kind == GRAZE_POLYGON || shape->kind == GRAZE_HULL || shape->kind == GRAZE_TRIANGLE;
  size_t count = graze_vertex_count(shape);
  if (!body->is_part || !listed || count > MAX_LISTED) return;
  bool moved = !vec_is_zero(pose->position) || pose->x != 0 || pose->y != 0 || pose->z != 0;
  cli_text text = {0};
  emit(&text, "Part %i of %s has its own vertex indices: ", (int)body->part, name);
  for (size_t i = 0; i < count; i++)
    emit(&text, "%s%s%z %v", i > 0 ? ", " : "", name, i, graze_vertex(shape, i), shape->dim);
  emit(&text, moved ? " in its local frame." : ".");
  print_paragraph(out, &text, 0, 0);
  cli_text_free(&text);
}

static void print_parts(cli_text *out, const story *s) {
  if (!story_has_parts(s)) return;
  const cli_request *q = s->request;
  const size_t tested = story_answer(s)->pairs_tested;
  const size_t total = graze_part_count(&q->a.placed) * graze_part_count(&q->b.placed);
  bool internal_edge = story_certificate(s)->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE;
  cli_text text = {0};
  emit(&text, "The deciding pair is ");
  emit_part(&text, &s->a, "A");
  emit(&text, " and ");
  emit_part(&text, &s->b, "B");
  emit(&text, ", one of %c", total, "pair of parts", "pairs of parts");
  if (tested < total) emit(&text, "; bounds excluded all but %z of them", tested);
  emit(&text, ".");
  if (s->finding.trace.count > 0)
    emit(&text, internal_edge ? " The steps are those for this pair, which by itself only touches."
                              : " The steps are those for this pair.");
  emit(out, "\n");
  print_paragraph(out, &text, 0, 0);
  cli_text_free(&text);
  print_part_vertices(out, &s->a, "A");
  print_part_vertices(out, &s->b, "B");
}

/* ---- The phases of the run */

static bool has_kind(const story *s, graze_shape_kind kind) {
  return s->a.placed.shape.kind == kind || s->b.placed.shape.kind == kind;
}

static void print_legend(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  bool below = false, curved = graze_is_curved(&s->a.placed.shape) || graze_is_curved(&s->b.placed.shape);
  size_t phases = 0;
  cli_text text = {0};
  if (s->radius > 0)
    emit(&text,
         "A − B is the Minkowski difference of the cores, the set of all a − b. The cores are the shapes without "
         "their radii: A and B are in contact if A − B comes within r = %r of the origin. Lower and upper are bounds "
         "of the "
         "distance of the cores, which is r more than that of the shapes.",
         s->radius, digits_of_bound(s, s->radius));
  else
    emit(&text,
         "A − B is the Minkowski difference, the set of all a − b: A and B are in contact if it contains the origin.");
  if (!curved) {
    emit(&text, " Its point A2 − B0 is vertex 2 of %s minus vertex 0 of %s", s->a.is_part ? "that part of A" : "A",
         s->b.is_part ? "that part of B" : "B");
    if (has_kind(s, GRAZE_BOX)) emit(&text, "; bit k of the index of a box vertex is the sign of axis k");
    if (has_kind(s, GRAZE_SPHERE)) emit(&text, "; index 0 of a %s is its center", s->dim == 2 ? "circle" : "sphere");
    if (has_kind(s, GRAZE_CAPSULE)) emit(&text, "; indices 0 and 1 of a capsule are the end points of its core");
    emit(&text, ".");
  }
  emit(&text, " In a simplex, w1 w2 … are the support points of these steps.");
  for (size_t k = 0; k < trace->count; k++) {
    const graze_phase phase = trace->steps[k].phase;
    phases += phase_begins(s, k) && phase != GRAZE_PHASE_BOUNDARY_WALK; /* its bounds continue those of GJK */
    below = below || (trace->steps[k].lower < 0 && (phase <= GRAZE_PHASE_EXACT || phase == GRAZE_PHASE_BOUNDARY_WALK));
  }
  if (phases > 1) emit(&text, " Each phase begins with bounds of its own.");
  if (below)
    emit(&text,
         " A lower bound < 0 bounds the signed distance. It is minus the least d·w/|d| so far: moving B by that "
         "length along d separates %s.",
         s->radius > 0 ? "the cores" : "A and B");
  print_paragraph(out, &text, 0, 0);
  cli_text_free(&text);
}

static void print_phases(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  bool explained[GRAZE_PHASE_AXES + 1] = {false};
  print_legend(out, s);
  if (trace->axis_count > 0)
    print_wrapped(out, 0, 0,
                  "GJK runs first: it decides the relation and gives the points of the certificate. The separating "
                  "axes follow below.");
  for (size_t first = 0, last; first < trace->count; first = last + 1) {
    graze_phase phase = trace->steps[first].phase;
    for (last = first; last + 1 < trace->count && !phase_begins(s, last + 1);) last++;
    const graze_trace_step *end = &trace->steps[last];
    cli_text text = {0};
    emit(out, "\n%s\n", phase_of(phase)->title);
    if (!explained[phase]) phase_explain(&text, s, phase);
    print_paragraph(out, &text, 2, 0);
    explained[phase] = true;
    emit(out, "\n");
    table_steps(out, s, first, last);
    if (last + 1 == trace->count && s->radius > 0 && isfinite(end->lower) && isfinite(end->upper))
      print_wrapped(out, 2, 2, "The bounds of the distance of the shapes are the last bounds less r: %n and %n.",
                    end->lower - s->radius, end->upper - s->radius);
    if (end->stop != GRAZE_TRACE_CONTINUE) emit(&text, "Stopped: ");
    phase_stop(&text, s, last);
    print_paragraph(out, &text, 2, 2);
    cli_text_free(&text);
  }
  if (trace->total > trace->count)
    print_wrapped(out, 2, 0, "… %c not recorded", trace->total - trace->count, "more step is", "more steps are");
}

/* ---- Casts: the time bar, and the steps of a sweep */

enum { BAR = 4 * (MOTION_SAMPLES - 1) + 1 }; /* four columns between samples */

static int bar_column(const story_motion *m, double t) {
  return m->t_end > 0 ? (int)floor(t / m->t_end * (BAR - 1) + 0.5) : 0;
}

/* "= proved free, ~ undecided", of the signs that occur. */
static void emit_signs(cli_text *out, const char *row, const char *const signs[][2], size_t count) {
  bool first = true;
  for (size_t i = 0; i < count; i++) {
    if (strchr(row, signs[i][0][0]) == NULL) continue;
    emit(out, first ? "%s %s" : ", %s %s", signs[i][0], signs[i][1]);
    first = false;
  }
}

static void print_bar(cli_text *out, const story *s) {
  static const char *const states[][2] = {{"=", "proved free"}, {"~", "undecided"}, {"#", "after the first contact"}};
  static const char *const relations[][2] = {
      {"o", "separated"}, {"x", "overlapping"}, {"t", "touching"}, {"-", "no relation"}};
  const story_motion *m = s->motion;
  char bar[BAR + 1], samples[BAR + 1];
  memset(bar, '=', BAR);
  memset(samples, ' ', BAR);
  bar[BAR] = samples[BAR] = 0;
  /* Every span has at least one column. */
  for (int i = 0, next = 0; i < m->span_count; i++) {
    int from = bar_column(m, m->spans[i].from);
    next = from < next ? next : from;
    if (next < BAR) memset(bar + next, " =~#"[m->spans[i].state], (size_t)(BAR - next));
    next++;
  }
  for (int k = 0; k < m->moment_count; k++) {
    graze_relation r = m->moments[k].relation;
    char sign = r == GRAZE_SEPARATED ? 'o' : r == GRAZE_TOUCHING ? 't' : r == GRAZE_OVERLAPPING ? 'x' : '-';
    if (m->moments[k].sampled) samples[bar_column(m, m->moments[k].t)] = sign;
  }
  for (int i = BAR; i > 0 && samples[i - 1] == ' '; i--) samples[i - 1] = 0;
  emit(out, "\nThe time from 0 to %n%s\n\n  proof    %s\n  samples  %s\n\n  ", m->t_end,
       isfinite(m->t_max) ? "" : " (the motion is unbounded)", bar, samples);
  emit_signs(out, bar, states, 3);
  emit(out, "; ");
  emit_signs(out, samples, relations, 4);
  emit(out, ".\n");
  print_wrapped(out, 2, 0, "%S", sentence_cast_samples, s);
}

/* ---- The answer, the certificate, and the whole */

static void print_answer(cli_text *out, const story *s) {
  const graze_answer *answer = story_answer(s);
  emit(out, "\nAnswer\n");
  print_wrapped(out, 2, 2, "%S", sentence_answer, s);
  if (!cli_query_has_distance(s->request->query) || !isfinite(answer->point_a.x) || !isfinite(answer->point_b.x))
    return;
  int digits = digits_of_witness(s, answer->point_a, answer->point_b);
  print_wrapped(out, 2, 2, "witness points %w on A and %w on B, normal %v", answer->point_a, s->dim, digits,
                answer->point_b, s->dim, digits, answer->normal, s->dim);
}

static void print_certificate(cli_text *out, const story *s) {
  cli_text text = {0};
  for (size_t k = 0; sentence_certificate(&text, s, k); k++) {
    if (k == 0) emit(out, "\nCertificate\n");
    print_paragraph(out, &text, 2, 2);
  }
  if (text.failed) out->failed = true;
  cli_text_free(&text);
}

void story_print_text(cli_text *out, const story *s) {
  const graze_algorithm algorithm = story_answer(s)->algorithm;
  cli_text id = {0};
  cli_text_bytes(&id, s->request->id.data, s->request->id.size);
  print_wrapped(out, 0, 2, id.size > 0 ? "%t: %S" : "%t%S", &id, sentence_query, s);
  cli_text_free(&id);
  if (s->request->query == CLI_MINKOWSKI) {
    table_vertices(out, s);
  } else if (s->motion) {
    emit(out, "\n");
    print_wrapped(out, 0, 0, "%S", sentence_cast_path, s);
    print_bar(out, s);
    table_sweep(out, s);
  } else {
    print_parts(out, s);
    emit(out, "\n");
    if (s->finding.trace.count > 0)
      print_phases(out, s);
    else
      print_wrapped(out, 0, 0,
                    algorithm == GRAZE_ALGORITHM_HALFSPACE
                        ? "No iterations: against a half-space, one support point of the other shape decides."
                    : algorithm == GRAZE_ALGORITHM_BRUTE
                        ? "No iterations: brute force computes all vertex pairs a − b and their convex hull exactly."
                    : algorithm == GRAZE_ALGORITHM_SAT ? "No iterations: separating axes decide."
                    : algorithm == GRAZE_ALGORITHM_EXACT
                        ? "No step is recorded: exact arithmetic decided without iterations."
                        : "No step is recorded.");
    table_axes(out, s);
  }
  print_answer(out, s);
  table_contacts(out, s);
  print_certificate(out, s);
}
