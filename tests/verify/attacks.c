/* Hand-made answers and the attacks on them. */
#include "verify/attacks.h"

#include <limits.h>

/* ---- The public form of an editable certificate */

enum { PUBLIC_PAIRS = 1 << 13 };

static graze_vec public_points[2 * PUBLIC_PAIRS];

/* The index of a parent; -1 appends a point, other negative indices name none. */
static int32_t public_parent(int32_t index, graze_vec point, graze_vec *points, int *count) {
  if (index >= 0) return index;
  if (index != -1) return INT32_MIN;
  points[*count] = point;
  return -1 - (*count)++;
}

static void public_pairs(const editable_pair *from, int count, int most, graze_pair *to, graze_vec *points,
                         int *known) {
  for (int i = 0; i < count && i < most; i++) {
    to[i].a = public_parent(from[i].a, from[i].point_a, points, known);
    to[i].b = public_parent(from[i].b, from[i].point_b, points, known);
    to[i].end = from[i].end;
  }
}

static const graze_surface *public_surface(const editable_surface *from) {
  static graze_pair pairs[PUBLIC_PAIRS];
  static graze_surface surface;
  int known = 0;
  if (from == NULL) return NULL;
  surface = (graze_surface){.pair_count = from->pair_count, .face_count = from->face_count, .faces = from->faces};
  if (from->pairs == NULL) return &surface;
  const int count = from->pair_count < PUBLIC_PAIRS ? (int)from->pair_count : 0;
  public_pairs(from->pairs, count, count, pairs, public_points, &known);
  surface.pairs = pairs, surface.points = public_points, surface.point_count = (size_t)known;
  return &surface;
}

static void public_certificate(const editable_certificate *from, graze_certificate *to) {
  memset(to, 0, sizeof *to);
  to->kind = from->kind, to->depth_proof = from->depth_proof;
  to->direction.form = from->direction.form, to->direction.vector = from->direction.vector;
  to->direction.sign = from->direction.sign, to->direction.axis = from->direction.axis;
  to->direction.count = from->direction.count, to->pair_count = from->pair_count;
  public_pairs(from->direction.pairs, from->direction.count, 4, to->direction.pairs, to->points, &to->point_count);
  public_pairs(from->pairs, from->pair_count, 6, to->pairs, to->points, &to->point_count);
  to->vertex = public_parent(from->vertex, from->vertex_point, to->points, &to->point_count);
  to->surface = public_surface(from->surface);
  for (int k = 0; k < 2 && from->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; k++) {
    const editable_touch *touch = &from->internal_edge[k];
    graze_internal_edge_touch *out = &to->internal_edge[k];
    out->part_a = touch->part_a, out->part_b = touch->part_b, out->sign = touch->sign;
    out->pair_count = touch->pair_count;
    to->point_count = k == 0 ? 0 : to->point_count; /* touches alone count */
    public_pairs(touch->pairs, touch->pair_count, 4, out->pairs, to->points, &to->point_count);
  }
}

graze_status editable_verify(const graze_placed *a, const graze_placed *b, const graze_options *options,
                             const editable_answer *answer) {
  static graze_certificate certificate;
  static graze_part_proof parts[CASE_PROOFS];
  const bool compound = a->shape.kind == GRAZE_COMPOUND || b->shape.kind == GRAZE_COMPOUND;
  public_certificate(&answer->certificate, &certificate);
  certificate.part_count = answer->part_count;
  certificate.parts = (const graze_part_proof *)(const void *)answer->parts;
  if (compound && answer->parts != NULL) { /* convex shapes have no parts: the pointer may be wild */
    const size_t count = answer->part_count <= CASE_PROOFS ? answer->part_count : 0; /* no list is longer */
    for (size_t i = 0; i < count; i++) {
      parts[i].part_a = answer->parts[i].part_a, parts[i].part_b = answer->parts[i].part_b;
      public_certificate(&answer->parts[i].certificate, &parts[i].certificate);
    }
    certificate.parts = parts;
  }
  return graze_verify(a, b, options, (const graze_answer *)(const void *)answer, &certificate);
}

