#include "scene/random_bodies.h"
#include "scene/make.h"

#include "support/shapes.h"

void make_body_kind(rng *random, int dim, double spread, bool plain, body_kind *made) {
  *made = (body_kind){.dim = dim, .spread = spread, .plain = plain, .ball = 0.6};
  random_compound(random, dim, 3, false, &made->parts);
}

static graze_shape random_body_shape(rng *random, const body_kind *kind, graze_vec vertices[8]) {
  const int which = rng_below(random, 30);
  if (which == 0 && kind->planes) {
    graze_vec normal = rng_vec(random, kind->dim, 1);
    normal.x += 0.125;
    return halfspace_of(kind->dim, normal, -1.5 * kind->spread);
  }
  if (which == 1 && !kind->plain) return graze_compound_shape(kind->parts.compound);
  if (which == 2 && !kind->plain) return user_ball(kind->dim, (double *)&kind->ball);
  return random_convex(random, kind->dim, which == 3, vertices);
}

graze_motion random_motion(rng *random, int dim, bool turns) {
  graze_motion motion = {rng_vec(random, dim, 4), {0, 0, 0}};
  if (!turns || rng_below(random, 2) == 0) return motion;
  motion.angular = rng_vec(random, dim, 3);
  if (dim == 2) motion.angular = (graze_vec){0, 0, motion.angular.x};
  return motion;
}

graze_body_def random_body(rng *random, const body_kind *kind, graze_vec vertices[8]) {
  static const graze_body_type types[] = {GRAZE_STATIC, GRAZE_KINEMATIC, GRAZE_DYNAMIC, GRAZE_DYNAMIC, GRAZE_DYNAMIC};
  graze_body_def def = passive_body();
  def.shape = random_body_shape(random, kind, vertices);
  const bool plane = def.shape.kind == GRAZE_HALFSPACE;
  def.type = types[rng_below(random, plane ? 2 : 5)];
  def.pose = random_grid_pose(random, kind->dim, kind->spread);
  if (def.type != GRAZE_STATIC && rng_below(random, 4) > 0) def.motion = random_motion(random, kind->dim, !plane);
  if (kind->responds) def.response = (graze_response)rng_below(random, 4);
  def.category = 1u << rng_below(random, 3);
  if (rng_below(random, 4) == 0) def.mask = (uint64_t)rng_below(random, 8);
  def.sensor = rng_below(random, 10) == 0;
  if (rng_below(random, 4) == 0) def.margin = rng_uniform(random, 0, 0.25);
  def.mass = rng_uniform(random, 0.5, 4);
  def.bounce = rng_uniform(random, 0, 1);
  def.user = (void *)(uintptr_t)rng_below(random, 1000);
  return def;
}
