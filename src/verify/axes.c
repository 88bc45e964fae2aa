/* Proofs by candidate axes in exact arithmetic: every facet normal of C is a face normal of a box, the product of two
 * edges of boxes, or in 2D an edge normal. Proof: docs/theory/certificates.md, "By axes". */
#include "verify/verify.h"

/* Checks that the support of C in directions d and -d is at least `depth`, or, if `strictly`, more than it. The zero
 * direction needs no check. */
static bool axis_check(grz_exact_cso *exact, grz_bvec d, grz_big depth, bool strictly) {
  grz_arena *arena = exact->arena;
  const size_t mark = arena->used;
  bool holds = true;
  for (int sign = 0; sign < 2 && !grz_bvec_is_zero(d); sign++) {
    grz_gap gap;
    holds = holds && grz_gap_make(exact, d, &gap) && grz_gap_sign(exact, &gap, grz_big_neg(depth)) <= -(int)strictly;
    d = grz_bvec_neg(d);
  }
  arena->used = mark;
  return holds;
}

/* Local axis i of a box in the world, times a positive number: column i of the rotation. */
static grz_bvec axis_of_box(const grz_bvec *rows, int i) {
  const grz_bvec x = {rows[0].x, rows[1].x, rows[2].x}, y = {rows[0].y, rows[1].y, rows[2].y};
  const grz_bvec z = {rows[0].z, rows[1].z, rows[2].z};
  return i == 0 ? x : i == 1 ? y : z;
}

/* The normal of edge i of a polygon or triangle in 2D in the world, times a positive or negative number. */
static grz_bvec axis_of_edge(grz_arena *arena, const graze_shape *shape, const grz_bvec *rows, size_t i) {
  const graze_vec from = grz_core_vertex(shape, i),
                  to = grz_core_vertex(shape, i + 1 < grz_core_count(shape) ? i + 1 : 0);
  const grz_bvec edge = grz_bvec_sub(arena, grz_bvec_of(arena, to), grz_bvec_of(arena, from));
  const grz_big x = grz_bvec_dot(arena, rows[0], edge), y = grz_bvec_dot(arena, rows[1], edge);
  return (grz_bvec){y, grz_big_neg(x), grz_big_zero()};
}

/* Checks the face normals of a box, or the edge normals of a polygon or triangle. */
static bool axes_check_own(grz_exact_cso *exact, const graze_shape *shape, const grz_bvec *rows, grz_big depth,
                           bool strictly) {
  const bool box = shape->kind == GRAZE_BOX;
  const size_t count = box ? (size_t)exact->dim : grz_core_count(shape);
  bool holds = true;
  for (size_t i = 0; i < count && holds; i++) {
    const size_t mark = exact->arena->used;
    const grz_bvec d = box ? axis_of_box(rows, (int)i) : axis_of_edge(exact->arena, shape, rows, i);
    holds = axis_check(exact, d, depth, strictly);
    exact->arena->used = mark;
  }
  return holds;
}

/* Returns whether all vertices are on one line. */
static bool axes_are_parallel(const graze_shape *shape) {
  for (size_t i = 2; shape->kind != GRAZE_BOX && i < grz_core_count(shape); i++)
    if (grz_orient2(grz_core_vertex(shape, 0), grz_core_vertex(shape, i - 1), grz_core_vertex(shape, i)) != 0)
      return false;
  return shape->kind != GRAZE_BOX;
}

graze_status grz_check_axes(grz_exact_cso *exact, grz_big depth, bool strictly) {
  grz_arena *arena = exact->arena;
  const grz_bvec *rows_a = exact->placement.to_world_a, *rows_b = exact->placement.to_world_b;
  if (!grz_has_axes(exact->a) || !grz_has_axes(exact->b)) return GRAZE_REFUTED;
  if (axes_are_parallel(exact->a) && axes_are_parallel(exact->b)) return GRAZE_REFUTED; /* perhaps no axis along C */
  if (!axes_check_own(exact, exact->a, rows_a, depth, strictly)) return GRAZE_REFUTED;
  if (!axes_check_own(exact, exact->b, rows_b, depth, strictly)) return GRAZE_REFUTED;
  for (int k = 0; k < 9 && exact->dim == 3; k++) {
    const size_t mark = arena->used;
    const grz_bvec product = grz_bvec_cross(arena, axis_of_box(rows_a, k / 3), axis_of_box(rows_b, k % 3));
    const bool holds = axis_check(exact, product, depth, strictly);
    arena->used = mark;
    if (!holds) return GRAZE_REFUTED;
  }
  return GRAZE_OK;
}
