/* A cast: the bodies at the start and at the contact, the relative path against A - B, and the time bar. */
#include "explain/story.h"
#include "explain/drawing.h"

#include <math.h>
#include <string.h>

static const graze_vec ORIGIN = {0, 0, 0};
static const svg_point UP = {0, -1};

static bool moves(const graze_motion *m) { return !vec_is_zero(m->velocity) || !vec_is_zero(m->angular); }
static bool has_contact(const story_motion *m) { return m->cast.outcome != GRAZE_CLEAR; }
static graze_vec path_at(const story_motion *m, double t) { return t > 0 ? vec_scale(m->u, t) : ORIGIN; }

/* ---- The world */

static void draw_world(panel *p, const story *s) {
  const story_motion *m = s->motion;
  const story_evidence *e = &m->evidence;
  const bool moving[] = {moves(&m->a), moves(&m->b)};
  p->inside = 0.12;
  for (int i = 0; i < 2; i++) {
    panel_mesh(p, &m->swept[i], i == 0 ? "a sweep" : "b sweep");
    for (int k = 0; moving[i] && k < MOTION_TRAIL; k++) panel_mesh(p, &m->trail[i][k], i == 0 ? "a sweep" : "b sweep");
  }
  picture_bodies(p, s, "b");
  for (int i = 0; i < 2; i++) { /* at the key time, and the displacement until then */
    const story_mesh *from = i == 0 ? &s->a.mesh : &s->b.mesh, *to = &m->at_key[i];
    if (!moving[i] || !(m->t_key > 0) || to->kind != STORY_MESH_SOLID || from->kind != STORY_MESH_SOLID) continue;
    panel_faces(p, &m->faces_at_key[i], i == 0 ? "a ghost" : "b ghost");
    panel_points(p, to->points, to->point_count, i == 0 ? "a ghost" : "b ghost");
    panel_arrow(p, picture_middle(from), picture_middle(to), i == 0 ? "a" : "b");
  }
  /* The separating line at the key time, in the middle of the gap. */
  double max_a = e->max_a + m->t_key * vec_dot(e->direction, m->a.velocity);
  double min_b = e->min_b + m->t_key * vec_dot(e->direction, m->b.velocity);
  if (isfinite(max_a) && isfinite(min_b) && m->cast.start_relation == GRAZE_SEPARATED && !m->sweep)
    panel_plane(p, e->direction, max_a / 2 + min_b / 2, "proof dash");
  if (has_contact(m) && isfinite(m->cast.point.x))
    panel_dot(p, m->cast.point, 5, m->cast.outcome == GRAZE_HIT ? "met" : "open");
  for (size_t i = 0; i < s->ray.count && !story_is_contained(s); i++)
    panel_dot(p, s->ray.hits[i].at, 4, i == 0 && has_contact(m) ? "met" : "sample");
  if (story_is_contained(s)) picture_ray(p, &s->ray);
  picture_name_body(p, &s->a, "word a", "A");
  picture_name_body(p, &s->b, "word b", "B");
  for (int i = 0; i < 2; i++)
    if (m->t_key > 0 && moving[i] && m->at_key[i].kind == STORY_MESH_SOLID)
      panel_label(p, panel_at(p, picture_extreme(&m->at_key[i], 1)), UP, SVG_SMALL, i == 0 ? "small a" : "small b",
                  "t = %n", m->t_key);
}

/* ---- The relative path */

