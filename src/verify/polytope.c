/* The certificate check of one pair of convex shapes, in exact arithmetic: the parser, then the check.
 *
 * The file includes no solver and decides nothing by rounded numbers. A certificate is untrusted input: the parser
 * validates every count, index and number. Proofs: docs/theory/certificates.md. Sizes of the exact numbers:
 * docs/theory/exact.md. */
#include "verify/verify.h"

enum { ARENA_SMALL = 4096, ARENA_LARGE = 65536 }; /* limbs */

/* ---- The certificate parser. */

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
         (exact->dim == 3 || named.z == 0) && grz_curved_contains(exact->arena, shape, named);
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

bool grz_parse_halfspace(grz_exact_cso *exact, const grz_proof *certificate, grz_bvec *d, grz_bvec *w) {
  grz_arena *arena = exact->arena;
  const bool first = exact->a->kind == GRAZE_HALFSPACE;
  const graze_vec origin = {0, 0, 0};
  graze_vec point;
  if (!parse_point(exact, first ? exact->b : exact->a, certificate->vertex, certificate->vertex_point, &point))
    return false;
  const grz_bvec normal = grz_bvec_of(arena, first ? exact->a->as.halfspace.normal : exact->b->as.halfspace.normal);
  const grz_bvec *rotation = first ? exact->placement.to_world_a : exact->placement.to_world_b;
  d->x = grz_bvec_dot(arena, rotation[0], normal);
  d->y = grz_bvec_dot(arena, rotation[1], normal);
  d->z = grz_bvec_dot(arena, rotation[2], normal);
  if (!first) *d = grz_bvec_neg(*d);
  /* Moving bodies: the point is taken at the end of the interval at which it is nearer. */
  const int end = grz_bvec_dot(arena, *d, exact->placement.sweep).sign > 0;
  *w = grz_placement_point_at(arena, &exact->placement, first ? origin : point, first ? point : origin, end);
  return true;
}

