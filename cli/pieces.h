/* Checking a decomposition without making one. */
#ifndef GRAZE_CLI_PIECES_H
#define GRAZE_CLI_PIECES_H

#include "question.h"
#include "verify.h"

/* Are the pieces that an answer names the polygon of the question, exactly? NULL: the answer names none. */
cli_verdict cli_check_pieces(const json_t *list, const char *name, const cli_body *body, cli_error *reason);

/* If so, the body becomes the compound of them. */
cli_verdict cli_take_pieces(const json_t *list, const char *name, cli_body *body, cli_error *reason);

#endif
