#include "scene/watched.h"

#include <stdlib.h>
#include <string.h>

static void *watched_get(void *context, size_t size) {
  watched *m = context;
  watched_block *block = malloc(sizeof *block + size);
  if (block == NULL) abort();
  *block = (watched_block){NULL, size};
  memset(block + 1, 0xa5, size);
  m->blocks++, m->bytes += size;
  if (m->bytes > m->most) m->most = m->bytes;
  return block + 1;
}

static void watched_give(void *context, void *memory) {
  watched *m = context;
  watched_block *block = (watched_block *)memory - 1;
  memset(memory, 0xe7, block->size);
  m->blocks--, m->bytes -= block->size;
  block->before = m->back;
  m->back = block;
}

graze_allocator watched_allocator(watched *memory) { return (graze_allocator){watched_get, watched_give, memory}; }

long watched_end(watched *memory) {
  const long left = memory->blocks;
  for (watched_block *block = memory->back, *before; block != NULL; block = before) {
    before = block->before;
    free(block);
  }
  *memory = (watched){0, 0, 0, NULL};
  return left;
}
