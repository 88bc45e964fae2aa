/* Text output: see text.h. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
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
  if (value == 0) value = 0; /* -0 means the same as 0 in every answer */
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
    if (*c == '"' || *c == '\\')
      cli_text_format(text, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      cli_text_format(text, "\\u%04x", *c);
    else
      cli_text_bytes(text, c, 1);
  }
  cli_text_str(text, "\"");
}

void cli_text_quote(cli_text *out, cli_text *content) {
  cli_text_bytes(content, "", 1);
  if (content->failed)
    out->failed = true;
  else
    cli_text_quoted(out, content->data);
  cli_text_free(content);
}

/* "<" occurs only in strings, where an escape is allowed. */
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

void cli_print_vec(cli_text *out, graze_vec v, int dim) {
  if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z)) {
    cli_text_str(out, "null");
    return;
  }
  const double numbers[] = {v.x, v.y, v.z};
  for (int i = 0; i < dim; i++) {
    cli_text_str(out, i > 0 ? "," : "[");
    cli_text_number(out, numbers[i]);
  }
  cli_text_str(out, "]");
}

void cli_print_points(cli_text *out, const graze_vec *points, size_t count, int dim) {
  cli_text_str(out, "[");
  for (size_t i = 0; i < count; i++) {
    if (i > 0) cli_text_str(out, ",");
    cli_print_vec(out, points[i], dim);
  }
  cli_text_str(out, "]");
}

void cli_print_rotation(cli_text *out, const graze_pose *pose, int dim) {
  const double q[] = {pose->w, pose->x, pose->y, pose->z};
  for (int i = 0; i < 4; i += dim == 2 ? 3 : 1) {
    cli_text_str(out, i > 0 ? "," : "[");
    cli_text_number(out, q[i]);
  }
  cli_text_str(out, "]");
}

void cli_print_key(cli_text *out, const char *key) {
  cli_text_str(out, ",\"");
  cli_text_str(out, key);
  cli_text_str(out, "\":");
}

void cli_print_word(cli_text *out, const char *key, const char *word) {
  cli_print_key(out, key);
  cli_text_quoted(out, word);
}

void cli_print_real(cli_text *out, const char *key, double value) {
  cli_print_key(out, key);
  cli_text_number(out, value);
}

void cli_print_int(cli_text *out, const char *key, long long value) {
  cli_print_key(out, key);
  cli_text_int(out, value);
}

void cli_print_bool(cli_text *out, const char *key, bool value) {
  cli_print_key(out, key);
  cli_text_str(out, value ? "true" : "false");
}

void cli_print_vec_key(cli_text *out, const char *key, graze_vec v, int dim) {
  cli_print_key(out, key);
  cli_print_vec(out, v, dim);
}

void *cli_grow(void *list, size_t size, size_t *capacity, size_t count) {
  if (count <= *capacity) return list;
  size_t more = *capacity ? 2 * *capacity : 64;
  while (more < count && more <= SIZE_MAX / 2) more *= 2;
  if (more < count || more > SIZE_MAX / size) return NULL;
  void *grown = realloc(list, more * size);
  if (grown) *capacity = more;
  return grown;
}
