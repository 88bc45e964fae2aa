/* The search for pairs of parts: a depth-first search through both trees, nearest first. A stack of fixed size holds
 * pairs of boxes with lower bounds of the signed distance of their contents. Boxes are compared in floats, eight at
 * once. */
#include "compound/compound.h"

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
  float error; /* an upper bound of all rounding errors of a coordinate */
  float target_root[6], query_root[6];
  float query_box[6]; /* a convex query shape */
  bool has_boxes, has_axis;
  float target_axis[3], query_axis[3]; /* the gap along the axis is offset - extent of target - extent of query */
  float offset;
  double base; /* added to all gaps: 0, or the distance of the frames along the axis if there are no boxes */
  double unit; /* of the frame of the target, in world coordinates */
  double less; /* subtracted from every distance, in world coordinates */
} search_frame;

/* The functions of gap_kernel.h for one instruction set. */
typedef struct search_kernel {
  void (*turn_node)(const search_frame *f, const grz_node *node, grz_node *out);
  unsigned (*gaps)(const search_frame *f, const grz_node *node, const float box[6], const float extent[8], float offset,
                   float limit, float key[8]);
  void (*extents)(const search_frame *f, const float axis[3], const grz_node *node, float extent[8]);
} search_kernel;

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_sse2 = {gap_turn_node_sse2, gap_gaps_sse2, gap_extents_sse2};

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
GRZ_TARGET_END
static const search_kernel kernel_avx2 = {gap_turn_node_avx2, gap_gaps_avx2, gap_extents_avx2};

static const search_kernel *kernel_select(void) { return __builtin_cpu_supports("avx2") ? &kernel_avx2 : &kernel_sse2; }

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_neon = {gap_turn_node_neon, gap_gaps_neon, gap_extents_neon};

static const search_kernel *kernel_select(void) { return &kernel_neon; }

#else

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "compound/gap_kernel.h"
#undef GRZ_ISA
static const search_kernel kernel_portable = {gap_turn_node_portable, gap_gaps_portable, gap_extents_portable};

static const search_kernel *kernel_select(void) { return &kernel_portable; }

#endif

/* Errors of coordinates, in units of the largest coordinate: 16 roundings to float, and as much again. */
#define SEARCH_ERROR 0x1p-19

/* Boxes whose sizes differ by a larger factor are not opened together. */
#define SEARCH_RATIO 4

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
  if (!f->has_boxes) {
    const graze_vec axis = g->plane ? vec_neg(g->normal) : vec_scale(vec_unit(vec_unit_inf(gap)), 1 - 0x1p-20);
    f->error = (float)(SEARCH_ERROR * (2 + 4 * ratio));
    f->base = search_set_axis(f, g, axis);
    f->base -= real_abs(f->base) * 8 * GRZ_U;
    return;
  }
  const double error = SEARCH_ERROR * (2 + 4 * ratio + vec_norm1(shift) + vec_norm1(low) + vec_norm1(high));
  f->error = (float)error;
  for (int i = 0; i < 9 && g->tree != NULL; i++) {
    f->turn[i] = (float)(g->turn[i] * ratio), f->turn_abs[i] = (float)(real_abs(g->turn[i]) * ratio);
  }
  search_set(f->shift, shift);
  search_set(f->sweep_low, vec_min(sweep, none));
  search_set(f->sweep_high, vec_max(sweep, none));
  const graze_vec out = vec_make(error, error, error);
  search_set(f->query_box, vec_sub(low, out));
  search_set(f->query_box + 3, vec_neg(vec_add(high, out)));
}

/* A key is a signed gap g in the frame of the target, without the base: g² if g > 0, otherwise g. */

