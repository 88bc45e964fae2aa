#include "simulate/run.h"

#include <math.h>
#include <stdlib.h>

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

static bool refuse_step(const sim_world *world, graze_status status, cli_error *complaint) {
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  return cli_reject(complaint, CLI_UNSUPPORTED, "step %zu: %s", world->step + 1, graze_status_text(status));
}

/* Gravity or a path asks of a body what no body can do. */
static bool refuse_motion(const sim_world *world, graze_status status, cli_error *complaint) {
  const sim_body *body = &world->scene->bodies[world->culprit];
  const char *key = body->path_count > 0 ? "path" : "velocity";
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  return cli_reject(complaint, CLI_UNSUPPORTED, "step %zu: bodies[%zu].%s: %s", world->step + 1, world->culprit, key,
                    graze_status_text(status));
}

static bool run_step(sim_world *world, sim_record *record, sim_run *run, cli_error *complaint) {
  graze_step step;
  graze_status status = sim_world_prepare(world);
  if (status != GRAZE_OK) return refuse_motion(world, status, complaint);
  if (record) sim_record_before(record, world);
  double began = sim_now();
  status = sim_world_step(world, &step);
  double ms = sim_now() - began;
  if (status != GRAZE_OK) return refuse_step(world, status, complaint);
  sim_row *row = &run->rows[run->count];
  *row = make_row(&step, ms, run->count > 0 ? row - 1 : NULL);
  run->count++;
  if (record) sim_record_after(record, world, &step);
  size_t missed = run->exact.count;
  if (!sim_exact_check(&run->exact, world, &step) || (record && record->failed)) return cli_reject_memory(complaint);
  row->missed = run->exact.count - missed;
  status = sim_world_finish(world);
  return status == GRAZE_OK || refuse_step(world, status, complaint);
}

static void note_last(const sim_world *world, sim_run *run) {
  for (size_t i = 0; i < world->scene->count; i++) {
    graze_body_def now;
    if (graze_scene_get(world->space, world->ids[i], &now) == GRAZE_OK)
      run->last[i] = (sim_stop){sim_world_time(world), now.pose, now.motion};
  }
}

bool sim_run_make(const sim_scene *scene, graze_method method, sim_record *record, sim_progress *progress, sim_run *run,
                  cli_error *complaint) {
  sim_world world;
  if (!run_reserve(scene, run)) {
    sim_run_free(run);
    return cli_reject_memory(complaint);
  }
  bool good = sim_world_make(scene, method, &world, complaint);
  while (good && run->count < run->wanted && !run->interrupted) {
    good = run_step(&world, record, run, complaint);
    sim_progress_show(progress, run->count);
    run->interrupted = sim_interrupted() && run->count < run->wanted;
  }
  if (good) note_last(&world, run);
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
