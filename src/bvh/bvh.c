/* Items that come, change and go. */
#include "bvh/bvh.h"

#include "core/memory.h"
#include "bvh/sort.h"

#include <string.h>

void grz_bvh_make(grz_bvh *broad, int dim, const graze_allocator *allocator) {
  *broad = (grz_bvh){.allocator = grz_allocator(allocator), .dim = dim, .scale = 1};
}

void grz_bvh_free(grz_bvh *broad) {
  grz_release(&broad->allocator, broad->memory);
  grz_bvh_make(broad, broad->dim, &broad->allocator);
}

/* A block is measured first, without memory, and then cut. */
typedef struct broad_block {
  char *memory;
  size_t at;
} broad_block;

static void *broad_cut(broad_block *block, size_t count, size_t size) {
  size_t at = (block->at + 63) / 64 * 64;
  block->at = at + count * size;
  return block->memory ? block->memory + at : NULL;
}

/* Every level has one that stands above it, and there are four at least, so that walks need not ask. */
static void broad_lay_out(grz_bvh *b, broad_block *block) {
  size_t groups = b->places / 8;
  b->box = broad_cut(block, b->capacity, sizeof *b->box);
  b->place = broad_cut(block, b->capacity, sizeof *b->place);
  b->item = broad_cut(block, b->places, sizeof *b->item);
  b->moving = broad_cut(block, groups, sizeof *b->moving);
  b->extent = broad_cut(block, groups, sizeof *b->extent);
  b->record = broad_cut(block, b->capacity, sizeof *b->record);
  b->key = broad_cut(block, b->capacity, sizeof *b->key);
  b->spare = broad_cut(block, b->capacity, sizeof *b->spare);
  for (b->levels = 0; b->levels < 4 || groups > 1; b->levels++) {
    if (b->levels > 0) groups = (groups + 7) / 8;
    b->level[b->levels] = broad_cut(block, groups, sizeof(grz_eight));
  }
}

static void broad_clear(grz_bvh *b) {
  size_t groups = b->places / 8;
  memset(b->place, 0xff, b->capacity * sizeof *b->place);
  memset(b->item, 0xff, b->places * sizeof *b->item);
  memset(b->moving, 0, groups * sizeof *b->moving);
  memset(b->extent, 0, groups * sizeof *b->extent);
  for (int k = 0; k < b->levels; k++) {
    if (k > 0) groups = (groups + 7) / 8;
    for (size_t i = 0; i < groups; i++) {
      for (size_t lane = 0; lane < 8; lane++) grz_eight_clear(&b->level[k][i], lane);
    }
  }
}

static void broad_copy(grz_bvh *to, const grz_bvh *from) {
  size_t groups = (from->used + 7) / 8;
  if (!from->memory) return;
  memcpy(to->box, from->box, from->capacity * sizeof *to->box);
  memcpy(to->place, from->place, from->capacity * sizeof *to->place);
  memcpy(to->item, from->item, from->used * sizeof *to->item);
  memcpy(to->moving, from->moving, groups * sizeof *to->moving);
  memcpy(to->extent, from->extent, groups * sizeof *to->extent);
  memcpy(to->level[0], from->level[0], groups * sizeof(grz_eight));
  grz_broad_raise(to, 0, groups);
}

/* Twice as many places as items: an item that changes its place leaves an empty one. When no place is free, everything
 * is sorted, which removes the empty places and pays for itself over as many changes as there are items. */
bool grz_bvh_reserve(grz_bvh *broad, size_t capacity) {
  if (capacity <= broad->capacity) return true;
  if (capacity > INT32_MAX || capacity > SIZE_MAX / 512) return false;
  grz_bvh grown = *broad;
  broad_block block = {NULL, 0};
  grown.capacity = capacity;
  grown.places = (2 * capacity + 64 + 7) / 8 * 8;
  broad_lay_out(&grown, &block);
  grown.memory = grz_allocate(&broad->allocator, block.at + 64, 1);
  if (!grown.memory) return false;
  block.memory = (char *)grown.memory + (64 - (uintptr_t)grown.memory % 64), block.at = 0;
  broad_lay_out(&grown, &block);
  broad_clear(&grown);
  broad_copy(&grown, broad);
  grz_release(&broad->allocator, broad->memory);
  *broad = grown;
  return true;
}

/* What stands above a new box holds it. A group often grows, which nobody can predict: so it is not asked whether. */
static void broad_grow(grz_bvh *b, size_t place, const float side[6]) {
  size_t at = place / 8;
  for (int k = 1; k < b->levels; k++, at /= 8) {
    grz_eight *above = &b->level[k][at / 8];
    const size_t lane = at % 8;
    bool held = k > 1;
    for (int i = 0; i < 6; i++) held &= above->side[i][lane] <= side[i];
    if (held) return;
    for (int i = 0; i < 6; i++) above->side[i][lane] = grz_float_min(above->side[i][lane], side[i]);
  }
}

