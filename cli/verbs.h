/* The verbs of `graze`. argv[0] is the verb; the result is the exit status. */
#ifndef GRAZE_CLI_VERBS_H
#define GRAZE_CLI_VERBS_H

int cli_query_main(int argc, char **argv);
int cli_explain_main(int argc, char **argv);
int cli_simulate_main(int argc, char **argv);
int cli_verify_main(int argc, char **argv);

#endif
