/* Checks the pieces of a polygon that an answer lists, without decomposing the polygon. */
#ifndef GRAZE_CLI_PIECES_H
#define GRAZE_CLI_PIECES_H

#include "body.h"

/* The verdict on an answer. A worse verdict has a larger value, except CLI_ERROR_LINE. */
typedef enum cli_verdict { CLI_VERIFIED, CLI_UNPROVEN, CLI_REJECTED, CLI_ERROR_LINE, CLI_VERDICT_COUNT } cli_verdict;

/* Checks that the pieces tile the polygon of the body exactly. NULL: the answer lists no pieces. With `replace`, the
 * body becomes the compound of verified pieces. */
cli_verdict cli_check_pieces(const json_t *list, const char *name, cli_body *body, bool replace, cli_error *reason);

#endif
