/* Making compounds: one block holds the compound, its parts, its tree, and what a decomposition gave. */
#include "core/error.h"
#include <graze/build.h>

#include "core/memory.h"
#include "exact/predicates.h"
#include "core/vec.h"
#include "shape/placed.h"
#include "shape/placed.h"
#include "shape/tree.h"

/* Where things stand in the block, in bytes; every one of them is made of doubles, pointers or numbers of 8 bytes. */
typedef struct assemble_plan {
  size_t parts, tree, nodes, internal_edges, vertices, size;
  bool overflow;
} assemble_plan;

static size_t assemble_room(assemble_plan *plan, size_t count, size_t size) {
  size_t at = plan->size;
  if (count > (SIZE_MAX - at) / size)
    plan->overflow = true;
  else
    plan->size = at + (count * size + 7) / 8 * 8;
  return at;
}

static assemble_plan assemble_lay_out(size_t parts, size_t internal_edges, size_t vertices) {
  assemble_plan plan = {.size = 0};
  (void)assemble_room(&plan, 1, sizeof(graze_compound));
  plan.parts = assemble_room(&plan, parts, sizeof(graze_placed));
  plan.tree = assemble_room(&plan, 1, sizeof(grz_tree));
  plan.nodes = assemble_room(&plan, grz_tree_nodes(parts), sizeof(grz_tree_node));
  plan.internal_edges = assemble_room(&plan, internal_edges, sizeof(grz_compound_internal_edge));
  plan.vertices = assemble_room(&plan, vertices, sizeof(graze_vec));
  return plan;
}

static graze_status assemble_fail(graze_error *error, graze_status status, ptrdiff_t index, double value) {
  if (error != NULL) *error = grz_error(status, "parts", index, value);
  return status;
}

static graze_status assemble_judge_part(const graze_placed *part, int dim) {
  if (part->status != GRAZE_OK) return part->status;
  if (part->hidden.is_part || part->shape.kind == GRAZE_HALFSPACE || part->shape.kind == GRAZE_COMPOUND)
    return GRAZE_UNSUPPORTED;
  return part->shape.dim == dim ? GRAZE_OK : GRAZE_DIM_MISMATCH;
}

static graze_status assemble_judge(const graze_placed *parts, size_t count, graze_error *error) {
  if (count == 0 || count > INT32_MAX) return assemble_fail(error, GRAZE_BAD_SHAPE, -1, (double)count);
  for (size_t i = 0; i < count; i++) {
    graze_status status = assemble_judge_part(&parts[i], parts[0].shape.dim);
    if (status != GRAZE_OK) return assemble_fail(error, status, (ptrdiff_t)i, 0);
  }
  return GRAZE_OK;
}

/* What all parts have in common. */
static void assemble_measure(graze_compound *compound) {
  for (size_t i = 0; i < compound->count; i++) {
    const graze_placed *part = &compound->parts[i];
    compound->reach = real_max(compound->reach, grz_part_bounding_radius(part));
    compound->radius = real_max(compound->radius, part->hidden.radius > 0 ? real_next_up(part->hidden.radius) : 0);
    compound->conditional = compound->conditional || part->shape.kind == GRAZE_USER;
  }
}

/* The tree over the bounds of the parts, which need room only now. */
static graze_status assemble_tree(graze_compound *compound, grz_tree_node *node, graze_error *error) {
  size_t count = compound->count;
  graze_aabb *box = grz_allocate(&compound->allocator, count, sizeof(graze_aabb) + sizeof(int32_t));
  if (box == NULL) return assemble_fail(error, GRAZE_OUT_OF_MEMORY, -1, 0);
  graze_status status = GRAZE_OK;
  for (size_t i = 0; i < count && status == GRAZE_OK; i++) {
    status = graze_bounds(&compound->parts[i], &box[i]);
    if (status != GRAZE_OK) (void)assemble_fail(error, status, (ptrdiff_t)i, 0);
  }
  if (status == GRAZE_OK) grz_tree_build(node, box, count, (int32_t *)(void *)(box + count));
  grz_release(&compound->allocator, box);
  return status;
}

/* An empty compound with room for what the plan says. */
static graze_compound *assemble_block(const assemble_plan *plan, size_t count, size_t internal_edges,
                                      const graze_allocator *allocator) {
  graze_allocator from = grz_allocator(allocator);
  char *block = plan->overflow ? NULL : grz_allocate(&from, 1, plan->size);
  if (block == NULL) return NULL;
  graze_compound *compound = (graze_compound *)(void *)block;
  grz_tree *tree = (grz_tree *)(void *)(block + plan->tree);
  *tree = (grz_tree){(const grz_tree_node *)(void *)(block + plan->nodes), count};
  *compound = (graze_compound){.count = count, .internal_edge_count = internal_edges, .tree = tree, .allocator = from};
  compound->parts = (graze_placed *)(void *)(block + plan->parts);
  compound->internal_edges = (const grz_compound_internal_edge *)(void *)(block + plan->internal_edges);
  return compound;
}

