/* The pairs of point sets that kernels compute with SIMD, one pair per SIMD element, in doubles: their poses and sizes,
 * and the intervals and witness points of their distances. Error bounds are those of narrow/obstacle.h; they are proved
 * in docs/theory/simd.md, "Point sets". Compiled by kernels.c. */
#include "batch/simplex_kernel.h"

#include <string.h>

/* ---- Poses */

/* Between these limits the squares of a quaternion's components stay in the range of doubles. */
#define POSE_MIN 0x1p-200
#define POSE_MAX 0x1p250

/* Largest coordinate of a position, below GRAZE_LARGEST. */
#define POSE_MAX_POSITION 0x1p132

typedef struct pose_set {
  f64xn position[3], rotation[9]; /* row by row */
  f64xn_mask valid;               /* all numbers are in range */
} pose_set;

/* Loads the poses of side A (0) or B (1). */
GRZ_TEMPLATE void pose_load(pose_set *p, const grz_batch_pairs *pairs, size_t first, const int side) {
  const double *position[F64XN_WIDTH], *quaternion[F64XN_WIDTH];
  f64xn row[4], q[4];
  for (size_t i = 0; i < F64XN_WIDTH; i++) position[i] = pairs->pose[side][first + i], quaternion[i] = position[i] + 3;
  f64xn_load_columns(position, row);
  f64xn_load_columns(quaternion, q);
  p->position[0] = row[0], p->position[1] = row[1], p->position[2] = row[2];

  /* M(q)/(q·q) with one division; each entry is within 8u: docs/theory/simd.md, "Point sets". */
  const f64xn w = q[0], x = q[1], y = q[2], z = q[3];
  const f64xn ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  const f64xn one = f64xn_all(1) / square, two = f64xn_all(2) * one;
  p->rotation[0] = ((ww + xx) - (yy + zz)) * one;
  p->rotation[1] = (x * y - w * z) * two;
  p->rotation[2] = (x * z + w * y) * two;
  p->rotation[3] = (x * y + w * z) * two;
  p->rotation[4] = ((ww + yy) - (xx + zz)) * one;
  p->rotation[5] = (y * z - w * x) * two;
  p->rotation[6] = (x * z - w * y) * two;
  p->rotation[7] = (y * z + w * x) * two;
  p->rotation[8] = ((ww + zz) - (xx + yy)) * one;

  p->valid = f64xn_and(f64xn_less(f64xn_all(POSE_MIN), square), f64xn_less(square, f64xn_all(POSE_MAX)));
  const f64xn largest = f64xn_max(f64xn_max(f64xn_abs(row[0]), f64xn_abs(row[1])), f64xn_abs(row[2]));
  p->valid = f64xn_and(p->valid, f64xn_less(largest, f64xn_all(POSE_MAX_POSITION)));
}

/* Multiplies by R, and by its inverse. */
GRZ_TEMPLATE void pose_rotate(const f64xn *r, const f64xn v[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[3 * i] * v[0] + r[3 * i + 1] * v[1]) + r[3 * i + 2] * v[2];
}
GRZ_TEMPLATE void pose_unrotate(const f64xn *r, const f64xn v[3], f64xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[i] * v[0] + r[3 + i] * v[1]) + r[6 + i] * v[2];
}

/* ---- Pairs */

/* Between these limits products of six lengths stay in the range of doubles. */
#define POINTS_MIN_SIZE 0x1p-140
#define POINTS_MAX_SIZE 0x1p140

/* Error bounds of narrow/obstacle.c in units of u·size: of a vertex of C, of its projection, and of a nearest point. */
#define POINTS_VERTEX_ERROR 48
#define POINTS_SUPPORT_ERROR 136
#define POINTS_NEAREST_ERROR 66

/* A pair of point sets. */
typedef struct points_pair {
  f64xn rotation_a[9], rotation_b[9];
  f64xn offset[3]; /* from B to A */
  f64xn size;      /* rounding errors are proportional to it */
  f64xn radius;    /* of A and B, plus the clearance */
  f64xn radius_a;  /* of A, plus the clearance */
  f64xn scale;     /* the permitted width of an interval is relative to it */
  f64xn d[3];      /* the next search direction of GJK (point_set_kernel.h) */
} points_pair;

