/* `graze simulate`: moves the bodies of a scene step by step and reports their contacts. */
#include "json.h"
#include "simulate/simulation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const cli_option options[] = {
    {"count", 0, "N", "number of cubes (default 500)"},
    {"seed", 0, "N", "seed of the random cubes (default 1)"},
    {"spin", 0, NULL, "cubes rotate"},
    {"meshes", 0, NULL, "solid meshes of 1000 triangles in place of the cubes"},
    {"steps", 0, "N", "number of steps (default 600, or that of the scene; with --compare 120)"},
    {"method", 0, "NAME", "auto, fccd, sweep, lccd, ca or discrete (default auto, or that of the scene)"},
    {"respond", 0, "HOW", "none, stop, slide or bounce (default none, or that of the scene)"},
    {"csv", 0, NULL, "print one row for each step instead of the table"},
    {"json", 0, "FILE", "write parameters, summary, steps and final poses as JSON"},
    {"html", 0, "FILE", "write a page that plays the recording, complete in one file"},
    {"compare", 0, NULL, "50, 100, ... 500 cubes by every method, all pairs and in a scene"},
    {"svg", 0, "FILE", "with --compare: draw time against count"},
};
enum { COUNT, SEED, SPIN, MESHES, STEPS, METHOD, RESPOND, CSV, JSON, HTML, COMPARE, SVG };

const cli_verb cli_simulate_verb = {
    "simulate",
    "[SCENE]",
    "Moves bodies step by step with continuous collision detection: random cubes, or the scene\n"
    "of a file (JSON), - for standard input. Prints the time per step, the number of contacts,\n"
    "and the number of contacts that the method missed. A reference tests all pairs of each\n"
    "step, from the states before it.",
    "example:\n"
    "   graze simulate --count 500 --method fccd --html cubes.html\n"
    "   graze simulate --method discrete examples/scenes/bullets.json\n"
    "\n"
    "a scene (docs/guide/simulate.md lists all keys; shapes are those of graze query):\n"
    "   {\"dim\":2, \"steps\":120, \"gravity\":[0,-10], \"respond\":\"slide\", \"bodies\":[\n"
    "     {\"type\":\"static\",\"shape\":{\"type\":\"box\",\"half_extents\":[9,0.5]}},\n"
    "     {\"velocity\":[3,0],\"shape\":{\"type\":\"circle\",\"radius\":1,\"position\":[-6,4]}}]}\n"
    "\n"
    "methods:\n"
    "   auto       the default\n"
    "   fccd       for bodies that do not rotate\n"
    "   sweep      for all motions\n"
    "   lccd       for polytopes that do not rotate\n"
    "   ca         conservative advancement\n"
    "   discrete   tests only the beginning and the end of a step, and misses contacts between\n"
    "\n"
    "responses:\n"
    "   none       contacts are only reported\n"
    "   stop       bodies stop at the contact\n"
    "   slide      bodies slide along each other\n"
    "   bounce     bodies bounce\n"
    "\n"
    "On the page a cube is red while it is in contact, and green otherwise. Equal options give\n"
    "equal numbers, except for times. Only the steps are timed, on one thread. Ctrl-C stops the\n"
    "run and prints the results so far.\n"
    "\n"
    "exit status:\n"
    "   0  the run is complete\n"
    "   1  the scene has an error; the message names the key\n"
    "   2  usage error, a file that cannot be read, or output that cannot be written\n"
    " 130  interrupted; the results are those of fewer steps\n",
    options,
    sizeof options / sizeof *options,
    NULL,
};

/* ---- The command line */

typedef struct run_options {
  const char *file; /* NULL: the cubes */
  sim_cubes cubes;
  size_t steps;         /* 0: those of the scene */
  int method, response; /* indices; -1: those of the scene */
  bool csv;
  const char *names[SIM_OUTPUTS];
} run_options;

