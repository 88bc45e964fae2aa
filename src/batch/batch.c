/* The public functions of graze/batch.h: tables, validation, and the loop over chunks. */
#include "core/status.h"
#include "batch/job.h"
#include "shape/shape.h"

#include <string.h>

/* ---- Tables */

/* Parts of a table start at cache lines. */
enum { TABLE_ALIGN = 64 };

/* Byte offsets of the parts of a table. */
typedef struct table_layout {
  size_t placed, boxes, point_sets, kinds, points, size;
} table_layout;

static size_t table_round(size_t size) { return (size + TABLE_ALIGN - 1) / TABLE_ALIGN * TABLE_ALIGN; }

/* Returns the number of blocks of eight core vertices; 0 if the shape has no core vertices or too many. It is a power
 * of two, so that loops have known lengths. */
static size_t table_blocks(const graze_shape *shape) {
  const size_t count = grz_core_count(shape);
  if (count == 0 || count > GRZ_BATCH_MAX_POINTS) return 0;
  return count <= 8 ? 1 : count <= 16 ? 2 : count <= 32 ? 4 : 8;
}

static table_layout table_lay_out(const graze_shape *shapes, size_t count) {
  table_layout at;
  size_t blocks = 0;
  for (size_t i = 0; i < count; i++) blocks += table_blocks(&shapes[i]);
  at.placed = table_round(sizeof(graze_table));
  at.boxes = at.placed + table_round(count * sizeof(graze_placed));
  at.point_sets = at.boxes + table_round(count * sizeof(grz_batch_box));
  at.kinds = at.point_sets + table_round(count * sizeof(grz_batch_point_set));
  at.points = at.kinds + table_round(count);
  at.size = at.points + blocks * GRZ_BATCH_BLOCK * sizeof(double);
  return at;
}

/* Includes space for the alignment of the table. */
size_t graze_table_size(const graze_shape *shapes, size_t count) {
  return table_lay_out(shapes, count).size + TABLE_ALIGN;
}

graze_status graze_table_make(const graze_shape *shapes, size_t count, void *memory, size_t size,
                              const graze_table **table, graze_error *error) {
  /* With a 32-bit size_t, the size of a large table would overflow. */
  const size_t each = sizeof(graze_placed) + sizeof(grz_batch_box) + sizeof(grz_batch_point_set) + 1 +
                      8 * GRZ_BATCH_BLOCK * sizeof(double);
  if (count == 0 || (uint64_t)count > UINT32_MAX || shapes == NULL ||
      count > (SIZE_MAX - sizeof(graze_table) - 8 * (size_t)TABLE_ALIGN) / each)
    return grz_reject(error,
                      grz_error_rule(GRAZE_BAD_OPTION, "count", (double)count, "must be 1 to 2^32 - 1, with shapes"));
  const table_layout at = table_lay_out(shapes, count);
  if (memory == NULL || size < at.size + TABLE_ALIGN)
    return grz_reject(error, grz_error(GRAZE_NO_SPACE, "memory", -1, (double)(at.size + TABLE_ALIGN)));

  char *base = (char *)memory + (TABLE_ALIGN - (uintptr_t)memory % TABLE_ALIGN) % TABLE_ALIGN;
  graze_placed *placed = (graze_placed *)(void *)(base + at.placed);
  grz_batch_box *boxes = (grz_batch_box *)(void *)(base + at.boxes);
  grz_batch_point_set *point_sets = (grz_batch_point_set *)(void *)(base + at.point_sets);
  uint8_t *kinds = (uint8_t *)(base + at.kinds);
  double *points = (double *)(void *)(base + at.points);
  const graze_table head = {count, shapes[0].dim, placed, boxes, point_sets, kinds};

  for (size_t i = 0; i < count; i++) {
    const ptrdiff_t index = (ptrdiff_t)i;
    graze_error invalid;
    const graze_status status = graze_check(&shapes[i], NULL, &invalid);
    if (status != GRAZE_OK) return grz_reject(error, grz_error(status, invalid.what, index, invalid.value));
    if (shapes[i].dim != head.dim) return grz_reject(error, grz_error(GRAZE_DIM_MISMATCH, "dim", index, shapes[i].dim));
    placed[i] = graze_place(&shapes[i], graze_pose_at(0, 0, 0));
    if (placed[i].status != GRAZE_OK) return grz_reject(error, grz_error(placed[i].status, "support", index, 0));

    const graze_shape *shape = &placed[i].shape;
    if (shape->kind == GRAZE_BOX) {
      const graze_vec e = shape->as.box.half_extents;
      const double z = shape->dim == 2 ? real_max(e.x, e.y) : e.z;
      boxes[i] = (grz_batch_box){{(float)e.x, (float)e.y, (float)z, 0}};
    }

    const uint32_t blocks = (uint32_t)table_blocks(shape);
    const size_t vertices = grz_core_count(shape);
    point_sets[i] = (grz_batch_point_set){points, blocks, placed[i].hidden.bounding_radius, placed[i].hidden.radius};
    for (size_t k = 0; k < 8 * blocks; k++) {
      const graze_vec v = grz_core_vertex(shape, k < vertices ? k : 0);
      double *x = points + k / 8 * GRZ_BATCH_BLOCK + k % 8;
      x[0] = v.x, x[8] = v.y, x[16] = v.z;
    }
    points += blocks * GRZ_BATCH_BLOCK;

    const bool is_box = shape->kind == GRAZE_BOX && placed[i].hidden.radius == 0;
    kinds[i] = is_box ? GRZ_BATCH_BOX : blocks > 0 ? GRZ_BATCH_POINT_SET : GRZ_BATCH_OTHER;
  }
  memcpy(base, &head, sizeof head);
  *table = (const graze_table *)(const void *)base;
  return grz_reject(error, grz_no_error());
}

