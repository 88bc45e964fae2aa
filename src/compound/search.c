/* The search for pairs of parts: a depth-first search through both trees, nearest first. A stack of fixed size holds
 * pairs of boxes with lower bounds of the signed distance of their contents. Boxes are compared in floats, eight at
 * once. */
#include "compound/compound.h"
#include "compound/search_faces.h"

#include "core/vec.h"

/* ---- Bounds in floats
 *
 * Boxes are in the unit and frame of the target's tree: there, the target is inside [-2, 2]. A bound is the larger one
 * of the gap of two boxes and of the gap along an axis, if there is one. If the query shape is much farther away than
 * both sizes, floats do not resolve the gap of boxes. Then, and for a half-space, only the axis counts. */

typedef struct search_frame {
  int dim;
  const grz_tree *target, *query;       /* query NULL: a convex shape */
  float turn[9], turn_abs[9], shift[3]; /* from the frame of the query's tree to that of the target's */
  float sweep_low[3], sweep_high[3];
  bool is_at_rest; /* no sweep */
  float error;     /* an upper bound of all rounding errors of a coordinate */
  float target_root[6], query_root[6];
  float query_box[6]; /* a convex query shape */
  bool has_boxes, has_axis;
  float target_axis[3], query_axis[3]; /* the gap along the axis is offset - extent of target - extent of query */
  float offset;
  double base; /* added to all gaps: 0, or the distance of the frames along the axis if there are no boxes */
  double unit; /* of the frame of the target, in world coordinates */
  double less; /* subtracted from every distance, in world coordinates */
} search_frame;

/* The functions of gap_kernel.h and face_kernel.h for one instruction set. */
typedef struct search_kernel {
  void (*turn_node)(const search_frame *f, const grz_node *node, grz_node *out);
  void (*gaps)(const search_frame *f, const grz_node *node, const float box[6], const float extent[8], float offset,
               float key[8]);
  unsigned (*exclude)(const float key[8], float limit, float least[8]);
  void (*order)(const float *key, int count, float *place);
  void (*extents)(const search_frame *f, const float axis[3], const grz_node *node, float extent[8]);
  void (*turn_faces)(const search_frame *f, const search_faces *faces, search_faces *turned);
  void (*bound_faces)(const search_frame *f, const search_faces *turned, grz_node *node);
  void (*extents_of_faces)(const search_frame *f, const float axis[3], const search_faces *faces, float extent[8]);
  void (*planes_of_faces)(search_faces *faces);
  void (*gaps_of_planes)(const search_frame *f, const search_faces *target, const search_faces *query, int j,
                         float key[8]);
  void (*gaps_of_faces)(const search_frame *f, const search_faces *target, const search_faces *query, int j,
                        float key[8]);
} search_kernel;

#define SEARCH_KERNEL(isa)                                                                                             \
  {                                                                                                                    \
    gap_turn_node_##isa, gap_gaps_##isa, gap_exclude_##isa, gap_order_##isa, gap_extents_##isa, face_turn_##isa,       \
        face_boxes_##isa, face_extents_##isa, face_planes_##isa, face_plane_gaps_##isa, face_gaps_##isa                \
  }

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "compound/gap_kernel.h"
#include "compound/face_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_sse2 = SEARCH_KERNEL(sse2);

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "compound/gap_kernel.h"
#include "compound/face_kernel.h"
#undef GRZ_ISA
GRZ_TARGET_END
static const search_kernel kernel_avx2 = SEARCH_KERNEL(avx2);

static const search_kernel *kernel_select(void) { return __builtin_cpu_supports("avx2") ? &kernel_avx2 : &kernel_sse2; }

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "compound/gap_kernel.h"
#include "compound/face_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_neon = SEARCH_KERNEL(neon);

static const search_kernel *kernel_select(void) { return &kernel_neon; }

#else

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "compound/gap_kernel.h"
#include "compound/face_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_portable = SEARCH_KERNEL(portable);

