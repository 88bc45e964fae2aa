/* `graze`: the table of verbs. `graze verify` starts graze-verify, a program that contains no solver. */
#define _XOPEN_SOURCE 700

#include "queries.h"
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Starts graze-verify from the folder of this program, from its libexec folder, or from the search path. */
static int verify_main(int argc, char **argv) {
  static const char *const places[] = {"graze-verify", "../libexec/graze/graze-verify"};
  enum { PATH_SIZE = 4096 };
  char folder[PATH_SIZE], path[PATH_SIZE + 64];
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return cli_print_help(&cli_verify_verb);
  ssize_t size = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
  folder[size > 0 ? size : 0] = '\0';
  char *slash = strrchr(folder, '/');
  for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%.*s%s", (int)(slash + 1 - folder), folder, places[i]);
    execv(path, argv);
  }
  execvp("graze-verify", argv);
  cli_report("graze-verify: cannot start (%s), must be in the folder of graze", strerror(errno));
  return CLI_EXIT_FAILED;
}

static const struct verb_row {
  const char *name;
  const cli_verb *verb;
  int (*run)(const cli_arguments *arguments);
} verbs[] = {
    {"query", &cli_query_verb, cli_query_main},
    {"explain", &cli_explain_verb, cli_explain_main},
    {"simulate", &cli_simulate_verb, cli_simulate_main},
    {"verify", &cli_verify_verb, NULL},
};
enum { VERB_COUNT = sizeof verbs / sizeof *verbs };

static const char overview[] =
    "usage: graze VERB [OPTION]... [FILE]...\n"
    "\nCollision queries about convex shapes and compounds of them. Every answer has an interval that\n"
    "certainly contains the true value, and a certificate that an independent verifier checks.\n"
    "\nverbs:\n"
    "  query     answer queries (JSON Lines)\n"
    "  explain   explain the answer to a query in text, as a picture or as a page\n"
    "  simulate  move bodies and report their contacts\n"
    "  verify    check answers against their queries, without any solver\n"
    "  help      help VERB prints the help of a verb; help shapes prints the keys of each shape\n"
    "\noptions:\n"
    "  -h, --help     print this text\n"
    "      --version  print the version\n"
    "\nMore: graze VERB --help, and the manual page graze(1). Files named docs/... and examples/...\n"
    "are in the source folder; an installation has them in share/doc/graze.\n";

int main(int argc, char **argv) {
  const char *word = argc < 2 ? "" : argv[1];
  char hint[CLI_HINT_SIZE];
  cli_text text = {0};
  if (argc < 2) return cli_usage_error(NULL, "verb: missing, must be query, explain, simulate or verify");
  const bool help = strcmp(word, "help") == 0;
  if (strcmp(word, "--version") == 0)
    emit(&text, "graze %s\n", graze_version());
  else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && (argc < 3 || argv[2][0] == '-')))
    cli_text_str(&text, overview);
  else if (help && strcmp(argv[2], "shapes") == 0)
    cli_print_shapes(&text);
  if (text.size > 0 || text.failed) return cli_write_text(&text) && cli_finish_output() ? CLI_EXIT_OK : CLI_EXIT_FAILED;
  const char *name = help ? argv[2] : word;
  for (size_t i = 0; i < VERB_COUNT; i++) {
    cli_arguments arguments = {.help = help};
    if (strcmp(verbs[i].name, name) != 0) continue;
    if (!help && verbs[i].run == NULL) return verify_main(argc - 1, argv + 1);
    if (!help && !cli_arguments_read(verbs[i].verb, argc - 1, argv + 1, &arguments)) return CLI_EXIT_FAILED;
    cli_json_begin();
    return arguments.help ? cli_print_help(verbs[i].verb) : verbs[i].run(&arguments);
  }
  return cli_usage_error(NULL, "verb %s: unknown, must be query, explain, simulate%s%s", name,
                         help ? ", verify or shapes" : " or verify",
                         cli_hint(name, verbs, VERB_COUNT, sizeof *verbs, hint));
}
