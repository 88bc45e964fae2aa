/* JSON input: see json.h. */
#define _POSIX_C_SOURCE 200809L

#include "json.h"

#include "text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *cli_error_code_text(cli_error_code code) {
  static const char *const texts[] = {"ok",       "bad_json",     "unknown_query", "unknown_shape", "unknown_key",
                                      "missing",  "bad_number",   "bad_shape",     "not_convex",    "not_simple",
                                      "bad_file", "dim_mismatch", "unsupported",   "out_of_memory"};
  return texts[code];
}

void cli_cut(char *string, size_t size) {
  if (strlen(string) < size) return;
  size_t end = size - 1;
  while (end > 0 && ((unsigned char)string[end] & 0xC0) == 0x80) end--;
  string[end] = '\0';
}

bool cli_reject(cli_error *error, cli_error_code code, const char *format, ...) {
  char message[sizeof error->message + 8];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  cli_cut(message, sizeof error->message);
  error->code = code;
  memcpy(error->message, message, strlen(message) + 1);
  return false;
}

bool cli_reject_memory(cli_error *error) { return cli_reject(error, CLI_OUT_OF_MEMORY, "input: out of memory"); }

enum { MAX_WORD = 24 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static bool is_same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* The edit distance of two words, ignoring case (Damerau-Levenshtein distance, optimal string alignment). */
static size_t edit_distance(const char *from, const char *to) {
  size_t n = strlen(from), m = strlen(to), row[MAX_WORD + 1][MAX_WORD + 1];
  if (n > MAX_WORD || m > MAX_WORD) return MAX_WORD;
  for (size_t i = 0; i <= n; i++) row[i][0] = i;
  for (size_t j = 0; j <= m; j++) row[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    for (size_t j = 1; j <= m; j++) {
      size_t change = row[i - 1][j - 1] + !is_same(from[i - 1], to[j - 1]);
      row[i][j] = least(change, least(row[i - 1][j], row[i][j - 1]) + 1);
      if (i > 1 && j > 1 && is_same(from[i - 1], to[j - 2]) && is_same(from[i - 2], to[j - 1]))
        row[i][j] = least(row[i][j], row[i - 2][j - 2] + 1);
    }
  }
  return row[n][m];
}

const char *cli_nearest(const char *given, const void *names, size_t count, size_t stride) {
  const char *best = NULL;
  size_t best_distance = least(strlen(given) / 3 + 1, 3);
  for (size_t i = 0; i < count; i++) {
    const char *name;
    memcpy(&name, (const char *)names + i * stride, sizeof name);
    size_t n = edit_distance(given, name);
    if (n < best_distance || (n == best_distance && best == NULL)) {
      best = name;
      best_distance = n;
    }
  }
  return best;
}

const char *cli_hint(const char *given, const void *names, size_t count, size_t stride, char out[CLI_HINT_SIZE]) {
  const char *best = cli_nearest(given, names, count, stride);
  out[0] = '\0';
  if (best) snprintf(out, CLI_HINT_SIZE, " (did you mean \"%s\"?)", best);
  return out;
}

const char *cli_choice(const char *given, const char *const *words, char out[CLI_CHOICE_SIZE]) {
  char hint[CLI_HINT_SIZE];
  size_t count = 0, used = 0;
  while (words[count]) count++;
  for (size_t i = 0; i < count && used < CLI_CHOICE_SIZE; i++) {
    const char *before = i == 0 ? "must be " : i + 1 < count ? ", " : " or ";
    used += (size_t)snprintf(out + used, CLI_CHOICE_SIZE - used, "%s%s", before, words[i]);
  }
  if (used < CLI_CHOICE_SIZE)
    snprintf(out + used, CLI_CHOICE_SIZE - used, "%s", cli_hint(given, words, count, sizeof *words, hint));
  return out;
}

/* jansson does not check the allocation of a long token, so this file records failed allocations. */
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

/* The word at which the parser stopped, if it is NaN, Infinity or -Infinity, which many programs write. */
static cli_span infinite_word(cli_span line, const json_error_t *error) {
  static const char *const words[] = {"nan", "inf", "infinity"};
  if (error->position < 0 || (size_t)error->position > line.size) return (cli_span){NULL, 0};
  size_t begin = (size_t)error->position, end = begin;
  while (begin > 0 && isalpha((unsigned char)line.data[begin - 1])) begin--;
  while (end < line.size && isalpha((unsigned char)line.data[end])) end++;
  const size_t minus = begin > 0 && line.data[begin - 1] == '-';
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == end - begin && strncasecmp(line.data + begin, words[i], end - begin) == 0)
      return (cli_span){line.data + begin - minus, end - begin + minus};
  return (cli_span){NULL, 0};
}

