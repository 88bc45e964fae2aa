/* Casts of compounds against the casts of every pair of their parts: the earliest contact, or the least distance. Casts
 * of decomposed polygons along internal edges and into dents. Seeds are stated at each test. */

#include "support/test.h"
#include "support/compounds.h"
#include "support/framed.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/shapes.h"

static const graze_vec still = {0, 0, 0};

/* A cast of B alone that must succeed and must not be refuted. */
static proved_cast cast(const graze_placed *a, const graze_placed *b, graze_vec velocity, double t_max) {
  proved_cast result;
  assert_int_equal(cast_linear(a, still, b, velocity, t_max, NULL, &result), GRAZE_OK);
  assert_int_not_equal(verify_linear(a, still, b, velocity, t_max, NULL, &result), GRAZE_REFUTED);
  return result;
}

/* ---- every pair of parts */

typedef struct moving_pair {
  graze_placed a, b;
  graze_vec va, vb;
  graze_cast_options options;
} moving_pair;

static proved_cast cast_parts(const moving_pair *m, size_t i, size_t k) {
  proved_cast result;
  const graze_placed p = graze_part(&m->a, i, &(graze_frame){{0}}), q = graze_part(&m->b, k, &(graze_frame){{0}});
  assert_int_equal(cast_linear(&p, m->va, &q, m->vb, 1, &m->options, &result), GRAZE_OK);
  return result;
}

/* Returns whether there is a contact. */
static bool check(const moving_pair *m) {
  proved_cast x;
  double lower = INFINITY, upper = INFINITY, near_lower = INFINITY, near_upper = INFINITY;
  for (size_t i = 0; i < graze_part_count(&m->a); i++)
    for (size_t k = 0; k < graze_part_count(&m->b); k++) {
      const proved_cast pair = cast_parts(m, i, k);
      if (pair.outcome != GRAZE_CLEAR) lower = fmin(lower, pair.t_lower);
      if (pair.outcome == GRAZE_HIT) upper = fmin(upper, pair.t_upper);
      near_lower = fmin(near_lower, pair.outcome == GRAZE_CLEAR ? pair.min_lower : 0);
      near_upper = fmin(near_upper, pair.outcome == GRAZE_CLEAR ? pair.min_upper : 0);
    }
  assert_int_equal(cast_linear(&m->a, m->va, &m->b, m->vb, 1, &m->options, &x), GRAZE_OK);
  if (lower == INFINITY) {
    assert_int_equal(x.outcome, GRAZE_CLEAR);
    assert_true(x.min_lower <= near_upper && near_lower <= x.min_upper);
    return false;
  }
  const proved_cast pair = cast_parts(m, (size_t)x.part_a, (size_t)x.part_b);
  assert_true(x.outcome == GRAZE_HIT && x.t_lower <= upper && lower <= x.t_upper);
  assert_true(pair.outcome == GRAZE_HIT && pair.t_lower <= x.t_upper && x.t_lower <= pair.t_upper);
  return true;
}

/* A ball in one case of four. */
static graze_placed any_body(rng *dice, int dim, compound_fixture *made, double spread) {
  made->compound = NULL;
  graze_shape shape = ball_of(dim, 0.5);
  if (rng_below(dice, 4) > 0) {
    random_compound(dice, dim, 1 + rng_below(dice, 8), true, made);
    shape = graze_compound_shape(made->compound);
  }
  return place(&shape, random_grid_pose(dice, dim, spread));
}

TEST(pairs_of_parts) { /* seed 21 */
  static compound_fixture first, second;
  rng dice = 21;
  const int casts = tiered(300, 600, 20000);
  int hits = 0;
  for (int i = 0; i < casts; i++) {
    const int dim = i % 3 == 0 ? 2 : 3;
    moving_pair m = {.a = any_body(&dice, dim, &first, 1), .b = any_body(&dice, dim, &second, 9)};
    m.va = rng_vec(&dice, dim, 2), m.vb = rng_vec(&dice, dim, 9);
    m.options = graze_default_cast_options();
    if (rng_coin(&dice)) m.options.clearance = 0.125;
    hits += check(&m);
    graze_compound_destroy(first.compound), graze_compound_destroy(second.compound);
  }
  assert_in_range(hits, casts / 10, casts * 9 / 10);
}

/* ---- decomposed polygons */

