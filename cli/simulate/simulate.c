/* `graze simulate`: moves the bodies of a scene step by step, and tells what that took and what came of it. */
#include "simulate/simulate.h"

#include "options.h"
#include "simulate/playing.h"
#include "simulate/report.h"
#include "verbs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_option options[] = {
    {"count", 0, "N", "so many cubes (default 500)"},
    {"seed", 0, "N", "other cubes for every number (default 1)"},
    {"spin", 0, NULL, "cubes turn"},
    {"steps", 0, "N", "so many steps (default 600, or as the file says; with --compare 120)"},
    {"method", 0, "NAME", "auto, fccd, sweep, lccd, ca or discrete (default auto, or as the file says)"},
    {"respond", 0, "HOW", "none, stop, slide or bounce (default none, or as the file says)"},
    {"csv", 0, NULL, "print one row for each step, in the place of the table"},
    {"json", 0, "FILE", "write parameters, summary, steps and the last places as JSON"},
    {"html", 0, "FILE", "write a page that plays what was recorded, complete in one file"},
    {"compare", 0, NULL, "50, 100, ... 500 cubes by every method, all pairs and in a scene"},
    {"svg", 0, "FILE", "with --compare: draw time against count"},
};
enum { COUNT, SEED, SPIN, STEPS, METHOD, RESPOND, CSV, JSON, HTML, COMPARE, SVG };

const cli_verb cli_simulate_verb = {
    "simulate",
    "[SCENE]",
    "Moves bodies step by step so that no contact on the way is missed: cubes of many sizes in\n"
    "a room, or the scene of a file (JSON), - for standard input. Prints what a step took, and\n"
    "how many contacts began; and how many a method missed, for each step is checked against\n"
    "all pairs, asked from the state before it.",
    "Methods: auto; fccd, where nothing turns; sweep; lccd, of polytopes that do not turn; ca,\n"
    "conservative advancement; and discrete, which looks at the beginning and the end of a step\n"
    "and misses what happens between them. The others miss nothing. Responses: none, contacts\n"
    "are only told; stop, bodies stay where they meet; slide along each other; bounce.\n"
    "A cube is green, turns red while it is in collision, and green again when apart.\n"
    "Equal options give equal numbers, but for the times. Steps are timed alone, on one thread.\n"
    "^C ends a run early, and what was found so far is told.\n"
    "\n"
    "a scene (docs/simulate.md has all keys; shapes are those of graze query):\n"
    "   {\"dim\":2, \"steps\":120, \"gravity\":[0,-10], \"respond\":\"slide\", \"bodies\":[\n"
    "     {\"type\":\"static\",\"shape\":{\"type\":\"box\",\"half_extents\":[9,0.5]}},\n"
    "     {\"velocity\":[3,0],\"shape\":{\"type\":\"circle\",\"radius\":1,\"position\":[-6,4]}}]}\n"
    "\n"
    "exit status:\n"
    "   0  the run was done\n"
    "   1  the scene is wrong; the message says where\n"
    "   2  usage error, a file that cannot be read, or output that cannot be written\n"
    " 130  interrupted: what is told is of fewer steps\n"
    "\n"
    "first examples:\n"
    "   graze simulate --count 500 --method fccd --html cubes.html\n"
    "   graze simulate --method discrete examples/scenes/bullets.json\n",
    options,
    sizeof options / sizeof *options,
};

static int usage(const char *problem) {
  cli_report("simulate: %s", problem);
  fputs("Try 'graze simulate --help'.\n", stderr);
  return CLI_EXIT_FAILED;
}

bool sim_write(cli_text *text) {
  bool good = !text->failed && cli_write(text->data, text->size);
  if (text->failed) cli_report("not enough memory");
  cli_text_free(text);
  return good;
}

/* ---- The command line */

static bool read_whole(const char *option, const char *value, unsigned long long low, unsigned long long high,
                       unsigned long long *number) {
  char *end;
  if (value == NULL) return true;
  errno = 0;
  *number = strtoull(value, &end, 10);
  bool digits = *value >= '0' && *value <= '9' && *end == '\0';
  if (digits && errno == 0 && *number >= low && *number <= high) return true;
  cli_report("simulate: --%s %s: not a whole number from %llu to %llu", option, value, low, high);
  return false;
}

