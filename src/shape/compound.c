/* Construction of compounds. One block of memory holds the compound, its parts, its tree and the data of a
 * decomposition. */
#include "shape/shape.h"

#include "core/memory.h"
#include "shape/placed.h"

#include <graze/build.h>

enum { TREE_ALIGNMENT = 64 };

/* Offsets in the block, in bytes. All arrays have elements that are aligned to 8 bytes. */
typedef struct compound_layout {
  size_t tree, parts, internal_edges, vertices, size;
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
  layout.tree = layout_add(&layout, 1, grz_tree_bytes(parts) + TREE_ALIGNMENT);
  layout.parts = layout_add(&layout, parts, sizeof(graze_placed));
  layout.internal_edges = layout_add(&layout, internal_edges, sizeof(grz_compound_internal_edge));
  layout.vertices = layout_add(&layout, vertices, sizeof(graze_vec));
  return layout;
}

static graze_status compound_fail(graze_error *error, graze_status status, ptrdiff_t index, double value) {
  if (error == NULL) return status;
  *error = grz_error(status, "parts", index, value);
  if (status == GRAZE_UNSUPPORTED) error->allowed = "must not be half-spaces, meshes, compounds or parts of compounds";
  if (status == GRAZE_DIM_MISMATCH) error->allowed = "must have the dimension of the first part";
  return status;
}

static graze_status part_validate(const graze_placed *part, int dim) {
  if (part->status != GRAZE_OK) return part->status;
  if (placed_is_part(part) || part->shape.kind == GRAZE_HALFSPACE || grz_has_parts(&part->shape))
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

/* Builds the tree over the bounds of the parts. */
static graze_status compound_make_tree(graze_compound *compound, void *memory, graze_error *error) {
  const size_t count = compound->count;
  graze_status status = GRAZE_OK;
  graze_aabb box;
  for (size_t i = 0; i < count; i++) {
    status = graze_bounds(&compound->parts[i], &box);
    if (status != GRAZE_OK) return compound_fail(error, status, (ptrdiff_t)i, 0);
    compound->bounds.min = i == 0 ? box.min : vec_min(compound->bounds.min, box.min);
    compound->bounds.max = i == 0 ? box.max : vec_max(compound->bounds.max, box.max);
  }
  grz_tree_record *record = grz_allocate(&compound->allocator, count, sizeof *record + sizeof(uint64_t));
  if (record == NULL) return compound_fail(error, GRAZE_OUT_OF_MEMORY, -1, 0);
  grz_tree_make(&compound->tree, compound->dim, &compound->bounds, count, memory);
  for (size_t i = 0; i < count; i++) {
    (void)graze_bounds(&compound->parts[i], &box);
    grz_tree_round(&compound->tree, &box, record[i].side);
    record[i].item = (uint32_t)i, record[i].moves = 0;
  }
  grz_tree_build(&compound->tree, record, (uint64_t *)(void *)(record + count), count, NULL);
  grz_release(&compound->allocator, record);
  return GRAZE_OK;
}

/* Allocates an empty compound with the memory of the layout. */
static graze_compound *compound_allocate(const compound_layout *layout, size_t count, size_t internal_edges,
                                         const graze_allocator *allocator) {
  graze_allocator from = grz_allocator(allocator);
  char *block = layout->overflow ? NULL : grz_allocate(&from, 1, layout->size);
  if (block == NULL) return NULL;
  graze_compound *compound = (graze_compound *)(void *)block;
  *compound = (graze_compound){.count = count, .internal_edge_count = internal_edges, .allocator = from};
  compound->parts = (graze_placed *)(void *)(block + layout->parts);
  compound->internal_edges = (const grz_compound_internal_edge *)(void *)(block + layout->internal_edges);
  return compound;
}

/* Computes all other members from the parts. Releases the block on failure. */
static graze_status compound_finish(graze_compound *made, const compound_layout *layout, graze_compound **compound,
                                    graze_error *error) {
  made->dim = made->parts[0].shape.dim;
  compound_measure(made);
  char *tree = (char *)made + layout->tree;
  graze_status status = compound_make_tree(made, tree + (TREE_ALIGNMENT - (uintptr_t)tree % TREE_ALIGNMENT), error);
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

static graze_status piece_place(const graze_vec *vertices, size_t count, graze_placed *part) {
  graze_shape piece = graze_polygon(vertices, count);
  *part = graze_place(&piece, graze_pose_at(0, 0, 0));
  if (part->status != GRAZE_OK) return part->status;
  return part->winding > 0 ? GRAZE_OK : GRAZE_BAD_SHAPE;
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