/* Returns the key of a bound, rounded up. */
static float search_key(const search_frame *f, double bound) {
  const double gap = (bound + f->less) / f->unit - f->base;
  const double key = gap > 0 ? gap * gap : gap, up = key + (real_abs(key) * 0x1p-20 + 0x1p-120);
  return up < (double)FLT_MAX ? (float)real_max(up, -(double)FLT_MAX) : __builtin_inff();
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

/* The children of a box, or the box itself as the only child. */
static const grz_node *search_children(const grz_tree *tree, const float root[6], int level, size_t index, bool open,
                                       grz_node *single) {
  float box[6];
  if (open) return &tree->level[level - 1][index];
  for (int k = 0; k < 6; k++)
    box[k] = level == tree->levels ? root[k] : tree->level[level][index / 8].side[k][index % 8];
  for (size_t i = 1; i < 8; i++) grz_node_clear(single, i);
  grz_node_write(single, 0, box);
  return single;
}

static float search_size(const grz_tree *tree, const float root[6], int level, size_t index) {
  float sum = 0;
  for (int k = 0; k < tree->dim; k++) {
    for (int side = k; side < 6; side += 3)
      sum -= level == tree->levels ? root[side] : tree->level[level][index / 8].side[side][index % 8];
  }
  return sum;
}

/* The extent of the face in a slot. It is less than that of its box. */
static float search_face_extent(const search_frame *f, const graze_mesh *mesh, size_t slot, const float axis[3]) {
  const graze_mesh_def *def = &mesh->def;
  const int32_t *corner = def->faces + (size_t)def->dim * mesh->tree.item[slot];
  const graze_vec d = vec_make((double)axis[0], (double)axis[1], (double)axis[2]), centre = tree_centre(&mesh->tree);
  double most = -__builtin_inf();
  for (int k = 0; k < def->dim; k++)
    most = real_max(most, vec_dot(d, vec_scale(vec_sub(def->vertices[corner[k]], centre), mesh->tree.scale)));
  return (float)most + f->error;
}

static void search_face_extents(const search_frame *f, const graze_mesh *mesh, size_t leaf, const float axis[3],
                                float extent[8]) {
  for (size_t i = 0; i < 8 && 8 * leaf + i < mesh->def.face_count; i++)
    extent[i] = search_face_extent(f, mesh, 8 * leaf + i, axis);
}

/* Replaces the turned boxes of a leaf by the bounds of the turned vertices of its faces, which are tighter. */
static void search_face_boxes(const search_frame *f, const graze_mesh *mesh, size_t leaf, grz_node *turned) {
  const grz_tree *tree = &mesh->tree;
  const graze_mesh_def *def = &mesh->def;
  const graze_vec centre = tree_centre(tree);
  for (size_t i = 0; i < 8 && 8 * leaf + i < def->face_count; i++) {
    const int32_t *corner = def->faces + (size_t)def->dim * tree->item[8 * leaf + i];
    float low[3], high[3];
    for (int k = 0; k < def->dim; k++) {
      const graze_vec v = vec_scale(vec_sub(def->vertices[corner[k]], centre), tree->scale);
      const float x = (float)v.x, y = (float)v.y, z = (float)v.z;
      for (int r = 0; r < f->dim; r++) {
        const float at = ((f->turn[3 * r] * x + f->turn[3 * r + 1] * y) + f->turn[3 * r + 2] * z) + f->shift[r];
        low[r] = k == 0 ? at : grz_float_min(low[r], at), high[r] = k == 0 ? at : grz_float_max(high[r], at);
      }
    }
    for (int r = 0; r < f->dim; r++) {
      turned->side[r][i] = (low[r] - f->error) + f->sweep_low[r];
      turned->side[r + 3][i] = -((high[r] + f->error) + f->sweep_high[r]);
    }
  }
}

typedef struct search_step {
  const search_frame *f;
  const graze_mesh *target_mesh, *query_mesh; /* NULL: not a mesh */
  const search_kernel *kernel;
  float limit;
  float least; /* key of an excluded pair */
  search_pair child[64];
  int count;
} search_step;

/* Records the least key of the excluded boxes of a mask of gap_gaps(), and returns the mask of the others. */
static unsigned search_exclude(search_step *s, unsigned mask, const float key[8]) {
  for (unsigned left = mask >> 8; left; left &= left - 1) s->least = grz_float_min(s->least, key[grz_first_bit(left)]);
  return mask & 0xff;
}

/* Returns the key of two faces along the axis, which may be newer than the key of the pair. */
static float search_face_key(const search_step *s, const search_pair *pair) {
  const search_frame *f = s->f;
  if (!f->has_axis || s->target_mesh == NULL || (f->query != NULL && s->query_mesh == NULL)) return pair->key;
  float gap = f->offset - search_face_extent(f, s->target_mesh, pair->target, f->target_axis);
  if (f->query != NULL) gap -= search_face_extent(f, s->query_mesh, pair->query, f->query_axis);
  return grz_float_max(pair->key, gap > 0 ? gap * gap * (1 - 0x1p-20f) : gap);
}

/* Replaces a pair by its children that are within the limit. */
static void search_open(search_step *s, const search_pair *pair, bool open_target, bool open_query) {
  const search_frame *f = s->f;
  float key[8], box[6] = {0}, target_extent[8], query_extent[8] = {0};
  grz_node target_single, query_single, turned;
  const search_pair first = {0, open_target ? 8 * pair->target : pair->target,
                             open_query ? 8 * pair->query : pair->query, (int16_t)(pair->target_level - open_target),
                             (int16_t)(pair->query_level - open_query)};
  const grz_node *query = NULL, *target = search_children(f->target, f->target_root, pair->target_level, pair->target,
                                                          open_target, &target_single);
  if (f->query != NULL)
    query = search_children(f->query, f->query_root, pair->query_level, pair->query, open_query, &query_single);
  unsigned near_target = 0xff, near_query = query != NULL ? 0xff : 1;
  s->count = 0;

  /* Gaps along the axis. */
  if (f->has_axis) {
    if (s->target_mesh != NULL && open_target && first.target_level == 0)
      search_face_extents(f, s->target_mesh, pair->target, f->target_axis, target_extent);
    else
      s->kernel->extents(f, f->target_axis, target, target_extent);
    if (s->query_mesh != NULL && open_query && first.query_level == 0)
      search_face_extents(f, s->query_mesh, pair->query, f->query_axis, query_extent);
    else if (query != NULL)
      s->kernel->extents(f, f->query_axis, query, query_extent);
    near_target = near_query = 0;
    for (unsigned j = 0; j < (query != NULL ? 8 : 1) && !(query != NULL && query->side[0][j] > FLT_MAX); j++) {
      const unsigned mask = s->kernel->gaps(f, target, NULL, target_extent, f->offset - query_extent[j], s->limit, key);
      const unsigned near = search_exclude(s, mask, key);
      near_target |= near, near_query |= (unsigned)(near != 0) << j;
    }
    if (near_target == 0) return;
  }

  /* Children of the target that are near the whole box of the query shape. */
  if (f->has_boxes && open_target && open_query) {
    grz_node whole;
    (void)search_children(f->query, f->query_root, pair->query_level, pair->query, false, &whole);
    s->kernel->turn_node(f, &whole, &turned);
    for (int k = 0; k < 6; k++) box[k] = turned.side[k][0];
    near_target &= search_exclude(s, s->kernel->gaps(f, target, box, NULL, 0, s->limit, key), key);
    if (near_target == 0) return;
  }

  /* Pairs of children. */
  if (f->has_boxes && s->query_mesh != NULL && open_query && first.query_level == 0)
    search_face_boxes(f, s->query_mesh, pair->query, &turned);
  else if (f->has_boxes && query != NULL)
    s->kernel->turn_node(f, query, &turned);
  for (unsigned left = near_query; left; left &= left - 1) {
    const unsigned j = grz_first_bit(left);
    if (query != NULL && query->side[0][j] > FLT_MAX) break;
    for (int k = 0; k < 6 && f->has_boxes; k++) box[k] = query != NULL ? turned.side[k][j] : f->query_box[k];
    const unsigned mask = s->kernel->gaps(f, target, f->has_boxes ? box : NULL, f->has_axis ? target_extent : NULL,
                                          f->offset - query_extent[j], s->limit, key);
    for (unsigned near = search_exclude(s, mask, key) & near_target; near; near &= near - 1) {
      const unsigned i = grz_first_bit(near);
      s->child[s->count++] =
          (search_pair){key[i], first.target + i, first.query + j, first.target_level, first.query_level};
    }
  }
}

/* Writes the children to the stack in descending order: the nearest comes last, and is opened first. The position of a
 * child is the number of children behind it, so there are no branches to mispredict. */
static void search_push(const search_step *s, search_pair *stack) {
  float key[64];
  for (int i = 0; i < s->count; i++) key[i] = s->child[i].key;
  for (int i = 0; i < s->count; i++) {
    int behind = 0;
    for (int k = 0; k < s->count; k++) behind += (key[k] > key[i]) | ((key[k] == key[i]) & (k > i));
    stack[behind] = s->child[i];
  }
}

void grz_search_run(grz_search *search) {
  search_frame frame;
  search_pair stack[SEARCH_CAPACITY];
  search_step step = {.f = &frame, .kernel = kernel_select(), .least = __builtin_inff()};
  const grz_tree *target = grz_tree_of(search->target), *query = search->query->tree;
  step.target_mesh = search->target->kind == GRAZE_MESH ? search->target->as.mesh : NULL;
  step.query_mesh = search->query->mesh;
  double limit = search->limit;
  int count = 0;
  bool visited = false;
  search_frame_make(&frame, target, search->query);
  search->axis = vec_make(0, 0, 0);
  step.limit = search_key(&frame, limit);
  stack[count++] =
      (search_pair){-__builtin_inff(), 0, 0, (int16_t)target->levels, (int16_t)(query != NULL ? query->levels : 0)};
  while (count > 0) {
    search_pair pair = stack[--count];
    const bool is_last = !visited && count == 0;
    if (pair.target_level == 0 && pair.query_level == 0) pair.key = search_face_key(&step, &pair);
    if (pair.key > step.limit && !is_last) {
      step.least = grz_float_min(step.least, pair.key);
      continue;
    }
    if (pair.target_level == 0 && pair.query_level == 0) {
      const graze_vec axis = search->axis;
      const int32_t part = query != NULL ? (int32_t)query->item[pair.query] : 0;
      visited = true;
      if (!search->visit(search->context, (int32_t)target->item[pair.target], part)) break;
      if (frame.has_boxes && vec_norm_inf(search->axis) > 0 && !vec_equal(search->axis, axis))
        frame.offset = (float)search_set_axis(&frame, search->query, search->axis);
      if (search->limit != limit) limit = search->limit, step.limit = search_key(&frame, limit);
      continue;
    }

    /* Open both boxes, or only the larger one if the sizes differ much. */
    bool open_target = pair.target_level > 0, open_query = pair.query_level > 0;
    if (open_target && open_query) {
      const float size = search_size(target, frame.target_root, pair.target_level, pair.target);
      const float other =
          search_size(query, frame.query_root, pair.query_level, pair.query) * (float)(target->scale / query->scale);
      open_target = size * SEARCH_RATIO >= other, open_query = other * SEARCH_RATIO >= size;
    }
    const float wanted = step.limit;
    if (is_last) step.limit = __builtin_inff(); /* at least one pair is visited */
    search_open(&step, &pair, open_target, open_query);
    step.limit = wanted;

    search_push(&step, stack + count);
    count += step.count;
  }
  search->beyond = step.least < __builtin_inff() ? search_bound(&frame, step.least) : __builtin_inf();
}
