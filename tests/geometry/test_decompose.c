/* graze_decompose() on families of polygons, checked by tiling.c: sizes, magnitudes, both windings, all splittings. The
 * fewest pieces are compared with a brute-force search. Rejected input: where the error is reported. Each test states
 * its seed and prints the numbers of pieces and their lower bounds. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "geometry/rings.h"
#include "geometry/tiling.h"

typedef struct tally {
  size_t pieces, bound, worst; /* worst: 100·pieces/bound, of the worst polygon */
} tally;

static int tier(void) { return tiered(1, 2, 40); }

static void reverse(rings *all, size_t ring) {
  for (size_t i = all->start[ring], j = all->start[ring + 1]; i + 1 < j; i++) {
    graze_vec t = all->points[i];
    all->points[i] = all->points[--j], all->points[j] = t;
  }
}

/* Splits, checks, counts. */
static size_t check(const rings *all, graze_splitting how, bool simple, const char *name, tally *sum) {
  graze_ring outline = rings_outline(all), *holes = holes_of(all);
  size_t hole_count = all->ring_count - 1;
  graze_decomposition d = {0};
  graze_outline_error reason = {0};
  graze_status status = graze_decompose(outline, holes, hole_count, how, NULL, &d, &reason, NULL);
  if (status != GRAZE_OK)
    fail_msg("%s, %zu points: status %d, error %d at ring %zu, %zu", name, all->point_count, (int)status,
             (int)reason.kind, reason.ring, reason.index);
  const char *fault = tiling_fault(outline, holes, hole_count, &d);
  if (fault != NULL) fail_msg("%s, %zu points, splitting %d: %s", name, all->point_count, (int)how, fault);
  assert_true(d.fewest >= 1 && d.fewest <= d.piece_count);
  if (simple) {
    size_t reflex = tiling_reflex(outline);
    assert_true(d.fewest >= (reflex + 1) / 2 + 1 && d.piece_count <= 2 * reflex + 1);
    assert_true(d.piece_count <= 4 * d.fewest);
    if (how == GRAZE_SPLIT_FEWEST) assert_true(d.fewest == d.piece_count);
  }
  size_t pieces = d.piece_count;
  if (sum != NULL) {
    sum->pieces += pieces, sum->bound += d.fewest;
    if (100 * pieces / d.fewest > sum->worst) sum->worst = 100 * pieces / d.fewest;
  }
  graze_decomposition_destroy(&d);
  assert_null(d.memory);
  free(holes);
  return pieces;
}

/* Seeds 1000 to 1000 + tries. Polygons are also scaled, from subnormal to the largest coordinates. If scaling
 * rounds, only polygons on a lattice remain valid. */
TEST(families) {
  static const int exponents[] = {-1060, -1022, -997, -700, -300, -1, 1, 60, 120};
  for (size_t f = 0; f < rings_family_count; f++) {
    const rings_family *family = &rings_families[f];
    tally few = {0}, fewest = {0};
    for (int t = 0; t < 12 * tier(); t++) {
      rings all = {0};
      family->make(&all, (size_t)(12 + t % 12 * (t % 12) * 2), 1000 + (uint64_t)t);
      for (size_t r = 0; r < all.ring_count; r++) {
        if ((t >> (r % 3)) & 1) reverse(&all, r);
      }
      const size_t pieces = check(&all, GRAZE_SPLIT_FEW, family->simple, family->name, &few);
      size_t least = pieces;
      if (family->simple) least = check(&all, GRAZE_SPLIT_FEWEST, true, family->name, &fewest);
      assert_true(least <= pieces);
      assert_int_equal(check(&all, GRAZE_SPLIT_AUTO, family->simple, family->name, NULL),
                       all.point_count <= 100 ? least : pieces);
      const int exponent = exponents[t % (int)COUNT(exponents)];
      rings_scale(&all, ldexp(1, exponent));
      if (exponent > -960 || family->lattice) check(&all, GRAZE_SPLIT_AUTO, family->simple, family->name, NULL);
      rings_clear(&all);
    }
    print_message("%-15s few: %5zu pieces, bound %5zu, worst ratio %.2f; fewest: %5zu\n", family->name, few.pieces,
                  few.bound, (double)few.worst / 100, fewest.pieces);
  }
}

