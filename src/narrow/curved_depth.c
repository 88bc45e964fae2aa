/* Penetration depth of curved shapes whose least depth is reached along a ring: profile curves and Blaschke
 * summands.
 *
 * Theory: docs/theory/depth.md, "Balls" and "Rings". */
#include "narrow/curved_depth.h"

#include "core/vec.h"
#include "narrow/certify.h"
#include "narrow/distance.h"
#include "shape/placed.h"
#include "shape/support.h"

/* ---- An ellipsoid without its inner sphere
 *
 * The support function of the remainder: the support point of the ellipsoid, moved inward by the radius of the
 * sphere. */
/* Below this size, the slack for rounding is itself lost to rounding. */
#define SUMMAND_TINY 0x1p-960

static double summand_support(void *context, graze_vec d, graze_vec *point) {
  const grz_summand *s = context;
  double slack = 0;
  graze_vec on = grz_support_local(&s->ellipsoid, d, &slack).local;
  *point = vec_sub(on, vec_scale(d, s->ball / vec_length(d)));
  return s->error;
}

static double summand_ball(graze_vec radii, int dim) {
  double least = real_min(radii.x, radii.y), most = real_max(radii.x, radii.y);
  if (dim == 3) least = real_min(least, radii.z), most = real_max(most, radii.z);
  return most > 0 ? least * (least / most) * (1 - 8 * GRZ_U) : 0;
}

bool grz_summand_make(const graze_placed *body, grz_summand *s) {
  s->placed = *body;
  if (body->shape.kind != GRAZE_ELLIPSOID) return false;
  s->ellipsoid = body->shape;
  s->ball = summand_ball(body->shape.as.ellipsoid.radii, body->shape.dim);
  /* The support points lie in the remainder within 24u·bounding radius. The margin is smaller by the slack, and the
   * error includes this loss. */
  double rounding = 40 * GRZ_U * (body->hidden.bounding_radius + body->hidden.radius),
         margin = (body->shape.margin + s->ball) - rounding;
  if (!(s->ball > rounding) || rounding < SUMMAND_TINY) return false;
  s->error = 4 * rounding;
  graze_shape rest = graze_with_margin(graze_user(body->shape.dim, summand_support, s), margin);
  s->placed = grz_place_like(&rest, body);
  return s->placed.status == GRAZE_OK;
}

/* ---- Profiles of solids of revolution */
/* Below this size, the error is itself lost to rounding. */
#define COAXIAL_TINY 0x1p-900

typedef struct coaxial_axis {
  bool any, one;   /* any: a sphere, all axes; one: a single axis of revolution */
  graze_vec world; /* unit: the image of local axis `local` */
  int local;
} coaxial_axis;

static coaxial_axis coaxial_axis_of(const graze_placed *body) {
  const graze_shape *shape = &body->shape;
  graze_vec r = shape->as.ellipsoid.radii;
  coaxial_axis axis = {.any = false, .one = true, .local = 2};
  switch (shape->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: axis.any = true; break;
  case GRAZE_CAPSULE:
  case GRAZE_CYLINDER:
  case GRAZE_CONE: break;
  case GRAZE_ELLIPSOID:
    axis.any = r.x == r.y && r.y == r.z;
    axis.one = r.x == r.y || r.y == r.z || r.x == r.z;
    axis.local = r.x == r.y ? 2 : r.y == r.z ? 0 : 1;
    break;
  default: axis.one = false;
  }
  axis.world = vec_column(body->hidden.rotation, axis.local);
  return axis;
}

/* The profile of a body; `sign` is -1 if its axis is opposite to the common one. */
static graze_shape coaxial_profile(const graze_shape *body, int axis, double sign) {
  const double radius = body->as.capsule.radius, half = sign * body->as.capsule.half_length;
  graze_vec r = body->as.ellipsoid.radii;
  graze_shape profile;
  switch (body->kind) {
  case GRAZE_CAPSULE: profile = graze_segment2(vec_make(0, -half, 0), vec_make(0, half, 0)); break;
  case GRAZE_CYLINDER: profile = graze_box2(radius, body->as.capsule.half_length); break;
  case GRAZE_CONE:
    profile = graze_triangle2(vec_make(-radius, -half, 0), vec_make(radius, -half, 0), vec_make(0, half, 0));
    break;
  case GRAZE_ELLIPSOID:
    profile = axis == 0 ? graze_ellipse(r.y, r.x) : axis == 1 ? graze_ellipse(r.x, r.y) : graze_ellipse(r.x, r.z);
    break;
  default: profile = graze_point2();
  }
  return profile;
}

static graze_vec coaxial_perpendicular(graze_vec u) {
  graze_vec axis = {real_abs(u.x) <= 0.6, real_abs(u.x) > 0.6, 0};
  return vec_unit(vec_cross(u, axis));
}

static graze_placed coaxial_place(const graze_placed *body, int axis, double sign, double at) {
  graze_shape profile = coaxial_profile(&body->shape, axis, sign);
  profile = graze_with_margin(profile, body->hidden.radius);
  return graze_place(&profile, graze_pose2(0, at, 0));
}

