/* The results of a run: a table, rows, or JSON (docs/guide/simulate.md). */
#ifndef GRAZE_CLI_SIMULATE_REPORT_H
#define GRAZE_CLI_SIMULATE_REPORT_H

#include "simulate/run.h"

/* The parameters of a run, and its results. */
sim_facts sim_parameters(const sim_scene *scene);
sim_facts sim_results(const sim_run *run);

/* `[t,a,b`, the beginning of a contact or a miss. */
void sim_print_contact_head(cli_text *out, double t, size_t a, size_t b, double resolution);

void sim_print_table(cli_text *out, const sim_scene *scene, const sim_run *run);
void sim_print_csv(cli_text *out, const sim_scene *scene, const sim_run *run);
void sim_print_json(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record);

#endif