static const search_kernel *kernel_select(void) { return &kernel_portable; }

#endif

/* Errors of coordinates, in units of the largest coordinate: 16 roundings to float, and as much again. */
#define SEARCH_ERROR 0x1p-19

/* Boxes whose sizes differ by a larger factor are not opened together. */
#define SEARCH_RATIO 4

/* If the error is larger, in sizes of the target, floats overflow. Then there are no bounds, and no pair is excluded.
 */
#define SEARCH_ERROR_LARGEST 0x1p32

/* Beyond this distance, in sizes of both bodies, bounds are gaps along one axis. */
#define SEARCH_DISTANT 64

static graze_vec tree_centre(const grz_tree *tree) {
  return vec_make(tree->centre[0], tree->centre[1], tree->centre[2]);
}

static void search_set(float to[3], graze_vec v) { to[0] = (float)v.x, to[1] = (float)v.y, to[2] = (float)v.z; }

/* The vector from the centre of the target's tree to that of the query's tree, in the frame of the target. */
static graze_vec search_shift(const grz_tree *target, const grz_query_shape *g) {
  const graze_vec centre = vec_add(vec_rotate(g->turn, tree_centre(g->tree), g->dim), g->shift);
  return vec_scale(vec_sub(centre, tree_centre(target)), target->scale);
}

/* The bounds of the moving query shape, in the frame of the target. */
static graze_aabb search_moved(const grz_tree *target, const grz_query_shape *g) {
  const graze_aabb moved = grz_query_shape_box(g);
  return (graze_aabb){vec_scale(vec_sub(moved.min, tree_centre(target)), target->scale),
                      vec_scale(vec_sub(moved.max, tree_centre(target)), target->scale)};
}

/* Sets the axis, which points from the target to the query shape and is not longer than 1. Returns the distance of the
 * frames along it. */
static double search_set_axis(search_frame *f, const grz_query_shape *g, graze_vec axis) {
  const grz_tree *target = f->target;
  const graze_vec sweep = vec_scale(g->sweep, target->scale);
  f->has_axis = true;
  search_set(f->target_axis, axis);
  if (g->plane)
    return target->scale *
           (vec_dot(g->normal, tree_centre(target)) - (g->height + real_max(vec_dot(g->normal, g->sweep), 0)));
  if (g->tree == NULL) {
    const graze_vec corner =
        vec_make(axis.x > 0 ? g->box.min.x : g->box.max.x, axis.y > 0 ? g->box.min.y : g->box.max.y,
                 axis.z > 0 ? g->box.min.z : g->box.max.z);
    const graze_vec offset = vec_scale(vec_sub(corner, tree_centre(target)), target->scale);
    return vec_dot(axis, offset) + real_min(vec_dot(axis, sweep), 0);
  }
  search_set(f->query_axis, vec_scale(vec_unrotate(g->turn, axis, g->dim), -target->scale / g->tree->scale));
  return vec_dot(axis, search_shift(target, g)) + real_min(vec_dot(axis, sweep), 0);
}

/* Sets the axis to this direction, unless it is zero, for bounds of boxes. */
static void search_set_offset(search_frame *f, const grz_query_shape *g, graze_vec direction) {
  if (!(vec_norm_inf(direction) > 0)) return;
  const graze_vec axis = vec_scale(vec_unit(vec_unit_inf(direction)), 1 - 0x1p-20);
  f->offset = (float)search_set_axis(f, g, axis);
}

