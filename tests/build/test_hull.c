/* Convex hulls with known answers: public bug reports, and constructed ones of every dimension; inputs that are
 * refused; failing allocations; the hull as a shape. */

#include "support/test.h"
#include "build/hull_solid.h"
#include "build/hull_truth.h"
#include "shape/climb.h"

enum { MOST = 32 };

typedef struct known {
  const char *name;
  int dim, count;
  double xyz[MOST][3];
  int affine_dim, vertices, faces;
  double area, volume;
} known;

static const known cases[] = {
    {"dimforge/parry issue 49: some 1e-23 large",
     3,
     4,
     {{2.3624029e-23, 1.3771984e-23, 2.2062083e-24},
      {1.3807439e-23, 1.8596945e-23, -1.784406e-24},
      {1.4174896e-23, -3.200329e-24, 4.664615e-24},
      {1.3685897e-23, 4.6402988e-24, 2.2509113e-24}},
     3,
     4,
     4,
     2.363368776750276e-46,
     1.1625720700330078e-76},
    {"brian3kb/graham_scan_js issue 8: an inner point of four was kept",
     2,
     4,
     {{223.25, 30.0}, {214.66796875, 53.6015625}, {213.79296875, 38.6015625}, {211.41796875, 29.2265625}},
     2,
     3,
     0,
     142.946044921875,
     0},
    {"dimforge/parry convex_hull3: three points",
     2,
     3,
     {{4.723880767822266, 3.5972330570220947},
      {3.3333630561828613, 3.4299910068511963},
      {3.1372148990631104, 2.812263011932373}},
     2,
     3,
     0,
     0.4130787489880845,
     0},
    {"a triangle's outline with many collinear points",
     2,
     15,
     {{0, 0},
      {1, 0},
      {2, 0},
      {3, 0},
      {4, 0},
      {0, 0},
      {0, 1},
      {0, 2},
      {0, 3},
      {0, 4},
      {4, 0},
      {3, 1},
      {2, 2},
      {1, 3},
      {0, 4}},
     2,
     3,
     0,
     8,
     0},
    {"jrouwe/JoltPhysics ConvexHullBuilderTest: within half a millimetre",
     3,
     4,
     {{1.0, 2.0, 3.0}, {1.0005, 2.0, 3.0}, {1.0, 2.0005, 3.0}, {1.0, 2.0, 3.0005}},
     3,
     4,
     4,
     5.915063509463296e-07,
     2.0833333333344955e-11},
    {"dimforge/parry initial_mesh: all in one plane",
     3,
     5,
     {{103.05023956298828, 303.4497375488281, 106.125},
      {103.2169189453125, 303.4497375488281, 106.12501525878906},
      {104.1653823852539, 303.4497375488281, 106.125},
      {106.55024719238281, 303.4497375488281, 106.125},
      {106.55043029785156, 303.4497375488281, 106.125}},
     2,
     3,
     2,
     2.6704336050897837e-05,
     0},
    {"one point", 3, 1, {{1, 2, 3}}, 0, 1, 0, 0, 0},
    {"one point, twice, with either zero", 3, 2, {{0, -0.0, 1}, {-0.0, 0, 1}}, 0, 1, 0, 0, 0},
    {"a segment of four points", 3, 4, {{1, 1, 1}, {3, 5, 7}, {2, 3, 4}, {0, -1, -2}}, 1, 2, 0, 0, 0},
    {"a segment in 2D", 2, 3, {{1, 1}, {0, 0}, {3, 3}}, 1, 2, 0, 0, 0},
    {"a square in space", 3, 5, {{0, 0, 5}, {2, 0, 5}, {1, 1, 5}, {2, 2, 5}, {0, 2, 5}}, 2, 4, 2, 4, 0},
    {"a cube, with points on edges, on faces, inside and again",
     3,
     14,
     {{0, 0, 0},
      {2, 0, 0},
      {0, 2, 0},
      {2, 2, 0},
      {0, 0, 2},
      {2, 0, 2},
      {0, 2, 2},
      {2, 2, 2},
      {1, 0, 0},
      {1, 1, 0},
      {1, 1, 1},
      {2, 2, 2},
      {2, 1, 2},
      {0, 1, 1}},
     3,
     8,
     6,
     24,
     8},
    {"an octahedron as large as coordinates may be",
     3,
     6,
     {{1e40, 0, 0}, {-1e40, 0, 0}, {0, 1e40, 0}, {0, -1e40, 0}, {0, 0, 1e40}, {0, 0, -1e40}},
     3,
     6,
     8,
     6.928203230275509e80,
     1.3333333333333333e120},
    {"a prism over a hexagon of integers",
     3,
     12,
     {{2, 0, 0},
      {1, 2, 0},
      {-1, 2, 0},
      {-2, 0, 0},
      {-1, -2, 0},
      {1, -2, 0},
      {2, 0, 1},
      {1, 2, 1},
      {-1, 2, 1},
      {-2, 0, 1},
      {-1, -2, 1},
      {1, -2, 1}},
     3,
     12,
     8,
     36.94427190999916,
     12},
    {"a needle of 1e20 by 1e-20",
     3,
     4,
     {{1e20, 0, 0}, {-1e20, 0, 0}, {0, 1e-20, 0}, {0, 0, 1e-20}},
     3,
     4,
     4,
     3.414213562373095,
     3.3333333333333333e-21},
};

static size_t points_of(const known *k, graze_vec *points) {
  for (int i = 0; i < k->count; i++) points[i] = (graze_vec){k->xyz[i][0], k->xyz[i][1], k->xyz[i][2]};
  return (size_t)k->count;
}

static bool is_near(double x, double truth, double relative) { return fabs(x - truth) <= relative * fabs(truth); }

