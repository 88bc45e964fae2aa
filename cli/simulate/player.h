/* The page that plays a recorded run. */
#ifndef GRAZE_CLI_SIMULATE_PLAYER_H
#define GRAZE_CLI_SIMULATE_PLAYER_H

#include "simulate/run.h"

void sim_print_page(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record);

#endif
