/* Trees over boxes: every item in one slot, every box contains the boxes below it, the same boxes give the same tree,
 * and a small box overlaps few nodes. Seeds are stated at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "shape/tree.h"

enum { MOST = 20000 };

static graze_aabb box[MOST];
static grz_tree_record record[MOST];
static uint64_t key[MOST];
static _Alignas(64) char memory[2][40 * MOST];
static bool seen[MOST];
static uint64_t state;

static double between(double low, double high) { return rng_uniform(&state, low, high); }

static grz_tree build(size_t count, int dim, void *at) {
  grz_tree tree;
  graze_aabb all = box[0];
  for (size_t i = 1; i < count; i++) { all.min = vec_min(all.min, box[i].min), all.max = vec_max(all.max, box[i].max); }
  assert_true(grz_tree_bytes(count) <= sizeof memory[0]);
  grz_tree_make(&tree, dim, &all, count, at);
  for (size_t i = 0; i < count; i++) {
    grz_tree_round(&tree, &box[i], record[i].side);
    record[i].item = (uint32_t)i, record[i].moves = 0;
  }
  grz_tree_build(&tree, record, key, count, NULL);
  return tree;
}

/* Compares every item and every box with the boxes that were given. */
static grz_tree check(size_t count, int dim) {
  const grz_tree tree = build(count, dim, memory[0]), again = build(count, dim, memory[1]);
  assert_true(tree.levels == again.levels && tree.levels <= GRZ_TREE_LEVELS);
  assert_memory_equal(memory[0], memory[1], grz_tree_bytes(count));
  memset(seen, 0, sizeof seen);
  for (size_t slot = 0; slot < count; slot++) {
    const uint32_t item = tree.item[slot];
    float side[6];
    assert_true(item < count && !seen[item]);
    seen[item] = true;
    grz_tree_round(&tree, &box[item], side);
    for (int k = 0; k < 6; k++) assert_true(tree.level[0][slot / 8].side[k][slot % 8] == side[k]);
  }
  for (int level = 0; level < tree.levels; level++) {
    const size_t nodes = (count + 7) / 8;
    for (size_t i = 0; i < 8 * nodes; i++) {
      const grz_node *node = &tree.level[level][i / 8];
      for (int k = 0; k < 6; k++) {
        if (i >= count) assert_true(node->side[k][i % 8] == __builtin_inff());
        if (level == 0 || i >= count) continue;
        float least = __builtin_inff();
        for (int child = 0; child < 8; child++) least = fminf(least, tree.level[level - 1][i].side[k][child]);
        assert_true(node->side[k][i % 8] == least);
      }
    }
    count = nodes;
  }
  assert_int_equal(count, 1);
  return tree;
}

static void fill(size_t count, double size) {
  for (size_t i = 0; i < count; i++) {
    const graze_vec at = rng_vec(&state, 3, 100);
    box[i] = (graze_aabb){at, add(at, vec(between(0, size), between(0, size), between(0, size)))};
  }
}

/* Seed 1. At most 31 bytes an item in large trees. */
TEST(random) {
  state = 1;
  for (size_t count = 1; count <= 300; count++) {
    fill(count, 5);
    (void)check(count, 3);
  }
  fill(MOST, 5);
  (void)check(MOST, 3);
  for (size_t i = 0; i < MOST; i++) box[i].min.z = box[i].max.z = 0;
  (void)check(MOST, 2);
  assert_true(grz_tree_bytes(1000000) <= 32000000);
}

/* All the same, on a line, each twice as far and as large as the one before, subnormal, huge. */
TEST(hard) {
  for (size_t i = 0; i < MOST; i++) box[i] = (graze_aabb){{1, 2, 3}, {1, 2, 3}};
  (void)check(MOST, 3);
  for (size_t i = 0; i < MOST; i++) box[i] = (graze_aabb){{(double)i, 0, 0}, {(double)i + 1, 0, 0}};
  (void)check(MOST, 3);
  for (size_t i = 0; i < 1000; i++) {
    const double at = ldexp(1, (int)i - 900);
    box[i] = (graze_aabb){{at, at, at}, {2 * at, 2 * at, 2 * at}};
  }
  (void)check(1000, 3);
  for (size_t i = 0; i < 1000; i++) {
    const double at = 0x1p-1074 * (double)(i % 37);
    box[i] = (graze_aabb){{at, -at, 0}, {at, 1e40, 1e40}};
    box[i].min.z = i % 2 ? -1e40 : 1e40;
  }
  (void)check(1000, 3);
}

static bool overlaps(const grz_tree *tree, int level, size_t i, const float side[6]) {
  for (int k = 0; k < 6; k++) {
    if (tree->level[level][i / 8].side[k][i % 8] + side[grz_opposite_side(k)] > 0) return false;
  }
  return true;
}

/* Seed 3. A random box overlaps the same boxes as by brute force, and few nodes are tested. */
TEST(search) {
  state = 3;
  size_t met = 0, tested = 0;
  fill(MOST, 5);
  const grz_tree tree = check(MOST, 3);
  for (int round = 0; round < 200; round++) {
    size_t stack[8 * GRZ_TREE_LEVELS], found = 0, all = 0;
    int level[8 * GRZ_TREE_LEVELS], pending = 0;
    const graze_vec at = rng_vec(&state, 3, 100);
    const graze_aabb query = {at, add(at, vec(10, 10, 10))};
    float side[6];
    grz_tree_round(&tree, &query, side);
    for (size_t i = 0; i < MOST; i++) all += boxes_meet(query, box[i]);
    stack[pending] = 0, level[pending++] = tree.levels;
    while (pending > 0) {
      const size_t node = stack[--pending];
      const int below = level[pending] - 1;
      if (below < 0) {
        found += boxes_meet(query, box[tree.item[node]]);
        continue;
      }
      tested++;
      for (size_t i = 8 * node; i < 8 * node + 8; i++) {
        if (overlaps(&tree, below, i, side)) stack[pending] = i, level[pending++] = below;
      }
    }
    assert_int_equal(found, all);
    met += found;
  }
  assert_in_range(met, 200, 20000);
  assert_in_range(tested, 200, 200 * 60);
}
