/* The fewest pieces against two plain searches on random simple polygons with whole coordinates, many of their points
 * in line: up to 9 vertices all sets of diagonals, up to 18 all convex polygons over all bases. Seeds at each test. */

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

static void look(void) {
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) sees[i][j] = i != j && (next(i) == j || next(j) == i || is_diagonal(i, j));
  }
}

/* ---- All sets of diagonals. */

static int chosen[MOST][2], chosen_count, least;

static bool is_convex_at(int i) {
  int at = next(i);
  for (int j = next(at); j != i; j = next(j)) { /* counter-clockwise around i, as they follow each other */
    bool used = next(j) == i;
    for (int k = 0; k < chosen_count; k++)
      used = used || (chosen[k][0] == i && chosen[k][1] == j) || (chosen[k][1] == i && chosen[k][0] == j);
    if (!used) continue;
    if (turn_at(j, i, at) < 0) return false;
    at = j;
  }
  return true;
}

static void choose(int i, int j) {
  if (chosen_count + 1 >= least) return;
  bool good = true;
  for (int k = 0; k < count && good; k++) good = is_convex_at(k);
  if (good) {
    least = chosen_count + 1;
    return;
  }
  for (; i < count; i++, j = i + 2) {
    for (; j < count; j++) {
      if (!sees[i][j] || next(j) == i) continue;
      bool crossed = false;
      for (int k = 0; k < chosen_count; k++) {
        int a = chosen[k][0], b = chosen[k][1];
        crossed = crossed || (a < i && i < b && b < j) || (i < a && a < j && j < b);
      }
      if (crossed) continue;
      chosen[chosen_count][0] = i, chosen[chosen_count++][1] = j;
      choose(i, j + 1);
      chosen_count--;
    }
  }
}

/* ---- All convex polygons over a base i -> j: chains from i by their first vertex and their last edge. */

static int plainly[MOST][MOST];

static int over_base(int i, int j) {
  int best = MOST;
  for (int first = i + 1; first < j; first++) {
    int reach[MOST][MOST]; /* the least sum for the chain that ends k -> l */
    if (!sees[i][first] || turn_at(j, i, first) < 0) continue;
    for (int l = first; l <= j; l++) {
      for (int k = i; k < l; k++) {
        reach[k][l] = k == i && l == first ? plainly[i][first] : MOST;
        if (k < first || !sees[k][l]) continue;
        for (int before = i; before < k; before++) {
          if ((before > i && before < first) || reach[before][k] >= MOST || turn_at(before, k, l) < 0) continue;
          if (reach[before][k] + plainly[k][l] < reach[k][l]) reach[k][l] = reach[before][k] + plainly[k][l];
        }
      }
    }
    for (int k = first; k < j; k++) {
      if (reach[k][j] < MOST && turn_at(k, j, i) >= 0 && reach[k][j] + 1 < best) best = reach[k][j] + 1;
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

/* Seed 17. */
TEST(test_all_sets) {
  uint64_t seed = 17;
  size_t seen[MOST] = {0};
  for (int made = 0; made < 1500;) {
    if (!polygon(4 + rng_below(&seed, 6), 4 + rng_below(&seed, 5), &seed)) continue;
    made++;
    look();
    least = count;
    chosen_count = 0;
    choose(0, 2);
    size_t pieces = fewest(&seed);
    if (pieces != (size_t)least || over_all_bases() != least)
      fail_msg("polygon %d: %zu pieces, plainly %d and %d", made, pieces, least, over_all_bases());
    seen[pieces]++;
  }
  print_message("1 piece: %zu, 2: %zu, 3: %zu, 4: %zu, 5: %zu\n", seen[1], seen[2], seen[3], seen[4], seen[5]);
  assert_true(seen[1] > 50 && seen[2] > 300 && seen[3] > 200 && seen[4] > 50);
}

/* Seed 18. */
TEST(test_all_bases) {
  uint64_t seed = 18;
  int wanted = tiered(1500, 1500, 50000), better = 0;
  for (int made = 0; made < wanted;) {
    if (!polygon(10 + rng_below(&seed, (int)(MOST - 9)), 5 + rng_below(&seed, 12), &seed)) continue;
    made++;
    look();
    size_t pieces = fewest(&seed), plain = (size_t)over_all_bases();
    if (pieces != plain) fail_msg("polygon %d: %zu pieces, plainly %zu", made, pieces, plain);
    graze_vec points[MOST];
    for (int i = 0; i < count; i++) points[i] = (graze_vec){(double)v[i].x, (double)v[i].y, 0};
    graze_decomposition d;
    assert_int_equal(
        graze_decompose((graze_ring){points, (size_t)count}, NULL, 0, GRAZE_SPLIT_FEW, NULL, &d, NULL, NULL), GRAZE_OK);
    assert_true(d.fewest <= plain && plain <= d.piece_count && d.piece_count <= 4 * plain);
    better += d.piece_count > plain;
    graze_decomposition_destroy(&d);
  }
  print_message("%d of %d better than few pieces\n", better, wanted);
  assert_true(better > wanted / 7); /* or the search would have had little to do */
}
