/* graze_judge_outline() against brute force in integers: every validation error, in its order, and the area to the last
 * bit; graze_check() of the same polygons. Small lattices, where everything touches; lattices of single ulps far from
 * the origin, sheared, huge and tiny; lines that miss a point by a rounding; ten thousand vertices; rejected input;
 * memory that runs out. */

#include "support/test.h"
#include "support/geometry.h"
#include "build/outline_truth.h"
#include "build/rings.h"
#include "build/tiling.h"

enum { MOST_ERRORS = TRUTH_MOST * TRUTH_MOST };

static const uint64_t seed_of = 0x082efa98ec4e6c89u;
static rng state;

static int64_t below(int64_t n) { return (int64_t)rng_index(&state, (size_t)n); }
static int rounds(int count) { return tiered(count, 2 * count, 40 * count); }
static graze_vec at(double x, double y) { return vec(x, y, 0); }

static graze_outline judge(const graze_vec *vertices, size_t count) {
  graze_outline outline;
  graze_error error = {GRAZE_REFUTED, NULL, 7, 7};
  assert_int_equal(graze_judge_outline(vertices, count, NULL, &outline, &error), GRAZE_OK);
  assert_int_equal(error.status, GRAZE_OK);
  return outline;
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
  const char *name, *vertices;
  bool convex;
  graze_winding winding;
  double area;
  unsigned kinds;
} known[] = {
    {"clockwise", "0 0, 0 1, 1 0", true, GRAZE_WINDING_CW, 0.5, 0},
    {"near-touch", "0 0, 10 0, 10 10, 5 0x1p-45, 0 10", false, GRAZE_WINDING_CCW, 50 + 5 * 0x1p-45, 0},
    {"cross-ulp", "0 0, 10 0, 10 10, 5 -0x1p-45, 0 10", false, GRAZE_WINDING_CCW, 50 - 5 * 0x1p-45, CROSS},
    {"bad-bowtie", "0 0, 2 2, 2 0, 0 2", false, GRAZE_WINDING_NONE, 0, ZERO | CROSS},
    {"zeros of both signs", "0 0, 1 -0.0, 0 1, -0.0 0", true, GRAZE_WINDING_CCW, 0.5, NEIGHBOUR},
    {"bad-keyhole", "0 0, 8 0, 8 8, 0 8, 0 0, 2 2, 2 6, 6 6, 6 2, 2 2", false, GRAZE_WINDING_CCW, 48, REPEATED | TOUCH},
    {"twice around", "0 0, 1 0, 0 1, 0 0, 1 0, 0 1", false, GRAZE_WINDING_CCW, 1, REPEATED | TOUCH},
    {"earcut-bad-diagonals",
     "440 4152, 440 4208, 296 4192, 368 4192, 400 4200, 400 4176, 368 4192, 296 4192, 264 4200, 288 4160, 296 4192",
     false, GRAZE_WINDING_CCW, 4192, REPEATED | TOUCH},
    {"twice the point", "3 4, 3 4", false, GRAZE_WINDING_NONE, 0, FEW | ZERO | NEIGHBOUR},
};

TEST(known_outlines) {
  for (size_t k = 0; k < COUNT(known); k++) {
    rings all = rings_parse(known[k].vertices);
    graze_outline outline = judge(all.points, all.point_count);
    unsigned kinds = 0;
    for (size_t i = 0; i < outline.flaw_count; i++) kinds |= 1u << outline.flaws[i].kind;
    bool good = outline.convex == known[k].convex && outline.simple == (known[k].kinds == 0) &&
                outline.winding == known[k].winding && outline.area == known[k].area && kinds == known[k].kinds;
    if (!good)
      fail_msg("%s: convex %d, %s, area %a, kinds %x", known[k].name, outline.convex,
               graze_winding_text(outline.winding), outline.area, kinds);
    graze_outline_destroy(&outline);
    graze_outline_destroy(&outline); /* zeroed */
    rings_clear(&all);
    assert_null(outline.flaws);
  }
}

