/* The 15 axes of two boxes, as src/axes/box.c has them, without a depth: the gap along each of them, against
 * bounds of all rounding. docs/theory/axes.md, "Yes or no". */
#include "axes/oriented.h"

#include "axes/box_points.h"
#include "lanes/argmax.h"
#include "shape/core.h"

/* In units of u·size. */
#define ORIENTED_APART 192
#define ORIENTED_OVERLAP 384

/* Below, squares of squares would leave the range of doubles. */
#define ORIENTED_LEAST 0x1p-200

/* ---- Boxes */

static void oriented_hold(double extents[3], graze_vec v) {
  extents[0] = real_max(extents[0], real_abs(v.x));
  extents[1] = real_max(extents[1], real_abs(v.y));
  extents[2] = real_max(extents[2], real_abs(v.z));
}

bool grz_oriented_make(grz_oriented *box, const graze_placed *placed, double grow) {
  const graze_shape *shape = &placed->shape;
  const double reach = placed->reach, r = shape->radius;
  *box = (grz_oriented){.grow = grow + placed->radius};
  switch (shape->kind) {
  case GRAZE_HALFSPACE: return false;
  case GRAZE_BOX:
  case GRAZE_ELLIPSOID: oriented_hold(box->extents, shape->extents); break;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: oriented_hold(box->extents, vec_make(r, r, shape->half_length)); break;
  case GRAZE_USER:
  case GRAZE_COMPOUND: oriented_hold(box->extents, vec_make(reach, reach, reach)); break;
  default:
    for (size_t i = 0; i < grz_core_count(shape); i++) oriented_hold(box->extents, grz_core_vertex(shape, i));
  }
  if (shape->dim == 2) box->extents[2] = real_max(box->extents[0], box->extents[1]);
  grz_oriented_place(box, placed);
  return true;
}

void grz_oriented_place(grz_oriented *box, const graze_placed *placed) {
  const graze_vec p = placed->pose.position;
  box->at[0] = p.x, box->at[1] = p.y, box->at[2] = p.z;
  for (int i = 0; i < 9; i++) box->rotation[i] = placed->rotation[i];
}

/* Off by 21u of the reach (docs/theory/rounding.md, "Bounds"), 4 of the sum, and by what underflows. */
static void oriented_bound(const grz_oriented *box, int i, double more, double *min, double *max) {
  const double *r = box->rotation + 3 * i, *e = box->extents;
  const double far = ((real_abs(r[0]) * e[0] + real_abs(r[1]) * e[1]) + real_abs(r[2]) * e[2]) + box->grow;
  *min = box->at[i] - (far + (real_abs(box->at[i]) * (8 * GRZ_U) + more));
  *max = box->at[i] + (far + (real_abs(box->at[i]) * (8 * GRZ_U) + more));
}

graze_aabb grz_oriented_bounds(const grz_oriented *box, int dim) {
  const double more = 40 * GRZ_U * ((box->extents[0] + box->extents[1]) + (box->extents[2] + box->grow)) + 0x1p-1070;
  graze_aabb bounds = {{0, 0, 0}, {0, 0, 0}};
  oriented_bound(box, 0, more, &bounds.min.x, &bounds.max.x);
  oriented_bound(box, 1, more, &bounds.min.y, &bounds.max.y);
  if (dim == 3) oriented_bound(box, 2, more, &bounds.min.z, &bounds.max.z);
  return bounds;
}

/* ---- Two of them, side by side with others: straight code for one lane, which compilers make wide */

enum { LANES = GRZ_ORIENTED_LANES };

/* The numbers of a box, in the order in which grz_oriented has them. */
enum { ORIENTED_AT = 0, ORIENTED_TURN = 3, ORIENTED_HALF = 12, ORIENTED_GROW = 15, ORIENTED_NUMBERS = 16 };

typedef struct oriented_lanes {
  double box[2][ORIENTED_NUMBERS][LANES]; /* of A and B */
  double way[3][LANES];
  double far[LANES];  /* > 0: apart */
  double near[LANES]; /* > 0: not surely overlapping */
} oriented_lanes;

/* In the frame of A. */
typedef struct oriented_pair {
  double a[3], b[3];          /* extents */
  double m[3][3], size[3][3]; /* axes of B, one after the other, and their magnitudes */
  double from[3], to[3];      /* the centre of B: first, and at the end */
} oriented_pair;

