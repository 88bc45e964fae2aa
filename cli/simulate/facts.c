/* Facts and numbers: see facts.h. */
#include "simulate/facts.h"

#include "error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sim_fact_add(sim_facts *facts, const char *name, const char *format, ...) {
  if (facts->count == sizeof facts->list / sizeof *facts->list) {
    facts->failed = true;
    return;
  }
  sim_fact *fact = &facts->list[facts->count++];
  char value[sizeof fact->value + 8];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(value, sizeof value, format, arguments);
  va_end(arguments);
  cli_cut(value, sizeof fact->value);
  memcpy(fact->value, value, strlen(value) + 1);
  snprintf(fact->name, sizeof fact->name, "%s", name);
}

void sim_facts_text(cli_text *out, const sim_facts *facts) {
  if (facts->failed) out->failed = true;
  for (size_t i = 0; i < facts->count; i++)
    cli_text_format(out, "  %-26s %s\n", facts->list[i].name, facts->list[i].value);
}

void sim_facts_json(cli_text *out, const sim_facts *facts) {
  if (facts->failed) out->failed = true;
  cli_text_str(out, "[");
  for (size_t i = 0; i < facts->count; i++) {
    cli_text_str(out, i > 0 ? ",\n[" : "[");
    cli_text_quoted(out, facts->list[i].name);
    cli_text_str(out, ",");
    cli_text_quoted(out, facts->list[i].value);
    cli_text_str(out, "]");
  }
  cli_text_str(out, "]");
}

void sim_print_number(cli_text *out, double value, double resolution) {
  double ratio = fabs(value) / resolution;
  if (!isfinite(value) || !(resolution > 0) || ratio > 1e16)
    cli_text_number(out, value);
  else if (ratio < 0.5)
    cli_text_str(out, "0");
  else
    cli_text_format(out, "%.*g", ratio < 1 ? 1 : 1 + (int)ceil(log10(ratio)), value);
}

static void print_numbers(cli_text *out, const double *numbers, int count, double resolution) {
  for (int i = 0; i < count; i++) {
    if (i > 0) cli_text_str(out, ",");
    sim_print_number(out, numbers[i], resolution);
  }
}

void sim_print_vec(cli_text *out, graze_vec v, int dim, double resolution) {
  print_numbers(out, (const double[]){v.x, v.y, v.z}, dim, resolution);
}

void sim_print_rotation(cli_text *out, const graze_pose *pose, int dim, double resolution) {
  const double flat[] = {pose->w, pose->z}, spatial[] = {pose->w, pose->x, pose->y, pose->z};
  print_numbers(out, dim == 2 ? flat : spatial, dim == 2 ? 2 : 4, resolution);
}

void sim_print_angular(cli_text *out, graze_vec angular, int dim, double resolution) {
  print_numbers(out, dim == 2 ? &angular.z : (const double[]){angular.x, angular.y, angular.z}, dim == 2 ? 1 : 3,
                resolution);
}
