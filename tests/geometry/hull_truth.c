#include "geometry/hull_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle/exact.h"

/* Coordinates are integers, in units of 2^unit; a quarter of each is an integer too. */
typedef struct truth {
  const graze_vec *points;
  size_t count;
  graze_hull hull;   /* a polygon in 2D gets two faces, as in 3D */
  zvec *at, *vertex; /* points, vertices */
  long unit;
  zvec u, v, w, normal;
  mpz_t value;
} truth;

static zvec *whole_points(const graze_vec *points, size_t count, long unit) {
  zvec *at = orc_resize(NULL, count, sizeof *at);
  for (size_t i = 0; i < count; i++) orc_z_init(&at[i]), orc_z_set_vec(&at[i], points[i], unit);
  return at;
}

static void free_points(zvec *at, size_t count) {
  for (size_t i = 0; i < count; i++) orc_z_clear(&at[i]);
  free(at);
}

static void truth_make(truth *t, const graze_vec *points, size_t count, const graze_hull *hull) {
  *t = (truth){.points = points, .hull = *hull, .count = count, .unit = 200};
  for (size_t i = 0; i < count; i++) orc_refine_unit_vec(&t->unit, points[i]);
  for (size_t i = 0; i < hull->vertex_count; i++) orc_refine_unit_vec(&t->unit, hull->vertices[i]); /* may be finer */
  t->unit -= 2;
  t->at = whole_points(points, count, t->unit);
  t->vertex = whole_points(hull->vertices, hull->vertex_count, t->unit);
  orc_z_init(&t->u), orc_z_init(&t->v), orc_z_init(&t->w), orc_z_init(&t->normal), mpz_init(t->value);
}

static void truth_free(truth *t) {
  free_points(t->at, t->count);
  free_points(t->vertex, t->hull.vertex_count);
  orc_z_clear(&t->u), orc_z_clear(&t->v), orc_z_clear(&t->w), orc_z_clear(&t->normal), mpz_clear(t->value);
}

/* normal = (b - a) × (c - a); is it zero? */
static bool on_line(truth *t, const zvec *a, const zvec *b, const zvec *c) {
  orc_z_sub(&t->u, b, a);
  orc_z_sub(&t->v, c, a);
  orc_z_cross(&t->normal, &t->u, &t->v);
  return orc_z_zero(&t->normal);
}

/* The sign of normal·(x - a). */
static int side(truth *t, const zvec *a, const zvec *x) {
  orc_z_sub(&t->w, x, a);
  orc_z_dot(t->value, &t->normal, &t->w);
  return mpz_sgn(t->value);
}

static int orient(truth *t, const zvec *a, const zvec *b, const zvec *c, const zvec *x) {
  return on_line(t, a, b, c) ? 0 : side(t, a, x);
}

/* Selects affinely independent points; returns the dimension. */
static int rank(truth *t, const zvec *at, size_t count, size_t independent[4]) {
  int dim = 0;
  independent[0] = 0;
  for (size_t i = 1; i < count && dim < 3; i++) {
    bool new_one = dim == 0   ? !orc_z_equal(&at[i], &at[independent[0]])
                   : dim == 1 ? !on_line(t, &at[independent[0]], &at[independent[1]], &at[i])
                              : orient(t, &at[independent[0]], &at[independent[1]], &at[independent[2]], &at[i]) != 0;
    if (new_one) independent[++dim] = i;
  }
  return dim;
}

/* ---- Vertices are input points, the first of equal ones, in order. */

typedef struct numbered {
  graze_vec at;
  size_t index;
} numbered;

static int by_coordinates(graze_vec p, graze_vec q) {
  if (p.x != q.x) return p.x < q.x ? -1 : 1;
  if (p.y != q.y) return p.y < q.y ? -1 : 1;
  return p.z < q.z ? -1 : p.z > q.z;
}

static int by_place(const void *a, const void *b) {
  const numbered *p = a, *q = b;
  const int order = by_coordinates(p->at, q->at);
  return order != 0 ? order : p->index < q->index ? -1 : 1;
}

