/* Pairs are exactly those of a test of every two boxes, for worlds of every kind, every SIMD width, sorted or not.
 * Seeds are stated at each test. */

#include "support/test.h"
#include "bvh/scene_tree.h"
#include "inspect.h"

static uint64_t state;

/* Checks a world of which `share` moves. Returns the number of pairs. */
static size_t check_world(int kind, size_t count, double share) {
  plain_world world;
  plain_fill(&world, kind, &state, count, share);
  const size_t found = inspect_pairs(&world);
  for (int step = 0; step < 3; step++) {
    grz_bvh_rebuild(&world.bvh);
    inspect_tree(&world);
    assert_int_equal(inspect_pairs(&world), found);
  }
  plain_free(&world);
  return found;
}

/* Numbers of items around the sizes of leaves and nodes; no, few, half and all items move. Seed 1. */
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

/* Every world has pairs, and only the world of equal boxes has many. Seed 2. */
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

static float extent_of(const grz_bvh *bvh, int level, size_t slot) {
  float side[6];
  for (int k = 0; k < 6; k++) side[k] = bvh->tree.level[level][slot / 8].side[k][slot % 8];
  return grz_bvh_box_size(bvh, side);
}

/* Shares of the leaves of a world. */
typedef struct leaf_shares {
  double loose; /* edges more than 12 times as long as those of the items */
  double mixed; /* the largest item is more than 32 times as large as the smallest */
} leaf_shares;

static leaf_shares inspect_leaves(int kind, bool rebuilt) {
  enum { LEAVES = 500 };
  plain_world world;
  leaf_shares shares = {0, 0};
  size_t imprecise = 0;
  plain_fill(&world, kind, &state, 8 * LEAVES, 1);
  const grz_bvh *bvh = &world.bvh;
  for (int i = 0; rebuilt && i < 2; i++) grz_bvh_rebuild(&world.bvh);
  for (size_t leaf = 0; leaf < LEAVES; leaf++) {
    float items = 0, least = __builtin_inff(), most = 0;
    for (size_t slot = 8 * leaf; slot < 8 * leaf + 8; slot++) {
      const float extent = extent_of(bvh, 0, slot);
      float side[6];
      grz_tree_round(&bvh->tree, &bvh->box[bvh->tree.item[slot]], side);
      items += extent / 8, least = fminf(least, extent), most = fmaxf(most, extent);
      imprecise += grz_bvh_is_imprecise(bvh, side);
    }
    shares.loose += (extent_of(bvh, 1, leaf) > 12 * items) / (double)LEAVES;
    shares.mixed += (most > 32 * least) / (double)LEAVES;
  }
  assert_true(!rebuilt || imprecise <= LEAVES);
  plain_free(&world);
  return shares;
}

/* Conditions of speed. Items of a leaf are close together. Single precision resolves nearly all items at any position
 * and scale. The items of a leaf have similar sizes. Seed 6. */
TEST(test_good) {
  static const int kinds[] = {WORLD_UNIFORM, WORLD_CLUSTERED, WORLD_PLANE, WORLD_DISTANT, WORLD_HUGE, WORLD_LATTICE};
  state = 6;
  for (size_t i = 0; i < COUNT(kinds); i++) {
    const double unsorted = inspect_leaves(kinds[i], false).loose, sorted = inspect_leaves(kinds[i], true).loose;
    print_message("%-10s loose leaves: %.3f, sorted %.3f\n", world_name[kinds[i]], unsorted, sorted);
    assert_true(sorted < 0.2);
    if (kinds[i] != WORLD_DISTANT && kinds[i] != WORLD_HUGE)
      assert_true(unsorted > 0.9); /* imprecise boxes show nothing */
  }
  assert_true(inspect_leaves(WORLD_MIXED, true).mixed <= 0.02);
}

/* More levels, and lists that overflow. Seed 3. */
TEST(test_large) {
  state = 3;
  check_world(WORLD_UNIFORM, 5000, 1);
  check_world(WORLD_CLUSTERED, 5000, 1);
  check_world(WORLD_MIXED, 5000, 0.9);
  check_world(WORLD_DISTANT, (size_t)tiered(5000, 10000, 20000), 0.01);
}

enum { CROWD = 200000 };

/* Counts the pairs of one item in the first `chunks`; none occurs twice. */
static size_t pairs_of(const grz_bvh *bvh, int width, size_t chunks, size_t item) {
  grz_bvh_pair *pairs = malloc(2 * CROWD * sizeof *pairs);
  bool *seen = calloc(CROWD, 1);
  size_t count = 0;
  assert_true(pairs && seen);
  for (size_t chunk = 0; chunk < chunks; chunk++) {
    size_t found = grz_bvh_pairs_simd(width, bvh, chunk, pairs, 2 * CROWD);
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

/* A box that contains all others: more nodes overlap one chunk than the lists can store. Seed 4. */
TEST(test_all_in_one) {
  plain_world world;
  state = 4;
  plain_fill(&world, WORLD_UNIFORM, &state, CROWD, 0.25);
  plain_insert(&world, 7, (graze_aabb){{-1e3, -1e3, -1e3}, {1e3, 1e3, 1e3}}, true);
  for (int i = 0; i < 4; i++) {
    const int width = i % 2 ? 8 : 1;
    if (i == 2) grz_bvh_rebuild(&world.bvh);
    const size_t chunks = i < 2 ? 1 : grz_bvh_chunk_count(&world.bvh);
    if (grz_bvh_width_supported(width)) assert_int_equal(pairs_of(&world.bvh, width, chunks, 7), CROWD - 1);
  }
  plain_free(&world);
}

/* The same calls give the same pairs in the same order. Seed 5. */
TEST(test_same_again) {
  enum { ALL = 3000 };
  static grz_bvh_pair pairs[2][8 * ALL];
  size_t found[2];
  for (int run = 0; run < 2; run++) {
    plain_world world;
    state = 5;
    plain_fill(&world, WORLD_UNIFORM, &state, ALL, 0.5);
    grz_bvh_rebuild(&world.bvh);
    found[run] = inspect_list(&world.bvh, 1, pairs[run], 8 * ALL);
    plain_free(&world);
  }
  assert_int_equal(found[0], found[1]);
  assert_in_range(found[0], ALL / 10, 8 * ALL);
  assert_memory_equal(pairs[0], pairs[1], found[0] * sizeof pairs[0][0]);
}
