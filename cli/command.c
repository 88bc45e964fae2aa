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

static void report(const char *format, va_list arguments) {
  char message[1024];
  vsnprintf(message, sizeof message, format, arguments);
  fprintf(stderr, "graze: %s\n", message);
}

void cli_report(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
}

int cli_usage_error(const cli_verb *verb, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(format, arguments);
  va_end(arguments);
  fprintf(stderr, "Try 'graze %s%s--help'.\n", verb ? verb->name : "", verb ? " " : "");
  return CLI_EXIT_FAILED;
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

bool cli_write_text(cli_text *text) {
  bool good = !text->failed && cli_write(text->data, text->size);
  cli_text_free(text);
  return good;
}

bool cli_finish_output(void) { return close(STDOUT_FILENO) == 0 || report_write_failure(); }

/* Parses the option at argv[*at] and advances *at to its value if that is a separate word. */
static bool read_option(const cli_verb *verb, int argc, char **argv, int *at, cli_arguments *arguments) {
  const char *word = argv[*at], *equals = strchr(word, '='), *value = NULL, *problem = NULL, *detail = "";
  const bool named = word[1] == '-';
  const size_t size = equals ? (size_t)(equals - word) - 2 : strlen(word + 2); /* of the name */
  const cli_option *option = NULL;
  for (size_t i = 0; i < verb->option_count && option == NULL; i++) {
    const cli_option *o = &verb->options[i];
    bool same =
        named ? strlen(o->name) == size && memcmp(o->name, word + 2, size) == 0 : o->letter && o->letter == word[1];
    if (same) option = o;
  }
  if (option == NULL) {
    const char *similar = cli_nearest(word + 2, verb->options, verb->option_count, sizeof *verb->options);
    if (named && similar)
      cli_usage_error(verb, "%s: option %s: unknown (did you mean \"--%s\"?)", verb->name, word, similar);
    else
      cli_usage_error(verb, "%s: option %s: unknown", verb->name, word);
    return false;
  }
  if (named && equals) value = equals + 1;
  if (!named && word[2]) value = word + 2;
  if (option->value == NULL && value) problem = "unexpected value, the option is a flag";
  if (option->value && value == NULL && *at + 1 < argc) value = argv[++*at];
  if (option->value && value == NULL) problem = "missing value, must be followed by ", detail = option->value;
  const char **slot = &arguments->values[option - verb->options];
  if (problem == NULL && *slot) problem = "repeated, must be given once";
  if (problem) cli_usage_error(verb, "%s: option %s: %s%s", verb->name, word, problem, detail);
  *slot = value ? value : "";
  return problem == NULL;
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

int cli_print_help(const cli_verb *verb) {
  static const cli_option help = {"help", 'h', NULL, "print this text"};
  cli_text text = {0};
  emit(&text, "usage: graze %s [OPTION]... %s\n\n%s\n\noptions:\n", verb->name, verb->operands, verb->summary);
  for (size_t i = 0; i <= verb->option_count; i++) {
    const cli_option *option = i < verb->option_count ? &verb->options[i] : &help;
    char name[64], letter[] = "-x, ";
    letter[1] = option->letter;
    snprintf(name, sizeof name, "%s--%s%s%s", option->letter ? letter : "    ", option->name, option->value ? " " : "",
             option->value ? option->value : "");
    cli_text_format(&text, "  %-16s %s\n", name, option->help);
  }
  emit(&text, "\n%s", verb->details);
  if (verb->more) verb->more(&text);
  return cli_write_text(&text) ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}
