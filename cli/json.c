/* JSON input: see json.h. */
#define _POSIX_C_SOURCE 200809L

#include "json.h"

#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static bool is_infinite_word(const char *word, size_t size) {
  static const char *const words[] = {"nan", "inf", "infinity"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == size && strncasecmp(word, words[i], size) == 0) return true;
  return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The word at which the parser stopped, if it is NaN, Infinity or -Infinity: many programs write them, though they are
 * not JSON. */
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

static bool reject_json(cli_span line, json_error_t *e, cli_error *error) {
  char place[64];
  if (allocation_failed) return cli_reject_memory(error);
  cli_span word = infinite_word(line, e);
  if (e->line > 1) /* the text of a file */
    snprintf(place, sizeof place, "line %d, column %d", e->line, e->column);
  else
    snprintf(place, sizeof place, "column %d", e->column);
  if (word.data)
    return cli_reject(error, CLI_BAD_NUMBER, "%s: not finite (%.*s), numbers must be finite", place, (int)word.size,
                      word.data);
  if (json_error_code(e) == json_error_null_character)
    return cli_reject(error, CLI_BAD_JSON, "%s: \\u0000 in a string, which is not supported", place);
  cli_cut(e->text, 100);
  if (json_error_code(e) == json_error_numeric_overflow)
    return cli_reject(error, CLI_BAD_NUMBER, "%s: %s, numbers must be at most 1e40 in magnitude", place, e->text);
  return cli_reject(error, CLI_BAD_JSON, "%s: %s", place, e->text);
}

json_t *cli_json_line(cli_span line, cli_error *error) {
  json_error_t e;
  memset(&e, 0, sizeof e);
  allocation_failed = false;
  json_t *root = json_loadb(line.data, line.size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &e);
  if (root == NULL || allocation_failed)
    reject_json(line, &e, error);
  else if (!json_is_object(root))
    cli_reject(error, CLI_BAD_JSON, "input: a list, must be an object");
  else
    return root;
  json_decref(root);
  return NULL;
}

json_t *cli_json_value(cli_span text) {
  allocation_failed = false;
  json_t *value = json_loadb(text.data, text.size, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
  if (!allocation_failed) return value;
  json_decref(value);
  return NULL;
}

typedef struct dump {
  char *out;
  size_t used;
} dump;

static int add_shown(const char *bytes, size_t size, void *context) {
  dump *s = context;
  size_t space = CLI_SHOWN_SIZE + 4 - s->used, count = size < space ? size : space;
  memcpy(s->out + s->used, bytes, count);
  s->used += count;
  return count == size ? 0 : -1;
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
  int used = snprintf(out, CLI_NAME_SIZE - 24, "%s%s%.60s", name.owner, name.owner[0] ? "." : "", name.key);
  if (name.index >= 0 && used < CLI_NAME_SIZE - 24) snprintf(out + used, 24, "[%td]", name.index);
  return out;
}

static const char *number_rule(const json_t *value) {
  if (!json_is_number(value)) return "invalid value (%s), must be a number";
  return fabs(json_number_value(value)) <= GRAZE_LARGEST ? NULL
                                                         : "out of range (%s), must be at most 1e40 in magnitude";
}

static bool reject_value(const json_t *value, cli_name name, cli_error_code code, const char *rule, cli_error *error) {
  char text[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE], problem[128];
  snprintf(problem, sizeof problem, rule, cli_show(value, shown));
  return cli_reject(error, code, "%s: %s", cli_name_text(name, text), problem);
}

bool cli_read_number(const json_t *value, cli_name name, double *out, cli_error *error) {
  const char *rule = number_rule(value);
  if (rule) return reject_value(value, name, CLI_BAD_NUMBER, rule, error);
  *out = json_number_value(value);
  return true;
}

bool cli_read_numbers(const json_t *value, cli_name name, size_t count, double *out, cli_error *error) {
  char text[CLI_NAME_SIZE], rule[64];
  bool list = json_is_array(value);
  if (!list || json_array_size(value) != count) {
    snprintf(rule, sizeof rule, "%s (%%s), must be a list of %zu numbers", list ? "wrong length" : "invalid value",
             count);
    return reject_value(value, name, list ? CLI_DIM_MISMATCH : CLI_BAD_SHAPE, rule, error);
  }
  for (size_t i = 0; i < count; i++) {
    const json_t *item = json_array_get(value, i);
    if (number_rule(item))
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

bool cli_is_one_of(const char *word, const char *const *words) {
  while (*words && strcmp(*words, word) != 0) words++;
  return *words != NULL;
}

const char *cli_synonym(const char *word) {
  return strcmp(word, "angle") == 0 ? "rotation" : strcmp(word, "size") == 0 ? "half_extents" : word;
}

bool cli_check_keys(const cli_object *o, const char *what, const char *const *keys) {
  const char *key;
  json_t *value;
  json_object_foreach(o->json, key, value) {
    if (cli_is_one_of(key, keys)) continue;
    char name[CLI_NAME_SIZE], list[CLI_CHOICE_SIZE], hint[CLI_HINT_SIZE];
    size_t count = 0, used = 0;
    for (; keys[count] && used < sizeof list; count++)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count > 0 ? ", " : "", keys[count]);
    cli_name_text((cli_name){o->name, key, -1}, name);
    const char *meant = cli_is_one_of(cli_synonym(key), keys) ? cli_synonym(key) : key;
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
  if (json_object_get(o->json, key) == NULL) return true;
  if (!cli_get_number(o, key, -INFINITY, INFINITY, &number)) return false;
  if (number >= low && number <= high && number == floor(number)) {
    *out = number;
    return true;
  }
  if (high == INFINITY)
    return cli_reject_key(o, CLI_BAD_NUMBER, key, "out of range", "must be a whole number >= %.16g", low);
  return cli_reject_key(o, CLI_BAD_NUMBER, key, "out of range", "must be a whole number from %.16g to %.16g", low,
                        high);
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
  const char *word = json_string_value(value) ? json_string_value(value) : "";
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], word) != 0) continue;
    *out = i;
    return true;
  }
  return cli_reject_key(o, CLI_UNSUPPORTED, key, "invalid value", "%s", cli_choice(word, words, choice));
}
