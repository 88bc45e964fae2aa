/* A point or sphere and a simple core, two capsules, and a half-space and any shape, near touching and at features:
 * verified, relations equal those of distances, and distances agree with other methods. Environment: test_families.c.
 */
#include "narrow/check.h"
#include "support/compounds.h"
#include "support/families.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

#include <math.h>

enum { ROUNDS = 400 };

/* A size, 0, or a random number: so q is often on an axis, a face, an edge or a rim. */
static double feature(rng *random, double size) {
  switch (rng_below(random, 4)) {
  case 0: return rng_coin(random) ? size : -size;
  case 1: return 0;
  default: return rng_uniform(random, -2, 2);
  }
}

/* A local point: near a feature of the core, or any. */
static graze_vec feature_point(rng *random, const graze_shape *core, int dim) {
  if (core->kind == GRAZE_TRIANGLE) { /* above a vertex, an edge, the face, or outside */
    const graze_vec *v = core->as.triangle.vertices, out = rng_vec(random, 3, 1);
    const double s = feature(random, 1), t = feature(random, 1);
    return add(add_scaled(add_scaled(v[0], s, sub(v[1], v[0])), t, sub(v[2], v[0])), out);
  }
  const graze_vec size = core->kind == GRAZE_BOX ? core->as.box.half_extents
                                                 : (graze_vec){core->as.capsule.radius, core->as.capsule.radius,
                                                               core->as.capsule.half_length};
  const double share = rng_coin(random) ? 1 : 0.6; /* (0.6, 0.8) is on a rim */
  const graze_vec q = {feature(random, share * size.x), feature(random, (share == 1 ? 1 : 0.8) * size.y),
                       dim == 2 ? 0 : feature(random, size.z)};
  return q;
}

static graze_shape core_of(rng *random, int dim, int kind) {
  const double x = rng_uniform(random, 0.2, 1.2), y = rng_uniform(random, 0.2, 1.2), z = rng_uniform(random, 0.2, 1.2);
  const double flat = rng_below(random, 6) == 0 ? 0 : 1;
  switch (kind) {
  case 0: return point_of(dim);
  case 1: return ball_of(dim, x);
  case 2: return capsule_of(dim, x, y * flat);
  case 3: return box_of(dim, x, y * flat, z);
  case 4: return graze_cylinder(x, y);
  case 5: return graze_cone(x, y);
  default: {
    const graze_vec e = rng_vec(random, 3, 1), f = rng_vec(random, 3, 1), corner = rng_vec(random, 3, 0.5);
    const double thin = rng_coin(random) ? 1 : ldexp(1, -rng_between(random, 4, 60));
    return graze_triangle(corner, add(corner, e), add_scaled(add(corner, e), thin * flat, f));
  }
  }
}

/* A sphere whose radius is nearly the distance of its centre q from the core, or any radius if the core contains q. */
typedef struct near_point {
  graze_placed solid, sphere;
  double clearance; /* half of the radius is in it, or 0 */
} near_point;

static near_point near_point_make(rng *random, int dim, int kind, double share) {
  const graze_shape solid = core_of(random, dim, kind), point = point_of(dim);
  const graze_vec local = feature_point(random, &solid, dim);
  graze_pose pose = dim == 2 ? graze_pose2(1, 2, rng_uniform(random, 0, 6)) : random_unit_pose(random, 3);
  if (rng_below(random, 3) == 0) pose = graze_pose_at(0, 0, 0);
  graze_pose at = check_compose(pose, graze_pose_at(local.x, local.y, local.z));
  at.w = 1, at.x = at.y = at.z = 0;
  near_point p = {.solid = posed(solid, pose)};
  const graze_placed centre = posed(point, at);
  const double gap = distance(&p.solid, &centre, NULL).distance;
  const double radius = gap > 0 ? gap * (1 + share) : rng_uniform(random, 1e-3, 1);
  p.clearance = rng_coin(random) ? radius / 2 : 0;
  p.sphere = posed(ball_of(dim, radius - p.clearance), at);
  return p;
}

