/* The separating axis test (SAT) of two polytopes: candidate axes, separation, depth and the list of axes.
 *
 * Edge pairs are pruned by their arcs on the Gauss map. Source: Gregorius, "The Separating Axis Test between Convex
 * Polyhedra", GDC 2013. Errors: docs/theory/axes.md, "Search". */
#include "compare/reference.h"
#include "narrow/axes.h"
#include "narrow/search.h"
#include "narrow/stages.h"
#include "shape/placed.h"

/* ---- The candidate axes. */

#define SEARCH_FACE_ERROR (256 * GRZ_U)
#define SEARCH_EDGE_ERROR (128 * GRZ_U)

/* A normal is certainly on one side of a plane if its dot product with the plane's normal exceeds this number. */
#define SEARCH_SIDE (128 * GRZ_U)

/* The error of the sine of the angle between two edges. */
#define SEARCH_ANGLE (96 * GRZ_U)

/* Two edges with a smaller sine span a sliver, which gives no axis. */
#define SEARCH_SLIVER 0x1p-44

static graze_interval search_project(const grz_faces_edges *f, graze_vec d) {
  double first = vec_dot(d, f->vertex[0]);
  graze_interval span = {first, first};
  for (int i = 1; i < f->vertex_count; i++) {
    double x = vec_dot(d, f->vertex[i]);
    span.min = real_min(x, span.min);
    span.max = real_max(x, span.max);
  }
  return span;
}

static graze_interval search_reverse(graze_interval x) {
  graze_interval r = {-x.max, -x.min};
  return r;
}

/* Tests both directions of d. *other receives the smaller separation. */
static grz_axis_candidate search_axis(const grz_axis_search *s, graze_vec d, double *other) {
  grz_axis_candidate candidate = {.direction = d, .a = search_project(s->a, d), .b = search_project(s->b, d)};
  double shift = vec_dot(d, s->offset), forward = (candidate.b.min - candidate.a.max) - shift,
         backward = (candidate.a.min - candidate.b.max) + shift;
  const bool reversed = backward > forward;
  candidate.separation = reversed ? backward : forward;
  *other = reversed ? forward : backward;
  if (reversed) {
    candidate.direction = vec_neg(d);
    candidate.a = search_reverse(candidate.a), candidate.b = search_reverse(candidate.b);
  }
  return candidate;
}

static bool search_faces(const grz_axis_search *s, bool of_a, grz_axis_visit visit, void *context) {
  const grz_faces_edges *f = of_a ? s->a : s->b;
  for (int i = 0; i < f->axis_count; i++) {
    double other;
    grz_axis_candidate candidate = search_axis(s, f->normal[f->axis[i]], &other);
    candidate.kind = of_a ? GRAZE_AXIS_FACE_A : GRAZE_AXIS_FACE_B;
    candidate.feature_a = of_a ? i : -1, candidate.feature_b = of_a ? -1 : i;
    candidate.low = -candidate.separation - (SEARCH_FACE_ERROR + f->tilt) * s->size;
    if (!visit(context, &candidate)) return false;
  }
  return true;
}

/* Returns whether both normals beside an edge are certainly on one side of the plane normal to an edge of the other
 * shape. Then the arcs on the Gauss map do not cross. */
static inline bool arcs_are_disjoint(const grz_faces_edges *f, const grz_core_edge *edge, graze_vec normal) {
  if (edge->normal[0] < 0) return false;
  double x = vec_dot(f->normal[edge->normal[0]], normal), y = vec_dot(f->normal[edge->normal[1]], normal);
  double side = SEARCH_SIDE + f->tilt;
  return (x > side && y > side) || (x < -side && y < -side);
}

/* The least n·w over the points w of e - g. */
static double edges_support(const grz_axis_search *s, const grz_core_edge *e, const grz_core_edge *g, graze_vec n) {
  const graze_vec *a = s->a->vertex, *b = s->b->vertex;
  double from = real_min(vec_dot(n, a[e->vertex[0]]), vec_dot(n, a[e->vertex[1]]));
  double to = real_max(vec_dot(n, b[g->vertex[0]]), vec_dot(n, b[g->vertex[1]]));
  return (from - to) + vec_dot(n, s->offset);
}

/* The component of g's direction perpendicular to e. The component is small for nearly parallel edges, with an error of
 * u. */
static graze_vec edges_perpendicular(const grz_core_edge *e, const grz_core_edge *g) {
  return vec_sub(g->direction, vec_scale(e->direction, vec_dot(g->direction, e->direction)));
}

