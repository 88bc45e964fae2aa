/* Constructors of shapes. The number of arguments distinguishes 2D from 3D where both exist. */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

grl_shape *grl_check_shape(lua_State *L, int argument, const char *name) {
  grl_shape *shape = grl_test(L, argument, GRL_SHAPE);
  if (shape == NULL && grl_test(L, argument, GRL_PLACED))
    grl_reject(L, argument, "%s: invalid value (a placed shape), must be a shape, for instance placed:shape()", name);
  if (shape == NULL) grl_reject_value(L, argument, argument, name, "a shape");
  if (shape->freed) grl_reject(L, argument, "%s: already freed", name);
  return shape;
}

const char *grl_kind_text(graze_shape_kind kind) {
  static const char *const names[] = {"point", "segment",   "triangle", "box",       "polygon",
                                      "hull",  "sphere",    "capsule",  "ellipsoid", "cylinder",
                                      "cone",  "halfspace", "user",     "compound",  "mesh"};
  return kind >= GRAZE_POINT && kind <= GRAZE_MESH ? names[kind - GRAZE_POINT] : "unknown";
}

bool grl_has_parts(const graze_shape *shape) { return shape->kind == GRAZE_COMPOUND || shape->kind == GRAZE_MESH; }

grl_shape *grl_push_shape(lua_State *L, graze_shape shape) {
  grl_shape *made = grl_new(L, sizeof *made, GRL_SHAPE);
  made->shape = shape;
  return made;
}

static graze_status validate(lua_State *L, const grl_shape *shape, graze_error *error) {
  lua_State *before = grl_enter(L);
  graze_status status = graze_check(&shape->shape, NULL, error);
  grl_leave(L, before);
  return status;
}

void grl_validate_shape(lua_State *L, int argument, const grl_shape *shape) {
  graze_error error = {.index = -1};
  graze_status status = validate(L, shape, &error);
  grl_check_status(L, argument, NULL, status, &error);
}

/* Pushes a shape without memory. The arguments of the Lua call are its numbers, in the order of the fields. */
static int push_simple(lua_State *L, graze_shape shape) {
  int argument = 1;
  graze_error error = {.index = -1};
  graze_status status = validate(L, grl_push_shape(L, shape), &error);
  if (error.what && strcmp(error.what, "half_length") == 0) argument = 2;
  if (error.what && error.index >= 0 && (strcmp(error.what, "half_extents") == 0 || strcmp(error.what, "radii") == 0))
    argument = 1 + (int)error.index;
  grl_check_status(L, argument, NULL, status, &error);
  return 1;
}

/* The dimension: 2 for `least` arguments, 3 for least + step. */
static int dim_by_count(lua_State *L, int least, int step) {
  int count = lua_gettop(L);
  if (count != least && count != least + step) grl_reject_count(L, least, least + step, false);
  return count == least ? 2 : 3;
}

static int point(lua_State *L) {
  grl_check_count(L, 0, 0);
  return push_simple(L, graze_point());
}

static int point2(lua_State *L) {
  grl_check_count(L, 0, 0);
  return push_simple(L, graze_point2());
}

static int segment(lua_State *L) {
  int dim = dim_by_count(L, 4, 2);
  graze_vec a = grl_vec_arguments(L, 1, dim, "a"), b = grl_vec_arguments(L, 1 + dim, dim, "b");
  return push_simple(L, dim == 2 ? graze_segment2(a, b) : graze_segment(a, b));
}

static int triangle(lua_State *L) {
  int dim = dim_by_count(L, 6, 3);
  graze_vec a = grl_vec_arguments(L, 1, dim, "a"), b = grl_vec_arguments(L, 1 + dim, dim, "b"),
            c = grl_vec_arguments(L, 1 + 2 * dim, dim, "c");
  return push_simple(L, dim == 2 ? graze_triangle2(a, b, c) : graze_triangle(a, b, c));
}

