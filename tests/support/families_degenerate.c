/* The degenerate families. Coordinates on small dyadic lattices make exact contacts; "common" families then place both
 * bodies by one generic pose, so that the contact stays exact while no number is nice any more. */
#include "support/families.h"
#include "support/geometry.h"
#include "support/shapes.h"
#include "support/test.h"

/* A point of the lattice with the given spacing, at most `most` steps out. */
static graze_vec lattice(rng *random, int dim, int most, double spacing) {
  const double x = rng_between(random, -most, most), y = rng_between(random, -most, most);
  return scaled(spacing, vec(x, y, dim == 3 ? rng_between(random, -most, most) : 0));
}

static graze_vec lattice_extents(rng *random, int least, int most) {
  const double x = rng_between(random, least, most), y = rng_between(random, least, most);
  return scaled(0.25, vec(x, y, rng_between(random, least, most)));
}

static graze_shape box_by(int dim, graze_vec e) { return box_of(dim, e.x, e.y, e.z); }

static void common_pose(rng *random, shape_pair *pair) {
  pair->pose_a = pair->pose_b = random_pose(random, pair->a.dim, 3);
}

static void still_poses(shape_pair *pair) { pair->pose_a = pair->pose_b = identity; }

/* ---- lattices */

static void lattice_boxes(rng *random, shape_pair *pair, int dim) {
  pair->a = box_by(dim, lattice_extents(random, 1, 4));
  pair->b = box_by(dim, lattice_extents(random, 1, 4));
  still_poses(pair);
  pair->pose_a.position = lattice(random, dim, 5, 0.25);
  pair->pose_b.position = lattice(random, dim, 5, 0.25);
}

static void lattice_boxes_3d(rng *random, shape_pair *pair) { lattice_boxes(random, pair, 3); }
static void lattice_boxes_2d(rng *random, shape_pair *pair) { lattice_boxes(random, pair, 2); }

static void common_boxes(rng *random, shape_pair *pair, int dim) {
  pair->a = box_by(dim, lattice_extents(random, 1, 4));
  const graze_vec half = lattice_extents(random, 1, 4);
  pair->b = box_hull(dim, half, lattice(random, dim, 7, 0.25), pair->vertices_b);
  common_pose(random, pair);
}

static void common_boxes_3d(rng *random, shape_pair *pair) { common_boxes(random, pair, 3); }
static void common_boxes_2d(rng *random, shape_pair *pair) { common_boxes(random, pair, 2); }

static void lattice_hulls(rng *random, shape_pair *pair, int dim) {
  int na = rng_between(random, dim + 1, 12), nb = rng_between(random, 1, 12);
  for (int i = 0; i < na; i++) pair->vertices_a[i] = lattice(random, dim, 2, 0.5);
  graze_vec shift = lattice(random, dim, 2, 0.5);
  for (int i = 0; i < nb; i++) pair->vertices_b[i] = add(shift, lattice(random, dim, 2, 0.5));
  pair->a = hull_of(dim, pair->vertices_a, na);
  pair->b = hull_of(dim, pair->vertices_b, nb);
  still_poses(pair);
  if (rng_coin(random)) common_pose(random, pair);
}

static void lattice_hulls_3d(rng *random, shape_pair *pair) { lattice_hulls(random, pair, 3); }
static void lattice_hulls_2d(rng *random, shape_pair *pair) { lattice_hulls(random, pair, 2); }

/* Box corners turned by small integer quaternions of any length: half turns, quarter turns, third turns, 3-4-5 … */
static void integer_turns(rng *random, shape_pair *pair) {
  lattice_boxes(random, pair, 3);
  for (int body = 0; body < 2; body++) {
    graze_pose *pose = body ? &pair->pose_b : &pair->pose_a;
    do {
      pose->w = rng_between(random, -2, 2), pose->x = rng_between(random, -2, 2);
      pose->y = rng_between(random, -2, 2), pose->z = rng_between(random, -2, 2);
    } while (pose->w == 0 && pose->x == 0 && pose->y == 0 && pose->z == 0);
  }
}

