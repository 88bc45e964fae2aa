/* Surfaces against convex shapes and surfaces: the strongest relation of all pairs of faces, and the least distance of
 * all pairs, against the exact oracle. */

#include "support/test.h"
#include "support/mesh_checks.h"
#include "support/shapes.h"

static const int surfaces[2] = {MESH_SOUP, MESH_SHELL}, convex[2] = {MESH_AS_POINT, MESH_AS_OCTAHEDRON};
static const int surfaces_2d[2] = {OUTLINE_SOUP, OUTLINE_SHELL}, convex_2d[2] = {OUTLINE_AS_POINT, OUTLINE_AS_BOX};

TEST(surface_and_convex) {
  mesh_run(&(mesh_plan){"surface and convex", 51, 3, surfaces, convex, false, 420, 40, 10, 15});
}

TEST(surface_and_surface) { mesh_run(&(mesh_plan){"two surfaces", 52, 3, surfaces, surfaces, false, 210, 30, 10, 20}); }

TEST(rounded_surface) { mesh_run(&(mesh_plan){"rounded surface", 53, 3, surfaces, convex, true, 140, 40, 0, 20}); }

TEST(polyline_and_convex) {
  mesh_run(&(mesh_plan){"2D: surface and convex", 54, 2, surfaces_2d, convex_2d, false, 420, 40, 10, 20});
}

TEST(polyline_and_polyline) {
  mesh_run(&(mesh_plan){"2D: two surfaces", 55, 2, surfaces_2d, surfaces_2d, false, 420, 30, 10, 20});
}

/* Any half-space, or in half of the cases one whose boundary contains the lowest vertices of A. */
static graze_shape any_halfspace(rng *random, const mesh_body *a) {
  graze_vec normal = rng_lattice_vec(random, 2, -2, 2);
  normal.z = a->dim == 3;
  double lowest = INFINITY;
  for (int i = 0; i < a->vertex_count; i++) lowest = fmin(lowest, a->vertices[i].y);
  if (rng_coin(random) || (normal.x == 0 && normal.y == 0 && normal.z == 0))
    return halfspace_of(a->dim, (graze_vec){0, 1, 0}, lowest);
  return halfspace_of(a->dim, normal, rng_between(random, -16, 16) / 8.0);
}

/* A half-space overlaps a mesh as deep as the deepest vertex. Seeds 56 and 57. */
TEST(halfspaces) {
  static mesh_pair pair;
  mesh_oracle m = mesh_oracle_new();
  const int count = tiered(140, 280, 5600);
  for (int dim = 2; dim <= 3; dim++) {
    mesh_tally sum = {.name = dim == 2 ? "2D: half-space" : "half-space"};
    rng random = (uint64_t)(54 + dim);
    const int kinds = dim == 2 ? (int)OUTLINE_AS_POINT : (int)MESH_AS_POINT;
    for (int i = 0; i < count; i++) {
      mesh_pair_make(&random, dim, rng_below(&random, kinds), 0, i % PLACEMENTS, &pair);
      mesh_fixture_free(&pair.b);
      mesh_fixture_begin(dim, &pair.b);
      pair.b.member.shape = any_halfspace(&random, &pair.a.member.set);
      mesh_check(&m, &pair.query, &random, &sum);
      mesh_fixture_free(&pair.a);
    }
    mesh_expect(&sum, 5, 20, 30);
  }
  mesh_oracle_free(&m);
}
