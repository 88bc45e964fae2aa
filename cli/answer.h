/* From a line to its answer line. */
#ifndef GRAZE_CLI_ANSWER_H
#define GRAZE_CLI_ANSWER_H

#include "lines.h"
#include "room.h"
#include "text.h"

/* Adds the answer to a question, or its error line. False: an error line. `room` may be of any size: the answer does
 * not depend on it. */
bool cli_answer(const cli_line *line, cli_buffer *room, cli_text *out);

#endif
