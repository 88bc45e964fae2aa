/* Construction of compounds and of their trees. One block of memory holds the compound, its parts, its tree and the
 * data of a decomposition. */
#include "shape/shape.h"

#include "core/memory.h"
#include "exact/exact.h"
#include "shape/placed.h"

#include <graze/build.h>

/* ---- The tree: top-down construction with the binned surface area heuristic (Wald 2007). */

enum { TREE_BINS = 16 };

/* A range of `order` that becomes the subtree of `node`. The subtree has at most `levels` levels below `node`, and
 * 2^levels >= count. */
typedef struct tree_range {
  size_t node, first, count;
  int levels;
} tree_range;

typedef struct tree_builder {
  const graze_aabb *box;
  int32_t *order;
  int axis;          /* the axis of the split: along it the centres have the largest extent */
  double low, width; /* the interval of the doubled centres on this axis */
} tree_builder;

typedef struct tree_bin {
  graze_aabb box;
  size_t count;
} tree_bin;

static graze_aabb tree_join(graze_aabb p, graze_aabb q) {
  return (graze_aabb){vec_min(p.min, q.min), vec_max(p.max, q.max)};
}

/* The sum of the edges replaces the surface area: it never underflows, and it also compares boxes of zero area. */
static double tree_size(graze_aabb box) {
  return ((box.max.x - box.min.x) + (box.max.y - box.min.y)) + (box.max.z - box.min.z);
}

/* Twice the centre. */
static graze_vec tree_centre(const graze_aabb *box) { return vec_add(box->min, box->max); }

static double tree_key(const tree_builder *b, int32_t item) {
  return vec_coordinate(tree_centre(&b->box[item]), b->axis);
}

static void tree_choose_axis(tree_builder *b, const tree_range *range) {
  graze_vec first = tree_centre(&b->box[b->order[range->first]]);
  graze_aabb centres = {first, first};
  for (size_t i = 1; i < range->count; i++) {
    graze_vec centre = tree_centre(&b->box[b->order[range->first + i]]);
    graze_aabb point = {centre, centre};
    centres = tree_join(centres, point);
  }
  graze_vec extent = vec_sub(centres.max, centres.min);
  b->axis = extent.x >= extent.y ? (extent.x >= extent.z ? 0 : 2) : (extent.y >= extent.z ? 1 : 2);
  b->low = vec_coordinate(centres.min, b->axis);
  b->width = vec_coordinate(extent, b->axis);
}

static int tree_bin_of(const tree_builder *b, int32_t item) {
  int bin = (int)((tree_key(b, item) - b->low) / b->width * TREE_BINS);
  return bin < TREE_BINS ? bin : TREE_BINS - 1;
}

static void tree_fill(const tree_builder *b, const tree_range *range, tree_bin bin[TREE_BINS]) {
  for (int i = 0; i < TREE_BINS; i++) bin[i].count = 0;
  for (size_t i = 0; i < range->count; i++) {
    int32_t item = b->order[range->first + i];
    tree_bin *into = &bin[tree_bin_of(b, item)];
    into->box = into->count > 0 ? tree_join(into->box, b->box[item]) : b->box[item];
    into->count++;
  }
}

/* Computes cost[i], the size times the count of the bins from the first to i, in the given order. */
static void tree_sweep(const tree_bin bin[TREE_BINS], int from, int step, double cost[TREE_BINS]) {
  tree_bin sum = {.count = 0};
  for (int i = from; i >= 0 && i < TREE_BINS; i += step) {
    if (bin[i].count > 0) sum.box = sum.count > 0 ? tree_join(sum.box, bin[i].box) : bin[i].box;
    sum.count += bin[i].count;
    cost[i] = sum.count > 0 ? tree_size(sum.box) * (double)sum.count : 0;
  }
}

/* Returns the last bin of the left side of the cheapest split. The first and the last bin are never empty. */
static int tree_cheapest(const tree_bin bin[TREE_BINS]) {
  double left[TREE_BINS], right[TREE_BINS];
  tree_sweep(bin, 0, 1, left);
  tree_sweep(bin, TREE_BINS - 1, -1, right);
  int best = 0;
  for (int i = 1; i < TREE_BINS - 1; i++) {
    if (left[i] + right[i + 1] < left[best] + right[best + 1]) best = i;
  }
  return best;
}

/* Moves the items of the bins up to `last` to the front and returns their number. */
static size_t tree_partition(tree_builder *b, const tree_range *range, int last) {
  int32_t *order = b->order + range->first;
  size_t low = 0, high = range->count;
  while (low < high) {
    if (tree_bin_of(b, order[low]) <= last) {
      low++;
      continue;
    }
    int32_t item = order[--high];
    order[high] = order[low];
    order[low] = item;
  }
  return low;
}

