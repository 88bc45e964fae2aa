/* Convex hulls with known answers: public bug reports, and constructed ones of every dimension; rejected input; failing
 * allocations; the hull as a shape. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/geometry.h"
#include "build/hull_truth.h"

enum { MOST = 32 };

typedef struct known {
  const char *name;
  int dim, count;
  const char *points; /* "x y z, x y z, …"; in 2D without z */
  int affine_dim, vertices, faces;
  double area, volume;
} known;

static const known cases[] = {
    {"dimforge/parry issue 49: some 1e-23 large", 3, 4,
     "2.3624029e-23 1.3771984e-23 2.2062083e-24, 1.3807439e-23 1.8596945e-23 -1.784406e-24, 1.4174896e-23 "
     "-3.200329e-24 4.664615e-24, 1.3685897e-23 4.6402988e-24 2.2509113e-24",
     3, 4, 4, 2.363368776750276e-46, 1.1625720700330078e-76},
    {"brian3kb/graham_scan_js issue 8: an inner point of four was kept", 2, 4,
     "223.25 30.0, 214.66796875 53.6015625, 213.79296875 38.6015625, 211.41796875 29.2265625", 2, 3, 0,
     142.946044921875, 0},
    {"dimforge/parry convex_hull3: three points", 2, 3,
     "4.723880767822266 3.5972330570220947, 3.3333630561828613 3.4299910068511963, 3.1372148990631104 "
     "2.812263011932373",
     2, 3, 0, 0.4130787489880845, 0},
    {"a triangle's outline with many collinear points", 2, 15,
     "0 0, 1 0, 2 0, 3 0, 4 0, 0 0, 0 1, 0 2, 0 3, 0 4, 4 0, 3 1, 2 2, 1 3, 0 4", 2, 3, 0, 8, 0},
    {"jrouwe/JoltPhysics ConvexHullBuilderTest: within half a millimetre", 3, 4,
     "1.0 2.0 3.0, 1.0005 2.0 3.0, 1.0 2.0005 3.0, 1.0 2.0 3.0005", 3, 4, 4, 5.915063509463296e-07,
     2.0833333333344955e-11},
    {"dimforge/parry initial_mesh: all in one plane", 3, 5,
     "103.05023956298828 303.4497375488281 106.125, 103.2169189453125 303.4497375488281 "
     "106.12501525878906, 104.1653823852539 303.4497375488281 106.125, 106.55024719238281 "
     "303.4497375488281 106.125, 106.55043029785156 303.4497375488281 106.125",
     2, 3, 2, 2.6704336050897837e-05, 0},
    {"one point", 3, 1, "1 2 3", 0, 1, 0, 0, 0},
    {"one point, twice, with either zero", 3, 2, "0 -0.0 1, -0.0 0 1", 0, 1, 0, 0, 0},
    {"a segment of four points", 3, 4, "1 1 1, 3 5 7, 2 3 4, 0 -1 -2", 1, 2, 0, 0, 0},
    {"a segment in 2D", 2, 3, "1 1, 0 0, 3 3", 1, 2, 0, 0, 0},
    {"a square in space", 3, 5, "0 0 5, 2 0 5, 1 1 5, 2 2 5, 0 2 5", 2, 4, 2, 4, 0},
    {"a cube, with points on edges, on faces, inside and again", 3, 14,
     "0 0 0, 2 0 0, 0 2 0, 2 2 0, 0 0 2, 2 0 2, 0 2 2, 2 2 2, 1 0 0, 1 1 0, 1 1 1, 2 2 2, 2 1 2, 0 1 1", 3, 8, 6, 24,
     8},
    {"an octahedron as large as coordinates may be", 3, 6,
     "1e40 0 0, -1e40 0 0, 0 1e40 0, 0 -1e40 0, 0 0 1e40, 0 0 -1e40", 3, 6, 8, 6.928203230275509e80,
     1.3333333333333333e120},
    {"a prism over a hexagon of integers", 3, 12,
     "2 0 0, 1 2 0, -1 2 0, -2 0 0, -1 -2 0, 1 -2 0, 2 0 1, 1 2 1, -1 2 1, -2 0 1, -1 -2 1, 1 -2 1", 3, 12, 8,
     36.94427190999916, 12},
    {"a needle of 1e20 by 1e-20", 3, 4, "1e20 0 0, -1e20 0 0, 0 1e-20 0, 0 0 1e-20", 3, 4, 4, 3.414213562373095,
     3.3333333333333333e-21},
};

