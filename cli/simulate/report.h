/* What a run is told as: a table, rows, JSON. */
#ifndef GRAZE_CLI_SIMULATE_REPORT_H
#define GRAZE_CLI_SIMULATE_REPORT_H

#include "simulate/run.h"

/* How it was asked for, and what came of it. */
sim_facts sim_parameters(const sim_scene *scene);
sim_facts sim_results(const sim_run *run);

/* The counts of a row, in the order of their names. */
enum { SIM_COLUMNS = 8 };
extern const char *const sim_columns[SIM_COLUMNS];
void sim_list_columns(const sim_row *row, size_t columns[SIM_COLUMNS]);

void sim_print_table(cli_text *out, const sim_scene *scene, const sim_run *run);
void sim_print_csv(cli_text *out, const sim_scene *scene, const sim_run *run);
void sim_print_json(cli_text *out, const sim_scene *scene, const sim_run *run, const sim_record *record);

#endif
