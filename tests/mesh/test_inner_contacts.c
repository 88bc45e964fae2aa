/* Overlaps of solids that are found only near a contact of faces, or by a part away from it. Each of these answers was
 * wrong once: bodies that touch in many faces, parts that touch beside parts that do not, and tiny solids. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/mesh_checks.h"
#include "support/query.h"

static mesh_fixture body[2];

/* Both functions, in both orders. */
static void expect_relation(const graze_placed *a, const graze_placed *b, graze_relation relation) {
  for (int order = 0; order < 2; order++) {
    const graze_placed *p = order == 0 ? a : b, *q = order == 0 ? b : a;
    graze_answer x;
    assert_int_equal(graze_intersect(p, q, NULL, &x), GRAZE_OK);
    assert_int_equal(x.relation, relation);
    assert_int_equal(graze_distance(p, q, NULL, &x), GRAZE_OK);
    assert_int_equal(x.relation, relation);
  }
}

static graze_placed boxes_at_rest(mesh_fixture *out, int dim, const graze_vec (*box)[2], int count) {
  mesh_fixture_begin(dim, out);
  for (int i = 0; i < count; i++) mesh_add_box(out, box[i][0], box[i][1], false);
  mesh_fixture_create(out, false);
  return posed(out->member.shape, identity);
}

/* Two flanges and the web between them are boxes of one mesh. A slab fills the gap, so all its faces touch, and it
 * overlaps the web. The order of the boxes is that of the faces. */
TEST(slab_between_flanges) {
  for (int dim = 2; dim <= 3; dim++) {
    const double z = dim - 2;
    const graze_vec part[3][2] = {
        {{0, -1, 0}, {10, 0, 10 * z}}, {{0, 1, 0}, {10, 2, 10 * z}}, {{4, 0, 5 * z}, {5, 1, 6 * z}}};
    const graze_vec slab[1][2] = {{{2, 0, 2 * z}, {8.5, 1, 8 * z}}};
    const graze_placed b = boxes_at_rest(&body[1], dim, slab, 1);
    for (int first = 0; first < 3; first++) {
      graze_vec order[3][2];
      for (int i = 0; i < 3; i++) memcpy(order[i], part[(first + i) % 3], sizeof order[i]);
      const graze_placed a = boxes_at_rest(&body[0], dim, (const graze_vec(*)[2])order, 3);
      expect_relation(&a, &b, GRAZE_OVERLAPPING);
      mesh_fixture_free(&body[0]);
    }
    mesh_fixture_free(&body[1]);
  }
}

/* A segment inside a cube, and a box of the same compound that touches the cube from outside. */
TEST(part_inside_beside_a_part_that_touches) {
  static const graze_vec box[1][2] = {{{0, 0, 0}, {4, 4, 4}}};
  const graze_placed cube = boxes_at_rest(&body[0], 3, box, 1);
  const graze_placed parts[2] = {posed(graze_segment(vec(1, 1, 1), vec(2, 2, 2)), identity),
                                 posed(graze_box(1, 1, 1), graze_pose_at(5, 2, 2))};
  graze_compound *compound;
  assert_int_equal(graze_compound_create(parts, 2, NULL, &compound, NULL), GRAZE_OK);
  const graze_placed b = posed(graze_compound_shape(compound), identity);
  const graze_motion away = {{1, 0, 0}, {0, 0, 0}};
  graze_cast_result x;
  expect_relation(&cube, &b, GRAZE_OVERLAPPING);
  assert_int_equal(graze_cast(&cube, NULL, &b, &away, 1, NULL, &x), GRAZE_OK);
  assert_true(x.outcome == GRAZE_HIT && x.t_upper == 0);
  graze_compound_destroy(compound);
  mesh_fixture_free(&body[0]);
}

/* Flat shapes in 2D that start on an edge of a square and end inside. */
TEST(flat_shapes_in_2d) {
  static const graze_vec box[1][2] = {{{0, 0, 0}, {4, 4, 0}}};
  const graze_vec from = {0, 2, 0}, middle = {1, 2, 0}, to = {2, 2, 0}, hull[4] = {from, middle, to, {1.5, 2, 0}};
  const graze_shape shape[4] = {graze_segment2(from, to), graze_triangle2(from, middle, to),
                                graze_triangle2(from, to, to), graze_hull_points2(hull, 4)};
  const graze_placed square = boxes_at_rest(&body[0], 2, box, 1);
  for (size_t i = 0; i < COUNT(shape); i++) {
    const graze_placed inward = posed(shape[i], identity), outward = posed(shape[i], graze_pose_at(-2, 0, 0));
    expect_relation(&square, &inward, GRAZE_OVERLAPPING);
    expect_relation(&square, &outward, GRAZE_TOUCHING);
  }
  mesh_fixture_free(&body[0]);
}

/* A tetrahedron inside a box, and a face of the same component that ends on the box: a needle, or both sides of a fin.
 */
