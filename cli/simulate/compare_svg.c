/* The chart of `graze simulate --compare`: time against the number of cubes, on a logarithmic axis. Solid lines are all
 * pairs, dashed lines are scenes. A ring marks missed contacts, with their number. Crosses are published times. */
#include "simulate/compare.h"

#include "explain/svg.h"
#include "request.h"

#include <math.h>
#include <stdio.h>

static const double WIDTH = 900, HEIGHT = 560;
static const svg_box PLOT = {76, 64, 690, 500};

const cli_method sim_compared[SIM_COMPARED] = {CLI_METHOD_FCCD, CLI_METHOD_LCCD, CLI_METHOD_SWEEP, CLI_METHOD_CA,
                                               CLI_METHOD_DISCRETE};

/* Published times for all pairs: 2.13 GHz Core i3 M330. */
static const struct { double count, ms; } PUBLISHED[] = {{50, 0.5}, {500, 4.9}};
enum { PUBLISHED_COUNT = sizeof PUBLISHED / sizeof *PUBLISHED };

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

static axis axis_of(const sim_comparison *c) {
  axis a = {0, 0};
  for (int i = 0; i < PUBLISHED_COUNT; i++) widen(&a, PUBLISHED[i].ms);
  for (size_t i = 0; i < c->counts; i++) {
    for (int m = 0; m < SIM_COMPARED; m++) {
      widen(&a, c->cells[i][m].all_pairs);
      widen(&a, c->cells[i][m].scene);
    }
  }
  return a;
}

static svg_point place(axis a, double count, double ms) {
  double right = count / (SIM_COUNTS * SIM_COUNT_STEP), up = ms > 0 ? (log10(ms) - a.low) / (a.high - a.low) : 0;
  return (svg_point){PLOT.left + right * (PLOT.right - PLOT.left), PLOT.bottom - up * (PLOT.bottom - PLOT.top)};
}

static void print_style(cli_text *out) {
  cli_text_str(out,
               "<style>\ntext { font: 15px system-ui, -apple-system, \"Segoe UI\", \"Noto Sans\", \"DejaVu Sans\", "
               "sans-serif; fill: #1f2328; }\n"
               ".title { font-weight: 600; font-size: 17px; } .small { font-size: 13px; } .tick { font-size: 13px; }\n"
               ".paper { fill: #ffffff; } .grid { stroke: #d1d9e0; stroke-width: 1; }\n"
               ".minor { stroke: #d1d9e0; stroke-width: 1; stroke-opacity: 0.45; }\n"
               ".m0 { stroke: #0969da; } .m1 { stroke: #bc4c00; } .m2 { stroke: #1a7f37; } .m3 { stroke: #8250df; } "
               ".m4 { stroke: #cf222e; }\n"
               "line.curve { stroke-width: 2.2; stroke-linecap: round; }\n"
               ".broad { stroke-dasharray: 6 5; stroke-linecap: butt; }\n"
               ".dot { stroke-width: 1.5; fill: #ffffff; } .ring { fill: none; stroke: #cf222e; stroke-width: 2; }\n"
               "text.missed { fill: #cf222e; font-weight: 600; font-size: 13px; paint-order: stroke; stroke: #ffffff; "
               "stroke-width: 4px; }\n"
               ".published { stroke: #59636e; stroke-width: 2.5; }\n"
               "@media (prefers-color-scheme: dark) {\ntext { fill: #e6edf3; } .paper { fill: #0d1117; }\n"
               ".grid, .minor { stroke: #3d444d; } .dot { fill: #0d1117; } .published { stroke: #9198a1; }\n"
               ".m0 { stroke: #58a6ff; } .m1 { stroke: #f0883e; } .m2 { stroke: #3fb950; } .m3 { stroke: #bc8cff; } "
               ".m4, .ring { stroke: #f85149; }\ntext.missed { fill: #f85149; stroke: #0d1117; }\n}\n</style>\n");
}

static void print_axes(cli_text *out, axis a) {
  char number[32];
  for (double power = floor(a.low); power <= a.high; power++) {
    for (int k = 1; k < 10 && (k == 1 || power < a.high); k++) {
      double ms = k * pow(10, power), above = log10(ms) - a.low;
      svg_point at = place(a, 0, ms);
      if (above < -1e-9) continue;
      bool named = k == 1 || above < 1e-9; /* also the lowest line */
      svg_line(out, at, (svg_point){PLOT.right, at.y}, named ? "grid" : "minor");
      snprintf(number, sizeof number, "%g", ms);
      if (named) svg_text(out, (svg_point){PLOT.left - 10, at.y + 5}, SVG_END, "tick", number);
    }
  }
  for (int i = 0; i <= SIM_COUNTS; i += 2) {
    svg_point at = place(a, i * SIM_COUNT_STEP, pow(10, a.low));
    svg_line(out, (svg_point){at.x, PLOT.top}, at, "grid");
    snprintf(number, sizeof number, "%d", i * SIM_COUNT_STEP);
    svg_text(out, (svg_point){at.x, at.y + 20}, SVG_MIDDLE, "tick", number);
  }
  svg_text(out, (svg_point){(PLOT.left + PLOT.right) / 2, PLOT.bottom + 44}, SVG_MIDDLE, "", "cubes");
  svg_text(out, (svg_point){PLOT.left - 60, PLOT.top - 12}, SVG_START, "small", "ms per step, median");
}

