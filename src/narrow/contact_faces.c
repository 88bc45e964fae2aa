/* Contact faces: the face, edge or vertex of a shape that is most perpendicular to a direction.
 *
 * Boxes, cylinders and cones have formulas. Point sets use gift wrapping: from the farthest vertex along the
 * flattest edge, about that edge to the flattest plane, then all vertices in that plane. Theory:
 * docs/theory/contact.md, "Facets". */
#include "narrow/contact.h"

#include "core/vec.h"
#include "exact/exact.h"
#include "shape/shape.h"
#include "shape/placed.h"
#include "shape/support.h"

/* ---- Polygons in 2D */

/* Relative to the squared bounding radius: a larger cross product exceeds all slacks of the general search.
 * docs/theory/contact.md, "Facets". */
#define SIDE_CLEAR 1e-9

/* Below this value, products of two lengths lose significant digits. */
#define SIDE_LEAST 0x1p-1000

/* Returns p if `first`, otherwise q, without a branch, which could not be predicted. */
static inline size_t side_select(bool first, size_t p, size_t q) { return q ^ ((p ^ q) & (0 - (size_t)first)); }

static inline size_t side_after(size_t i, size_t count) { return side_select(i + 1 < count, i + 1, 0); }
static inline size_t side_before(size_t i, size_t count) { return side_select(i > 0, i, count) - 1; }

static graze_vec side_vector(const graze_vec *from, const graze_vec *to) {
  return vec_make(to->x - from->x, to->y - from->y, 0);
}

static void side_add(grz_contact_face *f, const graze_vec *vertex, size_t i, double unit) {
  f->corner[f->count] = vec_scale(*vertex, unit);
  f->id[f->count++] = (int32_t)i;
}

/* Computes facet_facing() for a GRAZE_POLYGON without a search for the edge. Returns false and leaves *f unchanged if
 * rounding could change the result. */
static bool polygon_edge_facing(const graze_placed *placed, graze_vec d, double unit, grz_contact_face *f) {
  double slack = 0;
  const size_t top = (size_t)grz_support_short(&placed->shape, d, &slack, 2).index;
  const graze_vec *v = placed->shape.as.polygon.vertices;
  const size_t count = placed->shape.as.polygon.count, next = side_after(top, count),
               previous = side_before(top, count);
  const graze_vec onward = side_vector(&v[top], &v[next]), back = side_vector(&v[top], &v[previous]);
  const double clear = SIDE_CLEAR * placed->hidden.bounding_radius * placed->hidden.bounding_radius;
  const double turn = flat_cross(onward, back);
  const double steeper =
      flat_dot(d, onward) * real_abs(flat_cross(d, back)) - flat_dot(d, back) * real_abs(flat_cross(d, onward));
  if (!(clear > SIDE_LEAST && real_abs(turn) > clear && real_abs(steeper) > clear)) return false;
  const bool backward = steeper < 0;
  const size_t end = side_select(backward, previous, next);
  const size_t beyond = side_select(backward, side_before(previous, count), side_after(next, count));
  const graze_vec edge = side_vector(&v[top], &v[end]);
  const double bend = flat_cross(edge, side_vector(&v[top], &v[beyond]));
  if (!(real_abs(bend) > clear) || (bend > 0) != ((turn > 0) != backward)) return false;
  side_add(f, &v[top], top, unit);
  if (side_is_flat(edge, d)) side_add(f, &v[end], end, unit);
  f->face = f->id[f->count - 1] < f->id[0] ? f->id[f->count - 1] : f->id[0];
  return true;
}

/* ---- Point sets
 *
 * The slope of an edge or plane is (descent + slack) / run. The slack exceeds the rounding of descent and of the
 * vertices. It favours long runs: two nearly coincident vertices never give the flattest slope. */
/* Relative to the size. Vertices this near a plane belong to one face. The tolerance is large because meshes are stored
 * in floats. Heights are computed from the vertices, not from the plane, so the tolerance causes no error. */
#define FACET_FLAT 1e-6
#define FACET_STRAIGHT 1e-10 /* vertices of one edge */
#define FACET_SLACK 1e-14

