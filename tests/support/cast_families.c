/* Families of motions. Coordinates on small dyadic lattices make grazing exact; one ulp more or less decides. */
#include "support/cast_families.h"

#include "support/geometry.h"
#include "support/test.h"

static const graze_vec none = {0, 0, 0};

graze_vec cast_turned(const graze_pose *pose, graze_vec v) {
  const graze_shape point = graze_point();
  const graze_placed placed = graze_place(&point, *pose);
  const double *r = placed.hidden.rotation;
  return vec(dot(vec(r[0], r[1], r[2]), v), dot(vec(r[3], r[4], r[5]), v), dot(vec(r[6], r[7], r[8]), v));
}

static double quarters(rng *random, int low, int high) { return rng_between(random, low, high) * 0.25; }

static graze_vec extents(rng *random) {
  return (graze_vec){quarters(random, 1, 8), quarters(random, 1, 8), quarters(random, 1, 8)};
}

/* x, or one ulp beside it. */
static double about(rng *random, double x) {
  int direction = rng_below(random, 3);
  return direction == 0 ? x : nextafter(x, direction == 1 ? (double)INFINITY : -(double)INFINITY);
}

static graze_shape box_as(rng *random, graze_vec e, graze_vec *vertices) {
  return rng_coin(random) ? graze_box(e.x, e.y, e.z) : box_hull(3, e, none, vertices);
}

static void stand_still(cast_case *c) { c->pair.pose_a = c->pair.pose_b = identity; }

static void two_boxes(rng *random, cast_case *c, graze_vec *half_a, graze_vec *half_b) {
  *half_a = extents(random), *half_b = extents(random);
  c->pair.a = box_as(random, *half_a, c->pair.vertices_a);
  c->pair.b = box_as(random, *half_b, c->pair.vertices_b);
  stand_still(c);
}

/* Which of them moves. */
static void move_one(rng *random, cast_case *c, graze_vec v) {
  const graze_vec s = {quarters(random, -8, 8), quarters(random, -8, 8), 0};
  switch (rng_below(random, 3)) {
  case 0: c->velocity_b = v; break;
  case 1: c->velocity_a = scaled(-1, v); break;
  default: c->velocity_a = s, c->velocity_b = add(s, v);
  }
}

/* A box that slides over the top of another: in touch, one ulp above, one ulp below. */
static void sliding_faces(rng *random, cast_case *c) {
  graze_vec e, f;
  two_boxes(random, c, &e, &f);
  bool separated = rng_coin(random);
  c->pair.pose_b.position =
      (graze_vec){separated ? -8 : 0, separated ? quarters(random, -8, 8) : 0, about(random, e.z + f.z)};
  move_one(random, c, (graze_vec){quarters(random, 0, 8), quarters(random, -4, 4), 0});
  c->t_max = rng_between(random, 0, 16);
}

/* Corners and edges that come to touch, or miss by one ulp. */
static void corners(rng *random, cast_case *c) {
  graze_vec e, f;
  two_boxes(random, c, &e, &f);
  graze_vec v = {-quarters(random, 1, 8), quarters(random, 1, 8), rng_coin(random) ? quarters(random, 0, 8) : 0};
  graze_vec at = {e.x + f.x, e.y + f.y, rng_coin(random) ? e.z + f.z : quarters(random, -8, 8)};
  double t = rng_between(random, 1, 8);
  at = add_scaled(at, -t, v);
  at.x = about(random, at.x);
  c->pair.pose_b.position = at;
  move_one(random, c, v);
  c->t_max = rng_coin(random) ? t : 4 * t;
}

/* A vertex, an end or a point that goes along an edge's line or in a face's plane. */
static void in_edges_and_faces(rng *random, cast_case *c) {
  graze_vec e = extents(random), v = {quarters(random, 1, 8), 0, 0};
  c->pair.a = box_as(random, e, c->pair.vertices_a);
  stand_still(c);
  graze_vec tip = {0, 0, 0}, end_b = {-quarters(random, 0, 4), quarters(random, 1, 4), quarters(random, 0, 4)};
  c->pair.b = rng_coin(random) ? graze_point() : graze_segment(tip, end_b);
  bool edge = rng_coin(random);
  double y = edge ? e.y : quarters(random, -4, 4);
  if (!edge) v.y = quarters(random, -4, 4);
  c->pair.pose_b.position = (graze_vec){-6, about(random, y), about(random, e.z)};
  move_one(random, c, v);
  c->t_max = rng_coin(random) ? 64 : (6 - e.x) / v.x;
}

