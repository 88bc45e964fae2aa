/* Pairs whose boxes meet. A chunk is the 64 groups below one node of level 2, as far as they may move; its search goes
 * down the tree for all of them at once, then for each 8, then for each group.
 *
 * What is found on the way goes into short lists, stage by stage: nodes, groups, rows (an item of the group and another
 * group), hits (two items). Bits become entries without a branch, since nobody can predict them. */
#include "bvh/pairs.h"

enum {
  PAIRS_LIST = 256,                       /* entries that wait at once: more come in turn */
  PAIRS_STACK = 8 * GRZ_BROAD_LEVELS + 8, /* a node is opened before those that wait beside it */
  PAIRS_SPARSE = 8,                       /* as many times more rests than moves: few items move, far apart */
};

typedef struct broad_list {
  uint32_t at[PAIRS_LIST + 8];
  size_t count;
} broad_list;

typedef struct broad_search {
  const grz_bvh *broad;
  grz_bvh_pair *pairs;
  size_t capacity, count;
  size_t group;                  /* the one that is searched for */
  broad_list groups, rows, hits; /* a row: 8·other group + item of this; a hit: 8·entry of rows + item of the other */
  uint8_t sure[PAIRS_LIST + 8];  /* by entry of rows: items of the other of which floats decide that they are met */
} broad_search;

/* The numbers of the bits, and `base`, at `out`, where there is room for eight; returns how many. */
typedef size_t broad_spread(uint32_t *out, size_t base, unsigned bits);

/* How a machine does it. */
typedef struct broad_way {
  grz_eight_test *test;
  broad_spread *spread;
} broad_way;

/* Returns the end of the list: where it is kept in memory each entry waits for the one before. */
GRZ_TEMPLATE size_t broad_note(broad_list *list, size_t end, size_t base, unsigned bits, const broad_way way) {
  return end + way.spread(list->at + end, base, bits);
}

GRZ_TEMPLATE bool broad_is_full(size_t end) { return end > PAIRS_LIST; }

/* Lanes of node `at` of a level that must be seen. Those that move and stand before `own`, which is one of the lanes'
 * level, have seen it already. */
GRZ_TEMPLATE unsigned broad_ahead(const grz_bvh *b, int level, size_t at, size_t own) {
  size_t moving = (b->resting / 8 + ((size_t)1 << 3 * (level - 1)) - 1) >> 3 * (level - 1), first = 8 * at;
  if (own <= first || moving >= own) return 0xff;
  unsigned from = moving > first ? (unsigned)(moving - first) : 0;
  unsigned to = own - first < 8 ? (unsigned)(own - first) : 8;
  return from < to ? 0xffu & ~((1u << to) - (1u << from)) : 0xff;
}

/* What no pair of equal numbers leaves open is sure; the rest is up to the doubles. */
static inline void broad_hit(broad_search *s, size_t place, size_t other, bool sure) {
  const grz_bvh *b = s->broad;
  const uint32_t p = b->item[place], q = b->item[other];
  if (!sure && !grz_aabb_overlap(&b->box[p], &b->box[q])) return;
  if (s->count < s->capacity) s->pairs[s->count] = (grz_bvh_pair){p < q ? p : q, p < q ? q : p};
  s->count++;
}

static void broad_take_hits(broad_search *s) {
  for (size_t i = 0; i < s->hits.count; i++) {
    const uint32_t entry = s->hits.at[i] / 8, column = s->hits.at[i] % 8, row = s->rows.at[entry];
    broad_hit(s, 8 * s->group + row % 8, row / 8 * 8 + column, s->sure[entry] >> column & 1);
  }
  s->hits.count = 0;
}

GRZ_TEMPLATE void broad_take_rows(broad_search *s, const broad_way way) {
  const grz_bvh *b = s->broad;
  const grz_eight *own = &b->level[0][s->group];
  unsigned moving = b->moving[s->group];
  size_t end = 0;
  for (size_t i = 0, n = s->rows.count; i <= n; i++) {
    if (i == n || broad_is_full(end)) s->hits.count = end, broad_take_hits(s), end = 0;
    if (i == n) break;
    uint32_t other = s->rows.at[i] / 8, row = s->rows.at[i] % 8;
    grz_eight_met seen = way.test(&b->level[0][other], own, row);
    unsigned met = seen.met & ((0u - (moving >> row & 1)) | b->moving[other]);
    met &= other == s->group ? ~1u << row : ~0u;
    s->sure[i] = (uint8_t)seen.sure;
    end = broad_note(&s->hits, end, 8 * i, met, way);
  }
  s->rows.count = 0;
}

