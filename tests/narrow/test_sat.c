/* Separating axes and projections; every normal that vertex differences can make. Depths by axes: test_families.c. */
#include "support/families.h"
#include "support/query.h"
#include "support/shapes.h"

typedef struct counter {
  int faces_a, faces_b, edges, stop_after;
  double greatest;
  const graze_placed *a, *b;
} counter;

static int tested(const counter *c) { return c->faces_a + c->faces_b + c->edges; }

static void assert_same_interval(const graze_placed *placed, graze_vec direction, graze_interval reported,
                                 double slack) {
  graze_interval true_one;
  assert_int_equal(graze_project(placed, direction, &true_one), GRAZE_OK);
  assert_true(fabs(true_one.min - reported.min) < slack && fabs(true_one.max - reported.max) < slack);
}

/* Every reported axis agrees with graze_project(). */
static bool count_axis(void *context, const graze_axis *axis) {
  counter *c = context;
  const double slack = 1e-13 * (c->a->hidden.bounding_radius + c->b->hidden.bounding_radius + c->a->hidden.radius +
                                c->b->hidden.radius + 10);
  assert_same_interval(c->a, axis->direction, axis->a, slack);
  assert_same_interval(c->b, axis->direction, axis->b, slack);
  assert_true(fabs(axis->b.min - axis->a.max - axis->separation) < slack);
  assert_true(axis->a.min - axis->b.max <= axis->separation + slack);
  c->greatest = tested(c) == 0 ? axis->separation : fmax(c->greatest, axis->separation);
  assert_int_equal(axis->feature_a < 0, axis->kind == GRAZE_AXIS_FACE_B);
  assert_int_equal(axis->feature_b < 0, axis->kind == GRAZE_AXIS_FACE_A);
  c->faces_a += axis->kind == GRAZE_AXIS_FACE_A;
  c->faces_b += axis->kind == GRAZE_AXIS_FACE_B;
  c->edges += axis->kind == GRAZE_AXIS_EDGES;
  return tested(c) != c->stop_after;
}

static counter count_axes(const graze_placed *a, const graze_placed *b, int stop_after, graze_axis *best) {
  counter c = {.stop_after = stop_after, .a = a, .b = b};
  assert_int_equal(graze_compare_axes(a, b, NULL, count_axis, &c, best), GRAZE_OK);
  if (stop_after == 0) assert_true(fabs(best->separation - c.greatest) < 1e-13);
  return c;
}

static proved_answer by_sat(const graze_placed *a, const graze_placed *b) {
  const graze_options options = by_method(METHOD_SAT);
  return intersect(a, b, &options);
}

TEST(textbook_polygons) {
  const graze_vec first[] = {{0, 0, 0}, {0, 3, 0}, {3, 3, 0}, {3, 0, 0}};
  const graze_vec second[] = {{0, 0, 0}, {0, 5, 0}, {5, 4, 0}, {3, 0, 0}};
  const graze_vec square[] = {{4, 4, 0}, {4, 6, 0}, {6, 6, 0}, {6, 4, 0}};
  const graze_placed a = posed(graze_polygon(first, 4), identity), b = posed(graze_polygon(square, 4), identity);
  const graze_placed c = posed(graze_polygon(second, 4), identity);
  graze_axis best;
  const proved_answer x = by_sat(&a, &b);
  assert_true(x.relation == GRAZE_SEPARATED && x.algorithm == GRAZE_ALGORITHM_SAT);
  const counter all = count_axes(&a, &b, 0, &best);
  assert_true(all.faces_a == 4 && all.faces_b == 4);
  assert_true(best.separation == 1 && best.kind == GRAZE_AXIS_FACE_A); /* the distance is √2 */
  assert_int_equal(by_sat(&c, &b).relation, GRAZE_OVERLAPPING);
  const counter again = count_axes(&c, &b, 0, &best);
  assert_int_equal(tested(&again), 8);
  assert_int_equal(best.feature_a, 1); /* from (4, 4) to the side from (0, 5) to (5, 4) */
  assert_true(fabs(best.separation - (24 - 25) / sqrt(26)) < 1e-15);
}

TEST(boxes_have_4_and_15_axes) {
  const graze_placed a = posed(graze_box(1, 2, 3), identity), p = posed(graze_box2(1, 2), identity);
  const graze_placed q = posed(graze_box2(1, 2), graze_pose2(1, 1, 0.5));
  const graze_placed b = posed(graze_box(2, 1, 1), graze_pose3(vec(0.5, 0.5, 0.25), 1, 0.2, 0.3, 0.5));
  graze_axis best;
  counter c = count_axes(&a, &b, 0, &best);
  assert_true(c.faces_a == 3 && c.faces_b == 3 && c.edges == 9);
  c = count_axes(&p, &q, 0, &best);
  assert_true(c.faces_a == 2 && c.faces_b == 2 && c.edges == 0);
  c = count_axes(&a, &b, 7, &best); /* the visitor ends the search */
  assert_int_equal(tested(&c), 7);
}

