/* `graze verify`: hands over to graze-verify, which stands beside this program and contains no solver. */
#define _XOPEN_SOURCE 700

#include "verify.h"
#include "verbs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* The folder of this program, with its slash; "" where the system does not tell. */
static void own_folder(char folder[PATH_SIZE]) {
  ssize_t size = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
  folder[size > 0 ? size : 0] = '\0';
  char *slash = strrchr(folder, '/');
  if (slash)
    slash[1] = '\0';
  else
    folder[0] = '\0';
}

int cli_verify_main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) break;
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return cli_print_help(&cli_verify_verb);
  }
  static const char *const places[] = {"graze-verify", "../libexec/graze/graze-verify"};
  char folder[PATH_SIZE], path[PATH_SIZE + 64];
  own_folder(folder);
  for (size_t i = 0; folder[0] && i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s%s", folder, places[i]);
    execv(path, argv);
  }
  execvp("graze-verify", argv);
  cli_report("cannot start graze-verify, which should stand beside graze: %s", strerror(errno));
  return CLI_EXIT_FAILED;
}
