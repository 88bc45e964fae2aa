/* The kernels in registers: NEON, which every 64-bit ARM has. */
#include "batch/kernels.h"

#ifdef GRZ_SIMD_NEON

#include "simd/f64xn_neon.h"

#include "batch/box_kernel.h"
#include "batch/points_kernel.h"

const grz_batch_kernels grz_batch_neon = {"neon", F64XN_WIDTH, boxes_run, boxes_bodies, lists_meet, lists_measure};

#endif
