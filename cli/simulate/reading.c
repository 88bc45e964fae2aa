#include "simulate/reading.h"

#include "names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_one(const char *word, const char *const *words) {
  while (*words && strcmp(*words, word) != 0) words++;
  return *words != NULL;
}

static size_t count_words(const char *const *words) {
  size_t count = 0;
  while (words[count]) count++;
  return count;
}

bool sim_check_keys(json_t *object, const char *owner, const char *what, const char *const *keys,
                    cli_error *complaint) {
  const char *key;
  json_t *value;
  char hint[CLI_HINT_SIZE];
  size_t count = count_words(keys);
  json_object_foreach(object, key, value) {
    if (is_one(key, keys)) continue;
    const char *meant = cli_shape_key(key);
    cli_hint(meant && is_one(meant, keys) ? meant : key, keys, count, sizeof *keys, hint);
    return cli_reject(complaint, CLI_UNKNOWN_KEY, "%s%s%.60s: no %s has this key%s", owner, owner[0] ? "." : "", key,
                      what, hint);
  }
  return true;
}

bool sim_check_beside_shape(json_t *object, const char *owner, const char *const *keys, cli_error *complaint) {
  const char *key;
  json_t *value;
  json_object_foreach(object, key, value) {
    const char *meant = is_one(key, keys) ? NULL : cli_shape_key(key);
    if (meant == NULL) continue;
    bool same = strcmp(meant, key) == 0;
    return cli_reject(complaint, CLI_UNKNOWN_KEY, "%s.%s: it belongs in %s.shape%s%s%s", owner, key, owner,
                      same ? "" : ", as \"", same ? "" : meant, same ? "" : "\"");
  }
  return true;
}

static cli_name name_of(const char *owner, const char *key) { return (cli_name){owner, key, -1}; }

bool sim_read_number(const json_t *object, const char *owner, const char *key, double low, double high, double *out,
                     cli_error *complaint) {
  char name[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE];
  const json_t *value = json_object_get(object, key);
  if (value == NULL) return true;
  if (!cli_read_number(value, name_of(owner, key), out, complaint)) return false;
  if (*out >= low && *out <= high) return true;
  cli_name_text(name_of(owner, key), name);
  cli_show(value, shown);
  if (high < INFINITY)
    return cli_reject(complaint, CLI_BAD_NUMBER, "%s = %s: not from %g to %.15g", name, shown, low, high);
  if (low > 0 && *out > 0) return cli_reject(complaint, CLI_BAD_NUMBER, "%s = %s: below %.3g", name, shown, low);
  return cli_reject(complaint, CLI_BAD_NUMBER, "%s = %s: %s", name, shown, low == 0 ? "negative" : "not above 0");
}

bool sim_read_whole(const json_t *object, const char *owner, const char *key, double low, double high, uint64_t *out,
                    cli_error *complaint) {
  char name[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE];
  const json_t *value = json_object_get(object, key);
  double number = 0;
  if (value == NULL) return true;
  if (!cli_read_number(value, name_of(owner, key), &number, complaint)) return false;
  if (!(number >= low && number <= high) || number != floor(number))
    return cli_reject(complaint, CLI_BAD_NUMBER, "%s = %s: not a whole number from %.16g to %.16g",
                      cli_name_text(name_of(owner, key), name), cli_show(value, shown), low, high);
  *out = (uint64_t)number;
  return true;
}

bool sim_read_vec(const json_t *object, const char *owner, const char *key, int dim, graze_vec *out,
                  cli_error *complaint) {
  const json_t *value = json_object_get(object, key);
  return value == NULL || cli_read_vec(value, name_of(owner, key), dim, out, complaint);
}

bool sim_read_string(const json_t *object, const char *owner, const char *key, char *out, size_t size,
                     cli_error *complaint) {
  char name[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE];
  const json_t *value = json_object_get(object, key);
  if (value == NULL) return true;
  cli_name_text(name_of(owner, key), name);
  if (!json_is_string(value))
    return cli_reject(complaint, CLI_BAD_JSON, "%s = %s: not a string", name, cli_show(value, shown));
  if (json_string_length(value) >= size)
    return cli_reject(complaint, CLI_BAD_JSON, "%s = %s: longer than %zu bytes", name, cli_show(value, shown),
                      size - 1);
  memcpy(out, json_string_value(value), json_string_length(value) + 1);
  return true;
}

bool sim_read_word(const json_t *object, const char *owner, const char *key, const char *const *words, int *out,
                   cli_error *complaint) {
  char name[CLI_NAME_SIZE], shown[CLI_SHOWN_SIZE], choice[SIM_CHOICE_SIZE];
  const json_t *value = json_object_get(object, key);
  if (value == NULL) return true;
  const char *word = json_string_value(value) ? json_string_value(value) : "";
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], word) != 0) continue;
    *out = i;
    return true;
  }
  return cli_reject(complaint, CLI_UNSUPPORTED, "%s = %s: %s", cli_name_text(name_of(owner, key), name),
                    cli_show(value, shown), sim_choice_text(word, words, choice));
}
