/* One body on its way, in parts: all of it happens beside the scene, which changes when nothing can fail any more. */
#ifndef GRAZE_SCENE_MOVE_H
#define GRAZE_SCENE_MOVE_H

#include "core/vec.h"
#include "scene/velocity_planes.h"
#include "scene/response.h"
#include "scene/world.h"

/* Nearer than this share of the skin, a body is put back before it moves. */
#define MOVE_CLOSE 0.5

/* So many steps of GJK its sweeps may take while it turns; then it turns no more. */
#define MOVE_WORK (1 << 19)

/* So many directions across a way are tried. */
enum { MOVE_ASIDE = 4 };

/* A body that was asked about: what is done about it, once and for all. */
typedef struct move_note {
  uint32_t slot;
  graze_collision_response crossing;
  bool seen;       /* it was reported, as crossed or as overlapped */
  bool waits;      /* to be reported, if the way goes as far as … */
  double s;        /* … this, from where the body is now */
  bool overlapped; /* at first */
  graze_vec point, normal;
  bool told; /* it was met, and reported with … */
  graze_vec told_normal;
} move_note;

/* A body that is not gone through, close by or on the way. */
typedef struct move_contact {
  uint32_t slot;
  graze_collision_response crossing;
  int32_t part_a, part_b; /* those that are nearest */
  graze_vec point, normal;
  graze_vec arm; /* the point, from the body's position */
  double gap;    /* beyond the margins */
  double hair;   /* so much of it is rounding */
  bool unseen;   /* not met: until there it is free, and how it turns on there is beyond what a sweep sees through */
} move_contact;

/* The moved body and another one; or a part of each, where a part is not -1. */
typedef struct move_pair {
  uint32_t slot;
  int32_t part_a, part_b;
  graze_placed of_a, of_b; /* the parts */
  const graze_placed *a, *b;
  double margin, skin, hair;
} move_pair;

typedef struct scene_move {
  graze_scene *scene;
  const scene_body *body;
  uint32_t slot;
  graze_collision_function choose;
  void *context;
  graze_placed placed; /* where it is now; from there it moves so: */
  graze_motion motion;
  graze_vec own; /* its velocity, but for what makes way where it turns */
  double time;   /* how long, from now on */
  double t;      /* how much of the whole way is behind it */
  double thin;   /* what a skin is at least: far above the rounding of all positions */
  bool stuck;    /* there is no way out of what it overlaps at first */
  bool stops;    /* it does not go the whole way */
  bool slips;    /* … but a little aside, by a corner that it met head-on */
  bool leaving;  /* others, out of which it is put first: it does not count as its way */
  graze_aabb box;
  move_contact touch[GRZ_PLANES]; /* what it touches, and would go into at once */
  int touches;
  bool hits; /* something on the way, first of all: */
  move_contact contact;
  double met, s;                      /* when it comes near; and when the body stops before that, from now on */
  size_t notes;                       /* in scene->notes, by slot */
  move_contact plane[GRZ_PLANES + 1]; /* by slot and parts */
  int planes;
  int stalls; /* stretches in a row that led nowhere, since … */
  double stalled_at;
  int met_before; /* how often it met others; more where it came no further by it */
  int meets;      /* as many of these meetings are told */
  bool turns;     /* at first */
  int64_t work;   /* steps of GJK while it turned */
  graze_collision *meetings;
  size_t capacity, count;
  size_t last; /* of those that were not crossed; SIZE_MAX: none */
  graze_status status;
} scene_move;

/* A circle does not. */
static inline bool move_turns(const scene_move *m) { return vec_norm_inf(m->motion.angular) > 0 && m->placed.reach > 0; }

/* What is found out about its turn takes too long. */
static inline bool move_is_tired(const scene_move *m) { return m->work > MOVE_WORK && move_turns(m); }

/* By more than rounding; less is touching. */
static inline bool move_overlaps(const move_contact *c) { return c->gap < -c->hair; }

static inline move_note *move_notes(const scene_move *m) { return m->scene->notes.memory; }

/* Where the note of a slot is, or belongs. */
size_t grz_move_note_place(const scene_move *m, uint32_t slot);

/* How far from each other they stop, beyond their margins. */
double grz_move_skin(const scene_move *m, const scene_body *other);

/* The pair, or of each a part, with the moved body placed as given. */
void grz_move_pair_at(const scene_move *m, const graze_placed *at, uint32_t slot, int32_t part_a, int32_t part_b,
                      move_pair *pair);

/* How near they are; true, too, where nobody can tell, as a support function of the caller's gives no numbers: then the
 * gap, the point and the normal are NaN. False: farther than two skins, beyond the margins; or a failure. */
bool grz_move_measure_pair(scene_move *m, const move_pair *pair, move_contact *contact);

/* Convex shapes that come near: does the moved one only pass by, and touches at most? From the contact, which is now,
 * or after so much time: docs/theory/scene.md, "Fits". */
bool grz_move_passes(scene_move *m, const move_contact *contact, double time);

/* Which normal a corner has that is touched is nobody's to say: each of the contacts takes that of another one where it
 * can, as of the floor whose next tile it touches. */
void grz_move_align(const scene_move *m, move_contact *contacts, int count);

/* Directions across the normal that lead by a corner: along a normal that turns so the two stay apart. Returns how
 * many. */
int grz_move_aside(const scene_move *m, const move_contact *contact, graze_vec aside[MOVE_ASIDE]);

/* How near is it? Parts: -1 for the whole. False: farther than two skins, beyond the margins; or nobody can tell; or a
 * failure. */
bool grz_move_measure(scene_move *m, uint32_t slot, int32_t part_a, int32_t part_b, move_contact *contact);

/* Who is nearer than two skins: m->plane. Who overlaps it waits to be reported. */
void grz_move_look_around(scene_move *m);

/* What comes first on its way: m->hits. What is crossed waits to be reported. Where it is tired then, not all was
 * looked at. */
void grz_move_look_ahead(scene_move *m);

/* Takes on a contact, in place of an earlier one of the same parts; the farthest one goes where there is no room. */
void grz_move_add_plane(scene_move *m, const move_contact *contact);

#endif
