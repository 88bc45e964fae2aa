/* The time bar: what is proved of which times, and below it what those see who look at samples only. */
#include "explain/motion.h"
#include "explain/picture.h"
#include "explain/words_motion.h"

#include <math.h>
#include <string.h>

enum { LEFT = PICTURE_EDGE + 8, RIGHT = PICTURE_WIDTH - PICTURE_EDGE - 8, HEIGHT = 18, LEAST = 3, MOST_CUTS = 120 };

static const char *const STYLES[] = {"", "free", "open", "met"};

static double place(const story_motion *m, double t) {
  return m->t_end > 0 ? LEFT + t / m->t_end * (RIGHT - LEFT) : LEFT;
}

/* However short, what is undecided is seen. */
static void put_spans(picture *pic, double top) {
  const story_motion *m = pic->s->motion;
  for (int i = m->span_count; i-- > 0;) {
    const motion_span *span = &m->spans[i];
    double left = place(m, span->from), right = m->t_end > 0 ? place(m, span->to) : RIGHT;
    if (span->state == MOTION_UNDECIDED) right = fmin(fmax(right, left + LEAST), RIGHT);
    if (span->state == MOTION_UNDECIDED) left = fmin(left, right - LEAST);
    if (right - left >= 0.1) svg_rect(pic->out, (svg_box){left, top, right, top + HEIGHT}, 0, STYLES[span->state]);
  }
}

/* Where one step of the proof ends and the next begins. */
static void put_cuts(picture *pic, double top) {
  const story_motion *m = pic->s->motion;
  if (m->impact.step_count > MOST_CUTS) return;
  for (size_t k = 0; k + 1 < m->impact.step_count; k++) {
    double x = place(m, m->impact.steps[k].to);
    svg_rect(pic->out, (svg_box){x - 0.5, top, x + 0.5, top + HEIGHT}, 0, "cut");
  }
}

/* Its time, above the bar. */
static void put_key(picture *pic, double top) {
  const story_motion *m = pic->s->motion;
  if (!(m->t_key > 0)) return;
  cli_text text = {0};
  cli_text_str(&text, m->impact.result == GRAZE_CLEAR ? "nearest at t = " : "t = ");
  words_number(&text, m->t_key);
  const char *words = picture_string(pic->out, &text);
  double x = place(m, m->t_key), half = svg_width(words, strlen(words), SVG_SMALL) * SVG_BOLD / 2;
  svg_line(pic->out, (svg_point){x, top - 4}, (svg_point){x, top + HEIGHT + 4}, "thin");
  double middle = fmax(LEFT + half, fmin(RIGHT - half, x));
  svg_text(pic->out, (svg_point){middle, top - 9}, SVG_MIDDLE, "small word", words);
  cli_text_free(&text);
}

static const char *look_style(graze_relation relation) {
  if (relation == GRAZE_OVERLAPPING) return "met";
  return relation == GRAZE_SEPARATED ? "look" : "open";
}

static void put_looks(picture *pic, double y) {
  const story_motion *m = pic->s->motion;
  svg_line(pic->out, (svg_point){LEFT, y}, (svg_point){RIGHT, y}, "frame");
  for (int k = 0; k < m->moment_count; k++)
    if (m->moments[k].sampled)
      svg_dot(pic->out, (svg_point){place(m, m->moments[k].t), y}, 5, look_style(m->moments[k].relation));
}

static void put_ends(picture *pic, double y) {
  const story_motion *m = pic->s->motion;
  cli_text text = {0};
  svg_text(pic->out, (svg_point){LEFT, y}, SVG_START, "small", "0");
  words_number(&text, m->t_end);
  if (!isfinite(m->t_max)) cli_text_str(&text, " \xE2\x80\xA6");
  svg_text(pic->out, (svg_point){RIGHT, y}, SVG_END, "small", picture_string(pic->out, &text));
  cli_text_free(&text);
}

/* ---- What it means */

typedef struct legend {
  cli_text *out;
  double x, y;
} legend;

/* On the next line where there is no more room. */
static void put_word(legend *l, const char *style, bool look, const char *words) {
  double width = svg_width(words, strlen(words), SVG_SMALL);
  if (l->x + 20 + width > RIGHT) {
    l->x = LEFT;
    l->y += 20;
  }
  if (look)
    svg_dot(l->out, (svg_point){l->x + 6, l->y - 4.5}, 5, style);
  else
    svg_rect(l->out, (svg_box){l->x, l->y - 11, l->x + 14, l->y + 2}, 0, style);
  l->x += look ? 17 : 20;
  svg_text(l->out, (svg_point){l->x, l->y}, SVG_START, "small", words);
  l->x += width + 16;
}

static bool has_state(const story_motion *m, motion_state state) {
  for (int i = 0; i < m->span_count; i++)
    if (m->spans[i].state == state) return true;
  return false;
}

static bool has_look(const story_motion *m, graze_relation relation) {
  for (int k = 0; k < m->moment_count; k++)
    if (m->moments[k].sampled && m->moments[k].relation == relation) return true;
  return false;
}

/* Where it ends. */
static double put_legend(picture *pic, double y) {
  static const char *const states[] = {"", "proved free", "undecided", "after the first contact"};
  static const graze_relation looks[] = {GRAZE_SEPARATED, GRAZE_OVERLAPPING, GRAZE_TOUCHING, GRAZE_UNDECIDED};
  const story_motion *m = pic->s->motion;
  legend l = {pic->out, LEFT, y};
  for (motion_state state = MOTION_FREE; state <= MOTION_MET; state++)
    if (has_state(m, state)) put_word(&l, STYLES[state], false, states[state]);
  bool first = true;
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    if (!has_look(m, looks[i])) continue;
    cli_text text = {0};
    if (first) cli_text_str(&text, "sampled: ");
    cli_text_str(&text, words_look(looks[i]));
    put_word(&l, look_style(looks[i]), true, picture_string(pic->out, &text));
    cli_text_free(&text);
    first = false;
  }
  return l.y;
}

void picture_bar(picture *pic) {
  cli_text words = {0};
  double top = pic->top + 56;
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top + 26}, SVG_START, "title", "The time");
  put_spans(pic, top);
  put_cuts(pic, top);
  put_key(pic, top);
  put_looks(pic, top + HEIGHT + 15);
  put_ends(pic, top + HEIGHT + 38);
  pic->top = put_legend(pic, top + HEIGHT + 62) + 6;
  words_samples(&words, pic->s);
  picture_words(pic, &words, "");
  if (words.failed) pic->out->failed = true;
  cli_text_free(&words);
}
