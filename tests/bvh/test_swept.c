/* Swept bounds against the corners of moving bodies at many times, computed in long double. No corner is outside, not
 * by one unit in the last place, and the bounds are tight. Then half-spaces and boxes that overlap by less than such a
 * unit.
 *
 * GRAZE_TIER: test, ci, soak: 20,000, 40,000 and 5,000,000 bodies. The seed is 1. */
#include "support/test.h"
#include "bvh/scene_tree.h"

#include "core/vec.h"
#include "shape/placed.h"
#include "worlds.h"

#include <float.h>

#define U 0x1p-53L

enum { TIMES = 16, CORNERS = 8, PARTS = 3 };

/* The margin of bounds without rotation, in units of rounding. */
enum { LEAST = 40 - 21 - 8, MOST = 40 + 24 + 21 + 8 };

static uint64_t state;

static double between(double low, double high) { return rng_uniform(&state, low, high); }

static int one_of(int count) { return (int)between(0, count); }

static graze_vec cube(int dim, double size) {
  return (graze_vec){between(-size, size), between(-size, size), dim == 3 ? between(-size, size) : 0};
}

/* ---- Motion in long double */

typedef struct point {
  long double x[3];
} point;

static point point_of(graze_vec v) { return (point){{v.x, v.y, v.z}}; }

static long double dot(point p, point q) { return p.x[0] * q.x[0] + p.x[1] * q.x[1] + p.x[2] * q.x[2]; }

static point cross(point p, point q) {
  return (point){
      {p.x[1] * q.x[2] - p.x[2] * q.x[1], p.x[2] * q.x[0] - p.x[0] * q.x[2], p.x[0] * q.x[1] - p.x[1] * q.x[0]}};
}

static point add_scaled_point(point p, long double f, point q) {
  for (int i = 0; i < 3; i++) p.x[i] += f * q.x[i];
  return p;
}

/* Rotates a point by a quaternion of any length. */
static point turned(long double w, point v, point p) {
  const long double square = w * w + dot(v, v);
  return add_scaled_point(p, 2 / square, add_scaled_point(cross(v, cross(v, p)), w, cross(v, p)));
}

static point posed(const graze_pose *pose, point p) {
  const point v = {{pose->x, pose->y, pose->z}};
  return add_scaled_point(turned(pose->w, v, p), 1, point_of(pose->position));
}

/* Returns the position of a local point at time t. */
static point moved(const graze_pose *pose, const graze_motion *motion, long double t, point local) {
  const point omega = point_of(motion->angular), at = point_of(pose->position);
  const long double rate = sqrtl(dot(omega, omega));
  point p = add_scaled_point(posed(pose, local), -1, at);
  if (rate > 0)
    p = turned(cosl(rate * t / 2), add_scaled_point((point){{0, 0, 0}}, sinl(rate * t / 2) / rate, omega), p);
  return add_scaled_point(add_scaled_point(at, t, point_of(motion->velocity)), 1, p);
}

/* ---- Bodies */

typedef struct body {
  graze_vec vertices[PARTS][CORNERS];
  graze_compound *compound; /* NULL: one shape */
  point corner[PARTS * CORNERS];
  int corners;
  double size, round;
  graze_pose pose; /* of the body, not of a part */
  graze_placed placed;
  graze_frame frame; /* of a part */
  graze_motion motion;
  double time, grow;
} body;

/* Makes a box or a hull, and appends its corners in the given pose. */
static graze_shape any_shape(body *b, int dim, int part, const graze_pose *pose) {
  const bool box = one_of(2);
  const graze_vec e = {fabs(between(0, b->size)), fabs(between(0, b->size)), dim == 3 ? fabs(between(0, b->size)) : 0};
  for (int i = 0; i < CORNERS; i++) {
    graze_vec *v = &b->vertices[part][i];
    *v = box ? (graze_vec){i & 1 ? e.x : -e.x, i & 2 ? e.y : -e.y, i & 4 ? e.z : -e.z} : cube(dim, b->size);
    b->corner[b->corners++] = posed(pose, point_of(*v));
  }
  if (box) return dim == 2 ? graze_box2(e.x, e.y) : graze_box(e.x, e.y, e.z);
  return dim == 2 ? graze_hull_points2(b->vertices[part], CORNERS) : graze_hull_points(b->vertices[part], CORNERS);
}

static graze_pose any_pose(int dim, double size) {
  const graze_vec p = cube(dim, size);
  const int kind = one_of(3);
  if (kind == 0) return graze_pose_at(p.x, p.y, p.z);
  if (dim == 2) return graze_pose2(p.x, p.y, between(-4, 4));
  if (kind == 1) return graze_pose3(p, one_of(2), one_of(2), one_of(2), 1);
  return graze_pose3(p, between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1));
}