GRZ_TEMPLATE void broad_take_groups(broad_search *s, const broad_way way) {
  const grz_bvh *b = s->broad;
  const grz_eight *own = &b->level[0][s->group];
  size_t end = 0;
  for (size_t i = 0, n = s->groups.count; i <= n; i++) {
    if (i == n || broad_is_full(end)) s->rows.count = end, broad_take_rows(s, way), end = 0;
    if (i == n) break;
    size_t other = s->groups.at[i];
    end = broad_note(&s->rows, end, 8 * other, way.test(own, &b->level[1][other / 8], other % 8).met, way);
  }
  s->groups.count = 0;
}

/* A group, and the groups below nodes of level 1. */
GRZ_TEMPLATE void broad_group(broad_search *s, const broad_list *nodes, const broad_way way) {
  const grz_bvh *b = s->broad;
  const grz_eight *own = &b->level[1][s->group / 8];
  size_t end = 0;
  for (size_t i = 0, n = nodes->count; i <= n; i++) {
    if (i == n || broad_is_full(end)) s->groups.count = end, broad_take_groups(s, way), end = 0;
    if (i == n) break;
    size_t node = nodes->at[i];
    unsigned met = way.test(&b->level[1][node], own, s->group % 8).met;
    const size_t from = end;
    end = broad_note(&s->groups, end, 8 * node, met & broad_ahead(b, 1, node, s->group), way);
    for (size_t k = from; k < end; k++) grz_eight_fetch(&b->level[0][s->groups.at[k]]);
  }
}

/* All groups below a node of level 1, and those below others. */
GRZ_TEMPLATE void broad_groups(broad_search *s, size_t own, const broad_list *nodes, const broad_way way) {
  const grz_bvh *b = s->broad;
  size_t end = (b->used + 7) / 8;
  for (s->group = 8 * own; s->group < 8 * own + 8 && s->group < end; s->group++) {
    if (s->group >= b->resting / 8) broad_group(s, nodes, way);
  }
}

/* All nodes below a node of level 2, and those below others. */
GRZ_TEMPLATE void broad_nodes(broad_search *s, size_t own, const broad_list *nodes, const broad_way way) {
  const grz_bvh *b = s->broad;
  broad_list below;
  for (size_t node = 8 * own; node < 8 * own + 8; node++) {
    size_t end = 0;
    if (64 * node >= b->used || 64 * node + 64 <= b->resting) continue;
    for (size_t i = 0, n = nodes->count; i <= n; i++) {
      if (i == n || broad_is_full(end)) below.count = end, broad_groups(s, node, &below, way), end = 0;
      if (i == n) break;
      unsigned met = way.test(&b->level[2][nodes->at[i]], &b->level[2][own], node % 8).met;
      met &= broad_ahead(b, 2, nodes->at[i], node);
      end = broad_note(&below, end, 8 * (size_t)nodes->at[i], met, way);
    }
  }
}

/* Nodes of one level wait above those of the next. */
typedef struct broad_stack {
  struct {
    uint32_t node;
    int level;
  } waiting[PAIRS_STACK];
  int count;
} broad_stack;

GRZ_TEMPLATE void broad_push(broad_stack *stack, int level, size_t node) {
  stack->waiting[stack->count].level = level;
  stack->waiting[stack->count++].node = (uint32_t)node;
}

/* From the root down to level 2, for the box of the chunk. */
GRZ_TEMPLATE void broad_dense(broad_search *s, size_t own, const broad_way way) {
  const grz_bvh *b = s->broad;
  broad_stack stack = {.count = 0};
  broad_list nodes;
  nodes.count = 0;
  broad_push(&stack, b->levels - 1, 0);
  for (;;) {
    if (stack.count == 0 || broad_is_full(nodes.count)) broad_nodes(s, own, &nodes, way), nodes.count = 0;
    if (stack.count == 0) break;
    int level = stack.waiting[--stack.count].level;
    size_t node = stack.waiting[stack.count].node;
    unsigned met = way.test(&b->level[level][node], &b->level[3][own / 8], own % 8).met;
    met &= broad_ahead(b, level, node, own >> 3 * (level - 3));
    if (level == 3) nodes.count = broad_note(&nodes, nodes.count, 8 * node, met, way);
    for (; level > 3 && met; met &= met - 1) broad_push(&stack, level - 1, 8 * node + grz_bit_first(met));
  }
}

