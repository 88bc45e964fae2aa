/* A step, in parts. All of it happens beside the scene, which changes only when nothing can fail any more. */
#ifndef GRAZE_SCENE_STEP_H
#define GRAZE_SCENE_STEP_H

#include "scene/pair.h"
#include "scene/pairs.h"
#include "scene/timeline.h"

typedef struct scene_step {
  graze_scene *scene;
  double dt;
  scene_timeline line;
  scene_pairs_count pairs;
  size_t contact_count; /* scene->contacts: those of the next step */
  graze_step result;
} scene_step;

/* What becomes of every pair along the ways that bodies take: fills scene->events and scene->contacts. */
graze_status grz_scene_report(scene_step *step);

/* The body in a slot at the end of the step. */
const graze_placed *grz_scene_end(const scene_step *step, size_t slot);

#endif
