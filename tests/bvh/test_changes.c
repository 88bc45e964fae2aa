/* Insertions, changes and removals with and without rebuilds, and failing allocations. Seeds are stated at each test.
 */

#include "support/test.h"

#include <limits.h>

#include "support/compounds.h"
#include "support/geometry.h"
#include "inspect.h"

static uint64_t state;

static graze_aabb nudged(graze_aabb box) {
  graze_vec by = rng_vec(&state, 3, 1);
  if (box.min.z == box.max.z) by.z = 0;
  return (graze_aabb){add(box.min, by), add(box.max, by)};
}

static void change(plain_world *world, int kind, size_t count) {
  const size_t item = rng_index(&state, count);
  const int what = rng_below(&state, 10);
  if (what == 0) {
    plain_remove(world, item);
  } else if (what < 3 || !world->there[item]) {
    const graze_aabb box = world_box(kind, &state, count);
    plain_insert(world, item, box, rng_coin(&state));
  } else {
    const graze_aabb box = what < 8 ? nudged(world->box[item]) : world->box[item];
    plain_insert(world, item, box, what < 6 ? world->moves[item] : rng_coin(&state));
  }
}

/* Random changes with a rebuild after every `interval` changes (0: never). */
static void check_changes(int kind, size_t count, size_t changes, size_t interval) {
  plain_world world;
  plain_make(&world, world_dim(kind), count, NULL);
  for (size_t i = 0; i < changes; i++) {
    const size_t some = i > changes / 3 ? count : count / 3 + 1;
    if (world.bvh.capacity < some) assert_true(grz_bvh_reserve(&world.bvh, some));
    change(&world, kind, some);
    if (interval > 0 && i % interval == 0) grz_bvh_rebuild(&world.bvh);
    if (i % (changes / 12) > 1) continue;
    inspect_tree(&world);
    inspect_pairs(&world);
  }
  for (size_t i = 0; i < count; i++) plain_remove(&world, i);
  inspect_tree(&world);
  assert_int_equal(world.bvh.count, 0);
  plain_free(&world);
}

/* The tree and its pairs are right after random changes. Seed 1. */
TEST(test_sequences) {
  static const size_t counts[] = {1, 9, 60, 200, 900}, interval[] = {0, 1, 40, 700};
  state = 1;
  for (int kind = 0; kind < WORLD_KINDS; kind++) {
    if (kind == WORLD_EQUAL) continue;
    for (int c = 0; c < 5; c++) {
      for (int k = 0; k < 4; k++) check_changes(kind, counts[c], (size_t)tiered(2000, 4000, 20000), interval[k]);
    }
  }
}

/* A rebuild leaves the slots of resting items alone. Items that come to rest join the resting part in the end. Seed 2.
 */
TEST(test_mostly_resting) {
  enum { ALL = 4000, MOVING = 50 };
  plain_world world;
  state = 2;
  plain_fill(&world, WORLD_UNIFORM, &state, ALL, 0);
  const grz_bvh *bvh = &world.bvh;
  for (size_t i = 0; i < MOVING; i++) plain_insert(&world, i, world.box[i], true);
  grz_bvh_rebuild(&world.bvh);
  assert_int_equal(bvh->resting, (ALL - MOVING + 7) / 8 * 8);
  const size_t slot = bvh->slot[ALL - 1];
  for (int step = 0; step < 100; step++) {
    for (size_t i = 0; i < MOVING; i++) plain_insert(&world, i, nudged(world.box[i]), true);
    grz_bvh_rebuild(&world.bvh);
    assert_int_equal(bvh->slot[ALL - 1], slot);
    assert_int_equal(bvh->used - bvh->resting, MOVING);
  }
  inspect_pairs(&world);
  for (size_t i = 0; i < MOVING; i++) plain_insert(&world, i, world.box[i], false);
  assert_int_equal(inspect_pairs(&world), 0);
  for (int step = 0; step < 50; step++) grz_bvh_rebuild(&world.bvh);
  assert_int_equal(bvh->resting, ALL);
  assert_int_equal(grz_bvh_chunk_count(bvh), 0);
  plain_free(&world);
}

/* A failed allocation changes nothing, and the tree remains usable. Seed 3. */
TEST(test_no_memory) {
  failing_memory memory = {.fail_at = 0};
  const graze_allocator allocator = failing_allocator(&memory);
  plain_world world;
  grz_bvh before;
  plain_make(&world, 3, 500, &allocator);
  state = 3;
  for (size_t capacity = 1; capacity <= 500; capacity = capacity * 3 / 2 + 1) {
    for (size_t i = world.bvh.capacity * 2 / 3; i < world.bvh.capacity; i++)
      plain_insert(&world, i, world_box(WORLD_UNIFORM, &state, 500), i % 3);
    memcpy(&before, &world.bvh, sizeof before);
    memory.calls = memory.fail_at = 0;
    assert_false(grz_bvh_reserve(&world.bvh, capacity));
    assert_memory_equal(&before, &world.bvh, sizeof before);
    assert_true(grz_bvh_reserve(&world.bvh, world.bvh.capacity));
    inspect_pairs(&world);
    memory.calls = 0, memory.fail_at = 1;
    assert_true(grz_bvh_reserve(&world.bvh, capacity));
    assert_true(memory.out == 1 && world.bvh.capacity == capacity);
    inspect_tree(&world);
    inspect_pairs(&world);
  }
  memory.fail_at = LONG_MAX;
  assert_false(grz_bvh_reserve(&world.bvh, SIZE_MAX / 2));
  assert_false(grz_bvh_reserve(&world.bvh, (size_t)UINT32_MAX + 1));
  plain_free(&world);
  assert_int_equal(memory.out, 0);
  assert_int_equal(world.bvh.count + world.bvh.capacity, 0);
}
