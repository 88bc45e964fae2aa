/* Verbs, their options, and the help made from them. */
#ifndef GRAZE_CLI_OPTIONS_H
#define GRAZE_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { CLI_EXIT_OK = 0, CLI_EXIT_ERRORS = 1, CLI_EXIT_FAILED = 2, CLI_MOST_OPTIONS = 12 };

typedef struct cli_option {
  const char *name;  /* without the dashes */
  char letter;       /* 0: none */
  const char *value; /* what follows it: "N"; NULL for a flag */
  const char *help;
} cli_option;

typedef struct cli_verb {
  const char *name, *operands, *summary;
  const char *details;       /* paragraphs below the options */
  const cli_option *options; /* --help is understood by every verb and stands in no table */
  size_t option_count;
} cli_verb;

extern const cli_verb cli_query_verb, cli_explain_verb, cli_simulate_verb, cli_verify_verb;

/* What a command line says. values[i] belongs to options[i]: NULL when not given, "" for a flag. */
typedef struct cli_arguments {
  const char *values[CLI_MOST_OPTIONS];
  char **operands;
  int operand_count;
  bool help;
} cli_arguments;

/* argv[0] is the verb. Moves the operands to the front of argv. False: a usage error, said on stderr. */
bool cli_arguments_read(const cli_verb *verb, int argc, char **argv, cli_arguments *arguments);

/* Help of a verb on standard output; the exit status. */
int cli_print_help(const cli_verb *verb);

/* A line on stderr, after the program's name. */
void cli_report(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes to standard output, whole. False when that fails, said on stderr. */
bool cli_write(const char *data, size_t size);
/* Closes standard output; some file systems tell of a failed write only then. */
bool cli_finish_output(void);

#endif
