/* `graze query`: answers the query lines of files on several threads, in their order. */
#define _POSIX_C_SOURCE 200809L

#include "answer.h"
#include "command.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_JOBS = 256, BLOCK_LINES = 32, STACK_SIZE = 8 << 20 };

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
    "   samples        number of times that method discrete tests; it misses contacts between them\n"
    "   clearance      number >= 0, added to the radii\n"
    "   max_distance   stop if the distance is larger\n"
    "   tolerance, max_iterations\n"
    "   filter         aabb or obb: test only these boxes of the shapes\n"
    "   certificate    false: without certificate;  proof  true: also the proofs that can be large\n"
    "   trace          true: the steps of the algorithms\n"
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

/* The lines of one read. */
typedef struct batch {
  cli_line *lines;
  size_t line_count, line_capacity;
  block *blocks;
  size_t block_count, block_capacity;
  atomic_size_t next;
} batch;

typedef struct worker {
  batch *batch;
  cli_buffer buffer;
} worker;

typedef struct run {
  int jobs;
  batch batch;
  worker workers[MAX_JOBS];
  bool errors, failed; /* some lines are errors; some files cannot be read */
} run;

static void *answer_blocks(void *context) {
  worker *w = context;
  batch *b = w->batch;
  for (;;) {
    size_t i = atomic_fetch_add(&b->next, 1);
    if (i >= b->block_count) return NULL;
    size_t begin = i * BLOCK_LINES, end = begin + BLOCK_LINES;
    if (end > b->line_count) end = b->line_count;
    for (size_t k = begin; k < end; k++)
      if (!cli_answer(&b->lines[k], &w->buffer, &b->blocks[i].text)) b->blocks[i].error = true;
  }
}

/* Answers all blocks on at most `jobs` threads, including this one. */
static void answer_parallel(run *r) {
  pthread_t threads[MAX_JOBS];
  pthread_attr_t attributes;
  size_t blocks = r->batch.block_count;
  int more = blocks < (size_t)r->jobs ? (int)blocks - 1 : r->jobs - 1, started = 0;
  for (int i = 0; i <= more; i++) r->workers[i].batch = &r->batch;
  if (more > 0 && pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    while (started < more &&
           pthread_create(&threads[started], &attributes, answer_blocks, &r->workers[started + 1]) == 0)
      started++;
    pthread_attr_destroy(&attributes);
  }
  answer_blocks(&r->workers[0]);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

static bool out_of_memory(void) {
  cli_report("query: out of memory");
  return false;
}

/* Answers the batch, writes the answers in order and empties the batch. */
static bool answer_batch(run *r) {
  batch *b = &r->batch;
  bool good = true;
  size_t count = (b->line_count + BLOCK_LINES - 1) / BLOCK_LINES;
  if (count == 0) return true;
  if (!cli_grow(&b->blocks, sizeof *b->blocks, &b->block_capacity, count)) return out_of_memory();
  memset(b->blocks, 0, count * sizeof *b->blocks);
  b->block_count = count;
  atomic_store(&b->next, 0);
  answer_parallel(r);
  for (size_t i = 0; i < count; i++) {
    cli_text *text = &b->blocks[i].text;
    if (b->blocks[i].error) r->errors = true;
    if (good && text->failed) good = out_of_memory();
    good = good && cli_write(text->data, text->size);
    cli_text_free(text);
  }
  b->line_count = b->block_count = 0;
  return good;
}

static bool begins_with(const char *data, size_t size, const char *word) {
  return size >= strlen(word) && memcmp(data, word, strlen(word)) == 0;
}

/* The format of a model file: by its content, or by its name if the content is not JSON. NULL: no model. */
static const char *model_format(const char *name, const char *data, size_t size) {
  static const char *const words[] = {"v ", "vn ", "vt ", "o ", "g ", "mtllib ", "usemtl "};
  enum { STL_HEADER = 84, STL_TRIANGLE = 50 };
  const char *dot = strrchr(name, '.');
  size_t i = 0;
  if (size >= STL_HEADER && memchr(data, '\0', STL_HEADER)) { /* JSON has no NUL byte */
    const unsigned char *n = (const unsigned char *)data + STL_HEADER - 4;
    unsigned long long count = n[0] | (unsigned)n[1] << 8 | (unsigned)n[2] << 16 | (unsigned long long)n[3] << 24;
    if (STL_HEADER + STL_TRIANGLE * count >= size) return "STL";
  }
  while (i < size && strchr(" \t\r\n#", data[i]) && data[i]) { /* blank lines, and the comments of OBJ */
    const char *end = data[i] == '#' ? memchr(data + i, '\n', size - i) : data + i;
    if (end == NULL) break;
    i = (size_t)(end + 1 - data);
  }
  if (begins_with(data + i, size - i, "solid ")) return "STL";
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (begins_with(data + i, size - i, words[k])) return "OBJ";
  if (dot == NULL || begins_with(data + i, size - i, "{")) return NULL;
  return strcasecmp(dot, ".obj") == 0 ? "OBJ" : strcasecmp(dot, ".stl") == 0 ? "STL" : NULL;
}

/* False: the run cannot continue. */
static bool answer_file(run *r, const char *name) {
  cli_lines lines;
  cli_line line;
  bool good = true, first = true;
  if (strcmp(name, "-") == 0 && isatty(STDIN_FILENO))
    fputs("Reading queries from the terminal: JSON Lines, one query a line, Ctrl-D to end. Example:\n" EXAMPLE "\n",
          stderr);
  if (!cli_lines_open(&lines, name)) {
    r->failed = true;
    return true;
  }
  while (good && cli_lines_more(&lines, &r->failed)) {
    const char *format = first && lines.data ? model_format(lines.name, lines.data, lines.end) : NULL;
    first = false;
    if (format) {
      cli_report("%s: an %s model, the input must be JSON Lines. Convert the model to a convex hull:\n"
                 "  {\"type\":\"hull\",\"vertices\":[[x,y,z],...]}\n"
                 "A shape of type \"mesh\" is not supported yet.",
                 strcmp(name, "-") == 0 ? "standard input" : name, format);
      r->failed = true;
      break;
    }
    while (good && cli_lines_next(&lines, &line)) {
      batch *b = &r->batch;
      good = cli_grow(&b->lines, sizeof *b->lines, &b->line_capacity, b->line_count + 1) || out_of_memory();
      if (good) b->lines[b->line_count++] = line;
    }
    good = good && answer_batch(r);
  }
  cli_lines_close(&lines);
  return good;
}

int cli_query_main(int argc, char **argv) {
  cli_arguments arguments;
  run r = {0};
  unsigned long long jobs = 1;
  if (!cli_arguments_read(&cli_query_verb, argc, argv, &arguments)) return CLI_EXIT_FAILED;
  if (arguments.help) return cli_print_help(&cli_query_verb);
  if (!cli_option_number(&cli_query_verb, &arguments, JOBS, 1, MAX_JOBS, &jobs)) return CLI_EXIT_FAILED;
  r.jobs = (int)jobs;
  cli_json_begin();
  bool good = true;
  if (arguments.operand_count == 0) good = answer_file(&r, "-");
  for (int i = 0; good && i < arguments.operand_count; i++) good = answer_file(&r, arguments.operands[i]);
  free(r.batch.lines);
  free(r.batch.blocks);
  for (int i = 0; i < r.jobs; i++) cli_buffer_free(&r.workers[i].buffer);
  if (!good || r.failed || !cli_finish_output()) return CLI_EXIT_FAILED;
  return r.errors ? CLI_EXIT_ERRORS : CLI_EXIT_OK;
}
