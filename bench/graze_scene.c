/* Graze as a contestant: cold, and with a cache where frames follow each other. */
#include "graze_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static graze_shape scene_shape(const bench_workload *workload, const bench_pair *pair, int side) {
  const double *s = pair->size[side];
  switch (pair->kind[side]) {
  case BENCH_BOX: return graze_box(s[0], s[1], s[2]);
  case BENCH_SPHERE: return graze_sphere(s[0]);
  case BENCH_CAPSULE: return graze_capsule(s[0], s[1]);
  case BENCH_CYLINDER: return graze_cylinder(s[0], s[1]);
  case BENCH_ELLIPSOID: return graze_ellipsoid(s[0], s[1], s[2]);
  default: {
    const bench_hull *hull = &workload->hulls[pair->hull[side]];
    return graze_hull(hull->vertices, (size_t)hull->vertex_count);
  }
  }
}

static void *scene_prepare(const bench_workload *workload) {
  graze_scene *scene = bench_alloc(sizeof *scene);
  scene->placed = bench_alloc(2 * workload->pair_count * sizeof(graze_placed));
  scene->options = graze_default_options();
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    const double *p = pair->body[i % 2].position, *q = pair->body[i % 2].rotation;
    graze_shape shape = scene_shape(workload, pair, (int)(i % 2));
    graze_vec position = {p[0], p[1], p[2]};
    scene->placed[i] = graze_place(&shape, graze_pose3(position, q[3], q[0], q[1], q[2]));
  }
  return scene;
}

static void *scene_prepare_warm(const bench_workload *workload) {
  graze_scene *scene = scene_prepare(workload);
  scene->options.cache = &scene->cache;
  return scene;
}

void bench_graze_ask(const graze_scene *scene, size_t pair, bench_question question, graze_answer *answer) {
  const graze_placed *a = &scene->placed[2 * pair], *b = a + 1;
  graze_status status = question == BENCH_INTERSECT ? graze_intersect(a, b, &scene->options, answer)
                                                    : graze_distance(a, b, &scene->options, answer);
  if (status == GRAZE_OK) return;
  fprintf(stderr, "bench: pair %zu: %s\n", pair, graze_status_text(status));
  exit(1);
}

static double scene_ask(void *context, size_t pair, bench_question question) {
  graze_answer answer;
  bench_graze_ask(context, pair, question, &answer);
  if (question == BENCH_DISTANCE) return answer.relation == GRAZE_SEPARATED ? answer.distance : 0;
  return answer.relation == GRAZE_SEPARATED;
}

static void scene_release(void *context) {
  graze_scene *scene = context;
  free(scene->placed);
  free(scene);
}

static bool scene_fits(const bench_workload *workload, bench_question question) {
  (void)workload, (void)question;
  return true;
}

static bool scene_fits_warm(const bench_workload *workload, bench_question question) {
  (void)question;
  return strcmp(workload->name, "w4") == 0;
}

const bench_contestant bench_graze = {"graze", scene_fits, scene_prepare, scene_ask, scene_release};
const bench_contestant bench_graze_warm = {"graze-warm", scene_fits_warm, scene_prepare_warm, scene_ask, scene_release};
