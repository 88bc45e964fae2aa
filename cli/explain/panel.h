/* A drawing within a picture: the world, or the difference, with y going up; and words in it, placed where there is
 * room. */
#ifndef GRAZE_CLI_PANEL_H
#define GRAZE_CLI_PANEL_H

#include "explain/story.h"
#include "explain/svg.h"

/* What has to be seen. Zero it to begin. */
typedef struct panel_bounds {
  graze_vec low, high;
  bool any;
} panel_bounds;

/* What is not finite has no place. */
void panel_see(panel_bounds *bounds, graze_vec point);
/* The points of a mesh; of a half-space none. */
void panel_see_mesh(panel_bounds *bounds, const story_mesh *mesh);
/* Of a half-space the place on its border that is nearest to what is seen already, and some of its inside. */
void panel_see_border(panel_bounds *bounds, const story_mesh *mesh);

enum { PANEL_MOST_TAKEN = 1024 };

typedef struct panel {
  cli_text *out;
  svg_box box;
  graze_vec middle;                /* what is shown there … */
  double unit, pixels;             /* … and how large: `unit` becomes so many pixels */
  svg_box taken[PANEL_MOST_TAKEN]; /* where something is drawn already */
  double weight[PANEL_MOST_TAKEN]; /* and how bad it is to write there */
  size_t taken_count;
  double inside; /* how bad it is to write inside a shape */
} panel;

/* Fits what is to be seen into the box, `margin` pixels from its edges. */
void panel_fit(panel *p, cli_text *out, const panel_bounds *bounds, svg_box box, double margin_x, double margin_y);
/* How high a panel has to be for that, when it is as wide as the box. */
double panel_height(const panel_bounds *bounds, double width, double margin_x, double margin_y);
/* Gives both the same scale, unless one of them would become much smaller by it. */
void panel_share_scale(panel *p, panel *q);

/* Never outside the box. */
svg_point panel_at(const panel *p, graze_vec point);
/* A direction as it is drawn, of length 1; 0 where it has none. */
svg_point panel_along(graze_vec direction);

void panel_mesh(panel *p, const story_mesh *mesh, const char *style);
/* A polygon, line or dot: points in order. */
void panel_points(panel *p, const graze_vec *points, size_t count, const char *style);
void panel_line(panel *p, graze_vec from, graze_vec to, const char *style);
void panel_arrow(panel *p, graze_vec from, graze_vec to, const char *style);
void panel_dot(panel *p, graze_vec at, double radius, const char *style);
/* The line of the points x with direction·x = value, as far as the panel goes. */
void panel_across(panel *p, graze_vec direction, double value, const char *style);
/* The origin, as a cross of so many pixels. */
void panel_origin(panel *p, double arm);

/* Where something of this size hides least, beside a place; `toward` is where it would rather be. */
svg_point panel_beside(const panel *p, svg_point at, svg_point toward, double width, double height);
/* Words there. */
void panel_label(panel *p, svg_point at, svg_point toward, double type, const char *style, const char *text);
/* Words on one of some places, rather the first; beside that where all are taken. */
void panel_name(panel *p, const svg_point *places, size_t count, const char *style, const char *text);
/* Remembers that something is drawn there, and how bad it is to write over it. */
void panel_take(panel *p, svg_box box, double weight);
void panel_take_line(panel *p, svg_point from, svg_point to, double weight);
/* The inside of a convex outline. */
void panel_take_inside(panel *p, const svg_point *points, size_t count);

#endif
