/* graze_check(): every refusal names its parameter, and a polygon is convex exactly when it is: all polygons on small
 * grids against an independent judgement in integers, near and far, tiny and huge.
 * */

#include "support/test.h"
#include "support/random.h"

#include <graze/graze.h>

static const uint64_t seed_of = 0xa4093822299f31d0u;
static uint64_t state;

static uint64_t next_random(void) { return rng_bits(&state); }

static int seed(void **unused) {
  (void)unused;
  state = seed_of;
  return 0;
}

static graze_vec at(double x, double y, double z) {
  graze_vec v = {x, y, z};
  return v;
}

static double no_support(void *context, graze_vec direction, graze_vec *point) {
  (void)context;
  (void)direction;
  *point = at(0, 0, 0);
  return 0;
}

/* ---- Refusals */

static void refuse_placed(graze_shape shape, const graze_pose *pose, graze_status status, const char *what,
                          ptrdiff_t index, double value) {
  graze_error error = {GRAZE_OK, NULL, 77, 77};
  graze_status said = graze_check(&shape, pose, &error);
  if (said != status || error.status != status || strcmp(error.what, what) != 0 || error.index != index)
    fail_msg("%s (%td): %s, said of %s (%td); expected %s", what, index, graze_status_text(said), error.what,
             error.index, graze_status_text(status));
  assert_true(error.value == value || (isnan(error.value) && isnan(value)));
  assert_int_equal(graze_check(&shape, pose, NULL), status);
}

static void refuse(graze_shape shape, graze_status status, const char *what, ptrdiff_t index, double value) {
  refuse_placed(shape, NULL, status, what, index, value);
}

static void accept(graze_shape shape, const graze_pose *pose) {
  graze_error error = {GRAZE_BAD_NUMBER, NULL, 77, 77};
  if (graze_check(&shape, pose, &error) != GRAZE_OK) fail_msg("kind %d: %s", (int)shape.kind, error.what);
  assert_int_equal(error.status, GRAZE_OK);
  assert_string_equal(error.what, "");
  assert_int_equal(error.index, -1);
}

TEST(test_legal) {
  static const graze_vec square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  graze_vec o = at(0, 0, 0), far = at(1e40, -1e40, 0);
  const graze_shape flat[] = {
      graze_point2(),       graze_segment2(o, far),   graze_triangle2(o, far, o),   graze_box2(0, 0),
      graze_box2(1e40, 1),  graze_polygon(square, 4), graze_hull2(&o, 1),           graze_circle(0),
      graze_capsule2(0, 0), graze_ellipse(0, 1),      graze_halfspace2(far, -1e40), graze_user(2, no_support, NULL)};
  const graze_shape solid[] = {graze_point(),
                               graze_segment(o, o),
                               graze_triangle(o, far, at(0, 0, 1e40)),
                               graze_box(0, 0, 0),
                               graze_hull(square, 4),
                               graze_sphere(-0.0),
                               graze_capsule(1, 0),
                               graze_ellipsoid(0, 0, 0),
                               graze_cylinder(0, 1e40),
                               graze_cone(1e40, 0),
                               graze_halfspace(at(0, 0, 0x1p-1074), 0),
                               graze_user(3, no_support, NULL)};
  graze_pose flat_pose = {{1e40, -1e40, 0}, 0, 0, -0.0, 0x1p-1074};
  graze_pose solid_pose = {{1e40, -1e40, 1e40}, 0, 0x1p-1074, -1e40, 3};
  for (size_t i = 0; i < COUNT(flat); i++) {
    accept(flat[i], NULL);
    accept(flat[i], &flat_pose);
    accept(graze_with_margin(flat[i], 1e40), &flat_pose);
    refuse_placed(flat[i], &solid_pose, GRAZE_DIM_MISMATCH, "position", 2, 1e40);
  }
  for (size_t i = 0; i < COUNT(solid); i++) {
    accept(solid[i], NULL);
    accept(solid[i], &flat_pose);
    accept(graze_with_margin(solid[i], 0x1p-1074), &solid_pose);
  }
}

