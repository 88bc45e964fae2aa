#include "explain/tables.h"

#include "explain/columns.h"
#include "explain/geometry.h"
#include "explain/words.h"

#include <math.h>

/* Longer tables are cut: the first rows, and the last. Where a table is too wide, numbers have fewer digits; if that
 * hides what matters, it may be wider. */
enum {
  FIRST_ROWS = 30,
  LAST_ROWS = 10,
  AXIS_ROWS = 20,
  AXIS_LAST = 9,
  MOST_WIDE = 98,
  WIDER = 140,
  FEWEST_DIGITS = 4,
  SPARED = 3
};

/* ---- Cells */

static void cell(columns *t, const char *text) {
  cli_text_str(&t->cells, text);
  columns_next(t);
}

static void cell_int(columns *t, long long value) {
  cli_text_int(&t->cells, value);
  columns_next(t);
}

static void cell_rounded(columns *t, double value, int digits) {
  words_rounded(&t->cells, value, digits);
  columns_next(t);
}

static void cell_number(columns *t, double value) { cell_rounded(t, value, WORDS_DIGITS); }

static void cell_vec(columns *t, graze_vec v, int dim, int digits) {
  words_vec_rounded(&t->cells, v, dim, digits);
  columns_next(t);
}

/* "A2−B0" */
static void put_parents(cli_text *out, const graze_pair *pair) {
  cli_text_str(out, "A");
  cli_text_int(out, pair->a);
  cli_text_str(out, "−B");
  cli_text_int(out, pair->b);
}

/* "A2−B0 (−1, −3)" */
static void cell_point(columns *t, const graze_pair *pair, graze_vec at, int dim, int digits) {
  if (words_has_parents(pair)) {
    put_parents(&t->cells, pair);
    cli_text_str(&t->cells, " ");
  }
  cell_vec(t, at, dim, digits);
}

static void header(columns *t, const char *const *names, const bool *right) {
  columns_clear(t);
  for (t->count = 0; names[t->count]; t->count++) t->right[t->count] = right[t->count];
  for (int i = 0; i < t->count; i++) cell(t, names[i]);
}

/* Rows first … last but those in the middle: the next row after `row`, where a line tells of what is left out. */
static size_t next_row(columns *t, size_t row, size_t first, size_t last, size_t head, size_t tail, const char *many) {
  if (last - first + 1 <= head + tail + 1 || row + 1 != first + head) return row + 1;
  cli_text line = {0};
  size_t next = last + 1 - tail;
  cli_text_str(&line, "… ");
  cli_text_int(&line, (long long)(next - row - 1));
  cli_text_str(&line, many);
  cli_text_bytes(&line, "", 1);
  if (line.failed)
    t->cells.failed = true;
  else
    columns_across(t, line.data);
  cli_text_free(&line);
  return next;
}

/* ---- Steps */

/* The step that found this point, or where it has another name, its parents or place. */
static void put_corner(columns *t, const story *s, size_t last, const graze_pair *pair, graze_vec at, int digits) {
  const graze_trace_step *steps = s->finding.trace.steps;
  for (size_t k = 0; k <= last; k++) {
    if (!story_has_point(&steps[k]) || !cli_same_pair(&steps[k].pair, pair)) continue;
    cli_text_str(&t->cells, "w");
    cli_text_int(&t->cells, steps[k].iteration + 1);
    return;
  }
  if (words_has_parents(pair))
    put_parents(&t->cells, pair);
  else
    words_vec_rounded(&t->cells, at, s->dim, digits);
}

static void cell_simplex(columns *t, const story *s, size_t k, int digits) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  for (int i = 0; i < step->simplex_count; i++) {
    if (i > 0) cli_text_str(&t->cells, " ");
    if (step->phase == GRAZE_PHASE_PORTAL && i == 0)
      cli_text_str(&t->cells, "v"); /* the point inside */
    else
      put_corner(t, s, k, &step->simplex[i], step->simplex_point[i], digits);
  }
  columns_next(t);
}

static const char *passes_text(double check) { return check > 0 ? "yes" : check < 0 ? "no" : "just"; }

static void cell_polytope(columns *t, const graze_surface *polytope) {
  if (polytope) words_count(&t->cells, polytope->pair_count, "point", "points");
  columns_next(t);
}

