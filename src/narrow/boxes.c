/* Two boxes: relation, depth by separating axes, and witness points.
 *
 * Theory: docs/theory/box-relation.md, docs/theory/axes.md. */
#include "narrow/axes.h"

#include "narrow/certify.h"
#include "narrow/trace.h"
#include "shape/shape.h"

/* ---- The relation of two boxes in 3D, by the simplex method on min { sum |l_i| : sum l_i z_i = q }.
 *
 * q is the origin and the z_i are vertices of C, relative to the centre of C. If the minimum is less than 1, q is
 * inside the octahedron of three vertices and their opposites, and so inside C. Each support point also tests its
 * direction. Source: Dantzig's simplex method with the support function as its pricing. Theory:
 * docs/theory/box-relation.md. */

enum { SUPPORT_LIMIT = 24 }; /* support points; random boxes need 3 to 6 */

/* A vertex shorter than this many point errors leaves the relation undecided. */
#define LENGTH_IN_ERRORS 16

/* Squared lengths below this value have lost significant digits to underflow. */
#define LEAST_SQUARE 0x1p-800

typedef struct box_vertex {
  graze_vec at;
  int32_t a, b; /* corners */
} box_vertex;

typedef struct box_search {
  const grz_obstacle *c;
  graze_vec q;
  double margin; /* a gap along a unit direction that exceeds this separates */
  graze_vec direction;
  int supports;
} box_search;

/* Returns v or -v, without a branch. */
static inline graze_vec box_signed(graze_vec v, bool plus) {
  return vec_make(real_negate_unless(v.x, plus), real_negate_unless(v.y, plus), real_negate_unless(v.z, plus));
}

/* Computes the vertex farthest along d. Returns whether d separates. z->direction receives d. */
GRZ_TEMPLATE bool box_vertex_support(box_search *z, graze_vec d, box_vertex *vertex, double *height,
                                     const bool traced) {
  const grz_box_support extent = grz_obstacle_box_extent(&z->c->edges, d);
  vertex->at = grz_obstacle_box_corner(&z->c->edges, &extent);
  grz_obstacle_box_indices(&extent, &vertex->a, &vertex->b);
  *height = f64x2_sum(extent.height);
  z->direction = d;
  z->supports++;
  if (traced) grz_trace_direction(z->c, GRAZE_PHASE_BOX_VERTICES, d);
  const double gap = vec_dot(d, z->q) - *height, square = vec_dot(d, d);
  return gap > 0 && square > LEAST_SQUARE && gap > z->margin * real_sqrt(square);
}

/* Returns a direction perpendicular to v. */
static graze_vec box_perpendicular(graze_vec v) {
  const double x = real_abs(v.x), y = real_abs(v.y), z = real_abs(v.z);
  const bool first = x <= y && x <= z;
  return vec_cross(v, vec_make(first, !first && y <= z, !first && y > z));
}

/* Computes three vertices: toward q, then perpendicular to the first, then to both. Returns whether a direction
 * separates. */
GRZ_TEMPLATE bool box_first_vertices(box_search *z, box_vertex v[3], const bool traced) {
  double height;
  const double square = vec_dot(z->q, z->q);
  const graze_vec first = square > LEAST_SQUARE ? z->q : vec_make(1, 0, 0);
  if (box_vertex_support(z, first, &v[0], &height, traced)) return true;
  const graze_vec line = v[0].at;
  graze_vec second = vec_sub(vec_scale(z->q, vec_dot(line, line)), vec_scale(line, vec_dot(line, z->q)));
  if (!(vec_norm1(second) > 0x1p-40 * vec_dot(line, line) * vec_norm1(z->q))) second = box_perpendicular(line);
  if (box_vertex_support(z, second, &v[1], &height, traced)) return true;
  const graze_vec normal = vec_cross(v[0].at, v[1].at);
  return box_vertex_support(z, box_signed(normal, vec_dot(normal, z->q) > 0), &v[2], &height, traced);
}

