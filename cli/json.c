#define _POSIX_C_SOURCE 200809L

#include "json.h"

#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* jansson does not look whether memory was there for a long token, so its allocations are watched here. */
static _Thread_local bool allocation_failed;

static void *watched_malloc(size_t size) {
  void *block = malloc(size);
  if (block == NULL) allocation_failed = true;
  return block;
}

void cli_json_begin(void) {
  json_set_alloc_funcs(watched_malloc, free);
  json_object_seed(0);
}

static bool is_infinite_word(const char *word, size_t size) {
  static const char *const words[] = {"nan", "inf", "infinity"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0) return true;
  return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* NaN, Infinity and -Infinity are not JSON, but many programs write them: the word on which the reader stopped. */
static cli_span infinite_word(cli_span line, const json_error_t *error) {
  const cli_span none = {NULL, 0};
  if (error->position < 0 || (size_t)error->position > line.size) return none;
  size_t begin = (size_t)error->position, end = begin;
  while (begin > 0 && is_letter(line.data[begin - 1])) begin--;
  while (end < line.size && is_letter(line.data[end])) end++;
  if (!is_infinite_word(line.data + begin, end - begin)) return none;
  if (begin > 0 && line.data[begin - 1] == '-') begin--;
  return (cli_span){line.data + begin, end - begin};
}

/* Whole files have lines, too. */
static const char *place_text(const json_error_t *error, char out[64]) {
  if (error->line > 1)
    snprintf(out, 64, "at line %d, column %d", error->line, error->column);
  else
    snprintf(out, 64, "at column %d", error->column);
  return out;
}

static bool refuse_json(cli_span line, json_error_t *error, cli_error *complaint) {
  char place[64];
  if (allocation_failed) return cli_reject_memory(complaint);
  cli_span word = infinite_word(line, error);
  place_text(error, place);
  if (word.data)
    return cli_reject(complaint, CLI_BAD_NUMBER, "%.*s %s: numbers must be finite", (int)word.size, word.data, place);
  if (json_error_code(error) == json_error_null_character)
    return cli_reject(complaint, CLI_BAD_JSON, "\\u0000 %s: strings must not hold it", place);
  cli_cut(error->text, 100);
  if (json_error_code(error) == json_error_numeric_overflow)
    return cli_reject(complaint, CLI_BAD_NUMBER, "%s, %s: larger than 1e40 in magnitude", error->text, place);
  return cli_reject(complaint, CLI_BAD_JSON, "%s, %s", error->text, place);
}

json_t *cli_json_line(cli_span line, cli_error *complaint) {
  json_error_t error;
  memset(&error, 0, sizeof error);
  allocation_failed = false;
  json_t *root = json_loadb(line.data, line.size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
  if (root == NULL || allocation_failed) {
    refuse_json(line, &error, complaint);
    json_decref(root);
    return NULL;
  }
  if (!json_is_object(root)) {
    cli_reject(complaint, CLI_BAD_JSON, "a list, not an object");
    json_decref(root);
    return NULL;
  }
  return root;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static size_t skip_space(cli_span s, size_t i) {
  while (i < s.size && is_space(s.data[i])) i++;
  return i;
}

/* From an opening quote to behind the closing one. */
static size_t skip_string(cli_span s, size_t i) {
  for (i++; i < s.size && s.data[i] != '"'; i++)
    if (s.data[i] == '\\') i++;
  return i < s.size ? i + 1 : s.size;
}

static size_t skip_value(cli_span s, size_t i) {
  size_t depth = 0;
  while (i < s.size) {
    char c = s.data[i];
    if (c == '"') {
      i = skip_string(s, i);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
    if (c == '{' || c == '[') depth++;
    if (c == '}' || c == ']') depth--;
    i++;
  }
  return i;
}

static bool is_id(cli_span s) {
  allocation_failed = false;
  json_t *value = json_loadb(s.data, s.size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
  bool good = !allocation_failed && (json_is_string(value) || json_is_number(value));
  json_decref(value);
  return good;
}

/* A key may be written with escapes. */
static bool is_id_key(cli_span key) {
  enum { PLAIN = sizeof "\"id\"" - 1, LONGEST = sizeof "\"\\u0069\\u0064\"" - 1 };
  if (key.size == PLAIN) return memcmp(key.data, "\"id\"", PLAIN) == 0;
  if (key.size > LONGEST || memchr(key.data, '\\', key.size) == NULL) return false;
  json_t *word = json_loadb(key.data, key.size, JSON_DECODE_ANY, NULL);
  bool same = json_is_string(word) && strcmp(json_string_value(word), "id") == 0;
  json_decref(word);
  return same;
}

cli_span cli_json_id(cli_span s) {
  const cli_span none = {NULL, 0};
  size_t i = skip_space(s, 0);
  if (i >= s.size || s.data[i] != '{') return none;
  do {
    size_t key = skip_space(s, i + 1);
    if (key >= s.size || s.data[key] != '"') return none;
    size_t key_end = skip_string(s, key), colon = skip_space(s, key_end);
    if (colon >= s.size || s.data[colon] != ':') return none;
    size_t value = skip_space(s, colon + 1), value_end = skip_value(s, value);
    if (is_id_key((cli_span){s.data + key, key_end - key})) {
      while (value_end > value && is_space(s.data[value_end - 1])) value_end--;
      cli_span id = {s.data + value, value_end - value};
      return is_id(id) ? id : none;
    }
    i = value_end;
  } while (i < s.size && s.data[i] == ',');
  return none;
}

bool cli_json_same_id(cli_span a, cli_span b) {
  if (a.data == NULL || b.data == NULL) return a.data == b.data;
  if (a.size == b.size && memcmp(a.data, b.data, a.size) == 0) return true;
  json_t *x = json_loadb(a.data, a.size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
  json_t *y = json_loadb(b.data, b.size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
  bool same = json_equal(x, y);
  json_decref(x);
  json_decref(y);
  return same;
}

typedef struct dump {
  char *out;
  size_t used;
} dump;

static int add_shown(const char *bytes, size_t size, void *context) {
  dump *s = context;
  size_t room = CLI_SHOWN_SIZE + 4 - s->used, taken = size < room ? size : room;
  memcpy(s->out + s->used, bytes, taken);
  s->used += taken;
  return taken == size ? 0 : -1;
}

const char *cli_show(const json_t *value, char out[CLI_SHOWN_SIZE]) {
  if (json_is_number(value)) {
    char number[CLI_NUMBER_SIZE];
    cli_number_text(json_number_value(value), number);
    snprintf(out, CLI_SHOWN_SIZE, "%s", number);
    return out;
  }
  char buffer[CLI_SHOWN_SIZE + 5];
  dump s = {buffer, 0};
  json_dump_callback(value, add_shown, &s, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
  buffer[s.used] = '\0';
  if (s.used >= CLI_SHOWN_SIZE) {
    cli_cut(buffer, CLI_SHOWN_SIZE - 4);
    strcat(buffer, "...");
  }
  memcpy(out, buffer, strlen(buffer) + 1);
  return out;
}

const char *cli_name_text(cli_name name, char out[CLI_NAME_SIZE]) {
  const char *dot = name.owner[0] ? "." : "";
  if (name.index < 0)
    snprintf(out, CLI_NAME_SIZE, "%s%s%.60s", name.owner, dot, name.key);
  else
    snprintf(out, CLI_NAME_SIZE, "%s%s%.60s[%td]", name.owner, dot, name.key, name.index);
  return out;
}

/* Why a value is not a number that Graze takes; NULL when it is. */
static const char *number_fault(const json_t *value) {
  if (!json_is_number(value)) return "not a number";
  return fabs(json_number_value(value)) <= GRAZE_LARGEST ? NULL : "larger than 1e40 in magnitude";
}

bool cli_read_number(const json_t *value, cli_name name, double *out, cli_error *complaint) {
  char text[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE];
  const char *fault = number_fault(value);
  if (fault)
    return cli_reject(complaint, CLI_BAD_NUMBER, "%s = %s: %s", cli_name_text(name, text), cli_show(value, shown),
                      fault);
  *out = json_number_value(value);
  return true;
}

bool cli_read_numbers(const json_t *value, cli_name name, size_t count, double *out, cli_error *complaint) {
  char text[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE];
  if (!json_is_array(value))
    return cli_reject(complaint, CLI_BAD_SHAPE, "%s = %s: not a list of %zu numbers", cli_name_text(name, text),
                      cli_show(value, shown), count);
  if (json_array_size(value) != count)
    return cli_reject(complaint, CLI_DIM_MISMATCH, "%s = %s: %zu numbers where %zu are needed",
                      cli_name_text(name, text), cli_show(value, shown), json_array_size(value), count);
  for (size_t i = 0; i < count; i++) {
    const json_t *item = json_array_get(value, i);
    const char *fault = number_fault(item);
    if (fault)
      return cli_reject(complaint, CLI_BAD_NUMBER, "%s[%zu] = %s: %s", cli_name_text(name, text), i,
                        cli_show(item, shown), fault);
    out[i] = json_number_value(item);
  }
  return true;
}

bool cli_read_vec(const json_t *value, cli_name name, int dim, graze_vec *out, cli_error *complaint) {
  double numbers[3] = {0, 0, 0};
  if (!cli_read_numbers(value, name, (size_t)dim, numbers, complaint)) return false;
  *out = (graze_vec){numbers[0], numbers[1], numbers[2]};
  return true;
}