TEST(component_that_touches_from_inside) {
  static const graze_vec box[1][2] = {{{0, 0, 0}, {4, 4, 4}}};
  static const graze_vec vertex[5] = {{0, 2, 1}, {1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};
  static const int32_t needle[15] = {1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4, 0, 1, 0};
  static const int32_t fin[18] = {1, 3, 2, 1, 2, 4, 1, 4, 3, 2, 3, 4, 0, 1, 4, 4, 1, 0};
  const graze_placed cube = boxes_at_rest(&body[0], 3, box, 1);
  for (int i = 0; i < 2; i++) {
    const graze_mesh_def def = {3, vertex, 5, i ? fin : needle, i ? 6 : 5, false, NULL};
    graze_mesh *mesh;
    assert_int_equal(graze_mesh_create(&def, NULL, &mesh, NULL), GRAZE_OK);
    assert_true(graze_mesh_is_solid(mesh));
    const graze_placed b = posed(graze_mesh_shape(mesh), identity);
    expect_relation(&cube, &b, GRAZE_OVERLAPPING);
    graze_mesh_destroy(mesh);
  }
  mesh_fixture_free(&body[0]);
}

/* Two cones, tip to tip. Their planes divide space into many cells. */
TEST(tip_to_tip) {
  enum { FACETS = 12 };
  const double turn = 2 * acos(-1);
  for (int side = 0; side < 2; side++) {
    const double h = side ? 1 : -1;
    mesh_fixture_begin(3, &body[side]);
    for (int i = 0; i < FACETS; i++) {
      const double r = 8 + i % 3, from = turn * i / FACETS, to = turn * (i + 1) / FACETS;
      const double next = 8 + (i + 1) % FACETS % 3;
      const graze_vec p = {rint(r * cos(from)), rint(r * sin(from)), 8 * h};
      const graze_vec q = {rint(next * cos(to)), rint(next * sin(to)), 8 * h};
      const graze_vec tip[3] = {{0, 0, 0}, q, p}, base[3] = {{0, 0, 8 * h}, p, q};
      mesh_add_face(&body[side], tip), mesh_add_face(&body[side], base);
    }
    mesh_fixture_create(&body[side], false);
  }
  const graze_placed a = posed(body[0].member.shape, identity), b = posed(body[1].member.shape, identity);
  const graze_placed tilted = posed(body[1].member.shape, (graze_pose){{0, 0, 0}, 7, 1, 0, 0});
  const graze_placed inside = posed(body[1].member.shape, (graze_pose){{0, 0, 0}, 1, 3, 0, 0});
  expect_relation(&a, &b, GRAZE_TOUCHING);
  expect_relation(&a, &tilted, GRAZE_TOUCHING);
  expect_relation(&a, &inside, GRAZE_OVERLAPPING);
  mesh_fixture_free(&body[0]);
  mesh_fixture_free(&body[1]);
}

/* Points and rays at a solid so small that products of three lengths underflow. A power of two scales everything
 * exactly. Seed 51. */
TEST(tiny_solids) {
  static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  rng random = 51;
  const int count = tiered(1500, 3000, 40000);
  int inside = 0, hits = 0;
  for (int i = 0; i < count; i++) {
    graze_vec vertex[2][4];
    graze_relation relation[2];
    graze_cast_result cast[2];
    graze_cast_options options = graze_default_cast_options();
    options.min_distance = false;
    for (int k = 0; k < 4; k++) vertex[0][k] = rng_vec(&random, 3, 1);
    const double scale = ldexp(1, rng_between(&random, -361, -355));
    const graze_vec p = scaled(0.25, add(add(vertex[0][0], vertex[0][1]), add(vertex[0][2], vertex[0][3])));
    const graze_vec at = add(p, rng_vec(&random, 3, 0.25)), direction = {3, 2, 4};
    for (int k = 0; k < 2; k++) {
      const double unit = k ? scale : 1;
      for (int j = 0; j < 4; j++) vertex[k][j] = scaled(unit, vertex[0][j]);
      const graze_mesh_def def = {3, vertex[k], 4, faces, 4, false, NULL};
      graze_mesh *mesh;
      assert_int_equal(graze_mesh_create(&def, NULL, &mesh, NULL), GRAZE_OK);
      const graze_placed placed = posed(graze_mesh_shape(mesh), identity);
      const graze_vec from = scaled(unit, sub(at, direction));
      assert_int_equal(graze_contains(&placed, scaled(unit, at), &relation[k]), GRAZE_OK);
      assert_int_equal(graze_raycast(&placed, from, scaled(unit, direction), 10, &options, &cast[k]), GRAZE_OK);
      graze_mesh_destroy(mesh);
    }
    assert_int_equal(relation[0], relation[1]);
    assert_int_equal(cast[0].outcome == GRAZE_CLEAR, cast[1].outcome == GRAZE_CLEAR);
    inside += relation[0] == GRAZE_OVERLAPPING, hits += cast[0].outcome == GRAZE_HIT;
  }
  assert_in_range(100 * inside / count, 20, 80);
  assert_in_range(100 * hits / count, 20, 95);
}

/* A pose whose numbers differ by 240 orders of magnitude: exact numbers of its contacts are long. */
TEST(equal_solids_at_an_extreme_pose) {
  static const graze_vec vertex[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const graze_pose pose = {{3.085728259658116e-241, 2.220446049250313e-16, -8.266214970945724},
                           0.09972906479650057,
                           -1.1293378116963932,
                           -1.5724716672391444e-174,
                           -0.00020529794665299895};
  const graze_mesh_def def = {3, vertex, 4, faces, 4, false, NULL};
  graze_mesh *mesh;
  assert_int_equal(graze_mesh_create(&def, NULL, &mesh, NULL), GRAZE_OK);
  const graze_placed placed = posed(graze_mesh_shape(mesh), pose);
  expect_relation(&placed, &placed, GRAZE_OVERLAPPING);
  graze_mesh_destroy(mesh);
}
