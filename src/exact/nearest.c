/* The exact nearest point: tests subsets until one satisfies the optimality conditions. Source and theory:
 * exact/exact.h. */
#include "exact/exact.h"

static const uint64_t nearest_unit_limb = 1;

static grz_big nearest_unit(void) {
  grz_big one = {&nearest_unit_limb, 1, 0, 1};
  return one;
}

/* The optimality condition for a point v of the hull: v·w_i >= v·v for all i. `direction` is a positive multiple of v.
 * The points of the carrier (a bit mask) satisfy the condition with equality. */
static bool nearest_is_optimal(grz_arena *arena, const grz_bvec *w, int count, grz_bvec direction, unsigned carrier) {
  if (grz_bvec_is_zero(direction)) return true;
  size_t mark = arena->used;
  bool optimal = true;
  grz_big level = grz_bvec_dot(arena, direction, w[__builtin_ctz(carrier)]);
  for (int i = 0; i < count && optimal; i++) {
    if (carrier >> i & 1) continue;
    size_t start = arena->used;
    optimal = grz_big_compare(grz_bvec_dot(arena, direction, w[i]), level) >= 0;
    arena->used = start;
  }
  arena->used = mark;
  return optimal;
}

static bool nearest_vertex(grz_arena *arena, const grz_bvec *w, int count, int i, grz_nearest *r) {
  r->count = 1;
  r->carrier[0] = i;
  r->weight[0] = r->divisor = nearest_unit();
  r->direction = w[i];
  if (!nearest_is_optimal(arena, w, count, w[i], 1u << i)) return false;
  r->square = grz_bvec_dot(arena, w[i], w[i]);
  return true;
}

/* The line through w_i and w_j, with e = w_j - w_i and c = w_i × w_j: v = (e × c) / (e·e). In the plane z = 0 the
 * direction needs only the sign of c. */
static bool nearest_edge(grz_arena *arena, const grz_bvec *w, int count, int i, int j, grz_nearest *r) {
  grz_bvec e = grz_bvec_sub(arena, w[j], w[i]);
  r->count = 2;
  r->carrier[0] = i;
  r->carrier[1] = j;
  r->weight[0] = grz_bvec_dot(arena, w[j], e);
  r->weight[1] = grz_big_neg(grz_bvec_dot(arena, w[i], e));
  if (r->weight[0].sign <= 0 || r->weight[1].sign <= 0) return false;
  grz_bvec c = grz_bvec_cross(arena, w[i], w[j]);
  if (grz_bvec_is_zero(c))
    r->direction = c;
  else if (c.x.sign == 0 && c.y.sign == 0)
    r->direction = c.z.sign > 0 ? (grz_bvec){e.y, grz_big_neg(e.x), e.z} : (grz_bvec){grz_big_neg(e.y), e.x, e.z};
  else
    r->direction = grz_bvec_cross(arena, e, c);
  if (!nearest_is_optimal(arena, w, count, r->direction, 1u << i | 1u << j)) return false;
  r->square = grz_bvec_dot(arena, c, c);
  r->divisor = grz_bvec_dot(arena, e, e);
  return true;
}

/* The plane of three points, with normal n: v = (n·w_i) n / (n·n), and the weights are n·(w_j × w_k). */
static bool nearest_facet(grz_arena *arena, const grz_bvec *w, int count, const int at[3], grz_nearest *r) {
  grz_bvec p = w[at[0]], q = w[at[1]], s = w[at[2]];
  grz_bvec n = grz_bvec_cross(arena, grz_bvec_sub(arena, q, p), grz_bvec_sub(arena, s, p));
  grz_big height = grz_bvec_dot(arena, n, p);
  r->count = 3;
  r->direction = height.sign < 0 ? grz_bvec_neg(n) : n;
  if (height.sign == 0) r->direction = (grz_bvec){grz_big_zero(), grz_big_zero(), grz_big_zero()};
  if (!nearest_is_optimal(arena, w, count, r->direction, 1u << at[0] | 1u << at[1] | 1u << at[2])) return false;
  for (int i = 0; i < 3; i++) {
    r->carrier[i] = at[i];
    r->weight[i] = grz_bvec_det(arena, w[at[(i + 1) % 3]], w[at[(i + 2) % 3]], n);
    if (r->weight[i].sign <= 0) return false;
  }
  r->square = grz_big_mul(arena, height, height);
  r->divisor = grz_bvec_dot(arena, n, n);
  return true;
}

