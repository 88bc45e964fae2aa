/* Runs the recorder and the printers of `graze explain` for shapes in memory.
 *
 * The functions below named cli_… replace those of cli/json.c, cli/body.c, cli/request.c and cli/answer_parser.c, which
 * read JSON. They keep the contracts of cli/json.h and cli/queries.h. */
#include "explain/explanation.h"
#include "explain/story.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Errors */

const char *cli_error_code_text(cli_error_code code) { return code == CLI_OUT_OF_MEMORY ? "out_of_memory" : "error"; }

bool cli_reject(cli_error *error, cli_error_code code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  error->code = code;
  vsnprintf(error->message, sizeof error->message, format, list);
  va_end(list);
  return false;
}

bool cli_reject_memory(cli_error *error) { return cli_reject(error, CLI_OUT_OF_MEMORY, "out of memory"); }

const char *cli_choice(const char *given, const char *const *words, char out[CLI_CHOICE_SIZE]) {
  (void)given;
  snprintf(out, CLI_CHOICE_SIZE, "must be %s", words[0] ? words[0] : "another one");
  return out;
}

/* ---- Words of certificates, by the values of their enumerations */

const char *const cli_kinds[] = {"undecided", "separated", "touch", "inside", "near", "plane",
                                 "seam",      "axes",      "in_a",  "in_b",   NULL};
const char *const cli_forms[] = {"", "direction", "nearest", "facet", "edge", NULL};
const char *const cli_frontier_kinds[] = {"a", "b", "", "pair", NULL};

/* ---- Bodies and requests */

bool cli_has_parts(const cli_body *body) { return body->compound || body->mesh; }

double cli_radius(const graze_shape *shape) {
  if (shape->kind == GRAZE_SPHERE) return shape->as.sphere.radius + shape->margin;
  return shape->kind == GRAZE_CAPSULE ? shape->as.capsule.radius + shape->margin : shape->margin;
}

bool cli_body_is_curved(const cli_body *body) { return graze_is_curved(&body->placed.shape); }

bool cli_prepare_bodies(cli_request *r, cli_error *error) {
  (void)r, (void)error;
  return true;
}

const char *cli_query_text(cli_query query) {
  static const char *const names[] = {[CLI_INTERSECT] = "intersect",
                                      [CLI_DISTANCE] = "distance",
                                      [CLI_SHAPECAST] = "shapecast",
                                      [CLI_TOI] = "toi",
                                      [CLI_RAYCAST] = "raycast"};
  return names[query];
}

bool cli_query_has_distance(cli_query query) { return query == CLI_DISTANCE; }
bool cli_query_has_one_shape(cli_query query) { return query == CLI_RAYCAST; }
bool cli_query_has_motion(cli_query query) {
  return query == CLI_SHAPECAST || query == CLI_TOI || query == CLI_RAYCAST;
}
bool cli_turns(const cli_motion *motion) { return !vec_is_zero(motion->a.angular) || !vec_is_zero(motion->b.angular); }
const char *cli_method_text(cli_method method) {
  static const char *const names[CLI_METHOD_COUNT] = {
      [CLI_METHOD_AUTO] = "auto", [CLI_METHOD_GJK] = "gjk",     [CLI_METHOD_EXACT] = "exact", [CLI_METHOD_EPA] = "epa",
      [CLI_METHOD_FCCD] = "fccd", [CLI_METHOD_SWEEP] = "sweep", [CLI_METHOD_CA] = "ca",
  };
  return names[method];
}

bool cli_set_method(cli_request *request, cli_method method) {
  request->method = method;
  return method == CLI_METHOD_AUTO;
}

/* ---- The explanation */

/* Only the parser owns compounds: this body is neither changed nor freed, except for its list of parts. */
static bool make_body(const graze_placed *placed, bool decomposed, cli_body *body) {
  *body = (cli_body){.placed = *placed};
  if (placed->shape.kind == GRAZE_MESH) body->mesh = placed->shape.as.mesh;
  if (placed->shape.kind != GRAZE_COMPOUND) return true;
  memcpy(&body->compound, &placed->shape.as.compound, sizeof body->compound);
  if (decomposed) return true;
  body->part_count = graze_part_count(placed);
  body->parts = calloc(body->part_count, sizeof *body->parts);
  for (size_t i = 0; body->parts && i < body->part_count; i++) {
    graze_frame frame;
    body->parts[i].placed = graze_part(placed, i, &frame);
  }
  return body->parts != NULL;
}

static cli_method rest_method(graze_method method) {
  switch (method) {
  case GRAZE_METHOD_GJK: return CLI_METHOD_GJK;
  case GRAZE_METHOD_EXACT: return CLI_METHOD_EXACT;
  case GRAZE_METHOD_EPA: return CLI_METHOD_EPA;
  default: return CLI_METHOD_AUTO;
  }
}

static cli_method cast_method(graze_cast_method method) {
  switch (method) {
  case GRAZE_CAST_FCCD: return CLI_METHOD_FCCD;
  case GRAZE_CAST_SWEEP: return CLI_METHOD_SWEEP;
  case GRAZE_CAST_CA: return CLI_METHOD_CA;
  default: return CLI_METHOD_AUTO;
  }
}

static char *finish(cli_text *text) {
  cli_text_bytes(text, "", 1);
  char *data = text->failed ? NULL : text->data;
  if (text->failed) cli_text_free(text);
  return data;
}

bool explain_query(const explained_query *query, explanation *result, char *message, size_t size) {
  story *s = calloc(1, sizeof *s); /* too large for the stack of small threads */
  cli_request request = {.dim = query->a->shape.dim};
  cli_buffer buffer = {0};
  cli_error error = {0};
  const cli_span line = {query->line, strlen(query->line)};
  request.motion = (cli_motion){query->motion_a, query->motion_b, query->t_max};
  request.query = query->relation_only ? CLI_INTERSECT : CLI_DISTANCE;
  if (query->moves) request.query = query->ray ? CLI_RAYCAST : cli_turns(&request.motion) ? CLI_TOI : CLI_SHAPECAST;
  request.options = *query->options;
  request.cast = *query->cast_options;
  request.method = query->moves ? cast_method(request.cast.method) : rest_method(request.options.method);
  request.certificate = request.proof = true;
  *result = (explanation){0};
  bool good =
      s && make_body(query->a, query->decomposed_a, &request.a) && make_body(query->b, query->decomposed_b, &request.b);
  good = good ? story_make(&request, line, &buffer, s, &error) : cli_reject_memory(&error);
  if (good) {
    cli_text text = {0}, svg = {0}, html = {0};
    story_print_text(&text, s);
    story_print_html(&html, s);
    if (s->dim == 2) story_print_svg(&svg, s);
    result->text = finish(&text);
    result->html = finish(&html);
    if (s->dim == 2) result->svg = finish(&svg);
    story_free(s);
    good = (result->text && result->html && (query->a->shape.dim == 3 || result->svg)) || cli_reject_memory(&error);
  }
  if (!good) {
    explanation_free(result);
    snprintf(message, size, "%s", error.message);
  }
  free(s);
  free(request.a.parts);
  free(request.b.parts);
  free(request.cast.steps);
  cli_buffer_free(&buffer);
  return good;
}

void explanation_free(explanation *result) {
  free(result->text);
  free(result->svg);
  free(result->html);
  *result = (explanation){0};
}