/* Cramer's rule: q = (sum part_i v_i) / det. */
typedef struct box_solution {
  graze_vec cross[3]; /* v_1 × v_2 and so on */
  double det, part[3];
} box_solution;

static inline box_solution box_solve(const box_search *z, const box_vertex v[3]) {
  box_solution p;
  p.cross[0] = vec_cross(v[1].at, v[2].at);
  p.cross[1] = vec_cross(v[2].at, v[0].at);
  p.cross[2] = vec_cross(v[0].at, v[1].at);
  p.det = vec_dot(p.cross[0], v[0].at);
  for (int i = 0; i < 3; i++) p.part[i] = vec_dot(p.cross[i], z->q);
  return p;
}

static inline double box_norm1(const box_solution *p) {
  return (real_abs(p->part[0]) + real_abs(p->part[1])) + real_abs(p->part[2]);
}

/* True if q is certainly inside: sum |part| < |det|, with the errors of all four determinants. */
static bool box_is_inside(const box_search *z, const box_vertex v[3], const box_solution *p) {
  const grz_obstacle *c = z->c;
  const double x = vec_norm1(v[0].at), y = vec_norm1(v[1].at), w = vec_norm1(v[2].at), q = vec_norm1(z->q);
  const double error = (grz_det_error(x, y, w, c->point_error) + grz_det_error(q, y, w, c->point_error)) +
                       (grz_det_error(x, q, w, c->point_error) + grz_det_error(x, y, q, c->point_error));
  return real_min(real_min(x, y), w) > LENGTH_IN_ERRORS * c->point_error &&
         (box_norm1(p) + error) * (1 + 8 * GRZ_U) < real_abs(p->det);
}

/* The ratio test of the simplex method: replaces a vertex so that q stays in the cone of the vertices and their
 * opposites. */
static inline void box_ratio_test(const box_solution *p, box_vertex v[3], const box_vertex *next) {
  int leaving = 0;
  double most = vec_dot(next->at, p->cross[0]) / p->part[0];
  for (int i = 1; i < 3; i++) {
    const double share = vec_dot(next->at, p->cross[i]) / p->part[i];
    leaving = share > most ? i : leaving;
    most = real_max(share, most);
  }
  v[leaving] = *next;
}

/* The normal of the face of the octahedron toward q. The excess of q beyond that face is sum - |det|. */
static inline graze_vec box_face_normal(const box_solution *p) {
  const graze_vec x = box_signed(p->cross[0], p->part[0] > 0), y = box_signed(p->cross[1], p->part[1] > 0);
  return vec_add(vec_add(x, y), box_signed(p->cross[2], p->part[2] > 0));
}

GRZ_TEMPLATE graze_relation box_simplex_method(box_search *z, box_vertex v[3], const bool traced) {
  box_vertex next;
  double height;
  if (box_first_vertices(z, v, traced)) return GRAZE_SEPARATED;
  while (z->supports < SUPPORT_LIMIT) {
    const box_solution p = box_solve(z, v);
    if (box_norm1(&p) < real_abs(p.det)) return box_is_inside(z, v, &p) ? GRAZE_OVERLAPPING : GRAZE_UNDECIDED;
    if (box_vertex_support(z, box_face_normal(&p), &next, &height, traced)) return GRAZE_SEPARATED;
    if (!(height > real_abs(p.det) * (1 + 0x1p-40))) break; /* a face of C; the side of q is uncertain */
    box_ratio_test(&p, v, &next);
  }
  return GRAZE_UNDECIDED;
}

__attribute__((noinline)) static graze_relation box_traced(box_search *z, box_vertex v[3]) {
  const graze_relation relation = box_simplex_method(z, v, true);
  grz_trace_flush(z->c->tracer, relation == GRAZE_SEPARATED     ? GRAZE_TRACE_ORIGIN_NOT_PASSED
                                : relation == GRAZE_OVERLAPPING ? GRAZE_TRACE_CONTAINS_ORIGIN
                                                                : GRAZE_TRACE_NO_PROGRESS);
  return relation;
}

