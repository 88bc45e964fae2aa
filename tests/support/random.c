#include "support/random.h"

#include <math.h>

uint64_t rng_bits(rng *random) {
  uint64_t z = *random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

double rng_uniform(rng *random, double low, double high) {
  return low + (high - low) * ((double)(rng_bits(random) >> 11) * 0x1p-53);
}

int rng_below(rng *random, int count) { return (int)(rng_bits(random) % (uint64_t)count); }

size_t rng_index(rng *random, size_t count) { return (size_t)(rng_bits(random) % count); }

int rng_between(rng *random, int low, int high) { return low + rng_below(random, high - low + 1); }

bool rng_coin(rng *random) { return rng_bits(random) >> 63; }

graze_vec rng_vec(rng *random, int dim, double half) {
  graze_vec v = {rng_uniform(random, -half, half), 0, 0};
  v.y = rng_uniform(random, -half, half);
  if (dim == 3) v.z = rng_uniform(random, -half, half);
  return v;
}

graze_vec rng_lattice_vec(rng *random, int dim, int low, int high) {
  graze_vec v = {rng_between(random, low, high), 0, 0};
  v.y = rng_between(random, low, high);
  if (dim == 3) v.z = rng_between(random, low, high);
  return v;
}

double rng_magnitude(rng *random, int low, int high) {
  const int exponent = rng_between(random, low, high);
  const double x = ldexp(rng_uniform(random, 1, 2), exponent);
  return rng_coin(random) ? -x : x;
}

graze_vec rng_magnitude_vec(rng *random, int dim, int low, int high) {
  graze_vec v = {rng_magnitude(random, low, high), 0, 0};
  v.y = rng_magnitude(random, low, high);
  if (dim == 3) v.z = rng_magnitude(random, low, high);
  return v;
}