/* A tetrahedron with the origin inside: the weight of w_i is ± the determinant of the other three points. */
static bool nearest_tetrahedron(grz_arena *arena, const grz_bvec *w, const int at[4], grz_nearest *r) {
  r->count = 4;
  for (int i = 0; i < 4; i++) {
    int j = i == 0 ? 1 : 0, k = i <= 1 ? 2 : 1, l = i == 3 ? 2 : 3;
    grz_big det = grz_bvec_det(arena, w[at[j]], w[at[k]], w[at[l]]);
    r->carrier[i] = at[i];
    r->weight[i] = i % 2 == 0 ? det : grz_big_neg(det);
    if (r->weight[i].sign == 0 || r->weight[i].sign != r->weight[0].sign) return false;
  }
  if (r->weight[0].sign < 0)
    for (int i = 0; i < 4; i++) r->weight[i] = grz_big_neg(r->weight[i]);
  r->direction = (grz_bvec){grz_big_zero(), grz_big_zero(), grz_big_zero()};
  r->square = grz_big_zero();
  r->divisor = nearest_unit();
  return true;
}

/* Advances `at` to the next subset of `size` of the indices 0 … count-1, in lexicographic order. Returns false if `at`
 * was the last subset. */
static bool nearest_next(int at[4], int size, int count) {
  int i = size - 1;
  while (i >= 0 && at[i] == count - size + i) i--;
  if (i < 0) return false;
  at[i]++;
  for (int j = i + 1; j < size; j++) at[j] = at[j - 1] + 1;
  return true;
}

static bool nearest_test(grz_arena *arena, const grz_bvec *w, int count, const int at[4], int size, grz_nearest *r) {
  switch (size) {
  case 1: return nearest_vertex(arena, w, count, at[0], r);
  case 2: return nearest_edge(arena, w, count, at[0], at[1], r);
  case 3: return nearest_facet(arena, w, count, at, r);
  default: return nearest_tetrahedron(arena, w, at, r);
  }
}

/* Tests all subsets of `size` points that contain the last point, or all that do not. */
static bool nearest_search(grz_arena *arena, const grz_bvec *w, int count, int size, bool with_last, grz_nearest *r) {
  int at[4] = {0, 1, 2, 3}, chosen = size - with_last;
  size_t mark = arena->used;
  if (chosen > count - 1) return false;
  do {
    if (with_last) at[chosen] = count - 1;
    arena->used = mark;
    if (nearest_test(arena, w, count, at, size, r) || arena->full) return true;
  } while (nearest_next(at, chosen, count - 1));
  arena->used = mark;
  return false;
}

/* Tests the subset given by a bit mask. */
static bool nearest_test_mask(grz_arena *arena, const grz_bvec *w, int count, int dim, unsigned mask, grz_nearest *r) {
  int at[4] = {0}, size = __builtin_popcount(mask), chosen = 0;
  if (size == 0 || size > dim + 1 || mask >> count != 0) return false;
  for (int i = 0; i < count; i++) {
    if (mask >> i & 1u) at[chosen++] = i;
  }
  size_t mark = arena->used;
  if (nearest_test(arena, w, count, at, size, r)) return true;
  arena->used = mark;
  return false;
}

/* A descent like GJK adds one point in each step, and the new nearest point has that point in its carrier. So subsets
 * with the last point are tested first, after the guess. */
