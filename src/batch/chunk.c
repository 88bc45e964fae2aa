/* The pairs of a chunk: what lanes can take goes side by side, and what they leave open, with all others, one by one.
 */
#include "batch/job.h"

#include "shape/placed.h"

#include <string.h>

/* Which of the chunk go the same way, in their order. */
typedef struct chunk_list {
  size_t count;
  bool all; /* every pair of the chunk: `who` is not set */
  uint16_t who[GRZ_BATCH_CHUNK];
} chunk_list;

typedef struct chunk_work {
  const grz_batch_job *job;
  grz_batch_tally *tally;
  size_t from, count;
  const double *pose[2][GRZ_BATCH_ROOM];
  const uint32_t *shape[2]; /* the caller's, or in: */
  uint32_t room[2][GRZ_BATCH_CHUNK];
  uint8_t kind[GRZ_BATCH_CHUNK]; /* what both are */
  bool wrong;                    /* some index */
  chunk_list boxes, lists, others;
  /* Of one of the lists: */
  const double *place[2][GRZ_BATCH_ROOM];
  const void *core[2][GRZ_BATCH_ROOM];
  double clearance[GRZ_BATCH_ROOM];
  uint8_t verdict[GRZ_BATCH_ROOM];
  grz_batch_numbers numbers[GRZ_BATCH_ROOM]; /* of distances */
} chunk_work;

/* ---- Looking up, all of a chunk in a few short loops */

static size_t chunk_who(const chunk_list *list, size_t i) { return list->all ? i : list->who[i]; }

/* The caller's indices into an array of `most`, packed, in `room` where they must be copied; NULL: there is none, and
 * the pair's own, or 0 where there is one element, will do. Where some are out of it they become 0. */
static const uint32_t *chunk_indices(chunk_work *w, const uint32_t *index, size_t stride, size_t most, uint32_t *room) {
  const uint32_t last = (uint32_t)(most - 1 < UINT32_MAX ? most - 1 : UINT32_MAX), *at = room;
  const size_t count = w->count;
  bool wrong = false;
  if (index == NULL && (most == 1 || w->from + count <= most)) return NULL;
  if (index == NULL)
    for (size_t i = 0; i < count; i++) room[i] = (uint32_t)(w->from + i);
  else if (stride == 0 || stride == sizeof *index)
    at = index + w->from;
  else
    for (size_t i = 0; i < count; i++) memcpy(&room[i], (const char *)index + (w->from + i) * stride, sizeof *room);
  for (size_t i = 0; i < count; i++) wrong |= at[i] > last;
  if (!wrong) return at;
  w->wrong = true;
  for (size_t i = 0; i < count; i++) room[i] = at[i] <= last ? at[i] : 0;
  return room;
}

static void chunk_poses(chunk_work *w, const graze_batch_side *side, const double **pose) {
  const size_t stride = side->pose_stride != 0 ? side->pose_stride : sizeof(graze_pose), count = w->count;
  uint32_t room[GRZ_BATCH_CHUNK];
  const uint32_t *at = chunk_indices(w, side->pose_index, side->pose_index_stride, side->pose_count, room);
  const char *base = (const char *)side->poses;
  if (at != NULL) {
    for (size_t i = 0; i < count; i++) pose[i] = (const double *)(const void *)(base + at[i] * stride);
    return;
  }
  const size_t first = side->pose_count == 1 ? 0 : w->from * stride, step = side->pose_count == 1 ? 0 : stride;
  for (size_t i = 0; i < count; i++) pose[i] = (const double *)(const void *)(base + first + i * step);
}

static const uint32_t *chunk_shapes(chunk_work *w, const graze_batch_side *side, uint32_t *room) {
  const size_t count = w->count, most = side->table->count;
  const uint32_t *at = chunk_indices(w, side->shape_index, side->shape_index_stride, most, room);
  if (at != NULL) return at;
  for (size_t i = 0; i < count; i++) room[i] = (uint32_t)(most == 1 ? 0 : w->from + i);
  return room;
}

static void chunk_kinds(chunk_work *w) {
  const uint8_t *kinds_a = w->job->batch->a.table->kinds, *kinds_b = w->job->batch->b.table->kinds;
  const uint32_t *a = w->shape[0], *b = w->shape[1];
  for (size_t i = 0; i < w->count; i++) w->kind[i] = kinds_a[a[i]] & kinds_b[b[i]];
}

