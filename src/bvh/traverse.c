/* Overlap queries, casts and nearest searches of one box. Casts and nearest searches are best-first within each node
 * and depth-first over the levels. Nodes are tested in single precision, items in the caller's doubles. Source of the
 * slab test: Kay and Kajiya 1986. Margins and proofs: docs/theory/bvh.md, "Rays" and "Distances". */
#include "bvh/scene_tree.h"
#include "core/vec.h"

/* ---- Preparation of the tests of a box against the eight boxes of a node */

/* Returns a lower bound of sign·((x - centre)·scale + move) that stays below it when rounded to a float. */
static double slab_below(const grz_tree *tree, int axis, double x, double move, double sign) {
  const double at = (x - tree->centre[axis]) * tree->scale, sum = sign * (at + move);
  return sum - real_abs(sum) * 0x1p-22 - (real_abs(at) + real_abs(move)) * 0x1p-50 - 0x1p-120;
}

void grz_slab_make(grz_slab *slab, const grz_tree *tree, const graze_aabb *box, graze_vec displacement) {
  const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
  const double given[3] = {displacement.x, displacement.y, displacement.z};

  /* Scale the direction: its largest component is from 1 to 2, a normal number. */
  const int largest = real_exponent(vec_norm_inf(displacement)), exponent = largest < 1022 ? largest : 1022;
  const int both = exponent + real_exponent(tree->scale), half = both / 2;
  const double scale = real_power_of_two(-exponent);
  const double unit[3] = {displacement.x * scale, displacement.y * scale, displacement.z * scale};
  slab->per_time[0] = real_power_of_two(half), slab->per_time[1] = real_power_of_two(both - half);

  /* Shift the start to the time at which the box passes the centre of the frame along the fastest axis: floats are
   * finest there. */
  int fastest = 0;
  for (int k = 1; k < tree->dim; k++) fastest = real_abs(unit[k]) > real_abs(unit[fastest]) ? k : fastest;
  const double middle = low[fastest] / 2 + high[fastest] / 2;
  const double shift = (tree->centre[fastest] - middle) * tree->scale / unit[fastest];
  slab->shift = real_abs(shift) <= 0x1p100 ? shift : 0;
  slab->start = (float)(-slab->shift - real_abs(slab->shift) * 0x1p-22 - 0x1p-120);

  /* An axis is in use if its division is precise enough. Any other axis compares sides without arithmetic. */
  float side[6];
  grz_tree_round(tree, box, side);
  slab->count = 0, slab->limited = false;
  for (int k = 0; k < 6; k++) slab->limit[k] = FLT_MAX;
  for (int k = 0; k < tree->dim; k++) {
    const double to_min = slab_below(tree, k, high[k], slab->shift * unit[k], -1);
    const double to_max = slab_below(tree, k, low[k], slab->shift * unit[k], 1);
    if (real_abs(unit[k]) >= 0x1p-64 && real_abs(to_min) <= 0x1p119 && real_abs(to_max) <= 0x1p119) {
      const bool up = unit[k] > 0;
      slab->axis[slab->count++] = (grz_slab_axis){up ? k : k + 3, up ? k + 3 : k, (float)(up ? to_min : to_max),
                                                  (float)(up ? to_max : to_min), (float)(1 / real_abs(unit[k]))};
      continue;
    }
    slab->limited = true;
    if (given[k] <= 0) slab->limit[k] = -side[k + 3];
    if (given[k] >= 0) slab->limit[k + 3] = -side[k];
  }
}

float grz_slab_time(const grz_slab *slab, double t) {
  const double at = t * slab->per_time[0] * slab->per_time[1], sum = at - slab->shift;
  if (t >= DBL_MAX) return __builtin_inff();
  return (float)(sum + real_abs(sum) * 0x1p-22 + (real_abs(at) + real_abs(slab->shift)) * 0x1p-50 + 0x1p-120);
}

void grz_near_make(grz_near *near, const grz_tree *tree, const graze_aabb *box) {
  const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
  for (int k = 0; k < 3; k++) {
    const double from = (low[k] - tree->centre[k]) * tree->scale, to = (high[k] - tree->centre[k]) * tree->scale;
    const double down = from - real_abs(from) * 0x1p-21 - 0x1p-120, up = to + real_abs(to) * 0x1p-21 + 0x1p-120;
    near->low[k] = (float)real_max(real_min(down, (double)FLT_MAX), -(double)FLT_MAX);
    near->high[k] = (float)real_max(real_min(up, (double)FLT_MAX), -(double)FLT_MAX);
  }
  if (tree->dim == 2) near->low[2] = -1, near->high[2] = 1;
}

float grz_near_square(const grz_tree *tree, double distance) {
  const double scaled = distance * tree->scale, square = scaled * scaled * (1 + 0x1p-20) + 0x1p-120;
  if (distance < 0) return -1; /* ends the search: no bound is that small */
  return square < (double)FLT_MAX / 2 ? (float)square : __builtin_inff();
}

