/* The story as plain text, from the query to the verdict: wrapped paragraphs and aligned tables. */
#include "explain/story.h"

#include <math.h>
#include <string.h>

/* A table is a text: cells end with a tab, rows with a line break. The first row has the headings; columns whose
 * heading begins with > are aligned right. A row of one cell extends across all columns. Every code point is one column
 * wide. */
enum { TABLE_MAX_COLUMNS = 10, GAP = 2, TEXT_WIDTH = 100 };

static size_t code_points(const char *bytes, size_t size) {
  size_t count = 0;
  for (size_t i = 0; i < size; i++) count += ((unsigned char)bytes[i] & 0xC0) != 0x80;
  return count;
}

static void emit_spaces(cli_text *out, size_t count) {
  while (count-- > 0) cli_text_str(out, " ");
}

/* Visits every cell: measures it if `out` is NULL, else prints it. */
static void visit(const cli_text *table, size_t widths[TABLE_MAX_COLUMNS], cli_text *out) {
  bool right[TABLE_MAX_COLUMNS], heading = true;
  for (size_t at = 0, end; at < table->size; heading = false) {
    size_t spaces = 2, size; /* spaces are printed before the next text, so that no line ends with them */
    end = at + strcspn(table->data + at, "\n");
    bool across = strcspn(table->data + at, "\t\n") == end - at;
    for (int i = 0; at <= end; i++, at += size + 1) {
      const char *cell = table->data + at;
      size = strcspn(cell, "\t\n");
      if (heading) right[i] = *cell == '>';
      size_t mark = heading && right[i], width = code_points(cell, size) - mark;
      if (!across && width > widths[i]) widths[i] = width;
      size_t rest = across ? 0 : widths[i] - width;
      if (out && size > mark) {
        emit_spaces(out, spaces + (right[i] ? rest : 0));
        cli_text_bytes(out, cell + mark, size - mark);
        spaces = GAP + (right[i] ? 0 : rest);
      } else {
        spaces += GAP + rest;
      }
    }
    if (out) cli_text_str(out, "\n");
  }
}

/* The code points of the widest row. */
static size_t table_width(const cli_text *table) {
  size_t widths[TABLE_MAX_COLUMNS] = {0}, sum = 0;
  visit(table, widths, NULL);
  for (int i = 0; i < TABLE_MAX_COLUMNS; i++) sum += widths[i] + (i > 0 && widths[i] > 0 ? GAP : 0);
  return sum;
}

/* Frees the table. */
static void table_print(cli_text *out, cli_text *table) {
  size_t widths[TABLE_MAX_COLUMNS] = {0};
  if (table->failed) out->failed = true;
  visit(table, widths, NULL);
  visit(table, widths, out);
  cli_text_free(table);
}

/* ---- Paragraphs */

/* Wraps `text` into lines of TEXT_WIDTH, indented by `indent`, those after the first by `hang` more. Frees `text`. */
static void print_paragraph(cli_text *out, cli_text *text, size_t indent, size_t hang) {
  const char *words = text_string(out, text), minus[] = " − ";
  size_t column = indent;
  if (text->size > 0) emit_spaces(out, indent);
  for (size_t at = 0, end; at < text->size; at = end + 1) {
    /* The end of a piece: a space outside of "A − B", parentheses and brackets, so that vectors and intervals are not
     * broken unless they are long. */
    size_t depth = 0;
    for (end = at; end < text->size; end++) {
      char c = words[end];
      if (c == '(' || c == '[') depth++;
      if ((c == ')' || c == ']') && depth > 0) depth--;
      bool of_difference = strncmp(words + end, minus, 5) == 0 || (end >= 4 && strncmp(words + end - 4, minus, 5) == 0);
      if (c == ' ' && !of_difference && (depth == 0 || end - at > TEXT_WIDTH / 2)) break;
    }
    size_t width = code_points(words + at, end - at);
    if (at > 0 && column + 1 + width > TEXT_WIDTH) {
      cli_text_str(out, "\n");
      emit_spaces(out, column = indent + hang);
    } else if (at > 0) {
      cli_text_str(out, " ");
      column++;
    }
    cli_text_bytes(out, words + at, end - at);
    column += width;
  }
  if (text->size > 0) cli_text_str(out, "\n");
  cli_text_free(text);
}

