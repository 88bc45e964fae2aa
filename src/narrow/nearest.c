/* The nearest points of two simple cores at rest, without the CSO: a point or sphere and a point, sphere, capsule, box,
 * cylinder, cone or triangle in 3D, and two capsules.
 *
 * d is a positive multiple of the difference of the nearest points. The support values along d are a lower bound of the
 * distance, and a point of C near the difference gives an upper bound. Relations compare squares of both with r. If the
 * core of a box, cylinder or cone contains a point, d is the normal of its nearest face, and gives both bounds.
 * For a point they are in the frame of the other core: q is the point, and n its nearest point of the core.
 * Source: Ericson 2005, 5.1. Theory: docs/theory/rounding.md, "Nearest points". */
#include "narrow/stages.h"

#include "narrow/nearest.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Below this square, the normal of a triangle or of a cone has too few significant digits. Such a cone counts as its
 * rim. */
#define CORES_LEAST_SQUARE 0x1p-600

/* Below this sine of an angle of a triangle, the foot of a point on its plane has too few significant digits. */
#define CORES_LEAST_SINE 0x1p-7

/* Nearer to the axis of a solid of revolution, a point counts as on it. */
#define CORES_ON_AXIS 0x1p-500

/* The direction from the nearest point to q. If the core contains q up to rounding, and the distance is measured, it is
 * the normal of the nearest face. */
typedef struct point_direction {
  graze_vec d;          /* local; zero if the core contains q and this is not measured */
  double square;        /* |d|², or 1 if d is zero */
  double gap;           /* d·q minus the support value of the core along d */
  double near, divisor; /* near / divisor is the square of |q - n|; 0 if the core contains q */
  bool inside;          /* measured, and the core contains q up to rounding: n is on the face */
  graze_vec n;
} point_direction;

/* For a d that is q - n: d·(q - x) >= d² holds for all points x of the core. */
static inline point_direction point_difference(graze_vec q, graze_vec n) {
  const graze_vec d = vec_sub(q, n);
  const double square = vec_dot(d, d);
  return (point_direction){d, square > 0 ? square : 1, square, square, 1, false, n};
}

/* The nearest number of [-half, half]. */
static inline double point_clamp(double x, double half) { return real_min(real_max(x, -half), half); }

/* The direction out of a box that contains q up to rounding, `near` from it. Without branches, because the face is
 * unpredictable. */
static inline point_direction point_in_box(graze_vec h, graze_vec q, double near, const int dim) {
  const double x = h.x - real_abs(q.x), y = h.y - real_abs(q.y), z = dim == 3 ? h.z - real_abs(q.z) : __builtin_inf();
  const double depth = real_min(real_min(x, y), z);
  const bool by_x = x == depth, by_y = !by_x && y == depth, by_z = !by_x && !by_y;
  const graze_vec d = {by_x ? real_negate_unless(1, q.x >= 0) : 0, by_y ? real_negate_unless(1, q.y >= 0) : 0,
                       by_z ? real_negate_unless(1, q.z >= 0) : 0};
  return (point_direction){d, 1, -depth, near, 1, true, vec_add(q, vec_scale(d, depth))};
}

/* The direction in the half-plane through q and the axis of a solid of revolution: `out` from the axis, z along it. */
typedef struct point_profile {
  double out, z;
  double distance; /* times the length of the direction */
} point_profile;

static inline point_profile point_cylinder(const graze_shape *cylinder, double out, double z) {
  const double beyond = real_max(out - cylinder->as.cylinder.radius, 0);
  const double above = z - point_clamp(z, cylinder->as.cylinder.half_length);
  return (point_profile){beyond, above, beyond * beyond + above * above};
}

/* The base, its rim, the apex, or the line between rim and apex. */
static inline point_profile point_cone(const graze_shape *cone, double out, double z) {
  const double radius = cone->as.cone.radius, half = cone->as.cone.half_length, rise = 2 * half;
  const double above = z + half, beyond = out - radius, below = z - half;
  const double share = above * rise - beyond * radius, side = beyond * rise + above * radius;
  if (above < 0 && beyond <= 0) return (point_profile){0, above, above * above};
  const double square = rise * rise + radius * radius;
  if (share <= 0 || square < CORES_LEAST_SQUARE) return (point_profile){beyond, above, beyond * beyond + above * above};
  if (side <= 0) return (point_profile){0, 0, 0}; /* the interior; in a flat cone, rounding can make share >= square */
  return share < square ? (point_profile){rise, radius, side} : (point_profile){out, below, out * out + below * below};
}

