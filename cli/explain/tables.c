#include "explain/tables.h"

#include "explain/columns.h"
#include "explain/words.h"

#include <math.h>

/* Longer tables are cut: the first rows, and the last. Where a table is too wide, numbers
 * have fewer digits. */
enum { FIRST_ROWS = 30, LAST_ROWS = 10, AXIS_ROWS = 20, AXIS_LAST = 9, MOST_WIDE = 116, FEWEST_DIGITS = 3 };

/* ---- Cells */

static void cell(columns *t, const char *text) {
  cli_text_put(&t->cells, text);
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

static void cell_number(columns *t, double value) { cell_rounded(t, value, 6); }

static void cell_vec(columns *t, graze_vec v, int dim, int digits) {
  words_vec_rounded(&t->cells, v, dim, digits);
  columns_next(t);
}

/* "A2−B0" */
static void put_parents(cli_text *out, const graze_pair *pair) {
  cli_text_put(out, "A");
  cli_text_int(out, pair->a);
  cli_text_put(out, "−B");
  cli_text_int(out, pair->b);
}

static bool has_parents(const graze_pair *pair) { return pair->a >= 0 && pair->b >= 0; }

/* "A2 − B0 = (−1, −3)", or where there is little room "A2−B0 (−1, −3)" */
static void cell_point(columns *t, const graze_pair *pair, graze_vec at, int dim, int digits) {
  if (has_parents(pair)) {
    digits > FEWEST_DIGITS ? words_pair(&t->cells, pair) : put_parents(&t->cells, pair);
    cli_text_put(&t->cells, digits > FEWEST_DIGITS ? " = " : " ");
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
  cli_text line = {.data = NULL};
  size_t next = last + 1 - tail;
  cli_text_put(&line, "… ");
  cli_text_int(&line, (long long)(next - row - 1));
  cli_text_put(&line, many);
  cli_text_add(&line, "", 1);
  if (line.failed)
    t->cells.failed = true;
  else
    columns_across(t, line.data);
  cli_text_free(&line);
  return next;
}

/* ---- Steps */

static bool same_vec(graze_vec u, graze_vec v) { return u.x == v.x && u.y == v.y && u.z == v.z; }

/* The step that found this point, or where it has another name, its parents or place. */
static void put_corner(columns *t, const story *s, size_t last, const graze_pair *pair, graze_vec at, int digits) {
  const graze_trace_step *steps = s->finding.trace.steps;
  for (size_t k = 0; k <= last; k++) {
    const graze_pair *p = &steps[k].pair;
    bool same = p->a == pair->a && p->b == pair->b && (p->a >= 0 || same_vec(p->point_a, pair->point_a)) &&
                (p->b >= 0 || same_vec(p->point_b, pair->point_b));
    if (!same || !story_has_point(&steps[k])) continue;
    cli_text_put(&t->cells, "w");
    cli_text_int(&t->cells, steps[k].iteration + 1);
    return;
  }
  if (has_parents(pair))
    put_parents(&t->cells, pair);
  else
    words_vec_rounded(&t->cells, at, s->dim, digits);
}

static void cell_simplex(columns *t, const story *s, size_t k, int digits) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  for (int i = 0; i < step->simplex_count; i++) {
    if (i > 0) cli_text_put(&t->cells, " ");
    if (step->phase == GRAZE_PHASE_PORTAL && i == 0)
      cli_text_put(&t->cells, "v"); /* the point inside */
    else
      put_corner(t, s, k, &step->simplex[i], step->simplex_point[i], digits);
  }
  columns_next(t);
}

static const char *passes_text(double check) { return check > 0 ? "yes" : check < 0 ? "no" : "just"; }

static void cell_polytope(columns *t, const graze_surface *polytope, int dim) {
  if (polytope) {
    cli_text_int(&t->cells, (long long)polytope->pair_count);
    cli_text_put(&t->cells, dim == 2 ? " points" : " points, ");
    if (dim == 3) cli_text_int(&t->cells, (long long)polytope->face_count);
    if (dim == 3) cli_text_put(&t->cells, " faces");
  }
  columns_next(t);
}

static void step_row(columns *t, const story *s, size_t k, int digits) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  bool epa = step->phase == GRAZE_PHASE_EPA, point = story_has_point(step);
  int long_digits = digits > 4 ? 6 : digits + 1;
  cell_int(t, step->iteration + 1); /* people count from 1 */
  if (epa) cell_polytope(t, step->polytope, s->dim);
  if (epa) cell_simplex(t, s, k, digits);
  point ? cell_vec(t, step->direction, s->dim, digits) : cell(t, "none");
  point ? cell_point(t, &step->pair, step->point, s->dim, digits) : cell(t, "none");
  point ? cell_rounded(t, step->origin_check, long_digits) : cell(t, "");
  if (!epa) cell(t, point ? passes_text(step->origin_check) : "");
  if (!epa) cell_simplex(t, s, k, digits);
  cell_rounded(t, step->lower, long_digits);
  cell_rounded(t, step->upper, long_digits);
}