/* The same with a text of emit(). */
static void print_wrapped(cli_text *out, size_t indent, size_t hang, const char *format, ...) {
  cli_text text = {0};
  va_list list;
  va_start(list, format);
  emit_list(&text, format, list);
  va_end(list);
  print_paragraph(out, &text, indent, hang);
}

/* Long tables are cut. In a wide table numbers get fewer digits; if that hides the distance, it may be wider. */
enum { FIRST_ROWS = 30, LAST_ROWS = 10, FIRST_AXES = 20, LAST_AXES = 9, FIRST_STEPS = 8, LAST_STEPS = 3 };
enum { MAX_WIDTH = 98, MAX_WIDTH_WITH_DISTANCE = 140 };
enum { LEAST_DIGITS = 4, SPARE_DIGITS = 3 }; /* the distance is still visible with SPARE_DIGITS fewer */

/* The row after `row` of the rows first … last, of which only `head` and `tail` are printed. */
static size_t next_row(cli_text *t, size_t row, size_t first, size_t last, size_t head, size_t tail, const char *name) {
  if (last - first + 1 <= head + tail + 1 || row + 1 != first + head) return row + 1;
  size_t next = last + 1 - tail;
  emit(t, "… %z more %s …\n", next - row - 1, name);
  return next;
}

/* ---- The steps of a phase */

/* Each vertex is named by the step that computed it, else by its pair, else by its coordinates. */
static void emit_simplex(cli_text *t, const story *s, size_t k, int digits) {
  const graze_trace_step *steps = s->finding.trace.steps, *step = &steps[k];
  for (int i = 0; i < step->simplex_count; i++) {
    const graze_cso_point *w = &step->simplex[i];
    size_t j = 0;
    while (j <= k && !(story_has_point(&steps[j]) && cso_point_equal(&steps[j].support, w))) j++;
    if (i > 0) emit(t, " ");
    if (step->phase == GRAZE_PHASE_PORTAL && i == 0)
      emit(t, "v"); /* the interior point */
    else if (j <= k)
      emit(t, "w%i", (int)j + 1);
    else if (cso_point_has_vertices(w))
      emit(t, "A%i−B%i", (int)w->a, (int)w->b);
    else
      emit(t, "%w", w->point, s->dim, digits);
  }
}

/* The headings of the columns of phases, by their letters; s is the simplex. */
static const char *const HEADINGS[] = {
    ['#'] = ">#",   ['p'] = "polytope", ['d'] = "direction d", ['n'] = "its normal d", ['w'] = "support point w",
    ['c'] = ">d·w", ['o'] = "reaches",  ['L'] = ">%slower",    ['U'] = ">%supper"};

/* `digits`: of points. Bounds get more if they must show r. */
static void emit_cell(cli_text *t, const story *s, size_t k, char letter, int digits) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  double bound = fmax(fabs(step->lower), isfinite(step->upper) ? fabs(step->upper) : 0);
  int exact = digits_of_bound(s, bound), shorter = digits < DIGITS ? digits : DIGITS;
  int bound_digits = exact > DIGITS ? exact : shorter;
  bool point = story_has_point(step);
  switch (letter) {
  case '#': emit(t, "%z", k + 1); break;
  case 'p':
    if (step->polytope) emit(t, "%c", step->polytope->pair_count, "point", "points");
    break;
  case 'd':
  case 'n':
    emit(t, point ? "%w" : "none", step->direction, s->dim,
         digits < DIGITS ? digits : digits_of_direction(s, step->direction, digits));
    break;
  case 'w':
    if (point && cso_point_has_vertices(&step->support))
      emit(t, "A%i−B%i ", (int)step->support.a, (int)step->support.b);
    emit(t, point ? "%w" : "none", step->support.point, s->dim, digits);
    break;
  case 'c':
    if (point) emit(t, "%r", step->origin_check, bound_digits);
    break;
  case 'o':
    if (point) emit(t, step->origin_check > 0 ? "yes" : step->origin_check < 0 ? "no" : "just");
    break;
  case 's': emit_simplex(t, s, k, digits); break;
  case 'L': emit(t, "%r", step->lower, bound_digits); break;
  case 'U': emit(t, "%r", step->upper, bound_digits); break;
  }
}

