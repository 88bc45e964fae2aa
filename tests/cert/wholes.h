/* Answers about compounds, put together by brute force from those about all pairs of parts. */
#ifndef TESTS_CERT_WHOLES_H
#define TESTS_CERT_WHOLES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "shape/compound.h"
#include "shape/placed.h"

enum { WHOLE_PARTS = 6, WHOLE_PAIRS = WHOLE_PARTS * WHOLE_PARTS };

/* A compound by hand, in its place. It points into itself. */
typedef struct whole {
  struct graze_compound compound;
  graze_placed parts[WHOLE_PARTS];
  grz_compound_seam seams[WHOLE_PARTS];
  graze_placed placed;
} whole;

/* An answer with the proofs of all pairs. */
typedef struct whole_answer {
  graze_answer answer;
  graze_part_proof parts[WHOLE_PAIRS];
} whole_answer;

static inline void whole_start(whole *w, int dim) {
  memset(w, 0, sizeof *w);
  w->compound.dim = dim;
}

static inline void whole_add(whole *w, const graze_shape *shape, graze_pose pose) {
  assert_true(w->compound.count < WHOLE_PARTS);
  graze_placed *part = &w->parts[w->compound.count++];
  *part = graze_place(shape, pose);
  assert_int_equal(part->status, GRAZE_OK);
  w->compound.reach = fmax(w->compound.reach, grz_part_reach(part));
  w->compound.radius = fmax(w->compound.radius, part->radius);
  w->compound.conditional = w->compound.conditional || shape->kind == GRAZE_USER;
}

/* The edge from vertex `from` to `to` of part `left` is the one from `from_right` to `to_right` of part `right`. */
static inline void whole_seam(whole *w, int left, int from, int to, int right, int from_right, int to_right) {
  w->seams[w->compound.seam_count++] = (grz_compound_seam){left, right, {from, to}, {from_right, to_right}};
}

static inline void whole_place(whole *w, graze_pose pose, double margin) {
  w->compound.parts = w->parts, w->compound.seams = w->seams;
  graze_shape shape = graze_with_margin(graze_compound_shape(&w->compound), margin);
  w->placed = graze_place(&shape, pose);
  assert_int_equal(w->placed.status, GRAZE_OK);
}

static inline int whole_rank(graze_relation relation) {
  return relation == GRAZE_OVERLAPPING ? 3 : relation == GRAZE_UNDECIDED ? 2 : relation == GRAZE_TOUCHING ? 1 : 0;
}

/* graze_distance() of every pair: the strongest relation, the least bounds; the pair that decides. */
static inline void whole_ask(const graze_placed *a, const graze_placed *b, whole_answer *out) {
  size_t count = 0, na = graze_part_count(a), nb = graze_part_count(b);
  assert_true(na * nb <= WHOLE_PAIRS);
  double lower = INFINITY;
  for (size_t i = 0; i < na; i++) {
    for (size_t j = 0; j < nb; j++, count++) {
      graze_answer one;
      graze_placed of_a = graze_part(a, i), of_b = graze_part(b, j);
      memset(&one, 0, sizeof one);
      assert_int_equal(graze_distance(&of_a, &of_b, NULL, &one), GRAZE_OK);
      out->parts[count] = (graze_part_proof){(int32_t)i, (int32_t)j, one.certificate};
      lower = fmin(lower, one.lower);
      if (count > 0 && (whole_rank(one.relation) < whole_rank(out->answer.relation) ||
                        (one.relation == out->answer.relation && !(one.upper < out->answer.upper))))
        continue;
      out->answer = one;
      out->answer.part_a = (int32_t)i, out->answer.part_b = (int32_t)j;
    }
  }
  out->answer.lower = lower;
  out->answer.parts = out->parts;
  out->answer.part_count = count;
}

/* The same without proofs: as whoever asks only for the relation gets it. */
static inline void whole_forget(whole_answer *out) {
  out->answer.parts = NULL, out->answer.part_count = 0;
  out->answer.lower = out->answer.distance = out->answer.upper = NAN;
}

#endif
