/* The parts of a picture, from top to bottom. Each adds to `out` and moves `top` to below itself. */
#ifndef GRAZE_CLI_PICTURE_H
#define GRAZE_CLI_PICTURE_H

#include "explain/panel.h"
#include "explain/words.h"

enum { PICTURE_WIDTH = 720, PICTURE_EDGE = 12, PICTURE_LINE = 23 };

typedef struct picture {
  cli_text *out;
  const story *s;
  double top;
} picture;

/* The style sheet: light, and dark where that is preferred. */
void picture_style(cli_text *out);

/* Numbers and the like, as a string that stands until the next use of `text`. Where that has no memory, `out` fails. */
const char *picture_number(cli_text *out, cli_text *text, double value);
const char *picture_vec(cli_text *out, cli_text *text, graze_vec v);
/* Ends what was added since the text was emptied. */
const char *picture_string(cli_text *out, cli_text *text);

/* The titles, and two panels below them; where those end. */
double picture_fit_views(picture *pic, const panel_bounds *world, const panel_bounds *difference, double beside,
                         panel *p, panel *q);

/* A motion: both views, and the time bar. */
void picture_motion(picture *pic);
void picture_bar(picture *pic);
/* The name of a body: inside, or beside it. */
void picture_name(panel *p, const story_mesh *mesh, const char *style, const char *name);

/* The two shapes, where they are. */
void picture_see_world(panel_bounds *bounds, const story *s);
void picture_world(panel *p, const story *s);

/* The difference, the origin, and the points that were found. */
bool picture_has_difference(const story *s);
void picture_see_difference(panel_bounds *bounds, const story *s);
void picture_difference(panel *p, const story *s);

/* Which steps are shown: of many the first and the last ones. */
enum { PICTURE_CELLS = 12, PICTURE_FIRST = 7, PICTURE_LAST = 4 };
bool picture_shows_step(const story *s, size_t k);
/* A step's simplex, where it is more than a point. */
void picture_simplex(panel *p, const graze_trace_step *step);
void picture_steps(picture *pic);

/* The projections on each separating axis. */
void picture_axes(picture *pic);

/* Why each search stopped, and what it all means, a sentence a line; and how they are written, the first in a style. */
void picture_gather_stops(cli_text *stops, const story *s);
void picture_gather_words(cli_text *words, const story *s);
/* Takes the first line off a text that is not empty: its size. The rest begins at `next`. */
size_t picture_line(const char *text, const char *end, const char **next);
void picture_words(picture *pic, const cli_text *words, const char *style);

/* The other parts of a compound, faintly. */
void picture_others(panel *p, const story_body *body, const char *style);

#endif