grz_box_relation grz_box_relation_test(const grz_obstacle *c) {
  box_search z;
  box_vertex v[3];
  z.q = vec_neg(c->offset), z.supports = 0;
  z.margin = (c->support_error + (c->radius + c->radius_error)) * (1 + 16 * GRZ_U);
  z.c = c;
  const graze_relation relation = c->tracer ? box_traced(&z, v) : box_simplex_method(&z, v, false);
  grz_box_relation out = {.relation = relation, .direction = z.direction, .supports = z.supports};
  for (int i = 0; i < 3 && relation == GRAZE_OVERLAPPING; i++) out.a[i] = v[i].a, out.b[i] = v[i].b;
  return out;
}

static grz_pair box_vertex_pair(const grz_obstacle *c, int32_t a, int32_t b) {
  return (grz_pair){a, b, grz_core_vertex(&c->a->shape, (size_t)a), grz_core_vertex(&c->b->shape, (size_t)b), 0};
}

void grz_box_relation_fill(const grz_obstacle *c, const grz_box_relation *relation, grz_result *result) {
  grz_proof *proof = &result->proof;
  result->answer.algorithm = GRAZE_ALGORITHM_BOX_VERTICES;
  result->answer.iterations = relation->supports;
  if (relation->relation == GRAZE_SEPARATED) {
    grz_certify_separated(relation->direction, result);
    return;
  }
  result->answer.relation = GRAZE_OVERLAPPING;
  proof->kind = GRAZE_CERTIFICATE_INSIDE;
  proof->pair_count = 6;
  for (int i = 0; i < 3; i++) {
    proof->pairs[i] = box_vertex_pair(c, relation->a[i], relation->b[i]);
    proof->pairs[3 + i] = box_vertex_pair(c, relation->a[i] ^ 7, relation->b[i] ^ 7);
  }
}

/* ---- Witness points of two overlapping boxes */

/* The same pair in the frame of B, with A and B exchanged. */
static inline void box_pair_swap(const box_pair *p, box_pair *swapped) {
  for (int i = 0; i < 3; i++) {
    swapped->a[i] = p->b[i], swapped->b[i] = p->a[i];
    for (int j = 0; j < 3; j++) swapped->m[i][j] = p->m[j][i];
    swapped->t[i] = -((p->t[0] * p->m[i][0] + p->t[1] * p->m[i][1]) + p->t[2] * p->m[i][2]);
  }
}

/* Clipping a quadrilateral by four lines gives 8 corners. If rounding makes the polygon concave, each line can add half
 * of the corners again, up to 20 corners. */
#define BOX_POLYGON 20

typedef struct box_polygon {
  int count;
  double corner[BOX_POLYGON][3];
} box_polygon;

static inline double box_clamp(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }
static inline double box_dot(const double x[3], const double y[3]) { return (x[0] * y[0] + x[1] * y[1]) + x[2] * y[2]; }

/* The point of A nearest to x; both arrays can be the same. */
static void box_nearest_of_a(const box_pair *p, const double x[3], double nearest[3]) {
  for (int i = 0; i < 3; i++) nearest[i] = box_clamp(x[i], p->a[i]);
}

static void box_nearest_of_b(const box_pair *p, const double x[3], double nearest[3]) {
  double from[3] = {x[0] - p->t[0], x[1] - p->t[1], x[2] - p->t[2]}, y[3];
  for (int j = 0; j < 3; j++) y[j] = box_clamp(box_dot(from, p->m[j]), p->b[j]);
  for (int i = 0; i < 3; i++) nearest[i] = p->t[i] + ((p->m[0][i] * y[0] + p->m[1][i] * y[1]) + p->m[2][i] * y[2]);
}

