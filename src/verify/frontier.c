/* Checks a frontier: the proof that no pair of parts of two bodies is nearer than a bound.
 *
 * The nodes cut the set of all pairs into disjoint products of ranges, so no pair is left out, whatever they are. A
 * direction d bounds the distance of all pairs of two ranges by gap(d)/|d| - r, exactly as for two convex shapes.
 * Proof: docs/theory/meshes.md, "Frontiers". */
#include "verify/verify.h"

#include "shape/placed.h"

#include <string.h>

enum {
  FRONTIER_WORDS = 4096,                /* of the bit set: a pass over an order covers 64 parts per word */
  FRONTIER_STACK = 7 * 2 * 11 + 1 + 16, /* a split adds 7; ranges of int32_t parts are split 11 times */
};

typedef struct part_range {
  size_t first, count;
} part_range;

typedef struct part_ranges {
  part_range a, b;
} part_ranges;

/* Returns whether each part occurs exactly once. */
static bool order_is_complete(const uint32_t *order, size_t count) {
  uint64_t seen[FRONTIER_WORDS];
  const size_t block = (size_t)64 * FRONTIER_WORDS;
  for (size_t from = 0; order != NULL && from < count; from += block) {
    size_t found = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < count; i++) {
      const size_t at = (size_t)order[i] - from; /* wraps around for parts before `from` */
      if (order[i] >= count) return false;
      if (at >= block) continue;
      const uint64_t bit = UINT64_C(1) << at % 64;
      found += (seen[at / 64] & bit) == 0;
      seen[at / 64] |= bit;
    }
    if (found != (count - from < block ? count - from : block)) return false;
  }
  return true;
}

static int32_t part_at(const uint32_t *order, size_t position) {
  return (int32_t)(order != NULL ? order[position] : position);
}

/* ---- Directions */

typedef struct direction_check {
  const grz_frontier_check *check;
  const graze_frontier_node *node;
  part_ranges of;
  bool compound; /* one body is a compound */
} direction_check;

/* Checks the direction for two convex shapes or ranges of faces. */
static graze_status direction_check_gap(const direction_check *q, grz_exact_cso *exact) {
  const grz_direction vector = {.form = GRAZE_DIRECTION_VECTOR, .vector = q->node->direction};
  const graze_relation relation = q->check->relation;
  const double lower = q->check->lower;
  grz_bvec d;
  grz_gap gap;
  if (exact->a->kind == GRAZE_HALFSPACE || exact->b->kind == GRAZE_HALFSPACE)
    d = grz_halfspace_direction(exact);
  else if (!grz_parse_direction(exact, &vector, &d))
    return GRAZE_REFUTED;
  if (!grz_gap_make(exact, d, &gap)) return GRAZE_UNPROVEN;
  const int sign = grz_gap_sign(exact, &gap, exact->radius);
  if (relation == GRAZE_SEPARATED && sign <= 0) return GRAZE_REFUTED;
  if (relation == GRAZE_TOUCHING && sign < 0) return GRAZE_REFUTED;
  if (relation == GRAZE_TOUCHING && sign == 0 && q->compound) return GRAZE_UNPROVEN; /* perhaps an internal edge */
  if (!(lower >= -GRZ_DISTANCE_MAX)) return GRAZE_OK;
  const grz_big bound = grz_big_add(exact->arena, grz_big_of(exact->arena, lower), exact->radius);
  return grz_check_result(grz_gap_sign(exact, &gap, bound) >= 0);
}

