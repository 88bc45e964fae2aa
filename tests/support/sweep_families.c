/* Shapes from tests/cso/families.c, and some of their own. */
#include "support/sweep_families.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static graze_vec plus(graze_vec p, graze_vec d, double f) {
  return (graze_vec){p.x + f * d.x, p.y + f * d.y, p.z + f * d.z};
}

static double quarters(rng *random, int low, int high) { return rng_between(random, low, high) * 0.25; }

static int dim_of(const sweep_case *c) { return c->pair.a.dim; }

graze_vec sweep_spin(rng *random, const sweep_case *c, double most) {
  double rate = rng_uniform(random, 0, most) / c->t_max;
  if (dim_of(c) == 2) return (graze_vec){0, 0, rng_coin(random) ? rate : -rate};
  graze_vec v = rng_vec(random, 3, 1);
  double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  if (!(length > 0)) return (graze_vec){rate, 0, 0};
  return (graze_vec){v.x / length * rate, v.y / length * rate, v.z / length * rate};
}

static void spin_both(rng *random, sweep_case *c, double most) {
  c->motion_a.angular = sweep_spin(random, c, most);
  c->motion_b.angular = sweep_spin(random, c, most);
}

static void come(rng *random, sweep_case *c) {
  int dim = dim_of(c);
  graze_vec v = rng_vec(random, dim, 3), aside = rng_vec(random, dim, 1.5);
  double t = rng_uniform(random, 0.5, 3);
  c->pair.pose_b.position = plus(plus(c->pair.pose_b.position, v, -t), aside, 1);
  c->motion_a.velocity = rng_vec(random, dim, 3);
  c->motion_b.velocity = plus(c->motion_a.velocity, v, 1);
  c->t_max = rng_uniform(random, 0.5, 6);
  if (rng_below(random, 4) == 0) c->clearance = rng_uniform(random, 0, 0.3);
}

void sweep_approach(rng *random, sweep_case *c, double most) {
  come(random, c);
  spin_both(random, c, most);
}

/* ---- polytopes */

static void from(rng *random, sweep_case *c, int which) {
  families_random[which].make(random, &c->pair);
  sweep_approach(random, c, 20);
}

static void boxes_3d(rng *random, sweep_case *c) { from(random, c, 0); }
static void hulls_3d(rng *random, sweep_case *c) { from(random, c, 1); }
static void kinds_3d(rng *random, sweep_case *c) { from(random, c, 2); }
static void boxes_2d(rng *random, sweep_case *c) { from(random, c, 3); }
static void polygons_2d(rng *random, sweep_case *c) { from(random, c, 4); }
static void kinds_2d(rng *random, sweep_case *c) { from(random, c, 5); }

static void any_pair(rng *random, sweep_case *c) { random_pair(random, rng_between(random, 2, 3), 1.0, &c->pair); }

static void exchange(sweep_case *c) {
  graze_shape keep = c->pair.a;
  graze_motion motion = c->motion_a;
  graze_pose pose = c->pair.pose_a;
  c->pair.a = c->pair.b, c->pair.b = keep;
  c->motion_a = c->motion_b, c->motion_b = motion;
  c->pair.pose_a = c->pair.pose_b, c->pair.pose_b = pose;
  memcpy(c->pair.vertices_b, c->pair.vertices_a, sizeof c->pair.vertices_b);
  if (c->pair.b.vertex_count > 0) c->pair.b.vertices = c->pair.vertices_b;
}

/* Half-spaces move, but do not turn. */
static void planes(rng *random, sweep_case *c) {
  any_pair(random, c);
  int dim = dim_of(c);
  graze_vec n = rng_vec(random, dim, 1);
  double offset = rng_uniform(random, -2, 0);
  c->pair.b = dim == 2 ? graze_halfspace2(n, offset) : graze_halfspace(n, offset);
  sweep_approach(random, c, 20);
  c->motion_b.angular = (graze_vec){0, 0, 0};
  if (rng_coin(random)) exchange(c);
}

static graze_shape thin(rng *random) {
  return graze_box(1, rng_coin(random) ? 1 : 0.3, rng_below(random, 3) ? 1e-6 : 0);
}

