/* MuJoCo's distance of two geoms, in doubles: a model of two shapes whose sizes and poses are set for each query. Hulls
 * are excluded because models store them in single precision. https://github.com/google-deepmind/mujoco */
#include "../contestant.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct geoms_body {
  double size[3], position[3], rotation[9];
} geoms_body;

typedef struct geoms_scene {
  mjModel *model;
  mjData *data;
  geoms_body *bodies;
} geoms_scene;

static const char *const TYPES[] = {"box", "sphere", "capsule", "cylinder", "ellipsoid"};

static mjModel *model(const bench_workload *workload) {
  char text[512], error[512];
  const int32_t *kind = workload->pairs[0].kind;
  snprintf(text, sizeof text,
           "<mujoco><worldbody><geom type='%s' size='1 1 1'/><geom type='%s' size='1 1 1'/></worldbody></mujoco>",
           TYPES[kind[0]], TYPES[kind[1]]);
  mjSpec *spec = mj_parseXMLString(text, NULL, error, sizeof error);
  mjModel *made = spec ? mj_compile(spec, NULL) : NULL;
  if (!made) {
    fprintf(stderr, "bench: MuJoCo makes no model of %s and %s\n", TYPES[kind[0]], TYPES[kind[1]]);
    exit(1);
  }
  mj_deleteSpec(spec);
  return made;
}

static void *prepare(const bench_workload *workload) {
  geoms_scene *scene = bench_alloc(sizeof *scene);
  scene->model = model(workload);
  scene->data = mj_makeData(scene->model);
  mj_forward(scene->model, scene->data);
  scene->bodies = bench_alloc(2 * workload->pair_count * sizeof *scene->bodies);
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    const double *q = pair->body[i % 2].rotation, turn[4] = {q[3], q[0], q[1], q[2]};
    geoms_body *body = &scene->bodies[i];
    memcpy(body->size, pair->size[i % 2], sizeof body->size);
    memcpy(body->position, pair->body[i % 2].position, sizeof body->position);
    mju_quat2Mat(body->rotation, turn);
  }
  return scene;
}

static void set_bodies(geoms_scene *scene, const geoms_body *bodies) {
  for (int side = 0; side < 2; side++) {
    memcpy(scene->model->geom_size + 3 * side, bodies[side].size, sizeof bodies->size);
    memcpy(scene->data->geom_xpos + 3 * side, bodies[side].position, sizeof bodies->position);
    memcpy(scene->data->geom_xmat + 9 * side, bodies[side].rotation, sizeof bodies->rotation);
  }
}

static double run_query(void *context, size_t pair, bench_query query, double normal[3]) {
  geoms_scene *scene = context;
  double ends[6], farthest = query == BENCH_DISTANCE ? 1e10 : 0;
  set_bodies(scene, &scene->bodies[2 * pair]);
  double distance = mj_geomDistance(scene->model, scene->data, 0, 1, farthest, query == BENCH_INTERSECT ? NULL : ends);
  if (query == BENCH_INTERSECT) return distance >= 0;
  if (query == BENCH_DISTANCE) return distance;
  if (!(distance < 0)) return NAN;
  for (int k = 0; k < 3; k++) normal[k] = (ends[3 + k] - ends[k]) / distance;
  return distance;
}

static void release(void *context) {
  geoms_scene *scene = context;
  mj_deleteData(scene->data);
  mj_deleteModel(scene->model);
  free(scene->bodies);
  free(scene);
}

/* No hulls and no polygons: one kind per side. */
static bool fits(const bench_workload *workload) {
  for (size_t i = 0; i < workload->pair_count; i++) {
    const int32_t *kind = workload->pairs[i].kind, *first = workload->pairs[0].kind;
    if (kind[0] != first[0] || kind[1] != first[1] || kind[0] >= BENCH_HULL || kind[1] >= BENCH_HULL) return false;
  }
  return true;
}

const bench_contestant bench_mujoco_geoms = {"mujoco-geoms",
                                             {"mj_geomDistance up to 0", "mj_geomDistance: witnesses",
                                              "mj_geomDistance up to 0: witnesses (the normal from them)"},
                                             fits,
                                             prepare,
                                             run_query,
                                             release,
                                             false};