/* With tied axes, the witness points can lie slightly outside of the two faces. Alternating projections move them
 * back. */
static void box_project_alternating(const box_pair *p, const double n[3], double depth, double tie, double on_a[3],
                                    double on_b[3]) {
  double f[3] = {n[0] * depth, n[1] * depth, n[2] * depth}, back[3];
  for (int pass = 0; pass < 4; pass++) {
    double off = 0;
    for (int i = 0; i < 3; i++) off = real_max(off, real_abs((on_a[i] - on_b[i]) - f[i]));
    if (off <= tie) return;
    for (int i = 0; i < 3; i++) back[i] = on_a[i] - f[i];
    box_nearest_of_b(p, back, on_b);
    for (int i = 0; i < 3; i++) back[i] = on_b[i] + f[i];
    box_nearest_of_a(p, back, on_a);
  }
}

/* The part of a polygon with sign·x_k <= limit (Sutherland, Hodgman 1974). */
static void box_clip(const box_polygon *in, int k, double sign, double limit, box_polygon *out) {
  out->count = 0;
  for (int c = 0; c < in->count; c++) {
    const double *p = in->corner[c], *q = in->corner[c + 1 < in->count ? c + 1 : 0];
    double p_over = sign * p[k] - limit, q_over = sign * q[k] - limit;
    if (p_over <= 0) {
      for (int i = 0; i < 3; i++) out->corner[out->count][i] = p[i];
      out->count++;
    }
    if ((p_over <= 0) == (q_over <= 0)) continue;
    double s = p_over / (p_over - q_over);
    for (int i = 0; i < 3; i++) out->corner[out->count][i] = p[i] + s * (q[i] - p[i]);
    out->corner[out->count++][k] = sign * limit;
  }
}

/* The incident face: the face of B most opposed to the axis. */
static void box_incident_face(const box_pair *p, int i, double sign, box_polygon *face) {
  int j = 0;
  for (int other = 1; other < 3; other++)
    if (real_abs(p->m[other][i]) > real_abs(p->m[j][i])) j = other;
  const int k = (j + 1) % 3, l = (j + 2) % 3;
  double side = sign * p->m[j][i] > 0 ? -p->b[j] : p->b[j];
  static const double corner_k[4] = {-1, 1, 1, -1}, corner_l[4] = {-1, -1, 1, 1};
  face->count = 4;
  for (int c = 0; c < 4; c++) {
    double y_k = corner_k[c] * p->b[k], y_l = corner_l[c] * p->b[l];
    for (int x = 0; x < 3; x++)
      face->corner[c][x] = p->t[x] + ((p->m[j][x] * side + p->m[k][x] * y_k) + p->m[l][x] * y_l);
  }
}

/* The mean of the deepest corners. */
static void box_deepest(const box_polygon *polygon, int i, double sign, double tie, double mean[3]) {
  double deepest = sign * polygon->corner[0][i], count = 0;
  for (int c = 1; c < polygon->count; c++) deepest = real_min(deepest, sign * polygon->corner[c][i]);
  mean[0] = mean[1] = mean[2] = 0;
  for (int c = 0; c < polygon->count; c++) {
    if (sign * polygon->corner[c][i] > deepest + tie) continue;
    for (int x = 0; x < 3; x++) mean[x] += polygon->corner[c][x];
    count++;
  }
  for (int x = 0; x < 3; x++) mean[x] /= count;
}

/* The least overlap is along sign·axis i of A. Computes a deepest point on_b of B (within tie) over that face of A, and
 * the point on_a of the face above it. If B has several deepest points, on_b is the mean of their clipped corners. */
