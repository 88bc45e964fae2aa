/* Names and values for tables, pages and JSON; and numbers of recordings as JSON. */
#ifndef GRAZE_CLI_SIMULATE_FACTS_H
#define GRAZE_CLI_SIMULATE_FACTS_H

#include "text.h"

typedef struct sim_fact {
  char name[40], value[120];
} sim_fact;

typedef struct sim_facts {
  sim_fact list[24];
  size_t count;
  bool failed; /* the list is full; what is printed from it fails too */
} sim_facts;

void sim_fact_add(sim_facts *facts, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Two columns of text, or a JSON list of [name, value]. */
void sim_facts_text(cli_text *out, const sim_facts *facts);
void sim_facts_json(cli_text *out, const sim_facts *facts);

/* Resolutions: of a time relative to the time step, also after a million steps; of a length relative to the size of a
 * body, or of an angle in radians. */
#define SIM_TIME_RESOLUTION 1e-5
#define SIM_LENGTH_RESOLUTION 1e-6

/* A number with the digits down to the resolution, all digits if that is 0; null if it is not finite. */
void sim_print_number(cli_text *out, double value, double resolution);
/* The coordinates of a vector without brackets. */
void sim_print_vec(cli_text *out, graze_vec v, int dim, double resolution);
/* The parts w, x, y, z of a rotation without brackets, in 2D w, z; and a rate of rotation, in 2D one number. */
void sim_print_rotation(cli_text *out, const graze_pose *pose, int dim, double resolution);
void sim_print_angular(cli_text *out, graze_vec angular, int dim, double resolution);

#endif
