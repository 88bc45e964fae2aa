/* Lists that grow. */
#ifndef GRAZE_CLI_GROW_H
#define GRAZE_CLI_GROW_H

#include <stddef.h>

/* The list with room for `wanted` elements of `size` bytes; NULL: there is not enough memory, and the list is as it
 * was. */
void *cli_grow(void *list, size_t size, size_t *capacity, size_t wanted);

#endif
