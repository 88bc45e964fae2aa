/* Graze: arrays of pairs in, arrays of answers out.
 *
 * The questions of graze.h about many pairs at once: pairs go side by side through the lanes of the machine's vector
 * registers. With AVX-512 boxes, yes or no, take a tenth of the time, cores of up to 64 vertices, yes or no and their
 * distances while apart, a third to a half of it. Narrower registers gain less; with SSE2 or none large hulls gain
 * nothing, or are slower than one by one. Casts, depths of cores that overlap, and shapes without such a core gain
 * nothing and cost somewhat more. LIMITS.md in the repository ("Batches") says exactly what goes through lanes.
 *
 * A shape's core is what is left of it without its margin and its own radius: of a circle or sphere a point, of a
 * capsule a segment, of boxes, polygons and hulls they themselves. Ellipses, ellipsoids, cylinders, cones, half-spaces,
 * compounds and user shapes have no core of vertices.
 *
 * What an answer says does not change: the relation is the one that graze_intersect() gives, always, and intervals
 * surely hold the truth. What the lanes cannot prove is asked one by one, exactly where need be.
 *
 *     graze_table_make(shapes, 9, room, sizeof room, &table, NULL);      once; every status looked at, of course
 *     graze_batch batch = graze_default_batch();
 *     batch.a.table = batch.b.table = table, batch.count = 1000;         then indices and poses of both sides
 *     graze_batch_answers answers = {.relation = relations};
 *     graze_batch_intersect(&batch, &answers, NULL, NULL);
 *
 * Nothing here allocates or keeps a global. The same bits whatever the machine's registers, the number of threads, and
 * whichever pairs are asked about together. The widest registers are taken. For measuring and testing, the environment
 * variable GRAZE_SIMD names others: portable (none), sse2, avx2, avx512, neon. It is read by every batch, and by every
 * scene when it is made; a name that is unknown, or that this machine or build lacks, is ignored. */
#ifndef GRAZE_BATCH_H
#define GRAZE_BATCH_H

