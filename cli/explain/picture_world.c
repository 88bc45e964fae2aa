#include "explain/picture.h"

#include <math.h>

/* More contacts are not drawn, or not labelled. */
enum { MOST_CONTACTS = 16, MOST_LABELLED = 4 };

static graze_vec along(graze_vec from, double length, graze_vec direction) {
  return (graze_vec){from.x + length * direction.x, from.y + length * direction.y, 0};
}

/* Which body moves out, and how: B along the normal; A the other way where B is a half-space. */
static const story_body *moving(const story *s, graze_vec *move) {
  const graze_answer *answer = &s->finding.answer;
  *move = along((graze_vec){0, 0, 0}, -answer->distance, answer->normal);
  if (answer->relation != GRAZE_OVERLAPPING || !(answer->distance < 0) || !isfinite(move->x) || !isfinite(move->y))
    return NULL;
  if (s->b.mesh.kind == STORY_MESH_SOLID) return &s->b;
  *move = (graze_vec){-move->x, -move->y, 0};
  return s->a.mesh.kind == STORY_MESH_SOLID ? &s->a : NULL;
}

void picture_see_world(panel_bounds *bounds, const story *s) {
  const cli_pair_result *f = &s->finding;
  const story_body *bodies[] = {&s->a, &s->b};
  for (int i = 0; i < 2; i++) {
    panel_see_mesh(bounds, &bodies[i]->mesh);
    for (size_t k = 0; k < bodies[i]->other_count; k++) panel_see_mesh(bounds, &bodies[i]->others[k]);
  }
  if (f->answer.relation != 0) {
    panel_see(bounds, f->answer.point_a);
    panel_see(bounds, f->answer.point_b);
  }
  for (size_t i = 0; i < f->count; i++) {
    panel_see(bounds, f->contacts[i].point_a);
    panel_see(bounds, f->contacts[i].point_b);
  }
  graze_vec move;
  const story_body *ghost = moving(s, &move);
  for (size_t i = 0; ghost && i < ghost->mesh.point_count; i++)
    panel_see(bounds, along(ghost->mesh.points[i], 1, move));
  panel_see_border(bounds, &s->a.mesh);
  panel_see_border(bounds, &s->b.mesh);
}

void picture_others(panel *p, const story_body *body, const char *style) {
  if (body->other_count == 0) return;
  cli_text_str(p->out, "<g class=\"other\">\n");
  for (size_t k = 0; k < body->other_count; k++) panel_mesh(p, &body->others[k], style);
  cli_text_str(p->out, "</g>\n");
}

/* Where both cover the same, B's outline lets A's be seen. */
static const char *style_of_b(const panel *p, const story *s) {
  panel_bounds a = {0}, b = {0};
  panel_see_mesh(&a, &s->a.mesh);
  panel_see_mesh(&b, &s->b.mesh);
  bool same = a.any && b.any && svg_apart(panel_at(p, a.low), panel_at(p, b.low)) < 1 &&
              svg_apart(panel_at(p, a.high), panel_at(p, b.high)) < 1;
  return same ? "b over" : "b";
}

static void draw_ghost(panel *p, const story *s) {
  enum { MOST_POINTS = 256 };
  graze_vec move, points[MOST_POINTS];
  const story_body *body = moving(s, &move);
  if (body == NULL) return;
  size_t count = body->mesh.point_count, every = count / MOST_POINTS + 1, kept = 0;
  for (size_t i = 0; i < count; i += every) points[kept++] = along(body->mesh.points[i], 1, move);
  panel_points(p, points, kept, body == &s->b ? "b ghost" : "a ghost");
}

/* The line half-way between what A reaches and where B begins. */
static void draw_separation(panel *p, const story *s) {
  const story_evidence *e = &s->evidence;
  if (s->finding.answer.relation == GRAZE_OVERLAPPING || !(e->begin_b >= e->reach_a)) return;
  panel_across(p, e->direction, e->reach_a / 2 + e->begin_b / 2, "proof dash");
}

/* Where the best axis is drawn. */
static bool place_axis(const panel *p, const story *s, svg_point *start, svg_point *end) {
  if (s->best_axis < 0 || (size_t)s->best_axis >= s->finding.trace.axis_count) return false;
  graze_vec d = s->finding.trace.axes[s->best_axis].direction;
  svg_point e = panel_along(d), from, to;
  svg_box inner = {p->box.left + 10, p->box.top + 10, p->box.right - 10, p->box.bottom - 10};
  /* Beside the middle, where the shapes meet; to the side on which its name stands. */
  svg_point at = {(inner.left + inner.right) / 2 - 0.3 * e.y * (inner.right - inner.left),
               (inner.top + inner.bottom) / 2 + 0.3 * e.x * (inner.bottom - inner.top)};
  if (!svg_clip(inner, at, e, &from, &to)) return false;
  double length = svg_apart(from, to), excess = fmax(0, length - 170) / 2;
  *start = (svg_point){from.x + excess * e.x, from.y + excess * e.y};
  *end = (svg_point){to.x - excess * e.x, to.y - excess * e.y};
  return true;
}

static void draw_axis(panel *p, const story *s) {
  svg_point from, to;
  if (!place_axis(p, s, &from, &to)) return;
  svg_arrow(p->out, from, to, "walk");
  panel_take_line(p, from, to, 2);
}

