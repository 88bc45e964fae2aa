/* Placements in rational arithmetic, and random ones to try. */
#ifndef TESTS_SHAPE_TRUTH_H
#define TESTS_SHAPE_TRUTH_H

#include <gmp.h>

#include <graze/graze.h>

/* R(q) = M(q)/(q·q), row by row. */
typedef struct truth_rotation {
  mpq_t at[9];
} truth_rotation;

void truth_rotation_init(truth_rotation *rotation);
void truth_rotation_clear(truth_rotation *rotation);
void truth_rotation_set(truth_rotation *rotation, const graze_pose *pose);

/* out = row i of R times v. */
void truth_row_times(mpq_t out, const truth_rotation *rotation, int i, graze_vec v);

/* Where a local point of a placed shape, or of the part of a compound, is in the world. */
void truth_world(mpq_t at[3], const graze_placed *placed, graze_vec local);

/* A generator (xorshift64*) that starts from any nonzero state. */
uint64_t truth_bits(uint64_t *state);
double truth_uniform(uint64_t *state, double low, double high);
int truth_below(uint64_t *state, int count); /* 0 … count-1 */

/* A number of a random magnitude, 2^low to 2^(high + 1), and a random sign. */
double truth_spread(uint64_t *state, int low, int high);

/* Vectors of such numbers, and of numbers up to `size`, z = 0 in 2D. */
graze_vec truth_spread_vec(uint64_t *state, int dim, int low, int high);
graze_vec truth_uniform_vec(uint64_t *state, int dim, double size);

/* Poses with quaternions of every kind: unit and not, tiny, huge, of very unequal components, about an axis, rotations
 * that take axes to axes, and nearly those. */
graze_pose truth_pose(uint64_t *state, int dim);

#endif
