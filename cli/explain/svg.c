#include "explain/svg.h"

#include <math.h>
#include <string.h>

/* No picture is as large. */
static const double FARTHEST = 99999;

static void put_number(cli_text *out, double value) {
  if (!(fabs(value) <= FARTHEST)) value = value > 0 ? FARTHEST : value < 0 ? -FARTHEST : 0;
  long long tenths = (long long)floor(value * 10 + 0.5);
  if (tenths < 0) {
    cli_text_str(out, "-");
    tenths = -tenths;
  }
  cli_text_int(out, tenths / 10);
  if (tenths % 10 == 0) return;
  cli_text_str(out, ".");
  cli_text_int(out, tenths % 10);
}

void svg_attribute(cli_text *out, const char *name, double value) {
  cli_text_str(out, " ");
  cli_text_str(out, name);
  cli_text_str(out, "=\"");
  put_number(out, value);
  cli_text_str(out, "\"");
}

void svg_escaped(cli_text *out, const char *text, size_t size) {
  for (size_t i = 0; i < size; i++) {
    unsigned char byte = (unsigned char)text[i];
    if (byte == '<')
      cli_text_str(out, "&lt;");
    else if (byte == '>')
      cli_text_str(out, "&gt;");
    else if (byte == '&')
      cli_text_str(out, "&amp;");
    else if (byte == '"')
      cli_text_str(out, "&quot;");
    else if (byte >= 0x20) /* control characters are no XML */
      cli_text_bytes(out, text + i, 1);
  }
}

/* In ems, of a wide typeface. */
static double character_width(const char *c) {
  unsigned char byte = (unsigned char)*c;
  if ((byte & 0xC0) == 0x80) return 0; /* within a character */
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

void svg_begin(cli_text *out, const char *element, const char *style) {
  cli_text_str(out, "<");
  cli_text_str(out, element);
  if (*style == 0) return;
  cli_text_str(out, " class=\"");
  cli_text_str(out, style);
  cli_text_str(out, "\"");
}

static void put_end(cli_text *out) { cli_text_str(out, "/>\n"); }

void svg_text(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *text) {
  static const char *const ANCHORS[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  svg_begin(out, "text", style);
  svg_attribute(out, "x", at.x);
  svg_attribute(out, "y", at.y);
  cli_text_str(out, ANCHORS[anchor]);
  cli_text_str(out, ">");
  svg_escaped(out, text, strlen(text));
  cli_text_str(out, "</text>\n");
}

void svg_line(cli_text *out, svg_point from, svg_point to, const char *style) {
  svg_begin(out, "line", style);
  svg_attribute(out, "x1", from.x);
  svg_attribute(out, "y1", from.y);
  svg_attribute(out, "x2", to.x);
  svg_attribute(out, "y2", to.y);
  put_end(out);
}

void svg_dot(cli_text *out, svg_point at, double radius, const char *style) {
  svg_begin(out, "circle", style);
  svg_attribute(out, "cx", at.x);
  svg_attribute(out, "cy", at.y);
  svg_attribute(out, "r", radius);
  put_end(out);
}

void svg_rect(cli_text *out, svg_box box, double round, const char *style) {
  svg_begin(out, "rect", style);
  svg_attribute(out, "x", box.left);
  svg_attribute(out, "y", box.top);
  svg_attribute(out, "width", box.right - box.left);
  svg_attribute(out, "height", box.bottom - box.top);
  if (round > 0) svg_attribute(out, "rx", round);
  put_end(out);
}

double svg_apart(svg_point p, svg_point q) {
  double x = q.x - p.x, y = q.y - p.y;
  return sqrt(x * x + y * y);
}

double svg_hold(double value, double low, double high) {
  return value >= low && value <= high ? value : value > high ? high : low;
}

/* The farthest of the points from one of them. */
static svg_point farthest_from(const svg_point *points, size_t count, svg_point from) {
  svg_point best = from;
  for (size_t i = 0; i < count; i++)
    if (svg_apart(points[i], from) > svg_apart(best, from)) best = points[i];
  return best;
}

static void put_points(cli_text *out, const svg_point *points, size_t count) {
  cli_text_str(out, " points=\"");
  svg_point last = points[0];
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && svg_apart(points[i], last) < 0.5) continue;
    if (i > 0) cli_text_str(out, " ");
    last = points[i];
    put_number(out, last.x);
    cli_text_str(out, ",");
    put_number(out, last.y);
  }
  cli_text_str(out, "\"");
}

void svg_outline(cli_text *out, const svg_point *points, size_t count, const char *style) {
  if (count == 0) return;
  svg_point far = farthest_from(points, count, points[0]);
  if (svg_apart(far, points[0]) < 2) {
    svg_dot(out, points[0], 3.5, style);
  } else if (count == 2) {
    svg_line(out, points[0], points[1], style);
  } else {
    svg_begin(out, "polygon", style);
    put_points(out, points, count);
    put_end(out);
  }
}

void svg_arrow(cli_text *out, svg_point from, svg_point to, const char *style) {
  double length = svg_apart(from, to);
  if (!(length >= 3)) return;
  double head = fmin(12, 0.65 * length), half = 0.45 * head;
  double x = (to.x - from.x) / length, y = (to.y - from.y) / length;
  svg_point neck = {to.x - 0.8 * head * x, to.y - 0.8 * head * y};
  svg_point back = {to.x - head * x, to.y - head * y};
  char heads[48] = "head ";
  strncat(heads, style, sizeof heads - 6);
  svg_line(out, from, neck, style);
  svg_point tip[] = {to, {back.x - half * y, back.y + half * x}, {back.x + half * y, back.y - half * x}};
  svg_begin(out, "polygon", heads);
  put_points(out, tip, 3);
  put_end(out);
}

double svg_badge_width(const char *text) { return fmax(20, svg_width(text, strlen(text), SVG_NUMBER) + 9); }

void svg_badge(cli_text *out, svg_point at, const char *text) {
  double half = svg_badge_width(text) / 2;
  svg_rect(out, (svg_box){at.x - half, at.y - 10, at.x + half, at.y + 10}, 10, "badge");
  svg_text(out, (svg_point){at.x, at.y + 5}, SVG_MIDDLE, "number", text);
}

/* Narrows low … high to where value + t·step is within low_edge … high_edge. */
static void clip_to(double value, double step, double low_edge, double high_edge, double *low, double *high) {
  double first = (low_edge - value) / step, last = (high_edge - value) / step;
  *low = fmax(*low, fmin(first, last));
  *high = fmin(*high, fmax(first, last));
}

bool svg_clip(svg_box box, svg_point at, svg_point along, svg_point *from, svg_point *to) {
  double low = -1e9, high = 1e9;
  bool outside_x = along.x == 0 && !(at.x >= box.left && at.x <= box.right);
  bool outside_y = along.y == 0 && !(at.y >= box.top && at.y <= box.bottom);
  if (outside_x || outside_y || (along.x == 0 && along.y == 0)) return false;
  if (along.x != 0) clip_to(at.x, along.x, box.left, box.right, &low, &high);
  if (along.y != 0) clip_to(at.y, along.y, box.top, box.bottom, &low, &high);
  if (!(high - low > 0)) return false;
  *from = (svg_point){at.x + low * along.x, at.y + low * along.y};
  *to = (svg_point){at.x + high * along.x, at.y + high * along.y};
  return true;
}
