/* The verifier on answers about compounds: what all pairs of parts show is accepted, and what they do not show, or what
 * is malformed, is refused. */

#include "support/test.h"
#include "cert/wholes.h"
#include "support/rational.h"

static const uint64_t seed_of = 0xb8e1afed6a267e96u;
static uint64_t state;

static graze_status judge(const whole *a, const graze_placed *b, const whole_answer *x) {
  return graze_verify(&a->placed, b, NULL, &x->answer);
}

static void refused(const whole *a, const graze_placed *b, const whole_answer *x, const char *attack) {
  graze_status status = judge(a, b, x);
  if (status != GRAZE_REFUTED && status != GRAZE_UNPROVEN) fail_msg("accepted after the attack: %s", attack);
}

static void refuted(const whole *a, const graze_placed *b, const whole_answer *x, const char *attack) {
  if (judge(a, b, x) != GRAZE_REFUTED) fail_msg("not refuted after the attack: %s", attack);
}

/* Indices, counts and pointers. */
static void attack_lists(const whole *a, const graze_placed *b, whole_answer x) {
  const int32_t wrong[] = {-1, INT32_MIN, INT32_MAX, WHOLE_PARTS};
  x.answer.parts = x.parts;
  const whole_answer good = x;
  for (int i = 0; i < 4; i++) {
    x.answer.part_a = wrong[i];
    refuted(a, b, &x, "the named part of A");
    x.answer.part_a = good.answer.part_a, x.answer.part_b = wrong[i];
    refuted(a, b, &x, "the named part of B");
    x.answer.part_b = good.answer.part_b, x.parts[i % 2].part_a = wrong[i];
    refuted(a, b, &x, "a part of A");
    x.parts[i % 2] = good.parts[i % 2], x.parts[i % 2].part_b = wrong[i];
    refuted(a, b, &x, "a part of B");
    x.parts[i % 2] = good.parts[i % 2];
  }
  x.answer.part_count--;
  refuted(a, b, &x, "one pair less");
  x.answer.part_count = SIZE_MAX;
  refuted(a, b, &x, "very many pairs");
  x.answer.part_count = good.answer.part_count, x.answer.parts = NULL;
  refuted(a, b, &x, "no list, and a length");
  x.answer.parts = x.parts, x.parts[0] = x.parts[1];
  refuted(a, b, &x, "one pair twice");
  x.parts[0] = good.parts[0], x.parts[0].certificate.kind = GRAZE_CERTIFICATE_SEAM;
  refuted(a, b, &x, "a seam among the parts");
  x.parts[0] = good.parts[0];
  x.parts[0].certificate.kind = GRAZE_CERTIFICATE_NONE, x.parts[0].certificate.direction.form = GRAZE_DIRECTION_NONE;
  x.parts[0].certificate.pair_count = 0;
  refused(a, b, &x, "one pair without a proof");
}

/* In any order; the lists so turned are attacked too, as they take another way. */
static void turn_lists(const whole *a, const graze_placed *b, whole_answer x) {
  x.answer.parts = x.parts;
  for (size_t i = 0, j = x.answer.part_count; i + 1 < j; i++) {
    graze_part_proof part = x.parts[i];
    x.parts[i] = x.parts[--j], x.parts[j] = part;
  }
  assert_int_equal(judge(a, b, &x), GRAZE_OK);
  attack_lists(a, b, x);
}

/* What is claimed. */
static void attack_claims(const whole *a, const graze_placed *b, whole_answer x) {
  x.answer.parts = x.parts;
  const whole_answer good = x;
  for (int relation = 1; relation <= 4; relation++) {
    if (relation == (int)good.answer.relation) continue;
    if (relation == GRAZE_UNDECIDED && good.answer.relation == GRAZE_TOUCHING) continue; /* claims less */
    x.answer.relation = (graze_relation)relation;
    refused(a, b, &x, "another relation");
  }
  x = good, x.answer.parts = x.parts;
  if (good.answer.relation != GRAZE_TOUCHING) {
    x.answer.lower += 1e-6, x.answer.distance += 1e-6, x.answer.upper += 1e-6;
    refused(a, b, &x, "all numbers larger");
    x.answer.lower = good.answer.lower - 2e-6, x.answer.distance = x.answer.lower, x.answer.upper = x.answer.lower;
    refused(a, b, &x, "all numbers smaller");
  }
  x.answer = good.answer, x.answer.parts = NULL, x.answer.part_count = 0;
  assert_int_equal(judge(a, b, &x), GRAZE_UNPROVEN);
  x.answer = good.answer, x.answer.parts = x.parts;
  x.answer.part_a = x.answer.part_a == 0, x.answer.certificate.kind = GRAZE_CERTIFICATE_SEAM;
  refuted(a, b, &x, "a seam of what has none");
}