/* Asserts that both intervals contain a common number, and that the first is narrow for this size of the cores. */
static void check_distance(const graze_placed *a, const graze_placed *b, double clearance, double size,
                           const proved_answer *x) {
  const bool curved = graze_vertex_count(&a->shape) == 0 || graze_vertex_count(&b->shape) == 0;
  graze_options options = by_method(curved ? GRAZE_METHOD_GJK : GRAZE_METHOD_EXACT);
  options.clearance = clearance;
  const proved_answer other = distance(a, b, &options);
  assert_true(x->lower <= other.upper && other.lower <= x->upper);
  assert_true(x->upper - x->lower <= 0x1p-43 * (size + fabs(x->distance)));
}

/* Seed 31. */
TEST(spheres_near_simple_cores) {
  rng random = 31;
  long decided = 0, measured = 0, clear = 0;
  for (int i = 0; i < 14 * ROUNDS; i++) {
    const int kind = i % 7, dim = kind < 4 && i / 7 % 3 == 0 ? 2 : 3, k = rng_between(&random, 2, 52);
    const near_point p = near_point_make(&random, dim, kind, (rng_coin(&random) ? 1 : -1) * ldexp(1, -k));
    const bool swap = rng_coin(&random);
    const graze_placed *a = swap ? &p.sphere : &p.solid, *b = swap ? &p.solid : &p.sphere;
    graze_options options = graze_default_options();
    graze_cache cache = {.count = 0};
    options.clearance = p.clearance;
    if (rng_coin(&random)) options.cache = &cache;
    const proved_answer x = intersect(a, b, &options), y = distance(a, b, &options);
    if (y.relation != GRAZE_UNDECIDED && x.relation != GRAZE_UNDECIDED) assert_int_equal(x.relation, y.relation);
    if (k > 30) continue;
    clear++;
    decided += x.algorithm == GRAZE_ALGORITHM_CLOSED_FORM;
    measured += y.algorithm == GRAZE_ALGORITHM_CLOSED_FORM;
    if (y.algorithm == GRAZE_ALGORITHM_CLOSED_FORM) check_distance(a, b, p.clearance, 2, &y);
  }
  assert_in_range(decided, clear * 95 / 100, clear);  /* the others: q is on the surface of the core */
  assert_in_range(measured, clear * 70 / 100, clear); /* the others: also thin triangles */
}

/* ---- A point or the centre of a sphere in a core */

/* The distance of q from the surface of a core that contains it. */
static double surface_distance(const graze_shape *core, graze_vec q) {
  const long double out = hypotl(q.x, q.y), radius = core->as.cone.radius, half = core->as.cone.half_length;
  if (core->kind == GRAZE_BOX) {
    const graze_vec h = core->as.box.half_extents;
    const double flat = fmin(h.x - fabs(q.x), h.y - fabs(q.y));
    return core->dim == 2 ? flat : fmin(flat, h.z - fabs(q.z));
  }
  if (core->kind == GRAZE_CYLINDER) return (double)fminl(radius - out, half - fabsl(q.z));
  const long double side = ((radius - out) * 2 * half - (q.z + half) * radius) / hypotl(2 * half, radius);
  return (double)fminl(side, q.z + half);
}

/* A point of the core, often on the axis, or as near to two faces. */
static graze_vec inner_point(rng *random, const graze_shape *core, int dim) {
  graze_vec q;
  do {
    q = rng_vec(random, dim, 1.2);
    if (rng_below(random, 6) == 0) q.x = q.y = 0;
    if (rng_below(random, 8) == 0) q.y = q.x;
  } while (!(surface_distance(core, q) > 0));
  return q;
}

static bool is_closed_form(const proved_answer *y) { return y->algorithm == GRAZE_ALGORITHM_CLOSED_FORM; }

/* Asserts that B, moved by the depth along the normal, touches A. */
static void check_moved_out(const graze_placed *a, graze_placed b, double clearance, const proved_answer *y) {
  graze_options options = graze_default_options();
  options.clearance = clearance;
  const graze_pose pose = b.pose;
  b.pose.position = add_scaled(pose.position, -y->distance, y->normal);
  assert_int_equal(graze_set_pose(&b, b.pose), GRAZE_OK);
  assert_true(fabs(distance(a, &b, &options).distance) <= 1e-13);
}

