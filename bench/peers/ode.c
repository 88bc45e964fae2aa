/* ODE: separating axes of two boxes, by dCollide(). https://www.ode.org */
#include "../contestant.h"

#include <math.h>
#include <ode/ode.h>
#include <stdlib.h>

typedef struct ode_scene {
  size_t count;
  dGeomID *geoms;
} ode_scene;

static void *prepare(const bench_workload *workload) {
  ode_scene *scene = bench_alloc(sizeof *scene);
  dInitODE();
  scene->count = 2 * workload->pair_count;
  scene->geoms = bench_alloc(scene->count * sizeof *scene->geoms);
  for (size_t i = 0; i < scene->count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    const double *s = pair->size[i % 2], *p = pair->body[i % 2].position, *q = pair->body[i % 2].rotation;
    dReal rotation[4] = {(dReal)q[3], (dReal)q[0], (dReal)q[1], (dReal)q[2]};
    scene->geoms[i] = dCreateBox(NULL, (dReal)(2 * s[0]), (dReal)(2 * s[1]), (dReal)(2 * s[2]));
    dGeomSetPosition(scene->geoms[i], (dReal)p[0], (dReal)p[1], (dReal)p[2]);
    dGeomSetQuaternion(scene->geoms[i], rotation);
  }
  return scene;
}

/* Normals point into the first body. */
static double run_query(void *context, size_t pair, bench_query query, double normal[3]) {
  ode_scene *scene = context;
  dContactGeom contacts[8];
  int count = query == BENCH_INTERSECT ? 1 : 8;
  int found = dCollide(scene->geoms[2 * pair], scene->geoms[2 * pair + 1], count, contacts, sizeof *contacts);
  if (query == BENCH_INTERSECT) return found == 0;
  double depth = found == 0 ? NAN : 0;
  for (int i = 0; i < found; i++) depth = fmax(depth, contacts[i].depth);
  for (int k = 0; found > 0 && k < 3; k++) normal[k] = -contacts[0].normal[k];
  return -depth;
}

static void release(void *context) {
  ode_scene *scene = context;
  for (size_t i = 0; i < scene->count; i++) dGeomDestroy(scene->geoms[i]);
  free(scene->geoms);
  free(scene);
}

const bench_contestant bench_ode = {
    "ode",
    {"dCollide for one contact", NULL, "dCollide for eight contacts: normal, a manifold"},
    bench_is_boxes,
    prepare,
    run_query,
    release,
    sizeof(dReal) == sizeof(float)};
