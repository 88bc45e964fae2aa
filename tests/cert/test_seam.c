/* Seams before the verifier: a square of two pieces, with whatever can meet the edge between them. What lies inside the
 * seam overlaps and cannot be called touching; what lies on the outline touches and cannot be called overlapping; every
 * word of the certificate counts. All in a turned frame far from the origin, and with the polygon as A and as B. */

#include "support/test.h"
#include "cert/wholes.h"

static const graze_pose turned = {{1000.25, -77, 0}, 3, 0, 0, 1};

static const graze_vec left_piece[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const graze_vec right_piece[4] = {{1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}};
static const graze_vec lower_piece[4] = {{5, -1, 0}, {6, -1, 0}, {6, 0, 0}, {5, 0, 0}};

/* The seam runs from (1, 0) to (1, 1). */
static void make_square(whole *w) {
  graze_shape left = graze_polygon(left_piece, 4), right = graze_polygon(right_piece, 4);
  whole_start(w, 2);
  whole_add(w, &left, graze_pose_at(0, 0, 0));
  whole_add(w, &right, graze_pose_at(0, 0, 0));
  whole_seam(w, 0, 1, 2, 1, 0, 3);
  whole_place(w, turned, 0);
}

typedef struct question {
  whole *polygon;
  graze_placed other;
  bool swapped; /* the polygon is B */
  double clearance;
  whole_answer x;
} question;

static graze_status judge(question *q) {
  graze_options options = graze_default_options();
  options.clearance = q->clearance;
  if (q->x.answer.parts != NULL) q->x.answer.parts = q->x.parts;
  return q->swapped ? graze_verify(&q->other, &q->polygon->placed, &options, &q->x.answer)
                    : graze_verify(&q->polygon->placed, &q->other, &options, &q->x.answer);
}

static void ask(question *q) {
  if (q->swapped)
    whole_ask(&q->other, &q->polygon->placed, &q->x);
  else
    whole_ask(&q->polygon->placed, &q->other, &q->x);
}

static graze_pair pair_of(const question *q, int32_t piece, int32_t other) {
  graze_pair pair = {q->swapped ? other : piece, q->swapped ? piece : other, {0, 0, 0}, {0, 0, 0}, 0};
  return pair;
}

/* The pieces 0 and 1, by the ends of their edges and two vertices of the other body. */
static void claim_seam(question *q, int32_t first, int32_t second) {
  const int32_t edge[2][2] = {{1, 2}, {0, 3}};
  graze_answer *answer = &q->x.answer;
  answer->relation = GRAZE_OVERLAPPING;
  answer->certificate.kind = GRAZE_CERTIFICATE_SEAM;
  answer->lower = answer->distance = answer->upper = NAN;
  answer->part_a = answer->part_b = 0;
  answer->parts = NULL, answer->part_count = 0;
  for (int k = 0; k < 2; k++) {
    graze_seam_touch *touch = &answer->certificate.seam[k];
    touch->part_a = q->swapped ? 0 : k, touch->part_b = q->swapped ? k : 0;
    touch->sign = k == 0 ? -1 : 1;
    touch->pair_count = 2;
    touch->pairs[0] = pair_of(q, edge[k][0], first);
    touch->pairs[1] = pair_of(q, edge[k][1], second);
  }
}

static void refused(question *q, const char *attack) {
  graze_status status = judge(q);
  if (status != GRAZE_REFUTED) fail_msg("not refuted after the attack: %s (%s)", attack, graze_status_text(status));
}

static void attack(question q) {
  const question good = q;
  graze_seam_touch *touch = q.x.answer.certificate.seam;
  for (int k = 0; k < 2; k++) {
    const int32_t wrong[] = {-1, 2, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
      touch[k].part_a = wrong[i];
      refused(&q, "a part of A");
      touch[k] = good.x.answer.certificate.seam[k], touch[k].part_b = wrong[i];
      refused(&q, "a part of B");
      touch[k] = good.x.answer.certificate.seam[k], touch[k].pair_count = wrong[i] == 2 ? 5 : wrong[i];
      refused(&q, "how many pairs");
      touch[k] = good.x.answer.certificate.seam[k], touch[k].pairs[i / 2].a = wrong[i] == 2 ? 4 : wrong[i];
      refused(&q, "a vertex of A");
      touch[k] = good.x.answer.certificate.seam[k], touch[k].pairs[i / 2].b = wrong[i] == 2 ? 4 : wrong[i];
      refused(&q, "a vertex of B");
      touch[k] = good.x.answer.certificate.seam[k];
    }
    const int signs[] = {0, -touch[k].sign, 2, INT32_MIN};
    for (int i = 0; i < 4; i++) {
      touch[k].sign = signs[i];
      refused(&q, "the sign");
    }
    touch[k] = good.x.answer.certificate.seam[k];
    touch[k].pair_count = 1;
    refused(&q, "one pair");
    touch[k] = touch[1 - k];
    refused(&q, "one piece twice");
    touch[k] = good.x.answer.certificate.seam[k];
    /* Any other two vertices of the piece. */
    for (int32_t i = 0; i < 16; i++) {
      int32_t *at[2] = {q.swapped ? &touch[k].pairs[0].b : &touch[k].pairs[0].a,
                        q.swapped ? &touch[k].pairs[1].b : &touch[k].pairs[1].a};
      const int32_t was[2] = {*at[0], *at[1]};
      *at[0] = i / 4, *at[1] = i % 4;
      bool same = i / 4 + i % 4 == was[0] + was[1] && (i / 4 == was[0] || i / 4 == was[1]); /* the same edge */
      if (!same) refused(&q, "another edge");
      *at[0] = was[0], *at[1] = was[1];
    }
  }
  for (int relation = 1; relation <= 4; relation++) {
    if (relation == GRAZE_OVERLAPPING) continue;
    q.x.answer.relation = (graze_relation)relation;
    refused(&q, "another relation");
  }
  q = good;
  q.clearance = 0x1p-1074;
  refused(&q, "a clearance");
  q = good, touch = q.x.answer.certificate.seam;
  q.x.answer.lower = -INFINITY, q.x.answer.distance = 0, q.x.answer.upper = 0;
  assert_int_equal(judge(&q), GRAZE_OK);
  q.x.answer.lower = 0;
  assert_int_equal(judge(&q), GRAZE_UNPROVEN); /* nobody knows about the others */
  q.x.answer.lower = -INFINITY, q.x.answer.distance = q.x.answer.upper = -0x1p-1074;
  assert_int_equal(judge(&q), GRAZE_UNPROVEN);
  q.x.answer.upper = 0x1p-1074, q.x.answer.distance = 0;
  refused(&q, "an upper bound above 0");
}

/* Inside the seam. */
static void check_inside(whole *polygon, graze_shape shape, graze_pose pose, int32_t first, int32_t second) {
  for (int side = 0; side < 2; side++) {
    question q = {.polygon = polygon, .other = graze_place(&shape, pose), .swapped = side == 1};
    assert_int_equal(q.other.status, GRAZE_OK);
    ask(&q);
    assert_int_equal(q.x.answer.relation, GRAZE_TOUCHING); /* each part by itself */
    assert_int_equal(judge(&q), GRAZE_REFUTED);
    q.x.answer.parts = NULL, q.x.answer.part_count = 0;
    assert_int_equal(judge(&q), GRAZE_UNPROVEN);
    claim_seam(&q, first, second);
    assert_int_equal(judge(&q), GRAZE_OK);
    attack(q);
    /* With the proofs of all pairs, the bounds are 0. */
    whole_answer plain;
    if (side == 0)
      whole_ask(&polygon->placed, &q.other, &plain);
    else
      whole_ask(&q.other, &polygon->placed, &plain);
    for (size_t i = 0; i < plain.answer.part_count; i++) q.x.parts[i] = plain.parts[i];
    q.x.answer.part_count = plain.answer.part_count, q.x.answer.parts = q.x.parts;
    q.x.answer.lower = q.x.answer.distance = q.x.answer.upper = 0;
    assert_int_equal(judge(&q), GRAZE_OK);
    /* Without a seam they are two squares side by side. */
    polygon->compound.seam_count = 0;
    refused(&q, "no polygon");
    polygon->compound.seam_count = 1;
    polygon->seams[0].right = 0;
    refused(&q, "a seam of other pieces");
    polygon->seams[0].right = 1;
    whole_place(polygon, turned, 0x1p-1074);
    refused(&q, "a margin");
    whole_place(polygon, turned, 0);
  }
}

static void check_outside(whole *polygon, graze_shape shape, graze_pose pose, graze_relation relation) {
  for (int side = 0; side < 2; side++) {
    question q = {.polygon = polygon, .other = graze_place(&shape, pose), .swapped = side == 1};
    ask(&q);
    assert_int_equal(q.x.answer.relation, relation);
    if (relation != GRAZE_OVERLAPPING) assert_int_equal(judge(&q), GRAZE_OK);
    for (int32_t i = 0; i < 4; i++) {
      claim_seam(&q, i % 2, i / 2);
      if (shape.kind == GRAZE_POINT && i > 0) continue;
      refused(&q, "a seam that is not met inside");
    }
  }
}

static graze_shape segment_of(double ax, double ay, double bx, double by) {
  return graze_segment2((graze_vec){ax, ay, 0}, (graze_vec){bx, by, 0});
}

TEST(test_inside) {
  static whole w;
  make_square(&w);
  check_inside(&w, segment_of(1, 0.25, 1, 0.75), turned, 0, 1);
  check_inside(&w, segment_of(1, 0.25, 1, 0.25), turned, 0, 0); /* a point */
  check_inside(&w, segment_of(1, 0.3, 1, 0.3), turned, 1, 1);
  check_inside(&w, segment_of(1, 0.5, 1, 5), turned, 0, 0); /* out at the top */
  check_inside(&w, segment_of(1, -3, 1, 5), turned, 1, 0);  /* all along */
  check_inside(&w, segment_of(1, -3, 1, 0.125), turned, 1, 0);
}

TEST(test_outside) {
  static whole w;
  make_square(&w);
  check_outside(&w, segment_of(1, 1, 1, 2), turned, GRAZE_TOUCHING); /* the seam's end lies on the outline */
  check_outside(&w, segment_of(1, 0, 1, 0), turned, GRAZE_TOUCHING);
  check_outside(&w, segment_of(1, 0, 2, 0), turned, GRAZE_TOUCHING); /* along the outline */
  check_outside(&w, segment_of(2, -1, 2, 2), turned,
                GRAZE_TOUCHING); /* … and along another edge, parallel to the seam */
  check_outside(&w, segment_of(1, 1.25, 1, 2), turned, GRAZE_SEPARATED);
  check_outside(&w, segment_of(0.5, 0.5, 1, 0.5), turned, GRAZE_OVERLAPPING); /* across: one piece is enough */
  check_outside(&w, segment_of(0.5, 0.5, 1.5, 0.5), turned, GRAZE_OVERLAPPING);
}

/* Pieces on either side of one line, but nowhere beside each other: a long segment between them touches both. */
TEST(test_apart) {
  static whole w;
  graze_shape left = graze_polygon(left_piece, 4), lower = graze_polygon(lower_piece, 4);
  graze_shape right = graze_polygon(right_piece, 4);
  whole_start(&w, 2);
  whole_add(&w, &left, graze_pose_at(0, 0, 0));
  whole_add(&w, &lower, graze_pose_at(0, 0, 0));
  whole_add(&w, &right, graze_pose_at(0, 0, 0));
  whole_seam(&w, 0, 1, 2, 2, 0, 3);
  whole_seam(&w, 0, 0, 1, 1, 3, 2); /* whoever says so */
  whole_place(&w, turned, 0);
  graze_shape segment = segment_of(0.5, 0, 5.5, 0);
  question q = {.polygon = &w, .other = graze_place(&segment, turned)};
  claim_seam(&q, 0, 1);
  graze_seam_touch *touch = q.x.answer.certificate.seam;
  touch[0].sign = 1, touch[0].pairs[0] = pair_of(&q, 0, 1), touch[0].pairs[1] = pair_of(&q, 1, 0);
  touch[1].sign = -1, touch[1].pairs[0] = pair_of(&q, 3, 1), touch[1].pairs[1] = pair_of(&q, 2, 0);
  for (int i = 0; i < 4; i++) {
    touch[0].sign = i % 2 ? 1 : -1, touch[1].sign = i / 2 ? 1 : -1;
    refused(&q, "pieces far apart");
  }
}

/* Whatever a compound says about its seams: a piece without an inside covers nothing, nor do two on one side. */
TEST(test_false_seams) {
  static whole w;
  static const graze_vec flat_piece[4] = {{1, 0, 0}, {1, 0.5, 0}, {1, 0.5, 0}, {1, 1, 0}};
  static const graze_vec same_side[4] = {{1, 0, 0}, {0.5, 0, 0}, {0.5, 1, 0}, {1, 1, 0}};
  const graze_vec *second[2] = {flat_piece, same_side};
  graze_shape left = graze_polygon(left_piece, 4), segment = segment_of(1, 0.25, 1, 0.75);
  for (int i = 0; i < 2; i++) {
    graze_shape right = graze_polygon(second[i], 4);
    whole_start(&w, 2);
    whole_add(&w, &left, graze_pose_at(0, 0, 0));
    whole_add(&w, &right, graze_pose_at(0, 0, 0));
    whole_seam(&w, 0, 1, 2, 1, 0, 3);
    whole_place(&w, turned, 0);
    question q = {.polygon = &w, .other = graze_place(&segment, turned)};
    claim_seam(&q, 0, 1);
    refused(&q, "a false seam");
    q.x.answer.certificate.seam[1].sign = -1;
    refused(&q, "both on one side");
    q.x.answer.certificate.seam[0].sign = 1, q.x.answer.certificate.seam[1].sign = 1;
    refused(&q, "both on the other side");
  }
}

/* A flat ellipse, whose points are named by their coordinates. */
TEST(test_flat_ellipse) {
  static whole w;
  make_square(&w);
  graze_shape flat = graze_ellipse(0, 0.25);
  graze_pose pose = {{1, 0.5, 0}, 1, 0, 0, 0};
  whole_place(&w, graze_pose_at(0, 0, 0), 0);
  question q = {.polygon = &w, .other = graze_place(&flat, pose)};
  claim_seam(&q, -1, -1);
  for (int k = 0; k < 2; k++) {
    q.x.answer.certificate.seam[k].pairs[0].point_b = (graze_vec){0, -0.25, 0};
    q.x.answer.certificate.seam[k].pairs[1].point_b = (graze_vec){0, 0.25, 0};
  }
  assert_int_equal(judge(&q), GRAZE_OK);
  q.x.answer.certificate.seam[1].pairs[1].point_b.y = 0.5;
  refused(&q, "a point outside");
  q.x.answer.certificate.seam[1].pairs[1].point_b.y = 0.25;
  flat = graze_ellipse(0x1p-1074, 0.25);
  q.other = graze_place(&flat, pose);
  refused(&q, "an ellipse with an inside");
}
