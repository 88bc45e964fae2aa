/* Bodies that move: where they begin and meet, and the relative path against A - B. */
#include "explain/geometry.h"
#include "explain/motion.h"
#include "explain/picture.h"
#include "explain/words_motion.h"

#include <math.h>

static const graze_vec ORIGIN = {0, 0, 0};

static graze_vec middle_of(const story_mesh *mesh) {
  graze_vec sum = {0, 0, 0};
  for (size_t i = 0; i < mesh->point_count; i++)
    sum = vec_add(sum, vec_scale(mesh->points[i], 1 / (double)mesh->point_count));
  return sum;
}

static bool moves(const graze_motion *m) {
  graze_vec v = m->velocity, w = m->angular;
  return v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0;
}

static bool has_contact(const story_motion *m) { return m->impact.result != GRAZE_CLEAR; }

static graze_vec path_at(const story_motion *m, double t) { return t > 0 ? vec_scale(m->u, t) : ORIGIN; }

/* ---- The world */

static void see_world(panel_bounds *bounds, const story *s) {
  const story_motion *m = s->motion;
  const story_mesh *meshes[] = {&s->a.mesh, &s->b.mesh, &m->then_a, &m->then_b, &m->swept_a, &m->swept_b};
  for (int k = 0; k < MOTION_TRAIL; k++) {
    panel_see_mesh(bounds, &m->trail_a[k]);
    panel_see_mesh(bounds, &m->trail_b[k]);
  }
  for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) panel_see_mesh(bounds, meshes[i]);
  for (size_t k = 0; k < s->a.other_count; k++) panel_see_mesh(bounds, &s->a.others[k]);
  for (size_t k = 0; k < s->b.other_count; k++) panel_see_mesh(bounds, &s->b.others[k]);
  if (has_contact(m)) panel_see(bounds, m->impact.point);
  panel_see_border(bounds, &s->a.mesh);
  panel_see_border(bounds, &s->b.mesh);
}

/* Where the body is at the time that matters, and how it comes there. */
static void draw_then(panel *p, const story_motion *m, const story_mesh *from, const story_mesh *to,
                      const graze_motion *motion, const char *style) {
  if (!moves(motion) || !(m->t_key > 0) || to->kind != STORY_MESH_SOLID || from->kind != STORY_MESH_SOLID) return;
  panel_points(p, to->points, to->point_count, style);
  panel_arrow(p, middle_of(from), middle_of(to), *style == 'a' ? "a" : "b");
}

/* Half-way between the two at the end of what is proved free. */
static void draw_separation(panel *p, const story_motion *m) {
  const motion_evidence *e = &m->evidence;
  double t = m->t_key, a = e->reach_a + t * vec_dot(e->direction, m->a.velocity);
  double b = e->begin_b + t * vec_dot(e->direction, m->b.velocity);
  if (isfinite(a) && isfinite(b) && m->impact.starts == GRAZE_SEPARATED && !m->sweep)
    panel_across(p, e->direction, a / 2 + b / 2, "proof dash");
}

static void draw_contact(panel *p, const story_motion *m) {
  const graze_cast_result *impact = &m->impact;
  if (!has_contact(m) || !isfinite(impact->point.x)) return;
  panel_dot(p, impact->point, 5, impact->result == GRAZE_HIT ? "met" : "open");
}

static void label_time(panel *p, const story_mesh *mesh, double t, const char *style) {
  if (mesh->kind != STORY_MESH_SOLID) return;
  graze_vec top = mesh->points[0];
  for (size_t i = 1; i < mesh->point_count; i++)
    if (mesh->points[i].y > top.y) top = mesh->points[i];
  cli_text text = {0};
  cli_text_str(&text, "t = ");
  words_number(&text, t);
  panel_label(p, panel_at(p, top), (svg_point){0, -1}, SVG_SMALL, style, picture_string(p->out, &text));
  cli_text_free(&text);
}

static void draw_trail(panel *p, const story_motion *m) {
  for (int k = 0; k < MOTION_TRAIL; k++) {
    if (moves(&m->a)) panel_mesh(p, &m->trail_a[k], "a sweep");
    if (moves(&m->b)) panel_mesh(p, &m->trail_b[k], "b sweep");
  }
}

static void draw_world(panel *p, const story *s) {
  const story_motion *m = s->motion;
  p->inside = 0.12;
  panel_mesh(p, &m->swept_a, "a sweep");
  panel_mesh(p, &m->swept_b, "b sweep");
  draw_trail(p, m);
  picture_others(p, &s->a, "a");
  picture_others(p, &s->b, "b");
  panel_mesh(p, &s->a.mesh, "a");
  panel_mesh(p, &s->b.mesh, "b");
  draw_then(p, m, &s->a.mesh, &m->then_a, &m->a, "a ghost");
  draw_then(p, m, &s->b.mesh, &m->then_b, &m->b, "b ghost");
  draw_separation(p, m);
  draw_contact(p, m);
  picture_name(p, &s->a.mesh, "word a", "A");
  picture_name(p, &s->b.mesh, "word b", "B");
  if (!(m->t_key > 0)) return;
  if (moves(&m->a)) label_time(p, &m->then_a, m->t_key, "small a");
  if (moves(&m->b)) label_time(p, &m->then_b, m->t_key, "small b");
}

