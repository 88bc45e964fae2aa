/* The difference of two convex polygons is one whose edges are parallel to those of A and of -B, and no others: where
 * the line of one is lowest over the origin, the origin leaves C by the shortest way. docs/theory/axes.md, "Outlines".
 */
#include "narrow/polygon_overlap.h"

#include "narrow/polygon_axes.h"
#include "narrow/certify.h"

/* In u·size: the rounding of heights. */
#define PLANAR_LOW 256
#define PLANAR_HIGH 192

/* Corners are as far as each other that differ by less. */
#define PLANAR_TIE 256

/* Relative to the size: so far from its place the foot of the perpendicular may be. */
#define PLANAR_FOOT 0x1p-44

typedef struct planar {
  const grz_obstacle *c;
  grz_outline a, b;
  grz_outline_axis lowest;
  double height;        /* of C along its normal */
  grz_cso_point end[2]; /* of C's side there, counter-clockwise */
} planar;

static graze_vec planar_place(const planar *p, int i, int j) {
  const f64x2 w = p->a.at[i] - p->b.at[j];
  return vec_add(vec_make(w[0], w[1], 0), p->c->offset);
}

static grz_cso_point planar_point(const planar *p, int i, int j) {
  const int32_t vertex_a = p->a.vertex[i], vertex_b = p->b.vertex[j];
  return (grz_cso_point){planar_place(p, i, j),
                         {grz_core_vertex(&p->c->a->shape, (size_t)vertex_a), vertex_a},
                         {grz_core_vertex(&p->c->b->shape, (size_t)vertex_b), vertex_b},
                         0};
}

static int planar_farthest(const grz_outline *outline, graze_vec d) {
  return grz_outline_farthest(outline, (f64x2){d.x, d.y});
}

/* A side of an outline, from one corner to another, counter-clockwise. */
typedef struct planar_side {
  int first, last;
} planar_side;

static int planar_after(const grz_outline *outline, int k) { return k + 1 < outline->count ? k + 1 : 0; }
static int planar_before(const grz_outline *outline, int k) { return (k > 0 ? k : outline->count) - 1; }

/* Does the edge after corner k lie across n, the outline within? */
static bool planar_is_level(const planar *p, const grz_outline *outline, int k, graze_vec n) {
  const f64x2 way = outline->at[k + 1] - outline->at[k];
  const double rise = way[0] * n.x + way[1] * n.y, along = way[1] * n.x - way[0] * n.y;
  return along > 0 && real_abs(rise) <= PLANAR_TIE * GRZ_U * p->c->size * vec_norm1(n);
}

/* Where the outline is farthest along n: from a corner as far as its edges are level. */
static planar_side planar_farthest_side(const planar *p, const grz_outline *outline, int corner, graze_vec n) {
  planar_side side = {corner, corner};
  int most = outline->count - 1;
  for (; most > 0 && planar_is_level(p, outline, side.last, n); most--) side.last = planar_after(outline, side.last);
  for (; most > 0 && planar_is_level(p, outline, planar_before(outline, side.first), n); most--)
    side.first = planar_before(outline, side.first);
  return side;
}

/* All corners are looked at, whatever the way around C has seen. */
static void planar_find_ends(planar *p) {
  const graze_vec n = p->lowest.normal, back = vec_neg(n);
  const int corner_a = p->lowest.of_a ? p->lowest.edge : planar_farthest(&p->a, n);
  const int corner_b = p->lowest.of_a ? planar_farthest(&p->b, back) : p->lowest.edge;
  const planar_side a = planar_farthest_side(p, &p->a, corner_a, n), b = planar_farthest_side(p, &p->b, corner_b, back);
  p->height = vec_dot(n, planar_place(p, corner_a, corner_b)) / vec_length(n);
  p->end[0] = planar_point(p, a.first, b.first);
  p->end[1] = planar_point(p, a.last, b.last);
}

static bool planar_look(planar *p) {
  const grz_obstacle *c = p->c;
  if (!grz_outline_make(&p->a, c->a, c->rotate_a) || !grz_outline_make(&p->b, c->b, c->rotate_b)) return false;
  if (!grz_outline_lowest(&p->a, &p->b, c->offset, GRZ_AXIS_TIE * GRZ_U * c->size, &p->lowest)) return false;
  planar_find_ends(p);
  return true;
}

