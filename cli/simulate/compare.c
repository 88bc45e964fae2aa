/* `graze simulate --compare`: the same cubes by every method, all pairs and in a scene. */
#include "simulate/compare.h"

#include "command.h"
#include "request.h"
#include "simulate/simulate.h"

#include <inttypes.h>
#include <stdlib.h>

enum { DEFAULT_STEPS = 120 };

/* ---- All pairs: no broad phase, no events, no state between steps */

typedef struct bodies {
  const sim_scene *scene;
  graze_placed *placed;
  graze_motion *motions;
  graze_aabb *boxes;
  sim_cast cast;
  graze_cast_options options;
} bodies;

/* The timed part: swept bounds, casts of all pairs whose bounds overlap, and new poses. */
static graze_status step_all_pairs(bodies *b) {
  const size_t count = b->scene->count;
  const double dt = b->scene->dt;
  graze_status status = GRAZE_OK;
  graze_cast_result result;
  for (size_t i = 0; i < count; i++) b->boxes[i] = sim_swept_bounds(&b->placed[i], &b->motions[i], 0, dt);
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count && status == GRAZE_OK; k++)
      if (sim_bounds_overlap(&b->boxes[i], &b->boxes[k]))
        status = b->cast.function ? b->cast.function(b->cast.context, &b->placed[i], &b->motions[i], &b->placed[k],
                                                     &b->motions[k], dt, &b->options, &result)
                                  : graze_cast(&b->placed[i], &b->motions[i], &b->placed[k], &b->motions[k], dt,
                                               &b->options, &result);
  for (size_t i = 0; i < count && status == GRAZE_OK; i++)
    status = graze_set_pose(&b->placed[i], graze_pose_after(&b->placed[i].pose, &b->motions[i], dt));
  return status;
}

/* Runs the steps of a scene without responses, or until interrupted. *ms receives the median time of a step. */
static bool measure_all_pairs(const sim_scene *scene, cli_method method, sim_progress *progress, double *ms,
                              cli_error *error) {
  const size_t count = scene->count;
  sim_row *rows = calloc(scene->steps, sizeof *rows);
  bodies b = {scene,
              calloc(count, sizeof *b.placed),
              calloc(count, sizeof *b.motions),
              calloc(count, sizeof *b.boxes),
              sim_cast_of(method),
              graze_default_cast_options()};
  bool good = (rows && b.placed && b.motions && b.boxes) || cli_reject_memory(error);
  size_t done = 0;
  b.options.method = b.cast.option;
  for (size_t i = 0; good && i < count; i++) {
    b.placed[i] = graze_place(&scene->bodies[i].def.shape, scene->bodies[i].def.pose);
    b.motions[i] = scene->bodies[i].def.motion;
  }
  for (; good && done < scene->steps && !sim_interrupted(); done++) {
    double began = sim_now();
    graze_status status = step_all_pairs(&b);
    rows[done].ms = sim_now() - began;
    good = status == GRAZE_OK ||
           cli_reject(error, CLI_UNSUPPORTED, "step %zu, all pairs: %s", done + 1, graze_status_text(status));
    for (size_t i = 0; i < count; i++) sim_reflect(scene->arena, b.placed[i].pose.position, &b.motions[i].velocity);
    sim_progress_show(progress, done + 1);
  }
  *ms = good ? sim_times_of(rows, done).median : 0;
  free(rows);
  free(b.placed);
  free(b.motions);
  free(b.boxes);
  return good;
}

/* ---- Measurements */

/* Nothing responds, so all methods see the same states. */
static bool measure(const sim_scene *scene, cli_method method, sim_progress *progress, sim_cell *cell,
                    cli_error *error) {
  sim_run run;
  if (!sim_run_make(scene, method, NULL, progress, &run, error)) return false;
  progress->base += scene->steps;
  sim_row total = sim_total(&run);
  *cell = (sim_cell){0, sim_times_of(run.rows, run.count).median, total.contacts, total.missed};
  sim_run_free(&run);
  bool good = measure_all_pairs(scene, method, progress, &cell->all_pairs, error);
  progress->base += scene->steps;
  return good;
}