/* Steps `first` to `last`, with as many digits as show the distance and fit. */
static void table_steps(cli_text *out, const story *s, size_t first, size_t last) {
  const phase_info *phase = phase_of(s->finding.trace.steps[first].phase);
  cli_text t = {0};
  int most = 0;
  for (size_t k = first; k <= last; k++) {
    int digits = digits_of_point(s, s->finding.trace.steps[k].support.point);
    if (digits > most) most = digits;
  }
  int digits = most;
  for (;; digits--) {
    t.size = 0;
    const char *core = s->radius > 0 && digits > LEAST_DIGITS ? "core " : ""; /* if the width allows it */
    for (const char *c = phase->columns; *c; c++) {
      emit(&t, *c == 's' ? phase->simplex : HEADINGS[(int)*c], core);
      emit(&t, c[1] ? "\t" : "\n");
    }
    for (size_t k = first; k <= last; k = next_row(&t, k, first, last, FIRST_ROWS, LAST_ROWS, "steps")) {
      for (const char *c = phase->columns; *c; c++) {
        emit_cell(&t, s, k, *c, digits);
        emit(&t, c[1] ? "\t" : "\n");
      }
    }
    bool last_with_distance = digits == most - SPARE_DIGITS && digits > LEAST_DIGITS;
    if (digits <= LEAST_DIGITS || table_width(&t) <= MAX_WIDTH) break;
    if (last_with_distance && table_width(&t) <= MAX_WIDTH_WITH_DISTANCE) break;
  }
  table_print(out, &t);
  if (digits < most - SPARE_DIGITS)
    print_wrapped(out, 2, 0,
                  "The distance is far less than the size of the points, and these digits do not show it. The page and "
                  "the JSON have all digits.");
}

/* ---- Separating axes */

static void emit_axis(cli_text *t, const story *s, size_t k, int digits) {
  const graze_axis *axis = &s->finding.trace.axes[k];
  bool best = (int)k == s->best_axis;
  /* The intervals show their gap or overlap. */
  double size = fmax(fmax(fabs(axis->a.min), fabs(axis->a.max)), fmax(fabs(axis->b.min), fabs(axis->b.max)));
  int shown = digits_for(size, fabs(axis->separation));
  emit(t, "%z\t%K\t%w\t%r … %r\t%r … %r\t%n\t%s\n", (best ? s->finding.trace.best_axis : k) + 1, sentence_axis, s, k,
       axis->direction, s->dim, digits, axis->a.min, shown, axis->a.max, shown, axis->b.min, shown, axis->b.max, shown,
       axis->separation, best ? "← best" : "");
}

static void table_axes(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  if (trace->axis_count == 0) return;
  cli_text t = {0};
  emit(out, "\nSeparating axes\n");
  print_wrapped(out, 2, 0,
                "If the projections of A and B on an axis are disjoint (separation > 0), it is a separating axis, and "
                "the separation is a lower bound of the distance. If they overlap on all %c, %s.",
                trace->axis_total, "axis", "axes",
                s->radius > 0 ? "rounded corners can still be disjoint; the least overlap is the depth if the cores "
                                "overlap, too"
                              : "the shapes overlap, and the least overlap is the depth");
  size_t last = trace->axis_count - 1;
  for (int digits = DIGITS; digits >= LEAST_DIGITS; digits--) {
    t.size = 0;
    emit(&t, ">#\tfrom\taxis, towards B\tprojection of A\tprojection of B\t>separation\t\n");
    for (size_t k = 0, next; k <= last; k = next) {
      emit_axis(&t, s, k, digits);
      next = next_row(&t, k, 0, last, FIRST_AXES, LAST_AXES, "axes");
      if (s->best_axis > (int)k && (size_t)s->best_axis < next) emit_axis(&t, s, (size_t)s->best_axis, digits);
    }
    if (table_width(&t) <= MAX_WIDTH) break;
  }
  table_print(out, &t);
}

