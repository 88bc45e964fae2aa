/* A request: one query line, parsed into shapes, poses, motions and options. */
#ifndef GRAZE_CLI_REQUEST_H
#define GRAZE_CLI_REQUEST_H

#include "body.h"
#include "json.h"

#include <graze/compare.h>

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
  CLI_METHOD_DISCRETE /* compare.h */
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

/* The maximum number of pairs of parts, and of steps of a sweep, whose proofs an answer contains: an answer line must
 * not be longer than a line that is read. */
enum { CLI_MAX_PROOFS = 1 << 16, CLI_MAX_STEPS = 1 << 16 };

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
extern const char *const cli_splittings[];

/* Appends the queries, methods and shapes, from the tables that the parser uses. */
void cli_print_queries(cli_text *text);
/* Reports the status of a query; always returns false. */
bool cli_reject_status(const cli_request *r, graze_status status, cli_error *error);

#endif
