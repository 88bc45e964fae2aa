/* Smallest boxes. Every point is inside, exactly, and no extent could be smaller.
 * 2D: the area is within the bounds of docs/theory/boxes.md of the exact minimum.
 * 3D: BEST <= FAST <= the axis-aligned box. Known minima: rotated boxes, tetrahedra, octahedra and prisms. A random
 * search over rotations finds no box smaller than BEST. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "geometry/fit_box_truth.h"

enum { POINTS_MAX = 64 };

static rng state;

static uint64_t seed_of(int family) { return 0x9e3779b97f4a7c15u * (uint64_t)(family + 1); }

static int below(int n) { return rng_below(&state, n); }
static double uniform(void) { return rng_uniform(&state, -1, 1); }
static graze_vec uniform_vec(void) { return rng_vec(&state, 3, 1); }
static int rounds(int count) { return tiered(count, 2 * count, 40 * count); }

static graze_fitted_box fit(const graze_vec *points, int count, int dim, graze_effort effort, const char *name) {
  graze_fitted_box fitted;
  assert_int_equal(graze_fit_box(points, (size_t)count, dim, effort, NULL, &fitted, NULL), GRAZE_OK);
  fit_fault fault = fit_box_fault(points, (size_t)count, &fitted);
  if (fault != FIT_GOOD) fail_msg("%s: fault %d", name, (int)fault);
  assert_int_equal(fitted.box.dim, dim);
  return fitted;
}

/* ---- Rotations */

typedef struct rotation {
  graze_vec row[3];
} rotation;

