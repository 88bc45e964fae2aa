/* Two bodies: margins, skins, casts, contact responses; and the candidate pairs of a step (broad phase). */
#ifndef GRAZE_SCENE_PAIRS_H
#define GRAZE_SCENE_PAIRS_H

#include "scene/store.h"

/* ---- Margins and skins */

/* The sum of the margins: up to this distance two bodies count as in contact. */
static inline double pair_margin(const graze_scene *scene, size_t low, size_t high) {
  return scene_records(scene)[low].margin + scene_records(scene)[high].margin;
}

/* The smaller skin of the two, but at least `minimum`. A point has no skin, and a half-space uses that of the other. */
double grz_pair_skin_of(const scene_record *a, const scene_record *b, double minimum);

/* The distance beyond the margins at which two bodies stop in a step. 0: they do not respond to each other. */
double grz_pair_skin(const graze_scene *scene, size_t low, size_t high);

/* The distance up to which two bodies count as in contact at the end of a step. */
static inline double pair_contact_distance(const graze_scene *scene, size_t low, size_t high) {
  return pair_margin(scene, low, high) + SCENE_CONTACT_SKINS * grz_pair_skin(scene, low, high);
}

/* The tolerance of distances and of contact times, as a fraction of the skin. */
#define PAIR_TOLERANCE 0x1p-6

/* A body that grazes another stops at most this many skins before the contact. */
#define PAIR_MAX_BACK 16

/* ---- Queries of one pair */

/* Computes whether two shapes are nearer than `clearance`, or may be. */
graze_status grz_pair_meets(const graze_placed *a, const graze_placed *b, double clearance, bool *meets);

typedef struct pair_body {
  const graze_placed *placed;
  const graze_motion *motion;
} pair_body;

/* Computes when two bodies first come within `clearance` in [0, time]: by the method of the scene if it supports the
 * pair, otherwise by GRAZE_METHOD_AUTO. `tolerance` is the wanted width of the bracket, as a distance. */
graze_status grz_pair_cast(const graze_scene *scene, pair_body a, pair_body b, double time, double clearance,
                           double tolerance, graze_cast_result *result);

/* ---- Contact response */

/* A body at the time of a contact. */
typedef struct contact_body {
  graze_vec position;
  graze_motion motion;     /* changed by the response */
  graze_vec push;          /* added to the velocity; not changed */
  double inverse_mass;     /* times a constant; 0: nothing moves the body */
  double radius;           /* bounding radius of the core, about the position */
  graze_response response; /* NONE if nothing moves the body */
  double bounce;
} contact_body;

/* The speed at which B leaves A at a common point, along the unit normal from A to B. */
double grz_separation_speed(const contact_body *a, const contact_body *b, graze_vec point, graze_vec normal);

/* Bodies that turn approach even if the contact point does not move: points of their cores accelerate along the
 * normal. A response therefore leaves a minimum separation speed: a fraction of the speed that this acceleration may
 * add. The fraction grows with the number of earlier contacts. */
double grz_separation_fraction(double fraction, int contacts);
double grz_minimum_separation(const contact_body *a, const contact_body *b, double fraction, int contacts, double time);

/* Stops the bodies with GRAZE_RESPONSE_STOP, if the two approach. Returns whether one was stopped. */
bool grz_respond_stop(contact_body *a, contact_body *b, graze_vec point, graze_vec normal);

/* Changes the velocities along the normal, in inverse proportion to the masses, until the separation speed is at least
 * `minimum`. Returns false if it was already, or if neither body can be moved. */
bool grz_respond(contact_body *a, contact_body *b, graze_vec point, graze_vec normal, double minimum);

/* ---- Candidate pairs of a step */

/* Two slots, low < high. */
typedef struct step_pair {
  uint32_t low, high;
  bool overlap; /* the cores overlap for certain, and neither body moves in the step */
} step_pair;

typedef struct step_pair_count {
  size_t tested; /* pairs that the filters allow, one of them awake, whose bounds meet */
  size_t kept;   /* those in step_pairs(): without the pairs that are separated during the whole step for certain */
} step_pair_count;

/* Finds the candidate pairs of a step by `dt`, sorted by low and high. They depend on the bodies, but not on the form
 * of the tree. False: no memory. */
bool grz_scene_collect_pairs(graze_scene *scene, double dt, step_pair_count *count);

static inline const step_pair *step_pairs(const graze_scene *scene) { return scene->buffer[BUFFER_PAIRS].memory; }

static inline bool contact_is_before(scene_contact p, uint32_t low, uint32_t high) {
  return p.low < low || (p.low == low && p.high < high);
}

/* The index of the first contact of the last step that is not before this pair. */
size_t grz_scene_contact_index(const graze_scene *scene, step_pair pair);

static inline bool contact_is(const graze_scene *scene, size_t index, step_pair pair) {
  return index < scene->store.contact_count && scene_contacts(scene)[index].low == pair.low &&
         scene_contacts(scene)[index].high == pair.high;
}

#endif
