/* Growing output text: strings, numbers and JSON members are appended to it. */
#ifndef GRAZE_CLI_TEXT_H
#define GRAZE_CLI_TEXT_H

#include <graze/graze.h>

/* Initialise with zeros. When memory runs out, `failed` is set and later additions have no effect. */
typedef struct cli_text {
  char *data;
  size_t size, capacity;
  bool failed;
} cli_text;

void cli_text_free(cli_text *text);
void cli_text_bytes(cli_text *text, const char *bytes, size_t size);
void cli_text_str(cli_text *text, const char *string);
void cli_text_int(cli_text *text, long long value);
/* The formatted result is cut at 255 bytes. */
void cli_text_format(cli_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends UTF-8 for a terminal: control characters, which can move the cursor or set colours, become \u001b. */
void cli_text_plain(cli_text *text, const char *string);
/* Appends JSON inside a script element of a page. Sets `failed` if `json` has failed. */
void cli_text_script(cli_text *out, const cli_text *json);

/* JSON values. A number that is not finite becomes null. Strings are UTF-8. */
void cli_text_number(cli_text *text, double value);
void cli_text_quoted(cli_text *text, const char *string);
/* Appends `content` as a JSON string and frees it. Sets `failed` if `content` has failed. */
void cli_text_quote(cli_text *out, cli_text *content);
/* A list of `dim` numbers, or null if one of them is not finite. */
void cli_print_vec(cli_text *out, graze_vec v, int dim);
void cli_print_points(cli_text *out, const graze_vec *points, size_t count, int dim);
/* The rotation of a pose: [w,x,y,z], in 2D [w,z]. */
void cli_print_rotation(cli_text *out, const graze_pose *pose, int dim);

/* JSON members `,"key":value`. */
void cli_print_key(cli_text *out, const char *key);
void cli_print_word(cli_text *out, const char *key, const char *word);
void cli_print_real(cli_text *out, const char *key, double value);
void cli_print_int(cli_text *out, const char *key, long long value);
void cli_print_bool(cli_text *out, const char *key, bool value);
void cli_print_vec_key(cli_text *out, const char *key, graze_vec v, int dim);

enum { CLI_NUMBER_SIZE = 32 };

/* The shortest of 15, 16 or 17 digits that reads back to the same double; "0" for -0, "null" if not finite. */
void cli_number_text(double value, char out[CLI_NUMBER_SIZE]);

/* Returns the list with a capacity of at least `count` elements of `size` bytes. NULL: out of memory; the list is
 * unchanged. */
void *cli_grow(void *list, size_t size, size_t *capacity, size_t count);

#endif
