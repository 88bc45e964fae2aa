#define _POSIX_C_SOURCE 200809L

#include "simulate/outputs.h"

#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const OPTIONS[SIM_OUTPUTS] = {"--json", "--html", "--svg"};

/* Without changing what is in it. Never one of the standard streams, where one of them is closed. */
static int open_file(const char *name, bool *made) {
  int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  *made = fd >= 0;
  if (fd < 0 && errno == EEXIST) fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  int other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), trouble = errno;
  close(fd);
  errno = trouble;
  return other;
}

/* Where two writers, or a writer and a reader, get into each other's way: not where all is thrown away, /dev/null. */
static bool is_kept(int fd, const struct stat *file) {
  return S_ISREG(file->st_mode) || S_ISFIFO(file->st_mode) || S_ISSOCK(file->st_mode) || isatty(fd);
}

static bool is_same(int fd, const struct stat *other) {
  struct stat own;
  return fstat(fd, &own) == 0 && is_kept(fd, &own) && own.st_dev == other->st_dev && own.st_ino == other->st_ino;
}

static bool refuse(const char *option, const char *name, const char *problem, const char *what) {
  cli_report("simulate: %s %s: %s%s", option, name, problem, what);
  return false;
}

/* An output among those before it, the scene and standard output. */
static bool is_alone(const sim_outputs *outputs, int at, const char *scene) {
  const sim_output *output = &outputs->list[at];
  struct stat other;
  for (int i = 0; i < at; i++)
    if (outputs->list[i].name && fstat(outputs->list[i].fd, &other) == 0 && is_same(output->fd, &other))
      return refuse(OPTIONS[at], output->name, "the same file as ", OPTIONS[i]);
  bool stream = scene && strcmp(scene, "-") == 0;
  if (scene && (stream ? fstat(STDIN_FILENO, &other) : stat(scene, &other)) == 0 && is_same(output->fd, &other))
    return refuse(OPTIONS[at], output->name, "the scene is read from it", "");
  if (fstat(STDOUT_FILENO, &other) == 0 && is_same(output->fd, &other))
    return refuse(OPTIONS[at], output->name, "standard output goes there", "");
  return true;
}

bool sim_outputs_open(sim_outputs *outputs, const char *const names[SIM_OUTPUTS], const char *scene) {
  *outputs = (sim_outputs){.list = {{.name = NULL}}};
  for (int i = 0; i < SIM_OUTPUTS; i++) {
    if (names[i] == NULL) continue;
    sim_output *output = &outputs->list[i];
    output->fd = open_file(names[i], &output->made);
    if (output->fd < 0) cli_report("cannot write %s: %s", names[i], strerror(errno));
    if (output->fd >= 0) output->name = names[i];
    if (output->fd >= 0 && is_alone(outputs, i, scene)) continue;
    sim_outputs_close(outputs);
    return false;
  }
  return true;
}

static bool write_all(int fd, const cli_text *text) {
  struct stat file;
  if (fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && ftruncate(fd, 0) != 0) return false;
  for (size_t done = 0; done < text->size;) {
    ssize_t written = write(fd, text->data + done, text->size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    done += (size_t)written;
  }
  return true;
}

bool sim_output_write(sim_output *output, cli_text *text) {
  const char *trouble = text->failed ? "not enough memory" : NULL;
  if (trouble == NULL && !write_all(output->fd, text)) trouble = strerror(errno);
  if (close(output->fd) != 0 && trouble == NULL) trouble = strerror(errno);
  if (trouble) cli_report("cannot write %s: %s", output->name, trouble);
  if (trouble && output->made) unlink(output->name); /* a part is of no use */
  output->name = NULL;
  cli_text_free(text);
  return trouble == NULL;
}

void sim_outputs_close(sim_outputs *outputs) {
  for (int i = 0; i < SIM_OUTPUTS; i++) {
    sim_output *output = &outputs->list[i];
    if (output->name == NULL) continue;
    close(output->fd);
    if (output->made) unlink(output->name);
    output->name = NULL;
  }
}