static void search_frame_make(search_frame *f, const grz_tree *target, const grz_query_shape *g) {
  const double ratio = g->tree != NULL ? target->scale / g->tree->scale : 0;
  const graze_vec sweep = vec_scale(g->sweep, target->scale), none = {0, 0, 0};
  const graze_vec shift = g->tree != NULL ? search_shift(target, g) : none;
  const graze_aabb moved = search_moved(target, g);
  const graze_vec low = moved.min, high = moved.max;
  f->dim = g->dim;
  f->target = target, f->query = g->tree;
  f->unit = 1 / target->scale;
  f->less = g->less + g->error;
  f->base = 0, f->offset = 0;
  f->has_axis = false;
  grz_node_union(&target->level[target->levels - 1][0], f->target_root);
  if (g->tree != NULL) grz_node_union(&g->tree->level[g->tree->levels - 1][0], f->query_root);

  const graze_vec gap = vec_make(low.x > 0 ? low.x : real_min(high.x, 0), low.y > 0 ? low.y : real_min(high.y, 0),
                                 low.z > 0 ? low.z : real_min(high.z, 0));
  const double size = 2 + vec_norm_inf(vec_sub(high, low));
  f->has_boxes = !g->plane && vec_norm_inf(gap) <= SEARCH_DISTANT * size;
  const double offsets = f->has_boxes ? vec_norm1(shift) + vec_norm1(low) + vec_norm1(high) : 0;
  const double error = SEARCH_ERROR * (2 + 4 * ratio + offsets);
  f->error = (float)error;
  if (!(error <= SEARCH_ERROR_LARGEST)) {
    f->has_boxes = false;
    return;
  }
  if (!f->has_boxes) {
    const graze_vec axis = g->plane ? vec_neg(g->normal) : vec_scale(vec_unit(vec_unit_inf(gap)), 1 - 0x1p-20);
    f->base = search_set_axis(f, g, axis);
    f->base -= real_abs(f->base) * 8 * GRZ_U;
    return;
  }
  for (int i = 0; i < 9 && g->tree != NULL; i++) {
    f->turn[i] = (float)(g->turn[i] * ratio), f->turn_abs[i] = (float)(real_abs(g->turn[i]) * ratio);
  }
  search_set(f->shift, shift);
  f->is_at_rest = vec_equal(sweep, none);
  search_set(f->sweep_low, vec_min(sweep, none));
  search_set(f->sweep_high, vec_max(sweep, none));
  const graze_vec out = vec_make(error, error, error);
  search_set(f->query_box, vec_sub(low, out));
  search_set(f->query_box + 3, vec_neg(vec_add(high, out)));
}

/* A key is a signed gap g in the frame of the target, without the base: g² if g > 0, otherwise g. */

/* Returns the key of a bound, rounded up, at most FLT_MAX. */
static float search_key(const search_frame *f, double bound) {
  const double gap = (bound + f->less) / f->unit - f->base;
  const double key = gap > 0 ? gap * gap : gap, up = key + (real_abs(key) * 0x1p-20 + 0x1p-120);
  return up < (double)FLT_MAX ? (float)real_max(up, -(double)FLT_MAX) : FLT_MAX;
}

/* Returns the bound of a key, rounded down. */
static double search_bound(const search_frame *f, float key) {
  const double value = (double)key, gap = f->base + (value > 0 ? real_sqrt(value) : value);
  return (gap - real_abs(gap) * 8 * GRZ_U) * f->unit - f->less;
}

/* ---- The search */

graze_vec grz_search_axis(const graze_placed *a, const graze_placed *b, graze_vec direction) {
  const bool from_a = grz_has_parts(&a->shape);
  if (!(vec_norm_inf(direction) > 0)) return vec_make(0, 0, 0);
  const graze_vec axis = vec_scale(vec_unit(vec_unit_inf(direction)), 1 - 0x1p-20);
  const graze_vec local = vec_unrotate((from_a ? a : b)->hidden.rotation, axis, a->shape.dim);
  return from_a ? local : vec_neg(local);
}

/* A pair of boxes: `level` 0 is a slot, and the children of box i of a level are 8i … 8i + 7 of the level below. */
typedef struct search_pair {
  float key;
  uint32_t target, query;
  int16_t target_level, query_level;
} search_pair;

/* A step replaces a pair by at most 64, and lowers the sum of its levels. */
enum { SEARCH_CAPACITY = 63 * 2 * GRZ_TREE_LEVELS + 64 };

