/* Trees that several threads build: the same order of faces and the same answers as on one thread. */

#include <graze/mesh.h>
#include <graze/parallel.h>

#include "support/test.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/random.h"

enum { FACES = 100000, NODES = 1 << 14, PAIRS = 1 << 10 };

static graze_vec vertices[3 * FACES];
static int32_t faces[3 * FACES];

/* Small triangles in a cube, and one in 16 eight to a thousand times as large. */
static graze_mesh_def make_soup(rng *random, int dim, size_t count) {
  const size_t corners = (size_t)dim;
  for (size_t i = 0; i < count; i++) {
    const double size = rng_below(random, 16) ? 0.01 : ldexp(0.01, rng_between(random, 3, 10));
    const graze_vec at = rng_vec(random, dim, 1);
    for (size_t k = 0; k < corners; k++) {
      vertices[corners * i + k] = add(at, rng_vec(random, dim, size));
      faces[corners * i + k] = (int32_t)(corners * i + k);
    }
  }
  return (graze_mesh_def){dim, vertices, corners * count, faces, count, true, NULL};
}

/* A loop that runs the last task first. */
static void run_backwards(void *context, size_t count, void (*task)(void *data, size_t index), void *data) {
  ++*(size_t *)context;
  while (count-- > 0) task(data, count);
}

static void expect_same(graze_mesh *a, graze_mesh *b, size_t count, int dim) {
  static graze_frontier_node nodes[NODES];
  static graze_part_proof parts[PAIRS];
  graze_frontier of_a = {.nodes = nodes, .node_capacity = NODES}, of_b = of_a;
  graze_options options = graze_default_options();
  options.parts = parts, options.part_capacity = PAIRS;
  const graze_placed p = posed(graze_mesh_shape(a), graze_pose_identity()),
                     q = posed(graze_mesh_shape(b), graze_pose_identity()),
                     ball = posed(dim == 2 ? graze_circle(1) : graze_sphere(1), graze_pose_at(50, 3, 0));
  options.frontier = &of_a;
  const proved_answer x = distance(&p, &ball, &options);
  options.frontier = &of_b;
  const proved_answer y = distance(&q, &ball, &options);
  assert_true(same_bits(x.lower, y.lower) && same_bits(x.upper, y.upper) && x.part_a == y.part_a);
  assert_true(x.pairs_tested == y.pairs_tested && of_a.node_count == of_b.node_count);
  assert_memory_equal(of_a.order_a, of_b.order_a, count * sizeof *of_a.order_a);
}

/* Seed 91. */
TEST(threads_build_the_same_tree) {
  static const size_t counts[] = {1, 2, 8, 9, 64, 513, 8191, 8193, 20000, FACES};
  rng random = 91;
  size_t loops = 0;
  graze_pool *pool;
  assert_int_equal(graze_pool_create(3, NULL, &pool), GRAZE_OK);
  const graze_parallel threads = graze_pool_parallel(pool), backwards = {run_backwards, &loops};
  for (int dim = 2; dim <= 3; dim++) {
    for (size_t i = 0; i < COUNT(counts); i++) {
      graze_mesh_def def = make_soup(&random, dim, counts[i]);
      graze_mesh *mesh[3];
      for (int k = 0; k < 3; k++) {
        def.parallel = k == 0 ? NULL : k == 1 ? &threads : &backwards;
        assert_int_equal(graze_mesh_create(&def, NULL, &mesh[k], NULL), GRAZE_OK);
        assert_null(graze_mesh_faces(mesh[k]).parallel);
      }
      expect_same(mesh[0], mesh[1], counts[i], dim);
      expect_same(mesh[0], mesh[2], counts[i], dim);
      for (int k = 0; k < 3; k++) graze_mesh_destroy(mesh[k]);
    }
  }
  assert_true(loops >= 20);
  graze_pool_destroy(pool);
}
