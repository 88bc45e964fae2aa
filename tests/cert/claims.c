/* Hand-made answers and the attacks on them. */
#include "cert/claims.h"

#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

claim claim_make(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_relation relation,
                 graze_certificate_kind kind) {
  claim c;
  memset(&c, 0, sizeof c);
  c.a = graze_place(&a, pose_a);
  c.b = graze_place(&b, pose_b);
  c.answer.relation = relation;
  c.answer.certificate.kind = kind;
  c.answer.certificate.vertex = -1;
  if (relation != GRAZE_TOUCHING) claim_interval(&c, NAN, NAN, NAN);
  return c;
}

graze_pair claim_vertices(int a, int b) {
  graze_pair pair = {a, b, {NAN, NAN, NAN}, {NAN, NAN, NAN}, 0}; /* the points of vertices are not looked at */
  return pair;
}

graze_pair claim_points(int a, graze_vec point_a, int b, graze_vec point_b) {
  graze_pair pair = {a, b, point_a, point_b, 0};
  return pair;
}

void claim_vector(claim *c, double x, double y, double z) {
  graze_direction d = {.form = GRAZE_DIRECTION_VECTOR, .vector = {x, y, z}};
  c->answer.certificate.direction = d;
}

void claim_from_pairs(claim *c, graze_direction_form form, int sign, int axis, int count, const graze_pair *pairs) {
  graze_direction d = {.form = form, .sign = sign, .axis = axis, .count = count};
  for (int i = 0; i < count; i++) d.pairs[i] = pairs[i];
  c->answer.certificate.direction = d;
}

void claim_pairs(claim *c, int count, const graze_pair *pairs) {
  c->answer.certificate.pair_count = count;
  for (int i = 0; i < count; i++) c->answer.certificate.pairs[i] = pairs[i];
}

void claim_interval(claim *c, double lower, double distance, double upper) {
  c->answer.lower = lower;
  c->answer.distance = distance;
  c->answer.upper = upper;
}

graze_status claim_judge(const claim *c) { return graze_verify(&c->a, &c->b, &c->options, &c->answer); }

static void refused(const claim *c, const char *attack) {
  graze_status status = claim_judge(c);
  if (status == GRAZE_OK) print_error("accepted after the attack: %s\n", attack);
  assert_true(status == GRAZE_REFUTED || status == GRAZE_UNPROVEN);
}

static void refuted(const claim *c, const char *attack) {
  graze_status status = claim_judge(c);
  if (status != GRAZE_REFUTED) print_error("not refuted after the attack: %s\n", attack);
  assert_int_equal(status, GRAZE_REFUTED);
}

static bool overlap_kind(int kind) { return kind == GRAZE_CERTIFICATE_INSIDE || kind == GRAZE_CERTIFICATE_NEAR; }

static void attack_words(claim c) {
  const graze_answer whole = c.answer;
  const int relations[] = {GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING, 0, 5, -1, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
    if (relations[i] == (int)whole.relation) continue;
    c.answer.relation = (graze_relation)relations[i];
    refused(&c, "another relation");
  }
  c.answer = whole;
  const int kinds[] = {0, 1, 2, 3, 4, 5, 6, -1, INT_MAX, INT_MIN};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && whole.relation != GRAZE_UNDECIDED; i++) {
    int kind = (int)whole.certificate.kind;
    if (kinds[i] == kind || (overlap_kind(kinds[i]) && overlap_kind(kind))) continue;
    c.answer.certificate.kind = (graze_certificate_kind)kinds[i];
    refused(&c, "another kind");
  }
}

