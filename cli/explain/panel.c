#include "explain/panel.h"

#include <math.h>
#include <stdlib.h>

/* So that no difference of two overflows. */
static bool is_finite(graze_vec v) { return fabs(v.x) <= 1e300 && fabs(v.y) <= 1e300; }

void panel_see(panel_bounds *bounds, graze_vec point) {
  if (!is_finite(point)) return;
  if (!bounds->any) *bounds = (panel_bounds){point, point, true};
  bounds->low = (graze_vec){fmin(bounds->low.x, point.x), fmin(bounds->low.y, point.y), 0};
  bounds->high = (graze_vec){fmax(bounds->high.x, point.x), fmax(bounds->high.y, point.y), 0};
}

void panel_see_mesh(panel_bounds *bounds, const story_mesh *mesh) {
  if (mesh->kind != STORY_MESH_SOLID) return;
  for (size_t i = 0; i < mesh->point_count; i++) panel_see(bounds, mesh->points[i]);
}

static graze_vec halfway(graze_vec p, graze_vec q) { return (graze_vec){p.x / 2 + q.x / 2, p.y / 2 + q.y / 2, 0}; }

void panel_see_border(panel_bounds *bounds, const story_mesh *mesh) {
  if (mesh->kind != STORY_MESH_PLANE) return;
  graze_vec p = mesh->points[0], n = mesh->points[1];
  graze_vec from = bounds->any ? halfway(bounds->low, bounds->high) : p;
  double away = (from.x - p.x) * n.x + (from.y - p.y) * n.y;
  panel_see(bounds, (graze_vec){from.x - away * n.x, from.y - away * n.y, 0});
  double some = 0.3 * fmax(bounds->high.x - bounds->low.x, bounds->high.y - bounds->low.y);
  away += some; /* and of what is behind it */
  panel_see(bounds, (graze_vec){from.x - away * n.x, from.y - away * n.y, 0});
}

/* The greater extent, never 0, and the two as shares of it. */
static double measure(const panel_bounds *bounds, double *x, double *y) {
  *x = bounds->high.x - bounds->low.x;
  *y = bounds->high.y - bounds->low.y;
  double unit = fmax(*x, *y);
  if (!(unit > 0)) return 1;
  *x /= unit;
  *y /= unit;
  return unit;
}

/* So many pixels fit for so large a share. */
static double room(double pixels, double share) { return share > 0 ? pixels / share : 1e9; }

void panel_fit(panel *p, cli_text *out, const panel_bounds *bounds, svg_box box, double margin_x, double margin_y) {
  double x, y, unit = measure(bounds, &x, &y);
  *p = (panel){.out = out, .box = box, .middle = halfway(bounds->low, bounds->high), .unit = unit};
  p->pixels = fmin(room(box.right - box.left - 2 * margin_x, x), room(box.bottom - box.top - 2 * margin_y, y));
}

double panel_height(const panel_bounds *bounds, double width, double margin_x, double margin_y) {
  double x, y;
  measure(bounds, &x, &y);
  return y > 0 ? y * fmin(room(width - 2 * margin_x, x), 1e4) + 2 * margin_y : 2 * margin_y;
}

void panel_share_scale(panel *p, panel *q) {
  double ratio = p->pixels / q->pixels * (q->unit / p->unit); /* p's scale over q's */
  if (!(ratio > 0.4 && ratio < 2.5)) return;
  panel *large = ratio > 1 ? p : q, *small = ratio > 1 ? q : p;
  large->pixels = small->pixels * (large->unit / small->unit);
}

/* Not held within the box. */
static svg_point place(const panel *p, graze_vec point) {
  return (svg_point){(p->box.left + p->box.right) / 2 + (point.x - p->middle.x) / p->unit * p->pixels,
                  (p->box.top + p->box.bottom) / 2 - (point.y - p->middle.y) / p->unit * p->pixels};
}

svg_point panel_at(const panel *p, graze_vec point) {
  svg_point at = place(p, point);
  return (svg_point){svg_hold(at.x, p->box.left, p->box.right), svg_hold(at.y, p->box.top, p->box.bottom)};
}

svg_point panel_along(graze_vec direction) {
  double most = fmax(fabs(direction.x), fabs(direction.y));
  if (!(most > 0 && most <= 1e300)) return (svg_point){0, 0};
  double x = direction.x / most, y = direction.y / most, length = sqrt(x * x + y * y);
  return (svg_point){x / length, -y / length};
}

void panel_points(panel *p, const graze_vec *points, size_t count, const char *style) {
  if (count == 0) return;
  svg_point *places = calloc(count, sizeof *places);
  if (places == NULL) {
    p->out->failed = true;
    return;
  }
  for (size_t i = 0; i < count; i++) places[i] = panel_at(p, points[i]);
  svg_outline(p->out, places, count, style);
  size_t every = count / 64 + 1;
  for (size_t i = 0; i < count; i += every) panel_take_line(p, places[i], places[(i + every) % count], 0.8);
  panel_take_inside(p, places, count);
  free(places);
}

