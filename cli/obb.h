/* The oriented bounding box (OBB) of a body. */
#ifndef GRAZE_CLI_OBB_H
#define GRAZE_CLI_OBB_H

#include "question.h"

typedef struct cli_obb {
  graze_placed box;
  graze_compound *frame; /* owned; where the box stands in the body's own frame; NULL for a box */
} cli_obb;

/* The box itself; a small box around the vertices of a polytope; along their own axes around round shapes. It has the
 * body's margin. Otherwise false: half-spaces and compounds have none. End with cli_obb_free() if true. */
bool cli_obb_make(const cli_body *body, const char *owner, cli_obb *obb, cli_error *complaint);
void cli_obb_free(cli_obb *obb);

#endif