static void make_shape(body *b, int dim, graze_shape *shape) {
  const graze_pose none = graze_pose_at(0, 0, 0);
  graze_placed part[PARTS];
  b->corners = 0, b->compound = NULL;
  *shape = any_shape(b, dim, 0, &none);
  if (one_of(4) > 0) return;
  b->corners = 0;
  for (int i = 0; i < PARTS; i++) {
    const graze_pose pose = any_pose(dim, b->size);
    const graze_shape one = any_shape(b, dim, i, &pose);
    part[i] = graze_place(&one, pose);
  }
  assert_int_equal(graze_compound_create(part, PARTS, NULL, &b->compound, NULL), GRAZE_OK);
  *shape = graze_compound_shape(b->compound);
}

/* Replaces a compound by one of its parts. (Bounds once used the part's pose in the compound.) */
static void choose_part(body *b) {
  const int part = one_of(PARTS);
  b->placed = graze_part(&b->placed, (size_t)part, &b->frame);
  assert_int_equal(b->placed.status, GRAZE_OK);
  for (int i = 0; i < CORNERS; i++) b->corner[i] = b->corner[part * CORNERS + i];
  b->corners = CORNERS;
}

static void make(body *b) {
  static const double offsets[] = {0, 1, 1e6, 1e20};
  const int dim = 2 + one_of(2), turns = one_of(3);
  graze_shape shape;
  b->size = one_of(4) ? 1 : pow(10, between(-30, 20));
  make_shape(b, dim, &shape);
  b->round = one_of(2) ? 0 : between(0, b->size);
  shape = graze_with_margin(shape, b->round);
  b->pose = any_pose(dim, b->size * offsets[one_of(4)]);
  b->placed = graze_place(&shape, b->pose);
  assert_int_equal(b->placed.status, GRAZE_OK);
  if (b->compound != NULL && one_of(2)) choose_part(b);
  b->motion = (graze_motion){cube(dim, one_of(3) * b->size * between(0, 4)), {0, 0, 0}};
  if (turns == 1) b->motion.angular = dim == 2 ? (graze_vec){0, 0, between(-8, 8)} : cube(3, 3);
  if (turns == 2) b->motion.angular.z = between(-1, 1) * pow(10, between(-12, 3));
  b->time = one_of(4) ? between(0, 2) : 0;
  b->grow = one_of(2) ? 0 : between(0, b->size);
}

/* ---- Bounds */

static long double size1(graze_vec v) { return fabsl(v.x) + fabsl(v.y) + fabsl(v.z); }

/* The sum of lengths to which rounding is proportional. */
static long double scale(const body *b) {
  const long double ball = (long double)b->placed.hidden.bounding_radius + b->placed.hidden.radius;
  return size1(placed_reference_point(&b->placed)) + size1(b->motion.velocity) * b->time + ball + b->grow;
}

static void spread(const body *b, long double t, point *low, point *high) {
  for (int i = 0; i < b->corners; i++) {
    const point p = moved(&b->pose, &b->motion, t, b->corner[i]);
    for (int k = 0; k < 3; k++) {
      low->x[k] = fminl(low->x[k], p.x[k] - b->round - b->grow);
      high->x[k] = fmaxl(high->x[k], p.x[k] + b->round + b->grow);
    }
  }
}

/* Updates the least and the largest margin of the bounds, in units of rounding. */
static void measure(const body *b, long double *least, long double *most) {
  const long double inf = HUGE_VALL, angle = sqrtl(dot(point_of(b->motion.angular), point_of(b->motion.angular)));
  point low = {{inf, inf, inf}}, high = {{-inf, -inf, -inf}};
  const graze_aabb box = grz_swept_bounds(&b->placed, &b->motion, b->time, b->grow);
  const double min[3] = {box.min.x, box.min.y, box.min.z}, max[3] = {box.max.x, box.max.y, box.max.z};
  const long double s = scale(b), own_error = 32 * (1 + angle * b->time) * 0x1p-64L * s;
  for (int i = 0; i < TIMES; i++) spread(b, i < 2 ? i * b->time : b->time * between(0, 1), &low, &high);
  for (int k = 0; k < b->placed.shape.dim; k++) {
    const long double slack = fminl(low.x[k] - min[k], max[k] - high.x[k]);
    if (slack < -own_error)
      fail_msg("outside by %Lg units: time %.17g, grow %.17g, dim %d, %d corners", -slack / (U * s), b->time, b->grow,
               b->placed.shape.dim, b->corners);
    *least = fminl(*least, slack / (U * s));
    *most = fmaxl(*most, fmaxl(low.x[k] - min[k], max[k] - high.x[k]) / (U * s));
  }
}

