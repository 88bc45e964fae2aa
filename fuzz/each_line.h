/* The entry points of fuzz targets that read their input as lines. Each target defines fuzz_line(). */
#ifndef GRAZE_FUZZ_EACH_LINE_H
#define GRAZE_FUZZ_EACH_LINE_H

#include "json.h"

#include <stdint.h>
#include <string.h>

static void fuzz_line(const cli_line *line);

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  cli_json_begin();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  for (size_t begin = 0, number = 1; begin < size; number++) {
    const char *end = memchr(text + begin, '\n', size - begin);
    size_t length = end ? (size_t)(end - text) - begin : size - begin;
    cli_line line = {{text + begin, length}, number, false, NULL};
    if (length > 0) fuzz_line(&line);
    begin += length + 1;
  }
  return 0;
}

#endif
