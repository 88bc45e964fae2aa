/* Convex hulls, checked in exact integers by hull_truth.h: sets on which other libraries failed, and random sets. The
 * random sets have lattices, coplanar and equal points, needles, sizes of 2^-1000 and 1e40, large offsets, mixed
 * magnitudes, and up to 1,000,000 points in the soak tier. Also the hull as a shape. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "geometry/hull_truth.h"

static const uint64_t seed_of = 0x243f6a8885a308d3u; /* each family adds its number */
static rng state;

static int below(int count) { return rng_below(&state, count); }
static double uniform(void) { return rng_uniform(&state, -1, 1); }
static double whole(int limit) { return rng_between(&state, -limit, limit); }
static graze_vec in_cube(void) { return rng_vec(&state, 3, 1); }

static graze_hull make_hull(const graze_vec *points, int n, int dim, const char *name) {
  graze_hull hull;
  graze_error error;
  assert_int_equal(graze_hull_create(points, (size_t)n, dim, NULL, &hull, &error), GRAZE_OK);
  assert_int_equal(error.status, GRAZE_OK);
  const char *fault = hull_fault(points, (size_t)n, &hull);
  if (fault) fail_msg("%s, %d points in %dD: %s", name, n, dim, fault);
  return hull;
}

/* ---- Known sets. */

TEST(sets_that_other_libraries_fail_on) {
  static const struct {
    const char *name;
    int dim, count;
    double at[18];
  } cases[] = {
      {"dimforge/parry issue 49: some 1e-23 large",
       3,
       4,
       {2.3624029e-23, 1.3771984e-23, 2.2062083e-24, 1.3807439e-23, 1.8596945e-23, -1.784406e-24, 1.4174896e-23,
        -3.200329e-24, 4.664615e-24, 1.3685897e-23, 4.6402988e-24, 2.2509113e-24}},
      {"brian3kb/graham_scan_js issue 8: an inner point of four was kept",
       2,
       4,
       {223.25, 30.0, 214.66796875, 53.6015625, 213.79296875, 38.6015625, 211.41796875, 29.2265625}},
      {"dimforge/parry convex_hull3: three points",
       2,
       3,
       {4.723880767822266, 3.5972330570220947, 3.3333630561828613, 3.4299910068511963, 3.1372148990631104,
        2.812263011932373}},
      {"jrouwe/JoltPhysics ConvexHullBuilderTest: within half a millimetre",
       3,
       4,
       {1, 2, 3, 1.0005, 2, 3, 1, 2.0005, 3, 1, 2, 3.0005}},
      {"dimforge/parry initial_mesh: all in one plane",
       3,
       5,
       {103.05023956298828, 303.4497375488281, 106.125, 103.2169189453125, 303.4497375488281, 106.12501525878906,
        104.1653823852539, 303.4497375488281, 106.125, 106.55024719238281, 303.4497375488281, 106.125,
        106.55043029785156, 303.4497375488281, 106.125}},
      {"an octahedron as large as coordinates may be",
       3,
       6,
       {1e40, 0, 0, -1e40, 0, 0, 0, 1e40, 0, 0, -1e40, 0, 0, 0, 1e40, 0, 0, -1e40}},
      {"a needle of 1e20 by 1e-20", 3, 4, {1e20, 0, 0, -1e20, 0, 0, 0, 1e-20, 0, 0, 0, 1e-20}},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    graze_vec points[6];
    const int dim = cases[i].dim;
    for (int k = 0; k < cases[i].count; k++) {
      const double *at = &cases[i].at[dim * k];
      points[k] = vec(at[0], at[1], dim == 3 ? at[2] : 0);
    }
    graze_hull hull = make_hull(points, cases[i].count, dim, cases[i].name);
    graze_hull_destroy(&hull);
    assert_null(hull.vertices);
    graze_hull_destroy(&hull);
  }
}

/* ---- Families. */

enum { CUBE, LATTICE, SPHERE, CUBE_FACES, SLAB, RIMS, CURVE, NEEDLE, FLAT, TINY, HUGE_ONES, OFFSET, MIXED };
enum { ROUNDED_PLANE = MIXED + 1, EXACT_PLANE, LINE, EQUAL, GRID, FAMILIES };
enum { BOWL = FAMILIES, CYLINDER, SPINDLE, LONG_LINE, LARGE_PLANE }; /* large sets only */

