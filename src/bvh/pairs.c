/* The search for all pairs of items whose boxes overlap. A chunk is the 64 leaves below one node of level 2, if they
 * may hold moving items. If many items move, the search descends the tree once for the chunk, then for each eight
 * leaves, then for each leaf. If few items move, each leaf searches alone.
 *
 * Intermediate results go through short lists, stage by stage: nodes, leaves, rows (an item of the leaf and another
 * leaf), hits (two items). Bit masks are expanded to list entries without branches, which would be mispredicted. */
#include "bvh/scene_tree.h"

#include "core/memory.h"

enum {
  PAIRS_LIST = 256,                      /* entries of a list; a full list is processed before the search goes on */
  PAIRS_STACK = 8 * GRZ_TREE_LEVELS + 8, /* enough for a depth-first search */
  PAIRS_SPARSE = 8,                      /* with this many resting items per moving one, each leaf searches alone */
};

typedef struct index_list {
  uint32_t index[PAIRS_LIST + 8];
  size_t count;
} index_list;

typedef struct pair_search {
  const grz_bvh *bvh;
  grz_bvh_pair *pairs;
  size_t capacity, count;
  size_t leaf;                   /* the leaf whose partners are searched */
  index_list leaves, rows, hits; /* row: 8·other leaf + item of this leaf; hit: 8·index of row + item of the other */
  uint8_t certain[PAIRS_LIST + 8]; /* by row: items of the other leaf whose overlap the floats prove */
} pair_search;

/* Writes base + i for each bit i of a byte, in ascending order, and returns their number. Overwrites eight entries. */
typedef size_t expand_bits(uint32_t *out, size_t base, unsigned bits);

/* The two operations that depend on the instruction set. */
typedef struct pair_simd {
  grz_node_test *test;
  expand_bits *expand;
} pair_simd;

/* Appends at `end` and returns the new end. The end is kept in a register: in memory, each append would depend on the
 * previous store. */
GRZ_TEMPLATE size_t list_append(index_list *list, size_t end, size_t base, unsigned bits, const pair_simd simd) {
  return end + simd.expand(list->index + end, base, bits);
}

GRZ_TEMPLATE bool list_is_full(size_t end) { return end > PAIRS_LIST; }

/* Returns the children of a node that have to be tested against `own`, a box of the children's level. Moving children
 * before `own` are excluded, since their own search finds the pair. */
GRZ_TEMPLATE unsigned children_to_test(const grz_bvh *b, int level, size_t node, size_t own) {
  const size_t moving = (b->resting / 8 + ((size_t)1 << 3 * (level - 1)) - 1) >> 3 * (level - 1), first = 8 * node;
  if (own <= first || moving >= own) return 0xff;
  const unsigned from = moving > first ? (unsigned)(moving - first) : 0;
  const unsigned to = own - first < 8 ? (unsigned)(own - first) : 8;
  return from < to ? 0xffu & ~((1u << to) - (1u << from)) : 0xff;
}

/* Emits the pair of two slots. If the floats leave the overlap open, the doubles decide. */
static inline void emit_pair(pair_search *s, size_t slot, size_t other, bool certain) {
  const grz_bvh *b = s->bvh;
  const uint32_t p = b->tree.item[slot], q = b->tree.item[other];
  if (!certain && !grz_aabb_overlap(&b->box[p], &b->box[q])) return;
  if (s->count < s->capacity) s->pairs[s->count] = (grz_bvh_pair){p < q ? p : q, p < q ? q : p};
  s->count++;
}

static void process_hits(pair_search *s) {
  for (size_t i = 0; i < s->hits.count; i++) {
    const uint32_t row = s->hits.index[i] / 8, column = s->hits.index[i] % 8, entry = s->rows.index[row];
    emit_pair(s, 8 * s->leaf + entry % 8, entry / 8 * 8 + column, s->certain[row] >> column & 1);
  }
  s->hits.count = 0;
}

/* Tests each row's item against the items of the other leaf. */
GRZ_TEMPLATE void process_rows(pair_search *s, const pair_simd simd) {
  const grz_bvh *b = s->bvh;
  const grz_node *own = &b->tree.level[0][s->leaf];
  const unsigned moving = b->moving[s->leaf];
  size_t end = 0;
  for (size_t i = 0, n = s->rows.count; i <= n; i++) {
    if (i == n || list_is_full(end)) s->hits.count = end, process_hits(s), end = 0;
    if (i == n) break;
    const uint32_t other = s->rows.index[i] / 8, item = s->rows.index[i] % 8;
    const grz_node_hits hits = simd.test(&b->tree.level[0][other], own, item);
    /* A resting item forms pairs with moving items only. Within the leaf each pair is emitted once. */
    unsigned overlap = hits.overlap & ((0u - (moving >> item & 1)) | b->moving[other]);
    overlap &= other == s->leaf ? ~1u << item : ~0u;
    s->certain[i] = (uint8_t)hits.certain;
    end = list_append(&s->hits, end, 8 * i, overlap, simd);
  }
  s->rows.count = 0;
}

