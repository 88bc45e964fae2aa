/* openGJK, on vertices that are transformed to the world frame before. https://github.com/MattiaMontanari/openGJK */
#include "../contestant.h"

#include <openGJK/openGJK.h>
#include <stdlib.h>

typedef struct opengjk_body {
  gkPolytope polytope;
  double **rows, *coordinates;
} opengjk_body;

typedef struct opengjk_scene {
  size_t body_count;
  opengjk_body *bodies;
} opengjk_scene;

static graze_vec vertex(const bench_workload *workload, const bench_pair *pair, int side, int i) {
  const double *s = pair->size[side];
  graze_vec corner = {i & 1 ? s[0] : -s[0], i & 2 ? s[1] : -s[1], i & 4 ? s[2] : -s[2]};
  return pair->kind[side] == BENCH_BOX ? corner : workload->hulls[pair->hull[side]].vertices[i];
}

/* v + 2 u × (u × v + w v), for a unit quaternion */
static void place(const bench_body *body, graze_vec v, double out[3]) {
  const double *p = body->position, *q = body->rotation;
  double c[3] = {q[1] * v.z - q[2] * v.y + q[3] * v.x, q[2] * v.x - q[0] * v.z + q[3] * v.y,
                 q[0] * v.y - q[1] * v.x + q[3] * v.z};
  out[0] = p[0] + v.x + 2 * (q[1] * c[2] - q[2] * c[1]);
  out[1] = p[1] + v.y + 2 * (q[2] * c[0] - q[0] * c[2]);
  out[2] = p[2] + v.z + 2 * (q[0] * c[1] - q[1] * c[0]);
}

static void *prepare(const bench_workload *workload) {
  opengjk_scene *scene = bench_alloc(sizeof *scene);
  scene->body_count = 2 * workload->pair_count;
  scene->bodies = bench_alloc(scene->body_count * sizeof *scene->bodies);
  for (size_t i = 0; i < scene->body_count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    int side = (int)(i % 2), count = pair->kind[side] == BENCH_BOX ? 8 : workload->hulls[pair->hull[side]].vertex_count;
    opengjk_body *body = &scene->bodies[i];
    body->coordinates = bench_alloc((size_t)count * 3 * sizeof(double));
    body->rows = bench_alloc((size_t)count * sizeof(double *));
    for (int k = 0; k < count; k++) {
      body->rows[k] = &body->coordinates[3 * k];
      place(&pair->body[side], vertex(workload, pair, side, k), body->rows[k]);
    }
    body->polytope.numpoints = count;
    body->polytope.coord = body->rows;
  }
  return scene;
}

static double run_query(void *context, size_t pair, bench_query query, double normal[3]) {
  (void)query, (void)normal;
  const opengjk_scene *scene = context;
  gkSimplex simplex = {.nvrtx = 0};
  return compute_minimum_distance(scene->bodies[2 * pair].polytope, scene->bodies[2 * pair + 1].polytope, &simplex);
}

static void release(void *context) {
  opengjk_scene *scene = context;
  for (size_t i = 0; i < scene->body_count; i++) {
    free(scene->bodies[i].coordinates);
    free(scene->bodies[i].rows);
  }
  free(scene->bodies);
  free(scene);
}

static bool fits(const bench_workload *workload) { return bench_is_planar(workload) || bench_is_polytopal(workload); }

#define DISTANCE "compute_minimum_distance, on vertices placed beforehand"

const bench_contestant bench_opengjk = {"openGJK", {DISTANCE, DISTANCE, NULL}, fits, prepare, run_query, release,
                                        false};
