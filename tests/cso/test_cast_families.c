/* Degenerate casts against the exact truth: every family of degenerate pairs, moved so that it is met at some moment
 * of the motion; and families of motions that break continuous collision code.
 *
 * GRAZE_TIER, GRAZE_FAMILY, GRAZE_SEED: as test_families.c. */

#include "support/test.h"
#include "support/casts.h"
#include "support/cast_families.h"

/* ---- pairs that are met on the way */

/* A power of two of about the size of the smaller body, or of the larger one. */
static double size_of(rng *random, const shape_pair *p) {
  double a = judge_scale(&p->a, &p->a, 0), b = judge_scale(&p->b, &p->b, 0);
  double size = rng_coin(random) ? fmax(a, b) : fmin(a, b);
  int e = 0;
  if (!(size > 0)) size = fmax(a, b);
  (void)frexp(size > 0 ? size : 1, &e);
  return ldexp(1, e);
}

static graze_vec lattice(rng *random, int dim) {
  graze_vec v = {rng_between(random, -8, 8) * 0.25, rng_between(random, -8, 8) * 0.25, 0};
  if (dim == 3) v.z = rng_between(random, -8, 8) * 0.25;
  return v;
}

/* Along an edge of one of the bodies, nearly; exactly where it is not turned. */
static graze_vec along_edge(rng *random, const shape_pair *p) {
  bool of_a = rng_coin(random);
  const graze_shape *s = of_a ? &p->a : &p->b;
  const graze_pose *q = of_a ? &p->pose_a : &p->pose_b;
  int count = oracle_core_count(s);
  if (count < 2) return (graze_vec){1, 0, 0};
  graze_vec v =
      cast_plus(oracle_core_vertex(s, rng_below(random, count)), oracle_core_vertex(s, rng_below(random, count)), -1);
  return cast_turned(q, v);
}

static graze_vec any_velocity(rng *random, const shape_pair *p) {
  const graze_vec none = {0, 0, 0};
  int dim = p->a.dim;
  double size = size_of(random, p);
  graze_vec v = lattice(random, dim);
  switch (rng_below(random, 8)) {
  case 0: return cast_plus(none, rng_vec(random, dim, 2), size);
  case 1: v.y = 0; /* fall through */
  case 2: v.z = 0; break;
  case 3: return none;
  case 4: return along_edge(random, p);
  default: break;
  }
  return cast_plus(none, v, size);
}

/* The same motion, faster and shorter, or slower and longer, by a power of two. */
static void change_pace(rng *random, cast_case *c) {
  static const int bits[] = {0, 0, 0, 0, 3, -7, 60, -60, 100, -133};
  double pace = ldexp(1, bits[rng_below(random, 10)]);
  const graze_vec none = {0, 0, 0};
  c->velocity_a = cast_plus(none, c->velocity_a, pace);
  c->velocity_b = cast_plus(none, c->velocity_b, pace);
  c->t_max /= pace;
}

static double any_end(rng *random, double met) {
  switch (rng_below(random, 8)) {
  case 0: return met;
  case 1: return met > 0 ? nextafter(met, 0) : 1;
  case 2: return nextafter(met, INFINITY);
  case 3: return met / 2;
  case 4: return 16 * met + 1;
  case 5: return rng_coin(random) ? (double)INFINITY : 1e9;
  default: return 2 * met + 0.5;
  }
}

static void met_on_the_way(rng *random, cast_case *c) {
  static const double when[] = {0, 0.5, 1, 1, 3, 100};
  double met = when[rng_below(random, 6)];
  graze_vec v = any_velocity(random, &c->pair);
  bool first = rng_coin(random);
  *(first ? &c->velocity_a : &c->velocity_b) = v;
  graze_vec *p = first ? &c->pair.pose_a.position : &c->pair.pose_b.position;
  *p = cast_plus(*p, v, -met);
  c->t_max = any_end(random, met);
  change_pace(random, c);
}

TEST(pairs_met) {
  cast_runner *r = cast_runner_new();
  long failed = 0;
  cast_print_head();
  for (int f = 0; f < families_degenerate_count; f++) {
    const char *name = families_degenerate[f].name;
    if (!family_wanted(name)) continue;
    rng random = {family_seed(name) + 1};
    cast_start(r, name);
    for (int i = 0, n = tiered(300, 600, 10000); i < n; i++) {
      graze_impact impact;
      memset(&r->given, 0, sizeof r->given);
      families_degenerate[f].make(&random, &r->given.pair);
      r->given.rough = strncmp(name, "magnitudes", 10) == 0;
      met_on_the_way(&random, &r->given);
      (void)cast_run(r, &impact);
    }
    failed += cast_print_row(r, "", NULL);
  }
  cast_runner_free(r);
  assert_int_equal(failed, 0);
}

/* ---- families of motions */

TEST(degenerate_motions) {
  assert_int_equal(cast_run_families(cast_families, cast_families_count, tiered(400, 800, 20000)), 0);
}