static rotation rotation_of(double w, double x, double y, double z) {
  double n = w * w + x * x + y * y + z * z;
  return (rotation){{{(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
                     {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
                     {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n}}};
}

static rotation random_rotation(void) {
  double q[4], n;
  do {
    for (int i = 0; i < 4; i++) q[i] = uniform();
    n = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  } while (n > 1 || n < 0.01);
  return rotation_of(q[0], q[1], q[2], q[3]);
}

static graze_vec turned(const rotation *r, graze_vec v) {
  return vec(dot(r->row[0], v), dot(r->row[1], v), dot(r->row[2], v));
}

static rotation rotation_after(const rotation *a, const rotation *b) {
  rotation r;
  for (int i = 0; i < 3; i++) {
    const graze_vec row = a->row[i];
    r.row[i] = add(add(scaled(row.x, b->row[0]), scaled(row.y, b->row[1])), scaled(row.z, b->row[2]));
  }
  return r;
}

/* ---- Families */

typedef struct family {
  const char *name;
  int dim;
  void (*make)(graze_vec *points, int count, const struct family *f);
  double size[3], offset;
  /* 2D: a bound of the relative excess over the smallest area. 3D: the cost of rounding the centre. INFINITY: not
   * tested. */
  double bound;
} family;

/* Points in a rotated box. */
static void make_turned(graze_vec *p, int count, const family *f) {
  const rotation r = f->dim == 3 ? random_rotation() : rotation_of(uniform(), 0, 0, uniform());
  graze_vec at = scaled(f->offset, uniform_vec());
  if (f->dim == 2) at.z = 0;
  for (int i = 0; i < count; i++)
    p[i] = add_scaled(at, f->size[0], turned(&r, vec(uniform(), f->size[1] * uniform(), f->size[2] * uniform())));
}

static void make_lattice(graze_vec *p, int count, const family *f) {
  const int width = 2 + below(6), height = 2 + below(6);
  const double x = floor(f->offset * uniform());
  for (int i = 0; i < count; i++)
    p[i] = vec(x + f->size[0] * below(width), x - f->size[1] * below(height), f->size[2] * (below(7) - 3));
}

/* A sphere; in 2D a polygon that is regular up to rounding, so with nearly equal areas. */
static void make_round(graze_vec *p, int count, const family *f) {
  for (int i = 0; i < count; i++) {
    const double angle = 2 * 3.14159265358979 * i / count;
    const graze_vec v = f->dim == 2 ? vec(cos(angle), sin(angle), 0) : uniform_vec();
    p[i] = scaled(f->size[0], f->dim == 2 ? v : scaled(1 / norm(v), v));
  }
}

/* In a plane, or on a line, of integer points. */
static void make_whole_flat(graze_vec *p, int count, const family *f) {
  int u[3], v[3];
  for (int i = 0; i < 3; i++) u[i] = below(9) - 4, v[i] = f->offset > 0 ? below(9) - 4 : 0;
  for (int i = 0; i < count; i++) {
    const int a = below(100), b = below(20);
    p[i] = vec(a * u[0] + b * v[0], a * u[1] + b * v[1], f->size[2] * (a * u[2] + b * v[2]));
  }
}

/* A thin set in a direction a few ulps from (4, 3): no half-angle pair of doubles is near. */
static void make_nearly_whole(graze_vec *p, int count, const family *f) {
  double x = 4 + 0x1p-50 * (1 + below(100)), y = 3 - 0x1p-51 * below(100);
  for (int i = 0; i < count; i++) {
    double u = i == 0 ? 0 : i == 1 ? 1 : 0.5 + 0.4 * uniform(), v = i < 2 ? 0 : f->size[1] * (1.5 + 0.5 * uniform());
    p[i] = vec(x * u - y * v, y * u + x * v, 0);
  }
}

/* Coordinates from both ends of the range. */
static void make_wild(graze_vec *p, int count, const family *f) {
  for (int i = 0; i < count; i++) {
    double at[3] = {0, 0, 0};
    for (int k = 0; k < f->dim; k++) at[k] = ldexp(uniform(), below(1200) - 1070);
    p[i] = vec(at[0], at[1], at[2]);
  }
}

static const family families[] = {
    {"random", 2, make_turned, {1, 1, 0}, 0, 1e-14},
    {"lattice", 2, make_lattice, {1, 1, 0}, 0, 1e-14},
    {"lattice, large offset", 2, make_lattice, {1, 1, 0}, 1e6, 1e-9},
    {"circle", 2, make_round, {1, 1, 0}, 0, 1e-14},
    {"aspect 1e3", 2, make_turned, {1, 1e-3, 0}, 1, 1e-12},
    {"aspect 1e6", 2, make_turned, {1, 1e-6, 0}, 1, 1e-12},
    {"aspect 1e9", 2, make_turned, {1, 1e-9, 0}, 1, 1e-10},
    {"aspect 1e12", 2, make_turned, {1, 1e-12, 0}, 1, 1e-8},
    {"aspect 1e6, nearly 3:4", 2, make_nearly_whole, {1, 1e-6, 0}, 0, 2e-10},
    {"large offset", 2, make_turned, {1, 1, 0}, 1e6, 2e-9},
    {"large offset, aspect 1e4", 2, make_turned, {1, 1e-4, 0}, 1e4, 2e-8},
    {"line", 2, make_whole_flat, {1, 1, 0}, 0, INFINITY},
    {"point", 2, make_turned, {0, 0, 0}, 1, 0},
    {"tiny", 2, make_turned, {1e-300, 1, 0}, 0, 1e-14},
    {"subnormal", 2, make_lattice, {0x1p-1074, 0x1p-1074, 0}, 0, INFINITY},
    {"huge", 2, make_turned, {1e39, 1, 0}, 0, 1e-14},
    {"huge, aspect 1e6", 2, make_turned, {1e39, 1e-6, 0}, 0, 1e-12},
    {"up to the largest", 2, make_lattice, {0x1p130, 0x1p130, 0}, 0, 1e-14},
    {"wild", 2, make_wild, {1, 1, 0}, 0, INFINITY},
    {"random", 3, make_turned, {1, 1, 1}, 0, 1e-15},
    {"random, away", 3, make_turned, {1, 0.5, 2}, 1, 1e-15},
    {"lattice", 3, make_lattice, {1, 1, 1}, 0, 1e-15},
    {"sphere", 3, make_round, {1, 1, 1}, 0, 1e-15},
    {"large offset", 3, make_turned, {1, 1, 1}, 1e6, 1e-9},
    {"flat 1e6", 3, make_turned, {1, 1, 1e-6}, 0, 1e-9},
    {"flat 1e12", 3, make_turned, {1, 1, 1e-12}, 0, 1e-3},
    {"rod 1e6", 3, make_turned, {1, 1e-6, 1e-6}, 1, 1e-9},
    {"rod 1e12", 3, make_turned, {1, 1e-12, 1e-12}, 0, 1e-3},
    {"level x", 3, make_lattice, {0, 1, 1}, 9, 1e-15},
    {"level y", 3, make_lattice, {1, 0, 1}, 9, 1e-15},
    {"level z", 3, make_lattice, {1, 1, 0}, 9, 1e-15},
    {"along x", 3, make_lattice, {1, 0, 0}, 9, 1e-15},
    {"point", 3, make_lattice, {0, 0, 0}, 9, 0},
    {"plane", 3, make_whole_flat, {1, 1, 1}, 1, 1e-15},
    {"line", 3, make_whole_flat, {1, 1, 1}, 0, 1e-15},
    {"tiny", 3, make_turned, {1e-300, 1, 1}, 0, INFINITY},
    {"subnormal", 3, make_lattice, {0x1p-1074, 0x1p-1074, 0x1p-1074}, 0, INFINITY},
    {"huge", 3, make_turned, {1e39, 1, 1}, 0, 1e-15},
    {"largest", 3, make_lattice, {1.66e39, 1.66e39, 3.3e39}, 0, 1e-15},
    {"largest sphere", 3, make_round, {1e40, 1e40, 1e40}, 0, 1e-15},
    {"wild", 3, make_wild, {1, 1, 1}, 0, INFINITY},
};

static double bounds_volume(const graze_vec *p, int count) {
  graze_vec low = p[0], high = p[0];
  for (int i = 1; i < count; i++) {
    low = vec(fmin(low.x, p[i].x), fmin(low.y, p[i].y), fmin(low.z, p[i].z));
    high = vec(fmax(high.x, p[i].x), fmax(high.y, p[i].y), fmax(high.z, p[i].z));
  }
  return (high.x - low.x) * (high.y - low.y) * (high.z - low.z);
}

/* Returns the relative excess of the area, or 1 - BEST/FAST. */
static double check(const family *f, const graze_vec *points, int n, const graze_fitted_box *fast) {
  if (f->dim == 3) {
    const graze_fitted_box best = fit(points, n, 3, GRAZE_BEST, f->name);
    const double bounds = bounds_volume(points, n);
    assert_true(best.measure <= fast->measure);
    if (bounds > 0 && isfinite(f->bound)) assert_true(fast->measure <= bounds * (1 + f->bound));
    return fast->measure == 0 ? 0 : 1 - best.measure / fast->measure;
  }
  if (isinf(f->bound)) return 0;
  const double excess = fit_box_excess(points, (size_t)n, fast);
  const graze_vec h = fast->box.as.box.half_extents;
  if (isnan(excess)) /* collinear */
    assert_true(fmin(h.x, h.y) <= 0x1p-50 * (fmax(h.x, h.y) + f->offset));
  else
    assert_true(excess >= 0 && excess <= f->bound);
  return isnan(excess) ? 0 : excess;
}

TEST(random_points) {
  for (size_t k = 0; k < COUNT(families); k++) {
    const family *f = &families[k];
    double worst = 0;
    int rotated = 0, count = rounds(f->dim == 2 ? 12 : 8);
    state = seed_of((int)k);
    for (int round = 0; round < count; round++) {
      graze_vec points[POINTS_MAX];
      const int n = f->dim + 1 + below(34);
      f->make(points, n, f);
      const graze_fitted_box fast = fit(points, n, f->dim, GRAZE_FAST, f->name);
      worst = fmax(worst, check(f, points, n, &fast));
      rotated += fast.pose.z != 0;
    }
    print_message("%dD %-24s %s at most: %.2g; rotated: %d of %d\n", f->dim, f->name,
                  f->dim == 2 ? "relative excess of the area" : "BEST saves", worst, rotated, count);
    if (f->dim == 2 && f->make == make_turned && f->size[0] > 0) assert_true(rotated > count / 2);
  }
}

/* ---- Known answers */

/* Rectangles with integer corners in a Pythagorean direction have no rounding error. */
TEST(whole_rectangles) {
  static const int triple[][2] = {{1, 0}, {4, 3}, {3, 4}, {12, 5}, {15, 8}, {24, 7}, {21, 20}, {99, 20}};
  state = seed_of(201);
  for (int round = 0; round < rounds(200); round++) {
    const int *t = triple[below(8)];
    const int a = 1 + below(50), b = 1 + below(50), x = below(1000) - 500, y = below(1000) - 500;
    const double c = t[0], s = below(2) ? t[1] : -t[1], length = sqrt(c * c + s * s);
    const graze_vec points[4] = {
        {x, y, 0}, {x + a * c, y + a * s, 0}, {x + a * c - b * s, y + a * s + b * c, 0}, {x - b * s, y + b * c, 0}};
    const graze_fitted_box fitted = fit(points, 4, 2, GRAZE_BEST, "whole");
    assert_true(fitted.measure == a * b * length * length && fit_box_excess(points, 4, &fitted) == 0);
    assert_true(fmax(fitted.box.as.box.half_extents.x, fitted.box.as.box.half_extents.y) == 0.5 * length * fmax(a, b));
  }
}

static void expect(const graze_vec *points, int count, graze_effort effort, double volume, const char *name) {
  graze_fitted_box fitted = fit(points, count, 3, effort, name);
  if (!(fabs(fitted.measure - volume) <= 1e-9 * volume)) fail_msg("%s: %.17g", name, fitted.measure);
}

static void turn_all(graze_vec *out, const graze_vec *in, int count) {
  rotation r = random_rotation();
  for (int i = 0; i < count; i++) out[i] = turned(&r, in[i]);
}

static const graze_vec tetrahedron[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

/* The least volume for the vertices ±e_i is 64/27; the smallest box on a face has 8/3. */
static const graze_vec octahedron[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

TEST(known_boxes) {
  state = seed_of(202);
  for (int round = 0; round < rounds(10); round++) {
    graze_vec p[64], t[64];
    double x = 0.1 + below(100), y = 0.1 + below(100), z = 0.1 + below(100);
    for (int i = 0; i < 8; i++) p[i] = (graze_vec){i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0};
    turn_all(t, p, 8);
    expect(t, 8, GRAZE_FAST, x * y * z, "box");
    expect(t, 8, GRAZE_BEST, x * y * z, "box");
    for (int i = 8; i < 64; i++) p[i] = (graze_vec){x * fabs(uniform()), y * fabs(uniform()), z * fabs(uniform())};
    turn_all(t, p, 64);
    expect(t, 64, GRAZE_BEST, x * y * z, "full box");
    turn_all(t, tetrahedron, 4);
    expect(t, 4, GRAZE_BEST, 8, "tetrahedron");
    turn_all(t, octahedron, 6);
    expect(t, 6, GRAZE_BEST, 64 / 27.0, "octahedron");
    for (int i = 0; i < 12; i++) { /* a high prism over a regular hexagon: flush with its base */
      double angle = 3.14159265358979323846 * (i % 6) / 3;
      p[i] = (graze_vec){cos(angle), sin(angle), i < 6 ? 0 : 20};
    }
    turn_all(t, p, 12);
    expect(t, 12, GRAZE_BEST, 2 * sqrt(3.0) * 20, "prism");
  }
}

/* Boxes with integer corners and rotations by small integer quaternions have no rounding error. */
TEST(whole_boxes) {
  state = seed_of(203);
  for (int round = 0; round < rounds(20); round++) {
    int w = 1 + below(5), x = below(5), y = below(5), z = below(5), n = w * w + x * x + y * y + z * z;
    double a = 2 * n * (1 + below(9)), b = 2 * n * (1 + below(9)), c = 2 * n * (1 + below(9));
    rotation r = rotation_of(w, x, y, z);
    graze_vec p[8];
    for (int i = 0; i < 8; i++) {
      graze_vec v = turned(&r, (graze_vec){i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0});
      p[i] = (graze_vec){rint(v.x), rint(v.y), rint(v.z)};
    }
    graze_fitted_box fitted = fit(p, 8, 3, GRAZE_BEST, "whole");
    assert_true(fitted.measure == a * b * c);
  }
}

/* ---- A random search over rotations: steps of decreasing size from several starts, accepted if the volume falls. */

static double volume_at(const rotation *r, const graze_vec *p, int count) {
  double volume = 1;
  for (int i = 0; i < 3; i++) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
      double at = dot(r->row[i], p[k]);
      low = fmin(low, at), high = fmax(high, at);
    }
    volume *= high - low;
  }
  return volume;
}

static double search_from(rotation at, const graze_vec *p, int count, double size) {
  double least = volume_at(&at, p, count);
  while (size > 1e-11) {
    int gains = 0;
    for (int k = 0; k < 24; k++) {
      rotation turn = rotation_of(1, size * uniform(), size * uniform(), size * uniform());
      rotation next = rotation_after(&turn, &at);
      double volume = volume_at(&next, p, count);
      if (volume >= least) continue;
      least = volume, at = next, gains++;
    }
    size *= gains > 3 ? 1.5 : 0.7;
    if (size > 1) size = 1;
  }
  return least;
}

/* Sets of few points. Sets with integer coordinates and regular ones have several minima or flat ones. */
static int make_small(graze_vec *p, int kind) {
  int n = 4 + below(5);
  for (int i = 0; i < n; i++) {
    p[i] = uniform_vec();
    if (kind == 1) p[i] = (graze_vec){below(4), below(4), below(4)};
    if (kind == 2) p[i].z *= 0.1;
  }
  if (kind == 3) turn_all(p, octahedron, 6), n = 6, p[0].x += 0.1 * uniform();
  if (kind == 4) turn_all(p, tetrahedron, 4), n = 5, p[4] = (graze_vec){1.2 * uniform(), 1.2 * uniform(), uniform()};
  if (kind == 5) { /* a prism or a pyramid */
    int sides = 3 + below(3);
    for (int i = 0; i < sides; i++) {
      double angle = 6.283185307179586 * i / sides;
      p[i] = p[sides + i] = (graze_vec){cos(angle), sin(angle), 0};
      p[sides + i].z = 0.8;
    }
    n = below(2) ? 2 * sides : sides + 1;
  }
  return n;
}

static bool spans(const graze_vec *p, int n) {
  graze_hull hull;
  assert_int_equal(graze_hull_create(p, (size_t)n, 3, NULL, &hull, NULL), GRAZE_OK);
  bool solid = hull.affine_dim == 3;
  graze_hull_destroy(&hull);
  return solid;
}

/* In at least 8 of 10 sets the search is within 1e-4 of BEST, so it would find a smaller box. */
TEST(random_search_finds_no_smaller_box) {
  int sets = 0, near = 0;
  double least = INFINITY;
  state = seed_of(204);
  for (int round = 0; round < rounds(60); round++) {
    graze_vec p[16];
    int n = make_small(p, round % 6);
    if (!spans(p, n)) continue;
    graze_fitted_box best = fit(p, n, 3, GRAZE_BEST, "small");
    double result = INFINITY;
    for (int start = 0; start < 150; start++) result = fmin(result, search_from(random_rotation(), p, n, 0.2));
    double ratio = result / best.measure;
    if (ratio < 1 - 1e-9) print_message("round %d: the search reached %.12f of BEST\n", round, ratio);
    assert_true(ratio >= 1 - 1e-9);
    sets++, near += ratio < 1 + 1e-4;
    least = fmin(least, ratio);
  }
  print_message("%d sets; search/BEST at least 1 %+.2g, within 1e-4 in %d\n", sets, least - 1, near);
  assert_true(sets >= 40 && 10 * near >= 8 * sets);
}

/* The check detects an extent that is one ulp too small or too large, a wrong centre, a wrong measure. */
TEST(check_detects_errors) {
  graze_vec points[POINTS_MAX];
  state = seed_of(205);
  make_turned(points, 40, &families[0]);
  const graze_fitted_box fitted = fit(points, 40, 2, GRAZE_FAST, "planted");
  graze_fitted_box wrong[6] = {fitted, fitted, fitted, fitted, fitted, fitted};
  static const fit_fault faults[] = {FIT_OUTSIDE, FIT_TOO_LARGE, FIT_OUTSIDE, FIT_MEASURE, FIT_REJECTED};
  wrong[0].box.as.box.half_extents.x = nextafter(fitted.box.as.box.half_extents.x, 0);
  wrong[1].box.as.box.half_extents.y = nextafter(fitted.box.as.box.half_extents.y, 9);
  wrong[2].pose.position.x += 1e-15;
  wrong[3].measure *= 1 + 1e-14;
  wrong[4].box.as.box.half_extents.x = -1;
  for (size_t i = 0; i < COUNT(faults); i++) assert_int_equal(fit_box_fault(points, 40, &wrong[i]), faults[i]);
  wrong[5].box.as.box.half_extents.x *= 1 + 1e-12;
  assert_true(fit_box_excess(points, 40, &wrong[5]) > 5e-13);
}
