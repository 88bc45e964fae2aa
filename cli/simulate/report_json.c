/* A run as JSON: docs/simulate.md. */
#include "simulate/report.h"

#include "simulate/numbers.h"

#include <math.h>

static void put_key(cli_text *out, const char *key) {
  cli_text_str(out, ",");
  cli_text_quoted(out, key);
  cli_text_str(out, ":");
}

static void put_counts(cli_text *out, const sim_row *row) {
  size_t columns[SIM_COLUMNS];
  sim_list_columns(row, columns);
  for (int k = 0; k < SIM_COLUMNS; k++) {
    put_key(out, sim_columns[k]);
    cli_text_int(out, (long long)columns[k]);
  }
}

static void put_summary(cli_text *out, const sim_run *run) {
  sim_times times = sim_times_of(run->rows, run->count);
  sim_row total = sim_total(run);
  cli_text_str(out, "{\"steps\":");
  cli_text_int(out, (long long)run->count);
  cli_text_str(out, run->interrupted ? ",\"interrupted\":true" : ",\"interrupted\":false");
  cli_text_format(out, ",\"ms\":{\"mean\":%.6g", times.mean);
  cli_text_format(out, ",\"median\":%.6g", times.median);
  cli_text_format(out, ",\"p99\":%.6g}", times.p99);
  put_counts(out, &total);
  cli_text_str(out, "}");
}

static void put_rows(cli_text *out, const sim_scene *scene, const sim_run *run) {
  cli_text_str(out, "[");
  for (size_t i = 0; i < run->count; i++) {
    cli_text_format(out, "%s\n{\"step\":%zu,\"t\":", i > 0 ? "," : "", i + 1);
    cli_text_number(out, (double)(i + 1) * scene->dt);
    cli_text_format(out, ",\"ms\":%.6g", run->rows[i].ms);
    put_counts(out, &run->rows[i]);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

static void put_vec(cli_text *out, const char *key, graze_vec v, int dim) {
  put_key(out, key);
  cli_text_str(out, "[");
  sim_put_vec(out, v, dim, 0);
  cli_text_str(out, "]");
}

/* Where a body is at last, as a question would say it, and how it moves. */
static void put_body(cli_text *out, const sim_scene *scene, size_t index, const sim_stop *last) {
  const graze_pose *p = &last->pose;
  cli_text_str(out, index > 0 ? ",\n{\"name\":" : "\n{\"name\":");
  cli_text_quoted(out, scene->bodies[index].name);
  put_vec(out, "position", p->position, scene->dim);
  put_key(out, "rotation");
  cli_text_str(out, "[");
  cli_text_number(out, p->w);
  cli_text_str(out, ",");
  if (scene->dim == 2)
    cli_text_number(out, p->z);
  else
    sim_put_vec(out, (graze_vec){p->x, p->y, p->z}, 3, 0);
  cli_text_str(out, "]");
  put_vec(out, "velocity", last->motion.velocity, scene->dim);
  if (scene->dim == 2) {
    put_key(out, "angular_velocity");
    cli_text_number(out, last->motion.angular.z);
  } else {
    put_vec(out, "angular_velocity", last->motion.angular, 3);
  }
  cli_text_str(out, "}");
}

/* null where it is not known. */
static void put_known(cli_text *out, graze_vec v, int dim) {
  bool known = isfinite(v.x + v.y + v.z);
  cli_text_str(out, known ? ",[" : ",null");
  if (!known) return;
  sim_put_vec(out, v, dim, 0);
  cli_text_str(out, "]");
}

static void put_contacts(cli_text *out, const sim_scene *scene, const sim_record *record) {
  cli_text_str(out, "[");
  for (size_t i = 0; i < record->contact_count; i++) {
    const sim_contact *contact = &record->contacts[i];
    cli_text_str(out, i > 0 ? ",\n" : "\n");
    sim_put_meeting(out, contact->t, contact->a, contact->b, 0);
    put_known(out, contact->point, scene->dim);
    put_known(out, contact->normal, scene->dim);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]");
}

static void put_misses(cli_text *out, const sim_run *run) {
  cli_text_str(out, "[");
  for (size_t i = 0; i < run->exact.count; i++) {
    const sim_miss *miss = &run->exact.misses[i];
    cli_text_str(out, i > 0 ? "," : "");
    sim_put_meeting(out, miss->t, miss->a, miss->b, 0);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]");
}

void sim_print_json(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record) {
  sim_facts parameters = sim_parameters(scene);
  cli_text_str(out, "{\"title\":");
  cli_text_quoted(out, scene->title);
  cli_text_str(out, ",\n\"parameters\":");
  sim_facts_json(out, &parameters);
  cli_text_str(out, ",\n\"summary\":");
  put_summary(out, run);
  cli_text_str(out, ",\n\"rows\":");
  put_rows(out, scene, run);
  cli_text_str(out, ",\n\"contacts\":");
  put_contacts(out, scene, record);
  cli_text_str(out, ",\n\"missed\":");
  put_misses(out, run);
  cli_text_str(out, ",\n\"bodies\":[");
  for (size_t i = 0; i < scene->count; i++) put_body(out, scene, i, &run->last[i]);
  cli_text_str(out, "]}\n");
}