static void draw_path(panel *p, const story *s) {
  const story_motion *m = s->motion;
  const story_evidence *e = &m->evidence;
  const motion_moment *key = &m->moments[m->key];
  bool late = m->turns && m->t_key > 0;
  p->inside = 0.12;
  panel_mesh(p, &s->cso, late ? "c ghost" : "soft");
  panel_mesh(p, &s->core, late ? "c ghost" : "c");
  if (late) panel_mesh(p, &key->cso, "soft");
  if (late) panel_mesh(p, &key->core, "c");
  for (int i = 0; i < m->span_count; i++) { /* the last span ends in an arrow */
    const motion_span *span = &m->spans[i];
    double to = fmin(span->to, m->t_drawn);
    if (to <= span->from) continue;
    bool last = i + 1 == m->span_count || !(m->spans[i + 1].from < m->t_drawn);
    (last ? panel_arrow : panel_line)(p, path_at(m, span->from), path_at(m, to), motion_states[span->state].style);
  }
  if (!m->sweep && m->cast.start_relation == GRAZE_SEPARATED)
    panel_plane(p, e->direction, e->max_a - e->min_b, "proof dash");
  for (int i = 0; i < e->count && !m->turns; i++) panel_dot(p, s->points[e->points[i]].w.point, 4, "proof");
  if (!has_contact(m) && isfinite(m->cast.t_min) && isfinite(m->cast.min_upper) && !m->turns) {
    /* The minimum distance of the path from A - B. */
    graze_vec at = path_at(m, m->t_key), foot = vec_sub(at, vec_scale(e->direction, m->cast.min_upper));
    panel_line(p, at, foot, "proof");
    panel_dot(p, foot, 4.5, "proof");
  }
  panel_origin(p, 14);
  panel_label(p, panel_at(p, ORIGIN), (svg_point){0.7, -0.7}, SVG_PLAIN, "word", "0");
  if (m->t_key > 0 && (m->u.x != 0 || m->u.y != 0)) {
    graze_vec at = path_at(m, m->t_key);
    panel_dot(p, at, 5, m->cast.outcome == GRAZE_HIT ? "met" : has_contact(m) ? "open" : "proof");
    panel_label(p, panel_at(p, at), UP, SVG_PLAIN, "word", "t = %n", m->t_key);
  }
  picture_name(p, late ? &key->core : &s->core, "word c", "A − B");
}

/* ---- The time bar */

enum { LEFT = PICTURE_EDGE + 8, RIGHT = PICTURE_WIDTH - PICTURE_EDGE - 8, HEIGHT = 18, MIN_WIDTH = 3, MAX_CUTS = 120 };

static double place(const story_motion *m, double t) {
  return m->t_end > 0 ? LEFT + t / m->t_end * (RIGHT - LEFT) : LEFT;
}

static const char *sample_style(graze_relation relation) {
  if (relation == GRAZE_OVERLAPPING) return "met";
  return relation == GRAZE_SEPARATED ? "sample" : "open";
}

/* One entry of the legend, in the next line if this one is full. */
static void draw_entry(cli_text *out, svg_point *at, const char *style, bool sample, const char *before,
                       const char *words) {
  double width = svg_width(before, strlen(before), SVG_SMALL) + svg_width(words, strlen(words), SVG_SMALL);
  if (at->x + 20 + width > RIGHT) *at = (svg_point){LEFT, at->y + 20};
  if (sample)
    svg_dot(out, (svg_point){at->x + 6, at->y - 4.5}, 5, style);
  else
    svg_rect(out, (svg_box){at->x, at->y - 11, at->x + 14, at->y + 2}, 0, style);
  at->x += sample ? 17 : 20;
  svg_text(out, *at, SVG_START, "small", "%s%s", before, words);
  at->x += width + 16;
}

/* Returns the y of its last line. */
static double draw_legend(picture *pic, double y) {
  static const graze_relation relations[] = {GRAZE_SEPARATED, GRAZE_OVERLAPPING, GRAZE_TOUCHING, GRAZE_UNDECIDED};
  const story_motion *m = pic->s->motion;
  svg_point at = {LEFT, y};
  const char *before = "sampled: ";
  for (int i = 0; i < m->span_count; i++) {
    const struct motion_words *state = &motion_states[m->spans[i].state];
    draw_entry(pic->out, &at, state->style, false, "", state->words);
  }
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < m->moment_count; k++) {
      if (!m->moments[k].sampled || m->moments[k].relation != relations[i]) continue;
      draw_entry(pic->out, &at, sample_style(relations[i]), true, before, cast_relation_text(relations[i]));
      before = "";
      break;
    }
  return at.y;
}

