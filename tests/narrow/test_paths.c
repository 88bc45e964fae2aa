/* The algorithms that answer most pairs in doubles: the share of pairs that each answers is kept, and all are right. */
#include "support/families_run.h"
#include "support/framed.h"
#include "support/query.h"
#include "support/random.h"
#include "support/shapes.h"

typedef struct path_rule {
  const char *family;
  char query; /* 'i': intersect, 'd': distance */
  graze_relation relation;
  graze_algorithm algorithm;
  int least, most; /* per cent of the answers of that relation */
} path_rule;

static const path_rule rules[] = {
    {"boxes, nearly parallel", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 99, 100},
    {"boxes, nearly parallel", 'i', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 99, 100},
    {"boxes, nearly parallel, 2D", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 95, 100},
    {"boxes, stacked", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 99, 100},
    {"boxes, stacked", 'i', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 99, 100},
    {"boxes, needles", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 90, 100},
    {"boxes, 1e8 away", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 99, 100},
    {"boxes, odd", 'i', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 25, 100},
    {"polygons, near", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_BOUNDARY_WALK, 99, 100},
    {"polygons, deep", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 95, 100},
    {"odd lists", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_BOUNDARY_WALK, 40, 95},
    {"odd lists, deep", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 95, 100},
    {"few corners", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_BOUNDARY_WALK, 30, 60},
    {"few corners", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 40, 70},
    {"few corners, tiny", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_BOUNDARY_WALK, 0, 0},
    {"few corners, deep", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 95, 100},
    {"slow bends", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 90, 100},
    {"sides in parts", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 90, 100},
    {"same lists", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 90, 100},
    {"flat on the ground", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_HALFSPACE, 100, 100},
    {"nearly as deep", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_HALFSPACE, 100, 100},
    {"balls that nearly touch", 'i', GRAZE_SEPARATED, GRAZE_ALGORITHM_BOUNDING_SPHERES, 60, 100},
    {"closed forms", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 99, 100},
    {"closed forms", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_CLOSED_FORM, 50, 100},
    {"closed forms", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 2, 20},
    {"closed forms, lattice", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 99, 100},
    {"closed forms, near", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 90, 100},
    {"line of centres, near", 'i', GRAZE_SEPARATED, GRAZE_ALGORITHM_GJK, 60, 100},
    {"closed forms, triangles", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 99, 100},
    {"closed forms, triangles", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_CLOSED_FORM, 50, 100},
    {"closed forms, triangles, lattice", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 99, 100},
    {"closed forms, triangles, near", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 80, 100},
    {"few faces", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 60, 100},
    {"few faces, lattice", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 20, 100},
    {"few faces, resting", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 60, 100},
    {"triangles", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 99, 100},
    {"triangles, lattice", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 99, 100},
    {"triangles, slivers", 'd', GRAZE_SEPARATED, GRAZE_ALGORITHM_CLOSED_FORM, 20, 100},
    {"triangles", 'i', GRAZE_SEPARATED, GRAZE_ALGORITHM_SAT, 60, 100},
    {"triangles, intersecting", 'i', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 99, 100},
    {"triangles, intersecting", 'd', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 95, 100},
    {"triangles of a mesh", 'i', GRAZE_TOUCHING, GRAZE_ALGORITHM_SAT, 80, 100},
    {"triangles of a mesh", 'i', GRAZE_OVERLAPPING, GRAZE_ALGORITHM_SAT, 99, 100},
    {"any kind, any unit", 'i', GRAZE_SEPARATED, GRAZE_ALGORITHM_BOUNDING_SPHERES, 10, 90},
};

static long check_rule(const path_rule *rule, const family_tally *t) {
  const long *by = rule->query == 'i' ? t->intersect_by[rule->relation] : t->distance_by[rule->relation];
  long all = 0;
  for (int k = 0; k <= GRAZE_ALGORITHM_CLOSED_FORM; k++) all += by[k];
  const double share = 100 * (double)by[rule->algorithm] / (double)all;
  if (all > 0 && share >= rule->least && share <= rule->most) return 0;
  printf("FAILED %s, %c: %.1f %% of %ld by path %d\n", rule->family, rule->query, share, all, (int)rule->algorithm);
  return 1;
}

static long check_families(const family *list, int count) {
  long failed = 0;
  for (int f = 0; f < count; f++) {
    const family *from = &list[f];
    family_tally total = {0};
    const bool polygons = strstr(from->name, "polygons") || strstr(from->name, "lists"); /* cheap */
    const int pairs = (polygons ? 4 : 1) * tiered(400, 800, 20000);
    failed += family_run(&(family_plan){from, 1, pairs, .check = family_check, .total = &total});
    for (size_t i = 0; i < COUNT(rules); i++)
      if (strcmp(rules[i].family, from->name) == 0) failed += check_rule(&rules[i], &total);
    const double exact = 100 * (double)total.exact / (double)total.pairs; /* in doubles the tie could be missed */
    if (strcmp(from->name, "flat on the ground") == 0 && exact < 100) failed++;
    if (strcmp(from->name, "nearly as deep") == 0 && exact < 15) failed++;
  }
  return failed;
}

