/* The kinds of nasty.c against the exact truth: relation, signed distance, interval, normal, witnesses, certificates of
 * both halves, the separated and the overlapping one. 500 pairs of each kind, as published; more in the soak. */

#include "support/test.h"
#include "support/families_run.h"
#include "support/nasty.h"

TEST(nothing_is_wrong) {
  family_runner *x = family_runner_new();
  int pairs = tiered(500, 500, 20000);
  long failed = 0;
  family_print_head();
  for (int kind = 0; kind < NASTY_KINDS; kind++) {
    rng random = {family_seed(nasty_name[kind])};
    if (!family_wanted(nasty_name[kind])) continue;
    family_start(x, nasty_name[kind]);
    for (int i = 0; i < pairs; i++) {
      graze_answer answer;
      memset(&x->pair, 0, sizeof x->pair);
      nasty_make(&random, kind, i, x->other, &x->pair);
      if (!family_place(x)) continue;
      (void)family_intersect(x, NULL);
      (void)family_distance(x, &answer);
    }
    failed += family_print_row(x, "", NULL);
    long over = x->count.relation[GRAZE_OVERLAPPING], apart = x->count.relation[GRAZE_SEPARATED];
    bool coincident = kind == 6;
    if (over < pairs * 30L / 100 || (!coincident && apart < pairs * 30L / 100)) {
      printf("FAILED %s: the halves are uneven\n", nasty_name[kind]);
      failed++;
    }
  }
  family_runner_free(x);
  assert_int_equal(failed, 0);
}
