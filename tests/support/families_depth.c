/* Families that overlap, nearly all: every way to be deep. */
#include "support/families.h"
#include "support/geometry.h"
#include "support/test.h"
#include "support/shapes.h"

static double any_extent(rng *random) { return rng_uniform(random, 0.1, 1); }

static graze_shape any_solid(rng *random, graze_vec *vertices) {
  return random_hull(random, 3, rng_between(random, 4, 40), vertices);
}

/* B about A. */
static void into(rng *random, shape_pair *pair, double spread_b) { place_near(random, pair, 5, spread_b); }

static void solids(rng *random, shape_pair *pair) {
  pair->a = any_solid(random, pair->vertices_a);
  pair->b = any_solid(random, pair->vertices_b);
  into(random, pair, 0.7);
}

static void deep_boxes(rng *random, shape_pair *pair) {
  pair->a = random_box(random, 3);
  pair->b = random_box(random, 3);
  into(random, pair, 0.5);
}

static void boxes_and_solids(rng *random, shape_pair *pair) {
  pair->a = random_box(random, 3);
  pair->b = any_solid(random, pair->vertices_b);
  into(random, pair, 0.6);
}

/* Cores without an inside in a solid, some of them rounded: what is deep is the solid. */
static void thin_in_solids(rng *random, shape_pair *pair) {
  graze_vec p = rng_vec(random, 3, 0.6), q = rng_vec(random, 3, 0.6), r = rng_vec(random, 3, 0.6);
  int kind = rng_below(random, 4);
  const double radius = any_extent(random), half_length = any_extent(random);
  pair->a = kind == 0   ? graze_triangle(p, q, r)
            : kind == 1 ? graze_segment(p, q)
            : kind == 2 ? graze_point()
                        : graze_capsule(radius, half_length);
  if (kind < 3 && rng_coin(random)) pair->a = graze_with_margin(pair->a, rng_uniform(random, 0, 0.3));
  pair->b = rng_coin(random) ? any_solid(random, pair->vertices_b) : random_box(random, 3);
  into(random, pair, 0.3);
}

static void rounded(rng *random, shape_pair *pair) {
  pair->a = random_box(random, 3);
  pair->a = graze_with_margin(pair->a, rng_uniform(random, 0, 0.5));
  pair->b = rng_below(random, 3) ? random_box(random, 3) : any_solid(random, pair->vertices_b);
  if (rng_coin(random)) pair->b = graze_with_margin(pair->b, ldexp(1, -rng_between(random, 1, 50)));
  into(random, pair, 0.6);
}

/* Triangles, rectangles and boxes that pierce each other: C has an inside, though no core has. */
static void crossing_sheets(rng *random, shape_pair *pair) {
  graze_vec p = {-1, any_extent(random) - 0.5, 0}, q = {1, any_extent(random) - 0.5, 0}, r = {0, any_extent(random), 0};
  pair->a = rng_coin(random) ? graze_triangle(p, q, r) : graze_box(1, any_extent(random), 0);
  pair->b = rng_coin(random) ? graze_triangle(r, p, q) : graze_box(0, any_extent(random), 1);
  if (rng_below(random, 4) == 0) pair->b = graze_segment((graze_vec){0.1, 0.1, -1}, (graze_vec){0, 0, 1});
  into(random, pair, 0.2);
}

/* A small body anywhere in a large one. */
static void containment(rng *random, shape_pair *pair) {
  int dim = rng_coin(random) ? 2 : 3;
  double factor = ldexp(1, rng_between(random, 3, 20));
  pair->a = rng_coin(random) ? random_hull(random, dim, 40, pair->vertices_a) : random_box(random, dim);
  pair->b = random_hull(random, dim, rng_between(random, 1, 12), pair->vertices_b);
  for (size_t i = 0; i < points_of(&pair->b); i++) {
    graze_vec *v = &pair->vertices_b[i];
    *v = (graze_vec){v->x / factor, v->y / factor, v->z / factor};
  }
  into(random, pair, 0.2);
}

