#define _POSIX_C_SOURCE 200809L

#include "simulate/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30 };

static volatile sig_atomic_t interrupted;

double sim_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void note_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

void sim_watch_interrupt(void) {
  struct sigaction action;
  if (sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == SIG_IGN) return; /* as nohup wants it */
  memset(&action, 0, sizeof action);
  action.sa_handler = note_interrupt;
  action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

bool sim_interrupted(void) { return interrupted != 0; }

/* Not on what cannot go back in its line, and not where no decoration is wanted. */
static bool wanted(void) {
  const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(plain && *plain) && term && strcmp(term, "dumb") != 0;
}

void sim_progress_show(sim_progress *progress, size_t done) {
  double now = sim_now();
  done += progress->base;
  if (progress->began == 0) progress->began = now;
  if (now - progress->began < 300 || now - progress->shown < 100 || progress->total == 0 || !wanted()) return;
  char bar[BAR + 1];
  size_t full = done * BAR / progress->total;
  for (size_t i = 0; i < BAR; i++) bar[i] = i < full ? '#' : '.';
  bar[BAR] = '\0';
  double left = (now - progress->began) / 1e3 * ((double)progress->total / (double)(done ? done : 1) - 1);
  fprintf(stderr, "\r[%s] %zu of %zu steps, %.0f s left \033[K", bar, done, progress->total, left);
  fflush(stderr);
  progress->shown = now;
  progress->visible = true;
}

void sim_progress_end(sim_progress *progress) {
  if (progress->visible) fputs("\r\033[K", stderr);
  progress->visible = false;
}