TEST(every_family_by_its_algorithm) {
  const long failed = check_families(families_paths, families_paths_count);
  assert_int_equal(failed + check_families(families_triangles, families_triangles_count), 0);
}

/* ---- which algorithm answers, case by case */

/* An edge so short that its square has lost digits is left to EPA. */
TEST(hairs_of_any_length) {
  static const int exponents[] = {-52, -290, -310, -600, -1060};
  const graze_placed b = posed(graze_box2(0.5, 0.25), graze_pose2(0.25, 0.125, 0.5));
  for (int i = 0; i < 5; i++) {
    const graze_vec v[] = {{0, 0, 0}, {ldexp(1, exponents[i]), 0, 0}, {1, 0.125, 0}, {1, 1, 0}, {0, 1, 0}};
    const graze_placed a = posed(graze_polygon(v, 5), graze_pose2(0, 0, 0.25));
    assert_int_equal(distance(&a, &b, NULL).algorithm, i < 2 ? GRAZE_ALGORITHM_SAT : GRAZE_ALGORITHM_EPA);
  }
}

/* A requested surface needs EPA; so do polygons of more than 64 corners. */
TEST(surfaces_and_large_polygons_need_epa) {
  enum { MOST = 64 };
  graze_vec corners[MOST + 1];
  for (int i = 0; i <= MOST; i++) corners[i] = vec(i, (double)i * (MOST - i) / 8, 0);
  const graze_pose there = graze_pose2(1, 0.5, 0.125);
  const graze_placed a = posed(graze_polygon(corners, MOST), identity), b = posed(graze_polygon(corners, MOST), there);
  const graze_placed large = posed(graze_polygon(corners, MOST + 1), there);
  assert_int_equal(distance(&a, &b, NULL).algorithm, GRAZE_ALGORITHM_SAT);
  assert_int_equal(distance(&a, &large, NULL).algorithm, GRAZE_ALGORITHM_EPA);
  assert_int_equal(proved_distance(&a, &b, NULL).algorithm, GRAZE_ALGORITHM_EPA);
}

TEST(one_step_is_gjk_and_two_are_a_boundary_walk) {
  const graze_shape box = graze_box2(0.5, 0.25);
  const graze_placed a = posed(box, graze_pose2(0, 0, 0.5)), b = posed(box, graze_pose2(2, 0.5, 0.25));
  for (int most = 1; most <= 2; most++) {
    graze_options options = graze_default_options();
    options.max_iterations = most;
    const proved_answer x = distance(&a, &b, &options);
    assert_int_equal(x.iterations, most);
    assert_int_equal(x.algorithm, most == 1 ? GRAZE_ALGORITHM_GJK : GRAZE_ALGORITHM_BOUNDARY_WALK);
    assert_int_equal(x.stopped, most == 1 ? GRAZE_STOP_BUDGET : GRAZE_STOP_NONE);
  }
}

/* Two long rectangles side by side: the line of centres does not separate them, an edge normal does. */
TEST(an_edge_normal_starts_a_boundary_walk) {
  static const graze_vec corner[4] = {{-4, 0, 0}, {4, 0, 0}, {4, 1, 0}, {-4, 1, 0}};
  static const graze_vec above[4] = {{3, 1.25, 0}, {11, 1.5, 0}, {11, 2.5, 0}, {3, 2.25, 0}};
  const graze_placed a = posed(graze_polygon(corner, 4), identity), b = posed(graze_polygon(above, 4), identity);
  for (int most = 1; most <= 4; most++) {
    graze_options options = graze_default_options();
    options.max_iterations = most;
    const proved_answer x = distance(&a, &b, &options);
    assert_int_equal(x.relation, GRAZE_SEPARATED);
    assert_int_equal(x.algorithm == GRAZE_ALGORITHM_BOUNDARY_WALK, most > 2);
    if (most > 2) assert_int_equal(x.iterations, 3);
    if (most > 2) assert_true(x.lower <= 0.25 && 0.25 <= x.upper && x.upper - x.lower < 1e-12);
  }
  graze_options near = graze_default_options();
  near.max_distance = 0.125;
  const proved_answer x = distance(&a, &b, &near);
  assert_int_equal(x.stopped, GRAZE_STOP_CUTOFF);
  assert_int_equal(x.iterations, 2);
}

