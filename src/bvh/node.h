/* A node of the tree: eight boxes in single precision, and the tests of a box against all eight. Private to src/bvh/.
 *
 * A coordinate x becomes f(x) = (x - centre)·scale, rounded and clamped to ±FLT_MAX. f is monotone, and all coordinates
 * of an axis use the same f. So f(x) < f(y) proves x < y; only f(x) = f(y) leaves the order open. Comparing floats
 * therefore never misses an overlap, at any scale and without directed rounding. It is certain unless two of the floats
 * are equal.
 *
 * A node stores min and -max. Then a union is a minimum, and two boxes overlap if and only if each side of one plus the
 * opposite side of the other is at most 0. */
#ifndef GRAZE_BVH_NODE_H
#define GRAZE_BVH_NODE_H

#include "bvh/bvh.h"
#include "core/vec.h"
#include "simd/isa.h"

#include <float.h>

/* An empty slot, or an item outside the tree. */
#define GRZ_BVH_NONE UINT32_MAX

/* Up to this number of slots every pair is tested, and the order of the items does not matter. */
enum { GRZ_BVH_SMALL = 64 };

typedef struct grz_bvh_node {
  float side[6][8]; /* min x, y, z, -max x, y, z; infinite in empty slots, which therefore overlap nothing */
} grz_bvh_node;

static inline int grz_opposite_side(int k) { return k < 3 ? k + 3 : k - 3; }

static inline float grz_float_min(float x, float y) { return x < y ? x : y; }
static inline float grz_float_max(float x, float y) { return x > y ? x : y; }

static inline unsigned grz_first_bit(unsigned bits) { return (unsigned)__builtin_ctz(bits); }
static inline unsigned grz_first_bit64(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }

/* ---- Rounding */

/* Computes f of three coordinates. out[3] is written too. */
#ifdef GRZ_SIMD_X86

static inline void bvh_round(const grz_bvh *b, const graze_vec *v, float out[4]) {
  const __m128d scale = _mm_set1_pd(b->scale), z_only = _mm_load_sd(&v->z);
  const __m128d xy = _mm_mul_pd(_mm_sub_pd(_mm_loadu_pd(&v->x), _mm_loadu_pd(b->centre)), scale);
  const __m128d z = _mm_mul_pd(_mm_sub_pd(z_only, _mm_load_sd(&b->centre[2])), scale);
  const __m128 all = _mm_movelh_ps(_mm_cvtpd_ps(xy), _mm_cvtpd_ps(z)), most = _mm_set1_ps(FLT_MAX);
  _mm_storeu_ps(out, _mm_max_ps(_mm_min_ps(all, most), _mm_set1_ps(-FLT_MAX)));
}

#else

static inline void bvh_round(const grz_bvh *b, const graze_vec *v, float out[4]) {
  const double in[3] = {v->x, v->y, v->z};
  for (int k = 0; k < 3; k++) {
    const float x = (float)((in[k] - b->centre[k]) * b->scale);
    out[k] = grz_float_max(grz_float_min(x, FLT_MAX), -FLT_MAX);
  }
}

#endif

/* Rounds a box to the six sides of a node. In 2D all boxes get the same z interval, so z never leaves a test open. */
static inline void grz_bvh_round_box(const grz_bvh *b, const graze_aabb *box, float side[6]) {
  float low[4], high[4];
  bvh_round(b, &box->min, low);
  bvh_round(b, &box->max, high);
  for (int k = 0; k < 3; k++) side[k] = low[k], side[k + 3] = -high[k];
  if (b->dim == 2) side[2] = side[5] = -1;
}

/* Tests whether rounding may change the size of a box by more than 1/64: its largest edge is too short for its largest
 * coordinate. Both are negated here, as sides are. */
static inline bool grz_bvh_is_imprecise(const grz_bvh *b, const float side[6]) {
  float edge = grz_float_min(side[0] + side[3], side[1] + side[4]);
  float largest = grz_float_min(grz_float_min(side[0], side[3]), grz_float_min(side[1], side[4]));
  if (b->dim == 3) {
    edge = grz_float_min(edge, side[2] + side[5]);
    largest = grz_float_min(largest, grz_float_min(side[2], side[5]));
  }
  return edge > largest * 0x1p-18f || edge > -0x1p-100f;
}

/* ---- Boxes of a node */

static inline void grz_node_write(grz_bvh_node *node, size_t child, const float side[6]) {
  for (int k = 0; k < 6; k++) node->side[k][child] = side[k];
}

static inline void grz_node_clear(grz_bvh_node *node, size_t child) {
  for (int k = 0; k < 6; k++) node->side[k][child] = __builtin_inff();
}

/* A node is three cache lines. */
static inline void grz_node_prefetch(const grz_bvh_node *node) {
  for (int k = 0; k < 6; k += 2) __builtin_prefetch(node->side[k]);
}

/* Computes the box around all eight. The order of the minima lets compilers use SIMD. */
static inline void grz_node_union(const grz_bvh_node *node, float side[6]) {
  float half[6][4];
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < 4; i++) half[k][i] = grz_float_min(node->side[k][i], node->side[k][i + 4]);
  }
  for (int k = 0; k < 6; k++) {
    side[k] = grz_float_min(grz_float_min(half[k][0], half[k][2]), grz_float_min(half[k][1], half[k][3]));
  }
}