static bool read_numbers(const cli_arguments *arguments, sim_options *o) {
  unsigned long long count = 500, seed = 1, steps = 0;
  if (!read_whole("count", arguments->values[COUNT], 1, SIM_MOST_CUBES, &count) ||
      !read_whole("seed", arguments->values[SEED], 0, UINT64_MAX, &seed) ||
      !read_whole("steps", arguments->values[STEPS], 1, SIM_MOST_STEPS, &steps))
    return false;
  o->cubes = (sim_cubes){(size_t)count, seed, arguments->values[SPIN] != NULL, GRAZE_RESPONSE_NONE};
  o->steps = (size_t)steps;
  return true;
}

static bool refuse_word(const char *option, const char *value, const char *const *words) {
  char choice[SIM_CHOICE_SIZE];
  cli_report("simulate: --%s %s: %s", option, value, sim_choice_text(value, words, choice));
  return false;
}

static bool read_words(const cli_arguments *arguments, sim_options *o) {
  const char *method = arguments->values[METHOD], *respond = arguments->values[RESPOND];
  o->method_given = method != NULL;
  o->respond_given = respond != NULL;
  if (method && !sim_method_of(method, &o->method)) return refuse_word("method", method, sim_methods);
  if (respond && !sim_response_of(respond, &o->respond)) return refuse_word("respond", respond, sim_responses);
  o->cubes.respond = o->respond;
  return true;
}

static bool is_stream(const char *name) { return name && strcmp(name, "-") == 0; }
static bool is_same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

/* What does not go together; NULL where all does. */
static const char *problem_of(const cli_arguments *arguments) {
  char *const *values = (char *const *)arguments->values;
  bool compare = values[COMPARE];
  if (arguments->operand_count > 1) return "one scene at a time";
  if (is_stream(values[JSON]) || is_stream(values[HTML]) || is_stream(values[SVG]))
    return "--json, --html and --svg write into a file; - is none, and the table goes there";
  if (is_same(values[JSON], values[HTML]) || is_same(values[JSON], values[SVG]))
    return "two options name the same file";
  if (values[SVG] && !compare) return "--svg draws what --compare measures; --html shows a run";
  if (compare && (arguments->operand_count || values[COUNT] || values[SPIN] || values[METHOD] || values[RESPOND]))
    return "--compare takes no scene, count, method, response or spin: it runs through counts and methods";
  if (compare && values[HTML]) return "--html shows one run; --compare has --svg";
  if (arguments->operand_count && (values[COUNT] || values[SEED] || values[SPIN]))
    return "--count, --seed and --spin are about the cubes; a scene file has its own bodies";
  return NULL;
}

/* ---- Scenes */

/* All of a file, as one text. */
static bool read_file(const char *name, cli_text *text) {
  bool stream = is_stream(name);
  FILE *file = stream ? stdin : fopen(name, "rb");
  char block[1 << 14];
  size_t got = 0;
  errno = file ? 0 : errno;
  while (file && text->size <= CLI_MAX_LINE && (got = fread(block, 1, sizeof block, file)) > 0)
    cli_text_bytes(text, block, got);
  bool good = file && !ferror(file) && !text->failed && text->size <= CLI_MAX_LINE;
  if (!good)
    cli_report("cannot read %s: %s", stream ? "standard input" : name,
            text->failed                    ? "not enough memory"
            : text->size > CLI_MAX_LINE ? "more than 64 MiB"
                                            : strerror(errno));
  if (file && !stream) fclose(file);
  return good;
}

static int say_wrong(const sim_options *o, const cli_error *complaint) {
  const char *name = o->file == NULL ? "the cubes" : is_stream(o->file) ? "standard input" : o->file;
  cli_text plain = {0};
  cli_text_plain(&plain, complaint->message);
  cli_text_bytes(&plain, "", 1);
  cli_report("%s: %s: %s", name, cli_error_code_text(complaint->code), plain.failed ? "" : plain.data);
  cli_text_free(&plain);
  return complaint->code == CLI_OUT_OF_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_ERRORS;
}

/* What the command line says goes before what the scene says. */
static void override(const sim_options *o, sim_scene *scene) {
  if (o->steps) scene->steps = o->steps;
  if (o->method_given) scene->method = o->method;
  for (size_t i = 0; o->respond_given && i < scene->count; i++)
    if (scene->bodies[i].def.type == GRAZE_DYNAMIC) scene->bodies[i].def.response = o->respond;
}

