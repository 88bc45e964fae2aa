/* Every family of pairs against the exact truth, by every method; then false answers, which graze_verify() rejects.
 *
 * GRAZE_TIER in the environment: test (the default), ci or soak, which prints the table in build/soak/table.txt.
 * GRAZE_FAMILY: only families whose names contain this text. GRAZE_SEED: another seed. */
#include "support/families_run.h"
#include "support/nasty.h"
#include "support/query.h"

/* No certificate can prove a false answer. */
static void must_be_rejected(family_runner *r, const proved_answer *answer, const char *what) {
  if (verify_answer(&r->a, &r->b, NULL, answer) == GRAZE_OK) family_fail(r, "verify accepts", what, answer);
}

static void falsify_relation(family_runner *r, const proved_answer *good, graze_relation relation) {
  static const graze_certificate_kind kind[][2] = {{GRAZE_CERTIFICATE_NONE, GRAZE_CERTIFICATE_NONE},
                                                   {GRAZE_CERTIFICATE_SEPARATED, GRAZE_CERTIFICATE_HALFSPACE},
                                                   {GRAZE_CERTIFICATE_TOUCH, GRAZE_CERTIFICATE_HALFSPACE},
                                                   {GRAZE_CERTIFICATE_INSIDE, GRAZE_CERTIFICATE_NEAR}};
  proved_answer answer = *good;
  answer.relation = relation;
  must_be_rejected(r, &answer, "another relation");
  answer.distance = answer.lower = answer.upper = relation == GRAZE_TOUCHING ? 0 : (double)NAN;
  must_be_rejected(r, &answer, "another relation, with numbers to match");
  for (int k = 0; k < 2; k++) {
    answer.certificate.kind = kind[relation][k];
    must_be_rejected(r, &answer, "another relation, the certificate renamed");
    graze_certificate *c = &answer.certificate, kept = answer.certificate;
    c->pair_count = kept.direction.count;
    memcpy(c->pairs, kept.direction.pairs, sizeof kept.direction.pairs);
    must_be_rejected(r, &answer, "another relation, shown by the pairs of the direction");
    *c = kept;
    if (kept.pair_count > 4) continue;
    c->direction.form = GRAZE_DIRECTION_NEAREST, c->direction.count = kept.pair_count;
    memcpy(c->direction.pairs, kept.pairs, sizeof c->direction.pairs);
    must_be_rejected(r, &answer, "another relation, along the nearest point of the pairs");
    *c = kept;
  }
}

static void falsify(family_runner *r, const proved_answer *good) {
  proved_answer answer = *good;
  for (int relation = GRAZE_SEPARATED; relation <= GRAZE_OVERLAPPING; relation++)
    if (relation != (int)oracle_relation(r->o)) falsify_relation(r, good, (graze_relation)relation);
  if (oracle_relation(r->o) == GRAZE_TOUCHING || isnan(answer.distance)) return;
  for (int side = -1; side <= 1; side += 2) {
    const double from = nextafter(side > 0 ? good->upper : good->lower, side * (double)INFINITY);
    const double to = nextafter(from, side * (double)INFINITY);
    answer.lower = fmin(from, to), answer.upper = answer.distance = fmax(from, to);
    if (oracle_compare(r->o, from) * side < 0) must_be_rejected(r, &answer, "an interval beside the truth");
  }
}

/* A cutoff at the distance itself: either the lower bound reaches it, or the interval is as narrow as without. */
static void check_cutoff(family_runner *r, const proved_answer *whole) {
  graze_options options = graze_default_options();
  proved_answer cut;
  options.max_distance = whole->distance;
  if (query_distance(&r->a, &r->b, &options, &cut) != GRAZE_OK)
    family_fail(r, "cutoff", "status", whole);
  else if (cut.stopped == GRAZE_STOP_CUTOFF ? !(cut.lower >= options.max_distance && cut.lower <= whole->upper)
                                            : family_validate(r, &cut) != NULL)
    family_fail(r, "cutoff", "wrong or wide", &cut);
}

static void check_and_falsify(family_runner *r, rng *random, int i) {
  proved_answer answer;
  (void)random;
  if (!family_place(r)) return;
  (void)family_intersect(r, NULL);
  if (!family_distance(r, &answer)) return;
  if (i % 8 == 0) falsify(r, &answer);
  if (answer.distance > 0) check_cutoff(r, &answer);
}