static bool tree_before(const tree_builder *b, int32_t p, int32_t q) {
  double at_p = tree_key(b, p), at_q = tree_key(b, q);
  return at_p < at_q || (at_p == at_q && p < q);
}

static void tree_sift(const tree_builder *b, int32_t *heap, size_t at, size_t count) {
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= count) return;
    if (child + 1 < count && tree_before(b, heap[child], heap[child + 1])) child++;
    if (!tree_before(b, heap[at], heap[child])) return;
    int32_t item = heap[at];
    heap[at] = heap[child];
    heap[child] = item;
    at = child;
  }
}

/* Heapsort: O(n log n) in the worst case. */
static void tree_sort(tree_builder *b, const tree_range *range) {
  int32_t *heap = b->order + range->first;
  for (size_t i = range->count / 2; i-- > 0;) tree_sift(b, heap, i, range->count);
  for (size_t last = range->count - 1; last > 0; last--) {
    int32_t item = heap[0];
    heap[0] = heap[last];
    heap[last] = item;
    tree_sift(b, heap, 0, last);
  }
}

static bool tree_fits(size_t count, int levels) { return levels >= 32 || count <= (size_t)1 << levels; }

/* Returns the number of items on the left side. Halves always fit, because 2^levels >= count. */
static size_t tree_split(tree_builder *b, const tree_range *range) {
  size_t half = range->count - range->count / 2;
  tree_choose_axis(b, range);
  if (!(b->width > 0)) return half;
  tree_bin bin[TREE_BINS];
  tree_fill(b, range, bin);
  size_t left = tree_partition(b, range, tree_cheapest(bin));
  if (tree_fits(left, range->levels - 1) && tree_fits(range->count - left, range->levels - 1)) return left;
  tree_sort(b, range);
  return half;
}

static graze_aabb tree_around(const tree_builder *b, const tree_range *range) {
  graze_aabb box = b->box[b->order[range->first]];
  for (size_t i = 1; i < range->count; i++) box = tree_join(box, b->box[b->order[range->first + i]]);
  return box;
}

void grz_tree_build(grz_tree_node *node, const graze_aabb *box, size_t count, int32_t *order) {
  tree_builder b = {.box = box, .order = order};
  tree_range stack[GRZ_TREE_DEPTH + 1];
  int pending = 0;
  int32_t pairs = 0;
  for (size_t i = 0; i < count; i++) order[i] = (int32_t)i;
  stack[pending++] = (tree_range){0, 0, count, GRZ_TREE_DEPTH};
  while (pending > 0) {
    tree_range range = stack[--pending];
    grz_tree_node *at = &node[range.node];
    at->box = tree_around(&b, &range);
    at->below = ~order[range.first];
    if (range.count == 1) continue;
    at->below = pairs++;
    size_t left = tree_split(&b, &range), below = grz_tree_below(at);
    stack[pending++] = (tree_range){below + 1, range.first + left, range.count - left, range.levels - 1};
    stack[pending++] = (tree_range){below, range.first, left, range.levels - 1};
  }
}

/* ---- Compounds. */

/* Offsets in the block, in bytes. All arrays have elements that are aligned to 8 bytes. */
typedef struct compound_layout {
  size_t parts, tree, nodes, internal_edges, vertices, size;
  bool overflow;
} compound_layout;

static size_t layout_add(compound_layout *layout, size_t count, size_t size) {
  size_t at = layout->size;
  if (count > (SIZE_MAX - at) / size)
    layout->overflow = true;
  else
    layout->size = at + (count * size + 7) / 8 * 8;
  return at;
}

static compound_layout layout_make(size_t parts, size_t internal_edges, size_t vertices) {
  compound_layout layout = {.size = 0};
  (void)layout_add(&layout, 1, sizeof(graze_compound));
  layout.parts = layout_add(&layout, parts, sizeof(graze_placed));
  layout.tree = layout_add(&layout, 1, sizeof(grz_tree));
  layout.nodes = layout_add(&layout, grz_tree_nodes(parts), sizeof(grz_tree_node));
  layout.internal_edges = layout_add(&layout, internal_edges, sizeof(grz_compound_internal_edge));
  layout.vertices = layout_add(&layout, vertices, sizeof(graze_vec));
  return layout;
}

