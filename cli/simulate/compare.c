/* `graze simulate --compare`: the same cubes by every method, two by two and in a scene. */
#include "simulate/compare.h"

#include "options.h"
#include "simulate/all_pairs.h"
#include "simulate/simulate.h"

#include <inttypes.h>

const graze_method sim_compared[SIM_COMPARED] = {GRAZE_METHOD_FCCD, GRAZE_METHOD_LCCD, GRAZE_METHOD_SWEEP,
                                                 GRAZE_METHOD_CA, GRAZE_METHOD_DISCRETE};

enum { USUAL_STEPS = 120 };

/* Nothing responds, so that all methods see the same states. */
static bool measure(const sim_scene *scene, graze_method method, sim_progress *progress, sim_cell *cell,
                    cli_error *complaint) {
  sim_run run;
  if (!sim_run_make(scene, method, NULL, progress, &run, complaint)) return false;
  progress->base += scene->steps;
  sim_row total = sim_total(&run);
  *cell = (sim_cell){0, sim_times_of(run.rows, run.count).median, total.contacts, total.missed};
  sim_run_free(&run);
  bool good = sim_all_pairs(scene, method, progress, &cell->all_pairs, complaint);
  progress->base += scene->steps;
  return good;
}

static bool measure_count(sim_comparison *c, sim_progress *progress, cli_error *complaint) {
  sim_cubes cubes = {(c->counts + 1) * SIM_COUNT_STEP, c->seed, false, GRAZE_RESPONSE_NONE};
  sim_scene scene;
  if (!sim_cubes_make(&cubes, &scene)) return cli_reject_memory(complaint);
  scene.steps = c->steps;
  bool good = true;
  for (int m = 0; good && m < SIM_COMPARED && !sim_interrupted(); m++)
    good = measure(&scene, sim_compared[m], progress, &c->cells[c->counts][m], complaint);
  sim_scene_free(&scene);
  if (good && !sim_interrupted()) c->counts++;
  return good;
}

/* ---- Text */

/* One word for each method, right-aligned. */
static void put_methods(cli_text *out) {
  for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9s", cli_method_text(sim_compared[m]));
}

static void put_times(cli_text *out, const sim_comparison *c) {
  cli_text_str(out, "       all pairs                                      with the broad phase\n count");
  put_methods(out);
  cli_text_str(out, "  ");
  put_methods(out);
  cli_text_str(out, "\n");
  for (size_t i = 0; i < c->counts; i++) {
    cli_text_format(out, "%6zu", (i + 1) * SIM_COUNT_STEP);
    for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9.4f", c->cells[i][m].all_pairs);
    cli_text_str(out, "  ");
    for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9.4f", c->cells[i][m].scene);
    cli_text_str(out, "\n");
  }
}

static void put_table(cli_text *out, const sim_comparison *c) {
  cli_text_str(out, "Moving cubes, ");
  cli_text_int(out, (long long)c->steps);
  cli_text_str(out, " steps of each count, one thread: milliseconds per step, median\n\n");
  put_times(out, c);
  cli_text_str(out, "\nContacts begun, and missed against exact\n\n count    begun");
  put_methods(out);
  cli_text_str(out, "\n");
  for (size_t i = 0; i < c->counts; i++) {
    const sim_cell *first = &c->cells[i][0];
    cli_text_format(out, "%6zu", (i + 1) * SIM_COUNT_STEP);
    cli_text_format(out, "%9zu", first->contacts + first->missed);
    for (int m = 0; m < SIM_COMPARED; m++) cli_text_format(out, "%9zu", c->cells[i][m].missed);
    cli_text_str(out, "\n");
  }
}

static void put_csv(cli_text *out, const sim_comparison *c) {
  cli_text_str(out, "count,method,all_pairs_ms,scene_ms,contacts,missed\n");
  for (size_t i = 0; i < c->counts; i++) {
    for (int m = 0; m < SIM_COMPARED; m++) {
      const sim_cell *cell = &c->cells[i][m];
      cli_text_format(out, "%zu,%s,%.6f,%.6f,%zu,%zu\n", (i + 1) * SIM_COUNT_STEP, cli_method_text(sim_compared[m]),
                      cell->all_pairs, cell->scene, cell->contacts, cell->missed);
    }
  }
}

static void put_json(cli_text *out, const sim_comparison *c) {
  cli_text_format(out, "{\"steps\":%zu,\"seed\":%" PRIu64 ",\"rows\":[", c->steps, c->seed);
  for (size_t i = 0; i < c->counts; i++) {
    for (int m = 0; m < SIM_COMPARED; m++) {
      const sim_cell *cell = &c->cells[i][m];
      cli_text_format(out, "%s\n{\"count\":%zu,\"method\":\"%s\",\"all_pairs_ms\":%.6f,\"scene_ms\":%.6f",
                      i + (size_t)m > 0 ? "," : "", (i + 1) * SIM_COUNT_STEP, cli_method_text(sim_compared[m]),
                      cell->all_pairs, cell->scene);
      cli_text_format(out, ",\"contacts\":%zu,\"missed\":%zu}", cell->contacts, cell->missed);
    }
  }
  cli_text_str(out, "]}\n");
}

/* ---- The whole */

static bool tell(const sim_options *o, sim_outputs *outputs, const sim_comparison *c) {
  cli_text text = {0}, file = {0};
  if (o->csv)
    put_csv(&text, c);
  else
    put_table(&text, c);
  bool good = sim_write(&text);
  if (o->names[SIM_JSON]) {
    put_json(&file, c);
    if (!sim_output_write(&outputs->list[SIM_JSON], &file)) good = false;
  }
  if (o->names[SIM_SVG]) {
    sim_comparison_svg(&file, c);
    if (!sim_output_write(&outputs->list[SIM_SVG], &file)) good = false;
  }
  return good;
}

int sim_compare(const sim_options *o, sim_outputs *outputs) {
  cli_error complaint;
  sim_comparison c = {.steps = o->steps ? o->steps : USUAL_STEPS, .seed = o->cubes.seed};
  sim_progress progress = {.total = c.steps * 2 * SIM_COMPARED * SIM_COUNTS};
  bool good = true;
  sim_watch_interrupt();
  while (good && c.counts < SIM_COUNTS && !sim_interrupted()) good = measure_count(&c, &progress, &complaint);
  sim_progress_end(&progress);
  if (!good) {
    cli_report("simulate: %s", complaint.message);
    return CLI_EXIT_FAILED;
  }
  if (!tell(o, outputs, &c)) return CLI_EXIT_FAILED;
  return sim_interrupted() ? SIM_EXIT_INTERRUPTED : CLI_EXIT_OK;
}