static int box(lua_State *L) {
  int dim = dim_by_count(L, 2, 1);
  graze_vec v = grl_vec_arguments(L, 1, dim, "half_extents");
  return push_simple(L, dim == 2 ? graze_box2(v.x, v.y) : graze_box(v.x, v.y, v.z));
}

static int by_radius(lua_State *L, graze_shape (*make)(double)) {
  grl_check_count(L, 1, 1);
  return push_simple(L, make(grl_number(L, 1, "radius")));
}

static int sphere(lua_State *L) { return by_radius(L, graze_sphere); }

static int circle(lua_State *L) { return by_radius(L, graze_circle); }

static int by_radius_and_length(lua_State *L, graze_shape (*make)(double, double)) {
  grl_check_count(L, 2, 2);
  double radius = grl_number(L, 1, "radius");
  return push_simple(L, make(radius, grl_number(L, 2, "half_length")));
}

static int capsule(lua_State *L) { return by_radius_and_length(L, graze_capsule); }

static int capsule2(lua_State *L) { return by_radius_and_length(L, graze_capsule2); }

static int cylinder(lua_State *L) { return by_radius_and_length(L, graze_cylinder); }

static int cone(lua_State *L) { return by_radius_and_length(L, graze_cone); }

static int ellipsoid(lua_State *L) {
  grl_check_count(L, 3, 3);
  graze_vec v = grl_vec_arguments(L, 1, 3, "radii");
  return push_simple(L, graze_ellipsoid(v.x, v.y, v.z));
}

static int ellipse(lua_State *L) {
  grl_check_count(L, 2, 2);
  graze_vec v = grl_vec_arguments(L, 1, 2, "radii");
  return push_simple(L, graze_ellipse(v.x, v.y));
}

static int halfspace(lua_State *L) {
  int dim = dim_by_count(L, 3, 1);
  graze_vec normal = grl_vec_arguments(L, 1, dim, "normal");
  double offset = grl_number(L, 1 + dim, "offset");
  return push_simple(L, dim == 2 ? graze_halfspace2(normal, offset) : graze_halfspace(normal, offset));
}

/* ---- Shapes with memory ---- */

/* Pushes a shape with a store of its own, which holds a copy of the points. */
static grl_shape *push_stored(lua_State *L, const graze_vec *points, size_t count) {
  grl_shape *made = grl_push_shape(L, graze_point());
  made->store = grl_store_new(count);
  if (made->store == NULL) grl_out_of_memory(L);
  if (count > 0) memcpy(made->store->vertices, points, count * sizeof *points);
  grl_report_memory(L, count * sizeof *points);
  return made;
}

/* An optional dimension. 0: absent; the dimension is that of the points. */
static int dim_argument(lua_State *L, int argument) {
  if (grl_absent(L, argument)) return 0;
  if (lua_type(L, argument) != LUA_TNUMBER || (lua_tonumber(L, argument) != 2 && lua_tonumber(L, argument) != 3))
    grl_reject_value(L, argument, argument, "dim", "2 or 3");
  return (int)lua_tonumber(L, argument);
}

static int polygon(lua_State *L) {
  grl_check_count(L, 1, 1);
  size_t count;
  int dim = 2;
  const graze_vec *points = grl_points(L, 1, 1, "vertices", &count, &dim);
  grl_shape *made = push_stored(L, points, count);
  made->shape = graze_polygon(made->store->vertices, count);
  graze_error error = {.index = -1};
  if (graze_check(&made->shape, NULL, &error) == GRAZE_NOT_CONVEX && error.index >= 0 && (size_t)error.index < count)
    grl_reject(L, 1, "vertices[%d]: not convex (at %s, %s), must be convex; graze.concave() accepts any outline",
               (int)error.index + 1, grl_format_number(L, points[error.index].x),
               grl_format_number(L, points[error.index].y));
  grl_validate_shape(L, 1, made);
  return 1;
}

