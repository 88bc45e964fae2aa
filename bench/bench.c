/* Times Graze and its peers on the same pairs, and counts their errors.
 *
 *   bench [OPTION …] FOLDER
 *     --only NAME,…  --cells NAME,…  --questions NAME,…   these alone
 *     --no-times     errors and facts alone
 *     --no-facts     do not verify every answer of Graze
 *     --list COUNT   print so many wrong answers of each contestant and cell
 *   bench --once CELL QUESTION COUNT FOLDER [NAME]        one contestant, the first COUNT questions of one cell: for
 *                                                         counting instructions
 *
 * A time is the median over the passes of the mean over the pairs; the contestants take turns, pass by pass, so that
 * what else the machine does meets them all. It is processor time: being set aside does not count. */
#define _POSIX_C_SOURCE 199309L
#include "examine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PASSES = 15, MOST_CONTESTANTS = 16 };

/* Passes are cut so that none is much longer than this. */
#define LONGEST_PASS_NS 1e9

static const char *const CELLS[] = {"w1",         "w2_8",      "w2_32",     "w2_128", "w2_1024", "w3_capbox",
                                    "w3_sphhull", "w3_cylbox", "w3_ellell", "w4",     "nasty"};
static const char *const QUESTIONS[BENCH_QUESTIONS] = {"intersect", "distance", "depth"};

static const bench_contestant *const CONTESTANTS[] = {
    &bench_graze,      &bench_graze_warm, &bench_graze_sat,
#ifdef BENCH_OPENGJK
    &bench_opengjk,
#endif
#ifdef BENCH_CCD
    &bench_ccd,        &bench_ccd_mpr,
#endif
#ifdef BENCH_FCL
    &bench_fcl,
#endif
#ifdef BENCH_COAL
    &bench_coal,
#endif
#ifdef BENCH_BULLET
    &bench_bullet_gjk, &bench_bullet_epa, &bench_bullet_boxes,
#endif
#ifdef BENCH_MUJOCO
    &bench_mujoco,
#endif
};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

typedef struct bench_choice {
  const char *only, *cells, *questions, *folder;
  bool times, facts;
  size_t list;
} bench_choice;

typedef struct bench_runner {
  const bench_contestant *contestant;
  void *scene;
  size_t count; /* of the questions: the first so many */
  int passes, done;
  double ns[MOST_PASSES];
  bench_verdict verdict;
} bench_runner;

typedef struct bench_cell {
  const bench_workload *workload;
  bench_question question;
  size_t count;
  uint32_t *pairs;
} bench_cell;

static volatile double sink;

/* Not inlined, and called only for what is to be measured: tools find it by its name. */
__attribute__((noinline)) void bench_pass(const bench_runner *runner, const bench_cell *cell);

void bench_pass(const bench_runner *runner, const bench_cell *cell) {
  double sum = 0, normal[3] = {0, 0, 0};
  for (size_t i = 0; i < runner->count; i++)
    sum += runner->contestant->ask(runner->scene, cell->pairs[i], cell->question, normal);
  sink = sum;
}

static double processor_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static bench_cell cell_make(const bench_workload *workload, bench_question question) {
  bench_cell cell = {workload, question, 0, bench_alloc(workload->pair_count * sizeof(uint32_t))};
  for (size_t i = 0; i < workload->pair_count; i++) {
    if (bench_asked(workload, i, question)) cell.pairs[cell.count++] = (uint32_t)i;
  }
  return cell;
}

static double runner_time(bench_runner *runner, const bench_cell *cell) {
  double start = processor_ns();
  bench_pass(runner, cell);
  return processor_ns() - start;
}

