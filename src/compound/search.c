/* The search for pairs of parts: bounds of the query shape, and a depth-first search through both trees, nearest first.
 * A stack of fixed size holds pairs of boxes with lower bounds of the signed distance of their contents. Boxes are
 * compared in floats, eight at once. */
#include "compound/compound.h"

#include "core/vec.h"
#include "shape/placed.h"
#include "shape/support.h"

/* ---- Bounds of the query shape */

/* Rounding errors, relative to both sizes and the distance: docs/theory/compounds.md, "Bounds". */
#define QUERY_SHAPE_ERROR (1024 * GRZ_U)

double grz_query_shape_size(const graze_placed *placed) {
  const graze_compound *compound = placed->shape.kind == GRAZE_COMPOUND ? placed->shape.as.compound : NULL;
  return placed->hidden.bounding_radius + placed->hidden.radius + (compound != NULL ? compound->radius : 0);
}

/* Sets the rows of R(target)^T R(query), and the bounds of all parts. */
static void query_shape_set_rotation(grz_query_shape *g, const graze_placed *target, const graze_placed *placed) {
  const graze_aabb *bounds = grz_bounds_of_parts(&placed->shape);
  double size[9];
  for (int k = 0; k < 3; k++) {
    graze_vec row = vec_unrotate(placed->hidden.rotation, vec_column(target->hidden.rotation, k), 3);
    g->turn[3 * k] = row.x, g->turn[3 * k + 1] = row.y, g->turn[3 * k + 2] = row.z;
  }
  for (int i = 0; i < 9; i++) size[i] = real_abs(g->turn[i]);
  const graze_vec centre = vec_scale(vec_add(bounds->min, bounds->max), 0.5);
  const graze_vec half = vec_scale(vec_sub(bounds->max, bounds->min), 0.5);
  const graze_vec at = vec_add(vec_rotate(g->turn, centre, g->dim), g->shift), out = vec_rotate(size, half, g->dim);
  g->box = (graze_aabb){vec_sub(at, out), vec_add(at, out)};
}

/* The support value of a convex query shape in a unit world direction, relative to its own origin. */
static double query_shape_support(const graze_placed *placed, graze_vec d) {
  const int dim = placed->shape.dim;
  double slack = 0;
  grz_core_point support = grz_support_local(&placed->shape, vec_unrotate(placed->hidden.rotation, d, dim), &slack);
  return (vec_dot(d, vec_rotate(placed->hidden.rotation, support.local, dim)) + placed->hidden.radius) + 2 * slack;
}

static void query_shape_set_box(grz_query_shape *g, const graze_placed *target, const graze_placed *placed) {
  const double at[3] = {g->shift.x, g->shift.y, g->shift.z};
  double min[3] = {0, 0, 0}, max[3] = {0, 0, 0};
  for (int k = 0; k < g->dim; k++) {
    graze_vec axis = vec_column(target->hidden.rotation, k);
    max[k] = at[k] + query_shape_support(placed, axis);
    min[k] = at[k] - query_shape_support(placed, vec_neg(axis));
  }
  g->box.min = vec_make(min[0], min[1], min[2]);
  g->box.max = vec_make(max[0], max[1], max[2]);
}

static void query_shape_set_halfspace(grz_query_shape *g, const graze_placed *target, const graze_placed *placed) {
  graze_vec n = vec_unit_inf(placed->shape.as.halfspace.normal);
  graze_vec world = vec_rotate(placed->hidden.rotation, vec_scale(n, 1 / vec_length(n)), g->dim);
  g->plane = true;
  g->normal = vec_unrotate(target->hidden.rotation, world, g->dim);
  g->height = (vec_dot(g->normal, g->shift) + placed->shape.as.halfspace.offset) + placed->hidden.radius;
}

void grz_query_shape_make(grz_query_shape *g, const graze_placed *target, const graze_placed *placed,
                          double clearance) {
  graze_vec offset = placed_from(placed, target->pose.position);
  const bool has_parts = grz_has_parts(&placed->shape);
  g->dim = target->shape.dim;
  g->tree = has_parts ? grz_tree_of(&placed->shape) : NULL;
  g->plane = false;
  g->box = (graze_aabb){{0, 0, 0}, {0, 0, 0}};
  g->sweep = vec_make(0, 0, 0);
  g->less = target->shape.margin + (has_parts ? placed->shape.margin : 0) + clearance;
  double size = grz_query_shape_size(target) + grz_query_shape_size(placed) + clearance + vec_length_up(offset);
  if (placed_is_part(placed)) size += vec_length_up(grz_placed_shift(placed));
  if (placed->shape.kind == GRAZE_HALFSPACE) size += real_abs(placed->shape.as.halfspace.offset);
  g->error = QUERY_SHAPE_ERROR * size + 0x1p-1060;
  g->shift = vec_unrotate(target->hidden.rotation, offset, g->dim);
  if (has_parts)
    query_shape_set_rotation(g, target, placed);
  else if (placed->shape.kind == GRAZE_HALFSPACE)
    query_shape_set_halfspace(g, target, placed);
  else
    query_shape_set_box(g, target, placed);
}

