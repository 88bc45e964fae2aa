/* Text files of models that end too early, which Assimp accepts without the missing triangles. */
#ifndef GRAZE_CLI_TRUNCATED_H
#define GRAZE_CLI_TRUNCATED_H

#include <stdbool.h>
#include <stdio.h>

/* Returns whether a file that begins as a text STL has no end of its solid, or whether a text PLY has fewer values than
 * its header states. False for all other files. */
bool cli_is_truncated(FILE *file);

#endif
