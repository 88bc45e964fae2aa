/* The oracle of meshes: cases with relations known by construction, the same relation after an exchange and after a
 * common motion, points in both bodies, and planted errors that validation detects. Seeds are stated at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/meshes.h"
#include "support/query.h"

/* ---- Hand-made cases */

static mesh_pair made;

static void begin(int dim) { mesh_fixture_begin(dim, &made.a), mesh_fixture_begin(dim, &made.b); }

static void box_a(graze_vec low, graze_vec high) { mesh_add_box(&made.a, low, high, false); }
static void cavity_a(graze_vec low, graze_vec high) { mesh_add_box(&made.a, low, high, true); }

static void set_arrays(mesh_fixture *f) { f->member.set.vertices = f->vertices, f->member.set.faces = f->faces; }

/* Asserts the relation in both orders, without rotation and in a rotated frame. */
static void assert_relation(graze_relation expected) {
  mesh_body *a = &made.a.member.set, *b = &made.b.member.set;
  const bool flat = a->dim == 2;
  const graze_pose turned = {{3, -5, flat ? 0 : 0.1}, 3, flat ? 0 : 1, flat ? 0 : -2, 1};
  set_arrays(&made.a), set_arrays(&made.b);
  for (int i = 0; i < 2; i++) {
    a->pose = b->pose = i ? turned : identity;
    assert_int_equal(mesh_relation(a, b), expected);
    assert_int_equal(mesh_relation(b, a), expected);
  }
}

/* B is a box. */
static void assert_box(graze_vec low, graze_vec high, graze_relation expected) {
  mesh_fixture_begin(made.a.member.set.dim, &made.b);
  mesh_add_box(&made.b, low, high, false);
  assert_relation(expected);
}

/* B is one face of 1 to 3 vertices. */
static void assert_flat(int corners, const graze_vec *v, graze_relation expected) {
  mesh_fixture_begin(made.a.member.set.dim, &made.b);
  made.b.member.set.corners = corners, made.b.member.set.solid = false;
  mesh_add_face(&made.b, v);
  assert_relation(expected);
}

static void assert_point(graze_vec p, graze_relation expected) { assert_flat(1, &p, expected); }

static void assert_segment(graze_vec p, graze_vec q, graze_relation expected) {
  assert_flat(2, (graze_vec[2]){p, q}, expected);
}

static void assert_triangle(graze_vec p, graze_vec q, graze_vec r, graze_relation expected) {
  assert_flat(3, (graze_vec[3]){p, q, r}, expected);
}

/* A is the cube of half-width 2. */
TEST(box_and_box) {
  begin(3);
  box_a(vec(-2, -2, -2), vec(2, 2, 2));
  assert_box(vec(-2, -2, -2), vec(2, 2, 2), GRAZE_OVERLAPPING);
  assert_box(vec(-1, -1, -1), vec(1, 1, 1), GRAZE_OVERLAPPING);
  assert_box(vec(-9, -9, -9), vec(9, 9, 9), GRAZE_OVERLAPPING);
  assert_box(vec(0, -1, -1), vec(2, 1, 1), GRAZE_OVERLAPPING); /* shares a part of a face, from inside */
  assert_box(vec(0, 0, 0), vec(2, 2, 2), GRAZE_OVERLAPPING);   /* shares a corner, from inside */
  assert_box(vec(-2, -2, -2), vec(2, 2, 5), GRAZE_OVERLAPPING);
  assert_box(vec(-1, -1, -5), vec(1, 1, 5), GRAZE_OVERLAPPING);
  assert_box(vec(2, -2, -2), vec(4, 2, 2), GRAZE_TOUCHING); /* shares a face */
  assert_box(vec(2, -1, -1), vec(4, 1, 1), GRAZE_TOUCHING); /* shares a part of a face */
  assert_box(vec(2, 1, 1), vec(4, 5, 5), GRAZE_TOUCHING);
  assert_box(vec(2, 2, -2), vec(4, 4, 2), GRAZE_TOUCHING); /* shares an edge */
  assert_box(vec(2, 2, 2), vec(4, 4, 4), GRAZE_TOUCHING);  /* shares a vertex */
  assert_box(vec(2.125, -2, -2), vec(4, 2, 2), GRAZE_SEPARATED);
  assert_box(vec(nextafter(2, 3), -2, -2), vec(4, 2, 2), GRAZE_SEPARATED);
  assert_box(vec(nextafter(2, 0), -2, -2), vec(4, 2, 2), GRAZE_OVERLAPPING);
}

