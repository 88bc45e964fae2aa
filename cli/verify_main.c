/* graze-verify: checks answers against their queries. It is linked with the verifier only, so it contains no solver. */
#include "answers.h"
#include "verdict.h"

#include <stdio.h>

typedef struct run {
  bool json, failed;
  size_t answers, counts[CLI_VERDICT_COUNT];
} run;

/* Returns false at the end of the file, and if it cannot be read. */
static bool next_line(run *r, cli_lines *lines, cli_line *line) {
  do
    if (cli_lines_next(lines, line)) return true;
  while (cli_lines_more(lines, &r->failed));
  return false;
}

/* False: the files have different numbers of lines, or one cannot be read or written. */
static bool check_all(run *r, cli_lines *queries, cli_lines *answers) {
  static const char *const texts[] = {"verified", "unproven", "refused", "error"};
  cli_line query, answer;
  cli_error reason;
  cli_span id;
  cli_text text = {0};
  for (;;) {
    bool more_queries = next_line(r, queries, &query), more_answers = next_line(r, answers, &answer);
    if (r->failed) return false;
    if (more_queries != more_answers) {
      cli_report("verify: %s has only %zu lines, must have as many as %s", more_queries ? answers->name : queries->name,
                 r->answers, more_queries ? queries->name : answers->name);
      return false;
    }
    if (!more_queries) break;
    cli_verdict verdict = cli_check(&query, &answer, &id, &reason);
    r->answers++;
    r->counts[verdict]++;
    int size = id.data && id.size < 100 ? (int)id.size : 0;
    if (verdict == CLI_REJECTED)
      cli_report("answer %zu%s%.*s: refused: %s", answer.number, size ? ", id " : "", size, size ? id.data : "",
                 reason.message);
    if (!r->json) continue;
    cli_print_id(&text, id);
    emit(&text, ",\"line\":%z,\"verdict\":%q", answer.number, texts[verdict]);
    if (reason.message[0]) emit(&text, ",\"reason\":%q", reason.message);
    cli_text_str(&text, "}\n");
    if (!cli_write_text(&text)) return false;
  }
  if (r->json) cli_text_format(&text, "{\"answers\":%zu", r->answers);
  for (int i = 0; i < CLI_VERDICT_COUNT; i++)
    cli_text_format(&text, r->json ? ",\"%s\":%zu" : "%-9s %zu\n", i == CLI_ERROR_LINE ? "errors" : texts[i],
                    r->counts[i]);
  if (r->json) cli_text_str(&text, "}\n");
  return cli_write_text(&text) && cli_finish_output();
}

int main(int argc, char **argv) {
  cli_arguments arguments;
  cli_lines queries = {.fd = -1}, answers = {.fd = -1};
  run r = {0};
  if (!cli_arguments_read(&cli_verify_verb, argc, argv, &arguments)) return CLI_EXIT_FAILED;
  if (arguments.help) return cli_print_help(&cli_verify_verb);
  if (arguments.operand_count != 2) {
    cli_report("verify: wrong number of files (%d), must be two: QUERIES and ANSWERS", arguments.operand_count);
    return CLI_EXIT_FAILED;
  }
  r.json = arguments.values[CLI_VERIFY_JSON] != NULL;
  cli_json_begin();
  bool good = cli_lines_open(&queries, arguments.operands[0]) && cli_lines_open(&answers, arguments.operands[1]) &&
              check_all(&r, &queries, &answers);
  cli_lines_close(&queries);
  cli_lines_close(&answers);
  if (!good) return CLI_EXIT_FAILED;
  return r.counts[CLI_REJECTED] ? CLI_EXIT_ERRORS : CLI_EXIT_OK;
}
