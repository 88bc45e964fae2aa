/* A batch at work: its pairs by chunks, so that threads may share them, and where answers and counts go. */
#ifndef GRAZE_BATCH_JOB_H
#define GRAZE_BATCH_JOB_H

#include "batch/table.h"

typedef enum grz_batch_question { GRZ_BATCH_INTERSECT, GRZ_BATCH_DISTANCE, GRZ_BATCH_CAST } grz_batch_question;

/* What came of a chunk. */
typedef struct grz_batch_tally {
  graze_batch_counts counts;
  graze_error error; /* of the pair refused that comes first among all; GRAZE_OK where none was */
} grz_batch_tally;

typedef struct grz_batch_job {
  const graze_batch *batch;
  const graze_batch_answers *answers;
  const grz_batch_kernels *kernels;
  grz_batch_question question;
  graze_options options;  /* of pairs that are asked one by one, but for the clearance */
  grz_batch_tally *tally; /* one for each chunk, or, where one thread takes them in turn, one for all */
  bool shared;
} grz_batch_job;

static inline size_t grz_batch_chunks(size_t count) { return (count + GRZ_BATCH_CHUNK - 1) / GRZ_BATCH_CHUNK; }

/* A pair, looked up. */
typedef struct grz_batch_one {
  size_t index;
  const graze_pose *pose[2];
  uint32_t shape[2];
  double clearance;
} grz_batch_one;

/* Looks a pair up; false: an index or the clearance is wrong, as *error says. */
bool grz_batch_look_up(const graze_batch *batch, size_t index, grz_batch_one *pair, graze_error *error);

/* The clearance of a pair, where there are any. */
double grz_batch_clearance(const graze_batch *batch, size_t index);

/* Asks about one pair and writes the answer. */
void grz_batch_ask(const grz_batch_job *job, const grz_batch_one *pair, grz_batch_tally *tally);

/* Writes that a pair was refused. */
void grz_batch_refuse(const grz_batch_job *job, size_t index, const graze_error *error, grz_batch_tally *tally);

/* Writes all numbers of a distance. */
void grz_batch_write_numbers(const graze_batch_answers *to, size_t index, const grz_batch_numbers *numbers);

/* All pairs of a chunk. */
void grz_batch_chunk(const grz_batch_job *job, size_t chunk, grz_batch_tally *tally);

#endif
