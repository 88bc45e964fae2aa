/* The parts of pictures: titles, wrapped lines, the shapes in the world, and A - B with the support points. */
#include "explain/drawing.h"

#include "explain/story.h"

#include <math.h>
#include <string.h>

enum { TITLE = 40, HALF_WIDTH = 342, MIN_HEIGHT = 130, MAX_HEIGHT = 340, LINE = 23 };

void picture_two_panels(picture *pic, bounds *world, bounds *difference, double margin, const char *title, panel *p,
                        panel *q) {
  bounds_add_halfspace(world, &pic->s->a.mesh);
  bounds_add_halfspace(world, &pic->s->b.mesh);
  bounds_add_halfspace(difference, &pic->s->core);
  bounds_add_halfspace(difference, &pic->s->cso);
  double left = PICTURE_EDGE, right = PICTURE_WIDTH - PICTURE_EDGE - HALF_WIDTH, top = pic->top + TITLE;
  double height = fmax(panel_height(world, HALF_WIDTH, PICTURE_MARGIN, PICTURE_MARGIN),
                       panel_height(difference, HALF_WIDTH, margin, PICTURE_MARGIN));
  double bottom = top + floor(svg_clamp(height, MIN_HEIGHT, MAX_HEIGHT));
  panel_fit(p, pic->out, world, (svg_box){left, top, left + HALF_WIDTH, bottom}, PICTURE_MARGIN, PICTURE_MARGIN);
  panel_fit(q, pic->out, difference, (svg_box){right, top, right + HALF_WIDTH, bottom}, margin, PICTURE_MARGIN);
  double ratio = p->pixels / q->pixels * (q->unit / p->unit);
  panel *large = ratio > 1 ? p : q, *small = ratio > 1 ? q : p;
  if (ratio > 0.4 && ratio < 2.5) large->pixels = small->pixels * (large->unit / small->unit);
  svg_text(pic->out, (svg_point){left, top - 13}, SVG_START, "title", "The shapes");
  svg_text(pic->out, (svg_point){right, top - 13}, SVG_START, "title", "%s", title);
  pic->top = bottom + 6;
}

void picture_one_panel(picture *pic, bounds *world, panel *p) {
  bounds_add_halfspace(world, &pic->s->a.mesh);
  bounds_add_halfspace(world, &pic->s->b.mesh);
  const double width = PICTURE_WIDTH - 2 * PICTURE_EDGE, top = pic->top + TITLE;
  const double height = panel_height(world, width, PICTURE_MARGIN, PICTURE_MARGIN);
  const double bottom = top + floor(svg_clamp(height, MIN_HEIGHT, MAX_HEIGHT));
  const svg_box box = {PICTURE_EDGE, top, PICTURE_EDGE + width, bottom};
  panel_fit(p, pic->out, world, box, PICTURE_MARGIN, PICTURE_MARGIN);
  svg_text(pic->out, (svg_point){PICTURE_EDGE, top - 13}, SVG_START, "title", "The shapes");
  pic->top = bottom + 6;
}

void picture_lines(picture *pic, const cli_text *lines, const char *style) {
  if (lines->failed) pic->out->failed = true;
  if (lines->size == 0) return;
  pic->top += 8;
  const char *line = lines->data, *end = lines->data + lines->size;
  for (const char *next; line < end; line = next, style = "") {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t size = (size_t)((stop ? stop : end) - line);
    next = stop ? stop + 1 : end;
    double indent = 0;
    for (size_t count; size > 0; line += count, size -= count, indent = 18) {
      while (size > 0 && indent > 0 && *line == ' ') line++, size--;
      /* The longest prefix of whole words that fits; of a longer word, what fits. */
      const double width = (PICTURE_WIDTH - 2 * PICTURE_EDGE - indent) / (*style ? SVG_BOLD : 1);
      size_t words = 0, end_of_fit = 0;
      count = size;
      while (end_of_fit < size) {
        size_t after = end_of_fit + 1;
        while (after < size && ((unsigned char)line[after] & 0xC0) == 0x80) after++;
        if (svg_width(line, after, SVG_PLAIN) > width) {
          count = words > 0 ? words : end_of_fit;
          break;
        }
        end_of_fit = after;
        if (end_of_fit == size || line[end_of_fit] == ' ') words = end_of_fit;
      }
      if (count == 0) break;
      cli_text piece = {0};
      cli_text_bytes(&piece, line, count);
      svg_text(pic->out, (svg_point){PICTURE_EDGE + indent, pic->top + 16}, SVG_START, style, "%t", &piece);
      cli_text_free(&piece);
      pic->top += LINE;
    }
  }
}

