/* Pictures: SVG elements, panels with labels, and the parts of a picture. */
#ifndef GRAZE_CLI_DRAWING_H
#define GRAZE_CLI_DRAWING_H

#include "explain/story.h"

/* ---- SVG elements, in pixels; y points down. Coordinates have one decimal and the same text on every machine; those
 * that are not finite are clamped. `style` is the class of an element, or "". */

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
/* A text of emit(). */
void svg_text(cli_text *out, svg_point at, svg_anchor anchor, const char *style, const char *format, ...);
void svg_line(cli_text *out, svg_point from, svg_point to, const char *style);
void svg_dot(cli_text *out, svg_point at, double radius, const char *style);
void svg_rect(cli_text *out, svg_box box, double round, const char *style);
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

/* ---- Panels: drawings within a picture, with y pointing up, and the placement of labels where they cover least. */

/* Extends the bounds by the boundary of a half-space near their middle, and by some of its inside. */
void bounds_add_halfspace(bounds *box, const story_mesh *mesh);

enum { PANEL_MAX_OBSTACLES = 1024 };

typedef struct panel {
  cli_text *out;
  svg_box box;
  graze_vec middle;                       /* the world point in the middle of the box */
  double unit, pixels;                    /* the scale: a length of `unit` is drawn with `pixels` pixels */
  svg_box obstacles[PANEL_MAX_OBSTACLES]; /* what labels should not cover */
  double weight[PANEL_MAX_OBSTACLES];     /* the cost of a covered pixel */
  size_t obstacle_count;
  double inside; /* the cost of a covered pixel inside a shape */
} panel;

/* Fits the bounds into the box, with margins in pixels. */
void panel_fit(panel *p, cli_text *out, const bounds *seen, svg_box box, double margin_x, double margin_y);
/* The height of the panel that shows the bounds in a given width. */
double panel_height(const bounds *seen, double width, double margin_x, double margin_y);
/* The place of a point, clamped to the box. */
svg_point panel_at(const panel *p, graze_vec point);
/* A direction in the picture, of length 1 or 0. */
svg_point panel_direction(graze_vec direction);
void panel_mesh(panel *p, const story_mesh *mesh, const char *style);
/* The faces of a 2D mesh; a solid is filled by the even-odd rule. */
void panel_faces(panel *p, const story_faces *faces, const char *style);
/* A polygon, a line or a dot; the points in order. */
void panel_points(panel *p, const graze_vec *points, size_t count, const char *style);
void panel_line(panel *p, graze_vec from, graze_vec to, const char *style);
void panel_arrow(panel *p, graze_vec from, graze_vec to, const char *style);
void panel_dot(panel *p, graze_vec at, double radius, const char *style);
/* The line of the points x with direction·x = value. */
void panel_plane(panel *p, graze_vec direction, double value, const char *style);
/* A cross at the origin. */
void panel_origin(panel *p, double arm);
void panel_add_obstacle(panel *p, svg_box box, double weight);
void panel_add_line_obstacle(panel *p, svg_point from, svg_point to, double weight);
/* The place beside `at` where a box covers least; `toward` is the preferred side. */
svg_point panel_beside(const panel *p, svg_point at, svg_point toward, double width, double height);
/* A label there, with a text of emit(). */
void panel_label(panel *p, svg_point at, svg_point toward, double type, const char *style, const char *format, ...);
/* A name inside a shape: at one of the places, preferably the first, or beside it if all are covered. */
void panel_name(panel *p, const svg_point *places, size_t count, const char *style, const char *text);

/* ---- The parts of a picture, from top to bottom. Each appends to `out` and moves `top` below itself. */

enum { PICTURE_WIDTH = 720, PICTURE_EDGE = 12, PICTURE_MARGIN = 22 };

typedef struct picture {
  cli_text *out;
  const story *s;
  double top;
} picture;

/* ---- picture.c */

/* A panel of the world and one of A - B; `pic->top` is then below both. Half-spaces extend the bounds. The scales are
 * equal, unless one panel would become much smaller. */
void picture_two_panels(picture *pic, bounds *world, bounds *difference, double margin, const char *title, panel *p,
                        panel *q);
/* A panel of the world alone. */
void picture_one_panel(picture *pic, bounds *world, panel *p);
/* Lines of text, wrapped; the first in a style. */
void picture_lines(picture *pic, const cli_text *lines, const char *style);

/* The shapes in the world, and A - B with the origin and the support points. */
void picture_views(picture *pic);
/* The name of a body, in it or beside it. */
void picture_name(panel *p, const story_mesh *mesh, const char *style, const char *name);
/* A name in or beside the drawn faces of a mesh, or the other body. */
void picture_name_body(panel *p, const story_body *body, const char *style, const char *name);
/* A ray, from its origin beyond the last face that it hits, and these hits. */
void picture_ray(panel *p, const story_ray *ray);
void picture_bounds_of_ray(bounds *seen, const story_ray *ray);
/* Both bodies with all faces and with the deciding part in strong colour; the other parts of compounds, faint. */
void picture_bodies(panel *p, const story *s, const char *style_of_b);
void picture_bounds_of_bodies(bounds *seen, const story *s);
graze_vec picture_middle(const story_mesh *mesh);
graze_vec picture_extreme(const story_mesh *mesh, double sign); /* the highest (1) or lowest (-1) point */

/* ---- picture_steps.c: a drawing of each step, and the projections on each separating axis */

/* Long runs show their first and last steps. */
enum { PICTURE_CELLS = 12 };
bool picture_shows_step(const story *s, size_t k);
void picture_simplex(panel *p, const graze_trace_step *step);
void picture_steps(picture *pic);
void picture_axes(picture *pic);

/* ---- picture_motion.c: a cast in the world, its relative path, and the time bar */

void picture_motion(picture *pic);

#endif
