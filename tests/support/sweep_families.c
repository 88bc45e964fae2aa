#include "support/sweep_families.h"

#include "support/compounds.h"
#include "support/geometry.h"
#include "support/shapes.h"
#include "support/test.h"

static const graze_vec zero = {0, 0, 0};

static double quarters(rng *random, int low, int high) { return rng_between(random, low, high) * 0.25; }

static int dim_of(const sweep_case *c) { return c->pair.a.dim; }

graze_vec sweep_spin(rng *random, const sweep_case *c, double most) {
  const double rate = rng_uniform(random, 0, most) / c->t_max;
  if (dim_of(c) == 2) return vec(0, 0, rng_coin(random) ? rate : -rate);
  const graze_vec v = rng_vec(random, 3, 1);
  return norm(v) > 0 ? scaled(rate, scaled(1 / norm(v), v)) : vec(rate, 0, 0);
}

void sweep_random_motion(rng *random, sweep_case *c, double most) {
  const int dim = dim_of(c);
  const graze_vec v = rng_vec(random, dim, 3), aside = rng_vec(random, dim, 1.5);
  const double t = rng_uniform(random, 0.5, 3);
  c->pair.pose_b.position = add(add_scaled(c->pair.pose_b.position, -t, v), aside);
  c->motion_a.velocity = rng_vec(random, dim, 3);
  c->motion_b.velocity = add(c->motion_a.velocity, v);
  c->t_max = rng_uniform(random, 0.5, 6);
  if (rng_below(random, 4) == 0) c->clearance = rng_uniform(random, 0, 0.3);
  c->motion_a.angular = sweep_spin(random, c, most);
  c->motion_b.angular = sweep_spin(random, c, most);
}

/* ---- polytopes */

static void from(rng *random, sweep_case *c, int which) {
  families_random[which].make(random, &c->pair);
  sweep_random_motion(random, c, 20);
}

static void boxes_3d(rng *random, sweep_case *c) { from(random, c, 0); }
static void hulls_3d(rng *random, sweep_case *c) { from(random, c, 1); }
static void kinds_3d(rng *random, sweep_case *c) { from(random, c, 2); }
static void boxes_2d(rng *random, sweep_case *c) { from(random, c, 3); }
static void polygons_2d(rng *random, sweep_case *c) { from(random, c, 4); }
static void kinds_2d(rng *random, sweep_case *c) { from(random, c, 5); }

static void any_pair(rng *random, sweep_case *c) { random_pair(random, rng_between(random, 2, 3), 1.0, &c->pair); }

static void any_motion(rng *random, sweep_case *c, double most) {
  any_pair(random, c);
  sweep_random_motion(random, c, most);
}

static void exchange(sweep_case *c) {
  const graze_motion motion = c->motion_a;
  c->motion_a = c->motion_b, c->motion_b = motion;
  const graze_pose pose = c->pair.pose_a;
  c->pair.pose_a = c->pair.pose_b, c->pair.pose_b = pose;
  exchange_shapes(&c->pair);
}

/* B becomes a half-space, which moves, but does not turn. */
static void against_plane(rng *random, sweep_case *c, double low, double high) {
  const graze_vec n = rng_vec(random, dim_of(c), 1);
  c->pair.b = halfspace_of(dim_of(c), n, rng_uniform(random, low, high));
  sweep_random_motion(random, c, 20);
  c->motion_b.angular = zero;
  if (rng_coin(random)) exchange(c);
}

static void planes(rng *random, sweep_case *c) {
  any_pair(random, c);
  against_plane(random, c, -2, 0);
}

static graze_shape thin(rng *random) {
  const double y = rng_coin(random) ? 1 : 0.3, z = rng_below(random, 3) ? 1e-6 : 0;
  return graze_box(1, y, z);
}

static graze_shape rod(rng *random) {
  const double length = rng_uniform(random, 1, 5);
  switch (rng_below(random, 3)) {
  case 0: return graze_box(length, 1e-3, 1e-4);
  case 1: return graze_capsule(1e-3, length);
  default: return graze_segment(vec(-length, 0, 0), vec(0.3 * length, 0, 0));
  }
}