static const graze_vec ORIGIN = {0, 0, 0};

graze_vec picture_extreme(const story_mesh *mesh, double sign) {
  graze_vec best = mesh->points[0];
  for (size_t i = 1; i < mesh->point_count; i++)
    if (sign * mesh->points[i].y > sign * best.y) best = mesh->points[i];
  return best;
}

graze_vec picture_middle(const story_mesh *mesh) {
  graze_vec sum = {0, 0, 0};
  for (size_t i = 0; i < mesh->point_count; i++) sum = vec_mad(sum, 1 / (double)mesh->point_count, mesh->points[i]);
  return sum;
}

/* ---- The world */

void picture_bodies(panel *p, const story *s, const char *style_of_b) {
  const story_body *bodies[] = {&s->a, &s->b};
  const char *styles[] = {"a", "b"};
  for (int i = 0; i < 2; i++) {
    if (bodies[i]->other_count == 0) continue;
    emit(p->out, "<g class=\"other\">\n");
    for (size_t k = 0; k < bodies[i]->other_count; k++) panel_mesh(p, &bodies[i]->others[k], styles[i]);
    emit(p->out, "</g>\n");
  }
  panel_faces(p, &s->a.faces, "a");
  panel_faces(p, &s->b.faces, style_of_b);
  panel_mesh(p, &s->a.mesh, s->a.faces.count > 0 ? "a decides" : "a");
  panel_mesh(p, &s->b.mesh, s->b.faces.count > 0 ? "b decides" : style_of_b);
}

void picture_bounds_of_bodies(bounds *seen, const story *s) {
  const story_body *bodies[] = {&s->a, &s->b};
  for (int i = 0; i < 2; i++) {
    bounds_add_mesh(seen, &bodies[i]->mesh);
    bounds_add_faces(seen, &bodies[i]->faces);
    for (size_t k = 0; k < bodies[i]->other_count; k++) bounds_add_mesh(seen, &bodies[i]->others[k]);
  }
}

static bool is_bounded(const story_body *body) { return body->mesh.kind == STORY_MESH_SOLID || body->faces.count > 0; }

void picture_bounds_of_ray(bounds *seen, const story_ray *ray) {
  if (ray->target == NULL) return;
  bounds_add(seen, ray->origin);
  for (size_t i = 0; i < ray->count; i++) bounds_add(seen, ray->hits[i].at);
}

void picture_ray(panel *p, const story_ray *ray) {
  if (ray->target == NULL || ray->count == 0) return;
  const svg_point from = panel_at(p, ray->origin), last = panel_at(p, ray->hits[ray->count - 1].at);
  const svg_point d = panel_direction(ray->direction), to = {last.x + 20 * d.x, last.y + 20 * d.y};
  svg_arrow(p->out, from, to, "proof");
  panel_add_line_obstacle(p, from, to, 2);
  panel_dot(p, ray->origin, 4.5, "proof");
  for (size_t i = 0; i < ray->count; i++) panel_dot(p, ray->hits[i].at, 4, "contact");
}

