/* References for polygons and moving boxes: plain algorithms in extended precision, independent of Graze. */
#ifndef GRAZE_BENCH_TRUTH_H
#define GRAZE_BENCH_TRUTH_H

#include "workload.h"

/* The signed distance of planar pairs. Overlapping: the smallest overlap along all edge normals. Separated: the
 * smallest distance of all vertices and edges. */
double bench_truth_polygons(const bench_workload *workload, size_t pair);

/* Polygons or boxes of which B moves with its velocity: the first time in [0, 1] at which the projections on all edge
 * normals (boxes: the 15 axes) overlap; HUGE_VAL: none. NaN if the answer changes within 1e-9: a grazing contact, or
 * one at the start or the end. */
double bench_truth_cast(const bench_workload *workload, size_t pair);

#endif
