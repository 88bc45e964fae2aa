/* A drawing of each step, and the projections of A and B on each separating axis. */
#include "explain/story.h"
#include "explain/drawing.h"

#include <math.h>

enum { FIRST_STEPS = 7, LAST_STEPS = 4, COLUMNS = 4, CELL = 165, CELL_GAP = 12, HEAD = 26, CAPTION = 18 };

bool picture_shows_step(const story *s, size_t k) {
  size_t count = s->finding.trace.count;
  return count <= PICTURE_CELLS || k < FIRST_STEPS || k + LAST_STEPS >= count;
}

void picture_simplex(panel *p, const graze_trace_step *step) {
  graze_vec points[4];
  for (int i = 0; i < step->simplex_count; i++) points[i] = step->simplex[i].point;
  if (step->simplex_count > 1) panel_points(p, points, (size_t)step->simplex_count, "simplex");
}

/* The simplex or the polytope, the direction at the support point, and the support line. */
static void draw_step(panel *p, const story *s, const graze_trace_step *step) {
  enum { MAX_POINTS = 200, ARROW = 24 };
  graze_vec points[MAX_POINTS];
  size_t count = 0;
  if (step->phase == GRAZE_PHASE_EPA) {
    for (size_t i = 0; step->polytope && i < step->polytope->pair_count && count < MAX_POINTS; i++)
      points[count++] = cso_point_of(s, &step->polytope->pairs[i], step->polytope->points).point;
    panel_points(p, points, count, "polytope");
  }
  picture_simplex(p, step);
  svg_point d = panel_direction(step->direction), at = panel_at(p, step->support.point), from, to;
  if (d.x != 0 || d.y != 0) {
    if (svg_clip(p->box, at, (svg_point){-d.y, d.x}, &from, &to)) svg_line(p->out, from, to, "support");
    svg_arrow(p->out, at, (svg_point){at.x + ARROW * d.x, at.y + ARROW * d.y}, "step");
  }
  for (int i = 0; i < step->simplex_count; i++) panel_dot(p, step->simplex[i].point, 3.5, "step");
}

/* ---- The cell of a step */

static double cell_left(size_t place) { return PICTURE_EDGE + (double)(place % COLUMNS) * (CELL + CELL_GAP); }

static void draw_cell(picture *pic, const panel *common, size_t k, size_t place, double height) {
  const graze_trace_step *step = &pic->s->finding.trace.steps[k];
  cli_text *out = pic->out, number = {0};
  emit(out, "<g class=\"cell\" transform=\"translate(%i %i)\">\n", (int)cell_left(place),
       (int)(pic->top + (double)(place / COLUMNS) * height));
  panel p = *common;
  svg_rect(out, p.box, 5, "frame");
  emit(out, "<use href=\"#set\"/>\n");
  draw_step(&p, pic->s, step);
  emit(out, "<use href=\"#zero\"/>\n");
  panel_dot(&p, step->support.point, 5.5, "step");
  emit(&number, "%z", k + 1);
  double half = svg_badge_width(text_string(out, &number)) / 2;
  svg_badge(out, (svg_point){half, 11}, number.data ? number.data : "");
  svg_text(out, (svg_point){2 * half + 6, 16}, SVG_START, "small", "%s", phase_of(step->phase)->name);
  svg_point line = {0, p.box.bottom + 16};
  if (!isnan(step->origin_check) && story_has_point(step))
    svg_text(out, line, SVG_START, "small", "d·w = %r", step->origin_check,
             digits_of_bound(pic->s, step->origin_check));
  line.y += CAPTION;
  if (isfinite(step->lower))
    svg_text(out, line, SVG_START, "small", "≥ %r", step->lower, digits_of_bound(pic->s, step->lower));
  line.y += CAPTION;
  if (isfinite(step->upper))
    svg_text(out, line, SVG_START, "small", "≤ %r", step->upper, digits_of_bound(pic->s, step->upper));
  emit(out, "</g>\n");
  cli_text_free(&number);
}

void picture_steps(picture *pic) {
  enum { MARGIN = 27, MIN_HEIGHT = 84, MAX_HEIGHT = 150 };
  const story *s = pic->s;
  const cli_trace *trace = &s->finding.trace;
  if (trace->count == 0) return;
  bounds seen = {0};
  bounds_add(&seen, (graze_vec){0, 0, 0});
  bounds_add_mesh(&seen, &s->core);
  for (size_t k = 0; k < trace->count; k++)
    if (picture_shows_step(s, k)) bounds_add(&seen, trace->steps[k].support.point);
  bounds_add_halfspace(&seen, &s->core);
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top + 27}, SVG_START, "title", "The steps");
  pic->top += 38 + CAPTION;
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top - 8}, SVG_START, "small",
           s->radius > 0
               ? "Below each: d·w, and the bounds of the distance of the cores, which is r more than that of the shapes"
               : "Below each: d·w, and the bounds of the distance; of an overlap, those of minus the depth");
  double high = floor(svg_clamp(panel_height(&seen, CELL, MARGIN, MARGIN), MIN_HEIGHT, MAX_HEIGHT));
  panel common;
  panel_fit(&common, pic->out, &seen, (svg_box){0, HEAD, CELL, HEAD + high}, MARGIN, MARGIN);
  emit(pic->out, "<defs><g id=\"set\">\n"); /* what all cells have in common */
  panel_mesh(&common, &s->core, "c");
  emit(pic->out, "</g><g id=\"zero\">\n");
  panel_origin(&common, 7);
  emit(pic->out, "</g></defs>\n");
  double height = HEAD + high + 3 * CAPTION + 14;
  size_t place = 0;
  for (size_t k = 0; k < trace->count; k++) {
    if (picture_shows_step(s, k)) draw_cell(pic, &common, k, place++, height);
    if (picture_shows_step(s, k) || k != FIRST_STEPS) continue;
    const double x = cell_left(place) + CELL / 2.0;
    const double y = pic->top + (double)(place++ / COLUMNS) * height + HEAD + high / 2;
    svg_text(pic->out, (svg_point){x, y - CAPTION}, SVG_MIDDLE, "small", "… steps %z to %z", k + 1,
             trace->count - LAST_STEPS);
    svg_text(pic->out, (svg_point){x, y}, SVG_MIDDLE, "small", "are omitted;");
    svg_text(pic->out, (svg_point){x, y + CAPTION}, SVG_MIDDLE, "small", "the page has them");
  }
  pic->top += height * (double)((place + COLUMNS - 1) / COLUMNS);
}