/* Relative to the bounding radius: the rounding of vertices far from the local origin. */
#define FACET_NOISE 1e-15

enum { FACET_VERTICES = 128 };

typedef struct facet_search {
  const graze_shape *shape;
  const graze_vec *list;       /* vertices; NULL: computed by grz_core_vertex() */
  size_t count, top;           /* number of vertices; the farthest along d */
  double unit, noise, size;    /* size: the largest distance of a vertex from vertex `top` */
  graze_vec d, origin;         /* vertex `top`, times unit */
  graze_vec run, edge;         /* the flattest edge as a vector, and normalized */
  graze_vec normal, t1, t2;    /* of the plane; t1, t2, normal: right-handed */
  size_t near[FACET_VERTICES]; /* vertices in the plane, ascending … */
  size_t near_count;           /* … or, if they exceed the array, the number of all vertices */
} facet_search;

/* Vertex i relative to vertex `top`. */
GRZ_TEMPLATE graze_vec facet_vertex(const facet_search *s, size_t i) {
  graze_vec v = s->list ? s->list[i] : grz_core_vertex(s->shape, i);
  return vec_sub(vec_scale(v, s->unit), s->origin);
}

typedef struct facet_slope {
  double least;
  size_t to; /* the first of equally good vertices */
} facet_slope;

/* Keeps the edge to vertex i if its slope is less. */
static void facet_test_edge(facet_search *s, size_t i, facet_slope *best) {
  graze_vec x = facet_vertex(s, i);
  double length = vec_length(x), slack = FACET_SLACK * length + s->noise;
  double descent = -vec_dot(s->d, x), run = vec_length(vec_add(x, vec_scale(s->d, descent)));
  s->size = real_max(s->size, length);
  if (!(run > slack)) return;
  double slope = (descent + slack) / run;
  if (slope < best->least || (slope == best->least && i < best->to)) {
    best->least = slope, best->to = i;
    s->run = x, s->edge = vec_unit(x);
  }
}

/* Finds the flattest edge. Returns false if every vertex lies on the line along d. */
static bool facet_flattest_edge(facet_search *s) {
  facet_slope best = {__builtin_inf(), 0};
  s->size = 0;
  for (size_t i = 0; i < s->count; i++) facet_test_edge(s, i, &best);
  return best.least < __builtin_inf();
}

/* Finds the flatter facet of the two at that edge. Returns false if all vertices are collinear. */
static bool facet_flattest_plane(facet_search *s) {
  graze_vec up = vec_unit(vec_sub(s->d, vec_scale(s->edge, vec_dot(s->d, s->edge)))), side = vec_cross(s->edge, up);
  double best = __builtin_inf(), slack = FACET_SLACK * s->size + s->noise;
  for (size_t i = 0; i < s->count; i++) {
    graze_vec x = facet_vertex(s, i);
    double run = vec_dot(x, side), rise = vec_dot(x, up), slope = (slack - rise) / real_abs(run);
    if (!(real_abs(run) > slack) || !(slope < best)) continue;
    best = slope;
    graze_vec lean = vec_scale(side, run > 0 ? -rise : rise);
    s->normal = vec_unit(vec_add(vec_scale(up, real_abs(run)), lean));
  }
  s->t1 = s->edge;
  s->t2 = vec_cross(s->normal, s->edge);
  return best < __builtin_inf();
}

static void facet_add(facet_search *s, grz_contact_face *f, size_t i) {
  f->corner[f->count] = vec_scale(grz_core_vertex(s->shape, i), s->unit);
  f->id[f->count] = (int32_t)i;
  if (f->count == 0 || (int32_t)i < f->face) f->face = (int32_t)i;
  f->count++;
}

/* The ends of the edge through the farthest vertex. Coincident vertices: the first one. */
typedef struct facet_ends {
  double low, high;
  size_t first, last;
} facet_ends;