/* Reads an option whose value is one of some words. *index is unchanged if the option is absent. */
static bool read_word(const cli_arguments *arguments, int option, const char *const *words, int *index) {
  char choice[CLI_CHOICE_SIZE];
  const char *value = arguments->values[option];
  const int position = value ? cli_index_of(value, words) : *index;
  if (value == NULL || position >= 0) {
    *index = position;
    return true;
  }
  cli_report("simulate: option --%s: invalid value (%s), %s", options[option].name, value,
             cli_choice(value, words, choice));
  return false;
}

static bool is_stream(const char *name) { return name && strcmp(name, "-") == 0; }
static bool is_same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

/* ---- Scenes */

/* Reports an error of the scene and returns the exit status. */
static int report_error(const run_options *o, const cli_error *error) {
  const char *name = o->file == NULL ? "cubes" : is_stream(o->file) ? "standard input" : o->file;
  cli_text plain = {0};
  cli_text_plain(&plain, error->message);
  cli_report("%s: %s: %s", name, cli_error_code_text(error->code), text_string(&plain, &plain));
  cli_text_free(&plain);
  return error->code == CLI_OUT_OF_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_ERRORS;
}

/* Makes the scene, with the options of the command line. */
static int make_scene(const run_options *o, sim_scene *scene) {
  cli_error error;
  cli_text text = {0};
  bool good;
  if (o->file == NULL) {
    good = sim_cubes_make(&o->cubes, scene) || cli_reject_memory(&error);
  } else { /* reads a whole file */
    const bool stream = is_stream(o->file);
    FILE *file = stream ? stdin : fopen(o->file, "rb");
    char block[1 << 14];
    size_t got = 0;
    errno = file ? 0 : errno;
    while (file && text.size <= CLI_MAX_LINE && (got = fread(block, 1, sizeof block, file)) > 0)
      cli_text_bytes(&text, block, got);
    const char *problem = text.failed                ? "out of memory"
                          : text.size > CLI_MAX_LINE ? "more than 64 MiB"
                          : !file || ferror(file)    ? strerror(errno)
                                                     : NULL;
    if (problem) cli_report("%s: cannot read (%s)", stream ? "standard input" : o->file, problem);
    if (file && !stream) fclose(file);
    const bool model =
        problem == NULL && text.size > 0 && cli_reject_model(o->file, text.data, text.size, "a scene (JSON)");
    good = problem == NULL && !model && sim_scene_read((cli_span){text.data, text.size}, o->file, scene, &error);
    cli_text_free(&text);
    if (problem || model) return CLI_EXIT_FAILED;
  }
  if (!good) return report_error(o, &error);
  if (o->steps) scene->steps = o->steps;
  if (o->method >= 0) scene->method = sim_method_values[o->method];
  for (size_t i = 0; o->response >= 0 && i < scene->count; i++)
    if (scene->bodies[i].def.type == GRAZE_DYNAMIC) scene->bodies[i].def.response = (graze_response)o->response;
  return CLI_EXIT_OK;
}

/* ---- A run */

static int run_scene(const run_options *o, cli_output *outputs, const sim_scene *scene) {
  cli_error error;
  cli_text text = {0};
  sim_progress progress = {.total = scene->steps};
  sim_record record = {.count = 0};
  sim_run run;
  int status;
  sim_watch_interrupt();
  bool recorded = o->names[SIM_HTML] || o->names[SIM_JSON];
  bool good = (!recorded || sim_record_make(scene, &record) || cli_reject_memory(&error)) &&
              sim_run_make(scene, scene->method, recorded ? &record : NULL, &progress, &run, &error);
  sim_progress_end(&progress);
  if (good) {
    (o->csv ? sim_print_csv : sim_print_table)(&text, scene, &run);
    good = sim_write(&text);
    for (int i = 0; i < SIM_SVG; i++) {
      if (o->names[i] == NULL) continue;
      (i == SIM_JSON ? sim_print_json : sim_print_page)(&text, scene, &run, &record);
      if (!cli_output_write(&outputs[i], &text)) good = false;
    }
    status = !good ? CLI_EXIT_FAILED : run.interrupted ? SIM_EXIT_INTERRUPTED : CLI_EXIT_OK;
    sim_run_free(&run);
  } else {
    status = report_error(o, &error);
  }
  sim_record_free(&record);
  return status;
}

