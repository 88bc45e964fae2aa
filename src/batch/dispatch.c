/* Which kernels run here. */
#include "batch/kernels.h"

#include <stdlib.h>
#include <string.h>

typedef struct choose_one {
  const grz_batch_kernels *kernels;
  bool here;
} choose_one;

enum { CHOOSE_MOST = 4 };

/* The widest first, and no fewer than one. Returns how many. */
static int choose_list(choose_one list[CHOOSE_MOST]) {
  int count = 0;
#ifdef GRZ_SIMD_X86
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
  list[count++] = (choose_one){&grz_batch_avx512, wide};
  list[count++] = (choose_one){&grz_batch_avx2, __builtin_cpu_supports("avx2") != 0};
  list[count++] = (choose_one){&grz_batch_sse2, true};
#endif
#ifdef GRZ_SIMD_NEON
  list[count++] = (choose_one){&grz_batch_neon, true};
#endif
  list[count++] = (choose_one){&grz_batch_portable, true};
  return count;
}

const grz_batch_kernels *grz_batch_named(const char *name) {
  choose_one list[CHOOSE_MOST];
  const int count = choose_list(list);
  for (int i = 0; i < count; i++)
    if (list[i].here && strcmp(list[i].kernels->name, name) == 0) return list[i].kernels;
  return NULL;
}

const grz_batch_kernels *grz_batch_select(void) {
  choose_one list[CHOOSE_MOST];
  const char *name = getenv("GRAZE_SIMD");
  const grz_batch_kernels *named = name != NULL ? grz_batch_named(name) : NULL;
  if (named != NULL) return named;
  (void)choose_list(list);
  for (int i = 0;; i++)
    if (list[i].here) return list[i].kernels;
}
