/* What the two shapes cover on each separating axis, one row for each. */
#include "explain/picture.h"

#include <math.h>

enum { MOST_ROWS = 10, ROW = 52, LEFT = 205, RIGHT = 640 };

/* A row, and its scale: what is `low` at the left, and `low + unit` at the right. */
typedef struct row {
  cli_text *out;
  double top, low, unit;
} row;

static double on_scale(const row *r, double value) {
  double share = (value - r->low) / r->unit;
  return LEFT + svg_hold(share, 0, 1) * (RIGHT - LEFT);
}

static void put_bar(const row *r, graze_interval i, double top, const char *style, const char *name) {
  double left = on_scale(r, i.min), right = on_scale(r, i.max);
  svg_rect(r->out, (svg_box){left, top, fmax(right, left + 0.1), top + 10}, 2, style);
  bool before = left - LEFT > 20 || right > RIGHT - 20;
  svg_text(r->out, (svg_point){before ? left - 8 : right + 8, top + 10}, before ? SVG_END : SVG_START,
           *style == 'a' ? "small word a" : "small word b", name);
}

static const char *separation_style(double separation, bool best) {
  if (best) return "small word proof";
  return separation > 0 ? "small" : "small c";
}

/* From where A ends to where B begins: a gap, or, the other way round, the overlap. */
static void put_separation(const row *r, const graze_axis *axis, bool best) {
  double end = on_scale(r, axis->a.max), begin = on_scale(r, axis->b.min), y = r->top + 40;
  svg_line(r->out, (svg_point){end, r->top + 4}, (svg_point){end, y + 4}, "reach");
  svg_line(r->out, (svg_point){begin, r->top + 4}, (svg_point){begin, y + 4}, "reach");
  svg_line(r->out, (svg_point){end, y}, (svg_point){begin, y}, best ? "proof" : "thin");
  cli_text text = {0};
  cli_text_str(&text, axis->separation > 0 ? "gap " : axis->separation < 0 ? "overlap " : "touch ");
  words_number(&text, fabs(axis->separation));
  bool left = fmax(end, begin) > RIGHT - 100;
  svg_point at = {left ? fmin(end, begin) - 8 : fmax(end, begin) + 8, y + 5};
  svg_text(r->out, at, left ? SVG_END : SVG_START, separation_style(axis->separation, best),
           picture_string(r->out, &text));
  cli_text_free(&text);
}

static void put_label(const row *r, const story *s, const graze_axis *axis, bool best) {
  cli_text text = {0};
  words_axis(&text, s, axis);
  if (best) cli_text_str(&text, ": best");
  svg_text(r->out, (svg_point){PICTURE_EDGE + 6, r->top + 17}, SVG_START, best ? "small word proof" : "small word",
           picture_string(r->out, &text));
  svg_text(r->out, (svg_point){PICTURE_EDGE + 6, r->top + 36}, SVG_START, "small",
           picture_vec(r->out, &text, axis->direction));
  cli_text_free(&text);
}

static void put_row(picture *pic, const graze_axis *axis, bool best) {
  double low = fmin(axis->a.min, axis->b.min), high = fmax(axis->a.max, axis->b.max);
  row r = {pic->out, pic->top, low, high > low ? high - low : 1};
  if (best)
    svg_rect(pic->out, (svg_box){PICTURE_EDGE, r.top, PICTURE_WIDTH - PICTURE_EDGE, r.top + ROW - 2}, 6, "best");
  put_label(&r, pic->s, axis, best);
  put_bar(&r, axis->a, r.top + 6, "a", "A");
  put_bar(&r, axis->b, r.top + 21, "b", "B");
  put_separation(&r, axis, best);
  pic->top += ROW;
}

/* The first ones, and the best. */
static bool shows_axis(const story *s, size_t k) {
  if (s->finding.trace.axis_count <= MOST_ROWS || k == (size_t)s->best_axis) return true;
  return k < (s->best_axis >= MOST_ROWS ? MOST_ROWS - 1 : MOST_ROWS);
}

void picture_axes(picture *pic) {
  const story *s = pic->s;
  const cli_trace *trace = &s->finding.trace;
  if (trace->axis_count == 0) return;
  cli_text text = {0};
  cli_text_str(&text, "What they cover on the axes");
  size_t shown = trace->axis_count < MOST_ROWS ? trace->axis_count : MOST_ROWS;
  size_t total = trace->axis_total;
  if (shown < total) {
    cli_text_str(&text, " (");
    cli_text_int(&text, (long long)shown);
    cli_text_str(&text, " of ");
    cli_text_int(&text, (long long)total);
    cli_text_str(&text, ")");
  }
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top + 26}, SVG_START, "title", picture_string(pic->out, &text));
  pic->top += 38;
  for (size_t k = 0; k < trace->axis_count; k++)
    if (shows_axis(s, k)) put_row(pic, &trace->axes[k], s->best_axis >= 0 && k == (size_t)s->best_axis);
  cli_text_free(&text);
}
