/* Computes the pairs of one chunk of a batch, by SIMD kernels or by single queries. Their poses and shapes come from
 * the caller's indices. Pairs that suit a SIMD kernel form groups. Single queries compute all others, and the pairs
 * that a kernel leaves undecided. */
#include "core/status.h"
#include "batch/job.h"
#include "shape/placed.h"
#include "shape/shape.h"

#include <string.h>

enum { CHUNK_CAPACITY = GRZ_BATCH_CHUNK + GRZ_BATCH_WIDTH }; /* copies of the last pair fill a register */

/* Pairs of the chunk that are computed in the same manner, in ascending order. */
typedef struct chunk_group {
  size_t count;
  bool all; /* all pairs of the chunk; `pair` is not set */
  uint16_t pair[GRZ_BATCH_CHUNK];
} chunk_group;

typedef struct chunk_state {
  const grz_batch_job *job;
  grz_batch_tally *tally;
  size_t first, count;                   /* pairs of the batch */
  uint32_t element[2][GRZ_BATCH_CHUNK];  /* unless GRAZE_PAIRS_LISTED: poses of the pairs */
  const double *pose[2][CHUNK_CAPACITY]; /* an invalid index is replaced by 0 */
  const uint32_t *shape[2];              /* the caller's array, or `shapes` */
  uint32_t shapes[2][GRZ_BATCH_CHUNK];
  uint8_t kind[GRZ_BATCH_CHUNK]; /* grz_batch_kind of the pair */
  bool invalid_index;            /* an index is out of range */
  chunk_group boxes, point_sets, others;

  /* Input and output of a kernel, by position in a group. */
  const double *kernel_pose[2][CHUNK_CAPACITY];
  const void *core[2][CHUNK_CAPACITY];
  double clearance[CHUNK_CAPACITY];
  uint8_t relation[CHUNK_CAPACITY];
  grz_batch_numbers numbers[CHUNK_CAPACITY];
} chunk_state;

/* A pair for a single query. */
typedef struct chunk_pair {
  size_t index, element[2];
  const graze_pose *pose[2];
  uint32_t shape[2];
} chunk_pair;

/* ---- The caller's arrays. A stride of 0 is that of a packed array. */

static inline const void *element_of(const void *array, size_t stride, size_t packed, size_t i) {
  return (const char *)array + i * (stride != 0 ? stride : packed);
}

static inline void *output_of(void *array, size_t stride, size_t packed, size_t i) {
  return (char *)array + i * (stride != 0 ? stride : packed);
}

/* Returns the caller's index. Without an array of indices: 0 if there is one target, otherwise the element's number. */
static inline size_t index_of(const uint32_t *index, size_t stride, size_t targets, size_t element) {
  if (index != NULL) return *(const uint32_t *)element_of(index, stride, sizeof *index, element);
  return targets == 1 ? 0 : element;
}

size_t grz_batch_pose_index(const graze_batch_side *side, size_t element) {
  return index_of(side->pose_index, side->pose_index_stride, side->pose_count, element);
}

static double clearance_of(const graze_batch *batch, size_t pair) {
  if (batch->clearances == NULL) return batch->clearance;
  return *(const double *)element_of(batch->clearances, batch->clearances_stride, sizeof(double), pair);
}

static void write_byte(uint8_t *array, size_t stride, size_t i, uint8_t x) {
  if (array != NULL) *(uint8_t *)output_of(array, stride, sizeof x, i) = x;
}

static void write_number(double *array, size_t stride, size_t i, double x) {
  if (array != NULL) *(double *)output_of(array, stride, sizeof x, i) = x;
}

static void write_vec(graze_vec *array, size_t stride, size_t i, graze_vec v) {
  if (array != NULL) *(graze_vec *)output_of(array, stride, sizeof v, i) = v;
}

static void write_numbers(const graze_batch_answers *to, size_t i, const grz_batch_numbers *n) {
  write_number(to->distance, to->distance_stride, i, n->distance);
  write_number(to->lower, to->lower_stride, i, n->lower);
  write_number(to->upper, to->upper_stride, i, n->upper);
  write_vec(to->normal, to->normal_stride, i, n->normal);
  write_vec(to->point_a, to->point_a_stride, i, n->point_a);
  write_vec(to->point_b, to->point_b_stride, i, n->point_b);
}