static const graze_pose *chunk_pose(const chunk_work *w, int k, size_t who) {
  return (const graze_pose *)(const void *)w->pose[k][who];
}

/* ---- Sorting */

/* Lanes do not look at what must be 0 in 2D. */
static bool chunk_is_flat(const chunk_work *w, size_t i) {
  return grz_check_pose(chunk_pose(w, 0, i), 2) == GRAZE_OK && grz_check_pose(chunk_pose(w, 1, i), 2) == GRAZE_OK;
}

/* False: refused, and that is written. */
static bool chunk_is_right(const chunk_work *w, size_t i) {
  grz_batch_one one;
  graze_error error;
  if (grz_batch_look_up(w->job->batch, w->from + i, &one, &error)) return true;
  grz_batch_refuse(w->job, w->from + i, &error, w->tally);
  return false;
}

static void chunk_put(chunk_list *list, size_t who) { list->who[list->count++] = (uint16_t)who; }

/* All of one kind, and nothing to look at closely. */
static bool chunk_is_plain(const chunk_work *w) {
  const graze_batch *batch = w->job->batch;
  if (w->wrong || batch->clearance != NULL || batch->a.table->dim == 2) return false;
  return memcmp(w->kind, w->kind + 1, w->count - 1) == 0;
}

/* Where a pair goes first. */
static chunk_list *chunk_way(chunk_work *w, uint8_t kind) {
  const grz_batch_question question = w->job->question;
  if (question == GRZ_BATCH_INTERSECT && kind == GRZ_BATCH_BOX && w->job->batch->clearance == NULL) return &w->boxes;
  return kind != GRZ_BATCH_OTHER && question != GRZ_BATCH_CAST ? &w->lists : &w->others;
}

static void chunk_sort(chunk_work *w) {
  const bool solid = w->job->batch->a.table->dim == 3;
  if (chunk_is_plain(w)) {
    chunk_list *list = chunk_way(w, w->kind[0]);
    list->all = true, list->count = w->count;
    return;
  }
  for (size_t i = 0; i < w->count; i++) {
    if (!chunk_is_right(w, i)) continue;
    chunk_put(solid || chunk_is_flat(w, i) ? chunk_way(w, w->kind[i]) : &w->others, i);
  }
}

/* ---- Asking */

static void chunk_ask(const chunk_work *w, size_t who) {
  const double clearance = w->job->batch->clearance != NULL ? grz_batch_clearance(w->job->batch, w->from + who) : 0;
  const grz_batch_one one = {
      w->from + who, {chunk_pose(w, 0, who), chunk_pose(w, 1, who)}, {w->shape[0][who], w->shape[1][who]}, clearance};
  grz_batch_ask(w->job, &one, w->tally);
}

/* Where a list's pairs stand, one after the other, and the last one again until the lanes are full. */
static const double **chunk_places(chunk_work *w, const chunk_list *list, int k) {
  const size_t count = list->count;
  const double **place = list->all ? w->pose[k] : w->place[k];
  for (size_t i = 0; !list->all && i < count; i++) place[i] = w->pose[k][list->who[i]];
  for (size_t i = count; i % GRZ_BATCH_WIDTH != 0; i++) place[i] = place[count - 1];
  return place;
}

/* And what they are. */
static const void **chunk_cores(chunk_work *w, const chunk_list *list, int k, const void *cores, const size_t size) {
  const size_t count = list->count;
  const void **core = w->core[k];
  const uint32_t *shape = w->shape[k];
  const char *base = cores;
  if (list->all)
    for (size_t i = 0; i < count; i++) core[i] = base + shape[i] * size;
  else
    for (size_t i = 0; i < count; i++) core[i] = base + shape[list->who[i]] * size;
  for (size_t i = count; i % GRZ_BATCH_WIDTH != 0; i++) core[i] = core[count - 1];
  return core;
}

static size_t chunk_full(const chunk_list *list) {
  return (list->count + GRZ_BATCH_WIDTH - 1) / GRZ_BATCH_WIDTH * GRZ_BATCH_WIDTH;
}

