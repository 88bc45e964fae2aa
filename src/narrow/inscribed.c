/* Inscribed polytopes of curved cores, and what follows from them. */
#include "narrow/inscribed.h"

#include "verify/compound.h"

#include "narrow/certify.h"
#include "narrow/exact_search.h"
#include "narrow/query.h"
#include "shape/core.h"

/* Points of one core: its outline and features, and what the search brings; and how often the search may go on. */
enum { INSCRIBED_MOST = 32, INSCRIBED_ROUNDS = 8 };

typedef struct inscribed_body {
  graze_vec vertex[INSCRIBED_MOST];
  int count;
  graze_placed placed; /* the inscribed hull, or the shape itself where it is a polytope */
} inscribed_body;

static void inscribed_add(inscribed_body *body, graze_vec v) {
  if (body->count < INSCRIBED_MOST) body->vertex[body->count++] = v;
}

/* Without the dust that rounding left on an axis-parallel direction. */
static graze_vec inscribed_clean(graze_vec d) {
  double dust = 1e-9 * vec_norm_inf(d);
  return vec_make(real_abs(d.x) < dust ? 0 : d.x, real_abs(d.y) < dust ? 0 : d.y, real_abs(d.z) < dust ? 0 : d.z);
}

/* Eight rim points of a disk; those on the axes are exact. Among the subnormals 0.7 rounds to 1, and out of the disk.
 */
static void inscribed_add_disk(inscribed_body *body, double radius, double z) {
  double part = radius < 0x1p-1000 ? 0 : radius * 0.7071;
  for (int sign = -1; sign <= 1; sign += 2) {
    inscribed_add(body, vec_make(sign * radius, 0, z));
    inscribed_add(body, vec_make(0, sign * radius, z));
    inscribed_add(body, vec_make(sign * part, part, z));
    inscribed_add(body, vec_make(sign * part, -part, z));
  }
}

/* The outline of the whole core: poles, rims, apex. */
static void inscribed_add_outline(inscribed_body *body, const graze_shape *shape) {
  if (shape->kind == GRAZE_ELLIPSOID) {
    graze_vec r = shape->as.ellipsoid.radii;
    for (int sign = -1; sign <= 1; sign += 2) {
      inscribed_add(body, vec_make(sign * r.x, 0, 0));
      inscribed_add(body, vec_make(0, sign * r.y, 0));
      if (shape->dim == 3) inscribed_add(body, vec_make(0, 0, sign * r.z));
    }
    return;
  }
  inscribed_add_disk(body, shape->as.capsule.radius, -shape->as.capsule.half_length);
  if (shape->kind == GRAZE_CYLINDER)
    inscribed_add_disk(body, shape->as.capsule.radius, shape->as.capsule.half_length);
  else
    inscribed_add(body, vec_make(0, 0, shape->as.capsule.half_length));
}

/* The point or line that meets a plane perpendicular to d. */
static void inscribed_add_feature(inscribed_body *body, const graze_shape *shape, graze_vec d) {
  double slack = 0;
  graze_vec at = grz_support_local(shape, d, &slack).local;
  inscribed_add(body, at);
  if (shape->kind == GRAZE_CYLINDER) inscribed_add(body, vec_make(at.x, at.y, -at.z));
}

/* The inscribed hull of a curved body: its outline, the feature along the local direction d, and the search points. */
static void inscribed_make(inscribed_body *body, const graze_placed *placed, const grz_inscribed *points, bool is_a,
                           graze_vec d) {
  body->count = 0;
  body->placed = *placed;
  if (!grz_is_curved(&placed->shape)) return;
  if (placed->shape.kind != GRAZE_USER) {
    inscribed_add_feature(body, &placed->shape, inscribed_clean(d));
    inscribed_add_outline(body, &placed->shape);
  }
  for (int i = 0; i < points->count; i++) {
    inscribed_add(body, is_a ? points->pair[i].a.local : points->pair[i].b.local);
  }
  body->placed.shape.kind = GRAZE_HULL;
  body->placed.shape.as.hull.vertices = body->vertex;
  body->placed.shape.as.hull.count = (size_t)body->count;
}

/* Indices into an inscribed hull become the points themselves. */
static void inscribed_name(const inscribed_body *a, const inscribed_body *b, grz_pair *pair, int count) {
  for (int i = 0; i < count; i++) {
    if (a->count > 0) pair[i].a = -1;
    if (b->count > 0) pair[i].b = -1;
  }
}

static bool inscribed_prove(const grz_obstacle *c, const graze_options *options, grz_result *result) {
  return grz_verify_pair(c->a, c->b, options->clearance, &result->answer, &result->proof) == GRAZE_OK;
}

/* The hulls touch: do the shapes? Along the hulls' own direction, or the best one freed of dust. */
static bool inscribed_touch(const grz_obstacle *c, const graze_options *options, const grz_inscribed *points,
                            grz_result *touch) {
  if (inscribed_prove(c, options, touch)) return true;
  graze_vec d = inscribed_clean(points->direction);
  touch->proof.direction.form = GRAZE_DIRECTION_VECTOR;
  touch->proof.direction.vector = d;
  touch->answer.normal = vec_unit(d);
  return inscribed_prove(c, options, touch);
}

