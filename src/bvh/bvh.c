/* Memory and items of the tree: insertion, update, removal, the rule that decides when to sort again, and bounds of
 * moving bodies. */
#include "bvh/scene_tree.h"

#include "core/memory.h"
#include "core/vec.h"
#include "shape/motion.h"

#include <string.h>

/* ---- Memory */

void grz_bvh_make(grz_bvh *bvh, int dim, const graze_allocator *allocator) {
  *bvh = (grz_bvh){.allocator = grz_allocator(allocator), .tree = {.dim = dim, .scale = 1}};
}

void grz_bvh_free(grz_bvh *bvh) {
  grz_release(&bvh->allocator, bvh->memory);
  grz_bvh_make(bvh, bvh->tree.dim, &bvh->allocator);
}

/* The first pass, with memory NULL, measures the block. The second pass assigns its parts to the arrays. */
typedef struct bvh_block {
  char *memory;
  size_t offset;
} bvh_block;

static void *bvh_array(bvh_block *block, size_t count, size_t size) {
  const size_t start = (block->offset + 63) / 64 * 64;
  block->offset = start + count * size;
  return block->memory ? block->memory + start : NULL;
}

/* The last level has a single node. There are at least four levels, so searches may read level 3 of any tree. */
static void bvh_lay_out(grz_bvh *b, bvh_block *block) {
  size_t nodes = b->slots / 8;
  b->box = bvh_array(block, b->capacity, sizeof *b->box);
  b->slot = bvh_array(block, b->capacity, sizeof *b->slot);
  b->tree.item = bvh_array(block, b->slots, sizeof *b->tree.item);
  b->moving = bvh_array(block, nodes, sizeof *b->moving);
  b->sorted_size = bvh_array(block, nodes, sizeof *b->sorted_size);
  b->record = bvh_array(block, b->capacity, sizeof *b->record);
  b->key = bvh_array(block, b->capacity, sizeof *b->key);
  for (b->tree.levels = 0; b->tree.levels < 4 || nodes > 1; b->tree.levels++) {
    if (b->tree.levels > 0) nodes = (nodes + 7) / 8;
    b->tree.level[b->tree.levels] = bvh_array(block, nodes, sizeof(grz_node));
  }
}

/* Allocates twice as many slots as items, since an item that changes its slot vacates the old one. When no slot is
 * free, everything is sorted. Sorting removes the vacated slots. The cost of sorting is amortised over at least as many
 * changes as there are items. */
bool grz_bvh_reserve(grz_bvh *bvh, size_t capacity) {
  if (capacity <= bvh->capacity) return true;
  if (capacity > INT32_MAX || capacity > SIZE_MAX / 512) return false;
  grz_bvh grown = *bvh;
  bvh_block block = {NULL, 0};
  grown.capacity = capacity;
  grown.slots = (2 * capacity + 64 + 7) / 8 * 8;
  bvh_lay_out(&grown, &block);
  grown.memory = grz_allocate(&bvh->allocator, block.offset + 64, 1);
  if (!grown.memory) return false;
  block.memory = (char *)grown.memory + (64 - (uintptr_t)grown.memory % 64), block.offset = 0;
  bvh_lay_out(&grown, &block);

  /* Clear all arrays. */
  size_t nodes = grown.slots / 8;
  memset(grown.slot, 0xff, grown.capacity * sizeof *grown.slot);
  memset(grown.tree.item, 0xff, grown.slots * sizeof *grown.tree.item);
  memset(grown.moving, 0, nodes * sizeof *grown.moving);
  memset(grown.sorted_size, 0, nodes * sizeof *grown.sorted_size);
  for (int k = 0; k < grown.tree.levels; k++) {
    if (k > 0) nodes = (nodes + 7) / 8;
    for (size_t i = 0; i < nodes; i++) {
      for (size_t child = 0; child < 8; child++) grz_node_clear(&grown.tree.level[k][i], child);
    }
  }

  /* Copy the items. */
  if (bvh->memory) {
    const size_t leaves = (bvh->used + 7) / 8;
    memcpy(grown.box, bvh->box, bvh->capacity * sizeof *grown.box);
    memcpy(grown.slot, bvh->slot, bvh->capacity * sizeof *grown.slot);
    memcpy(grown.tree.item, bvh->tree.item, bvh->used * sizeof *grown.tree.item);
    memcpy(grown.moving, bvh->moving, leaves * sizeof *grown.moving);
    memcpy(grown.sorted_size, bvh->sorted_size, leaves * sizeof *grown.sorted_size);
    memcpy(grown.tree.level[0], bvh->tree.level[0], leaves * sizeof(grz_node));
    grz_tree_refit(&grown.tree, 0, leaves);
  }
  grz_release(&bvh->allocator, bvh->memory);
  *bvh = grown;
  return true;
}

