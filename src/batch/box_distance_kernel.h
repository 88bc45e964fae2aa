/* Distances of boxes with SIMD, in doubles, one pair per SIMD element, without a search. The nearest points are a
 * vertex and the nearest point of the other box, or lie on two edges; these are then the edges of the axis with the
 * largest gap among the nine products of edges (Gottschalk, Lin and Manocha, OBBTree, 1996). All of this is a proposal,
 * which pairs_kernel.h proves. docs/theory/simd.md, "Distances of boxes". Compiled by kernels.c, after pairs_kernel.h.
 */
#include "batch/job.h"

/* Shorter axes, squared, are rounding errors of nearly parallel edges. */
#define CLOSEST_NOISE 0x1p-100

/* The square of the shortest direction whose gap has relative accuracy: docs/theory/rounding.md, "Range of d". */
#define CLOSEST_MIN_SQUARE 0x1p-960

/* Two boxes in the frame of A. */
typedef struct closest_boxes {
  f64xn a[3], b[3]; /* half extents */
  f64xn m[3][3];    /* m[j]: axis j of B */
  f64xn t[3];       /* the centre of B */
} closest_boxes;

/* A point of each box. */
typedef struct closest_points {
  f64xn square;     /* of their distance */
  f64xn a[3], b[3]; /* in the frames of A and B */
  f64xn d[3];       /* a direction from B to A, in the frame of A */
} closest_points;

GRZ_TEMPLATE f64xn closest_clamp(f64xn x, f64xn limit) { return f64xn_min(f64xn_max(x, f64xn_all(0) - limit), limit); }

/* Loads the half extents from the last vertex, which lies on the positive sides. */
GRZ_TEMPLATE void closest_extents(const grz_batch_pairs *pairs, size_t first, const int side, f64xn half[3]) {
  const double *last[F64XN_WIDTH];
  for (int i = 0; i < 3; i++) {
    for (size_t k = 0; k < F64XN_WIDTH; k++) last[k] = points_set_of(pairs, side, first + k)->points + (7 + 8 * i);
    half[i] = f64xn_gather(last);
  }
}

GRZ_TEMPLATE void closest_transform(const points_pair *pair, closest_boxes *p) {
  f64xn toward[3], column[3];
  for (int i = 0; i < 3; i++) toward[i] = f64xn_all(0) - pair->offset[i];
  pose_unrotate(pair->rotation_a, toward, p->t);
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) column[i] = pair->rotation_b[3 * i + j];
    pose_unrotate(pair->rotation_a, column, p->m[j]);
  }
}

/* The same pair in the frame of B, with A and B exchanged. */
GRZ_TEMPLATE void closest_swap(const closest_boxes *p, closest_boxes *swapped) {
  for (int i = 0; i < 3; i++) {
    swapped->a[i] = p->b[i], swapped->b[i] = p->a[i];
    swapped->t[i] = f64xn_all(0) - simplex_dot(p->t, p->m[i]);
    for (int j = 0; j < 3; j++) swapped->m[i][j] = p->m[j][i];
  }
}

/* A point of B in the frame of A. */
GRZ_TEMPLATE void closest_of_b(const closest_boxes *p, const f64xn y[3], f64xn at[3]) {
  for (int i = 0; i < 3; i++) at[i] = p->t[i] + ((p->m[0][i] * y[0] + p->m[1][i] * y[1]) + p->m[2][i] * y[2]);
}

/* The vertex of B nearest to A, and the point of A nearest to it. The eight vertices are compared in three rounds, one
 * for each bit of their numbers. */
GRZ_TEMPLATE void closest_vertex(const closest_boxes *p, closest_points *n) {
  const f64xn zero = f64xn_all(0);
  f64xn square[8], y[4][3], at[3];
  for (int i = 0; i < 3; i++) {
    const f64xn e = p->m[0][i] * p->b[0], f = p->m[1][i] * p->b[1], g = p->m[2][i] * p->b[2];
    for (int k = 0; k < 8; k++) {
      const f64xn x = k & 1 ? p->t[i] + e : p->t[i] - e, edge = k & 2 ? x + f : x - f;
      const f64xn outside = f64xn_max(f64xn_abs(k & 4 ? edge + g : edge - g) - p->a[i], zero);
      square[k] = i == 0 ? outside * outside : square[k] + outside * outside;
    }
  }
  for (int bit = 0; bit < 3; bit++) {
    for (int k = 0; k < 4 >> bit; k++) {
      const f64xn_mask second = f64xn_less(square[2 * k + 1], square[2 * k]);
      square[k] = f64xn_select(second, square[2 * k + 1], square[2 * k]);
      for (int i = 0; i < bit; i++) y[k][i] = f64xn_select(second, y[2 * k + 1][i], y[2 * k][i]);
      y[k][bit] = f64xn_select(second, p->b[bit], zero - p->b[bit]);
    }
  }
  closest_of_b(p, y[0], at);
  for (int i = 0; i < 3; i++) {
    n->a[i] = closest_clamp(at[i], p->a[i]), n->b[i] = y[0][i];
    n->d[i] = n->a[i] - at[i];
  }
  n->square = square[0];
}

