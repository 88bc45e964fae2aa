/* `graze query`: answers the questions of files, line by line, on several threads, in their order. */
#define _POSIX_C_SOURCE 200809L

#include "answer.h"
#include "grow.h"
#include "options.h"
#include "verbs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 256, BLOCK_LINES = 32, STACK_SIZE = 8 << 20 };

static const cli_option options[] = {
    {"jobs", 'j', "N", "answer on N threads (default 1); the output does not depend on it"},
};
enum { JOBS };

const cli_verb cli_query_verb = {
    "query",
    "[FILE]...",
    "Answers questions about shapes: one JSON object a line in, one answer line each out, in\n"
    "the same order. Without FILE, or where it is -, reads standard input.",
    "A question names two placed shapes, a and b, and what is asked:\n"
    "   intersect     do they meet?\n"
    "   distance      how far apart are they, or how deep do they overlap?\n"
    "   penetration   the same\n"
    "   obb           the same of two boxes, and their best separating axis\n"
    "   manifold      and where do they touch? (\"full\":true: the whole contact polygon)\n"
    "   minkowski     the Minkowski difference of polytopes (\"of\":\"sum\": their sum)\n"
    "   shapecast     a and b move: when do they first touch, or how near do they pass?\n"
    "   toi           a and b move and turn: when do they first touch?\n"
    "or one shape, a:\n"
    "   raycast       where does a ray meet it?\n"
    "   aabb          its bounds\n"
    "   hull          the convex hull of its vertices\n"
    "   fit_box       a small box around its vertices (\"effort\":\"best\" in 3D: smaller, and slower)\n"
    "   convexity     is the polygon convex and simple, and if not, where?\n"
    "   decompose     the polygon, with holes, in convex pieces (\"splitting\": auto, few, fewest)\n"
    "What moves is the key motion: {\"type\":\"linear\",\"velocity_a\",\"velocity_b\",\"t_max\"}; for toi\n"
    "also \"type\":\"rotational\" with \"angular_velocity_a\",\"angular_velocity_b\"; for raycast\n"
    "{\"type\":\"ray\",\"origin\",\"direction\",\"t_max\"}, where t_max may be null: without end.\n"
    "Shapes are convex, or a compound of convex parts; a polygon with \"concave\":\"decompose\" is one.\n"
    "Methods: auto, gjk, exact, sat, epa, brute; of motion auto, fccd, sweep, lccd, ca, and\n"
    "discrete, which looks at \"samples\" moments and misses what happens between them.\n"
    "With \"proof\":true also the proofs that can be large.\n"
    "Bad lines are answered by error lines, and the run goes on; blank lines are skipped.\n"
    "With \"trace\":true the answer shows every step of GJK and why it stopped; \"trace_after\":\n"
    "those of what followed it, portal refinement, the exact search, EPA with its polytopes.\n"
    "\n"
    "exit status:\n"
    "   0  every line was answered\n"
    "   1  some lines were errors\n"
    "   2  usage error, a file that cannot be read, or output that cannot be written\n"
    "\n"
    "a question (one line) and how it is asked:\n"
    "   {\"query\":\"distance\",\"a\":{\"type\":\"sphere\",\"radius\":1},\n"
    "    \"b\":{\"type\":\"box\",\"half_extents\":[1,1,1],\"position\":[4,0,0]}}\n"
    "   graze query --jobs 4 questions.jsonl > answers.jsonl\n",
    options,
    sizeof options / sizeof *options,
};

/* Neighbouring lines, answered by one thread into one text. */
typedef struct block {
  cli_text text;
  bool error;
} block;

/* The lines that one read brought. */
typedef struct batch {
  cli_line *lines;
  size_t line_count, line_capacity;
  block *blocks;
  size_t block_count, block_capacity;
  atomic_size_t next;
} batch;

typedef struct worker {
  batch *batch;
  cli_buffer room;
} worker;

typedef struct run {
  int jobs;
  batch batch;
  worker workers[MOST_JOBS];
  bool some_bad, trouble;
} run;

static void *work(void *context) {
  worker *w = context;
  batch *b = w->batch;
  for (;;) {
    size_t i = atomic_fetch_add(&b->next, 1);
    if (i >= b->block_count) return NULL;
    size_t begin = i * BLOCK_LINES, end = begin + BLOCK_LINES;
    if (end > b->line_count) end = b->line_count;
    for (size_t k = begin; k < end; k++)
      if (!cli_answer(&b->lines[k], &w->room, &b->blocks[i].text)) b->blocks[i].error = true;
  }
}

