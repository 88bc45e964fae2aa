/* JSON input: parsing a line with jansson, and reading the members of an object with complete error messages. */
#ifndef GRAZE_CLI_JSON_H
#define GRAZE_CLI_JSON_H

#include "error.h"

#include <graze/graze.h>
#include <jansson.h>

/* Bytes of a line, without a terminator. data is NULL if there are none. */
typedef struct cli_span {
  const char *data;
  size_t size;
} cli_span;

/* Call once, before any thread starts: makes jansson report its failed allocations. */
void cli_json_begin(void);

/* Parses a line, or a whole file, that is one object. Every number becomes a double. NULL: see error. The caller
 * releases the object with json_decref(). */
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

/* Read a value whose name is known. A number is finite and at most 1e40 in magnitude. */
bool cli_read_number(const json_t *value, cli_name name, double *out, cli_error *error);
bool cli_read_numbers(const json_t *value, cli_name name, size_t count, double *out, cli_error *error);
bool cli_read_vec(const json_t *value, cli_name name, int dim, graze_vec *out, cli_error *error);

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
bool cli_is_one_of(const char *word, const char *const *words);

/* Each of these reads an optional member and leaves *out unchanged if it is absent. */
bool cli_get_number(const cli_object *o, const char *key, double low, double high, double *out);
bool cli_get_whole(const cli_object *o, const char *key, double low, double high, double *out);
bool cli_get_vec(const cli_object *o, const char *key, int dim, graze_vec *out);
bool cli_get_flag(const cli_object *o, const char *key, bool *out);
bool cli_get_string(const cli_object *o, const char *key, char *out, size_t size);
/* One of some words, the last of them NULL: *out is its index. */
bool cli_get_word(const cli_object *o, const char *key, const char *const *words, int *out);

#endif