TEST(flat_bodies_and_a_box) {
  begin(3);
  box_a(vec(-2, -2, -2), vec(2, 2, 2));
  assert_segment(vec(-2, 0, 0), vec(2, 0, 0), GRAZE_OVERLAPPING);   /* through the box, from surface to surface */
  assert_segment(vec(-2, -2, -2), vec(2, 2, 2), GRAZE_OVERLAPPING); /* a diagonal */
  assert_segment(vec(-1, 0, 0), vec(1, 0, 0), GRAZE_OVERLAPPING);
  assert_segment(vec(2, 0, 0), vec(1, 0, 0), GRAZE_OVERLAPPING);
  assert_segment(vec(2, -1, 0), vec(2, 1, 1), GRAZE_TOUCHING); /* in a face */
  assert_segment(vec(2, -9, 0), vec(2, 9, 0), GRAZE_TOUCHING);
  assert_segment(vec(2, 2, -9), vec(2, 2, 9), GRAZE_TOUCHING); /* along an edge */
  assert_segment(vec(2, 2, -1), vec(2, 2, 1), GRAZE_TOUCHING);
  assert_segment(vec(-2, 2, 0), vec(2, 2, 1), GRAZE_TOUCHING); /* from edge to edge, in a face */
  assert_segment(vec(2, 0, 0), vec(4, 0, 0), GRAZE_TOUCHING);
  assert_segment(vec(4, 0, 0), vec(0, 4, 0), GRAZE_TOUCHING); /* crosses an edge */
  assert_segment(vec(4, 0, 0), vec(0, 4.125, 0), GRAZE_SEPARATED);
  assert_segment(vec(4, 0, 0), vec(0, 3.875, 0), GRAZE_OVERLAPPING);
  assert_triangle(vec(0, 0, 0), vec(1, 0, 0), vec(0, 1, 1), GRAZE_OVERLAPPING);
  assert_triangle(vec(2, 0, 0), vec(2, 1, 0), vec(2, 0, 1), GRAZE_TOUCHING);
  assert_triangle(vec(2, -9, -9), vec(2, 9, -9), vec(2, 0, 9), GRAZE_TOUCHING);
  assert_triangle(vec(0, -9, -9), vec(0, 9, -9), vec(0, 0, 90), GRAZE_OVERLAPPING); /* no vertex in the box */
  assert_triangle(vec(4, 0, -9), vec(0, 4, -9), vec(0, 4, 9), GRAZE_TOUCHING);      /* contains a part of an edge */
  assert_triangle(vec(-2, -2, -2), vec(2, 2, -2), vec(2, 2, 2), GRAZE_OVERLAPPING); /* its edges are in the surface */
  assert_point(vec(0, 0, 0), GRAZE_OVERLAPPING);
  assert_point(vec(2, 0, 0), GRAZE_TOUCHING);
  assert_point(vec(2, 2, 0), GRAZE_TOUCHING);
  assert_point(vec(2, 2, 2), GRAZE_TOUCHING);
  assert_point(vec(2, 2, nextafter(2, 3)), GRAZE_SEPARATED);
  assert_point(vec(0, 0, nextafter(2, 0)), GRAZE_OVERLAPPING);
}

TEST(cavities) {
  begin(3);
  box_a(vec(-3, -3, -3), vec(3, 3, 3));
  cavity_a(vec(-2, -2, -2), vec(2, 2, 2));
  assert_box(vec(-1, -1, -1), vec(1, 1, 1), GRAZE_SEPARATED);
  assert_box(vec(-1, -1, -1), vec(2, 1, 1), GRAZE_TOUCHING);
  assert_box(vec(-2, -2, -2), vec(2, 2, 2), GRAZE_TOUCHING); /* fills the cavity */
  assert_box(vec(-1, -1, -1), vec(nextafter(2, 3), 1, 1), GRAZE_OVERLAPPING);
  assert_box(vec(-3, -3, -3), vec(3, 3, 3), GRAZE_OVERLAPPING);
  assert_box(vec(2.25, 2.25, 2.25), vec(2.75, 2.75, 2.75), GRAZE_OVERLAPPING); /* inside the wall */
  assert_segment(vec(-2, 0, 0), vec(2, 0, 0), GRAZE_TOUCHING);
  assert_segment(vec(-1, 0, 0), vec(1, 0, 0), GRAZE_SEPARATED);
  assert_segment(vec(-1, 0, 0), vec(9, 0, 0), GRAZE_OVERLAPPING);
  assert_segment(vec(-2, 2, 0), vec(2, 2, 0), GRAZE_TOUCHING); /* along the wall of the cavity */
  assert_point(vec(0, 0, 0), GRAZE_SEPARATED);
  assert_point(vec(2.5, 0, 0), GRAZE_OVERLAPPING);
  box_a(vec(-1, -1, -1), vec(1, 1, 1)); /* a solid in the cavity */
  assert_point(vec(0, 0, 0), GRAZE_OVERLAPPING);
  assert_box(vec(1, -1, -1), vec(2, 1, 1), GRAZE_TOUCHING); /* between both */
  assert_box(vec(1.25, -1, -1), vec(1.75, 1, 1), GRAZE_SEPARATED);
}

