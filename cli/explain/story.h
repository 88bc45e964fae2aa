/* The record of one explained query: the query, the trace of its run, the answer, the evaluated certificate, and the
 * meshes to draw. It is filled once; text, SVG, HTML and JSON only format it. */
#ifndef GRAZE_CLI_STORY_H
#define GRAZE_CLI_STORY_H

#include "answers.h"
#include "vec.h"

/* ---- Meshes, of bodies in the world or of the Minkowski difference. Curved sets are drawn by inscribed points. */

typedef enum story_mesh_kind {
  STORY_MESH_NONE = 0,
  STORY_MESH_SOLID, /* the convex hull of the points */
  STORY_MESH_PLANE  /* a half-space: points[0] is on its boundary, points[1] is its outward unit normal */
} story_mesh_kind;

typedef struct story_mesh {
  story_mesh_kind kind;
  bool smooth;       /* inscribed in a curved set */
  graze_vec *points; /* in order around a polygon (2D: counter-clockwise); unordered for a solid */
  size_t point_count;
  int32_t (*triangles)[3]; /* 3D, counter-clockwise from outside; none for a segment or a point */
  size_t triangle_count;
  int32_t (*edges)[2]; /* 3D: the visible edges; a smooth mesh has only its sharp ones */
  size_t edge_count;
} story_mesh;

/* A compound with more parts is drawn by its deciding part only. If a mesh has more faces, those nearest the
 * deciding face are drawn. */
enum { STORY_MAX_PARTS = 300, STORY_MAX_FACES = 2000, STORY_MAX_DOTS = 800 };

/* The drawn faces of a mesh, in the world. */
typedef struct story_faces {
  size_t total, count; /* the faces of the mesh, and the drawn ones; 0: the body is no mesh */
  graze_vec *points;
  size_t point_count;
  int32_t *corners; /* dim indices of points for each drawn face */
  bool solid;       /* all faces of a solid are drawn */
  graze_vec *dots;  /* some vertices of the whole mesh, if not all faces are drawn */
  size_t dot_count;
} story_faces;

/* Body A or B, or its deciding part. If a ray decides that a mesh contains the other body or is inside it, the mesh has
 * no deciding face: `placed` is then the whole, and `mesh` NONE. */
typedef struct story_body {
  const graze_placed *whole; /* as in the query */
  graze_placed placed;       /* the part, or a copy of the whole */
  graze_frame frame;         /* of the part */
  int32_t part;              /* its index; -1: the body has no parts, or none of them decides */
  const char *part_word;     /* part, or triangle or edge of a mesh */
  story_mesh mesh;
  story_mesh *others; /* the other parts of a compound; none if there are more than STORY_MAX_PARTS */
  size_t other_count;
  story_faces faces; /* of a mesh */
} story_body;

/* A ray, and the faces of a mesh that it hits: the ray of a query, or one that shows that its origin is inside. */
typedef struct story_hit {
  int32_t face;
  double t;
  graze_vec at;
} story_hit;

typedef struct story_ray {
  const story_body *target; /* the mesh; NULL: there is no ray */
  graze_vec origin, direction;
  story_hit *hits; /* by t */
  size_t count, capacity;
  bool failed; /* out of memory */
} story_ray;

/* A point of the Minkowski difference of the cores that the trace or the certificate names. Each is stored once. */
typedef struct story_point {
  graze_cso_point w;
  graze_vec a, b; /* the two points in the world */
} story_point;

/* The certificate, evaluated. Unknown numbers are NaN, unknown counts 0. */
typedef struct story_evidence {
  graze_status verdict; /* of the verifier; for a cast of compounds, about the deciding pair of parts */
  graze_vec direction;  /* unit, from A to B, rounded for display; zero if there is none */
  double max_a, min_b;  /* max d·a over A, min d·b over B (casts: at t = 0), radii and clearance included; rounded */
  double lower, upper;  /* the tightest doubles that the verifier accepts as bounds of the signed distance */
  int count;            /* the pairs of the certificate, as indices of story::points */
  int32_t points[6];
  double weights[6]; /* convex weights of the point of their hull nearest the origin, rounded */
  graze_vec nearest; /* that point */
  int32_t face;      /* the face (2D: edge) of the depth surface nearest the origin; -1: none */
  /* Casts only. */
  double closing;    /* the speed at which the gap along d closes, -d·u; rounded */
  double free_until; /* the last double until which the verifier accepts that the direction proves no contact */
  double gap;        /* the greatest lower bound of the gap along d until then that the verifier accepts */
  double near_upper; /* clear: the least upper bound of the minimum distance that the verifier accepts */
} story_evidence;

