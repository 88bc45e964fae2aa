/* Random sweeps of every kind of shape against many moments of the motion, asked about one by one; every answer
 * verified by its steps, and asked for again with A and B exchanged and without steps. Never clear where they overlap
 * at some moment, nothing before t_lower, hardly ever possible.
 *
 * GRAZE_TIER: test (some 2,500 sweeps), ci, soak (200,000). GRAZE_FAMILY, GRAZE_SEED: as tests/cso/test_families.c. */

#include "support/test.h"
#include "support/sweep_families.h"

enum { MOMENTS = 64 };

TEST(polytopes) {
  sweep_runner *r = sweep_runner_new(MOMENTS, false);
  long failed = sweep_run_families(r, sweep_polytopes, sweep_polytopes_count, tiered(100, 200, 7300));
  sweep_runner_free(r);
  assert_int_equal(failed, 0);
}

TEST(curved_shapes) {
  sweep_runner *r = sweep_runner_new(MOMENTS, false);
  long failed = sweep_run_families(r, sweep_others, sweep_others_count, tiered(100, 200, 7300));
  sweep_runner_free(r);
  assert_int_equal(failed, 0);
}
