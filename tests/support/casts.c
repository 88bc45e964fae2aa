#include "support/casts.h"

#include <limits.h>

#include "support/test.h"

/* Rounded bodies that graze: the bracket is the root of the rounding. */
#define CAST_WIDEST 1e-6

graze_vec cast_plus(graze_vec p, graze_vec d, double f) {
  return (graze_vec){p.x + f * d.x, p.y + f * d.y, p.z + f * d.z};
}

void cast_fail(cast_runner *r, const char *why, const proved_cast *result) {
  const cast_case *c = &r->given;
  const graze_motion a = {c->velocity_a, {0, 0, 0}}, b = {c->velocity_b, {0, 0, 0}};
  r->count.failed++;
  if (family_shown_enough(&r->count.shown, why)) return;
  printf("FAILED %s: %s\n", r->name, why);
  if (result) print_cast_result(stdout, result);
  print_motion_line(stdout, r->name, c->ray ? "raycast" : "shapecast", &c->pair, c->clearance, &a, &b, c->t_max);
}

/* ---- queries */

static graze_cast_options options_of(const cast_case *c) {
  graze_cast_options options = graze_default_cast_options();
  options.clearance = c->clearance, options.method = c->method;
  return options;
}

static graze_status query(const cast_runner *r, proved_cast *result) {
  const cast_case *c = &r->given;
  const graze_cast_options options = options_of(c);
  memset(result, 0, sizeof *result);
  if (c->ray) return cast_ray(&r->a, c->pair.pose_b.position, c->velocity_b, c->t_max, &options, result);
  return cast_linear(&r->a, c->velocity_a, &r->b, c->velocity_b, c->t_max, &options, result);
}

graze_status cast_query(cast_runner *r, proved_cast *result) {
  r->a = graze_place(&r->given.pair.a, r->given.pair.pose_a);
  r->b = graze_place(&r->given.pair.b, r->given.pair.pose_b);
  return query(r, result);
}

graze_status cast_verify(const cast_runner *r, const proved_cast *result) {
  const cast_case *c = &r->given;
  const graze_cast_options options = options_of(c);
  return verify_linear(&r->a, c->velocity_a, &r->b, c->velocity_b, c->t_max, &options, result);
}

/* The difference of two answers about one motion, or NULL. */
static const char *agree(const proved_cast *x, const proved_cast *y) {
  if (x->outcome != y->outcome) return "another result";
  if (x->start_relation != y->start_relation) return "another start";
  if (x->outcome == GRAZE_CLEAR)
    return x->min_lower > y->min_upper || y->min_lower > x->min_upper ? "another least distance" : NULL;
  return x->t_lower <= y->t_upper && y->t_lower <= x->t_upper ? NULL : "another time";
}

static const char *query_exchanged(const cast_runner *r, const proved_cast *result) {
  const cast_case *c = &r->given;
  proved_cast other;
  graze_cast_options options = options_of(c);
  if (c->ray) return NULL;
  graze_status status = cast_linear(&r->b, c->velocity_b, &r->a, c->velocity_a, c->t_max, &options, &other);
  if (status != GRAZE_OK) return graze_status_text(status);
  status = verify_linear(&r->b, c->velocity_b, &r->a, c->velocity_a, c->t_max, &options, &other);
  if (status != GRAZE_OK) return "exchanged, the verifier does not accept it";
  return agree(result, &other) ? "A and B exchanged, it is another answer" : NULL;
}

static bool too_large(graze_vec v) {
  return fabs(v.x) > GRAZE_LARGEST || fabs(v.y) > GRAZE_LARGEST || fabs(v.z) > GRAZE_LARGEST;
}

static bool place(cast_runner *r) {
  cast_case *c = &r->given;
  const shape_pair *p = &c->pair;
  r->count.casts++;
  r->motion = (linear_query){&p->a,         &p->b,    p->pose_a,    p->pose_b, c->velocity_a,
                             c->velocity_b, c->t_max, c->clearance, c->rough,  c->ray};
  const bool large = too_large(p->pose_a.position) || too_large(p->pose_b.position) || too_large(c->velocity_a) ||
                     too_large(c->velocity_b);
  r->count.skipped += large;
  if (large) return false;
  r->a = graze_place(&p->a, p->pose_a);
  r->b = graze_place(&p->b, p->pose_b);
  return true;
}

static void count(cast_runner *r, const cast_truth *truth, const proved_cast *result) {
  cast_tally *t = &r->count;
  t->starts[truth->starts]++;
  t->hits += truth->hit;
  t->exact += result->exact;
  t->worst_time = fmax(t->worst_time, truth->time_width);
  if (result->iterations > t->worst_iterations) t->worst_iterations = result->iterations;
}

bool cast_run(cast_runner *r, proved_cast *result) {
  cast_truth truth;
  if (!place(r)) return true;
  if (!cast_truth_solve(r->o, &r->motion, &truth)) {
    cast_fail(r, "the oracle does not know these shapes", NULL);
    return false;
  }
  graze_status status = query(r, result);
  const char *why = status != GRAZE_OK ? graze_status_text(status) : NULL;
  if (!why) why = validate_cast(r->o, r->other, &r->motion, &truth, result);
  if (!why && (status = cast_verify(r, result)) != GRAZE_OK) why = graze_status_text(status);
  if (!why) why = query_exchanged(r, result);
  if (!why && truth.time_width > CAST_WIDEST) why = "the bracket is wide";
  if (why) cast_fail(r, why, result);
  count(r, &truth, result);
  return !why;
}

long cast_run_plan(const cast_plan *plan) {
  cast_runner *r = calloc(1, sizeof *r);
  long failed = 0;
  if (!r) abort();
  r->o = oracle_new(), r->other = oracle_new();
  for (int f = 0; f < plan->count; f++) {
    const cast_family *from = plan->list ? &plan->list[f] : NULL;
    const char *name = from ? from->name : plan->bases[f].name;
    if (!family_wanted(name)) continue;
    rng random = family_seed(name) + plan->seed;
    memset(&r->count, 0, sizeof r->count);
    r->name = name;
    for (int i = 0; i < plan->casts; i++) {
      proved_cast result;
      memset(&r->given, 0, sizeof r->given);
      if (plan->bases) plan->bases[f].make(&random, &r->given.pair);
      if (from && from->make) from->make(&random, &r->given);
      if (plan->move) plan->move(&random, &r->given);
      if (plan->check)
        plan->check(r, &random);
      else
        (void)cast_run(r, &result);
    }
    const cast_tally *t = &r->count;
    const bool any = plan->any_share || !from;
    const family_row row = {name,      t->casts - t->skipped, t->starts[GRAZE_TOUCHING], t->hits, t->exact,
                            t->failed, t->worst_time,         t->worst_iterations};
    failed +=
        family_report(row, any ? 0 : from->hits_low, any ? INT_MAX : from->hits_high, any ? INT_MAX : from->exact_most);
  }
  oracle_free(r->o), oracle_free(r->other);
  free(r);
  return failed;
}