/* ---- shared features: generic coordinates, bitwise the same in both bodies */

/* A hull of the first `count` points at v and `more` random ones about `around`, on the side of `sign` along u (0: on
 * any side). */
static graze_shape hull_beside(rng *random, int dim, graze_vec *v, int count, int more, graze_vec around, graze_vec u,
                               int sign) {
  for (int i = 0; i < more; i++) {
    graze_vec off;
    do off = rng_vec(random, u.z == 0 ? 2 : 3, 1);
    while (sign != 0 && dot(off, u) * sign <= 0);
    v[count++] = add(around, off);
  }
  return hull_of(dim, v, count);
}

static graze_vec across(graze_vec p, graze_vec q) {
  const graze_vec u = cross(p, q);
  return norm(u) > 0 ? scaled(1 / norm(u), u) : vec(0, 0, 1);
}

/* Both hulls hold the same `shared` vertices; the rest lies on two sides of them, or (one in four) anywhere. */
static void shared_feature(rng *random, shape_pair *pair, int dim, int shared) {
  graze_vec v[3];
  for (int i = 0; i < 3; i++) v[i] = pair->vertices_a[i] = pair->vertices_b[i] = rng_vec(random, dim, 1);
  const graze_vec e = sub(v[1], v[0]), f = sub(v[2], v[0]);
  graze_vec u = rng_vec(random, dim, 1);
  if (shared == 2) u = dim == 2 ? vec(-e.y, e.x, 0) : across(e, u);
  if (dim == 3 && shared == 3) u = across(e, f);
  const int side = rng_below(random, 4) ? 1 : 0;
  pair->a = hull_beside(random, dim, pair->vertices_a, shared, rng_between(random, 1, 6), v[0], u, side);
  pair->b = hull_beside(random, dim, pair->vertices_b, shared, rng_between(random, 1, 6), v[0], u, -side);
  common_pose(random, pair);
}

static void shared_face(rng *random, shape_pair *pair) { shared_feature(random, pair, 3, 3); }
static void shared_edge(rng *random, shape_pair *pair) { shared_feature(random, pair, 3, 2); }
static void shared_vertex(rng *random, shape_pair *pair) { shared_feature(random, pair, 3, 1); }
static void shared_edge_2d(rng *random, shape_pair *pair) { shared_feature(random, pair, 2, 2); }
static void shared_vertex_2d(rng *random, shape_pair *pair) { shared_feature(random, pair, 2, 1); }

/* Two edges that cross in one dyadic point, each body on its own side. */
static void crossing_edges(rng *random, shape_pair *pair) {
  const graze_vec p = lattice(random, 3, 8, 0.125), d = lattice(random, 3, 8, 0.125), e = lattice(random, 3, 8, 0.125);
  const graze_vec u = across(d, e);
  pair->vertices_a[0] = add(p, d), pair->vertices_a[1] = add_scaled(p, -rng_between(random, 1, 3), d);
  pair->vertices_b[0] = add(p, e), pair->vertices_b[1] = add_scaled(p, -rng_between(random, 1, 3), e);
  pair->a = hull_beside(random, 3, pair->vertices_a, 2, rng_between(random, 0, 4), p, u, 1);
  pair->b = hull_beside(random, 3, pair->vertices_b, 2, rng_between(random, 0, 4), p, u, -1);
  common_pose(random, pair);
}

/* A vertex of B at a dyadic convex combination of a lattice triangle of A. */
static void vertex_on_face(rng *random, shape_pair *pair) {
  graze_vec *v = pair->vertices_a;
  for (int i = 0; i < 3; i++) v[i] = lattice(random, 3, 16, 0.0625);
  const int i = rng_between(random, 0, 8), j = rng_between(random, 0, 8 - i);
  const graze_vec e = sub(v[1], v[0]), f = sub(v[2], v[0]), u = across(e, f), first = v[0];
  pair->vertices_b[0] = add_scaled(add_scaled(first, i / 8.0, e), j / 8.0, f);
  pair->a = hull_beside(random, 3, pair->vertices_a, 3, rng_between(random, 1, 4), first, u, 1);
  pair->b = hull_beside(random, 3, pair->vertices_b, 1, rng_between(random, 1, 5), pair->vertices_b[0], u, -1);
  common_pose(random, pair);
}

