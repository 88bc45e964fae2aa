/* The relation of a point or sphere and a core whose nearest point has a short closed form: of a point, sphere,
 * capsule, box, cylinder or cone, at rest.
 *
 * In the frame of the core, q is the point, n its nearest point of the core, and d a positive multiple of q - n. The
 * support value of the core along d proves that the distance exceeds r; n proves that the distance is less. Both tests
 * compare squares. Source: Ericson 2005, 5.1.2 and 5.1.3. Theory: docs/theory/rounding.md, "Nearest points". */
#include "narrow/stages.h"

#include "narrow/search.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Relative to the size: the error of a distance. */
#define POINT_ERROR (128 * GRZ_U)

/* Below this radius, products of four lengths may lose significant digits. */
#define POINT_LEAST 0x1p-140

/* Nearer to the axis of a solid of revolution, a point counts as on it. */
#define POINT_ON_AXIS 0x1p-500

/* The direction from the nearest point to q. */
typedef struct point_direction {
  graze_vec d;     /* local; zero if the core contains q */
  double square;   /* |d|², not zero */
  double distance; /* of q from the core, times |d| */
  double gap;      /* d·q minus the support value of the core along d */
} point_direction;

/* For a d that is q - n: d·(q - x) >= d² holds for all points x of the core. */
static inline point_direction point_difference(graze_vec d) {
  const double square = vec_dot(d, d);
  return (point_direction){d, square > 0 ? square : 1, square, square};
}

/* x minus the nearest number of [-half, half]. */
static inline double point_beyond(double x, double half) { return x - real_min(real_max(x, -half), half); }

/* The direction in the half-plane through q and the axis of a solid of revolution: `out` from the axis, z along it. */
typedef struct point_profile {
  double out, z;
  double distance; /* times the length of the direction */
} point_profile;

static inline point_profile point_cylinder(const graze_shape *cylinder, double out, double z) {
  const double beyond = real_max(out - cylinder->as.cylinder.radius, 0);
  const double above = point_beyond(z, cylinder->as.cylinder.half_length);
  return (point_profile){beyond, above, beyond * beyond + above * above};
}

/* The base, its rim, the apex, or the line between rim and apex. */
static inline point_profile point_cone(const graze_shape *cone, double out, double z) {
  const double radius = cone->as.cone.radius, half = cone->as.cone.half_length, rise = 2 * half;
  const double above = z + half, beyond = out - radius, below = z - half;
  const double share = above * rise - beyond * radius, side = beyond * rise + above * radius;
  if (above < 0 && beyond <= 0) return (point_profile){0, above, above * above};
  if (share <= 0) return (point_profile){beyond, above, beyond * beyond + above * above};
  if (share >= rise * rise + radius * radius) return (point_profile){out, below, out * out + below * below};
  return side > 0 ? (point_profile){rise, radius, side} : (point_profile){0, 0, 0};
}

static inline point_direction point_of_revolution(const graze_shape *solid, graze_vec q) {
  const double radius = solid->as.cone.radius, half = solid->as.cone.half_length;
  const double out = real_sqrt(q.x * q.x + q.y * q.y);
  const bool cylinder = solid->kind == GRAZE_CYLINDER;
  const point_profile to = cylinder ? point_cylinder(solid, out, q.z) : point_cone(solid, out, q.z);
  const double share = out > POINT_ON_AXIS ? to.out / out : 0, top = half * to.z, rim = radius * to.out;
  const double value = cylinder ? rim + real_abs(top) : real_max(rim - top, top);
  const double square = to.out * to.out + to.z * to.z;
  return (point_direction){
      {q.x * share, q.y * share, to.z}, square > 0 ? square : 1, to.distance, (to.out * out + to.z * q.z) - value};
}

/* Writes the pairs of the vertex 0 of a point and those vertices of the other core whose hull contains n. */
static void point_add_pairs(const graze_shape *other, bool point_a, const int32_t *vertex, int count,
                            grz_result *result) {
  const graze_vec zero = {0, 0, 0};
  for (int i = 0; i < count; i++) {
    const graze_vec local = grz_core_vertex(other, (size_t)vertex[i]);
    result->proof.pairs[i] =
        point_a ? (grz_pair){0, vertex[i], zero, local, 0} : (grz_pair){vertex[i], 0, local, zero, 0};
  }
  result->proof.pair_count = count;
}

/* The clamped coordinate relative to the half extent; -1 for an extent of 0. */
static inline double point_share(double x, double half) {
  return half > 0 ? real_min(real_max(x, -half), half) / half : -1;
}

