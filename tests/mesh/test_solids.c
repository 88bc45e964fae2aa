/* Solid meshes against convex shapes, surfaces and each other: containment, contact and depth, against the exact
 * oracle. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/mesh_checks.h"
#include "support/query.h"

static const int solids[2] = {MESH_TETRAHEDRON, MESH_NEEDLE}, surfaces[2] = {MESH_SOUP, MESH_SHELL},
                 convex[2] = {MESH_AS_POINT, MESH_AS_OCTAHEDRON};
static const int solids_2d[2] = {OUTLINE_TRIANGLE, OUTLINE_NEEDLE}, surfaces_2d[2] = {OUTLINE_SOUP, OUTLINE_SHELL},
                 convex_2d[2] = {OUTLINE_AS_POINT, OUTLINE_AS_BOX};

TEST(solid_and_convex) { mesh_run(&(mesh_plan){"solid and convex", 61, 3, solids, convex, false, 140, 30, 10, 20}); }

TEST(solid_and_solid) { mesh_run(&(mesh_plan){"two solids", 62, 3, solids, solids, false, 140, 30, 10, 20}); }

TEST(solid_and_surface) {
  mesh_run(&(mesh_plan){"solid and surface", 63, 3, solids, surfaces, false, 140, 30, 10, 20});
}

TEST(rounded_solid) { mesh_run(&(mesh_plan){"rounded solid", 64, 3, solids, convex, true, 70, 30, 0, 20}); }

TEST(outline_and_convex) {
  mesh_run(&(mesh_plan){"2D: solid and convex", 65, 2, solids_2d, convex_2d, false, 140, 30, 10, 20});
}

TEST(outline_and_outline) {
  mesh_run(&(mesh_plan){"2D: two solids", 66, 2, solids_2d, solids_2d, false, 140, 15, 10, 30});
}

TEST(outline_and_polyline) {
  mesh_run(&(mesh_plan){"2D: solid and surface", 67, 2, solids_2d, surfaces_2d, false, 140, 20, 10, 30});
}

/* A triangle whose vertices are on one line is a segment. It starts on the surface of a cube and ends inside. */
TEST(degenerate_triangle_enters_a_solid) {
  static mesh_fixture cube, flat;
  const graze_vec v[3] = {{0, -2, -2}, {0.25, -1.75, -1.5}, {0.25, -1.75, -1.5}};
  mesh_fixture_begin(3, &cube), mesh_fixture_begin(3, &flat);
  mesh_add_box(&cube, vec(-2, -2, -2), vec(2, 2, 2), false);
  mesh_add_face(&flat, v);
  flat.member.set.solid = false;
  mesh_fixture_create(&cube, false), mesh_fixture_create(&flat, true);
  const graze_placed a = posed(cube.member.shape, identity), b = posed(flat.member.shape, identity),
                     segment = posed(graze_segment(v[0], v[1]), identity),
                     triangle = posed(graze_triangle(v[0], v[1], v[2]), identity);
  assert_int_equal(mesh_relation(&cube.member.set, &flat.member.set), GRAZE_OVERLAPPING);
  assert_int_equal(intersect(&a, &segment, NULL).relation, GRAZE_OVERLAPPING);
  assert_int_equal(intersect(&a, &triangle, NULL).relation, GRAZE_OVERLAPPING);
  assert_int_equal(intersect(&a, &b, NULL).relation, GRAZE_OVERLAPPING);
  mesh_fixture_free(&cube), mesh_fixture_free(&flat);
}
