/* A workload as Graze sees it. */
#ifndef GRAZE_BENCH_GRAZE_SCENE_H
#define GRAZE_BENCH_GRAZE_SCENE_H

#include "contestant.h"

typedef struct graze_scene {
  graze_placed *placed; /* two for each pair */
  graze_options options;
  graze_cache cache; /* one pair of bodies, seen in many frames: one cache */
} graze_scene;

/* Ends the program when a question is refused: a workload holds nothing that may be. */
void bench_graze_ask(const graze_scene *scene, size_t pair, bench_question question, graze_answer *answer);

#endif