/* The first axis that separates is the last one tested. */
TEST(early_out) {
  const graze_shape cube = graze_box(1, 1, 1), bar = graze_box(4, 0.5, 0.5);
  const graze_placed a = place(&cube, identity);
  for (int axis = 0; axis < 3; axis++) {
    const graze_vec away = vec(axis == 0 ? 4 : 0, axis == 1 ? 4 : 0, axis == 2 ? 4 : 0);
    const graze_placed b = place(&cube, graze_pose3(away, 1, 0.1, 0.1, 0));
    const proved_answer x = by_sat(&a, &b);
    assert_true(x.relation == GRAZE_SEPARATED && x.iterations == axis + 1);
  }
  /* Crossed bars, each turned by 45° about its length: only a product of their edges separates them. */
  const double s = 0.38268343236508977, c = 0.92387953251128674, r = 0.70710678118654757;
  const graze_placed p = place(&bar, graze_pose3(vec(0, 0, 0), c, s, 0, 0));
  const graze_placed q = place(&bar, graze_pose3(vec(0, 0, 1.42), c * r, s * r, s * r, c * r));
  const proved_answer x = by_sat(&p, &q);
  assert_true(x.relation == GRAZE_SEPARATED && x.algorithm == GRAZE_ALGORITHM_SAT);
  assert_in_range(x.iterations, 7, 15);
}

TEST(unsupported_and_mismatched_shapes) {
  const graze_shape shape[] = {graze_halfspace(vec(0, 0, 1), 0), graze_cone(1, 1), graze_box2(1, 1), graze_sphere(1)};
  const graze_status expected[] = {GRAZE_UNSUPPORTED, GRAZE_UNSUPPORTED, GRAZE_DIM_MISMATCH, GRAZE_OK};
  const graze_placed a = posed(graze_box(1, 1, 1), identity), p = posed(graze_point(), identity);
  const graze_placed ball = placed_at(graze_sphere(1), 3, 0, 0);
  graze_axis best;
  for (int i = 0; i < 4; i++) {
    const graze_placed b = place(&shape[i], graze_pose_at(3, 0, 0));
    assert_int_equal(graze_compare_axes(&a, &b, NULL, NULL, NULL, &best), expected[i]);
  }
  assert_true(best.separation == 1 && best.direction.x == 1); /* to the sphere */
  assert_int_equal(graze_compare_axes(&p, &ball, NULL, NULL, NULL, &best), GRAZE_UNSUPPORTED);
  graze_options options = graze_default_options();
  uint64_t small[4];
  options.workspace = small, options.workspace_size = sizeof small;
  assert_int_equal(graze_compare_axes(&a, &a, &options, NULL, NULL, &best), GRAZE_NO_SPACE);
}

TEST(projections) {
  const graze_placed a = placed_at(graze_with_margin(graze_cylinder(2, 3), 0.5), 1, 2, 3);
  const graze_placed ground = posed(graze_halfspace(vec(0, 0, 1), 0), identity);
  graze_interval span;
  assert_int_equal(graze_project(&a, vec(0, 0, 2), &span), GRAZE_OK);
  assert_true(span.min == -1 && span.max == 13);
  assert_int_equal(graze_project(&a, vec(-3e39, 0, 0), &span), GRAZE_OK);
  assert_true(fabs(span.min / -3e39 - 3.5) < 1e-14 && fabs(span.max / -3e39 + 1.5) < 1e-14);
  assert_int_equal(graze_project(&a, vec(0, 0, 0), &span), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_project(&a, vec(NAN, 0, 0), &span), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_project(&ground, vec(0, 0, 1), &span), GRAZE_UNSUPPORTED);
}

/* ---- against every normal that two differences of vertices, of one hull or of both, can make */

/* The separation along n or -n, whichever is greater; -infinity for n = 0. */
static double separation_on_axis(const graze_placed *a, const graze_placed *b, graze_vec n) {
  graze_interval on_a, on_b;
  if (!(norm(n) > 1e-9)) return -INFINITY;
  assert_int_equal(graze_project(a, n, &on_a), GRAZE_OK);
  assert_int_equal(graze_project(b, n, &on_b), GRAZE_OK);
  return fmax(on_b.min - on_a.max, on_a.min - on_b.max) / norm(n);
}

static int differences(const graze_placed *placed, graze_vec *out) {
  int count = 0;
  const double *r = placed->hidden.rotation;
  for (size_t i = 0; i < points_of(&placed->shape); i++)
    for (size_t j = 0; j < i; j++) {
      const graze_vec e = sub(placed->shape.as.hull.vertices[i], placed->shape.as.hull.vertices[j]);
      out[count++] = vec(dot(vec(r[0], r[1], r[2]), e), dot(vec(r[3], r[4], r[5]), e), dot(vec(r[6], r[7], r[8]), e));
    }
  return count;
}

/* Seed 0xa4093822299f31d0. */
TEST(greatest_separation_of_all_normals) {
  rng random = 0xa4093822299f31d0u;
  int separated = 0, meet = 0;
  for (int i = 0; i < 200; i++) {
    graze_vec vertices_a[PAIR_VERTICES], vertices_b[PAIR_VERTICES], e[2 * 28];
    const graze_shape one = random_hull(&random, 3, rng_between(&random, 4, 8), vertices_a);
    const graze_shape other = random_hull(&random, 3, rng_between(&random, 3, 8), vertices_b);
    const graze_placed a = place(&one, random_pose(&random, 3, 0.8)), b = place(&other, random_pose(&random, 3, 0.8));
    graze_axis best;
    assert_int_equal(graze_compare_axes(&a, &b, NULL, NULL, NULL, &best), GRAZE_OK);
    const int of_a = differences(&a, e), all = of_a + differences(&b, e + of_a);
    double greatest = -INFINITY;
    for (int j = 0; j < all; j++)
      for (int k = 0; k < j; k++) greatest = fmax(greatest, separation_on_axis(&a, &b, cross(e[j], e[k])));
    assert_int_equal(best.separation > 0, greatest > 0);
    if (greatest < 0) assert_true(fabs(best.separation - greatest) < 1e-13);
    separated += greatest > 0, meet += greatest < 0;
  }
  assert_true(separated > 40 && meet > 40);
}
