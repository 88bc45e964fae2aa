#include "build/hull_truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle/exact.h"

/* The input in whole numbers, times `unit`; all of them times 4, so that the centre of four is whole too. */
typedef struct truth {
  const graze_vec *points;
  const graze_convex_hull *hull;
  size_t count;
  zvec *at, *vertex; /* points, vertices */
  long unit;
  zvec u, v, w, normal;
  mpz_t det, sum;
} truth;

static long common_unit(long unit, const graze_vec *points, size_t count) {
  for (size_t i = 0; i < count; i++) orc_take_unit_vec(&unit, points[i]);
  return unit;
}

static zvec *whole_points(const graze_vec *points, size_t count, long unit) {
  zvec *at = orc_room_for(NULL, count, sizeof *at);
  for (size_t i = 0; i < count; i++) {
    orc_z_init(&at[i]);
    orc_put_vec(&at[i], points[i], unit);
    for (int k = 0; k < 3; k++) mpz_mul_2exp(at[i].at[k], at[i].at[k], 2);
  }
  return at;
}

static void free_points(zvec *at, size_t count) {
  for (size_t i = 0; i < count; i++) orc_z_clear(&at[i]);
  free(at);
}

static void truth_make(truth *t, const graze_vec *points, size_t count, const graze_convex_hull *hull) {
  *t = (truth){.points = points, .hull = hull, .count = count, .unit = common_unit(200, points, count)};
  t->unit = common_unit(t->unit, hull->vertices, hull->vertex_count); /* a wrong one may be finer */
  t->at = whole_points(points, count, t->unit);
  t->vertex = whole_points(hull->vertices, hull->vertex_count, t->unit);
  zvec *own[] = {&t->u, &t->v, &t->w, &t->normal};
  for (int i = 0; i < 4; i++) orc_z_init(own[i]);
  mpz_inits(t->det, t->sum, NULL);
}

static void truth_free(truth *t) {
  free_points(t->at, t->count);
  free_points(t->vertex, t->hull->vertex_count);
  zvec *own[] = {&t->u, &t->v, &t->w, &t->normal};
  for (int i = 0; i < 4; i++) orc_z_clear(own[i]);
  mpz_clears(t->det, t->sum, NULL);
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
  orc_z_dot(t->det, &t->normal, &t->w);
  return mpz_sgn(t->det);
}

static int orient(truth *t, const zvec *a, const zvec *b, const zvec *c, const zvec *x) {
  return on_line(t, a, b, c) ? 0 : side(t, a, x);
}

/* Independent points, one after the other; returns the dimension. */
static int rank(truth *t, const zvec *at, size_t count, size_t found[4]) {
  int dim = 0;
  found[0] = 0;
  for (size_t i = 1; i < count && dim < 3; i++) {
    bool new_one = dim == 0   ? !orc_z_equal(&at[i], &at[found[0]])
                   : dim == 1 ? !on_line(t, &at[found[0]], &at[found[1]], &at[i])
                              : orient(t, &at[found[0]], &at[found[1]], &at[found[2]], &at[i]) != 0;
    if (new_one) found[++dim] = i;
  }
  return dim;
}

/* ---- Vertices: input points, the first of equal ones, in order. */

