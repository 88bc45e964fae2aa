/* Separating axes: the examples of textbooks, how many axes boxes have, early out, and the depth of every polytopal
 * shape against the exact oracle, in random and in degenerate families. Random numbers: rng_bits from `seed_of`. */

#include "support/test.h"
#include "support/families.h"
#include "cso/sat.h"
#include "support/oracle/oracle.h"
#include "support/tier.h"

static const uint64_t seed_of = 0xa4093822299f31d0u;

/* ---- The visitor. */

typedef struct counter {
  int faces_a, faces_b, edges, stop_after;
  double greatest;
  const graze_placed *a, *b;
} counter;

static int tested(const counter *c) { return c->faces_a + c->faces_b + c->edges; }

/* Every axis says what graze_project() says. */
static bool count_axis(void *context, const graze_axis *axis) {
  counter *c = context;
  graze_interval on_a, on_b;
  double size = c->a->reach + c->b->reach + c->a->radius + c->b->radius + 10;
  assert_int_equal(graze_project(c->a, axis->direction, &on_a), GRAZE_OK);
  assert_int_equal(graze_project(c->b, axis->direction, &on_b), GRAZE_OK);
  assert_true(fabs(on_a.min - axis->a.min) < 1e-13 * size && fabs(on_a.max - axis->a.max) < 1e-13 * size);
  assert_true(fabs(on_b.min - axis->b.min) < 1e-13 * size && fabs(on_b.max - axis->b.max) < 1e-13 * size);
  assert_true(fabs(on_b.min - on_a.max - axis->separation) < 1e-13 * size);
  assert_true(on_a.min - on_b.max <= axis->separation + 1e-13 * size);
  c->greatest = tested(c) == 0 ? axis->separation : fmax(c->greatest, axis->separation);
  assert_int_equal(axis->feature_a < 0, axis->kind == GRAZE_AXIS_FACE_B);
  assert_int_equal(axis->feature_b < 0, axis->kind == GRAZE_AXIS_FACE_A);
  c->faces_a += axis->kind == GRAZE_AXIS_FACE_A;
  c->faces_b += axis->kind == GRAZE_AXIS_FACE_B;
  c->edges += axis->kind == GRAZE_AXIS_EDGES;
  return tested(c) != c->stop_after;
}

static counter count_axes(const graze_shape *a, graze_pose pose_a, const graze_shape *b, graze_pose pose_b,
                          int stop_after, graze_axis *best) {
  graze_placed placed_a = graze_place(a, pose_a), placed_b = graze_place(b, pose_b);
  counter c = {.stop_after = stop_after, .a = &placed_a, .b = &placed_b};
  assert_int_equal(graze_sat(&placed_a, &placed_b, NULL, count_axis, &c, best), GRAZE_OK);
  if (stop_after == 0) assert_true(fabs(best->separation - c.greatest) < 1e-13);
  return c;
}

static graze_relation relation_by_sat(const graze_shape *a, graze_pose pose_a, const graze_shape *b, graze_pose pose_b,
                                      graze_answer *answer) {
  graze_placed placed_a = graze_place(a, pose_a), placed_b = graze_place(b, pose_b);
  graze_options options = graze_default_options();
  options.method = GRAZE_METHOD_SAT;
  assert_int_equal(graze_intersect(&placed_a, &placed_b, &options, answer), GRAZE_OK);
  assert_int_equal(graze_verify(&placed_a, &placed_b, &options, answer), GRAZE_OK);
  return answer->relation;
}

TEST(test_textbook_polygons) {
  const graze_vec first[] = {{0, 0, 0}, {0, 3, 0}, {3, 3, 0}, {3, 0, 0}};
  const graze_vec second[] = {{0, 0, 0}, {0, 5, 0}, {5, 4, 0}, {3, 0, 0}};
  const graze_vec square[] = {{4, 4, 0}, {4, 6, 0}, {6, 6, 0}, {6, 4, 0}};
  graze_shape a = graze_polygon(first, 4), b = graze_polygon(square, 4), c = graze_polygon(second, 4);
  graze_pose still = graze_pose_at(0, 0, 0);
  graze_answer answer;
  graze_axis best;
  assert_int_equal(relation_by_sat(&a, still, &b, still, &answer), GRAZE_SEPARATED);
  assert_int_equal(answer.path, GRAZE_PATH_SAT);
  counter all = count_axes(&a, still, &b, still, 0, &best);
  assert_int_equal(all.faces_a, 4);
  assert_int_equal(all.faces_b, 4);
  assert_true(best.separation == 1 && best.kind == GRAZE_AXIS_FACE_A); /* the distance is √2 */
  assert_int_equal(relation_by_sat(&c, still, &b, still, &answer), GRAZE_OVERLAPPING);
  all = count_axes(&c, still, &b, still, 0, &best);
  assert_int_equal(tested(&all), 8);
  /* From (4, 4) to the side from (0, 5) to (5, 4), whose normal is (1, 5). */
  assert_int_equal(best.feature_a, 1);
  assert_true(fabs(best.separation - (24 - 25) / sqrt(26)) < 1e-15);
}

