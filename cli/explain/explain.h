/* Files that `graze explain` writes. */
#ifndef GRAZE_CLI_EXPLAIN_H
#define GRAZE_CLI_EXPLAIN_H

#include "text.h"

/* Writes a file whole. False: it cannot, said on stderr. */
bool explain_write(const char *path, const cli_text *text);

/* Writes the gallery into a folder, which is made if it is not there. False: it cannot, said on stderr. */
bool explain_gallery(const char *folder);

#endif