/* Tests the items of the leaf against the boxes of other leaves. */
GRZ_TEMPLATE void process_leaves(pair_search *s, const pair_simd simd) {
  const grz_bvh *b = s->bvh;
  const grz_node *own = &b->tree.level[0][s->leaf];
  size_t end = 0;
  for (size_t i = 0, n = s->leaves.count; i <= n; i++) {
    if (i == n || list_is_full(end)) s->rows.count = end, process_rows(s, simd), end = 0;
    if (i == n) break;
    const size_t other = s->leaves.index[i];
    end = list_append(&s->rows, end, 8 * other, simd.test(own, &b->tree.level[1][other / 8], other % 8).overlap, simd);
  }
  s->leaves.count = 0;
}

/* Tests the box of the leaf against the leaves below nodes of level 1. */
GRZ_TEMPLATE void search_leaf(pair_search *s, const index_list *nodes, const pair_simd simd) {
  const grz_bvh *b = s->bvh;
  const grz_node *own = &b->tree.level[1][s->leaf / 8];
  size_t end = 0;
  for (size_t i = 0, n = nodes->count; i <= n; i++) {
    if (i == n || list_is_full(end)) s->leaves.count = end, process_leaves(s, simd), end = 0;
    if (i == n) break;
    const size_t node = nodes->index[i], from = end;
    const unsigned overlap = simd.test(&b->tree.level[1][node], own, s->leaf % 8).overlap;
    end = list_append(&s->leaves, end, 8 * node, overlap & children_to_test(b, 1, node, s->leaf), simd);
    for (size_t k = from; k < end; k++) grz_prefetch(&b->tree.level[0][s->leaves.index[k]], sizeof(grz_node));
  }
}

/* Tests the nodes below node `own` of level 2 against the nodes below `nodes`, then searches their leaves. */
GRZ_TEMPLATE void search_nodes(pair_search *s, size_t own, const index_list *nodes, const pair_simd simd) {
  const grz_bvh *b = s->bvh;
  const size_t leaf_end = (b->used + 7) / 8;
  index_list below;
  for (size_t node = 8 * own; node < 8 * own + 8; node++) {
    size_t end = 0;
    if (64 * node >= b->used || 64 * node + 64 <= b->resting) continue;
    for (size_t i = 0, n = nodes->count; i <= n; i++) {
      if (i == n || list_is_full(end)) {
        below.count = end;
        for (s->leaf = 8 * node; s->leaf < 8 * node + 8 && s->leaf < leaf_end; s->leaf++) {
          if (s->leaf >= b->resting / 8) search_leaf(s, &below, simd);
        }
        end = 0;
      }
      if (i == n) break;
      unsigned overlap = simd.test(&b->tree.level[2][nodes->index[i]], &b->tree.level[2][own], node % 8).overlap;
      overlap &= children_to_test(b, 2, nodes->index[i], node);
      end = list_append(&below, end, 8 * (size_t)nodes->index[i], overlap, simd);
    }
  }
}

/* A depth-first stack of nodes. */
typedef struct node_stack {
  struct {
    uint32_t node;
    int level;
  } entry[PAIRS_STACK];
  int count;
} node_stack;

GRZ_TEMPLATE void stack_push(node_stack *stack, int level, size_t node) {
  stack->entry[stack->count].level = level;
  stack->entry[stack->count++].node = (uint32_t)node;
}

