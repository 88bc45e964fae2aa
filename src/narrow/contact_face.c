/* The facet of a vertex list that faces a direction, by gift wrapping: from the farthest vertex along the edge that
 * falls off least, about that edge to the plane that falls off least, then everything that lies in that plane.
 *
 * A slope is (drop + slack) / way. The slack, above the rounding of drop and of the vertices themselves, lets long ways
 * win among equals: a slope that noise made of two vertices that nearly coincide never does. */
#include "narrow/contact_feature.h"
#include "narrow/contact_side.h"

#include "exact/predicates.h"
#include "core/vec.h"
#include "shape/core.h"
#include "shape/support.h"

/* Relative to the size. Vertices this near a plane are of one face: meshes are stored in floats. Heights over such a
 * face are those of its vertices, not of the plane, so nothing is lost (surface.c). */
#define FACET_FLAT 1e-6
#define FACET_STRAIGHT 1e-10 /* of one edge */
#define FACET_SLACK 1e-14

/* Relative to the reach: the vertices of a shape that was made far from its origin. */
#define FACET_NOISE 1e-15

enum { FACET_LIST = 128 };

typedef struct facet_search {
  const graze_shape *shape;
  const graze_vec *list;    /* of vertices; NULL: the shape has none of its own */
  size_t count, top;        /* vertices; the farthest along d */
  double unit, noise, size; /* size: the distance of the vertex farthest from the top one */
  graze_vec d, origin;      /* vertex `top`, times unit */
  graze_vec way, edge;      /* along the edge: to its other end, and unit */
  graze_vec normal, t1, t2; /* of the plane; t1, t2, normal: right-handed */
  size_t near[FACET_LIST];  /* the vertices in the plane, in order … */
  size_t near_count;        /* … or, when there are more than that, all vertices */
} facet_search;

/* Vertex i, seen from vertex `top`. */
GRZ_TEMPLATE graze_vec facet_vertex(const facet_search *s, size_t i) {
  graze_vec v = s->list ? s->list[i] : grz_core_vertex(s->shape, i);
  return vec_sub(vec_scale(v, s->unit), s->origin);
}

typedef struct facet_slope {
  double least;
  size_t to; /* the first of vertices that are as good */
} facet_slope;

/* Keeps the edge to vertex i where it falls off less. */
static void facet_try_edge(facet_search *s, size_t i, facet_slope *best) {
  graze_vec x = facet_vertex(s, i);
  double length = vec_length(x), slack = FACET_SLACK * length + s->noise;
  double drop = -vec_dot(s->d, x), way = vec_length(vec_add(x, vec_scale(s->d, drop)));
  s->size = real_max(s->size, length);
  if (!(way > slack)) return;
  double slope = (drop + slack) / way;
  if (slope < best->least || (slope == best->least && i < best->to)) {
    best->least = slope, best->to = i;
    s->way = x, s->edge = vec_unit(x);
  }
}

/* The edge that falls off least; false when every vertex lies on the line along d. */
static bool facet_find_edge(facet_search *s) {
  facet_slope best = {__builtin_inf(), 0};
  s->size = 0;
  for (size_t i = 0; i < s->count; i++) facet_try_edge(s, i, &best);
  return best.least < __builtin_inf();
}

/* Of the two facets at that edge the one that falls off less; false when all vertices lie on one line. */
static bool facet_find_plane(facet_search *s) {
  graze_vec up = vec_unit(vec_sub(s->d, vec_scale(s->edge, vec_dot(s->d, s->edge)))), side = vec_cross(s->edge, up);
  double best = __builtin_inf(), slack = FACET_SLACK * s->size + s->noise;
  for (size_t i = 0; i < s->count; i++) {
    graze_vec x = facet_vertex(s, i);
    double way = vec_dot(x, side), rise = vec_dot(x, up), slope = (slack - rise) / real_abs(way);
    if (!(real_abs(way) > slack) || !(slope < best)) continue;
    best = slope;
    graze_vec lean = vec_scale(side, way > 0 ? -rise : rise);
    s->normal = vec_unit(vec_add(vec_scale(up, real_abs(way)), lean));
  }
  s->t1 = s->edge;
  s->t2 = vec_cross(s->normal, s->edge);
  return best < __builtin_inf();
}

static void facet_add(facet_search *s, grz_feature *f, size_t i) {
  f->corner[f->count] = vec_scale(grz_core_vertex(s->shape, i), s->unit);
  f->id[f->count] = (int32_t)i;
  if (f->count == 0 || (int32_t)i < f->face) f->face = (int32_t)i;
  f->count++;
}

/* The ends of an edge that begins at the top vertex, so far; of vertices in one place the first. */
typedef struct facet_ends {
  double low, high;
  size_t first, last;
} facet_ends;

/* Where vertex i lies on it. */
static void facet_try_end(const facet_search *s, size_t i, facet_ends *ends) {
  graze_vec x = facet_vertex(s, i);
  double along = vec_dot(x, s->edge), straight = FACET_STRAIGHT * s->size + s->noise;
  if (vec_length(vec_sub(x, vec_scale(s->edge, along))) > straight) return;
  if (along < ends->low || (along == ends->low && i < ends->first)) ends->low = along, ends->first = i;
  if (along > ends->high || (along == ends->high && i < ends->last)) ends->high = along, ends->last = i;
}

