#include "support/sweeps.h"

#include <stdlib.h>

#include "support/geometry.h"
#include "support/oracle/validate_cast.h"

enum { STEP_CAPACITY = 1 << 14 };

sweep_runner *sweep_runner_new(int moments, bool exact) {
  sweep_runner *r = calloc(1, sizeof *r);
  if (!r) abort();
  r->o = exact ? oracle_new() : NULL;
  r->moments = moments;
  r->steps = calloc(STEP_CAPACITY, sizeof *r->steps);
  if (!r->steps) abort();
  return r;
}

void sweep_runner_free(sweep_runner *r) {
  oracle_free(r->o);
  free(r->steps);
  free(r);
}

void sweep_start(sweep_runner *r, const char *name) {
  memset(&r->count, 0, sizeof r->count);
  r->name = name;
}

void sweep_fail(sweep_runner *r, const char *why, const proved_cast *result) {
  r->count.failed++;
  if (family_shown_enough(&r->count.shown, why)) return;
  printf("FAILED %s: %s\n", r->name, why);
  if (result) print_cast_result(stdout, result);
  print_motion_line(stdout, r->name, "toi", &r->given.pair, r->given.clearance, &r->given.motion_a, &r->given.motion_b,
                    r->given.t_max);
}

/* ---- queries */

graze_cast_options sweep_options(const sweep_runner *r, bool steps) {
  graze_cast_options options = graze_default_cast_options();
  options.clearance = r->given.clearance;
  if (steps) options.steps = r->steps, options.step_capacity = STEP_CAPACITY;
  return options;
}

void sweep_place(sweep_runner *r) {
  const sweep_case *c = &r->given;
  const shape_pair *p = &c->pair;
  r->motion = (turning_query){&p->a, &p->b, p->pose_a, p->pose_b, c->motion_a, c->motion_b, c->t_max, c->clearance};
  r->a = graze_place(&p->a, p->pose_a);
  r->b = graze_place(&p->b, p->pose_b);
}

const char *sweep_agree(const proved_cast *x, const proved_cast *y) {
  if (x->start_relation != y->start_relation) return "another start";
  if (x->outcome == GRAZE_POSSIBLE || y->outcome == GRAZE_POSSIBLE) return NULL;
  if (x->outcome != y->outcome) return "another result";
  if (x->outcome == GRAZE_CLEAR) return NULL;
  return x->t_lower <= y->t_upper && y->t_lower <= x->t_upper ? NULL : "another time";
}

/* Another query about the same motion: its answer must agree with the first. */
typedef struct variant {
  const char *disagrees;
  graze_cast_method method;
  graze_algorithm algorithm; /* 0: any */
  int budget;                /* 0: the default */
  int phase;                 /* for one case in eight, with this remainder; -1: for all */
  bool exchanged, loose;
} variant;

static const variant variants[] = {
    {"A and B exchanged, another answer", GRAZE_CAST_AUTO, 0, 0, -1, true, false},
    {"without steps, another answer", GRAZE_CAST_AUTO, 0, 0, -1, false, false},
    {"by GRAZE_CAST_SWEEP, another answer", GRAZE_CAST_SWEEP, GRAZE_ALGORITHM_SWEEP, 0, 0, false, false},
    {"by GRAZE_CAST_CA, another answer", GRAZE_CAST_CA, GRAZE_ALGORITHM_CA, 0, 0, false, false},
    {"with one iteration, another answer", GRAZE_CAST_AUTO, 0, 1, 1, false, false},
    {"with a tolerance, another answer", GRAZE_CAST_AUTO, 0, 64, 1, false, true},
};

static graze_status query(const sweep_runner *r, graze_cast_options options, bool exchanged, proved_cast *x) {
  const sweep_case *c = &r->given;
  return exchanged ? cast_motion(&r->b, &c->motion_b, &r->a, &c->motion_a, c->t_max, &options, x)
                   : cast_motion(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, x);
}