/* Indices that are no vertex, points that are outside. The pair is one of the claim's own. */
static void attack_pair(const claim *c, graze_pair *pair) {
  const graze_pair whole = *pair;
  const int32_t wrong[] = {-2, INT32_MAX, INT32_MIN, whole.a < 0 ? 0 : -1};
  const int32_t wrong_b[] = {-2, INT32_MAX, INT32_MIN, whole.b < 0 ? 0 : -1};
  for (size_t i = 0; i < 4; i++) {
    pair->a = wrong[i];
    refuted(c, "an index of A");
    pair->a = whole.a;
    pair->b = wrong_b[i];
    refuted(c, "an index of B");
    *pair = whole;
  }
  const graze_vec outside[] = {{1e41, 0, 0}, {0, NAN, 0}, {0, 0, INFINITY}, {9e39, 9e39, 9e39}};
  for (size_t i = 0; i < 4; i++) {
    if (whole.a < 0 && c->a.shape.kind != GRAZE_USER) {
      pair->point_a = outside[i];
      refuted(c, "a point outside A");
    }
    *pair = whole;
    if (whole.b < 0 && c->b.shape.kind != GRAZE_USER) {
      pair->point_b = outside[i];
      refuted(c, "a point outside B");
    }
    *pair = whole;
  }
}

static void attack_pairs(claim c) {
  graze_certificate *proof = &c.answer.certificate;
  for (int i = 0; i < proof->pair_count; i++) attack_pair(&c, &proof->pairs[i]);
}

static void attack_counts(claim c) {
  const graze_certificate whole = c.answer.certificate;
  const int counts[] = {-1, 7, INT_MAX, INT_MIN};
  for (size_t i = 0; i < 4; i++) {
    c.answer.certificate.pair_count = counts[i];
    refuted(&c, "a pair count");
  }
  c.answer.certificate = whole;
  if (whole.direction.count == 0) return;
  const int direction_counts[] = {-1, 0, 5, INT_MAX, INT_MIN};
  for (size_t i = 0; i < 5; i++) {
    c.answer.certificate.direction.count = direction_counts[i];
    refuted(&c, "a direction's count");
  }
}

static void attack_direction(claim c) {
  graze_direction *d = &c.answer.certificate.direction;
  const graze_direction whole = *d;
  const graze_vec bad[] = {{0, 0, 0}, {NAN, 0, 0}, {1, INFINITY, 0}, {1, 0, -INFINITY}};
  for (size_t i = 0; i < 4; i++) {
    d->form = GRAZE_DIRECTION_VECTOR;
    d->vector = bad[i];
    refuted(&c, "a vector that is no direction");
  }
  const int forms[] = {5, -1, INT_MAX, INT_MIN};
  *d = whole;
  for (size_t i = 0; i < 4; i++) {
    d->form = (graze_direction_form)forms[i];
    refuted(&c, "a form");
  }
  *d = whole;
  bool product = d->form == GRAZE_DIRECTION_FACET || d->form == GRAZE_DIRECTION_EDGE;
  const int signs[] = {0, 2, -2, INT_MIN};
  for (size_t i = 0; i < 4 && product; i++) {
    d->sign = signs[i];
    refuted(&c, "a sign");
  }
  *d = whole;
  const int axes[] = {-1, 3, INT_MAX};
  for (size_t i = 0; i < 3 && d->form == GRAZE_DIRECTION_EDGE; i++) {
    d->axis = axes[i];
    refuted(&c, "an axis");
  }
  *d = whole;
  for (int i = 0; i < d->count; i++) attack_pair(&c, &d->pairs[i]);
}

static void attack_turned(claim c) {
  graze_direction *d = &c.answer.certificate.direction;
  if (c.answer.relation != GRAZE_SEPARATED) return;
  d->sign = -d->sign;
  d->vector = (graze_vec){-d->vector.x, -d->vector.y, -d->vector.z};
  if (d->form != GRAZE_DIRECTION_NEAREST) refuted(&c, "the opposite direction");
  d->form = GRAZE_DIRECTION_NONE;
  refused(&c, "no direction");
}

