/* The tables of the story: the steps of a phase, the separating axes, contacts, vertices, and the steps of a sweep. */
#include "explain/table.h"

#include "explain/format.h"
#include "explain/geometry.h"
#include "explain/sentences.h"

#include <math.h>

/* Long tables are cut to their first and last rows. In a wide table numbers get fewer digits; if that hides the
 * distance, it may be wider. */
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

static void emit_vertices(cli_text *out, const graze_cso_point *w) { emit(out, "A%i−B%i", (int)w->a, (int)w->b); }

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
      emit_vertices(t, w);
    else
      emit(t, "%w", w->point, s->dim, digits);
  }
}

/* `digits`: of points. Bounds get more if they must show r. */
static void emit_cell(cli_text *t, const story *s, size_t k, phase_column column, int digits) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  double bound = fmax(fabs(step->lower), isfinite(step->upper) ? fabs(step->upper) : 0);
  int exact = digits_of_bound(s, bound), shorter = digits < DIGITS ? digits : DIGITS;
  int bound_digits = exact > DIGITS ? exact : shorter;
  bool point = story_has_point(step);
  switch (column) {
  case COLUMN_END: break;
  case COLUMN_NUMBER: emit(t, "%i", (int)k + 1); break;
  case COLUMN_POLYTOPE:
    if (step->polytope) emit(t, "%c", step->polytope->pair_count, "point", "points");
    break;
  case COLUMN_DIRECTION:
    emit(t, point ? "%w" : "none", step->direction, s->dim,
         digits < DIGITS ? digits : digits_of_direction(s, step->direction, digits));
    break;
  case COLUMN_POINT:
    if (point && cso_point_has_vertices(&step->support)) emit_vertices(t, &step->support);
    if (point && cso_point_has_vertices(&step->support)) emit(t, " ");
    emit(t, point ? "%w" : "none", step->support.point, s->dim, digits);
    break;
  case COLUMN_CHECK:
    if (point) emit(t, "%r", step->origin_check, bound_digits);
    break;
  case COLUMN_ORIGIN:
    if (point) emit(t, step->origin_check > 0 ? "yes" : step->origin_check < 0 ? "no" : "just");
    break;
  case COLUMN_SIMPLEX: emit_simplex(t, s, k, digits); break;
  case COLUMN_LOWER: emit(t, "%r", step->lower, bound_digits); break;
  case COLUMN_UPPER: emit(t, "%r", step->upper, bound_digits); break;
  }
}

/* Steps `first` to `last`, with as many digits as show the distance and fit. */
void table_steps(cli_text *out, const story *s, size_t first, size_t last) {
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
    emit(&t, phase->headings, core, core);
    for (size_t k = first; k <= last; k = next_row(&t, k, first, last, FIRST_ROWS, LAST_ROWS, "steps")) {
      for (int i = 0; phase->columns[i]; i++) {
        if (i > 0) emit(&t, "\t");
        emit_cell(&t, s, k, phase->columns[i], digits);
      }
      emit(&t, "\n");
    }
    bool last_with_distance = digits == most - SPARE_DIGITS && digits > LEAST_DIGITS;
    if (digits <= LEAST_DIGITS || table_width(&t) <= MAX_WIDTH) break;
    if (last_with_distance && table_width(&t) <= MAX_WIDTH_WITH_DISTANCE) break;
  }
  table_print(out, &t, 2);
  if (digits < most - SPARE_DIGITS)
    print_wrapped(out, 2, 0,
                  "The distance is far less than the size of the points, and these digits do not show it. The page "
                  "and the JSON have all digits.");
}

/* ---- Separating axes */