static graze_vec search_product(const grz_core_edge *e, graze_vec perpendicular) {
  return vec_unit(vec_cross(e->direction, perpendicular));
}

static void search_sliver(grz_axis_search *s, const grz_core_edge *e, const grz_core_edge *g, double sine) {
  s->slivers += (sine + SEARCH_ANGLE) * real_min(e->length, g->length);
  if (e->normal[0] < 0 || g->normal[0] < 0) s->whole = false;
}

/* Tests two edges that may span a facet of A - B. They span a facet only if no point of A - B is beyond the facet's
 * plane by more than the error of the normal. */
static bool search_pair(grz_axis_search *s, const grz_core_edge *e, const grz_core_edge *g, grz_axis_visit visit,
                        void *context) {
  graze_vec perpendicular = edges_perpendicular(e, g);
  double sine = vec_length(perpendicular), other;
  if (sine < SEARCH_SLIVER) {
    search_sliver(s, e, g, sine);
    return true;
  }
  graze_vec n = search_product(e, perpendicular);
  double forward = edges_support(s, e, g, n), backward = edges_support(s, e, g, vec_neg(n));
  double error = SEARCH_EDGE_ERROR * s->size;
  if (real_max(forward, backward) > s->limit + error && real_min(forward, backward) < -error) return true;
  grz_axis_candidate candidate = search_axis(s, n, &other);
  double tolerance = (256 * GRZ_U / sine + 256 * GRZ_U) * s->size;
  const bool reversed = vec_dot(candidate.direction, n) < 0;
  double corner = reversed ? backward : forward, corner_other = reversed ? forward : backward;
  bool holds = -candidate.separation - corner <= tolerance, holds_other = -other - corner_other <= tolerance;
  if (!holds && !holds_other) return true;
  candidate.low = real_min(holds ? corner : corner_other, holds_other ? corner_other : corner);
  candidate.low -= error;
  candidate.kind = GRAZE_AXIS_EDGES;
  candidate.feature_a = e->id, candidate.feature_b = g->id;
  return visit(context, &candidate);
}

static bool search_edges(grz_axis_search *s, grz_axis_visit visit, void *context) {
  for (int i = 0; i < s->a->edge_count; i++) {
    const grz_core_edge *e = &s->a->edge[i];
    if (e->length == 0) continue;
    for (int j = 0; j < s->b->edge_count; j++) {
      const grz_core_edge *g = &s->b->edge[j];
      if (g->length == 0 || arcs_are_disjoint(s->a, e, g->direction) || arcs_are_disjoint(s->b, g, e->direction))
        continue;
      if (!search_pair(s, e, g, visit, context)) return false;
    }
  }
  return true;
}

/* Two boxes: the 9 products of their axes. Parallel axes have none. */
static bool search_box_edges(const grz_axis_search *s, grz_axis_visit visit, void *context) {
  for (int i = 0; i < 9 && s->a->edge_count > 0; i++) {
    const grz_core_edge *e = &s->a->edge[i / 3 * 4], *g = &s->b->edge[i % 3 * 4];
    graze_vec perpendicular = edges_perpendicular(e, g);
    if (vec_length(perpendicular) < SEARCH_SLIVER) continue;
    double other;
    grz_axis_candidate candidate = search_axis(s, search_product(e, perpendicular), &other);
    candidate.kind = GRAZE_AXIS_EDGES;
    candidate.feature_a = e->id, candidate.feature_b = g->id;
    candidate.low = -candidate.separation;
    if (!visit(context, &candidate)) return false;
  }
  return true;
}

bool grz_axes_search(grz_axis_search *s, grz_axis_visit visit, void *context) {
  s->limit = __builtin_inf();
  s->slivers = 0;
  s->whole = true;
  if (!search_faces(s, true, visit, context) || !search_faces(s, false, visit, context)) return false;
  if (s->a->box && s->b->box) return search_box_edges(s, visit, context);
  return search_edges(s, visit, context);
}

/* ---- The search over all axes. */

typedef struct sat_search {
  const grz_obstacle *c;
  grz_axis_search axes;
  grz_axis_visit visit;
  grz_axis_candidate best; /* the largest separation so far */
  double low;              /* the least bound of all axes */
  bool fits;               /* the workspace is large enough */
  int tested;
  graze_axis_function report; /* graze_compare_axes() */
  void *report_context;
  grz_result *result; /* sat_separates() */
} sat_search;

