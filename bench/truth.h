/* What is so, by the plainest way in extended precision and by nothing of Graze: of polygons, and of boxes that move.
 */
#ifndef GRAZE_BENCH_TRUTH_H
#define GRAZE_BENCH_TRUTH_H

#include "workload.h"

/* Planar workloads: the signed distance. Overlapping: no normal of an edge has less overlap. Apart: no vertex is nearer
 * to an edge. */
double bench_truth_polygons(const bench_workload *workload, size_t pair);

/* Polygons, or two boxes, of which B moves by its velocity: the first time in [0, 1] at which they overlap on the
 * normals of all edges (boxes: on the 15 axes), HUGE_VAL if there is none. NaN within 1e-9 of another answer: they
 * graze each other, or the contact is at the start or at the end. */
double bench_truth_cast(const bench_workload *workload, size_t pair);

#endif
