/* The results of a run as a table, rows or JSON; facts, and numbers of recordings as JSON. */
#include "simulate/simulation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Two columns. */
static void print_facts(cli_text *out, const sim_facts *facts) {
  if (facts->failed) out->failed = true;
  for (size_t i = 0; i < facts->count; i++)
    cli_text_format(out, "  %-26s %s\n", facts->list[i].name, facts->list[i].value);
}

void sim_facts_json(cli_text *out, const sim_facts *facts) {
  if (facts->failed) out->failed = true;
  cli_text_str(out, "[");
  for (size_t i = 0; i < facts->count; i++)
    emit(out, "%s[%q,%q]", i > 0 ? ",\n" : "", facts->list[i].name, facts->list[i].value);
  cli_text_str(out, "]");
}

void sim_print_number(cli_text *out, double value, double resolution) {
  double ratio = fabs(value) / resolution;
  if (!isfinite(value) || !(resolution > 0) || ratio > 1e16)
    emit(out, "%j", value);
  else if (ratio < 0.5)
    cli_text_str(out, "0");
  else
    cli_text_format(out, "%.*g", ratio < 1 ? 1 : 1 + (int)ceil(log10(ratio)), value);
}

sim_facts sim_parameters(const sim_scene *scene) {
  const bool lccd = scene->method == CLI_METHOD_LCCD;
  bool rotates = false, other = false, differ = false;
  int response = -1; /* of all dynamic bodies */
  for (size_t i = 0; i < scene->count; i++) {
    const sim_body *body = &scene->bodies[i];
    const graze_body_def *def = &body->def;
    rotates = rotates || !vec_is_zero(def->motion.angular);
    for (size_t k = 0; k < body->path_count; k++) rotates = rotates || !vec_is_zero(body->path[k].motion.angular);
    if (def->shape.kind != GRAZE_BOX || def->shape.margin > 0 || def->margin > 0) other = true;
    if (def->type != GRAZE_DYNAMIC) continue;
    if (def->response != GRAZE_RESPONSE_NONE && !def->sensor) other = true;
    if (response >= 0 && response != (int)def->response) differ = true;
    response = (int)def->response;
  }
  /* A scene uses auto for pairs that its method does not support. */
  const char *fallback = lccd && (rotates || other) ? " (auto except for boxes that neither rotate nor respond)"
                         : scene->method == CLI_METHOD_FCCD && rotates ? " (auto for bodies that rotate)"
                                                                       : "";
  sim_facts facts = scene->facts;
  sim_fact_add(&facts, "steps", "%zu", scene->steps);
  sim_fact_add(&facts, "time per step", "%.7g", scene->dt);
  if (!vec_is_zero(scene->gravity))
    sim_fact_add(&facts, "gravity", scene->dim == 2 ? "%.7g, %.7g" : "%.7g, %.7g, %.7g", scene->gravity.x,
                 scene->gravity.y, scene->gravity.z);
  sim_fact_add(&facts, "method", "%s%s", cli_method_text(scene->method), fallback);
  sim_fact_add(&facts, "response", "%s",
               differ ? "different for each body" : sim_responses[response < 0 ? 0 : response]);
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

void sim_print_table(cli_text *out, const sim_scene *scene, const sim_run *run) {
  sim_facts parameters = sim_parameters(scene), results = sim_results(run);
  cli_text_plain(out, scene->title);
  cli_text_str(out, "\n\n");
  print_facts(out, &parameters);
  cli_text_str(out, "\n");
  print_facts(out, &results);
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
  size_t count;
  memcpy(&count, (const char *)row + column->offset, sizeof count);
  return count;
}

sim_row sim_total(const sim_run *run) {
  sim_row total = {0};
  for (size_t i = 0; i < run->count; i++) total.ms += run->rows[i].ms;
  for (int k = 0; k < COLUMNS; k++) {
    size_t sum = 0;
    for (size_t i = 0; i < run->count; i++) sum += count_of(&run->rows[i], &columns[k]);
    memcpy((char *)&total + columns[k].offset, &sum, sizeof sum);
  }
  return total;
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
  for (int k = 0; k < COLUMNS; k++) emit(out, ",\"%s\":%z", columns[k].name, count_of(row, &columns[k]));
}

void sim_print_json(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  sim_facts parameters = sim_parameters(scene);
  sim_times times = sim_times_of(run->rows, run->count);
  sim_row total = sim_total(run);
  emit(out, "{\"title\":%q,\n\"parameters\":", scene->title);
  sim_facts_json(out, &parameters);
  emit(out, ",\n\"summary\":{\"steps\":%z,\"interrupted\":%b", run->count, run->interrupted);
  cli_text_format(out, ",\"ms\":{\"mean\":%.6g,\"median\":%.6g,\"p99\":%.6g}", times.mean, times.median, times.p99);
  print_counts(out, &total);
  cli_text_str(out, "},\n\"rows\":[");
  for (size_t i = 0; i < run->count; i++) {
    emit(out, "%s\n{\"step\":%z,\"t\":%j", comma(i), i + 1, (double)(i + 1) * scene->dt);
    cli_text_format(out, ",\"ms\":%.6g", run->rows[i].ms);
    print_counts(out, &run->rows[i]);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "],\n\"contacts\":[");
  for (size_t i = 0; i < record->contact_count; i++) {
    const sim_contact *contact = &record->contacts[i];
    emit(out, "%s\n[%j,%z,%z,%V,%V]", comma(i), contact->t, contact->a, contact->b, contact->point, scene->dim,
         contact->normal, scene->dim);
  }
  cli_text_str(out, "],\n\"missed\":[");
  for (size_t i = 0; i < run->exact.count; i++)
    emit(out, "%s[%j,%z,%z]", comma(i), run->exact.misses[i].t, run->exact.misses[i].a, run->exact.misses[i].b);
  cli_text_str(out, "],\n\"bodies\":[");
  for (size_t i = 0; i < scene->count; i++) { /* the final poses, in the form of a query, and motions */
    const sim_keyframe *last = &run->last[i];
    emit(out, "%s\n{\"name\":%q,\"position\":%V,\"rotation\":%R,\"velocity\":%V,\"angular_velocity\":", comma(i),
         scene->bodies[i].name, last->pose.position, scene->dim, &last->pose, scene->dim, last->motion.velocity,
         scene->dim);
    scene->dim == 2 ? emit(out, "%j}", last->motion.angular.z) : emit(out, "%V}", last->motion.angular, 3);
  }
  cli_text_str(out, "]}\n");
}

bool sim_write(cli_text *text) {
  if (text->failed) cli_report("simulate: out of memory");
  return cli_write_text(text);
}
