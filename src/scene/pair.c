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

graze_status grz_pair_cast(const graze_scene *scene, pair_side a, pair_side b, double time, pair_near near,
                           graze_cast_result *impact) {
  const graze_scene_def *def = &scene->def;
  graze_cast_options options = graze_default_cast_options();
  options.clearance = near.clearance;
  options.tolerance = near.tolerance;
  options.min_distance = false;
  if (def->cast != NULL) {
    const graze_status status =
        def->cast(def->cast_context, a.placed, a.motion, b.placed, b.motion, time, &options, impact);
    if (status != GRAZE_UNSUPPORTED) return status;
  }
  const bool turns = moving_turns(a.placed, a.motion) || moving_turns(b.placed, b.motion);
  options.method = turns && def->method == GRAZE_CAST_FCCD ? GRAZE_CAST_AUTO : def->method;
  return graze_cast(a.placed, a.motion, b.placed, b.motion, time, &options, impact);
}
