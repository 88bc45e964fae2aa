#include "explain/text_motion.h"

#include "explain/columns.h"
#include "explain/words.h"
#include "explain/words_motion.h"

#include <math.h>
#include <string.h>

/* Columns of the time bar: four from sample to sample. */
enum { BAR = 4 * (MOTION_SAMPLES - 1) + 1, MOST_STEPS = 12 };

static void paragraph(cli_text *out, void (*say)(cli_text *, const story *), const story *s, size_t indent) {
  cli_text text = {.data = NULL};
  say(&text, s);
  columns_paragraph(out, &text, indent, 0);
  cli_text_free(&text);
}

/* ---- The time bar */

static int column_of(const story_motion *m, double t) {
  return m->t_end > 0 ? (int)floor(t / m->t_end * (BAR - 1) + 0.5) : 0;
}

static char sign_of(motion_state state) { return state == MOTION_FREE ? '=' : state == MOTION_MET ? '#' : '~'; }

static char look_of(graze_relation relation) {
  switch (relation) {
  case GRAZE_SEPARATED: return 'o';
  case GRAZE_TOUCHING: return 't';
  case GRAZE_OVERLAPPING: return 'x';
  default: return '-';
  }
}

/* However short, what is free has a column, and what is undecided the one after. */
static void fill_bar(const story_motion *m, char bar[BAR + 1]) {
  memset(bar, '=', BAR);
  bar[BAR] = 0;
  for (int i = 0, next = 0; i < m->span_count; i++) {
    const motion_span *span = &m->spans[i];
    int from = column_of(m, span->from);
    next = from < next ? next : from;
    if (next < BAR) memset(bar + next, sign_of(span->state), (size_t)(BAR - next));
    next++;
  }
}

static void fill_looks(const story_motion *m, char looks[BAR + 1]) {
  memset(looks, ' ', BAR);
  looks[BAR] = 0;
  for (int k = 0; k < m->moment_count; k++)
    if (m->moments[k].sampled) looks[column_of(m, m->moments[k].t)] = look_of(m->moments[k].relation);
  for (int i = BAR; i > 0 && looks[i - 1] == ' '; i--) looks[i - 1] = 0;
}

/* What the signs mean, of those that occur. */
static void put_meanings(cli_text *out, const char *signs, const char *const meanings[][2], size_t count) {
  bool first = true;
  for (size_t i = 0; i < count; i++) {
    if (strchr(signs, meanings[i][0][0]) == NULL) continue;
    cli_text_str(out, first ? "" : ", ");
    cli_text_str(out, meanings[i][0]);
    cli_text_str(out, " ");
    cli_text_str(out, meanings[i][1]);
    first = false;
  }
}

static void put_row(cli_text *out, const char *name, const char *row) {
  cli_text_str(out, name);
  cli_text_str(out, row);
  cli_text_str(out, "\n");
}

static void print_bar(cli_text *out, const story *s) {
  static const char *const states[][2] = {{"=", "proved free"}, {"~", "undecided"}, {"#", "after the first contact"}};
  static const char *const looks[][2] = {{"o", "apart"}, {"x", "overlapping"}, {"t", "touching"}, {"-", "not told"}};
  const story_motion *m = s->motion;
  char bar[BAR + 1], row[BAR + 1];
  fill_bar(m, bar);
  fill_looks(m, row);
  cli_text_str(out, "\nThe time, from 0 to ");
  words_number(out, m->t_end);
  cli_text_str(out, isfinite(m->t_max) ? "\n\n" : " (the motion has no end)\n\n");
  put_row(out, "  proof    ", bar);
  put_row(out, "  samples  ", row);
  cli_text_str(out, "\n  ");
  put_meanings(out, bar, states, 3);
  cli_text_str(out, "; ");
  put_meanings(out, row, looks, 4);
  cli_text_str(out, ".\n");
  paragraph(out, words_samples, s, 2);
}

/* ---- The steps of a proof about bodies that turn */

static void step_row(columns *t, const story *s, size_t k) {
  const graze_cast_step *step = &s->motion->impact.steps[k];
  cli_text_int(&t->cells, (long long)k + 1);
  columns_next(t);
  words_number(&t->cells, step->from);
  columns_next(t);
  words_number(&t->cells, step->to);
  columns_next(t);
  words_vec(&t->cells, step->direction.vector, s->dim);
  columns_next(t);
}

static void print_steps(cli_text *out, const story *s) {
  size_t count = s->motion->impact.step_count;
  if (count == 0) return;
  static const char *const names[] = {"#", "from t", "to t", "direction d"};
  columns table = {.count = 4, .right = {true, true, true, false}};
  for (int i = 0; i < 4; i++) {
    cli_text_str(&table.cells, names[i]);
    columns_next(&table);
  }
  for (size_t k = 0; k < count; k++) {
    bool gap = count > MOST_STEPS && k + 4 > MOST_STEPS && k + 3 < count;
    if (!gap) step_row(&table, s, k);
    if (gap && k + 4 == MOST_STEPS + 1) columns_across(&table, "…");
  }
  cli_text_str(out, "\nThe steps of the proof\n\n");
  columns_print(out, &table, 2);
  columns_free(&table);
}

void text_motion(cli_text *out, const story *s) {
  cli_text_str(out, "\n");
  paragraph(out, words_path, s, 0);
  print_bar(out, s);
  print_steps(out, s);
}