/* The direction out of a solid that contains q up to rounding: through the side or an end. */
static inline point_profile point_in_cylinder(const graze_shape *cylinder, double out, double z) {
  const double side = out - cylinder->as.cylinder.radius, end = real_abs(z) - cylinder->as.cylinder.half_length;
  return side > end ? (point_profile){1, 0, side} : (point_profile){0, z < 0 ? -1 : 1, end};
}

static inline point_profile point_in_cone(const graze_shape *cone, double out, double z) {
  const double radius = cone->as.cone.radius, half = cone->as.cone.half_length, rise = 2 * half, above = z + half;
  const double side = (out - radius) * rise + above * radius, length = real_sqrt(rise * rise + radius * radius);
  return side > -above * length ? (point_profile){rise, radius, side} : (point_profile){0, -1, -above};
}

/* Makes the direction from a profile, with q as n. */
GRZ_TEMPLATE point_direction point_of_profile(const graze_shape *solid, graze_vec q, double out, point_profile to) {
  const double share = out > CORES_ON_AXIS ? to.out / out : 0;
  const double top = solid->as.cone.half_length * to.z, rim = solid->as.cone.radius * to.out;
  const double value = solid->kind == GRAZE_CYLINDER ? rim + real_abs(top) : real_max(rim - top, top);
  const double square = to.out * to.out + to.z * to.z, divisor = square > 0 ? square : 1;
  const graze_vec d = {q.x * share, q.y * share, to.z};
  return (point_direction){d,     divisor, (to.out * out + to.z * q.z) - value, to.distance * to.distance, divisor,
                           false, q};
}

/* Not inlined, so that the other points keep their short code. */
__attribute__((noinline)) static point_direction point_in_revolution(const graze_shape *solid, graze_vec q, double out,
                                                                     double near) {
  const bool cylinder = solid->kind == GRAZE_CYLINDER;
  const point_profile to = cylinder ? point_in_cylinder(solid, out, q.z) : point_in_cone(solid, out, q.z);
  point_direction p = point_of_profile(solid, q, out, to);
  if (!(out > CORES_ON_AXIS)) p.d.x = to.out;
  p.near = p.gap > 0 ? near : 0; /* otherwise the core contains q up to rounding */
  p.divisor = 1, p.inside = p.square > CORES_LEAST_SQUARE;
  p.n = vec_sub(q, vec_scale(p.d, p.gap / p.square));
  return p;
}

