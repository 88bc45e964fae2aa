/* `graze simulate --compare`: the same cubes by every method, all pairs and in a scene, as a table, rows or a chart. */
#include "simulate/simulation.h"

#include "explain/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNTS = 10, COUNT_STEP = 50, METHODS = 5, DEFAULT_STEPS = 120 };

/* One number of cubes, by one method. */
typedef struct cell {
  double all_pairs, scene; /* milliseconds per step, median */
  size_t contacts, missed;
} cell;

typedef struct comparison {
  cell cells[COUNTS][METHODS];
  size_t counts; /* the number of rows done */
  size_t steps;
  uint64_t seed;
} comparison;

static const cli_method compared[METHODS] = {CLI_METHOD_FCCD, CLI_METHOD_LCCD, CLI_METHOD_SWEEP, CLI_METHOD_CA,
                                             CLI_METHOD_DISCRETE};

/* ---- Measurements */

/* Runs all pairs: no broad phase, no events, no state between steps and no responses; until interrupted. *ms receives
 * the median time of a step: swept bounds, casts of all pairs whose bounds overlap, and new poses. */
static bool measure_all_pairs(const sim_scene *scene, cli_method method, sim_progress *progress, double *ms,
                              cli_error *error) {
  const size_t count = scene->count;
  const double dt = scene->dt;
  const sim_cast cast = sim_cast_of(method);
  sim_row *rows = calloc(scene->steps, sizeof *rows);
  graze_placed *placed = calloc(count, sizeof *placed);
  graze_motion *motions = calloc(count, sizeof *motions);
  graze_aabb *boxes = calloc(count, sizeof *boxes);
  graze_cast_options options = graze_default_cast_options();
  graze_cast_result result;
  bool good = (rows && placed && motions && boxes) || cli_reject_memory(error);
  size_t done = 0;
  options.method = cast.option;
  for (size_t i = 0; good && i < count; i++) {
    placed[i] = graze_place(&scene->bodies[i].def.shape, scene->bodies[i].def.pose);
    motions[i] = scene->bodies[i].def.motion;
  }
  for (; good && done < scene->steps && !sim_interrupted(); done++) {
    graze_status status = GRAZE_OK;
    double began = sim_now();
    for (size_t i = 0; i < count; i++) boxes[i] = sim_swept_bounds(&placed[i], &motions[i], 0, dt);
    for (size_t i = 0; i < count; i++)
      for (size_t k = i + 1; k < count && status == GRAZE_OK; k++)
        if (sim_bounds_overlap(&boxes[i], &boxes[k]))
          status = cast.function ? cast.function(cast.context, &placed[i], &motions[i], &placed[k], &motions[k], dt,
                                                 &options, &result)
                                 : graze_cast(&placed[i], &motions[i], &placed[k], &motions[k], dt, &options, &result);
    for (size_t i = 0; i < count && status == GRAZE_OK; i++)
      status = graze_set_pose(&placed[i], graze_pose_after(&placed[i].pose, &motions[i], dt));
    rows[done].ms = sim_now() - began;
    good = status == GRAZE_OK ||
           cli_reject(error, CLI_UNSUPPORTED, "step %zu, all pairs: %s", done + 1, graze_status_text(status));
    for (size_t i = 0; i < count; i++) sim_reflect(scene->arena, placed[i].pose.position, &motions[i].velocity);
    sim_progress_show(progress, done + 1);
  }
  *ms = good ? sim_times_of(rows, done).median : 0;
  free(rows);
  free(placed);
  free(motions);
  free(boxes);
  return good;
}

/* Nothing responds, so all methods see the same states. */
static bool measure_count(comparison *c, sim_progress *progress, cli_error *error) {
  sim_cubes cubes = {(c->counts + 1) * COUNT_STEP, c->seed, false, false, GRAZE_RESPONSE_NONE};
  sim_scene scene;
  if (!sim_cubes_make(&cubes, &scene)) return cli_reject_memory(error);
  scene.steps = c->steps;
  bool good = true;
  for (int m = 0; good && m < METHODS && !sim_interrupted(); m++) {
    cell *result = &c->cells[c->counts][m];
    sim_run run;
    good = sim_run_make(&scene, compared[m], NULL, progress, &run, error);
    if (!good) break;
    progress->base += scene.steps;
    sim_row total = sim_total(&run);
    *result = (cell){0, sim_times_of(run.rows, run.count).median, total.contacts, total.missed};
    sim_run_free(&run);
    good = measure_all_pairs(&scene, compared[m], progress, &result->all_pairs, error);
    progress->base += scene.steps;
  }
  sim_scene_free(&scene);
  if (good && !sim_interrupted()) c->counts++;
  return good;
}

