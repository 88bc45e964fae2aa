/* The parser of certificates: shapes, pairs and directions as exact numbers, exact gaps along directions, proofs by
 * candidate axes, which are gaps along every candidate, and the points and support values of curved cores. */
#include "verify/verify.h"

/* ---- The parser. A certificate is untrusted input: the parser validates every count, index and number. */

static bool parse_is_number(double x) { return x >= -GRAZE_LARGEST && x <= GRAZE_LARGEST; }
static bool parse_is_finite(double x) { return x - x == 0; }

static grz_big parse_radius(grz_arena *arena, grz_big sum, const graze_placed *placed) {
  const graze_shape *shape = &placed->shape;
  sum = grz_big_add(arena, sum, grz_big_of(arena, grz_core_radius(shape)));
  sum = grz_big_add(arena, sum, grz_big_of(arena, shape->margin));
  sum = grz_big_add(arena, sum, grz_big_of(arena, placed_frame_margin(placed)));
  return shape->kind == GRAZE_HALFSPACE ? grz_big_add(arena, sum, grz_big_of(arena, shape->as.halfspace.offset)) : sum;
}

grz_exact_cso grz_exact_cso_make(grz_arena *arena, const graze_placed *a, const graze_placed *b, double clearance) {
  grz_exact_cso exact = {.arena = arena, .a = &a->shape, .b = &b->shape, .dim = a->shape.dim};
  exact.placement = grz_placement_make(arena, a, b);
  exact.radius = parse_radius(arena, grz_big_of(arena, clearance), a);
  exact.radius = parse_radius(arena, exact.radius, b);
  return exact;
}

/* Returns whether a local point is in the closed core of an ellipsoid, cylinder or cone. Points of user shapes are
 * trusted. */
static bool curved_contains(grz_arena *arena, const graze_shape *shape, graze_vec point);

/* Core points are vertices by index, or for a curved core (index -1) a point that must lie in the core. */
static bool parse_point(grz_exact_cso *exact, const graze_shape *shape, int32_t index, graze_vec named,
                        graze_vec *point) {
  if (!grz_is_curved(shape)) {
    if (index < 0 || (size_t)index >= grz_core_count(shape)) return false;
    *point = grz_core_vertex(shape, (size_t)index);
    return true;
  }
  *point = named;
  return index == -1 && parse_is_number(named.x) && parse_is_number(named.y) && parse_is_number(named.z) &&
         (exact->dim == 3 || named.z == 0) && curved_contains(exact->arena, shape, named);
}

bool grz_parse_pairs(grz_exact_cso *exact, const grz_pair *pairs, int count, int max_count, grz_bvec *w) {
  if (count < 0 || count > max_count) return false;
  for (int i = 0; i < count; i++) {
    graze_vec a, b;
    if (!parse_point(exact, exact->a, pairs[i].a, pairs[i].point_a, &a)) return false;
    if (!parse_point(exact, exact->b, pairs[i].b, pairs[i].point_b, &b)) return false;
    if (pairs[i].end != 0 && pairs[i].end != 1) return false;
    w[i] = grz_placement_point_at(exact->arena, &exact->placement, a, b, pairs[i].end);
  }
  return true;
}

bool grz_parse_direction(grz_exact_cso *exact, const grz_direction *direction, grz_bvec *d) {
  grz_arena *arena = exact->arena;
  const graze_vec v = direction->vector;
  int sign = direction->sign, axis = direction->axis;
  grz_bvec w[4];
  if (direction->form == GRAZE_DIRECTION_VECTOR) {
    if (!parse_is_finite(v.x) || !parse_is_finite(v.y) || !parse_is_finite(v.z) || (exact->dim == 2 && v.z != 0))
      return false;
    *d = grz_bvec_of(arena, v);
    return !grz_bvec_is_zero(*d);
  }

  if (direction->count < 1 || !grz_parse_pairs(exact, direction->pairs, direction->count, 4, w)) return false;
  if (direction->form == GRAZE_DIRECTION_NEAREST) {
    *d = grz_bvec_neg(grz_nearest_of(arena, w, direction->count, exact->dim).direction);
    return !grz_bvec_is_zero(*d);
  }

  /* FACET: sign·(w1 - w0) × (w2 - w0). EDGE: sign·(w1 - w0) × e_axis. In 2D a facet is an edge e, and its left
   * perpendicular is -(e × z). */
  const bool facet = direction->form == GRAZE_DIRECTION_FACET;
  if ((sign != 1 && sign != -1) || direction->count != (facet ? exact->dim : 2)) return false;
  if (!facet && (direction->form != GRAZE_DIRECTION_EDGE || exact->dim == 2 || axis < 0 || axis > 2)) return false;
  if (exact->dim == 2) axis = 2, sign = -sign;
  const graze_vec unit = {axis == 0, axis == 1, axis == 2};
  const grz_bvec edge = grz_bvec_sub(arena, w[1], w[0]);
  const grz_bvec other = facet && exact->dim == 3 ? grz_bvec_sub(arena, w[2], w[0]) : grz_bvec_of(arena, unit);
  const grz_bvec product = grz_bvec_cross(arena, edge, other);
  *d = sign > 0 ? product : grz_bvec_neg(product);
  return !grz_bvec_is_zero(*d);
}

