/* Parts of compounds: placed by a product of poses that is never rounded, and answered like any placed shape. */
#include "support/families.h"
#include "support/framed.h"
#include "support/query.h"
#include "support/shapes.h"

static const uint64_t seed_of = 0x6c24cf5c7a325381u;
static rng state;

static framed frame(graze_shape shape, graze_pose own, graze_pose outer, double margin) {
  return framed_make(&shape, own, outer, margin);
}

static void unframe(framed *a, framed *b) { framed_free(a), framed_free(b); }

static graze_shape any_shape(int dim, graze_vec *vertices) {
  return rng_coin(&state) ? random_curved(&state, dim, 0.25) : random_shape(&state, dim, vertices);
}

TEST(parts_are_answered_like_shapes) {
  int relations[5] = {0}, proved = 0, all = 0;
  state = seed_of;
  for (int trial = 0; trial < 900; trial++) {
    const int dim = trial % 3 == 0 ? 2 : 3;
    graze_vec va[PAIR_VERTICES], vb[PAIR_VERTICES];
    graze_pose pose[4];
    for (int i = 0; i < 4; i++) pose[i] = random_pose(&state, dim, 0.75);
    framed fa = frame(any_shape(dim, va), pose[0], pose[1], trial % 4 == 0 ? 0.1 : 0);
    framed fb = frame(any_shape(dim, vb), pose[2], pose[3], trial % 7 == 0 ? 0.3 : 0);
    const graze_placed *a = &fa.part, *b = &fb.part;
    const graze_options options = proving(NULL);
    const proved_answer x = distance(a, b, &options);
    const double size =
        fmax(a->hidden.bounding_radius + a->hidden.radius, b->hidden.bounding_radius + b->hidden.radius);
    relations[x.relation]++, all++, proved += verify_answer(a, b, &options, &x) == GRAZE_OK;
    assert_true(norm(add_scaled(sub(x.point_b, x.point_a), -x.distance, x.normal)) <= 1e-8 * size);
    if (a->shape.kind < GRAZE_ELLIPSOID && b->shape.kind < GRAZE_ELLIPSOID) {
      const graze_options exactly = by_method(GRAZE_METHOD_EXACT);
      const proved_answer y = distance(a, b, &exactly);
      assert_true(x.upper - x.lower <= 1e-12 * fmax(size, fabs(x.distance)));
      assert_true(y.relation == x.relation && y.lower <= x.upper && x.lower <= y.upper);
    }
    unframe(&fa, &fb);
  }
  assert_true(relations[GRAZE_SEPARATED] > all / 5 && relations[GRAZE_OVERLAPPING] > all / 5 && proved > all * 9 / 10);
}

/* Numbers from 2^-1074 to 1e40 in every place: the relation is exact, and proved. */
static framed extreme(graze_vec *v, double margin, const graze_pose *given) {
  graze_pose pose[2];
  for (int i = 0; i < 4; i++) v[i] = rng_magnitude_vec(&state, 3, -1074, 131);
  for (int i = 0; i < 2; i++) {
    const graze_vec axis = rng_magnitude_vec(&state, 3, -1074, 131);
    pose[i] = (graze_pose){rng_magnitude_vec(&state, 3, -1074, 131), rng_magnitude(&state, -1074, 131), axis.x, axis.y,
                           axis.z};
  }
  return frame(graze_with_margin(graze_hull_points(v, 4), margin), given ? given[0] : pose[0],
               given ? given[1] : pose[1], margin);
}

TEST(extreme_magnitudes) {
  int relations[5] = {0};
  state = seed_of;
  for (int trial = 0; trial < tiered(100, 200, 1000); trial++) {
    graze_vec va[4], vb[4];
    framed a = extreme(va, trial % 2 ? fabs(rng_magnitude(&state, -1074, 131)) : 0, NULL);
    const graze_pose same[2] = {a.part.pose, a.frame->hidden.pose};
    framed b = extreme(vb, 0, trial % 3 == 0 ? same : NULL);
    const graze_options options = by_method(GRAZE_METHOD_EXACT);
    const proved_answer x = intersect(&a.part, &b.part, &options);
    assert_int_equal(x.stopped, GRAZE_STOP_NONE);
    assert_int_equal(verify_answer(&a.part, &b.part, &options, &x), GRAZE_OK);
    relations[x.relation]++;
    unframe(&a, &b);
  }
  assert_true(relations[GRAZE_SEPARATED] > 20 && relations[GRAZE_OVERLAPPING] > 20);
}

/* Quarter turns and binary fractions: the product of the poses is a pose. */
static graze_pose quarter_pose(int dim) {
  static const double turns[4][2] = {{1, 0}, {1, 1}, {0, 1}, {1, -1}};
  const double *turn = turns[rng_below(&state, 4)];
  const double x = rng_between(&state, -8, 8), y = rng_between(&state, -8, 8), z = rng_between(&state, -8, 8);
  return (graze_pose){vec(x / 4, y / 4, dim == 2 ? 0 : z / 4), turn[0], 0, 0, turn[1]};
}