/* `digits`: of points. */
static void step_row(columns *t, const story *s, size_t k, int digits) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  bool epa = step->phase == GRAZE_PHASE_EPA, point = story_has_point(step);
  double bound = fmax(fabs(step->lower), isfinite(step->upper) ? fabs(step->upper) : 0);
  int exact = words_bound_digits(s, bound), short_digits = digits < WORDS_DIGITS ? digits : WORDS_DIGITS;
  int long_digits = exact > WORDS_DIGITS ? exact : short_digits;
  int direction = digits < WORDS_DIGITS ? digits : words_direction_digits(s, step->direction, digits);
  cell_int(t, step->iteration + 1); /* people count from 1 */
  if (epa) cell_polytope(t, step->polytope);
  if (epa) cell_simplex(t, s, k, digits);
  point ? cell_vec(t, step->direction, s->dim, direction) : cell(t, "none");
  point ? cell_point(t, &step->pair, step->point, s->dim, digits) : cell(t, "none");
  point ? cell_rounded(t, step->origin_check, long_digits) : cell(t, "");
  if (!epa) cell(t, point ? passes_text(step->origin_check) : "");
  if (!epa) cell_simplex(t, s, k, digits);
  cell_rounded(t, step->lower, long_digits);
  cell_rounded(t, step->upper, long_digits);
}

static void step_header(columns *t, const story *s, graze_phase phase, int digits) {
  bool of_cores = s->radius > 0 && digits > FEWEST_DIGITS; /* where there is room to say so once more */
  const char *lower = of_cores ? "core lower" : "lower", *upper = of_cores ? "core upper" : "upper";
  const char *const walk[] = {"#",   "direction d", "new point w",
                              "d·w", "passes?",     phase == GRAZE_PHASE_GJK ? "simplex" : "simplex before",
                              lower, upper,         NULL};
  const char *const epa[] = {
      "#",   "polytope", s->dim == 2 ? "nearest edge" : "nearest face", "its normal d", "new point w", "d·w", lower,
      upper, NULL};
  static const bool walk_right[] = {true, false, false, true, false, false, true, true};
  static const bool epa_right[] = {true, false, false, false, false, true, true, true};
  phase == GRAZE_PHASE_EPA ? header(t, epa, epa_right) : header(t, walk, walk_right);
}

/* So that the points of the steps tell the distance. */
static int point_digits(const story *s, size_t first, size_t last) {
  int most = 0;
  for (size_t k = first; k <= last; k++) {
    int digits = words_vec_digits(s->finding.trace.steps[k].point, words_gap(s));
    if (digits > most) most = digits;
  }
  return most;
}

/* With fewer digits than `most`, less those that can be spared, points no longer tell the distance. */
static bool is_good_width(size_t width, int digits, int most) {
  return width <= MOST_WIDE || (digits > FEWEST_DIGITS && digits == most - SPARED && width <= WIDER);
}

void tables_steps(cli_text *out, const story *s, size_t first, size_t last) {
  columns t = {0};
  const int most = point_digits(s, first, last);
  int digits = most + 1;
  do {
    digits--;
    step_header(&t, s, s->finding.trace.steps[first].phase, digits);
    for (size_t k = first; k <= last; k = next_row(&t, k, first, last, FIRST_ROWS, LAST_ROWS, " steps more …"))
      step_row(&t, s, k, digits);
  } while (digits > FEWEST_DIGITS && !is_good_width(columns_width(&t), digits, most));
  columns_print(out, &t, 2);
  if (digits < most - SPARED)
    columns_sentence(out,
                     "With so few digits the points do not tell the distance, which is far less than their size; the "
                     "page and the JSON have all digits.",
                     2);
  columns_free(&t);
}

/* ---- Separating axes */

static void cell_axis(columns *t, const story *s, const graze_axis *axis) {
  words_axis(&t->cells, s, axis);
  columns_next(t);
}

static void cell_interval(columns *t, const graze_interval *interval, int digits) {
  words_rounded(&t->cells, interval->min, digits);
  cli_text_str(&t->cells, " … ");
  words_rounded(&t->cells, interval->max, digits);
  columns_next(t);
}

/* So that the intervals tell their gap, or their overlap. */
static int interval_digits(const graze_axis *axis) {
  return words_digits(fmax(fmax(fabs(axis->a.min), fabs(axis->a.max)), fmax(fabs(axis->b.min), fabs(axis->b.max))),
                      fabs(axis->separation));
}

