#include "support/mesh_checks.h"

#include "support/geometry.h"
#include "support/query.h"
#include "support/test.h"

enum { SHOWN = 5, NODES = 1 << 14, PAIRS = 1 << 12 };

/* Counts a failure; returns whether to print it. */
static bool shown(mesh_tally *sum, const char *why) {
  if (sum->failed++ >= SHOWN) return false;
  printf("FAILED %s: %s\n", sum->name, why);
  return true;
}

/* Counts an answer with a frontier. Returns false if such an answer must be proved: all separated ones, and all without
 * a solid. */
static bool count_proof(mesh_tally *sum, const mesh_query *q, graze_relation truth, graze_status status) {
  const bool solid = q->a->set.solid || q->b->set.solid;
  (status == GRAZE_OK ? sum->proved : sum->unproved)[truth]++;
  return status == GRAZE_OK || (truth != GRAZE_SEPARATED && solid);
}

static const char *check_answers(const mesh_oracle *m, const mesh_query *q, graze_relation truth, rng *random,
                                 bool prove, mesh_tally *sum, proved_answer *x) {
  static graze_frontier_node nodes[NODES];
  static graze_part_proof parts[PAIRS];
  graze_frontier frontier = {.nodes = nodes, .node_capacity = NODES};
  graze_options options = graze_default_options();
  options.clearance = q->clearance;
  if (prove) options.frontier = &frontier, options.parts = parts, options.part_capacity = PAIRS;
  const graze_placed a = graze_place(&q->a->shape, q->a->set.pose), b = graze_place(&q->b->shape, q->b->set.pose);
  memset(x, 0, sizeof *x);
  graze_status status = query_intersect(&a, &b, &options, x);
  if (status != GRAZE_OK) return graze_status_text(status);
  const char *why = validate_mesh_intersect(truth, q, x);
  if (why) return why;
  status = verify_answer(&a, &b, &options, x);
  if (status != GRAZE_OK && status != GRAZE_UNPROVEN) return "the verifier refutes graze_intersect()";
  if (prove && !count_proof(sum, q, truth, status)) return "graze_intersect() has no proof";
  memset(x, 0, sizeof *x);
  if (prove) options = proving(&options);
  status = query_distance(&a, &b, &options, x);
  if (status != GRAZE_OK) return graze_status_text(status);
  why = validate_mesh_distance(m, q, truth, random, x);
  if (why) return why;
  status = verify_answer(&a, &b, &options, x);
  if (status != GRAZE_OK && status != GRAZE_UNPROVEN) return "the verifier refutes graze_distance()";
  return prove && !count_proof(sum, q, truth, status) ? "graze_distance() has no proof" : NULL;
}

graze_relation mesh_check(const mesh_oracle *m, const mesh_query *q, rng *random, mesh_tally *sum) {
  const mesh_query exchanged = {q->b, q->a, q->clearance};
  const graze_relation truth = mesh_truth(m, q);
  proved_answer x;
  sum->queries++, sum->relation[truth]++;
  for (int i = 0; i < 2; i++) {
    const mesh_query *used = i ? &exchanged : q;
    const char *why =
        truth == 0 ? "the oracles contradict each other" : check_answers(m, used, truth, random, i == 1, sum, &x);
    if (!why || !shown(sum, why)) continue;
    printf("  truth: %s\n", graze_relation_text(truth));
    print_answer(stdout, &x);
    print_mesh_query(stdout, "distance", used);
  }
  return truth;
}

void mesh_run(const mesh_plan *plan) {
  static mesh_pair pair;
  mesh_oracle m = mesh_oracle_new();
  mesh_tally sum = {.name = plan->name};
  rng random = plan->seed;
  const int count = tiered(plan->count, 2 * plan->count, 40 * plan->count);
  for (int i = 0; i < count; i++) {
    const int kind_a = rng_between(&random, plan->kinds_a[0], plan->kinds_a[1]),
              kind_b = rng_between(&random, plan->kinds_b[0], plan->kinds_b[1]);
    mesh_pair_make(&random, plan->dim, kind_a, kind_b, plan->rounded ? PLACE_TURNED : i % PLACEMENTS, &pair);
    if (plan->rounded) {
      pair.query.clearance = rng_below(&random, 3) / 8.0;
      pair.a.member.shape.margin = rng_below(&random, 3) / 8.0;
    }
    mesh_check(&m, &pair.query, &random, &sum);
    mesh_pair_free(&pair);
  }
  mesh_oracle_free(&m);
  mesh_expect(&sum, plan->separated, plan->touching, plan->overlapping);
}