/* ---- Motion. Relative to A, body B moves by u = v_B - v_A. Bodies that do not turn are in contact at time t exactly
 * if t·u lies in A - B at t = 0. A - B is held fixed, and t·u is the relative path. If bodies turn, A - B changes with
 * time, and the path is that of the positions. Theory: docs/theory/cast.md. */

enum { MOTION_SAMPLES = 16, MOTION_MAX_MOMENTS = MOTION_SAMPLES + 1, MOTION_TRAIL = 7 };

typedef enum motion_state {
  MOTION_FREE = 1,  /* no contact: proved */
  MOTION_UNDECIDED, /* contains the first contact, if there is one */
  MOTION_MET        /* after the first contact */
} motion_state;

typedef struct motion_span {
  double from, to;
  motion_state state;
} motion_span;

/* The configuration at one time, rounded. */
typedef struct motion_moment {
  double t;
  bool sampled;
  graze_relation relation; /* of graze_intersect(), if sampled; 0: none */
  graze_pose a, b;
  graze_vec at;         /* t·u */
  story_mesh core, cso; /* if bodies turn: A - B at t. Large meshes are stored for the key moment only */
} motion_moment;

typedef struct story_motion {
  graze_motion a, b;
  graze_vec u;     /* v_B - v_A, rounded */
  bool ray, turns; /* a ray: B is its point */
  bool sweep;      /* no single direction proves the free time; steps do, if anything does */
  double t_max;    /* of the query; INFINITY: unbounded */
  double t_end;    /* the end of the time bar: t_max, or a time after all events */
  double t_key;    /* the time of contact, or of the minimum distance; 0 if neither is known */
  double t_drawn;  /* the end of the drawn path */
  graze_cast_result cast;
  graze_certificate certificate;
  motion_span spans[3];
  int span_count;
  motion_moment moments[MOTION_MAX_MOMENTS]; /* by time */
  int moment_count, key;                     /* key: the moment at t_key */
  story_evidence evidence;
  story_mesh at_key[2];              /* A and B at t_key */
  story_faces faces_at_key[2];       /* 2D */
  story_mesh swept[2];               /* 2D, without turning: the area that A and B sweep until t_drawn */
  story_mesh trail[2][MOTION_TRAIL]; /* 2D, with turning: A and B at intermediate times */
} story_motion;

typedef struct story {
  cli_request *request;
  cli_span line; /* the query as given */
  cli_pair_result finding;
  int dim;
  double radius; /* r: both radii, margins and the clearance. The distance is that of the cores minus r */
  story_body a, b;
  bool of_parts;     /* a pair of parts decides */
  graze_answer pair; /* that of these as a pair of their own, to which the trace belongs; otherwise the answer */
  size_t tested;     /* the number of pairs of parts that the search through the trees tested */
  story_ray ray;
  story_mesh core, cso; /* the Minkowski difference of the cores; if r > 0 also that of the shapes, else NONE */
  story_point *points;
  size_t point_count, point_capacity;
  int best_axis; /* index into finding.trace.axes; -1: no axes were tested */
  cli_cso set;   /* minkowski */
  story_evidence evidence;
  story_motion *motion; /* casts only, else NULL; `finding` is then the relation at t = 0 */
  bool failed;          /* out of memory */
} story;

static inline const graze_answer *story_answer(const story *s) { return &s->finding.answer; }
static inline const graze_certificate *story_certificate(const story *s) { return &s->finding.certificate; }
static inline double story_clearance(const story *s) { return s->request->options.clearance; }
/* A point of one body is inside the other, a solid mesh, and no pair of parts overlaps. */
static inline bool story_is_contained(const story *s) {
  const graze_certificate_kind kind = story_certificate(s)->kind;
  return kind == GRAZE_CERTIFICATE_IN_A || kind == GRAZE_CERTIFICATE_IN_B;
}

/* The number of pairs of parts. */
static inline size_t story_pair_count(const story *s) {
  return graze_part_count(&s->request->a.placed) * graze_part_count(&s->request->b.placed);
}

