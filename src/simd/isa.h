/* The instruction sets that the compiler supports with per-function target attributes. GRAZE_NO_SIMD disables all. */
#ifndef GRAZE_SIMD_ISA_H
#define GRAZE_SIMD_ISA_H

#if defined(__GNUC__) && !defined(GRAZE_NO_SIMD)
#if defined(__x86_64__)
#define GRZ_SIMD_X86 1
#include <immintrin.h>
#elif defined(__aarch64__)
#define GRZ_SIMD_NEON 1
#include <arm_neon.h>
#endif
#endif

#endif
