/* The story as one SVG picture: the shapes and A - B, the axes or the steps, and the sentences. */
#include "explain/picture.h"

#include "explain/format.h"
#include "explain/phase.h"
#include "explain/sentences.h"

#include <math.h>

/* ---- The style sheet, light and dark. Some viewers know no CSS variables, so every color is written out. */

static const struct {
  char letter;
  const char *scheme[2];
} COLORS[] = {
    {'i', {"#1f2328", "#e6edf3"}},                                                               /* ink */
    {'p', {"#ffffff", "#0d1117"}},                                                               /* paper */
    {'a', {"#0969da", "#58a6ff"}}, {'b', {"#bc4c00", "#f0883e"}}, {'c', {"#6e7781", "#9198a1"}}, /* A, B, A - B */
    {'g', {"#1a7f37", "#3fb950"}},                                                               /* proofs */
    {'w', {"#8250df", "#bc8cff"}},                                /* the steps of the algorithm */
    {'y', {"#bf8700", "#d29922"}}, {'r', {"#cf222e", "#f85149"}}, /* undecided, contact */
};

static const char SHAPES[] =
    "text { font: 15px system-ui, -apple-system, \"Segoe UI\", \"Noto Sans\", \"DejaVu Sans\", sans-serif;\n"
    "  paint-order: stroke; stroke-width: 4px; stroke-linejoin: round; }\n"
    ".title { font-weight: 600; font-size: 16px; }\n"
    ".word { font-weight: 600; }\n"
    ".small { font-size: 13px; }\n"
    ".number { font-weight: 600; font-size: 14px; }\n"
    "line, polygon, rect, circle { stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }\n"
    ".a, .b, .c, .soft, .simplex, .polytope { fill-opacity: 0.16; }\n"
    "text.a, text.b, text.c { fill-opacity: 1; }\n"
    ".other { opacity: 0.4; } .region polygon { stroke: none; }\n"
    ".soft { fill-opacity: 0.07; stroke-opacity: 0.55; }\n"
    ".ghost { stroke-width: 1.5; stroke-dasharray: 4 4; }\n"
    ".over { stroke-dasharray: 9 9; stroke-linecap: butt; }\n"
    ".simplex { stroke-dasharray: 5 4; stroke-linecap: butt; }\n"
    ".cell line, .cell polygon, #set *, .hatch line { stroke-width: 1.5; }\n"
    ".support, .cell .support, .thin { stroke-width: 1.2; }\n"
    ".proof { stroke-width: 2.5; }\n"
    ".dash { stroke-width: 2; stroke-dasharray: 7 5; stroke-linecap: butt; }\n"
    ".support { stroke-dasharray: 3 3; stroke-linecap: butt; }\n"
    "circle { fill-opacity: 1; } circle.proof, circle.step, circle.contact { stroke-width: 1.5; }\n"
    ".frame { fill: none; stroke-width: 1; stroke-opacity: 0.35; }\n"
    ".best { stroke: none; fill-opacity: 0.12; }\n"
    ".head { fill-opacity: 1; }\n"
    ".sweep { fill-opacity: 0.07; stroke-opacity: 0.25; stroke-width: 1; }\n"
    "line.free, line.met { stroke-width: 4; } line.met { stroke-dasharray: 2 7; }\n"
    "rect.free, rect.open, rect.met, .cut { stroke: none; } rect.met { fill-opacity: 0.55; }\n"
    "circle.sample, circle.open { stroke-width: 2; }\n";

