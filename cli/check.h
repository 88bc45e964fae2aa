/* Checks an answer line against its query line. */
#ifndef GRAZE_CLI_CHECK_H
#define GRAZE_CLI_CHECK_H

#include "command.h"
#include "lines.h"

enum { CLI_VERIFY_JSON }; /* the option of cli_verify_verb */

/* The verdict on an answer. A worse verdict has a larger value, except CLI_ERROR_LINE. */
typedef enum cli_verdict { CLI_VERIFIED, CLI_UNPROVEN, CLI_REJECTED, CLI_ERROR_LINE, CLI_VERDICT_COUNT } cli_verdict;

/* *id receives the text of the id of the query. reason->message states why an answer is not verified. */
cli_verdict cli_check(const cli_line *query, const cli_line *answer, cli_span *id, cli_error *reason);

#endif
