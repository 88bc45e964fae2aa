#define _POSIX_C_SOURCE 200809L

#include "options.h"

#include "names.h"
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
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

/* That standard output cannot be written is said once. */
static bool refuse_output(void) {
  static bool said;
  if (!said) cli_report("cannot write: %s", strerror(errno));
  said = true;
  return false;
}

bool cli_write(const char *data, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDOUT_FILENO, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return refuse_output();
    data += written;
    size -= (size_t)written;
  }
  return true;
}

bool cli_finish_output(void) { return close(STDOUT_FILENO) == 0 || refuse_output(); }

static bool usage_error(const cli_verb *verb, const char *problem, const char *what, const char *hint) {
  cli_report("%s: %s %s%s", verb->name, problem, what, hint);
  fprintf(stderr, "Try 'graze %s --help'.\n", verb->name);
  return false;
}

static const cli_option *find_option(const cli_verb *verb, const char *name, size_t size) {
  for (size_t i = 0; i < verb->option_count; i++)
    if (strlen(verb->options[i].name) == size && memcmp(verb->options[i].name, name, size) == 0)
      return &verb->options[i];
  return NULL;
}

static const cli_option *find_letter(const cli_verb *verb, char letter) {
  for (size_t i = 0; i < verb->option_count; i++)
    if (verb->options[i].letter == letter) return &verb->options[i];
  return NULL;
}

/* One option at argv[*at]; moves on to its value where that stands apart. */
static bool read_option(const cli_verb *verb, int argc, char **argv, int *at, cli_arguments *arguments) {
  const char *word = argv[*at], *value = NULL;
  const cli_option *option = NULL;
  if (word[1] == '-') {
    const char *equals = strchr(word, '=');
    option = find_option(verb, word + 2, equals ? (size_t)(equals - word) - 2 : strlen(word + 2));
    if (equals) value = equals + 1;
  } else {
    option = find_letter(verb, word[1]);
    if (word[2]) value = word + 2;
  }
  if (option == NULL) {
    char hint[CLI_HINT_SIZE] = "";
    const char *near = cli_nearest(word + 2, verb->options, verb->option_count, sizeof *verb->options);
    if (word[1] == '-' && near) snprintf(hint, sizeof hint, " (did you mean \"--%s\"?)", near);
    return usage_error(verb, "unknown option", word, hint);
  }
  if (option->value == NULL && value) return usage_error(verb, "no value belongs to", word, "");
  if (option->value && value == NULL && *at + 1 < argc) value = argv[++*at];
  if (option->value && value == NULL) return usage_error(verb, "a value is missing after", word, "");
  if (arguments->values[option - verb->options]) return usage_error(verb, "given twice:", word, "");
  arguments->values[option - verb->options] = value ? value : "";
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

static void put_option(cli_text *text, char letter, const char *name, const char *value, const char *help) {
  char left[64], line[256];
  snprintf(left, sizeof left, "%c%c%s--%s%s%s", letter ? '-' : ' ', letter ? letter : ' ', letter ? ", " : "  ", name,
           value ? " " : "", value ? value : "");
  snprintf(line, sizeof line, "  %-16s %s\n", left, help);
  cli_text_str(text, line);
}

int cli_print_help(const cli_verb *verb) {
  const char *head[] = {"usage: graze ", verb->name,    " [OPTION]... ", verb->operands,
                        "\n\n",          verb->summary, "\n\noptions:\n"};
  cli_text text = {0};
  for (size_t i = 0; i < sizeof head / sizeof *head; i++) cli_text_str(&text, head[i]);
  for (size_t i = 0; i < verb->option_count; i++)
    put_option(&text, verb->options[i].letter, verb->options[i].name, verb->options[i].value, verb->options[i].help);
  put_option(&text, 'h', "help", NULL, "this text");
  cli_text_str(&text, "\n");
  cli_text_str(&text, verb->details);
  bool written = !text.failed && cli_write(text.data, text.size);
  cli_text_free(&text);
  return written ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}
