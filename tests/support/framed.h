/* A compound of one part, placed: `own` in the compound's frame, `whole` the compound, `part` as graze_part() returns
 * it. */
#ifndef TESTS_SUPPORT_FRAMED_H
#define TESTS_SUPPORT_FRAMED_H

#include <graze/build.h>

#include "support/test.h"

typedef struct framed {
  graze_compound *compound;
  graze_placed own, whole, part;
} framed;

/* `margin`: of the compound. The shape must outlive the result. */
static inline framed framed_make(const graze_shape *shape, graze_pose own, graze_pose frame, double margin) {
  framed f = {.own = graze_place(shape, own)};
  assert_int_equal(f.own.status, GRAZE_OK);
  assert_int_equal(graze_compound_create(&f.own, 1, NULL, &f.compound, NULL), GRAZE_OK);
  const graze_shape whole = graze_with_margin(graze_compound_shape(f.compound), margin);
  f.whole = graze_place(&whole, frame);
  f.part = graze_part(&f.whole, 0);
  assert_true(f.whole.status == GRAZE_OK && f.part.status == GRAZE_OK && graze_part_count(&f.whole) == 1);
  return f;
}

static inline void framed_free(framed *f) { graze_compound_destroy(f->compound); }

#endif