/* ---- Output */

static void print_methods(cli_text *out) {
  for (int m = 0; m < METHODS; m++) cli_text_format(out, "%9s", cli_method_text(compared[m]));
}

static void print_table(cli_text *out, const comparison *c) {
  cli_text_format(out, "Moving cubes, %zu steps of each count, one thread: milliseconds per step, median\n\n",
                  c->steps);
  cli_text_str(out, "       all pairs                                      with the broad phase\n count");
  print_methods(out);
  cli_text_str(out, "  ");
  print_methods(out);
  cli_text_str(out, "\n");
  for (size_t i = 0; i < c->counts; i++) {
    cli_text_format(out, "%6zu", (i + 1) * COUNT_STEP);
    for (int m = 0; m < METHODS; m++) cli_text_format(out, "%9.4f", c->cells[i][m].all_pairs);
    cli_text_str(out, "  ");
    for (int m = 0; m < METHODS; m++) cli_text_format(out, "%9.4f", c->cells[i][m].scene);
    cli_text_str(out, "\n");
  }
  cli_text_str(out, "\nContacts begun, and missed against exact\n\n count    begun");
  print_methods(out);
  cli_text_str(out, "\n");
  for (size_t i = 0; i < c->counts; i++) {
    const cell *first = &c->cells[i][0];
    cli_text_format(out, "%6zu%9zu", (i + 1) * COUNT_STEP, first->contacts + first->missed);
    for (int m = 0; m < METHODS; m++) cli_text_format(out, "%9zu", c->cells[i][m].missed);
    cli_text_str(out, "\n");
  }
}

/* One row for each count and method, as CSV or JSON. */
static void print_rows(cli_text *out, const comparison *c, bool csv) {
  const char *format = csv ? "%s%zu,%s,%.6f,%.6f,%zu,%zu\n"
                           : "%s\n{\"count\":%zu,\"method\":\"%s\",\"all_pairs_ms\":%.6f,\"scene_ms\":%.6f,"
                             "\"contacts\":%zu,\"missed\":%zu}";
  for (size_t i = 0; i < c->counts; i++) {
    for (int m = 0; m < METHODS; m++) {
      const cell *x = &c->cells[i][m];
      cli_text_format(out, format, csv || i + (size_t)m == 0 ? "" : ",", (i + 1) * COUNT_STEP,
                      cli_method_text(compared[m]), x->all_pairs, x->scene, x->contacts, x->missed);
    }
  }
}

/* ---- The chart: time against the number of cubes, on a logarithmic axis. Solid lines are all pairs, dashed lines are
 * scenes. A ring marks missed contacts, with their number. Crosses are published times. */

static const double WIDTH = 900, HEIGHT = 560;
static const svg_box PLOT = {76, 64, 690, 500};

/* Published times for all pairs: 2.13 GHz Core i3 M330. */
static const struct { double count, ms; } PUBLISHED[] = {{50, 0.5}, {500, 4.9}};
enum { PUBLISHED_COUNT = sizeof PUBLISHED / sizeof *PUBLISHED };

static const char STYLE[] =
    "<style>\ntext { font: 15px system-ui, -apple-system, \"Segoe UI\", \"Noto Sans\", \"DejaVu Sans\", "
    "sans-serif; fill: #1f2328; }\n"
    ".title { font-weight: 600; font-size: 17px; } .small { font-size: 13px; } .tick { font-size: 13px; }\n"
    ".paper { fill: #ffffff; } .grid { stroke: #d1d9e0; stroke-width: 1; }\n"
    ".minor { stroke: #d1d9e0; stroke-width: 1; stroke-opacity: 0.45; }\n"
    ".m0 { stroke: #0969da; } .m1 { stroke: #bc4c00; } .m2 { stroke: #1a7f37; } .m3 { stroke: #8250df; } .m4 { stroke: "
    "#cf222e; }\n"
    "line.curve { stroke-width: 2.2; stroke-linecap: round; }\n"
    ".broad { stroke-dasharray: 6 5; stroke-linecap: butt; }\n"
    ".dot { stroke-width: 1.5; fill: #ffffff; } .ring { fill: none; stroke: #cf222e; stroke-width: 2; }\n"
    "text.missed { fill: #cf222e; font-weight: 600; font-size: 13px; paint-order: stroke; stroke: #ffffff; "
    "stroke-width: 4px; }\n"
    ".published { stroke: #59636e; stroke-width: 2.5; }\n"
    "@media (prefers-color-scheme: dark) {\ntext { fill: #e6edf3; } .paper { fill: #0d1117; }\n"
    ".grid, .minor { stroke: #3d444d; } .dot { fill: #0d1117; } .published { stroke: #9198a1; }\n"
    ".m0 { stroke: #58a6ff; } .m1 { stroke: #f0883e; } .m2 { stroke: #3fb950; } .m3 { stroke: #bc8cff; } .m4, .ring { "
    "stroke: #f85149; }\ntext.missed { fill: #f85149; stroke: #0d1117; }\n}\n</style>\n";