/* A point on the surface, up to rounding: on one of four faces of a box, or on the side of a solid. */
static graze_vec surface_point(rng *random, const graze_shape *core, int dim) {
  const graze_vec q = inner_point(random, core, dim);
  if (core->kind == GRAZE_BOX) {
    const graze_vec h = core->as.box.half_extents;
    return rng_coin(random) ? (graze_vec){copysign(h.x, q.x), q.y, q.z} : (graze_vec){q.x, copysign(h.y, q.y), q.z};
  }
  const double out = hypot(q.x, q.y), half = core->as.cone.half_length, share = (q.z + half) / (2 * half);
  const double radius = core->as.cone.radius * (core->kind == GRAZE_CONE ? 1 - share : 1);
  return out > 0 ? (graze_vec){q.x / out * radius, q.y / out * radius, q.z} : (graze_vec){radius, 0, q.z};
}

/* Seed 38. */
TEST(centres_in_simple_cores) {
  rng random = 38;
  long measured = 0, points = 0, decided = 0;
  for (int i = 0; i < 8 * ROUNDS; i++) {
    const int kind = i % 4, dim = kind == 0 ? 2 : 3;
    const graze_shape solid = core_of(&random, dim, kind == 0 ? 3 : 2 + kind);
    if (solid.kind == GRAZE_BOX && solid.as.box.half_extents.y == 0) continue; /* flat */
    const bool surface = rng_below(&random, 4) == 0;
    const graze_vec local = surface ? surface_point(&random, &solid, dim) : inner_point(&random, &solid, dim);
    const graze_pose pose = dim == 2 ? graze_pose2(1, -1, i) : random_unit_pose(&random, 2);
    graze_pose at = check_compose(pose, graze_pose_at(local.x, local.y, local.z));
    at.w = 1, at.x = at.y = at.z = 0;
    const bool point = !surface && rng_below(&random, 4) == 0, swap = rng_coin(&random);
    const double r = point ? 0 : rng_uniform(&random, 1e-6, 1);
    const graze_placed core = posed(solid, pose), other = posed(point ? point_of(dim) : ball_of(dim, r), at);
    const graze_placed *a = swap ? &other : &core, *b = swap ? &core : &other;
    graze_options options = graze_default_options();
    if (!point && rng_coin(&random)) options.clearance = rng_uniform(&random, 0, 1);
    const proved_answer x = intersect(a, b, &options), y = distance(a, b, &options);
    const double depth = surface_distance(&solid, local) + (r + options.clearance);
    assert_true(x.relation == GRAZE_OVERLAPPING && y.relation == GRAZE_OVERLAPPING);
    const double error = is_closed_form(&y) ? 1e-14 : 1e-9;
    assert_true(fabs(y.distance + depth) <= error);
    assert_true(y.lower <= -depth + 1e-14 && y.upper >= -depth - 1e-14 && y.upper - y.lower <= 20 * error);
    const bool touches_curved = point && solid.kind != GRAZE_BOX; /* not decided */
    if (is_closed_form(&y) && !touches_curved) check_moved_out(a, *b, options.clearance, &y);
    options.method = GRAZE_METHOD_EPA;
    const proved_answer z = distance(a, b, &options);
    assert_true(z.lower <= y.upper && y.lower <= z.upper);
    options.method = GRAZE_METHOD_AUTO;
    if (solid.kind == GRAZE_BOX) assert_true(proved_distance(a, b, &options).lower <= y.upper);
    measured++, points += point;
    decided += is_closed_form(&y);
  }
  assert_in_range(points, measured / 8, measured / 4);
  assert_in_range(decided, measured * 98 / 100, measured); /* the others: points near the surface */
}

