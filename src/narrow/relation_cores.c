/* The relation of two simple cores at rest from their nearest points: a point or sphere and a point, sphere, capsule,
 * box, cylinder, cone or triangle, and two capsules.
 *
 * d is a positive multiple of the difference of the nearest points. The support values along d prove that the distance
 * exceeds r, and a point of C near the difference proves that the distance is less than r. Both tests compare squares.
 * For a point they are in the frame of the other core: q is the point, and n its nearest point of the core.
 * Source: Ericson 2005, 5.1. Theory: docs/theory/rounding.md, "Nearest points". */
#include "narrow/stages.h"

#include "narrow/search.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Relative to the size: the error of a distance. */
#define CORES_ERROR (128 * GRZ_U)

/* Below this radius, products of four lengths may lose significant digits. */
#define CORES_LEAST 0x1p-140

/* Below this square, the normal of a triangle has too few significant digits. */
#define CORES_LEAST_SQUARE 0x1p-600

/* Nearer to the axis of a solid of revolution, a point counts as on it. */
#define CORES_ON_AXIS 0x1p-500

/* The direction from the nearest point to q. */
typedef struct point_direction {
  graze_vec d;          /* local; zero if the core contains q */
  double square;        /* |d|², not zero */
  double gap;           /* d·q minus the support value of the core along d */
  double near, divisor; /* near / divisor is the square of the distance of a point of the core from q */
} point_direction;

/* For a d that is q - n: d·(q - x) >= d² holds for all points x of the core. */
static inline point_direction point_difference(graze_vec d) {
  const double square = vec_dot(d, d);
  return (point_direction){d, square > 0 ? square : 1, square, square, 1};
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
  const double share = out > CORES_ON_AXIS ? to.out / out : 0, top = half * to.z, rim = radius * to.out;
  const double value = cylinder ? rim + real_abs(top) : real_max(rim - top, top);
  const double square = to.out * to.out + to.z * to.z, divisor = square > 0 ? square : 1;
  const graze_vec d = {q.x * share, q.y * share, to.z};
  return (point_direction){d, divisor, (to.out * out + to.z * q.z) - value, to.distance * to.distance, divisor};
}

/* The nearest point of the three edges, without branches, because the edge is unpredictable. */
static inline graze_vec point_from_edges(const graze_vec p[3], const graze_vec edge[3]) {
  graze_vec nearest = p[0];
  double least = __builtin_inf();
  for (int k = 0; k < 3; k++) {
    const double square = vec_dot(edge[k], edge[k]), inverse = square > 0 ? 1 / square : 0;
    const double t = real_min(real_max(vec_dot(p[k], edge[k]) * inverse, 0), 1);
    const graze_vec d = vec_sub(p[k], vec_scale(edge[k], t));
    const double distance = vec_dot(d, d);
    const bool nearer = distance < least;
    least = nearer ? distance : least;
    nearest.x = nearer ? d.x : nearest.x, nearest.y = nearer ? d.y : nearest.y, nearest.z = nearer ? d.z : nearest.z;
  }
  return nearest;
}

/* Over the face, d is the normal, and the foot of q is a point of the triangle even if rounding displaces it. */
static inline point_direction point_of_triangle(const graze_shape *triangle, graze_vec q) {
  const graze_vec *v = triangle->as.triangle.vertices;
  const graze_vec p[3] = {vec_sub(q, v[0]), vec_sub(q, v[1]), vec_sub(q, v[2])};
  const graze_vec edge[3] = {vec_sub(v[1], v[0]), vec_sub(v[2], v[1]), vec_sub(v[0], v[2])};
  const graze_vec e = edge[0], f = vec_neg(edge[2]);
  const double ee = vec_dot(e, e), ef = vec_dot(e, f), ff = vec_dot(f, f), ep = vec_dot(e, p[0]), fp = vec_dot(f, p[0]);
  const double second = ff * ep - ef * fp, third = ee * fp - ef * ep, area = ee * ff - ef * ef;
  graze_vec d, from;
  if (second > 0 && third > 0 && second + third < area) {
    const graze_vec normal = vec_cross(e, f);
    d = vec_dot(normal, p[0]) < 0 ? vec_neg(normal) : normal;
    from = vec_sub(vec_sub(p[0], vec_scale(e, second / area)), vec_scale(f, third / area));
  } else {
    d = from = point_from_edges(p, edge);
  }
  const double square = vec_dot(d, d), gap = real_min(real_min(vec_dot(d, p[0]), vec_dot(d, p[1])), vec_dot(d, p[2]));
  const bool exact = square > CORES_LEAST_SQUARE;
  return (point_direction){d, exact ? square : 1, exact ? gap : 0, vec_dot(from, from), 1};
}

