/* SIMD kernels for many pairs, compiled once for each instruction set, and their selection. */
#ifndef GRAZE_BATCH_KERNELS_H
#define GRAZE_BATCH_KERNELS_H

#include "core/vec.h"
#include "narrow/axes.h"
#include "simd/isa.h"

enum {
  GRZ_BATCH_WIDTH = 16,      /* the largest number of SIMD elements; counts of pairs are multiples of it */
  GRZ_BATCH_CHUNK = 256,     /* pairs of a chunk */
  GRZ_BATCH_MAX_POINTS = 64, /* of a point set */
  GRZ_BATCH_BLOCK = 24,      /* numbers of eight points: x of all, y of all, z of all */
};

typedef struct grz_batch_box {
  float extents[4]; /* rounded half extents; the fourth is 0 */
} grz_batch_box;

/* The core vertices of a shape in blocks of eight. The first vertex fills the last block. */
typedef struct grz_batch_point_set {
  const double *points;
  uint32_t blocks; /* 1, 2, 4 or 8; 0: no vertices, or too many */
  double bounding_radius, radius;
} grz_batch_point_set;

/* Input of a kernel: arrays of pointers to poses and cores. */
typedef struct grz_batch_pairs {
  const double *const *pose[2]; /* a graze_pose as seven doubles: position, w, x, y, z */
  const void *const *core[2];   /* both grz_batch_box or both grz_batch_point_set */
  const double *clearance;      /* of point sets */
} grz_batch_pairs;

/* A relation that a kernel leaves undecided. */
enum { GRZ_BATCH_UNDECIDED = 0 };

/* The numbers of a distance. */
typedef struct grz_batch_numbers {
  double distance, lower, upper;
  graze_vec normal, point_a, point_b;
} grz_batch_numbers;

/* The kernels of one instruction set. All sets return the same bits. Every relation is proved or GRZ_BATCH_UNDECIDED;
 * proofs: docs/theory/simd.md. */
typedef struct grz_batch_kernels {
  const char *name;
  int width; /* doubles per register */
  /* Relations of boxes. */
  void (*boxes)(const grz_batch_pairs *pairs, size_t count, uint8_t *relation);
  /* Relations of boxes around moving bodies. GRAZE_SEPARATED: by more than both margins, at all times. */
  void (*bodies)(const grz_oriented_pairs *pairs, size_t count, uint8_t *relation);
  /* Relations of point sets of one dimension. */
  void (*intersect)(const grz_batch_pairs *pairs, size_t count, int dim, uint8_t *relation);
  /* Relations and numbers of point sets. Beyond max_distance the lower bound is the only number. */
  void (*distance)(const grz_batch_pairs *pairs, size_t count, int dim, double max_distance, uint8_t *relation,
                   grz_batch_numbers *numbers);
} grz_batch_kernels;

extern const grz_batch_kernels grz_batch_portable;
#ifdef GRZ_SIMD_X86
extern const grz_batch_kernels grz_batch_sse2, grz_batch_avx2, grz_batch_avx512;
#endif
#ifdef GRZ_SIMD_NEON
extern const grz_batch_kernels grz_batch_neon;
#endif

/* Returns the kernels with this name; NULL if the machine or the build has none. */
const grz_batch_kernels *grz_batch_named(const char *name);

/* Returns the kernels that the environment variable GRAZE_SIMD names, or else the widest. */
const grz_batch_kernels *grz_batch_select(void);

#endif