json_t *cli_json_line(cli_span line, cli_error *error) {
  json_error_t e;
  char place[64];
  memset(&e, 0, sizeof e);
  allocation_failed = false;
  json_t *root = json_loadb(line.data, line.size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &e);
  if (json_is_object(root) && !allocation_failed) return root;
  const bool parsed = root != NULL;
  const cli_span word = parsed ? (cli_span){NULL, 0} : infinite_word(line, &e);
  json_decref(root);
  if (e.line > 1) /* the text of a file */
    snprintf(place, sizeof place, "line %d, column %d", e.line, e.column);
  else
    snprintf(place, sizeof place, "column %d", e.column);
  cli_cut(e.text, 100);
  if (allocation_failed)
    cli_reject_memory(error);
  else if (parsed)
    cli_reject(error, CLI_BAD_JSON, "input: a list, must be an object");
  else if (word.data)
    cli_reject(error, CLI_BAD_NUMBER, "%s: not finite (%.*s), numbers must be finite", place, (int)word.size,
               word.data);
  else if (json_error_code(&e) == json_error_null_character)
    cli_reject(error, CLI_BAD_JSON, "%s: \\u0000 in a string, which is not supported", place);
  else if (json_error_code(&e) == json_error_numeric_overflow)
    cli_reject(error, CLI_BAD_NUMBER, "%s: %s, numbers must be at most 1e40 in magnitude", place, e.text);
  else
    cli_reject(error, CLI_BAD_JSON, "%s: %s%s", place, e.text,
               e.line <= 1 && json_error_code(&e) == json_error_premature_end_of_input
                   ? "; write one query per line, complete on its line"
                   : "");
  return NULL;
}

