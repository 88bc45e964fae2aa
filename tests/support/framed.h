/* Parts of compounds.
 *
 * `framed` is a compound of one part, placed: `own` in the compound's frame, `whole` the compound, `part` as
 * graze_part() returns it. */
#ifndef TESTS_SUPPORT_FRAMED_H
#define TESTS_SUPPORT_FRAMED_H

#include <graze/build.h>

#include "support/test.h"

typedef struct framed {
  graze_compound *compound;
  graze_frame *frame; /* of `part` */
  graze_placed own, whole, part;
} framed;

/* `margin`: of the compound. The shape must outlive the result. */
static inline framed framed_make(const graze_shape *shape, graze_pose own, graze_pose frame, double margin) {
  framed f = {.own = graze_place(shape, own)};
  assert_int_equal(f.own.status, GRAZE_OK);
  assert_int_equal(graze_compound_create(&f.own, 1, NULL, &f.compound, NULL), GRAZE_OK);
  const graze_shape whole = graze_with_margin(graze_compound_shape(f.compound), margin);
  f.whole = graze_place(&whole, frame);
  f.frame = malloc(sizeof *f.frame);
  assert_non_null(f.frame);
  f.part = graze_part(&f.whole, 0, f.frame);
  assert_true(f.whole.status == GRAZE_OK && f.part.status == GRAZE_OK && graze_part_count(&f.whole) == 1);
  return f;
}

/* Places `own`, a shape in the frame of a compound, as its part, if the compound has the pose `outer`. */
static inline graze_placed part_in(const graze_placed *own, graze_pose outer, graze_frame *frame) {
  graze_compound *compound;
  assert_int_equal(graze_compound_create(own, 1, NULL, &compound, NULL), GRAZE_OK);
  const graze_shape shape = graze_compound_shape(compound);
  const graze_placed whole = graze_place(&shape, outer), part = graze_part(&whole, 0, frame);
  assert_int_equal(part.status, GRAZE_OK);
  graze_compound_destroy(compound);
  return part;
}

static inline void framed_free(framed *f) {
  graze_compound_destroy(f->compound);
  free(f->frame);
}

#endif
