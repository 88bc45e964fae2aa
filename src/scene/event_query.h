/* When do two bodies collide next? */
#ifndef GRAZE_SCENE_EVENT_QUERY_H
#define GRAZE_SCENE_EVENT_QUERY_H

#include "scene/trajectory.h"

/* An empty event of two bodies, at the time INFINITY. */
step_event grz_event_none(const scene_step *step, uint32_t low, uint32_t high);

/* The clearance for a cast of two bodies at this gap, beyond the margins. */
double grz_event_clearance(const scene_step *step, const step_collision *c, double gap);

/* Casts two bodies from where they are, with their current motions. */
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

/* Sets point and normal of a collision; for bodies that touch and turn, the point that comes deeper first. False: they
 * touch, and may come deeper along the normal. */
bool grz_event_contact(const scene_step *step, const graze_placed *a, const graze_placed *b, const graze_answer *answer,
                       step_collision *c);

/* Queries a pair from the later one of their times on, and pushes its event. */
void grz_event_query(scene_step *step, uint32_t low, uint32_t high);

/* Queries a body with all bodies that it may collide with, except one. `at_start`: a pair of two bodies that changed
 * is queried only by that with the lower slot. */
void grz_event_query_neighbors(scene_step *step, uint32_t slot, uint32_t except, bool at_start);

#endif
