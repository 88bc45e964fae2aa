/* Numbers of recordings, as JSON. */
#ifndef GRAZE_CLI_SIMULATE_NUMBERS_H
#define GRAZE_CLI_SIMULATE_NUMBERS_H

#include "text.h"

#include <graze/graze.h>

/* With the digits down to `least`, which is as good as nothing to whoever reads it; all of them where it is 0. null
 * where it is not finite. */
void sim_put_number(cli_text *out, double value, double least);
/* The same of a vector or a point, as a list without its brackets. */
void sim_put_vec(cli_text *out, graze_vec v, int dim, double least);
/* `[t,a,b`, with which contacts and misses begin. */
void sim_put_meeting(cli_text *out, double t, size_t a, size_t b, double least);

/* Of a time per step: what is as good as nothing, also after a million steps. */
#define SIM_LEAST_TIME 1e-5
/* Of a size, or in radians. */
#define SIM_LEAST_PLACE 1e-6

#endif