/* ---- Contacts, and the vertices of a Minkowski sum or difference */

static void table_contacts(cli_text *out, const story *s) {
  const cli_pair_result *f = &s->finding;
  if (s->request->query == CLI_MANIFOLD && f->count == 0) emit(out, "  no contact points\n");
  if (f->count == 0) return;
  cli_text t = {0};
  emit(&t, ">contact\ton A\ton B\t>depth\n");
  for (size_t k = 0; k < f->count; k = next_row(&t, k, 0, f->count - 1, FIRST_ROWS, LAST_ROWS, "contacts")) {
    const graze_contact *c = &f->contacts[k];
    int digits = digits_of_witness(s, c->point_a, c->point_b);
    emit(&t, "%z\t%w\t%w\t%n\n", k, c->point_a, s->dim, digits, c->point_b, s->dim, digits, c->depth);
  }
  table_print(out, &t);
}

static void table_vertices(cli_text *out, const story *s) {
  if (s->set.count == 0) return;
  cli_text t = {0};
  double spread = 0; /* the digits show the size of the set */
  size_t last = s->set.count - 1;
  for (size_t k = 1; k <= last; k++) spread = fmax(spread, vec_norm_inf(vec_sub(s->set.points[k], s->set.points[0])));
  int digits = digits_for(vec_norm_inf(s->set.points[0]), spread);
  const char *format = s->request->of == GRAZE_MINKOWSKI_SUM ? "%z\tA%i + B%i\t%w\n" : "%z\tA%i − B%i\t%w\n";
  emit(out, "\nBy brute force: all vertex pairs, and the vertices of their convex hull\n");
  emit(&t, ">vertex\tpair\tat\n");
  for (size_t k = 0; k <= last; k = next_row(&t, k, 0, last, FIRST_ROWS, LAST_ROWS, "vertices"))
    emit(&t, format, k, (int)s->set.pairs[k].a, (int)s->set.pairs[k].b, s->set.points[k], s->dim, digits);
  table_print(out, &t);
}

/* ---- The steps of a sweep */

static void table_sweep(cli_text *out, const story *s) {
  const graze_certificate *c = &s->motion->certificate;
  if (c->step_count == 0) return;
  cli_text t = {0};
  size_t last = c->step_count - 1;
  emit(out, "\nThe steps of the proof\n\n");
  emit(&t, ">#\t>from t\t>to t\tdirection d\n");
  for (size_t k = 0; k <= last; k = next_row(&t, k, 0, last, FIRST_STEPS, LAST_STEPS, "steps"))
    emit(&t, "%z\t%n\t%n\t%v\n", k + 1, c->steps[k].from, c->steps[k].to, c->steps[k].direction, s->dim);
  table_print(out, &t);
}

/* ---- The deciding parts of compounds and meshes, and the faces that a ray hits */

static void print_parts(cli_text *out, const story *s) {
  cli_text text = {0};
  sentence_parts(&text, s);
  if (text.size == 0) return;
  emit(out, "\n");
  print_paragraph(out, &text, 0, 0);
  for (size_t k = 0; k < 2 && s->of_parts; k++) print_wrapped(out, 0, 0, "%K", sentence_vertices, s, k);
}

static void table_hits(cli_text *out, const story *s) {
  cli_text t = {0};
  if (s->ray.count == 0 || !s->motion || !s->motion->ray) return;
  const char *word = s->dim == 2 ? "edge" : "triangle";
  emit(out, "\nThe %ss that the ray hits\n\n", word);
  emit(&t, ">#\t>%s\t>t\tat\n", word);
  for (size_t k = 0; k < s->ray.count; k = next_row(&t, k, 0, s->ray.count - 1, FIRST_ROWS, LAST_ROWS, "hits"))
    emit(&t, "%z\t%i\t%n\t%v\n", k + 1, (int)s->ray.hits[k].face, s->ray.hits[k].t, s->ray.hits[k].at, s->dim);
  table_print(out, &t);
}

