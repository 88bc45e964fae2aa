#include "explain/picture.h"

/* Light and dark. Every colour is written out, for viewers that know no CSS variables. */
static const struct {
  char letter;
  const char *scheme[2];
} COLOURS[] = {
    {'i', {"#1f2328", "#e6edf3"}}, /* ink */
    {'p', {"#ffffff", "#0d1117"}}, /* paper */
    {'a', {"#0969da", "#58a6ff"}}, {'b', {"#bc4c00", "#f0883e"}},
    {'c', {"#6e7781", "#9198a1"}}, {'g', {"#1a7f37", "#3fb950"}}, /* what is proved */
    {'w', {"#8250df", "#bc8cff"}},                                /* where the search walks */
    {'y', {"#bf8700", "#d29922"}}, {'r', {"#cf222e", "#f85149"}}, /* undecided; met */
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
    ".reach, .cell .reach, .thin { stroke-width: 1.2; }\n"
    ".proof { stroke-width: 2.5; }\n"
    ".dash { stroke-width: 2; stroke-dasharray: 7 5; stroke-linecap: butt; }\n"
    ".reach { stroke-dasharray: 3 3; stroke-linecap: butt; }\n"
    "circle { fill-opacity: 1; } circle.proof, circle.walk, circle.contact { stroke-width: 1.5; }\n"
    ".frame { fill: none; stroke-width: 1; stroke-opacity: 0.35; }\n"
    ".best { stroke: none; fill-opacity: 0.12; }\n"
    ".head { fill-opacity: 1; }\n"
    ".sweep { fill-opacity: 0.07; stroke-opacity: 0.25; stroke-width: 1; }\n"
    "line.free, line.met { stroke-width: 4; } line.met { stroke-dasharray: 2 7; }\n"
    "rect.free, rect.open, rect.met, .cut { stroke: none; } rect.met { fill-opacity: 0.55; }\n"
    "circle.look, circle.open { stroke-width: 2; }\n";

/* A letter after % is a colour. */
static const char PAINT[] = ".paper { fill: %p; stroke: none; }\n"
                            ".a { fill: %a; stroke: %a; } .b { fill: %b; stroke: %b; }\n"
                            ".c, .soft, .reach, .thin { fill: %c; stroke: %c; } .frame { stroke: %c; }\n"
                            ".simplex, .polytope, .walk { fill: %w; stroke: %w; }\n"
                            ".proof { fill: %g; stroke: %g; } .best { fill: %g; }\n"
                            "circle.proof, circle.walk { stroke: %p; } circle.contact { fill: %p; stroke: %g; }\n"
                            ".origin { stroke: %i; stroke-width: 2.5; }\n"
                            ".badge { fill: %w; stroke: %p; }\n"
                            "text { fill: %i; } text.a { fill: %a; } text.b { fill: %b; } text.c { fill: %c; }\n"
                            "text.proof { fill: %g; } text.walk { fill: %w; }\n"
                            "text, text.a, text.b, text.c, text.proof, text.walk { stroke: %p; stroke-width: 4px; }\n"
                            "polygon.ghost { fill: none; } polygon.head { stroke: none; }\n"
                            ".free { fill: %g; stroke: %g; } .open { fill: %y; stroke: %y; }\n"
                            ".met { fill: %r; stroke: %r; } text.met { fill: %r; stroke: %p; stroke-width: 4px; }\n"
                            "circle.look { fill: %p; stroke: %c; } .cut { fill: %p; }\n"
                            "text.number { fill: %p; stroke: none; }\n";

static const char *colour(char letter, int scheme) {
  for (size_t i = 0; i < sizeof COLOURS / sizeof *COLOURS; i++)
    if (COLOURS[i].letter == letter) return COLOURS[i].scheme[scheme];
  return "";
}

static void paint(cli_text *out, int scheme) {
  for (const char *c = PAINT; *c; c++)
    if (*c == '%')
      cli_text_str(out, colour(*++c, scheme));
    else
      cli_text_bytes(out, c, 1);
}

void picture_style(cli_text *out) {
  cli_text_str(out, "<style>\n");
  cli_text_str(out, SHAPES);
  paint(out, 0);
  cli_text_str(out, "@media (prefers-color-scheme: dark) {\n");
  paint(out, 1);
  cli_text_str(out, "}\n</style>\n");
}
