/* Rapier in doubles and in floats, through a small library in Rust: rapier/src/lib.rs.
 * https://github.com/dimforge/rapier */
#include "../queries.h"

#include <stdio.h>
#include <stdlib.h>

/* As in lib.rs. */
typedef struct rapier_sizes {
  double overlap[3], cast[3], radius, character[2], link_capsule[2], clearance;
  const double (*link)[3];
} rapier_sizes;

typedef struct rapier_library {
  void *(*make)(const rapier_sizes *sizes);
  bool (*body)(void *scene, const query_body *body);
  void (*add)(void *scene, size_t index);
  void (*step)(void *scene);
  double (*answer)(void *scene, int32_t kind, const scene_query *query, double end[3]);
  void (*release)(void *scene);
} rapier_library;

#define RAPIER(name)                                                                                                   \
  void *name##_make(const rapier_sizes *);                                                                             \
  bool name##_body(void *, const query_body *);                                                                        \
  void name##_add(void *, size_t);                                                                                     \
  void name##_step(void *);                                                                                            \
  double name##_answer(void *, int32_t, const scene_query *, double *);                                                \
  void name##_release(void *);                                                                                         \
  static const rapier_library name = {name##_make, name##_body, name##_add, name##_step, name##_answer, name##_release}
RAPIER(rapier2);
RAPIER(rapier3);
RAPIER(rapier2_single);
RAPIER(rapier3_single);

typedef struct rapier_world {
  const rapier_library *library;
  void *scene;
} rapier_world;

static void *make_with(const rapier_library *library, const query_world *world) {
  const rapier_sizes sizes = {{query_overlap_box[0], query_overlap_box[1], query_overlap_box[2]},
                              {query_cast_box[0], query_cast_box[1], query_cast_box[2]},
                              QUERY_RADIUS,
                              {query_character[0], query_character[1]},
                              {query_link_capsule[0], query_link_capsule[1]},
                              QUERY_CLEARANCE,
                              world->link};
  rapier_world *self = malloc(sizeof *self);
  if (!self) exit(1);
  *self = (rapier_world){library, library->make(&sizes)};
  for (size_t i = 0; i < world->count; i++) {
    if (library->body(self->scene, &world->bodies[i])) continue;
    fprintf(stderr, "queries: rapier makes no hull of body %zu\n", i);
    exit(1);
  }
  return self;
}

static void *make(const query_world *world) { return make_with(world->dim == 2 ? &rapier2 : &rapier3, world); }

static void *make_single(const query_world *world) {
  return make_with(world->dim == 2 ? &rapier2_single : &rapier3_single, world);
}

static void add(void *context, size_t index) {
  const rapier_world *self = context;
  self->library->add(self->scene, index);
}

static void step(void *context) {
  const rapier_world *self = context;
  self->library->step(self->scene);
}

static double answer(void *context, query_kind kind, size_t index, const scene_query *query, double end[3]) {
  const rapier_world *self = context;
  (void)index;
  return self->library->answer(self->scene, (int32_t)kind, query, end);
}

static void release(void *context) {
  rapier_world *self = context;
  self->library->release(self->scene);
  free(self);
}

const query_peer query_rapier = {"rapier", false, true, true, 0, make, add, step, NULL, answer, release};
const query_peer query_rapier_single = {"rapier-f32", true, true, true,   0,      make_single,
                                        add,          step, NULL, answer, release};
