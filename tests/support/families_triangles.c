/* Families for the searches of triangles and of other cores with few faces in 3D: deep in one another, resting on a
 * face, common vertices and edges of a mesh, one plane, slivers. */
#include "support/families.h"
#include "support/geometry.h"
#include "support/test.h"

/* ---- few faces: a segment, capsule, triangle or box, and a triangle or box, deep in one another */

static graze_shape few_faces(rng *random, bool lattice, int kind) {
  const double r = fabs(random_coordinate(random, lattice, 0.5)), h = fabs(random_coordinate(random, lattice, 1));
  const graze_vec u = random_coordinates(random, lattice, 3), v = random_coordinates(random, lattice, 3);
  if (kind == 0) return graze_segment(u, rng_coin(random) ? v : scaled(-1, u));
  if (kind == 1) return graze_capsule(r, h);
  if (kind == 2) return graze_triangle(u, v, scaled(-1, add(u, v)));
  return graze_with_margin(graze_box(h, r, fabs(u.x)), rng_below(random, 4) ? 0 : r);
}

static void few_faces_pair(rng *random, shape_pair *pair, bool lattice) {
  pair->a = few_faces(random, lattice, rng_below(random, 4));
  pair->b = few_faces(random, lattice, pair->a.kind == GRAZE_BOX ? rng_below(random, 3) : rng_between(random, 2, 3));
  pair->pose_a = random_pose(random, 3, lattice ? 0 : 1.5);
  pair->pose_b = lattice ? pair->pose_a : random_pose(random, 3, 0);
  pair->pose_b.position = add_scaled(pair->pose_a.position, 0.3, random_coordinates(random, lattice, 3));
  if (rng_coin(random)) exchange_shapes(pair);
}

static void few_faces_random(rng *random, shape_pair *pair) { few_faces_pair(random, pair, false); }
static void few_faces_lattice(rng *random, shape_pair *pair) { few_faces_pair(random, pair, true); }

/* A box or a triangle rests on a triangle or box, or on its edge, a little inside, turned about the vertical by any
 * angle or none. */
static void few_faces_resting(rng *random, shape_pair *pair) {
  const graze_vec u = random_coordinates(random, false, 3), v = random_coordinates(random, false, 3);
  const double h = rng_uniform(random, 0.1, 0.5), z = rng_coin(random) ? h : 0;
  pair->a = graze_box(rng_uniform(random, 0.1, 1), rng_uniform(random, 0.1, 1), h);
  pair->b = graze_triangle(vec(u.x, u.y, z), vec(v.x, v.y, z), vec(-u.x - v.x, -u.y - v.y, rng_coin(random) ? z : -1));
  pair->pose_a = identity;
  pair->pose_b = (graze_pose){{0, 0, -random_power(random, -9, -2)}, 1, 0, 0, rng_coin(random) ? u.z : 0};
  if (rng_coin(random)) pair->pose_a = pair->pose_b = pose_times(random_pose(random, 3, 1), pair->pose_b);
  if (rng_coin(random)) exchange_shapes(pair);
}

/* ---- triangles in 3D: intersecting, nearly touching, of one mesh (common vertices and edges, one plane), slivers */

static graze_shape any_triangle(rng *random, bool lattice) {
  return graze_triangle(random_coordinates(random, lattice, 3), random_coordinates(random, lattice, 3),
                        random_coordinates(random, lattice, 3));
}

static void triangle_pair(rng *random, shape_pair *pair, bool lattice, double spread) {
  pair->a = any_triangle(random, lattice), pair->b = any_triangle(random, lattice);
  pair->pose_a = random_pose(random, 3, lattice ? 0 : 1);
  pair->pose_b = lattice ? pair->pose_a : random_pose(random, 3, 1);
  if (lattice && rng_coin(random)) pair->pose_a = pair->pose_b = identity;
  pair->pose_b.position = add(pair->pose_a.position, lattice ? vec(0, 0, 0) : rng_vec(random, 3, spread));
}

static void triangles_random(rng *random, shape_pair *pair) {
  triangle_pair(random, pair, false, 1);
  if (rng_below(random, 4) == 0) pair->a = graze_with_margin(pair->a, rng_uniform(random, 0, 0.3));
}

static void triangles_intersecting(rng *random, shape_pair *pair) { triangle_pair(random, pair, false, 0.1); }