static graze_status compound_fail(graze_error *error, graze_status status, ptrdiff_t index, double value) {
  if (error == NULL) return status;
  *error = grz_error(status, "parts", index, value);
  if (status == GRAZE_UNSUPPORTED) error->allowed = "must not be half-spaces, compounds or parts of compounds";
  if (status == GRAZE_DIM_MISMATCH) error->allowed = "must have the dimension of the first part";
  return status;
}

static graze_status part_validate(const graze_placed *part, int dim) {
  if (part->status != GRAZE_OK) return part->status;
  if (placed_is_part(part) || part->shape.kind == GRAZE_HALFSPACE || part->shape.kind == GRAZE_COMPOUND)
    return GRAZE_UNSUPPORTED;
  return part->shape.dim == dim ? GRAZE_OK : GRAZE_DIM_MISMATCH;
}

static graze_status parts_validate(const graze_placed *parts, size_t count, graze_error *error) {
  if (count == 0 || count > INT32_MAX) return compound_fail(error, GRAZE_BAD_SHAPE, -1, (double)count);
  for (size_t i = 0; i < count; i++) {
    graze_status status = part_validate(&parts[i], parts[0].shape.dim);
    if (status != GRAZE_OK) return compound_fail(error, status, (ptrdiff_t)i, 0);
  }
  return GRAZE_OK;
}

/* Computes the bounds for all parts: bounding radius, radius, and whether a part is a user shape. */
static void compound_measure(graze_compound *compound) {
  for (size_t i = 0; i < compound->count; i++) {
    const graze_placed *part = &compound->parts[i];
    compound->bounding_radius = real_max(compound->bounding_radius, grz_part_bounding_radius(part));
    compound->radius = real_max(compound->radius, part->hidden.radius > 0 ? real_next_up(part->hidden.radius) : 0);
    compound->conditional = compound->conditional || part->shape.kind == GRAZE_USER;
  }
}

/* Builds the tree over the bounds of the parts. The array of bounds is temporary. */
static graze_status compound_make_tree(graze_compound *compound, grz_tree_node *node, graze_error *error) {
  size_t count = compound->count;
  graze_aabb *box = grz_allocate(&compound->allocator, count, sizeof(graze_aabb) + sizeof(int32_t));
  if (box == NULL) return compound_fail(error, GRAZE_OUT_OF_MEMORY, -1, 0);
  graze_status status = GRAZE_OK;
  for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
    status = graze_bounds(&compound->parts[i], &box[i]);
    if (status != GRAZE_OK) (void)compound_fail(error, status, (ptrdiff_t)i, 0);
  }
  if (status == GRAZE_OK) grz_tree_build(node, box, count, (int32_t *)(void *)(box + count));
  grz_release(&compound->allocator, box);
  return status;
}

/* Allocates an empty compound with the memory of the layout. */
static graze_compound *compound_allocate(const compound_layout *layout, size_t count, size_t internal_edges,
                                         const graze_allocator *allocator) {
  graze_allocator from = grz_allocator(allocator);
  char *block = layout->overflow ? NULL : grz_allocate(&from, 1, layout->size);
  if (block == NULL) return NULL;
  graze_compound *compound = (graze_compound *)(void *)block;
  grz_tree *tree = (grz_tree *)(void *)(block + layout->tree);
  *tree = (grz_tree){(const grz_tree_node *)(void *)(block + layout->nodes), count};
  *compound = (graze_compound){.count = count, .internal_edge_count = internal_edges, .tree = tree, .allocator = from};
  compound->parts = (graze_placed *)(void *)(block + layout->parts);
  compound->internal_edges = (const grz_compound_internal_edge *)(void *)(block + layout->internal_edges);
  return compound;
}

/* Computes all other members from the parts. Releases the block on failure. */
static graze_status compound_finish(graze_compound *made, const compound_layout *layout, graze_compound **compound,
                                    graze_error *error) {
  made->dim = made->parts[0].shape.dim;
  compound_measure(made);
  graze_status status = compound_make_tree(made, (grz_tree_node *)(void *)((char *)made + layout->nodes), error);
  if (status == GRAZE_OK)
    *compound = made;
  else
    graze_compound_destroy(made);
  return status;
}

graze_status graze_compound_create(const graze_placed *parts, size_t count, const graze_allocator *allocator,
                                   graze_compound **compound, graze_error *error) {
  graze_status status = parts_validate(parts, count, error);
  if (status != GRAZE_OK) return status;
  compound_layout layout = layout_make(count, 0, 0);
  graze_compound *made = compound_allocate(&layout, count, 0, allocator);
  if (made == NULL) return compound_fail(error, GRAZE_OUT_OF_MEMORY, -1, 0);
  for (size_t i = 0; i < count; i++) made->parts[i] = parts[i];
  status = compound_finish(made, &layout, compound, error);
  if (status == GRAZE_OK && error != NULL) *error = grz_error(GRAZE_OK, "", -1, 0);
  return status;
}

