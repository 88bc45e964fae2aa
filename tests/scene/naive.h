/* An independent test of whether two bodies are a pair, as graze/scene.h defines it. */
#ifndef TESTS_SCENE_NAIVE_H
#define TESTS_SCENE_NAIVE_H

#include <graze/scene.h>

static inline bool naive_is_pair(const graze_body_def *a, const graze_body_def *b) {
  const bool planes = a->shape.kind == GRAZE_HALFSPACE && b->shape.kind == GRAZE_HALFSPACE;
  if ((a->category & b->mask) == 0 || (b->category & a->mask) == 0) return false;
  return !planes && !(a->type == GRAZE_STATIC && b->type == GRAZE_STATIC);
}

#endif