grz_nearest grz_nearest_guessed(grz_arena *arena, const grz_bvec *w, int count, int dim, unsigned guess) {
  grz_nearest r = {0};
  bool optimal = nearest_test_mask(arena, w, count, dim, guess, &r);
  for (int without_last = 0; without_last <= 1 && !optimal; without_last++) {
    for (int size = 1; size <= dim + 1 && size <= count && !optimal; size++) {
      optimal = nearest_search(arena, w, count, size, !without_last, &r);
    }
  }
  if (!optimal || arena->full) r.count = 0; /* only a full arena hides the optimal subset (Carathéodory) */
  return r;
}

grz_nearest grz_nearest_of(grz_arena *arena, const grz_bvec *w, int count, int dim) {
  return grz_nearest_guessed(arena, w, count, dim, (1u << count) - 1);
}

/* Signs as a set: bit 0 for +, bit 1 for -. */
static unsigned nearest_sign_bit(int sign) { return sign > 0 ? 1u : sign < 0 ? 2u : 0u; }

/* The origin is interior if every plane through the origin and two points has points on both sides (2D: every line
 * through the origin and one point). A plane that contains all points is exempt, unless there is no other plane. */
bool grz_origin_is_interior(grz_arena *arena, const grz_bvec *w, int count, int dim) {
  unsigned sides[GRZ_NEAREST_MAX][GRZ_NEAREST_MAX] = {{0}};
  bool spans = false;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      size_t mark = arena->used;
      grz_bvec c = grz_bvec_cross(arena, w[i], w[j]);
      if (dim == 2) {
        sides[i][i] |= nearest_sign_bit(c.z.sign);
        sides[j][j] |= nearest_sign_bit(-c.z.sign);
        spans = spans || c.z.sign != 0;
      }
      for (int k = j + 1; k < count && dim == 3; k++) {
        size_t start = arena->used;
        int sign = grz_bvec_dot(arena, c, w[k]).sign;
        sides[i][j] |= nearest_sign_bit(sign);
        sides[j][k] |= nearest_sign_bit(sign);
        sides[i][k] |= nearest_sign_bit(-sign);
        spans = spans || sign != 0;
        arena->used = start;
      }
      arena->used = mark;
    }
  bool inside = spans && !arena->full;
  for (int i = 0; i < count; i++)
    for (int j = i; j < count; j++) inside = inside && sides[i][j] != 1 && sides[i][j] != 2;
  return inside;
}

/* True if three points (2D: two) span a supporting plane of the hull that is nearer to the origin than the radius. */
static bool nearest_cuts_ball(grz_arena *arena, const grz_bvec *w, int count, const int at[3], int dim,
                              grz_big radius) {
  const grz_bvec edge = grz_bvec_sub(arena, w[at[1]], w[at[0]]), up = grz_bvec_of(arena, (graze_vec){0, 0, 1});
  const grz_bvec normal = grz_bvec_cross(arena, edge, dim == 2 ? up : grz_bvec_sub(arena, w[at[2]], w[at[0]]));
  const grz_big height = grz_bvec_dot(arena, normal, w[at[0]]);
  unsigned sides = 0;
  for (int i = 0; i < count; i++) {
    const size_t mark = arena->used;
    sides |= nearest_sign_bit(grz_big_compare(grz_bvec_dot(arena, normal, w[i]), height));
    arena->used = mark;
  }
  if (grz_bvec_is_zero(normal) || (sides & 3) == 3) return false;
  if (radius.sign <= 0) return false;
  const grz_big square = grz_big_mul(arena, grz_big_mul(arena, radius, radius), grz_bvec_dot(arena, normal, normal));
  return grz_big_compare(grz_big_mul(arena, height, height), square) < 0;
}

bool grz_contains_ball(grz_arena *arena, const grz_bvec *w, int count, int dim, grz_big radius) {
  if (!grz_origin_is_interior(arena, w, count, dim)) return false;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++)
      for (int k = dim == 2 ? count - 1 : j + 1; k < count; k++) {
        const size_t mark = arena->used;
        const bool cut = nearest_cuts_ball(arena, w, count, (const int[3]){i, j, k}, dim, radius);
        arena->used = mark;
        if (cut) return false;
      }
  return !arena->full;
}
