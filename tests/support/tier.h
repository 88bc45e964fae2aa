/* How much a test does, by GRAZE_TIER in the environment. */
#ifndef TESTS_SUPPORT_TIER_H
#define TESTS_SUPPORT_TIER_H

#include <stdlib.h>
#include <string.h>

/* Returns the count for the tier of this run; `test` if GRAZE_TIER is not set. */
static inline int tiered(int test, int ci, int soak) {
  const char *tier = getenv("GRAZE_TIER");
  if (tier && !strcmp(tier, "soak")) return soak;
  return tier && !strcmp(tier, "ci") ? ci : test;
}

#endif