static void emit_axis(cli_text *t, const story *s, size_t k, int digits) {
  const graze_axis *axis = &s->finding.trace.axes[k];
  bool best = (int)k == s->best_axis;
  /* The intervals show their gap or overlap. */
  double size = fmax(fmax(fabs(axis->a.min), fabs(axis->a.max)), fmax(fabs(axis->b.min), fabs(axis->b.max)));
  int shown = digits_for(size, fabs(axis->separation));
  emit(t, "%z\t", (best ? s->finding.trace.best_axis : k) + 1);
  sentence_axis(t, s, axis);
  emit(t, "\t%w\t%r … %r\t%r … %r\t%n\t%s\n", axis->direction, s->dim, digits, axis->a.min, shown, axis->a.max, shown,
       axis->b.min, shown, axis->b.max, shown, axis->separation, best ? "← best" : "");
}

void table_axes(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  if (trace->axis_count == 0) return;
  cli_text t = {0};
  emit(out, "\nSeparating axes\n");
  print_wrapped(
      out, 2, 0,
      s->radius > 0
          ? "If the projections of A and B on an axis are disjoint (separation > 0), it is a separating axis, and the "
            "separation is a lower bound of the distance. If they overlap on all %c, rounded corners can still be "
            "disjoint; the least overlap is the depth if the cores overlap, too."
          : "If the projections of A and B on an axis are disjoint (separation > 0), it is a separating axis, and the "
            "separation is a lower bound of the distance. If they overlap on all %c, the shapes overlap, and the "
            "least overlap is the depth.",
      trace->axis_total, "axis", "axes");
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
  table_print(out, &t, 2);
}

/* ---- Contacts, and the vertices of a Minkowski sum or difference */

void table_contacts(cli_text *out, const story *s) {
  const cli_pair_result *f = &s->finding;
  if (s->request->query != CLI_MANIFOLD) return;
  if (f->count == 0) emit(out, "  no contact points\n");
  if (f->count == 0) return;
  cli_text t = {0};
  emit(&t, ">contact\ton A\ton B\t>depth\n");
  for (size_t k = 0; k < f->count; k = next_row(&t, k, 0, f->count - 1, FIRST_ROWS, LAST_ROWS, "contacts")) {
    const graze_contact *c = &f->contacts[k];
    int digits = digits_of_witness(s, c->point_a, c->point_b);
    emit(&t, "%z\t%w\t%w\t%n\n", k, c->point_a, s->dim, digits, c->point_b, s->dim, digits, c->depth);
  }
  table_print(out, &t, 2);
}

void table_vertices(cli_text *out, const story *s) {
  if (s->vertex_count == 0) return;
  cli_text t = {0};
  double spread = 0; /* the digits show the size of the set */
  size_t last = s->vertex_count - 1;
  for (size_t k = 1; k <= last; k++) spread = fmax(spread, vec_norm_inf(vec_sub(s->vertices[k], s->vertices[0])));
  int digits = digits_for(vec_norm_inf(s->vertices[0]), spread);
  const char *format = s->request->of == GRAZE_MINKOWSKI_SUM ? "%z\tA%i + B%i\t%w\n" : "%z\tA%i − B%i\t%w\n";
  emit(out, "\nBy brute force: all vertex pairs, and the vertices of their convex hull\n");
  emit(&t, ">vertex\tpair\tat\n");
  for (size_t k = 0; k <= last; k = next_row(&t, k, 0, last, FIRST_ROWS, LAST_ROWS, "vertices"))
    emit(&t, format, k, (int)s->pairs[k].a, (int)s->pairs[k].b, s->vertices[k], s->dim, digits);
  table_print(out, &t, 2);
}

/* ---- The steps of a sweep */

void table_sweep(cli_text *out, const story *s) {
  const graze_certificate *c = &s->motion->certificate;
  if (c->step_count == 0) return;
  cli_text t = {0};
  size_t last = c->step_count - 1;
  emit(out, "\nThe steps of the proof\n\n");
  emit(&t, ">#\t>from t\t>to t\tdirection d\n");
  for (size_t k = 0; k <= last; k = next_row(&t, k, 0, last, FIRST_STEPS, LAST_STEPS, "steps"))
    emit(&t, "%z\t%n\t%n\t%v\n", k + 1, c->steps[k].from, c->steps[k].to, c->steps[k].direction, s->dim);
  table_print(out, &t, 2);
}
