/* The parts of the SVG picture, from top to bottom. Each appends to `out` and moves `top` below itself. */
#ifndef GRAZE_CLI_PICTURE_H
#define GRAZE_CLI_PICTURE_H

#include "explain/panel.h"

enum { PICTURE_WIDTH = 720, PICTURE_EDGE = 12, PICTURE_MARGIN = 22 };

typedef struct picture {
  cli_text *out;
  const story *s;
  double top;
} picture;

/* ---- picture_page.c: titles, panels side by side, and wrapped lines */

/* A panel of the world and one of A - B, with equal scales; `pic->top` is then below both. */
void picture_two_panels(picture *pic, const bounds *world, const bounds *difference, double margin, const char *title,
                        panel *p, panel *q);
/* Lines of text, wrapped; the first in a style. */
void picture_lines(picture *pic, const cli_text *lines, const char *style);

/* ---- picture_views.c: the shapes in the world, and A - B with the origin and the support points */

void picture_views(picture *pic);
/* The name of a body, in it or beside it. */
void picture_name(panel *p, const story_mesh *mesh, const char *style, const char *name);
/* Both bodies, and the other parts of compounds, faint. */
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
