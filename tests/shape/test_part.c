/* Parts of compounds in their places, against rational arithmetic (GMP): the rounded product of two rotations within
 * 10·2^-53 of the exact one, exact where it takes an axis to an axis; bounds that hold every vertex, best where that is
 * so; reach, radius and support. Frames and parts have quaternions of every kind and positions of every size. */

#include "support/test.h"
#include "shape/compound.h"
#include "shape/core.h"
#include "shape/placed.h"
#include "support/rational.h"
#include "support/tier.h"

static const uint64_t seed_of = 0x9216d5d98979fb1bu;

/* One compound of one part, in its place. */
typedef struct example {
  graze_placed own, whole, part;
  struct graze_compound compound;
} example;

static void example_make(example *e, const graze_shape *shape, graze_pose own, graze_pose frame, double margin) {
  e->own = graze_place(shape, own);
  assert_int_equal(e->own.status, GRAZE_OK);
  e->compound = (struct graze_compound){.dim = shape->dim, .count = 1, .parts = &e->own};
  e->compound.reach = grz_part_reach(&e->own);
  e->compound.radius = e->own.radius;
  graze_shape whole = graze_with_margin(graze_compound_shape(&e->compound), margin);
  e->whole = graze_place(&whole, frame);
  assert_int_equal(e->whole.status, GRAZE_OK);
  assert_int_equal(graze_part_count(&e->whole), 1);
  e->part = graze_part(&e->whole, 0);
  assert_int_equal(e->part.status, GRAZE_OK);
}

typedef struct truth {
  rational_rotation outer, inner, both;
  mpq_t sum, term, square;
} truth;

static void truth_make(truth *t) {
  rational_rotation_init(&t->outer), rational_rotation_init(&t->inner), rational_rotation_init(&t->both);
  mpq_inits(t->sum, t->term, t->square, NULL);
}

static void truth_free(truth *t) {
  rational_rotation_clear(&t->outer), rational_rotation_clear(&t->inner), rational_rotation_clear(&t->both);
  mpq_clears(t->sum, t->term, t->square, NULL);
}

static void truth_set(truth *t, const graze_pose *outer, const graze_pose *inner) {
  rational_rotation_set(&t->outer, outer);
  rational_rotation_set(&t->inner, inner);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) {
      mpq_set_ui(t->sum, 0, 1);
      for (int j = 0; j < 3; j++) {
        mpq_mul(t->term, t->outer.at[3 * i + j], t->inner.at[3 * j + k]);
        mpq_add(t->sum, t->sum, t->term);
      }
      mpq_set(t->both.at[3 * i + k], t->sum);
    }
  }
}

