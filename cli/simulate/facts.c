#include "simulate/facts.h"

#include "complaint.h"

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
