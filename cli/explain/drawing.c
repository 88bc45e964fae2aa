/* SVG elements, and drawings within a picture with their labels. */
#include "explain/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double svg_width(const char *text, size_t size, double type) {
  double width = 0; /* in ems of a wide font */
  for (size_t i = 0; i < size; i++) {
    const unsigned char byte = (unsigned char)text[i];
    if ((byte & 0xC0) == 0x80) continue;          /* a continuation byte */
    width += byte == 0xC2                  ? 0.32 /* a middle dot */
             : byte >= 0x80                ? 0.84
             : strchr(" .,:;!|'ijl", byte) ? 0.32
             : strchr("()[]frt-/", byte)   ? 0.41
             : strchr("mwMW=<>+%", byte)   ? 0.9
             : byte >= 'A' && byte <= 'Z'  ? 0.7
                                           : 0.63;
  }
  return width * type;
}

static void begin(cli_text *out, const char *element, const char *style) {
  emit(out, *style ? "<%s class=\"%s\"" : "<%s", element, style);
}

void svg_text(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *format, ...) {
  static const char *const alignments[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  cli_text text = {0};
  va_list list;
  va_start(list, format);
  emit_list(&text, format, list);
  va_end(list);
  begin(out, "text", style);
  emit(out, " x=\"%d\" y=\"%d\"%s>%h</text>\n", at.x, at.y, alignments[anchor], text_string(out, &text));
  cli_text_free(&text);
}

void svg_line(cli_text *out, svg_point from, svg_point to, const char *style) {
  begin(out, "line", style);
  emit(out, " x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", from.x, from.y, to.x, to.y);
}

void svg_dot(cli_text *out, svg_point at, double radius, const char *style) {
  begin(out, "circle", style);
  emit(out, " cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", at.x, at.y, radius);
}

void svg_rect(cli_text *out, svg_box box, double round, const char *style) {
  begin(out, "rect", style);
  emit(out, " x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", box.left, box.top, box.right - box.left,
       box.bottom - box.top);
  if (round > 0) emit(out, " rx=\"%d\"", round);
  emit(out, "/>\n");
}

double svg_distance(svg_point p, svg_point q) {
  double x = q.x - p.x, y = q.y - p.y;
  return sqrt(x * x + y * y);
}

double svg_clamp(double value, double low, double high) {
  return value >= low && value <= high ? value : value > high ? high : low;
}

/* Points within half a pixel of the last are omitted. */
static void draw_polygon(cli_text *out, const svg_point *points, size_t count, const char *style) {
  begin(out, "polygon", style);
  emit(out, " points=\"");
  svg_point last = points[0];
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && svg_distance(points[i], last) < 0.5) continue;
    last = points[i];
    emit(out, i > 0 ? " %d,%d" : "%d,%d", last.x, last.y);
  }
  emit(out, "\"/>\n");
}

/* A polygon, or a line or a dot if the points degenerate to one. */
static void outline(cli_text *out, const svg_point *points, size_t count, const char *style) {
  double size = 0;
  for (size_t i = 0; i < count; i++) size = fmax(size, svg_distance(points[i], points[0]));
  if (size < 2)
    svg_dot(out, points[0], 3.5, style);
  else if (count == 2)
    svg_line(out, points[0], points[1], style);
  else
    draw_polygon(out, points, count, style);
}

void svg_arrow(cli_text *out, svg_point from, svg_point to, const char *style) {
  double length = svg_distance(from, to);
  if (!(length >= 3)) return;
  double head = fmin(12, 0.65 * length), half = 0.45 * head;
  double x = (to.x - from.x) / length, y = (to.y - from.y) / length;
  svg_point neck = {to.x - 0.8 * head * x, to.y - 0.8 * head * y}, back = {to.x - head * x, to.y - head * y};
  char head_style[48] = "head ";
  strncat(head_style, style, sizeof head_style - 6);
  svg_line(out, from, neck, style);
  svg_point tip[] = {to, {back.x - half * y, back.y + half * x}, {back.x + half * y, back.y - half * x}};
  draw_polygon(out, tip, 3, head_style);
}

double svg_badge_width(const char *text) { return fmax(20, svg_width(text, strlen(text), SVG_NUMBER) + 9); }

