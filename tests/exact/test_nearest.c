/* The exact nearest point satisfies the optimality conditions. Points lie on small lattices, where every degeneracy is
 * common, or have extreme magnitudes. */

#include "support/test.h"
#include "support/random.h"
#include "support/geometry.h"
#include "support/numbers.h"
#include "exact/exact.h"

static rng state;

static double extreme(void) {
  if (rng_below(&state, 3) == 0) return 0;
  const double factor = rng_uniform(&state, -1, 1);
  return ldexp(factor, rng_below(&state, 1200) - 1070);
}

/* Kind 0 to 2: a point of a lattice; 3: of extreme magnitude. Also written to w. */
static graze_vec random_point(int kind, int dim, grz_arena *arena, grz_bvec *w) {
  double at[3] = {0, 0, 0};
  for (int k = 0; k < dim; k++) at[k] = kind == 3 ? extreme() : rng_between(&state, -kind - 1, kind + 1);
  const graze_vec v = {at[0], at[1], at[2]};
  *w = grz_bvec_of(arena, v);
  return v;
}

static grz_bvec combination(grz_arena *arena, const grz_nearest *r, const grz_bvec *w) {
  grz_bvec sum = {grz_big_zero(), grz_big_zero(), grz_big_zero()};
  for (int i = 0; i < r->count; i++)
    sum = grz_bvec_add(arena, sum, grz_bvec_scale(arena, w[r->carrier[i]], r->weight[i]));
  return sum;
}

static void check_independent(grz_arena *arena, const grz_nearest *r, const grz_bvec *w) {
  if (r->count < 2) return;
  grz_bvec e = grz_bvec_sub(arena, w[r->carrier[1]], w[r->carrier[0]]);
  assert_false(grz_bvec_is_zero(e));
  if (r->count < 3) return;
  grz_bvec n = grz_bvec_cross(arena, e, grz_bvec_sub(arena, w[r->carrier[2]], w[r->carrier[0]]));
  assert_false(grz_bvec_is_zero(n));
  if (r->count < 4) return;
  assert_int_not_equal(grz_bvec_dot(arena, n, grz_bvec_sub(arena, w[r->carrier[3]], w[r->carrier[0]])).sign, 0);
}

/* Positive weights prove that v is in the hull; v·w_i >= v·v for every i proves that it is the nearest point. */
static void check_nearest(grz_arena *arena, const grz_nearest *r, const grz_bvec *w, int count, int dim) {
  assert_false(arena->full);
  assert_in_range(r->count, 1, dim + 1);
  grz_big total = grz_big_zero();
  for (int i = 0; i < r->count; i++) {
    assert_in_range(r->carrier[i], i == 0 ? 0 : r->carrier[i - 1] + 1, count - 1);
    assert_int_equal(r->weight[i].sign, 1);
    total = grz_big_add(arena, total, r->weight[i]);
  }
  check_independent(arena, r, w);
  grz_bvec v = combination(arena, r, w); /* total·v */
  assert_int_equal(grz_bvec_is_zero(v), grz_bvec_is_zero(r->direction));
  assert_true(grz_bvec_is_zero(grz_bvec_cross(arena, v, r->direction)));
  assert_int_equal(grz_bvec_dot(arena, v, r->direction).sign, !grz_bvec_is_zero(v));
  grz_big vv = grz_bvec_dot(arena, v, v);
  for (int i = 0; i < count; i++) {
    grz_big product = grz_big_mul(arena, total, grz_bvec_dot(arena, v, w[i]));
    assert_true(grz_big_compare(product, vv) >= 0);
  }
  assert_int_equal(r->divisor.sign, 1);
  grz_big left = grz_big_mul(arena, vv, r->divisor);
  grz_big right = grz_big_mul(arena, r->square, grz_big_mul(arena, total, total));
  assert_int_equal(grz_big_compare(left, right), 0);
}

TEST(nearest_point_is_optimal) {
  for (int kind = 0; kind < 4; kind++) {
    state = 0x243f6a8885a308d3u + (uint64_t)kind;
    int carriers[5] = {0}, zeros = 0;
    for (int round = 0; round < (kind < 3 ? 20000 : 3000); round++) {
      const int dim = round % 2 + 2, count = 1 + rng_below(&state, GRZ_NEAREST_MAX);
      grz_arena arena = fresh_arena();
      grz_bvec w[GRZ_NEAREST_MAX];
      for (int i = 0; i < count; i++) random_point(kind, dim, &arena, &w[i]);
      grz_nearest r = grz_nearest_of(&arena, w, count, dim);
      check_nearest(&arena, &r, w, count, dim);
      carriers[r.count]++;
      zeros += grz_bvec_is_zero(r.direction);
    }
    for (int i = 1; i <= 4; i++) assert_true(carriers[i] > 0);
    assert_true(zeros > 0);
  }
}