/* Numbers that must be legal, and where they must also not be negative. */
TEST(test_numbers) {
  static const double bad[] = {NAN, INFINITY, -INFINITY, 0x1.d6329f1c35ca6p132, -2e40};
  graze_vec o = at(0, 0, 0);
  for (size_t i = 0; i < COUNT(bad); i++) {
    double x = bad[i];
    graze_status s = GRAZE_BAD_NUMBER;
    refuse(graze_with_margin(graze_point(), x), s, "margin", -1, x);
    refuse(graze_segment(o, at(0, x, 0)), s, "vertices", 1, x);
    refuse(graze_segment2(at(0, 0, x), o), s, "vertices", 0, x);
    refuse(graze_triangle(o, o, at(x, 0, 0)), s, "vertices", 2, x);
    refuse(graze_box(1, x, 1), s, "half_extents", 1, x);
    refuse(graze_ellipsoid(1, 1, x), s, "radii", 2, x);
    refuse(graze_sphere(x), s, "radius", -1, x);
    refuse(graze_capsule(1, x), s, "half_length", -1, x);
    refuse(graze_cylinder(x, 1), s, "radius", -1, x);
    refuse(graze_cone(1, x), s, "half_length", -1, x);
    refuse(graze_halfspace(at(1, 0, x), 0), s, "normal", 2, x);
    refuse(graze_halfspace(at(1, 0, 0), x), s, "offset", -1, x);
    graze_vec list[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, x, 0}};
    refuse(graze_polygon(list, 4), s, "vertices", 3, x);
    refuse(graze_hull(list, 4), s, "vertices", 3, x);
    graze_pose pose = {{0, x, 0}, 1, 0, 0, 0};
    refuse_placed(graze_point(), &pose, s, "position", 1, x);
    graze_pose turned[] = {
        {{0, 0, 0}, x, 0, 0, 0}, {{0, 0, 0}, 1, x, 0, 0}, {{0, 0, 0}, 1, 0, x, 0}, {{0, 0, 0}, 1, 0, 0, x}};
    for (int k = 0; k < 4; k++) {
      refuse_placed(graze_point(), &turned[k], s, "rotation", k, x);
      refuse_placed(graze_point2(), &turned[k], s, "rotation", k, x);
    }
  }
  double tiny = -0x1p-1074;
  refuse(graze_with_margin(graze_point(), tiny), GRAZE_BAD_SHAPE, "margin", -1, tiny);
  refuse(graze_box(tiny, 1, 1), GRAZE_BAD_SHAPE, "half_extents", 0, tiny);
  refuse(graze_box2(1, tiny), GRAZE_BAD_SHAPE, "half_extents", 1, tiny);
  refuse(graze_ellipsoid(1, 1, tiny), GRAZE_BAD_SHAPE, "radii", 2, tiny);
  refuse(graze_circle(tiny), GRAZE_BAD_SHAPE, "radius", -1, tiny);
  refuse(graze_capsule(1, tiny), GRAZE_BAD_SHAPE, "half_length", -1, tiny);
  refuse(graze_cylinder(tiny, 1), GRAZE_BAD_SHAPE, "radius", -1, tiny);
  refuse(graze_cone(1, tiny), GRAZE_BAD_SHAPE, "half_length", -1, tiny);
}

