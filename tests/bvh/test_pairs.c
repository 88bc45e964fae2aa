/* Pairs: exactly those that looking at every two boxes finds, for worlds of every kind, by every width, sorted or not.
 * Seeds are stated at each test. */

#include "support/test.h"
#include "bvh/sort.h"
#include "inspect.h"

static uint64_t state;

/* `share` of the items move. */
static size_t check_world(int kind, size_t count, double share) {
  plain_world world;
  plain_fill(&world, kind, &state, count, share);
  const size_t found = inspect_pairs(&world);
  for (int step = 0; step < 3; step++) {
    grz_bvh_rebuild(&world.broad);
    inspect_tree(&world);
    assert_int_equal(inspect_pairs(&world), found);
  }
  plain_free(&world);
  return found;
}

/* Seed 1. All counts around those of groups and nodes; what moves: nothing, little, half, all. */
TEST(test_small) {
  static const double shares[] = {0, 0.05, 0.5, 1};
  state = 1;
  for (int kind = 0; kind < WORLD_KINDS; kind++)
    for (size_t count = 1; count <= 100; count += count < 20 || count % 8 >= 6 ? 1 : 3)
      for (int k = 0; k < 4; k++) {
        const size_t found = check_world(kind, count, shares[k]);
        assert_true(found == 0 || shares[k] > 0);
      }
}

/* Seed 2. Every world has pairs, and none but the equal ones has many. */
TEST(test_worlds) {
  size_t count = (size_t)tiered(1500, 3000, 5000);
  state = 2;
  for (int kind = 0; kind < WORLD_KINDS; kind++) {
    size_t some = kind == WORLD_EQUAL ? 700 : count, found = check_world(kind, some, 1);
    print_message("%-10s %8zu pairs of %zu\n", world_name[kind], found, some);
    assert_in_range(found, some / 10, kind == WORLD_EQUAL ? some * some : 200 * some);
    check_world(kind, some, 0.5);
    check_world(kind, some, 0.03);
  }
}

static float extent_of(const grz_bvh *broad, int level, size_t at) {
  float side[6];
  for (int k = 0; k < 6; k++) side[k] = broad->level[level][at / 8].side[k][at % 8];
  return grz_broad_extent(broad, side);
}

/* Shares of the groups of a world. */
typedef struct group_shares {
  double loose; /* their edges are more than 12 times as long as those of their items */
  double mixed; /* the largest item is more than 32 times as large as the least */
} group_shares;

static group_shares look_at_groups(int kind, bool tidied) {
  enum { GROUPS = 500 };
  plain_world world;
  group_shares shares = {0, 0};
  size_t blurred = 0;
  plain_fill(&world, kind, &state, 8 * GROUPS, 1);
  const grz_bvh *broad = &world.broad;
  for (int i = 0; tidied && i < 2; i++) grz_bvh_rebuild(&world.broad);
  for (size_t group = 0; group < GROUPS; group++) {
    float items = 0, least = __builtin_inff(), most = 0;
    for (size_t at = 8 * group; at < 8 * group + 8; at++) {
      const float extent = extent_of(broad, 0, at);
      float side[6];
      grz_broad_sides(broad, &broad->box[broad->item[at]], side);
      items += extent / 8, least = fminf(least, extent), most = fmaxf(most, extent);
      blurred += grz_broad_is_blurred(broad, side);
    }
    shares.loose += (extent_of(broad, 1, group) > 12 * items) / (double)GROUPS;
    shares.mixed += (most > 32 * least) / (double)GROUPS;
  }
  assert_true(!tidied || blurred <= GROUPS);
  plain_free(&world);
  return shares;
}

/* Seed 6. What speed rests on: items of a group lie close together, and single precision resolves nearly all, wherever
 * and however large they are; of sizes from 1 to 1000 a group has nearly the same. */
