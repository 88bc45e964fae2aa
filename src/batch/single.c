/* Pairs one by one: looking them up, refusing them, asking about them, writing answers. */
#include "core/error.h"
#include "batch/job.h"

/* Element i of an array of the caller's; a stride of 0 is that of a packed array. */
static inline const void *one_at(const void *array, size_t stride, size_t packed, size_t i) {
  return (const char *)array + i * (stride != 0 ? stride : packed);
}

static inline void *one_into(void *array, size_t stride, size_t packed, size_t i) {
  return (char *)array + i * (stride != 0 ? stride : packed);
}

/* By the caller's index; without one it is the pair's own, or that of the only element. */
static inline size_t one_index(const uint32_t *index, size_t stride, size_t count, size_t i) {
  if (index != NULL) return *(const uint32_t *)one_at(index, stride, sizeof *index, i);
  return count == 1 ? 0 : i;
}

static graze_error one_wrong(graze_status status, const char *what, size_t index, double value) {
  return grz_error(status, what, (ptrdiff_t)index, value);
}

static bool one_side(const graze_batch_side *side, const char *const what[2], size_t i, uint32_t *shape,
                     const graze_pose **pose, graze_error *error) {
  const size_t at = one_index(side->shape_index, side->shape_index_stride, side->table->count, i);
  const size_t where = one_index(side->pose_index, side->pose_index_stride, side->pose_count, i);
  if (at >= side->table->count || where >= side->pose_count) {
    const bool first = at >= side->table->count;
    *error = one_wrong(GRAZE_BAD_OPTION, what[first ? 0 : 1], i, (double)(first ? at : where));
    return false;
  }
  *shape = (uint32_t)at;
  *pose = one_at(side->poses, side->pose_stride, sizeof(graze_pose), where);
  return true;
}

double grz_batch_clearance(const graze_batch *batch, size_t i) {
  return *(const double *)one_at(batch->clearance, batch->clearance_stride, sizeof(double), i);
}

bool grz_batch_look_up(const graze_batch *batch, size_t i, grz_batch_one *pair, graze_error *error) {
  static const char *const a[2] = {"a.shape_index", "a.pose_index"}, *const b[2] = {"b.shape_index", "b.pose_index"};
  pair->index = i;
  if (!one_side(&batch->a, a, i, &pair->shape[0], &pair->pose[0], error)) return false;
  if (!one_side(&batch->b, b, i, &pair->shape[1], &pair->pose[1], error)) return false;
  pair->clearance = 0;
  if (batch->clearance == NULL) return true;
  pair->clearance = grz_batch_clearance(batch, i);
  if (pair->clearance >= 0 && pair->clearance <= GRAZE_LARGEST) return true;
  *error = one_wrong(GRAZE_BAD_OPTION, "clearance", i, pair->clearance);
  return false;
}

/* ---- Writing */

static void one_put_byte(uint8_t *array, size_t stride, size_t i, uint8_t x) {
  if (array != NULL) *(uint8_t *)one_into(array, stride, sizeof x, i) = x;
}

static void one_put(double *array, size_t stride, size_t i, double x) {
  if (array != NULL) *(double *)one_into(array, stride, sizeof x, i) = x;
}

static void one_put_vec(graze_vec *array, size_t stride, size_t i, graze_vec v) {
  if (array != NULL) *(graze_vec *)one_into(array, stride, sizeof v, i) = v;
}

void grz_batch_write_numbers(const graze_batch_answers *to, size_t i, const grz_batch_numbers *n) {
  one_put(to->distance, to->distance_stride, i, n->distance);
  one_put(to->lower, to->lower_stride, i, n->lower);
  one_put(to->upper, to->upper_stride, i, n->upper);
  one_put_vec(to->normal, to->normal_stride, i, n->normal);
  one_put_vec(to->point_a, to->point_a_stride, i, n->point_a);
  one_put_vec(to->point_b, to->point_b_stride, i, n->point_b);
}

static void one_put_impact(const graze_batch_answers *to, size_t i, const graze_cast_result *impact) {
  one_put_byte(to->relation, to->relation_stride, i, (uint8_t)impact->start_relation);
  one_put_byte(to->result, to->result_stride, i, (uint8_t)impact->outcome);
  one_put(to->t_lower, to->t_lower_stride, i, impact->t_lower);
  one_put(to->t_upper, to->t_upper_stride, i, impact->t_upper);
  one_put_vec(to->normal, to->normal_stride, i, impact->normal);
  one_put_vec(to->point_a, to->point_a_stride, i, impact->point);
}

void grz_batch_refuse(const grz_batch_job *job, size_t i, const graze_error *error, grz_batch_tally *tally) {
  const double none = __builtin_nan("");
  const graze_vec nowhere = {none, none, none};
  const grz_batch_numbers numbers = {none, none, none, nowhere, nowhere, nowhere};
  const graze_cast_result impact = {.t_lower = none, .t_upper = none, .point = nowhere, .normal = nowhere};
  if (job->question == GRZ_BATCH_CAST) one_put_impact(job->answers, i, &impact);
  one_put_byte(job->answers->relation, job->answers->relation_stride, i, 0);
  if (job->question == GRZ_BATCH_DISTANCE) grz_batch_write_numbers(job->answers, i, &numbers);
  if (tally->error.status == GRAZE_OK || error->index < tally->error.index) tally->error = *error;
}

