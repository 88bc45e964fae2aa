/* Convex hulls of random points against whole numbers (hull_truth.h): lattices, many coplanar and equal points,
 * needles, sizes of 2^-1000 and 1e40, far offsets, mixed magnitudes, all orders, large sets (1,000,000 points in the
 * soak tier). Each family starts from the seed in `seed_of` and its own number. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "build/hull_truth.h"

static const uint64_t seed_of = 0x243f6a8885a308d3u;
static rng state;

static int below(int count) { return rng_below(&state, count); }
static double uniform(void) { return rng_uniform(&state, -1, 1); }
static double whole(int most) { return rng_between(&state, -most, most); }
static double magnitude(int low, int high) { return rng_magnitude(&state, low, high); }

/* ---- Families: a point at a time, of n; `shape` was drawn once for the whole set. */

static int shape;

static graze_vec cube_point(int i, int n) {
  (void)i, (void)n;
  return vec(uniform(), uniform(), uniform());
}

static graze_vec lattice_point(int i, int n) {
  (void)i, (void)n;
  int most = 1 + shape % 4;
  return vec(whole(most), whole(most), whole(most));
}

static graze_vec sphere_point(int i, int n) {
  graze_vec v = cube_point(i, n);
  double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z) + 1e-300;
  return vec(v.x / length, v.y / length, v.z / length);
}

static graze_vec cube_face_point(int i, int n) {
  (void)n;
  double side = below(2) ? 1 : -1, u = shape & 1 ? uniform() : whole(4) / 4, v = shape & 1 ? uniform() : whole(4) / 4;
  return i % 3 == 0 ? vec(side, u, v) : i % 3 == 1 ? vec(u, side, v) : vec(u, v, side);
}

/* Most points on one slanted plane, the others beside it. */
static graze_vec slab_point(int i, int n) {
  (void)n;
  double x = whole(9), y = whole(9), beside = i % (2 + shape % 9) ? 0 : whole(2);
  return vec(x, y, 3 * x - 2 * y + beside);
}

/* Two polygons of many corners, a prism; or one with two tips. */
static graze_vec rim_point(int i, int n) {
  int k = (i >> 1) - n / 4;
  graze_vec v = {k, (double)k * k, i & 1 ? 5 : -5};
  if (shape % 3 == 1) v.z = i % n < 2 ? v.z : 0;
  if (shape % 3 == 2) v.z = i == 0 ? 7 : 0;
  return v;
}

/* On the curve (t, t², t³): every point extreme, every two joined. */
static graze_vec curve_point(int i, int n) {
  (void)n;
  double t = i - shape % 7;
  return vec(t, t * t, t * t * t);
}

static graze_vec needle_point(int i, int n) {
  graze_vec v = cube_point(i, n);
  double thin = ldexp(1, shape & 1 ? -10 * (1 + shape % 90) : -1 - shape % 50);
  if (shape & 1) return vec(v.x, v.y * thin, v.z * thin);
  return vec(v.x + v.y * thin, v.x * 0.5 + v.z * thin, v.x * 0.25 - v.y * thin);
}

static graze_vec flat_point(int i, int n) {
  graze_vec v = cube_point(i, n);
  v.z *= 1e-6;
  return v;
}

static graze_vec tiny_point(int i, int n) {
  graze_vec v = shape & 1 ? lattice_point(i, n) : cube_point(i, n);
  double unit = shape % 3 == 0 ? 0x1p-1074 : shape % 3 == 1 ? 0x1p-1000 : 0x1p-1020;
  return vec(v.x * unit, v.y * unit, v.z * unit);
}

static graze_vec huge_point(int i, int n) {
  graze_vec v = shape & 1 ? cube_face_point(i, n) : cube_point(i, n);
  return vec(v.x * 1e40, v.y * 1e40, v.z * 1e40);
}

static graze_vec far_point(int i, int n) {
  graze_vec v = lattice_point(i, n);
  double far = ldexp(1, 40 + shape % 13);
  return vec(v.x + far, v.y - far, v.z + 3 * far);
}

