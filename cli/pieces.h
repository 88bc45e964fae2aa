/* Checking a decomposition without making one. */
#ifndef GRAZE_CLI_PIECES_H
#define GRAZE_CLI_PIECES_H

#include "question.h"
#include "verify.h"

/* Are the pieces that an answer names the polygon of the question, exactly? If so, the body becomes the compound of
 * them. NULL: the answer names none. */
cli_verdict cli_take_pieces(const json_t *list, const char *name, cli_body *body, cli_complaint *reason);

#endif