TEST(test_good) {
  static const int kinds[] = {WORLD_UNIFORM, WORLD_CLUSTERED, WORLD_PLANE, WORLD_FAR, WORLD_HUGE, WORLD_LATTICE};
  state = 6;
  for (size_t i = 0; i < COUNT(kinds); i++) {
    const double unsorted = look_at_groups(kinds[i], false).loose, sorted = look_at_groups(kinds[i], true).loose;
    print_message("%-10s loose groups: %.3f, sorted %.3f\n", world_name[kinds[i]], unsorted, sorted);
    assert_true(sorted < 0.2);
    if (kinds[i] != WORLD_FAR && kinds[i] != WORLD_HUGE) assert_true(unsorted > 0.9); /* blurred, these show nothing */
  }
  assert_true(look_at_groups(WORLD_MIXED, true).mixed <= 0.02);
}

/* Seed 3. The largest of the worlds above, for what has more levels, and lists that overflow. */
TEST(test_large) {
  state = 3;
  check_world(WORLD_UNIFORM, 5000, 1);
  check_world(WORLD_CLUSTERED, 5000, 1);
  check_world(WORLD_MIXED, 5000, 0.9);
  check_world(WORLD_FAR, (size_t)tiered(5000, 10000, 20000), 0.01);
}

enum { CROWD = 200000 };

/* How many pairs the item has, in the first `chunks`; none comes twice. */
static size_t pairs_of(const grz_bvh *broad, int lanes, size_t chunks, size_t item) {
  grz_bvh_pair *pairs = malloc(2 * CROWD * sizeof *pairs);
  bool *seen = calloc(CROWD, 1);
  size_t count = 0;
  assert_true(pairs && seen);
  for (size_t chunk = 0; chunk < chunks; chunk++) {
    size_t found = grz_broad_pairs_lanes(lanes, broad, chunk, pairs, 2 * CROWD);
    assert_true(found <= 2 * CROWD);
    for (size_t i = 0; i < found; i++) {
      if (pairs[i].low != item && pairs[i].high != item) continue;
      size_t other = pairs[i].low + pairs[i].high - item;
      assert_false(seen[other]);
      seen[other] = true;
      count++;
    }
  }
  free(pairs), free(seen);
  return count;
}

/* More nodes around one chunk than a search keeps at once: a box that everything else lies in. Seed 4. */
TEST(test_all_in_one) {
  plain_world world;
  state = 4;
  plain_fill(&world, WORLD_UNIFORM, &state, CROWD, 0.25);
  plain_put(&world, 7, (graze_aabb){{-1e3, -1e3, -1e3}, {1e3, 1e3, 1e3}}, true);
  for (int i = 0; i < 4; i++) {
    const int lanes = i % 2 ? 8 : 1;
    if (i == 2) grz_bvh_rebuild(&world.broad);
    const size_t chunks = i < 2 ? 1 : grz_bvh_chunk_count(&world.broad);
    if (grz_broad_lanes_supported(lanes)) assert_int_equal(pairs_of(&world.broad, lanes, chunks, 7), CROWD - 1);
  }
  plain_free(&world);
}

/* What is sorted does not depend on how it came there: the same calls, the same pairs in the same order. Seed 5. */
TEST(test_same_again) {
  enum { ALL = 3000 };
  static grz_bvh_pair pairs[2][8 * ALL];
  size_t found[2];
  for (int run = 0; run < 2; run++) {
    plain_world world;
    state = 5;
    plain_fill(&world, WORLD_UNIFORM, &state, ALL, 0.5);
    grz_bvh_rebuild(&world.broad);
    found[run] = inspect_list(&world.broad, 1, pairs[run], 8 * ALL);
    plain_free(&world);
  }
  assert_int_equal(found[0], found[1]);
  assert_in_range(found[0], ALL / 10, 8 * ALL);
  assert_memory_equal(pairs[0], pairs[1], found[0] * sizeof pairs[0][0]);
}