/* The same in the plane. */
static void sliding_2d(rng *random, cast_case *c) {
  graze_vec e = extents(random), f = extents(random);
  c->pair.a = graze_box2(e.x, e.y);
  c->pair.b = rng_coin(random) ? graze_box2(f.x, f.y) : graze_point2();
  if (c->pair.b.kind == GRAZE_POINT) f = none;
  stand_still(c);
  double dx = rng_coin(random) ? -8 : quarters(random, -12, 12);
  c->pair.pose_b.position = (graze_vec){dx, about(random, e.y + f.y), 0};
  graze_vec v = {quarters(random, -2, 8), rng_below(random, 3) ? 0 : about(random, 0) * 0x1p1000, 0};
  move_one(random, c, v);
  c->t_max = rng_between(random, 0, 16);
}

/* In touch at first: leaving, resting, sliding, approaching, each as little as can be. */
static void starts_in_touch(rng *random, cast_case *c) {
  graze_vec e, f;
  two_boxes(random, c, &e, &f);
  int k = rng_below(random, 4);
  c->pair.pose_b.position = (graze_vec){k > 1 ? e.x + f.x : 0.25, k > 2 ? e.y + f.y : -0.25, e.z + f.z};
  static const double rate[] = {0, 0x1p-1000, -0x1p-1000, 0x1p-120, -0x1p-120, 1, -1, 0};
  graze_vec v = {rate[rng_below(random, 8)], rate[rng_below(random, 8)], rate[rng_below(random, 8)]};
  move_one(random, c, v);
  if (rng_coin(random)) c->velocity_a = none, c->velocity_b = v;
  c->t_max = rng_coin(random) ? 4 : INFINITY;
}

/* Anything small and fast through a wall of 1e-6: a thousand of its lengths in a step. */
static void bullets(rng *random, cast_case *c) {
  double size = rng_uniform(random, 0.001, 0.1), thick = rng_coin(random) ? 5e-7 : 0;
  graze_vec aim = {rng_uniform(random, -1, 1), rng_uniform(random, -1, 1), 0}, v;
  c->pair.a = graze_box(2, 2, thick);
  c->pair.b = random_shape(random, 3, c->pair.vertices_b);
  if (rng_coin(random)) c->pair.b = graze_sphere(1);
  if (rng_below(random, 4) == 0) c->pair.b = graze_point();
  c->pair.pose_a = random_pose(random, 3, 5);
  v = (graze_vec){rng_uniform(random, -0.2, 0.2), rng_uniform(random, -0.2, 0.2), 1};
  v = cast_plus(none, v, (rng_coin(random) ? 1000 : -1000) * 2);
  double back = rng_uniform(random, 0.01, 0.99);
  v = cast_turned(&c->pair.pose_a, v);
  graze_vec at = cast_plus(c->pair.pose_a.position, cast_turned(&c->pair.pose_a, aim), 1);
  c->pair.pose_b = random_pose(random, 3, 5);
  c->pair.pose_b.position = add_scaled(at, -back, v);
  move_one(random, c, v);
  c->t_max = 1;
  if (c->pair.b.kind == GRAZE_SPHERE) c->pair.b.as.sphere.radius = size;
}

/* Plates and rods of aspect 1e6, or of no thickness, turned anyhow. */
static graze_shape thin(rng *random) {
  double x = rng_below(random, 3) ? 1e-6 : 0, y = rng_coin(random) ? 1 : 1e-6;
  return graze_box(1, y, x);
}

static void plates_and_rods(rng *random, cast_case *c) {
  c->pair.a = thin(random);
  c->pair.b = rng_coin(random) ? thin(random) : random_shape(random, 3, c->pair.vertices_b);
  place_near(random, &c->pair, 3, 0.7);
  if (rng_below(random, 3) == 0) {
    graze_vec p = c->pair.pose_b.position;
    c->pair.pose_b = c->pair.pose_a;
    c->pair.pose_b.position = p;
  }
  graze_vec v = rng_vec(random, 3, 2);
  if (rng_below(random, 3) == 0) v = cast_turned(&c->pair.pose_a, (graze_vec){v.x, v.y, 0}); /* edge on */
  c->pair.pose_b.position = add_scaled(c->pair.pose_b.position, -2, v);
  move_one(random, c, v);
  c->t_max = 4;
}

static void any_motion(rng *random, cast_case *c, double pace) {
  int dim = rng_between(random, 2, 3);
  random_pair(random, dim, 0.8, &c->pair);
  graze_vec v = rng_vec(random, dim, 2);
  c->pair.pose_b.position = add_scaled(c->pair.pose_b.position, -2, v);
  c->velocity_b = scaled(pace, v);
  c->t_max = rng_uniform(random, 1, 4) / pace;
}