static void plates(rng *random, sweep_case *c) {
  c->pair.a = thin(random);
  c->pair.b = rng_coin(random) ? thin(random) : random_shape(random, 3, c->pair.vertices_b);
  place_near(random, &c->pair, 3, 1);
  sweep_approach(random, c, 20);
}

static graze_shape rod(rng *random) {
  double length = rng_uniform(random, 1, 5);
  switch (rng_below(random, 3)) {
  case 0: return graze_box(length, 1e-3, 1e-4);
  case 1: return graze_capsule(1e-3, length);
  default: return graze_segment((graze_vec){-length, 0, 0}, (graze_vec){0.3 * length, 0, 0});
  }
}

static void rods(rng *random, sweep_case *c) {
  c->pair.a = rod(random);
  c->pair.b = rng_coin(random) ? rod(random) : random_shape(random, 3, c->pair.vertices_b);
  place_near(random, &c->pair, 3, 2);
  sweep_approach(random, c, 20);
}

static void far_away(rng *random, sweep_case *c) {
  any_pair(random, c);
  sweep_approach(random, c, 20);
  graze_vec off = rng_vec(random, dim_of(c), rng_coin(random) ? 1e6 : 1e9);
  c->pair.pose_a.position = plus(c->pair.pose_a.position, off, 1);
  c->pair.pose_b.position = plus(c->pair.pose_b.position, off, 1);
}

static void together(rng *random, sweep_case *c) {
  any_pair(random, c);
  sweep_approach(random, c, 20);
  c->pair.pose_b.position = plus(c->pair.pose_a.position, rng_vec(random, dim_of(c), 2), 1);
  c->motion_b.velocity = c->motion_a.velocity;
}

static void on_the_spot(rng *random, sweep_case *c) {
  together(random, c);
  c->motion_a.velocity = c->motion_b.velocity = (graze_vec){0, 0, 0};
  if (rng_below(random, 8) == 0) c->motion_a.angular = c->motion_b.angular = (graze_vec){0, 0, 0};
}

static void one_turns(rng *random, sweep_case *c) {
  any_pair(random, c);
  sweep_approach(random, c, 20);
  *(rng_coin(random) ? &c->motion_a.angular : &c->motion_b.angular) = (graze_vec){0, 0, 0};
}

static void many_turns(rng *random, sweep_case *c) {
  any_pair(random, c);
  sweep_approach(random, c, 1000);
}

static void slow_turns(rng *random, sweep_case *c) {
  any_pair(random, c);
  sweep_approach(random, c, ldexp(1, -rng_between(random, 10, 1060)));
}

static void scaled_by(rng *random, sweep_case *c, double factor) {
  any_pair(random, c);
  sweep_approach(random, c, 20);
  scale_pair(&c->pair, factor);
  c->clearance *= factor;
  c->motion_a.velocity = plus((graze_vec){0, 0, 0}, c->motion_a.velocity, factor);
  c->motion_b.velocity = plus((graze_vec){0, 0, 0}, c->motion_b.velocity, factor);
}

static void tiny(rng *random, sweep_case *c) { scaled_by(random, c, 0x1p-664); }
static void huge(rng *random, sweep_case *c) { scaled_by(random, c, 0x1p100); }

static graze_motion slower(graze_motion m, double factor) {
  const graze_vec none = {0, 0, 0};
  return (graze_motion){plus(none, m.velocity, 1 / factor), plus(none, m.angular, 1 / factor)};
}

/* The same in the blink of an eye, or nearly for ever. */
static void any_time(rng *random, sweep_case *c) {
  any_pair(random, c);
  sweep_approach(random, c, 20);
  double factor = ldexp(1, rng_between(random, -120, 900));
  c->t_max *= factor;
  c->motion_a = slower(c->motion_a, factor), c->motion_b = slower(c->motion_b, factor);
}

