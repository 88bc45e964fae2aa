/* The scene from inside. */
#ifndef GRAZE_SCENE_WORLD_H
#define GRAZE_SCENE_WORLD_H

#include <graze/scene.h>

#include "narrow/obb.h"
#include "batch/kernels.h"
#include "bvh/bvh.h"
#include "bvh/swept.h"
#include "core/vec.h"
#include "scene/owned.h"

/* A slot: a body, or free. */
typedef struct scene_body {
  graze_placed placed;
  graze_motion motion;
  uint64_t category, mask;
  double margin, mass, bounce;
  double skin; /* of points 0, of half-spaces infinite: then the other body's counts */
  void *user;
  uint32_t generation;  /* of the body; of a free slot: of the last one */
  uint32_t next;        /* of a free slot: the next one */
  graze_body_type type; /* 0: free */
  graze_response response;
  bool sensor;
} scene_body;

typedef enum scene_form {
  SCENE_FORM_ANY,
  SCENE_FORM_PLANE, /* a half-space */
  SCENE_FORM_BOX    /* scene_boxes() has its core */
} scene_form;

/* What decides of two bodies whether they are a pair, and respond: apart from the rest, as it is asked often. */
typedef struct scene_brief {
  uint64_t category, mask;
  uint8_t type; /* graze_body_type; 0: free */
  uint8_t form; /* scene_form */
  bool yields;  /* it responds to contacts */
  bool sensor;
} scene_brief;

/* What a step asks of every slot, and in nearly every scene of every pair: bits, which stay in the cache. */
typedef struct scene_state {
  bool used : 1;                                     /* there is a body */
  bool moves : 1;                                    /* its motion is not zero … */
  bool turns : 1;                                    /* … nor is the angular one */
  bool fresh : 1;                                    /* added, put elsewhere or changed since the last step */
  bool awake : 1;                                    /* it counted as moving in the last step */
  bool swept : 1;                                    /* scene_bounds() are those of a motion */
  bool stale : 1;                                    /* the broad phase has other bounds */
  bool thin : 1;                                     /* how far it counts depends on where it is */
  bool told : 1;                                     /* the broad phase counts it among those that move */
  bool fixed : 1, boxed : 1, yields : 1, sensor : 1; /* what its brief says: static, SCENE_FORM_BOX, … */
  bool plain : 1; /* no half-space, of the usual category and mask: two of them are a pair unless both are fixed */
  bool left : 1;  /* the body of the last step is gone, and its contacts with it */
} scene_state;

/* Two slots in contact, low < high. */
typedef struct scene_contact {
  uint32_t low, high;
} scene_contact;

/* Room that grows, and is never given back before the scene is. */
typedef struct scene_room {
  void *memory;
  size_t capacity; /* in elements */
} scene_room;

enum { SCENE_LINE = 64 }; /* of cache */

/* What brief.c keeps: begins at a line, as what is read at random shall not straddle one more. */
typedef struct scene_table {
  void *memory, *at; /* as it was allocated; the first line in it */
  size_t capacity;   /* in elements */
} scene_table;

struct graze_scene {
  graze_allocator allocator;
  graze_scene_def def;
  graze_parallel parallel; /* run == NULL: one thread */
  const grz_batch_kernels *kernels;
  scene_body *body;
  size_t slots, capacity; /* slots that were ever used; room for so many */
  uint32_t free_slot;     /* the first free one; == slots: none */
  grz_bvh broad;        /* of all bodies that there are */
  scene_contact *contact; /* sorted; some may be gone: grz_scene_forget() */
  bool forgets;           /* some are */
  size_t contact_count;
  size_t contact_capacity;
  scene_owned owned;
  scene_table briefs, states, boxes; /* scene_brief, scene_state, grz_oriented of every slot: brief.c */
  scene_table generations;           /* uint32_t of every slot: of its body */
  scene_table bounds;                /* graze_aabb of every slot: of its motion in the step that is asked about */
  scene_room next;                   /* graze_placed of every slot: at the end of that step, of those that move */
  scene_room found, chunks, halves, pairs, starts;       /* pairs.c */
  scene_room outcomes, meetings, sums, events, contacts; /* report.c */
  scene_room lines, pieces, meets, waiting, asked;       /* timeline.c */
  scene_room notes;                                      /* move.h */
};

/* No slot. */
#define SCENE_NOWHERE UINT32_MAX

/* The slot of a body; NULL: there is none. */
scene_body *grz_scene_find(const graze_scene *scene, graze_body body);

