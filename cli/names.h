/* Did you mean …? */
#ifndef GRAZE_CLI_NAMES_H
#define GRAZE_CLI_NAMES_H

#include <stddef.h>

enum { CLI_HINT_SIZE = 64 };

/* The name that is near, or NULL. `names` are `count` strings, `stride` bytes apart: the first member of an array of
 * structs. */
const char *cli_nearest(const char *given, const void *names, size_t count, size_t stride);

/* Writes ` (did you mean "box"?)`, or nothing when no name is near. Returns out. */
const char *cli_hint(const char *given, const void *names, size_t count, size_t stride, char out[CLI_HINT_SIZE]);

#endif