grz_bvec grz_halfspace_direction(const grz_exact_cso *exact) {
  grz_arena *arena = exact->arena;
  const bool first = exact->a->kind == GRAZE_HALFSPACE;
  const grz_bvec normal = grz_bvec_of(arena, first ? exact->a->as.halfspace.normal : exact->b->as.halfspace.normal);
  const grz_bvec *rotation = first ? exact->placement.to_world_a : exact->placement.to_world_b;
  const grz_bvec d = {grz_bvec_dot(arena, rotation[0], normal), grz_bvec_dot(arena, rotation[1], normal),
                      grz_bvec_dot(arena, rotation[2], normal)};
  return first ? d : grz_bvec_neg(d);
}

bool grz_parse_halfspace(grz_exact_cso *exact, const grz_proof *certificate, grz_bvec *d, grz_bvec *w) {
  grz_arena *arena = exact->arena;
  const bool first = exact->a->kind == GRAZE_HALFSPACE;
  const graze_vec origin = {0, 0, 0};
  graze_vec point;
  if (!parse_point(exact, first ? exact->b : exact->a, certificate->vertex, certificate->vertex_point, &point))
    return false;
  *d = grz_halfspace_direction(exact);
  /* Moving bodies: the point is taken at the end of the interval at which it is nearer. */
  const int end = grz_bvec_dot(arena, *d, exact->placement.sweep).sign > 0;
  *w = grz_placement_point_at(arena, &exact->placement, first ? origin : point, first ? point : origin, end);
  return true;
}

/* ---- Gaps. */

/* Computes max local·x over the core as *rational + *root; for a user shape an upper bound. Returns false if the user's
 * support function returns an invalid point or bound. */
static bool curved_support(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *rational,
                           grz_root *root);

static graze_vec parse_face_vertex(const grz_faces *faces, size_t i) {
  const graze_mesh_def *def = faces->def;
  const size_t corners = (size_t)def->dim, at = faces->first + i / corners;
  const size_t face = faces->order != NULL ? faces->order[at] : at;
  return def->vertices[def->faces[corners * face + i % corners]];
}

/* Computes max local·x over a core, or over faces of a mesh. */
static bool parse_support(grz_arena *arena, const graze_shape *shape, const grz_faces *faces, grz_bvec local,
                          grz_big *value, grz_root *root) {
  *value = root->factor = root->radicand = grz_big_zero();
  if (grz_is_curved(shape)) return curved_support(arena, shape, local, value, root);
  const size_t mark = arena->used;
  const size_t count = faces != NULL ? (size_t)shape->dim * faces->count : grz_core_count(shape);
  for (size_t i = 0; i < count; i++) { /* only the maximum stays in the arena, whatever the count */
    const size_t start = arena->used;
    const graze_vec vertex = faces != NULL ? parse_face_vertex(faces, i) : grz_core_vertex(shape, i);
    const grz_big score = grz_bvec_dot(arena, local, grz_bvec_of(arena, vertex));
    if (i == 0 || grz_big_compare(score, *value) > 0)
      *value = grz_big_keep(arena, mark, score);
    else
      arena->used = start;
  }
  return true;
}

/* gap(d) = -(max d·a + max -d·b). */
bool grz_gap_make(grz_exact_cso *exact, grz_bvec d, grz_gap *gap) {
  grz_arena *arena = exact->arena;
  const grz_bvec local_a = grz_placement_local_a(arena, &exact->placement, d);
  const grz_bvec local_b = grz_bvec_neg(grz_placement_local_b(arena, &exact->placement, d));
  grz_big max_a, max_b;
  gap->direction = d;
  if (!parse_support(arena, exact->a, exact->faces_a, local_a, &max_a, &gap->root[0])) return false;
  if (!parse_support(arena, exact->b, exact->faces_b, local_b, &max_b, &gap->root[1])) return false;
  grz_big sum = grz_big_add(arena, max_a, max_b);
  const grz_big swept = grz_bvec_dot(arena, exact->placement.sweep, d);
  if (swept.sign > 0) sum = grz_big_add(arena, sum, swept);
  gap->rational = grz_big_neg(grz_big_add(arena, sum, grz_bvec_dot(arena, exact->placement.offset, d)));
  for (int i = 0; i < 2; i++) gap->root[i].factor = grz_big_neg(gap->root[i].factor);
  return true;
}

