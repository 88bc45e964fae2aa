/* Hand-made answers and the attacks on them. */
#include "verify/claims.h"

#include <limits.h>

claim claim_make(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_relation relation,
                 graze_certificate_kind kind) {
  claim c;
  memset(&c, 0, sizeof c);
  c.a = graze_place(&a, pose_a);
  c.b = graze_place(&b, pose_b);
  c.answer.certificate.vertex = -1;
  return with_relation(c, relation, kind);
}

claim separated(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  return claim_make(a, pose_a, b, pose_b, GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED);
}

claim touching(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  return claim_make(a, pose_a, b, pose_b, GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
}

claim overlapping(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_certificate_kind kind) {
  return claim_make(a, pose_a, b, pose_b, GRAZE_OVERLAPPING, kind);
}

claim_pair vertices(int a, int b) { return points(a, vec(NAN, NAN, NAN), b, vec(NAN, NAN, NAN)); }

claim_pair points(int a, graze_vec point_a, int b, graze_vec point_b) {
  return (claim_pair){.a = a, .b = b, .point_a = point_a, .point_b = point_b};
}

static int32_t put_parent(graze_certificate *certificate, int index, graze_vec point) {
  if (index >= 0) return index;
  certificate->points[certificate->point_count] = point;
  return -1 - certificate->point_count++;
}

void put_pairs(graze_certificate *certificate, graze_pair *to, pair_list pairs) {
  for (int i = 0; i < pairs.count; i++) {
    const claim_pair *p = &pairs.at[i];
    to[i].a = put_parent(certificate, p->a, p->point_a);
    to[i].b = put_parent(certificate, p->b, p->point_b);
    to[i].end = p->end;
  }
}

claim with_vector(claim c, double x, double y, double z) {
  c.answer.certificate.direction = (graze_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = {x, y, z}};
  return c;
}

claim with_direction(claim c, graze_direction_form form, int sign, int axis, pair_list pairs) {
  graze_direction *d = &c.answer.certificate.direction;
  *d = (graze_direction){.form = form, .sign = sign, .axis = axis, .count = pairs.count};
  put_pairs(&c.answer.certificate, d->pairs, pairs);
  return c;
}

claim with_nearest(claim c, pair_list pairs) { return with_direction(c, GRAZE_DIRECTION_NEAREST, 0, 0, pairs); }

claim with_pairs(claim c, pair_list pairs) {
  c.answer.certificate.pair_count = pairs.count;
  put_pairs(&c.answer.certificate, c.answer.certificate.pairs, pairs);
  return c;
}

claim with_interval(claim c, double lower, double distance, double upper) {
  c.answer.lower = lower, c.answer.distance = distance, c.answer.upper = upper;
  return c;
}

claim with_relation(claim c, graze_relation relation, graze_certificate_kind kind) {
  const double number = relation == GRAZE_TOUCHING ? 0 : NAN;
  c.answer.relation = relation, c.answer.certificate.kind = kind;
  return with_interval(c, number, number, number);
}

claim with_clearance(claim c, double clearance) {
  c.options.clearance = clearance;
  return c;
}

claim exchanged(claim c) {
  graze_placed a = c.a;
  c.a = c.b, c.b = a;
  return c;
}

static int strength(graze_relation relation) {
  return relation == GRAZE_OVERLAPPING ? 3 : relation == GRAZE_UNDECIDED ? 2 : relation == GRAZE_TOUCHING ? 1 : 0;
}

claim claim_of_parts(const graze_placed *a, const graze_placed *b, graze_part_proof *proofs) {
  claim c = {.a = *a, .b = *b};
  size_t count = 0, na = graze_part_count(a), nb = graze_part_count(b);
  double lower = INFINITY;
  assert_true(na * nb <= CLAIM_PROOFS);
  for (size_t i = 0; i < na; i++) {
    for (size_t j = 0; j < nb; j++, count++) {
      const graze_placed part_a = graze_part(a, i), part_b = graze_part(b, j);
      proved_answer answer = distance(&part_a, &part_b, NULL);
      proofs[count] = (graze_part_proof){(int32_t)i, (int32_t)j, answer.certificate};
      lower = fmin(lower, answer.lower);
      const int order = strength(answer.relation) - strength(c.answer.relation);
      if (count > 0 && (order < 0 || (order == 0 && !(answer.upper < c.answer.upper)))) continue;
      answer.part_a = (int32_t)i, answer.part_b = (int32_t)j;
      c.answer = answer;
    }
  }
  c.answer.lower = lower, c.answer.certificate.parts = proofs, c.answer.certificate.part_count = count;
  return c;
}

graze_status claim_status(const claim *c) { return verify_answer(&c->a, &c->b, &c->options, &c->answer); }

void expect_at(claim c, graze_status status, const char *file, int line) {
  const graze_status got = claim_status(&c);
  if (got == status) return;
  print_error("%s, not %s\n", graze_status_text(got), graze_status_text(status));
  _fail(file, line);
}

/* Where check() or check_tight() stands. */
static const char *check_file;
static int check_line;

static void rejected(const claim *c, bool or_unproven, const char *what) {
  const graze_status status = claim_status(c);
  if (status == GRAZE_REFUTED || (or_unproven && status == GRAZE_UNPROVEN)) return;
  print_error("%s after the attack on %s\n", graze_status_text(status), what);
  _fail(check_file ? check_file : __FILE__, check_file ? check_line : __LINE__);
}

static void refuted(claim c, const char *what) { rejected(&c, false, what); }

void reject_each(const claim *c, bool or_unproven, void *field, size_t size, size_t count, const void *values,
                 const char *what) {
  unsigned char kept[sizeof(claim_pair)];
  memcpy(kept, field, size);
  for (size_t i = 0; i < count; i++) {
    const unsigned char *value = (const unsigned char *)values + i * size;
    if (memcmp(kept, value, size) == 0) continue;
    memcpy(field, value, size);
    rejected(c, or_unproven, what);
  }
  memcpy(field, kept, size);
}

static void attack_enumerators(claim c) {
  graze_certificate *proof = &c.answer.certificate;
  REJECT_EACH(&c, int, c.answer.relation, 1, 2, 3, 0, 5, -1, INT_MAX, INT_MIN);
  if (c.answer.relation == GRAZE_UNDECIDED) return;
  REJECT_EACH(&c, int, proof->kind, 0, 1, 2, 5, 6, -1, INT_MAX, INT_MIN);
  if (proof->kind != GRAZE_CERTIFICATE_INSIDE && proof->kind != GRAZE_CERTIFICATE_NEAR) /* these two may be exchanged */
    REJECT_EACH(&c, int, proof->kind, GRAZE_CERTIFICATE_INSIDE, GRAZE_CERTIFICATE_NEAR);
}

/* Indices that are no vertices or points, and points outside. */
static void attack_pair(const claim *c, graze_pair *pair) {
  graze_vec *point = (graze_vec *)c->answer.certificate.points;
  const bool curved_a = pair->a < 0, curved_b = pair->b < 0;
  REFUTE_EACH(c, int32_t, pair->a, -100, INT32_MAX, INT32_MIN, curved_a ? 0 : -1);
  REFUTE_EACH(c, int32_t, pair->b, -100, INT32_MAX, INT32_MIN, curved_b ? 0 : -1);
  if (curved_a && c->a.shape.kind != GRAZE_USER)
    REFUTE_EACH(c, graze_vec, point[-1 - pair->a], {1e41, 0, 0}, {0, NAN, 0}, {0, 0, INFINITY}, {9e39, 9e39, 9e39});
  if (curved_b && c->b.shape.kind != GRAZE_USER)
    REFUTE_EACH(c, graze_vec, point[-1 - pair->b], {1e41, 0, 0}, {0, NAN, 0}, {0, 0, INFINITY}, {9e39, 9e39, 9e39});
}

static void attack_pairs(claim c) {
  graze_certificate *proof = &c.answer.certificate;
  for (int i = 0; i < proof->pair_count; i++) attack_pair(&c, &proof->pairs[i]);
  for (int i = 0; i < proof->direction.count; i++) attack_pair(&c, &proof->direction.pairs[i]);
  REFUTE_EACH(&c, int, proof->pair_count, -1, 7, INT_MAX, INT_MIN);
  if (proof->direction.count > 0) REFUTE_EACH(&c, int, proof->direction.count, -1, 0, 5, INT_MAX, INT_MIN);
}

static void attack_direction(claim c) {
  graze_direction *d = &c.answer.certificate.direction;
  const graze_direction kept = *d;
  if (d->form != GRAZE_DIRECTION_NONE) {
    d->form = GRAZE_DIRECTION_VECTOR;
    REFUTE_EACH(&c, graze_vec, d->vector, {0, 0, 0}, {NAN, 0, 0}, {1, INFINITY, 0}, {1, 0, -INFINITY});
    *d = kept;
    REFUTE_EACH(&c, int, d->form, 5, -1, INT_MAX, INT_MIN);
    if (d->form == GRAZE_DIRECTION_FACET || d->form == GRAZE_DIRECTION_EDGE)
      REFUTE_EACH(&c, int, d->sign, 0, 2, -2, INT_MIN);
    if (d->form == GRAZE_DIRECTION_EDGE) REFUTE_EACH(&c, int, d->axis, -1, 3, INT_MAX);
  }
  if (c.answer.relation != GRAZE_SEPARATED) return;
  REJECT_EACH(&c, int, d->form, GRAZE_DIRECTION_NONE);
  d->sign = -d->sign, d->vector = scaled(-1, d->vector);
  if (d->form != GRAZE_DIRECTION_NEAREST) refuted(c, "the opposite direction");
}

/* Numbers that contradict the relation, even where they are correct bounds. */
static void attack_signs(claim c) {
  const double tiny = 0x1p-1074, lower = c.answer.lower, upper = c.answer.upper;
  switch (c.answer.relation) {
  case GRAZE_SEPARATED:
    REFUTE_EACH(&c, double, c.answer.lower, -tiny);
    refuted(with_interval(c, lower, 0, upper), "separated at distance 0");
    refuted(with_interval(c, 0, NAN, 0), "separated with upper 0");
    return;
  case GRAZE_TOUCHING:
    REFUTE_EACH(&c, double, c.answer.lower, -tiny, tiny, NAN);
    REFUTE_EACH(&c, double, c.answer.distance, -tiny, tiny, NAN);
    REFUTE_EACH(&c, double, c.answer.upper, -tiny, tiny, NAN);
    return;
  case GRAZE_OVERLAPPING:
    REFUTE_EACH(&c, double, c.answer.upper, tiny);
    refuted(with_interval(c, lower, 0, 0), "overlapping at distance 0");
    c = with_interval(c, 0, NAN, 0);
    rejected(&c, true, "overlapping with lower 0");
    return;
  default: REFUTE_EACH(&c, double, c.answer.lower, tiny); REFUTE_EACH(&c, double, c.answer.upper, -tiny);
  }
}

static void attack_numbers(claim c) {
  const double lower = c.answer.lower, upper = c.answer.upper;
  REFUTE_EACH(&c, double, c.answer.lower, INFINITY);
  REFUTE_EACH(&c, double, c.answer.upper, -INFINITY);
  if (!isnan(lower)) REFUTE_EACH(&c, double, c.answer.distance, nextafter(lower, -INFINITY));
  if (!isnan(upper)) REFUTE_EACH(&c, double, c.answer.distance, nextafter(upper, INFINITY));
  if (isnan(lower) || isnan(upper)) return;
  if (!isnan(c.answer.distance)) {
    REJECT_EACH(&c, double, c.answer.lower, NAN);
    REJECT_EACH(&c, double, c.answer.upper, NAN);
  }
  refuted(with_interval(c, upper, NAN, nextafter(lower, -INFINITY)), "the order of the bounds");
}

void check_at(claim c, bool tight, const char *file, int line) {
  assert_int_equal(c.a.status, GRAZE_OK);
  assert_int_equal(c.b.status, GRAZE_OK);
  expect_at(c, GRAZE_OK, file, line);
  check_file = file, check_line = line;
  attack_enumerators(c);
  attack_numbers(c);
  attack_signs(c);
  if (c.a.shape.kind != GRAZE_HALFSPACE && c.b.shape.kind != GRAZE_HALFSPACE) { /* planes: no direction, no pairs */
    attack_pairs(c);
    attack_direction(c);
  }
  if (tight) {
    const double lower = nextafter(c.answer.lower, INFINITY), upper = nextafter(c.answer.upper, -INFINITY);
    refuted(with_interval(c, lower, NAN, fmax(lower, c.answer.upper)), "lower, raised by one ulp");
    refuted(with_interval(c, fmin(upper, c.answer.lower), NAN, upper), "upper, lowered by one ulp");
  }
  check_file = NULL;
}

void skin_close(skin *s, size_t points, size_t faces) {
  for (size_t i = 0; i < points; i++) s->pair[i] = (graze_pair){(int32_t)i, 0, 0};
  s->surface = (graze_surface){.pair_count = points, .face_count = faces, .pairs = s->pair};
  if (faces > 0) s->surface.faces = (const int32_t(*)[3])s->face;
}

claim claim_skin(const skin *s, graze_pose pose, int count, const int *inside) {
  const bool solid = s->surface.face_count > 0;
  const graze_shape hull = (solid ? graze_hull_points : graze_hull_points2)(s->point, s->surface.pair_count);
  claim c = overlapping(hull, pose, solid ? graze_point() : graze_point2(),
                        graze_pose_at(pose.position.x, pose.position.y, pose.position.z), GRAZE_CERTIFICATE_INSIDE);
  c.answer.certificate.pair_count = count;
  for (int i = 0; i < count; i++) c.answer.certificate.pairs[i] = (graze_pair){inside[i], 0, 0};
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_SURFACE;
  c.answer.certificate.surface = &s->surface;
  return c;
}

void expect_depth(claim c, double depth) {
  expect(with_interval(c, NAN, NAN, -depth), GRAZE_OK);
  expect(with_interval(c, NAN, NAN, nextafter(-depth, -INFINITY)), GRAZE_REFUTED);
}
