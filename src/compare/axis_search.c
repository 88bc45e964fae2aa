/* The candidate axes of the separating axis test. Edge pairs are pruned by their arcs on the Gauss map.
 * Source: Gregorius 2013. Errors: docs/theory/axes.md, "Search". */
#include "compare/axis_search.h"

#define SEARCH_FACE_ERROR (256 * GRZ_U)
#define SEARCH_EDGE_ERROR (128 * GRZ_U)

/* A normal is certainly on one side of a plane if its product with the normal of the plane exceeds this. */
#define SEARCH_SIDE (128 * GRZ_U)

/* The error of the sine of the angle between two edges. */
#define SEARCH_ANGLE (96 * GRZ_U)

/* Edges at a smaller angle span a sliver; it gives no axis. */
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
    grz_axis_candidate candidate = search_axis(s, f->normal[f->axis[i].normal], &other);
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

/* The component of g's direction perpendicular to e. It is small for nearly parallel edges, with an error of u. */
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

/* Tests two edges that may span a facet of A - B. They span one only if no point is beyond it, except for the error of
 * its normal. */
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
