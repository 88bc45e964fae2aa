#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_text_free(cli_text *text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

static bool text_reserve(cli_text *text, size_t more) {
  if (text->failed) return false;
  if (more <= text->capacity - text->size) return true;
  size_t capacity = text->capacity ? text->capacity : 256;
  while (capacity - text->size < more && capacity <= (size_t)-1 / 4) capacity *= 2;
  char *data = realloc(text->data, capacity);
  if (data == NULL || capacity - text->size < more) {
    free(data ? data : text->data);
    *text = (cli_text){.failed = true};
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void cli_text_bytes(cli_text *text, const char *bytes, size_t size) {
  if (size == 0 || !text_reserve(text, size)) return;
  memcpy(text->data + text->size, bytes, size);
  text->size += size;
}

void cli_text_str(cli_text *text, const char *string) { cli_text_bytes(text, string, strlen(string)); }

void cli_text_int(cli_text *text, long long value) {
  char buffer[CLI_NUMBER_SIZE];
  snprintf(buffer, sizeof buffer, "%lld", value);
  cli_text_str(text, buffer);
}

void cli_text_format(cli_text *text, const char *format, ...) {
  char buffer[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  cli_text_str(text, buffer);
}

void cli_text_plain(cli_text *text, const char *string) {
  for (const char *c = string; *c; c++) {
    unsigned byte = (unsigned char)c[0], next = (unsigned char)c[1];
    if (byte < 0x20 || byte == 0x7f) {
      cli_text_format(text, "\\u%04x", byte);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) { /* U+0080 to U+009F */
      cli_text_format(text, "\\u%04x", next);
      c++;
    } else {
      cli_text_bytes(text, c, 1);
    }
  }
}

void cli_number_text(double value, char out[CLI_NUMBER_SIZE]) {
  if (!isfinite(value)) {
    snprintf(out, CLI_NUMBER_SIZE, "null");
    return;
  }
  if (value == 0) value = 0; /* -0 reads badly and means the same everywhere here */
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, CLI_NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(out, NULL) == value) return;
  }
}

void cli_text_number(cli_text *text, double value) {
  char buffer[CLI_NUMBER_SIZE];
  cli_number_text(value, buffer);
  cli_text_str(text, buffer);
}

void cli_text_quoted(cli_text *text, const char *string) {
  cli_text_str(text, "\"");
  for (const char *c = string; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    char escape[8];
    if (byte == '"' || byte == '\\') {
      snprintf(escape, sizeof escape, "\\%c", byte);
      cli_text_str(text, escape);
    } else if (byte < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", byte);
      cli_text_str(text, escape);
    } else {
      cli_text_bytes(text, c, 1);
    }
  }
  cli_text_str(text, "\"");
}

void cli_text_quote(cli_text *out, cli_text *said) {
  cli_text_bytes(said, "", 1);
  if (said->failed)
    out->failed = true;
  else
    cli_text_quoted(out, said->data);
  cli_text_free(said);
}

/* "<" stands only in strings, where it may be written so. */
void cli_text_script(cli_text *out, const cli_text *json) {
  size_t from = 0;
  if (json->failed) out->failed = true;
  for (size_t i = 0; i < json->size; i++) {
    if (json->data[i] != '<') continue;
    cli_text_bytes(out, json->data + from, i - from);
    cli_text_str(out, "\\u003c");
    from = i + 1;
  }
  if (json->size > from) cli_text_bytes(out, json->data + from, json->size - from);
}
