/* What the parts of a timeline share. */
#ifndef GRAZE_SCENE_EVENT_QUEUE_H
#define GRAZE_SCENE_EVENT_QUEUE_H

#include "scene/response.h"
#include "scene/pairs.h"
#include "scene/timeline.h"

/* Closer than this share of the skin bodies must part. */
#define LINE_CLOSE 0x1p-4

/* This many skins are what rounding of velocities makes of no approach. */
#define LINE_NOTHING 0x1p-34

/* A meeting to come. */
typedef struct line_wait {
  double time;    /* when it is answered; INFINITY: they do not meet */
  double met;     /* when they would have come so near that somebody must respond */
  bool holds;     /* they turn, and there is no room left: both wait */
  bool no_normal; /* they are in contact, but no known direction separates them by their distance */
  bool requery;   /* no contact: until then they surely come no deeper, then they are queried again */
  uint32_t turn_low, turn_high;
  line_meeting meeting;
} line_wait;

/* A pair asked about at the beginning. */
typedef struct line_asked {
  graze_status status;
  bool near;            /* about as close as the skin already, … */
  bool closes;          /* … and coming closer: then the meeting says where */
  bool again;           /* asked again, after somebody came to move otherwise */
  double gap;           /* how close, margins counted */
  line_meeting contact; /* near: what is nearest now; another part may be in the way */
  line_wait wait;
} line_asked;

typedef struct line_run {
  graze_scene *scene;
  scene_timeline *line;
  double dt;
  size_t pairs;
  graze_status status;
  uint32_t of, but; /* whose neighbours are looked at, and which one is not; … */
  bool at_first;    /* … nor those that are looked at for themselves */
} line_run;

static inline const scene_body *line_of(const line_run *r, uint32_t slot) { return &r->scene->body[slot]; }

/* ---- line_body.c: bodies in time */

/* Did a response leave it as it moves? */
bool grz_line_is_as_before(const line_body *body, const grz_mover *mover);

/* How it moves from its time on. */
graze_motion grz_line_motion(const line_body *body);
graze_pose grz_line_pose(const line_body *body, double t);

/* The body at time t, which is not before its last change. */
graze_status grz_line_place(const line_run *r, uint32_t slot, double t, graze_placed *placed);

/* As a response sees it, at a position. */
grz_mover grz_line_mover(const line_run *r, uint32_t slot, graze_vec position);

/* From time t on the body moves as its line says now; `before`: how it did until then. */
void grz_line_change(line_run *r, uint32_t slot, double t, graze_motion before);

/* It waits from time t on. */
void grz_line_hold(line_run *r, uint32_t slot, double t);

/* ---- line_wait.c: what waits, the earliest first; of equals what meets first, then by slots */

void grz_line_push(line_run *r, const line_wait *wait);
line_wait grz_line_pop(line_run *r);

/* Both know then whom they meet first, if that is what they do. */
void grz_line_note_first(line_run *r, const line_wait *wait);

/* Lets it wait longer, if one of the two meets another first. */
bool grz_line_put_off(line_run *r, const line_wait *wait);

/* ---- line_ask.c: who meets whom, and when? */

line_wait grz_line_wait_for(const line_run *r, uint32_t low, uint32_t high);

/* From a gap, to which gap besides the margins two bodies are asked when they come. */
double grz_line_clearance(const line_run *r, const line_meeting *meeting, double gap);

/* From where they are, with the motions in force. */
graze_status grz_line_cast(const line_run *r, const line_meeting *meeting, const graze_placed *a, const graze_placed *b,
                           double time, double clearance, graze_cast_result *impact);

/* What comes of a cast from time t to the clearance. */
void grz_line_meet(const line_run *r, line_wait *wait, const graze_cast_result *impact, double t, double clearance);

/* Must bodies so near each other respond, which part so fast? `room`: from 0 to the skin. */
bool grz_line_must_respond(const line_run *r, const line_meeting *meeting, const grz_mover *a, const grz_mover *b,
                           double gap, double t);

/* In shares of what turning may take until the end of the step: how fast bodies must part that turn. */
double grz_line_kick(const line_run *r, const line_meeting *meeting);

/* How fast they must part at least. */
double grz_line_least(const line_run *r, const line_meeting *meeting, const grz_mover *a, const grz_mover *b);

/* Takes over where they are nearest; where they touch and turn, what comes deeper first. False: they touch, and along
 * the normal of the meeting they may come deeper. */
bool grz_line_contact(const line_run *r, const graze_placed *a, const graze_placed *b, const graze_answer *answer,
                      line_meeting *meeting);

/* Asks, and lets it wait. */
void grz_line_ask(line_run *r, uint32_t low, uint32_t high);

/* All that a body may meet now, but for one. */
void grz_line_ask_all(line_run *r, uint32_t slot, uint32_t but);

/* ---- line_close.c: convex pairs without a gap, or convex parts of compounds */

/* Sets the point of the meeting to the one that comes deeper first when the bodies turn, and its bend. */
void grz_line_deepest_point(const line_run *r, const graze_placed *a, const graze_placed *b, line_meeting *meeting);

/* Corrects the normal of a contact, which rounding turns where the gap is nearly 0. False: no normal is known that
 * separates the two by this height, their distance or depth. */
bool grz_line_correct_normal(const line_run *r, const graze_placed *a, const graze_placed *b, double height,
                             line_meeting *meeting);

/* Returns until when the two surely come no deeper than at time t, with the motions in force; t if nothing is known.
 * Precondition: the normal of the meeting separates them at t by their distance or depth. */
double grz_line_apart_until(const line_run *r, const line_meeting *meeting, const graze_placed *a,
                            const graze_placed *b, double t);

/* Returns whether the normal of the meeting surely separates two bodies by this height until the end of the step. */
bool grz_line_stays_apart(const line_run *r, const line_meeting *meeting, const graze_placed *a, const graze_placed *b,
                          double height, double t);

/* ---- line_answer.c */

void grz_line_note(line_run *r, const line_meeting *meeting);

/* Both respond to a meeting; the caller takes over what becomes of them. */
bool grz_line_respond(line_run *r, const line_meeting *meeting, grz_mover *a, grz_mover *b);

/* What meets first. */
void grz_line_answer(line_run *r, const line_wait *wait);

/* ---- line_begin.c */

/* First pushes and responses of what is near already; and what all pairs wait for. */
void grz_line_begin(line_run *r);

#endif
