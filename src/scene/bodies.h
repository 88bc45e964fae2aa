/* Validation of definitions. */
#ifndef GRAZE_SCENE_BODIES_H
#define GRAZE_SCENE_BODIES_H

#include "scene/store.h"

bool grz_scene_check_def(const graze_scene_def *def, graze_error *error);

/* Validates a body as graze_scene_add() does, and places its shape. */
graze_status grz_scene_validate(int dim, const graze_body_def *def, graze_placed *placed, graze_error *error);

#endif