TEST(full_arena_returns_no_carrier) {
  uint64_t store[64];
  grz_arena points = {store, 0, 64, false};
  grz_bvec w[4] = {grz_bvec_of(&points, (graze_vec){1.5, -0.25, 3}), grz_bvec_of(&points, (graze_vec){-1, 7, 1.125}),
                   grz_bvec_of(&points, (graze_vec){0.1, -5, -2}), grz_bvec_of(&points, (graze_vec){9, 2, 0.3})};
  bool enough = false;
  for (size_t capacity = 0; capacity < 600; capacity++) {
    grz_arena arena = fresh_arena();
    arena.capacity = capacity;
    grz_nearest r = grz_nearest_of(&arena, w, 4, 3);
    if (arena.full) {
      assert_false(enough);
      assert_int_equal(r.count, 0);
    } else {
      enough = true;
      arena.capacity = ARENA_LIMBS;
      check_nearest(&arena, &r, w, 4, 3);
    }
  }
  assert_true(enough);
  grz_arena none = {store, 0, 0, false};
  assert_false(grz_origin_is_interior(&none, w, 4, 3));
}

/* For integer points of magnitude <= 3, the origin is an interior point of the hull exactly if small shifts along every
 * axis keep it in the hull: a plane through such points that misses the origin is more than 2^-12 away from it. */
static bool stays_inside(const graze_vec *point, int count, int dim) {
  for (int axis = 0; axis < 2 * dim; axis++) {
    grz_arena arena = fresh_arena();
    grz_bvec w[GRZ_NEAREST_MAX];
    double shift = axis % 2 ? 0x1p-12 : -0x1p-12;
    for (int i = 0; i < count; i++) {
      const graze_vec axis_vec = {axis / 2 == 0, axis / 2 == 1, axis / 2 == 2};
      w[i] = grz_bvec_of(&arena, add_scaled(point[i], shift, axis_vec));
    }
    if (!grz_bvec_is_zero(grz_nearest_of(&arena, w, count, dim).direction)) return false;
  }
  return true;
}

TEST(origin_is_interior_if_small_shifts_keep_it_inside) {
  state = 0x13198a2e03707344u;
  int inside = 0, touching = 0;
  for (int round = 0; round < 30000; round++) {
    int dim = round % 2 + 2, count = 1 + rng_below(&state, 2 * dim), half = 1 + round % 3;
    graze_vec point[GRZ_NEAREST_MAX];
    grz_arena arena = fresh_arena();
    grz_bvec w[GRZ_NEAREST_MAX];
    for (int i = 0; i < count; i++) point[i] = random_point(half - 1, dim, &arena, &w[i]);
    /* opposite points: the origin is on a segment or on the boundary more often */
    if (count > 2 && round % 5 == 0) {
      point[1] = (graze_vec){-point[0].x, -point[0].y, -point[0].z};
      w[1] = grz_bvec_neg(w[0]);
    }
    bool got = grz_origin_is_interior(&arena, w, count, dim);
    touching += !got && grz_bvec_is_zero(grz_nearest_of(&arena, w, count, dim).direction);
    inside += got;
    assert_int_equal(got, stays_inside(point, count, dim));
  }
  assert_true(inside > 300);
  assert_true(touching > 300);
}

/* True if the largest p·n/|n| is at least the radius. Doubles are exact for this small lattice. */
static bool extends(const graze_vec *point, int count, graze_vec n, double radius) {
  double most = -1;
  for (int i = 0; i < count; i++) most = fmax(most, dot(point[i], n));
  return most > 0 && most * most >= radius * radius * dot(n, n);
}

/* The hull contains the ball if its support value along every facet normal is at least the radius. The facet normals
 * are among the normals of all triples of points (2D: pairs). */
static bool extends_everywhere(const graze_vec *point, int count, int dim, double radius) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      for (int k = 0; k < (dim == 2 ? 1 : count); k++) {
        const graze_vec f = dim == 3 ? sub(point[k], point[i]) : vec(0, 0, 1);
        const graze_vec n = cross(sub(point[j], point[i]), f);
        if (dot(n, n) > 0 && !extends(point, count, n, radius)) return false;
      }
  return true;
}

TEST(contains_ball_equals_the_test_of_all_normals) {
  state = 0xa4093822299f31d0u;
  int held = 0, cut = 0;
  for (int round = 0; round < 30000; round++) {
    const int dim = round % 2 + 2, count = dim + 1 + rng_below(&state, dim);
    const double radius = rng_below(&state, 9) / 4.0;
    graze_vec point[GRZ_NEAREST_MAX];
    grz_arena arena = fresh_arena();
    grz_bvec w[GRZ_NEAREST_MAX];
    for (int i = 0; i < count; i++) point[i] = random_point(2, dim, &arena, &w[i]);
    if (!grz_origin_is_interior(&arena, w, count, dim)) {
      assert_false(grz_contains_ball(&arena, w, count, dim, grz_big_zero()));
      continue;
    }
    const bool got = grz_contains_ball(&arena, w, count, dim, grz_big_of(&arena, radius));
    assert_int_equal(got, extends_everywhere(point, count, dim, radius));
    assert_true(grz_contains_ball(&arena, w, count, dim, grz_big_of(&arena, -radius)));
    held += got, cut += !got;
  }
  assert_true(held > 300 && cut > 300);
  grz_arena none = {NULL, 0, 0, false};
  assert_false(grz_contains_ball(&none, NULL, 0, 3, grz_big_zero()));
}