static void search_bounds_of(const grz_tree *tree, const float root[6], int level, size_t index, float box[6]) {
  for (int k = 0; k < 6; k++)
    box[k] = level == tree->levels ? root[k] : tree->level[level][index / 8].side[k][index % 8];
}

static float search_size(const grz_tree *tree, const float root[6], int level, size_t index) {
  float sum = 0, box[6];
  search_bounds_of(tree, root, level, index, box);
  for (int k = 0; k < tree->dim; k++) sum -= box[k] + box[k + 3];
  return sum;
}

/* A leaf that a search has loaded. */
typedef struct search_mesh_leaf {
  size_t index;
  search_faces faces, turned; /* turned: of the query shape, in the frame of the target */
} search_mesh_leaf;

/* The last leaves with each remainder of the index. */
enum { SEARCH_LEAVES = 16 };

/* The children of one side of a pair. */
typedef struct search_side {
  const grz_node *node;
  grz_node single;              /* the only child: the box itself */
  const search_mesh_leaf *leaf; /* NULL: the children are not faces of a mesh */
  float extent[8];              /* along the axis, if there is one */
} search_side;

typedef struct search_step {
  const search_frame *f;
  const graze_mesh *target_mesh, *query_mesh; /* NULL: not a mesh */
  const search_kernel *kernel;
  search_mesh_leaf target_leaf[SEARCH_LEAVES], query_leaf[SEARCH_LEAVES];
  float limit;      /* pairs with larger keys are excluded */
  float least[8];   /* the smallest keys of excluded pairs */
  int rows;         /* the children: one row for each child of the query shape that has some */
  float row_key[8]; /* the least key of a row */
  int row_end[8];
  search_pair child[64];
  float key[64 + 8]; /* of the children; space for whole SIMD registers */
} search_step;

static const search_mesh_leaf *search_load_leaf(const search_step *s, search_mesh_leaf *leaves, const graze_mesh *mesh,
                                                size_t index, bool turn) {
  search_mesh_leaf *leaf = &leaves[index % SEARCH_LEAVES];
  if (leaf->index == index) return leaf;
  leaf->index = index;
  search_faces_load(mesh, index, &leaf->faces);
  search_faces *used = turn ? &leaf->turned : &leaf->faces;
  if (turn) s->kernel->turn_faces(s->f, &leaf->faces, &leaf->turned);
  if (mesh->def.dim == 3) s->kernel->planes_of_faces(used);
  return leaf;
}

/* Loads the children of a box, or the box itself as the only child. */
static void search_load(search_step *s, search_side *side, bool of_target, int level, size_t index, bool open) {
  const search_frame *f = s->f;
  const grz_tree *tree = of_target ? f->target : f->query;
  const graze_mesh *mesh = of_target ? s->target_mesh : s->query_mesh;
  const float *root = of_target ? f->target_root : f->query_root;
  const float *axis = of_target ? f->target_axis : f->query_axis;
  side->node = open ? &tree->level[level - 1][index] : &side->single;
  side->leaf = NULL;
  if (open && level == 1 && mesh != NULL)
    side->leaf =
        search_load_leaf(s, of_target ? s->target_leaf : s->query_leaf, mesh, index, !of_target && f->has_boxes);
  if (!open) {
    float box[6];
    search_bounds_of(tree, root, level, index, box);
    for (size_t i = 1; i < 8; i++) grz_node_clear(&side->single, i);
    grz_node_write(&side->single, 0, box);
  }
  if (f->has_axis && side->leaf != NULL)
    s->kernel->extents_of_faces(f, axis, &side->leaf->faces, side->extent);
  else if (f->has_axis)
    s->kernel->extents(f, axis, side->node, side->extent);
}

/* The largest extent of all children along the axis. */
static float search_extent(const search_frame *f, const search_side *side) {
  float most = -FLT_MAX;
  for (int i = 0; i < 8 && f->has_axis && !(side->node->side[0][i] > FLT_MAX); i++)
    most = grz_float_max(most, side->extent[i]);
  return most;
}