void graze_compound_destroy(graze_compound *compound) {
  if (compound == NULL) return;
  graze_allocator allocator = compound->allocator;
  grz_release(&allocator, compound);
}

/* Finds an edge of a piece by its ends. Returns false if there is none. */
static bool piece_find_edge(const graze_placed *piece, graze_vec from, graze_vec to, int32_t *at, int32_t *next) {
  const graze_vec *v = piece->shape.as.hull.vertices;
  size_t count = piece->shape.as.hull.count;
  for (size_t i = 0; i < count; i++) {
    size_t after = i + 1 < count ? i + 1 : 0;
    if (!vec_equal(v[i], from) || !vec_equal(v[after], to)) continue;
    *at = (int32_t)i, *next = (int32_t)after;
    return true;
  }
  return false;
}

/* An internal edge is an edge of its left piece, and the reverse of an edge of its right piece. */
static bool internal_edge_make(const graze_compound *compound, const graze_internal_edge *edge,
                               grz_compound_internal_edge *made) {
  size_t left = (size_t)edge->left, right = (size_t)edge->right;
  if (left >= compound->count || right >= compound->count) return false;
  *made = (grz_compound_internal_edge){.left = edge->left, .right = edge->right};
  int32_t *l = made->vertex_left, *r = made->vertex_right;
  return piece_find_edge(&compound->parts[left], edge->from, edge->to, &l[0], &l[1]) &&
         piece_find_edge(&compound->parts[right], edge->to, edge->from, &r[1], &r[0]);
}

/* The polygon is convex, so any corner with a turn decides. */
static bool polygon_is_counter_clockwise(const graze_vec *v, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int turn = grz_orient2(v[i], v[(i + 1) % count], v[(i + 2) % count]);
    if (turn != 0) return turn > 0;
  }
  return false;
}

static graze_status piece_place(const graze_vec *vertices, size_t count, graze_placed *part) {
  graze_shape piece = graze_polygon(vertices, count);
  *part = graze_place(&piece, graze_pose_at(0, 0, 0));
  if (part->status != GRAZE_OK) return part->status;
  return polygon_is_counter_clockwise(vertices, count) ? GRAZE_OK : GRAZE_BAD_SHAPE;
}

static bool is_increasing(const size_t *start, size_t count) {
  bool rising = start[0] == 0;
  for (size_t i = 0; i < count; i++) rising = rising && start[i] < start[i + 1];
  return rising;
}

/* Copies the vertices and places the pieces as parts. */
static graze_status pieces_place(const graze_decomposition *decomposition, graze_compound *compound,
                                 graze_vec *vertices, grz_compound_internal_edge *internal_edges) {
  const size_t *start = decomposition->piece_start;
  for (size_t i = 0; i < start[compound->count]; i++) vertices[i] = decomposition->vertices[i];
  for (size_t i = 0; i < compound->count; i++) {
    graze_status status = piece_place(vertices + start[i], start[i + 1] - start[i], &compound->parts[i]);
    if (status != GRAZE_OK) return status;
  }
  for (size_t i = 0; i < compound->internal_edge_count; i++) {
    if (!internal_edge_make(compound, &decomposition->internal_edges[i], &internal_edges[i])) return GRAZE_BAD_SHAPE;
  }
  return GRAZE_OK;
}

graze_status graze_decomposition_compound(const graze_decomposition *decomposition, const graze_allocator *allocator,
                                          graze_compound **compound) {
  size_t count = decomposition->piece_count, internal_edges = decomposition->internal_edge_count;
  if (count == 0 || count > INT32_MAX || !is_increasing(decomposition->piece_start, count)) return GRAZE_BAD_SHAPE;
  compound_layout layout = layout_make(count, internal_edges, decomposition->piece_start[count]);
  graze_compound *made = compound_allocate(&layout, count, internal_edges, allocator);
  if (made == NULL) return GRAZE_OUT_OF_MEMORY;
  char *block = (char *)made;
  graze_status status = pieces_place(decomposition, made, (graze_vec *)(void *)(block + layout.vertices),
                                     (grz_compound_internal_edge *)(void *)(block + layout.internal_edges));
  if (status == GRAZE_OK) return compound_finish(made, &layout, compound, NULL);
  graze_compound_destroy(made);
  return status;
}

graze_shape graze_compound_shape(const graze_compound *compound) {
  graze_shape shape = {.kind = GRAZE_COMPOUND, .dim = compound->dim, .as.compound = compound};
  return shape;
}