static const char *vertices_fault(const truth *t) {
  const graze_hull *h = &t->hull;
  numbered *sorted = orc_resize(NULL, t->count, sizeof *sorted);
  bool *is_first = orc_resize(NULL, t->count, sizeof *is_first);
  for (size_t i = 0; i < t->count; i++) sorted[i] = (numbered){t->points[i], i};
  qsort(sorted, t->count, sizeof *sorted, by_place);
  for (size_t i = 0; i < t->count; i++)
    is_first[sorted[i].index] = i == 0 || by_coordinates(sorted[i].at, sorted[i - 1].at) != 0;
  const char *fault = NULL;
  for (size_t i = 0; i < h->vertex_count && !fault; i++) {
    size_t index = h->indices[i];
    if (index >= t->count)
      fault = "an index is out of range";
    else if (memcmp(&t->points[index], &h->vertices[i], sizeof(graze_vec)) != 0)
      fault = "a vertex differs from the point of its index";
    else if (!is_first[index])
      fault = "an index is not the first of equal points";
    else if (h->affine_dim != 2 && i > 0 && h->indices[i - 1] >= index)
      fault = "the vertices are not in the order of the input";
    else if (h->dim == 2 && h->affine_dim == 2 && by_coordinates(h->vertices[0], h->vertices[i]) > 0)
      fault = "a polygon does not begin at its least vertex";
  }
  free(sorted), free(is_first);
  return fault;
}

/* ---- Edges. */

typedef struct directed {
  int32_t from, to, face, corner;
} directed;

static int by_ends(const void *a, const void *b) {
  const directed *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return (x->to > y->to) - (x->to < y->to);
}

static int32_t corner_count(const truth *t, int32_t face) {
  return t->hull.face_start[face + 1] - t->hull.face_start[face];
}

static int32_t corner(const truth *t, int32_t face, int32_t i) {
  return t->hull.face_vertices[t->hull.face_start[face] + i % corner_count(t, face)];
}

/* All edges of all faces, sorted; NULL if a number is out of range. */
static directed *all_edges(const truth *t, size_t *count) {
  const graze_hull *h = &t->hull;
  *count = (size_t)h->face_start[h->face_count];
  directed *edge = orc_resize(NULL, *count, sizeof *edge);
  bool good = h->face_start[0] == 0;
  for (int32_t f = 0, k = 0; f < (int32_t)h->face_count; f++) {
    good &= corner_count(t, f) >= 3;
    for (int32_t i = 0; i < corner_count(t, f); i++, k++) {
      edge[k] = (directed){corner(t, f, i), corner(t, f, i + 1), f, i};
      good &= edge[k].from >= 0 && (size_t)edge[k].from < h->vertex_count;
    }
  }
  if (good) qsort(edge, *count, sizeof *edge, by_ends);
  if (!good) free(edge);
  return good ? edge : NULL;
}

static const directed *reverse_of(const directed *edge, size_t count, const directed *e) {
  directed key = {e->to, e->from, 0, 0};
  return bsearch(&key, edge, count, sizeof key, by_ends);
}

static const char *edges_fault(const graze_hull *h, const directed *edge, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (edge[i].from == edge[i].to) return "an edge has no length";
    if (i > 0 && by_ends(&edge[i - 1], &edge[i]) == 0) return "an edge occurs twice in one direction";
    const directed *back = reverse_of(edge, count, &edge[i]);
    if (!back) return "an edge does not occur in reverse";
    if (back->face == edge[i].face) return "a face is adjacent to itself";
  }
  return h->vertex_count + h->face_count == count / 2 + 2 ? NULL : "V - E + F is not 2";
}

static const char *adjacency_fault(const graze_hull *h, const directed *edge, size_t count) {
  const int32_t *start = h->adjacency.start;
  if (!start || start[0] != 0 || start[h->vertex_count] != (int32_t)count) return "the adjacency has the wrong length";
  directed *named = orc_resize(NULL, count, sizeof *named);
  bool good = true;
  for (int32_t i = 0; i < (int32_t)h->vertex_count && good; i++) {
    good = start[i] <= start[i + 1] && start[i + 1] <= (int32_t)count;
    for (int32_t k = start[i]; good && k < start[i + 1]; k++) named[k] = (directed){i, h->adjacency.neighbor[k], 0, 0};
  }
  if (good) qsort(named, count, sizeof *named, by_ends);
  for (size_t i = 0; i < count && good; i++) good = by_ends(&named[i], &edge[i]) == 0;
  free(named);
  return good ? NULL : "the neighbours are not the ends of the edges";
}