/* Whether the certificate of a cast is that of one pair of several. */
static inline bool story_is_of_one_pair(const story *s) {
  return s->motion != NULL && s->of_parts && !story_is_contained(s) && story_pair_count(s) > 1;
}
/* The depth of a solid mesh: the interval is not that of the deciding pair. */
static inline bool story_is_nonconvex(const story *s) { return story_answer(s)->stopped == GRAZE_STOP_NONCONVEX; }

/* ---- record.c */

/* Runs a request and records its story, which refers to it. False: see error; else end with story_free(). */
bool story_make(cli_request *request, cli_span line, cli_buffer *buffer, story *s, cli_error *error);
void story_free(story *s);

/* ---- geometry.c: meshes. False: out of memory. A mesh stays NONE if there is nothing to draw. */

/* The convex hull of points. */
bool mesh_of_points(const graze_vec *points, size_t count, int dim, bool smooth, story_mesh *mesh);
/* Points whose convex hull draws a bounded body; *smooth: they are inscribed in it. NULL: out of memory. Free them. */
graze_vec *mesh_points(const story_body *body, size_t *count, bool *smooth);
/* A body in the world. */
bool mesh_of_body(const story_body *body, story_mesh *mesh);
/* The Minkowski difference of the cores, and that of the shapes. The bodies and points of `s` must be set. */
bool mesh_of_difference(const story *s, story_mesh *core, story_mesh *cso);
void mesh_free(story_mesh *mesh);

/* ---- faces.c. False: out of memory. */

/* The faces of a mesh. If they are too many, those that the ray hits (NULL: none), and those nearest a point of the
 * world. */
bool faces_of_body(const story_body *body, const graze_mesh *mesh, graze_vec near, const story_ray *ray,
                   story_faces *faces);
void faces_free(story_faces *faces);
/* 2D: true if a point is inside, by the even-odd rule. */
bool faces_contain(const story_faces *faces, graze_vec at);
/* The faces that the ray of a query hits, or a ray from the point that is inside. */
bool ray_of_story(story *s);
/* The point that is inside a solid mesh, as story_is_contained() requires. */
graze_vec contained_point(const story *s);

/* ---- evidence.c. Bounds are those that the verifier accepts; all other numbers are rounded. */

/* The certificate of the relation and of its bounds; none for minkowski. */
story_evidence evidence_of_answer(const story *s);
/* The certificate of a cast. Its direction is also that of a separated start. */
void evidence_of_cast(story *s);

/* ---- The output formats. Each appends to `out`. */

void story_print_text(cli_text *out, const story *s);
void story_print_json(cli_text *out, const story *s); /* one object, no line break */
void story_print_html(cli_text *out, const story *s); /* the page */
void story_print_svg(cli_text *out, const story *s); /* the picture: shapes, A - B, axes or steps, sentences; 2D only */

/* ---- geometry.c: rounded positions, for display only */

/* Both neither overflow nor underflow. The unit vector of zero is zero. */
double vec_norm(graze_vec v);
graze_vec vec_unit(graze_vec v);

/* An axis-aligned box. Zero it to begin. */
typedef struct bounds {
  graze_vec low, high;
  bool any;
} bounds;
void bounds_add(bounds *box, graze_vec point);
/* The points of a solid; nothing of a half-space. */
void bounds_add_mesh(bounds *box, const story_mesh *mesh);
void bounds_add_faces(bounds *box, const story_faces *faces);
/* The largest side. */
double bounds_size(const bounds *box);
/* A point or a direction of the shape's local frame, in the world. */
graze_vec body_point(const story_body *body, graze_vec local);
graze_vec body_direction(const story_body *body, graze_vec local);
/* The radius of the ball that rounds the core, margins included. */
double body_radius(const story_body *body);
/* The point of A - B that a pair names, and its two local points. `points`: those of the pair's certificate. */
graze_cso_point cso_point_of(const story *s, const graze_pair *pair, const graze_vec *points);
/* True if both have the same vertices, or equal points of curved cores. */
bool cso_point_equal(const graze_cso_point *p, const graze_cso_point *q);
/* The index of a named point, or -1. Pairs of both ends of an interval name the same point, that at t = 0. */
int32_t story_find(const story *s, const graze_cso_point *w);
int32_t story_find_pair(const story *s, const graze_pair *pair, const graze_vec *points);
/* True if the step computed a support point. Exact refinement also has steps that only reduce a given simplex. */
static inline bool story_has_point(const graze_trace_step *step) { return !vec_is_zero(step->direction); }

