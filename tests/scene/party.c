#include "scene/party.h"
#include "scene/make.h"

#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

graze_body party_add(party *c) {
  const graze_body_def def = random_body(&c->dice, &c->bodies, c->room[c->added++ % PARTY_MOST]);
  graze_body body;
  if (graze_scene_add(c->scene, &def, &body, NULL) != GRAZE_OK) abort();
  return body;
}

static void party_add_floor(party *c) {
  graze_body_def floor = passive_body();
  graze_body body;
  const graze_vec up = {0, c->dim == 2, c->dim == 3};
  floor.shape = halfspace_of(c->dim, up, -c->bodies.spread);
  floor.type = GRAZE_STATIC;
  if (graze_scene_add(c->scene, &floor, &body, NULL) != GRAZE_OK) abort();
}

void party_make(party *c, party_kind kind, const graze_parallel *parallel, const graze_allocator *allocator) {
  graze_scene_def def = graze_default_scene();
  *c = (party){.dice = kind.seed, .dim = kind.dim};
  def.dim = kind.dim;
  def.parallel = parallel;
  def.push_speed = 8;
  make_body_kind(&c->dice, kind.dim, kind.spread, kind.plain, &c->bodies);
  c->bodies.responds = true;
  if (graze_scene_create(&def, allocator, &c->scene, NULL) != GRAZE_OK) abort();
  party_add_floor(c);
  for (int i = 0; i < kind.count; i++) (void)party_add(c);
}

void party_destroy(party *c) {
  graze_scene_destroy(c->scene);
  graze_compound_destroy(c->bodies.many.compound);
}

unsigned char *party_save(const graze_scene *scene, size_t *size) {
  const size_t room = graze_scene_snapshot_size(scene);
  unsigned char *bytes = malloc(room);
  if (bytes == NULL || graze_scene_save(scene, bytes, room, size) != GRAZE_OK || *size != room) abort();
  return bytes;
}

bool party_same(const graze_scene *p, const graze_scene *q) {
  size_t size_p, size_q;
  unsigned char *of_p = party_save(p, &size_p), *of_q = party_save(q, &size_q);
  const bool same = size_p == size_q && memcmp(of_p, of_q, size_p) == 0;
  free(of_p), free(of_q);
  return same;
}

/* FNV-1a. */
static uint64_t party_hash(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

static uint64_t party_hash_event(uint64_t hash, const graze_event *e) {
  const uint64_t numbers[] = {(uint64_t)e->kind,
                              e->a.slot,
                              e->a.generation,
                              e->b.slot,
                              e->b.generation,
                              (uint64_t)e->result,
                              (uint64_t)(int64_t)e->part_a,
                              (uint64_t)(int64_t)e->part_b};
  const double reals[] = {e->t_lower, e->t_upper,  e->point.x,  e->point.y,
                          e->point.z, e->normal.x, e->normal.y, e->normal.z};
  return party_hash(party_hash(hash, numbers, sizeof numbers), reals, sizeof reals);
}

uint64_t party_hash_step(uint64_t hash, const graze_step *step) {
  const uint64_t numbers[] = {step->event_count, step->pairs,   step->casts,
                              step->responses,   step->stalled, step->overlaps};
  for (size_t i = 0; i < step->event_count; i++) hash = party_hash_event(hash, &step->events[i]);
  return party_hash(hash, numbers, sizeof numbers);
}

uint64_t party_hash_scene(uint64_t hash, const graze_scene *scene) {
  size_t size;
  unsigned char *bytes = party_save(scene, &size);
  hash = party_hash(hash, bytes, size);
  free(bytes);
  return hash;
}

uint64_t party_run(party *c, int steps, uint64_t hash, party_tally *tally) {
  for (int i = 0; i < steps; i++) {
    graze_step step;
    if (graze_scene_step(c->scene, 0.05, &step) != GRAZE_OK) abort();
    hash = party_hash_scene(party_hash_step(hash, &step), c->scene);
    for (size_t k = 0; tally != NULL && k < step.event_count; k++) {
      tally->begun += step.events[k].kind == GRAZE_EVENT_BEGIN;
      tally->ended += step.events[k].kind == GRAZE_EVENT_END;
    }
    if (tally != NULL) tally->responses += step.responses, tally->stalled += step.stalled;
  }
  return hash;
}
