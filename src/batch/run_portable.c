/* The kernels without registers of any kind. */
#include "batch/kernels.h"

#include "lanes/wide_portable.h"

#include "batch/boxes_kernel.h"
#include "batch/lists_kernel.h"

const grz_batch_kernels grz_batch_portable = {"portable", LANES, boxes_run, boxes_bodies, lists_meet, lists_measure};