static void editable_pairs(const graze_certificate *c, const graze_pair *from, int count, editable_pair *to) {
  for (int i = 0; i < count; i++) {
    to[i].a = from[i].a < 0 ? -1 : from[i].a, to[i].b = from[i].b < 0 ? -1 : from[i].b;
    if (from[i].a < 0) to[i].point_a = c->points[-1 - from[i].a];
    if (from[i].b < 0) to[i].point_b = c->points[-1 - from[i].b];
    to[i].end = from[i].end;
  }
}

editable_answer editable_answer_of(const proved_answer *from) {
  const graze_certificate *c = &from->certificate;
  editable_answer to;
  memset(&to, 0, sizeof to);
  memcpy(&to, from, sizeof(graze_answer));
  to.certificate.kind = c->kind, to.certificate.depth_proof = c->depth_proof;
  to.certificate.direction.form = c->direction.form, to.certificate.direction.vector = c->direction.vector;
  to.certificate.direction.sign = c->direction.sign, to.certificate.direction.axis = c->direction.axis;
  to.certificate.direction.count = c->direction.count, to.certificate.pair_count = c->pair_count;
  editable_pairs(c, c->direction.pairs, c->direction.count, to.certificate.direction.pairs);
  editable_pairs(c, c->pairs, c->pair_count, to.certificate.pairs);
  to.certificate.vertex = c->vertex < 0 ? -1 : c->vertex;
  if (c->kind == GRAZE_CERTIFICATE_HALFSPACE && c->vertex < 0) to.certificate.vertex_point = c->points[-1 - c->vertex];
  for (int k = 0; k < 2 && c->kind == GRAZE_CERTIFICATE_INTERNAL_EDGE; k++) {
    const graze_internal_edge_touch *touch = &c->internal_edge[k];
    editable_touch *out = &to.certificate.internal_edge[k];
    out->part_a = touch->part_a, out->part_b = touch->part_b, out->sign = touch->sign;
    out->pair_count = touch->pair_count;
    editable_pairs(c, touch->pairs, touch->pair_count, out->pairs);
  }
  return to;
}

/* ---- Cases */

verify_case case_make(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b, graze_relation relation,
                      graze_certificate_kind kind) {
  verify_case c;
  memset(&c, 0, sizeof c);
  c.a = graze_place(&a, pose_a);
  c.b = graze_place(&b, pose_b);
  c.answer.certificate.vertex = -1;
  return with_relation(c, relation, kind);
}

verify_case separated(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  return case_make(a, pose_a, b, pose_b, GRAZE_SEPARATED, GRAZE_CERTIFICATE_SEPARATED);
}

verify_case touching(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b) {
  return case_make(a, pose_a, b, pose_b, GRAZE_TOUCHING, GRAZE_CERTIFICATE_TOUCH);
}

verify_case overlapping(graze_shape a, graze_pose pose_a, graze_shape b, graze_pose pose_b,
                        graze_certificate_kind kind) {
  return case_make(a, pose_a, b, pose_b, GRAZE_OVERLAPPING, kind);
}

editable_pair vertices(int a, int b) { return points(a, vec(NAN, NAN, NAN), b, vec(NAN, NAN, NAN)); }

editable_pair points(int a, graze_vec point_a, int b, graze_vec point_b) {
  return (editable_pair){.a = a, .b = b, .point_a = point_a, .point_b = point_b};
}

verify_case with_vector(verify_case c, double x, double y, double z) {
  c.answer.certificate.direction = (editable_direction){.form = GRAZE_DIRECTION_VECTOR, .vector = {x, y, z}};
  return c;
}

verify_case with_direction(verify_case c, graze_direction_form form, int sign, int axis, pair_list pairs) {
  editable_direction *d = &c.answer.certificate.direction;
  *d = (editable_direction){.form = form, .sign = sign, .axis = axis, .count = pairs.count};
  memcpy(d->pairs, pairs.at, (size_t)pairs.count * sizeof *pairs.at);
  return c;
}