/* ---- Batches */

graze_batch graze_default_batch(void) {
  graze_batch batch = {.count = 0};
  batch.max_distance = __builtin_inf();
  batch.t_max = 1;
  return batch;
}

/* Returns p·q, or SIZE_MAX if that is too large. */
static size_t batch_multiply(size_t p, size_t q) { return q != 0 && p > SIZE_MAX / q ? SIZE_MAX : p * q; }

size_t graze_batch_pair_count(const graze_batch *batch) {
  const size_t a = batch->a.pose_count, b = batch->b.pose_count;
  switch (batch->pairing) {
  case GRAZE_PAIRS_WITHIN: return a % 2 == 0 ? batch_multiply(a / 2, a - (a > 0)) : batch_multiply(a, a / 2);
  case GRAZE_PAIRS_BETWEEN: return batch_multiply(a, b);
  default: return batch->count;
  }
}

void graze_batch_pair(const graze_batch *batch, size_t pair, size_t *pose_a, size_t *pose_b) {
  size_t element[2];
  grz_batch_pair_elements(batch, pair, element);
  *pose_a = grz_batch_pose_index(&batch->a, element[0]);
  *pose_b = grz_batch_pose_index(batch->pairing == GRAZE_PAIRS_WITHIN ? &batch->a : &batch->b, element[1]);
}

static size_t batch_chunk_count(size_t count) { return (count + GRZ_BATCH_CHUNK - 1) / GRZ_BATCH_CHUNK; }

size_t graze_batch_scratch_size(size_t count) { return batch_chunk_count(count) * sizeof(grz_batch_tally); }

static bool batch_is_shared(const graze_batch *batch) {
  return batch->parallel != NULL && batch->parallel->run != NULL;
}

static graze_error batch_side_error(const graze_batch_side *side, bool needed, bool listed,
                                    const char *const names[2]) {
  const graze_status bad = GRAZE_BAD_OPTION;
  if (!listed && side->pose_index != NULL)
    return grz_error_rule(bad, names[0], 0, "must be NULL unless the pairs are listed");
  if (needed && (side->poses == NULL || side->pose_count == 0))
    return grz_error_rule(bad, names[1], (double)side->pose_count, "must not be empty");
  return grz_no_error();
}