/* Many items move: descends from the root to level 2 with the box of the chunk. */
GRZ_TEMPLATE void search_dense(pair_search *s, size_t own, const pair_simd simd) {
  const grz_bvh *b = s->bvh;
  node_stack stack = {.count = 0};
  index_list nodes;
  nodes.count = 0;
  stack_push(&stack, b->tree.levels - 1, 0);
  for (;;) {
    if (stack.count == 0 || list_is_full(nodes.count)) search_nodes(s, own, &nodes, simd), nodes.count = 0;
    if (stack.count == 0) break;
    const int level = stack.entry[--stack.count].level;
    const size_t node = stack.entry[stack.count].node;
    unsigned overlap = simd.test(&b->tree.level[level][node], &b->tree.level[3][own / 8], own % 8).overlap;
    overlap &= children_to_test(b, level, node, own >> 3 * (level - 3));
    if (level == 3) nodes.count = list_append(&nodes, nodes.count, 8 * node, overlap, simd);
    for (; level > 3 && overlap; overlap &= overlap - 1)
      stack_push(&stack, level - 1, 8 * node + grz_first_bit(overlap));
  }
}

/* Few items move: descends from the root with the box of one leaf, into nodes that one of its items overlaps. */
GRZ_TEMPLATE void search_sparse(pair_search *s, const pair_simd simd) {
  const grz_bvh *b = s->bvh;
  const grz_node *own = &b->tree.level[0][s->leaf];
  node_stack stack = {.count = 0};
  stack_push(&stack, b->tree.levels - 1, 0);
  for (;;) {
    if (stack.count == 0 || s->rows.count > PAIRS_LIST - 64) process_rows(s, simd);
    if (stack.count == 0) break;
    const int level = stack.entry[--stack.count].level;
    const size_t index = stack.entry[stack.count].node;
    const grz_node *node = &b->tree.level[level][index];
    unsigned overlap = simd.test(node, &b->tree.level[1][s->leaf / 8], s->leaf % 8).overlap;
    overlap &= children_to_test(b, level, index, s->leaf >> 3 * (level - 1));
    for (; overlap; overlap &= overlap - 1) {
      const size_t below = 8 * index + grz_first_bit(overlap);
      const unsigned items = simd.test(own, node, below % 8).overlap;
      if (level == 1) {
        s->rows.count = list_append(&s->rows, s->rows.count, 8 * below, items, simd);
      } else if (items) {
        stack_push(&stack, level - 1, below);
      }
    }
  }
}

/* At most 64 slots: tests each item of the moving part against the resting part and all later items. */
GRZ_TEMPLATE void search_small(pair_search *s, const pair_simd simd) {
  const grz_bvh *b = s->bvh;
  const uint64_t resting = ((uint64_t)1 << b->resting) - 1; /* resting < 64: the moving part is not empty */
  uint64_t moving = 0;
  for (size_t leaf = 0; 8 * leaf < b->used; leaf++) moving |= (uint64_t)b->moving[leaf] << 8 * leaf;
  for (size_t slot = b->resting; slot < b->used; slot++) {
    uint64_t overlap = 0, certain = 0;
    for (size_t other = b->resting > 0 ? 0 : slot / 8; 8 * other < b->used; other++) {
      const grz_node_hits hits = simd.test(&b->tree.level[0][other], &b->tree.level[0][slot / 8], slot % 8);
      overlap |= (uint64_t)hits.overlap << 8 * other, certain |= (uint64_t)hits.certain << 8 * other;
    }
    overlap &= (resting | ~(uint64_t)1 << slot) & (moving >> slot & 1 ? UINT64_MAX : moving);
    for (; overlap != 0; overlap &= overlap - 1) {
      const size_t other = grz_first_bit64(overlap);
      emit_pair(s, slot, other, certain >> other & 1);
    }
  }
}

GRZ_TEMPLATE size_t search_chunk(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs, size_t capacity,
                                 const pair_simd simd) {
  pair_search s;
  const size_t own = b->resting / 512 + chunk, end = (b->used + 7) / 8;
  s.bvh = b, s.pairs = pairs, s.capacity = capacity, s.count = 0;
  s.leaves.count = s.rows.count = s.hits.count = 0;
  if (b->used <= GRZ_BVH_SMALL) {
    search_small(&s, simd);
    return s.count;
  }
  if (b->used - b->resting > b->resting / PAIRS_SPARSE) {
    search_dense(&s, own, simd);
    return s.count;
  }
  for (s.leaf = 64 * own; s.leaf < 64 * own + 64 && s.leaf < end; s.leaf++) {
    if (s.leaf >= b->resting / 8) search_sparse(&s, simd);
  }
  return s.count;
}

size_t grz_bvh_chunk_count(const grz_bvh *bvh) {
  return bvh->used == bvh->resting ? 0 : (bvh->used + 511) / 512 - bvh->resting / 512;
}

/* ---- Instruction sets */

