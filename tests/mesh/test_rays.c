/* Points, rays and linear casts against meshes: containment, and the first contact, against the exact oracle. Seeds are
 * stated at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/mesh_checks.h"
#include "support/query.h"

static mesh_pair pair;

/* ---- Points */

static void check_points(const char *name, uint64_t seed, int dim, int kinds, int point, int count) {
  mesh_oracle m = mesh_oracle_new();
  mesh_tally sum = {.name = name};
  rng random = seed;
  count = tiered(count, 2 * count, 40 * count);
  for (int i = 0; i < count; i++) {
    mesh_pair_make(&random, dim, rng_below(&random, kinds), point, i % PLACEMENTS, &pair);
    mesh_check_point(&m, &pair.query, &sum);
    mesh_pair_free(&pair);
  }
  mesh_oracle_free(&m);
  mesh_expect(&sum, 40, 15, 5);
}

TEST(points) { check_points("points", 71, 3, MESH_AS_POINT, MESH_AS_POINT, 700); }

TEST(points_2d) { check_points("2D points", 72, 2, OUTLINE_AS_POINT, OUTLINE_AS_POINT, 700); }

/* ---- Motions */

/* A vertex, the middle of an edge or a point of a face of A at its pose, without rotation exactly. */
static graze_vec target_on(rng *random, const mesh_member *a) {
  const mesh_body *set = &a->set;
  const int32_t *face = set->faces + set->corners * rng_below(random, set->face_count);
  graze_vec p = set->vertices[face[0]];
  const graze_vec v = set->vertices[face[rng_below(random, set->corners)]],
                  w = set->vertices[face[rng_below(random, set->corners)]];
  p = add(scaled(0.5, p), scaled(0.25, add(v, w)));
  return add(set->pose.position, rotated(&set->pose, p));
}

/* A velocity flat an axis, towards a point of A, or any; seldom 0. */
static graze_vec any_velocity(rng *random) {
  const mesh_member *a = &pair.a.member, *b = &pair.b.member;
  const graze_vec from = add(b->set.pose.position, rotated(&b->set.pose, b->set.vertices[0]));
  const double size = norm(a->set.vertices[0]) / 2, sign = rng_coin(random) ? 1 : -1;
  const int kind = rng_below(random, 16);
  if (kind == 0) return vec(0, 0, 0);
  if (kind < 8) return sub(target_on(random, a), from);
  if (kind < 12) return scaled(sign * exp2(rint(log2(size))), vec(kind == 8, kind == 9, kind > 9 && a->set.dim == 3));
  return scaled(exp2(rint(log2(size)) - 1), rng_lattice_vec(random, a->set.dim, -8, 8));
}

static void check_motions(const char *name, uint64_t seed, int dim, const int kinds_a[2], const int kinds_b[2],
                          bool ray, int count, const int shares[3]) {
  mesh_oracle m = mesh_oracle_new();
  mesh_tally sum = {.name = name};
  rng random = seed;
  count = tiered(count, 2 * count, 40 * count);
  for (int i = 0; i < count; i++) {
    const int kind_a = rng_between(&random, kinds_a[0], kinds_a[1]);
    const int kind_b = rng_between(&random, kinds_b[0], kinds_b[1]);
    mesh_pair_make(&random, dim, kind_a, kind_b, i % PLACEMENTS, &pair);
    mesh_cast c = {.query = pair.query, .ray = ray};
    c.velocity_b = any_velocity(&random);
    c.t_max = ldexp(1, rng_between(&random, -1, 2));
    if (!ray && rng_coin(&random)) c.velocity_a = scaled(-0.5, c.velocity_b);
    mesh_check_cast(&m, &c, &random, &sum);
    mesh_pair_free(&pair);
  }
  mesh_oracle_free(&m);
  mesh_expect(&sum, shares[0], shares[1], shares[2]);
  assert_in_range(100 * sum.hits / sum.queries, 25, 75);
  if (ray && dim == 3) assert_true(5 * sum.by_closed_form >= sum.hits);
}