/* The faces of a mesh are checked at once, the parts of a compound one after the other. */
static graze_status direction_check_ranges(grz_arena *arena, void *context) {
  const direction_check *q = context;
  const grz_frontier_check *c = q->check;
  const graze_frontier *frontier = c->frontier;
  const part_range a = q->of.a, b = q->of.b;
  const bool mesh_a = c->a->shape.kind == GRAZE_MESH, mesh_b = c->b->shape.kind == GRAZE_MESH;
  for (size_t i = 0; i < (mesh_a ? 1 : a.count); i++) {
    for (size_t k = 0; k < (mesh_b ? 1 : b.count); k++) {
      const size_t mark = arena->used;
      graze_frame frame_a, frame_b;
      const graze_placed part_a =
          mesh_a ? *c->a : graze_part(c->a, (size_t)part_at(frontier->order_a, a.first + i), &frame_a);
      const graze_placed part_b =
          mesh_b ? *c->b : graze_part(c->b, (size_t)part_at(frontier->order_b, b.first + k), &frame_b);
      const grz_faces faces_a = {mesh_a ? &c->a->shape.as.mesh->def : NULL, frontier->order_a, a.first, a.count};
      const grz_faces faces_b = {mesh_b ? &c->b->shape.as.mesh->def : NULL, frontier->order_b, b.first, b.count};
      grz_exact_cso exact = grz_exact_cso_make(arena, &part_a, &part_b, c->clearance);
      exact.faces_a = mesh_a ? &faces_a : NULL, exact.faces_b = mesh_b ? &faces_b : NULL;
      const graze_status status = direction_check_gap(q, &exact);
      if (status != GRAZE_OK || arena->full) return status;
      arena->used = mark;
    }
  }
  return GRAZE_OK;
}

/* ---- The tree */

/* Pushes the products of the subranges of one range with the other range; the first one comes last. */
static int frontier_split(part_ranges of, bool split_a, part_ranges *stack) {
  const part_range whole = split_a ? of.a : of.b;
  const size_t step = grz_frontier_step(whole.count), parts = (whole.count + step - 1) / step;
  for (size_t i = 0; i < parts; i++) {
    const size_t from = (parts - 1 - i) * step;
    const part_range range = {whole.first + from, whole.count - from < step ? whole.count - from : step};
    stack[i] = split_a ? (part_ranges){range, of.b} : (part_ranges){of.a, range};
  }
  return (int)parts;
}

graze_status grz_verify_frontier(const grz_frontier_check *check) {
  const graze_frontier *frontier = check->frontier;
  part_ranges stack[FRONTIER_STACK];
  const size_t count_a = graze_part_count(check->a), count_b = graze_part_count(check->b);
  const bool compound = check->a->shape.kind == GRAZE_COMPOUND || check->b->shape.kind == GRAZE_COMPOUND;
  size_t pairs = 0;
  int count = 0;
  graze_status status = GRAZE_OK;
  if (frontier->nodes == NULL || frontier->node_count == 0) return GRAZE_REFUTED;
  if (!order_is_complete(frontier->order_a, count_a) || !order_is_complete(frontier->order_b, count_b))
    return GRAZE_REFUTED;
  stack[count++] = (part_ranges){{0, count_a}, {0, count_b}};
  for (size_t i = 0; i < frontier->node_count && status != GRAZE_REFUTED; i++) {
    const graze_frontier_node *node = &frontier->nodes[i];
    if (count == 0) return GRAZE_REFUTED;
    const part_ranges of = stack[--count];
    const bool split_a = node->kind == GRAZE_FRONTIER_SPLIT_A;
    if (split_a || node->kind == GRAZE_FRONTIER_SPLIT_B) {
      if ((split_a ? of.a.count : of.b.count) < 2) return GRAZE_REFUTED;
      count += frontier_split(of, split_a, stack + count);
    } else if (node->kind == GRAZE_FRONTIER_DIRECTION) {
      direction_check q = {check, node, of, compound};
      status = grz_check_weaker(status, grz_check_in_arena(direction_check_ranges, &q));
    } else if (node->kind == GRAZE_FRONTIER_PAIR && of.a.count == 1 && of.b.count == 1) {
      const int32_t a = part_at(frontier->order_a, of.a.first), b = part_at(frontier->order_b, of.b.first);
      status = grz_check_weaker(status, check->check_pair(check->context, pairs++, a, b));
    } else {
      return GRAZE_REFUTED;
    }
  }
  return count == 0 ? status : GRAZE_REFUTED;
}
