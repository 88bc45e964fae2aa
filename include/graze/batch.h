/* Graze: queries of many pairs, with arrays of input and arrays of answers.
 *
 * A batch computes for many pairs what graze_intersect(), graze_distance() and graze_cast() compute for one. Pairs of
 * boxes, and of shapes with up to 64 core vertices, are computed with SIMD, and all other pairs one by one. Relations
 * are the same as those of single queries, and intervals contain the true number. The results have the same bits for
 * every instruction set, SIMD width and number of threads. Nothing here allocates.
 *
 *     graze_table_make(shapes, 9, memory, sizeof memory, &table, NULL);
 *     graze_batch batch = graze_default_batch();
 *     batch.a = (graze_batch_side){.table = table, .poses = poses, .pose_count = 100};
 *     batch.pairing = GRAZE_PAIRS_WITHIN;                      (all pairs of the 100 poses)
 *     batch.count = graze_batch_pair_count(&batch);            (4950)
 *     graze_batch_answers answers = {.relation = relations};
 *     status = graze_batch_intersect(&batch, &answers, NULL, &error);
 *
 * Guide: docs/guide/batches.md (pairings, speed, errors, threads). */
#ifndef GRAZE_BATCH_H
#define GRAZE_BATCH_H

#include <graze/graze.h>
#include <graze/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup tables Tables of shapes
 * @{ */

/** Shapes that were validated and stored in SIMD order once, for any number of batches. A table lies in the caller's
 * memory; there is nothing to free. Threads may share it. */
typedef struct graze_table graze_table;

/** Returns the number of bytes that graze_table_make() needs for these shapes. */
GRAZE_API size_t graze_table_size(const graze_shape *shapes, size_t count);

/** Makes a table of shapes.
 *
 * The shapes are copied. Vertices, contexts, compounds and meshes that they point to must stay unchanged while the
 * table is in use.
 *
 * @param shapes  all 2D or all 3D.
 * @param count   1 <= count < 2^32.
 * @param memory  `size` bytes, aligned as by malloc(); the table lies in it.
 * @param error   may be NULL. On failure, `what` is "count", or "memory" with the number of bytes needed as `value`.
 *                For a rejected shape, `index` is the shape and `what` is that of graze_check(), "dim" (another
 *                dimension), or "support" (the function of a user shape returns NaN).
 * @return GRAZE_OK, a status of graze_check(), GRAZE_DIM_MISMATCH, GRAZE_BAD_OPTION (count) or GRAZE_NO_SPACE. */
GRAZE_API graze_status graze_table_make(const graze_shape *shapes, size_t count, void *memory, size_t size,
                                        const graze_table **table, graze_error *error);
/** @} */

/** @defgroup batches Batches
 *
 * Every array has a stride: the number of bytes from one element to the next, 0 for a packed array. So the elements may
 * be members of an array of structs. Strides are not validated. Elements must be aligned for their type, and no output
 * may overlap another array.
 * @{ */

/** One side of all pairs. A body of the side is a pose and a shape. */
typedef struct graze_batch_side {
  const graze_table *table;
  const uint32_t *shape_index; /**< of each listed pair, or of each pose. NULL: 0, 1, 2 …, or the only shape */
  size_t shape_index_stride;
  const graze_pose *poses;
  size_t pose_count, pose_stride;
  const uint32_t *pose_index; /**< GRAZE_PAIRS_LISTED only; NULL: the index of the pair, or 0 if there is one pose */
  size_t pose_index_stride;
  const graze_vec *velocities; /**< casts: one for each pose; NULL: all 0 */
  size_t velocity_stride;
} graze_batch_side;

/** Which pairs a batch has. */
typedef enum graze_pairing {
  GRAZE_PAIRS_LISTED, /**< pair i consists of element i of the indices of each side */
  GRAZE_PAIRS_WITHIN, /**< every two poses i < j of side a: (0,1), (0,2), … (0,n-1), (1,2), … Side b must be empty */
  GRAZE_PAIRS_BETWEEN /**< every pose i of side a with every pose j of side b: (0,0), (0,1), … */
} graze_pairing;

/** A batch of pairs. Start from graze_default_batch(). */
typedef struct graze_batch {
  graze_batch_side a, b;
  graze_pairing pairing;    /**< default GRAZE_PAIRS_LISTED */
  size_t count;             /**< number of pairs, < 2^32; must be graze_batch_pair_count(). May be 0 */
  double clearance;         /**< for all pairs: added to the radius of a, as in graze_options. Default 0 */
  const double *clearances; /**< NULL, or one for each pair, in place of `clearance` */
  size_t clearances_stride;
  double max_distance;            /**< as in graze_options. Default INFINITY */
  double t_max;                   /**< casts: end of the motion, >= 0. Default 1 */
  const graze_parallel *parallel; /**< NULL, the default: the calling thread only */
  void *scratch;                  /**< with `parallel`: graze_batch_scratch_size() bytes, aligned as by malloc() */
  size_t scratch_size;
} graze_batch;

GRAZE_API graze_batch graze_default_batch(void);

/** Returns the number of pairs: `count` for GRAZE_PAIRS_LISTED, n·(n - 1)/2 for GRAZE_PAIRS_WITHIN and n·m for
 * GRAZE_PAIRS_BETWEEN, with n and m poses on sides a and b. Returns SIZE_MAX if the number is larger than that. */
GRAZE_API size_t graze_batch_pair_count(const graze_batch *batch);

/** Computes which poses form a pair.
 *
 * @param pair    less than graze_batch_pair_count().
 * @param pose_a  receives the index in the poses of side a.
 * @param pose_b  receives the index in the poses of side b; for GRAZE_PAIRS_WITHIN the larger index in those of a. */
GRAZE_API void graze_batch_pair(const graze_batch *batch, size_t pair, size_t *pose_a, size_t *pose_b);

/** Returns the number of bytes of scratch memory that a batch of `count` pairs needs with `parallel`. */
GRAZE_API size_t graze_batch_scratch_size(size_t count);

/** Output arrays: element i belongs to pair i. NULL: not computed. Each number is the member of the same name of
 * graze_answer or graze_cast_result, NaN included. */
typedef struct graze_batch_answers {
  uint8_t *relation; /**< a graze_relation; 0: rejected. Casts: the relation at the start */
  size_t relation_stride;
  double *distance, *lower, *upper; /**< graze_batch_distance() */
  size_t distance_stride, lower_stride, upper_stride;
  graze_vec *normal, *point_a, *point_b; /**< graze_batch_distance(). Casts: contact normal, and point in `point_a` */
  size_t normal_stride, point_a_stride, point_b_stride;
  uint8_t *outcome; /**< casts: a graze_cast_outcome; 0: rejected */
  size_t outcome_stride;
  double *t_lower, *t_upper; /**< casts */
  size_t t_lower_stride, t_upper_stride;
} graze_batch_answers;

/** How the pairs were computed. Rejected pairs are not counted. */
typedef struct graze_batch_counts {
  size_t by_simd;    /**< proved with SIMD */
  size_t one_by_one; /**< computed one by one: other shapes, casts, and pairs that SIMD left undecided */
  size_t exact;      /**< the pairs of `one_by_one` that needed exact arithmetic */
} graze_batch_counts;

/** Computes the relations of all pairs, as graze_intersect() does.
 *
 * An invalid pair does not affect the others. Its relation is 0 and its numbers are NaN, and the call returns the
 * status of the first invalid pair. An invalid batch writes nothing.
 *
 * @param answers  receives `relation`; all other arrays are ignored. Must not be NULL.
 * @param counts   may be NULL.
 * @param error    may be NULL. Receives the name and the value of the wrong option or number. `index` is the pair, or
 *                 -1 if the batch is invalid. All names: docs/guide/batches.md, "Errors".
 * @return GRAZE_OK, the status of the first invalid pair, or that of the invalid batch.
 *
 * Needs the stack of graze_intersect() and 100 KB on each thread. */
GRAZE_API graze_status graze_batch_intersect(const graze_batch *batch, const graze_batch_answers *answers,
                                             graze_batch_counts *counts, graze_error *error);

/** Computes the signed distances of all pairs, as graze_distance() does.
 *
 * The relations are the same. The intervals are as narrow and contain the true distance, but their bits may differ. The
 * choice among equally near witness points may differ too. A pair beyond max_distance gets `lower` >= max_distance; its
 * other numbers are NaN.
 *
 * @param answers  receives `relation`, `distance`, `lower`, `upper`, `normal`, `point_a` and `point_b`.
 *
 * Other parameters and status: graze_batch_intersect(). */
GRAZE_API graze_status graze_batch_distance(const graze_batch *batch, const graze_batch_answers *answers,
                                            graze_batch_counts *counts, graze_error *error);

/** Computes the casts of all pairs, as graze_cast() does without `min_distance`. The shapes move with the velocities of
 * their sides from time 0 to t_max and do not rotate.
 *
 * @param answers  receives `relation`, `normal`, `point_a`, `outcome`, `t_lower` and `t_upper`.
 *
 * Other parameters and status: graze_batch_intersect(). */
GRAZE_API graze_status graze_batch_cast(const graze_batch *batch, const graze_batch_answers *answers,
                                        graze_batch_counts *counts, graze_error *error);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
