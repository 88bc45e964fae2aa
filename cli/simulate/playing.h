/* A recorded run, as the page plays it. */
#ifndef GRAZE_CLI_SIMULATE_PLAYING_H
#define GRAZE_CLI_SIMULATE_PLAYING_H

#include "simulate/run.h"

void sim_print_page(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record);

/* The shapes of all bodies, each once, as a list in JSON; shape_of[i] is the place in it of that of body i. */
void sim_print_shapes(cli_text *out, const sim_scene *scene, const graze_aabb *view, size_t *shape_of);

#endif