/* A ball in the dent of a U reaches the bottom; a point on an internal edge is inside; a ray misses. */
TEST(into_a_dent) {
  static const graze_vec outline[8] = {{0, 0, 0}, {6, 0, 0}, {6, 6, 0}, {4, 6, 0},
                                       {4, 2, 0}, {2, 2, 0}, {2, 6, 0}, {0, 6, 0}};
  graze_compound *compound = compound_of_outline(outline, 8);
  const graze_placed a = placed_at(graze_compound_shape(compound), 0, 0, 0);
  const graze_placed ball = placed_at(graze_circle(0.5), 3, 10, 0), inside = placed_at(graze_point2(), 1, 1, 0);
  proved_cast result = cast(&a, &ball, vec(0, -8, 0), 1);
  assert_int_equal(result.outcome, GRAZE_HIT);
  assert_true(result.t_lower <= 0.9375 && 0.9375 <= result.t_upper && result.t_upper - result.t_lower < 1e-9);
  result = cast(&a, &inside, vec(0, -8, 0), 1);
  assert_true(result.outcome == GRAZE_HIT && result.start_relation == GRAZE_OVERLAPPING && result.t_upper == 0);
  assert_int_equal(cast_ray(&a, vec(3, 10, 0), vec(0, 1, 0), INFINITY, NULL, &result), GRAZE_OK);
  assert_int_equal(result.outcome, GRAZE_CLEAR);
  graze_compound_destroy(compound);
}

/* Fixed: a point at the end of an internal edge slides into it, and only touches the two pieces: it was clear. */
TEST(slides_into_an_internal_edge) {
  static const graze_vec outline[4] = {{0, 0, 0}, {4, -2, 0}, {2, 0, 0}, {4, 2, 0}};
  graze_compound *compound = compound_of_outline(outline, 4);
  const graze_placed a = placed_at(graze_compound_shape(compound), 0, 0, 0);
  const graze_placed point = placed_at(graze_point2(), 0, 0, 0), ball = placed_at(graze_circle(1), -1, 0, 0);
  proved_cast result = cast(&a, &point, vec(1, 0, 0), 1);
  assert_true(result.start_relation == GRAZE_TOUCHING && result.t_lower == 0);
  assert_true(result.outcome == GRAZE_POSSIBLE || (result.outcome == GRAZE_HIT && result.t_upper == 0));
  result = cast(&a, &ball, vec(1, 0, 0), 1);
  assert_true(result.outcome == GRAZE_HIT && result.start_relation == GRAZE_TOUCHING && result.t_upper == 0);
  assert_int_equal(cast(&a, &ball, vec(-1, 0, 0), 1).outcome, GRAZE_CLEAR);
  graze_compound_destroy(compound);
}

/* Fixed: a polygon with an interior slides along the side of an L, past an internal edge: it was possible, which only a
 * flat one is. */
TEST(slides_past_an_internal_edge) {
  static const graze_vec outline[6] = {{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {2, 2, 0}, {2, 4, 0}, {0, 4, 0}};
  static const graze_vec corners[3] = {{-1, 0, 0}, {0, 0, 0}, {0, 1, 0}}, flat[3] = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}};
  graze_compound *compound = compound_of_outline(outline, 6);
  const graze_placed a = placed_at(graze_compound_shape(compound), 0, 0, 0);
  const graze_placed triangle = placed_at(graze_polygon(corners, 3), 0, 0, 0);
  const graze_placed line = placed_at(graze_polygon(flat, 3), 0, 0, 0);
  graze_compound *made = compound_of(&triangle, 1);
  const graze_placed solid[3] = {triangle, placed_at(graze_compound_shape(made), 0, 0, 0),
                                 placed_at(graze_with_margin(line.shape, 0.5), -0.5, 0, 0)};
  for (int i = 0; i < 3; i++) {
    const proved_cast result = cast(&a, &solid[i], vec(0, 1, 0), 1);
    assert_true(result.start_relation == GRAZE_TOUCHING && result.outcome == GRAZE_CLEAR);
  }
  assert_int_equal(cast(&a, &line, vec(0, 1, 0), 1).outcome, GRAZE_POSSIBLE);
  graze_compound_destroy(made);
  graze_compound_destroy(compound);
}

/* ---- fixed defects */

/* Fixed: B passes the first part so near that a contact is possible, and then hits the second. The time of that hit
 * bounds t_upper; it was ignored. */