/* What stands above a place holds what is there, and no more, up to where nothing changes. */
static void broad_mend(grz_bvh *b, size_t place) {
  size_t at = place / 8;
  for (int k = 1; k < b->levels; k++, at /= 8) {
    float side[6];
    grz_eight *above = &b->level[k][at / 8];
    bool same = true;
    grz_eight_join(&b->level[k - 1][at], side);
    for (int i = 0; i < 6; i++) same &= side[i] == above->side[i][at % 8];
    if (same) return;
    grz_eight_write(above, at % 8, side);
  }
}

static bool broad_moves(const grz_bvh *b, size_t place) { return b->moving[place / 8] >> place % 8 & 1; }

static void broad_set_moving(grz_bvh *b, size_t place, bool moves) {
  uint8_t bit = (uint8_t)(1u << place % 8);
  b->moving[place / 8] = (uint8_t)(moves ? b->moving[place / 8] | bit : b->moving[place / 8] & ~bit);
}

static void broad_leave(grz_bvh *b, size_t item) {
  size_t place = b->place[item];
  if (place < b->resting) {
    b->left++;
  } else {
    b->misplaced -= !broad_moves(b, place);
  }
  broad_set_moving(b, place, false);
  grz_eight_clear(&b->level[0][place / 8], place % 8);
  b->item[place] = b->place[item] = GRZ_BROAD_NONE;
  broad_mend(b, place);
  b->is_tidy = false;
}

static size_t broad_join_end(grz_bvh *b, size_t item) {
  if (b->used == b->places || (b->used == GRZ_BROAD_SMALL && 4 * b->count < 3 * b->used)) grz_bvh_sort(b, 0);
  size_t place = b->used++;
  b->item[place] = (uint32_t)item;
  b->place[item] = (uint32_t)place;
  b->extent[place / 8] = 0;
  b->misplaced++;
  return place;
}

static bool broad_same(const graze_aabb *p, const graze_aabb *q) {
  return vec_equal(p->min, q->min) && vec_equal(p->max, q->max);
}

/* An item that rests and changes goes to the end: so what rests stays in the order in which it was sorted. Boxes above
 * only grow here; grz_bvh_rebuild() takes back what is too much, for all at once, which costs next to nothing. */
void grz_bvh_insert(grz_bvh *broad, size_t item, const graze_aabb *box, bool moves) {
  size_t place = broad->place[item];
  const bool is_new = place == GRZ_BROAD_NONE, rested = !is_new && place < broad->resting;
  if (rested && !moves && broad_same(box, &broad->box[item])) return;
  if (rested) broad_leave(broad, item);
  broad->box[item] = *box;
  broad->count += is_new;
  if (is_new || rested) place = broad_join_end(broad, item);
  if (broad_moves(broad, place) != moves) {
    broad->misplaced = moves ? broad->misplaced - 1 : broad->misplaced + 1;
    broad_set_moving(broad, place, moves);
  }
  float side[6];
  grz_broad_sides(broad, box, side);
  if (grz_broad_is_blurred(broad, side)) broad->blurred++, broad->blurry = true;
  grz_eight_write(&broad->level[0][place / 8], place % 8, side);
  broad_grow(broad, place, side);
  broad->is_tidy = false;
}

void grz_bvh_update(grz_bvh *broad, size_t item, const graze_aabb *box, bool moves) {
  grz_bvh_insert(broad, item, box, moves);
  /* An item leaves a group that has grown to more than twice its size when it was sorted. The group's box also holds
   * where its items were before, so a group cannot move away from its neighbours in small steps. */
  const size_t group = broad->place[item] / 8;
  if (broad->extent[group] > 0 && grz_broad_group_extent(broad, group) > 2 * broad->extent[group]) {
    broad_leave(broad, item);
    broad->count--;
    grz_bvh_insert(broad, item, box, moves);
  }
  grz_broad_keep(broad);
}

void grz_bvh_prefetch(const grz_bvh *broad, size_t item) {
  const size_t place = broad->place[item];
  if (place == GRZ_BROAD_NONE) return;
  for (int k = 0; k < 6; k += 2) __builtin_prefetch(&broad->level[0][place / 8].side[k][0], 1);
}

void grz_bvh_remove(grz_bvh *broad, size_t item) {
  if (broad->place[item] == GRZ_BROAD_NONE) return;
  broad_leave(broad, item);
  broad->count--;
  if (broad->count == 0) broad->used = broad->resting = broad->left = broad->tail = broad->kept = 0;
}
