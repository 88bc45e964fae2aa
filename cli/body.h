/* A placed shape of a query line. */
#ifndef GRAZE_CLI_BODY_H
#define GRAZE_CLI_BODY_H

#include "json.h"
#include "text.h"

#include <graze/build.h>

/* A placed shape, and the memory it owns. */
typedef struct cli_body {
  graze_placed placed;
  graze_vec *vertices; /* referenced by placed.shape */
  size_t vertex_count;
  bool angle_given; /* 2D: the rotation was an angle; answers echo its half-angle pair */
  bool concave;     /* a polygon that is not yet decomposed into a compound; `placed` is the hull of its outline */
  graze_ring *holes;
  size_t hole_count;
  struct cli_body *parts; /* the parts of a compound as they were read; a decomposed polygon has none */
  size_t part_count;
  graze_compound *compound;
} cli_body;

/* The purpose of a body: it decides which types and keys are accepted. */
typedef enum cli_use {
  CLI_USE_SHAPE,
  CLI_USE_PART,    /* of a compound */
  CLI_USE_BOUNDS,  /* concave polygons are accepted */
  CLI_USE_POINTS,  /* only the vertices, in the body frame */
  CLI_USE_OUTLINE, /* a polygon in the body frame, valid or not */
  CLI_USE_RINGS    /* the same, with holes */
} cli_use;

/* Reads a placed shape. `name` is its name in messages. False: see error; nothing is to be freed. */
bool cli_body_read(json_t *value, const char *name, int dim, cli_use use, cli_body *body, cli_error *error);
void cli_body_free(cli_body *body);
/* Returns whether the shape is a compound, or a polygon that is to be decomposed. */
bool cli_is_compound(const cli_body *body);
/* Returns whether the shape is an ellipsoid, a cylinder or a cone, or has such a part. */
bool cli_body_is_curved(const cli_body *body);
/* Returns whether the word is a key of placed shapes, or a synonym of one. */
bool cli_is_shape_key(const char *word);
/* Reads w, x, y, z; in 2D an angle, or w, z. *angle receives the angle; it is unchanged if there is none. */
bool cli_read_rotation(const json_t *value, const char *owner, int dim, graze_pose *pose, double *angle,
                       cli_error *error);
/* Makes the compound the shape of the body, with the pose and margin that were read, and takes ownership. */
void cli_body_set_compound(cli_body *body, graze_compound *compound);
/* Appends the types of shapes and their keys, from the tables that the parser uses. */
void cli_print_shapes(cli_text *text);

#endif
