/* Errors and suggestions: see error.h. */
#include "error.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *cli_error_code_text(cli_error_code code) {
  switch (code) {
  case CLI_OK: return "ok";
  case CLI_BAD_JSON: return "bad_json";
  case CLI_UNKNOWN_QUERY: return "unknown_query";
  case CLI_UNKNOWN_SHAPE: return "unknown_shape";
  case CLI_UNKNOWN_KEY: return "unknown_key";
  case CLI_MISSING: return "missing";
  case CLI_BAD_NUMBER: return "bad_number";
  case CLI_BAD_SHAPE: return "bad_shape";
  case CLI_NOT_CONVEX: return "not_convex";
  case CLI_NOT_SIMPLE: return "not_simple";
  case CLI_DIM_MISMATCH: return "dim_mismatch";
  case CLI_UNSUPPORTED: return "unsupported";
  case CLI_OUT_OF_MEMORY: return "out_of_memory";
  }
  return "bad_json";
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

/* The edit distance of two words, ignoring case: insert, delete, substitute, swap two neighbours
 * (Damerau-Levenshtein distance, optimal string alignment). */
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