static double step(double x, int direction) {
  return direction == 0 ? x : nextafter(x, direction > 0 ? INFINITY : -INFINITY);
}

/* A square with additional points on its edges, or one ulp to either side of them. Seed 5. */
TEST(an_ulp_decides) {
  uint64_t seed = 5;
  size_t several = 0, single = 0;
  for (int t = 0; t < 300 * tier(); t++) {
    rings all = {0};
    double s = 1 + rng_uniform(&seed, 0, 1);
    for (int side = 0; side < 4; side++) {
      for (int k = 0; k < 5; k++) {
        double u = s * k / 5, w = k == 0 ? 0 : step(s, rng_below(&seed, 3) - 1) - s;
        double x[4] = {u, s - w, s - u, w}, y[4] = {w, u, s - w, s - u};
        rings_add_point(&all, x[side], y[side]);
      }
    }
    rings_end(&all);
    size_t pieces = check(&all, GRAZE_SPLIT_AUTO, true, "ulps", NULL);
    several += pieces > 1, single += pieces == 1;
    rings_clear(&all);
  }
  assert_true(several > (size_t)(100 * tier()) && several + single == (size_t)(300 * tier()));
}

TEST(large_polygons) {
  for (size_t f = 0; f < rings_family_count; f++) {
    rings all = {0};
    rings_families[f].make(&all, (size_t)tiered(3000, 5000, 10000), 3);
    if (all.ring_count == 1 || tier() > 1 || f % 2 == 1)
      check(&all, GRAZE_SPLIT_AUTO, rings_families[f].simple, rings_families[f].name, NULL);
    rings_clear(&all);
  }
}

/* ---- Polygons by hand. */

TEST(polygons_by_hand) {
  static const struct {
    const char *rings;
    graze_splitting how;
    bool simple;
    size_t pieces;
  } cases[] = {
      {"0 0, 1 0, 0 1", GRAZE_SPLIT_AUTO, true, 1},
      {"0 0, 0 1, 1 0", GRAZE_SPLIT_FEWEST, true, 1},
      {"0 0, 0 0, 1 0, 1 0, 1 0, 0 1, 0 0", GRAZE_SPLIT_FEWEST, true, 1}, /* repeated neighbours */
      {"0 0, 2 0, 2 1, 1 1, 1 2, 0 2", GRAZE_SPLIT_FEWEST, true, 2},
      {"0 0, 1 0, 2 0, 2 1, 1 1, 1 2, 0 2, 0 1", GRAZE_SPLIT_FEWEST, true, 2},
      {"0 0, 4 0, 4 4, 0 4; 1 1, 2 1, 1 2", GRAZE_SPLIT_AUTO, false, 3},
      {"0 0, 4 0, 4 4, 0 4; 0 0, 2 1, 1 2", GRAZE_SPLIT_AUTO, false, 3}, /* the hole touches a corner */
      {"0 0, 4 0, 4 4, 0 4; 2 0, 3 1, 1 1", GRAZE_SPLIT_AUTO, false, 5}, /* … the interior of an edge */
      {"0 0, 4 0, 4 4, 0 4; 1 0, 3 0, 2 1", GRAZE_SPLIT_AUTO, false, 2}, /* … an edge along its whole length */
      {"0 0, 4 0, 4 4, 0 4; 0 0, 4 0, 4 2, 0 2", GRAZE_SPLIT_AUTO, false, 1},
      {"0 0, 4 0, 4 4, 0 4; 1 1, 2 1, 2 2, 1 2; 2 1, 3 1, 3 2, 2 2", GRAZE_SPLIT_AUTO, false, 4}, /* side by side */
      {"0 0, 1 0, 1 1, 2 1, 2 2, 1 2, 1 1, 0 1", GRAZE_SPLIT_AUTO, false, 2}, /* two squares at a corner */
      {"0 0, 2 0, 1 1, 2 2, 0 2, 1 1", GRAZE_SPLIT_AUTO, false, 2},
      {"0 0, 4 0, 4 4, 0 4, 0 0, 1 1, 1 3, 3 3, 3 1, 1 1", GRAZE_SPLIT_AUTO, false, 4}, /* a keyhole */
      {"0 0, 4 0, 4 4, 0 4, 0 0, 1 1, 2 3, 1 1", GRAZE_SPLIT_AUTO, false, 1}, /* a spike inward, with a bend */
      {"0 0, 4 0, 7 0, 4 0, 4 4, 0 4", GRAZE_SPLIT_AUTO, false, 1},           /* a spike outward */
      {"0 0, 6 0, 6 2, 4 2, 4 0, 2 0, 2 2, 0 2", GRAZE_SPLIT_AUTO, false, 2}, /* an edge on another */
      {"0 0, 4 0, 4 4, 2 0, 0 4", GRAZE_SPLIT_AUTO, false, 2},                /* a vertex on an edge */
      {"-1e40 -1e40, 1e40 -1e40, 1e40 1e40, 0x1p-1074 0x1p-1074, -1e40 1e40", GRAZE_SPLIT_AUTO, true, 2},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    rings all = rings_parse(cases[i].rings);
    const size_t pieces = check(&all, cases[i].how, cases[i].simple, cases[i].rings, NULL);
    rings_clear(&all);
    if (pieces != cases[i].pieces) fail_msg("%s: %zu pieces", cases[i].rings, pieces);
  }
}