static int make_scene(const sim_options *o, sim_scene *scene) {
  cli_error complaint;
  cli_text text = {0};
  bool good = true;
  if (o->file == NULL) {
    good = sim_cubes_make(&o->cubes, scene) || cli_reject_memory(&complaint);
  } else {
    if (!read_file(o->file, &text)) {
      cli_text_free(&text);
      return CLI_EXIT_FAILED;
    }
    good = sim_scene_read((cli_span){text.data, text.size}, scene, &complaint);
    cli_text_free(&text);
  }
  if (!good) return say_wrong(o, &complaint);
  override(o, scene);
  return CLI_EXIT_OK;
}

/* ---- A run */

static bool tell(const sim_options *o, sim_outputs *outputs, const sim_scene *scene, const sim_run *run,
                 const sim_record *record) {
  cli_text text = {0}, file = {0};
  if (o->csv)
    sim_print_csv(&text, scene, run);
  else
    sim_print_table(&text, scene, run);
  bool good = sim_write(&text);
  if (o->names[SIM_JSON]) {
    sim_print_json(&file, scene, run, record);
    if (!sim_output_write(&outputs->list[SIM_JSON], &file)) good = false;
  }
  if (o->names[SIM_HTML]) {
    sim_print_page(&file, scene, run, record);
    if (!sim_output_write(&outputs->list[SIM_HTML], &file)) good = false;
  }
  return good;
}

static int run_scene(const sim_options *o, sim_outputs *outputs, const sim_scene *scene) {
  cli_error complaint;
  sim_progress progress = {.total = scene->steps};
  sim_record record = {.count = 0};
  sim_run run;
  sim_watch_interrupt();
  bool recorded = o->names[SIM_HTML] || o->names[SIM_JSON];
  bool good = (!recorded || sim_record_make(scene, &record) || cli_reject_memory(&complaint)) &&
              sim_run_make(scene, scene->method, recorded ? &record : NULL, &progress, &run, &complaint);
  sim_progress_end(&progress);
  int status = CLI_EXIT_OK;
  if (!good) {
    status = say_wrong(o, &complaint);
  } else {
    if (!tell(o, outputs, scene, &run, &record))
      status = CLI_EXIT_FAILED;
    else if (run.interrupted)
      status = SIM_EXIT_INTERRUPTED;
    sim_run_free(&run);
  }
  sim_record_free(&record);
  return status;
}

static int simulate(const sim_options *o) {
  sim_scene scene;
  sim_outputs outputs;
  int status = make_scene(o, &scene);
  if (status != CLI_EXIT_OK) return status;
  status = CLI_EXIT_FAILED;
  if (sim_outputs_open(&outputs, o->names, o->file)) {
    status = run_scene(o, &outputs, &scene);
    sim_outputs_close(&outputs);
  }
  sim_scene_free(&scene);
  return status;
}

static int compare(const sim_options *o) {
  sim_outputs outputs;
  if (!sim_outputs_open(&outputs, o->names, NULL)) return CLI_EXIT_FAILED;
  int status = sim_compare(o, &outputs);
  sim_outputs_close(&outputs);
  return status;
}

int cli_simulate_main(int argc, char **argv) {
  cli_arguments arguments;
  sim_options o = {.file = NULL};
  if (!cli_arguments_read(&cli_simulate_verb, argc, argv, &arguments)) return CLI_EXIT_FAILED;
  if (arguments.help) return cli_print_help(&cli_simulate_verb);
  const char *problem = problem_of(&arguments);
  if (problem) return usage(problem);
  if (!read_numbers(&arguments, &o) || !read_words(&arguments, &o)) return CLI_EXIT_FAILED;
  if (arguments.operand_count) o.file = arguments.operands[0];
  o.csv = arguments.values[CSV];
  o.names[SIM_JSON] = arguments.values[JSON];
  o.names[SIM_HTML] = arguments.values[HTML];
  o.names[SIM_SVG] = arguments.values[SVG];
  cli_json_begin();
  int status = arguments.values[COMPARE] ? compare(&o) : simulate(&o);
  return cli_finish_output() ? status : CLI_EXIT_FAILED;
}