/* Writes what the lanes said of a list. */
static void chunk_write(chunk_work *w, const chunk_list *list) {
  const graze_batch_answers *to = w->job->answers;
  const size_t stride = to->relation_stride != 0 ? to->relation_stride : 1, count = list->count;
  if (to->relation == NULL) return;
  uint8_t *relation = to->relation + w->from * stride;
  if (list->all && stride == 1)
    memcpy(relation, w->verdict, count);
  else
    for (size_t i = 0; i < count; i++) relation[chunk_who(list, i) * stride] = w->verdict[i];
}

static void chunk_write_numbers(const chunk_work *w, const chunk_list *list) {
  for (size_t i = 0; i < list->count; i++)
    if (w->verdict[i] != GRZ_BATCH_UNKNOWN)
      grz_batch_write_numbers(w->job->answers, w->from + chunk_who(list, i), &w->numbers[i]);
}

/* Asks about what they leave open. */
static void chunk_ask_open(chunk_work *w, const chunk_list *list) {
  const uint8_t *end = w->verdict + list->count, *at = w->verdict;
  size_t open = 0;
  while ((at = memchr(at, GRZ_BATCH_UNKNOWN, (size_t)(end - at))) != NULL) {
    chunk_ask(w, chunk_who(list, (size_t)(at++ - w->verdict)));
    open++;
  }
  w->tally->counts.by_simd += list->count - open;
}

static void chunk_boxes(chunk_work *w) {
  const graze_batch *batch = w->job->batch;
  const chunk_list *list = &w->boxes;
  if (list->count == 0) return;
  const grz_batch_pairs pairs = {{chunk_places(w, list, 0), chunk_places(w, list, 1)},
                                 {chunk_cores(w, list, 0, batch->a.table->boxes, sizeof(grz_batch_box)),
                                  chunk_cores(w, list, 1, batch->b.table->boxes, sizeof(grz_batch_box))},
                                 NULL};
  w->job->kernels->boxes(&pairs, chunk_full(list), w->verdict);
  chunk_write(w, list);
  chunk_ask_open(w, list);
}

static void chunk_lists(chunk_work *w) {
  const graze_batch *batch = w->job->batch;
  const chunk_list *list = &w->lists;
  const size_t full = chunk_full(list);
  if (list->count == 0) return;
  for (size_t i = 0; i < full; i++) {
    const size_t who = w->from + chunk_who(list, i < list->count ? i : list->count - 1);
    w->clearance[i] = batch->clearance != NULL ? grz_batch_clearance(batch, who) : 0;
  }
  const grz_batch_pairs pairs = {{chunk_places(w, list, 0), chunk_places(w, list, 1)},
                                 {chunk_cores(w, list, 0, batch->a.table->lists, sizeof(grz_batch_list)),
                                  chunk_cores(w, list, 1, batch->b.table->lists, sizeof(grz_batch_list))},
                                 w->clearance};
  if (w->job->question == GRZ_BATCH_DISTANCE) {
    w->job->kernels->measure(&pairs, full, batch->a.table->dim, batch->max_distance, w->verdict, w->numbers);
    chunk_write_numbers(w, list);
  } else {
    w->job->kernels->meet(&pairs, full, batch->a.table->dim, w->verdict);
  }
  chunk_write(w, list);
  chunk_ask_open(w, list);
}

void grz_batch_chunk(const grz_batch_job *job, size_t chunk, grz_batch_tally *tally) {
  chunk_work w; /* large: set below */
  const size_t left = job->batch->count - chunk * GRZ_BATCH_CHUNK;
  w.job = job, w.tally = tally;
  w.from = chunk * GRZ_BATCH_CHUNK, w.count = left < GRZ_BATCH_CHUNK ? left : GRZ_BATCH_CHUNK;
  w.wrong = false;
  w.boxes.count = w.lists.count = w.others.count = 0;
  w.boxes.all = w.lists.all = w.others.all = false;
  chunk_poses(&w, &job->batch->a, w.pose[0]);
  chunk_poses(&w, &job->batch->b, w.pose[1]);
  w.shape[0] = chunk_shapes(&w, &job->batch->a, w.room[0]);
  w.shape[1] = chunk_shapes(&w, &job->batch->b, w.room[1]);
  chunk_kinds(&w);
  chunk_sort(&w);
  chunk_boxes(&w);
  chunk_lists(&w);
  for (size_t i = 0; i < w.others.count; i++) chunk_ask(&w, chunk_who(&w.others, i));
}
