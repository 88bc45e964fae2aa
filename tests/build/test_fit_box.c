/* Smallest rectangles: every point lies inside, exactly; no extent could be smaller; the area against the smallest of
 * all, exactly, within the bounds of docs/theory/boxes.md; rectangles of whole numbers without any rounding; rejected
 * input; failing allocations, in 3D too. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/random.h"
#include "build/fit_box_truth.h"

enum { MOST_POINTS = 40 };

static rng state;

static uint64_t seed_of(int family) { return 0x9e3779b97f4a7c15u * (uint64_t)(family + 1); }

static int below(int n) { return rng_below(&state, n); }
static double uniform(void) { return rng_uniform(&state, -1, 1); }
static int rounds(int count) { return tiered(count, 2 * count, 40 * count); }

/* ---- Families */

typedef struct outline_family {
  const char *name;
  void (*make)(graze_vec *points, int count, double size, double thin, double far);
  double size, thin, far;
  double excess; /* the area exceeds the smallest by at most this part of it; INFINITY: not compared */
} outline_family;

/* A rectangle of the given size and thickness, in any direction, full of points. */
static void make_random(graze_vec *p, int count, double size, double thin, double far) {
  double x = uniform(), y = uniform(), length = sqrt(x * x + y * y), cx = far * uniform(), cy = far * uniform();
  for (int i = 0; i < count; i++) {
    double u = size * uniform() / length, v = thin * uniform() / length;
    p[i] = (graze_vec){x * u - y * v + cx, y * u + x * v + cy, 0};
  }
}

static void make_lattice(graze_vec *p, int count, double size, double thin, double far) {
  int width = 2 + below(6), height = 2 + below(6);
  double x = floor(far * uniform()), y = floor(far * uniform());
  for (int i = 0; i < count; i++) p[i] = (graze_vec){x + size * below(width), y + thin * below(height), 0};
}

/* All around, ties included: as nearly regular as doubles are. */
static void make_circle(graze_vec *p, int count, double size, double thin, double far) {
  (void)thin, (void)far;
  for (int i = 0; i < count; i++)
    p[i] = (graze_vec){size * cos(2 * 3.14159265358979 * i / count), size * sin(2 * 3.14159265358979 * i / count), 0};
}

/* On one line, exactly. */
static void make_line(graze_vec *p, int count, double size, double thin, double far) {
  int x = below(9) - 4, y = below(9) - 4;
  (void)thin, (void)far;
  for (int i = 0; i < count; i++) {
    int at = below(100);
    p[i] = (graze_vec){size * at * x, size * at * y, 0};
  }
}

static void make_single(graze_vec *p, int count, double size, double thin, double far) {
  graze_vec at = {size * uniform(), size * uniform(), 0};
  (void)thin, (void)far;
  for (int i = 0; i < count; i++) p[i] = at;
}

/* Thin, along (4, 3) but for a few ulps: where no pair of doubles is near. */
static void make_nearly_whole(graze_vec *p, int count, double size, double thin, double far) {
  double x = 4 + 0x1p-50 * (1 + below(100)), y = 3 - 0x1p-51 * below(100);
  (void)far;
  for (int i = 0; i < count; i++) {
    double u = i == 0 ? 0 : i == 1 ? 1 : 0.5 + 0.4 * uniform(), v = i < 2 ? 0 : thin * (1.5 + 0.5 * uniform());
    p[i] = (graze_vec){size * (x * u - y * v), size * (y * u + x * v), 0};
  }
}

/* Both ends of the range at once. */
static void make_wild(graze_vec *p, int count, double size, double thin, double far) {
  (void)size, (void)thin, (void)far;
  for (int i = 0; i < count; i++)
    p[i] = (graze_vec){ldexp(uniform(), below(1200) - 1070), ldexp(uniform(), below(1200) - 1070), 0};
}

