#include "scene/party.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double party_between(party *c, double low, double high) { return rng_uniform(&c->dice, low, high); }

static int party_below(party *c, int count) { return rng_below(&c->dice, count); }

static graze_vec party_vec(party *c, double size) {
  const graze_vec v = {party_between(c, -size, size), party_between(c, -size, size),
                       c->dim == 3 ? party_between(c, -size, size) : 0};
  return v;
}

static graze_shape party_shape(party *c) {
  const int kind = party_below(c, 24);
  if (kind == 0 && !c->plain) return graze_compound_shape(c->many.compound);
  if (kind == 1 && !c->plain) return user_ball(c->dim, &c->ball);
  return random_convex(&c->dice, c->dim, kind == 2, c->room[c->added % PARTY_MOST]);
}

static graze_motion party_motion(party *c) {
  graze_motion motion = {party_vec(c, 4), {0, 0, 0}};
  if (party_below(c, 2) == 0) return motion;
  motion.angular = (graze_vec){party_between(c, -3, 3), party_between(c, -3, 3), party_between(c, -3, 3)};
  if (c->dim == 2) motion.angular.x = motion.angular.y = 0;
  return motion;
}

graze_body_def party_body(party *c) {
  static const graze_body_type types[] = {GRAZE_STATIC, GRAZE_KINEMATIC, GRAZE_DYNAMIC, GRAZE_DYNAMIC, GRAZE_DYNAMIC};
  graze_body_def def = graze_default_body();
  def.shape = party_shape(c);
  def.pose = random_grid_pose(&c->dice, c->dim, c->spread);
  def.type = types[party_below(c, 5)];
  if (def.type != GRAZE_STATIC && party_below(c, 5) > 0) def.motion = party_motion(c);
  def.response = (graze_response)party_below(c, 4);
  def.sensor = party_below(c, 12) == 0;
  def.margin = party_below(c, 4) == 0 ? 0.05 : 0;
  def.mass = party_between(c, 0.5, 4);
  def.bounce = party_between(c, 0, 1);
  def.category = 1u << party_below(c, 3);
  def.user = (void *)(uintptr_t)++c->added;
  return def;
}

graze_body party_add(party *c) {
  const graze_body_def def = party_body(c);
  graze_body body;
  if (graze_scene_add(c->scene, &def, &body, NULL) != GRAZE_OK) abort();
  return body;
}

static void party_add_floor(party *c) {
  graze_body_def floor = graze_default_body();
  graze_body body;
  const graze_vec up = {0, c->dim == 2, c->dim == 3};
  floor.shape = c->dim == 2 ? graze_halfspace2(up, -c->spread) : graze_halfspace(up, -c->spread);
  floor.type = GRAZE_STATIC;
  if (graze_scene_add(c->scene, &floor, &body, NULL) != GRAZE_OK) abort();
}

void party_make(party *c, party_kind kind, const graze_parallel *parallel, const graze_allocator *allocator) {
  graze_scene_def def = graze_default_scene();
  *c = (party){.dice = kind.seed, .dim = kind.dim, .plain = kind.plain, .spread = kind.spread, .ball = 0.7};
  def.dim = kind.dim;
  def.parallel = parallel;
  def.push_speed = 8;
  random_compound(&c->dice, kind.dim, 3, false, &c->many);
  if (graze_scene_create(&def, allocator, &c->scene) != GRAZE_OK) abort();
  party_add_floor(c);
  for (int i = 0; i < kind.count; i++) (void)party_add(c);
}

void party_destroy(party *c) {
  graze_scene_destroy(c->scene);
  graze_compound_destroy(c->many.compound);
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
