/* Answers about compounds: what the proofs of all pairs of parts imply is accepted; anything more is rejected. */

#include "verify/attacks.h"
#include "support/compounds.h"
#include "support/rational.h"

enum { PARTS = 6, CORNERS = 5 };

/* Two of the same shape. */
static graze_compound *two_of(graze_shape shape, graze_vec first, graze_vec second) {
  const graze_placed parts[2] = {graze_place(&shape, graze_pose_at(first.x, first.y, first.z)),
                                 graze_place(&shape, graze_pose_at(second.x, second.y, second.z))};
  return compound_of(parts, 2);
}

/* Indices, counts, pointers and pairs of parts. `c.answer.parts` is `proofs`. */
static void attack_lists(verify_case c, editable_part_proof *proofs) {
  const size_t count = c.answer.part_count;
  REFUTE_EACH(&c, int32_t, c.answer.part_a, -1, INT32_MIN, INT32_MAX, PARTS);
  REFUTE_EACH(&c, int32_t, c.answer.part_b, -1, INT32_MIN, INT32_MAX, PARTS);
  for (int i = 0; i < 2; i++) {
    REFUTE_EACH(&c, int32_t, proofs[i].part_a, -1, INT32_MIN, INT32_MAX, PARTS);
    REFUTE_EACH(&c, int32_t, proofs[i].part_b, -1, INT32_MIN, INT32_MAX, PARTS);
  }
  REFUTE_EACH(&c, size_t, c.answer.part_count, count - 1, SIZE_MAX);
  REFUTE_EACH(&c, const editable_part_proof *, c.answer.parts, NULL);
  const editable_part_proof first = proofs[0];
  proofs[0] = proofs[1];
  expect(c, GRAZE_REFUTED); /* one pair twice */
  proofs[0] = first;
  REFUTE_EACH(&c, int, proofs[0].certificate.kind, GRAZE_CERTIFICATE_INTERNAL_EDGE);
  memset(&proofs[0].certificate, 0, sizeof proofs[0].certificate);
  assert_int_not_equal(case_status(&c), GRAZE_OK);
  proofs[0] = first;
}

/* The order of the proofs does not matter; the verifier reads unsorted lists by another route. */
static void reverse_lists(verify_case c, editable_part_proof *proofs) {
  for (size_t i = 0, k = c.answer.part_count - 1; i < k; i++, k--) {
    const editable_part_proof proof = proofs[i];
    proofs[i] = proofs[k], proofs[k] = proof;
  }
  expect(c, GRAZE_OK);
}

static verify_case without_proofs(verify_case c) {
  c.answer.parts = NULL, c.answer.part_count = 0;
  return c;
}

/* Relation, numbers, and the deciding pair. */
static void attack_answer(verify_case c) {
  if (c.answer.relation == GRAZE_TOUCHING) { /* undecided states less */
    REJECT_EACH(&c, int, c.answer.relation, GRAZE_SEPARATED, GRAZE_OVERLAPPING);
  } else {
    REJECT_EACH(&c, int, c.answer.relation, GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING, GRAZE_UNDECIDED);
    for (int sign = -1; sign <= 1; sign += 2) {
      const double shift = sign * 1e-6;
      verify_case moved = with_interval(c, c.answer.lower + shift, c.answer.distance + shift, c.answer.upper + shift);
      assert_int_not_equal(case_status(&moved), GRAZE_OK);
    }
  }
  expect(without_proofs(c), GRAZE_UNPROVEN);
  c.answer.part_a = c.answer.part_a == 0, c.answer.certificate.kind = GRAZE_CERTIFICATE_INTERNAL_EDGE;
  expect(c, GRAZE_REFUTED); /* it has no internal edge */
}

typedef struct body {
  graze_vec corners[PARTS][CORNERS];
  graze_compound *compound;
  graze_placed placed;
} body;

static void random_body(rng *random, int dim, size_t count, body *out) {
  graze_placed parts[PARTS];
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < CORNERS; k++) out->corners[i][k] = rng_vec(random, dim, 0.5);
    graze_shape shape = (dim == 2 ? graze_hull_points2 : graze_hull_points)(out->corners[i], CORNERS);
    if (i % 3 == 1) shape = dim == 2 ? graze_box2(0.25, 0.5) : graze_box(0.25, 0.5, 0.375);
    if (i % 4 == 2) shape = graze_with_margin(shape, 0.125);
    graze_pose pose = random_extreme_pose(random, dim);
    pose.position = rng_vec(random, dim, 1);
    parts[i] = graze_place(&shape, pose);
  }
  graze_pose pose = random_extreme_pose(random, dim);
  pose.position = rng_vec(random, dim, 1);
  out->compound = compound_of(parts, count);
  out->placed = posed(graze_with_margin(graze_compound_shape(out->compound), count == 3 ? 0.0625 : 0), pose);
}