/* The simplex of the Kuhn triangulation of a box that contains the nearest point of q. Its vertices raise one
 * coordinate after the other from low to high: first the coordinate that is relatively largest. Without branches,
 * because the order is unpredictable. */
static void point_box_simplex(const graze_shape *box, graze_vec q, int32_t vertex[4]) {
  const graze_vec h = box->as.box.half_extents;
  const double x = point_share(q.x, h.x), y = point_share(q.y, h.y), z = point_share(q.z, h.z);
  const int xy = x >= y, xz = x >= z, yz = y >= z, yx = 1 - xy, zx = 1 - xz, zy = 1 - yz;
  vertex[0] = 0; /* in 2D, z is last: its share is -1 */
  vertex[1] = (xy & xz) | (yx & yz) << 1 | (zx & zy) << 2;
  vertex[2] = (xy | xz) | (yx | yz) << 1 | (zx | zy) << 2;
  vertex[3] = 7;
}

/* The pairs of an overlap: their hull contains the difference of n and the point. */
static void point_certify_near(const graze_placed *other, bool point_a, graze_vec q, grz_result *result) {
  const graze_shape *shape = &other->shape;
  const graze_vec zero = {0, 0, 0};
  int32_t vertex[4] = {0, 1, 0, 0};
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = GRAZE_CERTIFICATE_NEAR;
  if (grz_is_curved(shape)) {
    graze_vec nearest;
    (void)grz_nearest_in_core(shape, q, &nearest);
    result->proof.pairs[0] = point_a ? (grz_pair){0, -1, zero, nearest, 0} : (grz_pair){-1, 0, nearest, zero, 0};
    result->proof.pair_count = 1;
    return;
  }
  if (shape->kind == GRAZE_BOX) point_box_simplex(shape, q, vertex);
  const int count = shape->kind == GRAZE_BOX ? shape->dim + 1 : shape->kind == GRAZE_CAPSULE ? 2 : 1;
  point_add_pairs(shape, point_a, vertex, count, result);
}

GRZ_TEMPLATE bool point_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                 grz_result *result, const int dim) {
  const bool point_a = grz_core_is_point(&a->shape);
  const graze_placed *other = point_a ? b : a;
  const graze_vec offset = placed_offset(a, b), from = point_a ? offset : vec_neg(offset);
  const graze_shape *shape = &other->shape;
  const bool points = grz_core_is_point(shape);
  const graze_vec q = points ? from : vec_unrotate(other->hidden.rotation, from, dim);
  const double half = shape->as.capsule.half_length;
  point_direction to;
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: to = point_difference(q); break;
  case GRAZE_CAPSULE:
    to = point_difference(dim == 2 ? vec_make(point_beyond(q.x, half), q.y, 0)
                                   : vec_make(q.x, q.y, point_beyond(q.z, half)));
    break;
  case GRAZE_BOX:
    to = point_difference(vec_make(point_beyond(q.x, shape->as.box.half_extents.x),
                                   point_beyond(q.y, shape->as.box.half_extents.y),
                                   dim == 2 ? 0 : point_beyond(q.z, shape->as.box.half_extents.z)));
    break;
  default: to = point_of_revolution(shape, q);
  }
  const double r = (a->hidden.radius + b->hidden.radius) + options->clearance;
  const double error = POINT_ERROR * ((other->hidden.bounding_radius + vec_norm1(offset)) + r);
  const double high = r + error, low = r - error;
  if (high > POINT_LEAST && to.gap > 0 && to.gap * to.gap > to.square * (high * high)) {
    const graze_vec d = points ? to.d : vec_rotate(other->hidden.rotation, to.d, dim);
    grz_certify_separated(point_a ? vec_neg(d) : d, result);
  } else if (low > POINT_LEAST && to.distance * to.distance < to.square * (low * low)) {
    point_certify_near(other, point_a, q, result);
  } else {
    return false;
  }
  const bool spheres = points && result->answer.relation == GRAZE_SEPARATED;
  result->answer.algorithm = spheres ? GRAZE_ALGORITHM_BOUNDING_SPHERES : GRAZE_ALGORITHM_CLOSED_FORM;
  result->answer.iterations = 1;
  return true;
}

bool grz_point_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                        grz_result *result) {
  return a->shape.dim == 2 ? point_relation(a, b, options, result, 2) : point_relation(a, b, options, result, 3);
}