/* An overlap by pairs, which the caller writes. */
static inline void cores_certify_near(grz_result *result) {
  result->answer.relation = GRAZE_OVERLAPPING;
  result->proof.kind = GRAZE_CERTIFICATE_NEAR;
}

/* Writes pair i of a certificate: vertex 0 of the point, and a core point of the other core. */
static inline void point_set_pair(grz_result *result, int i, bool point_a, int32_t index, graze_vec local) {
  grz_pair *pair = &result->proof.pairs[i];
  const graze_vec zero = {0, 0, 0};
  pair->a = point_a ? 0 : index, pair->b = point_a ? index : 0, pair->end = 0;
  *(point_a ? &pair->point_a : &pair->point_b) = zero;
  *(point_a ? &pair->point_b : &pair->point_a) = local;
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

/* The certificate of an overlap: the hull of the pairs contains the difference of n and the point. */
static void point_certify_near(const graze_placed *other, bool point_a, graze_vec q, grz_result *result) {
  const graze_shape *shape = &other->shape;
  int count = 1;
  cores_certify_near(result);
  if (grz_is_curved(shape)) {
    graze_vec nearest;
    (void)grz_nearest_in_core(shape, q, &nearest);
    point_set_pair(result, 0, point_a, -1, nearest);
  } else if (shape->kind == GRAZE_BOX) {
    int32_t vertex[4];
    point_box_simplex(shape, q, vertex);
    count = shape->dim + 1;
    for (int i = 0; i < count; i++) {
      const graze_vec h = shape->as.box.half_extents;
      const int32_t k = vertex[i];
      const graze_vec local = {real_negate_unless(h.x, k & 1), real_negate_unless(h.y, k & 2),
                               real_negate_unless(h.z, k & 4)};
      point_set_pair(result, i, point_a, k, local);
    }
  } else {
    count = (int)grz_core_count(shape);
    for (int i = 0; i < count; i++) point_set_pair(result, i, point_a, i, grz_core_vertex(shape, (size_t)i));
  }
  result->proof.pair_count = count;
}

/* How the distance of two cores compares with r. `error` bounds the errors of r and of the distance. */
typedef struct cores_radius {
  double high, low;
} cores_radius;

static inline cores_radius cores_radius_make(const graze_placed *a, const graze_placed *b, double clearance,
                                             double size) {
  const double r = (a->hidden.radius + b->hidden.radius) + clearance, error = CORES_ERROR * (size + r);
  return (cores_radius){r + error, r - error};
}

/* gap / |d| > high. */
static inline bool cores_are_separated(const cores_radius *r, double gap, double square) {
  return gap > 0 && r->high > CORES_LEAST && gap * gap > square * (r->high * r->high);
}

static inline bool cores_are_near(const cores_radius *r, double near, double divisor) {
  return r->low > CORES_LEAST && near < divisor * (r->low * r->low);
}

/* Two points or spheres. */
__attribute__((noinline)) static bool cores_of_points(const graze_placed *a, const graze_placed *b,
                                                      const graze_options *options, grz_result *result) {
  const graze_vec offset = placed_offset(a, b), zero = {0, 0, 0};
  const double square = vec_dot(offset, offset);
  const cores_radius r = cores_radius_make(a, b, options->clearance, vec_norm1(offset));
  if (cores_are_separated(&r, square, square)) {
    grz_certify_separated(vec_neg(offset), result);
    result->answer.algorithm = GRAZE_ALGORITHM_BOUNDING_SPHERES;
  } else if (cores_are_near(&r, square, 1)) {
    cores_certify_near(result);
    result->answer.algorithm = GRAZE_ALGORITHM_CLOSED_FORM;
    result->proof.pair_count = 1;
    result->proof.pairs[0] = (grz_pair){0, 0, zero, zero, 0};
  } else {
    return false;
  }
  result->answer.iterations = 1;
  return true;
}

GRZ_TEMPLATE bool cores_with_point(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                   grz_result *result, const int dim) {
  const bool point_a = grz_core_is_point(&a->shape);
  const graze_placed *other = point_a ? b : a;
  const graze_vec offset = placed_offset(a, b), from = point_a ? offset : vec_neg(offset);
  const graze_shape *shape = &other->shape;
  const graze_vec q = vec_unrotate(other->hidden.rotation, from, dim);
  const double half = shape->as.capsule.half_length;
  point_direction to;
  switch (shape->kind) {
  case GRAZE_CAPSULE:
    to = point_difference(dim == 2 ? vec_make(point_beyond(q.x, half), q.y, 0)
                                   : vec_make(q.x, q.y, point_beyond(q.z, half)));
    break;
  case GRAZE_BOX:
    to = point_difference(vec_make(point_beyond(q.x, shape->as.box.half_extents.x),
                                   point_beyond(q.y, shape->as.box.half_extents.y),
                                   dim == 2 ? 0 : point_beyond(q.z, shape->as.box.half_extents.z)));
    break;
  case GRAZE_TRIANGLE: to = point_of_triangle(shape, q); break;
  default: to = point_of_revolution(shape, q);
  }
  const double size = other->hidden.bounding_radius + vec_norm1(offset);
  const cores_radius r = cores_radius_make(a, b, options->clearance, size);
  if (cores_are_separated(&r, to.gap, to.square)) {
    const graze_vec d = vec_rotate(other->hidden.rotation, to.d, dim);
    grz_certify_separated(point_a ? vec_neg(d) : d, result);
  } else if (cores_are_near(&r, to.near, to.divisor)) {
    point_certify_near(other, point_a, q, result);
  } else {
    return false;
  }
  result->answer.algorithm = GRAZE_ALGORITHM_CLOSED_FORM;
  result->answer.iterations = 1;
  return true;
}

/* Not inlined, so that two points keep their short code. */
__attribute__((noinline)) static bool cores_with_point2(const graze_placed *a, const graze_placed *b,
                                                        const graze_options *options, grz_result *result) {
  return cores_with_point(a, b, options, result, 2);
}
__attribute__((noinline)) static bool cores_with_point3(const graze_placed *a, const graze_placed *b,
                                                        const graze_options *options, grz_result *result) {
  return cores_with_point(a, b, options, result, 3);
}

/* Half the segment of a capsule, from its centre to vertex 1, in world axes. */
static inline graze_vec capsule_half(const graze_placed *capsule) {
  const graze_vec axis = vec_column(capsule->hidden.rotation, capsule->shape.dim == 2 ? 0 : 2);
  return vec_scale(axis, capsule->shape.as.capsule.half_length);
}

static inline double capsule_clamp(double t) { return real_min(real_max(t, -1), 1); }

/* The nearest points are s·e from the centre of A and t·f from that of B. */
__attribute__((noinline)) static bool cores_of_capsules(const graze_placed *a, const graze_placed *b,
                                                        const graze_options *options, grz_result *result) {
  const graze_vec offset = placed_offset(a, b), e = capsule_half(a), f = capsule_half(b);
  const double ee = vec_dot(e, e), ff = vec_dot(f, f), ef = vec_dot(e, f), area = ee * ff - ef * ef;
  const double eo = vec_dot(e, offset), fo = vec_dot(f, offset);
  const double inverse_e = ee > 0 ? 1 / ee : 0, inverse_f = ff > 0 ? 1 / ff : 0; /* off the chain of dependences */
  const double start = area > 0 ? capsule_clamp((ef * fo - ff * eo) / area) : 0;
  const double t = capsule_clamp((fo + ef * start) * inverse_f), s = capsule_clamp((ef * t - eo) * inverse_e);
  const graze_vec d = vec_sub(vec_add(offset, vec_scale(e, s)), vec_scale(f, t));
  const double square = vec_dot(d, d);
  const double gap = vec_dot(d, offset) - (real_abs(vec_dot(d, e)) + real_abs(vec_dot(d, f)));
  const double size = (a->hidden.bounding_radius + b->hidden.bounding_radius) + vec_norm1(offset);
  const cores_radius r = cores_radius_make(a, b, options->clearance, size);
  if (cores_are_separated(&r, gap, square)) {
    grz_certify_separated(vec_neg(d), result);
  } else if (cores_are_near(&r, square, 1)) {
    /* The half of the parallelogram, C, at the first corner, or at the opposite one. */
    const int32_t last = s + t > 0, pairs[3][2] = {{last, last}, {1, 0}, {0, 1}};
    cores_certify_near(result);
    result->proof.pair_count = 3;
    for (int i = 0; i < 3; i++)
      result->proof.pairs[i] = (grz_pair){pairs[i][0], pairs[i][1], grz_core_vertex(&a->shape, (size_t)pairs[i][0]),
                                          grz_core_vertex(&b->shape, (size_t)pairs[i][1]), 0};
  } else {
    return false;
  }
  result->answer.algorithm = GRAZE_ALGORITHM_CLOSED_FORM;
  result->answer.iterations = 1;
  return true;
}

bool grz_core_relation(const graze_placed *a, const graze_placed *b, const graze_options *options, grz_result *result) {
  if (grz_core_is_point(&a->shape) && grz_core_is_point(&b->shape)) return cores_of_points(a, b, options, result);
  if (a->shape.kind == GRAZE_CAPSULE && b->shape.kind == GRAZE_CAPSULE) return cores_of_capsules(a, b, options, result);
  return a->shape.dim == 2 ? cores_with_point2(a, b, options, result) : cores_with_point3(a, b, options, result);
}
