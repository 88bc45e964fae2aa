/* Box–box relations with SIMD, in floats: the 15 axes of Gottschalk, Lin and Manocha (OBBTree, 1996), one pair per SIMD
 * element. The kernel serves the boxes of a batch, and boxes around the bodies of a scene, which may move. A relation
 * is reported only beyond the error bounds, which are proved in docs/theory/simd.md, "Boxes". Compiled by kernels.c. */
#include "batch/job.h"

#include <string.h>

/* The unit roundoff of floats. The next two constants are multiples of the unit roundoff times the size of the pair:
 * the amount by which A is shrunk, and the least gap that proves a separation. */
#define BOXES_U 0x1p-24f
#define BOXES_SHRINK 384
#define BOXES_SEPARATION 896

/* Adding and subtracting this number rounds to multiples of 2^-22. */
#define BOXES_SNAP 3

/* Between these limits squares do not overflow, and underflow does not matter. */
#define BOXES_MIN 0x1p-40f
#define BOXES_MAX 0x1p40f

/* Largest coordinate of a position, below GRAZE_LARGEST. */
#define BOXES_MAX_POSITION 0x1p120f

/* The input of a pair of boxes A and B. */
typedef struct boxes_numbers {
  f32xn quaternion[2][4]; /* w, x, y, z */
  f32xn core[2][4];       /* half extents, and the margin around them */
  f32xn offset[4];        /* from A to B at the start; the last number is unused */
  f32xn displacement[4];  /* of B relative to A; the last number is unused */
} boxes_numbers;

/* A pair in the frame of A. */
typedef struct boxes_pair {
  f32xn a[3], b[3];          /* half extents; those of A are shrunk */
  f32xn m[3][3], size[3][3]; /* m[j]: axis j of B; size: absolute values */
  f32xn offset[3], end[3];   /* the centre of B at the start and at the end */
  f32xn separation;          /* a larger gap proves that the boxes are separated */
  unsigned valid;            /* bit mask of the pairs whose numbers are all in range */
} boxes_pair;

GRZ_TEMPLATE unsigned boxes_in_range(f32xn x) {
  return f32xn_less_bits(f32xn_all(BOXES_MIN), x) & f32xn_less_bits(x, f32xn_all(BOXES_MAX));
}

/* ---- Loading */

/* Loads pairs of a batch. Returns the bit mask of the pairs whose positions are in range. */
GRZ_TEMPLATE unsigned boxes_load_batch(const grz_batch_pairs *pairs, size_t first, boxes_numbers *n) {
  f32x4 quaternion[F32XN_WIDTH], core[F32XN_WIDTH], offset[F32XN_WIDTH], position[F32XN_WIDTH];
  f32xn position_a[4];
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < F32XN_WIDTH; i++) {
      quaternion[i] = f32x4_of_doubles(pairs->pose[k][first + i] + 3);
      core[i] = f32x4_load(((const grz_batch_box *)pairs->core[k][first + i])->extents);
    }
    f32xn_transpose(quaternion, n->quaternion[k]);
    f32xn_transpose(core, n->core[k]);
  }
  for (size_t i = 0; i < F32XN_WIDTH; i++) {
    offset[i] = f32x4_of_difference(pairs->pose[1][first + i], pairs->pose[0][first + i]);
    position[i] = f32x4_of_doubles(pairs->pose[0][first + i]);
  }
  f32xn_transpose(offset, n->offset);
  f32xn_transpose(position, position_a);
  return f32xn_less_bits((f32xn_abs(position_a[0]) + f32xn_abs(position_a[1])) + f32xn_abs(position_a[2]),
                         f32xn_all(BOXES_MAX_POSITION));
}

/* Loads pairs of bodies, whose poses are valid. */
GRZ_TEMPLATE void boxes_load_bodies(const grz_oriented_pairs *pairs, size_t first, boxes_numbers *n, const bool moves) {
  f32x4 quaternion[F32XN_WIDTH], core[F32XN_WIDTH], offset[F32XN_WIDTH], displacement[F32XN_WIDTH];
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < F32XN_WIDTH; i++) {
      quaternion[i] = f32x4_load(pairs->box[k][first + i]->turn);
      core[i] = f32x4_load(pairs->box[k][first + i]->core);
    }
    f32xn_transpose(quaternion, n->quaternion[k]);
    f32xn_transpose(core, n->core[k]);
  }
  for (size_t i = 0; i < F32XN_WIDTH; i++) {
    offset[i] = f32x4_of_difference(pairs->box[1][first + i]->at, pairs->box[0][first + i]->at);
    if (moves) displacement[i] = f32x4_of_doubles(pairs->displacement[first + i]);
  }
  f32xn_transpose(offset, n->offset);
  if (moves) f32xn_transpose(displacement, n->displacement);
}

/* ---- Transforming */

/* Computes the rotation matrix of a quaternion, row by row, with one division. Returns the bit mask of the valid
 * quaternions. */