/* ---- Items */

static bool bvh_moves(const grz_bvh *b, size_t slot) { return b->moving[slot / 8] >> slot % 8 & 1; }

static void bvh_set_moving(grz_bvh *b, size_t slot, bool moves) {
  const uint8_t bit = (uint8_t)(1u << slot % 8);
  b->moving[slot / 8] = (uint8_t)(moves ? b->moving[slot / 8] | bit : b->moving[slot / 8] & ~bit);
}

/* Returns whether the box of this child has these sides. */
static bool bvh_has_sides(const grz_node *node, size_t child, const float side[6]) {
  bool same = true;
  for (int i = 0; i < 6; i++) same &= side[i] == node->side[i][child];
  return same;
}

/* Vacates the slot of an item and refits the boxes above it, up to the first that does not change. */
static void bvh_vacate(grz_bvh *b, size_t item) {
  const size_t slot = b->slot[item];
  if (slot < b->resting) {
    b->vacated++;
  } else {
    b->misplaced -= !bvh_moves(b, slot);
  }
  bvh_set_moving(b, slot, false);
  grz_node_clear(&b->tree.level[0][slot / 8], slot % 8);
  b->tree.item[slot] = b->slot[item] = GRZ_TREE_NONE;
  b->is_current = false;
  size_t node = slot / 8;
  for (int k = 1; k < b->tree.levels; k++, node /= 8) {
    float side[6];
    grz_node *parent = &b->tree.level[k][node / 8];
    grz_node_union(&b->tree.level[k - 1][node], side);
    if (bvh_has_sides(parent, node % 8, side)) return;
    grz_node_write(parent, node % 8, side);
  }
}

/* Appends an item and returns its slot. */
static size_t bvh_append(grz_bvh *b, size_t item) {
  if (b->used == b->slots || (b->used == GRZ_BVH_SMALL && 4 * b->count < 3 * b->used)) grz_bvh_sort(b, 0);
  const size_t slot = b->used++;
  b->tree.item[slot] = (uint32_t)item;
  b->slot[item] = (uint32_t)slot;
  b->sorted_size[slot / 8] = 0;
  b->misplaced++;
  return slot;
}

/* A resting item that changes is appended, so the resting part keeps its sorted order. Boxes above the slot only grow
 * here; grz_bvh_rebuild() shrinks them for all items at once, which is much cheaper. */
void grz_bvh_insert(grz_bvh *bvh, size_t item, const graze_aabb *box, bool moves) {
  size_t slot = bvh->slot[item];
  const bool is_new = slot == GRZ_TREE_NONE, rested = !is_new && slot < bvh->resting;
  float side[6];
  bvh->box[item] = *box;
  if (rested && !moves) {
    grz_tree_round(&bvh->tree, box, side);
    if (bvh_has_sides(&bvh->tree.level[0][slot / 8], slot % 8, side)) return;
  }
  if (rested) bvh_vacate(bvh, item);
  bvh->count += is_new;
  if (is_new || rested) slot = bvh_append(bvh, item);
  if (bvh_moves(bvh, slot) != moves) {
    bvh->misplaced = moves ? bvh->misplaced - 1 : bvh->misplaced + 1;
    bvh_set_moving(bvh, slot, moves);
  }
  grz_tree_round(&bvh->tree, box, side);
  if (grz_bvh_is_imprecise(bvh, side)) bvh->imprecise++, bvh->check_frame = true;
  grz_node_write(&bvh->tree.level[0][slot / 8], slot % 8, side);
  bvh->is_current = false;

  /* Enlarge the boxes above the slot. A leaf's box often grows, and a test would be mispredicted, so this box is always
   * written. */
  size_t node = slot / 8;
  for (int k = 1; k < bvh->tree.levels; k++, node /= 8) {
    grz_node *parent = &bvh->tree.level[k][node / 8];
    const size_t child = node % 8;
    bool contained = k > 1;
    for (int i = 0; i < 6; i++) contained &= parent->side[i][child] <= side[i];
    if (contained) return;
    for (int i = 0; i < 6; i++) parent->side[i][child] = grz_float_min(parent->side[i][child], side[i]);
  }
}