/* Extends the edge to vertex i if that vertex is collinear. */
static void facet_extend_edge(const facet_search *s, size_t i, facet_ends *ends) {
  graze_vec x = facet_vertex(s, i);
  double position = vec_dot(x, s->edge), straight = FACET_STRAIGHT * s->size + s->noise;
  if (vec_length(vec_sub(x, vec_scale(s->edge, position))) > straight) return;
  if (position < ends->low || (position == ends->low && i < ends->first)) ends->low = position, ends->first = i;
  if (position > ends->high || (position == ends->high && i < ends->last)) ends->high = position, ends->last = i;
}

/* Adds the two ends of the edge. Vertices between them are no corners. */
static void facet_add_edge(facet_search *s, grz_contact_face *f) {
  facet_ends ends = {0, 0, s->top, s->top};
  for (size_t i = 0; i < s->count; i++) facet_extend_edge(s, i, &ends);
  facet_add(s, f, ends.first);
  if (ends.last != ends.first) facet_add(s, f, ends.last);
}

/* Computes vertex i in the axes of the plane. Returns false if the vertex does not lie in the plane. */
static bool facet_contains(const facet_search *s, size_t i, graze_vec *flat) {
  graze_vec x = facet_vertex(s, i);
  *flat = vec_make(vec_dot(x, s->t1), vec_dot(x, s->t2), 0);
  return real_abs(vec_dot(x, s->normal)) <= FACET_FLAT * s->size + s->noise;
}

static void facet_collect(facet_search *s) {
  graze_vec flat;
  s->near_count = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (!facet_contains(s, i, &flat)) continue;
    if (s->near_count < FACET_VERTICES) s->near[s->near_count] = i;
    s->near_count++;
  }
  if (s->near_count > FACET_VERTICES) s->near_count = s->count;
}

static size_t facet_vertex_index(const facet_search *s, size_t k) {
  return s->near_count > FACET_VERTICES ? k : s->near[k];
}

/* True if q is a better next corner after `from` than `next`: farther to the right, or collinear and farther. */
static bool facet_wraps(graze_vec from, graze_vec next, graze_vec q) {
  if (vec_equal(q, from)) return false;
  if (vec_equal(next, from)) return true;
  int turn = grz_orient2(from, next, q);
  return turn < 0 || (turn == 0 && vec_length(vec_sub(q, from)) > vec_length(vec_sub(next, from)));
}

/* Gift wrapping with exact predicates (Jarvis march) in the plane. Returns false if there are too many corners. */
static bool facet_wrap(facet_search *s, grz_contact_face *f) {
  size_t at = s->top;
  graze_vec start = {0, 0, 0}, from, q;
  for (size_t k = 0; k < s->near_count; k++) {
    size_t i = facet_vertex_index(s, k);
    if (facet_contains(s, i, &q) && vec_before(q, start)) start = q, at = i;
  }
  from = start;
  for (f->count = 0; f->count < GRZ_CONTACT_FACE_CORNERS;) {
    facet_add(s, f, at);
    graze_vec next = from;
    for (size_t k = 0; k < s->near_count; k++) {
      size_t i = facet_vertex_index(s, k);
      if (facet_contains(s, i, &q) && facet_wraps(from, next, q)) next = q, at = i;
    }
    if (vec_equal(next, start)) return true;
    from = next;
  }
  return false;
}

/* Keeps the farthest vertices in 64 directions. Neighbouring supporting lines differ by pi/32, so the part cut off
 * between two corners lies within tan(pi/64)/2 < 2.5 % of their distance. */
static void facet_reduce(facet_search *s, grz_contact_face *f) {
  const double c = 0.99518472667219693, sine = 0.098017140329560604; /* of pi/32 */
  double x = 1, y = 0;
  f->count = 0;
  for (int k = 0; k < GRZ_CONTACT_FACE_CORNERS; k++) {
    double best = -__builtin_inf();
    size_t at = s->top;
    graze_vec q;
    for (size_t i = 0; i < s->count; i++)
      if (facet_contains(s, i, &q) && q.x * x + q.y * y > best) best = q.x * x + q.y * y, at = i;
    bool known = f->count > 0 && (f->id[f->count - 1] == (int32_t)at || f->id[0] == (int32_t)at);
    if (!known) facet_add(s, f, at);
    double turned = x * c - y * sine;
    y = x * sine + y * c;
    x = turned;
  }
}

