/* Types of a step for pairs of bodies, trajectories, pending events and contact responses.
 *
 * Files of a step. Each file calls only the files below it:
 *
 *   step.c         the phases of a step; contacts and events at its end
 *   event_queue.c  contact responses in the order of time
 *   event_query.c  when two bodies collide next
 *   trajectory.c   how bodies move within the step, and the queue of pending events
 *   pairs.c        one pair of bodies; candidate pairs
 *   bodies.c       the state of all bodies
 *
 * Source of the event queue: Mirtich, "Timewarp Rigid Body Simulation" 2000, and event-driven molecular dynamics
 * (Alder and Wainwright 1959). */
#ifndef GRAZE_SCENE_COLLISIONS_H
#define GRAZE_SCENE_COLLISIONS_H

#include "scene/store.h"

/* ---- Two bodies: margins and skins (pairs.c) */

/* The sum of the margins: up to this distance two bodies count as in contact. */
static inline double pair_margin(const graze_scene *scene, size_t low, size_t high) {
  return scene_records(scene)[low].margin + scene_records(scene)[high].margin;
}

/* The smaller skin of the two, but at least `minimum`. A point has no skin. A half-space uses the skin of the other
 * body. */
double grz_pair_skin_of(const scene_record *a, const scene_record *b, double minimum);

/* Returns the distance beyond the margins at which two bodies stop in a step; 0 if they do not respond to each
 * other. */
double grz_pair_skin(const graze_scene *scene, size_t low, size_t high);

/* The distance up to which two bodies count as in contact at the end of a step. */
double grz_pair_contact_distance(const graze_scene *scene, size_t low, size_t high);

/* The tolerance of distances and of contact times, as a fraction of the skin. */
#define PAIR_TOLERANCE 0x1p-6

/* A body that approaches another one almost tangentially stops at most this many skins before the contact. */
#define PAIR_MAX_BACK 16

/* ---- Two bodies: queries (pairs.c) */

/* Computes whether two shapes may be at most `clearance` apart. An undecided relation counts. */
graze_status grz_pair_meets(const graze_placed *a, const graze_placed *b, double clearance, bool *meets);

typedef struct pair_body {
  const graze_placed *placed;
  const graze_motion *motion;
} pair_body;

/* Computes when two bodies first come within `clearance` in [0, time]. It uses the cast function or method of the
 * scene if that supports the pair, otherwise GRAZE_CAST_AUTO. `tolerance` is the wanted width of the bracket, as a
 * distance. */
graze_status grz_pair_cast(const graze_scene *scene, pair_body a, pair_body b, double time, double clearance,
                           double tolerance, graze_cast_result *result);

/* ---- Two bodies: contact response (pairs.c) */

/* A body at the time of a contact. */
typedef struct contact_body {
  graze_vec position;
  graze_motion motion;     /* changed by the response */
  graze_vec push;          /* added to the velocity; not changed */
  double inverse_mass;     /* times a constant; 0 if contacts do not move the body */
  double radius;           /* bounding radius of the core, about the position */
  graze_response response; /* NONE if contacts do not move the body */
  double bounce;
} contact_body;

/* The speed at which B leaves A at a common point, along the unit normal from A to B. */
double grz_separation_speed(const contact_body *a, const contact_body *b, graze_vec point, graze_vec normal);

/* Points of a rotating body accelerate along the contact normal, so two bodies may approach although the contact
 * point is at rest. A response therefore leaves a minimum separation speed. It is a fraction of the speed that this
 * acceleration may add, and the fraction grows with the number of earlier contacts. */
double grz_separation_fraction(double fraction, int contacts);
double grz_minimum_separation(const contact_body *a, const contact_body *b, double fraction, int contacts, double time);

/* Stops the bodies with GRAZE_RESPONSE_STOP, if the two approach. Returns whether one was stopped. */
bool grz_respond_stop(contact_body *a, contact_body *b, graze_vec point, graze_vec normal);

/* Changes the velocities along the normal, in inverse proportion to the masses, until the separation speed is at
 * least `minimum`. Returns false if nothing changed: the speed was sufficient, or contacts move neither body. */
bool grz_respond(contact_body *a, contact_body *b, graze_vec point, graze_vec normal, double minimum);

/* ---- Candidate pairs of a step (pairs.c) */

/* Two slots, low < high. */
typedef struct step_pair {
  uint32_t low, high;
  bool overlap; /* the cores certainly overlap, and neither body moves in the step */
} step_pair;

typedef struct step_pair_count {
  size_t tested; /* pairs that the filters allow and whose bounds overlap, with at least one body awake */
  size_t kept;   /* pairs in step_pairs(): without those that are certainly separated during the whole step */
} step_pair_count;