static void sat_work(void *context, void *buffer, size_t size) {
  sat_search *s = context;
  grz_faces_edges a, b;
  grz_workspace workspace = {buffer, size, false};
  s->fits = grz_faces_edges_make(&a, s->c->a, s->c->unit, &workspace) &&
            grz_faces_edges_make(&b, s->c->b, s->c->unit, &workspace);
  if (!s->fits) return;
  s->axes = (grz_axis_search){.a = &a, .b = &b, .offset = s->c->offset, .size = s->c->size};
  (void)grz_axes_search(&s->axes, s->visit, s);
}

/* Updates the best axis. Returns whether the candidate is better. */
static bool sat_update_best(sat_search *s, const grz_axis_candidate *candidate) {
  double tie = s->tested == 0 ? 0 : GRZ_AXIS_TIE * GRZ_U * s->c->size;
  bool better = s->tested == 0 || candidate->separation > s->best.separation + tie;
  if (better) s->best = *candidate;
  s->tested++;
  return better;
}

/* ---- Separation. */

static bool sat_visit_separation(void *context, const grz_axis_candidate *candidate) {
  sat_search *s = context;
  s->tested++;
  if (!(candidate->separation > s->c->radius)) return true;
  return !grz_certify_axis(s->c, candidate->direction, s->result);
}

static bool sat_separates(const grz_obstacle *c, const graze_options *options, grz_result *result) {
  sat_search s = {.c = c, .visit = sat_visit_separation, .result = result};
  grz_with_workspace(options, sat_work, &s);
  result->answer.iterations += s.tested;
  if (result->answer.relation != GRAZE_SEPARATED) return false;
  result->answer.algorithm = GRAZE_ALGORITHM_SAT;
  return true;
}

/* ---- Depth. */

static bool sat_visit_depth(void *context, const grz_axis_candidate *candidate) {
  sat_search *s = context;
  if (sat_update_best(s, candidate)) s->axes.limit = -candidate->separation;
  s->low = s->tested == 1 ? candidate->low : real_min(s->low, candidate->low);
  return true;
}

/* Moves the cores along the direction until they touch, and `gap` further, and computes the nearest points with GJK:
 * these are the witness points of the depth. Returns the error of their difference. */
static double sat_witness_at_gap(const grz_obstacle *c, double depth, double gap, grz_axis_depth *out) {
  grz_obstacle moved;
  grz_gjk gjk;
  graze_options options = graze_default_options();
  grz_goal goal = {.enough_lower = __builtin_inf(), .enough_upper = -1, .width = 0, .pause = INT32_MAX};
  grz_obstacle_make(&moved, c->a, c->b, 0);
  moved.offset = vec_sub(c->offset, vec_scale(out->direction, depth + gap));
  grz_gjk_run(&gjk, &moved, &goal, out->direction, NULL, &options);
  graze_vec core_a = {0, 0, 0}, core_b = {0, 0, 0};
  for (int i = 0; i < gjk.simplex.count; i++) {
    const grz_cso_point *p = &gjk.simplex.point[i];
    double weight = gjk.holds_origin ? 1.0 / gjk.simplex.count : gjk.simplex.weight[i];
    core_a = vec_add(core_a, vec_scale(vec_rotate(c->rotate_a, p->a.local, c->dim), weight));
    core_b = vec_add(core_b, vec_scale(vec_rotate(c->rotate_b, p->b.local, c->dim), weight));
  }
  out->core_a = core_a, out->core_b = core_b;
  graze_vec w = vec_add(vec_sub(core_a, core_b), c->offset);
  return vec_length(vec_sub(w, vec_scale(out->direction, depth)));
}

/* Tries increasing gaps. With a small gap GJK is inaccurate. With a large gap, ties among axes move the points. Returns
 * false if GJK fails, as for bodies of very different size. */
static bool sat_witness(const grz_obstacle *c, double depth, grz_axis_depth *out) {
  double best = __builtin_inf();
  for (double gap = 0x1p-40; gap < 1; gap *= 0x1p10) {
    grz_axis_depth tried = *out;
    double off = sat_witness_at_gap(c, depth, gap * c->size, &tried);
    if (off < best) best = off, out->core_a = tried.core_a, out->core_b = tried.core_b;
    if (best <= 0x1p-44 * c->size) break;
  }
  return best <= 0x1p-34 * c->size;
}