void mesh_check_point(const mesh_oracle *m, const mesh_query *q, mesh_tally *sum) {
  const graze_relation truth = mesh_truth(m, q);
  const graze_placed a = graze_place(&q->a->shape, q->a->set.pose);
  graze_relation relation;
  sum->queries++, sum->relation[truth]++;
  const graze_status status = graze_contains(&a, q->b->set.pose.position, &relation);
  if (status == GRAZE_OK && relation == truth) return;
  if (!shown(sum, status == GRAZE_OK ? "WRONG RELATION by graze_contains()" : graze_status_text(status))) return;
  printf("  truth: %s, relation: %s\n", graze_relation_text(truth), graze_relation_text(relation));
  print_mesh_query(stdout, "distance", q);
}

/* The verifier rejects results about meshes as a whole. */
static const char *check_cast(const mesh_oracle *m, const mesh_cast *c, const mesh_cast_truth *truth, rng *random,
                              proved_cast *x) {
  const mesh_query *q = &c->query;
  graze_cast_options options = graze_default_cast_options();
  options.clearance = q->clearance;
  const graze_placed a = graze_place(&q->a->shape, q->a->set.pose), b = graze_place(&q->b->shape, q->b->set.pose);
  memset(x, 0, sizeof *x);
  const graze_status status = c->ray ? cast_ray(&a, q->b->set.pose.position, c->velocity_b, c->t_max, &options, x)
                                     : cast_linear(&a, c->velocity_a, &b, c->velocity_b, c->t_max, &options, x);
  return status != GRAZE_OK ? graze_status_text(status) : validate_mesh_cast(m, c, truth, random, x);
}

void mesh_check_cast(const mesh_oracle *m, const mesh_cast *c, rng *random, mesh_tally *sum) {
  const mesh_cast exchanged = {
      {c->query.b, c->query.a, c->query.clearance}, c->velocity_b, c->velocity_a, c->t_max, false};
  const mesh_cast_truth truth = mesh_cast_solve(m, c);
  proved_cast x;
  sum->queries++, sum->relation[truth.starts]++, sum->hits += truth.hit;
  for (int i = 0; i < (c->ray ? 1 : 2); i++) {
    const mesh_cast *used = i ? &exchanged : c;
    const char *why = check_cast(m, used, &truth, random, &x);
    sum->by_closed_form += x.algorithm == GRAZE_ALGORITHM_CLOSED_FORM;
    if (!why || !shown(sum, why)) continue;
    printf("  truth: starts %d, hit %d\n", (int)truth.starts, truth.hit);
    print_cast_result(stdout, &x);
    print_mesh_cast(stdout, used);
  }
}

void mesh_expect(const mesh_tally *sum, int separated, int touching, int overlapping) {
  const int *n = sum->relation;
  print_message("%s: %d queries, %d separated, %d touching, %d overlapping, %d hits, %d failed\n", sum->name,
                sum->queries, n[GRAZE_SEPARATED], n[GRAZE_TOUCHING], n[GRAZE_OVERLAPPING], sum->hits, sum->failed);
  print_message("%s: proved: %d of %d separated, %d of %d touching, %d of %d overlapping\n", sum->name,
                sum->proved[GRAZE_SEPARATED], sum->proved[GRAZE_SEPARATED] + sum->unproved[GRAZE_SEPARATED],
                sum->proved[GRAZE_TOUCHING], sum->proved[GRAZE_TOUCHING] + sum->unproved[GRAZE_TOUCHING],
                sum->proved[GRAZE_OVERLAPPING], sum->proved[GRAZE_OVERLAPPING] + sum->unproved[GRAZE_OVERLAPPING]);
  assert_int_equal(sum->failed, 0);
  /* Without proof: overlaps that only cells of directions show, and contacts of solids without a plane between them. */
  assert_int_equal(sum->unproved[GRAZE_SEPARATED], 0);
  assert_true(10 * sum->unproved[GRAZE_OVERLAPPING] <= sum->proved[GRAZE_OVERLAPPING]);
  assert_true(3 * sum->unproved[GRAZE_TOUCHING] <= sum->proved[GRAZE_TOUCHING]);
  assert_true(100 * n[GRAZE_SEPARATED] >= separated * sum->queries);
  assert_true(100 * n[GRAZE_TOUCHING] >= touching * sum->queries);
  assert_true(100 * n[GRAZE_OVERLAPPING] >= overlapping * sum->queries);
}