/* Finds the candidate pairs of a step by `dt`, sorted by low and high. They depend on the bodies, not on the
 * structure of the tree. Returns false if memory runs out. */
bool grz_scene_collect_pairs(graze_scene *scene, double dt, step_pair_count *count);

static inline const step_pair *step_pairs(const graze_scene *scene) { return scene->buffer[BUFFER_PAIRS].memory; }

static inline bool contact_is_before(scene_contact p, uint32_t low, uint32_t high) {
  return p.low < low || (p.low == low && p.high < high);
}

/* Returns the index of the first contact of the last step that is not before this pair in the order of slots. */
size_t grz_scene_contact_index(const graze_scene *scene, step_pair pair);

static inline bool contact_is(const graze_scene *scene, size_t index, step_pair pair) {
  return index < scene->store.contact_count && scene_contacts(scene)[index].low == pair.low &&
         scene_contacts(scene)[index].high == pair.high;
}

/* Bodies nearer than this fraction of the skin must separate. */
#define STEP_CLOSE 0x1p-4

/* An approach by less than this fraction of the skin in a step is rounding of velocities and is ignored. */
#define STEP_NEGLIGIBLE 0x1p-34

/* ---- Trajectories */

/* A part of a trajectory with a constant motion. */
typedef struct step_segment {
  double from; /* in the step */
  graze_pose pose;
  graze_motion motion;
  uint32_t next; /* SCENE_NONE: it lasts until the end of the step */
} step_segment;

enum { STEP_BLOCKS = 4 };

/* How a body moves in the step. */
typedef struct step_trajectory {
  graze_pose pose;      /* at `time` */
  graze_motion motion;  /* from `time` on */
  graze_vec push;       /* added to the velocity until a collision or the step's end; separates overlapping bodies */
  double time;          /* of the last change */
  uint32_t first, last; /* segments; SCENE_NONE: the body did not change its motion */
  uint32_t version;     /* incremented by every change; pending events of older versions are void */
  int contacts;         /* how often the body responded */
  int jammed;           /* how many of the last responses followed each other at almost the same time */
  double last_contact;
  graze_vec block[STEP_BLOCKS]; /* unit directions of contacts with bodies that cannot move */
  int blocks;
  double first_contact, first_event; /* of this version: the time of the earliest contact, and the time of its event */
  double nearest_gap;                /* the smallest gap to a body in contact at the start */
  bool stopped;                      /* the body is at rest until the step ends */
  bool disturbed;                    /* a contact at the start changed its motion */
} step_trajectory;

/* Two bodies that collide. */
typedef struct step_collision {
  uint32_t low, high;
  graze_cast_outcome result;
  double t_lower, t_upper;
  graze_vec point, normal;
  double acceleration; /* an upper bound along the normal if the bodies touch and rotate; otherwise 0 */
  int32_t part_a, part_b;
} step_collision;

/* The contact of a distance query is the midpoint of the nearest points. */
static inline void step_collision_from_answer(step_collision *c, const graze_answer *answer) {
  c->point = vec_scale(vec_add(answer->point_a, answer->point_b), 0.5), c->normal = answer->normal;
  c->acceleration = 0;
  c->part_a = answer->part_a, c->part_b = answer->part_b;
}

static inline void step_collision_from_cast(step_collision *c, const graze_cast_result *result) {
  c->point = result->point, c->normal = result->normal;
  c->acceleration = 0;
  c->part_a = result->part_a, c->part_b = result->part_b;
}

/* ---- Events */

/* A pending event of two bodies. */
typedef struct step_event {
  double time;         /* when the bodies respond; INFINITY: no event */
  double contact_time; /* when they would come so close that they must respond */
  bool stops;          /* they rotate and have no gap left; both stop for the rest of the step */
  bool no_normal;      /* they touch, but no normal is known that proves their distance */
  bool requery;        /* no contact: they do not approach until `time`, and are then queried again */
  uint32_t version_low, version_high;
  step_collision collision;
} step_event;

/* ---- The step */

typedef struct scene_step {
  graze_scene *scene;
  double dt;
  step_pair_count pairs;
  step_trajectory *trajectory; /* by slot; NULL: nothing responds, so all bodies follow their motions */
  size_t segment_count, collision_count, event_count;
  size_t contact_count; /* in BUFFER_CONTACTS: the contacts at the end of the step */
  graze_status status;  /* the first failure */
  size_t failed;        /* the slot of its body */
  graze_step result;
} scene_step;

/* Stores a status if there was no failure before. */
static inline void step_fail(scene_step *step, graze_status status, size_t slot) {
  if (step->status == GRAZE_OK) step->status = status, step->failed = slot;
}