void grz_query_shape_sweep(grz_query_shape *g, const graze_placed *target, graze_vec displacement) {
  g->sweep = vec_unrotate(target->hidden.rotation, displacement, g->dim);
  g->error += QUERY_SHAPE_ERROR * vec_length_up(displacement);
}

graze_aabb grz_query_shape_box(const grz_query_shape *g) {
  const graze_aabb *box = &g->box;
  return (graze_aabb){vec_min(box->min, vec_add(box->min, g->sweep)), vec_max(box->max, vec_add(box->max, g->sweep))};
}

/* The distance of the boxes if they are disjoint, otherwise the largest (negative) gap along an axis. Both are lower
 * bounds of the signed distance of the contents. */
static double query_shape_box_gap(const graze_aabb *p, const graze_aabb *q, int dim) {
  double x = real_max(q->min.x - p->max.x, p->min.x - q->max.x);
  double y = real_max(q->min.y - p->max.y, p->min.y - q->max.y);
  double z = dim == 2 ? -__builtin_inf() : real_max(q->min.z - p->max.z, p->min.z - q->max.z);
  double most = real_max(real_max(x, y), z);
  if (!(most > 0x1p-500)) return most; /* squares might underflow */
  return vec_length(vec_make(real_max(x, 0), real_max(y, 0), real_max(z, 0)));
}

/* The lowest height of a box above the half-space. */
static double query_shape_height(const grz_query_shape *g, const graze_aabb *box) {
  graze_vec n = g->normal;
  double x = real_min(n.x * box->min.x, n.x * box->max.x), y = real_min(n.y * box->min.y, n.y * box->max.y);
  double z = real_min(n.z * box->min.z, n.z * box->max.z);
  return ((x + y) + z) - (g->height + real_max(vec_dot(n, g->sweep), 0));
}

double grz_query_shape_bound(const grz_query_shape *g, const graze_aabb *target, const graze_aabb *box) {
  double gap = g->plane ? query_shape_height(g, target) : query_shape_box_gap(target, box, g->dim);
  return (gap - g->less) - g->error;
}

/* ---- Bounds in floats
 *
 * Boxes are in the unit and frame of the target's tree: there, the target is inside [-2, 2]. In general the bound of
 * two boxes is their gap. If the query shape is much farther away than both sizes, floats do not resolve that gap;
 * then, and for a half-space, the bound is the gap along one axis, relative to a double. */

typedef struct search_frame {
  int dim;
  const grz_tree *target, *query;       /* query NULL: a convex shape */
  float turn[9], turn_abs[9], shift[3]; /* from the frame of the query's tree to that of the target's */
  float sweep_low[3], sweep_high[3];
  float error; /* an upper bound of all rounding errors of a coordinate */
  float target_root[6], query_root[6];
  float query_box[6]; /* a convex query shape */
  bool by_axis;
  double base; /* the gap along the axis is base - extent of target - extent of query */
  float target_axis[3], query_axis[3];
  double unit; /* of the frame of the target, in world coordinates */
  double less; /* subtracted from every distance, in world coordinates */
} search_frame;

/* A function of gap_kernel.h for one instruction set. */
typedef struct search_kernel {
  void (*turn_node)(const search_frame *f, const grz_node *node, grz_node *out);
  unsigned (*box)(const search_frame *f, const grz_node *node, const float box[6], float limit, float key[8]);
  unsigned (*extents)(const search_frame *f, const float axis[3], const grz_node *node, float extent[8]);
} search_kernel;

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_sse2 = {gap_turn_node_sse2, gap_box_sse2, gap_extents_sse2};

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
GRZ_TARGET_END
static const search_kernel kernel_avx2 = {gap_turn_node_avx2, gap_box_avx2, gap_extents_avx2};

static const search_kernel *kernel_select(void) { return __builtin_cpu_supports("avx2") ? &kernel_avx2 : &kernel_sse2; }

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_neon = {gap_turn_node_neon, gap_box_neon, gap_extents_neon};

static const search_kernel *kernel_select(void) { return &kernel_neon; }