static void box_face_points(const box_pair *p, int i, double sign, double tie, double on_a[3], double on_b[3]) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  bool tied = false;
  double depth = p->a[i] - sign * p->t[i];
  for (int x = 0; x < 3; x++) on_b[x] = p->t[x];
  for (int j = 0; j < 3; j++) {
    double component = sign * p->m[j][i], y = component > 0 ? -p->b[j] : p->b[j];
    tied = tied || (real_abs(component) * p->b[j] <= tie && p->b[j] > tie);
    depth -= component * y;
    for (int x = 0; x < 3; x++) on_b[x] += p->m[j][x] * y;
  }
  bool above = real_abs(on_b[k]) <= p->a[k] && real_abs(on_b[l]) <= p->a[l];
  if (tied || !above) {
    box_polygon polygon, clipped;
    box_incident_face(p, i, sign, &polygon);
    box_clip(&polygon, k, 1, p->a[k], &clipped);
    box_clip(&clipped, k, -1, p->a[k], &polygon);
    box_clip(&polygon, l, 1, p->a[l], &clipped);
    box_clip(&clipped, l, -1, p->a[l], &polygon);
    if (polygon.count > 0) box_deepest(&polygon, i, sign, tie, on_b);
  }
  on_a[k] = box_clamp(on_b[k], p->a[k]), on_a[l] = box_clamp(on_b[l], p->a[l]), on_a[i] = sign * p->a[i];
  if (tied || !above) {
    double n[3] = {0, 0, 0};
    n[i] = sign;
    box_project_alternating(p, n, depth, 4 * tie, on_a, on_b);
  }
}

/* Computes the intersection of the two edges. The least overlap `depth` is along n = ±e_i × m_j, unit, from A to B.
 *
 * The intersection is computed in the projection along axis i of A. There the edge of A is a point, and the edge m_j is
 * short if both edges are nearly parallel. The position y on m_j then has an error of u·size/|e_i × m_j|, but the point
 * in space has an error of only u·size. */
static void box_edge_points(const box_pair *p, int i, int j, const double n[3], double depth, double tie,
                            double on_a[3], double on_b[3]) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const double *m = p->m[j];
  on_a[k] = n[k] > 0 ? p->a[k] : -p->a[k];
  on_a[l] = n[l] > 0 ? p->a[l] : -p->a[l];
  for (int x = 0; x < 3; x++) on_b[x] = p->t[x];
  for (int other = 0; other < 3; other++) {
    if (other == j) continue;
    double y = box_dot(n, p->m[other]) > 0 ? -p->b[other] : p->b[other];
    for (int x = 0; x < 3; x++) on_b[x] += p->m[other][x] * y;
  }
  double to_k = (on_a[k] - n[k] * depth) - on_b[k], to_l = (on_a[l] - n[l] * depth) - on_b[l];
  double y = box_clamp((to_k * m[k] + to_l * m[l]) / (m[k] * m[k] + m[l] * m[l]), p->b[j]);
  for (int x = 0; x < 3; x++) on_b[x] += m[x] * y;
  on_a[i] = box_clamp(on_b[i], p->a[i]);
  box_project_alternating(p, n, depth, 4 * tie, on_a, on_b);
}

/* ---- Depth by 15 separating axes (2D: 4)
 *
 * Source: Gottschalk, Lin, Manocha, "OBBTree", 1996. In the frame of A, the edge axes e_i × m_j of the rounded boxes
 * are exact in doubles, so no axis is ill-conditioned: docs/theory/axes.md, "Boxes". */

/* In units of u·size; derived in docs/theory/axes.md. */
#define BOX_ERROR_LOW 384
#define BOX_ERROR_HIGH 128

typedef struct box_axis {
  double overlap; /* along the normalized axis */
  int i, j;       /* face: axis i of A and j = -1, or i = -1 and axis j of B; edges: both */
} box_axis;