static inline const scene_record *step_body(const scene_step *step, uint32_t slot) {
  return &scene_records(step->scene)[slot];
}

static inline bool step_changed(const scene_step *step, size_t slot) {
  return scene_flags_of(step->scene)[slot].changed;
}

static inline step_segment *step_segments(const scene_step *step) {
  return step->scene->buffer[BUFFER_SEGMENTS].memory;
}

/* ---- Trajectories and the queue of events (trajectory.c) */

/* Allocates a trajectory for each slot, with the motion of the record. Returns false if memory runs out. */
bool grz_trajectories_create(scene_step *step);

/* The motion from t->time on, with the push. */
graze_motion grz_trajectory_motion(const step_trajectory *t);

graze_pose grz_trajectory_pose(const step_trajectory *t, double time);

/* Places the body at a time at or after its last change. */
graze_status grz_trajectory_place(const scene_step *step, uint32_t slot, double time, graze_placed *placed);

/* Returns the body at a position, for a contact response. */
contact_body grz_trajectory_contact_body(const scene_step *step, uint32_t slot, graze_vec position);

/* Returns whether a response left the motion unchanged. */
bool grz_trajectory_keeps_motion(const step_trajectory *t, const contact_body *body);

/* Starts a new segment at `time` with the present motion of the trajectory. `before` is the motion until then. */
void grz_trajectory_change(scene_step *step, uint32_t slot, double time, graze_motion before);

/* The body stands still from `time` until the step ends. */
void grz_trajectory_stop(scene_step *step, uint32_t slot, double time);

/* Returns the first segment. If the motion did not change, it is made from the record. */
step_segment grz_trajectory_first_segment(const scene_step *step, size_t slot);

graze_pose grz_trajectory_end_pose(const scene_step *step, size_t slot);

/* The queue of events: a binary heap. Events are ordered by time, then by the time of contact, then by slots. */
void grz_queue_push(scene_step *step, const step_event *event);
step_event grz_queue_pop(scene_step *step);

/* Updates the first contact of both bodies. */
void grz_queue_update_first(scene_step *step, const step_event *event);

/* If one of the two bodies touches another body first, pushes the event again at a later time and returns true. */
bool grz_queue_postpone(scene_step *step, const step_event *event);

/* ---- When do two bodies collide next? (event_query.c) */

/* An empty event of two bodies, at the time INFINITY. */
step_event grz_event_none(const scene_step *step, uint32_t low, uint32_t high);

/* Returns the clearance beyond the margins for a cast of two bodies with this gap. */
double grz_event_clearance(const scene_step *step, const step_collision *c, double gap);

/* Casts two placed bodies with their current motions. */
graze_status grz_event_cast(const scene_step *step, const step_collision *c, const graze_placed *a,
                            const graze_placed *b, double time, double clearance, graze_cast_result *result);

/* Sets the event from a cast that started at `time`. */
void grz_event_from_cast(const scene_step *step, step_event *event, const graze_cast_result *result, double time,
                         double clearance);

/* Returns whether two bodies at this gap must respond, given their velocities. */
bool grz_event_must_respond(const scene_step *step, const step_collision *c, const contact_body *a,
                            const contact_body *b, double gap, double time);

/* The minimum separation speed of two bodies that respond. */
double grz_event_minimum_separation(const scene_step *step, const step_collision *c, const contact_body *a,
                                    const contact_body *b);

/* Sets the point and normal of a collision. For bodies that touch and rotate, it selects the point that would
 * penetrate first. Returns false if they touch and no normal is known that proves their distance. */
bool grz_event_contact(const scene_step *step, const graze_placed *a, const graze_placed *b, const graze_answer *answer,
                       step_collision *c);

/* Queries a pair from the later of the two trajectory times on, and pushes its event. */
void grz_event_query(scene_step *step, uint32_t low, uint32_t high);

/* Queries a body against all bodies that it may collide with, except one. With `at_start`, if both bodies of a pair
 * changed, only the one with the lower slot queries the pair. */
void grz_event_query_neighbors(scene_step *step, uint32_t slot, uint32_t except, bool at_start);

/* ---- Contact responses in the order of time (event_queue.c) */

/* Moves all bodies that respond to the end of the step. Afterwards, the bounds of the store contain the trajectories,
 * and BUFFER_COLLISIONS is sorted by low, high and time. */
graze_status grz_step_run_events(scene_step *step);

/* Returns the earliest collision of two bodies, or NULL. */
const step_collision *grz_step_first_collision(const scene_step *step, uint32_t low, uint32_t high);

#endif
