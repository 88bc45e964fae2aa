/* The writer of text, SVG and JSON. */
#include "explain/format.h"

#include "explain/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Digits */

int digits_for(double size, double wanted) {
  enum { DIGITS_OF_DIFFERENCE = 4 };
  if (!(wanted > 1e-15 * size) || !isfinite(size)) return DIGITS;
  int digits = DIGITS_OF_DIFFERENCE;
  for (double unit = wanted; unit <= size && digits < ALL_DIGITS; unit *= 10) digits++;
  return digits > DIGITS ? digits : DIGITS;
}

/* The magnitude of the signed distance, 0 if unknown. */
static double magnitude_of_distance(const story *s) {
  const double distance = story_answer(s)->distance;
  if (isfinite(distance)) return fabs(distance);
  return s->evidence.lower > 0 ? s->evidence.lower : s->evidence.upper < 0 ? -s->evidence.upper : 0;
}

int digits_of_point(const story *s, graze_vec point) {
  return digits_for(vec_norm_inf(point), magnitude_of_distance(s));
}

int digits_of_direction(const story *s, graze_vec direction, int digits_of_its_point) {
  int own = digits_of_point(s, direction);
  if (digits_of_its_point <= 9) return DIGITS;
  return own < digits_of_its_point ? own : digits_of_its_point;
}

int digits_of_bound(const story *s, double bound) {
  if (!(s->radius > 0) || !isfinite(bound)) return DIGITS;
  return digits_for(fmax(fabs(bound), s->radius), magnitude_of_distance(s));
}

int digits_of_witness(const story *s, graze_vec a, graze_vec b) {
  bounds of_a = {0}, of_b = {0};
  bounds_add_mesh(&of_a, &s->a.mesh);
  bounds_add_mesh(&of_b, &s->b.mesh);
  const double size = fmax(vec_norm_inf(a), vec_norm_inf(b)),
               wanted[] = {magnitude_of_distance(s), bounds_size(&of_a), bounds_size(&of_b)};
  int most = DIGITS;
  for (int i = 0; i < 3; i++)
    if (digits_for(size, wanted[i]) > most) most = digits_for(size, wanted[i]);
  return most;
}

/* ---- Numbers */

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

/* A coordinate of a picture: the same text on every machine, and always finite. */
static void emit_coordinate(cli_text *out, double value) {
  const double most = 99999;
  if (!(fabs(value) <= most)) value = value > 0 ? most : value < 0 ? -most : 0;
  long long tenths = (long long)floor(value * 10 + 0.5);
  if (tenths < 0) cli_text_str(out, "-");
  if (tenths < 0) tenths = -tenths;
  cli_text_int(out, tenths / 10);
  if (tenths % 10 == 0) return;
  cli_text_str(out, ".");
  cli_text_int(out, tenths % 10);
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

void emit_list(cli_text *out, const char *format, va_list list) {
  cli_text quoted = {0};
  va_list args;
  va_copy(args, list); /* so that args is an object whose type va_arg() accepts everywhere */
  for (const char *c = format; *c;) {
    size_t plain = strcspn(c, "%");
    cli_text_bytes(out, c, plain);
    c += plain;
    if (*c == 0) break;
    switch (c[1]) {
    case 's': cli_text_str(out, va_arg(args, const char *)); break;
    case 'i': cli_text_int(out, va_arg(args, int)); break;
    case 'z': cli_text_int(out, (long long)va_arg(args, size_t)); break;
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
      int dim = va_arg(args, int);
      int digits = c[1] == 'v' ? DIGITS : va_arg(args, int);
      emit(out, dim == 3 ? "(%r, %r, %r)" : "(%r, %r)", v.x, digits, v.y, digits, v.z, digits);
      break;
    }
    case 'c': {
      size_t count = va_arg(args, size_t);
      const char *one = va_arg(args, const char *), *several = va_arg(args, const char *);
      emit(out, "%z %s", count, count == 1 ? one : several);
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
    case 'S':
    case 'Y': {
      sentence *write = va_arg(args, sentence *);
      write(c[1] == 'S' ? out : &quoted, va_arg(args, const story *));
      break;
    }
    case 'K':
    case 'Q': {
      step_sentence *write = va_arg(args, step_sentence *);
      const story *s = va_arg(args, const story *);
      write(c[1] == 'K' ? out : &quoted, s, va_arg(args, size_t));
      break;
    }
    case 'B': {
      const story_body *body = va_arg(args, const story_body *);
      if (body->is_part) emit(out, "part %i of ", (int)body->part);
      cli_text_str(out, va_arg(args, const char *));
      break;
    }
    case 't': {
      const cli_text *text = va_arg(args, const cli_text *);
      if (text->failed) out->failed = true;
      cli_text_bytes(out, text->data, text->size);
      break;
    }
    case 'q': cli_text_quoted(out, va_arg(args, const char *)); break;
    case 'b': cli_text_str(out, va_arg(args, int) ? "true" : "false"); break;
    case 'j': cli_text_number(out, va_arg(args, double)); break;
    case 'V': {
      graze_vec v = va_arg(args, graze_vec);
      cli_print_vec(out, v, va_arg(args, int));
      break;
    }
    case 'd': emit_coordinate(out, va_arg(args, double)); break;
    case 'h': emit_escaped(out, va_arg(args, const char *)); break;
    default: cli_text_str(out, "%"); break;
    }
    if (c[1] == 'Y' || c[1] == 'Q') cli_text_quoted(out, text_string(out, &quoted));
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

const char *text_string(cli_text *out, cli_text *text) {
  cli_text_bytes(text, "", 1);
  text->size -= !text->failed; /* the 0 stands behind the text */
  if (!text->failed) return text->data;
  out->failed = true;
  return "";
}

bool sentence_choose(cli_text *out, const story *s, sentence *const *sentences, size_t count, size_t k) {
  for (size_t i = 0; i < count; i++) {
    size_t before = out->size;
    sentences[i](out, s);
    if (out->size <= before) continue;
    if (k-- == 0) return true;
    out->size = before;
  }
  return false;
}