/* Against another one of its kind, or any shape. */
static void narrow(rng *random, sweep_case *c, graze_shape (*kind)(rng *), double spread_b) {
  c->pair.a = kind(random);
  c->pair.b = rng_coin(random) ? kind(random) : random_shape(random, 3, c->pair.vertices_b);
  place_near(random, &c->pair, 3, spread_b);
  sweep_random_motion(random, c, 20);
}

static void plates(rng *random, sweep_case *c) { narrow(random, c, thin, 1); }
static void rods(rng *random, sweep_case *c) { narrow(random, c, rod, 2); }

static void offset_1e6(rng *random, sweep_case *c) {
  any_motion(random, c, 20);
  const double most = rng_coin(random) ? 1e6 : 1e9;
  move_pair(&c->pair, rng_vec(random, dim_of(c), most));
}

static void together(rng *random, sweep_case *c) {
  any_motion(random, c, 20);
  c->pair.pose_b.position = add(c->pair.pose_a.position, rng_vec(random, dim_of(c), 2));
  c->motion_b.velocity = c->motion_a.velocity;
}

static void on_the_spot(rng *random, sweep_case *c) {
  together(random, c);
  c->motion_a.velocity = c->motion_b.velocity = zero;
  if (rng_below(random, 8) == 0) c->motion_a.angular = c->motion_b.angular = zero;
}

static void one_turns(rng *random, sweep_case *c) {
  any_motion(random, c, 20);
  *(rng_coin(random) ? &c->motion_a.angular : &c->motion_b.angular) = zero;
}

static void fast_turns(rng *random, sweep_case *c) { any_motion(random, c, 1000); }

static void slow_turns(rng *random, sweep_case *c) {
  any_pair(random, c);
  sweep_random_motion(random, c, ldexp(1, -rng_between(random, 10, 1060)));
}

static void scaled_by(rng *random, sweep_case *c, double factor) {
  any_motion(random, c, 20);
  scale_pair(&c->pair, factor);
  c->clearance *= factor;
  c->motion_a.velocity = scaled(factor, c->motion_a.velocity);
  c->motion_b.velocity = scaled(factor, c->motion_b.velocity);
}

static void tiny(rng *random, sweep_case *c) { scaled_by(random, c, 0x1p-664); }
static void huge(rng *random, sweep_case *c) { scaled_by(random, c, 0x1p100); }

/* The same motion in much shorter or longer time. */
static void any_time(rng *random, sweep_case *c) {
  any_motion(random, c, 20);
  const double factor = ldexp(1, rng_between(random, -120, 900));
  graze_vec *const rates[] = {&c->motion_a.velocity, &c->motion_a.angular, &c->motion_b.velocity, &c->motion_b.angular};
  c->t_max *= factor;
  for (int i = 0; i < 4; i++) *rates[i] = scaled(1 / factor, *rates[i]);
}

/* Small, fast and spinning, through a wall of 1e-6 that may turn, too. */
static void bullets(rng *random, sweep_case *c) {
  const double size = rng_uniform(random, 0.001, 0.01), back = rng_uniform(random, 0.1, 0.9);
  const double x = rng_uniform(random, -1, 1), y = rng_uniform(random, -1, 1);
  const double vx = rng_uniform(random, -0.5, 0.5), vy = rng_uniform(random, -0.5, 0.5);
  c->motion_b.velocity = vec(vx, vy, 20);
  c->pair.a = graze_box(4, 4, rng_coin(random) ? 5e-7 : 0);
  c->pair.b = rng_coin(random) ? graze_box(size, size / 2, size / 3) : graze_capsule(size / 3, size);
  c->pair.pose_a = identity;
  c->pair.pose_b = random_pose(random, 3, 0);
  c->pair.pose_b.position = add_scaled(vec(x, y, 0), -back, c->motion_b.velocity);
  c->t_max = 1;
  c->motion_b.angular = sweep_spin(random, c, 500);
  if (rng_coin(random)) c->motion_a.angular.z = rng_uniform(random, -10, 10);
  c->known = 1;
}