static graze_pose quarter_product(graze_pose q, graze_pose p) {
  const double ww = q.w * q.w, zz = q.z * q.z, n = ww + zz, c = (ww - zz) / n, s = 2 * q.w * q.z / n;
  const graze_vec turned = vec(c * p.position.x - s * p.position.y, s * p.position.x + c * p.position.y, p.position.z);
  return (graze_pose){add(turned, q.position), q.w * p.w - q.z * p.z, 0, 0, q.w * p.z + q.z * p.w};
}

TEST(a_part_is_a_shape_in_the_same_place) {
  int touching = 0;
  state = seed_of;
  for (int trial = 0; trial < tiered(1500, 3000, 20000); trial++) {
    const int dim = trial % 2 + 2;
    const graze_shape a = box_of(dim, 0.5, 1, 0.75);
    const graze_shape b = dim == 2 ? graze_capsule2(0.25, 0.5) : graze_with_margin(graze_box(1, 0.25, 0.5), 0.25);
    graze_pose pose[4];
    proved_answer framed_answer, plain;
    graze_contact contacts[2][8];
    size_t count[2];
    for (int i = 0; i < 4; i++) pose[i] = quarter_pose(dim);
    framed fa = frame(a, pose[0], pose[1], 0.25), fb = frame(b, pose[2], pose[3], 0);
    const graze_placed pa = posed(graze_with_margin(a, 0.25), quarter_product(pose[1], pose[0]));
    const graze_placed pb = posed(b, quarter_product(pose[3], pose[2]));
    assert_int_equal(query_manifold(&fa.part, &fb.part, NULL, &framed_answer, contacts[0], 8, &count[0]), GRAZE_OK);
    assert_int_equal(query_manifold(&pa, &pb, NULL, &plain, contacts[1], 8, &count[1]), GRAZE_OK);
    assert_int_equal(framed_answer.relation, plain.relation);
    assert_true(fabs(framed_answer.distance - plain.distance) <= 1e-13);
    assert_true(framed_answer.lower <= plain.upper && plain.lower <= framed_answer.upper);
    assert_int_equal(count[0], count[1]);
    for (size_t i = 0; i < count[0]; i++) {
      assert_true(norm(sub(contacts[0][i].point_a, contacts[1][i].point_a)) <= 1e-12);
      assert_true(norm(sub(contacts[0][i].point_b, contacts[1][i].point_b)) <= 1e-12);
      assert_true(fabs(contacts[0][i].depth - contacts[1][i].depth) <= 1e-12);
    }
    touching += plain.relation == GRAZE_TOUCHING;
    unframe(&fa, &fb);
  }
  assert_true(touching > 20);
}

/* A half-space below a part: the frame takes (0, 0, 2) to (0, 2, 0), so that the part stands upright on z = 0.5. */
TEST(a_part_above_a_half_space) {
  const graze_shape shapes[] = {graze_box(1, 1, 1), graze_cylinder(1, 1)};
  const graze_placed floor = placed_at(graze_halfspace(vec(0, 0, 1), 0.5), 0, 0, 1); /* up to z = 1.5 */
  const graze_pose turned = {{0, 0, 2}, 1, 1, 0, 0}, back = {{0, 3, 0.5}, 1, -1, 0, 0},
                   up = {{0, 3, 2.75}, 1, -1, 0, 0};
  for (int i = 0; i < 2; i++) {
    framed low = frame(shapes[i], turned, back, 0.25), high = frame(shapes[i], turned, up, 0.25);
    const proved_answer x = distance(&floor, &low.part, NULL);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
    assert_true(x.lower <= -2.25 && -2.25 <= x.upper && fabs(x.distance + 2.25) < 1e-13);
    assert_true(fabs(x.point_b.z + 0.75) < 1e-13 && fabs(x.point_a.z - 1.5) < 1e-13);
    assert_int_equal(verify_answer(&floor, &low.part, NULL, &x), GRAZE_OK);
    const proved_answer y = distance(&high.part, &floor, NULL);
    assert_int_equal(y.relation, GRAZE_TOUCHING);
    assert_int_equal(verify_answer(&high.part, &floor, NULL, &y), GRAZE_OK);
    unframe(&low, &high);
  }
}

/* The sum of a box of 0.5 by 1 about (9, 18) and a point there. */
TEST(the_sum_of_parts) {
  const graze_pose own = {{1, 2, 0}, 1, 0, 0, 1}, outer = {{10, 20, 0}, 0, 0, 0, 1};
  framed a = frame(graze_box2(1, 0.5), own, outer, 0), b = frame(graze_point2(), own, outer, 0);
  graze_vec points[8];
  graze_pair pairs[8];
  size_t count;
  bool holds;
  assert_int_equal(
      graze_compare_minkowski(&a.part, &b.part, GRAZE_MINKOWSKI_SUM, NULL, points, pairs, 8, &count, &holds), GRAZE_OK);
  assert_int_equal(count, 4);
  for (size_t i = 0; i < 4; i++) assert_true(fabs(points[i].x - 18) == 0.5 && fabs(points[i].y - 36) == 1);
  assert_false(holds);
  unframe(&a, &b);
}
