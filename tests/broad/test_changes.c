/* Items that come, change, rest, wake and go, tidied now and then or never; memory that runs out. Seeds are stated at
 * each test. */

#include "support/test.h"

#include <limits.h>

#include "support/compounds.h"
#include "inspect.h"
#include "worlds.h"

static uint64_t state;

static size_t below(size_t count) { return (size_t)rng_uniform(&state, 0, (double)count); }

static void nudge(graze_aabb *box) {
  graze_vec by = {rng_uniform(&state, -1, 1), rng_uniform(&state, -1, 1), rng_uniform(&state, -1, 1)};
  by.z = box->min.z == box->max.z ? 0 : by.z;
  box->min.x += by.x, box->min.y += by.y, box->min.z += by.z;
  box->max.x += by.x, box->max.y += by.y, box->max.z += by.z;
}

static void change(plain_world *world, grz_broad *broad, int kind, size_t count) {
  size_t item = below(count);
  int what = (int)below(10);
  if (what == 0) {
    plain_drop(world, broad, item);
  } else if (what < 3 || !world->there[item]) {
    plain_put(world, broad, item, world_box(kind, &state, count), below(2));
  } else {
    graze_aabb box = world->box[item];
    if (what < 8) nudge(&box);
    plain_put(world, broad, item, box, what < 6 ? world->moves[item] : below(2));
  }
}

/* One way of use: how many changes there are between two tidyings (0: never tidied). */
static void check_changes(int kind, size_t count, size_t changes, size_t between) {
  grz_broad broad;
  plain_world world = plain_make(count);
  grz_broad_make(&broad, world_dim(kind), NULL);
  assert_true(grz_broad_reserve(&broad, count / 3 + 1));
  for (size_t i = 0; i < changes; i++) {
    size_t some = i > changes / 3 ? count : count / 3 + 1;
    if (broad.capacity < some) assert_true(grz_broad_reserve(&broad, some));
    change(&world, &broad, kind, some);
    if (between > 0 && i % between == 0) grz_broad_tidy(&broad);
    if (i % (changes / 12) > 1) continue;
    inspect_tree(&broad, &world);
    inspect_pairs(&broad, &world);
  }
  for (size_t i = 0; i < count; i++) plain_drop(&world, &broad, i);
  inspect_tree(&broad, &world);
  assert_int_equal(broad.count, 0);
  grz_broad_free(&broad);
  plain_free(&world);
}

/* Seed 1. */
TEST(test_sequences) {
  static const size_t counts[] = {1, 9, 60, 200, 900}, between[] = {0, 1, 40, 700};
  state = 1;
  for (int kind = 0; kind < WORLD_KINDS; kind++) {
    if (kind == WORLD_EQUAL) continue;
    for (int c = 0; c < 5; c++) {
      for (int k = 0; k < 4; k++) check_changes(kind, counts[c], (size_t)tiered(2000, 4000, 20000), between[k]);
    }
  }
}

/* A step costs in proportion to what moves: what rests keeps its place, and comes among those that move at last. */
TEST(test_mostly_resting) {
  enum { COUNT = 4000, MOVERS = 50 };
  grz_broad broad;
  plain_world world = plain_make(COUNT);
  grz_broad_make(&broad, 3, NULL);
  assert_true(grz_broad_reserve(&broad, COUNT));
  state = 2;
  for (size_t i = 0; i < COUNT; i++) {
    plain_put(&world, &broad, i, world_box(WORLD_UNIFORM, &state, COUNT), i < MOVERS);
  }
  grz_broad_tidy(&broad);
  assert_int_equal(broad.resting, (COUNT - MOVERS + 7) / 8 * 8);
  size_t place = broad.place[COUNT - 1];
  for (int step = 0; step < 100; step++) {
    for (size_t i = 0; i < MOVERS; i++) {
      graze_aabb box = world.box[i];
      nudge(&box);
      plain_put(&world, &broad, i, box, true);
    }
    grz_broad_tidy(&broad);
    assert_int_equal(broad.place[COUNT - 1], place);
    assert_in_range(broad.used - broad.resting, MOVERS, MOVERS);
  }
  inspect_pairs(&broad, &world);
  for (size_t i = 0; i < MOVERS; i++) plain_put(&world, &broad, i, world.box[i], false);
  assert_int_equal(inspect_pairs(&broad, &world), 0);
  for (int step = 0; step < 50; step++) grz_broad_tidy(&broad);
  assert_int_equal(broad.resting, COUNT);
  assert_int_equal(grz_broad_chunks(&broad), 0);
  grz_broad_free(&broad);
  plain_free(&world);
}

/* Without memory nothing changes; with it, all goes on. Seed 3. */
TEST(test_no_memory) {
  failing_memory memory = {.fail_at = 0};
  const graze_allocator allocator = failing_allocator(&memory);
  plain_world world = plain_make(500);
  grz_broad broad, before;
  grz_broad_make(&broad, 3, &allocator);
  state = 3;
  for (size_t capacity = 1; capacity <= 500; capacity = capacity * 3 / 2 + 1) {
    for (size_t i = broad.capacity * 2 / 3; i < broad.capacity; i++) {
      plain_put(&world, &broad, i, world_box(WORLD_UNIFORM, &state, 500), i % 3);
    }
    memcpy(&before, &broad, sizeof before);
    memory.calls = memory.fail_at = 0;
    assert_false(grz_broad_reserve(&broad, capacity));
    assert_memory_equal(&before, &broad, sizeof before);
    assert_true(grz_broad_reserve(&broad, broad.capacity));
    inspect_pairs(&broad, &world);
    memory.calls = 0, memory.fail_at = 1;
    assert_true(grz_broad_reserve(&broad, capacity));
    assert_int_equal(memory.out, 1);
    assert_int_equal(broad.capacity, capacity);
    inspect_tree(&broad, &world);
    inspect_pairs(&broad, &world);
  }
  memory.fail_at = LONG_MAX;
  assert_false(grz_broad_reserve(&broad, SIZE_MAX / 2));
  assert_false(grz_broad_reserve(&broad, (size_t)UINT32_MAX + 1));
  grz_broad_free(&broad);
  assert_int_equal(memory.out, 0);
  assert_int_equal(broad.count + broad.capacity, 0);
  plain_free(&world);
}
