/* Normals of meshes that touch, and support vertices. Seeds are stated at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/mesh_checks.h"
#include "support/query.h"

/* The gap along n, from A to B. */
static double gap_in(const graze_placed *a, const graze_placed *b, graze_vec n) {
  graze_interval of_a, of_b;
  assert_int_equal(graze_project(a, n, &of_a), GRAZE_OK);
  assert_int_equal(graze_project(b, n, &of_b), GRAZE_OK);
  return of_b.min - of_a.max;
}

/* If a plane separates bodies that touch, the normal is that of such a plane, in both orders. */
static void check_normal(const graze_placed *a, const graze_placed *b) {
  for (int order = 0; order < 2; order++) {
    const graze_placed *p = order == 0 ? a : b, *q = order == 0 ? b : a;
    graze_answer relation, distance;
    assert_int_equal(graze_intersect(p, q, NULL, &relation), GRAZE_OK);
    assert_int_equal(graze_distance(p, q, NULL, &distance), GRAZE_OK);
    assert_int_equal(relation.relation, GRAZE_TOUCHING);
    assert_int_equal(distance.relation, GRAZE_TOUCHING);
    assert_true(gap_in(p, q, relation.normal) >= -1e-12);
    assert_true(gap_in(p, q, distance.normal) >= -1e-12);
  }
}

/* A cube and its copy, a convex box, and a grid at lattice offsets with a common part of a face. Seed 41. */
TEST(faces_in_one_plane) {
  static mesh_fixture cube, sheet;
  rng random = 41;
  mesh_fixture_begin(3, &cube);
  mesh_add_box(&cube, vec(-1, -1, -1), vec(1, 1, 1), false);
  mesh_fixture_create(&cube, false);
  mesh_fixture_begin(3, &sheet);
  for (int i = 0; i < 32; i++) {
    const double x = i / 2 % 4 - 2, y = i / 8 - 2, up = i % 2;
    const graze_vec corner[3] = {{x + up, y, 0}, {x + 1, y + 1, 0}, {x, y + up, 0}};
    mesh_add_face(&sheet, corner);
  }
  sheet.member.set.solid = false;
  mesh_fixture_create(&sheet, true);
  const graze_placed at_rest = posed(cube.member.shape, identity), floor = posed(sheet.member.shape, identity);
  const graze_shape box = graze_box(1, 1, 1);
  for (int i = 0; i < tiered(200, 400, 4000); i++) {
    const double u = rng_below(&random, 31) / 8.0 - 15 / 8.0, v = rng_below(&random, 31) / 8.0 - 15 / 8.0;
    const double side = rng_coin(&random) ? 2 : -2;
    const int axis = rng_below(&random, 3);
    const graze_vec at = axis == 0 ? vec(side, u, v) : axis == 1 ? vec(u, side, v) : vec(u, v, side);
    const graze_pose pose = graze_pose_at(at.x, at.y, at.z), above = graze_pose_at(u, v, side / 2);
    const graze_placed mesh = posed(cube.member.shape, pose), convex = posed(box, pose);
    const graze_placed on_floor = posed(cube.member.shape, above);
    check_normal(&at_rest, &mesh);
    check_normal(&at_rest, &convex);
    check_normal(&floor, &on_floor);
  }
  mesh_fixture_free(&cube);
  mesh_fixture_free(&sheet);
}

/* In the corner of an L no plane separates a body from the solid. Its normal leads out of the solid. */
TEST(inner_corner) {
  static mesh_fixture body;
  static const graze_vec outline[6] = {{0, 0, 0}, {4, 0, 0}, {4, 1, 0}, {1, 1, 0}, {1, 4, 0}, {0, 4, 0}};
  mesh_fixture_begin(2, &body);
  mesh_add_outline(&body, outline, 6, false);
  mesh_fixture_create(&body, false);
  const graze_placed l = posed(body.member.shape, identity);
  const graze_shape shapes[2] = {graze_point2(), graze_box2(0.25, 0.25)};
  for (int i = 0; i < 2; i++) {
    const double half = i * 0.25;
    const graze_placed low = posed(shapes[i], graze_pose_at(2, 1 + half, 0));
    const graze_placed left = posed(shapes[i], graze_pose_at(1 + half, 2, 0));
    graze_answer x;
    assert_int_equal(graze_distance(&l, &low, NULL, &x), GRAZE_OK);
    assert_true(x.relation == GRAZE_TOUCHING && x.normal.y == 1);
    assert_int_equal(graze_distance(&l, &left, NULL, &x), GRAZE_OK);
    assert_true(x.relation == GRAZE_TOUCHING && x.normal.x == 1);
    assert_int_equal(graze_distance(&left, &l, NULL, &x), GRAZE_OK);
    assert_true(x.relation == GRAZE_TOUCHING && x.normal.x == -1);
  }
  mesh_fixture_free(&body);
}

