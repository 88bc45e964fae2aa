/* The batch kernels for NEON. */
#include "batch/job.h"

#ifdef GRZ_SIMD_NEON

#include "simd/f64xn_neon.h"

#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"

const grz_batch_kernels grz_batch_neon = {"neon",       F64XN_WIDTH,      boxes_run,
                                          boxes_bodies, points_intersect, points_distance};

#endif