TEST(crossed_boxes) { /* points in both boxes are outside */
  begin(3);
  box_a(vec(-2, -2, -2), vec(1, 1, 1));
  box_a(vec(-1, -1, -1), vec(2, 2, 2));
  made.a.member.set.crossed = true;
  assert_point(vec(0, 0, 0), GRAZE_SEPARATED);
  assert_point(vec(1, 0, 0), GRAZE_TOUCHING);
  assert_point(vec(-1.5, 0, 0), GRAZE_OVERLAPPING);
  assert_box(vec(-1, -1, -1), vec(1, 1, 1), GRAZE_TOUCHING);
  assert_box(vec(-0.5, -0.5, -0.5), vec(0.5, 0.5, 0.5), GRAZE_SEPARATED);
  assert_box(vec(-0.5, -0.5, -0.5), vec(0.5, 0.5, 1.5), GRAZE_OVERLAPPING);
}

TEST(rings) {
  begin(3);
  mesh_add_square_ring(&made.a, 3, 1, 0.5);
  assert_box(vec(-1, -1, -0.5), vec(1, 1, 0.5), GRAZE_TOUCHING); /* a peg as wide as the hole */
  assert_box(vec(-1, -1, -9), vec(1, 1, 9), GRAZE_TOUCHING);
  assert_box(vec(-0.5, -0.5, -9), vec(0.5, 0.5, 9), GRAZE_SEPARATED);
  assert_box(vec(-1, -1, -9), vec(nextafter(1, 2), 1, 9), GRAZE_OVERLAPPING);
  assert_box(vec(-3, -3, -0.5), vec(3, 3, 0.5), GRAZE_OVERLAPPING); /* the box without the hole */
  assert_segment(vec(-1, -1, 0), vec(1, 1, 0), GRAZE_TOUCHING);     /* from edge to edge of the hole */
  assert_segment(vec(0, 0, -9), vec(0, 0, 9), GRAZE_SEPARATED);
  for (int i = 0; i < 3; i++) { /* linked; touching in the hole; in the ring */
    static const graze_relation expected[3] = {GRAZE_SEPARATED, GRAZE_TOUCHING, GRAZE_OVERLAPPING};
    static const double at[3] = {2, 2.5, 3};
    mesh_fixture_begin(3, &made.b);
    mesh_add_square_ring(&made.b, 2.5, 1.5, 0.5);
    for (int k = 0; k < made.b.member.set.vertex_count; k++) { /* upright */
      const graze_vec v = made.b.vertices[k];
      made.b.vertices[k] = vec(v.x + at[i], v.z, -v.y);
    }
    assert_relation(expected[i]);
  }
}

TEST(outlines) {
  begin(2);
  box_a(vec(-3, -3, 0), vec(3, 3, 0));
  cavity_a(vec(-2, -2, 0), vec(2, 2, 0));
  assert_box(vec(-1, -1, 0), vec(1, 1, 0), GRAZE_SEPARATED);
  assert_box(vec(-2, -2, 0), vec(2, 2, 0), GRAZE_TOUCHING);
  assert_box(vec(-2, -2, 0), vec(2, 2.125, 0), GRAZE_OVERLAPPING);
  assert_box(vec(-3, -3, 0), vec(3, 3, 0), GRAZE_OVERLAPPING);
  assert_box(vec(2.25, 2.25, 0), vec(2.75, 2.75, 0), GRAZE_OVERLAPPING);
  assert_box(vec(3, 3, 0), vec(4, 4, 0), GRAZE_TOUCHING);
  assert_box(vec(3, -3, 0), vec(4, 4, 0), GRAZE_TOUCHING);
  assert_box(vec(-9, -9, 0), vec(9, 9, 0), GRAZE_OVERLAPPING);
  assert_segment(vec(-2, 0, 0), vec(2, 0, 0), GRAZE_TOUCHING);
  assert_segment(vec(2, 0, 0), vec(3, 0, 0), GRAZE_OVERLAPPING);
  assert_segment(vec(-2, -2, 0), vec(2, 2, 0), GRAZE_TOUCHING);
  assert_segment(vec(3, -9, 0), vec(3, 9, 0), GRAZE_TOUCHING);
  assert_segment(vec(-1, 0, 0), vec(1, 0, 0), GRAZE_SEPARATED);
  assert_point(vec(0, 0, 0), GRAZE_SEPARATED);
  assert_point(vec(2, 2, 0), GRAZE_TOUCHING);
  assert_point(vec(2.5, 0, 0), GRAZE_OVERLAPPING);
}