/* A at the origin turns by 7 to 20 radians, from an angle of 70 to 105 degrees, where it is clear of B at x. */
static void turn_beside(rng *random, sweep_case *c, graze_shape wall, double x, double gap) {
  c->pair.b = wall;
  c->pair.pose_a = c->pair.pose_b = identity;
  c->pair.pose_b.position.x = x;
  c->pair.pose_a.w = 0.7;
  c->pair.pose_a.z = rng_uniform(random, 0.5, 0.9);
  c->t_max = 1;
  c->motion_a.angular.z = rng_uniform(random, 7, 20);
  c->known = gap > 0 ? -1 : 1;
}

/* The end of a bar passes a wall by a small gap, or overlaps it by as much. */
static void grazing(rng *random, sweep_case *c) {
  const double sign = rng_coin(random) ? 1 : -1, gap = ldexp(sign, -rng_between(random, 4, 36));
  const double half = rng_uniform(random, 0.5, 2);
  const double round = rng_coin(random) ? rng_uniform(random, 0.01, 0.3) : 0;
  const int dim = rng_coin(random) ? 2 : 3;
  const bool plane = rng_coin(random);
  c->pair.a = dim == 2 ? graze_capsule2(round, half) : graze_with_margin(graze_box(half, 0, 0), round);
  const graze_shape wall = plane ? halfspace_of(dim, vec(1 - dim, 0, 0), 0) : box_of(dim, 0.5, 3, 3);
  turn_beside(random, c, wall, half + round + gap + (plane ? 0 : 0.5), gap);
}

/* Boxes on a lattice that touch at the start and part, or press into each other, by turning and by moving. */
static void in_touch(rng *random, sweep_case *c) {
  const double x = quarters(random, 1, 8), y = quarters(random, 1, 8), z = quarters(random, 1, 8);
  c->pair.a = c->pair.b = graze_box(x, y, z);
  c->pair.pose_a = c->pair.pose_b = identity;
  c->pair.pose_b.position = vec(quarters(random, -2, 2), 0, 2 * z);
  c->t_max = 1;
  c->motion_b.velocity.x = quarters(random, -4, 4);
  c->motion_b.velocity.y = quarters(random, -4, 4);
  c->motion_b.velocity.z = quarters(random, -4, 12);
  if (rng_coin(random)) c->motion_b.angular = sweep_spin(random, c, 3);
  if (rng_coin(random)) c->motion_a.angular = sweep_spin(random, c, 3);
}

static graze_vec lattice_vec(rng *random, int dim, int low, int high) {
  const double x = quarters(random, low, high), y = quarters(random, low, high), z = quarters(random, low, high);
  return vec(x, y, dim == 3 ? z : 0);
}

static graze_shape lattice_shape(rng *random, int dim) {
  const graze_vec e = lattice_vec(random, dim, 1, 8);
  switch (rng_below(random, 4)) {
  case 0: return point_of(dim);
  case 1: return segment_of(dim, zero, e);
  default: return box_of(dim, e.x, e.y, e.z);
  }
}

/* How far a lattice shape extends below its position: segments begin there and rise. */
static double below_of(const graze_shape *s) { return s->kind == GRAZE_BOX ? s->as.box.half_extents.y : 0; }

