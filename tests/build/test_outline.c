/* graze_judge_outline(): known outlines, what is said of every kind of flaw, refusals, areas to the last bit, memory
 * that runs out, outlines of ten thousand vertices; and edges of several rings. */

#include "support/test.h"
#include "support/random.h"
#include "build/edges.h"
#include "build/outline_truth.h"

static const uint64_t seed_of = 0x452821e638d01377u;
static uint64_t state;

static uint64_t next_random(void) { return rng_bits(&state); }

static graze_vec at(double x, double y) {
  graze_vec v = {x, y, 0};
  return v;
}

/* ---- Known outlines */

enum {
  FEW = 1 << GRAZE_FLAW_FEW_POINTS,
  ZERO = 1 << GRAZE_FLAW_ZERO_AREA,
  NEIGHBOUR = 1 << GRAZE_FLAW_REPEATED_NEIGHBOUR,
  REPEATED = 1 << GRAZE_FLAW_REPEATED_POINT,
  TOUCH = 1 << GRAZE_FLAW_EDGES_TOUCH,
  CROSS = 1 << GRAZE_FLAW_EDGES_CROSS
};

static const struct known {
  const char *name;
  size_t count;
  double xy[30];
  bool convex;
  graze_winding winding;
  double area;
  unsigned kinds;
} known[] = {
    {"triangle", 3, {0, 0, 1, 0, 0, 1}, true, GRAZE_WINDING_CCW, 0.5, 0},
    {"clockwise", 3, {0, 0, 0, 1, 1, 0}, true, GRAZE_WINDING_CW, 0.5, 0},
    {"L", 6, {0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4}, false, GRAZE_WINDING_CCW, 7, 0},
    {"collinear vertices", 5, {0, 0, 1, 0, 2, 0, 2, 2, 0, 2}, true, GRAZE_WINDING_CCW, 4, 0},
    {"near-touch", 5, {0, 0, 10, 0, 10, 10, 5, 0x1p-45, 0, 10}, false, GRAZE_WINDING_CCW, 50 + 5 * 0x1p-45, 0},
    {"cross-ulp", 5, {0, 0, 10, 0, 10, 10, 5, -0x1p-45, 0, 10}, false, GRAZE_WINDING_CCW, 50 - 5 * 0x1p-45, CROSS},
    {"touch", 5, {0, 0, 10, 0, 10, 10, 5, 0, 0, 10}, false, GRAZE_WINDING_CCW, 50, TOUCH},
    {"bad-edge-overlap", 8, {0, 0, 6, 0, 6, 2, 4, 2, 4, 0, 2, 0, 2, 2, 0, 2}, false, GRAZE_WINDING_CCW, 8, TOUCH},
    {"bad-bowtie", 4, {0, 0, 2, 2, 2, 0, 0, 2}, false, GRAZE_WINDING_NONE, 0, ZERO | CROSS},
    {"bad-dup", 7, {0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1}, true, GRAZE_WINDING_CCW, 1, NEIGHBOUR},
    {"last is first", 4, {0, 0, 1, 0, 0, 1, 0, 0}, true, GRAZE_WINDING_CCW, 0.5, NEIGHBOUR},
    {"zeros of both signs", 4, {0, 0, 1, -0.0, 0, 1, -0.0, 0}, true, GRAZE_WINDING_CCW, 0.5, NEIGHBOUR},
    {"bad-keyhole",
     10,
     {0, 0, 8, 0, 8, 8, 0, 8, 0, 0, 2, 2, 2, 6, 6, 6, 6, 2, 2, 2},
     false,
     GRAZE_WINDING_CCW,
     48,
     REPEATED | TOUCH},
    {"twice around", 6, {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, false, GRAZE_WINDING_CCW, 1, REPEATED | TOUCH},
    {"spike", 4, {0, 0, 2, 0, 3, 0, 0, 2}, true, GRAZE_WINDING_CCW, 3, 0},
    {"fold", 4, {0, 0, 3, 0, 2, 0, 0, 2}, false, GRAZE_WINDING_CCW, 2, TOUCH},
    {"earcut-bad-diagonals",
     11,
     {440,  4152, 440,  4208, 296,  4192, 368,  4192, 400,  4200, 400,
      4176, 368,  4192, 296,  4192, 264,  4200, 288,  4160, 296,  4192},
     false,
     GRAZE_WINDING_CCW,
     4192,
     REPEATED | TOUCH},
    {"a point", 1, {3, 4}, false, GRAZE_WINDING_NONE, 0, FEW | ZERO},
    {"twice the point", 2, {3, 4, 3, 4}, false, GRAZE_WINDING_NONE, 0, FEW | ZERO | NEIGHBOUR},
    {"a segment", 2, {3, 4, 5, 6}, false, GRAZE_WINDING_NONE, 0, FEW | ZERO | TOUCH},
    {"to and fro", 4, {3, 4, 5, 6, 3, 4, 5, 6}, false, GRAZE_WINDING_NONE, 0, FEW | ZERO | REPEATED | TOUCH},
    {"on one line", 3, {0, 0, 1, 1, 2, 2}, false, GRAZE_WINDING_NONE, 0, ZERO | TOUCH},
};

static size_t read_known(const struct known *from, graze_vec *vertices) {
  for (size_t i = 0; i < from->count; i++) vertices[i] = at(from->xy[2 * i], from->xy[2 * i + 1]);
  return from->count;
}

static int seed(void **unused) {
  (void)unused;
  state = seed_of;
  return 0;
}

TEST(test_known) {
  for (size_t k = 0; k < COUNT(known); k++) {
    graze_vec vertices[15];
    graze_outline judged;
    graze_error error = {GRAZE_REFUTED, NULL, 7, 7};
    graze_status status = graze_judge_outline(vertices, read_known(&known[k], vertices), NULL, &judged, &error);
    assert_int_equal(status, GRAZE_OK);
    assert_int_equal(error.status, GRAZE_OK);
    unsigned kinds = 0;
    for (size_t i = 0; i < judged.flaw_count; i++) kinds |= 1u << judged.flaws[i].kind;
    bool good = judged.convex == known[k].convex && judged.simple == (known[k].kinds == 0) &&
                judged.winding == known[k].winding && judged.area == known[k].area && kinds == known[k].kinds;
    if (!good)
      fail_msg("%s: convex %d, %s, area %a, kinds %x", known[k].name, judged.convex, graze_winding_text(judged.winding),
               judged.area, kinds);
    graze_outline_destroy(&judged);
    graze_outline_destroy(&judged); /* zeroed */
    assert_null(judged.flaws);
  }
}

/* A flaw each, named in full. The vertices 0 and 9 are one run of equal neighbours, 4 repeats it. */
TEST(test_flaws) {
  const graze_vec vertices[] = {at(0, 0),  at(9, 0),  at(9, 9),  at(5, 9),   at(0, 0),
                                at(-5, 9), at(-9, 9), at(-9, 4), at(-6, 10), at(0, 0)};
  const graze_flaw flaws[] = {
      {GRAZE_FLAW_REPEATED_NEIGHBOUR, 0, 0, 0, 9}, {GRAZE_FLAW_REPEATED_POINT, 0, 9, 0, 4},
      {GRAZE_FLAW_EDGES_TOUCH, 0, 0, 0, 3},        {GRAZE_FLAW_EDGES_TOUCH, 0, 0, 0, 4},
      {GRAZE_FLAW_EDGES_TOUCH, 0, 3, 0, 8},        {GRAZE_FLAW_EDGES_TOUCH, 0, 4, 0, 8},
      {GRAZE_FLAW_EDGES_CROSS, 0, 5, 0, 7},        {GRAZE_FLAW_EDGES_CROSS, 0, 5, 0, 8},
  };
  graze_outline judged;
  assert_int_equal(graze_judge_outline(vertices, COUNT(vertices), NULL, &judged, NULL), GRAZE_OK);
  assert_int_equal(judged.flaw_count, COUNT(flaws));
  for (size_t i = 0; i < COUNT(flaws); i++) {
    const graze_flaw *flaw = &judged.flaws[i];
    bool good = flaw->kind == flaws[i].kind && flaw->index == flaws[i].index && flaw->other == flaws[i].other;
    if (!good) fail_msg("%zu: %s %zu %zu", i, graze_flaw_text(flaw->kind), flaw->index, flaw->other);
  }
  graze_outline_destroy(&judged);
}

TEST(test_texts) {
  static const char *const flaws[] = {"fewer_than_3_distinct_points",
                                      "zero_area",
                                      "repeated_consecutive_point",
                                      "repeated_point_elsewhere",
                                      "edges_touch",
                                      "edges_cross",
                                      "hole_outside"};
  for (int i = 0; i < (int)COUNT(flaws); i++)
    assert_string_equal(graze_flaw_text((graze_flaw_kind)(i + GRAZE_FLAW_FEW_POINTS)), flaws[i]);
  assert_string_equal(graze_flaw_text((graze_flaw_kind)99), "unknown flaw");
  assert_string_equal(graze_winding_text(GRAZE_WINDING_NONE), "none");
  assert_string_equal(graze_winding_text(GRAZE_WINDING_CCW), "ccw");
  assert_string_equal(graze_winding_text(GRAZE_WINDING_CW), "cw");
  assert_string_equal(graze_winding_text((graze_winding)99), "unknown winding");
}

/* ---- Refusals */

static void refuse(const graze_vec *vertices, size_t count, graze_status status, ptrdiff_t index) {
  graze_outline judged, before;
  graze_error error;
  memset(&judged, 0x5a, sizeof judged);
  memcpy(&before, &judged, sizeof judged);
  assert_int_equal(graze_judge_outline(vertices, count, NULL, &judged, &error), status);
  assert_int_equal(error.status, status);
  assert_string_equal(error.what, "vertices");
  assert_int_equal(error.index, index);
  assert_memory_equal(&judged, &before, sizeof judged);
  assert_int_equal(graze_judge_outline(vertices, count, NULL, &judged, NULL), status);
}

TEST(test_refused) {
  const graze_vec nan[] = {at(0, 0), at(1, NAN), at(1, 1)}, infinite[] = {at(0, 0), at(1, 0), at(-INFINITY, 1)};
  const graze_vec large[] = {at(1.1e40, 0), at(1, 0), at(1, 1)}, solid[] = {at(0, 0), at(1, 0), {0, 1, 1}};
  refuse(nan, 3, GRAZE_BAD_NUMBER, 1);
  refuse(infinite, 3, GRAZE_BAD_NUMBER, 2);
  refuse(large, 3, GRAZE_BAD_NUMBER, 0);
  refuse(solid, 3, GRAZE_DIM_MISMATCH, 2);
  refuse(nan, 0, GRAZE_BAD_SHAPE, -1);
  refuse(NULL, 3, GRAZE_BAD_SHAPE, -1);
  refuse(nan, (size_t)INT32_MAX + 1, GRAZE_BAD_SHAPE, -1);
}

/* ---- Areas */

static double random_number(int low, int high) {
  double mantissa = 1 + (double)(next_random() >> 12) * 0x1p-52;
  return ldexp(next_random() & 1 ? mantissa : -mantissa, low + (int)(next_random() % (uint64_t)(high - low + 1)));
}

static void check_area(const graze_vec *vertices, size_t count) {
  graze_outline judged;
  int sign;
  double area = truth_area(vertices, count, &sign);
  assert_int_equal(graze_judge_outline(vertices, count, NULL, &judged, NULL), GRAZE_OK);
  graze_winding winding = sign > 0 ? GRAZE_WINDING_CCW : sign < 0 ? GRAZE_WINDING_CW : GRAZE_WINDING_NONE;
  if (judged.area != area || judged.winding != winding)
    fail_msg("area %a, truly %a, sign %d, %zu vertices from (%a, %a)", judged.area, area, sign, count, vertices[0].x,
             vertices[0].y);
  graze_outline_destroy(&judged);
}

/* Of all magnitudes; spread over the whole range; near 2^-1022, where areas become subnormal; and twice the least
 * subnormal number away from nothing. */
TEST_WITH(test_areas, seed, NULL) {
  static const int ranges[][2] = {{-3, 3}, {-1074, 131}, {-515, -508}, {-540, -530}, {128, 131}, {-60, 0}};
  int subnormal = 0;
  for (int i = 0; i < 40000; i++) {
    const int *range = ranges[i % (int)COUNT(ranges)];
    graze_vec v[6];
    size_t count = 3 + (size_t)(next_random() % 4);
    for (size_t k = 0; k < count; k++) v[k] = at(random_number(range[0], range[1]), random_number(range[0], range[1]));
    if (next_random() % 2) v[0] = at(0, 0), v[1].y = 0, v[2].x = 0, count = 3;
    check_area(v, count);
    int sign;
    double area = truth_area(v, count, &sign);
    subnormal += area > 0 && area < 0x1p-1022;
  }
  if (subnormal < 4000 || subnormal > 20000) fail_msg("%d subnormal areas", subnormal);
}

/* Halfway between two subnormal areas, and a hair beside it. */
TEST(test_area_ties) {
  for (int i = 1; i < 200; i++) { /* i·2^-1075 */
    graze_vec exact[3] = {at(0, 0), at(i * 0x1p-540, 0), at(0, 0x1p-534)};
    check_area(exact, 3);
    graze_vec more[4] = {at(0, 0), at(i * 0x1p-540, 0), at(0, 0x1p-534), at(-0x1p-1074, 0)};
    check_area(more, 4);
    graze_vec less[4] = {at(0, 0), at(i * 0x1p-540, 0), at(0, 0x1p-534), at(0x1p-1074, 0)};
    check_area(less, 4);
  }
}

/* A square of 1e40 with a corner cut by the least that there is. */
TEST(test_extremes) {
  const double huge = GRAZE_LARGEST, tiny = 0x1p-1074;
  const graze_vec cut[] = {at(tiny, 0), at(huge, 0), at(huge, huge), at(0, tiny)};
  const graze_vec straight[] = {at(-huge, -huge), at(0, 0), at(huge, huge), at(-huge, huge)};
  const graze_vec bent[] = {at(-huge, -huge), at(0, tiny), at(huge, huge), at(-huge, huge)};
  const graze_vec crossing[] = {at(-huge, -huge), at(huge, huge), at(huge, -huge),
                                at(tiny, 0),      at(0, tiny),    at(-huge, huge)};
  const struct {
    const graze_vec *vertices;
    size_t count;
    bool convex, simple;
  } all[] = {{cut, 4, true, true}, {straight, 4, true, true}, {bent, 4, false, true}, {crossing, 6, false, false}};
  for (size_t i = 0; i < COUNT(all); i++) {
    graze_outline judged;
    assert_int_equal(graze_judge_outline(all[i].vertices, all[i].count, NULL, &judged, NULL), GRAZE_OK);
    assert_int_equal(judged.convex, all[i].convex);
    assert_int_equal(judged.simple, all[i].simple);
    graze_outline_destroy(&judged);
    check_area(all[i].vertices, all[i].count);
  }
}

/* ---- Memory */

/* Fails at call number `fails`, counted from 0; if `empty`, at every later one too. */
typedef struct meagre {
  int asked, fails, held;
  bool empty;
} meagre;

static void *meagre_allocate(void *context, size_t size) {
  meagre *store = context;
  int call = store->asked++;
  if (call == store->fails || (store->empty && call > store->fails)) return NULL;
  store->held++;
  return malloc(size);
}

static void meagre_release(void *context, void *memory) {
  ((meagre *)context)->held--;
  free(memory);
}

/* Returns how many calls succeed in the end. */
static int starve(const graze_vec *vertices, size_t count, bool empty) {
  graze_outline judged, before;
  graze_error error;
  memset(&judged, 0x5a, sizeof judged);
  memcpy(&before, &judged, sizeof judged);
  for (int fails = 0;; fails++) {
    meagre store = {0, fails, 0, empty};
    const graze_allocator allocator = {meagre_allocate, meagre_release, &store};
    graze_status status = graze_judge_outline(vertices, count, &allocator, &judged, &error);
    if (status == GRAZE_OK) {
      assert_int_equal(store.asked, fails);
      assert_int_equal(store.held, judged.flaw_count > 0 ? 1 : 0);
      graze_outline_destroy(&judged);
      assert_int_equal(store.held, 0);
      return fails;
    }
    assert_int_equal(status, GRAZE_OUT_OF_MEMORY);
    assert_int_equal(error.status, GRAZE_OUT_OF_MEMORY);
    assert_int_equal(store.held, 0);
    assert_memory_equal(&judged, &before, sizeof judged);
  }
}

TEST(test_memory) {
  graze_vec vertices[60];
  for (int empty = 0; empty < 2; empty++) {
    for (size_t k = 0; k < COUNT(known); k++) {
      size_t count = read_known(&known[k], vertices);
      assert_in_range(starve(vertices, count, empty != 0), 6, 10);
    }
    for (size_t i = 0; i < COUNT(vertices); i++) vertices[i] = at((double)(i * 37 % 60), (double)(i * i % 60));
    assert_in_range(starve(vertices, COUNT(vertices), empty != 0), 11, 20); /* the list of pairs grows */
  }
}

/* ---- Many vertices */

enum { MANY = 10000 };

static void comb(graze_vec *v) { /* teeth of 1 by 10000, and the same lying on its side */
  for (int i = 0; i < MANY / 4; i++) {
    const double x[4] = {0, 0, 1, 1}, y[4] = {0, 10000, 10000, 0};
    for (int k = 0; k < 4; k++) v[4 * i + k] = at(2 * i + x[k], y[k]);
  }
  v[0].y = v[MANY - 1].y = -1;
}

static void lying_comb(graze_vec *v) {
  comb(v);
  for (int i = 0; i < MANY; i++) v[i] = at(-v[i].y, v[i].x);
}

/* A corridor that winds around the origin, out and back in. */
static void spiral(graze_vec *v) {
  static const double x[4] = {1, 1, -1, -1}, y[4] = {-1, 1, 1, -1};
  for (int i = 0; i < MANY / 2; i++) {
    double out = i + 10, wide = i + 8; /* the turn before is at i + 6 */
    v[i] = at(x[i % 4] * out, y[i % 4] * out);
    v[MANY - 1 - i] = at(x[i % 4] * wide, y[i % 4] * wide);
  }
}

static void star(graze_vec *v) {
  for (int i = 0; i < MANY; i++) {
    double angle = 6.283185307179586 * i / MANY, radius = i % 2 ? 10 : 4;
    v[i] = at(radius * cos(angle), radius * sin(angle));
  }
}

static void zigzag(graze_vec *v) {
  for (int i = 0; i < MANY / 2; i++) {
    v[i] = at(i, i % 2 ? 5000 : 0);
    v[MANY - 1 - i] = at(i, (i % 2 ? 5000 : 0) + 0.5);
  }
}

TEST(test_many) {
  static graze_vec vertices[MANY];
  void (*const families[])(graze_vec *) = {comb, lying_comb, spiral, star, zigzag};
  for (size_t k = 0; k < COUNT(families); k++) {
    graze_outline judged;
    families[k](vertices);
    for (int fault = 0; fault < 2; fault++) {
      assert_int_equal(graze_judge_outline(vertices, MANY, NULL, &judged, NULL), GRAZE_OK);
      if (judged.simple == fault) fail_msg("family %zu: %zu flaws", k, judged.flaw_count);
      assert_false(judged.convex);
      graze_outline_destroy(&judged);
      graze_vec swap = vertices[MANY / 2];
      vertices[MANY / 2] = vertices[MANY / 2 + 40], vertices[MANY / 2 + 40] = swap;
    }
  }
}

/* {n/k}: every edge crosses 2(k - 1) others. */
TEST(test_star_polygon) {
  enum { POINTS = 499, STEP = 249 };
  graze_vec vertices[POINTS];
  graze_outline judged;
  for (int i = 0; i < POINTS; i++) {
    double angle = 6.283185307179586 * (i * STEP % POINTS) / POINTS;
    vertices[i] = at(1000 * cos(angle), 1000 * sin(angle));
  }
  assert_int_equal(graze_judge_outline(vertices, POINTS, NULL, &judged, NULL), GRAZE_OK);
  assert_int_equal(judged.flaw_count, POINTS * (STEP - 1));
  for (size_t i = 0; i < judged.flaw_count; i++) assert_int_equal(judged.flaws[i].kind, GRAZE_FLAW_EDGES_CROSS);
  graze_outline_destroy(&judged);
}

/* ---- Several rings */

TEST(test_rings) {
  const graze_vec square[] = {at(0, 0), at(4, 0), at(4, 0), at(4, 4), at(0, 4), at(0, 0)};
  const graze_vec point[] = {at(1, 1), at(1, 1)}, tooth[] = {at(4, 1), at(5, 2), at(3, 4), at(3, 1)};
  const graze_ring rings[] = {{square, 6}, {point, 2}, {tooth, 4}};
  grz_edge edges[12];
  assert_int_equal(grz_edges_of(rings, 3, edges), 8);
  static const size_t ring[] = {0, 0, 0, 0, 2, 2, 2, 2}, index[] = {0, 2, 3, 4, 0, 1, 2, 3};
  static const int32_t next[] = {1, 2, 3, 0, 5, 6, 7, 4};
  for (int i = 0; i < 8; i++) {
    assert_int_equal(edges[i].ring, ring[i]);
    assert_int_equal(edges[i].index, index[i]);
    assert_int_equal(edges[i].next, next[i]);
    assert_true(edges[i].to.x == edges[next[i]].from.x && edges[i].to.y == edges[next[i]].from.y);
  }
  assert_int_equal(grz_edges_meeting(edges, 0, 1), GRZ_APART);
  assert_int_equal(grz_edges_meeting(edges, 7, 4), GRZ_APART);
  assert_int_equal(grz_edges_meeting(edges, 1, 5), GRZ_CROSS);
  assert_int_equal(grz_edges_meeting(edges, 4, 1), GRZ_TOUCH);
}