/* The axis e_i × m_j with the largest gap. */
typedef struct closest_axis {
  f64xn square, length_square; /* the square of the gap times the length of the axis, and that of the length */
  f64xn n[3];                  /* the axis, from A to B */
  f64xn m[3];                  /* axis j of B */
  f64xn_mask i[3], j[3];       /* which edges */
} closest_axis;

GRZ_TEMPLATE void closest_test_axis(const closest_boxes *p, const int i, const int j, closest_axis *best) {
  const int k = (i + 1) % 3, l = (i + 2) % 3, first = (j + 1) % 3, second = (j + 2) % 3;
  const f64xn zero = f64xn_all(0), none = zero - p->m[j][l];
  const f64xn of_first = p->m[first][l] * p->m[j][k] - p->m[first][k] * p->m[j][l];
  const f64xn of_second = p->m[second][l] * p->m[j][k] - p->m[second][k] * p->m[j][l];
  const f64xn distance = p->t[l] * p->m[j][k] - p->t[k] * p->m[j][l];
  const f64xn own = f64xn_abs(p->m[j][l]) * p->a[k] + f64xn_abs(p->m[j][k]) * p->a[l];
  const f64xn other = f64xn_abs(of_first) * p->b[first] + f64xn_abs(of_second) * p->b[second];
  const f64xn gap = f64xn_max(f64xn_abs(distance) - (own + other), zero), square = gap * gap;
  const f64xn length_square = p->m[j][k] * p->m[j][k] + p->m[j][l] * p->m[j][l];
  const f64xn_mask better = f64xn_and(f64xn_less(f64xn_all(CLOSEST_NOISE), length_square),
                                      f64xn_less(best->square * length_square, square * best->length_square));
  const f64xn_mask minus = f64xn_less(distance, zero);
  const f64xn axis_k = f64xn_select(minus, p->m[j][l], none),
              axis_l = f64xn_select(minus, zero - p->m[j][k], p->m[j][k]);
  best->square = f64xn_select(better, square, best->square);
  best->length_square = f64xn_select(better, length_square, best->length_square);
  best->n[i] = f64xn_select(better, zero, best->n[i]);
  best->n[k] = f64xn_select(better, axis_k, best->n[k]);
  best->n[l] = f64xn_select(better, axis_l, best->n[l]);
  simplex_select(better, p->m[j], best->m, best->m);
  for (int x = 0; x < 3; x++) {
    best->i[x] = x == i ? f64xn_or(best->i[x], better) : f64xn_and_not(best->i[x], better);
    best->j[x] = x == j ? f64xn_or(best->j[x], better) : f64xn_and_not(best->j[x], better);
  }
}

/* The nearest points of the lines of the edges of the best axis; infinitely distant if they are not inside both
 * edges. */
GRZ_TEMPLATE void closest_edges(const closest_boxes *p, closest_points *n) {
  const f64xn zero = f64xn_all(0), one = f64xn_all(1);
  const f64xn_mask never = f64xn_less(zero, zero);
  closest_axis axis = {zero, one, {zero, zero, zero}, {zero, zero, zero}, {never, never, never}, {never, never, never}};
  f64xn at[3], c = zero, s = zero, half_a = zero, half_b = zero;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) closest_test_axis(p, i, j, &axis);

  /* The middles of the two edges, and their difference. */
  for (int i = 0; i < 3; i++) {
    const f64xn side_a = f64xn_select(f64xn_less(zero, axis.n[i]), p->a[i], zero - p->a[i]);
    const f64xn side_b = f64xn_select(f64xn_less(zero, simplex_dot(axis.n, p->m[i])), zero - p->b[i], p->b[i]);
    n->a[i] = f64xn_select(axis.i[i], zero, side_a), n->b[i] = f64xn_select(axis.j[i], zero, side_b);
    half_a = f64xn_select(axis.i[i], p->a[i], half_a), half_b = f64xn_select(axis.j[i], p->b[i], half_b);
    c = f64xn_select(axis.i[i], axis.m[i], c);
  }
  closest_of_b(p, n->b, at);
  for (int i = 0; i < 3; i++) {
    at[i] = at[i] - n->a[i];
    s = f64xn_select(axis.i[i], at[i], s);
  }

  /* Ericson 2005, 5.1.8, for unit vectors. */
  const f64xn f = simplex_dot(at, axis.m), x = (s - c * f) / (one - c * c), y = c * x - f;
  const f64xn_mask inside = f64xn_and(f64xn_less(f64xn_abs(x), half_a), f64xn_less(f64xn_abs(y), half_b));
  for (int i = 0; i < 3; i++) {
    n->a[i] = f64xn_select(axis.i[i], x, n->a[i]), n->b[i] = f64xn_select(axis.j[i], y, n->b[i]);
    at[i] = (at[i] + axis.m[i] * y) - f64xn_select(axis.i[i], x, zero);
    n->d[i] = zero - axis.n[i];
  }
  n->square = f64xn_select(inside, simplex_dot(at, at), f64xn_all(__builtin_inf()));
}