/* In a flat cone, rounding displaces the bound between its apex and its side. Seed 40. */
TEST(centres_in_flat_cones) {
  rng random = 40;
  long measured = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const double radius = pow(10, rng_uniform(&random, 2, 9)), share = rng_uniform(&random, 0, 1);
    const double width = rng_coin(&random) ? 0 : rng_coin(&random) ? 1 : radius; /* on the axis, near it, or any */
    const graze_shape cone = graze_cone(radius, 1);
    const graze_vec q = {rng_uniform(&random, 0, 1) * share * width, 0, 1 - 2 * share};
    const graze_placed a = placed_at(cone, 0, 0, 0), b = placed_at(graze_sphere(10), q.x, q.y, q.z);
    const proved_answer y = distance(&a, &b, NULL);
    const double depth = 10 + fmax(surface_distance(&cone, q), 0);
    assert_int_equal(y.relation, GRAZE_OVERLAPPING);
    assert_true(y.lower <= -depth + 1e-13 && y.upper >= -depth - 1e-13);
    if (!is_closed_form(&y)) continue;
    assert_true(fabs(y.distance + depth) <= 1e-15 * radius + 1e-13 && y.upper - y.lower <= 1e-13 * radius + 1e-12);
    measured++;
  }
  assert_in_range(measured, ROUNDS * 90 / 100, ROUNDS);
}

/* The same as parts of compounds, whose poses are equal or any. Seed 35. */
TEST(parts_near_simple_cores) {
  rng random = 35;
  long measured = 0;
  for (int i = 0; i < 7 * ROUNDS; i++) {
    const near_point p = near_point_make(&random, 3, i % 7, ldexp(1, -rng_between(&random, 2, 30)));
    graze_compound *solid = compound_of(&p.solid, 1), *sphere = compound_of(&p.sphere, 1);
    const graze_pose pose = random_unit_pose(&random, 3), other = random_unit_pose(&random, 3);
    const graze_placed whole_a = posed(graze_compound_shape(solid), pose),
                       whole_b = posed(graze_compound_shape(sphere), rng_coin(&random) ? pose : other);
    graze_frame frame_a, frame_b;
    const graze_placed a = graze_part(&whole_a, 0, &frame_a), b = graze_part(&whole_b, 0, &frame_b);
    graze_options options = graze_default_options();
    options.clearance = p.clearance;
    const proved_answer x = intersect(&a, &b, &options), y = distance(&a, &b, &options);
    if (y.relation != GRAZE_UNDECIDED) assert_int_equal(x.relation, y.relation);
    if (y.algorithm == GRAZE_ALGORITHM_CLOSED_FORM) check_distance(&a, &b, p.clearance, 6, &y);
    measured += y.algorithm == GRAZE_ALGORITHM_CLOSED_FORM;
    graze_compound_destroy(solid);
    graze_compound_destroy(sphere);
  }
  assert_in_range(measured, 7 * ROUNDS * 60 / 100, 7 * ROUNDS);
}

/* Far smaller or larger than 1: where squares lose digits, other searches decide. Seed 32. */
TEST(spheres_of_any_size) {
  rng random = 32;
  for (int i = 0; i < 7 * ROUNDS; i++) {
    const double unit = ldexp(1, rng_between(&random, -900, 120));
    graze_shape solid = core_of(&random, 3, i % 7), sphere = graze_sphere(rng_uniform(&random, 0.1, 2));
    scale_parameters(&solid, unit);
    scale_parameters(&sphere, unit);
    const graze_vec at = rng_vec(&random, 3, 2 * unit);
    const graze_placed a = posed(solid, graze_pose3((graze_vec){0, 0, 0}, 1, 0.5, -0.25, 2)),
                       b = placed_at(sphere, at.x, at.y, at.z);
    const proved_answer x = intersect(&a, &b, NULL), y = distance(&a, &b, NULL);
    assert_int_equal(x.relation, y.relation);
  }
}

/* 0.6² + 0.8² of doubles is above 1, but rounds to 1: a point of the base above this centre would be outside. */
TEST(points_under_a_rim_are_in_the_cone) {
  for (int swap = 0; swap < 2; swap++) {
    const graze_placed cone = placed_at(graze_cone(1, 1), 0, 0, 0),
                       ball = placed_at(graze_sphere(1), swap ? 0.8 : 0.6, swap ? 0.6 : 0.8, -1.5);
    const proved_answer x = intersect(&cone, &ball, NULL), y = distance(&cone, &ball, NULL);
    assert_true(x.relation == GRAZE_OVERLAPPING && y.relation == GRAZE_OVERLAPPING);
  }
}

