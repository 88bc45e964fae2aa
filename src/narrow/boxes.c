/* Two boxes: their relation and penetration depth by separating axes, and witness points.
 *
 * Source: Gottschalk, Lin, Manocha, "OBBTree", 1996. In the frame of A the rounded boxes form a zonotope whose edge
 * axes e_i × m_j are exact in doubles, so no axis is ill-conditioned: docs/theory/axes.md, "Boxes". */
#include "narrow/axes.h"

#include "narrow/search.h"
#include "narrow/trace.h"
#include "shape/placed.h"

/* ---- Witness points of two overlapping boxes */

void grz_box_pair_swap(const box_pair *p, box_pair *swapped) {
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

/* The least overlap `depth` is along n = ±e_i × m_j, unit, from A to B. Computes the intersection of the two edges in
 * the projection along axis i of A. There the edge of A is a point, and the edge m_j is short if both edges are nearly
 * parallel. The position y on m_j then has an error of u·size/|e_i × m_j|, but the point in space has an error of only
 * u·size. */
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

/* ---- The 15 axes (2D: 4) */

/* In units of u·size; derived in docs/theory/axes.md. */
#define BOX_ERROR_LOW 384
#define BOX_ERROR_HIGH 128

/* Two boxes in the frame of A, for SIMD. Row i holds coordinate i of the axes 0, 1 and 2 of B, and of its centre. */
typedef struct box_rows {
  f64x2 m[3][2];
  double a[3], b[3]; /* half extents */
} box_rows;

typedef struct box_axis {
  double overlap; /* along the normalized axis */
  int i, j;       /* face: axis i of A and j = -1, or i = -1 and axis j of B; edges: both */
} box_axis;

/* Smaller entries of the relative rotation are rounding errors. As zeros they leave no edge axis that is nearly
 * zero. */
#define BOX_NOISE 0x1p-54

/* Sets small entries to zero; the last one, the coordinate of the centre, is no entry of the rotation. */
static inline void box_rows_clean(f64x2 row[2]) {
  const u64x2 entries = {UINT64_MAX, 0};
  const f64x2 noise = {BOX_NOISE, BOX_NOISE};
  row[0] = (f64x2)((u64x2)row[0] & ~(u64x2)(f64x2_abs(row[0]) < noise));
  row[1] = (f64x2)((u64x2)row[1] & ~((u64x2)(f64x2_abs(row[1]) < noise) & entries));
}

/* offset: p_a - p_b, rounded, times `unit`. */
static inline void box_rows_make(box_rows *p, const graze_placed *a, const graze_placed *b, graze_vec offset,
                                 double unit) {
  const double *r = a->hidden.rotation, *s = b->hidden.rotation;
  const graze_vec e = a->shape.as.box.half_extents, f = b->shape.as.box.half_extents;
  const f64x2 column[3][2] = {
      {{s[0], s[1]}, {s[2], -offset.x}}, {{s[3], s[4]}, {s[5], -offset.y}}, {{s[6], s[7]}, {s[8], -offset.z}}};
  for (int i = 0; i < 3; i++) {
    for (int h = 0; h < 2; h++) p->m[i][h] = (column[0][h] * r[i] + column[1][h] * r[3 + i]) + column[2][h] * r[6 + i];
    box_rows_clean(p->m[i]);
  }
  p->a[0] = e.x * unit, p->a[1] = e.y * unit, p->a[2] = e.z * unit;
  p->b[0] = f.x * unit, p->b[1] = f.y * unit, p->b[2] = f.z * unit;
}

/* The same in the order of box_pair. */
static void box_pair_of_rows(const box_rows *rows, box_pair *p) {
  for (int i = 0; i < 3; i++) {
    p->m[0][i] = rows->m[i][0][0], p->m[1][i] = rows->m[i][0][1], p->m[2][i] = rows->m[i][1][0];
    p->t[i] = rows->m[i][1][1], p->a[i] = rows->a[i], p->b[i] = rows->b[i];
  }
}

static void box_rows_of_pair(const box_pair *p, box_rows *rows) {
  for (int i = 0; i < 3; i++) {
    rows->m[i][0] = (f64x2){p->m[0][i], p->m[1][i]}, rows->m[i][1] = (f64x2){p->m[2][i], p->t[i]};
    rows->a[i] = p->a[i], rows->b[i] = p->b[i];
  }
}

void grz_box_pair_make(const graze_placed *a, const graze_placed *b, graze_vec offset, double unit, box_pair *pair) {
  box_rows rows;
  box_rows_make(&rows, a, b, offset, unit);
  box_pair_of_rows(&rows, pair);
}

/* The face normals: returns the least overlap. Faces of B must be lower than faces of A by `tie`. */
GRZ_TEMPLATE box_axis box_least_face(const box_rows *p, double tie, const int dim) {
  const f64x2 b01 = {p->b[0], p->b[1]}, b2 = {p->b[2], -1};
  f64x2 own[2] = {b01, {p->b[2], 0}}, distance[2];
  double face_a[3];
  for (int i = 0; i < 3; i++) {
    const f64x2 q[2] = {f64x2_abs(p->m[i][0]), f64x2_abs(p->m[i][1])};
    face_a[i] = p->a[i] + f64x2_sum(q[0] * b01 + q[1] * b2); /* the last product is -|t_i| */
    for (int h = 0; h < 2; h++) {
      const f64x2 centre = p->m[i][h] * p->m[i][1][1];
      own[h] = own[h] + q[h] * p->a[i];
      distance[h] = i == 0 ? centre : distance[h] + centre;
    }
  }
  const f64x2 face_b01 = own[0] - f64x2_abs(distance[0]), face_b2 = own[1] - f64x2_abs(distance[1]);
  const double face_b[3] = {face_b01[0], face_b01[1], face_b2[0]};
  box_axis best = {face_a[0], 0, -1};
  for (int i = 1; i < dim; i++) {
    best.i = face_a[i] < best.overlap ? i : best.i;
    best.overlap = real_min(face_a[i], best.overlap);
  }
  double beat = best.overlap - tie;
  for (int j = 0; j < dim; j++) {
    if (!(face_b[j] < beat)) continue;
    beat = best.overlap = face_b[j];
    best.i = -1, best.j = j;
  }
  return best;
}

/* {v_1, v_2 | v_0, …} and {v_2, v_0 | v_1, …} of {v_0, v_1 | v_2, …}. */
static inline void box_rotate_once(const f64x2 v[2], f64x2 rotated[2]) {
  rotated[0] = (f64x2){v[0][1], v[1][0]}, rotated[1] = v[0];
}
static inline void box_rotate_twice(const f64x2 v[2], f64x2 rotated[2]) {
  rotated[0] = (f64x2){v[1][0], v[0][0]}, rotated[1] = (f64x2){v[0][1], v[0][1]};
}

/* The nine cross products e_i × m_j: with (i, k, l) cyclic they have the coordinates 0, -m_l, m_k. Changes `best` to an
 * axis whose overlap is below `beat`, if there is one, and to the least of these. Parallel edges have overlap 0 and
 * length 0, so they are never the least. */
static inline void box_least_edges(const box_rows *p, double beat, box_axis *best) {
  f64x2 m[3][2], once[3][2], twice[3][2], q[3][2];
  double beat_square = beat * real_abs(beat);
  for (int i = 0; i < 3; i++) {
    m[i][0] = p->m[i][0], m[i][1] = p->m[i][1];
    box_rotate_once(m[i], once[i]);
    box_rotate_twice(m[i], twice[i]);
    for (int h = 0; h < 2; h++) q[i][h] = f64x2_abs(m[i][h]);
  }
  const f64x2 b_once[2] = {{p->b[1], p->b[2]}, {p->b[0], 0}}, b_twice[2] = {{p->b[2], p->b[0]}, {p->b[1], 0}};
  for (int i = 0; i < 3; i++) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    f64x2 minor[2], minor_once[2], minor_twice[2], overlap[2], square[2];
    /* |(m_{j+1} × m_{j+2})_i|: up to order, the projections of the other two edges of B on the axes. */
    for (int h = 0; h < 2; h++) minor[h] = f64x2_abs(once[k][h] * twice[l][h] - once[l][h] * twice[k][h]);
    box_rotate_once(minor, minor_once);
    box_rotate_twice(minor, minor_twice);
    u64x2 lower[2];
    for (int h = 0; h < 2; h++) {
      const f64x2 own = q[l][h] * p->a[k] + q[k][h] * p->a[l];
      const f64x2 other = b_once[h] * minor_twice[h] + b_twice[h] * minor_once[h];
      overlap[h] = (own + other) - f64x2_abs(m[k][h] * m[l][1][1] - m[l][h] * m[k][1][1]);
      square[h] = m[k][h] * m[k][h] + m[l][h] * m[l][h];
      lower[h] = (u64x2)(overlap[h] * f64x2_abs(overlap[h]) < square[h] * beat_square);
    }
    if ((f64x2_sign_mask(lower[0]) | (f64x2_sign_mask(lower[1]) & 1)) == 0) continue;
    for (int j = 0; j < 3; j++) {
      const double x = overlap[j / 2][j % 2], length_square = square[j / 2][j % 2];
      if (!(x * real_abs(x) < beat_square * length_square)) continue;
      best->overlap = x / real_sqrt(length_square);
      best->i = i, best->j = j;
      beat_square = best->overlap * real_abs(best->overlap);
    }
  }
}