/* Edges that a ring traverses in both directions need no pieces: a square with spikes inside is one piece. Seed 9. */
TEST(spikes_make_no_pieces) {
  uint64_t seed = 9;
  for (int t = 0; t < 200 * tier(); t++) {
    rings all = {0};
    size_t spikes = 1 + rng_index(&seed, 12);
    rings_add_point(&all, 0, 0);
    for (size_t i = 0; i < spikes; i++) { /* a fan from the corner, in order of slope */
      double x = (double)(1 + rng_index(&seed, 3)), y = x * (double)(i + 1);
      rings_add_point(&all, x, y), rings_add_point(&all, 0, 0);
    }
    rings_add_point(&all, 0, 100), rings_add_point(&all, 100, 100), rings_add_point(&all, 100, 0);
    rings_end(&all);
    assert_int_equal(check(&all, GRAZE_SPLIT_AUTO, false, "spikes", NULL), 1);
    rings_clear(&all);
  }
}

/* The check detects planted errors in pieces, area and internal_edges. */
TEST(check_finds_errors) {
  rings all = rings_parse("0 0, 4 0, 4 4, 2 1, 0 4");
  const graze_ring outline = rings_outline(&all);
  for (int error = 0; error < 5; error++) {
    graze_decomposition d;
    assert_int_equal(graze_decompose(outline, NULL, 0, GRAZE_SPLIT_AUTO, NULL, &d, NULL, NULL), GRAZE_OK);
    assert_null(tiling_fault(outline, NULL, 0, &d));
    graze_decomposition wrong = d;
    graze_vec corners[12];
    graze_internal_edge internal_edges[4];
    assert_true(d.piece_start[d.piece_count] <= COUNT(corners) && d.internal_edge_count <= COUNT(internal_edges));
    memcpy(corners, d.vertices, d.piece_start[d.piece_count] * sizeof *corners);
    memcpy(internal_edges, d.internal_edges, d.internal_edge_count * sizeof *internal_edges);
    wrong.vertices = corners, wrong.internal_edges = internal_edges;
    if (error == 0) corners[1] = corners[0];
    if (error == 1) wrong.piece_count--;
    if (error == 2) wrong.area = nextafter(d.area, 99);
    if (error == 3) internal_edges[0].left = internal_edges[0].right;
    if (error == 4) corners[2].x += 0x1p-50;
    assert_non_null(tiling_fault(outline, NULL, 0, &wrong));
    graze_decomposition_destroy(&d);
  }
  rings_clear(&all);
}

/* ---- Rejected input. */

