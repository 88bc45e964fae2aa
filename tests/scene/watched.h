/* Memory that is watched: how many bytes are out, and were at most; what is given back is overwritten, and kept, so
 * that who reads it reads rubbish. */
#ifndef TESTS_SCENE_WATCHED_H
#define TESTS_SCENE_WATCHED_H

#include <graze/graze.h>

typedef struct watched_block {
  struct watched_block *before; /* of those that were given back */
  size_t size;
} watched_block;

/* Start from zeros. */
typedef struct watched {
  long blocks;
  size_t bytes, most;
  watched_block *back;
} watched;

graze_allocator watched_allocator(watched *memory);

/* Frees what was given back, and is then as at first; how many blocks were not. */
long watched_end(watched *memory);

#endif