int grz_gap_sign(grz_exact_cso *exact, const grz_gap *gap, grz_big bound) {
  grz_arena *arena = exact->arena;
  const size_t mark = arena->used;
  grz_root sum[GRZ_ROOTS_MAX] = {gap->root[0], gap->root[1]};
  sum[2].factor = grz_big_neg(grz_big_mul(arena, bound, exact->placement.scale));
  sum[2].radicand = grz_bvec_dot(arena, gap->direction, gap->direction);
  const int sign = grz_radical_sign(arena, gap->rational, sum, 3);
  arena->used = mark;
  return sign;
}

/* ---- Proofs by candidate axes: every facet normal of C is a face normal of a box, the product of two edges of boxes,
 * or in 2D an edge normal. Proof: docs/theory/certificates.md, "By axes". */

/* Checks that the support of C in directions d and -d is at least `depth`, or, if `strictly`, more than it. The zero
 * direction needs no check. */
static bool axis_check(grz_exact_cso *exact, grz_bvec d, grz_big depth, bool strictly) {
  grz_arena *arena = exact->arena;
  const size_t mark = arena->used;
  bool holds = true;
  for (int sign = 0; sign < 2 && !grz_bvec_is_zero(d); sign++) {
    grz_gap gap;
    holds = holds && grz_gap_make(exact, d, &gap) && grz_gap_sign(exact, &gap, grz_big_neg(depth)) <= -(int)strictly;
    d = grz_bvec_neg(d);
  }
  arena->used = mark;
  return holds;
}

/* Local axis i of a box in the world, times a positive number: column i of the rotation. */
static grz_bvec axis_of_box(const grz_bvec *rows, int i) {
  const grz_bvec x = {rows[0].x, rows[1].x, rows[2].x}, y = {rows[0].y, rows[1].y, rows[2].y};
  const grz_bvec z = {rows[0].z, rows[1].z, rows[2].z};
  return i == 0 ? x : i == 1 ? y : z;
}

/* The normal of edge i of a polygon or triangle in 2D in the world, times a positive or negative number. */
static grz_bvec axis_of_edge(grz_arena *arena, const graze_shape *shape, const grz_bvec *rows, size_t i) {
  const graze_vec from = grz_core_vertex(shape, i),
                  to = grz_core_vertex(shape, i + 1 < grz_core_count(shape) ? i + 1 : 0);
  const grz_bvec edge = grz_bvec_sub(arena, grz_bvec_of(arena, to), grz_bvec_of(arena, from));
  const grz_big x = grz_bvec_dot(arena, rows[0], edge), y = grz_bvec_dot(arena, rows[1], edge);
  return (grz_bvec){y, grz_big_neg(x), grz_big_zero()};
}

/* Checks the face normals of a box, or the edge normals of a polygon or triangle. */
static bool axes_check_own(grz_exact_cso *exact, const graze_shape *shape, const grz_bvec *rows, grz_big depth,
                           bool strictly) {
  const bool box = shape->kind == GRAZE_BOX;
  const size_t count = box ? (size_t)exact->dim : grz_core_count(shape);
  bool holds = true;
  for (size_t i = 0; i < count && holds; i++) {
    const size_t mark = exact->arena->used;
    const grz_bvec d = box ? axis_of_box(rows, (int)i) : axis_of_edge(exact->arena, shape, rows, i);
    holds = axis_check(exact, d, depth, strictly);
    exact->arena->used = mark;
  }
  return holds;
}

/* Returns whether all vertices are on one line. */
static bool axes_are_parallel(const graze_shape *shape) {
  for (size_t i = 2; shape->kind != GRAZE_BOX && i < grz_core_count(shape); i++)
    if (grz_orient2(grz_core_vertex(shape, 0), grz_core_vertex(shape, i - 1), grz_core_vertex(shape, i)) != 0)
      return false;
  return shape->kind != GRAZE_BOX;
}

bool grz_axes_prove(const graze_shape *a, const graze_shape *b) {
  return grz_has_axes(a) && grz_has_axes(b) && !(axes_are_parallel(a) && axes_are_parallel(b));
}

