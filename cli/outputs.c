/* The files that a command writes. */
#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Returns the other file that an output is: an earlier output, the input or standard output; NULL: it is separate. */
static const char *conflict_of(const cli_output *outputs, size_t at, const char *input) {
  const int fd = outputs[at].fd;
  struct stat other;
  for (size_t i = 0; i < at; i++)
    if (outputs[i].name && fstat(outputs[i].fd, &other) == 0 && is_same(fd, &other)) return outputs[i].option;
  bool stream = input && strcmp(input, "-") == 0;
  if (input && (stream ? fstat(STDIN_FILENO, &other) : stat(input, &other)) == 0 && is_same(fd, &other))
    return "the input";
  return fstat(STDOUT_FILENO, &other) == 0 && is_same(fd, &other) ? "standard output" : NULL;
}

bool cli_outputs_open(cli_output *outputs, size_t count, const char *verb, const char *input) {
  for (size_t i = 0; i < count; i++) outputs[i].fd = -1;
  for (size_t i = 0; i < count; i++) {
    cli_output *output = &outputs[i];
    if (output->name == NULL) continue;
    output->fd = open_file(output->name, &output->created);
    if (output->fd < 0) cli_report("%s: cannot write (%s)", output->name, strerror(errno));
    const char *other = output->fd >= 0 ? conflict_of(outputs, i, input) : NULL;
    if (other)
      cli_report("%s: option %s: the same file as %s (%s), must be another file", verb, output->option, other,
                 output->name);
    if (output->fd >= 0 && other == NULL) continue;
    cli_outputs_close(outputs, count);
    return false;
  }
  return true;
}

bool cli_output_write(cli_output *output, cli_text *text) {
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

void cli_outputs_close(cli_output *outputs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    cli_output *output = &outputs[i];
    if (output->name == NULL || output->fd < 0) continue;
    close(output->fd);
    if (output->created) unlink(output->name);
    output->name = NULL;
  }
}
