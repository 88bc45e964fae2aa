/* Answers of `graze query`. */
#ifndef GRAZE_CLI_ANSWER_H
#define GRAZE_CLI_ANSWER_H

#include "pair.h"

/* Appends the answer to a query line, or its error line. False: an error line. The answer does not depend on the size
 * of the buffer. */
bool cli_answer(const cli_line *line, cli_buffer *buffer, cli_text *out);

#endif
