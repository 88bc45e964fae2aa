/* Outlines with holes, split by graze_decompose(), as one shape: points by exact winding numbers, on seams and off
 * them; bodies and other outlines against every pair of pieces. Seeds are stated at each test. GRAZE_TIER: test (the
 * default), ci (4 times as many), soak (20 times). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compound/bodies.h"

enum { MOST = 80, HOLES = 3 };

typedef struct outline {
  graze_vec vertices[1 + HOLES][MOST];
  graze_ring rings[1 + HOLES];
  int count; /* of rings */
  graze_decomposition pieces;
  graze_compound *compound;
} outline;

static bodies_random dice;
static outline first, second;

static int rounds(int count) {
  const char *tier = getenv("GRAZE_TIER");
  if (tier != NULL && strcmp(tier, "soak") == 0) return 20 * count;
  return tier != NULL && strcmp(tier, "ci") == 0 ? 4 * count : count;
}

/* A ring of `count` vertices around a point, with radii between two bounds; multiples of 1/step. */
static void ring(outline *o, int count, double x, double y, double low, double high, double step) {
  for (int i = 0; i < count; i++) {
    double angle = 6.283185307179586 * i / count, radius = bodies_between(&dice, low, high);
    graze_vec at = {round(step * (x + radius * cos(angle))) / step, round(step * (y + radius * sin(angle))) / step, 0};
    o->vertices[o->count][i] = at;
  }
  o->rings[o->count].vertices = o->vertices[o->count];
  o->rings[o->count++].count = (size_t)count;
}

static bool is_simple(const graze_ring *r) {
  graze_outline judged;
  assert_int_equal(graze_judge_outline(r->vertices, r->count, NULL, &judged, NULL), GRAZE_OK);
  bool simple = judged.simple;
  graze_outline_destroy(&judged);
  return simple;
}

/* False: rounding made the rings touch or cross. On the coarse lattice many vertices lie on a line. */
static bool make(outline *o) {
  bool coarse = bodies_below(&dice, 2) == 0;
  int holes = coarse ? 0 : bodies_below(&dice, HOLES + 1);
  double step = coarse ? 1 : 64;
  graze_splitting splitting = holes > 0 || bodies_below(&dice, 2) ? GRAZE_SPLIT_FEW : GRAZE_SPLIT_FEWEST;
  o->count = 0;
  ring(o, 5 + bodies_below(&dice, MOST - 5), 0, 0, 3, 8, step);
  for (int i = 0; i < holes; i++)
    ring(o, 3 + bodies_below(&dice, 8), 1.5 * cos(2 * i), 1.5 * sin(2 * i), 0.3, 0.9, step);
  if (!is_simple(&o->rings[0])) return false;
  graze_status status =
      graze_decompose(o->rings[0], o->rings + 1, (size_t)holes, splitting, NULL, &o->pieces, NULL, NULL);
  if (status != GRAZE_OK) return false;
  assert_int_equal(graze_decomposition_compound(&o->pieces, NULL, &o->compound), GRAZE_OK);
  return true;
}

static void drop(outline *o) {
  graze_compound_destroy(o->compound);
  graze_decomposition_destroy(&o->pieces);
}

static graze_placed placed(const outline *o, double spread) {
  graze_shape shape = graze_compound_shape(o->compound);
  return graze_place(&shape, spread > 0 ? bodies_pose(&dice, 2, spread) : graze_pose_at(0, 0, 0));
}

/* Somewhere on a seam, on an eighth of it, its ends included; or on the lattice; or a vertex. */
static graze_vec anywhere(const outline *o) {
  graze_vec at = {(bodies_below(&dice, 1024) - 512) / 64.0, (bodies_below(&dice, 1024) - 512) / 64.0, 0};
  if (o->pieces.seam_count > 0 && bodies_below(&dice, 3) == 0) {
    const graze_seam *seam = &o->pieces.seams[bodies_below(&dice, (int)o->pieces.seam_count)];
    int t = bodies_below(&dice, 9);
    at.x = seam->from.x + (seam->to.x - seam->from.x) * t / 8,
    at.y = seam->from.y + (seam->to.y - seam->from.y) * t / 8;
  }
  const graze_ring *r = &o->rings[bodies_below(&dice, o->count)];
  return bodies_below(&dice, 8) == 0 ? r->vertices[bodies_below(&dice, (int)r->count)] : at;
}

/* A point inside a seam touches all pieces that it touches at all. */
static bool in_seam(const graze_placed *whole, graze_vec at) {
  for (size_t i = 0; i < graze_part_count(whole); i++) {
    graze_relation relation;
    graze_placed part = graze_part(whole, i);
    assert_int_equal(graze_contains(&part, at, &relation), GRAZE_OK);
    if (relation == GRAZE_OVERLAPPING) return false;
  }
  return true;
}

static void test_points(void **unused) { /* seed 91 */
  (void)unused;
  long count[5] = {0}, seams = 0, made = 0;
  dice.state = 91;
  for (int i = 0; i < rounds(60); i++) {
    if (!make(&first)) continue;
    graze_placed whole = placed(&first, 0);
    made++;
    for (int k = 0; k < 200; k++) {
      graze_relation relation;
      graze_vec at = anywhere(&first);
      assert_int_equal(graze_contains(&whole, at, &relation), GRAZE_OK);
      assert_int_equal(relation, bodies_where(first.rings, first.count, at));
      count[relation]++;
      seams += relation == GRAZE_OVERLAPPING && in_seam(&whole, at);
    }
    drop(&first);
  }
  print_message("%ld outlines: %ld points inside, %ld of them on seams, %ld on the outline, %ld outside\n", made,
                count[GRAZE_OVERLAPPING], seams, count[GRAZE_TOUCHING], count[GRAZE_SEPARATED]);
  assert_in_range(made, rounds(60) / 3, rounds(60));
  assert_in_range(count[GRAZE_OVERLAPPING] / made, 60, 150);
  assert_in_range(count[GRAZE_TOUCHING] / made, 10, 60);
  assert_in_range(seams / made, 20, 80);
}

static long asked, pairs, tested, relations[5];

static void check(const graze_placed *a, const graze_placed *b) {
  graze_answer answer;
  bodies_truth truth = bodies_ask_all(a, b, 0);
  assert_int_equal(graze_distance(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, truth.relation);
  assert_true(answer.lower <= truth.upper && truth.lower <= answer.upper);
  assert_true(answer.lower <= answer.distance && answer.distance <= answer.upper);
  asked++, pairs += (long)truth.pairs, tested += (long)answer.pairs_tested;
  relations[answer.relation]++;
  assert_int_equal(graze_intersect(b, a, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, truth.relation);
}

static void test_bodies(void **unused) { /* seed 92 */
  (void)unused;
  dice.state = 92;
  for (int i = 0; i < rounds(100); i++) {
    graze_vec room[8];
    if (!make(&first)) continue;
    if (make(&second)) {
      graze_shape shape = bodies_convex(&dice, 2, false, room);
      graze_placed a = placed(&first, 12), b = placed(&second, 12), c = graze_place(&shape, bodies_pose(&dice, 2, 12));
      check(&a, &b);
      check(&a, &c);
      check(&c, &b);
      drop(&second);
    }
    drop(&first);
  }
  print_message("%ld asked: %ld apart, %ld overlapping; %ld of %ld pairs tested\n", asked, relations[GRAZE_SEPARATED],
                relations[GRAZE_OVERLAPPING], tested, pairs);
  assert_in_range(100 * relations[GRAZE_SEPARATED] / asked, 20, 80);
  assert_in_range(100 * tested / pairs, 0, 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
