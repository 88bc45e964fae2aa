#include "support/tier.h"

#include <stdlib.h>
#include <string.h>

int tiered(int test, int ci, int soak) {
  const char *tier = getenv("GRAZE_TIER");
  if (tier && !strcmp(tier, "soak")) return soak;
  return tier && !strcmp(tier, "ci") ? ci : test;
}