/* What was found along the axes so far: the largest of the gaps, each less what is asked of it. */
typedef struct oriented_found {
  double far, near;
} oriented_found;

/* How near to the plane through 0 the centre of B comes. */
GRZ_TEMPLATE double oriented_near(double from, double to, const bool moves) {
  if (!moves) return real_abs(from);
  const double near = real_min(real_abs(from), real_abs(to));
  return from * to > 0 ? near : 0;
}

GRZ_TEMPLATE double oriented_along(const double v[3], const double m[3]) {
  return (v[0] * m[0] + v[1] * m[1]) + v[2] * m[2];
}

/* Along axis i of A. */
GRZ_TEMPLATE double oriented_face_a(const oriented_pair *p, const int i, const bool moves) {
  const double far = p->a[i] + ((p->b[0] * p->size[0][i] + p->b[1] * p->size[1][i]) + p->b[2] * p->size[2][i]);
  return oriented_near(p->from[i], p->to[i], moves) - far;
}

/* Along axis j of B. */
GRZ_TEMPLATE double oriented_face_b(const oriented_pair *p, const int j, const bool moves) {
  const double from = oriented_along(p->from, p->m[j]), to = moves ? oriented_along(p->to, p->m[j]) : from;
  return oriented_near(from, to, moves) - (p->b[j] + oriented_along(p->a, p->size[j]));
}

/* Along e_i × m_j, all lengths times its own. Of parallel edges everything is 0. */
GRZ_TEMPLATE void oriented_edge(const oriented_pair *p, const int i, const int j, const double other, double apart2,
                                double overlap2, oriented_found *found, const bool moves) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const double mk = p->m[j][k], ml = p->m[j][l], square = mk * mk + ml * ml;
  const double from = p->from[l] * mk - p->from[k] * ml, to = moves ? p->to[l] * mk - p->to[k] * ml : from;
  const double own = p->a[k] * p->size[j][l] + p->a[l] * p->size[j][k];
  const double gap = oriented_near(from, to, moves) - (own + other), gap2 = gap * real_abs(gap);
  found->far = real_max(gap2 - apart2 * square, found->far);
  found->near = real_max(gap2 + overlap2 * square, found->near);
}

/* Along the three products with e_i. */
GRZ_TEMPLATE void oriented_edges(const oriented_pair *p, const int i, double apart2, double overlap2,
                                 oriented_found *found, const bool moves) {
  const int k = (i + 1) % 3, l = (i + 2) % 3;
  const double(*m)[3] = p->m;
  const double minor[3] = {real_abs(m[1][k] * m[2][l] - m[1][l] * m[2][k]),
                           real_abs(m[2][k] * m[0][l] - m[2][l] * m[0][k]),
                           real_abs(m[0][k] * m[1][l] - m[0][l] * m[1][k])};
  oriented_edge(p, i, 0, p->b[1] * minor[2] + p->b[2] * minor[1], apart2, overlap2, found, moves);
  oriented_edge(p, i, 1, p->b[2] * minor[0] + p->b[0] * minor[2], apart2, overlap2, found, moves);
  oriented_edge(p, i, 2, p->b[0] * minor[1] + p->b[1] * minor[0], apart2, overlap2, found, moves);
}

GRZ_TEMPLATE double oriented_faces(const oriented_pair *p, const bool moves) {
  const double x = real_max(oriented_face_a(p, 0, moves), oriented_face_b(p, 0, moves));
  const double y = real_max(oriented_face_a(p, 1, moves), oriented_face_b(p, 1, moves));
  const double z = real_max(oriented_face_a(p, 2, moves), oriented_face_b(p, 2, moves));
  return real_max(real_max(x, y), z);
}

GRZ_TEMPLATE double oriented_turned(const oriented_lanes *x, const int lane, const int i, const double v[3]) {
  const double(*turn)[LANES] = &x->box[0][ORIENTED_TURN];
  return (turn[i][lane] * v[0] + turn[3 + i][lane] * v[1]) + turn[6 + i][lane] * v[2];
}

