/* The batch kernels for AVX2. */
#include "batch/job.h"

#ifdef GRZ_SIMD_X86
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#include "simd/f64xn_avx2.h"

#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"

const grz_batch_kernels grz_batch_avx2 = {"avx2",       F64XN_WIDTH,      boxes_run,
                                          boxes_bodies, points_intersect, points_distance};

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