enum { CORNERS = 5 };

static void random_whole(whole *w, int dim, int count, graze_vec (*corners)[CORNERS], double spread) {
  whole_start(w, dim);
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < CORNERS; k++) corners[i][k] = rng_vec(&state, dim, 0.5);
    graze_shape shape = dim == 2 ? graze_hull2(corners[i], CORNERS) : graze_hull(corners[i], CORNERS);
    if (i % 3 == 1) shape = dim == 2 ? graze_box2(0.25, 0.5) : graze_box(0.25, 0.5, 0.375);
    if (i % 4 == 2) shape = graze_with_margin(shape, 0.125);
    graze_pose pose = random_extreme_pose(&state, dim);
    pose.position = rng_vec(&state, dim, spread);
    whole_add(w, &shape, pose);
  }
  graze_pose pose = random_extreme_pose(&state, dim);
  pose.position = rng_vec(&state, dim, 1);
  whole_place(w, pose, count == 3 ? 0.0625 : 0);
}

TEST(test_random) {
  state = seed_of;
  int relations[5] = {0}, all = 0, misnamed = 0;
  static whole a, b;
  static whole_answer x;
  for (int trial = 0; trial < 600; trial++) {
    const int dim = trial % 2 + 2;
    graze_vec corners[2][WHOLE_PARTS][CORNERS];
    random_whole(&a, dim, 2 + trial % 3, corners[0], 1);
    random_whole(&b, dim, 1 + trial % 4, corners[1], 1);
    graze_placed other = trial % 4 == 0 ? graze_part(&b.placed, 0) : b.placed;
    whole_ask(&a.placed, &other, &x);
    relations[x.answer.relation]++, all++;
    /* A depth of hulls is shown by a surface, which nobody asked for: then claim only that they overlap. */
    if (x.answer.relation == GRAZE_OVERLAPPING) x.answer.upper = 0, x.answer.distance = NAN;
    if (judge(&a, &other, &x) != GRAZE_OK) fail_msg("trial %d: %s", trial, graze_status_text(judge(&a, &other, &x)));
    attack_lists(&a, &other, x);
    turn_lists(&a, &other, x);
    if (x.answer.relation == GRAZE_SEPARATED) attack_claims(&a, &other, x);
    whole_answer bare = x;
    whole_forget(&bare);
    assert_int_equal(judge(&a, &other, &bare), x.answer.relation == GRAZE_OVERLAPPING ? GRAZE_OK : GRAZE_UNPROVEN);
    bare.answer.upper = x.answer.upper, bare.answer.lower = -INFINITY;
    if (x.answer.relation == GRAZE_OVERLAPPING) assert_int_equal(judge(&a, &other, &bare), GRAZE_OK);
    bare.answer.part_a = bare.answer.part_a == 0;
    graze_placed named = graze_part(&a.placed, (size_t)bare.answer.part_a);
    graze_placed facing = graze_part(&other, (size_t)bare.answer.part_b);
    graze_answer truth;
    assert_int_equal(graze_intersect(&named, &facing, NULL, &truth), GRAZE_OK);
    if (truth.relation == GRAZE_SEPARATED) misnamed++, refused(&a, &other, &bare, "another pair");
  }
  print_message("separated %d, overlapping %d of %d\n", relations[GRAZE_SEPARATED], relations[GRAZE_OVERLAPPING], all);
  assert_true(relations[GRAZE_SEPARATED] > all / 5 && relations[GRAZE_OVERLAPPING] > all / 5);
  assert_true(misnamed > all / 5);
}