/* Returns the size that errors are counted in. */
GRZ_TEMPLATE double oriented_see(const oriented_lanes *x, const int lane, oriented_pair *p, const bool moves) {
  const double(*a)[LANES] = x->box[0], (*b)[LANES] = x->box[1], (*turn)[LANES] = &b[ORIENTED_TURN];
  double from[3], to[3], size = 0;
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    p->a[i] = a[ORIENTED_HALF + i][lane], p->b[i] = b[ORIENTED_HALF + i][lane];
    from[i] = b[ORIENTED_AT + i][lane] - a[ORIENTED_AT + i][lane];
    to[i] = moves ? from[i] + x->way[i][lane] : from[i];
    size += (p->a[i] + p->b[i]) + (real_abs(from[i]) + real_abs(to[i]));
  }
#pragma GCC unroll 3
  for (int i = 0; i < 3; i++) {
    p->from[i] = oriented_turned(x, lane, i, from);
    p->to[i] = moves ? oriented_turned(x, lane, i, to) : p->from[i];
#pragma GCC unroll 3
    for (int j = 0; j < 3; j++) {
      const double axis[3] = {turn[j][lane], turn[3 + j][lane], turn[6 + j][lane]};
      p->m[j][i] = box_without_noise(oriented_turned(x, lane, i, axis));
      p->size[j][i] = real_abs(p->m[j][i]);
    }
  }
  return size;
}

GRZ_TEMPLATE void oriented_lane(oriented_lanes *x, const int lane, const bool moves) {
  oriented_pair p;
  const double size = oriented_see(x, lane, &p, moves);
  const double grow = x->box[0][ORIENTED_GROW][lane] + x->box[1][ORIENTED_GROW][lane];
  const double apart = (ORIENTED_APART * GRZ_U * size + grow) * (1 + 16 * GRZ_U);
  const double overlap = ORIENTED_OVERLAP * GRZ_U * size, faces = oriented_faces(&p, moves);
  oriented_found found = {faces - apart, -1};
  oriented_edges(&p, 0, apart * apart, overlap * overlap, &found, moves);
  oriented_edges(&p, 1, apart * apart, overlap * overlap, &found, moves);
  oriented_edges(&p, 2, apart * apart, overlap * overlap, &found, moves);
  x->far[lane] = size > ORIENTED_LEAST ? found.far : 0;
  x->near[lane] = size > ORIENTED_LEAST && faces + overlap < 0 ? found.near : 1;
}

typedef void oriented_way(oriented_lanes *x, const grz_oriented_pair pair[LANES]);

GRZ_TEMPLATE void oriented_run(oriented_lanes *x, const grz_oriented_pair pair[LANES], const bool moves) {
  for (int lane = 0; moves && lane < LANES; lane++) {
    const graze_vec way = pair[lane].way;
    x->way[0][lane] = way.x, x->way[1][lane] = way.y, x->way[2][lane] = way.z;
  }
  for (int lane = 0; lane < LANES; lane++) oriented_lane(x, lane, moves);
}

static void oriented_load1(oriented_lanes *x, const grz_oriented_pair pair[LANES]) {
  for (int lane = 0; lane < LANES; lane++) {
    const grz_oriented *box[2] = {pair[lane].a, pair[lane].b};
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3; i++) x->box[k][ORIENTED_AT + i][lane] = box[k]->at[i];
      for (int i = 0; i < 9; i++) x->box[k][ORIENTED_TURN + i][lane] = box[k]->rotation[i];
      for (int i = 0; i < 3; i++) x->box[k][ORIENTED_HALF + i][lane] = box[k]->extents[i];
      x->box[k][ORIENTED_GROW][lane] = box[k]->grow;
    }
  }
}

static void oriented_still1(oriented_lanes *x, const grz_oriented_pair pair[LANES]) {
  oriented_load1(x, pair);
  oriented_run(x, pair, false);
}

