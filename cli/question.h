/* A question: one line of the text form, read into shapes, poses and options. */
#ifndef GRAZE_CLI_QUESTION_H
#define GRAZE_CLI_QUESTION_H

#include "json.h"
#include "lines.h"

#include <graze/build.h>

typedef enum cli_query {
  CLI_INTERSECT,
  CLI_DISTANCE,
  CLI_PENETRATION,
  CLI_OBB,
  CLI_MANIFOLD,
  CLI_MINKOWSKI,
  CLI_SHAPECAST,
  CLI_TOI,
  CLI_RAYCAST, /* from here on about one shape */
  CLI_AABB,
  CLI_HULL,
  CLI_FIT_BOX,
  CLI_CONVEXITY,
  CLI_DECOMPOSE
} cli_query;

/* Only these boxes of the shapes are asked about. */
typedef enum cli_filter { CLI_FILTER_NONE, CLI_FILTER_AABB, CLI_FILTER_OBB } cli_filter;

/* A placed shape, and what it owns. */
typedef struct cli_body {
  graze_placed placed;
  graze_vec *vertices; /* placed.shape points to them */
  size_t vertex_count;
  bool angle_given; /* 2D: the rotation came as an angle, and answers echo its half-angle pair */
  bool concave;     /* a polygon that is still to be made a compound; until then `placed` is the hull of its outline */
  graze_ring *holes;
  size_t hole_count;
  struct cli_body *parts; /* of a compound, as they were read; a decomposed polygon has none */
  size_t part_count;
  graze_compound *compound;
} cli_body;

/* What a body is read for. */
typedef enum cli_use {
  CLI_USE_SHAPE,
  CLI_USE_PART,    /* of a compound */
  CLI_USE_BOUNDS,  /* a concave polygon will do */
  CLI_USE_POINTS,  /* only its vertices, in its own frame */
  CLI_USE_OUTLINE, /* a polygon, in its own frame, whatever is wrong with it */
  CLI_USE_RINGS    /* the same, with holes */
} cli_use;

/* The most parts of a compound, and the most pairs of parts, and steps of a sweep, whose proofs fit into an answer: its
 * line must not be longer than those that are read. */
enum { CLI_MOST_PARTS = 1 << 17, CLI_MAX_PROOFS = 1 << 16, CLI_MOST_STEPS = 1 << 16 };

/* What moves. Of a ray, B is its point, and its direction the velocity of B. */
typedef struct cli_motion {
  graze_motion a, b;
  double t_max; /* INFINITY: unbounded */
} cli_motion;

typedef struct cli_request {
  cli_span id; /* within the line */
  cli_query query;
  int dim;
  cli_body a, b;
  cli_motion motion; /* shapecast, toi, raycast */
  graze_options options;
  cli_filter filter;
  bool certificate, proof, trace;
  bool full;                 /* manifold: the whole polygon */
  graze_minkowski_of of;     /* minkowski */
  graze_effort effort;       /* fit_box */
  graze_splitting splitting; /* decompose */
} cli_request;

/* Reads a line; what it does not say remains as in `defaults`. False: complaint says why, and only `id` is set.
 * Otherwise end with cli_request_free(). */
bool cli_request_read(const cli_line *line, const graze_options *defaults, cli_request *question,
                       cli_error *complaint);
void cli_request_free(cli_request *question);

const char *cli_query_text(cli_query query);
/* Is the signed distance, with its interval, part of the answer? */
bool cli_query_has_distance(cli_query query);
const char *cli_method_text(graze_method method);
bool cli_method_of(const char *word, graze_method *method);

/* Is it about one shape, `a`? */
bool cli_query_has_one_shape(cli_query query);
/* Do shapes move? */
bool cli_query_has_motion(cli_query query);
/* Does either body turn on its way? */
bool cli_turns(const cli_motion *motion);

/* Made of parts, or a polygon that is or will be? */
bool cli_is_compound(const cli_body *body);

/* Reads what moves, and places the point of a ray. The other options of the question must have been read. */
bool cli_read_motion(const json_t *root, cli_request *question, cli_error *complaint);
/* When all has been read: is it only such bodies that turn as can be asked about? */
bool cli_check_turning(const json_t *root, const cli_request *question, cli_error *complaint);

/* Reads a placed shape. `owner` is its name in messages. */
bool cli_body_read(json_t *value, const char *owner, int dim, cli_use use, cli_body *body, cli_error *complaint);
/* The key of placed shapes that is this word, or that is meant by it: `angle`, `size`. NULL: none. */
const char *cli_shape_key(const char *word);
/* The compound in the place, and with the margin, that were read for the body; it takes it over. */
void cli_body_take(cli_body *body, graze_compound *compound);
void cli_body_free(cli_body *body);

/* Lists within a body. What they have read, cli_body_free() gives back, whatever comes. */
bool cli_read_parts(const json_t *list, const char *owner, int dim, cli_body *body, cli_error *complaint);
bool cli_read_points(const json_t *list, const char *owner, const char *key, int dim, size_t least, graze_vec **points,
                     size_t *count, cli_error *complaint);
bool cli_read_holes(const json_t *list, const char *owner, cli_body *body, cli_error *complaint);
/* The parts that were read, as one shape. */
bool cli_join_parts(const char *owner, cli_body *body, cli_error *complaint);

#endif
