/* The story of one query: what was asked, every step that the searches took, what came out, why it holds, and what to
 * draw of it. It is recorded once, from the trace; text, pictures, pages and JSON only show it and compute nothing of
 * their own. */
#ifndef GRAZE_CLI_STORY_H
#define GRAZE_CLI_STORY_H

#include "pair.h"

/* What is drawn of a convex set, in the world or among differences. Of curved sets it is inscribed. */
typedef enum story_mesh_kind {
  STORY_MESH_NONE = 0,
  STORY_MESH_SOLID, /* the hull of the points */
  STORY_MESH_PLANE  /* a half-space: points[0] is on its border, points[1] its outward unit normal */
} story_mesh_kind;

typedef struct story_mesh {
  story_mesh_kind kind;
  bool smooth;       /* inscribed in something curved */
  graze_vec *points; /* a polygon, in 2D and 3D: in order around it, in 2D counter-clockwise; a solid: any order */
  size_t point_count;
  int32_t (*triangles)[3]; /* 3D, counter-clockwise from outside; none of a segment or point */
  size_t triangle_count;
  int32_t (*edges)[2]; /* 3D: the edges to be seen; of what is smooth only sharp ones */
  size_t edge_count;
} story_mesh;

/* Of a compound of more parts only the one that decides is drawn. */
enum { STORY_MOST_PARTS = 300 };

/* One of the two shapes, or the part of it that decides. */
typedef struct story_body {
  const graze_placed *whole; /* as asked about */
  graze_placed placed;       /* the part, or the same */
  graze_pose frame;          /* of a part: where the compound stands */
  bool is_part;
  int32_t part; /* its index */
  story_mesh mesh;
  story_mesh *others; /* the other parts; none where they are too many to be drawn */
  size_t other_count;
} story_body;

/* The points of the difference of the cores that the trace and the certificate name, each once. */
typedef struct story_point {
  graze_pair pair;
  graze_vec a, b; /* its parents in the world … */
  graze_vec at;   /* … and a - b, as the trace has it */
} story_point;

/* What the certificate shows, evaluated. Where not known, numbers are NaN and counts 0. */
typedef struct story_evidence {
  graze_status verdict;    /* of graze_verify() */
  graze_vec direction;     /* of the certificate: unit, from A to B, rounded for showing */
  double reach_a, begin_b; /* max d·a over A, min d·b over B, radii and clearance included; rounded */
  double lower, upper; /* the best bounds of the signed distance that the certificate proves: the tightest doubles for
                          which the verifier, exactly, still says so */
  int count;           /* the pairs of the certificate … */
  int32_t points[6];   /* … as indices of story::points … */
  double weights[6];   /* … and how they make up the point of their hull nearest the origin (sum 1), rounded */
  graze_vec nearest;   /* that point */
  int32_t face;        /* of the surface, the face (2D: edge) nearest the origin; -1: none */
} story_evidence;

typedef struct story {
  cli_request *question;
  cli_span line; /* the question as it was given */
  cli_pair_result finding;
  int dim;
  double radius; /* r: both radii, margins, and the clearance: the distance is that of the cores minus r */
  story_body a, b;
  story_mesh core, cso; /* the difference of the cores, where the searches walk; A - B itself where r > 0, else NONE */
  story_point *points;
  size_t point_count, point_capacity;
  int best_axis;       /* index into finding.trace.axes, where the query is about separating axes; -1: none */
  bool holds_origin;   /* minkowski */
  graze_vec *vertices; /* minkowski: of the set, with their parents */
  graze_pair *pairs;
  size_t vertex_count;
  story_evidence evidence;
  struct story_motion *motion; /* of motions, explain/motion.h; the finding is then how they start. Else NULL */
  bool failed;                 /* memory ran out while it was made */
} story;

/* Asks, and records. False: the complaint says why there is no answer. Otherwise end with story_free(). The question
 * must outlive the story. */
bool story_make(cli_request *question, cli_span line, cli_buffer *room, story *s, cli_error *complaint);
void story_free(story *s);

/* Is it of compounds? And how many pairs of parts are there: of two that are none, one. */
bool story_has_parts(const story *s);
size_t story_pair_count(const story *s);

/* The index of a point that was named, or -1. */
int32_t story_find(const story *s, const graze_pair *pair);

/* Did the step find a point? The exact search has steps that only look at the simplex they were given. */
bool story_has_point(const graze_trace_step *step);

/* The ways to show it. Each adds to `out`. */
void story_print_text(cli_text *out, const story *s);
void story_print_json(cli_text *out, const story *s); /* one object, no line break */
void story_print_svg(cli_text *out, const story *s);  /* 2D only */
void story_print_html(cli_text *out, const story *s);

/* Each makes a mesh, or leaves it NONE where there is nothing to draw. False: memory ran out. End with mesh_free(). */

/* The hull of points. */
bool mesh_of_points(const graze_vec *points, size_t count, int dim, bool smooth, story_mesh *mesh);
/* Points in the world of which the hull is drawn for a body that is no half-space, to be freed; *smooth: they are
 * inscribed in something curved. NULL: memory ran out. */
graze_vec *mesh_points(const story_body *body, size_t *count, bool *smooth);
/* A body in the world. */
bool mesh_of_body(const story_body *body, story_mesh *mesh);
/* A - B, of the cores, and with all radii; `s` has its bodies and points by now. */
bool mesh_of_difference(const story *s, story_mesh *core, story_mesh *cso);

void mesh_free(story_mesh *mesh);

#endif
