/* `graze`: the table of verbs. */
#include "names.h"
#include "options.h"
#include "text.h"
#include "verbs.h"

#include <graze/graze.h>
#include <stdio.h>
#include <string.h>

typedef struct verb_row {
  const char *name;
  const cli_verb *verb;
  int (*run)(int argc, char **argv);
} verb_row;

static const verb_row verbs[] = {
    {"query", &cli_query_verb, cli_query_main},
    {"explain", &cli_explain_verb, cli_explain_main},
    {"simulate", &cli_simulate_verb, cli_simulate_main},
    {"verify", &cli_verify_verb, cli_verify_main},
};
enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

static const verb_row *find_verb(const char *name) {
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (strcmp(verbs[i].name, name) == 0) return &verbs[i];
  return NULL;
}

static int print_text(const char *string) {
  return cli_write(string, strlen(string)) && cli_finish_output() ? CLI_EXIT_OK : CLI_EXIT_FAILED;
}

static int print_overview(void) {
  return print_text("usage: graze VERB [OPTION]... [FILE]...\n"
                    "\n"
                    "Collision questions about convex shapes and compounds of them, answered with an interval\n"
                    "that surely holds the truth and a certificate that anybody can check.\n"
                    "\n"
                    "verbs:\n"
                    "  query     answer questions (JSON Lines)\n"
                    "  explain   tell how a question is answered, in words, pictures and pages\n"
                    "  simulate  move bodies, and tell what met\n"
                    "  verify    check answers against their questions, without any solver\n"
                    "  help      help VERB shows the help of a verb\n"
                    "\n"
                    "options:\n"
                    "  -h, --help     this text\n"
                    "      --version  the version\n"
                    "\n"
                    "More: graze VERB --help, and the manual page graze(1). Files named docs/… and examples/…\n"
                    "are in the source folder; an installation has them in share/doc/graze.\n");
}

static int print_version(void) {
  char line[64];
  snprintf(line, sizeof line, "graze %s\n", graze_version());
  return print_text(line);
}

static int refuse_verb(const char *name) {
  char hint[CLI_HINT_SIZE];
  cli_report("no verb is called \"%s\"%s", name, cli_hint(name, verbs, VERB_COUNT, sizeof *verbs, hint));
  fputs("Try 'graze --help'.\n", stderr);
  return CLI_EXIT_FAILED;
}

static int help(int argc, char **argv) {
  if (argc < 2 || argv[1][0] == '-') return print_overview();
  const verb_row *row = find_verb(argv[1]);
  return row ? cli_print_help(row->verb) : refuse_verb(argv[1]);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    cli_report("a verb is missing: query, explain, simulate or verify");
    fputs("Try 'graze --help'.\n", stderr);
    return CLI_EXIT_FAILED;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return print_overview();
  if (strcmp(word, "--version") == 0) return print_version();
  if (strcmp(word, "help") == 0) return help(argc - 1, argv + 1);
  const verb_row *row = find_verb(word);
  return row ? row->run(argc - 1, argv + 1) : refuse_verb(word);
}
