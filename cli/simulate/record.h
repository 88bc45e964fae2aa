/* What a page plays: how every body went, when it was in contact, and where contacts began. */
#ifndef GRAZE_CLI_SIMULATE_RECORD_H
#define GRAZE_CLI_SIMULATE_RECORD_H

#include "simulate/world.h"

/* One body: keys where its motion changed, and the intervals in which it was in contact. */
typedef struct sim_track {
  sim_stop *keys;
  size_t key_count, key_capacity;
  double (*red)[2];
  size_t red_count, red_capacity;
  size_t touching; /* how many others it is in contact with */
  double since;    /* where it is: from when on */
  double size;     /* what is small against this is no change */
} sim_track;

typedef struct sim_contact {
  double t;
  size_t a, b;
  graze_vec point, normal; /* NaN where not known */
} sim_contact;

typedef struct sim_record {
  sim_track *tracks; /* one for each body */
  size_t count;
  sim_contact *contacts; /* by time, then by bodies */
  size_t contact_count, contact_capacity;
  bool failed; /* memory ran out */
} sim_record;

/* The longest side of its bounds; 1 where there is none. */
double sim_size_of(const graze_shape *shape);

/* False: there is not enough memory. Otherwise end with sim_record_free(). */
bool sim_record_make(const sim_scene *scene, sim_record *record);
void sim_record_free(sim_record *record);

/* Before a step, when the world is prepared for it; after it; and at the end. */
void sim_record_before(sim_record *record, const sim_world *world);
void sim_record_after(sim_record *record, const sim_world *world, const graze_step *step);
void sim_record_end(sim_record *record, double t);

#endif