static graze_error batch_check(const graze_batch *batch) {
  static const char *const of_a[2] = {"a.pose_index", "a.poses"}, *const of_b[2] = {"b.pose_index", "b.poses"};
  const graze_status bad = GRAZE_BAD_OPTION;
  const graze_batch_side *a = &batch->a, *b = &batch->b;
  const bool listed = batch->pairing == GRAZE_PAIRS_LISTED, within = batch->pairing == GRAZE_PAIRS_WITHIN;
  const size_t needed = batch_is_shared(batch) ? graze_batch_scratch_size(batch->count) : 0;
  if (!listed && !within && batch->pairing != GRAZE_PAIRS_BETWEEN)
    return grz_error_rule(bad, "pairing", batch->pairing, "must be a graze_pairing");
  if (a->table == NULL) return grz_error_rule(bad, "a.table", 0, "must not be NULL");
  if (!within && b->table == NULL) return grz_error_rule(bad, "b.table", 0, "must not be NULL");
  if (within && (b->table != NULL || b->poses != NULL))
    return grz_error_rule(bad, b->table != NULL ? "b.table" : "b.poses", b->table != NULL ? 0 : (double)b->pose_count,
                          "must be NULL for the pairs within one set");
  if (!within && a->table->dim != b->table->dim)
    return grz_error_rule(GRAZE_DIM_MISMATCH, "b.table", b->table->dim, "must have the dimension of a.table");
  graze_error error = batch_side_error(a, batch->count > 0, listed, of_a);
  if (error.status == GRAZE_OK) error = batch_side_error(b, batch->count > 0 && !within, listed, of_b);
  if (error.status != GRAZE_OK) return error;
  if ((uint64_t)batch->count > UINT32_MAX || batch->count != graze_batch_pair_count(batch))
    return grz_error_rule(bad, "count", (double)batch->count, "must be graze_batch_pair_count(), at most 2^32 - 1");
  if (!(batch->clearance >= 0 && batch->clearance <= GRAZE_LARGEST))
    return grz_error_rule(bad, "clearance", batch->clearance, "must be 0 to 1e40");
  if (!(batch->max_distance >= 0)) return grz_error_rule(bad, "max_distance", batch->max_distance, "must be >= 0");
  if (!(batch->t_max >= 0)) return grz_error_rule(bad, "t_max", batch->t_max, "must be >= 0");
  if (needed > 0 && (batch->scratch == NULL || batch->scratch_size < needed))
    return grz_error(GRAZE_NO_SPACE, "scratch", -1, (double)needed);
  return grz_no_error();
}

static void batch_task(void *data, size_t chunk) {
  const grz_batch_job *job = data;
  grz_batch_tally *tally = job->shared ? &job->tally[chunk] : job->tally;
  if (job->shared) *tally = (grz_batch_tally){{0, 0, 0}, {.status = GRAZE_OK, .index = -1}};
  grz_batch_chunk(job, chunk, tally);
}

static graze_status batch_run(const graze_batch *batch, const graze_batch_answers *answers, grz_batch_query query,
                              graze_batch_counts *counts, graze_error *error) {
  const graze_status status = grz_reject(error, batch_check(batch));
  if (status != GRAZE_OK) return status;
  graze_batch both_sides = *batch;
  if (batch->pairing == GRAZE_PAIRS_WITHIN) both_sides.b = batch->a;
  grz_batch_tally sum = {{0, 0, 0}, {.status = GRAZE_OK, .index = -1}};
  grz_batch_job job = {&both_sides, answers, grz_batch_select(GRZ_BATCH_WIDTH), query, graze_default_options(),
                       &sum,        false};
  job.options.max_distance = query == GRZ_BATCH_CAST ? 0 : batch->max_distance;
  job.shared = batch_is_shared(batch);

  const size_t chunks = batch_chunk_count(batch->count);
  if (job.shared) {
    job.tally = batch->scratch;
    batch->parallel->run(batch->parallel->context, chunks, batch_task, &job);
    for (size_t i = 0; i < chunks; i++) {
      const grz_batch_tally *tally = &job.tally[i];
      sum.counts.by_simd += tally->counts.by_simd;
      sum.counts.one_by_one += tally->counts.one_by_one;
      sum.counts.exact += tally->counts.exact;
      if (sum.error.status == GRAZE_OK) sum.error = tally->error;
    }
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