/* One centre, generic orientations: bodies that are symmetric about it have at least two equal ways out. */
static void concentric(rng *random, shape_pair *pair) {
  int dim = rng_coin(random) ? 2 : 3;
  pair->a = random_box(random, dim);
  pair->b = rng_coin(random) ? random_box(random, dim) : pair->a;
  into(random, pair, 0);
  if (rng_coin(random)) return;
  graze_vec position = pair->pose_b.position;
  pair->pose_b = pair->pose_a;
  pair->pose_b.position = position;
}

/* The same solid twice: each direction of least depth has an equal one on the opposite side. */
static void coincident_solids(rng *random, shape_pair *pair) {
  int count = rng_between(random, 4, 40);
  pair->a = random_hull(random, 3, count, pair->vertices_a);
  for (int i = 0; i < count; i++) pair->vertices_b[i] = pair->vertices_a[i];
  pair->b = graze_hull_points(pair->vertices_b, (size_t)count);
  into(random, pair, 0);
  pair->pose_b = pair->pose_a;
  if (rng_coin(random)) pair->pose_b.position.x = nextafter(pair->pose_b.position.x, 9);
}

/* Cubes, octahedra and simplices: up to 8 equal ways out, or all but equal. */
static graze_shape regular(rng *random, graze_vec *v) {
  static const graze_vec simplex[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  static const graze_vec octahedron[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const int kind = rng_below(random, 3);
  memcpy(v, kind == 1 ? simplex : octahedron, kind == 1 ? sizeof simplex : sizeof octahedron);
  return kind == 0 ? graze_box(1, 1, 1) : graze_hull_points(v, kind == 1 ? 4 : 6);
}

static void symmetric(rng *random, shape_pair *pair) {
  pair->a = regular(random, pair->vertices_a);
  pair->b = regular(random, pair->vertices_b);
  into(random, pair, 0);
  if (rng_coin(random)) pair->pose_b = pair->pose_a;
  if (rng_coin(random)) pair->pose_b.position.z += ldexp(1, -rng_between(random, 1, 60));
}

/* A hull of 64 vertices against a prism: faces of all sizes, some nearly coplanar. */
static void large_hulls(rng *random, shape_pair *pair) {
  pair->a = random_hull(random, 3, PAIR_VERTICES, pair->vertices_a);
  for (int i = 0; i < 20; i++) {
    graze_vec v = rng_vec(random, 2, 1);
    double length = sqrt(v.x * v.x + v.y * v.y);
    if (length == 0) length = v.x = 1;
    pair->vertices_b[2 * i] = (graze_vec){v.x / length, v.y / length, 0.5};
    pair->vertices_b[2 * i + 1] = (graze_vec){v.x / length, v.y / length, -0.5};
  }
  pair->b = graze_hull_points(pair->vertices_b, 40);
  into(random, pair, 0.6);
}

static void deep_polygons(rng *random, shape_pair *pair) {
  pair->a = random_polygon(random, pair->vertices_a);
  pair->b = rng_coin(random) ? random_polygon(random, pair->vertices_b) : random_box(random, 2);
  if (rng_below(random, 4) == 0) pair->b = graze_with_margin(pair->b, any_extent(random));
  into(random, pair, 0.4);
}

static void deep_kinds_2d(rng *random, shape_pair *pair) { random_pair(random, 2, 0.3, pair); }

static void deep_kinds_3d(rng *random, shape_pair *pair) { random_pair(random, 3, 0.2, pair); }

const family families_depth[] = {
    {"hulls of 4 to 40", solids, 85, 100, 3},
    {"boxes", deep_boxes, 90, 100, 3},
    {"boxes and hulls", boxes_and_solids, 88, 100, 3},
    {"flat, lines, points in solids", thin_in_solids, 80, 100, 3},
    {"rounded boxes and hulls", rounded, 90, 100, 3},
    {"crossing sheets", crossing_sheets, 64, 85, 3},
    {"small in large", containment, 88, 100, 3},
    {"concentric boxes", concentric, 90, 100, 100},
    {"the same solid twice", coincident_solids, 90, 100, 70},
    {"cubes, octahedra, simplices", symmetric, 90, 100, 55},
    {"64 vertices and prisms", large_hulls, 90, 100, 3},
    {"polygons", deep_polygons, 85, 100, 3},
    {"all kinds 2D", deep_kinds_2d, 78, 99, 3},
    {"all kinds 3D", deep_kinds_3d, 75, 95, 3},
};
const int families_depth_count = (int)COUNT(families_depth);