static bool measure_count(sim_comparison *c, sim_progress *progress, cli_error *error) {
  sim_cubes cubes = {(c->counts + 1) * SIM_COUNT_STEP, c->seed, false, GRAZE_RESPONSE_NONE};
  sim_scene scene;
  if (!sim_cubes_make(&cubes, &scene)) return cli_reject_memory(error);
  scene.steps = c->steps;
  bool good = true;
  for (int m = 0; good && m < SIM_COMPARED && !sim_interrupted(); m++)
    good = measure(&scene, sim_compared[m], progress, &c->cells[c->counts][m], error);
  sim_scene_free(&scene);
  if (good && !sim_interrupted()) c->counts++;
  return good;
}

/* ---- Output */

static void print_methods(cli_text *out) {
  for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9s", cli_method_text(sim_compared[m]));
}

static void print_table(cli_text *out, const sim_comparison *c) {
  cli_text_format(out, "Moving cubes, %zu steps of each count, one thread: milliseconds per step, median\n\n",
                  c->steps);
  cli_text_str(out, "       all pairs                                      with the broad phase\n count");
  print_methods(out);
  cli_text_str(out, "  ");
  print_methods(out);
  cli_text_str(out, "\n");
  for (size_t i = 0; i < c->counts; i++) {
    cli_text_format(out, "%6zu", (i + 1) * SIM_COUNT_STEP);
    for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9.4f", c->cells[i][m].all_pairs);
    cli_text_str(out, "  ");
    for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9.4f", c->cells[i][m].scene);
    cli_text_str(out, "\n");
  }
  cli_text_str(out, "\nContacts begun, and missed against exact\n\n count    begun");
  print_methods(out);
  cli_text_str(out, "\n");
  for (size_t i = 0; i < c->counts; i++) {
    const sim_cell *first = &c->cells[i][0];
    cli_text_format(out, "%6zu%9zu", (i + 1) * SIM_COUNT_STEP, first->contacts + first->missed);
    for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9zu", c->cells[i][m].missed);
    cli_text_str(out, "\n");
  }
}

/* One row for each count and method, as CSV or JSON. */
static void print_rows(cli_text *out, const sim_comparison *c, bool csv) {
  const char *format = csv ? "%s%zu,%s,%.6f,%.6f,%zu,%zu\n"
                           : "%s\n{\"count\":%zu,\"method\":\"%s\",\"all_pairs_ms\":%.6f,\"scene_ms\":%.6f,"
                             "\"contacts\":%zu,\"missed\":%zu}";
  for (size_t i = 0; i < c->counts; i++) {
    for (int m = 0; m < SIM_COMPARED; m++) {
      const sim_cell *cell = &c->cells[i][m];
      cli_text_format(out, format, csv || i + (size_t)m == 0 ? "" : ",", (i + 1) * SIM_COUNT_STEP,
                      cli_method_text(sim_compared[m]), cell->all_pairs, cell->scene, cell->contacts, cell->missed);
    }
  }
}

int sim_compare(const sim_options *o, sim_outputs *outputs) {
  cli_error error;
  cli_text text = {0}, file = {0};
  sim_comparison c = {.steps = o->steps ? o->steps : DEFAULT_STEPS, .seed = o->cubes.seed};
  sim_progress progress = {.total = c.steps * 2 * SIM_COMPARED * SIM_COUNTS};
  bool good = true;
  sim_watch_interrupt();
  while (good && c.counts < SIM_COUNTS && !sim_interrupted()) good = measure_count(&c, &progress, &error);
  sim_progress_end(&progress);
  if (!good) {
    cli_report("simulate: %s", error.message);
    return CLI_EXIT_FAILED;
  }
  if (o->csv) {
    cli_text_str(&text, "count,method,all_pairs_ms,scene_ms,contacts,missed\n");
    print_rows(&text, &c, true);
  } else {
    print_table(&text, &c);
  }
  good = sim_write(&text);
  if (o->names[SIM_JSON]) {
    cli_text_format(&file, "{\"steps\":%zu,\"seed\":%" PRIu64 ",\"rows\":[", c.steps, c.seed);
    print_rows(&file, &c, false);
    cli_text_str(&file, "]}\n");
    if (!sim_output_write(&outputs->list[SIM_JSON], &file)) good = false;
  }
  if (o->names[SIM_SVG]) {
    sim_comparison_svg(&file, &c);
    if (!sim_output_write(&outputs->list[SIM_SVG], &file)) good = false;
  }
  if (!good) return CLI_EXIT_FAILED;
  return sim_interrupted() ? SIM_EXIT_INTERRUPTED : CLI_EXIT_OK;
}