/* Computes max local·x over a core. */
static bool parse_support(grz_arena *arena, const graze_shape *shape, grz_bvec local, grz_big *value, grz_root *root) {
  *value = root->factor = root->radicand = grz_big_zero();
  if (grz_is_curved(shape)) return grz_curved_support(arena, shape, local, value, root);
  const size_t mark = arena->used, count = grz_core_count(shape);
  for (size_t i = 0; i < count; i++) { /* only the maximum stays in the arena, whatever the count */
    const size_t start = arena->used;
    const grz_big score = grz_bvec_dot(arena, local, grz_bvec_of(arena, grz_core_vertex(shape, i)));
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
  if (!parse_support(arena, exact->a, local_a, &max_a, &gap->root[0])) return false;
  if (!parse_support(arena, exact->b, local_b, &max_b, &gap->root[1])) return false;
  grz_big sum = grz_big_add(arena, max_a, max_b);
  const grz_big swept = grz_bvec_dot(arena, exact->placement.sweep, d);
  if (swept.sign > 0) sum = grz_big_add(arena, sum, swept);
  gap->rational = grz_big_neg(grz_big_add(arena, sum, grz_bvec_dot(arena, exact->placement.offset, d)));
  for (int i = 0; i < 2; i++) gap->root[i].factor = grz_big_neg(gap->root[i].factor);
  return true;
}

/* The sign of (rational + root[0] + …)/scale - bound·|d|. */
static int gap_sign(grz_exact_cso *exact, grz_bvec d, grz_big rational, const grz_root *root, int count,
                    grz_big bound) {
  grz_arena *arena = exact->arena;
  const size_t mark = arena->used;
  grz_root sum[GRZ_ROOTS_MAX];
  for (int i = 0; i < count; i++) sum[i] = root[i];
  sum[count].factor = grz_big_neg(grz_big_mul(arena, bound, exact->placement.scale));
  sum[count].radicand = grz_bvec_dot(arena, d, d);
  const int sign = grz_radical_sign(arena, rational, sum, count + 1);
  arena->used = mark;
  return sign;
}

int grz_gap_sign(grz_exact_cso *exact, const grz_gap *gap, grz_big bound) {
  return gap_sign(exact, gap->direction, gap->rational, gap->root, 2, bound);
}

/* ---- The certificate check. */

graze_status grz_check_parse(grz_check *c, grz_arena *arena, const graze_placed *a, const graze_placed *b,
                             double clearance, const grz_proof *certificate) {
  const grz_direction *direction = &certificate->direction;
  grz_bvec d;
  *c = (grz_check){.certificate = certificate};
  c->is_halfspace = a->shape.kind == GRAZE_HALFSPACE || b->shape.kind == GRAZE_HALFSPACE;
  c->exact = grz_exact_cso_make(arena, a, b, clearance);

  /* Half-space: the vertex must be the deepest one. A curved core has no vertices; there the gap decides. */
  if (c->is_halfspace) {
    if (certificate->kind == GRAZE_CERTIFICATE_NONE) return GRAZE_UNPROVEN;
    if (certificate->kind != GRAZE_CERTIFICATE_HALFSPACE) return GRAZE_REFUTED;
    if (!grz_parse_halfspace(&c->exact, certificate, &d, &c->w[0])) return GRAZE_REFUTED;
    c->count = 1;
    c->has_gap = grz_gap_make(&c->exact, d, &c->gap);
    if (certificate->vertex < 0) return GRAZE_OK;
    const grz_big height = grz_big_neg(grz_bvec_dot(arena, c->w[0], d));
    return grz_check_result(grz_big_compare(height, c->gap.rational) <= 0);
  }

  if (certificate->kind == GRAZE_CERTIFICATE_HALFSPACE) return GRAZE_REFUTED;
  c->count = certificate->pair_count;
  if (!grz_parse_pairs(&c->exact, certificate->pairs, c->count, 2 * c->exact.dim, c->w)) return GRAZE_REFUTED;
  if (certificate->kind == GRAZE_CERTIFICATE_TOUCH && c->exact.radius.sign > 0) {
    /* The pairs of the direction prove a touch of rounded shapes. */
    c->count = direction->count;
    if (direction->form != GRAZE_DIRECTION_NEAREST) return GRAZE_REFUTED;
    if (!grz_parse_pairs(&c->exact, direction->pairs, c->count, 4, c->w)) return GRAZE_REFUTED;
  }
  if (direction->form == GRAZE_DIRECTION_NONE) return GRAZE_OK;
  if (!grz_parse_direction(&c->exact, direction, &d)) return GRAZE_REFUTED;
  c->has_gap = grz_gap_make(&c->exact, d, &c->gap);
  return GRAZE_OK;
}

int grz_check_point_sign(grz_check *c, grz_big bound) {
  grz_arena *arena = c->exact.arena;
  size_t mark = arena->used;
  if (c->is_halfspace) {
    const grz_big height = grz_big_neg(grz_bvec_dot(arena, c->w[0], c->gap.direction));
    const int sign = gap_sign(&c->exact, c->gap.direction, height, NULL, 0, bound);
    arena->used = mark;
    return sign;
  }
  if (bound.sign < 0) return 1;
  if (c->nearest.count == 0) {
    c->nearest = grz_nearest_of(arena, c->w, c->count, c->exact.dim);
    mark = arena->used;
  }
  /* |v|^2 = square/divisor in scaled units, compared with bound^2. */
  const grz_big scaled = grz_big_mul(arena, bound, c->exact.placement.scale);
  const grz_big square = grz_big_mul(arena, grz_big_mul(arena, scaled, scaled), c->nearest.divisor);
  const int sign = grz_big_compare(c->nearest.square, square);
  arena->used = mark;
  return sign;
}

static int check_gap_sign(grz_check *c, grz_big bound) { return grz_gap_sign(&c->exact, &c->gap, bound); }

int grz_check_kind(grz_check *c) {
  const grz_big r = c->exact.radius;
  switch ((int)c->certificate->kind) {
  case GRAZE_CERTIFICATE_NONE: return GRAZE_UNDECIDED;
  case GRAZE_CERTIFICATE_SEPARATED: return GRAZE_SEPARATED;
  case GRAZE_CERTIFICATE_TOUCH: return GRAZE_TOUCHING;
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_NEAR:
  case GRAZE_CERTIFICATE_AXES: return GRAZE_OVERLAPPING;
  case GRAZE_CERTIFICATE_HALFSPACE:
    if (grz_check_point_sign(c, r) < 0) return GRAZE_OVERLAPPING;
    if (!c->has_gap || check_gap_sign(c, r) < 0) return GRAZE_UNDECIDED;
    if (check_gap_sign(c, r) > 0) return GRAZE_SEPARATED;
    return grz_check_point_sign(c, r) <= 0 ? GRAZE_TOUCHING : GRAZE_UNDECIDED;
  default: return 0;
  }
}

graze_status grz_check_relation(grz_check *c, graze_relation relation) {
  const graze_certificate_kind kind = c->certificate->kind;
  const grz_big r = c->exact.radius;
  switch (relation) {
  case GRAZE_SEPARATED: /* gap(d) > r·|d| */
    if (kind != GRAZE_CERTIFICATE_SEPARATED && !c->is_halfspace) break;
    return c->has_gap ? grz_check_result(check_gap_sign(c, r) > 0) : GRAZE_UNPROVEN;
  case GRAZE_TOUCHING: /* gap(d) >= r·|d| and |v| <= r */
    if (kind != GRAZE_CERTIFICATE_TOUCH && !c->is_halfspace) break;
    if (!c->has_gap || c->count == 0) return GRAZE_UNPROVEN;
    return grz_check_result(check_gap_sign(c, r) >= 0 && grz_check_point_sign(c, r) <= 0);
  case GRAZE_OVERLAPPING: /* the origin is interior to the hull of the points, or |v| < r */
    if (kind == GRAZE_CERTIFICATE_AXES) return grz_check_axes_overlap(&c->exact);
    if (kind != GRAZE_CERTIFICATE_INSIDE && kind != GRAZE_CERTIFICATE_NEAR && !c->is_halfspace) break;
    if (c->count == 0) return GRAZE_UNPROVEN;
    if (kind == GRAZE_CERTIFICATE_INSIDE)
      return grz_check_result(grz_origin_is_interior(c->exact.arena, c->w, c->count, c->exact.dim));
    return grz_check_result(grz_check_point_sign(c, r) < 0);
  case GRAZE_UNDECIDED: return GRAZE_OK; /* such an answer states only its bounds */
  }
  return kind == GRAZE_CERTIFICATE_NONE ? GRAZE_UNPROVEN : GRAZE_REFUTED;
}

graze_status grz_check_lower(grz_check *c, double lower) {
  if (!(lower >= -GRZ_DISTANCE_MAX)) return GRAZE_OK;
  if (!c->has_gap) return GRAZE_UNPROVEN;
  grz_arena *arena = c->exact.arena;
  return grz_check_result(check_gap_sign(c, grz_big_add(arena, grz_big_of(arena, lower), c->exact.radius)) >= 0);
}

bool grz_check_is_consistent(const graze_answer *answer, graze_certificate_kind kind) {
  const double lower = answer->lower, distance = answer->distance, upper = answer->upper;
  const bool internal_edge = kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; /* the only overlap with distance 0 */
  if (lower > upper || lower > distance || distance > upper) return false;
  if (lower > GRZ_DISTANCE_MAX || upper < -GRZ_DISTANCE_MAX) return false;
  switch (answer->relation) {
  case GRAZE_SEPARATED: return !(lower < 0 || distance <= 0 || upper <= 0);
  case GRAZE_TOUCHING: return lower == 0 && distance == 0 && upper == 0;
  case GRAZE_OVERLAPPING: return !(upper > 0 || distance > 0 || (distance == 0 && !internal_edge));
  default: return !(lower > 0 || upper < 0);
  }
}

bool grz_check_is_complete(const graze_answer *answer) {
  const bool bounded = answer->lower == answer->lower && answer->upper == answer->upper;
  return bounded || (answer->relation != GRAZE_UNDECIDED && answer->distance != answer->distance);
}

/* A separate function, so that the large stack frame exists only when it is needed. */
static __attribute__((noinline)) graze_status check_in_large_arena(graze_status (*check)(grz_arena *, void *),
                                                                   void *context) {
  uint64_t limbs[ARENA_LARGE];
  grz_arena arena = {limbs, 0, ARENA_LARGE, false};
  const graze_status status = check(&arena, context);
  return arena.full ? GRAZE_UNPROVEN : status;
}

graze_status grz_check_in_arena(graze_status (*check)(grz_arena *arena, void *context), void *context) {
  uint64_t limbs[ARENA_SMALL];
  grz_arena arena = {limbs, 0, ARENA_SMALL, false};
  const graze_status status = check(&arena, context);
  return arena.full ? check_in_large_arena(check, context) : status;
}