/* For each byte: the indices of its bits, lowest first, one byte each. */
#define BIT_INDEX(byte, i) ((uint64_t)((byte) >> (i)&1) * (i) << 8 * __builtin_popcount((byte) & ((1u << (i)) - 1)))
#define BIT_INDICES(byte)                                                                                              \
  (BIT_INDEX(byte, 1) | BIT_INDEX(byte, 2) | BIT_INDEX(byte, 3) | BIT_INDEX(byte, 4) | BIT_INDEX(byte, 5) |            \
   BIT_INDEX(byte, 6) | BIT_INDEX(byte, 7))
#define BIT_INDICES_4(byte) BIT_INDICES(byte), BIT_INDICES((byte) + 1), BIT_INDICES((byte) + 2), BIT_INDICES((byte) + 3)
#define BIT_INDICES_16(byte)                                                                                           \
  BIT_INDICES_4(byte), BIT_INDICES_4((byte) + 4), BIT_INDICES_4((byte) + 8), BIT_INDICES_4((byte) + 12)
#define BIT_INDICES_64(byte)                                                                                           \
  BIT_INDICES_16(byte), BIT_INDICES_16((byte) + 16), BIT_INDICES_16((byte) + 32), BIT_INDICES_16((byte) + 48)
static const uint64_t bit_indices[256] = {BIT_INDICES_64(0u), BIT_INDICES_64(64u), BIT_INDICES_64(128u),
                                          BIT_INDICES_64(192u)};

GRZ_TEMPLATE size_t expand_portable(uint32_t *out, size_t base, unsigned bits) {
  const uint64_t indices = bit_indices[bits & 0xff];
  for (int k = 0; k < 8; k++) out[k] = (uint32_t)base + (uint32_t)(indices >> 8 * k & 0xff);
  return (size_t)__builtin_popcount(bits & 0xff);
}

static size_t search_portable(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  const pair_simd simd = {grz_node_overlap, expand_portable};
  return search_chunk(b, chunk, pairs, capacity, simd);
}

#if defined(GRZ_SIMD_X86)

__attribute__((target("avx2"), always_inline)) static inline grz_node_hits
node_overlap_avx2(const grz_node *node, const grz_node *other, size_t child) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 gap[6];
  for (int k = 0; k < 6; k++) {
    const __m256 opposite = _mm256_broadcast_ss(&other->side[grz_opposite_side(k)][child]);
    gap[k] = _mm256_add_ps(_mm256_loadu_ps(node->side[k]), opposite);
  }
  const __m256 x = _mm256_max_ps(gap[0], gap[3]), y = _mm256_max_ps(gap[1], gap[4]), z = _mm256_max_ps(gap[2], gap[5]);
  const __m256 largest = _mm256_max_ps(_mm256_max_ps(x, y), z);
  return (grz_node_hits){(unsigned)_mm256_movemask_ps(_mm256_cmp_ps(largest, zero, _CMP_LE_OQ)),
                         (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(largest, zero, _CMP_LT_OQ))};
}

__attribute__((target("avx2,popcnt"), always_inline)) static inline size_t expand_avx2(uint32_t *out, size_t base,
                                                                                       unsigned bits) {
  const __m256i indices = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bit_indices[bits & 0xff]));
  _mm256_storeu_si256((__m256i *)(void *)out, _mm256_add_epi32(_mm256_set1_epi32((int)base), indices));
  return (size_t)__builtin_popcount(bits & 0xff);
}

__attribute__((target("avx2,popcnt"))) static size_t search_avx2(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs,
                                                                 size_t capacity) {
  const pair_simd simd = {node_overlap_avx2, expand_avx2};
  return search_chunk(b, chunk, pairs, capacity, simd);
}

bool grz_bvh_width_supported(int width) {
  return width == 1 || (width == 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"));
}

grz_node_test *grz_node_test_select(void) { return grz_bvh_width_supported(8) ? node_overlap_avx2 : grz_node_overlap; }

#else

static size_t search_avx2(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  return search_portable(b, chunk, pairs, capacity);
}

bool grz_bvh_width_supported(int width) { return width == 1; }

grz_node_test *grz_node_test_select(void) { return grz_node_overlap; }

#endif

size_t grz_bvh_pairs_simd(int width, const grz_bvh *bvh, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  return width == 8 ? search_avx2(bvh, chunk, pairs, capacity) : search_portable(bvh, chunk, pairs, capacity);
}

size_t grz_bvh_pairs(const grz_bvh *bvh, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  return grz_bvh_pairs_simd(grz_bvh_width_supported(8) ? 8 : 1, bvh, chunk, pairs, capacity);
}
