/* MuJoCo from its package: kinematics and mj_collision(). https://mujoco.org
 * Bodies have free joints, because bodies without joints are never a pair. Memory grows with their number. */
#include "../cubes.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct finder {
  mjModel *model;
  mjData *data;
} finder;

static void check(const void *made, const char *what) {
  if (made != NULL) return;
  fprintf(stderr, "mujoco: %s\n", what);
  exit(1);
}

static void write_model(FILE *out, const bench_cubes *cubes) {
  fprintf(out, "<mujoco><size nconmax=\"%zu\" njmax=\"100\" nstack=\"%zu\"/><worldbody>", 64 * cubes->count,
          (size_t)1 << 25);
  for (size_t i = 0; i < cubes->count; i++) {
    const double half = cubes->cube[i].half;
    fprintf(out, "<body><freejoint/><geom type=\"box\" size=\"%.17g %.17g %.17g\"/></body>\n", half, half, half);
  }
  fprintf(out, "</worldbody></mujoco>");
}

static void update(void *context, const bench_cubes *cubes) {
  const finder *self = context;
  for (size_t i = 0; i < cubes->count; i++) {
    const double *p = cubes->cube[i].position, *q = cubes->cube[i].rotation;
    const mjtNum place[7] = {p[0], p[1], p[2], q[3], q[0], q[1], q[2]};
    memcpy(self->data->qpos + 7 * i, place, sizeof place);
  }
  mj_kinematics(self->model, self->data);
}

static void *make(const bench_cubes *cubes, int threads) {
  char *text, error[256] = "";
  size_t size;
  FILE *out = open_memstream(&text, &size);
  finder *self = malloc(sizeof *self);
  mjVFS *files = malloc(sizeof *files);
  (void)threads;
  check(out, "no memory"), check(self, "no memory"), check(files, "no memory");
  write_model(out, cubes);
  fclose(out);
  mj_defaultVFS(files);
  mj_makeEmptyFileVFS(files, "cubes.xml", (int)size);
  memcpy(files->filedata[0], text, size);
  self->model = mj_loadXML("cubes.xml", files, error, sizeof error);
  check(self->model, error);
  self->data = mj_makeData(self->model);
  check(self->data, "no data");
  mj_deleteVFS(files);
  free(files);
  free(text);
  return self;
}

/* Contacts are sorted by pairs. */
static size_t find(void *context) {
  const finder *self = context;
  size_t count = 0;
  int last[2] = {-1, -1};
  mj_collision(self->model, self->data);
  for (int i = 0; i < self->data->ncon; i++) {
    const mjContact *c = &self->data->contact[i];
    if (c->dist > 0 || (c->geom1 == last[0] && c->geom2 == last[1])) continue;
    count++;
    last[0] = c->geom1, last[1] = c->geom2;
  }
  return count;
}

static void release(void *context) {
  finder *self = context;
  mj_deleteData(self->data);
  mj_deleteModel(self->model);
  free(self);
}

const bench_finder bench_find_mujoco = {"mujoco", 500, make, update, find, release};