TEST(texts) {
  static const char *const flaws[] = {"fewer_than_3_distinct_points",
                                      "zero_area",
                                      "repeated_consecutive_point",
                                      "repeated_point_elsewhere",
                                      "edges_touch",
                                      "edges_cross",
                                      "hole_outside"};
  static const struct {
    graze_winding winding;
    const char *text;
  } windings[] = {{GRAZE_WINDING_NONE, "none"},
                  {GRAZE_WINDING_CCW, "ccw"},
                  {GRAZE_WINDING_CW, "cw"},
                  {(graze_winding)99, "unknown winding"}};
  for (int i = 0; i < (int)COUNT(flaws); i++)
    assert_string_equal(graze_flaw_text((graze_flaw_kind)(i + GRAZE_FLAW_FEW_POINTS)), flaws[i]);
  assert_string_equal(graze_flaw_text((graze_flaw_kind)99), "unknown flaw");
  for (size_t i = 0; i < COUNT(windings); i++)
    assert_string_equal(graze_winding_text(windings[i].winding), windings[i].text);
}

/* ---- Areas */

/* Returns the area. */
static double check_area(const graze_vec *vertices, size_t count) {
  int sign;
  const double area = tiling_area(vertices, count, &sign);
  graze_outline outline = judge(vertices, count);
  graze_winding winding = sign > 0 ? GRAZE_WINDING_CCW : sign < 0 ? GRAZE_WINDING_CW : GRAZE_WINDING_NONE;
  if (outline.area != area || outline.winding != winding)
    fail_msg("area %a, truly %a, sign %d, %zu vertices from (%a, %a)", outline.area, area, sign, count, vertices[0].x,
             vertices[0].y);
  graze_outline_destroy(&outline);
  return area;
}

/* Of all magnitudes; spread over the whole range; near 2^-1022, where areas become subnormal; and twice the least
 * subnormal number away from nothing. */
TEST(areas_to_the_last_bit) {
  rng random = 0x452821e638d01377;
  static const int ranges[][2] = {{-3, 3}, {-1074, 131}, {-515, -508}, {-540, -530}, {128, 131}, {-60, 0}};
  int subnormal = 0;
  for (int i = 0; i < 40000; i++) {
    const int *range = ranges[i % (int)COUNT(ranges)];
    graze_vec v[6];
    size_t count = 3 + rng_index(&random, 4);
    for (size_t k = 0; k < count; k++) v[k] = rng_magnitude_vec(&random, 2, range[0], range[1]);
    if (rng_coin(&random)) v[0] = at(0, 0), v[1].y = 0, v[2].x = 0, count = 3;
    const double area = check_area(v, count);
    subnormal += area > 0 && area < 0x1p-1022;
  }
  if (subnormal < 4000 || subnormal > 20000) fail_msg("%d subnormal areas", subnormal);
  for (int i = 1; i < 200; i++) /* i·2^-1075, halfway between two subnormal areas, and a hair beside it */
    for (int hair = -1; hair <= 1; hair++) {
      const graze_vec v[4] = {at(0, 0), at(i * 0x1p-540, 0), at(0, 0x1p-534), at(hair * 0x1p-1074, 0)};
      check_area(v, hair == 0 ? 3 : 4);
    }
}

/* A square of 1e40 with a corner cut by the least that there is. */
TEST(largest_and_smallest) {
  const double huge = GRAZE_LARGEST, tiny = 0x1p-1074;
  const struct {
    graze_vec vertices[6];
    size_t count;
    bool convex, simple;
  } all[] = {{{at(tiny, 0), at(huge, 0), at(huge, huge), at(0, tiny)}, 4, true, true},
             {{at(-huge, -huge), at(0, 0), at(huge, huge), at(-huge, huge)}, 4, true, true},
             {{at(-huge, -huge), at(0, tiny), at(huge, huge), at(-huge, huge)}, 4, false, true},
             {{at(-huge, -huge), at(huge, huge), at(huge, -huge), at(tiny, 0), at(0, tiny), at(-huge, huge)},
              6,
              false,
              false}};
  for (size_t i = 0; i < COUNT(all); i++) {
    graze_outline outline = judge(all[i].vertices, all[i].count);
    assert_true(outline.convex == all[i].convex && outline.simple == all[i].simple);
    graze_outline_destroy(&outline);
    check_area(all[i].vertices, all[i].count);
  }
}

/* ---- Against brute force */

/* How many outlines there were of each kind. */
static struct tally { int outlines, convex, simple, kinds[GRAZE_FLAW_HOLE_OUTSIDE], windings[3]; } tally;