TEST(families_and_false_answers) {
  const family_plan plans[] = {
      {families_random, families_random_count, tiered(400, 1600, 33334), .check = check_and_falsify},
      {families_degenerate, families_degenerate_count, tiered(100, 400, 20000), .check = check_and_falsify}};
  assert_int_equal(family_run(&plans[0]) + family_run(&plans[1]), 0);
}

/* ---- so near to contact that rounding errors are as large as the gap, on either side */

static void bring_near(family_runner *r, rng *random) {
  graze_vec *b = &r->pair.pose_b.position, away = rng_vec(random, r->pair.a.dim, 1);
  const double size = pair_scale(&r->pair.a, &r->pair.b, 0), off = ldexp(size, -rng_between(random, 38, 60));
  for (int i = 0; i < 8 && family_solve(r) && oracle_cores_meet(r->o); i++) *b = add_scaled(*b, 0.7 * size, away);
  graze_vec normal = oracle_normal(r->o);
  for (int i = 0; i < 6 && family_solve(r) && !oracle_cores_meet(r->o); i++) {
    normal = oracle_normal(r->o);
    const double gap = oracle_distance(r->o);
    if (fabs(gap) < 1e-16 * size) break;
    *b = add_scaled(*b, -gap, normal);
  }
  if (rng_coin(random)) *b = add_scaled(*b, rng_coin(random) ? off : -off, normal);
}

/* With the best first direction, the floating-point filters alone decide. */
static void check_start_normal(family_runner *r, rng *random) {
  graze_options options = by_method(GRAZE_METHOD_GJK);
  if (oracle_cores_meet(r->o)) return;
  const double sign = rng_coin(random) ? 1 : -1, length = ldexp(sign, rng_between(random, -20, 20));
  options.start = scaled(length, oracle_normal(r->o));
  (void)family_intersect(r, &options);
}

static void check_grazing(family_runner *r, rng *random, int i) {
  bring_near(r, random);
  check_and_falsify(r, random, i);
  check_start_normal(r, random);
}

TEST(grazing_families) {
  static const char *const also[] = {"needles", "1e9", "flat boxes", "rounded"};
  family_plan plan = {
      families_random, families_random_count, tiered(125, 500, 20000), 0, ", grazing", check_grazing, NULL};
  long failed = family_run(&plan);
  plan.count = 1;
  for (int f = 0; f < families_degenerate_count; f++)
    for (int i = 0; i < 4; i++)
      if (strstr(families_degenerate[f].name, also[i]))
        plan.list = &families_degenerate[f], failed += family_run(&plan);
  assert_int_equal(failed, 0);
}

/* ---- depths, and after B is pulled out along the direction of least depth, to a sliver on either side of contact */

static void check_shallow(family_runner *r, rng *random, int i) {
  const double size = pair_scale(&r->pair.a, &r->pair.b, 0), sliver = ldexp(size, -rng_between(random, 4, 50));
  const double left = rng_coin(random) ? sliver : -sliver;
  graze_vec *at = &r->pair.pose_b.position;
  if (family_solve(r) && oracle_relation(r->o) == GRAZE_OVERLAPPING)
    *at = add_scaled(*at, -oracle_distance(r->o) - left, oracle_normal(r->o));
  family_check(r, random, i);
}

TEST(deep_and_shallow_families) {
  family_plan plan = {families_depth, families_depth_count, tiered(75, 300, 10000), .check = family_check};
  long failed = family_run(&plan);
  plan.suffix = ", shallow", plan.check = check_shallow;
  failed += family_run(&plan);
  if (tiered(0, 0, 1))
    failed += family_run(&(family_plan){families_depth, 1, 50000, .check = family_check}); /* hulls */
  assert_int_equal(failed, 0);
}

/* ---- kinds on which other libraries fail: half of each are separated */

static void make_none(rng *random, shape_pair *pair) { (void)random, (void)pair; }

static void check_nasty(family_runner *r, rng *random, int i) {
  int kind = 0;
  while (strcmp(nasty_name[kind], r->name) != 0) kind++;
  nasty_make(random, kind, i, r->other, &r->pair);
  family_check(r, random, i);
}

