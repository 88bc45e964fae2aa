/* The kernels without registers of any kind. */
#include "batch/kernels.h"

#include "simd/f64xn_portable.h"

#include "batch/box_kernel.h"
#include "batch/points_kernel.h"

const grz_batch_kernels grz_batch_portable = {"portable", F64XN_WIDTH, boxes_run, boxes_bodies, lists_meet, lists_measure};
