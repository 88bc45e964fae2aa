/* Every family of pairs against the exact truth: graze_intersect(), graze_distance(), and graze_verify() on both
 * answers; then answers made false on purpose, which graze_verify() must not accept.
 *
 * GRAZE_TIER in the environment: test (the default; some 20,000 pairs), ci (40,000), soak (200,000 random pairs and
 * 20,000 of each degenerate family). GRAZE_FAMILY: only families whose name holds this text. GRAZE_SEED: another seed.
 * The table printed in the soak is docs/soak.txt. */

#include "support/test.h"
#include "support/families_run.h"

/* Whatever is claimed instead of the truth, no certificate can show it. */
static void lie(family_runner *x, graze_answer answer, const char *what) {
  if (graze_verify(&x->a, &x->b, NULL, &answer) != GRAZE_OK) return;
  family_fail(x, "verify accepts a lie", what, &answer);
}

/* Numbers that would fit the relation, so that only its proof can fail. */
static void fit_numbers(graze_answer *answer) {
  answer->distance = answer->lower = answer->upper = answer->relation == GRAZE_TOUCHING ? 0 : (double)NAN;
}

static void lie_about_relation(family_runner *x, const graze_answer *good, graze_relation relation) {
  static const graze_certificate_kind kind[][2] = {{GRAZE_CERTIFICATE_NONE, GRAZE_CERTIFICATE_NONE},
                                                   {GRAZE_CERTIFICATE_SEPARATED, GRAZE_CERTIFICATE_PLANE},
                                                   {GRAZE_CERTIFICATE_TOUCH, GRAZE_CERTIFICATE_PLANE},
                                                   {GRAZE_CERTIFICATE_INSIDE, GRAZE_CERTIFICATE_NEAR}};
  graze_answer answer = *good;
  answer.relation = relation;
  lie(x, answer, "another relation");
  fit_numbers(&answer);
  lie(x, answer, "another relation, with numbers to match");
  for (int k = 0; k < 2; k++) {
    answer.certificate.kind = kind[relation][k];
    lie(x, answer, "another relation, the certificate renamed");
    graze_answer moved = answer; /* the pairs of the direction, and the nearest point as a direction */
    moved.certificate.pair_count = moved.certificate.direction.count;
    memcpy(moved.certificate.pairs, moved.certificate.direction.pairs, sizeof moved.certificate.direction.pairs);
    lie(x, moved, "another relation, shown by the pairs of the direction");
    moved = answer;
    if (moved.certificate.pair_count > 4) continue;
    moved.certificate.direction.form = GRAZE_DIRECTION_NEAREST;
    moved.certificate.direction.count = moved.certificate.pair_count;
    memcpy(moved.certificate.direction.pairs, moved.certificate.pairs, sizeof moved.certificate.direction.pairs);
    lie(x, moved, "another relation, along the nearest point of the pairs");
  }
}

static void tell_lies(family_runner *x, const graze_answer *good) {
  graze_answer answer;
  for (int relation = GRAZE_SEPARATED; relation <= GRAZE_OVERLAPPING; relation++)
    if (relation != (int)oracle_relation(x->o)) lie_about_relation(x, good, (graze_relation)relation);
  answer = *good;
  if (oracle_relation(x->o) == GRAZE_TOUCHING || isnan(answer.distance)) return;
  answer.lower = nextafter(answer.upper, INFINITY);
  if (oracle_compare(x->o, answer.lower) < 0) {
    answer.distance = answer.upper = nextafter(answer.lower, INFINITY);
    lie(x, answer, "an interval above the truth");
  }
  answer = *good;
  answer.upper = nextafter(answer.lower, -INFINITY);
  if (oracle_compare(x->o, answer.upper) > 0) {
    answer.distance = answer.lower = nextafter(answer.upper, -INFINITY);
    lie(x, answer, "an interval below the truth");
  }
}

static void move(graze_vec *p, graze_vec direction, double by) {
  p->x += by * direction.x;
  p->y += by * direction.y;
  p->z += by * direction.z;
}

/* Brings B so near to contact that rounding errors are as large as what is left, either way. */
static void bring_near(family_runner *x, rng *random) {
  graze_vec *b = &x->pair.pose_b.position, away = rng_vec(random, x->pair.a.dim, 1);
  double size = judge_scale(&x->pair.a, &x->pair.b, 0);
  for (int i = 0; i < 8 && family_solve(x) && oracle_cores_meet(x->o); i++) move(b, away, 0.7 * size);
  graze_vec normal = oracle_normal(x->o);
  for (int i = 0; i < 6 && family_solve(x) && !oracle_cores_meet(x->o); i++) {
    normal = oracle_normal(x->o);
    double gap = oracle_distance(x->o);
    if (fabs(gap) < 1e-16 * size) break;
    move(b, normal, -gap);
  }
  double off = ldexp(size, -rng_between(random, 40, 60));
  if (rng_coin(random)) move(b, normal, rng_coin(random) ? off : -off);
}

/* The best of all first directions: now the filters alone decide. */
static void ask_along_normal(family_runner *x, rng *random) {
  graze_options options = graze_default_options();
  if (oracle_cores_meet(x->o)) return;
  options.method = GRAZE_METHOD_GJK;
  options.start = oracle_normal(x->o);
  double longer = ldexp(1, rng_between(random, -20, 20));
  options.start = (graze_vec){-options.start.x * longer, -options.start.y * longer, -options.start.z * longer};
  if (rng_coin(random)) options.start = (graze_vec){-options.start.x, -options.start.y, -options.start.z};
  (void)family_intersect(x, &options);
}

static void run_pair(family_runner *x, const family *from, rng *random, bool grazing, bool lies) {
  graze_answer answer;
  memset(&x->pair, 0, sizeof x->pair);
  from->make(random, &x->pair);
  if (grazing) bring_near(x, random);
  if (!family_place(x)) return;
  (void)family_intersect(x, NULL);
  if (family_distance(x, &answer) && lies) tell_lies(x, &answer);
  if (grazing) ask_along_normal(x, random);
}

static long run_families(const family *list, int count, int pairs, bool grazing) {
  family_runner *x = family_runner_new();
  long failed = 0;
  for (int f = 0; f < count; f++) {
    if (!family_wanted(list[f].name)) continue;
    rng random = {family_seed(list[f].name)};
    family_start(x, list[f].name);
    for (int i = 0; i < pairs; i++) run_pair(x, &list[f], &random, grazing, i % 8 == 0);
    failed += family_print_row(x, grazing ? ", grazing" : "", grazing ? NULL : &list[f]);
  }
  family_runner_free(x);
  return failed;
}

TEST(random_families) {
  family_print_head();
  assert_int_equal(run_families(families_random, families_random_count, tiered(1000, 2000, 33334), false), 0);
}

TEST(degenerate_families) {
  family_print_head();
  assert_int_equal(run_families(families_degenerate, families_degenerate_count, tiered(300, 600, 20000), false), 0);
}

/* Generic pairs where the floating-point filters have to give up at the right moment. */
TEST(grazing_families) {
  static const char *const also[] = {"needles", "1e9", "flat boxes", "rounded"};
  int count = tiered(300, 600, 20000);
  family_print_head();
  long failed = run_families(families_random, families_random_count, count, true);
  for (int f = 0; f < families_degenerate_count; f++)
    for (int i = 0; i < 4; i++)
      if (strstr(families_degenerate[f].name, also[i])) failed += run_families(&families_degenerate[f], 1, count, true);
  assert_int_equal(failed, 0);
}
