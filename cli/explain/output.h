/* The files that `graze explain` writes: a picture, a page, or a gallery of both. */
#ifndef GRAZE_CLI_EXPLAIN_OUTPUT_H
#define GRAZE_CLI_EXPLAIN_OUTPUT_H

#include "explain/story.h"

/* Writes a whole file. False: an error, reported on stderr. */
bool output_file(const char *path, const cli_text *text);

/* A folder with a page and, in 2D, a picture of each story, and two indexes of these: index.html and README.md.
 * Zero it and set `folder` to begin. Each function returns false on an error, reported on stderr. */
typedef struct gallery {
  const char *folder;
  cli_text html, markdown; /* the entries of the indexes */
  size_t count;
} gallery;

/* Files have the name of the query's "id"; the index has its "title" and "caption". */
bool gallery_add(gallery *g, const story *s);
/* Writes the indexes. */
bool gallery_finish(gallery *g);
void gallery_free(gallery *g);

#endif
