/* Meshes that must be solid but are not: their first validation error as a message. */
#include "answers.h"

/* Appends what is wrong, with the coordinates and the faces. */
static void emit_error(cli_text *out, const graze_mesh_def *def, const graze_mesh_error *e) {
  const int32_t *face = def->faces + (size_t)def->dim * (size_t)e->face;
  const graze_vec from = def->vertices[face[e->corner]], to = def->vertices[face[(e->corner + 1) % def->dim]];
  const bool open = e->kind == GRAZE_MESH_OPEN_EDGE;
  if (open && def->dim == 2)
    emit(out, "the vertex %V belongs to edge %i only", from, 2, (int)e->face);
  else if (open)
    emit(out, "the edge from %V to %V belongs to triangle %i only", from, 3, to, 3, (int)e->face);
  else if (def->dim == 2)
    emit(out, "edges %i and %i both start or both end at %V", (int)e->other, (int)e->face, from, 2);
  else
    emit(out, "the edge from %V to %V has the same direction in triangles %i and %i", from, 3, to, 3, (int)e->other,
         (int)e->face);
}

static bool is_of_solids(const graze_mesh_error *e) {
  return e->kind == GRAZE_MESH_OPEN_EDGE || e->kind == GRAZE_MESH_ORIENTATION;
}

bool cli_check_solid(const cli_body *body, const char *name, cli_error *error) {
  if (!body->must_be_solid || graze_mesh_is_solid(body->mesh)) return true;
  const graze_mesh_def def = graze_mesh_faces(body->mesh);
  graze_mesh_report report;
  if (graze_validate_mesh(&def, false, NULL, &report, NULL) != GRAZE_OK) return cli_reject_memory(error);
  size_t i = 0;
  cli_text where = {0};
  while (i < report.error_count && !is_of_solids(&report.errors[i])) i++;
  if (i < report.error_count) emit_error(&where, &def, &report.errors[i]);
  cli_reject(error, CLI_BAD_SHAPE,
             "%s.solid: the mesh is not %s (%s), must be closed and consistently oriented, or \"solid\":false", name,
             report.closed ? "consistently oriented" : "closed", text_string(&where, &where));
  cli_text_free(&where);
  graze_mesh_report_destroy(&report);
  return false;
}