static int hull_points(lua_State *L) {
  grl_check_count(L, 1, 2);
  size_t count;
  int dim = dim_argument(L, 2);
  const graze_vec *points = grl_points(L, 1, 1, "points", &count, &dim);
  grl_shape *made = push_stored(L, points, count);
  made->shape =
      dim == 2 ? graze_hull_points2(made->store->vertices, count) : graze_hull_points(made->store->vertices, count);
  grl_validate_shape(L, 1, made);
  return 1;
}

static void push_hull_report(lua_State *L, const graze_hull *hull) {
  lua_createtable(L, 0, 6);
  grl_set_integer(L, "affine_dim", hull->affine_dim);
  grl_push_points(L, hull->vertices, hull->vertex_count, hull->dim);
  lua_setfield(L, -2, "vertices");
  lua_createtable(L, (int)hull->vertex_count, 0);
  for (size_t i = 0; i < hull->vertex_count; i++) {
    lua_pushinteger(L, (lua_Integer)hull->indices[i] + 1);
    lua_rawseti(L, -2, (int)i + 1);
  }
  lua_setfield(L, -2, "indices");
  lua_createtable(L, (int)hull->face_count, 0);
  for (size_t f = 0; f < hull->face_count; f++) {
    int32_t first = hull->face_start[f], end = hull->face_start[f + 1];
    lua_createtable(L, end - first, 0);
    for (int32_t i = first; i < end; i++) {
      lua_pushinteger(L, hull->face_vertices[i] + 1);
      lua_rawseti(L, -2, i - first + 1);
    }
    lua_rawseti(L, -2, (int)f + 1);
  }
  lua_setfield(L, -2, "faces");
  grl_set_number(L, "area", hull->area);
  grl_set_number(L, "volume", hull->volume);
}

static int hull(lua_State *L) {
  grl_check_count(L, 1, 2);
  size_t count;
  int dim = dim_argument(L, 2);
  const graze_vec *points = grl_points(L, 1, 1, "points", &count, &dim);
  grl_shape *made = push_stored(L, NULL, 0);
  graze_error error = {.index = -1};
  graze_status status = graze_hull_create(points, count, dim, NULL, &made->store->hull, &error);
  grl_check_status(L, 1, NULL, status, &error);
  made->shape = graze_hull_shape(&made->store->hull);
  grl_report_memory(L, made->store->hull.vertex_count * 256);
  push_hull_report(L, &made->store->hull);
  return 2;
}

static int compound(lua_State *L) {
  grl_check_count(L, 1, 1);
  if (!lua_istable(L, 1)) grl_reject_value(L, 1, 1, "parts", "a list of placed shapes");
  size_t count = grl_length(L, 1);
  if (count == 0) grl_reject(L, 1, "parts: invalid value (an empty table), must be a list of placed shapes");
  grl_shape *made = push_stored(L, NULL, 0);
  grl_store *store = made->store;
  int index = lua_gettop(L);
  graze_placed *parts = lua_newuserdata(L, count * sizeof *parts);
  store->children = calloc(count, sizeof(grl_store *));
  if (store->children == NULL) grl_out_of_memory(L);
  store->child_count = count;
  for (size_t i = 0; i < count; i++) {
    lua_rawgeti(L, 1, (int)i + 1);
    const grl_placed *part = grl_test(L, lua_gettop(L), GRL_PLACED);
    if (part == NULL || part->freed)
      grl_reject(L, 1, "parts[%d]: invalid value (%s), must be a placed shape", (int)i + 1,
                 part ? "a freed one" : grl_describe(L, lua_gettop(L)));
    parts[i] = part->placed;
    store->children[i] = grl_store_retain(part->store);
    store->calls_lua = store->calls_lua || (part->store && part->store->calls_lua);
    lua_pop(L, 1);
  }
  graze_error error = {.index = -1};
  lua_State *before = grl_enter(L);
  graze_status status = graze_compound_create(parts, count, NULL, &store->compound, &error);
  grl_leave(L, before);
  grl_check_status(L, 1, NULL, status, &error);
  made->shape = graze_compound_shape(store->compound);
  grl_report_memory(L, count * 1024);
  lua_pushvalue(L, index);
  grl_reference_functions(L, store);
  return 1;
}