/* ---- The phases of the run */

static void print_legend(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  bool below = false, curved = graze_is_curved(&s->a.placed.shape) || graze_is_curved(&s->b.placed.shape);
  const graze_shape_kind a = s->a.placed.shape.kind, b = s->b.placed.shape.kind;
  size_t phases = 0;
  cli_text text = {0};
  if (s->radius > 0)
    emit(&text,
         "A − B is the Minkowski difference of the cores, the set of all a − b. The cores are the shapes without their "
         "radii: A and B are in contact if A − B comes within r = %r of the origin. Lower and upper are bounds of the "
         "distance of the cores, which is r more than that of the shapes.",
         s->radius, digits_of_bound(s, s->radius));
  else
    emit(&text,
         "A − B is the Minkowski difference, the set of all a − b: A and B are in contact if it contains the origin.");
  if (!curved) {
    emit(&text, " Its point A2 − B0 is vertex 2 of %B minus vertex 0 of %B", s->a.part, s->a.part_word, "A", s->b.part,
         s->b.part_word, "B");
    if (a == GRAZE_BOX || b == GRAZE_BOX) emit(&text, "; bit k of the index of a box vertex is the sign of axis k");
    if (a == GRAZE_SPHERE || b == GRAZE_SPHERE)
      emit(&text, "; index 0 of a %s is its center", s->dim == 2 ? "circle" : "sphere");
    if (a == GRAZE_CAPSULE || b == GRAZE_CAPSULE)
      emit(&text, "; indices 0 and 1 of a capsule are the end points of its core");
    emit(&text, ".");
  }
  emit(&text, " In a simplex, w1 w2 … are the support points of these steps.");
  for (size_t k = 0; k < trace->count; k++) {
    const graze_phase phase = trace->steps[k].phase;
    const bool is_signed = phase <= GRAZE_PHASE_EXACT || phase == GRAZE_PHASE_DIRECTION;
    phases += phase_begins(s, k) && phase != GRAZE_PHASE_BOUNDARY_WALK; /* its bounds continue those of a direction */
    below = below || (trace->steps[k].lower < 0 && is_signed);
  }
  if (phases > 1) emit(&text, " Each phase begins with bounds of its own.");
  if (below)
    emit(&text,
         " A lower bound < 0 bounds the signed distance. It is minus the least d·w/|d| so far: moving B by that length "
         "along d separates %s.",
         s->radius > 0 ? "the cores" : "A and B");
  print_paragraph(out, &text, 0, 0);
}

static void print_phases(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  bool explained[GRAZE_PHASE_NEWTON + 1] = {false};
  print_legend(out, s);
  if (trace->axis_count > 0)
    print_wrapped(out, 0, 0,
                  "These steps decide the relation and give the certificate. The separating axes follow below.");
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
  }
  if (trace->total > trace->count)
    print_wrapped(out, 2, 0, "… %c not recorded", trace->total - trace->count, "more step is", "more steps are");
}

/* ---- Casts: the time bar, and the steps of a sweep */

enum { BAR = 4 * (MOTION_SAMPLES - 1) + 1 }; /* four columns between samples */

static int bar_column(const story_motion *m, double t) {
  return m->t_end > 0 ? (int)floor(t / m->t_end * (BAR - 1) + 0.5) : 0;
}

/* "= proved free", if the sign occurs in the row. */
static void emit_sign(cli_text *out, const char *row, char sign, const char **before, const char *words) {
  if (strchr(row, sign) == NULL) return;
  cli_text_format(out, "%s%c %s", *before, sign, words);
  *before = ", ";
}