static const char *check_variant(const sweep_runner *r, const variant *v, const proved_cast *result) {
  proved_cast other;
  graze_cast_options options = sweep_options(r, false);
  options.method = v->method;
  if (v->budget) options.max_iterations = v->budget;
  if (v->loose) options.tolerance = 0.01 * turning_query_size(&r->motion);
  const graze_status status = query(r, options, v->exchanged, &other);
  if (status != GRAZE_OK) return graze_status_text(status);
  if (other.certificate.steps || other.certificate.step_count) return "steps without a buffer";
  if (sweep_agree(result, &other)) return v->disagrees;
  /* a touching pair that does not turn is a cast */
  const bool cast = other.algorithm == GRAZE_ALGORITHM_FCCD || other.algorithm == GRAZE_ALGORITHM_LCCD;
  if (v->algorithm && other.algorithm != v->algorithm && !(cast && other.start_relation == GRAZE_TOUCHING))
    return "wrong algorithm";
  if (v->exchanged) return NULL;
  return validate_sweep(v->phase < 0 ? r->o : NULL, &r->motion, r->moments, &other);
}

/* Poses at moments are rounded: bodies that slide may overlap there by that error. */
static const char *check_discrete(const sweep_runner *r, const proved_cast *result) {
  proved_cast other;
  double distance;
  graze_cast_options options = sweep_options(r, false);
  options.method = METHOD_SAMPLING;
  const graze_status status = query(r, options, false, &other);
  if (!isfinite(r->given.t_max) && result->start_relation != GRAZE_OVERLAPPING)
    return status == GRAZE_BAD_NUMBER ? NULL : "moments of a motion without end";
  if (status != GRAZE_OK) return graze_status_text(status);
  if (other.algorithm != GRAZE_ALGORITHM_SAMPLING || other.outcome == GRAZE_POSSIBLE) return "moments are undecided";
  if (other.outcome != GRAZE_HIT || result->outcome != GRAZE_CLEAR) return NULL;
  const int sign = turning_query_sign(NULL, &r->motion, other.t_upper, &distance);
  const bool slides = result->start_relation == GRAZE_TOUCHING && sign >= 0;
  return slides ? NULL : "clear, but moments show a contact";
}

static const char *check_variants(const sweep_runner *r, const proved_cast *result) {
  const char *why = NULL;
  const int phase = (int)(r->count.sweeps % 8);
  for (size_t i = 0; !why && i < sizeof variants / sizeof *variants; i++)
    if (variants[i].phase < 0 || variants[i].phase == phase) why = check_variant(r, &variants[i], result);
  return why || phase ? why : check_discrete(r, result);
}

static const char *check_known(const sweep_case *c, const proved_cast *x) {
  if (c->known > 0 && x->outcome == GRAZE_CLEAR) return "FALSE CLEAR: constructed to hit";
  return c->known < 0 && x->outcome == GRAZE_HIT ? "FALSE HIT: constructed to miss" : NULL;
}

static const char *verify(sweep_runner *r, const proved_cast *x) {
  const sweep_case *c = &r->given;
  const graze_cast_options options = sweep_options(r, false);
  const graze_status status = verify_motion(&r->a, &c->motion_a, &r->b, &c->motion_b, c->t_max, &options, x);
  r->count.proved += status == GRAZE_OK;
  return status == GRAZE_OK || status == GRAZE_UNPROVEN ? NULL : graze_status_text(status);
}

/* The dimension of the core, at most. */
static int core_dimension(const graze_shape *s) {
  switch (s->kind) {
  case GRAZE_POINT:
  case GRAZE_SPHERE: return 0;
  case GRAZE_SEGMENT:
  case GRAZE_CAPSULE: return 1;
  case GRAZE_TRIANGLE: return 2;
  case GRAZE_BOX:
    return (s->as.box.half_extents.x > 0) + (s->as.box.half_extents.y > 0) + (s->as.box.half_extents.z > 0);
  default: return s->dim;
  }
}