/* The normal of a ray that starts on a face points out of the solid, for any direction. */
TEST(rays_from_faces) {
  static mesh_fixture cube;
  mesh_fixture_begin(3, &cube);
  mesh_add_box(&cube, vec(-1, -1, -1), vec(1, 1, 1), false);
  mesh_fixture_create(&cube, false);
  const graze_placed a = posed(cube.member.shape, identity);
  for (int axis = 0; axis < 3; axis++)
    for (int i = 0; i < 54; i++) {
      const double side = i % 2 ? 1 : -1, u = 0.125 * (i % 5) - 0.25, v = 0.125 * (i % 7);
      const graze_vec from = axis == 0 ? vec(side, u, v) : axis == 1 ? vec(u, side, v) : vec(u, v, side);
      const graze_vec direction = {i / 2 % 3 - 1, i / 6 % 3 - 1, i / 18 - 1};
      graze_cast_result x;
      assert_int_equal(graze_raycast(&a, from, direction, 4, NULL, &x), GRAZE_OK);
      const double height = axis == 0 ? x.normal.x : axis == 1 ? x.normal.y : x.normal.z;
      assert_true(x.outcome == GRAZE_HIT && x.t == 0 && height == side);
    }
  mesh_fixture_free(&cube);
}

/* graze_support() returns the first farthest vertex, with exact ties on the lattice. Seed 42. */
TEST(support) {
  static mesh_fixture body;
  rng random = 42;
  int ties = 0;
  for (int i = 0; i < tiered(600, 1200, 20000); i++) {
    const int dim = 2 + rng_below(&random, 2), kind = rng_below(&random, dim == 2 ? OUTLINE_SHELL : MESH_SHELL);
    const double scale = ldexp(1, rng_between(&random, -60, 60)), offset = rng_below(&random, 3) ? 0 : 1e6 * scale;
    mesh_fixture_make(&random, dim, kind, &body);
    mesh_body *set = &body.member.set;
    for (int k = 0; k < set->vertex_count; k++) {
      body.vertices[k] = scaled(scale, body.vertices[k]);
      body.vertices[k].x += offset;
    }
    set->solid = false;
    mesh_fixture_create(&body, true);
    const graze_placed placed = posed(body.member.shape, identity);
    const graze_vec axis = vec(i % 3 == 0, i % 3 == 1, dim == 3 && i % 3 == 2);
    graze_vec d = rng_coin(&random) ? axis : rng_lattice_vec(&random, dim, -8, 8), at;
    if (norm(d) == 0) d = vec(1, 0, 0);
    int vertex = -1;
    assert_int_equal(graze_support(&placed, d, &at, &vertex), GRAZE_OK);
    const graze_mesh_def def = graze_mesh_faces(body.mesh);
    double most = -HUGE_VAL;
    int equal = 0;
    for (size_t k = 0; k < (size_t)dim * def.face_count; k++) {
      const double value = dot(d, def.vertices[def.faces[k]]);
      equal = value > most ? 1 : equal + (value == most);
      most = fmax(most, value);
    }
    ties += equal > 1;
    assert_in_range(vertex, 0, def.vertex_count - 1);
    const double reached = dot(d, def.vertices[vertex]), size = norm(d) * (offset + 16 * scale);
    assert_true(reached <= most && reached >= most - 1e-15 * size);
    assert_true(fabs(dot(d, at) - reached) <= 1e-14 * size);
    mesh_fixture_free(&body);
  }
  assert_in_range(ties, 100, 20000);
}

/* The same for a mesh that is large enough for a descent through its tree: a bumpy sheet of 4,096 vertices. Seed 43. */
TEST(support_of_a_large_mesh) {
  enum { SIDE = 64 };
  static graze_vec vertices[SIDE * SIDE];
  static int32_t faces[6 * (SIDE - 1) * (SIDE - 1)];
  rng random = 43;
  size_t count = 0;
  for (int i = 0; i < SIDE * SIDE; i++) vertices[i] = vec(i % SIDE, i / SIDE, rng_below(&random, 9) / 8.0);
  for (int i = 0; i < SIDE * SIDE - SIDE; i++) {
    if (i % SIDE == SIDE - 1) continue;
    const int32_t corner[6] = {i, i + 1, i + SIDE, i + 1, i + SIDE + 1, i + SIDE};
    for (int k = 0; k < 6; k++) faces[count++] = corner[k];
  }
  const graze_mesh_def def = {3, vertices, SIDE * SIDE, faces, count / 3, true, NULL};
  graze_mesh *mesh;
  assert_int_equal(graze_mesh_create(&def, NULL, &mesh, NULL), GRAZE_OK);
  const graze_placed placed = posed(graze_mesh_shape(mesh), identity);
  for (int i = 0; i < tiered(1000, 2000, 50000); i++) {
    graze_vec d = rng_lattice_vec(&random, 3, -2, 2), at;
    if (norm(d) == 0) d = vec(0, 0, 1);
    int vertex = -1, first = 0;
    for (int k = 1; k < SIDE * SIDE; k++)
      if (dot(d, vertices[k]) > dot(d, vertices[first])) first = k;
    assert_int_equal(graze_support(&placed, d, &at, &vertex), GRAZE_OK);
    assert_int_equal(vertex, first);
  }
  graze_mesh_destroy(mesh);
}