json_t *cli_json_value(cli_span text) {
  allocation_failed = false;
  json_t *value = json_loadb(text.data, text.size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
  if (!allocation_failed) return value;
  json_decref(value);
  return NULL;
}

static int add_shown(const char *bytes, size_t size, void *context) {
  cli_text *shown = context;
  cli_text_bytes(shown, bytes, size);
  return shown->size < CLI_SHOWN_SIZE ? 0 : -1;
}

const char *cli_show(const json_t *value, char out[CLI_SHOWN_SIZE]) {
  if (json_is_number(value)) return cli_number_text(json_number_value(value), out);
  cli_text shown = {0};
  json_dump_callback(value, add_shown, &shown, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
  const bool whole = shown.size < CLI_SHOWN_SIZE;
  snprintf(out, CLI_SHOWN_SIZE, "%s", text_string(&shown, &shown));
  if (!whole) cli_cut(out, CLI_SHOWN_SIZE - 4);
  if (!whole) strcat(out, "...");
  cli_text_free(&shown);
  return out;
}

const char *cli_name_text(cli_name name, char out[CLI_NAME_SIZE]) {
  int used = snprintf(out, CLI_NAME_SIZE - 24, "%s%s%.60s", name.owner, name.owner[0] ? "." : "", name.key);
  if (name.index >= 0 && used < CLI_NAME_SIZE - 24) snprintf(out + used, 24, "[%td]", name.index);
  return out;
}

static const char *number_rule(const json_t *value) {
  if (!json_is_number(value)) return "invalid value (%s), must be a number";
  return fabs(json_number_value(value)) <= GRAZE_LARGEST ? NULL
                                                         : "out of range (%s), must be at most 1e40 in magnitude";
}

bool cli_reject_value(const json_t *value, cli_name name, cli_error_code code, const char *rule, cli_error *error) {
  char text[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE], problem[128];
  snprintf(problem, sizeof problem, rule, cli_show(value, shown));
  return cli_reject(error, code, "%s: %s", cli_name_text(name, text), problem);
}

bool cli_read_number(const json_t *value, cli_name name, double *out, cli_error *error) {
  const char *rule = number_rule(value);
  if (rule == NULL) *out = json_number_value(value);
  return rule == NULL || cli_reject_value(value, name, CLI_BAD_NUMBER, rule, error);
}

bool cli_read_numbers(const json_t *value, cli_name name, size_t count, double *out, cli_error *error) {
  char text[CLI_NAME_SIZE], rule[64];
  bool list = json_is_array(value);
  if (!list || json_array_size(value) != count) {
    snprintf(rule, sizeof rule, "%s (%%s), must be a list of %zu numbers", list ? "wrong length" : "invalid value",
             count);
    return cli_reject_value(value, name, list ? CLI_DIM_MISMATCH : CLI_BAD_SHAPE, rule, error);
  }
  for (size_t i = 0; i < count; i++) {
    const json_t *item = json_array_get(value, i);
    if (number_rule(item)) /* the name of a good number is not needed */
      return cli_read_number(item, (cli_name){"", cli_name_text(name, text), (ptrdiff_t)i}, out, error);
    out[i] = json_number_value(item);
  }
  return true;
}

bool cli_read_vec(const json_t *value, cli_name name, int dim, graze_vec *out, cli_error *error) {
  double numbers[3] = {0, 0, 0};
  if (!cli_read_numbers(value, name, (size_t)dim, numbers, error)) return false;
  *out = (graze_vec){numbers[0], numbers[1], numbers[2]};
  return true;
}

bool cli_read_points(const json_t *list, cli_name name, int dim, size_t least, graze_vec **points, size_t *count,
                     cli_error *error) {
  char text[CLI_NAME_SIZE];
  size_t size = json_array_size(list);
  cli_name_text(name, text);
  if (!json_is_array(list))
    return cli_reject_value(list, name, CLI_BAD_SHAPE, "invalid value (%s), must be a list of points", error);
  if (size < least)
    return cli_reject(error, CLI_BAD_SHAPE, "%s: too few points (%zu), must be at least %zu", text, size, least);
  graze_vec *read = *points = malloc(size * sizeof *read);
  if (read == NULL) return cli_reject_memory(error);
  *count = size;
  for (size_t i = 0; i < size; i++)
    if (!cli_read_vec(json_array_get(list, i), (cli_name){"", text, (ptrdiff_t)i}, dim, &read[i], error)) return false;
  return true;
}

/* ---- Members of an object */

json_t *cli_get(const json_t *object, const char *key) {
  json_t *value = json_object_get(object, key);
  return json_is_null(value) ? NULL : value;
}

bool cli_reject_key(const cli_object *o, cli_error_code code, const char *key, const char *problem, const char *allowed,
                    ...) {
  char name[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE], rule[sizeof o->error->message];
  const json_t *value = json_object_get(o->json, key);
  va_list arguments;
  va_start(arguments, allowed);
  vsnprintf(rule, sizeof rule, allowed, arguments);
  va_end(arguments);
  cli_name_text((cli_name){o->name, key, -1}, name);
  if (value == NULL) return cli_reject(o->error, code, "%s: %s, %s", name, problem, rule);
  return cli_reject(o->error, code, "%s: %s (%s), %s", name, problem, cli_show(value, shown), rule);
}

int cli_index_of(const char *word, const char *const *words) {
  int i = 0;
  while (words[i] && strcmp(words[i], word) != 0) i++;
  return words[i] ? i : -1;
}

const char *cli_synonym(const char *word) {
  return strcmp(word, "angle") == 0 ? "rotation" : strcmp(word, "size") == 0 ? "half_extents" : word;
}

bool cli_check_keys(const cli_object *o, const char *what, const char *const *keys) {
  const char *key;
  json_t *value;
  json_object_foreach(o->json, key, value) {
    if (cli_index_of(key, keys) >= 0) continue;
    char name[CLI_NAME_SIZE], list[CLI_CHOICE_SIZE], hint[CLI_HINT_SIZE];
    size_t count = 0, used = 0;
    for (; keys[count] && used < sizeof list; count++)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", keys[count]);
    cli_name_text((cli_name){o->name, key, -1}, name);
    const char *meant = cli_index_of(cli_synonym(key), keys) >= 0 ? cli_synonym(key) : key;
    return cli_reject(o->error, CLI_UNKNOWN_KEY, "%s: unknown key, %s has %s%s", name, what, list,
                      cli_hint(meant, keys, count, sizeof *keys, hint));
  }
  return true;
}

bool cli_get_number(const cli_object *o, const char *key, double low, double high, double *out) {
  const json_t *value = json_object_get(o->json, key);
  double number = 0;
  if (value == NULL) return true;
  if (!cli_read_number(value, (cli_name){o->name, key, -1}, &number, o->error)) return false;
  *out = number;
  if (number >= low && number <= high) return true;
  if (high < INFINITY)
    return cli_reject_key(o, CLI_BAD_NUMBER, key, "out of range", "must be from %g to %.15g", low, high);
  if (low == 0 || number > 0) return cli_reject_key(o, CLI_BAD_NUMBER, key, "out of range", "must be >= %.3g", low);
  return cli_reject_key(o, CLI_BAD_NUMBER, key, "out of range", "must be > 0");
}

bool cli_get_whole(const cli_object *o, const char *key, double low, double high, double *out) {
  double number = low;
  if (!cli_get_number(o, key, -INFINITY, INFINITY, &number)) return false;
  if (!(number >= low && number <= high) || number != floor(number))
    return cli_reject_key(
        o, CLI_BAD_NUMBER, key, "out of range",
        high < INFINITY ? "must be a whole number from %.16g to %.16g" : "must be a whole number >= %.16g", low, high);
  if (json_object_get(o->json, key)) *out = number;
  return true;
}

bool cli_get_vec(const cli_object *o, const char *key, int dim, graze_vec *out) {
  const json_t *value = json_object_get(o->json, key);
  return value == NULL || cli_read_vec(value, (cli_name){o->name, key, -1}, dim, out, o->error);
}

bool cli_get_flag(const cli_object *o, const char *key, bool *out) {
  const json_t *value = json_object_get(o->json, key);
  if (value == NULL) return true;
  *out = json_is_true(value);
  return json_is_boolean(value) || cli_reject_key(o, CLI_BAD_JSON, key, "invalid value", "must be true or false");
}

bool cli_get_string(const cli_object *o, const char *key, char *out, size_t size) {
  const json_t *value = json_object_get(o->json, key);
  if (value == NULL) return true;
  if (!json_is_string(value)) return cli_reject_key(o, CLI_BAD_JSON, key, "invalid value", "must be a string");
  if (json_string_length(value) >= size)
    return cli_reject_key(o, CLI_BAD_JSON, key, "too long", "must be at most %zu bytes", size - 1);
  memcpy(out, json_string_value(value), json_string_length(value) + 1);
  return true;
}

bool cli_get_word(const cli_object *o, const char *key, const char *const *words, int *out) {
  char choice[CLI_CHOICE_SIZE];
  const json_t *value = json_object_get(o->json, key);
  if (value == NULL) return true;
  const char *word = json_is_string(value) ? json_string_value(value) : "";
  const int index = cli_index_of(word, words);
  if (index < 0) return cli_reject_key(o, CLI_UNSUPPORTED, key, "invalid value", "%s", cli_choice(word, words, choice));
  *out = index;
  return true;
}