/* A letter after % is a color. */
static const char PAINT[] = ".paper { fill: %p; stroke: none; }\n"
                            ".a { fill: %a; stroke: %a; } .b { fill: %b; stroke: %b; }\n"
                            ".c, .soft, .support, .thin { fill: %c; stroke: %c; } .frame { stroke: %c; }\n"
                            ".simplex, .polytope, .step { fill: %w; stroke: %w; }\n"
                            ".proof { fill: %g; stroke: %g; } .best { fill: %g; }\n"
                            "circle.proof, circle.step { stroke: %p; } circle.contact { fill: %p; stroke: %g; }\n"
                            ".origin { stroke: %i; stroke-width: 2.5; }\n"
                            ".badge { fill: %w; stroke: %p; }\n"
                            "text { fill: %i; } text.a { fill: %a; } text.b { fill: %b; } text.c { fill: %c; }\n"
                            "text.proof { fill: %g; } text.step { fill: %w; }\n"
                            "text, text.a, text.b, text.c, text.proof, text.step { stroke: %p; stroke-width: 4px; }\n"
                            "polygon.ghost { fill: none; } polygon.head { stroke: none; }\n"
                            ".free { fill: %g; stroke: %g; } .open { fill: %y; stroke: %y; }\n"
                            ".met { fill: %r; stroke: %r; } text.met { fill: %r; stroke: %p; stroke-width: 4px; }\n"
                            "circle.sample { fill: %p; stroke: %c; } .cut { fill: %p; }\n"
                            "text.number { fill: %p; stroke: none; }\n";

static void paint(cli_text *out, int scheme) {
  for (const char *c = PAINT; *c; c++) {
    if (*c != '%') {
      cli_text_bytes(out, c, 1);
      continue;
    }
    c++;
    for (size_t i = 0; i < sizeof COLORS / sizeof *COLORS; i++)
      if (COLORS[i].letter == *c) cli_text_str(out, COLORS[i].scheme[scheme]);
  }
}

static void put_style(cli_text *out) {
  emit(out, "<style>\n%s", SHAPES);
  paint(out, 0);
  emit(out, "@media (prefers-color-scheme: dark) {\n");
  paint(out, 1);
  emit(out, "}\n</style>\n");
}

/* ---- The sentences, one a line */

static void put_stops(cli_text *stops, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  for (size_t k = 0; k < trace->count; k++) {
    if (trace->steps[k].stop == GRAZE_TRACE_CONTINUE) continue;
    emit(stops, "Stopped after step %z: ", k + 1);
    phase_stop(stops, s, k);
    emit(stops, "\n");
  }
}

static void put_answer(cli_text *words, const story *s) {
  sentence_answer(words, s);
  if (words->size > 0) emit(words, "\n");
  for (size_t k = 0; sentence_certificate(words, s, k); k++) emit(words, "\n");
}

/* The query and all sentences as one line. */
static void put_label(cli_text *out, const story *s, const cli_text *stops, const cli_text *words) {
  cli_text label = {0}, piece = {0};
  sentence_query(&label, s);
  emit(&label, "\n%t%t", stops, words);
  while (label.size > 0 && label.data[label.size - 1] == '\n') label.size--;
  const char *line = label.data, *end = label.data + label.size;
  for (const char *next; line < end; line = next, piece.size = 0) {
    size_t size = picture_first_line(line, end, &next);
    cli_text_bytes(&piece, line, size);
    emit(out, "%h", text_string(out, &piece));
    if (next < end) emit(out, size > 0 && line[size - 1] == '.' ? " " : "; ");
  }
  if (label.failed) out->failed = true;
  cli_text_free(&label);
  cli_text_free(&piece);
}

void story_print_svg(cli_text *out, const story *s) {
  cli_text body = {0}, stops = {0}, words = {0};
  picture pic = {&body, s, 0};
  put_stops(&stops, s);
  put_answer(&words, s);
  s->motion ? picture_motion(&pic) : picture_views(&pic);
  picture_axes(&pic);
  picture_steps(&pic);
  picture_lines(&pic, &stops, "");
  picture_lines(&pic, &words, "word");
  const double height = floor(pic.top + 14);
  emit(out,
       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
       "aria-label=\"",
       (double)PICTURE_WIDTH, height, (double)PICTURE_WIDTH, height);
  put_label(out, s, &stops, &words);
  emit(out, "\">\n");
  put_style(out);
  svg_rect(out, (svg_box){0, 0, PICTURE_WIDTH, height}, 8, "paper");
  emit(out, "%t</svg>\n", &body);
  cli_text_free(&body);
  cli_text_free(&stops);
  cli_text_free(&words);
}