/* n = ±e_i × m_j, unit, from A to B, in the frame of A. */
static void box_edge_normal(const box_pair *p, int i, int j, double n[3]) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const double *m = p->m[j], length = real_sqrt(m[k] * m[k] + m[l] * m[l]);
  const double sign = p->t[l] * m[k] - p->t[k] * m[l] >= 0 ? 1 : -1;
  n[i] = 0, n[k] = -sign * m[l] / length, n[l] = sign * m[k] / length;
}

bool grz_box_nearest_edges(const box_pair *p, int32_t edge_a[2], int32_t edge_b[2]) {
  box_rows rows;
  box_axis axis = {0, -1, -1};
  double n[3];
  box_rows_of_pair(p, &rows);
  box_least_edges(&rows, 0, &axis);
  if (axis.i < 0) return false;
  box_edge_normal(p, axis.i, axis.j, n);
  edge_a[0] = edge_b[0] = 0;
  for (int k = 0; k < 3; k++) {
    if (k != axis.i && n[k] > 0) edge_a[0] |= 1 << k;
    if (k != axis.j && !(box_dot(n, p->m[k]) > 0)) edge_b[0] |= 1 << k;
  }
  edge_a[1] = edge_a[0] | 1 << axis.i, edge_b[1] = edge_b[0] | 1 << axis.j;
  return true;
}

