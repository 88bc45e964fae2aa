/* Overlap of two boxes on 15 axes, in the frame of A. The rounded boxes are a zonotope whose edge axes e_i × m_j are
 * exact in doubles, so no axis is ill-conditioned: docs/theory/axes.md, "Boxes". */
#include "narrow/box_axes.h"

#include "narrow/box_witness.h"

/* In units of u·size; docs/theory/axes.md derives them. */
#define BOX_ERROR_LOW 384
#define BOX_ERROR_HIGH 128

typedef struct box_axis {
  double overlap; /* on the axis made unit */
  int i, j;       /* face: axis i of A and j = -1, or i = -1 and axis j of B; edges: both */
} box_axis;

/* The 3 + 3 (2 + 2) face normals. */
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

/* The 9 products of edges e_i × m_j, with (i, k, l) cyclic: coordinates 0, -m_l, m_k. Their overlaps, times their
 * lengths, and the squares of those. */
GRZ_TEMPLATE void box_edge_overlaps(const box_pair *p, double overlap[3][3], double square[3][3]) {
  const double(*m)[3] = p->m;
  for (int i = 0; i < 3; i++) {
    const int k = (i + 1) % 3, l = (i + 2) % 3;
    /* (m_1 × m_2)_i and so on: what the other two edges of B have on these axes. */
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

/* Parallel edges have overlap 0 and length 0, and beat nothing. */
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

/* The points in the frame of `reference` to the world. */
static void box_to_world(const graze_placed *reference, const double first[3], const double second[3], graze_vec shift,
                         graze_vec *world_first, graze_vec *world_second) {
  *world_first = vec_rotate(reference->hidden.rotation, vec_make(first[0], first[1], first[2]), 3);
  *world_second = vec_add(vec_rotate(reference->hidden.rotation, vec_make(second[0], second[1], second[2]), 3), shift);
}

static void box_by_face_of_a(const graze_placed *a, const box_pair *p, graze_vec offset, const box_axis *axis,
                             double tie, grz_axis_depth *out) {
  double on_a[3], on_b[3], sign = p->t[axis->i] >= 0 ? 1 : -1;
  grz_box_face_points(p, axis->i, sign, tie, on_a, on_b);
  out->direction = vec_scale(vec_column(a->hidden.rotation, axis->i), sign);
  box_to_world(a, on_a, on_b, offset, &out->core_a, &out->core_b);
}

static void box_by_face_of_b(const graze_placed *b, const box_pair *p, graze_vec offset, const box_axis *axis,
                             double tie, grz_axis_depth *out) {
  double on_a[3], on_b[3];
  box_pair swapped;
  box_pair_swap(p, &swapped);
  double sign = swapped.t[axis->j] <= 0 ? 1 : -1;
  grz_box_face_points(&swapped, axis->j, -sign, tie, on_b, on_a);
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
  grz_box_edge_points(p, i, axis->j, n, axis->overlap, tie, on_a, on_b);
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
