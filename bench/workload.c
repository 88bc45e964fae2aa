/* Reading and writing workload files. */
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(bench_pair) == 6 * 4 + 23 * 8, "a pair is read as it lies in the file");

void *bench_alloc(size_t size) {
  void *memory = calloc(1, size > 0 ? size : 1);
  if (!memory) {
    fprintf(stderr, "bench: no memory\n");
    exit(1);
  }
  return memory;
}

static void workload_path(char path[1024], const char *folder, const char *name, const char *extension) {
  snprintf(path, 1024, "%s/%s.%s", folder, name, extension);
}

static void workload_fail(const char *path) {
  fprintf(stderr, "bench: cannot read or write %s\n", path);
  exit(1);
}

static void workload_read(FILE *file, const char *path, void *data, size_t size) {
  if (size > 0 && fread(data, size, 1, file) != 1) workload_fail(path);
}

static size_t workload_read_head(FILE *file, const char *path, const char *magic) {
  char found[4];
  int32_t count;
  workload_read(file, path, found, 4);
  workload_read(file, path, &count, 4);
  if (memcmp(found, magic, 4) != 0 || count < 0) workload_fail(path);
  return (size_t)count;
}

static void workload_read_hull(FILE *file, const char *path, bench_hull *hull) {
  workload_read(file, path, &hull->vertex_count, 4);
  workload_read(file, path, &hull->face_count, 4);
  if (hull->vertex_count < 0 || hull->face_count < 0) workload_fail(path);
  size_t vertices = (size_t)hull->vertex_count * sizeof(graze_vec), faces = (size_t)hull->face_count * 12;
  hull->vertices = bench_alloc(vertices);
  hull->faces = bench_alloc(faces);
  workload_read(file, path, hull->vertices, vertices);
  workload_read(file, path, hull->faces, faces);
}

static void workload_read_hulls(bench_workload *workload, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return;
  workload->hull_count = workload_read_head(file, path, "CHUL");
  workload->hulls = bench_alloc(workload->hull_count * sizeof(bench_hull));
  for (size_t i = 0; i < workload->hull_count; i++) workload_read_hull(file, path, &workload->hulls[i]);
  fclose(file);
}

static void workload_read_reference(bench_workload *workload, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return;
  workload->reference = bench_alloc(workload->pair_count * 16);
  workload_read(file, path, workload->reference, workload->pair_count * 16);
  fclose(file);
}

/* Curved pairs of one file may share the hulls of another: w3_sphhull uses w3.hulls. */
static void workload_find_hulls(bench_workload *workload, const char *folder, const char *name) {
  char path[1024], stem[64];
  workload_path(path, folder, name, "hulls");
  workload_read_hulls(workload, path);
  const char *end = strchr(name, '_');
  if (workload->hulls || !end) return;
  snprintf(stem, sizeof stem, "%.*s", (int)(end - name), name);
  workload_path(path, folder, stem, "hulls");
  workload_read_hulls(workload, path);
}

static bool has_hull(int32_t kind) { return kind == BENCH_HULL || kind == BENCH_POLYGON || kind == BENCH_TRIANGLE; }

bench_workload *bench_load(const char *folder, const char *name) {
  bench_workload *workload = bench_alloc(sizeof *workload);
  char path[1024];
  workload->name = name;
  workload_path(path, folder, name, "pairs");
  FILE *file = fopen(path, "rb");
  if (!file) workload_fail(path);
  workload->pair_count = workload_read_head(file, path, "CPAR");
  workload->pairs = bench_alloc(workload->pair_count * sizeof(bench_pair));
  workload_read(file, path, workload->pairs, workload->pair_count * sizeof(bench_pair));
  fclose(file);
  workload_find_hulls(workload, folder, name);
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    int32_t kind = pair->kind[i % 2], hull = pair->hull[i % 2];
    if (has_hull(kind) && (hull < 0 || (size_t)hull >= workload->hull_count)) workload_fail(path);
  }
  workload_path(path, folder, name, "ref");
  workload_read_reference(workload, path);
  return workload;
}

static void workload_write(FILE *file, const char *path, const void *data, size_t size) {
  if (size > 0 && fwrite(data, size, 1, file) != 1) workload_fail(path);
}

static FILE *workload_create(const char *path, const char *magic, size_t count) {
  FILE *file = fopen(path, "wb");
  int32_t stored = (int32_t)count;
  if (!file) workload_fail(path);
  workload_write(file, path, magic, 4);
  workload_write(file, path, &stored, 4);
  return file;
}

void bench_save(const char *folder, const bench_workload *workload) {
  char path[1024];
  workload_path(path, folder, workload->name, "pairs");
  FILE *file = workload_create(path, "CPAR", workload->pair_count);
  workload_write(file, path, workload->pairs, workload->pair_count * sizeof(bench_pair));
  if (fclose(file) != 0) workload_fail(path);
  if (workload->hull_count == 0) return;
  workload_path(path, folder, workload->name, "hulls");
  file = workload_create(path, "CHUL", workload->hull_count);
  for (size_t i = 0; i < workload->hull_count; i++) {
    const bench_hull *hull = &workload->hulls[i];
    workload_write(file, path, &hull->vertex_count, 4);
    workload_write(file, path, &hull->face_count, 4);
    workload_write(file, path, hull->vertices, (size_t)hull->vertex_count * sizeof(graze_vec));
    workload_write(file, path, hull->faces, (size_t)hull->face_count * 12);
  }
  if (fclose(file) != 0) workload_fail(path);
}

void bench_free(bench_workload *workload) {
  for (size_t i = 0; i < workload->hull_count; i++) {
    free(workload->hulls[i].vertices);
    free(workload->hulls[i].faces);
  }
  free(workload->hulls);
  free(workload->pairs);
  free(workload->reference);
  free(workload->truth);
  free(workload->contact);
  free(workload);
}

/* A workload has one kind per side; only "nasty" mixes boxes and hulls. */
bool bench_is_polytopal(const bench_workload *workload) {
  for (int side = 0; side < 2; side++) {
    int kind = workload->pairs[0].kind[side];
    if (kind != BENCH_BOX && kind != BENCH_HULL) return false;
  }
  return true;
}

bool bench_has(const bench_workload *workload, bench_kind kind) {
  return workload->pairs[0].kind[0] == (int32_t)kind || workload->pairs[0].kind[1] == (int32_t)kind;
}

bool bench_is_planar(const bench_workload *workload) { return workload->pairs[0].kind[0] == BENCH_POLYGON; }

bool bench_is_spatial(const bench_workload *workload) { return !bench_is_planar(workload); }

bool bench_moves(const bench_workload *workload) {
  const double *v = workload->pairs[0].velocity;
  return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

const bench_hull *bench_hull_of(const bench_workload *workload, size_t pair, int side) {
  int32_t kind = workload->pairs[pair].kind[side];
  return has_hull(kind) ? &workload->hulls[workload->pairs[pair].hull[side]] : NULL;
}

bool bench_is_boxes(const bench_workload *workload) {
  for (size_t i = 0; i < workload->pair_count; i++) {
    const int32_t *kind = workload->pairs[i].kind;
    if (kind[0] != BENCH_BOX || kind[1] != BENCH_BOX) return false;
  }
  return true;
}