static void label_axis(panel *p, const story *s) {
  svg_point from, to;
  if (place_axis(p, s, &from, &to)) panel_label(p, to, (svg_point){0, 0}, SVG_SMALL, "small walk", "best axis");
}

/* Inside, and there rather in the middle. */
static void name_solid(panel *p, const story_mesh *mesh, const char *style, const char *name) {
  enum { MOST_CORNERS = 32 };
  svg_point places[1 + MOST_CORNERS];
  graze_vec middle = {0, 0, 0};
  size_t count = mesh->point_count, every = count / MOST_CORNERS + 1, kept = 1;
  double reach = 0;
  for (size_t i = 0; i < count; i++) middle = along(middle, 1 / (double)count, mesh->points[i]);
  places[0] = panel_at(p, middle);
  for (size_t i = 0; i < count; i += every) {
    svg_point corner = panel_at(p, mesh->points[i]);
    places[kept++] = (svg_point){(places[0].x + corner.x) / 2, (places[0].y + corner.y) / 2};
    reach = fmax(reach, svg_apart(places[0], corner));
  }
  if (reach < 14)
    panel_label(p, places[0], (svg_point){0, -1}, SVG_PLAIN, style, name);
  else
    panel_name(p, places, kept, style, name);
}

/* Below the border, where it is seen. */
static void name_half_space(panel *p, const story_mesh *mesh, const char *style, const char *name) {
  graze_vec n = mesh->points[1], on = mesh->points[0];
  double away = (p->middle.x - on.x) * n.x + (p->middle.y - on.y) * n.y;
  svg_point outward = panel_along(n), at = panel_at(p, along(p->middle, -away, n)), places[9];
  for (int i = 0; i < 9; i++) {
    double aside = i % 2 == 0 ? 15 * i : -15 * (i + 1);
    places[i] = (svg_point){at.x - 22 * outward.x - aside * outward.y, at.y - 22 * outward.y + aside * outward.x};
  }
  panel_name(p, places, 9, style, name);
}

void picture_name(panel *p, const story_mesh *mesh, const char *style, const char *name) {
  if (mesh->kind == STORY_MESH_SOLID && mesh->point_count > 0) name_solid(p, mesh, style, name);
  if (mesh->kind == STORY_MESH_PLANE) name_half_space(p, mesh, style, name);
}

static void draw_contacts(panel *p, const story *s) {
  const cli_pair_result *f = &s->finding;
  for (size_t i = 0; i < f->count && i < MOST_CONTACTS; i++) {
    panel_line(p, f->contacts[i].point_a, f->contacts[i].point_b, "proof");
    panel_dot(p, f->contacts[i].point_a, 4, "contact");
    panel_dot(p, f->contacts[i].point_b, 4, "contact");
  }
}

static void label_contacts(panel *p, const story *s) {
  const cli_pair_result *f = &s->finding;
  cli_text text = {0};
  for (size_t i = 0; i < f->count && f->count <= MOST_LABELLED; i++)
    panel_label(p, panel_at(p, f->contacts[i].point_b), (svg_point){0, 1}, SVG_SMALL, "small proof",
                picture_number(p->out, &text, f->contacts[i].depth));
  cli_text_free(&text);
}

/* Does the answer say where? */
static bool has_witnesses(const graze_answer *answer) {
  return answer->relation != 0 && isfinite(answer->distance) && isfinite(answer->point_a.x) &&
         isfinite(answer->point_a.y);
}

static void draw_witnesses(panel *p, const story *s) {
  const graze_answer *answer = &s->finding.answer;
  if (!has_witnesses(answer)) return;
  bool out = answer->relation == GRAZE_OVERLAPPING;
  panel_arrow(p, out ? answer->point_b : answer->point_a, out ? answer->point_a : answer->point_b, "proof");
  panel_dot(p, answer->point_a, 4.5, "proof");
  panel_dot(p, answer->point_b, 4.5, "proof");
}

static void label_distance(panel *p, const story *s) {
  const graze_answer *answer = &s->finding.answer;
  if (!has_witnesses(answer) || (s->finding.count > 0 && s->finding.count <= MOST_LABELLED)) return;
  svg_point a = panel_at(p, answer->point_a), b = panel_at(p, answer->point_b);
  svg_point middle = {(a.x + b.x) / 2, (a.y + b.y) / 2}, side = {0.7, 0.7};
  cli_text text = {0};
  if (answer->relation == GRAZE_TOUCHING) {
    words_vec(&text, answer->point_a, 2);
  } else {
    if (answer->distance < 0) cli_text_str(&text, "depth ");
    words_number(&text, fabs(answer->distance));
  }
  panel_label(p, middle, side, SVG_PLAIN, "word proof", picture_string(p->out, &text));
  cli_text_free(&text);
}

void picture_world(panel *p, const story *s) {
  p->inside = 0.12;
  picture_others(p, &s->a, "a");
  picture_others(p, &s->b, "b");
  panel_mesh(p, &s->a.mesh, "a");
  panel_mesh(p, &s->b.mesh, style_of_b(p, s));
  draw_ghost(p, s);
  draw_separation(p, s);
  draw_axis(p, s);
  draw_contacts(p, s);
  draw_witnesses(p, s);
  picture_name(p, &s->a.mesh, "word a", "A");
  picture_name(p, &s->b.mesh, "word b", "B");
  label_distance(p, s);
  label_contacts(p, s);
  label_axis(p, s);
}