static void oriented_moves1(oriented_lanes *x, const grz_oriented_pair pair[LANES]) {
  oriented_load1(x, pair);
  oriented_run(x, pair, true);
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(GRAZE_NO_SIMD)
#include <immintrin.h>

/* Four numbers of four boxes, turned into four lanes of each number: as wide as they are read later, since a processor
 * has to wait where it reads at once what was written bit by bit. */
__attribute__((target("avx2"), always_inline)) static inline void
oriented_turn4(const grz_oriented_pair pair[4], const bool second, const int from, __m256d lanes[4]) {
  __m256d low[2], high[2]; /* of boxes 0 and 2, of boxes 1 and 3: numbers 0 and 1, and 2 and 3 */
  for (int i = 0; i < 2; i++) {
    const double *p = (const double *)(const void *)(second ? pair[i].b : pair[i].a) + from;
    const double *q = (const double *)(const void *)(second ? pair[i + 2].b : pair[i + 2].a) + from;
    low[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(q), 1);
    high[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p + 2)), _mm_loadu_pd(q + 2), 1);
  }
  lanes[0] = _mm256_unpacklo_pd(low[0], low[1]), lanes[1] = _mm256_unpackhi_pd(low[0], low[1]);
  lanes[2] = _mm256_unpacklo_pd(high[0], high[1]), lanes[3] = _mm256_unpackhi_pd(high[0], high[1]);
}

__attribute__((target("avx2"), always_inline)) static inline void oriented_load4(oriented_lanes *x,
                                                                                 const grz_oriented_pair *pair) {
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < ORIENTED_NUMBERS; i += 4) {
      __m256d low[4], high[4];
      oriented_turn4(pair, k == 1, i, low);
      oriented_turn4(pair + 4, k == 1, i, high);
      for (int n = 0; n < 4; n++) {
        _mm256_storeu_pd(&x->box[k][i + n][0], low[n]);
        _mm256_storeu_pd(&x->box[k][i + n][4], high[n]);
      }
    }
  }
}

__attribute__((target("avx512f"), always_inline)) static inline void oriented_load8(oriented_lanes *x,
                                                                                    const grz_oriented_pair *pair) {
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < ORIENTED_NUMBERS; i += 4) {
      __m256d low[4], high[4];
      oriented_turn4(pair, k == 1, i, low);
      oriented_turn4(pair + 4, k == 1, i, high);
      for (int n = 0; n < 4; n++)
        _mm512_storeu_pd(x->box[k][i + n], _mm512_insertf64x4(_mm512_castpd256_pd512(low[n]), high[n], 1));
    }
  }
}

__attribute__((target("avx2"))) static void oriented_still4(oriented_lanes *x, const grz_oriented_pair *pair) {
  oriented_load4(x, pair);
  oriented_run(x, pair, false);
}

__attribute__((target("avx2"))) static void oriented_moves4(oriented_lanes *x, const grz_oriented_pair *pair) {
  oriented_load4(x, pair);
  oriented_run(x, pair, true);
}

__attribute__((target("avx512f"))) static void oriented_still8(oriented_lanes *x, const grz_oriented_pair *pair) {
  oriented_load8(x, pair);
  oriented_run(x, pair, false);
}

__attribute__((target("avx512f"))) static void oriented_moves8(oriented_lanes *x, const grz_oriented_pair *pair) {
  oriented_load8(x, pair);
  oriented_run(x, pair, true);
}

static oriented_way *oriented_choose(int lanes, bool moves) {
  if (lanes == 8) return moves ? oriented_moves8 : oriented_still8;
  if (lanes == 4) return moves ? oriented_moves4 : oriented_still4;
  return moves ? oriented_moves1 : oriented_still1;
}

#else

static oriented_way *oriented_choose(int lanes, bool moves) {
  (void)lanes;
  return moves ? oriented_moves1 : oriented_still1;
}

#endif

void grz_oriented_judge_lanes(int lanes, const grz_oriented_pair pair[GRZ_ORIENTED_LANES], bool moves,
                              grz_oriented_verdict verdict[GRZ_ORIENTED_LANES]) {
  oriented_lanes x;
  oriented_choose(lanes, moves)(&x, pair);
  for (int lane = 0; lane < LANES; lane++) { /* without a branch, since nobody can predict it */
    const bool apart = x.far[lane] > 0, overlap = !moves & !(x.near[lane] > 0) & !apart;
    verdict[lane] = (grz_oriented_verdict)(apart * GRZ_ORIENTED_APART + overlap * GRZ_ORIENTED_OVERLAP);
  }
}

void grz_oriented_judge(const grz_oriented_pair pair[GRZ_ORIENTED_LANES], bool moves,
                        grz_oriented_verdict verdict[GRZ_ORIENTED_LANES]) {
  const int lanes = grz_lanes_supported(8) ? 8 : grz_lanes_supported(4) ? 4 : 1;
  grz_oriented_judge_lanes(lanes, pair, moves, verdict);
}
