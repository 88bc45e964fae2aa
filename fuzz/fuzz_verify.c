/* Any bytes as an answer: the verifier must not stumble over them, and whatever it accepts must be true. The bytes
 * change an honest answer here and there, or replace it whole. */
#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>

static graze_pair next_pair(bytes *in, const graze_pair *old) {
  graze_pair pair = *old;
  uint8_t what = next_byte(in);
  if (what & 1) pair.a = (int8_t)next_byte(in);
  if (what & 2) pair.b = (int8_t)next_byte(in);
  if (what & 4) pair.point_a = next_vec(in, 3);
  if (what & 8) pair.point_b = next_vec(in, 3);
  return pair;
}

static void change_direction(bytes *in, graze_direction *d) {
  switch (next_byte(in) % 6) {
  case 0: d->form = (graze_direction_form)(next_byte(in) % 6); break;
  case 1: d->vector = next_vec(in, 3); break;
  case 2: d->sign = (int8_t)next_byte(in); break;
  case 3: d->axis = (int8_t)next_byte(in); break;
  case 4: d->count = (int8_t)next_byte(in); break;
  default: {
    uint8_t i = next_byte(in) % 4;
    d->pairs[i] = next_pair(in, &d->pairs[i]);
  }
  }
}

static double next_near(bytes *in, double old) {
  uint8_t what = next_byte(in);
  if (what < 64) return nextafter(old, what & 1 ? INFINITY : -INFINITY);
  if (what < 128) return what & 1 ? -old : 2 * old;
  return what < 192 ? 0 : next_number(in);
}

enum { PAIRS = 64, FACES = 2 * PAIRS };

static double room[1 << 11]; /* some 64 points */
static graze_surface shown, surface;
static graze_pair pairs[PAIRS];
static int32_t faces[FACES][3];

/* A surface of the fuzzer's own, to be changed. */
static void copy_surface(graze_answer *x) {
  if (x->certificate.surface == NULL || shown.pair_count > PAIRS || shown.face_count > FACES) return;
  surface = shown;
  memcpy(pairs, shown.pairs, shown.pair_count * sizeof *pairs);
  if (shown.face_count > 0) memcpy(faces, shown.faces, shown.face_count * sizeof *faces);
  surface.pairs = pairs;
  surface.faces = (const int32_t(*)[3])faces;
  x->certificate.surface = &surface;
}

static void change_surface(bytes *in, graze_answer *x) {
  uint8_t what = next_byte(in), i = next_byte(in), k = next_byte(in);
  if (x->certificate.surface != &surface) return;
  switch (what % 6) {
  case 0: surface.pair_count = i % (PAIRS + 1); break;
  case 1: surface.face_count = i % (FACES + 1); break;
  case 2: faces[i % FACES][k % 3] = (int8_t)next_byte(in); break;
  case 3: pairs[i % PAIRS] = pairs[k % PAIRS]; break;
  case 4: memcpy(faces[i % FACES], faces[k % FACES], sizeof *faces); break;
  default: pairs[i % PAIRS] = next_pair(in, &pairs[i % PAIRS]);
  }
}

static void change(bytes *in, graze_answer *x) {
  graze_certificate *c = &x->certificate;
  switch (next_byte(in) % 14) {
  case 12: c->depth_proof = (graze_depth_proof)(next_byte(in) % 5); break;
  case 13: change_surface(in, x); break;
  case 0: x->relation = (graze_relation)(next_byte(in) % 6); break;
  case 1: x->distance = next_near(in, x->distance); break;
  case 2: x->lower = next_near(in, x->lower); break;
  case 3: x->upper = next_near(in, x->upper); break;
  case 4: x->lower = x->upper = x->distance = next_near(in, x->upper); break;
  case 5: c->kind = (graze_certificate_kind)(next_byte(in) % 8); break;
  case 6: c->pair_count = (int8_t)next_byte(in); break;
  case 7: c->vertex = (int8_t)next_byte(in); break;
  case 8: c->vertex_point = next_vec(in, 3); break;
  case 9: {
    uint8_t i = next_byte(in) % 6;
    c->pairs[i] = next_pair(in, &c->pairs[i]);
    break;
  }
  case 10: c->pairs[next_byte(in) % 6] = c->direction.pairs[next_byte(in) % 4]; break;
  default: change_direction(in, &c->direction);
  }
}

/* `claimed` was accepted, `honest` comes from the solver and was accepted too: they cannot contradict each other. */
static void must_fit(const graze_answer *claimed, const graze_answer *honest) {
  bool open = claimed->relation == GRAZE_UNDECIDED || honest->relation == GRAZE_UNDECIDED;
  bool fits = open || claimed->relation == honest->relation;
  fits = fits && !(claimed->lower > honest->upper) && !(honest->lower > claimed->upper);
  if (fits) return;
  fprintf(stderr, "accepted %s [%a, %a], but it is %s [%a, %a]\n", graze_relation_text(claimed->relation),
          claimed->lower, claimed->upper, graze_relation_text(honest->relation), honest->lower, honest->upper);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  scene s;
  graze_answer honest, claimed;
  next_scene(&in, &s);
  if (s.a.shape.kind == GRAZE_USER || s.b.shape.kind == GRAZE_USER) return 0;
  s.options.workspace = room, s.options.workspace_size = sizeof room, s.options.surface = &shown;
  if (graze_distance(&s.a, &s.b, &s.options, &honest) != GRAZE_OK) return 0;
  if (graze_verify(&s.a, &s.b, &s.options, &honest) != GRAZE_OK) return 0; /* fuzz_pairs.c looks after that */
  memcpy(&claimed, &honest, sizeof claimed);
  copy_surface(&claimed);
  while (in.size > 0) {
    change(&in, &claimed);
    if (graze_verify(&s.a, &s.b, &s.options, &claimed) == GRAZE_OK) must_fit(&claimed, &honest);
  }
  return 0;
}