TEST(test_shapes) {
  static const graze_vec square[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  graze_vec o = at(0, 0, 0);
  refuse(graze_polygon(square, 2), GRAZE_BAD_SHAPE, "vertices", -1, 2);
  refuse(graze_polygon(NULL, 4), GRAZE_BAD_SHAPE, "vertices", -1, 4);
  refuse(graze_hull(square, 0), GRAZE_BAD_SHAPE, "vertices", -1, 0);
  refuse(graze_hull2(NULL, 1), GRAZE_BAD_SHAPE, "vertices", -1, 1);
  refuse(graze_hull(square, (size_t)INT32_MAX + 1), GRAZE_BAD_SHAPE, "vertices", -1, 0x1p31);
  refuse(graze_halfspace(o, 1), GRAZE_BAD_SHAPE, "normal", -1, 0);
  refuse(graze_user(3, NULL, NULL), GRAZE_BAD_SHAPE, "support", -1, 0);
  graze_shape shape = graze_point();
  shape.kind = (graze_shape_kind)0;
  refuse(shape, GRAZE_BAD_SHAPE, "type", -1, 0);
  shape.kind = (graze_shape_kind)(GRAZE_COMPOUND + 1);
  refuse(shape, GRAZE_BAD_SHAPE, "type", -1, GRAZE_COMPOUND + 1);
  refuse(graze_user(4, no_support, NULL), GRAZE_BAD_SHAPE, "dim", -1, 4);
  refuse(graze_user(0, no_support, NULL), GRAZE_BAD_SHAPE, "dim", -1, 0);
  graze_pose zero = {{0, 0, 0}, 0, -0.0, 0, 0};
  refuse_placed(graze_point(), &zero, GRAZE_BAD_SHAPE, "rotation", -1, 0);
  refuse_placed(graze_point2(), &zero, GRAZE_BAD_SHAPE, "rotation", -1, 0);
  graze_error error;
  assert_int_equal(graze_check(NULL, NULL, &error), GRAZE_BAD_SHAPE);
  assert_int_equal(error.status, GRAZE_BAD_SHAPE);
}

TEST(test_dimensions) {
  graze_status s = GRAZE_DIM_MISMATCH;
  static const graze_vec lifted[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0x1p-1074}};
  graze_shape cylinder = graze_cylinder(1, 1), cone = graze_cone(1, 1), polygon = graze_polygon(lifted, 3);
  cylinder.dim = cone.dim = 2;
  refuse(cylinder, s, "dim", -1, 2);
  refuse(cone, s, "dim", -1, 2);
  refuse(polygon, s, "vertices", 2, 0x1p-1074);
  polygon.dim = 3;
  refuse(polygon, s, "dim", -1, 3);
  refuse(graze_hull2(lifted, 3), s, "vertices", 2, 0x1p-1074);
  accept(graze_hull(lifted, 3), NULL);
  refuse(graze_segment2(lifted[0], lifted[2]), s, "vertices", 1, 0x1p-1074);
  refuse(graze_triangle2(lifted[2], lifted[0], lifted[1]), s, "vertices", 0, 0x1p-1074);
  refuse(graze_halfspace2(at(1, 0, 2), 0), s, "normal", 2, 2);
  graze_shape box = graze_box(1, 1, 3), ellipsoid = graze_ellipsoid(1, 1, 4);
  box.dim = ellipsoid.dim = 2;
  refuse(box, s, "half_extents", 2, 3);
  refuse(ellipsoid, s, "radii", 2, 4);
  graze_pose x = {{0, 0, 0}, 1, 5, 0, 0}, y = {{0, 0, 0}, 1, 0, 6, 0};
  refuse_placed(graze_box2(1, 1), &x, s, "rotation", 1, 5);
  refuse_placed(graze_box2(1, 1), &y, s, "rotation", 2, 6);
}

/* ---- Convexity */

enum { MOST = 16 };
typedef struct spot {
  long x, y;
} spot;

