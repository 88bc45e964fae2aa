/* grz_box_depth() against the definition in quadruple precision: all vertices on 15 (2D: 4) axes, the rotation straight
 * from the quaternion. The truth lies in the interval, which is narrow; the direction gives `high`; the witness points
 * lie in both boxes, as far apart as the depth. */

#include "support/test.h"
#include "axes/box.h"
#include "cso/obstacle.h"
#include "support/rational.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

static const uint64_t seed_of = 0x13198a2e03707344u;
static uint64_t state;

static double any(double low, double high) { return rng_uniform(&state, low, high); }

static int any_of(int count) { return (int)any(0, count); }

/* ---- The definition. */
typedef struct solid {
  quad axis[3][3], half[3], centre[3];
} solid;

static quad quad_abs(quad x) { return x < 0 ? -x : x; }

/* Two steps of Newton from a double. */
static quad quad_root(quad x) {
  if (x <= 0) return 0;
  quad scale = 1;
  while (x < (quad)1e-200) x *= (quad)0x1p200, scale *= (quad)0x1p-100;
  quad y = (quad)sqrt((double)x);
  y = (y + x / y) / 2;
  return (y + x / y) / 2 * scale;
}

static quad quad_dot(const quad *x, const quad *y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

static void quad_cross(const quad *x, const quad *y, quad *out) {
  for (int i = 0; i < 3; i++) out[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
}

static solid solid_of(const graze_placed *box, double unit) {
  graze_pose pose = box->pose;
  quad w = pose.w, x = pose.x, y = pose.y, z = pose.z, n = w * w + x * x + y * y + z * z;
  solid s = {{{(w * w + x * x - y * y - z * z) / n, 2 * (x * y + w * z) / n, 2 * (x * z - w * y) / n},
              {2 * (x * y - w * z) / n, (w * w + y * y - x * x - z * z) / n, 2 * (y * z + w * x) / n},
              {2 * (x * z + w * y) / n, 2 * (y * z - w * x) / n, (w * w + z * z - x * x - y * y) / n}},
             {box->shape.extents.x, box->shape.extents.y, box->shape.extents.z},
             {pose.position.x, pose.position.y, pose.position.z}};
  for (int i = 0; i < 3; i++) s.half[i] *= unit, s.centre[i] *= unit;
  return s;
}

/* max d·x over the vertices, without the centre. */
static quad solid_far(const solid *s, const quad *d) {
  quad far = 0, along[3];
  for (int i = 0; i < 3; i++) along[i] = s->half[i] * quad_dot(s->axis[i], d);
  for (int v = 0; v < 8; v++) {
    quad value = 0;
    for (int i = 0; i < 3; i++) value += v >> i & 1 ? along[i] : -along[i];
    if (v == 0 || value > far) far = value;
  }
  return far;
}

/* max d·(a - b), for d of any length, per its length. */
static quad depth_along(const solid *a, const solid *b, const quad *d) {
  quad from[3] = {a->centre[0] - b->centre[0], a->centre[1] - b->centre[1], a->centre[2] - b->centre[2]};
  quad back[3] = {-d[0], -d[1], -d[2]};
  return (quad_dot(from, d) + solid_far(a, d) + solid_far(b, back)) / quad_root(quad_dot(d, d));
}

static void depth_try(const solid *a, const solid *b, const quad *d, quad *least) {
  quad back[3] = {-d[0], -d[1], -d[2]}, one = depth_along(a, b, d), other = depth_along(a, b, back);
  quad depth = one < other ? one : other;
  if (depth < *least) *least = depth;
}

/* Edges nearer to parallel than 1e-17 are left out: no facet of theirs is wider than that. */
static quad depth_of(const solid *a, const solid *b, int dim) {
  quad least = depth_along(a, b, a->axis[0]), cross[3];
  for (int i = 0; i < dim; i++) depth_try(a, b, a->axis[i], &least), depth_try(a, b, b->axis[i], &least);
  for (int i = 0; i < 9 && dim == 3; i++) {
    quad_cross(a->axis[i / 3], b->axis[i % 3], cross);
    if (quad_dot(cross, cross) > (quad)1e-34) depth_try(a, b, cross, &least);
  }
  return least;
}

/* ---- Random pairs. */
typedef enum family {
  UNIFORM,
  NEARLY_PARALLEL, /* by 1e-3 … 1e-17, about any axis or one of B's */
  SAME_ROTATION,
  STACKED, /* upright, turned and tilted by anything down to 1e-12 */
  FLAT,    /* some extents 0 */
  NEEDLES,
  TINY,
  HUGE_,
  FAR, /* both at 1e8 */
  SUBNORMAL,
  PLANAR, /* 2D */
  PLANAR_PARALLEL,
  FAMILIES
} family;

static double any_power(double low, double high) { return pow(10, any(low, high)); }

static graze_pose pose_times(graze_pose p, graze_pose q) {
  graze_pose r = {p.position, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                  p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                  p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
  return r;
}

static graze_pose any_turn(void) {
  graze_pose p = {{0, 0, 0}, any(-1, 1), any(-1, 1), any(-1, 1), any(-1, 1)};
  return p;
}

/* A small turn, perhaps about one axis, perhaps of a right angle besides. */
static graze_pose any_small_turn(double size) {
  graze_pose p = {{0, 0, 0}, 1, any(-1, 1) * size, any(-1, 1) * size, any(-1, 1) * size};
  int about = any_of(6);
  if (about == 0) p.y = p.z = 0;
  if (about == 1) p.x = p.z = 0;
  if (about == 2) p.x = p.y = 0;
  graze_pose right = {{0, 0, 0}, 1, 0, any_of(2), 0};
  return any_of(2) ? pose_times(right, p) : p;
}

static double any_extent(family f) {
  switch (f) {
  case FLAT: return any_of(3) == 0 ? 0 : any(0.1, 2);
  case NEEDLES: return any_of(2) ? 1e-6 * any(0.5, 2) : any(0.5, 2);
  case TINY: return any(0.1, 2) * 1e-300;
  case SUBNORMAL: return any(0.1, 2) * 1e-312;
  case HUGE_: return any(0.1, 1) * 1e39;
  case SAME_ROTATION: return any_of(4) ? any(0.1, 2) : 1;
  default: return any(0.1, 2);
  }
}

static graze_placed any_box(family f, graze_pose pose) {
  bool planar = f == PLANAR || f == PLANAR_PARALLEL;
  double x = any_extent(f), y = any_extent(f), z = any_extent(f);
  graze_shape shape = planar ? graze_box2(x, y) : graze_box(x, y, z);
  return graze_place(&shape, pose);
}

static void any_poses(family f, graze_pose *a, graze_pose *b) {
  *a = any_turn();
  *b = any_turn();
  if (f == PLANAR || f == PLANAR_PARALLEL) a->x = a->y = b->x = b->y = 0;
  if (f == PLANAR_PARALLEL) {
    graze_pose turn = {{0, 0, 0}, 1, 0, 0, any(-1, 1) * any_power(-17, -3)};
    *b = pose_times(*a, turn);
  }
  if (f == NEARLY_PARALLEL) *b = pose_times(*a, any_small_turn(any_power(-17, -3)));
  if (f == SAME_ROTATION || ((f == FLAT || f == NEEDLES || f == TINY || f == SUBNORMAL) && any_of(3) == 0)) *b = *a;
  if (f == STACKED) {
    graze_pose upright = {{0, 0, 0}, 1, 0, 0, 0}, yaw = upright;
    if (any_of(2)) *a = upright;
    yaw.z = any_of(3) ? any_power(-12, 0) : 0;
    graze_pose tilt = {{0, 0, 0}, 1, any(-1, 1) * any_power(-16, -3), any(-1, 1) * any_power(-16, -3), 0};
    *b = pose_times(pose_times(*a, yaw), tilt);
  }
}

/* Somewhere inside each other: apart by `share` of what along that line would just touch on the way out. */
static void any_place(family f, graze_placed *a, graze_placed *b) {
  graze_pose pose_a, pose_b;
  any_poses(f, &pose_a, &pose_b);
  *a = any_box(f, pose_a), *b = any_box(f, pose_b);
  double z = f == PLANAR || f == PLANAR_PARALLEL ? 0 : 1, size = a->reach + b->reach;
  graze_vec line = {any(-1, 1), any(-1, 1), z * any(-1, 1)};
  if (f == STACKED) { /* along the vertical, nearly */
    line = vec_add(vec_rotate(a->rotation, vec_make(0, 0, 1), 3), vec_scale(line, any_power(-3, 0)));
  }
  solid sa = solid_of(a, 1), sb = solid_of(b, 1);
  quad d[3] = {line.x, line.y, line.z}, low = 0, high = (quad)size / quad_root(quad_dot(d, d));
  for (int step = 0; step < 10; step++) {
    quad middle = (low + high) / 2;
    for (int i = 0; i < 3; i++) sb.centre[i] = middle * d[i];
    *(depth_of(&sa, &sb, z == 0 ? 2 : 3) > 0 ? &low : &high) = middle;
  }
  double share = any_of(3) ? any(0, 1) : 1 - any_power(-6, -1);
  if (any_of(10) == 0) share = 0;
  pose_b.position = vec_scale(line, (double)low * share);
  if (f == FAR) {
    pose_a.position = vec_make(any(-1, 1) * 1e8, any(-1, 1) * 1e8, any(-1, 1) * 1e8);
    pose_b.position = vec_add(pose_b.position, pose_a.position);
  }
  assert_int_equal(graze_set_pose(a, pose_a), GRAZE_OK);
  assert_int_equal(graze_set_pose(b, pose_b), GRAZE_OK);
}

/* ---- Checks. */
typedef struct tally {
  int asked, edges, faces_a, faces_b;
  double width, above, outside, apart; /* the worst seen, in units of size */
} tally;

/* How far outside of the box, beyond its faces. */
static double outside(const solid *s, const quad *x) {
  quad worst = 0;
  for (int i = 0; i < 3; i++) {
    quad over = quad_abs(quad_dot(s->axis[i], x)) - s->half[i];
    if (over > worst) worst = over;
  }
  return (double)worst;
}

static void check_witness(const solid *a, const solid *b, const grz_axis_depth *found, double size, tally *t) {
  quad on_a[3] = {found->core_a.x, found->core_a.y, found->core_a.z};
  quad on_b[3] = {found->core_b.x, found->core_b.y, found->core_b.z};
  const double d[3] = {found->direction.x, found->direction.y, found->direction.z};
  double apart = 0;
  for (int i = 0; i < 3; i++) {
    quad off = (on_a[i] + a->centre[i]) - (on_b[i] + b->centre[i]) - d[i] * (quad)found->high;
    apart = fmax(apart, (double)quad_abs(off));
  }
  t->outside = fmax(t->outside, fmax(outside(a, on_a), outside(b, on_b)) / size);
  t->apart = fmax(t->apart, apart / size);
}

static void check_direction(const solid *a, const solid *b, const grz_axis_depth *found, double size, tally *t) {
  quad d[3] = {found->direction.x, found->direction.y, found->direction.z};
  double length = (double)quad_root(quad_dot(d, d));
  assert_true(fabs(length - 1) < 1e-14);
  quad above = (quad)found->high - depth_along(a, b, d);
  assert_true(above >= 0);
  t->above = fmax(t->above, (double)above / size);
}

static void check_pair(const graze_placed *a, const graze_placed *b, tally *t) {
  grz_obstacle c;
  grz_axis_depth found;
  grz_obstacle_make(&c, a, b, 0);
  solid sa = solid_of(a, c.unit), sb = solid_of(b, c.unit);
  quad truth = depth_of(&sa, &sb, c.dim);
  if (!(truth > (quad)(1e-14 * c.size))) return;
  grz_box_depth(a, b, c.offset, c.unit, c.size, &found);
  t->asked++;
  assert_int_equal(found.axes, c.dim == 2 ? 4 : 15);
  if (!((quad)found.low <= truth && truth <= (quad)found.high)) {
    print_error("%.17g not in [%.17g, %.17g], size %g\n", (double)truth, found.low, found.high, c.size);
    fail();
  }
  t->width = fmax(t->width, (found.high - found.low) / fmax(a->reach, b->reach) / c.unit);
  check_direction(&sa, &sb, &found, c.size, t);
  check_witness(&sa, &sb, &found, c.size, t);
  bool face_a = false, face_b = false;
  quad d[3] = {found.direction.x, found.direction.y, found.direction.z};
  for (int i = 0; i < 3; i++) {
    face_a = face_a || (double)quad_abs(quad_dot(d, sa.axis[i])) > 1 - 1e-14;
    face_b = face_b || (double)quad_abs(quad_dot(d, sb.axis[i])) > 1 - 1e-14;
  }
  t->faces_a += face_a, t->faces_b += face_b && !face_a, t->edges += !face_a && !face_b;
}

TEST(test_families) {
  static const char *const name[FAMILIES] = {"uniform", "nearly parallel", "same rotation", "stacked",
                                             "flat",    "needles",         "tiny",          "huge",
                                             "far",     "subnormal",       "planar",        "planar parallel"};
  state = seed_of;
  for (int f = 0; f < FAMILIES; f++) {
    tally t = {0};
    for (int n = 0; n < 400; n++) {
      graze_placed a, b;
      any_place((family)f, &a, &b);
      check_pair(&a, &b, &t);
    }
    print_message("%-15s %4d: faces %d + %d, edges %d; width %.1e, above %.1e, outside %.1e, apart %.1e\n", name[f],
                  t.asked, t.faces_a, t.faces_b, t.edges, t.width, t.above, t.outside, t.apart);
    assert_true(t.asked > 200);
    assert_true(t.faces_a > 20);
    assert_true(f == SAME_ROTATION || f == PLANAR_PARALLEL || f == NEARLY_PARALLEL || t.faces_b > 20);
    assert_true(t.width < 1e-12 && t.above < 1e-12 && t.outside < 1e-9 && t.apart < 1e-9);
  }
}
