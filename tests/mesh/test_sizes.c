/* A mesh and a much larger mesh or hull, which floats cannot hold in one unit, against all pairs of their parts: the
 * relation, and an interval of the distance that meets the least one. */

#include <graze/mesh.h>

#include "support/test.h"
#include "support/geometry.h"
#include "support/query.h"
#include "support/random.h"
#include "support/tier.h"

enum { FACES_MAX = 12 };

typedef struct soup {
  graze_vec vertices[3 * FACES_MAX];
  int32_t faces[3 * FACES_MAX];
  int face_count;
  graze_mesh *mesh;
} soup;

/* Triangles about the origin, as a surface: at any place, on a lattice, in one plane, or all at one point. */
static void make(rng *random, double size, soup *s) {
  const int family = rng_below(random, 4);
  s->face_count = rng_between(random, 1, FACES_MAX);
  for (int i = 0; i < 3 * s->face_count; i++) {
    graze_vec v = family == 0 ? rng_vec(random, 3, 2) : rng_lattice_vec(random, 3, -2, 2);
    if (family == 2) v.z = 0;
    s->vertices[i] = family == 3 && i > 0 ? s->vertices[0] : scaled(size, v);
    s->faces[i] = i;
  }
  const graze_mesh_def def = {.dim = 3,
                              .vertices = s->vertices,
                              .vertex_count = 3 * (size_t)s->face_count,
                              .faces = s->faces,
                              .face_count = (size_t)s->face_count,
                              .surface = true};
  assert_int_equal(graze_mesh_create(&def, NULL, &s->mesh, NULL), GRAZE_OK);
}

/* A point of a random face, often a vertex or on an edge. */
static graze_vec point_of(rng *random, const soup *s) {
  const graze_vec *v = s->vertices + 3 * rng_below(random, s->face_count);
  const double i = rng_below(random, 5) / 4.0, k = (1 - i) * rng_below(random, 5) / 4.0;
  return add(scaled(i, v[0]), add(scaled(k, v[1]), scaled(1 - i - k, v[2])));
}

/* The strongest relation of all pairs of parts, and an interval of the least distance. */
static graze_answer all_pairs(const graze_placed *a, const graze_placed *b) {
  graze_answer least = {.relation = GRAZE_SEPARATED, .lower = INFINITY, .upper = INFINITY};
  graze_frame frame_a, frame_b;
  for (size_t i = 0; i < graze_part_count(a); i++)
    for (size_t k = 0; k < graze_part_count(b); k++) {
      const graze_placed p = graze_part(a, i, &frame_a), q = graze_part(b, k, &frame_b);
      const proved_answer x = distance(&p, &q, NULL);
      least.lower = fmin(least.lower, x.lower), least.upper = fmin(least.upper, x.upper);
      if (x.relation > least.relation) least.relation = x.relation;
    }
  return least;
}

static void expect(const graze_placed *a, const graze_placed *b, const graze_answer *truth) {
  graze_answer x;
  assert_int_equal(graze_intersect(a, b, NULL, &x), GRAZE_OK);
  assert_int_equal(x.relation, truth->relation);
  assert_int_equal(graze_distance(a, b, NULL, &x), GRAZE_OK);
  assert_int_equal(x.relation, truth->relation);
  assert_true(x.lower <= truth->upper && truth->lower <= x.upper);
}

/* A tiny mesh near a point of a large body, which is 2^0 to 2^1000 times as large. Seed 92. */
TEST(tiny_and_large) {
  static soup tiny, large;
  rng random = 92;
  int relations[5] = {0};
  const int count = tiered(500, 1000, 20000);
  for (int i = 0; i < count; i++) {
    const double size = ldexp(1, -rng_below(&random, 1001));
    make(&random, size, &tiny), make(&random, 1, &large);
    const graze_vec at = scaled(-1, point_of(&random, &large));
    graze_pose pose = graze_pose_at(0, 0, 0);
    const double offset = rng_coin(&random) ? size * rng_below(&random, 3) : ldexp(1, rng_between(&random, -1000, 8));
    pose.position = scaled(offset, rng_vec(&random, 3, 1));
    if (rng_coin(&random)) pose.x = rng_uniform(&random, -1, 1), pose.y = rng_uniform(&random, -1, 1);
    const bool is_hull = rng_below(&random, 4) == 0;
    const graze_shape shape_a = graze_mesh_shape(tiny.mesh);
    const graze_shape shape_b =
        is_hull ? graze_hull_points(large.vertices, 3 * (size_t)large.face_count) : graze_mesh_shape(large.mesh);
    const graze_placed a = graze_place(&shape_a, pose), b = graze_place(&shape_b, graze_pose_at(at.x, at.y, at.z));
    const graze_answer truth = all_pairs(&a, &b);
    relations[truth.relation]++;
    expect(&a, &b, &truth), expect(&b, &a, &truth);
    graze_mesh_destroy(tiny.mesh), graze_mesh_destroy(large.mesh);
  }
  print_message("%d separated, %d touching, %d overlapping\n", relations[GRAZE_SEPARATED], relations[GRAZE_TOUCHING],
                relations[GRAZE_OVERLAPPING]);
  for (int k = GRAZE_SEPARATED; k <= GRAZE_OVERLAPPING; k++) assert_true(40 * relations[k] >= count);
}