/* ---- one ulp */

static double nudged(rng *random, double x) {
  const int k = rng_below(random, 3);
  return k == 2 ? x : nextafter(x, k == 0 ? (double)INFINITY : -(double)INFINITY);
}

/* Axis-aligned boxes in exact touch, or one ulp off it. */
static void ulp_boxes(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  graze_vec e = lattice_extents(random, 1, 4), f = lattice_extents(random, 1, 4);
  pair->a = box_by(dim, e);
  pair->b = box_by(dim, f);
  still_poses(pair);
  pair->pose_b.position = lattice(random, dim, 3, 0.25);
  pair->pose_b.position.x = e.x + f.x;
  if (rng_coin(random)) pair->pose_b.position.y = e.y + f.y;
  pair->pose_b.position.x = nudged(random, pair->pose_b.position.x);
  pair->pose_b.position.y = nudged(random, pair->pose_b.position.y);
}

/* Shared features with one coordinate of one shared vertex moved by an ulp. */
static void ulp_features(rng *random, shape_pair *pair) {
  shared_feature(random, pair, 3, rng_between(random, 1, 3));
  graze_vec *v = &pair->vertices_b[0];
  double *c = rng_coin(random) ? &v->x : rng_coin(random) ? &v->y : &v->z;
  *c = nudged(random, *c);
}

/* A common pose, and one position off by an ulp. */
static void ulp_positions(rng *random, shape_pair *pair) {
  common_boxes(random, pair, rng_coin(random) ? 2 : 3);
  pair->pose_b.position.x = nudged(random, pair->pose_b.position.x);
  pair->pose_b.position.y = nudged(random, pair->pose_b.position.y);
}

/* ---- repeated and flat */

static void duplicates(rng *random, shape_pair *pair) {
  shared_feature(random, pair, 3, rng_between(random, 1, 3));
  int na = (int)points_of(&pair->a), nb = (int)points_of(&pair->b);
  for (int i = na; i < 20; i++) pair->vertices_a[i] = pair->vertices_a[rng_below(random, na)];
  for (int i = nb; i < 20; i++) pair->vertices_b[i] = pair->vertices_b[rng_below(random, nb)];
  pair->a = hull_of(3, pair->vertices_a, 20);
  pair->b = hull_of(3, pair->vertices_b, rng_between(random, nb, 20));
}

/* Points p + i·d + j·e on a lattice plane (e = 0: a line). */
static graze_shape sheet(rng *random, int dim, graze_vec *vertices, graze_vec p, graze_vec d, graze_vec e) {
  int count = rng_between(random, 2, 10);
  for (int k = 0; k < count; k++) {
    const int steps_d = rng_between(random, -2, 2), steps_e = rng_between(random, -2, 2);
    vertices[k] = add(p, add(scaled(steps_d, d), scaled(steps_e, e)));
  }
  return hull_of(dim, vertices, count);
}

static void collinear(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3), kind = rng_below(random, 3);
  const graze_vec none = {0, 0, 0}, p = lattice(random, dim, 2, 0.25), d = lattice(random, dim, 2, 0.25);
  pair->a = sheet(random, dim, pair->vertices_a, p, d, none);
  const graze_vec q = add(p, lattice(random, dim, 1, 0.25)), e = lattice(random, dim, 2, 0.25);
  pair->b = kind == 2 ? box_by(dim, lattice_extents(random, 1, 4))
                      : sheet(random, dim, pair->vertices_b, kind == 0 ? p : q, kind == 0 ? d : e, none);
  common_pose(random, pair);
}

