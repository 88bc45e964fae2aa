/* GRAZE_SPLIT_FEWEST against a plain search on random simple polygons with whole coordinates, many of their points in
 * line: all convex polygons over all bases. */

#include "support/test.h"
#include "support/random.h"
#include "build/rings.h"
#include "build/tiling.h"

enum { MOST = 18 };

typedef struct whole {
  int64_t x, y;
} whole;

static whole v[MOST];
static int count;

static int turn(whole a, whole b, whole c) {
  int64_t t = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
  return (t > 0) - (t < 0);
}

static int turn_at(int i, int j, int k) { return turn(v[i], v[j], v[k]); }

static bool between(whole a, whole b, whole p) {
  return turn(a, b, p) == 0 && (a.x < b.x ? a.x : b.x) <= p.x && p.x <= (a.x < b.x ? b.x : a.x) &&
         (a.y < b.y ? a.y : b.y) <= p.y && p.y <= (a.y < b.y ? b.y : a.y);
}

static bool meet(whole a, whole b, whole c, whole d) {
  if (between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b)) return true;
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/* ---- Polygons. */

static int next(int i) { return (i + 1) % count; }

static bool is_simple(void) {
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < i; j++) {
      if (v[i].x == v[j].x && v[i].y == v[j].y) return false;
      if (next(i) == j || next(j) == i) continue;
      if (meet(v[i], v[next(i)], v[j], v[next(j)])) return false;
    }
    if (between(v[i], v[next(i)], v[next(next(i))]) || between(v[next(i)], v[next(next(i))], v[i])) return false;
  }
  return true;
}

static int64_t area(void) {
  int64_t sum = 0;
  for (int i = 0; i < count; i++) sum += v[i].x * v[next(i)].y - v[next(i)].x * v[i].y;
  return sum;
}

/* Random points, and reversals of parts that cross until none does (2-opt). False: try again. */
static bool polygon(int size, int side, uint64_t *seed) {
  count = size;
  for (int i = 0; i < count; i++) {
    v[i].x = (int64_t)rng_index(seed, (size_t)side);
    v[i].y = (int64_t)rng_index(seed, (size_t)side);
  }
  for (int round = 0; round < 60 && !is_simple(); round++) {
    for (int i = 0; i < count; i++) {
      for (int j = i + 2; j < count; j++) {
        if (next(j) == i || !meet(v[i], v[next(i)], v[j], v[next(j)])) continue;
        for (int a = i + 1, b = j; a < b; a++, b--) {
          whole t = v[a];
          v[a] = v[b], v[b] = t;
        }
      }
    }
  }
  if (!is_simple()) return false;
  if (area() < 0) {
    for (int a = 0, b = count - 1; a < b; a++, b--) {
      whole t = v[a];
      v[a] = v[b], v[b] = t;
    }
  }
  return true;
}

/* ---- Diagonals: strictly inside but for their ends. */

static bool sees[MOST][MOST];

static bool inside(whole twice) { /* a point of no edge, times 2 */
  bool in = false;
  for (int i = 0; i < count; i++) {
    whole a = {2 * v[i].x, 2 * v[i].y}, b = {2 * v[next(i)].x, 2 * v[next(i)].y};
    if ((a.y <= twice.y) == (b.y <= twice.y)) continue;
    if (turn(a, b, twice) == (b.y > a.y ? 1 : -1)) in = !in;
  }
  return in;
}

static bool is_diagonal(int i, int j) {
  for (int k = 0; k < count; k++) {
    if (k != i && k != j && between(v[i], v[j], v[k])) return false;
    if (k == i || k == j || next(k) == i || next(k) == j) continue;
    if (meet(v[i], v[j], v[k], v[next(k)])) return false;
  }
  return inside((whole){v[i].x + v[j].x, v[i].y + v[j].y});
}

static void find_diagonals(void) {
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) sees[i][j] = i != j && (next(i) == j || next(j) == i || is_diagonal(i, j));
  }
}

/* ---- All convex polygons over a base i -> j: chains from i by their first vertex and their last edge. */

static int plainly[MOST][MOST];

