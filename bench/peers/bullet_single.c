/* Bullet in floats. Its libraries define the same symbols as those in doubles, so bullet.cpp is built again as a
 * module, which is loaded into a separate namespace. */
#define _GNU_SOURCE
#include "../contestant.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct single_scene {
  const bench_contestant *inner;
  void *scene;
} single_scene;

static const bench_contestant *find(const char *name) {
  static void *module;
  if (!module) module = dlmopen(LM_ID_NEWLM, BENCH_BULLET_SINGLE_MODULE, RTLD_NOW | RTLD_LOCAL);
  const bench_contestant *found = module ? dlsym(module, name) : NULL;
  if (found) return found;
  fprintf(stderr, "bench: %s\n", dlerror());
  exit(1);
}

static void *prepare(const char *name, const bench_workload *workload) {
  single_scene *scene = bench_alloc(sizeof *scene);
  scene->inner = find(name);
  scene->scene = scene->inner->prepare(workload);
  return scene;
}

static double query(void *context, size_t pair, bench_query kind, double normal[3]) {
  const single_scene *scene = context;
  return scene->inner->query(scene->scene, pair, kind, normal);
}

static void release(void *context) {
  single_scene *scene = context;
  scene->inner->release(scene->scene);
  free(scene);
}

static bool fits(const bench_workload *workload) {
  return bench_is_spatial(workload) && !bench_has(workload, BENCH_ELLIPSOID) && !bench_has(workload, BENCH_HALFSPACE);
}

static void *prepare_gjk(const bench_workload *workload) { return prepare("bench_bullet_gjk", workload); }
static void *prepare_boxes(const bench_workload *workload) { return prepare("bench_bullet_boxes", workload); }
static void *prepare_continuous(const bench_workload *workload) { return prepare("bench_bullet_continuous", workload); }
static void *prepare_subsimplex(const bench_workload *workload) { return prepare("bench_bullet_subsimplex", workload); }

const bench_contestant bench_bullet_gjk_single = {
    "bullet-gjk-f32",
    {NULL, "btGjkPairDetector: normal, a point", "btGjkPairDetector with btGjkEpaPenetrationDepthSolver: the same"},
    fits,
    prepare_gjk,
    query,
    release,
    true};
const bench_contestant bench_bullet_boxes_single = {
    "bullet-boxes-f32",
    {"btBoxBoxDetector (SAT): also depth, normal and a manifold", NULL, "btBoxBoxDetector (SAT): normal, a manifold"},
    bench_is_boxes,
    prepare_boxes,
    query,
    release,
    true};
const bench_contestant bench_bullet_continuous_single = {
    "bullet-cont-f32",
    {NULL, NULL, NULL, NULL, "btContinuousConvexCollision: normal, a point"},
    fits,
    prepare_continuous,
    query,
    release,
    true};
const bench_contestant bench_bullet_subsimplex_single = {
    "bullet-subs-f32",
    {NULL, NULL, NULL, NULL, "btSubsimplexConvexCast: normal, a point"},
    fits,
    prepare_subsimplex,
    query,
    release,
    true};
