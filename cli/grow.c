#include "grow.h"

#include <stdint.h>
#include <stdlib.h>

void *cli_grow(void *list, size_t size, size_t *capacity, size_t wanted) {
  if (wanted <= *capacity) return list;
  size_t more = *capacity ? 2 * *capacity : 64;
  while (more < wanted && more <= SIZE_MAX / 2) more *= 2;
  if (more < wanted || more > SIZE_MAX / size) return NULL;
  void *grown = realloc(list, more * size);
  if (grown) *capacity = more;
  return grown;
}