static void coplanar(rng *random, shape_pair *pair) {
  const graze_vec p = lattice(random, 3, 2, 0.25), d = lattice(random, 3, 2, 0.25), e = lattice(random, 3, 2, 0.25);
  const graze_vec other = lattice(random, 3, 2, 0.25);
  const int kind = rng_below(random, 3);
  pair->a = sheet(random, 3, pair->vertices_a, p, d, e);
  pair->b = kind == 2 ? box_by(3, lattice_extents(random, 1, 4))
                      : sheet(random, 3, pair->vertices_b, kind == 0 ? add(p, d) : p, kind == 0 ? d : other, e);
  common_pose(random, pair);
}

static void flat_boxes(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  pair->a = box_by(dim, lattice_extents(random, 0, 2));
  pair->b = box_by(dim, lattice_extents(random, 0, 2));
  still_poses(pair);
  pair->pose_b.position = lattice(random, dim, 3, 0.25);
  if (rng_coin(random)) pair->pose_a = random_pose(random, dim, 1);
  if (rng_coin(random)) {
    graze_vec position = pair->pose_a.position;
    pair->pose_b = pair->pose_a;
    pair->pose_b.position = rng_coin(random) ? position : add(position, lattice(random, dim, 1, 0.25));
  }
}

/* ---- nested */

static void contained(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  pair->a = random_hull(random, dim, rng_between(random, 8, 40), pair->vertices_a);
  pair->b = random_hull(random, dim, rng_between(random, dim + 1, 12), pair->vertices_b);
  for (size_t i = 0; i < points_of(&pair->b); i++) pair->vertices_b[i] = scaled(0.01, pair->vertices_b[i]);
  place_near(random, pair, 2, 0.1);
}

static void coincident(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  int count = rng_between(random, 1, 20);
  pair->a = random_hull(random, dim, count, pair->vertices_a);
  double factor = rng_coin(random) ? 1 : ldexp(1, rng_between(random, -3, 3));
  for (int i = 0; i < count; i++)
    pair->vertices_b[i] = scaled(rng_below(random, 4) ? factor : -factor, pair->vertices_a[i]);
  pair->b = hull_of(dim, pair->vertices_b, count);
  if (rng_coin(random)) {
    pair->a = box_by(dim, lattice_extents(random, 0, 4));
    pair->b = rng_coin(random) ? pair->a : box_by(dim, lattice_extents(random, 0, 4));
  }
  common_pose(random, pair);
  if (rng_below(random, 4) == 0) {
    pair->pose_b = random_pose(random, dim, 1);
    pair->pose_b.position = pair->pose_a.position;
  }
}

/* ---- magnitudes */

static void aspect(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  const double y = dim == 2 || rng_coin(random) ? 1e-6 : 1, z = y == 1 || rng_coin(random) ? 1e-6 : 1;
  pair->a = box_by(dim, vec(1, y, z));
  pair->b = random_hull(random, dim, rng_between(random, dim + 1, 12), pair->vertices_b);
  for (size_t i = 0; i < points_of(&pair->b); i++) pair->vertices_b[i].x *= z, pair->vertices_b[i].z *= y;
  pair->pose_a = random_pose(random, dim, 1), pair->pose_b = random_pose(random, dim, 0.3);
  graze_vec off = pair->pose_b.position;
  if (rng_coin(random)) { /* nearly parallel */
    off = scaled(1e-5, off);
    pair->pose_b = pair->pose_a;
    pair->pose_b.w = nudged(random, pair->pose_b.w);
  }
  pair->pose_b.position = add(off, pair->pose_a.position);
}

static void offset_1e9(rng *random, shape_pair *pair) {
  const family *base = &families_random[rng_below(random, families_random_count)];
  base->make(random, pair);
  move_pair(pair, rng_vec(random, pair->a.dim, 1e9));
}

static void any_pair(rng *random, shape_pair *pair) {
  static void (*const some[])(rng *, shape_pair *) = {common_boxes_3d, lattice_boxes_2d, shared_face, lattice_hulls_3d,
                                                      flat_boxes};
  int k = rng_below(random, 8);
  if (k < 5)
    some[k](random, pair);
  else
    families_random[rng_below(random, families_random_count)].make(random, pair);
}

static void scale_any(rng *random, shape_pair *pair, double factor) {
  any_pair(random, pair);
  hulls_of_polygons(pair);
  scale_pair(pair, factor);
}