void svg_badge(cli_text *out, svg_point at, const char *text) {
  double half = svg_badge_width(text) / 2;
  svg_rect(out, (svg_box){at.x - half, at.y - 10, at.x + half, at.y + 10}, 10, "badge");
  svg_text(out, (svg_point){at.x, at.y + 5}, SVG_MIDDLE, "number", "%s", text);
}

/* Narrows low … high to the t for which value + t·step is between the edges. */
static void clip_to(double value, double step, double low_edge, double high_edge, double *low, double *high) {
  if (step == 0) return;
  double first = (low_edge - value) / step, last = (high_edge - value) / step;
  *low = fmax(*low, fmin(first, last));
  *high = fmin(*high, fmax(first, last));
}

bool svg_clip(svg_box box, svg_point at, svg_point direction, svg_point *from, svg_point *to) {
  double low = -1e9, high = 1e9;
  bool outside_x = direction.x == 0 && !(at.x >= box.left && at.x <= box.right);
  bool outside_y = direction.y == 0 && !(at.y >= box.top && at.y <= box.bottom);
  if (outside_x || outside_y || (direction.x == 0 && direction.y == 0)) return false;
  clip_to(at.x, direction.x, box.left, box.right, &low, &high);
  clip_to(at.y, direction.y, box.top, box.bottom, &low, &high);
  if (!(high - low > 0)) return false;
  *from = (svg_point){at.x + low * direction.x, at.y + low * direction.y};
  *to = (svg_point){at.x + high * direction.x, at.y + high * direction.y};
  return true;
}

/* ---- Scale */

static bool is_drawable(graze_vec v) { return fabs(v.x) <= 1e300 && fabs(v.y) <= 1e300; }

static graze_vec halfway(graze_vec p, graze_vec q) { return (graze_vec){p.x / 2 + q.x / 2, p.y / 2 + q.y / 2, 0}; }

void bounds_add_halfspace(bounds *box, const story_mesh *mesh) {
  if (mesh->kind != STORY_MESH_PLANE) return;
  graze_vec p = mesh->points[0], n = mesh->points[1], from = box->any ? halfway(box->low, box->high) : p;
  double height = vec_dot(vec_sub(from, p), n);
  bounds_add(box, vec_mad(from, -height, n));
  height += 0.3 * fmax(box->high.x - box->low.x, box->high.y - box->low.y);
  bounds_add(box, vec_mad(from, -height, n));
}

/* The larger side, never 0; x and y become the sides relative to it. */
static double relative_sides(const bounds *seen, double *x, double *y) {
  *x = seen->high.x - seen->low.x;
  *y = seen->high.y - seen->low.y;
  double unit = fmax(*x, *y);
  if (!(unit > 0)) return 1;
  *x /= unit;
  *y /= unit;
  return unit;
}

static double scale_for(double pixels, double side) { return side > 0 ? pixels / side : 1e9; }

void panel_fit(panel *p, cli_text *out, const bounds *seen, svg_box box, double margin_x, double margin_y) {
  double x, y, unit = relative_sides(seen, &x, &y);
  *p = (panel){.out = out, .box = box, .middle = halfway(seen->low, seen->high), .unit = unit};
  p->pixels =
      fmin(scale_for(box.right - box.left - 2 * margin_x, x), scale_for(box.bottom - box.top - 2 * margin_y, y));
}

double panel_height(const bounds *seen, double width, double margin_x, double margin_y) {
  double x, y;
  relative_sides(seen, &x, &y);
  return y > 0 ? y * fmin(scale_for(width - 2 * margin_x, x), 1e4) + 2 * margin_y : 2 * margin_y;
}

static svg_point place(const panel *p, graze_vec point) {
  return (svg_point){(p->box.left + p->box.right) / 2 + (point.x - p->middle.x) / p->unit * p->pixels,
                     (p->box.top + p->box.bottom) / 2 - (point.y - p->middle.y) / p->unit * p->pixels};
}

svg_point panel_at(const panel *p, graze_vec point) {
  svg_point at = place(p, point);
  return (svg_point){svg_clamp(at.x, p->box.left, p->box.right), svg_clamp(at.y, p->box.top, p->box.bottom)};
}

svg_point panel_direction(graze_vec direction) {
  double most = fmax(fabs(direction.x), fabs(direction.y));
  if (!(most > 0 && most <= 1e300)) return (svg_point){0, 0};
  double x = direction.x / most, y = direction.y / most, length = sqrt(x * x + y * y);
  return (svg_point){x / length, -y / length};
}