/* Replaces a pair by its children that are within the limit. */
static void search_open(search_step *s, const search_pair *pair, bool open_target, bool open_query) {
  const search_frame *f = s->f;
  const search_kernel *kernel = s->kernel;
  const search_pair first = {0, open_target ? 8 * pair->target : pair->target,
                             open_query ? 8 * pair->query : pair->query, (int16_t)(pair->target_level - open_target),
                             (int16_t)(pair->query_level - open_query)};
  search_side target, query;
  grz_node turned;
  float key[8], box[6] = {0};
  const float *extent = f->has_axis ? target.extent : NULL, *near_box = f->has_boxes ? box : NULL;
  unsigned near_target = 0xff, near_query = 1;
  int count = 0;
  s->rows = 0;
  search_load(s, &target, true, pair->target_level, pair->target, open_target);
  query.leaf = NULL, query.extent[0] = 0;
  if (f->query != NULL) search_load(s, &query, false, pair->query_level, pair->query, open_query);

  if (query.leaf != NULL && f->has_boxes)
    kernel->bound_faces(f, &query.leaf->turned, &turned);
  else if (f->query != NULL && f->has_boxes)
    kernel->turn_node(f, query.node, &turned);
  for (size_t i = 8; i > 1 && f->query != NULL && query.node->side[0][i - 1] > FLT_MAX; i--)
    grz_node_clear(&turned, i - 1); /* empty boxes have turned into NaN, or into copies of faces */

  /* Children of each body that are near the whole of the other one, by boxes and along the axis. */
  if (f->query != NULL) {
    if (f->has_boxes) grz_node_union(&turned, box);
    kernel->gaps(f, target.node, near_box, extent, f->offset - search_extent(f, &query), key);
    near_target = kernel->exclude(key, s->limit, s->least);
    if (near_target == 0) return;
    if (f->has_boxes) search_bounds_of(f->target, f->target_root, pair->target_level, pair->target, box);
    kernel->gaps(f, f->has_boxes ? &turned : query.node, near_box, f->has_axis ? query.extent : NULL,
                 f->offset - search_extent(f, &target), key);
    near_query = kernel->exclude(key, s->limit, s->least);
  }

  /* Pairs of children. */
  const bool of_faces = target.leaf != NULL && query.leaf != NULL && f->has_boxes && f->is_at_rest && f->dim == 3;
  for (; near_query; near_query &= near_query - 1) {
    const unsigned j = grz_first_bit(near_query);
    for (int k = 0; k < 6 && f->has_boxes; k++) box[k] = f->query != NULL ? turned.side[k][j] : f->query_box[k];
    kernel->gaps(f, target.node, near_box, extent, f->offset - query.extent[j], key);
    unsigned near = kernel->exclude(key, s->limit, s->least) & near_target;
    if (near != 0 && of_faces) {
      kernel->gaps_of_planes(f, &target.leaf->faces, &query.leaf->turned, (int)j, key);
      near &= kernel->exclude(key, s->limit, s->least);
    }
    if (near != 0 && of_faces) {
      kernel->gaps_of_faces(f, &target.leaf->faces, &query.leaf->turned, (int)j, key);
      near &= kernel->exclude(key, s->limit, s->least);
    }
    if (near == 0) continue;
    s->row_key[s->rows] = __builtin_inff();
    for (; near; near &= near - 1) {
      const unsigned i = grz_first_bit(near);
      s->row_key[s->rows] = grz_float_min(s->row_key[s->rows], key[i]);
      s->key[count] = key[i];
      s->child[count++] =
          (search_pair){key[i], first.target + i, first.query + j, first.target_level, first.query_level};
    }
    s->row_end[s->rows++] = count;
  }
}

/* Writes the children to the stack and returns their number. The row with the nearest child comes last, and in each row
 * the nearest child, so that it is opened first. */
