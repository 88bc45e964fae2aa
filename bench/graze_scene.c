/* Graze as a contestant: cold, with a cache where frames follow each other, with hulls that know their edges, and with
 * separating axes. */
#include "graze_scene.h"

#include <math.h>
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
    size_t count = (size_t)hull->vertex_count;
    return pair->kind[side] == BENCH_POLYGON ? graze_polygon(hull->vertices, count)
                                             : graze_hull_points(hull->vertices, count);
  }
  }
}

graze_placed bench_graze_place(const bench_workload *workload, size_t pair, int side, const double position[3]) {
  const double *q = workload->pairs[pair].body[side].rotation;
  graze_shape shape = scene_shape(workload, &workload->pairs[pair], side);
  graze_vec p = {position[0], position[1], position[2]};
  return graze_place(&shape, graze_pose3(p, q[3], q[0], q[1], q[2]));
}

/* Of what a proof takes with pairs of hulls of a thousand vertices, the most. */
enum { SCENE_PROOF_POINTS = 4096 };

static void *scene_prepare(const bench_workload *workload) {
  graze_scene *scene = bench_alloc(sizeof *scene);
  scene->placed = bench_alloc(2 * workload->pair_count * sizeof(graze_placed));
  scene->options = graze_default_options();
  scene->room = bench_alloc(graze_workspace_size(SCENE_PROOF_POINTS));
  scene->pairs = workload->pairs;
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    int side = (int)(i % 2);
    scene->placed[i] = bench_graze_place(workload, i / 2, side, workload->pairs[i / 2].body[side].position);
  }
  return scene;
}

static void *scene_prepare_warm(const bench_workload *workload) {
  graze_scene *scene = scene_prepare(workload);
  scene->options.cache = &scene->cache;
  return scene;
}

static void *scene_prepare_sat(const bench_workload *workload) {
  graze_scene *scene = scene_prepare(workload);
  scene->options.method = GRAZE_METHOD_SAT;
  return scene;
}

static void scene_expect(size_t pair, graze_status status) {
  if (status == GRAZE_OK) return;
  fprintf(stderr, "bench: pair %zu: %s\n", pair, graze_status_text(status));
  exit(1);
}

static void scene_question(const graze_scene *scene, size_t pair, bench_question question, const graze_options *options,
                           graze_answer *answer) {
  const graze_placed *a = &scene->placed[2 * pair], *b = a + 1;
  graze_contact contacts[2];
  size_t count;
  switch (question) {
  case BENCH_INTERSECT: scene_expect(pair, graze_intersect(a, b, options, answer)); return;
  case BENCH_MANIFOLD: scene_expect(pair, graze_manifold(a, b, options, answer, contacts, 2, &count)); return;
  default: scene_expect(pair, graze_distance(a, b, options, answer));
  }
}

void bench_graze_ask(const graze_scene *scene, size_t pair, bench_question question, graze_answer *answer) {
  scene_question(scene, pair, question, &scene->options, answer);
}

void bench_graze_prove(graze_scene *scene, size_t pair, bench_question question, graze_answer *answer) {
  graze_options options = scene->options;
  options.surface = &scene->surface;
  options.workspace = scene->room;
  options.workspace_size = graze_workspace_size(SCENE_PROOF_POINTS);
  scene_question(scene, pair, question, &options, answer);
}

static const graze_vec STILL = {0, 0, 0};

static graze_vec scene_velocity(const graze_scene *scene, size_t pair) {
  const double *v = scene->pairs[pair].velocity;
  return (graze_vec){v[0], v[1], v[2]};
}

void bench_graze_cast(const graze_scene *scene, size_t pair, graze_cast_result *impact) {
  const graze_placed *a = &scene->placed[2 * pair];
  graze_options options = scene->options;
  options.max_distance = 0;
  scene_expect(pair, graze_cast(a, STILL, a + 1, scene_velocity(scene, pair), 1, &options, impact));
}

graze_status bench_graze_verify_cast(const graze_scene *scene, size_t pair, const graze_cast_result *impact) {
  const graze_placed *a = &scene->placed[2 * pair];
  graze_options options = scene->options;
  options.max_distance = 0;
  return graze_verify_cast(a, STILL, a + 1, scene_velocity(scene, pair), 1, &options, impact);
}

static double scene_ask(void *context, size_t pair, bench_question question, double normal[3]) {
  graze_answer answer;
  graze_cast_result impact;
  if (question == BENCH_CAST) {
    bench_graze_cast(context, pair, &impact);
    return impact.result == GRAZE_CLEAR ? HUGE_VAL : impact.t;
  }
  bench_graze_ask(context, pair, question, &answer);
  if (question == BENCH_INTERSECT) return answer.relation == GRAZE_SEPARATED;
  if (question == BENCH_DISTANCE) return answer.relation == GRAZE_SEPARATED ? answer.distance : 0;
  normal[0] = answer.normal.x, normal[1] = answer.normal.y, normal[2] = answer.normal.z;
  return answer.distance;
}

static void scene_release(void *context) {
  graze_scene *scene = context;
  free(scene->placed);
  free(scene->room);
  free(scene);
}

static bool scene_fits(const bench_workload *workload) {
  (void)workload;
  return true;
}

static bool scene_fits_warm(const bench_workload *workload) { return strcmp(workload->name, "w4") == 0; }

/* Of more vertices it takes too long to be of use. */
static bool scene_fits_sat(const bench_workload *workload) {
  return strcmp(workload->name, "w2_8") == 0 || strcmp(workload->name, "w2_32") == 0;
}

#define SCENE_CALLS                                                                                                    \
  {                                                                                                                    \
    "graze_intersect: relation, certificate", "graze_distance: interval, normal, witnesses, certificate",              \
        "graze_distance: interval, normal, witnesses, certificate", "graze_manifold: the same, and the contacts",      \
        "graze_cast, no least distance: bracket, normal, point, certificate"                                           \
  }

/* This file is compiled a second time, with its own library, for the machine at hand: see CMakeLists.txt. */
#ifndef BENCH_BUILD
#define BENCH_BUILD ""
#endif

const bench_contestant bench_graze = {"graze" BENCH_BUILD, SCENE_CALLS,   scene_fits, scene_prepare,
                                      scene_ask,           scene_release, false};
const bench_contestant bench_graze_warm = {
    "graze-warm" BENCH_BUILD, SCENE_CALLS, scene_fits_warm, scene_prepare_warm, scene_ask, scene_release, false};
const bench_contestant bench_graze_sat = {"graze-sat" BENCH_BUILD,
                                          {NULL, NULL, "graze_distance by method sat: the same"},
                                          scene_fits_sat,
                                          scene_prepare_sat,
                                          scene_ask,
                                          scene_release,
                                          false};
