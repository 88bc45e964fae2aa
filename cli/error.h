/* Errors of an input line: a code, a message, and suggestions for misspelt words. */
#ifndef GRAZE_CLI_ERROR_H
#define GRAZE_CLI_ERROR_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_error_code {
  CLI_OK = 0,
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
} cli_error_code;

typedef struct cli_error {
  cli_error_code code;
  char message[480]; /* UTF-8; `THING: what is wrong (value), what is allowed` */
} cli_error;

const char *cli_error_code_text(cli_error_code code);

/* Fill the error. They always return false, so that a parser can end with `return cli_reject(…)`. */
bool cli_reject(cli_error *error, cli_error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool cli_reject_memory(cli_error *error);

/* Cuts `string` to `size` bytes, terminator included, without splitting a UTF-8 character. */
void cli_cut(char *string, size_t size);

enum { CLI_HINT_SIZE = 64, CLI_CHOICE_SIZE = 256 };

/* Returns the most similar of `count` names, or NULL. The names are the first members of structs of `stride` bytes. */
const char *cli_nearest(const char *given, const void *names, size_t count, size_t stride);
/* Writes ` (did you mean "box"?)`, or nothing if no name is similar. Returns out. */
const char *cli_hint(const char *given, const void *names, size_t count, size_t stride, char out[CLI_HINT_SIZE]);
/* Writes `must be none, stop, slide or bounce (did you mean "stop"?)`. The list ends with NULL. Returns out. */
const char *cli_choice(const char *given, const char *const *words, char out[CLI_CHOICE_SIZE]);

#endif