/* ---- Support functions in Lua ---- */

typedef struct support_call {
  const grl_store *store;
  int dim;
  graze_vec direction, *point;
  double *bound;
} support_call;

/* Rejects the value at an index, which the support function at 1 returned. */
static void reject_result(lua_State *L, const char *allowed, int index) {
  luaL_error(L, "support function at %s: invalid result (%s), must be %s", grl_describe_function(L, 1),
             grl_describe(L, index), allowed);
}

static void call_support(lua_State *L, void *data) {
  const support_call *c = data;
  grl_push_function(L, c->store);
  if (lua_isnil(L, 1)) /* Lua 5.2 to 5.4 clear weak values before finalizers run */
    luaL_error(L, "support function: collected together with its shape");
  lua_pushvalue(L, 1);
  int count = grl_push_vec(L, c->direction, c->dim), first = 2;
  lua_call(L, count, count + 1);
  double v[4] = {0, 0, 0, 0};
  for (int i = 0; i < count; i++) {
    v[i] = lua_tonumber(L, first + i);
    if (lua_type(L, first + i) != LUA_TNUMBER || !(fabs(v[i]) <= GRAZE_LARGEST))
      reject_result(L, c->dim == 2 ? "x and y of a point" : "x, y and z of a point", first + i);
  }
  if (!lua_isnil(L, first + count)) { /* nil: the bound is 0 */
    v[3] = lua_tonumber(L, first + count);
    if (lua_type(L, first + count) != LUA_TNUMBER || !(v[3] >= 0 && v[3] <= GRAZE_LARGEST))
      reject_result(L, "an error bound >= 0 after the point", first + count);
  }
  *c->point = (graze_vec){v[0], v[1], v[2]};
  *c->bound = v[3];
}

/* Returns -1, an invalid bound, if there is no result. */
static double support_by_lua(void *context, graze_vec direction, graze_vec *point) {
  const grl_store *store = context;
  double bound = 0;
  support_call c = {store, (int)store->vertices[0].x, direction, point, &bound};
  *point = (graze_vec){0, 0, 0};
  if (store->state->running == NULL || !grl_call_protected(store->state, call_support, &c, 0, 0)) return -1;
  return bound;
}

static int user(lua_State *L) {
  grl_check_count(L, 2, 2);
  int dim = dim_argument(L, 1);
  if (dim == 0) grl_reject_value(L, 1, 1, "dim", "2 or 3");
  if (!lua_isfunction(L, 2)) grl_reject_value(L, 2, 2, "support", "a function");
  const graze_vec dim_as_vertex = {dim, 0, 0}; /* for support_by_lua() */
  grl_shape *made = push_stored(L, &dim_as_vertex, 1);
  lua_pushvalue(L, 2);
  grl_store_function(L, made->store);
  grl_reference_functions(L, made->store);
  made->shape = graze_user(dim, support_by_lua, made->store);
  grl_validate_shape(L, 2, made);
  return 1;
}

const luaL_Reg grl_shape_functions[] = {
    {"point", point},       {"point2", point2},       {"segment", segment}, {"triangle", triangle},
    {"box", box},           {"sphere", sphere},       {"circle", circle},   {"capsule", capsule},
    {"capsule2", capsule2}, {"cylinder", cylinder},   {"cone", cone},       {"ellipsoid", ellipsoid},
    {"ellipse", ellipse},   {"halfspace", halfspace}, {"polygon", polygon}, {"hull_points", hull_points},
    {"hull", hull},         {"compound", compound},   {"user", user},       {NULL, NULL},
};
