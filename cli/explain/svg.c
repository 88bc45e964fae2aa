/* The picture of a story: the query, its panels, and the sentences about the steps, the answer and the certificate. */
#include "explain/drawing.h"
#include "explain/story.h"

#include <math.h>

void story_print_svg(cli_text *out, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  cli_text body = {0}, query = {0}, stops = {0}, words = {0};
  picture pic = {&body, s, 0};
  sentence_query(&query, s);
  sentence_parts(&stops, s);
  if (stops.size > 0) emit(&stops, "\n");
  if (stops.size > 0) emit(&stops, "%S", sentence_drawn, s);
  if (stops.size > 0 && stops.data[stops.size - 1] != '\n') emit(&stops, "\n");
  for (size_t k = 0; k < trace->count; k++)
    if (trace->steps[k].stop != GRAZE_TRACE_CONTINUE)
      emit(&stops, "Stopped after step %z: %K\n", k + 1, phase_stop, s, k);
  emit(&words, "%S.\n", sentence_answer, s);
  for (size_t k = 0; sentence_certificate(&words, s, k); k++) emit(&words, "\n");
  s->motion ? picture_motion(&pic) : picture_views(&pic);
  picture_axes(&pic);
  picture_steps(&pic);
  picture_lines(&pic, &stops, "");
  picture_lines(&pic, &words, "word");
  const double height = floor(pic.top + 14);
  emit(out,
       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
       "aria-label=\"%h. %h%h\">\n<style>\n",
       (double)PICTURE_WIDTH, height, (double)PICTURE_WIDTH, height, text_string(out, &query), text_string(out, &stops),
       text_string(out, &words));
  cli_text_bytes(out, (const char *)page_picture, page_picture_size);
  emit(out, "</style>\n");
  svg_rect(out, (svg_box){0, 0, PICTURE_WIDTH, height}, 8, "paper");
  emit(out, "%t</svg>\n", &body);
  cli_text_free(&body);
  cli_text_free(&query);
  cli_text_free(&stops);
  cli_text_free(&words);
}
