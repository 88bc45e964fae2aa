/* Every family of pairs against the exact truth: graze_intersect(), graze_distance(), and graze_verify() on both
 * answers; then answers made false on purpose, which graze_verify() must not accept.
 *
 * GRAZE_TIER in the environment: test (the default; some 20,000 pairs), ci (40,000), soak (200,000 random pairs and
 * 20,000 of each degenerate family). GRAZE_FAMILY: only families whose name holds this text. GRAZE_SEED: another seed.
 * The table printed in the soak is docs/soak.txt. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cso/families.h"
#include "oracle/judge.h"

enum { SHOWN = 2 }; /* failures printed for each family and reason */

typedef struct tally {
  long pairs, relation[5], exact, failed, accepted_lies;
  double worst_width, seconds;
  int worst_iterations;
  const char *reason[8];
  int shown[8];
} tally;

typedef struct bench {
  oracle *o;
  family_pair pair;
  graze_placed a, b;
  const family *from;
  bool grazing;
  tally count;
} bench;

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool shown_enough(tally *count, const char *why) {
  for (int i = 0; i < 8; i++) {
    if (count->reason[i] && strcmp(count->reason[i], why)) continue;
    count->reason[i] = why;
    return count->shown[i]++ >= SHOWN;
  }
  return true;
}

static void fail_pair(bench *x, const char *query, const char *why, const graze_answer *answer) {
  x->count.failed++;
  if (shown_enough(&x->count, why)) return;
  printf("FAILED %s, %s: %s (truth: %s, %.17g)\n", x->from->name, query, why,
         graze_relation_text(oracle_relation(x->o)), oracle_distance(x->o));
  if (answer) judge_print(stdout, answer);
  family_print_json(stdout, x->from->name, query, &x->pair.a, &x->pair.pose_a, &x->pair.b, &x->pair.pose_b);
}

/* Whatever is claimed instead of the truth, no certificate can show it. */
static void lie(bench *x, graze_answer answer, const char *what) {
  if (graze_verify(&x->a, &x->b, NULL, &answer) != GRAZE_OK) return;
  x->count.accepted_lies++;
  fail_pair(x, "verify accepts a lie", what, &answer);
}

/* Numbers that would fit the relation, so that only its proof can fail. */
static void fit_numbers(graze_answer *answer) {
  answer->distance = answer->lower = answer->upper = answer->relation == GRAZE_TOUCHING ? 0 : (double)NAN;
}