TEST(nasty_kinds) {
  family list[NASTY_KINDS];
  for (int kind = 0; kind < NASTY_KINDS; kind++) {
    const bool coincident = strcmp(nasty_name[kind], "coincident boxes") == 0;
    list[kind] = (family){nasty_name[kind], make_none, 30, coincident ? 100 : 70, 100};
  }
  family_plan plan = {list, NASTY_KINDS, tiered(125, 500, 20000), .check = check_nasty};
  assert_int_equal(family_run(&plan), 0);
}

/* ---- every method: equal relations, and each interval holds the truth, so that any two have a common point */

static const graze_method methods[] = {GRAZE_METHOD_GJK, GRAZE_METHOD_EXACT, METHOD_SAT, GRAZE_METHOD_EPA,
                                       METHOD_BRUTE};
static const char *const method_name[] = {"gjk", "exact", "sat", "epa", "brute"};

static long depths_by_sat, depths_by_axes;

/* SAT, EPA and brute force do not support half-spaces. */
static bool unsupported(const shape_pair *p, graze_method method) {
  return (p->a.kind == GRAZE_HALFSPACE || p->b.kind == GRAZE_HALFSPACE) && method != GRAZE_METHOD_GJK &&
         method != GRAZE_METHOD_EXACT;
}

/* Verifies an answer. The pairs of a depth by SAT prove the relation, not the upper bound. */
static graze_status verify_by(family_runner *r, int m, const graze_options *options, const proved_answer *y) {
  const graze_status status = verify_answer(&r->a, &r->b, options, y);
  if (methods[m] != METHOD_SAT || status != GRAZE_UNPROVEN || y->relation != GRAZE_OVERLAPPING) return status;
  proved_answer relation_alone = *y;
  relation_alone.distance = relation_alone.lower = relation_alone.upper = (double)NAN;
  return verify_answer(&r->a, &r->b, options, &relation_alone);
}

static void check_method(family_runner *r, int m) {
  graze_options options = r->whole;
  proved_answer x = {0}, y = {0};
  options.method = methods[m];
  const graze_status other = query_intersect(&r->a, &r->b, &options, &y);
  const graze_status shown = other == GRAZE_OK ? verify_by(r, m, &options, &y) : other;
  const graze_status status = query_distance(&r->a, &r->b, &options, &x); /* writes the surface anew */
  if (unsupported(&r->pair, methods[m])) {
    if (status != GRAZE_UNSUPPORTED || other != GRAZE_UNSUPPORTED) family_fail(r, method_name[m], "supported", NULL);
    return;
  }
  const char *why = status != GRAZE_OK ? graze_status_text(status) : family_validate(r, &x);
  if (!why && verify_answer(&r->a, &r->b, &options, &x) == GRAZE_REFUTED) why = "refuted";
  if (why) family_fail(r, method_name[m], why, &x);
  const bool reference = methods[m] == METHOD_SAT || methods[m] == METHOD_BRUTE; /* they always compute the distance */
  why = other != GRAZE_OK ? graze_status_text(other)
        : reference       ? family_validate(r, &y)
                          : validate_intersect(r->o, &y);
  if (!why && shown != GRAZE_OK) why = "not verified";
  if (why) family_fail(r, method_name[m], why, &y);
  const bool deep = methods[m] == METHOD_SAT && x.relation == GRAZE_OVERLAPPING;
  depths_by_sat += deep, depths_by_axes += deep && x.algorithm == GRAZE_ALGORITHM_SAT;
}

static void check_methods(family_runner *r, rng *random, int i) {
  (void)random, (void)i;
  if (!family_place(r)) return;
  for (size_t m = 0; m < COUNT(methods); m++) check_method(r, (int)m);
}

TEST(every_method) {
  const int pairs = tiered(5, 20, 250);
  const family_plan plans[] = {
      {families_random, families_random_count, 3 * pairs, 1, ", methods", check_methods, NULL},
      {families_degenerate, families_degenerate_count, pairs, 1, ", methods", check_methods, NULL},
      {families_paths, families_paths_count, pairs, 1, ", methods", check_methods, NULL},
      {families_triangles, families_triangles_count, pairs, 1, ", methods", check_methods, NULL},
      {families_depth, families_depth_count, pairs, 1, ", methods", check_methods, NULL}};
  long failed = 0;
  depths_by_sat = depths_by_axes = 0;
  for (size_t i = 0; i < COUNT(plans); i++) failed += family_run(&plans[i]);
  assert_int_equal(failed, 0);
  assert_true(depths_by_axes * 2 > depths_by_sat);
}
