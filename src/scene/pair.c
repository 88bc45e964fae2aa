#include "scene/pair.h"

#include "core/vec.h"
#include "shape/moving.h"

double grz_pair_skin_of(const scene_body *a, const scene_body *b, double thin) {
  const double least = real_min(a->skin, b->skin), most = real_max(a->skin, b->skin);
  if (least > 0) return real_max(least, thin);
  return most < __builtin_inf() ? real_max(most, thin) : thin;
}

double grz_pair_skin(const scene_body *a, const scene_body *b) {
  return grz_scene_responds(a, b) ? grz_pair_skin_of(a, b, scene_thin(a) + scene_thin(b)) : 0;
}

graze_status grz_pair_meets(const graze_placed *a, const graze_placed *b, double within, bool *meets) {
  graze_answer answer;
  graze_options options = graze_default_options();
  options.clearance = within;
  graze_status status = graze_intersect(a, b, &options, &answer);
  *meets = status == GRAZE_OK && answer.relation != GRAZE_SEPARATED;
  return status;
}

/* What a method does not take is asked by the one that fits. */
static graze_method pair_method(const graze_scene *scene, pair_side a, pair_side b, double clearance) {
  const graze_method method = scene->def.method;
  if (method != GRAZE_METHOD_FCCD && method != GRAZE_METHOD_LCCD) return method;
  const bool turns = moving_turns(a.placed, a.motion) || moving_turns(b.placed, b.motion);
  const bool boxes = a.placed->shape.kind == GRAZE_BOX && b.placed->shape.kind == GRAZE_BOX;
  const bool rounded = a.placed->hidden.radius > 0 || b.placed->hidden.radius > 0 || clearance > 0;
  if (turns || (method == GRAZE_METHOD_LCCD && (!boxes || rounded))) return GRAZE_METHOD_AUTO;
  return method;
}

graze_status grz_pair_cast(const graze_scene *scene, pair_side a, pair_side b, double time, pair_near near,
                           graze_cast_result *impact) {
  graze_options options = graze_default_options();
  options.clearance = near.clearance;
  options.tolerance = near.tolerance;
  options.samples = scene->def.samples;
  options.max_distance = 0; /* how near they come is nobody's question */
  options.method = pair_method(scene, a, b, near.clearance);
  return graze_sweep(a.placed, a.motion, b.placed, b.motion, time, &options, impact);
}
