/* Names and values, for tables, pages and JSON alike. */
#ifndef GRAZE_CLI_SIMULATE_FACTS_H
#define GRAZE_CLI_SIMULATE_FACTS_H

#include "text.h"

typedef struct sim_fact {
  char name[40], value[120];
} sim_fact;

typedef struct sim_facts {
  sim_fact list[24];
  size_t count;
  bool failed; /* there was no room for one: what is made of them has failed, too */
} sim_facts;

void sim_fact_add(sim_facts *facts, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Two columns of text, or a list of [name, value] in JSON. */
void sim_facts_text(cli_text *out, const sim_facts *facts);
void sim_facts_json(cli_text *out, const sim_facts *facts);

#endif