/* Fixed: the witness points of a tiny polygon far away, along the normal of an edge below the rounding of positions. */
TEST(a_walk_to_a_tiny_polygon) {
  static const graze_vec corner[3] = {{0x1.0c6f7a0b5ed8dp-20, 0x1.92a737110e454p-19, 0},
                                      {-0x1.0c6f7a0b5ed8dp-20, 0x1.0c6f7a0b5ed8dp-19, 0},
                                      {0x1.0c6f7a0b5ed8dp-19, 0x1.92a737110e454p-19, 0}};
  const graze_pose pose_a = {{-0x1.e848p+20, -0x1.e848p+19, 0}, 0x1.9f1f63f52590ap-1, 0, 0, -0x1.2bb1f8712930dp-1};
  const graze_pose pose_b = {{-0x1.4fb18p+23, 0x1.e848p+20, 0}, 2, 0, 0, 1};
  const graze_placed a = posed(graze_circle(0x1.ab3fp+22), pose_a), b = posed(graze_polygon(corner, 3), pose_b);
  graze_options options = graze_default_options();
  for (int i = 0; i < 2; i++) {
    options.tolerance = i * 0x1.d27d0b71a184bp+22;
    const proved_answer x = distance(&a, &b, &options);
    const graze_vec off = sub(sub(x.point_b, x.point_a), scaled(x.distance, x.normal));
    assert_int_equal(x.relation, GRAZE_SEPARATED);
    assert_true(norm(off) < 1e-6);
  }
}

/* An arc of 400 corners with a point below it: some walks end early, and then the answer is that of GJK alone. */
TEST(long_walks_fall_back_to_gjk) {
  enum { CORNERS = 400 };
  static graze_vec arc[CORNERS];
  for (int i = 0; i < CORNERS; i++) arc[i] = vec(i - CORNERS / 2, -0x1p-10 * i * (CORNERS - 1 - i), 0);
  const graze_options by_gjk = by_method(GRAZE_METHOD_GJK), by_exact = by_method(GRAZE_METHOD_EXACT);
  const graze_placed a = posed(graze_polygon(arc, CORNERS), identity);
  int gjk = 0;
  for (int k = 0; k < 40; k++) {
    const graze_placed b = placed_at(graze_point2(), 10.0 * k - 200, -60 - k, 0);
    const proved_answer x = distance(&a, &b, NULL), exact = distance(&a, &b, &by_exact);
    assert_int_equal(x.relation, GRAZE_SEPARATED);
    assert_true(x.lower <= exact.upper && exact.lower <= x.upper);
    if (x.algorithm != GRAZE_ALGORITHM_GJK) continue;
    const proved_answer other = distance(&a, &b, &by_gjk);
    assert_true(other.lower == x.lower && other.upper == x.upper);
    assert_int_equal(x.iterations, 1 + other.iterations); /* the line of centres, before the walk */
    gjk++;
  }
  assert_in_range(gjk, 1, 39);
}

/* Fixed: depths at an edge of one ulp, whose normal is arbitrary, and at the sides of a needle, back to back. */
TEST(needles_and_bends) {
  graze_vec bend[8] = {{-0x1.2000000000001p-11, -0x1.7ffffffffffffp+1, 0}};
  for (int y = -3; y <= 3; y++) bend[y + 4] = vec(-0x1p-14 * y * y, y, 0);
  const graze_vec four[] = {{1, 3, 0}, {0, 0, 0}, {1, 0, 0}, {3, 1, 0}};
  const graze_vec needle[] = {{1, 3, 0}, {0, 0, 0}, {0x1p-60, 0, 0}};
  const graze_pose turned = {
      {-0.48706316349412915, 0.85130927621070529, 0}, 0.72724709282689615, 0, 0, -0.038542288088114551};
  family_runner *r = family_runner_new();
  r->name = "needles and bends";
  r->pair.a = graze_box2(0x1.12e0be826d695p-30, 0x1.e3dabd006d352p-2), r->pair.b = graze_polygon(bend, 8);
  r->pair.pose_a =
      (graze_pose){{0x1.57f49533e72p-3, -0x1.7a8307296e128p-3, 0}, 0x1.1a157ea9ab2fp-2, 0, 0, -0x1.3e1251df415f6p-1};
  r->pair.pose_b = (graze_pose){{0, 0.75, 0}, 1, 0, 0, 0x1.cb85a34a749p-60};
  family_check(r, NULL, 0);
  r->pair.a = graze_polygon(four, 4), r->pair.b = graze_polygon(needle, 3);
  r->pair.pose_a = r->pair.pose_b = turned;
  family_check(r, NULL, 0);
  assert_int_equal(r->count.pairs, 2);
  assert_int_equal(r->count.failed, 0);
  family_runner_free(r);
}

