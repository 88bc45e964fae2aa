/* A workload as Graze sees it. */
#ifndef GRAZE_BENCH_GRAZE_SCENE_H
#define GRAZE_BENCH_GRAZE_SCENE_H

#include "contestant.h"

#include <graze/graze.h>

typedef struct graze_scene {
  graze_placed *placed; /* two for each pair */
  const bench_pair *pairs;
  graze_options options;
  graze_cache cache;     /* one pair of bodies, seen in many frames: one cache */
  graze_surface surface; /* what proves a depth; `room` holds it */
  void *room;
} graze_scene;

/* One shape of a pair, at another position than its own. */
graze_placed bench_graze_place(const bench_workload *workload, size_t pair, int side, const double position[3]);

/* Ends the program when a question is refused: a workload holds nothing that may be. */
void bench_graze_ask(const graze_scene *scene, size_t pair, bench_question question, graze_answer *answer);

/* When do they meet? Of those that do not, the least distance is not looked for. */
void bench_graze_cast(const graze_scene *scene, size_t pair, graze_cast_result *impact);

/* graze_verify_cast() of such an answer. */
graze_status bench_graze_verify_cast(const graze_scene *scene, size_t pair, const graze_cast_result *impact);

/* As bench_graze_ask(), with the surface that graze_verify() wants to see of a depth; until the next call. */
void bench_graze_prove(graze_scene *scene, size_t pair, bench_question question, graze_answer *answer);

#endif
