/* Growing output text and emit(): see text.h. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cli_text_free(cli_text *text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

void cli_text_bytes(cli_text *text, const char *bytes, size_t size) {
  if (size == 0 || text->failed) return;
  if (size > SIZE_MAX - text->size || !cli_grow(&text->data, 1, &text->capacity, text->size + size)) {
    free(text->data);
    *text = (cli_text){.failed = true};
    return;
  }
  memcpy(text->data + text->size, bytes, size);
  text->size += size;
}

void cli_text_str(cli_text *text, const char *string) { cli_text_bytes(text, string, strlen(string)); }

void cli_text_format(cli_text *text, const char *format, ...) {
  char buffer[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  cli_text_str(text, buffer);
}

void cli_text_plain(cli_text *text, const char *string) {
  for (const char *c = string; *c; c++) {
    unsigned byte = (unsigned char)c[0], next = (unsigned char)c[1];
    if (byte < 0x20 || byte == 0x7f) {
      cli_text_format(text, "\\u%04x", byte);
    } else if (byte == 0xC2 && next >= 0x80 && next < 0xA0) { /* U+0080 to U+009F */
      cli_text_format(text, "\\u%04x", next);
      c++;
    } else {
      cli_text_bytes(text, c, 1);
    }
  }
}

const char *cli_number_text(double value, char out[CLI_NUMBER_SIZE]) {
  if (value == 0) value = 0; /* -0 means the same as 0 in every answer */
  snprintf(out, CLI_NUMBER_SIZE, "null");
  for (int digits = 15; isfinite(value) && digits <= 17; digits++) {
    snprintf(out, CLI_NUMBER_SIZE, "%.*g", digits, value);
    if (strtod(out, NULL) == value) break;
  }
  return out;
}

/* "<" occurs only in strings, where an escape is allowed. */
void cli_text_script(cli_text *out, const cli_text *json) {
  size_t from = 0;
  if (json->failed) out->failed = true;
  for (size_t i = 0; i < json->size; i++) {
    if (json->data[i] != '<') continue;
    cli_text_bytes(out, json->data + from, i - from);
    cli_text_str(out, "\\u003c");
    from = i + 1;
  }
  if (json->size > from) cli_text_bytes(out, json->data + from, json->size - from);
}

const char *text_string(cli_text *out, cli_text *text) {
  cli_text_bytes(text, "", 1);
  text->size -= !text->failed; /* the 0 stands behind the text */
  if (!text->failed) return text->data;
  out->failed = true;
  return "";
}

/* ---- emit() */

/* printf's digits with a true minus sign and a short exponent: 1e-05 becomes 1e−5, 1e+40 becomes 1e40. */
static void emit_number(cli_text *out, double value, int digits) {
  char buffer[CLI_NUMBER_SIZE];
  if (!isfinite(value)) {
    cli_text_str(out, isnan(value) ? "?" : value > 0 ? "∞" : "−∞");
    return;
  }
  if (digits >= ALL_DIGITS) {
    cli_number_text(value, buffer);
  } else {
    if (value == 0) value = 0; /* -0 */
    int whole = 1;             /* up to 9 digits before the point are not rounded */
    for (double ten = 10; ten <= fabs(value) && whole < 10; ten *= 10) whole++;
    if (whole > digits && whole < 10) digits = whole;
    snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  }
  for (const char *c = buffer; *c; c++) {
    if (*c == '-')
      cli_text_str(out, "−");
    else if (*c != '+')
      cli_text_bytes(out, c, 1);
    if ((*c == '-' || *c == '+') && c > buffer)
      while (c[1] == '0' && c[2]) c++;
  }
}

static void emit_escaped(cli_text *out, const char *text) {
  for (; *text; text++) {
    const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : "&quot;";
    if (strchr("<>&\"", *text))
      cli_text_str(out, entity);
    else /* XML has no control characters */
      cli_text_bytes(out, (unsigned char)*text >= 0x20 ? text : " ", 1);
  }
}