/* ---- Faces. */

/* t->normal = the area vector of a face; its length is twice the area. */
static void area_vector(truth *t, int32_t face) {
  zvec sum;
  orc_z_init(&sum);
  for (int32_t i = 2; i < corner_count(t, face); i++) {
    on_line(t, &t->vertex[corner(t, face, 0)], &t->vertex[corner(t, face, i - 1)], &t->vertex[corner(t, face, i)]);
    for (int k = 0; k < 3; k++) mpz_add(sum.at[k], sum.at[k], t->normal.at[k]);
  }
  orc_z_set(&t->normal, &sum);
  orc_z_clear(&sum);
}

/* The sign of ((b - a) × (x - a))·normal. */
static int turn(truth *t, const zvec *a, const zvec *b, const zvec *x) {
  orc_z_sub(&t->u, b, a);
  orc_z_sub(&t->v, x, a);
  orc_z_cross(&t->w, &t->u, &t->v);
  orc_z_dot(t->value, &t->w, &t->normal);
  return mpz_sgn(t->value);
}

/* A face is strictly convex if it is plane, all corners turn left, and it is star-shaped about corner 0: seen from
 * there, each corner is on the left of edge 0 and of the previous corner. Sets t->normal. */
static const char *face_fault(truth *t, int32_t face) {
  const zvec *v = t->vertex, *first = &v[corner(t, face, 0)];
  area_vector(t, face);
  if (orc_z_zero(&t->normal)) return "a face has no area";
  for (int32_t i = 0; i < corner_count(t, face); i++) {
    const zvec *a = &v[corner(t, face, i)], *b = &v[corner(t, face, i + 1)], *c = &v[corner(t, face, i + 2)];
    if (side(t, first, a) != 0) return "a face is not plane";
    bool left = turn(t, a, b, c) > 0;
    if (i > 1) left &= turn(t, first, &v[corner(t, face, 1)], a) > 0;
    if (i > 1) left &= turn(t, first, &v[corner(t, face, i - 1)], a) > 0;
    if (!left) return "a face is not strictly convex";
  }
  return NULL;
}

/* Rounded to long double, because volumes exceed the range of doubles. */
static long double rounded(const mpz_t x, long exponent) {
  long e;
  const double m = mpz_get_d_2exp(&e, x);
  return ldexpl((long double)m, (int)(e + exponent));
}

/* Is x within 1e-12 of the exact number, or within a subnormal step? */
static bool is_near(double x, long double exact) {
  const long double error = fabsl((long double)x - exact);
  return error <= 1e-12L * exact || error <= 0x1p-1074L;
}

/* The area of a polygon is that of one side. */
static const char *measure_fault(truth *t) {
  const int32_t sides = t->hull.affine_dim == 2 ? 1 : (int32_t)t->hull.face_count;
  long double area = 0;
  mpz_t volume;
  mpz_init(volume);
  for (int32_t f = 0; f < sides; f++) {
    area_vector(t, f);
    side(t, &t->vertex[0], &t->vertex[corner(t, f, 0)]);
    mpz_add(volume, volume, t->value);
    orc_z_dot(t->value, &t->normal, &t->normal);
    area += sqrtl(rounded(t->value, 4 * t->unit)) / 2;
  }
  const bool good = is_near(t->hull.volume, rounded(volume, 3 * t->unit) / 6);
  mpz_clear(volume);
  return !is_near(t->hull.area, area) ? "the area is wrong" : good ? NULL : "the volume is wrong";
}

/* ---- Solids. */

/* Does a ray from c through face 0 intersect no other face? */
static bool has_one_sheet(truth *t, const zvec *c) {
  int hits = 0;
  zvec x;
  orc_z_init(&x);
  for (int k = 0; k < 3; k++) { /* x - c = the sum of weight·(corner - c) */
    mpz_mul_si(x.at[k], c->at[k], 1 - 5 - 7 - 11);
    mpz_addmul_ui(x.at[k], t->vertex[corner(t, 0, 0)].at[k], 5);
    mpz_addmul_ui(x.at[k], t->vertex[corner(t, 0, 1)].at[k], 7);
    mpz_addmul_ui(x.at[k], t->vertex[corner(t, 0, 2)].at[k], 11);
  }
  for (int32_t f = 0; f < (int32_t)t->hull.face_count; f++) {
    bool meets = true;
    for (int32_t i = 0; i < corner_count(t, f) && meets; i++)
      meets = orient(t, c, &t->vertex[corner(t, f, i)], &t->vertex[corner(t, f, i + 1)], &x) >= 0;
    hits += meets;
  }
  orc_z_clear(&x);
  return hits == 1;
}

