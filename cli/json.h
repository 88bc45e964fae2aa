/* JSON input: lines of files, values and members with complete error messages, and suggestions for misspelt words. */
#ifndef GRAZE_CLI_JSON_H
#define GRAZE_CLI_JSON_H

#include <graze/graze.h>
#include <jansson.h>

/* ---- Errors */

typedef enum cli_error_code {
  CLI_OK = 0,
  CLI_BAD_JSON,
  CLI_UNKNOWN_QUERY,
  CLI_UNKNOWN_SHAPE,
  CLI_UNKNOWN_KEY,
  CLI_MISSING,
  CLI_BAD_NUMBER,
  CLI_BAD_SHAPE,
  CLI_NOT_CONVEX,
  CLI_NOT_SIMPLE,
  CLI_BAD_FILE,
  CLI_DIM_MISMATCH,
  CLI_UNSUPPORTED,
  CLI_OUT_OF_MEMORY
} cli_error_code;

typedef struct cli_error {
  cli_error_code code;
  char message[480]; /* UTF-8; `THING: what is wrong (value), what is allowed` */
} cli_error;

const char *cli_error_code_text(cli_error_code code);
/* Fill the error. They always return false, so that a parser can end with `return cli_reject(…)`. */
bool cli_reject(cli_error *error, cli_error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool cli_reject_memory(cli_error *error);
/* Cuts `string` to `size` bytes, terminator included, without splitting a UTF-8 character. */
void cli_cut(char *string, size_t size);

enum { CLI_HINT_SIZE = 64, CLI_CHOICE_SIZE = 256 };

/* Returns the most similar of `count` names, or NULL. The names are the first members of structs of `stride` bytes. */
const char *cli_nearest(const char *given, const void *names, size_t count, size_t stride);
/* Writes ` (did you mean "box"?)`, or nothing if no name is similar. Returns out. */
const char *cli_hint(const char *given, const void *names, size_t count, size_t stride, char out[CLI_HINT_SIZE]);
/* Writes `must be none, stop, slide or bounce (did you mean "stop"?)`. The list ends with NULL. Returns out. */
const char *cli_choice(const char *given, const char *const *words, char out[CLI_CHOICE_SIZE]);

/* ---- Values and members */

/* Bytes of a line, without a terminator. data is NULL if there are none. */
typedef struct cli_span {
  const char *data;
  size_t size;
} cli_span;

/* Call once, before any thread starts: makes jansson report its failed allocations. */
void cli_json_begin(void);
/* Parses a line, or a file, that is one object with numbers as doubles. NULL: see error. The caller releases it. */
json_t *cli_json_line(cli_span line, cli_error *error);
/* Parses any value. NULL: invalid, or out of memory. */
json_t *cli_json_value(cli_span text);

enum { CLI_SHOWN_SIZE = 48, CLI_NAME_SIZE = 112 };

/* Writes a value, shortened to fit into a message. Returns out. */
const char *cli_show(const json_t *value, char out[CLI_SHOWN_SIZE]);

/* The name of a value in messages: owner.key[index]. No owner: "". No index: -1. */
typedef struct cli_name {
  const char *owner, *key;
  ptrdiff_t index;
} cli_name;

const char *cli_name_text(cli_name name, char out[CLI_NAME_SIZE]);
/* Rejects a value; %s in the rule is the value. */
bool cli_reject_value(const json_t *value, cli_name name, cli_error_code code, const char *rule, cli_error *error);
/* Read a value whose name is known. A number is finite and at most 1e40 in magnitude. */
bool cli_read_number(const json_t *value, cli_name name, double *out, cli_error *error);
bool cli_read_numbers(const json_t *value, cli_name name, size_t count, double *out, cli_error *error);
bool cli_read_vec(const json_t *value, cli_name name, int dim, graze_vec *out, cli_error *error);
/* Reads a list of at least `least` points. The caller frees *points, whatever is returned. */
bool cli_read_points(const json_t *list, cli_name name, int dim, size_t least, graze_vec **points, size_t *count,
                     cli_error *error);

/* An object whose members are read. */
typedef struct cli_object {
  json_t *json;
  const char *name; /* in messages; "" for the line itself */
  cli_error *error;
} cli_object;

/* The member of a key; NULL if it is absent or null. */
json_t *cli_get(const json_t *object, const char *key);
/* Rejects a member: `NAME.KEY: problem (value), allowed`, without the value if the member is absent. */
bool cli_reject_key(const cli_object *o, cli_error_code code, const char *key, const char *problem, const char *allowed,
                    ...) __attribute__((format(printf, 5, 6)));
/* Rejects unknown keys, because a misspelt key must not be ignored. `keys` ends with NULL; `what` has these keys. */
bool cli_check_keys(const cli_object *o, const char *what, const char *const *keys);
/* The key that is meant by a common other word: rotation for `angle`, half_extents for `size`; otherwise the word. */
const char *cli_synonym(const char *word);
/* The index of a word in a list that ends with NULL; -1: it is not there. */
int cli_index_of(const char *word, const char *const *words);
/* Each of these reads an optional member and leaves *out unchanged if it is absent. */
bool cli_get_number(const cli_object *o, const char *key, double low, double high, double *out);
bool cli_get_whole(const cli_object *o, const char *key, double low, double high, double *out);
bool cli_get_vec(const cli_object *o, const char *key, int dim, graze_vec *out);
bool cli_get_flag(const cli_object *o, const char *key, bool *out);
bool cli_get_string(const cli_object *o, const char *key, char *out, size_t size);
/* One of some words, the last of them NULL: *out is its index. */
bool cli_get_word(const cli_object *o, const char *key, const char *const *words, int *out);

/* ---- lines.c: lines of a file or of standard input, in bounded memory; and the id of a line */

/* The maximum size of a line in bytes, without its line break. */
#define CLI_MAX_LINE ((size_t)64 << 20)

/* The model files that the queries of a file name (model.h). */
typedef struct cli_models {
  const char *name; /* of the file of queries; "-": names are relative to the current folder; NULL: no names allowed */
  struct cli_model *first;
} cli_models;

typedef struct cli_line {
  cli_span text;
  size_t number; /* from 1 */
  bool too_long; /* text is only the beginning */
  cli_models *models;
} cli_line;

typedef struct cli_lines {
  const char *name;
  int fd;
  char *data;
  size_t begin, scanned, end, capacity; /* begin … end: the unread bytes; there is no line break before `scanned` */
  size_t number;
  bool at_end, skipping;
  cli_models models; /* of all lines, until cli_lines_close() */
} cli_lines;

/* "-" is standard input. False: it cannot be read, reported on standard error. */
bool cli_lines_open(cli_lines *lines, const char *name);
void cli_lines_close(cli_lines *lines);
/* Returns the next line that is in memory, and skips blank lines. The line is valid until cli_lines_more(). */
bool cli_lines_next(cli_lines *lines, cli_line *line);
/* Reads once. False: end of file; or the read failed or found a model file, which sets *failed and is reported. */
bool cli_lines_more(cli_lines *lines, bool *failed);
/* Returns whether the input is a model file (OBJ, STL), and reports that; `allowed` is the format that is wanted. */
bool cli_reject_model(const char *name, const char *data, size_t size, const char *allowed);
/* The text of the member `id` of a line, a string or a number, also in a line that is broken after it. */
cli_span cli_json_id(cli_span line);
/* Returns whether two ids have the same value. */
bool cli_json_same_id(cli_span a, cli_span b);

#endif
