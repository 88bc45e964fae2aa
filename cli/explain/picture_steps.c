/* One small drawing for each step. */
#include "explain/picture.h"

#include <math.h>
#include <stdio.h>

static const graze_vec ORIGIN = {0, 0, 0};

enum {
  COLUMNS = 4,
  CELL = 165,   /* wide */
  GAP = 12,     /* between cells */
  HEAD = 26,    /* above the drawing */
  CAPTION = 18, /* a line below it */
  MARGIN = 27,  /* around what is drawn */
  ARROW = 24,
  LOWEST = 84,
  HIGHEST = 150
};

static void see_steps(panel_bounds *bounds, const story *s) {
  panel_see(bounds, ORIGIN);
  panel_see_mesh(bounds, &s->core);
  for (size_t k = 0; k < s->finding.trace.count; k++)
    if (picture_shows_step(s, k)) panel_see(bounds, s->finding.trace.steps[k].point);
  panel_see_border(bounds, &s->core);
}

/* What all drawings have in common, defined once. */
static void define_set(panel *p, const story *s) {
  cli_text_str(p->out, "<defs><g id=\"set\">\n");
  panel_mesh(p, &s->core, "c");
  cli_text_str(p->out, "</g><g id=\"zero\">\n");
  panel_origin(p, 7);
  cli_text_str(p->out, "</g></defs>\n");
}

static void draw_polytope(panel *p, const graze_trace_step *step, const story *s) {
  enum { MOST_POINTS = 200 };
  if (step->polytope == NULL) return;
  graze_vec points[MOST_POINTS];
  size_t count = 0;
  for (size_t i = 0; i < step->polytope->pair_count && count < MOST_POINTS; i++) {
    int32_t k = story_find(s, &step->polytope->pairs[i]);
    if (k >= 0) points[count++] = s->points[k].at;
  }
  panel_points(p, points, count, "polytope");
}

/* The direction at the point that is farthest along it, and the line that nothing passes. */
static void draw_search(panel *p, const graze_trace_step *step) {
  svg_point along = panel_along(step->direction), at = panel_at(p, step->point), from, to;
  if (along.x == 0 && along.y == 0) return;
  if (svg_clip(p->box, at, (svg_point){-along.y, along.x}, &from, &to)) svg_line(p->out, from, to, "reach");
  svg_arrow(p->out, at, (svg_point){at.x + ARROW * along.x, at.y + ARROW * along.y}, "walk");
}

void picture_simplex(panel *p, const graze_trace_step *step) {
  if (step->simplex_count > 1) panel_points(p, step->simplex_point, (size_t)step->simplex_count, "simplex");
}

static void draw_step(panel *p, const story *s, size_t k) {
  const graze_trace_step *step = &s->finding.trace.steps[k];
  draw_polytope(p, step, s);
  picture_simplex(p, step);
  draw_search(p, step);
  for (int i = 0; i < step->simplex_count; i++) panel_dot(p, step->simplex_point[i], 3.5, "walk");
  cli_text_str(p->out, "<use href=\"#zero\"/>\n");
  panel_dot(p, step->point, 5.5, "walk");
}

static void put_bound(cli_text *text, const story *s, const char *before, double bound) {
  cli_text_str(text, before);
  words_bound(text, s, bound);
}

/* Ends a line of the caption; where there is no box to write it below, it is only counted. */
static void end_line(cli_text *out, const svg_box *box, size_t *lines, cli_text *text) {
  const char *line = picture_string(out, text);
  text->size = 0; /* the string stands until more is added */
  if (*line == 0) return;
  if (box) svg_text(out, (svg_point){0, box->bottom + 16 + CAPTION * (double)*lines}, SVG_START, "small", line);
  ++*lines;
}

/* d·w, and the bounds so far: in one line, or in two where they are long. How many lines in all. */
static size_t caption(cli_text *out, const svg_box *box, const story *s, const graze_trace_step *step) {
  cli_text text = {0};
  size_t lines = 0;
  if (!isnan(step->origin_check) && story_has_point(step)) put_bound(&text, s, "d·w = ", step->origin_check);
  end_line(out, box, &lines, &text);
  if (isfinite(step->lower) || isfinite(step->upper)) {
    put_bound(&text, s, "[", step->lower);
    put_bound(&text, s, ", ", step->upper);
    cli_text_str(&text, "]");
  }
  if (text.size > 0 && svg_width(text.data, text.size, SVG_SMALL) > CELL + 4) {
    text.size = 0;
    put_bound(&text, s, "≥ ", step->lower);
    end_line(out, box, &lines, &text);
    put_bound(&text, s, "≤ ", step->upper);
  }
  end_line(out, box, &lines, &text);
  cli_text_free(&text);
  return lines;
}