/* ---- The path */

static void see_path(panel_bounds *bounds, const story *s) {
  const story_motion *m = s->motion;
  const motion_moment *key = &m->moments[m->key];
  const story_mesh *meshes[] = {&s->core, &s->cso, &key->core, &key->cso};
  panel_see(bounds, ORIGIN);
  for (size_t i = 0; i < sizeof meshes / sizeof *meshes; i++) panel_see_mesh(bounds, meshes[i]);
  panel_see(bounds, path_at(m, m->t_key));
  panel_see(bounds, path_at(m, m->t_drawn));
  panel_see_border(bounds, &s->core);
  panel_see_border(bounds, &s->cso);
}

/* From its beginning, as far as it is drawn; the last piece ends in an arrow. */
static void draw_spans(panel *p, const story_motion *m) {
  static const char *const STYLES[] = {"", "free", "open", "met"};
  for (int i = 0; i < m->span_count; i++) {
    const motion_span *span = &m->spans[i];
    double to = fmin(span->to, m->t_drawn);
    if (to <= span->from) continue;
    bool ends = i + 1 == m->span_count || !(m->spans[i + 1].from < m->t_drawn);
    (ends ? panel_arrow : panel_line)(p, path_at(m, span->from), path_at(m, to), STYLES[span->state]);
  }
}

static void draw_pairs(panel *p, const story *s) {
  const motion_evidence *e = &s->motion->evidence;
  graze_vec points[6];
  if (s->motion->turns) return;
  for (int i = 0; i < e->count; i++) points[i] = s->points[e->points[i]].at;
  for (int i = 0; i < e->count; i++) panel_dot(p, points[i], 4, "proof");
}

/* From the path to A - B, where they are nearest. */
static void draw_nearest(panel *p, const story_motion *m) {
  const motion_evidence *e = &m->evidence;
  if (has_contact(m) || !isfinite(m->impact.t_min) || !isfinite(m->impact.min_upper) || m->turns) return;
  graze_vec at = path_at(m, m->t_key);
  graze_vec foot = vec_sub(at, vec_scale(e->direction, m->impact.min_upper));
  panel_line(p, at, foot, "proof");
  panel_dot(p, foot, 4.5, "proof");
}

static void label_key(panel *p, const story_motion *m) {
  if (!(m->t_key > 0) || !(m->u.x != 0 || m->u.y != 0)) return; /* it stays on the origin */
  cli_text text = {0};
  graze_vec at = path_at(m, m->t_key);
  panel_dot(p, at, 5, m->impact.result == GRAZE_HIT ? "met" : has_contact(m) ? "open" : "proof");
  cli_text_str(&text, "t = ");
  words_number(&text, m->t_key);
  panel_label(p, panel_at(p, at), (svg_point){0, -1}, SVG_PLAIN, "word", picture_string(p->out, &text));
  cli_text_free(&text);
}

static void draw_difference(panel *p, const story *s) {
  const story_motion *m = s->motion;
  p->inside = 0.12;
  const motion_moment *key = &m->moments[m->key];
  bool late = m->turns && m->t_key > 0;
  panel_mesh(p, &s->cso, late ? "c ghost" : "soft");
  panel_mesh(p, &s->core, late ? "c ghost" : "c");
  if (late) panel_mesh(p, &key->cso, "soft");
  if (late) panel_mesh(p, &key->core, "c");
  draw_spans(p, m);
  if (!m->sweep && m->impact.starts == GRAZE_SEPARATED)
    panel_across(p, m->evidence.direction, m->evidence.reach_a - m->evidence.begin_b, "proof dash");
  draw_pairs(p, s);
  draw_nearest(p, m);
  panel_origin(p, 14);
  panel_label(p, panel_at(p, ORIGIN), (svg_point){0.7, -0.7}, SVG_PLAIN, "word", "0");
  label_key(p, m);
  picture_name(p, late ? &key->core : &s->core, "word c", "A \xE2\x88\x92 B");
}

void picture_motion(picture *pic) {
  const story *s = pic->s;
  panel_bounds world = {0}, difference = {0};
  panel p, q;
  see_world(&world, s);
  see_path(&difference, s);
  double bottom = picture_fit_views(pic, &world, &difference, 22, &p, &q);
  draw_world(&p, s);
  draw_difference(&q, s);
  pic->top = bottom;
  cli_text words = {0};
  words_path(&words, s);
  cli_text_str(&words, "\n");
  words_drawn(&words, s);
  picture_words(pic, &words, "");
  if (words.failed) pic->out->failed = true;
  cli_text_free(&words);
  picture_bar(pic);
}
