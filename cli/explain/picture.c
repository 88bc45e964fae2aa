/* The story as one SVG picture: the shapes and A - B, the axes or the steps, and the sentences. */
#include "explain/picture.h"

#include "explain/format.h"
#include "explain/page.h"
#include "explain/phase.h"
#include "explain/sentences.h"

#include <math.h>

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
  emit(out, "<style>\n");
  cli_text_bytes(out, (const char *)page_picture, page_picture_size);
  emit(out, "</style>\n");
  svg_rect(out, (svg_box){0, 0, PICTURE_WIDTH, height}, 8, "paper");
  emit(out, "%t</svg>\n", &body);
  cli_text_free(&body);
  cli_text_free(&stops);
  cli_text_free(&words);
}
