/* The command line: options, help, and output to the standard streams. */
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include "json.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_report(const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  fprintf(stderr, "graze: %s\n", message);
}

/* Reports a failed write once, however often it fails. */
static bool report_write_failure(void) {
  static bool reported;
  if (!reported) cli_report("standard output: cannot write (%s)", strerror(errno));
  reported = true;
  return false;
}

bool cli_write(const char *data, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDOUT_FILENO, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return report_write_failure();
    data += written;
    size -= (size_t)written;
  }
  return true;
}

bool cli_finish_output(void) { return close(STDOUT_FILENO) == 0 || report_write_failure(); }

static bool usage_error(const cli_verb *verb, const char *word, const char *problem) {
  cli_report("%s: option %s: %s", verb->name, word, problem);
  fprintf(stderr, "Try 'graze %s --help'.\n", verb->name);
  return false;
}

/* By its name, of `size` bytes, or by its letter. */
static const cli_option *find_option(const cli_verb *verb, const char *name, size_t size, char letter) {
  for (size_t i = 0; i < verb->option_count; i++) {
    const cli_option *option = &verb->options[i];
    if (letter ? option->letter == letter : strlen(option->name) == size && memcmp(option->name, name, size) == 0)
      return option;
  }
  return NULL;
}

/* Parses the option at argv[*at] and advances *at to its value if that is a separate word. */
static bool read_option(const cli_verb *verb, int argc, char **argv, int *at, cli_arguments *arguments) {
  const char *word = argv[*at], *value = NULL, *equals = strchr(word, '=');
  const cli_option *option = NULL;
  char problem[128];
  if (word[1] == '-') {
    option = find_option(verb, word + 2, equals ? (size_t)(equals - word) - 2 : strlen(word + 2), 0);
    if (equals) value = equals + 1;
  } else {
    option = find_option(verb, NULL, 0, word[1]);
    if (word[2]) value = word + 2;
  }
  if (option == NULL) {
    const char *similar = cli_nearest(word + 2, verb->options, verb->option_count, sizeof *verb->options);
    bool hint = word[1] == '-' && similar;
    snprintf(problem, sizeof problem, hint ? "unknown (did you mean \"--%s\"?)" : "unknown", similar);
    return usage_error(verb, word, problem);
  }
  if (option->value == NULL && value) return usage_error(verb, word, "unexpected value, the option is a flag");
  if (option->value && value == NULL && *at + 1 < argc) value = argv[++*at];
  if (option->value && value == NULL) {
    snprintf(problem, sizeof problem, "missing value, must be followed by %s", option->value);
    return usage_error(verb, word, problem);
  }
  const char **slot = &arguments->values[option - verb->options];
  if (*slot) return usage_error(verb, word, "repeated, must be given once");
  *slot = value ? value : "";
  return true;
}

bool cli_arguments_read(const cli_verb *verb, int argc, char **argv, cli_arguments *arguments) {
  *arguments = (cli_arguments){.operands = argv};
  bool options_end = false;
  for (int i = 1; i < argc; i++) {
    char *word = argv[i];
    if (options_end || word[0] != '-' || word[1] == '\0') {
      arguments->operands[arguments->operand_count++] = word;
    } else if (strcmp(word, "--") == 0) {
      options_end = true;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      arguments->help = true;
      return true;
    } else if (!read_option(verb, argc, argv, &i, arguments)) {
      return false;
    }
  }
  return true;
}

bool cli_option_number(const cli_verb *verb, const cli_arguments *arguments, int option, unsigned long long low,
                       unsigned long long high, unsigned long long *number) {
  const char *value = arguments->values[option];
  char *end;
  if (value == NULL) return true;
  errno = 0;
  unsigned long long read = strtoull(value, &end, 10);
  if (*value >= '0' && *value <= '9' && *end == '\0' && errno == 0 && read >= low && read <= high) {
    *number = read;
    return true;
  }
  cli_report("%s: option --%s: invalid value (%s), must be a whole number from %llu to %llu", verb->name,
             verb->options[option].name, value, low, high);
  return false;
}

static void print_option(cli_text *text, const cli_option *option) {
  char name[64], line[256], letter[] = "-x, ";
  letter[1] = option->letter;
  snprintf(name, sizeof name, "%s--%s%s%s", option->letter ? letter : "    ", option->name, option->value ? " " : "",
           option->value ? option->value : "");
  snprintf(line, sizeof line, "  %-16s %s\n", name, option->help);
  cli_text_str(text, line);
}

int cli_print_help(const cli_verb *verb) {
  static const cli_option help = {"help", 'h', NULL, "print this text"};
  const char *head[] = {"usage: graze ", verb->name,    " [OPTION]... ", verb->operands,
                        "\n\n",          verb->summary, "\n\noptions:\n"};
  cli_text text = {0};
  for (size_t i = 0; i < sizeof head / sizeof *head; i++) cli_text_str(&text, head[i]);
  for (size_t i = 0; i < verb->option_count; i++) print_option(&text, &verb->options[i]);
  print_option(&text, &help);
  cli_text_str(&text, "\n");
  cli_text_str(&text, verb->details);
  if (verb->more) verb->more(&text);
  bool written = !text.failed && cli_write(text.data, text.size);
  cli_text_free(&text);
  return written ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}
