/* The command line: verbs, their options, the help text generated from them, and output to the standard streams. */
#ifndef GRAZE_CLI_COMMAND_H
#define GRAZE_CLI_COMMAND_H

#include "text.h"

enum { CLI_EXIT_OK = 0, CLI_EXIT_ERRORS = 1, CLI_EXIT_FAILED = 2, CLI_MAX_OPTIONS = 12 };

typedef struct cli_option {
  const char *name;  /* without the dashes */
  char letter;       /* 0: none */
  const char *value; /* the placeholder of its value: "N"; NULL for a flag */
  const char *help;
} cli_option;

typedef struct cli_verb {
  const char *name, *operands, *summary;
  const char *details;       /* paragraphs below the options */
  const cli_option *options; /* without --help, which every verb accepts */
  size_t option_count;
  void (*more)(cli_text *text); /* NULL, or appends text after the details */
} cli_verb;

extern const cli_verb cli_query_verb, cli_explain_verb, cli_simulate_verb, cli_verify_verb;

/* A parsed command line. values[i] belongs to options[i]: NULL if absent, "" for a flag. */
typedef struct cli_arguments {
  const char *values[CLI_MAX_OPTIONS];
  char **operands;
  int operand_count;
  bool help;
} cli_arguments;

/* The verbs of `graze`. They return the exit status. */
int cli_query_main(const cli_arguments *arguments);
int cli_explain_main(const cli_arguments *arguments);
int cli_simulate_main(const cli_arguments *arguments);

/* Parses argv after the verb argv[0]; the operands are moved to its front. False: a usage error, reported. */
bool cli_arguments_read(const cli_verb *verb, int argc, char **argv, cli_arguments *arguments);
/* Reads a whole number in [low, high]; *number is unchanged if the option is absent. False: an error, reported. */
bool cli_option_number(const cli_verb *verb, const cli_arguments *arguments, int option, unsigned long long low,
                       unsigned long long high, unsigned long long *number);
/* Prints the help of a verb on standard output. Returns the exit status. */
int cli_print_help(const cli_verb *verb);
/* Print a line on standard error; cli_usage_error() also names the help of the verb (NULL: of the program). */
void cli_report(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_usage_error(const cli_verb *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes all bytes to standard output. False: it failed, reported on standard error. */
bool cli_write(const char *data, size_t size);
/* Writes a text, unless it has failed, and frees it. */
bool cli_write_text(cli_text *text);
/* Closes standard output. Some file systems report a failed write only here. */
bool cli_finish_output(void);

/* ---- outputs.c: the files that a command writes */

/* A file that is opened before the work. Its content is kept until the work is done. */
typedef struct cli_output {
  const char *option, *name; /* name NULL: none */
  int fd;
  bool created; /* the file did not exist before */
} cli_output;

/* Opens the files that have names. A file must not be another of them, the input (NULL: none) or standard output, under
 * any name. False: reported on standard error; no file has changed. */
bool cli_outputs_open(cli_output *outputs, size_t count, const char *verb, const char *input);
/* Replaces the content of the file by the text, closes it and frees the text. False: reported. */
bool cli_output_write(cli_output *output, cli_text *text);
/* Closes the files that were not written, and removes those that were created. */
void cli_outputs_close(cli_output *outputs, size_t count);

#endif