static graze_vec mixed_point(int i, int n) {
  (void)i, (void)n;
  int low = shape & 1 ? -1074 : -80, high = shape & 1 ? 131 : 80;
  graze_vec v = {magnitude(low, high), magnitude(low, high), magnitude(low, high)};
  if (below(3) == 0) v.x = 0;
  if (below(3) == 0) v.y = below(2) ? 1 : 0;
  return v;
}

/* On a slanted plane, as nearly as doubles can: off it by an ulp or so. */
static graze_vec rounded_plane_point(int i, int n) {
  (void)i, (void)n;
  double u = uniform(), v = uniform();
  return vec(u, v, u * 0.3 + v * 0.7 + 0.1);
}

static graze_vec exact_plane_point(int i, int n) {
  (void)i, (void)n;
  double u = whole(6), v = whole(6);
  return shape % 4 == 0   ? vec(u, v, 7)
         : shape % 4 == 1 ? vec(u, 7, v)
         : shape % 4 == 2 ? vec(7, u, v)
                          : vec(u + v, u - v, 5 * u + 3);
}

static graze_vec line_point(int i, int n) {
  (void)i, (void)n;
  double t = shape & 1 ? whole(1 << 20) : whole(5);
  return vec(2 * t, 1 - t, 3 * t + 5);
}

static graze_vec equal_point(int i, int n) {
  (void)i, (void)n;
  return vec(0.1, 0.2, below(2) ? 0.0 : -0.0);
}

static graze_vec grid_point(int i, int n) {
  int side = 2;
  while (side * side * side < n) side++;
  return vec(i % side, i / side % side, (double)(i / side / side));
}

typedef struct family {
  const char *name;
  graze_vec (*point)(int i, int n);
  int solid_low, solid_high; /* per cent of the sets of more than 8 points that span space */
  int merged_low;            /* per cent of the solids that have a face with more than 3 corners, at least */
} family;