/* ---- The tests for each instruction set: slab_kernel.h */

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA
GRZ_TARGET_END

/* Return the fastest tests of this machine. */
static grz_slab_test *slab_select(void) { return __builtin_cpu_supports("avx2") ? grz_slab_avx2 : grz_slab_sse2; }
static grz_near_test *near_select(void) { return __builtin_cpu_supports("avx2") ? grz_near_avx2 : grz_near_sse2; }

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "bvh/slab_kernel.h"
#undef GRZ_ISA

static grz_slab_test *slab_select(void) { return grz_slab_neon; }
static grz_near_test *near_select(void) { return grz_near_neon; }

#else

static grz_slab_test *slab_select(void) { return grz_slab_portable; }
static grz_near_test *near_select(void) { return grz_near_portable; }

#endif

/* ---- Bounds of items */

/* A cast or a nearest search. */
typedef struct box_query {
  double low[3], high[3], displacement[3];
  bool is_cast;
  grz_slab slab; /* of a cast */
  grz_slab_test *slab_test;
  grz_near near; /* of a nearest search */
  grz_near_test *near_test;
} box_query;

/* Returns a lower bound of the s at which the moving box touches the box; infinite if it never does. Rounding only
 * widens the intervals: the signs of differences are exact, and a quotient is off by less than 2^-51 of itself or the
 * least double. */
static double cast_bound(const box_query *q, const double box_low[3], const double box_high[3]) {
  double from = 0, to = __builtin_inf();
  for (int k = 0; k < 3; k++) {
    const double speed = q->displacement[k], low = box_low[k], high = box_high[k];
    if (speed == 0) {
      to = low <= q->high[k] && q->low[k] <= high ? to : -1;
      continue;
    }
    const double to_low = low - q->high[k], to_high = high - q->low[k];
    const double enter = (speed > 0 ? to_low : to_high) / speed * (1 - 0x1p-50) - 0x1p-1070;
    const double leave = (speed > 0 ? to_high : to_low) / speed * (1 + 0x1p-50) + 0x1p-1070;
    from = real_max(from, real_min(enter, DBL_MAX));
    to = real_min(to, leave);
  }
  return from <= to ? from : __builtin_inf();
}

/* Returns a lower bound of the distance between the query box and the box. A factor 2^600 keeps tiny squares from
 * underflowing. */
static double distance_bound(const box_query *q, const double box_low[3], const double box_high[3]) {
  double gap[3];
  for (int k = 0; k < 3; k++) gap[k] = real_max(real_max(box_low[k] - q->high[k], q->low[k] - box_high[k]), 0);
  const bool is_tiny = real_max(real_max(gap[0], gap[1]), gap[2]) < 0x1p-400;
  const double scale = is_tiny ? 0x1p600 : 1, back = is_tiny ? 0x1p-600 : 1;
  const double length = vec_length(vec_make(gap[0] * scale, gap[1] * scale, gap[2] * scale));
  return real_max(length * (1 - 0x1p-50) * back - 0x1p-1074, 0);
}

static double item_bound(const box_query *q, const graze_aabb *box) {
  const double low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
  return q->is_cast ? cast_bound(q, low, high) : distance_bound(q, low, high);
}

/* ---- Searches */

/* An open node, its children that are still to be visited, and their bounds. */
typedef struct open_node {
  size_t node;
  unsigned left;
  float bound[8];
} open_node;

static void node_open(const grz_tree *tree, const box_query *q, int level, size_t index, float end, open_node *open) {
  const grz_node *node = &tree->level[level][index];
  open->node = index;
  open->left =
      q->is_cast ? q->slab_test(&q->slab, node, end, open->bound) : q->near_test(&q->near, node, end, open->bound);
}

/* Removes the child with the least bound and returns it. */
static unsigned node_next(open_node *open) {
  unsigned next = grz_first_bit(open->left);
  for (unsigned left = open->left; left; left &= left - 1) {
    const unsigned child = grz_first_bit(left);
    if (open->bound[child] < open->bound[next]) next = child;
  }
  open->left &= ~(1u << next);
  return next;
}

/* Converts the end of the query to the unit of the nodes' bounds. */
static float node_end_of(const grz_tree *tree, const box_query *q, double end) {
  return q->is_cast ? grz_slab_time(&q->slab, end) : grz_near_square(tree, end);
}