static bool same(const graze_outline *found, const graze_outline *truth) {
  bool good = found->convex == truth->convex && found->simple == truth->simple && found->winding == truth->winding &&
              found->area == truth->area && found->flaw_count == truth->flaw_count;
  for (size_t i = 0; good && i < truth->flaw_count; i++) {
    const graze_flaw *a = &found->flaws[i], *b = &truth->flaws[i];
    good = a->kind == b->kind && a->ring == 0 && a->other_ring == 0 && a->index == b->index && a->other == b->other;
  }
  return good;
}

/* graze_check() must accept convex outlines, and those on one line. */
static void check_polygon(const graze_vec *vertices, size_t count, bool convex) {
  const graze_shape polygon = graze_polygon(vertices, count);
  graze_error error;
  if (count < 3) return;
  const graze_status status = graze_check(&polygon, NULL, &error);
  bool line = true;
  for (size_t i = 1; i < count && line && !convex; i++)
    for (size_t k = 1; k < i && line; k++) line = tiling_turn(vertices[0], vertices[k], vertices[i]) == 0;
  assert_int_equal(status, convex || line ? GRAZE_OK : GRAZE_NOT_CONVEX);
  if (status == GRAZE_OK) return;
  assert_in_range(error.index, 0, count - 1);
  assert_string_equal(error.what, "vertices");
}

static void check(const truth_outline *outline) {
  static graze_flaw true_errors[MOST_ERRORS];
  graze_vec vertices[TRUTH_MOST];
  graze_outline truth;
  truth_vertices(outline, vertices);
  graze_outline found = judge(vertices, outline->count);
  assert_true(truth_judge(outline, &truth, true_errors, MOST_ERRORS));
  if (!same(&found, &truth)) {
    for (size_t i = 0; i < outline->count; i++) print_message("%a %a\n", vertices[i].x, vertices[i].y);
    fail_msg("convex %d, truly %d; winding %d, truly %d; area %a, truly %a; %zu errors, truly %zu", found.convex,
             truth.convex, (int)found.winding, (int)truth.winding, found.area, truth.area, found.flaw_count,
             truth.flaw_count);
  }
  graze_outline_destroy(&found);
  check_polygon(vertices, outline->count, truth.convex);
  tally.outlines++;
  tally.convex += truth.convex, tally.simple += truth.simple, tally.windings[truth.winding]++;
  bool kinds[GRAZE_FLAW_HOLE_OUTSIDE] = {false};
  for (size_t i = 0; i < truth.flaw_count; i++) kinds[truth.flaws[i].kind] = true;
  for (int kind = 1; kind < GRAZE_FLAW_HOLE_OUTSIDE; kind++) tally.kinds[kind] += kinds[kind];
}

static void share(const char *what, int count, double low, double high) {
  double part = (double)count / tally.outlines;
  if (!(part >= low && part <= high)) fail_msg("%s: %.4f of the outlines, not %g to %g", what, part, low, high);
}

/* ---- Small lattices */

static void lattice(truth_outline *outline, size_t count, int64_t width, int64_t height) {
  outline->count = count;
  outline->unit = 0;
  for (size_t i = 0; i < count; i++) outline->x[i] = below(width), outline->y[i] = below(height);
}

static int seed(void **unused) {
  (void)unused;
  state = seed_of;
  memset(&tally, 0, sizeof tally);
  return 0;
}

TEST_WITH(small_lattices, seed, NULL) {
  truth_outline outline;
  for (int i = 0; i < rounds(60000); i++) {
    lattice(&outline, 1 + (size_t)below(9), 1 + below(5), 1 + below(5));
    check(&outline);
  }
  share("convex", tally.convex, 0.05, 0.2);
  share("simple", tally.simple, 0.04, 0.2);
  for (int kind = 1; kind < GRAZE_FLAW_HOLE_OUTSIDE; kind++)
    share(graze_flaw_text((graze_flaw_kind)kind), tally.kinds[kind], 0.1, 0.9);
  for (int winding = 0; winding < 3; winding++) share("winding", tally.windings[winding], 0.15, 0.7);
}

/* All outlines of 1 to 5 vertices on a 3 by 3 lattice. */
TEST_WITH(all_on_a_tiny_lattice, seed, NULL) {
  truth_outline outline = {.unit = -1074};
  for (size_t count = 1, codes = 9; count <= 5; count++, codes *= 9) {
    outline.count = count;
    for (size_t code = 0; code < codes; code++) {
      size_t rest = code;
      for (size_t i = 0; i < count; i++, rest /= 9)
        outline.x[i] = (int64_t)(rest % 9 / 3), outline.y[i] = (int64_t)(rest % 3);
      check(&outline);
    }
  }
}

