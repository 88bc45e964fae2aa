/* Random sweeps of every kind of shape against many moments of the motion, asked about one by one; every answer
 * verified by its steps, and asked for again with A and B exchanged and without steps. Never clear where they overlap
 * at some moment, nothing before t_lower, hardly ever possible.
 *
 * GRAZE_TIER: test (some 2,500 sweeps), ci, soak (200,000). GRAZE_FAMILY, GRAZE_SEED: as tests/cso/test_families.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "motion/sweep_families.h"
#include "tiered.h"

enum { MOMENTS = 64 };

static void polytopes(void **state) {
  sweep_runner *r = sweep_runner_new(MOMENTS, false);
  long failed = sweep_run_families(r, sweep_polytopes, sweep_polytopes_count, tiered(100, 200, 7300));
  sweep_runner_free(r);
  (void)state;
  assert_int_equal(failed, 0);
}

static void curved_shapes(void **state) {
  sweep_runner *r = sweep_runner_new(MOMENTS, false);
  long failed = sweep_run_families(r, sweep_others, sweep_others_count, tiered(100, 200, 7300));
  sweep_runner_free(r);
  (void)state;
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polytopes),
      cmocka_unit_test(curved_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