/* Descends from the root, nearest child first, with one open node per level. visit() returns the new end. */
static void search_best_first(const grz_tree *tree, const box_query *q, double end,
                              double (*visit)(void *context, uint32_t item, double end), void *context) {
  open_node open[GRZ_TREE_LEVELS];
  int level = tree->levels - 1;
  end = real_min(end, DBL_MAX);
  float node_end = node_end_of(tree, q, end);
  node_open(tree, q, level, 0, node_end, &open[level]);
  while (level < tree->levels) {
    open_node *here = &open[level];
    const unsigned child = here->left ? node_next(here) : 8;
    if (child == 8 || here->bound[child] > node_end) {
      level++;
    } else if (level > 0) {
      node_open(tree, q, level - 1, 8 * here->node + child, node_end, &open[level - 1]);
      level--;
    } else {
      end = real_min(visit(context, tree->item[8 * here->node + child], end), DBL_MAX);
      node_end = node_end_of(tree, q, end);
    }
  }
}

static void query_make(box_query *q, const graze_aabb *box, graze_vec displacement) {
  q->low[0] = box->min.x, q->low[1] = box->min.y, q->low[2] = box->min.z;
  q->high[0] = box->max.x, q->high[1] = box->max.y, q->high[2] = box->max.z;
  q->displacement[0] = displacement.x, q->displacement[1] = displacement.y, q->displacement[2] = displacement.z;
}

/* A search in a tree that changes: an item is visited if its bound, in doubles, is within the end. */
typedef struct item_query {
  const grz_bvh *bvh;
  const box_query *query;
  double (*visit)(void *context, size_t item, double bound);
  void *context;
} item_query;

static double item_visit(void *context, uint32_t item, double end) {
  const item_query *q = context;
  const double bound = item_bound(q->query, &q->bvh->box[item]);
  return bound <= end ? q->visit(q->context, item, bound) : end;
}

void grz_tree_cast(const grz_tree *tree, const graze_aabb *box, graze_vec displacement, double end,
                   double (*visit)(void *context, uint32_t item, double end), void *context) {
  box_query query = {.is_cast = true, .slab_test = slab_select()};
  query_make(&query, box, displacement);
  grz_slab_make(&query.slab, tree, box, displacement);
  search_best_first(tree, &query, end, visit, context);
}

void grz_bvh_cast(const grz_bvh *bvh, const graze_aabb *box, graze_vec displacement, double end,
                  double (*visit)(void *context, size_t item, double s), void *context) {
  box_query query = {.is_cast = true, .slab_test = slab_select()};
  item_query items = {bvh, &query, visit, context};
  if (bvh->count == 0) return;
  query_make(&query, box, displacement);
  grz_slab_make(&query.slab, &bvh->tree, box, displacement);
  search_best_first(&bvh->tree, &query, end, item_visit, &items);
}

void grz_bvh_nearest(const grz_bvh *bvh, const graze_aabb *box, double within,
                     double (*visit)(void *context, size_t item, double distance), void *context) {
  box_query query = {.is_cast = false, .near_test = near_select()};
  item_query items = {bvh, &query, visit, context};
  if (bvh->count == 0) return;
  query_make(&query, box, vec_make(0, 0, 0));
  grz_near_make(&query.near, &bvh->tree, box);
  search_best_first(&bvh->tree, &query, within, item_visit, &items);
}

void grz_tree_overlap(const grz_tree *tree, const graze_aabb *box, bool (*visit)(void *context, uint32_t item),
                      void *context) {
  struct {
    size_t node;
    unsigned left; /* children that are still to be visited */
  } open[GRZ_TREE_LEVELS];
  grz_node_test *test = grz_node_test_select();
  float side[6];
  grz_node query; /* only child 0 is set */
  int level = tree->levels - 1;
  grz_tree_round(tree, box, side);
  grz_node_write(&query, 0, side);
  open[level].node = 0, open[level].left = test(&tree->level[level][0], &query, 0).overlap;
  while (level < tree->levels) {
    if (!open[level].left) {
      level++;
      continue;
    }
    const size_t below = 8 * open[level].node + grz_first_bit(open[level].left);
    open[level].left &= open[level].left - 1;
    if (level > 0) {
      level--;
      open[level].node = below, open[level].left = test(&tree->level[level][below], &query, 0).overlap;
    } else if (!visit(context, tree->item[below])) {
      return;
    }
  }
}

/* An overlap query of a tree that changes: doubles decide where floats do not. */
typedef struct overlap_query {
  const grz_bvh *bvh;
  const graze_aabb *box;
  bool (*visit)(void *context, size_t item);
  void *context;
} overlap_query;

static bool overlap_visit(void *context, uint32_t item) {
  const overlap_query *q = context;
  return !grz_aabb_overlap(q->box, &q->bvh->box[item]) || q->visit(q->context, item);
}

void grz_bvh_overlap(const grz_bvh *bvh, const graze_aabb *box, bool (*visit)(void *context, size_t item),
                     void *context) {
  overlap_query query = {bvh, box, visit, context};
  if (bvh->count > 0) grz_tree_overlap(&bvh->tree, box, overlap_visit, &query);
}
