/* What lies inside a seam of a decomposed polygon lies inside the polygon; where the seam ends the outline begins.
 * Exact, by construction: coordinates are multiples of 1/512, and polygon and body share their pose. */

#include "support/test.h"
#include "support/compounds.h"

enum { PIECES = 12 };

static rng dice;
static polygon_strip strip;
static graze_compound *whole, *loose; /* decomposed; the same pieces as mere parts */
static graze_pose pose;
static long asked[5];

static int set_up(void **unused) {
  (void)unused;
  graze_placed parts[PIECES];
  dice = 31;
  random_strip(&dice, PIECES, &strip);
  if (graze_decomposition_compound(&strip.decomposition, NULL, &whole) != GRAZE_OK) return -1;
  for (int i = 0; i < PIECES; i++) {
    graze_shape piece = graze_polygon(strip.corners + 4 * i, 4);
    parts[i] = graze_place(&piece, graze_pose_at(0, 0, 0));
  }
  return graze_compound_create(parts, PIECES, NULL, &loose, NULL) == GRAZE_OK ? 0 : -1;
}

static int tear_down(void **unused) {
  (void)unused;
  graze_compound_destroy(whole);
  graze_compound_destroy(loose);
  return 0;
}

/* The point t/8 of the way up seam i; 0 and 8 are its ends. */
static graze_vec on_seam(int i, int t) {
  graze_vec from = strip.seams[i].from, to = strip.seams[i].to;
  return (graze_vec){from.x + (to.x - from.x) * t / 8, from.y + (to.y - from.y) * t / 8, 0};
}

static graze_placed place(const graze_shape *shape) { return graze_place(shape, pose); }

static graze_placed place_whole(const graze_compound *compound) {
  graze_shape shape = graze_compound_shape(compound);
  return place(&shape);
}

/* That nothing lies deeper is for all pairs of parts to show. */
static void verify(const graze_placed *a, const graze_placed *b, const graze_answer *answer) {
  static graze_part_proof proofs[4 * PIECES];
  graze_answer claim = *answer;
  graze_options all = graze_default_options();
  claim.distance = claim.lower = NAN;
  assert_int_equal(graze_verify(a, b, NULL, &claim), GRAZE_OK);
  all.parts = proofs, all.part_capacity = 4 * PIECES;
  assert_int_equal(graze_distance(a, b, &all, &claim), GRAZE_OK);
  assert_int_equal(claim.certificate.kind, GRAZE_CERTIFICATE_SEAM);
  assert_int_equal(graze_verify(a, b, &all, &claim), GRAZE_OK);
  claim.relation = GRAZE_TOUCHING; /* which every pair by itself is, or separated */
  claim.certificate.kind = GRAZE_CERTIFICATE_TOUCH;
  assert_int_equal(graze_verify(a, b, &all, &claim), GRAZE_REFUTED);
}

static void check_seam(const graze_placed *a, const graze_placed *b, const graze_answer *answer) {
  const graze_seam_touch *touch = answer->certificate.seam;
  assert_true(answer->distance == 0 && answer->lower == 0 && answer->upper == 0);
  assert_true(touch[0].sign == -1 && touch[1].sign == 1 && touch[0].pair_count == 2 && touch[1].pair_count == 2);
  bool first = a->shape.kind == GRAZE_COMPOUND;
  int32_t left = first ? touch[0].part_a : touch[0].part_b, right = first ? touch[1].part_a : touch[1].part_b;
  assert_int_equal(right, left + 1);
  assert_int_equal(first ? touch[0].part_b : touch[0].part_a, 0);
  verify(a, b, answer);
}

