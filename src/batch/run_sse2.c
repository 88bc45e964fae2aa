/* The kernels in registers: SSE2, which needs no leave of the compiler. */
#include "batch/kernels.h"

#ifdef GRZ_SIMD_X86

#include "simd/f64xn_sse2.h"

#include "batch/box_kernel.h"
#include "batch/points_kernel.h"

const grz_batch_kernels grz_batch_sse2 = {"sse2", F64XN_WIDTH, boxes_run, boxes_bodies, lists_meet, lists_measure};

#endif