/* On a half-space at the start: it rises, sinks, slides, turns about any axis or about the normal, or rests. */
static void resting(rng *random, sweep_case *c) {
  const int dim = rng_between(random, 2, 3), steep = 1 << rng_below(random, 4);
  c->pair.a = lattice_shape(random, dim);
  c->pair.b = halfspace_of(dim, vec(0, steep, 0), 0);
  c->pair.pose_a = c->pair.pose_b = identity;
  c->pair.pose_a.position = lattice_vec(random, dim, -8, 8);
  c->pair.pose_a.position.y = below_of(&c->pair.a);
  c->t_max = rng_coin(random) ? 1 : INFINITY;
  c->motion_a.velocity = lattice_vec(random, dim, -4, 4);
  c->motion_b.velocity = lattice_vec(random, dim, -4, 4);
  double rate = rng_uniform(random, 0, 3);
  if (rng_coin(random)) rate = ldexp(rate, -rng_between(random, 10, 1060));
  graze_vec axis = dim == 2 ? vec(0, 0, 1) : rng_vec(random, 3, 1);
  if (rng_below(random, 4) == 0) axis = vec(0, dim == 3, 0);
  c->motion_a.angular = scaled(rate, axis);
  if (rng_coin(random)) exchange(c);
}

/* Nothing turns and nothing is rounded: along faces, into corners, past corners. */
static void sliding(rng *random, sweep_case *c) {
  const int dim = rng_between(random, 2, 3);
  c->pair.a = lattice_shape(random, dim), c->pair.b = lattice_shape(random, dim);
  c->pair.pose_a = c->pair.pose_b = identity;
  c->pair.pose_b.position = lattice_vec(random, dim, -12, 12);
  const double touching = below_of(&c->pair.a) + below_of(&c->pair.b);
  if (rng_below(random, 4)) c->pair.pose_b.position.y = rng_coin(random) ? touching : -touching;
  c->motion_b.velocity = lattice_vec(random, dim, -8, 8);
  if (rng_coin(random)) c->motion_b.velocity.y = 0;
  c->t_max = 4;
  if (rng_coin(random)) exchange(c);
}

static void endless(rng *random, sweep_case *c) {
  if (rng_below(random, 4))
    any_motion(random, c, 20);
  else
    planes(random, c);
  c->t_max = INFINITY;
}

static void overlapping(rng *random, sweep_case *c) {
  from(random, c, rng_below(random, families_random_count));
  c->pair.pose_b.position = add(c->pair.pose_a.position, rng_vec(random, dim_of(c), 0.1));
  if (rng_coin(random)) c->clearance = 0.25;
}

const sweep_family sweep_polytopes[] = {
    {"boxes 3D", boxes_3d, 35, 67, 3, 0.1, 99, 1e-7},
    {"hulls 3D", hulls_3d, 35, 67, 3, 0.1, 99, 1e-7},
    {"kinds 3D", kinds_3d, 27, 59, 3, 0.1, 99, 1e-7},
    {"boxes 2D", boxes_2d, 46, 78, 3, 0.1, 99, 1e-7},
    {"polygons", polygons_2d, 34, 66, 3, 0.1, 99, 1e-7},
    {"kinds 2D", kinds_2d, 45, 77, 3, 0.1, 99, 1e-7},
    {"half-spaces", planes, 61, 93, 100, 0.1, 99, 1e-7},
    {"plates", plates, 34, 66, 5, 0.1, 98, 1e-7},
    {"rods", rods, 22, 54, 3, 0.1, 95, 1e-7},
    {"1e6 and more away", offset_1e6, 37, 69, 3, 0.1, 99, 1e-7},
    {"the same velocity", together, 30, 62, 3, 0.1, 99, 1e-7},
    {"on the spot", on_the_spot, 28, 60, 3, 0.1, 99, 1e-7},
    {"one turns", one_turns, 36, 68, 3, 0.1, 99, 1e-7},
    {"1000 radians", fast_turns, 50, 82, 3, 0.1, 98, 1e-7},
    {"hardly any turn", slow_turns, 33, 65, 3, 0.1, 99, 1e-7},
    {"scale 1e-200", tiny, 38, 70, 3, 0.1, 99, 1e-7},
    {"scale 1e30", huge, 39, 71, 3, 0.1, 99, 1e-7},
    {"any pace", any_time, 38, 70, 3, 0.1, 99, 1e-7},
    {"bullets", bullets, 100, 100, 22, 0, 100, 1e-7},
    {"grazing", grazing, 35, 67, 70, 0.1, 99, 1e-7},
    {"in touch at first", in_touch, 38, 70, 100, 12, 0, INFINITY},
    {"on a half-space at first", resting, 37, 69, 100, 5, 20, INFINITY},
    {"overlapping at first", overlapping, 95, 100, 3, 0, 98, 1e-7},
};
const int sweep_polytopes_count = (int)COUNT(sweep_polytopes);