/* By a power of two, which keeps every contact exact, or by a power of ten, which shifts each by an ulp. */
static void tiny(rng *random, shape_pair *pair) { scale_any(random, pair, rng_coin(random) ? 1e-30 : 0x1p-100); }
static void huge(rng *random, shape_pair *pair) { scale_any(random, pair, rng_coin(random) ? 1e30 : 0x1p100); }

/* Down where doubles have few bits left, or none to spare. */
static void subnormal(rng *random, shape_pair *pair) {
  scale_any(random, pair, ldexp(1, rng_between(random, -1068, -1010)));
}

/* Each body, and each axis of a hull, at a magnitude of its own between 1e-40 and 1e40. */
static double any_magnitude(rng *random) {
  static const double magnitude[] = {1e-40, 1e-20, 1e-10, 1e-3, 1, 1, 1, 1e5, 1e10, 1e20, 1e39};
  return magnitude[rng_below(random, (int)COUNT(magnitude))];
}

static void mixed_magnitudes(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  pair->a = random_hull(random, dim, rng_between(random, 1, 12), pair->vertices_a);
  pair->b = random_hull(random, dim, rng_between(random, 1, 12), pair->vertices_b);
  pair->pose_a = random_pose(random, dim, any_magnitude(random));
  pair->pose_b = rng_coin(random) ? pair->pose_a : random_pose(random, dim, any_magnitude(random));
  graze_vec sa = {any_magnitude(random), any_magnitude(random), any_magnitude(random)};
  double sb = any_magnitude(random);
  for (size_t i = 0; i < points_of(&pair->a); i++) {
    const graze_vec v = pair->vertices_a[i];
    pair->vertices_a[i] = vec(v.x * sa.x, v.y * sa.y, v.z * sa.z);
  }
  for (size_t i = 0; i < points_of(&pair->b); i++) pair->vertices_b[i] = scaled(sb, pair->vertices_b[i]);
}

static void scale_rotation(graze_pose *pose, double f) { pose->w *= f, pose->x *= f, pose->y *= f, pose->z *= f; }

static void long_quaternions(rng *random, shape_pair *pair) {
  static const double length[] = {1e-40, 1e-20, 1e-7, 3, 1e7, 1e20, 9e39};
  any_pair(random, pair);
  scale_rotation(&pair->pose_a, length[rng_below(random, 7)]);
  scale_rotation(&pair->pose_b, length[rng_below(random, 7)]);
}

/* ---- rounded shapes in exact touch: the gap of the cores is a whole multiple of a Pythagorean vector */

static graze_vec whole_gap(rng *random, int dim, double *length) {
  static const int quad[][4] = {{1, 2, 2, 3},  {2, 3, 6, 7},   {1, 4, 8, 9}, {4, 4, 7, 9},   {2, 6, 9, 11},
                                {6, 6, 7, 11}, {3, 4, 12, 13}, {0, 3, 4, 5}, {0, 5, 12, 13}, {0, 0, 1, 1}};
  static const int flat[][4] = {{3, 4, 0, 5}, {5, 12, 0, 13}, {8, 15, 0, 17}, {0, 1, 0, 1}};
  const double unit = ldexp(1, -rng_between(random, 2, 6));
  const int *q = dim == 3 ? quad[rng_below(random, 10)] : flat[rng_below(random, 4)];
  const int turn = dim == 3 ? rng_below(random, 3) : 0;
  double c[3];
  for (int k = 0; k < 3; k++) c[(k + turn) % 3] = q[k] * (rng_coin(random) ? unit : -unit);
  *length = q[3] * unit;
  return vec(c[0], c[1], c[2]);
}

static double grown(double gap, double by) { return gap > 0 ? gap + by : gap < 0 ? gap - by : 0; }

static graze_vec grown_vec(graze_vec gap, graze_vec e, graze_vec f) {
  return vec(grown(gap.x, e.x + f.x), grown(gap.y, e.y + f.y), grown(gap.z, e.z + f.z));
}