/* The 3 + 3 (2D: 2 + 2) face normals. */
GRZ_TEMPLATE box_axis box_faces(const box_pair *p, double tie, const int dim) {
  double face_a[3], face_b[3];
  for (int i = 0; i < 3; i++) {
    double other = (p->b[0] * real_abs(p->m[0][i]) + p->b[1] * real_abs(p->m[1][i])) + p->b[2] * real_abs(p->m[2][i]);
    face_a[i] = (p->a[i] + other) - real_abs(p->t[i]);
  }
  for (int j = 0; j < 3; j++) {
    const double *m = p->m[j];
    double other = (p->a[0] * real_abs(m[0]) + p->a[1] * real_abs(m[1])) + p->a[2] * real_abs(m[2]);
    face_b[j] = (p->b[j] + other) - real_abs((p->t[0] * m[0] + p->t[1] * m[1]) + p->t[2] * m[2]);
  }
  box_axis best = {face_a[0], 0, -1};
  for (int i = 1; i < dim; i++)
    if (face_a[i] < best.overlap) best.overlap = face_a[i], best.i = i;
  double beat = best.overlap - tie;
  for (int j = 0; j < dim; j++)
    if (face_b[j] < beat) beat = best.overlap = face_b[j], best.i = -1, best.j = j;
  return best;
}

/* The nine cross products e_i × m_j, with (i, k, l) cyclic: coordinates 0, -m_l, m_k. Computes the overlaps times the
 * lengths, and the squared lengths. */
GRZ_TEMPLATE void box_edge_overlaps(const box_pair *p, double overlap[3][3], double square[3][3]) {
  const double(*m)[3] = p->m;
  for (int i = 0; i < 3; i++) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    /* (m_1 × m_2)_i etc.: the projections of the other two edges of B on these axes. */
    double minor[3] = {real_abs(m[1][k] * m[2][l] - m[1][l] * m[2][k]), real_abs(m[2][k] * m[0][l] - m[2][l] * m[0][k]),
                       real_abs(m[0][k] * m[1][l] - m[0][l] * m[1][k])};
    double other[3] = {p->b[1] * minor[2] + p->b[2] * minor[1], p->b[2] * minor[0] + p->b[0] * minor[2],
                       p->b[0] * minor[1] + p->b[1] * minor[0]};
    for (int j = 0; j < 3; j++) {
      double own = p->a[k] * real_abs(m[j][l]) + p->a[l] * real_abs(m[j][k]);
      overlap[i][j] = (own + other[j]) - real_abs(p->t[l] * m[j][k] - p->t[k] * m[j][l]);
      square[i][j] = m[j][k] * m[j][k] + m[j][l] * m[j][l];
    }
  }
}

/* Compares the edge axes with the best face axis. Parallel edges have overlap 0 and length 0, so they never win. */
GRZ_TEMPLATE void box_edges(const box_pair *p, double tie, box_axis *best) {
  double overlap[3][3], square[3][3];
  box_edge_overlaps(p, overlap, square);
  double beat = best->overlap - tie, beat_square = beat * real_abs(beat);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double x = overlap[i][j];
      if (!(x * real_abs(x) < beat_square * square[i][j])) continue;
      best->overlap = beat = x / real_sqrt(square[i][j]);
      beat_square = beat * real_abs(beat);
      best->i = i, best->j = j;
    }
  }
}

/* Transforms the points from the frame of `reference` to the world. */
static void box_to_world(const graze_placed *reference, const double first[3], const double second[3], graze_vec shift,
                         graze_vec *world_first, graze_vec *world_second) {
  *world_first = vec_rotate(reference->hidden.rotation, vec_make(first[0], first[1], first[2]), 3);
  *world_second = vec_add(vec_rotate(reference->hidden.rotation, vec_make(second[0], second[1], second[2]), 3), shift);
}

static void box_by_face_of_a(const graze_placed *a, const box_pair *p, graze_vec offset, const box_axis *axis,
                             double tie, grz_axis_depth *out) {
  double on_a[3], on_b[3], sign = p->t[axis->i] >= 0 ? 1 : -1;
  box_face_points(p, axis->i, sign, tie, on_a, on_b);
  out->direction = vec_scale(vec_column(a->hidden.rotation, axis->i), sign);
  box_to_world(a, on_a, on_b, offset, &out->core_a, &out->core_b);
}

