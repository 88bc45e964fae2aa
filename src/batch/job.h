/* Internal types of batches: oriented boxes, the SIMD kernels, tables, and the job whose chunks may run on several
 * threads. */
#ifndef GRAZE_BATCH_JOB_H
#define GRAZE_BATCH_JOB_H

#include "core/vec.h"
#include "simd/isa.h"

#include <graze/batch.h>

/* ---- Oriented boxes in float, for conservative SIMD tests of many pairs (batch/box_kernel.h) */
/* One cache line. In 2D all boxes have a thickness, so that boxes that overlap in the plane overlap in space. */
typedef struct grz_oriented {
  double at[4];  /* position, and 0 */
  float turn[4]; /* quaternion: w, x, y, z */
  float core[4]; /* half extents, and the radius added to them */
} grz_oriented;

/* Computes a box about the local origin that contains the core. The radius is that of the shape plus `grow`. Returns
 * false for half-spaces. */
bool grz_oriented_make(grz_oriented *box, const graze_placed *placed, double grow);

/* Updates the pose, which is that of the body, not of a part of a compound. */
void grz_oriented_place(grz_oriented *box, const graze_placed *placed);

/* Bounds of a body with a box core, grown by `grow`, rounded outward. */
void grz_oriented_bounds(const graze_placed *placed, double grow, graze_aabb *bounds);

/* Arrays of pairs. `displacement` NULL: bodies at rest. */
typedef struct grz_oriented_pairs {
  const grz_oriented *const *box[2];
  const double (*displacement)[4]; /* of B relative to A, with an error of three roundings; the last number is 0; the
                                    * bodies do not rotate */
} grz_oriented_pairs;

/* ---- SIMD kernels for many pairs, compiled once for each instruction set, and their selection */

enum {
  GRZ_BATCH_WIDTH = 16,      /* the largest number of SIMD elements; counts of pairs are multiples of it */
  GRZ_BATCH_CHUNK = 256,     /* pairs of a chunk */
  GRZ_BATCH_MAX_POINTS = 64, /* of a point set */
  GRZ_BATCH_BLOCK = 24,      /* numbers of eight points: x of all, y of all, z of all */
};

typedef struct grz_batch_box {
  float extents[4]; /* rounded half extents; the fourth is 0 */
} grz_batch_box;

/* The core vertices of a shape in blocks of eight. Copies of the first vertex fill the last block. */
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
  /* Relations of point sets, all in 2D or all in 3D. */
  void (*intersect)(const grz_batch_pairs *pairs, size_t count, int dim, uint8_t *relation);
  /* Relations and numbers of point sets. Beyond max_distance the lower bound is the only number. */
  void (*distance)(const grz_batch_pairs *pairs, size_t count, int dim, double max_distance, uint8_t *relation,
                   grz_batch_numbers *numbers);
  /* The same for boxes in 3D, given as point sets; cores that overlap stay undecided. */
  void (*box_distance)(const grz_batch_pairs *pairs, size_t count, double max_distance, uint8_t *relation,
                       grz_batch_numbers *numbers);
} grz_batch_kernels;

/* Returns the kernels with this name; NULL if the machine or the build has none. */
const grz_batch_kernels *grz_batch_named(const char *name);

/* Returns the kernels that the environment variable GRAZE_SIMD names, or else the widest of at most `width` doubles. */
const grz_batch_kernels *grz_batch_select(int width);

/* ---- Tables, and the job whose chunks may run on several threads */

/* The kernel that a shape is suited for. The kind of a pair is the bitwise AND of two kinds. */
typedef enum grz_batch_kind {
  GRZ_BATCH_OTHER = 0,
  GRZ_BATCH_POINT_SET = 1, /* up to 64 core vertices */
  GRZ_BATCH_BOX = 3        /* a box without margin, which is a point set, too */
} grz_batch_kind;

/* Arrays by shape. */
struct graze_table {
  size_t count;
  int dim;
  const graze_placed *placed;            /* at the origin */
  const grz_batch_box *boxes;            /* valid for boxes */
  const grz_batch_point_set *point_sets; /* valid for point sets and boxes */
  const uint8_t *kinds;
};

typedef enum grz_batch_query { GRZ_BATCH_INTERSECT, GRZ_BATCH_DISTANCE, GRZ_BATCH_CAST } grz_batch_query;

/* The result of a chunk. */
typedef struct grz_batch_tally {
  graze_batch_counts counts;
  graze_error error; /* of the first invalid pair; GRAZE_OK if there is none */
} grz_batch_tally;

typedef struct grz_batch_job {
  const graze_batch *batch; /* for GRAZE_PAIRS_WITHIN side b is a copy of side a */
  const graze_batch_answers *answers;
  const grz_batch_kernels *kernels;
  grz_batch_query query;
  graze_options options;  /* of single queries, except for the clearance */
  grz_batch_tally *tally; /* one for each chunk if shared, else one for all */
  bool shared;            /* chunks run on several threads */
} grz_batch_job;

/* Computes which element of each side belongs to a pair. For GRAZE_PAIRS_LISTED it is the pair's number, otherwise the
 * number of a pose. */
void grz_batch_pair_elements(const graze_batch *batch, size_t pair, size_t element[2]);

/* Returns the index of a pose of one side. */
size_t grz_batch_pose_index(const graze_batch_side *side, size_t element);

/* Computes all pairs of a chunk. */
void grz_batch_chunk(const grz_batch_job *job, size_t chunk, grz_batch_tally *tally);

#endif
