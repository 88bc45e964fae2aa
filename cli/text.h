/* Growing output text, and emit(), which writes text, JSON and SVG into it. */
#ifndef GRAZE_CLI_TEXT_H
#define GRAZE_CLI_TEXT_H

#include <graze/trace.h>
#include <stdarg.h>

/* Initialise with zeros. When memory runs out, `failed` is set and later additions have no effect. */
typedef struct cli_text {
  char *data;
  size_t size, capacity;
  bool failed;
} cli_text;

void cli_text_free(cli_text *text);
void cli_text_bytes(cli_text *text, const char *bytes, size_t size);
void cli_text_str(cli_text *text, const char *string);
/* As printf(). The formatted result is cut at 255 bytes. */
void cli_text_format(cli_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends UTF-8 for a terminal: control characters, which can move the cursor or set colours, become \u001b. */
void cli_text_plain(cli_text *text, const char *string);
/* Appends JSON inside a script element of a page. Sets `failed` if `json` has failed. */
void cli_text_script(cli_text *out, const cli_text *json);
/* The text as a C string, which is valid until the text changes. Without memory `out` fails and it is "". */
const char *text_string(cli_text *out, cli_text *text);

/* Appends a sentence about the story of `graze explain`, or nothing if it does not apply. */
struct story;
typedef void sentence(cli_text *out, const struct story *s);
/* The same about one of several steps, moments or bodies. */
typedef void step_sentence(cli_text *out, const struct story *s, size_t k);

/* Appends `format`. A directive stands for the next arguments:
 *
 *   %s  const char *                  text                  %t  const cli_text *  another text
 *   %i  int                           integer               %z  size_t            integer
 *   %c  size_t, const char *, const char *                  a count: "1 step", "7 steps"
 *
 *   Numbers for readers, with a true minus sign, "∞" and "?":
 *   %n  double                        up to DIGITS digits   %x  double            all digits
 *   %r  double, int                   so many digits
 *   %v  graze_vec, int dim            "(1, 2)"              %w  graze_vec, int dim, int digits
 *   %P  const graze_cso_point *       "A2 − B0"
 *   %p  const graze_cso_point *, int dim, int digits        the same, or its coordinates if a core is curved
 *   %B  int part, const char *word, const char *name
 *                                     "part 3 of A" for the word "part"; "A" if the part is negative
 *   %S  sentence *, const story *     another sentence      %K  step_sentence *, const story *, size_t
 *
 *   JSON; what is not finite is null:
 *   %q  const char *                  quoted                %Y %Q  as %S %K, quoted
 *   %b  bool                                                %j  double
 *   %V  graze_vec, int dim            [1,2]                 %R  const graze_pose *, int dim  [w,x,y,z], in 2D [w,z]
 *   %L  const graze_vec *, size_t count, int dim            a list of points
 *   %W  const graze_cso_point *, int dim                    [i,j]; a curved core has a point instead of an index
 *   %A  const graze_pair *, int count, const graze_vec *points, int dim
 *                                     a list of these; [i,j,1] is at the end of a time interval
 *
 *   SVG: %d  double                   with one decimal      %h  const char *      escaped */
void emit(cli_text *out, const char *format, ...);
void emit_list(cli_text *out, const char *format, va_list list);
/* "," before every element of a list but the first. */
const char *comma(size_t i);

enum { DIGITS = 6, ALL_DIGITS = 17, CLI_NUMBER_SIZE = 32 };

/* The shortest of 15, 16 or 17 digits that reads back to the same double; "0" for -0, "null" if not finite. */
const char *cli_number_text(double value, char out[CLI_NUMBER_SIZE]);
/* Returns whether vertices name the point: both cores are polytopes there. */
static inline bool cso_point_has_vertices(const graze_cso_point *w) { return w->a >= 0 && w->b >= 0; }

/* Gives the list whose pointer has the address `list` a capacity of `count`. False: out of memory; unchanged. */
bool cli_grow(void *list, size_t size, size_t *capacity, size_t count);

/* The pages of `graze explain --html` and `graze simulate --html`, each split where its data are inserted as JSON, and
 * the style sheet of pictures. UTF-8 without a terminator, generated from explain/page and simulate/page. */
extern const unsigned char page_head[], page_tail[], page_picture[], player_head[], player_tail[];
extern const size_t page_head_size, page_tail_size, page_picture_size, player_head_size, player_tail_size;

#endif
