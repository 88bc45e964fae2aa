/* How much to do. */
#ifndef TESTS_SUPPORT_TIER_H
#define TESTS_SUPPORT_TIER_H

/* One of the three, as GRAZE_TIER says; `test` where it says nothing. */
int tiered(int test, int ci, int soak);

#endif