/* Small, fast and spinning, through a wall of 1e-6 that may turn, too. */
static void bullets(rng *random, sweep_case *c) {
  double size = rng_uniform(random, 0.001, 0.01), back = rng_uniform(random, 0.1, 0.9);
  graze_vec aim = {rng_uniform(random, -1, 1), rng_uniform(random, -1, 1), 0};
  graze_vec v = {rng_uniform(random, -0.5, 0.5), rng_uniform(random, -0.5, 0.5), 20};
  c->pair.a = graze_box(4, 4, rng_coin(random) ? 5e-7 : 0);
  c->pair.b = rng_coin(random) ? graze_box(size, size / 2, size / 3) : graze_capsule(size / 3, size);
  c->pair.pose_a = identity_pose();
  c->pair.pose_b = random_pose(random, 3, 0);
  c->pair.pose_b.position = plus(aim, v, -back);
  c->motion_b.velocity = v;
  c->t_max = 1;
  c->motion_b.angular = sweep_spin(random, c, 500);
  if (rng_coin(random)) c->motion_a.angular.z = rng_uniform(random, -10, 10);
  c->known = 1;
}

/* A bar that turns by more than a revolution beside a wall, its end passing by that little, or touching by it. */
static void grazing(rng *random, sweep_case *c) {
  double gap = ldexp(rng_coin(random) ? 1 : -1, -rng_between(random, 4, 36)), half = rng_uniform(random, 0.5, 2);
  double round = rng_coin(random) ? rng_uniform(random, 0.01, 0.3) : 0;
  bool flat = rng_coin(random), plane = rng_coin(random);
  c->pair.a = flat ? graze_capsule2(round, half) : graze_box(half, 0, 0);
  if (!flat) c->pair.a = graze_with_margin(c->pair.a, round);
  c->pair.b = flat ? graze_box2(0.5, 3) : graze_box(0.5, 3, 3);
  if (plane) c->pair.b = flat ? graze_halfspace2((graze_vec){-1, 0, 0}, 0) : graze_halfspace((graze_vec){-2, 0, 0}, 0);
  c->pair.pose_a = c->pair.pose_b = identity_pose();
  c->pair.pose_b.position.x = half + round + gap + (plane ? 0 : 0.5);
  c->pair.pose_a.w = 0.7; /* turned by 70 to 105 degrees: not in contact at first */
  c->pair.pose_a.z = rng_uniform(random, 0.5, 0.9);
  c->t_max = 1;
  c->motion_a.angular.z = rng_uniform(random, 7, 20);
  c->known = gap > 0 ? -1 : 1;
}

/* Boxes on a lattice in touch at first: they part, or press into each other, by turning and by moving. */
static void in_touch(rng *random, sweep_case *c) {
  graze_vec e = {quarters(random, 1, 8), quarters(random, 1, 8), quarters(random, 1, 8)}, f = e;
  c->pair.a = graze_box(e.x, e.y, e.z);
  c->pair.b = graze_box(f.x, f.y, f.z);
  c->pair.pose_a = c->pair.pose_b = identity_pose();
  c->pair.pose_b.position = (graze_vec){quarters(random, -2, 2), 0, e.z + f.z};
  c->t_max = 1;
  c->motion_b.velocity = (graze_vec){quarters(random, -4, 4), quarters(random, -4, 4), quarters(random, -4, 12)};
  if (rng_coin(random)) c->motion_b.angular = sweep_spin(random, c, 3);
  if (rng_coin(random)) c->motion_a.angular = sweep_spin(random, c, 3);
}

static graze_vec lattice_vec(rng *random, int dim, int low, int high) {
  double x = quarters(random, low, high), y = quarters(random, low, high), z = quarters(random, low, high);
  return (graze_vec){x, y, dim == 3 ? z : 0};
}

static graze_shape lattice_shape(rng *random, int dim) {
  graze_vec e = lattice_vec(random, dim, 1, 8), none = {0, 0, 0};
  switch (rng_below(random, 4)) {
  case 0: return dim == 2 ? graze_point2() : graze_point();
  case 1: return dim == 2 ? graze_segment2(none, e) : graze_segment(none, e);
  default: return dim == 2 ? graze_box2(e.x, e.y) : graze_box(e.x, e.y, e.z);
  }
}

/* How far below its position a lattice shape reaches: segments begin there and rise. */
static double below_of(const graze_shape *s) { return s->kind == GRAZE_BOX ? s->extents.y : 0; }