/* Runs work() on up to as many threads as there are jobs, this one among them. */
static void work_together(run *r) {
  pthread_t threads[MOST_JOBS];
  pthread_attr_t attributes;
  size_t blocks = r->batch.block_count;
  int wanted = blocks < (size_t)r->jobs ? (int)blocks - 1 : r->jobs - 1, started = 0;
  for (int i = 0; i <= wanted; i++) r->workers[i].batch = &r->batch;
  if (wanted > 0 && pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    while (started < wanted && pthread_create(&threads[started], &attributes, work, &r->workers[started + 1]) == 0)
      started++;
    pthread_attr_destroy(&attributes);
  }
  work(&r->workers[0]);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

static bool add_line(batch *b, const cli_line *line) {
  cli_line *lines = cli_grow(b->lines, sizeof *lines, &b->line_capacity, b->line_count + 1);
  if (lines == NULL) return false;
  b->lines = lines;
  lines[b->line_count++] = *line;
  return true;
}

static bool make_blocks(batch *b) {
  size_t count = (b->line_count + BLOCK_LINES - 1) / BLOCK_LINES;
  block *blocks = cli_grow(b->blocks, sizeof *blocks, &b->block_capacity, count);
  if (blocks == NULL) return count == 0;
  memset(blocks, 0, count * sizeof *blocks);
  b->blocks = blocks;
  b->block_count = count;
  atomic_store(&b->next, 0);
  return true;
}

/* Writes the answers of a batch in order and empties it. */
static bool write_batch(run *r) {
  batch *b = &r->batch;
  bool good = true;
  for (size_t i = 0; i < b->block_count; i++) {
    cli_text *text = &b->blocks[i].text;
    if (b->blocks[i].error) r->some_bad = true;
    if (good && text->failed) {
      cli_report("not enough memory for the answers");
      good = false;
    }
    good = good && cli_write(text->data, text->size);
    cli_text_free(text);
  }
  b->line_count = b->block_count = 0;
  return good;
}

static bool answer_batch(run *r) {
  if (r->batch.line_count == 0) return true;
  if (!make_blocks(&r->batch)) {
    cli_report("not enough memory");
    return false;
  }
  work_together(r);
  return write_batch(r);
}

/* False: there is no use in going on. */
static bool answer_file(run *r, const char *name) {
  cli_lines lines;
  cli_line line;
  bool good = true;
  if (!cli_lines_open(&lines, name)) {
    r->trouble = true;
    return true;
  }
  do {
    while (good && cli_lines_next(&lines, &line)) good = add_line(&r->batch, &line);
    if (!good) cli_report("not enough memory");
    good = good && answer_batch(r);
  } while (good && cli_lines_more(&lines, &r->trouble));
  cli_lines_close(&lines);
  return good;
}

static bool read_jobs(const char *value, int *jobs) {
  *jobs = 1;
  if (value == NULL) return true;
  char *end;
  long number = strtol(value, &end, 10);
  if (*value == '\0' || *end != '\0' || number < 1 || number > MOST_JOBS) {
    cli_report("query: --jobs %s: not a number from 1 to %d", value, MOST_JOBS);
    return false;
  }
  *jobs = (int)number;
  return true;
}

int cli_query_main(int argc, char **argv) {
  cli_arguments arguments;
  run r = {0};
  if (!cli_arguments_read(&cli_query_verb, argc, argv, &arguments)) return CLI_EXIT_FAILED;
  if (arguments.help) return cli_print_help(&cli_query_verb);
  if (!read_jobs(arguments.values[JOBS], &r.jobs)) return CLI_EXIT_FAILED;
  cli_json_begin();
  bool good = true;
  if (arguments.operand_count == 0) good = answer_file(&r, "-");
  for (int i = 0; good && i < arguments.operand_count; i++) good = answer_file(&r, arguments.operands[i]);
  free(r.batch.lines);
  free(r.batch.blocks);
  for (int i = 0; i < r.jobs; i++) cli_buffer_free(&r.workers[i].room);
  if (!good || r.trouble || !cli_finish_output()) return CLI_EXIT_FAILED;
  return r.some_bad ? CLI_EXIT_ERRORS : CLI_EXIT_OK;
}
