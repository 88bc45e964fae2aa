/* Meshes: triangles in 3D, edges in 2D, both called faces in messages about either. */
#include "binding.h"

#include <math.h>
#include <stdio.h>

/* ---- Faces ---- */

/* The faces of argument 2. */
typedef struct face_list {
  const char *name;
  int dim;             /* the number of vertices of a face */
  size_t vertex_count; /* the largest index */
  bool any;            /* accepts indices that name no vertex, as -1 */
} face_list;

/* Reads the vertex index on top of the stack, which counts from 1. `corner` is 0 in a flat list. */
static int32_t read_index(lua_State *L, const face_list *list, size_t position, int corner) {
  char place[64];
  int top = lua_gettop(L);
  double value = lua_type(L, top) == LUA_TNUMBER ? lua_tonumber(L, top) : NAN;
  bool whole = value == floor(value);
  if (whole && value >= 1 && value <= (double)list->vertex_count) return (int32_t)value - 1;
  if (whole && list->any) return -1;
  if (corner > 0)
    snprintf(place, sizeof place, "%s[%lu][%d]", list->name, (unsigned long)position, corner);
  else
    snprintf(place, sizeof place, "%s[%lu]", list->name, (unsigned long)position);
  const char *most = grl_format_number(L, (double)list->vertex_count);
  return grl_reject_value(L, 2, top, place,
                          list->any ? "a whole number" : lua_pushfstring(L, "a whole number from 1 to %s", most));
}

/* Reads the face on top of the stack. */
static void read_face(lua_State *L, const face_list *list, size_t position, int32_t *face) {
  char place[64], allowed[48];
  int top = lua_gettop(L);
  bool table = lua_istable(L, top);
  if (!table || grl_length(L, top) != (size_t)list->dim) {
    snprintf(place, sizeof place, "%s[%lu]", list->name, (unsigned long)position);
    snprintf(allowed, sizeof allowed, "a table of %d vertex indices", list->dim);
    if (!table) grl_reject_value(L, 2, top, place, allowed);
    grl_reject(L, 2, "%s: invalid value (a table of %d values), must be %s", place, (int)grl_length(L, top), allowed);
  }
  for (int k = 0; k < list->dim; k++) {
    lua_rawgeti(L, top, k + 1);
    face[k] = read_index(L, list, position, k + 1);
    lua_pop(L, 1);
  }
}

/* Reads the faces: tables of vertex indices, or a flat list of indices. Pushes a userdata that holds them. */
static const int32_t *read_faces(lua_State *L, const face_list *list, size_t *count) {
  size_t dim = (size_t)list->dim;
  if (!lua_istable(L, 2)) grl_reject_value(L, 2, 2, list->name, lua_pushfstring(L, "a list of %s", list->name));
  size_t length = grl_length(L, 2);
  if (length == 0) grl_reject(L, 2, "%s: invalid value (an empty table), must be a list of %s", list->name, list->name);
  lua_rawgeti(L, 2, 1);
  bool flat = lua_type(L, -1) == LUA_TNUMBER;
  lua_pop(L, 1);
  if (flat && length % dim != 0)
    grl_reject(L, 2, "%s: wrong count (%d numbers), must be %d vertex indices for each face", list->name, (int)length,
               list->dim);
  *count = flat ? length / dim : length;
  int32_t *faces = lua_newuserdata(L, *count * dim * sizeof *faces);
  for (size_t i = 0; i < length; i++) {
    lua_rawgeti(L, 2, (int)i + 1);
    if (flat)
      faces[i] = read_index(L, list, i + 1, 0);
    else
      read_face(L, list, i + 1, faces + dim * i);
    lua_pop(L, 1);
  }
  return faces;
}