static void offset_by(rng *random, cast_case *c, double end_b) {
  any_motion(random, c, 1);
  move_pair(&c->pair, rng_vec(random, c->pair.a.dim, end_b));
  if (rng_coin(random)) c->velocity_a = c->velocity_b, c->velocity_b = none;
}

static void offset_1e6(rng *random, cast_case *c) { offset_by(random, c, 1e6); }
static void offset_1e15(rng *random, cast_case *c) { offset_by(random, c, 1e15); }

static void scaled_by(rng *random, cast_case *c, double factor) {
  any_motion(random, c, 1);
  scale_pair(&c->pair, factor);
  c->velocity_b = scaled(factor, c->velocity_b);
  if (rng_coin(random)) c->clearance = rng_uniform(random, 0, factor);
}

static void scale_tiny(rng *random, cast_case *c) { scaled_by(random, c, 0x1p-664); }
static void scale_huge(rng *random, cast_case *c) { scaled_by(random, c, 0x1p100); }
static void scale_least(rng *random, cast_case *c) { scaled_by(random, c, 0x1p-1050); }
static void slow(rng *random, cast_case *c) { any_motion(random, c, 0x1p-133); }
static void fast(rng *random, cast_case *c) { any_motion(random, c, 0x1p130); }

/* Very distant at first; then the bodies collide or pass each other. Nearly all of the path is empty. */
static void from_afar(rng *random, cast_case *c) {
  int dim = rng_between(random, 2, 3);
  double end_b = ldexp(1, rng_between(random, 10, 60));
  random_pair(random, dim, 0.8, &c->pair);
  graze_vec v = rng_vec(random, dim, 2);
  c->pair.pose_b.position = add_scaled(c->pair.pose_b.position, -end_b, v);
  move_one(random, c, v);
  if (dim == 2) c->velocity_a.z = c->velocity_b.z = 0;
  c->t_max = 2 * end_b;
}

/* Balls and capsules that pass at just the sum of their radii: 3-4-5 triangles make it exact. */
static void rounded_grazing(rng *random, cast_case *c) {
  double r = quarters(random, 1, 8), s = quarters(random, 1, 8), gap = about(random, r + s);
  int dim = rng_between(random, 2, 3);
  static const double direction[3][2] = {{1, 0}, {3, 4}, {4, -3}};
  const double *w = direction[rng_below(random, 3)];
  double unit = w[0] == 1 ? 1 : 5;
  graze_vec v = {w[0], w[1], 0}, across = {-w[1] / unit * gap, w[0] / unit * gap, 0};
  c->pair.a = dim == 2 ? graze_circle(r) : graze_sphere(r);
  c->pair.b = dim == 2 ? graze_circle(s) : graze_sphere(s);
  if (dim == 3 && rng_coin(random)) c->pair.b = graze_capsule(s, quarters(random, 1, 4));
  stand_still(c);
  c->pair.pose_b.position = cast_plus(across, v, -rng_between(random, 0, 5));
  if (rng_coin(random)) c->clearance = c->pair.a.as.sphere.radius, c->pair.a.as.sphere.radius = 0;
  move_one(random, c, v);
  c->t_max = rng_between(random, 0, 10);
}

/* A ball whose path passes an edge, a corner or a face of a box at exactly its radius. */
static void ball_past_box(rng *random, cast_case *c) {
  graze_vec e = extents(random), v = {quarters(random, 1, 8), 0, 0};
  double r = 5 * quarters(random, 1, 4), y, z;
  c->pair.a = box_as(random, e, c->pair.vertices_a);
  c->pair.b = graze_sphere(rng_coin(random) ? r : 0);
  c->clearance = c->pair.b.as.sphere.radius > 0 ? 0 : r;
  stand_still(c);
  switch (rng_below(random, 3)) {
  case 0: y = e.y + r * 0.6, z = e.z + r * 0.8; break; /* along an edge */
  case 1: y = quarters(random, -2, 2), z = e.z + r; break;
  default: y = e.y + r * 0.8, z = -e.z - r * 0.6;
  }
  c->pair.pose_b.position = (graze_vec){rng_coin(random) ? -16 : 0, about(random, y), z};
  move_one(random, c, v);
  c->t_max = rng_between(random, 0, 64);
}

