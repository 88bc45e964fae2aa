/* Penetration depth of curved shapes whose least depth is reached along a ring: profile curves and Blaschke
 * summands.
 *
 * Theory: docs/theory/depth.md, "Balls" and "Rings". */
#include "narrow/stages.h"

#include "core/vec.h"
#include "narrow/search.h"
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
  /* The support points lie in the remainder within 24u·(bounding radius). The margin is reduced by `rounding`, and the
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
  bool any, one;   /* one: a solid of revolution; any: a sphere, where every axis is one */
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

/* The unit vector perpendicular to the unit vector u, towards v; any, if v is almost parallel to u. */
static graze_vec coaxial_towards(graze_vec v, graze_vec u) {
  const double length = vec_length(v);
  const graze_vec d = length > 0 ? vec_scale(v, 1 / length) : u, out = vec_sub(d, vec_scale(u, vec_dot(d, u)));
  return vec_dot(out, out) > 0.25 ? vec_unit(out) : coaxial_perpendicular(u);
}

static graze_placed coaxial_place(const graze_placed *body, int axis, double sign, double x, double y) {
  graze_shape profile = coaxial_profile(&body->shape, axis, sign);
  profile = graze_with_margin(profile, body->hidden.radius);
  return graze_place(&profile, graze_pose2(x, y, 0));
}

bool grz_coaxial_make(const grz_obstacle *c, double most, grz_coaxial *out) {
  coaxial_axis a = coaxial_axis_of(c->a), b = coaxial_axis_of(c->b);
  if (c->dim != 3 || !a.one || !b.one || (a.any && b.any)) return false;
  graze_vec u = a.any ? b.world : a.world, other = b.any ? u : b.world;
  /* Times c->unit, so that no square underflows. */
  double axial = vec_dot(c->offset, u), sign = vec_dot(u, other) < 0 ? -1 : 1;
  const graze_vec across = vec_sub(c->offset, vec_scale(u, axial));
  double bent = vec_length(vec_cross(u, other)), aside = vec_length(across);
  const bool ball = a.any || b.any;
  /* The rotation that makes the axes parallel moves no point of B by more than 1.2·bent·bounding radius. u itself is
   * rounded. */
  double error = ((ball ? 0 : aside) + 1.2 * bent * (c->b->hidden.bounding_radius * c->unit)) + 128 * GRZ_U * c->size;
  out->error = error / c->unit;
  if (!(out->error <= most) || bent > 0.5 || c->size / c->unit < COAXIAL_TINY) return false;
  out->axial = u;
  out->out = ball ? coaxial_towards(a.any ? across : vec_neg(across), u) : coaxial_perpendicular(u);
  out->at_a = a.any ? aside / c->unit : 0;
  out->a = coaxial_place(c->a, a.local, 1, out->at_a, 0);
  out->b = coaxial_place(c->b, b.local, sign, b.any ? aside / c->unit : 0, -axial / c->unit);
  return out->a.status == GRAZE_OK && out->b.status == GRAZE_OK;
}