/* From the root down for one group, but only where one of its items goes. */
GRZ_TEMPLATE void broad_sparse(broad_search *s, const broad_way way) {
  const grz_bvh *b = s->broad;
  const grz_eight *own = &b->level[0][s->group];
  broad_stack stack = {.count = 0};
  broad_push(&stack, b->levels - 1, 0);
  for (;;) {
    if (stack.count == 0 || s->rows.count > PAIRS_LIST - 64) broad_take_rows(s, way);
    if (stack.count == 0) break;
    int level = stack.waiting[--stack.count].level;
    size_t node = stack.waiting[stack.count].node;
    const grz_eight *eight = &b->level[level][node];
    unsigned met = way.test(eight, &b->level[1][s->group / 8], s->group % 8).met;
    met &= broad_ahead(b, level, node, s->group >> 3 * (level - 1));
    for (; met; met &= met - 1) {
      size_t below = 8 * node + grz_bit_first(met);
      unsigned rows = way.test(own, eight, below % 8).met;
      if (level == 1) {
        s->rows.count = broad_note(&s->rows, s->rows.count, 8 * below, rows, way);
      } else if (rows) {
        broad_push(&stack, level - 1, below);
      }
    }
  }
}

/* Few places: each that moves with all that rest or come later, a bit for each. */
GRZ_TEMPLATE void broad_small(broad_search *s, const broad_way way) {
  const grz_bvh *b = s->broad;
  const uint64_t resting = ((uint64_t)1 << b->resting) - 1; /* fewer than 64, as some move */
  uint64_t moving = 0;
  for (size_t group = 0; 8 * group < b->used; group++) moving |= (uint64_t)b->moving[group] << 8 * group;
  for (size_t place = b->resting; place < b->used; place++) {
    uint64_t met = 0, sure = 0;
    for (size_t other = b->resting > 0 ? 0 : place / 8; 8 * other < b->used; other++) {
      const grz_eight_met seen = way.test(&b->level[0][other], &b->level[0][place / 8], place % 8);
      met |= (uint64_t)seen.met << 8 * other, sure |= (uint64_t)seen.sure << 8 * other;
    }
    met &= (resting | ~(uint64_t)1 << place) & (moving >> place & 1 ? UINT64_MAX : moving);
    for (; met != 0; met &= met - 1) {
      const size_t other = grz_bit_first64(met);
      broad_hit(s, place, other, sure >> other & 1);
    }
  }
}

GRZ_TEMPLATE size_t broad_run(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs, size_t capacity,
                              const broad_way way) {
  broad_search s;
  size_t own = b->resting / 512 + chunk, end = (b->used + 7) / 8;
  s.broad = b, s.pairs = pairs, s.capacity = capacity, s.count = 0;
  s.groups.count = s.rows.count = s.hits.count = 0;
  if (b->used <= GRZ_BROAD_SMALL) {
    broad_small(&s, way);
    return s.count;
  }
  if (b->used - b->resting > b->resting / PAIRS_SPARSE) {
    broad_dense(&s, own, way);
    return s.count;
  }
  for (s.group = 64 * own; s.group < 64 * own + 64 && s.group < end; s.group++) {
    if (s.group >= b->resting / 8) broad_sparse(&s, way);
  }
  return s.count;
}

size_t grz_bvh_chunk_count(const grz_bvh *broad) {
  return broad->used == broad->resting ? 0 : (broad->used + 511) / 512 - broad->resting / 512;
}

/* The numbers of the bits in a byte, lowest first, a byte each. */
#define BROAD_NUMBER(byte, i) ((uint64_t)((byte) >> (i)&1) * (i) << 8 * __builtin_popcount((byte) & ((1u << (i)) - 1)))
#define BROAD_NUMBERS(byte)                                                                                            \
  (BROAD_NUMBER(byte, 1) | BROAD_NUMBER(byte, 2) | BROAD_NUMBER(byte, 3) | BROAD_NUMBER(byte, 4) |                     \
   BROAD_NUMBER(byte, 5) | BROAD_NUMBER(byte, 6) | BROAD_NUMBER(byte, 7))
