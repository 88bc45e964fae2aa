/* Random sweeps of polytopes against the exact oracle: moments of the motion, both ends of the bracket, and every step.
 *
 * GRAZE_TIER: test (some 60 sweeps), ci, soak (10,000). GRAZE_FAMILY, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/test.h"
#include "support/sweep_families.h"

enum { MOMENTS = 16 };

TEST(exact_sweeps) {
  sweep_family list[32];
  int tier = tiered(3, 6, 480);
  sweep_runner *r = sweep_runner_new(MOMENTS, true);
  for (int i = 0; i < sweep_polytopes_count; i++) {
    list[i] = sweep_polytopes[i];
    if (tier >= 100) continue; /* fewer are too few to keep promises of shares by */
    list[i].hits_low = 0, list[i].hits_high = list[i].exact_most = 100;
    list[i].possible_most = 100, list[i].proved_least = 0;
  }
  long failed = sweep_run_families(r, list, sweep_polytopes_count, tier);
  sweep_runner_free(r);
  assert_int_equal(failed, 0);
}