/* ---- Random bodies */

static void random_pair(rng *random, int dim, mesh_placement placement) {
  const int kinds = dim == 2 ? OUTLINE_AS_CIRCLE : MESH_AS_SPHERE;
  const int kind_a = rng_below(random, kinds), kind_b = rng_below(random, kinds);
  mesh_pair_make(random, dim, kind_a, kind_b, (int)placement, &made);
}

/* An exchange and a common motion change no relation. Seed 41. */
TEST(invariance) {
  rng random = 41;
  const int count = tiered(490, 980, 28000);
  int relations[5] = {0};
  for (int i = 0; i < count; i++) {
    const mesh_placement placement = (mesh_placement)(i % PLACEMENTS);
    random_pair(&random, i % 4 == 0 ? 2 : 3, placement);
    mesh_body a = made.a.member.set, b = made.b.member.set;
    const graze_relation relation = mesh_relation(&a, &b);
    relations[relation]++;
    a.velocity = b.velocity = rng_vec(&random, a.dim, 1e6), a.time = b.time = 0.1;
    assert_int_equal(mesh_relation(&b, &a), relation);
    mesh_pair_free(&made);
  }
  for (int r = GRAZE_SEPARATED; r <= GRAZE_OVERLAPPING; r++) assert_in_range(relations[r], count / 10, count);
}

/* A point inside both bodies proves that they overlap. Seed 42. */
TEST(common_points) {
  rng random = 42;
  const int count = tiered(60, 120, 2400);
  int overlapping = 0, proved = 0;
  for (int i = 0; i < count; i++) {
    random_pair(&random, i % 4 == 0 ? 2 : 3, PLACE_ANYWHERE);
    const mesh_body *a = &made.a.member.set, *b = &made.b.member.set;
    const graze_relation relation = mesh_relation(a, b);
    bool common = false;
    for (int k = 0; k < 100 && a->solid && b->solid && !common; k++) {
      const graze_vec origin = {0, 0, 0};
      mesh_body point = {.dim = a->dim, .corners = 1, .vertices = &origin, .vertex_count = 1, .face_count = 1};
      point.faces = (const int32_t[1]){0};
      point.pose = identity, point.pose.position = rng_vec(&random, a->dim, 2);
      common = mesh_relation(a, &point) == GRAZE_OVERLAPPING && mesh_relation(&point, b) == GRAZE_OVERLAPPING;
    }
    overlapping += relation == GRAZE_OVERLAPPING && a->solid && b->solid, proved += common;
    assert_true(!common || relation == GRAZE_OVERLAPPING);
    mesh_pair_free(&made);
  }
  assert_true(4 * proved > overlapping && overlapping > count / 10);
}

/* ---- Planted errors */

static mesh_oracle oracles;
static rng dice;

static const char *validated(const mesh_query *q, const proved_answer *x) {
  return validate_mesh_distance(&oracles, q, mesh_truth(&oracles, q), &dice, x);
}

/* Solid boxes, B of half-width 1 about a point; A of half-width 4, with a cavity of half-width 3 or none. */
static proved_answer boxes_at(bool cavity, double x) {
  proved_answer answer;
  begin(3);
  box_a(vec(-4, -4, -4), vec(4, 4, 4));
  if (cavity) cavity_a(vec(-3, -3, -3), vec(3, 3, 3));
  mesh_add_box(&made.b, vec(-1, -1, -1), vec(1, 1, 1), false);
  made.b.member.set.pose.position = vec(x, 0.25, 0.125);
  mesh_fixture_create(&made.a, false), mesh_fixture_create(&made.b, false);
  mesh_pair_create(&made);
  memset(&answer, 0, sizeof answer);
  assert_int_equal(query_distance(&made.placed_a, &made.placed_b, NULL, &answer), GRAZE_OK);
  assert_null(validated(&made.query, &answer));
  return answer;
}

static void assert_detected(const proved_answer *x) { assert_non_null(validated(&made.query, x)); }

static void assert_other_relations_detected(const proved_answer *x) {
  for (int r = GRAZE_SEPARATED; r <= GRAZE_UNDECIDED; r++) {
    proved_answer wrong = *x;
    wrong.relation = (graze_relation)r;
    if (wrong.relation != x->relation) assert_detected(&wrong);
  }
}