TEST(validation_errors) {
#define SQUARE "0 0, 9 0, 9 9, 0 9"
  static const struct {
    const char *rings;
    graze_outline_error reason;
  } cases[] = {
      {"1 1", {GRAZE_OUTLINE_FEW_POINTS, 0, 0, 0, 0}},
      {"1 1, 2 1, 1 1, 2 1, 2 1", {GRAZE_OUTLINE_FEW_POINTS, 0, 0, 0, 0}},
      {"0 0, 1 1, 3 3, 2 2", {GRAZE_OUTLINE_ZERO_AREA, 0, 0, 0, 0}},
      {"0 0, 4 0, 4 4, 0 0, 4 4, 4 0", {GRAZE_OUTLINE_ZERO_AREA, 0, 0, 0, 0}}, /* traversed in both directions */
      {"0 0, 1 1, 1 0, 0 1", {GRAZE_OUTLINE_EDGES_CROSS, 0, 0, 0, 2}},         /* a bow tie of equal halves */
      {SQUARE "; 1 1, 2 2, 2 1, 1 2", {GRAZE_OUTLINE_EDGES_CROSS, 1, 0, 1, 2}},
      {SQUARE "; 0 0, 9 0, 9 9, 0 9", {GRAZE_OUTLINE_ZERO_AREA, 0, 0, 0, 0}}, /* the hole covers the outline */
      {SQUARE "; 0 0, 4 0, 4 9, 0 9; 4 0, 9 0, 9 9, 4 9", {GRAZE_OUTLINE_ZERO_AREA, 0, 0, 0, 0}},
      {SQUARE "; 1 1, 2 2", {GRAZE_OUTLINE_FEW_POINTS, 1, 0, 1, 0}},
      {SQUARE "; 1 1, 2 1, 1 2; 5 5, 6 6, 7 7", {GRAZE_OUTLINE_ZERO_AREA, 2, 0, 2, 0}},
      {"0 0, 4 0, 0 3, 2 3", {GRAZE_OUTLINE_EDGES_CROSS, 0, 1, 0, 3}},
      {"0 0, 4 0, 4 4, 2 -1, 0 4", {GRAZE_OUTLINE_EDGES_CROSS, 0, 0, 0, 3}},
      {SQUARE "; 1 1, 10 1, 1 2", {GRAZE_OUTLINE_EDGES_CROSS, 0, 1, 1, 0}},
      {SQUARE "; 1 1, 3 1, 1 3; 2 1, 4 1, 1 2", {GRAZE_OUTLINE_EDGES_CROSS, 1, 1, 2, 1}},
      /* no edges cross */
      {SQUARE "; 20 0, 21 0, 20 1", {GRAZE_OUTLINE_HOLE_OUTSIDE, 1, 0, 1, 0}},
      {SQUARE "; 20 0, 29 0, 29 9, 20 9", {GRAZE_OUTLINE_HOLE_OUTSIDE, 1, 0, 1, 0}},
      {SQUARE "; 5 5, 9 9, 12 12, 6 9", {GRAZE_OUTLINE_HOLE_OUTSIDE, 1, 1, 1, 1}}, /* outside after its second corner */
      {SQUARE "; 1 1, 2 1, 1 2; 9 9, 10 9, 10 10", {GRAZE_OUTLINE_HOLE_OUTSIDE, 2, 0, 2, 0}},
      {SQUARE "; 1 1, 5 1, 1 5; 2 2, 3 2, 2 3", {GRAZE_OUTLINE_HOLE_OUTSIDE, 2, 0, 2, 0}}, /* in another hole */
      {SQUARE "; 2 2, 3 2, 2 3; 6 6, 7 6, 6 7; 1 1, 5 1, 1 5", {GRAZE_OUTLINE_HOLE_OUTSIDE, 3, 0, 1, 0}},
      {"0 0, 9 0, 9 9, 0 9, 0 0, 2 2, 3 3, 3 6, 6 6, 6 3, 3 3, 2 2; 2 2, 7 2, 7 7, 2 7",
       {GRAZE_OUTLINE_HOLE_OUTSIDE, 1, 0, 0, 6}}, /* around a part that the outline leaves out */
      {SQUARE "; 1 1, 2 1, 1 2; 1 1, 2 1, 1 2", {GRAZE_OUTLINE_HOLE_OUTSIDE, 2, 0, 2, 0}}, /* the same hole twice */
      {SQUARE "; -1 -1, 10 -1, 10 10, -1 10", {GRAZE_OUTLINE_HOLE_OUTSIDE, 1, 0, 1, 0}},
      {"0 0, 1 0, 0 1, 0 0, 1 0, 0 1", {GRAZE_OUTLINE_EDGES_TOUCH, 0, 0, 0, 3}}, /* winds twice */
      {"0 0, 9 0, 9 9, 0 9, 0 0, 2 1, 2 2, 1 2",
       {GRAZE_OUTLINE_EDGES_TOUCH, 0, 3, 0, 7}}, /* winds twice around a part */
      {SQUARE "; 2 2, 4 2, 3 3, 4 4, 2 4, 3 3; 6 6, 7 6, 7 7, 8 8, 8 7, 7 7, 6 7",
       {GRAZE_OUTLINE_EDGES_TOUCH, 2, 1, 2, 4}}, /* a hole with two parts of different winding */
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    const graze_outline_error *want = &cases[i].reason;
    rings all = rings_parse(cases[i].rings);
    graze_ring *holes = holes_of(&all);
    graze_outline_error reason = {0};
    graze_decomposition d, before;
    graze_error error;
    memset(&d, 0x5a, sizeof d);
    memcpy(&before, &d, sizeof d);
    assert_int_equal(
        graze_decompose(rings_outline(&all), holes, all.ring_count - 1, GRAZE_SPLIT_AUTO, NULL, &d, &reason, &error),
        GRAZE_NOT_SIMPLE);
    assert_memory_equal(&d, &before, sizeof d);
    assert_string_equal(error.what, want->ring == 0 ? "vertices" : "holes");
    assert_true(error.status == GRAZE_NOT_SIMPLE && error.index == (ptrdiff_t)want->index &&
                error.value == (double)want->ring);
    if (reason.kind != want->kind || reason.ring != want->ring || reason.index != want->index ||
        reason.other_ring != want->other_ring || reason.other != want->other)
      fail_msg("%s: error %d, %zu %zu, %zu %zu", cases[i].rings, (int)reason.kind, reason.ring, reason.index,
               reason.other_ring, reason.other);
    free(holes);
    rings_clear(&all);
  }
}

