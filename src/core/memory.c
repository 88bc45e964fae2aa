/* The allocator, and the size of a workspace. No other file of the library calls malloc(). */
#include "core/memory.h"

#include <stdlib.h>

static void *memory_allocate(void *context, size_t size) {
  (void)context;
  return malloc(size);
}

static void memory_release(void *context, void *memory) {
  (void)context;
  free(memory);
}

graze_allocator grz_allocator(const graze_allocator *allocator) {
  graze_allocator standard = {memory_allocate, memory_release, NULL};
  return allocator ? *allocator : standard;
}

void *grz_allocate(const graze_allocator *allocator, size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size) return NULL;
  size_t bytes = count * size;
  return allocator->allocate(allocator->context, bytes > 0 ? bytes : 1);
}

void grz_release(const graze_allocator *allocator, void *memory) {
  if (memory) allocator->release(allocator->context, memory);
}

size_t graze_workspace_size(size_t points) {
  if (points < GRZ_POLYTOPE_LEAST) points = GRZ_POLYTOPE_LEAST;
  return points > SIZE_MAX / 2 / GRZ_POLYTOPE_BYTES ? SIZE_MAX : points * GRZ_POLYTOPE_BYTES;
}