TEST(test_bounds) {
  static body b;
  long double least = HUGE_VALL, most = 0, turning = 0;
  state = 1;
  if (LDBL_MANT_DIG < 64) skip();
  for (long n = 0; n < tiered(20000, 40000, 5000000); n++) {
    make(&b);
    const bool turns = vec_norm_inf(b.motion.angular) > 0 && b.time > 0;
    measure(&b, &least, turns ? &turning : &most);
    graze_compound_destroy(b.compound);
  }
  printf("margin: %.1Lf to %.1Lf units; with rotation up to %.3Lg\n", least, most, turning);
  assert_true(least >= LEAST && most <= MOST);
}

/* ---- Half-spaces */

typedef struct plane_case {
  graze_placed placed;
  graze_frame frame; /* of a part */
  graze_motion motion;
  double time, grow;
  graze_aabb box;
  long double size;
} plane_case;

/* Returns the least height of the box above the plane during the motion, for offset 0. */
static long double height(const plane_case *w) {
  const graze_pose *pose = &w->placed.pose;
  const point n = turned(pose->w, (point){{pose->x, pose->y, pose->z}}, point_of(w->placed.shape.as.box.half_extents));
  const long double length = sqrtl(dot(n, n)), rise = w->time * dot(n, point_of(w->motion.velocity));
  const double min[3] = {w->box.min.x, w->box.min.y, w->box.min.z}, max[3] = {w->box.max.x, w->box.max.y, w->box.max.z};
  point corner;
  for (int k = 0; k < 3; k++) corner.x[k] = n.x[k] > 0 ? min[k] : max[k];
  corner = add_scaled_point(corner, -1, point_of(w->placed.pose.position));
  return (dot(n, corner) - fmaxl(rise, 0)) / length - w->placed.shape.margin - w->grow;
}

static void make_plane_case(plane_case *w) {
  static const double offsets[] = {0, 1, 1e6, 1e15};
  const double s = one_of(4) ? 1 : pow(10, between(-30, 20)), offset_size = s * offsets[one_of(4)];
  const int dim = 2 + one_of(2);
  graze_vec n = cube(dim, one_of(3) ? 1 : 1e10), low = cube(dim, offset_size + s), size = cube(dim, s);
  if (one_of(8) == 0) n = (graze_vec){0, 1, 0};
  graze_shape shape = dim == 2 ? graze_halfspace2(n, 0) : graze_halfspace(n, 0);
  shape = graze_with_margin(shape, one_of(2) ? 0 : between(0, s));
  w->placed = graze_place(&shape, any_pose(dim, offset_size));
  assert_int_equal(w->placed.status, GRAZE_OK);
  w->motion = (graze_motion){cube(dim, one_of(2) * s), {0, 0, 0}};
  w->time = one_of(3) ? between(0, 2) : 0;
  w->grow = one_of(2) ? 0 : between(0, s);
  w->box = (graze_aabb){low, {low.x + fabs(size.x), low.y + fabs(size.y), low.z + fabs(size.z)}};
  w->size = size1(w->box.min) + size1(w->box.max) + size1(w->placed.pose.position) + w->placed.shape.margin + w->grow +
            size1(w->motion.velocity) * w->time;
}

static bool overlaps(plane_case *w, long double offset) {
  w->placed.shape.as.halfspace.offset = (double)offset;
  return grz_halfspace_overlaps(&w->placed, &w->motion, w->time, w->grow, &w->box);
}

/* Offsets from the least that touches the box: overlap is reported. A clearly smaller offset: it is not. */
TEST(test_halfspace) {
  static plane_case w;
  state = 1;
  if (LDBL_MANT_DIG < 64) skip();
  for (long n = 0; n < tiered(20000, 40000, 5000000); n++) {
    make_plane_case(&w);
    const long double up = height(&w), own_error = 32 * 0x1p-64L * (w.size + fabsl(up));
    double offset = (double)(up + own_error);
    if ((long double)offset < up + own_error) offset = nextafter(offset, HUGE_VAL);
    for (int i = 0; i < 4; i++, offset = nextafter(offset, HUGE_VAL))
      if (!overlaps(&w, offset)) fail_msg("missed at %.17g, which is above %.20Lg", offset, up);
    assert_false(overlaps(&w, up - 0x1p-44L * (w.size + fabsl(up))));
  }
}