verify_case with_nearest(verify_case c, pair_list pairs) {
  return with_direction(c, GRAZE_DIRECTION_NEAREST, 0, 0, pairs);
}

verify_case with_pairs(verify_case c, pair_list pairs) {
  c.answer.certificate.pair_count = pairs.count;
  memcpy(c.answer.certificate.pairs, pairs.at, (size_t)pairs.count * sizeof *pairs.at);
  return c;
}

verify_case with_interval(verify_case c, double lower, double distance, double upper) {
  c.answer.lower = lower, c.answer.distance = distance, c.answer.upper = upper;
  return c;
}

verify_case with_relation(verify_case c, graze_relation relation, graze_certificate_kind kind) {
  const double number = relation == GRAZE_TOUCHING ? 0 : NAN;
  c.answer.relation = relation, c.answer.certificate.kind = kind;
  return with_interval(c, number, number, number);
}

verify_case with_clearance(verify_case c, double clearance) {
  c.options.clearance = clearance;
  return c;
}

verify_case exchanged(verify_case c) {
  graze_placed a = c.a;
  c.a = c.b, c.b = a;
  return c;
}

static int strength(graze_relation relation) {
  return relation == GRAZE_OVERLAPPING ? 3 : relation == GRAZE_UNDECIDED ? 2 : relation == GRAZE_TOUCHING ? 1 : 0;
}

verify_case case_of_parts(const graze_placed *a, const graze_placed *b, editable_part_proof *proofs) {
  verify_case c = {.a = *a, .b = *b};
  size_t count = 0, na = graze_part_count(a), nb = graze_part_count(b);
  double lower = INFINITY;
  assert_true(na * nb <= CASE_PROOFS);
  for (size_t i = 0; i < na; i++) {
    for (size_t j = 0; j < nb; j++, count++) {
      const graze_placed part_a = graze_part(a, i, &(graze_frame){{0}}), part_b = graze_part(b, j, &(graze_frame){{0}});
      const proved_answer own = distance(&part_a, &part_b, NULL);
      editable_answer answer = editable_answer_of(&own);
      proofs[count] = (editable_part_proof){(int32_t)i, (int32_t)j, answer.certificate};
      lower = fmin(lower, answer.lower);
      const int order = strength(answer.relation) - strength(c.answer.relation);
      if (count > 0 && (order < 0 || (order == 0 && !(answer.upper < c.answer.upper)))) continue;
      answer.part_a = (int32_t)i, answer.part_b = (int32_t)j;
      c.answer = answer;
    }
  }
  c.answer.lower = lower, c.answer.parts = proofs, c.answer.part_count = count;
  return c;
}

graze_status case_status(const verify_case *c) { return editable_verify(&c->a, &c->b, &c->options, &c->answer); }

void expect_at(verify_case c, graze_status status, const char *file, int line) {
  const graze_status got = case_status(&c);
  if (got == status) return;
  print_error("%s, not %s\n", graze_status_text(got), graze_status_text(status));
  _fail(file, line);
}

/* The source line of the current check() or check_tight(), for messages. */
static const char *check_file;
static int check_line;

static void rejected(const verify_case *c, bool or_unproven, const char *what) {
  const graze_status status = case_status(c);
  if (status == GRAZE_REFUTED || (or_unproven && status == GRAZE_UNPROVEN)) return;
  print_error("%s after the attack on %s\n", graze_status_text(status), what);
  _fail(check_file ? check_file : __FILE__, check_file ? check_line : __LINE__);
}

static void refuted(verify_case c, const char *what) { rejected(&c, false, what); }

void reject_each(const verify_case *c, bool or_unproven, void *field, size_t size, size_t count, const void *values,
                 const char *what) {
  unsigned char kept[sizeof(editable_pair)];
  memcpy(kept, field, size);
  for (size_t i = 0; i < count; i++) {
    const unsigned char *value = (const unsigned char *)values + i * size;
    if (memcmp(kept, value, size) == 0) continue;
    memcpy(field, value, size);
    rejected(c, or_unproven, what);
  }
  memcpy(field, kept, size);
}