/* A first look at a few, then the warm-up pass, which also tells how many passes there will be. */
static void runner_start(bench_runner *runner, const bench_cell *cell) {
  runner->count = cell->count < 64 ? cell->count : 64;
  double each = runner_time(runner, cell) / (double)runner->count;
  double most = LONGEST_PASS_NS / each;
  runner->count = most < (double)cell->count ? (size_t)most + 1 : cell->count;
  runner->passes = runner_time(runner, cell) > 2e8 ? 7 : MOST_PASSES;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double runner_median(bench_runner *runner) {
  qsort(runner->ns, (size_t)runner->done, sizeof(double), by_size);
  return runner->ns[runner->done / 2];
}

static void print_facts(const bench_cell *cell) {
  bench_facts f = bench_examine(cell->workload, cell->question);
  double asked = (double)f.asked;
  printf("%-11s %-9s facts: %zu pairs, exact %.3f %%, iterations %.2f, verify %.0f ns, refused %zu, wrong %zu, "
         "undecided %zu, slowest %.1f us (pair %zu)",
         cell->workload->name, QUESTIONS[cell->question], f.asked, 100 * (double)f.exact / asked,
         (double)f.iterations / asked, f.verify_ns, f.refused, f.wrong, f.undecided, f.slowest_ns * 1e-3,
         f.slowest_pair);
  if (cell->question != BENCH_INTERSECT) printf(", widest %.1e", f.widest);
  if (cell->question != BENCH_INTERSECT && cell->workload->reference)
    printf(", error %.1e, outside %zu", f.error, f.outside);
  printf("\n");
}

/* What the errors are counted against: without a reference file, Graze's own are none by construction. */
static void print_head(const bench_cell *cell) {
  size_t unknown = 0;
  for (size_t i = 0; i < cell->count; i++) unknown += isnan(cell->workload->truth[cell->pairs[i]]) ? 1u : 0u;
  printf("%-11s %-9s %zu pairs; errors against %s, %zu not known\n", cell->workload->name, QUESTIONS[cell->question],
         cell->count, cell->workload->reference ? "the reference file" : "Graze's verified intervals", unknown);
}

static void print_errors(const bench_runner *runner, const bench_cell *cell) {
  const bench_errors *e = &runner->verdict.total;
  printf("  wrong: side %zu", e->side);
  if (cell->question != BENCH_INTERSECT) printf(", value %zu (worst %.1e)", e->value, e->worst);
  if (cell->question == BENCH_DEPTH) printf(", normal %zu", e->normal);
  printf("  [%s]\n", runner->contestant->calls[cell->question]);
  if (strcmp(cell->workload->name, "nasty") != 0) return;
  printf("%-11s %-9s %-12s by category, side/value/normal:", cell->workload->name, QUESTIONS[cell->question],
         runner->contestant->name);
  for (int i = 0; i < BENCH_CATEGORIES; i++) {
    const bench_errors *c = &runner->verdict.category[i];
    printf(" %zu/%zu/%zu", c->side, c->value, c->normal);
  }
  printf("\n");
}

/* Is `name` one of the words of a list with commas? NULL: yes. */
static bool is_chosen(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *word = list; word; word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL) {
    if (strncmp(word, name, length) == 0 && (word[length] == ',' || word[length] == 0)) return true;
  }
  return !list;
}

static size_t cell_runners(const bench_choice *choice, const bench_cell *cell, bench_runner *runners) {
  size_t count = 0;
  for (size_t i = 0; i < LENGTH(CONTESTANTS); i++) {
    const bench_contestant *contestant = CONTESTANTS[i];
    if (!is_chosen(choice->only, contestant->name) || !contestant->calls[cell->question]) continue;
    if (!contestant->fits(cell->workload)) continue;
    runners[count] = (bench_runner){.contestant = contestant, .scene = contestant->prepare(cell->workload)};
    count++;
  }
  return count;
}

static void cell_time(const bench_cell *cell, bench_runner *runners, size_t count) {
  for (size_t i = 0; i < count; i++) runner_start(&runners[i], cell);
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    for (size_t i = 0; i < count; i++) {
      bench_runner *runner = &runners[i];
      if (pass < runner->passes) runner->ns[runner->done++] = runner_time(runner, cell) / (double)runner->count;
    }
  }
}

static void run_cell(const bench_choice *choice, const bench_cell *cell) {
  bench_runner runners[MOST_CONTESTANTS];
  size_t count = cell_runners(choice, cell, runners);
  print_head(cell);
  for (size_t i = 0; i < count; i++) {
    bench_runner *r = &runners[i];
    r->verdict = bench_judge(cell->workload, r->contestant, r->scene, cell->question, choice->list);
  }
  if (choice->times) cell_time(cell, runners, count);
  for (size_t i = 0; i < count; i++) {
    bench_runner *runner = &runners[i];
    printf("%-11s %-9s %-12s", cell->workload->name, QUESTIONS[cell->question], runner->contestant->name);
    if (choice->times) {
      double median = runner_median(runner);
      printf(" %9.1f ns (%.1f .. %.1f, n %zu)  x%.2f", median, runner->ns[0], runner->ns[runner->done - 1],
             runner->count, median / runners[0].ns[runners[0].done / 2]);
    }
    print_errors(runner, cell);
    runner->contestant->release(runner->scene);
  }
  if (choice->facts) print_facts(cell);
  fflush(stdout);
}