/* ---- Simple outlines, and those with one fault */

/* A walk around the origin: by angle, at radii of its own. Simple unless two vertices have the same angle. */
static void around(truth_outline *outline, size_t count, int64_t radius) {
  outline->count = count;
  outline->unit = 0;
  for (size_t i = 0; i < count; i++) {
    double angle = ((double)i + 0.3) * 6.283185307179586 / (double)count;
    double r = (double)radius * (0.2 + 0.8 * (double)below(1000) / 1000);
    outline->x[i] = (int64_t)rint(r * cos(angle)), outline->y[i] = (int64_t)rint(r * sin(angle));
  }
}

static void exchange(truth_outline *outline, size_t i, size_t j) {
  int64_t x = outline->x[i], y = outline->y[i];
  outline->x[i] = outline->x[j], outline->y[i] = outline->y[j];
  outline->x[j] = x, outline->y[j] = y;
}

static void turn_back(truth_outline *outline) {
  for (size_t i = 0, j = outline->count - 1; i < j; i++, j--) exchange(outline, i, j);
}

TEST_WITH(star_shaped, seed, NULL) {
  truth_outline outline;
  for (int i = 0; i < rounds(3000); i++) {
    around(&outline, 3 + (size_t)below(60), i % 3 == 0 ? 50 : 100000);
    if (i % 2) turn_back(&outline);
    if (i % 4 > 1) {
      size_t from = (size_t)below((int64_t)outline.count), to = (size_t)below((int64_t)outline.count);
      outline.x[to] = outline.x[from], outline.y[to] = outline.y[from];
    }
    check(&outline);
  }
  share("simple", tally.simple, 0.3, 0.6);
  share("crossing", tally.kinds[GRAZE_FLAW_EDGES_CROSS], 0.2, 0.6);
}

/* Convex outlines with repeated and collinear vertices, and the same with two vertices exchanged or one moved. */
TEST_WITH(nearly_convex, seed, NULL) {
  static const int ring[][2] = {{0, 0}, {2, 0},  {4, 0},  {7, 1},  {9, 2}, {10, 3}, {10, 5}, {10, 6}, {9, 8},
                                {8, 9}, {6, 10}, {3, 10}, {1, 10}, {0, 9}, {-1, 7}, {-1, 4}, {-1, 1}};
  truth_outline outline;
  for (int i = 0; i < rounds(20000); i++) {
    const size_t first = rng_index(&state, COUNT(ring));
    outline.count = 0, outline.unit = (int)below(1150) - 1074;
    if (outline.unit > 100) outline.unit = 0;
    for (size_t k = 0; k < COUNT(ring); k++)
      for (int64_t copies = below(8) - 5; copies > 0; copies--) {
        const int *at = ring[(k + first) % COUNT(ring)];
        outline.x[outline.count] = at[0], outline.y[outline.count++] = at[1];
      }
    if (outline.count < 3) continue;
    if (i % 2) turn_back(&outline);
    const size_t p = rng_index(&state, outline.count), q = rng_index(&state, outline.count);
    if (i % 4 == 0) exchange(&outline, p, q);
    if (i % 4 == 1) outline.x[p] += below(3) - 1, outline.y[p] += below(3) - 1;
    check(&outline);
  }
  share("convex", tally.convex, 0.25, 0.875);
}

/* ---- Near misses */

/* Sheared, moved to where a step is one ulp or a few, and of any magnitude. */
static void strain(truth_outline *outline) {
  int64_t a = below(2000) - 1000, b = below(2000) - 1000, c = below(2) ? 1 : below(2000) + 1;
  int64_t far_x = below(2) ? (int64_t)1 << 52 : 0, far_y = below(2) ? -((int64_t)1 << 52) : 0;
  for (size_t i = 0; i < outline->count; i++) {
    int64_t x = outline->x[i], y = outline->y[i];
    outline->x[i] = far_x + a * x + c * y, outline->y[i] = far_y + b * x - c * y;
  }
  outline->unit = (int)below(1150) - 1074;
  if (outline->unit > 70) outline->unit = 70; /* below 1e40 */
}