TEST(test_boxes_have_4_and_15) {
  graze_shape a = graze_box(1, 2, 3), b = graze_box(2, 1, 1), flat = graze_box2(1, 2);
  graze_axis best;
  graze_pose turned = graze_pose3((graze_vec){0.5, 0.5, 0.25}, 1, 0.2, 0.3, 0.5), still = graze_pose_at(0, 0, 0);
  counter c = count_axes(&a, still, &b, turned, 0, &best);
  assert_true(c.faces_a == 3 && c.faces_b == 3 && c.edges == 9);
  c = count_axes(&flat, still, &flat, graze_pose2(1, 1, 0.5), 0, &best);
  assert_true(c.faces_a == 2 && c.faces_b == 2 && c.edges == 0);
  c = count_axes(&a, still, &b, turned, 7, &best); /* the visitor ends it */
  assert_int_equal(tested(&c), 7);
}

/* The first axis that separates is the last. */
TEST(test_early_out) {
  graze_shape a = graze_box(1, 1, 1);
  graze_answer answer;
  for (int axis = 0; axis < 3; axis++) {
    graze_pose away = graze_pose3((graze_vec){axis == 0 ? 4 : 0, axis == 1 ? 4 : 0, axis == 2 ? 4 : 0}, 1, 0.1, 0.1, 0);
    assert_int_equal(relation_by_sat(&a, graze_pose_at(0, 0, 0), &a, away, &answer), GRAZE_SEPARATED);
    assert_int_equal(answer.iterations, axis + 1);
  }
  /* Two bars that cross, one above the other on the diagonal: only the product of their edges shows it. */
  graze_shape bar = graze_box(4, 0.5, 0.5);
  const double s = 0.38268343236508977, c = 0.92387953251128674; /* turned by 45 degrees about x */
  graze_pose one = graze_pose3((graze_vec){0, 0, 0}, c, s, 0, 0);
  graze_pose other = graze_pose3((graze_vec){0, 0, 1.42}, c, 0, s, 0);
  other = graze_pose3((graze_vec){0, 0, 1.42}, c * 0.70710678118654757, s * 0.70710678118654757,
                      s * 0.70710678118654757, c * 0.70710678118654757);
  assert_int_equal(relation_by_sat(&bar, one, &bar, other, &answer), GRAZE_SEPARATED);
  assert_true(answer.iterations > 6 && answer.iterations <= 15 && answer.path == GRAZE_PATH_SAT);
}

TEST(test_what_is_refused) {
  graze_shape point = graze_point(), sphere = graze_sphere(1), plane = graze_halfspace((graze_vec){0, 0, 1}, 0),
              cone = graze_cone(1, 1), box = graze_box(1, 1, 1), flat = graze_box2(1, 1);
  graze_placed at = graze_place(&box, graze_pose_at(0, 0, 0));
  const graze_shape refused[] = {plane, cone};
  graze_axis best;
  for (size_t i = 0; i < COUNT(refused); i++) {
    graze_placed other = graze_place(&refused[i], graze_pose_at(0, 0, 0));
    assert_int_equal(graze_sat(&at, &other, NULL, NULL, NULL, &best), GRAZE_UNSUPPORTED);
  }
  graze_placed p = graze_place(&point, graze_pose_at(0, 0, 0)), q = graze_place(&sphere, graze_pose_at(3, 0, 0));
  assert_int_equal(graze_sat(&p, &q, NULL, NULL, NULL, &best), GRAZE_UNSUPPORTED);
  graze_placed in_2d = graze_place(&flat, graze_pose_at(0, 0, 0));
  assert_int_equal(graze_sat(&at, &in_2d, NULL, NULL, NULL, &best), GRAZE_DIM_MISMATCH);
  assert_int_equal(graze_sat(&at, &q, NULL, NULL, NULL, &best), GRAZE_OK);
  assert_true(best.separation == 1 && best.direction.x == 1);
  graze_options options = graze_default_options();
  uint64_t small[4];
  options.workspace = small, options.workspace_size = sizeof small;
  assert_int_equal(graze_sat(&at, &at, &options, NULL, NULL, &best), GRAZE_NO_ROOM);
}