/* Bodies that touch a cube and move into it hit at 0. */
TEST(approaches_from_contact) {
  static mesh_fixture cube;
  static const graze_vec velocity[3] = {{0, 0, -1}, {0.125, 0, -1}, {-0.25, 0.375, -1}};
  mesh_fixture_begin(3, &cube);
  mesh_add_box(&cube, vec(-1, -1, -1), vec(1, 1, 1), false);
  mesh_fixture_create(&cube, false);
  const graze_vec flat = {0.25, 0.125, 0}, up = {0.25, 0.125, 1};
  const graze_shape shape[6] = {graze_point(),
                                graze_segment(vec(0, 0, 0), flat),
                                graze_segment(vec(0, 0, 0), up),
                                graze_triangle(vec(0, 0, 0), flat, vec(0, 0.25, 0)),
                                graze_triangle(vec(0, 0, 0), flat, up),
                                cube.member.shape};
  const graze_placed a = posed(cube.member.shape, identity);
  for (size_t i = 0; i < COUNT(shape); i++)
    for (size_t k = 0; k < COUNT(velocity); k++) {
      const graze_placed b = posed(shape[i], i == 5 ? graze_pose_at(0, 0, 2) : graze_pose_at(0.25, -0.5, 1));
      proved_cast x;
      assert_int_equal(cast_linear(&a, vec(0, 0, 0), &b, velocity[k], 4, NULL, &x), GRAZE_OK);
      assert_int_equal(x.start_relation, GRAZE_TOUCHING);
      assert_int_equal(x.outcome, GRAZE_HIT);
      assert_true(x.t_lower == 0 && x.t_upper < 1e-9);
      assert_int_equal(cast_linear(&a, vec(0, 0, 0), &b, scaled(-1, velocity[k]), 4, NULL, &x), GRAZE_OK);
      assert_int_equal(x.outcome, GRAZE_CLEAR);
    }
  mesh_fixture_free(&cube);
}

/* Rays from the top of a ring hit at once, also one ulp from the faces of its hole. */
TEST(rays_from_the_surface) {
  static mesh_fixture ring;
  mesh_fixture_begin(3, &ring);
  mesh_add_square_ring(&ring, 1, 0.5, 0.5);
  mesh_fixture_create(&ring, false);
  const graze_placed a = posed(ring.member.shape, identity);
  const double off = nextafter(0.5, 1);
  const graze_vec from[] = {{-0.5, 0.5, 0.5}, {-0.5, off, 0.5}, {-off, 0.25, 0.5}, {off, off, 0.5}, {0.75, 0.5, 0.5}};
  for (size_t i = 0; i < COUNT(from); i++)
    for (int k = 0; k < 27; k++) {
      const graze_vec direction = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
      proved_cast x;
      assert_int_equal(cast_ray(&a, from[i], direction, 4, NULL, &x), GRAZE_OK);
      assert_int_equal(x.start_relation, GRAZE_TOUCHING);
      assert_int_equal(x.outcome, GRAZE_HIT);
      assert_true(x.t_lower == 0 && x.t_upper == 0);
    }
  mesh_fixture_free(&ring);
}

static const int meshes[2] = {MESH_TETRAHEDRON, MESH_SHELL}, ray_points[2] = {MESH_AS_POINT, MESH_AS_POINT},
                 solids[2] = {MESH_TETRAHEDRON, MESH_NEEDLE}, convex[2] = {MESH_AS_POINT, MESH_AS_OCTAHEDRON};
static const int meshes_2d[2] = {OUTLINE_TRIANGLE, OUTLINE_SHELL},
                 ray_points_2d[2] = {OUTLINE_AS_POINT, OUTLINE_AS_POINT},
                 convex_2d[2] = {OUTLINE_AS_POINT, OUTLINE_AS_BOX};

TEST(rays) { check_motions("rays", 73, 3, meshes, ray_points, true, 350, (int[3]){30, 5, 5}); }

TEST(rays_2d) { check_motions("2D rays", 74, 2, meshes_2d, ray_points_2d, true, 350, (int[3]){30, 5, 5}); }

TEST(mesh_and_convex) { check_motions("mesh and convex", 75, 3, meshes, convex, false, 140, (int[3]){30, 5, 5}); }

TEST(mesh_and_mesh) { check_motions("two meshes", 76, 3, solids, meshes, false, 70, (int[3]){25, 5, 5}); }

TEST(outline_and_convex) {
  check_motions("2D, and convex", 77, 2, meshes_2d, convex_2d, false, 140, (int[3]){25, 5, 5});
}

TEST(outline_and_outline) { check_motions("2D, two", 78, 2, meshes_2d, meshes_2d, false, 140, (int[3]){20, 5, 5}); }
