/* Scenes and bodies of default definitions. */
#ifndef TESTS_SCENE_MAKE_H
#define TESTS_SCENE_MAKE_H

#include <graze/scene.h>

#include "support/test.h"

/* A default body without a response to contacts. */
static inline graze_body_def passive_body(void) {
  graze_body_def def = graze_default_body();
  def.response = GRAZE_RESPONSE_NONE;
  return def;
}

/* Skin 0: the default one. */
static inline graze_scene *make_scene(int dim, double skin, const graze_allocator *allocator) {
  graze_scene_def def = graze_default_scene();
  graze_scene *scene;
  def.dim = dim, def.skin = skin;
  assert_int_equal(graze_scene_create(&def, allocator, &scene, NULL), GRAZE_OK);
  return scene;
}

static inline graze_body add_def(graze_scene *scene, const graze_body_def *def) {
  graze_body body;
  assert_int_equal(graze_scene_add(scene, def, &body, NULL), GRAZE_OK);
  return body;
}

static inline graze_body add_body(graze_scene *scene, graze_shape shape, graze_body_type type, graze_pose pose) {
  graze_body_def def = passive_body();
  def.shape = shape, def.type = type, def.pose = pose;
  return add_def(scene, &def);
}

#endif
