/* Two exactly rigid placements, cleared of denominators. With R(q) = M(q)/(q·q):
 *
 *   scale · w = to_world_a · va - to_world_b · vb + offset,   w = (R_a va + p_a) - (R_b vb + p_b),
 *
 * scale = (q_a·q_a)(q_b·q_b) > 0, to_world_a = (q_b·q_b) M(q_a), to_world_b = (q_a·q_a) M(q_b),
 * offset = scale·(p_a - p_b). Every predicate about w is the sign of a polynomial in these.
 *
 * The part of a compound, in the frame (q_c, p_c), has R_a = R(q_c) R(q_a) = R(q_c q_a) and stands at R(q_c) p_a + p_c:
 * the same with the exact product for q_a. A part that is not turned, or whose frame is not, needs no product, and one
 * that is not moved either is placed as its frame is, by the same numbers.
 *
 * Bodies in linear motion: p_a - p_b + from·(velocity_a - velocity_b) stands for p_a - p_b, and
 * sweep = scale·(to - from)·(velocity_a - velocity_b). */
#ifndef GRAZE_EXACT_PLACEMENT_H
#define GRAZE_EXACT_PLACEMENT_H

#include "exact/big.h"

typedef struct grz_placement {
  grz_bvec to_world_a[3], to_world_b[3]; /* rows */
  grz_big scale;
  grz_bvec offset;
  grz_bvec sweep; /* zero of bodies that do not move */
} grz_placement;

/* Reads the poses, and of parts the frames. */
grz_placement grz_placement_make(grz_arena *arena, const graze_placed *a, const graze_placed *b);

/* scale·w for one local point of each body. */
grz_bvec grz_placement_point(grz_arena *arena, const grz_placement *placing, graze_vec va, graze_vec vb);
/* The same for a pair's points, at its end of the interval. */
grz_bvec grz_placement_point_at(grz_arena *arena, const grz_placement *placing, graze_vec va, graze_vec vb, int end);

/* A world direction seen from body A (B): to_world^T d. (scale·w)·d = local_a(d)·va - local_b(d)·vb + offset·d. */
grz_bvec grz_placement_local_a(grz_arena *arena, const grz_placement *placing, grz_bvec d);
grz_bvec grz_placement_local_b(grz_arena *arena, const grz_placement *placing, grz_bvec d);

#endif
