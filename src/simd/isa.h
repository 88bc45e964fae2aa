/* The instruction sets that the compiler supports with per-function target attributes, and the names of the functions
 * and types of f64xn, renamed for each of them.
 *
 * A source file defines GRZ_ISA, for instance as avx2, and includes f64xn_avx2.h and a kernel, for instance
 * bvh/slab_kernel.h. Then it defines GRZ_ISA anew for the next instruction set. Below, each name of the f64xn headers
 * is a macro that appends the current GRZ_ISA: f64xn_all is f64xn_all_avx2. So a kernel is written without suffixes. */
#ifndef GRAZE_SIMD_ISA_H
#define GRAZE_SIMD_ISA_H

/* GRAZE_NO_SIMD disables all instruction sets. */
#if defined(__GNUC__) && !defined(GRAZE_NO_SIMD)
#if defined(__x86_64__)
#define GRZ_SIMD_X86 1
#include <immintrin.h>
#elif defined(__aarch64__)
#define GRZ_SIMD_NEON 1
#include <arm_neon.h>
#endif
#endif

/* GRZ_ISA_NAME(x) is x_avx2 if GRZ_ISA is avx2. */
#define GRZ_ISA_NAME(name) GRZ_ISA_EXPAND(name, GRZ_ISA)
#define GRZ_ISA_EXPAND(name, isa) GRZ_ISA_JOIN(name, isa)
#define GRZ_ISA_JOIN(name, isa) name##_##isa

/* Functions between GRZ_TARGET("avx2") and GRZ_TARGET_END are compiled for that instruction set. */
#define GRZ_TARGET_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define GRZ_TARGET(isa) GRZ_TARGET_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define GRZ_TARGET_END GRZ_TARGET_PRAGMA(clang attribute pop)
#else
#define GRZ_TARGET(isa) GRZ_TARGET_PRAGMA(GCC push_options) GRZ_TARGET_PRAGMA(GCC target(isa))
#define GRZ_TARGET_END GRZ_TARGET_PRAGMA(GCC pop_options)
#endif

#define F64XN_WIDTH GRZ_ISA_NAME(F64XN_WIDTH)
#define f64xn GRZ_ISA_NAME(f64xn)
#define f64xn_mask GRZ_ISA_NAME(f64xn_mask)
#define f64xn_all GRZ_ISA_NAME(f64xn_all)
#define f64xn_gather GRZ_ISA_NAME(f64xn_gather)
#define f64xn_load_pairs GRZ_ISA_NAME(f64xn_load_pairs)
#define f64xn_load_columns GRZ_ISA_NAME(f64xn_load_columns)
#define f64xn_load GRZ_ISA_NAME(f64xn_load)
#define f64xn_store GRZ_ISA_NAME(f64xn_store)
#define f64xn_less GRZ_ISA_NAME(f64xn_less)
#define f64xn_equal GRZ_ISA_NAME(f64xn_equal)
#define f64xn_and GRZ_ISA_NAME(f64xn_and)
#define f64xn_or GRZ_ISA_NAME(f64xn_or)
#define f64xn_and_not GRZ_ISA_NAME(f64xn_and_not)
#define f64xn_mask_bits GRZ_ISA_NAME(f64xn_mask_bits)
#define f64xn_mask_of_bits GRZ_ISA_NAME(f64xn_mask_of_bits)
#define f64xn_select GRZ_ISA_NAME(f64xn_select)
#define f64xn_max GRZ_ISA_NAME(f64xn_max)
#define f64xn_min GRZ_ISA_NAME(f64xn_min)
#define f64xn_abs GRZ_ISA_NAME(f64xn_abs)
#define f64xn_sqrt GRZ_ISA_NAME(f64xn_sqrt)
#define f64xn_reduce_max GRZ_ISA_NAME(f64xn_reduce_max)
#define f64xn_permute_masked GRZ_ISA_NAME(f64xn_permute_masked)
#define f64xn_join GRZ_ISA_NAME(f64xn_join)
#define F32XN_WIDTH GRZ_ISA_NAME(F32XN_WIDTH)
#define f32xn GRZ_ISA_NAME(f32xn)
#define f32x4 GRZ_ISA_NAME(f32x4)
#define f32x4_load GRZ_ISA_NAME(f32x4_load)
#define f32x4_of_doubles GRZ_ISA_NAME(f32x4_of_doubles)
#define f32x4_of_difference GRZ_ISA_NAME(f32x4_of_difference)
#define f32xn_transpose GRZ_ISA_NAME(f32xn_transpose)
#define f32xn_all GRZ_ISA_NAME(f32xn_all)
#define f32xn_load GRZ_ISA_NAME(f32xn_load)
#define f32xn_store GRZ_ISA_NAME(f32xn_store)
#define f32xn_max GRZ_ISA_NAME(f32xn_max)
#define f32xn_min GRZ_ISA_NAME(f32xn_min)
#define f32xn_abs GRZ_ISA_NAME(f32xn_abs)
#define f32xn_sqrt GRZ_ISA_NAME(f32xn_sqrt)
#define f32xn_select_less GRZ_ISA_NAME(f32xn_select_less)
#define f32xn_less_bits GRZ_ISA_NAME(f32xn_less_bits)
#define f32xn_join GRZ_ISA_NAME(f32xn_join)

#endif