static void emit_quoted(cli_text *text, const char *string) {
  cli_text_str(text, "\"");
  for (const char *c = string; *c; c++) {
    if (*c == '"' || *c == '\\')
      cli_text_format(text, "\\%c", *c);
    else if ((unsigned char)*c < 0x20)
      cli_text_format(text, "\\u%04x", *c);
    else
      cli_text_bytes(text, c, 1);
  }
  cli_text_str(text, "\"");
}

/* A list of numbers, or null if one of them is not finite. */
static void emit_numbers(cli_text *out, const double *numbers, int count) {
  bool finite = true;
  for (int i = 0; i < count; i++) finite = finite && isfinite(numbers[i]);
  for (int i = 0; finite && i < count; i++) emit(out, i > 0 ? ",%j" : "[%j", numbers[i]);
  cli_text_str(out, finite ? "]" : "null");
}

/* "[i,j"; negative vertices are indices of points. */
static void emit_pair(cli_text *out, int32_t a, const graze_vec *of_a, int32_t b, const graze_vec *of_b, int dim) {
  a >= 0 ? emit(out, "[%i,", (int)a) : emit(out, "[%V,", of_a[-1 - a], dim);
  b >= 0 ? emit(out, "%i", (int)b) : emit(out, "%V", of_b[-1 - b], dim);
}

