/* Selection of the SIMD kernels: the widest instruction set of the machine, or the one that GRAZE_SIMD names. */
#include "batch/job.h"

#include <stdlib.h>
#include <string.h>

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
  list[count++] = (dispatch_entry){&grz_batch_avx512, avx512};
  list[count++] = (dispatch_entry){&grz_batch_avx2, __builtin_cpu_supports("avx2") != 0};
  list[count++] = (dispatch_entry){&grz_batch_sse2, true};
#endif
#ifdef GRZ_SIMD_NEON
  list[count++] = (dispatch_entry){&grz_batch_neon, true};
#endif
  list[count++] = (dispatch_entry){&grz_batch_portable, true};
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
