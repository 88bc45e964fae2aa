#include "names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 24 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static bool is_same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* Edits that turn one word into the other: insert, delete, change a letter, swap two neighbours
 * (Damerau-Levenshtein, optimal string alignment). Capital letters are the small ones. */
static size_t edits(const char *from, const char *to) {
  size_t n = strlen(from), m = strlen(to), row[LONGEST + 1][LONGEST + 1];
  if (n > LONGEST || m > LONGEST) return LONGEST;
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
  size_t best_edits = least(strlen(given) / 3 + 1, 3);
  for (size_t i = 0; i < count; i++) {
    const char *name;
    memcpy(&name, (const char *)names + i * stride, sizeof name);
    size_t n = edits(given, name);
    if (n < best_edits || (n == best_edits && best == NULL)) {
      best = name;
      best_edits = n;
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