/* Functions that would be inlined several times, which makes the code larger and not faster. */
#define POINTS_CALLED __attribute__((noinline)) static

GRZ_TEMPLATE const grz_batch_point_set *points_set_of(const grz_batch_pairs *pairs, const int side, size_t i) {
  return pairs->core[side][i];
}

GRZ_TEMPLATE void points_sizes(const grz_batch_pairs *pairs, size_t first, const int side, f64xn *bounding_radius,
                               f64xn *radius) {
  const double *bounding_radii[F64XN_WIDTH], *radii[F64XN_WIDTH];
  for (size_t k = 0; k < F64XN_WIDTH; k++) {
    const grz_batch_point_set *set = points_set_of(pairs, side, first + k);
    bounding_radii[k] = &set->bounding_radius, radii[k] = &set->radius;
  }
  *bounding_radius = f64xn_gather(bounding_radii), *radius = f64xn_gather(radii);
}

/* Loads pairs. Returns the bit mask of those whose numbers are in range. */
GRZ_TEMPLATE unsigned points_load(points_pair *p, const grz_batch_pairs *pairs, size_t first) {
  pose_set a, b;
  f64xn bounding_a, bounding_b, radius_a, radius_b;
  const f64xn clearance = f64xn_load(pairs->clearance + first);
  pose_load(&a, pairs, first, 0);
  pose_load(&b, pairs, first, 1);
  points_sizes(pairs, first, 0, &bounding_a, &radius_a);
  points_sizes(pairs, first, 1, &bounding_b, &radius_b);
  for (int i = 0; i < 9; i++) p->rotation_a[i] = a.rotation[i], p->rotation_b[i] = b.rotation[i];
  for (int i = 0; i < 3; i++) p->offset[i] = a.position[i] - b.position[i];
  p->size = ((bounding_a + bounding_b) + f64xn_sqrt(simplex_dot(p->offset, p->offset))) * f64xn_all(1 + 8 * GRZ_U);
  p->radius = (radius_a + radius_b) + clearance, p->radius_a = radius_a + clearance;
  p->scale = f64xn_max(bounding_a + radius_a, bounding_b + radius_b);
  const f64xn_mask size =
      f64xn_and(f64xn_less(f64xn_all(POINTS_MIN_SIZE), p->size), f64xn_less(p->size, f64xn_all(POINTS_MAX_SIZE)));
  const f64xn_mask radius = f64xn_less(p->radius, f64xn_all(POINTS_MAX_SIZE));
  return f64xn_mask_bits(f64xn_and(f64xn_and(a.valid, b.valid), f64xn_and(size, radius)));
}

/* ---- Numbers */

GRZ_TEMPLATE f64xn points_error(const points_pair *p, const int units) { return f64xn_all(units * GRZ_U) * p->size; }

/* Returns the rounding error of the radius. */
GRZ_TEMPLATE f64xn points_radius_error(const points_pair *p) { return f64xn_all(4 * GRZ_U) * p->radius; }

/* The permitted width of an interval, as in narrow/query.c. */
#define POINTS_WIDTH 1e-12
#define POINTS_RELATIVE_WIDTH 0x1p-24

/* The output of a distance query. */
typedef struct points_output {
  const double *const *pose; /* poses of A */
  double max_distance;
  grz_batch_numbers *numbers;
} points_output;

/* Returns the margin of the last roundings of an interval. */
GRZ_TEMPLATE f64xn points_rounding(const points_pair *p) {
  return points_radius_error(p) + f64xn_all(4 * GRZ_U) * (p->size + p->radius);
}

/* The numbers of finished pairs. */
typedef struct points_numbers {
  f64xn distance, lower, upper, normal[3], point[3];
  unsigned separated, overlap; /* bit masks of the pairs that are proved, with a narrow interval */
} points_numbers;

/* Computes intervals and witness points, as in narrow/certify.c. nearest: the point of C nearest to the origin;
 * point_a: the point of A that it comes from; gap: a lower bound of the distance of the cores, up to its rounding
 * error. */
