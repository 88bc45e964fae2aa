/* Vectors of whole numbers and fractions of them, in 64 bits, for truths without rounding. The caller ensures that
 * nothing overflows. */
#ifndef ORACLE_WHOLE_H
#define ORACLE_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 whole_wide;

typedef struct whole {
  int64_t x, y, z;
} whole;

static inline whole whole_minus(whole p, whole q) { return (whole){p.x - q.x, p.y - q.y, p.z - q.z}; }

static inline int64_t whole_dot(whole p, whole q) { return p.x * q.x + p.y * q.y + p.z * q.z; }

static inline whole whole_cross(whole p, whole q) {
  return (whole){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}

/* below > 0 */
typedef struct fraction {
  int64_t above, below;
} fraction;

static inline bool fraction_less(fraction p, fraction q) {
  return (whole_wide)p.above * q.below < (whole_wide)q.above * p.below;
}

#endif
