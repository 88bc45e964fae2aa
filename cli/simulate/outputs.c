/* Output files: see outputs.h. */
#define _POSIX_C_SOURCE 200809L

#include "simulate/simulation.h"

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const OPTIONS[SIM_OUTPUTS] = {"--json", "--html", "--svg"};

/* Opens a file without changing its content. The descriptor is never one of the standard streams. */
static int open_file(const char *name, bool *created) {
  int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  *created = fd >= 0;
  if (fd < 0 && errno == EEXIST) fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  int other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), failure = errno;
  close(fd);
  errno = failure;
  return other;
}

/* Returns whether `fd` is the same file as `other`, and not one such as /dev/null, where several writers do no harm. */
static bool is_same(int fd, const struct stat *other) {
  struct stat own;
  return fstat(fd, &own) == 0 && own.st_dev == other->st_dev && own.st_ino == other->st_ino &&
         (S_ISREG(own.st_mode) || S_ISFIFO(own.st_mode) || S_ISSOCK(own.st_mode) || isatty(fd));
}

/* Returns the other file that an output is: an earlier output, the scene or standard output; NULL: it is separate. */
static const char *conflict_of(const sim_output *outputs, int at, const char *scene) {
  const int fd = outputs[at].fd;
  struct stat other;
  for (int i = 0; i < at; i++)
    if (outputs[i].name && fstat(outputs[i].fd, &other) == 0 && is_same(fd, &other)) return OPTIONS[i];
  bool stream = scene && strcmp(scene, "-") == 0;
  if (scene && (stream ? fstat(STDIN_FILENO, &other) : stat(scene, &other)) == 0 && is_same(fd, &other))
    return "the scene";
  return fstat(STDOUT_FILENO, &other) == 0 && is_same(fd, &other) ? "standard output" : NULL;
}

bool sim_outputs_open(sim_output outputs[SIM_OUTPUTS], const char *const names[SIM_OUTPUTS], const char *scene) {
  memset(outputs, 0, SIM_OUTPUTS * sizeof *outputs);
  for (int i = 0; i < SIM_OUTPUTS; i++) {
    if (names[i] == NULL) continue;
    sim_output *output = &outputs[i];
    output->fd = open_file(names[i], &output->created);
    if (output->fd < 0) cli_report("%s: cannot write (%s)", names[i], strerror(errno));
    if (output->fd >= 0) output->name = names[i];
    const char *other = output->name ? conflict_of(outputs, i, scene) : NULL;
    if (other)
      cli_report("simulate: option %s: the same file as %s (%s), must be another file", OPTIONS[i], other, names[i]);
    if (output->name && other == NULL) continue;
    sim_outputs_close(outputs);
    return false;
  }
  return true;
}

bool sim_output_write(sim_output *output, cli_text *text) {
  const char *problem = text->failed ? "out of memory" : NULL;
  struct stat file;
  if (problem == NULL && fstat(output->fd, &file) == 0 && S_ISREG(file.st_mode) && ftruncate(output->fd, 0) != 0)
    problem = strerror(errno);
  for (size_t done = 0; problem == NULL && done < text->size;) {
    ssize_t written = write(output->fd, text->data + done, text->size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) problem = strerror(errno);
    done += written > 0 ? (size_t)written : 0;
  }
  if (close(output->fd) != 0 && problem == NULL) problem = strerror(errno);
  if (problem) cli_report("%s: cannot write (%s)", output->name, problem);
  if (problem && output->created) unlink(output->name); /* an incomplete file is useless */
  output->name = NULL;
  cli_text_free(text);
  return problem == NULL;
}

void sim_outputs_close(sim_output outputs[SIM_OUTPUTS]) {
  for (int i = 0; i < SIM_OUTPUTS; i++) {
    sim_output *output = &outputs[i];
    if (output->name == NULL) continue;
    close(output->fd);
    if (output->created) unlink(output->name);
    output->name = NULL;
  }
}

bool sim_write(cli_text *text) {
  if (text->failed) cli_report("simulate: out of memory");
  return cli_write_text(text);
}
