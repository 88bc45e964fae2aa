/* SVG elements, in pixels; y points down. Coordinates have one decimal and the same text on every machine; those that
 * are not finite are clamped. `style` is the class of an element, or "". */
#ifndef GRAZE_CLI_SVG_H
#define GRAZE_CLI_SVG_H

#include "text.h"

typedef struct svg_point {
  double x, y;
} svg_point;

typedef struct svg_box {
  double left, top, right, bottom;
} svg_box;

typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor;

/* Font sizes. */
enum { SVG_SMALL = 13, SVG_NUMBER = 14, SVG_PLAIN = 15 };
/* The relative width of semi-bold text. */
#define SVG_BOLD 1.14

/* An upper estimate of the width of a text, for any usual sans-serif font. */
double svg_width(const char *text, size_t size, double type);

/* ` name="value"` */
void svg_attribute(cli_text *out, const char *name, double value);
void svg_text(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *text);
/* The same with a text of emit(). */
void svg_words(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *format, ...);
void svg_line(cli_text *out, svg_point from, svg_point to, const char *style);
void svg_dot(cli_text *out, svg_point at, double radius, const char *style);
void svg_rect(cli_text *out, svg_box box, double round, const char *style);
/* A polygon, or a line or a dot if the points degenerate to one. Points within half a pixel of the last are omitted. */
void svg_outline(cli_text *out, const svg_point *points, size_t count, const char *style);
/* Nothing if it is too short to be visible. */
void svg_arrow(cli_text *out, svg_point from, svg_point to, const char *style);
/* A number on a rounded label. */
void svg_badge(cli_text *out, svg_point at, const char *text);
double svg_badge_width(const char *text);

/* The segment of a line within the box; false if there is none. */
bool svg_clip(svg_box box, svg_point at, svg_point direction, svg_point *from, svg_point *to);
double svg_distance(svg_point p, svg_point q);
/* `low` for NaN. */
double svg_clamp(double value, double low, double high);

#endif