void emit_list(cli_text *out, const char *format, va_list list) {
  cli_text quoted = {0};
  char number[CLI_NUMBER_SIZE];
  va_list args;
  va_copy(args, list); /* so that args is an object whose type va_arg() accepts everywhere */
  for (const char *c = format; *c;) {
    size_t plain = strcspn(c, "%");
    cli_text_bytes(out, c, plain);
    c += plain;
    if (*c == 0) break;
    switch (c[1]) {
    case 's': cli_text_str(out, va_arg(args, const char *)); break;
    case 't': {
      const cli_text *text = va_arg(args, const cli_text *);
      if (text->failed) out->failed = true;
      cli_text_bytes(out, text->data, text->size);
      break;
    }
    case 'i': cli_text_format(out, "%d", va_arg(args, int)); break;
    case 'z': cli_text_format(out, "%zu", va_arg(args, size_t)); break;
    case 'c': {
      size_t count = va_arg(args, size_t);
      const char *one = va_arg(args, const char *), *several = va_arg(args, const char *);
      cli_text_format(out, "%zu %s", count, count == 1 ? one : several);
      break;
    }
    case 'n': emit_number(out, va_arg(args, double), DIGITS); break;
    case 'x': emit_number(out, va_arg(args, double), ALL_DIGITS); break;
    case 'r': {
      double value = va_arg(args, double);
      emit_number(out, value, va_arg(args, int));
      break;
    }
    case 'v':
    case 'w': {
      graze_vec v = va_arg(args, graze_vec);
      int dim = va_arg(args, int), digits = c[1] == 'v' ? DIGITS : va_arg(args, int);
      emit(out, dim == 3 ? "(%r, %r, %r)" : "(%r, %r)", v.x, digits, v.y, digits, v.z, digits);
      break;
    }
    case 'P': {
      const graze_cso_point *w = va_arg(args, const graze_cso_point *);
      emit(out, "A%i − B%i", (int)w->a, (int)w->b);
      break;
    }
    case 'p': {
      const graze_cso_point *w = va_arg(args, const graze_cso_point *);
      int dim = va_arg(args, int), digits = va_arg(args, int);
      cso_point_has_vertices(w) ? emit(out, "%P", w) : emit(out, "%w", w->point, dim, digits);
      break;
    }
    case 'B': {
      int part = va_arg(args, int);
      const char *word = va_arg(args, const char *);
      if (part >= 0) emit(out, "%s %i of ", word, part);
      cli_text_str(out, va_arg(args, const char *));
      break;
    }
    case 'S':
    case 'Y': {
      sentence *write = va_arg(args, sentence *);
      write(c[1] == 'S' ? out : &quoted, va_arg(args, const struct story *));
      break;
    }
    case 'K':
    case 'Q': {
      step_sentence *write = va_arg(args, step_sentence *);
      const struct story *s = va_arg(args, const struct story *);
      write(c[1] == 'K' ? out : &quoted, s, va_arg(args, size_t));
      break;
    }
    case 'q': emit_quoted(out, va_arg(args, const char *)); break;
    case 'b': cli_text_str(out, va_arg(args, int) ? "true" : "false"); break;
    case 'j': cli_text_str(out, cli_number_text(va_arg(args, double), number)); break;
    case 'V': {
      graze_vec v = va_arg(args, graze_vec);
      emit_numbers(out, (const double[]){v.x, v.y, v.z}, va_arg(args, int));
      break;
    }
    case 'R': {
      const graze_pose *p = va_arg(args, const graze_pose *);
      bool flat = va_arg(args, int) == 2;
      emit_numbers(out, flat ? (const double[]){p->w, p->z} : (const double[]){p->w, p->x, p->y, p->z}, flat ? 2 : 4);
      break;
    }
    case 'L': {
      const graze_vec *points = va_arg(args, const graze_vec *);
      size_t count = va_arg(args, size_t);
      int dim = va_arg(args, int);
      for (size_t i = 0; i < count; i++) emit(out, "%s%V", i > 0 ? "," : "[", points[i], dim);
      cli_text_str(out, count > 0 ? "]" : "[]");
      break;
    }
    case 'W': {
      const graze_cso_point *w = va_arg(args, const graze_cso_point *);
      emit_pair(out, w->a, &w->point_a, w->b, &w->point_b, va_arg(args, int));
      cli_text_str(out, "]");
      break;
    }
    case 'A': {
      const graze_pair *pairs = va_arg(args, const graze_pair *);
      int count = va_arg(args, int);
      const graze_vec *points = va_arg(args, const graze_vec *);
      int dim = va_arg(args, int);
      for (int i = 0; i < count; i++) {
        cli_text_str(out, i > 0 ? "," : "[");
        emit_pair(out, pairs[i].a, points, pairs[i].b, points, dim);
        cli_text_str(out, pairs[i].end ? ",1]" : "]");
      }
      cli_text_str(out, count > 0 ? "]" : "[]");
      break;
    }
    case 'd': { /* a coordinate of a picture: the same text on every machine, and always finite */
      const double value = va_arg(args, double), most = 99999;
      const double inside = fabs(value) <= most ? value : value > 0 ? most : value < 0 ? -most : 0;
      const long long tenths = (long long)floor(inside * 10 + 0.5), size = llabs(tenths);
      cli_text_format(out, size % 10 ? "%s%lld.%lld" : "%s%lld", tenths < 0 ? "-" : "", size / 10, size % 10);
      break;
    }
    case 'h': emit_escaped(out, va_arg(args, const char *)); break;
    default: cli_text_str(out, "%"); break;
    }
    if (c[1] == 'Y' || c[1] == 'Q') emit_quoted(out, text_string(out, &quoted));
    quoted.size = 0;
    c += c[1] ? 2 : 1;
  }
  cli_text_free(&quoted);
  va_end(args);
}

void emit(cli_text *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  emit_list(out, format, list);
  va_end(list);
}

const char *comma(size_t i) { return i > 0 ? "," : ""; }

bool cli_grow(void *list, size_t size, size_t *capacity, size_t count) {
  void *elements;
  if (count <= *capacity) return true;
  size_t more = *capacity ? 2 * *capacity : 64;
  while (more < count && more <= SIZE_MAX / 2) more *= 2;
  if (more < count || more > SIZE_MAX / size) return false;
  memcpy(&elements, list, sizeof elements);
  elements = realloc(elements, more * size);
  if (elements == NULL) return false;
  memcpy(list, &elements, sizeof elements);
  *capacity = more;
  return true;
}