/* Two boxes in a row; the nearer one counts, wherever it is named. */
TEST(test_nearer) {
  static whole a;
  static whole_answer x;
  graze_shape box = graze_box(0.5, 0.5, 0.5);
  whole_start(&a, 3);
  whole_add(&a, &box, graze_pose_at(-2, 0, 0));
  whole_add(&a, &box, graze_pose_at(2, 0, 0));
  whole_place(&a, graze_pose_at(0, 0, 0), 0);
  graze_placed b = graze_place(&box, graze_pose_at(4, 0, 0));
  whole_ask(&a.placed, &b, &x);
  assert_true(x.answer.relation == GRAZE_SEPARATED && x.answer.part_a == 1 && fabs(x.answer.distance - 1) < 1e-14);
  assert_int_equal(judge(&a, &b, &x), GRAZE_OK);
  attack_claims(&a, &b, x);
  /* The farther pair shows 5, which is true of it and not of the whole. */
  x.answer.lower = 4.9, x.answer.distance = 5, x.answer.upper = 5.1;
  x.answer.part_a = 0, x.answer.certificate = x.parts[0].certificate;
  refuted(&a, &b, &x, "the farther pair");
  x.parts[1].certificate = x.parts[0].certificate;
  refuted(&a, &b, &x, "its certificate for both");
  x.answer.parts = NULL, x.answer.part_count = 0;
  assert_int_equal(judge(&a, &b, &x), GRAZE_UNPROVEN);
  /* An upper bound needs no more than the named pair. */
  whole_ask(&a.placed, &b, &x);
  x.answer.lower = NAN, x.answer.distance = NAN;
  assert_int_equal(judge(&a, &b, &x), GRAZE_OK);
  x.answer.upper = nextafter(x.answer.upper, 0) - 1e-12;
  refuted(&a, &b, &x, "an upper bound too small");
}

TEST(test_touching) {
  static whole a;
  static whole_answer x;
  graze_shape box = graze_box2(0.5, 0.5);
  whole_start(&a, 2);
  whole_add(&a, &box, graze_pose_at(-0.5, 0, 0));
  whole_add(&a, &box, graze_pose_at(0.5, 0, 0));
  graze_pose turned = {{3, 7, 0}, 3, 0, 0, 1};
  whole_place(&a, turned, 0);
  /* On the common side of two boxes that are no pieces of one polygon: it touches both. */
  graze_shape point = graze_point2();
  graze_placed b = graze_place(&point, turned);
  whole_ask(&a.placed, &b, &x);
  assert_int_equal(x.answer.relation, GRAZE_TOUCHING);
  assert_int_equal(judge(&a, &b, &x), GRAZE_OK);
  attack_lists(&a, &b, x);
  attack_claims(&a, &b, x);
  b = graze_place(&box, (graze_pose){{3 + 0.6, 7 + 0.8, 0}, 2, 0, 0, 1}); /* turned by atan(4/3): overlaps */
  whole_answer deep;
  whole_ask(&a.placed, &b, &deep);
  assert_int_equal(deep.answer.relation, GRAZE_OVERLAPPING);
  deep.answer.relation = GRAZE_TOUCHING;
  deep.answer.lower = deep.answer.distance = deep.answer.upper = 0;
  refused(&a, &b, &deep, "overlapping called touching");
}

