/* graze_judge_outline() against brute force in integers: every validation error, in its order, and the area to the last
 * bit. Small lattices, where everything touches; lattices of single ulps far from the origin, sheared, huge and tiny;
 * lines that miss a point by a rounding. */

#include "support/test.h"
#include "support/random.h"
#include "build/outline_truth.h"
#include "build/tiling.h"

enum { MOST_ERRORS = TRUTH_MOST * TRUTH_MOST };

static const uint64_t seed_of = 0x082efa98ec4e6c89u;
static rng state;

/* How many outlines there were of each kind. */
static struct tally { int outlines, convex, simple, kinds[GRAZE_FLAW_HOLE_OUTSIDE], windings[3]; } tally;

static int64_t below(int64_t n) { return (int64_t)rng_index(&state, (size_t)n); }
static int rounds(int count) { return tiered(count, 2 * count, 40 * count); }

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
  graze_outline found, truth;
  truth_vertices(outline, vertices);
  assert_int_equal(graze_judge_outline(vertices, outline->count, NULL, &found, NULL), GRAZE_OK);
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

static void turn_back(truth_outline *outline) {
  for (size_t i = 0, j = outline->count - 1; i < j; i++, j--) {
    int64_t x = outline->x[i], y = outline->y[i];
    outline->x[i] = outline->x[j], outline->y[i] = outline->y[j];
    outline->x[j] = x, outline->y[j] = y;
  }
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
    if (i % 4 == 0) {
      const int64_t x = outline.x[p], y = outline.y[p];
      outline.x[p] = outline.x[q], outline.y[p] = outline.y[q];
      outline.x[q] = x, outline.y[q] = y;
    }
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

/* ---- Many edges: the tree has several levels */

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