/* ---- Separating axes */

enum { MAX_AXES = 10, ROW = 52, LEFT = 205, RIGHT = 640 };

/* A row, and its scale: `low` is drawn at LEFT, `low + unit` at RIGHT. */
typedef struct axis_row {
  cli_text *out;
  double top, low, unit;
} axis_row;

static double on_scale(const axis_row *r, double value) {
  return LEFT + svg_clamp((value - r->low) / r->unit, 0, 1) * (RIGHT - LEFT);
}

static void draw_projection(const axis_row *r, graze_interval i, double top, const char *style, const char *name) {
  double left = on_scale(r, i.min), right = on_scale(r, i.max);
  svg_rect(r->out, (svg_box){left, top, fmax(right, left + 0.1), top + 10}, 2, style);
  bool before = left - LEFT > 20 || right > RIGHT - 20;
  svg_text(r->out, (svg_point){before ? left - 8 : right + 8, top + 10}, before ? SVG_END : SVG_START,
           *style == 'a' ? "small word a" : "small word b", "%s", name);
}

static void draw_axis(picture *pic, size_t k, bool best) {
  const graze_axis *axis = &pic->s->finding.trace.axes[k];
  double low = fmin(axis->a.min, axis->b.min), high = fmax(axis->a.max, axis->b.max);
  axis_row r = {pic->out, pic->top, low, high > low ? high - low : 1};
  if (best)
    svg_rect(pic->out, (svg_box){PICTURE_EDGE, r.top, PICTURE_WIDTH - PICTURE_EDGE, r.top + ROW - 2}, 6, "best");
  svg_text(r.out, (svg_point){PICTURE_EDGE + 6, r.top + 17}, SVG_START, best ? "small word proof" : "small word",
           best ? "%K: best" : "%K", sentence_axis, pic->s, k);
  svg_text(r.out, (svg_point){PICTURE_EDGE + 6, r.top + 36}, SVG_START, "small", "%v", axis->direction, 2);
  draw_projection(&r, axis->a, r.top + 6, "a", "A");
  draw_projection(&r, axis->b, r.top + 21, "b", "B");
  /* From the maximum of A to the minimum of B: a gap, or an overlap. */
  double end = on_scale(&r, axis->a.max), begin = on_scale(&r, axis->b.min), y = r.top + 40;
  svg_line(r.out, (svg_point){end, r.top + 4}, (svg_point){end, y + 4}, "support");
  svg_line(r.out, (svg_point){begin, r.top + 4}, (svg_point){begin, y + 4}, "support");
  svg_line(r.out, (svg_point){end, y}, (svg_point){begin, y}, best ? "proof" : "thin");
  bool left = fmax(end, begin) > RIGHT - 100;
  svg_point at = {left ? fmin(end, begin) - 8 : fmax(end, begin) + 8, y + 5};
  const double separation = axis->separation;
  svg_text(r.out, at, left ? SVG_END : SVG_START,
           best             ? "small word proof"
           : separation > 0 ? "small"
                            : "small c",
           separation > 0   ? "gap %n"
           : separation < 0 ? "overlap %n"
                            : "touch %n",
           fabs(separation));
  pic->top += ROW;
}

/* The first axes, and the best one. */
void picture_axes(picture *pic) {
  const story *s = pic->s;
  const cli_trace *trace = &s->finding.trace;
  if (trace->axis_count == 0) return;
  size_t shown = trace->axis_count < MAX_AXES ? trace->axis_count : MAX_AXES;
  size_t first = s->best_axis >= MAX_AXES ? MAX_AXES - 1 : MAX_AXES;
  const char *format =
      shown < trace->axis_total ? "The projections on the axes (%z of %z)" : "The projections on the axes";
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top + 27}, SVG_START, "title", format, shown, trace->axis_total);
  pic->top += 38;
  for (size_t k = 0; k < trace->axis_count; k++) {
    bool best = s->best_axis >= 0 && k == (size_t)s->best_axis;
    if (best || trace->axis_count <= MAX_AXES || k < first) draw_axis(pic, k, best);
  }
}