/* `measure`: computes n, and the direction out of a solid that contains q up to `doubt`. */
GRZ_TEMPLATE point_direction point_of_revolution(const graze_shape *solid, graze_vec q, double doubt,
                                                 const bool measure) {
  const double out = real_sqrt(q.x * q.x + q.y * q.y);
  const bool cylinder = solid->kind == GRAZE_CYLINDER;
  const point_profile to = cylinder ? point_cylinder(solid, out, q.z) : point_cone(solid, out, q.z);
  point_direction p = point_of_profile(solid, q, out, to);
  if (!measure) return p;
  (void)grz_nearest_in_core(solid, q, &p.n);
  const graze_vec difference = vec_sub(q, p.n);
  p.near = vec_dot(difference, difference), p.divisor = 1;
  const bool contains = real_abs(to.out) + real_abs(to.z) == 0; /* one branch, because either one is unpredictable */
  return contains || p.near <= doubt * doubt ? point_in_revolution(solid, q, out, contains ? 0 : p.near) : p;
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

/* Over the face, d is the normal, and the foot of q is a point of the triangle even if rounding displaces it. The
 * weights of the vertices are areas times the length of the normal. */
static inline point_direction point_of_triangle(const graze_shape *triangle, graze_vec q) {
  const graze_vec *v = triangle->as.triangle.vertices;
  const graze_vec p[3] = {vec_sub(q, v[0]), vec_sub(q, v[1]), vec_sub(q, v[2])};
  const graze_vec edge[3] = {vec_sub(v[1], v[0]), vec_sub(v[2], v[1]), vec_sub(v[0], v[2])};
  const graze_vec e = edge[0], f = vec_neg(edge[2]), normal = vec_cross(e, f);
  const double second = vec_dot(vec_cross(p[0], f), normal), third = vec_dot(vec_cross(e, p[0]), normal);
  const double area = vec_dot(normal, normal);
  graze_vec d, from;
  const bool wide = area > CORES_LEAST_SINE * CORES_LEAST_SINE * (vec_dot(e, e) * vec_dot(f, f));
  const bool over = second > 0 && third > 0 && second + third < area;
  if (over && wide) {
    d = vec_dot(normal, p[0]) < 0 ? vec_neg(normal) : normal;
    from = vec_sub(vec_sub(p[0], vec_scale(e, second / area)), vec_scale(f, third / area));
  } else {
    d = from = point_from_edges(p, edge);
  }
  const double square = vec_dot(d, d), gap = real_min(real_min(vec_dot(d, p[0]), vec_dot(d, p[1])), vec_dot(d, p[2]));
  const bool exact = square > CORES_LEAST_SQUARE && (wide || !over);
  return (point_direction){d, exact ? square : 1, exact ? gap : 0, vec_dot(from, from), 1, false, vec_sub(q, from)};
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
static inline double point_share(double x, double half) { return half > 0 ? point_clamp(x, half) / half : -1; }

/* The simplex of the Kuhn triangulation of a box that contains the nearest point of q. Each vertex raises one more
 * coordinate from low to high: first the coordinate that is relatively largest. Without branches, because the order is
 * unpredictable. */
static void point_box_simplex(const graze_shape *box, graze_vec q, int32_t vertex[4]) {
  const graze_vec h = box->as.box.half_extents;
  const double x = point_share(q.x, h.x), y = point_share(q.y, h.y), z = point_share(q.z, h.z);
  const int xy = x >= y, xz = x >= z, yz = y >= z, yx = 1 - xy, zx = 1 - xz, zy = 1 - yz;
  vertex[0] = 0; /* in 2D, z is last: its share is -1 */
  vertex[1] = (xy & xz) | (yx & yz) << 1 | (zx & zy) << 2;
  vertex[2] = (xy | xz) | (yx | yz) << 1 | (zx | zy) << 2;
  vertex[3] = 7;
}

/* The vertices of a box whose hull contains its inner points, up to rounding: in 2D all, in 3D all except two opposite
 * ones. With the shares s and the signs σ of an omitted vertex the hull is |sₖ| <= 1 and |σ·s| <= 1; here σ·s is the
 * largest |sₖ| minus the others. Returns the number of vertices. */
static int point_box_hull(const graze_shape *box, graze_vec q, int32_t vertex[6]) {
  const graze_vec h = box->as.box.half_extents;
  const double x = real_abs(point_share(q.x, h.x)), y = real_abs(point_share(q.y, h.y)),
               z = real_abs(point_share(q.z, h.z));
  const int largest = x >= y && x >= z ? 1 : y >= z ? 2 : 4, sign = (q.x > 0) | (q.y > 0) << 1 | (q.z > 0) << 2;
  const int omitted = sign ^ 7 ^ largest;
  int count = 0;
  for (int i = 0; i < (box->dim == 2 ? 4 : 8); i++)
    if (box->dim == 2 || (i != omitted && i != (omitted ^ 7))) vertex[count++] = i;
  return count;
}

/* Returns whether every point within `distance` of q is in the interior of this hull. */
static bool point_is_in_box_hull(const graze_shape *box, graze_vec q, double distance) {
  const bool flat = box->dim == 2;
  const graze_vec h = box->as.box.half_extents;
  const double x = real_abs(point_share(q.x, h.x)), y = real_abs(point_share(q.y, h.y)),
               z = flat ? 0 : real_abs(point_share(q.z, h.z));
  const double largest = real_max(real_max(x, y), z), across = 2 * largest - ((x + y) + z);
  const double least = real_min(1 - largest, flat ? 1 : 1 - real_abs(across));
  return least * real_min(real_min(h.x, h.y), flat ? h.x : h.z) > distance;
}

/* How the pairs prove that a point is in the interior of the core. */
typedef struct point_interior {
  bool certain;
  double ball; /* in a curved core: the radius of a ball about the point */
} point_interior;

/* Tests a point, or a sphere whose radius is below rounding. Not inlined, and without addresses, so that larger spheres
 * keep their short code. */
__attribute__((noinline)) static point_interior point_find_interior(const graze_shape *core, graze_vec q, double depth,
                                                                    double error) {
  if (!(error > CORES_LEAST)) return (point_interior){false, 0};
  if (core->kind == GRAZE_BOX) return (point_interior){point_is_in_box_hull(core, q, 4 * error), 0};
  const bool deep = grz_is_curved(core) && depth > 16 * error;
  return (point_interior){deep, deep ? depth : 0};
}

/* Writes pairs whose hull contains the difference of the point and its nearest point of the core; in the interior, if
 * that is certain. */
static void point_write_pairs(const graze_placed *other, bool point_a, graze_vec q, point_interior interior,
                              grz_result *result) {
  const graze_shape *shape = &other->shape;
  int32_t vertex[6] = {0, 1, 2, 3};
  int count = (int)grz_core_count(shape);
  if (interior.ball > 0) { /* the vertices of a regular tetrahedron about q */
    const double s = interior.ball / 2;
    const graze_vec corner[4] = {{-s, -s, s}, {s, -s, -s}, {-s, s, -s}, {s, s, s}};
    for (int i = 0; i < 4; i++) point_set_pair(result, i, point_a, -1, vec_add(q, corner[i]));
    result->proof.pair_count = 4;
    return;
  }
  if (grz_is_curved(shape)) {
    graze_vec nearest;
    (void)grz_nearest_in_core(shape, q, &nearest);
    point_set_pair(result, 0, point_a, -1, nearest);
    result->proof.pair_count = 1;
    return;
  }
  if (shape->kind == GRAZE_BOX && interior.certain)
    count = point_box_hull(shape, q, vertex);
  else if (shape->kind == GRAZE_BOX)
    point_box_simplex(shape, q, vertex), count = shape->dim + 1;
  for (int i = 0; i < count; i++)
    point_set_pair(result, i, point_a, vertex[i], grz_core_vertex(shape, (size_t)vertex[i]));
  result->proof.pair_count = count;
}

/* ---- The answer */

/* Two points or spheres. */
GRZ_TEMPLATE bool cores_of_points(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                  grz_result *result, const bool measure) {
  const grz_cores_pair p = cores_make(a, b, options, measure);
  const graze_vec zero = {0, 0, 0};
  const double square = vec_dot(p.offset, p.offset);
  const grz_cores_difference v = {.d = p.offset, .square = square, .gap = square, .near = square, .divisor = 1};
  if (!cores_answer(&p, &v, measure, result)) return false;
  result->proof.pair_count = 1;
  result->proof.pairs[0] = (grz_pair){0, 0, zero, zero, 0};
  return true;
}

GRZ_TEMPLATE point_direction point_direction_of(const graze_shape *shape, graze_vec q, double doubt, const int dim,
                                                const bool measure) {
  switch (shape->kind) {
  case GRAZE_CAPSULE: {
    const double half = shape->as.capsule.half_length;
    return point_difference(q,
                            dim == 2 ? vec_make(point_clamp(q.x, half), 0, 0) : vec_make(0, 0, point_clamp(q.z, half)));
  }
  case GRAZE_BOX: {
    const graze_vec h = shape->as.box.half_extents;
    const point_direction p =
        point_difference(q, vec_make(point_clamp(q.x, h.x), point_clamp(q.y, h.y), point_clamp(q.z, h.z)));
    return measure && p.near <= doubt * doubt ? point_in_box(h, q, p.near, dim) : p;
  }
  case GRAZE_TRIANGLE: return point_of_triangle(shape, q);
  default: return point_of_revolution(shape, q, doubt, measure);
  }
}

GRZ_TEMPLATE bool cores_with_point(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                   grz_result *result, const int dim, const bool measure) {
  const grz_cores_pair p = cores_make(a, b, options, measure);
  const bool point_a = grz_core_is_point(&a->shape);
  const graze_placed *other = point_a ? b : a;
  const double *rotation = other->hidden.rotation;
  const graze_vec q = vec_unrotate(rotation, point_a ? p.offset : vec_neg(p.offset), dim);
  const point_direction to = point_direction_of(&other->shape, q, p.error, dim, measure);
  const graze_vec out = vec_rotate(rotation, to.d, dim), zero = {0, 0, 0};
  const graze_vec core = measure ? vec_rotate(rotation, to.n, dim) : zero;
  if (to.inside && options->surface) return false; /* EPA makes the surface */
  point_interior interior = {false, 0};
  if (to.near == 0 && p.r - p.error <= CORES_LEAST)
    interior = point_find_interior(&other->shape, q, to.inside ? -to.gap / real_sqrt(to.square) : 0, p.error);
  const grz_cores_difference v = {.d = point_a ? out : vec_neg(out),
                                  .square = to.square,
                                  .gap = to.gap,
                                  .near = to.near,
                                  .divisor = to.divisor,
                                  .inside = to.inside,
                                  .interior = interior.certain,
                                  .core_a = point_a ? zero : core,
                                  .core_b = point_a ? core : zero};
  if (!cores_answer(&p, &v, measure, result)) return false;
  if (measure || result->answer.relation == GRAZE_OVERLAPPING) point_write_pairs(other, point_a, q, interior, result);
  return true;
}

/* Half the segment of a capsule, from its centre to vertex 1, in world axes. */
static inline graze_vec capsule_half(const graze_placed *capsule) {
  const graze_vec axis = vec_column(capsule->hidden.rotation, capsule->shape.dim == 2 ? 0 : 2);
  return vec_scale(axis, capsule->shape.as.capsule.half_length);
}

/* The nearest points are s·e from the centre of A and t·f from that of B. */
GRZ_TEMPLATE bool cores_of_capsules(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                    grz_result *result, const bool measure) {
  const grz_cores_pair p = cores_make(a, b, options, measure);
  const graze_vec e = capsule_half(a), f = capsule_half(b);
  const double ee = vec_dot(e, e), ff = vec_dot(f, f);
  const double inverse_e = ee > 0 ? 1 / ee : 0, inverse_f = ff > 0 ? 1 / ff : 0; /* off the chain of dependences */
  const grz_segments at = grz_nearest_on_segments(e, ee, inverse_e, f, ff, inverse_f, p.offset, -1);
  const graze_vec core_a = vec_scale(e, at.s), core_b = vec_scale(f, at.t);
  const graze_vec d = vec_sub(vec_add(p.offset, core_a), core_b);
  const double square = vec_dot(d, d);
  const double gap = vec_dot(d, p.offset) - (real_abs(vec_dot(d, e)) + real_abs(vec_dot(d, f)));
  const grz_cores_difference v = {
      .d = d, .square = square, .gap = gap, .near = square, .divisor = 1, .core_a = core_a, .core_b = core_b};
  if (!cores_answer(&p, &v, measure, result)) return false;
  if (!measure && result->answer.relation == GRAZE_SEPARATED) return true;
  /* The half of the parallelogram, C, at the first corner, or at the opposite one. */
  const int32_t last = at.s + at.t > 0, pairs[3][2] = {{last, last}, {1, 0}, {0, 1}};
  result->proof.pair_count = 3;
  for (int i = 0; i < 3; i++)
    result->proof.pairs[i] = (grz_pair){pairs[i][0], pairs[i][1], grz_core_vertex(&a->shape, (size_t)pairs[i][0]),
                                        grz_core_vertex(&b->shape, (size_t)pairs[i][1]), 0};
  return true;
}

GRZ_TEMPLATE bool cores_nearest(const graze_placed *a, const graze_placed *b, const graze_options *options,
                                grz_result *result, const bool measure) {
  if (grz_core_is_point(&a->shape) && grz_core_is_point(&b->shape))
    return cores_of_points(a, b, options, result, measure);
  if (a->shape.kind == GRAZE_CAPSULE && b->shape.kind == GRAZE_CAPSULE)
    return cores_of_capsules(a, b, options, result, measure);
  return a->shape.dim == 2 ? cores_with_point(a, b, options, result, 2, measure)
                           : cores_with_point(a, b, options, result, 3, measure);
}

bool grz_nearest_relation(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          grz_result *result) {
  return cores_nearest(a, b, options, result, false);
}

bool grz_nearest_distance(const graze_placed *a, const graze_placed *b, const graze_options *options,
                          grz_result *result) {
  return cores_nearest(a, b, options, result, true);
}