static const struct family {
  const char *name;
  int solid_low, solid_high; /* percentage of the sets of more than 8 points that span space */
  int merged_low;            /* least percentage of the solids with a face of more than 3 corners */
} families[FAMILIES] = {
    [CUBE] = {"cube", 100, 100, 0},
    [LATTICE] = {"lattice", 95, 100, 75},
    [SPHERE] = {"sphere", 100, 100, 0},
    [CUBE_FACES] = {"cube faces", 98, 100, 80},
    [SLAB] = {"slab", 90, 100, 25},
    [RIMS] = {"rims", 90, 100, 55},
    [CURVE] = {"curve", 100, 100, 0},
    [NEEDLE] = {"needle", 85, 100, 0},
    [FLAT] = {"flat", 100, 100, 0},
    [TINY] = {"tiny", 95, 100, 45},
    [HUGE_ONES] = {"huge", 98, 100, 30},
    [OFFSET] = {"offset", 95, 100, 75},
    [MIXED] = {"mixed", 98, 100, 0},
    [ROUNDED_PLANE] = {"rounded plane", 98, 100, 0},
    [EXACT_PLANE] = {"exact plane", 0, 0, 0},
    [LINE] = {"line", 0, 0, 0},
    [EQUAL] = {"equal", 0, 0, 0},
    [GRID] = {"grid", 90, 100, 90},
};

/* Point i of n. `shape` is one random number for the whole set. */
static graze_vec point_of(int family, int i, int n, int shape) {
  const double angle = 6.283185307179586 * i / n, sign = i & 1 ? 1 : -1;
  graze_vec v = {0, 0, 0};
  double t = 0, u, w;
  int side = 2;
  switch (family) {
  case CUBE: return in_cube();
  case LATTICE: t = 1 + shape % 4; return vec(whole((int)t), whole((int)t), whole((int)t));
  case SPHERE: v = in_cube(); return scaled(1 / (norm(v) + 1e-300), v);
  case CUBE_FACES:
    t = below(2) ? 1 : -1, u = shape & 1 ? uniform() : whole(4) / 4, w = shape & 1 ? uniform() : whole(4) / 4;
    return i % 3 == 0 ? vec(t, u, w) : i % 3 == 1 ? vec(u, t, w) : vec(u, w, t);
  case SLAB: /* most points on one slanted plane, the others next to it */
    u = whole(9), w = whole(9);
    return vec(u, w, 3 * u - 2 * w + (i % (2 + shape % 9) ? 0 : whole(2)));
  case RIMS: /* two polygons with one corner per point: a prism; or one polygon with two tips */
    t = (i >> 1) - n / 4;
    return vec(t, t * t, shape % 3 == 2 ? 7 * (i == 0) : shape % 3 == 1 && i >= 2 ? 0 : 5 * sign);
  case CURVE: t = i - shape % 7; return vec(t, t * t, t * t * t); /* all extreme, and an edge between any two */
  case NEEDLE:
    v = in_cube(), t = ldexp(1, shape & 1 ? -10 * (1 + shape % 90) : -1 - shape % 50);
    if (shape & 1) return vec(v.x, v.y * t, v.z * t);
    return vec(v.x + v.y * t, v.x * 0.5 + v.z * t, v.x * 0.25 - v.y * t);
  case FLAT: v = in_cube(), v.z *= 1e-6; return v;
  case TINY:
    t = shape % 3 == 0 ? 0x1p-1074 : shape % 3 == 1 ? 0x1p-1000 : 0x1p-1020;
    return scaled(t, point_of(shape & 1 ? LATTICE : CUBE, i, n, shape));
  case HUGE_ONES: return scaled(1e40, point_of(shape & 1 ? CUBE_FACES : CUBE, i, n, shape));
  case OFFSET: t = ldexp(1, 40 + shape % 13); return add(vec(t, -t, 3 * t), point_of(LATTICE, i, n, shape));
  case MIXED:
    v = rng_magnitude_vec(&state, 3, shape & 1 ? -1074 : -80, shape & 1 ? 131 : 80);
    if (below(3) == 0) v.x = 0;
    if (below(3) == 0) v.y = below(2);
    return v;
  case ROUNDED_PLANE: u = uniform(), w = uniform(); return vec(u, w, u * 0.3 + w * 0.7 + 0.1);
  case EXACT_PLANE:
    u = whole(6), w = whole(6);
    return shape % 4 == 0   ? vec(u, w, 7)
           : shape % 4 == 1 ? vec(u, 7, w)
           : shape % 4 == 2 ? vec(7, u, w)
                            : vec(u + w, u - w, 5 * u + 3);
  case LINE: t = shape & 1 ? whole(1 << 20) : whole(5); return vec(2 * t, 1 - t, 3 * t + 5);
  case EQUAL: return vec(0.1, 0.2, below(2) ? 0.0 : -0.0);
  case GRID:
    while (side * side * side < n) side++;
    return vec(i % side, i / side % side, (double)(i / side / side));
  case BOWL: /* a circle, a tip above, points below: their conflict lists move to a cone of very high degree */
    if (i == 0) return vec(0, 0, 1);
    if (i % (n / 50) > 0) return vec(cos(angle), sin(angle), 0);
    u = uniform() * 0.6, w = uniform() * 0.6;
    return vec(u, w, (u * u + w * w - 1) / 2);
  case CYLINDER: return vec(cos(angle), sin(angle), sign);
  case SPINDLE: return i < 2 ? vec(0, 0, sign) : vec(cos(angle), sin(angle), 0);
  case LONG_LINE: t = whole(1 << 29); return vec(3 * t + 1, 5 * t, 2 - 7 * t);
  default: u = whole(1 << 29), w = whole(1 << 29); return vec(u, w, 3 * u - 2 * w + 5);
  }
}

