/* The smallest rectangle around a convex polygon stands on one of its edges (Freeman, Shapira 1975). Rotating calipers
 * (Toussaint 1983) carry the three other points of contact along; which side they stop at, and which of two areas is
 * less, is decided exactly. docs/theory/boxes.md, "Rectangles". */
#include "geometry/fit_box.h"

/* Differences take 21 limbs, widths and heights 43, and every side of the comparison of two areas at most 130. */
enum { RECT_LIMBS = 2000 };

typedef struct rect_polygon {
  const graze_vec *at;
  size_t count;
  int unit;
} rect_polygon;

/* Two points each: a vector. */
typedef struct rect_pair {
  graze_vec from, to;
} rect_pair;

/* What an edge's rectangle touches, and its area: surely within low … high, where low <= high. */
typedef struct rect_stand {
  rect_pair edge, width, height;
  double low, high;
} rect_stand;

static graze_vec rect_at(const rect_polygon *polygon, size_t i) { return polygon->at[i % polygon->count]; }

static rect_pair rect_quarter(rect_pair p) {
  return (rect_pair){vec_make(-p.from.y, p.from.x, 0), vec_make(-p.to.y, p.to.x, 0)};
}

static grz_bvec rect_exact(grz_arena *arena, rect_pair p) {
  return grz_bvec_sub(arena, grz_bvec_of(arena, vec_make(p.to.x, p.to.y, 0)),
                      grz_bvec_of(arena, vec_make(p.from.x, p.from.y, 0)));
}

static grz_big rect_dot_exact(grz_arena *arena, rect_pair p, rect_pair q) {
  return grz_bvec_dot(arena, rect_exact(arena, p), rect_exact(arena, q));
}

/* The sign of p·q: a filter as in grz_orient2(), then exactly. */
static int rect_sign(rect_pair p, rect_pair q) {
  double x = (p.to.x - p.from.x) * (q.to.x - q.from.x), y = (p.to.y - p.from.y) * (q.to.y - q.from.y), sum = x + y;
  if (real_abs(sum) > 4 * GRZ_U * (real_abs(x) + real_abs(y)) + 0x1p-1070) return sum > 0 ? 1 : -1;
  uint64_t limbs[RECT_LIMBS];
  grz_arena arena = {limbs, 0, RECT_LIMBS, false};
  return rect_dot_exact(&arena, p, q).sign;
}

/* |p·q| in units of 2^-unit for lengths, and beyond its error. */
static double rect_dot(const rect_polygon *polygon, rect_pair p, rect_pair q, double *error) {
  graze_vec u = fit_scale(vec_sub(p.to, p.from), polygon->unit), v = fit_scale(vec_sub(q.to, q.from), polygon->unit);
  double x = u.x * v.x, y = u.y * v.y;
  *error = 5 * GRZ_U * (real_abs(x) + real_abs(y)) + 0x1p-1060;
  return real_abs(x + y);
}

static void rect_measure(const rect_polygon *polygon, rect_stand *stand) {
  double width_error, height_error, square_error;
  double width = rect_dot(polygon, stand->edge, stand->width, &width_error);
  double height = rect_dot(polygon, rect_quarter(stand->edge), stand->height, &height_error);
  double square = rect_dot(polygon, stand->edge, stand->edge, &square_error);
  stand->low = 0, stand->high = __builtin_inf();
  if (square < 0x1p-400) return; /* underflow: left to exact numbers */
  stand->low = real_max(0, width - width_error) * real_max(0, height - height_error) / square * (1 - 16 * GRZ_U);
  stand->low = real_max(0, stand->low - 0x1p-600);
  stand->high = (width + width_error) * (height + height_error) / square * (1 + 16 * GRZ_U) + 0x1p-600;
}

static grz_big rect_absolute(grz_big x) { return x.sign < 0 ? grz_big_neg(x) : x; }

/* Width times height of one, times the squared edge of the other. */
static grz_big rect_side(grz_arena *arena, const rect_stand *a, const rect_stand *b) {
  grz_big width = rect_absolute(rect_dot_exact(arena, a->edge, a->width));
  grz_big height = rect_absolute(rect_dot_exact(arena, rect_quarter(a->edge), a->height));
  return grz_big_mul(arena, grz_big_mul(arena, width, height), rect_dot_exact(arena, b->edge, b->edge));
}

static bool rect_less(const rect_stand *a, const rect_stand *b) {
  if (a->high < b->low) return true;
  if (a->low >= b->high) return false;
  uint64_t limbs[RECT_LIMBS];
  grz_arena arena = {limbs, 0, RECT_LIMBS, false};
  grz_big left = rect_side(&arena, a, b);
  return grz_big_compare(left, rect_side(&arena, b, a)) < 0;
}

/* The first vertex from `at` on after which the outline no longer advances along the vector. */
static size_t rect_advance(const rect_polygon *polygon, size_t at, rect_pair along) {
  while (rect_sign(along, (rect_pair){rect_at(polygon, at), rect_at(polygon, at + 1)}) > 0) at++;
  return at;
}

static size_t rect_later(size_t a, size_t b) { return a > b ? a : b; }

size_t grz_fit_edge(const graze_vec *vertices, size_t count) {
  rect_polygon polygon = {vertices, count, grz_fit_unit(vertices, count)};
  rect_stand best = {0};
  size_t right = 0, top = 0, left = 0, found = 0;
  for (size_t i = 0; i < count; i++) {
    rect_stand stand = {.edge = {vertices[i], rect_at(&polygon, i + 1)}};
    rect_pair back = {stand.edge.to, stand.edge.from};
    right = rect_advance(&polygon, rect_later(right, i + 1), stand.edge);
    top = rect_advance(&polygon, rect_later(top, right), rect_quarter(stand.edge));
    left = rect_advance(&polygon, rect_later(left, top), back);
    stand.width = (rect_pair){rect_at(&polygon, left), rect_at(&polygon, right)};
    stand.height = (rect_pair){vertices[i], rect_at(&polygon, top)};
    rect_measure(&polygon, &stand);
    if (i > 0 && !rect_less(&stand, &best)) continue;
    best = stand, found = i;
  }
  return found;
}
