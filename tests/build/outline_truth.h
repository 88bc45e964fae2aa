/* Validation of outlines by brute force, in 128-bit integers: every pair of edges, by solving for where they meet. */
#ifndef TESTS_BUILD_OUTLINE_TRUTH_H
#define TESTS_BUILD_OUTLINE_TRUTH_H

#include <graze/build.h>

enum { TRUTH_MOST = 400 };

/* The coordinates are x·2^unit and y·2^unit, |x|, |y| <= 2^58 and doubles. */
typedef struct truth_outline {
  int64_t x[TRUTH_MOST], y[TRUTH_MOST];
  size_t count;
  int unit;
} truth_outline;

void truth_vertices(const truth_outline *outline, graze_vec *vertices);

/* The result that graze_judge_outline() must have; `flaws` holds `most`. False: there are more. */
bool truth_judge(const truth_outline *outline, graze_outline *judged, graze_flaw *flaws, size_t most);

#endif
