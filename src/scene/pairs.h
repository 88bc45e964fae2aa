/* Which bodies may meet in a step. */
#ifndef GRAZE_SCENE_PAIRS_H
#define GRAZE_SCENE_PAIRS_H

#include "scene/timeline.h"
#include "scene/world.h"

/* Two slots, low < high. */
typedef struct scene_pair {
  uint32_t low, high;
  bool overlap; /* surely, and neither moves in the step */
} scene_pair;

typedef struct scene_pairs_count {
  size_t
      met; /* pairs of items of the broad phase of which one moves, which may be a pair and of which the bounds meet */
  size_t left; /* those in scene->pairs, sorted: without those that are surely out of each other's reach all the time */
} scene_pairs_count;

/* Fills scene->pairs. What is in it is the same whatever the tree looks like. `line`: the ways of bodies where they
 * have changed. False: no memory. */
bool grz_scene_collect_pairs(graze_scene *scene, double dt, const scene_timeline *line, scene_pairs_count *count);

static inline bool scene_contact_before(scene_contact p, uint32_t low, uint32_t high) {
  return p.low < low || (p.low == low && p.high < high);
}

/* The first contact at the end of the last step that does not come before this pair. */
size_t grz_scene_contact_from(const graze_scene *scene, scene_pair pair);

/* Is it the contact number `at`? */
static inline bool scene_contact_is(const graze_scene *scene, size_t at, scene_pair pair) {
  return at < scene->contact_count && scene->contact[at].low == pair.low && scene->contact[at].high == pair.high;
}

static inline bool scene_in_contact(const graze_scene *scene, scene_pair pair) {
  return scene_contact_is(scene, grz_scene_contact_from(scene, pair), pair);
}

static inline const scene_pair *scene_pairs(const graze_scene *scene) { return scene->pairs.memory; }

#endif
