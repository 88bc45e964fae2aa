/* ODE: a space of the moving cubes and one of the static cubes; dCollide() for one contact. https://www.ode.org */
#include "../cubes.h"

#include <ode/ode.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct finder {
  dSpaceID moving, still;
  dGeomID *geom;
  size_t moving_count;
} finder;

static void place(dGeomID geom, const bench_cube *cube) {
  const dReal *p = cube->position, *q = cube->rotation, turn[4] = {q[3], q[0], q[1], q[2]};
  dGeomSetPosition(geom, p[0], p[1], p[2]);
  dGeomSetQuaternion(geom, turn);
}

static finder *make(const bench_cubes *cubes, dSpaceID moving, dSpaceID still) {
  finder *self = malloc(sizeof *self);
  if (self == NULL) exit(1);
  *self = (finder){moving, still, malloc(cubes->count * sizeof *self->geom), cubes->moving};
  if (self->geom == NULL) exit(1);
  for (size_t i = 0; i < cubes->count; i++) {
    const double edge = 2 * cubes->cube[i].half;
    self->geom[i] = dCreateBox(i < cubes->moving ? moving : still, edge, edge, edge);
    place(self->geom[i], &cubes->cube[i]);
  }
  return self;
}

static void *make_sap(const bench_cubes *cubes, int threads) {
  (void)threads;
  dInitODE();
  return make(cubes, dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ), dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ));
}

/* Cells from 1 to 4: the bounds of cubes are 0.4 to 2.1 wide. */
static dSpaceID hash_space(void) {
  dSpaceID space = dHashSpaceCreate(NULL);
  dHashSpaceSetLevels(space, 0, 2);
  return space;
}

static void *make_hash(const bench_cubes *cubes, int threads) {
  (void)threads;
  dInitODE();
  return make(cubes, hash_space(), hash_space());
}

static void update(void *context, const bench_cubes *cubes) {
  finder *self = context;
  for (size_t i = 0; i < self->moving_count; i++) place(self->geom[i], &cubes->cube[i]);
}

static void count_pair(void *count, dGeomID a, dGeomID b) {
  dContactGeom contact;
  *(size_t *)count += dCollide(a, b, 1, &contact, sizeof contact) > 0;
}

static size_t find(void *context) {
  finder *self = context;
  size_t count = 0;
  dSpaceCollide(self->moving, &count, count_pair);
  if (dSpaceGetNumGeoms(self->still) > 0)
    dSpaceCollide2((dGeomID)self->moving, (dGeomID)self->still, &count, count_pair);
  return count;
}

static void release(void *context) {
  finder *self = context;
  dSpaceDestroy(self->moving);
  dSpaceDestroy(self->still);
  dCloseODE();
  free(self->geom);
  free(self);
}

const bench_finder bench_find_ode_sap = {"ode-sap", 20000, make_sap, update, find, release};
const bench_finder bench_find_ode_hash = {"ode-hash", SIZE_MAX, make_hash, update, find, release};