/* Two boxes, two balls, or a box and a ball, the gap between whose cores is the sum of the radii. */
static void rounded_touch(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  double length;
  const graze_vec gap = whole_gap(random, dim, &length), e = lattice_extents(random, 0, 3), none = {0, 0, 0};
  const graze_vec f = lattice_extents(random, 0, 3);
  const double part = length * rng_between(random, 0, 8) / 8;
  pair->a = graze_with_margin(box_by(dim, e), part);
  if (rng_coin(random)) {
    pair->b = graze_with_margin(box_hull(dim, f, grown_vec(gap, e, f), pair->vertices_b), length - part);
    common_pose(random, pair);
  } else {
    const bool balls = rng_coin(random);
    if (balls) pair->a = ball_of(dim, part);
    pair->b = ball_of(dim, length - part);
    still_poses(pair);
    pair->pose_b.position = balls ? gap : grown_vec(gap, e, none);
  }
  double *r = pair->b.kind == GRAZE_SPHERE ? &pair->b.as.sphere.radius : &pair->b.margin;
  if (rng_coin(random) && *r > 0) *r = nudged(random, *r);
}

/* Rounded shapes over shared features: the cores meet, touch or nearly so. */
static void rounded_shared(rng *random, shape_pair *pair) {
  any_pair(random, pair);
  if (rng_coin(random))
    pair->a = graze_with_margin(pair->a, rng_uniform(random, 0, 1e-3));
  else
    pair->b = graze_with_margin(pair->b, ldexp(1, -rng_between(random, 1, 60)));
}

/* Balls that dwarf their cores and what lies between them. */
static void large_radii(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  pair->a = random_shape(random, dim, pair->vertices_a);
  pair->b = random_shape(random, dim, pair->vertices_b);
  double r = rng_uniform(random, 1, 2);
  r = ldexp(r, rng_between(random, 3, 30));
  pair->a = graze_with_margin(pair->a, r);
  if (rng_coin(random)) pair->b = graze_with_margin(pair->b, ldexp(r, -rng_between(random, 0, 20)));
  pair->pose_a = random_pose(random, dim, 1);
  pair->pose_b = random_pose(random, dim, rng_coin(random) ? 4 : 2 * r);
}

/* ---- points, polygons, half-spaces */

static void points_and_boxes(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  pair->a = box_by(dim, lattice_extents(random, 0, 4));
  pair->pose_a = rng_coin(random) ? identity : random_pose(random, dim, 1);
  pair->pose_b = pair->pose_a;
  if (rng_coin(random)) {
    pair->vertices_b[0] = lattice(random, dim, 5, 0.25);
    pair->b = hull_of(dim, pair->vertices_b, 1);
  } else {
    pair->b = point_of(dim);
    pair->pose_b.position = add(pair->pose_b.position, lattice(random, dim, 4, 0.25));
  }
}

/* Convex polygons with the midpoints of edges and repeated vertices thrown in, on a lattice so that they touch. */
static void broken_polygons(rng *random, shape_pair *pair) {
  static const int outline[][12] = {
      {0, 0, 8, 0, 8, 8, 0, 8}, {0, 0, 8, 0, 0, 8}, {4, 0, 8, 4, 4, 8, 0, 4}, {0, 0, 8, 0, 12, 4, 12, 8, 4, 8, 0, 4}};
  static const int corners[] = {4, 3, 4, 6};
  for (int body = 0; body < 2; body++) {
    graze_vec *vertices = body ? pair->vertices_b : pair->vertices_a, shift = lattice(random, 2, 3, 1);
    int k = rng_below(random, 4), n = corners[k], count = 0;
    for (int i = 0; i < n; i++) {
      const int *p = &outline[k][2 * i], *q = &outline[k][2 * ((i + 1) % n)];
      for (int copies = rng_between(random, 1, 2); copies > 0; copies--)
        vertices[count++] = (graze_vec){p[0] * 0.25 + shift.x, p[1] * 0.25 + shift.y, 0};
      if (rng_coin(random))
        vertices[count++] = (graze_vec){(p[0] + q[0]) * 0.125 + shift.x, (p[1] + q[1]) * 0.125 + shift.y, 0};
    }
    *(body ? &pair->b : &pair->a) = graze_polygon(vertices, (size_t)count);
  }
  still_poses(pair);
  if (rng_coin(random)) common_pose(random, pair);
}

