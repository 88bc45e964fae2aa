/* The recording of a run: keyframes of every body, its intervals in contact, and the contacts. */
#ifndef GRAZE_CLI_SIMULATE_RECORD_H
#define GRAZE_CLI_SIMULATE_RECORD_H

#include "simulate/world.h"

/* One body: keyframes where its motion changes, and the time intervals in which it is in contact. */
typedef struct sim_track {
  sim_keyframe *keys;
  size_t key_count, key_capacity;
  double (*intervals)[2];
  size_t interval_count, interval_capacity;
  size_t touching; /* the number of bodies it is in contact with */
  double since;    /* the beginning of the current interval in contact */
  double size;     /* a change that is small relative to this is not recorded */
} sim_track;

typedef struct sim_contact {
  double t;
  size_t a, b;
  graze_vec point, normal; /* NaN if not known */
} sim_contact;

typedef struct sim_record {
  sim_track *tracks; /* one for each body */
  size_t count;
  sim_contact *contacts; /* sorted by time, then by bodies */
  size_t contact_count, contact_capacity;
  bool failed; /* out of memory */
} sim_record;

/* The longest side of the bounds of a shape; 1 if it has no bounds or no size. */
double sim_size_of(const graze_shape *shape);

/* False: out of memory. Otherwise the caller frees the recording. */
bool sim_record_make(const sim_scene *scene, sim_record *record);
void sim_record_free(sim_record *record);

/* Before a step, after sim_world_prepare(); after the step; and at the end of the run. */
void sim_record_before(sim_record *record, const sim_world *world);
void sim_record_after(sim_record *record, const sim_world *world, const graze_step *step);
void sim_record_end(sim_record *record, double t);

#endif
