/* graze-verify: checks answers against their questions. Linked with the verifier alone: no solver is in this program.
 */
#include "print.h"
#include "verify.h"

#include <stdio.h>

typedef struct run {
  bool json, trouble;
  size_t answers, counts[CLI_VERDICT_COUNT];
} run;

/* The next line, reading where need be; false at the end. */
static bool next_line(run *r, cli_lines *lines, cli_line *line) {
  do
    if (cli_lines_next(lines, line)) return true;
  while (cli_lines_more(lines, &r->trouble));
  return false;
}

static void name_refused(const cli_line *answer, cli_span id, const cli_error *reason) {
  int size = id.data && id.size < 100 ? (int)id.size : 0;
  cli_report("answer %zu%s%.*s: refused: %s", answer->number, size ? ", id " : "", size, size ? id.data : "",
          reason->message);
}

static bool print_verdict(const cli_line *answer, cli_span id, cli_verdict verdict, const cli_error *reason) {
  cli_text text = {0};
  cli_text_str(&text, "{\"id\":");
  if (id.data)
    cli_text_bytes(&text, id.data, id.size);
  else
    cli_text_str(&text, "null");
  cli_print_int(&text, "line", (long long)answer->number);
  cli_print_word(&text, "verdict", cli_verdict_text(verdict));
  if (reason->message[0]) cli_print_word(&text, "reason", reason->message);
  cli_text_str(&text, "}\n");
  bool good = !text.failed && cli_write(text.data, text.size);
  cli_text_free(&text);
  return good;
}

static bool judge_line(run *r, const cli_line *question, const cli_line *answer) {
  cli_error reason;
  cli_span id;
  cli_verdict verdict = cli_judge(question, answer, &id, &reason);
  r->answers++;
  r->counts[verdict]++;
  if (verdict == CLI_REFUSED) name_refused(answer, id, &reason);
  return !r->json || print_verdict(answer, id, verdict, &reason);
}

/* False: not as many answers as questions, or trouble with a file, which has been said. */
static bool judge_all(run *r, cli_lines *questions, cli_lines *answers) {
  cli_line question, answer;
  for (;;) {
    bool asked = next_line(r, questions, &question), answered = next_line(r, answers, &answer);
    if (r->trouble) return false;
    if (asked != answered) {
      cli_report("verify: %s ends after %zu lines, %s goes on", asked ? answers->name : questions->name, r->answers,
              asked ? questions->name : answers->name);
      return false;
    }
    if (!asked) return true;
    if (!judge_line(r, &question, &answer)) return false;
  }
}

static bool print_counts(const run *r) {
  static const char *const names[] = {"verified", "unproven", "refused", "errors"};
  cli_text text = {0};
  if (r->json) cli_text_str(&text, "{\"answers\":");
  if (r->json) cli_text_int(&text, (long long)r->answers);
  for (int i = 0; i < CLI_VERDICT_COUNT; i++) {
    if (r->json) {
      cli_print_int(&text, names[i], (long long)r->counts[i]);
    } else {
      char line[64];
      snprintf(line, sizeof line, "%-9s %zu\n", names[i], r->counts[i]);
      cli_text_str(&text, line);
    }
  }
  if (r->json) cli_text_str(&text, "}\n");
  bool good = !text.failed && cli_write(text.data, text.size) && cli_finish_output();
  cli_text_free(&text);
  return good;
}

static int judge_files(run *r, const char *question_name, const char *answer_name) {
  cli_lines questions = {.fd = -1}, answers = {.fd = -1};
  bool good = cli_lines_open(&questions, question_name) && cli_lines_open(&answers, answer_name) &&
              judge_all(r, &questions, &answers) && print_counts(r);
  cli_lines_close(&questions);
  cli_lines_close(&answers);
  if (!good) return CLI_EXIT_FAILED;
  return r->counts[CLI_REFUSED] ? CLI_EXIT_ERRORS : CLI_EXIT_OK;
}

int main(int argc, char **argv) {
  cli_arguments arguments;
  run r = {0};
  if (!cli_arguments_read(&cli_verify_verb, argc, argv, &arguments)) return CLI_EXIT_FAILED;
  if (arguments.help) return cli_print_help(&cli_verify_verb);
  if (arguments.operand_count != 2) {
    cli_report("verify: two files are needed, QUESTIONS and ANSWERS");
    return CLI_EXIT_FAILED;
  }
  r.json = arguments.values[CLI_VERIFY_JSON] != NULL;
  cli_json_begin();
  return judge_files(&r, arguments.operands[0], arguments.operands[1]);
}