/* Lattice planes through lattice corners: n·v/|n| must be a double, so an axis plane; and planes in any place. */
static void halfspaces(rng *random, shape_pair *pair) {
  const int dim = rng_between(random, 2, 3);
  if (rng_coin(random)) {
    const double n = rng_coin(random) ? 2 : -0.5;
    pair->b = box_by(dim, lattice_extents(random, 0, 4));
    const graze_vec normal = rng_coin(random) ? vec(n, 0, 0) : vec(0, n, 0);
    pair->a = halfspace_of(dim, normal, 0.25 * rng_between(random, -4, 4));
    common_pose(random, pair);
  } else {
    double length;
    const graze_vec normal = whole_gap(random, dim, &length);
    pair->a = halfspace_of(dim, normal, rng_uniform(random, -1, 1));
    pair->b = random_shape(random, dim, pair->vertices_b);
    pair->pose_a = random_pose(random, dim, 1), pair->pose_b = random_pose(random, dim, 1.5);
  }
  if (rng_coin(random)) pair->b = graze_with_margin(pair->b, 0.25 * rng_between(random, 0, 2));
}

const family families_degenerate[] = {
    {"lattice boxes 3D", lattice_boxes_3d, 29, 50, 30},
    {"lattice boxes 2D", lattice_boxes_2d, 43, 64, 27},
    {"lattice boxes, one generic pose, 3D", common_boxes_3d, 27, 48, 28},
    {"lattice boxes, one generic pose, 2D", common_boxes_2d, 42, 63, 26},
    {"lattice hulls 3D", lattice_hulls_3d, 50, 71, 22},
    {"lattice hulls 2D", lattice_hulls_2d, 70, 91, 27},
    {"integer quaternions", integer_turns, 32, 53, 13},
    {"shared face", shared_face, 90, 100, 85},
    {"shared edge 3D", shared_edge, 90, 100, 89},
    {"shared vertex 3D", shared_vertex, 90, 100, 94},
    {"shared edge 2D", shared_edge_2d, 90, 100, 85},
    {"shared vertex 2D", shared_vertex_2d, 90, 100, 89},
    {"crossing edges", crossing_edges, 90, 100, 100},
    {"vertex on a face", vertex_on_face, 90, 100, 100},
    {"boxes one ulp off", ulp_boxes, 43, 64, 100},
    {"features one ulp off", ulp_features, 75, 96, 89},
    {"positions one ulp off", ulp_positions, 26, 47, 27},
    {"repeated vertices", duplicates, 90, 100, 89},
    {"collinear hulls", collinear, 65, 86, 57},
    {"coplanar hulls", coplanar, 75, 96, 56},
    {"flat boxes", flat_boxes, 47, 68, 48},
    {"contained", contained, 88, 100, 3},
    {"coincident and concentric", coincident, 84, 100, 66},
    {"needles and slabs, 1e6", aspect, 72, 93, 10},
    {"1e9 from the origin", offset_1e9, 44, 65, 3},
    {"scale 1e-30", tiny, 49, 70, 30},
    {"scale 1e30", huge, 49, 70, 30},
    {"subnormal", subnormal, 49, 70, 79},
    {"magnitudes 1e-40 to 1e40", mixed_magnitudes, 33, 54, 39},
    {"quaternion lengths 1e-40 to 1e40", long_quaternions, 48, 69, 30},
    {"rounded, in exact touch", rounded_touch, 75, 96, 100},
    {"rounded, cores that touch", rounded_shared, 47, 68, 29},
    {"rounded by 2^3 to 2^30", large_radii, 47, 68, 3},
    {"points and boxes", points_and_boxes, 7, 28, 19},
    {"polygons, broken edges", broken_polygons, 21, 42, 30},
    {"half-spaces", halfspaces, 66, 87, 100},
};
const int families_degenerate_count = (int)COUNT(families_degenerate);