/* Capsules at any angle, also parallel, whose radii nearly fill the distance of their segments. Seed 34. */
TEST(two_capsules) {
  rng random = 34;
  long decided = 0, measured = 0, clear = 0;
  for (int i = 0; i < 8 * ROUNDS; i++) {
    const int dim = 2 + i % 2, k = rng_between(&random, 2, 52);
    const double share = (rng_coin(&random) ? 1 : -1) * ldexp(1, -k), part = rng_uniform(&random, 0, 1);
    const double half_a = rng_uniform(&random, 0, 1),
                 half_b = rng_below(&random, 5) == 0 ? 0 : rng_uniform(&random, 0, 2);
    graze_pose pose_a = dim == 2 ? graze_pose2(1, 2, i) : random_unit_pose(&random, 2), pose_b = pose_a;
    if (rng_coin(&random)) pose_b = dim == 2 ? graze_pose2(0, 0, 2 * i) : random_unit_pose(&random, 1);
    pose_b.position = add(pose_a.position, rng_vec(&random, dim, 2));
    const graze_placed thin_a = posed(capsule_of(dim, 0, half_a), pose_a),
                       thin_b = posed(capsule_of(dim, 0, half_b), pose_b);
    const double gap = distance(&thin_a, &thin_b, NULL).distance, sum = gap > 0 ? gap * (1 + share) : 0.5;
    const graze_placed a = posed(capsule_of(dim, sum * part, half_a), pose_a),
                       b = posed(capsule_of(dim, sum * (1 - part), half_b), pose_b);
    const proved_answer x = intersect(&a, &b, NULL), y = distance(&a, &b, NULL);
    assert_int_equal(x.relation, y.relation);
    if (k > 30) continue;
    clear++, decided += x.algorithm == GRAZE_ALGORITHM_CLOSED_FORM;
    measured += y.algorithm == GRAZE_ALGORITHM_CLOSED_FORM;
    if (y.algorithm == GRAZE_ALGORITHM_CLOSED_FORM) check_distance(&a, &b, 0, 2, &y);
  }
  assert_in_range(decided, clear * 95 / 100, clear);
  assert_in_range(measured, clear * 55 / 100, clear); /* the others: the segments intersect */
}

static double user_disk(void *context, graze_vec d, graze_vec *point) {
  const double length = sqrt(d.x * d.x + d.y * d.y), radius = *(const double *)context;
  *point = length > 0 ? (graze_vec){radius * d.x / length, radius * d.y / length, 0} : (graze_vec){radius, 0, 0};
  return 1e-14;
}

static graze_shape any_shape(rng *random, int dim, int kind, graze_vec vertices[PAIR_VERTICES]) {
  static double radius = 0.75;
  const double x = rng_uniform(random, 0.2, 1.2), y = rng_uniform(random, 0.2, 1.2), z = rng_uniform(random, 0.2, 1.2);
  switch (kind) {
  case 0: return dim == 2 ? graze_ellipse(x, y) : graze_ellipsoid(x, y, z);
  case 1: return dim == 2 ? random_shape(random, 2, vertices) : graze_cylinder(x, y);
  case 2: return dim == 2 ? random_shape(random, 2, vertices) : graze_cone(x, y);
  case 3: return graze_user(dim, user_disk, &radius);
  default: return random_shape(random, dim, vertices);
  }
}

/* A half-space at the height of the lowest point, moved by a small share. Normals have any length, and are often along
 * an axis of a shape that is not rotated; some offsets are large. Seed 33. */