static bench_workload *load(const char *folder, const char *name) {
  bench_workload *workload = bench_load(folder, name);
  bench_find_truth(workload);
  return workload;
}

static void run_all(const bench_choice *choice) {
  for (size_t i = 0; i < LENGTH(CELLS); i++) {
    if (!is_chosen(choice->cells, CELLS[i])) continue;
    bench_workload *workload = load(choice->folder, CELLS[i]);
    for (bench_question question = BENCH_INTERSECT; question < BENCH_QUESTIONS; question++) {
      if (!is_chosen(choice->questions, QUESTIONS[question])) continue;
      bench_cell cell = cell_make(workload, question);
      if (cell.count > 0) run_cell(choice, &cell);
      free(cell.pairs);
    }
    bench_free(workload);
  }
}

static const bench_contestant *find_contestant(const char *name) {
  for (size_t i = 0; i < LENGTH(CONTESTANTS); i++) {
    if (strcmp(CONTESTANTS[i]->name, name) == 0) return CONTESTANTS[i];
  }
  fprintf(stderr, "bench: there is no contestant %s\n", name);
  exit(2);
}

static bench_question find_question(const char *name) {
  for (bench_question question = BENCH_INTERSECT; question < BENCH_QUESTIONS; question++) {
    if (strcmp(QUESTIONS[question], name) == 0) return question;
  }
  fprintf(stderr, "bench: there is no question %s\n", name);
  exit(2);
}

static void run_once(const char *name, const char *question, size_t count, const char *folder, const char *who) {
  bench_workload *workload = load(folder, name);
  bench_cell cell = cell_make(workload, find_question(question));
  bench_runner runner = {.contestant = find_contestant(who), .count = count < cell.count ? count : cell.count};
  runner.scene = runner.contestant->prepare(workload);
  bench_pass(&runner, &cell);
  printf("%zu\n", runner.count);
  runner.contestant->release(runner.scene);
  free(cell.pairs);
  bench_free(workload);
}

static int usage(void) {
  fprintf(stderr, "usage: bench [--only NAME,...] [--cells NAME,...] [--questions NAME,...] [--no-times] [--no-facts]\n"
                  "             [--list COUNT] FOLDER\n"
                  "       bench --once CELL intersect|distance|depth COUNT FOLDER [NAME]\n");
  return 2;
}

/* False: these are not options. */
static bool parse(int argc, char **argv, bench_choice *choice) {
  for (int i = 1; i < argc; i++) {
    bool more = i + 1 < argc;
    if (strcmp(argv[i], "--only") == 0 && more)
      choice->only = argv[++i];
    else if (strcmp(argv[i], "--cells") == 0 && more)
      choice->cells = argv[++i];
    else if (strcmp(argv[i], "--questions") == 0 && more)
      choice->questions = argv[++i];
    else if (strcmp(argv[i], "--list") == 0 && more)
      choice->list = (size_t)strtoul(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--no-times") == 0)
      choice->times = false;
    else if (strcmp(argv[i], "--no-facts") == 0)
      choice->facts = false;
    else if (argv[i][0] != '-' && !choice->folder)
      choice->folder = argv[i];
    else
      return false;
  }
  return choice->folder;
}

/* FCL and Coal may each bring a version of octomap; at exit both would destroy the same globals. */
_Noreturn static void leave(void) {
  fflush(stdout);
  _Exit(0);
}

int main(int argc, char **argv) {
  if ((argc == 6 || argc == 7) && strcmp(argv[1], "--once") == 0) {
    run_once(argv[2], argv[3], (size_t)strtoul(argv[4], NULL, 10), argv[5], argc == 7 ? argv[6] : "graze");
    leave();
  }
  bench_choice choice = {.times = true, .facts = true};
  if (!parse(argc, argv, &choice)) return usage();
  run_all(&choice);
  leave();
}
