/* The files that a run writes. */
#ifndef GRAZE_CLI_SIMULATE_OUTPUTS_H
#define GRAZE_CLI_SIMULATE_OUTPUTS_H

#include "text.h"

enum { SIM_JSON, SIM_HTML, SIM_SVG, SIM_OUTPUTS };

/* A file that a run writes. It is opened before the run, so that an error is reported at once, and keeps its content
 * until the run is done. */
typedef struct sim_output {
  const char *name; /* NULL: none */
  int fd;
  bool created; /* the file did not exist before */
} sim_output;

typedef struct sim_outputs {
  sim_output list[SIM_OUTPUTS];
} sim_outputs;

/* Opens the files that have names. A file must not be another of them, the scene (NULL: none) or standard output, under
 * any name. False: reported on standard error; no file has changed. */
bool sim_outputs_open(sim_outputs *outputs, const char *const names[SIM_OUTPUTS], const char *scene);
/* Replaces the content of the file by the text, closes the file and frees the text. False: reported on standard error.
 */
bool sim_output_write(sim_output *output, cli_text *text);
/* Closes the files that were not written, and removes those that were created. */
void sim_outputs_close(sim_outputs *outputs);

/* Writes the text to standard output and frees it. False: reported on standard error. */
bool sim_write(cli_text *text);

#endif
