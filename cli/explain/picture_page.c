/* Titles, panels side by side, and wrapped lines. */
#include "explain/format.h"
#include "explain/picture_parts.h"

#include <math.h>
#include <string.h>

enum { TITLE = 40, HALF_WIDTH = 342, MIN_HEIGHT = 130, MAX_HEIGHT = 340, LINE = 23 };

void picture_two_panels(picture *pic, const bounds *world, const bounds *difference, double margin, const char *title,
                        panel *p, panel *q) {
  double left = PICTURE_EDGE, right = PICTURE_WIDTH - PICTURE_EDGE - HALF_WIDTH, top = pic->top + TITLE;
  double height = fmax(panel_height(world, HALF_WIDTH, PICTURE_MARGIN, PICTURE_MARGIN),
                       panel_height(difference, HALF_WIDTH, margin, PICTURE_MARGIN));
  double bottom = top + floor(svg_clamp(height, MIN_HEIGHT, MAX_HEIGHT));
  panel_fit(p, pic->out, world, (svg_box){left, top, left + HALF_WIDTH, bottom}, PICTURE_MARGIN, PICTURE_MARGIN);
  panel_fit(q, pic->out, difference, (svg_box){right, top, right + HALF_WIDTH, bottom}, margin, PICTURE_MARGIN);
  panel_share_scale(p, q);
  svg_text(pic->out, (svg_point){left, top - 13}, SVG_START, "title", "The shapes");
  svg_text(pic->out, (svg_point){right, top - 13}, SVG_START, "title", title);
  pic->top = bottom + 6;
}

/* The length of the longest prefix of whole words that fits into `width`; of a longer word, what fits. */
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

void picture_lines(picture *pic, const cli_text *lines, const char *style) {
  if (lines->failed) pic->out->failed = true;
  if (lines->size == 0) return;
  pic->top += 8;
  const char *line = lines->data, *end = lines->data + lines->size;
  for (const char *next; line < end; line = next, style = "") {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t size = (size_t)((stop ? stop : end) - line);
    next = stop ? stop + 1 : end;
    double indent = 0;
    for (size_t count; size > 0; line += count, size -= count, indent = 18) {
      while (size > 0 && indent > 0 && *line == ' ') line++, size--;
      double width = PICTURE_WIDTH - 2 * PICTURE_EDGE - indent;
      count = fitting(line, size, *style ? width / SVG_BOLD : width);
      if (count == 0) break;
      cli_text piece = {0};
      cli_text_bytes(&piece, line, count);
      svg_text(pic->out, (svg_point){PICTURE_EDGE + indent, pic->top + 16}, SVG_START, style,
               text_string(pic->out, &piece));
      cli_text_free(&piece);
      pic->top += LINE;
    }
  }
}
