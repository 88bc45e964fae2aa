/* Source: Gregorius 2013 (Gauss map). Errors: docs/theory/axes.md, "Search". */
#include "compare/axis_search.h"

#define SEARCH_FACE_ERROR (256 * GRZ_U)
#define SEARCH_EDGE_ERROR (128 * GRZ_U)

/* A normal is surely on one side of the plane across an edge when their product is beyond this. */
#define SEARCH_SIDE (128 * GRZ_U)

/* Between two edges: the error of the sine of their angle. */
#define SEARCH_ANGLE (96 * GRZ_U)

/* Edges at a smaller angle span a sliver, not worth a normal. */
#define SEARCH_SLIVER 0x1p-44

static graze_interval search_project(const grz_features *f, graze_vec d) {
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

/* Both directions of d, and in *other the lesser separation. */
static grz_axis_candidate search_axis(const grz_axis_search *s, graze_vec d, double *other) {
  grz_axis_candidate found = {.direction = d, .a = search_project(s->a, d), .b = search_project(s->b, d)};
  double from = vec_dot(d, s->offset), ahead = (found.b.min - found.a.max) - from,
         behind = (found.a.min - found.b.max) + from;
  bool turn = behind > ahead;
  found.separation = turn ? behind : ahead;
  *other = turn ? ahead : behind;
  if (turn) {
    found.direction = vec_neg(d);
    found.a = search_reverse(found.a), found.b = search_reverse(found.b);
  }
  return found;
}

static bool search_faces(const grz_axis_search *s, bool of_a, grz_axis_visit visit, void *context) {
  const grz_features *f = of_a ? s->a : s->b;
  for (int i = 0; i < f->axis_count; i++) {
    double other;
    grz_axis_candidate found = search_axis(s, f->normal[f->axis[i].normal], &other);
    found.kind = of_a ? GRAZE_AXIS_FACE_A : GRAZE_AXIS_FACE_B;
    found.feature_a = of_a ? i : -1, found.feature_b = of_a ? -1 : i;
    found.low = -found.separation - (SEARCH_FACE_ERROR + f->tilt) * s->size;
    if (!visit(context, &found)) return false;
  }
  return true;
}

/* Do the normals beside an edge surely lie on one side of the plane across the other shape's edge? */
static inline bool search_apart(const grz_features *f, const grz_feature_edge *edge, graze_vec across) {
  if (edge->normal[0] < 0) return false;
  double x = vec_dot(f->normal[edge->normal[0]], across), y = vec_dot(f->normal[edge->normal[1]], across);
  double side = SEARCH_SIDE + f->tilt;
  return (x > side && y > side) || (x < -side && y < -side);
}

/* n·w of the corner of e - g with the least, w in A - B. */
static double search_corner(const grz_axis_search *s, const grz_feature_edge *e, const grz_feature_edge *g,
                            graze_vec n) {
  const graze_vec *a = s->a->vertex, *b = s->b->vertex;
  double from = real_min(vec_dot(n, a[e->vertex[0]]), vec_dot(n, a[e->vertex[1]]));
  double to = real_max(vec_dot(n, b[g->vertex[0]]), vec_dot(n, b[g->vertex[1]]));
  return (from - to) + vec_dot(n, s->offset);
}

/* The part of g's direction across e: small where they are nearly parallel, but off by no more than u. */
static graze_vec search_across(const grz_feature_edge *e, const grz_feature_edge *g) {
  return vec_sub(g->along, vec_scale(e->along, vec_dot(g->along, e->along)));
}

static graze_vec search_product(const grz_feature_edge *e, graze_vec across) {
  return vec_unit(vec_cross(e->along, across));
}

static void search_sliver(grz_axis_search *s, const grz_feature_edge *e, const grz_feature_edge *g, double sine) {
  s->slivers += (sine + SEARCH_ANGLE) * real_min(e->length, g->length);
  if (e->normal[0] < 0 || g->normal[0] < 0) s->whole = false;
}

/* Two edges that may span a facet of A - B. They do only if no point lies beyond it, but for the error of its normal.
 */
static bool search_pair(grz_axis_search *s, const grz_feature_edge *e, const grz_feature_edge *g, grz_axis_visit visit,
                        void *context) {
  graze_vec across = search_across(e, g);
  double sine = vec_length(across), other;
  if (sine < SEARCH_SLIVER) {
    search_sliver(s, e, g, sine);
    return true;
  }
  graze_vec n = search_product(e, across);
  double ahead = search_corner(s, e, g, n), behind = search_corner(s, e, g, vec_neg(n));
  double error = SEARCH_EDGE_ERROR * s->size;
  if (real_max(ahead, behind) > s->limit + error && real_min(ahead, behind) < -error) return true;
  grz_axis_candidate found = search_axis(s, n, &other);
  double doubt = (256 * GRZ_U / sine + 256 * GRZ_U) * s->size;
  bool turned = vec_dot(found.direction, n) < 0;
  double corner = turned ? behind : ahead, corner_other = turned ? ahead : behind;
  bool holds = -found.separation - corner <= doubt, holds_other = -other - corner_other <= doubt;
  if (!holds && !holds_other) return true;
  found.low = real_min(holds ? corner : corner_other, holds_other ? corner_other : corner);
  found.low -= error;
  found.kind = GRAZE_AXIS_EDGES;
  found.feature_a = e->id, found.feature_b = g->id;
  return visit(context, &found);
}

static bool search_edges(grz_axis_search *s, grz_axis_visit visit, void *context) {
  for (int i = 0; i < s->a->edge_count; i++) {
    const grz_feature_edge *e = &s->a->edge[i];
    if (e->length == 0) continue;
    for (int j = 0; j < s->b->edge_count; j++) {
      const grz_feature_edge *g = &s->b->edge[j];
      if (g->length == 0 || search_apart(s->a, e, g->along) || search_apart(s->b, g, e->along)) continue;
      if (!search_pair(s, e, g, visit, context)) return false;
    }
  }
  return true;
}

/* Two boxes: the 9 products of their axes, as everybody does it; parallel ones have none. */
static bool search_box_edges(const grz_axis_search *s, grz_axis_visit visit, void *context) {
  for (int i = 0; i < 9 && s->a->edge_count > 0; i++) {
    const grz_feature_edge *e = &s->a->edge[i / 3 * 4], *g = &s->b->edge[i % 3 * 4];
    graze_vec across = search_across(e, g);
    if (vec_length(across) < SEARCH_SLIVER) continue;
    double other;
    grz_axis_candidate found = search_axis(s, search_product(e, across), &other);
    found.kind = GRAZE_AXIS_EDGES;
    found.feature_a = e->id, found.feature_b = g->id;
    found.low = -found.separation;
    if (!visit(context, &found)) return false;
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