/* Rays on the lattice: in faces, along edges, through corners, from inside, from the surface, with no direction. */
static void lattice_rays(rng *random, cast_case *c) {
  graze_vec e = extents(random);
  c->ray = true;
  c->pair.a = rng_below(random, 4) ? box_as(random, e, c->pair.vertices_a) : graze_sphere(e.x);
  if (rng_below(random, 4) == 0) c->pair.a = graze_triangle(none, (graze_vec){e.x, 0, 0}, (graze_vec){0, e.y, e.z});
  c->pair.b = graze_point();
  stand_still(c);
  graze_vec at = {quarters(random, -8, 8), quarters(random, -8, 8), quarters(random, -8, 8)};
  if (rng_coin(random)) at.x = about(random, e.x);
  if (rng_coin(random)) at.y = about(random, e.y);
  graze_vec d = {quarters(random, -3, 3), quarters(random, -3, 3), quarters(random, -3, 3)};
  if (rng_below(random, 3) == 0) d.z = 0;
  if (rng_below(random, 3) == 0) d.y = 0;
  c->velocity_b = d;
  c->pair.pose_b.position = cast_plus(at, d, -rng_between(random, 0, 4));
  static const double end[] = {0, 1, 4, 100};
  c->t_max = rng_coin(random) ? (double)INFINITY : end[rng_below(random, 4)];
}

static void lattice_rays_2d(rng *random, cast_case *c) {
  graze_vec e = extents(random), d = {quarters(random, -3, 3), quarters(random, -3, 3), 0};
  graze_vec at = {quarters(random, -8, 8), about(random, e.y), 0};
  c->ray = true;
  c->pair.a = rng_coin(random) ? graze_box2(e.x, e.y) : graze_circle(e.x);
  if (rng_below(random, 4) == 0) c->pair.a = graze_segment2(none, (graze_vec){e.x, e.y, 0});
  c->pair.b = graze_point2();
  stand_still(c);
  c->velocity_b = d;
  c->pair.pose_b.position = cast_plus(at, d, -rng_between(random, 0, 4));
  c->t_max = rng_coin(random) ? (double)INFINITY : rng_between(random, 0, 8);
}

/* Half-spaces: in touch, parallel, leaving, met at the very end. */
static void planes(rng *random, cast_case *c) {
  graze_vec e = extents(random), n = {quarters(random, -4, 4), quarters(random, -4, 4), 1};
  bool nice = rng_coin(random);
  if (nice) n = (graze_vec){0, 0, 2};
  c->pair.a = nice ? box_as(random, e, c->pair.vertices_a) : random_shape(random, 3, c->pair.vertices_a);
  c->pair.b = graze_halfspace(n, 0);
  stand_still(c);
  double t = rng_between(random, 0, 4);
  graze_vec v = {quarters(random, -4, 4), quarters(random, -4, 4), quarters(random, -2, 4)};
  c->pair.pose_b.position = cast_plus((graze_vec){0, 0, about(random, -e.z)}, v, -t);
  if (!nice && rng_coin(random)) c->clearance = 0.25;
  c->velocity_b = v;
  c->t_max = rng_below(random, 5) ? rng_between(random, 0, 8) : (double)INFINITY;
  if (rng_coin(random)) c->t_max = t;
}

const cast_family cast_families[] = {
    {"sliding faces", sliding_faces, 17, 34, 74},
    {"corners that touch or miss", corners, 55, 72, 100},
    {"along edges and in faces", in_edges_and_faces, 19, 36, 74},
    {"sliding, 2D", sliding_2d, 19, 36, 70},
    {"in touch at first", starts_in_touch, 14, 31, 100},
    {"bullets", bullets, 100, 100, 1},
    {"plates and rods", plates_and_rods, 64, 81, 1},
    {"1e6 from the origin", offset_1e6, 30, 47, 1},
    {"1e15 from the origin", offset_1e15, 29, 46, 1},
    {"scale 1e-200", scale_tiny, 73, 90, 1},
    {"scale 1e30", scale_huge, 70, 87, 1},
    {"scale 1e-316", scale_least, 71, 88, 100},
    {"velocities 1e-40", slow, 65, 82, 1},
    {"velocities 1e39", fast, 65, 82, 1},
    {"from afar", from_afar, 70, 87, 53},
    {"balls that graze", rounded_grazing, 32, 49, 89},
    {"a ball past a box", ball_past_box, 28, 45, 94},
    {"rays on a lattice 3D", lattice_rays, 16, 33, 29},
    {"rays on a lattice 2D", lattice_rays_2d, 37, 54, 28},
    {"moving half-spaces", planes, 62, 79, 100},
};
const int cast_families_count = (int)COUNT(cast_families);