TEST(random_compounds) {
  static editable_part_proof proofs[CASE_PROOFS];
  rng random = 0xb8e1afed6a267e96u;
  int relations[5] = {0}, misnamed = 0;
  const int all = tiered(300, 600, 6000);
  for (int trial = 0; trial < all; trial++) {
    const int dim = trial % 2 + 2;
    body a, b;
    random_body(&random, dim, 2 + (size_t)trial % 3, &a);
    random_body(&random, dim, 1 + (size_t)trial % 4, &b);
    const graze_placed other = trial % 4 == 0 ? graze_part(&b.placed, 0, &(graze_frame){{0}}) : b.placed;
    verify_case c = case_of_parts(&a.placed, &other, proofs);
    const bool overlap = c.answer.relation == GRAZE_OVERLAPPING;
    relations[c.answer.relation]++;
    if (overlap) c.answer.upper = 0, c.answer.distance = NAN; /* a depth of hulls would need a surface */
    expect(c, GRAZE_OK);
    attack_lists(c, proofs);
    reverse_lists(c, proofs);
    attack_lists(c, proofs);
    if (c.answer.relation == GRAZE_SEPARATED) attack_answer(c);
    verify_case bare = with_interval(without_proofs(c), NAN, NAN, NAN);
    expect(bare, overlap ? GRAZE_OK : GRAZE_UNPROVEN);
    bare = with_interval(bare, -INFINITY, NAN, c.answer.upper);
    if (overlap) expect(bare, GRAZE_OK);
    bare.answer.part_a = bare.answer.part_a == 0;
    const graze_placed part_a = graze_part(&a.placed, (size_t)bare.answer.part_a, &(graze_frame){{0}});
    const graze_placed part_b = graze_part(&other, (size_t)bare.answer.part_b, &(graze_frame){{0}});
    if (intersect(&part_a, &part_b, NULL).relation == GRAZE_SEPARATED) {
      misnamed++;
      assert_int_not_equal(case_status(&bare), GRAZE_OK);
    }
    graze_compound_destroy(a.compound);
    graze_compound_destroy(b.compound);
  }
  assert_true(relations[GRAZE_SEPARATED] > all / 5 && relations[GRAZE_OVERLAPPING] > all / 5);
  assert_true(misnamed > all / 5);
}

/* Two boxes in a row: the nearer one decides. */
TEST(nearer_part_decides) {
  editable_part_proof proofs[CASE_PROOFS];
  graze_shape box = graze_box(0.5, 0.5, 0.5);
  graze_compound *compound = two_of(box, vec(-2, 0, 0), vec(2, 0, 0));
  graze_placed a = posed(graze_compound_shape(compound), identity), b = place(&box, graze_pose_at(4, 0, 0));
  verify_case c = case_of_parts(&a, &b, proofs);
  assert_true(c.answer.relation == GRAZE_SEPARATED && c.answer.part_a == 1 && fabs(c.answer.distance - 1) < 1e-14);
  expect(c, GRAZE_OK);
  attack_answer(c);
  verify_case upper = with_interval(without_proofs(c), NAN, NAN, c.answer.upper);
  upper.answer.parts = proofs, upper.answer.part_count = c.answer.part_count;
  expect(upper, GRAZE_OK);
  expect(with_interval(upper, NAN, NAN, nextafter(c.answer.upper, 0) - 1e-12), GRAZE_REFUTED);
  /* The farther pair proves 5, which is true of it and not of the compound. */
  c = with_interval(c, 4.9, 5, 5.1);
  c.answer.part_a = 0, c.answer.certificate = proofs[0].certificate;
  expect(c, GRAZE_REFUTED);
  proofs[1].certificate = proofs[0].certificate;
  expect(c, GRAZE_REFUTED);
  expect(without_proofs(c), GRAZE_UNPROVEN);
  graze_compound_destroy(compound);
}