static void print_bar(cli_text *out, const story *s) {
  static const graze_relation relations[] = {GRAZE_SEPARATED, GRAZE_OVERLAPPING, GRAZE_TOUCHING, 0};
  static const char signs[] = {'-', [GRAZE_SEPARATED] = 'o', [GRAZE_TOUCHING] = 't', [GRAZE_OVERLAPPING] = 'x', '-'};
  const story_motion *m = s->motion;
  const char *before = "";
  char bar[BAR + 1], samples[BAR + 1];
  memset(bar, '=', BAR);
  memset(samples, ' ', BAR);
  bar[BAR] = samples[BAR] = 0;
  /* Every span has at least one column. */
  for (int i = 0, next = 0; i < m->span_count; i++) {
    int from = bar_column(m, m->spans[i].from);
    next = from < next ? next : from;
    if (next < BAR) memset(bar + next, motion_states[m->spans[i].state].sign, (size_t)(BAR - next));
    next++;
  }
  for (int k = 0; k < m->moment_count; k++)
    if (m->moments[k].sampled) samples[bar_column(m, m->moments[k].t)] = signs[m->moments[k].relation];
  for (int i = BAR; i > 0 && samples[i - 1] == ' '; i--) samples[i - 1] = 0;
  emit(out, "\nThe time from 0 to %n%s\n\n  proof    %s\n  samples  %s\n\n  ", m->t_end,
       isfinite(m->t_max) ? "" : " (the motion is unbounded)", bar, samples);
  for (int i = MOTION_FREE; i <= MOTION_MET; i++)
    emit_sign(out, bar, motion_states[i].sign, &before, motion_states[i].words);
  before = "; ";
  for (int i = 0; i < 4; i++) emit_sign(out, samples, signs[relations[i]], &before, cast_relation_text(relations[i]));
  emit(out, ".\n");
  print_wrapped(out, 2, 0, "%S", sentence_cast_samples, s);
}

/* ---- The answer, the certificate, and the whole */

void story_print_text(cli_text *out, const story *s) {
  const graze_answer *answer = story_answer(s);
  const graze_algorithm algorithm = answer->algorithm;
  cli_text text = {0};
  cli_text_bytes(&text, s->request->id.data, s->request->id.size);
  emit(&text, text.size > 0 ? ": %S" : "%S", sentence_query, s);
  print_paragraph(out, &text, 0, 2);
  if (s->request->query == CLI_MINKOWSKI) {
    table_vertices(out, s);
  } else if (s->motion) {
    emit(out, "\n");
    print_wrapped(out, 0, 0, "%S", sentence_cast_path, s);
    print_parts(out, s);
    print_bar(out, s);
    table_sweep(out, s);
    table_hits(out, s);
  } else {
    print_parts(out, s);
    emit(out, "\n");
    if (s->finding.trace.count > 0)
      print_phases(out, s);
    else
      print_wrapped(out, 0, 0,
                    algorithm == GRAZE_ALGORITHM_CONTAINMENT ? "No step is recorded: a ray decides."
                    : algorithm == GRAZE_ALGORITHM_HALFSPACE
                        ? "No iterations: against a half-space, one support point of the other shape decides."
                    : algorithm == GRAZE_ALGORITHM_BRUTE
                        ? "No iterations: brute force computes all vertex pairs a − b and their convex hull exactly."
                    : algorithm == GRAZE_ALGORITHM_SAT ? "No iterations: separating axes decide."
                    : algorithm == GRAZE_ALGORITHM_EXACT
                        ? "No step is recorded: exact arithmetic decided without iterations."
                        : "No step is recorded.");
    table_axes(out, s);
  }
  emit(out, "\nAnswer\n");
  print_wrapped(out, 2, 2, "%S", sentence_answer, s);
  if (cli_query_has_distance(s->request->query) && isfinite(answer->point_a.x) && isfinite(answer->point_b.x)) {
    int digits = digits_of_witness(s, answer->point_a, answer->point_b);
    print_wrapped(out, 2, 2, "witness points %w on A and %w on B, normal %v", answer->point_a, s->dim, digits,
                  answer->point_b, s->dim, digits, answer->normal, s->dim);
  }
  table_contacts(out, s);
  for (size_t k = 0; sentence_certificate(&text, s, k); k++) {
    if (k == 0) emit(out, "\nCertificate\n");
    print_paragraph(out, &text, 2, 2);
  }
  print_paragraph(out, &text, 0, 0); /* it is empty, or has failed */
}
