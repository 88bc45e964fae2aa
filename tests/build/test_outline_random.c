/* graze_judge_outline() against brute force in integers: every flaw, in its order, and the area to the last bit. Small
 * lattices, where everything touches; lattices of single ulps far from the origin, sheared, huge and tiny; lines that
 * miss a point by a rounding. And grz_edges_pairs() against all pairs of bounds.
 * GRAZE_TIER: test (the default), ci (twice as many), soak
 * (40 times). */

#include "support/test.h"
#include "support/random.h"
#include "build/edges.h"
#include "base/memory.h"
#include "build/outline_truth.h"

enum { MOST_FLAWS = TRUTH_MOST * TRUTH_MOST };

static const uint64_t seed_of = 0x082efa98ec4e6c89u;
static uint64_t state;
static graze_flaw true_flaws[MOST_FLAWS];

/* What the samples showed. */
static struct tally { int outlines, convex, simple, kinds[GRAZE_FLAW_HOLE_OUTSIDE], windings[3]; } tally;

static uint64_t next_random(void) { return rng_bits(&state); }
static int64_t below(int64_t n) { return (int64_t)(next_random() % (uint64_t)n); }

static int rounds(int count) { return tiered(count, 2 * count, 40 * count); }

static void say_outline(const truth_outline *outline) {
  for (size_t i = 0; i < outline->count; i++)
    print_message("(%lld, %lld)\n", (long long)outline->x[i], (long long)outline->y[i]);
  print_message("times 2^%d\n", outline->unit);
}

static void compare(const truth_outline *outline, const graze_outline *judged, const graze_outline *truth) {
  bool good = judged->convex == truth->convex && judged->simple == truth->simple && judged->winding == truth->winding &&
              judged->area == truth->area && judged->flaw_count == truth->flaw_count;
  for (size_t i = 0; good && i < truth->flaw_count; i++) {
    const graze_flaw *a = &judged->flaws[i], *b = &truth->flaws[i];
    good = a->kind == b->kind && a->ring == 0 && a->other_ring == 0 && a->index == b->index && a->other == b->other;
    if (!good)
      print_message("%s %zu %zu, truly %s %zu %zu\n", graze_flaw_text(a->kind), a->index, a->other,
                    graze_flaw_text(b->kind), b->index, b->other);
  }
  if (good) return;
  say_outline(outline);
  fail_msg("convex %d, truly %d; %s, truly %s; area %a, truly %a; %zu flaws, truly %zu", judged->convex, truth->convex,
           graze_winding_text(judged->winding), graze_winding_text(truth->winding), judged->area, truth->area,
           judged->flaw_count, truth->flaw_count);
}

static void check(const truth_outline *outline) {
  graze_vec vertices[TRUTH_MOST];
  graze_outline judged, truth;
  truth_vertices(outline, vertices);
  assert_int_equal(graze_judge_outline(vertices, outline->count, NULL, &judged, NULL), GRAZE_OK);
  assert_true(truth_judge(outline, &truth, true_flaws, MOST_FLAWS));
  compare(outline, &judged, &truth);
  graze_outline_destroy(&judged);
  tally.outlines++;
  tally.convex += truth.convex, tally.simple += truth.simple, tally.windings[truth.winding]++;
  for (int kind = 1; kind < GRAZE_FLAW_HOLE_OUTSIDE; kind++) {
    for (size_t i = 0; i < truth.flaw_count; i++) {
      if ((int)truth.flaws[i].kind != kind) continue;
      tally.kinds[kind]++;
      break;
    }
  }
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

TEST_WITH(test_small, seed, NULL) {
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
TEST_WITH(test_all_tiny, seed, NULL) {
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

TEST_WITH(test_around, seed, NULL) {
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

TEST_WITH(test_strained, seed, NULL) {
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
TEST_WITH(test_rounded_lines, seed, NULL) {
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

TEST_WITH(test_many, seed, NULL) {
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

/* ---- Pairs of bounds */

typedef struct sightings {
  int32_t count;
  unsigned char *times; /* of each pair */
} sightings;

static bool see(void *context, int32_t i, int32_t j) {
  sightings *seen = context;
  assert_true(i != j);
  seen->times[(size_t)i * (size_t)seen->count + (size_t)j]++;
  return true;
}

static bool intervals_meet(double a, double b, double c, double d) {
  return fmin(a, b) <= fmax(c, d) && fmin(c, d) <= fmax(a, b);
}

static int64_t check_pairs(const grz_edge *edges, int32_t count) {
  graze_allocator allocator = grz_allocator(NULL);
  sightings seen = {count, calloc((size_t)count * (size_t)count, 1)};
  int64_t meetings = 0;
  assert_non_null(seen.times);
  assert_int_equal(grz_edges_pairs(edges, count, &allocator, see, &seen), GRAZE_OK);
  for (int32_t i = 0; i < count; i++) {
    for (int32_t j = 0; j < i; j++) {
      const grz_edge *e = &edges[i], *f = &edges[j];
      int meet = intervals_meet(e->from.x, e->to.x, f->from.x, f->to.x) &&
                 intervals_meet(e->from.y, e->to.y, f->from.y, f->to.y);
      assert_int_equal(seen.times[i * count + j] + seen.times[j * count + i], meet);
      meetings += meet;
    }
  }
  free(seen.times);
  return meetings;
}

TEST_WITH(test_pairs, seed, NULL) {
  enum { MOST = 700 };
  static grz_edge edges[MOST];
  int64_t pairs = 0, meetings = 0;
  for (int i = 0; i < rounds(150); i++) {
    int32_t count = 1 + (int32_t)below(MOST);
    int64_t width = 1 + below(i % 3 ? 2000 : 5), height = 1 + below(i % 2 ? 2000 : 5), long_x = 1 + below(width);
    int64_t long_y = 1 + below(i % 5 ? 1 + height / 10 : height);
    for (int32_t k = 0; k < count; k++) {
      grz_edge *edge = &edges[k];
      edge->from.x = (double)below(width), edge->to.x = edge->from.x + (double)(below(long_x) - long_x / 2);
      edge->from.y = (double)below(height), edge->to.y = edge->from.y + (double)(below(long_y) - long_y / 2);
      if (below(4) == 0) edge->from.x = -edge->from.x, edge->to.y = -edge->to.y; /* negative zeros, too */
    }
    meetings += check_pairs(edges, count);
    pairs += (int64_t)count * (count - 1) / 2;
  }
  double part = (double)meetings / (double)pairs;
  if (!(part > 0.05 && part < 0.5)) fail_msg("%.3f of the pairs meet", part);
}
