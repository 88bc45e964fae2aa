/* The batch kernels for portable C. */
#include "batch/job.h"

#include "simd/f64xn_portable.h"

#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"

const grz_batch_kernels grz_batch_portable = {"portable",   F64XN_WIDTH,      boxes_run,
                                              boxes_bodies, points_intersect, points_distance};
