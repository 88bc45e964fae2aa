/* What runs over the lanes, and how one of the machine's ways to do it is chosen. */
#ifndef GRAZE_BATCH_KERNELS_H
#define GRAZE_BATCH_KERNELS_H

#include "narrow/obb.h"
#include "simd/isa.h"
#include "core/vec.h"

/* Pairs come in multiples of this, the largest number of lanes; the last one may be repeated. */
enum { GRZ_BATCH_WIDTH = 16 };

/* A list of core vertices as kernels read it: x of eight, y of these, z of these, then the next eight; the first one
 * again where they are not full. */
enum { GRZ_BATCH_POINTS = 64, GRZ_BATCH_ROW = 24 };

typedef struct grz_batch_box {
  float extents[4]; /* rounded; as in grz_oriented */
} grz_batch_box;

typedef struct grz_batch_list {
  const double *points;
  uint32_t blocks; /* of eight: 1, 2, 4 or 8; 0: no list, or too long */
  double reach, radius;
} grz_batch_list;

/* Pairs on their way through lanes, up to a chunk of them and what fills up the last lanes. */
enum { GRZ_BATCH_CHUNK = 256, GRZ_BATCH_ROOM = GRZ_BATCH_CHUNK + GRZ_BATCH_WIDTH };

typedef struct grz_batch_pairs {
  const double *const *pose[2]; /* of each a graze_pose, as seven doubles: position, w, x, y, z */
  const void *const *core[2];   /* both a grz_batch_box or both a grz_batch_list */
  const double *clearance;      /* of lists */
} grz_batch_pairs;

/* What lanes know; 0, GRZ_BATCH_UNKNOWN: nothing. Otherwise the relation. */
enum { GRZ_BATCH_UNKNOWN = 0 };

/* The numbers of a distance. */
typedef struct grz_batch_numbers {
  double distance, lower, upper;
  graze_vec normal, point_a, point_b;
} grz_batch_numbers;

typedef struct grz_batch_kernels {
  const char *name;
  int lanes;
  /* Two boxes: docs/theory/simd.md, "Boxes". */
  void (*boxes)(const grz_batch_pairs *pairs, size_t count, uint8_t *verdict);
  /* Two boxes that hold cores, each grown: separated is said of what is apart at all times by more than both grow. */
  void (*bodies)(const grz_oriented_pairs *pairs, size_t count, uint8_t *verdict);
  /* Two lists of points: "Lists of points". `dim` is that of all. */
  void (*meet)(const grz_batch_pairs *pairs, size_t count, int dim, uint8_t *verdict);
  /* … and the numbers, where a verdict comes with any; beyond `most` only a lower bound. */
  void (*measure)(const grz_batch_pairs *pairs, size_t count, int dim, double most, uint8_t *verdict,
                  grz_batch_numbers *numbers);
} grz_batch_kernels;

extern const grz_batch_kernels grz_batch_portable;
#ifdef GRZ_SIMD_X86
extern const grz_batch_kernels grz_batch_sse2, grz_batch_avx2, grz_batch_avx512;
#endif
#ifdef GRZ_SIMD_NEON
extern const grz_batch_kernels grz_batch_neon;
#endif

/* Those of this name; NULL where this machine, or this build, has none. */
const grz_batch_kernels *grz_batch_named(const char *name);

/* The widest, or those that GRAZE_SIMD in the environment names. */
const grz_batch_kernels *grz_batch_select(void);

#endif
