/* A request: one query line, parsed into shapes, poses, motions and options. */
#ifndef GRAZE_CLI_QUERIES_H
#define GRAZE_CLI_QUERIES_H

#include "json.h"
#include "text.h"

#include <graze/build.h>
#include <graze/compare.h>
#include <graze/mesh.h>

/* ---- body.c: placed shapes */

/* A placed shape, and the memory it owns. */
typedef struct cli_body {
  graze_placed placed;
  const graze_vec *vertices; /* referenced by placed.shape, or those of the mesh */
  size_t vertex_count;
  bool angle_given; /* 2D: the rotation was an angle; answers echo its half-angle pair */
  bool concave;     /* a polygon that is not yet decomposed into a compound; `placed` is the hull of its outline */
  graze_ring *holes;
  size_t hole_count;
  struct cli_body *parts; /* the parts of a compound as they were read; a decomposed polygon has none */
  size_t part_count;
  graze_compound *compound;
  const graze_mesh *mesh; /* own_mesh, or that of the model; NULL: the shape is no mesh */
  graze_mesh *own_mesh;
  struct cli_model *model;
  bool must_be_solid; /* the mesh has "solid":true, which cli_check_solid() checks */
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

/* Reads a placed shape. `name` is its name in messages; models NULL: no model files. False: see error; nothing is to be
 * freed. */
bool cli_body_read(json_t *value, const char *name, int dim, cli_use use, cli_models *models, cli_body *body,
                   cli_error *error);
void cli_body_free(cli_body *body);
/* The radius around the core, with the margin. */
double cli_radius(const graze_shape *shape);
/* Returns whether the shape is a compound, a polygon that is to be decomposed, or a mesh, whose parts are its faces. */
bool cli_has_parts(const cli_body *body);
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

/* ---- mesh.c */

/* Reads the keys of a mesh, except its pose and margin, and creates the mesh. */
bool cli_mesh_read(const cli_object *o, int dim, cli_models *models, cli_body *body);

/* ---- request.c */

typedef enum cli_query {
  CLI_INTERSECT,
  CLI_DISTANCE,
  CLI_PENETRATION,
  CLI_OBB,
  CLI_MANIFOLD,
  CLI_MINKOWSKI,
  CLI_SHAPECAST,
  CLI_TOI,
  CLI_RAYCAST,
  CLI_AABB,
  CLI_HULL,
  CLI_FIT_BOX,
  CLI_CONVEXITY,
  CLI_DECOMPOSE
} cli_query;

/* The algorithms; those of compare.h are for comparison. */
typedef enum cli_method {
  CLI_METHOD_AUTO,
  CLI_METHOD_GJK,
  CLI_METHOD_EXACT,
  CLI_METHOD_SAT, /* compare.h */
  CLI_METHOD_EPA,
  CLI_METHOD_BRUTE, /* compare.h */
  CLI_METHOD_FCCD,
  CLI_METHOD_SWEEP,
  CLI_METHOD_LCCD, /* compare.h */
  CLI_METHOD_CA,
  CLI_METHOD_DISCRETE, /* compare.h */
  CLI_METHOD_COUNT
} cli_method;

/* Query only these bounding boxes of the shapes. */
typedef enum cli_filter { CLI_FILTER_NONE, CLI_FILTER_AABB, CLI_FILTER_OBB } cli_filter;

/* The motions of A and B. For a ray, B is its point, and the velocity of B its direction. */
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
  cli_method method;
  graze_options options;   /* of queries at rest */
  graze_cast_options cast; /* of raycast, shapecast and toi */
  int samples;             /* of method discrete */
  cli_filter filter;
  bool certificate, proof, trace;
  bool full;                 /* manifold: the whole contact polygon */
  graze_minkowski_of of;     /* minkowski */
  graze_effort effort;       /* fit_box */
  graze_splitting splitting; /* decompose */
} cli_request;

/* The maximum number of proofs of an answer: its line must not be longer than a line that is read. */
enum { CLI_MAX_PROOFS = 1 << 16, CLI_MAX_NODES = 1 << 22, CLI_MAX_STEPS = 1 << 16 };

/* Parses a line. False: see error; only `id` is set. Otherwise the caller frees the request. */
bool cli_request_read(const cli_line *line, cli_request *request, cli_error *error);
void cli_request_free(cli_request *request);
const char *cli_query_text(cli_query query);
bool cli_query_has_distance(cli_query query);  /* the answer contains the signed distance and its interval */
bool cli_query_has_one_shape(cli_query query); /* only `a` */
bool cli_query_has_motion(cli_query query);
/* Returns whether a body rotates. */
bool cli_turns(const cli_motion *motion);
const char *cli_method_text(cli_method method);
/* Returns whether queries of this kind have the method. */
bool cli_set_method(cli_request *request, cli_method method);
extern const char *const cli_splittings[];

/* Appends the queries, methods and shapes, from the tables that the parser uses. */
void cli_print_queries(cli_text *text);

#endif