int cli_simulate_main(const cli_arguments *arguments) {
  const cli_verb *verb = &cli_simulate_verb;
  run_options o = {.method = -1, .response = -1};
  cli_output outputs[SIM_OUTPUTS] = {{.option = "--json"}, {.option = "--html"}, {.option = "--svg"}};
  sim_scene scene = {.count = 0};
  unsigned long long count = 500, seed = 1, steps = 0;
  int status = CLI_EXIT_OK;
  const char *const *values = arguments->values, *conflict = NULL;
  const bool file = arguments->operand_count, compare = values[COMPARE];
  if (arguments->operand_count > 1)
    conflict = "SCENE: repeated, must be given once";
  else if (is_stream(values[JSON]) || is_stream(values[HTML]) || is_stream(values[SVG]))
    conflict = "options --json, --html, --svg: invalid value (-), must be the name of a file";
  else if (is_same(values[JSON], values[HTML]) || is_same(values[JSON], values[SVG]))
    conflict = "options --json, --html, --svg: the same file, must be different files";
  else if (values[SVG] && !compare)
    conflict = "option --svg: needs --compare; use --html for one run";
  else if (compare && (file || values[COUNT] || values[SPIN] || values[MESHES] || values[METHOD] || values[RESPOND]))
    conflict = "option --compare: cannot be used with SCENE, --count, --spin, --meshes, --method or --respond";
  else if (compare && values[HTML])
    conflict = "option --html: cannot be used with --compare; use --svg";
  else if (file && (values[COUNT] || values[SEED] || values[SPIN] || values[MESHES]))
    conflict = "options --count, --seed, --spin, --meshes: cannot be used with SCENE";
  if (conflict) return cli_usage_error(verb, "simulate: %s", conflict);
  if (!cli_option_number(verb, arguments, COUNT, 1, SIM_MAX_CUBES, &count) ||
      !cli_option_number(verb, arguments, SEED, 0, UINT64_MAX, &seed) ||
      !cli_option_number(verb, arguments, STEPS, 1, SIM_MAX_STEPS, &steps) ||
      !read_word(arguments, METHOD, sim_methods, &o.method) ||
      !read_word(arguments, RESPOND, sim_responses, &o.response))
    return CLI_EXIT_FAILED;
  graze_response respond = o.response < 0 ? GRAZE_RESPONSE_NONE : (graze_response)o.response;
  o.cubes = (sim_cubes){(size_t)count, seed, values[SPIN] != NULL, values[MESHES] != NULL, respond};
  o.steps = (size_t)steps;
  o.file = file ? arguments->operands[0] : NULL;
  o.csv = values[CSV];
  o.names[SIM_JSON] = values[JSON];
  o.names[SIM_HTML] = values[HTML];
  o.names[SIM_SVG] = values[SVG];
  if (!compare) status = make_scene(&o, &scene);
  if (status == CLI_EXIT_OK) {
    status = CLI_EXIT_FAILED;
    for (int i = 0; i < SIM_OUTPUTS; i++) outputs[i].name = o.names[i];
    if (cli_outputs_open(outputs, SIM_OUTPUTS, "simulate", o.file)) {
      status = compare ? sim_compare(o.steps, o.cubes.seed, o.csv, outputs) : run_scene(&o, outputs, &scene);
      cli_outputs_close(outputs, SIM_OUTPUTS);
    }
    sim_scene_free(&scene);
  }
  return cli_finish_output() ? status : CLI_EXIT_FAILED;
}