/* The shapes are apart as far as anyone knows: the hulls' distance from above, the best direction from below. */
static void inscribed_apart(const grz_obstacle *c, const graze_options *options, const grz_gjk *gjk,
                            grz_result *result) {
  result->answer.normal = vec_unit(gjk->lower_direction);
  grz_certify_lower(c, gjk, result);
  result->answer.relation = GRAZE_SEPARATED;
  result->proof.kind = GRAZE_CERTIFICATE_SEPARATED;
  double lower = result->answer.lower;
  result->answer.lower = real_max(lower, 0);
  result->answer.distance = real_max(result->answer.distance, result->answer.lower);
  if (inscribed_prove(c, options, result)) return;
  result->answer.lower = real_min(lower, 0);
  result->answer.relation = GRAZE_UNDECIDED;
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
}

/* The hulls touch, the shapes may overlap by less than can be shown. */
static void inscribed_doubt(const grz_obstacle *c, const grz_gjk *gjk, grz_result *result) {
  grz_certify_lower(c, gjk, result);
  result->answer.lower = real_min(result->answer.lower, 0);
  result->answer.relation = GRAZE_UNDECIDED;
  result->proof.kind = GRAZE_CERTIFICATE_NONE;
}

/* The hulls overlap, and so do the shapes. Rounded ones by r - |v| where the cores are surely apart; else the depth is
 * unknown. */
static void inscribed_overlap(const grz_obstacle *c, const grz_gjk *gjk, grz_result *result) {
  double upper = grz_query_is_unknown(result) ? 0 : result->answer.upper;
  if (grz_gjk_lower(gjk, c) <= 0) grz_query_forget_numbers(result);
  grz_certify_lower(c, gjk, result);
  result->answer.lower = real_min(result->answer.lower, 0);
  result->answer.upper = upper;
  if (result->answer.distance < result->answer.lower) result->answer.distance = result->answer.lower;
}

/* The exact answer for the hulls of the points known so far. */
static void inscribed_ask(const grz_obstacle *c, const graze_options *options, const grz_inscribed *points,
                          grz_result *result) {
  inscribed_body a, b;
  graze_vec d = inscribed_clean(points->direction);
  inscribed_make(&a, c->a, points, true, vec_unrotate(c->rotate_a, d, c->dim));
  inscribed_make(&b, c->b, points, false, vec_neg(vec_unrotate(c->rotate_b, d, c->dim)));
  grz_obstacle hulls;
  grz_obstacle_make(&hulls, &a.placed, &b.placed, options->clearance);
  hulls.tracer = c->tracer;
  bool conditional = result->answer.conditional;
  grz_exact_answer(&hulls, options->clearance, NULL, result);
  result->answer.conditional = conditional;
  inscribed_name(&a, &b, result->proof.pairs, result->proof.pair_count);
  inscribed_name(&a, &b, result->proof.direction.pairs, result->proof.direction.count);
  result->answer.algorithm = GRAZE_ALGORITHM_PORTAL;
}

/* The hulls are apart: the support points along their exact normal, for the next round. False when nothing is to be
 * won. */
static bool inscribed_grow(const grz_obstacle *c, grz_inscribed *points, grz_gjk *gjk, const grz_result *result) {
  double slack = 0, gap;
  grz_cso_point next = grz_obstacle_support(c, result->answer.normal, &slack, c->dim);
  gap = -vec_dot(result->answer.normal, next.w) - slack;
  bool better = gap > gjk->lower;
  if (better) gjk->lower = gap, gjk->lower_direction = points->direction = result->answer.normal;
  points->count = 0;
  for (int i = 0; i < result->proof.pair_count; i++) {
    points->pair[points->count++] = grz_obstacle_of_pair(c, &result->proof.pairs[i], c->dim);
  }
  points->pair[points->count++] = next;
  return result->answer.distance * c->unit + c->radius - gjk->lower > 0.5 * c->support_error;
}

void grz_inscribed_decide(const grz_obstacle *c, const graze_options *options, grz_inscribed *points, grz_gjk *gjk,
                          grz_result *result) {
  inscribed_ask(c, options, points, result);
  for (int round = 0; round < INSCRIBED_ROUNDS && result->answer.relation == GRAZE_SEPARATED; round++) {
    if (!inscribed_grow(c, points, gjk, result)) break;
    inscribed_ask(c, options, points, result);
  }
  if (result->answer.relation == GRAZE_OVERLAPPING) {
    inscribed_overlap(c, gjk, result);
  } else if (result->answer.relation == GRAZE_SEPARATED) {
    inscribed_apart(c, options, gjk, result);
  } else {
    grz_result touch = *result;
    if (inscribed_touch(c, options, points, &touch))
      *result = touch;
    else
      inscribed_doubt(c, gjk, result);
  }
  if (!grz_query_is_unknown(result) && result->answer.distance != 0) grz_certify_fit(result);
}