/* ---- Obstacles for labels */

void panel_add_obstacle(panel *p, svg_box box, double weight) {
  if (p->obstacle_count == PANEL_MAX_OBSTACLES) return;
  p->obstacles[p->obstacle_count] = box;
  p->weight[p->obstacle_count++] = weight;
}

static svg_box box_around(svg_point middle, double width, double height) {
  return (svg_box){middle.x - width / 2, middle.y - height / 2, middle.x + width / 2, middle.y + height / 2};
}

void panel_add_line_obstacle(panel *p, svg_point from, svg_point to, double weight) {
  double length = svg_distance(from, to);
  for (double s = 0; s <= length; s += 9) {
    double t = length > 0 ? s / length : 0;
    svg_point at = {from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)};
    panel_add_obstacle(p, box_around(at, 8, 8), weight);
  }
}

/* The inside of a convex outline, in horizontal strips. */
static void add_inside(panel *p, const svg_point *points, size_t count) {
  enum { STRIP = 12 };
  for (double y = p->box.top + STRIP / 2.0; y < p->box.bottom && p->inside > 0; y += STRIP) {
    double left = INFINITY, right = -INFINITY;
    for (size_t i = 0; i < count; i++) {
      svg_point a = points[i], b = points[(i + 1) % count];
      if (fmin(a.y, b.y) > y || fmax(a.y, b.y) < y || a.y == b.y) continue;
      double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
      left = fmin(left, x);
      right = fmax(right, x);
    }
    if (left < right) panel_add_obstacle(p, (svg_box){left, y - STRIP / 2.0, right, y + STRIP / 2.0}, p->inside);
  }
}

/* ---- Drawing */

void panel_points(panel *p, const graze_vec *points, size_t count, const char *style) {
  svg_point *places = count > 0 ? calloc(count, sizeof *places) : NULL;
  if (count > 0 && places == NULL) p->out->failed = true;
  if (places == NULL) return;
  for (size_t i = 0; i < count; i++) places[i] = panel_at(p, points[i]);
  outline(p->out, places, count, style);
  size_t every = count / 64 + 1;
  for (size_t i = 0; i < count; i += every) panel_add_line_obstacle(p, places[i], places[(i + every) % count], 0.8);
  add_inside(p, places, count);
  free(places);
}

/* The region, the boundary, and short strokes that mark its inner side. */
static void draw_halfspace(panel *p, const story_mesh *mesh, const char *style) {
  svg_point n = panel_direction(mesh->points[1]), on = place(p, mesh->points[0]), region[8], from, to;
  svg_point middle = {(p->box.left + p->box.right) / 2, (p->box.top + p->box.bottom) / 2};
  double height = (middle.x - on.x) * n.x + (middle.y - on.y) * n.y;
  on = (svg_point){middle.x - height * n.x, middle.y - height * n.y}; /* nearest the middle */
  if (!isfinite(on.x) || !isfinite(on.y)) return;
  /* The region: the corners of the box inside the half-plane, and the intersections of its edges with the boundary. */
  const svg_box box = p->box;
  const svg_point corners[] = {
      {box.left, box.top}, {box.right, box.top}, {box.right, box.bottom}, {box.left, box.bottom}};
  size_t count = 0;
  for (int i = 0; i < 4; i++) {
    const svg_point c = corners[i], d = corners[(i + 1) % 4];
    double here = (c.x - on.x) * n.x + (c.y - on.y) * n.y, next = (d.x - on.x) * n.x + (d.y - on.y) * n.y;
    if (here <= 0) region[count++] = c;
    double t = here / (here - next);
    if ((here < 0 && next > 0) || (here > 0 && next < 0))
      region[count++] = (svg_point){c.x + t * (d.x - c.x), c.y + t * (d.y - c.y)};
  }
  if (count < 3) return;
  emit(p->out, "<g class=\"region\">");
  outline(p->out, region, count, style);
  emit(p->out, "</g>");
  if (!svg_clip(p->box, on, (svg_point){-n.y, n.x}, &from, &to)) return;
  svg_line(p->out, from, to, style);
  double length = svg_distance(from, to);
  svg_point e = {(to.x - from.x) / length, (to.y - from.y) / length};
  emit(p->out, "<g class=\"hatch %s\">\n", style);
  for (double s = 10; s < length - 2; s += 16) {
    svg_point a = {from.x + s * e.x, from.y + s * e.y}, b = {a.x - 7 * (n.x + e.x), a.y - 7 * (n.y + e.y)};
    if (svg_clamp(b.x, p->box.left, p->box.right) == b.x && svg_clamp(b.y, p->box.top, p->box.bottom) == b.y)
      svg_line(p->out, a, b, "");
  }
  emit(p->out, "</g>\n");
  panel_add_line_obstacle(p, from, to, 0.5);
  add_inside(p, region, count);
}