TEST(relations_with_halfspaces) {
  rng random = 33;
  long decided = 0, clear = 0, curved = 0;
  for (int i = 0; i < 16 * ROUNDS; i++) {
    const int dim = i % 3 == 0 ? 2 : 3, k = rng_between(&random, 2, 52), kind = rng_below(&random, 8);
    graze_vec vertices[PAIR_VERTICES];
    const graze_shape shape = any_shape(&random, dim, kind, vertices);
    const bool aligned = rng_below(&random, 4) == 0;
    const double length = ldexp(1, rng_below(&random, 8) == 0 ? -600 : rng_between(&random, -130, 130));
    const graze_vec normal = aligned ? (graze_vec){0, -length, 0} : rng_vec(&random, dim, length);
    if (normal.x == 0 && normal.y == 0) continue;
    const double distant = rng_below(&random, 4) == 0 ? 0x1p20 : 1;
    graze_pose pose = aligned    ? graze_pose_at(distant, 2, 0)
                      : dim == 2 ? graze_pose2(distant, 2, i)
                                 : random_unit_pose(&random, 3);
    const graze_placed other = posed(shape, pose);
    const graze_placed plane = posed(halfspace_of(dim, normal, 0), graze_pose_at(0.5, 0, 0));
    const double height = distance(&plane, &other, NULL).distance;
    const double offset = height + (rng_coin(&random) ? 1 : -1) * ldexp(1, -k);
    const graze_placed moved = posed(halfspace_of(dim, normal, offset), graze_pose_at(0.5, 0, 0));
    const bool swap = rng_coin(&random);
    const graze_placed *a = swap ? &moved : &other, *b = swap ? &other : &moved;
    const proved_answer x = intersect(a, b, NULL), y = distance(a, b, NULL);
    if (y.relation != GRAZE_UNDECIDED && x.relation != GRAZE_UNDECIDED) assert_int_equal(x.relation, y.relation);
    if (k > (distant > 1 ? 20 : 30)) continue;
    clear++;
    curved += kind < 3;
    decided += x.relation != GRAZE_UNDECIDED && !x.exact;
  }
  assert_in_range(curved, clear / 4, clear);
  assert_in_range(decided, clear * 80 / 100, clear); /* the others lie flat */
}

/* ---- Sizes for which products underflow */

static void check_pair_of(graze_shape a, graze_shape b, graze_vec at, graze_relation relation) {
  const graze_placed first = posed(a, graze_pose_at(0, 0, 0)), second = posed(b, graze_pose_at(at.x, at.y, at.z));
  const proved_answer x = intersect(&first, &second, NULL), y = intersect(&second, &first, NULL);
  assert_int_equal(x.relation, relation);
  assert_int_equal(y.relation, relation);
  assert_int_equal(distance(&first, &second, NULL).relation, relation);
}

TEST(needles_and_disks) {
  const graze_vec origin = {0, 0, 0};
  for (int e = -460; e > -1000; e -= 60)
    check_pair_of(graze_ellipsoid(ldexp(1, e), ldexp(1, e), ldexp(1, e)),
                  graze_halfspace((graze_vec){0, 0, 1}, -ldexp(1, e - 1)), origin, GRAZE_OVERLAPPING);
  check_pair_of(graze_cone(0, sqrt(2.6) * 0x1p-538), graze_sphere(1024), (graze_vec){1075, 0, 0}, GRAZE_SEPARATED);
  check_pair_of(graze_cone(0, sqrt(2.45) * 0x1p-538), graze_sphere(1024), (graze_vec){973, 0, 0}, GRAZE_OVERLAPPING);
  check_pair_of(graze_cylinder(0x1p-547, 0), graze_sphere(1), (graze_vec){5 * 0x1p-547, 0, 0}, GRAZE_OVERLAPPING);
  check_pair_of(graze_cylinder(0x1p-1074, 1), graze_sphere(1.5), (graze_vec){0.6, 0.8, 0}, GRAZE_OVERLAPPING);
  check_pair_of(graze_cone(1, 0x1p-1074), graze_sphere(0.2), (graze_vec){0.7, 0, 0.1}, GRAZE_OVERLAPPING);
  check_pair_of(graze_cone(0x1p-100, 0x1p-980), graze_sphere(0x1p-101), (graze_vec){1.25 * 0x1p-100, 0, 0},
                GRAZE_OVERLAPPING);
  for (int k = 0; k <= 60; k++) { /* two of the least doubles deep: undecided, or proved */
    const graze_placed disk = posed(graze_cylinder(2 * 0x1p-1074, 0), graze_pose_at(0, 0, 0)),
                       plane = posed(graze_halfspace((graze_vec){ldexp(1, k), ldexp(1, k), 0}, 0), disk.pose);
    assert_true(intersect(&disk, &plane, NULL).relation >= GRAZE_OVERLAPPING);
  }
}