typedef struct axis {
  double low, high; /* logarithms of 1, 2 or 5 times a power of ten, and of a power of ten */
} axis;

static void widen(axis *a, double ms) {
  if (!(ms > 0)) return;
  double power = floor(log10(ms)), rest = log10(ms) - power;
  double low = power + (rest >= log10(5) ? log10(5) : rest >= log10(2) ? log10(2) : 0), high = ceil(log10(ms));
  if (low < a->low) a->low = low;
  if (high > a->high) a->high = high;
}

static svg_point place(axis a, double count, double ms) {
  double right = count / (COUNTS * COUNT_STEP), up = ms > 0 ? (log10(ms) - a.low) / (a.high - a.low) : 0;
  return (svg_point){PLOT.left + right * (PLOT.right - PLOT.left), PLOT.bottom - up * (PLOT.bottom - PLOT.top)};
}

static void print_axes(cli_text *out, axis a) {
  for (double power = floor(a.low); power <= a.high; power++) {
    for (int k = 1; k < 10 && (k == 1 || power < a.high); k++) {
      double ms = k * pow(10, power), above = log10(ms) - a.low;
      svg_point at = place(a, 0, ms);
      if (above < -1e-9) continue;
      bool named = k == 1 || above < 1e-9; /* also the lowest line */
      svg_line(out, at, (svg_point){PLOT.right, at.y}, named ? "grid" : "minor");
      char number[32];
      snprintf(number, sizeof number, "%g", ms);
      if (named) svg_text(out, (svg_point){PLOT.left - 10, at.y + 5}, SVG_END, "tick", "%s", number);
    }
  }
  for (int i = 0; i <= COUNTS; i += 2) {
    svg_point at = place(a, i * COUNT_STEP, pow(10, a.low));
    svg_line(out, (svg_point){at.x, PLOT.top}, at, "grid");
    svg_text(out, (svg_point){at.x, at.y + 20}, SVG_MIDDLE, "tick", "%i", i * COUNT_STEP);
  }
  svg_text(out, (svg_point){(PLOT.left + PLOT.right) / 2, PLOT.bottom + 44}, SVG_MIDDLE, "", "cubes");
  svg_text(out, (svg_point){PLOT.left - 60, PLOT.top - 12}, SVG_START, "small", "ms per step, median");
}

static void print_curve(cli_text *out, const comparison *c, axis a, int method, bool scene) {
  char curve[40], dot[32];
  svg_point places[COUNTS];
  snprintf(curve, sizeof curve, "curve m%d%s", method, scene ? " broad" : "");
  snprintf(dot, sizeof dot, "dot m%d", method);
  for (size_t i = 0; i < c->counts; i++) {
    const cell *x = &c->cells[i][method];
    places[i] = place(a, (double)(i + 1) * COUNT_STEP, scene ? x->scene : x->all_pairs);
    if (i > 0) svg_line(out, places[i - 1], places[i], curve);
  }
  for (size_t i = 0; i < c->counts; i++) svg_dot(out, places[i], 2.6, dot);
}

/* The curves are close together, so the numbers stand below the lowest curve, or to the left of it near the axis. */
static void print_misses(cli_text *out, const comparison *c, axis a) {
  for (size_t i = 0; i < c->counts; i++) {
    const double count = (double)(i + 1) * COUNT_STEP;
    double lowest = INFINITY;
    size_t missed = 0;
    for (int m = 0; m < METHODS; m++) {
      const cell *x = &c->cells[i][m];
      lowest = fmin(lowest, fmin(x->scene, x->all_pairs));
      missed += x->missed;
      if (x->missed > 0) svg_dot(out, place(a, count, x->scene), 6.5, "ring");
    }
    svg_point at = place(a, count, lowest);
    const bool below = at.y + 24 < PLOT.bottom;
    if (missed == 0) continue;
    svg_text(out, below ? (svg_point){at.x, at.y + 24} : (svg_point){at.x - 12, at.y + 5}, below ? SVG_MIDDLE : SVG_END,
             "missed", "%z", missed);
  }
}

