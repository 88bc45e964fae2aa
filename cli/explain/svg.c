/* SVG elements. */
#include "explain/svg.h"

#include "explain/format.h"

#include <math.h>
#include <string.h>

/* In ems, of a wide font. */
static double character_width(const char *c) {
  unsigned char byte = (unsigned char)*c;
  if ((byte & 0xC0) == 0x80) return 0; /* a continuation byte */
  if (byte == 0xC2) return 0.32;       /* a middle dot */
  if (byte >= 0x80) return 0.84;
  if (strchr(" .,:;!|'ijl", byte)) return 0.32;
  if (strchr("()[]frt-/", byte)) return 0.41;
  if (strchr("mwMW=<>+%", byte)) return 0.9;
  return byte >= 'A' && byte <= 'Z' ? 0.7 : 0.63;
}

double svg_width(const char *text, size_t size, double type) {
  double width = 0;
  for (size_t i = 0; i < size; i++) width += character_width(text + i);
  return width * type;
}

void svg_attribute(cli_text *out, const char *name, double value) { emit(out, " %s=\"%d\"", name, value); }

static void begin(cli_text *out, const char *element, const char *style) {
  emit(out, *style ? "<%s class=\"%s\"" : "<%s", element, style);
}

void svg_text(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *text) {
  static const char *const alignments[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  begin(out, "text", style);
  emit(out, " x=\"%d\" y=\"%d\"%s>%h</text>\n", at.x, at.y, alignments[anchor], text);
}

void svg_words(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *format, ...) {
  cli_text text = {0};
  va_list list;
  va_start(list, format);
  emit_list(&text, format, list);
  va_end(list);
  svg_text(out, at, anchor, style, text_string(out, &text));
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

void svg_outline(cli_text *out, const svg_point *points, size_t count, const char *style) {
  double size = 0;
  for (size_t i = 0; i < count; i++) size = fmax(size, svg_distance(points[i], points[0]));
  if (count == 0) return;
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
  svg_text(out, (svg_point){at.x, at.y + 5}, SVG_MIDDLE, "number", text);
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
