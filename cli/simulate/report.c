#include "simulate/report.h"

#include "simulate/numbers.h"

static const char *response_of(const sim_scene *scene) {
  int found = -1;
  for (size_t i = 0; i < scene->count; i++) {
    const graze_body_def *def = &scene->bodies[i].def;
    if (def->type != GRAZE_DYNAMIC) continue;
    if (found >= 0 && found != (int)def->response) return "each body its own";
    found = (int)def->response;
  }
  return sim_responses[found < 0 ? 0 : found];
}

/* What the method of a scene does not take is asked by another: graze_scene_def. */
static const char *instead_of(const sim_scene *scene) {
  bool lccd = scene->method == GRAZE_METHOD_LCCD, turns = false, other = false;
  if (!lccd && scene->method != GRAZE_METHOD_FCCD) return "";
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    const graze_body_def *def = &body->def;
    if (!sim_is_zero(def->motion.angular)) turns = true;
    for (size_t k = 0; k < body->path_count; k++)
      if (!sim_is_zero(body->path[k].motion.angular)) turns = true;
    if (def->shape.kind != GRAZE_BOX || def->shape.margin > 0 || def->margin > 0) other = true;
    if (def->type == GRAZE_DYNAMIC && def->response != GRAZE_RESPONSE_NONE && !def->sensor) other = true;
  }
  if (lccd) return turns || other ? " (auto for all but boxes that neither turn nor respond)" : "";
  return turns ? " (auto where bodies turn)" : "";
}

sim_facts sim_parameters(const sim_scene *scene) {
  sim_facts facts = scene->facts;
  sim_fact_add(&facts, "steps", "%zu", scene->steps);
  sim_fact_add(&facts, "time per step", "%.7g", scene->dt);
  if (!sim_is_zero(scene->gravity))
    sim_fact_add(&facts, "gravity", scene->dim == 2 ? "%.7g, %.7g" : "%.7g, %.7g, %.7g", scene->gravity.x,
                 scene->gravity.y, scene->gravity.z);
  sim_fact_add(&facts, "method", "%s%s", cli_method_text(scene->method), instead_of(scene));
  sim_fact_add(&facts, "response", "%s", response_of(scene));
  sim_fact_add(&facts, "threads", "1");
  return facts;
}

sim_facts sim_results(const sim_run *run) {
  sim_facts facts = {.count = 0};
  sim_times times = sim_times_of(run->rows, run->count);
  sim_row total = sim_total(run);
  double steps = run->count > 0 ? (double)run->count : 1;
  sim_fact_add(&facts, "steps done", "%zu%s", run->count, run->interrupted ? ", then interrupted" : "");
  sim_fact_add(&facts, "ms per step, mean", "%.4g", times.mean);
  sim_fact_add(&facts, "ms per step, median", "%.4g", times.median);
  sim_fact_add(&facts, "ms per step, p99", "%.4g", times.p99);
  sim_fact_add(&facts, "pairs per step", "%.4g", (double)total.pairs / steps);
  sim_fact_add(&facts, "asked per step", "%.4g", (double)total.casts / steps);
  sim_fact_add(&facts, "contacts begun", "%zu", total.contacts);
  sim_fact_add(&facts, "in contact, pairs per step", "%.4g", (double)total.in_contact / steps);
  sim_fact_add(&facts, "missed against exact", "%zu", total.missed);
  if (total.responses > 0) sim_fact_add(&facts, "responses", "%zu", total.responses);
  if (total.stalled > 0) sim_fact_add(&facts, "bodies that waited", "%zu", total.stalled);
  if (total.overlaps > 0) sim_fact_add(&facts, "overlaps left, all steps", "%zu", total.overlaps);
  return facts;
}

void sim_print_table(cli_text *out, const sim_scene *scene, const sim_run *run) {
  sim_facts parameters = sim_parameters(scene), results = sim_results(run);
  cli_text_plain(out, scene->title);
  cli_text_str(out, "\n\n");
  sim_facts_text(out, &parameters);
  cli_text_str(out, "\n");
  sim_facts_text(out, &results);
}

/* ---- Rows */

const char *const sim_columns[SIM_COLUMNS] = {"pairs",     "casts",   "contacts", "in_contact",
                                              "responses", "stalled", "overlaps", "missed"};

void sim_list_columns(const sim_row *row, size_t columns[SIM_COLUMNS]) {
  const size_t all[SIM_COLUMNS] = {row->pairs,     row->casts,   row->contacts, row->in_contact,
                                   row->responses, row->stalled, row->overlaps, row->missed};
  for (int i = 0; i < SIM_COLUMNS; i++) columns[i] = all[i];
}

void sim_print_csv(cli_text *out, const sim_scene *scene, const sim_run *run) {
  cli_text_str(out, "step,t,ms");
  for (int k = 0; k < SIM_COLUMNS; k++) {
    cli_text_str(out, ",");
    cli_text_str(out, sim_columns[k]);
  }
  cli_text_str(out, "\n");
  for (size_t i = 0; i < run->count; i++) {
    size_t columns[SIM_COLUMNS];
    sim_list_columns(&run->rows[i], columns);
    cli_text_int(out, (long long)i + 1);
    cli_text_str(out, ",");
    sim_put_number(out, (double)(i + 1) * scene->dt, SIM_LEAST_TIME * scene->dt);
    cli_text_format(out, ",%.4f", run->rows[i].ms);
    for (int k = 0; k < SIM_COLUMNS; k++) {
      cli_text_str(out, ",");
      cli_text_int(out, (long long)columns[k]);
    }
    cli_text_str(out, "\n");
  }
}