void panel_mesh(panel *p, const story_mesh *mesh, const char *style) {
  if (mesh->kind == STORY_MESH_SOLID) panel_points(p, mesh->points, mesh->point_count, style);
  if (mesh->kind == STORY_MESH_PLANE) draw_halfspace(p, mesh, style);
}

/* Appends a chain of edges that begins with the first unused one, and marks its edges as used. */
static void draw_chain(panel *p, const story_faces *faces, size_t first, bool *used) {
  const int32_t *edges = faces->corners;
  const graze_vec *points = faces->points, begin = points[edges[2 * first]];
  svg_point at = panel_at(p, begin);
  emit(p->out, "M%d %d", at.x, at.y);
  for (size_t i = first, k; i < faces->count; i = k) {
    const graze_vec end = points[edges[2 * i + 1]];
    const svg_point from = at;
    used[i] = true;
    at = panel_at(p, end);
    emit(p->out, "L%d %d", at.x, at.y);
    panel_add_line_obstacle(p, from, at, 0.8);
    if (vec_is_zero(vec_sub(end, begin))) break;
    for (k = 0; k < faces->count && (used[k] || !vec_is_zero(vec_sub(points[edges[2 * k]], end)));) k++;
  }
}

void panel_faces(panel *p, const story_faces *faces, const char *style) {
  bool *used = faces->count > 0 ? calloc(faces->count, sizeof *used) : NULL;
  if (faces->count > 0 && used == NULL) p->out->failed = true;
  if (used == NULL) return;
  emit(p->out, "<path class=\"%s%s\" d=\"", style, faces->solid ? "" : " surface");
  for (size_t i = 0; i < faces->count; i++)
    if (!used[i]) draw_chain(p, faces, i, used);
  emit(p->out, "\"/>\n");
  free(used);
}

void panel_line(panel *p, graze_vec from, graze_vec to, const char *style) {
  if (!is_drawable(from) || !is_drawable(to)) return;
  svg_point a = panel_at(p, from), b = panel_at(p, to);
  svg_line(p->out, a, b, style);
  panel_add_line_obstacle(p, a, b, 0.6);
}

void panel_arrow(panel *p, graze_vec from, graze_vec to, const char *style) {
  if (!is_drawable(from) || !is_drawable(to)) return;
  svg_point a = panel_at(p, from), b = panel_at(p, to);
  double length = svg_distance(a, b), share = length > 26 ? 5 / length : 0; /* the end point remains visible */
  svg_arrow(p->out, a, (svg_point){b.x - share * (b.x - a.x), b.y - share * (b.y - a.y)}, style);
  panel_add_line_obstacle(p, a, b, 2);
}

void panel_dot(panel *p, graze_vec at, double radius, const char *style) {
  if (!is_drawable(at)) return;
  svg_point a = panel_at(p, at);
  svg_dot(p->out, a, radius, style);
  panel_add_obstacle(p, box_around(a, 2 * radius, 2 * radius), 3);
}

void panel_plane(panel *p, graze_vec direction, double value, const char *style) {
  svg_point normal = panel_direction(direction), from, to;
  double square = direction.x * direction.x + direction.y * direction.y;
  if (!(square > 0) || !isfinite(value)) return;
  double t = (value - direction.x * p->middle.x - direction.y * p->middle.y) / square;
  svg_point at = place(p, (graze_vec){p->middle.x + t * direction.x, p->middle.y + t * direction.y, 0});
  if (!isfinite(at.x) || !isfinite(at.y) || !svg_clip(p->box, at, (svg_point){-normal.y, normal.x}, &from, &to)) return;
  svg_line(p->out, from, to, style);
  panel_add_line_obstacle(p, from, to, 1.5);
}

