/* Placed shapes of type mesh: their vertices and faces, or a model file. */
#include "queries.h"

#include "model.h"

#include <math.h>
#include <stdlib.h>

/* Reads [[i,j,k],…], in 2D [[i,j],…], as one list of indices of vertices. */
static bool read_faces(const cli_object *o, const char *key, const json_t *list, graze_mesh_def *def,
                       int32_t **indices) {
  const size_t dim = (size_t)def->dim, count = json_array_size(list);
  char shown[CLI_SHOWN_SIZE];
  if (!json_is_array(list))
    return cli_reject_key(o, CLI_BAD_SHAPE, key, "invalid value", "must be a list of lists of %zu indices", dim);
  if (count == 0) return cli_reject(o->error, CLI_BAD_SHAPE, "%s.%s: empty, must have at least one", o->name, key);
  int32_t *next = *indices = malloc(dim * count * sizeof *next);
  if (next == NULL) return cli_reject_memory(o->error);
  for (size_t i = 0; i < count; i++) {
    const json_t *face = json_array_get(list, i);
    if (!json_is_array(face) || json_array_size(face) != dim)
      return cli_reject(o->error, CLI_BAD_SHAPE, "%s.%s[%zu]: invalid value (%s), must be a list of %zu indices",
                        o->name, key, i, cli_show(face, shown), dim);
    for (size_t k = 0; k < dim; k++) {
      const json_t *value = json_array_get(face, k);
      const double index = json_is_number(value) ? json_number_value(value) : -1;
      if (!(index >= 0 && index < (double)def->vertex_count) || index != floor(index))
        return cli_reject(o->error, CLI_BAD_SHAPE,
                          "%s.%s[%zu][%zu]: invalid index (%s), must be a whole number from 0 to %zu", o->name, key, i,
                          k, cli_show(value, shown), def->vertex_count - 1);
      *next++ = (int32_t)index;
    }
  }
  def->faces = *indices;
  def->face_count = count;
  return true;
}

/* Reads `vertices` and the faces. */
static bool read_lists(const cli_object *o, graze_mesh_def *def, graze_vec **vertices, int32_t **indices) {
  const char *key = def->dim == 2 ? "edges" : "triangles";
  const json_t *list = json_object_get(o->json, "vertices"), *faces = json_object_get(o->json, key);
  if (list == NULL)
    return cli_reject_key(o, CLI_MISSING, "vertices", "missing",
                          def->dim == 2 ? "required for type mesh" : "a mesh has vertices and triangles, or a file");
  if (faces == NULL) return cli_reject_key(o, CLI_MISSING, key, "missing", "required for a mesh with vertices");
  if (!cli_read_points(list, (cli_name){o->name, "vertices", -1}, def->dim, 1, vertices, &def->vertex_count, o->error))
    return false;
  def->vertices = *vertices;
  return read_faces(o, key, faces, def, indices);
}

static bool create_mesh(const cli_object *o, int dim, bool surface, cli_body *body) {
  graze_mesh_def def = {.dim = dim, .surface = surface};
  graze_vec *vertices = NULL;
  int32_t *indices = NULL;
  bool good = read_lists(o, &def, &vertices, &indices);
  /* The lists are valid, so only memory can be missing. */
  good = good && (graze_mesh_create(&def, NULL, &body->own_mesh, NULL) == GRAZE_OK || cli_reject_memory(o->error));
  free(vertices);
  free(indices);
  body->mesh = body->own_mesh;
  return good;
}

static bool read_file(const cli_object *o, bool surface, cli_models *models, cli_body *body) {
  char name[CLI_NAME_SIZE];
  static const char *const lists[] = {"vertices", "triangles"};
  for (int i = 0; i < 2; i++)
    if (json_object_get(o->json, lists[i]))
      return cli_reject(o->error, CLI_UNSUPPORTED, "%s.%s: not supported beside a file, remove one of them", o->name,
                        lists[i]);
  cli_name_text((cli_name){o->name, "file", -1}, name);
  body->model = cli_model_read(models, json_object_get(o->json, "file"), name, surface, o->error);
  if (body->model) body->mesh = cli_model_mesh(body->model);
  return body->model;
}

bool cli_mesh_read(const cli_object *o, int dim, cli_models *models, cli_body *body) {
  static const char *const flat[] = {"file", "triangles"};
  bool solid = true;
  for (int i = 0; dim == 2 && i < 2; i++)
    if (json_object_get(o->json, flat[i]))
      return cli_reject_key(o, CLI_DIM_MISMATCH, flat[i], "not supported in 2D", "a 2D mesh has vertices and edges");
  if (dim == 3 && json_object_get(o->json, "edges"))
    return cli_reject_key(o, CLI_DIM_MISMATCH, "edges", "not supported in 3D", "a 3D mesh has triangles");
  if (!cli_get_flag(o, "solid", &solid)) return false;
  body->must_be_solid = solid && json_object_get(o->json, "solid");
  const bool good =
      json_object_get(o->json, "file") ? read_file(o, !solid, models, body) : create_mesh(o, dim, !solid, body);
  if (!good) return false;
  const graze_mesh_def faces = graze_mesh_faces(body->mesh);
  body->vertices = faces.vertices;
  body->vertex_count = faces.vertex_count;
  return true;
}
