/* How bodies move in a step: at constant rates, from contact to contact. */
#ifndef GRAZE_SCENE_TIMELINE_H
#define GRAZE_SCENE_TIMELINE_H

#include "scene/pair.h"
#include "scene/world.h"

/* A stretch of a body's way, at constant rates. */
typedef struct line_piece {
  double from; /* in the step */
  graze_pose pose;
  graze_motion motion;
  uint32_t next; /* SCENE_NOWHERE: it lasts until the end */
} line_piece;

enum { LINE_BLOCKS = 4 };

/* What the step does to one body. */
typedef struct line_body {
  graze_pose pose; /* at `time`, from where on it moves so: */
  graze_motion motion;
  graze_vec push; /* besides, to the end of the step */
  double time;
  uint32_t first, last;         /* its pieces */
  uint32_t turn;                /* what was said of earlier turns is no longer true */
  int contacts;                 /* how often it responded … */
  int jammed;                   /* … and how often at last, getting nowhere … */
  double last_contact;          /* … since then */
  graze_vec block[LINE_BLOCKS]; /* unit directions in which something that does not give way is in contact */
  int blocks;
  double met, answered; /* of its turn: when it first meets somebody, and when that is answered */
  double nearest;       /* the least gap to what it is in contact with at first */
  bool held;            /* it waits for the end of the step */
  bool stirred;         /* what it was in contact with at first made it move otherwise */
  bool changed;         /* its way is not what it was at first */
} line_body;

/* Two bodies that met. */
typedef struct line_meeting {
  uint32_t low, high;
  graze_cast_outcome result;
  double t_lower, t_upper;
  graze_vec point, normal;
  double bend; /* acceleration along the normal, at most, where bodies in contact turn; otherwise 0 */
  int32_t part_a, part_b;
} line_meeting;

/* Takes over where two bodies meet: half way between the points that are nearest. */
static inline void line_meeting_of_answer(line_meeting *m, const graze_answer *answer) {
  m->point = vec_scale(vec_add(answer->point_a, answer->point_b), 0.5), m->normal = answer->normal;
  m->bend = 0;
  m->part_a = answer->part_a, m->part_b = answer->part_b;
}

static inline void line_meeting_of_impact(line_meeting *m, const graze_cast_result *impact) {
  m->point = impact->point, m->normal = impact->normal;
  m->bend = 0;
  m->part_a = impact->part_a, m->part_b = impact->part_b;
}

typedef struct scene_timeline {
  bool any; /* somebody responds: otherwise there are no lines */
  line_body *body;
  size_t piece_count, meeting_count, waiting_count;
  size_t casts, responses, stalled;
} scene_timeline;

/* Moves all bodies that respond, in the order in which they meet, to the end of the step; scene->bounds then hold what
 * they did. `pairs`: of scene_pairs(). */
graze_status grz_scene_run_timeline(graze_scene *scene, double dt, size_t pairs, scene_timeline *line);

/* The first time that two bodies met: meetings are sorted by low, high and time. NULL: they did not. */
const line_meeting *grz_scene_first_meeting(const graze_scene *scene, const scene_timeline *line, uint32_t low,
                                            uint32_t high);

/* The way of a slot: its first piece, copied where nothing changed. */
line_piece grz_scene_first_piece(const graze_scene *scene, const scene_timeline *line, size_t slot);

/* Where it is at the end. */
graze_pose grz_scene_end_pose(const graze_scene *scene, const scene_timeline *line, size_t slot, double dt);

static inline line_piece *scene_pieces(const graze_scene *scene) { return scene->pieces.memory; }

#endif