static void ask(const graze_placed *a, const graze_placed *b, graze_relation expected, bool seam) {
  graze_answer answer;
  graze_contact contacts[8];
  size_t count = 99;
  assert_int_equal(graze_intersect(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, expected);
  assert_int_equal(answer.certificate.kind == GRAZE_CERTIFICATE_SEAM, seam);
  assert_int_equal(graze_distance(a, b, NULL, &answer), GRAZE_OK);
  assert_int_equal(answer.relation, expected);
  assert_int_equal(answer.certificate.kind == GRAZE_CERTIFICATE_SEAM, seam);
  if (seam) check_seam(a, b, &answer);
  assert_int_equal(graze_manifold(a, b, NULL, &answer, contacts, 8, &count), GRAZE_OK);
  assert_int_equal(answer.relation, expected);
  assert_int_equal(answer.certificate.kind == GRAZE_CERTIFICATE_SEAM, seam);
  assert_in_range(count, 1, 8);
  asked[expected]++;
}

/* As A and as B, whatever the pose. */
static void expect(graze_shape body, graze_relation expected, bool seam) {
  for (int i = 0; i < 4; i++) {
    pose = i == 0 ? graze_pose_at(0, 0, 0) : random_grid_pose(&dice, 2, 100);
    graze_placed a = place_whole(whole), b = place(&body);
    ask(&a, &b, expected, seam);
    ask(&b, &a, expected, seam);
  }
}

static graze_shape point_at(graze_vec at) { return graze_segment2(at, at); }

TEST_WITH(test_points, set_up, tear_down) {
  for (int i = 0; i + 1 < PIECES; i++) {
    for (int t = 1; t < 8; t++) {
      graze_relation relation;
      expect(point_at(on_seam(i, t)), GRAZE_OVERLAPPING, true);
      pose = graze_pose_at(0, 0, 0);
      graze_placed a = place_whole(whole), b = place_whole(loose);
      assert_int_equal(graze_contains(&a, on_seam(i, t), &relation), GRAZE_OK);
      assert_int_equal(relation, GRAZE_OVERLAPPING);
      assert_int_equal(graze_contains(&b, on_seam(i, t), &relation), GRAZE_OK);
      assert_int_equal(relation, GRAZE_TOUCHING);
    }
    expect(point_at(on_seam(i, 0)), GRAZE_TOUCHING, false);
    expect(point_at(on_seam(i, 8)), GRAZE_TOUCHING, false);
    expect(point_at(on_seam(i, 9)), GRAZE_SEPARATED, false);
  }
}

/* Along the seam: inside it, over both ends, over one, from an end away. */
TEST_WITH(test_segments, set_up, tear_down) {
  static const int inside[][2] = {{2, 3}, {0, 8}, {-4, 12}, {7, 12}, {-4, 1}, {8, 0}};
  for (int i = 0; i + 1 < PIECES; i++) {
    for (int k = 0; k < 6; k++)
      expect(graze_segment2(on_seam(i, inside[k][0]), on_seam(i, inside[k][1])), GRAZE_OVERLAPPING, true);
    expect(graze_segment2(on_seam(i, 8), on_seam(i, 12)), GRAZE_TOUCHING, false);
    expect(graze_segment2(on_seam(i, -4), on_seam(i, 0)), GRAZE_TOUCHING, false);
    expect(graze_segment2(on_seam(i, 9), on_seam(i, 12)), GRAZE_SEPARATED, false);
    expect(graze_segment2(on_seam(i, 4), (graze_vec){100, 3, 0}), GRAZE_OVERLAPPING, false);
  }
}

/* Every way to be flat, and a ball of any kind, which is not. */
TEST_WITH(test_shapes, set_up, tear_down) {
  graze_vec p = on_seam(3, 2), q = on_seam(3, 4), r = on_seam(3, 7);
  const graze_vec line[4] = {q, p, r, q}, bent[3] = {p, q, {q.x + 1, q.y, 0}};
  expect(graze_triangle2(p, r, q), GRAZE_OVERLAPPING, true);
  expect(graze_hull2(line, 4), GRAZE_OVERLAPPING, true);
  expect(graze_polygon(line, 3), GRAZE_OVERLAPPING, true);
  expect(graze_triangle2(bent[0], bent[1], bent[2]), GRAZE_OVERLAPPING, false);
  expect(graze_with_margin(point_at(q), 0x1p-60), GRAZE_OVERLAPPING, false);
  graze_answer answer;
  graze_options options = graze_default_options();
  options.clearance = 1e-300;
  graze_shape point = point_at(q), rounded = graze_with_margin(graze_compound_shape(whole), 1e-300);
  graze_placed a = place_whole(whole), b = place(&point), c = place(&rounded);
  assert_int_equal(graze_distance(&a, &b, &options, &answer), GRAZE_OK);
  assert_true(answer.relation == GRAZE_OVERLAPPING && answer.certificate.kind == GRAZE_CERTIFICATE_NEAR);
  assert_int_equal(graze_distance(&c, &b, NULL, &answer), GRAZE_OK);
  assert_true(answer.relation == GRAZE_OVERLAPPING && answer.certificate.kind == GRAZE_CERTIFICATE_NEAR);
}

/* A vertical seam, and bodies that are placed on it: points, boxes and ellipses without breadth; shapes of the
 * caller's, of which only they know. */
static double user_point(void *context, graze_vec direction, graze_vec *point) {
  (void)context, (void)direction;
  *point = (graze_vec){0, 0, 0};
  return 0;
}

TEST_WITH(test_placed, set_up, tear_down) {
  static const graze_vec corners[8] = {{-1, -1, 0}, {0, -1, 0}, {0, 1, 0}, {-1, 1, 0},
                                       {0, -1, 0},  {1, -1, 0}, {1, 1, 0}, {0, 1, 0}};
  static const size_t start[3] = {0, 4, 8};
  const graze_seam seam = {0, 1, {0, -1, 0}, {0, 1, 0}};
  graze_decomposition two = {
      .vertices = corners, .piece_start = start, .piece_count = 2, .seams = &seam, .seam_count = 1};
  graze_compound *square;
  graze_answer answer;
  assert_int_equal(graze_decomposition_compound(&two, NULL, &square), GRAZE_OK);
  const graze_shape flat[5] = {graze_point2(), graze_box2(0, 0.25), graze_ellipse(0, 0.25), graze_circle(0),
                               graze_ellipse(0, 0)};
  graze_shape shape = graze_compound_shape(square), user = graze_user(2, user_point, NULL);
  graze_placed a = graze_place(&shape, graze_pose_at(0, 0, 0));
  for (int i = 0; i < 5; i++) {
    graze_placed in = graze_place(&flat[i], graze_pose_at(0, 0.5, 0)),
                 on = graze_place(&flat[i], graze_pose_at(1, 0, 0));
    assert_int_equal(graze_distance(&a, &in, NULL, &answer), GRAZE_OK);
    assert_true(answer.relation == GRAZE_OVERLAPPING && answer.certificate.kind == GRAZE_CERTIFICATE_SEAM);
    verify(&a, &in, &answer);
    assert_int_equal(graze_intersect(&on, &a, NULL, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, GRAZE_TOUCHING);
  }
  graze_placed u = graze_place(&user, graze_pose_at(0, 0.5, 0));
  assert_int_equal(graze_distance(&a, &u, NULL, &answer), GRAZE_OK);
  assert_true(answer.relation == GRAZE_UNDECIDED && answer.conditional);
  assert_true(answer.lower <= 0 && answer.upper >= 0);
  graze_compound_destroy(square);
}

/* A strip against a compound of points and segments, some of them on its seams. */
TEST_WITH(test_parts, set_up, tear_down) {
  graze_placed parts[3];
  graze_answer answer;
  graze_compound *dust;
  pose = graze_pose_at(0, 0, 0);
  const graze_shape shape[3] = {point_at((graze_vec){50, 0, 0}), point_at(on_seam(2, 0)), point_at(on_seam(5, 3))};
  for (int i = 0; i < 3; i++) parts[i] = place(&shape[i]);
  for (int count = 1; count <= 3; count++) {
    static const graze_relation expected[4] = {0, GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING};
    assert_int_equal(graze_compound_create(parts, (size_t)count, NULL, &dust, NULL), GRAZE_OK);
    pose = random_grid_pose(&dice, 2, 10);
    graze_placed a = place_whole(whole), b = place_whole(dust);
    assert_int_equal(graze_distance(&a, &b, NULL, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, expected[count]);
    assert_int_equal(answer.part_b, count - 1);
    assert_int_equal(graze_distance(&b, &a, NULL, &answer), GRAZE_OK);
    assert_int_equal(answer.relation, expected[count]);
    if (count == 3) verify(&b, &a, &answer);
    graze_compound_destroy(dust);
  }
}

/* Points of a lattice, most of them off the seams, by how the outline goes around them. */
static graze_relation expected_of(graze_vec at) {
  graze_vec outline[2 * PIECES + 2];
  for (int i = 0; i <= PIECES; i++) {
    outline[i] = strip.below[i];
    outline[PIECES + 1 + i] = strip.above[PIECES - i];
  }
  graze_ring ring = {outline, 2 * PIECES + 2};
  return locate_point(&ring, 1, at);
}

TEST_WITH(test_lattice, set_up, tear_down) { /* seed 32 */
  long count[5] = {0}, touched = 0;
  dice = 32;
  pose = graze_pose_at(0, 0, 0);
  graze_placed a = place_whole(whole), b = place_whole(loose);
  for (int i = 0; i < 40000; i++) {
    graze_relation relation, apart;
    int seam = rng_below(&dice, PIECES - 1);
    graze_vec at = {rng_below(&dice, 64 * PIECES) / 64.0, (rng_below(&dice, 256) - 128) / 64.0, 0};
    if (rng_below(&dice, 8) == 0) at = on_seam(seam, rng_below(&dice, 11) - 1);
    if (rng_below(&dice, 16) == 0) at = strip.below[1 + seam];
    assert_int_equal(graze_contains(&a, at, &relation), GRAZE_OK);
    assert_int_equal(relation, expected_of(at));
    assert_int_equal(graze_contains(&b, at, &apart), GRAZE_OK);
    touched += relation == GRAZE_OVERLAPPING && apart == GRAZE_TOUCHING;
    count[relation]++;
  }
  assert_in_range(count[GRAZE_OVERLAPPING], 15000, 30000);
  assert_in_range(count[GRAZE_TOUCHING], 2000, 6000);
  assert_in_range(touched, 2000, 8000);
}