/* Checks that faces are plane and strictly convex, edges are strictly convex, and c is inside all faces. */
static const char *surface_fault(truth *t, const zvec *c, const directed *edge, size_t count) {
  for (int32_t f = 0; f < (int32_t)t->hull.face_count; f++) {
    const char *fault = face_fault(t, f);
    if (fault) return fault;
    const zvec *a = &t->vertex[corner(t, f, 0)];
    if (side(t, a, c) >= 0) return "the centre is not inside";
    for (int32_t i = 0; i < corner_count(t, f); i++) {
      const directed own = {corner(t, f, i), corner(t, f, i + 1), 0, 0}, *back = reverse_of(edge, count, &own);
      if (side(t, a, &t->vertex[corner(t, back->face, back->corner + 2)]) >= 0) return "an edge is not strictly convex";
    }
  }
  return NULL;
}

/* Is no point outside a face? Doubles with an absolute error below 2^-46 decide first; near the face, integers do. */
static const char *others_fault(truth *t) {
  const graze_hull *h = &t->hull;
  double largest = 0, *x = orc_resize(NULL, 3 * t->count, sizeof *x);
  const zvec **other = orc_resize(NULL, t->count, sizeof *other);
  size_t others = 0;
  int exponent;
  for (size_t i = 0; i < t->count; i++)
    largest = fmax(fmax(largest, fabs(t->points[i].x)), fmax(fabs(t->points[i].y), fabs(t->points[i].z)));
  frexp(largest, &exponent);
  for (size_t i = 0, next = 0; i < t->count; i++) {
    if (next < h->vertex_count && h->indices[next] == i && ++next) continue;
    x[3 * others] = ldexp(t->points[i].x, -exponent), x[3 * others + 1] = ldexp(t->points[i].y, -exponent);
    x[3 * others + 2] = ldexp(t->points[i].z, -exponent), other[others++] = &t->at[i];
  }
  bool good = true;
  for (int32_t f = 0; f < (int32_t)h->face_count && good; f++) {
    const graze_vec first = h->vertices[corner(t, f, 0)];
    const double from[3] = {ldexp(first.x, -exponent), ldexp(first.y, -exponent), ldexp(first.z, -exponent)};
    double n[3];
    size_t bits = 0;
    area_vector(t, f);
    for (int k = 0; k < 3; k++)
      if (mpz_sizeinbase(t->normal.at[k], 2) > bits) bits = mpz_sizeinbase(t->normal.at[k], 2);
    for (int k = 0; k < 3; k++) n[k] = (double)rounded(t->normal.at[k], -(long)bits);
    for (size_t i = 0; i < others && good; i++) {
      const double *p = &x[3 * i], height = n[0] * (p[0] - from[0]) + n[1] * (p[1] - from[1]) + n[2] * (p[2] - from[2]);
      good = height < -0x1p-46 || side(t, &t->vertex[corner(t, f, 0)], other[i]) <= 0;
    }
  }
  free(x), free(other);
  return good ? NULL : "a point lies beyond a face";
}

static const char *solid_fault(truth *t, const directed *edge, size_t count) {
  size_t independent[4];
  if (rank(t, t->vertex, t->hull.vertex_count, independent) != 3) return "the vertices do not span space";
  zvec c;
  orc_z_init(&c);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 4; i++) mpz_add(c.at[k], c.at[k], t->vertex[independent[i]].at[k]);
    mpz_divexact_ui(c.at[k], c.at[k], 4);
  }
  const char *fault = surface_fault(t, &c, edge, count);
  if (!fault && !has_one_sheet(t, &c)) fault = "the surface covers the sphere more than once";
  orc_z_clear(&c);
  return fault ? fault : others_fault(t);
}