/* One pair of four has a common vertex. */
static void triangles_lattice(rng *random, shape_pair *pair) {
  triangle_pair(random, pair, true, 0);
  if (rng_below(random, 4) == 0) pair->b.as.triangle.vertices[0] = pair->a.as.triangle.vertices[0];
}

/* Two triangles of one mesh with one to three common vertices in any order; half of them in one plane or nearly. Some
 * bodies are placed twice, unrotated, at different positions. */
static void triangles_of_mesh(rng *random, shape_pair *pair) {
  const bool lattice = rng_coin(random);
  const int common = rng_below(random, 8) ? rng_between(random, 1, 2) : 3, first = rng_below(random, 3);
  const int flat = rng_below(random, 4);
  graze_vec v[6], w[3];
  for (int i = 0; i < 6; i++) {
    v[i] = random_coordinates(random, lattice, 3);
    if (flat < 2) v[i].z = flat == 0 ? 0.5 : v[i].z * random_power(random, -18, -10);
  }
  for (int i = 0; i < 3; i++) w[(i + first) % 3] = v[i < common ? i : i + 3];
  pair->a = graze_triangle(v[0], v[1], v[2]);
  pair->b = rng_coin(random) ? graze_triangle(w[0], w[1], w[2]) : graze_triangle(w[1], w[0], w[2]);
  pair->pose_a = pair->pose_b = rng_coin(random) ? identity : random_pose(random, 3, 1);
  if (!lattice || rng_coin(random)) return;
  pair->pose_a = pair->pose_b = identity;
  pair->pose_a.position = vec(rng_between(random, -8, 8) / 4.0, 1, 0);
  for (int i = 0; i < 3; i++)
    pair->b.as.triangle.vertices[i] = add(pair->b.as.triangle.vertices[i], pair->pose_a.position);
}

/* The same, moved by 1e-17 to 1e-3. */
static void triangles_near(rng *random, shape_pair *pair) {
  triangles_of_mesh(random, pair);
  pair->pose_b.position = add(pair->pose_b.position, rng_vec(random, 3, random_power(random, -17, -3)));
}

/* With edges of 1e-17 to 1 or angles of that size, at any scale and at a distance from the local origin. The longest
 * edge of B contains the centroid of A, or nearly. */
static graze_vec sliver_corner(rng *random, graze_vec from, graze_vec to) {
  const graze_vec on = add_scaled(from, rng_uniform(random, -1, 2) * rng_below(random, 2), sub(to, from));
  return add(on, rng_vec(random, 3, random_power(random, -17, 0)));
}

static void triangles_slivers(rng *random, shape_pair *pair) {
  graze_vec v[6] = {rng_vec(random, 3, 1), rng_vec(random, 3, 1)};
  v[2] = sliver_corner(random, v[0], v[1]);
  const graze_vec half = rng_vec(random, 3, 1), center = scaled(1.0 / 3, add(add(v[0], v[1]), v[2]));
  v[3] = add(center, half), v[4] = sub(center, half);
  v[5] = sliver_corner(random, v[3], v[4]);
  const graze_vec by = rng_vec(random, 3, rng_below(random, 3) ? 0 : random_power(random, 0, 9));
  for (int i = 0; i < 6; i++) v[i] = add(v[i], by);
  pair->a = graze_triangle(v[0], v[1], v[2]), pair->b = graze_triangle(v[3], v[4], v[5]);
  pair->pose_a = pair->pose_b = random_pose(random, 3, 1);
  if (rng_coin(random))
    pair->pose_b.position = add(pair->pose_b.position, rng_vec(random, 3, random_power(random, -12, 0)));
  if (rng_below(random, 4) == 0) scale_pair(pair, ldexp(1, rng_between(random, -900, 90)));
}

const family families_triangles[] = {
    {"few faces", few_faces_random, 40, 95, 5},
    {"few faces, lattice", few_faces_lattice, 40, 95, 60},
    {"few faces, resting", few_faces_resting, 40, 100, 60},
    {"triangles", triangles_random, 5, 40, 5},
    {"triangles, intersecting", triangles_intersecting, 20, 70, 5},
    {"triangles, lattice", triangles_lattice, 30, 95, 60},
    {"triangles of a mesh", triangles_of_mesh, 100, 100, 20},
    {"triangles of a mesh, near", triangles_near, 10, 95, 80},
    {"triangles, slivers", triangles_slivers, 20, 90, 80},
};
const int families_triangles_count = (int)COUNT(families_triangles);