/* Numbers that contradict the relation, true as bounds though they may be. */
static void attack_signs(claim c) {
  const graze_answer whole = c.answer;
  const double tiny = 0x1p-1074;
  switch (whole.relation) {
  case GRAZE_SEPARATED:
    c.answer.lower = -tiny;
    refuted(&c, "separated with a negative lower bound");
    c.answer = whole;
    claim_interval(&c, whole.lower, 0, whole.upper);
    refuted(&c, "separated at distance 0");
    claim_interval(&c, 0, NAN, 0);
    refuted(&c, "separated with upper 0");
    return;
  case GRAZE_TOUCHING:
    for (int i = 0; i < 6; i++) {
      const double wrong = i % 2 ? NAN : i < 3 ? -tiny : tiny;
      claim_interval(&c, i / 2 == 0 ? wrong : 0, i / 2 == 1 ? wrong : 0, i / 2 == 2 ? wrong : 0);
      refuted(&c, "touching, but not all 0");
    }
    return;
  case GRAZE_OVERLAPPING:
    c.answer.upper = tiny;
    refuted(&c, "overlapping with a positive upper bound");
    c.answer = whole;
    claim_interval(&c, whole.lower, 0, 0);
    refuted(&c, "overlapping at distance 0");
    claim_interval(&c, 0, NAN, 0);
    refused(&c, "overlapping with lower 0");
    return;
  default:
    c.answer.lower = tiny;
    refuted(&c, "undecided with a positive lower bound");
    c.answer = whole;
    c.answer.upper = -tiny;
    refuted(&c, "undecided with a negative upper bound");
    return;
  }
}

static void attack_numbers(claim c) {
  const graze_answer whole = c.answer;
  c.answer.lower = INFINITY;
  refuted(&c, "infinite lower");
  c.answer = whole;
  c.answer.upper = -INFINITY;
  refuted(&c, "infinite upper");
  c.answer = whole;
  if (!isnan(whole.lower)) {
    c.answer.distance = nextafter(whole.lower, -INFINITY);
    refuted(&c, "a distance below lower");
  }
  if (!isnan(whole.upper)) {
    c.answer.distance = nextafter(whole.upper, INFINITY);
    refuted(&c, "a distance above upper");
  }
  c.answer = whole;
  if (isnan(whole.lower) || isnan(whole.upper)) return;
  c.answer.lower = NAN;
  if (!isnan(whole.distance)) refused(&c, "a distance without a lower bound");
  c.answer = whole;
  c.answer.upper = NAN;
  if (!isnan(whole.distance)) refused(&c, "a distance without an upper bound");
  c.answer = whole;
  c.answer.lower = whole.upper;
  c.answer.upper = nextafter(whole.lower, -INFINITY);
  c.answer.distance = NAN;
  refuted(&c, "bounds out of order");
}

void claim_check(const claim *c) {
  assert_int_equal(c->a.status, GRAZE_OK);
  assert_int_equal(c->b.status, GRAZE_OK);
  assert_int_equal(claim_judge(c), GRAZE_OK);
  bool plane = c->a.shape.kind == GRAZE_HALFSPACE || c->b.shape.kind == GRAZE_HALFSPACE;
  attack_words(*c);
  attack_numbers(*c);
  attack_signs(*c);
  if (plane) return; /* no direction, no pairs */
  attack_pairs(*c);
  attack_counts(*c);
  attack_turned(*c);
  if (c->answer.certificate.direction.form != GRAZE_DIRECTION_NONE) attack_direction(*c);
}

void claim_check_tight(const claim *c) {
  claim_check(c);
  claim moved = *c;
  moved.answer.distance = NAN;
  moved.answer.lower = nextafter(c->answer.lower, INFINITY);
  if (moved.answer.lower > moved.answer.upper) moved.answer.upper = moved.answer.lower;
  refuted(&moved, "lower raised by one ulp");
  moved = *c;
  moved.answer.distance = NAN;
  moved.answer.upper = nextafter(c->answer.upper, -INFINITY);
  if (moved.answer.upper < moved.answer.lower) moved.answer.lower = moved.answer.upper;
  refuted(&moved, "upper lowered by one ulp");
}