#else

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_portable = {gap_turn_node_portable, gap_box_portable, gap_extents_portable};

static const search_kernel *kernel_select(void) { return &kernel_portable; }

#endif

/* Errors of coordinates, in units of the largest coordinate: 16 roundings to float, and as much again. */
#define SEARCH_ERROR 0x1p-19

/* Boxes whose sizes differ by a larger factor are not opened together. */
#define SEARCH_RATIO 4

/* Beyond this distance, in sizes of both bodies, bounds are gaps along one axis. */
#define SEARCH_FAR 64

static void search_axis_set(float axis[3], graze_vec v) {
  axis[0] = (float)v.x, axis[1] = (float)v.y, axis[2] = (float)v.z;
}

static void search_frame_make(search_frame *f, const grz_tree *target, const grz_query_shape *g) {
  const double scale = target->scale, ratio = g->tree != NULL ? scale / g->tree->scale : 0;
  const graze_vec centre = vec_make(target->centre[0], target->centre[1], target->centre[2]);
  const graze_vec sweep = vec_scale(g->sweep, scale);
  const graze_aabb moved = grz_query_shape_box(g);
  f->dim = g->dim;
  f->target = target, f->query = g->tree;
  f->unit = 1 / scale;
  f->less = g->less + g->error;
  grz_node_union(&target->level[target->levels - 1][0], f->target_root);
  if (g->tree != NULL) grz_node_union(&g->tree->level[g->tree->levels - 1][0], f->query_root);

  /* The frame of the query's tree. */
  graze_vec shift = {0, 0, 0};
  if (g->tree != NULL) {
    const graze_vec own = vec_make(g->tree->centre[0], g->tree->centre[1], g->tree->centre[2]);
    shift = vec_scale(vec_sub(vec_add(vec_rotate(g->turn, own, g->dim), g->shift), centre), scale);
  }

  /* Along an axis: the vector between the boxes of both bodies, or the normal of the half-space. */
  const graze_vec low = vec_scale(vec_sub(moved.min, centre), scale),
                  high = vec_scale(vec_sub(moved.max, centre), scale);
  const graze_vec gap = vec_make(low.x > 0    ? low.x
                                 : high.x < 0 ? high.x
                                              : 0,
                                 low.y > 0    ? low.y
                                 : high.y < 0 ? high.y
                                              : 0,
                                 low.z > 0    ? low.z
                                 : high.z < 0 ? high.z
                                              : 0);
  const graze_vec edges = vec_sub(high, low);
  const double size = 2 + vec_norm_inf(edges);
  f->by_axis = g->plane || vec_norm_inf(gap) > SEARCH_FAR * size;
  if (f->by_axis) {
    const graze_vec axis = g->plane ? vec_neg(g->normal) : vec_scale(vec_unit(vec_unit_inf(gap)), 1 - 0x1p-20);
    f->error = (float)(SEARCH_ERROR * (2 + 4 * ratio));
    search_axis_set(f->target_axis, axis);
    if (g->plane) {
      f->base = scale * (vec_dot(vec_neg(axis), centre) - (g->height + real_max(vec_dot(g->normal, g->sweep), 0)));
    } else if (g->tree != NULL) {
      search_axis_set(f->query_axis, vec_scale(vec_unrotate(g->turn, axis, g->dim), -ratio));
      f->base = vec_dot(axis, shift) + real_min(vec_dot(axis, sweep), 0);
    } else {
      f->base = vec_dot(
          axis, vec_make(axis.x > 0 ? low.x : high.x, axis.y > 0 ? low.y : high.y, axis.z > 0 ? low.z : high.z));
    }
    return;
  }
  const double error = SEARCH_ERROR * (2 + 4 * ratio + vec_norm1(shift) + vec_norm1(low) + vec_norm1(high));
  f->error = (float)error;
  for (int i = 0; i < 9 && g->tree != NULL; i++) {
    f->turn[i] = (float)(g->turn[i] * ratio), f->turn_abs[i] = (float)(real_abs(g->turn[i]) * ratio);
  }
  search_axis_set(f->shift, shift);
  search_axis_set(f->sweep_low, vec_min(sweep, vec_make(0, 0, 0)));
  search_axis_set(f->sweep_high, vec_max(sweep, vec_make(0, 0, 0)));
  const graze_vec out = vec_make(error, error, error);
  search_axis_set(f->query_box, vec_sub(low, out));
  search_axis_set(f->query_box + 3, vec_neg(vec_add(high, out)));
}

/* A key is a signed gap g in the frame of the target: g² if g > 0, otherwise g. By axis it is g without the base. */

