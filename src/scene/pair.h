/* The questions that a scene asks about two of its bodies. */
#ifndef GRAZE_SCENE_PAIR_H
#define GRAZE_SCENE_PAIR_H

#include "scene/world.h"

/* How near two bodies count as in contact: their margins. */
static inline double pair_margin(const scene_body *a, const scene_body *b) { return a->margin + b->margin; }

/* To so much of the skin a distance is wanted, and where bodies meet. */
#define PAIR_TOLERANCE 0x1p-6

/* What grazes another body stops no more skins before that. */
#define PAIR_BACK 16

/* The lesser skin of the two, and `thin` at least: a point has none, and a half-space takes that of the other. */
double grz_pair_skin_of(const scene_body *a, const scene_body *b, double thin);

/* How far beyond their margins they stop in a step: 0 where they do not respond. */
double grz_pair_skin(const scene_body *a, const scene_body *b);

/* The distance at which they count as in contact. */
static inline double pair_reach(const scene_body *a, const scene_body *b) {
  return pair_margin(a, b) + SCENE_CONTACT * grz_pair_skin(a, b);
}

/* In contact, or nobody can tell: where they stand, from this distance on. */
graze_status grz_pair_meets(const graze_placed *a, const graze_placed *b, double within, bool *meets);

/* One moving body. */
typedef struct pair_side {
  const graze_placed *placed;
  const graze_motion *motion;
} pair_side;

/* How near, and to how much of it the bracket of a hit is wanted. */
typedef struct pair_near {
  double clearance, tolerance;
} pair_near;

/* When they first come so near in [0, time], by the scene's method, as far as it takes them. */
graze_status grz_pair_cast(const graze_scene *scene, pair_side a, pair_side b, double time, pair_near near,
                           graze_cast_result *impact);

#endif
