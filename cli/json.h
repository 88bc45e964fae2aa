/* Reading one line of JSON. Every number becomes a double; an id keeps its own text. */
#ifndef GRAZE_CLI_JSON_H
#define GRAZE_CLI_JSON_H

#include "complaint.h"

#include <graze/graze.h>
#include <jansson.h>

/* Bytes of a line, not ended by 0. data is NULL where there are none. */
typedef struct cli_span {
  const char *data;
  size_t size;
} cli_span;

/* Call once, before any thread: jansson is made to count its failed allocations. */
void cli_json_begin(void);

/* The object that the line, or a file of many lines, is, or NULL. The caller gives it back with json_decref(). */
json_t *cli_json_line(cli_span line, cli_error *complaint);

/* The text of the line's `id`, a string or a number; found in broken lines too, as long as the id stands before the
 * break. data is NULL where there is none. */
cli_span cli_json_id(cli_span line);

/* Do two ids mean the same? */
bool cli_json_same_id(cli_span a, cli_span b);

enum { CLI_SHOWN_SIZE = 48 };

/* A value, shortened to fit into a message. Returns out. */
const char *cli_show(const json_t *value, char out[CLI_SHOWN_SIZE]);

/* Where a value stands: a.vertices[3]. No owner: "". No index: -1. */
typedef struct cli_name {
  const char *owner, *key;
  ptrdiff_t index;
} cli_name;

enum { CLI_NAME_SIZE = 112, CLI_PLACE_SIZE = CLI_NAME_SIZE + 176 };

const char *cli_name_text(cli_name name, char out[CLI_NAME_SIZE]);

bool cli_read_number(const json_t *value, cli_name name, double *out, cli_error *complaint);
/* A list of `dim` numbers. */
bool cli_read_vec(const json_t *value, cli_name name, int dim, graze_vec *out, cli_error *complaint);
/* A list of exactly `count` numbers. */
bool cli_read_numbers(const json_t *value, cli_name name, size_t count, double *out, cli_error *complaint);

#endif
