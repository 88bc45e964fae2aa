/* What was wrong with a question: the code and the message of its error line. */
#ifndef GRAZE_CLI_COMPLAINT_H
#define GRAZE_CLI_COMPLAINT_H

#include <stdbool.h>

typedef enum cli_code {
  CLI_FINE = 0,
  CLI_BAD_JSON,
  CLI_UNKNOWN_QUERY,
  CLI_UNKNOWN_SHAPE,
  CLI_UNKNOWN_KEY,
  CLI_MISSING,
  CLI_BAD_NUMBER,
  CLI_BAD_SHAPE,
  CLI_NOT_CONVEX,
  CLI_NOT_SIMPLE,
  CLI_DIM_MISMATCH,
  CLI_UNSUPPORTED,
  CLI_OUT_OF_MEMORY
} cli_code;

typedef struct cli_error {
  cli_code code;
  char message[480]; /* UTF-8 */
} cli_error;

const char *cli_error_code_text(cli_code code);

/* Fills the complaint; always false, so that a reader can end with `return cli_reject(…)`. */
bool cli_reject(cli_error *complaint, cli_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool cli_reject_memory(cli_error *complaint);

/* Cuts `string` to `size` bytes, ending included, never within a UTF-8 character. */
void cli_cut(char *string, unsigned size);

#endif