/* ---- Polygons have two faces, each the reverse of the other. The first has the order of the vertices. */

static const char *polygon_fault(truth *t) {
  const graze_hull *h = &t->hull;
  const int32_t n = (int32_t)h->vertex_count;
  if (h->face_count != 2 || corner_count(t, 0) != n) return "a polygon in 3D does not have two faces";
  const char *fault = face_fault(t, 0);
  if (!fault && h->dim == 2 && mpz_sgn(t->normal.at[2]) <= 0) fault = "a polygon is not counter-clockwise";
  zvec normal, edge;
  orc_z_init(&normal), orc_z_init(&edge);
  orc_z_set(&normal, &t->normal);
  for (int32_t i = 0; i < n && !fault; i++) {
    const zvec *a = &t->vertex[corner(t, 0, i)];
    if (corner(t, 0, i + 1) != (corner(t, 0, i) + 1) % n) fault = "the vertices are not in order around the polygon";
    orc_z_sub(&edge, &t->vertex[corner(t, 0, i + 1)], a);
    orc_z_cross(&t->normal, &normal, &edge); /* points inward */
    for (size_t k = 0; k < t->count && !fault; k++)
      if (side(t, a, &t->at[k]) < 0) fault = "a point lies outside the polygon";
  }
  orc_z_clear(&normal), orc_z_clear(&edge);
  return fault;
}

/* Gives a hull in 2D the two faces that it has in 3D. */
static const char *add_faces(graze_hull *h, int32_t start[3], int32_t **corners) {
  const int32_t n = (int32_t)h->vertex_count;
  if (h->face_count != 0) return "a 2D hull has faces";
  if (n < 3) return "a polygon has fewer than 3 vertices";
  *corners = orc_resize(NULL, 2 * (size_t)n, sizeof **corners);
  for (int32_t i = 0; i < n; i++) (*corners)[i] = (*corners)[2 * n - 1 - i] = i;
  start[0] = 0, start[1] = n, start[2] = 2 * n;
  h->face_start = start, h->face_vertices = *corners, h->face_count = 2;
  return NULL;
}

static const char *surface_of_faces_fault(truth *t) {
  size_t count;
  directed *edge = all_edges(t, &count);
  const char *fault = edge ? edges_fault(&t->hull, edge, count) : "a face has too few corners, or ones out of range";
  if (!fault) fault = adjacency_fault(&t->hull, edge, count);
  if (!fault) fault = t->hull.affine_dim == 3 ? solid_fault(t, edge, count) : polygon_fault(t);
  free(edge);
  return fault ? fault : measure_fault(t);
}

/* ---- Points and segments. */

static const char *low_fault(truth *t) {
  const graze_hull *h = &t->hull;
  const size_t expected = (size_t)h->affine_dim + 1;
  const int32_t *start = h->adjacency.start, *neighbor = h->adjacency.neighbor;
  if (h->vertex_count != expected || h->face_count != 0 || h->area != 0 || h->volume != 0)
    return "wrong counts or sizes";
  if (start[0] != 0 || start[expected] != 2 * h->affine_dim) return "a wrong adjacency";
  if (h->affine_dim == 0) return NULL;
  if (start[1] != 1 || neighbor[0] != 1 || neighbor[1] != 0) return "a wrong adjacency";
  orc_z_sub(&t->normal, &t->vertex[1], &t->vertex[0]);
  for (size_t i = 0; i < t->count; i++)
    if (side(t, &t->vertex[0], &t->at[i]) < 0 || side(t, &t->vertex[1], &t->at[i]) > 0)
      return "a point lies beyond a segment's end";
  return NULL;
}

const char *hull_fault(const graze_vec *points, size_t count, const graze_hull *hull) {
  truth t;
  size_t independent[4];
  int32_t start[3], *corners = NULL;
  truth_make(&t, points, count, hull);
  const char *fault =
      rank(&t, t.at, count, independent) != hull->affine_dim ? "the dimension is wrong" : vertices_fault(&t);
  if (!fault && hull->dim == 2 && hull->affine_dim == 2) fault = add_faces(&t.hull, start, &corners);
  if (!fault) fault = hull->affine_dim < 2 ? low_fault(&t) : surface_of_faces_fault(&t);
  truth_free(&t);
  free(corners);
  return fault;
}