static void write_cast(const graze_batch_answers *to, size_t i, const graze_cast_result *cast) {
  write_byte(to->relation, to->relation_stride, i, (uint8_t)cast->start_relation);
  write_byte(to->outcome, to->outcome_stride, i, (uint8_t)cast->outcome);
  write_number(to->t_lower, to->t_lower_stride, i, cast->t_lower);
  write_number(to->t_upper, to->t_upper_stride, i, cast->t_upper);
  write_vec(to->normal, to->normal_stride, i, cast->normal);
  write_vec(to->point_a, to->point_a_stride, i, cast->point);
}

/* ---- Invalid pairs */

static void reject(const grz_batch_job *job, size_t pair, graze_error error, grz_batch_tally *tally) {
  const double nan = __builtin_nan("");
  const graze_vec no_vector = {nan, nan, nan};
  const grz_batch_numbers numbers = {nan, nan, nan, no_vector, no_vector, no_vector};
  const graze_cast_result cast = {.t_lower = nan, .t_upper = nan, .point = no_vector, .normal = no_vector};
  if (job->query == GRZ_BATCH_CAST) write_cast(job->answers, pair, &cast);
  write_byte(job->answers->relation, job->answers->relation_stride, pair, 0);
  if (job->query == GRZ_BATCH_DISTANCE) write_numbers(job->answers, pair, &numbers);
  error.index = (ptrdiff_t)pair;
  if (tally->error.status == GRAZE_OK || error.index < tally->error.index) tally->error = error;
}

/* The names of a side's members in errors. GRAZE_PAIRS_WITHIN has side a only. */
typedef struct side_names {
  const char *shape_index, *pose_index, *position, *rotation, *velocity;
} side_names;

static const side_names *names_of(const graze_batch *batch, int side) {
  static const side_names names[2] = {
      {"a.shape_index", "a.pose_index", "a.position", "a.rotation", "a.velocity"},
      {"b.shape_index", "b.pose_index", "b.position", "b.rotation", "b.velocity"},
  };
  return &names[batch->pairing == GRAZE_PAIRS_WITHIN ? 0 : side];
}

/* Validates the indices and the clearance of a pair. */
static bool indices_are_valid(const graze_batch *batch, size_t pair, const size_t element[2], graze_error *error) {
  for (int k = 0; k < 2; k++) {
    const graze_batch_side *side = k == 0 ? &batch->a : &batch->b;
    const size_t shape = index_of(side->shape_index, side->shape_index_stride, side->table->count, element[k]);
    const size_t pose = grz_batch_pose_index(side, element[k]);
    *error = grz_error_rule(GRAZE_BAD_OPTION, names_of(batch, k)->shape_index, (double)shape,
                            "must be less than the number of shapes");
    if (shape >= side->table->count) return false;
    *error = grz_error_rule(GRAZE_BAD_OPTION, names_of(batch, k)->pose_index, (double)pose,
                            "must be less than the number of poses");
    if (pose >= side->pose_count) return false;
  }
  const double clearance = clearance_of(batch, pair);
  *error = grz_error_rule(GRAZE_BAD_OPTION, "clearances", clearance, "must be 0 to 1e40");
  return clearance >= 0 && clearance <= GRAZE_LARGEST;
}

/* ---- Single queries */

/* Places the shape of one side. */
static bool place_side(const grz_batch_job *job, const chunk_pair *pair, int k, graze_placed *placed,
                       graze_error *error) {
  const graze_batch_side *side = k == 0 ? &job->batch->a : &job->batch->b;
  *placed = side->table->placed[pair->shape[k]];
  if (graze_set_pose(placed, *pair->pose[k]) == GRAZE_OK) return true;
  const graze_shape point = grz_point_shape(side->table->dim);
  (void)graze_check(&point, pair->pose[k], error);
  error->what = error->what[0] == 'p' ? names_of(job->batch, k)->position : names_of(job->batch, k)->rotation;
  return false;
}