static void axis_row(columns *t, const story *s, size_t k, int digits) {
  const graze_axis *axis = &s->finding.trace.axes[k];
  size_t number = (int)k == s->best_axis ? s->finding.trace.best_axis : k;
  cell_int(t, (long long)number + 1);
  cell_axis(t, s, axis);
  cell_vec(t, axis->direction, s->dim, digits);
  int shown = interval_digits(axis);
  cell_interval(t, &axis->a, shown);
  cell_interval(t, &axis->b, shown);
  cell_number(t, axis->separation);
  cell(t, (int)k == s->best_axis ? "← best" : "");
}

static void fill_axes(columns *t, const story *s, int digits) {
  static const char *const names[] = {"#", "from", "axis, towards B", "A covers", "B covers", "separation", "", NULL};
  static const bool right[] = {true, false, false, false, false, true, false};
  size_t last = s->finding.trace.axis_count - 1, best = (size_t)s->best_axis;
  header(t, names, right);
  for (size_t k = 0; k <= last;) {
    axis_row(t, s, k, digits);
    size_t next = next_row(t, k, 0, last, AXIS_ROWS, AXIS_LAST, " axes more …");
    if (s->best_axis >= 0 && best > k && best < next) axis_row(t, s, best, digits);
    k = next;
  }
}

void tables_axes(cli_text *out, const story *s) {
  if (s->finding.trace.axis_count == 0) return;
  columns t = {0};
  cli_text text = {0};
  cli_text_str(out, "\nSeparating axes\n");
  cli_text_str(&text, "On an axis where the two shadows do not meet (separation > 0) the shapes are apart, at least "
                      "that far; where they meet on all ");
  words_count(&text, s->finding.trace.axis_total, "axis", "axes");
  cli_text_str(&text, s->radius > 0 ? ", rounded corners may still be apart; the least overlap is the depth where the "
                                      "cores meet, too."
                                    : ", the shapes meet, and the least overlap is the depth.");
  columns_paragraph(out, &text, 2, 0);
  for (int digits = WORDS_DIGITS; digits >= FEWEST_DIGITS; digits--) {
    fill_axes(&t, s, digits);
    if (columns_width(&t) <= MOST_WIDE) break;
  }
  columns_print(out, &t, 2);
  columns_free(&t);
  cli_text_free(&text);
}

/* ---- Contacts, vertices */

void tables_contacts(cli_text *out, const story *s) {
  static const char *const names[] = {"contact", "on A", "on B", "depth", NULL};
  static const bool right[] = {true, false, false, true};
  const cli_pair_result *f = &s->finding;
  if (s->question->query != CLI_MANIFOLD) return;
  if (f->count == 0) {
    cli_text_str(out, "  no contact points\n");
    return;
  }
  columns t = {0};
  header(&t, names, right);
  for (size_t k = 0; k < f->count; k = next_row(&t, k, 0, f->count - 1, FIRST_ROWS, LAST_ROWS, " contacts more …")) {
    cell_int(&t, (long long)k);
    int digits = words_place_digits(s, f->contacts[k].point_a, f->contacts[k].point_b);
    cell_vec(&t, f->contacts[k].point_a, s->dim, digits);
    cell_vec(&t, f->contacts[k].point_b, s->dim, digits);
    cell_number(&t, f->contacts[k].depth);
  }
  columns_print(out, &t, 2);
  columns_free(&t);
}

/* So that the vertices tell the size of the set. */
static int vertex_digits(const story *s) {
  graze_vec first = s->vertices[0];
  double spread = 0;
  for (size_t k = 1; k < s->vertex_count; k++) {
    spread = fmax(spread, geometry_largest(vec_sub(s->vertices[k], first)));
  }
  return words_vec_digits(first, spread);
}

void tables_vertices(cli_text *out, const story *s) {
  static const char *const names[] = {"vertex", "parents", "at", NULL};
  static const bool right[] = {true, false, false};
  if (s->vertex_count == 0) return;
  columns t = {0};
  const int digits = vertex_digits(s);
  cli_text_str(out, "\nBy brute force: all vertex pairs, and the vertices of their convex hull\n");
  header(&t, names, right);
  for (size_t k = 0; k < s->vertex_count;
       k = next_row(&t, k, 0, s->vertex_count - 1, FIRST_ROWS, LAST_ROWS, " vertices more …")) {
    cell_int(&t, (long long)k);
    words_vertex(&t.cells, s, k);
    columns_next(&t);
    cell_vec(&t, s->vertices[k], s->dim, digits);
  }
  columns_print(out, &t, 2);
  columns_free(&t);
}
