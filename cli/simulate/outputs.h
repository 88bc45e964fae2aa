/* The files that a run writes. They are opened before it, so that one that cannot be written is told of at once, and
 * keep what is in them until the run is done. */
#ifndef GRAZE_CLI_SIMULATE_OUTPUTS_H
#define GRAZE_CLI_SIMULATE_OUTPUTS_H

#include "text.h"

/* Which option names it is its place in a list of them. */
enum { SIM_JSON, SIM_HTML, SIM_SVG, SIM_OUTPUTS };

typedef struct sim_output {
  const char *name; /* NULL: not asked for */
  int fd;
  bool made; /* it was not there before */
} sim_output;

typedef struct sim_outputs {
  sim_output list[SIM_OUTPUTS];
} sim_outputs;

/* Opens those that have names. None may be another of them, the scene (NULL: none) or standard output, by whatever
 * name. False: said on stderr, and everything is as it was. */
bool sim_outputs_open(sim_outputs *outputs, const char *const names[SIM_OUTPUTS], const char *scene);

/* Puts the text in the place of what was in the file, and ends both. False: it cannot, said on stderr. */
bool sim_output_write(sim_output *output, cli_text *text);

/* Closes those that were not written, and removes them where they were not there before. */
void sim_outputs_close(sim_outputs *outputs);

#endif