static void step_header(columns *t, graze_phase phase, int dim) {
  static const char *const walk[] = {"#",       "direction d", "new point w", "d·w", "passes?",
                                     "simplex", "lower",       "upper",       NULL};
  static const char *const before[] = {"#",     "direction d", "new point w", "d·w", "passes?", "simplex before",
                                       "lower", "upper",       NULL};
  static const char *const epa2[] = {"#",     "polytope", "nearest edge", "its normal d", "new point w", "d·w", "lower",
                                     "upper", NULL};
  static const char *const epa3[] = {"#",     "polytope", "nearest face", "its normal d", "new point w", "d·w", "lower",
                                     "upper", NULL};
  static const bool walk_right[] = {true, false, false, true, false, false, true, true};
  static const bool epa_right[] = {true, false, false, false, false, true, true, true};
  if (phase == GRAZE_PHASE_EPA)
    header(t, dim == 2 ? epa2 : epa3, epa_right);
  else
    header(t, phase == GRAZE_PHASE_GJK ? walk : before, walk_right);
}

void tables_steps(cli_text *out, const story *s, size_t first, size_t last) {
  columns t = {.count = 0};
  for (int digits = 6; digits >= FEWEST_DIGITS; digits--) {
    step_header(&t, s->finding.trace.steps[first].phase, s->dim);
    for (size_t k = first; k <= last; k = next_row(&t, k, first, last, FIRST_ROWS, LAST_ROWS, " steps more …"))
      step_row(&t, s, k, digits);
    if (columns_width(&t) <= MOST_WIDE) break;
  }
  columns_print(out, &t, 2);
  columns_free(&t);
}

/* ---- Separating axes */

/* "axis x of A", "edge 2 of A", "face 3 of B" */
static void put_feature(cli_text *out, const story_body *body, const char *name, const char *feature, int index) {
  static const char *const axes[] = {"x", "y", "z"};
  bool box = body->placed.shape.kind == GRAZE_BOX && index >= 0 && index < 3;
  cli_text_put(out, box ? "axis " : feature);
  if (box)
    cli_text_put(out, axes[index]);
  else
    cli_text_int(out, index);
  cli_text_put(out, " of ");
  cli_text_put(out, name);
}

static void cell_feature(columns *t, const story *s, const graze_axis *axis) {
  const char *face = s->dim == 2 ? "edge " : "face ";
  if (axis->kind == GRAZE_AXIS_FACE_A) put_feature(&t->cells, &s->a, "A", face, axis->feature_a);
  if (axis->kind == GRAZE_AXIS_FACE_B) put_feature(&t->cells, &s->b, "B", face, axis->feature_b);
  if (axis->kind == GRAZE_AXIS_EDGES) {
    put_feature(&t->cells, &s->a, "A", "edge ", axis->feature_a);
    cli_text_put(&t->cells, " × ");
    put_feature(&t->cells, &s->b, "B", "edge ", axis->feature_b);
  }
  columns_next(t);
}