static bool is_same(graze_vec a, graze_vec b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static const graze_vec *sorted_points;

static int by_place(const void *a, const void *b) {
  size_t i = *(const size_t *)a, j = *(const size_t *)b;
  graze_vec p = sorted_points[i], q = sorted_points[j];
  if (p.x != q.x) return p.x < q.x ? -1 : 1;
  if (p.y != q.y) return p.y < q.y ? -1 : 1;
  if (p.z != q.z) return p.z < q.z ? -1 : 1;
  return (i > j) - (i < j);
}

/* first[i]: the first point equal to point i. */
static size_t *first_of_equals(const graze_vec *points, size_t count) {
  size_t *order = orc_room_for(NULL, count, sizeof *order), *first = orc_room_for(NULL, count, sizeof *first);
  for (size_t i = 0; i < count; i++) order[i] = i;
  sorted_points = points;
  qsort(order, count, sizeof *order, by_place);
  for (size_t i = 0; i < count; i++) {
    bool same = i > 0 && is_same(points[order[i]], points[order[i - 1]]);
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  free(order);
  return first;
}

static const char *vertices_fault(const truth *t) {
  const graze_convex_hull *h = t->hull;
  size_t *first = first_of_equals(t->points, t->count);
  const char *fault = NULL;
  for (size_t i = 0; i < h->vertex_count && !fault; i++) {
    size_t index = h->indices[i];
    if (index >= t->count)
      fault = "an index is out of range";
    else if (memcmp(&t->points[index], &h->vertices[i], sizeof(graze_vec)) != 0)
      fault = "a vertex is not the point of its index";
    else if (first[index] != index)
      fault = "an index is not the first of equal points";
    else if (h->affine_dim != 2 && i > 0 && h->indices[i - 1] >= index)
      fault = "the vertices are not in the order of the input";
  }
  free(first);
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

/* All edges of all faces, sorted; NULL if a number is out of range. */
static directed *all_edges(const graze_convex_hull *h, size_t *count) {
  *count = (size_t)h->face_start[h->face_count];
  directed *edge = orc_room_for(NULL, *count, sizeof *edge);
  bool good = h->face_start[0] == 0;
  for (size_t f = 0; f < h->face_count; f++) {
    int32_t start = h->face_start[f], end = h->face_start[f + 1];
    good &= end - start >= 3;
    for (int32_t i = start; i < end; i++) {
      int32_t from = h->face_vertices[i], to = h->face_vertices[i + 1 < end ? i + 1 : start];
      good &= from >= 0 && (size_t)from < h->vertex_count;
      edge[i] = (directed){from, to, (int32_t)f, i};
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

static const char *edges_fault(const graze_convex_hull *h, const directed *edge, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (edge[i].from == edge[i].to) return "an edge has no length";
    if (i > 0 && by_ends(&edge[i - 1], &edge[i]) == 0) return "an edge is met twice in one direction";
    const directed *back = reverse_of(edge, count, &edge[i]);
    if (!back) return "an edge is not met by its reverse";
    if (back->face == edge[i].face) return "a face borders on itself";
  }
  if (h->vertex_count + h->face_count != count / 2 + 2) return "V - E + F is not 2";
  return NULL;
}

static const char *adjacency_fault(const graze_convex_hull *h, const directed *edge, size_t count) {
  const int32_t *start = h->adjacency.start;
  if (!start || start[0] != 0 || start[h->vertex_count] != (int32_t)count) return "the adjacency has the wrong length";
  for (size_t i = 0; i < h->vertex_count; i++) {
    if (start[i + 1] < start[i]) return "the adjacency is not in order";
    for (int32_t k = start[i]; k < start[i + 1]; k++) {
      directed key = {(int32_t)i, h->adjacency.neighbor[k], 0, 0};
      if (!bsearch(&key, edge, count, sizeof key, by_ends)) return "a neighbour is not joined by an edge";
      if (k > start[i] && h->adjacency.neighbor[k] == h->adjacency.neighbor[k - 1]) return "a neighbour is named twice";
    }
  }
  return NULL;
}

/* ---- Area and volume. */

/* Is |x·factor - exact| within 1e-12 of it, or a subnormal step? */
static bool is_near(double x, double factor, const mpf_t exact) {
  mpf_t error, bound;
  mpf_init2(error, 2400), mpf_init2(bound, 2400);
  mpf_set_d(error, x);
  mpf_set_d(bound, factor);
  mpf_mul(error, error, bound);
  mpf_sub(error, error, exact);
  mpf_abs(error, error);
  mpf_set_d(bound, 1e-12);
  mpf_mul(bound, bound, exact);
  bool good = mpf_cmp(error, bound) <= 0;
  mpf_set_d(bound, factor * 0x1p-1074);
  good |= mpf_cmp(error, bound) <= 0;
  mpf_clears(error, bound, NULL);
  return good;
}

static void shift(mpf_t x, long bits) {
  if (bits < 0)
    mpf_div_2exp(x, x, (mp_bitcnt_t)-bits);
  else
    mpf_mul_2exp(x, x, (mp_bitcnt_t)bits);
}

/* t->normal = the area vector of a face, twice its area long. */
static void area_vector(truth *t, size_t face) {
  const graze_convex_hull *h = t->hull;
  const int32_t *corner = h->face_vertices + h->face_start[face];
  int32_t count = h->face_start[face + 1] - h->face_start[face];
  zvec sum;
  orc_z_init(&sum);
  for (int32_t i = 2; i < count; i++) {
    on_line(t, &t->vertex[corner[0]], &t->vertex[corner[i - 1]], &t->vertex[corner[i]]);
    for (int k = 0; k < 3; k++) mpz_add(sum.at[k], sum.at[k], t->normal.at[k]);
  }
  orc_z_set(&t->normal, &sum);
  orc_z_clear(&sum);
}

/* x = |t->normal| */
static void normal_length(truth *t, mpf_t x) {
  orc_z_dot(t->sum, &t->normal, &t->normal);
  mpf_set_z(x, t->sum);
  mpf_sqrt(x, x);
}

static const char *solid_measure_fault(truth *t) {
  const graze_convex_hull *h = t->hull;
  mpf_t area, part;
  mpf_init2(area, 320), mpf_init2(part, 320);
  mpz_t volume;
  mpz_init(volume);
  for (size_t f = 0; f < h->face_count; f++) {
    area_vector(t, f);
    normal_length(t, part);
    mpf_add(area, area, part);
    orc_z_sub(&t->w, &t->vertex[h->face_vertices[h->face_start[f]]], &t->vertex[0]);
    orc_z_dot(t->det, &t->normal, &t->w);
    mpz_add(volume, volume, t->det);
  }
  shift(area, 2 * (t->unit - 2));
  bool good_area = is_near(h->area, 2, area);
  mpf_set_z(area, volume);
  shift(area, 3 * (t->unit - 2));
  bool good_volume = is_near(h->volume, 6, area);
  mpf_clears(area, part, NULL);
  mpz_clear(volume);
  return !good_area ? "the surface is wrong" : !good_volume ? "the volume is wrong" : NULL;
}

/* ---- Solids. */

/* The sign of ((b - a) × (x - a))·normal. */
static int turn(truth *t, const zvec *a, const zvec *b, const zvec *x) {
  orc_z_sub(&t->u, b, a);
  orc_z_sub(&t->v, x, a);
  orc_z_cross(&t->w, &t->u, &t->v);
  orc_z_dot(t->det, &t->w, &t->normal);
  return mpz_sgn(t->det);
}

/* Plane; all corners turn left; seen from corner 0 the others lie left of edge 0, each left of the one before it: so it
 * is star-shaped about corner 0, hence strictly convex. Sets t->normal. */
static const char *face_fault(truth *t, size_t face) {
  const int32_t *corner = t->hull->face_vertices + t->hull->face_start[face];
  const int32_t count = t->hull->face_start[face + 1] - t->hull->face_start[face];
  const zvec *v = t->vertex;
  area_vector(t, face);
  if (orc_z_zero(&t->normal)) return "a face has no area";
  for (int32_t i = 0; i < count; i++) {
    if (side(t, &v[corner[0]], &v[corner[i]]) != 0) return "a face is not plane";
    bool left = turn(t, &v[corner[i]], &v[corner[(i + 1) % count]], &v[corner[(i + 2) % count]]) > 0;
    if (i > 1) left &= turn(t, &v[corner[0]], &v[corner[1]], &v[corner[i]]) > 0;
    if (i > 1) left &= turn(t, &v[corner[0]], &v[corner[i - 1]], &v[corner[i]]) > 0;
    if (!left) return "a face is not strictly convex";
  }
  return NULL;
}

/* Does the cone from c over the triangle hold x? 1: in its interior; 0: on its boundary. */
static int cone_holds(truth *t, const zvec *c, const zvec *const corner[3], const zvec *x) {
  int least = 1;
  for (int k = 0; k < 3 && least >= 0; k++) {
    int s = orient(t, c, corner[k], corner[(k + 1) % 3], x);
    if (s < least) least = s;
  }
  return least;
}

/* The next triangle of the faces' fans; false: there are no more. */
static bool next_triangle(const graze_convex_hull *h, size_t *face, int32_t *at) {
  if (++*at < h->face_start[*face + 1]) return true;
  if (++*face == h->face_count) return false;
  *at = h->face_start[*face] + 2;
  return true;
}

static void triangle_corners(const truth *t, size_t face, int32_t at, const zvec *corner[3]) {
  const int32_t *v = t->hull->face_vertices;
  corner[0] = &t->vertex[v[t->hull->face_start[face]]];
  corner[1] = &t->vertex[v[at - 1]];
  corner[2] = &t->vertex[v[at]];
}

/* Does a ray from c through a triangle of face 0 meet no other triangle of a face? */
static bool has_one_sheet(truth *t, const zvec *c) {
  const zvec *corner[3];
  zvec x;
  orc_z_init(&x);
  triangle_corners(t, 0, 2, corner);
  const int weights[3] = {5, 7, 11};
  for (int k = 0; k < 3; k++) { /* x - c = the sum of weight·(corner - c) */
    mpz_set(x.at[k], c->at[k]);
    for (int i = 0; i < 3; i++) {
      mpz_sub(t->sum, corner[i]->at[k], c->at[k]);
      mpz_addmul_ui(x.at[k], t->sum, (unsigned long)weights[i]);
    }
  }
  size_t face = 0, hits = 0;
  for (int32_t at = 1; next_triangle(t->hull, &face, &at);) {
    if (at < 2) continue;
    triangle_corners(t, face, at, corner);
    hits += cone_holds(t, c, corner, &x) >= 0;
  }
  orc_z_clear(&x);
  return hits == 1;
}

/* Faces plane and strictly convex, edges strictly convex, c below all faces. */
static const char *surface_fault(truth *t, const zvec *c, const directed *edge, size_t count) {
  const graze_convex_hull *h = t->hull;
  for (size_t f = 0; f < h->face_count; f++) {
    const char *fault = face_fault(t, f);
    if (fault) return fault;
    if (side(t, &t->vertex[h->face_vertices[h->face_start[f]]], c) >= 0) return "the centre is not inside";
  }
  for (size_t i = 0; i < count; i++) {
    const directed *back = reverse_of(edge, count, &edge[i]);
    int32_t start = h->face_start[back->face], end = h->face_start[back->face + 1];
    int32_t off = back->corner, steps = 2; /* two steps from the edge's beginning: a corner that is not on it */
    while (steps-- > 0) off = off + 1 < end ? off + 1 : start;
    const int32_t *own = h->face_vertices + h->face_start[edge[i].face];
    int32_t third = edge[i].corner + 2 - h->face_start[edge[i].face];
    int32_t own_count = h->face_start[edge[i].face + 1] - h->face_start[edge[i].face];
    if (orient(t, &t->vertex[edge[i].from], &t->vertex[edge[i].to], &t->vertex[own[third % own_count]],
               &t->vertex[h->face_vertices[off]]) >= 0)
      return "an edge is not strictly convex";
  }
  return NULL;
}

/* All points that are no vertex, with coordinates up to 1 in doubles, too. */
typedef struct others {
  const zvec **at;
  double (*rounded)[3];
  size_t count;
} others;

static void round_vec(double out[3], const zvec *v, long exponent) {
  for (int k = 0; k < 3; k++) {
    long e;
    const double m = mpz_get_d_2exp(&e, v->at[k]);
    out[k] = m == 0 ? 0 : ldexp(m, (int)(e - exponent));
  }
}

static void largest_exponent(long *exponent, const zvec *v) {
  for (int k = 0; k < 3; k++) {
    const long bits = (long)mpz_sizeinbase(v->at[k], 2);
    if (bits > *exponent) *exponent = bits;
  }
}

static others others_make(const truth *t, long *exponent) {
  others o = {orc_room_for(NULL, t->count, sizeof *o.at), orc_room_for(NULL, t->count, sizeof *o.rounded), 0};
  size_t *first = first_of_equals(t->points, t->count);
  bool *is_vertex = calloc(t->count, sizeof *is_vertex);
  orc_require(is_vertex != NULL, "out of memory");
  for (size_t i = 0; i < t->hull->vertex_count; i++) is_vertex[t->hull->indices[i]] = true;
  for (size_t i = 0; i < t->count; i++) largest_exponent(exponent, &t->at[i]);
  for (size_t i = 0; i < t->count; i++) {
    if (first[i] != i || is_vertex[i]) continue;
    round_vec(o.rounded[o.count], &t->at[i], *exponent);
    o.at[o.count++] = &t->at[i];
  }
  free(first), free(is_vertex);
  return o;
}

/* Decided in doubles of absolute error below 2^-46, near the face in whole numbers. */
static const char *others_fault(truth *t) {
  long exponent = 0;
  others o = others_make(t, &exponent);
  bool good = true;
  for (size_t f = 0; f < t->hull->face_count && good; f++) {
    const zvec *a = &t->vertex[t->hull->face_vertices[t->hull->face_start[f]]];
    double n[3], from[3];
    long size = 0;
    area_vector(t, f);
    largest_exponent(&size, &t->normal);
    round_vec(n, &t->normal, size);
    round_vec(from, a, exponent);
    for (size_t i = 0; i < o.count && good; i++) {
      const double *x = o.rounded[i];
      const double height = n[0] * (x[0] - from[0]) + n[1] * (x[1] - from[1]) + n[2] * (x[2] - from[2]);
      good = height < -0x1p-46 || side(t, a, o.at[i]) <= 0;
    }
  }
  free(o.at), free(o.rounded);
  return good ? NULL : "a point lies beyond a face";
}

static const char *solid_fault(truth *t) {
  const graze_convex_hull *h = t->hull;
  size_t count, found[4];
  directed *edge = all_edges(h, &count);
  const char *fault = edge ? edges_fault(h, edge, count) : "a face has too few corners, or ones out of range";
  if (!fault) fault = adjacency_fault(h, edge, count);
  if (!fault && rank(t, t->vertex, h->vertex_count, found) != 3) fault = "the vertices do not span space";
  zvec c;
  orc_z_init(&c);
  for (int i = 0; i < 4 && !fault; i++)
    for (int k = 0; k < 3; k++) mpz_add(c.at[k], c.at[k], t->vertex[found[i]].at[k]);
  for (int k = 0; k < 3; k++) mpz_divexact_ui(c.at[k], c.at[k], 4);
  if (!fault) fault = surface_fault(t, &c, edge, count);
  if (!fault && !has_one_sheet(t, &c)) fault = "the surface covers the sphere more than once";
  if (!fault) fault = others_fault(t);
  if (!fault) fault = solid_measure_fault(t);
  orc_z_clear(&c);
  free(edge);
  return fault;
}

/* ---- Lower dimensions. */

/* In 3D two faces, of which the second goes around in the opposite sense; each vertex has its two neighbours. */
static const char *polygon_lists_fault(const graze_convex_hull *h) {
  const int32_t n = (int32_t)h->vertex_count, *start = h->face_start;
  if (h->dim == 2 && h->face_count != 0) return "a 2D hull has faces";
  if (h->dim == 3 && (h->face_count != 2 || start[0] != 0 || start[1] != n || start[2] != 2 * n))
    return "a polygon in 3D does not have two faces";
  for (int32_t i = 0; i < n; i++) {
    const int32_t next = (i + 1) % n, before = (i + n - 1) % n, *two = h->adjacency.neighbor + 2 * (size_t)i;
    if (h->adjacency.start[i] != 2 * i || h->adjacency.start[i + 1] != 2 * i + 2) return "not two neighbours";
    if (!((two[0] == next && two[1] == before) || (two[1] == next && two[0] == before))) return "a wrong neighbour";
    if (h->dim == 2) continue;
    const int32_t *a = h->face_vertices, *b = a + n;
    if (a[next] != (a[i] + 1) % n || b[i] != (b[next] + 1) % n) return "a polygon's faces do not go around it";
  }
  return NULL;
}

/* t->normal = twice the polygon's area vector. */
static const char *polygon_fault(truth *t) {
  const graze_convex_hull *h = t->hull;
  size_t n = h->vertex_count;
  if (n < 3) return "a polygon has fewer than 3 vertices";
  zvec normal, edge;
  orc_z_init(&normal), orc_z_init(&edge);
  for (size_t i = 2; i < n; i++) {
    on_line(t, &t->vertex[0], &t->vertex[i - 1], &t->vertex[i]);
    for (int k = 0; k < 3; k++) mpz_add(normal.at[k], normal.at[k], t->normal.at[k]);
  }
  const char *fault = h->dim == 2 && mpz_sgn(normal.at[2]) <= 0 ? "a polygon is not counter-clockwise" : NULL;
  for (size_t i = 0; i < n && !fault; i++) {
    const zvec *a = &t->vertex[i];
    orc_z_sub(&edge, &t->vertex[(i + 1) % n], a);
    orc_z_cross(&t->normal, &normal, &edge); /* points inward */
    for (size_t k = 0; k < t->count && !fault; k++) {
      if (side(t, a, &t->at[k]) < 0) fault = "a point lies outside the polygon";
    }
    for (size_t k = 2; k < n && !fault; k++) {
      if (side(t, a, &t->vertex[(i + k) % n]) <= 0) fault = "a polygon is not strictly convex";
    }
    if (h->dim == 2 && i > 0 &&
        !(h->vertices[0].x < h->vertices[i].x ||
          (h->vertices[0].x == h->vertices[i].x && h->vertices[0].y < h->vertices[i].y)))
      fault = "a polygon does not begin at its least vertex";
  }
  orc_z_set(&t->normal, &normal);
  orc_z_clear(&normal), orc_z_clear(&edge);
  mpf_t area;
  mpf_init2(area, 320);
  normal_length(t, area);
  shift(area, 2 * (t->unit - 2));
  if (!fault && !is_near(h->area, 2, area)) fault = "the area is wrong";
  mpf_clear(area);
  if (!fault && h->volume != 0) fault = "a polygon has a volume";
  return fault ? fault : polygon_lists_fault(h);
}

static const char *low_fault(truth *t) {
  const graze_convex_hull *h = t->hull;
  size_t expected = (size_t)h->affine_dim + 1;
  if (h->vertex_count != expected || h->face_count != 0 || h->area != 0 || h->volume != 0)
    return "wrong counts or sizes";
  const int32_t *start = h->adjacency.start;
  if (start[0] != 0 || start[expected] != 2 * h->affine_dim) return "a wrong adjacency";
  if (h->affine_dim == 0) return NULL;
  if (start[1] != 1 || h->adjacency.neighbor[0] != 1 || h->adjacency.neighbor[1] != 0) return "a wrong adjacency";
  orc_z_sub(&t->normal, &t->vertex[1], &t->vertex[0]);
  for (size_t i = 0; i < t->count; i++) {
    if (side(t, &t->vertex[0], &t->at[i]) < 0 || side(t, &t->vertex[1], &t->at[i]) > 0)
      return "a point lies beyond a segment's end";
  }
  return NULL;
}

const char *hull_fault(const graze_vec *points, size_t count, const graze_convex_hull *hull) {
  truth t;
  size_t found[4];
  truth_make(&t, points, count, hull);
  const char *fault = NULL;
  if (rank(&t, t.at, count, found) != hull->affine_dim) fault = "the dimension is wrong";
  if (!fault) fault = vertices_fault(&t);
  if (!fault)
    fault = hull->affine_dim == 3 ? solid_fault(&t) : hull->affine_dim == 2 ? polygon_fault(&t) : low_fault(&t);
  truth_free(&t);
  return fault;
}
