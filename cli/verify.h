/* Judging answers: what `graze verify` and graze-verify share, and the judgement of one line. */
#ifndef GRAZE_CLI_VERIFY_H
#define GRAZE_CLI_VERIFY_H

#include "lines.h"
#include "options.h"

enum { CLI_VERIFY_JSON }; /* options of cli_verify_verb */

typedef enum cli_verdict { CLI_VERIFIED, CLI_UNPROVEN, CLI_REFUSED, CLI_ERROR, CLI_VERDICT_COUNT } cli_verdict;

const char *cli_verdict_text(cli_verdict verdict);

/* Judges an answer line by its question line. *id is the question's, as text. reason->message says why an answer is not
 * verified. */
cli_verdict cli_judge(const cli_line *question, const cli_line *answer, cli_span *id, cli_error *reason);

#endif