graze_status grz_check_axes(grz_exact_cso *exact, grz_big depth, bool strictly) {
  grz_arena *arena = exact->arena;
  const grz_bvec *rows_a = exact->placement.to_world_a, *rows_b = exact->placement.to_world_b;
  if (!grz_axes_prove(exact->a, exact->b)) return GRAZE_REFUTED;
  if (!axes_check_own(exact, exact->a, rows_a, depth, strictly)) return GRAZE_REFUTED;
  if (!axes_check_own(exact, exact->b, rows_b, depth, strictly)) return GRAZE_REFUTED;
  for (int k = 0; k < 9 && exact->dim == 3; k++) {
    const size_t mark = arena->used;
    const grz_bvec product = grz_bvec_cross(arena, axis_of_box(rows_a, k / 3), axis_of_box(rows_b, k % 3));
    const bool holds = axis_check(exact, product, depth, strictly);
    arena->used = mark;
    if (!holds) return GRAZE_REFUTED;
  }
  return GRAZE_OK;
}

/* ---- Curved cores: exact membership and exact support values. Derivations: docs/theory/certificates.md, "Curved
 * cores". */

static const uint64_t curved_unit_limb = 1;

static grz_big curved_square(grz_arena *arena, double x) {
  grz_big big = grz_big_of(arena, x);
  return grz_big_mul(arena, big, big);
}

static grz_big curved_product(grz_arena *arena, double factor, grz_big x) {
  return grz_big_mul(arena, grz_big_of(arena, factor), x);
}

/* Sum of (x_i/r_i)² <= 1, multiplied by all r_i² that are not 0. Along an axis of zero radius x_i must be 0. */
static bool curved_in_ellipsoid(grz_arena *arena, graze_vec radii, graze_vec point) {
  const double r[3] = {radii.x, radii.y, radii.z}, x[3] = {point.x, point.y, point.z};
  grz_big sum = grz_big_zero(), one = {&curved_unit_limb, 1, 0, 1}, product = one;
  for (int i = 0; i < 3; i++) {
    if (r[i] == 0) {
      if (x[i] != 0) return false;
      continue;
    }
    grz_big r2 = curved_square(arena, r[i]), x2 = curved_square(arena, x[i]);
    sum = grz_big_add(arena, grz_big_mul(arena, sum, r2), grz_big_mul(arena, x2, product));
    product = grz_big_mul(arena, product, r2);
  }
  return grz_big_compare(sum, product) <= 0;
}

/* Cylinder: x² + y² <= radius². Cone: (2h)² (x² + y²) <= radius² (h - z)². A cone of height 0 is a disk. */
static bool curved_in_round(grz_arena *arena, const graze_shape *shape, graze_vec point) {
  if (point.z < -shape->as.capsule.half_length || point.z > shape->as.capsule.half_length) return false;
  grz_big radial = grz_big_add(arena, curved_square(arena, point.x), curved_square(arena, point.y));
  grz_big limit = curved_square(arena, shape->as.capsule.radius);
  if (shape->kind == GRAZE_CONE && shape->as.capsule.half_length > 0) {
    grz_big h = grz_big_of(arena, shape->as.capsule.half_length),
            below = grz_big_sub(arena, h, grz_big_of(arena, point.z));
    grz_big height = grz_big_add(arena, h, h);
    radial = grz_big_mul(arena, radial, grz_big_mul(arena, height, height));
    limit = grz_big_mul(arena, limit, grz_big_mul(arena, below, below));
  }
  return grz_big_compare(radial, limit) <= 0;
}

static bool curved_contains(grz_arena *arena, const graze_shape *shape, graze_vec point) {
  size_t mark = arena->used;
  const bool inside = shape->kind == GRAZE_USER ||
                      (shape->kind == GRAZE_ELLIPSOID ? curved_in_ellipsoid(arena, shape->as.ellipsoid.radii, point)
                                                      : curved_in_round(arena, shape, point));
  arena->used = mark;
  return inside;
}

/* Ellipsoid: sqrt(sum (r_i d_i)²). */
static void curved_ellipsoid(grz_arena *arena, graze_vec radii, grz_bvec d, grz_root *root) {
  grz_bvec stretched = {curved_product(arena, radii.x, d.x), curved_product(arena, radii.y, d.y),
                        curved_product(arena, radii.z, d.z)};
  grz_big one = {&curved_unit_limb, 1, 0, 1};
  root->factor = one;
  root->radicand = grz_bvec_dot(arena, stretched, stretched);
}