static size_t points_of(const known *k, graze_vec *points) {
  char *at = (char *)(uintptr_t)k->points;
  for (int i = 0; i < k->count; i++) {
    points[i] = vec(strtod(at, &at), 0, 0);
    points[i].y = strtod(at, &at);
    if (k->dim == 3) points[i].z = strtod(at, &at);
    if (*at == ',') at++;
  }
  return (size_t)k->count;
}

static bool is_near(double x, double truth, double relative) { return fabs(x - truth) <= relative * fabs(truth); }

TEST(known_hulls) {
  for (size_t i = 0; i < COUNT(cases); i++) {
    const known *k = &cases[i];
    graze_vec points[MOST];
    size_t count = points_of(k, points);
    graze_convex_hull hull;
    graze_error error;
    assert_int_equal(graze_hull_create(points, count, k->dim, NULL, &hull, &error), GRAZE_OK);
    assert_int_equal(error.status, GRAZE_OK);
    const char *fault = hull_fault(points, count, &hull);
    if (fault) fail_msg("%s: %s", k->name, fault);
    bool good = hull.dim == k->dim && hull.affine_dim == k->affine_dim && hull.vertex_count == (size_t)k->vertices &&
                hull.face_count == (size_t)k->faces && is_near(hull.volume, k->volume, 1e-12) &&
                is_near(hull.area, k->area, 1e-12);
    if (!good)
      fail_msg("%s: affine_dim %d, %zu vertices, %zu faces, area %.17g, volume %.17g", k->name, hull.affine_dim,
               hull.vertex_count, hull.face_count, hull.area, hull.volume);
    graze_hull_destroy(&hull);
    assert_null(hull.vertices);
    graze_hull_destroy(&hull);
  }
}

/* ---- Rejected input. */

static void check_rejected(const graze_vec *points, size_t count, int dim, graze_status status, ptrdiff_t index) {
  graze_convex_hull hull, before;
  memset(&hull, 0x5a, sizeof hull);
  before = hull;
  graze_error error;
  assert_int_equal(graze_hull_create(points, count, dim, NULL, &hull, &error), status);
  assert_int_equal(error.status, status);
  assert_int_equal(error.index, index);
  assert_int_equal(graze_hull_create(points, count, dim, NULL, &hull, NULL), status);
  assert_memory_equal(&hull, &before, sizeof hull);
}

TEST(rejected) {
  graze_vec points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  check_rejected(points, 0, 3, GRAZE_BAD_SHAPE, -1);
  check_rejected(NULL, 4, 3, GRAZE_BAD_SHAPE, -1);
  check_rejected(points, (size_t)INT32_MAX + 1, 3, GRAZE_BAD_SHAPE, -1);
  check_rejected(points, 4, 1, GRAZE_BAD_SHAPE, -1);
  check_rejected(points, 4, 4, GRAZE_BAD_SHAPE, -1);
  check_rejected(points, 4, 2, GRAZE_DIM_MISMATCH, 3);
  points[2].y = NAN;
  check_rejected(points, 4, 3, GRAZE_BAD_NUMBER, 2);
  points[2].y = INFINITY;
  check_rejected(points, 4, 3, GRAZE_BAD_NUMBER, 2);
  points[2].y = 1.0000001e40;
  check_rejected(points, 4, 3, GRAZE_BAD_NUMBER, 2);
}

/* ---- Failing allocations. */