static void attack_enumerators(verify_case c) {
  editable_certificate *proof = &c.answer.certificate;
  REJECT_EACH(&c, int, c.answer.relation, 1, 2, 3, 0, 5, -1, INT_MAX, INT_MIN);
  if (c.answer.relation == GRAZE_UNDECIDED) return;
  REJECT_EACH(&c, int, proof->kind, 0, 1, 2, 5, 6, -1, INT_MAX, INT_MIN);
  if (proof->kind != GRAZE_CERTIFICATE_INSIDE && proof->kind != GRAZE_CERTIFICATE_NEAR) /* these two may be exchanged */
    REJECT_EACH(&c, int, proof->kind, GRAZE_CERTIFICATE_INSIDE, GRAZE_CERTIFICATE_NEAR);
}

/* Indices that are no vertices, points outside. */
static void attack_pair(const verify_case *c, editable_pair *pair) {
  const int none_a = pair->a < 0 ? 0 : -1, none_b = pair->b < 0 ? 0 : -1;
  REFUTE_EACH(c, int32_t, pair->a, -2, INT32_MAX, INT32_MIN, none_a);
  REFUTE_EACH(c, int32_t, pair->b, -2, INT32_MAX, INT32_MIN, none_b);
  if (pair->a < 0 && c->a.shape.kind != GRAZE_USER)
    REFUTE_EACH(c, graze_vec, pair->point_a, {1e41, 0, 0}, {0, NAN, 0}, {0, 0, INFINITY}, {9e39, 9e39, 9e39});
  if (pair->b < 0 && c->b.shape.kind != GRAZE_USER)
    REFUTE_EACH(c, graze_vec, pair->point_b, {1e41, 0, 0}, {0, NAN, 0}, {0, 0, INFINITY}, {9e39, 9e39, 9e39});
}

static void attack_pairs(verify_case c) {
  editable_certificate *proof = &c.answer.certificate;
  for (int i = 0; i < proof->pair_count; i++) attack_pair(&c, &proof->pairs[i]);
  for (int i = 0; i < proof->direction.count; i++) attack_pair(&c, &proof->direction.pairs[i]);
  REFUTE_EACH(&c, int, proof->pair_count, -1, 7, INT_MAX, INT_MIN);
  if (proof->direction.count > 0) REFUTE_EACH(&c, int, proof->direction.count, -1, 0, 5, INT_MAX, INT_MIN);
}

static void attack_direction(verify_case c) {
  editable_direction *d = &c.answer.certificate.direction;
  const editable_direction kept = *d;
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
static void attack_signs(verify_case c) {
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

static void attack_numbers(verify_case c) {
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

void check_at(verify_case c, bool tight, const char *file, int line) {
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

void surface_close(closed_surface *s, size_t points, size_t faces) {
  for (size_t i = 0; i < points; i++) s->pair[i] = vertices((int)i, 0);
  s->surface = (editable_surface){points, faces, s->pair, faces > 0 ? (const int32_t(*)[3])s->face : NULL};
}

verify_case surface_case(const closed_surface *s, graze_pose pose, int count, const int *inside) {
  const bool solid = s->surface.face_count > 0;
  const graze_shape hull = (solid ? graze_hull_points : graze_hull_points2)(s->point, s->surface.pair_count);
  verify_case c =
      overlapping(hull, pose, solid ? graze_point() : graze_point2(),
                  graze_pose_at(pose.position.x, pose.position.y, pose.position.z), GRAZE_CERTIFICATE_INSIDE);
  c.answer.certificate.pair_count = count;
  for (int i = 0; i < count; i++) c.answer.certificate.pairs[i] = vertices(inside[i], 0);
  c.answer.certificate.depth_proof = GRAZE_DEPTH_BY_SURFACE;
  c.answer.certificate.surface = &s->surface;
  return c;
}

void expect_depth(verify_case c, double depth) {
  expect(with_interval(c, NAN, NAN, -depth), GRAZE_OK);
  expect(with_interval(c, NAN, NAN, nextafter(-depth, -INFINITY)), GRAZE_REFUTED);
}