static double coordinate(graze_vec v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* sum = coordinate i of the local point in the world, without the frame's position if `centred`. */
static void truth_place(truth *t, const graze_placed *part, int i, graze_vec local, bool centred) {
  mpq_t from;
  mpq_init(from);
  rational_row_times(from, &t->outer, i, part->pose.position);
  rational_row_times(t->sum, &t->both, i, local);
  mpq_add(t->sum, t->sum, from);
  mpq_set_d(t->term, coordinate(part->frame.position, i));
  if (!centred) mpq_add(t->sum, t->sum, t->term);
  mpq_clear(from);
}

static bool is_signed_unit(const truth *t, int i) {
  int ones = 0;
  for (int k = 0; k < 3; k++)
    ones += mpq_cmp_si(t->both.at[3 * i + k], 1, 1) == 0 || mpq_cmp_si(t->both.at[3 * i + k], -1, 1) == 0;
  return ones == 1;
}

TEST(test_rotation) {
  uint64_t state = seed_of;
  truth t;
  truth_make(&t);
  double worst = 0;
  int exact = 0, known = 0, rows = 0;
  for (int trial = 0; trial < tiered(30000, 30000, 300000); trial++) {
    int dim = trial % 4 == 0 ? 2 : 3;
    graze_shape shape = dim == 2 ? graze_point2() : graze_point();
    graze_pose own = random_extreme_pose(&state, dim), frame = random_extreme_pose(&state, dim);
    example e;
    example_make(&e, &shape, own, frame, 0);
    truth_set(&t, &frame, &own);
    for (int i = 0; i < 9; i++) {
      mpq_set_d(t.term, e.part.rotation[i]);
      mpq_sub(t.term, t.term, t.both.at[i]);
      double error = fabs(mpq_get_d(t.term));
      worst = fmax(worst, error);
      if (grz_row_is_exact(&e.part, i / 3)) assert_true(mpq_sgn(t.term) == 0);
    }
    for (int i = 0; i < 3; i++, rows++) {
      exact += is_signed_unit(&t, i);
      known += grz_row_is_exact(&e.part, i);
      if (grz_row_is_exact(&e.part, i)) assert_true(is_signed_unit(&t, i));
    }
  }
  print_message("worst error: %.3f·2^-53 (proved: 9·2^-53); rows onto axes: %d of %d, known %d\n", worst * 0x1p53,
                exact, rows, known);
  assert_true(worst < 9 * 0x1p-53 && worst > 2 * 0x1p-53);
  assert_true(exact > rows / 8 && known > exact / 2);
  truth_free(&t);
}

enum { VERTICES = 6 };

/* The true bound of one side, in `square`: the extreme vertex and three radii. */
static void truth_bound(truth *t, const graze_placed *part, int i, int sign) {
  for (size_t k = 0; k < grz_core_count(&part->shape); k++) {
    truth_place(t, part, i, grz_core_vertex(&part->shape, k), false);
    if (k == 0 || mpq_cmp(t->sum, t->square) * sign > 0) mpq_set(t->square, t->sum);
  }
  const double ball[3] = {grz_core_radius(&part->shape), part->shape.margin, part->frame_margin};
  for (int k = 0; k < 3; k++) {
    mpq_set_d(t->term, sign * ball[k]);
    mpq_add(t->square, t->square, t->term);
  }
}

static void check_bound(truth *t, const example *e, int i, int sign, double bound, double size) {
  truth_bound(t, &e->part, i, sign);
  mpq_set_d(t->sum, bound);
  int outside = mpq_cmp(t->sum, t->square) * sign;
  assert_true(outside >= 0);
  double slack = grz_row_is_exact(&e->part, i) ? 0 : 60 * 0x1p-53 * size + 0x1p-1070;
  double inner = sign > 0 ? nextafter(bound, -INFINITY) - slack : nextafter(bound, INFINITY) + slack;
  mpq_set_d(t->sum, inner);
  if (outside > 0) assert_true(mpq_cmp(t->sum, t->square) * sign < 0);
}

TEST(test_bounds) {
  uint64_t state = seed_of;
  truth t;
  truth_make(&t);
  int best = 0, all = 0;
  for (int trial = 0; trial < tiered(12000, 12000, 120000); trial++) {
    int dim = trial % 4 == 0 ? 2 : 3;
    static const int ranges[][2] = {{-3, 3}, {-3, 3}, {-40, 40}, {-1074, -1060}, {90, 131}, {-1074, 100}};
    const int *range = ranges[rng_bits(&state) % 6];
    graze_vec v[VERTICES];
    for (int i = 0; i < VERTICES; i++) v[i] = rng_magnitude_vec(&state, dim, range[0], range[1]);
    graze_shape shape = dim == 2 ? graze_hull2(v, VERTICES) : graze_hull(v, VERTICES);
    if (trial % 3 == 0) shape.margin = fabs(rng_magnitude(&state, range[0], range[1]));
    graze_pose own = random_extreme_pose(&state, dim), frame = random_extreme_pose(&state, dim);
    if (trial % 5 != 0) own.position = rng_magnitude_vec(&state, dim, range[0], range[1]);
    if (trial % 7 != 0) frame.position = rng_magnitude_vec(&state, dim, range[0], range[1]);
    if (trial % 6 == 1) frame.w = frame.z = 0.75, frame.x = frame.y = 0; /* a quarter turn */
    example e;
    example_make(&e, &shape, own, frame, trial % 2 ? fabs(rng_magnitude(&state, range[0], range[1])) : 0);
    truth_set(&t, &frame, &own);
    graze_aabb bounds, whole;
    assert_int_equal(graze_bounds(&e.part, &bounds), GRAZE_OK);
    assert_int_equal(graze_bounds(&e.whole, &whole), GRAZE_OK);
    assert_memory_equal(&bounds, &whole, sizeof bounds);
    double size = e.part.reach + e.part.radius;
    for (int i = 0; i < dim; i++, all++) {
      double far = size + fabs(coordinate(frame.position, i));
      check_bound(&t, &e, i, -1, coordinate(bounds.min, i), far);
      check_bound(&t, &e, i, 1, coordinate(bounds.max, i), far);
      best += grz_row_is_exact(&e.part, i);
    }
  }
  print_message("best bounds: %d of %d\n", best, all);
  assert_true(best > all / 20 && best < all / 2);
  truth_free(&t);
}

/* The reach is that of the farthest vertex, seen from the frame; the radius is a sum of three. */
TEST(test_numbers) {
  uint64_t state = seed_of;
  truth t;
  truth_make(&t);
  for (int trial = 0; trial < tiered(5000, 5000, 50000); trial++) {
    graze_vec v = rng_magnitude_vec(&state, 3, -20, 20);
    graze_shape shape = graze_with_margin(graze_segment(v, (graze_vec){0, 0, 0}), fabs(rng_magnitude(&state, -20, 20)));
    graze_pose own = random_extreme_pose(&state, 3), frame = random_extreme_pose(&state, 3);
    own.position = rng_magnitude_vec(&state, 3, -20, 20);
    example e;
    example_make(&e, &shape, own, frame, fabs(rng_magnitude(&state, -20, 20)));
    truth_set(&t, &frame, &own);
    mpq_set_ui(t.square, 0, 1);
    for (int i = 0; i < 3; i++) {
      truth_place(&t, &e.part, i, v, true);
      mpq_mul(t.sum, t.sum, t.sum);
      mpq_add(t.square, t.square, t.sum);
    }
    assert_true(sqrt(mpq_get_d(t.square)) <= e.part.reach * (1 + 0x1p-50));
    double plain = hypot(hypot(v.x, v.y), v.z) + hypot(hypot(own.position.x, own.position.y), own.position.z);
    assert_true(e.part.reach <= plain * (1 + 0x1p-45));
    mpq_set_d(t.sum, shape.margin);
    mpq_set_d(t.term, e.whole.shape.margin);
    mpq_add(t.sum, t.sum, t.term);
    mpq_set_d(t.term, e.part.radius);
    mpq_sub(t.term, t.term, t.sum);
    assert_true(fabs(mpq_get_d(t.term)) <= 0x1p-53 * e.part.radius);
    assert_true(e.whole.reach == e.part.reach && e.whole.radius >= e.part.radius);
  }
  for (int trial = 0; trial < tiered(5000, 5000, 50000); trial++) {
    graze_shape ball = graze_with_margin(graze_sphere(rng_uniform(&state, 0, 1)), rng_uniform(&state, 0, 1));
    example e;
    example_make(&e, &ball, graze_pose_at(0, 0, 0), graze_pose_at(0, 0, 0), trial % 2 * rng_uniform(&state, 0, 1));
    assert_true(e.whole.radius >= e.part.radius && e.whole.radius <= e.part.radius * (1 + 0x1p-49));
  }
  truth_free(&t);
}

TEST(test_support) {
  uint64_t state = seed_of;
  for (int trial = 0; trial < tiered(5000, 5000, 50000); trial++) {
    graze_placed parts[3];
    graze_shape shape[3] = {graze_box(1, 2, 3), graze_capsule(0.25, 1),
                            graze_with_margin(graze_ellipsoid(1, 2, 0.5), 0.125)};
    for (int i = 0; i < 3; i++) {
      graze_pose own = random_extreme_pose(&state, 3);
      own.position = rng_magnitude_vec(&state, 3, -2, 2);
      parts[i] = graze_place(&shape[i], own);
    }
    struct graze_compound compound = {.dim = 3, .count = 3, .parts = parts, .reach = 100, .radius = 1};
    graze_shape whole = graze_with_margin(graze_compound_shape(&compound), 0.5);
    graze_pose frame = random_extreme_pose(&state, 3);
    frame.position = rng_magnitude_vec(&state, 3, -2, 2);
    graze_placed placed = graze_place(&whole, frame);
    graze_vec d = rng_magnitude_vec(&state, 3, -2, 2), found, point;
    int vertex = -7, index;
    assert_int_equal(graze_support(&placed, d, &found, &vertex), GRAZE_OK);
    double most = -INFINITY, length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    int best = -7;
    graze_aabb bounds;
    assert_int_equal(graze_bounds(&placed, &bounds), GRAZE_OK);
    for (size_t i = 0; i < 3; i++) {
      graze_placed part = graze_part(&placed, i);
      graze_aabb box;
      assert_int_equal(graze_support(&part, d, &point, &index), GRAZE_OK);
      assert_int_equal(graze_bounds(&part, &box), GRAZE_OK);
      assert_true(box.min.x >= bounds.min.x && box.max.y <= bounds.max.y && box.max.z <= bounds.max.z);
      assert_true(point.x <= box.max.x + 1e-13 && point.y >= box.min.y - 1e-13);
      double far = d.x * point.x + d.y * point.y + d.z * point.z;
      if (far > most) most = far, best = index;
    }
    assert_int_equal(vertex, best);
    assert_true(fabs(d.x * found.x + d.y * found.y + d.z * found.z - most) <= 1e-13 * length);
    graze_interval span;
    assert_int_equal(graze_project(&placed, d, &span), GRAZE_OK);
    assert_true(fabs(span.max - most) <= 1e-12 * length);
    graze_vec back = {-d.x, -d.y, -d.z};
    assert_int_equal(graze_support(&placed, back, &point, NULL), GRAZE_OK);
    assert_true(fabs(span.min - (d.x * point.x + d.y * point.y + d.z * point.z)) <= 1e-12 * length);
  }
}

TEST(test_refusals) {
  graze_shape box = graze_box(1, 1, 1);
  graze_error error;
  example e;
  example_make(&e, &box, graze_pose_at(1, 0, 0), graze_pose_at(0, 2, 0), 0);
  assert_int_equal(graze_set_pose(&e.part, graze_pose_at(0, 0, 0)), GRAZE_UNSUPPORTED);
  assert_true(e.part.frame.position.y == 2 && e.part.pose.position.x == 1);
  assert_int_equal(graze_set_pose(&e.whole, graze_pose_at(5, 0, 0)), GRAZE_OK);
  graze_placed moved = graze_part(&e.whole, 0);
  graze_aabb bounds;
  assert_int_equal(graze_bounds(&moved, &bounds), GRAZE_OK);
  assert_true(bounds.min.x == 5 && bounds.max.x == 7 && bounds.min.y == -1 && bounds.max.y == 1);
  assert_int_equal(graze_part(&e.whole, 1).status, GRAZE_BAD_OPTION);
  graze_placed alone = graze_part(&e.own, 0);
  assert_memory_equal(&alone, &e.own, sizeof alone);
  assert_int_equal(graze_part_count(&e.own), 1);
  assert_int_equal(graze_part(&e.own, 1).status, GRAZE_BAD_OPTION);

  graze_shape shape = graze_compound_shape(&e.compound);
  assert_true(shape.kind == GRAZE_COMPOUND && shape.dim == 3 && shape.margin == 0);
  assert_int_equal(graze_check(&shape, NULL, NULL), GRAZE_OK);
  shape.dim = 2;
  assert_int_equal(graze_check(&shape, NULL, &error), GRAZE_DIM_MISMATCH);
  shape.dim = 3, shape.compound = NULL;
  assert_int_equal(graze_check(&shape, NULL, &error), GRAZE_BAD_SHAPE);
  assert_string_equal(error.what, "parts");
  graze_placed refused = graze_place(&shape, graze_pose_at(0, 0, 0));
  assert_int_equal(refused.status, GRAZE_BAD_SHAPE);
  assert_int_equal(graze_part_count(&refused), 1);
  assert_int_equal(graze_part(&refused, 0).status, GRAZE_BAD_SHAPE);
  assert_int_equal(graze_bounds(&refused, &bounds), GRAZE_BAD_SHAPE);
}