static void lie_about_relation(bench *x, const graze_answer *good, graze_relation relation) {
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

static void tell_lies(bench *x, const graze_answer *good) {
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

static void ask_intersect(bench *x, const graze_options *options) {
  graze_answer answer;
  memset(&answer, 0, sizeof answer);
  graze_status status = graze_intersect(&x->a, &x->b, options, &answer);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : judge_intersect(x->o, &answer);
  if (!why) {
    status = graze_verify(&x->a, &x->b, NULL, &answer);
    if (status != GRAZE_OK) why = graze_status_text(status);
  }
  if (why) fail_pair(x, "intersect", why, &answer);
}

static void ask_distance(bench *x, bool lies) {
  graze_answer answer;
  memset(&answer, 0, sizeof answer);
  double start = seconds_now();
  graze_status status = graze_distance(&x->a, &x->b, NULL, &answer);
  x->count.seconds += seconds_now() - start;
  const char *why =
      status != GRAZE_OK ? graze_status_text(status) : judge_distance(x->o, &x->pair.a, &x->pair.b, &answer);
  if (!why && answer.stopped != GRAZE_STOP_NONE) why = "something was cut";
  if (!why) {
    status = graze_verify(&x->a, &x->b, NULL, &answer);
    if (status != GRAZE_OK) why = graze_status_text(status);
  }
  if (why)
    fail_pair(x, "distance", why, &answer);
  else if (lies)
    tell_lies(x, &answer);
  x->count.exact += answer.exact;
  if (answer.iterations > x->count.worst_iterations) x->count.worst_iterations = answer.iterations;
  if (isnan(answer.distance)) return;
  double scale = judge_scale(&x->pair.a, &x->pair.b, answer.distance), width = answer.upper - answer.lower;
  if (scale > 1e-300) x->count.worst_width = fmax(x->count.worst_width, width / scale);
}

static void move(graze_vec *p, graze_vec direction, double by) {
  p->x += by * direction.x;
  p->y += by * direction.y;
  p->z += by * direction.z;
}

static bool solve(bench *x) { return oracle_solve(x->o, &x->pair.a, &x->pair.pose_a, &x->pair.b, &x->pair.pose_b, 0); }

/* Brings B so near to contact that rounding errors are as large as what is left, either way. */
static void bring_near(bench *x, family_random *random) {
  graze_vec *b = &x->pair.pose_b.position, away = family_cube(random, x->pair.a.dim, 1);
  double size = judge_scale(&x->pair.a, &x->pair.b, 0);
  for (int i = 0; i < 8 && solve(x) && oracle_cores_meet(x->o); i++) move(b, away, 0.7 * size);
  graze_vec normal = oracle_normal(x->o);
  for (int i = 0; i < 6 && solve(x) && !oracle_cores_meet(x->o); i++) {
    normal = oracle_normal(x->o);
    double gap = oracle_distance(x->o);
    if (fabs(gap) < 1e-16 * size) break;
    move(b, normal, -gap);
  }
  double off = ldexp(size, -family_between(random, 40, 60));
  if (family_coin(random)) move(b, normal, family_coin(random) ? off : -off);
}

/* The best of all first directions: now the filters alone decide. */
static void ask_along_normal(bench *x, family_random *random) {
  graze_options options = graze_default_options();
  if (oracle_cores_meet(x->o)) return;
  options.method = GRAZE_METHOD_GJK;
  options.start = oracle_normal(x->o);
  double longer = ldexp(1, family_between(random, -20, 20));
  options.start = (graze_vec){-options.start.x * longer, -options.start.y * longer, -options.start.z * longer};
  if (family_coin(random)) options.start = (graze_vec){-options.start.x, -options.start.y, -options.start.z};
  ask_intersect(x, &options);
}

static void run_pair(bench *x, family_random *random, bool lies) {
  memset(&x->pair, 0, sizeof x->pair);
  x->from->make(random, &x->pair);
  if (x->grazing) bring_near(x, random);
  x->a = graze_place(&x->pair.a, x->pair.pose_a);
  x->b = graze_place(&x->pair.b, x->pair.pose_b);
  x->count.pairs++;
  if (!solve(x)) {
    fail_pair(x, "truth", "the oracle does not know these shapes", NULL);
    return;
  }
  x->count.relation[oracle_relation(x->o)]++;
  ask_intersect(x, NULL);
  ask_distance(x, lies);
  if (x->grazing) ask_along_normal(x, random);
}

static void print_head(void) {
  printf("%-36s %7s %7s %7s %7s %7s %9s %5s %8s %7s\n", "family", "pairs", "apart%", "touch%", "over%", "exact%",
         "width", "iter", "us/call", "failed");
}

static void print_row(const bench *x) {
  const tally *t = &x->count;
  double n = (double)t->pairs / 100;
  char name[64];
  snprintf(name, sizeof name, "%s%s", x->from->name, x->grazing ? ", grazing" : "");
  printf("%-36s %7ld %7.1f %7.1f %7.1f %7.2f %9.1e %5d %8.2f %7ld\n", name, t->pairs,
         (double)t->relation[GRAZE_SEPARATED] / n, (double)t->relation[GRAZE_TOUCHING] / n,
         (double)t->relation[GRAZE_OVERLAPPING] / n, (double)t->exact / n, t->worst_width, t->worst_iterations,
         1e4 * t->seconds / n, t->failed);
  fflush(stdout);
}

static uint64_t seed_of(const char *name) {
  const char *given = getenv("GRAZE_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 0) : 1;
  for (const char *c = name; *c; c++) seed = seed * UINT64_C(1099511628211) + (unsigned char)*c;
  return seed;
}

static long run_families(const family *list, int count, int pairs, bool grazing) {
  const char *only = getenv("GRAZE_FAMILY");
  bench *x = calloc(1, sizeof *x);
  assert_non_null(x);
  x->o = oracle_new();
  x->grazing = grazing;
  long failed = 0;
  for (int f = 0; f < count; f++) {
    if (only && !strstr(list[f].name, only)) continue;
    family_random random = {seed_of(list[f].name)};
    x->from = &list[f];
    memset(&x->count, 0, sizeof x->count);
    for (int i = 0; i < pairs; i++) run_pair(x, &random, i % 8 == 0);
    print_row(x);
    failed += x->count.failed;
    double hits = 100 - 100 * (double)x->count.relation[GRAZE_SEPARATED] / (double)x->count.pairs;
    if (!grazing && (hits < list[f].hits_low || hits > list[f].hits_high)) {
      printf("FAILED %s: %.1f %% of the pairs meet\n", list[f].name, hits);
      failed++;
    }
    double exact = 100 * (double)x->count.exact / (double)x->count.pairs;
    if (!grazing && exact > list[f].exact_most) {
      printf("FAILED %s: %.1f %% needed exact arithmetic\n", list[f].name, exact);
      failed++;
    }
  }
  oracle_free(x->o);
  free(x);
  return failed;
}

static int tiered(int test, int ci, int soak) {
  const char *tier = getenv("GRAZE_TIER");
  if (tier && !strcmp(tier, "soak")) return soak;
  return tier && !strcmp(tier, "ci") ? ci : test;
}

static void random_families(void **state) {
  (void)state;
  print_head();
  assert_int_equal(run_families(families_random, families_random_count, tiered(1000, 2000, 33334), false), 0);
}

static void degenerate_families(void **state) {
  (void)state;
  print_head();
  assert_int_equal(run_families(families_degenerate, families_degenerate_count, tiered(300, 600, 20000), false), 0);
}

/* Generic pairs where the floating-point filters have to give up at the right moment. */
static void grazing_families(void **state) {
  static const char *const also[] = {"needles", "1e9", "flat boxes", "rounded"};
  int count = tiered(300, 600, 20000);
  (void)state;
  print_head();
  long failed = run_families(families_random, families_random_count, count, true);
  for (int f = 0; f < families_degenerate_count; f++)
    for (int i = 0; i < 4; i++)
      if (strstr(families_degenerate[f].name, also[i])) failed += run_families(&families_degenerate[f], 1, count, true);
  assert_int_equal(failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_families),
      cmocka_unit_test(degenerate_families),
      cmocka_unit_test(grazing_families),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
