/* Parry in doubles, through a small library in Rust: parry/src/lib.rs. https://github.com/dimforge/parry */
#include "../contestant.h"

#include <stdlib.h>

typedef struct parry_library {
  void *(*make)(void);
  void (*hull)(void *scene, const graze_vec *points, size_t count, const int32_t *faces, size_t face_count);
  void (*body)(void *scene, int32_t kind, const double size[3], int32_t hull, const double position[3],
               const double rotation[4]);
  double (*query)(void *scene, size_t pair, int32_t query, const double velocity[3], double normal[3]);
  void (*release)(void *scene);
} parry_library;

#define PARRY(dimension)                                                                                               \
  void *parry##dimension##_make(void);                                                                                 \
  void parry##dimension##_hull(void *, const graze_vec *, size_t, const int32_t *, size_t);                            \
  void parry##dimension##_body(void *, int32_t, const double *, int32_t, const double *, const double *);              \
  double parry##dimension##_query(void *, size_t, int32_t, const double *, double *);                                  \
  void parry##dimension##_release(void *);                                                                             \
  static const parry_library parry##dimension = {parry##dimension##_make, parry##dimension##_hull,                     \
                                                 parry##dimension##_body, parry##dimension##_query,                    \
                                                 parry##dimension##_release}
PARRY(2);
PARRY(3);

typedef struct parry_scene {
  const parry_library *library;
  const bench_pair *pairs;
  void *inner;
} parry_scene;

static void *prepare(const bench_workload *workload) {
  parry_scene *scene = bench_alloc(sizeof *scene);
  scene->library = bench_is_planar(workload) ? &parry2 : &parry3;
  scene->pairs = workload->pairs;
  scene->inner = scene->library->make();
  for (size_t i = 0; i < workload->hull_count; i++) {
    const bench_hull *hull = &workload->hulls[i];
    scene->library->hull(scene->inner, hull->vertices, (size_t)hull->vertex_count, hull->faces,
                         (size_t)hull->face_count);
  }
  for (size_t i = 0; i < 2 * workload->pair_count; i++) {
    const bench_pair *pair = &workload->pairs[i / 2];
    const bench_body *body = &pair->body[i % 2];
    int32_t hull = bench_hull_of(workload, i / 2, (int)(i % 2)) ? pair->hull[i % 2] : -1;
    scene->library->body(scene->inner, pair->kind[i % 2], pair->size[i % 2], hull, body->position, body->rotation);
  }
  return scene;
}

static double query(void *context, size_t pair, bench_query kind, double normal[3]) {
  const parry_scene *scene = context;
  return scene->library->query(scene->inner, pair, (int32_t)kind, scene->pairs[pair].velocity, normal);
}

static void release(void *context) {
  parry_scene *scene = context;
  scene->library->release(scene->inner);
  free(scene);
}

static bool fits(const bench_workload *workload) { return !bench_has(workload, BENCH_ELLIPSOID); }

const bench_contestant bench_parry = {"parry",
                                      {"intersection_test", "distance", "contact: normals, witnesses",
                                       "contact_manifold_convex_convex: normals, contacts",
                                       "cast_shapes: normals, witnesses"},
                                      fits,
                                      prepare,
                                      query,
                                      release,
                                      false};