void picture_motion(picture *pic) {
  const story *s = pic->s;
  const story_motion *m = s->motion;
  bounds world = {0}, difference = {0};
  panel p, q;
  cli_text lines = {0};
  picture_bounds_of_bodies(&world, s);
  for (int i = 0; i < 2; i++) {
    bounds_add_mesh(&world, &m->at_key[i]);
    bounds_add_faces(&world, &m->faces_at_key[i]);
    bounds_add_mesh(&world, &m->swept[i]);
    for (int k = 0; k < MOTION_TRAIL; k++) bounds_add_mesh(&world, &m->trail[i][k]);
  }
  if (has_contact(m)) bounds_add(&world, m->cast.point);
  picture_bounds_of_ray(&world, &s->ray);
  const motion_moment *key = &m->moments[m->key];
  const story_mesh *meshes[] = {&s->core, &s->cso, &key->core, &key->cso};
  bounds_add(&difference, ORIGIN);
  for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) bounds_add_mesh(&difference, meshes[i]);
  bounds_add(&difference, path_at(m, m->t_key));
  bounds_add(&difference, path_at(m, m->t_drawn));
  picture_two_panels(pic, &world, &difference, PICTURE_MARGIN, "The path against A − B", &p, &q);
  draw_world(&p, s);
  draw_path(&q, s);
  emit(&lines, "%S\n", sentence_cast_path, s);
  const bool cut = m->t_drawn < m->t_end;
  if (m->turns && m->t_key > 0)
    emit(&lines, "A − B is drawn at t = 0 (dashed) and at t = %n.%s", m->t_key, cut ? " " : "");
  if (cut) emit(&lines, "The path is drawn until t = %n.", m->t_drawn);
  picture_lines(pic, &lines, "");
  svg_text(pic->out, (svg_point){PICTURE_EDGE, pic->top + 27}, SVG_START, "title", "The time");
  double top = pic->top + 56;
  for (int i = m->span_count; i-- > 0;) { /* an undecided span is visible however short it is */
    const motion_span *span = &m->spans[i];
    double left = place(m, span->from), right = m->t_end > 0 ? place(m, span->to) : RIGHT;
    if (span->state == MOTION_UNDECIDED) right = fmin(fmax(right, left + MIN_WIDTH), RIGHT);
    if (span->state == MOTION_UNDECIDED) left = fmin(left, right - MIN_WIDTH);
    if (right - left >= 0.1)
      svg_rect(pic->out, (svg_box){left, top, right, top + HEIGHT}, 0, motion_states[span->state].style);
  }
  for (size_t k = 0; m->certificate.step_count <= MAX_CUTS && k + 1 < m->certificate.step_count; k++) {
    double x = place(m, m->certificate.steps[k].to); /* the end of a step of a sweep */
    svg_rect(pic->out, (svg_box){x - 0.5, top, x + 0.5, top + HEIGHT}, 0, "cut");
  }
  if (m->t_key > 0) {
    lines.size = 0;
    emit(&lines, m->cast.outcome == GRAZE_CLEAR ? "minimum distance at t = %n" : "t = %n", m->t_key);
    const double x = place(m, m->t_key), half = svg_width(lines.data, lines.size, SVG_SMALL) * SVG_BOLD / 2;
    svg_line(pic->out, (svg_point){x, top - 4}, (svg_point){x, top + HEIGHT + 4}, "thin");
    svg_text(pic->out, (svg_point){fmax(LEFT + half, fmin(RIGHT - half, x)), top - 9}, SVG_MIDDLE, "small word", "%t",
             &lines);
  }
  const double y = top + HEIGHT + 15; /* the samples */
  svg_line(pic->out, (svg_point){LEFT, y}, (svg_point){RIGHT, y}, "frame");
  for (int k = 0; k < m->moment_count; k++)
    if (m->moments[k].sampled)
      svg_dot(pic->out, (svg_point){place(m, m->moments[k].t), y}, 5, sample_style(m->moments[k].relation));
  svg_text(pic->out, (svg_point){LEFT, y + 23}, SVG_START, "small", "0");
  svg_text(pic->out, (svg_point){RIGHT, y + 23}, SVG_END, "small", isfinite(m->t_max) ? "%n" : "%n …", m->t_end);
  pic->top = draw_legend(pic, top + HEIGHT + 62) + 6;
  lines.size = 0;
  sentence_cast_samples(&lines, s);
  picture_lines(pic, &lines, "");
  cli_text_free(&lines);
}
