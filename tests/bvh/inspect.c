#include "inspect.h"

#include "support/geometry.h"
#include "support/test.h"

void plain_make(plain_world *world, int dim, size_t capacity, const graze_allocator *allocator) {
  *world = (plain_world){.capacity = capacity, .box = calloc(capacity, sizeof *world->box)};
  world->there = calloc(capacity, 1), world->moves = calloc(capacity, 1);
  assert_true(world->box && world->there && world->moves);
  grz_bvh_make(&world->bvh, dim, allocator);
}

void plain_free(plain_world *world) {
  grz_bvh_free(&world->bvh);
  free(world->box), free(world->there), free(world->moves);
}

void plain_fill(plain_world *world, int kind, uint64_t *state, size_t count, double share) {
  plain_make(world, world_dim(kind), count, NULL);
  assert_true(grz_bvh_reserve(&world->bvh, count));
  for (size_t i = 0; i < count; i++) {
    const graze_aabb box = world_box(kind, state, count);
    plain_insert(world, i, box, rng_uniform(state, 0, 1) < share);
  }
}

void plain_insert(plain_world *world, size_t item, graze_aabb box, bool moves) {
  world->box[item] = box, world->there[item] = true, world->moves[item] = moves;
  grz_bvh_insert(&world->bvh, item, &box, moves);
}

void plain_remove(plain_world *world, size_t item) {
  world->there[item] = false;
  grz_bvh_remove(&world->bvh, item);
}

static void inspect_slots(const plain_world *world) {
  const grz_bvh *bvh = &world->bvh;
  size_t count = 0, vacated = bvh->resting, misplaced = 0;
  for (size_t item = 0; item < bvh->capacity; item++) {
    size_t slot = bvh->slot[item];
    assert_int_equal(slot != GRZ_TREE_NONE, item < world->capacity && world->there[item]);
    if (slot == GRZ_TREE_NONE) continue;
    float side[6];
    bool moves = bvh->moving[slot / 8] >> slot % 8 & 1;
    assert_true(slot < bvh->used && bvh->tree.item[slot] == item);
    assert_int_equal(moves, world->moves[item]);
    assert_true(slot >= bvh->resting || !moves);
    assert_memory_equal(&bvh->box[item], &world->box[item], sizeof world->box[item]);
    grz_tree_round(&bvh->tree, &world->box[item], side);
    for (int k = 0; k < 6; k++) assert_true(bvh->tree.level[0][slot / 8].side[k][slot % 8] == side[k]);
    count++, misplaced += slot >= bvh->resting && !moves, vacated -= slot < bvh->resting;
  }
  assert_int_equal(count, bvh->count);
  assert_int_equal(misplaced, bvh->misplaced);
  assert_in_range(vacated, bvh->vacated, bvh->vacated + 7);
}

void inspect_tree(const plain_world *world) {
  const grz_bvh *bvh = &world->bvh;
  assert_true(bvh->resting % 8 == 0 && bvh->resting <= bvh->used && bvh->used <= bvh->slots);
  inspect_slots(world);
  for (size_t slot = 0; slot < bvh->slots; slot++) {
    if (bvh->tree.item[slot] != GRZ_TREE_NONE) continue;
    assert_false(bvh->moving[slot / 8] >> slot % 8 & 1);
    for (int k = 0; k < 6; k++) assert_true(bvh->tree.level[0][slot / 8].side[k][slot % 8] == __builtin_inff());
  }
  size_t nodes = bvh->slots / 8;
  for (int level = 1; level < bvh->tree.levels; level++, nodes = (nodes + 7) / 8)
    for (size_t i = 0; i < 6 * nodes; i++) {
      const size_t node = i / 6, k = i % 6;
      const float side = bvh->tree.level[level][node / 8].side[k][node % 8];
      float least = __builtin_inff();
      for (int below = 0; below < 8; below++) least = fminf(least, bvh->tree.level[level - 1][node].side[k][below]);
      assert_true(bvh->is_current ? side == least : side <= least);
    }
  assert_int_equal(nodes, 1);
}

static int by_items(const void *p, const void *q) {
  const grz_bvh_pair *a = p, *b = q;
  return a->low != b->low ? (a->low > b->low) - (a->low < b->low) : (a->high > b->high) - (a->high < b->high);
}

size_t inspect_list(const grz_bvh *bvh, int width, grz_bvh_pair *pairs, size_t capacity) {
  size_t count = 0;
  for (size_t chunk = 0; chunk < grz_bvh_chunk_count(bvh); chunk++) {
    size_t space = count < capacity ? capacity - count : 0;
    count += grz_bvh_pairs_simd(width, bvh, chunk, space > 0 ? pairs + count : NULL, space);
  }
  return count;
}

static void compare(const plain_world *world, const grz_bvh_pair *pairs, size_t count) {
  size_t at = 0;
  for (size_t i = 0; i < world->capacity; i++) {
    for (size_t j = i + 1; j < world->capacity && world->there[i]; j++) {
      const bool either_moves = world->moves[i] || world->moves[j];
      if (!world->there[j] || !either_moves || !boxes_meet(world->box[i], world->box[j])) continue;
      if (at == count || pairs[at].low != i || pairs[at].high != j) fail_msg("pair %zu %zu is missing", i, j);
      at++;
    }
  }
  assert_int_equal(at, count);
}

size_t inspect_pairs(const plain_world *world) {
  const grz_bvh *bvh = &world->bvh;
  size_t count = inspect_list(bvh, 1, NULL, 0), some = count / 3;
  grz_bvh_pair *pairs = malloc((count + 1) * sizeof *pairs), *again = malloc((count + 1) * sizeof *pairs);
  assert_true(pairs && again);
  assert_int_equal(inspect_list(bvh, 1, pairs, count), count);
  assert_int_equal(inspect_list(bvh, 1, again, some), count);
  assert_memory_equal(again, pairs, some * sizeof *pairs);
  if (grz_bvh_width_supported(8)) {
    assert_int_equal(inspect_list(bvh, 8, again, count), count);
    assert_memory_equal(again, pairs, count * sizeof *pairs);
  }
  qsort(pairs, count, sizeof *pairs, by_items);
  compare(world, pairs, count);
  free(pairs), free(again);
  return count;
}