/* Points of a family in a random order, some of them twice; z is 0 in 2D. */
static graze_vec *make_points(int family, int n, int dim) {
  graze_vec *points = malloc((size_t)n * sizeof *points);
  assert_non_null(points);
  const int shape = below(1 << 20) | (n > 1000);
  for (int i = 0; i < n; i++) {
    points[i] = point_of(family, i, n, shape);
    if (dim == 2) points[i].z = 0;
  }
  for (int i = n - 1; i > 0; i--) {
    int j = below(i + 1);
    graze_vec t = points[i];
    points[i] = points[j], points[j] = t;
  }
  for (int i = 0; n > 6 && i < n / 8; i++) points[below(n)] = points[below(n)];
  return points;
}

static bool has_merged(const graze_hull *hull) {
  for (size_t f = 0; f < hull->face_count; f++)
    if (hull->face_start[f + 1] - hull->face_start[f] > 3) return true;
  return false;
}

static void check_shape(const graze_hull *hull) {
  const graze_shape shape = graze_hull_shape(hull);
  const bool polygon = hull->dim == 2 && hull->affine_dim == 2 && hull->vertex_count < 1024;
  assert_int_equal(shape.kind, polygon ? GRAZE_POLYGON : GRAZE_HULL);
  assert_true(shape.dim == hull->dim && shape.as.hull.vertices == hull->vertices);
  assert_true(shape.as.hull.count == hull->vertex_count);
  assert_int_equal(graze_check(&shape, NULL, NULL), GRAZE_OK);
  if (polygon) return;
  assert_ptr_equal(shape.as.hull.adjacency.start, hull->adjacency.start);
  assert_ptr_equal(shape.as.hull.adjacency.neighbor, hull->adjacency.neighbor);
}

TEST(random_sets) {
  for (int k = 0; k < FAMILIES; k++) {
    const struct family *f = &families[k];
    int solids = 0, merged = 0, large = 0;
    state = seed_of + (uint64_t)k;
    for (int i = 0; i < tiered(500, 1000, 20000); i++) {
      int n = 1 + below(i % 10 == 0 ? 160 : 40), dim = i % 4 == 3 ? 2 : 3;
      graze_vec *points = make_points(k, n, dim);
      graze_hull hull = make_hull(points, n, dim, f->name);
      check_shape(&hull);
      large += n > 8 && dim == 3;
      solids += n > 8 && hull.affine_dim == 3;
      merged += n > 8 && hull.affine_dim == 3 && has_merged(&hull);
      graze_hull_destroy(&hull);
      free(points);
    }
    int share = 100 * solids / large;
    if (share < f->solid_low || share > f->solid_high || 100 * merged < f->merged_low * solids)
      fail_msg("%s: %d %% of %d are solids, %d of these have merged faces", f->name, share, large, merged);
  }
}

TEST(large_sets) {
  static const struct {
    const char *name;
    int family;
    int affine_dim;
  } large[] = {{"bowl", BOWL, 3},       {"sphere", SPHERE, 3},   {"cube faces", CUBE_FACES, 3},
               {"grid", GRID, 3},       {"flat cloud", FLAT, 3}, {"cylinder", CYLINDER, 3},
               {"spindle", SPINDLE, 3}, {"line", LONG_LINE, 1},  {"plane", LARGE_PLANE, 2},
               {"equal", EQUAL, 0}};
  const int n = tiered(20000, 40000, 1000000);
  for (size_t k = 0; k < COUNT(large); k++) {
    state = seed_of + 300 + k;
    graze_vec *points = make_points(large[k].family, n, 3);
    graze_hull hull = make_hull(points, n, 3, large[k].name);
    assert_int_equal(hull.affine_dim, large[k].affine_dim);
    graze_hull_destroy(&hull);
    free(points);
  }
}