TEST(test_projection) {
  graze_shape cylinder = graze_with_margin(graze_cylinder(2, 3), 0.5), plane = graze_halfspace((graze_vec){0, 0, 1}, 0);
  graze_placed placed = graze_place(&cylinder, graze_pose_at(1, 2, 3));
  graze_interval span;
  assert_int_equal(graze_project(&placed, (graze_vec){0, 0, 2}, &span), GRAZE_OK);
  assert_true(span.min == -1 && span.max == 13);
  assert_int_equal(graze_project(&placed, (graze_vec){-3e39, 0, 0}, &span), GRAZE_OK);
  assert_true(fabs(span.min / -3e39 - 3.5) < 1e-14 && fabs(span.max / -3e39 + 1.5) < 1e-14);
  assert_int_equal(graze_project(&placed, (graze_vec){0, 0, 0}, &span), GRAZE_BAD_NUMBER);
  assert_int_equal(graze_project(&placed, (graze_vec){NAN, 0, 0}, &span), GRAZE_BAD_NUMBER);
  placed = graze_place(&plane, graze_pose_at(0, 0, 0));
  assert_int_equal(graze_project(&placed, (graze_vec){0, 0, 1}, &span), GRAZE_UNSUPPORTED);
}

/* ---- Against every normal that two differences of vertices of one hull, or of both, can make. */

static graze_vec minus(graze_vec p, graze_vec q) { return (graze_vec){p.x - q.x, p.y - q.y, p.z - q.z}; }

/* The separation along n or -n, whichever is greater; -infinity for n = 0. */
static double separation_along(const graze_placed *a, const graze_placed *b, graze_vec n) {
  double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  graze_interval on_a, on_b;
  if (!(length > 1e-9)) return -INFINITY;
  assert_int_equal(graze_project(a, n, &on_a), GRAZE_OK);
  assert_int_equal(graze_project(b, n, &on_b), GRAZE_OK);
  return fmax(on_b.min - on_a.max, on_a.min - on_b.max) / length;
}

static int differences(const graze_placed *placed, graze_vec *out) {
  int count = 0;
  const double *r = placed->rotation;
  for (size_t i = 0; i < placed->shape.vertex_count; i++) {
    for (size_t j = 0; j < i; j++) {
      graze_vec e = minus(placed->shape.vertices[i], placed->shape.vertices[j]);
      out[count++] = (graze_vec){r[0] * e.x + r[1] * e.y + r[2] * e.z, r[3] * e.x + r[4] * e.y + r[5] * e.z,
                                 r[6] * e.x + r[7] * e.y + r[8] * e.z};
    }
  }
  return count;
}

static double separation_by_brute_force(const graze_placed *a, const graze_placed *b) {
  graze_vec e[2 * 28];
  int of_a = differences(a, e), all = of_a + differences(b, e + of_a);
  double greatest = -INFINITY;
  for (int i = 0; i < all; i++) {
    for (int j = 0; j < i; j++) {
      graze_vec n = {e[i].y * e[j].z - e[i].z * e[j].y, e[i].z * e[j].x - e[i].x * e[j].z,
                     e[i].x * e[j].y - e[i].y * e[j].x};
      greatest = fmax(greatest, separation_along(a, b, n));
    }
  }
  return greatest;
}

TEST(test_brute_force) {
  rng random = {seed_of};
  int apart = 0, meet = 0;
  for (int n = 0; n < 200; n++) {
    graze_vec vertices_a[PAIR_VERTICES], vertices_b[PAIR_VERTICES];
    graze_shape a = random_hull(&random, 3, rng_between(&random, 4, 8), vertices_a);
    graze_shape b = random_hull(&random, 3, rng_between(&random, 3, 8), vertices_b);
    a.margin = b.margin = 0;
    graze_placed at_a = graze_place(&a, random_pose(&random, 3, 0.8));
    graze_placed at_b = graze_place(&b, random_pose(&random, 3, 0.8));
    graze_axis best;
    assert_int_equal(graze_sat(&at_a, &at_b, NULL, NULL, NULL, &best), GRAZE_OK);
    double greatest = separation_by_brute_force(&at_a, &at_b);
    assert_int_equal(best.separation > 0, greatest > 0);
    if (greatest < 0) assert_true(fabs(best.separation - greatest) < 1e-13);
    apart += greatest > 0, meet += greatest < 0;
  }
  assert_true(apart > 40 && meet > 40);
}

