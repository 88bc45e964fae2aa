/* Allocation through the caller's allocator, the size of the caller's workspace, and prefetching. */
#ifndef GRAZE_CORE_MEMORY_H
#define GRAZE_CORE_MEMORY_H

#include "core/real.h"

#include <graze/graze.h>

#include <stdint.h>

/* The caller's allocator; if it is NULL, malloc() and free(). */
graze_allocator grz_allocator(const graze_allocator *allocator);

/* Allocates count·size bytes, at least one. Returns NULL if memory is exhausted or the product overflows. */
void *grz_allocate(const graze_allocator *allocator, size_t count, size_t size);

/* Releases a block of grz_allocate(); NULL is allowed. */
void grz_release(const graze_allocator *allocator, void *memory);

/* The bytes of a workspace for each point of the expansion of EPA, and the least useful number of points. The capacity
 * of a workspace limits the expansion, so it must not depend on the size of a struct, which differs between targets. */
enum { GRZ_POLYTOPE_BYTES = 240, GRZ_POLYTOPE_LEAST = 8 };

/* The bytes of a cache line. */
enum { GRZ_CACHE_LINE = 64 };

/* Starts to load these bytes, which may lie beyond the object. Always inline: GCC removes calls of functions that do
 * nothing else. */
GRZ_TEMPLATE void grz_prefetch(const void *first, size_t bytes) {
  for (size_t at = 0; at < bytes; at += GRZ_CACHE_LINE) __builtin_prefetch((const void *)((uintptr_t)first + at));
}

#endif