#define BROAD_FOUR(byte)                                                                                               \
  BROAD_NUMBERS(byte), BROAD_NUMBERS((byte) + 1), BROAD_NUMBERS((byte) + 2), BROAD_NUMBERS((byte) + 3)
#define BROAD_SIXTEEN(byte) BROAD_FOUR(byte), BROAD_FOUR((byte) + 4), BROAD_FOUR((byte) + 8), BROAD_FOUR((byte) + 12)
#define BROAD_64(byte)                                                                                                 \
  BROAD_SIXTEEN(byte), BROAD_SIXTEEN((byte) + 16), BROAD_SIXTEEN((byte) + 32), BROAD_SIXTEEN((byte) + 48)
static const uint64_t broad_numbers[256] = {BROAD_64(0u), BROAD_64(64u), BROAD_64(128u), BROAD_64(192u)};

GRZ_TEMPLATE size_t broad_spread_portable(uint32_t *out, size_t base, unsigned bits) {
  const uint64_t numbers = broad_numbers[bits & 0xff];
  for (int k = 0; k < 8; k++) out[k] = (uint32_t)base + (uint32_t)(numbers >> 8 * k & 0xff);
  return (size_t)__builtin_popcount(bits & 0xff);
}

static size_t broad_run1(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  const broad_way way = {grz_eight_meet, broad_spread_portable};
  return broad_run(b, chunk, pairs, capacity, way);
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(GRAZE_NO_SIMD)
#include <immintrin.h>

__attribute__((target("avx2"), always_inline)) static inline grz_eight_met
broad_test8(const grz_eight *eight, const grz_eight *other, size_t lane) {
  const __m256 none = _mm256_setzero_ps();
  __m256 gap[6];
  for (int k = 0; k < 6; k++) {
    const __m256 across = _mm256_broadcast_ss(&other->side[grz_eight_across(k)][lane]);
    gap[k] = _mm256_add_ps(_mm256_loadu_ps(eight->side[k]), across);
  }
  const __m256 x = _mm256_max_ps(gap[0], gap[3]), y = _mm256_max_ps(gap[1], gap[4]), z = _mm256_max_ps(gap[2], gap[5]);
  const __m256 most = _mm256_max_ps(_mm256_max_ps(x, y), z);
  return (grz_eight_met){(unsigned)_mm256_movemask_ps(_mm256_cmp_ps(most, none, _CMP_LE_OQ)),
                         (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(most, none, _CMP_LT_OQ))};
}

__attribute__((target("avx2,popcnt"), always_inline)) static inline size_t broad_spread8(uint32_t *out, size_t base,
                                                                                         unsigned bits) {
  const __m256i numbers = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)broad_numbers[bits & 0xff]));
  _mm256_storeu_si256((__m256i *)(void *)out, _mm256_add_epi32(_mm256_set1_epi32((int)base), numbers));
  return (size_t)__builtin_popcount(bits & 0xff);
}

__attribute__((target("avx2,popcnt"))) static size_t broad_run8(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs,
                                                                size_t capacity) {
  const broad_way way = {broad_test8, broad_spread8};
  return broad_run(b, chunk, pairs, capacity, way);
}

bool grz_broad_lanes_supported(int lanes) {
  return lanes == 1 || (lanes == 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"));
}

grz_eight_test *grz_broad_test(void) { return grz_broad_lanes_supported(8) ? broad_test8 : grz_eight_meet; }

#else

static size_t broad_run8(const grz_bvh *b, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  return broad_run1(b, chunk, pairs, capacity);
}

bool grz_broad_lanes_supported(int lanes) { return lanes == 1; }

grz_eight_test *grz_broad_test(void) { return grz_eight_meet; }

#endif

size_t grz_broad_pairs_lanes(int lanes, const grz_bvh *broad, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  return lanes == 8 ? broad_run8(broad, chunk, pairs, capacity) : broad_run1(broad, chunk, pairs, capacity);
}

size_t grz_bvh_pairs(const grz_bvh *broad, size_t chunk, grz_bvh_pair *pairs, size_t capacity) {
  return grz_broad_pairs_lanes(grz_broad_lanes_supported(8) ? 8 : 1, broad, chunk, pairs, capacity);
}