/* ---- The fewest pieces of random simple polygons with integer coordinates and collinear points, compared with
 * a brute-force search over all convex polygons over all bases. */

enum { VERTICES_MAX = 18 };

static graze_vec v[VERTICES_MAX];
static int count;

static int turn(graze_vec a, graze_vec b, graze_vec c) {
  const double t = cross(sub(b, a), sub(c, b)).z;
  return (t > 0) - (t < 0);
}

static int turn_at(int i, int j, int k) { return turn(v[i], v[j], v[k]); }

static bool between(graze_vec a, graze_vec b, graze_vec p) {
  return turn(a, b, p) == 0 && dot(sub(a, p), sub(b, p)) <= 0;
}

static bool meet(graze_vec a, graze_vec b, graze_vec c, graze_vec d) {
  if (between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b)) return true;
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

static int next(int i) { return (i + 1) % count; }

static void reverse_part(int from, int to) {
  for (; from < to; from++, to--) {
    const graze_vec t = v[from];
    v[from] = v[to], v[to] = t;
  }
}

/* Random points in a random order; reversals remove intersections of edges (2-opt). False: not simple. */
static bool polygon(int size, int side, uint64_t *seed) {
  count = size;
  for (int i = 0; i < count; i++) v[i].x = rng_below(seed, side), v[i].y = rng_below(seed, side);
  bool met = true;
  for (int round = 0; round < 60 && met; round++) {
    met = false;
    for (int i = 0; i < count; i++)
      for (int j = i + 2; j < count; j++) {
        if (next(j) == i || !meet(v[i], v[next(i)], v[j], v[next(j)])) continue;
        reverse_part(i + 1, j);
        met = true;
      }
  }
  graze_outline outline;
  assert_int_equal(graze_validate_outline(v, (size_t)count, NULL, &outline, NULL), GRAZE_OK);
  const bool simple = outline.simple;
  if (outline.winding == GRAZE_WINDING_CW) reverse_part(0, count - 1);
  graze_outline_destroy(&outline);
  return simple;
}

/* ---- Diagonals: strictly inside, except for their ends. */