/* Reads the velocity of one side and validates it like a position. */
static bool velocity_of_side(const grz_batch_job *job, const chunk_pair *pair, int k, graze_vec *velocity,
                             graze_error *error) {
  const graze_batch_side *side = k == 0 ? &job->batch->a : &job->batch->b;
  *velocity = (graze_vec){0, 0, 0};
  if (side->velocities == NULL) return true;
  const size_t pose_index = grz_batch_pose_index(side, pair->element[k]);
  *velocity = *(const graze_vec *)element_of(side->velocities, side->velocity_stride, sizeof(graze_vec), pose_index);
  const graze_pose pose = graze_pose_at(velocity->x, velocity->y, velocity->z);
  const graze_shape point = grz_point_shape(side->table->dim);
  if (graze_check(&point, &pose, error) == GRAZE_OK) return true;
  error->what = names_of(job->batch, k)->velocity;
  return false;
}

/* Computes a pair with a single query. */
static void compute_single(const chunk_state *c, size_t k) {
  const grz_batch_job *job = c->job;
  const graze_batch_answers *answers = job->answers;
  chunk_pair pair = {.index = c->first + k};
  for (int side = 0; side < 2; side++) {
    pair.element[side] = job->batch->pairing == GRAZE_PAIRS_LISTED ? pair.index : c->element[side][k];
    pair.pose[side] = (const graze_pose *)(const void *)c->pose[side][k];
    pair.shape[side] = c->shape[side][k];
  }
  graze_placed placed[2];
  graze_vec velocity[2];
  graze_error error;
  if (!place_side(job, &pair, 0, &placed[0], &error) || !place_side(job, &pair, 1, &placed[1], &error) ||
      (job->query == GRZ_BATCH_CAST && (!velocity_of_side(job, &pair, 0, &velocity[0], &error) ||
                                        !velocity_of_side(job, &pair, 1, &velocity[1], &error)))) {
    reject(job, pair.index, error, c->tally);
    return;
  }

  graze_status status;
  bool exact;
  if (job->query == GRZ_BATCH_CAST) {
    const graze_motion motion[2] = {{velocity[0], {0, 0, 0}}, {velocity[1], {0, 0, 0}}};
    graze_cast_options options = graze_default_cast_options();
    graze_cast_result cast;
    options.clearance = clearance_of(job->batch, pair.index);
    options.min_distance = false;
    status = graze_cast(&placed[0], &motion[0], &placed[1], &motion[1], job->batch->t_max, &options, &cast);
    if (status == GRAZE_OK) write_cast(answers, pair.index, &cast);
    exact = status == GRAZE_OK && cast.exact;
  } else {
    graze_options options = job->options;
    graze_answer a;
    options.clearance = clearance_of(job->batch, pair.index);
    status = job->query == GRZ_BATCH_DISTANCE ? graze_distance(&placed[0], &placed[1], &options, &a)
                                              : graze_intersect(&placed[0], &placed[1], &options, &a);
    if (status == GRAZE_OK) {
      const grz_batch_numbers numbers = {a.distance, a.lower, a.upper, a.normal, a.point_a, a.point_b};
      write_byte(answers->relation, answers->relation_stride, pair.index, (uint8_t)a.relation);
      if (job->query == GRZ_BATCH_DISTANCE) write_numbers(answers, pair.index, &numbers);
    }
    exact = status == GRAZE_OK && a.exact;
  }
  if (status != GRAZE_OK) {
    reject(job, pair.index, grz_error_rule(status, "shapes", 0, "two half-spaces are not supported"), c->tally);
    return;
  }
  c->tally->counts.one_by_one++;
  c->tally->counts.exact += exact;
}

/* ---- Poses and shapes of the chunk */

