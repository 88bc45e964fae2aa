/* Bodies tested two by two, as the texts do: no broad phase, no events, nothing remembered. */
#ifndef GRAZE_CLI_SIMULATE_ALL_PAIRS_H
#define GRAZE_CLI_SIMULATE_ALL_PAIRS_H

#include "simulate/progress.h"
#include "simulate/scene.h"

/* Moves the bodies of a scene without responses through its steps; in each of them every pair is asked by the method if
 * it meets, after a test of the bounds of both ways. *ms is the median time of a step. Ends early when interrupted.
 * False: the complaint says why. */
bool sim_all_pairs(const sim_scene *scene, graze_method method, sim_progress *progress, double *ms,
                   cli_error *complaint);

#endif