/* Reads an option at argument 3 that is true or false; the only one. */
static bool read_option(lua_State *L, const char *key) {
  const char *const keys[] = {key, NULL};
  char name[32];
  bool value = false;
  if (grl_absent(L, 3)) return false;
  if (!lua_istable(L, 3)) grl_reject_value(L, 3, 3, "options", "a table");
  snprintf(name, sizeof name, "options.%s", key);
  for (lua_pushnil(L); lua_next(L, 3) != 0; lua_pop(L, 1)) {
    grl_key(L, 3, "options", keys);
    value = grl_flag(L, 3, lua_gettop(L), name);
  }
  return value;
}

/* Reads the vertices and faces of the arguments, which userdata on the stack hold. `dim` is 0 for that of the
 * vertices. */
static graze_mesh_def read_mesh(lua_State *L, const char *name, int dim, bool any) {
  graze_mesh_def def = {.dim = dim};
  def.vertices = grl_points(L, 1, 1, "vertices", &def.vertex_count, &def.dim);
  const face_list list = {name, def.dim, def.vertex_count, any};
  def.faces = read_faces(L, &list, &def.face_count);
  return def;
}

/* ---- Shapes ---- */

static int push_mesh(lua_State *L, const char *name, int dim) {
  grl_check_count(L, 2, 3);
  bool surface = read_option(L, "surface");
  graze_mesh_def def = read_mesh(L, name, dim, false);
  def.surface = surface;
  grl_shape *made = grl_push_shape(L, graze_point());
  graze_error error = {.index = -1};
  made->store = grl_store_new(0);
  graze_status status = GRAZE_OUT_OF_MEMORY;
  if (made->store) status = graze_mesh_create(&def, NULL, &made->store->mesh, &error);
  grl_check_status(L, 1, NULL, status, &error);
  made->shape = graze_mesh_shape(made->store->mesh);
  grl_report_memory(L, def.vertex_count * sizeof(graze_vec) + def.face_count * 64);
  return 1;
}

/* graze.mesh(vertices, triangles, {surface}) */
static int mesh(lua_State *L) { return push_mesh(L, "triangles", 3); }

/* graze.mesh2(vertices, edges, {surface}) */
static int mesh2(lua_State *L) { return push_mesh(L, "edges", 2); }

/* ---- Validation ---- */

static void push_error(lua_State *L, const graze_mesh_error *error) {
  lua_createtable(L, 0, 4);
  grl_set_string(L, "kind", graze_mesh_error_text(error->kind));
  grl_set_integer(L, "face", (ptrdiff_t)error->face + 1);
  if (error->kind == GRAZE_MESH_BAD_INDEX || error->kind == GRAZE_MESH_OPEN_EDGE ||
      error->kind == GRAZE_MESH_SHARED_EDGE || error->kind == GRAZE_MESH_ORIENTATION)
    grl_set_integer(L, "corner", error->corner + 1);
  if (error->other >= 0) grl_set_integer(L, "other", (ptrdiff_t)error->other + 1);
}

/* graze.validate_mesh(vertices, faces, {intersections}): a table. */
static int validate_mesh(lua_State *L) {
  grl_check_count(L, 2, 3);
  bool intersections = read_option(L, "intersections");
  graze_mesh_def def = read_mesh(L, "faces", 0, true);
  grl_guard *g = grl_new(L, sizeof *g, GRL_GUARD);
  graze_mesh_report *report = &g->mesh_report;
  graze_error error = {.index = -1};
  grl_check_status(L, 1, NULL, graze_validate_mesh(&def, intersections, NULL, report, &error), &error);
  lua_createtable(L, 0, 4);
  grl_set_flag(L, "closed", report->closed);
  grl_set_flag(L, "oriented", report->oriented);
  grl_set_number(L, def.dim == 2 ? "area" : "volume", report->volume);
  lua_createtable(L, (int)report->error_count, 0);
  for (size_t i = 0; i < report->error_count; i++) {
    push_error(L, &report->errors[i]);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "errors");
  graze_mesh_report_destroy(report);
  return 1;
}

const luaL_Reg grl_mesh_functions[] = {
    {"mesh", mesh},
    {"mesh2", mesh2},
    {"validate_mesh", validate_mesh},
    {NULL, NULL},
};