void grz_bvh_update(grz_bvh *bvh, size_t item, const graze_aabb *box, bool moves) {
  grz_bvh_insert(bvh, item, box, moves);
  /* If a leaf has grown to more than twice its sorted size, the item leaves the leaf. The box of the leaf includes
   * the old boxes of its items, so a leaf cannot drift away from its neighbours in small steps. */
  const size_t leaf = bvh->slot[item] / 8;
  if (bvh->sorted_size[leaf] > 0 && grz_bvh_leaf_size(bvh, leaf) > 2 * bvh->sorted_size[leaf]) {
    bvh_vacate(bvh, item);
    bvh->count--;
    grz_bvh_insert(bvh, item, box, moves);
  }
  grz_bvh_merge_runs(bvh);
}

void grz_bvh_prefetch(const grz_bvh *bvh, size_t item) {
  const size_t slot = bvh->slot[item];
  if (slot == GRZ_TREE_NONE) return;
  for (int k = 0; k < 6; k += 2) __builtin_prefetch(&bvh->tree.level[0][slot / 8].side[k][0], 1);
}

void grz_bvh_remove(grz_bvh *bvh, size_t item) {
  if (bvh->slot[item] == GRZ_TREE_NONE) return;
  bvh_vacate(bvh, item);
  bvh->count--;
  if (bvh->count == 0) bvh->used = bvh->resting = bvh->vacated = bvh->tail = bvh->runs_end = 0;
}

/* ---- Rebuilding */

/* Returns the sum of the relative growth of the leaves in the moving part since they were sorted. An appended leaf has
 * the growth 8. No leaf counts more, since an item that flies away spoils only its own leaf. */
static double bvh_looseness(const grz_bvh *b) {
  const size_t appended = b->used > b->tail ? b->tail / 8 : b->used;
  double sum = 0;
  for (size_t leaf = b->resting / 8; leaf < (b->used + 7) / 8; leaf++) {
    const float size = grz_bvh_leaf_size(b, leaf), sorted = leaf < appended ? b->sorted_size[leaf] : 0;
    if (!(size > sorted)) continue;
    sum += size > 9 * sorted ? 8 : (double)(size / sorted) - 1;
  }
  return sum;
}

/* Each rebuild adds the estimated cost of disorder to a sum. When the sum reaches the cost of sorting, the tree is
 * sorted, as in the ski-rental problem. The weights come from
 * bench/broad.c. In units of sorting one item, a resting item in the moving part or an imprecise box counts 2. In units
 * of sorting one leaf, a leaf grown by its own size counts 4. */
void grz_bvh_rebuild(grz_bvh *bvh) {
  const size_t first = bvh->resting / 8, last = (bvh->used + 7) / 8;
  const bool is_small = bvh->used <= GRZ_BVH_SMALL;
  bvh->full_debt += (double)(bvh->misplaced + bvh->imprecise);
  bvh->imprecise = 0;
  if (!is_small && (2 * bvh->full_debt >= (double)bvh->count || 2 * bvh->vacated > bvh->resting)) {
    grz_bvh_sort(bvh, 0);
  } else if (!bvh->is_current) {
    if (is_small) grz_bvh_fit_frame(bvh);
    grz_tree_refit(&bvh->tree, is_small ? 0 : first, last);
    bvh->part_debt += bvh_looseness(bvh);
    if (!is_small && 4 * bvh->part_debt >= (double)(last - first)) grz_bvh_sort(bvh, bvh->resting);
    grz_bvh_merge_runs(bvh);
  }
  bvh->is_current = true;
}