/* The displacement that ends an overlap: of B along the normal, or of A if B is a half-space. NULL: no overlap. */
static const story_body *separating_move(const story *s, graze_vec *move) {
  const graze_answer *answer = story_answer(s);
  *move = vec_scale(answer->normal, -answer->distance);
  if (answer->relation != GRAZE_OVERLAPPING || !(answer->distance < 0) || !isfinite(move->x) || !isfinite(move->y))
    return NULL;
  if (is_bounded(&s->b)) return &s->b;
  *move = vec_scale(*move, -1);
  return is_bounded(&s->a) ? &s->a : NULL;
}

/* Inside a solid, preferably in the middle; beside a small one. Below the boundary of a half-space. */
void picture_name(panel *p, const story_mesh *mesh, const char *style, const char *name) {
  enum { MAX_PLACES = 32 };
  svg_point places[1 + MAX_PLACES];
  size_t every = mesh->point_count / MAX_PLACES + 1, count = 0;
  double size = INFINITY;
  if (mesh->kind == STORY_MESH_SOLID && mesh->point_count > 0) {
    places[count++] = panel_at(p, picture_middle(mesh));
    size = 0;
    for (size_t i = 0; i < mesh->point_count; i += every) {
      svg_point vertex = panel_at(p, mesh->points[i]);
      places[count++] = (svg_point){(places[0].x + vertex.x) / 2, (places[0].y + vertex.y) / 2};
      size = fmax(size, svg_distance(places[0], vertex));
    }
  } else if (mesh->kind == STORY_MESH_PLANE) {
    graze_vec n = mesh->points[1];
    double height = vec_dot(vec_sub(p->middle, mesh->points[0]), n);
    svg_point outward = panel_direction(n), at = panel_at(p, vec_mad(p->middle, -height, n));
    for (int i = 0; i < 9; i++) {
      double aside = i % 2 == 0 ? 15 * i : -15 * (i + 1);
      places[count++] =
          (svg_point){at.x - 22 * outward.x - aside * outward.y, at.y - 22 * outward.y + aside * outward.x};
    }
  }
  if (size < 14)
    panel_label(p, places[0], (svg_point){0, -1}, SVG_PLAIN, style, "%s", name);
  else if (count > 0)
    panel_name(p, places, count, style, name);
}

void picture_name_body(panel *p, const story_body *body, const char *style, const char *name) {
  enum { GRID = 9, MAX_PLACES = GRID * GRID };
  const story_faces *faces = &body->faces;
  const story_mesh points = {.kind = STORY_MESH_SOLID, .points = faces->points, .point_count = faces->point_count};
  svg_point places[MAX_PLACES];
  bounds box = {0};
  size_t count = 0;
  bounds_add_faces(&box, faces);
  for (int i = 0; faces->solid && i < MAX_PLACES; i++) {
    const graze_vec share = {(i % GRID + 0.5) / GRID, (i / GRID + 0.5) / GRID, 0}, size = vec_sub(box.high, box.low);
    const graze_vec at = {box.low.x + share.x * size.x, box.low.y + share.y * size.y, 0};
    if (faces_contain(faces, at)) places[count++] = panel_at(p, at);
  }
  if (count > 0)
    panel_name(p, places, count, style, name);
  else
    picture_name(p, faces->count > 0 ? &points : &body->mesh, style, name);
}

