/* Families for the algorithms that answer most pairs of boxes, polygons, half-spaces and balls: parallel and nearly
 * parallel edges, corners that are none, edges of a few units in the last place, ties, extreme units. */
#include "support/families.h"
#include "support/geometry.h"
#include "support/test.h"

double random_power(rng *random, double low, double high) { return pow(10, rng_uniform(random, low, high)); }

graze_pose pose_times(graze_pose p, graze_pose q) {
  return (graze_pose){p.position, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                      p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                      p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

/* ---- boxes: C has facets by the axes of A, of B, and by pairs of edges */

typedef enum extent { ORDINARY, CUBES, FLAT, NEEDLES, TINY, SUBNORMAL, HUGE_ } extent;

static double any_extent(rng *random, extent kind) {
  const double x = rng_uniform(random, 0.1, 2);
  switch (kind) {
  case CUBES: return rng_below(random, 4) ? x : 1;
  case FLAT: return rng_below(random, 3) ? x : 0;
  case NEEDLES: return rng_coin(random) ? 1e-6 * x : x;
  case TINY: return x * 1e-300;
  case SUBNORMAL: return x * 1e-312;
  case HUGE_: return x * 5e38;
  default: return x;
  }
}

static graze_shape any_box(rng *random, int dim, extent kind) {
  const double x = any_extent(random, kind), y = any_extent(random, kind), z = any_extent(random, kind);
  return dim == 2 ? graze_box2(x, y) : graze_box(x, y, z);
}

/* B moves from A's centre along `line`, by at most the extent of both boxes along it: nearly all pairs overlap. */
static void place_inside(rng *random, shape_pair *pair, graze_vec line) {
  const graze_placed a = graze_place(&pair->a, pair->pose_a), b = graze_place(&pair->b, pair->pose_b);
  const double length = norm(line), share = rng_below(random, 3) ? rng_uniform(random, 0, 0.8) : 0.8;
  graze_interval on_a, on_b;
  if (graze_project(&a, line, &on_a) != GRAZE_OK || graze_project(&b, line, &on_b) != GRAZE_OK) return;
  const double touching = (on_a.max - on_a.min + on_b.max - on_b.min) / 2 / length;
  pair->pose_b.position =
      add_scaled(pair->pose_a.position, rng_below(random, 10) ? share * touching / length : 0, line);
}

static void turned_boxes(rng *random, shape_pair *pair, int dim, extent kind, graze_pose relative) {
  pair->a = any_box(random, dim, kind), pair->b = any_box(random, dim, kind);
  pair->pose_a = random_pose(random, dim, 0);
  pair->pose_b = relative.w == 0 ? random_pose(random, dim, 0) : pose_times(pair->pose_a, relative);
  place_inside(random, pair, rng_vec(random, dim, 1));
}

/* By 1e-3 to 1e-17, about any axis or one of B's, half of them by a right angle besides. */
static void nearly_parallel_boxes(rng *random, shape_pair *pair) {
  const int about = rng_below(random, 6);
  graze_vec v = rng_vec(random, 3, random_power(random, -17, -3));
  if (about == 0) v.y = v.z = 0;
  if (about == 1) v.x = v.z = 0;
  if (about == 2) v.x = v.y = 0;
  const graze_pose right = {{0, 0, 0}, 1, 0, rng_below(random, 2), 0}, turn = {{0, 0, 0}, 1, v.x, v.y, v.z};
  turned_boxes(random, pair, 3, ORDINARY, rng_coin(random) ? pose_times(right, turn) : turn);
}

static void nearly_parallel_boxes_2d(rng *random, shape_pair *pair) {
  const graze_pose turn = {{0, 0, 0}, 1, 0, 0, rng_uniform(random, -1, 1) * random_power(random, -17, -3)};
  turned_boxes(random, pair, 2, ORDINARY, turn);
}

static void parallel_boxes(rng *random, shape_pair *pair) { turned_boxes(random, pair, 3, CUBES, identity); }

static void some_parallel(rng *random, shape_pair *pair, extent kind) {
  turned_boxes(random, pair, 3, kind, rng_below(random, 3) ? (graze_pose){.w = 0} : identity);
}

static void flat_boxes(rng *random, shape_pair *pair) { some_parallel(random, pair, FLAT); }
static void needle_boxes(rng *random, shape_pair *pair) { some_parallel(random, pair, NEEDLES); }
static void tiny_boxes(rng *random, shape_pair *pair) { some_parallel(random, pair, TINY); }
static void subnormal_boxes(rng *random, shape_pair *pair) { some_parallel(random, pair, SUBNORMAL); }
static void huge_boxes(rng *random, shape_pair *pair) { some_parallel(random, pair, HUGE_); }

/* Upright, turned and tilted by anything down to 1e-16; one nearly above the other. */
static void stacked_boxes(rng *random, shape_pair *pair) {
  graze_pose yaw = identity, tilt = identity;
  if (rng_below(random, 3)) yaw.z = random_power(random, -12, 0);
  tilt.x = rng_uniform(random, -1, 1) * random_power(random, -16, -3);
  tilt.y = rng_uniform(random, -1, 1) * random_power(random, -16, -3);
  pair->a = any_box(random, 3, ORDINARY), pair->b = any_box(random, 3, ORDINARY);
  pair->pose_a = rng_coin(random) ? identity : random_pose(random, 3, 0);
  pair->pose_b = pose_times(pose_times(pair->pose_a, yaw), tilt);
  const graze_placed a = graze_place(&pair->a, pair->pose_a);
  const graze_vec up = vec(a.hidden.rotation[2], a.hidden.rotation[5], a.hidden.rotation[8]);
  const double off = random_power(random, -3, 0);
  place_inside(random, pair, add_scaled(up, off, rng_vec(random, 3, 1)));
}

static void distant_boxes(rng *random, shape_pair *pair) {
  turned_boxes(random, pair, 3, ORDINARY, (graze_pose){.w = 0});
  move_pair(pair, rng_vec(random, 3, 1e8));
}

/* Equal, turned, flat, thin, tiny, huge, far from each other. */
static void odd_boxes(rng *random, shape_pair *pair) {
  static const double thin[] = {0, 1e-300, 1e-9, 1, 1e6}, scale[] = {1, 1e-300, 1e33};
  const double x = thin[rng_below(random, 5)], z = thin[rng_below(random, 5)];
  pair->a = graze_box(x, 1, z);
  pair->b = rng_below(random, 3) ? graze_box(1, thin[rng_below(random, 5)], 0.5) : pair->a;
  pair->pose_a = random_pose(random, 3, rng_below(random, 5) ? 1 : 1e6);
  pair->pose_b = rng_coin(random) ? pair->pose_a : random_pose(random, 3, 1);
  if (rng_below(random, 4) == 0) pair->pose_b.position.x += 0.25;
  scale_pair(pair, scale[rng_below(random, 3)]);
}

/* ---- polygons */

static void polygons(rng *random, shape_pair *pair, double spread) {
  pair->a = random_polygon(random, pair->vertices_a);
  pair->b = rng_below(random, 3) ? random_polygon(random, pair->vertices_b) : random_box(random, 2);
  pair->pose_a = random_pose(random, 2, spread), pair->pose_b = random_pose(random, 2, spread);
}

static void near_polygons(rng *random, shape_pair *pair) { polygons(random, pair, 1.5); }
static void deep_polygons(rng *random, shape_pair *pair) { polygons(random, pair, 0.5); }

/* Repeated corners, corners on edges, either order, many parallel edges. A list of less than three corners, which is
 * invalid, is drawn again. */
static void odd_polygons(rng *random, shape_pair *pair, double off) {
  do {
    pair->a = random_odd_polygon(random, pair->vertices_a), pair->b = random_odd_polygon(random, pair->vertices_b);
    pair->pose_a = random_pose(random, 2, 1.5);
    pair->pose_b = rng_coin(random) ? random_pose(random, 2, 1.5) : pair->pose_a;
    pair->pose_b.position.x += off;
  } while (graze_check(&pair->a, NULL, NULL) != GRAZE_OK || graze_check(&pair->b, NULL, NULL) != GRAZE_OK);
}

static void odd_lists(rng *random, shape_pair *pair) { odd_polygons(random, pair, 1.5); }
static void deep_odd_lists(rng *random, shape_pair *pair) { odd_polygons(random, pair, 0); }

static void few_corners(rng *random, shape_pair *pair, int most, double spread, double unit) {
  random_few_corners(random, rng_coin(random) ? 1e-9 : 1, most, pair);
  pair->pose_a = random_pose(random, 2, spread), pair->pose_b = random_pose(random, 2, spread);
  scale_pair(pair, unit);
}

static void few(rng *random, shape_pair *pair) { few_corners(random, pair, 5, 1, 1); }
static void few_tiny(rng *random, shape_pair *pair) { few_corners(random, pair, 5, 1, 0x1p-660); }
static void deep_few(rng *random, shape_pair *pair) {
  few_corners(random, pair, 2, 0.25, rng_below(random, 4) ? 1 : 0x1p-660);
}

/* A parabola with edges of 2^-50 beside edges of 1, at its end an edge of an ulp; and a needle or a box. The depth by
 * the normal of such an edge was off by 8e15 roundings. */
static void slow_bends(rng *random, shape_pair *pair) {
  int count = 0;
  const double least = ldexp(1, -2 * rng_between(random, 1, 27));
  for (double x = 1; x >= least && count < 30; x /= 4, count++) pair->vertices_a[count] = vec(x, x * x / 8, 0);
  for (double x = least; x <= 1 && count < 60; x *= 4, count++) pair->vertices_a[count] = vec(-x, x * x / 8, 0);
  pair->vertices_a[count++] = vec(-1 - 0x1p-52, 0.125 + 0x1p-54, 0);
  pair->a = graze_polygon(pair->vertices_a, (size_t)count);
  const double half = rng_uniform(random, 0, 1);
  pair->b = graze_box2(half, ldexp(1, -rng_between(random, 0, 40)));
  pair->pose_a = random_pose(random, 2, 0.25), pair->pose_b = random_pose(random, 2, 0.25);
  if (rng_coin(random)) pair->pose_b.w = pair->pose_a.w, pair->pose_b.z = pair->pose_a.z;
  if (rng_coin(random)) exchange_shapes(pair);
}

/* Whole numbers turned by whole numbers, half of the pairs by half a turn against each other: parallel sides. */
static graze_vec whole_vec(rng *random, int low, int high) {
  const double x = rng_between(random, low, high), y = rng_between(random, low, high);
  return vec(x, y, 0);
}

static void whole_poses(rng *random, shape_pair *pair) {
  for (int body = 0; body < 2; body++) {
    graze_pose *pose = body ? &pair->pose_b : &pair->pose_a;
    pose->position = whole_vec(random, -4, 4);
    pose->x = pose->y = 0;
    pose->w = rng_between(random, -4, 4), pose->z = rng_between(random, 1, 4);
  }
  const bool same = rng_coin(random);
  pair->pose_b.w = same ? pair->pose_a.w : -pair->pose_a.z, pair->pose_b.z = same ? pair->pose_a.z : pair->pose_a.w;
}

/* A side in two unequal parts, whose normals round differently, and along it a needle, a segment or a side. */
static void sides_in_parts(rng *random, shape_pair *pair) {
  const double x = rng_between(random, 1, 6), y = rng_between(random, 0, 5);
  const double whole = rng_between(random, 2, 10), part = rng_between(random, 1, 12);
  const double tip_x = rng_between(random, -2, 2), tip_y = rng_between(random, 1, 6);
  const graze_vec v[] = {{0, 0, 0}, {x, y, 0}, {whole * x, whole * y, 0}, {tip_x, tip_y, 0}};
  const graze_vec end = vec(part * x, part * y, 0), third = whole_vec(random, -3, 3);
  memcpy(pair->vertices_a, v, sizeof v);
  pair->a = graze_polygon(pair->vertices_a, 4);
  pair->b = rng_coin(random) ? graze_segment2(v[0], end) : graze_triangle2(v[0], end, third);
  whole_poses(random, pair);
}

/* One list begun at two corners, the second scaled. */
static void same_lists(rng *random, shape_pair *pair) {
  static const graze_vec list[] = {{0, 0, 0}, {4, 0, 0}, {6, 1, 0}, {7, 2, 0}, {8, 4, 0}, {8, 8, 0}, {0, 8, 0}};
  const int begin_a = rng_below(random, 7), begin_b = rng_below(random, 7), scale = rng_between(random, 1, 5);
  for (int i = 0; i < 7; i++) {
    pair->vertices_a[i] = list[(i + begin_a) % 7];
    pair->vertices_b[i] = scaled(scale, list[(i + begin_b) % 7]);
  }
  pair->a = graze_polygon(pair->vertices_a, 7), pair->b = graze_polygon(pair->vertices_b, 7);
  whole_poses(random, pair);
}

/* ---- half-spaces and balls */

/* Boxes flat on the ground, in poses that rounding leaves in doubt. */
static void flat_on_the_ground(rng *random, shape_pair *pair) {
  const int axis = rng_below(random, 3);
  pair->a = graze_halfspace(vec(axis == 0, axis == 1, axis == 2), rng_uniform(random, -1, 1));
  const double x = rng_uniform(random, 0.1, 1), y = rng_uniform(random, 0.1, 1);
  pair->b = graze_box(x, y, 0.5);
  pair->pose_a = pair->pose_b = random_pose(random, 3, 1);
}

/* The lowest two of the vertices are 1 to 1000 units of 2^-53 apart in height: a filter without error bounds would
 * name the wrong one. */
static void nearly_as_deep(rng *random, shape_pair *pair) {
  const double off = ldexp(rng_between(random, 1, 1000), -53), low = -0.5 + (rng_coin(random) ? off : -off);
  const graze_vec v[] = {{-1, 0.25, -0.5}, {1, -0.125, low}, {0, 0, 1}, {0, 1, 0.75}};
  memcpy(pair->vertices_a, v, sizeof v);
  pair->a = graze_hull_points(pair->vertices_a, 4);
  pair->b = graze_halfspace(vec(0, 0, 1), rng_uniform(random, -1, 0));
  pair->pose_a = pair->pose_b = random_pose(random, 3, 0.25);
}

/* Two balls whose gap is 0 but for up to 60 units in the last place, in units of 2^-40 to 2^40. */
static void balls(rng *random, shape_pair *pair) {
  const double scale = ldexp(1, rng_between(random, -40, 40)), first = scale * rng_uniform(random, 0, 1);
  const double second = scale * rng_uniform(random, 0, 1);
  const double margin = rng_coin(random) ? scale * rng_uniform(random, 0, 1) : 0;
  const int dim = rng_below(random, 3) ? 3 : 2;
  const graze_vec d = rng_vec(random, dim, 1);
  const double center_distance = (first + second + margin) * (1 + rng_between(random, -60, 60) * 0x1p-53) / norm(d);
  pair->a = graze_with_margin(dim == 3 ? graze_sphere(first) : graze_circle(first), margin);
  pair->b = dim == 3 ? graze_sphere(second) : graze_circle(second);
  pair->pose_a = pair->pose_b = identity;
  pair->pose_b.position = scaled(center_distance, d);
}

static void any_kind(rng *random, shape_pair *pair) {
  random_pair(random, rng_between(random, 2, 3), 1.5, pair);
  hulls_of_polygons(pair);
  if (rng_below(random, 5) == 0) scale_pair(pair, ldexp(1, rng_between(random, -200, 100)));
}

/* ---- closed forms: points and segments, spheres and capsules; a point or sphere and a box */

double random_coordinate(rng *random, bool lattice, double half) {
  return lattice ? rng_between(random, -4, 4) / 4.0 * half : rng_uniform(random, -half, half);
}

graze_vec random_coordinates(rng *random, bool lattice, int dim) {
  const double x = random_coordinate(random, lattice, 1), y = random_coordinate(random, lattice, 1);
  return vec(x, y, dim == 2 ? 0 : random_coordinate(random, lattice, 1));
}

/* Kind 0: a point, 1: a segment, 2: a sphere, 3: a capsule, 4: a box. Some have no length. */
static graze_shape simple_shape(rng *random, bool lattice, int dim, int kind) {
  const double r = fabs(random_coordinate(random, lattice, 1)), h = fabs(random_coordinate(random, lattice, 1));
  graze_shape shape = dim == 2 ? graze_point2() : graze_point();
  const graze_vec from = random_coordinates(random, lattice, dim);
  const graze_vec to = rng_below(random, 8) ? random_coordinates(random, lattice, dim) : from;
  switch (kind) {
  case 1: shape = dim == 2 ? graze_segment2(from, to) : graze_segment(from, to); break;
  case 2: shape = dim == 2 ? graze_circle(r) : graze_sphere(r); break;
  case 3: shape = dim == 2 ? graze_capsule2(r, h) : graze_capsule(r, h); break;
  case 4: shape = dim == 2 ? graze_box2(r, h) : graze_box(r, h, fabs(from.x)); break;
  default: break;
  }
  return rng_coin(random) ? shape : graze_with_margin(shape, fabs(random_coordinate(random, lattice, 0.5)));
}

static void place_simple(rng *random, shape_pair *pair, bool lattice) {
  const int dim = pair->a.dim;
  pair->pose_a = random_pose(random, dim, lattice ? 0 : 1.5), pair->pose_b = random_pose(random, dim, 1.5);
  if (lattice) { /* one pose for both directions: parallel segments, exact contacts */
    if (rng_coin(random)) pair->pose_a = identity;
    pair->pose_b = pair->pose_a;
    pair->pose_b.position = random_coordinates(random, true, dim);
  }
  if (rng_coin(random)) exchange_shapes(pair);
}

static void simple_pair(rng *random, shape_pair *pair, bool lattice) {
  const int dim = 2 + rng_below(random, 2);
  pair->a = simple_shape(random, lattice, dim, rng_below(random, 4));
  const bool point = pair->a.kind == GRAZE_POINT || pair->a.kind == GRAZE_SPHERE;
  pair->b = simple_shape(random, lattice, dim, rng_below(random, point ? 5 : 4));
  place_simple(random, pair, lattice);
}

static void simple_random(rng *random, shape_pair *pair) { simple_pair(random, pair, false); }
static void simple_lattice(rng *random, shape_pair *pair) { simple_pair(random, pair, true); }

static void simple_triangle_pair(rng *random, shape_pair *pair, bool lattice) {
  pair->a = simple_shape(random, lattice, 3, rng_below(random, 4));
  pair->b = graze_triangle(random_coordinates(random, lattice, 3), random_coordinates(random, lattice, 3),
                           random_coordinates(random, lattice, 3));
  if (rng_below(random, 4) == 0) pair->b = graze_with_margin(pair->b, fabs(random_coordinate(random, lattice, 0.5)));
  place_simple(random, pair, lattice);
}

static void simple_triangle(rng *random, shape_pair *pair) {
  simple_triangle_pair(random, pair, false);
  pair->pose_b.position = add_scaled(pair->pose_a.position, 0.3, sub(pair->pose_b.position, pair->pose_a.position));
}

static void simple_triangle_lattice(rng *random, shape_pair *pair) { simple_triangle_pair(random, pair, true); }

/* Nearly parallel, or nearly touching, by 1e-17 to 1e-3. */
static void simple_disturb(rng *random, shape_pair *pair) {
  const int dim = pair->a.dim;
  const double by = random_power(random, -17, -3);
  if (rng_coin(random)) pair->pose_b.position = add(pair->pose_b.position, rng_vec(random, dim, by));
  pair->pose_b.w += rng_uniform(random, -by, by), pair->pose_b.z += rng_uniform(random, -by, by);
  if (dim == 3) pair->pose_b.x += rng_uniform(random, -by, by);
}

static void simple_near(rng *random, shape_pair *pair) {
  simple_pair(random, pair, true);
  simple_disturb(random, pair);
}

static void simple_triangle_near(rng *random, shape_pair *pair) {
  simple_triangle_pair(random, pair, true);
  simple_disturb(random, pair);
}

/* ---- the line of centres: polytopes without a closed form or axes */

static graze_shape few_vertices(rng *random, int kind) {
  const double r = rng_uniform(random, 0, 1), h = rng_uniform(random, 0, 1);
  const graze_vec from = rng_vec(random, 3, 1), to = rng_vec(random, 3, 1);
  switch (kind) {
  case 0: return graze_box(r, h, fabs(from.x));
  case 1: return graze_triangle(from, to, rng_vec(random, 3, 1));
  case 2: return graze_segment(from, to);
  default: return graze_capsule(r, h);
  }
}

/* Along the line of centres the gap is 0 but for up to 60 units in the last place, or up to a third of the extent. */
static void centres_nearly_touch(rng *random, shape_pair *pair) {
  const graze_vec d = rng_vec(random, 3, 1);
  const double share = rng_coin(random) ? rng_between(random, -60, 60) * 0x1p-53 : rng_uniform(random, -0.3, 0.3);
  const int kind = rng_below(random, 2);
  pair->a = few_vertices(random, kind), pair->b = few_vertices(random, rng_between(random, 1 + kind, 3));
  if (rng_coin(random)) pair->a = graze_with_margin(pair->a, rng_uniform(random, 0, 1));
  pair->pose_a = random_pose(random, 3, 0), pair->pose_b = random_pose(random, 3, 0);
  const graze_placed a = graze_place(&pair->a, pair->pose_a), b = graze_place(&pair->b, pair->pose_b);
  graze_interval on_a, on_b;
  if (graze_project(&a, d, &on_a) != GRAZE_OK || graze_project(&b, d, &on_b) != GRAZE_OK) return;
  pair->pose_b.position = scaled((on_a.max - on_b.min) / dot(d, d) * (1 + share), d);
  if (rng_coin(random)) exchange_shapes(pair);
}

const family families_paths[] = {
    {"boxes, nearly parallel", nearly_parallel_boxes, 60, 90, 5},
    {"boxes, nearly parallel, 2D", nearly_parallel_boxes_2d, 70, 95, 20},
    {"boxes, parallel", parallel_boxes, 60, 90, 3},
    {"boxes, stacked", stacked_boxes, 90, 100, 5},
    {"boxes, flat", flat_boxes, 40, 75, 40},
    {"boxes, needles", needle_boxes, 25, 60, 10},
    {"boxes, tiny", tiny_boxes, 80, 100, 5},
    {"boxes, subnormal", subnormal_boxes, 80, 100, 100},
    {"boxes, huge", huge_boxes, 80, 100, 5},
    {"boxes, 1e8 away", distant_boxes, 80, 100, 5},
    {"boxes, odd", odd_boxes, 20, 80, 100},
    {"polygons, near", near_polygons, 10, 35, 2},
    {"polygons, deep", deep_polygons, 60, 95, 2},
    {"odd lists", odd_lists, 10, 75, 5},
    {"odd lists, deep", deep_odd_lists, 40, 95, 8},
    {"few corners", few, 10, 75, 10},
    {"few corners, tiny", few_tiny, 10, 75, 10},
    {"few corners, deep", deep_few, 30, 95, 10},
    {"slow bends", slow_bends, 30, 100, 20},
    {"sides in parts", sides_in_parts, 5, 35, 10},
    {"same lists", same_lists, 40, 80, 12},
    {"flat on the ground", flat_on_the_ground, 20, 80, 100},
    {"nearly as deep", nearly_as_deep, 20, 80, 60},
    {"balls that nearly touch", balls, 35, 65, 100},
    {"any kind, any unit", any_kind, 20, 70, 10},
    {"closed forms", simple_random, 20, 70, 10},
    {"closed forms, lattice", simple_lattice, 20, 70, 60},
    {"closed forms, near", simple_near, 20, 70, 60},
    {"line of centres, near", centres_nearly_touch, 5, 60, 10},
    {"closed forms, triangles", simple_triangle, 20, 70, 10},
    {"closed forms, triangles, lattice", simple_triangle_lattice, 20, 80, 60},
    {"closed forms, triangles, near", simple_triangle_near, 20, 80, 60},
};
const int families_paths_count = (int)COUNT(families_paths);
