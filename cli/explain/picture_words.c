#include "explain/picture.h"

#include <string.h>

const char *picture_string(cli_text *out, cli_text *text) {
  cli_text_bytes(text, "", 1);
  if (!text->failed) return text->data;
  out->failed = true;
  return "";
}

const char *picture_number(cli_text *out, cli_text *text, double value) {
  text->size = 0;
  words_number(text, value);
  return picture_string(out, text);
}

const char *picture_vec(cli_text *out, cli_text *text, graze_vec v) {
  text->size = 0;
  words_vec(text, v, 2);
  return picture_string(out, text);
}

static void end_line(cli_text *words, size_t begin) {
  if (words->size > begin) cli_text_str(words, "\n");
}

void picture_gather_words(cli_text *words, const story *s) {
  words_answer(words, s);
  end_line(words, 0);
  for (size_t k = 0; words_certificate(words, s, k); k++) cli_text_str(words, "\n");
}

void picture_gather_stops(cli_text *stops, const story *s) {
  const cli_trace *trace = &s->finding.trace;
  for (size_t k = 0; k < trace->count; k++) {
    if (trace->steps[k].stop == GRAZE_TRACE_CONTINUE) continue;
    cli_text_str(stops, "Stopped after step ");
    cli_text_int(stops, (long long)k + 1);
    cli_text_str(stops, ": ");
    words_stop(stops, s, k);
    cli_text_str(stops, "\n");
  }
}

/* How much of a text fits into `width`: whole words, or, of one that is too long, what there is room for. */
static size_t fitting(const char *text, size_t size, double width) {
  size_t words = 0, end = 0;
  while (end < size) {
    size_t next = end + 1;
    while (next < size && ((unsigned char)text[next] & 0xC0) == 0x80) next++;
    if (svg_width(text, next, SVG_PLAIN) > width) return words > 0 ? words : end;
    end = next;
    if (end == size || text[end] == ' ') words = end;
  }
  return size;
}

static void write_wrapped(picture *pic, const char *line, size_t size, const char *style) {
  double indent = 0;
  while (size > 0) {
    double width = PICTURE_WIDTH - 2 * PICTURE_EDGE - indent;
    size_t count = fitting(line, size, *style ? width / SVG_BOLD : width);
    if (count == 0) return;
    svg_begin(pic->out, "text", style);
    svg_attribute(pic->out, "x", PICTURE_EDGE + indent);
    svg_attribute(pic->out, "y", pic->top + 16);
    cli_text_str(pic->out, ">");
    svg_escaped(pic->out, line, count);
    cli_text_str(pic->out, "</text>\n");
    pic->top += PICTURE_LINE;
    line += count;
    size -= count;
    while (size > 0 && *line == ' ') line++, size--;
    indent = 18;
  }
}

size_t picture_line(const char *text, const char *end, const char **next) {
  const char *stop = memchr(text, '\n', (size_t)(end - text));
  *next = stop ? stop + 1 : end;
  return (size_t)((stop ? stop : end) - text);
}

void picture_words(picture *pic, const cli_text *words, const char *style) {
  if (words->size == 0) return;
  pic->top += 8;
  const char *line = words->data, *end = words->data + words->size;
  for (const char *next; line < end; line = next, style = "") {
    size_t size = picture_line(line, end, &next);
    write_wrapped(pic, line, size, style);
  }
}