bool grz_coaxial_make(const grz_obstacle *c, double most, grz_coaxial *out) {
  coaxial_axis a = coaxial_axis_of(c->a), b = coaxial_axis_of(c->b);
  if (c->dim != 3 || !a.one || !b.one || (a.any && b.any)) return false;
  graze_vec u = a.any ? b.world : a.world, other = b.any ? u : b.world;
  /* Times c->unit, so that no square underflows. */
  double axial = vec_dot(c->offset, u), sign = vec_dot(u, other) < 0 ? -1 : 1;
  double bent = vec_length(vec_cross(u, other)), aside = vec_length(vec_sub(c->offset, vec_scale(u, axial)));
  /* The rotation that makes the axes parallel moves no point of B by more than 1.2·bent·bounding radius. u itself is
   * rounded. */
  double error = (aside + 1.2 * bent * (c->b->hidden.bounding_radius * c->unit)) + 128 * GRZ_U * c->size;
  out->error = error / c->unit;
  if (!(out->error <= most) || bent > 0.5 || c->size / c->unit < COAXIAL_TINY) return false;
  out->axial = u;
  out->out = coaxial_perpendicular(u);
  out->a = coaxial_place(c->a, a.local, 1, 0);
  out->b = coaxial_place(c->b, b.local, sign, -axial / c->unit);
  return out->a.status == GRAZE_OK && out->b.status == GRAZE_OK;
}

/* ---- Depth by an equivalent query */
/* Relative to the scale: axes that differ by less are coaxial. The bounds include the difference. */
#define EQUIVALENT_COAXIAL 0x1p-33

/* Runs the equivalent query with default options. */
static void equivalent_query(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  graze_options options = *query->options;
  options.surface = NULL, options.cache = NULL, options.tracer = NULL;
  options.method = GRAZE_METHOD_AUTO;
  grz_query inner = {.options = &options, .plane = query->plane, .compound = query->compound};
  grz_query_blank(result, c->a, c->b);
  grz_distance_cores(&inner, c, result);
}

bool grz_depth_by_profiles(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_coaxial profiles;
  grz_obstacle plane;
  grz_result flat;
  if (!grz_coaxial_make(c, EQUIVALENT_COAXIAL * c->scale / c->unit, &profiles)) return false;
  grz_obstacle_make(&plane, &profiles.a, &profiles.b, query->options->clearance);
  equivalent_query(query, &plane, &flat);
  if (flat.answer.relation != GRAZE_OVERLAPPING || grz_query_is_unknown(&flat)) return false;
  grz_cso_point w;
  grz_depth depth = {.direction = vec_add(vec_scale(profiles.out, flat.answer.normal.x),
                                          vec_scale(profiles.axial, flat.answer.normal.y))};
  depth.best = -grz_obstacle_gap(c, depth.direction, &w, 3);
  depth.high = depth.best + c->support_error;
  depth.low = -(flat.answer.upper + profiles.error) * c->unit - (c->radius + 2 * c->radius_error);
  if (!(depth.low > c->support_error)) return false; /* near touching, the pairs give a better bound */
  double in = c->a->hidden.radius + query->options->clearance;
  depth.core_a =
      vec_add(vec_scale(profiles.out, flat.answer.point_a.x), vec_scale(profiles.axial, flat.answer.point_a.y));
  depth.core_a = vec_sub(depth.core_a, vec_scale(depth.direction, in));
  depth.core_b = vec_sub(vec_add(depth.core_a, vec_scale(c->offset, 1 / c->unit)),
                         vec_scale(depth.direction, depth.best / c->unit));
  grz_certify_depth(c, query->options->clearance, &depth, result);
  result->answer.algorithm = GRAZE_ALGORITHM_EPA;
  result->answer.iterations += flat.answer.iterations;
  result->answer.stopped = flat.answer.stopped;
  return true;
}

/* The certificate remains, but it does not prove the better bound. */
void grz_depth_without_spheres(const grz_query *query, const grz_obstacle *c, grz_result *result) {
  grz_summand a, b;
  grz_obstacle rest;
  grz_result thin;
  bool split_a = grz_summand_make(c->a, &a), split_b = grz_summand_make(c->b, &b);
  if (!split_a && !split_b) return;
  grz_obstacle_make(&rest, &a.placed, &b.placed, query->options->clearance);
  equivalent_query(query, &rest, &thin);
  double width = thin.answer.upper - thin.answer.lower, deepest = -(c->radius + 2 * c->radius_error) / c->unit;
  bool known = thin.answer.relation == GRAZE_OVERLAPPING && !grz_query_is_unknown(&thin);
  bool better = known && width >= 0 && width < result->answer.upper - result->answer.lower;
  /* A bound shallower than r would need a proof from the pairs, so it is rejected. Only a vector direction refers to no
   * points. */
  if (!better || !(thin.answer.upper < deepest) || thin.proof.direction.form != GRAZE_DIRECTION_VECTOR) return;
  thin.proof.kind = result->proof.kind, thin.proof.pair_count = result->proof.pair_count;
  for (int i = 0; i < thin.proof.pair_count; i++) thin.proof.pairs[i] = result->proof.pairs[i];
  thin.proof.depth_proof = GRAZE_DEPTH_BY_PAIRS;
  thin.proof.surface = NULL;
  thin.answer.conditional = result->answer.conditional;
  thin.answer.iterations += result->answer.iterations;
  *result = thin;
}