static double radius_of(const graze_shape *s) {
  return s->margin + (s->kind == GRAZE_SPHERE || s->kind == GRAZE_CAPSULE ? s->as.sphere.radius : 0);
}

/* C has no interior, whatever the rotations: bodies pass through each other without an overlap. */
static bool is_flat(const sweep_case *c) {
  const graze_shape *a = &c->pair.a, *b = &c->pair.b;
  return radius_of(a) + radius_of(b) + c->clearance == 0 && core_dimension(a) + core_dimension(b) < a->dim;
}

static void count(sweep_runner *r, const proved_cast *x) {
  sweep_tally *t = &r->count;
  const turning_query *m = &r->motion;
  if ((unsigned)x->outcome < 4) t->result[x->outcome]++;
  t->exact += x->exact;
  t->flat += x->outcome == GRAZE_POSSIBLE && is_flat(&r->given);
  if (x->iterations > t->most_iterations) t->most_iterations = x->iterations;
  if (x->outcome != GRAZE_HIT || x->t_upper == 0) return;
  const double motion = fmin(turning_query_end(m), turning_query_size(m) / turning_query_speed(m));
  t->widest = fmax(t->widest, (x->t_upper - x->t_lower) / motion);
}

void sweep_run(sweep_runner *r) {
  proved_cast x;
  r->count.sweeps++;
  sweep_place(r);
  const graze_status status = query(r, sweep_options(r, true), false, &x);
  if (status != GRAZE_OK) {
    sweep_fail(r, graze_status_text(status), NULL);
    return;
  }
  const char *why = check_known(&r->given, &x), *verdict = verify(r, &x);
  if (!why) why = validate_sweep(r->o, &r->motion, r->moments, &x);
  if (!why) why = verdict;
  if (!why) why = check_variants(r, &x);
  if (why) sweep_fail(r, why, &x);
  count(r, &x);
}

/* ---- the table */

static long check_share(const char *name, bool holds, const char *what, double share) {
  if (!holds) printf("FAILED %s: %.3f %% %s\n", name, share, what);
  return !holds;
}

static long print_row(const sweep_runner *r, const sweep_family *p) {
  const sweep_tally *t = &r->count;
  const double n = fmax((double)t->sweeps, 1) / 100, hits = (double)t->result[GRAZE_HIT] / n;
  const double exact = (double)t->exact / n, flat = (double)t->flat / n, proved = (double)t->proved / n;
  const double possible = (double)t->result[GRAZE_POSSIBLE] / n - flat;
  printf("%-28s %7ld %6.1f %7.3f %6.3f %7.2f %8.2f %8.1e %5d %6ld\n", r->name, t->sweeps, hits, possible, flat, exact,
         proved, t->widest, t->most_iterations, t->failed);
  return t->failed + check_share(r->name, hits >= p->hits_low && hits <= p->hits_high, "hit", hits) +
         check_share(r->name, exact <= p->exact_most, "needed exact arithmetic", exact) +
         check_share(r->name, possible <= p->possible_most, "are possible", possible) +
         check_share(r->name, t->widest <= p->widest, "of the motion is the widest bracket", 100 * t->widest) +
         check_share(r->name, proved >= p->proved_least, "are proved by their steps", proved);
}

long sweep_run_families(sweep_runner *r, const sweep_family *list, int families, int sweeps) {
  long failed = 0;
  printf("%-28s %7s %6s %7s %6s %7s %8s %8s %5s %6s\n", "family", "sweeps", "hit%", "poss%", "flat%", "exact%",
         "proved%", "bracket", "iter", "failed");
  for (int f = 0; f < families; f++) {
    if (!family_wanted(list[f].name)) continue;
    rng random = {family_seed(list[f].name)};
    sweep_start(r, list[f].name);
    for (int i = 0; i < sweeps; i++) {
      memset(&r->given, 0, sizeof r->given);
      list[f].make(&random, &r->given);
      sweep_run(r);
    }
    failed += print_row(r, &list[f]);
  }
  return failed;
}