static bool visible[VERTICES_MAX][VERTICES_MAX];

static bool is_diagonal(int i, int j) {
  for (int k = 0; k < count; k++) {
    if (k != i && k != j && between(v[i], v[j], v[k])) return false;
    if (k == i || k == j || next(k) == i || next(k) == j) continue;
    if (meet(v[i], v[j], v[k], v[next(k)])) return false;
  }
  const graze_ring ring = {v, (size_t)count};
  return locate_point(&ring, 1, scaled(0.5, add(v[i], v[j]))) == GRAZE_OVERLAPPING;
}

static void find_diagonals(void) {
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) visible[i][j] = i != j && (next(i) == j || next(j) == i || is_diagonal(i, j));
  }
}

/* ---- All convex polygons over a base i -> j, as chains from i by their first vertex and last edge. */

static int least[VERTICES_MAX][VERTICES_MAX];

static int over_base(int i, int j) {
  int best = VERTICES_MAX;
  for (int first = i + 1; first < j; first++) {
    int sum[VERTICES_MAX][VERTICES_MAX]; /* the least sum for a chain that ends with k -> l */
    if (!visible[i][first] || turn_at(j, i, first) < 0) continue;
    for (int l = first; l <= j; l++) {
      for (int k = i; k < l; k++) {
        sum[k][l] = k == i && l == first ? least[i][first] : VERTICES_MAX;
        if (k < first || !visible[k][l]) continue;
        for (int before = i; before < k; before++) {
          if ((before > i && before < first) || sum[before][k] >= VERTICES_MAX || turn_at(before, k, l) < 0) continue;
          if (sum[before][k] + least[k][l] < sum[k][l]) sum[k][l] = sum[before][k] + least[k][l];
        }
      }
    }
    for (int k = first; k < j; k++) {
      if (sum[k][j] < VERTICES_MAX && turn_at(k, j, i) >= 0 && sum[k][j] + 1 < best) best = sum[k][j] + 1;
    }
  }
  return best;
}

static int over_all_bases(void) {
  for (int distance = 1; distance < count; distance++) {
    for (int i = 0; i + distance < count; i++)
      least[i][i + distance] = distance == 1 ? 0 : visible[i][i + distance] ? over_base(i, i + distance) : VERTICES_MAX;
  }
  return least[0][count - 1];
}

/* Polygons with 4 to 9 vertices on small lattices, most of them collinear, and with 10 to 18 vertices. Seed 17. */
TEST(fewest_pieces) {
  rng random = 17;
  const int wanted = tiered(3000, 3000, 51500);
  int better = 0;
  size_t seen[VERTICES_MAX] = {0};
  for (int made = 0; made < wanted;) {
    const bool small = made < 1500;
    const int size = small ? 4 + rng_below(&random, 6) : 10 + rng_below(&random, VERTICES_MAX - 9);
    if (!polygon(size, small ? 4 + rng_below(&random, 5) : 5 + rng_below(&random, 12), &random)) continue;
    made++;
    find_diagonals();
    tally few = {0};
    const size_t start = rng_index(&random, (size_t)count);
    const bool back = rng_coin(&random);
    rings all = {0};
    for (size_t i = 0, n = (size_t)count; i < n; i++) {
      const graze_vec p = v[(back ? 2 * n - 1 - i - start : i + start) % n];
      rings_add_point(&all, p.x, p.y);
    }
    rings_end(&all);
    const size_t fewest = check(&all, GRAZE_SPLIT_FEWEST, true, "random", NULL), plain = (size_t)over_all_bases();
    if (fewest != plain) fail_msg("polygon %d: %zu pieces, by brute force %zu", made, fewest, plain);
    check(&all, GRAZE_SPLIT_FEW, true, "random", &few);
    assert_true(few.bound <= plain && plain <= few.pieces && few.pieces <= 4 * plain);
    seen[plain] += small;
    better += !small && few.pieces > plain;
    rings_clear(&all);
  }
  assert_true(seen[1] > 50 && seen[2] > 300 && seen[3] > 200 && seen[4] > 40);
  assert_true(better > (wanted - 1500) / 7); /* otherwise the search had little effect */
}