static long cross(spot a, spot b, spot c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

static int compare_spots(const void *p, const void *q) {
  const spot *a = p, *b = q;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return (a->y > b->y) - (a->y < b->y);
}

/* Another definition of convex: number the different points of the hull's boundary once around; the outline must visit
 * them in that order, or in the opposite one, once. Points on one line are convex in any order. */
static bool truly_convex(const spot *outline, int count) {
  spot sorted[MOST], ring[2 * MOST];
  memcpy(sorted, outline, (size_t)count * sizeof *outline);
  qsort(sorted, (size_t)count, sizeof *sorted, compare_spots);
  int different = 0, size = 0;
  for (int i = 0; i < count; i++)
    if (different == 0 || compare_spots(&sorted[different - 1], &sorted[i]) != 0) sorted[different++] = sorted[i];
  bool line = true;
  for (int i = 2; i < different; i++) line = line && cross(sorted[0], sorted[1], sorted[i]) == 0;
  if (line) return true;
  for (int i = 0; i < different; i++) { /* monotone chains that keep collinear points */
    while (size >= 2 && cross(ring[size - 2], ring[size - 1], sorted[i]) < 0) size--;
    ring[size++] = sorted[i];
  }
  int lower = size;
  for (int i = different - 2; i >= 0; i--) {
    while (size > lower && cross(ring[size - 2], ring[size - 1], sorted[i]) < 0) size--;
    ring[size++] = sorted[i];
  }
  size--; /* the first point again */
  int rank[MOST], visits = 0;
  for (int i = 0; i < count; i++) {
    int r = 0;
    while (r < size && compare_spots(&ring[r], &outline[i]) != 0) r++;
    if (r == size) return false; /* strictly inside */
    if (visits == 0 || rank[visits - 1] != r) rank[visits++] = r;
  }
  if (rank[visits - 1] == rank[0]) visits--;
  int up = 0;
  for (int i = 0; i < visits; i++) up += rank[(i + 1) % visits] > rank[i];
  return visits == different && (up == visits - 1 || up == 1);
}

/* Judged in several exact images of the outline: as it is, tiny, huge, far away, and sheared. */
static void check_polygon(const spot *outline, int count, bool all_images) {
  static const struct {
    double far, unit;
    int shear;
  } images[] = {{0, 1, 0}, {0, 0x1p-1074, 0}, {0x1p45, 1, 1000}, {-0x1p45, 0x1p80, 999}, {0, 0x1p-540, 3}};
  graze_vec v[MOST];
  bool truth = truly_convex(outline, count);
  for (size_t k = 0; k < (all_images ? COUNT(images) : 1); k++) {
    for (int i = 0; i < count; i++) {
      double x = (double)(outline[i].x + images[k].shear * outline[i].y);
      double y = (double)(outline[i].y + images[k].shear * (outline[i].x + images[k].shear * outline[i].y));
      v[i] = at((images[k].far + x) * images[k].unit, (images[k].far + y) * images[k].unit, 0);
    }
    graze_error error;
    graze_shape polygon = graze_polygon(v, (size_t)count);
    graze_status said = graze_check(&polygon, NULL, &error);
    if (said != (truth ? GRAZE_OK : GRAZE_NOT_CONVEX)) {
      for (int i = 0; i < count; i++) print_message("(%ld, %ld) ", outline[i].x, outline[i].y);
      fail_msg("image %zu: %s", k, graze_status_text(said));
    }
    assert_true(truth || (error.index >= 0 && error.index < count && strcmp(error.what, "vertices") == 0));
  }
}

TEST(test_all_small_polygons) {
  for (int count = 3; count <= 6; count++) {
    int grid = count <= 5 ? 3 : 2, spots = grid * grid + (grid == 2); /* 2 x 2 and its upper neighbour */
    long total = 1;
    for (int i = 0; i < count; i++) total *= spots;
    for (long code = 0; code < total; code++) {
      spot outline[MOST];
      long rest = code;
      for (int i = 0; i < count; i++, rest /= spots) {
        outline[i].x = rest % spots % grid;
        outline[i].y = rest % spots / grid;
      }
      check_polygon(outline, count, code % 7 == 0);
    }
  }
}

/* Convex outlines with repeated and collinear vertices, and the same with two vertices exchanged or one moved. */
TEST_WITH(test_random_polygons, seed, NULL) {
  static const spot ring[] = {{0, 0}, {2, 0},  {4, 0},  {7, 1},  {9, 2}, {10, 3}, {10, 5}, {10, 6}, {9, 8},
                              {8, 9}, {6, 10}, {3, 10}, {1, 10}, {0, 9}, {-1, 7}, {-1, 4}, {-1, 1}};
  int convex = 0, trials = 40000;
  for (int trial = 0; trial < trials; trial++) {
    spot outline[MOST];
    int count = 0, start = (int)(next_random() % COUNT(ring)), first = (int)(next_random() % MOST);
    for (size_t i = 0; i < COUNT(ring); i++) {
      int copies = (int)(next_random() % 8) - 5; /* mostly none */
      for (int c = 0; c < copies && count < MOST; c++) outline[count++] = ring[(i + (size_t)start) % COUNT(ring)];
    }
    if (count < 3) continue;
    spot turned[MOST];
    for (int i = 0; i < count; i++)
      turned[i] = outline[trial % 2 ? (first + i) % count : (first + 2 * count - i) % count];
    uint64_t r = next_random();
    spot *p = &turned[(r >> 8) % (uint64_t)count], *q = &turned[(r >> 16) % (uint64_t)count];
    if (r % 4 == 0) {
      spot t = *p;
      *p = *q;
      *q = t;
    }
    if (r % 4 == 1) p->x += (long)(r >> 24) % 3 - 1, p->y += (long)(r >> 28) % 3 - 1;
    convex += truly_convex(turned, count);
    check_polygon(turned, count, true);
  }
  print_message("%d of %d convex\n", convex, trials);
  assert_true(convex > trials / 4 && convex < trials * 7 / 8);
}

/* {n/k}: n points of a regular polygon, every k-th in turn. It turns the same way everywhere, k times around. */
TEST(test_stars) {
  enum { LARGEST = 1001 };
  static graze_vec v[LARGEST];
  for (int n = 3; n <= LARGEST; n += n < 30 ? 1 : 97)
    for (int k = 1; 2 * k < n; k += n < 30 ? 1 : 61)
      for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < n; i++) {
          double angle = 2 * 3.14159265358979323846 * sign * (i * k % n) / n + 0.1;
          v[i] = at(cos(angle), sin(angle), 0);
        }
        int divisor = k, rest = n;
        while (rest != 0) {
          int t = divisor % rest;
          divisor = rest;
          rest = t;
        }
        graze_shape star = graze_polygon(v, (size_t)n);
        graze_status said = graze_check(&star, NULL, NULL);
        if (said != (k == 1 ? GRAZE_OK : GRAZE_NOT_CONVEX)) fail_msg("{%d/%d}: %s", n, k, graze_status_text(said));
      }
}

