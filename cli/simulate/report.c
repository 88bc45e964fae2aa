/* Reports: see report.h. */
#include "simulate/report.h"

#include "request.h"

#include <math.h>
#include <stddef.h>

static const char *response_of(const sim_scene *scene) {
  int common = -1;
  for (size_t i = 0; i < scene->count; i++) {
    const graze_body_def *def = &scene->bodies[i].def;
    if (def->type != GRAZE_DYNAMIC) continue;
    if (common >= 0 && common != (int)def->response) return "different for each body";
    common = (int)def->response;
  }
  return sim_responses[common < 0 ? 0 : common];
}

/* A scene uses auto for pairs that its method does not support. */
static const char *fallback_of(const sim_scene *scene) {
  bool lccd = scene->method == CLI_METHOD_LCCD, rotates = false, other = false;
  if (!lccd && scene->method != CLI_METHOD_FCCD) return "";
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    const graze_body_def *def = &body->def;
    if (!sim_is_zero(def->motion.angular)) rotates = true;
    for (size_t k = 0; k < body->path_count; k++)
      if (!sim_is_zero(body->path[k].motion.angular)) rotates = true;
    if (def->shape.kind != GRAZE_BOX || def->shape.margin > 0 || def->margin > 0) other = true;
    if (def->type == GRAZE_DYNAMIC && def->response != GRAZE_RESPONSE_NONE && !def->sensor) other = true;
  }
  if (lccd) return rotates || other ? " (auto except for boxes that neither rotate nor respond)" : "";
  return rotates ? " (auto for bodies that rotate)" : "";
}

sim_facts sim_parameters(const sim_scene *scene) {
  sim_facts facts = scene->facts;
  sim_fact_add(&facts, "steps", "%zu", scene->steps);
  sim_fact_add(&facts, "time per step", "%.7g", scene->dt);
  if (!sim_is_zero(scene->gravity))
    sim_fact_add(&facts, "gravity", scene->dim == 2 ? "%.7g, %.7g" : "%.7g, %.7g, %.7g", scene->gravity.x,
                 scene->gravity.y, scene->gravity.z);
  sim_fact_add(&facts, "method", "%s%s", cli_method_text(scene->method), fallback_of(scene));
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
  sim_fact_add(&facts, "casts per step", "%.4g", (double)total.casts / steps);
  sim_fact_add(&facts, "contacts begun", "%zu", total.contacts);
  sim_fact_add(&facts, "in contact, pairs per step", "%.4g", (double)total.in_contact / steps);
  sim_fact_add(&facts, "missed against exact", "%zu", total.missed);
  if (total.responses > 0) sim_fact_add(&facts, "responses", "%zu", total.responses);
  if (total.stalled > 0) sim_fact_add(&facts, "stalled bodies, all steps", "%zu", total.stalled);
  if (total.overlaps > 0) sim_fact_add(&facts, "overlaps left, all steps", "%zu", total.overlaps);
  return facts;
}

