/* A story as one picture: the shapes and their difference, the steps or the axes, and what it all means in words. */
#include "explain/picture.h"

#include <math.h>

enum {
  PANEL = 342, /* the width of one of two */
  MARGIN = 22, /* around what is drawn */
  NAMES = 62,  /* beside it, where vertices have names */
  TITLE = 40,
  LOWEST = 130, /* panels are no lower and no higher */
  HIGHEST = 340
};

static void put_title(picture *pic, double left, const char *title) {
  svg_text(pic->out, (svg_point){left, pic->top + 27}, SVG_START, "title", title);
}

static double limit(double height) { return floor(svg_hold(height, LOWEST, HIGHEST)); }

/* The world alone. */
static void put_world(picture *pic, const panel_bounds *world) {
  double width = PICTURE_WIDTH - 2 * PICTURE_EDGE, height = limit(panel_height(world, width, MARGIN, MARGIN));
  svg_box box = {PICTURE_EDGE, pic->top + TITLE, PICTURE_EDGE + width, pic->top + TITLE + height};
  panel p;
  panel_fit(&p, pic->out, world, box, MARGIN, MARGIN);
  put_title(pic, PICTURE_EDGE, "The shapes");
  picture_world(&p, pic->s);
  pic->top = box.bottom + 6;
}

static const char *title_of_difference(const story *s) {
  if (s->vertex_count > 0 && s->question->of == GRAZE_MINKOWSKI_SUM) return "Their sum A + B";
  return s->motion ? "The path against A − B" : "Their difference A − B";
}

double picture_fit_views(picture *pic, const panel_bounds *world, const panel_bounds *difference, double beside,
                         panel *p, panel *q) {
  double left = PICTURE_EDGE, right = PICTURE_WIDTH - PICTURE_EDGE - PANEL;
  double height =
      limit(fmax(panel_height(world, PANEL, MARGIN, MARGIN), panel_height(difference, PANEL, beside, MARGIN)));
  double top = pic->top + TITLE, bottom = top + height;
  panel_fit(p, pic->out, world, (svg_box){left, top, left + PANEL, bottom}, MARGIN, MARGIN);
  panel_fit(q, pic->out, difference, (svg_box){right, top, right + PANEL, bottom}, beside, MARGIN);
  panel_share_scale(p, q);
  put_title(pic, left, "The shapes");
  put_title(pic, right, title_of_difference(pic->s));
  return bottom + 6;
}

/* The world, and the difference beside it. */
static void put_views(picture *pic) {
  const story *s = pic->s;
  panel_bounds world = {0}, difference = {0};
  picture_see_world(&world, s);
  if (!picture_has_difference(s)) {
    put_world(pic, &world);
    return;
  }
  picture_see_difference(&difference, s);
  panel p, q;
  double bottom = picture_fit_views(pic, &world, &difference, s->vertex_count > 0 ? NAMES : MARGIN, &p, &q);
  picture_world(&p, s);
  picture_difference(&q, s);
  pic->top = bottom;
}

/* What was asked, and all sentences, in one line. */
static void put_label(cli_text *out, const story *s, const cli_text *stops, const cli_text *words) {
  cli_text label = {0};
  words_question(&label, s);
  cli_text_str(&label, "\n");
  cli_text_bytes(&label, stops->data, stops->size);
  cli_text_bytes(&label, words->data, words->size);
  while (label.size > 0 && label.data[label.size - 1] == '\n') label.size--;
  const char *line = label.data, *end = label.data + label.size;
  for (const char *next; line < end; line = next) {
    size_t size = picture_line(line, end, &next);
    svg_escaped(out, line, size);
    if (next < end) cli_text_str(out, size > 0 && line[size - 1] == '.' ? " " : "; ");
  }
  if (label.failed) out->failed = true;
  cli_text_free(&label);
}

static void put_head(cli_text *out, const story *s, const cli_text *stops, const cli_text *words, double height) {
  cli_text_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
  cli_text_int(out, PICTURE_WIDTH);
  cli_text_str(out, " ");
  cli_text_int(out, (long long)height);
  cli_text_str(out, "\"");
  svg_attribute(out, "width", PICTURE_WIDTH);
  svg_attribute(out, "height", height);
  cli_text_str(out, " role=\"img\" aria-label=\"");
  put_label(out, s, stops, words);
  cli_text_str(out, "\">\n");
  picture_style(out);
  svg_rect(out, (svg_box){0, 0, PICTURE_WIDTH, height}, 8, "paper");
}

void story_print_svg(cli_text *out, const story *s) {
  cli_text body = {0}, stops = {0}, words = {0};
  picture pic = {&body, s, 0};
  picture_gather_stops(&stops, s);
  picture_gather_words(&words, s);
  s->motion ? picture_motion(&pic) : put_views(&pic);
  picture_axes(&pic);
  picture_steps(&pic);
  picture_words(&pic, &stops, "");
  picture_words(&pic, &words, "word");
  put_head(out, s, &stops, &words, floor(pic.top + 14));
  cli_text_bytes(out, body.data, body.size);
  cli_text_str(out, "</svg>\n");
  if (body.failed || stops.failed || words.failed) out->failed = true;
  cli_text_free(&body);
  cli_text_free(&stops);
  cli_text_free(&words);
}