TEST(possible_and_then_hit) {
  const graze_shape egg = graze_ellipsoid(1, 0.7, 1.3);
  const graze_placed parts[2] = {place(&egg, graze_pose3(vec(0, 0, 0), 4, 1, 2, 3)),
                                 placed_at(graze_box(0.5, 9, 9), 8, 0, 0)};
  double meets = 0, passes = 4;
  int possible = 0, late = 0;
  graze_compound *compound = compound_of(parts, 2);
  const graze_placed a = placed_at(graze_compound_shape(compound), 0, 0, 0);
  for (int i = 0; i < 64; i++) {
    const double middle = meets + (passes - meets) / 2;
    const graze_placed b = place(&egg, graze_pose3(vec(-6, middle, 0.25), 3, -1, 1, 2));
    const proved_cast first = cast(&parts[0], &b, vec(1, 0, 0), 100);
    *(first.outcome == GRAZE_CLEAR ? &passes : &meets) = middle;
    if (first.outcome != GRAZE_POSSIBLE) continue;
    possible++;
    late += first.t_upper > 14;
    const proved_cast both = cast(&a, &b, vec(1, 0, 0), 100);
    assert_int_equal(both.outcome, GRAZE_POSSIBLE);
    assert_true(fabs(both.t_lower - first.t_lower) < 1e-3 && both.t_upper < 14);
  }
  assert_true(possible > 0 && late > 0);
  graze_compound_destroy(compound);
}

/* Bounds exclude those of eight boxes in a row that the path does not meet. Convex shapes have no pairs of parts. */
TEST(pairs_tested) {
  graze_placed boxes[8];
  for (int i = 0; i < 8; i++) boxes[i] = placed_at(graze_box(0.5, 0.5, 0.5), 4 * i, 0, 0);
  graze_compound *compound = compound_of(boxes, 8);
  const graze_placed a = placed_at(graze_compound_shape(compound), 0, 0, 0);
  const graze_placed above = placed_at(graze_sphere(0.25), 8, 0, 5), inside = placed_at(graze_sphere(0.25), 8, 0, 0);
  const graze_motion turning = {.velocity = {0, 0, -1}, .angular = {1, 0, 0}};
  graze_cast_result turned;
  graze_answer start;
  assert_int_equal(cast(&a, &above, vec(0, 0, -1), 9).pairs_tested, 1);
  assert_int_equal(cast(&boxes[2], &above, vec(0, 0, -1), 9).pairs_tested, 0);
  assert_int_equal(graze_cast(&a, NULL, &above, &turning, 9, NULL, &turned), GRAZE_OK);
  assert_int_equal(turned.outcome, GRAZE_HIT);
  assert_in_range(turned.pairs_tested, 1, 8);
  assert_int_equal(graze_distance(&a, &inside, NULL, &start), GRAZE_OK);
  assert_int_equal(cast(&a, &inside, vec(0, 0, -1), 9).pairs_tested, start.pairs_tested);
  assert_true(start.pairs_tested > 0);
  graze_compound_destroy(compound);
}

/* A compound of one box is cast like the box, however slowly. */
TEST(one_part) {
  const graze_placed part = placed_at(graze_box(0.5, 0.5, 0.5), 0, 0, 0);
  graze_compound *compound = compound_of(&part, 1);
  const graze_placed a = placed_at(graze_halfspace(vec(0, 1, 0), 0), 0, 0, 0);
  const graze_placed b = placed_at(graze_compound_shape(compound), 0, 2, 0);
  const proved_cast result = cast(&a, &b, vec(1, -1e-300, 0), 1e305);
  assert_int_equal(result.outcome, GRAZE_HIT);
  assert_true(result.t_lower <= 1.5e300 && 1.5e300 <= result.t_upper);
  graze_compound_destroy(compound);
}

/* Fixed: while a compound rotates, the search for pairs placed a moving part of another compound at a wrong position
 * after the first interval of time, so a contact was missed. */
TEST(a_part_against_a_rotating_compound) {
  const graze_shape box = graze_box(0.1, 0.1, 0.1); /* four around the ball, which B passes below */
  const graze_placed parts[5] = {placed_at(graze_sphere(1), 0, 0, 0), placed_at(box, 12, 0, 3),
                                 placed_at(box, 0, 12, 3), placed_at(box, -12, 0, 3), placed_at(box, 0, -12, 3)};
  const graze_placed ball = placed_at(graze_sphere(0.5), 1, 0, 0);
  graze_compound *compound = compound_of(parts, 5);
  const graze_motion turns = {.angular = {0, 0, 1}}, comes = {.velocity = {-5, 0, 0}};
  const graze_placed a = placed_at(graze_compound_shape(compound), 0, 0, 0);
  graze_frame frame;
  const graze_placed b = part_in(&ball, graze_pose_at(20, 0, 0), &frame),
                     alone = placed_at(graze_sphere(0.5), 21, 0, 0);
  graze_cast_result result, same;
  assert_int_equal(graze_cast(&a, &turns, &b, &comes, 4, NULL, &result), GRAZE_OK);
  assert_int_equal(graze_cast(&a, &turns, &alone, &comes, 4, NULL, &same), GRAZE_OK);
  assert_int_equal(result.outcome, GRAZE_HIT);
  assert_true(fabs(result.t - 3.9) < 1e-9 && fabs(same.t - 3.9) < 1e-9);
  graze_compound_destroy(compound);
}