/* On a half-space at first: it rises, sinks, slides, turns about any axis or about the normal, or does nothing. */
static void resting(rng *random, sweep_case *c) {
  int dim = rng_between(random, 2, 3), steep = 1 << rng_below(random, 4);
  graze_vec up = {0, steep, 0};
  c->pair.a = lattice_shape(random, dim);
  c->pair.b = dim == 2 ? graze_halfspace2(up, 0) : graze_halfspace(up, 0);
  c->pair.pose_a = c->pair.pose_b = identity_pose();
  c->pair.pose_a.position = lattice_vec(random, dim, -8, 8);
  c->pair.pose_a.position.y = below_of(&c->pair.a);
  c->t_max = rng_coin(random) ? 1 : INFINITY;
  c->motion_a.velocity = lattice_vec(random, dim, -4, 4);
  c->motion_b.velocity = lattice_vec(random, dim, -4, 4);
  double rate = rng_uniform(random, 0, 3);
  if (rng_coin(random)) rate = ldexp(rate, -rng_between(random, 10, 1060));
  graze_vec axis = dim == 2 ? (graze_vec){0, 0, 1} : rng_vec(random, 3, 1);
  if (rng_below(random, 4) == 0) axis = (graze_vec){0, dim == 3, 0};
  c->motion_a.angular = (graze_vec){rate * axis.x, rate * axis.y, rate * axis.z};
  if (rng_coin(random)) exchange(c);
}

/* Nothing turns, and nothing is rounded: along faces, into seams, past corners. */
static void sliding(rng *random, sweep_case *c) {
  int dim = rng_between(random, 2, 3);
  c->pair.a = lattice_shape(random, dim), c->pair.b = lattice_shape(random, dim);
  c->pair.pose_a = c->pair.pose_b = identity_pose();
  c->pair.pose_b.position = lattice_vec(random, dim, -12, 12);
  double touching = below_of(&c->pair.a) + below_of(&c->pair.b);
  if (rng_below(random, 4)) c->pair.pose_b.position.y = rng_coin(random) ? touching : -touching;
  c->motion_b.velocity = lattice_vec(random, dim, -8, 8);
  if (rng_coin(random)) c->motion_b.velocity.y = 0;
  c->t_max = 4;
  if (rng_coin(random)) exchange(c);
}

/* Asked about for ever. */
static void endless(rng *random, sweep_case *c) {
  if (rng_below(random, 4))
    any_pair(random, c), sweep_approach(random, c, 20);
  else
    planes(random, c);
  c->t_max = INFINITY;
}