static int make_oracles(void **state) {
  (void)state;
  oracles = mesh_oracle_new(), dice = 43;
  return 0;
}

static int free_oracles(void **state) {
  (void)state;
  mesh_oracle_free(&oracles);
  return 0;
}

TEST_WITH(errors_of_a_distance, make_oracles, free_oracles) {
  for (int cavity = 0; cavity < 2; cavity++) {
    const proved_answer x = boxes_at(cavity, cavity ? 1.5 : 5.5);
    assert_int_equal(x.relation, GRAZE_SEPARATED);
    assert_other_relations_detected(&x);
    for (int sign = -1; sign <= 1; sign += 2) {
      proved_answer wrong = x;
      wrong.lower += sign * 1e-9, wrong.distance += sign * 1e-9, wrong.upper += sign * 1e-9;
      assert_detected(&wrong);
    }
    proved_answer wrong = x;
    wrong.lower -= 1e-9;
    assert_detected(&wrong);
    wrong = x, wrong.part_a = 5; /* the nearest faces have x = 4 or x = 3 */
    assert_detected(&wrong);
    wrong = x, wrong.part_b = 12;
    assert_detected(&wrong);
    wrong = x, wrong.normal = scaled(-1, x.normal);
    assert_detected(&wrong);
    wrong = x, wrong.point_a.x += 1e-6, wrong.point_b.x += 1e-6;
    assert_detected(&wrong);
    mesh_pair_free(&made);
  }
}

TEST_WITH(errors_of_a_depth, make_oracles, free_oracles) {
  for (int inside = 0; inside < 2; inside++) {
    const proved_answer x = boxes_at(!inside, inside ? 2.5 : 3.5);
    assert_int_equal(x.relation, GRAZE_OVERLAPPING);
    assert_other_relations_detected(&x);
    proved_answer wrong = x;
    wrong.lower = wrong.distance = inside ? -2 : -0.25; /* leaves an overlap */
    wrong.upper = 0;
    assert_detected(&wrong);
    wrong = x, wrong.lower = wrong.distance = 2 * x.lower, wrong.upper = 1.5 * x.lower;
    assert_detected(&wrong); /* the overlap ends before */
    wrong = x, wrong.normal = vec(0, 0, 2);
    assert_detected(&wrong);
    mesh_pair_free(&made);
  }
}

TEST_WITH(errors_of_a_contact, make_oracles, free_oracles) {
  const proved_answer x = boxes_at(false, 5);
  assert_int_equal(x.relation, GRAZE_TOUCHING);
  assert_other_relations_detected(&x);
  proved_answer wrong = x;
  wrong.upper = 1e-12;
  assert_detected(&wrong);
  mesh_pair_free(&made);
}

TEST_WITH(errors_of_a_cast, make_oracles, free_oracles) {
  for (int hits = 0; hits < 2; hits++) {
    (void)boxes_at(hits, hits ? 1.5 : 5.5); /* in the cavity, or beside the box */
    const mesh_cast c = {made.query, {0, 0, 0}, {1, 0, 0}, 2, false};
    const mesh_cast_truth truth = mesh_cast_solve(&oracles, &c);
    proved_cast x, wrong;
    assert_int_equal(cast_linear(&made.placed_a, c.velocity_a, &made.placed_b, c.velocity_b, 2, NULL, &x), GRAZE_OK);
    assert_null(validate_mesh_cast(&oracles, &c, &truth, &dice, &x));
    assert_int_equal(truth.hit, hits);
    wrong = x, wrong.outcome = hits ? GRAZE_CLEAR : GRAZE_HIT;
    assert_non_null(validate_mesh_cast(&oracles, &c, &truth, &dice, &wrong));
    wrong = x, wrong.start_relation = GRAZE_OVERLAPPING;
    assert_non_null(validate_mesh_cast(&oracles, &c, &truth, &dice, &wrong));
    wrong = x, wrong.part_a = 5;
    assert_non_null(validate_mesh_cast(&oracles, &c, &truth, &dice, &wrong));
    for (int sign = -1; sign <= 1; sign += 2) {
      wrong = x;
      wrong.t += sign * 1e-9, wrong.t_lower += sign * 1e-9, wrong.t_upper += sign * 1e-9;
      wrong.min_lower += sign * 1e-9, wrong.min_upper += sign * 1e-9;
      assert_non_null(validate_mesh_cast(&oracles, &c, &truth, &dice, &wrong));
    }
    mesh_pair_free(&made);
  }
}
