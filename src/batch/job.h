/* Internal types of batches: tables, and the job whose chunks may run on several threads. */
#ifndef GRAZE_BATCH_JOB_H
#define GRAZE_BATCH_JOB_H

#include "batch/kernels.h"

#include <graze/batch.h>

/* The kernel that a shape is suited for. The kind of a pair is the bitwise and of two kinds. */
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

/* Computes which element of each side belongs to a pair: the pair's number for GRAZE_PAIRS_LISTED, a pose otherwise. */
void grz_batch_pair_elements(const graze_batch *batch, size_t pair, size_t element[2]);

/* Returns the index of a pose of one side. */
size_t grz_batch_pose_index(const graze_batch_side *side, size_t element);

/* Computes all pairs of a chunk. */
void grz_batch_chunk(const grz_batch_job *job, size_t chunk, grz_batch_tally *tally);

#endif