GRZ_TEMPLATE void points_compute_numbers(const points_pair *p, f64xn gap, const f64xn nearest[3],
                                         const f64xn point_a[3], points_numbers *n) {
  const f64xn zero = f64xn_all(0), radius_error = points_radius_error(p), rounding = points_rounding(p);
  const f64xn length = f64xn_sqrt(simplex_dot(nearest, nearest)), one = f64xn_all(-1) / length;
  const f64xn upper = length + points_error(p, POINTS_NEAREST_ERROR),
              lower = gap - points_error(p, POINTS_SUPPORT_ERROR);
  n->separated = f64xn_mask_bits(f64xn_less(p->radius + radius_error, lower));
  n->overlap = f64xn_mask_bits(f64xn_and(f64xn_less(zero, lower), f64xn_less(upper, p->radius - radius_error)));
  n->lower = (lower - p->radius) - rounding, n->upper = (upper - p->radius) + rounding;
  n->lower = f64xn_select(f64xn_mask_of_bits(n->separated), f64xn_max(n->lower, zero), n->lower);
  n->upper = f64xn_select(f64xn_mask_of_bits(n->overlap), f64xn_min(n->upper, zero), n->upper);
  n->distance = f64xn_min(f64xn_max(length - p->radius, n->lower), n->upper);
  for (int i = 0; i < 3; i++) {
    n->normal[i] = nearest[i] * one;
    n->point[i] = point_a[i] + n->normal[i] * p->radius_a;
  }
  const f64xn width = n->upper - n->lower, size = f64xn_abs(n->distance);
  const f64xn_mask narrow = f64xn_and(f64xn_less(width, f64xn_all(POINTS_WIDTH) * f64xn_max(size, p->scale)),
                                      f64xn_less(width, f64xn_all(POINTS_RELATIVE_WIDTH) * size));
  n->separated &= f64xn_mask_bits(narrow), n->overlap &= f64xn_mask_bits(narrow);
}

/* Writes the numbers of the pairs of `which` that are proved; the others stay undecided. */
GRZ_TEMPLATE void points_write_numbers(const size_t pair[F64XN_WIDTH], const points_numbers *n, unsigned which,
                                       const points_output *out) {
  double field[9][F64XN_WIDTH];
  f64xn_store(field[0], n->distance), f64xn_store(field[1], n->lower), f64xn_store(field[2], n->upper);
  for (int i = 0; i < 3; i++) f64xn_store(field[3 + i], n->normal[i]), f64xn_store(field[6 + i], n->point[i]);
  for (which &= n->separated | n->overlap; which != 0; which &= which - 1) {
    const int k = __builtin_ctz(which);
    grz_batch_numbers *to = &out->numbers[pair[k]];
    const double *position = out->pose[pair[k]], distance = field[0][k];
    to->distance = distance, to->lower = field[1][k], to->upper = field[2][k];
    to->normal = vec_make(field[3][k], field[4][k], field[5][k]);
    to->point_a =
        vec_add(vec_make(field[6][k], field[7][k], field[8][k]), vec_make(position[0], position[1], position[2]));
    to->point_b = vec_add(to->point_a, vec_scale(to->normal, distance));
  }
}

/* Tests whether the gap proves that the pairs are separated by at least max_distance. *certain: the lower bound. */
GRZ_TEMPLATE unsigned points_beyond(const points_pair *p, f64xn gap, const points_output *out, f64xn *certain) {
  const f64xn lower = gap - points_error(p, POINTS_SUPPORT_ERROR);
  const f64xn_mask separated = f64xn_less(p->radius + points_radius_error(p), lower);
  *certain = (lower - p->radius) - points_rounding(p);
  return f64xn_mask_bits(f64xn_and_not(separated, f64xn_less(*certain, f64xn_all(out->max_distance))));
}

/* Writes the lower bounds of the pairs of `which`, beyond max_distance; their other numbers are NaN. */
GRZ_TEMPLATE void points_write_beyond(const size_t pair[F64XN_WIDTH], f64xn certain, unsigned which,
                                      const points_output *out) {
  const double nan = __builtin_nan("");
  const graze_vec no_vector = {nan, nan, nan};
  double lower[F64XN_WIDTH];
  f64xn_store(lower, certain);
  for (unsigned left = which; left != 0; left &= left - 1) {
    const int k = __builtin_ctz(left);
    out->numbers[pair[k]] = (grz_batch_numbers){nan, lower[k], nan, no_vector, no_vector, no_vector};
  }
}