static void print_cross(cli_text *out, svg_point at) {
  svg_line(out, (svg_point){at.x - 6, at.y - 6}, (svg_point){at.x + 6, at.y + 6}, "published");
  svg_line(out, (svg_point){at.x - 6, at.y + 6}, (svg_point){at.x + 6, at.y - 6}, "published");
}

static void print_sample(cli_text *out, double y, const char *style, const char *text) {
  svg_line(out, (svg_point){712, y - 5}, (svg_point){746, y - 5}, style);
  svg_text(out, (svg_point){756, y}, SVG_START, "", "%s", text);
}

static void print_legend(cli_text *out, const comparison *c) {
  for (int m = 0; m < METHODS; m++) {
    char style[32];
    snprintf(style, sizeof style, "curve m%d", m);
    print_sample(out, PLOT.top + 14 + 26 * m, style, cli_method_text(compared[m]));
  }
  double y = PLOT.top + 172;
  print_sample(out, y, "curve published", "all pairs");
  print_sample(out, y + 26, "curve published broad", "broad phase");
  svg_dot(out, (svg_point){729, y + 60}, 6.5, "ring");
  svg_text(out, (svg_point){756, y + 65}, SVG_START, "", "missed contacts");
  print_cross(out, (svg_point){729, y + 92});
  svg_text(out, (svg_point){756, y + 97}, SVG_START, "", "published, FCCD");
  svg_text(out, (svg_point){756, y + 116}, SVG_START, "small", "(Core i3 M330)");
  svg_text(out, (svg_point){712, PLOT.bottom - 22}, SVG_START, "small", "%z steps of each count", c->steps);
  svg_text(out, (svg_point){712, PLOT.bottom - 2}, SVG_START, "small", "seed %z, one thread", (size_t)c->seed);
}

static void print_chart(cli_text *out, const comparison *c) {
  axis a = {0, 0};
  for (int i = 0; i < PUBLISHED_COUNT; i++) widen(&a, PUBLISHED[i].ms);
  for (size_t i = 0; i < c->counts; i++)
    for (int m = 0; m < METHODS; m++) {
      widen(&a, c->cells[i][m].all_pairs);
      widen(&a, c->cells[i][m].scene);
    }
  emit(out,
       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 900 560\" role=\"img\">\n"
       "<title>Moving cubes: time of a step against count</title>\n",
       WIDTH, HEIGHT);
  cli_text_str(out, STYLE);
  svg_rect(out, (svg_box){0, 0, WIDTH, HEIGHT}, 0, "paper");
  svg_text(out, (svg_point){16, 28}, SVG_START, "title", "Moving cubes: time of a step against count");
  print_axes(out, a);
  for (int m = 0; m < METHODS; m++) print_curve(out, c, a, m, false);
  for (int m = 0; m < METHODS; m++) print_curve(out, c, a, m, true);
  print_misses(out, c, a);
  for (int i = 0; i < PUBLISHED_COUNT; i++) print_cross(out, place(a, PUBLISHED[i].count, PUBLISHED[i].ms));
  print_legend(out, c);
  cli_text_str(out, "</svg>\n");
}

/* ---- The command */

int sim_compare(size_t steps, uint64_t seed, bool csv, cli_output outputs[SIM_OUTPUTS]) {
  cli_error error;
  cli_text text = {0}, file = {0};
  comparison c = {.steps = steps ? steps : DEFAULT_STEPS, .seed = seed};
  sim_progress progress = {.total = c.steps * 2 * METHODS * COUNTS};
  bool good = true;
  sim_watch_interrupt();
  while (good && c.counts < COUNTS && !sim_interrupted()) good = measure_count(&c, &progress, &error);
  sim_progress_end(&progress);
  if (!good) {
    cli_report("simulate: %s", error.message);
    return CLI_EXIT_FAILED;
  }
  if (csv) {
    cli_text_str(&text, "count,method,all_pairs_ms,scene_ms,contacts,missed\n");
    print_rows(&text, &c, true);
  } else {
    print_table(&text, &c);
  }
  good = sim_write(&text);
  if (outputs[SIM_JSON].name) {
    emit(&file, "{\"steps\":%z,\"seed\":%z,\"rows\":[", c.steps, (size_t)c.seed);
    print_rows(&file, &c, false);
    cli_text_str(&file, "]}\n");
    if (!cli_output_write(&outputs[SIM_JSON], &file)) good = false;
  }
  if (outputs[SIM_SVG].name) {
    print_chart(&file, &c);
    if (!cli_output_write(&outputs[SIM_SVG], &file)) good = false;
  }
  if (!good) return CLI_EXIT_FAILED;
  return sim_interrupted() ? SIM_EXIT_INTERRUPTED : CLI_EXIT_OK;
}