/* Bit masks of the eight children of a node. */
typedef struct grz_node_hits {
  unsigned overlap; /* the floats do not separate the boxes */
  unsigned certain; /* the floats prove the overlap: no two of them are equal */
} grz_node_hits;

/* Tests all children of `node` against one child of `other`. Every instruction set returns the same bits. */
typedef grz_node_hits grz_node_test(const grz_bvh_node *node, const grz_bvh_node *other, size_t child);

/* The sign of a float sum is exact, so x + y <= 0 is equivalent to x <= -y. No side is -infinity. */
GRZ_TEMPLATE grz_node_hits grz_node_overlap(const grz_bvh_node *node, const grz_bvh_node *other, size_t child) {
  float gap[8]; /* the largest gap along the axes */
  for (int i = 0; i < 8; i++) gap[i] = node->side[0][i] + other->side[grz_opposite_side(0)][child];
  for (int k = 1; k < 6; k++) {
    const float opposite = other->side[grz_opposite_side(k)][child];
    for (int i = 0; i < 8; i++) gap[i] = grz_float_max(gap[i], node->side[k][i] + opposite);
  }
  grz_node_hits hits = {0, 0};
  for (int i = 0; i < 8; i++) {
    hits.overlap |= (unsigned)(gap[i] <= 0) << i;
    hits.certain |= (unsigned)(gap[i] < 0) << i;
  }
  return hits;
}

/* Returns the fastest test of this machine. */
grz_node_test *grz_node_test_select(void);

/* ---- Pairs at a chosen SIMD width, for tests: 1 (portable) or 8 (AVX2). Both give the same pairs in the same order.
 */

bool grz_bvh_width_supported(int width);
size_t grz_bvh_pairs_simd(int width, const grz_bvh *bvh, size_t chunk, grz_bvh_pair *pairs, size_t capacity);

/* ---- Slab test (Kay and Kajiya 1986) of a moving box against the eight boxes of a node. It is conservative; margins
 * and proof: docs/theory/bvh.md, "Rays". */

/* One axis. A lower bound of the entry into a box is (side[in] + to_in)·per. A lower bound of the negated exit is
 * (side[out] + to_out)·per. */
typedef struct grz_slab_axis {
  int in, out; /* indices of grz_bvh_node.side */
  float to_in, to_out, per;
} grz_slab_axis;

/* A moving box. The parameter of the motion is 0 where the box is nearest to the centre of the frame; grz_slab_time()
 * converts a time to it. */
typedef struct grz_slab {
  int count; /* axes in use */
  grz_slab_axis axis[3];
  float start;        /* of the motion, rounded down */
  bool limited;       /* an axis is not in use; `limit` replaces it */
  float limit[6];     /* a box with a larger side is not hit */
  double shift;       /* parameter of time 0, negated */
  double per_time[2]; /* parameter per unit of time, in two factors: their product may leave the range of doubles */
} grz_slab;

/* Returns a bit mask of the boxes that may be hit up to the parameter `end`, and writes lower bounds of the parameters
 * of first contact. Every instruction set returns the same bits. */
typedef unsigned grz_slab_test(const grz_slab *slab, const grz_bvh_node *node, float end, float enter[8]);

/* Prepares the test of `box`, which moves by displacement·t, t >= 0. `displacement` is finite. */
void grz_slab_make(grz_slab *slab, const grz_bvh *bvh, const graze_aabb *box, graze_vec displacement);

/* Returns the parameter at time t, rounded up; infinite from DBL_MAX on. */
float grz_slab_time(const grz_slab *slab, double t);

grz_slab_test grz_slab_portable;
#ifdef GRZ_SIMD_X86
grz_slab_test grz_slab_sse2, grz_slab_avx2;
#endif
#ifdef GRZ_SIMD_NEON
grz_slab_test grz_slab_neon;
#endif

/* ---- Sorting and refitting (sort.c) */

/* An item that is being sorted. */
typedef struct grz_bvh_record {
  float side[6];
  uint32_t item, moves;
} grz_bvh_record;

/* Sorts the items from slot `from` on: 0 for all, or the first slot of a leaf in the moving part. */
void grz_bvh_sort(grz_bvh *bvh, size_t from);

/* Chooses a new centre and scale if floats hardly resolve more than 1/8 of a sample of the boxes, and rounds all boxes
 * again. Levels above 0 must be refitted afterwards. */
void grz_bvh_fit_frame(grz_bvh *bvh);

/* Recomputes the boxes above the leaves first … last - 1. */
void grz_bvh_refit(grz_bvh *bvh, size_t first, size_t last);

/* Returns the sum of the edges of a box, and of the box of a leaf. */
float grz_bvh_box_size(const grz_bvh *bvh, const float side[6]);
float grz_bvh_leaf_size(const grz_bvh *bvh, size_t leaf);

/* Sorts the items appended since the last sort in runs, by the logarithmic method (Bentley and Saxe 1980): when the
 * used slots fill a node of the tree, all items below that node are sorted. Fewer than 64 items stay unsorted, and each
 * item is sorted once per level. Sorts everything if floats hardly resolve half of the boxes. */
void grz_bvh_merge_runs(grz_bvh *bvh);

#endif