/* Fixed: the normal of two capsules whose axes are nearly parallel was the rounded product of the axes. */
TEST(nearly_parallel_capsules) {
  family_runner *r = family_runner_new();
  r->name = "nearly parallel capsules";
  r->pair.a = graze_capsule(0.25, 0.25), r->pair.b = graze_capsule(0.5, 0.5);
  r->pair.pose_a = identity;
  r->pair.pose_b = (graze_pose){{-0.50000197918536027, -2.7379513949422059e-06, -0.24999851189617009},
                                1.0000009625456965,
                                -1.909084646300405e-06,
                                0,
                                2.3345121416729585e-06};
  family_check(r, NULL, 0);
  assert_int_equal(r->count.pairs, 1);
  assert_int_equal(r->count.failed, 0);
  family_runner_free(r);
}

/* Fixed: bounding balls, from a support function exact along the axes only, separated along a direction without proof.
 */
static double vague(void *context, graze_vec d, graze_vec *point) {
  const int axes = (d.x != 0) + (d.y != 0) + (d.z != 0);
  *point = scaled(1 / norm(d), d);
  return axes == 1 ? 1e-15 : *(const double *)context;
}

TEST(bounding_balls_do_not_decide_vague_shapes) {
  double error = 1;
  for (int dim = 2; dim <= 3; dim++) {
    const graze_shape ball = graze_user(dim, vague, &error);
    const double offset = dim == 2 ? 2.2 : 2.1;
    const graze_placed a = posed(ball, identity), b = placed_at(ball, offset, offset, dim == 3 ? offset : 0);
    const proved_answer x = intersect(&a, &b, NULL);
    assert_true(x.conditional);
    assert_int_equal(x.relation, GRAZE_UNDECIDED);
  }
}

/* Parts of compounds have another frame: no bounding ball. These leave a cache as it was. */
TEST(who_uses_bounding_balls) {
  const graze_shape cone = graze_cone(1, 1);
  const graze_placed b = placed_at(cone, 5, 0, 0);
  framed f = framed_make(&cone, identity, identity, 0);
  graze_cache cache = {.count = 0};
  graze_options options = graze_default_options();
  options.cache = &cache;
  assert_int_equal(intersect(&f.own, &b, &options).algorithm, GRAZE_ALGORITHM_BOUNDING_SPHERES);
  assert_int_equal(cache.count, 0);
  assert_int_equal(intersect(&f.part, &b, NULL).algorithm, GRAZE_ALGORITHM_GJK);
  framed_free(&f);
}

static graze_shape curved_shape(rng *random, int kind) {
  const double x = rng_uniform(random, 0.1, 1), y = rng_uniform(random, 0.1, 1), z = rng_uniform(random, 0.1, 1);
  switch (kind) {
  case 0: return graze_ellipsoid(x, y, z);
  case 1: return graze_cylinder(x, y);
  case 2: return graze_cone(x, y);
  default: return graze_box(x, y, z);
  }
}

static graze_placed curved_placed(rng *random, int kind, double half) {
  const graze_vec at = rng_vec(random, 3, half), turn = rng_vec(random, 3, 1);
  return posed(curved_shape(random, kind), graze_pose3(at, rng_uniform(random, -1, 1), turn.x, turn.y, turn.z));
}

/* If bounding balls and the line of centres do not separate curved shapes, its two reflections mostly do, and GJK
 * the rest. intersect() verifies each certificate. A budget of one step allows no reflection. Seed 77. */
TEST(reflections_of_the_line_of_centres) {
  static const int kinds[][2] = {{0, 0}, {1, 3}, {2, 0}, {1, 2}};
  const int pairs = tiered(3000, 6000, 100000);
  rng random = 77;
  for (int k = 0; k < 4; k++) {
    long first = 0, reflected = 0, other = 0, beyond = 0;
    for (int i = 0; i < pairs; i++) {
      const graze_placed a = curved_placed(&random, kinds[k][0], 0), b = curved_placed(&random, kinds[k][1], 1.3);
      const proved_answer x = intersect(&a, &b, NULL);
      if (x.relation != GRAZE_SEPARATED) continue;
      first += x.iterations == 1, reflected += x.iterations == 2 || x.iterations == 3, other += x.iterations > 3;
      graze_options once = graze_default_options();
      once.max_iterations = 1;
      const proved_answer y = intersect(&a, &b, &once);
      assert_int_equal(y.relation, GRAZE_SEPARATED);
      beyond += y.iterations > 1 && y.algorithm == GRAZE_ALGORITHM_GJK;
    }
    assert_true(first > pairs / 4);
    assert_true(reflected > pairs / 50);
    assert_true(reflected > other);
    assert_int_equal(beyond, 0);
  }
}