#include <graze/graze.h>
#include <graze/parallel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup tables Tables of shapes
 * @{ */

/** Shapes, judged and laid out for lanes once, for any number of batches. Lies in memory of the caller's; there is
 * nothing to free. Shared freely between threads. */
typedef struct graze_table graze_table;

/** How many bytes a table of these shapes takes. */
GRAZE_API size_t graze_table_size(const graze_shape *shapes, size_t count);

/** Makes a table of 1 <= count < 2^32 shapes, all 2D or all 3D, in `memory` of `size` bytes, aligned as malloc()
 * aligns. The shapes are copied; vertices, contexts and compounds that they point to must outlive the table, and stay
 * as they are. What a shape is refused for as graze_check() says it, with *error naming the shape: `what` is wrong with
 * shape `index`; GRAZE_DIM_MISMATCH: "dim"; of a user shape also GRAZE_BAD_NUMBER, "support". GRAZE_NO_SPACE: "memory",
 * and how many bytes it takes; GRAZE_BAD_OPTION: "count". `error` may be NULL; on success it says GRAZE_OK. */
GRAZE_API graze_status graze_table_make(const graze_shape *shapes, size_t count, void *memory, size_t size,
                                        const graze_table **table, graze_error *error);
/** @} */

/** @defgroup batches Batches
 * Strides are in bytes from one element to the next; 0 stands for that of a packed array. Nobody checks them: one that
 * is smaller than an element, or by which elements are not aligned for their type, is undefined behaviour. No element
 * that is written may overlap another one, or what is read: poses, indices, clearances, velocities.
 * @{ */

/** One side of all pairs: A's, or B's. */
typedef struct graze_batch_side {
  const graze_table *table;
  const uint32_t *shape_index; /**< which shape of the table pair i has; NULL: shape i, or where the table has only one
                                    that one */
  size_t shape_index_stride;
  const graze_pose *poses;
  size_t pose_count, pose_stride;
  const uint32_t *pose_index; /**< where it stands; NULL: at pose i, or where there is only one at that one */
  size_t pose_index_stride;
  const graze_vec *velocities; /**< casts: one for each pose; NULL: none moves */
  size_t velocity_stride;
} graze_batch_side;

/** What is asked. Start from graze_default_batch(). One against many: a table, or poses, of one. Many placements of one
 * pair: tables of one shape each. */
typedef struct graze_batch {
  graze_batch_side a, b;
  size_t count;            /**< how many pairs; < 2^32. May be 0: then poses may be NULL, tables not */
  const double *clearance; /**< one for each pair, as graze_options::clearance; NULL: 0 for all */
  size_t clearance_stride;
  double max_distance;            /**< as graze_options::max_distance. Default INFINITY */
  double t_max;                   /**< casts: >= 0. Default 1 */
  const graze_parallel *parallel; /**< NULL, the default: one thread */
  void *scratch;                  /**< needed for more than one thread, aligned as malloc() aligns … */
  size_t scratch_size;            /**< … of no less than graze_batch_scratch_size() bytes */
} graze_batch;

GRAZE_API graze_batch graze_default_batch(void);

/** How much scratch memory a batch of `count` pairs needs with graze_batch::parallel; without it none. */
GRAZE_API size_t graze_batch_scratch_size(size_t count);

/** Where the answers go: element i of each array is about pair i. NULL: not wanted. Numbers mean what those of the same
 * name in graze_answer and graze_cast_result do; where these are NaN, so are they here. All else that these hold
 * (parts, certificates, `stopped`, how the answer was found) a batch does not tell: ask about the pair by itself. */
typedef struct graze_batch_answers {
  uint8_t *relation; /**< a graze_relation, or 0: refused; casts: how they start */
  size_t relation_stride;
  double *distance, *lower, *upper; /**< of graze_batch_distance() */
  size_t distance_stride, lower_stride, upper_stride;
  graze_vec *normal, *point_a, *point_b; /**< of graze_batch_distance(); casts: the normal at the contact, and where */
  size_t normal_stride, point_a_stride, point_b_stride;
  uint8_t *result; /**< casts: a graze_cast_outcome, or 0: refused */
  size_t result_stride;
  double *t_lower, *t_upper; /**< casts */
  size_t t_lower_stride, t_upper_stride;
} graze_batch_answers;

/** How the pairs were decided. */
typedef struct graze_batch_counts {
  size_t by_simd;    /**< proved side by side with others */
  size_t one_by_one; /**< asked like any pair, because of their shapes or because the lanes could not tell … */
  size_t exact;      /**< … and so many of these in exact arithmetic */
} graze_batch_counts;

/** Do they meet? Fills `relation` alone: what graze_intersect() says.
 *
 * A pair that is refused does not spoil the others: its relation (and result) is 0, its numbers are NaN, and all others
 * are answered. The status is then that of the first pair refused, and *error (may be NULL) names it: `index` is the
 * pair, `value` the number that is wrong, and `what` is
 * - "a.shape_index", "a.pose_index": GRAZE_BAD_OPTION, out of range; also where there is no index, and fewer shapes or
 *   poses than pairs;
 * - "a.position", "a.rotation", "a.velocity", with the status that graze_check() gives; the same of b;
 * - "clearance": GRAZE_BAD_OPTION; "shapes": GRAZE_UNSUPPORTED, of two half-spaces.
 * What is wrong with the batch itself leaves all answers untouched, with index -1:
 * - "a.table" (NULL), "a.poses" (NULL or none; `value` is pose_count): GRAZE_BAD_OPTION; the same of b;
 * - "b.table": GRAZE_DIM_MISMATCH, and its dimension;
 * - "count", "max_distance", "t_max": GRAZE_BAD_OPTION; the last two also where the question does not use them;
 * - "scratch": GRAZE_NO_SPACE, and how many bytes it takes.
 * Then *counts stays, too. `answers` must not be NULL, though all in it may be. `counts` may be NULL; refused pairs are
 * not counted. Needs as much stack as graze_intersect(), and 100 KB, on each thread. */
GRAZE_API graze_status graze_batch_intersect(const graze_batch *batch, const graze_batch_answers *answers,
                                             graze_batch_counts *counts, graze_error *error);

/** How far apart, or how deep? Fills `relation` … `point_b`, as graze_distance() does: the relation is the same; the
 * interval is as narrow as promised there and surely holds the truth, but its bits, and which of several equal witness
 * points comes, may differ. Beyond max_distance: `lower` >= max_distance, the other numbers NaN. Status as
 * graze_batch_intersect(). */
GRAZE_API graze_status graze_batch_distance(const graze_batch *batch, const graze_batch_answers *answers,
                                            graze_batch_counts *counts, graze_error *error);

/** Do they meet on the way? Fills `relation`, `normal`, `point_a` (graze_cast_result::point) and `result` … `t_upper`,
 * as graze_cast() does with a max_distance of 0: how near they pass is not looked for. Status as
 * graze_batch_intersect(). */
GRAZE_API graze_status graze_batch_cast(const graze_batch *batch, const graze_batch_answers *answers,
                                        graze_batch_counts *counts, graze_error *error);
/** @} */

#ifdef __cplusplus
}
#endif

#endif
