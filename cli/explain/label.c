/* Where words have room. */
#include "explain/panel.h"

#include <math.h>
#include <string.h>

void panel_take(panel *p, svg_box box, double weight) {
  if (p->taken_count == PANEL_MOST_TAKEN) return;
  p->taken[p->taken_count] = box;
  p->weight[p->taken_count++] = weight;
}

void panel_take_line(panel *p, svg_point from, svg_point to, double weight) {
  double length = svg_apart(from, to);
  for (double s = 0; s <= length; s += 9) {
    double t = length > 0 ? s / length : 0;
    svg_point at = {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
    panel_take(p, (svg_box){at.x - 4, at.y - 4, at.x + 4, at.y + 4}, weight);
  }
}

static double overlap(double low, double high, double low2, double high2) {
  return fmax(0, fmin(high, high2) - fmax(low, low2));
}

/* What a text in this box would hide; leaving the panel is worst. */
static double cost(const panel *p, svg_box b) {
  double out = fmax(0, p->box.left - b.left) + fmax(0, b.right - p->box.right) + fmax(0, p->box.top - b.top) +
               fmax(0, b.bottom - p->box.bottom);
  double sum = 1000 * out;
  for (size_t i = 0; i < p->taken_count; i++) {
    svg_box t = p->taken[i];
    sum += p->weight[i] * overlap(b.left, b.right, t.left, t.right) * overlap(b.top, b.bottom, t.top, t.bottom);
  }
  return sum;
}

static svg_box box_around(svg_point middle, double width, double height) {
  return (svg_box){middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2};
}

static void write_in(panel *p, svg_box box, double type, const char *style, const char *text) {
  svg_point at = {(box.left + box.right) / 2, (box.top + box.bottom) / 2 + 0.36 * type};
  svg_text(p->out, at, SVG_MIDDLE, style, text);
  panel_take(p, box, 4);
}

/* Within the panel, where there is room. */
static svg_point drawn_in(const panel *p, svg_point middle, double width, double height) {
  const svg_box b = p->box;
  if (width <= b.right - b.left) middle.x = fmax(b.left + width / 2, fmin(b.right - width / 2, middle.x));
  if (height <= b.bottom - b.top) middle.y = fmax(b.top + height / 2, fmin(b.bottom - height / 2, middle.y));
  return middle;
}

svg_point panel_beside(const panel *p, svg_point at, svg_point toward, double width, double height) {
  static const svg_point WAYS[] = {{1, 0},  {0.9, -0.6}, {0.5, -0.9}, {0, -1}, {-0.5, -0.9}, {-0.9, -0.6},
                                {-1, 0}, {-0.9, 0.6}, {-0.5, 0.9}, {0, 1},  {0.5, 0.9},   {0.9, 0.6}};
  double best_cost = INFINITY;
  svg_point best = at;
  for (int ring = 0; ring < 7; ring++)
    for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
      double gap = 7 + 9 * ring;
      svg_point wanted = {at.x + WAYS[i].x * (width / 2 + gap), at.y + WAYS[i].y * (height / 2 + gap)};
      svg_point middle = drawn_in(p, wanted, width, height);
      double c =
          cost(p, box_around(middle, width, height)) + 14 * ring - 8 * (WAYS[i].x * toward.x + WAYS[i].y * toward.y);
      if (!(c < best_cost)) continue;
      best_cost = c;
      best = middle;
    }
  return best;
}

void panel_label(panel *p, svg_point at, svg_point toward, double type, const char *style, const char *text) {
  double bold = strstr(style, "word") ? SVG_BOLD : 1;
  double width = bold * svg_width(text, strlen(text), type) + 4, height = type + 3;
  write_in(p, box_around(panel_beside(p, at, toward, width, height), width, height), type, style, text);
}

void panel_name(panel *p, const svg_point *places, size_t count, const char *style, const char *text) {
  double width = svg_width(text, strlen(text), SVG_PLAIN) + 4, height = SVG_PLAIN + 5, best_cost = INFINITY;
  svg_point best = places[0];
  for (size_t i = 0; i < count; i++) {
    double c = cost(p, box_around(places[i], width, height)) + (i > 0 ? 15 : 0);
    if (!(c < best_cost)) continue;
    best_cost = c;
    best = places[i];
  }
  if (best_cost > 150)
    panel_label(p, places[0], (svg_point){0, 0}, SVG_PLAIN, style, text);
  else
    write_in(p, box_around(best, width, height), SVG_PLAIN, style, text);
}

/* What a convex outline covers at the height y. */
static bool cover(const svg_point *points, size_t count, double y, double *left, double *right) {
  *left = INFINITY;
  *right = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    svg_point p = points[i], q = points[(i + 1) % count];
    if (fmin(p.y, q.y) > y || fmax(p.y, q.y) < y || p.y == q.y) continue;
    double x = p.x + (y - p.y) / (q.y - p.y) * (q.x - p.x);
    *left = fmin(*left, x);
    *right = fmax(*right, x);
  }
  return *left < *right;
}

void panel_take_inside(panel *p, const svg_point *points, size_t count) {
  enum { STRIP = 12 };
  for (double y = p->box.top + STRIP / 2.0; y < p->box.bottom && p->inside > 0; y += STRIP) {
    double left, right;
    if (cover(points, count, y, &left, &right))
      panel_take(p, (svg_box){left, y - STRIP / 2.0, right, y + STRIP / 2.0}, p->inside);
  }
}