/* Returns the key of a bound, rounded up. */
static float search_key(const search_frame *f, double bound) {
  const double gap = (bound + f->less) / f->unit;
  const double key = f->by_axis ? gap - f->base : gap > 0 ? gap * gap : gap;
  const double up = key + (real_abs(key) * 0x1p-20 + 0x1p-120) + (f->by_axis ? real_abs(f->base) * 8 * GRZ_U : 0);
  return up < (double)FLT_MAX ? (float)real_max(up, -(double)FLT_MAX) : __builtin_inff();
}

/* Returns the bound of a key, rounded down. */
static double search_bound(const search_frame *f, float key) {
  const double value = (double)key;
  const double gap = f->by_axis  ? value + f->base - real_abs(f->base) * 8 * GRZ_U
                     : value > 0 ? real_sqrt(value)
                                 : value;
  return (gap - real_abs(gap) * 4 * GRZ_U) * f->unit - f->less;
}

/* ---- The search */

/* A pair of boxes: `level` 0 is a slot, and the children of box i of a level are 8i … 8i + 7 of the level below. */
typedef struct search_pair {
  float key;
  uint32_t target, query;
  int16_t target_level, query_level;
} search_pair;

/* A step replaces a pair by at most 64, and lowers the sum of its levels. */
enum { SEARCH_CAPACITY = 63 * 2 * GRZ_TREE_LEVELS + 64 };

static void search_box(const grz_tree *tree, const float root[6], int level, size_t index, float box[6]) {
  for (int k = 0; k < 6; k++)
    box[k] = level == tree->levels ? root[k] : tree->level[level][index / 8].side[k][index % 8];
}

static float search_extent(const float box[6], int dim) {
  float sum = 0;
  for (int k = 0; k < dim; k++) sum -= box[k] + box[k + 3];
  return sum;
}

typedef struct search_step {
  const search_frame *f;
  const search_kernel *kernel;
  float limit;
  float least; /* key of an excluded pair */
  search_pair child[64];
  int count;
} search_step;

/* Appends the pairs of one box and the children in the mask. */
static void search_append(search_step *s, const search_pair *pair, bool of_target, const float key[8], unsigned used,
                          unsigned near) {
  for (unsigned left = used & ~near; left; left &= left - 1)
    s->least = grz_float_min(s->least, key[grz_first_bit(left)]);
  for (unsigned left = near; left; left &= left - 1) {
    const unsigned i = grz_first_bit(left);
    search_pair *child = &s->child[s->count++];
    *child = *pair;
    child->key = key[i];
    if (of_target)
      child->target = 8 * pair->target + i, child->target_level--;
    else
      child->query = 8 * pair->query + i, child->query_level--;
  }
}

static unsigned search_used(const grz_node *node) {
  unsigned used = 0;
  for (unsigned i = 0; i < 8; i++) used |= (unsigned)(node->side[0][i] <= FLT_MAX) << i;
  return used;
}

/* Opens the boxes of a pair whose bounds are gaps of boxes. */
static void search_open_boxes(search_step *s, const search_pair *pair, bool open_target, bool open_query) {
  const search_frame *f = s->f;
  float key[8], box[6];
  grz_node turned;
  const grz_node *node = open_target ? &f->target->level[pair->target_level - 1][pair->target] : NULL;
  const unsigned used = open_target ? search_used(node) : 0;
  if (open_query) {
    const grz_node *below = &f->query->level[pair->query_level - 1][pair->query];
    const unsigned children = search_used(below);
    s->kernel->turn_node(f, below, &turned);
    for (unsigned empty = ~children & 0xff; empty; empty &= empty - 1) grz_node_clear(&turned, grz_first_bit(empty));
    if (!open_target) {
      search_box(f->target, f->target_root, pair->target_level, pair->target, box);
      search_append(s, pair, false, key, children, s->kernel->box(f, &turned, box, s->limit, key));
      return;
    }
    search_pair with = *pair;
    with.query_level--;
    for (unsigned left = children; left; left &= left - 1) {
      const unsigned j = grz_first_bit(left);
      for (int k = 0; k < 6; k++) box[k] = turned.side[k][j];
      with.query = 8 * pair->query + j;
      search_append(s, &with, true, key, used, s->kernel->box(f, node, box, s->limit, key));
    }
    return;
  }
  if (f->query != NULL) {
    grz_node one;
    search_box(f->query, f->query_root, pair->query_level, pair->query, box);
    for (size_t i = 0; i < 8; i++) grz_node_write(&one, i, box);
    s->kernel->turn_node(f, &one, &turned);
    for (int k = 0; k < 6; k++) box[k] = turned.side[k][0];
  }
  search_append(s, pair, true, key, used,
                s->kernel->box(f, node, f->query != NULL ? box : f->query_box, s->limit, key));
}