static void box_by_face_of_b(const graze_placed *b, const box_pair *p, graze_vec offset, const box_axis *axis,
                             double tie, grz_axis_depth *out) {
  double on_a[3], on_b[3];
  box_pair swapped;
  box_pair_swap(p, &swapped);
  double sign = swapped.t[axis->j] <= 0 ? 1 : -1;
  box_face_points(&swapped, axis->j, -sign, tie, on_b, on_a);
  out->direction = vec_scale(vec_column(b->hidden.rotation, axis->j), sign);
  box_to_world(b, on_b, on_a, vec_neg(offset), &out->core_b, &out->core_a);
}

static void box_by_edges(const graze_placed *a, const box_pair *p, graze_vec offset, const box_axis *axis, double tie,
                         grz_axis_depth *out) {
  const int i = axis->i, k = (i + 1) % 3, l = (i + 2) % 3;
  const double *m = p->m[axis->j];
  double length = real_sqrt(m[k] * m[k] + m[l] * m[l]);
  double sign = p->t[l] * m[k] - p->t[k] * m[l] >= 0 ? 1 : -1;
  double n[3], on_a[3], on_b[3];
  n[i] = 0, n[k] = -sign * m[l] / length, n[l] = sign * m[k] / length;
  box_edge_points(p, i, axis->j, n, axis->overlap, tie, on_a, on_b);
  out->direction = vec_rotate(a->hidden.rotation, vec_make(n[0], n[1], n[2]), 3);
  box_to_world(a, on_a, on_b, offset, &out->core_a, &out->core_b);
}

GRZ_TEMPLATE void box_depth(const graze_placed *a, const graze_placed *b, graze_vec offset, double unit, double size,
                            grz_axis_depth *out, const int dim) {
  box_pair p;
  double tie = GRZ_AXIS_TIE * GRZ_U * size;
  box_pair_make(a, b, offset, unit, &p);
  box_axis best = box_faces(&p, tie, dim);
  if (dim == 3) box_edges(&p, tie, &best);
  if (best.j < 0)
    box_by_face_of_a(a, &p, offset, &best, tie, out);
  else if (best.i < 0)
    box_by_face_of_b(b, &p, offset, &best, tie, out);
  else
    box_by_edges(a, &p, offset, &best, tie, out);
  out->low = real_max(best.overlap - BOX_ERROR_LOW * GRZ_U * size, 0);
  out->high = best.overlap + BOX_ERROR_HIGH * GRZ_U * size;
  out->best = best.overlap;
  out->axes = dim == 2 ? 4 : 15;
}

void grz_box_depth(const graze_placed *a, const graze_placed *b, graze_vec offset, double unit, double size,
                   grz_axis_depth *out) {
  if (a->shape.dim == 2)
    box_depth(a, b, offset, unit, size, out, 2);
  else
    box_depth(a, b, offset, unit, size, out, 3);
}

int grz_box_axes(const graze_placed *a, const graze_placed *b, graze_vec offset, graze_vec axis[15]) {
  const int dim = a->shape.dim;
  int count = 0;
  for (int i = 0; i < dim; i++) axis[count++] = vec_column(a->hidden.rotation, i);
  for (int j = 0; j < dim; j++) axis[count++] = vec_column(b->hidden.rotation, j);
  for (int k = 0; dim == 3 && k < 9; k++) {
    const graze_vec d = vec_cross(axis[k / 3], axis[3 + k % 3]);
    if (vec_norm_inf(d) > 0x1p-30) axis[count++] = vec_unit(d); /* edges are not parallel */
  }
  for (int i = 0; i < count; i++)
    if (vec_dot(axis[i], offset) > 0) axis[i] = vec_neg(axis[i]);
  return count;
}