/* The corners of the box on the inner side of the border, and where the border cuts its edges. */
static size_t cut_box(svg_box box, svg_point on, svg_point outward, svg_point out[8]) {
  svg_point corners[] = {{box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
  size_t count = 0;
  for (int i = 0; i < 4; i++) {
    svg_point c = corners[i], d = corners[(i + 1) % 4];
    double here = (c.x - on.x) * outward.x + (c.y - on.y) * outward.y;
    double next = (d.x - on.x) * outward.x + (d.y - on.y) * outward.y;
    if (here <= 0) out[count++] = c;
    double t = here / (here - next);
    if ((here < 0 && next > 0) || (here > 0 && next < 0))
      out[count++] = (svg_point){c.x + t * (d.x - c.x), c.y + t * (d.y - c.y)};
  }
  return count;
}

/* The foot of the box's middle on a line, given a point on it and its normal. */
static svg_point foot(svg_box box, svg_point on, svg_point normal) {
  svg_point m = {(box.left + box.right) / 2, (box.top + box.bottom) / 2};
  double away = (m.x - on.x) * normal.x + (m.y - on.y) * normal.y;
  return (svg_point){m.x - away * normal.x, m.y - away * normal.y};
}

/* Short strokes from a border inward, as draughtsmen mark solid ground. */
static void hatch(panel *p, svg_point from, svg_point to, svg_point outward, const char *style) {
  double length = svg_apart(from, to);
  svg_point along = {(to.x - from.x) / length, (to.y - from.y) / length};
  cli_text_str(p->out, "<g class=\"hatch ");
  cli_text_str(p->out, style);
  cli_text_str(p->out, "\">\n");
  for (double s = 10; s < length - 2; s += 16) {
    svg_point a = {from.x + s * along.x, from.y + s * along.y};
    svg_point b = {a.x - 7 * (outward.x + along.x), a.y - 7 * (outward.y + along.y)};
    if (svg_hold(b.x, p->box.left, p->box.right) == b.x && svg_hold(b.y, p->box.top, p->box.bottom) == b.y)
      svg_line(p->out, a, b, "");
  }
  cli_text_str(p->out, "</g>\n");
}

static void half_space(panel *p, const story_mesh *mesh, const char *style) {
  svg_point outward = panel_along(mesh->points[1]), region[8], from, to;
  svg_point on = foot(p->box, place(p, mesh->points[0]), outward);
  if (!isfinite(on.x) || !isfinite(on.y)) return;
  size_t count = cut_box(p->box, on, outward, region);
  if (count < 3) return;
  cli_text_str(p->out, "<g class=\"region\">");
  svg_outline(p->out, region, count, style);
  cli_text_str(p->out, "</g>");
  if (!svg_clip(p->box, on, (svg_point){-outward.y, outward.x}, &from, &to)) return;
  svg_line(p->out, from, to, style);
  hatch(p, from, to, outward, style);
  panel_take_line(p, from, to, 0.5);
  panel_take_inside(p, region, count);
}

void panel_mesh(panel *p, const story_mesh *mesh, const char *style) {
  if (mesh->kind == STORY_MESH_SOLID) panel_points(p, mesh->points, mesh->point_count, style);
  if (mesh->kind == STORY_MESH_PLANE) half_space(p, mesh, style);
}

void panel_line(panel *p, graze_vec from, graze_vec to, const char *style) {
  if (!is_finite(from) || !is_finite(to)) return;
  svg_point a = panel_at(p, from), b = panel_at(p, to);
  svg_line(p->out, a, b, style);
  panel_take_line(p, a, b, 0.6);
}

void panel_arrow(panel *p, graze_vec from, graze_vec to, const char *style) {
  if (!is_finite(from) || !is_finite(to)) return;
  svg_point a = panel_at(p, from), b = panel_at(p, to);
  double length = svg_apart(a, b), share = length > 26 ? 5 / length : 0; /* what it points at stays to be seen */
  svg_arrow(p->out, a, (svg_point){b.x - share * (b.x - a.x), b.y - share * (b.y - a.y)}, style);
  panel_take_line(p, a, b, 2);
}

void panel_dot(panel *p, graze_vec at, double radius, const char *style) {
  if (!is_finite(at)) return;
  svg_point a = panel_at(p, at);
  svg_dot(p->out, a, radius, style);
  panel_take(p, (svg_box){a.x - radius, a.y - radius, a.x + radius, a.y + radius}, 3);
}

void panel_across(panel *p, graze_vec direction, double value, const char *style) {
  svg_point normal = panel_along(direction), from, to;
  double square = direction.x * direction.x + direction.y * direction.y;
  if (!(square > 0) || !isfinite(value)) return;
  double t = (value - direction.x * p->middle.x - direction.y * p->middle.y) / square;
  graze_vec on = {p->middle.x + t * direction.x, p->middle.y + t * direction.y, 0};
  svg_point at = place(p, on);
  if (!isfinite(at.x) || !isfinite(at.y) || !svg_clip(p->box, at, (svg_point){-normal.y, normal.x}, &from, &to)) return;
  svg_line(p->out, from, to, style);
  panel_take_line(p, from, to, 1.5);
}

void panel_origin(panel *p, double arm) {
  svg_point o = panel_at(p, (graze_vec){0, 0, 0});
  svg_line(p->out, (svg_point){o.x - arm, o.y}, (svg_point){o.x + arm, o.y}, "origin");
  svg_line(p->out, (svg_point){o.x, o.y - arm}, (svg_point){o.x, o.y + arm}, "origin");
  double end = arm + 6; /* "-0" would be another number */
  panel_take(p, (svg_box){o.x - end, o.y - 3, o.x + end, o.y + 3}, 5);
  panel_take(p, (svg_box){o.x - 3, o.y - end, o.x + 3, o.y + end}, 5);
}
