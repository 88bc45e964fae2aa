/* The random numbers of all tests: splitmix64 (Steele, Lea, Flood 2014), started from the seed that a test states. Uses
 * integers and exact scaling only, so a seed gives the same numbers everywhere. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <graze/graze.h>

typedef uint64_t rng; /* `rng random = 42;` starts the sequence with seed 42 */

uint64_t rng_bits(rng *random);
double rng_uniform(rng *random, double low, double high);
int rng_below(rng *random, int count); /* 0 … count - 1 */
size_t rng_index(rng *random, size_t count);
int rng_between(rng *random, int low, int high); /* low … high */
bool rng_coin(rng *random);
graze_vec rng_vec(rng *random, int dim, double half);               /* in the cube [-half, half]^dim */
graze_vec rng_lattice_vec(rng *random, int dim, int low, int high); /* of whole numbers low … high */

/* A number of random sign and magnitude, 2^low to 2^(high + 1); a vector of such numbers. */
double rng_magnitude(rng *random, int low, int high);
graze_vec rng_magnitude_vec(rng *random, int dim, int low, int high);

#endif