/* The point of the convex hull of 1 to 6 points nearest the origin, and its convex weights. */
graze_vec nearest_of_hull(const graze_vec *points, int count, int dim, double weights[6]);

/* ---- sentences.c: the sentences that text, pictures and pages share, as plain UTF-8. Numbers for readers are rounded;
 * intervals and proved bounds have all digits. */

/* Body A (0) or B (1), or its deciding part: "a circle of radius 0.5 with margin 0.25" */
step_sentence sentence_shape;
/* "part 3 of A and B" */
sentence sentence_pair;
/* A separating axis: "axis x of A", "edge 2 of A", "edge 3 of A × y of B" */
step_sentence sentence_axis;
/* "distance in 2D: A is a polygon of 5 vertices, B is a circle of radius 0.5" */
sentence sentence_query;
/* "separated, distance 2.5, guaranteed interval [2.4999, 2.5001]" */
sentence sentence_answer;
/* The k-th sentence about the certificate; false past the last one. */
bool sentence_certificate(cli_text *out, const story *s, size_t k);

/* ---- parts.c: compounds and meshes */

/* The deciding pair, and the work of the search for it; nothing without parts. */
sentence sentence_parts;
/* The vertices of the deciding part of A (0) or B (1), in the world. */
step_sentence sentence_vertices;
/* The number of drawn faces of meshes of which not all are drawn. */
sentence sentence_drawn;
/* The proof that a body is inside, and the bounds of the depth of a solid mesh. */
sentence certificate_contained, certificate_nonconvex_lower, certificate_nonconvex_upper;

/* ---- certificate.c */

/* The sentences about a certificate; the lists end with NULL. */
extern sentence *const certificate_sentences[], *const cast_certificate_sentences[];
/* The proof of the relation, and the verdict of the verifier. */
sentence certificate_relation, certificate_verdict;
/* True if the weights of the points prove something: around the origin, dim + 1 points with positive weights. */
bool certificate_has_weights(const story *s);

/* ---- Casts (cast.c) */

/* Discrete sampling, which proves nothing about the times between samples. */
static inline bool story_is_sampled(const story *s) { return s->motion->cast.algorithm == GRAZE_ALGORITHM_SAMPLING; }
/* The words for a motion_state: on pages, as the class of an element, and in sentences; and its sign in the text. */
extern const struct motion_words {
  const char *name, *style, *words;
  char sign;
} motion_states[];
/* The relative path, and the condition of contact. */
sentence sentence_cast_path;
/* The result of discrete sampling. */
sentence sentence_cast_samples;
step_sentence sentence_cast_moment;
/* Why a cast is unproven. */
const char *cast_unproven_text(const story *s);
/* "separated"; "no relation" if graze_intersect() failed */
const char *cast_relation_text(graze_relation relation);

/* ---- The phases of a run (phase.c) */

typedef struct phase_info {
  const char *title;       /* a heading */
  const char *name;        /* within a sentence */
  const char *columns;     /* of the text table, one letter each: see HEADINGS in text.c */
  const char *simplex;     /* the heading of the simplex */
  const char *explanation; /* what each step does */
} phase_info;

const phase_info *phase_of(graze_phase phase);
/* True if step k is the first of a phase. */
bool phase_begins(const story *s, size_t k);
/* The explanation of a phase, as a paragraph. */
void phase_explain(cli_text *out, const story *s, graze_phase phase);
/* Step k: its direction, its support point, and what these show. */
step_sentence phase_step;
/* Why the phase ended at step k, and the next phase; nothing if it continues. */
step_sentence phase_stop;

/* ---- Digits */

/* The digits that show a difference of `wanted` between numbers of this size to four digits, if doubles can. */
int digits_for(double size, double wanted);
/* The same for the coordinates of a point of A - B, which must show the signed distance. */
int digits_of_point(const story *s, graze_vec point);
/* A direction needs as many digits as its point, if d·w is otherwise lost in rounding. */
int digits_of_direction(const story *s, graze_vec direction, int digits_of_point);
/* A bound of the core distance must show its difference from r. */
int digits_of_bound(const story *s, double bound);
/* World points must show the distance, and their place on the shapes. */
int digits_of_witness(const story *s, graze_vec a, graze_vec b);

#endif