TEST(test_known) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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

/* ---- What is refused. */

static void check_refused(const graze_vec *points, size_t count, int dim, graze_status status, ptrdiff_t index) {
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

TEST(test_refused) {
  graze_vec points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  check_refused(points, 0, 3, GRAZE_BAD_SHAPE, -1);
  check_refused(NULL, 4, 3, GRAZE_BAD_SHAPE, -1);
  check_refused(points, (size_t)INT32_MAX + 1, 3, GRAZE_BAD_SHAPE, -1);
  check_refused(points, 4, 1, GRAZE_BAD_SHAPE, -1);
  check_refused(points, 4, 4, GRAZE_BAD_SHAPE, -1);
  check_refused(points, 4, 2, GRAZE_DIM_MISMATCH, 3);
  points[2].y = NAN;
  check_refused(points, 4, 3, GRAZE_BAD_NUMBER, 2);
  points[2].y = INFINITY;
  check_refused(points, 4, 3, GRAZE_BAD_NUMBER, 2);
  points[2].y = 1.0000001e40;
  check_refused(points, 4, 3, GRAZE_BAD_NUMBER, 2);
}

/* ---- Failing allocations. */

typedef struct miser {
  int left, alive;
} miser;

static void *miser_allocate(void *context, size_t size) {
  miser *m = context;
  if (m->left == 0) return NULL;
  m->left--;
  m->alive++;
  return malloc(size);
}

static void miser_release(void *context, void *memory) {
  miser *m = context;
  assert_non_null(memory);
  m->alive--;
  free(memory);
}

/* Fails the first allocation, the second, … until all succeed; returns how many there were. */
static int check_misers(const graze_vec *points, size_t count, int dim) {
  for (int n = 0;; n++) {
    miser m = {n, 0};
    graze_allocator allocator = {miser_allocate, miser_release, &m};
    graze_convex_hull hull, before;
    memset(&hull, 0x5a, sizeof hull);
    before = hull;
    graze_error error;
    graze_status status = graze_hull_create(points, count, dim, &allocator, &hull, &error);
    if (status == GRAZE_OK) {
      assert_int_equal(m.alive, 1);
      const char *fault = hull_fault(points, count, &hull);
      if (fault) fail_msg("%s", fault);
      graze_hull_destroy(&hull);
      assert_int_equal(m.alive, 0);
      return n;
    }
    assert_int_equal(status, GRAZE_OUT_OF_MEMORY);
    assert_int_equal(error.status, GRAZE_OUT_OF_MEMORY);
    assert_int_equal(m.alive, 0);
    assert_memory_equal(&hull, &before, sizeof hull);
  }
}

TEST(test_allocations) {
  enum { COUNT = 300 };
  graze_vec points[COUNT];
  for (int i = 0; i < COUNT; i++) points[i] = (graze_vec){i, i * i, (double)i * i * i}; /* all of them extreme */
  int most = check_misers(points, COUNT, 3);
  assert_true(most > 10); /* lists grow several times */
  for (int i = 0; i < COUNT; i++) points[i].z = 0;
  assert_int_equal(check_misers(points, COUNT, 2), 2);
  assert_int_equal(check_misers(points, COUNT, 3), 2);
  assert_int_equal(check_misers(points, 2, 3), 1);
  assert_int_equal(check_misers(points, 1, 2), 1);
}

/* ---- The hull as a shape. */

TEST(test_shape) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
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

/* ---- What no machine at hand has memory for: more half-edges than int32_t can number. */

TEST(test_too_large) {
  miser m = {0, 0};
  graze_convex_hull hull = {.dim = 3, .allocator = {miser_allocate, miser_release, &m}};
  grz_hull_arrays arrays;
  size_t most = INT32_MAX;
  assert_int_equal(grz_hull_room(&hull, &arrays, 4, 4, most + 1, 6), GRAZE_BAD_SHAPE);
  assert_int_equal(grz_hull_room(&hull, &arrays, 4, 4, 12, most / 2 + 1), GRAZE_BAD_SHAPE);
  assert_int_equal(grz_hull_room(&hull, &arrays, 4, 4, 12, 6), GRAZE_OUT_OF_MEMORY);
  grz_solid s = {.allocator = hull.allocator};
  solid_list full = {NULL, INT32_MAX - 10, INT32_MAX};
  assert_true(grz_solid_reserve(&s, &full, sizeof(solid_edge), 10));
  assert_false(grz_solid_reserve(&s, &full, sizeof(solid_edge), 11));
  assert_int_equal(s.failure, GRAZE_BAD_SHAPE);
  assert_false(grz_solid_reserve(&s, &full, sizeof(solid_edge), 2 * (int64_t)INT32_MAX));
  assert_int_equal(s.failure, GRAZE_BAD_SHAPE);
  solid_list small = {NULL, 0, 0};
  assert_false(grz_solid_reserve(&s, &small, sizeof(solid_edge), 10));
  assert_int_equal(s.failure, GRAZE_OUT_OF_MEMORY);
}

/* Every direction has a cell, even what is none. */
TEST(test_cells) {
  static const double some[] = {0, -0.0, 1, -1, 5e-324, 1e308, INFINITY, -INFINITY, NAN};
  enum { SOME = sizeof some / sizeof *some };
  for (int i = 0; i < SOME * SOME * SOME; i++) {
    graze_vec d = {some[i % SOME], some[i / SOME % SOME], some[i / SOME / SOME]};
    for (int32_t rank = 1; rank < 100; rank += 7) {
      assert_true(grz_climb_cell(d, rank, 3) < grz_climb_cells(rank, 3));
      d.z = 0;
      assert_true(grz_climb_cell(d, rank, 2) < grz_climb_cells(rank, 2));
    }
  }
}
