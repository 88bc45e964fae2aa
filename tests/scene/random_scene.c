#include "scene/random_scene.h"
#include "scene/make.h"

#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

graze_body random_scene_add(random_scene *c) {
  graze_vec vertices[8];
  const graze_body_def def = random_body(&c->dice, &c->bodies, vertices);
  graze_body body;
  if (graze_scene_add(c->scene, &def, &body, NULL) != GRAZE_OK) abort();
  memset(vertices, 0xff, sizeof vertices); /* NaNs: the scene must not read them */
  return body;
}

static void random_scene_add_floor(random_scene *c) {
  graze_body_def floor = passive_body();
  graze_body body;
  const graze_vec up = {0, c->dim == 2, c->dim == 3};
  floor.shape = halfspace_of(c->dim, up, -c->bodies.spread);
  floor.type = GRAZE_STATIC;
  if (graze_scene_add(c->scene, &floor, &body, NULL) != GRAZE_OK) abort();
}

void random_scene_create(random_scene *c, random_scene_kind kind, const graze_parallel *parallel,
                         const graze_allocator *allocator) {
  graze_scene_def def = graze_default_scene();
  *c = (random_scene){.dice = kind.seed, .dim = kind.dim};
  def.dim = kind.dim;
  def.parallel = parallel;
  def.push_speed = 8;
  make_body_kind(&c->dice, kind.dim, kind.spread, kind.plain, &c->bodies);
  c->bodies.responds = true;
  if (graze_scene_create(&def, allocator, &c->scene, NULL) != GRAZE_OK) abort();
  random_scene_add_floor(c);
  for (int i = 0; i < kind.count; i++) (void)random_scene_add(c);
}

void random_scene_destroy(random_scene *c) {
  graze_scene_destroy(c->scene);
  graze_compound_destroy(c->bodies.parts.compound);
}

unsigned char *save_scene(const graze_scene *scene, size_t *size) {
  const size_t vertices = graze_scene_snapshot_size(scene);
  unsigned char *bytes = malloc(vertices);
  if (bytes == NULL || graze_scene_save(scene, bytes, vertices, size) != GRAZE_OK || *size != vertices) abort();
  return bytes;
}

bool same_scenes(const graze_scene *p, const graze_scene *q) {
  size_t size_p, size_q;
  unsigned char *of_p = save_scene(p, &size_p), *of_q = save_scene(q, &size_q);
  const bool same = size_p == size_q && memcmp(of_p, of_q, size_p) == 0;
  free(of_p), free(of_q);
  return same;
}

/* FNV-1a. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

static uint64_t hash_event(uint64_t hash, const graze_event *e) {
  const uint64_t numbers[] = {(uint64_t)e->kind,
                              e->a.slot,
                              e->a.generation,
                              e->b.slot,
                              e->b.generation,
                              (uint64_t)e->outcome,
                              (uint64_t)(int64_t)e->part_a,
                              (uint64_t)(int64_t)e->part_b};
  const double reals[] = {e->t_lower, e->t_upper,  e->point.x,  e->point.y,
                          e->point.z, e->normal.x, e->normal.y, e->normal.z};
  return hash_bytes(hash_bytes(hash, numbers, sizeof numbers), reals, sizeof reals);
}

uint64_t hash_step(uint64_t hash, const graze_step *step) {
  const uint64_t numbers[] = {step->event_count, step->pairs,   step->casts,
                              step->responses,   step->stalled, step->overlaps};
  for (size_t i = 0; i < step->event_count; i++) hash = hash_event(hash, &step->events[i]);
  return hash_bytes(hash, numbers, sizeof numbers);
}

uint64_t hash_scene(uint64_t hash, const graze_scene *scene) {
  size_t size;
  unsigned char *bytes = save_scene(scene, &size);
  hash = hash_bytes(hash, bytes, size);
  free(bytes);
  return hash;
}

uint64_t run_scene(random_scene *c, int steps, uint64_t hash, random_scene_tally *tally) {
  for (int i = 0; i < steps; i++) {
    graze_step step;
    if (graze_scene_step(c->scene, 0.05, &step, NULL) != GRAZE_OK) abort();
    hash = hash_scene(hash_step(hash, &step), c->scene);
    for (size_t k = 0; tally != NULL && k < step.event_count; k++) {
      tally->begun += step.events[k].kind == GRAZE_EVENT_BEGIN;
      tally->ended += step.events[k].kind == GRAZE_EVENT_END;
    }
    if (tally != NULL) tally->responses += step.responses, tally->stalled += step.stalled;
  }
  return hash;
}