TEST_WITH(sheared_far_lattices, seed, NULL) {
  truth_outline outline;
  for (int i = 0; i < rounds(30000); i++) {
    lattice(&outline, 3 + (size_t)below(8), 2 + below(6), 2 + below(6));
    strain(&outline);
    if (i % 2) outline.x[below((int64_t)outline.count)] += below(3) - 1;
    check(&outline);
  }
  share("simple", tally.simple, 0.03, 0.3);
  share("touching", tally.kinds[GRAZE_FLAW_EDGES_TOUCH], 0.3, 0.8);
  share("crossing", tally.kinds[GRAZE_FLAW_EDGES_CROSS], 0.3, 0.9);
}

/* Vertices on three or four lines, rounded: collinear but for the last bit. */
TEST_WITH(rounded_lines, seed, NULL) {
  truth_outline outline;
  for (int i = 0; i < rounds(20000); i++) {
    double from[4][2], along[4][2];
    for (int k = 0; k < 8; k++)
      from[k / 2][k % 2] = (double)below(1 << 20), along[k / 2][k % 2] = (double)below(1 << 20);
    outline.count = 4 + (size_t)below(8);
    outline.unit = -(int)below(100);
    for (size_t k = 0; k < outline.count; k++) {
      double t = (double)below(1000000) / 3, line_x = from[k % 4][0], line_y = from[k % 4][1];
      outline.x[k] = (int64_t)rint(line_x + t * along[k % 4][0]),
      outline.y[k] = (int64_t)rint(line_y + t * along[k % 4][1]);
      if (below(8) == 0) outline.x[k] = outline.x[k / 2], outline.y[k] = outline.y[k / 2];
    }
    if (i % 2) { /* a vertex on an edge, but for rounding */
      size_t k = (size_t)below((int64_t)outline.count - 2);
      double t = (double)below(1000) / 1000;
      outline.x[k + 2] = (int64_t)rint((1 - t) * (double)outline.x[k] + t * (double)outline.x[k + 1]);
      outline.y[k + 2] = (int64_t)rint((1 - t) * (double)outline.y[k] + t * (double)outline.y[k + 1]);
    }
    check(&outline);
  }
  share("crossing", tally.kinds[GRAZE_FLAW_EDGES_CROSS], 0.3, 0.95);
  share("repeated", tally.kinds[GRAZE_FLAW_REPEATED_POINT], 0.1, 0.6);
}

/* The tree has several levels. */
TEST_WITH(many_edges, seed, NULL) {
  truth_outline outline;
  for (int i = 0; i < rounds(60); i++) {
    size_t count = 50 + (size_t)below(TRUTH_MOST - 50);
    switch (i % 4) {
    case 0: lattice(&outline, count, 1000000, 1000000); break;
    case 1: lattice(&outline, count, 1 + below(20), 100); break;
    case 2: lattice(&outline, count, 1000, 1 + below(5)); break;
    default: around(&outline, count, 1000000);
    }
    check(&outline);
  }
}

/* ---- Many vertices */

/* Simple families of ten thousand vertices (Koch curves touch themselves after rounding); two vertices exchanged. */
TEST(large_outlines) {
  for (size_t k = 0; k < rings_family_count; k++) {
    const rings_family *family = &rings_families[k];
    if (!family->simple || strcmp(family->name, "Koch") == 0) continue;
    rings all = {0};
    family->make(&all, 10000, 3);
    for (int exchanged = 0; exchanged < 2; exchanged++) {
      graze_vec *half = &all.points[all.point_count / 2], swap = half[0];
      graze_outline outline = judge(all.points, all.point_count);
      if (outline.simple == exchanged) fail_msg("%s: %zu validation errors", family->name, outline.flaw_count);
      if (strcmp(family->name, "round") != 0) assert_false(outline.convex);
      graze_outline_destroy(&outline);
      half[0] = half[40], half[40] = swap;
    }
    rings_clear(&all);
  }
}

/* {n/k}: every edge crosses 2(k - 1) others. */
TEST(star_polygon) {
  enum { POINTS = 499, STEP = 249 };
  graze_vec vertices[POINTS];
  for (int i = 0; i < POINTS; i++) {
    double angle = 6.283185307179586 * (i * STEP % POINTS) / POINTS;
    vertices[i] = at(1000 * cos(angle), 1000 * sin(angle));
  }
  graze_outline outline = judge(vertices, POINTS);
  assert_int_equal(outline.flaw_count, POINTS * (STEP - 1));
  for (size_t i = 0; i < outline.flaw_count; i++) assert_int_equal(outline.flaws[i].kind, GRAZE_FLAW_EDGES_CROSS);
  graze_outline_destroy(&outline);
}
