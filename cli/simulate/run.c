/* Runs: see run.h. */
#define _POSIX_C_SOURCE 200809L

#include "simulate/run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- The clock, interrupts and the progress bar */

enum { BAR = 30 };

static volatile sig_atomic_t interrupted;

double sim_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void set_interrupted(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

void sim_watch_interrupt(void) {
  struct sigaction action;
  if (sigaction(SIGINT, NULL, &action) == 0 && action.sa_handler == SIG_IGN) return; /* nohup */
  memset(&action, 0, sizeof action);
  action.sa_handler = set_interrupted;
  action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

bool sim_interrupted(void) { return interrupted != 0; }

/* Terminals without cursor movement, and users who set NO_COLOR, get no bar. */
static bool can_show(void) {
  const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(plain && *plain) && term && strcmp(term, "dumb") != 0;
}

void sim_progress_show(sim_progress *progress, size_t done) {
  double now = sim_now();
  done += progress->base;
  if (progress->began == 0) progress->began = now;
  if (now - progress->began < 300 || now - progress->shown < 100 || progress->total == 0 || !can_show()) return;
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

/* ---- Runs */

static bool run_reserve(const sim_scene *scene, sim_run *run) {
  *run = (sim_run){.rows = calloc(scene->steps + 1, sizeof *run->rows),
                   .last = calloc(scene->count + 1, sizeof *run->last),
                   .wanted = scene->steps};
  return run->rows && run->last && sim_exact_make(scene->count, &run->exact);
}

void sim_run_free(sim_run *run) {
  free(run->rows);
  free(run->last);
  sim_exact_free(&run->exact);
  *run = (sim_run){.count = 0};
}

static sim_row make_row(const graze_step *step, double ms, const sim_row *before) {
  sim_row row = {
      ms, step->pairs, step->casts, 0, before ? before->in_contact : 0, step->responses, step->stalled, step->overlaps,
      0};
  for (size_t i = 0; i < step->event_count; i++) {
    if (step->events[i].kind == GRAZE_EVENT_BEGIN) {
      row.contacts++;
      row.in_contact++;
    }
    if (step->events[i].kind == GRAZE_EVENT_END && row.in_contact > 0) row.in_contact--;
  }
  return row;
}

static bool reject_step(const sim_world *world, graze_status status, cli_error *error) {
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  return cli_reject(error, CLI_UNSUPPORTED, "step %zu: %s", world->step + 1, graze_status_text(status));
}

static bool run_step(sim_world *world, sim_record *record, sim_run *run, cli_error *error) {
  graze_step step;
  graze_status status = sim_world_prepare(world);
  if (status != GRAZE_OK && status != GRAZE_OUT_OF_MEMORY) {
    /* Gravity or a path requires an invalid motion. */
    const char *key = world->scene->bodies[world->error_body].path_count > 0 ? "path" : "velocity";
    return cli_reject(error, CLI_UNSUPPORTED, "step %zu: bodies[%zu].%s: %s", world->step + 1, world->error_body, key,
                      graze_status_text(status));
  }
  if (status != GRAZE_OK) return reject_step(world, status, error);
  if (record) sim_record_before(record, world);
  double began = sim_now();
  status = sim_world_step(world, &step);
  double ms = sim_now() - began;
  if (status != GRAZE_OK) return reject_step(world, status, error);
  sim_row *row = &run->rows[run->count];
  *row = make_row(&step, ms, run->count > 0 ? row - 1 : NULL);
  run->count++;
  if (record) sim_record_after(record, world, &step);
  size_t missed = run->exact.count;
  if (!sim_exact_check(&run->exact, world, &step) || (record && record->failed)) return cli_reject_memory(error);
  row->missed = run->exact.count - missed;
  status = sim_world_finish(world);
  return status == GRAZE_OK || reject_step(world, status, error);
}

bool sim_run_make(const sim_scene *scene, cli_method method, sim_record *record, sim_progress *progress, sim_run *run,
                  cli_error *error) {
  sim_world world;
  if (!run_reserve(scene, run)) {
    sim_run_free(run);
    return cli_reject_memory(error);
  }
  bool good = sim_world_make(scene, method, &world, error);
  while (good && run->count < run->wanted && !run->interrupted) {
    good = run_step(&world, record, run, error);
    sim_progress_show(progress, run->count);
    run->interrupted = sim_interrupted() && run->count < run->wanted;
  }
  for (size_t i = 0; good && i < scene->count; i++) {
    graze_body_def now;
    if (graze_scene_get(world.handle, world.ids[i], &now) == GRAZE_OK)
      run->last[i] = (sim_keyframe){sim_world_time(&world), now.pose, now.motion};
  }
  if (good && record) sim_record_end(record, sim_world_time(&world));
  sim_world_free(&world);
  if (!good) sim_run_free(run);
  return good;
}

static int compare_numbers(const void *x, const void *y) {
  double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

sim_times sim_times_of(const sim_row *rows, size_t count) {
  sim_times times = {0, 0, 0};
  double *sorted = malloc((count + 1) * sizeof *sorted);
  if (sorted == NULL || count == 0) {
    free(sorted);
    return times;
  }
  for (size_t i = 0; i < count; i++) times.mean += (sorted[i] = rows[i].ms) / (double)count;
  qsort(sorted, count, sizeof *sorted, compare_numbers);
  times.median = count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
  times.p99 = sorted[(size_t)ceil(0.99 * (double)count) - 1];
  free(sorted);
  return times;
}

sim_row sim_total(const sim_run *run) {
  sim_row total = {0};
  for (size_t i = 0; i < run->count; i++) {
    const sim_row *row = &run->rows[i];
    total.ms += row->ms;
    total.pairs += row->pairs;
    total.casts += row->casts;
    total.contacts += row->contacts;
    total.in_contact += row->in_contact;
    total.responses += row->responses;
    total.stalled += row->stalled;
    total.overlaps += row->overlaps;
    total.missed += row->missed;
  }
  return total;
}
