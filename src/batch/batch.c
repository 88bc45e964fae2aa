/* The public questions about many pairs: judging the batch, sharing its chunks out, adding up. */
#include "batch/job.h"

graze_batch graze_default_batch(void) {
  graze_batch batch = {.count = 0};
  batch.max_distance = __builtin_inf();
  batch.t_max = 1;
  return batch;
}

size_t graze_batch_scratch_size(size_t count) { return grz_batch_chunks(count) * sizeof(grz_batch_tally); }

static bool batch_is_shared(const graze_batch *batch) {
  return batch->parallel != NULL && batch->parallel->run != NULL;
}

static graze_status batch_refuse(graze_error *error, graze_status status, const char *what, double value) {
  if (error != NULL) *error = (graze_error){status, what, -1, value};
  return status;
}

static graze_status batch_judge(const graze_batch *batch, graze_error *error) {
  const graze_table *a = batch->a.table, *b = batch->b.table;
  const size_t needed = batch_is_shared(batch) ? graze_batch_scratch_size(batch->count) : 0;
  if (a == NULL) return batch_refuse(error, GRAZE_BAD_OPTION, "a.table", 0);
  if (b == NULL) return batch_refuse(error, GRAZE_BAD_OPTION, "b.table", 0);
  if (a->dim != b->dim) return batch_refuse(error, GRAZE_DIM_MISMATCH, "b.table", b->dim);
  if ((uint64_t)batch->count > UINT32_MAX) return batch_refuse(error, GRAZE_BAD_OPTION, "count", (double)batch->count);
  if (batch->count > 0 && (batch->a.poses == NULL || batch->a.pose_count == 0))
    return batch_refuse(error, GRAZE_BAD_OPTION, "a.poses", (double)batch->a.pose_count);
  if (batch->count > 0 && (batch->b.poses == NULL || batch->b.pose_count == 0))
    return batch_refuse(error, GRAZE_BAD_OPTION, "b.poses", (double)batch->b.pose_count);
  if (!(batch->max_distance >= 0)) return batch_refuse(error, GRAZE_BAD_OPTION, "max_distance", batch->max_distance);
  if (!(batch->t_max >= 0)) return batch_refuse(error, GRAZE_BAD_OPTION, "t_max", batch->t_max);
  if (needed > 0 && (batch->scratch == NULL || batch->scratch_size < needed))
    return batch_refuse(error, GRAZE_NO_SPACE, "scratch", (double)needed);
  return GRAZE_OK;
}

static void batch_task(void *data, size_t chunk) {
  const grz_batch_job *job = data;
  grz_batch_tally *tally = job->shared ? &job->tally[chunk] : job->tally;
  if (job->shared) *tally = (grz_batch_tally){{0, 0, 0}, {GRAZE_OK, "", -1, 0}};
  grz_batch_chunk(job, chunk, tally);
}

/* Chunks in their order. */
static void batch_add(grz_batch_tally *sum, const grz_batch_tally *tally) {
  sum->counts.by_simd += tally->counts.by_simd;
  sum->counts.one_by_one += tally->counts.one_by_one;
  sum->counts.exact += tally->counts.exact;
  if (sum->error.status == GRAZE_OK) sum->error = tally->error;
}

static graze_status batch_run(const graze_batch *batch, const graze_batch_answers *answers, grz_batch_question question,
                              graze_batch_counts *counts, graze_error *error) {
  grz_batch_tally sum = {{0, 0, 0}, {GRAZE_OK, "", -1, 0}};
  grz_batch_job job = {batch, answers, grz_batch_select(), question, graze_default_options(), &sum, false};
  const size_t chunks = grz_batch_chunks(batch->count);
  const graze_status status = batch_judge(batch, error);
  if (status != GRAZE_OK) return status;
  job.options.max_distance = question == GRZ_BATCH_CAST ? 0 : batch->max_distance;
  job.shared = batch_is_shared(batch);
  if (job.shared) {
    job.tally = batch->scratch;
    batch->parallel->run(batch->parallel->context, chunks, batch_task, &job);
    for (size_t i = 0; i < chunks; i++) batch_add(&sum, &job.tally[i]);
  } else {
    for (size_t i = 0; i < chunks; i++) batch_task(&job, i);
  }
  if (counts != NULL) *counts = sum.counts;
  if (error != NULL) *error = sum.error;
  return sum.error.status;
}

graze_status graze_batch_intersect(const graze_batch *batch, const graze_batch_answers *answers,
                                   graze_batch_counts *counts, graze_error *error) {
  return batch_run(batch, answers, GRZ_BATCH_INTERSECT, counts, error);
}

graze_status graze_batch_distance(const graze_batch *batch, const graze_batch_answers *answers,
                                  graze_batch_counts *counts, graze_error *error) {
  return batch_run(batch, answers, GRZ_BATCH_DISTANCE, counts, error);
}

graze_status graze_batch_cast(const graze_batch *batch, const graze_batch_answers *answers, graze_batch_counts *counts,
                              graze_error *error) {
  return batch_run(batch, answers, GRZ_BATCH_CAST, counts, error);
}