/* ---- curved shapes and support functions */

static double any_size(rng *random) { return rng_uniform(random, 0.1, 1); }

static void curved_pair(rng *random, sweep_case *c) {
  const int dim = rng_between(random, 2, 3);
  shape_pair *p = &c->pair;
  p->a = random_curved(random, dim, 0.1);
  p->b = rng_coin(random) ? random_curved(random, dim, 0.1) : random_shape(random, dim, p->vertices_b);
  if (rng_below(random, 4) == 0) p->a = graze_with_margin(p->a, any_size(random) / 2);
  place_near(random, p, 3, 1);
}

static void curved(rng *random, sweep_case *c) {
  curved_pair(random, c);
  sweep_random_motion(random, c, 20);
}

static void curved_planes(rng *random, sweep_case *c) {
  curved_pair(random, c);
  against_plane(random, c, -0.5, -0.5);
}

static void curved_offset(rng *random, sweep_case *c) {
  curved(random, c);
  move_pair(&c->pair, rng_vec(random, dim_of(c), 1e6));
}

static void curved_spinning(rng *random, sweep_case *c) {
  curved_pair(random, c);
  sweep_random_motion(random, c, 1000);
}

static void users(rng *random, sweep_case *c) {
  const int dim = rng_between(random, 2, 3);
  random_pair(random, dim, 1.0, &c->pair);
  graze_vec *h = c->pair.vertices_a;
  h->x = any_size(random), h->y = any_size(random), h->z = dim == 3 ? any_size(random) : 0;
  c->pair.a = rng_coin(random) ? user_box(dim, h) : user_ball(dim, &h->x);
  if (rng_below(random, 3) == 0) c->pair.a.margin = any_size(random) / 4;
  sweep_random_motion(random, c, 20);
}

static void curved_bullets(rng *random, sweep_case *c) {
  bullets(random, c);
  const double size = rng_uniform(random, 0.001, 0.01);
  c->pair.b = rng_coin(random) ? graze_ellipsoid(size, size / 2, size / 3) : graze_cone(size, size / 2);
}

/* The rim of an elliptic plate passes a wall by a small gap, or overlaps it by as much. */
static void curved_grazing(rng *random, sweep_case *c) {
  const double sign = rng_coin(random) ? 1 : -1, gap = ldexp(sign, -rng_between(random, 4, 30));
  const double half = any_size(random) + 1;
  const int dim = rng_coin(random) ? 2 : 3;
  c->pair.a = dim == 2 ? graze_ellipse(half, 0.3) : graze_ellipsoid(half, 0.3, any_size(random));
  turn_beside(random, c, box_of(dim, 0.5, 3, 3), half + gap + 0.5, gap);
}

const sweep_family sweep_others[] = {
    {"curved", curved, 38, 70, 3, 0.1, 99, 1e-7},
    {"curved, half-spaces", curved_planes, 67, 99, 3, 0.1, 99, 1e-7},
    {"curved, 1e6 away", curved_offset, 37, 69, 3, 0.1, 99, 1e-7},
    {"curved, 1000 radians", curved_spinning, 47, 79, 3, 0.1, 99, 1e-7},
    {"curved bullets", curved_bullets, 100, 100, 22, 0, 99, 1e-7},
    {"curved, grazing", curved_grazing, 34, 66, 3, 0.1, 99, 1e-7},
    {"of a support function", users, 44, 76, 3, 0.1, 99, 1e-7},
    {"sliding", sliding, 9, 41, 50, 0, 99, 1e-7},
    {"without an end", endless, 55, 87, 40, 4, 94, 1e-7},
};
const int sweep_others_count = (int)COUNT(sweep_others);