static void overlapping(rng *random, sweep_case *c) {
  families_random[rng_below(random, families_random_count)].make(random, &c->pair);
  sweep_approach(random, c, 20);
  c->pair.pose_b.position = plus(c->pair.pose_a.position, rng_vec(random, dim_of(c), 0.1), 1);
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
    {"1e6 and more away", far_away, 37, 69, 3, 0.1, 99, 1e-7},
    {"the same velocity", together, 30, 62, 3, 0.1, 99, 1e-7},
    {"on the spot", on_the_spot, 28, 60, 3, 0.1, 99, 1e-7},
    {"one turns", one_turns, 36, 68, 3, 0.1, 99, 1e-7},
    {"1000 radians", many_turns, 50, 82, 3, 0.1, 98, 1e-7},
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
const int sweep_polytopes_count = (int)(sizeof sweep_polytopes / sizeof sweep_polytopes[0]);

/* ---- curved shapes and those of a support function */

static double any_size(rng *random) { return rng_uniform(random, 0.1, 1); }

static graze_shape curved_shape(rng *random, int dim) {
  double x = any_size(random), y = any_size(random);
  if (dim == 2) return graze_ellipse(x, y);
  switch (rng_below(random, 3)) {
  case 0: return graze_ellipsoid(x, y, any_size(random));
  case 1: return graze_cylinder(x, y);
  default: return graze_cone(x, y);
  }
}

static void curved_pair(rng *random, sweep_case *c) {
  int dim = rng_between(random, 2, 3);
  shape_pair *p = &c->pair;
  p->a = curved_shape(random, dim);
  p->b = rng_coin(random) ? curved_shape(random, dim) : random_shape(random, dim, p->vertices_b);
  if (rng_below(random, 4) == 0) p->a = graze_with_margin(p->a, any_size(random) / 2);
  place_near(random, p, 3, 1);
}

static void curved(rng *random, sweep_case *c) {
  curved_pair(random, c);
  sweep_approach(random, c, 20);
}

static void curved_planes(rng *random, sweep_case *c) {
  curved_pair(random, c);
  graze_vec n = rng_vec(random, dim_of(c), 1);
  c->pair.b = dim_of(c) == 2 ? graze_halfspace2(n, -0.5) : graze_halfspace(n, -0.5);
  sweep_approach(random, c, 20);
  c->motion_b.angular = (graze_vec){0, 0, 0};
  if (rng_coin(random)) exchange(c);
}

static void curved_far(rng *random, sweep_case *c) {
  curved(random, c);
  graze_vec off = rng_vec(random, dim_of(c), 1e6);
  c->pair.pose_a.position = plus(c->pair.pose_a.position, off, 1);
  c->pair.pose_b.position = plus(c->pair.pose_b.position, off, 1);
}

static void curved_spinning(rng *random, sweep_case *c) {
  curved_pair(random, c);
  sweep_approach(random, c, 1000);
}

/* The half extents of the user's box lie in the room for vertices. */
static double box_support(void *context, graze_vec d, graze_vec *point) {
  const graze_vec *h = context;
  *point = (graze_vec){d.x > 0 ? h->x : -h->x, d.y > 0 ? h->y : -h->y, d.z > 0 ? h->z : -h->z};
  return 0;
}

/* A ball of the radius at context. Each coordinate is rounded a few times: 4 ulps cover the support value. */
static double ball_support(void *context, graze_vec d, graze_vec *point) {
  double r = ((const graze_vec *)context)->x, length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
  *point = (graze_vec){r * (d.x / length), r * (d.y / length), r * (d.z / length)};
  return r * 0x1p-50;
}

static void users(rng *random, sweep_case *c) {
  int dim = rng_between(random, 2, 3);
  random_pair(random, dim, 1.0, &c->pair);
  graze_vec *h = c->pair.vertices_a;
  *h = (graze_vec){any_size(random), any_size(random), dim == 3 ? any_size(random) : 0};
  c->pair.a = graze_user(dim, rng_coin(random) ? box_support : ball_support, h);
  if (rng_below(random, 3) == 0) c->pair.a.margin = any_size(random) / 4;
  sweep_approach(random, c, 20);
}

/* Elliptic plates of which the rim passes a wall by that little: turned by a revolution or more. */
static void curved_grazing(rng *random, sweep_case *c) {
  double gap = ldexp(rng_coin(random) ? 1 : -1, -rng_between(random, 4, 30)), long_half = any_size(random) + 1;
  bool flat = rng_coin(random);
  c->pair.a = flat ? graze_ellipse(long_half, 0.3) : graze_ellipsoid(long_half, 0.3, any_size(random));
  c->pair.b = flat ? graze_box2(0.5, 3) : graze_box(0.5, 3, 3);
  c->pair.pose_a = c->pair.pose_b = identity_pose();
  c->pair.pose_b.position.x = long_half + gap + 0.5;
  c->pair.pose_a.w = 0.7, c->pair.pose_a.z = rng_uniform(random, 0.5, 0.9);
  c->t_max = 1;
  c->motion_a.angular.z = rng_uniform(random, 2 * pi + 0.5, 20);
  c->known = gap > 0 ? -1 : 1;
}

const sweep_family sweep_others[] = {
    {"curved", curved, 38, 70, 3, 0.1, 99, 1e-7},
    {"curved, half-spaces", curved_planes, 67, 99, 3, 0.1, 99, 1e-7},
    {"curved, 1e6 away", curved_far, 37, 69, 3, 0.1, 99, 1e-7},
    {"curved, 1000 radians", curved_spinning, 47, 79, 3, 0.1, 99, 1e-7},
    {"curved, grazing", curved_grazing, 34, 66, 3, 0.1, 99, 1e-7},
    {"of a support function", users, 44, 76, 3, 0.1, 99, 1e-7},
    {"sliding", sliding, 9, 41, 50, 0, 99, 1e-7},
    {"without an end", endless, 55, 87, 40, 4, 94, 1e-7},
};
const int sweep_others_count = (int)(sizeof sweep_others / sizeof sweep_others[0]);