static void print_curve(cli_text *out, const sim_comparison *c, axis a, int method, bool scene) {
  char curve[40], dot[32];
  snprintf(curve, sizeof curve, "curve m%d%s", method, scene ? " broad" : "");
  snprintf(dot, sizeof dot, "dot m%d", method);
  svg_point before = {0, 0};
  for (size_t i = 0; i < c->counts; i++) {
    const sim_cell *cell = &c->cells[i][method];
    svg_point at = place(a, (double)(i + 1) * SIM_COUNT_STEP, scene ? cell->scene : cell->all_pairs);
    if (i > 0) svg_line(out, before, at, curve);
    before = at;
  }
  for (size_t i = 0; i < c->counts; i++) {
    const sim_cell *cell = &c->cells[i][method];
    svg_dot(out, place(a, (double)(i + 1) * SIM_COUNT_STEP, scene ? cell->scene : cell->all_pairs), 2.6, dot);
  }
}

/* The curves are close together, so the numbers stand below the lowest curve, or to the left of it near the axis. */
static void print_misses(cli_text *out, const sim_comparison *c, axis a) {
  char number[24];
  for (size_t i = 0; i < c->counts; i++) {
    double lowest = INFINITY;
    size_t missed = 0;
    for (int m = 0; m < SIM_COMPARED; m++) {
      const sim_cell *cell = &c->cells[i][m];
      lowest = fmin(lowest, fmin(cell->scene, cell->all_pairs));
      if (cell->missed == 0) continue;
      missed += cell->missed;
      svg_dot(out, place(a, (double)(i + 1) * SIM_COUNT_STEP, cell->scene), 6.5, "ring");
    }
    svg_point at = place(a, (double)(i + 1) * SIM_COUNT_STEP, lowest);
    snprintf(number, sizeof number, "%zu", missed);
    if (missed == 0) continue;
    if (at.y + 24 < PLOT.bottom)
      svg_text(out, (svg_point){at.x, at.y + 24}, SVG_MIDDLE, "missed", number);
    else
      svg_text(out, (svg_point){at.x - 12, at.y + 5}, SVG_END, "missed", number);
  }
}

static void print_published(cli_text *out, axis a) {
  for (int i = 0; i < PUBLISHED_COUNT; i++) {
    svg_point at = place(a, PUBLISHED[i].count, PUBLISHED[i].ms);
    svg_line(out, (svg_point){at.x - 6, at.y - 6}, (svg_point){at.x + 6, at.y + 6}, "published");
    svg_line(out, (svg_point){at.x - 6, at.y + 6}, (svg_point){at.x + 6, at.y - 6}, "published");
  }
}

static void print_sample(cli_text *out, double y, const char *style, const char *text) {
  svg_line(out, (svg_point){712, y - 5}, (svg_point){746, y - 5}, style);
  svg_text(out, (svg_point){756, y}, SVG_START, "", text);
}

static void print_legend(cli_text *out, const sim_comparison *c) {
  char style[32], line[64];
  for (int m = 0; m < SIM_COMPARED; m++) {
    snprintf(style, sizeof style, "curve m%d", m);
    print_sample(out, PLOT.top + 14 + 26 * m, style, cli_method_text(sim_compared[m]));
  }
  double y = PLOT.top + 172;
  print_sample(out, y, "curve published", "all pairs");
  print_sample(out, y + 26, "curve published broad", "broad phase");
  svg_dot(out, (svg_point){729, y + 60}, 6.5, "ring");
  svg_text(out, (svg_point){756, y + 65}, SVG_START, "", "missed contacts");
  svg_line(out, (svg_point){723, y + 86}, (svg_point){735, y + 98}, "published");
  svg_line(out, (svg_point){723, y + 98}, (svg_point){735, y + 86}, "published");
  svg_text(out, (svg_point){756, y + 97}, SVG_START, "", "published, FCCD");
  svg_text(out, (svg_point){756, y + 116}, SVG_START, "small", "(Core i3 M330)");
  snprintf(line, sizeof line, "%zu steps of each count", c->steps);
  svg_text(out, (svg_point){712, PLOT.bottom - 22}, SVG_START, "small", line);
  snprintf(line, sizeof line, "seed %llu, one thread", (unsigned long long)c->seed);
  svg_text(out, (svg_point){712, PLOT.bottom - 2}, SVG_START, "small", line);
}

void sim_comparison_svg(cli_text *out, const sim_comparison *c) {
  axis a = axis_of(c);
  cli_text_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  svg_attribute(out, "width", WIDTH);
  svg_attribute(out, "height", HEIGHT);
  cli_text_str(out,
               " viewBox=\"0 0 900 560\" role=\"img\">\n<title>Moving cubes: time of a step against count</title>\n");
  print_style(out);
  svg_rect(out, (svg_box){0, 0, WIDTH, HEIGHT}, 0, "paper");
  svg_text(out, (svg_point){16, 28}, SVG_START, "title", "Moving cubes: time of a step against count");
  print_axes(out, a);
  for (int m = 0; m < SIM_COMPARED; m++) print_curve(out, c, a, m, false);
  for (int m = 0; m < SIM_COMPARED; m++) print_curve(out, c, a, m, true);
  print_misses(out, c, a);
  print_published(out, a);
  print_legend(out, c);
  cli_text_str(out, "</svg>\n");
}