/* Fails the first allocation, the second, … until all succeed; returns how many there were. */
static long fail_each(const graze_vec *points, size_t count, int dim) {
  for (long n = 0;; n++) {
    failing_memory memory = {.fail_at = n};
    const graze_allocator allocator = failing_allocator(&memory);
    graze_convex_hull hull, before;
    memset(&hull, 0x5a, sizeof hull);
    before = hull;
    graze_error error;
    const graze_status status = graze_hull_create(points, count, dim, &allocator, &hull, &error);
    if (status == GRAZE_OK) {
      assert_int_equal(memory.out, 1);
      assert_null(hull_fault(points, count, &hull));
      graze_hull_destroy(&hull);
      assert_int_equal(memory.out, 0);
      return n;
    }
    assert_true(status == GRAZE_OUT_OF_MEMORY && error.status == GRAZE_OUT_OF_MEMORY && memory.out == 0);
    assert_memory_equal(&hull, &before, sizeof hull);
  }
}

TEST(failing_allocations) {
  enum { LARGE = 300 };
  graze_vec points[LARGE];
  for (int i = 0; i < LARGE; i++) points[i] = (graze_vec){i, i * i, (double)i * i * i}; /* all of them extreme */
  const long most = fail_each(points, LARGE, 3);
  assert_true(most > 10); /* lists grow several times */
  for (int i = 0; i < LARGE; i++) points[i].z = 0;
  assert_int_equal(fail_each(points, LARGE, 2), 2);
  assert_int_equal(fail_each(points, LARGE, 3), 2);
  assert_int_equal(fail_each(points, 2, 3), 1);
  assert_int_equal(fail_each(points, 1, 2), 1);
}

/* ---- The hull as a shape. */

TEST(hull_as_a_shape) {
  for (size_t i = 0; i < COUNT(cases); i++) {
    graze_vec points[MOST];
    size_t count = points_of(&cases[i], points);
    graze_convex_hull hull;
    assert_int_equal(graze_hull_create(points, count, cases[i].dim, NULL, &hull, NULL), GRAZE_OK);
    graze_shape shape = graze_hull_shape(&hull);
    assert_int_equal(shape.kind, GRAZE_HULL);
    assert_int_equal(shape.dim, cases[i].dim);
    assert_ptr_equal(shape.vertices, hull.vertices);
    assert_int_equal(shape.vertex_count, hull.vertex_count);
    assert_ptr_equal(shape.adjacency.start, hull.adjacency.start);
    assert_ptr_equal(shape.adjacency.neighbor, hull.adjacency.neighbor);
    assert_int_equal(graze_check(&shape, NULL, NULL), GRAZE_OK);
    graze_hull_destroy(&hull);
  }
}

/* The support function of a hull with adjacency starts from a table of directions: every direction has an entry, and
 * the vertex is the best of all. Seed 7. */
TEST(support_in_all_directions) {
  static const double some[] = {0, -0.0, 1, -1, 5e-324, -1e40, 1e-200, 3, 0x1.1p100};
  enum { SOME = COUNT(some), POINTS = 400 };
  rng random = 7;
  for (int dim = 2; dim <= 3; dim++)
    for (int count = dim + 1; count <= POINTS; count += count < 20 ? 1 : 76) {
      graze_vec points[POINTS];
      for (int i = 0; i < count; i++) {
        const graze_vec v = rng_vec(&random, dim, 1);
        points[i] = scaled(1 / norm(v), v);
      }
      graze_convex_hull hull;
      assert_int_equal(graze_hull_create(points, (size_t)count, dim, NULL, &hull, NULL), GRAZE_OK);
      const graze_shape shape = graze_hull_shape(&hull);
      const graze_placed placed = graze_place(&shape, identity);
      for (int i = 0; i < SOME * SOME * SOME; i++) {
        const graze_vec d = vec(some[i % SOME], some[i / SOME % SOME], dim == 3 ? some[i / SOME / SOME] : 0);
        const double size = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
        if (size == 0) continue;
        const graze_vec unit = vec(d.x / size, d.y / size, d.z / size);
        graze_vec point;
        double best = -INFINITY;
        assert_int_equal(graze_support(&placed, d, &point, NULL), GRAZE_OK);
        for (size_t k = 0; k < hull.vertex_count; k++) best = fmax(best, dot(unit, hull.vertices[k]));
        assert_true(dot(unit, point) >= best - 1e-14);
      }
      graze_hull_destroy(&hull);
    }
}