static const family families[] = {
    {"cube", cube_point, 100, 100, 0},
    {"lattice", lattice_point, 95, 100, 75},
    {"sphere", sphere_point, 100, 100, 0},
    {"cube faces", cube_face_point, 98, 100, 80},
    {"slab", slab_point, 90, 100, 25},
    {"rims", rim_point, 90, 100, 55},
    {"curve", curve_point, 100, 100, 0},
    {"needle", needle_point, 85, 100, 0},
    {"flat", flat_point, 100, 100, 0},
    {"tiny", tiny_point, 95, 100, 45},
    {"huge", huge_point, 98, 100, 30},
    {"far", far_point, 95, 100, 75},
    {"mixed", mixed_point, 98, 100, 0},
    {"rounded plane", rounded_plane_point, 98, 100, 0},
    {"exact plane", exact_plane_point, 0, 0, 0},
    {"line", line_point, 0, 0, 0},
    {"equal", equal_point, 0, 0, 0},
    {"grid", grid_point, 90, 100, 90},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* Points of a family in a random order, some of them twice; in 2D without z. */
static graze_vec *make_points(const family *f, int n, int dim) {
  graze_vec *points = malloc((size_t)n * sizeof *points);
  assert_non_null(points);
  shape = below(1 << 20);
  for (int i = 0; i < n; i++) {
    points[i] = f->point(i, n);
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

static graze_convex_hull make_hull(const graze_vec *points, int n, int dim) {
  graze_convex_hull hull;
  assert_int_equal(graze_hull_create(points, (size_t)n, dim, NULL, &hull, NULL), GRAZE_OK);
  return hull;
}

static bool has_merged(const graze_convex_hull *hull) {
  for (size_t f = 0; f < hull->face_count; f++) {
    if (hull->face_start[f + 1] - hull->face_start[f] > 3) return true;
  }
  return false;
}

TEST(random_sets) {
  int sets = tiered(500, 1000, 20000);
  for (int k = 0; k < FAMILIES; k++) {
    const family *f = &families[k];
    int solids = 0, merged = 0, large = 0;
    state = seed_of + (uint64_t)k;
    for (int i = 0; i < sets; i++) {
      int n = 1 + below(i % 10 == 0 ? 160 : 40), dim = i % 4 == 3 ? 2 : 3;
      graze_vec *points = make_points(f, n, dim);
      graze_convex_hull hull = make_hull(points, n, dim);
      const char *fault = hull_fault(points, (size_t)n, &hull);
      if (fault) fail_msg("%s, set %d, %d points in %dD: %s", f->name, i, n, dim, fault);
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

/* The same bits again; and the same solid, whatever the order of the points. */
TEST(order_does_not_matter) {
  for (int k = 0; k < FAMILIES; k++) {
    state = seed_of + 200 + (uint64_t)k;
    graze_vec *points = make_points(&families[k], 60, 3);
    graze_convex_hull first = make_hull(points, 60, 3), again = make_hull(points, 60, 3);
    assert_int_equal(first.vertex_count, again.vertex_count);
    assert_int_equal(first.face_count, again.face_count);
    assert_memory_equal(first.indices, again.indices, first.vertex_count * sizeof *first.indices);
    if (first.face_count > 0) {
      assert_memory_equal(first.face_vertices, again.face_vertices,
                          (size_t)first.face_start[first.face_count] * sizeof(int32_t));
    }
    assert_memory_equal(first.adjacency.neighbor, again.adjacency.neighbor,
                        (size_t)first.adjacency.start[first.vertex_count] * sizeof(int32_t));
    graze_hull_destroy(&again);
    for (int i = 0; i < 30; i++) {
      graze_vec t = points[i];
      points[i] = points[59 - i], points[59 - i] = t;
    }
    again = make_hull(points, 60, 3);
    assert_int_equal(first.affine_dim, again.affine_dim);
    assert_int_equal(first.vertex_count, again.vertex_count);
    assert_int_equal(first.face_count, again.face_count);
    if (fabs(first.area - again.area) > 1e-12 * first.area || fabs(first.volume - again.volume) > 1e-12 * first.volume)
      fail_msg("%s: another order gives another size", families[k].name);
    graze_hull_destroy(&first), graze_hull_destroy(&again);
    free(points);
  }
}

/* ---- Large sets. */

static graze_vec large_line_point(int i, int n) {
  (void)i, (void)n;
  double t = whole(1 << 29);
  return vec(3 * t + 1, 5 * t, 2 - 7 * t);
}

static graze_vec large_plane_point(int i, int n) {
  (void)i, (void)n;
  double u = whole(1 << 29), v = whole(1 << 29);
  return vec(u, v, 3 * u - 2 * v + 5);
}

static graze_vec large_face_point(int i, int n) {
  shape |= 1;
  return cube_face_point(i, n);
}

static graze_vec cylinder_point(int i, int n) {
  double angle = 6.283185307179586 * i / n;
  return vec(cos(angle), sin(angle), i & 1 ? 1 : -1);
}

static graze_vec spindle_point(int i, int n) {
  graze_vec v = cylinder_point(i, n);
  v.z = 0;
  return i < 2 ? vec(0, 0, i ? 1 : -1) : v;
}

/* A rim, a tip above, and a few points on a bowl below: when the first of these joins, the others wait for one of as
 * many faces as the rim has corners by then. */
static graze_vec bowl_point(int i, int n) {
  if (i == 0) return vec(0, 0, 1);
  if (i % (n / 50) > 0) {
    graze_vec v = cylinder_point(i, n);
    v.z = 0;
    return v;
  }
  graze_vec v = {uniform() * 0.6, uniform() * 0.6, 0};
  v.z = (v.x * v.x + v.y * v.y - 1) / 2;
  return v;
}

static const family large[] = {
    {"bowl", bowl_point, 0, 0, 0},       {"sphere", sphere_point, 0, 0, 0},   {"cube faces", large_face_point, 0, 0, 0},
    {"grid", grid_point, 0, 0, 0},       {"flat cloud", flat_point, 0, 0, 0}, {"cylinder", cylinder_point, 0, 0, 0},
    {"spindle", spindle_point, 0, 0, 0}, {"line", large_line_point, 0, 0, 0}, {"plane", large_plane_point, 0, 0, 0},
    {"equal", equal_point, 0, 0, 0},
};

TEST(large_sets) {
  int n = tiered(20000, 40000, 1000000);
  for (size_t k = 0; k < COUNT(large); k++) {
    state = seed_of + 300 + k;
    graze_vec *points = make_points(&large[k], n, 3);
    graze_convex_hull hull = make_hull(points, n, 3);
    const char *fault = hull_fault(points, (size_t)n, &hull);
    if (fault) fail_msg("%s of %d points: %s", large[k].name, n, fault);
    assert_int_equal(hull.affine_dim, k < 7 ? 3 : k == 7 ? 1 : k == 8 ? 2 : 0);
    graze_hull_destroy(&hull);
    free(points);
  }
}

/* ---- The check finds planted errors. */

enum { PLANTED = 9 };

/* A right hull with one thing made wrong. Its arrays are the caller's copies. */
static void spoil(graze_convex_hull *hull, int what, graze_vec *vertices, size_t *indices, int32_t *corners,
                  int32_t *neighbors) {
  switch (what) {
  case 0: vertices[3].x += 0x1p-30; break;
  case 1: indices[2] = indices[3]; break;
  case 2: corners[0] = corners[1]; break;
  case 3: {
    int32_t t = corners[0];
    corners[0] = corners[1], corners[1] = t;
    break;
  }
  case 4: hull->face_count--; break;
  case 5: hull->volume *= 1 + 1e-11; break;
  case 6: hull->area *= 1 - 1e-11; break;
  case 7: neighbors[0] = neighbors[1]; break;
  default: hull->affine_dim = 2;
  }
}

static void check_finds(const graze_vec *points, int n, const graze_convex_hull *hull) {
  size_t corner_count = (size_t)hull->face_start[hull->face_count];
  for (int what = 0; what < PLANTED; what++) {
    graze_convex_hull wrong = *hull;
    graze_vec vertices[200];
    size_t indices[200];
    int32_t corners[2000], neighbors[2000];
    memcpy(vertices, hull->vertices, hull->vertex_count * sizeof *vertices);
    memcpy(indices, hull->indices, hull->vertex_count * sizeof *indices);
    memcpy(corners, hull->face_vertices, corner_count * sizeof *corners);
    memcpy(neighbors, hull->adjacency.neighbor, corner_count * sizeof *neighbors);
    wrong.vertices = vertices, wrong.indices = indices, wrong.face_vertices = corners;
    wrong.adjacency.neighbor = neighbors;
    spoil(&wrong, what, vertices, indices, corners, neighbors);
    if (!hull_fault(points, (size_t)n, &wrong)) fail_msg("planted error %d is not found", what);
  }
}

TEST(check_finds_errors) {
  for (int k = 0; k < 5; k++) {
    state = seed_of + 400 + (uint64_t)k;
    graze_vec *points = make_points(&families[k], 150, 3);
    graze_convex_hull hull = make_hull(points, 150, 3);
    assert_int_equal(hull.affine_dim, 3);
    assert_null(hull_fault(points, 150, &hull));
    check_finds(points, 150, &hull);
    /* The hull of all points but an extreme one is convex, but does not hold that one. */
    size_t gone = hull.indices[hull.vertex_count / 2];
    graze_vec away = points[gone], *others = malloc(150 * sizeof *others);
    assert_non_null(others);
    for (int i = 0; i < 150; i++)
      others[i] = points[i].x == away.x && points[i].y == away.y && points[i].z == away.z
                      ? points[hull.indices[0] != gone ? hull.indices[0] : hull.indices[1]]
                      : points[i];
    graze_convex_hull less = make_hull(others, 150, 3);
    assert_non_null(hull_fault(points, 150, &less));
    graze_hull_destroy(&hull), graze_hull_destroy(&less);
    free(points), free(others);
  }
}