void sim_print_contact_head(cli_text *out, double t, size_t a, size_t b, double resolution) {
  cli_text_str(out, "[");
  sim_print_number(out, t, resolution);
  cli_text_format(out, ",%zu,%zu", a, b);
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

static const struct column {
  const char *name;
  size_t offset;
} columns[] = {
    {"pairs", offsetof(sim_row, pairs)},         {"casts", offsetof(sim_row, casts)},
    {"contacts", offsetof(sim_row, contacts)},   {"in_contact", offsetof(sim_row, in_contact)},
    {"responses", offsetof(sim_row, responses)}, {"stalled", offsetof(sim_row, stalled)},
    {"overlaps", offsetof(sim_row, overlaps)},   {"missed", offsetof(sim_row, missed)},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static size_t count_of(const sim_row *row, const struct column *column) {
  return *(const size_t *)(const void *)((const char *)row + column->offset);
}

void sim_print_csv(cli_text *out, const sim_scene *scene, const sim_run *run) {
  cli_text_str(out, "step,t,ms");
  for (int k = 0; k < COLUMNS; k++) cli_text_format(out, ",%s", columns[k].name);
  cli_text_str(out, "\n");
  for (size_t i = 0; i < run->count; i++) {
    cli_text_format(out, "%zu,", i + 1);
    sim_print_number(out, (double)(i + 1) * scene->dt, SIM_TIME_RESOLUTION * scene->dt);
    cli_text_format(out, ",%.4f", run->rows[i].ms);
    for (int k = 0; k < COLUMNS; k++) cli_text_format(out, ",%zu", count_of(&run->rows[i], &columns[k]));
    cli_text_str(out, "\n");
  }
}

/* ---- JSON */

static void print_counts(cli_text *out, const sim_row *row) {
  for (int k = 0; k < COLUMNS; k++) cli_print_int(out, columns[k].name, (long long)count_of(row, &columns[k]));
}

/* null if the vector is not known. */
static void print_known(cli_text *out, graze_vec v, int dim) {
  bool known = isfinite(v.x + v.y + v.z);
  cli_text_str(out, known ? ",[" : ",null");
  if (!known) return;
  sim_print_vec(out, v, dim, 0);
  cli_text_str(out, "]");
}

/* The final pose of a body, in the form of a query, and its motion. */
static void print_body(cli_text *out, const sim_scene *scene, size_t index, const sim_keyframe *last) {
  const int dim = scene->dim;
  cli_text_str(out, index > 0 ? ",\n{\"name\":" : "\n{\"name\":");
  cli_text_quoted(out, scene->bodies[index].name);
  cli_text_str(out, ",\"position\":[");
  sim_print_vec(out, last->pose.position, dim, 0);
  cli_text_str(out, "],\"rotation\":[");
  sim_print_rotation(out, &last->pose, dim, 0);
  cli_text_str(out, "],\"velocity\":[");
  sim_print_vec(out, last->motion.velocity, dim, 0);
  cli_text_str(out, dim == 2 ? "],\"angular_velocity\":" : "],\"angular_velocity\":[");
  sim_print_angular(out, last->motion.angular, dim, 0);
  cli_text_str(out, dim == 2 ? "}" : "]}");
}

void sim_print_json(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  sim_facts parameters = sim_parameters(scene);
  sim_times times = sim_times_of(run->rows, run->count);
  sim_row total = sim_total(run);
  cli_text_str(out, "{\"title\":");
  cli_text_quoted(out, scene->title);
  cli_text_str(out, ",\n\"parameters\":");
  sim_facts_json(out, &parameters);
  cli_text_format(out, ",\n\"summary\":{\"steps\":%zu,\"interrupted\":%s", run->count,
                  run->interrupted ? "true" : "false");
  cli_text_format(out, ",\"ms\":{\"mean\":%.6g,\"median\":%.6g,\"p99\":%.6g}", times.mean, times.median, times.p99);
  print_counts(out, &total);
  cli_text_str(out, "},\n\"rows\":[");
  for (size_t i = 0; i < run->count; i++) {
    cli_text_format(out, "%s\n{\"step\":%zu,\"t\":", i > 0 ? "," : "", i + 1);
    cli_text_number(out, (double)(i + 1) * scene->dt);
    cli_text_format(out, ",\"ms\":%.6g", run->rows[i].ms);
    print_counts(out, &run->rows[i]);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "],\n\"contacts\":[");
  for (size_t i = 0; i < record->contact_count; i++) {
    const sim_contact *contact = &record->contacts[i];
    cli_text_str(out, i > 0 ? ",\n" : "\n");
    sim_print_contact_head(out, contact->t, contact->a, contact->b, 0);
    print_known(out, contact->point, scene->dim);
    print_known(out, contact->normal, scene->dim);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "],\n\"missed\":[");
  for (size_t i = 0; i < run->exact.count; i++) {
    const sim_miss *miss = &run->exact.misses[i];
    cli_text_str(out, i > 0 ? "," : "");
    sim_print_contact_head(out, miss->t, miss->a, miss->b, 0);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "],\n\"bodies\":[");
  for (size_t i = 0; i < scene->count; i++) print_body(out, scene, i, &run->last[i]);
  cli_text_str(out, "]}\n");
}
