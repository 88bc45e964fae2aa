/* Bounds trees: every item in one leaf, every box holds what is below it, none deeper than promised, the same from the
 * same boxes, and cheap to walk: a small box meets few nodes. Seeds are stated at each test. */

#include "support/test.h"
#include "support/geometry.h"
#include "support/random.h"
#include "shape/shape.h"

enum { MOST = 20000 };

static graze_aabb box[MOST];
static grz_tree_node node[2 * MOST], again[2 * MOST];
static int32_t order[MOST];
static bool seen[MOST];
static uint64_t state;

static double between(double low, double high) { return rng_uniform(&state, low, high); }

static bool holds(graze_aabb p, graze_aabb q) {
  return p.min.x <= q.min.x && p.min.y <= q.min.y && p.min.z <= q.min.z && p.max.x >= q.max.x && p.max.y >= q.max.y &&
         p.max.z >= q.max.z;
}

/* Walks the whole tree with a stack of the promised size; returns the greatest depth. */
static int check(size_t count) {
  struct {
    size_t node;
    int depth;
  } stack[GRZ_TREE_DEPTH + 1];
  int pending = 0, deepest = 0;
  size_t leaves = 0;
  memset(seen, 0, sizeof seen);
  grz_tree_build(node, box, count, order);
  grz_tree_build(again, box, count, order);
  for (size_t i = 0; i < grz_tree_nodes(count); i++) {
    assert_int_equal(node[i].below, again[i].below);
    assert_memory_equal(&node[i].box, &again[i].box, sizeof box[0]);
  }
  stack[pending].node = 0, stack[pending++].depth = 0;
  while (pending > 0) {
    size_t at = stack[--pending].node;
    int depth = stack[pending].depth;
    assert_true(at < grz_tree_nodes(count) && depth <= GRZ_TREE_DEPTH);
    if (depth > deepest) deepest = depth;
    if (node[at].below < 0) {
      assert_false(seen[~node[at].below]);
      seen[~node[at].below] = true;
      assert_memory_equal(&node[at].box, &box[~node[at].below], sizeof box[0]);
      leaves++;
      continue;
    }
    size_t first = grz_tree_below(&node[at]);
    assert_true(holds(node[at].box, node[first].box) && holds(node[at].box, node[first + 1].box));
    for (size_t i = 0; i < 2; i++) {
      assert_true(pending <= GRZ_TREE_DEPTH);
      stack[pending].node = first + i, stack[pending++].depth = depth + 1;
    }
  }
  assert_int_equal(leaves, count);
  return deepest;
}

static void fill(size_t count, double size) {
  for (size_t i = 0; i < count; i++) {
    const graze_vec at = rng_vec(&state, 3, 100);
    box[i] = (graze_aabb){at, add(at, vec(between(0, size), between(0, size), between(0, size)))};
  }
}

/* Seed 1. Counts from 1; random boxes end at about twice the depth of halves, or less. */
TEST(random) {
  state = 1;
  for (size_t count = 1; count <= 300; count++) {
    fill(count, 5);
    assert_in_range(check(count), ceil(log2((double)count)), 2 * ceil(log2((double)count)) + 2);
  }
  fill(MOST, 5);
  assert_in_range(check(MOST), 15, 30);
}

/* All the same, on a line, each twice as far and as large as the one before (halves must end that), subnormal, huge. */
TEST(hard) {
  for (size_t i = 0; i < MOST; i++) box[i] = (graze_aabb){{1, 2, 3}, {1, 2, 3}};
  assert_int_equal(check(MOST), 15);
  for (size_t i = 0; i < MOST; i++) box[i] = (graze_aabb){{(double)i, 0, 0}, {(double)i + 1, 0, 0}};
  assert_in_range(check(MOST), 15, 18);
  for (size_t i = 0; i < 1000; i++) {
    double at = ldexp(1, (int)i - 900);
    box[i] = (graze_aabb){{at, at, at}, {2 * at, 2 * at, 2 * at}};
  }
  assert_in_range(check(1000), 50, GRZ_TREE_DEPTH);
  for (size_t i = 0; i < 1000; i++) {
    double at = 0x1p-1074 * (double)(i % 37);
    box[i] = (graze_aabb){{at, -at, 0}, {at, 1e41, 1e41}};
    box[i].min.z = i % 2 ? -1e41 : 1e41;
  }
  assert_in_range(check(1000), 10, GRZ_TREE_DEPTH);
}

/* Seed 3: a random box meets the same boxes as by brute force, and few nodes are tested. */
TEST(walk) {
  state = 3;
  size_t met = 0, tested = 0;
  fill(MOST, 5);
  grz_tree_build(node, box, MOST, order);
  for (int round = 0; round < 200; round++) {
    size_t stack[GRZ_TREE_DEPTH + 1], found = 0, all = 0;
    int pending = 0;
    const graze_vec at = rng_vec(&state, 3, 100);
    const graze_aabb query = {at, add(at, vec(10, 10, 10))};
    for (size_t i = 0; i < MOST; i++) all += boxes_meet(query, box[i]);
    stack[pending++] = 0;
    while (pending > 0) {
      const grz_tree_node *n = &node[stack[--pending]];
      tested++;
      if (!boxes_meet(query, n->box)) continue;
      found += n->below < 0;
      if (n->below < 0) continue;
      stack[pending++] = grz_tree_below(n);
      stack[pending++] = grz_tree_below(n) + 1;
    }
    assert_int_equal(found, all);
    met += found;
  }
  assert_in_range(met, 200, 20000);
  assert_in_range(tested, met, 200 * 200);
}