/* The parts stand in their places: everything else. Releases the block where that fails. */
static graze_status assemble_whole(graze_compound *made, const assemble_plan *plan, graze_compound **compound,
                                   graze_error *error) {
  made->dim = made->parts[0].shape.dim;
  assemble_measure(made);
  graze_status status = assemble_tree(made, (grz_tree_node *)(void *)((char *)made + plan->nodes), error);
  if (status == GRAZE_OK)
    *compound = made;
  else
    graze_compound_destroy(made);
  return status;
}

graze_status graze_compound_create(const graze_placed *parts, size_t count, const graze_allocator *allocator,
                                   graze_compound **compound, graze_error *error) {
  graze_status status = assemble_judge(parts, count, error);
  if (status != GRAZE_OK) return status;
  assemble_plan plan = assemble_lay_out(count, 0, 0);
  graze_compound *made = assemble_block(&plan, count, 0, allocator);
  if (made == NULL) return assemble_fail(error, GRAZE_OUT_OF_MEMORY, -1, 0);
  for (size_t i = 0; i < count; i++) made->parts[i] = parts[i];
  status = assemble_whole(made, &plan, compound, error);
  if (status == GRAZE_OK && error != NULL) *error = grz_error(GRAZE_OK, "", -1, 0);
  return status;
}

void graze_compound_destroy(graze_compound *compound) {
  if (compound == NULL) return;
  graze_allocator allocator = compound->allocator;
  grz_release(&allocator, compound);
}

/* Which edge of a piece that is: its ends, by number. False: none. */
static bool assemble_edge(const graze_placed *piece, graze_vec from, graze_vec to, int32_t *at, int32_t *next) {
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

/* An edge of the piece on its left, and in reverse of the one on its right. */
static bool assemble_seam(const graze_compound *compound, const graze_internal_edge *seam,
                          grz_compound_internal_edge *made) {
  size_t left = (size_t)seam->left, right = (size_t)seam->right;
  if (left >= compound->count || right >= compound->count) return false;
  *made = (grz_compound_internal_edge){.left = seam->left, .right = seam->right};
  int32_t *l = made->vertex_left, *r = made->vertex_right;
  return assemble_edge(&compound->parts[left], seam->from, seam->to, &l[0], &l[1]) &&
         assemble_edge(&compound->parts[right], seam->to, seam->from, &r[1], &r[0]);
}

/* Of a convex polygon, where any corner tells. */
static bool assemble_is_counter_clockwise(const graze_vec *v, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int turn = grz_orient2(v[i], v[(i + 1) % count], v[(i + 2) % count]);
    if (turn != 0) return turn > 0;
  }
  return false;
}

static graze_status assemble_piece(const graze_vec *vertices, size_t count, graze_placed *part) {
  graze_shape piece = graze_polygon(vertices, count);
  *part = graze_place(&piece, graze_pose_at(0, 0, 0));
  if (part->status != GRAZE_OK) return part->status;
  return assemble_is_counter_clockwise(vertices, count) ? GRAZE_OK : GRAZE_BAD_SHAPE;
}

static bool assemble_is_rising(const size_t *start, size_t count) {
  bool rising = start[0] == 0;
  for (size_t i = 0; i < count; i++) rising = rising && start[i] < start[i + 1];
  return rising;
}

/* Pieces as parts, over copies of the vertices. */
static graze_status assemble_pieces(const graze_decomposition *decomposition, graze_compound *compound,
                                    graze_vec *vertices, grz_compound_internal_edge *internal_edges) {
  const size_t *start = decomposition->piece_start;
  for (size_t i = 0; i < start[compound->count]; i++) vertices[i] = decomposition->vertices[i];
  for (size_t i = 0; i < compound->count; i++) {
    graze_status status = assemble_piece(vertices + start[i], start[i + 1] - start[i], &compound->parts[i]);
    if (status != GRAZE_OK) return status;
  }
  for (size_t i = 0; i < compound->internal_edge_count; i++) {
    if (!assemble_seam(compound, &decomposition->internal_edges[i], &internal_edges[i])) return GRAZE_BAD_SHAPE;
  }
  return GRAZE_OK;
}

graze_status graze_decomposition_compound(const graze_decomposition *decomposition, const graze_allocator *allocator,
                                          graze_compound **compound) {
  size_t count = decomposition->piece_count, internal_edges = decomposition->internal_edge_count;
  if (count == 0 || count > INT32_MAX || !assemble_is_rising(decomposition->piece_start, count)) return GRAZE_BAD_SHAPE;
  assemble_plan plan = assemble_lay_out(count, internal_edges, decomposition->piece_start[count]);
  graze_compound *made = assemble_block(&plan, count, internal_edges, allocator);
  if (made == NULL) return GRAZE_OUT_OF_MEMORY;
  char *block = (char *)made;
  graze_status status = assemble_pieces(decomposition, made, (graze_vec *)(void *)(block + plan.vertices),
                                        (grz_compound_internal_edge *)(void *)(block + plan.internal_edges));
  if (status == GRAZE_OK) return assemble_whole(made, &plan, compound, NULL);
  graze_compound_destroy(made);
  return status;
}
