/* graze_contacts() against all pairs of parts, one by one: the same pairs, each once, with the same relation and points
 * on both parts. Seeds are stated at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/meshes.h"
#include "support/query.h"

static mesh_pair pair;

typedef struct tally {
  const graze_placed *a, *b;
  double clearance, speculative, size;
  unsigned char seen[MESH_FACES][MESH_FACES]; /* the relation of a reported pair */
  int reported, touching, with_gap;           /* with_gap: separated */
} tally;

/* The distance of a point from a part, at most 0 inside it. */
static double distance_from(const graze_placed *part, graze_vec point) {
  const graze_placed at =
      posed(part->shape.dim == 2 ? graze_point2() : graze_point(), graze_pose_at(point.x, point.y, point.z));
  return distance(part, &at, NULL).distance;
}

static bool report(void *context, const graze_answer *answer, const graze_contact *contacts, size_t count) {
  tally *sum = context;
  graze_frame frame_a, frame_b;
  unsigned char *seen = &sum->seen[answer->part_a][answer->part_b];
  assert_int_equal(*seen, 0);
  *seen = (unsigned char)answer->relation;
  sum->reported++, sum->touching += answer->relation == GRAZE_TOUCHING,
      sum->with_gap += answer->relation == GRAZE_SEPARATED;
  assert_true(count <= (sum->a->shape.dim == 2 ? 2 : 4));
  assert_true(answer->relation != GRAZE_SEPARATED || (count > 0 && sum->speculative > 0));
  const graze_placed part_a = graze_part(sum->a, (size_t)answer->part_a, &frame_a),
                     part_b = graze_part(sum->b, (size_t)answer->part_b, &frame_b);
  for (size_t i = 0; i < count; i++) {
    assert_true(distance_from(&part_a, contacts[i].point_a) <= sum->clearance + 1e-9 * sum->size);
    assert_true(distance_from(&part_b, contacts[i].point_b) <= 1e-9 * sum->size);
    assert_true(contacts[i].depth >= -sum->speculative - 0.01 * sum->size);
  }
  return true;
}

/* Compares with the queries of all pairs of parts. Returns the number of pairs in contact. */
static int check(tally *sum, const graze_placed *a, const graze_placed *b) {
  graze_manifold_options options = graze_default_manifold_options();
  graze_options plain = graze_default_options();
  sum->a = a, sum->b = b, sum->size = 8 + norm(a->pose.position);
  memset(sum->seen, 0, sizeof sum->seen);
  options.clearance = plain.clearance = sum->clearance, options.speculative_distance = sum->speculative;
  assert_int_equal(graze_contacts(a, b, &options, report, sum), GRAZE_OK);
  int contacts = 0;
  for (size_t i = 0; i < graze_part_count(a); i++) {
    for (size_t k = 0; k < graze_part_count(b); k++) {
      graze_frame frame_a, frame_b;
      const graze_placed part_a = graze_part(a, i, &frame_a), part_b = graze_part(b, k, &frame_b);
      const graze_relation relation = intersect(&part_a, &part_b, &plain).relation;
      if (relation != GRAZE_SEPARATED) assert_int_equal(sum->seen[i][k], relation);
      if (relation == GRAZE_SEPARATED) assert_true(sum->seen[i][k] == 0 || sum->seen[i][k] == GRAZE_SEPARATED);
      contacts += relation != GRAZE_SEPARATED;
    }
  }
  return contacts;
}

/* Meshes and convex shapes in all placements that keep sizes; seed 51. */
TEST(all_pairs_of_parts) {
  static tally sum;
  rng random = 51;
  int contacts = 0;
  const int count = tiered(150, 300, 6000);
  for (int i = 0; i < count; i++) {
    const int dim = i % 3 == 0 ? 2 : 3, kinds = dim == 2 ? OUTLINE_AS_CIRCLE : MESH_AS_SPHERE;
    const int meshes = dim == 2 ? OUTLINE_AS_POINT : MESH_AS_POINT;
    const int kind_a = rng_below(&random, meshes), kind_b = rng_below(&random, kinds);
    mesh_pair_make(&random, dim, kind_a, kind_b, rng_below(&random, PLACE_ONE_ULP), &pair);
    sum.clearance = i % 5 == 0 ? 0.125 : 0, sum.speculative = i % 4 == 0 ? 0.25 : 0;
    contacts += check(&sum, &pair.placed_a, &pair.placed_b);
    mesh_pair_free(&pair);
  }
  print_message("%d contacts, %d touching, %d with a gap\n", contacts, sum.touching, sum.with_gap);
  assert_true(contacts > 5 * count && sum.touching > count && sum.with_gap > count / 4);
}

static bool stop(void *context, const graze_answer *answer, const graze_contact *contacts, size_t count) {
  (void)answer, (void)contacts, (void)count;
  return ++*(int *)context < 3;
}

TEST(ends_on_request) {
  mesh_fixture_begin(3, &pair.a), mesh_fixture_begin(3, &pair.b);
  mesh_add_box(&pair.a, vec(-1, -1, -1), vec(1, 1, 1), false);
  mesh_add_box(&pair.b, vec(0, 0, 0), vec(2, 2, 2), false);
  mesh_fixture_create(&pair.a, false), mesh_fixture_create(&pair.b, false);
  mesh_pair_create(&pair);
  int calls = 0;
  assert_int_equal(graze_contacts(&pair.placed_a, &pair.placed_b, NULL, stop, &calls), GRAZE_OK);
  assert_int_equal(calls, 3);
  mesh_pair_free(&pair);
}