/* Transforms the points from the frame of `reference` to the world. */
static void box_to_world(const graze_placed *reference, const double first[3], const double second[3], graze_vec shift,
                         graze_vec *world_first, graze_vec *world_second) {
  *world_first = vec_rotate(reference->hidden.rotation, vec_make(first[0], first[1], first[2]), 3);
  *world_second = vec_add(vec_rotate(reference->hidden.rotation, vec_make(second[0], second[1], second[2]), 3), shift);
}

/* The unit direction of an axis in the world, from A to B. */
static graze_vec box_direction(const graze_placed *a, const graze_placed *b, const box_pair *p, const box_axis *axis) {
  double n[3];
  if (axis->j < 0) return vec_scale(vec_column(a->hidden.rotation, axis->i), p->t[axis->i] >= 0 ? 1 : -1);
  if (axis->i < 0)
    return vec_scale(vec_column(b->hidden.rotation, axis->j), box_dot(p->t, p->m[axis->j]) >= 0 ? 1 : -1);
  box_edge_normal(p, axis->i, axis->j, n);
  return vec_rotate(a->hidden.rotation, vec_make(n[0], n[1], n[2]), 3);
}

/* Computes the witness points of the least overlap. */
static void box_witness(const graze_placed *a, const graze_placed *b, const box_pair *p, graze_vec offset,
                        const box_axis *axis, double tie, grz_axis_depth *out) {
  double on_a[3], on_b[3], n[3];
  box_pair swapped;
  if (axis->i < 0) {
    grz_box_pair_swap(p, &swapped);
    box_face_points(&swapped, axis->j, swapped.t[axis->j] <= 0 ? -1 : 1, tie, on_b, on_a);
    box_to_world(b, on_b, on_a, vec_neg(offset), &out->core_b, &out->core_a);
    return;
  }
  if (axis->j < 0) {
    box_face_points(p, axis->i, p->t[axis->i] >= 0 ? 1 : -1, tie, on_a, on_b);
  } else {
    box_edge_normal(p, axis->i, axis->j, n);
    box_edge_points(p, axis->i, axis->j, n, axis->overlap, tie, on_a, on_b);
  }
  box_to_world(a, on_a, on_b, offset, &out->core_a, &out->core_b);
}