void panel_origin(panel *p, double arm) {
  svg_point o = panel_at(p, (graze_vec){0, 0, 0});
  svg_line(p->out, (svg_point){o.x - arm, o.y}, (svg_point){o.x + arm, o.y}, "origin");
  svg_line(p->out, (svg_point){o.x, o.y - arm}, (svg_point){o.x, o.y + arm}, "origin");
  panel_add_obstacle(p, box_around(o, 2 * arm + 12, 6), 5); /* wide: a number beside an arm would get a minus sign */
  panel_add_obstacle(p, box_around(o, 6, 2 * arm + 12), 5);
}

/* ---- Labels */

/* The weighted area that a box covers, and a high cost of leaving the panel. */
static double cover_cost(const panel *p, svg_box b) {
  double out = fmax(0, p->box.left - b.left) + fmax(0, b.right - p->box.right) + fmax(0, p->box.top - b.top) +
               fmax(0, b.bottom - p->box.bottom);
  double sum = 1000 * out;
  for (size_t i = 0; i < p->obstacle_count; i++) {
    svg_box o = p->obstacles[i];
    double width = fmax(0, fmin(b.right, o.right) - fmax(b.left, o.left));
    sum += p->weight[i] * width * fmax(0, fmin(b.bottom, o.bottom) - fmax(b.top, o.top));
  }
  return sum;
}

static void write_label(panel *p, svg_box box, double type, const char *style, const char *text) {
  svg_point at = {(box.left + box.right) / 2, (box.top + box.bottom) / 2 + 0.36 * type};
  svg_text(p->out, at, SVG_MIDDLE, style, "%s", text);
  panel_add_obstacle(p, box, 4);
}

svg_point panel_beside(const panel *p, svg_point at, svg_point toward, double width, double height) {
  static const svg_point sides[] = {{1, 0},  {0.9, -0.6}, {0.5, -0.9}, {0, -1}, {-0.5, -0.9}, {-0.9, -0.6},
                                    {-1, 0}, {-0.9, 0.6}, {-0.5, 0.9}, {0, 1},  {0.5, 0.9},   {0.9, 0.6}};
  const svg_box b = p->box;
  double best_cost = INFINITY;
  svg_point best = at;
  for (int ring = 0; ring < 7; ring++)
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
      double gap = 7 + 9 * ring;
      svg_point q = {at.x + sides[i].x * (width / 2 + gap), at.y + sides[i].y * (height / 2 + gap)};
      if (width <= b.right - b.left) q.x = fmax(b.left + width / 2, fmin(b.right - width / 2, q.x));
      if (height <= b.bottom - b.top) q.y = fmax(b.top + height / 2, fmin(b.bottom - height / 2, q.y));
      double cost =
          cover_cost(p, box_around(q, width, height)) + 14 * ring - 8 * (sides[i].x * toward.x + sides[i].y * toward.y);
      if (!(cost < best_cost)) continue;
      best_cost = cost;
      best = q;
    }
  return best;
}

void panel_label(panel *p, svg_point at, svg_point toward, double type, const char *style, const char *format, ...) {
  cli_text text = {0};
  va_list list;
  va_start(list, format);
  emit_list(&text, format, list);
  va_end(list);
  double bold = strstr(style, "word") ? SVG_BOLD : 1;
  double width = bold * svg_width(text.data, text.size, type) + 4, height = type + 3;
  svg_box box = box_around(panel_beside(p, at, toward, width, height), width, height);
  write_label(p, box, type, style, text_string(p->out, &text));
  cli_text_free(&text);
}

void panel_name(panel *p, const svg_point *places, size_t count, const char *style, const char *text) {
  double width = svg_width(text, strlen(text), SVG_PLAIN) + 4, height = SVG_PLAIN + 5, best_cost = INFINITY;
  svg_point best = places[0];
  for (size_t i = 0; i < count; i++) {
    double cost = cover_cost(p, box_around(places[i], width, height)) + (i > 0 ? 15 : 0);
    if (!(cost < best_cost)) continue;
    best_cost = cost;
    best = places[i];
  }
  if (best_cost > 150)
    panel_label(p, places[0], (svg_point){0, 0}, SVG_PLAIN, style, "%s", text);
  else
    write_label(p, box_around(best, width, height), SVG_PLAIN, style, text);
}
