/* Contact responses in the order of time. */
#ifndef GRAZE_SCENE_EVENT_QUEUE_H
#define GRAZE_SCENE_EVENT_QUEUE_H

#include "scene/trajectory.h"

/* Moves all bodies that respond to the end of the step. Afterwards, the bounds of the store contain the trajectories,
 * and BUFFER_COLLISIONS is sorted by low, high and time. */
graze_status grz_step_run_events(scene_step *step);

/* The earliest collision of two bodies. NULL: none. */
const step_collision *grz_step_first_collision(const scene_step *step, uint32_t low, uint32_t high);

#endif