/* Cylinder: radius·sqrt(dx² + dy²) + h|dz|. Cone: the larger of h·dz (apex) and radius·sqrt(dx² + dy²) - h·dz (base).
 */
static void curved_round(grz_arena *arena, const graze_shape *shape, grz_bvec d, grz_big *rational, grz_root *root) {
  grz_big up = curved_product(arena, shape->as.capsule.half_length, d.z);
  root->factor = grz_big_of(arena, shape->as.capsule.radius);
  d.z = grz_big_zero();
  root->radicand = grz_bvec_dot(arena, d, d);
  if (shape->kind == GRAZE_CYLINDER) {
    *rational = up.sign < 0 ? grz_big_neg(up) : up;
    return;
  }
  grz_big twice = grz_big_add(arena, up, up);
  bool apex = grz_radical_sign(arena, grz_big_neg(twice), root, 1) <= 0;
  *rational = apex ? up : grz_big_neg(up);
  if (apex) root->factor = grz_big_zero();
}

/* 2^power. */
static grz_big curved_power(grz_arena *arena, int64_t power) {
  const int64_t shift = 1 << 20; /* keeps the dividend positive */
  grz_big r = grz_big_of(arena, (double)(UINT64_C(1) << (power + 64 * shift) % 64));
  r.exponent += (int32_t)((power + 64 * shift) / 64 - shift);
  return r;
}

/* x rounded to a double in units of 2^unit >= |x|. Numbers that are tiny in this unit become 0. */
static double curved_rounded(grz_big x, int64_t unit) {
  int64_t power;
  double rounded = grz_big_to_double(x, &power);
  if (unit - power > 100) return 0;
  for (; power < unit; power++) rounded *= 0.5;
  return rounded;
}

/* An upper bound of |x_axis| over a user shape. */
static bool curved_extent(grz_arena *arena, const graze_shape *shape, int axis, grz_big *bound) {
  *bound = grz_big_zero();
  for (int sign = -1; sign <= 1; sign += 2) {
    graze_vec direction = {axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0}, point;
    double slack;
    if (!grz_user_support(shape, direction, &point, &slack)) return false;
    double coordinate = sign * (axis == 0 ? point.x : axis == 1 ? point.y : point.z);
    grz_big extent = grz_big_add(arena, grz_big_of(arena, coordinate), grz_big_of(arena, slack));
    if (grz_big_compare(extent, *bound) > 0) *bound = extent;
  }
  return true;
}

/* A user's support function accepts only a rounded direction u. With local = 2^unit·u + rest,
 * max local·x <= 2^unit (u·point + slack |u|) + sum |rest_i| max |x_i|. */
static bool curved_user(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *rational, grz_root *root) {
  const grz_big part[3] = {local.x, local.y, local.z};
  int64_t unit = INT64_MIN, power;
  for (int i = 0; i < 3; i++) {
    grz_big_to_double(part[i], &power);
    if (part[i].sign != 0 && power > unit) unit = power;
  }
  if (unit == INT64_MIN) return false;
  graze_vec u = {curved_rounded(local.x, unit), curved_rounded(local.y, unit), curved_rounded(local.z, unit)}, point;
  double slack;
  if (!grz_user_support(shape, u, &point, &slack)) return false;

  grz_big size = curved_power(arena, unit);
  grz_bvec rounded = grz_bvec_of(arena, u), rest = grz_bvec_sub(arena, local, grz_bvec_scale(arena, rounded, size));
  *rational = grz_big_mul(arena, size, grz_bvec_dot(arena, rounded, grz_bvec_of(arena, point)));
  root->factor = grz_big_mul(arena, size, grz_big_of(arena, slack));
  root->radicand = grz_bvec_dot(arena, rounded, rounded);
  const grz_big left[3] = {rest.x, rest.y, rest.z};
  for (int i = 0; i < 3; i++) {
    grz_big extent, error = left[i].sign < 0 ? grz_big_neg(left[i]) : left[i];
    if (error.sign == 0) continue;
    if (!curved_extent(arena, shape, i, &extent)) return false;
    *rational = grz_big_add(arena, *rational, grz_big_mul(arena, error, extent));
  }
  return true;
}

static bool curved_support(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *rational,
                           grz_root *root) {
  *rational = grz_big_zero();
  switch (shape->kind) {
  case GRAZE_ELLIPSOID: curved_ellipsoid(arena, shape->as.ellipsoid.radii, local, root); return true;
  case GRAZE_CYLINDER:
  case GRAZE_CONE: curved_round(arena, shape, local, rational, root); return true;
  default: return curved_user(arena, shape, local, rational, root);
  }
}
