/* A drawing within a picture, with y pointing up, and the placement of its labels where they cover least. */
#ifndef GRAZE_CLI_PANEL_H
#define GRAZE_CLI_PANEL_H

#include "explain/geometry.h"
#include "explain/svg.h"

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
/* Sets equal scales, unless one panel would become much smaller. */
void panel_share_scale(panel *p, panel *q);

/* The place of a point, clamped to the box. */
svg_point panel_at(const panel *p, graze_vec point);
/* A direction in the picture, of length 1 or 0. */
svg_point panel_direction(graze_vec direction);

void panel_mesh(panel *p, const story_mesh *mesh, const char *style);
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

#endif