void grz_batch_pair_elements(const graze_batch *batch, size_t pair, size_t element[2]) {
  element[0] = element[1] = pair;
  if (batch->pairing == GRAZE_PAIRS_BETWEEN) {
    element[0] = pair / batch->b.pose_count, element[1] = pair % batch->b.pose_count;
  } else if (batch->pairing == GRAZE_PAIRS_WITHIN) {
    /* Row i starts at pair i·(2n - i - 1)/2. Bisection finds the last row that starts at or before the pair. */
    const uint64_t n = batch->a.pose_count;
    uint64_t low = 0, high = n - 1;
    while (high - low > 1) {
      const uint64_t middle = (low + high) / 2;
      if (middle * (2 * n - middle - 1) / 2 <= pair)
        low = middle;
      else
        high = middle;
    }
    element[0] = (size_t)low, element[1] = (size_t)(pair - low * (2 * n - low - 1) / 2 + low + 1);
  }
}

/* Computes the elements of all pairs of a chunk, unless GRAZE_PAIRS_LISTED. */
static void chunk_elements(chunk_state *c) {
  const graze_batch *batch = c->job->batch;
  const bool within = batch->pairing == GRAZE_PAIRS_WITHIN;
  if (batch->pairing == GRAZE_PAIRS_LISTED) return;
  size_t e[2];
  grz_batch_pair_elements(batch, c->first, e);
  for (size_t i = 0; i < c->count; i++) {
    c->element[0][i] = (uint32_t)e[0], c->element[1][i] = (uint32_t)e[1];
    if (++e[1] == batch->b.pose_count) e[0]++, e[1] = within ? e[0] + 1 : 0;
  }
}

/* Returns packed indices of the pairs into an array of `targets` elements: the caller's array, or `own` if they must be
 * computed. Returns NULL if the index is the pair's number, or 0 because there is one target. Invalid indices become
 * 0. */
static const uint32_t *chunk_indices(chunk_state *c, int k, const uint32_t *index, size_t stride, size_t targets,
                                     uint32_t *own) {
  const bool listed = c->job->batch->pairing == GRAZE_PAIRS_LISTED;
  const uint32_t last = (uint32_t)(targets - 1 < UINT32_MAX ? targets - 1 : UINT32_MAX), *result = own;
  const size_t count = c->count;
  bool invalid = false;
  if (index == NULL && (targets == 1 || (listed && c->first + count <= targets))) return NULL;
  if (index == NULL)
    for (size_t i = 0; i < count; i++) own[i] = listed ? (uint32_t)(c->first + i) : c->element[k][i];
  else if (!listed)
    for (size_t i = 0; i < count; i++) own[i] = (uint32_t)index_of(index, stride, targets, c->element[k][i]);
  else if (stride == 0 || stride == sizeof *index)
    result = index + c->first;
  else
    for (size_t i = 0; i < count; i++) memcpy(&own[i], (const char *)index + (c->first + i) * stride, sizeof *own);
  for (size_t i = 0; i < count; i++) invalid |= result[i] > last;
  if (!invalid) return result;
  c->invalid_index = true;
  for (size_t i = 0; i < count; i++) own[i] = result[i] <= last ? result[i] : 0;
  return own;
}

/* Computes the addresses of the poses and the indices of the shapes of one side. */
static void chunk_side(chunk_state *c, int k) {
  const graze_batch_side *side = k == 0 ? &c->job->batch->a : &c->job->batch->b;
  const size_t stride = side->pose_stride != 0 ? side->pose_stride : sizeof(graze_pose), count = c->count;
  uint32_t own[GRZ_BATCH_CHUNK];
  const uint32_t *index = chunk_indices(c, k, side->pose_index, side->pose_index_stride, side->pose_count, own);
  const char *base = (const char *)side->poses;
  const double **pose = c->pose[k];
  if (index != NULL) {
    for (size_t i = 0; i < count; i++) pose[i] = (const double *)(const void *)(base + index[i] * stride);
  } else {
    const size_t start = side->pose_count == 1 ? 0 : c->first * stride, step = side->pose_count == 1 ? 0 : stride;
    for (size_t i = 0; i < count; i++) pose[i] = (const double *)(const void *)(base + start + i * step);
  }

  const size_t shapes = side->table->count;
  c->shape[k] = chunk_indices(c, k, side->shape_index, side->shape_index_stride, shapes, c->shapes[k]);
  if (c->shape[k] != NULL) return;
  c->shape[k] = c->shapes[k];
  for (size_t i = 0; i < count; i++) c->shapes[k][i] = (uint32_t)(shapes == 1 ? 0 : c->first + i);
}

