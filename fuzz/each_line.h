/* Bytes as lines. */
#ifndef GRAZE_FUZZ_EACH_LINE_H
#define GRAZE_FUZZ_EACH_LINE_H

#include "lines.h"

#include <stdint.h>
#include <string.h>

static inline void each_line(const uint8_t *data, size_t size, void (*work)(const cli_line *line)) {
  const char *text = (const char *)data;
  for (size_t begin = 0, number = 1; begin < size; number++) {
    const char *end = memchr(text + begin, '\n', size - begin);
    size_t length = end ? (size_t)(end - text) - begin : size - begin;
    cli_line line = {{text + begin, length}, number, false};
    if (length > 0) work(&line);
    begin += length + 1;
  }
}

#endif