/* One part is far, or touches; another one overlaps, and says so itself. */
TEST(test_another_part) {
  static whole a;
  static whole_answer x;
  graze_shape box = graze_box2(0.5, 0.5), wide = graze_box2(1, 0.5);
  whole_start(&a, 2);
  whole_add(&a, &box, graze_pose_at(0, 0, 0));
  whole_add(&a, &box, graze_pose_at(2.5, 0, 0));
  whole_place(&a, graze_pose_at(0, 0, 0), 0);
  graze_placed b = graze_place(&wide, graze_pose_at(1.5, 0, 0)); /* touches the first, overlaps the second */
  whole_ask(&a.placed, &b, &x);
  assert_true(x.answer.relation == GRAZE_OVERLAPPING && x.answer.part_a == 1);
  assert_int_equal(judge(&a, &b, &x), GRAZE_OK);
  x.answer.relation = GRAZE_TOUCHING, x.answer.lower = x.answer.distance = x.answer.upper = 0;
  x.answer.part_a = 0, x.answer.certificate = x.parts[0].certificate;
  refuted(&a, &b, &x, "only a part touches");
  b = graze_place(&wide, graze_pose_at(2.5, 0, 0)); /* apart from the first */
  whole_ask(&a.placed, &b, &x);
  whole_answer apart = x;
  apart.answer.parts = apart.parts, apart.answer.relation = GRAZE_SEPARATED;
  apart.answer.lower = apart.answer.distance = apart.answer.upper = NAN;
  apart.answer.part_a = 0, apart.answer.certificate = apart.parts[0].certificate;
  refuted(&a, &b, &apart, "only a part is apart");
  /* Without the others, overlapping says nothing about how deep at most. */
  x.answer.parts = NULL, x.answer.part_count = 0;
  assert_int_equal(judge(&a, &b, &x), GRAZE_UNPROVEN);
  x.answer.lower = -INFINITY;
  assert_int_equal(judge(&a, &b, &x), GRAZE_OK);
  x.answer.relation = GRAZE_UNDECIDED, x.answer.lower = x.answer.distance = x.answer.upper = NAN;
  assert_int_equal(judge(&a, &b, &x), GRAZE_UNPROVEN);
}

/* A half-space below: every part has a vertex that decides. */
TEST(test_plane) {
  static whole a;
  static whole_answer x;
  graze_vec up = {0, 0, 2};
  graze_shape box = graze_box(0.5, 0.5, 0.5), cylinder = graze_cylinder(0.5, 0.5), plane = graze_halfspace(up, -1);
  whole_start(&a, 3);
  whole_add(&a, &box, graze_pose_at(-2, 0, 1));
  whole_add(&a, &cylinder, graze_pose_at(2, 0, 0));
  const double heights[3] = {0.5, -0.5, -1};
  const graze_relation expected[3] = {GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING};
  graze_placed floor = graze_place(&plane, graze_pose_at(0, 0, 0));
  for (int i = 0; i < 3; i++) {
    whole_place(&a, graze_pose_at(0, 5, heights[i]), 0);
    whole_ask(&a.placed, &floor, &x);
    assert_int_equal(x.answer.relation, expected[i]);
    assert_int_equal(judge(&a, &floor, &x), GRAZE_OK);
    attack_lists(&a, &floor, x);
    for (int32_t vertex = 0; vertex < 8; vertex++) {
      whole_answer other = x;
      other.answer.parts = other.parts;
      other.parts[0].certificate.vertex = vertex;
      if (vertex >= 4) refuted(&a, &floor, &other, "a higher vertex");
    }
  }
}

/* A cube by its support function: not without the word `conditional`. */
static double cube(void *context, graze_vec d, graze_vec *point) {
  (void)context;
  *point = (graze_vec){d.x > 0 ? 1 : -1, d.y > 0 ? 1 : -1, d.z > 0 ? 1 : -1};
  return 0;
}

TEST(test_conditional) {
  static whole a;
  static whole_answer x;
  graze_shape box = graze_box(1, 1, 1), user = graze_user(3, cube, NULL);
  whole_start(&a, 3);
  whole_add(&a, &box, graze_pose_at(-2, 0, 0));
  whole_add(&a, &user, graze_pose_at(2, 0, 0));
  whole_place(&a, graze_pose_at(0, 0, 0), 0);
  graze_placed b = graze_place(&box, graze_pose_at(-2, 5, 0));
  whole_ask(&a.placed, &b, &x);
  assert_int_equal(x.answer.part_a, 0);
  x.answer.conditional = true;
  assert_int_equal(judge(&a, &b, &x), GRAZE_OK);
  x.answer.conditional = false;
  assert_int_equal(judge(&a, &b, &x), GRAZE_UNPROVEN);
}