/* ---- Asking */

typedef struct one_names {
  const char *position, *rotation, *velocity;
} one_names;

static const one_names one_name[2] = {{"a.position", "a.rotation", "a.velocity"},
                                      {"b.position", "b.rotation", "b.velocity"}};

/* The shape of a pair where it stands. */
static bool one_place(const grz_batch_job *job, const grz_batch_one *pair, int side, graze_placed *placed,
                      graze_error *error) {
  const graze_batch_side *from = side == 0 ? &job->batch->a : &job->batch->b;
  *placed = from->table->placed[pair->shape[side]];
  if (graze_set_pose(placed, *pair->pose[side]) == GRAZE_OK) return true;
  const graze_shape point = placed->shape.dim == 2 ? graze_point2() : graze_point(); /* judged by its pose alone, too */
  (void)graze_check(&point, pair->pose[side], error);
  error->what = error->what[0] == 'p' ? one_name[side].position : one_name[side].rotation;
  error->index = (ptrdiff_t)pair->index;
  return false;
}

static bool one_velocity(const grz_batch_job *job, const grz_batch_one *pair, int side, graze_vec *velocity,
                         graze_error *error) {
  const graze_batch_side *from = side == 0 ? &job->batch->a : &job->batch->b;
  *velocity = (graze_vec){0, 0, 0};
  if (from->velocities == NULL) return true;
  const size_t at = one_index(from->pose_index, from->pose_index_stride, from->pose_count, pair->index);
  *velocity = *(const graze_vec *)one_at(from->velocities, from->velocity_stride, sizeof(graze_vec), at);
  graze_pose pose = graze_pose_at(velocity->x, velocity->y, velocity->z);
  const graze_shape point = from->table->dim == 2 ? graze_point2() : graze_point();
  if (graze_check(&point, &pose, error) == GRAZE_OK) return true;
  error->what = one_name[side].velocity;
  error->index = (ptrdiff_t)pair->index;
  return false;
}

static void one_answered(const grz_batch_job *job, const grz_batch_one *pair, const graze_answer *answer,
                         grz_batch_tally *tally) {
  const grz_batch_numbers numbers = {answer->distance, answer->lower,   answer->upper,
                                     answer->normal,   answer->point_a, answer->point_b};
  one_put_byte(job->answers->relation, job->answers->relation_stride, pair->index, (uint8_t)answer->relation);
  if (job->question == GRZ_BATCH_DISTANCE) grz_batch_write_numbers(job->answers, pair->index, &numbers);
  tally->counts.one_by_one++;
  tally->counts.exact += answer->exact;
}

/* Of two shapes in their places only the pair itself can be refused. */
static graze_status one_question(const grz_batch_job *job, const grz_batch_one *pair, const graze_placed placed[2],
                                 grz_batch_tally *tally) {
  graze_options options = job->options;
  graze_answer answer;
  options.clearance = pair->clearance;
  const graze_status status = job->question == GRZ_BATCH_DISTANCE
                                  ? graze_distance(&placed[0], &placed[1], &options, &answer)
                                  : graze_intersect(&placed[0], &placed[1], &options, &answer);
  if (status == GRAZE_OK) one_answered(job, pair, &answer, tally);
  return status;
}

static graze_status one_cast(const grz_batch_job *job, const grz_batch_one *pair, const graze_placed placed[2],
                             const graze_vec velocity[2], grz_batch_tally *tally) {
  const graze_motion motion[2] = {{velocity[0], {0, 0, 0}}, {velocity[1], {0, 0, 0}}};
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result impact;
  options.clearance = pair->clearance;
  options.min_distance = false;
  const graze_status status =
      graze_cast(&placed[0], &motion[0], &placed[1], &motion[1], job->batch->t_max, &options, &impact);
  if (status != GRAZE_OK) return status;
  one_put_impact(job->answers, pair->index, &impact);
  tally->counts.one_by_one++;
  tally->counts.exact += impact.exact;
  return GRAZE_OK;
}

void grz_batch_ask(const grz_batch_job *job, const grz_batch_one *pair, grz_batch_tally *tally) {
  graze_placed placed[2];
  graze_vec velocity[2];
  graze_error error = grz_error(GRAZE_OK, "", -1, 0);
  bool good = one_place(job, pair, 0, &placed[0], &error) && one_place(job, pair, 1, &placed[1], &error);
  const bool moves = job->question == GRZ_BATCH_CAST;
  if (good && moves)
    good = one_velocity(job, pair, 0, &velocity[0], &error) && one_velocity(job, pair, 1, &velocity[1], &error);
  if (good) {
    const graze_status status =
        moves ? one_cast(job, pair, placed, velocity, tally) : one_question(job, pair, placed, tally);
    good = status == GRAZE_OK;
    error = one_wrong(status, "shapes", pair->index, 0);
  }
  if (!good) grz_batch_refuse(job, pair->index, &error, tally);
}