/* A separate function, so that boxes do not pay for its stack frame. */
__attribute__((noinline)) static bool sat_depth_by_search(const grz_obstacle *c, const graze_options *options,
                                                          grz_axis_depth *out) {
  sat_search s = {.c = c, .visit = sat_visit_depth};
  grz_with_workspace(options, sat_work, &s);
  if (!s.fits || s.tested == 0 || !s.axes.whole) return false;
  grz_cso_point p;
  out->direction = s.best.direction;
  out->axes = s.tested;
  out->high = c->support_error - grz_obstacle_gap(c, out->direction, &p);
  out->best = -s.best.separation;
  out->low = real_max(s.low - s.axes.slivers, 0);
  return sat_witness(c, -s.best.separation, out) && out->low <= out->high;
}

static bool sat_depth(const grz_obstacle *c, const graze_options *options, grz_axis_depth *out) {
  if (c->a->shape.kind != GRAZE_BOX || c->b->shape.kind != GRAZE_BOX) return sat_depth_by_search(c, options, out);
  return grz_box_depth(c, false, out);
}

/* ---- The public functions. */

static graze_interval sat_span(const grz_obstacle *c, const graze_placed *placed, graze_interval span, graze_vec d) {
  double at = vec_dot(d, placed_origin(placed));
  graze_interval whole = {(at + span.min / c->unit) - placed->hidden.radius,
                          (at + span.max / c->unit) + placed->hidden.radius};
  return whole;
}

static graze_axis sat_public(const grz_obstacle *c, const grz_axis_candidate *candidate) {
  graze_axis axis = {candidate->kind, candidate->feature_a, candidate->feature_b, candidate->direction, 0, {0, 0},
                     {0, 0}};
  axis.separation = candidate->separation / c->unit - (c->a->hidden.radius + c->b->hidden.radius);
  axis.a = sat_span(c, c->a, candidate->a, candidate->direction);
  axis.b = sat_span(c, c->b, candidate->b, candidate->direction);
  return axis;
}

static bool sat_visit_report(void *context, const grz_axis_candidate *candidate) {
  sat_search *s = context;
  graze_axis axis = sat_public(s->c, candidate);
  (void)sat_update_best(s, candidate);
  return s->report == NULL || s->report(s->report_context, &axis);
}

graze_status graze_compare_axes(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                graze_axis_function visit, void *context, graze_axis *best) {
  grz_query query;
  grz_obstacle c;
  grz_result unused;
  const graze_status status = grz_compare_start(&query, &c, a, b, options, &unused);
  if (status != GRAZE_OK) return status;
  sat_search s = {.c = &c, .visit = sat_visit_report, .report = visit, .report_context = context};
  grz_with_workspace(query.options, sat_work, &s);
  if (!s.fits) return GRAZE_NO_SPACE;
  if (s.tested == 0) return GRAZE_UNSUPPORTED;
  *best = sat_public(&c, &s.best);
  return GRAZE_OK;
}

graze_status graze_compare_sat(const graze_placed *a, const graze_placed *b, const graze_options *options,
                               graze_answer *answer) {
  grz_query query;
  grz_obstacle c;
  grz_result result;
  grz_axis_depth axes;
  graze_status status = grz_compare_start(&query, &c, a, b, options, &result);
  if (status != GRAZE_OK) return status;
  const bool separated = sat_separates(&c, query.options, &result);
  const int tested = result.answer.iterations;
  grz_query_blank(&result, a, b);
  /* The distance of separated shapes needs the nearest points, which no axis gives. */
  graze_options untraced = *query.options;
  untraced.tracer = NULL; /* a trace has the steps of the depth or of the distance */
  if (!separated) status = grz_intersect_pair(a, b, &untraced, &result);
  if (status != GRAZE_OK) return status;
  const bool deep = result.answer.relation == GRAZE_OVERLAPPING && c.radius == 0;
  if (!deep || !sat_depth(&c, query.options, &axes))
    status = grz_distance_pair(a, b, query.options, &result);
  else if (!grz_penetrate_by_axes(&query, &c, &axes, &result))
    grz_penetrate(&query, &c, &result);
  if (separated) result.answer.algorithm = GRAZE_ALGORITHM_SAT, result.answer.iterations = 0;
  result.answer.iterations += tested; /* for separated shapes, only the axes count */
  *answer = result.answer;
  if (query.options->certificate) grz_proof_write(&result.proof, query.options->certificate);
  return status;
}