GRZ_TEMPLATE bool box_depth(const grz_obstacle *c, bool certain, grz_axis_depth *out, const int dim) {
  const graze_placed *a = c->a, *b = c->b;
  const graze_vec offset = c->offset;
  const double size = c->size, tie = GRZ_AXIS_TIE * GRZ_U * size, rounding = BOX_ERROR_LOW * GRZ_U * size;
  box_pair p;
  box_rows rows;
  box_rows_make(&rows, a, b, offset, c->unit);
  box_axis best = box_least_face(&rows, tie, dim);
  if (certain && !(best.overlap > rounding)) return false;
  if (dim == 3) box_least_edges(&rows, best.overlap - tie, &best);
  if (certain && !(best.overlap > rounding)) return false;
  box_pair_of_rows(&rows, &p);
  box_witness(a, b, &p, offset, &best, tie, out);
  out->direction = box_direction(a, b, &p, &best);
  out->low = real_max(best.overlap - rounding, 0);
  out->high = best.overlap + BOX_ERROR_HIGH * GRZ_U * size;
  out->best = best.overlap;
  out->axes = dim == 2 ? 4 : 15;
  return true;
}

bool grz_box_depth(const grz_obstacle *c, bool certain, grz_axis_depth *out) {
  return c->dim == 2 ? box_depth(c, certain, out, 2) : box_depth(c, certain, out, 3);
}

/* Beyond these sizes, squares of overlaps leave the range of doubles. */
#define BOX_SMALLEST 0x1p-400
#define BOX_LARGEST 0x1p400

GRZ_TEMPLATE grz_axis_relation box_relation(const graze_placed *a, const graze_placed *b, double clearance,
                                            const int dim) {
  const graze_vec offset = placed_offset(a, b);
  const double size = ((a->hidden.bounding_radius + b->hidden.bounding_radius) + vec_length(offset)) * (1 + 64 * GRZ_U);
  const double radius = ((a->hidden.radius + b->hidden.radius) + clearance) * (1 + 8 * GRZ_U);
  const double overlapping = BOX_ERROR_LOW * GRZ_U * size, separated = -(radius + BOX_ERROR_HIGH * GRZ_U * size);
  grz_axis_relation out = {.relation = GRAZE_UNDECIDED, .axes = 2 * dim};
  box_rows p;
  box_pair pair;
  if (!(size > BOX_SMALLEST && size < BOX_LARGEST)) return out;
  box_rows_make(&p, a, b, offset, 1);
  box_axis best = box_least_face(&p, 0, dim);
  if (dim == 3 && best.overlap >= separated) {
    box_least_edges(&p, real_min(best.overlap, overlapping), &best);
    out.axes = 15;
  }
  if (best.overlap > overlapping) out.relation = GRAZE_OVERLAPPING;
  if (!(best.overlap < separated)) return out;
  out.relation = GRAZE_SEPARATED;
  box_pair_of_rows(&p, &pair);
  out.direction = box_direction(a, b, &pair, &best);
  return out;
}

grz_axis_relation grz_box_relation(const graze_placed *a, const graze_placed *b, double clearance) {
  return a->shape.dim == 2 ? box_relation(a, b, clearance, 2) : box_relation(a, b, clearance, 3);
}

int grz_box_axes(const grz_obstacle *c, graze_vec axis[15]) {
  const int dim = c->dim;
  int count = 0;
  for (int i = 0; i < dim; i++) axis[count++] = vec_column(c->a->hidden.rotation, i);
  for (int j = 0; j < dim; j++) axis[count++] = vec_column(c->b->hidden.rotation, j);
  for (int k = 0; dim == 3 && k < 9; k++) {
    const graze_vec d = vec_cross(axis[k / 3], axis[3 + k % 3]);
    if (vec_norm_inf(d) > 0x1p-30) axis[count++] = vec_unit(d); /* edges are not parallel */
  }
  for (int i = 0; i < count; i++)
    if (vec_dot(axis[i], c->offset) > 0) axis[i] = vec_neg(axis[i]);
  return count;
}
