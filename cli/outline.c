/* The questions about a polygon: what is wrong with it, and which convex pieces it is made of. */
#include "asked.h"

static void print_flaws(cli_text *out, const graze_outline *outline) {
  cli_print_key(out, "problems");
  cli_text_str(out, "[");
  for (size_t i = 0; i < outline->error_count; i++) {
    const graze_outline_error *flaw = &outline->errors[i];
    bool two = flaw->kind != GRAZE_OUTLINE_FEW_POINTS && flaw->kind != GRAZE_OUTLINE_ZERO_AREA;
    cli_text_str(out, i > 0 ? ",{\"kind\":" : "{\"kind\":");
    cli_text_quoted(out, graze_outline_error_text(flaw->kind));
    cli_print_int(out, "index", (long long)flaw->index);
    if (two) cli_print_int(out, "other", (long long)flaw->other);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
}

bool cli_answer_convexity(const cli_request *q, cli_text *out, cli_error *complaint) {
  graze_outline outline;
  graze_status status = graze_validate_outline(q->a.vertices, q->a.vertex_count, NULL, &outline, NULL);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(complaint);
  if (status != GRAZE_OK) return cli_reject(complaint, CLI_BAD_SHAPE, "a.vertices: %s", graze_status_text(status));
  cli_print_begin(out, q);
  cli_print_bool(out, "convex", outline.convex);
  cli_print_bool(out, "simple", outline.simple);
  cli_print_word(out, "winding", graze_winding_text(outline.winding));
  cli_print_real(out, "area", outline.area);
  print_flaws(out, &outline);
  cli_print_word(out, "path", "edges");
  cli_print_int(out, "iterations", 0);
  graze_outline_destroy(&outline);
  return true;
}

bool cli_answer_decompose(const cli_request *q, cli_text *out, cli_error *complaint) {
  static const char *const splittings[] = {"auto", "few", "fewest"};
  graze_decomposition d;
  if (!cli_decompose(&q->a, "a", q->splitting, &d, complaint)) return false;
  cli_print_begin(out, q);
  cli_print_key(out, "pieces");
  cli_text_str(out, "[");
  for (size_t i = 0; i < d.piece_count; i++) {
    if (i > 0) cli_text_str(out, ",");
    cli_print_points(out, d.vertices + d.piece_start[i], d.piece_start[i + 1] - d.piece_start[i], 2);
  }
  cli_text_str(out, "]");
  cli_print_real(out, "area", d.area);
  cli_print_int(out, "count", (long long)d.piece_count);
  cli_print_int(out, "fewest", (long long)d.fewest);
  cli_print_word(out, "path", splittings[q->splitting]);
  cli_print_int(out, "iterations", 0);
  graze_decomposition_destroy(&d);
  return true;
}