/* Is everything in its range? */
bool grz_scene_def_is_good(const graze_scene_def *def);

/* Judges a body as graze_scene_add() does, for scenes of this dimension, and places its shape. */
graze_status grz_scene_validate(int dim, const graze_body_def *def, graze_placed *placed, graze_error *error);

/* Makes the body in a slot what was judged. There is room for it. */
void grz_scene_take(graze_scene *scene, size_t slot, const graze_body_def *def, const graze_placed *placed);

/* Room for `count` elements of `size` bytes, what stands there kept. False: no memory, and nothing has changed. */
bool grz_scene_grow(graze_scene *scene, scene_room *room, size_t count, size_t size);

/* Runs the tasks, by the caller's loop where there is one. */
void grz_scene_run(const graze_scene *scene, size_t count, void (*task)(void *data, size_t index), void *data);

/* Leaves out contacts that are gone. */
void grz_scene_forget(graze_scene *scene);

/* Room for so many slots in what brief.c keeps. */
bool grz_scene_brief_reserve(graze_scene *scene, size_t count);
void grz_scene_brief_free(graze_scene *scene);

/* Take over what a body is now, where somebody put it, or where a step left it: the broad phase does not see the last.
 */
void grz_scene_brief_take(graze_scene *scene, size_t slot);
void grz_scene_brief_put(graze_scene *scene, size_t slot);
void grz_scene_brief_place(graze_scene *scene, size_t slot);

/* The bounds of its motion, if it moves from where it is for some time. */
void grz_scene_brief_bound(graze_scene *scene, size_t slot, double time);

/* Takes over how it moves. */
void grz_scene_brief_move(graze_scene *scene, size_t slot);

void grz_scene_brief_drop(graze_scene *scene, size_t slot);

static inline scene_brief *scene_briefs(const graze_scene *scene) { return scene->briefs.at; }
static inline scene_state *scene_states(const graze_scene *scene) { return scene->states.at; }
static inline uint32_t *scene_generations(const graze_scene *scene) { return scene->generations.at; }
static inline graze_aabb *scene_bounds(const graze_scene *scene) { return scene->bounds.at; }

/* A contact of a body that was removed counts no more: removing does not look for it. */
static inline bool scene_is_contact(const graze_scene *scene, scene_contact c) {
  return !scene_states(scene)[c.low].left && !scene_states(scene)[c.high].left;
}

/* Around the core where it stands, grown as the body counts; nothing that is so of half-spaces. */
static inline grz_oriented *scene_boxes(const graze_scene *scene) { return scene->boxes.at; }

/* May they be a pair? */
static inline bool scene_are_pair(const scene_brief *a, const scene_brief *b) {
  const bool fixed = a->type == GRAZE_STATIC && b->type == GRAZE_STATIC;
  const bool planes = a->form == SCENE_FORM_PLANE && b->form == SCENE_FORM_PLANE;
  return !fixed && !planes && (a->category & b->mask) != 0 && (b->category & a->mask) != 0;
}

/* May they meet while their motions have these bounds? Of half-spaces more is known than bounds. */
bool grz_scene_bounds_meet(const graze_scene *scene, double dt, size_t low, size_t high);

/* Does either respond to the other? */
bool grz_scene_responds(const scene_body *a, const scene_body *b);
static inline bool scene_respond(const scene_brief *a, const scene_brief *b) {
  return !a->sensor && !b->sensor && (a->yields || b->yields);
}

static inline bool scene_respond_slots(const graze_scene *scene, size_t low, size_t high) {
  const scene_state a = scene_states(scene)[low], b = scene_states(scene)[high];
  return !a.sensor && !b.sensor && (a.yields || b.yields);
}

/* Bodies that respond stop a skin apart, and are in contact up to so many: what rests trembles a little. */
#define SCENE_CONTACT 8

/* What a skin is at least, for it must be far above the rounding of positions: of bodies without any, and of those far
 * away. 0: theirs is. */
static inline double scene_thin(const scene_body *b) {
  const double least = 0x1p-36 * vec_norm1(b->placed.pose.position) + 0x1p-400;
  return least > 0.125 * b->skin ? least : 0;
}

/* How far from a body others count. */
static inline double scene_grows(const scene_body *b) {
  return b->margin + (b->placed.shape.kind == GRAZE_HALFSPACE ? 0 : SCENE_CONTACT * (b->skin + scene_thin(b)));
}

static inline graze_body scene_id(const graze_scene *scene, size_t slot) {
  return (graze_body){(uint32_t)slot, scene_generations(scene)[slot]};
}

#endif