GRZ_TEMPLATE unsigned boxes_rotation(const f32xn q[4], f32xn r[9]) {
  const f32xn w = q[0], x = q[1], y = q[2], z = q[3];
  const f32xn ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  const f32xn one = f32xn_all(1) / square, two = one + one;
  r[0] = ((ww + xx) - (yy + zz)) * one;
  r[1] = (x * y - w * z) * two;
  r[2] = (x * z + w * y) * two;
  r[3] = (x * y + w * z) * two;
  r[4] = ((ww + yy) - (xx + zz)) * one;
  r[5] = (y * z - w * x) * two;
  r[6] = (x * z - w * y) * two;
  r[7] = (y * z + w * x) * two;
  r[8] = ((ww + zz) - (xx + yy)) * one;
  return boxes_in_range(square);
}

/* Rotates v into the frame of A: multiplies by the transposed matrix. */
GRZ_TEMPLATE void boxes_unrotate(const f32xn r[9], const f32xn v[3], f32xn out[3]) {
  for (int i = 0; i < 3; i++) out[i] = (r[i] * v[0] + r[3 + i] * v[1]) + r[6 + i] * v[2];
}

/* Shrinks A in proportion to the size of the pair, and computes the least gap that proves a separation. */
GRZ_TEMPLATE void boxes_shrink(boxes_pair *p, const boxes_numbers *n, const f32xn end[3]) {
  f32xn size = f32xn_all(0);
  for (int i = 0; i < 3; i++) size = size + ((p->a[i] + p->b[i]) + (f32xn_abs(n->offset[i]) + f32xn_abs(end[i])));
  const f32xn unit = f32xn_all(BOXES_U) * size, shrink = f32xn_all(BOXES_SHRINK) * unit;
  for (int i = 0; i < 3; i++) p->a[i] = p->a[i] - shrink;
  p->separation = (f32xn_all(BOXES_SEPARATION) * unit + (n->core[0][3] + n->core[1][3])) * f32xn_all(1 + 16 * BOXES_U);
  p->valid &= boxes_in_range(size);
}

GRZ_TEMPLATE void boxes_transform(boxes_pair *p, const boxes_numbers *n, const bool moves) {
  f32xn rotation_a[9], rotation_b[9], end[3];
  p->valid = boxes_rotation(n->quaternion[0], rotation_a) & boxes_rotation(n->quaternion[1], rotation_b);
  for (int i = 0; i < 3; i++) p->a[i] = n->core[0][i], p->b[i] = n->core[1][i];
  for (int i = 0; i < 3; i++) {
    end[i] = n->offset[i];
    if (moves) end[i] = end[i] + n->displacement[i];
  }
  boxes_shrink(p, n, end);
  boxes_unrotate(rotation_a, n->offset, p->offset);
  if (moves) boxes_unrotate(rotation_a, end, p->end);
  for (int j = 0; j < 3; j++) {
    const f32xn axis[3] = {rotation_b[j], rotation_b[3 + j], rotation_b[6 + j]};
    boxes_unrotate(rotation_a, axis, p->m[j]);
    for (int i = 0; i < 3; i++) {
      p->m[j][i] = (p->m[j][i] + f32xn_all(BOXES_SNAP)) - f32xn_all(BOXES_SNAP);
      p->size[j][i] = f32xn_abs(p->m[j][i]);
    }
  }
}

/* ---- Axes */

/* Returns the least distance of B's centre from the plane through 0; not positive if the centre crosses the plane. */
GRZ_TEMPLATE f32xn boxes_distance_to_plane(f32xn offset, f32xn end, const bool moves) {
  if (!moves) return f32xn_abs(offset);
  return f32xn_max(-f32xn_max(-offset, -end), -f32xn_max(offset, end));
}

GRZ_TEMPLATE f32xn boxes_dot(const f32xn v[3], const f32xn m[3]) { return (v[0] * m[0] + v[1] * m[1]) + v[2] * m[2]; }

/* Returns the gap along axis i of A. */
GRZ_TEMPLATE f32xn boxes_face_a(const boxes_pair *p, const int i, const bool moves) {
  const f32xn extent = (p->b[0] * p->size[0][i] + p->b[1] * p->size[1][i]) + p->b[2] * p->size[2][i];
  return boxes_distance_to_plane(p->offset[i], p->end[i], moves) - (p->a[i] + extent);
}

/* Returns the gap along axis j of B. */
GRZ_TEMPLATE f32xn boxes_face_b(const boxes_pair *p, const int j, const bool moves) {
  const f32xn offset = boxes_dot(p->offset, p->m[j]);
  f32xn end = offset;
  if (moves) end = boxes_dot(p->end, p->m[j]);
  return boxes_distance_to_plane(offset, end, moves) - (p->b[j] + boxes_dot(p->a, p->size[j]));
}

/* Returns the gap along e_i × m_j times the length of that axis. Parallel edges give 0 or less. `other` is the extent
 * of B. */
GRZ_TEMPLATE f32xn boxes_edge(const boxes_pair *p, const int i, const int j, f32xn other, const bool moves) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const f32xn mk = p->m[j][k], ml = p->m[j][l];
  const f32xn offset = p->offset[l] * mk - p->offset[k] * ml;
  f32xn end = offset;
  if (moves) end = p->end[l] * mk - p->end[k] * ml;
  const f32xn own = p->a[k] * p->size[j][l] + p->a[l] * p->size[j][k];
  return boxes_distance_to_plane(offset, end, moves) - (own + other);
}

