/* The support function of what is left of an ellipsoid: the ellipsoid's own point, moved inward by the ball. */
#include "narrow/summand.h"

#include "core/vec.h"
#include "shape/placed.h"
#include "shape/support.h"

/* Below, the room for rounding would itself be rounded away. */
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

bool grz_summand_take(const graze_placed *body, grz_summand *s) {
  s->placed = *body;
  if (body->shape.kind != GRAZE_ELLIPSOID) return false;
  s->ellipsoid = body->shape;
  s->ball = summand_ball(body->shape.as.ellipsoid.radii, body->shape.dim);
  /* The points lie in the body left within 24u·reach: the margin pays for it, and the error for the margin. */
  double room = 40 * GRZ_U * (body->hidden.bounding_radius + body->hidden.radius), margin = (body->shape.margin + s->ball) - room;
  if (!(s->ball > room) || room < SUMMAND_TINY) return false;
  s->error = 4 * room;
  graze_shape rest = graze_with_margin(graze_user(body->shape.dim, summand_support, s), margin);
  s->placed = grz_place_like(&rest, body);
  return s->placed.status == GRAZE_OK;
}