static int search_push(const search_step *s, search_pair *stack) {
  float place[8];
  int row_at[8], count = 0;
  s->kernel->order(s->row_key, s->rows, place);
  for (int i = 0; i < s->rows; i++) row_at[(int)place[i]] = i;
  for (int k = 0; k < s->rows; k++) {
    const int row = row_at[k], from = row > 0 ? s->row_end[row - 1] : 0, size = s->row_end[row] - from;
    s->kernel->order(s->key + from, size, place);
    for (int i = 0; i < size; i++) stack[count + (int)place[i]] = s->child[from + i];
    count += size;
  }
  return count;
}

/* Writes the children to the stack in any order. */
static int search_copy(const search_step *s, search_pair *stack) {
  const int count = s->rows > 0 ? s->row_end[s->rows - 1] : 0;
  memcpy(stack, s->child, (size_t)count * sizeof *stack);
  return count;
}

void grz_search_run(grz_search *search) {
  search_frame frame;
  search_pair stack[SEARCH_CAPACITY];
  search_step step;
  step.f = &frame, step.kernel = kernel_select();
  for (int i = 0; i < 8; i++) step.least[i] = __builtin_inff();
  for (int i = 0; i < SEARCH_LEAVES; i++) step.target_leaf[i].index = step.query_leaf[i].index = SIZE_MAX;
  const grz_tree *target = grz_tree_of(search->target), *query = search->query->tree;
  step.target_mesh = search->target->kind == GRAZE_MESH ? search->target->as.mesh : NULL;
  step.query_mesh = search->query->mesh;
  double limit = search->limit;
  int count = 0;
  bool visited = false;
  search_frame_make(&frame, target, search->query);
  search->axis = vec_make(0, 0, 0);
  step.limit = search_key(&frame, limit);
  /* The first axis is the line through the centres of two meshes. */
  if (frame.has_boxes && step.target_mesh != NULL && step.query_mesh != NULL && !search->in_any_order)
    search_set_offset(&frame, search->query, search_shift(target, search->query));
  stack[count++] =
      (search_pair){-__builtin_inff(), 0, 0, (int16_t)target->levels, (int16_t)(query != NULL ? query->levels : 0)};
  while (count > 0) {
    search_pair pair = stack[--count];
    const bool is_last = !visited && count == 0;
    if (pair.key > step.limit && !is_last) {
      step.least[0] = grz_float_min(step.least[0], pair.key);
      continue;
    }
    if (pair.target_level == 0 && pair.query_level == 0) {
      const graze_vec axis = search->axis;
      const int32_t part = query != NULL ? (int32_t)query->item[pair.query] : 0;
      visited = true;
      if (!search->visit(search->context, (int32_t)target->item[pair.target], part)) break;
      if (frame.has_boxes && !vec_equal(search->axis, axis)) search_set_offset(&frame, search->query, search->axis);
      if (search->limit != limit) limit = search->limit, step.limit = search_key(&frame, limit);
      continue;
    }

    /* Open both boxes, or only the larger one if the sizes differ much. */
    bool open_target = pair.target_level > 0, open_query = pair.query_level > 0;
    if (open_target && open_query) {
      const float size = search_size(target, frame.target_root, pair.target_level, pair.target);
      float other = search_size(query, frame.query_root, pair.query_level, pair.query);
      if (other > 0)
        other *= (float)(target->scale / query->scale); /* infinite if a point is compared with a tiny box */
      open_target = size * SEARCH_RATIO >= other, open_query = other * SEARCH_RATIO >= size;
    }
    const float wanted = step.limit;
    if (is_last) step.limit = FLT_MAX; /* at least one pair is visited */
    search_open(&step, &pair, open_target, open_query);
    step.limit = wanted;

    count += search->in_any_order ? search_copy(&step, stack + count) : search_push(&step, stack + count);
  }
  for (int i = 1; i < 8; i++) step.least[0] = grz_float_min(step.least[0], step.least[i]);
  search->beyond = step.least[0] < __builtin_inff() ? search_bound(&frame, step.least[0]) : __builtin_inf();
}