/* Returns the largest gap along the three cross products with e_i. */
GRZ_TEMPLATE f32xn boxes_edges(const boxes_pair *p, const int i, const bool moves) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const f32xn minor0 = f32xn_abs(p->m[1][k] * p->m[2][l] - p->m[1][l] * p->m[2][k]);
  const f32xn minor1 = f32xn_abs(p->m[2][k] * p->m[0][l] - p->m[2][l] * p->m[0][k]);
  const f32xn minor2 = f32xn_abs(p->m[0][k] * p->m[1][l] - p->m[0][l] * p->m[1][k]);
  const f32xn gap0 = boxes_edge(p, i, 0, p->b[1] * minor2 + p->b[2] * minor1, moves);
  const f32xn gap1 = boxes_edge(p, i, 1, p->b[2] * minor0 + p->b[0] * minor2, moves);
  const f32xn gap2 = boxes_edge(p, i, 2, p->b[0] * minor1 + p->b[1] * minor0, moves);
  return f32xn_max(f32xn_max(gap0, gap1), gap2);
}

/* Returns the largest gap along the six face normals. */
GRZ_TEMPLATE f32xn boxes_faces(const boxes_pair *p, const bool moves) {
  const f32xn x = f32xn_max(boxes_face_a(p, 0, moves), boxes_face_b(p, 0, moves));
  const f32xn y = f32xn_max(boxes_face_a(p, 1, moves), boxes_face_b(p, 1, moves));
  const f32xn z = f32xn_max(boxes_face_a(p, 2, moves), boxes_face_b(p, 2, moves));
  return f32xn_max(f32xn_max(x, y), z);
}

/* Computes the bit masks of the pairs that are certainly separated, and of those that certainly overlap. */
GRZ_TEMPLATE void boxes_decide(const boxes_pair *p, unsigned *separated, unsigned *overlap, const bool moves) {
  f32xn gap = boxes_faces(p, moves);
  *separated = f32xn_less_bits(p->separation, gap) & p->valid, *overlap = 0;
  if (*separated == p->valid) return;
  const f32xn x = boxes_edges(p, 0, moves), y = boxes_edges(p, 1, moves), z = boxes_edges(p, 2, moves);
  gap = f32xn_max(gap, f32xn_max(x, f32xn_max(y, z)));
  *separated = f32xn_less_bits(p->separation, gap) & p->valid;
  *overlap = moves ? 0 : ~f32xn_less_bits(f32xn_all(0), gap) & p->valid;
}

/* Expands eight bits to eight bytes, 0 or 1, lowest first. Only little-endian machines use this width. */
GRZ_TEMPLATE uint64_t boxes_bits_to_bytes(unsigned bits) {
  const uint64_t each = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return (each + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

GRZ_TEMPLATE void boxes_write(unsigned separated, unsigned overlap, uint8_t *relation) {
  for (int k = 0; k < F32XN_WIDTH; k += 8) {
    if (F32XN_WIDTH >= 8) {
      const uint64_t eight =
          boxes_bits_to_bytes(separated >> k) * GRAZE_SEPARATED + boxes_bits_to_bytes(overlap >> k) * GRAZE_OVERLAPPING;
      memcpy(relation + k, &eight, sizeof eight);
    } else {
      for (size_t i = 0; i < F32XN_WIDTH; i++)
        relation[i] = (uint8_t)((separated >> i & 1) * GRAZE_SEPARATED + (overlap >> i & 1) * GRAZE_OVERLAPPING);
    }
  }
}

GRZ_TEMPLATE void boxes_compute(const boxes_numbers *n, unsigned valid, uint8_t *relation, const bool moves) {
  boxes_pair p;
  unsigned separated, overlap;
  boxes_transform(&p, n, moves);
  p.valid &= valid;
  boxes_decide(&p, &separated, &overlap, moves);
  boxes_write(separated, overlap, relation);
}

static void boxes_run(const grz_batch_pairs *pairs, size_t count, uint8_t *relation) {
  for (size_t i = 0; i < count; i += F32XN_WIDTH) {
    boxes_numbers n;
    const unsigned valid = boxes_load_batch(pairs, i, &n);
    boxes_compute(&n, valid, relation + i, false);
  }
}

GRZ_TEMPLATE void boxes_run_bodies(const grz_oriented_pairs *pairs, size_t count, uint8_t *relation, const bool moves) {
  for (size_t i = 0; i < count; i += F32XN_WIDTH) {
    boxes_numbers n;
    boxes_load_bodies(pairs, i, &n, moves);
    boxes_compute(&n, ~0u, relation + i, moves);
  }
}

static void boxes_bodies(const grz_oriented_pairs *pairs, size_t count, uint8_t *relation) {
  if (pairs->displacement == NULL)
    boxes_run_bodies(pairs, count, relation, false);
  else
    boxes_run_bodies(pairs, count, relation, true);
}