/* The cached direction is not along the axis of the needle. */
TEST(cached_axis_of_a_needle) {
  const graze_placed needle = posed(graze_cone(0, 0x1p-768), graze_pose_at(0, 0, 0)),
                     ball = posed(graze_sphere(0x1p-770), graze_pose_at(0, 0, -0x1p-769));
  for (int sign = -1; sign <= 1; sign += 2) {
    graze_cache cache = {.direction = {0x1p-10, 0, sign}};
    graze_options options = graze_default_options();
    options.cache = &cache;
    assert_int_equal(intersect(&needle, &ball, &options).relation, GRAZE_OVERLAPPING);
  }
}

/* Near touching, with sizes of a few thousand of the least doubles. Seed 36. */
TEST(subnormal_sizes) {
  rng random = 36;
  int known = 0;
  for (int i = 0; i < 8 * ROUNDS; i++) {
    const double unit = ldexp(1, rng_between(&random, -1070, -1000));
    graze_shape solid = core_of(&random, 3, i % 2 ? 4 : 5), sphere = graze_sphere(rng_uniform(&random, 0.1, 1));
    scale_parameters(&solid, unit);
    scale_parameters(&sphere, unit);
    const graze_vec at = rng_vec(&random, 3, 2 * unit);
    const graze_placed a = posed(solid, graze_pose3((graze_vec){0, 0, 0}, 1, 0.5, -0.25, 2)),
                       b = placed_at(sphere, at.x, at.y, at.z);
    known += intersect(&a, &b, NULL).relation != GRAZE_UNDECIDED;
    known += distance(&a, &b, NULL).relation != GRAZE_UNDECIDED;
  }
  assert_true(known > 8 * ROUNDS);
}

TEST(a_subnormal_disk_and_a_sphere) {
  const graze_placed disk =
                         posed(graze_cylinder(0x0.00265ee57b0f9p-1022, 0x0.00001p-1022),
                               graze_pose3((graze_vec){0, 0, 0}, 0, 0x1.1163640ceb7b8p-33, -0x1.987bf6042683ep-1, 1)),
                     ball = placed_at(graze_sphere(0x0.00010baf49eabp-1022), -0x0.00265ee57b0aep-1022,
                                      0x0.000200cca890fp-1022, 0x0.0008cb2060ed2p-1022);
  assert_int_equal(intersect(&disk, &ball, NULL).relation, GRAZE_UNDECIDED);
  assert_int_equal(distance(&disk, &ball, NULL).relation, GRAZE_UNDECIDED);
}

/* The foot of the centre lies over a thin triangle. With any tolerance the normal is accurate. */
TEST(a_thin_triangle_and_a_wide_tolerance) {
  const graze_placed thin = placed_at(graze_triangle((graze_vec){0x1.d95876799119p-1, -0x1.3de701a0c40fp-2, 0},
                                                     (graze_vec){0x1.61dacdce6182ap-1, 0x1.95608bce01938p-2, 0},
                                                     (graze_vec){0x1.b5753337be56cp-1, -0x1.941f9e77d98bdp-4, 0}),
                                      0x1.9689252bb3a66p-20, -0x1.9151181a9ff8cp-21, 0x1.1fd73e1ccce0ap-20);
  const graze_placed ball =
      placed_at(graze_sphere(0x1.1deb038792e3cp-3), 0x1.a06f2ece901e1p-1, 0x1.a8462d9fa0306p-6, -0x1.e3d6a67d53d72p-1);
  graze_options options = graze_default_options();
  options.tolerance = INFINITY;
  assert_true(distance(&thin, &ball, &options).normal.z < -1 + 1e-12);
}