/* Opens the boxes of a pair whose bounds are gaps along an axis. */
static void search_open_axis(search_step *s, const search_pair *pair, bool open_target, bool open_query) {
  const search_frame *f = s->f;
  float target[8] = {0}, query[8] = {0}, key[8], box[6];
  grz_node one;
  unsigned used = 1, children = 1;
  if (open_target) {
    used = s->kernel->extents(f, f->target_axis, &f->target->level[pair->target_level - 1][pair->target], target);
  } else {
    search_box(f->target, f->target_root, pair->target_level, pair->target, box);
    for (size_t i = 0; i < 8; i++) grz_node_write(&one, i, box);
    (void)s->kernel->extents(f, f->target_axis, &one, target);
  }
  if (open_query) {
    children = s->kernel->extents(f, f->query_axis, &f->query->level[pair->query_level - 1][pair->query], query);
  } else if (f->query != NULL) {
    search_box(f->query, f->query_root, pair->query_level, pair->query, box);
    for (size_t i = 0; i < 8; i++) grz_node_write(&one, i, box);
    (void)s->kernel->extents(f, f->query_axis, &one, query);
  }
  search_pair with = *pair;
  if (open_query) with.query_level--;
  for (unsigned left = children; left; left &= left - 1) {
    const unsigned j = grz_first_bit(left);
    unsigned near = 0;
    for (unsigned i = 0; i < 8; i++) {
      key[i] = -(target[i] + query[j]);
      near |= (unsigned)(key[i] <= s->limit) << i;
    }
    if (open_query) with.query = 8 * pair->query + j;
    if (open_target) {
      search_append(s, &with, true, key, used, near & used);
    } else if (near & 1) {
      with.key = key[0];
      s->child[s->count++] = with;
    } else {
      s->least = grz_float_min(s->least, key[0]);
    }
  }
}

void grz_search_run(grz_search *search) {
  search_frame frame;
  search_pair stack[SEARCH_CAPACITY];
  search_step step = {.f = &frame, .kernel = kernel_select(), .least = __builtin_inff()};
  const grz_tree *target = search->target, *query = search->query->tree;
  double limit = search->limit;
  int count = 0;
  bool visited = false;
  search_frame_make(&frame, target, search->query);
  step.limit = search_key(&frame, limit);
  stack[count++] =
      (search_pair){-__builtin_inff(), 0, 0, (int16_t)target->levels, (int16_t)(query != NULL ? query->levels : 0)};
  while (count > 0) {
    const search_pair pair = stack[--count];
    const bool is_last = !visited && count == 0;
    if (pair.key > step.limit && !is_last) {
      step.least = grz_float_min(step.least, pair.key);
      continue;
    }
    if (pair.target_level == 0 && pair.query_level == 0) {
      visited = true;
      const int32_t part = query != NULL ? (int32_t)query->item[pair.query] : 0;
      if (!search->visit(search->context, (int32_t)target->item[pair.target], part)) break;
      if (search->limit == limit) continue;
      limit = search->limit;
      step.limit = search_key(&frame, limit);
      continue;
    }

    /* Open both boxes, or only the larger one if the sizes differ much. */
    bool open_target = pair.target_level > 0, open_query = pair.query_level > 0;
    if (open_target && open_query) {
      float box[6];
      search_box(target, frame.target_root, pair.target_level, pair.target, box);
      const float size = search_extent(box, frame.dim);
      search_box(query, frame.query_root, pair.query_level, pair.query, box);
      const float other = search_extent(box, frame.dim) * (float)(target->scale / query->scale);
      open_target = size * SEARCH_RATIO >= other, open_query = other * SEARCH_RATIO >= size;
    }
    const float wanted = step.limit;
    if (is_last) step.limit = __builtin_inff(); /* at least one pair is visited */
    step.count = 0;
    (frame.by_axis ? search_open_axis : search_open_boxes)(&step, &pair, open_target, open_query);
    step.limit = wanted;

    /* Insertion sort on the stack: the nearest pair comes last, and is opened first. */
    const int first = count;
    for (int i = 0; i < step.count; i++) {
      int at = count++;
      for (; at > first && stack[at - 1].key < step.child[i].key; at--) stack[at] = stack[at - 1];
      stack[at] = step.child[i];
    }
  }
  search->beyond = step.least < __builtin_inff() ? search_bound(&frame, step.least) : __builtin_inf();
}