static int over_base(int i, int j) {
  int best = MOST;
  for (int first = i + 1; first < j; first++) {
    int sum[MOST][MOST]; /* the least sum for the chain that ends k -> l */
    if (!sees[i][first] || turn_at(j, i, first) < 0) continue;
    for (int l = first; l <= j; l++) {
      for (int k = i; k < l; k++) {
        sum[k][l] = k == i && l == first ? plainly[i][first] : MOST;
        if (k < first || !sees[k][l]) continue;
        for (int before = i; before < k; before++) {
          if ((before > i && before < first) || sum[before][k] >= MOST || turn_at(before, k, l) < 0) continue;
          if (sum[before][k] + plainly[k][l] < sum[k][l]) sum[k][l] = sum[before][k] + plainly[k][l];
        }
      }
    }
    for (int k = first; k < j; k++) {
      if (sum[k][j] < MOST && turn_at(k, j, i) >= 0 && sum[k][j] + 1 < best) best = sum[k][j] + 1;
    }
  }
  return best;
}

static int over_all_bases(void) {
  for (int apart = 1; apart < count; apart++) {
    for (int i = 0; i + apart < count; i++)
      plainly[i][i + apart] = apart == 1 ? 0 : sees[i][i + apart] ? over_base(i, i + apart) : MOST;
  }
  return plainly[0][count - 1];
}

/* ---- Comparing. */

static size_t fewest(uint64_t *seed) {
  graze_vec points[MOST];
  size_t shift = rng_index(seed, (size_t)count);
  bool back = rng_index(seed, 2) == 0;
  for (int i = 0; i < count; i++) {
    whole p = v[(size_t)(back ? count - 1 - i : i) % (size_t)count];
    points[((size_t)i + shift) % (size_t)count] = (graze_vec){(double)p.x, (double)p.y, 0};
  }
  graze_ring ring = {points, (size_t)count};
  graze_decomposition d;
  assert_int_equal(graze_decompose(ring, NULL, 0, GRAZE_SPLIT_FEWEST, NULL, &d, NULL, NULL), GRAZE_OK);
  const char *fault = tiling_fault(ring, NULL, 0, &d);
  if (fault != NULL) fail_msg("%s", fault);
  size_t pieces = d.piece_count;
  assert_int_equal(d.fewest, pieces);
  graze_decomposition_destroy(&d);
  return pieces;
}

/* Of 4 to 9 vertices on small lattices, where most points are in line, and of 10 to 18. Seed 17. */
TEST(fewest_pieces) {
  rng random = 17;
  const int wanted = tiered(3000, 3000, 51500);
  int better = 0;
  size_t seen[MOST] = {0};
  for (int made = 0; made < wanted;) {
    const bool small = made < 1500;
    const int size = small ? 4 + rng_below(&random, 6) : 10 + rng_below(&random, MOST - 9);
    if (!polygon(size, small ? 4 + rng_below(&random, 5) : 5 + rng_below(&random, 12), &random)) continue;
    made++;
    find_diagonals();
    const size_t pieces = fewest(&random), plain = (size_t)over_all_bases();
    if (pieces != plain) fail_msg("polygon %d: %zu pieces, plainly %zu", made, pieces, plain);
    seen[pieces] += small;
    graze_vec points[MOST];
    for (int i = 0; i < count; i++) points[i] = (graze_vec){(double)v[i].x, (double)v[i].y, 0};
    const graze_ring ring = {points, (size_t)count};
    graze_decomposition d;
    assert_int_equal(graze_decompose(ring, NULL, 0, GRAZE_SPLIT_FEW, NULL, &d, NULL, NULL), GRAZE_OK);
    assert_true(d.fewest <= plain && plain <= d.piece_count && d.piece_count <= 4 * plain);
    better += !small && d.piece_count > plain;
    graze_decomposition_destroy(&d);
  }
  assert_true(seen[1] > 50 && seen[2] > 300 && seen[3] > 200 && seen[4] > 40);
  assert_true(better > (wanted - 1500) / 7); /* or the search would have had little to do */
}
