/* `graze simulate`, from its options on. */
#ifndef GRAZE_CLI_SIMULATE_H
#define GRAZE_CLI_SIMULATE_H

#include "simulate/outputs.h"
#include "simulate/run.h"

/* What the command line says of one run. */
typedef struct sim_options {
  const char *file; /* NULL: the cubes */
  sim_cubes cubes;
  size_t steps; /* 0: as the scene says */
  bool method_given, respond_given;
  graze_method method;
  graze_response respond;
  bool csv;
  const char *names[SIM_OUTPUTS]; /* NULL: not asked for */
} sim_options;

/* What the shell gives to programs that an interrupt ended. */
enum { SIM_EXIT_INTERRUPTED = 130 };

/* The counts of --compare, by every method, all pairs and in a scene; the exit status. */
int sim_compare(const sim_options *options, sim_outputs *outputs);

/* Writes text to standard output, and ends it. False: it cannot, said on stderr. */
bool sim_write(cli_text *text);

#endif
