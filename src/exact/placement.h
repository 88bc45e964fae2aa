/* The exact relative placement of two bodies, scaled so that no number has a denominator. With R(q) = M(q)/(q·q):
 *
 *   scale · w = to_world_a · va - to_world_b · vb + offset,   w = (R_a va + p_a) - (R_b vb + p_b),
 *
 * scale = (q_a·q_a)(q_b·q_b) > 0, to_world_a = (q_b·q_b) M(q_a), to_world_b = (q_a·q_a) M(q_b),
 * offset = scale·(p_a - p_b). Every predicate about w is the sign of a polynomial in these numbers.
 *
 * A part of a compound in the frame (q_c, p_c) has R_a = R(q_c) R(q_a) = R(q_c q_a) and the position R(q_c) p_a + p_c.
 * The same formulas hold with the exact product for q_a. No product is formed if the part or its frame is not rotated.
 * A part that is neither rotated nor moved has the numbers of a shape with the pose of the frame.
 *
 * Bodies in linear motion: p_a - p_b + from·(velocity_a - velocity_b) replaces p_a - p_b, and
 * sweep = scale·(to - from)·(velocity_a - velocity_b).
 * Theory: docs/theory/exact.md, "Placements". */
#ifndef GRAZE_EXACT_PLACEMENT_H
#define GRAZE_EXACT_PLACEMENT_H

#include "exact/big.h"

typedef struct grz_placement {
  grz_bvec to_world_a[3], to_world_b[3]; /* rows */
  grz_big scale;
  grz_bvec offset;
  grz_bvec sweep; /* zero for bodies at rest */
} grz_placement;

/* The placement by the poses of a and b, and for parts also by their frames. */
grz_placement grz_placement_make(grz_arena *arena, const graze_placed *a, const graze_placed *b);

/* scale·w for one local point of each body. */
grz_bvec grz_placement_point(grz_arena *arena, const grz_placement *placement, graze_vec va, graze_vec vb);

/* The same at time a->from (end 0) or a->to (end 1). */
grz_bvec grz_placement_point_at(grz_arena *arena, const grz_placement *placement, graze_vec va, graze_vec vb, int end);

/* A world direction in local coordinates of A (B): to_world^T d. So (scale·w)·d = local_a(d)·va - local_b(d)·vb +
 * offset·d. */
grz_bvec grz_placement_local_a(grz_arena *arena, const grz_placement *placement, grz_bvec d);
grz_bvec grz_placement_local_b(grz_arena *arena, const grz_placement *placement, grz_bvec d);

#endif
