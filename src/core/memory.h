/* Memory for what is made: one block for one result, from the caller's allocator. */
#ifndef GRAZE_CORE_MEMORY_H
#define GRAZE_CORE_MEMORY_H

#include <graze/graze.h>

/* The allocator in force: the caller's, or malloc() and free(). */
graze_allocator grz_allocator(const graze_allocator *allocator);

/* Room for count·size bytes, at least one; NULL: none left, or the product overflows. */
void *grz_allocate(const graze_allocator *allocator, size_t count, size_t size);

/* NULL is allowed. */
void grz_release(const graze_allocator *allocator, void *memory);

#endif