TEST(touching_compounds) {
  editable_part_proof proofs[CASE_PROOFS];
  const graze_shape box = graze_box2(0.5, 0.5), point = graze_point2();
  const graze_pose turned = {{3, 7, 0}, 3, 0, 0, 1};
  graze_compound *compound = two_of(box, vec(-0.5, 0, 0), vec(0.5, 0, 0));
  /* On the common side of two boxes that are not pieces of one polygon: the point touches both. */
  graze_placed a = posed(graze_compound_shape(compound), turned), b = place(&point, turned);
  verify_case c = case_of_parts(&a, &b, proofs);
  assert_int_equal(c.answer.relation, GRAZE_TOUCHING);
  expect(c, GRAZE_OK);
  attack_lists(c, proofs);
  attack_answer(c);
  b = place(&box, (graze_pose){{3 + 0.6, 7 + 0.8, 0}, 2, 0, 0, 1});
  c = case_of_parts(&a, &b, proofs);
  assert_int_equal(c.answer.relation, GRAZE_OVERLAPPING);
  c.answer.relation = GRAZE_TOUCHING;
  c = with_interval(c, 0, 0, 0);
  assert_int_not_equal(case_status(&c), GRAZE_OK);
  graze_compound_destroy(compound);
}

/* One part touches or is separated, the other one overlaps; the answer names the first. */
TEST(weaker_part_does_not_decide) {
  editable_part_proof proofs[CASE_PROOFS];
  const graze_shape box = graze_box2(0.5, 0.5), wide = graze_box2(1, 0.5);
  const graze_relation weaker[2] = {GRAZE_TOUCHING, GRAZE_SEPARATED};
  graze_compound *compound = two_of(box, vec(0, 0, 0), vec(2.5, 0, 0));
  const graze_placed a = posed(graze_compound_shape(compound), identity);
  for (int i = 0; i < 2; i++) {
    const graze_placed b = place(&wide, graze_pose_at(1.5 + i, 0, 0));
    verify_case c = case_of_parts(&a, &b, proofs), wrong = with_relation(c, weaker[i], proofs[0].certificate.kind);
    assert_true(c.answer.relation == GRAZE_OVERLAPPING && c.answer.part_a == 1);
    expect(c, GRAZE_OK);
    wrong.answer.part_a = 0, wrong.answer.certificate = proofs[0].certificate;
    expect(wrong, GRAZE_REFUTED);
    c = without_proofs(c);
    expect(c, GRAZE_UNPROVEN); /* the other parts may be deeper */
    c.answer.lower = -INFINITY;
    expect(c, GRAZE_OK);
    c.answer.relation = GRAZE_UNDECIDED;
    expect(with_interval(c, NAN, NAN, NAN), GRAZE_UNPROVEN);
  }
  graze_compound_destroy(compound);
}

/* A half-space below: every part has its deepest vertex. */
TEST(compound_over_plane) {
  editable_part_proof proofs[CASE_PROOFS];
  const graze_shape box = graze_box(0.5, 0.5, 0.5), cylinder = graze_cylinder(0.5, 0.5);
  const graze_shape plane = graze_halfspace(vec(0, 0, 2), -1);
  const graze_placed parts[2] = {graze_place(&box, graze_pose_at(-2, 0, 1)),
                                 graze_place(&cylinder, graze_pose_at(2, 0, 0))};
  const double heights[3] = {0.5, -0.5, -1};
  const graze_relation expected[3] = {GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING};
  const graze_placed floor = place(&plane, identity);
  graze_compound *compound = compound_of(parts, 2);
  for (int i = 0; i < 3; i++) {
    const graze_placed a = posed(graze_compound_shape(compound), graze_pose_at(0, 5, heights[i]));
    verify_case c = case_of_parts(&a, &floor, proofs);
    assert_int_equal(c.answer.relation, expected[i]);
    expect(c, GRAZE_OK);
    attack_lists(c, proofs);
    REFUTE_EACH(&c, int, proofs[0].certificate.vertex, 4, 5, 6, 7); /* higher ones */
  }
  graze_compound_destroy(compound);
}

/* Although the deciding part is a box. */
TEST(user_part_makes_the_answer_conditional) {
  double radius = 1;
  editable_part_proof proofs[CASE_PROOFS];
  const graze_shape box = graze_box(1, 1, 1), user = user_ball(3, &radius);
  const graze_placed parts[2] = {graze_place(&box, graze_pose_at(-2, 0, 0)),
                                 graze_place(&user, graze_pose_at(2, 0, 0))};
  graze_compound *compound = compound_of(parts, 2);
  const graze_placed a = posed(graze_compound_shape(compound), identity), b = place(&box, graze_pose_at(-2, 5, 0));
  verify_case c = case_of_parts(&a, &b, proofs);
  assert_int_equal(c.answer.part_a, 0);
  c.answer.conditional = true;
  expect(c, GRAZE_OK);
  c.answer.conditional = false;
  expect(c, GRAZE_UNPROVEN);
  graze_compound_destroy(compound);
}
