/* Graze as a contestant: without a cache, with a cache for consecutive frames, and with separating axes. */
#include "graze_pairs.h"

#include <graze/compare.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static graze_shape pairs_shape(const bench_workload *workload, const bench_pair *pair, int side) {
  const double *s = pair->size[side];
  switch (pair->kind[side]) {
  case BENCH_BOX: return graze_box(s[0], s[1], s[2]);
  case BENCH_SPHERE: return graze_sphere(s[0]);
  case BENCH_CAPSULE: return graze_capsule(s[0], s[1]);
  case BENCH_CYLINDER: return graze_cylinder(s[0], s[1]);
  case BENCH_ELLIPSOID: return graze_ellipsoid(s[0], s[1], s[2]);
  case BENCH_CONE: return graze_cone(s[0], s[1]);
  case BENCH_HALFSPACE: return graze_halfspace((graze_vec){0, 0, 1}, 0);
  case BENCH_TRIANGLE: {
    const graze_vec *v = workload->hulls[pair->hull[side]].vertices;
    return graze_triangle(v[0], v[1], v[2]);
  }
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
  graze_shape shape = pairs_shape(workload, &workload->pairs[pair], side);
  graze_vec p = {position[0], position[1], position[2]};
  return graze_place(&shape, graze_pose3(p, q[3], q[0], q[1], q[2]));
}

/* The largest proof surface of hulls with a thousand vertices. */
enum { PROOF_POINTS = 4096 };

static void *pairs_prepare(const bench_workload *workload) {
  graze_pairs *scene = bench_alloc(sizeof *scene);
  scene->placed = bench_alloc(2 * workload->pair_count * sizeof(graze_placed));
  scene->options = graze_default_options();
  scene->options.certificate = &scene->certificate;
  scene->workspace = bench_alloc(graze_workspace_size(PROOF_POINTS));
  scene->pairs = workload->pairs;
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    int side = (int)(i % 2);
    scene->placed[i] = bench_graze_place(workload, i / 2, side, workload->pairs[i / 2].body[side].position);
  }
  return scene;
}

static void *pairs_prepare_warm(const bench_workload *workload) {
  graze_pairs *scene = pairs_prepare(workload);
  scene->options.cache = &scene->cache;
  return scene;
}

static void *pairs_prepare_sat(const bench_workload *workload) {
  graze_pairs *scene = pairs_prepare(workload);
  scene->sat = true;
  return scene;
}

static void pairs_expect(size_t pair, graze_status status) {
  if (status == GRAZE_OK) return;
  fprintf(stderr, "bench: pair %zu: %s\n", pair, graze_status_text(status));
  exit(1);
}

static void pairs_run(const graze_pairs *scene, size_t pair, bench_query query, const graze_options *options,
                      graze_answer *answer) {
  const graze_placed *a = &scene->placed[2 * pair], *b = a + 1;
  switch (query) {
  case BENCH_INTERSECT: pairs_expect(pair, graze_intersect(a, b, options, answer)); return;
  default: pairs_expect(pair, (scene->sat ? graze_compare_sat : graze_distance)(a, b, options, answer));
  }
}

void bench_graze_query(const graze_pairs *scene, size_t pair, bench_query query, graze_answer *answer) {
  graze_contact contacts[2];
  size_t count;
  if (query != BENCH_MANIFOLD) {
    pairs_run(scene, pair, query, &scene->options, answer);
    return;
  }
  const graze_placed *a = &scene->placed[2 * pair];
  graze_manifold_options options = graze_default_manifold_options();
  options.cache = scene->options.cache;
  options.speculative_distance = GRAZE_LARGEST;
  pairs_expect(pair, graze_manifold(a, a + 1, &options, answer, contacts, 2, &count));
}

void bench_graze_query_proof(graze_pairs *scene, size_t pair, bench_query query, graze_answer *answer) {
  graze_options options = scene->options;
  options.surface = &scene->surface;
  options.workspace = scene->workspace;
  options.workspace_size = graze_workspace_size(PROOF_POINTS);
  pairs_run(scene, pair, query, &options, answer);
}

/* The motion of the second shape. */
static graze_motion pairs_motion(const graze_pairs *scene, size_t pair) {
  const double *v = scene->pairs[pair].velocity;
  return (graze_motion){{v[0], v[1], v[2]}, {0, 0, 0}};
}

void bench_graze_cast(const graze_pairs *scene, size_t pair, graze_cast_result *cast) {
  const graze_placed *a = &scene->placed[2 * pair];
  graze_motion motion = pairs_motion(scene, pair);
  graze_cast_options options = graze_default_cast_options();
  options.min_distance = false;
  options.certificate = scene->options.certificate;
  pairs_expect(pair, graze_cast(a, NULL, a + 1, &motion, 1, &options, cast));
}

graze_status bench_graze_verify_cast(const graze_pairs *scene, size_t pair, const graze_cast_result *cast) {
  const graze_placed *a = &scene->placed[2 * pair];
  graze_motion motion = pairs_motion(scene, pair);
  return graze_verify_cast(a, NULL, a + 1, &motion, 1, NULL, cast, &scene->certificate);
}

static double pairs_query(void *context, size_t pair, bench_query query, double normal[3]) {
  graze_answer answer;
  graze_cast_result cast;
  if (query == BENCH_CAST) {
    bench_graze_cast(context, pair, &cast);
    return cast.outcome == GRAZE_CLEAR ? HUGE_VAL : cast.t;
  }
  bench_graze_query(context, pair, query, &answer);
  if (query == BENCH_INTERSECT) return answer.relation == GRAZE_SEPARATED;
  if (query == BENCH_DISTANCE) return answer.relation == GRAZE_SEPARATED ? answer.distance : 0;
  normal[0] = answer.normal.x, normal[1] = answer.normal.y, normal[2] = answer.normal.z;
  return answer.distance;
}

static void pairs_release(void *context) {
  graze_pairs *scene = context;
  free(scene->placed);
  free(scene->workspace);
  free(scene);
}

static bool pairs_fits(const bench_workload *workload) {
  (void)workload;
  return true;
}

static bool pairs_fits_warm(const bench_workload *workload) { return strcmp(workload->name, "w4") == 0; }

/* With more vertices it takes too long. */
static bool pairs_fits_sat(const bench_workload *workload) {
  return strcmp(workload->name, "w2_8") == 0 || strcmp(workload->name, "w2_32") == 0;
}

#define PAIRS_CALLS                                                                                                    \
  {                                                                                                                    \
    "graze_intersect: relation, certificate", "graze_distance: interval, normal, witnesses, certificate",              \
        "graze_distance: interval, normal, witnesses, certificate",                                                    \
        "graze_manifold: interval, normal, contact points",                                                            \
        "graze_cast, no smallest distance: time interval, normal, point, certificate"                                  \
  }

/* CMakeLists.txt compiles this file a second time, with the library, for the native machine. */
#ifndef BENCH_BUILD
#define BENCH_BUILD ""
#endif

const bench_contestant bench_graze = {"graze" BENCH_BUILD, PAIRS_CALLS,   pairs_fits, pairs_prepare,
                                      pairs_query,         pairs_release, false};
const bench_contestant bench_graze_warm = {
    "graze-warm" BENCH_BUILD, PAIRS_CALLS, pairs_fits_warm, pairs_prepare_warm, pairs_query, pairs_release, false};
const bench_contestant bench_graze_sat = {"graze-sat" BENCH_BUILD,
                                          {NULL, NULL, "graze_compare_sat: the same"},
                                          pairs_fits_sat,
                                          pairs_prepare_sat,
                                          pairs_query,
                                          pairs_release,
                                          false};