/* ---- Groups */

static size_t group_pair(const chunk_group *group, size_t i) { return group->all ? i : group->pair[i]; }

/* Returns the group of a pair with valid indices. */
static chunk_group *chunk_group_of(chunk_state *c, uint8_t kind) {
  const graze_batch *batch = c->job->batch;
  const grz_batch_query query = c->job->query;
  const bool has_clearance = batch->clearances != NULL || batch->clearance > 0;
  if (kind == GRZ_BATCH_BOX && query == GRZ_BATCH_INTERSECT && !has_clearance) return &c->boxes;
  if (kind == GRZ_BATCH_BOX && query == GRZ_BATCH_DISTANCE && batch->a.table->dim == 3) return &c->boxes;
  return kind != GRZ_BATCH_OTHER && query != GRZ_BATCH_CAST ? &c->point_sets : &c->others;
}

/* Distributes the pairs to the groups and rejects invalid ones. */
static void chunk_distribute(chunk_state *c) {
  const graze_batch *batch = c->job->batch;
  const graze_table *a = batch->a.table, *b = batch->b.table;
  for (size_t i = 0; i < c->count; i++) c->kind[i] = a->kinds[c->shape[0][i]] & b->kinds[c->shape[1][i]];

  /* In most chunks all pairs have the same kind, and nothing needs validation here. */
  if (!c->invalid_index && batch->clearances == NULL && a->dim == 3 &&
      memcmp(c->kind, c->kind + 1, c->count - 1) == 0) {
    chunk_group *group = chunk_group_of(c, c->kind[0]);
    group->all = true, group->count = c->count;
    return;
  }
  for (size_t i = 0; i < c->count; i++) {
    const size_t pair = c->first + i;
    size_t element[2] = {pair, pair};
    if (batch->pairing != GRAZE_PAIRS_LISTED) element[0] = c->element[0][i], element[1] = c->element[1][i];
    graze_error error;
    if (!indices_are_valid(batch, pair, element, &error)) {
      reject(c->job, pair, error, c->tally);
      continue;
    }
    /* The kernels ignore the numbers of a pose that must be 0 in 2D, so these are checked here. */
    const bool pose_is_flat = a->dim == 3 || (grz_check_pose((const void *)c->pose[0][i], 2) == GRAZE_OK &&
                                              grz_check_pose((const void *)c->pose[1][i], 2) == GRAZE_OK);
    chunk_group *group = pose_is_flat ? chunk_group_of(c, c->kind[i]) : &c->others;
    group->pair[group->count++] = (uint16_t)i;
  }
}

/* ---- Kernels */

/* Returns the poses of a group, with copies of the last one that fill a register. */
static const double **group_poses(chunk_state *c, const chunk_group *group, int k) {
  const size_t count = group->count;
  const double **pose = group->all ? c->pose[k] : c->kernel_pose[k];
  for (size_t i = 0; !group->all && i < count; i++) pose[i] = c->pose[k][group->pair[i]];
  for (size_t i = count; i % GRZ_BATCH_WIDTH != 0; i++) pose[i] = pose[count - 1];
  return pose;
}

/* Returns the cores of a group, with copies of the last one that fill a register. */
static const void **group_cores(chunk_state *c, const chunk_group *group, int k, const void *cores, const size_t size) {
  const size_t count = group->count;
  const void **core = c->core[k];
  const uint32_t *shape = c->shape[k];
  const char *base = cores;
  if (group->all)
    for (size_t i = 0; i < count; i++) core[i] = base + shape[i] * size;
  else
    for (size_t i = 0; i < count; i++) core[i] = base + shape[group->pair[i]] * size;
  for (size_t i = count; i % GRZ_BATCH_WIDTH != 0; i++) core[i] = core[count - 1];
  return core;
}

