/* Concave polygons: their decomposition into convex pieces (graze/build.h), and the queries about them. */
#include "answers.h"

/* Writes a.vertices or a.holes[k]. */
static void ring_name(const char *owner, size_t ring, char out[CLI_NAME_SIZE]) {
  cli_name_text(ring == 0 ? (cli_name){owner, "vertices", -1} : (cli_name){owner, "holes", (ptrdiff_t)ring - 1}, out);
}

/* Appends `a.vertices[3] = [1,2]`, and ` to [3,4]` for an edge. */
static void emit_location(cli_text *out, const cli_body *body, const char *owner, size_t ring, size_t index,
                          bool edge) {
  char name[CLI_NAME_SIZE];
  const graze_vec *points = ring == 0 ? body->vertices : body->holes[ring - 1].vertices;
  size_t count = ring == 0 ? body->vertex_count : body->holes[ring - 1].count;
  ring_name(owner, ring, name);
  emit(out, edge ? "%s[%z] = %V to %V" : "%s[%z] = %V", name, index, points[index % count], 2,
       points[(index + 1) % count], 2);
}

/* Reports a validation error with its ring and its points. */
static bool reject_outline(const cli_body *body, const char *owner, const graze_outline_error *e, cli_error *error) {
  char name[CLI_NAME_SIZE];
  cli_text where = {0};
  const char *kind = graze_outline_error_text(e->kind), *verb = NULL;
  bool hole = e->kind == GRAZE_OUTLINE_HOLE_OUTSIDE;
  bool edges = hole || e->kind == GRAZE_OUTLINE_EDGES_CROSS || e->kind == GRAZE_OUTLINE_EDGES_TOUCH;
  if (e->kind == GRAZE_OUTLINE_EDGES_CROSS) verb = "crosses";
  if (e->kind == GRAZE_OUTLINE_EDGES_TOUCH) verb = "touches";
  if (e->kind == GRAZE_OUTLINE_REPEATED_POINT || e->kind == GRAZE_OUTLINE_REPEATED_NEIGHBOUR) verb = "equals";
  if (hole && e->other_ring != e->ring) verb = "is an edge of a hole around";
  ring_name(owner, e->ring, name);
  if (e->kind == GRAZE_OUTLINE_FEW_POINTS)
    return cli_reject(error, CLI_NOT_SIMPLE, "%s: %s, must have at least 3", name, kind);
  if (e->kind == GRAZE_OUTLINE_ZERO_AREA) {
    graze_outline outline = {.winding = GRAZE_WINDING_NONE}; /* without its holes */
    if (e->ring == 0) graze_validate_outline(body->vertices, body->vertex_count, NULL, &outline, NULL);
    const bool area = outline.winding != GRAZE_WINDING_NONE;
    graze_outline_destroy(&outline);
    return cli_reject(error, CLI_NOT_SIMPLE, "%s: %s%s, must have an area", name, kind,
                      area ? " after its holes are removed" : "");
  }
  emit_location(&where, body, owner, e->ring, e->index, edges);
  if (verb) emit(&where, " %s ", verb);
  if (verb) emit_location(&where, body, owner, e->other_ring, e->other, edges);
  const char *allowed = verb == NULL ? "inside the outline and outside other holes"
                        : hole       ? "outside other holes"
                                     : "a simple polygon";
  cli_reject(error, CLI_NOT_SIMPLE, "%s: %s (%s), must be %s", name, kind, text_string(&where, &where), allowed);
  cli_text_free(&where);
  return false;
}

/* Decomposes a polygon with holes. The caller destroys the result with graze_decomposition_destroy(). */
static bool decompose(const cli_body *body, const char *name, graze_splitting splitting,
                      graze_decomposition *decomposition, cli_error *error) {
  graze_outline_error e = {.kind = GRAZE_OUTLINE_FEW_POINTS};
  graze_ring outline = {body->vertices, body->vertex_count};
  graze_status status =
      graze_decompose(outline, body->holes, body->hole_count, splitting, NULL, decomposition, &e, NULL);
  if (status == GRAZE_OK) return true;
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  if (status == GRAZE_NOT_SIMPLE) return reject_outline(body, name, &e, error);
  if (status == GRAZE_UNSUPPORTED)
    return cli_reject(
        error, CLI_UNSUPPORTED,
        "splitting: not supported (\"fewest\"), %s has holes, or its outline touches itself: use auto or few", name);
  return cli_reject(error, CLI_BAD_SHAPE, "%s.vertices: %s", name, graze_status_text(status));
}

bool cli_prepare_body(cli_body *body, const char *name, cli_error *error) {
  graze_decomposition decomposition = {.piece_count = 0};
  graze_compound *compound = NULL;
  if (!body->concave) return cli_check_solid(body, name, error);
  if (!decompose(body, name, GRAZE_SPLIT_AUTO, &decomposition, error)) return false;
  graze_status status = graze_decomposition_compound(&decomposition, NULL, &compound);
  graze_decomposition_destroy(&decomposition);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  if (status != GRAZE_OK) return cli_reject(error, CLI_BAD_SHAPE, "pieces of %s: %s", name, graze_status_text(status));
  cli_body_set_compound(body, compound);
  return true;
}

bool cli_prepare_bodies(cli_request *r, cli_error *error) {
  return cli_prepare_body(&r->a, "a", error) && cli_prepare_body(&r->b, "b", error);
}

bool cli_answer_convexity(const cli_request *r, cli_text *out, cli_error *error) {
  graze_outline outline;
  graze_status status = graze_validate_outline(r->a.vertices, r->a.vertex_count, NULL, &outline, NULL);
  if (status == GRAZE_OUT_OF_MEMORY) return cli_reject_memory(error);
  if (status != GRAZE_OK) return cli_reject(error, CLI_BAD_SHAPE, "a.vertices: %s", graze_status_text(status));
  cli_print_begin(out, r);
  emit(out, ",\"convex\":%b,\"simple\":%b,\"winding\":%q,\"area\":%j,\"problems\":[", outline.convex, outline.simple,
       graze_winding_text(outline.winding), outline.area);
  for (size_t i = 0; i < outline.error_count; i++) {
    const graze_outline_error *e = &outline.errors[i];
    emit(out, "%s{\"kind\":%q,\"index\":%z", comma(i), graze_outline_error_text(e->kind), e->index);
    if (e->kind != GRAZE_OUTLINE_FEW_POINTS && e->kind != GRAZE_OUTLINE_ZERO_AREA) emit(out, ",\"other\":%z", e->other);
    cli_text_str(out, "}");
  }
  cli_text_str(out, "]");
  cli_print_path(out, "edges", 0);
  graze_outline_destroy(&outline);
  return true;
}

bool cli_answer_decompose(const cli_request *r, cli_text *out, cli_error *error) {
  graze_decomposition d;
  if (!decompose(&r->a, "a", r->splitting, &d, error)) return false;
  cli_print_begin(out, r);
  cli_text_str(out, ",\"pieces\":");
  for (size_t i = 0; i < d.piece_count; i++)
    emit(out, i > 0 ? ",%L" : "[%L", d.vertices + d.piece_start[i], d.piece_start[i + 1] - d.piece_start[i], 2);
  emit(out, "],\"area\":%j,\"count\":%z,\"fewest\":%z", d.area, d.piece_count, d.fewest);
  cli_print_path(out, cli_splittings[r->splitting], 0);
  graze_decomposition_destroy(&d);
  return true;
}