static void cell_interval(columns *t, const graze_interval *interval) {
  words_number(&t->cells, interval->min);
  cli_text_put(&t->cells, " … ");
  words_number(&t->cells, interval->max);
  columns_next(t);
}

static void axis_row(columns *t, const story *s, size_t k, int digits) {
  const graze_axis *axis = &s->axes[k];
  cell_int(t, (long long)k);
  cell_feature(t, s, axis);
  cell_vec(t, axis->direction, s->dim, digits);
  cell_interval(t, &axis->a);
  cell_interval(t, &axis->b);
  cell_number(t, axis->separation);
  cell(t, (int)k == s->best_axis ? "← best" : "");
}

static void fill_axes(columns *t, const story *s, int digits) {
  static const char *const names[] = {"#", "from", "axis, towards B", "A covers", "B covers", "separation", "", NULL};
  static const bool right[] = {true, false, false, false, false, true, false};
  size_t last = s->axis_count - 1, best = (size_t)s->best_axis;
  header(t, names, right);
  for (size_t k = 0; k <= last;) {
    axis_row(t, s, k, digits);
    size_t next = next_row(t, k, 0, last, AXIS_ROWS, AXIS_LAST, " axes more …");
    if (s->best_axis >= 0 && best > k && best < next) axis_row(t, s, best, digits);
    k = next;
  }
}

void tables_axes(cli_text *out, const story *s) {
  if (s->axis_count == 0) return;
  columns t = {.count = 0};
  cli_text text = {.data = NULL};
  cli_text_put(out, "\nSeparating axes\n");
  cli_text_put(&text, "On an axis where the two shadows do not meet (separation > 0) the shapes are apart, at least "
                      "that far; where they meet on all ");
  words_count(&text, s->axis_total, "axis", "axes");
  cli_text_put(&text, ", the shapes meet, and the least overlap is the depth.");
  columns_paragraph(out, &text, 2, 0);
  for (int digits = 6; digits >= FEWEST_DIGITS; digits--) {
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
  const cli_finding *f = &s->finding;
  if (s->question->query != CLI_MANIFOLD) return;
  if (f->count == 0) {
    cli_text_put(out, "  no contact points\n");
    return;
  }
  columns t = {.count = 0};
  header(&t, names, right);
  for (size_t k = 0; k < f->count; k = next_row(&t, k, 0, f->count - 1, FIRST_ROWS, LAST_ROWS, " contacts more …")) {
    cell_int(&t, (long long)k);
    cell_vec(&t, f->contacts[k].point_a, s->dim, 6);
    cell_vec(&t, f->contacts[k].point_b, s->dim, 6);
    cell_number(&t, f->contacts[k].depth);
  }
  columns_print(out, &t, 2);
  columns_free(&t);
}

void tables_vertices(cli_text *out, const story *s) {
  static const char *const names[] = {"vertex", "parents", "at", NULL};
  static const bool right[] = {true, false, false};
  if (s->vertex_count == 0) return;
  columns t = {.count = 0};
  cli_text_put(out, "\nBy brute force: all vertex pairs, and the vertices of their convex hull\n");
  header(&t, names, right);
  for (size_t k = 0; k < s->vertex_count;
       k = next_row(&t, k, 0, s->vertex_count - 1, FIRST_ROWS, LAST_ROWS, " vertices more …")) {
    cell_int(&t, (long long)k);
    cli_text_put(&t.cells, "A");
    cli_text_int(&t.cells, s->pairs[k].a);
    cli_text_put(&t.cells, s->question->of == GRAZE_MINKOWSKI_SUM ? " + B" : " − B");
    cli_text_int(&t.cells, s->pairs[k].b);
    columns_next(&t);
    cell_vec(&t, s->vertices[k], s->dim, 6);
  }
  columns_print(out, &t, 2);
  columns_free(&t);
}