/* ---- Depth. */

typedef struct tally {
  int asked, narrow, refused;
  double apart; /* the worst misfit of witness points, in sizes */
} tally;

/* In the caller's units, outward where those are subnormal. */
static double outward(double x, double unit, double step) { return unit == 1 ? x : x / unit + step * 0x1p-1074; }

static double largest(graze_vec v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

static void check_witness(const grz_obstacle *c, const grz_axis_depth *found, tally *t) {
  graze_vec off = {found->core_a.x + c->offset.x - found->core_b.x - found->direction.x * found->high,
                   found->core_a.y + c->offset.y - found->core_b.y - found->direction.y * found->high,
                   found->core_a.z + c->offset.z - found->core_b.z - found->direction.z * found->high};
  t->apart = fmax(t->apart, largest(off) / c->size);
}

/* The depth of the cores: margins and radii are taken off. */
static void check_depth(oracle *o, const shape_pair *pair, tally *t) {
  graze_shape a = pair->a, b = pair->b;
  a.margin = b.margin = a.radius = b.radius = 0;
  graze_placed placed_a = graze_place(&a, pair->pose_a), placed_b = graze_place(&b, pair->pose_b);
  if (a.kind == GRAZE_HALFSPACE || b.kind == GRAZE_HALFSPACE || placed_a.status != GRAZE_OK ||
      placed_b.status != GRAZE_OK || !oracle_solve(o, &a, &pair->pose_a, &b, &pair->pose_b, 0))
    return;
  if (oracle_relation(o) != GRAZE_OVERLAPPING) return;
  grz_obstacle c;
  grz_axis_depth found;
  graze_options options = graze_default_options();
  grz_obstacle_make(&c, &placed_a, &placed_b, 0);
  t->asked++;
  if (!grz_sat_depth(&c, &options, &found)) {
    t->refused++;
    return;
  }
  double low = outward(found.low, c.unit, -1), high = outward(found.high, c.unit, 1);
  if (oracle_compare(o, -low) > 0 || oracle_compare(o, -high) < 0) {
    print_error("%.17g: [%.17g, %.17g] size %g\n", -oracle_distance(o) * c.unit, found.low, found.high, c.size);
    print_query_line(stderr, "wrong", "penetration", &a, &pair->pose_a, &b, &pair->pose_b);
    fail();
  }
  assert_true(oracle_ends_overlap(o, found.direction, high));
  t->narrow += found.high - found.low <= 1e-12 * fmax(placed_a.reach, placed_b.reach) * c.unit;
  check_witness(&c, &found, t);
}

static void check_family(oracle *o, const family *f, int pairs, tally *sum) {
  static shape_pair pair;
  rng random = {seed_of};
  tally t = {0};
  for (int n = 0; n < pairs; n++) {
    f->make(&random, &pair);
    check_depth(o, &pair, &t);
  }
  print_message("%-28s %5d asked, %d refused, %d narrow, witness %.1e\n", f->name, t.asked, t.refused, t.narrow,
                t.apart);
  assert_true(t.apart < 1e-10);
  sum->asked += t.asked, sum->refused += t.refused, sum->narrow += t.narrow;
}

TEST(test_depth) {
  oracle *o = oracle_new();
  tally sum = {0};
  const int pairs = tiered(400, 400, 4000);
  for (int i = 0; i < families_random_count; i++) check_family(o, &families_random[i], pairs, &sum);
  for (int i = 0; i < families_degenerate_count; i++) check_family(o, &families_degenerate[i], pairs, &sum);
  for (int i = 0; i < families_depth_count; i++) check_family(o, &families_depth[i], pairs, &sum);
  oracle_free(o);
  print_message("%d asked, %d refused, %d narrow\n", sum.asked, sum.refused, sum.narrow);
  assert_true(sum.asked > 1000);
  assert_true(sum.refused <= sum.asked / 100);
  assert_true(sum.narrow >= sum.asked * 95 / 100);
}
