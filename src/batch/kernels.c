/* The SIMD kernels for many pairs, compiled for each instruction set, and their selection: the widest instruction set
 * of the machine, or the one that the environment variable GRAZE_SIMD names. */
#include "batch/job.h"
#include "batch/kernel_names.h"

#include <stdlib.h>
#include <string.h>

/* ---- Instruction sets */

#define KERNELS(name)                                                                                                  \
  { name, F64XN_WIDTH, boxes_run, boxes_bodies, points_intersect, points_distance }

#define GRZ_ISA portable
#include "simd/f64xn_portable.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_portable = KERNELS("portable");
#undef GRZ_ISA

#if defined(GRZ_SIMD_X86)

#define GRZ_ISA sse2
#include "simd/f64xn_sse2.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_sse2 = KERNELS("sse2");
#undef GRZ_ISA

GRZ_TARGET("avx2")
#define GRZ_ISA avx2
#include "simd/f64xn_avx2.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_avx2 = KERNELS("avx2");
#undef GRZ_ISA
GRZ_TARGET_END

GRZ_TARGET("avx512f,avx512dq")
#define GRZ_ISA avx512
#include "simd/f64xn_avx512.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_avx512 = KERNELS("avx512");
#undef GRZ_ISA
GRZ_TARGET_END

#elif defined(GRZ_SIMD_NEON)

#define GRZ_ISA neon
#include "simd/f64xn_neon.h"
#include "batch/box_kernel.h"
#include "batch/point_set_kernel.h"
static const grz_batch_kernels kernels_neon = KERNELS("neon");
#undef GRZ_ISA

#endif

/* ---- Selection */

typedef struct dispatch_entry {
  const grz_batch_kernels *kernels;
  bool supported;
} dispatch_entry;

enum { DISPATCH_MAX = 4 };

/* Lists the kernels of the build, the widest first, and returns their number. The last ones are always supported. */
static int dispatch_list(dispatch_entry list[DISPATCH_MAX]) {
  int count = 0;
#ifdef GRZ_SIMD_X86
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  list[count++] = (dispatch_entry){&kernels_avx512, avx512};
  list[count++] = (dispatch_entry){&kernels_avx2, __builtin_cpu_supports("avx2") != 0};
  list[count++] = (dispatch_entry){&kernels_sse2, true};
#endif
#ifdef GRZ_SIMD_NEON
  list[count++] = (dispatch_entry){&kernels_neon, true};
#endif
  list[count++] = (dispatch_entry){&kernels_portable, true};
  return count;
}

const grz_batch_kernels *grz_batch_named(const char *name) {
  dispatch_entry list[DISPATCH_MAX];
  const int count = dispatch_list(list);
  for (int i = 0; i < count; i++)
    if (list[i].supported && strcmp(list[i].kernels->name, name) == 0) return list[i].kernels;
  return NULL;
}

const grz_batch_kernels *grz_batch_select(void) {
  dispatch_entry list[DISPATCH_MAX];
  const char *name = getenv("GRAZE_SIMD");
  const grz_batch_kernels *named = name != NULL ? grz_batch_named(name) : NULL;
  if (named != NULL) return named;
  (void)dispatch_list(list);
  for (int i = 0;; i++)
    if (list[i].supported) return list[i].kernels;
}
