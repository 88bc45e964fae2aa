/* Runs of a scene: the states of the bodies, the steps, the clock and the progress bar. */
#define _POSIX_C_SOURCE 200809L

#include "simulate/simulation.h"

#include <graze/compare.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- The clock, interrupts and the progress bar */

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

void sim_progress_show(sim_progress *progress, size_t done) {
  enum { BAR = 30 };
  double now = sim_now();
  done += progress->base;
  if (progress->began == 0) progress->began = now;
  if (now - progress->began < 300 || now - progress->shown < 100 || progress->total == 0) return;
  /* Terminals without cursor movement, and users who set NO_COLOR, get no bar. */
  const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
  if (!isatty(STDERR_FILENO) || (plain && *plain) || term == NULL || strcmp(term, "dumb") == 0) return;
  char bar[BAR + 1] = "";
  size_t full = done * BAR / progress->total;
  for (size_t i = 0; i < BAR; i++) bar[i] = i < full ? '#' : '.';
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

/* ---- The scene of the library */

sim_cast sim_cast_of(cli_method method) {
  static int samples = 2; /* the beginning and the end of a step */
  switch (method) {
  case CLI_METHOD_FCCD: return (sim_cast){.option = GRAZE_CAST_FCCD};
  case CLI_METHOD_SWEEP: return (sim_cast){.option = GRAZE_CAST_SWEEP};
  case CLI_METHOD_CA: return (sim_cast){.option = GRAZE_CAST_CA};
  case CLI_METHOD_LCCD: return (sim_cast){.function = graze_compare_lccd};
  case CLI_METHOD_DISCRETE: return (sim_cast){.function = graze_compare_sampling, .context = &samples};
  default: return (sim_cast){.option = GRAZE_CAST_AUTO};
  }
}

/* Reports a body that the library rejects, with the key of the scene file. */
static bool reject_body(size_t index, graze_status status, const graze_error *e, cli_error *error) {
  static const char *const keys[][2] = {{"shape", "shape"},
                                        {"pose.position", "shape.position"},
                                        {"motion.velocity", "velocity"},
                                        {"motion.angular", "angular_velocity"}};
  const char *key = e->what ? e->what : "";
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(keys[i][0], key) == 0) key = keys[i][1];
  return cli_reject(error, status == GRAZE_UNSUPPORTED ? CLI_UNSUPPORTED : CLI_BAD_SHAPE, "bodies[%zu].%s: %s", index,
                    key, graze_status_text(status));
}

static bool make_world(const sim_scene *scene, cli_method method, sim_world *world, cli_error *error) {
  const sim_cast cast = sim_cast_of(method);
  graze_scene_def def = graze_default_scene();
  def.dim = scene->dim;
  def.method = cast.option;
  def.cast = cast.function;
  def.cast_context = cast.context;
  *world = (sim_world){.scene = scene,
                       .ids = calloc(scene->count + 1, sizeof *world->ids),
                       .placed = calloc(scene->count + 1, sizeof *world->placed),
                       .motions = calloc(scene->count + 1, sizeof *world->motions)};
  if (!world->ids || !world->placed || !world->motions ||
      graze_scene_create(&def, NULL, &world->handle, NULL) != GRAZE_OK)
    return cli_reject_memory(error);
  size_t slots = 0;
  for (size_t i = 0; i < scene->count; i++) {
    graze_error e = {.index = -1};
    graze_status status = graze_scene_add(world->handle, &scene->bodies[i].def, &world->ids[i], &e);
    if (status != GRAZE_OK) return reject_body(i, status, &e, error);
    if (world->ids[i].slot >= slots) slots = world->ids[i].slot + 1;
  }
  world->index_of = calloc(slots + 1, sizeof *world->index_of);
  if (world->index_of == NULL) return cli_reject_memory(error);
  for (size_t i = 0; i < scene->count; i++) world->index_of[world->ids[i].slot] = i;
  return true;
}

