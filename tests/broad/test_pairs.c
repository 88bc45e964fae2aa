/* Pairs: exactly those that looking at every two boxes finds, for worlds of every kind, by every width, sorted or not.
 * Seeds are stated at each test. */

#include "support/test.h"
#include "broad/pairs.h"
#include "broad/sort.h"
#include "inspect.h"
#include "worlds.h"

static uint64_t state;

/* `share` of the items move. */
static size_t check_world(int kind, size_t count, double share) {
  grz_broad broad;
  plain_world world = plain_make(count);
  grz_broad_make(&broad, world_dim(kind), NULL);
  assert_true(grz_broad_reserve(&broad, count));
  for (size_t i = 0; i < count; i++) {
    plain_put(&world, &broad, i, world_box(kind, &state, count), rng_uniform(&state, 0, 1) < share);
  }
  size_t found = inspect_pairs(&broad, &world);
  for (int step = 0; step < 3; step++) {
    grz_broad_tidy(&broad);
    inspect_tree(&broad, &world);
    assert_int_equal(inspect_pairs(&broad, &world), found);
  }
  grz_broad_free(&broad);
  plain_free(&world);
  return found;
}

/* Seed 1. All counts around those of groups and nodes; what moves: nothing, little, half, all. */
TEST(test_small) {
  static const double shares[] = {0, 0.05, 0.5, 1};
  state = 1;
  for (int kind = 0; kind < WORLD_KINDS; kind++) {
    for (size_t count = 1; count <= 100; count += count < 20 || count % 8 >= 6 ? 1 : 3) {
      for (int k = 0; k < 4; k++) {
        size_t found = check_world(kind, count, shares[k]);
        if (shares[k] == 0) assert_int_equal(found, 0);
      }
    }
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

static float extent_of(const grz_broad *broad, int level, size_t at) {
  float side[6];
  for (int k = 0; k < 6; k++) side[k] = broad->level[level][at / 8].side[k][at % 8];
  return grz_broad_extent(broad, side);
}

/* The share of groups whose edges are more than 12 times as long as those of their items. */
static double looseness(int kind, size_t count, bool tidied) {
  grz_broad broad;
  size_t loose = 0, blurred = 0;
  grz_broad_make(&broad, world_dim(kind), NULL);
  assert_true(grz_broad_reserve(&broad, count));
  for (size_t i = 0; i < count; i++) {
    graze_aabb box = world_box(kind, &state, count);
    grz_broad_put(&broad, i, &box, true);
  }
  for (int i = 0; tidied && i < 2; i++) grz_broad_tidy(&broad);
  for (size_t group = 0; group < count / 8; group++) {
    double items = 0;
    for (size_t lane = 0; lane < 8; lane++) {
      float side[6];
      grz_broad_sides(&broad, &broad.box[broad.item[8 * group + lane]], side);
      items += (double)extent_of(&broad, 0, 8 * group + lane) / 8;
      blurred += grz_broad_is_blurred(&broad, side);
    }
    loose += (double)extent_of(&broad, 1, group) > 12 * items;
  }
  assert_true(!tidied || blurred <= count / 8);
  grz_broad_free(&broad);
  return (double)loose / (double)(count / 8);
}

/* Seed 6. What speed rests on: items of a group lie close together, and single precision resolves nearly all, wherever
 * and however large they are. */
TEST(test_good) {
  static const int kinds[] = {WORLD_UNIFORM, WORLD_CLUSTERED, WORLD_PLANE, WORLD_FAR, WORLD_HUGE, WORLD_LATTICE};
  state = 6;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    double unsorted = looseness(kinds[i], 4000, false), sorted = looseness(kinds[i], 4000, true);
    print_message("%-10s loose groups: %.3f, sorted %.3f\n", world_name[kinds[i]], unsorted, sorted);
    assert_true(sorted < 0.2);
    if (kinds[i] != WORLD_FAR && kinds[i] != WORLD_HUGE) assert_true(unsorted > 0.9); /* blurred, these show nothing */
  }
}

/* Seed 7. Sizes from 1 to 1000 in one group: nearly none. */
TEST(test_classes) {
  enum { COUNT = 4000 };
  grz_broad broad;
  size_t mixed = 0;
  grz_broad_make(&broad, 3, NULL);
  assert_true(grz_broad_reserve(&broad, COUNT));
  state = 7;
  for (size_t i = 0; i < COUNT; i++) {
    graze_aabb box = world_box(WORLD_MIXED, &state, COUNT);
    grz_broad_put(&broad, i, &box, true);
  }
  grz_broad_tidy(&broad);
  for (size_t group = 0; group < COUNT / 8; group++) {
    float least = extent_of(&broad, 0, 8 * group), most = least;
    for (size_t lane = 1; lane < 8; lane++) {
      float extent = extent_of(&broad, 0, 8 * group + lane);
      least = extent < least ? extent : least, most = extent > most ? extent : most;
    }
    mixed += most > 32 * least;
  }
  assert_in_range(mixed, 0, COUNT / 8 / 50);
  grz_broad_free(&broad);
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
static size_t pairs_of(const grz_broad *broad, int lanes, size_t chunks, size_t item) {
  grz_broad_pair *pairs = malloc(2 * CROWD * sizeof *pairs);
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
  grz_broad broad;
  grz_broad_make(&broad, 3, NULL);
  assert_true(grz_broad_reserve(&broad, CROWD));
  state = 4;
  for (size_t i = 0; i < CROWD; i++) {
    graze_aabb box = world_box(WORLD_UNIFORM, &state, CROWD);
    if (i == 7) box = (graze_aabb){{-1e3, -1e3, -1e3}, {1e3, 1e3, 1e3}};
    grz_broad_put(&broad, i, &box, i < CROWD / 4);
  }
  for (int lanes = 1; lanes <= 8; lanes += 7) {
    if (grz_broad_lanes_supported(lanes)) assert_int_equal(pairs_of(&broad, lanes, 1, 7), CROWD - 1);
  }
  grz_broad_tidy(&broad);
  for (int lanes = 1; lanes <= 8; lanes += 7) {
    size_t chunks = grz_broad_chunks(&broad);
    if (grz_broad_lanes_supported(lanes)) assert_int_equal(pairs_of(&broad, lanes, chunks, 7), CROWD - 1);
  }
  grz_broad_free(&broad);
}

/* What is sorted does not depend on how it came there: the same calls, the same pairs in the same order. Seed 5. */
TEST(test_same_again) {
  enum { COUNT = 3000 };
  static grz_broad_pair pairs[2][8 * COUNT];
  size_t found[2];
  for (int run = 0; run < 2; run++) {
    grz_broad broad;
    grz_broad_make(&broad, 3, NULL);
    assert_true(grz_broad_reserve(&broad, COUNT));
    state = 5;
    for (size_t i = 0; i < COUNT; i++) {
      graze_aabb box = world_box(WORLD_UNIFORM, &state, COUNT);
      grz_broad_put(&broad, i, &box, i % 2);
    }
    grz_broad_tidy(&broad);
    found[run] = 0;
    for (size_t chunk = 0; chunk < grz_broad_chunks(&broad); chunk++) {
      found[run] += grz_broad_pairs(&broad, chunk, pairs[run] + found[run], 8 * COUNT - found[run]);
    }
    grz_broad_free(&broad);
  }
  assert_int_equal(found[0], found[1]);
  assert_in_range(found[0], COUNT / 10, 8 * COUNT);
  assert_memory_equal(pairs[0], pairs[1], found[0] * sizeof pairs[0][0]);
}
