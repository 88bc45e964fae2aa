/* The bits of a double, as an integer. */
#ifndef GRAZE_CORE_BITS_H
#define GRAZE_CORE_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint64_t real_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double real_of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#endif
