/* What pictures are made of: lines, shapes and words, in pixels. Coordinates have one decimal, the same on every
 * machine; what is not finite never comes out. */
#ifndef GRAZE_CLI_SVG_H
#define GRAZE_CLI_SVG_H

#include "text.h"

#include <graze/graze.h>

/* A place in the picture; y goes down. */
typedef struct svg_point {
  double x, y;
} svg_point;

typedef struct svg_box {
  double left, top, right, bottom;
} svg_box;

typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor;

/* Sizes of type. */
enum { SVG_SMALL = 13, SVG_NUMBER = 14, SVG_PLAIN = 15 };
/* How much wider semi-bold words are. */
#define SVG_BOLD 1.14

/* ` name="value"` */
void svg_attribute(cli_text *out, const char *name, double value);
/* Text for an element or an attribute. */
void svg_escaped(cli_text *out, const char *text, size_t size);
/* About how wide a text becomes: no viewer's usual typeface is much wider. */
double svg_width(const char *text, size_t size, double type);

void svg_begin(cli_text *out, const char *element, const char *style); /* `<element class="style"` */
void svg_text(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *text);
void svg_line(cli_text *out, svg_point from, svg_point to, const char *style);
void svg_dot(cli_text *out, svg_point at, double radius, const char *style);
void svg_rect(cli_text *out, svg_box box, double round, const char *style);
/* A polygon of some points, a line, or a dot, whatever they look like: points nearer than half a pixel to the one
 * before are left out. */
void svg_outline(cli_text *out, const svg_point *points, size_t count, const char *style);
/* Nothing where it has no length to be seen. */
void svg_arrow(cli_text *out, svg_point from, svg_point to, const char *style);
/* A number in a pill. */
void svg_badge(cli_text *out, svg_point at, const char *text);
double svg_badge_width(const char *text);

/* The part of the line through `at` along `along` within the box; false where there is none. */
bool svg_clip(svg_box box, svg_point at, svg_point along, svg_point *from, svg_point *to);
double svg_apart(svg_point p, svg_point q);
/* A value, or the end that it is beyond; the low one of what is no number. */
double svg_hold(double value, double low, double high);

#endif