/* Writes the relations of a group, and computes undecided pairs with single queries. */
static void group_finish(chunk_state *c, const chunk_group *group) {
  const graze_batch_answers *to = c->job->answers;
  const size_t stride = to->relation_stride != 0 ? to->relation_stride : 1, count = group->count;
  if (to->relation != NULL) {
    uint8_t *relation = to->relation + c->first * stride;
    if (group->all && stride == 1)
      memcpy(relation, c->relation, count);
    else
      for (size_t i = 0; i < count; i++) relation[group_pair(group, i) * stride] = c->relation[i];
  }
  const uint8_t *end = c->relation + count, *undecided = c->relation;
  size_t open = 0;
  while ((undecided = memchr(undecided, GRZ_BATCH_UNDECIDED, (size_t)(end - undecided))) != NULL) {
    compute_single(c, group_pair(group, (size_t)(undecided++ - c->relation)));
    open++;
  }
  c->tally->counts.by_simd += count - open;
}

/* Relations of boxes. */
static void compute_boxes(chunk_state *c) {
  const graze_batch *batch = c->job->batch;
  const chunk_group *group = &c->boxes;
  const size_t full = (group->count + GRZ_BATCH_WIDTH - 1) / GRZ_BATCH_WIDTH * GRZ_BATCH_WIDTH;
  if (group->count == 0) return;
  const grz_batch_pairs pairs = {{group_poses(c, group, 0), group_poses(c, group, 1)},
                                 {group_cores(c, group, 0, batch->a.table->boxes, sizeof(grz_batch_box)),
                                  group_cores(c, group, 1, batch->b.table->boxes, sizeof(grz_batch_box))},
                                 NULL};
  c->job->kernels->boxes(&pairs, full, c->relation);
  group_finish(c, group);
}

/* Relations of point sets, and distances of point sets and boxes. */
static void compute_point_sets(chunk_state *c, const chunk_group *group) {
  const graze_batch *batch = c->job->batch;
  const grz_batch_kernels *kernels = c->job->kernels;
  const size_t full = (group->count + GRZ_BATCH_WIDTH - 1) / GRZ_BATCH_WIDTH * GRZ_BATCH_WIDTH, count = group->count;
  if (count == 0) return;
  for (size_t i = 0; i < full; i++)
    c->clearance[i] = clearance_of(batch, c->first + group_pair(group, i < count ? i : count - 1));
  const grz_batch_pairs pairs = {{group_poses(c, group, 0), group_poses(c, group, 1)},
                                 {group_cores(c, group, 0, batch->a.table->point_sets, sizeof(grz_batch_point_set)),
                                  group_cores(c, group, 1, batch->b.table->point_sets, sizeof(grz_batch_point_set))},
                                 c->clearance};
  if (c->job->query == GRZ_BATCH_DISTANCE) {
    if (group == &c->boxes)
      kernels->box_distance(&pairs, full, batch->max_distance, c->relation, c->numbers);
    else
      kernels->distance(&pairs, full, batch->a.table->dim, batch->max_distance, c->relation, c->numbers);
    for (size_t i = 0; i < count; i++)
      if (c->relation[i] != GRZ_BATCH_UNDECIDED)
        write_numbers(c->job->answers, c->first + group_pair(group, i), &c->numbers[i]);
  } else {
    kernels->intersect(&pairs, full, batch->a.table->dim, c->relation);
  }
  group_finish(c, group);
}

void grz_batch_chunk(const grz_batch_job *job, size_t chunk, grz_batch_tally *tally) {
  chunk_state c; /* large, so members are set where they are needed */
  const size_t left = job->batch->count - chunk * GRZ_BATCH_CHUNK;
  c.job = job, c.tally = tally;
  c.first = chunk * GRZ_BATCH_CHUNK, c.count = left < GRZ_BATCH_CHUNK ? left : GRZ_BATCH_CHUNK;
  c.invalid_index = false;
  c.boxes.count = c.point_sets.count = c.others.count = 0;
  c.boxes.all = c.point_sets.all = c.others.all = false;
  chunk_elements(&c);
  chunk_side(&c, 0);
  chunk_side(&c, 1);
  chunk_distribute(&c);
  if (job->query == GRZ_BATCH_DISTANCE)
    compute_point_sets(&c, &c.boxes);
  else
    compute_boxes(&c);
  compute_point_sets(&c, &c.point_sets);
  for (size_t i = 0; i < c.others.count; i++) compute_single(&c, group_pair(&c.others, i));
}