/* ---- The check detects planted errors. */

static void check_detects(const graze_vec *points, int n, const graze_hull *hull) {
  const size_t corner_count = (size_t)hull->face_start[hull->face_count];
  for (int what = 0; what < 9; what++) {
    graze_hull wrong = *hull;
    graze_vec vertices[200];
    size_t indices[200];
    int32_t corners[2000], neighbors[2000];
    memcpy(vertices, hull->vertices, hull->vertex_count * sizeof *vertices);
    memcpy(indices, hull->indices, hull->vertex_count * sizeof *indices);
    memcpy(corners, hull->face_vertices, corner_count * sizeof *corners);
    memcpy(neighbors, hull->adjacency.neighbor, corner_count * sizeof *neighbors);
    wrong.vertices = vertices, wrong.indices = indices, wrong.face_vertices = corners;
    wrong.adjacency.neighbor = neighbors;
    if (what == 0) vertices[3].x += 0x1p-30;
    if (what == 1) indices[2] = indices[3];
    if (what == 2) corners[0] = corners[1];
    if (what == 3) corners[0] = hull->face_vertices[1], corners[1] = hull->face_vertices[0];
    if (what == 4) wrong.face_count--;
    if (what == 5) wrong.volume *= 1 + 1e-11;
    if (what == 6) wrong.area *= 1 - 1e-11;
    if (what == 7) neighbors[0] = neighbors[1];
    if (what == 8) wrong.affine_dim = 2;
    if (!hull_fault(points, (size_t)n, &wrong)) fail_msg("planted error %d is not detected", what);
  }
}

TEST(check_detects_errors) {
  enum { POINTS = 150 };
  for (int k = 0; k < 5; k++) {
    state = seed_of + 400 + (uint64_t)k;
    graze_vec *points = make_points(k, POINTS, 3), others[POINTS];
    graze_hull hull = make_hull(points, POINTS, 3, families[k].name);
    check_detects(points, POINTS, &hull);
    /* The hull of all points but an extreme one is convex, but does not contain that one. */
    const size_t removed = hull.indices[hull.vertex_count / 2];
    for (int i = 0; i < POINTS; i++)
      others[i] = same_vec(points[i], points[removed]) ? points[hull.indices[hull.indices[0] == removed]] : points[i];
    graze_hull less = make_hull(others, POINTS, 3, families[k].name);
    assert_non_null(hull_fault(points, POINTS, &less));
    graze_hull_destroy(&hull), graze_hull_destroy(&less);
    free(points);
  }
}

/* From 1024 vertices on, a hull in 2D keeps the adjacency for hill climbing. */
TEST(large_polygons_keep_their_adjacency) {
  enum { SMALL = 1023, LARGE = 1024 };
  static graze_vec points[LARGE];
  const double turn = 2 * acos(-1);
  for (int count = SMALL; count <= LARGE; count++) {
    for (int i = 0; i < count; i++) points[i] = vec(cos(turn * i / count), sin(turn * i / count), 0);
    graze_hull hull = make_hull(points, count, 2, "on a circle");
    const graze_shape shape = graze_hull_shape(&hull);
    assert_int_equal(hull.vertex_count, count);
    assert_int_equal(shape.kind, count == SMALL ? GRAZE_POLYGON : GRAZE_HULL);
    if (count == LARGE) assert_non_null(shape.as.hull.adjacency.start);
    graze_hull_destroy(&hull);
  }
}

/* The support function of a hull with adjacency starts at a vertex from a table of directions. Every direction has an
 * entry, and the result is the best vertex. Seed 7. */
TEST(support_in_all_directions) {
  static const double some[] = {0, -0.0, 1, -1, 5e-324, -1e40, 1e-200, 3, 0x1.1p100};
  enum { SOME = COUNT(some), POINTS = 400 };
  state = 7;
  for (int dim = 2; dim <= 3; dim++)
    for (int count = dim + 1; count <= POINTS; count += count < 20 ? 1 : 76) {
      graze_vec points[POINTS];
      for (int i = 0; i < count; i++) {
        const graze_vec v = rng_vec(&state, dim, 1);
        points[i] = scaled(1 / norm(v), v);
      }
      graze_hull hull = make_hull(points, count, dim, "on a sphere");
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
