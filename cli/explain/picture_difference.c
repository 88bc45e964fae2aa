#include "explain/picture.h"

#include <math.h>

static const graze_vec ORIGIN = {0, 0, 0};

/* Vertices are named where they are not more; steps that are not numbered are dots, but not more. */
enum { MOST_NAMED = 16, MOST_DOTS = 200, SAME_BADGE = 24 };

bool picture_shows_step(const story *s, size_t k) {
  size_t count = s->finding.trace.count;
  return count <= PICTURE_CELLS || k < PICTURE_FIRST || k + PICTURE_LAST >= count;
}

bool picture_has_difference(const story *s) {
  return s->core.kind != STORY_MESH_NONE || s->cso.kind != STORY_MESH_NONE || s->vertex_count > 0;
}

/* The point of A - B nearest the origin, or, inside, the place where the origin leaves it. */
static graze_vec nearest(const story *s) {
  const graze_answer *answer = &s->finding.answer;
  return (graze_vec){-answer->distance * answer->normal.x, -answer->distance * answer->normal.y, 0};
}

void picture_see_difference(panel_bounds *bounds, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  panel_see(bounds, ORIGIN);
  panel_see_mesh(bounds, &s->core);
  panel_see_mesh(bounds, &s->cso);
  for (size_t i = 0; i < s->vertex_count; i++) panel_see(bounds, s->vertices[i]);
  for (size_t k = 0; k < trace->count; k++)
    if (picture_shows_step(s, k)) panel_see(bounds, trace->steps[k].point);
  if (s->finding.answer.relation != 0) panel_see(bounds, nearest(s));
  panel_see_border(bounds, &s->core);
  panel_see_border(bounds, &s->cso);
}

static graze_vec highest(const story_mesh *mesh) {
  graze_vec best = mesh->points[0];
  for (size_t i = 1; i < mesh->point_count; i++)
    if (mesh->points[i].y > best.y) best = mesh->points[i];
  return best;
}

static graze_vec lowest(const story_mesh *mesh) {
  graze_vec best = mesh->points[0];
  for (size_t i = 1; i < mesh->point_count; i++)
    if (mesh->points[i].y < best.y) best = mesh->points[i];
  return best;
}

static void draw_proof(panel *p, const story *s) {
  const graze_answer *answer = &s->finding.answer;
  const story_evidence *e = &s->evidence;
  if (answer->relation == 0) return;
  panel_across(p, e->direction, e->reach_a - e->begin_b, "proof dash");
  if (answer->relation == GRAZE_OVERLAPPING)
    panel_arrow(p, ORIGIN, nearest(s), "proof");
  else
    panel_arrow(p, nearest(s), ORIGIN, "proof");
  panel_dot(p, nearest(s), 4.5, "proof");
}

/* The steps that found one point, or points too near to each other for two badges. */
typedef struct badge {
  svg_point at;
  size_t numbers[PICTURE_CELLS], count;
} badge;

static void add_step(badge *badges, size_t *count, svg_point at, size_t number) {
  size_t i = 0;
  while (i < *count && !(svg_apart(badges[i].at, at) < SAME_BADGE)) i++;
  if (i == *count) badges[(*count)++] = (badge){.at = at};
  badges[i].numbers[badges[i].count++] = number;
}

/* "1,2,5", and "1–3" of three or more in a row. */
static void put_numbers(cli_text *text, const badge *b) {
  for (size_t i = 0; i < b->count; i++) {
    size_t end = i;
    while (end + 1 < b->count && b->numbers[end + 1] == b->numbers[end] + 1) end++;
    if (i > 0) cli_text_str(text, ",");
    cli_text_int(text, (long long)b->numbers[i]);
    if (end < i + 2) continue;
    cli_text_str(text, "–");
    cli_text_int(text, (long long)b->numbers[end]);
    i = end;
  }
}

/* On the point, or, where it is wide and would hide too much, beside it: those come when the others have their
 * place. */