static const outline_family outline_families[] = {
    {"random", make_random, 1, 1, 0, 1e-14},
    {"lattice", make_lattice, 1, 1, 0, 1e-14},
    {"lattice, far away", make_lattice, 1, 1, 1e6, 1e-9},
    {"circle", make_circle, 1, 1, 0, 1e-14},
    {"aspect 1e3", make_random, 1, 1e-3, 1, 1e-12},
    {"aspect 1e6", make_random, 1, 1e-6, 1, 1e-12},
    {"aspect 1e9", make_random, 1, 1e-9, 1, 1e-10},
    {"aspect 1e12", make_random, 1, 1e-12, 1, 1e-8},
    {"aspect 1e6, nearly 3:4", make_nearly_whole, 1, 1e-6, 0, 2e-10},
    {"far away", make_random, 1, 1, 1e6, 2e-9},
    {"far away, aspect 1e4", make_random, 1, 1e-4, 1e4, 2e-8},
    {"line", make_line, 1, 1, 0, INFINITY},
    {"point", make_single, 1, 1, 0, 0},
    {"tiny", make_random, 1e-300, 1e-300, 0, 1e-14},
    {"subnormal", make_lattice, 0x1p-1074, 0x1p-1074, 0, INFINITY},
    {"huge", make_random, 1e39, 1e39, 0, 1e-14},
    {"huge, aspect 1e6", make_random, 1e39, 1e33, 0, 1e-12},
    {"up to the largest", make_lattice, 0x1p130, 0x1p130, 0, 1e-14},
    {"wild", make_wild, 1, 1, 0, INFINITY},
};

/* Bands: most outlines of a family have an area, and not all stand on the axes. */
TEST(families) {
  for (size_t f = 0; f < COUNT(outline_families); f++) {
    const outline_family *family = &outline_families[f];
    double worst = 0;
    int turned = 0, count = rounds(12);
    state = seed_of((int)f);
    for (int round = 0; round < count; round++) {
      graze_vec points[MOST_POINTS];
      graze_fitted_box fitted;
      int n = 3 + below(MOST_POINTS - 3);
      family->make(points, n, family->size, family->thin, family->far);
      assert_int_equal(graze_fit_box(points, (size_t)n, 2, GRAZE_FAST, NULL, &fitted, NULL), GRAZE_OK);
      fit_fault fault = fit_box_fault(points, (size_t)n, &fitted);
      if (fault != FIT_GOOD) fail_msg("%s, round %d: fault %d", family->name, round, (int)fault);
      turned += fitted.pose.z != 0;
      if (isinf(family->excess)) continue;
      double excess = fit_box_excess(points, (size_t)n, &fitted);
      if (isnan(excess)) { /* on one line */
        graze_vec h = fitted.box.extents;
        assert_true(fmin(h.x, h.y) <= 0x1p-50 * (fmax(h.x, h.y) + family->far));
        continue;
      }
      assert_true(excess >= 0);
      worst = fmax(worst, excess);
    }
    print_message("%-24s area above the least, at most: %.2g of %.2g; turned: %d of %d\n", family->name, worst,
                  family->excess, turned, count);
    assert_true(worst <= family->excess);
    if (family->make == make_random) assert_true(turned > count / 2);
  }
}

/* Every rectangle with whole corners along a Pythagorean direction comes out without an error of any kind. */
TEST(whole_rectangles) {
  static const int triple[][2] = {{1, 0}, {4, 3}, {3, 4}, {12, 5}, {15, 8}, {24, 7}, {21, 20}, {99, 20}};
  state = seed_of(100);
  for (int round = 0; round < rounds(200); round++) {
    const int *t = triple[below(8)];
    int a = 1 + below(50), b = 1 + below(50), x = below(1000) - 500, y = below(1000) - 500;
    double c = t[0], s = below(2) ? t[1] : -t[1], length = sqrt(c * c + s * s);
    graze_vec points[4] = {
        {x, y, 0}, {x + a * c, y + a * s, 0}, {x + a * c - b * s, y + a * s + b * c, 0}, {x - b * s, y + b * c, 0}};
    graze_fitted_box fitted;
    assert_int_equal(graze_fit_box(points, 4, 2, GRAZE_BEST, NULL, &fitted, NULL), GRAZE_OK);
    assert_int_equal(fit_box_fault(points, 4, &fitted), FIT_GOOD);
    assert_true(fitted.measure == a * b * length * length);
    assert_true(fmax(fitted.box.extents.x, fitted.box.extents.y) == 0.5 * length * fmax(a, b));
    assert_true(fit_box_excess(points, 4, &fitted) == 0);
  }
}