/* Adds all corners of a triangle in 3D that is not nearly edge-on to d, counter-clockwise as seen from the tip of d.
 * Returns false and leaves *f unchanged otherwise, and for needles. */
static bool triangle_facing(const graze_placed *placed, graze_vec d, double unit, grz_contact_face *f) {
  const graze_vec *v = placed->shape.as.triangle.vertices;
  const graze_vec p = vec_sub(v[1], v[0]), q = vec_sub(v[2], v[0]), n = vec_cross(p, q);
  const double height = vec_dot(n, d), square = vec_dot(n, n), edges = real_max(vec_dot(p, p), vec_dot(q, q));
  const double steep = GRZ_CONTACT_FACE_STEEP * (1 + FACET_STRAIGHT);
  if (!(square > FACET_FLAT * edges * edges && height * height > steep * steep * square)) return false;
  const size_t order[3] = {0, height > 0 ? 1 : 2, height > 0 ? 2 : 1};
  for (int i = 0; i < 3; i++) side_add(f, &v[order[i]], order[i], unit);
  f->face = 0;
  return true;
}

/* Computes grz_contact_face_facing() for point sets: a facet, edge or vertex, found without adjacency. */
static void facet_facing(const graze_placed *placed, graze_vec d, double unit, grz_contact_face *f) {
  double slack = 0;
  facet_search s;
  const bool triangle = placed->shape.kind == GRAZE_TRIANGLE && placed->shape.dim == 3;
  if (triangle && triangle_facing(placed, d, unit, f)) return;
  s.shape = &placed->shape, s.count = grz_core_count(&placed->shape);
  s.list = grz_is_point_set(&placed->shape) ? placed->shape.as.hull.vertices : NULL;
  s.unit = unit, s.noise = FACET_NOISE * placed->hidden.bounding_radius * unit;
  s.d = d, s.origin = vec_make(0, 0, 0);
  s.top = (size_t)grz_support_local(&placed->shape, d, &slack).index;
  s.origin = facet_vertex(&s, s.top);
  f->count = 0;
  const bool edge = facet_flattest_edge(&s) && side_is_flat(s.run, d);
  if (!edge) {
    facet_add(&s, f, s.top);
  } else if (placed->shape.dim == 2 || !facet_flattest_plane(&s) || vec_dot(s.normal, d) < GRZ_CONTACT_FACE_STEEP) {
    facet_add_edge(&s, f);
  } else {
    facet_collect(&s);
    if (!facet_wrap(&s, f)) facet_reduce(&s, f);
  }
}

/* ---- Shapes with formulas */
enum { FEATURE_RIM = 16, FEATURE_SIDE = 2 * FEATURE_RIM };

static void feature_add(grz_contact_face *f, graze_vec corner, int32_t id) {
  f->corner[f->count] = corner;
  f->id[f->count++] = id;
}

/* The face, or the edge of a 2D box, whose normal is nearest to d. */
static void feature_box(const graze_shape *box, graze_vec d, double unit, grz_contact_face *f) {
  const double component[3] = {d.x, d.y, d.z};
  int axis = 0;
  for (int k = 1; k < box->dim; k++)
    if (real_abs(component[k]) > real_abs(component[axis])) axis = k;
  int32_t top = component[axis] > 0 ? 1 << axis : 0;
  int32_t first = 1 << (axis + 1) % box->dim, second = box->dim == 3 ? 1 << (axis + 2) % 3 : 0;
  const int32_t around[4] = {top, top | first, top | first | second, top | second};
  graze_vec h = vec_scale(box->as.box.half_extents, unit);
  for (int i = 0; i < (box->dim == 3 ? 4 : 2); i++) {
    const int32_t at = around[i]; /* bit k: the positive side of axis k */
    feature_add(f, vec_make(at & 1 ? h.x : -h.x, at & 2 ? h.y : -h.y, at & 4 ? h.z : -h.z), at);
  }
  f->face = 2 * axis + (top != 0);
}