/* The vertex that is named is one that must change. */
TEST(test_named_vertex) {
  static const graze_vec corner[] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}};
  static const graze_vec spike[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {4, 8, 0}, {4, 4, 0}, {0, 4, 0}};
  enum { SIZE = 6 };
  for (int start = 0; start < SIZE; start++)
    for (int sign = -1; sign <= 1; sign += 2) {
      graze_vec v[SIZE], w[SIZE];
      int reflex = -1, tip = -1;
      for (int i = 0; i < SIZE; i++) {
        int k = (start + SIZE + sign * i) % SIZE;
        v[i] = corner[k];
        w[i] = spike[k];
        if (k == 3) reflex = tip = i;
      }
      refuse(graze_polygon(v, SIZE), GRAZE_NOT_CONVEX, "vertices", reflex, 0);
      refuse(graze_polygon(w, SIZE), GRAZE_NOT_CONVEX, "vertices", tip, 0);
    }
}

/* One ulp decides: a vertex of a collinear run moved in or out. */
TEST_WITH(test_one_ulp, seed, NULL) {
  for (int i = 0; i < 2000; i++) {
    double unit = ldexp(1, (int)(next_random() % 1100) - 1000), t = (double)(1 + next_random() % 1000);
    double dx = (double)(1 + next_random() % 1000), dy = (double)(1 + next_random() % 1000);
    graze_vec v[] = {{0, 0, 0},
                     {t * dx * unit, t * dy * unit, 0},
                     {2000 * dx * unit, 2000 * dy * unit, 0},
                     {0, 2000 * dy * unit, 0}};
    double on = v[1].y;
    accept(graze_polygon(v, 4), NULL);
    v[1].y = nextafter(on, -INFINITY);
    accept(graze_polygon(v, 4), NULL);
    v[1].y = nextafter(on, INFINITY);
    refuse(graze_polygon(v, 4), GRAZE_NOT_CONVEX, "vertices", 1, 0);
  }
}
