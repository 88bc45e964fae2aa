/* How much a test does, by GRAZE_TIER in the environment. */
#ifndef TESTS_SUPPORT_TIER_H
#define TESTS_SUPPORT_TIER_H

/* Returns the count for the tier of this run; `test` if GRAZE_TIER is not set. */
int tiered(int test, int ci, int soak);

#endif
