/* `graze query`: answers the query lines of files on several threads, in their order. */
#define _POSIX_C_SOURCE 200809L

#include "answers.h"
#include "command.h"

#include <graze/parallel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_JOBS = 256, BLOCK_LINES = 32 };

#define EXAMPLE                                                                                                        \
  "{\"query\":\"distance\",\"a\":{\"type\":\"sphere\",\"radius\":1},"                                                  \
  "\"b\":{\"type\":\"point\",\"position\":[3,0,0]}}"

static const cli_option options[] = {
    {"jobs", 'j', "N", "use N threads (default 1); the output does not depend on N"},
};
enum { JOBS };

const cli_verb cli_query_verb = {
    "query",
    "[FILE]...",
    "Answers queries about shapes. The input is JSON Lines: one object a line. The output has one\n"
    "answer line for each query, in the same order. Without FILE, or if FILE is -, it reads\n"
    "standard input.",
    "example:\n"
    "   " EXAMPLE "\n"
    "   graze query --jobs 4 queries.jsonl > answers.jsonl\n"
    "\n"
    "exit status:\n"
    "   0  every line has an answer\n"
    "   1  some lines have an error; their answer is an error line, and the run continues\n"
    "   2  usage error, a file that cannot be read, or output that cannot be written\n"
    "\n"
    "keys of a query: query, a, b, and optionally\n"
    "   id             string or number, repeated in the answer\n"
    "   dim            2 or 3 (default 3)\n"
    "   motion         shapecast: {\"type\":\"linear\",\"velocity_a\",\"velocity_b\",\"t_max\"}\n"
    "                  toi: also \"type\":\"rotational\" with \"angular_velocity_a\", \"angular_velocity_b\"\n"
    "                  raycast: {\"type\":\"ray\",\"origin\",\"direction\",\"t_max\"}; t_max may be null\n"
    "   method         one of the methods below (default auto)\n"
    "   start          first direction of method gjk\n"
    "   samples        number of times that method discrete tests; it misses contacts between them\n"
    "   clearance      number >= 0, added to the radii\n"
    "   max_distance   stop if the distance is larger\n"
    "   tolerance      width of the interval at which the search may stop (default 0)\n"
    "   max_iterations limit for the algorithms\n"
    "   filter         aabb or obb: test only these boxes of the shapes\n"
    "   certificate    false: without certificate;  proof  true: also the proofs that can be large\n"
    "   trace          true: the steps of the algorithms\n"
    "   full, of, effort, splitting: see the queries below; unknown keys are ignored\n"
    "\n",
    options,
    sizeof options / sizeof *options,
    cli_print_queries,
};

/* Consecutive lines, answered by one thread into one text. */
typedef struct block {
  cli_text text;
  bool error;
} block;

typedef struct run {
  graze_parallel parallel;
  cli_line *lines; /* of one read */
  size_t line_count, line_capacity;
  block *blocks;
  size_t block_capacity;
  bool errors, failed; /* some lines are errors; some files cannot be read */
} run;

/* A graze_parallel task. */
static void answer_block(void *data, size_t index) {
  const run *r = data;
  cli_buffer buffer = {0};
  size_t begin = index * BLOCK_LINES, end = begin + BLOCK_LINES;
  for (size_t k = begin; k < end && k < r->line_count; k++)
    if (!cli_answer(&r->lines[k], &buffer, &r->blocks[index].text)) r->blocks[index].error = true;
  cli_buffer_free(&buffer);
}

static bool out_of_memory(void) {
  cli_report("query: out of memory");
  return false;
}

/* Answers the lines of one read, and writes the answers in order. */
static bool answer_lines(run *r) {
  const size_t count = (r->line_count + BLOCK_LINES - 1) / BLOCK_LINES;
  bool good = true;
  if (count == 0) return true;
  if (!cli_grow(&r->blocks, sizeof *r->blocks, &r->block_capacity, count)) return out_of_memory();
  memset(r->blocks, 0, count * sizeof *r->blocks);
  if (r->parallel.run)
    r->parallel.run(r->parallel.context, count, answer_block, r);
  else
    for (size_t i = 0; i < count; i++) answer_block(r, i);
  for (size_t i = 0; i < count; i++) {
    cli_text *text = &r->blocks[i].text;
    if (r->blocks[i].error) r->errors = true;
    if (good && text->failed) good = out_of_memory();
    good = good && cli_write(text->data, text->size);
    cli_text_free(text);
  }
  r->line_count = 0;
  return good;
}

/* False: the run cannot continue. */
static bool answer_file(run *r, const char *name) {
  cli_lines lines;
  cli_line line;
  bool good = true;
  if (strcmp(name, "-") == 0 && isatty(STDIN_FILENO))
    fputs("Reading queries from the terminal: JSON Lines, one query a line, Ctrl-D to end. Example:\n" EXAMPLE "\n",
          stderr);
  if (!cli_lines_open(&lines, name)) {
    r->failed = true;
    return true;
  }
  while (good && cli_lines_more(&lines, &r->failed)) {
    while (good && cli_lines_next(&lines, &line)) {
      good = cli_grow(&r->lines, sizeof *r->lines, &r->line_capacity, r->line_count + 1) || out_of_memory();
      if (good) r->lines[r->line_count++] = line;
    }
    good = good && answer_lines(r);
  }
  cli_lines_close(&lines);
  return good;
}

int cli_query_main(const cli_arguments *arguments) {
  run r = {0};
  unsigned long long jobs = 1;
  if (!cli_option_number(&cli_query_verb, arguments, JOBS, 1, MAX_JOBS, &jobs)) return CLI_EXIT_FAILED;
  graze_pool *pool = NULL; /* without threads this one answers all */
  if (jobs > 1) (void)graze_pool_create((int)jobs, NULL, &pool);
  r.parallel = graze_pool_parallel(pool);
  bool good = true;
  if (arguments->operand_count == 0) good = answer_file(&r, "-");
  for (int i = 0; good && i < arguments->operand_count; i++) good = answer_file(&r, arguments->operands[i]);
  graze_pool_destroy(pool);
  free(r.lines);
  free(r.blocks);
  if (!good || r.failed || !cli_finish_output()) return CLI_EXIT_FAILED;
  return r.errors ? CLI_EXIT_ERRORS : CLI_EXIT_OK;
}