/* cos and sin of k·pi/8. The points are exactly symmetric. */
static graze_vec feature_rim_point(int k) {
  static const double wave[5] = {0, 0.38268343236508977, 0.70710678118654752, 0.92387953251128674, 1};
  int turn = k / 4, step = k % 4;
  double c = wave[4 - step], s = wave[step];
  switch (turn) {
  case 0: return vec_make(c, s, 0);
  case 1: return vec_make(-s, c, 0);
  case 2: return vec_make(-c, -s, 0);
  default: return vec_make(s, -c, 0);
  }
}

static void feature_disk(double radius, double z, int cap, grz_contact_face *f) {
  f->disk = true;
  f->face = cap;
  f->radius = radius;
  f->center = vec_make(0, 0, z);
  for (int k = 0; k < FEATURE_RIM; k++) {
    graze_vec rim = vec_scale(feature_rim_point(k), radius);
    feature_add(f, vec_make(rim.x, rim.y, z), FEATURE_RIM * cap + k);
  }
}

/* The unit vector from the axis towards d; the x axis if d is parallel to the axis. */
static graze_vec feature_radial(graze_vec d) {
  double length = real_sqrt(d.x * d.x + d.y * d.y);
  return length > 0 ? vec_make(d.x / length, d.y / length, 0) : vec_make(1, 0, 0);
}

/* The side line from the rim at -half to the point at distance `top` from the axis at +half. */
static void feature_side(graze_vec radial, double radius, double top, double half, grz_contact_face *f) {
  f->face = 2;
  feature_add(f, vec_make(radial.x * radius, radial.y * radius, -half), FEATURE_SIDE);
  feature_add(f, vec_make(radial.x * top, radial.y * top, half), FEATURE_SIDE + 1);
}

static void feature_cylinder(const graze_shape *s, graze_vec d, double unit, grz_contact_face *f) {
  double radius = s->as.cylinder.radius * unit, half = s->as.cylinder.half_length * unit;
  if (2 * d.z * d.z >= 1)
    feature_disk(radius, d.z > 0 ? half : -half, d.z > 0, f);
  else
    feature_side(feature_radial(d), radius, radius, half, f);
}

/* Base, side line or apex: the one whose normal is nearest to d. */
static void feature_cone(const graze_shape *s, graze_vec d, double unit, grz_contact_face *f) {
  double radius = s->as.cone.radius * unit, half = s->as.cone.half_length * unit;
  double slant = real_sqrt(radius * radius + 4 * half * half);
  graze_vec radial = feature_radial(d);
  double side = slant > 0 ? ((d.x * radial.x + d.y * radial.y) * 2 * half + d.z * radius) / slant : 0;
  if (-d.z >= side && 2 * d.z * d.z >= 1) {
    feature_disk(radius, -half, 0, f);
  } else {
    feature_side(radial, radius, 0, half, f);
    if (side >= GRZ_CONTACT_FACE_STEEP) return;
    bool apex = d.z > 0;
    f->corner[0] = f->corner[apex], f->id[0] = f->id[apex];
    f->count = 1;
  }
}

void grz_contact_face_facing(const graze_placed *placed, graze_vec d, double unit, grz_contact_face *f) {
  f->count = 0;
  f->disk = f->plane = false;
  f->face = 0;
  switch (placed->shape.kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE:
  case GRAZE_ELLIPSOID:
  case GRAZE_USER: return;
  case GRAZE_HALFSPACE: f->plane = true; return;
  case GRAZE_BOX: feature_box(&placed->shape, d, unit, f); return;
  case GRAZE_CYLINDER: feature_cylinder(&placed->shape, d, unit, f); return;
  case GRAZE_CONE: feature_cone(&placed->shape, d, unit, f); return;
  case GRAZE_POLYGON:
    if (!polygon_edge_facing(placed, d, unit, f)) facet_facing(placed, d, unit, f);
    return;
  default: facet_facing(placed, d, unit, f);
  }
}
