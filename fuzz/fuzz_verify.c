/* Corrupted answers. The verifier must not crash, and an answer that it accepts must be consistent with the correct
 * one. The input changes members of a correct answer. */
#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>

static graze_pair next_pair(bytes *in, const graze_pair *old) {
  graze_pair pair = *old;
  uint8_t what = next_byte(in);
  if (what & 1) pair.a = (int8_t)next_byte(in);
  if (what & 2) pair.b = (int8_t)next_byte(in);
  if (what & 4) pair.end = (int8_t)next_byte(in);
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

static double change_number(bytes *in, double old) {
  uint8_t what = next_byte(in);
  if (what < 64) return nextafter(old, what & 1 ? INFINITY : -INFINITY);
  if (what < 128) return what & 1 ? -old : 2 * old;
  return what < 192 ? 0 : next_number(in);
}

enum { PAIRS = 64, FACES = 2 * PAIRS, POINTS = 2 * PAIRS };

static double workspace[1 << 11]; /* about 64 points */
static graze_surface original, surface;
static graze_pair pairs[PAIRS];
static graze_vec points[POINTS];
static int32_t faces[FACES][3];

/* Copies the surface, so that it can be changed. */
static void copy_surface(graze_certificate *c) {
  if (c->surface == NULL || original.pair_count > PAIRS || original.face_count > FACES) return;
  if (original.point_count > POINTS) return;
  surface = original;
  memcpy(pairs, original.pairs, original.pair_count * sizeof *pairs);
  if (original.face_count > 0) memcpy(faces, original.faces, original.face_count * sizeof *faces);
  if (original.point_count > 0) memcpy(points, original.points, original.point_count * sizeof *points);
  surface.pairs = pairs;
  surface.points = points;
  surface.faces = (const int32_t(*)[3])faces;
  c->surface = &surface;
}

static void change_surface(bytes *in, graze_certificate *c) {
  uint8_t what = next_byte(in), i = next_byte(in), k = next_byte(in);
  if (c->surface != &surface) return;
  switch (what % 8) {
  case 6: surface.point_count = i % (POINTS + 1); break;
  case 7: points[i % POINTS] = next_vec(in, 3); break;
  case 0: surface.pair_count = i % (PAIRS + 1); break;
  case 1: surface.face_count = i % (FACES + 1); break;
  case 2: faces[i % FACES][k % 3] = (int8_t)next_byte(in); break;
  case 3: pairs[i % PAIRS] = pairs[k % PAIRS]; break;
  case 4: memcpy(faces[i % FACES], faces[k % FACES], sizeof *faces); break;
  default: pairs[i % PAIRS] = next_pair(in, &pairs[i % PAIRS]);
  }
}

static void change(bytes *in, graze_answer *x, graze_certificate *c) {
  switch (next_byte(in) % 14) {
  case 12: c->depth_proof = (graze_depth_proof)(next_byte(in) % 5); break;
  case 13: change_surface(in, c); break;
  case 0: x->relation = (graze_relation)(next_byte(in) % 6); break;
  case 1: x->distance = change_number(in, x->distance); break;
  case 2: x->lower = change_number(in, x->lower); break;
  case 3: x->upper = change_number(in, x->upper); break;
  case 4: x->lower = x->upper = x->distance = change_number(in, x->upper); break;
  case 5: c->kind = (graze_certificate_kind)(next_byte(in) % 8); break;
  case 6: c->pair_count = (int8_t)next_byte(in); break;
  case 7: c->vertex = (int8_t)next_byte(in); break;
  case 8: {
    uint8_t i = next_byte(in);
    if (i < 24)
      c->points[i] = next_vec(in, 3);
    else
      c->point_count = (int8_t)i;
    break;
  }
  case 9: {
    uint8_t i = next_byte(in) % 6;
    c->pairs[i] = next_pair(in, &c->pairs[i]);
    break;
  }
  case 10: c->pairs[next_byte(in) % 6] = c->direction.pairs[next_byte(in) % 4]; break;
  default: change_direction(in, &c->direction);
  }
}

/* The verifier accepted both answers, and the solver computed the correct one. They must not contradict each other. */
static void require_consistent(const graze_answer *changed, const graze_answer *correct) {
  bool open = changed->relation == GRAZE_UNDECIDED || correct->relation == GRAZE_UNDECIDED;
  bool fits = open || changed->relation == correct->relation;
  fits = fits && !(changed->lower > correct->upper) && !(correct->lower > changed->upper);
  if (fits) return;
  fprintf(stderr, "accepted %s [%a, %a], correct is %s [%a, %a]\n", graze_relation_text(changed->relation),
          changed->lower, changed->upper, graze_relation_text(correct->relation), correct->lower, correct->upper);
  abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bytes in = {data, size, 0};
  query s;
  graze_answer correct, changed;
  graze_certificate certificate;
  next_query(&in, &s);
  if (s.a.shape.kind == GRAZE_USER || s.b.shape.kind == GRAZE_USER) return 0;
  s.options.workspace = workspace, s.options.workspace_size = sizeof workspace, s.options.surface = &original;
  s.options.certificate = &certificate;
  if (graze_distance(&s.a, &s.b, &s.options, &correct) != GRAZE_OK) return 0;
  if (graze_verify(&s.a, &s.b, &s.options, &correct, &certificate) != GRAZE_OK) return 0; /* tested by fuzz_pairs.c */
  memcpy(&changed, &correct, sizeof changed);
  copy_surface(&certificate);
  while (in.size > 0) {
    change(&in, &changed, &certificate);
    if (graze_verify(&s.a, &s.b, &s.options, &changed, &certificate) == GRAZE_OK)
      require_consistent(&changed, &correct);
  }
  return 0;
}