/* There may be vertices between the ends. */
static void facet_take_edge(facet_search *s, grz_feature *f) {
  facet_ends ends = {0, 0, s->top, s->top};
  for (size_t i = 0; i < s->count; i++) facet_try_end(s, i, &ends);
  facet_add(s, f, ends.first);
  if (ends.last != ends.first) facet_add(s, f, ends.last);
}

/* Vertex i in the axes of the plane; false when it does not lie in it. */
static bool facet_holds(const facet_search *s, size_t i, graze_vec *flat) {
  graze_vec x = facet_vertex(s, i);
  *flat = vec_make(vec_dot(x, s->t1), vec_dot(x, s->t2), 0);
  return real_abs(vec_dot(x, s->normal)) <= FACET_FLAT * s->size + s->noise;
}

static void facet_list(facet_search *s) {
  graze_vec flat;
  s->near_count = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (!facet_holds(s, i, &flat)) continue;
    if (s->near_count < FACET_LIST) s->near[s->near_count] = i;
    s->near_count++;
  }
  if (s->near_count > FACET_LIST) s->near_count = s->count;
}

static size_t facet_listed(const facet_search *s, size_t k) { return s->near_count > FACET_LIST ? k : s->near[k]; }

static bool facet_before(graze_vec p, graze_vec q) { return p.x < q.x || (p.x == q.x && p.y < q.y); }

static bool facet_same(graze_vec p, graze_vec q) { return p.x == q.x && p.y == q.y; }

/* Is q a better next corner after `from` than `next`: farther to the right, or straight on and farther? */
static bool facet_wraps(graze_vec from, graze_vec next, graze_vec q) {
  if (facet_same(q, from)) return false;
  if (facet_same(next, from)) return true;
  int turn = grz_orient2(from, next, q);
  return turn < 0 || (turn == 0 && vec_length(vec_sub(q, from)) > vec_length(vec_sub(next, from)));
}

/* The exact convex hull of the flat points, by its corners in turn. False when there are too many of them. */
static bool facet_wrap(facet_search *s, grz_feature *f) {
  size_t at = s->top;
  graze_vec start = {0, 0, 0}, from, q;
  for (size_t k = 0; k < s->near_count; k++) {
    size_t i = facet_listed(s, k);
    if (facet_holds(s, i, &q) && facet_before(q, start)) start = q, at = i;
  }
  from = start;
  for (f->count = 0; f->count < GRZ_FEATURE_CORNERS;) {
    facet_add(s, f, at);
    graze_vec next = from;
    for (size_t k = 0; k < s->near_count; k++) {
      size_t i = facet_listed(s, k);
      if (facet_holds(s, i, &q) && facet_wraps(from, next, q)) next = q, at = i;
    }
    if (facet_same(next, start)) return true;
    from = next;
  }
  return false;
}

/* The farthest vertices in as many directions as there is room for. Two neighbours have support lines that differ by
 * pi/32, so what is cut off between them lies within tan(pi/64)/2 < 2.5 % of their distance. */
static void facet_thin(facet_search *s, grz_feature *f) {
  const double c = 0.99518472667219693, sine = 0.098017140329560604; /* of pi/32 */
  double x = 1, y = 0;
  f->count = 0;
  for (int k = 0; k < GRZ_FEATURE_CORNERS; k++) {
    double best = -__builtin_inf();
    size_t at = s->top;
    graze_vec q;
    for (size_t i = 0; i < s->count; i++)
      if (facet_holds(s, i, &q) && q.x * x + q.y * y > best) best = q.x * x + q.y * y, at = i;
    bool known = f->count > 0 && (f->id[f->count - 1] == (int32_t)at || f->id[0] == (int32_t)at);
    if (!known) facet_add(s, f, at);
    double turned = x * c - y * sine;
    y = x * sine + y * c;
    x = turned;
  }
}

static void facet_take_plane(facet_search *s, grz_feature *f) {
  facet_list(s);
  if (!facet_wrap(s, f)) facet_thin(s, f);
}

void grz_facet_facing(const graze_placed *placed, graze_vec d, double unit, grz_feature *f) {
  double slack = 0;
  facet_search s;
  const bool polygon = placed->shape.kind == GRAZE_POLYGON;
  const size_t top =
      (size_t)(polygon ? grz_support_short(&placed->shape, d, &slack, 2) : grz_support_local(&placed->shape, d, &slack))
          .index;
  if (polygon && grz_side_facing(placed, top, d, unit, f)) return;
  s.shape = &placed->shape, s.list = grz_is_point_set(&placed->shape) ? placed->shape.as.hull.vertices : NULL,
  s.count = grz_core_count(&placed->shape);
  s.unit = unit, s.noise = FACET_NOISE * placed->hidden.bounding_radius * unit;
  s.d = d, s.origin = vec_make(0, 0, 0);
  s.top = top;
  s.origin = facet_vertex(&s, s.top);
  f->count = 0;
  const bool edge = facet_find_edge(&s) && side_is_flat(s.way, d);
  if (!edge)
    facet_add(&s, f, s.top);
  else if (placed->shape.dim == 2 || !facet_find_plane(&s) || vec_dot(s.normal, d) < GRZ_FEATURE_STEEP)
    facet_take_edge(&s, f);
  else
    facet_take_plane(&s, f);
}