/* Computes the nearest points of all three kinds, and selects the nearest of them. */
GRZ_TEMPLATE void closest_pair(const closest_boxes *p, closest_points *n) {
  closest_boxes swapped;
  closest_points other;
  f64xn d[3];
  closest_swap(p, &swapped);
  closest_vertex(p, n);
  closest_vertex(&swapped, &other);
  const f64xn_mask of_a = f64xn_less(other.square, n->square);
  for (int i = 0; i < 3; i++) d[i] = f64xn_all(0) - simplex_dot(swapped.m[i], other.d);
  n->square = f64xn_select(of_a, other.square, n->square);
  simplex_select(of_a, other.b, n->a, n->a);
  simplex_select(of_a, other.a, n->b, n->b);
  simplex_select(of_a, d, n->d, n->d);
  closest_edges(p, &other);
  const f64xn_mask edges = f64xn_less(other.square, n->square);
  simplex_select(edges, other.a, n->a, n->a);
  simplex_select(edges, other.b, n->b, n->b);
  simplex_select(edges, other.d, n->d, n->d);
}

/* The gap of the boxes along a direction from B to A, in the frame of A; -infinity if the direction is too short. */
GRZ_TEMPLATE f64xn closest_gap(const points_pair *pair, const closest_boxes *p, const f64xn d[3]) {
  f64xn world[3], local[3];
  pose_rotate(pair->rotation_a, d, world);
  f64xn gap = simplex_dot(world, pair->offset);
  pose_unrotate(pair->rotation_a, world, local);
  gap = gap - ((f64xn_abs(local[0]) * p->a[0] + f64xn_abs(local[1]) * p->a[1]) + f64xn_abs(local[2]) * p->a[2]);
  pose_unrotate(pair->rotation_b, world, local);
  gap = gap - ((f64xn_abs(local[0]) * p->b[0] + f64xn_abs(local[1]) * p->b[1]) + f64xn_abs(local[2]) * p->b[2]);
  const f64xn square = simplex_dot(world, world);
  return f64xn_select(f64xn_less(f64xn_all(CLOSEST_MIN_SQUARE), square), gap / f64xn_sqrt(square),
                      f64xn_all(-__builtin_inf()));
}

/* Pairs without a narrow interval, and cores that overlap, stay undecided. */
static void closest_run(const grz_batch_pairs *pairs, size_t count, double max_distance, uint8_t *relation,
                        grz_batch_numbers *numbers) {
  const points_output out = {pairs->pose[0], max_distance, numbers};
  for (size_t first = 0; first < count; first += F64XN_WIDTH) {
    points_pair pair;
    points_numbers bounds;
    closest_boxes p;
    closest_points n;
    size_t index[F64XN_WIDTH];
    f64xn point_a[3], point_b[3], nearest[3], certain;
    const unsigned valid = points_load(&pair, pairs, first);
    closest_extents(pairs, first, 0, p.a);
    closest_extents(pairs, first, 1, p.b);
    closest_transform(&pair, &p);
    closest_pair(&p, &n);
    const f64xn gap = closest_gap(&pair, &p, n.d);
    pose_rotate(pair.rotation_a, n.a, point_a);
    pose_rotate(pair.rotation_b, n.b, point_b);
    for (int i = 0; i < 3; i++) nearest[i] = (point_a[i] - point_b[i]) + pair.offset[i];
    for (size_t k = 0; k < F64XN_WIDTH; k++) index[k] = first + k;

    const unsigned beyond = points_beyond(&pair, gap, &out, &certain) & valid;
    points_compute_numbers(&pair, gap, nearest, point_a, &bounds);
    points_write_numbers(index, &bounds, valid & ~beyond, &out);
    if (beyond != 0) points_write_beyond(index, certain, beyond, &out);
    for (size_t k = 0; k < F64XN_WIDTH; k++) {
      const bool separated = ((bounds.separated & valid) | beyond) >> k & 1,
                 overlap = (bounds.overlap & valid) >> k & 1;
      relation[first + k] = (uint8_t)(separated ? GRAZE_SEPARATED : overlap ? GRAZE_OVERLAPPING : GRZ_BATCH_UNDECIDED);
    }
  }
}