static void put_badge(panel *p, const badge *b, bool wide) {
  cli_text text = {0};
  put_numbers(&text, b);
  bool hides = svg_apart(b->at, panel_at(p, ORIGIN)) < 18; /* the origin */
  if ((text.size > 3 || hides) != wide) {
    cli_text_free(&text);
    return;
  }
  const char *numbers = picture_string(p->out, &text);
  double width = svg_badge_width(numbers);
  svg_point at = {svg_hold(b->at.x, p->box.left + width / 2, p->box.right - width / 2), b->at.y};
  svg_point middle = {(p->box.left + p->box.right) / 2, (p->box.top + p->box.bottom) / 2};
  if (wide) {
    svg_dot(p->out, b->at, 4.5, "walk");
    at = panel_beside(p, b->at, (svg_point){b->at.x < middle.x ? -1 : 1, b->at.y < middle.y ? -1 : 1}, width, 20);
  }
  svg_badge(p->out, at, numbers);
  panel_take(p, (svg_box){at.x - width / 2, at.y - 10, at.x + width / 2, at.y + 10}, 6);
  cli_text_free(&text);
}

static void draw_badges(panel *p, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  badge badges[PICTURE_CELLS];
  size_t count = 0, dots = 0;
  for (size_t k = 0; k < trace->count; k++) {
    const graze_trace_step *step = &trace->steps[k];
    if (!story_has_point(step) || !isfinite(step->point.x) || !isfinite(step->point.y)) continue;
    if (picture_shows_step(s, k))
      add_step(badges, &count, panel_at(p, step->point), k + 1);
    else if (dots++ < MOST_DOTS)
      panel_dot(p, step->point, 3, "walk");
  }
  for (size_t i = 0; i < count; i++) put_badge(p, &badges[i], false);
  for (size_t i = 0; i < count; i++) put_badge(p, &badges[i], true);
}

static void name_vertices(panel *p, const story *s) {
  svg_point middle = {(p->box.left + p->box.right) / 2, (p->box.top + p->box.bottom) / 2};
  cli_text text = {0};
  for (size_t i = 0; i < s->vertex_count; i++)
    panel_dot(p, s->vertices[i], s->vertex_count > MOST_NAMED ? 2.5 : 4, "walk");
  for (size_t i = 0; i < s->vertex_count && s->vertex_count <= MOST_NAMED; i++) {
    svg_point at = panel_at(p, s->vertices[i]);
    double away = svg_apart(middle, at) + 1;
    svg_point toward = {2 * (at.x - middle.x) / away, 2 * (at.y - middle.y) / away};
    text.size = 0;
    words_vertex(&text, s, i);
    panel_label(p, at, toward, SVG_SMALL, "small", picture_string(p->out, &text));
  }
  cli_text_free(&text);
}

/* Where there are two outlines. */
static void name_outlines(panel *p, const story *s) {
  if (s->cso.kind != STORY_MESH_SOLID || s->core.kind != STORY_MESH_SOLID || !(s->radius > 0)) return;
  cli_text text = {0};
  cli_text_str(&text, "r = ");
  words_number(&text, s->radius);
  panel_label(p, panel_at(p, highest(&s->cso)), (svg_point){0, -1}, SVG_SMALL, "small", picture_string(p->out, &text));
  panel_label(p, panel_at(p, lowest(&s->core)), (svg_point){0, -1}, SVG_SMALL, "small", "cores");
  cli_text_free(&text);
}

void picture_difference(panel *p, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  panel_mesh(p, &s->cso, "soft");
  if (s->vertex_count > 0)
    panel_points(p, s->vertices, s->vertex_count, "c");
  else
    panel_mesh(p, &s->core, "c");
  if (trace->count > 0) picture_simplex(p, &trace->steps[trace->count - 1]);
  draw_proof(p, s);
  panel_origin(p, 14);
  draw_badges(p, s);
  name_vertices(p, s);
  name_outlines(p, s);
  panel_label(p, panel_at(p, ORIGIN), (svg_point){0.7, -0.7}, SVG_PLAIN, "word", "0");
}