static const char *phase_name(graze_phase phase) {
  switch (phase) {
  case GRAZE_PHASE_GJK: return "GJK";
  case GRAZE_PHASE_PORTAL: return "portal refinement";
  case GRAZE_PHASE_EXACT: return "exact search";
  case GRAZE_PHASE_EPA: return "EPA";
  }
  return "";
}

static void put_cell(picture *pic, const panel *common, size_t k, size_t place, double height) {
  const graze_trace_step *step = &pic->s->finding.trace.steps[k];
  cli_text *out = pic->out;
  double row = (double)(place / COLUMNS), column = (double)(place % COLUMNS);
  char number[24];
  snprintf(number, sizeof number, "%zu", k + 1);
  cli_text_str(out, "<g class=\"cell\" transform=\"translate(");
  cli_text_int(out, (long long)(PICTURE_EDGE + column * (CELL + GAP)));
  cli_text_str(out, " ");
  cli_text_int(out, (long long)(pic->top + row * height));
  cli_text_str(out, ")\">\n");
  panel p = *common;
  svg_rect(out, p.box, 5, "frame");
  cli_text_str(out, "<use href=\"#set\"/>\n");
  draw_step(&p, pic->s, k);
  double half = svg_badge_width(number) / 2;
  svg_badge(out, (svg_point){half, 11}, number);
  svg_text(out, (svg_point){2 * half + 6, 16}, SVG_START, "small", phase_name(step->phase));
  caption(out, &p.box, pic->s, step);
  cli_text_str(out, "</g>\n");
}

/* In the place of those that are not shown, from `first` to `last`. */
static void put_more(picture *pic, size_t first, size_t last, size_t place, double height, double middle) {
  char text[64];
  snprintf(text, sizeof text, "… steps %zu to %zu", first, last);
  const char *const lines[] = {text, "are left out;", "the page has them"};
  double row = (double)(place / COLUMNS), column = (double)(place % COLUMNS);
  svg_point at = {PICTURE_EDGE + column * (CELL + GAP) + CELL / 2.0, pic->top + row * height + middle - CAPTION};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++, at.y += CAPTION)
    svg_text(pic->out, at, SVG_MIDDLE, "small", lines[i]);
}

static void put_title(picture *pic) {
  const bool cores = pic->s->radius > 0;
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top + 26}, SVG_START, "title", "The steps");
  pic->top += 38 + CAPTION;
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top - 8}, SVG_START, "small",
           cores ? "Below each: d·w, and the bounds so far of the distance of the cores, "
                   "r more than that of the shapes"
                 : "Below each: d·w, and the bounds so far of the distance; where they overlap, of minus the depth");
}

static size_t most_lines(cli_text *out, const story *s) {
  size_t most = 0;
  for (size_t k = 0; k < s->finding.trace.count; k++) {
    if (!picture_shows_step(s, k)) continue;
    size_t lines = caption(out, NULL, s, &s->finding.trace.steps[k]);
    if (lines > most) most = lines;
  }
  return most;
}

void picture_steps(picture *pic) {
  const cli_trace *trace = &pic->s->finding.trace;
  if (trace->count == 0) return;
  panel_bounds bounds = {0};
  see_steps(&bounds, pic->s);
  double high = floor(svg_hold(panel_height(&bounds, CELL, MARGIN, MARGIN), LOWEST, HIGHEST));
  panel common;
  panel_fit(&common, pic->out, &bounds, (svg_box){0, HEAD, CELL, HEAD + high}, MARGIN, MARGIN);
  put_title(pic);
  define_set(&common, pic->s);
  double height = HEAD + high + CAPTION * (double)most_lines(pic->out, pic->s) + 14;
  size_t place = 0;
  for (size_t k = 0; k < trace->count; k++) {
    if (picture_shows_step(pic->s, k))
      put_cell(pic, &common, k, place++, height);
    else if (k == PICTURE_FIRST)
      put_more(pic, k + 1, trace->count - PICTURE_LAST, place++, height, HEAD + high / 2);
  }
  pic->top += height * (double)((place + COLUMNS - 1) / COLUMNS);
}