/* Before a step: applies gravity and planned trajectories. *failed receives the body whose motion is invalid. */
static graze_status prepare(sim_world *world, size_t *failed) {
  const sim_scene *scene = world->scene;
  const graze_vec *g = &scene->gravity;
  for (*failed = 0; *failed < scene->count; ++*failed) {
    const size_t i = *failed;
    const sim_body *body = &scene->bodies[i];
    graze_body_def now;
    graze_status status = graze_scene_get(world->handle, world->ids[i], &now);
    if (status != GRAZE_OK) return status;
    bool planned = body->path_count > 0, falls = body->def.type == GRAZE_DYNAMIC && !vec_is_zero(*g);
    if (planned)
      now.motion = sim_path_motion(body, &now.pose, sim_world_time(world), scene->dt);
    else if (falls)
      now.motion.velocity = vec_mad(now.motion.velocity, scene->dt, *g);
    if (planned || falls) status = graze_scene_set_motion(world->handle, world->ids[i], &now.motion, NULL);
    if (status != GRAZE_OK) return status;
    world->placed[i] = *graze_scene_placed(world->handle, world->ids[i]);
    world->motions[i] = now.motion;
  }
  return GRAZE_OK;
}

/* ---- Runs */

void sim_run_free(sim_run *run) {
  free(run->rows);
  free(run->last);
  free(run->exact.misses);
  *run = (sim_run){.count = 0};
}

static bool reject_step(const sim_world *world, graze_status status, cli_error *error) {
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  return cli_reject(error, CLI_UNSUPPORTED, "step %zu: %s", world->step + 1, graze_status_text(status));
}

static bool run_step(sim_world *world, sim_record *record, sim_run *run, cli_error *error) {
  graze_step step;
  size_t failed;
  graze_status status = prepare(world, &failed);
  if (status != GRAZE_OK && status != GRAZE_OUT_OF_MEMORY) /* gravity or a path requires an invalid motion */
    return cli_reject(error, CLI_UNSUPPORTED, "step %zu: bodies[%zu].%s: %s", world->step + 1, failed,
                      world->scene->bodies[failed].path_count > 0 ? "path" : "velocity", graze_status_text(status));
  if (status != GRAZE_OK) return reject_step(world, status, error);
  if (record) sim_record_before(record, world);
  double began = sim_now();
  status = graze_scene_step(world->handle, world->scene->dt, &step, NULL); /* only this is timed */
  double ms = sim_now() - began;
  if (status != GRAZE_OK) return reject_step(world, status, error);
  world->step++;
  sim_row *row = &run->rows[run->count];
  *row = (sim_row){.ms = ms,
                   .pairs = step.pairs,
                   .casts = step.casts,
                   .in_contact = run->count > 0 ? row[-1].in_contact : 0,
                   .responses = step.responses,
                   .stalled = step.stalled,
                   .overlaps = step.overlaps};
  for (size_t i = 0; i < step.event_count; i++) {
    const bool begins = step.events[i].kind == GRAZE_EVENT_BEGIN;
    row->contacts += begins;
    row->in_contact += begins;
    if (step.events[i].kind == GRAZE_EVENT_END && row->in_contact > 0) row->in_contact--;
  }
  run->count++;
  if (record) sim_record_after(record, world, &step);
  size_t missed = run->exact.count;
  if (!sim_exact_check(&run->exact, world, &step) || (record && record->failed)) return cli_reject_memory(error);
  row->missed = run->exact.count - missed;
  /* Bodies outside the arena turn back. */
  for (size_t i = 0; world->scene->arena > 0 && i < world->scene->count && status == GRAZE_OK; i++) {
    graze_body_def now;
    status = graze_scene_get(world->handle, world->ids[i], &now);
    if (status == GRAZE_OK && sim_reflect(world->scene->arena, now.pose.position, &now.motion.velocity))
      status = graze_scene_set_motion(world->handle, world->ids[i], &now.motion, NULL);
  }
  return status == GRAZE_OK || reject_step(world, status, error);
}

bool sim_run_make(const sim_scene *scene, cli_method method, sim_record *record, sim_progress *progress, sim_run *run,
                  cli_error *error) {
  sim_world world = {.scene = NULL};
  *run = (sim_run){.rows = calloc(scene->steps + 1, sizeof *run->rows),
                   .last = calloc(scene->count + 1, sizeof *run->last),
                   .wanted = scene->steps};
  bool good = run->rows && run->last ? make_world(scene, method, &world, error) : cli_reject_memory(error);
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
  graze_scene_destroy(world.handle);
  free(world.ids);
  free(world.index_of);
  free(world.placed);
  free(world.motions);
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
  for (size_t i = 0; sorted && i < count; i++) times.mean += (sorted[i] = rows[i].ms) / (double)count;
  if (sorted && count > 0) {
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    times.median = count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
    times.p99 = sorted[(size_t)ceil(0.99 * (double)count) - 1];
  }
  free(sorted);
  return times;
}
