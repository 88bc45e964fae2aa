/* The batch kernels for SSE2. */
#include "batch/job.h"

#ifdef GRZ_SIMD_X86

#include "simd/f64xn_sse2.h"

#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"

const grz_batch_kernels grz_batch_sse2 = {"sse2",       F64XN_WIDTH,      boxes_run,
                                          boxes_bodies, points_intersect, points_distance};

#endif