/* Where the edge of C passes the foot of the perpendicular, as a share of its way. */
static double planar_share(const planar *p, graze_vec unit) {
  const graze_vec from = p->end[0].w, way = vec_sub(p->end[1].w, from), along = vec_make(-unit.y, unit.x, 0);
  const double length = vec_dot(way, along), share = -vec_dot(from, along) / length;
  return length > 0 ? real_min(real_max(share, 0), 1) : 0;
}

static graze_vec planar_between(graze_vec p, graze_vec q, double share) {
  return vec_add(vec_scale(p, 1 - share), vec_scale(q, share));
}

/* False: they do not meet at the foot. */
static bool planar_witness(const planar *p, grz_axis_depth *out) {
  const grz_cso_point *from = &p->end[0], *to = &p->end[1];
  const double share = planar_share(p, out->direction);
  const graze_vec foot = planar_between(from->w, to->w, share);
  out->core_a = vec_rotate(p->c->rotate_a, planar_between(from->a.local, to->a.local, share), 2);
  out->core_b = vec_rotate(p->c->rotate_b, planar_between(from->b.local, to->b.local, share), 2);
  return vec_length(vec_sub(foot, vec_scale(out->direction, out->best))) <= PLANAR_FOOT * p->c->size;
}

static bool planar_is_asked(const grz_obstacle *c) { return c->dim == 2 && !c->curved && !c->swept; }

static bool planar_fill(const planar *p, grz_axis_depth *out) {
  const double error = GRZ_U * p->c->size;
  out->direction = vec_unit(p->lowest.normal);
  out->best = p->height;
  out->low = real_max(p->lowest.least - PLANAR_LOW * error, 0);
  out->high = out->best + PLANAR_HIGH * error;
  out->axes = grz_outline_edges(&p->a) + grz_outline_edges(&p->b);
  return planar_witness(p, out);
}

bool grz_polygon_depth(const grz_obstacle *c, grz_axis_depth *out) {
  planar p; /* large: set by planar_look() */
  p.c = c;
  return planar_is_asked(c) && planar_look(&p) && planar_fill(&p, out);
}

/* ---- Do they overlap? */

static grz_cso_point planar_support(const planar *p, graze_vec d) {
  return planar_point(p, planar_farthest(&p->a, d), planar_farthest(&p->b, vec_neg(d)));
}

static double planar_turn(const grz_cso_point *u, const grz_cso_point *v) { return u->w.x * v->w.y - u->w.y * v->w.x; }

static graze_vec planar_outward(const grz_cso_point *from, const grz_cso_point *to) {
  const graze_vec way = vec_sub(to->w, from->w);
  return vec_make(way.y, -way.x, 0);
}

/* A triangle of C, counter-clockwise, that the origin is inside of, from the side that it is nearest to: where it is
 * beyond another side, on to the triangle that stands on that. */
static bool planar_surround(const planar *p, grz_cso_point t[3]) {
  t[0] = p->end[0], t[1] = p->end[1], t[2] = planar_support(p, vec_neg(p->lowest.normal));
  for (int most = p->a.count + p->b.count; most > 0; most--) {
    if (grz_certify_inside(p->c, t)) return true;
    const bool first = planar_turn(&t[1], &t[2]) <= 0;
    if (!first && planar_turn(&t[2], &t[0]) > 0) return false;
    const grz_cso_point from = t[first ? 1 : 2], to = t[first ? 2 : 0];
    t[0] = to, t[1] = from, t[2] = planar_support(p, planar_outward(&from, &to));
  }
  return false;
}

bool grz_polygon_overlap(const grz_obstacle *c, grz_axis_depth *out, grz_cso_point point[3]) {
  planar p; /* large: set by planar_look() */
  p.c = c;
  if (!planar_is_asked(c) || !planar_look(&p) || !(p.lowest.least > 0)) return false;
  return planar_surround(&p, point) && planar_fill(&p, out);
}
