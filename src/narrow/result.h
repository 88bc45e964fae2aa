/* The answer of a query while it is computed, with its proof. The public functions copy the answer, and write the
 * certificate if the caller wants it. */
#ifndef GRAZE_NARROW_RESULT_H
#define GRAZE_NARROW_RESULT_H

#include "shape/proof.h"

typedef struct grz_result {
  graze_answer answer;
  grz_proof proof;
} grz_result;

/* The result of a cast while it is computed. */
typedef struct grz_cast_result {
  graze_cast_result cast;
  grz_proof proof;
  const graze_cast_step *steps;
  size_t step_count;
} grz_cast_result;

#endif