static void draw_world(panel *p, const story *s) {
  enum { MAX_CONTACTS = 16, MAX_LABELED = 4 };
  const graze_answer *answer = story_answer(s);
  const story_evidence *e = &s->evidence;
  const cli_pair_result *f = &s->finding;
  bool witnesses =
      answer->relation != 0 && isfinite(answer->distance) && isfinite(answer->point_a.x) && isfinite(answer->point_a.y);
  bool overlapping = answer->relation == GRAZE_OVERLAPPING;
  svg_point axis_start = {0, 0}, axis_end = {0, 0};
  bool axis = s->best_axis >= 0 && (size_t)s->best_axis < s->finding.trace.axis_count;
  if (axis) { /* the best axis, beside the middle of the panel, where the shapes are in contact */
    svg_point unit = panel_direction(s->finding.trace.axes[s->best_axis].direction), from, to;
    svg_box inner = {p->box.left + 10, p->box.top + 10, p->box.right - 10, p->box.bottom - 10};
    svg_point at = {(inner.left + inner.right) / 2 - 0.3 * unit.y * (inner.right - inner.left),
                    (inner.top + inner.bottom) / 2 + 0.3 * unit.x * (inner.bottom - inner.top)};
    axis = svg_clip(inner, at, unit, &from, &to);
    double excess = axis ? fmax(0, svg_distance(from, to) - 170) / 2 : 0;
    if (axis) axis_start = (svg_point){from.x + excess * unit.x, from.y + excess * unit.y};
    if (axis) axis_end = (svg_point){to.x - excess * unit.x, to.y - excess * unit.y};
  }
  p->inside = 0.12;
  /* If B covers A, its outline is dashed so that A's is visible. */
  bounds of_a = {0}, of_b = {0};
  bounds_add_mesh(&of_a, &s->a.mesh);
  bounds_add_mesh(&of_b, &s->b.mesh);
  bool same = of_a.any && of_b.any && svg_distance(panel_at(p, of_a.low), panel_at(p, of_b.low)) < 1 &&
              svg_distance(panel_at(p, of_a.high), panel_at(p, of_b.high)) < 1;
  picture_bodies(p, s, same ? "b over" : "b");
  graze_vec move, center = p->middle;
  const story_body *separated = separating_move(s, &move);
  p->middle = vec_sub(center, move); /* draws the body displaced by `move` */
  const char *ghost = separated == &s->b ? "b ghost" : "a ghost";
  if (separated) panel_faces(p, &separated->faces, ghost);
  if (separated && separated->faces.count == 0) panel_mesh(p, &separated->mesh, ghost);
  p->middle = center;
  /* The separating line, in the middle of the gap. */
  if (!overlapping && e->min_b >= e->max_a) panel_plane(p, e->direction, e->max_a / 2 + e->min_b / 2, "proof dash");
  if (axis) {
    svg_arrow(p->out, axis_start, axis_end, "step");
    panel_add_line_obstacle(p, axis_start, axis_end, 2);
  }
  for (size_t i = 0; i < f->count && i < MAX_CONTACTS; i++) {
    panel_line(p, f->contacts[i].point_a, f->contacts[i].point_b, "proof");
    panel_dot(p, f->contacts[i].point_a, 4, "contact");
    panel_dot(p, f->contacts[i].point_b, 4, "contact");
  }
  if (witnesses) {
    panel_arrow(p, overlapping ? answer->point_b : answer->point_a, overlapping ? answer->point_a : answer->point_b,
                "proof");
    panel_dot(p, answer->point_a, 4.5, "proof");
    panel_dot(p, answer->point_b, 4.5, "proof");
  }
  if (story_is_contained(s)) picture_ray(p, &s->ray);
  picture_name_body(p, &s->a, "word a", "A");
  picture_name_body(p, &s->b, "word b", "B");
  bool labeled = f->count > 0 && f->count <= MAX_LABELED;
  if (witnesses && !labeled) {
    svg_point a = panel_at(p, answer->point_a), b = panel_at(p, answer->point_b), side = {0.7, 0.7};
    svg_point middle = {(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (answer->relation == GRAZE_TOUCHING)
      panel_label(p, middle, side, SVG_PLAIN, "word proof", "%v", answer->point_a, 2);
    else
      panel_label(p, middle, side, SVG_PLAIN, "word proof", answer->distance < 0 ? "depth %n" : "%n",
                  fabs(answer->distance));
  }
  for (size_t i = 0; labeled && i < f->count; i++)
    panel_label(p, panel_at(p, f->contacts[i].point_b), (svg_point){0, 1}, SVG_SMALL, "small proof", "%n",
                f->contacts[i].depth);
  if (axis) panel_label(p, axis_end, (svg_point){0, 0}, SVG_SMALL, "small step", "best axis");
}

/* ---- The Minkowski difference */

enum { MAX_NAMED = 16, MAX_DOTS = 200, SAME_BADGE = 24 };

/* The point of A - B nearest the origin; inside, the boundary point nearest the origin. */
static graze_vec nearest_point(const story *s) {
  return vec_scale(story_answer(s)->normal, -story_answer(s)->distance);
}

/* The numbers of the steps that computed one support point, or points too near for two badges. */
typedef struct step_badge {
  svg_point at;
  size_t numbers[PICTURE_CELLS], count;
} step_badge;

/* On its point; a wide badge, or one at the origin, beside it. Wide ones are placed last. */
static void draw_badge(panel *p, const step_badge *b, bool wide) {
  cli_text text = {0};
  /* "1,2,5", and "1–3" for three or more consecutive numbers */
  for (size_t i = 0, end; i < b->count; i = end + 1) {
    for (end = i; end + 1 < b->count && b->numbers[end + 1] == b->numbers[end] + 1;) end++;
    if (end < i + 2) end = i;
    emit(&text, i > 0 ? ",%z" : "%z", b->numbers[i]);
    if (end > i) emit(&text, "–%z", b->numbers[end]);
  }
  bool covers_origin = svg_distance(b->at, panel_at(p, ORIGIN)) < 18;
  if ((text.size > 3 || covers_origin) == wide) {
    const char *numbers = text_string(p->out, &text);
    double width = svg_badge_width(numbers);
    svg_point at = {svg_clamp(b->at.x, p->box.left + width / 2, p->box.right - width / 2), b->at.y};
    svg_point middle = {(p->box.left + p->box.right) / 2, (p->box.top + p->box.bottom) / 2};
    if (wide) {
      svg_dot(p->out, b->at, 4.5, "step");
      at = panel_beside(p, b->at, (svg_point){b->at.x < middle.x ? -1 : 1, b->at.y < middle.y ? -1 : 1}, width, 20);
    }
    svg_badge(p->out, at, numbers);
    panel_add_obstacle(p, (svg_box){at.x - width / 2, at.y - 10, at.x + width / 2, at.y + 10}, 6);
  }
  cli_text_free(&text);
}

static void draw_support_points(panel *p, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  step_badge badges[PICTURE_CELLS];
  size_t count = 0, dots = 0;
  for (size_t k = 0; k < trace->count; k++) {
    const graze_trace_step *step = &trace->steps[k];
    if (vec_is_zero(step->direction) || !isfinite(step->support.point.x) || !isfinite(step->support.point.y)) continue;
    const svg_point at = panel_at(p, step->support.point);
    if (picture_shows_step(s, k)) {
      size_t i = 0;
      while (i < count && !(svg_distance(badges[i].at, at) < SAME_BADGE)) i++;
      if (i == count) badges[count++] = (step_badge){.at = at};
      badges[i].numbers[badges[i].count++] = k + 1;
    } else if (dots++ < MAX_DOTS) {
      panel_dot(p, step->support.point, 3, "step");
    }
  }
  for (size_t i = 0; i < count; i++) draw_badge(p, &badges[i], false);
  for (size_t i = 0; i < count; i++) draw_badge(p, &badges[i], true);
}

static void draw_difference(panel *p, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  panel_mesh(p, &s->cso, "soft");
  if (s->set.count > 0)
    panel_points(p, s->set.points, s->set.count, "c");
  else
    panel_mesh(p, &s->core, "c");
  if (trace->count > 0) picture_simplex(p, &trace->steps[trace->count - 1]);
  if (story_answer(s)->relation != 0 && !story_is_nonconvex(s)) {
    graze_vec nearest = nearest_point(s);
    bool overlapping = story_answer(s)->relation == GRAZE_OVERLAPPING;
    panel_plane(p, s->evidence.direction, s->evidence.max_a - s->evidence.min_b, "proof dash");
    panel_arrow(p, overlapping ? ORIGIN : nearest, overlapping ? nearest : ORIGIN, "proof");
    panel_dot(p, nearest, 4.5, "proof");
  }
  panel_origin(p, 14);
  draw_support_points(p, s);
  const svg_point middle = {(p->box.left + p->box.right) / 2, (p->box.top + p->box.bottom) / 2};
  for (size_t i = 0; i < s->set.count; i++) panel_dot(p, s->set.points[i], s->set.count > MAX_NAMED ? 2.5 : 4, "step");
  for (size_t i = 0; i < s->set.count && s->set.count <= MAX_NAMED; i++) {
    svg_point at = panel_at(p, s->set.points[i]);
    double length = svg_distance(middle, at) + 1;
    svg_point toward = {2 * (at.x - middle.x) / length, 2 * (at.y - middle.y) / length};
    panel_label(p, at, toward, SVG_SMALL, "small", s->request->of == GRAZE_MINKOWSKI_SUM ? "A%i + B%i" : "A%i − B%i",
                (int)s->set.pairs[i].a, (int)s->set.pairs[i].b);
  }
  if (s->cso.kind == STORY_MESH_SOLID && s->core.kind == STORY_MESH_SOLID && s->radius > 0) {
    svg_point up = {0, -1};
    panel_label(p, panel_at(p, picture_extreme(&s->cso, 1)), up, SVG_SMALL, "small", "r = %n", s->radius);
    panel_label(p, panel_at(p, picture_extreme(&s->core, -1)), up, SVG_SMALL, "small", "cores");
  }
  panel_label(p, panel_at(p, ORIGIN), (svg_point){0.7, -0.7}, SVG_PLAIN, "word", "0");
}

void picture_views(picture *pic) {
  enum { MARGIN_OF_NAMES = 62 };
  const story *s = pic->s;
  const cli_pair_result *f = &s->finding;
  bounds world = {0}, difference = {0};
  panel p, q;
  picture_bounds_of_bodies(&world, s);
  if (f->answer.relation != 0) {
    bounds_add(&world, f->answer.point_a);
    bounds_add(&world, f->answer.point_b);
  }
  for (size_t i = 0; i < f->count; i++) {
    bounds_add(&world, f->contacts[i].point_a);
    bounds_add(&world, f->contacts[i].point_b);
  }
  graze_vec move;
  const story_body *moved = separating_move(s, &move);
  for (size_t i = 0; moved && i < moved->mesh.point_count; i++)
    bounds_add(&world, vec_add(moved->mesh.points[i], move));
  for (size_t i = 0; moved && i < moved->faces.point_count; i++)
    bounds_add(&world, vec_add(moved->faces.points[i], move));
  if (story_is_contained(s)) picture_bounds_of_ray(&world, &s->ray);
  if (s->core.kind == STORY_MESH_NONE && s->set.count == 0) {
    picture_one_panel(pic, &world, &p);
    draw_world(&p, s);
    return;
  }
  bounds_add(&difference, ORIGIN);
  bounds_add_mesh(&difference, &s->core);
  bounds_add_mesh(&difference, &s->cso);
  for (size_t i = 0; i < s->set.count; i++) bounds_add(&difference, s->set.points[i]);
  for (size_t k = 0; k < s->finding.trace.count; k++)
    if (picture_shows_step(s, k)) bounds_add(&difference, s->finding.trace.steps[k].support.point);
  if (story_answer(s)->relation != 0 && !story_is_nonconvex(s)) bounds_add(&difference, nearest_point(s));
  bool sum = s->set.count > 0 && s->request->of == GRAZE_MINKOWSKI_SUM;
  picture_two_panels(pic, &world, &difference, s->set.count > 0 ? MARGIN_OF_NAMES : PICTURE_MARGIN,
                     sum           ? "Minkowski sum A + B"
                     : s->of_parts ? story_is_contained(s) ? "A − B of the nearest pair" : "A − B of the deciding pair"
                                   : "Minkowski difference A − B",
                     &p, &q);
  draw_world(&p, s);
  draw_difference(&q, s);
}
