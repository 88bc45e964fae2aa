/* How much to do. */
#ifndef TESTS_TIERED_H
#define TESTS_TIERED_H

/* One of the three, as GRAZE_TIER says; `test` where it says nothing. */
int tiered(int test, int ci, int soak);

#endif