/* The check finds an extent an ulp too small, too large, a wrong centre, a wrong measure. */
TEST(check_finds_errors) {
  graze_vec points[MOST_POINTS];
  graze_fitted_box fitted, wrong;
  state = seed_of(101);
  make_random(points, MOST_POINTS, 1, 1, 0);
  assert_int_equal(graze_fit_box(points, MOST_POINTS, 2, GRAZE_FAST, NULL, &fitted, NULL), GRAZE_OK);
  wrong = fitted, wrong.box.extents.x = nextafter(fitted.box.extents.x, 0);
  assert_int_equal(fit_box_fault(points, MOST_POINTS, &wrong), FIT_OUTSIDE);
  wrong = fitted, wrong.box.extents.y = nextafter(fitted.box.extents.y, 9);
  assert_int_equal(fit_box_fault(points, MOST_POINTS, &wrong), FIT_TOO_LARGE);
  wrong = fitted, wrong.pose.position.x += 1e-15;
  assert_int_equal(fit_box_fault(points, MOST_POINTS, &wrong), FIT_OUTSIDE);
  wrong = fitted, wrong.measure *= 1 + 1e-14;
  assert_int_equal(fit_box_fault(points, MOST_POINTS, &wrong), FIT_MEASURE);
  wrong = fitted, wrong.box.extents.x = -1;
  assert_int_equal(fit_box_fault(points, MOST_POINTS, &wrong), FIT_REJECTED);
  wrong = fitted, wrong.box.extents.x *= 1 + 1e-12;
  assert_true(fit_box_excess(points, MOST_POINTS, &wrong) > 5e-13);
}

TEST(rejected) {
  graze_vec points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  graze_fitted_box fitted, before;
  graze_error error;
  memset(&fitted, 0x5a, sizeof fitted);
  before = fitted;
  assert_int_equal(graze_fit_box(points, 3, 2, (graze_effort)0, NULL, &fitted, &error), GRAZE_BAD_OPTION);
  assert_int_equal(error.status, GRAZE_BAD_OPTION);
  assert_string_equal(error.what, "effort");
  assert_int_equal(graze_fit_box(points, 3, 2, (graze_effort)3, NULL, &fitted, NULL), GRAZE_BAD_OPTION);
  assert_int_equal(graze_fit_box(points, 0, 2, GRAZE_FAST, NULL, &fitted, &error), GRAZE_BAD_SHAPE);
  assert_int_equal(graze_fit_box(points, 3, 4, GRAZE_FAST, NULL, &fitted, &error), GRAZE_BAD_SHAPE);
  points[1].y = NAN;
  assert_int_equal(graze_fit_box(points, 3, 3, GRAZE_FAST, NULL, &fitted, &error), GRAZE_BAD_NUMBER);
  assert_int_equal(error.index, 1);
  points[1].y = 0, points[2].z = 1;
  assert_int_equal(graze_fit_box(points, 3, 2, GRAZE_BEST, NULL, &fitted, &error), GRAZE_DIM_MISMATCH);
  assert_memory_equal(&fitted, &before, sizeof fitted);
}

/* ---- Memory */

/* Every allocation fails once. Returns how many there are. */
static long fail_each(const graze_vec *points, size_t count, int dim, graze_effort effort) {
  for (long n = 0;; n++) {
    failing_memory memory = {.fail_at = n, .once = true};
    const graze_allocator allocator = failing_allocator(&memory);
    graze_fitted_box fitted, before;
    graze_error error = {0};
    memset(&fitted, 0x5a, sizeof fitted);
    before = fitted;
    const graze_status status = graze_fit_box(points, count, dim, effort, &allocator, &fitted, &error);
    assert_int_equal(memory.out, 0);
    if (memory.calls <= n) {
      assert_true(status == GRAZE_OK && fit_box_fault(points, count, &fitted) == FIT_GOOD);
      return n;
    }
    assert_true(status == GRAZE_OUT_OF_MEMORY && error.status == GRAZE_OUT_OF_MEMORY);
    assert_memory_equal(&fitted, &before, sizeof fitted);
  }
}

TEST(failing_allocations) {
  graze_vec points[30];
  state = seed_of(102);
  make_random(points, 30, 1, 1, 0);
  assert_true(fail_each(points, 30, 2, GRAZE_FAST) >= 1);
  assert_true(fail_each(points, 30, 3, GRAZE_FAST) >= 3);
  assert_true(fail_each(points, 2, 3, GRAZE_FAST) >= 1);
  for (int i = 0; i < 30; i++) points[i] = (graze_vec){below(5), below(5), 0}, points[i].z = points[i].x + points[i].y;
  assert_true(fail_each(points, 30, 3, GRAZE_BEST) >= 3);
  for (int i = 0; i < 30; i++) points[i].z = uniform();
  assert_true(fail_each(points, 30, 3, GRAZE_FAST) >= 3);
  assert_true(fail_each(points, 30, 3, GRAZE_BEST) >= fail_each(points, 30, 3, GRAZE_FAST) + 3);
}