/* ---- Bounds of a moving body: the bounds at the start, enlarged by rotation, clipped to the bounding ball, and
 * extended by the displacement. Margins: docs/theory/rounding.md, "Bounds". */

/* Rounding costs a few ulps of each number in a bound, and 21 ulps of the extent (grz_bounds_rounded()). */
#define SWEPT_ERROR (40 * GRZ_U)

/* Compounds of more parts are bounded by a ball. */
enum { SWEPT_PARTS = 32 };

/* Returns an upper bound of the distance between a point of the body and the same point without rotation. */
static double swept_rotation_bound(const graze_placed *placed, const graze_motion *motion, double time) {
  grz_moving_body turning;
  if (vec_norm_inf(motion->angular) == 0) return 0;
  grz_moving_body_make(&turning, placed, motion);
  if (turning.spin == 0) return 0;
  return real_min(turning.spin * time, 2) * (turning.placed.hidden.bounding_radius * (1 + 8 * GRZ_U)) +
         grz_moving_body_error(&turning, real_min(time, 4 / turning.spin)) * turning.placed.hidden.bounding_radius;
}

graze_aabb grz_swept_bounds(const graze_placed *placed, const graze_motion *motion, double time, double grow) {
  const double inf = __builtin_inf();
  if (placed->shape.kind == GRAZE_HALFSPACE) return (graze_aabb){{-inf, -inf, -inf}, {inf, inf, inf}};
  const graze_vec p = placed_reference_point(placed), displacement = vec_scale(motion->velocity, time);
  const double ball = (placed->hidden.bounding_radius + placed->hidden.radius) * (1 + 4 * GRZ_U);
  const double rotation = swept_rotation_bound(placed, motion, time);

  /* Intersect the bounds of the bounding ball with the bounds at the start, enlarged by the rotation. */
  graze_aabb box = {vec_sub(p, vec_make(ball, ball, ball)), vec_add(p, vec_make(ball, ball, ball))}, start;
  if (rotation < ball && graze_part_count(placed) <= SWEPT_PARTS &&
      (grz_bounds_rounded(placed, &start) || graze_bounds(placed, &start) == GRAZE_OK)) {
    const graze_vec grown = vec_make(rotation, rotation, rotation);
    box.min = vec_max(box.min, vec_sub(start.min, grown)), box.max = vec_min(box.max, vec_add(start.max, grown));
  }

  /* Extend by the displacement and the margin of rounding. */
  const double error = SWEPT_ERROR * ((vec_norm1(p) + vec_norm1(displacement)) + (ball + grow)) + 0x1p-1070;
  const graze_vec margin = vec_make(grow + error, grow + error, grow + error);
  box.min = vec_sub(vec_min(box.min, vec_add(box.min, displacement)), margin);
  box.max = vec_add(vec_max(box.max, vec_add(box.max, displacement)), margin);
  if (placed->shape.dim == 2) box.min.z = box.max.z = 0;
  return box;
}

bool grz_halfspace_overlaps(const graze_placed *halfspace, const graze_motion *motion, double time, double grow,
                            const graze_aabb *box) {
  const graze_vec n =
      vec_unit(vec_unit_inf(vec_rotate(halfspace->hidden.rotation, halfspace->shape.as.halfspace.normal, 3)));
  const graze_vec p = halfspace->pose.position, displacement = vec_scale(motion->velocity, time);
  const double offset = halfspace->shape.as.halfspace.offset, radius = halfspace->hidden.radius;

  /* The height of the lowest corner of the box above the highest position of the plane. */
  const graze_vec corner =
      vec_make(n.x > 0 ? box->min.x : box->max.x, n.y > 0 ? box->min.y : box->max.y, n.z > 0 ? box->min.z : box->max.z);
  const double height = vec_dot(n, vec_sub(corner, p)) - real_max(vec_dot(n, displacement), 0);
  const double gap = ((height - offset) - radius) - grow;

  /* The rounding error is proportional to the sum of all lengths. */
  const graze_vec largest = vec_max(vec_max(box->max, vec_neg(box->min)), vec_max(p, vec_neg(p)));
  const double size = (vec_norm1(largest) + vec_norm1(displacement)) + (real_abs(offset) + radius) + grow;
  return !(gap > 64 * GRZ_U * size);
}
